// Packs and reads marks of time. They are small and many, and each has exactly one form.
#include "past/past.h"

#include "protocol/bytes.h"
#include "protocol/unpack.h"
#include "protocol/utf8/utf8.h"

#include <string.h>

enum { FIELDS = 8, RATE_MAX = 1000 }; // RATE_MAX as in world.play

static const char *const kinds[] = {
    [PAST_MARK_BEGUN] = "begun",   [PAST_MARK_TICKS] = "ticks",   [PAST_MARK_PLAYING] = "playing",
    [PAST_MARK_PAUSED] = "paused", [PAST_MARK_FAILED] = "failed", [PAST_MARK_DELETED] = "deleted",
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void pack_text(msgpack_packer *packer, const char *data, uint32_t size)
{
    msgpack_pack_str(packer, size);
    if (size > 0) {
        msgpack_pack_str_body(packer, data, size);
    }
}

static bool has_rate(const struct past_mark *mark)
{
    return mark->kind == PAST_MARK_PLAYING || (mark->kind == PAST_MARK_TICKS && mark->playing);
}

void past_mark_pack(const struct past_mark *mark, msgpack_packer *packer)
{
    msgpack_pack_array(packer, FIELDS);
    pack_text(packer, kinds[mark->kind], (uint32_t)strlen(kinds[mark->kind]));
    msgpack_pack_uint64(packer, mark->at_us);
    msgpack_pack_uint32(packer, mark->session);
    pack_text(packer, mark->person.data, mark->person.size);
    msgpack_pack_uint64(packer, mark->sequence);
    if (has_rate(mark)) {
        msgpack_pack_double(packer, mark->rate);
    } else {
        msgpack_pack_nil(packer);
    }
    if (mark->kind == PAST_MARK_BEGUN) {
        msgpack_pack_uint32(packer, mark->solver);
    } else {
        msgpack_pack_nil(packer);
    }
    if (mark->hashed) {
        msgpack_pack_uint64(packer, mark->hash);
    } else {
        msgpack_pack_nil(packer);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Reading

static bool refuse(struct protocol_error *error, const char *field, const char *what)
{
    protocol_error_set(error, PROTOCOL_CODE_INVALID, field, "%s: %s", field, what);
    return false;
}

static bool take_kind(const msgpack_object *object, struct past_mark *mark, struct protocol_error *error)
{
    for (int kind = 0; object->type == MSGPACK_OBJECT_STR && kind < KINDS; kind++) {
        if (object->via.str.size == strlen(kinds[kind]) &&
            memcmp(object->via.str.ptr, kinds[kind], object->via.str.size) == 0) {
            mark->kind = (enum past_mark_kind)kind;
            return true;
        }
    }
    return refuse(error, "kind", "must be one of marks of time");
}

static bool take_number(const msgpack_object *object, const char *field, uint64_t most, uint64_t *out,
                        struct protocol_error *error)
{
    if (object->type != MSGPACK_OBJECT_POSITIVE_INTEGER || object->via.u64 > most) {
        return refuse(error, field, "must be an integer in range");
    }
    *out = object->via.u64;
    return true;
}

static bool take_person(const msgpack_object *object, struct past_mark *mark, struct protocol_error *error)
{
    if (object->type != MSGPACK_OBJECT_STR || object->via.str.size > PROTOCOL_LIMIT_NAME_BYTES ||
        !protocol_utf8_valid(object->via.str.ptr, object->via.str.size)) {
        return refuse(error, "person", "must be UTF-8, no longer than a name");
    }
    mark->person = (struct protocol_string){.data = object->via.str.ptr, .size = object->via.str.size};
    return true;
}

static bool take_rate(const msgpack_object *object, struct past_mark *mark, struct protocol_error *error)
{
    if (object->type == MSGPACK_OBJECT_NIL && mark->kind != PAST_MARK_PLAYING) {
        return true;
    }
    if (object->type != MSGPACK_OBJECT_FLOAT64 || !(object->via.f64 >= 0 && object->via.f64 <= RATE_MAX)) {
        return refuse(error, "rate", "must be a float from 0 to 1000");
    }
    mark->rate = object->via.f64;
    mark->playing = mark->kind == PAST_MARK_TICKS;
    return true;
}

static bool take_fields(const msgpack_object *fields, struct past_mark *mark, struct protocol_error *error)
{
    uint64_t session, solver = 0;
    if (!take_kind(&fields[0], mark, error) ||
        !take_number(&fields[1], "at", UINT64_MAX, &mark->at_us, error) ||
        !take_number(&fields[2], "session", UINT32_MAX, &session, error) ||
        !take_person(&fields[3], mark, error) ||
        !take_number(&fields[4], "sequence", UINT64_MAX, &mark->sequence, error) ||
        !take_rate(&fields[5], mark, error)) {
        return false;
    }
    mark->hashed = fields[7].type != MSGPACK_OBJECT_NIL;
    if ((mark->kind == PAST_MARK_BEGUN && !take_number(&fields[6], "solver", UINT32_MAX, &solver, error)) ||
        (mark->hashed && !take_number(&fields[7], "hash", UINT64_MAX, &mark->hash, error))) {
        return false;
    }
    mark->session = (uint32_t)session;
    mark->solver = (uint32_t)solver;
    return true;
}

// Whether the bytes are the one form of the mark. No other bytes are accepted for it.
static bool is_canonical(const void *bytes, size_t size, const struct past_mark *mark)
{
    struct protocol_bytes again = {0};
    msgpack_packer packer;
    msgpack_packer_init(&packer, &again, protocol_bytes_write);
    past_mark_pack(mark, &packer);
    const bool same = !again.failed && again.size == size && memcmp(again.data, bytes, size) == 0;
    protocol_bytes_deinit(&again);
    return same;
}

bool past_mark_read(const void *bytes, size_t size, struct past_mark *mark, struct protocol_error *error)
{
    enum { SIZE_MAX_OF_MARK = 256 };
    msgpack_zone zone;
    msgpack_object object;
    bool done = false;
    *mark = (struct past_mark){0};
    if (size > SIZE_MAX_OF_MARK) {
        return refuse(error, "mark", "longer than any mark");
    }
    if (!msgpack_zone_init(&zone, 1024)) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for a mark");
        return false;
    }
    if (!protocol_unpack(bytes, size, &zone, &object) || object.type != MSGPACK_OBJECT_ARRAY ||
        object.via.array.size != FIELDS) {
        refuse(error, "mark", "must be an array of eight");
    } else {
        done = take_fields(object.via.array.ptr, mark, error) &&
               (is_canonical(bytes, size, mark) || refuse(error, "mark", "is not in its one form"));
    }
    msgpack_zone_destroy(&zone);
    return done;
}
