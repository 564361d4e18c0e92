// What the files of this module share. Nothing outside server/world includes it, but its tests.
//
//     inbox.c ─ lines.c ── one request ──▶ apply.c ── table ──▶ apply_*.c ──▶ sim, document.c, people.c, stream.c
//                                                        │
//                                                        ▼
//                                             call.c (reply), notice.c ──▶ event.c
//     image.c: a document of a large world, made beside it
//     world.c: one turn = inbox, present frames, at most one tick with publish.c ── moment ──▶ snapshot.c
//
// All of struct world belongs to the simulation thread that runs the turn, but for what is marked.
#ifndef WEFT_WORLD_INTERNAL_H
#define WEFT_WORLD_INTERNAL_H

#include "base/ring.h"
#include "base/thread.h"
#include "document/document.h"
#include "protocol/array.h"
#include "protocol/bytes.h"
#include "world/world.h"

#include <stdatomic.h>

enum {
    WORLD_DRAIN_MAX = 4096, // messages taken in one turn
    WORLD_SHARES = 64,
    WORLD_ANSWER_SMALL = 65536,  // bytes of an answer that is always let pass
    WORLD_PUBLICATIONS_MAX = 16, // not yet taken by the loop
    WORLD_ARRAYS_MODES = 3,
    WORLD_CHUNK_FIELDS = 4,                                   // positions, positions64, velocities, normals
    WORLD_FORMATS = WORLD_ARRAYS_MODES << WORLD_CHUNK_FIELDS, // of chunks of particles
};

// ---------------------------------------------------------------------------------------------------------
// event.c

// A copy of what was packed, charged to the budget if there is one; NULL if that failed or there is no memory.
struct base_buffer *world_share_bytes(const struct protocol_bytes *bytes, struct base_budget *budget);

// ---------------------------------------------------------------------------------------------------------
// people.c: who joined, and who holds what

struct world_member {
    uint32_t session;
    enum protocol_arrays_mode arrays;
    char user[65];
    char client[65];
};

struct world_holder {
    uint32_t grab, session;
    char user[65];
};

struct world_people {
    struct world_member *members; // by session
    uint32_t member_count, member_capacity;
    uint32_t modes[WORLD_ARRAYS_MODES]; // members that use each
    struct world_holder *holders;       // by grab
    uint32_t holder_count, holder_capacity;
};

bool world_people_join(struct world_people *people, const struct world_asker *asker); // false: no memory
// Whether the asker joined before, by another name or with another program.
bool world_people_renamed(const struct world_people *people, const struct world_asker *asker);
bool world_people_leave(struct world_people *people, uint32_t session);
bool world_holders_reserve(struct world_people *people); // room for one more
void world_holders_add(struct world_people *people, uint32_t grab, const struct world_asker *asker);
void world_holders_remove(struct world_people *people, uint32_t grab);
struct world_holder *world_holders_find(const struct world_people *people, uint32_t grab);
void world_holders_match(struct world_people *people, const struct sim *sim);   // drops those the sim ended
const char *world_holder_name(const struct world_holder *holder, char out[80]); // user, or "session N"

// ---------------------------------------------------------------------------------------------------------
// stream.c: who gets which frames

// One frame that was made in the tick under way, for all streams of a selection.
struct world_shot {
    uint32_t substep; // after how many substeps of the tick; 0: before it
    struct base_frame *frame;
};

// What frames hold. Streams that ask for the same share it, and with it their frames.
struct world_selection {
    uint32_t streams; // that refer to it
    enum protocol_arrays_mode arrays;
    uint32_t fields;  // PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_*
    bool all;         // all bodies, later ones too; else:
    uint32_t *bodies; // ids, ascending, each once
    uint32_t body_count;
    bool wanted;          // in the moment under way
    enum world_lack lack; // of the last frame of it that was not made
    struct world_shot *shots;
    uint32_t shot_count, shot_capacity;
};

struct world_stream {
    uint32_t id, session;
    uint32_t every;
    bool substeps;   // unit of every
    bool due;        // gets the present state as soon as there is room
    bool lost;       // its last wanted frame was dropped: due once the world rests
    bool lacks;      // a frame could not be made, which is still to be told
    uint64_t missed; // and so many are left out for good
    uint64_t unmade; // the same since its last batch, which the next one tells
    struct world_selection *selection;
};

struct world_streams {
    struct world_stream *items; // by id
    uint32_t count, capacity;
    struct world_selection **selections;
    uint32_t selection_count, selection_capacity;
};

// bodies is consumed: sorted, made unique, and kept or freed. NULL without memory.
struct world_selection *world_selection_get(struct world_streams *streams, enum protocol_arrays_mode arrays,
                                            uint32_t fields, uint32_t *bodies, uint32_t body_count, bool all);
void world_selection_put(struct world_streams *streams, struct world_selection *selection);
bool world_streams_reserve(struct world_streams *streams); // room for one more
void world_streams_add(struct world_streams *streams, const struct world_stream *stream);
struct world_stream *world_streams_find(const struct world_streams *streams, uint32_t id);
void world_streams_remove(struct world_streams *streams, uint32_t id);
void world_streams_remove_session(struct world_streams *streams, uint32_t session);
void world_streams_deinit(struct world_streams *streams);

// ---------------------------------------------------------------------------------------------------------
// snapshot.c: one moment of a world as chunks and frames

struct world_moment {
    uint64_t tick;
    uint32_t substep;
    double time;
    uint64_t revision;
};

// Chunks of one way of encoding, made when first asked for in a moment.
struct world_format {
    bool begun;
    uint32_t *first; // by position of the body: index of its first chunk
    uint32_t first_capacity;
    struct base_buffer **chunks;
    uint32_t chunk_count, chunk_capacity;
};

// Wall time of the last tick by phase, without what capturing took; part of no state.
struct world_times {
    uint64_t mark_ns; // when the phase under way began
    double phase_us[SIM_PHASE_COUNT];
    double tick_us; // their sum
};

struct world_snapshot {
    uint32_t world_id;
    const struct document *document;
    const struct world_people *people;
    struct base_budget *budget;
    const struct world_times *times;
    struct world_moment moment;
    struct world_format formats[WORLD_FORMATS];
    struct world_format skins[WORLD_ARRAYS_MODES]; // chunks of vertices of skins
    struct protocol_bytes measures, grabs[WORLD_ARRAYS_MODES], colliders;
    bool unfit; // the last thing that was not made had no room in the budget: it was not memory that lacked
    bool measures_made, grabs_made[WORLD_ARRAYS_MODES], colliders_made;
    float *positions, *velocities; // of one range
    double *positions64;
    float *normals; // of one body
    size_t normals_capacity;
    uint32_t normals_body; // whose they are in this moment; 0: nobody's
    double *bases;         // positions of one body's particles, for its skin
    size_t bases_capacity;
    uint32_t bases_body;        // whose they are in this moment; 0: nobody's
    struct base_buffer **picks; // scratch: chunks of the frame under way, not owned
    uint32_t pick_count, pick_capacity;
};

// prefix.c: the beginning of each part of a frame. prepare packs what the selection shows besides bodies;
// false without memory.
bool world_prefix_prepare(struct world_snapshot *snapshot, const struct world_selection *selection);
// Keys of a frame's map: the head's, world ... parts, measures, grabs and colliders if wanted, padding, bodies.
uint32_t world_prefix_keys(uint32_t fields);
// Bytes of the prefix of a part, of which *zeros are padding.
size_t world_prefix_size(const struct world_snapshot *snapshot, const struct world_selection *selection,
                         uint32_t part, uint32_t *zeros);
struct base_buffer *world_prefix_encode(const struct world_snapshot *snapshot,
                                        const struct world_selection *selection, uint32_t part,
                                        uint32_t parts, uint32_t chunks);

bool world_snapshot_prepare(struct world_snapshot *snapshot); // memory for the first stream; may be repeated
void world_snapshot_deinit(struct world_snapshot *snapshot);
void world_snapshot_begin(struct world_snapshot *snapshot, const struct world_moment *moment);
// NULL: no memory, or the budget is used up.
struct base_frame *world_snapshot_frame(struct world_snapshot *snapshot,
                                        const struct world_selection *selection);
void world_snapshot_end(struct world_snapshot *snapshot);
// Bytes of a frame without its prefixes, about.
size_t world_snapshot_size(const struct world_snapshot *snapshot, const struct world_selection *selection);

// ---------------------------------------------------------------------------------------------------------
// pace.c: when ticks are due

#define WORLD_RATE_MIN 1e-6 // but 0; as api.json says of world.play

struct world_pace {
    double tick_rate;
    double rate; // 0: always due
    uint64_t base_ns;
    uint64_t ticks; // since base_ns
    uint64_t late, lateness_us, lateness_max_us, lost_us;
    uint64_t lateness_sum_us; // of all ticks
};

void world_pace_start(struct world_pace *pace, double rate, uint64_t now_ns);
void world_pace_change(struct world_pace *pace, double rate, uint64_t now_ns); // keeps the phase
uint64_t world_pace_due(const struct world_pace *pace);                        // 0: at once
void world_pace_tick(struct world_pace *pace, uint64_t now_ns);                // a tick begins

// ---------------------------------------------------------------------------------------------------------
// records.c: the last inputs of the document

struct world_record {
    uint8_t *bytes; // canonical
    size_t size;
};

// Those of sequence first + 1 ... next are kept.
struct world_records {
    struct world_record *items; // a ring: sequence s at (s - 1) % capacity
    uint32_t capacity;
    uint64_t first, next;
    size_t bytes;
};

void world_records_deinit(struct world_records *records);

// ---------------------------------------------------------------------------------------------------------
// The world

struct world_step {
    struct world_request *request; // NULL: no step runs
    uint32_t left;
};

// Requests that wait, by session (lines.c).
struct world_lines {
    struct world_request *first, *last;
    uint32_t count;
};

// Time that a session's requests took in a turn. Sessions that fall on the same place forget each other's.
struct world_share {
    uint32_t session;
    uint64_t turn, spent_ns;
};

// What those who joined can still take of notices.
struct world_readers {
    int64_t left; // bytes
    uint64_t filled_ns;
};

// What the loop posts to a world, by value.
enum world_message_kind {
    WORLD_MESSAGE_REQUEST,
    WORLD_MESSAGE_GONE,     // a session is gone
    WORLD_MESSAGE_SHUTDOWN, // the server goes down
};

struct world_message {
    enum world_message_kind kind;
    uint32_t session;              // GONE
    struct world_request *request; // REQUEST: owned
};

struct world {
    uint32_t id;
    struct document *document;
    struct base_parallel *parallel;
    void (*on_output)(void *context);
    void (*on_input)(void *context);
    bool (*others_wait)(void *context);
    void *context;
    struct document_constants constants;

    struct base_ring *inbox;  // struct world_message
    struct base_ring *outbox; // struct world_event *, owned
    atomic_uint publications; // in the outbox
    atomic_bool lack_told;    // a WORLD_LACK is in the outbox
    bool pushed;              // something, in this turn

    // Loop thread.
    uint32_t admitted;     // requests whose answer was not yet taken
    size_t admitted_bytes; // and what they take
    uint32_t *visitors;    // sessions that sent requests and are not gone, ascending
    uint32_t visitor_count, visitors_max;
    bool shutdown_posted;
    struct world_event *farewell; // WORLD_DELETED, held until all else was taken

    // How it runs.
    int state; // as in world_face
    bool deleted, shut;
    bool ticking;                 // a tick has begun and rests
    bool broken;                  // a tick was cut short: there is no state any more
    struct world_event *deletion; // WORLD_DELETED, made with the world so that it cannot fail
    struct world_event *spare;    // WORLD_NOTICE, to say that one is lost
    bool notice_lost;             // and there was no spare one: the next is told as lost
    uint64_t now_ns;              // of the turn under way
    struct world_records records;
    struct world_people people;
    struct world_streams streams;
    struct world_pace pace;
    struct world_step step;
    struct world_image *image; // NULL: none is made
    uint64_t image_turn;       // the turn in which the last one ended
    struct world_lines lines;
    uint64_t turn; // under way, or the last one
    struct world_share shares[WORLD_SHARES];
    struct world_readers readers;
    // When a tick that is under way is to end, whatever it has come to; UINT64_MAX: not at all. The loop sets it.
    atomic_uint_least64_t tick_end_ns;
    atomic_uint tick_end_session; // who deletes it; 0: the server goes down
    uint64_t slice_end_ns;        // when the part of a tick that runs has had its time

    // Frames.
    struct base_budget *budget;
    struct world_snapshot snapshot;
    bool changed;       // what a paused world shows
    bool grabs_changed; // the same, for streams that show grabs
    bool capturing;     // in the tick under way
    bool waiting;       // some stream is due and did not get its frame
    uint32_t substep;   // the last one reached in the tick under way
    uint64_t publication;
    size_t frames_before; // bytes of frames that there were when the tick, or the present, was begun
    uint64_t frames_dropped;
    uint64_t ticks_run;
    struct world_times times; // of the last whole tick: its last substep is captured before its sum is known
    struct world_times times_now;      // of the tick under way
    double phase_s[WORLD_PHASE_COUNT]; // since the world was made

    struct protocol_bytes scratch[4];
    msgpack_zone zone; // for inputs of the world's own; has one chunk always

    struct base_mutex face_mutex;
    struct world_face face; // under face_mutex, like the rest
    struct protocol_world_get_result face_get;
    char face_name[DOCUMENT_NAME_SIZE], face_reason[SIM_TEXT_MAX];
};

struct world_call;

// event.c
void world_push(struct world *world, struct world_event *event);
struct world_event *world_event_create(enum world_event_kind kind); // NULL without memory

// method.c: what is particular about a method besides its function (apply.c).
struct world_method {
    // What needs no world, on any thread, once its parameters are decoded. False with *error: refused.
    bool (*prepare)(struct world_request *request, const struct document_constants *constants,
                    struct protocol_error *error);
    bool ends_step;  // passes the step of its own session, and ends it
    bool ends_world; // is taken by one that is broken, and tells nobody else of an edit
};
extern const struct world_method world_methods[PROTOCOL_METHOD_COUNT];

// step.c
void world_step_cut(struct world *world);  // answers the step under way with the tick reached
void world_step_fail(struct world *world); // the same with the failure

// image.c
void world_image_start(struct world_call *call); // takes the request, or refuses it
bool world_image_turn(struct world *world);      // at a boundary; true: there is more to do at once
void world_image_rest(struct world *world);      // where a tick rests
// It is refused, and what is left of it ends by itself. Does nothing where none is made.
void world_image_cut(struct world *world, enum protocol_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
uint32_t world_image_session(const struct world *world); // who waits for it; 0: nobody
void world_image_destroy(struct world *world);           // waits for its thread

// account.c
bool world_account_gone(const struct world_account *account);                // NULL: false, as for the next
bool world_account_full(const struct world_account *account);                // it takes no more answers now
bool world_account_allows(const struct world_account *account, size_t size); // an answer; NULL: true
struct base_budget *world_account_budget(const struct world_account *account);

// inbox.c
bool world_inbox_drain(struct world *world);                    // true: there is more to do at once
void world_session_gone(struct world *world, uint32_t session); // nothing of it waits any more
void world_inbox_destroy(struct world *world);                  // requests that nobody will answer

// lines.c
void world_readers_refill(struct world_readers *readers, uint64_t now_ns);
struct world_share *world_share_of(struct world *world, uint32_t session);
struct world_request *world_line_of(const struct world_lines *lines, uint32_t session); // NULL: none waits
void world_line_add(struct world_lines *lines, struct world_request *request);
void world_line_hurry(struct world_request *line);
bool world_must_wait(const struct world *world, const struct world_request *request);
// Applies what was begun at now_ns; returns the time after it.
uint64_t world_apply_timed(struct world *world, struct world_request *request, uint64_t now_ns);
bool world_lines_serve(struct world *world, uint64_t end_ns); // true: the time is up, and there may be more
void world_lines_destroy(struct world_lines *lines);

// publish.c
// The present state to streams that are due, and to all where a resting world has changed.
void world_publish_present(struct world *world);
// Around sim_step, which calls world_publish_substep (a hook, context is the world). tick_end comes
// after world->tick has moved on.
void world_publish_tick_begin(struct world *world);
void world_publish_substep(void *context, uint32_t substep);
void world_publish_tick_end(struct world *world);
void world_publish_tick_drop(struct world *world); // it will not end

// lack.c
enum world_lack world_lack_of(const struct world *world, const struct world_selection *selection,
                              size_t used_before); // why its frame was not made
void world_lack_tell(struct world *world);         // those who missed frames; ends streams that can have none

// notice.c
// State as in world.changed; asker is NULL where the world did it.
void world_notice_changed(struct world *world, int state, const struct world_asker *asker);
void world_notice_person(struct world *world, const struct world_asker *asker);

// ---------------------------------------------------------------------------------------------------------
// call.c: one request

struct world_call {
    struct world *world;
    struct world_request *request;
    void *params; // generated struct of the method
    struct protocol_error error;
    bool answered; // a reply was pushed
    bool deferred; // somebody else keeps the request and answers later
};

void world_apply(struct world *world, struct world_request *request); // apply.c; takes the request
void world_answer_error(struct world *world, struct world_request *request,
                        const struct protocol_error *error);

// Whether an answer of that size has room; for queries, which may be refused once it is known. False with *error.
bool world_reply_allowed(const struct world_request *request, size_t size, struct protocol_error *error);
// An answer that somebody else packed; takes it. The request is still the caller's.
void world_answer_made(struct world *world, struct world_request *request, struct base_buffer *reply);

// A handler does one of these, once.
void world_answer(struct world_call *call, const void *result);
// What records come to, and world.edited where it is an edit.
void world_accept(struct world_call *call, const struct document_edit *edit);
// Always false.
bool world_refuse(struct world_call *call, enum protocol_code code, const char *field, const char *format,
                  ...) __attribute__((format(printf, 4, 5)));
bool world_refuse_fault(struct world_call *call, const struct sim_fault *fault);
bool world_refuse_memory(struct world_call *call);

void *world_call_alloc(struct world_call *call, size_t count, size_t item_size); // lives as long as the
                                                                                 // request; NULL: refused
bool world_call_body(struct world_call *call, const struct protocol_ref *ref,
                     uint32_t *body); // false: refused
// records.c: an input that was applied.
void world_record(struct world *world, const struct document_edit *edit, const struct world_asker *asker);
// apply_edit.c. Asks the document; false: refused.
bool world_change(struct world_call *call, struct document_edit *edit);
void world_apply_edit(struct world_call *call); // every method of class edit
// Ends a grab whose session is gone: an input of the document like any other.
void world_grab_drop(struct world *world, const struct world_holder *holder);

// summary.c: parts of the document as generated structs
bool world_people_list(struct world_call *call, struct protocol_list *out);
bool world_bodies_list(struct world_call *call, struct protocol_list *out);
bool world_colliders_list(struct world_call *call, struct protocol_list *out);
bool world_grabs_list(struct world_call *call, struct protocol_list *out);
void world_grab_fill(const struct world_people *people, const struct sim_grab *grab,
                     struct protocol_grab_summary *out);
void world_measures_fill(const struct sim *sim, const struct world_times *times,
                         struct protocol_measures *out);
void world_get_fill(const struct world *world, struct protocol_world_get_result *out); // apply_world.c

#define WORLD_DECLARE_SERVER(ident)
#define WORLD_DECLARE_QUERY(ident) void world_apply_##ident(struct world_call *call);
#define WORLD_DECLARE_EDIT(ident)
#define WORLD_DECLARE_INPUT(ident) WORLD_DECLARE_QUERY(ident)
#define WORLD_DECLARE_CONTROL(ident) WORLD_DECLARE_QUERY(ident)
#define WORLD_DECLARE(class, ident, name) WORLD_DECLARE_##class(ident)
PROTOCOL_METHODS(WORLD_DECLARE)

#endif
