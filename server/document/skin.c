// Skins: surfaces that go along with bodies, finer than what is solved.
//
//     x(vertex) = x₃ + w₀ (x₀ − x₃) + w₁ (x₁ − x₃) + w₂ (x₂ − x₃)
//
// with the four particles of the vertex: the weighted sum with w₃ = 1 − w₀ − w₁ − w₂, written so that rounding does
// not grow with the distance from the origin. A skin is no part of the state: it is computed from positions where
// somebody wants to see it, in double and always in this order, and never read by the physics.
#include "document/parts.h"

#include <math.h>
#include <stdlib.h>

// Weights that were kept as f32 are given again (world.open), and must pass as they did before.
static const double WEIGHTS_SUM_TOLERANCE = 1e-3, WEIGHTS_ROUNDING = 0x1p-23, WEIGHTS_MOST = 1e6;

uint32_t document_skin_count(const struct document_skin *skin)
{
    return skin ? skin->vertex_count : 0;
}

size_t document_skin_bytes(const struct document_skin *skin)
{
    return (size_t)skin->vertex_count * 4 * (sizeof *skin->particles + sizeof *skin->weights) +
           (size_t)skin->triangle_count * 3 * sizeof *skin->triangles;
}

void document_skin_destroy(struct document_skin *skin)
{
    if (skin) {
        free(skin->particles);
        free(skin->weights);
        free(skin->triangles);
        free(skin);
    }
}

static bool refuse_limit(struct protocol_error *error, const char *field, const char *noun, uint32_t count,
                         uint32_t most, const char *limit)
{
    protocol_error_set(error, PROTOCOL_CODE_LIMIT, field, "%s: %u %s; a world takes at most %u (limit %s)",
                       field, count, noun, most, limit);
    error->limit = (double)most;
    return false;
}

static bool sizes_right(const struct protocol_skin *given, struct protocol_error *error)
{
    if (given->particles.count == 0) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "skin.particles",
                           "skin.particles: empty; must hold four particles for each vertex");
        return false;
    }
    if (given->weights.type == PROTOCOL_ARRAY_SCALAR || given->weights.count != given->particles.count) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "skin.weights",
                           "skin.weights: length %u; must be %u, that of skin.particles",
                           given->weights.count, given->particles.count);
        return false;
    }
    if (given->particles.count / 4 > PROTOCOL_LIMIT_SKIN_VERTICES) {
        return refuse_limit(error, "skin.particles", "vertices", given->particles.count / 4,
                            (uint32_t)PROTOCOL_LIMIT_SKIN_VERTICES, "skin_vertices");
    }
    if (given->triangles.count / 3 > PROTOCOL_LIMIT_SKIN_TRIANGLES) {
        return refuse_limit(error, "skin.triangles", "triangles", given->triangles.count / 3,
                            (uint32_t)PROTOCOL_LIMIT_SKIN_TRIANGLES, "skin_triangles");
    }
    return true;
}

// Indices below count, as an array of their own.
static bool indices_take(const struct protocol_array *array, const char *field, const char *noun,
                         uint32_t count, uint32_t **out, struct protocol_error *error)
{
    uint32_t bad = 0;
    *out = malloc(((size_t)array->count + 1) * sizeof **out);
    if (!*out) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the skin; nothing changed");
        return false;
    }
    if (!protocol_array_copy_u32(array, *out, &bad)) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, field,
                           "%s: element %u must be an integer from 0 to 4294967295", field, bad);
        return false;
    }
    for (uint32_t i = 0; i < array->count; i++) {
        if ((*out)[i] >= count) {
            protocol_error_set(error, PROTOCOL_CODE_INVALID, field, "%s: element %u is %u; there are %u %s",
                               field, i, (*out)[i], count, noun);
            return false;
        }
    }
    return true;
}

static bool weights_take(const struct protocol_array *array, float **out, struct protocol_error *error)
{
    *out = malloc(((size_t)array->count + 1) * sizeof **out);
    if (!*out) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the skin; nothing changed");
        return false;
    }
    for (uint32_t i = 0; i < array->count; i += 4) {
        double weights[4];
        double sum = 0, size = 0;
        for (uint32_t k = 0; k < 4; k++) {
            weights[k] = protocol_array_f64_at(array, i + k);
            sum += weights[k];
            size += fabs(weights[k]);
        }
        if (!(fabs(sum - 1) <= WEIGHTS_SUM_TOLERANCE + WEIGHTS_ROUNDING * size)) {
            protocol_error_set(error, PROTOCOL_CODE_INVALID, "skin.weights",
                               "skin.weights: those of vertex %u have the sum %g; must be 1 within %g", i / 4,
                               sum, WEIGHTS_SUM_TOLERANCE);
            return false;
        }
        float *kept = *out + i;
        for (uint32_t k = 0; k < 3; k++) {
            kept[k] = (float)weights[k];
        }
        const double left = 1 - (double)kept[0] - (double)kept[1] - (double)kept[2];
        kept[3] = (float)fmin(fmax(left, -WEIGHTS_MOST), WEIGHTS_MOST);
    }
    return true;
}

struct document_skin *document_skin_create(const struct protocol_skin *given, uint32_t vertex_count,
                                           const uint32_t *welded, struct protocol_error *error)
{
    struct document_skin *skin = NULL;
    if (!sizes_right(given, error)) {
        return NULL;
    }
    skin = calloc(1, sizeof *skin);
    if (!skin) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the skin; nothing changed");
        return NULL;
    }
    skin->vertex_count = given->particles.count / 4;
    skin->triangle_count = given->triangles.count / 3;
    if (!indices_take(&given->particles, "skin.particles", "particles", vertex_count, &skin->particles,
                      error) ||
        !weights_take(&given->weights, &skin->weights, error) ||
        !indices_take(&given->triangles, "skin.triangles", "vertices of the skin", skin->vertex_count,
                      &skin->triangles, error)) {
        document_skin_destroy(skin);
        return NULL;
    }
    for (uint32_t i = 0; welded && i < given->particles.count; i++) {
        skin->particles[i] = welded[skin->particles[i]];
    }
    return skin;
}

bool document_skin_fits(const struct document_things *bodies, const struct document_skin *skin,
                        struct protocol_error *error)
{
    uint64_t vertices = skin ? skin->vertex_count : 0, triangles = skin ? skin->triangle_count : 0;
    for (uint32_t b = 0; skin && b < bodies->count; b++) {
        vertices += bodies->items[b].skin ? bodies->items[b].skin->vertex_count : 0;
        triangles += bodies->items[b].skin ? bodies->items[b].skin->triangle_count : 0;
    }
    const bool crowded = vertices > PROTOCOL_LIMIT_SKIN_VERTICES;
    if (!crowded && triangles <= PROTOCOL_LIMIT_SKIN_TRIANGLES) {
        return true;
    }
    const uint64_t most = crowded ? PROTOCOL_LIMIT_SKIN_VERTICES : PROTOCOL_LIMIT_SKIN_TRIANGLES;
    protocol_error_set(error, PROTOCOL_CODE_LIMIT, "skin",
                       "skin: a world's skins have at most %u %s (limit skin_%s)", (uint32_t)most,
                       crowded ? "vertices" : "triangles", crowded ? "vertices" : "triangles");
    error->limit = (double)most;
    return false;
}

void document_skin_positions(const struct document_skin *skin, const double *positions, uint32_t first,
                             uint32_t count, float *out)
{
    for (uint32_t v = 0; v < count; v++) {
        const uint32_t *corner = skin->particles + 4 * ((size_t)first + v);
        const float *weight = skin->weights + 4 * ((size_t)first + v);
        const double *last = positions + 3 * (size_t)corner[3];
        for (uint32_t axis = 0; axis < 3; axis++) {
            double moved = 0;
            for (uint32_t k = 0; k < 3; k++) {
                moved += (double)weight[k] * (positions[3 * (size_t)corner[k] + axis] - last[axis]);
            }
            out[3 * (size_t)v + axis] = (float)(last[axis] + moved);
        }
    }
}

void document_skin_fill(const struct document_skin *skin, struct protocol_skin *out)
{
    *out = (struct protocol_skin){
        .has = PROTOCOL_HAS_ALL,
        .particles = {PROTOCOL_ARRAY_U32, 4 * skin->vertex_count, skin->particles},
        .weights = {PROTOCOL_ARRAY_F32, 4 * skin->vertex_count, skin->weights},
        .triangles = {PROTOCOL_ARRAY_U32, 3 * skin->triangle_count, skin->triangles},
    };
}
