// A message all the way to its parameters, as the server takes it: scanned, unpacked, parsed, decoded. What
// is accepted is written out and read again, and must be the same; what is refused must say why in clean
// text. Results of responses are decoded by the method of methods.h whose number is the msgid, for the types
// that only they hold.
#include "fuzz.h"
#include "methods.h"

#include "protocol/message.h"
#include "protocol/scan.h"
#include "protocol/utf8/utf8.h"

#include <string.h>

static const struct protocol_scan_limits limits = {.bytes = 1 << 20, .depth = 16, .nodes = 1 << 16};

static void check_error(const struct protocol_error *error)
{
    size_t size = strlen(error->text);
    FUZZ_ASSERT(error->code > PROTOCOL_CODE_OK && error->code < PROTOCOL_CODE_COUNT);
    FUZZ_ASSERT(size > 0 && size < PROTOCOL_TEXT_MAX && !protocol_utf8_has_control(error->text, size));
    FUZZ_ASSERT(!protocol_utf8_has_control(error->field, strlen(error->field)));
    FUZZ_ASSERT(!protocol_utf8_has_control(error->value, strlen(error->value)));
}

static void encode(const struct protocol_struct *type, const void *in, enum protocol_arrays_mode mode,
                   msgpack_sbuffer *out)
{
    msgpack_packer packer;
    msgpack_sbuffer_init(out);
    msgpack_packer_init(&packer, out, msgpack_sbuffer_write);
    protocol_encode(type, in, mode, &packer);
}

// Writes the struct, reads that into *again and writes it once more, to out.
static void write_and_read(const struct protocol_struct *type, const void *in, enum protocol_arrays_mode mode,
                           msgpack_zone *zone, void *again, msgpack_sbuffer *out)
{
    msgpack_object object;
    struct protocol_error error;
    size_t end = 0;
    encode(type, in, mode, out);
    FUZZ_ASSERT(msgpack_unpack(out->data, out->size, &end, zone, &object) == MSGPACK_UNPACK_SUCCESS);
    FUZZ_ASSERT(protocol_decode(type, &object, zone, again, &error));
}

static void check_round(const struct protocol_struct *type, const void *in, enum protocol_arrays_mode mode)
{
    msgpack_sbuffer first, second, third;
    msgpack_zone zone;
    void *one = malloc(type->size), *two = malloc(type->size);
    FUZZ_ASSERT(one != NULL && two != NULL && msgpack_zone_init(&zone, 8192));
    write_and_read(type, in, mode, &zone, one, &first);
    write_and_read(type, one, mode, &zone, two, &second);
    encode(type, two, mode, &third);
    // A plain array does not tell f32 from f64, so the first round may widen it; from then on all is the
    // same.
    FUZZ_ASSERT(mode == PROTOCOL_ARRAYS_PLAIN ||
                (first.size == second.size && memcmp(first.data, second.data, first.size) == 0));
    FUZZ_ASSERT(second.size == third.size && memcmp(second.data, third.data, second.size) == 0);
    msgpack_sbuffer_destroy(&first);
    msgpack_sbuffer_destroy(&second);
    msgpack_sbuffer_destroy(&third);
    msgpack_zone_destroy(&zone);
    free(one);
    free(two);
}

static void check_fields(const struct protocol_struct *type, const msgpack_object *map, msgpack_zone *zone)
{
    struct protocol_error error;
    void *out = malloc(type->size);
    FUZZ_ASSERT(out != NULL);
    if (!protocol_decode(type, map, zone, out, &error)) {
        check_error(&error);
    } else {
        check_round(type, out, PROTOCOL_ARRAYS_EXT);
        check_round(type, out, PROTOCOL_ARRAYS_PLAIN);
        msgpack_sbuffer bin;
        encode(type, out, PROTOCOL_ARRAYS_BIN, &bin);
        msgpack_sbuffer_destroy(&bin);
    }
    free(out);
}

static void take(const msgpack_object *root, msgpack_zone *zone)
{
    struct protocol_message message;
    struct protocol_error error;
    const msgpack_object *map;
    enum protocol_method method;
    if (!protocol_message_parse(root, &message, &error)) {
        check_error(&error);
        return;
    }
    if (message.kind == PROTOCOL_RESPONSE) {
        const uint32_t number = message.msgid % FUZZ_METHODS_MAX;
        if (number < FUZZ_METHODS) {
            check_fields(protocol_methods[fuzz_methods[number]].result, message.result, zone);
        }
        return;
    }
    if (!protocol_message_fields(message.params, &map, &error)) {
        check_error(&error);
        return;
    }
    if (protocol_method_find(message.method, &method)) {
        check_fields(protocol_methods[method].params, map, zone);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct protocol_scan scan;
    size_t end = 0, consumed = 0;
    protocol_scan_init(&scan, &limits);
    if (protocol_scan_feed(&scan, data, size, &end) != PROTOCOL_SCAN_DONE) {
        return 0;
    }
    msgpack_zone zone;
    msgpack_object root;
    FUZZ_ASSERT(msgpack_zone_init(&zone, 8192));
    FUZZ_ASSERT(msgpack_unpack((const char *)data, end, &consumed, &zone, &root) == MSGPACK_UNPACK_SUCCESS);
    take(&root, &zone);
    msgpack_zone_destroy(&zone);
    return 0;
}
