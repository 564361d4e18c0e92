// Single constraints: added between any particles of any bodies, and changed.
//
// Loose constraints of a kind share one tile that is solved after those of the bodies. Their colours are
// greedy in order of id: the lowest one that no living neighbour has. loose_colors remembers them by row.

#include "base/assert.h"
#include "base/grow.h"
#include "sim/internal.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------------ values

// Rest values that a kind takes, in its unit.
static bool rest_valid(const struct sim *sim, enum sim_kind kind, double rest)
{
    switch (kind) {
    case SIM_DISTANCE:
        return rest >= 0 && rest * sim->inv_q <= SIM_REST_MAX;
    case SIM_DIHEDRAL:
        return rest >= -3.14159266 && rest <= 3.14159266;
    case SIM_VOLUME:
        return rest >= -1000 && rest <= 1000;
    default:
        return false;
    }
}

static enum sim_status check_rest(const struct sim *sim, enum sim_kind kind, uint32_t element, double rest,
                                  struct sim_fault *fault)
{
    if (rest_valid(sim, kind, rest)) {
        return SIM_OK;
    }
    if (kind == SIM_ISOMETRIC || kind == SIM_QUADRATIC) {
        return sim_fault_set(fault, SIM_INVALID, "rest", "%s constraints rest flat and take none",
                             sim_kind_shapes[kind].name);
    }
    if (kind == SIM_DISTANCE) {
        return sim_fault_set(fault, SIM_INVALID, "rest", "element %u is %g m; must be in [0, %g]", element,
                             rest, SIM_REST_MAX * sim->q);
    }
    return sim_fault_set(fault, SIM_INVALID, "rest", "element %u is %g; must be in %s", element, rest,
                         kind == SIM_DIHEDRAL ? "[-pi, pi] rad" : "[-1000, 1000] m^3");
}

static enum sim_status check_values(uint32_t count, const struct sim_constraint_values *values,
                                    struct sim_fault *fault)
{
    const double *compliance = values->compliance, *damping = values->damping, *stiffness = values->stiffness;
    if (stiffness != NULL && (compliance != NULL || damping != NULL)) {
        return sim_fault_set(fault, SIM_INVALID, "stiffness",
                             "given together with compliance or damping; one of them is enough");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (compliance != NULL && !(compliance[i] >= 0 && compliance[i] <= SIM_COMPLIANCE_MAX)) {
            return sim_fault_set(fault, SIM_INVALID, "compliance", "element %u is %g; must be in [0, %g]", i,
                                 compliance[i], SIM_COMPLIANCE_MAX);
        }
        if (damping != NULL && !(damping[i] >= 0 && damping[i] <= SIM_DAMPING_MAX)) {
            return sim_fault_set(fault, SIM_INVALID, "damping", "element %u is %g; must be in [0, %g]", i,
                                 damping[i], SIM_DAMPING_MAX);
        }
        if (stiffness != NULL && !(stiffness[i] >= 0 && stiffness[i] <= 1)) {
            return sim_fault_set(fault, SIM_INVALID, "stiffness", "element %u is %g; must be in [0, 1]", i,
                                 stiffness[i]);
        }
    }
    return SIM_OK;
}

// Overwrites what is said of constraint i.
static void apply_values(const struct sim *sim, enum sim_kind kind, uint32_t i,
                         const struct sim_constraint_values *given, struct sim_values *values)
{
    if (given->rest != NULL) {
        values->params[0] = (float)(kind == SIM_DISTANCE ? given->rest[i] * sim->inv_q : given->rest[i]);
    }
    if (given->compliance != NULL) {
        values->compliance = (float)given->compliance[i];
        values->stiffness = -1;
    }
    if (given->damping != NULL) {
        values->damping = (float)given->damping[i];
        values->stiffness = -1;
    }
    if (given->stiffness != NULL) {
        values->stiffness = (float)given->stiffness[i];
        values->compliance = values->damping = 0;
    }
}

double sim_present_length(const struct sim *sim, uint32_t stencil, const uint32_t *rows)
{
    double farthest = 0;
    for (uint32_t k = 1; k < stencil; k++) {
        double length2 = 0;
        for (uint32_t axis = 0; axis < 3; axis++) {
            double d = (double)(sim_whole(sim, rows[k], axis, sim->rows[rows[k]].x[axis]) -
                                sim_whole(sim, rows[0], axis, sim->rows[rows[0]].x[axis]));
            length2 += d * d;
        }
        farthest = length2 > farthest ? length2 : farthest;
    }
    return __builtin_sqrt(farthest);
}

// Rest values from where the particles are now, and whether the kind can be made of them.
static enum sim_status present_values(const struct sim *sim, enum sim_kind kind, uint32_t constraint,
                                      const uint32_t *rows, bool rest_given, struct sim_values *values,
                                      struct sim_fault *fault)
{
    double exact[3][3] = {{0}};
    float rounded[3][3];
    uint32_t stencil = sim_stencil_size(kind);
    double length = sim_present_length(sim, stencil, rows),
           longest = rest_given ? (double)SIM_STRETCH_MAX : SIM_REST_MAX;
    for (uint32_t k = 1; k < stencil; k++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            exact[k - 1][axis] =
                (double)(sim->positions[rows[k]][axis] - sim->positions[rows[0]][axis]) * sim->q;
            rounded[k - 1][axis] = (float)exact[k - 1][axis];
        }
    }
    if (length > longest) {
        return sim_fault_set(fault, SIM_INVALID, "particles",
                             "those of constraint %u are %g m apart; at most %g m", constraint,
                             length * sim->q, longest * sim->q);
    }
    *values = (struct sim_values){.stiffness = -1};
    switch (kind) {
    case SIM_DISTANCE:
        values->params[0] = (float)length;
        break;
    case SIM_DIHEDRAL:
        values->params[0] = sim_dihedral_angle((const float(*)[3])rounded);
        break;
    case SIM_VOLUME:
        values->params[0] = sim_volume_of((const float(*)[3])rounded);
        break;
    default:
        if (!sim_bend_stencil(kind, (const double(*)[3])exact, values->params)) {
            return sim_fault_set(fault, SIM_INVALID, "particles", "a triangle of constraint %u has no area",
                                 constraint);
        }
    }
    return SIM_OK;
}

// ------------------------------------------------------------------------------------------------- adding

enum sim_status sim_stencil_rows(struct sim *sim, enum sim_kind kind, uint32_t count, const uint32_t *bodies,
                                 const uint32_t *particles, uint32_t *rows, struct sim_fault *fault)
{
    uint32_t stencil = sim_stencil_size(kind);
    const struct sim_body *body = NULL;
    for (size_t i = 0; i < (size_t)count * stencil; i++) {
        if (body == NULL || body->id != bodies[i]) {
            body = sim_body_find(sim, bodies[i]);
        }
        if (body == NULL) {
            return sim_fault_set(fault, SIM_NOT_FOUND, "bodies", "body %u does not exist", bodies[i]);
        }
        if (particles[i] >= body->count) {
            return sim_fault_set(fault, SIM_INVALID, "particles",
                                 "element %u names particle %u; body %u has %u (0 to %u)", (unsigned)i,
                                 particles[i], body->id, body->count, body->count - 1);
        }
        rows[i] = body->first_row + body->row_of[particles[i]];
        for (size_t other = i - i % stencil; other < i; other++) {
            if (rows[other] == rows[i]) {
                return sim_fault_set(fault, SIM_INVALID, "particles",
                                     "constraint %u names particle %u of body %u twice",
                                     (unsigned)(i / stencil), particles[i], body->id);
            }
        }
    }
    return SIM_OK;
}

// The range that new loose ids go to, with room for `count`: the last one if it is loose, of this kind, and
// ends where new ids begin; otherwise a new one. NULL without memory.
static struct sim_id_range *loose_range(struct sim *sim, enum sim_kind kind, uint32_t count)
{
    struct sim_id_range *last = sim->range_count > 0 ? &sim->ranges[sim->range_count - 1] : NULL;
    if (last == NULL || last->body != 0 || last->kind != kind ||
        last->first + last->count != sim->next_constraint) {
        if (!sim_reserve((void **)&sim->ranges, &sim->range_capacity, (uint64_t)sim->range_count + 1,
                         sizeof *sim->ranges)) {
            return NULL;
        }
        last = &sim->ranges[sim->range_count];
        *last = (struct sim_id_range){.first = sim->next_constraint, .kind = kind};
        if (!sim_reserve((void **)&last->slots, &last->capacity, count, sizeof *last->slots)) {
            return NULL;
        }
        sim->range_count++;
        return last;
    }
    return sim_reserve((void **)&last->slots, &last->capacity, (uint64_t)last->count + count,
                       sizeof *last->slots)
               ? last
               : NULL;
}

// Room for batches that are not plain: of what damping and stiffness need.
bool sim_flavors_reserve(struct sim *sim, enum sim_kind kind)
{
    return sim_store_damping_reserve(&sim->stores[kind]) && sim_previous_reserve(sim);
}

bool sim_loose_reserve(struct sim *sim, enum sim_kind kind, uint32_t count, bool flavored)
{
    return base_grow((void **)&sim->loose_colors[kind], sim->row_capacity * sizeof(uint64_t)) &&
           sim_store_reserve(&sim->stores[kind], count) && (!flavored || sim_flavors_reserve(sim, kind)) &&
           sim_tile_reserve(&sim->loose[kind], count) && sim_plan_reserve(sim, 0, 0);
}

static void place_loose(struct sim *sim, enum sim_kind kind, struct sim_id_range *range,
                        const uint32_t *corner, const struct sim_values *values)
{
    uint32_t stencil = sim_stencil_size(kind);
    uint64_t taken = 0;
    for (uint32_t k = 0; k < stencil; k++) {
        taken |= sim->loose_colors[kind][corner[k]];
    }
    uint16_t color = ~taken == 0 ? SIM_SERIAL : (uint16_t)__builtin_ctzll(~taken);
    for (uint32_t k = 0; color < SIM_SERIAL && k < stencil; k++) {
        sim->loose_colors[kind][corner[k]] |= UINT64_C(1) << color;
    }
    range->slots[range->count++] =
        sim_store_place(&sim->stores[kind], &sim->loose[kind], color, sim->next_constraint++, corner, values,
                        sim->settings.iterations);
    range->live++;
    sim->constraint_count++;
}

enum sim_status sim_constraints_add(struct sim *sim, enum sim_kind kind, uint32_t count,
                                    const uint32_t *bodies, const uint32_t *particles,
                                    const struct sim_constraint_values *given, uint32_t *first_id,
                                    struct sim_fault *fault)
{
    uint32_t stencil = sim_stencil_size(kind);
    *first_id = 0;
    if (count == 0) {
        return SIM_OK;
    }
    if ((uint64_t)sim->constraint_count + count > sim->limits.constraints ||
        (uint64_t)sim->next_constraint + count > UINT32_MAX) {
        return sim_fault_set(fault, SIM_LIMIT, "particles",
                             "%u constraints more than the %u there are would pass %u", count,
                             sim->constraint_count, sim->limits.constraints);
    }
    uint32_t *rows = malloc((size_t)count * stencil * sizeof *rows);
    struct sim_values *values = malloc((size_t)count * sizeof *values);
    struct sim_id_range *range = NULL;
    enum sim_status status =
        rows == NULL || values == NULL ? sim_fault_memory(fault) : check_values(count, given, fault);
    if (status == SIM_OK) {
        status = sim_stencil_rows(sim, kind, count, bodies, particles, rows, fault);
    }
    for (uint32_t c = 0; status == SIM_OK && c < count; c++) {
        status =
            present_values(sim, kind, c, rows + (size_t)c * stencil, given->rest != NULL, &values[c], fault);
        if (status == SIM_OK && given->rest != NULL) {
            status = check_rest(sim, kind, c, given->rest[c], fault);
        }
        apply_values(sim, kind, c, given, &values[c]);
    }
    bool flavored = given->damping != NULL || given->stiffness != NULL;
    if (status == SIM_OK &&
        (!sim_loose_reserve(sim, kind, count, flavored) || (range = loose_range(sim, kind, count)) == NULL)) {
        status = sim_fault_memory(fault);
    }
    if (status == SIM_OK) {
        *first_id = sim->next_constraint;
        for (uint32_t c = 0; c < count; c++) {
            place_loose(sim, kind, range, rows + (size_t)c * stencil, &values[c]);
        }
        sim_plan_rebuild(sim);
    }
    free(rows);
    free(values);
    return status;
}

// ------------------------------------------------------------------------------------ changing, removing

static void values_after(const struct sim *sim, uint32_t slot, enum sim_kind kind,
                         const struct sim_constraint_values *given, uint32_t i, struct sim_values *values)
{
    sim_store_values(&sim->stores[kind], slot, values);
    apply_values(sim, kind, i, given, values);
}

// A change of flavour may need a batch of its own. An id that stands again may change back: from the first
// change on, every entry of its tile counts.
static bool changes_reserve(struct sim *sim, const uint32_t *ids, uint32_t count,
                            const struct sim_constraint_values *given)
{
    uint32_t moves[SIM_KIND_COUNT] = {0}, slot;
    struct sim_id_range *range;
    struct sim_values values;
    bool done = true;
    for (uint32_t i = 0; i < count; i++) {
        sim_slot_of(sim, ids[i], &range, &slot);
        const struct sim_batch_meta *meta = sim_batch_meta(&sim->stores[range->kind], slot / SIM_LANES);
        values_after(sim, slot, range->kind, given, i, &values);
        if (meta->tile->moves > 0 || meta->flavor != sim_flavor_of(&values)) {
            meta->tile->moves++;
            moves[range->kind]++;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        sim_slot_of(sim, ids[i], &range, &slot);
        struct sim_tile *tile = sim_batch_meta(&sim->stores[range->kind], slot / SIM_LANES)->tile;
        done = done && sim_tile_reserve(tile, tile->moves);
        tile->moves = 0;
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        done = done && sim_store_reserve(&sim->stores[kind], moves[kind]) &&
               (moves[kind] == 0 || sim_flavors_reserve(sim, (enum sim_kind)kind));
    }
    return done;
}

enum sim_status sim_constraints_set(struct sim *sim, const uint32_t *ids, uint32_t count,
                                    const struct sim_constraint_values *given, struct sim_fault *fault)
{
    struct sim_id_range *range;
    uint32_t slot;
    enum sim_status status = check_values(count, given, fault);
    for (uint32_t i = 0; status == SIM_OK && i < count; i++) {
        status = sim_slot_of(sim, ids[i], &range, &slot) ? SIM_OK : sim_constraint_not_found(fault, ids[i]);
        if (status == SIM_OK && given->rest != NULL) {
            status = check_rest(sim, range->kind, i, given->rest[i], fault);
        }
    }
    if (status == SIM_OK && !changes_reserve(sim, ids, count, given)) {
        status = sim_fault_memory(fault);
    }
    for (uint32_t i = 0; status == SIM_OK && i < count; i++) {
        struct sim_values values;
        sim_slot_of(sim, ids[i], &range, &slot);
        values_after(sim, slot, range->kind, given, i, &values);
        range->slots[ids[i] - range->first] =
            sim_store_change(&sim->stores[range->kind], slot, &values, sim->settings.iterations);
    }
    return status;
}

bool sim_multipliers_reserve(struct sim *sim, uint32_t iterations, bool wanted)
{
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        struct sim_store *store = &sim->stores[kind];
        bool needed = wanted || iterations > 1;
        if (!needed) {
            sim_store_multipliers_release(store);
        } else if (!sim_store_multipliers_reserve(store)) {
            return false;
        }
    }
    return true;
}

enum sim_status sim_multipliers_keep(struct sim *sim, bool keep, struct sim_fault *fault)
{
    if (!sim_multipliers_reserve(sim, sim->settings.iterations, keep)) {
        return sim_fault_memory(fault);
    }
    sim->multipliers_wanted = keep;
    return SIM_OK;
}
