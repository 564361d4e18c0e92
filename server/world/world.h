// Runs one world: a document with its physics, its revisions, and the frames that are streamed of it. People
// share it.
//
//     loop thread                         simulation thread
//     world_request_create (decode)
//     world_post  ──inbox──▶  world_turn: drain, apply, step, capture, publish
//     world_take  ◀──outbox──
//
// A world is made and destroyed on the loop thread. One simulation thread at a time calls world_turn. Both
// rings are bounded: world_post refuses when too many requests wait. Each admitted request has reserved room
// for all events that it can cause, so the outbox cannot overflow. Frames have room of their own, and are
// dropped when that is used up.
#ifndef WEFT_WORLD_WORLD_H
#define WEFT_WORLD_WORLD_H

#include "base/buffer.h"
#include "document/document.h"
#include "protocol/generated/api.h"
#include "protocol/message.h"

#include <stdbool.h>
#include <stdint.h>

struct base_budget;
struct world_edit_ids;
struct base_parallel;
struct past;
struct protocol_home;
struct past_steps;
struct store;
struct world;

// ---------------------------------------------------------------------------------------------------------
// Requests

// The bytes of one message with what was unpacked from them. It owns both, and moves with the request.
struct world_packet {
    uint8_t *bytes; // malloc'd
    size_t size;
    msgpack_zone zone;
    struct protocol_message message; // views into bytes and zone
    struct base_budget *budget;      // holds a reference; NULL: nothing is charged
    size_t charged;                  // bytes that are charged, for the message and for what it is unpacked to
};

// Counts the bytes of answers that a session has not been sent yet. The session and its requests share it.
// Its references are counted, and any thread may use it.
struct world_account;
// Creates an account. `all` is the budget of all sessions. NULL if memory runs out.
struct world_account *world_account_create(struct base_budget *all);
// Adds a reference and returns the account. NULL is allowed.
struct world_account *world_account_ref(struct world_account *account);
void world_account_unref(struct world_account *account); // NULL is allowed
void world_account_leave(
    struct world_account *account); // notes that the session is gone, so that its queries need no answer

// The part of a session that matters for answering its requests.
struct world_asker {
    uint32_t session;
    enum protocol_arrays_mode arrays;
    enum protocol_errors_mode errors;
    char user[65];
    char client[65];
};

// Bytes that one session may always have waiting, however full the world is, so that nobody is locked out by
// others.
enum { WORLD_ALWAYS_BYTES = 64 * 1024 };

// A resource that the host holds for a request until its answer passes there (host/claim.h). The world
// carries it unchanged.
struct world_claim {
    bool held;
    uint32_t id; // id of the stream for stream.subscribe; else meaningful only to the host
};

// Bounds on what an edit may do, set by the host because only the world can check them.
struct world_bounds {
    bool no_reset;     // edit.undo and edit.redo may neither make nor take back a world.reset
    bool within_quota; // the edit must fit into the world's quota
};

struct world_request {
    struct world_asker asker;
    enum protocol_method method;
    bool answer; // false for a notification
    uint32_t msgid;
    struct world_claim claim;
    struct world_bounds bounds;
    struct world_packet *packet;
    void *params;                  // generated struct in the packet's zone
    struct document_plans *plans;  // prepared for body.add and edit.restore; NULL for all others
    struct world_event *reply;     // made with the request, so that there always is one to answer with
    struct world_account *account; // holds a reference; NULL: its answer is charged to no session
    size_t bytes;                  // bytes of memory while it waits, about
    uint32_t ahead;                // number of requests of its session that wait already, anywhere
    size_t ahead_bytes;            // bytes of these requests

    // While it waits in the world (lines.c).
    struct world_request *next; // next request of its session
    struct world_request *line_next,
        *line_last; // in the first request of a line: the next line, and the last request of this one
    // In the first request of a line: the session is gone. It leaves the world when the line ends.
    bool line_gone;
    bool hurried; // a step of this request ends as soon as it begins
};

// Decodes the packet's parameters for a method, and prepares what needs no world (a body's edges, rest shape,
// colours). Any thread. Takes the packet in every case. NULL with *error: refused.
struct world_request *world_request_create(struct world_packet *packet, enum protocol_method method,
                                           const struct world_asker *asker,
                                           const struct document_constants *constants,
                                           struct protocol_error *error);
void world_request_destroy(struct world_request *request); // NULL is allowed
void world_packet_destroy(struct world_packet *packet);

// ---------------------------------------------------------------------------------------------------------
// Events that come out. Each admitted request gives exactly one REPLY or FAULT, which carries its claim back.

enum world_event_kind {
    WORLD_REPLY,       // Answer for one session. Without bytes it only ends a notification.
    WORLD_FAULT,       // a notification was refused: error, method
    WORLD_NOTICE,      // notification for all members, in each mode that some member uses
    WORLD_PUBLICATION, // batches of frames for live streams
    WORLD_LOSSLESS,    // batches of frames for lossless streams
    WORLD_RECORDS,     // batches for streams of records; none is ever left out
    WORLD_PRESENT,     // image that the loop asked for: bytes[0], NULL if none can be made
    WORLD_LACK,        // frames were not made: the streams, how many, and why
    WORLD_DELETED,     // every admitted request has been answered; nothing follows
};

// Why a frame was not made, and what the host does about it.
enum world_lack {
    WORLD_LACK_NONE,
    WORLD_LACK_ROOM, // held frames fill the world's budget: cut the session that holds the oldest
    // The budget of all worlds is full: cut the session that holds the oldest frame of the largest world.
    WORLD_LACK_SERVER,
    WORLD_LACK_SUBSTEPS, // frames of one tick would fill the budget by themselves
    WORLD_LACK_SIZE,     // the frame would be larger than the budget: the stream has ended
    WORLD_LACK_MEMORY,
    WORLD_LACK_LATE, // the loop has not taken the last events yet
    WORLD_LACK_SLOW, // the stream rested, since its peer took nothing
    WORLD_LACK_WORK, // its person asks for more work than is allowed
    WORLD_LACK_RATE, // no frame lacks: the rate has changed, and `frames` is the new `every`
    // A lossless stream ends for any of the reasons above. Only lossless streams have these:
    WORLD_LACK_BACKLOG, // there was no room in its backlog
    WORLD_LACK_LARGE,   // a tick's frames are larger than its backlog
    WORLD_LACK_HELD,    // it held the world and took nothing
    WORLD_LACK_HOLDS,   // streams of its person held the world for too long in all
};

struct world_miss {
    uint32_t session, stream;
    enum world_lack lack;
    bool lossless;
    uint64_t frames;
};

struct world_event {
    enum world_event_kind kind;
    uint64_t position; // position of the journal when it was made: what has to be durable before it is told
    // Passes the gate without waiting: what a query found, how the world does, or a refusal that the store
    // caused or that comes while the store takes nothing.
    bool unbound;
    uint32_t label_size; // REPLY: bytes at its end that say that it is not durable (world/durable.h); 0: none
    struct world_event *next;     // for the receiver's use
    uint32_t session;             // REPLY, FAULT
    struct base_buffer *bytes[3]; // REPLY: [0]. NOTICE: by arrays mode, NULL if no member uses the mode.
    bool unanswerable;            // REPLY: memory ran out for the bytes that it should have
    size_t request_bytes;         // REPLY, FAULT: bytes of the request that it ends
    bool lost;                    // NOTICE: memory ran out for the bytes of some mode
    uint64_t revision;            // NOTICE: revision of the edit that it tells of; 0: none
    struct world_claim claim;     // REPLY, FAULT: claim of the request
    bool granted;                 // REPLY, FAULT: whether the request was granted, so that the claim is kept
    enum protocol_method method;
    struct protocol_error error; // FAULT
    // REPLY, FAULT: the message, if it is refused because the world has left. malloc'd, owned.
    uint8_t *again;
    size_t again_size;
    uint32_t batch_count;
    struct base_batch *
        *batches; // PUBLICATION, LOSSLESS, RECORDS: owned. The receiver moves them out and sets them NULL.
    uint32_t miss_count;
    struct world_miss *misses; // LACK: owned
};

void world_event_destroy(struct world_event *event); // frees what is still in it too

// ---------------------------------------------------------------------------------------------------------
// The world

// Options of a view, a world that shows the past of another.
struct world_view_options {
    uint32_t of;      // id of the other world; 0: this world is no view
    const char *name; // name of the other world
    uint32_t session; // session that looks; the view ends with it
};

enum { WORLD_STEPS_MAX = 16384 }; // steps of undo, of all persons together

// A grab, and the session of another server that held it.
struct world_held {
    uint32_t grab, session;
    char user[65]; // empty: unknown
};

// The state of the world in its store. All zeros for a world that is new there.
struct world_kept {
    uint64_t epoch;
    uint64_t position; // position of its last entry
    uint64_t sequence; // sequence of its last record
    // Steps that undo knows of; only read. NULL: none.
    const struct past_steps *steps;
    double cost_s;      // Seconds that reading it up to there took. Counts towards the next image.
    double image_age_s; // world time in seconds from its newest image to there
    // Set if another solver replayed it: the version of that solver, and the last tick that is as the first
    // solver made it. 0: none did.
    uint32_t exact_solver;
    uint64_t exact_tick;
    const struct world_held *held; // grabs of the document that go on, with their holders; only read
    uint32_t held_count;
};

struct world_options {
    uint32_t id;
    const char *name;
    // Generated struct of world.create, with defaults filled in, checked.
    const struct protocol_world_create_params *settings;
    // The document to begin with, with its settings; NULL: an empty one. Taken over if the world is made, and
    // then an empty shell is left to destroy.
    struct document *document;
    struct store *store; // keeps the world under its id; NULL: nothing is kept
    struct world_kept kept;
    struct world_view_options view;
    uint64_t tick_ns;           // time that a tick may take before the world is slowed; 0: no bound
    struct base_budget *frames; // budget that all worlds share; NULL: its frames are bounded by themselves
    // Bytes of the backlogs of all its lossless streams; 0: the limit of api.json, as below.
    size_t lossless_bytes;
    uint64_t hold_ns;                 // time that one of these may hold the world while it takes nothing
    uint32_t sessions_max;            // sessions that may ask at a time; 0: PROTOCOL_LIMIT_SESSIONS
    struct base_parallel *parallel;   // threads that it is lent for ticks; may be NULL
    void (*on_output)(void *context); // The outbox has become non-empty. Any thread; must not block.
    // The inbox has become non-empty: world_turn is to be called soon. Any thread.
    void (*on_input)(void *context);
    // Whether other worlds want the thread that a tick has had for long: then the tick rests. Simulation
    // thread; NULL: always.
    bool (*others_wait)(void *context);
    // Reserves a name that the world is to have again, until the answer passes the host. *id goes into the
    // request's claim. False with *error (CONFLICT: another world has the name). Simulation thread; NULL:
    // there are no other worlds.
    bool (*name_reserve)(void *context, const struct protocol_string *name, uint32_t *id,
                         struct protocol_error *error);
    void *context;
};

struct world *world_create(const struct world_options *options); // NULL if memory runs out
void world_destroy(struct world *world);                         // no turn may run
// Returns the constants of the world's document. They never change. Any thread.
struct document_constants world_constants_of(const struct world *world);
// Finds the ids of a world's last edits in its records (edit_ids.h). NULL with *error.
struct world_edit_ids *world_edit_ids_of(struct past *past, struct protocol_error *error);
void world_edit_ids_destroy(struct world_edit_ids *ids); // NULL is allowed
// Finds in the records which sessions held the grabs of the document that this past ends with. malloc'd.
// NULL: there are none, they cannot be read, or memory ran out.
struct world_held *world_held_of(struct past *past, const struct document *document, uint32_t *count);
// Gives the world the ids of its last edits, before its first turn. Takes them.
void world_know_edits(struct world *world, struct world_edit_ids *ids);
// Lets the world run, before its first turn. marked: its journal says so already.
void world_play(struct world *world, double rate, bool marked, uint64_t now_ns);

// Posts a request. Loop thread. False with *error: BUSY if too many requests wait, or too large ones;
// NOT_FOUND if the world has ended. Then the request is still the caller's.
bool world_post(struct world *world, struct world_request *request, struct protocol_error *error);
// Tells the world that a session is gone: its streams, grabs and membership end. Loop thread. Never refused;
// once for each session that had a request admitted, of which there are sessions_max at a time.
void world_post_gone(struct world *world, uint32_t session);
// Tells the world that the server goes down: edits are refused with SHUTDOWN, and a running step or a long
// tick is cut short. Loop thread. Never refused.
void world_post_shutdown(struct world *world);
// Gives a view the document that it shows from its next boundary on. Its streams go on and get a frame, and
// members are told. Takes the document. Loop thread. Never refused; a document that has not been shown yet is
// passed over.
void world_post_document(struct world *world, struct document *document);
// Returns a document that a view has shown or passed over, which is the caller's from now on. NULL: there is
// none. Loop thread.
struct document *world_take_document(struct world *world);
// Ends a view, or a world that the store did not take, as world.delete does. Loop thread. Never refused; once
// for each.
void world_post_end(struct world *world);
// Tells the world that nobody reads this stream any more. It ends sooner or later; if another batch of it
// comes, tell again. Loop thread.
void world_post_unwanted(struct world *world, uint32_t stream);
// Tells the world that this stream was not sent the frame that its next ones build on. It gets one that
// stands alone within a tenth of a second, or with its next frame. Loop thread.
void world_post_behind(struct world *world, uint32_t stream);
// Tells the world that a batch of this stream was left out since its peer is slow. Loop thread.
void world_post_slow(struct world *world, uint32_t stream);
// Tells the world whether the peer of this stream takes nothing. Then the stream gets only the present frame
// of a resting world. Other frames count as left out, and WORLD_LACK_SLOW tells them when the stream goes on.
// Loop thread. False if memory runs out.
bool world_post_rest(struct world *world, uint32_t stream, bool rests);
struct world_hold {
    uint32_t session, grab;
};
// Tells which session holds each grab, by grab, as of the last turn. False if nothing has changed since
// *version, which begins at 0. Otherwise *holds is valid until the next call. Loop thread.
bool world_holds(struct world *world, uint64_t *version, const struct world_hold **holds, uint32_t *count);
// Makes the world give its store an image soon, even if there is little past to go through. Loop thread.
void world_want_image(struct world *world);
// Makes the world give an image of its next boundary, after what was posted before, as WORLD_PRESENT. Must
// not be called again before that is taken. A world that ends gives none. Loop thread.
void world_ask_present(struct world *world);
// Stops a world that another server is to go on with, or lets it go on here. From its next boundary on, once
// its journal says where, it takes nothing, runs no tick and shows nothing (world_face.stands). Loop thread.
void world_stand(struct world *world, bool stand);
// Ends the world here because it goes on at another server. Requests that wait are refused and given back,
// with MOVED if the server is known. It ends as by world.delete, but its journal is not told. Loop thread;
// once.
void world_post_leave(struct world *world, const struct protocol_home *home);
// Makes the world look again at what waits in it. Any thread.
void world_nudge(struct world *world);
// Returns the next event. NULL: there is none. Loop thread.
struct world_event *world_take(struct world *world);
// Whether the last event, WORLD_DELETED, was taken. Then the world takes no request any more, since nobody
// would take the answer. Loop thread.
bool world_ended(const struct world *world);

// Runs one turn: drains the inbox for a bounded time, applies requests, runs at most one tick if one is due,
// or a part of a long one, and publishes. Returns the monotonic time in ns at which the world wants its next
// turn; 0: at once; UINT64_MAX: when input comes. Simulation thread.
uint64_t world_turn(struct world *world, uint64_t now_ns);

// Phases of a world's turns: those of the sim in their order, and those that the world adds.
enum world_phase {
    WORLD_PHASE_PREDICT,
    WORLD_PHASE_WIND,
    WORLD_PHASE_SOLVE,
    WORLD_PHASE_CONTACTS,
    WORLD_PHASE_FINISH,
    WORLD_PHASE_CAPTURE, // making frames
    WORLD_PHASE_APPLY,   // applying requests
    WORLD_PHASE_COUNT,
};

// How much of a world counts for the person who made it.
struct world_amount {
    uint64_t bodies, particles, constraints;
    uint64_t poses; // sim_motion_numbers
};

// A consistent copy of the outside of the world, as of its last turn.
struct world_face {
    enum { WORLD_PAUSED, WORLD_PLAYING, WORLD_FAILED } state; // in the same order as in api.json
    double rate;
    uint64_t tick, revision;
    uint64_t position;      // position of its journal
    uint64_t records;       // number of records so far
    uint64_t records_first; // number of records that are forgotten: world.records can tell those after them
    uint32_t bodies, particles, people, streams;
    struct world_amount amount;
    uint32_t twins; // streams of records, a part of `streams`
    uint64_t ticks_run, ticks_late, lateness_max_us, frames_dropped;
    uint64_t frames_slow;               // frames of streams that rested, a part of frames_dropped
    uint64_t lateness_us, time_lost_us; // sums over all ticks
    bool slowed;
    uint32_t exact_solver; // as in struct world_kept
    uint64_t exact_tick;
    bool stands;                       // whether it stands still, at this position of its journal
    bool kept;                         // whether its journal has all that happened
    bool held;                         // whether a lossless stream holds it, now or in the last second
    double held_s;                     // seconds that it waited for such streams, in all
    double phase_s[WORLD_PHASE_COUNT]; // wall time since the world was made
};
// Copies the outside of the world. Any thread.
void world_face(struct world *world, struct world_face *face);

struct world_durable {
    uint64_t revision, records;
};
// Tells the latest revision that is durable, and the number of records with it, if entries of the journal are
// durable up to this position. UINT64_MAX: all of them. Any thread.
void world_durable(struct world *world, uint64_t position, struct world_durable *out);

// Creates a quota, an account of what a person has in all worlds that they made, and of what they may have. 0
// in `most`: no bound. NULL if memory runs out. Any thread, as for the functions of quotas below.
struct world_quota *world_quota_create(const struct world_amount *most);
void world_quota_unref(struct world_quota *quota);         // NULL is allowed
bool world_quota_is_used(const struct world_quota *quota); // whether any world uses it
// Returns how much the document counts for the person who made its world.
struct world_amount world_amount_of(const struct document *document);
// Whether there is room for so much more. False with *error: LIMIT. Edits of within_quota are counted when
// they are applied.
bool world_quota_room(struct world_quota *quota, const struct world_amount *more,
                      struct protocol_error *error);
// Counts what the world has in this quota from now on, until it is deleted or destroyed. Does nothing if the
// world has a quota.
void world_charge(struct world *world, struct world_quota *quota);

enum { WORLD_READ_ONLY_SIZE = 256 }; // bytes of the reason why a world takes no edits

// The answer of world.get, as of the last boundary.
struct world_published {
    struct protocol_world_get_result get; // points into the fields below
    uint64_t position;                    // as in struct world_event
    char name[65], reason[256], read_only[WORLD_READ_ONLY_SIZE];
};
// Fills *out. A session whose requests have all been answered sees all that it did. False if events are still
// to be taken that were made before, because the answer would overtake them. False also if not all that
// happened is kept: then only the world itself can say so. Loop thread.
bool world_published(struct world *world, struct world_published *out);

// The load that waits in the world.
struct world_load {
    uint32_t requests; // admitted and not answered
    size_t frame_bytes;
};
// Loop thread.
void world_load(const struct world *world, struct world_load *load);

#endif
