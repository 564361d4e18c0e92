// Finds where edges and triangles touch height fields, one after the other. For convex colliders touch.c does so.
#include "sim/contact/touch_field.h"

#include "sim/field/field.h"
#include "sim/ground/vector.h"

// The corners of a feature as the collider sees them, with its own axes, when the substep began and ends.
struct feature {
    double starts[3][3], ends[3][3];
};

static void place_of(const struct sim_toucher *t, const struct sim_frame *frame, const struct sim_row *row,
                     const int32_t low[3], const double from[3], double out[3])
{
    double seen[3];
    for (int axis = 0; axis < 3; axis++) {
        seen[axis] = ((double)sim_wrap_sub(row->x[axis], low[axis]) + from[axis]) * t->q;
    }
    for (int i = 0; i < 3; i++) {
        out[i] = sim_dot(seen, frame->axes[i]);
    }
}

static const struct sim_row *row_at(const struct sim_row *rows, uint32_t place)
{
    return rows + place / SIM_ROW_BYTES;
}

static void feature_from(const struct sim_toucher *t, const struct sim_touch_origin *origin,
                         const struct sim_row *rows, const struct sim_row *starts,
                         const uint32_t (*places)[SIM_LANES], uint32_t lane, uint32_t count,
                         struct feature *feature)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t place = places[k][lane];
        place_of(t, &t->shape.end, row_at(rows, place), origin->low, origin->end, feature->ends[k]);
        place_of(t, &t->shape.start, row_at(starts, place), origin->low, origin->start, feature->starts[k]);
    }
}

static void point_of(const double (*corners)[3], const double c[2], uint32_t count, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double first = corners[0][axis];
        out[axis] = first + c[0] * (corners[1][axis] - first);
        out[axis] += count == 3 ? c[1] * (corners[2][axis] - first) : 0;
    }
}

// To the axes of the world.
static void put_vector(double (*out)[SIM_LANES], uint32_t lane, const struct sim_frame *frame,
                       const double v[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis][lane] =
            (v[0] * frame->axes[0][axis] + v[1] * frame->axes[1][axis]) + v[2] * frame->axes[2][axis];
    }
}

static void put(const struct sim_toucher *t, const struct feature *feature,
                const struct sim_field_touch *touch, double moment, uint32_t count, uint32_t lane,
                struct sim_touches *out)
{
    double start[3], end[3], way[3];
    point_of(feature->starts, touch->c, count, start);
    point_of(feature->ends, touch->c, count, end);
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = end[axis] - start[axis];
    }
    double along = sim_dot(touch->normal, way);
    out->c[0][lane] = touch->c[0];
    out->c[1][lane] = count == 3 ? touch->c[1] : 0;
    out->phi[lane] = touch->phi + (1 - moment) * along;
    out->before[lane] = out->phi[lane] - along;
    put_vector(out->normal, lane, &t->shape.end, touch->normal);
    put_vector(out->at, lane, &t->shape.end, end);
    put_vector(out->way, lane, &t->shape.end, way);
}

static bool touches(const struct sim_toucher *t, const struct feature *feature, enum sim_touch_kind kind,
                    bool passes, struct sim_field_touch *touch, double *moment)
{
    const struct sim_field *field = t->shape.field;
    const double(*starts)[3] = feature->starts, (*ends)[3] = feature->ends;
    *moment = 1;
    if (kind == SIM_TOUCH_EDGE) {
        return passes ? sim_field_edge_passes(field, starts, ends, t->thickness, touch, moment)
                      : sim_field_edge(field, ends, t->thickness, touch);
    }
    return passes ? sim_field_triangle_passes(field, starts, ends, t->thickness, touch, moment)
                  : sim_field_triangle(field, ends, t->thickness, touch);
}

uint32_t sim_touch_field(const struct sim_toucher *t, const struct sim_touch_origin *origin,
                         const struct sim_row *rows, const struct sim_row *starts,
                         const uint32_t (*places)[SIM_LANES], uint32_t are, enum sim_touch_kind kind,
                         bool passes, struct sim_touches *out)
{
    const uint32_t count = kind == SIM_TOUCH_EDGE ? 2 : 3;
    uint32_t hits = 0;
    for (; are != 0; are &= are - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(are);
        struct feature feature = {0};
        struct sim_field_touch touch;
        double moment;
        feature_from(t, origin, rows, starts, places, lane, count, &feature);
        if (touches(t, &feature, kind, passes, &touch, &moment)) {
            put(t, &feature, &touch, moment, count, lane, out);
            hits |= 1U << lane;
        }
    }
    return hits;
}

// How far the field's material goes where the leaf is, m.
static double moves_of(const struct sim_toucher *t, const struct sim_balls *balls, uint32_t lane,
                       double seen[3])
{
    for (int axis = 0; axis < 3; axis++) {
        seen[axis] = (double)(balls->middle[axis][lane] - t->shape.end.position[axis]) * t->q;
    }
    return t->way + t->spin * (__builtin_sqrt(sim_dot(seen, seen)) + balls->radius[lane]);
}

bool sim_field_fast(const struct sim_toucher *t, const struct sim_balls *balls, uint32_t lane)
{
    double seen[3];
    // Nothing of a field is thick: what stands out may be passed by what goes farther than half the thickness.
    return 0.5 * t->thickness < moves_of(t, balls, lane, seen) + balls->way[lane];
}

bool sim_field_near(const struct sim_toucher *t, const struct sim_balls *balls, uint32_t lane, bool fast)
{
    double seen[3], local[3], moves = moves_of(t, balls, lane, seen);
    for (int i = 0; i < 3; i++) {
        local[i] = sim_dot(seen, t->shape.end.axes[i]);
    }
    // Twice the thickness: rows are pushed after the balls are made.
    double reach = (balls->radius[lane] + 2 * t->thickness) + moves;
    // Of slow features only edges and triangles are looked at. These meet only edges that stand out, or the peaks from which
    // such edges go.
    return sim_field_reaches(t->shape.field, fast ? SIM_TOPS_ALL : SIM_TOPS_EDGES, local, reach);
}
