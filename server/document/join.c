// Joins as clients name them, with as many particles on each side as it has, become joins as the sim has them: three on each
// side. A corner that is not used repeats the first particle of its side and weighs 0.
#include "document/parts.h"

#include <string.h>

// Particles of each side.
static bool sides_of(const struct document_reader *reader, const struct document_joins *given,
                     uint32_t sides[2])
{
    const uint32_t *said = NULL;
    sides[0] = sides[1] = 1;
    if (!given->sides) {
        return true;
    }
    if (!document_reader_count(reader, "sides", given->sides->count, 2, NULL) ||
        !document_reader_u32s(reader, "sides", given->sides, &said)) {
        return false;
    }
    for (uint32_t side = 0; side < 2; side++) {
        sides[side] = said[side];
        if (said[side] < 1 || said[side] > SIM_JOIN_SIDE) {
            return document_reader_refuse(
                reader, PROTOCOL_CODE_INVALID, "sides",
                "element %u is %u; must be 1 (a point), 2 (an edge) or 3 (a triangle)", side, said[side]);
        }
    }
    return true;
}

bool document_joins_count(const struct document_reader *reader, const struct document_joins *given,
                          uint32_t length, uint32_t *count)
{
    uint32_t sides[2];
    if (!sides_of(reader, given, sides)) {
        return false;
    }
    const uint32_t each = sides[0] + sides[1];
    *count = length / each;
    return (length > 0 && length % each == 0) ||
           document_reader_refuse(
               reader, PROTOCOL_CODE_INVALID, "particles",
               "length %u; must be a positive multiple of %u: %u and %u for the sides of each join", length,
               each, sides[0], sides[1]);
}

bool document_joins_expand(const struct document_reader *reader, const struct document_joins *given,
                           uint32_t count, const uint32_t **bodies, const uint32_t **particles,
                           const double **weights)
{
    uint32_t sides[2];
    const double *said = NULL;
    if (!sides_of(reader, given, sides)) {
        return false;
    }
    const uint32_t each = sides[0] + sides[1];
    const size_t corners = (size_t)count * SIM_STENCIL_MAX;
    if (given->weights &&
        (!document_reader_count(reader, "weights", given->weights->count, count * each, "one a particle") ||
         !document_reader_f64s(reader, "weights", given->weights, count * each, "one a particle", &said))) {
        return false;
    }
    uint32_t *of = document_reader_alloc(reader, corners, sizeof *of);
    uint32_t *at = document_reader_alloc(reader, corners, sizeof *at);
    double *shares = document_reader_alloc(reader, corners, sizeof *shares);
    if (!of || !at || !shares) {
        return false;
    }
    for (uint32_t c = 0; c < count; c++) {
        for (uint32_t k = 0; k < SIM_STENCIL_MAX; k++) {
            const uint32_t side = k / SIM_JOIN_SIDE, corner = k % SIM_JOIN_SIDE;
            const size_t first = (size_t)c * each + (side > 0 ? sides[0] : 0);
            const bool used = corner < sides[side];
            const size_t from = first + (used ? corner : 0), to = (size_t)c * SIM_STENCIL_MAX + k;
            of[to] = (*bodies)[from];
            at[to] = (*particles)[from];
            shares[to] = !used ? 0 : said ? said[from] : 1.0 / sides[side];
        }
    }
    *bodies = of;
    *particles = at;
    *weights = shares;
    return true;
}
