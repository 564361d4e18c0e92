// A twin at a server that lies: messages of a world's life, left out, repeated, exchanged, with other values in their fields and
// other bytes. It refuses them with a text or does what they say, and is a twin again with the next image.
#include "helper_wire.h"

#include "base/buffer.h"
#include "document/document.h"
#include "protocol/frame.h"
#include "protocol/message.h"
#include "protocol/patch.h"
#include "protocol/unpack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MESSAGES = 64, ROUNDS = 1500, BEGIN = 1 /* messages of its image */ };

static struct {
    msgpack_sbuffer bytes[MESSAGES];
    uint32_t count;
    uint64_t tick;
} life;

static uint32_t below(uint32_t count)
{
    static uint64_t state = 18;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % count;
}

static void keep(struct helper *helper, uint32_t *seq)
{
    for (uint32_t e = 0; e < helper->event_count; e++) {
        const struct world_event *event = helper->events[e];
        for (uint32_t f = 0; event->kind == WORLD_RECORDS && f < event->batches[0]->frame_count; f++) {
            const struct base_frame *frame = event->batches[0]->frames[f];
            assert_true(life.count < MESSAGES && frame->part_count == 1);
            msgpack_sbuffer_init(&life.bytes[life.count]);
            wire_bytes(frame, 0, 7, ++*seq, &life.bytes[life.count++]);
        }
    }
    helper_forget(helper);
}

static int live(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    uint32_t seq = 0;
    helper->world->twins->hash_ns = 0;
    helper_cloth(helper, HELPER_ANN, 4, 1, "sail");
    helper_post(helper, HELPER_ANN, "stream.subscribe", "{'world': 1, 'encoding': 'records'}");
    helper_turns(helper, 2);
    helper_post(helper, HELPER_ANN, "grab.begin",
                "{'world': 1, 'body': 1, 'particle': 3, 'target': [0, 1, 0]}");
    for (uint32_t i = 0; i < 20; i++) {
        char text[128];
        snprintf(text, sizeof text, "{'world': 1, 'grab': 1, 'target': [0.0%u, 1, 0]}", 1 + i);
        helper_post(helper, HELPER_ANN, "grab.move", text);
        helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
        helper_turns(helper, 3);
    }
    for (int tries = 0; helper->deadline != UINT64_MAX && tries < 100000; tries++) {
        usleep(100); // the hash of what it rests at
        helper_turn(helper);
    }
    keep(helper, &seq);
    life.tick = helper->world->document->tick;
    helper_destroy(helper);
    return life.count < 20;
}

static int forget(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < life.count; i++) {
        msgpack_sbuffer_destroy(&life.bytes[i]);
    }
    return 0;
}

// A whole message; what is no notification, or not one with a map, does not come as far as a twin.
static bool give(struct twin *twin, const void *bytes, size_t size, struct protocol_error *error)
{
    msgpack_zone zone;
    msgpack_object root;
    struct protocol_message message;
    const msgpack_object *map = NULL;
    struct protocol_error other = {0};
    bool taken = true;
    msgpack_zone_init(&zone, 4096);
    if (protocol_unpack(bytes, size, &zone, &root) && protocol_message_parse(&root, &message, &other) &&
        message.kind == PROTOCOL_NOTIFICATION && protocol_message_fields(message.params, &map, &other) &&
        map) {
        *error = (struct protocol_error){0};
        taken = twin_take(twin, map, 1000, error);
        if (!taken) {
            assert_true(error->code != PROTOCOL_CODE_OK && error->text[0] != '\0');
            assert_true(twin_state(twin).lost);
        }
    }
    msgpack_zone_destroy(&zone);
    return taken;
}

static bool give_kept(struct twin *twin, uint32_t message, struct protocol_error *error)
{
    return give(twin, life.bytes[message].data, life.bytes[message].size, error);
}

// Never far: what a lie may ask for is the caller's to bound.
static void run(struct twin *twin)
{
    for (int ticks = 0; ticks < 50 && twin_step(twin, UINT64_MAX, NULL, NULL); ticks++) {
    }
}

static void whole(struct twin *twin)
{
    struct protocol_error error;
    for (uint32_t i = 0; i < life.count; i++) {
        if (!give_kept(twin, i, &error)) {
            fail_msg("message %u: %s", i, error.text);
        }
    }
    run(twin);
    const struct twin_state state = twin_state(twin);
    assert_true(!state.lost && state.tick == life.tick && state.same_tick == life.tick);
}

static void what_is_left_out_or_exchanged_is_noticed(void **state)
{
    (void)state;
    struct twin *twin = twin_create(NULL);
    struct protocol_error error;
    assert_false(give_kept(twin, BEGIN, &error)); // without an image
    for (uint32_t out = BEGIN; out + 1 < life.count; out++) {
        bool refused = false;
        for (uint32_t i = 0; i < life.count; i++) {
            refused = (i != out && !give_kept(twin, i, &error)) || refused;
        }
        assert_true(refused && twin_state(twin).lost);
        run(twin);
        whole(twin);
    }
    assert_false(give_kept(twin, life.count - 1, &error)); // twice
    whole(twin);
    assert_int_equal(twin_state(twin).differences, 0);
    twin_destroy(twin);
}

static void any_byte_may_be_another(void **state)
{
    (void)state;
    struct twin *twin = twin_create(NULL);
    struct protocol_error error;
    uint32_t refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t changed = below(life.count);
        for (uint32_t i = 0; i < life.count; i++) {
            const size_t size = life.bytes[i].size;
            char *bytes = malloc(size);
            memcpy(bytes, life.bytes[i].data, size);
            for (uint32_t changes = i == changed ? 1 + below(3) : 0; changes > 0; changes--) {
                bytes[below((uint32_t)size)] = (char)(below(3) ? below(256) : 0xFF);
            }
            refused +=
                !give(twin, bytes, i == changed && below(8) == 0 ? below((uint32_t)size) : size, &error);
            free(bytes);
        }
        run(twin);
    }
    assert_true(refused > ROUNDS / 10);
    whole(twin);
    twin_destroy(twin);
}

// ---------------------------------------------------------------------------------------------------------
// Lies that are well formed

static msgpack_packer packer;
static msgpack_sbuffer built;

static void head(uint32_t keys, uint32_t seq, uint64_t tick)
{
    uint8_t bytes[PROTOCOL_RECORDS_HEAD_SIZE];
    msgpack_sbuffer_clear(&built);
    protocol_records_head(bytes, PROTOCOL_RECORDS_HEAD_KEYS + 2 + keys, 7, seq);
    msgpack_sbuffer_write(&built, (const char *)bytes, sizeof bytes);
    msgpack_packer_init(&packer, &built, msgpack_sbuffer_write);
    msgpack_pack_str_with_body(&packer, "tick", 4);
    msgpack_pack_uint64(&packer, tick);
    msgpack_pack_str_with_body(&packer, "at", 2);
    msgpack_pack_uint64(&packer, 5);
}

static void key(const char *name)
{
    msgpack_pack_str_with_body(&packer, name, strlen(name));
}

static void refuses(struct twin *twin, const char *text)
{
    struct protocol_error error = {0};
    if (give(twin, built.data, built.size, &error) || !strstr(error.text, text)) {
        fail_msg("\"%s\" is not refused with \"%s\"", error.text, text);
    }
    whole(twin);
}

static void image(uint32_t part, uint32_t parts, uint64_t size, const char *bytes)
{
    head(5, 1, 0);
    key("part");
    msgpack_pack_uint32(&packer, part);
    key("parts");
    msgpack_pack_uint32(&packer, parts);
    key("size");
    msgpack_pack_uint64(&packer, size);
    key("sequence");
    msgpack_pack_uint64(&packer, 0);
    key("image");
    msgpack_pack_bin_with_body(&packer, bytes, strlen(bytes));
}

static void records(uint32_t seq, uint64_t tick, const uint8_t *bytes, size_t size)
{
    head(1, seq, tick);
    key("records");
    msgpack_pack_array(&packer, 1);
    msgpack_pack_bin_with_body(&packer, bytes, size);
}

static void lies_are_refused_by_name(void **state)
{
    (void)state;
    const struct twin_bounds bounds = {.image_bytes = 1 << 20, .waiting_bytes = 1 << 16};
    struct twin *twin = twin_create(&bounds);
    const uint32_t next = life.count + 1;
    const uint64_t tick = life.tick;
    msgpack_sbuffer_init(&built);
    whole(twin);
    image(0, 1, UINT64_C(1) << 40, "x"), refuses(twin, "the most that this twin takes");
    image(0, 1, 3, "xxxx"), refuses(twin, "does not follow");
    image(0, 1, 9, "xxxx"), refuses(twin, "was announced with");
    image(1, 2, 9, "xxxx"), refuses(twin, "does not follow");
    image(0, 0, 9, "xxxx"), refuses(twin, "does not follow");
    image(0, 1, 4, "xxxx"), refuses(twin, "cannot be read");
    head(0, next, tick - 1), refuses(twin, "time goes back");
    head(0, next, UINT64_MAX), refuses(twin, "tick must be");
    head(0, next + 1, tick), refuses(twin, "does not follow");
    head(1, next, tick), key("hash"), msgpack_pack_str_with_body(&packer, "0123456789abcdeX", 16);
    refuses(twin, "hexadecimal");
    head(1, next, tick), key("state"), msgpack_pack_str_with_body(&packer, "dancing", 7);
    refuses(twin, "state and rate");
    head(1, next, tick), key("records"), msgpack_pack_uint8(&packer, 3), refuses(twin, "must be a list");
    const uint8_t patch[] = {PROTOCOL_PATCH, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F};
    records(next, tick, patch, sizeof patch), refuses(twin, "differences that do not fit");
    records(next, tick, patch, 0), refuses(twin, "record");
    records(next, tick, (const uint8_t *)"\x01", 1), refuses(twin, "record");
    // Marks without an end: what waits is bounded.
    struct protocol_error error = {0};
    bool taken = true;
    for (uint32_t i = 0; taken && i < 10000; i++) {
        head(0, next + i, tick + 1000 + i);
        taken = give(twin, built.data, built.size, &error);
    }
    assert_true(!taken && error.code == PROTOCOL_CODE_LIMIT);
    whole(twin);
    assert_int_equal(twin_state(twin).differences, 0);
    msgpack_sbuffer_destroy(&built);
    twin_destroy(twin);
}

static void another_hash_is_a_difference_and_an_image_mends_it(void **state)
{
    (void)state;
    struct twin *twin = twin_create(NULL);
    struct protocol_error error;
    msgpack_sbuffer_init(&built);
    whole(twin);
    head(1, life.count + 1, life.tick + 1), key("hash");
    msgpack_pack_str_with_body(&packer, "0123456789abcdef", 16);
    assert_true(give(twin, built.data, built.size, &error));
    run(twin);
    const struct twin_state lost = twin_state(twin);
    assert_true(lost.lost && lost.differs && lost.differences == 1 && strstr(lost.text, "0123456789abcdef"));
    assert_true(twin_document(twin) != NULL); // it can be looked at
    head(0, life.count + 2, life.tick + 2);
    assert_true(give(twin, built.data, built.size, &error)); // passed over, until an image comes
    assert_false(twin_step(twin, UINT64_MAX, NULL, NULL));
    whole(twin);
    assert_false(twin_state(twin).differs);
    msgpack_sbuffer_destroy(&built);
    twin_destroy(twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_out_or_exchanged_is_noticed),
        cmocka_unit_test(any_byte_may_be_another),
        cmocka_unit_test(lies_are_refused_by_name),
        cmocka_unit_test(another_hash_is_a_difference_and_an_image_mends_it),
    };
    return cmocka_run_group_tests(tests, live, forget);
}
