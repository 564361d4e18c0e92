// The frames of a bake: bodies, or the skins that they carry, and colliders, in the form of a take.
#include "bake/run.h"

#include <stdio.h>
#include <stdlib.h>

// The recorded surface of a body: the skin that it carries, or its own.
static struct record_body seen_of(const struct bake *bake, uint32_t id, bool *skinned)
{
    struct sim_body_info info;
    struct document_surface skin;
    sim_body_info(bake->sim, id, &info);
    *skinned = !bake->job->options->particles && document_surface(bake->document, id, &skin);
    if (*skinned) {
        return (struct record_body){.particle_count = skin.vertex_count,
                                    .triangles = (uint32_t *)skin.triangles,
                                    .triangle_count = skin.triangle_count};
    }
    return (struct record_body){.particle_count = info.particle_count,
                                .triangles = (uint32_t *)info.surface,
                                .triangle_count = info.surface_count,
                                .edges = (uint32_t *)info.edges,
                                .edge_count = info.surface_count == 0 ? info.edge_count : 0};
}

bool bake_frames_make_room(struct bake *bake)
{
    size_t vertices = 0, most = 0;
    bake->body_count = sim_body_count(bake->sim);
    bake->collider_count = sim_collider_count(bake->sim);
    bake->bodies = calloc((size_t)bake->body_count + 1, sizeof *bake->bodies);
    bake->colliders = calloc((size_t)bake->collider_count + 1, sizeof *bake->colliders);
    if (!bake->bodies || !bake->colliders) {
        return false;
    }
    for (uint32_t c = 0; c < bake->collider_count; c++) {
        struct sim_collider collider;
        sim_collider_at(bake->sim, c, &collider);
        bake->colliders[c] = collider.id;
    }
    for (uint32_t b = 0; b < bake->body_count; b++) {
        struct sim_body_info info;
        uint32_t id = sim_body_id_at(bake->sim, b);
        bool skinned;
        bake->bodies[b] = (struct bake_seen){.id = id, .count = seen_of(bake, id, &skinned).particle_count};
        vertices += bake->bodies[b].count;
        sim_body_info(bake->sim, id, &info);
        most = skinned && info.particle_count > most ? info.particle_count : most;
    }
    bake->positions = malloc(3 * vertices * sizeof *bake->positions + 1);
    bake->scratch = malloc(3 * most * sizeof *bake->scratch + 1);
    bake->poses = malloc(((size_t)bake->collider_count + 1) * sizeof(float[RECORD_POSE]));
    return bake->positions && bake->scratch && bake->poses;
}

enum { NAME_SIZE = 96 };

static char *name_of(struct protocol_string name, const char *kind, uint32_t id, char out[NAME_SIZE])
{
    if (name.size > 0) {
        snprintf(out, NAME_SIZE, "%.*s", (int)name.size, name.data);
    } else {
        snprintf(out, NAME_SIZE, "%s%u", kind, id);
    }
    return out;
}

// Kinds of shapes as in a take; the two lists have the same order.
_Static_assert((int)SIM_PLANE == RECORD_PLANE && (int)SIM_SPHERE == RECORD_SPHERE &&
                   (int)SIM_CAPSULE == RECORD_CAPSULE && (int)SIM_BOX == RECORD_BOX &&
                   (int)SIM_CYLINDER == RECORD_CYLINDER && (int)SIM_CONVEX == RECORD_CONVEX &&
                   (int)SIM_HEIGHT_FIELD == RECORD_HEIGHT_FIELD,
               "a collider's kind is its shape");

// Copies the mesh of a collider. False if memory runs out.
static bool take_mesh(const struct bake *bake, uint32_t c, const struct sim_collider *collider,
                      struct record_collider *out)
{
    if (collider->kind == SIM_HEIGHT_FIELD) {
        return record_field_mesh(collider->heights, collider->height_count, collider->columns,
                                 collider->spacing, out);
    }
    if (collider->kind != SIM_CONVEX) {
        return true;
    }
    out->vertices = calloc(3 * (size_t)collider->point_count, sizeof *out->vertices);
    out->triangles = calloc(3 * (size_t)SIM_HULL_TRIANGLES_MAX, sizeof *out->triangles);
    if (!out->vertices || !out->triangles) {
        return false;
    }
    for (size_t i = 0; i < 3 * (size_t)collider->point_count; i++) {
        out->vertices[i] = (float)collider->points[i];
    }
    out->vertex_count = collider->point_count;
    out->triangle_count = sim_collider_triangles(bake->sim, c, out->triangles);
    return true;
}

static bool fill_collider(const struct bake *bake, uint32_t c, char name[NAME_SIZE],
                          struct record_collider *out)
{
    static const char *const kinds[] = {"plane",    "sphere", "capsule",     "box",
                                        "cylinder", "convex", "height_field"};
    struct sim_collider collider;
    sim_collider_at(bake->sim, c, &collider);
    *out = (struct record_collider){.name = name_of(document_collider_name(bake->document, collider.id),
                                                    kinds[collider.kind], collider.id, name),
                                    .shape = (enum record_shape)collider.kind,
                                    .radius = (float)collider.radius,
                                    .length = (float)collider.length,
                                    .half_extents = {(float)collider.half_extents[0],
                                                     (float)collider.half_extents[1],
                                                     (float)collider.half_extents[2]}};
    return take_mesh(bake, c, &collider, out);
}

// Fills views into the document, except the materials, which the caller frees. False if memory runs out.
static bool take_look(const struct bake *bake, uint32_t id, bool skinned, struct record_body *body)
{
    struct protocol_look look;
    struct document_surface skin;
    // A skin's look is not that of the particles.
    if (!document_look(bake->document, id, &look) || skinned != document_surface(bake->document, id, &skin)) {
        return true;
    }
    const struct protocol_look_material *given = look.materials.items;
    body->uvs = (float *)look.uvs.data;
    body->normals = (float *)look.normals.data;
    body->triangle_materials = (uint32_t *)look.triangle_materials.data;
    body->materials = calloc((size_t)look.materials.count + 1, sizeof *body->materials);
    if (!body->materials) {
        return false;
    }
    body->material_count = look.materials.count;
    for (uint32_t m = 0; m < body->material_count; m++) {
        struct record_material *material = &body->materials[m];
        material->name = given[m].name.size > 0 ? (char *)given[m].name.data : "material";
        for (int k = 0; k < 4; k++) {
            material->color[k] = (float)given[m].color[k];
        }
        material->metallic = (float)given[m].metallic;
        material->roughness = (float)given[m].roughness;
    }
    return true;
}

bool bake_frames_make_take(struct bake *bake)
{
    const struct sim_settings *settings = sim_settings_of(bake->sim);
    struct record_scene scene = {.body_count = sim_body_count(bake->sim),
                                 .collider_count = sim_collider_count(bake->sim),
                                 .tick_rate = settings->tick_rate,
                                 .substeps = settings->substeps};
    char(*names)[NAME_SIZE] = calloc((size_t)scene.body_count + scene.collider_count + 1, sizeof *names);
    scene.bodies = calloc((size_t)scene.body_count + 1, sizeof *scene.bodies);
    scene.colliders = calloc((size_t)scene.collider_count + 1, sizeof *scene.colliders);
    bool done = names && scene.bodies && scene.colliders;
    for (uint32_t b = 0; done && b < scene.body_count; b++) {
        uint32_t id = sim_body_id_at(bake->sim, b);
        bool skinned;
        scene.bodies[b] = seen_of(bake, id, &skinned);
        scene.bodies[b].name = name_of(document_body_name(bake->document, id), "body", id, names[b]);
        done = take_look(bake, id, skinned, &scene.bodies[b]);
    }
    for (uint32_t c = 0; done && c < scene.collider_count; c++) {
        done = fill_collider(bake, c, names[scene.body_count + c], &scene.colliders[c]);
    }
    if (done) {
        bake->take = record_take_create(bake->take_path, &scene, bake->job->options->tolerance, &bake->fault);
    } else {
        fault_set(&bake->fault, FAULT_MEMORY, NULL, "there is not enough memory");
    }
    for (uint32_t b = 0; scene.bodies && b < scene.body_count; b++) {
        free(scene.bodies[b].materials);
    }
    for (uint32_t c = 0; scene.colliders && c < scene.collider_count; c++) {
        free(scene.colliders[c].vertices);
        free(scene.colliders[c].triangles);
    }
    free(names);
    free(scene.bodies);
    free(scene.colliders);
    return bake->take != NULL;
}

// Takes the poses of the colliders after that substep of the current tick; 0: between ticks.
static void take_poses(struct bake *bake, uint32_t substep)
{
    uint32_t at = 0;
    for (uint32_t c = 0; c < sim_collider_count(bake->sim); c++) {
        struct sim_collider collider;
        sim_collider_during(bake->sim, c, substep, &collider);
        // Both ascend by id.
        while (at < bake->collider_count && bake->colliders[at] < collider.id) {
            at++;
        }
        if (at == bake->collider_count || bake->colliders[at] != collider.id) {
            continue;
        }
        float *pose = bake->poses + RECORD_POSE * (size_t)at;
        for (int axis = 0; axis < 3; axis++) {
            pose[axis] = (float)collider.position[axis];
        }
        for (int k = 0; k < 4; k++) {
            pose[3 + k] = (float)collider.rotation[k];
        }
    }
}

bool bake_frames_are_there(const struct bake *bake)
{
    for (uint32_t b = 0; b < bake->body_count; b++) {
        const struct bake_seen *body = &bake->bodies[b];
        struct sim_body_info info;
        bool skinned;
        if (!sim_body_info(bake->sim, body->id, &info) ||
            seen_of(bake, body->id, &skinned).particle_count != body->count) {
            return false;
        }
    }
    return true;
}

void bake_frames_deinit(struct bake *bake)
{
    free(bake->bodies);
    free(bake->colliders);
    free(bake->positions);
    free(bake->poses);
    free(bake->scratch);
}

void bake_frames_keep(struct bake *bake, uint64_t tick, uint32_t substep, uint32_t during)
{
    take_poses(bake, during);
    size_t at = 0;
    for (uint32_t b = 0; b < bake->body_count; b++) {
        const uint32_t id = bake->bodies[b].id, count = bake->bodies[b].count;
        bool skinned;
        seen_of(bake, id, &skinned);
        if (skinned) {
            document_surface_positions(bake->document, id, bake->scratch, bake->positions + at);
        } else {
            sim_body_positions(bake->sim, id, 0, count, bake->positions + at);
        }
        at += 3 * (size_t)count;
    }
    bake->bad = bake->bad ||
                !record_take_append(bake->take, tick, substep, bake->poses, bake->positions, &bake->fault);
}
