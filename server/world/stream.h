// Who gets which frames: streams, and the selections that they share.
#ifndef WEFT_WORLD_STREAM_H
#define WEFT_WORLD_STREAM_H

#include "world/cuts.h"
#include "world/effort.h"
#include "world/people.h"
#include "world/rate.h"
#include "world/world.h"

// Chunks of one way of encoding, made when first asked for in a moment.
struct world_format {
    bool begun;
    uint32_t *first; // by position of the body: index of its first chunk
    uint32_t first_capacity;
    struct base_buffer **chunks;
    uint32_t chunk_count, chunk_capacity;
};

struct world_lossless;
struct world_tier;

// One frame that was made in the tick under way, for all streams of a selection.
struct world_shot {
    uint32_t substep; // after how many substeps of the tick; 0: before it
    struct base_frame *frame;
};

// What frames are to hold.
enum world_encoding { WORLD_F32, WORLD_Q16, WORLD_DELTA };
struct world_wish {
    enum protocol_arrays_mode arrays;
    enum world_encoding encoding; // of positions and skin
    float tolerance;              // of delta, m; else 0
    uint32_t fields;              // PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_*
    uint32_t nth;                 // vertices 0, nth, 2 nth, ... of each body
    bool boxed;                   // only bodies with a particle in the box; else zeros
    double box[6];                // the lowest x, y, z and the highest
    // Of delta, where a frame builds on the one before, streams share it only if they get the same ones; else zeros.
    uint32_t every;
    bool substeps;
    bool all;         // all bodies, later ones too; else:
    uint32_t *bodies; // ids, ascending, each once
    uint32_t body_count;
};

// Streams that ask for the same share it, and with it their frames.
struct world_selection {
    uint32_t streams; // that refer to it
    uint32_t counted; // scratch
    struct world_wish wish;
    bool wanted;                // in the moment under way
    bool key_wanted;            // the next frame of delta is to be had by those who hold nothing as well
    bool key_asked;             // the same, by those who missed what they should have built on
    uint64_t keyed_ns;          // when there was one of these last
    struct world_tier *tier;    // of q16 and delta: what it remembers; NULL until the first frame
    struct world_format own[2]; // of f32, where vertices are left out: chunks of particles, of skins
    uint64_t work;              // that its last frame took, or is thought to take
    uint64_t spent;             // work of its frame of the moment under way
    uint32_t payers;            // streams whose persons pay for that frame; 0: it is not made
    enum world_lack lack;       // why a frame of the tick, or of the present, under way was not made
    struct world_shot *shots;
    uint32_t shot_count, shot_capacity;
};

struct world_stream {
    uint32_t id, session;
    uint32_t every;
    bool substeps;        // unit of every
    bool due;             // gets the present state as soon as there is room
    bool lost;            // its last wanted frame was dropped: due once the world rests
    bool fresh;           // of delta: it holds nothing yet to build on
    bool asks;            // of delta: it missed what it should have built on
    bool rests;           // its peer takes nothing: it gets no frames of ticks
    bool pays;            // its person pays for the frame of the moment under way
    bool slow;            // some are missed for that, which is told when it rests no more
    enum world_lack lack; // why frames were left out, which is still to be told; NONE: nothing is to be told
    uint64_t missed;      // and so many are left out for good
    uint64_t unmade;      // the same since its last batch, which the next one tells
    struct world_rate rate;
    struct world_payer *payer;       // a reference
    struct world_lossless *lossless; // owned; NULL: it is live
    struct world_selection *selection;
};

struct world_streams {
    struct world_stream *items; // by id
    uint32_t count, capacity;
    struct world_selection **selections;
    uint32_t selection_count, selection_capacity;
    struct world_effort effort;
    struct world_cuts cuts; // what tiers share, and the bytes that they keep together
};

// Encoded by itself, and by nobody else's frames.
bool world_wish_is_own(const struct world_wish *wish);
// It would be one more selection of such wishes, and there are as many as there may be, or this session has as many by itself as
// there are places left, so that nobody takes all. `leaves` is let go for it by one stream (NULL: none is).
bool world_streams_full(struct world_streams *streams, uint32_t session, struct world_wish *wish,
                        const struct world_selection *leaves);
// wish->bodies is consumed: sorted, made unique, and kept or freed. NULL without memory.
struct world_selection *world_selection_get(struct world_streams *streams, struct world_wish *wish);
void world_selection_put(struct world_streams *streams, struct world_selection *selection);
bool world_streams_reserve(struct world_streams *streams); // room for one more
// Takes its selection and what is lossless of it.
void world_streams_add(struct world_streams *streams, const struct world_stream *stream);
// The stream gets frames of this selection from now on, and lets go of the one that it had.
void world_stream_select(struct world_streams *streams, struct world_stream *stream,
                         struct world_selection *selection);
struct world_stream *world_streams_find(const struct world_streams *streams, uint32_t id);
void world_streams_remove(struct world_streams *streams, uint32_t id);
void world_streams_remove_session(struct world_streams *streams, uint32_t session);
void world_streams_deinit(struct world_streams *streams);

#endif
