// Makes what pressure needs from a mesh. It checks that the surface is closed, and finds its volume at rest
// and a ring of neighbours around each particle.
//
// A surface is closed and turns one way if each edge has two triangles that run through it in opposite
// directions. Then each neighbour of a particle has one that follows it, and the ring is found by going from
// each to the next. A particle where several parts of the surface touch has several rings. The particle
// itself stands between two of them, with an offset of zero.
//
//     ring of i:   b0 b1 b2 b3 b0  |  i  |  c0 c1 c2 c0          triangles (i, b0, b1), (i, b1, b2), ...
//
// If the triangles of the whole surface look inwards, rings run the other way round.

#include "sim/body/balloon.h"
#include "sim/body/mesh.h"
#include "sim/ground/ground.h"

#include <stdlib.h>

enum fault_code sim_pressure_check(const struct sim_pressure *pressure, double resolution,
                                   struct fault *fault)
{
    const bool gas = pressure->model == SIM_PRESSURE_GAS;
    const char *field = gas ? "pressure.overpressure" : "pressure.ratio";
    const double values[2] = {pressure->end, pressure->seconds > 0 ? pressure->now : pressure->end};
    const double volume_max = sim_volume_max(resolution);
    if (pressure->model == SIM_PRESSURE_NONE) {
        return FAULT_NONE;
    }
    if (gas && !(pressure->ambient >= 0 && pressure->ambient <= SIM_PRESSURE_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "pressure.ambient", "%g Pa; must be in [0, %g]",
                              pressure->ambient, SIM_PRESSURE_MAX);
    }
    if (!(pressure->seconds >= 0 && pressure->seconds <= SIM_SEW_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "pressure.seconds", "%g s; must be in [0, %g]",
                              pressure->seconds, SIM_SEW_MAX);
    }
    for (int i = 0; i < 2; i++) {
        const char *name = i > 0 ? "pressure.now" : field;
        if (gas && !(values[i] >= -pressure->ambient && values[i] <= SIM_PRESSURE_MAX)) {
            return fault_code_set(
                fault, FAULT_INVALID, name,
                "%g Pa; must be in [%g, %g]; less than -ambient would be less than a vacuum", values[i],
                -pressure->ambient, SIM_PRESSURE_MAX);
        }
        if (!gas && !(values[i] >= 0 && values[i] <= SIM_PRESSURE_RATIO_MAX)) {
            return fault_code_set(fault, FAULT_INVALID, name, "%g; must be in [0, %g]", values[i],
                                  SIM_PRESSURE_RATIO_MAX);
        }
    }
    if (!gas && !(pressure->compliance >= 0 && pressure->compliance <= SIM_COMPLIANCE_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "pressure.compliance", "%g m^5/N; must be in [0, %g]",
                              pressure->compliance, SIM_COMPLIANCE_MAX);
    }
    if (pressure->volume != 0 &&
        !(pressure->volume >= SIM_PRESSURE_VOLUME_MIN && pressure->volume <= volume_max)) {
        return fault_code_set(fault, FAULT_INVALID, "pressure.volume",
                              "%g m^3; must be in [%g, %g], or 0 for that of the rest shape; " SIM_COARSER,
                              pressure->volume, SIM_PRESSURE_VOLUME_MIN, volume_max);
    }
    return FAULT_NONE;
}

void sim_balloon_destroy(struct sim_balloon *balloon)
{
    if (balloon) {
        free(balloon->starts);
        free(balloon->slots);
        free(balloon->gradients);
        free(balloon->sums);
        free(balloon);
    }
}

// ------------------------------------------------------------------------------------------------ what is closed

// Whether both triangles of an edge run through it the same way.
static bool runs_alike(const uint32_t *triangles, const struct sim_hinge *hinge)
{
    const uint32_t *corner = triangles + 3 * (size_t)hinge->triangles[1];
    bool alike = false;
    for (uint32_t k = 0; k < 3; k++) {
        alike = alike || (corner[k] == hinge->corners[0] && corner[(k + 1) % 3] == hinge->corners[1]);
    }
    return alike;
}

static enum fault_code closed_check(const struct sim_body *body, struct fault *fault)
{
    struct sim_hinge *hinges = NULL;
    uint32_t count = 0, open = 0, crowded = 0, alike = 0;
    if (!sim_mesh_hinges(body->triangles, body->triangle_count, body->count, &hinges, &count)) {
        return sim_fault_memory(fault);
    }
    for (uint32_t h = 0; h < count; h++) {
        open += hinges[h].triangle_count == 1;
        crowded += hinges[h].triangle_count > 2;
        alike += hinges[h].triangle_count == 2 && runs_alike(body->triangles, &hinges[h]);
    }
    free(hinges);
    if (open > 0) {
        return fault_code_set(
            fault, FAULT_INVALID, "pressure",
            "the surface has %u open edges; it must be closed, with two triangles at each edge "
            "(weld joins vertices that lie at the same place)",
            open);
    }
    if (crowded > 0) {
        return fault_code_set(
            fault, FAULT_INVALID, "pressure",
            "the surface has %u edges of more than two triangles; it must have two at each edge", crowded);
    }
    if (alike > 0) {
        return fault_code_set(
            fault, FAULT_INVALID, "pressure",
            "the surface has %u edges whose two triangles do not look to the same side; all "
            "triangles must look outwards",
            alike);
    }
    return FAULT_NONE;
}

// Six times the volume at rest, quanta^3, in the order of the triangles. *longest2: the square of the longest edge, quanta^2.
static double rest_volume(const struct sim_body *body, double *longest2)
{
    int64_t origin[3], at[3];
    double sum = 0;
    sim_rest_of(body, 0, origin);
    *longest2 = 0;
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        double x[3][3];
        for (uint32_t k = 0; k < 3; k++) {
            sim_rest_of(body, body->triangles[3 * (size_t)t + k], at);
            for (int axis = 0; axis < 3; axis++) {
                x[k][axis] = (double)(at[axis] - origin[axis]);
            }
        }
        for (uint32_t k = 0; k < 3; k++) {
            const double *a = x[k], *b = x[(k + 1) % 3];
            const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
            const double length2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            *longest2 = length2 > *longest2 ? length2 : *longest2;
        }
        sum += x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) +
               x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2]) +
               x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0]);
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------------- rings

// The corners that follow each corner in its triangle, by particle: pairs firsts[p] ... firsts[p + 1] - 1.
struct fans {
    uint32_t *firsts, (*pairs)[2];
    uint32_t *at; // by particle: the pair that begins with it, of the particle that is looked at
};

static void fans_deinit(struct fans *fans)
{
    free(fans->firsts);
    free(fans->pairs);
    free(fans->at);
}

static bool fans_init(struct fans *fans, const struct sim_body *body, bool inwards)
{
    const size_t corners = 3 * (size_t)body->triangle_count;
    *fans = (struct fans){.firsts = calloc((size_t)body->count + 2, sizeof *fans->firsts),
                          .pairs = malloc((corners + 1) * sizeof *fans->pairs),
                          .at = malloc(((size_t)body->count + 1) * sizeof *fans->at)};
    if (!fans->firsts || !fans->pairs || !fans->at) {
        fans_deinit(fans);
        return false;
    }
    for (size_t c = 0; c < corners; c++) {
        fans->firsts[body->triangles[c] + 2]++;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        fans->firsts[p + 2] += fans->firsts[p + 1];
    }
    for (size_t c = 0; c < corners; c++) { // firsts[p + 1] goes from the first pair of p to one past its last
        const uint32_t *triangle = body->triangles + c / 3 * 3;
        const uint32_t k = (uint32_t)(c % 3), next = triangle[(k + 1) % 3], last = triangle[(k + 2) % 3];
        uint32_t *pair = fans->pairs[fans->firsts[triangle[k] + 1]++];
        pair[0] = inwards ? last : next;
        pair[1] = inwards ? next : last;
    }
    return true;
}

// Writes the rings of a particle, as places, into every SIM_LANES-th word of `out`, which may be NULL.
// Returns how many slots they take. Uses up pairs that it has written.
static uint32_t rings_of(const struct sim_body *body, struct fans *fans, uint32_t particle, uint32_t *out)
{
    const uint32_t first = fans->firsts[particle], end = fans->firsts[particle + 1];
    uint32_t count = 0, done = 0;
    for (uint32_t p = first; p < end; p++) {
        fans->at[fans->pairs[p][0]] = p;
    }
    for (uint32_t p = first; p < end && done < end - first; p++) {
        const uint32_t begin = fans->pairs[p][0];
        uint32_t at = p;
        if (fans->at[begin] == UINT32_MAX) {
            continue; // of a ring before
        }
        if (count > 0) {
            if (out) {
                out[(size_t)count * SIM_LANES] = body->row_of[particle] * SIM_ROW_BYTES;
            }
            count++;
        }
        for (bool more = true; more; done++) {
            const uint32_t next = fans->pairs[at][1];
            if (out) {
                out[(size_t)count * SIM_LANES] = body->row_of[fans->pairs[at][0]] * SIM_ROW_BYTES;
            }
            count++;
            fans->at[fans->pairs[at][0]] = UINT32_MAX;
            more = next != begin;
            at = more ? fans->at[next] : at;
        }
        if (out) {
            out[(size_t)count * SIM_LANES] = body->row_of[begin] * SIM_ROW_BYTES;
        }
        count++;
    }
    return count;
}

// One lane: the row itself, its rings, and their end again as often as the batch has slots.
static void lane_fill(const struct sim_body *body, struct fans *fans, uint32_t row, uint32_t slot_count,
                      uint32_t *out)
{
    const uint32_t particle = body->index_of[row];
    out[0] = row * SIM_ROW_BYTES;
    const uint32_t count = 1 + rings_of(body, fans, particle, out + SIM_LANES);
    for (uint32_t s = count; s < slot_count; s++) {
        out[(size_t)s * SIM_LANES] = out[(size_t)(count - 1) * SIM_LANES];
    }
}

static bool rings_make(struct sim_balloon *balloon, const struct sim_body *body, struct fans *fans)
{
    balloon->batch_count = (body->count + SIM_LANES - 1) / SIM_LANES;
    balloon->starts = malloc(((size_t)balloon->batch_count + 1) * sizeof *balloon->starts);
    uint64_t slots = 0;
    for (uint32_t b = 0; balloon->starts && b < balloon->batch_count; b++) {
        uint32_t most = 0;
        for (uint32_t row = b * SIM_LANES; row < body->count && row < (b + 1) * SIM_LANES; row++) {
            const uint32_t count = rings_of(body, fans, body->index_of[row], NULL);
            most = count > most ? count : most;
        }
        balloon->starts[b] = (uint32_t)slots;
        slots += 1 + (uint64_t)most;
    }
    if (!balloon->starts || slots > UINT32_MAX ||
        !(balloon->slots = calloc((size_t)slots + 1, SIM_LANES * sizeof *balloon->slots))) {
        return false;
    }
    balloon->starts[balloon->batch_count] = (uint32_t)slots;
    for (uint32_t row = 0; row < body->count; row++) {
        const uint32_t b = row / SIM_LANES;
        lane_fill(body, fans, row, balloon->starts[b + 1] - balloon->starts[b],
                  balloon->slots + (size_t)balloon->starts[b] * SIM_LANES + row % SIM_LANES);
    }
    return true;
}

// At most ten times as large, and no edge longer than half of what a constraint may be.
static double growth_of(double longest2)
{
    const double longest = __builtin_sqrt(longest2), most = 0.5 * (double)SIM_STRETCH_MAX;
    return longest * 10 <= most ? 10 : longest < most ? most / longest : 1;
}

enum fault_code sim_balloon_make(const struct sim_body *body, const struct sim_pressure *pressure,
                                 double resolution, struct sim_balloon **out, struct fault *fault)
{
    const double q3 = resolution * resolution * resolution;
    double longest2;
    if (body->kind != SIM_CLOTH) {
        return fault_code_set(fault, FAULT_INVALID, "pressure", "must be absent; it is for kind cloth");
    }
    enum fault_code status = *out ? FAULT_NONE : closed_check(body, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    const double six = rest_volume(body, &longest2), rest = (six < 0 ? -six : six) / 6;
    const double least = 1e-9 * longest2 * __builtin_sqrt(longest2);
    if (!(pressure->volume > 0) && !(rest > least)) {
        return fault_code_set(
            fault, FAULT_INVALID, "pressure.volume",
            "missing; the rest shape encloses %g m^3, so the reference volume must be given", rest * q3);
    }
    if (*out) {
        return FAULT_NONE;
    }
    struct sim_balloon *balloon = calloc(1, sizeof *balloon);
    struct fans fans;
    bool done = balloon && fans_init(&fans, body, six < 0);
    if (done) {
        balloon->rest = rest;
        balloon->inwards = six < 0;
        balloon->growth = growth_of(longest2);
        balloon->chunk_count = sim_tiles_of(body->count);
        balloon->sums = calloc((size_t)balloon->chunk_count + 1, sizeof *balloon->sums);
        balloon->gradients = calloc((size_t)body->count + SIM_LANES, sizeof *balloon->gradients);
        done = balloon->sums && balloon->gradients && rings_make(balloon, body, &fans);
        fans_deinit(&fans);
    }
    if (!done) {
        sim_balloon_destroy(balloon);
        return sim_fault_memory(fault);
    }
    *out = balloon;
    return FAULT_NONE;
}
