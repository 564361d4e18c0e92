// Bending along warp and weft.
//
// A strip cut along the direction d, at the angle f to the warp, has the rigidity
//
//     B(d) = B1 c^4 + B2 s^4 + (4 B3 - B1 - B2) c^2 s^2        c = cos f, s = sin f;  B3 = B(45 degrees)
//
// as a plate of the energy 1/2 (B1 H11^2 + B2 H22^2 + 4 B66 H12^2) for each unit of area, 4 B66 = 4 B3 - B1 - B2. Each hinge begins
// with the conductance g = 1/alpha that a sheet of equilateral triangles would have if B were B(d) everywhere, with d across its
// edge. How the sheet as a whole bends is then measured on four cylinders, which curve along the warp, the weft and the two ways
// between them, with corners that move apart until the energy is least (body/rigidity.c says how). A hinge that folds by t_r on the
// roll r is made stiffer by the mean of what the rolls lack,
//
//     g <- g sum_r v_r t_r^2 (B_r / E_r) / sum_r v_r t_r^2      E_r: B that the mesh has
//
// which keeps g above 0 and comes to B_r = E_r if hinges of any g can do that (Richardson 1972, Lucy 1974). The ways between count
// less, so that warp and weft are right on meshes that cannot be right in all four. It ends early: hinges that are ever less alike
// give way in more ways than one step of the corners finds.
#include "sim/body/bend_yarns.h"

#include "sim/body/fabric.h"
#include "sim/body/mesh.h"
#include "sim/body/roll.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"
#include "sim/state/kind.h"

#include <stdlib.h>
#include <string.h>

enum { ROLLS = 4, ROUNDS = 12 };
static const double WEIGHTS[ROLLS] = {1, 1, 0.125, 0.125};
#define CLOSE 1e-3 // part of B that is near enough
#define FARTHEST 8 // a conductance goes no farther from its first value, either way

struct yarn_hinge {
    uint32_t corners[4];
    double k[4], folds[ROLLS], weight, area;
    double first, g; // conductance, 1/alpha
    bool bends;
};

struct corner {
    double pull[ROLLS], hold; // gradient of the energy and its diagonal
    bool fixed;
};

struct sheet {
    struct yarn_hinge *hinges;
    struct corner *corners;
    uint32_t hinge_count, corner_count;
    double wanted[ROLLS], got[ROLLS]; // B
};

// --------------------------------------------------------------------------------------------------- hinges

static double bend_bias(const struct sim_material *bend)
{
    return bend->bias > 0 ? bend->bias
                          : 0.25 * (bend->warp + bend->weft) + 0.5 * __builtin_sqrt(bend->warp * bend->weft);
}

// B across an edge that makes an angle with the weft of which this is the squared cosine.
static double rigidity_at(const struct sim_material *bend, double cos2)
{
    const double sin2 = 1 - cos2;
    return bend->warp * cos2 * cos2 + bend->weft * sin2 * sin2 +
           (4 * bend_bias(bend) - bend->warp - bend->weft) * cos2 * sin2;
}

// Finds how far a hinge folds on each roll, and its first conductance.
static void hinge_rolls(const struct sim_body *body, double q, const double turn[2],
                        const struct sim_hinge *from, const struct sim_roll *roll, double even,
                        const struct sim_material *bend, struct yarn_hinge *hinge)
{
    double across2 = 0;
    memcpy(hinge->k, roll->k, sizeof hinge->k);
    hinge->weight = roll->weight;
    hinge->area = roll->areas[0] + roll->areas[1];
    for (int wing = 0; wing < 2; wing++) {
        double yarns[2][3], at[2][2], ways[ROLLS][2];
        sim_yarns_of(body, q, from->triangles[wing], turn, yarns[0], yarns[1]);
        for (int y = 0; y < 2; y++) {
            const double up = sim_dot(yarns[y], roll->across[wing]);
            at[y][0] = sim_dot(yarns[y], roll->along);
            at[y][1] = wing == 0 ? up : -up;
        }
        across2 += 0.5 * at[0][1] * at[0][1];
        for (int axis = 0; axis < 2; axis++) {
            ways[0][axis] = at[0][axis];
            ways[1][axis] = at[1][axis];
            ways[2][axis] = at[0][axis] + at[1][axis];
            ways[3][axis] = at[0][axis] - at[1][axis];
        }
        for (int r = 0; r < ROLLS; r++) {
            hinge->folds[r] += 0.5 * sim_roll_fold(roll, ways[r]);
        }
    }
    hinge->g = hinge->first = rigidity_at(bend, across2 < 1 ? across2 : 1) / even;
    hinge->bends = true;
}

// Whether make_stencils (body_constraints.c) makes a constraint of a hinge.
static bool is_kept(const struct sim_body *body, double q, const struct sim_hinge *hinge)
{
    double offsets[SIM_STENCIL_MAX - 1][3] = {{0}};
    float params[SIM_PARAMS_MAX] = {0};
    int64_t first[3], x[3];
    if (hinge->triangle_count != 2 || hinge->corners[2] == hinge->corners[3]) {
        return false;
    }
    sim_rest_of(body, hinge->corners[0], first);
    for (int k = 1; k < 4; k++) {
        sim_rest_of(body, hinge->corners[k], x);
        for (int axis = 0; axis < 3; axis++) {
            offsets[k - 1][axis] = (double)(x[axis] - first[axis]);
        }
    }
    return sim_kind_rows[SIM_QUADRATIC]->at_rest((const double(*)[3])offsets, q, params);
}

// False if memory runs out.
static bool sheet_init(struct sheet *sheet, const struct sim_body *body, double q,
                       const struct sim_material *bend)
{
    const bool dihedral = body->bend_model == SIM_BEND_DIHEDRAL;
    const double even = dihedral ? 0.866 : 3; // of equilateral triangles
    struct sim_hinge *hinges = NULL;
    struct sim_roll roll;
    uint32_t count = 0;
    double turn[2];
    *sheet = (struct sheet){.corner_count = body->count,
                            .wanted = {bend->warp, bend->weft, bend_bias(bend), bend_bias(bend)}};
    sim_turn_of(body->yarns.angle, turn);
    const bool done = sim_mesh_hinges(body->triangles, body->triangle_count, body->count, &hinges, &count) &&
                      (sheet->hinges = calloc((size_t)count + 1, sizeof *sheet->hinges)) &&
                      (sheet->corners = calloc((size_t)body->count + 1, sizeof *sheet->corners));
    for (uint32_t h = 0; done && h < count; h++) {
        if (!sim_roll_of(body, q, &hinges[h], dihedral, &roll)) {
            for (int i = 0; i < 4; i++) {
                sheet->corners[hinges[h].corners[i]].fixed = true;
            }
        }
        if (!is_kept(body, q, &hinges[h])) {
            continue;
        }
        struct yarn_hinge *hinge = &sheet->hinges[sheet->hinge_count++];
        memcpy(hinge->corners, hinges[h].corners, sizeof hinge->corners);
        hinge->first = hinge->g = bend_bias(bend) / even;
        if (sim_roll_of(body, q, &hinges[h], dihedral, &roll)) {
            hinge_rolls(body, q, turn, &hinges[h], &roll, even, bend, hinge);
        }
    }
    free(hinges);
    return done;
}

static void sheet_deinit(struct sheet *sheet)
{
    free(sheet->hinges);
    free(sheet->corners);
}

// ------------------------------------------------------------------------------------------------ measuring

// Finds the gradient of each roll, and its diagonal.
static void load(struct sheet *sheet)
{
    for (uint32_t i = 0; i < sheet->corner_count; i++) {
        const bool fixed = sheet->corners[i].fixed;
        sheet->corners[i] = (struct corner){.fixed = fixed};
    }
    for (uint32_t h = 0; h < sheet->hinge_count; h++) {
        const struct yarn_hinge *hinge = &sheet->hinges[h];
        const double stiff = hinge->g * hinge->weight;
        for (int i = 0; i < 4; i++) {
            struct corner *corner = &sheet->corners[hinge->corners[i]];
            corner->hold += stiff * hinge->k[i] * hinge->k[i];
            for (int r = 0; r < ROLLS; r++) {
                corner->pull[r] += stiff * hinge->folds[r] * hinge->k[i];
            }
        }
    }
}

// Twice the energy, as a square in the length of the corners' step: energy - 2 gain x + bent x^2.
struct sums {
    double energy[ROLLS], gain[ROLLS], bent[ROLLS], area;
};

// inner: only of hinges whose corners all move. The others are stiffer, and would hide what a wide sheet does.
static void sum_up(const struct sheet *sheet, bool inner, struct sums *sums)
{
    *sums = (struct sums){.area = 0};
    for (uint32_t h = 0; h < sheet->hinge_count; h++) {
        const struct yarn_hinge *hinge = &sheet->hinges[h];
        const double stiff = hinge->g * hinge->weight;
        double steps[ROLLS] = {0};
        bool moves = true;
        for (int i = 0; i < 4; i++) {
            const struct corner *corner = &sheet->corners[hinge->corners[i]];
            const bool free = !corner->fixed && corner->hold > 0;
            for (int r = 0; r < ROLLS && free; r++) {
                steps[r] += hinge->k[i] * corner->pull[r] / corner->hold;
            }
            moves = moves && free;
        }
        if (inner && !moves) {
            continue;
        }
        sums->area += hinge->area / 3;
        for (int r = 0; r < ROLLS; r++) {
            sums->energy[r] += stiff * hinge->folds[r] * hinge->folds[r];
            sums->gain[r] += stiff * hinge->folds[r] * steps[r];
            sums->bent[r] += stiff * steps[r] * steps[r];
        }
    }
}

// Finds B of the sheet along each roll.
static void measure(struct sheet *sheet)
{
    struct sums sums;
    load(sheet);
    sum_up(sheet, true, &sums);
    if (!(sums.area > 0)) {
        sum_up(sheet, false, &sums);
    }
    for (int r = 0; r < ROLLS; r++) {
        const double gained = sums.bent[r] > 0 ? sums.gain[r] * sums.gain[r] / sums.bent[r] : 0;
        const double most = 0.75 * sums.energy[r]; // what is left is above 0, however odd the mesh
        sheet->got[r] = sums.area > 0 ? (sums.energy[r] - (gained < most ? gained : most)) / sums.area : 0;
    }
}

// Returns whether the sheet is near enough to what is wanted, and else goes a step towards that.
static bool improve(struct sheet *sheet)
{
    double ratios[ROLLS];
    bool close = true;
    measure(sheet);
    for (int r = 0; r < ROLLS; r++) {
        const double ratio = sheet->got[r] > 0 ? sheet->wanted[r] / sheet->got[r] : 1;
        ratios[r] = ratio > 0x1p-10 ? ratio < 0x1p10 ? ratio : 0x1p10 : 0x1p-10;
        close = close && ratio > 1 - CLOSE && ratio < 1 + CLOSE;
    }
    for (uint32_t h = 0; !close && h < sheet->hinge_count; h++) {
        struct yarn_hinge *hinge = &sheet->hinges[h];
        double sum = 0, weights = 0;
        for (int r = 0; r < ROLLS; r++) {
            const double weight = WEIGHTS[r] * hinge->folds[r] * hinge->folds[r];
            sum += weight * ratios[r];
            weights += weight;
        }
        const double next = weights > 0 ? hinge->g * (sum / weights) : hinge->g;
        const double least = hinge->first / FARTHEST, most = hinge->first * FARTHEST;
        hinge->g = next > least ? next < most ? next : most : least;
    }
    return close;
}

// ---------------------------------------------------------------------------------------------------- bodies

static enum fault_code check_value(const char *field, double value, struct fault *fault)
{
    return value > 0 && sim_finite(value)
               ? FAULT_NONE
               : fault_code_set(fault, FAULT_INVALID, field,
                                "%g N m; must be above 0; warp and weft are given together", value);
}

static enum fault_code check(const struct sim_body *body, const struct sim_material *bend,
                             struct fault *fault)
{
    enum fault_code status = check_value("bend.warp", bend->warp, fault);
    status = status == FAULT_NONE ? check_value("bend.weft", bend->weft, fault) : status;
    if (status != FAULT_NONE) {
        return status;
    }
    const double least = 0.25 * (bend->warp + bend->weft);
    if (bend->bias != 0 && !(bend->bias > least && sim_finite(bend->bias))) {
        return fault_code_set(
            fault, FAULT_INVALID, "bend.bias",
            "%g N m; must be above a quarter of warp and weft together, %g, because a cloth "
            "resists being twisted",
            bend->bias, least);
    }
    if (body->stretch_model != SIM_STRETCH_ORTHOTROPIC) {
        return fault_code_set(fault, FAULT_INVALID, "bend.warp",
                              "%g N m; needs stretch.model orthotropic, which says where the warp runs; give "
                              "bend.rigidity, or that model",
                              bend->warp);
    }
    if (bend->rigidity > 0 || bend->stiffness >= 0) {
        return fault_code_set(fault, FAULT_INVALID, "bend.warp",
                              "%g N m; must be absent where bend.%s is given", bend->warp,
                              bend->rigidity > 0 ? "rigidity" : "stiffness");
    }
    if (body->bend_model == SIM_BEND_ISOMETRIC) {
        return fault_code_set(fault, FAULT_INVALID, "bend.warp",
                              "%g N m; must be absent with model isometric, whose energy grows with the "
                              "fourth power of the curvature; take quadratic or dihedral",
                              bend->warp);
    }
    return FAULT_NONE;
}

enum fault_code sim_bend_yarns(const struct sim_body *body, double q, struct sim_material *bend, float **own,
                               struct fault *fault)
{
    struct sheet sheet = {0};
    enum fault_code status = FAULT_NONE;
    double mean = 0;
    *own = NULL;
    if (!sim_bends_by_yarns(bend)) {
        return FAULT_NONE;
    }
    status = check(body, bend, fault);
    if (status != FAULT_NONE || body->bend_model == SIM_BEND_NONE) {
        return status;
    }
    if (!sheet_init(&sheet, body, q, bend) ||
        !(*own = malloc(((size_t)sheet.hinge_count + 1) * sizeof **own))) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    for (int round = 0; round < ROUNDS && !improve(&sheet); round++) {
    }
    for (uint32_t h = 0; h < sheet.hinge_count; h++) {
        const double compliance = 1 / sheet.hinges[h].g;
        (*own)[h] = (float)compliance;
        mean += sheet.hinges[h].g;
        if (!(compliance <= SIM_COMPLIANCE_MAX) && status == FAULT_NONE) {
            status = fault_code_set(fault, FAULT_INVALID, "bend.warp",
                                    "%g N m; comes to a compliance of %g, which must be at most %g",
                                    bend->warp, compliance, SIM_COMPLIANCE_MAX);
        }
    }
    bend->compliance = mean > 0 ? sheet.hinge_count / mean : 0;
cleanup:
    if (status != FAULT_NONE) {
        free(*own);
        *own = NULL;
    }
    sheet_deinit(&sheet);
    return status;
}
