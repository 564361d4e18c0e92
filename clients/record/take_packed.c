// Compressed frames: positions as chunks of delta (protocol/codec/codec.h), in records (take_index.h).
//
//     the body of a record: f32 poses, where they are others than before | of each body: u32 bytes | a chunk
//
//     key ◀─ next ◀─ next … key ◀─ next …      each TAKE_GROUP records a key; a chunk's moment is the frame's number
//
// A recording that is continued gets the same bytes as without the stop: encoding the last group again restores the
// encoders, because it gives the same steps of the grid. If that gave other bytes than the file has, a key begins.
#include "protocol/codec/codec.h"
#include "record/take_index.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct take_packed {
    struct take_index index;
    struct codec_plan **plans; // one for each body; NULL: not needed yet
    struct codec_encoder **encoders;
    struct codec_decoder **decoders;
    unsigned char *room; // a record
    uint64_t body_max;
    float *poses;              // poses that were appended last
    uint64_t encoded, decoded; // frames that encoders and decoders hold, and the buffer's positions; NONE
    bool is_changed;           // since the index was written
};

static const uint64_t NONE = UINT64_MAX;

bool record_tolerance_fits(float tolerance)
{
    return tolerance >= 1e-9F && tolerance <= 1e3F;
}

static size_t poses_bytes(const struct record_take *take)
{
    return sizeof(float[RECORD_POSE]) * take->scene.collider_count;
}

bool take_packed_create(struct record_take *take, struct fault *fault)
{
    const size_t bodies = (size_t)take->scene.body_count + 1;
    struct take_packed *packed = calloc(1, sizeof *packed);
    take->packed = packed;
    if (!packed) {
        return record_fail_memory(fault);
    }
    packed->encoded = packed->decoded = NONE;
    packed->index.end = take->head_bytes;
    packed->body_max = poses_bytes(take);
    for (uint32_t b = 0; b < take->scene.body_count; b++) {
        packed->body_max += sizeof(uint32_t) + codec_delta_bound(take->scene.bodies[b].particle_count);
    }
    packed->plans = calloc(bodies, sizeof(void *));
    packed->encoders = calloc(bodies, sizeof(void *));
    packed->decoders = calloc(bodies, sizeof(void *));
    packed->room = malloc(TAKE_RECORD_HEAD + packed->body_max);
    packed->poses = malloc(poses_bytes(take) + 1);
    return (packed->plans && packed->encoders && packed->decoders && packed->room && packed->poses) ||
           record_fail_memory(fault);
}

void take_packed_close(struct record_take *take)
{
    struct take_packed *packed = take->packed;
    struct fault fault;
    if (!packed) {
        return;
    }
    // Without an index frames are found too, but more slowly.
    if (packed->is_changed && !take_index_write(&packed->index, take, &fault)) {
        (void)!ftruncate(take->file, (off_t)packed->index.end);
    }
    for (uint32_t b = 0; b < take->scene.body_count; b++) {
        if (packed->encoders) {
            codec_encoder_destroy(packed->encoders[b]);
        }
        if (packed->decoders) {
            codec_decoder_destroy(packed->decoders[b]);
        }
        if (packed->plans) {
            codec_plan_destroy(packed->plans[b]);
        }
    }
    free(packed->plans);
    free(packed->encoders);
    free(packed->decoders);
    free(packed->room);
    free(packed->poses);
    free(packed->index.places);
    free(packed);
}

bool take_packed_find(struct record_take *take, uint64_t file_bytes, struct fault *fault)
{
    struct take_packed *packed = take->packed;
    if (!take_index_read(&packed->index, take, file_bytes, packed->body_max, fault)) {
        return false;
    }
    take->count = packed->index.count;
    return true;
}

static bool make_plan(const struct record_take *take, uint32_t b, struct fault *fault)
{
    const struct record_body *body = &take->scene.bodies[b];
    struct codec_plan **plan = &take->packed->plans[b];
    const uint32_t corners = body->triangle_count > 0 ? 3 : 2;
    if (*plan) {
        return true;
    }
    const enum codec_status status =
        codec_plan_create(body->particle_count, corners, corners == 3 ? body->triangles : body->edges,
                          corners == 3 ? body->triangle_count : body->edge_count, plan);
    return status == CODEC_OK || record_fail_memory(fault); // its indices are below the number of particles
}

// ---------------------------------------------------------------------------------------------------------
// Reading

static bool damaged(const struct record_take *take, uint64_t index, struct fault *fault)
{
    return fault_set(fault, FAULT_DAMAGED, NULL,
                     "%s: frame %llu is damaged; weft convert leaves such frames out", take->path,
                     (unsigned long long)take->packed->index.places[index].number + 1);
}

// A record into the room, and its head; its body is what was written.
static bool load(const struct record_take *take, uint64_t index, struct take_record *record,
                 struct fault *fault)
{
    const struct take_packed *packed = take->packed;
    const struct take_place *place = &packed->index.places[index];
    if (!record_take_get(take, packed->room, TAKE_RECORD_HEAD + (size_t)place->size, place->at, fault)) {
        return false;
    }
    return (take_record_get(packed->room, record) && record->number == place->number &&
            record->size == place->size && record->back == place->back &&
            record->has_poses == (place->poses_back == 0) &&
            (!record->has_poses || record->size >= poses_bytes(take)) &&
            record->sum == take_sum(packed->room + TAKE_RECORD_HEAD, record->size)) ||
           damaged(take, index, fault);
}

// The chunks of a record that is loaded, each within it. NULL behind the last, and where they do not hold together.
static const unsigned char *next_chunk(const unsigned char **at, const unsigned char *end, uint32_t *size)
{
    if ((size_t)(end - *at) < sizeof *size) {
        return NULL;
    }
    memcpy(size, *at, sizeof *size);
    const unsigned char *chunk = *at + sizeof *size;
    if (*size > (size_t)(end - chunk)) {
        return NULL;
    }
    *at = chunk + *size;
    return chunk;
}

static const unsigned char *chunks_of(const struct record_take *take, const struct take_record *record)
{
    return take->packed->room + TAKE_RECORD_HEAD + (record->has_poses ? poses_bytes(take) : 0);
}

static float *buffered_positions(const struct record_take *take)
{
    return (float *)(void *)(take->buffer + TAKE_FRAME_HEAD + poses_bytes(take));
}

// Decodes the frame after the one that the decoders hold, or a key frame.
static bool decode(struct record_take *take, uint64_t index, struct fault *fault)
{
    struct take_packed *packed = take->packed;
    struct take_record record;
    float *positions = buffered_positions(take);
    uint32_t size;
    packed->decoded = NONE;
    if (!load(take, index, &record, fault)) {
        return false;
    }
    const unsigned char *at = chunks_of(take, &record), *end = packed->room + TAKE_RECORD_HEAD + record.size;
    for (uint32_t b = 0; b < take->scene.body_count; b++) {
        if (!make_plan(take, b, fault)) {
            return false;
        }
        if (!packed->decoders[b]) {
            packed->decoders[b] = codec_decoder_create(packed->plans[b]);
        }
        if (!packed->decoders[b]) {
            return record_fail_memory(fault);
        }
        const unsigned char *chunk = next_chunk(&at, end, &size);
        if (!chunk || codec_delta_decode(packed->decoders[b], chunk, size, positions) != CODEC_OK) {
            return damaged(take, index, fault);
        }
        positions += 3 * (size_t)take->scene.bodies[b].particle_count;
    }
    if (at != end) {
        return damaged(take, index, fault);
    }
    packed->decoded = index;
    return true;
}

static bool read_positions(struct record_take *take, uint64_t index, struct fault *fault)
{
    const struct take_packed *packed = take->packed;
    const uint64_t key = index - packed->index.places[index].back;
    uint64_t next = packed->decoded != NONE && packed->decoded >= key && packed->decoded <= index
                        ? packed->decoded + 1
                        : key;
    for (; next <= index; next++) {
        if (!decode(take, next, fault)) {
            return false;
        }
    }
    return true;
}

bool take_packed_read(struct record_take *take, uint64_t index, bool wants_positions, struct fault *fault)
{
    const struct take_packed *packed = take->packed;
    const size_t poses = poses_bytes(take);
    struct take_record record;
    if (wants_positions && !read_positions(take, index, fault)) {
        return false;
    }
    if (poses > 0) {
        if (!load(take, index - packed->index.places[index].poses_back, &record, fault)) {
            return false;
        }
        memcpy(take->buffer + TAKE_FRAME_HEAD, packed->room + TAKE_RECORD_HEAD, poses);
    }
    if (!record_take_get(take, packed->room, TAKE_RECORD_HEAD, packed->index.places[index].at, fault)) {
        return false;
    }
    if (!take_record_get(packed->room, &record)) {
        return damaged(take, index, fault);
    }
    memcpy(take->buffer, &record.tick, sizeof record.tick);
    memcpy(take->buffer + 8, &record.substep, sizeof record.substep);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Writing

// The chunks of a frame to `out`; their end, NULL without memory.
static unsigned char *encode(struct record_take *take, uint64_t number, bool is_key, const float *positions,
                             unsigned char *out, struct fault *fault)
{
    struct take_packed *packed = take->packed;
    for (uint32_t b = 0; b < take->scene.body_count; b++) {
        if (!make_plan(take, b, fault)) {
            return NULL;
        }
        if (!packed->encoders[b]) {
            packed->encoders[b] = codec_encoder_create(packed->plans[b]);
        }
        if (!packed->encoders[b]) {
            record_fail_memory(fault);
            return NULL;
        }
        if (is_key) {
            codec_encoder_forget(packed->encoders[b]);
        }
        const uint32_t size = (uint32_t)codec_delta_encode(packed->encoders[b], positions, number,
                                                           take->tolerance, out + sizeof size);
        memcpy(out, &size, sizeof size);
        out += sizeof size + size;
        positions += 3 * (size_t)take->scene.bodies[b].particle_count;
    }
    return out;
}

// Encoders to where they stood behind the last frame; *is_there: they are.
static bool catch_up(struct record_take *take, bool *is_there, struct fault *fault)
{
    struct take_packed *packed = take->packed;
    const uint64_t last = take->count - 1, key = last - packed->index.places[last].back;
    unsigned char *bytes = malloc(packed->body_max);
    bool done = bytes || record_fail_memory(fault);
    *is_there = true;
    for (uint64_t i = key; done && *is_there && i <= last; i++) {
        struct take_record record = {0};
        done = take_packed_read(take, i, true, fault) && load(take, i, &record, fault);
        const unsigned char *end =
            done ? encode(take, record.number, i == key, buffered_positions(take), bytes, fault) : NULL;
        done = end != NULL;
        if (done) {
            const size_t size = (size_t)(end - bytes),
                         before = (size_t)(chunks_of(take, &record) - packed->room) - TAKE_RECORD_HEAD;
            *is_there = size == record.size - before && memcmp(bytes, chunks_of(take, &record), size) == 0;
        }
    }
    if (done) {
        memcpy(packed->poses, take->buffer + TAKE_FRAME_HEAD, poses_bytes(take));
    }
    packed->encoded = done && *is_there ? last : NONE;
    free(bytes);
    return done;
}

bool take_packed_append(struct record_take *take, uint64_t tick, uint32_t substep, const float *poses,
                        const float *positions, struct fault *fault)
{
    struct take_packed *packed = take->packed;
    const struct take_place *last = take->count > 0 ? &packed->index.places[take->count - 1] : NULL;
    bool is_key = !last || last->back + 1 == TAKE_GROUP;
    if (!packed->is_changed && ftruncate(take->file, (off_t)packed->index.end) != 0) {
        return fault_set(fault, FAULT_IO, NULL, "%s cannot be cut", take->path);
    }
    packed->is_changed = true;
    if (!is_key && packed->encoded != take->count - 1) {
        bool is_there;
        if (!catch_up(take, &is_there, fault)) {
            return false;
        }
        is_key = !is_there;
    }
    packed->encoded = NONE;
    struct take_record record = {.number = last ? last->number + 1 : 0,
                                 .tick = tick,
                                 .substep = substep,
                                 .back = is_key ? 0 : last->back + 1};
    unsigned char *body = packed->room + TAKE_RECORD_HEAD, *at = body;
    record.has_poses =
        is_key || (poses_bytes(take) > 0 && memcmp(poses, packed->poses, poses_bytes(take)) != 0);
    if (record.has_poses && poses_bytes(take) > 0) {
        memcpy(packed->poses, poses, poses_bytes(take));
        memcpy(at, poses, poses_bytes(take));
        at += poses_bytes(take);
    }
    at = encode(take, record.number, is_key, positions, at, fault);
    if (!at) {
        return false;
    }
    record.size = (uint32_t)(at - body);
    record.sum = take_sum(body, record.size);
    take_record_put(packed->room, &record);
    const uint64_t place = packed->index.end;
    if (!record_take_put(take, packed->room, TAKE_RECORD_HEAD + (size_t)record.size, place, fault)) {
        return false;
    }
    if (!take_index_add(&packed->index, &record, place)) {
        return record_fail_memory(fault);
    }
    packed->encoded = take->count++;
    return true;
}

bool take_packed_truncate(struct record_take *take, uint64_t count, struct fault *fault)
{
    struct take_packed *packed = take->packed;
    struct take_index *index = &packed->index;
    const struct take_place *last = count > 0 ? &index->places[count - 1] : NULL;
    const uint64_t end = last ? last->at + TAKE_RECORD_HEAD + last->size : take->head_bytes;
    if (ftruncate(take->file, (off_t)end) != 0) {
        return fault_set(fault, FAULT_IO, NULL, "%s cannot be cut", take->path);
    }
    index->count = take->count = count;
    index->end = end;
    packed->encoded = packed->decoded = NONE;
    packed->is_changed = true;
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Damage

// The result of a check of all records.
struct check {
    struct take_index whole; // those that can be read
    uint64_t expected;       // the number after the last of them
    uint64_t tick;           // of it
    record_tell_gap *tell;
    void *context;
};

static void tell_gap(struct check *check, uint64_t number, uint64_t tick)
{
    const struct record_gap gap = {
        .first = check->expected, .last = number - 1, .tick_before = check->tick, .tick_after = tick};
    if (number > check->expected) {
        check->tell(check->context, &gap);
    }
}

static bool check_one(const struct record_take *take, uint64_t index, struct check *check,
                      struct fault *fault)
{
    const struct take_place *place = &take->packed->index.places[index];
    struct take_record record;
    if (!load(take, index, &record, fault) || !take_index_follows(&check->whole, &record)) {
        return true;
    }
    if (!take_index_add(&check->whole, &record, place->at)) {
        return record_fail_memory(fault);
    }
    tell_gap(check, record.number, record.tick);
    check->expected = record.number + 1;
    check->tick = record.tick;
    return true;
}

bool record_take_check(struct record_take *take, record_tell_gap *tell, void *context, struct fault *fault)
{
    struct take_packed *packed = take->packed;
    struct check check = {.tell = tell, .context = context};
    if (!packed) {
        return true;
    }
    for (uint64_t i = 0; i < take->count; i++) {
        if (!check_one(take, i, &check, fault)) {
            free(check.whole.places);
            return false;
        }
    }
    if (take->count > 0) {
        tell_gap(&check, packed->index.places[take->count - 1].number + 1, 0);
    }
    check.whole.end = packed->index.end;
    free(packed->index.places);
    packed->index = check.whole;
    take->count = check.whole.count;
    packed->encoded = packed->decoded = NONE;
    return true;
}
