// The points of a body that may bear loads, and what they touch.

#include "sim/bear/system.h"
#include "sim/contact/foot.h"
#include "sim/contact/pieces.h"
#include "sim/contact/slices.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"
#include "sim/state/rub.h"

#include <float.h>
#include <math.h>

#define TOUCHES 1.02      // of the distance that is kept
#define MARGIN 1.0        // of a thickness: what is closer to a collider counts as a contact that may come
#define MARGIN_LEAST 1e-3 // m
#define NEAR 0.05         // of a thickness: what is closer touches
#define BELOW 1e-7        // m: an edge counts beside its ends if it is so much closer

static double place_of(const struct sim_bear *bear, const struct sim_row *row, int axis)
{
    return (double)sim_wrap_sub(row->x[axis], bear->origin[axis]) * bear->sim->q;
}

static void point_put(struct sim_bear *bear, uint32_t point, uint32_t row)
{
    const struct sim *sim = bear->sim;
    const float w = sim->rows[row].w;
    for (int axis = 0; axis < 3; axis++) {
        bear->x[point][axis] = bear->y[point][axis] = place_of(bear, &sim->rows[row], axis);
        bear->starts[point][axis] = place_of(bear, &sim->previous[row], axis);
    }
    bear->masses[point] = w > 0 ? 1 / (double)w : 0;
}

static bool has_row(const struct sim_body *body, uint32_t row)
{
    return row >= body->first_row && row < body->first_row + body->count;
}

// ------------------------------------------------------------------------------------------------------ pairs

// The point of a row of the other side; UINT32_MAX: there is no room for one more load.
static uint32_t other_point(struct sim_bear *bear, uint32_t row)
{
    if (!(bear->sim->rows[row].w > 0)) {
        const uint32_t point = sim_bear_held(bear) + bear->held_count++;
        point_put(bear, point, row);
        return point;
    }
    for (uint32_t l = 0; l < bear->load_count; l++) {
        if (bear->loads[l] == row) {
            return bear->count + l;
        }
    }
    if (bear->load_count == SIM_BEAR_LOADS) {
        bear->crowded = true;
        return UINT32_MAX;
    }
    bear->loads[bear->load_count] = row;
    point_put(bear, bear->count + bear->load_count, row);
    return bear->count + bear->load_count++;
}

static void pair_places(const struct sim_bear *bear, const struct sim_row *rows, const uint32_t of[4],
                        double x[4][3])
{
    for (int k = 0; k < 4; k++) {
        for (int axis = 0; axis < 3; axis++) {
            x[k][axis] = place_of(bear, &rows[of[k]], axis);
        }
    }
}

// Whether one side is the body's, and all of the other side is held or heavy.
static bool pair_bears(const struct sim_bear *bear, enum sim_pair_kind kind, const uint32_t rows[4])
{
    const struct sim_row *all = bear->sim->rows;
    const bool first = has_row(bear->body, rows[0]), second = has_row(bear->body, rows[3]);
    float lightest = 0, other = 0;
    if (first == second) {
        return false;
    }
    for (uint32_t k = 0; k < 4; k++) {
        float *of = sim_pair_first_side(kind, k) == first ? &lightest : &other;
        *of = all[rows[k]].w > *of ? all[rows[k]].w : *of;
    }
    return lightest > 0 && !(other * SIM_BEAR_RATIO > lightest);
}

static void pair_add(struct sim_bear *bear, enum sim_pair_kind kind, const uint32_t rows[4], double reach,
                     bool *touches)
{
    struct sim *sim = bear->sim;
    double x[4][3], g[3], c[4];
    if (bear->touch_count == bear->touch_capacity || !pair_bears(bear, kind, rows)) {
        return;
    }
    struct sim_bear_touch *touch = &bear->touches[bear->touch_count];
    pair_places(bear, sim->rows, rows, x);
    const double d = sim_foot_of(kind, (const double(*)[3])x, g, c);
    *touches = *touches || d < TOUCHES * reach;
    pair_places(bear, sim->previous, rows, x);
    const double old = sim_foot_of(kind, (const double(*)[3])x, touch->normal, touch->c);
    const double at = old < reach ? old : reach, out = 0.2 * (reach - at),
                 most = (double)sim->times.v_out * sim->q;
    touch->count = 4;
    touch->flat = false;
    touch->kind = kind;
    touch->friction =
        sim_rub_of_bodies(sim, sim_body_of_row(sim, rows[0]), sim_body_of_row(sim, rows[3])).holds;
    touch->target = at + (out < most ? out : most);
    for (int k = 0; k < 4; k++) {
        touch->points[k] = has_row(bear->body, rows[k])
                               ? bear->bearing->point_of[rows[k] - bear->body->first_row]
                               : other_point(bear, rows[k]);
        if (touch->points[k] == UINT32_MAX) {
            return;
        }
    }
    bear->touch_count++;
}

static bool pairs_find(struct sim_bear *bear, const struct sim_island *island)
{
    bool touches = false;
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        for (uint32_t s = 0; s < island->near_slices[kind]; s++) {
            const struct sim_near_list near = sim_slice_near(island, kind, s);
            for (uint32_t i = 0; i < near.count; i++) {
                const struct sim_pair_lanes *lanes = &near.lanes[i / SIM_LANES].pairs;
                const uint32_t lane = i % SIM_LANES;
                uint32_t rows[4];
                for (int k = 0; k < 4; k++) {
                    rows[k] = lanes->at[k][lane] / SIM_ROW_BYTES;
                }
                pair_add(bear, (enum sim_pair_kind)kind, rows, (double)lanes->reach[lane] * bear->sim->q,
                         &touches);
            }
        }
    }
    return touches;
}

// -------------------------------------------------------------------------------------------------- colliders

struct finding {
    struct sim_bear *bear;
    double margin; // m
    bool touches;
};

// Adds a contact with a collider. gap: of the surface now; before: when the substep began.
static void flat_add(struct finding *finding, const uint32_t *rows, const double *c, uint32_t count,
                     double gap, double before, const double n[3], const double way[3], double friction)
{
    struct sim_bear *bear = finding->bear;
    const double thickness = bear->body->thickness,
                 old = (before - thickness) + (double)bear->sim->times.v_out * bear->sim->q;
    bool any = false;
    for (uint32_t k = 0; k < count; k++) {
        any = any || bear->sim->rows[rows[k]].w > 0;
    }
    if (!any || bear->touch_count == bear->touch_capacity) {
        return;
    }
    struct sim_bear_touch *touch = &bear->touches[bear->touch_count++];
    *touch = (struct sim_bear_touch){.count = count,
                                     .flat = true,
                                     .friction = friction,
                                     .target = thickness + (old < 0 ? old : 0),
                                     .phi = gap};
    for (uint32_t k = 0; k < count; k++) {
        touch->points[k] = bear->bearing->point_of[rows[k] - bear->body->first_row];
        touch->c[k] = c[k];
        for (int axis = 0; axis < 3; axis++) {
            touch->seen[axis] += c[k] * bear->x[touch->points[k]][axis];
        }
    }
    memcpy(touch->normal, n, sizeof touch->normal);
    memcpy(touch->way, way, sizeof touch->way);
    finding->touches = finding->touches || gap < (1 + NEAR) * thickness;
}

// Whether the distance of a particle is known in double; those of other colliders come as they are told.
static bool is_plain(enum sim_collider_kind kind)
{
    return kind == SIM_PLANE || kind == SIM_SPHERE || kind == SIM_CAPSULE || kind == SIM_BOX;
}

static void told(void *context, const struct sim_toucher *toucher, const struct sim_touches *touches,
                 uint32_t lane, const uint32_t rows[3], uint32_t count)
{
    struct finding *finding = context;
    struct sim_bear *bear = finding->bear;
    const struct sim_body *body = bear->body;
    double c[3] = {(1 - touches->c[0][lane]) - touches->c[1][lane], touches->c[0][lane], touches->c[1][lane]},
           n[3], way[3];
    const double phi = touches->phi[lane];
    const bool particle = count == 2 && rows[0] == rows[1];
    if (particle && is_plain(toucher->shape.kind)) {
        return;
    }
    for (uint32_t k = 0; k < count; k++) {
        double *depth = &bear->depths[rows[k] - body->first_row];
        if (particle) {
            *depth = phi;
        } else if (!(phi < *depth - BELOW)) {
            return;
        }
    }
    if (particle) {
        c[0] = 1;
        count = 1;
    }
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = touches->normal[axis][lane];
        way[axis] = touches->way[axis][lane];
    }
    if (toucher->shape.runs) {
        sim_belt_subtract(&toucher->shape, touches, lane, way);
    }
    flat_add(finding, rows, c, count, phi, touches->before[lane], n, way, (double)toucher->shape.friction);
}

// Adds the contacts of particles with a collider, and keeps how far each is from it.
static void particles_find(struct finding *finding, const struct sim_shape *shape, double margin)
{
    const struct sim_bear *bear = finding->bear;
    const struct sim *sim = bear->sim;
    const double one = 1, holds = sim_rub_of_shape(sim, bear->body, shape).holds;
    for (uint32_t row = bear->body->first_row; row < bear->body->first_row + bear->body->count; row++) {
        double now[3], old[3], way[3], n[3], unused[3];
        for (int axis = 0; axis < 3; axis++) {
            now[axis] = (double)(sim_whole(sim, row, (uint32_t)axis, sim->rows[row].x[axis]) -
                                 shape->end.position[axis]) *
                        sim->q;
            old[axis] = (double)(sim_whole(sim, row, (uint32_t)axis, sim->previous[row].x[axis]) -
                                 shape->start.position[axis]) *
                        sim->q;
        }
        const double gap = sim_piece_distance(shape, &shape->end, now, n);
        bear->depths[row - bear->body->first_row] = gap;
        if (!(gap < bear->body->thickness + margin)) {
            continue;
        }
        const double before = sim_piece_distance(shape, &shape->start, old, unused);
        for (int axis = 0; axis < 3; axis++) {
            way[axis] = now[axis];
            for (int i = 0; i < 3; i++) {
                way[axis] -= sim_dot(old, shape->start.axes[i]) * shape->end.axes[i][axis];
                if (shape->runs) {
                    way[axis] -= sim_dot(now, shape->end.axes[i]) * shape->belt_turn[i][axis];
                }
            }
            way[axis] -= shape->runs ? shape->belt[axis] : 0;
        }
        flat_add(finding, &row, &one, 1, gap, before, n, way, holds);
    }
}

static void shape_begins(void *context, const struct sim_shape *shape)
{
    struct finding *finding = context;
    struct sim_bear *bear = finding->bear;
    for (uint32_t row = 0; row < bear->body->count; row++) {
        bear->depths[row] = DBL_MAX;
    }
    if (is_plain(shape->kind)) {
        particles_find(finding, shape, finding->margin);
    }
}

static bool colliders_find(struct sim_bear *bear)
{
    struct sim *sim = bear->sim;
    const double thickness = bear->body->thickness * MARGIN;
    struct finding finding = {.bear = bear, .margin = thickness > MARGIN_LEAST ? thickness : MARGIN_LEAST};
    sim_collide_tell(sim, bear->body, finding.margin, shape_begins, told, &finding);
    return finding.touches;
}

// ------------------------------------------------------------------------------------------------------- body

// Lists contacts by the node that holds the first of their points.
static void touches_sort(struct sim_bear *bear)
{
    const struct sim_plate_tree *tree = bear->bearing->plate.tree;
    uint32_t *starts = bear->touch_starts;
    memset(starts, 0, ((size_t)tree->node_count + 2) * sizeof *starts);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < bear->touch_count; i++) {
            const struct sim_bear_touch *touch = &bear->touches[i];
            uint32_t first = touch->points[0];
            for (uint32_t k = 1; k < touch->count; k++) {
                first = touch->points[k] < first ? touch->points[k] : first;
            }
            uint32_t *next = &starts[tree->node_of[first] + (pass == 0 ? 2 : 1)];
            if (pass == 1) {
                bear->touch_order[*next] = i;
            }
            ++*next;
        }
        for (uint32_t node = 0; pass == 0 && node < tree->node_count; node++) {
            starts[node + 2] += starts[node + 1];
        }
    }
}

static void stiffness_set(struct sim_bear *bear)
{
    double body = 0, most = 0;
    for (uint32_t p = 0; p < bear->count; p++) {
        body += bear->masses[p];
    }
    for (uint32_t l = 0; l < bear->load_count; l++) {
        most = bear->masses[bear->count + l] > most ? bear->masses[bear->count + l] : most;
    }
    const double inv_h = (double)bear->sim->settings.tick_rate * bear->sim->settings.substeps;
    bear->stiff = (most > body ? most : body) * inv_h * inv_h;
}

bool sim_bear_find(struct sim_bear *bear, struct sim_body *body, struct sim_island *island)
{
    bear->body = body;
    bear->bearing = body->bearing;
    bear->count = body->count;
    bear->load_count = bear->held_count = bear->touch_count = 0;
    bear->crowded = false;
    memcpy(bear->origin, bear->sim->rows[body->first_row].x, sizeof bear->origin);
    for (uint32_t p = 0; p < bear->count; p++) {
        point_put(bear, p, body->first_row + bear->bearing->plate.rows[p]);
    }
    const bool pairs = pairs_find(bear, island);
    bear->pair_count = bear->touch_count;
    const bool touches = colliders_find(bear);
    body->bearing->crowded |= bear->crowded;
    if (bear->crowded || !(pairs || touches)) {
        return false;
    }
    touches_sort(bear);
    stiffness_set(bear);
    return true;
}

void sim_bear_find_again(struct sim_bear *bear)
{
    bear->touch_count = bear->pair_count;
    colliders_find(bear);
    touches_sort(bear);
}
