// Knows which server runs which world, if several servers share the brokers of a deployment. It knows ids, labels and addresses, and
// no world.
//
//     bucket NAME-servers   a key for each run of a server: addresses, load, number of its beat   written each second
//     bucket NAME-worlds    a key for each world: which run has it, and its label                 compare and set alone
//     bucket NAME-names     a key for each label: its world                                       the same
//
// A world's lease is its key together with the beat of the run that it names: so what is written grows with the servers and
// not with the worlds. A run has lapsed when CLUSTER_LAPSE_MS of the *looker's* monotonic clock have shown no new beat of it,
// neither heard nor in its key: no clock of two machines is compared. The living then take what it had, the least loaded
// first and each next one half a second later; the key's revision decides who did.
//
// A server that has a world and cannot run it gives it back: its key then names nobody, and tells which servers tried and what went
// wrong. Each of the others tries once, one after the other and ever later, CLUSTER_TRIES of them. If all of them found damage it stays
// so, until somebody says which one is to try again (cluster_send), or one of them is started again with a folder that has it. If not,
// it is tried again each half a minute.
//
// Servers may be of different versions, for as long as an upgrade takes. A world's key says which version ran it last: its solver, and
// the level of its api. A server suits the world if it has the same solver and at least that level. As long as one that suits lives and
// takes worlds, the others leave the world to it: only it goes on to the same bits, and knows all that the world's records hold.
// Otherwise any of them takes the world, whose key has the new version once the world runs there.
//
// A label belongs to one world. Its key binds if the world that it names is called so, or as long as the run that wrote it lives.
// Otherwise it was left behind, and may be taken.
//
// None of this decides which server writes a world. The journal does (store_take_over): a server that takes a world over opens it
// under a later epoch, and the one that had it until then writes nothing more, whatever it believes. A key that is wrong for a
// moment costs a moment, and no edit.
//
//     the beat's thread    each second its key; and how long it was asleep: it must not be (cluster_fresh)
//     the cluster's        takes, gives and reads keys; tells what it means for this server (events)
//     the library's        beats, words and answers of others come; into the tables, under the mutex
//     an errand's          what another server asks for (prepare)
#ifndef WEFT_CLUSTER_CLUSTER_H
#define WEFT_CLUSTER_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CLUSTER_RUN_SIZE = 17, // 16 hex digits
    CLUSTER_NAME_SIZE = 65,
    CLUSTER_ADDRESS_SIZE = 128,
    CLUSTER_TEXT_SIZE = 256,
    CLUSTER_BEAT_MS = 1000,
    CLUSTER_LAPSE_MS = 3000,
    CLUSTER_ASLEEP_MS = 2500, // less than others wait
    CLUSTER_TRIES = 8,        // servers that try to run a world, one after the other
};

struct cluster;

struct cluster_load {
    double ms; // of processor that its worlds take a second
    uint32_t worlds, sessions;
};

struct cluster_version {
    uint32_t solver; // sim_solver_version
    uint32_t api;    // PROTOCOL_API_LEVEL
};

struct cluster_server {
    struct cluster_version version;
    char run[CLUSTER_RUN_SIZE]; // other for each start
    char name[CLUSTER_NAME_SIZE];
    char tcp[CLUSTER_ADDRESS_SIZE]; // HOST:PORT, as clients reach it
    char web[CLUSTER_ADDRESS_SIZE]; // the same of HTTP and WebSockets; empty: none
    bool tls;                       // both addresses speak it
    struct cluster_load load;
    bool draining; // takes nothing, and gives away what it has
    bool here;     // this one
    bool lapsed;   // it is gone, as far as one can see
    uint64_t beat_age_ms;
};

struct cluster_options {
    const char *brokers;                   // as store_options has it
    const char *authorities, *credentials; // files, for brokers; NULL: none
    const char *certificate, *key;         // the same
    const char
        *folder; // an id of the folder of worlds: what an earlier run of the same had is this one's at once
    const char *name, *tcp, *web;
    bool tls;
    struct cluster_version version;
    // Something of cluster_next is there, or what cluster_servers and cluster_worlds tell has changed. Any thread, must not block
    // and not call back.
    void (*on_event)(void *context);
    // Another server is about to give this world: what takes long can be done before it stops there. False with a text. The
    // errand's thread; may take its time.
    bool (*prepare)(void *context, uint32_t world, char text[CLUSTER_TEXT_SIZE]);
    void *context;
};

// NULL with a text. Waits for brokers, and knows all servers and worlds when it returns.
struct cluster *cluster_open(const struct cluster_options *options, char text[CLUSTER_TEXT_SIZE]);
// Tells others that this run is over, so nobody waits for it to lapse. NULL is allowed; no event comes after it.
void cluster_close(struct cluster *cluster);

// ---------------------------------------------------------------------------------------------------------
// What is known. Any thread; waits for nobody. What others did a moment ago may not be known yet.

enum cluster_place {
    CLUSTER_NOWHERE, // nobody has it
    CLUSTER_HERE,
    CLUSTER_ELSEWHERE,
    CLUSTER_BETWEEN, // who has it has lapsed, so another soon will
    CLUSTER_FAILED,  // nobody has it, for those who had could not run it
};

// The place where a world is said to run. *server, which may be NULL, is set if it is here or elsewhere.
enum cluster_place cluster_where(struct cluster *cluster, uint32_t world, struct cluster_server *server);
// Tells what went wrong with a world that no server could run, also while one tries again. False: nothing did.
bool cluster_why(struct cluster *cluster, uint32_t world, char text[CLUSTER_TEXT_SIZE]);
// The world that has this label, the lowest id where there are several (an undo may bring back a label that was given away). 0: none
// has.
uint32_t cluster_find(struct cluster *cluster, const char *label);

// The name of a world, as its key says. False: there is none.
bool cluster_label(struct cluster *cluster, uint32_t world, char label[CLUSTER_NAME_SIZE]);

struct cluster_world {
    uint32_t world;
    char label[CLUSTER_NAME_SIZE];
    char run[CLUSTER_RUN_SIZE]; // who has it; empty: nobody can run it
};
// All of them, by id; malloc'd, NULL without memory. Runs are those of cluster_servers, unless they have lapsed.
struct cluster_world *cluster_worlds(struct cluster *cluster, uint32_t *count);
// Those that live; the same.
struct cluster_server *cluster_servers(struct cluster *cluster, uint32_t *count);
bool cluster_self(struct cluster *cluster, struct cluster_server *server);
// Finds the server that has least to do, of those that live and take worlds: this one, unless another has clearly less. not_here:
// another in any case, also one of which only a key is known yet. False: there is none.
bool cluster_lightest(struct cluster *cluster, bool not_here, struct cluster_server *server);
// Finds the server to which a world of this one goes, if this one is to end: the one with the least to do of those that suit the world,
// or else of all. False: there is none.
bool cluster_heir(struct cluster *cluster, uint32_t world, struct cluster_server *server);
// False: the server does not suit the world, and another one does that lives and takes worlds, which may be this one.
bool cluster_may_go(struct cluster *cluster, uint32_t world, const struct cluster_server *to);
// By name or run. False: no server that lives is called so.
bool cluster_server_named(struct cluster *cluster, const char *name, struct cluster_server *server);

// False: this process was asleep for so long that others may have its worlds, and has not read yet whether they do. Nothing may be
// shown of them, nor run. Any thread; cheap.
bool cluster_fresh(struct cluster *cluster);

struct cluster_counts {
    uint32_t servers, here, elsewhere; // that live; worlds
    uint64_t taken, lost;              // worlds of servers that had lapsed; worlds that others have taken
    uint64_t given, received;          // by moves
    uint64_t asleep;                   // how often it was
    uint32_t failed;                   // worlds that nobody can run
    uint64_t given_back;               // worlds that this server could not run
};
void cluster_counts(struct cluster *cluster, struct cluster_counts *counts);

// ---------------------------------------------------------------------------------------------------------
// What this server says. Any thread; nothing waits, unless it says so.

// Asks the leader of the brokers for the world's key, within a second or so, because something speaks against what is known.
void cluster_look(struct cluster *cluster, uint32_t world);

void cluster_tell(struct cluster *cluster, const struct cluster_load *load, bool draining);
// A new world of this server, one with a new label, or one that it runs again. Its keys are written until they are there, which is an
// event. Of a new one that event may be a refusal: its label is another world's (taken), or brokers do not answer; then nobody
// has it.
void cluster_claim(struct cluster *cluster, uint32_t world, const char *label);
// It is deleted: nobody has it any more.
void cluster_release(struct cluster *cluster, uint32_t world);
// This server has it and cannot run it: it is given back, with what went wrong. lasting: it would again.
void cluster_fail(struct cluster *cluster, uint32_t world, bool lasting, const char *why);
// A world of this server is about to have a label. TAKEN: it is another's; AWAY: brokers do not answer. Waits for them.
enum cluster_naming { CLUSTER_NAMED, CLUSTER_TAKEN, CLUSTER_AWAY };
enum cluster_naming cluster_name(struct cluster *cluster, uint32_t world, const char *label);
// It has not, or no more.
void cluster_unname(struct cluster *cluster, uint32_t world, const char *label);
// A run is to try again to run a world that nobody could. False with a text. Waits for brokers.
bool cluster_send(struct cluster *cluster, uint32_t world, const char *run, char text[CLUSTER_TEXT_SIZE]);
// This server wants a world that nobody has, or an earlier run of its folder, or one that has lapsed. ELSEWHERE: another has
// it, was first, or suits it while this one does not; NOWHERE: brokers do not answer, and the text says how. Waits for them.
enum cluster_place cluster_take(struct cluster *cluster, uint32_t world, const char *label,
                                char text[CLUSTER_TEXT_SIZE]);

// A move, in two steps, of which each ends with an event: the other fetches what the world has; the other has it.
void cluster_prepare(struct cluster *cluster, uint32_t world, const char *run);
void cluster_give(struct cluster *cluster, uint32_t world, const char *run);

// ---------------------------------------------------------------------------------------------------------
// What it means for this server. One thread.

enum cluster_event_kind {
    CLUSTER_OURS,     // the world's key names this run now: it is to be opened. text: who had it
    CLUSTER_LOST,     // it names another
    CLUSTER_PREPARED, // what was asked for is done, or not: then text says why
    CLUSTER_GIVEN,    // the same: the key names the other now
    CLUSTER_CLAIMED,  // its keys are written, or not: then text says why
};
struct cluster_event {
    enum cluster_event_kind kind;
    uint32_t world;
    bool done, moved; // OURS: another server gave it
    bool taken;       // CLAIMED, and not done: the label is another world's
    char text[CLUSTER_TEXT_SIZE];
};
// False: there is none, and what was told before has been seen to.
bool cluster_next(struct cluster *cluster, struct cluster_event *event);

#endif
