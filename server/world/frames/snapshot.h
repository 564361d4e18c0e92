// Encodes one moment of a world as chunks and frames. Simulation thread.
#ifndef WEFT_WORLD_SNAPSHOT_H
#define WEFT_WORLD_SNAPSHOT_H

#include "protocol/bytes.h"
#include "protocol/frame.h"
#include "world/frames/stream.h"
#include "world/people/people.h"
#include "world/world.h"

enum {
    // positions, positions64, velocities, normals, rotations, rotations64
    WORLD_CHUNK_FIELDS = 6,
    WORLD_FORMATS = WORLD_ARRAYS_MODES << WORLD_CHUNK_FIELDS, // ways to encode chunks of particles
    WORLD_PREFIX_MAX = 1024,    // bytes of a prefix with measures and contact, without grabs
    WORLD_CHUNK_HEAD_MAX = 256, // bytes of a chunk besides its numbers
    // Bytes of the numbers in a chunk.
    WORLD_RANGE_BYTES = (int)PROTOCOL_LIMIT_FRAME_PART_BYTES - PROTOCOL_FRAME_HEAD_SIZE - WORLD_PREFIX_MAX -
                        WORLD_CHUNK_HEAD_MAX,
};

struct world_moment {
    uint64_t tick;
    uint32_t substep;
    double time;
    uint64_t revision;
};

struct base_hash;
struct base_parallel;
struct world_tile;
struct world_times;

// Chunks of the frame under way.
struct world_picks {
    struct base_buffer **items;
    size_t count, capacity;
    uint32_t left_out; // chunks that are not among them, because they are as in the frame before
    bool owned;        // holds references of its own; else those of formats
};

struct world_snapshot {
    uint32_t world_id;
    uint64_t epoch; // epoch under which this server writes the world, if several servers share it; else 0
    const struct document *document;
    const struct world_people *people;
    struct base_budget *budget;
    const struct world_times *times;
    struct world_moment moment;
    struct world_format formats[WORLD_FORMATS];
    uint32_t format_top;                           // no format from this one on has begun in this moment
    struct world_format skins[WORLD_ARRAYS_MODES]; // chunks of the vertices of skins
    struct protocol_bytes measures, grabs[WORLD_ARRAYS_MODES], colliders, contact,
        contacts[WORLD_ARRAYS_MODES], asleep;
    bool unfit; // the last thing that was not made lacked room in the budget, and not memory
    bool measures_made, grabs_made[WORLD_ARRAYS_MODES], colliders_made, contact_made,
        contacts_made[WORLD_ARRAYS_MODES], asleep_made;
    float *positions, *velocities; // of one range
    double *positions64;
    float *rotations;    // of one range; NULL until a stream has asked for them
    double *rotations64; // the same
    size_t rotations_capacity, rotations64_capacity;
    float *normals_picked; // of one range, if vertices are left out
    float *normals;        // of one body
    size_t normals_capacity;
    uint32_t normals_body; // body of `normals` in this moment; 0: none
    double *bases;         // positions of one body's particles, for its skin
    size_t bases_capacity;
    uint32_t bases_body;            // body of `bases` in this moment; 0: none
    struct world_picks picks, keys; // Scratch. keys: the same moment for clients that hold nothing.
    // Scratch for compact positions (packed.c).
    float *gathered; // positions of one body or skin
    size_t gathered_capacity;
    float *tiled; // the same positions, tile by tile
    size_t tiled_capacity;
    uint8_t *packed; // their encoded bytes
    size_t packed_capacity;
    struct world_tile *tiles; // tiles of one body or skin
    size_t tile_capacity;
    struct base_hash *hash;
    uint64_t work;                  // work done so far, as effort.h counts it
    uint64_t number;                // number of the last frame that others may build on
    struct world_cuts *cuts;        // the world's
    struct base_parallel *parallel; // for encoding tiles; may be NULL
};

// Allocates memory when the first stream comes. May be called again. False if memory runs out.
bool world_snapshot_prepare(struct world_snapshot *snapshot);
void world_snapshot_deinit(struct world_snapshot *snapshot);
void world_snapshot_begin(struct world_snapshot *snapshot, const struct world_moment *moment);
// Which streams a frame that others may build on is for. Other frames ignore it.
enum world_purpose {
    WORLD_FOR_ALL,      // it builds on the one before
    WORLD_FOR_ALL_KEYS, // the same, and once more as a key for clients that hold nothing
    WORLD_FOR_SOME,     // it stands alone, and the next frame does not build on it
};
// Makes the frame of a selection. NULL if memory or the budget runs out; `unfit` says which.
struct base_frame *world_snapshot_frame(struct world_snapshot *snapshot, struct world_selection *selection,
                                        enum world_purpose purpose);
void world_snapshot_end(struct world_snapshot *snapshot);
// Returns the bytes of a frame without its prefixes, about.
size_t world_snapshot_size(const struct world_snapshot *snapshot, const struct world_selection *selection);

#endif
