// Whole numbers of 256 bits, and what they say of edges and triangles, by other formulas than the solver's.
#include "helper_wide_int.h"

#include <stdbool.h>

enum { WORDS = 8 };

struct wide_int wide_int_of(int64_t value)
{
    struct wide_int out;
    for (int i = 0; i < WORDS; i++) {
        out.words[i] = i < 2 ? (uint32_t)((uint64_t)value >> 32 * i) : value < 0 ? UINT32_MAX : 0;
    }
    return out;
}

struct wide_int wide_int_add(struct wide_int a, struct wide_int b)
{
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; i++) {
        carry += (uint64_t)a.words[i] + b.words[i];
        a.words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return a;
}

struct wide_int wide_int_sub(struct wide_int a, struct wide_int b)
{
    for (int i = 0; i < WORDS; i++) {
        b.words[i] = ~b.words[i];
    }
    return wide_int_add(wide_int_add(a, b), wide_int_of(1));
}

struct wide_int wide_int_mul(struct wide_int a, struct wide_int b)
{
    struct wide_int out = {{0}};
    for (int i = 0; i < WORDS; i++) {
        uint64_t carry = 0;
        for (int k = 0; i + k < WORDS; k++) {
            carry += (uint64_t)a.words[i] * b.words[k] + out.words[i + k];
            out.words[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return out;
}

int wide_int_sign(struct wide_int a)
{
    uint32_t any = 0;
    for (int i = 0; i < WORDS; i++) {
        any |= a.words[i];
    }
    return a.words[WORDS - 1] >> 31 != 0 ? -1 : any != 0;
}

int wide_int_orientation(const int64_t points[4][3])
{
    struct wide_int sum = {{0}};
    for (int code = 0; code < 256; code++) {
        const int row_of[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6}; // of each column
        int seen = 0, swaps = 0;
        for (int i = 0; i < 4; i++) {
            seen |= 1 << row_of[i];
            for (int k = 0; k < i; k++) {
                swaps += row_of[k] > row_of[i];
            }
        }
        if (seen != 15) {
            continue;
        }
        struct wide_int product = wide_int_of(swaps % 2 == 0 ? 1 : -1);
        for (int column = 0; column < 3; column++) {
            product = wide_int_mul(product, wide_int_of(points[row_of[column]][column]));
        }
        sum = wide_int_add(sum, product);
    }
    return -wide_int_sign(sum); // ones in the last column instead of the first: an odd number of swaps
}

struct vec {
    struct wide_int x[3];
};

static struct vec apart(const int64_t a[3], const int64_t b[3])
{
    struct vec out;
    for (int axis = 0; axis < 3; axis++) {
        out.x[axis] = wide_int_sub(wide_int_of(a[axis]), wide_int_of(b[axis]));
    }
    return out;
}

static struct vec cross(const struct vec *a, const struct vec *b)
{
    struct vec out;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out.x[i] = wide_int_sub(wide_int_mul(a->x[j], b->x[k]), wide_int_mul(a->x[k], b->x[j]));
    }
    return out;
}

static struct wide_int dot(const struct vec *a, const struct vec *b)
{
    struct wide_int sum = wide_int_mul(a->x[0], b->x[0]);
    sum = wide_int_add(sum, wide_int_mul(a->x[1], b->x[1]));
    return wide_int_add(sum, wide_int_mul(a->x[2], b->x[2]));
}

// x = p + (height / fall) way is in the plane. 0 <= height / fall <= 1, and fall x is on no corner's outer side.
int wide_int_edge_crosses(const int64_t edge[2][3], const int64_t triangle[3][3])
{
    struct vec u = apart(triangle[1], triangle[0]), v = apart(triangle[2], triangle[0]);
    struct vec normal = cross(&u, &v), way = apart(edge[1], edge[0]), from = apart(triangle[0], edge[0]);
    struct wide_int fall = dot(&normal, &way), height = dot(&normal, &from);
    const int down = wide_int_sign(fall);
    if (down == 0 || wide_int_sign(height) * down < 0 ||
        wide_int_sign(wide_int_sub(fall, height)) * down < 0) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        struct vec side = apart(triangle[(i + 1) % 3], triangle[i]), x = apart(edge[0], triangle[i]);
        for (int axis = 0; axis < 3; axis++) {
            x.x[axis] = wide_int_add(wide_int_mul(fall, x.x[axis]), wide_int_mul(height, way.x[axis]));
        }
        struct vec turn = cross(&side, &x);
        if (wide_int_sign(dot(&turn, &normal)) * down < 0) {
            return false;
        }
    }
    return true;
}
