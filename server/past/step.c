// Packs and reads steps of undo: what the record before them changed, and what takes that back. A step is one
// MessagePack array:
//
//     [previous, kind, revision, of, forced, user, session, method, touches, back, gesture]
//
// gesture is left out if the edit belongs to none.
//
// A pointer is an array of one, [previous], which only tells where the last step is. touches: five integers
// each, in one list, or nil if they are unknown. back: a bin that holds a list of maps as edit.undo has them,
// or nil if nothing can take the record back.
#include "past/past.h"

#include "protocol/params.h"
#include "protocol/unpack.h"
#include "protocol/utf8/utf8.h"

#include <string.h>

enum { FIELDS = 10, FIELDS_WITH_GESTURE = 11, TOUCH_NUMBERS = 5 };

static void pack_text(msgpack_packer *packer, const struct protocol_string *text)
{
    msgpack_pack_str(packer, text->size);
    if (text->size > 0) {
        msgpack_pack_str_body(packer, text->data, text->size);
    }
}

static void pack_touches(const struct document_touches *touches, msgpack_packer *packer)
{
    if (touches->lost) {
        msgpack_pack_nil(packer);
        return;
    }
    msgpack_pack_array(packer, (size_t)TOUCH_NUMBERS * touches->count);
    for (uint32_t i = 0; i < touches->count; i++) {
        msgpack_pack_uint32(packer, touches->items[i].kind);
        msgpack_pack_uint32(packer, touches->items[i].id);
        msgpack_pack_uint64(packer, touches->items[i].parts);
        msgpack_pack_uint32(packer, touches->items[i].first);
        msgpack_pack_uint32(packer, touches->items[i].last);
    }
}

void past_step_pack(const struct past_step *step, msgpack_packer *packer)
{
    if (step->kind == PAST_STEP_POINTER) {
        msgpack_pack_array(packer, 1);
        msgpack_pack_uint64(packer, step->previous);
        return;
    }
    const struct protocol_string method = protocol_text(protocol_methods[step->method].name);
    msgpack_pack_array(packer, step->gesture > 0 ? FIELDS_WITH_GESTURE : FIELDS);
    msgpack_pack_uint64(packer, step->previous);
    msgpack_pack_uint32(packer, step->kind);
    msgpack_pack_uint64(packer, step->revision);
    msgpack_pack_uint64(packer, step->of);
    msgpack_pack_uint32(packer, step->forced);
    pack_text(packer, &step->user);
    msgpack_pack_uint32(packer, step->session);
    pack_text(packer, &method);
    pack_touches(&step->touches, packer);
    if (step->back) {
        msgpack_pack_bin(packer, step->back_size);
        msgpack_pack_bin_body(packer, step->back, step->back_size);
    } else {
        msgpack_pack_nil(packer);
    }
    if (step->gesture > 0) {
        msgpack_pack_uint64(packer, step->gesture);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Reading

static bool refuse(struct protocol_error *error, const char *field, const char *what)
{
    protocol_error_set(error, PROTOCOL_CODE_INVALID, field, "%s: %s", field, what);
    return false;
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

static bool take_text(const msgpack_object *object, const char *field, struct protocol_string *out,
                      struct protocol_error *error)
{
    if (object->type != MSGPACK_OBJECT_STR || object->via.str.size > PROTOCOL_LIMIT_NAME_BYTES ||
        !protocol_utf8_valid(object->via.str.ptr, object->via.str.size)) {
        return refuse(error, field, "must be UTF-8, no longer than a name");
    }
    *out = (struct protocol_string){.data = object->via.str.ptr, .size = object->via.str.size};
    return true;
}

static bool take_method(const msgpack_object *object, struct past_step *step, struct protocol_error *error)
{
    struct protocol_string name;
    if (!take_text(object, "method", &name, error)) {
        return false;
    }
    return (protocol_method_find(name, &step->method) &&
            protocol_methods[step->method].class_ == PROTOCOL_CLASS_EDIT) ||
           refuse(error, "method", "must be an edit");
}

static bool take_touch(const msgpack_object *numbers, struct document_touched *out,
                       struct protocol_error *error)
{
    uint64_t kind, id, parts, first, last;
    if (!take_number(&numbers[0], "touches", DOCUMENT_TOUCHED_KINDS - 1, &kind, error) ||
        !take_number(&numbers[1], "touches", UINT32_MAX, &id, error) ||
        !take_number(&numbers[2], "touches", UINT64_MAX, &parts, error) ||
        !take_number(&numbers[3], "touches", UINT32_MAX, &first, error) ||
        !take_number(&numbers[4], "touches", UINT32_MAX, &last, error)) {
        return false;
    }
    *out = (struct document_touched){.kind = (uint32_t)kind,
                                     .id = (uint32_t)id,
                                     .parts = parts,
                                     .first = (uint32_t)first,
                                     .last = (uint32_t)last};
    return true;
}

static bool take_touches(const msgpack_object *object, msgpack_zone *zone, struct past_step *step,
                         struct protocol_error *error)
{
    if (object->type == MSGPACK_OBJECT_NIL) {
        step->touches.lost = true;
        return true;
    }
    if (object->type != MSGPACK_OBJECT_ARRAY || object->via.array.size % TOUCH_NUMBERS != 0) {
        return refuse(error, "touches", "must be a list, of five numbers each");
    }
    const uint32_t count = object->via.array.size / TOUCH_NUMBERS;
    step->touches.items = msgpack_zone_malloc(zone, ((size_t)count + 1) * sizeof *step->touches.items);
    if (!step->touches.items) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for a step of undo");
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!take_touch(&object->via.array.ptr[(size_t)TOUCH_NUMBERS * i], &step->touches.items[i], error)) {
            return false;
        }
    }
    step->touches.count = count;
    return true;
}

static bool take_back(const msgpack_object *object, struct past_step *step, struct protocol_error *error)
{
    if (object->type == MSGPACK_OBJECT_NIL) {
        return true;
    }
    if (object->type != MSGPACK_OBJECT_BIN) {
        return refuse(error, "back", "must be a bin, or nil");
    }
    step->back = (const uint8_t *)object->via.bin.ptr;
    step->back_size = object->via.bin.size;
    return true;
}

static bool take_fields(const msgpack_object *fields, msgpack_zone *zone, struct past_step *step,
                        struct protocol_error *error)
{
    uint64_t kind, forced, session;
    if (!take_number(&fields[1], "kind", PAST_STEP_REDO, &kind, error) ||
        !take_number(&fields[2], "revision", UINT64_MAX, &step->revision, error) ||
        !take_number(&fields[3], "of", UINT64_MAX, &step->of, error) ||
        !take_number(&fields[4], "forced", 1, &forced, error) ||
        !take_text(&fields[5], "user", &step->user, error) ||
        !take_number(&fields[6], "session", UINT32_MAX, &session, error) ||
        !take_method(&fields[7], step, error) || !take_touches(&fields[8], zone, step, error) ||
        !take_back(&fields[9], step, error)) {
        return false;
    }
    step->kind = (enum past_step_kind)kind;
    step->forced = forced != 0;
    step->session = (uint32_t)session;
    return true;
}

bool past_step_read(const void *bytes, size_t size, msgpack_zone *zone, struct past_step *step,
                    struct protocol_error *error)
{
    msgpack_object object;
    *step = (struct past_step){.kind = PAST_STEP_POINTER};
    if (!protocol_unpack(bytes, size, zone, &object) || object.type != MSGPACK_OBJECT_ARRAY ||
        (object.via.array.size != FIELDS && object.via.array.size != FIELDS_WITH_GESTURE &&
         object.via.array.size != 1)) {
        return refuse(error, "step", "must be an array of ten or eleven, or of one");
    }
    const msgpack_object *fields = object.via.array.ptr;
    return take_number(&fields[0], "previous", UINT64_MAX, &step->previous, error) &&
           (object.via.array.size == 1 || take_fields(fields, zone, step, error)) &&
           (object.via.array.size != FIELDS_WITH_GESTURE ||
            take_number(&fields[FIELDS], "gesture", step->revision, &step->gesture, error));
}

// Packs what takes an edit back into the bytes that a step keeps. False if memory runs out.
bool past_back_pack(const struct protocol_list *steps, struct protocol_bytes *out)
{
    msgpack_packer packer;
    msgpack_packer_init(&packer, out, protocol_bytes_write);
    msgpack_pack_array(&packer, steps->count);
    for (uint32_t i = 0; i < steps->count; i++) {
        protocol_encode(&protocol_restore_step_type, (const struct protocol_restore_step *)steps->items + i,
                        PROTOCOL_ARRAYS_EXT, &packer);
    }
    return !out->failed;
}

bool past_back_read(const void *bytes, size_t size, msgpack_zone *zone, struct protocol_list *out,
                    struct protocol_error *error)
{
    msgpack_object object;
    if (!protocol_unpack(bytes, size, zone, &object) || object.type != MSGPACK_OBJECT_ARRAY ||
        object.via.array.size > PAST_BACK_PARTS) {
        return refuse(error, "back", "must be a list of steps");
    }
    const uint32_t count = object.via.array.size;
    struct protocol_restore_step *steps = msgpack_zone_malloc(zone, ((size_t)count + 1) * sizeof *steps);
    if (!steps) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory to take an edit back");
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!protocol_decode(&protocol_restore_step_type, &object.via.array.ptr[i], zone, &steps[i], error)) {
            return false;
        }
    }
    *out = (struct protocol_list){.items = steps, .count = count};
    return true;
}

// Reads the head of an array that past_back_pack wrote. Returns the bytes of the head; 0: it is no such array.
static size_t head_read(const uint8_t *bytes, size_t size, uint32_t *count)
{
    enum { SHORT = 0x90, MIDDLE = 0xdc };
    if (size >= 1 && (bytes[0] & 0xf0) == SHORT) {
        *count = bytes[0] & 0x0f;
        return 1;
    }
    if (size >= 3 && bytes[0] == MIDDLE) {
        *count = (uint32_t)bytes[1] << 8 | bytes[2];
        return 3;
    }
    return 0;
}

uint32_t past_back_parts(const uint8_t *bytes, size_t size)
{
    uint32_t count = 0;
    return head_read(bytes, size, &count) > 0 ? count : 0;
}

size_t past_back_join(const uint8_t *later, size_t later_size, const uint8_t *earlier, size_t earlier_size,
                      uint8_t *out)
{
    uint32_t later_count, earlier_count;
    const size_t later_head = head_read(later, later_size, &later_count),
                 earlier_head = head_read(earlier, earlier_size, &earlier_count);
    if (later_head == 0 || earlier_head == 0 || later_count + earlier_count > PAST_BACK_PARTS) {
        return 0;
    }
    const uint32_t count = later_count + earlier_count;
    const size_t later_body = later_size - later_head, earlier_body = earlier_size - earlier_head;
    out[0] = 0xdc; // an array with a count of 16 bits
    out[1] = (uint8_t)(count >> 8);
    out[2] = (uint8_t)count;
    memcpy(out + 3, later + later_head, later_body);
    memcpy(out + 3 + later_body, earlier + earlier_head, earlier_body);
    return 3 + later_body + earlier_body;
}
