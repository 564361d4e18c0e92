// All of a world. It belongs to the simulation thread that runs the turn, but for what is marked.
//
//     inbox.c ─ lines.c ── one request ──▶ apply.c ── table ──▶ apply_*.c ──▶ sim, document.c, people.c, stream.c
//                                                        │
//                                                        ▼
//                                             call.c (reply), notice.c ──▶ event.c
//     image.c: a document of a large world, made beside it
//     twins.c: records and marks to who runs the world for themselves
//     world.c: one turn = inbox, present frames, at most one tick with publish.c ── moment ──▶ snapshot.c
#ifndef WEFT_WORLD_STATE_H
#define WEFT_WORLD_STATE_H

#include "base/thread.h"
#include "document/document.h"
#include "protocol/bytes.h"
#include "world/allowance.h"
#include "world/durable.h"
#include "world/history.h"
#include "world/image.h"
#include "world/journal.h"
#include "world/lines.h"
#include "world/lossless.h"
#include "world/pace.h"
#include "world/people.h"
#include "world/records.h"
#include "world/snapshot.h"
#include "world/step.h"
#include "world/stream.h"
#include "world/twins.h"
#include "world/view.h"
#include "world/visit.h"
#include "world/world.h"

#include <stdatomic.h>

struct base_ring;
struct world_edit_ids;
struct world_image;

struct world {
    uint32_t id;
    struct document *document;
    struct base_parallel *parallel;
    void (*on_output)(void *context);
    void (*on_input)(void *context);
    bool (*others_wait)(void *context);
    bool (*name_reserve)(void *context, const struct protocol_string *name, uint32_t *id,
                         struct protocol_error *error);
    void *context;
    struct document_constants constants;

    struct base_ring *inbox;   // struct world_message
    struct base_ring *outbox;  // struct world_event *, owned
    atomic_uint publications;  // in the outbox
    atomic_uint record_events; // the same of WORLD_RECORDS
    atomic_bool lack_told;     // a WORLD_LACK is in the outbox
    bool pushed;               // something, in this turn

    // Loop thread.
    uint32_t admitted;     // requests whose answer was not yet taken
    size_t admitted_bytes; // and what they take
    bool shutdown_posted;
    struct world_event *farewell; // WORLD_DELETED, held until all else was taken
    bool ended;                   // it was taken, so nothing that comes now would be answered

    // How it runs.
    int state; // as in world_face
    bool deleted, shut;
    struct protocol_home home;         // where it goes on; written before leaving is
    bool stands;                       // still: another server is to go on with it
    atomic_bool stand_wanted, leaving; // the loop sets them
    atomic_bool image_wanted;          // the same
    atomic_bool present_wanted;        // the same: an image for the loop (present.c)
    bool ticking;                      // a tick has begun and rests
    struct world_event *deletion;      // WORLD_DELETED, made with the world so that it cannot fail
    struct world_event *spare;         // WORLD_NOTICE, to say that one is lost
    bool notice_lost;                  // and there was no spare one: the next is told as lost
    uint64_t now_ns;                   // of the turn under way
    struct world_records records;
    struct world_edit_ids *edit_ids;
    struct world_journal journal;
    struct world_points points;
    struct world_history history;
    struct world_people people;
    struct world_streams streams;
    struct world_twins twins;
    struct world_pace pace;
    struct world_allowance allowance;
    struct world_step step;
    struct world_image *image;          // NULL: none is made
    struct world_image_kept image_kept; // made for the store, and not taken yet
    bool image_is_kept;
    uint64_t image_turn; // the turn in which the last one ended
    struct world_lines lines;
    uint64_t turn; // under way, or the last one
    uint64_t drain_ns,
        share_ns; // of a turn for what came in; and of that for one session, before others are served
    struct world_share shares[WORLD_SHARES];
    struct world_readers readers;
    struct world_view view;
    // When a tick that is under way is to end, whatever it has come to; UINT64_MAX: not at all. The loop sets it.
    atomic_uint_least64_t tick_end_ns;
    atomic_uint tick_end_session; // who deletes it; 0: the server goes down
    uint64_t slice_end_ns;        // when the part of a tick that runs has had its time

    // Frames.
    struct base_budget *budget;
    struct world_snapshot snapshot;
    bool changed;       // what a paused world shows
    bool grabs_changed; // the same, for streams that show grabs
    bool capturing;     // for live streams: in the tick, or of the present, under way
    struct world_hold_state hold;
    bool waiting;     // some stream is due and did not get its frame
    uint32_t substep; // the last one reached in the tick under way
    uint64_t publication;
    size_t frames_before; // bytes of frames that there were when the tick, or the present, was begun
    uint64_t frames_dropped, frames_slow; // the second is part of the first
    uint64_t ticks_run;
    struct world_times times; // of the last whole tick: its last substep is captured before its sum is known
    struct world_times times_now;      // of the tick under way
    double phase_s[WORLD_PHASE_COUNT]; // since the world was made

    struct protocol_bytes scratch[5];
    msgpack_zone zone; // for inputs of the world's own; has one chunk always

    struct world_visit visit;
    struct base_mutex face_mutex;
    struct world_quota *quota;   // under face_mutex; NULL: none. Once set it stays
    struct world_amount charged; // under the quota's mutex
    struct world_face face;      // under face_mutex, like the rest
    struct protocol_world_get_result face_get;
    char face_name[DOCUMENT_NAME_SIZE], face_reason[SIM_TEXT_MAX], face_read_only[WORLD_READ_ONLY_SIZE];
};

#endif
