// Measures leaves against height fields, and tells how far they have gone since.
#include "sim/contact/clear.h"

#include "sim/contact/meet.h"
#include "sim/field/field.h"
#include "sim/ground/vector.h"

#include <math.h>
#include <string.h>

enum {
    AHEAD = 8, // substeps that a leaf is measured for, if it goes on as it does
    SEEN = 64, // places that are remembered while a leaf is measured, by the last bits of their rows
};

#define HAIR 1e-9      // m, and
#define HAIR_FAR 1e-13 // of the world's extent: more than what rounding does to a place
#define SMALL 0.01 // of the thickness: features with less slack are searched for soon whatever is measured
#define ROUNDED 0x1p-20 // of a slack: more than what rounding does to it

// A leaf before a field: where its rows are, with the field's own axes, from its own origin, m.
struct measuring {
    const struct sim_row *rows; // the body's
    const struct sim_field *field;
    double (*axes)[3], origin[3], q; // origin: from the field's to that of `low`
    int32_t low[3];
    uint32_t known[SEEN]; // rows of seen
    double seen[SEEN][3];
    double thickness, most; // m
};

static const double *place_of(struct measuring *measuring, uint32_t row)
{
    const uint32_t at = row % SEEN;
    double *place = measuring->seen[at], way[3];
    if (measuring->known[at] != row) {
        measuring->known[at] = row;
        for (int axis = 0; axis < 3; axis++) {
            int32_t from = sim_wrap_sub(measuring->rows[row].x[axis], measuring->low[axis]);
            way[axis] = ((double)from + measuring->origin[axis]) * measuring->q;
        }
        for (int i = 0; i < 3; i++) {
            place[i] = sim_dot(way, measuring->axes[i]);
        }
    }
    return place;
}

static void slack_take(float *slack, double found)
{
    float rounded = (float)(found * (1 - ROUNDED));
    *slack = rounded < *slack ? rounded : *slack;
}

// count: how many corners a feature has. rows: those of the corners, from the body's first one; SIM_NO_FEATURE in empty lanes.
static void block_measure(struct measuring *measuring, const uint32_t (*rows)[SIM_LANES], uint32_t count,
                          float slack[SIM_LANES])
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        double corners[3][3];
        if (rows[0][lane] == SIM_NO_FEATURE || !(slack[lane] > 0)) {
            continue;
        }
        for (uint32_t k = 0; k < count; k++) {
            memcpy(corners[k], place_of(measuring, rows[k][lane]), sizeof corners[k]);
        }
        const double(*of)[3] = (const double(*)[3])corners;
        double found =
            count == 2
                ? sim_field_edge_clear(measuring->field, of, measuring->thickness, measuring->most)
                : sim_field_triangle_clear(measuring->field, of, measuring->thickness, measuring->most);
        slack_take(&slack[lane], found);
    }
}

static void leaf_measure(struct measuring *measuring, const struct sim_features *features, uint32_t leaf,
                         struct sim_clear *clear)
{
    const uint32_t first = features->edge_first[leaf];
    memset(measuring->known, 0xff, sizeof measuring->known);
    for (uint32_t b = first; b < features->edge_first[leaf + 1]; b++) {
        block_measure(measuring, (const uint32_t(*)[SIM_LANES])features->edges[b], 2,
                      clear->edges[b - first]);
    }
    uint32_t corners[3][SIM_LANES];
    sim_leaf_triangles(features, leaf, corners);
    block_measure(measuring, (const uint32_t(*)[SIM_LANES])corners, 3, clear->triangles);
}

static void slacks_set(struct sim_clear *clear, float most)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        clear->triangles[lane] = most;
        for (int b = 0; b < SIM_LEAF_BLOCKS; b++) {
            clear->edges[b][lane] = most;
        }
    }
}

static void slack_count(struct sim_clear *clear, float slack, float small)
{
    clear->least = slack < clear->least ? slack : clear->least;
    clear->idle += slack < small;
}

static void slacks_count(struct sim_clear *clear, float small)
{
    clear->least = clear->most;
    clear->idle = clear->vain = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        slack_count(clear, clear->triangles[lane], small);
        for (int b = 0; b < SIM_LEAF_BLOCKS; b++) {
            slack_count(clear, clear->edges[b][lane], small);
        }
    }
}

static void rows_keep(struct sim_clear *clear, const struct sim_features *features, uint32_t leaf,
                      const struct sim_row *rows)
{
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            uint32_t row = features->elements[leaf][k][lane];
            for (int axis = 0; axis < 3; axis++) {
                clear->rows[k][axis][lane] =
                    rows[row != SIM_NO_FEATURE ? row : features->elements[leaf][0][0]].x[axis];
            }
        }
    }
}

void sim_clear_measure(const struct sim *sim, const struct sim_body *body, uint32_t leaf, double pace)
{
    const struct sim_features *features = body->features;
    struct sim_clears *clears = features->clears;
    struct sim_clear *clear = &clears->leaves[leaf];
    const struct sim_balls *balls = &features->balls[leaf / SIM_LANES];
    const uint32_t lane = leaf % SIM_LANES;
    double hair = HAIR + HAIR_FAR * sim->settings.extent;
    struct measuring measuring = {.rows = sim->rows + body->first_row,
                                  .q = sim->q,
                                  .thickness = body->thickness + hair,
                                  .most = body->thickness + AHEAD * pace};
    clear->measured = true;
    clear->most = (float)measuring.most;
    clear->way = clears->way;
    clear->spin = clears->spin;
    clear->arm = 0;
    slacks_set(clear, clear->most);
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        const struct sim_shape *shape = &sim->shapes[s];
        double away[3];
        if (shape->kind != SIM_HEIGHT_FIELD) {
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            measuring.low[axis] = (int32_t)(uint32_t)(uint64_t)balls->middle[axis][lane];
            measuring.origin[axis] = (double)(balls->middle[axis][lane] - shape->end.position[axis]);
            away[axis] = measuring.origin[axis] * sim->q;
        }
        double arm = sqrt(sim_dot(away, away)) + balls->radius[lane] + 2 * measuring.most;
        clear->arm = arm > clear->arm ? arm : clear->arm;
        measuring.field = shape->field;
        measuring.axes = (double(*)[3])shape->end.axes;
        leaf_measure(&measuring, features, leaf, clear);
    }
    slacks_count(clear, (float)(SMALL * body->thickness));
    rows_keep(clear, features, leaf, measuring.rows);
}

double sim_clear_went(const struct sim *sim, const struct sim_body *body, uint32_t leaf)
{
    const struct sim_features *features = body->features;
    const struct sim_clears *clears = features->clears;
    const struct sim_clear *clear = &clears->leaves[leaf];
    uint32_t places[3][SIM_LANES];
    int32_t way[3];
    double squared = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        bool is = features->elements[leaf][0][lane] != SIM_NO_FEATURE;
        for (uint32_t k = 0; k < 3; k++) {
            places[k][lane] = features->elements[leaf][k][is ? lane : 0] * SIM_ROW_BYTES;
        }
    }
    sim->meet->colliders->way(sim->rows + body->first_row, (const uint32_t(*)[SIM_LANES])places, clear->rows,
                              way);
    for (int axis = 0; axis < 3; axis++) {
        squared += (double)way[axis] * (double)way[axis];
    }
    double fields = (clears->way - clear->way) + (clears->spin - clear->spin) * clear->arm;
    return (sqrt(squared) * sim->q + fields) * (1 + ROUNDED);
}

// Raises both to what the shape's material goes in this substep.
static void shape_pace(const struct sim_shape *shape, double q, double *way, double *spin)
{
    double goes[3], squared = 0;
    for (int axis = 0; axis < 3; axis++) {
        goes[axis] = (double)(shape->end.position[axis] - shape->start.position[axis]) * q;
        for (int i = 0; i < 3; i++) {
            double turns = shape->end.axes[i][axis] - shape->start.axes[i][axis];
            squared += turns * turns;
        }
    }
    *way = fmax(*way, sqrt(sim_dot(goes, goes)));
    *spin = fmax(*spin, sqrt(squared));
}

void sim_clear_begin(const struct sim *sim, const struct sim_body *body)
{
    const struct sim_features *features = body->features;
    struct sim_clears *clears = features->clears;
    double way = 0, spin = 0;
    bool any = false;
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        const struct sim_shape *shape = &sim->shapes[s];
        any |= shape->kind == SIM_HEIGHT_FIELD;
        if (shape->kind == SIM_HEIGHT_FIELD && shape->moves) {
            shape_pace(shape, sim->q, &way, &spin);
        }
    }
    if (!any || sim->iteration > 0) {
        return;
    }
    if (sim->substep == 1) {
        clears->way = clears->spin = 0;
        for (uint32_t leaf = 0; leaf < features->leaf_count; leaf++) {
            clears->leaves[leaf].measured = false;
        }
    }
    clears->way += way;
    clears->spin += spin;
}
