#include "sim/body/roll.h"

#include "sim/ground/ground.h"
#include "sim/ground/vector.h"

// Unfolds one wing into the plane of the edge. False if its triangle has no area.
static bool unfold(struct sim_roll *roll, int wing, double length, const double along[3], const double way[3])
{
    const double x = sim_dot(way, along), flat2 = sim_dot(way, way) - x * x;
    const double y = flat2 > 0 ? __builtin_sqrt(flat2) : 0;
    if (!(y > 0)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        roll->across[wing][axis] = (way[axis] - x * along[axis]) / y;
    }
    roll->at[2 + wing][0] = x;
    roll->at[2 + wing][1] = wing == 0 ? y : -y;
    roll->areas[wing] = 0.5 * length * y;
    roll->cots[wing][0] = (x * (x - length) + y * y) / (length * y);
    roll->cots[wing][1] = (length - x) / y;
    roll->cots[wing][2] = x / y;
    return true;
}

bool sim_roll_of(const struct sim_body *body, double q, const struct sim_hinge *hinge, bool dihedral,
                 struct sim_roll *roll)
{
    int64_t first[3], x[3];
    double ways[3][3];
    if (hinge->triangle_count != 2 || hinge->corners[2] == hinge->corners[3]) {
        return false;
    }
    sim_rest_of(body, hinge->corners[0], first);
    for (int k = 0; k < 3; k++) {
        sim_rest_of(body, hinge->corners[k + 1], x);
        for (int axis = 0; axis < 3; axis++) {
            ways[k][axis] = (double)(x[axis] - first[axis]) * q;
        }
    }
    const double length = __builtin_sqrt(sim_dot(ways[0], ways[0]));
    if (!(length > 0)) {
        return false;
    }
    *roll = (struct sim_roll){.corners = hinge->corners, .at = {[1] = {length, 0}}};
    for (int axis = 0; axis < 3; axis++) {
        roll->along[axis] = ways[0][axis] / length;
    }
    if (!unfold(roll, 0, length, roll->along, ways[1]) || !unfold(roll, 1, length, roll->along, ways[2])) {
        return false;
    }
    roll->k[0] = roll->cots[0][1] + roll->cots[1][1];
    roll->k[1] = roll->cots[0][2] + roll->cots[1][2];
    roll->k[2] = -(roll->cots[0][2] + roll->cots[0][1]);
    roll->k[3] = -(roll->cots[1][2] + roll->cots[1][1]);
    roll->weight = dihedral ? 1 / (length * length) : 3 / (roll->areas[0] + roll->areas[1]);
    return true;
}

double sim_roll_fold(const struct sim_roll *roll, const double *direction)
{
    double sum = 0;
    for (int i = 1; i < 4; i++) {
        const double *r = roll->at[i];
        const double reach = direction ? r[0] * direction[0] + r[1] * direction[1] : 0;
        sum += roll->k[i] * (direction ? reach * reach : r[0] * r[0] + r[1] * r[1]);
    }
    const double length2 = direction ? direction[0] * direction[0] + direction[1] * direction[1] : 1;
    return 0.5 * sum / length2;
}
