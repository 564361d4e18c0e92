// Reads messages of stream.records. Nothing is trusted: each field is checked, a missing earlier message is noticed,
// and claimed sizes are only bounds for the bytes that come.
#include "twin/internal.h"

#include "document/document.h"
#include "protocol/generated/api.h"
#include "protocol/patch.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t integer_most = (UINT64_C(1) << 53) - 1; // that leaves a server

// ---------------------------------------------------------------------------------------------------------
// Fields

static bool is_text(const msgpack_object *value, const char *text)
{
    const size_t size = strlen(text);
    return value && value->type == MSGPACK_OBJECT_STR && value->via.str.size == size &&
           memcmp(value->via.str.ptr, text, size) == 0;
}

// NULL if the field is missing.
static const msgpack_object *field(const msgpack_object *map, const char *name)
{
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        if (is_text(&map->via.map.ptr[i].key, name)) {
            return &map->via.map.ptr[i].val;
        }
    }
    return NULL;
}

static bool take_integer(struct twin *twin, const msgpack_object *map, const char *name, uint64_t most,
                         uint64_t *out, struct protocol_error *error)
{
    const msgpack_object *value = field(map, name);
    if (!value || value->type != MSGPACK_OBJECT_POSITIVE_INTEGER || value->via.u64 > most) {
        return twin_lose(twin, PROTOCOL_CODE_INVALID, error, "stream.records: %s must be an integer in range",
                         name);
    }
    *out = value->via.u64;
    return true;
}

static bool take_hash(struct twin *twin, const msgpack_object *map, bool *hashed, uint64_t *hash,
                      struct protocol_error *error)
{
    const msgpack_object *value = field(map, "hash");
    *hashed = value != NULL;
    *hash = 0;
    if (!value) {
        return true;
    }
    bool fits = value->type == MSGPACK_OBJECT_STR && value->via.str.size == 16;
    for (uint32_t i = 0; fits && i < 16; i++) {
        const char digit = value->via.str.ptr[i];
        const bool is_number = digit >= '0' && digit <= '9', is_letter = digit >= 'a' && digit <= 'f';
        fits = is_number || is_letter;
        *hash = *hash << 4 | (uint64_t)(is_number ? digit - '0' : digit - 'a' + 10);
    }
    return fits || twin_lose(twin, PROTOCOL_CODE_INVALID, error,
                             "stream.records: hash must be 16 hexadecimal digits");
}

// Reads how the world runs from here on, if the message says so.
static bool take_state(struct twin *twin, const msgpack_object *map, bool *failed,
                       struct protocol_error *error)
{
    const msgpack_object *state = field(map, "state"), *rate = field(map, "rate");
    if (!state) {
        return true;
    }
    const bool playing = is_text(state, "playing"), fails = is_text(state, "failed");
    if ((!playing && !fails && !is_text(state, "paused")) || !rate || rate->type != MSGPACK_OBJECT_FLOAT64 ||
        !(rate->via.f64 >= 0 && rate->via.f64 <= 1e6)) {
        return twin_lose(twin, PROTOCOL_CODE_INVALID, error,
                         "stream.records: state and rate must be those of a world");
    }
    twin->state.playing = playing;
    twin->state.rate = rate->via.f64;
    *failed = fails;
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Images

static bool begin_image(struct twin *twin, const msgpack_object *map, uint64_t tick, uint64_t parts,
                        struct protocol_error *error)
{
    twin_forget(twin);
    if (!take_integer(twin, map, "size", integer_most, &twin->image_size, error) ||
        !take_integer(twin, map, "sequence", integer_most, &twin->image_sequence, error) ||
        !take_hash(twin, map, &twin->image_hashed, &twin->image_hash, error)) {
        return false;
    }
    if (twin->image_size > twin->bounds.image_bytes) {
        return twin_lose(twin, PROTOCOL_CODE_LIMIT, error,
                         "an image of %llu bytes; the most that this twin takes are %zu",
                         (unsigned long long)twin->image_size, twin->bounds.image_bytes);
    }
    twin->image_parts = (uint32_t)parts;
    twin->image_tick = tick;
    // The clock of the old state does not apply to the new one.
    twin->state.lost = true;
    twin->text[0] = '\0';
    return true;
}

static bool take_piece(struct twin *twin, const msgpack_object *map, uint64_t tick,
                       struct protocol_error *error)
{
    const msgpack_object *image = field(map, "image");
    uint64_t part, parts;
    if (!take_integer(twin, map, "part", UINT32_MAX, &part, error) ||
        !take_integer(twin, map, "parts", UINT32_MAX, &parts, error)) {
        return false;
    }
    if (!image || image->type != MSGPACK_OBJECT_BIN || image->via.bin.size == 0) {
        return twin_lose(twin, PROTOCOL_CODE_INVALID, error, "stream.records: image must be a bin");
    }
    if (part == 0 && !begin_image(twin, map, tick, parts, error)) {
        return false;
    }
    if (twin->image_parts == 0 || part != twin->image_part || parts != twin->image_parts ||
        tick != twin->image_tick || image->via.bin.size > twin->image_size - twin->image.size) {
        return twin_lose(twin, PROTOCOL_CODE_INVALID, error,
                         "stream.records: piece %llu of %llu does not follow the one before it",
                         (unsigned long long)part, (unsigned long long)parts);
    }
    protocol_bytes_write(&twin->image, image->via.bin.ptr, image->via.bin.size);
    if (twin->image.failed) {
        return twin_lose(twin, PROTOCOL_CODE_MEMORY, error, "no memory for an image");
    }
    twin->image_part++;
    if (twin->image_part < twin->image_parts) {
        return true;
    }
    if (twin->image.size != twin->image_size) {
        return twin_lose(twin, PROTOCOL_CODE_INVALID, error,
                         "the image has %llu bytes, but was announced with %llu",
                         (unsigned long long)twin->image.size, (unsigned long long)twin->image_size);
    }
    return twin_begin(twin, error);
}

// ---------------------------------------------------------------------------------------------------------
// Records

// The record's original bytes, malloc'd; NULL: the twin is lost.
static uint8_t *whole(struct twin *twin, const msgpack_object_bin *bin, size_t *size,
                      struct protocol_error *error)
{
    const struct protocol_bytes *before = &twin->before;
    const uint8_t *given = (const uint8_t *)bin->ptr;
    const bool is_patch = bin->size > 0 && given[0] == PROTOCOL_PATCH;
    *size = is_patch ? before->size : bin->size;
    uint8_t *bytes = malloc(*size > 0 ? *size : 1);
    if (!bytes) {
        twin_lose(twin, PROTOCOL_CODE_MEMORY, error, "no memory for a record");
        return NULL;
    }
    if (!is_patch) {
        memcpy(bytes, given, *size);
    } else if (*size == 0 || !protocol_patch_apply(given, bin->size, before->data, *size, bytes)) {
        free(bytes);
        twin_lose(twin, PROTOCOL_CODE_INVALID, error,
                  "stream.records: differences that do not fit the record before");
        return NULL;
    }
    return bytes;
}

// Reads sequence and tick; the rest is checked when the record is applied.
static bool peek(const uint8_t *bytes, size_t size, struct document_record *record,
                 struct protocol_error *error)
{
    msgpack_zone zone;
    if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for a record");
        return false;
    }
    const bool read = document_record_read(bytes, size, &zone, record, error);
    msgpack_zone_destroy(&zone);
    return read;
}

// Takes ownership of the bytes.
static bool take_record(struct twin *twin, uint8_t *bytes, size_t size, uint64_t tick,
                        struct protocol_error *error)
{
    struct document_record record;
    struct protocol_error why = {0};
    protocol_bytes_clear(&twin->before);
    protocol_bytes_write(&twin->before, (const char *)bytes, size);
    if (twin->before.failed || !peek(bytes, size, &record, &why)) {
        free(bytes);
        return twin_lose(twin, PROTOCOL_CODE_INVALID, error, "stream.records: %s", why.text);
    }
    if (record.sequence <= twin->state.sequence) {
        free(bytes); // the image includes it
        return true;
    }
    if (record.sequence != twin->state.sequence + 1 || record.tick > tick ||
        record.tick < twin->state.told_tick) {
        free(bytes);
        return twin_lose(twin, PROTOCOL_CODE_INVALID, error,
                         "stream.records: record %llu of tick %llu does not follow record %llu",
                         (unsigned long long)record.sequence, (unsigned long long)record.tick,
                         (unsigned long long)twin->state.sequence);
    }
    twin->state.sequence = record.sequence;
    return twin_wait(
        twin, &(struct twin_input){.is_record = true, .tick = record.tick, .bytes = bytes, .size = size},
        error);
}

static bool take_records(struct twin *twin, const msgpack_object *list, uint64_t tick,
                         struct protocol_error *error)
{
    if (list && list->type != MSGPACK_OBJECT_ARRAY) {
        return twin_lose(twin, PROTOCOL_CODE_INVALID, error, "stream.records: records must be a list");
    }
    for (uint32_t i = 0; list && i < list->via.array.size; i++) {
        const msgpack_object *item = &list->via.array.ptr[i];
        size_t size;
        if (item->type != MSGPACK_OBJECT_BIN) {
            return twin_lose(twin, PROTOCOL_CODE_INVALID, error, "stream.records: a record must be a bin");
        }
        uint8_t *bytes = whole(twin, &item->via.bin, &size, error);
        if (!bytes || !take_record(twin, bytes, size, tick, error)) {
            return false;
        }
    }
    return true;
}

static bool take_message(struct twin *twin, const msgpack_object *map, uint64_t tick, bool failed,
                         struct protocol_error *error)
{
    struct twin_input mark = {.tick = tick, .failed = failed};
    if (!take_hash(twin, map, &mark.hashed, &mark.hash, error)) {
        return false;
    }
    if (tick < twin->state.told_tick) {
        return twin_lose(twin, PROTOCOL_CODE_INVALID, error, "stream.records: time goes back, to tick %llu",
                         (unsigned long long)tick);
    }
    if (!take_records(twin, field(map, "records"), tick, error) || !twin_wait(twin, &mark, error)) {
        return false;
    }
    twin->state.told_tick = tick;
    return true;
}

// ---------------------------------------------------------------------------------------------------------

static void follow(struct twin *twin, uint64_t at_us, uint64_t now_us)
{
    const double ticks_per_us =
        twin->state.playing ? twin->state.rate * sim_settings_of(twin->document->sim)->tick_rate * 1e-6 : 0;
    twin_clock_take(&twin->clock, at_us, twin->state.told_tick, ticks_per_us, now_us);
}

bool twin_take(struct twin *twin, const msgpack_object *params, uint64_t now_us, struct protocol_error *error)
{
    uint64_t tick, at_us, seq;
    if (params->type != MSGPACK_OBJECT_MAP) {
        return twin_lose(twin, PROTOCOL_CODE_INVALID, error, "stream.records must be a map");
    }
    const bool is_image = field(params, "part") != NULL;
    bool failed = twin->told_failed;
    if (!is_image && twin->state.lost) {
        return true; // an image will come
    }
    if (!take_integer(twin, params, "tick", integer_most, &tick, error) ||
        !take_integer(twin, params, "at", integer_most, &at_us, error) ||
        !take_integer(twin, params, "seq", UINT32_MAX, &seq, error)) {
        return false;
    }
    if (!is_image && (!twin->document || twin->image_parts > 0 || seq != (uint64_t)twin->seq + 1)) {
        return twin_lose(twin, PROTOCOL_CODE_INVALID, error,
                         "stream.records: message %llu does not follow %u", (unsigned long long)seq,
                         twin->seq);
    }
    twin->seq = (uint32_t)seq;
    if (!take_state(twin, params, &failed, error)) {
        return false;
    }
    twin->told_failed = failed;
    if (is_image ? !take_piece(twin, params, tick, error)
                 : !take_message(twin, params, tick, failed, error)) {
        return false;
    }
    if (!twin->state.lost) {
        follow(twin, at_us, now_us);
    }
    return true;
}
