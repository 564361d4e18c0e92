// A sim, or parts of it, as plain data: what is wanted, and all of it that is no body (image.c).
//
//   wanted   bodies -> the loose constraints that touch them, the motions of their pins
//            colliders -> the motions that move them
//            constraints -> batches of the loose ones, and of the others one list for each body and kind

#include "base/array.h"
#include "base/assert.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/image/image.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <stdlib.h>

// The things to take, each list ascending. Without parts everything is taken.
struct wanted {
    const struct sim_parts *parts;
    uint32_t *bodies, *colliders, *motions, *constraints, *loose;
    uint32_t body_count, collider_count, motion_count, constraint_count, loose_count, loose_capacity;
};

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// Ascending, each once.
static bool list_copy(struct sim_image *image, const uint32_t *ids, uint32_t count, uint32_t **out,
                      uint32_t *out_count)
{
    *out = sim_image_block(image, count, sizeof **out);
    *out_count = 0;
    if (!*out || count == 0) {
        return *out != NULL;
    }
    memcpy(*out, ids, count * sizeof *ids);
    qsort(*out, count, sizeof **out, by_value);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || (*out)[i] != (*out)[i - 1]) {
            (*out)[(*out_count)++] = (*out)[i];
        }
    }
    return true;
}

static bool holds(const uint32_t *list, uint32_t count, uint32_t id)
{
    return count > 0 && bsearch(&id, list, count, sizeof id, by_value);
}

// ------------------------------------------------------------------------------------- loose constraints

static bool touches_wanted(const struct sim *sim, const struct wanted *wanted, enum sim_kind kind,
                           uint32_t slot)
{
    uint32_t rows[SIM_STENCIL_MAX];
    bool touches = !wanted->parts;
    sim_store_rows(&sim->stores[kind], slot, rows);
    for (uint32_t k = 0; !touches && k < sim_stencil_size(kind); k++) {
        touches = holds(wanted->bodies, wanted->body_count, sim_body_of_row(sim, rows[k])->id);
    }
    return touches;
}

static bool loose_want(struct wanted *wanted, uint32_t id)
{
    if (!array_reserve(&wanted->loose, &wanted->loose_capacity, wanted->loose_count + 1)) {
        return false;
    }
    wanted->loose[wanted->loose_count++] = id;
    return true;
}

// Those that touch a body that is wanted, and those that are named. The list is malloc'd.
static bool loose_find(const struct sim *sim, struct wanted *wanted)
{
    bool done = true, whole = !wanted->parts;
    for (uint32_t r = 0; (whole || wanted->body_count > 0) && r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        for (uint32_t i = 0; done && range->body == 0 && i < range->count; i++) {
            if (range->slots[i] != SIM_GONE && touches_wanted(sim, wanted, range->kind, range->slots[i])) {
                done = loose_want(wanted, range->first + i);
            }
        }
    }
    uint32_t touching = wanted->loose_count, kept = 0;
    for (uint32_t c = 0; done && c < wanted->constraint_count; c++) {
        struct sim_id_range *range;
        uint32_t slot;
        if (sim_slot_of(sim, wanted->constraints[c], &range, &slot) && range->body == 0) {
            done = loose_want(wanted, wanted->constraints[c]);
        }
    }
    if (done && touching > 0 && wanted->loose_count > touching) {
        qsort(wanted->loose, wanted->loose_count, sizeof *wanted->loose, by_value);
        for (uint32_t i = 0; i < wanted->loose_count; i++) {
            if (i == 0 || wanted->loose[i] != wanted->loose[i - 1]) {
                wanted->loose[kept++] = wanted->loose[i];
            }
        }
        wanted->loose_count = kept;
    }
    return done;
}

static void loose_take(const struct sim *sim, uint32_t id, uint32_t c, struct sim_image_constraints *batch,
                       uint32_t *bodies, uint32_t *particles, uint32_t *colors, float *shapes,
                       double *out[SIM_IMAGE_VALUES])
{
    struct sim_id_range *range;
    uint32_t slot, rows[SIM_STENCIL_MAX];
    bool alive = sim_slot_of(sim, id, &range, &slot);
    BASE_ASSERT(alive);
    const struct sim_store *store = &sim->stores[batch->kind];
    colors[c] = sim_batch_meta(store, slot / SIM_LANES)->color;
    sim_store_rows(store, slot, rows);
    for (uint32_t k = 0; k < store->stencil; k++) {
        const struct sim_body *body = sim_body_of_row(sim, rows[k]);
        bodies[c * store->stencil + k] = body->id;
        particles[c * store->stencil + k] = body->index_of[rows[k] - body->first_row];
    }
    const struct sim_kind_row *row = sim_kind_rows[batch->kind];
    for (uint32_t p = 0; shapes && p < row->shape_count; p++) {
        shapes[(size_t)row->shape_count * c + p] =
            sim_batch_params(store, slot / SIM_LANES, row->shape_first + p)[slot % SIM_LANES];
    }
    sim_image_values_take(sim, batch->kind, slot, c, out);
}

// Takes those of these loose constraints, in ascending order, that are of the kind.
static bool take_loose(const struct sim *sim, struct sim_image *image, enum sim_kind kind,
                       const uint32_t *all, uint32_t all_count, struct sim_image_constraints *batch)
{
    uint32_t count = 0, found = 0;
    for (uint32_t i = 0; i < all_count; i++) {
        count += sim_range_of(sim, all[i])->kind == kind;
    }
    uint64_t corners = (uint64_t)count * sim_stencil_size(kind);
    *batch = (struct sim_image_constraints){.kind = kind, .count = count};
    if (count == 0) {
        return true;
    }
    uint32_t *ids = sim_image_block(image, count, sizeof *ids),
             *colors = sim_image_block(image, count, sizeof *colors);
    uint32_t *bodies = sim_image_block(image, corners, sizeof *bodies);
    uint32_t *particles = sim_image_block(image, corners, sizeof *particles);
    const uint32_t shape = sim_shape_size(kind);
    float *shapes = sim_image_block(image, (uint64_t)shape * count, sizeof *shapes);
    double *out[SIM_IMAGE_VALUES];
    if (!ids || !colors || !bodies || !particles || !shapes ||
        !sim_image_values_block(image, kind, count, &batch->values, out)) {
        return false;
    }
    batch->ids = ids;
    batch->colors = colors;
    batch->bodies = bodies;
    batch->particles = particles;
    batch->shapes = shape > 0 ? shapes : NULL;
    for (uint32_t i = 0; i < all_count; i++) {
        if (sim_range_of(sim, all[i])->kind == kind) {
            ids[found] = all[i];
            loose_take(sim, all[i], found++, batch, bodies, particles, colors, shape > 0 ? shapes : NULL,
                       out);
        }
    }
    return true;
}

// --------------------------------------------------------------------------------- constraints of bodies

// Places of all that live.
static bool take_places(const struct sim *sim, struct sim_image *image, const struct sim_id_range *range,
                        struct sim_own *own)
{
    const struct sim_body *body = sim_body_find(sim, range->body);
    uint32_t tiles = body->tile_count[range->kind], found = 0;
    uint32_t *ids = sim_image_block(image, range->live, sizeof *ids);
    uint32_t *colors = sim_image_block(image, range->live, sizeof *colors);
    uint32_t *tile_colors = sim_image_block(image, tiles, sizeof *tile_colors);
    if (!ids || !colors || !tile_colors) {
        return false;
    }
    for (uint32_t i = 0; i < range->count; i++) {
        if (range->slots[i] != SIM_GONE) {
            ids[found] = range->first + i;
            colors[found++] = sim_batch_meta(&sim->stores[range->kind], range->slots[i] / SIM_LANES)->color;
        }
    }
    for (uint32_t t = 0; t < tiles; t++) {
        tile_colors[t] = body->tiles[range->kind][t].color;
    }
    own->place_ids = ids;
    own->place_colors = colors;
    own->place_count = found;
    own->tile_colors = tile_colors;
    own->tile_count = tiles;
    own->built = body->built_count[range->kind];
    return true;
}

// These living ones of the range.
static bool take_own(const struct sim *sim, struct sim_image *image, const struct sim_id_range *range,
                     const uint32_t *given, uint32_t count, bool rests_stay, struct sim_own *own)
{
    const struct sim_store *store = &sim->stores[range->kind];
    uint32_t *ids = sim_image_block(image, count, sizeof *ids);
    uint32_t *colors = sim_image_block(image, count, sizeof *colors);
    double *out[SIM_IMAGE_VALUES];
    const uint32_t size = sim_flow_size(range->kind);
    float *flows = sim_image_block(image, (uint64_t)size * count, sizeof *flows);
    const struct sim_body *body = sim_body_find(sim, range->body);
    bool flowed = false;
    *own =
        (struct sim_own){.body = range->body, .kind = range->kind, .count = count, .rests_stay = rests_stay};
    if (!ids || !colors || !flows || !sim_image_values_block(image, range->kind, count, &own->values, out)) {
        return false;
    }
    for (uint32_t c = 0; c < count; c++) {
        uint32_t slot = range->slots[given[c] - range->first];
        ids[c] = given[c];
        colors[c] = sim_batch_meta(store, slot / SIM_LANES)->color;
        sim_image_values_take(sim, range->kind, slot, c, out);
        if (size > 0) {
            sim_image_flow_take(sim, range->kind, slot, flows + (size_t)size * c);
            flowed = flowed || !sim_flow_is_own(sim, body, range->kind, slot);
        }
    }
    own->ids = ids;
    own->colors = colors;
    own->shapes = flowed ? flows : NULL;
    return true;
}

static bool owns_add(const struct sim *sim, struct sim_image *image, struct sim_own **owns,
                     uint32_t *capacity, const struct sim_id_range *range, const uint32_t *ids,
                     uint32_t count, const struct sim_parts *parts, bool going)
{
    if (!array_reserve(owns, capacity, image->own_count + 1)) {
        return false;
    }
    struct sim_own *own = &(*owns)[image->own_count++];
    const bool rests_stay = !(sim_shape_flows(range->kind) ? parts->shapes : parts->rests) &&
                            sim_kind_rows[range->kind]->flow_count > 0 &&
                            sim_is_plastic(sim_body_find(sim, range->body));
    return take_own(sim, image, range, ids, count, rests_stay, own) &&
           (!going || (count < range->live && !sim_recolors(sim, range, count)) ||
            take_places(sim, image, range, own));
}

// Whether all of the range are in the list already, because they were named one by one.
static bool all_named(const struct sim_image *image, const struct sim_own *owns,
                      const struct sim_id_range *range)
{
    bool named = false;
    for (uint32_t o = 0; o < image->own_count && !named; o++) {
        named = owns[o].body == range->body && owns[o].kind == range->kind && owns[o].count == range->live;
    }
    return named;
}

// Adds those constraints of a body and kind that have other values than the body.
static bool changed_add(const struct sim *sim, struct sim_image *image, struct sim_own **owns,
                        uint32_t *capacity, const struct sim_parts *parts, const struct sim_body *body,
                        enum sim_kind kind)
{
    const struct sim_id_range *range = sim_range_of(sim, body->constraint_first[kind]);
    uint32_t count = 0, *ids = sim_image_block(image, range->live, sizeof *ids);
    const bool named = all_named(image, *owns, range);
    for (uint32_t i = 0; ids && !named && i < range->count; i++) {
        if (range->slots[i] != SIM_GONE && !sim_values_are_own(sim, body, kind, range->slots[i])) {
            ids[count++] = range->first + i;
        }
    }
    return ids && (count == 0 || owns_add(sim, image, owns, capacity, range, ids, count, parts, false));
}

static bool take_owns(const struct sim *sim, struct sim_image *image, const struct wanted *wanted)
{
    struct sim_own *owns = NULL, *kept;
    uint32_t capacity = 0, *ids = sim_image_block(image, wanted->constraint_count, sizeof *ids);
    const struct sim_parts *parts = wanted->parts;
    bool done = ids != NULL;
    for (uint32_t c = 0; done && c < wanted->constraint_count;) {
        const struct sim_id_range *range = sim_range_of(sim, wanted->constraints[c]);
        uint32_t count = 0;
        if (!range || range->body == 0) {
            c++;
            continue;
        }
        for (; c < wanted->constraint_count && wanted->constraints[c] - range->first < range->count; c++) {
            if (range->slots[wanted->constraints[c] - range->first] != SIM_GONE) {
                ids[count++] = wanted->constraints[c];
            }
        }
        done = count == 0 || owns_add(sim, image, &owns, &capacity, range, ids, count, parts, parts->going);
    }
    for (uint32_t b = 0; done && b < parts->changed_count; b++) {
        const struct sim_body *body = sim_body_find(sim, parts->changed[b]);
        for (uint32_t kind = 0; done && body && kind < SIM_KIND_COUNT; kind++) {
            done = body->constraint_count[kind] == 0 ||
                   changed_add(sim, image, &owns, &capacity, parts, body, (enum sim_kind)kind);
        }
    }
    kept = done ? sim_image_block(image, image->own_count, sizeof *kept) : NULL;
    if (kept && image->own_count > 0) {
        memcpy(kept, owns, image->own_count * sizeof *kept);
    }
    image->owns = kept;
    free(owns);
    return kept != NULL;
}

// ------------------------------------------------------------------------------------------- all of it

static void take_collider(const struct sim *sim, uint32_t position, struct sim_image_collider *out)
{
    const struct sim_shape *shape = &sim->shapes[position];
    *out = (struct sim_image_collider){.exact = true};
    sim_collider_at(sim, position, &out->collider);
    memcpy(out->position, shape->to.position, sizeof out->position);
    memcpy(out->from_position, shape->from.position, sizeof out->from_position);
    memcpy(out->from_rotation, shape->from.rotation, sizeof out->from_rotation);
    memcpy(out->stands, shape->to.rotation, sizeof out->stands);
    out->unturned = shape->turned;
}

// Copies an array of the sim into an image of parts, because such an image outlives the edit.
static bool copy(struct sim_image *image, void *items_pointer, uint64_t count, size_t item_size)
{
    const void **items = items_pointer;
    void *copied = !*items ? NULL : sim_image_block(image, count, item_size);
    if (copied && count > 0) {
        memcpy(copied, *items, (size_t)count * item_size);
    }
    bool done = copied || !*items;
    *items = copied;
    return done;
}

static bool copy_points(struct sim_image *image, struct sim_rigid_shape *shape)
{
    return copy(image, (void *)&shape->points, 3 * (uint64_t)shape->point_count, sizeof(double));
}

// With the points of a hull and the parts of a compound, which are the sim's own.
static bool copy_rigid(struct sim_image *image, struct sim_body_desc *desc)
{
    if (!copy(image, (void *)&desc->rigid, 1, sizeof *desc->rigid)) {
        return false;
    }
    struct sim_rigid_shape *shape = (struct sim_rigid_shape *)desc->rigid; // the image's
    bool done = !shape || (copy_points(image, shape) &&
                           copy(image, (void *)&shape->parts, shape->part_count, sizeof *shape->parts));
    for (uint32_t i = 0; done && shape && i < shape->part_count; i++) {
        done = copy_points(image, &((struct sim_rigid_part *)shape->parts)[i].shape);
    }
    return done;
}

static bool copy_body(struct sim_image *image, struct sim_body_desc *desc)
{
    return copy(image, (void *)&desc->triangles, 3 * (uint64_t)desc->triangle_count, sizeof(uint32_t)) &&
           copy(image, (void *)&desc->edges, 2 * (uint64_t)desc->edge_count, sizeof(uint32_t)) &&
           copy(image, (void *)&desc->tets, 4 * (uint64_t)desc->tet_count, sizeof(uint32_t)) &&
           copy(image, (void *)&desc->rod, 1, sizeof *desc->rod) && copy_rigid(image, desc) &&
           copy(image, (void *)&desc->turned, desc->particle_count, sizeof *desc->turned) &&
           copy(image, (void *)&desc->velocities, 3 * (uint64_t)desc->particle_count, sizeof(float));
}

static bool copy_motion(struct sim_image *image, struct sim_motion *motion)
{
    uint64_t keys = motion->key_count, particles = motion->particle_count;
    return copy(image, (void *)&motion->particles, particles, sizeof(uint32_t)) &&
           copy(image, (void *)&motion->times, keys, sizeof(double)) &&
           copy(image, (void *)&motion->offsets, 3 * keys, sizeof(double)) &&
           copy(image, (void *)&motion->rotations, 4 * keys, sizeof(double)) &&
           copy(image, (void *)&motion->arms, 3 * particles, sizeof(double)) &&
           copy(image, (void *)&motion->poses, 3 * particles * keys, sizeof(float));
}

static bool take_lists(const struct sim *sim, struct sim_image *image, struct wanted *wanted)
{
    const struct sim_parts *parts = wanted->parts;
    if (parts &&
        !(list_copy(image, parts->bodies, parts->body_count, &wanted->bodies, &wanted->body_count) &&
          list_copy(image, parts->colliders, parts->collider_count, &wanted->colliders,
                    &wanted->collider_count) &&
          list_copy(image, parts->motions, parts->motion_count, &wanted->motions, &wanted->motion_count) &&
          list_copy(image, parts->constraints, parts->constraint_count, &wanted->constraints,
                    &wanted->constraint_count))) {
        return false;
    }
    return loose_find(sim, wanted);
}

static bool take_bodies(const struct sim *sim, struct sim_image *image, const struct wanted *wanted)
{
    uint32_t count = !wanted->parts ? sim->body_count : wanted->body_count;
    struct sim_image_body *bodies = sim_image_block(image, count, sizeof *bodies);
    bool done = bodies != NULL;
    for (uint32_t b = 0; done && b < count; b++) {
        const struct sim_body *body = !wanted->parts ? sim->bodies[b] : sim_body_find(sim, wanted->bodies[b]);
        struct sim_image_body *out = &bodies[image->body_count];
        image->body_count += body != NULL;
        done = !body || (sim_image_body_take(sim, image, body, out) &&
                         (!wanted->parts || copy_body(image, &out->desc)));
    }
    image->bodies = bodies;
    return done;
}

static bool take_colliders_and_motions(const struct sim *sim, struct sim_image *image,
                                       const struct wanted *wanted)
{
    struct sim_image_collider *colliders = sim_image_block(image, sim->shape_count, sizeof *colliders);
    struct sim_motion *motions = sim_image_block(image, sim->drive_count, sizeof *motions);
    bool whole = !wanted->parts, done = colliders && motions;
    for (uint32_t s = 0; done && s < sim->shape_count; s++) {
        if (whole || holds(wanted->colliders, wanted->collider_count, sim->shapes[s].id)) {
            struct sim_collider *taken = &colliders[image->collider_count].collider;
            take_collider(sim, s, &colliders[image->collider_count++]);
            done =
                whole || (copy(image, (void *)&taken->points, 3 * (uint64_t)taken->point_count,
                               sizeof *taken->points) &&
                          copy(image, (void *)&taken->heights, taken->height_count, sizeof *taken->heights));
        }
    }
    for (uint32_t m = 0; done && m < sim->drive_count; m++) {
        const struct sim_motion *motion = &sim->drives[m].motion;
        if (whole || holds(wanted->motions, wanted->motion_count, motion->id) ||
            holds(wanted->colliders, wanted->collider_count, motion->collider) ||
            holds(wanted->bodies, wanted->body_count, motion->body)) {
            motions[image->motion_count] = *motion;
            done = whole || copy_motion(image, &motions[image->motion_count]);
            image->motion_count++;
        }
    }
    image->colliders = colliders;
    image->motions = motions;
    return done;
}

static bool take_batches(const struct sim *sim, struct sim_image *image, const struct wanted *wanted)
{
    struct sim_image_constraints *batches = sim_image_block(image, SIM_KIND_COUNT, sizeof *batches);
    bool done = batches != NULL;
    for (uint32_t kind = 0; done && kind < SIM_KIND_COUNT; kind++) {
        struct sim_image_constraints *batch = &batches[image->batch_count];
        done = take_loose(sim, image, (enum sim_kind)kind, wanted->loose, wanted->loose_count, batch);
        image->batch_count += done && batch->count > 0;
    }
    image->batches = batches;
    return done;
}

static bool take(const struct sim *sim, const struct sim_parts *parts, struct sim_image *image)
{
    struct wanted wanted = {.parts = parts};
    BASE_ASSERT(!sim->under_way && !sim->dropped);
    *image = (struct sim_image){
        .settings = sim->settings,
        .next_body = sim->next_body,
        .next_constraint = sim->next_constraint,
        .next_grab = sim->next_grab,
        .next_collider = sim->next_collider,
        .next_motion = sim->next_motion,
    };
    bool done = take_lists(sim, image, &wanted) && take_bodies(sim, image, &wanted) &&
                take_colliders_and_motions(sim, image, &wanted) && take_batches(sim, image, &wanted) &&
                (!parts || take_owns(sim, image, &wanted));
    free(wanted.loose);
    if (!done) {
        sim_image_deinit(image);
    }
    return done;
}

bool sim_image_take(const struct sim *sim, struct sim_image *image)
{
    return take(sim, NULL, image);
}

bool sim_image_take_parts(const struct sim *sim, const struct sim_parts *parts, struct sim_image *image)
{
    return take(sim, parts, image);
}
