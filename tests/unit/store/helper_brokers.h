// Brokers of NATS on this machine, one or a cluster of three, each a process of nats-server.
#ifndef WEFT_TESTS_HELPER_BROKERS_H
#define WEFT_TESTS_HELPER_BROKERS_H

#include "helper_store.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { BROKERS_MAX = 3 };

struct brokers {
    struct place place;
    int count;
    pid_t processes[BROKERS_MAX]; // 0: it does not run
    uint16_t ports[BROKERS_MAX], cluster_ports[BROKERS_MAX];
    char hosts[160], name[32]; // of the deployment
    char url[256], check[256];
};

// Whether there is a program; where there is none nothing here can be tested, and the test says so and is left out.
bool brokers_there(void);
void brokers_start(struct brokers *brokers, int count, bool sync);
void brokers_stop(struct brokers *brokers);
// From now on all is of a deployment that has no lists yet.
void brokers_anew(struct brokers *brokers);
void broker_begin(struct brokers *brokers, int which);
void broker_kill(struct brokers *brokers, int which); // at once
// The disk of a broker that does not run: all of it is lost, put aside, or restored to the state that was put aside.
void broker_wipe(const struct brokers *brokers, int which);
void broker_put_aside(const struct brokers *brokers, int which);
void broker_put_back(const struct brokers *brokers, int which);

// Options of a store on them, with a folder of its own.
struct store_options brokers_options(const struct brokers *brokers, struct heard *heard, const char *folder);
// A store, as soon as they are up: a minute at most.
struct store *brokers_open(const struct store_options *options);

// The stream of a list, as any client sees it.
uint64_t brokers_bytes(const struct brokers *brokers, uint32_t list);
uint64_t brokers_last(const struct brokers *brokers, uint32_t list);
bool brokers_remove(const struct brokers *brokers, uint32_t list, uint64_t sequence);
bool brokers_publish(const struct brokers *brokers, uint32_t list, const void *bytes, size_t size);
// Removes everything before a sequence, as when a list is no longer kept that far; 0: removes the stream.
bool brokers_cut(const struct brokers *brokers, uint32_t list, uint64_t before);
// No server knows of the list any more; its stream is there.
bool brokers_forget(const struct brokers *brokers, uint32_t list);
// Makes the stream's leader step down, so that another leads.
bool brokers_step_down(const struct brokers *brokers, uint32_t list);
// Number of the stream's leader; -1: none.
int brokers_leader(const struct brokers *brokers, uint32_t list);
// Waits until all three have all of the stream: a minute at most.
bool brokers_agree(const struct brokers *brokers, uint32_t list);
// One that leads neither the stream nor all of them.
int brokers_follower(const struct brokers *brokers, uint32_t list);
// Makes the stream again from its first messages, with a byte of one changed (0: of none).
bool brokers_remake(const struct brokers *brokers, uint32_t list, uint64_t messages, uint64_t changed);

#endif
