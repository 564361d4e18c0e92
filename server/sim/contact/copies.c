#include "sim/contact/copies.h"

#include "sim/ground/ground.h"
#include "sim/ground/vector.h"

enum { SAMPLES = 8 }; // particles that are compared before all are

static bool coincide(const struct sim *sim, uint32_t a, uint32_t b)
{
    return memcmp(sim->positions[a], sim->positions[b], sizeof sim->positions[a]) == 0;
}

// Rows of both stand in the same order if the meshes are the same.
static bool are_copies(const struct sim *sim, const struct sim_body *a, const struct sim_body *b)
{
    const uint32_t step = a->count / SAMPLES + 1;
    bool any = false;
    for (uint32_t i = 0; a->count == b->count && i < a->count && !any; i += step) {
        any = coincide(sim, a->first_row + i, b->first_row + i);
    }
    return any && sim_bodies_meet(a, b);
}

void sim_copies_find(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    meet->copied = false;
    for (uint32_t m = 0; m < meet->member_count; m++) {
        struct sim_member *member = &meet->members[m];
        for (uint32_t other = m; other-- > 0 && !member->copy_of;) {
            if (are_copies(sim, meet->members[other].body, member->body)) {
                member->copy_of = meet->members[other].body;
                meet->copied = true;
            }
        }
    }
}

uint32_t sim_body_copied(const struct sim *sim, uint32_t id, uint32_t *count,
                         uint32_t elements[SIM_WARNING_ELEMENTS])
{
    const struct sim_body *of = NULL, *body = NULL;
    *count = 0;
    for (uint32_t b = sim->body_count; b-- > 0 && !of;) {
        const struct sim_body *other = sim->bodies[b];
        if (other->id == id) {
            body = other;
        } else if (body && body->features && other->features && are_copies(sim, other, body)) {
            of = other;
        }
    }
    for (uint32_t i = 0; of && i < body->count; i++) {
        if (!coincide(sim, of->first_row + body->row_of[i], body->first_row + body->row_of[i])) {
            continue;
        }
        if (*count < SIM_WARNING_ELEMENTS) {
            elements[*count] = i;
        }
        (*count)++;
    }
    return of ? of->id : 0;
}

bool sim_copies_touch(const struct sim *sim, const uint32_t rows[5])
{
    for (int end = 0; end < 2; end++) {
        for (int corner = 2; corner < 5; corner++) {
            if (coincide(sim, rows[end], rows[corner])) {
                return sim_body_of_row(sim, rows[0]) != sim_body_of_row(sim, rows[2]);
            }
        }
    }
    return false;
}

// The unit normal of an element. One that is an edge, a particle or has no area takes a direction across its first side.
static void normal_of(const struct sim *sim, const uint32_t rows[3], double normal[3])
{
    double sides[2][3], squared = 0;
    for (int k = 0; k < 2; k++) {
        for (int axis = 0; axis < 3; axis++) {
            sides[k][axis] = sim_wrap_sub(sim->previous[rows[k + 1]].x[axis], sim->previous[rows[0]].x[axis]);
        }
    }
    sim_cross(sides[0], sides[1], normal);
    squared = sim_dot(normal, normal);
    if (!(squared > 0)) {
        int least = 0;
        for (int axis = 1; axis < 3; axis++) {
            least = sides[0][axis] * sides[0][axis] < sides[0][least] * sides[0][least] ? axis : least;
        }
        const double across[3] = {least == 0, least == 1, least == 2};
        sim_cross(sides[0], across, normal);
        squared = sim_dot(normal, normal);
    }
    if (!(squared > 0)) {
        normal[0] = normal[2] = 0;
        normal[1] = squared = 1;
    }
    const double length = __builtin_sqrt(squared);
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] /= length;
    }
}

// Did they coincide when the tick began, and when the substep did? Joined particles may stay where they are.
static bool are_to_part(const struct sim *sim, uint32_t a, uint32_t b)
{
    const struct sim_joined *joined = &sim->meet->joined;
    return coincide(sim, a, b) &&
           memcmp(sim->previous[a].x, sim->previous[b].x, sizeof sim->previous[a].x) == 0 &&
           sim->rows[a].w + sim->rows[b].w > 0 && !(joined->any && sim_joined_are(joined, a, b));
}

// Moves a against b by a way, quanta, so that their centre of mass stays.
static void pair_move(struct sim *sim, uint32_t a, uint32_t b, const double way[3])
{
    const double share = (double)sim->rows[a].w / ((double)sim->rows[a].w + (double)sim->rows[b].w);
    for (int axis = 0; axis < 3; axis++) {
        const int32_t whole = sim_round((float)way[axis]), of_a = sim_round((float)(share * way[axis]));
        sim->rows[a].x[axis] = sim_wrap_add(sim->rows[a].x[axis], of_a);
        sim->rows[b].x[axis] = sim_wrap_sub(sim->rows[b].x[axis], sim_wrap_sub(whole, of_a));
    }
}

// From b to a.
static void between(const struct sim *sim, uint32_t a, uint32_t b, double way[3])
{
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = sim_wrap_sub(sim->rows[a].x[axis], sim->rows[b].x[axis]);
    }
}

// Puts a and b into one place again. Contact may have moved them apart in this substep, but to no certain side.
static void pair_rejoin(struct sim *sim, uint32_t a, uint32_t b)
{
    double way[3];
    between(sim, a, b, way);
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = -way[axis];
    }
    pair_move(sim, a, b, way);
}

static void pair_part(struct sim *sim, uint32_t a, uint32_t b, const double normal[3], double gap)
{
    double way[3];
    between(sim, a, b, way);
    const double depth = gap - sim_dot(normal, way);
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = depth * normal[axis];
    }
    if (depth > 0) {
        pair_move(sim, a, b, way);
    }
}

static void bodies_part(struct sim *sim, const struct sim_body *a, const struct sim_body *b, float floor)
{
    const struct sim_features *features = a->features;
    for (uint32_t i = 0; i < a->count; i++) {
        if (are_to_part(sim, a->first_row + i, b->first_row + i)) {
            pair_rejoin(sim, a->first_row + i, b->first_row + i);
        }
    }
    for (uint32_t e = 0; e < features->count; e++) {
        uint32_t rows[2][3];
        double normal[3];
        bool all = true;
        for (int k = 0; k < 3; k++) {
            rows[0][k] = a->first_row + features->corners[e][k];
            rows[1][k] = b->first_row + features->corners[e][k];
            all = all && are_to_part(sim, rows[0][k], rows[1][k]);
        }
        if (all) {
            normal_of(sim, rows[0], normal);
        }
        for (int k = 0; all && k < 3; k++) {
            pair_part(sim, rows[0][k], rows[1][k], normal, 2 * (double)floor);
        }
    }
}

void sim_copies_part(struct sim *sim)
{
    const struct sim_meet *meet = sim->meet;
    for (uint32_t m = 0; meet->copied && m < meet->member_count; m++) {
        if (meet->members[m].copy_of) {
            bodies_part(sim, meet->members[m].copy_of, meet->members[m].body,
                        meet->islands[meet->members[m].island].floor);
        }
    }
}
