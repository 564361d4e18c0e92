// Finds the pairs of rigid pieces and colliders whose boxes overlap: touching.h says how.

#include "sim/rigid/touching.h"

#include "sim/contact/features.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"
#include "sim/state/jointed.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAIRS_A_PIECE = 8, // pairs that there is room for
    PAIRS_MORE = 64,
    BOXES_A_PIECE = 1024, // pairs of boxes that a substep compares
};

#define FAR 1e30 // m

// --------------------------------------------------------------------------------------------------------------- room

// Makes the faces of all hulls.
static void hulls_ready(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_rigid_own *rigid = sim->bodies[b]->rigid;
        if (rigid && rigid->hull) {
            sim_polyhedron_make(rigid->hull);
        }
        for (uint32_t i = 0; rigid && rigid->compound && i < rigid->compound->count; i++) {
            if (rigid->compound->placed[i].hull) {
                sim_polyhedron_make(rigid->compound->placed[i].hull);
            }
        }
    }
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        if (sim->shapes[s].hull) {
            sim_polyhedron_make(sim->shapes[s].hull);
        }
    }
}

bool sim_touching_reserve(struct sim *sim)
{
    struct sim_touching *touching = sim->rigids.touching;
    if (!touching && !(sim->rigids.touching = touching = calloc(1, sizeof *touching))) {
        return false;
    }
    const uint64_t all = (uint64_t)sim->rigids.count + sim->shape_count;
    const uint64_t pairs = (uint64_t)PAIRS_A_PIECE * sim->rigids.count + PAIRS_MORE;
    hulls_ready(sim);
    return array_reserve(&touching->all, &touching->all_capacity, all) &&
           array_reserve(&touching->order, &touching->order_capacity, all) &&
           array_reserve(&touching->pairs, &touching->pair_capacity, pairs) &&
           array_reserve(&touching->rests, &touching->rest_capacity, pairs) &&
           array_reserve(&touching->by_level, &touching->by_level_capacity, pairs) &&
           array_reserve(&touching->level_ends, &touching->level_capacity, pairs) &&
           array_reserve(&touching->sequence, &touching->sequence_capacity, pairs);
}

void sim_touching_destroy(struct sim *sim)
{
    struct sim_touching *touching = sim->rigids.touching;
    free(touching->all);
    free(touching->order);
    free(touching->pairs);
    free(touching->sequence);
    free(touching->by_level);
    free(touching->level_ends);
    free(touching->rests);
    free(touching);
}

// -------------------------------------------------------------------------------------------------------------- stands

static void frame_stand(const struct sim_frame *frame, double q, struct sim_stand *stand)
{
    for (int axis = 0; axis < 3; axis++) {
        stand->x[axis] = (double)frame->position[axis] * q;
    }
    memcpy(stand->axes, frame->axes, sizeof stand->axes);
}

// --------------------------------------------------------------------------------------------------------------- start

static bool collider_shape(const struct sim_shape *shape, struct sim_proxy *proxy)
{
    *proxy = (struct sim_proxy){.radius = shape->radius};
    switch (shape->kind) {
    case SIM_PLANE:
        proxy->form = SIM_PROXY_PLANE;
        proxy->radius = 0;
        return true;
    case SIM_SPHERE:
        proxy->form = SIM_PROXY_SPHERE;
        return true;
    case SIM_CAPSULE:
        proxy->form = SIM_PROXY_CAPSULE;
        proxy->half_length = 0.5 * shape->length;
        return true;
    case SIM_BOX:
        proxy->form = SIM_PROXY_BOX;
        proxy->radius = 0;
        memcpy(proxy->half_extents, shape->half_extents, sizeof proxy->half_extents);
        return true;
    case SIM_CONVEX:
        proxy->form = SIM_PROXY_HULL;
        proxy->radius = 0;
        proxy->hull = shape->hull;
        return true;
    case SIM_CYLINDER:
        proxy->form = SIM_PROXY_CYLINDER;
        proxy->half_extents[0] = shape->radius;
        proxy->half_extents[1] = 0.5 * shape->length;
        proxy->radius = 0;
        return true;
    case SIM_HEIGHT_FIELD:
        proxy->form = SIM_PROXY_FIELD;
        proxy->radius = 0;
        proxy->field = shape->field;
        return true;
    }
    return false;
}

// Whether it has a box, and stands in the order. Planes and height fields do not.
static bool is_bounded(const struct sim_toucher_now *toucher)
{
    const enum sim_proxy_form form = toucher->proxy.form;
    return toucher->meets && (form < SIM_PROXY_PLANE || form == SIM_PROXY_COMPOUND);
}

void sim_touching_start(struct sim *sim)
{
    struct sim_touching *touching = sim->rigids.touching;
    for (uint32_t p = 0; p < sim->rigids.count; p++) {
        struct sim_toucher_now *piece = &touching->all[p];
        struct sim_rigid *rigid = &sim->rigids.items[p];
        float spin[3];
        sim_stand_read(sim, rigid->row, &piece->start);
        sim_rigid_turned_by(sim, rigid, rigid->momentum, spin);
        for (int axis = 0; axis < 3; axis++) {
            piece->speed[axis] = (double)sim->velocities[rigid->row].v[axis];
            piece->spin[axis] = (double)spin[axis];
        }
    }
}

// ------------------------------------------------------------------------------------------------------------- boxes

static void box_around(struct sim_toucher_now *toucher)
{
    double half[3], same = 0;
    for (int i = 0; toucher->rigid && i < 4; i++) {
        same += toucher->start.q[i] * toucher->now.q[i];
    }
    const bool turns_far = toucher->rigid && same * same < 0.99; // by more than 0.2 rad
    for (int end = 0; end < 2; end++) {
        const struct sim_stand *stand = end == 0 ? &toucher->now : &toucher->start;
        sim_proxy_place(&toucher->proxy, stand);
        sim_proxy_extents(&toucher->proxy, half);
        for (int axis = 0; axis < 3; axis++) {
            // A shape that turns far is wider between than at either end.
            const double wide = (turns_far ? toucher->reach : half[axis]) + 0.01 * toucher->reach;
            const double least = stand->x[axis] - wide, most = stand->x[axis] + wide;
            toucher->least[axis] = end == 0 || least < toucher->least[axis] ? least : toucher->least[axis];
            toucher->most[axis] = end == 0 || most > toucher->most[axis] ? most : toucher->most[axis];
        }
    }
}

static void all_place(struct sim *sim)
{
    struct sim_touching *touching = sim->rigids.touching;
    const uint32_t count = sim->rigids.count;
    touching->all_count = count + sim->shape_count;
    for (uint32_t i = 0; i < touching->all_count; i++) {
        struct sim_toucher_now *toucher = &touching->all[i];
        if (i < count) {
            toucher->rigid = &sim->rigids.items[i];
            toucher->body = sim_body_of_row(sim, toucher->rigid->row);
            toucher->shape = NULL;
            toucher->meets = true;
            sim_proxy_of(&toucher->rigid->shape, toucher->rigid->hull, &toucher->proxy);
            toucher->proxy.compound = toucher->rigid->compound;
            sim_toucher_read(sim, toucher);
        } else {
            const struct sim_shape *shape = toucher->shape = &sim->shapes[i - count];
            toucher->rigid = NULL;
            toucher->body = NULL;
            toucher->meets = collider_shape(shape, &toucher->proxy);
            frame_stand(&shape->start, sim->q, &toucher->start);
            frame_stand(&shape->end, sim->q, &toucher->now);
            toucher->w = 0;
            memset(toucher->inverse, 0, sizeof toucher->inverse);
        }
        toucher->inner = sim_proxy_inner(&toucher->proxy);
        toucher->reach = sim_proxy_reach(&toucher->proxy);
        if (is_bounded(toucher)) {
            box_around(toucher);
        }
        sim_proxy_place(&toucher->proxy, &toucher->start);
    }
}

// By the least coordinate along the axis in which the boxes are spread most, and then by number. The order of before is a good one
// to begin with, and does not decide how it ends.
static void all_sort(struct sim_touching *touching)
{
    double low[3] = {FAR, FAR, FAR}, high[3] = {-FAR, -FAR, -FAR};
    uint32_t count = 0, axis = 0;
    for (uint32_t i = 0; i < touching->all_count; i++) {
        const struct sim_toucher_now *toucher = &touching->all[i];
        const bool sorted = is_bounded(toucher);
        count += sorted;
        for (int k = 0; sorted && toucher->rigid && k < 3; k++) {
            low[k] = toucher->least[k] < low[k] ? toucher->least[k] : low[k];
            high[k] = toucher->least[k] > high[k] ? toucher->least[k] : high[k];
        }
    }
    for (uint32_t k = 1; k < 3; k++) {
        axis = high[k] - low[k] > 1.5 * (high[axis] - low[axis]) ? k : axis;
    }
    // An order that holds the same ones is kept.
    uint32_t kept = 0;
    for (uint32_t i = 0; i < touching->order_count; i++) {
        const uint32_t at = touching->order[i];
        kept += at < touching->all_count && is_bounded(&touching->all[at]);
    }
    if (kept != count || touching->order_count != count) {
        touching->order_count = 0;
        for (uint32_t i = 0; i < touching->all_count; i++) {
            if (is_bounded(&touching->all[i])) {
                touching->order[touching->order_count++] = i;
            }
        }
    }
    touching->axis = axis;
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t at = touching->order[i];
        const double least = touching->all[at].least[axis];
        uint32_t k = i;
        for (; k > 0; k--) {
            const uint32_t other = touching->order[k - 1];
            const double before = touching->all[other].least[axis];
            if (before < least || (before == least && other < at)) {
                break;
            }
            touching->order[k] = other;
        }
        touching->order[k] = at;
    }
}

// --------------------------------------------------------------------------------------------------------------- pairs

static bool may_touch(const struct sim *sim, const struct sim_toucher_now *one,
                      const struct sim_toucher_now *other)
{
    const bool moves = (one->rigid && one->rigid->w > 0 && !one->body->asleep) ||
                       (other->rigid && other->rigid->w > 0 && !other->body->asleep);
    if (!moves || !one->body || !other->body) {
        return moves;
    }
    return sim_bodies_meet(one->body, other->body) &&
           !sim_rigid_joined(sim, one->rigid->row, other->rigid->row);
}

static void planes_look(struct sim *sim)
{
    const struct sim_touching *touching = sim->rigids.touching;
    for (uint32_t s = sim->rigids.count; s < touching->all_count; s++) {
        const struct sim_toucher_now *plane = &touching->all[s];
        for (uint32_t p = 0; plane->proxy.form == SIM_PROXY_PLANE && plane->meets && p < sim->rigids.count;
             p++) {
            const struct sim_toucher_now *piece = &touching->all[p];
            double nearest = FAR;
            for (int end = 0; end < 2; end++) {
                const struct sim_stand *at = end == 0 ? &piece->start : &piece->now,
                                       *on = end == 0 ? &plane->start : &plane->now;
                double from[3];
                for (int axis = 0; axis < 3; axis++) {
                    from[axis] = at->x[axis] - on->x[axis];
                }
                const double height = sim_dot(from, on->axes[1]);
                nearest = height < nearest ? height : nearest;
            }
            if (nearest < 1.1 * piece->reach && may_touch(sim, piece, plane)) {
                sim_touching_look(sim, p, s);
            }
        }
    }
}

// Whether a piece, at either end of its way, is over the field or beside it, and no higher than it.
static bool is_over(const struct sim_toucher_now *piece, const struct sim_toucher_now *field)
{
    const struct sim_field *heights = field->proxy.field;
    const double around = 1.1 * piece->reach;
    double low[3] = {FAR, FAR, FAR}, high[3] = {-FAR, -FAR, -FAR};
    for (int end = 0; end < 2; end++) {
        const struct sim_stand *at = end == 0 ? &piece->start : &piece->now,
                               *on = end == 0 ? &field->start : &field->now;
        double from[3];
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = at->x[axis] - on->x[axis];
        }
        for (int i = 0; i < 3; i++) {
            const double along = sim_dot(from, on->axes[i]);
            low[i] = along < low[i] ? along : low[i];
            high[i] = along > high[i] ? along : high[i];
        }
    }
    return low[1] - around < heights->most && low[0] - around < heights->half[0] &&
           high[0] + around > -heights->half[0] && low[2] - around < heights->half[1] &&
           high[2] + around > -heights->half[1];
}

static void fields_look(struct sim *sim)
{
    const struct sim_touching *touching = sim->rigids.touching;
    for (uint32_t s = sim->rigids.count; s < touching->all_count; s++) {
        const struct sim_toucher_now *field = &touching->all[s];
        for (uint32_t p = 0; field->proxy.form == SIM_PROXY_FIELD && p < sim->rigids.count; p++) {
            if (is_over(&touching->all[p], field) && may_touch(sim, &touching->all[p], field)) {
                sim_touching_look(sim, p, s);
            }
        }
    }
}

static void boxes_look(struct sim *sim)
{
    struct sim_touching *touching = sim->rigids.touching;
    uint64_t compared = 0;
    const uint64_t most = (uint64_t)BOXES_A_PIECE * touching->all_count;
    const uint32_t along = touching->axis, u = (along + 1) % 3, v = (along + 2) % 3;
    for (uint32_t i = 0; i < touching->order_count; i++) {
        const struct sim_toucher_now *one = &touching->all[touching->order[i]];
        for (uint32_t k = i + 1; k < touching->order_count; k++) {
            const struct sim_toucher_now *other = &touching->all[touching->order[k]];
            if (other->least[along] > one->most[along]) {
                break;
            }
            if (++compared > most) {
                touching->left_out++;
                return;
            }
            if (other->least[u] <= one->most[u] && one->least[u] <= other->most[u] &&
                other->least[v] <= one->most[v] && one->least[v] <= other->most[v] &&
                may_touch(sim, one, other)) {
                const uint32_t a = touching->order[i], b = touching->order[k];
                sim_touching_look(sim, a < b ? a : b, a < b ? b : a);
            }
        }
    }
}

// Whether a pair comes after another one: it is lower, or as high and of greater numbers.
static bool comes_after(const struct sim_touching *touching, uint32_t at, uint32_t other)
{
    const struct sim_touch_pair *a = &touching->pairs[touching->sequence[at]],
                                *b = &touching->pairs[touching->sequence[other]];
    return a->height != b->height ? a->height < b->height : a->a != b->a ? a->a > b->a : a->b > b->b;
}

static void exchange(uint32_t *sequence, uint32_t a, uint32_t b)
{
    const uint32_t one = sequence[a];
    sequence[a] = sequence[b];
    sequence[b] = one;
}

// Lets a pair sink in a heap that has the last one at its top.
static void sink(struct sim_touching *touching, uint32_t at, uint32_t count)
{
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && comes_after(touching, child + 1, child);
        if (!comes_after(touching, child, at)) {
            return;
        }
        exchange(touching->sequence, at, child);
        at = child;
    }
}

static void pairs_sort(struct sim_touching *touching)
{
    const uint32_t count = touching->pair_count;
    for (uint32_t i = 0; i < count; i++) {
        touching->sequence[i] = i;
    }
    for (uint32_t i = count / 2; i > 0; i--) {
        sink(touching, i - 1, count);
    }
    for (uint32_t i = count; i > 1; i--) {
        exchange(touching->sequence, 0, i - 1);
        sink(touching, 0, i - 1);
    }
}

void sim_touching_find(struct sim *sim)
{
    struct sim_touching *touching = sim->rigids.touching;
    if (sim->substep == 1) {
        touching->rest_count = 0;
        for (uint32_t p = 0; p < sim->rigids.count; p++) {
            touching->all[p].rest = 0;
        }
    }
    touching->pair_count = touching->left_out = 0;
    all_place(sim);
    all_sort(touching);
    planes_look(sim);
    fields_look(sim);
    boxes_look(sim);
    pairs_sort(touching);
    sim_touching_level(touching);
}
