// Addresses: what is bound, what is refused and why, what counts as loopback.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/net.h"

#include <stdlib.h>
#include <string.h>

static void *accept_nobody(void *context, struct net_conn *conn)
{
    (void)context;
    (void)conn;
    return NULL;
}

static struct net_listener *listen_on(struct net_loop *loop, const char *address, const char **reason)
{
    const struct net_limits limits = {
        .message = {.bytes = 1000, .depth = 4, .nodes = 100}, .receive_bytes = 1000, .connections = 4};
    const struct net_conn_handler handler = {0};
    return net_listen(loop, address, &limits, accept_nobody, &handler, NULL, reason);
}

static void good_addresses_are_bound(void **state)
{
    (void)state;
    static const struct {
        const char *text, *bound;
    } cases[] = {
        {"127.0.0.1:0", "127.0.0.1:"}, {"localhost:0", "127.0.0.1:"},
        {"LocalHost:0", "127.0.0.1:"}, {"0.0.0.0:0", "0.0.0.0:"},
        {"[::1]:0", "[::1]:"},         {"[::ffff:127.0.0.1]:0", "[::ffff:127.0.0.1]:"},
    };
    struct net_loop *loop = net_loop_create();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *reason = "untouched";
        struct net_listener *listener = listen_on(loop, cases[i].text, &reason);
        if (!listener && strchr(cases[i].text, '[')) {
            assert_non_null(reason); // a machine without IPv6
            continue;
        }
        assert_non_null(listener);
        assert_null(reason);
        char bound[64];
        net_listener_address(listener, bound, sizeof bound);
        assert_memory_equal(bound, cases[i].bound, strlen(cases[i].bound));
        assert_true(atoi(bound + strlen(cases[i].bound)) > 0);
        net_listener_close(listener);
    }
    net_loop_destroy(loop);
}

static void bad_addresses_are_refused_with_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part_of_reason;
    } cases[] = {
        {"", "port is missing"},
        {"127.0.0.1", "port is missing"},
        {"127.0.0.1:", "port is missing"},
        {":9338", "address is missing"},
        {"[]:9338", "address is missing"},
        {"127.0.0.1:65536", "0 to 65535"},
        {"127.0.0.1:99999999999", "0 to 65535"},
        {"127.0.0.1:-1", "0 to 65535"},
        {"127.0.0.1:+1", "0 to 65535"},
        {"127.0.0.1: 1", "0 to 65535"},
        {"127.0.0.1:80x", "0 to 65535"},
        {"::1:9338", "[ADDR]:PORT"},
        {"[::1]9338", "[ADDR]:PORT"},
        {"[::1", "[ADDR]:PORT"},
        {"[127.0.0.1]:9338", "brackets"},
        {"[localhost:0]:0", "brackets"},
        {"nobody.invalid:9338", "resolved"},
        {"127.0.0.1.9:9338", "resolved"},
    };
    struct net_loop *loop = net_loop_create();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *reason = NULL;
        assert_null(listen_on(loop, cases[i].text, &reason));
        assert_non_null(reason);
        if (!strstr(reason, cases[i].part_of_reason)) {
            fail_msg("%s: %s", cases[i].text, reason);
        }
    }
    char *endless = malloc(5000);
    memset(endless, 'a', 5000);
    memcpy(endless + 4996, ":12", 4);
    const char *reason = NULL;
    assert_null(listen_on(loop, endless, &reason));
    assert_non_null(strstr(reason, "too long"));
    free(endless);
    net_loop_destroy(loop);
}

static void a_port_in_use_is_refused_with_a_reason(void **state)
{
    (void)state;
    struct net_loop *loop = net_loop_create();
    const char *reason = NULL;
    struct net_listener *first = listen_on(loop, "127.0.0.1:0", &reason);
    assert_non_null(first);
    char bound[64];
    net_listener_address(first, bound, sizeof bound);
    assert_null(listen_on(loop, bound, &reason));
    assert_string_equal(reason, "address already in use");
    net_loop_destroy(loop); // with a listener left
}

static void loopback_is_known_from_the_rest(void **state)
{
    (void)state;
    static const char *const inside[] = {"127.0.0.1:0",          "127.255.1.2:9338",  "[::1]:9338",
                                         "[::ffff:127.0.0.1]:1", "[::ffff:7f00:1]:1", "localhost:9338",
                                         "[0:0:0:0:0:0:0:1]:1"};
    static const char *const outside[] = {
        "0.0.0.0:9338", "[::]:9338",           "126.255.255.255:1", "128.0.0.1:1", "10.0.0.1:1",
        "[::2]:1",      "[::ffff:10.0.0.1]:1", "[::127.0.0.1]:1",   "[fe80::1]:1", "localhost.example:1",
        "127.0.0.1",    "127.0.0.1:x",         "0127.0.0.1:1",      "127.1:1",     "",
        "localhost"};
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
        if (!net_address_is_loopback(inside[i])) {
            fail_msg("%s is loopback", inside[i]);
        }
    }
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        if (net_address_is_loopback(outside[i])) {
            fail_msg("%s is not loopback", outside[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_addresses_are_bound),
        cmocka_unit_test(bad_addresses_are_refused_with_a_reason),
        cmocka_unit_test(a_port_in_use_is_refused_with_a_reason),
        cmocka_unit_test(loopback_is_known_from_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
