// In which order a body's vertices are coded, and from which others each is predicted (plan.c).
#ifndef WEFT_PROTOCOL_CODEC_PLAN_H
#define WEFT_PROTOCOL_CODEC_PLAN_H

#include "protocol/codec/codec.h"

// The pivot, the outer two, the opposite two.
enum { PLAN_S, PLAN_O1, PLAN_O2, PLAN_P1, PLAN_P2, PLAN_FROM };

struct codec_plan {
    uint32_t count;
    uint32_t level_count;
    uint32_t *ends;              // by level: where it ends. Nothing is predicted from its own level
    uint32_t *vertex;            // by place: the vertex that is coded there
    uint32_t (*from)[PLAN_FROM]; // by place: earlier places; count where there is none, a row of zeros
};

#endif
