// Pieces on height fields. manifold.h says what a manifold is.
//
// Vertices, edges and faces of a piece, or the ends and the segment of a ball or a capsule, are held against the field as those of a cloth
// are (field/field.h). Touches whose normals are nearly the same are one manifold. There may be several: a box in a valley touches both of
// its slopes.
//
// All is computed in the frame of the field.

#include "sim/field/field.h"
#include "sim/ground/vector.h"
#include "sim/rigid/manifold.h"
#include "sim/rigid/view.h"

#include <string.h>

#define SAME_WAY 0.95 // cosine: touches whose normals differ by less are one manifold
#define LEVEL 1e-9    // m: heights that differ by less are the same
enum { TOUCHES_MAX = 96 };

struct touch {
    double p[3], n[3], gap; // the point of the piece, which a radius is added to; the way out
    bool taken;
};

struct search {
    const struct sim_field *field;
    double limit; // m: the margin, and the radius of the piece
    struct touch touches[TOUCHES_MAX];
    uint32_t count;
};

static void note(struct search *search, const double p[3], const double n[3], double gap)
{
    uint32_t at = search->count;
    if (at == TOUCHES_MAX) { // the one that is least deep gives way
        at = 0;
        for (uint32_t i = 1; i < TOUCHES_MAX; i++) {
            at = search->touches[i].gap > search->touches[at].gap ? i : at;
        }
        if (!(gap < search->touches[at].gap)) {
            return;
        }
    } else {
        search->count++;
    }
    struct touch *touch = &search->touches[at];
    touch->gap = gap;
    touch->taken = false;
    memcpy(touch->p, p, sizeof touch->p);
    memcpy(touch->n, n, sizeof touch->n);
}

static void try_point(struct search *search, const double p[3])
{
    double n[3];
    const double gap = sim_field_distance(search->field, p, search->limit, n);
    if (gap < search->limit) {
        note(search, p, n, gap);
    }
}

static void try_corners(struct search *search, const double corners[3][3], bool triangle)
{
    struct sim_field_touch touch;
    if (!(triangle ? sim_field_triangle(search->field, corners, search->limit, &touch)
                   : sim_field_edge(search->field, corners, search->limit, &touch))) {
        return;
    }
    const double last = triangle ? touch.c[1] : 0;
    double p[3];
    for (int axis = 0; axis < 3; axis++) {
        p[axis] = ((1 - touch.c[0] - last) * corners[0][axis] + touch.c[0] * corners[1][axis]) +
                  last * corners[2][axis];
    }
    note(search, p, touch.normal, touch.phi);
}

// The place of a piece, seen from the field.
struct seen {
    double at[3], axes[3][3];
};

static void seen_from(const struct sim_proxy *field, const struct sim_proxy *a, struct seen *seen)
{
    double from[3];
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = a->position[axis] - field->position[axis];
    }
    for (int i = 0; i < 3; i++) {
        seen->at[i] = sim_dot(field->axes[i], from);
        for (int k = 0; k < 3; k++) {
            seen->axes[k][i] = sim_dot(a->axes[k], field->axes[i]);
        }
    }
}

static void search_round(struct search *search, const struct sim_proxy *a, const struct seen *seen)
{
    const double half = a->form == SIM_PROXY_CAPSULE ? a->half_length : 0;
    double corners[3][3];
    for (int end = 0; end < 2; end++) {
        for (int axis = 0; axis < 3; axis++) {
            corners[end][axis] = seen->at[axis] + (end == 0 ? half : -half) * seen->axes[1][axis];
        }
        if (end == 0 || half > 0) {
            try_point(search, corners[end]);
        }
    }
    memcpy(corners[2], corners[1], sizeof corners[2]);
    if (half > 0) {
        try_corners(search, (const double(*)[3])corners, false);
    }
}

static void search_view(struct search *search, const struct sim_proxy *a, const struct seen *seen)
{
    struct sim_view_room room;
    struct sim_view view;
    double places[SIM_HULL_MAX][3], corners[3][3];
    sim_view_of(a, &room, &view);
    for (uint32_t v = 0; v < view.vertex_count; v++) {
        const double *own = view.vertices[v];
        for (int axis = 0; axis < 3; axis++) {
            places[v][axis] =
                seen->at[axis] + ((own[0] * seen->axes[0][axis] + own[1] * seen->axes[1][axis]) +
                                  own[2] * seen->axes[2][axis]);
        }
        try_point(search, places[v]);
    }
    for (uint32_t e = 0; e < view.edge_count; e++) {
        memcpy(corners[0], places[view.edges[e].from], sizeof corners[0]);
        memcpy(corners[1], places[view.edges[e].to], sizeof corners[1]);
        memcpy(corners[2], corners[1], sizeof corners[2]);
        try_corners(search, (const double(*)[3])corners, false);
    }
    for (uint32_t f = 0; f < view.face_count; f++) {
        const uint8_t *loop = view.corners + view.faces[f].first;
        memcpy(corners[0], places[loop[0]], sizeof corners[0]);
        for (uint32_t k = 2; k < view.faces[f].count; k++) {
            memcpy(corners[1], places[loop[k - 1]], sizeof corners[1]);
            memcpy(corners[2], places[loop[k]], sizeof corners[2]);
            try_corners(search, (const double(*)[3])corners, true);
        }
    }
}

static void turn(const struct sim_proxy *field, const double v[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (v[0] * field->axes[0][axis] + v[1] * field->axes[1][axis]) + v[2] * field->axes[2][axis];
    }
}

// Takes the deepest touch that is left, and those whose normals are nearly its own. False if none is left.
static bool manifold_take(struct search *search, const struct sim_proxy *a, const struct sim_proxy *field,
                          double margin, struct sim_manifold *manifold)
{
    double points[TOUCHES_MAX][3], across[2][3];
    uint32_t members[TOUCHES_MAX];
    int kept[SIM_MANIFOLD_POINTS], count = 0;
    const struct touch *deepest = NULL;
    for (uint32_t i = 0; i < search->count; i++) {
        const struct touch *touch = &search->touches[i];
        if (!touch->taken && (!deepest || touch->gap < deepest->gap - LEVEL)) {
            deepest = touch;
        }
    }
    if (!deepest) {
        return false;
    }
    double n[3];
    memcpy(n, deepest->n, sizeof n);
    const double other[3] = {__builtin_fabs(n[0]) > 0.7 ? 0 : 1, __builtin_fabs(n[0]) > 0.7 ? 1 : 0, 0};
    sim_cross(n, other, across[0]);
    sim_cross(n, across[0], across[1]);
    for (uint32_t i = 0; i < search->count; i++) {
        struct touch *touch = &search->touches[i];
        if (!touch->taken && sim_dot(touch->n, n) > SAME_WAY) {
            points[count][0] = sim_dot(across[0], touch->p);
            points[count][1] = sim_dot(across[1], touch->p);
            points[count][2] = touch->gap;
            members[count++] = i;
            touch->taken = true;
        }
    }
    count = sim_manifold_thin((const double(*)[3])points, count, LEVEL, 1e-6, kept);
    manifold->count = 0;
    turn(field, n, manifold->normal);
    for (int k = 0; k < count; k++) {
        const struct touch *touch = &search->touches[members[kept[k]]];
        const double gap = touch->gap - a->radius;
        double on_b[3];
        turn(field, touch->p, on_b);
        for (int axis = 0; axis < 3; axis++) {
            on_b[axis] += field->position[axis] - (a->radius + gap) * manifold->normal[axis];
        }
        sim_manifold_add(manifold, on_b, gap, margin);
    }
    return true;
}

uint32_t sim_manifold_field(const struct sim_proxy *a, const struct sim_proxy *field, double margin,
                            struct sim_manifold manifolds[SIM_FIELD_MANIFOLDS])
{
    struct search search = {.field = field->field, .limit = margin + a->radius};
    struct seen seen;
    uint32_t count = 0;
    seen_from(field, a, &seen);
    if (!sim_field_reaches(field->field, SIM_TOPS_ALL, seen.at, sim_proxy_reach(a) + margin)) {
        return 0;
    }
    if (a->form < SIM_PROXY_BOX) {
        search_round(&search, a, &seen);
    } else {
        search_view(&search, a, &seen);
    }
    while (count < SIM_FIELD_MANIFOLDS && manifold_take(&search, a, field, margin, &manifolds[count])) {
        count += manifolds[count].count > 0;
    }
    return count;
}
