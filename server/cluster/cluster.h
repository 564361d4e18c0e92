// Knows which server runs which world, if several servers share the brokers of a deployment (NATS key-value buckets). It knows the
// ids, labels (names) and servers of worlds, and nothing that is in them. "Brokers" are NATS servers. A "run" is one start of a
// server, with an id of its own. A "beat" is the heartbeat of a run.
//
//     bucket NAME-servers   a key for each run: addresses, load, number of its last beat         written each second
//     bucket NAME-worlds    a key for each world: the run that has it, and its label             by compare-and-set only
//     bucket NAME-names     a key for each label: its world                                      by compare-and-set only
//
// A world's lease is its key together with the beat of the run that the key names. So the number of writes grows with the servers
// and not with the worlds. A run has lapsed for an observer if CLUSTER_LAPSE_MS pass on the observer's monotonic clock without a
// new beat, neither as a message nor in the key. No clocks of two machines are compared. The servers that live then take its
// worlds: the least loaded at once, each other half a second after the one before it. The key's revision decides which one did.
//
// A server that has a world and cannot run it gives it back. The world's key then names no run, and says which servers tried and
// what went wrong. The other servers try once each, one after the other with growing pauses, up to CLUSTER_TRIES of them. If all
// found lasting damage the world stays as it is until an operator names a server that is to try again (cluster_send), or one of
// them is started again with a folder that has it. Otherwise it is tried again every half a minute.
//
// Servers may have different versions while a deployment is upgraded. A world's key says which version ran it last: its solver and
// its API level. A server suits the world if it has the same solver and at least that level. Only such a server computes the same
// bits, and understands all of the world's records. So while one lives and takes worlds, the others leave the world to it.
// Otherwise any server takes the world; the key gets its version once the world runs there.
//
// A label belongs to one world. A label's key is valid if its world has this label, or while the run that wrote it lives. Otherwise
// it was left behind, and may be taken.
//
// None of this decides which server writes a world. The journal does (store_take_over): a server that takes a world over opens it
// under a later epoch, and from then on the brokers refuse the previous writer. A key that is wrong for a moment costs time,
// but no edit.
//
// Threads of its own:
//
//     beat       writes this run's key each second, and notices if the process was asleep (cluster_fresh)
//     cluster    reads and writes keys of worlds; makes events for this server (cluster_next)
//     errand     runs `prepare` for other servers
//     NATS's     receive beats, changes of keys and answers, and put them into tables under a mutex
#ifndef WEFT_CLUSTER_CLUSTER_H
#define WEFT_CLUSTER_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    // Bytes, with the terminating zero.
    CLUSTER_RUN_SIZE = 17, // 16 hex digits
    CLUSTER_NAME_SIZE = 65,
    CLUSTER_ADDRESS_SIZE = 128,
    CLUSTER_TEXT_SIZE = 256,

    CLUSTER_BEAT_MS = 1000,   // from one beat to the next
    CLUSTER_LAPSE_MS = 3000,  // without a beat, after which others take a run's worlds
    CLUSTER_ASLEEP_MS = 2500, // without a beat, after which a run itself stops; less than CLUSTER_LAPSE_MS
    CLUSTER_TRIES = 8,        // servers that try to run a world, one after the other
};

struct cluster;

struct cluster_load {
    double ms; // processor time that its worlds use, ms per second
    uint32_t worlds, sessions;
};

struct cluster_version {
    uint32_t solver; // sim_solver_version
    uint32_t api;    // PROTOCOL_API_LEVEL
};

struct cluster_server {
    struct cluster_version version;
    char run[CLUSTER_RUN_SIZE]; // differs for each start
    char name[CLUSTER_NAME_SIZE];
    char tcp[CLUSTER_ADDRESS_SIZE]; // HOST:PORT, as clients reach it
    char web[CLUSTER_ADDRESS_SIZE]; // HOST:PORT for HTTP and WebSockets; empty: none
    bool tls;                       // both addresses use TLS
    struct cluster_load load;
    bool draining;        // it takes no worlds, and gives away those that it has
    bool here;            // it is this server
    bool lapsed;          // it has lapsed, or said that it ends
    uint64_t beat_age_ms; // time since its last beat came
};

struct cluster_options {
    const char *brokers;                   // as in store_options
    const char *authorities, *credentials; // paths of files, for brokers, as in store_options; NULL: none
    const char *certificate, *key;         // paths of files, as in store_options
    const char *folder; // an id of the data folder: this run takes the worlds of an earlier run on it at once
    const char *name, *tcp, *web;
    bool tls;
    struct cluster_version version;
    // Called if cluster_next has an event, or cluster_servers or cluster_worlds would return something else. Any thread. It must
    // neither block nor call the cluster.
    void (*on_event)(void *context);
    // Called before another server gives a world to this one, so that long work is done while the world still runs there. False
    // with text. It runs on the errand thread, and may block.
    bool (*prepare)(void *context, uint32_t world, char text[CLUSTER_TEXT_SIZE]);
    void *context;
};

// Waits for brokers, and knows all servers and worlds when it returns. NULL with text.
struct cluster *cluster_open(const struct cluster_options *options, char text[CLUSTER_TEXT_SIZE]);
// Tells the others that this run is over, so that nobody waits for it to lapse. No callback comes afterwards. NULL is allowed.
void cluster_close(struct cluster *cluster);

// ---------------------------------------------------------------------------------------------------------
// Look-ups in this server's tables. Any thread; none waits for brokers. The tables lag a moment behind what others do.

enum cluster_place {
    CLUSTER_NOWHERE,   // no server has the world
    CLUSTER_HERE,      // this server has it
    CLUSTER_ELSEWHERE, // another server has it
    CLUSTER_BETWEEN,   // the server that has it has lapsed; another will take it soon
    CLUSTER_FAILED,    // no server has it, because those that did could not run it
};

// Returns where a world is. Fills *server, which may be NULL, for HERE and ELSEWHERE.
enum cluster_place cluster_where(struct cluster *cluster, uint32_t world, struct cluster_server *server);
// Says what went wrong with a world that a server could not run, also while another tries. False if nothing did.
bool cluster_why(struct cluster *cluster, uint32_t world, char text[CLUSTER_TEXT_SIZE]);
// The world that has this label; 0 if none has. The lowest id if several have it: an undo can bring back a label that was given
// away meanwhile.
uint32_t cluster_find(struct cluster *cluster, const char *label);

// Gives a world's label by its key. False if there is no such world.
bool cluster_label(struct cluster *cluster, uint32_t world, char label[CLUSTER_NAME_SIZE]);

struct cluster_world {
    uint32_t world;
    char label[CLUSTER_NAME_SIZE];
    char run[CLUSTER_RUN_SIZE]; // the run that has it; empty: no server can run it
};
// Lists all worlds by ascending id. The caller frees the list; NULL if memory runs out. A run that is not in cluster_servers has
// lapsed.
struct cluster_world *cluster_worlds(struct cluster *cluster, uint32_t *count);
// Lists the servers that live. The caller frees the list; NULL if memory runs out.
struct cluster_server *cluster_servers(struct cluster *cluster, uint32_t *count);
bool cluster_self(struct cluster *cluster, struct cluster_server *server);
// Finds the least loaded server, of those that live and take worlds: this one, unless another has clearly less load. not_here: never
// this one, and then also one that is known only by its key so far. False if there is none.
bool cluster_lightest(struct cluster *cluster, bool not_here, struct cluster_server *server);
// Finds the server to which this one should give a world when it ends: the least loaded of those that suit the world, or else of
// all. False if there is none.
bool cluster_heir(struct cluster *cluster, uint32_t world, struct cluster_server *server);
// Whether a world may be given to a server. False if that does not suit the world, and another that lives and takes worlds (it may
// be this one) does.
bool cluster_may_go(struct cluster *cluster, uint32_t world, const struct cluster_server *to);
// Finds a server that lives by its name or run. False if there is none.
bool cluster_server_named(struct cluster *cluster, const char *name, struct cluster_server *server);

// False if this process was asleep for so long that others may have taken its worlds, and it has not read the keys since. Its
// worlds must then neither run nor be shown. Any thread; cheap.
bool cluster_fresh(struct cluster *cluster);

struct cluster_counts {
    uint32_t servers, here, elsewhere; // now: servers that live; worlds that this one, that others have
    uint64_t taken, lost;     // worlds taken from lapsed servers; worlds that others took from this one
    uint64_t given, received; // worlds moved away; worlds moved here
    uint64_t asleep;          // times that this process was asleep
    uint32_t failed;          // now: worlds that no server can run
    uint64_t given_back;      // worlds that this server could not run
};
void cluster_counts(struct cluster *cluster, struct cluster_counts *counts);

// ---------------------------------------------------------------------------------------------------------
// Changes by this server. Any thread. None waits for brokers unless its comment says so.

// Reads the world's key from the brokers again, several times within about a second, because something contradicts the tables.
void cluster_look(struct cluster *cluster, uint32_t world);

// Sets what the next beats say about this server.
void cluster_tell(struct cluster *cluster, const struct cluster_load *load, bool draining);
// Writes the keys of a world that this server has made, renamed, or managed to run. It tries until they are written; CLUSTER_CLAIMED
// follows. For a new world that may be a refusal, because its label is another world's (`taken`) or brokers did not answer for ten
// seconds; then no server has it.
void cluster_claim(struct cluster *cluster, uint32_t world, const char *label);
// Removes the keys of a world of this server that was deleted.
void cluster_release(struct cluster *cluster, uint32_t world);
// Gives back a world that this server has and cannot run; `why` says what went wrong. lasting: another try would fail too.
void cluster_fail(struct cluster *cluster, uint32_t world, bool lasting, const char *why);
// Reserves a label for a world of this server, before the world gets it. TAKEN: another world has it; AWAY: brokers do not answer.
// Waits for brokers.
enum cluster_naming { CLUSTER_NAMED, CLUSTER_TAKEN, CLUSTER_AWAY };
enum cluster_naming cluster_name(struct cluster *cluster, uint32_t world, const char *label);
// Gives a label back: the world did not get it, or has it no more.
void cluster_unname(struct cluster *cluster, uint32_t world, const char *label);
// Makes a run try again to run a world that no server could. False with text. Waits for brokers.
bool cluster_send(struct cluster *cluster, uint32_t world, const char *run, char text[CLUSTER_TEXT_SIZE]);
// Takes a world that no server has, or that a lapsed run or an earlier run on this folder has. HERE: it has it. ELSEWHERE: another
// has it, was first, or suits it while this one does not. NOWHERE: brokers do not answer; text has the reason. Waits for brokers.
enum cluster_place cluster_take(struct cluster *cluster, uint32_t world, const char *label,
                                char text[CLUSTER_TEXT_SIZE]);

// A move has two steps. prepare makes the other server fetch what is stored of the world, and ends in CLUSTER_PREPARED. give makes
// the world's key name the other run, and ends in CLUSTER_GIVEN.
void cluster_prepare(struct cluster *cluster, uint32_t world, const char *run);
void cluster_give(struct cluster *cluster, uint32_t world, const char *run);

// ---------------------------------------------------------------------------------------------------------
// Events for this server. One thread takes them.

enum cluster_event_kind {
    CLUSTER_OURS, // the world's key names this run now, which has to open it. text: the server that had it
    CLUSTER_LOST, // the world's key names another run now
    CLUSTER_PREPARED, // cluster_prepare has ended
    CLUSTER_GIVEN,    // cluster_give has ended: if done, the key names the other run now
    CLUSTER_CLAIMED,  // cluster_claim has ended
};
struct cluster_event {
    enum cluster_event_kind kind;
    uint32_t world;
    // done: false if it failed; text says why. moved: with OURS, another server gave the world. taken: with CLAIMED, if not
    // done, the label is another world's.
    bool done, moved;
    bool taken;
    char text[CLUSTER_TEXT_SIZE];
};
// Takes the next event. False if there is none; this also tells the cluster that all events before it have been acted on.
bool cluster_next(struct cluster *cluster, struct cluster_event *event);

#endif
