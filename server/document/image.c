// Images: a document whole, as one MessagePack array.
//
//     [format, name, revision, touches of bodies, touches of colliders, warnings, [last, settings], document]
//
// The last is the map that documents are on the wire, with grabs; the rest is what such a map does not say. Touches are one a
// thing, by ascending id as in the document, and those of the last edit and of the settings: [revision, session, person,
// method], or nil where nobody touched it; method is empty where it is not known. One document has one form.
//
// Format 1 had neither methods nor [last, settings]; such images are read.
#include "document/parts.h"

#include "protocol/params.h"
#include "protocol/unpack.h"
#include "protocol/utf8/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT = 2, FIELDS = 8, TOUCH_FIELDS = 4, OF_WORLD = 2 };

static const uint64_t integer_max = (UINT64_C(1) << 53) - 1; // as on the wire

static void pack_text(msgpack_packer *packer, const char *text)
{
    const size_t size = strlen(text);
    msgpack_pack_str(packer, size);
    msgpack_pack_str_body(packer, text, size);
}

static void pack_touch(msgpack_packer *packer, const struct document_touch *touch)
{
    if (touch->revision == 0) {
        msgpack_pack_nil(packer);
        return;
    }
    msgpack_pack_array(packer, TOUCH_FIELDS);
    msgpack_pack_uint64(packer, touch->revision);
    msgpack_pack_uint32(packer, touch->session);
    pack_text(packer, touch->person);
    pack_text(packer, document_touch_method(touch));
}

static void pack_touches(msgpack_packer *packer, const struct document_things *things)
{
    msgpack_pack_array(packer, things->count);
    for (uint32_t i = 0; i < things->count; i++) {
        pack_touch(packer, &things->items[i].touched);
    }
}

bool document_image_pack(const struct document *document, struct protocol_bytes *out)
{
    msgpack_packer packer;
    if (document->failed || !document_stands(document)) {
        return false;
    }
    msgpack_packer_init(&packer, out, protocol_bytes_write);
    msgpack_pack_array(&packer, FIELDS);
    msgpack_pack_uint32(&packer, FORMAT);
    pack_text(&packer, document->name);
    msgpack_pack_uint64(&packer, document->revision);
    pack_touches(&packer, &document->bodies);
    pack_touches(&packer, &document->colliders);
    msgpack_pack_array(&packer, document->warning_count);
    for (uint32_t w = 0; w < document->warning_count; w++) {
        protocol_encode(&protocol_warning_type, &document->warnings[w], PROTOCOL_ARRAYS_EXT, &packer);
    }
    msgpack_pack_array(&packer, OF_WORLD);
    pack_touch(&packer, &document->last);
    pack_touch(&packer, &document->settings_touched);
    return document_pack_to(document, true, &packer) && !out->failed;
}

// ---------------------------------------------------------------------------------------------------------
// Reading

static bool refuse(struct protocol_error *error, const char *field, const char *what)
{
    protocol_error_set(error, PROTOCOL_CODE_INVALID, field, "%s: %s", field, what);
    return false;
}

static bool take_number(const msgpack_object *object, const char *field, uint64_t least, uint64_t most,
                        uint64_t *out, struct protocol_error *error)
{
    if (object->type != MSGPACK_OBJECT_POSITIVE_INTEGER || object->via.u64 < least ||
        object->via.u64 > most) {
        return refuse(error, field, "must be an integer in range");
    }
    *out = object->via.u64;
    return true;
}

// Ends with a zero in out, whose size is that of a name and one.
static bool take_name(const msgpack_object *object, const char *field, char *out,
                      struct protocol_error *error)
{
    if (object->type != MSGPACK_OBJECT_STR || object->via.str.size > PROTOCOL_LIMIT_NAME_BYTES ||
        !protocol_utf8_valid(object->via.str.ptr, object->via.str.size) ||
        protocol_name_flaw(object->via.str.ptr, object->via.str.size)) {
        return refuse(error, field, "must be a name");
    }
    memset(out, 0, DOCUMENT_NAME_SIZE);
    if (object->via.str.size > 0) {
        memcpy(out, object->via.str.ptr, object->via.str.size);
    }
    return true;
}

static bool take_method(const msgpack_object *object, const char *field, int *out,
                        struct protocol_error *error)
{
    enum protocol_method method;
    *out = -1;
    if (object->type == MSGPACK_OBJECT_STR && object->via.str.size == 0) {
        return true;
    }
    if (object->type != MSGPACK_OBJECT_STR ||
        !protocol_method_find((struct protocol_string){object->via.str.ptr, object->via.str.size}, &method) ||
        protocol_methods[method].class_ != PROTOCOL_CLASS_EDIT) {
        return refuse(error, field, "must be by a method of class edit");
    }
    *out = (int)method;
    return true;
}

// fields: as many as this format has, or the one before.
static bool take_touch(const msgpack_object *touch, const char *field, uint32_t fields, uint64_t revision,
                       struct document_touch *out, struct protocol_error *error)
{
    _Static_assert(sizeof out->person == DOCUMENT_NAME_SIZE, "a person's name is a name");
    uint64_t session;
    *out = (struct document_touch){.method = -1};
    if (touch->type == MSGPACK_OBJECT_NIL) {
        return true;
    }
    if (touch->type != MSGPACK_OBJECT_ARRAY || touch->via.array.size != fields) {
        return refuse(error, field, "each must be an array, or nil");
    }
    const msgpack_object *of = touch->via.array.ptr;
    if (!take_number(&of[0], field, 1, revision, &out->revision, error) ||
        !take_number(&of[1], field, 0, UINT32_MAX, &session, error) ||
        !take_name(&of[2], field, out->person, error) ||
        (fields == TOUCH_FIELDS && !take_method(&of[3], field, &out->method, error))) {
        return false;
    }
    out->session = (uint32_t)session;
    return true;
}

static bool take_touches(const msgpack_object *object, const char *field, uint32_t fields, uint64_t revision,
                         struct document_things *things, struct protocol_error *error)
{
    if (object->type != MSGPACK_OBJECT_ARRAY || object->via.array.size != things->count) {
        return refuse(error, field, "must be a list of one for each thing");
    }
    for (uint32_t i = 0; i < things->count; i++) {
        if (!take_touch(&object->via.array.ptr[i], field, fields, revision, &things->items[i].touched,
                        error)) {
            return false;
        }
    }
    return true;
}

static bool take_of_world(const msgpack_object *object, struct document *document,
                          struct protocol_error *error)
{
    if (object->type != MSGPACK_OBJECT_ARRAY || object->via.array.size != OF_WORLD) {
        return refuse(error, "touches", "must be an array of two");
    }
    const msgpack_object *of = object->via.array.ptr;
    return take_touch(&of[0], "last", TOUCH_FIELDS, document->revision, &document->last, error) &&
           take_touch(&of[1], "settings", TOUCH_FIELDS, document->revision, &document->settings_touched,
                      error);
}

static bool take_warning(const msgpack_object *object, msgpack_zone *zone, struct document_kept_warning *kept,
                         struct protocol_warning *out, struct protocol_error *error)
{
    uint32_t bad;
    if (!protocol_decode(&protocol_warning_type, object, zone, out, error)) {
        return false;
    }
    if (out->code.size != strlen("COARSE") || memcmp(out->code.data, "COARSE", out->code.size) != 0 ||
        out->text.size >= sizeof kept->text || !protocol_utf8_valid(out->text.data, out->text.size) ||
        out->elements.type == PROTOCOL_ARRAY_SCALAR || out->elements.count > SIM_WARNING_ELEMENTS ||
        !protocol_array_copy_u32(&out->elements, kept->elements, &bad)) {
        return refuse(error, "warnings", "one that no document has");
    }
    memset(kept->text, 0, sizeof kept->text);
    memcpy(kept->text, out->text.data, out->text.size);
    out->has = PROTOCOL_HAS_ALL;
    out->code = protocol_text("COARSE");
    out->text = protocol_text(kept->text);
    out->elements = (struct protocol_array){PROTOCOL_ARRAY_U32, out->elements.count, kept->elements};
    return true;
}

// In place of those that making it has come to: they are of what the document began with.
static bool take_warnings(const msgpack_object *object, msgpack_zone *zone, struct document *document,
                          struct protocol_error *error)
{
    if (object->type != MSGPACK_OBJECT_ARRAY || object->via.array.size > PROTOCOL_LIMIT_COLLIDERS) {
        return refuse(error, "warnings", "must be a list, of at most one a collider");
    }
    const uint32_t count = object->via.array.size;
    free(document->warnings);
    free(document->kept);
    document->warning_count = 0;
    document->warnings = count > 0 ? calloc(count, sizeof *document->warnings) : NULL;
    document->kept = count > 0 ? calloc(count, sizeof *document->kept) : NULL;
    if (count > 0 && (!document->warnings || !document->kept)) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the image");
        return false;
    }
    for (uint32_t w = 0; w < count; w++) {
        if (!take_warning(&object->via.array.ptr[w], zone, &document->kept[w], &document->warnings[w],
                          error)) {
            return false;
        }
        document->warning_count++;
    }
    return true;
}

static bool take_rest(const msgpack_object *fields, uint64_t format, msgpack_zone *zone,
                      struct document *document, struct protocol_error *error)
{
    const uint32_t touch_fields = format == FORMAT ? TOUCH_FIELDS : TOUCH_FIELDS - 1;
    return take_name(&fields[1], "name", document->name, error) &&
           take_number(&fields[2], "revision", 0, integer_max, &document->revision, error) &&
           take_touches(&fields[3], "bodies", touch_fields, document->revision, &document->bodies, error) &&
           take_touches(&fields[4], "colliders", touch_fields, document->revision, &document->colliders,
                        error) &&
           take_warnings(&fields[5], zone, document, error) &&
           (format != FORMAT || take_of_world(&fields[6], document, error));
}

static struct document *read_image(const msgpack_object *image, msgpack_zone *zone,
                                   struct protocol_error *error)
{
    uint64_t format;
    const uint32_t count = image->type == MSGPACK_OBJECT_ARRAY ? image->via.array.size : 0;
    if (count != FIELDS && count != FIELDS - 1) {
        refuse(error, "image", "must be an array of eight, or of seven");
        return NULL;
    }
    const msgpack_object *fields = image->via.array.ptr, *map = &fields[count - 1];
    const uint64_t wanted = count == FIELDS ? FORMAT : FORMAT - 1;
    if (!take_number(&fields[0], "format", wanted, wanted, &format, error)) {
        return NULL;
    }
    if (map->type != MSGPACK_OBJECT_MAP) {
        refuse(error, "document", "must be a map");
        return NULL;
    }
    struct document *document = document_of_map(map, zone, error);
    if (document && !take_rest(fields, format, zone, document, error)) {
        document_destroy(document);
        return NULL;
    }
    return document;
}

struct document *document_image_read(const void *bytes, size_t size, struct protocol_error *error)
{
    msgpack_zone zone;
    msgpack_object image;
    struct document *document = NULL;
    if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the image");
        return NULL;
    }
    if (!protocol_unpack(bytes, size, &zone, &image)) {
        refuse(error, "image", "is no MessagePack");
    } else {
        document = read_image(&image, &zone, error);
    }
    msgpack_zone_destroy(&zone);
    return document;
}
