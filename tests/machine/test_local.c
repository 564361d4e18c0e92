// The server in a page (clients/web/wasm/page), compiled natively, because what looks at memory looks there alone: called as
// clients/web/src/local/server.ts calls it, with imports that keep what they are told as the page does.
#include "base/log.h"
#include "helper_world.h"
#include "net/net.h"
#include "page/page.h"
#include "protocol/array/reserve.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum {
    TURNS_MOST = 100000,
    SIDE = 72,    // a sheet so large that a worker takes its message, of more than 64 KiB
    ROUNDS = 600, // of garbage
};

// ---------------------------------------------------------------------------------------------------------
// The page

struct told {
    uint8_t *bytes;
    size_t size;
};

static struct page {
    struct told *told; // not looked at yet, the oldest first
    size_t count, capacity;
    uint32_t closed; // the code; 0: it is open
    char reason[128];
    uint32_t id;
    uint32_t frames, records; // looked at
    bool deaf;                // looks at nothing that comes
    msgpack_unpacked answer;
} page;

// Memory of what is below the calls of the page, of which one call may fail. The linker leads them here.
static struct memory {
    bool armed;
    uint32_t calls, failing; // so many calls; the one that fails, from 1, 0: none
} memory;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

static bool fails(void)
{
    return memory.armed && ++memory.calls == memory.failing;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return fails() ? NULL : __real_realloc(block, size);
}

// As in the page, the parts are copied.
void page_send(const struct local_part *parts, uint32_t count)
{
    struct told told = {0};
    const bool armed = memory.armed;
    memory.armed = false; // the page has memory of its own
    for (uint32_t i = 0; i < count; i++) {
        told.size += parts[i].size;
    }
    told.bytes = malloc(told.size);
    assert_non_null(told.bytes);
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(told.bytes + at, parts[i].bytes, parts[i].size);
        at += parts[i].size;
    }
    assert_true(array_reserve(&page.told, &page.capacity, page.count + 1));
    page.told[page.count++] = told;
    memory.armed = armed;
}

void page_closed(uint32_t code, const char *reason, size_t size)
{
    page.closed = code;
    snprintf(page.reason, sizeof page.reason, "%.*s", (int)size, reason);
}

static void turn(void)
{
    memory.armed = true;
    const double wait_ms = page_turn();
    memory.armed = false;
    assert_true(wait_ms >= 0 && wait_ms <= 1000);
    if (wait_ms > 0) {
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
}

static void give(const void *bytes, size_t size)
{
    memory.armed = true;
    uint8_t *room = page_alloc(size);
    memory.armed = false;
    if (room == NULL) { // as the page does then
        page_disconnect();
        page.closed = NET_END_FAILURE;
        return;
    }
    memcpy(room, bytes, size);
    memory.armed = true;
    page_receive(room, size);
    memory.armed = false;
}

// Takes the oldest message; its answer, if it is one to `id`.
static const msgpack_object *look(uint32_t id)
{
    struct told told = page.told[0];
    memmove(page.told, page.told + 1, --page.count * sizeof *page.told);
    msgpack_unpacked unpacked;
    msgpack_unpacked_init(&unpacked);
    size_t offset = 0;
    assert_int_equal(msgpack_unpack_next(&unpacked, (const char *)told.bytes, told.size, &offset),
                     MSGPACK_UNPACK_SUCCESS);
    assert_int_equal(offset, told.size);
    msgpack_zone_push_finalizer(unpacked.zone, free, told.bytes); // what was read points into them
    memory.armed = true;
    page_taken(1);
    memory.armed = false;
    const bool answers = helper_number(&unpacked.data, "#0") == 1;
    if (!answers) {
        const msgpack_object *method = helper_at(&unpacked.data, "#1");
        page.frames += method->via.str.size == 12 && memcmp(method->via.str.ptr, "stream.frame", 12) == 0;
        page.records += method->via.str.size == 14 && memcmp(method->via.str.ptr, "stream.records", 14) == 0;
    }
    if (answers && helper_number(&unpacked.data, "#1") == id) {
        msgpack_unpacked_destroy(&page.answer);
        page.answer = unpacked;
        return &page.answer.data;
    }
    msgpack_unpacked_destroy(&unpacked);
    return NULL;
}

static void look_at_all(void)
{
    while (page.count > 0) {
        look(0);
    }
}

static uint32_t ask(const char *method, const msgpack_sbuffer *map)
{
    msgpack_sbuffer message;
    msgpack_packer packer;
    msgpack_sbuffer_init(&message);
    msgpack_packer_init(&packer, &message, msgpack_sbuffer_write);
    msgpack_pack_array(&packer, 4);
    msgpack_pack_int(&packer, 0);
    msgpack_pack_uint32(&packer, ++page.id);
    msgpack_pack_str_with_body(&packer, method, strlen(method));
    msgpack_pack_array(&packer, 1);
    msgpack_sbuffer_write(&message, map->data, map->size);
    give(message.data, message.size);
    msgpack_sbuffer_destroy(&message);
    return page.id;
}

// The answer, as [1, id, error, result]; NULL: the connection has ended.
static const msgpack_object *answer_to(uint32_t id)
{
    for (uint32_t i = 0; i < TURNS_MOST; i++) {
        turn();
        while (page.count > 0 && !page.deaf) {
            const msgpack_object *answer = look(id);
            if (answer != NULL) {
                return answer;
            }
        }
        if (page.closed != 0) {
            return NULL;
        }
    }
    fail_msg("no answer");
    return NULL;
}

static const msgpack_object *call_packed(const char *method, const msgpack_sbuffer *map)
{
    const msgpack_object *answer = answer_to(ask(method, map));
    if (answer == NULL) {
        fail_msg("%s: the connection ended: %s", method, page.reason);
    }
    if (helper_at(answer, "#2")->type != MSGPACK_OBJECT_NIL) {
        msgpack_object_print(stderr, *answer);
        fail_msg("%s: refused", method);
    }
    return helper_at(answer, "#3");
}

static const msgpack_object *call(const char *method, const char *notation)
{
    msgpack_sbuffer map;
    msgpack_sbuffer_init(&map);
    helper_pack(&map, notation);
    const msgpack_object *result = call_packed(method, &map);
    msgpack_sbuffer_destroy(&map);
    return result;
}

static uint64_t hash_of(const char *world)
{
    const msgpack_object *hash = helper_at(call("world.hash", world), "hash");
    assert_int_equal(hash->via.str.size, 16);
    char digits[17];
    snprintf(digits, sizeof digits, "%.16s", hash->via.str.ptr);
    return strtoull(digits, NULL, 16);
}

static void enter(void)
{
    page.closed = 0;
    for (size_t i = 0; i < page.count; i++) { // what the one before was told goes with it
        free(page.told[i].bytes);
    }
    page.count = 0;
    assert_true(page_connect());
    call("session.hello", "{'client': 'test', 'errors': 'map'}");
}

static void leave(void)
{
    page_disconnect();
    turn();
}

// A sheet of so many a side, that hangs by two corners.
static void pack_sheet(msgpack_sbuffer *map, uint32_t side)
{
    msgpack_packer packer;
    msgpack_sbuffer_init(map);
    msgpack_packer_init(&packer, map, msgpack_sbuffer_write);
    msgpack_pack_map(&packer, 6);
    helper_pack(map, "'world'");
    msgpack_pack_int(&packer, 1);
    helper_pack(map, "'kind'");
    helper_pack(map, "'cloth'");
    helper_pack(map, "'name'");
    helper_pack(map, "'sheet'");
    helper_pack(map, "'pins'");
    msgpack_pack_array(&packer, 2);
    msgpack_pack_uint32(&packer, 0);
    msgpack_pack_uint32(&packer, side - 1);
    helper_pack(map, "'positions'");
    msgpack_pack_array(&packer, 3 * side * side);
    for (uint32_t i = 0; i < side * side; i++) {
        msgpack_pack_float(&packer, (float)(i % side) / 16);
        msgpack_pack_float(&packer, 2);
        msgpack_pack_float(&packer, (float)(i / side) / 16);
    }
    helper_pack(map, "'triangles'");
    msgpack_pack_array(&packer, 6 * (side - 1) * (side - 1));
    for (uint32_t i = 0; i < (side - 1) * (side - 1); i++) {
        const uint32_t a = i / (side - 1) * side + i % (side - 1),
                       corners[] = {a, a + side, a + 1, a + 1, a + side, a + side + 1};
        for (uint32_t k = 0; k < 6; k++) {
            msgpack_pack_uint32(&packer, corners[k]);
        }
    }
}

static int start(void **state)
{
    (void)state;
    msgpack_unpacked_init(&page.answer);
    base_log_set(BASE_LOG_ERROR, false); // garbage is told with each connection that it ends
    return page_start() ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    leave();
    msgpack_unpacked_destroy(&page.answer);
    for (size_t i = 0; i < page.count; i++) {
        free(page.told[i].bytes);
    }
    free(page.told);
    return 0;
}

// ---------------------------------------------------------------------------------------------------------
// Tests

// World 1, which those below go on with.
static void it_comes_to_the_hashes_of_a_world_without_a_page(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    msgpack_sbuffer sheet;
    enter();
    call("world.create", "{'name': 'flag', 'substeps': 4}"); // as the helper's
    assert_int_equal(hash_of("{'world': 1}"), helper_hash(helper));
    pack_sheet(&sheet, SIDE);
    call_packed("body.add", &sheet);
    assert_true(sheet.size > 64 * 1024);
    assert_int_not_equal(helper_post_packed(helper, HELPER_ANN, "body.add", &sheet, true), 0);
    helper_turn(helper);
    msgpack_sbuffer_destroy(&sheet);
    static const char *const edits[][2] = {
        {"collider.add",
         "{'world': 1, 'kind': 'sphere', 'radius': 0.5, 'position': [2, 1.4, 2], 'friction': 0.4}"},
        {"grab.begin", "{'world': 1, 'body': 1, 'particle': 100, 'target': [1, 2.5, 1]}"},
        {"body.set", "{'world': 1, 'body': 1, 'stretch': {'compliance': 0.000002}}"},
        {"edit.undo", "{'world': 1}"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        call(edits[i][0], edits[i][1]);
        helper_call(helper, HELPER_ANN, edits[i][0], edits[i][1]);
        call("world.step", "{'world': 1, 'ticks': 3}");
        for (uint32_t tick = 0; tick < 3; tick++) {
            helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
            helper_turns(helper, 2);
        }
        assert_int_equal(helper_number(call("world.get", "{'world': 1}"), "tick"), 3 * (i + 1));
        assert_int_equal(hash_of("{'world': 1}"), helper_hash(helper));
        helper_forget(helper);
    }
    helper_destroy(helper);
}

static void frames_and_records_come_and_what_nobody_takes_is_left_out(void **state)
{
    (void)state;
    const double id = helper_number(
        call("stream.subscribe", "{'world': 1, 'encoding': 'delta', 'unit': 'substep'}"), "stream");
    call("stream.subscribe", "{'world': 1, 'fields': ['positions', 'normals', 'measures']}");
    call("stream.subscribe", "{'world': 1, 'encoding': 'records'}");
    page.frames = page.records = 0;
    call("world.step", "{'world': 1, 'ticks': 3}");
    for (uint32_t i = 0; i < 100; i++) {
        turn();
    }
    look_at_all();
    assert_true(page.frames > 3);
    assert_true(page.records > 0);

    // A page that looks at nothing is sent one write, and no more.
    page.deaf = true;
    msgpack_sbuffer map;
    msgpack_sbuffer_init(&map);
    helper_pack(&map, "{'world': 1, 'ticks': 12}");
    const uint32_t step = ask("world.step", &map);
    msgpack_sbuffer_destroy(&map);
    for (uint32_t i = 0; i < 300; i++) {
        turn();
    }
    size_t waiting = 0;
    for (size_t i = 0; i < page.count; i++) {
        waiting += page.told[i].size;
    }
    assert_in_range(waiting, 1, 2 * 1024 * 1024);
    page.deaf = false;
    page.frames = 0;
    bool stepped = false;
    for (uint32_t i = 0; i < TURNS_MOST && !stepped; i++) {
        while (page.count > 0) {
            stepped |= look(step) != NULL;
        }
        turn();
    }
    assert_true(stepped);
    assert_in_range(page.frames, 1, 12 * 20);
    char close[64];
    snprintf(close, sizeof close, "{'stream': %.0f}", id);
    call("stream.unsubscribe", close);
}

static void what_it_saves_it_opens_and_both_go_on_alike(void **state)
{
    (void)state;
    call("grab.end", "{'world': 1, 'grab': 1}");
    const msgpack_object *saved = call("world.save", "{'world': 1}");
    msgpack_sbuffer open;
    msgpack_packer packer;
    msgpack_sbuffer_init(&open);
    msgpack_packer_init(&packer, &open, msgpack_sbuffer_write);
    msgpack_pack_map(&packer, 2);
    helper_pack(&open, "'name'");
    helper_pack(&open, "'again'");
    helper_pack(&open, "'document'");
    msgpack_pack_object(&packer, *helper_at(saved, "document"));
    assert_int_equal(helper_number(call_packed("world.open", &open), "world"), 2);
    for (uint32_t tick = 0; tick < 3; tick++) {
        assert_int_equal(hash_of("{'world': 1}"), hash_of("{'world': 2}"));
        call("world.step", "{'world': 1}");
        call("world.step", "{'world': 2}");
    }
    // Its bytes, cut and changed, are refused or are some other world.
    uint32_t draw = 7;
    for (uint32_t round = 0; round < 40; round++) {
        msgpack_sbuffer changed;
        msgpack_sbuffer_init(&changed);
        msgpack_sbuffer_write(&changed, open.data, open.size);
        for (uint32_t n = 0; n < 3; n++) {
            draw = draw * 1664525 + 1013904223;
            changed.data[20 + draw % (round % 2 ? 400 : open.size - 20)] ^= (char)(draw >> 24);
        }
        if (answer_to(ask("world.open", &changed)) == NULL) {
            enter();
        }
        msgpack_sbuffer_destroy(&changed);
    }
    msgpack_sbuffer_destroy(&open);
    assert_int_equal(hash_of("{'world': 1}"), hash_of("{'world': 2}"));
}

static void it_knows_its_past(void **state)
{
    (void)state;
    const msgpack_object *seen = call("world.seek", "{'world': 1, 'tick': 2}");
    const double view = helper_number(seen, "view");
    const msgpack_object *branch = call("world.branch", "{'world': 1, 'tick': 2, 'name': 'branch'}");
    const double world = helper_number(branch, "world");
    char first[64], second[64];
    snprintf(first, sizeof first, "{'world': %.0f}", view);
    snprintf(second, sizeof second, "{'world': %.0f}", world);
    assert_int_equal(hash_of(first), hash_of(second));
    call("world.leave", first);
}

static void garbage_ends_the_connection_and_nothing_else(void **state)
{
    (void)state;
    const uint64_t before = hash_of("{'world': 1}");
    uint32_t draw = 1, ended = 0, answered = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        msgpack_sbuffer message;
        msgpack_sbuffer_init(&message);
        helper_pack(&message,
                    "[0, 900, 'world.create', [{'name': 'made', 'gravity': [0, 1.5, 0], 'substeps': 3}]]");
        size_t size = message.size;
        for (uint32_t n = 0; n <= round % 4; n++) {
            draw = draw * 1664525 + 1013904223;
            message.data[(draw >> 8) % size] = (char)(round % 2 ? 0xc0 + (draw >> 27) : draw >> 24);
        }
        if (round % 3 == 0) {
            size = (draw >> 8) % size;
        }
        give(message.data, size);
        msgpack_sbuffer_destroy(&message);
        for (uint32_t i = 0; i < 3; i++) {
            turn();
        }
        answered += page.count > 0;
        if (page.closed != 0) {
            ended++;
            enter();
        }
        look_at_all();
    }
    assert_true(ended > ROUNDS / 20);
    assert_true(answered > ROUNDS / 20);
    assert_int_equal(hash_of("{'world': 1}"), before);
}

static void what_is_not_looked_at_in_time_has_a_bound(void **state)
{
    (void)state;
    enum { PIECE = 40 * 1024 * 1024 };
    for (uint32_t i = 0; page.closed == 0; i++) {
        assert_in_range(i, 0, 3); // of 128 MiB
        uint8_t *bytes = page_alloc(PIECE);
        assert_non_null(bytes);
        memset(bytes, 0xc0, 16);
        page_receive(bytes, PIECE);
        if (i == 2) {
            assert_int_equal(page.closed, 0);
        }
    }
    page_receive(page_alloc(1), 1); // to nobody
    turn();
    enter();
}

static void a_page_that_leaves_or_comes_again_takes_its_streams_and_work_along(void **state)
{
    (void)state;
    const uint64_t before = hash_of("{'world': 2}");
    for (uint32_t round = 0; round < 6; round++) {
        msgpack_sbuffer sheet;
        call("stream.subscribe", "{'world': 1}");
        pack_sheet(&sheet, SIDE);
        ask("body.check", &sheet); // a method that is not there, but as large
        ask("body.add", &sheet);
        for (uint32_t i = 0; i < round; i++) {
            page_turn();
        }
        msgpack_sbuffer_destroy(&sheet);
        if (round % 2) {
            leave();
        }
        page_taken(1000);
        enter();
    }
    assert_int_equal(hash_of("{'world': 2}"), before);
    assert_int_equal(helper_number(call("world.get", "{'world': 1}"), "streams"), 0);
}

// Another page, which does this and that. False where its connection ended in the midst of it.
static bool visit(void)
{
    static const char *const calls[][2] = {
        {"session.hello", "{'client': 'test', 'errors': 'map'}"},
        {"world.create", "{'name': 'brief'}"},
        {"body.add", "{'world': 'brief', 'kind': 'rope', 'positions': [0, 1, 0, 1, 1, 0], 'pins': [0]}"},
        {"stream.subscribe", "{'world': 'brief'}"},
        {"world.step", "{'world': 'brief'}"},
        {"world.save", "{'world': 'brief'}"},
        {"world.seek", "{'world': 'brief', 'tick': 0}"},
        {"world.delete", "{'world': 'brief'}"},
    };
    page.closed = 0;
    memory.armed = true;
    const bool there = page_connect();
    memory.armed = false;
    bool went_on = there;
    for (size_t i = 0; i < sizeof calls / sizeof *calls && went_on; i++) {
        msgpack_sbuffer map;
        msgpack_sbuffer_init(&map);
        helper_pack(&map, calls[i][1]);
        const uint32_t id = ask(calls[i][0], &map);
        went_on = page.closed == 0 && answer_to(id) != NULL;
        msgpack_sbuffer_destroy(&map);
    }
    return went_on;
}

static void each_lack_of_memory_is_told_or_ends_the_connection_and_worlds_go_on(void **state)
{
    (void)state;
    const uint64_t before = hash_of("{'world': 1}");
    uint32_t ended = 0;
    memory.calls = 0;
    assert_true(visit());
    const uint32_t calls = memory.calls;
    assert_true(calls > 100);
    for (uint32_t failing = 1; failing <= calls; failing++) {
        memory.calls = 0;
        memory.failing = failing;
        ended += !visit();
        memory.failing = 0;
        enter();
        msgpack_sbuffer map;
        msgpack_sbuffer_init(&map);
        helper_pack(&map, "{'world': 'brief'}");
        answer_to(ask("world.delete", &map)); // where it was not
        msgpack_sbuffer_destroy(&map);
    }
    print_message("%" PRIu32 " calls, %" PRIu32 " ends\n", calls, ended);
    assert_in_range(ended, 1, calls / 2);
    assert_int_equal(hash_of("{'world': 1}"), before);
}

static void what_needs_others_is_refused(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        msgpack_sbuffer map;
        msgpack_sbuffer_init(&map);
        helper_pack(&map, i == 0 ? "{}" : "{'world': 1, 'role': 'viewer'}");
        const msgpack_object *answer = answer_to(ask(i == 0 ? "token.list" : "access.invite", &map));
        assert_int_equal(helper_at(answer, "#2")->type, MSGPACK_OBJECT_MAP);
        msgpack_sbuffer_destroy(&map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_comes_to_the_hashes_of_a_world_without_a_page),
        cmocka_unit_test(frames_and_records_come_and_what_nobody_takes_is_left_out),
        cmocka_unit_test(what_it_saves_it_opens_and_both_go_on_alike),
        cmocka_unit_test(it_knows_its_past),
        cmocka_unit_test(garbage_ends_the_connection_and_nothing_else),
        cmocka_unit_test(what_is_not_looked_at_in_time_has_a_bound),
        cmocka_unit_test(a_page_that_leaves_or_comes_again_takes_its_streams_and_work_along),
        cmocka_unit_test(each_lack_of_memory_is_told_or_ends_the_connection_and_worlds_go_on),
        cmocka_unit_test(what_needs_others_is_refused),
    };
    return cmocka_run_group_tests(tests, start, end);
}
