// Encodes one moment of a world as chunks and frames.
//
//     format (arrays mode, array fields)          frame (selection)
//       body 1: | chunk |                          part 0: prefix | body 1 | body 2, first range |
//       body 2: | chunk | chunk | chunk |   ──▶    part 1: prefix | body 2, second range |
//       body 5: | chunk |                          ...
//
// A chunk is a range of one body's particles. It is encoded when the first frame of the moment needs it, and
// shared by all frames that do. Ranges have a fixed number of particles, so two frames of the same body hold
// the same chunks. A part is filled until the next chunk would exceed the limit. A skin has chunks of its
// own, ranges of its vertices, after those of its body.
// Prefixes (prefix.c) and chunks are multiples of 8 bytes long, so every array begins at a multiple of 8 from
// the start of the message.
#include "world/frames/snapshot.h"

#include "base/assert.h"
#include "base/hash.h"
#include "document/document.h"
#include "protocol/array/reserve.h"
#include "protocol/bytes.h"
#include "protocol/codec/codec.h"
#include "protocol/frame.h"
#include "world/frames/chain.h"
#include "world/frames/effort.h"
#include "world/frames/gather.h"
#include "world/frames/packed.h"
#include "world/frames/prefix.h"
#include "world/people/people.h"

#include <stdlib.h>
#include <string.h>

enum {
    SNAPSHOT_PARTICLES_MAX = WORLD_RANGE_BYTES / 12, // three floats each
    FIELD_POSITIONS = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_POSITIONS,
    FIELD_POSITIONS64 = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_POSITIONS64,
    FIELD_VELOCITIES = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_VELOCITIES,
    FIELD_NORMALS = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_NORMALS,
    FIELD_SKIN = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_SKIN,
    FIELD_ROTATIONS = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_ROTATIONS,
    FIELD_ROTATIONS64 = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_ROTATIONS64,
    FIELDS_OF_ALL = FIELD_POSITIONS | FIELD_POSITIONS64 | FIELD_VELOCITIES | FIELD_NORMALS,
    FIELDS_OF_TURNED = FIELD_ROTATIONS | FIELD_ROTATIONS64, // only bodies with orientations have them
    FIELDS_OF_CHUNKS = FIELDS_OF_ALL | FIELDS_OF_TURNED,
};

_Static_assert(FIELDS_OF_ALL == 15 && FIELD_ROTATIONS64 == 2 * FIELD_ROTATIONS, "for format_number");

// ---------------------------------------------------------------------------------------------------------
// Memory

bool world_snapshot_prepare(struct world_snapshot *snapshot)
{
    if (!snapshot->positions) {
        snapshot->positions = malloc(3 * SNAPSHOT_PARTICLES_MAX * sizeof *snapshot->positions);
    }
    if (!snapshot->velocities) {
        snapshot->velocities = malloc(3 * SNAPSHOT_PARTICLES_MAX * sizeof *snapshot->velocities);
    }
    if (!snapshot->normals_picked) {
        snapshot->normals_picked = malloc(3 * SNAPSHOT_PARTICLES_MAX * sizeof *snapshot->normals_picked);
    }
    if (!snapshot->positions64) {
        snapshot->positions64 = malloc(3 * SNAPSHOT_PARTICLES_MAX * sizeof *snapshot->positions64);
    }
    return snapshot->positions && snapshot->velocities && snapshot->normals_picked && snapshot->positions64;
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
    protocol_bytes_deinit(&snapshot->asleep);
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
    free(snapshot->rotations);
    free(snapshot->rotations64);
    free(snapshot->normals);
    free(snapshot->normals_picked);
    free((void *)snapshot->picks.items);
    free((void *)snapshot->keys.items);
    free(snapshot->gathered);
    free(snapshot->tiled);
    free(snapshot->tiles);
    free(snapshot->packed);
    base_hash_destroy(snapshot->hash);
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
    bytes += (fields & FIELD_ROTATIONS) ? 4 * one : 0;
    bytes += (fields & FIELD_ROTATIONS64) ? 4 * two : 0;
    bytes += (fields & FIELD_SKIN) ? 3 * one : 0;
    BASE_ASSERT(bytes > 0);
    return bytes;
}

static uint32_t format_range(uint32_t fields, enum protocol_arrays_mode arrays)
{
    return WORLD_RANGE_BYTES / item_bytes(fields, arrays);
}

// Index of the format with these fields of particles. Those with rotations come last.
static uint32_t format_number(uint32_t fields, enum protocol_arrays_mode arrays)
{
    const uint32_t turned = (fields & FIELDS_OF_TURNED) / FIELD_ROTATIONS;
    return (turned * WORLD_ARRAYS_MODES + (uint32_t)arrays) * (FIELDS_OF_ALL + 1) + (fields & FIELDS_OF_ALL);
}

// Returns those of the fields that the body has.
static uint32_t fields_of(const struct world_snapshot *snapshot, const struct document_thing *body,
                          uint32_t fields)
{
    const bool lacks = (fields & FIELDS_OF_TURNED) && !sim_body_turns(snapshot->document->sim, body->id);
    return lacks ? fields & ~(uint32_t)FIELDS_OF_TURNED : fields;
}

// Counts the items that a body's chunks with these fields are ranges of: particles or vertices of its skin,
// all or every nth. 0 without fields.
static uint32_t item_count(const struct document_thing *body, uint32_t fields, uint32_t nth)
{
    const uint32_t all = fields == 0             ? 0
                         : (fields & FIELD_SKIN) ? document_skin_count(body->skin)
                                                 : body->particle_count;
    return all / nth + (all % nth != 0);
}

// One encoding that a selection wants: fields of particles, or the skin.
struct pick {
    struct world_format *format; // NULL: not wanted
    enum protocol_arrays_mode arrays;
    uint32_t fields, range, nth; // range: items of a chunk that has all of the fields
};

static uint32_t range_of(const struct pick *pick, uint32_t fields)
{
    return fields == pick->fields ? pick->range : fields == 0 ? 0 : format_range(fields, pick->arrays);
}

static bool format_begin(struct world_snapshot *snapshot, const struct pick *pick)
{
    struct world_format *format = pick->format;
    const struct document_things *bodies = &snapshot->document->bodies;
    if (!array_reserve(&format->first, &format->first_capacity, (uint64_t)bodies->count + 1)) {
        return false;
    }
    size_t chunks = 0;
    for (uint32_t b = 0; b < bodies->count; b++) {
        format->first[b] = (uint32_t)chunks;
        const uint32_t fields = fields_of(snapshot, &bodies->items[b], pick->fields);
        const size_t items = item_count(&bodies->items[b], fields, pick->nth);
        chunks += items == 0 ? 0 : (items - 1) / range_of(pick, fields) + 1;
    }
    format->first[bodies->count] = (uint32_t)chunks;
    if (!array_reserve(&format->chunks, &format->chunk_capacity, chunks)) {
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
    if (!array_reserve(&snapshot->normals, &snapshot->normals_capacity, 3 * (uint64_t)body->particle_count)) {
        return false;
    }
    snapshot->work += (uint64_t)body->particle_count * WORLD_PRICE_NORMAL;
    sim_body_normals(snapshot->document->sim, body->id, snapshot->normals);
    snapshot->normals_body = body->id;
    return true;
}

static bool normals_take(struct world_snapshot *snapshot, const struct document_thing *body, uint32_t first,
                         uint32_t count, uint32_t nth, const float **out)
{
    if (!normals_make(snapshot, body)) {
        return false;
    }
    float *picked = snapshot->normals_picked;
    *out = nth == 1 ? snapshot->normals + 3 * (size_t)first : picked;
    for (uint32_t i = 0; nth > 1 && i < count; i++) {
        memcpy(picked + 3 * (size_t)i, snapshot->normals + 3 * (size_t)(first + i) * nth, 3 * sizeof *picked);
    }
    return true;
}

static bool rotations_take(struct world_snapshot *snapshot, const struct document_thing *body,
                           uint32_t fields, uint32_t nth, struct codec_chunk *chunk)
{
    const uint64_t numbers = 4 * (uint64_t)chunk->count;
    if (fields & FIELD_ROTATIONS) {
        if (!array_reserve(&snapshot->rotations, &snapshot->rotations_capacity, numbers)) {
            return false;
        }
        world_gather(snapshot, body, WORLD_ARRAY_ROTATIONS, chunk->first, chunk->count, nth,
                     snapshot->rotations);
        chunk->rotations = snapshot->rotations;
    }
    if (fields & FIELD_ROTATIONS64) {
        if (!array_reserve(&snapshot->rotations64, &snapshot->rotations64_capacity, numbers)) {
            return false;
        }
        world_gather(snapshot, body, WORLD_ARRAY_ROTATIONS64, chunk->first, chunk->count, nth,
                     snapshot->rotations64);
        chunk->rotations64 = snapshot->rotations64;
    }
    return true;
}

static struct base_buffer *chunk_encode(struct world_snapshot *snapshot, const struct document_thing *body,
                                        uint32_t first, uint32_t count, const struct pick *pick)
{
    const enum protocol_arrays_mode arrays = pick->arrays;
    const uint32_t fields = fields_of(snapshot, body, pick->fields), nth = pick->nth;
    struct codec_chunk chunk = {.body = body->id, .first = first, .count = count};
    BASE_ASSERT(count <= SNAPSHOT_PARTICLES_MAX);
    snapshot->work +=
        WORLD_PRICE_CHUNK + (uint64_t)count * item_bytes(fields, arrays) / 12 * WORLD_PRICE_WRITE;
    if (fields & FIELD_POSITIONS) {
        world_gather(snapshot, body, WORLD_ARRAY_POSITIONS, first, count, nth, snapshot->positions);
        chunk.positions = snapshot->positions;
    }
    if (fields & FIELD_POSITIONS64) {
        world_gather(snapshot, body, WORLD_ARRAY_POSITIONS64, first, count, nth, snapshot->positions64);
        chunk.positions64 = snapshot->positions64;
    }
    if (fields & FIELD_VELOCITIES) {
        world_gather(snapshot, body, WORLD_ARRAY_VELOCITIES, first, count, nth, snapshot->velocities);
        chunk.velocities = snapshot->velocities;
    }
    if ((fields & FIELD_NORMALS) && !normals_take(snapshot, body, first, count, nth, &chunk.normals)) {
        return NULL;
    }
    if ((fields & FIELDS_OF_TURNED) && !rotations_take(snapshot, body, fields, nth, &chunk)) {
        return NULL;
    }
    if (fields & FIELD_SKIN) {
        if (!world_gather(snapshot, body, WORLD_ARRAY_SKIN, first, count, nth, snapshot->positions)) {
            return NULL;
        }
        chunk.skin = snapshot->positions;
    }
    size_t size = codec_size_f32(&chunk, arrays);
    BASE_ASSERT(size % 8 == 0 &&
                size + PROTOCOL_FRAME_HEAD_SIZE + WORLD_PREFIX_MAX <= PROTOCOL_LIMIT_FRAME_PART_BYTES);
    struct base_buffer *buffer = base_buffer_create(size, snapshot->budget);
    snapshot->unfit = !buffer && !base_budget_fits(snapshot->budget, size);
    if (buffer) {
        size_t written = codec_encode_f32(&chunk, arrays, buffer->data);
        BASE_ASSERT(written == size);
    }
    return buffer;
}

// Adds the chunks of one body to the picks.
static bool pick_body(struct world_snapshot *snapshot, const struct pick *pick,
                      const struct document_thing *body)
{
    struct world_format *format = pick->format;
    struct world_picks *picks = &snapshot->picks;
    const uint32_t position = (uint32_t)(body - snapshot->document->bodies.items);
    uint32_t begin = format->first[position], end = format->first[position + 1];
    if (!array_reserve(&picks->items, &picks->capacity, picks->count + (end - begin))) {
        return false;
    }
    const uint32_t fields = fields_of(snapshot, body, pick->fields);
    const uint32_t range = range_of(pick, fields);
    for (uint32_t c = begin; c < end; c++) {
        if (!format->chunks[c]) {
            uint32_t first = (c - begin) * range;
            uint32_t left = item_count(body, fields, pick->nth) - first;
            format->chunks[c] = chunk_encode(snapshot, body, first, left < range ? left : range, pick);
            if (!format->chunks[c]) {
                return false;
            }
        }
        picks->items[picks->count++] = format->chunks[c];
    }
    return true;
}

static bool pick_init(struct world_snapshot *snapshot, struct world_selection *selection, bool skin,
                      struct pick *pick)
{
    const struct world_stream_options *options = &selection->options;
    const uint32_t fields = options->fields & (skin ? FIELD_SKIN : FIELDS_OF_CHUNKS);
    *pick = (struct pick){.arrays = options->arrays, .fields = fields, .nth = options->nth};
    if (fields == 0) {
        return true;
    }
    pick->range = format_range(fields, options->arrays);
    if (options->nth > 1) {
        pick->format = &selection->own[skin];
    } else if (skin) {
        pick->format = &snapshot->skins[options->arrays];
    } else {
        const uint32_t number = format_number(fields, options->arrays);
        pick->format = &snapshot->formats[number];
        snapshot->format_top = snapshot->format_top > number ? snapshot->format_top : number + 1;
    }
    return pick->format->begun || format_begin(snapshot, pick);
}

static bool pick_all(struct world_snapshot *snapshot, struct world_selection *selection)
{
    struct pick picks[2];
    snapshot->picks.count = snapshot->picks.left_out = 0;
    if (!pick_init(snapshot, selection, false, &picks[0]) ||
        !pick_init(snapshot, selection, true, &picks[1])) {
        return false;
    }
    const bool any = picks[0].format || picks[1].format;
    const uint32_t count = any ? world_gather_body_count(snapshot, selection) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct document_thing *body = world_gather_body(snapshot, selection, i);
        for (uint32_t p = 0; body && p < 2; p++) {
            if (picks[p].format && !pick_body(snapshot, &picks[p], body)) {
                return false;
            }
        }
    }
    return true;
}

static void format_end(struct world_format *format)
{
    for (uint32_t c = 0; format->begun && c < format->chunk_count; c++) {
        base_buffer_unref(format->chunks[c]);
    }
    format->begun = false;
}

// ---------------------------------------------------------------------------------------------------------
// Frames

// Returns how many picks, from `from` on, go into this part.
static uint32_t part_fill(const struct world_snapshot *snapshot, const struct world_selection *selection,
                          const struct world_picks *picks, uint32_t part, size_t from)
{
    uint32_t zeros, count = 0;
    size_t size =
        PROTOCOL_FRAME_HEAD_SIZE + world_prefix_size(snapshot, selection, part, picks->left_out, &zeros);
    while (from + count < picks->count) {
        size += picks->items[from + count]->size;
        if (size > PROTOCOL_LIMIT_FRAME_PART_BYTES) {
            break;
        }
        count++;
    }
    BASE_ASSERT(count > 0 || part == 0 || from == picks->count);
    return count;
}

static bool part_make(struct world_snapshot *snapshot, const struct world_selection *selection,
                      const struct world_picks *picks, struct base_frame *frame, uint32_t part, size_t from,
                      uint32_t count)
{
    struct base_frame_part *out = &frame->parts[part];
    out->buffers = malloc((1 + (size_t)count) * sizeof(struct base_buffer *));
    if (!out->buffers) {
        return false;
    }
    struct base_buffer *prefix =
        world_prefix_encode(snapshot, selection, part, frame->part_count, count, picks->left_out);
    if (!prefix) {
        snapshot->unfit = !base_budget_fits(snapshot->budget, WORLD_PREFIX_MAX);
        return false;
    }
    out->buffers[out->buffer_count++] = prefix;
    out->size = prefix->size;
    for (uint32_t c = 0; c < count; c++) {
        struct base_buffer *chunk = picks->items[from + c];
        out->buffers[out->buffer_count++] = base_buffer_ref(chunk);
        out->size += chunk->size;
    }
    frame->size += out->size;
    return true;
}

void world_snapshot_begin(struct world_snapshot *snapshot, const struct world_moment *moment)
{
    snapshot->moment = *moment;
    snapshot->measures_made = snapshot->colliders_made = snapshot->contact_made = snapshot->asleep_made =
        false;
    for (uint32_t mode = 0; mode < WORLD_ARRAYS_MODES; mode++) {
        snapshot->grabs_made[mode] = snapshot->contacts_made[mode] = false;
    }
    snapshot->normals_body = 0;
    snapshot->bases_body = 0;
}

static struct base_frame *frame_make(struct world_snapshot *snapshot, const struct world_selection *selection,
                                     const struct world_picks *picks)
{
    uint32_t parts = 0;
    size_t from = 0;
    do {
        from += part_fill(snapshot, selection, picks, parts++, from);
    } while (from < picks->count);
    struct base_frame *frame = base_frame_create(parts);
    if (!frame) {
        return NULL;
    }
    frame->key_count = world_prefix_keys(snapshot, &selection->options, picks->left_out);
    from = 0;
    for (uint32_t part = 0; part < parts; part++) {
        uint32_t count = part_fill(snapshot, selection, picks, part, from);
        if (!part_make(snapshot, selection, picks, frame, part, from, count)) {
            base_frame_unref(frame);
            return NULL;
        }
        from += count;
    }
    return frame;
}

// Makes the frame of the picks, which builds on the one before if they lack anything, and its key.
static struct base_frame *chained_frame(struct world_snapshot *snapshot, struct world_selection *selection,
                                        enum world_purpose purpose, const struct world_packed *packed)
{
    struct base_frame *frame = frame_make(snapshot, selection, &snapshot->picks), *key = NULL;
    // If there is no key, or no memory for it, the streams that need it ask for another.
    if (frame && packed->builds_on != 0 && purpose == WORLD_FOR_ALL_KEYS) {
        key = frame_make(snapshot, selection, &snapshot->keys);
    }
    world_packed_let_go(snapshot);
    if (!frame) {
        world_packed_missed(snapshot, selection);
    } else {
        frame->number = packed->number;
        frame->builds_on = packed->builds_on;
        frame->key = key;
    }
    if (key) {
        key->number = packed->number;
    }
    return frame;
}

static struct base_frame *plain_frame(struct world_snapshot *snapshot, struct world_selection *selection,
                                      enum world_purpose purpose)
{
    struct world_packed packed;
    if (!pick_all(snapshot, selection)) {
        return NULL;
    }
    if (!selection->options.sparse) {
        return frame_make(snapshot, selection, &snapshot->picks);
    }
    return world_sparse_pick(snapshot, selection, purpose, &packed)
               ? chained_frame(snapshot, selection, purpose, &packed)
               : NULL;
}

// Returns the work of finding bodies in the box. A search ends at the first vertex in the box, but all
// vertices are counted, so that the price does not depend on where things are.
static uint64_t box_work(const struct world_snapshot *snapshot, const struct world_selection *selection)
{
    const uint32_t count = selection->options.boxed ? world_gather_body_count(snapshot, selection) : 0;
    uint64_t particles = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct document_things *bodies = &snapshot->document->bodies;
        const struct document_thing *body = selection->options.all
                                                ? &bodies->items[i]
                                                : document_things_by_id(bodies, selection->options.bodies[i]);
        particles += body ? body->particle_count : 0;
    }
    return particles * WORLD_PRICE_READ;
}

struct base_frame *world_snapshot_frame(struct world_snapshot *snapshot, struct world_selection *selection,
                                        enum world_purpose purpose)
{
    snapshot->unfit = false;
    snapshot->work += WORLD_PRICE_FRAME + box_work(snapshot, selection);
    if (!world_prefix_prepare(snapshot, selection)) {
        return NULL;
    }
    struct world_packed packed;
    if (selection->options.encoding != WORLD_F32) {
        return world_packed_pick(snapshot, selection, purpose, &packed)
                   ? chained_frame(snapshot, selection, purpose, &packed)
                   : NULL;
    }
    struct base_frame *frame = plain_frame(snapshot, selection, purpose);
    format_end(&selection->own[0]);
    format_end(&selection->own[1]);
    return frame;
}

size_t world_snapshot_size(const struct world_snapshot *snapshot, const struct world_selection *selection)
{
    const uint32_t fields[2] = {selection->options.fields & FIELDS_OF_CHUNKS,
                                selection->options.fields & FIELD_SKIN};
    const uint32_t count = world_gather_body_count(snapshot, selection);
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct document_thing *body = world_gather_body(snapshot, selection, i);
        for (int f = 0; body && f < 2; f++) {
            const uint32_t own = fields_of(snapshot, body, fields[f]);
            if (own != 0) {
                bytes += (size_t)item_count(body, own, selection->options.nth) *
                         item_bytes(own, selection->options.arrays);
            }
        }
    }
    return bytes;
}

void world_snapshot_end(struct world_snapshot *snapshot)
{
    for (uint32_t f = 0; f < snapshot->format_top; f++) {
        format_end(&snapshot->formats[f]);
    }
    snapshot->format_top = 0;
    for (uint32_t mode = 0; mode < WORLD_ARRAYS_MODES; mode++) {
        format_end(&snapshot->skins[mode]);
    }
}
