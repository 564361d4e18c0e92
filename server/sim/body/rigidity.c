// Bending by rigidity: the compliance that makes a mesh as stiff as a plate of rigidity B.
//
// A plate that is rolled to the curvature k stores B k^2/2 for each unit of area. A hinge whose two triangles lie in one plane at
// rest has the stencil K of isometric.c. For a surface of curvature H the fold of the hinge is
//
//     t = K.z = 1/2 sum K_i (r_i . H r_i)        r_i its corners in the plane;  t = theta |e| for small angles
//     U = w t^2 / (2 alpha)                      w = 3/(A0 + A1) quadratic, 1/|e|^2 dihedral
//
// The sum over all hinges of a mesh with alpha = 1, rolled with k = 1, is half of the factor c for each unit of area, and so
// alpha = c/B. Meshes are not alike in all directions. The roll goes along the edges of each triangle, weighted by the
// cotangents of the angles that face them. A right angle weighs nothing, so that on a grid of squares the roll goes along the
// sides, as the yarns do, and not along the diagonals.
//
// Corners with many triangles and corners with few do not stay on the cylinder: they move apart until the energy is least. One
// step towards that minimum, along the gradient over the diagonal and as far as is best, finds all of it on a grid whose
// diagonals cross, and most of it on others. The step is made for a sphere, because that needs no direction, and a cylinder
// gains a quarter as much. A corner next to a border stays.
#include "sim/body/rigidity.h"

#include "sim/body/mesh.h"
#include "sim/body/roll.h"
#include "sim/body/torn.h"
#include "sim/ground/ground.h"

#include <stdlib.h>

struct relaxing {
    double *pull, *hold; // by corner: the gradient, and the diagonal
    bool *fixed;
};

struct sums {
    double energy, area; // of the cylinder
    double gain, bent,
        between; // of the step: the corners' gradient times their way, the way's energy, the area of those that move
};

// The hinge's energy, as the mean over rolls along the edges of its two triangles.
static double rolled(const struct sim_roll *stencil)
{
    double energy = 0;
    for (int wing = 0; wing < 2; wing++) {
        const double *tip = stencil->at[2 + wing], *end = stencil->at[1];
        const double sides[3][2] = {{end[0], end[1]}, {tip[0], tip[1]}, {tip[0] - end[0], tip[1] - end[1]}};
        double sum = 0, weights = 0;
        for (int side = 0; side < 3; side++) {
            const double cot = stencil->cots[wing][side], weight = cot > 0 ? cot : 0;
            const double fold = sim_roll_fold(stencil, sides[side]);
            sum += weight * fold * fold;
            weights += weight;
        }
        energy += 0.25 * stencil->weight * sum / weights;
    }
    return energy;
}

// Adds a hinge to the energy of the cylinder, and to the gradient on a sphere.
static void load(const struct sim_roll *stencil, struct relaxing *relaxing, struct sums *sums)
{
    const double fold = sim_roll_fold(stencil, NULL);
    sums->energy += rolled(stencil);
    sums->area += (stencil->areas[0] + stencil->areas[1]) / 3;
    for (int i = 0; i < 4; i++) {
        relaxing->pull[stencil->corners[i]] += stencil->weight * fold * stencil->k[i];
        relaxing->hold[stencil->corners[i]] += stencil->weight * stencil->k[i] * stencil->k[i];
    }
}

// Adds the energy of the step in a hinge, and the area around the corners that take it.
static void bend(const struct sim_roll *stencil, const struct relaxing *relaxing, struct sums *sums)
{
    double fold = 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t corner = stencil->corners[i];
        fold += relaxing->fixed[corner] ? 0 : stencil->k[i] * relaxing->pull[corner] / relaxing->hold[corner];
    }
    sums->bent += stencil->weight * fold * fold;
    for (int wing = 0; wing < 2; wing++) {
        const int corners[3] = {0, 1, 2 + wing};
        for (int i = 0; i < 3; i++) {
            sums->between += relaxing->fixed[stencil->corners[corners[i]]] ? 0 : stencil->areas[wing] / 9;
        }
    }
}

static double factor_of(const struct sim_body *body, double q, const struct sim_hinge *hinges, uint32_t count,
                        struct relaxing *relaxing)
{
    const bool dihedral = body->bend_model == SIM_BEND_DIHEDRAL;
    const double even = dihedral ? 0.866 : 3; // of equilateral triangles
    struct sums sums = {0};
    struct sim_roll stencil;
    for (uint32_t h = 0; h < count; h++) {
        if (sim_roll_of(body, q, &hinges[h], dihedral, &stencil)) {
            load(&stencil, relaxing, &sums);
            continue;
        }
        for (int i = 0; i < 4; i++) {
            relaxing->fixed[hinges[h].corners[i]] = true;
        }
    }
    for (uint32_t i = 0; i < body->count; i++) {
        relaxing->fixed[i] = relaxing->fixed[i] || !(relaxing->hold[i] > 0);
        sums.gain += relaxing->fixed[i] ? 0 : relaxing->pull[i] * relaxing->pull[i] / relaxing->hold[i];
    }
    for (uint32_t h = 0; h < count; h++) {
        if (sim_roll_of(body, q, &hinges[h], dihedral, &stencil)) {
            bend(&stencil, relaxing, &sums);
        }
    }
    // The best way along the step gains gain^2/(2 bent) on a sphere.
    const double density = sums.area > 0 ? sums.energy / sums.area : 0;
    const double gained = sums.bent > 0 ? sums.gain * sums.gain / (8 * sums.bent * sums.between) : 0;
    const double factor = 2 * (density - (gained < 0.5 * density ? gained : 0.5 * density));
    // A few triangles may have no hinge that the rolls fold, such as the diagonal of a square.
    return factor > even / 16 ? factor : even;
}

static bool find_factor(struct sim_body *body, double q)
{
    struct sim_hinge *hinges = NULL;
    uint32_t count = 0;
    struct relaxing relaxing = {.pull = calloc(body->count, sizeof *relaxing.pull),
                                .hold = calloc(body->count, sizeof *relaxing.hold),
                                .fixed = calloc(body->count, sizeof *relaxing.fixed)};
    // The factor is that of the mesh as it was made, whatever has torn of it.
    uint32_t *whole = body->torn ? sim_torn_mesh(body) : NULL;
    const uint32_t *triangles = body->torn ? whole : body->triangles;
    const bool done = relaxing.pull && relaxing.hold && relaxing.fixed && triangles &&
                      sim_mesh_hinges(triangles, body->triangle_count, body->count, &hinges, &count);
    if (done) {
        body->bend_factor = factor_of(body, q, hinges, count, &relaxing);
    }
    free(hinges);
    free(whole);
    free(relaxing.pull);
    free(relaxing.hold);
    free(relaxing.fixed);
    return done;
}

enum fault_code sim_body_rigidity(struct sim_body *body, double q, struct sim_material *bend,
                                  struct fault *fault)
{
    if (!(bend->rigidity > 0) || body->bend_model == SIM_BEND_NONE) {
        return FAULT_NONE;
    }
    if (body->bend_model == SIM_BEND_ISOMETRIC) {
        return fault_code_set(
            fault, FAULT_INVALID, "bend.rigidity",
            "%g N m; must be absent with model isometric, whose energy grows with the fourth "
            "power of the curvature; give bend.compliance, or take quadratic",
            bend->rigidity);
    }
    if (!(body->bend_factor > 0) && !find_factor(body, q)) {
        return sim_fault_memory(fault);
    }
    bend->compliance = body->bend_factor / bend->rigidity;
    if (!(bend->compliance <= SIM_COMPLIANCE_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "bend.rigidity",
                              "%g N m; comes to a compliance of %g, which must be at most %g", bend->rigidity,
                              bend->compliance, SIM_COMPLIANCE_MAX);
    }
    return FAULT_NONE;
}
