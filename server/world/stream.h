// Who gets which frames: streams, and the selections that they share.
#ifndef WEFT_WORLD_STREAM_H
#define WEFT_WORLD_STREAM_H

#include "world/world.h"

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
    bool rests;      // its peer takes nothing: it gets no frames of ticks
    bool slow;       // some are missed for that, which is told when it rests no more
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

#endif
