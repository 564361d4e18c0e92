// The simulator: servers, clients and the network between them in one process, on one thread, all of it drawn from one seed.
//
//     run.c        one seed: its inputs one after another, and time in between; then all comes to rest and is compared
//     inputs.c     what somebody may do: draws one input from the seed and its number
//     client.c     a client: what it asks and what it hears, which it holds against what the protocol promises
//     brackets.c   edits between two hashes
//     rights.c     who may do what: roles, control, and what each request must come to by them
//     known.c      what is there to be aimed at: bodies, colliders, edits
//     network.c    connections: bytes on their way, cuts, halves, readers that are slow
//     server.c     a server, its people, its clock; it can die and be started again
//     replay.c     a world from its records alone
//     clock.c      time and random numbers, in place of the system's
//
// Everything that is checked calls simulator_fail, which is the only way to fail.
#ifndef WEFT_SIMULATOR_SIMULATOR_H
#define WEFT_SIMULATOR_SIMULATOR_H

#include "chance.h"
#include "local/local.h"
#include "protocol/generated/api.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct access;
struct twin;

enum {
    SERVERS = 2,
    CLIENTS = 5,
    LINKS = 16,
    WORLDS = 24, // of a server that are known
    WORLDS_AT_ONCE = 4,
    ASKED = 64, // without an answer, of a client
    STREAMS = 4,
    GRABS = 4,
    USERS = 4,
    SECRETS = 4,
    HASHES = 32,
    SAVED_BYTES = 16 * 1024,
    IDS = 8, // of each kind that are known of a world
    NO_WORLD = UINT32_MAX,
};

enum { MS = 1000 * 1000 };          // in ns
#define SECOND UINT64_C(1000000000) // the same

// The purposes of random numbers (chance_of).
enum purpose { FOR_RUN, FOR_INPUT, FOR_NETWORK, FOR_SECRETS, FOR_REST, FOR_BROKEN };

struct hash_at {
    uint64_t tick, revision;
    char text[17];
};

// Whether something is known, and since when nothing can have changed it (run.moment).
struct certainty {
    bool known;
    bool muddled;       // two changes were under way at once
    uint32_t under_way; // changes that are asked for and not answered
    uint64_t since;
    uint64_t astray_ns; // until then, changes of clients that gave up may still come
};

// rights.c
struct rights {
    enum protocol_role role[USERS + 1]; // that each was given, and last that everybody (*) was
    enum protocol_role control;         // that control needs
    uint32_t holder;                    // session; 0: none
    struct certainty role_certainty, control_certainty;
};

enum control_action {
    CONTROL_LOOK,
    CONTROL_TAKE,
    CONTROL_RELEASE,
    CONTROL_ASK,
    CONTROL_GIVE,
    CONTROL_ACTIONS
};
extern const char *const control_actions[CONTROL_ACTIONS];

// Ids that were told to be there, the newest in place of the oldest.
struct known_ids {
    uint32_t ids[IDS]; // 0: none
    uint32_t next;
};

// An edit that was answered.
struct known_edit {
    uint64_t revision; // 0: none
    uint32_t thing;    // body that it added; 0: none
};

// A world as it is known from answers.
struct known_world {
    uint32_t id;
    bool here;       // nobody was told that it is gone
    bool grabbed;    // somebody may hold something, which hashes tell and revisions do not
    bool replays;    // of settings that are known, or a document that was saved
    bool failed;     // it did once
    uint32_t bodies; // about
    uint32_t substeps;
    msgpack_sbuffer document; // that it was opened of; empty: none
    // The users who may see it if tokens are asked for: a bit for each user for whom it is not certain that they may
    // not.
    uint32_t may_see;
    bool everybody;            // was given a role once, so a role that is taken from one of them means little
    uint64_t hidden_ns[USERS]; // since when it is certain that they may not, where that is so
    uint32_t granted_at[USERS]; // input at which somebody last asked for that
    struct hash_at hashes[HASHES];
    uint32_t hash_next;
    struct hash_at rest; // when all is at rest
    bool replayed;       // it was, then
    bool records_asked;
    struct rights rights;
    struct known_ids bodies_known, colliders, motions, ties; // ties: constraints that were added one by one
    struct known_edit edits[IDS];
    uint64_t tick;        // that was told last
    uint64_t gone_moment; // when somebody last asked for its end, or was answered that
    bool branched;        // without changes, of this world, at this moment
    uint32_t branch_of;
    uint64_t branch_tick, branch_revision;
    uint32_t edit_next;
    uint32_t first_constraint, constraint_count; // ids of the lengths of the body that was added last
};

struct simulated_server {
    struct run *run;
    uint32_t index;
    struct local_server *local; // NULL: it is down
    uint64_t due_ns;
    uint64_t up_ns; // when it is started again
    int64_t wall_us;
    uint32_t lives;
    bool tokens;
    char book_path[96];
    struct access *book;
    char token[USERS][64];
    char secrets[SECRETS][64];                            // invitations
    uint32_t secret_world[SECRETS], secret_role[SECRETS]; // place of the world, and of roles
    uint32_t secret_next;
    uint64_t grace_ns;    // that sessions outlive their connections
    uint64_t expelled_ns; // when somebody last may have lost a role, or a token, and their sessions with it
    uint64_t jumped_ns;   // when its wall clock last did
    struct known_world worlds[WORLDS];
    uint32_t world_count;
    msgpack_sbuffer saved; // the last document that somebody was given
    uint32_t saved_substeps;
};

// A message on its way to a client, or bytes on their way to a server.
struct carried {
    struct carried *next;
    uint64_t at_ns, sent_ns;
    size_t size;
    uint8_t bytes[];
};

struct link {
    struct run *run;
    struct simulated_server *server;
    struct client *client;   // NULL: it knows nothing of it any more
    struct local_peer *peer; // NULL: the server has lost it
    bool stream;             // as TCP has it
    bool ended;              // the client sends no more
    bool end_given;
    bool closed; // the server ended it
    uint64_t
        lost_ns; // when the client hears that the connection is lost, where the server did not end it; 0: it is not
    uint64_t cut_ns;    // when it was
    uint32_t lives;     // of the server, when it was opened
    struct client *was; // the client that it was opened for
    uint64_t zombie_ns; // when the server hears that the client is gone
    uint64_t latency_ns, jitter_ns;
    struct carried *in, *in_last, *out, *out_last; // to the server, to the client
    size_t in_bytes, out_bytes;
    bool used;
};

// A client's request, and the handling of its answer.
enum asked_for {
    ASKED_PLAIN,
    ASKED_HELLO,
    ASKED_CREATE,
    ASKED_JOIN,
    ASKED_LEAVE,
    ASKED_DELETE,
    ASKED_HASH,
    ASKED_SAVE,
    ASKED_OPEN,
    ASKED_LIST,
    ASKED_SUBSCRIBE,
    ASKED_UNSUBSCRIBE,
    ASKED_GRAB,
    ASKED_SEEK,
    ASKED_REVOKE,
    ASKED_INVITE,
    ASKED_BODY,
    ASKED_REST, // when all has come to rest
    ASKED_REST_HASH,
    ASKED_RECORDS,
    ASKED_BACK, // a body that is taken back in several ways
    ASKED_RESTORE,
    ASKED_BRANCH,
    ASKED_BRANCHED, // how a branch stands that was just made
    ASKED_BRANCH_HASH,
    ASKED_REST_CONTROL,
};

// Requests of one client that are looked at together, one such at a time: a hash, what may or may not change it, a hash.
enum bracket_part {
    NOT_BRACKETED,
    BRACKET_BEFORE,
    BRACKET_EDIT,
    BRACKET_UNDO,
    BRACKET_REDO,
    BRACKET_AGAIN,
    BRACKET_OUT, // a body is removed, then what had added it undone, then the removal
    BRACKET_ADDED,
    BRACKET_BACK,
    BRACKET_AFTER
};

struct asked {
    uint32_t msgid;
    enum protocol_method method;
    enum asked_for what;
    enum bracket_part part;
    uint32_t world;                    // place in the server's list; NO_WORLD: none
    uint32_t number;                   // substeps, user, action, ...
    uint32_t other;                    // role, session, ...
    bool resets;                       // a batch with a world.reset in it
    bool counts_roles, counts_control; // it is among those under way that may change them
    uint64_t moment;
    bool ordered; // its result has to come after those of what was asked before in the same world
    bool wants_answer;
    uint64_t order; // in which they were sent
    uint32_t input;
    size_t size;
    uint8_t *bytes;
};

struct bracket {
    bool open;
    uint32_t world;
    struct hash_at before, after;
    bool has_before, has_after, refused, undone, redone, edited, repeated, again, left_out, out, added, back;
    uint64_t revision, revision_again;
};

struct joined {
    bool in;
    bool rejoin;        // too much was missed, so it joins again
    bool control_known; // it was told who holds control
    uint32_t control;
    uint64_t order;  // of what it asked for when it had joined
    uint64_t moment; // when it heard of that
    uint64_t revision;
};

struct simulated_stream {
    uint32_t id; // 0: none
    uint32_t world;
    uint32_t seq;
    uint64_t tick; // of its last frame
    struct twin *twin;
};

struct client {
    struct run *run;
    uint32_t index, user;
    struct simulated_server *server;
    struct link *link;      // NULL: it has no connection
    bool ready;             // hello was answered
    uint64_t back_ns;       // when it connects again
    uint64_t slow_ns;       // until when it looks at nothing
    char key[80];           // of its session; empty: it has none
    uint32_t session, life; // the session's id, and the server's life that it is of
    uint32_t msgid;
    uint64_t order, resumed_order;   // of what is sent; the last before its session went on
    uint64_t answered_order[WORLDS]; // the greatest of what was answered, of each world
    struct asked asked[ASKED + 1];   // and session.hello, which is asked for in any case
    uint32_t asked_count;
    struct joined joined[WORLDS];
    struct simulated_stream streams[STREAMS];
    uint32_t grabs[GRABS], grab_world[GRABS];
    struct bracket bracket;
    uint32_t stream_last,
        stream_ended; // the greatest ids of streams that it heard of, and of those that ended with a connection
    bool leaving;     // it has said session.leave
    uint64_t ready_moment;
    uint64_t
        broken_ns; // when its connection may have been lost first, by no deed of the server's; 0: it may end its session
    uint32_t broken_lives; // of the server, then
    bool doubled;          // its session.hello names a request twice
    bool dirty;            // it has sent garbage, so nobody knows what its session was asked
};

// Faults that a server is made to have, to prove that each is found: in one message of some hundreds.
enum broken {
    NOT_BROKEN,
    BROKEN_LOST,
    BROKEN_TWICE,
    BROKEN_SWAPPED,
    BROKEN_BYTE,
    BROKEN_DEATH,
    BROKEN_KINDS
};

struct run_options {
    uint64_t seed;
    uint32_t inputs;
    const uint8_t *dropped; // a bit for each input that is left out; NULL: none
    FILE *log;              // NULL: none
    enum broken broken;
    bool log_hash;       // lines are made and hashed, though nobody reads them
    const char *scratch; // folder for what has to be in files
};

enum { KINDS_MOST = 48 };

// More that is to be known of the next request.
struct about {
    uint32_t number, other;
    bool resets;
};

struct run {
    struct run_options options;
    struct about about;
    bool failed;
    char failure[1024];
    const char *failure_kind; // its format
    uint32_t input;           // under way
    uint64_t log_hash;
    struct chance network, rest, broken;
    uint32_t server_count, client_count, user_count;
    uint32_t weights[KINDS_MOST];
    uint64_t rest_ns; // that pass before the next input, besides
    bool quiet;       // no more inputs: all comes to rest
    struct simulated_server servers[SERVERS];
    struct client clients[CLIENTS];
    struct link links[LINKS];
    char text[16 * 1024]; // notation of what is asked for
    msgpack_sbuffer message;
    uint64_t told;   // messages that clients looked at
    uint64_t moment; // counts what is asked and answered
    uint64_t turns;
};

struct run_counts {
    uint64_t seeds, inputs, messages, turns, simulated_ns;
    uint64_t answered[PROTOCOL_METHOD_COUNT], refused[PROTOCOL_METHOD_COUNT];
    uint64_t edited, frames, records, others; // notifications
    uint64_t cuts, resumed, anew, lives, hashes_compared, replays, brackets, undos, twins, seeks, again;
    uint64_t permits, controls, kept_sessions, doubled, branches, restored, back, notices,
        failed_branches; // what was held against what had to come
};
extern struct run_counts run_counts;

// run.c. Whether nothing was found.
bool run_seed(const struct run_options *options, struct run *run);
void simulator_fail(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A line of the log, where there is one.
bool simulator_logs(const struct run *run);
void simulator_say(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
void simulator_say_object(struct run *run, const char *head, const msgpack_object *object);

// inputs.c
void inputs_weigh(struct run *run);
void input_do(struct run *run, uint32_t index);

// client.c
// Asks with run->text as its one map. NULL: it cannot ask now.
struct asked *client_ask(struct client *client, enum protocol_method method, enum asked_for what,
                         uint32_t world);
void client_notify(struct client *client, const char *method);
void client_send_bytes(struct client *client, const void *bytes, size_t size);
void client_connect(struct client *client);
void client_say_hello(struct client *client); // the first request of a connection
void client_lost(struct client *client);      // its connection is
void client_forget(struct client *client);    // its session is
void client_hear(struct client *client, const struct carried *message);
bool client_may_ask(const struct client *client);
void client_asked_remove(struct client *client, struct asked *asked); // it was answered, or is given up
void client_stream_drop(struct simulated_stream *stream);
void client_hear_answer(struct client *client, const msgpack_object *message, uint64_t sent_ns); // answers.c
// Where the client's server has the world among those that it knows.
static inline uint32_t client_place_of(const struct client *client, const struct known_world *world)
{
    return (uint32_t)(world - client->server->worlds);
}

// rights.c. An answer as it came.
struct answer {
    const msgpack_object *result; // NULL: it was refused
    char code[24], text[256];
};
void rights_asked(struct client *client, struct asked *asked);
void rights_answered(struct client *client, const struct asked *asked, const struct answer *answer);
void rights_forgotten(struct client *client, const struct asked *asked); // no answer comes any more
void rights_made(struct simulated_server *server, struct known_world *world, uint32_t user, bool restored);
void rights_rest(struct client *client, const struct asked *asked, const msgpack_object *result);
enum protocol_role rights_role(const struct simulated_server *server, const struct rights *rights,
                               uint32_t user);

// known.c
void known_asked(struct asked *asked, const char *text);
void known_answered(struct client *client, const struct asked *asked, const msgpack_object *result);
uint32_t known_pick(const struct known_ids *ids, uint32_t wish); // 0: none is known
// Puts ids of what is there in the place of some that stand in a text of parameters.
void known_aim(const struct known_world *world, char *text, size_t size, struct chance *chance);

// brackets.c. hash is NULL where the answer has none, result where it was refused.
void bracket_hear(struct client *client, const struct asked *asked, const msgpack_object *result,
                  const struct hash_at *hash);
// Removes a body that it has just added, undoes the edit that added it, and undoes the removal.
void bracket_take_back(struct client *client, uint32_t place, uint32_t body, uint64_t added);

// network.c
struct link *link_open(struct client *client); // NULL: it was refused
void link_send(struct link *link, const void *bytes, size_t size);
void link_cut(struct link *link, bool server_knows, bool client_knows);
void link_end(struct link *link);
void links_step(struct run *run);          // all that is due
uint64_t links_due(const struct run *run); // when something is
bool links_idle(const struct run *run);    // nothing is on its way
void links_of_server_lost(struct simulated_server *server);
void links_destroy(struct run *run);

// server.c
void server_start(struct simulated_server *server);
void server_kill(struct simulated_server *server, uint64_t down_ns);
void server_turn(struct simulated_server *server);
void server_enter(const struct simulated_server *server); // the clock is its own from now on
struct known_world *server_world(struct simulated_server *server, uint32_t id); // NULL: not known
struct known_world *server_learn(struct simulated_server *server, uint32_t id, uint32_t user);
void world_give(struct known_world *world, uint32_t user, uint32_t input);
void server_destroy(struct simulated_server *server);
// A hash that somebody was told; it is the same for everybody.
void server_hash(struct simulated_server *server, struct known_world *world, const struct hash_at *hash,
                 bool seen_in_past);

// replay.c. The world at a tick of nothing but the bins of its records. False with a text.
bool replay_world(const struct known_world *world, const msgpack_object *records, uint64_t tick,
                  char hash[17], char *text, size_t size);

// object.c
const msgpack_object *object_at(const msgpack_object *map, const char *key); // NULL: none
uint64_t object_number(const msgpack_object *map, const char *key);          // 0: none
bool object_true(const msgpack_object *map, const char *key);
bool object_text(const msgpack_object *map, const char *key, char *out, size_t size);

#endif
