// Cuts edges, splits particles, and leads constraints after their triangles.

#include "sim/constraint/torn.h"
#include "base/assert.h"
#include "sim/body/body.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

static bool has_corner(const struct sim_body *body, uint32_t triangle, uint32_t index)
{
    const uint32_t *corners = body->triangles + 3 * (size_t)triangle;
    return corners[0] == index || corners[1] == index || corners[2] == index;
}

// ---------------------------------------------------------------------------------------------------- fans

// Puts all triangles of a fan at particle `index` into one group, from one of them on.
static void fan_fill(struct sim_body *body, uint32_t index, uint32_t triangle, uint32_t group)
{
    struct sim_torn *torn = body->torn;
    const uint32_t root = sim_torn_root(torn, index);
    uint32_t head = 0, tail = 0;
    torn->queue[tail++] = triangle;
    torn->group[triangle] = group;
    while (head < tail) {
        const uint32_t t = torn->queue[head++];
        for (uint32_t k = 0; k < 3; k++) {
            const struct sim_torn_edge *edge = &torn->edges[torn->sides[3 * (size_t)t + k]];
            const bool at = edge->ends[0] == root || edge->ends[1] == root;
            const uint32_t other = edge->triangles[0] == t ? edge->triangles[1] : edge->triangles[0];
            if (at && !edge->cut && other != SIM_NO_TORN && torn->group[other] == 0) {
                torn->group[other] = group;
                torn->queue[tail++] = other;
            }
        }
    }
}

// Numbers the fans at a particle, from 1, in torn->group of its triangles. Returns how many there are.
static uint32_t fans_find(struct sim_body *body, uint32_t index)
{
    struct sim_torn *torn = body->torn;
    const uint32_t root = sim_torn_root(torn, index);
    uint32_t fans = 0;
    for (uint32_t i = torn->firsts[root]; i < torn->firsts[root + 1]; i++) {
        torn->group[torn->around[i]] = 0;
    }
    for (uint32_t i = torn->firsts[root]; i < torn->firsts[root + 1]; i++) { // ascending
        const uint32_t t = torn->around[i];
        if (has_corner(body, t, index) && torn->group[t] == 0) {
            fan_fill(body, index, t, ++fans);
        }
    }
    return fans;
}

// ------------------------------------------------------------------------------------------------- splitting

static float inverse_of(double mass)
{
    return mass > 0 ? (float)(1 / (mass < SIM_MASS_MIN ? SIM_MASS_MIN : mass)) : 0;
}

static float *inverse_mass_at(struct sim *sim, struct sim_body *body, uint32_t index)
{
    struct sim_pin *pin = sim_pin_find(body, index);
    return pin && !sim_pin_is_soft(pin) ? &pin->inverse_mass
                                        : &sim->rows[body->first_row + body->row_of[index]].w;
}

// Gives the spare `to` the share of the mass that its fan has of what is left of the particle's.
static void mass_share(struct sim *sim, struct sim_body *body, uint32_t from, uint32_t to, double share)
{
    float *w = inverse_mass_at(sim, body, from);
    const double mass = *w > 0 ? 1 / (double)*w : 0;
    struct sim_pin *pin = sim_pin_find(body, from);
    sim->rows[body->first_row + body->row_of[to]].w = inverse_of(mass * share);
    *w = inverse_of(mass - mass * share);
    if (pin) {
        pin->inverse_mass = *w;
    }
}

static void spare_place(struct sim *sim, struct sim_body *body, uint32_t from, uint32_t to)
{
    const uint32_t row = body->first_row + body->row_of[from], spare = body->first_row + body->row_of[to];
    sim_place(sim, spare, sim->positions[row]);
    sim->velocities[spare] = sim->velocities[row];
    sim_rested(sim, spare);
    if (sim->anchors) {
        memcpy(sim->anchors[spare], sim->anchors[row], sizeof sim->anchors[row]);
    }
}

// Its place and velocity at the start.
static void spare_rest(struct sim_body *body, uint32_t from, uint32_t to)
{
    if (body->offsets) {
        memcpy(body->offsets[to], body->offsets[from], sizeof body->offsets[to]);
    } else {
        memcpy(body->rest[to], body->rest[from], sizeof body->rest[to]);
    }
    if (body->velocities) {
        memcpy(body->velocities + 3 * (size_t)to, body->velocities + 3 * (size_t)from, 3 * sizeof(float));
    }
}

static double area_of(const struct sim_torn *torn, uint32_t root, uint32_t least_fan, uint32_t most_fan)
{
    double area = 0;
    for (uint32_t i = torn->firsts[root]; i < torn->firsts[root + 1]; i++) {
        const uint32_t t = torn->around[i];
        area += torn->group[t] >= least_fan && torn->group[t] <= most_fan ? torn->areas[t] : 0;
    }
    return area;
}

static void triangles_move(struct sim_body *body, uint32_t fan, uint32_t from, uint32_t to)
{
    struct sim_torn *torn = body->torn;
    const uint32_t root = sim_torn_root(torn, from);
    for (uint32_t i = torn->firsts[root]; i < torn->firsts[root + 1]; i++) {
        const uint32_t t = torn->around[i];
        for (uint32_t k = 0; torn->group[t] == fan && k < 3; k++) {
            uint32_t *corner = &body->triangles[3 * (size_t)t + k];
            *corner = *corner == from ? to : *corner;
        }
        torn->marked[t] |= torn->group[t] == fan ? 1 : 0;
    }
}

// Splits a particle into its fans.
static void split(struct sim *sim, struct sim_body *body, uint32_t index)
{
    struct sim_torn *torn = body->torn;
    const uint32_t fans = fans_find(body, index), root = sim_torn_root(torn, index);
    // Each further fan takes its part of what is left, and the first one keeps the rest.
    for (uint32_t fan = 2; fan <= fans; fan++) {
        const uint32_t spare = torn->own + torn->used;
        const double own = area_of(torn, root, fan, fan),
                     rest = area_of(torn, root, 1, 1) + area_of(torn, root, fan, fans);
        torn->origins[torn->used] = index;
        torn->roots[torn->used] = root;
        torn->since[torn->used++] = sim->stamp;
        mass_share(sim, body, index, spare, rest > 0 ? own / rest : 1.0 / (fans - fan + 2));
        spare_place(sim, body, index, spare);
        spare_rest(body, index, spare);
        triangles_move(body, fan, index, spare);
    }
}

bool sim_torn_cut(struct sim *sim, struct sim_body *body, uint32_t number)
{
    struct sim_torn *torn = body->torn;
    struct sim_torn_edge *edge = &torn->edges[number];
    BASE_ASSERT(!edge->cut && edge->triangles[1] != SIM_NO_TORN);
    uint32_t ends[2], splits = 0;
    edge->cut = true;
    for (int e = 0; e < 2; e++) {
        ends[e] = sim_torn_corner(body, edge->triangles[0], edge->ends[e]);
        splits += fans_find(body, ends[e]) - 1;
    }
    if (splits > torn->tear.most - torn->used) {
        edge->cut = false;
        return false;
    }
    torn->cuts[torn->cut_count++] = number;
    split(sim, body, ends[0]);
    split(sim, body, ends[1]);
    return true;
}

// ----------------------------------------------------------------------------------------------- constraints

// Gives a constraint the present corners of one triangle or two.
static void lead(struct sim *sim, struct sim_body *body, uint32_t kind, uint32_t slot, uint32_t triangle,
                 uint32_t other)
{
    const struct sim_store *store = &sim->stores[kind];
    for (uint32_t k = 0; k < store->stencil; k++) {
        uint32_t *place = sim_batch_places(store, slot / SIM_LANES, k) + slot % SIM_LANES;
        const uint32_t index = body->index_of[*place / SIM_ROW_BYTES - body->first_row];
        const uint32_t root = sim_torn_root(body->torn, index);
        uint32_t corner = sim_torn_corner(body, triangle, root);
        corner = corner == SIM_NO_TORN && other != SIM_NO_TORN ? sim_torn_corner(body, other, root) : corner;
        BASE_ASSERT(corner != SIM_NO_TORN);
        *place = (body->first_row + body->row_of[corner]) * SIM_ROW_BYTES;
    }
}

// The constraint `at` of the body's kind; SIM_GONE if it was removed or never was.
static uint32_t slot_at(const struct sim *sim, const struct sim_body *body, enum sim_kind kind, uint32_t at)
{
    return at == SIM_NO_TORN ? SIM_GONE : sim_range_of(sim, body->constraint_first[kind])->slots[at];
}

static enum sim_kind bend_kind(const struct sim_body *body)
{
    return body->bend_model == SIM_BEND_DIHEDRAL    ? SIM_DIHEDRAL
           : body->bend_model == SIM_BEND_ISOMETRIC ? SIM_ISOMETRIC
                                                    : SIM_QUADRATIC;
}

static void gusts_lead(struct sim *sim, struct sim_body *body)
{
    const struct sim_store *store = &sim->stores[SIM_GUSTS];
    for (uint32_t t = 0; t < body->tile_count[SIM_GUSTS]; t++) {
        const struct sim_tile *tile = &body->tiles[SIM_GUSTS][t];
        for (uint32_t i = 0; i < SIM_LANES * tile->order_count; i++) {
            const uint32_t batch = tile->order[i / SIM_LANES], lane = i % SIM_LANES;
            const uint32_t id = sim_batch_ids(store, batch)[lane]; // triangles from 1
            if (id != 0) {
                lead(sim, body, SIM_GUSTS, batch * SIM_LANES + lane, id - 1, SIM_NO_TORN);
            }
        }
    }
}

static void constraints_lead(struct sim *sim, struct sim_body *body)
{
    const struct sim_torn *torn = body->torn;
    const enum sim_kind bend = bend_kind(body);
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        const uint32_t slot = slot_at(sim, body, SIM_ORTHOTROPIC, torn->weaves[t]);
        if (slot != SIM_GONE) {
            lead(sim, body, SIM_ORTHOTROPIC, slot, t, SIM_NO_TORN);
        }
    }
    for (uint32_t e = 0; e < torn->edge_count; e++) {
        const struct sim_torn_edge *edge = &torn->edges[e];
        for (uint32_t s = 0; s < 2; s++) {
            const uint32_t slot = slot_at(sim, body, SIM_DISTANCE, edge->stretch[s]);
            if (slot != SIM_GONE) {
                lead(sim, body, SIM_DISTANCE, slot, edge->triangles[s], SIM_NO_TORN);
            }
        }
        const uint32_t slot = edge->cut ? SIM_GONE : slot_at(sim, body, bend, edge->bend);
        if (slot != SIM_GONE) {
            lead(sim, body, bend, slot, edge->triangles[0], edge->triangles[1]);
        }
    }
    gusts_lead(sim, body);
}

static void follows(struct sim *sim, struct sim_body *body)
{
    body->torn->stale = body->features != NULL;
    sim->solved = sim->derived_known = false;
    sim_edited(body);
}

void sim_torn_settle(struct sim *sim, struct sim_body *body, uint32_t first_cut)
{
    const struct sim_torn *torn = body->torn;
    const enum sim_kind bend = bend_kind(body);
    for (uint32_t c = first_cut; c < torn->cut_count; c++) {
        const uint32_t at = torn->edges[torn->cuts[c]].bend;
        if (slot_at(sim, body, bend, at) != SIM_GONE) {
            sim_constraint_forget(sim, body->constraint_first[bend] + at);
        }
    }
    sim_stores_settle(sim);
    constraints_lead(sim, body);
    follows(sim, body);
}

bool sim_torn_off(const struct sim *sim, const struct sim_body *body, uint32_t constraint)
{
    const struct sim_torn *torn = body->torn;
    const enum sim_kind bend = bend_kind(body);
    const uint32_t at = constraint - body->constraint_first[bend];
    return torn && at < body->constraint_count[bend] && torn->edges[torn->bends[at]].cut &&
           slot_at(sim, body, bend, at) == SIM_GONE;
}

// ---------------------------------------------------------------------------------------------------- images

static enum fault_code check(const struct sim_body *body, const struct sim_tears *tears, struct fault *fault)
{
    const struct sim_torn *torn = body->torn;
    if (tears->own != torn->own || tears->used > torn->tear.most) {
        return fault_code_set(fault, FAULT_INVALID, "torn",
                              "%u own particles and %u of %u spares; the body has %u particles", tears->own,
                              tears->used, torn->tear.most, body->count);
    }
    for (uint32_t i = 0; i < tears->used; i++) {
        if (tears->origins[i] >= tears->own + i) {
            return fault_code_set(fault, FAULT_INVALID, "torn.origins",
                                  "element %u is %u; must be below particle %u, which split off", i,
                                  tears->origins[i], tears->own + i);
        }
    }
    for (uint32_t p = 0; p < body->pin_count; p++) {
        if (body->pins[p].index >= tears->own + tears->used) {
            return fault_code_set(fault, FAULT_INVALID, "pins",
                                  "element %u is %u, a spare particle that nothing has split off yet", p,
                                  body->pins[p].index);
        }
    }
    for (uint32_t c = 0; c < tears->cut_count; c++) {
        if (tears->cuts[c] >= torn->edge_count || torn->edges[tears->cuts[c]].triangles[1] == SIM_NO_TORN) {
            return fault_code_set(fault, FAULT_INVALID, "torn.cuts",
                                  "element %u is %u; must be one of the %u edges, between two triangles", c,
                                  tears->cuts[c], torn->edge_count);
        }
    }
    return FAULT_NONE;
}

// Puts the corners. Each must come of the corner that the mesh has there.
static enum fault_code corners_put(struct sim_body *body, const struct sim_tears *tears, struct fault *fault)
{
    for (size_t i = 0; i < 3 * (size_t)body->triangle_count; i++) {
        const uint32_t corner = tears->triangles[i];
        if (corner >= tears->own + tears->used || sim_torn_root(body->torn, corner) != body->triangles[i]) {
            return fault_code_set(fault, FAULT_INVALID, "torn.triangles",
                                  "element %u is %u; must be particle %u or one that split off it",
                                  (unsigned)i, corner, body->triangles[i]);
        }
    }
    memcpy(body->triangles, tears->triangles, 3 * (size_t)body->triangle_count * sizeof *body->triangles);
    return FAULT_NONE;
}

// Triangles on both sides of an edge that holds have the same corners there.
static enum fault_code check_edges(const struct sim_body *body, struct fault *fault)
{
    const struct sim_torn *torn = body->torn;
    for (uint32_t e = 0; e < torn->edge_count; e++) {
        const struct sim_torn_edge *edge = &torn->edges[e];
        for (uint32_t k = 0; !edge->cut && edge->triangles[1] != SIM_NO_TORN && k < 2; k++) {
            if (sim_torn_corner(body, edge->triangles[0], edge->ends[k]) !=
                sim_torn_corner(body, edge->triangles[1], edge->ends[k])) {
                return fault_code_set(fault, FAULT_INVALID, "torn.triangles",
                                      "triangles %u and %u part at edge %u, which is not cut",
                                      edge->triangles[0], edge->triangles[1], e);
            }
        }
    }
    return FAULT_NONE;
}

enum fault_code sim_torn_put(struct sim *sim, struct sim_body *body, const struct sim_tears *tears,
                             struct fault *fault)
{
    struct sim_torn *torn = body->torn;
    enum fault_code status = check(body, tears, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    for (uint32_t i = 0; i < tears->used; i++) {
        torn->origins[i] = tears->origins[i];
        torn->roots[i] = sim_torn_root(torn, tears->origins[i]);
        torn->since[i] = tears->since[i];
    }
    torn->used = tears->used;
    for (uint32_t c = 0; status == FAULT_NONE && c < tears->cut_count; c++) {
        struct sim_torn_edge *edge = &torn->edges[tears->cuts[c]];
        if (edge->cut) {
            status = fault_code_set(fault, FAULT_INVALID, "torn.cuts",
                                    "element %u is %u, which is cut already", c, tears->cuts[c]);
        }
        edge->cut = true;
        torn->cuts[torn->cut_count++] = tears->cuts[c];
    }
    status = status == FAULT_NONE ? corners_put(body, tears, fault) : status;
    status = status == FAULT_NONE ? check_edges(body, fault) : status;
    if (status == FAULT_NONE) {
        torn->first_cut = torn->cut_count;
        torn->first_used = torn->used;
        constraints_lead(sim, body);
        follows(sim, body);
    }
    return status;
}
