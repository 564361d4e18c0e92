// A body of a scene: its mesh made, read or given, put where it belongs, with pins and material; all else of it is the
// document's own.
#include "protocol/scene/internal.h"
#include "protocol/scene/obj.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"cloth", "rope", "points", "soft", "rigid"};
enum { CLOTH, ROPE, POINTS, SOFT, RIGID, KINDS };
static const char *const element_fields[] = {
    [CLOTH] = "triangles", [ROPE] = "edges", [SOFT] = "tets", [RIGID] = NULL};
static const uint32_t kind_corners[] = {[CLOTH] = 3, [ROPE] = 2, [POINTS] = 0, [SOFT] = 4, [RIGID] = 0};

// These members are worked out here, so scene_emit_members leaves them out.
static const char *const worked_out[] = {
    "grid",          "disc",  "rope",  "box",      "sphere",      "mesh",
    "position",      "turn",  "scale", "rotation", "material",    "positions",
    "triangles",     "edges", "tets",  "pins",     "pins_follow", "pins_compliance",
    "pins_distance", "kind",  "body",  "clamps",   NULL};
static const char *const more_members[] = {
    "grid", "disc",  "rope",     "box",         "sphere",          "mesh",          "position", "rotation",
    "turn", "scale", "material", "pins_follow", "pins_compliance", "pins_distance", NULL};

// ---------------------------------------------------------------------------------------------------------
// Where the mesh comes from

// The one member that says it; NULL: refused.
static const char *source_of(struct scene_reader *reader, const json_t *object)
{
    const char *found = NULL;
    for (size_t i = 0; scene_generators[i]; i++) {
        if (json_object_get(object, scene_generators[i])) {
            if (found) {
                scene_refuse(reader, "has both %s and %s; one of them is enough", found, scene_generators[i]);
                return NULL;
            }
            found = scene_generators[i];
        }
    }
    static const char *const others[] = {"mesh", "positions"};
    for (size_t i = 0; i < 2; i++) {
        if (json_object_get(object, others[i])) {
            if (found) {
                scene_refuse(reader, "has both %s and %s; one of them is enough", found, others[i]);
                return NULL;
            }
            found = others[i];
        }
    }
    for (int kind = 0; found && strcmp(found, "positions") != 0 && kind < KINDS; kind++) {
        if (element_fields[kind] && json_object_get(object, element_fields[kind])) {
            scene_refuse(reader, "has both %s and %s; one of them is enough", found, element_fields[kind]);
            return NULL;
        }
    }
    if (!found) {
        scene_refuse(reader, "has no mesh: give grid, disc, rope, box, sphere, mesh or positions");
    }
    return found;
}

static bool read_mesh(struct scene_reader *reader, const json_t *name, struct scene_body *body)
{
    void *text = NULL;
    size_t size = 0;
    struct scene_obj obj;
    struct fault fault;
    if (!json_is_string(name) || !scene_ends_with(json_string_value(name), ".obj")) {
        return scene_refuse(reader, "must be the name of an .obj file in the scene's folder");
    }
    if (!scene_file_read(reader, json_string_value(name), &text, &size)) {
        return false;
    }
    bool done = scene_obj_parse(json_string_value(name), text, size, &obj, &fault);
    free(text);
    if (!done) {
        return scene_refuse(reader, "%s", fault.text);
    }
    body->positions = obj.positions;
    body->count = obj.vertex_count;
    body->elements = obj.triangles;
    body->element_count = obj.triangle_count;
    body->corners = 3;
    body->made = true;
    return true;
}

static bool read_positions(struct scene_reader *reader, const json_t *value, struct scene_body *body)
{
    size_t count;
    bool integers;
    if (!scene_numbers(reader, value, 3, &body->positions, &count, &integers)) {
        return false;
    }
    if (count % 3 != 0 || count / 3 + reader->particles > PROTOCOL_LIMIT_PARTICLES) {
        return scene_refuse(reader,
                            "%zu numbers; must be three a particle, for at most %llu particles in all", count,
                            (unsigned long long)PROTOCOL_LIMIT_PARTICLES);
    }
    body->count = (uint32_t)(count / 3);
    return true;
}

// Given elements are kept beside the positions for materials and rims; whether they fit is checked later.
static bool read_elements(struct scene_reader *reader, const json_t *object, struct scene_body *body)
{
    for (int kind = 0; kind < KINDS; kind++) {
        const json_t *value = element_fields[kind] ? json_object_get(object, element_fields[kind]) : NULL;
        double *numbers = NULL;
        size_t count = 0;
        bool integers = true;
        if (!value) {
            continue;
        }
        if (body->elements) {
            return scene_refuse(reader, "has elements of two kinds");
        }
        size_t before = scene_enter(reader, "%s", element_fields[kind]);
        bool done = scene_numbers(reader, value, kind_corners[kind], &numbers, &count, &integers);
        for (size_t i = 0; done && !integers && i < count; i++) {
            // As scene_numbers judges them; 1.0 is whole, but no index in JSON.
            done = (numbers[i] >= 0 && numbers[i] <= UINT32_MAX && numbers[i] == floor(numbers[i])) ||
                   scene_refuse(reader, "element %zu is %g; must be a whole number from 0", i, numbers[i]);
        }
        if (done && (count % kind_corners[kind] != 0 || count > UINT32_MAX / 8 || !integers)) {
            done = scene_refuse(reader, "%zu numbers; must be whole numbers, %u an element", count,
                                kind_corners[kind]);
        }
        body->elements = done ? malloc((count + 1) * sizeof *body->elements) : NULL;
        for (size_t i = 0; body->elements && i < count; i++) {
            body->elements[i] = (uint32_t)numbers[i];
        }
        if (done && !body->elements) {
            done = scene_refuse_memory(reader);
        }
        free(numbers);
        if (!done) {
            return false;
        }
        scene_leave(reader, before);
        body->corners = kind_corners[kind];
        body->element_count = (uint32_t)(count / body->corners);
    }
    return true;
}

static bool read_source(struct scene_reader *reader, const json_t *object, struct scene_body *body)
{
    const char *source = source_of(reader, object);
    if (!source) {
        return false;
    }
    const json_t *value = json_object_get(object, source);
    bool given = strcmp(source, "positions") == 0;
    size_t before = scene_enter(reader, "%s", source);
    bool done = given                         ? read_positions(reader, value, body)
                : strcmp(source, "mesh") == 0 ? read_mesh(reader, value, body)
                                              : scene_generate(reader, source, value, body);
    scene_leave(reader, before);
    reader->particles += body->count;
    return done && (!given || read_elements(reader, object, body));
}

// ---------------------------------------------------------------------------------------------------------
// What it is

static bool read_kind(struct scene_reader *reader, const json_t *object, struct scene_body *body)
{
    const json_t *kind = json_object_get(object, "kind");
    body->kind = !kind && json_object_get(object, "rigid") ? RIGID : -1;
    if (body->kind == RIGID) {
        return true;
    }
    for (int k = 0; k < KINDS; k++) {
        if (!kind ? k != RIGID && body->corners > 0 && kind_corners[k] == body->corners
                  : json_is_string(kind) && strcmp(json_string_value(kind), kinds[k]) == 0) {
            body->kind = k;
        }
    }
    if (kind && body->kind < 0) {
        return scene_refuse(reader, "kind must be cloth, rope, points, soft or rigid");
    }
    if (!kind && body->kind < 0) {
        return scene_refuse(reader, "kind is missing; must be cloth, rope, points, soft or rigid");
    }
    if (body->made && body->kind != POINTS && body->kind != RIGID &&
        kind_corners[body->kind] != body->corners) {
        return scene_refuse(reader, "its mesh does not make a %s", kinds[body->kind]);
    }
    return true;
}

static bool read_identity(struct scene_reader *reader, const json_t *object, uint32_t index,
                          struct scene_body *body)
{
    const json_t *name = json_object_get(object, "name");
    uint32_t last = index > 0 ? reader->bodies[index - 1].id : 0;
    body->id = last + 1;
    if (!scene_check_name(reader, object) ||
        !scene_member_whole(reader, object, "body", 1, UINT32_MAX - 1, &body->id)) {
        return false;
    }
    if (name && json_string_length(name) < sizeof body->name) {
        memcpy(body->name, json_string_value(name), json_string_length(name));
    }
    body->welded = json_object_get(object, "weld") != NULL;
    return true;
}

static bool is_placed(const json_t *object)
{
    for (size_t i = 0; scene_placements[i]; i++) {
        if (json_object_get(object, scene_placements[i])) {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// As the document has it

static void pack_elements(struct scene_map *map, const struct scene_body *body)
{
    size_t count = (size_t)body->element_count * body->corners;
    if (element_fields[body->kind] && body->elements && kind_corners[body->kind] == body->corners) {
        scene_map_key(map, element_fields[body->kind]);
        protocol_array_pack(&map->packer, PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_U32, body->elements,
                            (uint32_t)count);
    }
}

// Members that hold for all pins of a body. In the document they are part of the state, one a pin.
static const char *const pins_members[] = {"pins_follow", "pins_compliance", "pins_distance", NULL};

// The first of these members that is there; NULL: none is.
static const char *pins_member(const json_t *object)
{
    uint32_t i = 0;
    while (pins_members[i] && !json_object_get(object, pins_members[i])) {
        i++;
    }
    return pins_members[i];
}

// -1 if the body does not say it.
static bool read_softness(struct scene_reader *reader, const json_t *object, const char *name, double most,
                          const char *unit, double *out)
{
    const json_t *value = json_object_get(object, name);
    *out = value && json_is_number(value) ? json_number_value(value) : -1;
    if (value && !(*out >= 0 && *out <= most)) {
        scene_enter(reader, "%s", name);
        return scene_refuse(reader, "must be a number in [0, %g] (%s)", most, unit);
    }
    return true;
}

// Packs a value for each pin.
static bool pack_each(struct scene_reader *reader, const char *name, double value, uint32_t count,
                      struct scene_map *map)
{
    double *values = malloc(((size_t)count + 1) * sizeof *values);
    if (!values) {
        return scene_refuse_memory(reader);
    }
    for (uint32_t p = 0; p < count; p++) {
        values[p] = value;
    }
    scene_pack_string(&map->packer, name);
    protocol_array_pack(&map->packer, PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_F64, values, count);
    free(values);
    return true;
}

static bool pack_followed(struct scene_reader *reader, uint32_t collider, uint32_t count,
                          struct scene_map *map)
{
    uint32_t *colliders = malloc(((size_t)count + 1) * sizeof *colliders);
    if (!colliders) {
        return scene_refuse_memory(reader);
    }
    for (uint32_t p = 0; p < count; p++) {
        colliders[p] = collider;
    }
    scene_pack_string(&map->packer, "pin_colliders");
    protocol_array_pack(&map->packer, PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_U32, colliders, count);
    free(colliders);
    return true;
}

// A compliance or a distance of 0 makes hard pins, as in particle.pin.
static bool pack_pins_state(struct scene_reader *reader, const json_t *object, uint32_t count,
                            struct scene_map *map)
{
    const char *member = pins_member(object);
    const json_t *ref = json_object_get(object, "pins_follow");
    double compliance, distance;
    uint32_t collider = 0;
    if (!member) {
        return true;
    }
    if (json_object_get(object, "state")) {
        scene_enter(reader, "%s", member);
        return scene_refuse(reader,
                            "has a state, which says what pins follow (pin_colliders) and how soft they "
                            "are (pin_compliances and pin_distances)");
    }
    if (ref) {
        const size_t before = scene_enter(reader, "pins_follow");
        if (!scene_find_collider(reader, ref, &collider)) {
            return false;
        }
        scene_leave(reader, before);
    }
    if (!read_softness(reader, object, "pins_compliance", 1e10, "m/N", &compliance) ||
        !read_softness(reader, object, "pins_distance", 1e9, "m", &distance)) {
        return false;
    }
    const bool soft = (compliance >= 0 || distance >= 0) && compliance != 0 && distance != 0;
    scene_map_key(map, "state");
    msgpack_pack_map(&map->packer, (ref ? 1U : 0U) + (soft ? 2U : 0U));
    return (!ref || pack_followed(reader, collider, count, map)) &&
           (!soft || (pack_each(reader, "pin_compliances", compliance, count, map) &&
                      pack_each(reader, "pin_distances", distance, count, map)));
}

// Packs a member that selects particles, and tells how many it selects.
static bool pack_selected(struct scene_reader *reader, const json_t *object, const char *member,
                          const struct scene_body *body, struct scene_map *map, uint32_t *count)
{
    uint32_t *particles;
    const size_t before = scene_enter(reader, "%s", member);
    if (!scene_select(reader, body, json_object_get(object, member), &particles, count)) {
        return false;
    }
    scene_leave(reader, before);
    scene_map_key(map, member);
    protocol_array_pack(&map->packer, PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_U32, particles, *count);
    free(particles);
    return true;
}

static bool pack_pins(struct scene_reader *reader, const json_t *object, const struct scene_body *body,
                      struct scene_map *map)
{
    uint32_t count;
    if (json_object_get(object, "clamps") && !pack_selected(reader, object, "clamps", body, map, &count)) {
        return false;
    }
    if (!json_object_get(object, "pins")) {
        const char *member = pins_member(object);
        return !member || scene_refuse(reader, "has %s and no pins; pins says which particles %s", member,
                                       strcmp(member, "pins_follow") == 0 ? "follow" : "are held");
    }
    return pack_selected(reader, object, "pins", body, map, &count) &&
           pack_pins_state(reader, object, count, map);
}

// merged: bits of fields that are packed whole, with what the object gives (scene_material_fields).
static bool pack_material(struct scene_reader *reader, const json_t *object, const struct scene_body *body,
                          struct scene_map *map, uint32_t *merged)
{
    const json_t *material = json_object_get(object, "material");
    if (!material) {
        return true;
    }
    const json_t *known =
        scene_material_of(reader, json_is_string(material) ? json_string_value(material) : "");
    if (known) {
        return scene_material_fields(reader, known, object, map, merged);
    }
    size_t before = scene_enter(reader, "material");
    bool done = json_is_string(material)
                    ? scene_material(reader, json_string_value(material), body, object, map)
                    : scene_refuse(reader, "must be the name of a material");
    scene_leave(reader, before);
    return done;
}

// Packs what is left of the object.
static bool pack_rest(struct scene_reader *reader, const json_t *object, uint32_t merged,
                      struct scene_map *map)
{
    const char *done[sizeof worked_out / sizeof *worked_out + SCENE_MATERIAL_FIELDS];
    size_t count = 0;
    for (; worked_out[count]; count++) {
        done[count] = worked_out[count];
    }
    for (uint32_t f = 0; f < SCENE_MATERIAL_FIELDS; f++) {
        if (merged & UINT32_C(1) << f) {
            done[count++] = scene_material_field(f);
        }
    }
    done[count] = NULL;
    return scene_emit_members(reader, &protocol_document_body_type, object, done, map);
}

bool scene_read_body(struct scene_reader *reader, const json_t *object, uint32_t index,
                     struct protocol_bytes *out)
{
    struct scene_body *body = &reader->bodies[index];
    struct scene_map map;
    static const char *const turning[] = {"rotation", "turn", "scale"};
    if (!json_is_object(object)) {
        return scene_refuse(reader, "must be an object");
    }
    if (!scene_check_members(reader, object, more_members, &protocol_document_body_type) ||
        !read_source(reader, object, body) || !read_kind(reader, object, body) ||
        !read_identity(reader, object, index, body)) {
        return false;
    }
    if (is_placed(object) && json_object_get(object, "state")) {
        return scene_refuse(reader,
                            "has a state, which says where it is: position, rotation, turn and scale must be "
                            "absent");
    }
    for (size_t i = 0; body->kind == RIGID && i < sizeof turning / sizeof *turning; i++) {
        if (json_object_get(object, turning[i])) {
            return scene_refuse(
                reader,
                "has %s, which must be absent of a rigid body; rotations turns each piece, and "
                "positions says where it is",
                turning[i]);
        }
    }
    if (is_placed(object) && !scene_place_body(reader, object, body)) {
        return false;
    }
    scene_map_init(&map);
    scene_map_key(&map, "body");
    msgpack_pack_uint32(&map.packer, body->id);
    scene_map_key(&map, "kind");
    scene_pack_string(&map.packer, kinds[body->kind]);
    scene_map_key(&map, "positions");
    protocol_array_pack(&map.packer, PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_F64, body->positions,
                        3 * body->count);
    pack_elements(&map, body);
    scene_contact(reader, body, object, body->kind == ROPE, &map);
    uint32_t merged = 0;
    bool done = pack_pins(reader, object, body, &map) && pack_material(reader, object, body, &map, &merged) &&
                pack_rest(reader, object, merged, &map);
    if (done) {
        scene_map_end(&map, out);
    }
    scene_map_deinit(&map);
    return done;
}
