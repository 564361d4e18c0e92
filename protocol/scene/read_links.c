// Reads what stands between bodies or moves things: colliders, loose constraints, motions. A scene may name bodies and particles
// in words, and the document has numbers.
#include "protocol/scene/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct scene_body *scene_find_body(struct scene_reader *reader, const json_t *ref)
{
    for (uint32_t b = 0; b < reader->body_count; b++) {
        const struct scene_body *body = &reader->bodies[b];
        if (json_is_integer(ref) ? json_integer_value(ref) == (json_int_t)body->id
                                 : json_is_string(ref) && body->name[0] != '\0' &&
                                       strcmp(body->name, json_string_value(ref)) == 0) {
            return body;
        }
    }
    if (json_is_string(ref)) {
        scene_refuse(reader, "there is no body \"%.60s\"", json_string_value(ref));
    } else if (json_is_integer(ref)) {
        scene_refuse(reader, "there is no body %lld", (long long)json_integer_value(ref));
    } else {
        scene_refuse(reader, "must be the name of a body, or its number");
    }
    return NULL;
}

bool scene_read_collider(struct scene_reader *reader, const json_t *object, struct protocol_bytes *out)
{
    static const char *const more[] = {"turn", NULL}, *const but[] = {"turn", "rotation", NULL};
    const json_t *rotation = json_object_get(object, "rotation");
    struct scene_map map;
    double q[4];
    bool turned;
    if (!json_is_object(object)) {
        return scene_refuse(reader, "must be an object");
    }
    if (!scene_check_members(reader, object, more, &protocol_document_collider_type) ||
        !scene_check_name(reader, object) || !scene_rotation(reader, object, q, &turned)) {
        return false;
    }
    scene_map_init(&map);
    bool done = scene_emit_members(reader, &protocol_document_collider_type, object, but, &map);
    if (done && rotation) { // as it stands: what was saved keeps its last bit
        scene_map_key(&map, "rotation");
        done = scene_emit(reader, scene_field(&protocol_document_collider_type, "rotation"), rotation,
                          &map.packer);
    } else if (turned) {
        scene_map_key(&map, "rotation");
        scene_pack_numbers(&map.packer, q, 4, false);
    }
    if (done) {
        scene_map_end(&map, out);
    }
    scene_map_deinit(&map);
    return done;
}

// ---------------------------------------------------------------------------------------------------------
// Constraints

static bool pack_bodies(struct scene_reader *reader, const json_t *list, struct scene_map *map)
{
    size_t index, before = scene_enter(reader, "bodies");
    json_t *item;
    bool done = true, names = false;
    json_array_foreach(list, index, item)
    {
        names = names || json_is_string(item);
    }
    scene_map_key(map, "bodies");
    if (!names) {
        done = scene_emit(reader, scene_field(&protocol_document_constraints_type, "bodies"), list,
                          &map->packer);
        scene_leave(reader, before);
        return done;
    }
    msgpack_pack_array(&map->packer, json_array_size(list));
    json_array_foreach(list, index, item)
    {
        const struct scene_body *body = done ? scene_find_body(reader, item) : NULL;
        done = body != NULL;
        msgpack_pack_uint32(&map->packer, done ? body->id : 0);
    }
    if (done) {
        scene_leave(reader, before);
    }
    return done;
}

// One side of a join: a body, and particles of it. particles NULL where none are named.
struct side {
    const struct scene_body *body;
    uint32_t *particles, count;
};

static const struct scene_body *find_body_of(struct scene_reader *reader, const json_t *object)
{
    size_t before = scene_enter(reader, "body");
    const struct scene_body *body = scene_find_body(reader, json_object_get(object, "body"));
    scene_leave(reader, before);
    return body;
}

static bool read_side(struct scene_reader *reader, const json_t *join, const char *key, struct side *side)
{
    static const char *const members[] = {"body", "particles", NULL};
    const json_t *object = json_object_get(join, key), *particles = json_object_get(object, "particles");
    size_t before = scene_enter(reader, "%s", key);
    if (!json_is_object(object)) {
        return scene_refuse(reader,
                            "must be an object, such as {\"body\": \"flag\", \"particles\": \"left edge\"}");
    }
    if (!scene_check_members(reader, object, members, NULL) || !(side->body = find_body_of(reader, object))) {
        return false;
    }
    if (side->body->welded) {
        return scene_refuse(reader,
                            "welding gives this body's particles other numbers: weld its mesh beforehand");
    }
    scene_enter(reader, "particles");
    if (particles && !scene_select_in_order(reader, side->body, particles, &side->particles, &side->count)) {
        return false;
    }
    scene_leave(reader, before);
    return true;
}

static uint32_t nearest(const struct scene_body *body, const double *x)
{
    uint32_t found = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < body->count; i++) {
        double far = 0;
        for (int axis = 0; axis < 3; axis++) {
            double d = body->positions[3 * (size_t)i + axis] - x[axis];
            far += d * d;
        }
        if (far < least) {
            least = far;
            found = i;
        }
    }
    return found;
}

// Pairs of particles: one after another, or each with the nearest of the other body.
static bool pack_join(struct scene_reader *reader, const json_t *join, struct scene_map *map)
{
    static const char *const members[] = {"from", "to", NULL};
    struct side from = {0}, to = {0};
    uint32_t *pairs = NULL, *bodies = NULL;
    size_t before = scene_enter(reader, "join");
    bool done = json_is_object(join) && scene_check_members(reader, join, members, NULL);
    if (!json_is_object(join)) {
        scene_refuse(reader, "must be an object with from and to");
    }
    done = done && read_side(reader, join, "from", &from) && read_side(reader, join, "to", &to);
    if (done && (!from.particles || (to.particles && to.count != from.count))) {
        done = scene_refuse(reader,
                            "from must name particles, and to as many (%u and %u), or none: then each is "
                            "joined with the nearest of that body",
                            from.count, to.count);
    }
    if (done && !to.particles && (uint64_t)from.count * to.body->count > UINT64_C(1) << 32) {
        done = scene_refuse(reader, "too many particles to find the nearest of each");
    }
    pairs = done ? malloc(((size_t)from.count + 1) * 2 * sizeof *pairs) : NULL;
    bodies = done ? malloc(((size_t)from.count + 1) * 2 * sizeof *bodies) : NULL;
    if (done && (!pairs || !bodies)) {
        done = scene_refuse_memory(reader);
    }
    for (uint32_t i = 0; done && i < from.count; i++) {
        const double *x = from.body->positions + 3 * (size_t)from.particles[i];
        pairs[2 * (size_t)i] = from.particles[i];
        pairs[2 * (size_t)i + 1] = to.particles ? to.particles[i] : nearest(to.body, x);
        bodies[2 * (size_t)i] = from.body->id;
        bodies[2 * (size_t)i + 1] = to.body->id;
    }
    if (done) {
        scene_map_key(map, "bodies");
        protocol_array_pack(&map->packer, PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_U32, bodies, 2 * from.count);
        scene_map_key(map, "particles");
        protocol_array_pack(&map->packer, PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_U32, pairs, 2 * from.count);
        scene_leave(reader, before);
    }
    free(from.particles);
    free(to.particles);
    free(pairs);
    free(bodies);
    return done;
}

// Sine, squared, of the least angle at which three anchors count as a triangle.
#define SPREAD2 0.01

static void apart(const double *a, const double *b, double out[3])
{
    for (size_t axis = 0; axis < 3; axis++) {
        out[axis] = b[axis] - a[axis];
    }
}

static double square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

// Whether a particle may be the next anchor: beside the first one, or off the line through the first two.
static bool spreads(const struct scene_body *body, const uint32_t *anchors, uint32_t count, uint32_t i)
{
    const double *first = count == 0 ? NULL : body->positions + 3 * (size_t)anchors[0];
    double way[3], other[3];
    if (count == 0) {
        return true;
    }
    apart(first, body->positions + 3 * (size_t)i, way);
    if (count == 1) {
        return square(way) > 0;
    }
    apart(first, body->positions + 3 * (size_t)anchors[1], other);
    const double cross[3] = {way[1] * other[2] - way[2] * other[1], way[2] * other[0] - way[0] * other[2],
                             way[0] * other[1] - way[1] * other[0]};
    return square(cross) > SPREAD2 * square(way) * square(other);
}

// The nearest three particles of a body that are no line. False if it has none.
static bool anchors_of(const struct scene_body *body, const double *x, uint32_t anchors[3])
{
    for (uint32_t count = 0; count < 3; count++) {
        double least = INFINITY;
        for (uint32_t i = 0; i < body->count; i++) {
            double way[3];
            apart(x, body->positions + 3 * (size_t)i, way);
            if (square(way) < least && spreads(body, anchors, count, i)) {
                least = square(way);
                anchors[count] = i;
            }
        }
        if (!(least < INFINITY)) {
            return false;
        }
    }
    return true;
}

// Three struts for each particle of `from`, to the other body: with their present lengths they keep its place there, and so the
// angle between the bodies.
static bool pack_weld(struct scene_reader *reader, const json_t *weld, struct scene_map *map)
{
    static const char *const members[] = {"from", "to", NULL};
    struct side from = {0}, to = {0};
    uint32_t *pairs = NULL, *bodies = NULL;
    size_t before = scene_enter(reader, "weld");
    bool done = json_is_object(weld) && scene_check_members(reader, weld, members, NULL);
    if (!json_is_object(weld)) {
        scene_refuse(reader, "must be an object with from and to");
    }
    done = done && read_side(reader, weld, "from", &from) && read_side(reader, weld, "to", &to);
    if (done && (!from.particles || to.particles || from.body == to.body)) {
        done = scene_refuse(reader,
                            "from must name particles, and to another body without particles: the nearest "
                            "three of it hold each");
    }
    if (done && (uint64_t)from.count * to.body->count > UINT64_C(1) << 30) {
        done = scene_refuse(reader, "too many particles to find the nearest of each");
    }
    pairs = done ? malloc(((size_t)from.count + 1) * 6 * sizeof *pairs) : NULL;
    bodies = done ? malloc(((size_t)from.count + 1) * 6 * sizeof *bodies) : NULL;
    if (done && (!pairs || !bodies)) {
        done = scene_refuse_memory(reader);
    }
    for (size_t i = 0; done && i < from.count; i++) {
        uint32_t anchors[3];
        if (!anchors_of(to.body, from.body->positions + 3 * (size_t)from.particles[i], anchors)) {
            done = scene_refuse(reader, "to must have three particles that are not in a line");
            break;
        }
        for (size_t k = 0; k < 3; k++) {
            pairs[6 * i + 2 * k] = from.particles[i];
            pairs[6 * i + 2 * k + 1] = anchors[k];
            bodies[6 * i + 2 * k] = from.body->id;
            bodies[6 * i + 2 * k + 1] = to.body->id;
        }
    }
    if (done) {
        scene_map_key(map, "bodies");
        protocol_array_pack(&map->packer, PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_U32, bodies, 6 * from.count);
        scene_map_key(map, "particles");
        protocol_array_pack(&map->packer, PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_U32, pairs, 6 * from.count);
        scene_leave(reader, before);
    }
    free(from.particles);
    free(to.particles);
    free(pairs);
    free(bodies);
    return done;
}

static bool is_run(const struct side *side)
{
    for (uint32_t i = 1; side->particles && i < side->count; i++) {
        if (side->particles[i] != side->particles[i - 1] + 1) {
            return false;
        }
    }
    return side->particles ? side->count > 1 : side->body->count > 1;
}

// A ring, and the first and the last particle of its rail, for each particle of `from`. The rail is `to`, or all of its body.
static bool pack_rail(struct scene_reader *reader, const json_t *rail, struct scene_map *map)
{
    static const char *const members[] = {"from", "to", NULL};
    struct side from = {0}, to = {0};
    uint32_t *particles = NULL, *bodies = NULL;
    size_t before = scene_enter(reader, "rail");
    bool done = json_is_object(rail) && scene_check_members(reader, rail, members, NULL);
    if (!json_is_object(rail)) {
        scene_refuse(reader, "must be an object with from (the rings) and to (the rail)");
    }
    done = done && read_side(reader, rail, "from", &from) && read_side(reader, rail, "to", &to);
    if (done && (!from.particles || !is_run(&to))) {
        done = scene_refuse(
            reader, "from must name particles, and to two or more whose numbers follow each other, or "
                    "none: then the rail is all of that body");
    }
    particles = done ? malloc(((size_t)from.count + 1) * 3 * sizeof *particles) : NULL;
    bodies = done ? malloc(((size_t)from.count + 1) * 3 * sizeof *bodies) : NULL;
    if (done && (!particles || !bodies)) {
        done = scene_refuse_memory(reader);
    }
    for (size_t i = 0; done && i < from.count; i++) {
        particles[3 * i] = from.particles[i];
        particles[3 * i + 1] = to.particles ? to.particles[0] : 0;
        particles[3 * i + 2] = to.particles ? to.particles[to.count - 1] : to.body->count - 1;
        bodies[3 * i] = from.body->id;
        bodies[3 * i + 1] = bodies[3 * i + 2] = to.body->id;
    }
    if (done) {
        scene_map_key(map, "bodies");
        protocol_array_pack(&map->packer, PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_U32, bodies, 3 * from.count);
        scene_map_key(map, "particles");
        protocol_array_pack(&map->packer, PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_U32, particles, 3 * from.count);
        scene_leave(reader, before);
    }
    free(from.particles);
    free(to.particles);
    free(particles);
    free(bodies);
    return done;
}

// Whether the type of the constraints is this one.
static bool is_of_type(const json_t *object, const char *type)
{
    const char *given = json_string_value(json_object_get(object, "type"));
    return given && strcmp(given, type) == 0;
}

// Whether the particles are said in exactly one way.
static bool check_ways(struct scene_reader *reader, const json_t *object)
{
    static const char *const ways[] = {"join", "rail", "weld"};
    const char *way = NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (json_object_get(object, ways[i]) && way) {
            return scene_refuse(reader, "has a %s and a %s; one of them is enough", way, ways[i]);
        }
        way = json_object_get(object, ways[i]) ? ways[i] : way;
    }
    if (way && (json_object_get(object, "bodies") || json_object_get(object, "body") ||
                json_object_get(object, "particles"))) {
        return scene_refuse(reader, "has a %s: body, bodies and particles must be absent", way);
    }
    if (!way && !json_object_get(object, "particles")) {
        return scene_refuse(reader, "has no particles: give particles, a join, a rail or a weld");
    }
    if (json_object_get(object, "rail") && !is_of_type(object, "slide_rail")) {
        return scene_refuse(reader, "has a rail: type must be slide_rail");
    }
    if (json_object_get(object, "weld") && json_object_get(object, "type") &&
        !is_of_type(object, "distance")) {
        return scene_refuse(reader, "has a weld: type must be distance, or absent");
    }
    return true;
}

bool scene_read_constraints(struct scene_reader *reader, const json_t *object, struct protocol_bytes *out)
{
    static const char *const more[] = {"join", "rail", "weld", NULL}, *const but[] = {"join", "rail", "weld",
                                                                                      "bodies", NULL};
    const json_t *join = json_object_get(object, "join"), *bodies = json_object_get(object, "bodies");
    const json_t *rail = json_object_get(object, "rail"), *weld = json_object_get(object, "weld");
    struct scene_map map;
    if (!json_is_object(object)) {
        return scene_refuse(reader, "must be an object");
    }
    if (!scene_check_members(reader, object, more, &protocol_document_constraints_type) ||
        !check_ways(reader, object)) {
        return false;
    }
    if (json_object_get(object, "body") && !find_body_of(reader, object)) {
        return false;
    }
    scene_map_init(&map);
    bool done = scene_emit_members(reader, &protocol_document_constraints_type, object, but, &map) &&
                (!bodies || pack_bodies(reader, bodies, &map)) && (!join || pack_join(reader, join, &map)) &&
                (!rail || pack_rail(reader, rail, &map)) && (!weld || pack_weld(reader, weld, &map));
    if (done) {
        scene_map_end(&map, out);
    }
    scene_map_deinit(&map);
    return done;
}

// ---------------------------------------------------------------------------------------------------------
// Motions

static bool pack_particles(struct scene_reader *reader, const json_t *object, struct scene_map *map)
{
    const json_t *particles = json_object_get(object, "particles"), *ref = json_object_get(object, "body");
    uint32_t *chosen, count;
    if (!particles) {
        return true;
    }
    const struct scene_body *body = !ref ? NULL : find_body_of(reader, object);
    if (!body) {
        scene_enter(reader, "body");
        return !ref ? scene_refuse(reader, "is missing: particles belong to a body") : false;
    }
    size_t before = scene_enter(reader, "particles");
    if (body->welded) {
        return scene_refuse(reader,
                            "welding gives this body's particles other numbers: weld its mesh beforehand");
    }
    if (!scene_select(reader, body, particles, &chosen, &count)) {
        return false;
    }
    scene_leave(reader, before);
    scene_map_key(map, "particles");
    protocol_array_pack(&map->packer, PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_U32, chosen, count);
    free(chosen);
    return true;
}

bool scene_find_collider(struct scene_reader *reader, const json_t *ref, uint32_t *id)
{
    size_t index;
    json_t *item;
    uint32_t next = 1;
    json_array_foreach(reader->colliders, index, item)
    {
        const json_t *given = json_object_get(item, "collider");
        const char *name = json_string_value(json_object_get(item, "name"));
        const json_int_t number = json_is_integer(given) ? json_integer_value(given) : (json_int_t)next;
        *id = (uint32_t)number;
        if (json_is_string(ref) ? name && strcmp(name, json_string_value(ref)) == 0
                                : json_is_integer(ref) && json_integer_value(ref) == number) {
            return true;
        }
        next = *id + 1;
    }
    return json_is_string(ref)
               ? scene_refuse(reader, "there is no collider \"%.60s\"", json_string_value(ref))
           : json_is_integer(ref)
               ? scene_refuse(reader, "there is no collider %lld", (long long)json_integer_value(ref))
               : scene_refuse(reader, "must be the name of a collider, or its number");
}

// That there is one of this name; ids are for the document to settle.
static bool check_collider(struct scene_reader *reader, const json_t *ref)
{
    size_t index;
    json_t *item;
    bool found = !json_is_string(ref);
    json_array_foreach(reader->colliders, index, item)
    {
        const char *name = json_string_value(json_object_get(item, "name"));
        found = found || (name && strcmp(name, json_string_value(ref)) == 0);
    }
    size_t before = scene_enter(reader, "collider");
    bool done = found || scene_refuse(reader, "there is no collider \"%.60s\"", json_string_value(ref));
    scene_leave(reader, before);
    return done;
}

bool scene_read_motion(struct scene_reader *reader, const json_t *object, struct protocol_bytes *out)
{
    static const char *const but[] = {"particles", NULL};
    struct scene_map map;
    if (!json_is_object(object)) {
        return scene_refuse(reader, "must be an object");
    }
    if (!scene_check_members(reader, object, NULL, &protocol_document_motion_type) ||
        (json_object_get(object, "body") && !find_body_of(reader, object)) ||
        !check_collider(reader, json_object_get(object, "collider"))) {
        return false;
    }
    scene_map_init(&map);
    bool done = scene_emit_members(reader, &protocol_document_motion_type, object, but, &map) &&
                pack_particles(reader, object, &map);
    if (done) {
        scene_map_end(&map, out);
    }
    scene_map_deinit(&map);
    return done;
}
