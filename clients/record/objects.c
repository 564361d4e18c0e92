// The visible objects of a take. See objects.h.
#include "record/objects.h"
#include "record/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct record_material body_material = {
    .name = "weft", .color = {0.35F, 0.55F, 0.8F, 1}, .roughness = 0.9F};
static const struct record_material collider_material = {
    .name = "weft-collider", .color = {0.5F, 0.5F, 0.5F, 1}, .roughness = 0.8F};

bool record_object_is_surface(const struct record_object *object)
{
    return object->triangle_count > 0;
}

const struct record_material *record_object_material(const struct record_object *object, uint32_t part)
{
    if (object->is_collider) {
        return &collider_material;
    }
    return part < object->part_count && object->parts[part].material ? object->parts[part].material
                                                                     : &body_material;
}

bool record_objects_have_materials(const struct record_objects *objects)
{
    for (uint32_t o = 0; o < objects->count; o++) {
        if (objects->items[o].part_count > 0 && objects->items[o].parts[0].material) {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Positions

// v + 2 w (q x v) + 2 q x (q x v), for a quaternion of unit length
static void turn(const float *pose, const float *v, double out[3])
{
    const double q[4] = {(double)pose[3], (double)pose[4], (double)pose[5], (double)pose[6]};
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double x = (double)v[0], y = (double)v[1], z = (double)v[2], s = square > 0 ? 2 / square : 0;
    const double c[3] = {q[1] * z - q[2] * y, q[2] * x - q[0] * z, q[0] * y - q[1] * x};
    out[0] = x + s * (q[3] * c[0] + q[1] * c[2] - q[2] * c[1]);
    out[1] = y + s * (q[3] * c[1] + q[2] * c[0] - q[0] * c[2]);
    out[2] = z + s * (q[3] * c[2] + q[0] * c[1] - q[1] * c[0]);
}

void record_object_points(const struct record_object *object, const struct record_frame *frame, float *points)
{
    const float *pose = object->is_collider ? frame->poses + RECORD_POSE * (size_t)object->index : NULL;
    const float *from = object->is_collider ? NULL : frame->positions + 3 * object->first_particle;
    for (size_t i = 0; i < object->point_count; i++) {
        if (from) {
            memcpy(points + 3 * i, from + 3 * (size_t)object->particles[i], 3 * sizeof *points);
            continue;
        }
        double turned[3];
        turn(pose, object->shape + 3 * i, turned);
        for (size_t axis = 0; axis < 3; axis++) {
            points[3 * i + axis] = (float)((double)pose[axis] + turned[axis]);
        }
    }
}

// Upwards if triangles give no direction, because formats need unit vectors.
static void make_unit(float normal[3])
{
    const double x = (double)normal[0], y = (double)normal[1], z = (double)normal[2];
    const double length = sqrt(x * x + y * y + z * z);
    normal[0] = length > 0 ? (float)(x / length) : 0;
    normal[1] = length > 0 ? (float)(y / length) : 1;
    normal[2] = length > 0 ? (float)(z / length) : 0;
}

void record_object_normals(const struct record_object *object, const struct record_frame *frame,
                           const float *points, float *normals)
{
    if (object->is_collider) {
        const float *pose = frame->poses + RECORD_POSE * (size_t)object->index;
        for (size_t i = 0; i < object->point_count; i++) {
            double turned[3];
            turn(pose, object->shape_normals + 3 * i, turned);
            for (size_t axis = 0; axis < 3; axis++) {
                normals[3 * i + axis] = (float)turned[axis];
            }
            make_unit(normals + 3 * i);
        }
        return;
    }
    memset(normals, 0, 3 * sizeof *normals * object->normal_count);
    for (size_t t = 0; t < object->triangle_count; t++) {
        const float *p[3];
        double n[3];
        for (size_t k = 0; k < 3; k++) {
            p[k] = points + 3 * (size_t)object->triangles[3 * t + k];
        }
        for (size_t axis = 0; axis < 3; axis++) { // its length is twice the area: large triangles weigh more
            const size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
            n[axis] = ((double)p[1][u] - (double)p[0][u]) * ((double)p[2][v] - (double)p[0][v]) -
                      ((double)p[1][v] - (double)p[0][v]) * ((double)p[2][u] - (double)p[0][u]);
        }
        for (size_t k = 0; k < 3; k++) {
            float *sum = normals + 3 * (size_t)object->vertex_normal[object->corners[3 * t + k]];
            for (size_t axis = 0; axis < 3; axis++) {
                sum[axis] += (float)n[axis];
            }
        }
    }
    for (size_t i = 0; i < object->normal_count; i++) {
        make_unit(normals + 3 * i);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Shapes

// Points are the particles that triangles use, in their order.
static bool make_body(struct record_object *object, const struct record_body *body)
{
    const bool surface = body->triangle_count > 0;
    const size_t elements = surface ? 3 * (size_t)body->triangle_count : 2 * (size_t)body->edge_count;
    const uint32_t *indices = surface ? body->triangles : body->edges;
    uint32_t *point_of = calloc((size_t)body->particle_count + 1, sizeof *point_of);
    uint32_t *own = malloc((elements + 1) * sizeof *own);
    object->particles = malloc(((size_t)body->particle_count + 1) * sizeof *object->particles);
    if (surface) {
        object->triangles = own;
    } else {
        object->edges = own;
    }
    if (!point_of || !own || !object->particles) {
        free(point_of);
        return false;
    }
    for (size_t i = 0; surface && i < elements; i++) {
        point_of[indices[i]] = 1;
    }
    for (uint32_t i = 0; i < body->particle_count; i++) {
        if (surface && point_of[i] == 0) {
            continue;
        }
        point_of[i] = object->point_count;
        object->particles[object->point_count++] = i;
    }
    for (size_t i = 0; i < elements; i++) {
        own[i] = point_of[indices[i]];
    }
    free(point_of);
    object->triangle_count = body->triangle_count;
    object->edge_count = surface ? 0 : body->edge_count;
    return true;
}

// Makes one vertex for each point.
static bool make_plain(struct record_object *object)
{
    const size_t corners = 3 * (size_t)object->triangle_count;
    object->vertex_count = object->normal_count = object->point_count;
    object->vertex_point = malloc(((size_t)object->point_count + 1) * sizeof *object->vertex_point);
    object->vertex_normal = malloc(((size_t)object->point_count + 1) * sizeof *object->vertex_normal);
    object->corners = malloc((corners + 1) * sizeof *object->corners);
    object->parts = calloc(1, sizeof *object->parts);
    if (!object->vertex_point || !object->vertex_normal || !object->corners || !object->parts) {
        return false;
    }
    for (uint32_t i = 0; i < object->point_count; i++) {
        object->vertex_point[i] = object->vertex_normal[i] = i;
    }
    if (corners > 0) {
        memcpy(object->corners, object->triangles, corners * sizeof *object->corners);
    }
    if (object->triangle_count > 0) {
        object->parts[object->part_count++] = (struct record_part){NULL, 0, object->triangle_count};
    }
    if (!record_object_is_surface(object)) {
        object->normal_count = 0;
    }
    return true;
}

// In the plane's own frame: around the middle of the first frame's contents, and well beyond them.
static struct record_reach reach_of(const struct record_job *job, const struct record_frame *frame,
                                    uint32_t index)
{
    const float *pose = frame->poses + RECORD_POSE * (size_t)index;
    const float back[RECORD_POSE] = {0, 0, 0, -pose[3], -pose[4], -pose[5], pose[6]};
    const uint64_t count = record_take_particles(job->take);
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, middle[3];
    struct record_reach reach = {.half = 1};
    for (uint64_t i = 0; i < 3 * count; i++) {
        low[i % 3] = fminf(low[i % 3], frame->positions[i]);
        high[i % 3] = fmaxf(high[i % 3], frame->positions[i]);
    }
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = (low[axis] + high[axis]) / 2 - pose[axis];
        reach.half = fmax(reach.half, 2 * ((double)high[axis] - (double)low[axis]));
    }
    turn(back, middle, reach.middle);
    return reach;
}

static bool find_moving(struct record_objects *objects, struct record_job *job)
{
    const uint32_t bodies = job->scene->body_count, colliders = job->scene->collider_count;
    if (colliders == 0) {
        return true;
    }
    float *first = malloc(colliders * sizeof(float[RECORD_POSE]));
    bool done = first || record_fail_memory(job->fault);
    for (uint64_t i = 0; done && i < job->frame_count; i++) {
        struct record_frame frame;
        done = record_take_peek(job->take, i, &frame, job->fault);
        const float *poses = done ? frame.poses : NULL;
        if (done && i == 0) {
            memcpy(first, poses, colliders * sizeof(float[RECORD_POSE]));
        }
        for (uint32_t c = 0; done && c < colliders; c++) {
            const size_t at = RECORD_POSE * (size_t)c;
            for (size_t k = at; done && k < at + RECORD_POSE; k++) {
                objects->items[bodies + c].moves |= first[k] != poses[k];
                done = isfinite(poses[k]) ||
                       fault_set(job->fault, FAULT_INVALID, NULL,
                                 "frame %llu holds a collider that is nowhere", (unsigned long long)i + 1);
            }
        }
    }
    free(first);
    return done;
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const struct record_object *const *)a)->name,
                  (*(const struct record_object *const *)b)->name);
}

// If an object before has the same name, adds the number of the collider.
static bool name_apart(struct record_objects *objects)
{
    const struct record_object **sorted = malloc((objects->count + 1) * sizeof *sorted);
    if (!sorted) {
        return false;
    }
    for (uint32_t o = 0; o < objects->count; o++) {
        sorted[o] = &objects->items[o];
    }
    qsort(sorted, objects->count, sizeof *sorted, by_name);
    bool done = true;
    for (uint32_t o = 0, end; done && o < objects->count; o = end) {
        for (end = o + 1; end < objects->count && by_name(&sorted[o], &sorted[end]) == 0;) {
            end++;
        }
        for (uint32_t k = o; done && end - o > 1 && k < end; k++) {
            struct record_object *object = objects->items + (sorted[k] - objects->items);
            const size_t size = strlen(object->name) + 24;
            if (!object->is_collider) {
                continue;
            }
            object->own_name = malloc(size);
            done = object->own_name != NULL;
            if (done) {
                snprintf(object->own_name, size, "%s-collider-%u", object->name, object->index + 1);
            }
        }
    }
    for (uint32_t o = 0; done && o < objects->count; o++) {
        if (objects->items[o].own_name) {
            objects->items[o].name = objects->items[o].own_name;
        }
    }
    free(sorted);
    return done;
}

static bool make_objects(struct record_objects *objects, const struct record_job *job,
                         const struct record_frame *frame)
{
    const struct record_scene *scene = job->scene;
    uint64_t first = 0;
    for (uint32_t o = 0; o < objects->count; o++) {
        struct record_object *object = &objects->items[o];
        object->is_collider = o >= scene->body_count;
        object->index = object->is_collider ? o - scene->body_count : o;
        bool done;
        if (object->is_collider) {
            const struct record_collider *collider = &scene->colliders[object->index];
            const struct record_reach reach = reach_of(job, frame, object->index);
            object->name = collider->name;
            done = record_shape_make(object, collider, &reach) && make_plain(object);
        } else {
            const struct record_body *body = &scene->bodies[o];
            const bool plain =
                body->triangle_count == 0 || (!body->uvs && !body->normals && body->material_count == 0);
            object->name = body->name;
            object->first_particle = first;
            first += body->particle_count;
            done =
                make_body(object, body) && (plain ? make_plain(object) : record_object_split(object, body));
        }
        if (!done) {
            return false;
        }
        objects->point_count += object->point_count;
        objects->normal_count += object->normal_count;
        objects->vertex_count += object->vertex_count;
        objects->points_max =
            object->point_count > objects->points_max ? object->point_count : objects->points_max;
        objects->normals_max =
            object->normal_count > objects->normals_max ? object->normal_count : objects->normals_max;
    }
    return name_apart(objects);
}

bool record_objects_init(struct record_objects *objects, struct record_job *job)
{
    struct record_frame frame;
    *objects = (struct record_objects){.count = job->scene->body_count + job->scene->collider_count};
    objects->items = calloc((size_t)objects->count + 1, sizeof *objects->items);
    if (!objects->items) {
        return record_fail_memory(job->fault);
    }
    return find_moving(objects, job) && record_take_read(job->take, 0, &frame, job->fault) &&
           (make_objects(objects, job, &frame) || record_fail_memory(job->fault));
}

void record_objects_deinit(struct record_objects *objects)
{
    for (uint32_t o = 0; objects->items && o < objects->count; o++) {
        struct record_object *object = &objects->items[o];
        free(object->own_name);
        free(object->particles);
        free(object->shape);
        free(object->shape_normals);
        free(object->triangles);
        free(object->edges);
        free(object->vertex_point);
        free(object->vertex_normal);
        free(object->corners);
        free(object->uvs);
        free(object->parts);
    }
    free(objects->items);
    *objects = (struct record_objects){0};
}
