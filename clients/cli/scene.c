// The state of a world that watch keeps. See scene.h.
#include "scene.h"

#include "protocol/array/reserve.h"
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

static void body_deinit(struct cli_body *body)
{
    free(body->positions);
    free(body->normals);
    free(body->pattern);
    free(body->triangles);
    free(body->edges);
    memset(body, 0, sizeof *body);
}

static void colliders_free(struct cli_collider *colliders, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        free(colliders[i].vertices);
        free(colliders[i].triangles);
    }
    free(colliders);
}

void cli_scene_deinit(struct cli_scene *scene)
{
    for (uint32_t i = 0; i < scene->body_count; i++) {
        body_deinit(&scene->bodies[i]);
    }
    free(scene->bodies);
    colliders_free(scene->colliders, scene->collider_count);
    free(scene->grabs);
    memset(scene, 0, sizeof *scene);
}

static uint32_t take_id(const msgpack_object *map, const char *field)
{
    const uint64_t id = weft_u64(weft_get(map, field), 0);
    return id <= UINT32_MAX ? (uint32_t)id : 0;
}

// Reads three numbers of any type; `otherwise` if there are none.
static struct vec3 take_vec3(const msgpack_object *value, struct vec3 otherwise)
{
    struct weft_view view;
    struct vec3 result = otherwise;
    if (weft_view_f64(value, &view) && view.count == 3) {
        result = (struct vec3){(float)view.f64[0], (float)view.f64[1], (float)view.f64[2]};
    }
    weft_view_deinit(&view);
    return isfinite(result.x) && isfinite(result.y) && isfinite(result.z) ? result : otherwise;
}

struct cli_body *cli_scene_body(struct cli_scene *scene, uint32_t id)
{
    uint32_t low = 0, high = scene->body_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (scene->bodies[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < scene->body_count && scene->bodies[low].id == id ? &scene->bodies[low] : NULL;
}

static int by_id(const void *a, const void *b)
{
    const uint32_t x = ((const struct cli_body *)a)->id, y = ((const struct cli_body *)b)->id;
    return (x > y) - (x < y);
}

// ---------------------------------------------------------------------------------------------------------
// The document

static bool take_bodies(struct cli_scene *scene, const msgpack_object *list)
{
    const uint32_t count = weft_count(list);
    if (!array_reserve(&scene->bodies, &scene->body_capacity, (uint64_t)scene->body_count + count)) {
        return false;
    }
    struct cli_body *bodies = scene->bodies;
    for (uint32_t i = 0; i < scene->body_count; i++) {
        bodies[i].listed = false;
    }
    uint32_t end = scene->body_count;
    for (uint32_t i = 0; i < count; i++) {
        const msgpack_object *summary = weft_at(list, i);
        const uint32_t id = take_id(summary, "body");
        struct cli_body *body = cli_scene_body(scene, id);
        if (!body) {
            body = &bodies[end++];
            memset(body, 0, sizeof *body);
            body->id = id;
        }
        body->listed = true;
        weft_string_copy(weft_get(summary, "name"), body->name, sizeof body->name);
    }
    scene->body_count = end;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < scene->body_count; i++) {
        if (bodies[i].listed) {
            bodies[kept++] = bodies[i];
        } else {
            body_deinit(&bodies[i]);
        }
    }
    scene->body_count = kept;
    if (kept > 0) {
        qsort(bodies, kept, sizeof *bodies, by_id);
    }
    return true;
}

// Reads a quaternion x, y, z, w of any length, and its axes; keeps the present ones if it has no direction.
static void take_rotation(const msgpack_object *value, float rotation[4], struct vec3 axes[3])
{
    struct weft_view view;
    if (weft_view_f64(value, &view) && view.count == 4) {
        const double *q = view.f64;
        const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (square > 0 && isfinite(square)) {
            const float s = (float)(2 / square);
            for (int i = 0; i < 4; i++) {
                rotation[i] = (float)q[i];
            }
            const float x = (float)q[0], y = (float)q[1], z = (float)q[2], w = (float)q[3];
            axes[0] = (struct vec3){1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)};
            axes[1] = (struct vec3){s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w)};
            axes[2] = (struct vec3){s * (x * z + y * w), s * (y * z - x * w), 1 - s * (x * x + y * y)};
        }
    }
    weft_view_deinit(&view);
}

// Applies the fields that are given to a collider.
static void take_collider(struct cli_collider *collider, const msgpack_object *from)
{
    collider->position = take_vec3(weft_get(from, "position"), collider->position);
    collider->half_extents = take_vec3(weft_get(from, "half_extents"), collider->half_extents);
    collider->radius = (float)weft_f64(weft_get(from, "radius"), (double)collider->radius);
    collider->length = (float)weft_f64(weft_get(from, "length"), (double)collider->length);
    take_rotation(weft_get(from, "rotation"), collider->rotation, collider->axes);
    collider->axes[1] = vec3_unit(take_vec3(weft_get(from, "normal"), collider->axes[1]), collider->axes[1]);
}

static bool take_elements(const msgpack_object *value, size_t size, uint32_t limit, uint32_t **out,
                          uint32_t *out_count);

// Reads the vertices of a hull. False if memory runs out.
static bool take_hull(struct cli_collider *collider, const msgpack_object *from)
{
    enum { MOST = 128 };
    struct weft_view view;
    if (!weft_view_f64(weft_get(from, "points"), &view) || view.count > 3 * MOST) {
        weft_view_deinit(&view);
        return true;
    }
    collider->vertices = malloc((view.count + 1) * sizeof *collider->vertices);
    for (size_t i = 0; collider->vertices && i < view.count; i++) {
        collider->vertices[i] = isfinite(view.f64[i]) ? (float)view.f64[i] : 0;
    }
    collider->vertex_count = collider->vertices ? (uint32_t)(view.count / 3) : 0;
    weft_view_deinit(&view);
    return collider->vertices && take_elements(weft_get(from, "triangles"), 3, collider->vertex_count,
                                               &collider->triangles, &collider->triangle_count);
}

// Reads a height field. False if memory runs out.
static bool take_field(struct cli_collider *collider, const msgpack_object *from)
{
    struct record_collider mesh = {0};
    struct weft_view view;
    const uint32_t columns = (uint32_t)weft_u64(weft_get(from, "columns"), 0);
    bool done = true;
    if (weft_view_f64(weft_get(from, "heights"), &view) && view.count <= UINT32_MAX) {
        done = record_field_mesh(view.f64, (uint32_t)view.count, columns,
                                 weft_f64(weft_get(from, "spacing"), 1), &mesh);
    }
    weft_view_deinit(&view);
    collider->vertices = mesh.vertices;
    collider->triangles = mesh.triangles;
    collider->vertex_count = mesh.vertex_count;
    collider->triangle_count = mesh.triangle_count;
    return done;
}

static bool take_mesh(struct cli_collider *collider, const msgpack_object *from)
{
    switch (collider->kind) {
    case CLI_CONVEX:
        return take_hull(collider, from);
    case CLI_HEIGHT_FIELD:
        return take_field(collider, from);
    default:
        return true;
    }
}

static bool take_colliders(struct cli_scene *scene, const msgpack_object *list)
{
    static const char *const kinds[] = {[CLI_PLANE] = "plane",
                                        [CLI_SPHERE] = "sphere",
                                        [CLI_CAPSULE] = "capsule",
                                        [CLI_BOX] = "box",
                                        [CLI_CYLINDER] = "cylinder",
                                        [CLI_CONVEX] = "convex",
                                        [CLI_HEIGHT_FIELD] = "height_field"};
    const uint32_t count = weft_count(list);
    struct cli_collider *colliders = calloc((size_t)count + 1, sizeof *colliders);
    if (!colliders) {
        return false;
    }
    uint32_t taken = 0;
    bool done = true;
    for (uint32_t i = 0; done && i < count; i++) {
        const msgpack_object *from = weft_at(list, i);
        struct cli_collider collider = {.id = take_id(from, "collider"),
                                        .rotation = {0, 0, 0, 1},
                                        .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        int kind = CLI_PLANE;
        while (kind <= CLI_HEIGHT_FIELD && !weft_string_is(weft_get(from, "kind"), kinds[kind])) {
            kind++;
        }
        if (kind > CLI_HEIGHT_FIELD) {
            continue; // a kind that only newer servers have
        }
        collider.kind = (enum cli_collider_kind)kind;
        weft_string_copy(weft_get(from, "name"), collider.name, sizeof collider.name);
        take_collider(&collider, from);
        done = take_mesh(&collider, from);
        colliders[taken++] = collider;
    }
    colliders_free(scene->colliders, scene->collider_count);
    scene->colliders = colliders;
    scene->collider_count = taken;
    return done;
}

static bool take_grabs(struct cli_scene *scene, const msgpack_object *list)
{
    const uint32_t count = weft_count(list);
    if (!array_reserve(&scene->grabs, &scene->grab_capacity, count)) {
        return false;
    }
    struct cli_grab *grabs = scene->grabs;
    scene->grab_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const msgpack_object *from = weft_at(list, i);
        grabs[i].body = take_id(from, "body");
        // A missing index must not be read as particle 0.
        const uint64_t particle = weft_u64(weft_get(from, "particle"), UINT32_MAX);
        grabs[i].particle = particle > UINT32_MAX ? UINT32_MAX : (uint32_t)particle;
        grabs[i].target = take_vec3(weft_get(from, "target"), (struct vec3){0, 0, 0});
    }
    return true;
}

bool cli_scene_take_document(struct cli_scene *scene, const msgpack_object *document)
{
    const uint32_t world = take_id(document, "world");
    if (!world) {
        return false;
    }
    scene->world = world;
    weft_string_copy(weft_get(document, "name"), scene->name, sizeof scene->name);
    weft_string_copy(weft_get(document, "state"), scene->state, sizeof scene->state);
    scene->rate = weft_f64(weft_get(document, "rate"), 1);
    const uint64_t tick = weft_u64(weft_get(document, "tick"), 0);
    if (tick > scene->tick) {
        scene->tick = tick;
    }
    scene->revision = weft_u64(weft_get(document, "revision"), 0);
    const msgpack_object *wind = weft_get(document, "wind");
    scene->wind_velocity = take_vec3(weft_get(wind, "velocity"), (struct vec3){0, 0, 0});
    scene->wind_density = weft_f64(weft_get(wind, "density"), 0);
    scene->tells_sleep = weft_get(document, "sleep") != NULL; // older servers do not know the setting
    return take_bodies(scene, weft_get(document, "bodies")) &&
           take_colliders(scene, weft_get(document, "colliders")) &&
           (scene->grabs_from_frames || take_grabs(scene, weft_get(document, "grabs")));
}

void cli_scene_take_change(struct cli_scene *scene, const msgpack_object *params)
{
    if (take_id(params, "world") != scene->world) {
        return;
    }
    weft_string_copy(weft_get(params, "state"), scene->state, sizeof scene->state);
    weft_string_copy(weft_get(params, "reason"), scene->reason, sizeof scene->reason);
    scene->rate = weft_f64(weft_get(params, "rate"), scene->rate);
}

void cli_scene_move_collider(struct cli_scene *scene, const msgpack_object *params)
{
    const uint32_t id = take_id(params, "collider");
    for (uint32_t i = 0; i < scene->collider_count; i++) {
        struct cli_collider *collider = &scene->colliders[i];
        if (collider->id != id) {
            continue;
        }
        take_collider(collider, params);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Topology

// Reads elements whose indices are all below limit, size indices each. *out is NULL if there are none. False if memory
// runs out.
static bool take_elements(const msgpack_object *value, size_t size, uint32_t limit, uint32_t **out,
                          uint32_t *out_count)
{
    struct weft_view view;
    *out = NULL;
    *out_count = 0;
    if (!weft_view_u32(value, &view) || view.count < size) {
        weft_view_deinit(&view);
        return true;
    }
    uint32_t *elements = malloc(view.count * sizeof *elements);
    if (elements) {
        for (size_t i = 0; i + size <= view.count; i += size) {
            bool inside = true;
            for (size_t j = 0; j < size; j++) {
                inside = inside && view.u32[i + j] < limit;
            }
            if (!inside) {
                continue;
            }
            memcpy(elements + size * *out_count, view.u32 + i, size * sizeof *elements);
            ++*out_count;
        }
        *out = elements;
    }
    weft_view_deinit(&view);
    return elements != NULL;
}

// The two axes with the greatest extent of the rest shape become u and v.
static void make_pattern(struct cli_body *body)
{
    struct vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < body->particle_count; i++) {
        const struct vec3 p = body->positions[i];
        low = (struct vec3){fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
        high = (struct vec3){fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z)};
    }
    const float extent[3] = {high.x - low.x, high.y - low.y, high.z - low.z};
    int least = 0;
    for (int i = 1; i < 3; i++) {
        least = extent[i] < extent[least] ? i : least;
    }
    const int first = least == 0 ? 1 : 0, second = least == 2 ? 1 : 2;
    const float greatest = fmaxf(extent[first], extent[second]);
    const float unit = greatest > 0 ? 1 / greatest : 0;
    for (uint32_t i = 0; i < body->particle_count; i++) {
        const float from_low[3] = {body->positions[i].x - low.x, body->positions[i].y - low.y,
                                   body->positions[i].z - low.z};
        body->pattern[2 * (size_t)i] = from_low[first] * unit;
        body->pattern[2 * (size_t)i + 1] = from_low[second] * unit;
    }
}

static bool make_room(struct cli_body *body, size_t count)
{
    body->positions = calloc(count + 1, sizeof *body->positions);
    body->normals = calloc(count + 1, sizeof *body->normals);
    body->pattern = calloc(count + 1, 2 * sizeof *body->pattern);
    body->particle_count = (uint32_t)count;
    return body->positions && body->normals && body->pattern;
}

// Reads the skin of a body, placed by the particles at rest. A skin that names particles that do not exist is ignored.
static bool take_skin(struct cli_body *body, const msgpack_object *skin, const struct weft_view *positions)
{
    struct weft_view particles = {0}, weights = {0};
    bool ok = weft_view_u32(weft_get(skin, "particles"), &particles) &&
              weft_view_f32(weft_get(skin, "weights"), &weights) && particles.count == weights.count &&
              particles.count / 4 <= UINT32_MAX;
    for (size_t i = 0; ok && i < particles.count; i++) {
        ok = particles.u32[i] < positions->count / 3;
    }
    ok = ok && make_room(body, particles.count / 4);
    if (ok) {
        for (size_t i = 0; i < 4 * (size_t)body->particle_count; i++) {
            const double *p = positions->f64 + 3 * (size_t)particles.u32[i];
            struct vec3 *vertex = &body->positions[i / 4];
            vertex->x += weights.f32[i] * (float)p[0];
            vertex->y += weights.f32[i] * (float)p[1];
            vertex->z += weights.f32[i] * (float)p[2];
        }
        make_pattern(body);
        body->has_skin = true;
        ok = take_elements(weft_get(skin, "triangles"), 3, body->particle_count, &body->triangles,
                           &body->triangle_count);
    }
    weft_view_deinit(&particles);
    weft_view_deinit(&weights);
    return ok;
}

bool cli_scene_has_skins(const struct cli_scene *scene)
{
    bool any = false;
    for (uint32_t i = 0; i < scene->body_count; i++) {
        any = any || scene->bodies[i].has_skin;
    }
    return any;
}

bool cli_scene_take_body(struct cli_scene *scene, const msgpack_object *from)
{
    struct cli_body *body = cli_scene_body(scene, take_id(from, "body"));
    struct weft_view positions;
    uint32_t *tets = NULL, tet_count = 0;
    bool ok = false;
    if (!body || body->complete) {
        return true;
    }
    if (!weft_view_f64(weft_get(from, "positions"), &positions) || positions.count / 3 > UINT32_MAX) {
        goto cleanup;
    }
    if (weft_get(from, "skin") && !scene->without_skins) {
        ok = take_skin(body, weft_get(from, "skin"), &positions);
        body->complete = ok;
        goto cleanup;
    }
    const size_t count = positions.count / 3;
    if (!make_room(body, count)) {
        goto cleanup;
    }
    for (size_t i = 0; i < count; i++) {
        body->positions[i] = (struct vec3){(float)positions.f64[3 * i], (float)positions.f64[3 * i + 1],
                                           (float)positions.f64[3 * i + 2]};
    }
    make_pattern(body);
    ok = take_elements(weft_get(from, "triangles"), 3, body->particle_count, &body->triangles,
                       &body->triangle_count) &&
         take_elements(weft_get(from, "edges"), 2, body->particle_count, &body->edges, &body->edge_count) &&
         take_elements(weft_get(from, "tets"), 4, body->particle_count, &tets, &tet_count) &&
         (tet_count == 0 || body->triangles ||
          cli_surface(tets, tet_count, body->positions, &body->triangles, &body->triangle_count));
    body->complete = ok;

cleanup:
    if (ok && scene->nth > 1) {
        ok = body->complete = cli_body_thin(body, scene->nth);
    }
    weft_view_deinit(&positions);
    free(tets);
    if (!ok) {
        const struct cli_body empty = {.id = body->id, .asked = true, .listed = true};
        body_deinit(body);
        *body = empty;
    }
    return ok;
}

// ---------------------------------------------------------------------------------------------------------
// Frames

// Vertices that were not sent take the position of the one before them.
static void take_chunk(struct cli_body *body, const struct weft_frame_body *chunk, const float *positions,
                       uint32_t nth)
{
    const uint32_t most = body->particle_count / nth + (body->particle_count % nth != 0);
    if (!chunk->vertices && (chunk->first > most || chunk->count > most - chunk->first)) {
        return;
    }
    for (uint32_t i = 0; i < chunk->count; i++) {
        // The chunk is a tile with its own list of vertices, or a range.
        const uint32_t vertex = chunk->vertices ? chunk->vertices[i] : chunk->first + i;
        if (vertex >= most) {
            return;
        }
        const uint32_t at = vertex * nth;
        for (uint32_t k = 0; k < nth && k < body->particle_count - at; k++) {
            body->positions[at + k] = vec3_from(positions + 3 * (size_t)i);
        }
    }
}

bool cli_scene_take_frame(struct cli_scene *scene, struct weft_frame *frame, struct weft_error *error)
{
    struct weft_frame_body chunk;
    const uint32_t nth = frame->nth > 0 ? frame->nth : 1;
    int status;
    if (frame->world != scene->world) {
        return true;
    }
    scene->tick = frame->tick;
    scene->substep = frame->substep;
    scene->time = frame->time;
    while ((status = weft_frame_next(frame, &chunk, error)) == 1) {
        struct cli_body *body = cli_scene_body(scene, chunk.body);
        // A frame may be ahead of the document; data for bodies that are not known yet comes again.
        const float *positions = body && body->has_skin ? chunk.skin : chunk.positions;
        scene->lacks_key |= chunk.missing == WEFT_MISSING_KEY;
        if (!body || !body->complete) {
            continue;
        }
        body->came = true;
        if (positions) {
            take_chunk(body, &chunk, positions, nth);
        }
    }
    for (uint32_t i = 0; frame->part + 1 == frame->parts && i < scene->body_count; i++) {
        scene->bodies[i].here = scene->bodies[i].came;
        scene->bodies[i].came = false;
    }
    if (frame->part == 0) {
        scene->asleep = weft_count(frame->asleep);
    }
    if (frame->grabs) {
        scene->grabs_from_frames = true;
        take_grabs(scene, frame->grabs);
    }
    for (uint32_t i = 0; i < weft_count(frame->colliders); i++) {
        cli_scene_move_collider(scene, weft_at(frame->colliders, i));
    }
    return status == 0;
}

static void update_body_normals(struct cli_body *body)
{
    memset(body->normals, 0, body->particle_count * sizeof *body->normals);
    for (uint32_t i = 0; i < body->triangle_count; i++) {
        const uint32_t *t = body->triangles + 3 * (size_t)i;
        const struct vec3 a = body->positions[t[0]];
        // Its length is twice the area: large triangles weigh more.
        const struct vec3 normal =
            vec3_cross(vec3_sub(body->positions[t[1]], a), vec3_sub(body->positions[t[2]], a));
        for (int j = 0; j < 3; j++) {
            body->normals[t[j]] = vec3_add(body->normals[t[j]], normal);
        }
    }
    for (uint32_t i = 0; i < body->particle_count; i++) {
        body->normals[i] = vec3_unit(body->normals[i], (struct vec3){0, 0, 0});
    }
}

void cli_scene_update_normals(struct cli_scene *scene)
{
    for (uint32_t i = 0; i < scene->body_count; i++) {
        if (scene->bodies[i].complete && scene->bodies[i].triangle_count) {
            update_body_normals(&scene->bodies[i]);
        }
    }
}

// Radius of a ball around a collider; 0 for a plane.
static float reach_of(const struct cli_collider *c)
{
    switch (c->kind) {
    case CLI_PLANE:
    case CLI_HEIGHT_FIELD: // ground: the bounds are those of the things on it
        return NAN;
    case CLI_SPHERE:
        return c->radius;
    case CLI_CAPSULE:
        return c->radius + c->length / 2;
    case CLI_BOX:
        return vec3_length(c->half_extents);
    case CLI_CYLINDER:
        return hypotf(c->radius, c->length / 2);
    case CLI_CONVEX: {
        float reach = 0;
        for (uint32_t i = 0; i < c->vertex_count; i++) {
            const float *v = c->vertices + 3 * (size_t)i;
            reach = fmaxf(reach, sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        }
        return reach;
    }
    }
    return NAN;
}

static float across_to(struct vec3 center, struct vec3 point)
{
    return hypotf(point.x - center.x, point.z - center.z);
}

bool cli_scene_bounds(const struct cli_scene *scene, struct cli_bounds *bounds)
{
    struct vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t b = 0; b < scene->body_count; b++) {
        for (uint32_t i = 0; i < scene->bodies[b].particle_count; i++) {
            const struct vec3 p = scene->bodies[b].positions[i];
            low = (struct vec3){fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
            high = (struct vec3){fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z)};
        }
    }
    for (uint32_t i = 0; i < scene->collider_count; i++) {
        const struct cli_collider *c = &scene->colliders[i];
        const struct vec3 p = c->position;
        const float r = reach_of(c);
        if (!isfinite(r)) {
            continue;
        }
        low = (struct vec3){fminf(low.x, p.x - r), fminf(low.y, p.y - r), fminf(low.z, p.z - r)};
        high = (struct vec3){fmaxf(high.x, p.x + r), fmaxf(high.y, p.y + r), fmaxf(high.z, p.z + r)};
    }
    const struct vec3 diagonal = vec3_sub(high, low);
    if (!isfinite(vec3_length(diagonal))) {
        return false;
    }
    const struct vec3 center = vec3_mad(low, diagonal, 0.5f);
    float across = 1e-3f;
    for (uint32_t b = 0; b < scene->body_count; b++) {
        for (uint32_t i = 0; i < scene->bodies[b].particle_count; i++) {
            across = fmaxf(across, across_to(center, scene->bodies[b].positions[i]));
        }
    }
    for (uint32_t i = 0; i < scene->collider_count; i++) {
        const struct cli_collider *c = &scene->colliders[i];
        if (isfinite(reach_of(c))) {
            across = fmaxf(across, across_to(center, c->position) + reach_of(c));
        }
    }
    *bounds = (struct cli_bounds){.center = center, .across = across, .height = fmaxf(diagonal.y / 2, 1e-3f)};
    return true;
}
