// Wire arrays as plain C arrays in the request's memory.
//
// The decoder has checked types, ranges and that lengths are multiples; what an array must have as many of
// as another one is checked here.
#include "world/world_internal.h"

#include <math.h>

bool world_call_u32s(struct world_call *call, const char *field, const struct protocol_array *array,
                     const uint32_t **out)
{
    uint32_t *copy = world_call_alloc(call, array->count, sizeof *copy);
    uint32_t bad = 0;
    if (!copy) {
        return false;
    }
    if (!protocol_array_copy_u32(array, copy, &bad)) {
        return world_refuse(call, PROTOCOL_CODE_INVALID, field,
                            "%s: element %u must be an integer from 0 to 4294967295", field, bad);
    }
    *out = copy;
    return true;
}

bool world_call_f64s(struct world_call *call, const char *field, const struct protocol_array *array,
                     uint32_t count, const char *per, const double **out)
{
    bool scalar = protocol_array_is_one(array);
    if (!scalar && array->count != count) {
        return world_refuse(call, PROTOCOL_CODE_INVALID, field, "%s: length %u; must be %u (%s)", field,
                            array->count, count, per);
    }
    double *copy = world_call_alloc(call, count, sizeof *copy);
    if (!copy) {
        return false;
    }
    if (scalar) {
        double value = protocol_array_f64_at(array, 0);
        for (uint32_t i = 0; i < count; i++) {
            copy[i] = value;
        }
    } else {
        protocol_array_copy_f64(array, copy);
    }
    *out = copy;
    return true;
}

bool world_call_f32s(struct world_call *call, const char *field, const struct protocol_array *array,
                     uint32_t count, const char *per, const float **out)
{
    const double *wide = NULL;
    if (!world_call_f64s(call, field, array, count, per, &wide)) {
        return false;
    }
    float *copy = world_call_alloc(call, count, sizeof *copy);
    if (!copy) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = (float)wide[i];
        if (!isfinite(copy[i])) {
            return world_refuse(call, PROTOCOL_CODE_INVALID, field,
                                "%s: element %u is %g; must fit a 32-bit float", field, i, wide[i]);
        }
    }
    *out = copy;
    return true;
}
