// The calls of machine.h: each is one of the document's.
#include "machine.h"
#include "crew.h"

#include "document/document.h"
#include "protocol/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sizes have 32 bits here: of no more than so many bytes is anything made whose size would not fit.
enum { MACHINE_BYTES_MAX = 1 << 27 };

static char text[PROTOCOL_TEXT_MAX + 32];

static void say(const struct protocol_error *error)
{
    snprintf(text, sizeof text, "%s: %s", protocol_codes[error->code].name, error->text);
}

static bool fits(size_t size)
{
    if (size > MACHINE_BYTES_MAX) {
        snprintf(text, sizeof text, "LIMIT: %lu bytes; in a browser at most %d", (unsigned long)size,
                 MACHINE_BYTES_MAX);
    }
    return size <= MACHINE_BYTES_MAX;
}

const char *machine_text(void)
{
    return text;
}

void *machine_alloc(size_t size)
{
    return malloc(size > 0 ? size : 1);
}

void machine_free(void *bytes)
{
    free(bytes);
}

struct document *machine_open(const void *bytes, size_t size, uint32_t kind)
{
    struct protocol_error error = {0};
    if (!fits(size)) {
        return NULL;
    }
    struct document *document =
        kind == MACHINE_IMAGE ? document_image_read(bytes, size, &error) : document_from(bytes, size, &error);
    if (!document) {
        say(&error);
    }
    return document;
}

void machine_close(struct document *document)
{
    document_destroy(document);
}

bool machine_apply(struct document *document, const void *bytes, size_t size)
{
    struct document_record record;
    struct protocol_error error = {0};
    msgpack_zone zone;
    if (!fits(size)) {
        return false;
    }
    if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        snprintf(text, sizeof text, "MEMORY: no memory for a record");
        return false;
    }
    const bool applied = document_record_read(bytes, size, &zone, &record, &error) &&
                         document_replay(document, &record, &zone, &error);
    msgpack_zone_destroy(&zone);
    if (!applied) {
        say(&error);
    }
    return applied;
}

static void tell_substep(void *context, uint32_t substep)
{
    (void)context;
    machine_substep(substep);
}

bool machine_step(struct document *document, uint32_t watched)
{
    static const struct sim_hooks hooks = {.on_substep = tell_substep};
    if (!document->failed) {
        document_step(document, machine_crew(), watched ? &hooks : NULL);
    }
    if (document->failed) {
        snprintf(text, sizeof text, "FAILED: %s", document->reason);
    }
    return !document->failed;
}

bool machine_failed(const struct document *document)
{
    return document->failed;
}

uint64_t machine_hash(const struct document *document)
{
    return document_hash(document);
}

double machine_tick(const struct document *document)
{
    return (double)document->tick;
}

double machine_revision(const struct document *document)
{
    return (double)document->revision;
}

uint32_t machine_bodies(const struct document *document)
{
    return document->bodies.count;
}

uint32_t machine_body(const struct document *document, uint32_t position)
{
    return position < document->bodies.count ? document->bodies.items[position].id : 0;
}

uint32_t machine_particles(const struct document *document, uint32_t body)
{
    const struct document_thing *thing = document_things_by_id(&document->bodies, body);
    return thing ? thing->particle_count : 0;
}

void machine_show_contacts(struct document *document, uint32_t wanted)
{
    sim_shown_want(document->sim, wanted != 0);
}

// ---------------------------------------------------------------------------------------------------------
// Running ahead

struct machine_mark {
    struct sim_still *still;
    uint64_t tick;
};

struct machine_mark *machine_mark(struct document *document)
{
    struct machine_mark *mark = document->failed ? NULL : malloc(sizeof *mark);
    struct sim_still *still = mark ? sim_still_create(document->sim) : NULL;
    if (!still) {
        snprintf(text, sizeof text, "%s",
                 document->failed ? "FAILED: the world failed" : "MEMORY: no memory to run ahead");
        free(mark);
        return NULL;
    }
    *mark = (struct machine_mark){still, document->tick};
    sim_still_begin(still, document->sim);
    while (!sim_still_go_on(still, UINT32_MAX)) {
        continue;
    }
    sim_still_end(still);
    sim_tears_wait(document->sim, true);
    return mark;
}

void machine_back(struct document *document, struct machine_mark *mark)
{
    sim_tears_wait(document->sim, false);
    sim_still_give_back(mark->still, document->sim);
    document->tick = mark->tick;
    document->failed = false;
    sim_still_destroy(mark->still);
    free(mark);
}

static bool held(enum fault_code status, const struct fault *fault)
{
    if (status != FAULT_NONE) {
        snprintf(text, sizeof text, "CONFLICT: %s", fault->text);
    }
    return status == FAULT_NONE;
}

uint32_t machine_hold(struct document *document, uint32_t body, uint32_t particle, double compliance)
{
    struct fault fault;
    uint32_t grab = 0;
    const enum fault_code status =
        sim_grab_begin(document->sim, body, particle, NULL, compliance, &grab, &fault);
    return held(status, &fault) ? grab : 0;
}

bool machine_pull(struct document *document, uint32_t grab, double x, double y, double z)
{
    struct fault fault;
    const double target[3] = {x, y, z};
    return held(sim_grab_move(document->sim, grab, target, &fault), &fault);
}

bool machine_let_go(struct document *document, uint32_t grab)
{
    struct fault fault;
    return held(sim_grab_end(document->sim, grab, &fault), &fault);
}

uint32_t machine_grab_of(const struct document *document, uint32_t body, uint32_t particle)
{
    uint32_t grab = 0;
    return sim_grab_of(document->sim, body, particle, &grab) ? grab : 0;
}

// ---------------------------------------------------------------------------------------------------------
// Arrays and parts: a place for either, which grows to the largest

static struct place {
    void *data;
    size_t capacity;
} arrays;
static struct protocol_bytes parts;
static size_t shown_size;

uint32_t machine_size(void)
{
    return (uint32_t)shown_size;
}

// NULL with a text.
static void *room(size_t size)
{
    shown_size = 0;
    if (size > arrays.capacity || !arrays.data) { // what is empty is not missing
        free(arrays.data);
        arrays.data = malloc(size > 0 ? size : 1);
        arrays.capacity = arrays.data ? size : 0;
    }
    if (!arrays.data) {
        snprintf(text, sizeof text, "MEMORY: no memory for %lu bytes of a moment", (unsigned long)size);
        return NULL;
    }
    shown_size = size;
    return arrays.data;
}

static const void *copy(const uint32_t *items, size_t count)
{
    void *to = room(count * sizeof *items);
    if (to && count > 0) {
        memcpy(to, items, count * sizeof *items);
    }
    return to;
}

static const void *skin(const struct document *document, const struct document_thing *thing)
{
    const size_t floats = 3 * (size_t)document_skin_count(thing->skin) * sizeof(float);
    float *to = room(floats);
    double *scratch = malloc(3 * (size_t)thing->particle_count * sizeof *scratch);
    if (to && !scratch) {
        snprintf(text, sizeof text, "MEMORY: no memory for a skin");
    } else if (to && floats > 0) {
        document_surface_positions(document, thing->id, scratch, to);
    }
    const bool made = scratch != NULL;
    free(scratch);
    return made ? to : NULL;
}

static const void *floats(const struct document *document, const struct document_thing *thing,
                          enum machine_array array)
{
    const uint32_t count = thing->particle_count;
    float *to = room(3 * (size_t)count * sizeof *to);
    if (!to) {
        return NULL;
    }
    if (array == MACHINE_POSITIONS) {
        sim_body_positions(document->sim, thing->id, 0, count, to);
    } else if (array == MACHINE_VELOCITIES) {
        sim_body_velocities(document->sim, thing->id, 0, count, to);
    } else {
        sim_body_normals(document->sim, thing->id, to);
    }
    return to;
}

static const void *rotations(const struct document *document, const struct document_thing *thing)
{
    const uint32_t count = sim_body_turns(document->sim, thing->id) ? thing->particle_count : 0;
    float *to = room(4 * (size_t)count * sizeof *to);
    if (to && count > 0) {
        sim_body_rotations(document->sim, thing->id, 0, count, to);
    }
    return to;
}

const void *machine_array(const struct document *document, uint32_t body, uint32_t array)
{
    const struct document_thing *thing = document_things_by_id(&document->bodies, body);
    struct sim_body_info info;
    if (!thing || array >= MACHINE_ARRAYS || !sim_body_info(document->sim, body, &info)) {
        snprintf(text, sizeof text, "NOT_FOUND: there is no body %u", (unsigned)body);
        return NULL;
    }
    struct document_surface surface = {0};
    switch ((enum machine_array)array) {
    case MACHINE_SKIN:
        return skin(document, thing);
    case MACHINE_ROTATIONS:
        return rotations(document, thing);
    case MACHINE_TRIANGLES:
        return copy(info.triangles, 3 * (size_t)info.triangle_count);
    case MACHINE_EDGES:
        return copy(info.edges, 2 * (size_t)info.edge_count);
    case MACHINE_TETS:
        return copy(info.tets, 4 * (size_t)info.tet_count);
    case MACHINE_SKIN_TRIANGLES:
        document_surface(document, body, &surface);
        return copy(surface.triangles, 3 * (size_t)surface.triangle_count);
    default:
        return floats(document, thing, (enum machine_array)array);
    }
}

static void pack_grabs(const struct sim *sim, msgpack_packer *packer)
{
    const uint32_t count = sim_grab_count(sim);
    msgpack_pack_array(packer, count);
    for (uint32_t g = 0; g < count; g++) {
        struct sim_grab grab;
        struct protocol_grab_summary summary;
        sim_grab_at(sim, g, &grab);
        document_grab_fill(&grab, &summary);
        protocol_encode(&protocol_grab_summary_type, &summary, PROTOCOL_ARRAYS_PLAIN, packer);
    }
}

static void pack_poses(const struct sim *sim, uint32_t substep, msgpack_packer *packer)
{
    const uint32_t count = sim_collider_count(sim);
    struct protocol_collider_pose pose;
    uint32_t driven = 0;
    for (uint32_t c = 0; c < count; c++) {
        driven += document_pose_fill(sim, c, substep, &pose);
    }
    msgpack_pack_array(packer, driven);
    for (uint32_t c = 0; c < count; c++) {
        if (document_pose_fill(sim, c, substep, &pose)) {
            protocol_encode(&protocol_collider_pose_type, &pose, PROTOCOL_ARRAYS_PLAIN, packer);
        }
    }
}

static bool is_asleep(const struct sim *sim, uint32_t position)
{
    struct sim_body_info info;
    return sim_body_info(sim, sim_body_id_at(sim, position), &info) && info.asleep;
}

static void pack_asleep(const struct sim *sim, msgpack_packer *packer)
{
    const uint32_t bodies = sim_body_count(sim);
    uint32_t count = 0;
    for (uint32_t b = 0; b < bodies; b++) {
        count += is_asleep(sim, b);
    }
    msgpack_pack_array(packer, count);
    for (uint32_t b = 0; b < bodies; b++) {
        if (is_asleep(sim, b)) {
            msgpack_pack_uint32(packer, sim_body_id_at(sim, b));
        }
    }
}

// False without memory.
static bool pack_contacts(const struct document *document, msgpack_packer *packer)
{
    struct protocol_contacts contacts;
    struct protocol_contact_places *places;
    if (!document_contacts_fill(document, &contacts, &places)) {
        return false;
    }
    protocol_encode(&protocol_contacts_type, &contacts, PROTOCOL_ARRAYS_EXT, packer);
    free(places);
    return true;
}

static bool pack_part(const struct document *document, enum machine_part part, uint32_t substep,
                      msgpack_packer *packer)
{
    struct protocol_measures measures;
    struct protocol_contact contact;
    struct protocol_world_create_params settings;
    switch (part) {
    case MACHINE_MEASURES:
        document_measures_fill(document->sim, &measures);
        protocol_encode(&protocol_measures_type, &measures, PROTOCOL_ARRAYS_PLAIN, packer);
        return true;
    case MACHINE_CONTACT:
        document_contact_fill(document->sim, &contact);
        protocol_encode(&protocol_contact_type, &contact, PROTOCOL_ARRAYS_PLAIN, packer);
        return true;
    case MACHINE_CONTACTS:
        return pack_contacts(document, packer);
    case MACHINE_GRABS:
        pack_grabs(document->sim, packer);
        return true;
    case MACHINE_ASLEEP:
        pack_asleep(document->sim, packer);
        return true;
    case MACHINE_COLLIDERS:
        pack_poses(document->sim, substep, packer);
        return true;
    default:
        document_settings(document, &settings);
        protocol_encode(&protocol_world_create_params_type, &settings, PROTOCOL_ARRAYS_PLAIN, packer);
        return true;
    }
}

const void *machine_part(const struct document *document, uint32_t part, uint32_t substep)
{
    msgpack_packer packer;
    protocol_bytes_clear(&parts);
    shown_size = 0;
    msgpack_packer_init(&packer, &parts, protocol_bytes_write);
    if (!pack_part(document, (enum machine_part)part, substep, &packer) || parts.failed) {
        snprintf(text, sizeof text, "MEMORY: no memory for a moment");
        return NULL;
    }
    shown_size = parts.size;
    return parts.data;
}
