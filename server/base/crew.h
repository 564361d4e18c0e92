// A crew: one thread, its owner, runs short jobs one after another, and others that are free take part.
//
//     owner     open | run | run |  (something else)  | run | close
//     member          join | work | watch ... | work | watch ... | leaves: closed, away or tired
//
// Between open and close members watch for the next job instead of sleeping, so that a job costs a fraction of
// a microsecond to start and to end. A member that has watched in vain for a while is tired and leaves; nobody
// watches a closed crew. The owner does whatever members do not: it waits for tasks that a member has begun,
// and for nothing else.
//
// A job's indices are dealt out in as many runs of neighbours as there are threads, in order of seats, so a
// thread that keeps its seat gets about the same indices in each job of the same count, and finds what they work on
// in its caches. Who has none left takes from the end of another's, if that one has begun none for a while.
//
// What tasks have written is seen by the owner when run returns, and by whoever works on the next job.
#ifndef WEFT_BASE_CREW_H
#define WEFT_BASE_CREW_H

#include "base/thread.h"

#include <stdbool.h>
#include <stdint.h>

enum { BASE_CREW_MAX = 64 }; // threads of a crew

struct base_crew;

struct base_crew_desc {
    uint32_t threads; // that may take part, the owner counted: 1 to BASE_CREW_MAX
    // Members watch and the owner waits on their core for a while. False where threads outnumber cores: then
    // all give their core away at once.
    bool spins;
    // The job that begins could keep so many more members busy. Owner's thread. May be NULL.
    void (*call)(void *context, uint32_t lacking);
    void *context;
};

// NULL without memory. Closed at first.
struct base_crew *base_crew_create(const struct base_crew_desc *desc);
// It must be closed, and members gone. NULL is let pass.
void base_crew_destroy(struct base_crew *crew);

// Called on the owner's thread. A run outside of open and close is a burst by itself. No task calls it.
void base_crew_open(struct base_crew *crew);
void base_crew_run(struct base_crew *crew, uint32_t count, base_task task, void *context);
void base_crew_close(struct base_crew *crew);

// How many more members could be kept busy, by the jobs since it was opened; 0 when closed. Any thread.
uint32_t base_crew_lacking(const struct base_crew *crew);
// Tasks wait that nobody has claimed. A thread that has told `call` that it sleeps, and then finds this false,
// will be called for the next ones. Any thread.
bool base_crew_waiting(const struct base_crew *crew);

// Takes a seat, `wish` if it is free: 1 to threads - 1. 0 if the crew is closed or full. Any thread.
uint32_t base_crew_join(struct base_crew *crew, uint32_t wish);

enum base_crew_left { BASE_CREW_CLOSED, BASE_CREW_AWAY, BASE_CREW_TIRED };
// Works and watches until there is a reason to leave, and gives the seat back. `away` is asked after each task
// and again and again while watching; true sends the member away at once.
enum base_crew_left base_crew_serve(struct base_crew *crew, uint32_t seat, bool (*away)(void *context),
                                    void *context);

#endif
