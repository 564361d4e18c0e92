// One moment of a world as chunks and frames.
#ifndef WEFT_WORLD_SNAPSHOT_H
#define WEFT_WORLD_SNAPSHOT_H

#include "protocol/bytes.h"
#include "world/people.h"
#include "world/stream.h"
#include "world/world.h"

enum {
    WORLD_CHUNK_FIELDS = 4,                                   // positions, positions64, velocities, normals
    WORLD_FORMATS = WORLD_ARRAYS_MODES << WORLD_CHUNK_FIELDS, // of chunks of particles
};

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
    struct protocol_bytes measures, grabs[WORLD_ARRAYS_MODES], colliders, contact,
        contacts[WORLD_ARRAYS_MODES];
    bool unfit; // the last thing that was not made had no room in the budget: it was not memory that lacked
    bool measures_made, grabs_made[WORLD_ARRAYS_MODES], colliders_made, contact_made,
        contacts_made[WORLD_ARRAYS_MODES];
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

bool world_snapshot_prepare(struct world_snapshot *snapshot); // memory for the first stream; may be repeated
void world_snapshot_deinit(struct world_snapshot *snapshot);
void world_snapshot_begin(struct world_snapshot *snapshot, const struct world_moment *moment);
// NULL: no memory, or the budget is used up.
struct base_frame *world_snapshot_frame(struct world_snapshot *snapshot,
                                        const struct world_selection *selection);
void world_snapshot_end(struct world_snapshot *snapshot);
// Bytes of a frame without its prefixes, about.
size_t world_snapshot_size(const struct world_snapshot *snapshot, const struct world_selection *selection);

#endif
