// Tells how a body that is drawn to its shape lies, from its places at a boundary: in the order of regions and their members.

#include "sim/ground/ground.h"

// A member, with places in quanta from those of the origin on.
struct member {
    double x[3], q[3], share, w;
};

static struct member member_of(const struct sim *sim, const struct sim_body *body, uint32_t row,
                               uint32_t origin)
{
    const struct sim_row *rest = body->match->rest;
    struct member member = {.share = (double)rest[row].w, .w = (double)sim->rows[body->first_row + row].w};
    for (int axis = 0; axis < 3; axis++) {
        const int64_t x = sim->positions[body->first_row + row][axis];
        member.x[axis] = (double)(x - sim->positions[body->first_row + origin][axis]);
        member.q[axis] = (double)sim_wrap_sub(rest[row].x[axis], rest[origin].x[axis]);
    }
    return member;
}

static void add(const struct member *member, double m, double sums[SIM_MATCH_SUMS])
{
    sums[SIM_MATCH_MASS] += m;
    for (int i = 0; i < 3; i++) {
        sums[SIM_MATCH_NOW + i] += m * member->x[i];
        sums[SIM_MATCH_REST + i] += m * member->q[i];
        for (int j = 0; j < 3; j++) {
            sums[SIM_MATCH_PRODUCT + 3 * i + j] += m * member->x[i] * member->q[j];
        }
    }
}

// The sum of m |x - g|^2 over the members of a region that move, kg quanta^2. *mass: sum m
static double square_of(const struct sim *sim, const struct sim_body *body, uint32_t region, double *mass)
{
    const struct sim_match *match = body->match;
    const struct sim_match_part *parts = match->parts + match->first_parts[region];
    const uint32_t origin = match->origins[region];
    const uint32_t part_count = match->first_parts[region + 1] - match->first_parts[region];
    const uint32_t *slots = match->slots + (size_t)parts[0].first_batch * SIM_LANES;
    struct sim_match_sums sums = {0};
    struct sim_match_fit fit;
    size_t count = 0;
    double sum = 0;
    for (uint32_t p = 0; p < part_count; p++) {
        count += (size_t)parts[p].batch_count * SIM_LANES;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t s = 0; s < count; s++) {
            const struct member member = member_of(sim, body, slots[s] / SIM_ROW_BYTES, origin);
            const double m = member.w > 0 ? member.share / member.w : member.share;
            if (pass == 0 && member.share > 0) {
                add(&member, m, member.w > 0 ? sums.free : sums.held);
            }
            for (int i = 0; pass == 1 && member.w > 0 && i < 3; i++) {
                const double *r = fit.turn[i], *q = member.q;
                const double off = member.x[i] - (((r[0] * q[0] + r[1] * q[1]) + r[2] * q[2]) + fit.shift[i]);
                sum += m * (off * off);
            }
        }
        if (pass == 0 && !sim_match_fit(&sums, match->spreads[region], &fit)) {
            return 0;
        }
    }
    *mass += sums.free[SIM_MATCH_MASS];
    return sum;
}

// The whole body as one region: all its particles, whatever their regions.
static void lie_of(const struct sim *sim, const struct sim_body *body, struct sim_match_told *told)
{
    struct sim_match_sums sums = {0};
    struct sim_match_fit fit;
    double size2 = 0;
    for (uint32_t i = 0; i < body->count; i++) {
        struct member member = member_of(sim, body, body->row_of[i], body->row_of[0]);
        add(&member, member.w > 0 ? 1 / member.w : 1, member.w > 0 ? sums.free : sums.held);
        size2 += (member.q[0] * member.q[0] + member.q[1] * member.q[1]) + member.q[2] * member.q[2];
    }
    if (!(sums.free[SIM_MATCH_MASS] > 0)) { // nothing of it moves: all particles count alike
        memcpy(sums.free, sums.held, sizeof sums.free);
        memset(sums.held, 0, sizeof sums.held);
    }
    if (body->count > 0 && sim_match_fit(&sums, size2 / body->count, &fit)) {
        memcpy(told->rotation, fit.q + 1, 3 * sizeof *fit.q);
        told->rotation[3] = fit.q[0];
        for (int axis = 0; axis < 3; axis++) {
            const double from = (double)sim->positions[body->first_row + body->row_of[0]][axis];
            told->position[axis] = (from + fit.now[axis]) * sim->q;
        }
    }
}

bool sim_body_match(const struct sim *sim, uint32_t id, struct sim_match_told *told)
{
    const struct sim_body *body = sim_body_find(sim, id);
    *told = (struct sim_match_told){.rotation = {0, 0, 0, 1}};
    if (!body || body->matching.model == SIM_MATCH_NONE) {
        return false;
    }
    const struct sim_match *match = body->match;
    const double inv_h = (double)sim->settings.tick_rate * sim->settings.substeps, q = sim->q;
    double square = 0, mass = 0;
    told->regions = match->region_count;
    for (uint32_t region = 0; region < match->region_count; region++) {
        square += square_of(sim, body, region, &mass);
    }
    lie_of(sim, body, told);
    told->distance = mass > 0 ? __builtin_sqrt(square / mass) * q : 0;
    if (body->matching.compliance > 0 && mass > 0) {
        told->energy = square * (q * q) / (2 * body->matching.compliance * sim_match_mass(sim, body));
    }
    for (uint32_t row = 0; row < body->count; row++) {
        const double x = (double)match->drawn[row][0], y = (double)match->drawn[row][1],
                     z = (double)match->drawn[row][2], w = (double)sim->rows[body->first_row + row].w;
        told->force += w > 0 ? __builtin_sqrt(x * x + y * y + z * z) / w : 0;
    }
    told->force *= q * inv_h * inv_h;
    return true;
}
