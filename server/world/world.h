// Runs one world: applies requests to its document, steps it, streams frames of it, keeps its history, and tells its
// members what happens. Each world is independent of the others.
//
//     loop thread                         simulation thread
//     world_request_create (decode)
//     world_post  ──inbox──▶  world_turn: drain, apply, step, capture, publish
//     world_take  ◀──outbox──
//
// A world is made and destroyed on the loop thread. One simulation thread at a time calls world_turn. The inbox and
// the outbox are bounded rings: world_post refuses when too many requests wait. Each admitted request has reserved room
// for all events that it can cause, so the outbox cannot overflow. Frames have room of their own, and are
// dropped when that is used up.
//
// "The host" is the caller: server/host, which runs on the loop thread.
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
// Notes that the session is gone, so that its queries need no answer.
void world_account_leave(struct world_account *account);

// The part of a session that matters for answering its requests.
struct world_asker {
    uint32_t session;
    uint32_t visit; // how many connections have carried the session before this one
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
    struct world_packet *packet;   // owned
    void *params;                  // generated struct in the packet's zone
    struct document_plans *plans;  // owned; NULL if the method needs none (document_prepares)
    struct world_event *reply;     // owned; made with the request, so that an answer cannot lack memory
    struct world_account *account; // holds a reference; NULL: its answer is charged to no session
    size_t bytes;                  // bytes of memory while it waits, about
    uint32_t ahead;                // number of requests of its session that wait already, anywhere
    size_t ahead_bytes;            // bytes of these requests

    // While it waits in the world (lines.c).
    struct world_request *next; // next request of its session
    struct world_request *line_next,
        *line_last; // in the first request of a line: the next line, and the last request of this one
    // In the first request of a line: the session is gone, and leaves the world when the line is empty.
    bool line_gone;
    bool hurried; // a step of this request ends as soon as it begins
};

// Decodes the packet's parameters for a method, and makes the plans of bodies (document_prepare). Any thread. Owns
// the packet from now on, in every case. NULL with *error if the parameters are refused.
struct world_request *world_request_create(struct world_packet *packet, enum protocol_method method,
                                           const struct world_asker *asker,
                                           const struct document_constants *constants,
                                           struct protocol_error *error);
void world_request_destroy(struct world_request *request); // NULL is allowed
void world_packet_destroy(struct world_packet *packet);

// ---------------------------------------------------------------------------------------------------------
// Events from the world to the host. Each admitted request leads to exactly one REPLY or FAULT, which carries its
// claim back.

enum world_event_kind {
    WORLD_REPLY,       // Answer for one session. Without bytes it only ends a notification.
    WORLD_FAULT,       // a notification was refused: error, method
    WORLD_NOTICE,      // notification for all members, in each mode that some member uses
    WORLD_PUBLICATION, // batches of frames for live streams
    WORLD_LOSSLESS,    // batches of frames for lossless streams
    WORLD_RECORDS,     // batches for streams of records; none is ever left out
    WORLD_PRESENT,     // image that world_ask_present asked for: bytes[0], NULL if none can be made
    WORLD_LACK,        // frames were left out: of which streams, how many, and why
    WORLD_DELETED,     // every admitted request has been answered; nothing follows
};

// The reason why a frame was left out, and what the host does about it.
enum world_lack {
    WORLD_LACK_NONE,
    WORLD_LACK_ROOM, // held frames fill the world's budget: cut the session that holds the oldest
    // The budget of all worlds is full: cut the session that holds the oldest frame of the largest world.
    WORLD_LACK_SERVER,
    WORLD_LACK_SUBSTEPS, // frames of one tick would fill the budget by themselves
    WORLD_LACK_SIZE,     // the frame would be larger than the budget: the stream has ended
    WORLD_LACK_MEMORY,
    WORLD_LACK_LATE, // the loop has not taken the last events yet
    WORLD_LACK_SLOW, // the stream rested, because its peer took nothing
    WORLD_LACK_WORK, // its person asks for more work than is allowed
    WORLD_LACK_RATE, // nothing is missing: the stream's rate has changed, and `frames` is the new `every`
    // A lossless stream ends for any of the reasons above. Only lossless streams have these:
    WORLD_LACK_BACKLOG, // there was no room in its backlog
    WORLD_LACK_LARGE,   // a tick's frames are larger than its backlog
    WORLD_LACK_HELD,    // it held the world and took nothing
    WORLD_LACK_HOLDS,   // streams of its person held the world for too long in all
};

// A stream that missed frames.
struct world_miss {
    uint32_t session, stream;
    enum world_lack lack;
    bool lossless;   // it is a lossless stream, which has ended
    uint64_t frames; // number of frames that it missed
};

struct world_event {
    enum world_event_kind kind;
    uint64_t position; // the event may be sent once the journal is durable up to here (host/gate.h)
    // It need not wait for that: the result of a query, a change of the world's state, or a refusal that the store
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

// Options of a view: a world that shows one session the past of another world.
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
    double cost_s; // seconds that reading the world from the store took; they count towards the next image
    double image_age_s; // world time in seconds from its newest image to its last entry
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
    struct base_parallel *parallel;   // threads that help with its ticks; may be NULL
    void (*on_output)(void *context); // called when the outbox becomes non-empty; any thread; must not block
    // Called when the inbox becomes non-empty, so that world_turn must be called soon. Any thread.
    void (*on_input)(void *context);
    // Asked during a long tick: whether other worlds wait for the thread. If so the tick rests. Simulation thread;
    // NULL: always.
    bool (*others_wait)(void *context);
    // Reserves a name that edit.undo or edit.redo gives back to the world, until the host has sent the answer. *id goes into the
    // request's claim. False with *error (CONFLICT: another world has the name). Simulation thread; NULL:
    // there are no other worlds.
    bool (*name_reserve)(void *context, const struct protocol_string *name, uint32_t *id,
                         struct protocol_error *error);
    void *context;
};

struct world *world_create(const struct world_options *options); // NULL if memory runs out
void world_destroy(struct world *world);                         // no turn may be running
// Returns the constants of the world's document. They never change. Any thread.
struct document_constants world_constants_of(const struct world *world);
// Finds the ids of a world's last edits in its records (edit_ids.h). NULL with *error.
struct world_edit_ids *world_edit_ids_of(struct past *past, struct protocol_error *error);
void world_edit_ids_destroy(struct world_edit_ids *ids); // NULL is allowed
// Finds in the records which sessions held the grabs of the document that this past ends with. malloc'd.
// NULL: there are none, they cannot be read, or memory ran out.
struct world_held *world_held_of(struct past *past, const struct document *document, uint32_t *count);
// Gives the world the ids of its last edits, before its first turn. The world owns them from now on.
void world_know_edits(struct world *world, struct world_edit_ids *ids);
// Makes the world play, before its first turn. marked: its journal already has a mark that says so.
void world_play(struct world *world, double rate, bool marked, uint64_t now_ns);

// Posts a request. Loop thread. False with *error: BUSY if too many requests wait, or too large ones;
// NOT_FOUND if the world has ended. Then the request is still the caller's.
bool world_post(struct world *world, struct world_request *request, struct protocol_error *error);
// Tells the world that a session is gone: its streams, grabs and membership end. Loop thread. Never refused. Called
// once for each session that had a request admitted.
void world_post_gone(struct world *world, uint32_t session);
// Tells the world that the server goes down: edits are refused with SHUTDOWN, and a running step or a long
// tick is cut short. Loop thread. Never refused.
void world_post_shutdown(struct world *world);
// Gives a view the document that it shows from its next boundary on; the view owns it. Its streams go on with a frame
// of it, and members are told. Loop thread. Never refused; it replaces a document that has not been shown yet.
void world_post_document(struct world *world, struct document *document);
// Returns a document that a view shows no more, or never showed; the caller owns it. NULL: there is none. Loop
// thread.
struct document *world_take_document(struct world *world);
// Ends a view, or a world that the store did not take, as world.delete does. Loop thread. Never refused. Called at most
// once.
void world_post_end(struct world *world);
// Tells the world that nobody reads this stream any more. It ends sooner or later; if another batch of it
// comes, tell again. Loop thread.
void world_post_unwanted(struct world *world, uint32_t stream);
// Tells the world that this stream was not sent the frame that its next ones build on. It gets one that
// stands alone within a tenth of a second, or with its next frame. Loop thread.
void world_post_behind(struct world *world, uint32_t stream);
// Tells the world that a batch of this stream was left out because its peer is slow. Loop thread.
void world_post_slow(struct world *world, uint32_t stream);
// Tells the world whether the peer of this stream takes nothing. If so the stream rests: it gets only the present frame
// of a world that is paused. Other frames count as left out, and WORLD_LACK_SLOW reports them when the stream goes on.
// Loop thread. False if memory runs out.
bool world_post_rest(struct world *world, uint32_t stream, bool rests);
struct world_hold {
    uint32_t session, grab; // the session that holds the grab
};
// Lists which session holds each grab, by ascending grab, as of the last turn. False if nothing has changed since
// *version, which begins at 0. Otherwise *holds is valid until the next call. Loop thread.
bool world_holds(struct world *world, uint64_t *version, const struct world_hold **holds, uint32_t *count);
// Makes the world give its store an image soon, even if the last image is recent. Loop thread.
void world_want_image(struct world *world);
// Makes the world give an image of its next boundary, after all that was posted before, as WORLD_PRESENT. It must
// not be called again before that event was taken. A world that ends gives none. Loop thread.
void world_ask_present(struct world *world);
// Freezes a world that another server is about to take over (stand), or lets it go on here. From its next boundary on
// a frozen world applies nothing, runs no tick and sends nothing; world_face.stands says so. Loop thread.
void world_stand(struct world *world, bool stand);
// Ends the world here because another server runs it now. Requests that wait are refused, with MOVED if the server is
// known, and their messages are given back (world_event.again). It ends like a deleted world, but its journal has no
// mark of that. Loop thread. Called at most once.
void world_post_leave(struct world *world, const struct protocol_home *home);
// Asks for a turn, in which the world looks again at what waits in it. Any thread.
void world_nudge(struct world *world);
// Returns the next event. NULL: there is none. Loop thread.
struct world_event *world_take(struct world *world);
// Whether the last event, WORLD_DELETED, was taken. Then the world admits no request any more, because nobody
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

// The amount of a world that counts for the quota of the person who made it.
struct world_amount {
    uint64_t bodies, particles, constraints;
    uint64_t poses; // sim_motion_numbers
};

// The face of a world: figures of its state as of its last turn, all of one moment.
struct world_face {
    enum { WORLD_PAUSED, WORLD_PLAYING, WORLD_FAILED } state; // in the same order as in api.json
    double rate;
    uint64_t tick, revision;
    uint64_t position;      // position of its journal
    uint64_t records;       // number of records so far
    uint64_t records_first; // number of records that are forgotten; world.records has those after them
    uint32_t bodies, particles, people, streams;
    struct world_amount amount;
    uint32_t twins; // streams of records, a part of `streams`
    uint64_t ticks_run, ticks_late, lateness_max_us, frames_dropped;
    uint64_t frames_slow;               // frames of streams that rested, a part of frames_dropped
    uint64_t lateness_us, time_lost_us; // sums over all ticks
    bool slowed;                        // its ticks take longer than they may, so it gets fewer of them
    uint32_t exact_solver;              // as in struct world_kept
    uint64_t exact_tick;
    bool stands;                       // whether it is frozen (world_stand), at this position of its journal
    bool kept;                         // whether its journal is complete
    bool held;                         // whether a lossless stream makes it wait, now or in the last second
    double held_s;                     // seconds that it waited for such streams, in all
    double phase_s[WORLD_PHASE_COUNT]; // wall time since the world was made
};
// Copies the face of the world. Any thread.
void world_face(struct world *world, struct world_face *face);

struct world_durable {
    uint64_t revision, records;
};
// Gives the latest revision that is durable, and the number of records up to it, given that the journal is durable
// up to this position; UINT64_MAX: all of it. Any thread.
void world_durable(struct world *world, uint64_t position, struct world_durable *out);

// A quota counts what a person has in all worlds that they made, against the most that they may have; 0 in `most`: no
// bound. Its functions are for any thread. NULL if memory runs out.
struct world_quota *world_quota_create(const struct world_amount *most);
void world_quota_unref(struct world_quota *quota);         // NULL is allowed
bool world_quota_is_used(const struct world_quota *quota); // whether any world uses it
// Returns how much the document counts for the person who made its world.
struct world_amount world_amount_of(const struct document *document);
// Whether there is room for so much more. False with *error: LIMIT. It reserves nothing: edits are counted when
// they are applied (world_bounds.within_quota).
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
// Fills *out, so that the loop can answer world.get without the world. It includes all that was answered before. False
// if older events have not been taken, because the answer would overtake them, or if the journal is incomplete, which
// only the world itself can report. Loop thread.
bool world_published(struct world *world, struct world_published *out);

// The load that waits in the world.
struct world_load {
    uint32_t requests;  // admitted and not answered
    size_t frame_bytes; // bytes of frames that exist
};
void world_load(const struct world *world, struct world_load *load); // loop thread

#endif
