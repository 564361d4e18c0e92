// Data of a world's past as a store gives it back. The first byte says what the rest is:
//
//     0 mod 4   a mark of time        1 mod 4   a record        2 mod 4   an image
//     3 mod 4   entries after the image of an empty world: kind, ticks since the last, size (two bytes), bytes; again
//
// What must hold besides not crashing and not leaking: a refusal has words; a mark has one form; a record that is packed and
// read has the same bytes again; an image's document has the same hash and image again; a past comes to an end or is refused,
// its verification names what is damaged, and a seek to its end comes to the same.
#include "fuzz.h"

#include "base/buffer.h"
#include "base/log.h"
#include "document/document.h"
#include "past/past.h"
#include "protocol/bytes.h"
#include "protocol/params.h"
#include "store/store.h"

#include <string.h>

enum { FUZZ_BYTES_MAX = 65536, FUZZ_ENTRIES_MAX = 64, FUZZ_TICKS_MAX = 3 };

static void take_mark(const uint8_t *data, size_t size)
{
    struct protocol_error error = {0};
    struct past_mark mark;
    if (!past_mark_read(data, size, &mark, &error)) {
        FUZZ_ASSERT(error.text[0] != '\0');
        return;
    }
    struct protocol_bytes bytes = {0};
    msgpack_packer packer;
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    past_mark_pack(&mark, &packer);
    FUZZ_ASSERT(bytes.size == size && memcmp(bytes.data, data, size) == 0);
    protocol_bytes_deinit(&bytes);
}

// The bytes of what was read; false if it is refused.
static bool record_again(const uint8_t *data, size_t size, struct protocol_bytes *out)
{
    struct protocol_error error = {0};
    struct document_record record;
    msgpack_packer packer;
    msgpack_zone zone;
    FUZZ_ASSERT(msgpack_zone_init(&zone, 8192));
    const bool read = document_record_read(data, size, &zone, &record, &error);
    FUZZ_ASSERT(read || error.text[0] != '\0');
    if (read) {
        msgpack_packer_init(&packer, out, protocol_bytes_write);
        document_record_pack(&record, &packer);
    }
    msgpack_zone_destroy(&zone);
    return read;
}

static void take_record(const uint8_t *data, size_t size)
{
    struct protocol_bytes once = {0}, twice = {0};
    if (record_again(data, size, &once)) {
        const bool read = record_again(once.data, once.size, &twice);
        FUZZ_ASSERT(read && once.size == twice.size && memcmp(once.data, twice.data, once.size) == 0);
    }
    protocol_bytes_deinit(&once);
    protocol_bytes_deinit(&twice);
}

static void take_image(const uint8_t *data, size_t size)
{
    struct protocol_error error = {0};
    struct protocol_bytes once = {0}, twice = {0};
    struct document *document = document_image_read(data, size, &error);
    if (!document) {
        FUZZ_ASSERT(error.text[0] != '\0');
        return;
    }
    FUZZ_ASSERT(document_image_pack(document, &once));
    struct document *again = document_image_read(once.data, once.size, &error);
    FUZZ_ASSERT(again && document_hash(again) == document_hash(document));
    FUZZ_ASSERT(document_image_pack(again, &twice));
    FUZZ_ASSERT(once.size == twice.size && memcmp(once.data, twice.data, once.size) == 0);
    document_destroy(again);
    document_destroy(document);
    protocol_bytes_deinit(&once);
    protocol_bytes_deinit(&twice);
}

// ---------------------------------------------------------------------------------------------------------

static void begin(struct store *store)
{
    struct protocol_world_create_params settings;
    struct protocol_bytes bytes = {0};
    protocol_defaults(&protocol_world_create_params_type, &settings);
    settings.substeps = 2;
    struct document *document = document_create(&settings);
    FUZZ_ASSERT(document && document_image_pack(document, &bytes));
    struct base_buffer *buffer = base_buffer_create(bytes.size, NULL);
    FUZZ_ASSERT(buffer);
    memcpy(buffer->data, bytes.data, bytes.size);
    const struct store_image image = {.hash = document_hash(document), .maker = sim_solver_version()};
    FUZZ_ASSERT(store_create(store, 1, "w", &image, buffer));
    base_buffer_unref(buffer);
    protocol_bytes_deinit(&bytes);
    document_destroy(document);
}

static void append(struct store *store, const uint8_t *data, size_t size)
{
    uint64_t tick = 0, position = 0;
    while (size >= 4 && position < FUZZ_ENTRIES_MAX) {
        const size_t given = (size_t)data[2] | (size_t)data[3] << 8, left = size - 4;
        tick += data[1] % (FUZZ_TICKS_MAX + 1);
        const struct store_entry entry = {.position = ++position,
                                          .tick = tick,
                                          .kind = data[0],
                                          .bytes = data + 4,
                                          .size = given < left ? given : left};
        FUZZ_ASSERT(store_append(store, 1, 1, &entry, 1));
        data += 4 + entry.size;
        size -= 4 + entry.size;
    }
}

static void on_damage(void *context, uint64_t position, uint64_t tick, const char *text)
{
    uint32_t *count = context;
    (void)position;
    (void)tick;
    FUZZ_ASSERT(text[0] != '\0');
    ++*count;
}

static void look(struct store_reader *reader)
{
    struct protocol_error error = {0};
    struct past_end end;
    uint32_t damages = 0;
    struct past *past = past_open(reader, 1, &error);
    FUZZ_ASSERT(past);
    char remark[PAST_REMARK_SIZE];
    FUZZ_ASSERT(past_verify(past, NULL, on_damage, &damages, remark, &error));
    if (!past_end(past, &end, &error)) {
        FUZZ_ASSERT(error.text[0] != '\0' && !end.document);
    } else {
        struct document *document = NULL;
        bool exact;
        const uint64_t tick = end.document->tick;
        FUZZ_ASSERT(past_seek(past, tick, NULL, &document, &exact, &error));
        FUZZ_ASSERT(!exact || end.document->failed || document_hash(document) == document_hash(end.document));
        document_destroy(document);
        document_destroy(end.document);
    }
    past_close(past);
}

static void take_entries(const uint8_t *data, size_t size)
{
    const struct store_options options = {.keep_seconds = UINT64_MAX, .keep_bytes = UINT64_MAX};
    struct store_error error;
    struct store *store = store_open(&options, &error);
    FUZZ_ASSERT(store);
    begin(store);
    append(store, data, size);
    struct store_reader *reader = store_reader_open(store, &error);
    FUZZ_ASSERT(reader);
    look(reader);
    store_reader_close(reader);
    store_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const take[])(const uint8_t *data, size_t size) = {take_mark, take_record, take_image,
                                                                     take_entries};
    base_log_set(BASE_LOG_ERROR, false);
    if (size > 0 && size <= FUZZ_BYTES_MAX) {
        take[data[0] % 4](data + 1, size - 1);
    }
    return 0;
}
