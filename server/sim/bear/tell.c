// Whether loads of a body are swept, and why.
//
// This looks at masses and places alone, which are right at any boundary, and not at pairs of contact, which edits since the
// last tick may have made wrong.
#include "sim/bear/bear.h"

#include "sim/bear/system.h"
#include "sim/state/fixed.h"

// Places of a body's free particles, in quanta from its first row, and the least of their inverse masses.
struct extent {
    int32_t low[3], high[3];
    float least; // 1/kg; 0: it has none
};

static struct extent extent_of(const struct sim *sim, const struct sim_body *body)
{
    const struct sim_row *rows = sim->rows + body->first_row;
    struct extent extent = {0};
    for (uint32_t r = 0; r < body->count; r++) {
        for (int axis = 0; axis < 3; axis++) {
            const int32_t at = sim_wrap_sub(rows[r].x[axis], rows[0].x[axis]);
            extent.low[axis] = at < extent.low[axis] ? at : extent.low[axis];
            extent.high[axis] = at > extent.high[axis] ? at : extent.high[axis];
        }
        if (rows[r].w > 0 && !(extent.least > 0 && extent.least <= rows[r].w)) {
            extent.least = rows[r].w;
        }
    }
    return extent;
}

static bool meets(const struct sim_meeting *one, const struct sim_meeting *other)
{
    return (one->group & other->mask) != 0 && (other->group & one->mask) != 0;
}

// The heavy particles of another body in the box, no more than `most`.
static uint32_t loads_in(const struct sim *sim, const struct sim_body *body, const struct extent *extent,
                         const struct sim_body *other, uint32_t most)
{
    const double margin = (body->thickness + other->thickness) / sim->q;
    const int32_t *origin = sim->rows[body->first_row].x;
    uint32_t count = 0;
    for (uint32_t r = 0; r < other->count && count < most; r++) {
        const struct sim_row *row = &sim->rows[other->first_row + r];
        bool in = row->w > 0 && row->w * SIM_BEAR_RATIO <= extent->least;
        for (int axis = 0; in && axis < 3; axis++) {
            const double at = sim_wrap_sub(row->x[axis], origin[axis]);
            in = at >= extent->low[axis] - margin && at <= extent->high[axis] + margin;
        }
        count += in;
    }
    return count;
}

// One more than SIM_BEAR_LOADS stands for any number above that.
static uint32_t loads_count(const struct sim *sim, const struct sim_body *body)
{
    const struct extent extent = extent_of(sim, body);
    uint32_t count = 0;
    for (uint32_t b = 0; extent.least > 0 && b < sim->body_count && count <= SIM_BEAR_LOADS; b++) {
        const struct sim_body *other = sim->bodies[b];
        if (other != body && !other->rigid && meets(&body->meeting, &other->meeting)) {
            count += loads_in(sim, body, &extent, other, SIM_BEAR_LOADS + 1 - count);
        }
    }
    return count;
}

enum sim_loads sim_bear_loads(const struct sim *sim, const struct sim_body *body)
{
    if (!sim_bear_may(body)) {
        return SIM_LOADS_FINE;
    }
    const bool large = body->count > SIM_LOADS_PARTICLES_MAX, solved = sim->settings.loads_solved;
    if (solved && large) {
        return SIM_LOADS_LARGE;
    }
    if (solved) {
        return body->bearing && body->bearing->crowded && loads_count(sim, body) > SIM_BEAR_LOADS
                   ? SIM_LOADS_CROWDED
                   : SIM_LOADS_FINE;
    }
    const uint32_t count = large ? 0 : loads_count(sim, body);
    return count > 0 && count <= SIM_BEAR_LOADS ? SIM_LOADS_SWEPT : SIM_LOADS_FINE;
}
