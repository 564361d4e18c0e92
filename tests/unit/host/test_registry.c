// With real worlds on a real loop and real threads; no sockets.
#include "base/clock.h"
#include "host/claim.h"
#include "host/names.h"
#include "host/registry.h"
#include "host/runner.h"
#include "host/world_internal.h"
#include "net/net.h"
#include "protocol/error.h"
#include "protocol/params.h"
#include "world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORLDS = 300 };

struct fixture {
    struct net_loop *loop;
    struct host_runner *runner;
    struct host_registry *registry;
    struct net_timer *limit;
    uint32_t deleted; // WORLD_DELETED seen
    uint32_t wanted;  // the loop stops at so many
};

static void on_signal(void *context)
{
    struct fixture *fixture = context;
    struct host_world *world;
    while ((world = host_registry_next_signalled(fixture->registry)) != NULL) {
        struct world_event *event;
        bool deleted = false;
        while (!deleted && (event = world_take(world->world)) != NULL) {
            deleted = event->kind == WORLD_DELETED;
            if (event->granted) {
                host_claim_keep(event->method, NULL, world, &event->claim);
            }
            world_event_destroy(event);
        }
        if (deleted) {
            host_registry_remove(world);
            if (++fixture->deleted == fixture->wanted) {
                net_loop_stop(fixture->loop);
            }
        }
    }
}

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    fixture->loop = net_loop_create();
    fixture->runner = host_runner_create(2);
    fixture->registry = host_registry_create(fixture->loop, fixture->runner,
                                             &(struct host_registry_limits){.worlds = WORLDS, .sessions = 4},
                                             on_signal, fixture);
    assert_non_null(fixture->registry);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    host_runner_destroy(fixture->runner);
    host_registry_destroy(fixture->registry);
    net_loop_destroy(fixture->loop);
    free(fixture);
    return 0;
}

static struct protocol_string string_of(const char *text)
{
    return (struct protocol_string){text, (uint32_t)strlen(text)};
}

static struct host_world *add(struct fixture *fixture, const char *name, struct protocol_error *error)
{
    struct protocol_world_create_params settings;
    protocol_defaults(&protocol_world_create_params_type, &settings);
    if (name != NULL) {
        settings.has |= PROTOCOL_HAS_WORLD_CREATE_PARAMS_NAME;
        settings.name = string_of(name);
    }
    return host_registry_add(fixture->registry, &settings, error);
}

static struct host_world *find(struct fixture *fixture, const char *name)
{
    struct protocol_ref ref = {.name = string_of(name)};
    return host_registry_find(fixture->registry, &ref);
}

// As dispatch does it: one request with the world's id.
static void post(struct host_world *world, enum protocol_method method)
{
    msgpack_sbuffer bytes;
    msgpack_packer packer;
    msgpack_sbuffer_init(&bytes);
    msgpack_packer_init(&packer, &bytes, msgpack_sbuffer_write);
    protocol_pack_request(&packer, 1, protocol_methods[method].name);
    msgpack_pack_map(&packer, 1);
    msgpack_pack_str_with_body(&packer, "world", 5);
    msgpack_pack_uint32(&packer, world->id);
    struct world_packet *packet = calloc(1, sizeof *packet);
    assert_non_null(packet);
    assert_true(msgpack_zone_init(&packet->zone, MSGPACK_ZONE_CHUNK_SIZE));
    packet->size = bytes.size;
    packet->bytes = (uint8_t *)msgpack_sbuffer_release(&bytes);
    msgpack_object *root = msgpack_zone_malloc(&packet->zone, sizeof *root);
    size_t offset = 0;
    assert_int_equal(msgpack_unpack((const char *)packet->bytes, packet->size, &offset, &packet->zone, root),
                     MSGPACK_UNPACK_SUCCESS);
    struct protocol_error error;
    assert_true(protocol_message_parse(root, &packet->message, &error));
    struct world_asker asker = {.session = 1, .user = "tester"};
    struct document_constants constants = world_constants_of(world->world);
    struct world_request *request = world_request_create(packet, method, &asker, &constants, &error);
    assert_non_null(request);
    assert_true(world_post(world->world, request, &error));
}

static void worlds_are_found_by_id_and_name(void **state)
{
    struct protocol_error error;
    struct host_world *flag = add(*state, "flag", &error);
    struct host_world *other = add(*state, "тент", &error);
    assert_non_null(flag);
    assert_non_null(other);
    assert_ptr_equal(find(*state, "flag"), flag);
    assert_ptr_equal(find(*state, "тент"), other);
    assert_null(find(*state, "fla"));
    assert_null(find(*state, "flagg"));
    assert_null(find(*state, ""));
    struct fixture *fixture = *state;
    assert_ptr_equal(host_registry_find(fixture->registry, &(struct protocol_ref){.id = other->id}), other);
    assert_null(host_registry_find(fixture->registry, &(struct protocol_ref){.id = 77}));
}

static void ids_rise_and_default_names_follow_them(void **state)
{
    struct protocol_error error;
    struct host_world *first = add(*state, NULL, &error);
    assert_int_equal(first->id, 1);
    assert_string_equal(first->name, "world-1");
    assert_int_equal(add(*state, "world-3", &error)->id, 2);
    struct host_world *third = add(*state, NULL, &error);
    assert_int_equal(third->id, 4);
    assert_string_equal(third->name, "world-4");
}

static void a_taken_name_is_a_conflict(void **state)
{
    struct protocol_error error;
    assert_non_null(add(*state, "flag", &error));
    assert_null(add(*state, "flag", &error));
    assert_int_equal(error.code, PROTOCOL_CODE_CONFLICT);
    assert_string_equal(error.field, "name");
    assert_non_null(strstr(error.text, "\"flag\" is taken"));
    assert_null(add(*state, "", &error));
    assert_int_equal(error.code, PROTOCOL_CODE_INVALID);
}

static void a_resolution_must_be_a_power_of_two(void **state)
{
    struct fixture *fixture = *state;
    struct protocol_error error;
    struct protocol_world_create_params settings;
    protocol_defaults(&protocol_world_create_params_type, &settings);
    settings.resolution = 1e-8;
    assert_null(host_registry_add(fixture->registry, &settings, &error));
    assert_int_equal(error.code, PROTOCOL_CODE_INVALID);
    assert_string_equal(error.field, "resolution");
    assert_int_equal(host_registry_count(fixture->registry), 0);
}

static void there_are_at_most_so_many_worlds(void **state)
{
    struct protocol_error error;
    for (uint64_t i = 0; i < WORLDS; i++) {
        assert_non_null(add(*state, NULL, &error));
    }
    assert_null(add(*state, NULL, &error));
    assert_int_equal(error.code, PROTOCOL_CODE_LIMIT);
    assert_true(error.limit == (double)WORLDS);
}

static void a_reserved_name_is_taken_until_released(void **state)
{
    struct protocol_error error;
    struct host_world *a = add(*state, "a", &error), *b = add(*state, "b", &error);
    struct protocol_string c = string_of("c"), taken = string_of("a"), own = string_of("b");
    uint32_t of_a, of_b, none;
    assert_true(host_name_reserve(a, &c, &of_a, &error));
    assert_null(add(*state, "c", &error));
    assert_false(host_name_reserve(b, &c, &none, &error));
    assert_int_equal(error.code, PROTOCOL_CODE_CONFLICT);
    assert_false(host_name_reserve(b, &taken, &none, &error));
    assert_true(host_name_reserve(b, &own, &of_b, &error));
    host_name_release(b, of_b);
    host_name_release(a, of_a);
    assert_true(host_name_reserve(b, &c, &of_b, &error));
}

static void an_adopted_name_replaces_the_old_one(void **state)
{
    struct protocol_error error;
    struct host_world *a = add(*state, "a", &error);
    struct protocol_string b = string_of("b"), c = string_of("c");
    uint32_t first, second;
    assert_true(host_name_reserve(a, &b, &first, &error));
    assert_true(host_name_reserve(a, &c, &second, &error));
    host_name_adopt(a, first);
    assert_ptr_equal(find(*state, "b"), a);
    assert_null(find(*state, "a"));
    assert_non_null(add(*state, "a", &error));
    assert_null(add(*state, "c", &error)); // the second rename is still under way
    host_name_release(a, second);
    assert_non_null(add(*state, "c", &error));
}

static void a_closing_world_is_not_found_and_gives_up_its_name(void **state)
{
    struct fixture *fixture = *state;
    struct protocol_error error;
    struct host_world *flag = add(fixture, "flag", &error);
    uint32_t id = flag->id;
    host_registry_close(flag);
    assert_null(find(fixture, "flag"));
    assert_null(host_registry_find(fixture->registry, &(struct protocol_ref){.id = id}));
    assert_ptr_equal(host_registry_find_any(fixture->registry, id), flag);
    struct host_world *again = add(fixture, "flag", &error);
    assert_non_null(again);
    assert_ptr_equal(find(fixture, "flag"), again);
}

static void on_limit(void *context)
{
    struct fixture *fixture = context;
    net_loop_stop(fixture->loop);
}

static void deleted_worlds_are_freed_while_others_run(void **state)
{
    struct fixture *fixture = *state;
    struct protocol_error error;
    struct host_world *worlds[20];
    for (int i = 0; i < 20; i++) {
        worlds[i] = add(fixture, NULL, &error);
        assert_non_null(worlds[i]);
        post(worlds[i], PROTOCOL_METHOD_WORLD_PLAY);
    }
    fixture->wanted = 19;
    for (int i = 0; i < 19; i++) {
        post(worlds[i], PROTOCOL_METHOD_WORLD_DELETE);
        host_registry_close(worlds[i]);
    }
    fixture->limit = net_timer_start(fixture->loop, 20000, 0, on_limit, fixture);
    net_loop_run(fixture->loop);
    assert_int_equal(fixture->deleted, 19);
    assert_int_equal(host_registry_count(fixture->registry), 1);
    assert_ptr_equal(host_registry_at(fixture->registry, 0), worlds[19]);
    struct host_totals totals;
    host_registry_totals(fixture->registry, &totals);
    assert_true(totals.ticks >= 1);
}

struct made {
    uint32_t answers;
    bool is;
};

static void on_made(void *context, const struct host_world *world, bool taken)
{
    struct made *made = context;
    made->answers++;
    made->is = world && !taken;
}

static void a_world_that_another_server_takes_while_it_is_made_is_made(void **state)
{
    struct protocol_error error;
    struct made made = {0};
    struct host_world *world = add(*state, "flag", &error);
    world->claimed = false; // the brokers have not answered yet
    host_registry_when_kept(world, on_made, &made);
    assert_int_equal(made.answers, 0);
    host_registry_leave(world, true);
    assert_int_equal(made.answers, 1);
    assert_true(made.is);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static void count_gone(void *context)
{
    (*(uint32_t *)context)++;
}

static struct host_world *show(struct fixture *fixture, const struct host_world *of, uint32_t session,
                               uint32_t *gone)
{
    struct protocol_world_create_params settings;
    struct protocol_error error;
    protocol_defaults(&protocol_world_create_params_type, &settings);
    struct document *document = document_create(&settings);
    struct host_world *view = host_registry_show(
        fixture->registry,
        &(struct host_view){.of = of->id, .session = session, .on_gone = count_gone, .context = gone},
        document, &error);
    document_destroy(document);
    assert_non_null(view);
    return view;
}

static void views_have_ids_and_no_names_and_end_with_their_world(void **state)
{
    struct fixture *fixture = *state;
    struct protocol_error error;
    uint32_t gone = 0;
    struct host_world *flag = add(fixture, "flag", &error), *other = add(fixture, "other", &error);
    for (uint32_t i = 2; i < WORLDS; i++) {
        assert_non_null(add(fixture, NULL, &error));
    }
    // As many worlds as there may be: views are none of them.
    assert_null(add(fixture, NULL, &error));
    struct host_world *first = show(fixture, flag, 1, &gone), *second = show(fixture, flag, 2, &gone);
    struct host_world *third = show(fixture, other, 1, &gone);
    assert_true(flag->id < first->id && first->id < second->id && second->id < third->id);
    assert_int_equal(host_registry_views(fixture->registry), 3);
    assert_int_equal(host_registry_count(fixture->registry), WORLDS + 3);
    assert_ptr_equal(host_registry_find(fixture->registry, &(struct protocol_ref){.id = first->id}), first);
    assert_ptr_equal(find(fixture, "flag"), flag);

    // The one of a session that is gone, by itself; those of a world, with that.
    world_post_gone(third->world, 2);
    world_post_gone(third->world, 1);
    post(flag, PROTOCOL_METHOD_WORLD_DELETE);
    host_registry_close(flag);
    fixture->wanted = 4;
    fixture->limit = net_timer_start(fixture->loop, 20000, 0, on_limit, fixture);
    net_loop_run(fixture->loop);
    net_timer_stop(fixture->limit);
    assert_int_equal(gone, 3);
    assert_int_equal(host_registry_views(fixture->registry), 0);
    assert_int_equal(host_registry_count(fixture->registry), WORLDS - 1);
    assert_ptr_equal(find(fixture, "other"), other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(worlds_are_found_by_id_and_name),
        TEST(ids_rise_and_default_names_follow_them),
        TEST(a_taken_name_is_a_conflict),
        TEST(a_resolution_must_be_a_power_of_two),
        TEST(there_are_at_most_so_many_worlds),
        TEST(a_reserved_name_is_taken_until_released),
        TEST(an_adopted_name_replaces_the_old_one),
        TEST(a_closing_world_is_not_found_and_gives_up_its_name),
        TEST(deleted_worlds_are_freed_while_others_run),
        TEST(a_world_that_another_server_takes_while_it_is_made_is_made),
        cmocka_unit_test_setup_teardown(views_have_ids_and_no_names_and_end_with_their_world, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
