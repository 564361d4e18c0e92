// Begins a recording: reads the world as it is. Has the functions that the ways of recording share.
#include "record_look.h"
#include "recording.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int recording_fail(const char *code, const char *text)
{
    char shown[1024];
    fflush(stdout);
    fprintf(stderr, "weft: %s: %s\n", code, cli_shown(text, shown, sizeof shown));
    return CLI_REFUSED;
}

void recording_stop(struct recording *recording, int status)
{
    recording->over = true;
    recording->status = recording->status == CLI_OK ? status : recording->status;
}

int recording_move_take(const struct recording *recording)
{
    if (recording->status != CLI_OK && access(recording->path, F_OK) == 0) {
        return recording_fail("FILE", "a file of that name exists already; it is not replaced");
    }
    if (rename(recording->take_path, recording->path) == 0) {
        return CLI_OK;
    }
    fprintf(stderr, "weft: FILE: the recording cannot be moved to %s: %s\n", recording->path,
            strerror(errno));
    return CLI_REFUSED;
}

uint64_t recording_ticks(const struct recording *recording)
{
    return recording->ticks || recording->seconds <= 0
               ? recording->ticks
               : (uint64_t)ceil(recording->seconds * recording->tick_rate);
}

int recording_call(struct recording *recording, const char *method, uint32_t body, const char *field,
                   struct weft_reply *reply)
{
    struct weft_params params;
    weft_params_init(&params);
    if (recording->scene.world) {
        weft_params_u64(&params, "world", recording->scene.world);
    } else {
        weft_params_ref(&params, "world", recording->world);
    }
    if (body) {
        weft_params_u64(&params, "body", body);
    }
    if (field) {
        weft_params_list_begin(&params, "fields");
        weft_params_string(&params, NULL, field);
        weft_params_list_end(&params);
    }
    const int status = cli_call(recording->cli, method, &params, reply);
    weft_params_deinit(&params);
    return status;
}

int recording_join(struct recording *recording)
{
    struct weft_reply reply;
    int status = recording_call(recording, "world.join", 0, NULL, &reply);
    if (status == CLI_OK && !cli_scene_take_document(&recording->scene, &reply.result)) {
        status = recording_fail("MEMORY", "the world is malformed, or too large for this program");
    }
    if (status == CLI_OK) {
        recording->tick_rate = (uint32_t)cli_field_u64(&reply.result, "tick_rate");
        recording->substep_count = (uint32_t)cli_field_u64(&reply.result, "substeps");
        if (recording->tick_rate == 0 || recording->substep_count == 0) {
            status = recording_fail("PROTOCOL", "the answer of world.join has no tick_rate or no substeps");
        }
    }
    weft_reply_destroy(&reply);
    return status;
}

int recording_learn(struct recording *recording)
{
    struct weft_reply reply;
    int status = CLI_OK;
    recording->looks = calloc((size_t)recording->scene.body_count + 1, sizeof *recording->looks);
    if (!recording->looks) {
        status = recording_fail("MEMORY", "the world is too large for this program");
    }
    for (uint32_t b = 0; status == CLI_OK && b < recording->scene.body_count; b++) {
        const struct cli_body *body = &recording->scene.bodies[b];
        status = recording_call(recording, "body.get", body->id, NULL, &reply);
        // A skin's look is not that of the particles.
        if (status == CLI_OK &&
            (!cli_scene_take_body(&recording->scene, &reply.result) ||
             (body->has_skin == (weft_get(&reply.result, "skin") != NULL) &&
              !cli_look_take(weft_get(&reply.result, "look"), body->triangle_count, &recording->looks[b])))) {
            status = recording_fail("MEMORY", "a body is malformed, or too large for this program");
        }
        weft_reply_destroy(&reply);
    }
    return status;
}

// Converts shapes to those of a take; the two lists of kinds have the same order.
_Static_assert((int)CLI_PLANE == RECORD_PLANE && (int)CLI_SPHERE == RECORD_SPHERE &&
                   (int)CLI_CAPSULE == RECORD_CAPSULE && (int)CLI_BOX == RECORD_BOX &&
                   (int)CLI_CYLINDER == RECORD_CYLINDER && (int)CLI_CONVEX == RECORD_CONVEX &&
                   (int)CLI_HEIGHT_FIELD == RECORD_HEIGHT_FIELD,
               "a collider's kind is its shape");

static const char *name_of(const char *name, const char *kind, uint32_t id, char out[CLI_NAME_SIZE + 16])
{
    if (*name) {
        snprintf(out, CLI_NAME_SIZE + 16, "%s", name);
    } else {
        snprintf(out, CLI_NAME_SIZE + 16, "%s%u", kind, id);
    }
    return out;
}

// Names point into `names`, one for each body and then for each collider; the scene owns the rest.
static void fill_scene(const struct recording *recording, char (*names)[CLI_NAME_SIZE + 16],
                       struct record_scene *scene)
{
    const struct cli_scene *from = &recording->scene;
    static const char *const kinds[] = {"plane",    "sphere", "capsule",     "box",
                                        "cylinder", "convex", "height_field"};
    for (uint32_t b = 0; b < from->body_count; b++) {
        const struct cli_body *body = &from->bodies[b];
        name_of(body->name, "body", body->id, names[b]);
        struct record_body *out = &scene->bodies[b];
        *out = recording->looks[b];
        out->name = names[b];
        out->particle_count = body->particle_count;
        out->triangles = body->triangles;
        out->triangle_count = body->triangle_count;
        out->edges = body->edges;
        out->edge_count = body->triangle_count ? 0 : body->edge_count;
    }
    names += from->body_count;
    for (uint32_t c = 0; c < from->collider_count; c++) {
        const struct cli_collider *collider = &from->colliders[c];
        name_of(collider->name, kinds[collider->kind], collider->id, names[c]);
        scene->colliders[c] = (struct record_collider){
            .name = names[c],
            .shape = (enum record_shape)collider->kind,
            .radius = collider->radius,
            .length = collider->length,
            .half_extents = {collider->half_extents.x, collider->half_extents.y, collider->half_extents.z},
            .vertices = collider->vertices,
            .vertex_count = collider->vertex_count,
            .triangles = collider->triangles,
            .triangle_count = collider->triangle_count};
    }
}

int recording_begin_take(struct recording *recording)
{
    const struct cli_scene *from = &recording->scene;
    const size_t things = (size_t)from->body_count + from->collider_count;
    struct fault fault;
    struct record_scene scene = {.body_count = from->body_count,
                                 .collider_count = from->collider_count,
                                 .tick_rate = recording->tick_rate,
                                 .substeps = recording->substep_count};
    char(*names)[CLI_NAME_SIZE + 16] = malloc((things + 1) * sizeof *names);
    size_t particles = 0;
    scene.bodies = calloc((size_t)from->body_count + 1, sizeof *scene.bodies);
    scene.colliders = calloc((size_t)from->collider_count + 1, sizeof *scene.colliders);
    for (uint32_t b = 0; b < from->body_count; b++) {
        particles += from->bodies[b].particle_count;
    }
    recording->positions = malloc((3 * particles + 1) * sizeof(float));
    recording->poses = malloc(((size_t)from->collider_count + 1) * sizeof(float[RECORD_POSE]));
    int status = CLI_OK;
    if (!names || !scene.bodies || !scene.colliders || !recording->positions || !recording->poses) {
        status = recording_fail("MEMORY", "the world is too large for this program");
    } else if (!record_can_replace(recording->path, &fault)) {
        status = recording_fail("FILE", fault.text);
    } else {
        fill_scene(recording, names, &scene);
        recording->take = record_take_create(recording->take_path, &scene, recording->tolerance, &fault);
        if (!recording->take) {
            status = recording_fail("FILE", fault.text);
        }
    }
    free(names);
    free(scene.bodies);
    free(scene.colliders);
    return status;
}
