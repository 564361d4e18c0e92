// The members of a plan: in which order vertices are coded, and from which others each is predicted.
// docs/reference/compressed.md specifies it, plan.c computes it.
#ifndef WEFT_PROTOCOL_CODEC_PLAN_H
#define WEFT_PROTOCOL_CODEC_PLAN_H

#include "protocol/codec/codec.h"

// The five vertices of a prediction: the pivot s, the outer two, the opposite two (predict.h).
enum { PLAN_S, PLAN_O1, PLAN_O2, PLAN_P1, PLAN_P2, PLAN_FROM };

struct codec_plan {
    uint32_t count; // vertices, and places
    // Levels are ranges of places. No vertex is predicted from one of its own level, so a level's vertices are independent.
    uint32_t level_count;
    uint32_t *ends;              // for each level, the place after its last
    uint32_t *vertex;            // for each place, the vertex that is coded there
    uint32_t (*from)[PLAN_FROM]; // for each place, five earlier places; `count` stands for a row of zeros
};

#endif
