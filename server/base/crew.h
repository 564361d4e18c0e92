// A crew: one thread, its owner, runs short jobs one after another, and other threads that are free, its members, take part.
// The simulation threads form crews for large worlds; base_team is a crew with threads of its own.
//
//     owner     open | run | run |  (something else)  | run | close
//     member          join | work | watch ... | work | watch ... | leaves: closed, away or tired
//
// Between open and close (a burst) members poll for the next job instead of sleeping, so that a job costs a fraction of
// a microsecond to start and to end. A member that has polled for 100 µs without a job is "tired" and leaves; nobody
// polls a closed crew. The owner runs every task that no member has begun, so it waits only for tasks under way.
//
// A job is a number of tasks, 0 ... count - 1. They are dealt out as ranges of neighbours, one for each thread, in the order of
// seats. So a thread that keeps its seat gets about the same tasks in each job of the same count, and finds their data in its
// caches. A thread that has none left takes tasks from the end of another's range, if that thread has begun none for 4 µs.
//
// The owner sees what tasks have written when run returns, and so does every thread that works on the next job.
#ifndef WEFT_BASE_CREW_H
#define WEFT_BASE_CREW_H

#include "base/thread.h"

#include <stdbool.h>
#include <stdint.h>

enum { BASE_CREW_MAX = 64 }; // threads of a crew, with the owner: one bit each

struct base_crew;

struct base_crew_desc {
    uint32_t threads; // most that take part, with the owner: 1 to BASE_CREW_MAX
    // Members and the owner keep their cores for a while when they wait. False if there are more threads than cores: then
    // each gives its core away at once.
    bool spins;
    // Called on the owner's thread when a job begins that could keep `lacking` more members busy. It may wake threads, and
    // must not wait. May be NULL.
    void (*call)(void *context, uint32_t lacking);
    void *context;
};

// Returns a closed crew; NULL if memory runs out.
struct base_crew *base_crew_create(const struct base_crew_desc *desc);
// The crew must be closed, and all members must have left. NULL is allowed.
void base_crew_destroy(struct base_crew *crew);

// Only the owner's thread calls these three, and never from a task. A run outside of open and close is a burst of one job.
void base_crew_open(struct base_crew *crew);
void base_crew_run(struct base_crew *crew, uint32_t count, base_task task, void *context);
void base_crew_close(struct base_crew *crew);

// How many more members the jobs since it was opened could have kept busy; 0 when closed. A hint. Any thread.
uint32_t base_crew_lacking(const struct base_crew *crew);
// Whether there are tasks that no thread has begun. Any thread. If a thread first notes that it sleeps, where `call` sees it,
// and then finds this false, it may sleep: `call` comes before the next tasks.
bool base_crew_waiting(const struct base_crew *crew);

// Makes the calling thread a member, and returns its seat: `wish` if that is free, else the lowest, 1 to threads - 1. 0 if the
// crew is closed or full. Any thread.
uint32_t base_crew_join(struct base_crew *crew, uint32_t wish);

// Why a member left: the crew was closed, `away` said so, or no job came (also: it shares a core with the owner).
enum base_crew_left { BASE_CREW_CLOSED, BASE_CREW_AWAY, BASE_CREW_TIRED };
// Works and polls until there is a reason to leave, and gives the seat back. `away` is called after each task and repeatedly
// while it polls; if it returns true the member leaves at once.
enum base_crew_left base_crew_serve(struct base_crew *crew, uint32_t seat, bool (*away)(void *context),
                                    void *context);

#endif
