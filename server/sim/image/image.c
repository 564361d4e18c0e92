// A sim as plain data: taking its bodies. image_part.c takes all else, image_make.c makes a sim of it again.
//
// Nothing is kept that follows from the rest: order in memory, edges, rest values and places come of the mesh as they
// did when the body was made. What edits changed of them is told by kind (struct sim_image_history), and only for the
// kinds that were edited. Values are the solver's floats, which doubles hold exactly; a rest length is in metres,
// which is exact as well, since the quantum is a power of two.

#include "sim/image/image.h"
#include "base/array.h"
#include "base/assert.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"
#include "sim/state/rod.h"
#include "sim/store/store.h"

#include <stdlib.h>

// Memory that goes with the image; NULL without. Nothing asked for is something all the same.
void *sim_image_block(struct sim_image *image, uint64_t count, size_t item_size)
{
    void *memory = count > SIZE_MAX / item_size ? NULL : malloc(count > 0 ? (size_t)count * item_size : 1);
    if (!memory || !array_reserve(&image->blocks, &image->block_capacity, image->block_count + 1)) {
        free(memory);
        return NULL;
    }
    image->blocks[image->block_count++] = memory;
    return memory;
}

void sim_image_deinit(struct sim_image *image)
{
    for (uint32_t b = 0; b < image->block_count; b++) {
        free(image->blocks[b]);
    }
    free((void *)image->blocks);
    *image = (struct sim_image){0};
}

// ------------------------------------------------------------------------------------------------- history

bool sim_kind_has_rest(enum sim_kind kind)
{
    return sim_kind_rows[kind]->rest_most != NULL;
}

static bool flow_equals(enum sim_kind kind, const struct sim_values *values, const float *own)
{
    const struct sim_kind_row *row = sim_kind_rows[kind];
    bool same = true;
    for (uint32_t p = row->flow_first; p < row->flow_first + row->flow_count; p++) {
        same = same && values->params[p] == own[p];
    }
    return same;
}

bool sim_flow_is_own(const struct sim *sim, const struct sim_body *body, enum sim_kind kind, uint32_t slot)
{
    struct sim_values values;
    uint32_t rows[SIM_STENCIL_MAX];
    float own[SIM_PARAMS_MAX];
    sim_store_values(&sim->stores[kind], slot, &values);
    sim_store_rows(&sim->stores[kind], slot, rows);
    sim_own_params(sim, body, kind, rows, own);
    return flow_equals(kind, &values, own);
}

void sim_image_flow_take(const struct sim *sim, enum sim_kind kind, uint32_t slot, float *flows)
{
    const struct sim_kind_row *row = sim_kind_rows[kind];
    struct sim_values values;
    sim_store_values(&sim->stores[kind], slot, &values);
    memcpy(flows, values.params + row->flow_first, row->flow_count * sizeof *flows);
}

// Whether two values have the same bits: the hash tells a minus zero from a zero.
static bool same(float a, float b)
{
    uint32_t of_a, of_b;
    memcpy(&of_a, &a, sizeof of_a);
    memcpy(&of_b, &b, sizeof of_b);
    return of_a == of_b;
}

// A constraint with the material and the rest of its body.
bool sim_values_are_own(const struct sim *sim, const struct sim_body *body, enum sim_kind kind, uint32_t slot)
{
    const enum sim_part part = sim_kind_rows[kind]->part;
    const struct sim_material *material = &body->materials[part];
    struct sim_values values;
    uint32_t rows[SIM_STENCIL_MAX];
    sim_store_values(&sim->stores[kind], slot, &values);
    const uint32_t id = sim_batch_ids(&sim->stores[kind], slot / SIM_LANES)[slot % SIM_LANES];
    const float compliance =
        part == SIM_PART_BEND ? sim_bend_own(body, kind, id) : (float)material->compliance;
    const bool own_material = material->stiffness >= 0
                                  ? same(values.stiffness, (float)material->stiffness)
                                  : values.stiffness < 0 && same(values.compliance, compliance) &&
                                        same(values.damping, (float)material->damping);
    if (!own_material || !sim_kind_has_rest(kind)) {
        return own_material;
    }
    float own[SIM_PARAMS_MAX];
    sim_store_rows(&sim->stores[kind], slot, rows);
    sim_own_params(sim, body, kind, rows, own);
    return same(values.params[0], own[0]) && flow_equals(kind, &values, own);
}

// Arrays of so many values; rest and those of slides only where the kind has them.
bool sim_image_values_block(struct sim_image *image, enum sim_kind kind, uint32_t count,
                            struct sim_constraint_values *values, double *out[SIM_IMAGE_VALUES])
{
    const bool rests = sim_kind_has_rest(kind), slides = sim_slides(kind);
    const bool wanted[SIM_IMAGE_VALUES] = {rests, true, true, true, slides, slides, slides};
    for (int v = 0; v < SIM_IMAGE_VALUES; v++) {
        out[v] = wanted[v] ? sim_image_block(image, count, sizeof *out[v]) : NULL;
        if (!out[v] && wanted[v]) {
            return false;
        }
    }
    *values = (struct sim_constraint_values){.rest = out[0],
                                             .compliance = out[1],
                                             .damping = out[2],
                                             .stiffness = out[3],
                                             .ratio = out[4],
                                             .friction = out[5],
                                             .side = out[6]};
    return true;
}

void sim_image_values_take(const struct sim *sim, enum sim_kind kind, uint32_t slot, uint32_t i,
                           double *out[SIM_IMAGE_VALUES])
{
    const double scale = sim_kind_rows[kind]->in_quanta ? sim->q : 1;
    struct sim_values values;
    sim_store_values(&sim->stores[kind], slot, &values);
    if (out[0]) {
        out[0][i] = (double)values.params[0] * scale;
    }
    out[1][i] = (double)values.compliance;
    out[2][i] = (double)values.damping;
    out[3][i] = (double)values.stiffness;
    if (sim_slides(kind)) {
        out[4][i] = (double)values.params[SIM_SLIDE_RATIO];
        out[5][i] = (double)values.params[SIM_SLIDE_FRICTION];
        out[6][i] = (double)values.params[SIM_SLIDE_SIDE] * scale;
    }
}

static bool take_changed(const struct sim *sim, struct sim_image *image, const struct sim_body *body,
                         const struct sim_id_range *range, struct sim_image_history *history)
{
    struct sim_constraint_values values;
    double *out[SIM_IMAGE_VALUES];
    uint32_t *ids = sim_image_block(image, history->changed_count, sizeof *ids), found = 0;
    const uint32_t size = sim_flow_size(range->kind);
    float *flows = sim_image_block(image, (uint64_t)size * history->changed_count, sizeof *flows);
    bool flowed = false;
    if (!ids || !flows || !sim_image_values_block(image, range->kind, history->changed_count, &values, out)) {
        return false;
    }
    for (uint32_t i = 0; i < range->count; i++) {
        if (range->slots[i] != SIM_GONE && !sim_values_are_own(sim, body, range->kind, range->slots[i])) {
            sim_image_values_take(sim, range->kind, range->slots[i], found, out);
            if (size > 0) {
                sim_image_flow_take(sim, range->kind, range->slots[i], flows + (size_t)size * found);
                flowed = flowed || !sim_flow_is_own(sim, body, range->kind, range->slots[i]);
            }
            ids[found++] = range->first + i;
        }
    }
    BASE_ASSERT(found == history->changed_count);
    history->changed = ids;
    history->rest = values.rest;
    history->compliance = values.compliance;
    history->damping = values.damping;
    history->stiffness = values.stiffness;
    history->shapes = flowed ? flows : NULL;
    return true;
}

// A body that was coloured again has places that only its history explains.
static bool take_places(const struct sim *sim, struct sim_image *image, const struct sim_body *body,
                        const struct sim_id_range *range, struct sim_image_history *history)
{
    const struct sim_store *store = &sim->stores[range->kind];
    uint32_t *colors = sim_image_block(image, range->live, sizeof *colors), found = 0;
    uint32_t *tile_colors = sim_image_block(image, body->tile_count[range->kind], sizeof *tile_colors);
    if (!colors || !tile_colors) {
        return false;
    }
    for (uint32_t i = 0; i < range->count; i++) {
        if (range->slots[i] != SIM_GONE) {
            colors[found++] = sim_batch_meta(store, range->slots[i] / SIM_LANES)->color;
        }
    }
    for (uint32_t t = 0; t < body->tile_count[range->kind]; t++) {
        tile_colors[t] = body->tiles[range->kind][t].color;
    }
    history->colors = colors;
    history->color_count = found;
    history->tile_colors = tile_colors;
    history->tile_count = body->tile_count[range->kind];
    return true;
}

static bool take_history(const struct sim *sim, struct sim_image *image, const struct sim_body *body,
                         enum sim_kind kind, struct sim_image_history *history)
{
    *history = (struct sim_image_history){.built = body->built_count[kind]};
    if (body->constraint_count[kind] == 0) {
        return true;
    }
    const struct sim_id_range *range = sim_range_of(sim, body->constraint_first[kind]);
    for (uint32_t i = 0; i < range->count; i++) {
        history->changed_count +=
            range->slots[i] != SIM_GONE && !sim_values_are_own(sim, body, kind, range->slots[i]) ? 1 : 0;
    }
    history->removed_count = range->count - range->live;
    history->edited = history->removed_count + history->changed_count > 0;
    if (!history->edited) {
        return true;
    }
    uint32_t *removed = sim_image_block(image, history->removed_count, sizeof *removed), found = 0;
    if (!removed) {
        return false;
    }
    for (uint32_t i = 0; i < range->count; i++) {
        if (range->slots[i] == SIM_GONE) {
            removed[found++] = range->first + i;
        }
    }
    history->removed = removed;
    return take_changed(sim, image, body, range, history) &&
           (history->built == range->count || take_places(sim, image, body, range, history));
}

// -------------------------------------------------------------------------------------------------- bodies

static bool take_followers(struct sim_image *image, const struct sim_body *body, struct sim_image_body *out)
{
    uint32_t *colliders = sim_image_block(image, body->pin_count, sizeof *colliders);
    double *places = sim_image_block(image, 3 * (uint64_t)body->pin_count, sizeof *places);
    if (!colliders || !places) {
        return false;
    }
    for (uint32_t p = 0; p < body->pin_count; p++) {
        const struct sim_pin *pin = &body->pins[p];
        colliders[p] = pin->collider;
        for (uint32_t axis = 0; axis < 3; axis++) {
            places[3 * (size_t)p + axis] = pin->collider != 0 ? pin->place[axis] : 0;
        }
    }
    out->pin_colliders = colliders;
    out->pin_places = places;
    return true;
}

static bool take_softness(struct sim_image *image, const struct sim_body *body, struct sim_image_body *out)
{
    double *compliances = sim_image_block(image, body->pin_count, sizeof *compliances);
    double *distances = sim_image_block(image, body->pin_count, sizeof *distances);
    double *starts = sim_image_block(image, 3 * (uint64_t)body->pin_count, sizeof *starts);
    if (!compliances || !distances || !starts) {
        return false;
    }
    bool going = false;
    for (uint32_t p = 0; p < body->pin_count; p++) {
        const struct sim_pin *pin = &body->pins[p];
        compliances[p] = (double)pin->compliance;
        distances[p] = (double)pin->distance;
        for (uint32_t axis = 0; axis < 3; axis++) {
            const int64_t back = sim_pin_is_soft(pin) ? pin->from[axis] - pin->to[axis] : 0;
            starts[3 * (size_t)p + axis] = (double)back;
            going = going || back != 0;
        }
    }
    out->pin_compliances = compliances;
    out->pin_distances = distances;
    out->pin_starts = going ? starts : NULL;
    return true;
}

static bool take_ends(struct sim_image *image, const struct sim_body *body, struct sim_image_body *out)
{
    double *ends = sim_image_block(image, 3 * (uint64_t)body->pin_count, sizeof *ends);
    uint32_t *ticks = sim_image_block(image, body->pin_count, sizeof *ticks);
    if (!ends || !ticks) {
        return false;
    }
    for (uint32_t p = 0; p < body->pin_count; p++) {
        const struct sim_pin *pin = &body->pins[p];
        ticks[p] = pin->left;
        for (uint32_t axis = 0; axis < 3; axis++) {
            ends[3 * (size_t)p + axis] = pin->left > 0 ? (double)(pin->end[axis] - pin->to[axis]) : 0;
        }
    }
    out->pin_ends = ends;
    out->pin_ticks = ticks;
    return true;
}

static bool take_clamps(struct sim_image *image, const struct sim_body *body, struct sim_image_body *out)
{
    int32_t *clamps = sim_image_block(image, 8 * (uint64_t)body->pin_count, sizeof *clamps);
    for (uint32_t p = 0; clamps && p < body->pin_count; p++) {
        const struct sim_clamp *clamp = &body->pins[p].clamp;
        memcpy(clamps + 8 * (size_t)p, clamp->from, sizeof clamp->from);
        memcpy(clamps + 8 * (size_t)p + 4, clamp->to, sizeof clamp->to);
    }
    out->pin_clamps = clamps;
    return clamps != NULL;
}

static bool take_held(struct sim_image *image, const struct sim_body *body, struct sim_image_body *out)
{
    int32_t *held = sim_image_block(image, 4 * (uint64_t)body->pin_count, sizeof *held);
    for (uint32_t p = 0; held && p < body->pin_count; p++) {
        memcpy(held + 4 * (size_t)p, body->pins[p].clamp.held, sizeof body->pins[p].clamp.held);
    }
    out->pin_held = held;
    return held != NULL;
}

static bool take_pins(const struct sim *sim, struct sim_image *image, const struct sim_body *body,
                      struct sim_image_body *out)
{
    uint32_t *pins = sim_image_block(image, body->pin_count, sizeof *pins);
    int64_t *targets = sim_image_block(image, 3 * (uint64_t)body->pin_count, sizeof *targets);
    if (!pins || !targets) {
        return false;
    }
    bool going = false, follows = false, soft = false, left = false, clamps = false, turns = false;
    for (uint32_t p = 0; p < body->pin_count; p++) {
        const struct sim_pin *pin = &body->pins[p];
        const int64_t *at = sim->positions[body->first_row + body->row_of[pin->index]];
        going = going || memcmp(at, pin->to, sizeof pin->to) != 0;
        follows = follows || pin->collider != 0;
        soft = soft || sim_pin_is_soft(pin);
        left = left || pin->left > 0;
        clamps = clamps || sim_pin_clamps(pin);
        turns = turns || sim_pin_turns(pin);
        pins[p] = pin->index;
        memcpy(targets + 3 * (size_t)p, pin->to, sizeof pin->to);
    }
    out->desc.pins = pins;
    out->desc.pin_count = body->pin_count;
    out->targets = going ? targets : NULL;
    return (!follows || take_followers(image, body, out)) && (!soft || take_softness(image, body, out)) &&
           (!left || take_ends(image, body, out)) && (!clamps || take_clamps(image, body, out)) &&
           (!turns || take_held(image, body, out));
}

static bool take_forces(const struct sim *sim, struct sim_image *image, const struct sim_body *body,
                        struct sim_image_body *out)
{
    if (body->load_count == 0) {
        return true;
    }
    uint32_t *particles = sim_image_block(image, body->load_count, sizeof *particles);
    double *forces = sim_image_block(image, 3 * (uint64_t)body->load_count, sizeof *forces);
    uint32_t *ticks = sim_image_block(image, body->load_count, sizeof *ticks);
    if (!particles || !forces || !ticks) {
        return false;
    }
    sim_body_forces(sim, body->id, particles, forces, ticks);
    out->force_count = body->load_count;
    out->force_particles = particles;
    out->forces = forces;
    out->force_ticks = ticks;
    return true;
}

static bool take_particles(const struct sim *sim, struct sim_image *image, const struct sim_body *body,
                           struct sim_image_body *out)
{
    double *rest = sim_image_block(image, 3 * (uint64_t)body->count, sizeof *rest);
    int64_t *positions = sim_image_block(image, 3 * (uint64_t)body->count, sizeof *positions);
    float *velocities = sim_image_block(image, 3 * (uint64_t)body->count, sizeof *velocities);
    float *inverse_masses = sim_image_block(image, body->count, sizeof *inverse_masses);
    if (!rest || !positions || !velocities || !inverse_masses) {
        return false;
    }
    for (uint32_t i = 0; i < body->count; i++) {
        // A spare that nothing has split off yet goes where the first particle is: its place is no state.
        const bool is = i < sim_nameable(body);
        uint32_t row = body->first_row + body->row_of[is ? i : 0];
        memcpy(positions + 3 * (size_t)i, sim->positions[row], 3 * sizeof *positions);
        for (int axis = 0; axis < 3; axis++) {
            velocities[3 * (size_t)i + axis] = is ? sim->velocities[row].v[axis] : 0;
        }
        inverse_masses[i] = is ? sim_inverse_mass_of(sim, row) : 0;
    }
    for (uint32_t p = 0; p < body->pin_count; p++) {
        inverse_masses[body->pins[p].index] = body->pins[p].inverse_mass;
    }
    sim_body_rest_positions(sim, body->id, rest);
    out->desc.positions = rest;
    out->desc.velocities = body->velocities;
    out->positions = positions;
    out->velocities = velocities;
    out->inverse_masses = inverse_masses;
    return true;
}

// A copy: an edit may give the body other places while the image is written.
static bool take_matching(struct sim_image *image, const struct sim_body *body, struct sim_image_body *out)
{
    if (!body->matching.places) {
        return true;
    }
    double *places = sim_image_block(image, 3 * (uint64_t)body->count, sizeof *places);
    if (places) {
        memcpy(places, body->matching.places, 3 * (size_t)body->count * sizeof *places);
    }
    out->desc.matching.places = places;
    return places != NULL;
}

static bool take_turned(const struct sim *sim, struct sim_image *image, const struct sim_body *body,
                        struct sim_image_body *out)
{
    if (!body->turned) {
        return true;
    }
    struct sim_turned *turned = sim_image_block(image, body->count, sizeof *turned);
    if (turned) {
        sim_body_turned(sim, body->id, 0, body->count, turned);
    }
    out->desc.turned = body->rod ? NULL : body->turned;
    out->desc.rod = body->rod ? &body->rod->given : NULL;
    out->desc.rigid = body->rigid ? &body->rigid->shape : NULL;
    out->turned = turned;
    return turned != NULL;
}

static bool take_sleep(const struct sim *sim, struct sim_image *image, const struct sim_body *body,
                       struct sim_image_body *out)
{
    if (!sim_has_sleep(sim) || (!body->asleep && body->still == 0)) {
        return true;
    }
    int32_t *anchors = sim_image_block(image, 3 * (uint64_t)body->count, sizeof *anchors), any = 0;
    if (!anchors) {
        return false;
    }
    for (uint32_t i = 0; i < body->count; i++) {
        int32_t *way = anchors + 3 * (size_t)i;
        sim_anchor_of(sim, body->first_row + body->row_of[i < sim_nameable(body) ? i : 0], way);
        any |= way[0] | way[1] | way[2];
    }
    sim_sleep_take(body, &out->sleep);
    out->anchors = any != 0 ? anchors : NULL;
    return true;
}

static bool take_torn(struct sim_image *image, const struct sim_body *body, struct sim_image_body *out)
{
    const struct sim_torn *torn = body->torn;
    if (!torn) {
        return true;
    }
    const uint32_t corners = 3 * body->triangle_count;
    struct sim_tears *tears = sim_image_block(image, 1, sizeof *tears);
    uint32_t *triangles = sim_image_block(image, corners, sizeof *triangles);
    uint32_t *now = sim_image_block(image, corners, sizeof *now);
    uint32_t *origins = sim_image_block(image, torn->used, sizeof *origins);
    uint64_t *since = sim_image_block(image, torn->used, sizeof *since);
    uint32_t *cuts = sim_image_block(image, torn->cut_count, sizeof *cuts);
    if (!tears || !triangles || !now || !origins || !since || !cuts) {
        return false;
    }
    for (uint32_t i = 0; i < corners; i++) {
        now[i] = body->triangles[i];
        triangles[i] = sim_torn_root(torn, now[i]);
    }
    memcpy(origins, torn->origins, torn->used * sizeof *origins);
    memcpy(since, torn->since, torn->used * sizeof *since);
    memcpy(cuts, torn->cuts, torn->cut_count * sizeof *cuts);
    *tears = (struct sim_tears){.own = torn->own,
                                .used = torn->used,
                                .origins = origins,
                                .since = since,
                                .triangles = now,
                                .cuts = cuts,
                                .cut_count = torn->cut_count};
    out->desc.triangles = triangles;
    out->desc.tear = torn->tear;
    out->desc.torn = tears;
    return true;
}

bool sim_image_body_take(const struct sim *sim, struct sim_image *image, const struct sim_body *body,
                         struct sim_image_body *out)
{
    *out = (struct sim_image_body){
        .body = body->id,
        .desc =
            {
                .kind = body->kind,
                .particle_count = body->count,
                .triangles = body->triangles,
                .triangle_count = body->triangle_count,
                .edges = body->edges,
                .edge_count = body->edge_count,
                .tets = body->tets,
                .tet_count = body->tet_count,
                .stretch_model = body->stretch_model,
                .yarns = body->yarns,
                .uvs = body->uvs,
                .stretch = body->materials[SIM_PART_STRETCH],
                .bend_model = body->bend_model,
                .bend = body->materials[SIM_PART_BEND],
                .volume = body->materials[SIM_PART_VOLUMES],
                .solid_model = body->solid_model,
                .solid = body->materials[SIM_PART_SOLID],
                .thickness = body->thickness,
                .meeting = body->meeting,
                .pressure = sim_pressure_of(sim, body),
                .gravity = body->gravity,
                .wind = body->wind,
                .force = body->force,
                .matching = body->matching,
                .restless = body->restless,
                .may_be_empty = true,
            },
        .bend_due = body->bend_due,
    };
    for (uint32_t kind = SIM_KIND_COUNT; kind > 0; kind--) {
        if (body->constraint_count[kind - 1] > 0) {
            out->first_constraint = body->constraint_first[kind - 1];
        }
    }
    for (uint32_t kind = 0; kind < SIM_KIND_COUNT; kind++) {
        if (!take_history(sim, image, body, (enum sim_kind)kind, &out->history[kind])) {
            return false;
        }
    }
    return take_torn(image, body, out) && take_matching(image, body, out) &&
           take_particles(sim, image, body, out) && take_turned(sim, image, body, out) &&
           take_pins(sim, image, body, out) && take_forces(sim, image, body, out) &&
           take_sleep(sim, image, body, out);
}
