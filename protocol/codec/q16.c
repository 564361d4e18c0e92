// Encoding q16: positions in steps of a 65535th of their box.
//
//     kind u8, 3 zeros, count u32, low f32[3], step f32[3], error f32[3], then 3 count u16
//
// A coordinate comes back as float(low + n step), computed in double. Rounding to a step is off by half of one, and
// rounding to a float by half the spacing of floats there.
#include "protocol/codec/codec.h"

#include "protocol/assert.h"

#include <float.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are written as they lie in memory");

enum { Q16_PLAIN, Q16_BOX, HEAD_SIZE = 8, BOX_SIZE = 36, STEPS = 65535 };

size_t codec_q16_bound(uint32_t count)
{
    return HEAD_SIZE + BOX_SIZE + 3 * sizeof(float) * (size_t)count;
}

struct box {
    float low[3], step[3], error[3];
};

// The next float above a positive one.
static float above(double value)
{
    float result = (float)value;
    uint32_t bits;
    memcpy(&bits, &result, sizeof bits);
    bits++;
    memcpy(&result, &bits, sizeof bits);
    return result;
}

// False if a coordinate is not finite, or so large that what it comes back as might not be.
static bool box_find(const float *positions, uint32_t count, struct box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        float low = FLT_MAX, high = -FLT_MAX;
        for (uint32_t i = 0; i < count; i++) {
            float value = positions[3 * (size_t)i + axis];
            if (!(value >= -FLT_MAX / 4 && value <= FLT_MAX / 4)) {
                return false;
            }
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        double extent = (double)high - (double)low;
        double largest = (double)(high > -low ? high : -low);
        box->low[axis] = low;
        // One float up: as many steps as there are reach all of the box.
        box->step[axis] = extent > 0 ? above(extent / STEPS) : 0;
        box->error[axis] =
            extent > 0 ? above((double)box->step[axis] * 0.5 + largest * (1.0 / (1 << 24))) : 0;
    }
    return true;
}

size_t codec_q16_encode(const float *positions, uint32_t count, uint8_t *out)
{
    PROTOCOL_ASSERT(count <= CODEC_COUNT_MAX);
    struct box box;
    bool is_box = count > 0 && box_find(positions, count, &box);
    memset(out, 0, HEAD_SIZE);
    out[0] = is_box ? Q16_BOX : Q16_PLAIN;
    memcpy(out + 4, &count, sizeof count);
    if (!is_box) {
        size_t size = 3 * sizeof(float) * (size_t)count;
        if (size > 0) {
            memcpy(out + HEAD_SIZE, positions, size);
        }
        return HEAD_SIZE + size;
    }
    memcpy(out + HEAD_SIZE, &box, BOX_SIZE);
    uint8_t *at = out + HEAD_SIZE + BOX_SIZE;
    double inverse[3];
    for (int axis = 0; axis < 3; axis++) {
        inverse[axis] = box.step[axis] > 0 ? 1 / (double)box.step[axis] : 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint16_t steps[3];
        for (int axis = 0; axis < 3; axis++) {
            double place = ((double)positions[3 * (size_t)i + axis] - (double)box.low[axis]) * inverse[axis];
            steps[axis] = (uint16_t)(place + 0.5 < STEPS ? place + 0.5 : STEPS);
        }
        memcpy(at, steps, sizeof steps);
        at += sizeof steps;
    }
    return (size_t)(at - out);
}

static bool box_is_right(const struct box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        const float *numbers[] = {&box->low[axis], &box->step[axis], &box->error[axis]};
        for (int i = 0; i < 3; i++) {
            if (!(*numbers[i] >= -FLT_MAX && *numbers[i] <= FLT_MAX)) {
                return false;
            }
        }
        double high = (double)box->low[axis] + STEPS * (double)box->step[axis];
        if (box->step[axis] < 0 || box->error[axis] < 0 || high > (double)FLT_MAX) {
            return false;
        }
    }
    return true;
}

enum codec_status codec_q16_decode(const uint8_t *data, size_t size, uint32_t count, float *out)
{
    uint32_t told;
    struct box box;
    if (size < HEAD_SIZE || count > CODEC_COUNT_MAX) {
        return CODEC_INVALID;
    }
    memcpy(&told, data + 4, sizeof told);
    if (told != count || data[0] > Q16_BOX || data[1] != 0 || data[2] != 0 || data[3] != 0) {
        return CODEC_INVALID;
    }
    size_t number_count = 3 * (size_t)count;
    if (data[0] == Q16_PLAIN) {
        if (size != HEAD_SIZE + number_count * sizeof(float)) {
            return CODEC_INVALID;
        }
        if (count > 0) {
            memcpy(out, data + HEAD_SIZE, number_count * sizeof(float));
        }
        return CODEC_OK;
    }
    if (count == 0 || size != HEAD_SIZE + BOX_SIZE + number_count * sizeof(uint16_t)) {
        return CODEC_INVALID;
    }
    memcpy(&box, data + HEAD_SIZE, BOX_SIZE);
    if (!box_is_right(&box)) {
        return CODEC_INVALID;
    }
    const uint8_t *at = data + HEAD_SIZE + BOX_SIZE;
    for (uint32_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++, at += 2) {
            uint16_t steps;
            memcpy(&steps, at, sizeof steps);
            out[3 * (size_t)i + axis] = (float)((double)box.low[axis] + steps * (double)box.step[axis]);
        }
    }
    return CODEC_OK;
}

void codec_q16_error(const uint8_t *data, float error[3])
{
    struct box box = {0};
    if (data[0] == Q16_BOX) {
        memcpy(&box, data + HEAD_SIZE, BOX_SIZE);
    }
    memcpy(error, box.error, sizeof box.error);
}
