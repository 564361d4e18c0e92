// Single constraints: added between any particles of any bodies, changed, removed, listed.
//
// Loose constraints of a kind share one tile that is solved after those of the bodies. Their colours are
// greedy in order of id: the lowest one that no living neighbour has. loose_colors remembers them by row.

#include "base/assert.h"
#include "base/grow.h"
#include "sim/internal.h"

#include <stdlib.h>

uint32_t sim_stencil_size(enum sim_kind kind)
{
    return sim_kind_shapes[kind].stencil;
}

uint32_t sim_constraint_count(const struct sim *sim)
{
    return sim->constraint_count;
}

struct sim_id_range *sim_range_of(const struct sim *sim, uint32_t id)
{
    uint32_t low = 0, high = sim->range_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sim->ranges[middle].first <= id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0 || id - sim->ranges[low - 1].first >= sim->ranges[low - 1].count) {
        return NULL;
    }
    return &sim->ranges[low - 1];
}

bool sim_slot_of(const struct sim *sim, uint32_t id, struct sim_id_range **range, uint32_t *slot)
{
    *range = sim_range_of(sim, id);
    *slot = *range == NULL ? SIM_GONE : (*range)->slots[id - (*range)->first];
    return *slot != SIM_GONE;
}

static enum sim_status not_found(struct sim_fault *fault, uint32_t id)
{
    return sim_fault_set(fault, SIM_NOT_FOUND, "constraints", "constraint %u does not exist", id);
}

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
        const struct sim_batch_meta *meta = &sim->stores[range->kind].meta[slot / SIM_LANES];
        values_after(sim, slot, range->kind, given, i, &values);
        if (meta->tile->moves > 0 || meta->flavor != sim_flavor_of(&values)) {
            meta->tile->moves++;
            moves[range->kind]++;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        sim_slot_of(sim, ids[i], &range, &slot);
        struct sim_tile *tile = sim->stores[range->kind].meta[slot / SIM_LANES].tile;
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
        status = sim_slot_of(sim, ids[i], &range, &slot) ? SIM_OK : not_found(fault, ids[i]);
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

void sim_constraint_forget(struct sim *sim, uint32_t id)
{
    struct sim_id_range *range;
    uint32_t slot;
    bool alive = sim_slot_of(sim, id, &range, &slot);
    BASE_ASSERT(alive);
    struct sim_store *store = &sim->stores[range->kind];
    const struct sim_batch_meta *meta = &store->meta[slot / SIM_LANES];
    if (range->body == 0 && meta->color < SIM_SERIAL) {
        uint32_t rows[SIM_STENCIL_MAX];
        sim_store_rows(store, slot, rows);
        for (uint32_t k = 0; k < store->stencil; k++) {
            sim->loose_colors[range->kind][rows[k]] &= ~(UINT64_C(1) << meta->color);
        }
    } else if (range->body != 0) {
        sim_body_find(sim, range->body)->live_count[range->kind]--;
    }
    sim_store_vacate(store, slot);
    range->slots[id - range->first] = SIM_GONE;
    range->live--;
    sim->constraint_count--;
}

// ---------------------------------------------------------------------------------------------- recolouring

// A body that an edit leaves with more than a quarter of holes is coloured anew from what lives, in order of
// id. Nothing is ever added to a body's own constraints, so their colours never grow in number.
struct recoloring {
    struct sim_body *body;
    enum sim_kind kind;
    struct sim_id_range *range;
    uint32_t count;
    uint32_t *ids, *slots;   // of what stays
    struct sim_store layout; // rows from 0, ids from 1
    struct sim_tile *tiles;
    uint32_t tile_count;
};

enum { RECOLOR_MIN = 64 }; // constraints; smaller bodies are not worth it

static void recoloring_deinit(struct recoloring *recoloring)
{
    free(recoloring->ids);
    free(recoloring->slots);
    sim_store_deinit(&recoloring->layout);
    sim_tiles_destroy(recoloring->tiles, recoloring->tile_count);
}

// Lays out what is left of the range without the ids going[0 ... going_count) (ascending). Changes nothing.
static bool recoloring_init(struct recoloring *recoloring, struct sim *sim, struct sim_id_range *range,
                            const uint64_t *going, uint32_t going_count)
{
    struct sim_body *body = sim_body_find(sim, range->body);
    const struct sim_store *store = &sim->stores[range->kind];
    uint32_t stencil = store->stencil, left = range->live - going_count, found = 0, g = 0;
    *recoloring = (struct recoloring){.body = body, .kind = range->kind, .range = range, .count = left};
    recoloring->ids = malloc(((size_t)left + 1) * sizeof(uint32_t));
    recoloring->slots = malloc(((size_t)left + 1) * sizeof(uint32_t));
    uint32_t *rows = malloc(((size_t)left + 1) * stencil * sizeof *rows);
    struct sim_values *values = malloc(((size_t)left + 1) * sizeof *values);
    bool done = recoloring->ids != NULL && recoloring->slots != NULL && rows != NULL && values != NULL;
    for (uint32_t i = 0; done && i < range->count; i++) {
        uint32_t id = range->first + i;
        if (g < going_count && going[g] == id) {
            g++;
            continue;
        }
        if (range->slots[i] == SIM_GONE) {
            continue;
        }
        recoloring->ids[found] = id;
        sim_store_rows(store, range->slots[i], rows + (size_t)found * stencil);
        for (uint32_t k = 0; k < stencil; k++) {
            rows[(size_t)found * stencil + k] -= body->first_row;
        }
        sim_store_values(store, range->slots[i], &values[found++]);
    }
    done =
        done && sim_body_layout(range->kind, body->id, left, rows, values, body->count, &recoloring->layout,
                                &recoloring->tiles, &recoloring->tile_count, recoloring->slots);
    free(rows);
    free(values);
    if (!done) {
        recoloring_deinit(recoloring);
    }
    return done;
}

// Puts the new layout in the place of the old one. The store must have room.
static void recoloring_apply(struct recoloring *recoloring, struct sim *sim)
{
    struct sim_store *store = &sim->stores[recoloring->kind];
    struct sim_body *body = recoloring->body;
    struct sim_id_range *range = recoloring->range;
    for (uint32_t c = 0; c < recoloring->count; c++) {
        sim_store_vacate(store, range->slots[recoloring->ids[c] - range->first]);
    }
    uint32_t base = sim_store_append(store, &recoloring->layout, body->first_row, 0);
    for (uint32_t c = 0; c < recoloring->count; c++) {
        uint32_t slot = recoloring->slots[c] + base * SIM_LANES;
        store->ids[slot / SIM_LANES][slot % SIM_LANES] = recoloring->ids[c];
        range->slots[recoloring->ids[c] - range->first] = slot;
    }
    for (uint32_t t = 0; t < recoloring->tile_count; t++) {
        recoloring->tiles[t].idle_row += body->first_row;
        for (uint32_t i = 0; i < recoloring->tiles[t].order_count; i++) {
            recoloring->tiles[t].order[i] += base;
        }
    }
    sim_tiles_destroy(body->tiles[recoloring->kind], body->tile_count[recoloring->kind]);
    body->tiles[recoloring->kind] = recoloring->tiles;
    body->tile_count[recoloring->kind] = recoloring->tile_count;
    body->built_count[recoloring->kind] = recoloring->count;
    recoloring->tiles = NULL;
    recoloring->tile_count = 0;
    sim_store_stiffness_update(store, sim->settings.iterations);
}

enum sim_status sim_constraints_remove(struct sim *sim, const uint32_t *ids, uint32_t count,
                                       struct sim_fault *fault)
{
    struct sim_id_range *range;
    struct recoloring *recolorings = NULL;
    uint32_t recoloring_count = 0, recoloring_capacity = 0, unique = 0, slot;
    uint32_t more_batches[SIM_KIND_COUNT] = {0};
    uint64_t *going = malloc(((size_t)count + 1) * sizeof *going);
    uint32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    enum sim_status status = SIM_OK;
    if (going == NULL || order == NULL) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!sim_slot_of(sim, ids[i], &range, &slot)) {
            status = not_found(fault, ids[i]);
            goto cleanup;
        }
        going[i] = ids[i];
        order[i] = i;
    }
    if (!sim_sort(going, order, count)) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (unique == 0 || going[unique - 1] != going[i]) {
            going[unique++] = going[i];
        }
    }
    for (uint32_t i = 0, end; i < unique; i = end) {
        range = sim_range_of(sim, (uint32_t)going[i]);
        for (end = i; end < unique && going[end] - range->first < range->count;) {
            end++;
        }
        const struct sim_body *body = range->body != 0 ? sim_body_find(sim, range->body) : NULL;
        uint32_t built = body != NULL ? body->built_count[range->kind] : 0;
        if (built < RECOLOR_MIN || (uint64_t)(built - (range->live - (end - i))) * 4 <= built) {
            continue;
        }
        if (!sim_reserve((void **)&recolorings, &recoloring_capacity, (uint64_t)recoloring_count + 1,
                         sizeof *recolorings) ||
            !recoloring_init(&recolorings[recoloring_count], sim, range, going + i, end - i)) {
            status = sim_fault_memory(fault);
            goto cleanup;
        }
        more_batches[range->kind] += recolorings[recoloring_count++].layout.count;
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        if (!sim_store_reserve(&sim->stores[kind], more_batches[kind])) {
            status = sim_fault_memory(fault);
            goto cleanup;
        }
    }
    for (uint32_t i = 0; i < unique; i++) {
        sim_constraint_forget(sim, (uint32_t)going[i]);
    }
    for (uint32_t i = 0; i < recoloring_count; i++) {
        recoloring_apply(&recolorings[i], sim);
    }
    sim_plan_rebuild(sim);
cleanup:
    for (uint32_t i = 0; i < recoloring_count; i++) {
        recoloring_deinit(&recolorings[i]);
    }
    free(recolorings);
    free(going);
    free(order);
    return status;
}

// ------------------------------------------------------------------------------------------------ reading

bool sim_constraint_get(const struct sim *sim, uint32_t id, struct sim_constraint *constraint)
{
    struct sim_id_range *range;
    uint32_t slot, rows[SIM_STENCIL_MAX];
    if (!sim_slot_of(sim, id, &range, &slot)) {
        return false;
    }
    const struct sim_store *store = &sim->stores[range->kind];
    const struct sim_batch_meta *meta = &store->meta[slot / SIM_LANES];
    struct sim_values values;
    sim_store_values(store, slot, &values);
    sim_store_rows(store, slot, rows);
    *constraint = (struct sim_constraint){
        .id = id,
        .kind = range->kind,
        .rest = range->kind == SIM_DISTANCE                                ? (double)values.params[0] * sim->q
                : range->kind == SIM_DIHEDRAL || range->kind == SIM_VOLUME ? (double)values.params[0]
                                                                           : 0,
        .material = {.compliance = values.compliance,
                     .damping = values.damping,
                     .stiffness = values.stiffness},
        .tile_color = meta->tile->color,
        .tile = meta->tile->tile,
        .color = meta->color,
    };
    for (uint32_t m = 0; store->multipliers != NULL && m < store->multiplier_count; m++) {
        constraint->multiplier[m] = (double)sim_multipliers_of(store, slot / SIM_LANES, m)[slot % SIM_LANES] *
                                    (range->kind == SIM_DISTANCE ? sim->q : 1);
    }
    for (uint32_t k = 0; k < store->stencil; k++) {
        const struct sim_body *body = sim_body_of_row(sim, rows[k]);
        constraint->bodies[k] = body->id;
        constraint->particles[k] = body->index_of[rows[k] - body->first_row];
    }
    return true;
}

bool sim_constraint_next(const struct sim *sim, enum sim_kind kind, uint32_t after,
                         struct sim_constraint *constraint)
{
    uint32_t low = 0, high = sim->range_count; // first range that ends behind `after`
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sim->ranges[middle].first + (sim->ranges[middle].count - 1) <= after) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < sim->range_count; low++) {
        const struct sim_id_range *range = &sim->ranges[low];
        if (range->kind != kind) {
            continue;
        }
        for (uint32_t i = after >= range->first ? after - range->first + 1 : 0; i < range->count; i++) {
            if (range->slots[i] != SIM_GONE) {
                return sim_constraint_get(sim, range->first + i, constraint);
            }
        }
    }
    return false;
}

bool sim_multipliers_reserve(struct sim *sim, uint32_t iterations, bool wanted)
{
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        struct sim_store *store = &sim->stores[kind];
        bool needed = wanted || iterations > 1;
        if (needed && store->multipliers == NULL) {
            uint64_t size = (uint64_t)store->capacity * store->multiplier_count * SIM_LANES * sizeof(float);
            if (!base_grow((void **)&store->multipliers, size)) {
                return false;
            }
        } else if (!needed) {
            base_grow_free(store->multipliers);
            store->multipliers = NULL;
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
