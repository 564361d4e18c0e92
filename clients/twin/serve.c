#include "twin/serve.h"

#include "protocol/bytes.h"
#include "protocol/scan.h"
#include "protocol/unpack.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arrays go as they lie in memory");

enum { ASKED_BYTES = 1 << 20, READ_BYTES = 65536 };

static const struct protocol_scan_limits limits = {.bytes = ASKED_BYTES, .depth = 8, .nodes = 100000};

struct serve {
    struct protocol_scan scan;
    struct protocol_bytes asked, answer;
    double *room; // of one array
    size_t room_count;
};

struct serve *serve_create(void)
{
    struct serve *serve = calloc(1, sizeof *serve);
    if (serve) {
        protocol_scan_init(&serve->scan, &limits);
    }
    return serve;
}

void serve_destroy(struct serve *serve)
{
    if (!serve) {
        return;
    }
    protocol_bytes_deinit(&serve->asked);
    protocol_bytes_deinit(&serve->answer);
    free(serve->room);
    free(serve);
}

// ---------------------------------------------------------------------------------------------------------
// Requests

static const msgpack_object *field(const msgpack_object *map, const char *name)
{
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        const msgpack_object *key = &map->via.map.ptr[i].key;
        if (key->type == MSGPACK_OBJECT_STR && key->via.str.size == strlen(name) &&
            memcmp(key->via.str.ptr, name, key->via.str.size) == 0) {
            return &map->via.map.ptr[i].val;
        }
    }
    return NULL;
}

static bool is_true(const msgpack_object *map, const char *name)
{
    const msgpack_object *value = field(map, name);
    return value && value->type == MSGPACK_OBJECT_BOOLEAN && value->via.boolean;
}

enum { POSITIONS, POSITIONS64, VELOCITIES, ROTATIONS, ROTATIONS64, FIELDS };
static const char *const field_names[FIELDS] = {"positions", "positions64", "velocities", "rotations",
                                                "rotations64"};

struct asked {
    uint64_t ask;
    const msgpack_object *bodies; // NULL: all
    bool fields[FIELDS];
    bool hash, measures;
};

// Returns NULL, or what is wrong.
static const char *take_fields(const msgpack_object *list, struct asked *asked)
{
    if (!list || list->type == MSGPACK_OBJECT_NIL) {
        return NULL;
    }
    if (list->type != MSGPACK_OBJECT_ARRAY) {
        return "fields must be a list";
    }
    for (uint32_t i = 0; i < list->via.array.size; i++) {
        const msgpack_object *name = &list->via.array.ptr[i];
        int known = 0;
        while (known < FIELDS &&
               !(name->type == MSGPACK_OBJECT_STR && name->via.str.size == strlen(field_names[known]) &&
                 memcmp(name->via.str.ptr, field_names[known], name->via.str.size) == 0)) {
            known++;
        }
        if (known == FIELDS) {
            return "fields must be among positions, positions64, velocities, rotations and rotations64";
        }
        asked->fields[known] = true;
    }
    return NULL;
}

static const char *take_bodies(const msgpack_object *list, const struct weft_twin *twin, bool begun,
                               struct asked *asked)
{
    asked->bodies = NULL;
    if (!list || list->type == MSGPACK_OBJECT_NIL) {
        return NULL;
    }
    if (list->type != MSGPACK_OBJECT_ARRAY) {
        return "bodies must be a list of ids";
    }
    for (uint32_t i = 0; i < list->via.array.size; i++) {
        const msgpack_object *id = &list->via.array.ptr[i];
        struct weft_twin_body body;
        if (id->type != MSGPACK_OBJECT_POSITIVE_INTEGER || id->via.u64 > UINT32_MAX) {
            return "bodies must be a list of ids";
        }
        if (begun && !weft_twin_body(twin, (uint32_t)id->via.u64, &body)) {
            return "bodies: there is none of that id";
        }
    }
    asked->bodies = list;
    return NULL;
}

static const char *take(const msgpack_object *map, const struct weft_twin *twin, bool begun,
                        struct asked *asked)
{
    const msgpack_object *ask = map->type == MSGPACK_OBJECT_MAP ? field(map, "ask") : NULL;
    *asked = (struct asked){0};
    if (!ask || ask->type != MSGPACK_OBJECT_POSITIVE_INTEGER) {
        return "ask must be a number";
    }
    asked->ask = ask->via.u64;
    asked->hash = is_true(map, "hash");
    asked->measures = is_true(map, "measures");
    const char *wrong = take_fields(field(map, "fields"), asked);
    return wrong ? wrong : take_bodies(field(map, "bodies"), twin, begun, asked);
}

// ---------------------------------------------------------------------------------------------------------
// Answers

static void put_text(msgpack_packer *out, const char *text, size_t size)
{
    msgpack_pack_str(out, size);
    msgpack_pack_str_body(out, text, size);
}

static void put_name(msgpack_packer *out, const char *name)
{
    put_text(out, name, strlen(name));
}

static void put_number(msgpack_packer *out, const char *name, uint64_t value)
{
    put_name(out, name);
    msgpack_pack_uint64(out, value);
}

static void put_double(msgpack_packer *out, const char *name, double value)
{
    put_name(out, name);
    msgpack_pack_double(out, value);
}

static void put_bool(msgpack_packer *out, const char *name, bool value)
{
    put_name(out, name);
    value ? msgpack_pack_true(out) : msgpack_pack_false(out);
}

static void put_array(struct serve *serve, msgpack_packer *out, const struct weft_twin *twin, uint32_t id,
                      int which, uint32_t count)
{
    float *const floats = (float *)(void *)serve->room;
    size_t size = 3 * (size_t)count * sizeof(float);
    switch (which) {
    case POSITIONS64:
        size = 3 * (size_t)count * sizeof(double);
        weft_twin_positions64(twin, id, 0, count, serve->room);
        break;
    case ROTATIONS64:
        size = 4 * (size_t)count * sizeof(double);
        weft_twin_rotations64(twin, id, 0, count, serve->room);
        break;
    case ROTATIONS:
        size = 4 * (size_t)count * sizeof(float);
        weft_twin_rotations(twin, id, 0, count, floats);
        break;
    case VELOCITIES:
        weft_twin_velocities(twin, id, 0, count, floats);
        break;
    default:
        weft_twin_positions(twin, id, 0, count, floats);
        break;
    }
    put_name(out, field_names[which]);
    msgpack_pack_bin(out, size);
    msgpack_pack_bin_body(out, serve->room, size);
}

static bool make_room(struct serve *serve, uint32_t particles)
{
    const size_t count = 4 * (size_t)particles;
    if (count <= serve->room_count) {
        return true;
    }
    free(serve->room);
    serve->room_count = 0;
    serve->room = malloc(count * sizeof *serve->room);
    if (serve->room) {
        serve->room_count = count;
    }
    return serve->room != NULL;
}

// Whether an answer has the field of this body. Only bodies with orientations have rotations.
static bool has_field(const struct asked *asked, const struct weft_twin *twin, uint32_t id, int which)
{
    return asked->fields[which] &&
           ((which != ROTATIONS && which != ROTATIONS64) || weft_twin_rotations(twin, id, 0, 0, NULL));
}

static bool put_body(struct serve *serve, msgpack_packer *out, const struct asked *asked,
                     const struct weft_twin *twin, uint32_t id)
{
    struct weft_twin_body body;
    uint32_t fields = 3;
    weft_twin_body(twin, id, &body);
    if (!make_room(serve, body.particle_count)) {
        return false;
    }
    for (int i = 0; i < FIELDS; i++) {
        fields += has_field(asked, twin, id, i);
    }
    msgpack_pack_map(out, fields);
    put_number(out, "id", id);
    put_name(out, "name");
    put_name(out, body.name);
    put_number(out, "particles", body.particle_count);
    for (int i = 0; i < FIELDS; i++) {
        if (has_field(asked, twin, id, i)) {
            put_array(serve, out, twin, id, i, body.particle_count);
        }
    }
    return true;
}

static bool put_bodies(struct serve *serve, msgpack_packer *out, const struct asked *asked,
                       const struct weft_twin *twin, bool begun)
{
    const uint32_t count = !begun          ? 0
                           : asked->bodies ? asked->bodies->via.array.size
                                           : weft_twin_body_count(twin);
    put_name(out, "bodies");
    msgpack_pack_array(out, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t id =
            asked->bodies ? (uint32_t)asked->bodies->via.array.ptr[i].via.u64 : weft_twin_body_id(twin, i);
        if (!put_body(serve, out, asked, twin, id)) {
            return false;
        }
    }
    return true;
}

static void put_hash(msgpack_packer *out, const struct weft_twin *twin)
{
    char text[24];
    uint64_t hash;
    weft_twin_hash(twin, &hash);
    put_name(out, "hash");
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    put_name(out, text);
}

static void put_measures(msgpack_packer *out, const struct weft_twin *twin)
{
    struct weft_twin_measures measures;
    weft_twin_measures(twin, &measures);
    put_name(out, "measures");
    msgpack_pack_map(out, 8);
    put_double(out, "kinetic", measures.kinetic);
    put_double(out, "potential", measures.potential);
    put_double(out, "elastic", measures.elastic);
    put_double(out, "strain_max", measures.strain_max);
    put_double(out, "strain_rms", measures.strain_rms);
    put_double(out, "volume_error_max", measures.volume_error_max);
    put_double(out, "volume_error_rms", measures.volume_error_rms);
    put_number(out, "contacts", measures.contacts);
}

static void put_state(msgpack_packer *out, const struct weft_twin_state *state)
{
    put_bool(out, "standing", state->begun && !state->lost);
    put_bool(out, "playing", state->playing);
    put_bool(out, "failed", state->failed);
    put_number(out, "tick", state->tick);
    put_number(out, "told", state->told_tick);
    put_number(out, "same", state->same_tick);
    put_number(out, "hashes", state->hashes);
    put_number(out, "differences", state->differences);
    put_number(out, "losses", state->losses);
    put_number(out, "images", state->images);
    put_number(out, "joins", state->joins);
    put_number(out, "records", state->records);
    put_number(out, "sequence", state->sequence);
    put_number(out, "tick_rate", state->tick_rate);
    put_double(out, "delay", state->delay_s);
    put_name(out, "text");
    put_name(out, state->text);
}

static void answer(struct serve *serve, const msgpack_object *map, const struct weft_twin *twin)
{
    struct weft_twin_state state;
    struct asked asked;
    msgpack_packer out;
    weft_twin_state(twin, &state);
    const char *wrong = take(map, twin, state.begun, &asked);
    protocol_bytes_clear(&serve->answer);
    msgpack_packer_init(&out, &serve->answer, protocol_bytes_write);
    if (!wrong) {
        msgpack_pack_map(&out, 18U + asked.hash + asked.measures);
        put_number(&out, "ask", asked.ask);
        put_state(&out, &state);
        if (asked.hash) {
            put_hash(&out, twin);
        }
        if (asked.measures) {
            put_measures(&out, twin);
        }
        if (put_bodies(serve, &out, &asked, twin, state.begun) && !serve->answer.failed) {
            return;
        }
        wrong = "there is not enough memory";
        protocol_bytes_deinit(&serve->answer);
    }
    msgpack_pack_map(&out, 2);
    put_number(&out, "ask", asked.ask);
    put_name(&out, "error");
    put_name(&out, wrong);
}

// ---------------------------------------------------------------------------------------------------------
// Standard input and output

static bool send_answer(const struct serve *serve)
{
    const uint8_t *from = serve->answer.data;
    size_t size = serve->answer.size;
    while (size > 0 && !serve->answer.failed) {
        const ssize_t wrote = write(STDOUT_FILENO, from, size);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            return false;
        }
        from += wrote;
        size -= (size_t)wrote;
    }
    return !serve->answer.failed;
}

static bool answer_asked(struct serve *serve, const struct weft_twin *twin)
{
    msgpack_zone zone;
    msgpack_object map;
    if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        return false;
    }
    const bool read = protocol_unpack(serve->asked.data, serve->asked.size, &zone, &map);
    if (read) {
        answer(serve, &map, twin);
    }
    msgpack_zone_destroy(&zone);
    protocol_bytes_clear(&serve->asked);
    protocol_scan_init(&serve->scan, &limits);
    return read && send_answer(serve);
}

bool serve_poll(struct serve *serve, const struct weft_twin *twin)
{
    static uint8_t bytes[READ_BYTES];
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&input, 1, 0) <= 0) {
        return true;
    }
    const ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
    if (got <= 0) {
        return got < 0 && (errno == EINTR || errno == EAGAIN);
    }
    for (size_t at = 0; at < (size_t)got;) {
        size_t used;
        const enum protocol_scan_status status =
            protocol_scan_feed(&serve->scan, bytes + at, (size_t)got - at, &used);
        protocol_bytes_write(&serve->asked, (const char *)bytes + at, used);
        at += used;
        if (status == PROTOCOL_SCAN_MORE && !serve->asked.failed) {
            continue;
        }
        if (status != PROTOCOL_SCAN_DONE || serve->asked.failed || !answer_asked(serve, twin)) {
            return false;
        }
    }
    return true;
}
