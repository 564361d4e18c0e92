// What people share: one document with its physics, its revisions, and what is streamed of it.
//
//     loop thread                         simulation thread
//     world_request_create (decode)
//     world_post  ──inbox──▶  world_turn: drain, apply, step, capture, publish
//     world_take  ◀──outbox──
//
// A world is made and destroyed on the loop thread. world_turn is called by one simulation thread at a
// time. Both rings are bounded: world_post refuses when too many requests wait, and each request that was
// admitted has reserved the places of what it can give rise to, so that the outbox cannot overflow; frames
// have places of their own and are dropped when those are used up.
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

// Bytes of one message with what was unpacked from them. Owns both; moves with the request.
struct world_packet {
    uint8_t *bytes; // malloc'd
    size_t size;
    msgpack_zone zone;
    struct protocol_message message; // views into bytes and zone
    struct base_budget *budget;      // a reference; NULL: charged to none
    size_t charged;                  // for bytes, and for what they are unpacked to
};

// What a session holds of answers that are made and not sent; the session's and its requests'. Counted references, any
// thread.
struct world_account;
// `all` is of all sessions. NULL without memory.
struct world_account *world_account_create(struct base_budget *all);
struct world_account *world_account_ref(struct world_account *account);
void world_account_unref(struct world_account *account); // NULL is allowed
void world_account_leave(
    struct world_account *account); // its session is gone: queries need no answer any more

// What of a session's choices matters for answering it.
struct world_asker {
    uint32_t session;
    enum protocol_arrays_mode arrays;
    enum protocol_errors_mode errors;
    char user[65];
    char client[65];
};

// Of one session. Whatever is full, so much of it is taken in: nobody is locked out by what others have waiting.
enum { WORLD_ALWAYS_BYTES = 64 * 1024 };

// What the host holds for a request until its answer passes there (host/claim.h). The world carries it as it came.
struct world_claim {
    bool held;
    uint32_t id; // stream.subscribe: of the stream; else the host's to say
};

// What an edit may come to, where that is known in the world alone. The host says it.
struct world_bounds {
    bool no_reset;     // edit.undo and edit.redo may not make, nor take back, a world.reset
    bool within_quota; // it may bring nothing for which the world's quota has no room
};

struct world_request {
    struct world_asker asker;
    enum protocol_method method;
    bool answer; // false for a notification
    uint32_t msgid;
    struct world_claim claim;
    struct world_bounds bounds;
    struct world_packet *packet;
    void *params;                  // generated struct, in the packet's zone
    struct document_plans *plans;  // body.add, edit.restore: made ready for it; NULL for all others
    struct world_event *reply;     // made with the request, so that there is always one to answer with
    struct world_account *account; // a reference; NULL: its answer is charged to nobody
    size_t bytes;                  // of memory while it waits, about
    uint32_t ahead;                // requests of its session that wait already, anywhere
    size_t ahead_bytes;            // of them

    // While it waits in the world (lines.c).
    struct world_request *next; // of its session
    struct world_request *line_next,
        *line_last; // of the first of a line: the next line, the last of this one
    bool line_gone; // of the first of a line: the session is gone, and goes when it ends
    bool hurried;   // a step ends as soon as it begins
};

// Decodes the packet's params for method and does the heavy part of the work that needs no world (a body's
// edges, rest shape, colours). Any thread. Takes the packet in every case. NULL with *error if refused.
struct world_request *world_request_create(struct world_packet *packet, enum protocol_method method,
                                           const struct world_asker *asker,
                                           const struct document_constants *constants,
                                           struct protocol_error *error);
void world_request_destroy(struct world_request *request); // NULL is allowed
void world_packet_destroy(struct world_packet *packet);

// ---------------------------------------------------------------------------------------------------------
// What comes out. Each admitted request gives exactly one REPLY or FAULT, which carries its
// claim back.

enum world_event_kind {
    WORLD_REPLY,       // bytes for one session: an answer (bytes NULL for a notification's end: only counts)
    WORLD_FAULT,       // a notification was refused: error, method
    WORLD_NOTICE,      // a notification for all who joined, in the modes that somebody had when joining
    WORLD_PUBLICATION, // batches of frames for streams
    WORLD_LOSSLESS,    // the same for streams that lose nothing
    WORLD_RECORDS,     // the same of streams of records: nothing of them is left out
    WORLD_PRESENT,     // an image of it for the loop, which asked: bytes[0], NULL where none can be made
    WORLD_LACK,        // frames were not made: who missed how many, and why
    WORLD_DELETED,     // every admitted request has been answered; nothing follows
};

// Why a frame was not made.
enum world_lack {
    WORLD_LACK_NONE,
    WORLD_LACK_ROOM, // frames that somebody holds fill the budget: cut who holds the oldest
    WORLD_LACK_SERVER, // the same of the budget of all worlds: cut who holds the oldest of the world that holds most
    WORLD_LACK_SUBSTEPS, // those of one tick would fill it by themselves
    WORLD_LACK_SIZE,     // it would be larger than the budget: the stream has ended
    WORLD_LACK_MEMORY,
    WORLD_LACK_LATE, // the loop has not taken the last ones yet
    WORLD_LACK_SLOW, // its stream rested, since its peer took nothing
    WORLD_LACK_WORK, // its person asks for more work than is allowed
    WORLD_LACK_RATE, // none: it has another rate, and `frames` is what `every` is now
    // Of a stream that loses nothing, which has ended, as it does for each of those above:
    WORLD_LACK_BACKLOG, // there was no room in its backlog
    WORLD_LACK_LARGE,   // a tick's frames are larger than that
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
    uint64_t position; // of the journal, when it was made: what has to be durable before it is told
    bool unbound; // promises nothing: what a query found, how the world does, a refusal that the store is
                  // the reason of or that comes while the store takes nothing
    uint32_t label_size; // REPLY: bytes at its end that say that it is not durable (world/durable.h); 0: none
    struct world_event *next;     // the receiver's
    uint32_t session;             // REPLY, FAULT
    struct base_buffer *bytes[3]; // REPLY: [0]; NOTICE: by arrays mode, NULL where nobody uses it
    bool unanswerable;            // REPLY: there was no memory for the bytes that it should have
    size_t request_bytes;         // REPLY, FAULT: of the request that it ends
    bool lost;                    // NOTICE: the same, of any of them
    uint64_t revision;            // NOTICE: of the edit that it tells of; 0: it tells of none
    struct world_claim claim;     // REPLY, FAULT: of the request
    bool granted;                 // and whether it was not refused: the claim is kept
    enum protocol_method method;
    struct protocol_error error; // FAULT
    uint8_t *again; // REPLY, FAULT: the message, if it is refused because the world has left; malloc'd, owned
    size_t again_size;
    uint32_t batch_count;
    struct base_batch *
        *batches; // PUBLICATION, LOSSLESS, RECORDS: owned; the receiver moves them out and sets them NULL
    uint32_t miss_count;
    struct world_miss *misses; // LACK: owned
};

void world_event_destroy(struct world_event *event); // with what is still in it

// ---------------------------------------------------------------------------------------------------------
// The world

// Of a world that shows the past of another.
struct world_view_options {
    uint32_t of;      // the other; 0: this is a world by itself
    const char *name; // the other's
    uint32_t session; // that looks: it ends with that
};

// Where the store has it to: zeros for a world that is new there.
enum { WORLD_STEPS_MAX = 16384 }; // of undo, of all persons together

// A grab, and the session of another server that held it.
struct world_held {
    uint32_t grab, session;
    char user[65]; // empty: it is not known
};

struct world_kept {
    uint64_t epoch;
    uint64_t position; // of its last entry
    uint64_t sequence; // of its last record
    // What it is known of edits that may be taken back; only read. NULL: nothing.
    const struct past_steps *steps;
    double cost_s;      // that coming there took: counts towards the next image
    double image_age_s; // world time from its newest image to there
    // Another solver came there: its version, and the last tick that is as that one made it. 0: none did.
    uint32_t exact_solver;
    uint64_t exact_tick;
    const struct world_held *held; // grabs of the document that go on, by whom they are held; only read
    uint32_t held_count;
};

struct world_options {
    uint32_t id;
    const char *name;
    // Defaults filled in and checked: generated struct of world.create.
    const struct protocol_world_create_params *settings;
    struct document *document; // what it begins as, with the document's settings; NULL: empty. Taken over
                               // if the world is made: an empty shell is left to destroy
    struct store *store;       // keeps it, under its id; NULL: nothing does
    struct world_kept kept;
    struct world_view_options view;
    uint64_t tick_ns;           // that a tick may take before the world is slowed; 0: as much as it takes
    struct base_budget *frames; // of all worlds, which share it; NULL: its frames are bounded by themselves
    size_t lossless_bytes; // backlogs of all its lossless streams; 0: the limit of api.json, and so below
    uint64_t hold_ns;      // that one of these may hold it and take nothing
    uint32_t sessions_max; // that may ask at a time; 0: PROTOCOL_LIMIT_SESSIONS
    struct base_parallel *parallel;   // lent for ticks; may be NULL
    void (*on_output)(void *context); // the outbox has become non-empty; any thread; must not block
    void (*on_input)(void *context);  // the inbox has: let world_turn be called soon; any thread
    // Whether others want the thread that a tick has had for long: then it rests. Simulation thread; NULL: always.
    bool (*others_wait)(void *context);
    // A name that it had, and is to have again: reserved until the answer passes the host, by an id that the request's claim
    // takes there. False with *error (CONFLICT: another world has it). Simulation thread; NULL: there are no other worlds.
    bool (*name_reserve)(void *context, const struct protocol_string *name, uint32_t *id,
                         struct protocol_error *error);
    void *context;
};

struct world *world_create(const struct world_options *options); // NULL without memory
void world_destroy(struct world *world);                         // when no turn runs
struct document_constants world_constants_of(const struct world *world);
// Ids that the last edits of a world had, by its records (edit_ids.h). NULL with *error.
struct world_edit_ids *world_edit_ids_of(struct past *past, struct protocol_error *error);
void world_edit_ids_destroy(struct world_edit_ids *ids); // NULL is allowed
// Who held the grabs of the document that this past ends with, by its records; malloc'd. NULL: there are none, they cannot be
// read, or memory ran out.
struct world_held *world_held_of(struct past *past, const struct document *document, uint32_t *count);
// Before its first turn. Takes them.
void world_know_edits(struct world *world, struct world_edit_ids *ids);
// Before its first turn: lets it run. marked: its journal says so already.
void world_play(struct world *world, double rate, bool marked, uint64_t now_ns);

// Loop thread. False with *error: BUSY if too many requests wait, or too large ones; NOT_FOUND if the world has ended. Then the
// request is still the caller's.
bool world_post(struct world *world, struct world_request *request, struct protocol_error *error);
// Loop thread: a session is gone; its streams, grabs and membership end. Never refused: once for each session that had a
// request admitted, of which there are sessions_max at a time.
void world_post_gone(struct world *world, uint32_t session);
// Loop thread: the server goes down: edits are refused with SHUTDOWN, a running step is cut short, and so is a tick that
// takes long. Never refused.
void world_post_shutdown(struct world *world);
// Loop thread, of a view: this is what it shows from its next boundary on. Its streams go on and get a frame, and who joined
// is told. Takes the document. Never refused: one that has not been shown yet is passed over.
void world_post_document(struct world *world, struct document *document);
// Loop thread, of a view: one that it has shown or passed over, the caller's from now on; NULL if there is none.
struct document *world_take_document(struct world *world);
// Loop thread, of a view, or of a world that the store did not take: it ends, as by world.delete. Never refused, once for
// each.
void world_post_end(struct world *world);
// Loop thread: nobody reads this stream any more, so it ends, sooner or later: who gets another batch of it says so again.
void world_post_unwanted(struct world *world, uint32_t stream);
// Loop thread: what was made for this stream builds on a frame that it was not sent: it gets one that does not, within a tenth
// of a second or with its next one.
void world_post_behind(struct world *world, uint32_t stream);
// Loop thread: a batch of this stream was left out since its peer is slow.
void world_post_slow(struct world *world, uint32_t stream);
// Loop thread: the peer of this stream takes nothing, so it gets no frames but the present of a world that rests, and those
// that it would have had are counted as left out (WORLD_LACK_SLOW, when it is said that it rests no more). False without
// memory.
bool world_post_rest(struct world *world, uint32_t stream, bool rests);
// Loop thread: who holds which grabs, by grab, as of the last turn. False if that is what it was at *version, from 0 on;
// else *holds is good until the next call.
struct world_hold {
    uint32_t session, grab;
};
bool world_holds(struct world *world, uint64_t *version, const struct world_hold **holds, uint32_t *count);
// Loop thread: an image of it is made for the store soon, also where there is little past to go through.
void world_want_image(struct world *world);
// Loop thread: it gives an image of its next boundary, after what was posted before, as WORLD_PRESENT. Not again before that is
// taken. A world that ends gives none.
void world_ask_present(struct world *world);
// Loop thread, of a world that another server is to go on with: from its next boundary on it stands still (world_face), once its
// journal says where: it takes nothing, runs no tick and shows nothing. False: it goes on.
void world_stand(struct world *world, bool stand);
// Loop thread, once: it goes on at another server. What waits is refused, with MOVED where it is known to which, and given back with that; it ends here, as by world.delete but for
// its journal, which hears nothing of that.
void world_post_leave(struct world *world, const struct protocol_home *home);
// Any thread: something that waits may be able to go on.
void world_nudge(struct world *world);
// Loop thread: next event or NULL.
struct world_event *world_take(struct world *world);
// Loop thread: its last event, WORLD_DELETED, was taken. It takes no request any more, since nobody would take the answer.
bool world_ended(const struct world *world);

// Simulation thread: drains the inbox for a bounded time, applies, runs at most one tick if it is due, or a part of one
// that is long, publishes.
// Returns the monotonic time in ns at which it wants its next turn; 0: at once; UINT64_MAX: when input comes.
uint64_t world_turn(struct world *world, uint64_t now_ns);

// What a world's turns are spent on: the sim's phases, in their order, and what the world adds.
enum world_phase {
    WORLD_PHASE_PREDICT,
    WORLD_PHASE_WIND,
    WORLD_PHASE_SOLVE,
    WORLD_PHASE_CONTACTS,
    WORLD_PHASE_FINISH,
    WORLD_PHASE_CAPTURE, // frames
    WORLD_PHASE_APPLY,   // requests
    WORLD_PHASE_COUNT,
};

// What of a world counts for the person who made it.
struct world_amount {
    uint64_t bodies, particles, constraints;
    uint64_t poses; // sim_motion_numbers
};

// Any thread: a consistent copy of the outside of the world, as of its last turn.
struct world_face {
    enum { WORLD_PAUSED, WORLD_PLAYING, WORLD_FAILED } state; // same order as api.json
    double rate;
    uint64_t tick, revision;
    uint64_t position;      // of its journal
    uint64_t records;       // that there were
    uint64_t records_first; // that are forgotten: those after them world.records can tell
    uint32_t bodies, particles, people, streams;
    struct world_amount amount;
    uint32_t twins; // of these streams, those of records
    uint64_t ticks_run, ticks_late, lateness_max_us, frames_dropped;
    uint64_t frames_slow;               // of these: of streams that rested
    uint64_t lateness_us, time_lost_us; // of all ticks together
    bool slowed;
    uint32_t exact_solver; // as in struct world_kept
    uint64_t exact_tick;
    bool stands;                       // still, at this position of its journal
    bool kept;                         // its journal has all that happened
    bool held;                         // by a lossless stream, now or in the last second
    double held_s;                     // that it waited for such, in all
    double phase_s[WORLD_PHASE_COUNT]; // wall time, since the world was made
};
void world_face(struct world *world, struct world_face *face);

// Any thread: the latest revision that is durable, and how many records there were with it, where entries of the journal are
// up to this position. UINT64_MAX: all of them.
struct world_durable {
    uint64_t revision, records;
};
void world_durable(struct world *world, uint64_t position, struct world_durable *out);

// An account of what a person has in all worlds that they made, and of what they may have. Any thread.
struct world_quota *world_quota_create(const struct world_amount *most); // 0: no bound; NULL without memory
void world_quota_unref(struct world_quota *quota);                       // NULL is allowed
bool world_quota_is_used(const struct world_quota *quota);               // by any world
struct world_amount world_amount_of(const struct document *document);
// Whether there is room for so much more. False with *error: LIMIT. What edits of within_quota bring is counted when they apply.
bool world_quota_room(struct world_quota *quota, const struct world_amount *more,
                      struct protocol_error *error);
// What the world has is counted there from now on, until it is deleted or destroyed; if it has a quota, nothing happens.
void world_charge(struct world *world, struct world_quota *quota);

// Loop thread: what world.get would answer, as of the last boundary. A session whose requests have all been answered sees
// all that it did. False where events are still to be taken that were made before: the answer would overtake them. False
// as well if not all that happened is kept: only the world says so.
struct world_published {
    struct protocol_world_get_result get; // views into the rest
    uint64_t position;                    // as an answer's (struct world_event)
    char name[65], reason[256], read_only[256];
};
bool world_published(struct world *world, struct world_published *out);

// Loop thread: what waits here.
struct world_load {
    uint32_t requests; // admitted and not answered
    size_t frame_bytes;
};
void world_load(const struct world *world, struct world_load *load);

#endif
