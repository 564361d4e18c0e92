// The head of a take, which describes its frames.
//
//     "wefttake" | u32 2, or 3 where frames are compressed | u32 bodies | u32 tick rate | u32 substeps
//                | u64 bytes before the first frame | u32 colliders | f32 tolerance of what is compressed, else 0
//     a body:     u32 name bytes | u32 particles | u32 triangles | u32 edges | u32 what it has | u32 materials
//                 | name | pad to 4 | indices | uvs | normals | material of each triangle | materials
//     a material: u32 name bytes | f32 colour, metallic, roughness | name | pad to 4
//     a collider: u32 name bytes | u32 shape | f32 radius, length, half extents | name | pad to 4
//                 | if it is convex or a height field: u32 vertices | u32 triangles | f32 vertices | u32 corners
//
// One function (`pass`) handles both directions, so that reading fits writing.
#include "record/take_file.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_BYTES = 40, HAS_UVS = 1, HAS_NORMALS = 2 };

static const char magic[8] = TAKE_MAGIC;

struct pass {
    struct record_take *take;
    bool writes;
    uint64_t at, end; // end: of the file that is being read
    struct fault *fault;
};

void record_scene_deinit(struct record_scene *scene)
{
    for (uint32_t b = 0; scene->bodies && b < scene->body_count; b++) {
        struct record_body *body = &scene->bodies[b];
        for (uint32_t m = 0; body->materials && m < body->material_count; m++) {
            free(body->materials[m].name);
        }
        free(body->name);
        free(body->triangles);
        free(body->edges);
        free(body->uvs);
        free(body->normals);
        free(body->triangle_materials);
        free(body->materials);
    }
    for (uint32_t c = 0; scene->colliders && c < scene->collider_count; c++) {
        free(scene->colliders[c].name);
        free(scene->colliders[c].vertices);
        free(scene->colliders[c].triangles);
    }
    free(scene->bodies);
    free(scene->colliders);
    *scene = (struct record_scene){0};
}

// Copies an array; NULL stays NULL.
static bool copy_array(void *to, const void *from, size_t size)
{
    void *copy = from ? malloc(size + 1) : NULL;
    if (copy) {
        memcpy(copy, from, size);
    }
    memcpy(to, &copy, sizeof copy);
    return !from || copy;
}

static bool copy_collider(struct record_collider *to, const struct record_collider *from)
{
    to->vertices = NULL;
    to->triangles = NULL;
    return copy_array(&to->name, from->name, strlen(from->name) + 1) &&
           copy_array(&to->vertices, from->vertices, 12 * (size_t)from->vertex_count) &&
           copy_array(&to->triangles, from->triangles, 12 * (size_t)from->triangle_count);
}

static bool copy_body(struct record_body *to, const struct record_body *from)
{
    const size_t triangles = from->triangle_count;
    *to = (struct record_body){.particle_count = from->particle_count,
                               .triangle_count = from->triangle_count,
                               .edge_count = from->edge_count};
    bool done = copy_array(&to->name, from->name, strlen(from->name) + 1) &&
                copy_array(&to->triangles, from->triangles, 12 * triangles) &&
                copy_array(&to->edges, from->edges, 8 * (size_t)from->edge_count) &&
                copy_array(&to->uvs, from->uvs, 24 * triangles) &&
                copy_array(&to->normals, from->normals, 36 * triangles) &&
                copy_array(&to->triangle_materials, from->triangle_materials, 4 * triangles);
    if (from->material_count > 0 && !to->triangle_materials) {
        to->triangle_materials = calloc(triangles + 1, sizeof *to->triangle_materials);
    }
    done = done && (from->material_count == 0 || to->triangle_materials);
    to->materials = calloc((size_t)from->material_count + 1, sizeof *to->materials);
    done = done && to->materials;
    for (uint32_t m = 0; done && m < from->material_count; m++, to->material_count++) {
        to->materials[m] = from->materials[m];
        done =
            copy_array(&to->materials[m].name, from->materials[m].name, strlen(from->materials[m].name) + 1);
    }
    return done;
}

bool record_scene_copy(struct record_scene *to, const struct record_scene *from)
{
    *to = (struct record_scene){.tick_rate = from->tick_rate, .substeps = from->substeps};
    to->bodies = calloc((size_t)from->body_count + 1, sizeof *to->bodies);
    to->colliders = calloc((size_t)from->collider_count + 1, sizeof *to->colliders);
    bool done = to->bodies && to->colliders;
    for (uint32_t b = 0; done && b < from->body_count; b++) {
        to->body_count++;
        done = copy_body(&to->bodies[b], &from->bodies[b]);
    }
    for (uint32_t c = 0; done && c < from->collider_count; c++) {
        to->colliders[c] = from->colliders[c];
        to->collider_count++;
        done = copy_collider(&to->colliders[c], &from->colliders[c]);
    }
    return done;
}

// ---------------------------------------------------------------------------------------------------------
// Pieces

static bool wrong(const struct pass *pass, const char *what)
{
    return fault_set(pass->fault, FAULT_DAMAGED, NULL, "%s is no whole take: %s", pass->take->path, what);
}

static bool pass_bytes(struct pass *pass, void *bytes, size_t size)
{
    if (!pass->writes && size > pass->end - pass->at) {
        return wrong(pass, "it ends within its head");
    }
    const bool done = pass->writes ? record_take_put(pass->take, bytes, size, pass->at, pass->fault)
                                   : record_take_get(pass->take, bytes, size, pass->at, pass->fault);
    pass->at += size;
    return done;
}

// An array that is owned; *array is one pointer, and stays NULL if nothing is read. The claimed bytes must exist in the
// file before memory is allocated.
static bool pass_array(struct pass *pass, void *array, uint64_t size)
{
    void *bytes;
    memcpy(&bytes, array, sizeof bytes);
    if (!pass->writes && size > pass->end - pass->at) {
        return wrong(pass, "the sizes of a body are wrong");
    }
    if (!pass->writes) {
        bytes = calloc(1, size + 1);
        memcpy(array, &bytes, sizeof bytes);
        if (!bytes) {
            return record_fail_memory(pass->fault);
        }
    }
    return size == 0 || pass_bytes(pass, bytes, size);
}

// The size has been passed before.
static bool pass_name(struct pass *pass, char **name, uint32_t size)
{
    static char zeros[4];
    if (size == 0 || size > RECORD_NAME_MAX) {
        return pass->writes ? fault_set(pass->fault, FAULT_INVALID, NULL,
                                        "a name is empty, or longer than %d bytes", RECORD_NAME_MAX)
                            : wrong(pass, "the size of a name is wrong");
    }
    if (!pass_array(pass, name, size) || !pass_bytes(pass, zeros, (4 - size % 4) % 4)) {
        return false;
    }
    if (pass->writes) {
        return true;
    }
    json_t *text = !memchr(*name, '\0', size) ? json_stringn(*name, size) : NULL;
    const bool sound = text != NULL;
    json_decref(text);
    return sound || wrong(pass, "a name is no text");
}

static bool all_below(const uint32_t *indices, size_t count, uint32_t below)
{
    for (size_t i = 0; i < count; i++) {
        if (indices[i] >= below) {
            return false;
        }
    }
    return true;
}

static bool all_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

static uint32_t name_size(const struct pass *pass, const char *name)
{
    return pass->writes ? (uint32_t)strlen(name) : 0;
}

static bool pass_material(struct pass *pass, struct record_material *material)
{
    uint32_t size = name_size(pass, material->name);
    float values[6] = {material->color[0], material->color[1], material->color[2],
                       material->color[3], material->metallic, material->roughness};
    if (!pass_bytes(pass, &size, sizeof size) || !pass_bytes(pass, values, sizeof values) ||
        !pass_name(pass, &material->name, size)) {
        return false;
    }
    for (int i = 0; i < 6; i++) {
        if (!(values[i] >= 0 && values[i] <= 1)) {
            return wrong(pass, "a material has a value that is not from 0 to 1");
        }
    }
    memcpy(material->color, values, sizeof material->color);
    material->metallic = values[4];
    material->roughness = values[5];
    return true;
}

static bool pass_look(struct pass *pass, struct record_body *body, uint32_t has, uint32_t materials)
{
    const uint64_t triangles = body->triangle_count;
    if (((has & HAS_UVS) != 0 && !pass_array(pass, &body->uvs, 24 * triangles)) ||
        ((has & HAS_NORMALS) != 0 && !pass_array(pass, &body->normals, 36 * triangles)) ||
        (materials > 0 && !pass_array(pass, &body->triangle_materials, 4 * triangles))) {
        return false;
    }
    if ((body->uvs && !all_finite(body->uvs, 6 * triangles)) ||
        (body->normals && !all_finite(body->normals, 9 * triangles))) {
        return wrong(pass, "a body has a uv or a normal that is no number");
    }
    if (materials > 0 && !all_below(body->triangle_materials, triangles, materials)) {
        return wrong(pass, "a triangle has a material that is not there");
    }
    if (!pass->writes && materials > 0) {
        body->materials = calloc(materials, sizeof *body->materials);
        if (!body->materials) {
            return record_fail_memory(pass->fault);
        }
        body->material_count = materials;
    }
    for (uint32_t m = 0; m < materials; m++) {
        if (!pass_material(pass, &body->materials[m])) {
            return false;
        }
    }
    return true;
}

static bool pass_body(struct pass *pass, struct record_body *body)
{
    uint32_t head[6] = {name_size(pass, body->name),
                        body->particle_count,
                        body->triangle_count,
                        body->edge_count,
                        (body->uvs ? HAS_UVS : 0) | (body->normals ? HAS_NORMALS : 0),
                        body->material_count};
    if (!pass_bytes(pass, head, sizeof head) || !pass_name(pass, &body->name, head[0])) {
        return false;
    }
    if (head[1] > RECORD_PARTICLES_MAX || head[4] > (HAS_UVS | HAS_NORMALS) ||
        head[5] > RECORD_MATERIALS_MAX) {
        return wrong(pass, "the sizes of a body are wrong");
    }
    body->particle_count = head[1];
    body->triangle_count = head[2];
    body->edge_count = head[3];
    if (!pass_array(pass, &body->triangles, 12 * (uint64_t)head[2]) ||
        !pass_array(pass, &body->edges, 8 * (uint64_t)head[3])) {
        return false;
    }
    if (!all_below(body->triangles, 3 * (size_t)head[2], head[1]) ||
        !all_below(body->edges, 2 * (size_t)head[3], head[1])) {
        return wrong(pass, "an index is past the particles");
    }
    return pass_look(pass, body, head[4], head[5]);
}

static bool pass_hull(struct pass *pass, struct record_collider *collider)
{
    uint32_t head[2] = {collider->vertex_count, collider->triangle_count};
    if (!pass_bytes(pass, head, sizeof head)) {
        return false;
    }
    const uint32_t side = RECORD_FIELD_SIDE_MAX,
                   most = collider->shape == RECORD_CONVEX ? RECORD_HULL_MAX : side * side;
    if (head[0] > most || head[1] > 2 * most) {
        return wrong(pass, "the sizes of a collider are wrong");
    }
    collider->vertex_count = head[0];
    collider->triangle_count = head[1];
    if (!pass_array(pass, &collider->vertices, 12 * (uint64_t)head[0]) ||
        !pass_array(pass, &collider->triangles, 12 * (uint64_t)head[1])) {
        return false;
    }
    if (!all_finite(collider->vertices, 3 * (size_t)head[0]) ||
        !all_below(collider->triangles, 3 * (size_t)head[1], head[0])) {
        return wrong(pass, "a collider has a vertex that is no number or not there");
    }
    return true;
}

static bool pass_collider(struct pass *pass, struct record_collider *collider)
{
    uint32_t head[2] = {name_size(pass, collider->name), collider->shape};
    float sizes[5] = {collider->radius, collider->length, collider->half_extents[0],
                      collider->half_extents[1], collider->half_extents[2]};
    if (!pass_bytes(pass, head, sizeof head) || !pass_bytes(pass, sizes, sizeof sizes) ||
        !pass_name(pass, &collider->name, head[0])) {
        return false;
    }
    if (head[1] >= RECORD_SHAPE_COUNT || !all_finite(sizes, 5)) {
        return wrong(pass, "a collider has a shape that is not known");
    }
    collider->shape = (enum record_shape)head[1];
    collider->radius = sizes[0];
    collider->length = sizes[1];
    memcpy(collider->half_extents, sizes + 2, sizeof collider->half_extents);
    const bool meshed = collider->shape == RECORD_CONVEX || collider->shape == RECORD_HEIGHT_FIELD;
    return !meshed || pass_hull(pass, collider);
}

static bool pass_things(struct pass *pass)
{
    struct record_scene *scene = &pass->take->scene;
    for (uint32_t b = 0; b < scene->body_count; b++) {
        if (!pass_body(pass, &scene->bodies[b])) {
            return false;
        }
    }
    for (uint32_t c = 0; c < scene->collider_count; c++) {
        if (!pass_collider(pass, &scene->colliders[c])) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// The whole of it

bool record_head_write(struct record_take *take, struct fault *fault)
{
    struct pass pass = {.take = take, .writes = true, .at = HEAD_BYTES, .fault = fault};
    const uint32_t numbers[4] = {take->tolerance > 0 ? TAKE_PACKED : TAKE_PLAIN, take->scene.body_count,
                                 take->scene.tick_rate, take->scene.substeps};
    unsigned char head[HEAD_BYTES] = {0};
    if (!pass_things(&pass)) {
        return false;
    }
    take->head_bytes = pass.at;
    memcpy(head, magic, sizeof magic);
    memcpy(head + 8, numbers, sizeof numbers);
    memcpy(head + 24, &take->head_bytes, sizeof take->head_bytes);
    memcpy(head + 32, &take->scene.collider_count, sizeof take->scene.collider_count);
    memcpy(head + 36, &take->tolerance, sizeof take->tolerance);
    // It is written last: a file without a head is not a take.
    return record_take_put(take, head, sizeof head, 0, fault);
}

bool record_head_read(struct record_take *take, uint64_t file_bytes, struct fault *fault)
{
    struct pass pass = {.take = take, .at = HEAD_BYTES, .end = file_bytes, .fault = fault};
    struct record_scene *scene = &take->scene;
    unsigned char head[HEAD_BYTES];
    uint32_t numbers[4], colliders;
    if (file_bytes < HEAD_BYTES) {
        return fault_set(fault, FAULT_INVALID, NULL, "%s is no take", take->path);
    }
    if (!record_take_get(take, head, sizeof head, 0, fault)) {
        return false;
    }
    memcpy(numbers, head + 8, sizeof numbers);
    memcpy(&take->head_bytes, head + 24, sizeof take->head_bytes);
    memcpy(&colliders, head + 32, sizeof colliders);
    memcpy(&take->tolerance, head + 36, sizeof take->tolerance);
    if (memcmp(head, magic, sizeof magic) == 0 && numbers[0] == TAKE_INPUTS) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "%s is a take of records, which has no frames: weft convert makes them", take->path);
    }
    if (memcmp(head, magic, sizeof magic) != 0 || numbers[0] < TAKE_PLAIN || numbers[0] > TAKE_PACKED) {
        return fault_set(fault, FAULT_INVALID, NULL, "%s is no take, or one of another version of weft",
                         take->path);
    }
    if (numbers[0] == TAKE_PLAIN) {
        take->tolerance = 0;
    } else if (!record_tolerance_fits(take->tolerance)) {
        return wrong(&pass, "its tolerance is none");
    }
    if (numbers[1] == 0 || numbers[1] > RECORD_BODIES_MAX || numbers[2] == 0 || numbers[3] == 0 ||
        colliders > RECORD_COLLIDERS_MAX) {
        return wrong(&pass, "its head is wrong");
    }
    scene->tick_rate = numbers[2];
    scene->substeps = numbers[3];
    scene->bodies = calloc(numbers[1], sizeof *scene->bodies);
    scene->colliders = calloc((size_t)colliders + 1, sizeof *scene->colliders);
    if (!scene->bodies || !scene->colliders) {
        return record_fail_memory(fault);
    }
    scene->body_count = numbers[1];
    scene->collider_count = colliders;
    return pass_things(&pass) && (pass.at == take->head_bytes || wrong(&pass, "its head is wrong"));
}
