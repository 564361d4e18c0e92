// Finds the weights with which the rows of one frame are predicted best (predict.h).
#ifndef WEFT_PROTOCOL_CODEC_FIT_H
#define WEFT_PROTOCOL_CODEC_FIT_H

#include "protocol/codec/predict.h"

// rows, past: plan->count, in the order of the plan. past is E of predict.h; if it is NULL its weight is 0.
struct weights fit_weights(const struct codec_plan *plan, const uint32_t (*rows)[4],
                           const uint32_t (*past)[4]);

#endif
