// The weights of a prediction that suit a frame.
#ifndef WEFT_PROTOCOL_CODEC_FIT_H
#define WEFT_PROTOCOL_CODEC_FIT_H

#include "protocol/codec/predict.h"

// past: NULL where there is none, and then its weight is 0.
struct weights fit_weights(const struct codec_plan *plan, const uint32_t (*rows)[4],
                           const uint32_t (*past)[4]);

#endif
