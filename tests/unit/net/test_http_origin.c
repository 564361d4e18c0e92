// Which pages may open a WebSocket.
#include "net/http_origin.h"
#include "net/net.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static const char list[] = "https://sim.example.org,http://10.0.0.7:8080";

static struct net_http_text text(const char *string)
{
    return (struct net_http_text){string, string ? strlen(string) : 0};
}

struct origin_case {
    const char *origin, *host;
    bool allowed;
};

static void origins_are_allowed_or_not(void **state)
{
    (void)state;
    static const struct origin_case cases[] = {
        // No browser.
        {NULL, "anything", true},
        // The same origin, by address or by a name that means this machine.
        {"http://127.0.0.1:9339", "127.0.0.1:9339", true},
        {"http://LOCALHOST:9339", "localhost:9339", true},
        {"http://[::1]:9339", "[::1]:9339", true},
        {"http://studio.localhost:1", "studio.localhost:1", true},
        {"http://192.168.0.4:9339", "192.168.0.4:9339", true},
        // The same origin by a name of the outside: whoever owns it may have made it point here.
        {"http://evil.example:9339", "evil.example:9339", false},
        {"http://127.0.0.1.evil.example", "127.0.0.1.evil.example", false},
        {"http://localhost.evil.example", "localhost.evil.example", false},
        // Another origin, of this machine: another port is another program, but of the same person.
        {"http://localhost:5173", "127.0.0.1:9339", true},
        {"http://127.1.2.3", "localhost:9339", true},
        {"https://[::1]", "127.0.0.1:9339", true},
        {"http://localhost:5173", "evil.example", false},
        // Others.
        {"http://evil.example", "127.0.0.1:9339", false},
        {"http://127.0.0.1.evil.example", "127.0.0.1:9339", false},
        {"http://localhost.evil.example", "127.0.0.1:9339", false},
        {"http://evil-localhost", "127.0.0.1:9339", false},
        {"http://127.0.0.1:9339@evil.example", "127.0.0.1:9339", false},
        {"http://192.168.0.4:9339", "192.168.0.5:9339", false},
        {"http://sim.example.org", "127.0.0.1:9339", false}, // the list says https
        {"null", "127.0.0.1:9339", false},
        {"", "127.0.0.1:9339", false},
        {"", "", false},
        {"file://", "127.0.0.1:9339", false},
        {"http://", "", false},
        {"http://[::1", "127.0.0.1:9339", false},
        {"http://localhost/", "127.0.0.1:9339", false},
        {"ws://localhost", "127.0.0.1:9339", false},
        // Origins of the list. A proxy may use its own name or pass on the server's address.
        {"https://sim.example.org", "127.0.0.1:9339", true},
        {"https://sim.example.org", "sim.example.org", true},
        {"HTTPS://Sim.Example.Org", "sim.example.org", true},
        {"http://10.0.0.7:8080", "127.0.0.1:9339", true},
        {"http://10.0.0.7", "127.0.0.1:9339", false},
        {"https://sim.example.or", "127.0.0.1:9339", false},
        {"https://sim.example.org,http", "127.0.0.1:9339", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct origin_case *one = &cases[i];
        // Programs other than browsers may use any name.
        bool named = !one->origin || net_host_allowed(text(one->host), NULL, list);
        if ((named && net_origin_allowed(text(one->origin), text(one->host), list, false)) != one->allowed) {
            fail_msg("%s to %s", one->origin, one->host);
        }
    }
    assert_false(net_origin_allowed(text("https://sim.example.org"), text("127.0.0.1"), NULL, false));
    assert_false(net_origin_allowed(text("https://sim.example.org"), text("127.0.0.1"), "", false));
}

static void over_tls_a_page_that_came_without_is_a_stranger(void **state)
{
    (void)state;
    static const char host[] = "sim.example.org:9339";
    assert_true(net_origin_allowed(text("https://sim.example.org:9339"), text(host), NULL, true));
    assert_false(net_origin_allowed(text("http://sim.example.org:9339"), text(host), NULL, true));
    assert_false(net_origin_allowed(text("HTTP://sim.example.org:9339"), text(host), NULL, true));
    assert_true(net_origin_allowed(text("http://sim.example.org:9339"), text(host), NULL, false));
    // A listed name is allowed, and this machine's own pages are still allowed.
    assert_true(net_origin_allowed(text("http://sim.example.org:9339"), text(host),
                                   "http://sim.example.org:9339", true));
    assert_true(net_origin_allowed(text("http://localhost:5173"), text(host), NULL, true));
    assert_true(net_host_is_name(text(host)));
    assert_false(net_host_is_name(text("localhost:9339")));
    assert_false(net_host_is_name(text("[::1]:9339")));
    assert_false(net_host_is_name(text("10.0.0.7")));
    assert_false(net_host_is_name(text("")));
}

static void names_are_allowed_or_not(void **state)
{
    (void)state;
    static const char hosts[] = "sim.local,Studio.Example";
    static const char *const good[] = {
        "127.0.0.1",      "127.0.0.1:9339",  "192.168.0.4:1",        "[::1]:9339", "[2001:db8::1]",
        "localhost:9339", "LOCALHOST",       "a.localhost",          "sim.local",  "SIM.local:9339",
        "studio.example", "sim.example.org", "sim.example.org:8443", "10.0.0.7"};
    static const char *const bad[] = {"",           "a",          "evil.example", "evil.example:9339",
                                      "xsim.local", "sim.locale", "local",        "127.0.0.1.evil.example",
                                      "[::1",       ":9339",      "1.2.3",        "sim.local,studio.example"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (!net_host_allowed(text(good[i]), hosts, list)) {
            fail_msg("%s", good[i]);
        }
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (net_host_allowed(text(bad[i]), hosts, list)) {
            fail_msg("%s", bad[i]);
        }
    }
    assert_false(net_host_allowed(text("sim.local"), NULL, NULL));
    assert_false(net_host_allowed(text("sim.local"), "", ""));
}

static void lists_are_checked(void **state)
{
    (void)state;
    static const char *const good[] = {"", list, "http://a", "https://[::1]:7", "http://a,http://b"};
    static const char *const bad[] = {"a",         "http://",   ",", "http://a,",
                                      ",http://a", "http://a/", "*", "http://a b"};
    assert_true(net_origin_list_valid(NULL));
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(net_origin_list_valid(good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (net_origin_list_valid(bad[i])) {
            fail_msg("%s", bad[i]);
        }
    }
}

static void lists_of_names_are_checked(void **state)
{
    (void)state;
    static const char *const good[] = {"", "a", "a.b-c,d_e", "10.0.0.1"};
    static const char *const bad[] = {",", "a,", ",a", "a:9339", "http://a", "a b", "*.example", "a,,b"};
    assert_true(net_host_list_valid(NULL));
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(net_host_list_valid(good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (net_host_list_valid(bad[i])) {
            fail_msg("%s", bad[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(origins_are_allowed_or_not),
        cmocka_unit_test(over_tls_a_page_that_came_without_is_a_stranger),
        cmocka_unit_test(names_are_allowed_or_not),
        cmocka_unit_test(lists_are_checked),
        cmocka_unit_test(lists_of_names_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
