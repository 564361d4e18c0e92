// Keeps the streams of a world, and the selections that they share. Simulation thread.
#ifndef WEFT_WORLD_STREAM_H
#define WEFT_WORLD_STREAM_H

#include "world/frames/cuts.h"
#include "world/frames/effort.h"
#include "world/frames/rate.h"
#include "world/people/people.h"
#include "world/world.h"

// Chunks in one encoding, made when a frame first needs them in a moment.
struct world_format {
    bool begun;
    uint32_t *first; // by index of the body: index of its first chunk
    uint32_t first_capacity;
    struct base_buffer **chunks;
    uint32_t chunk_count, chunk_capacity;
};

struct world_lossless;
struct world_tier;

// A frame that was made in the present tick, and is held for all streams of a selection until the tick ends.
struct world_shot {
    uint32_t substep; // substeps done when it was made; 0: before the tick
    struct base_frame *frame;
};

// The contents that a stream asks its frames to have.
enum world_encoding { WORLD_F32, WORLD_Q16, WORLD_DELTA };
struct world_stream_options {
    enum protocol_arrays_mode arrays;
    enum world_encoding encoding; // encoding of positions and skin
    float tolerance;              // in metres, for delta; else 0
    uint32_t fields;              // bits PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_*
    uint32_t nth;                 // takes the vertices 0, nth, 2 nth, … of each body
    bool boxed;                   // takes only bodies with a particle in the box
    double box[6];                // the lowest x, y, z and the highest; zeros without a box
    bool sparse;                  // leaves out chunks that are as in the frame before
    // For frames that build on the one before (world_stream_chained): streams share them only if they get the same ones. Else
    // zeros.
    uint32_t every;
    bool substeps;
    bool all;         // takes all bodies, later ones too; else those of `bodies`
    uint32_t *bodies; // ids, ascending, each once
    uint32_t body_count;
};

// Whether frames may build on the one before: those of delta, and sparse ones.
static inline bool world_stream_chained(const struct world_stream_options *options)
{
    return options->encoding == WORLD_DELTA || options->sparse;
}

// Streams that ask for the same share a selection, and with it their frames.
struct world_selection {
    uint32_t streams; // number of streams that refer to it
    uint32_t counted; // scratch
    struct world_stream_options options;
    bool wanted;       // a frame is wanted at the present moment
    bool key_wanted;   // the next frame of delta needs a key, for new clients
    bool key_asked;    // the next frame of delta needs a key, for clients that missed a frame
    uint64_t keyed_ns; // when the last key for such clients was made
    struct world_tier
        *tier; // state of q16 and delta for each body, and of sparse f32; NULL until the first frame
    struct world_format own[2]; // for f32 with vertices left out: chunks of particles, and of skins
    uint64_t work;              // work of its last frame, or the expected work of the next one (effort.h)
    uint64_t spent;             // work of its frame at the present moment
    uint32_t payers;            // streams whose persons pay for that frame; 0: it is not made
    enum world_lack lack;       // why a frame was not made, in the present tick or present frame
    struct world_shot *shots;
    uint32_t shot_count, shot_capacity;
};

struct world_stream {
    uint32_t id, session;
    uint32_t every;       // it gets every n-th tick or substep
    bool substeps;        // unit of every: substeps or ticks
    bool due;             // it gets the present state as soon as there is room
    bool lost;            // its last wanted frame was dropped: it gets one when the world pauses
    bool fresh;           // for delta: it was sent nothing yet to build on
    bool asks;            // for delta: it missed the frame that the next one builds on
    bool rests;           // its peer takes nothing, so it gets no frames of ticks
    bool pays;            // its person pays for the frame at the present moment
    bool slow;            // frames were left out while it rested; the session is told when it goes on
    enum world_lack lack; // why frames were left out, until the session is told; NONE: nothing to tell
    uint64_t missed;      // frames left out for good, until the session is told
    uint64_t unmade;      // frames left out since its last batch; the next batch reports them
    struct world_rate rate;
    struct world_payer *payer;       // holds a reference
    struct world_lossless *lossless; // owned; NULL: the stream is live
    struct world_selection *selection;
};

struct world_streams {
    struct world_stream *items; // by id
    uint32_t count, capacity;
    struct world_selection **selections;
    uint32_t selection_count, selection_capacity;
    struct world_effort effort;
    struct world_cuts cuts; // cuts that tiers share, and the bytes that they keep together
};

// Whether streams with these options need chunks that they share with no others: all but whole bodies in f32.
bool world_stream_options_unshared(const struct world_stream_options *options);
// Whether a selection with these options would exceed the limit. It does if there are as many as may be, or
// if this session has by itself as many as there are places left, so that nobody takes all. `leaves` is a
// selection that one stream gives up for it; NULL: none.
bool world_streams_full(struct world_streams *streams, uint32_t session, struct world_stream_options *options,
                        const struct world_selection *leaves);
// Finds or makes the selection with these options and takes a reference. options->bodies is consumed: sorted,
// made unique, and kept or freed. NULL if memory runs out.
struct world_selection *world_selection_get(struct world_streams *streams,
                                            struct world_stream_options *options);
// Gives a reference back.
void world_selection_put(struct world_streams *streams, struct world_selection *selection);
// Makes room for one more stream. False if memory runs out.
bool world_streams_reserve(struct world_streams *streams);
// Adds a stream, and takes its selection and its lossless part.
void world_streams_add(struct world_streams *streams, const struct world_stream *stream);
// Gives the stream frames of this selection from now on, and releases the one that it had.
void world_stream_select(struct world_streams *streams, struct world_stream *stream,
                         struct world_selection *selection);
// Finds a stream. NULL: there is none.
struct world_stream *world_streams_find(const struct world_streams *streams, uint32_t id);
// Removes a stream, which must exist.
void world_streams_remove(struct world_streams *streams, uint32_t id);
void world_streams_remove_session(struct world_streams *streams, uint32_t session);
void world_streams_deinit(struct world_streams *streams);

#endif
