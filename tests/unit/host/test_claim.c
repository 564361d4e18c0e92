// Claims that the host holds for a request: taken, kept and given back, while the session exists or is gone.
#include "helper_session.h"

#include "base/buffer.h"
#include "host/claim.h"
#include "protocol/error.h"
#include "protocol/params.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

static struct fixture fixture;

static struct host_world *world_add(struct fixture *all)
{
    struct protocol_world_create_params settings;
    struct protocol_error error;
    protocol_defaults(&protocol_world_create_params_type, &settings);
    struct host_world *world = host_registry_add(all->registry, &settings, &error);
    assert_non_null(world);
    return world;
}

static bool one_session(struct fixture *all, void *argument)
{
    (void)argument;
    return host_sessions_count(all->sessions) == 1;
}

static bool no_session(struct fixture *all, void *argument)
{
    (void)argument;
    return host_sessions_count(all->sessions) == 0;
}

// With one session, whose id is 1, and its socket.
static void with_session(void (*call)(struct fixture *all, void *argument), bool is_cut)
{
    session_fixture_create(&fixture, &(struct fixture_options){0});
    session_fixture_run(&fixture);
    int fd = client_connect(&fixture, 0);
    session_wait(&fixture, one_session, NULL);
    session_call(&fixture, call, NULL);
    if (is_cut) {
        session_wait(&fixture, no_session, NULL);
    }
    close(fd);
    session_fixture_destroy(&fixture);
}

static void call_streams(struct fixture *all, void *argument)
{
    (void)argument;
    struct host_world *world = world_add(all);
    host_sessions_enter(all->sessions);
    struct host_session *session = host_session_find(all->sessions, 1);
    struct world_claim claims[PROTOCOL_LIMIT_STREAMS], more;
    struct protocol_error error = {0};
    const enum protocol_method subscribe = PROTOCOL_METHOD_STREAM_SUBSCRIBE;
    const struct protocol_stream_subscribe_params wish = {.mode = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_MODE_LIVE};
    for (uint32_t i = 0; i < PROTOCOL_LIMIT_STREAMS; i++) {
        assert_true(host_claim_take(subscribe, session, world, &wish, &claims[i], &error));
        assert_true(claims[i].held);
        assert_int_equal(host_session_stream_world(session, claims[i].id), host_world_id(world));
    }
    assert_false(host_claim_take(subscribe, session, world, &wish, &more, &error));
    assert_false(more.held);
    assert_int_equal(error.code, PROTOCOL_CODE_LIMIT);
    host_claim_give_back(subscribe, session, world, &claims[3]);
    assert_int_equal(host_session_stream_world(session, claims[3].id), 0);
    assert_true(host_claim_take(subscribe, session, world, &wish, &more, &error));
    host_claim_keep(subscribe, session, world, &claims[4]);
    host_claim_keep(subscribe, NULL, world, &claims[5]); // whose session is gone

    // An unsubscription that is refused leaves the stream.
    const struct protocol_stream_unsubscribe_params params = {.stream = claims[4].id};
    const enum protocol_method unsubscribe = PROTOCOL_METHOD_STREAM_UNSUBSCRIBE;
    assert_true(host_claim_take(unsubscribe, session, world, &params, &more, &error));
    host_claim_give_back(unsubscribe, session, world, &more);
    assert_int_equal(host_session_stream_world(session, claims[4].id), host_world_id(world));
    host_claim_keep(unsubscribe, session, world, &more);
    assert_int_equal(host_session_stream_world(session, claims[4].id), 0);
    host_sessions_leave(all->sessions);
}

static void a_stream_has_its_place_until_it_is_given_back(void **state)
{
    (void)state;
    with_session(call_streams, false);
}

static void call_names(struct fixture *all, void *argument)
{
    (void)argument;
    struct host_world *a = world_add(all), *b = world_add(all);
    host_sessions_enter(all->sessions);
    struct host_session *session = host_session_find(all->sessions, 1);
    const enum protocol_method set = PROTOCOL_METHOD_WORLD_SET;
    struct protocol_world_set_params params = {.has = 0};
    struct world_claim claim, other;
    struct protocol_error error = {0};
    assert_true(host_claim_take(set, session, a, &params, &claim, &error));
    assert_false(claim.held);
    host_claim_keep(set, session, a, &claim);
    assert_string_equal(host_world_name(a), "world-1");

    params.has = PROTOCOL_HAS_WORLD_SET_PARAMS_NAME;
    params.name = (struct protocol_string){.data = "sail", .size = 4};
    assert_true(host_claim_take(set, session, a, &params, &claim, &error));
    assert_true(claim.held);
    assert_false(host_claim_take(set, session, b, &params, &other, &error));
    assert_false(other.held);
    assert_int_equal(error.code, PROTOCOL_CODE_CONFLICT);
    host_claim_give_back(set, NULL, a, &claim);
    assert_true(host_claim_take(set, session, b, &params, &other, &error));
    host_claim_keep(set, NULL, b, &other);
    assert_ptr_equal(host_registry_find(all->registry, &(struct protocol_ref){.name = params.name}), b);
    host_sessions_leave(all->sessions);
}

static void a_name_is_taken_until_it_is_given_back(void **state)
{
    (void)state;
    with_session(call_names, false);
}

static void call_join(struct fixture *all, void *argument)
{
    (void)argument;
    struct host_world *world = world_add(all);
    host_sessions_enter(all->sessions);
    struct host_session *session = host_session_find(all->sessions, 1);
    const enum protocol_method join = PROTOCOL_METHOD_WORLD_JOIN, leave = PROTOCOL_METHOD_WORLD_LEAVE;
    struct world_claim claim;
    struct protocol_error error = {0};
    struct host_sessions_stats stats;
    struct net_stats net[2];
    assert_true(host_session_reserve(session));
    host_session_visit(session, host_world_id(world));
    assert_true(host_claim_take(join, session, world, NULL, &claim, &error));
    host_claim_give_back(join, session, world, &claim);
    // A session that joined is disconnected if it misses a notice; one that did not join is not.
    host_sessions_notice(all->sessions, host_world_id(world), (struct base_buffer *[3]){0}, true);
    host_claim_keep(join, session, world, &claim);
    assert_true(host_claim_take(leave, session, world, NULL, &claim, &error));
    host_claim_keep(leave, session, world, &claim);
    host_sessions_notice(all->sessions, host_world_id(world), (struct base_buffer *[3]){0}, true);
    host_sessions_stats(all->sessions, &stats, net);
    assert_int_equal(stats.cut[HOST_CUT_MEMORY], 0);
    assert_true(host_claim_take(join, session, world, NULL, &claim, &error));
    host_claim_keep(join, session, world, &claim);
    host_sessions_notice(all->sessions, host_world_id(world), (struct base_buffer *[3]){0}, true);
    host_sessions_stats(all->sessions, &stats, net);
    assert_int_equal(stats.cut[HOST_CUT_MEMORY], 1);
    host_sessions_leave(all->sessions);
}

static void who_joined_is_told_until_it_leaves(void **state)
{
    (void)state;
    with_session(call_join, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_has_its_place_until_it_is_given_back),
        cmocka_unit_test(a_name_is_taken_until_it_is_given_back),
        cmocka_unit_test(who_joined_is_told_until_it_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
