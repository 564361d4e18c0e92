// Single constraints: added between any particles of any bodies, and changed.
//
// Loose constraints of a kind share one tile that is solved after those of the bodies. Their colours are
// greedy in order of id: the lowest one that no living neighbour has. loose_colors remembers them by row.

#include "sim/constraint/constraint.h"
#include "base/array.h"
#include "base/assert.h"
#include "base/grow.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------------ values

static enum fault_code check_values(uint32_t count, const struct sim_constraint_values *values,
                                    struct fault *fault)
{
    const double *compliance = values->compliance, *damping = values->damping, *stiffness = values->stiffness;
    if (stiffness && (compliance || damping)) {
        return fault_code_set(fault, FAULT_INVALID, "stiffness",
                              "given together with compliance or damping; one of them is enough");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (compliance && !(compliance[i] >= 0 && compliance[i] <= SIM_COMPLIANCE_MAX)) {
            return fault_code_set(fault, FAULT_INVALID, "compliance", "element %u is %g; must be in [0, %g]",
                                  i, compliance[i], SIM_COMPLIANCE_MAX);
        }
        if (damping && !(damping[i] >= 0 && damping[i] <= SIM_DAMPING_MAX)) {
            return fault_code_set(fault, FAULT_INVALID, "damping", "element %u is %g; must be in [0, %g]", i,
                                  damping[i], SIM_DAMPING_MAX);
        }
        if (stiffness && !(stiffness[i] >= 0 && stiffness[i] <= 1)) {
            return fault_code_set(fault, FAULT_INVALID, "stiffness", "element %u is %g; must be in [0, 1]", i,
                                  stiffness[i]);
        }
    }
    for (uint32_t i = 0; values->joint && i < count; i++) {
        const enum fault_code status = sim_joint_values_check(i, values, fault);
        if (status != FAULT_NONE) {
            return status;
        }
    }
    return sim_join_values_check(count, values, fault);
}

// Refuses values that constraints of the kind do not have.
static enum fault_code check_kind(enum sim_kind kind, uint32_t i, const struct sim_constraint_values *given,
                                  struct fault *fault)
{
    if (kind == SIM_JOINT) {
        return sim_joint_values_check(i, given, fault);
    }
    const enum fault_code status = given->joint ? sim_no_joint_values(given, fault) : FAULT_NONE;
    return status != FAULT_NONE || sim_joins(kind) ? status : sim_no_join_values(given, fault);
}

// Overwrites what is said of constraint i. A stiffness below 0 says nothing.
static void apply_values(const struct sim *sim, enum sim_kind kind, uint32_t i,
                         const struct sim_constraint_values *given, struct sim_values *values)
{
    if (given->rest) {
        sim_rest_put(sim, kind, given->rest[i], values->params);
    }
    if (sim_joins(kind)) {
        sim_join_values_apply(sim, i, given, values);
    }
    if (given->compliance) {
        values->compliance = (float)given->compliance[i];
        values->stiffness = -1;
    }
    if (given->damping) {
        values->damping = (float)given->damping[i] + 0.0f; // a store without dampers has no minus zero
        values->stiffness = -1;
    }
    if (given->stiffness && given->stiffness[i] >= 0) {
        values->stiffness = (float)given->stiffness[i];
        values->compliance = values->damping = 0;
    }
}

// Rest values from where the particles are now, and whether the kind can be made of them.
static enum fault_code present_values(const struct sim *sim, enum sim_kind kind, uint32_t constraint,
                                      const uint32_t *rows, const struct sim_constraint_values *given,
                                      struct sim_values *values, struct fault *fault)
{
    const bool rest_given = given->rest != NULL;
    const struct sim_kind_row *row = sim_kind_rows[kind];
    double offsets[SIM_STENCIL_MAX - 1][3] = {{0}};
    uint32_t stencil = sim_stencil_size(kind);
    double length = sim_present_length(sim, stencil, rows),
           longest = rest_given ? (double)SIM_STRETCH_MAX : SIM_REST_MAX;
    for (uint32_t k = 1; k < stencil; k++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            offsets[k - 1][axis] = (double)(sim->positions[rows[k]][axis] - sim->positions[rows[0]][axis]);
        }
    }
    if (length > longest) {
        return fault_code_set(fault, FAULT_INVALID, "particles",
                              "those of constraint %u are %g m apart; at most %g m; " SIM_COARSER, constraint,
                              length * sim->q, longest * sim->q);
    }
    if (row->own) {
        return fault_code_set(fault, FAULT_INVALID, "type", "%s; only bodies have such constraints",
                              row->name);
    }
    if (row->joins) {
        enum fault_code status =
            sim_join_weights(constraint, rows, given->weights, values->params, sim->q, fault);
        if (status != FAULT_NONE) {
            return status;
        }
    }
    if (!row->at_rest((const double(*)[3])offsets, sim->q, values->params)) {
        return fault_code_set(fault, FAULT_INVALID, "particles", "%s of constraint %u has no %s",
                              row->elastic ? "the tetrahedron" : "a triangle", constraint,
                              row->elastic ? "volume, or next to none" : "area");
    }
    // With a ratio the present value may be too great although the particles are near each other.
    return row->slides && !rest_given
               ? sim_rest_check(sim, kind, constraint, (double)values->params[0] * sim->q, 1 + 1e-7, fault)
               : FAULT_NONE;
}

// ------------------------------------------------------------------------------------------------- adding

enum fault_code sim_stencil_rows(struct sim *sim, enum sim_kind kind, uint32_t count, const uint32_t *bodies,
                                 const uint32_t *particles, uint32_t *rows, struct fault *fault)
{
    uint32_t stencil = sim_stencil_size(kind);
    const struct sim_body *body = NULL;
    for (size_t i = 0; i < (size_t)count * stencil; i++) {
        if (!body || body->id != bodies[i]) {
            body = sim_body_find(sim, bodies[i]);
        }
        if (!body) {
            return fault_code_set(fault, FAULT_NOT_FOUND, "bodies", "body %u does not exist", bodies[i]);
        }
        if (particles[i] >= sim_nameable(body)) {
            return fault_code_set(fault, FAULT_INVALID, "particles",
                                  "element %u names particle %u; body %u has %u (0 to %u)", (unsigned)i,
                                  particles[i], body->id, sim_nameable(body), sim_nameable(body) - 1);
        }
        rows[i] = body->first_row + body->row_of[particles[i]];
        // A kind that allows a particle twice says how (sim_kind_row.valid), where its values are known.
        const bool last = i % stencil + 1 == stencil;
        if (kind == SIM_SLIDE_RAIL && last) {
            const size_t ring = i + 1 - stencil;
            enum fault_code status =
                sim_rail_particles((uint32_t)(i / stencil), bodies + ring, particles + ring, fault);
            if (status != FAULT_NONE) {
                return status;
            }
        }
        for (size_t other = i - i % stencil; other < i && !sim_kind_rows[kind]->valid; other++) {
            if (rows[other] == rows[i]) {
                return fault_code_set(fault, FAULT_INVALID, "particles",
                                      "constraint %u names particle %u of body %u twice",
                                      (unsigned)(i / stencil), particles[i], body->id);
            }
        }
    }
    return FAULT_NONE;
}

// The range that new loose ids go to, with room for `count`: the last one if it is loose, of this kind, and
// ends where new ids begin; otherwise a new one. NULL without memory.
static struct sim_id_range *loose_range(struct sim *sim, enum sim_kind kind, uint32_t count)
{
    struct sim_id_range *last = sim->range_count > 0 ? &sim->ranges[sim->range_count - 1] : NULL;
    if (!last || last->body != 0 || last->kind != kind || last->first + last->count != sim->next_constraint) {
        if (!array_reserve(&sim->ranges, &sim->range_capacity, sim->range_count + 1)) {
            return NULL;
        }
        last = &sim->ranges[sim->range_count];
        *last = (struct sim_id_range){.first = sim->next_constraint, .kind = kind};
        if (!array_reserve(&last->slots, &last->capacity, count)) {
            return NULL;
        }
        sim->range_count++;
        return last;
    }
    return array_reserve(&last->slots, &last->capacity, (uint64_t)last->count + count) ? last : NULL;
}

bool sim_loose_reserve(struct sim *sim, enum sim_kind kind, bool flavored)
{
    return base_grow((void **)&sim->loose_colors[kind], sim->row_capacity * sizeof(uint64_t)) &&
           (!flavored || sim_store_damping_reserve(&sim->stores[kind])) && sim_plan_reserve(sim, 0, 0);
}

// The constraints that are about to be added.
struct fresh {
    enum sim_kind kind;
    uint32_t count;
    uint32_t *rows; // of each, stencil
    struct sim_values *values;
    float (*more)[SIM_PARAMS_MOST - SIM_PARAMS_MAX]; // of each; NULL: the kind has none
    uint8_t *colors;
};

// Gives each the lowest colour that is free. Returns how many batches hold them, if none has room now.
static uint32_t color_fresh(struct sim *sim, struct fresh *fresh)
{
    uint32_t stencil = sim_stencil_size(fresh->kind), batches = 0;
    uint32_t counts[SIM_SERIAL + 1][SIM_FLAVOR_COUNT] = {0};
    uint64_t *used = sim->loose_colors[fresh->kind];
    for (uint32_t c = 0; c < fresh->count; c++) {
        const uint32_t *corner = fresh->rows + (size_t)c * stencil;
        uint64_t taken = 0;
        for (uint32_t k = 0; k < stencil; k++) {
            taken |= used[corner[k]];
        }
        const bool serial = sim_kind_rows[fresh->kind]->serial || ~taken == 0;
        uint32_t color = serial ? SIM_SERIAL : (uint32_t)__builtin_ctzll(~taken);
        for (uint32_t k = 0; color < SIM_SERIAL && k < stencil; k++) {
            used[corner[k]] |= UINT64_C(1) << color;
        }
        fresh->colors[c] = (uint8_t)color;
        uint32_t before = counts[color][sim_flavor_of(&fresh->values[c])]++;
        batches += color == SIM_SERIAL || before % SIM_LANES == 0;
    }
    return batches;
}

static void uncolor_fresh(struct sim *sim, const struct fresh *fresh)
{
    uint32_t stencil = sim_stencil_size(fresh->kind);
    for (uint32_t c = 0; c < fresh->count; c++) {
        for (uint32_t k = 0; fresh->colors[c] < SIM_SERIAL && k < stencil; k++) {
            sim->loose_colors[fresh->kind][fresh->rows[(size_t)c * stencil + k]] &=
                ~(UINT64_C(1) << fresh->colors[c]);
        }
    }
}

// Colours them and makes room. False without memory, with nothing changed.
static bool reserve_fresh(struct sim *sim, struct fresh *fresh, bool flavored, struct sim_id_range **range)
{
    struct sim_store *store = &sim->stores[fresh->kind];
    if (!sim_loose_reserve(sim, fresh->kind, flavored)) {
        return false;
    }
    uint32_t batches = color_fresh(sim, fresh);
    if (sim_store_reserve(store, batches) &&
        (fresh->kind != SIM_JOINT || sim_jointed_reserve(sim, batches)) &&
        sim_tile_edit_reserve(store, &sim->loose[fresh->kind], batches) && sim_sleepers_reserve(sim) &&
        (*range = loose_range(sim, fresh->kind, fresh->count))) {
        return true;
    }
    uncolor_fresh(sim, fresh);
    return false;
}

static void place_fresh(struct sim *sim, const struct fresh *fresh, struct sim_id_range *range)
{
    uint32_t stencil = sim_stencil_size(fresh->kind);
    for (uint32_t c = 0; c < fresh->count; c++) {
        range->slots[range->count++] = sim_store_place(
            &sim->stores[fresh->kind], &sim->loose[fresh->kind], fresh->colors[c], sim->next_constraint++,
            fresh->rows + (size_t)c * stencil, &fresh->values[c], sim->settings.iterations);
    }
    range->live += fresh->count;
    sim->solved = sim->derived_known = false;
    sim->constraint_count += fresh->count;
    sim_slides_reserve(sim);
    sim_stores_settle(sim);
    sim_plan_rebuild(sim);
}

// The values of constraint c: what is given, and else what is present.
static enum fault_code fresh_values(const struct sim *sim, const struct fresh *fresh, uint32_t c,
                                    const struct sim_constraint_values *given, struct fault *fault)
{
    const bool slides = sim_slides(fresh->kind);
    const uint32_t poisson = sim_kind_rows[fresh->kind]->poisson_param;
    const uint32_t *rows = fresh->rows + (size_t)c * sim_stencil_size(fresh->kind);
    struct sim_values *values = &fresh->values[c];
    *values = (struct sim_values){.stiffness = -1};
    if (poisson > 0) {
        values->params[poisson] = (float)SIM_POISSON_DEFAULT;
    }
    enum fault_code status = sim_slide_check(fresh->kind, c, given, fault);
    if (status == FAULT_NONE && slides) {
        values->params[SIM_SLIDE_RATIO] = 1;
        sim_slide_apply(c, given, values);
    }
    if (status == FAULT_NONE && fresh->kind == SIM_JOINT) {
        status = sim_joint_fresh(sim, c, rows, given, values, fresh->more[c], fault);
    } else if (status == FAULT_NONE && fresh->kind == SIM_SLIDE_RAIL) {
        status = sim_rail_fresh(sim, c, rows, given, values, fault);
    } else if (status == FAULT_NONE) {
        status = present_values(sim, fresh->kind, c, rows, given, values, fault);
    }
    if (status == FAULT_NONE && given->rest) {
        status = sim_rest_check(sim, fresh->kind, c, given->rest[c], 1, fault);
    }
    if (status == FAULT_NONE && given->rest_end) {
        status = sim_rest_end_check(sim, c, given->rest_end[c], fault);
    }
    if (status != FAULT_NONE) {
        return status;
    }
    apply_values(sim, fresh->kind, c, given, values);
    if (fresh->kind == SIM_JOINT) {
        sim_joint_apply(c, given, values, fresh->more[c]);
    }
    if (!slides) {
        return sim_elastic_check(fresh->kind, c, values, fault);
    }
    sim_slide_side(sim, rows, values);
    status = sim_slide_fits(c, values, fault);
    return status == FAULT_NONE && given->side ? sim_slide_side_given(sim, c, given->side[c], values, fault)
                                               : status;
}

enum fault_code sim_constraints_add(struct sim *sim, enum sim_kind kind, uint32_t count,
                                    const uint32_t *bodies, const uint32_t *particles,
                                    const struct sim_constraint_values *given, uint32_t *first_id,
                                    struct fault *fault)
{
    uint32_t stencil = sim_stencil_size(kind);
    *first_id = 0;
    if (count == 0) {
        return FAULT_NONE;
    }
    if ((uint64_t)sim->constraint_count + count > sim->limits.constraints ||
        (uint64_t)sim->next_constraint + count > UINT32_MAX) {
        return fault_code_set(fault, FAULT_LIMIT, "particles",
                              "%u constraints more than the %u there are would pass %u", count,
                              sim->constraint_count, sim->limits.constraints);
    }
    enum fault_code status =
        sim_work_check(sim, NULL, &sim->settings, &(struct sim_more){.constraints = count}, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    struct fresh fresh = {
        .kind = kind,
        .count = count,
        .rows = malloc((size_t)count * stencil * sizeof *fresh.rows),
        .values = malloc((size_t)count * sizeof *fresh.values),
        .more = kind == SIM_JOINT ? malloc((size_t)count * sizeof *fresh.more) : NULL,
        .colors = malloc(count),
    };
    struct sim_id_range *range = NULL;
    const bool room = fresh.rows && fresh.values && fresh.colors && (kind != SIM_JOINT || fresh.more);
    status = room ? check_values(count, given, fault) : sim_fault_memory(fault);
    if (status == FAULT_NONE) {
        status = check_kind(kind, 0, given, fault);
    }
    if (status == FAULT_NONE) {
        status = sim_stencil_rows(sim, kind, count, bodies, particles, fresh.rows, fault);
    }
    if (status == FAULT_NONE && kind == SIM_SLIDE_RAIL) {
        status = sim_rails_room(sim, count, particles, NULL, fault);
    }
    for (uint32_t c = 0; status == FAULT_NONE && c < count; c++) {
        status = fresh_values(sim, &fresh, c, given, fault);
    }
    bool flavored = given->damping || given->stiffness;
    if (status == FAULT_NONE && !reserve_fresh(sim, &fresh, flavored, &range)) {
        status = sim_fault_memory(fault);
    }
    if (status == FAULT_NONE) {
        *first_id = sim->next_constraint;
        place_fresh(sim, &fresh, range);
    }
    free(fresh.rows);
    free(fresh.values);
    free(fresh.more);
    free(fresh.colors);
    return status;
}

// ------------------------------------------------------------------------------------ changing, removing

// Constraints to be changed, each once.
struct changes {
    uint32_t count;
    uint64_t *ids;   // ascending
    uint32_t *which; // entry of the lists that holds: the last one that names the id
};

static bool changes_init(struct changes *changes, const uint32_t *ids, uint32_t count)
{
    *changes = (struct changes){.ids = malloc(((size_t)count + 1) * sizeof *changes->ids),
                                .which = malloc(((size_t)count + 1) * sizeof *changes->which)};
    bool done = changes->ids && changes->which;
    for (uint32_t i = 0; done && i < count; i++) {
        changes->ids[i] = ids[i];
        changes->which[i] = i;
    }
    done = done && sim_sort(changes->ids, changes->which, count);
    for (uint32_t i = 0; done && i < count; i++) {
        if (i + 1 == count || changes->ids[i] != changes->ids[i + 1]) {
            changes->ids[changes->count] = changes->ids[i];
            changes->which[changes->count++] = changes->which[i];
        }
    }
    return done;
}

static void changes_deinit(struct changes *changes)
{
    free(changes->ids);
    free(changes->which);
}

// The side goes on while friction lasts, as far as the rest length allows. It is found where friction begins, and forgotten
// where it ends.
static void slide_change(const struct sim *sim, const struct sim_store *store, uint32_t slot, uint32_t i,
                         const struct sim_constraint_values *given, struct sim_values *values)
{
    uint32_t rows[SIM_STENCIL_MAX];
    const bool rubbed = values->params[SIM_SLIDE_FRICTION] > 0;
    sim_slide_apply(i, given, values);
    if (!rubbed || !(values->params[SIM_SLIDE_FRICTION] > 0)) {
        sim_store_rows(store, slot, rows);
        sim_slide_side(sim, rows, values);
    }
    if (values->params[SIM_SLIDE_SIDE] > values->params[SIM_SLIDE_REST]) {
        values->params[SIM_SLIDE_SIDE] = values->params[SIM_SLIDE_REST];
    }
}

// Returns the slot of the ith constraint, with its range and the values that it gets. more: room for those of a joint.
static uint32_t change_at(const struct sim *sim, const struct changes *changes, uint32_t i,
                          const struct sim_constraint_values *given, struct sim_id_range **range,
                          struct sim_values *values, float *more)
{
    uint32_t slot;
    sim_slot_of(sim, (uint32_t)changes->ids[i], range, &slot);
    sim_store_values(&sim->stores[(*range)->kind], slot, values);
    apply_values(sim, (*range)->kind, changes->which[i], given, values);
    if ((*range)->kind == SIM_JOINT) {
        sim_joint_more(sim, slot, values, more);
        sim_joint_apply(changes->which[i], given, values, more);
    }
    if (sim_slides((*range)->kind)) {
        slide_change(sim, &sim->stores[(*range)->kind], slot, changes->which[i], given, values);
    } else if ((*range)->kind == SIM_SLIDE_RAIL) {
        sim_rail_apply(changes->which[i], given, values);
    }
    return slot;
}

// A change of flavour is a move to another batch of the same tile and colour.
static bool changes_reserve(struct sim *sim, const struct changes *changes,
                            const struct sim_constraint_values *given)
{
    uint32_t batches[SIM_KIND_COUNT] = {0};
    float more[SIM_PARAMS_MOST - SIM_PARAMS_MAX];
    struct sim_id_range *range;
    struct sim_values values;
    bool done = true;
    for (uint32_t i = 0; i < changes->count; i++) {
        uint32_t slot = change_at(sim, changes, i, given, &range, &values, more);
        const struct sim_batch_meta *meta = sim_batch_meta(&sim->stores[range->kind], slot / SIM_LANES);
        meta->tile->moves += meta->flavor != sim_flavor_of(&values);
    }
    for (uint32_t i = 0; i < changes->count; i++) {
        uint32_t slot = change_at(sim, changes, i, given, &range, &values, more);
        struct sim_store *store = &sim->stores[range->kind];
        struct sim_tile *tile = sim_batch_meta(store, slot / SIM_LANES)->tile;
        uint32_t most = tile->moves / SIM_LANES + SIM_COLORS * SIM_FLAVOR_COUNT;
        uint32_t need = tile->moves < most ? tile->moves : most;
        done = done && (need == 0 || sim_tile_edit_reserve(store, tile, need));
        batches[range->kind] += need;
        tile->moves = 0;
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        done = done && sim_store_reserve(&sim->stores[kind], batches[kind]) &&
               (batches[kind] == 0 || sim_store_damping_reserve(&sim->stores[kind]));
    }
    return done;
}

// All that is said is right, and all ids live.
static enum fault_code change(struct sim *sim, const uint32_t *ids, uint32_t count,
                              const struct sim_constraint_values *given, struct fault *fault)
{
    struct changes changes;
    bool done = changes_init(&changes, ids, count) && changes_reserve(sim, &changes, given);
    for (uint32_t i = 0; done && i < changes.count; i++) {
        struct sim_id_range *range;
        struct sim_values values;
        float more[SIM_PARAMS_MOST - SIM_PARAMS_MAX];
        uint32_t slot = change_at(sim, &changes, i, given, &range, &values, more);
        if (range->body != 0) {
            struct sim_body *body = sim_body_find(sim, range->body);
            sim_edited(body);
            sim_bend_edited(sim, body, range->kind == SIM_QUADRATIC ? sim_stencil_size(SIM_QUADRATIC) : 0);
        }
        range->slots[changes.ids[i] - range->first] =
            sim_store_change(&sim->stores[range->kind], slot, &values, sim->settings.iterations);
    }
    if (done) {
        sim->solved = sim->derived_known = false;
        sim_stores_settle(sim);
        sim_stores_trim(sim);
    }
    changes_deinit(&changes);
    return done ? FAULT_NONE : sim_fault_memory(fault);
}

enum fault_code sim_constraints_set(struct sim *sim, const uint32_t *ids, uint32_t count,
                                    const struct sim_constraint_values *given, struct fault *fault)
{
    struct sim_id_range *range;
    uint32_t slot;
    enum fault_code status = check_values(count, given, fault);
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        status =
            sim_slot_of(sim, ids[i], &range, &slot) ? FAULT_NONE : sim_constraint_not_found(fault, ids[i]);
        if (status == FAULT_NONE && given->rest) {
            status = sim_rest_check(sim, range->kind, i, given->rest[i], 1, fault);
        }
        if (status == FAULT_NONE && given->rest_end && sim_joins(range->kind)) {
            status = sim_rest_end_check(sim, i, given->rest_end[i], fault);
        }
        if (status == FAULT_NONE) {
            status = check_kind(range->kind, i, given, fault);
        }
        if (status == FAULT_NONE && range->kind == SIM_JOINT) {
            struct sim_values values;
            sim_store_values(&sim->stores[SIM_JOINT], slot, &values);
            status = sim_joint_fits(i, given, &values, fault);
        }
        status = status == FAULT_NONE ? sim_slide_check(range->kind, i, given, fault) : status;
        if (status == FAULT_NONE && sim_kind_rows[range->kind]->elastic) {
            struct sim_values values;
            sim_store_values(&sim->stores[range->kind], slot, &values);
            apply_values(sim, range->kind, i, given, &values);
            status = sim_elastic_check(range->kind, i, &values, fault);
        }
        if (status == FAULT_NONE && sim_slides(range->kind) && (given->ratio || given->friction)) {
            struct sim_values values;
            sim_store_values(&sim->stores[range->kind], slot, &values);
            sim_slide_apply(i, given, &values);
            status = sim_slide_fits(i, &values, fault);
        }
    }
    return status != FAULT_NONE ? status : change(sim, ids, count, given, fault);
}

enum fault_code sim_constraints_put(struct sim *sim, enum sim_kind kind, const uint32_t *ids, uint32_t count,
                                    const struct sim_constraint_values *given, struct fault *fault)
{
    struct sim_values values;
    enum fault_code status = FAULT_NONE;
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        status = sim_values_from(sim, kind, i, given, &values, fault);
    }
    return status != FAULT_NONE ? status : change(sim, ids, count, given, fault);
}

bool sim_multipliers_reserve(struct sim *sim, const struct sim_settings *settings, bool wanted)
{
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        struct sim_store *store = &sim->stores[kind];
        const bool needed = wanted || settings->iterations > 1 || (settings->calm && kind == SIM_DISTANCE);
        if (!needed) {
            sim_store_multipliers_release(store);
        } else if (!sim_store_multipliers_reserve(store)) {
            return false;
        }
    }
    return true;
}

enum fault_code sim_multipliers_keep(struct sim *sim, bool keep, struct fault *fault)
{
    if (!sim_multipliers_reserve(sim, &sim->settings, keep)) {
        return sim_fault_memory(fault);
    }
    sim->multipliers_wanted = keep;
    return FAULT_NONE;
}
