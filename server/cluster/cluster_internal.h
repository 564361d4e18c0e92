// Shared by the files of the cluster.
//
//     table.c     servers and worlds that are known, in memory: no broker, no clock; under the mutex
//     text.c      what stands in keys and messages, read and written
//     bucket.c    keys: read, walked, compared and set
//     name.c      labels: which world each belongs to
//     life.c      the connection, its subscriptions, the threads: begun and ended
//     beat.c      the beat's thread
//     run.c       the cluster's thread: which runs have lapsed, what is to be taken
//     move.c      words between servers, and keys that are handed over
//     cluster.c   the face
#ifndef WEFT_CLUSTER_INTERNAL_H
#define WEFT_CLUSTER_INTERNAL_H

#include "base/thread.h"
#include "cluster/cluster.h"
#include "store/nats_connect.h"

#include <stdatomic.h>
#include <stddef.h>

enum {
    CLUSTER_NATS_WAIT_MS = 3000, // for a broker
    CLUSTER_NATS_KEY_SIZE = STORE_NATS_NAME_SIZE + 64,
    CLUSTER_NATS_SERVERS_MAX = 16384,
    CLUSTER_NATS_WORLDS_MAX = 1 << 20,
    CLUSTER_NATS_ERRANDS_MAX = 64,   // that others asked for, at a time
    CLUSTER_NATS_READS = 7,          // of a key that somebody has just written, until it shows
    CLUSTER_NATS_UNNAMED_MAX = 4096, // labels that are to be given back, at a time
    CLUSTER_NATS_SOLVER_UNSAID = 1,  // if a key does not say it: only the first version left it out
    // Places behind all that suit a world: half a minute, after which the world is taken even if those that suit it live and do not
    // take it.
    CLUSTER_NATS_UNSUITED_RANK = 60,
};

struct cluster_nats_server {
    struct cluster_server told;
    char folder[CLUSTER_NAME_SIZE];
    uint64_t beat;     // its number, counted by its sender; 0: none was seen
    uint64_t heard_ns; // when it was new here
    bool proven;       // a beat came after another: it was no key that somebody left behind
    bool over;         // it said so itself
    bool dead;         // nothing new is in its key either
    uint64_t dead_ns;  // since when one may take what it had
};

enum cluster_nats_wish {
    CLUSTER_NATS_NOTHING,
    CLUSTER_NATS_CLAIM,
    CLUSTER_NATS_RELEASE,
    CLUSTER_NATS_GIVE,
    CLUSTER_NATS_FAIL
};

enum {
    CLUSTER_NATS_TELL_PREPARED = 1,
    CLUSTER_NATS_TELL_GIVEN = 2,
    CLUSTER_NATS_TELL_LOST = 4,
    CLUSTER_NATS_TELL_OURS = 8,
    CLUSTER_NATS_TELL_CLAIMED = 16
};

// The trouble of a world that could not be run.
struct cluster_nats_trouble {
    uint32_t count; // who tried; 0: nothing went wrong
    bool lasting;   // none of them needs to try again
    char tried[CLUSTER_TRIES][CLUSTER_RUN_SIZE];
    char why[CLUSTER_TEXT_SIZE];
};

// The content of a world's key.
struct cluster_nats_key {
    char run[CLUSTER_RUN_SIZE]; // empty: nobody has it
    char label[CLUSTER_NAME_SIZE];
    struct cluster_version version; // of the server that ran it last
    struct cluster_nats_trouble trouble;
};

// The content of a label's key.
struct cluster_nats_holder {
    uint32_t world; // 0: nobody's
    char run[CLUSTER_RUN_SIZE];
    uint64_t revision; // 0: there is no such key
};

struct cluster_nats_world {
    uint32_t world;
    char label[CLUSTER_NAME_SIZE];
    char run[CLUSTER_RUN_SIZE]; // empty: nobody
    uint64_t revision;          // of its key; 0: not seen yet
    struct cluster_version version;
    enum cluster_nats_wish wish;
    bool fresh, unnamed;   // of a claim: it had no key before; its label's key is to be written
    uint64_t claim_end_ns; // the same, of a fresh one
    struct cluster_nats_trouble *trouble; // NULL: nothing went wrong
    uint64_t failed_ns;                   // when that was first looked at; 0: it was not
    char to[CLUSTER_RUN_SIZE];            // of a move
    uint64_t wish_ns;                     // not before
    uint64_t give_end_ns;
    bool taking;    // its taker is writing its key, and tells what was read of it
    uint32_t reads; // still to be made of its key
    uint64_t read_ns;
    bool ask;          // another is to be asked to prepare
    uint64_t asked_ns; // when it was; 0: none is
    uint32_t tells;
    bool done[3], moved, taken; // of PREPARED, GIVEN and CLAIMED; of OURS; of CLAIMED
    char text[CLUSTER_TEXT_SIZE];
};

struct cluster_nats_unnamed {
    uint32_t world;
    char label[CLUSTER_NAME_SIZE];
};

struct cluster_nats_errand {
    uint32_t world;
    natsMsg *asked;
};

struct cluster {
    struct cluster_options options;
    char folder[CLUSTER_NAME_SIZE], name[STORE_NATS_NAME_SIZE], run[CLUSTER_RUN_SIZE];
    int replicas;

    struct store_nats_credentials credentials; // of the connection
    natsConnection *connection;
    jsCtx *js;
    kvStore *servers_bucket, *worlds_bucket, *names_bucket;
    natsSubscription *subscriptions[4]; // beats, worlds, errands, answers to errands
    int subscribed, ended;              // how many there are, and call no more
    natsSubscription *lots;             // of keys that are walked; the cluster's thread's, and before it
    natsInbox *lots_inbox, *told_inbox;
    uint64_t lots_asked;
    bool closed; // the connection calls no more

    struct base_thread beat_thread, thread, errand_thread;
    int threads; // begun

    atomic_uint_fast64_t awake_ns; // when the beat's thread last was
    atomic_bool asleep;            // it was, and keys have not been read since

    struct base_mutex mutex;
    struct base_cond due, beat_due, errand_due, quiet;
    bool closing, connected, look, reread;
    bool waking;                         // it has read what there is, and is awake once that is told
    uint64_t beat;                       // of this run
    struct cluster_nats_server *servers; // by run
    uint32_t server_count, server_room;
    struct cluster_nats_world *worlds; // by id
    uint32_t world_count, world_room;
    uint32_t tells;    // worlds that have some
    uint32_t troubles; // the same
    struct cluster_nats_unnamed *unnamed;
    uint32_t unnamed_count, unnamed_room;
    struct cluster_nats_errand errands[CLUSTER_NATS_ERRANDS_MAX];
    uint32_t errand_count;
    struct cluster_counts counts;
};

// table.c
struct cluster_nats_server *cluster_nats_server_find(struct cluster *c, const char *run);
struct cluster_nats_server *cluster_nats_server_know(struct cluster *c, const char *run,
                                                     uint64_t now_ns); // made where there is none; NULL
void cluster_nats_server_forget(struct cluster *c, const struct cluster_nats_server *server);
bool cluster_nats_server_lives(const struct cluster *c, const struct cluster_nats_server *server,
                               uint64_t now_ns);
struct cluster_nats_world *cluster_nats_world_find(struct cluster *c, uint32_t world);
struct cluster_nats_world *cluster_nats_world_know(struct cluster *c, uint32_t world); // the same
bool cluster_nats_world_ours(const struct cluster *c, const struct cluster_nats_world *world);
void cluster_nats_world_tell(struct cluster *c, struct cluster_nats_world *world, uint32_t tell);
void cluster_nats_errand_told(struct cluster *c, uint32_t world, bool done, const char *text);
void cluster_nats_give_end(struct cluster *c, struct cluster_nats_world *world, bool done, const char *text);
void cluster_nats_wake(struct cluster *c); // awake, where all is told
void cluster_nats_look(struct cluster *c); // there is something for the cluster's thread
// Takes the content that a key has now. An empty run and no trouble: it was removed. It is passed over if it is older than what is known.
void cluster_nats_world_read(struct cluster *c, uint32_t world, uint64_t revision,
                             const struct cluster_nats_key *key);
struct cluster_nats_key cluster_nats_world_key(const struct cluster_nats_world *world);
bool cluster_nats_world_failed(const struct cluster_nats_world *world);
bool cluster_nats_world_tried(const struct cluster_nats_world *world, const char *run);
void cluster_nats_world_trouble(struct cluster *c, struct cluster_nats_world *world,
                                const struct cluster_nats_trouble *trouble);
void cluster_nats_unname(struct cluster *c, uint32_t world, const char *label);
// This server wrote the key at a revision, after it was at another. Returns whether that still holds, or holds again.
bool cluster_nats_world_won(struct cluster *c, struct cluster_nats_world *world, uint64_t before,
                            uint64_t revision);
// How many of those that live would take a world sooner than this server.
uint32_t cluster_nats_rank(const struct cluster *c, const struct cluster_nats_world *world, uint64_t now_ns);
// world NULL: of all that take worlds. Otherwise only of those that suit it.
const struct cluster_nats_server *cluster_nats_lightest(const struct cluster *c, bool not_here,
                                                        const struct cluster_nats_world *world,
                                                        uint64_t now_ns);
bool cluster_nats_suits(const struct cluster_nats_world *world, const struct cluster_nats_server *server);
// Whether a server that suits the world lives and takes worlds.
bool cluster_nats_suited(const struct cluster *c, const struct cluster_nats_world *world, uint64_t now_ns);

// text.c
struct cluster_nats_beat {
    uint64_t beat;
    bool over;
    char folder[CLUSTER_NAME_SIZE];
    struct cluster_server told;
};
bool cluster_nats_run_fits(const char *run, size_t size);
char *cluster_nats_beat_write(const struct cluster_nats_beat *beat); // malloc'd
bool cluster_nats_beat_read(const char *bytes, size_t size, struct cluster_nats_beat *out);
char *cluster_nats_world_write(const struct cluster_nats_key *key);
bool cluster_nats_world_text_read(const char *bytes, size_t size, struct cluster_nats_key *out);
char *cluster_nats_holder_write(uint32_t world, const char *run);
bool cluster_nats_holder_read(const char *bytes, size_t size, struct cluster_nats_holder *out);
// A label may be anything, a key of a bucket may not: two hexadecimal digits for each byte.
void cluster_nats_label_key(const char *label, char out[2 * CLUSTER_NAME_SIZE]);
bool cluster_nats_world_key_read(const char *key, uint32_t *world);
char *cluster_nats_answer_write(bool done, const char *text);
bool cluster_nats_answer_read(const char *bytes, size_t size,
                              char text[CLUSTER_TEXT_SIZE]); // whether it is done

// bucket.c; each waits for brokers, CLUSTER_NATS_WAIT_MS at most. Not under the mutex.
natsStatus cluster_nats_buckets_open(struct cluster *c);
natsStatus cluster_nats_world_get(struct cluster *c, uint32_t world); // into the table
// OK where it is written, at the revision given (0: there is no such key), and *revision what it is then.
natsStatus cluster_nats_world_put(struct cluster *c, uint32_t world, const struct cluster_nats_key *key,
                                  uint64_t *revision);
natsStatus cluster_nats_world_remove(struct cluster *c, uint32_t world);
natsStatus cluster_nats_beat_get(struct cluster *c, const char *run, uint64_t *beat,
                                 bool *over); // NOT_FOUND: none
// Whether a run that was not heard has something new in its key, else it is dead. Under the mutex, which it gives up meanwhile.
void cluster_nats_ask_for_beat(struct cluster *c, const char *run);
natsStatus cluster_nats_read_all(struct cluster *c);
void cluster_nats_world_hear(struct cluster *c, natsMsg *message); // what the bucket tells of a key
natsStatus cluster_nats_name_get(struct cluster *c, const char *label,
                                 struct cluster_nats_holder *out); // OK where there is none
// At the revision given, as cluster_nats_world_put.
natsStatus cluster_nats_name_put(struct cluster *c, const char *label, uint32_t world, uint64_t revision);
natsStatus cluster_nats_name_remove(struct cluster *c, const char *label, uint64_t revision);

// name.c; the same.
enum cluster_naming cluster_nats_name_take(struct cluster *c, uint32_t world, const char *label);
// own: only what this run wrote.
natsStatus cluster_nats_name_give_back(struct cluster *c, uint32_t world, const char *label, bool own);

// beat.c, run.c, move.c
void cluster_nats_beat_hear(struct cluster *c, const char *run, const char *bytes, size_t size);
void cluster_nats_beat_run(void *cluster);
void cluster_nats_run(void *cluster);
void cluster_nats_errand_run(void *cluster);
void cluster_nats_errand_take(struct cluster *c, natsMsg *asked); // takes the message
// The cluster's thread; under the mutex, which they give up meanwhile.
void cluster_nats_ask(struct cluster *c, uint32_t world);
void cluster_nats_give(struct cluster *c, uint32_t world);

#endif
