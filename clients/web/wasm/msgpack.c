// The part of msgpack-c that is not in its headers and that the protocol needs: zones, unpacking, and packing of
// unpacked values. Only for the module; elsewhere the library does it. A test compares the two.
#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 32, MAX_ALIGN = _Alignof(max_align_t) };

// ---------------------------------------------------------------------------------------------------------
// Zones

struct msgpack_zone_chunk {
    struct msgpack_zone_chunk *next;
};

// A chunk is aligned for any type, and so is its first item.
enum { CHUNK_HEAD = (sizeof(struct msgpack_zone_chunk) + MAX_ALIGN - 1) / MAX_ALIGN * MAX_ALIGN };

static bool chunk_add(msgpack_zone *zone, size_t size)
{
    msgpack_zone_chunk_list *list = &zone->chunk_list;
    msgpack_zone_chunk *chunk = size > SIZE_MAX - CHUNK_HEAD ? NULL : malloc(CHUNK_HEAD + size);
    if (!chunk) {
        return false;
    }
    chunk->next = list->head;
    *list = (msgpack_zone_chunk_list){.free = size, .ptr = (char *)chunk + CHUNK_HEAD, .head = chunk};
    return true;
}

bool msgpack_zone_init(msgpack_zone *zone, size_t chunk_size)
{
    *zone = (msgpack_zone){.chunk_size = chunk_size};
    return chunk_add(zone, chunk_size);
}

void msgpack_zone_destroy(msgpack_zone *zone)
{
    for (msgpack_zone_chunk *chunk = zone->chunk_list.head; chunk;) {
        msgpack_zone_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    zone->chunk_list = (msgpack_zone_chunk_list){0};
}

// Frees a zone that is on the heap itself.
void msgpack_zone_free(msgpack_zone *zone)
{
    if (zone) {
        msgpack_zone_destroy(zone);
        free(zone);
    }
}

// Keeps the chunk that it began with.
void msgpack_zone_clear(msgpack_zone *zone)
{
    msgpack_zone_chunk_list *list = &zone->chunk_list;
    while (list->head->next) {
        msgpack_zone_chunk *next = list->head->next;
        free(list->head);
        list->head = next;
    }
    *list = (msgpack_zone_chunk_list){
        .free = zone->chunk_size, .ptr = (char *)list->head + CHUNK_HEAD, .head = list->head};
}

void *msgpack_zone_malloc_expand(msgpack_zone *zone, size_t size)
{
    if (!chunk_add(zone, size > zone->chunk_size ? size : zone->chunk_size)) {
        return NULL;
    }
    char *given = zone->chunk_list.ptr;
    zone->chunk_list.ptr += size;
    zone->chunk_list.free -= size;
    return given;
}

// ---------------------------------------------------------------------------------------------------------
// Unpacking

struct reader {
    const uint8_t *bytes;
    size_t size, at;
};

// Values that a container still lacks, side by side: a pair of a map is two of them.
struct level {
    msgpack_object *next;
    size_t left;
};

struct unpacking {
    struct reader reader;
    msgpack_zone *zone;
    struct level levels[DEPTH_MAX];
    uint32_t depth;
    msgpack_unpack_return trouble; // of a step that failed
};

static bool fail(struct unpacking *unpacking, msgpack_unpack_return trouble)
{
    unpacking->trouble = trouble;
    return false;
}

// A big-endian number of so many bytes.
static bool take(struct unpacking *unpacking, uint32_t bytes, uint64_t *out)
{
    struct reader *reader = &unpacking->reader;
    *out = 0;
    if (reader->size - reader->at < bytes) {
        return fail(unpacking, MSGPACK_UNPACK_PARSE_ERROR);
    }
    for (uint32_t i = 0; i < bytes; i++) {
        *out = *out << 8 | reader->bytes[reader->at++];
    }
    return true;
}

static bool take_view(struct unpacking *unpacking, uint64_t size, const char **out)
{
    struct reader *reader = &unpacking->reader;
    if (reader->size - reader->at < size) {
        return fail(unpacking, MSGPACK_UNPACK_PARSE_ERROR);
    }
    *out = (const char *)reader->bytes + reader->at;
    reader->at += (size_t)size;
    return true;
}

static bool take_str(struct unpacking *unpacking, uint64_t size, msgpack_object *out)
{
    *out = (msgpack_object){.type = MSGPACK_OBJECT_STR, .via.str.size = (uint32_t)size};
    return take_view(unpacking, size, &out->via.str.ptr);
}

static bool take_bin(struct unpacking *unpacking, uint64_t size, msgpack_object *out)
{
    *out = (msgpack_object){.type = MSGPACK_OBJECT_BIN, .via.bin.size = (uint32_t)size};
    return take_view(unpacking, size, &out->via.bin.ptr);
}

static bool take_ext(struct unpacking *unpacking, uint64_t size, msgpack_object *out)
{
    uint64_t type;
    if (!take(unpacking, 1, &type)) {
        return false;
    }
    *out = (msgpack_object){.type = MSGPACK_OBJECT_EXT,
                            .via.ext = {.type = (int8_t)(uint8_t)type, .size = (uint32_t)size}};
    return take_view(unpacking, size, &out->via.ext.ptr);
}

static void put_unsigned(uint64_t value, msgpack_object *out)
{
    *out = (msgpack_object){.type = MSGPACK_OBJECT_POSITIVE_INTEGER, .via.u64 = value};
}

static void put_signed(int64_t value, msgpack_object *out)
{
    if (value >= 0) {
        put_unsigned((uint64_t)value, out);
    } else {
        *out = (msgpack_object){.type = MSGPACK_OBJECT_NEGATIVE_INTEGER, .via.i64 = value};
    }
}

static bool take_unsigned(struct unpacking *unpacking, uint32_t bytes, msgpack_object *out)
{
    uint64_t value;
    if (!take(unpacking, bytes, &value)) {
        return false;
    }
    put_unsigned(value, out);
    return true;
}

static bool take_signed(struct unpacking *unpacking, uint32_t bytes, msgpack_object *out)
{
    uint64_t value;
    if (!take(unpacking, bytes, &value)) {
        return false;
    }
    const uint32_t unused = 64 - 8 * bytes;
    put_signed((int64_t)(value << unused) >> unused, out);
    return true;
}

static bool take_float(struct unpacking *unpacking, msgpack_object *out)
{
    uint64_t value;
    if (!take(unpacking, 4, &value)) {
        return false;
    }
    const uint32_t bits = (uint32_t)value;
    float number;
    memcpy(&number, &bits, sizeof number);
    *out = (msgpack_object){.type = MSGPACK_OBJECT_FLOAT32, .via.f64 = (double)number};
    return true;
}

static bool take_double(struct unpacking *unpacking, msgpack_object *out)
{
    uint64_t bits;
    if (!take(unpacking, 8, &bits)) {
        return false;
    }
    *out = (msgpack_object){.type = MSGPACK_OBJECT_FLOAT64};
    memcpy(&out->via.f64, &bits, sizeof bits);
    return true;
}

// Its values come next.
static bool begin(struct unpacking *unpacking, uint64_t values, msgpack_object **first)
{
    const size_t left = unpacking->reader.size - unpacking->reader.at;
    if (values > left || unpacking->depth == DEPTH_MAX) {
        return fail(unpacking, MSGPACK_UNPACK_PARSE_ERROR);
    }
    *first = values > SIZE_MAX / 2 / sizeof **first
                 ? NULL
                 : msgpack_zone_malloc(unpacking->zone, (size_t)values * sizeof **first);
    if (!*first) {
        return fail(unpacking, MSGPACK_UNPACK_NOMEM_ERROR);
    }
    if (values > 0) {
        unpacking->levels[unpacking->depth++] = (struct level){*first, (size_t)values};
    }
    return true;
}

static bool take_array(struct unpacking *unpacking, uint64_t count, msgpack_object *out)
{
    *out = (msgpack_object){.type = MSGPACK_OBJECT_ARRAY, .via.array.size = (uint32_t)count};
    return begin(unpacking, count, &out->via.array.ptr);
}

static bool take_map(struct unpacking *unpacking, uint64_t count, msgpack_object *out)
{
    _Static_assert(sizeof(msgpack_object_kv) == 2 * sizeof(msgpack_object), "pairs are values side by side");
    msgpack_object *first = NULL;
    *out = (msgpack_object){.type = MSGPACK_OBJECT_MAP, .via.map.size = (uint32_t)count};
    const bool begun = begin(unpacking, 2 * count, &first);
    out->via.map.ptr = (msgpack_object_kv *)(void *)first;
    return begun;
}

typedef bool take_sized(struct unpacking *unpacking, uint64_t size, msgpack_object *out);

// Reads a value whose length is in the bytes before it.
static bool take_long(struct unpacking *unpacking, uint32_t bytes, take_sized *what, msgpack_object *out)
{
    uint64_t size;
    return take(unpacking, bytes, &size) && what(unpacking, size, out);
}

// 0xc0 to 0xdf: each has its type in its first byte alone.
static bool take_typed(struct unpacking *unpacking, uint8_t first, msgpack_object *out)
{
    switch (first) {
    case 0xc0:
        *out = (msgpack_object){.type = MSGPACK_OBJECT_NIL};
        return true;
    case 0xc2:
    case 0xc3:
        *out = (msgpack_object){.type = MSGPACK_OBJECT_BOOLEAN, .via.boolean = first == 0xc3};
        return true;
    case 0xc4:
    case 0xc5:
    case 0xc6:
        return take_long(unpacking, 1u << (first - 0xc4), take_bin, out);
    case 0xc7:
    case 0xc8:
    case 0xc9:
        return take_long(unpacking, 1u << (first - 0xc7), take_ext, out);
    case 0xca:
        return take_float(unpacking, out);
    case 0xcb:
        return take_double(unpacking, out);
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf:
        return take_unsigned(unpacking, 1u << (first - 0xcc), out);
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
        return take_signed(unpacking, 1u << (first - 0xd0), out);
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
        return take_ext(unpacking, UINT64_C(1) << (first - 0xd4), out);
    case 0xd9:
    case 0xda:
    case 0xdb:
        return take_long(unpacking, 1u << (first - 0xd9), take_str, out);
    case 0xdc:
    case 0xdd:
        return take_long(unpacking, 2u << (first - 0xdc), take_array, out);
    case 0xde:
    case 0xdf:
        return take_long(unpacking, 2u << (first - 0xde), take_map, out);
    default: // 0xc1, which MessagePack never uses
        return fail(unpacking, MSGPACK_UNPACK_PARSE_ERROR);
    }
}

static bool take_value(struct unpacking *unpacking, msgpack_object *out)
{
    uint64_t next;
    if (!take(unpacking, 1, &next)) {
        return false;
    }
    const uint8_t first = (uint8_t)next;
    if (first < 0x80 || first >= 0xe0) {
        put_signed((int8_t)first, out);
        return true;
    }
    if (first < 0x90) {
        return take_map(unpacking, first & 0x0f, out);
    }
    if (first < 0xa0) {
        return take_array(unpacking, first & 0x0f, out);
    }
    return first < 0xc0 ? take_str(unpacking, first & 0x1f, out) : take_typed(unpacking, first, out);
}

// The place of the next value; NULL if all values are there.
static msgpack_object *next_of(struct unpacking *unpacking)
{
    while (unpacking->depth > 0) {
        struct level *level = &unpacking->levels[unpacking->depth - 1];
        if (level->left > 0) {
            level->left--;
            return level->next++;
        }
        unpacking->depth--;
    }
    return NULL;
}

// Bytes that end too early are reported as malformed; the library would wait for more.
msgpack_unpack_return msgpack_unpack(const char *data, size_t size, size_t *offset, msgpack_zone *zone,
                                     msgpack_object *result)
{
    struct unpacking unpacking = {
        .reader = {.bytes = (const uint8_t *)data, .size = size, .at = offset ? *offset : 0},
        .zone = zone,
    };
    if (unpacking.reader.at > size) {
        return MSGPACK_UNPACK_PARSE_ERROR;
    }
    for (msgpack_object *out = result; out; out = next_of(&unpacking)) {
        if (!take_value(&unpacking, out)) {
            return unpacking.trouble;
        }
    }
    if (offset) {
        *offset = unpacking.reader.at;
    }
    return unpacking.reader.at < size ? MSGPACK_UNPACK_EXTRA_BYTES : MSGPACK_UNPACK_SUCCESS;
}

// One value, with a zone of its own.
msgpack_unpack_return msgpack_unpack_next(msgpack_unpacked *result, const char *data, size_t size,
                                          size_t *offset)
{
    size_t at = offset ? *offset : 0;
    msgpack_unpacked_destroy(result);
    result->data = (msgpack_object){.type = MSGPACK_OBJECT_NIL};
    if (at >= size) {
        return MSGPACK_UNPACK_CONTINUE;
    }
    result->zone = malloc(sizeof *result->zone);
    if (!result->zone || !msgpack_zone_init(result->zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        free(result->zone);
        result->zone = NULL;
        return MSGPACK_UNPACK_NOMEM_ERROR;
    }
    const msgpack_unpack_return status = msgpack_unpack(data, size, &at, result->zone, &result->data);
    if (status != MSGPACK_UNPACK_SUCCESS && status != MSGPACK_UNPACK_EXTRA_BYTES) {
        msgpack_unpacked_destroy(result);
        return status;
    }
    if (offset) {
        *offset = at;
    }
    return MSGPACK_UNPACK_SUCCESS;
}

// ---------------------------------------------------------------------------------------------------------
// Packing what was unpacked, which is no deeper than DEPTH_MAX

static int pack_array(msgpack_packer *packer, const msgpack_object_array *array)
{
    int failed = msgpack_pack_array(packer, array->size);
    for (uint32_t i = 0; failed == 0 && i < array->size; i++) {
        failed = msgpack_pack_object(packer, array->ptr[i]);
    }
    return failed;
}

static int pack_map(msgpack_packer *packer, const msgpack_object_map *map)
{
    int failed = msgpack_pack_map(packer, map->size);
    for (uint32_t i = 0; failed == 0 && i < map->size; i++) {
        failed = msgpack_pack_object(packer, map->ptr[i].key);
        failed = failed != 0 ? failed : msgpack_pack_object(packer, map->ptr[i].val);
    }
    return failed;
}

int msgpack_pack_object(msgpack_packer *packer, msgpack_object object)
{
    switch (object.type) {
    case MSGPACK_OBJECT_NIL:
        return msgpack_pack_nil(packer);
    case MSGPACK_OBJECT_BOOLEAN:
        return object.via.boolean ? msgpack_pack_true(packer) : msgpack_pack_false(packer);
    case MSGPACK_OBJECT_POSITIVE_INTEGER:
        return msgpack_pack_uint64(packer, object.via.u64);
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        return msgpack_pack_int64(packer, object.via.i64);
    case MSGPACK_OBJECT_FLOAT32:
        return msgpack_pack_float(packer, (float)object.via.f64);
    case MSGPACK_OBJECT_FLOAT64:
        return msgpack_pack_double(packer, object.via.f64);
    case MSGPACK_OBJECT_STR:
        return msgpack_pack_str_with_body(packer, object.via.str.ptr, object.via.str.size);
    case MSGPACK_OBJECT_BIN:
        return msgpack_pack_bin_with_body(packer, object.via.bin.ptr, object.via.bin.size);
    case MSGPACK_OBJECT_EXT:
        return msgpack_pack_ext_with_body(packer, object.via.ext.ptr, object.via.ext.size,
                                          object.via.ext.type);
    case MSGPACK_OBJECT_ARRAY:
        return pack_array(packer, &object.via.array);
    case MSGPACK_OBJECT_MAP:
        return pack_map(packer, &object.via.map);
    default:
        return -1;
    }
}
