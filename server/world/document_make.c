// A document made ready: the generated struct becomes an image of the sim, and that a sim.
//
//   message ──protocol_decode──▶ struct protocol_document ──▶ struct sim_image ──sim_image_make──▶ sim, names
//
// The decoder has checked types and ranges; lengths and names are checked here, and all that is physics by the sim.
// Faults name their place: bodies[3].triangles.
#include "world/world_internal.h"

#include "protocol/error.h"
#include "protocol/params.h"
#include "protocol/scan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct maker {
    const struct protocol_document *given;
    const char *prefix;
    msgpack_zone *zone;
    struct protocol_error *error;
    struct world_document *document;
    double resolution;
    struct world_body_arrays *arrays; // one a body
    struct sim_image image;
};

// ---------------------------------------------------------------------------------------------------------
// Refusals

// Puts where it is before what the error says of a field there; the field's name begins the text, or comes to.
static bool at_place(const struct maker *maker, const char *list, uint32_t index)
{
    struct protocol_error inner = *maker->error;
    char place[PROTOCOL_FIELD_MAX], path[PROTOCOL_FIELD_MAX];
    size_t size = strlen(inner.field);
    const char *text = inner.text;
    if (list) {
        snprintf(place, sizeof place, "%s%s[%u]%s", maker->prefix, list, index, size > 0 ? "." : "");
    } else {
        snprintf(place, sizeof place, "%s", maker->prefix);
    }
    snprintf(path, sizeof path, "%.40s%.50s", place, inner.field);
    if (size > 0 && strncmp(text, inner.field, size) == 0) {
        text += size + strspn(text + size, ": ");
    }
    protocol_error_set(maker->error, inner.code, path, "%s%s%s", path, path[0] != '\0' ? ": " : "", text);
    maker->error->limit = inner.limit;
    memcpy(maker->error->value, inner.value, sizeof inner.value);
    return false;
}

static bool refuse(const struct maker *maker, const char *list, uint32_t index, enum protocol_code code,
                   const char *field, const char *format, ...) __attribute__((format(printf, 6, 7)));

static bool refuse(const struct maker *maker, const char *list, uint32_t index, enum protocol_code code,
                   const char *field, const char *format, ...)
{
    char text[PROTOCOL_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    protocol_error_set(maker->error, code, field, "%s", text);
    return at_place(maker, list, index);
}

static void *alloc(const struct maker *maker, size_t count, size_t item_size)
{
    size_t size;
    void *memory = NULL;
    if (!__builtin_mul_overflow(count, item_size, &size) && size < SIZE_MAX / 4) {
        memory = msgpack_zone_malloc(maker->zone, size > 0 ? size : 1);
    }
    if (memory) {
        memset(memory, 0, size);
    } else {
        protocol_error_set(maker->error, PROTOCOL_CODE_MEMORY, NULL,
                           "no memory for the document; nothing changed");
    }
    return memory;
}

// ---------------------------------------------------------------------------------------------------------
// Arrays, each of a thing: list[index].field

struct place {
    const struct maker *maker;
    const char *list;
    uint32_t index;
};

static bool check_count(const struct place *place, const char *field, uint32_t count, uint32_t want)
{
    return count == want || refuse(place->maker, place->list, place->index, PROTOCOL_CODE_INVALID, field,
                                   "length %u; must be %u", count, want);
}

static bool take_u32s(const struct place *place, const char *field, const struct protocol_array *array,
                      const uint32_t **out)
{
    uint32_t bad = 0, *copy = alloc(place->maker, array->count, sizeof *copy);
    *out = copy;
    if (copy && !protocol_array_copy_u32(array, copy, &bad)) {
        return refuse(place->maker, place->list, place->index, PROTOCOL_CODE_INVALID, field,
                      "element %u must be an integer from 0 to 4294967295", bad);
    }
    return copy != NULL;
}

static bool take_f32s(const struct place *place, const char *field, const struct protocol_array *array,
                      uint32_t count, const float **out)
{
    if (!check_count(place, field, array->count, count)) {
        return false;
    }
    float *copy = alloc(place->maker, count, sizeof *copy);
    if (copy) {
        protocol_array_copy_f32(array, copy);
    }
    *out = copy;
    return copy != NULL;
}

// One number stands for all where the field allows it.
static bool take_f64s(const struct place *place, const char *field, const struct protocol_array *array,
                      uint32_t count, const double **out)
{
    bool scalar = array->type == PROTOCOL_ARRAY_SCALAR;
    if (!scalar && !check_count(place, field, array->count, count)) {
        return false;
    }
    double *copy = alloc(place->maker, count, sizeof *copy);
    if (copy && scalar) {
        for (uint32_t i = 0; i < count; i++) {
            copy[i] = protocol_array_f64_at(array, 0);
        }
    } else if (copy) {
        protocol_array_copy_f64(array, copy);
    }
    *out = copy;
    return copy != NULL;
}

// Metres, and what their doubles have lost, as quanta.
static bool to_quanta(const struct place *place, const char *field, double metres, double remainder,
                      int64_t *out)
{
    double quanta = nearbyint(metres / place->maker->resolution);
    if (!(fabs(metres) <= 1e9) || !(fabs(remainder) <= 1024) || nearbyint(remainder) != remainder) {
        return refuse(place->maker, place->list, place->index, PROTOCOL_CODE_INVALID, field,
                      "%g m and %g quanta; must be at most 1e+09 m, and a whole number of quanta up to 1024",
                      metres, remainder);
    }
    *out = (int64_t)quanta + (int64_t)remainder;
    return true;
}

static bool take_quanta(const struct place *place, const char *field, const struct protocol_array *metres,
                        const struct protocol_array *remainders, uint32_t count, const int64_t **out)
{
    if (!check_count(place, field, metres->count, count) ||
        (remainders->count > 0 && !check_count(place, field, remainders->count, count))) {
        return false;
    }
    int64_t *copy = alloc(place->maker, count, sizeof *copy);
    double *doubles = alloc(place->maker, count, sizeof *doubles);
    if (!copy || !doubles) {
        return false;
    }
    protocol_array_copy_f64(metres, doubles);
    for (uint32_t i = 0; i < count; i++) {
        double remainder = remainders->count > 0 ? protocol_array_f64_at(remainders, i) : 0;
        if (!to_quanta(place, field, doubles[i], remainder, &copy[i])) {
            return false;
        }
    }
    *out = copy;
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Settings

static bool make_settings(struct maker *maker)
{
    const struct protocol_world_settings *given = &maker->given->settings;
    struct protocol_world_create_params *settings = &maker->document->settings;
    protocol_defaults(&protocol_world_create_params_type, settings);
    memcpy(settings->gravity, given->gravity, sizeof settings->gravity);
    settings->tick_rate = given->tick_rate;
    settings->substeps = given->substeps;
    settings->iterations = given->iterations;
    settings->damping = given->damping;
    settings->resolution = given->resolution;
    settings->extent = given->extent;
    if (given->has & PROTOCOL_HAS_WORLD_SETTINGS_WIND) {
        settings->wind = given->wind;
        settings->has |= PROTOCOL_HAS_WORLD_CREATE_PARAMS_WIND;
    }
    if (!sim_resolution_valid(settings->resolution)) {
        protocol_error_set(
            maker->error, PROTOCOL_CODE_INVALID, "settings.resolution",
            "%.17g is not a power of two in range; 2^-27 = 7.450580596923828e-09 is the default",
            settings->resolution);
        return at_place(maker, NULL, 0);
    }
    maker->resolution = settings->resolution;
    maker->document->tick = maker->given->tick;
    world_settings_of(settings, &maker->image.settings);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Names. Ids are settled here, so that what refers to a thing by name finds it.

static bool add_thing(struct maker *maker, struct world_things *things, const char *list, uint32_t index,
                      uint32_t id, const struct protocol_string *name, uint32_t particle_count, uint32_t *own)
{
    uint32_t last = things->count > 0 ? things->items[things->count - 1].id : 0;
    if (id == 0 && last < UINT32_MAX - 1) {
        id = last + 1;
    }
    if (id <= last || id == UINT32_MAX) {
        return refuse(maker, list, index, PROTOCOL_CODE_INVALID, things->noun,
                      "%u; must be above %u, the one before it", id, last);
    }
    const struct world_thing *other = world_things_by_name(things, name);
    if (other) {
        return refuse(maker, list, index, PROTOCOL_CODE_CONFLICT, "name",
                      "\"%.*s\" is the name of %s[%u] already", (int)name->size, name->data, list,
                      (unsigned)(other - things->items));
    }
    if (!world_things_reserve(things)) {
        protocol_error_set(maker->error, PROTOCOL_CODE_MEMORY, NULL,
                           "no memory for the document; nothing changed");
        return false;
    }
    world_things_add(things, id, name, particle_count);
    *own = id;
    return true;
}

static bool find_thing(const struct place *place, const struct world_things *things,
                       const struct protocol_ref *ref, uint32_t *id)
{
    const struct world_thing *thing =
        ref->id != 0 ? world_things_by_id(things, ref->id) : world_things_by_name(things, &ref->name);
    if (!thing && ref->id != 0) {
        return refuse(place->maker, place->list, place->index, PROTOCOL_CODE_NOT_FOUND, things->noun,
                      "%u; the document has no %s of this id", ref->id, things->noun);
    }
    if (!thing) {
        return refuse(place->maker, place->list, place->index, PROTOCOL_CODE_NOT_FOUND, things->noun,
                      "\"%.*s\"; the document has no %s of this name", (int)ref->name.size, ref->name.data,
                      things->noun);
    }
    *id = thing->id;
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Bodies

// A document's body has the fields of body.add, under bits of its own.
static void add_params_of(const struct protocol_document_body *given, struct protocol_body_add_params *params)
{
    static const struct {
        uint64_t given, params;
    } bits[] = {
        {PROTOCOL_HAS_DOCUMENT_BODY_VELOCITIES, PROTOCOL_HAS_BODY_ADD_PARAMS_VELOCITIES},
        {PROTOCOL_HAS_DOCUMENT_BODY_TRIANGLES, PROTOCOL_HAS_BODY_ADD_PARAMS_TRIANGLES},
        {PROTOCOL_HAS_DOCUMENT_BODY_EDGES, PROTOCOL_HAS_BODY_ADD_PARAMS_EDGES},
        {PROTOCOL_HAS_DOCUMENT_BODY_TETS, PROTOCOL_HAS_BODY_ADD_PARAMS_TETS},
        {PROTOCOL_HAS_DOCUMENT_BODY_DENSITY, PROTOCOL_HAS_BODY_ADD_PARAMS_DENSITY},
        {PROTOCOL_HAS_DOCUMENT_BODY_MASSES, PROTOCOL_HAS_BODY_ADD_PARAMS_MASSES},
        {PROTOCOL_HAS_DOCUMENT_BODY_STRETCH, PROTOCOL_HAS_BODY_ADD_PARAMS_STRETCH},
        {PROTOCOL_HAS_DOCUMENT_BODY_BEND, PROTOCOL_HAS_BODY_ADD_PARAMS_BEND},
        {PROTOCOL_HAS_DOCUMENT_BODY_VOLUME, PROTOCOL_HAS_BODY_ADD_PARAMS_VOLUME},
        {PROTOCOL_HAS_DOCUMENT_BODY_WELD, PROTOCOL_HAS_BODY_ADD_PARAMS_WELD},
        {PROTOCOL_HAS_DOCUMENT_BODY_PINS, PROTOCOL_HAS_BODY_ADD_PARAMS_PINS},
    };
    *params = (struct protocol_body_add_params){
        .kind = given->kind,
        .positions = given->positions,
        .velocities = given->velocities,
        .triangles = given->triangles,
        .edges = given->edges,
        .tets = given->tets,
        .density = given->density,
        .masses = given->masses,
        .stretch = given->stretch,
        .bend = given->bend,
        .volume = given->volume,
        .weld = given->weld,
        .thickness = given->thickness,
        .pins = given->pins,
    };
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        params->has |= given->has & bits[i].given ? bits[i].params : 0;
    }
}

static bool make_state(const struct place *place, const struct protocol_document_state *given,
                       struct sim_image_body *body)
{
    uint32_t count = body->desc.particle_count, pins = body->desc.pin_count;
    return (!(given->has & PROTOCOL_HAS_DOCUMENT_STATE_POSITIONS) ||
            take_quanta(place, "state.positions", &given->positions, &given->remainders, 3 * count,
                        &body->positions)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_STATE_VELOCITIES) ||
            take_f32s(place, "state.velocities", &given->velocities, 3 * count, &body->velocities)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_STATE_INVERSE_MASSES) ||
            take_f32s(place, "state.inverse_masses", &given->inverse_masses, count, &body->inverse_masses)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_STATE_TARGETS) ||
            take_quanta(place, "state.targets", &given->targets, &given->target_remainders, 3 * pins,
                        &body->targets));
}

static bool make_kind_history(const struct place *place, const char *kind,
                              const struct protocol_constraint_history *given,
                              struct sim_image_history *history)
{
    uint32_t changed = given->changed.count;
    const struct {
        uint64_t bit;
        const char *name;
        const struct protocol_array *array;
        const double **out;
    } values[] = {
        {PROTOCOL_HAS_CONSTRAINT_HISTORY_REST, "rest", &given->rest, &history->rest},
        {PROTOCOL_HAS_CONSTRAINT_HISTORY_COMPLIANCE, "compliance", &given->compliance, &history->compliance},
        {PROTOCOL_HAS_CONSTRAINT_HISTORY_DAMPING, "damping", &given->damping, &history->damping},
        {PROTOCOL_HAS_CONSTRAINT_HISTORY_STIFFNESS, "stiffness", &given->stiffness, &history->stiffness},
    };
    char field[PROTOCOL_FIELD_MAX];
    snprintf(field, sizeof field, "history.%s", kind);
    *history = (struct sim_image_history){
        .edited = true,
        .built = given->has & PROTOCOL_HAS_CONSTRAINT_HISTORY_BUILT ? given->built : UINT32_MAX,
        .removed_count = given->removed.count,
        .changed_count = changed,
        .tile_count = given->tile_colors.count,
        .color_count = given->colors.count,
    };
    for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
        if ((given->has & values[v].bit) &&
            !take_f64s(place, field, values[v].array, changed, values[v].out)) {
            return false;
        }
    }
    return take_u32s(place, field, &given->removed, &history->removed) &&
           take_u32s(place, field, &given->changed, &history->changed) &&
           (!(given->has & PROTOCOL_HAS_CONSTRAINT_HISTORY_TILE_COLORS) ||
            take_u32s(place, field, &given->tile_colors, &history->tile_colors)) &&
           (!(given->has & PROTOCOL_HAS_CONSTRAINT_HISTORY_COLORS) ||
            take_u32s(place, field, &given->colors, &history->colors));
}

static bool make_history(const struct place *place, const struct protocol_body_history *given,
                         struct sim_image_body *body)
{
    const struct {
        uint64_t bit;
        const char *name;
        const struct protocol_constraint_history *given;
        enum sim_kind kind;
    } kinds[] = {
        {PROTOCOL_HAS_BODY_HISTORY_DISTANCE, "distance", &given->distance, SIM_DISTANCE},
        {PROTOCOL_HAS_BODY_HISTORY_DIHEDRAL, "dihedral", &given->dihedral, SIM_DIHEDRAL},
        {PROTOCOL_HAS_BODY_HISTORY_ISOMETRIC, "isometric", &given->isometric, SIM_ISOMETRIC},
        {PROTOCOL_HAS_BODY_HISTORY_QUADRATIC, "quadratic", &given->quadratic, SIM_QUADRATIC},
        {PROTOCOL_HAS_BODY_HISTORY_VOLUME, "volume", &given->volume, SIM_VOLUME},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if ((given->has & kinds[k].bit) &&
            !make_kind_history(place, kinds[k].name, kinds[k].given, &body->history[kinds[k].kind])) {
            return false;
        }
    }
    return true;
}

static bool make_body(struct maker *maker, const struct protocol_document_body *given, uint32_t index,
                      struct sim_image_body *body)
{
    const struct place place = {maker, "bodies", index};
    struct protocol_body_add_params params;
    bool state = given->has & PROTOCOL_HAS_DOCUMENT_BODY_STATE;
    add_params_of(given, &params);
    body->desc.may_be_empty = state;
    body->first_constraint = given->first_constraint;
    if (!world_body_desc(&params, &body->desc, &maker->arrays[index], maker->error)) {
        return at_place(maker, "bodies", index);
    }
    body->desc.weld = body->desc.weld ? &given->weld : NULL; // params go, what was given stays
    return add_thing(maker, &maker->document->bodies, "bodies", index, given->body, &given->name,
                     body->desc.particle_count, &body->body) &&
           (!state || make_state(&place, &given->state, body)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_BODY_HISTORY) ||
            make_history(&place, &given->history, body));
}

// Names are looked for one after another, so lists are bounded before.
static bool check_length(const struct maker *maker, const char *list, uint32_t count, uint64_t most)
{
    if (count <= most) {
        return true;
    }
    protocol_error_set(maker->error, PROTOCOL_CODE_LIMIT, list, "%u entries; at most %u", count,
                       (unsigned)most);
    at_place(maker, NULL, 0);
    maker->error->limit = (double)most;
    return false;
}

static bool make_bodies(struct maker *maker)
{
    const struct protocol_list *list = &maker->given->bodies;
    if (!check_length(maker, "bodies", list->count, PROTOCOL_LIMIT_BODIES)) {
        return false;
    }
    struct sim_image_body *bodies = alloc(maker, list->count, sizeof *bodies);
    maker->arrays = calloc((size_t)list->count + 1, sizeof *maker->arrays);
    if (!bodies || !maker->arrays) {
        protocol_error_set(maker->error, PROTOCOL_CODE_MEMORY, NULL,
                           "no memory for the document; nothing changed");
        return false;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (!make_body(maker, (const struct protocol_document_body *)list->items + i, i, &bodies[i])) {
            return false;
        }
    }
    maker->image.bodies = bodies;
    maker->image.body_count = list->count;
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Colliders

static bool make_position(const struct place *place, const char *field, const double metres[3],
                          const double remainder[3], int64_t out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (!to_quanta(place, field, metres[axis], remainder[axis], &out[axis])) {
            return false;
        }
    }
    return true;
}

static bool make_collider(struct maker *maker, const struct protocol_document_collider *given, uint32_t index,
                          struct sim_image_collider *collider)
{
    const struct place place = {maker, "colliders", index};
    bool rotation = given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_ROTATION;
    bool normal = given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_NORMAL;
    const double *turn = given->rotation;
    collider->collider = (struct sim_collider){
        .kind = (enum sim_collider_kind)given->kind,
        .normal = {0, 1, 0},
        .radius = given->radius,
        .length = given->length,
        .friction = given->friction,
    };
    memcpy(collider->collider.position, given->position, sizeof given->position);
    memcpy(collider->collider.half_extents, given->half_extents, sizeof given->half_extents);
    if (rotation && normal) {
        return refuse(maker, "colliders", index, PROTOCOL_CODE_INVALID, "normal",
                      "must be absent where rotation is given");
    }
    if (rotation && turn[0] == 0 && turn[1] == 0 && turn[2] == 0 && turn[3] == 0) {
        return refuse(maker, "colliders", index, PROTOCOL_CODE_INVALID, "rotation",
                      "has length 0; give a quaternion x, y, z, w");
    }
    if (rotation) {
        memcpy(collider->collider.rotation, turn, sizeof collider->collider.rotation);
    }
    if (normal) {
        memcpy(collider->collider.normal, given->normal, sizeof given->normal);
    }
    if (!add_thing(maker, &maker->document->colliders, "colliders", index, given->collider, &given->name, 0,
                   &collider->collider.id)) {
        return false;
    }
    bool from = given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_POSITION;
    collider->exact = from || (given->has & (PROTOCOL_HAS_DOCUMENT_COLLIDER_COLLIDER |
                                             PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_ROTATION)) != 0;
    memcpy(collider->from_rotation, given->from_rotation, sizeof collider->from_rotation);
    return !collider->exact ||
           (make_position(&place, "position", given->position, given->remainder, collider->position) &&
            make_position(&place, from ? "from_position" : "position",
                          from ? given->from_position : given->position,
                          from ? given->from_remainder : given->remainder, collider->from_position));
}

static bool make_colliders(struct maker *maker)
{
    const struct protocol_list *list = &maker->given->colliders;
    if (!check_length(maker, "colliders", list->count, PROTOCOL_LIMIT_COLLIDERS)) {
        return false;
    }
    struct sim_image_collider *colliders = alloc(maker, list->count, sizeof *colliders);
    for (uint32_t i = 0; colliders && i < list->count; i++) {
        if (!make_collider(maker, (const struct protocol_document_collider *)list->items + i, i,
                           &colliders[i])) {
            return false;
        }
    }
    maker->image.colliders = colliders;
    maker->image.collider_count = list->count;
    return colliders != NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Loose constraints, motions

static bool bodies_of(const struct place *place, const struct protocol_document_constraints *given,
                      const uint32_t **out)
{
    bool one = given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_BODY;
    if (one == ((given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_BODIES) != 0)) {
        return refuse(place->maker, place->list, place->index, PROTOCOL_CODE_INVALID, "body",
                      "give body (of all particles) or bodies (of each), one of them");
    }
    if (!one) {
        return check_count(place, "bodies", given->bodies.count, given->particles.count) &&
               take_u32s(place, "bodies", &given->bodies, out);
    }
    uint32_t body = 0, *bodies = alloc(place->maker, given->particles.count, sizeof *bodies);
    if (!bodies || !find_thing(place, &place->maker->document->bodies, &given->body, &body)) {
        return false;
    }
    for (uint32_t i = 0; i < given->particles.count; i++) {
        bodies[i] = body;
    }
    *out = bodies;
    return true;
}

static bool make_batch(struct maker *maker, const struct protocol_document_constraints *given, uint32_t index,
                       struct sim_image_constraints *batch)
{
    const struct place place = {maker, "constraints", index};
    struct sim_constraint_values *values = &batch->values;
    batch->kind = (enum sim_kind)given->type;
    uint32_t stencil = sim_stencil_size(batch->kind), count = given->particles.count / stencil;
    if (given->particles.count % stencil != 0) {
        return refuse(maker, "constraints", index, PROTOCOL_CODE_INVALID, "particles",
                      "length %u; must be a multiple of %u", given->particles.count, stencil);
    }
    batch->count = count;
    return bodies_of(&place, given, &batch->bodies) &&
           take_u32s(&place, "particles", &given->particles, &batch->particles) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_REST) ||
            take_f64s(&place, "rest", &given->rest, count, &values->rest)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_COMPLIANCE) ||
            take_f64s(&place, "compliance", &given->compliance, count, &values->compliance)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_DAMPING) ||
            take_f64s(&place, "damping", &given->damping, count, &values->damping)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_STIFFNESS) ||
            take_f64s(&place, "stiffness", &given->stiffness, count, &values->stiffness)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_CONSTRAINTS) ||
            (check_count(&place, "constraints", given->constraints.count, count) &&
             take_u32s(&place, "constraints", &given->constraints, &batch->ids))) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_COLORS) ||
            (check_count(&place, "colors", given->colors.count, count) &&
             take_u32s(&place, "colors", &given->colors, &batch->colors))) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SHAPES) ||
            take_f32s(&place, "shapes", &given->shapes, 4 * count, &batch->shapes));
}

static bool make_batches(struct maker *maker)
{
    const struct protocol_list *list = &maker->given->constraints;
    if (!check_length(maker, "constraints", list->count, WORLD_BATCHES_MAX)) {
        return false;
    }
    struct sim_image_constraints *batches = alloc(maker, list->count, sizeof *batches);
    for (uint32_t i = 0; batches && i < list->count; i++) {
        if (!make_batch(maker, (const struct protocol_document_constraints *)list->items + i, i,
                        &batches[i])) {
            return false;
        }
    }
    maker->image.batches = batches;
    maker->image.batch_count = list->count;
    return batches != NULL;
}

static bool make_motion(struct maker *maker, const struct protocol_document_motion *given, uint32_t index,
                        struct sim_motion *motion)
{
    const struct place place = {maker, "motions", index};
    *motion = (struct sim_motion){
        .id = given->motion,
        .particle_count = given->particles.count,
        .key_count = given->times.count,
        .loop = given->loop,
        .age = given->age,
    };
    return (!(given->has & PROTOCOL_HAS_DOCUMENT_MOTION_COLLIDER) ||
            find_thing(&place, &maker->document->colliders, &given->collider, &motion->collider)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_MOTION_BODY) ||
            find_thing(&place, &maker->document->bodies, &given->body, &motion->body)) &&
           take_u32s(&place, "particles", &given->particles, &motion->particles) &&
           take_f64s(&place, "times", &given->times, given->times.count, &motion->times) &&
           check_count(&place, "offsets", given->offsets.count, 3 * given->times.count) &&
           take_f64s(&place, "offsets", &given->offsets, given->offsets.count, &motion->offsets);
}

static bool make_motions(struct maker *maker)
{
    const struct protocol_list *list = &maker->given->motions;
    if (!check_length(maker, "motions", list->count, PROTOCOL_LIMIT_MOTIONS)) {
        return false;
    }
    struct sim_motion *motions = alloc(maker, list->count, sizeof *motions);
    for (uint32_t i = 0; motions && i < list->count; i++) {
        if (!make_motion(maker, (const struct protocol_document_motion *)list->items + i, i, &motions[i])) {
            return false;
        }
    }
    maker->image.motions = motions;
    maker->image.motion_count = list->count;
    return motions != NULL;
}

// ---------------------------------------------------------------------------------------------------------
// All of it

static bool make_sim(struct maker *maker)
{
    const struct protocol_document *given = maker->given;
    struct sim_image_place place;
    struct sim_fault fault = {0};
    maker->image.next_body = given->next_body;
    maker->image.next_constraint = given->next_constraint;
    maker->image.next_grab = given->next_grab;
    maker->image.next_collider = given->next_collider;
    maker->image.next_motion = given->next_motion;
    maker->document->sim = sim_image_make(&maker->image, &world_limits, &place, &fault);
    if (maker->document->sim) {
        return true;
    }
    world_error_fault(maker->error, &fault);
    if (place.part) { // as if the field were called so
        char field[PROTOCOL_FIELD_MAX];
        const char *text = fault.field && strncmp(maker->error->text, fault.field, strlen(fault.field)) == 0
                               ? maker->error->text + strlen(fault.field)
                               : maker->error->text;
        snprintf(field, sizeof field, "%s%s%s", place.part, fault.field ? "." : "",
                 fault.field ? fault.field : "");
        return refuse(maker, place.list, place.index, maker->error->code, field, "%s",
                      text + strspn(text, ": "));
    }
    return at_place(maker, place.list, place.index);
}

struct world_document *world_document_create(const struct protocol_document *given, const char *prefix,
                                             msgpack_zone *zone, struct protocol_error *error)
{
    struct maker maker = {.given = given, .prefix = prefix, .zone = zone, .error = error};
    maker.document = calloc(1, sizeof *maker.document);
    bool done = false;
    if (!maker.document) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the document; nothing changed");
        return NULL;
    }
    maker.document->bodies.noun = "body";
    maker.document->colliders.noun = "collider";
    done = make_settings(&maker) && make_bodies(&maker) && make_colliders(&maker) && make_batches(&maker) &&
           make_motions(&maker) && make_sim(&maker);
    for (uint32_t i = 0; maker.arrays && i < given->bodies.count; i++) {
        world_body_arrays_deinit(&maker.arrays[i]);
    }
    free(maker.arrays);
    if (!done) {
        world_document_destroy(maker.document);
        return NULL;
    }
    return maker.document;
}

// The scanner first, as for bytes from a socket: it says what may be unpacked.
static bool unpack(const void *bytes, size_t size, msgpack_zone *zone, msgpack_object *map,
                   struct protocol_error *error)
{
    const struct protocol_scan_limits limits = {
        .bytes = UINT32_MAX, .depth = PROTOCOL_LIMIT_MESSAGE_DEPTH, .nodes = PROTOCOL_LIMIT_MESSAGE_NODES};
    struct protocol_scan scan;
    size_t consumed = 0, offset = 0;
    protocol_scan_init(&scan, &limits);
    if (protocol_scan_feed(&scan, bytes, size, &consumed) != PROTOCOL_SCAN_DONE || consumed != size ||
        msgpack_unpack(bytes, size, &offset, zone, map) < 0 || map->type != MSGPACK_OBJECT_MAP) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, NULL, "the document is no MessagePack map");
        return false;
    }
    return true;
}

struct world_document *world_document_from(const void *bytes, size_t size, struct protocol_error *error)
{
    msgpack_zone zone;
    msgpack_object map;
    struct world_document *document = NULL;
    if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the document; nothing changed");
        return NULL;
    }
    struct protocol_document *given = msgpack_zone_malloc(&zone, sizeof *given);
    if (!given) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the document; nothing changed");
    } else if (unpack(bytes, size, &zone, &map, error) &&
               protocol_decode(&protocol_document_type, &map, &zone, given, error)) {
        document = world_document_create(given, "", &zone, error);
    }
    msgpack_zone_destroy(&zone);
    return document;
}

void world_document_destroy(struct world_document *document)
{
    if (document) {
        sim_destroy(document->sim);
        free(document->bodies.items);
        free(document->colliders.items);
        free(document);
    }
}

const struct protocol_world_create_params *world_document_settings(const struct world_document *document)
{
    return &document->settings;
}

uint64_t world_document_tick(const struct world_document *document)
{
    return document->tick;
}

struct sim *world_document_sim(const struct world_document *document)
{
    return document->sim;
}

static struct protocol_string name_of(const struct world_things *things, uint32_t id)
{
    const struct world_thing *thing = world_things_by_id(things, id);
    return thing ? world_thing_name(thing) : (struct protocol_string){.data = ""};
}

struct protocol_string world_document_body_name(const struct world_document *document, uint32_t body)
{
    return name_of(&document->bodies, body);
}

struct protocol_string world_document_collider_name(const struct world_document *document, uint32_t collider)
{
    return name_of(&document->colliders, collider);
}
