// P and L are the sums of m d and of x x m d over the rows that were held back, with d what each was held back from and x from the
// first row of the island. With the island's mass M, centre c and inertia I about it
//
//     v = P / M        w = I^-1 (L - c x P)        each row gets the velocity v + w x (x - c)
//
// Rows that lie on a line have no inverse of I, so they get v alone. A part s of w is given, as much as leaves the island no more
// kinetic energy than it began the tick with, or than it has without w. So what constraints press together for ever, and
// holding back keeps apart, gets no spin from it.

#include "sim/contact/momentum.h"

#include "sim/ground/vector.h"

// The least determinant of an inertia, over the product of its diagonal. Below it the rows lie on a line.
static const double LEAST = 1e-9;

struct matter {
    int32_t from[3]; // what all places are told from
    double mass, center[3];
    double inertia[3][3]; // about the centre
};

// kg. Static rows of such an island are spares of a cloth that can tear (state/torn.h), which belong to nothing yet.
static double mass_of(const struct sim *sim, uint32_t row)
{
    const float w = sim->rows[row].w;
    return w > 0 ? 1 / (double)w : 0;
}

static void place_of(const struct sim *sim, const struct matter *matter, uint32_t row, double x[3])
{
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = sim_wrap_sub(sim->rows[row].x[axis], matter->from[axis]) - matter->center[axis];
    }
}

static void center_find(const struct sim *sim, const struct sim_span *spans, uint32_t count,
                        struct matter *matter)
{
    double sum[3] = {0, 0, 0};
    for (uint32_t s = 0; s < count; s++) {
        for (uint32_t row = spans[s].first; row < spans[s].first + spans[s].count; row++) {
            const double mass = mass_of(sim, row);
            double x[3];
            place_of(sim, matter, row, x);
            matter->mass += mass;
            for (int axis = 0; axis < 3; axis++) {
                sum[axis] += mass * x[axis];
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        matter->center[axis] = sum[axis] / matter->mass;
    }
}

static void inertia_find(const struct sim *sim, const struct sim_span *spans, uint32_t count,
                         struct matter *matter)
{
    for (uint32_t s = 0; s < count; s++) {
        for (uint32_t row = spans[s].first; row < spans[s].first + spans[s].count; row++) {
            const double mass = mass_of(sim, row);
            double x[3];
            place_of(sim, matter, row, x);
            const double squared = sim_dot(x, x);
            for (int i = 0; i < 3; i++) {
                for (int k = 0; k < 3; k++) {
                    matter->inertia[i][k] += mass * ((i == k ? squared : 0) - x[i] * x[k]);
                }
            }
        }
    }
}

// Solves by the adjugate: the rows of the inverse are cross products of columns, divided by the determinant.
static void spin_find(const struct matter *matter, const double turn[3], double spin[3])
{
    double adjugate[3][3];
    for (int i = 0; i < 3; i++) {
        sim_cross(matter->inertia[(i + 1) % 3], matter->inertia[(i + 2) % 3], adjugate[i]);
    }
    const double determinant = sim_dot(matter->inertia[0], adjugate[0]);
    const double scale = (matter->inertia[0][0] * matter->inertia[1][1]) * matter->inertia[2][2];
    for (int axis = 0; axis < 3; axis++) {
        spin[axis] = determinant > LEAST * scale ? sim_dot(adjugate[axis], turn) / determinant : 0;
    }
}

// The part of the spin that is given. u is the way of a row in this substep with v.
static double part_of(const struct sim *sim, const struct sim_span *spans, uint32_t count,
                      const struct matter *matter, const double lost[3], const double spin[3])
{
    double began = 0, without = 0, both = 0, alone = 0;
    for (uint32_t s = 0; s < count; s++) {
        for (uint32_t row = spans[s].first; row < spans[s].first + spans[s].count; row++) {
            const double mass = mass_of(sim, row);
            double x[3], u[3], start[3], turned[3];
            place_of(sim, matter, row, x);
            sim_cross(spin, x, turned);
            for (int axis = 0; axis < 3; axis++) {
                start[axis] = (double)(sim->began[row].v[axis] * sim->times.h_over_q);
                u[axis] = sim_wrap_sub(sim->rows[row].x[axis], sim->previous[row].x[axis]) +
                          lost[axis] / matter->mass;
            }
            began += mass * sim_dot(start, start);
            without += mass * sim_dot(u, u);
            both += mass * sim_dot(u, turned);
            alone += mass * sim_dot(turned, turned);
        }
    }
    // without + 2 s both + s^2 alone = the greater of without and began
    const double spare = began > without ? began - without : 0;
    const double part = (__builtin_sqrt(both * both + alone * spare) - both) / alone;
    return alone > 0 && part > 0 ? (part < 1 ? part : 1) : 0;
}

void sim_momentum_give_back(struct sim *sim, const struct sim_span *spans, uint32_t span_count,
                            const struct sim_stopped *stopped)
{
    struct matter matter = {.mass = 0};
    double turn[3], spin[3];
    memcpy(matter.from, sim->rows[spans[0].first].x, sizeof matter.from);
    center_find(sim, spans, span_count, &matter);
    inertia_find(sim, spans, span_count, &matter);
    sim_cross(matter.center, stopped->lost, turn);
    for (int axis = 0; axis < 3; axis++) {
        turn[axis] = stopped->turn[axis] - turn[axis];
    }
    spin_find(&matter, turn, spin);
    const double part = part_of(sim, spans, span_count, &matter, stopped->lost, spin);
    for (uint32_t s = 0; s < span_count; s++) {
        for (uint32_t row = spans[s].first; row < spans[s].first + spans[s].count; row++) {
            double x[3], way[3];
            place_of(sim, &matter, row, x);
            sim_cross(spin, x, way);
            for (int axis = 0; axis < 3 && sim->rows[row].w > 0; axis++) {
                const int32_t whole =
                    sim_round((float)(stopped->lost[axis] / matter.mass + part * way[axis]));
                sim->predicted[row].x[axis] = sim_wrap_sub(sim->predicted[row].x[axis], whole);
            }
        }
    }
}
