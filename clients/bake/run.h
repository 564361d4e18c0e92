// What job.c and frames.c share: one bake under way.
#ifndef WEFT_BAKE_RUN_H
#define WEFT_BAKE_RUN_H

#include "bake/bake.h"
#include "document/document.h"

struct bake {
    const struct bake_job *job;
    struct bake_result *result;
    struct document *document;
    struct sim *sim;
    struct record_take *take;
    struct bake_series *series;
    float *positions, *poses; // of one frame
    double *scratch;          // for the positions of a skin
    uint64_t key, ticks, total;
    uint64_t took_ns, begun_ns; // by the ticks of earlier runs; when this one began
    char take_path[4200], checkpoint_path[4200];
    bool bad; // a frame could not be kept
    struct record_why why;
};

// frames.c: what is recorded. Both return false without memory; the second also where the take cannot be made, and says why.
bool bake_frames_make_room(struct bake *bake); // for one frame
bool bake_frames_make_take(struct bake *bake);
// during: the substeps of the tick under way that are done; 0: between ticks.
void bake_frames_keep(struct bake *bake, uint64_t tick, uint32_t substep, uint32_t during);

#endif
