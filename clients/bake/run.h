// What job.c and frames.c share: one bake under way.
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
    struct bake_seen *bodies; // of the take
    uint32_t *colliders;      // ids
    uint32_t body_count, collider_count;
    float *positions, *poses; // of one frame
    double *scratch;          // for the positions of a skin
    uint64_t key, ticks, total;
    uint64_t took_ns, begun_ns; // by the ticks of earlier runs; when this one began
    char take_path[4200], checkpoint_path[4200];
    bool bad; // a frame could not be kept
    struct record_why why;
};

// frames.c: what is recorded. Both return false without memory; the second also where the take cannot be made, and says why.
bool bake_frames_make_room(struct bake *bake); // for one frame of what there is
bool bake_frames_make_take(struct bake *bake);
// Whether all bodies are there that were when room was made, and as large. Colliders that are gone stay where they were.
bool bake_frames_are_there(const struct bake *bake);
// during: the substeps of the tick under way that are done; 0: between ticks.
void bake_frames_keep(struct bake *bake, uint64_t tick, uint32_t substep, uint32_t during);
void bake_frames_deinit(struct bake *bake);

// job.c: the take becomes the output, unless the bake failed and there is one already. False: bake->why.
struct record_meter;
bool bake_put_in_place(struct bake *bake, struct record_meter *meter);

#endif
