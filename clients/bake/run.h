// Declarations that job.c and frames.c share: the state of one bake.
#ifndef WEFT_BAKE_RUN_H
#define WEFT_BAKE_RUN_H

#include "bake/bake.h"
#include "document/document.h"

// A body as it was when the take began.
struct bake_seen {
    uint32_t id, count; // particles, or vertices of the skin
};

struct bake {
    const struct bake_job *job;
    struct bake_result *result;
    struct document *document;
    struct sim *sim;
    struct record_take *take;
    struct bake_series *series;
    struct bake_seen *bodies; // bodies of the take
    uint32_t *colliders;      // ids
    uint32_t body_count, collider_count;
    float *positions, *poses; // of one frame
    double *scratch;          // positions of a skin
    uint64_t key, ticks, total;
    uint64_t took_ns, begun_ns; // took_ns: time in ticks of earlier runs; begun_ns: when this run began
    char take_path[4200], checkpoint_path[4200];
    bool bad; // a frame could not be kept
    struct fault fault;
};

// frames.c: recording. Both return false if memory runs out. The second also fails if the take cannot be created, and
// says why.
bool bake_frames_make_room(struct bake *bake); // allocates one frame of the present scene
bool bake_frames_make_take(struct bake *bake);
// Whether all bodies are present and have the size that they had when memory was allocated. Colliders that were removed
// keep their last pose.
bool bake_frames_are_there(const struct bake *bake);
// during: number of substeps done in the current tick; 0: between ticks.
void bake_frames_keep(struct bake *bake, uint64_t tick, uint32_t substep, uint32_t during);
void bake_frames_deinit(struct bake *bake);

// job.c: turns the take into the output, unless the bake failed and an output exists. False: bake->fault.
struct record_meter;
bool bake_put_in_place(struct bake *bake, struct record_meter *meter);

#endif
