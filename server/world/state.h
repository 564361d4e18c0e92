// Holds the whole state of a world. It belongs to the simulation thread that runs the turn, except for fields
// that are marked.
//
//     inbox.c ─ lines.c ── one request ──▶ apply.c ── table ──▶ apply_*.c ──▶ sim, document.c, people.c, stream.c
//                                                        │
//                                                        ▼
//                                             call.c (reply) ──▶ event.c (notices, outbox)
//     image.c: a document of a large world, made beside it
//     twins.c: records and marks to clients that run the world themselves
//     world.c: one turn = inbox, present frames, at most one tick with publish.c ── moment ──▶ snapshot.c
#ifndef WEFT_WORLD_STATE_H
#define WEFT_WORLD_STATE_H

#include "base/thread.h"
#include "document/document.h"
#include "protocol/bytes.h"
#include "world/edit/edits.h"
#include "world/frames/lossless.h"
#include "world/frames/snapshot.h"
#include "world/frames/stream.h"
#include "world/keep/keep.h"
#include "world/people/people.h"
#include "world/time/allowance.h"
#include "world/time/pace.h"
#include "world/time/step.h"
#include "world/time/view.h"
#include "world/turn/inbox.h"
#include "world/twins/twins.h"
#include "world/world.h"

#include <stdatomic.h>

struct base_ring;

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

    struct base_ring *outbox;  // of struct world_event *, owned
    atomic_uint publications;  // WORLD_PUBLICATION events in the outbox
    atomic_uint record_events; // WORLD_RECORDS events in the outbox
    atomic_bool lack_told;     // a WORLD_LACK event is in the outbox
    bool pushed;               // an event was pushed in this turn

    // Fields of the loop thread.
    uint32_t admitted;     // requests whose answer the loop has not taken yet
    size_t admitted_bytes; // bytes of these requests
    bool shutdown_posted;
    struct world_event *farewell; // WORLD_DELETED, held until all other events were taken
    bool ended;                   // the farewell was taken, so nothing that comes now would be answered

    // How the world runs.
    int state; // as in world_face
    bool deleted, shut;
    struct protocol_home home;         // where it goes on; written before `leaving` is set
    bool stands;                       // it stands still, because another server is to go on with it
    atomic_bool stand_wanted, leaving; // set by the loop
    bool ticking;                      // a tick has begun and rests
    struct world_event *deletion;      // WORLD_DELETED, made with the world so that it cannot fail
    struct world_event *spare;         // WORLD_NOTICE, to say that a notice is lost
    bool notice_lost;                  // the spare one was used up: the next notice is told as lost
    uint64_t now_ns;                   // time of the turn under way
    struct world_edits edits;
    struct world_keep keep;
    struct world_people people;
    struct world_streams streams;
    struct world_twins twins;
    struct world_pace pace;
    struct world_allowance allowance;
    struct world_step step;
    struct world_turns turns;
    uint64_t turn; // number of the turn under way, or of the last one
    struct world_readers readers;
    struct world_view view;
    // When the tick under way has to end, finished or not; UINT64_MAX: never. Set by the loop.
    atomic_uint_least64_t tick_end_ns;
    atomic_uint tick_end_session; // session that deletes the world; 0: the server goes down
    uint64_t slice_end_ns;        // when the slice of the tick under way has to end

    // Frames.
    struct base_budget *budget;
    struct world_snapshot snapshot;
    bool changed;       // something that a paused world shows has changed
    bool grabs_changed; // the same for streams that show grabs
    bool capturing;     // frames of live streams are made, in the tick or in the present frame under way
    struct world_hold_state hold;
    bool waiting;     // some stream is due and did not get its frame
    uint32_t substep; // last substep that the tick under way has reached
    uint64_t publication;
    size_t frames_before; // bytes of frames that existed when the tick, or the present frame, began
    uint64_t frames_dropped, frames_slow; // frames_slow counts a part of frames_dropped
    uint64_t ticks_run;
    // Times of the last whole tick. A tick's last substep is captured before the tick's sum is known.
    struct world_times times;
    struct world_times times_now;      // times of the tick under way
    double phase_s[WORLD_PHASE_COUNT]; // seconds since the world was made

    struct protocol_bytes scratch[5];

    struct base_mutex face_mutex;
    struct world_face face; // under face_mutex, like the fields below
    struct protocol_world_get_result face_get;
    char face_name[DOCUMENT_NAME_SIZE], face_reason[SIM_TEXT_MAX], face_read_only[WORLD_READ_ONLY_SIZE];
};

#endif
