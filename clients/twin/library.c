#include "twin/library.h"

#include "base/clock.h"
#include "document/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)WEFT_TWIN_NAME_SIZE >= (int)DOCUMENT_NAME_SIZE, "names fit");
_Static_assert((int)WEFT_TEXT_SIZE >= (int)PROTOCOL_TEXT_MAX, "texts fit");

// Copies a server's text in a form that is fit for a terminal.
static void show(const char *text, size_t size, char *out, size_t out_size)
{
    const msgpack_object value = {.type = MSGPACK_OBJECT_STR,
                                  .via.str = {.size = (uint32_t)size, .ptr = text}};
    weft_string_copy(&value, out, out_size);
}

bool twin_library_fail(struct weft_error *error, enum weft_kind kind, const char *code, const char *text)
{
    if (error) {
        *error = (struct weft_error){.kind = kind};
        snprintf(error->code, sizeof error->code, "%s", code);
        show(text, strlen(text), error->text, sizeof error->text);
    }
    return false;
}

struct weft_twin *weft_twin_create(const struct weft_twin_options *options, struct weft_error *error)
{
    const struct twin_bounds bounds = {.image_bytes = options ? options->image_bytes : 0,
                                       .waiting_bytes = options ? options->waiting_bytes : 0};
    struct weft_twin *twin = calloc(1, sizeof *twin);
    if (twin) {
        twin->twin = twin_create(&bounds);
    }
    if (!twin || !twin->twin) {
        free(twin);
        twin_library_fail(error, WEFT_KIND_LOCAL, "MEMORY", "no memory for a twin");
        return NULL;
    }
    return twin;
}

void weft_twin_destroy(struct weft_twin *twin)
{
    if (!twin) {
        return;
    }
    if (twin->follow) {
        twin->unfollow(twin->follow);
    }
    twin_destroy(twin->twin);
    free(twin);
}

bool weft_twin_take(struct weft_twin *twin, const msgpack_object *params, uint64_t now_us,
                    struct weft_error *error)
{
    struct protocol_error why = {0};
    if (!params) {
        return twin_library_fail(error, WEFT_KIND_LOCAL, "USAGE", "stream.records needs its map");
    }
    if (twin_take(twin->twin, params, now_us, &why)) {
        return true;
    }
    if (why.code == PROTOCOL_CODE_MEMORY) {
        return twin_library_fail(error, WEFT_KIND_LOCAL, "MEMORY", why.text);
    }
    if (why.code == PROTOCOL_CODE_LIMIT) {
        return twin_library_fail(error, WEFT_KIND_LOCAL, "LIMIT", why.text);
    }
    return twin_library_fail(error, WEFT_KIND_TRANSPORT, "PROTOCOL", why.text);
}

bool weft_twin_step(struct weft_twin *twin, uint64_t until)
{
    return twin_step(twin->twin, until, NULL, NULL);
}

uint64_t weft_twin_wanted(const struct weft_twin *twin, uint64_t now_us)
{
    return twin_wanted(twin->twin, now_us);
}

uint64_t weft_twin_now_us(void)
{
    return base_now_ns() / 1000;
}

// ---------------------------------------------------------------------------------------------------------
// State

void weft_twin_state(const struct weft_twin *twin, struct weft_twin_state *out)
{
    const struct twin_state state = twin_state(twin->twin);
    const struct document *document = twin_document(twin->twin);
    *out = (struct weft_twin_state){
        .begun = state.begun,
        .lost = state.lost,
        .differs = state.differs,
        .playing = state.playing,
        .failed = state.failed,
        .tick = state.tick,
        .told_tick = state.told_tick,
        .same_tick = state.same_tick,
        .sequence = state.sequence,
        .hashes = state.hashes,
        .differences = state.differences,
        .losses = state.losses,
        .images = state.images,
        .joins = twin->joins,
        .records = state.applied,
        .rate = state.rate,
        .delay_s = state.delay_s,
        .tick_rate = document ? sim_settings_of(document->sim)->tick_rate : 0,
    };
    show(state.text, strlen(state.text), out->text, sizeof out->text);
}

bool weft_twin_hash(const struct weft_twin *twin, uint64_t *hash)
{
    const struct document *document = twin_document(twin->twin);
    *hash = document ? document_hash(document) : 0;
    return document != NULL;
}

uint32_t weft_twin_body_count(const struct weft_twin *twin)
{
    const struct document *document = twin_document(twin->twin);
    return document ? sim_body_count(document->sim) : 0;
}

uint32_t weft_twin_body_id(const struct weft_twin *twin, uint32_t index)
{
    return index < weft_twin_body_count(twin) ? sim_body_id_at(twin_document(twin->twin)->sim, index) : 0;
}

bool weft_twin_body(const struct weft_twin *twin, uint32_t body, struct weft_twin_body *out)
{
    const struct document *document = twin_document(twin->twin);
    struct sim_body_info info;
    *out = (struct weft_twin_body){0};
    if (!document || !sim_body_info(document->sim, body, &info)) {
        return false;
    }
    const struct protocol_string name = document_body_name(document, body);
    *out = (struct weft_twin_body){.body = body,
                                   .particle_count = info.particle_count,
                                   .triangle_count = info.triangle_count,
                                   .triangles = info.triangles};
    show(name.data, name.size, out->name, sizeof out->name);
    return true;
}

// The sim with that range of particles; NULL if there is no such range.
static const struct sim *sim_with(const struct weft_twin *twin, uint32_t body, uint32_t first, uint32_t count)
{
    const struct document *document = twin_document(twin->twin);
    struct sim_body_info info;
    if (!document || !sim_body_info(document->sim, body, &info) || first > info.particle_count ||
        count > info.particle_count - first) {
        return NULL;
    }
    return document->sim;
}

bool weft_twin_positions(const struct weft_twin *twin, uint32_t body, uint32_t first, uint32_t count,
                         float *out)
{
    const struct sim *sim = sim_with(twin, body, first, count);
    if (sim) {
        sim_body_positions(sim, body, first, count, out);
    }
    return sim != NULL;
}

bool weft_twin_positions64(const struct weft_twin *twin, uint32_t body, uint32_t first, uint32_t count,
                           double *out)
{
    const struct sim *sim = sim_with(twin, body, first, count);
    if (sim) {
        sim_body_positions64(sim, body, first, count, out);
    }
    return sim != NULL;
}

bool weft_twin_velocities(const struct weft_twin *twin, uint32_t body, uint32_t first, uint32_t count,
                          float *out)
{
    const struct sim *sim = sim_with(twin, body, first, count);
    if (sim) {
        sim_body_velocities(sim, body, first, count, out);
    }
    return sim != NULL;
}

bool weft_twin_rotations(const struct weft_twin *twin, uint32_t body, uint32_t first, uint32_t count,
                         float *out)
{
    const struct sim *sim = sim_with(twin, body, first, count);
    const bool turns = sim && sim_body_turns(sim, body);
    if (turns) {
        sim_body_rotations(sim, body, first, count, out);
    }
    return turns;
}

bool weft_twin_rotations64(const struct weft_twin *twin, uint32_t body, uint32_t first, uint32_t count,
                           double *out)
{
    const struct sim *sim = sim_with(twin, body, first, count);
    const bool turns = sim && sim_body_turns(sim, body);
    if (turns) {
        sim_body_rotations64(sim, body, first, count, out);
    }
    return turns;
}

bool weft_twin_measures(const struct weft_twin *twin, struct weft_twin_measures *out)
{
    const struct document *document = twin_document(twin->twin);
    struct sim_measures measures;
    *out = (struct weft_twin_measures){0};
    if (!document) {
        return false;
    }
    sim_measure(document->sim, &measures);
    *out = (struct weft_twin_measures){.kinetic = measures.kinetic,
                                       .potential = measures.potential,
                                       .strain_max = measures.error_max[SIM_DISTANCE],
                                       .strain_rms = measures.error_rms[SIM_DISTANCE],
                                       .volume_error_max = measures.error_max[SIM_VOLUME],
                                       .volume_error_rms = measures.error_rms[SIM_VOLUME],
                                       .contacts = measures.contacts};
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        out->elastic += measures.elastic[kind];
    }
    return true;
}
