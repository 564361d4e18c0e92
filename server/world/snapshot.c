// One moment of a world as chunks and frames.
//
//     format (arrays mode, array fields)          frame (selection)
//       body 1: | chunk |                          part 0: prefix | body 1 | body 2, first range |
//       body 2: | chunk | chunk | chunk |   ──▶    part 1: prefix | body 2, second range |
//       body 5: | chunk |                          ...
//
// A chunk is a range of one body's particles, encoded when the first frame of the moment needs it and shared
// by all frames that do. Ranges have a fixed number of particles, so that two frames that hold the same body
// hold the same chunks. A part is filled until the next chunk would pass the limit. A skin has chunks of its own,
// ranges of its vertices, which follow those of its body.
// Prefixes (prefix.c) and chunks are multiples of 8 long, so every array lies at a multiple of 8 from the
// start of the message.
#include "world/snapshot.h"

#include "base/assert.h"
#include "document/document.h"
#include "protocol/bytes.h"
#include "protocol/codec/codec.h"
#include "protocol/frame.h"
#include "world/people.h"
#include "world/prefix.h"

#include <stdlib.h>
#include <string.h>

enum {
    SNAPSHOT_PREFIX_MAX = 1024,    // bytes of a prefix with measures and contact, without grabs
    SNAPSHOT_CHUNK_HEAD_MAX = 256, // bytes of a chunk besides its numbers
    SNAPSHOT_RANGE_BYTES = (int)PROTOCOL_LIMIT_FRAME_PART_BYTES - PROTOCOL_FRAME_HEAD_SIZE -
                           SNAPSHOT_PREFIX_MAX - SNAPSHOT_CHUNK_HEAD_MAX,
    SNAPSHOT_PARTICLES_MAX = SNAPSHOT_RANGE_BYTES / 12, // three floats each
    FIELD_POSITIONS = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_POSITIONS,
    FIELD_POSITIONS64 = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_POSITIONS64,
    FIELD_VELOCITIES = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_VELOCITIES,
    FIELD_NORMALS = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_NORMALS,
    FIELD_SKIN = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_SKIN,
    FIELDS_OF_CHUNKS = FIELD_POSITIONS | FIELD_POSITIONS64 | FIELD_VELOCITIES | FIELD_NORMALS,
};

_Static_assert(FIELDS_OF_CHUNKS == (1 << WORLD_CHUNK_FIELDS) - 1, "array fields are the lowest bits");

// ---------------------------------------------------------------------------------------------------------
// Memory

static bool reserve(void **items, size_t *capacity, size_t count, size_t item_size)
{
    if (count <= *capacity) {
        return true;
    }
    size_t grown_capacity = count + count / 2;
    void *grown = realloc(*items, grown_capacity * item_size);
    if (!grown) {
        return false;
    }
    *items = grown;
    *capacity = grown_capacity;
    return true;
}

static bool reserve_u32(void **items, uint32_t *capacity, size_t count, size_t item_size)
{
    size_t wide = *capacity;
    bool done = reserve(items, &wide, count, item_size);
    *capacity = (uint32_t)wide;
    return done;
}

bool world_snapshot_prepare(struct world_snapshot *snapshot)
{
    if (!snapshot->positions) {
        snapshot->positions = malloc(3 * SNAPSHOT_PARTICLES_MAX * sizeof *snapshot->positions);
    }
    if (!snapshot->velocities) {
        snapshot->velocities = malloc(3 * SNAPSHOT_PARTICLES_MAX * sizeof *snapshot->velocities);
    }
    if (!snapshot->positions64) {
        snapshot->positions64 = malloc(3 * SNAPSHOT_PARTICLES_MAX * sizeof *snapshot->positions64);
    }
    return snapshot->positions && snapshot->velocities && snapshot->positions64;
}

void world_snapshot_deinit(struct world_snapshot *snapshot)
{
    for (uint32_t f = 0; f < WORLD_FORMATS; f++) {
        BASE_ASSERT(!snapshot->formats[f].begun);
        free(snapshot->formats[f].first);
        free((void *)snapshot->formats[f].chunks);
    }
    protocol_bytes_deinit(&snapshot->measures);
    protocol_bytes_deinit(&snapshot->colliders);
    protocol_bytes_deinit(&snapshot->contact);
    for (uint32_t mode = 0; mode < WORLD_ARRAYS_MODES; mode++) {
        BASE_ASSERT(!snapshot->skins[mode].begun);
        free(snapshot->skins[mode].first);
        free((void *)snapshot->skins[mode].chunks);
        protocol_bytes_deinit(&snapshot->grabs[mode]);
        protocol_bytes_deinit(&snapshot->contacts[mode]);
    }
    free(snapshot->bases);
    free(snapshot->positions);
    free(snapshot->velocities);
    free(snapshot->positions64);
    free(snapshot->normals);
    free((void *)snapshot->picks);
}

// ---------------------------------------------------------------------------------------------------------
// Formats and chunks

static uint32_t item_bytes(uint32_t fields, enum protocol_arrays_mode arrays)
{
    uint32_t one = arrays == PROTOCOL_ARRAYS_PLAIN ? 5 : 4, two = arrays == PROTOCOL_ARRAYS_PLAIN ? 9 : 8;
    uint32_t bytes = 0;
    bytes += (fields & FIELD_POSITIONS) ? 3 * one : 0;
    bytes += (fields & FIELD_POSITIONS64) ? 3 * two : 0;
    bytes += (fields & FIELD_VELOCITIES) ? 3 * one : 0;
    bytes += (fields & FIELD_NORMALS) ? 3 * one : 0;
    bytes += (fields & FIELD_SKIN) ? 3 * one : 0;
    BASE_ASSERT(bytes > 0);
    return bytes;
}

static uint32_t format_range(uint32_t fields, enum protocol_arrays_mode arrays)
{
    return SNAPSHOT_RANGE_BYTES / item_bytes(fields, arrays);
}

// What a body's chunks with these fields are ranges of: particles, or vertices of its skin.
static uint32_t item_count(const struct document_thing *body, uint32_t fields)
{
    if (fields & FIELD_SKIN) {
        return document_skin_count(body->skin);
    }
    return body->particle_count;
}

static bool format_begin(struct world_snapshot *snapshot, struct world_format *format, uint32_t fields,
                         uint32_t range)
{
    const struct document_things *bodies = &snapshot->document->bodies;
    if (!reserve_u32((void **)&format->first, &format->first_capacity, (size_t)bodies->count + 1,
                     sizeof *format->first)) {
        return false;
    }
    size_t chunks = 0;
    for (uint32_t b = 0; b < bodies->count; b++) {
        format->first[b] = (uint32_t)chunks;
        chunks += ((size_t)item_count(&bodies->items[b], fields) + (range - 1)) / range;
    }
    format->first[bodies->count] = (uint32_t)chunks;
    if (!reserve_u32((void **)&format->chunks, &format->chunk_capacity, chunks,
                     sizeof(struct base_buffer *))) {
        return false;
    }
    for (size_t c = 0; c < chunks; c++) {
        format->chunks[c] = NULL;
    }
    format->chunk_count = (uint32_t)chunks;
    format->begun = true;
    return true;
}

static bool normals_make(struct world_snapshot *snapshot, const struct document_thing *body)
{
    if (snapshot->normals_body == body->id) {
        return true;
    }
    if (!reserve((void **)&snapshot->normals, &snapshot->normals_capacity, 3 * (size_t)body->particle_count,
                 sizeof *snapshot->normals)) {
        return false;
    }
    sim_body_normals(snapshot->document->sim, body->id, snapshot->normals);
    snapshot->normals_body = body->id;
    return true;
}

static bool skin_make(struct world_snapshot *snapshot, const struct document_thing *body, uint32_t first,
                      uint32_t count)
{
    if (snapshot->bases_body != body->id) {
        if (!reserve((void **)&snapshot->bases, &snapshot->bases_capacity, 3 * (size_t)body->particle_count,
                     sizeof *snapshot->bases)) {
            return false;
        }
        sim_body_positions64(snapshot->document->sim, body->id, 0, body->particle_count, snapshot->bases);
        snapshot->bases_body = body->id;
    }
    document_skin_positions(body->skin, snapshot->bases, first, count, snapshot->positions);
    return true;
}

static struct base_buffer *chunk_encode(struct world_snapshot *snapshot, const struct document_thing *body,
                                        uint32_t first, uint32_t count, uint32_t fields,
                                        enum protocol_arrays_mode arrays)
{
    struct codec_chunk chunk = {.body = body->id, .first = first, .count = count};
    BASE_ASSERT(count <= SNAPSHOT_PARTICLES_MAX);
    if (fields & FIELD_POSITIONS) {
        sim_body_positions(snapshot->document->sim, body->id, first, count, snapshot->positions);
        chunk.positions = snapshot->positions;
    }
    if (fields & FIELD_POSITIONS64) {
        sim_body_positions64(snapshot->document->sim, body->id, first, count, snapshot->positions64);
        chunk.positions64 = snapshot->positions64;
    }
    if (fields & FIELD_VELOCITIES) {
        sim_body_velocities(snapshot->document->sim, body->id, first, count, snapshot->velocities);
        chunk.velocities = snapshot->velocities;
    }
    if (fields & FIELD_NORMALS) {
        if (!normals_make(snapshot, body)) {
            return NULL;
        }
        chunk.normals = snapshot->normals + 3 * (size_t)first;
    }
    if (fields & FIELD_SKIN) {
        if (!skin_make(snapshot, body, first, count)) {
            return NULL;
        }
        chunk.skin = snapshot->positions;
    }
    size_t size = codec_size_f32(&chunk, arrays);
    BASE_ASSERT(size % 8 == 0 &&
                size + PROTOCOL_FRAME_HEAD_SIZE + SNAPSHOT_PREFIX_MAX <= PROTOCOL_LIMIT_FRAME_PART_BYTES);
    struct base_buffer *buffer = base_buffer_create(size, snapshot->budget);
    snapshot->unfit = !buffer && !base_budget_fits(snapshot->budget, size);
    if (buffer) {
        size_t written = codec_encode_f32(&chunk, arrays, buffer->data);
        BASE_ASSERT(written == size);
    }
    return buffer;
}

// Adds the chunks of one body to the picks.
static bool pick_body(struct world_snapshot *snapshot, struct world_format *format, uint32_t position,
                      uint32_t fields, enum protocol_arrays_mode arrays, uint32_t range)
{
    const struct document_thing *body = &snapshot->document->bodies.items[position];
    uint32_t begin = format->first[position], end = format->first[position + 1];
    if (!reserve_u32((void **)&snapshot->picks, &snapshot->pick_capacity,
                     (size_t)snapshot->pick_count + (end - begin), sizeof(struct base_buffer *))) {
        return false;
    }
    for (uint32_t c = begin; c < end; c++) {
        if (!format->chunks[c]) {
            uint32_t first = (c - begin) * range;
            uint32_t left = item_count(body, fields) - first;
            format->chunks[c] =
                chunk_encode(snapshot, body, first, left < range ? left : range, fields, arrays);
            if (!format->chunks[c]) {
                return false;
            }
        }
        snapshot->picks[snapshot->pick_count++] = format->chunks[c];
    }
    return true;
}

// One way of encoding that a selection asks for: fields of particles, or the skin.
struct pick {
    struct world_format *format; // NULL: not wanted
    uint32_t fields, range;
};

static bool pick_init(struct world_snapshot *snapshot, const struct world_selection *selection, bool skin,
                      struct pick *pick)
{
    const uint32_t fields = selection->fields & (skin ? FIELD_SKIN : FIELDS_OF_CHUNKS);
    *pick = (struct pick){.fields = fields};
    if (fields == 0) {
        return true;
    }
    pick->format = skin ? &snapshot->skins[selection->arrays]
                        : &snapshot->formats[((uint32_t)selection->arrays << WORLD_CHUNK_FIELDS) | fields];
    pick->range = format_range(fields, selection->arrays);
    return pick->format->begun || format_begin(snapshot, pick->format, fields, pick->range);
}

static bool pick_all(struct world_snapshot *snapshot, const struct world_selection *selection)
{
    struct pick picks[2];
    snapshot->pick_count = 0;
    if (!pick_init(snapshot, selection, false, &picks[0]) ||
        !pick_init(snapshot, selection, true, &picks[1])) {
        return false;
    }
    const uint32_t count = selection->all ? snapshot->document->bodies.count : selection->body_count;
    for (uint32_t i = 0; i < count; i++) {
        const struct document_thing *body =
            selection->all ? &snapshot->document->bodies.items[i]
                           : document_things_by_id(&snapshot->document->bodies, selection->bodies[i]);
        for (uint32_t p = 0; body && p < 2; p++) {
            if (picks[p].format &&
                !pick_body(snapshot, picks[p].format, (uint32_t)(body - snapshot->document->bodies.items),
                           picks[p].fields, selection->arrays, picks[p].range)) {
                return false;
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Frames

// How many of the picks from `from` on go into this part.
static uint32_t part_fill(const struct world_snapshot *snapshot, const struct world_selection *selection,
                          uint32_t part, uint32_t from)
{
    uint32_t zeros, count = 0;
    size_t size = PROTOCOL_FRAME_HEAD_SIZE + world_prefix_size(snapshot, selection, part, &zeros);
    while (from + count < snapshot->pick_count) {
        size += snapshot->picks[from + count]->size;
        if (size > PROTOCOL_LIMIT_FRAME_PART_BYTES) {
            break;
        }
        count++;
    }
    BASE_ASSERT(count > 0 || part == 0 || from == snapshot->pick_count);
    return count;
}

static bool part_make(struct world_snapshot *snapshot, const struct world_selection *selection,
                      struct base_frame *frame, uint32_t part, uint32_t from, uint32_t count)
{
    struct base_frame_part *out = &frame->parts[part];
    out->buffers = malloc((1 + (size_t)count) * sizeof(struct base_buffer *));
    if (!out->buffers) {
        return false;
    }
    struct base_buffer *prefix = world_prefix_encode(snapshot, selection, part, frame->part_count, count);
    if (!prefix) {
        snapshot->unfit = !base_budget_fits(snapshot->budget, SNAPSHOT_PREFIX_MAX);
        return false;
    }
    out->buffers[out->buffer_count++] = prefix;
    out->size = prefix->size;
    for (uint32_t c = 0; c < count; c++) {
        struct base_buffer *chunk = snapshot->picks[from + c];
        out->buffers[out->buffer_count++] = base_buffer_ref(chunk);
        out->size += chunk->size;
    }
    frame->size += out->size;
    return true;
}

void world_snapshot_begin(struct world_snapshot *snapshot, const struct world_moment *moment)
{
    snapshot->moment = *moment;
    snapshot->measures_made = snapshot->colliders_made = snapshot->contact_made = false;
    for (uint32_t mode = 0; mode < WORLD_ARRAYS_MODES; mode++) {
        snapshot->grabs_made[mode] = snapshot->contacts_made[mode] = false;
    }
    snapshot->normals_body = 0;
    snapshot->bases_body = 0;
}

struct base_frame *world_snapshot_frame(struct world_snapshot *snapshot,
                                        const struct world_selection *selection)
{
    snapshot->unfit = false;
    if (!world_prefix_prepare(snapshot, selection) || !pick_all(snapshot, selection)) {
        return NULL;
    }
    uint32_t parts = 0, from = 0;
    do {
        from += part_fill(snapshot, selection, parts++, from);
    } while (from < snapshot->pick_count);
    struct base_frame *frame = base_frame_create(parts);
    if (!frame) {
        return NULL;
    }
    frame->key_count = world_prefix_keys(selection->fields);
    from = 0;
    for (uint32_t part = 0; part < parts; part++) {
        uint32_t count = part_fill(snapshot, selection, part, from);
        if (!part_make(snapshot, selection, frame, part, from, count)) {
            base_frame_unref(frame);
            return NULL;
        }
        from += count;
    }
    return frame;
}

size_t world_snapshot_size(const struct world_snapshot *snapshot, const struct world_selection *selection)
{
    const uint32_t fields[2] = {selection->fields & FIELDS_OF_CHUNKS, selection->fields & FIELD_SKIN};
    const uint32_t count = selection->all ? snapshot->document->bodies.count : selection->body_count;
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct document_thing *body =
            selection->all ? &snapshot->document->bodies.items[i]
                           : document_things_by_id(&snapshot->document->bodies, selection->bodies[i]);
        for (int f = 0; body && f < 2; f++) {
            if (fields[f] != 0) {
                bytes += (size_t)item_count(body, fields[f]) * item_bytes(fields[f], selection->arrays);
            }
        }
    }
    return bytes;
}

static void format_end(struct world_format *format)
{
    for (uint32_t c = 0; format->begun && c < format->chunk_count; c++) {
        base_buffer_unref(format->chunks[c]);
    }
    format->begun = false;
}

void world_snapshot_end(struct world_snapshot *snapshot)
{
    for (uint32_t f = 0; f < WORLD_FORMATS; f++) {
        format_end(&snapshot->formats[f]);
    }
    for (uint32_t mode = 0; mode < WORLD_ARRAYS_MODES; mode++) {
        format_end(&snapshot->skins[mode]);
    }
}
