// Every request is answered once, whatever its world is about: while it is deleted, moved, made, or when it has failed. Its
// store is one whose commits the test makes, so each of these lasts for as long as the test wants.
#include "../host/helper_session.h"

#include "dispatch/call.h"
#include "dispatch/dispatch.h"
#include "host/delivery.h"
#include "host/world_internal.h"
#include "protocol/generated/api.h"
#include "protocol/params.h"
#include "store/backend.h"
#include "world/world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { ALL_DURABLE = 1 << 30, NAMED = 1000 };

static struct fixture fixture;
static struct dispatch *dispatch;
static struct store *store;
static const struct store_backend *real;
static struct store_backend lasting;
static atomic_bool durable;

static const struct dispatch_limits limits = {
    .message_bytes = 1 << 20, .sessions = 17, .sessions_per_address = 18, .worlds = 4};

static void pending_until_committed(struct store *of, uint32_t list, struct store_pending *out)
{
    real->pending(of, list, out);
    out->durable = atomic_load(&durable) ? ALL_DURABLE : 0;
}

static int setup(void **state)
{
    struct store_error error;
    store = store_open(
        &(struct store_options){.keep_seconds = UINT64_MAX, .keep_bytes = UINT64_MAX, .bin_seconds = 60},
        &error);
    assert_non_null(store);
    real = store->backend;
    lasting = *real;
    lasting.lasts = true;
    lasting.pending = pending_until_committed;
    store->backend = &lasting;
    atomic_store(&durable, true);
    session_fixture_create(&fixture, &(struct fixture_options){.store = store});
    dispatch = dispatch_create(fixture.loop, fixture.registry, 1, &limits);
    assert_non_null(dispatch);
    fixture.on_message = dispatch_message;
    fixture.context = dispatch;
    session_fixture_run(&fixture);
    *state = NULL;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    session_fixture_destroy(&fixture);
    dispatch_destroy(dispatch);
    store->backend = real;
    store_close(store);
    return 0;
}

// All that worlds have handed over, and will.
static void call_commit(struct fixture *all, void *argument)
{
    (void)argument;
    atomic_store(&durable, true);
    for (uint32_t i = 0; i < host_registry_count(all->registry); i++) {
        struct host_world *world = host_registry_at(all->registry, i);
        host_registry_kept(world);
        host_deliver_durable(world, ALL_DURABLE);
    }
}

// ---------------------------------------------------------------------------------------------------------
// A person who asks for everything

struct person {
    int fd;
    msgpack_unpacker from;
    msgpack_unpacked message;
    uint32_t asked;
    bool answered[NAMED];
    uint32_t answers;
};

static void person_init(struct person *person)
{
    *person = (struct person){.fd = client_connect(&fixture, 0)};
    msgpack_unpacked_init(&person->message);
    assert_true(msgpack_unpacker_init(&person->from, 1 << 16));
}

static void person_deinit(struct person *person)
{
    close(person->fd);
    msgpack_unpacked_destroy(&person->message);
    msgpack_unpacker_destroy(&person->from);
}

static void pack_map(msgpack_packer *packer, const struct protocol_struct *type, uint32_t world);

static void pack_numbers(msgpack_packer *packer, uint32_t count, double last)
{
    msgpack_pack_array(packer, count);
    for (uint32_t i = 0; i < count; i++) {
        msgpack_pack_double(packer, i + 1 == count ? last : 0);
    }
}

static void pack_text(msgpack_packer *packer, const char *text)
{
    msgpack_pack_str_with_body(packer, text, strlen(text));
}

// The kind of body that needs positions alone, else the first.
static const char *enum_value(const struct protocol_field *field)
{
    for (uint32_t i = 0; i < field->value_count; i++) {
        if (strcmp(field->values[i], "points") == 0) {
            return field->values[i];
        }
    }
    return field->values[0];
}

// A value that the decoder takes, if it can be told from the table.
static void pack_value(msgpack_packer *packer, const struct protocol_field *field, uint32_t world)
{
    const double least = field->min > 1 ? field->min : 1;
    switch (field->type) {
    case PROTOCOL_TYPE_BOOL:
        msgpack_pack_true(packer);
        break;
    case PROTOCOL_TYPE_U32:
    case PROTOCOL_TYPE_U64:
        msgpack_pack_uint64(packer, (uint64_t)least);
        break;
    case PROTOCOL_TYPE_REF:
        msgpack_pack_uint64(packer, strcmp(field->name, "world") == 0 ? world : 1);
        break;
    case PROTOCOL_TYPE_FLOAT:
        msgpack_pack_double(packer, least);
        break;
    case PROTOCOL_TYPE_ENUM:
        pack_text(packer, enum_value(field));
        break;
    case PROTOCOL_TYPE_STRING:
        pack_text(packer, "x");
        break;
    case PROTOCOL_TYPE_VEC3:
        pack_numbers(packer, 3, 0);
        break;
    case PROTOCOL_TYPE_VEC4:
        pack_numbers(packer, 4, 1);
        break;
    case PROTOCOL_TYPE_NUMBERS:
    case PROTOCOL_TYPE_F32S:
    case PROTOCOL_TYPE_F64S:
        pack_numbers(packer, field->multiple > 0 ? field->multiple : 1, 1);
        break;
    case PROTOCOL_TYPE_U32S:
        msgpack_pack_array(packer, 1);
        msgpack_pack_uint32(packer, 0);
        break;
    case PROTOCOL_TYPE_MAP:
        pack_map(packer, field->of, world);
        break;
    case PROTOCOL_TYPE_ANY:
        msgpack_pack_bin_with_body(packer, "x", 1);
        break;
    case PROTOCOL_TYPE_FLAGS:
    case PROTOCOL_TYPE_LIST:
    case PROTOCOL_TYPE_CALLS:
    case PROTOCOL_TYPE_ANSWERS:
        msgpack_pack_array(packer, 0);
        break;
    }
}

// A session that does not follow its worlds loses its connection when one of them moves away, with all that it has asked.
static bool is_given(const struct protocol_field *field)
{
    return field->required || strcmp(field->name, "world") == 0 || strcmp(field->name, "positions") == 0 ||
           strcmp(field->name, "follow") == 0;
}

static void pack_map(msgpack_packer *packer, const struct protocol_struct *type, uint32_t world)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        count += is_given(&type->fields[i]);
    }
    msgpack_pack_map(packer, count);
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (!is_given(&type->fields[i])) {
            continue;
        }
        pack_text(packer, type->fields[i].name);
        pack_value(packer, &type->fields[i], world);
    }
}

static void ask(struct person *person, enum protocol_method method, uint32_t world)
{
    msgpack_sbuffer bytes;
    msgpack_packer packer;
    msgpack_sbuffer_init(&bytes);
    msgpack_packer_init(&packer, &bytes, msgpack_sbuffer_write);
    msgpack_pack_array(&packer, 4);
    msgpack_pack_int(&packer, 0);
    msgpack_pack_uint32(&packer, person->asked++);
    pack_text(&packer, protocol_methods[method].name);
    msgpack_pack_array(&packer, 1);
    pack_map(&packer, protocol_methods[method].params, world);
    client_send(person->fd, bytes.data, bytes.size);
    msgpack_sbuffer_destroy(&bytes);
    assert_true(person->asked < NAMED);
}

// A new world is answered when it is durable, and what its session sends behind it waits as long.
static bool makes_world(int method)
{
    return method == PROTOCOL_METHOD_WORLD_CREATE || method == PROTOCOL_METHOD_WORLD_OPEN ||
           method == PROTOCOL_METHOD_WORLD_BRANCH || method == PROTOCOL_METHOD_WORLD_RESTORE;
}

// Everything but what ends the session, what ends the world, and new worlds; then a ping, whose answer says that the server has
// looked at all of it.
static void ask_for_everything(struct person *person, uint32_t world)
{
    for (int method = 0; method < PROTOCOL_METHOD_COUNT; method++) {
        if (method != PROTOCOL_METHOD_SESSION_LEAVE && method != PROTOCOL_METHOD_WORLD_DELETE &&
            !makes_world(method)) {
            ask(person, (enum protocol_method)method, world);
        }
    }
    ask(person, PROTOCOL_METHOD_SERVER_PING, world);
}

static void ask_for_the_rest(struct person *person, uint32_t world)
{
    for (int method = 0; method < PROTOCOL_METHOD_COUNT; method++) {
        if (makes_world(method) || method == PROTOCOL_METHOD_WORLD_DELETE) {
            ask(person, (enum protocol_method)method, world);
        }
    }
}

static const uint32_t all_of_them = UINT32_MAX;

// Takes messages until this request is answered, or all are.
static void expect_answers(struct person *person, uint32_t request)
{
    while (request == all_of_them ? person->answers < person->asked : !person->answered[request]) {
        if (!client_message(person->fd, &person->from, &person->message)) {
            for (uint32_t i = 0; i < person->asked; i++) {
                if (!person->answered[i]) {
                    fail_msg("request %u of %u is not answered", i, person->asked);
                }
            }
        }
        const msgpack_object_array *items = &person->message.data.via.array;
        if (items->size != 4) {
            continue; // a notification
        }
        const uint64_t msgid = items->ptr[1].via.u64;
        assert_true(msgid < person->asked && !person->answered[msgid]);
        person->answered[msgid] = true;
        person->answers++;
    }
}

// ---------------------------------------------------------------------------------------------------------

static uint32_t number_of(const struct person *person, const char *name)
{
    const msgpack_object_map *map = &person->message.data.via.array.ptr[3].via.map;
    for (uint32_t i = 0; i < map->size; i++) {
        if (map->ptr[i].key.via.str.size == strlen(name) &&
            memcmp(map->ptr[i].key.via.str.ptr, name, strlen(name)) == 0) {
            return (uint32_t)map->ptr[i].val.via.u64;
        }
    }
    fail_msg("no %s", name);
    return 0;
}

// From then on nothing that it hands over is durable before call_commit.
static uint32_t make_world(struct person *person)
{
    ask(person, PROTOCOL_METHOD_WORLD_CREATE, 0);
    expect_answers(person, all_of_them);
    const uint32_t world = number_of(person, "world");
    atomic_store(&durable, false);
    return world;
}

static void call_shut_gates(struct fixture *all, void *argument)
{
    (void)argument;
    for (uint32_t i = 0; i < host_registry_count(all->registry); i++) {
        host_gate_init(&host_registry_at(all->registry, i)->gate, 0);
    }
}

static struct host_world *world_of(struct fixture *all, const void *argument)
{
    return host_registry_find_any(all->registry, *(const uint32_t *)argument);
}

// Or has ended, where nothing waits for a commit any more.
static bool waits_to_end(struct fixture *all, void *argument)
{
    const struct host_world *world = world_of(all, argument);
    return world == NULL || (world->gate.last != NULL && world->gate.last->kind == WORLD_DELETED);
}

static void begin(struct person *ann, struct person *bob, uint32_t *world)
{
    person_init(ann);
    person_init(bob);
    *world = make_world(ann);
    session_call(&fixture, call_shut_gates, NULL);
}

static void end(struct person *ann, struct person *bob)
{
    session_call(&fixture, call_commit, NULL);
    expect_answers(bob, all_of_them);
    expect_answers(ann, all_of_them);
    person_deinit(ann);
    person_deinit(bob);
}

static void everything_of_a_world_whose_end_waits_for_a_commit(void **state)
{
    (void)state;
    struct person ann, bob;
    uint32_t world;
    begin(&ann, &bob, &world);
    ask(&ann, PROTOCOL_METHOD_WORLD_DELETE, world);
    session_wait(&fixture, waits_to_end, &world);
    ask_for_everything(&bob, world);
    expect_answers(&bob, bob.asked - 1);
    ask_for_the_rest(&bob, world);
    end(&ann, &bob);
}

// Some of it comes before, some after.
static void everything_while_a_world_is_deleted(void **state)
{
    (void)state;
    struct person ann, bob;
    uint32_t world;
    begin(&ann, &bob, &world);
    ask(&ann, PROTOCOL_METHOD_WORLD_DELETE, world);
    ask_for_everything(&bob, world);
    ask_for_the_rest(&bob, world);
    end(&ann, &bob);
}

static void call_stand(struct fixture *all, void *argument)
{
    world_stand(world_of(all, argument)->world, true);
}

static void call_leave(struct fixture *all, void *argument)
{
    host_registry_leave(world_of(all, argument), false);
}

static void call_lose(struct fixture *all, void *argument)
{
    host_registry_leave(world_of(all, argument), true);
}

// It stands still, then it goes; and it is taken without a word.
static void everything_while_a_world_moves_away(void **state)
{
    (void)state;
    void (*const ways[])(struct fixture * all, void *argument) = {call_leave, call_lose};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        struct person ann, bob;
        uint32_t world;
        begin(&ann, &bob, &world);
        ask_for_everything(&ann, world);
        session_call(&fixture, call_stand, &world);
        ask_for_everything(&bob, world);
        expect_answers(&bob, bob.asked - 1);
        session_call(&fixture, ways[way], &world);
        ask_for_everything(&ann, world);
        session_wait(&fixture, waits_to_end, &world);
        ask_for_everything(&ann, world);
        end(&ann, &bob);
    }
}

static bool is_made(struct fixture *all, void *argument)
{
    return world_of(all, argument) != NULL;
}

static void everything_of_a_world_that_is_not_durable_yet(void **state)
{
    (void)state;
    struct person ann, bob;
    person_init(&ann);
    person_init(&bob);
    const uint32_t world = make_world(&ann) + 1;
    ask(&ann, PROTOCOL_METHOD_WORLD_CREATE, 0);
    session_wait(&fixture, is_made, &(uint32_t){world});
    ask_for_everything(&bob, world);
    expect_answers(&bob, bob.asked - 1);
    ask_for_the_rest(&bob, world);
    end(&ann, &bob);
}

static void ask_with(struct person *person, const char *name, uint32_t world, const char *field, double value)
{
    msgpack_sbuffer bytes;
    msgpack_packer packer;
    msgpack_sbuffer_init(&bytes);
    msgpack_packer_init(&packer, &bytes, msgpack_sbuffer_write);
    msgpack_pack_array(&packer, 4);
    msgpack_pack_int(&packer, 0);
    msgpack_pack_uint32(&packer, person->asked++);
    pack_text(&packer, name);
    msgpack_pack_array(&packer, 1);
    msgpack_pack_map(&packer, 2);
    pack_text(&packer, "world");
    msgpack_pack_uint32(&packer, world);
    pack_text(&packer, field);
    msgpack_pack_double(&packer, value);
    client_send(person->fd, bytes.data, bytes.size);
    msgpack_sbuffer_destroy(&bytes);
}

static bool has_failed(struct fixture *all, void *argument)
{
    struct world_face face;
    world_face(world_of(all, argument)->world, &face);
    return face.state == WORLD_FAILED;
}

static void everything_of_a_world_that_has_failed(void **state)
{
    (void)state;
    struct person ann, bob;
    uint32_t world;
    begin(&ann, &bob, &world);
    ask_with(&ann, "world.set", world, "extent", 2);
    ask(&ann, PROTOCOL_METHOD_BODY_ADD, world); // a particle, which falls out of it
    ask_with(&ann, "world.play", world, "rate", 0);
    session_call(&fixture, call_commit, NULL); // nothing holds it
    session_wait(&fixture, has_failed, &world);
    ask_for_everything(&bob, world);
    ask_for_the_rest(&bob, world);
    end(&ann, &bob);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(everything_of_a_world_whose_end_waits_for_a_commit),
        TEST(everything_while_a_world_is_deleted),
        TEST(everything_while_a_world_moves_away),
        TEST(everything_of_a_world_that_is_not_durable_yet),
        TEST(everything_of_a_world_that_has_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
