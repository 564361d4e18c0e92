// Contact of bodies that say nothing of it. A body written by hand meets itself and all others; one that was saved has a
// state, and met whom it says.
#include "protocol/scene/internal.h"

#include <math.h>

static const double OF_EDGE = 0.15;      // thickness over the mean edge
static const double POINT_RADIUS = 0.01; // m; of particles that lie far from each other
static const double QUANTA_MIN = 1024;   // as the server has it: what meets others is no thinner
static const double THICKNESS_MAX = 1;   // m

static double between(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static const double *at(const struct scene_body *body, uint32_t particle)
{
    return body->positions + 3 * (size_t)particle;
}

// Mean over the sides of all elements; 0 where there are none. Indices may be wrong, which others refuse.
static double mean_side(const struct scene_body *body)
{
    double sum = 0, count = 0;
    for (uint32_t e = 0; e < body->element_count; e++) {
        const uint32_t *corner = body->elements + (size_t)e * body->corners;
        for (uint32_t i = 0; i < body->corners; i++) {
            for (uint32_t j = 0; j < i; j++) {
                const bool known = corner[i] < body->count && corner[j] < body->count;
                sum += known ? between(at(body, corner[i]), at(body, corner[j])) : 0;
                count += known ? 1 : 0;
            }
        }
    }
    return count > 0 ? sum / count : 0;
}

// Between particles that follow each other.
static double mean_step(const struct scene_body *body)
{
    double sum = 0;
    for (uint32_t i = 1; i < body->count; i++) {
        sum += between(at(body, i), at(body, i - 1));
    }
    return body->count > 1 ? sum / (body->count - 1) : 0;
}

// The mean gap between the particles, if they filled the box around them.
static double mean_gap(const struct scene_body *body)
{
    double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < body->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            least[axis] = fmin(least[axis], at(body, i)[axis]);
            most[axis] = fmax(most[axis], at(body, i)[axis]);
        }
    }
    uint32_t side = 1;
    while ((uint64_t)side * side * side < body->count) {
        side++;
    }
    return body->count > 1 ? between(least, most) / side : 0;
}

static double default_thickness(const struct scene_body *body, bool is_rope)
{
    double edge = mean_side(body);
    edge = edge == 0 && is_rope ? mean_step(body) : edge;
    if (edge > 0) {
        return fmin(OF_EDGE * edge, THICKNESS_MAX);
    }
    const double gap = OF_EDGE * mean_gap(body);
    return gap > 0 && gap < POINT_RADIUS ? gap : POINT_RADIUS;
}

void scene_contact(const struct scene_reader *reader, const struct scene_body *body, const json_t *object,
                   bool is_rope, struct scene_map *map)
{
    static const char *const words[] = {"self_contact", "contact_group", "contact_mask", "state"};
    const json_t *given = json_object_get(object, "thickness");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (json_object_get(object, words[i])) {
            return;
        }
    }
    const double thickness = given ? json_number_value(given) : default_thickness(body, is_rope);
    const bool pieces = json_object_get(object, "rigid") != NULL; // which have surfaces of their own
    if (!(thickness >= QUANTA_MIN * reader->resolution) && !pieces) {
        return; // it cannot
    }
    if (!given && !pieces) {
        scene_map_key(map, "thickness");
        msgpack_pack_double(&map->packer, thickness);
    }
    scene_map_key(map, "self_contact");
    msgpack_pack_true(&map->packer);
    scene_map_key(map, "contact_group");
    msgpack_pack_uint32(&map->packer, 1);
    scene_map_key(map, "contact_mask");
    msgpack_pack_uint32(&map->packer, 1);
}
