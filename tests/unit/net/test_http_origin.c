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
    bool on_loopback, elsewhere; // allowed on a server that only loopback reaches, and on one that all reach
};

static void origins_are_allowed_or_not(void **state)
{
    (void)state;
    static const struct origin_case cases[] = {
        // No browser.
        {NULL, "anything", true, true},
        // The same origin, by address or by a name that means this machine.
        {"http://127.0.0.1:9339", "127.0.0.1:9339", true, true},
        {"http://LOCALHOST:9339", "localhost:9339", true, true},
        {"http://[::1]:9339", "[::1]:9339", true, true},
        {"http://studio.localhost:1", "studio.localhost:1", true, true},
        {"http://192.168.0.4:9339", "192.168.0.4:9339", true, true},
        // The same origin by a name of the outside: whoever owns it may have made it point here.
        {"http://evil.example:9339", "evil.example:9339", false, true},
        {"http://127.0.0.1.evil.example", "127.0.0.1.evil.example", false, true},
        {"http://localhost.evil.example", "localhost.evil.example", false, true},
        // Another origin, of this machine: another port is another program, but of the same person.
        {"http://localhost:5173", "127.0.0.1:9339", true, true},
        {"http://127.1.2.3", "localhost:9339", true, true},
        {"https://[::1]", "127.0.0.1:9339", true, true},
        {"http://localhost:5173", "evil.example", false, true},
        // Others.
        {"http://evil.example", "127.0.0.1:9339", false, false},
        {"http://127.0.0.1.evil.example", "127.0.0.1:9339", false, false},
        {"http://localhost.evil.example", "127.0.0.1:9339", false, false},
        {"http://evil-localhost", "127.0.0.1:9339", false, false},
        {"http://127.0.0.1:9339@evil.example", "127.0.0.1:9339", false, false},
        {"http://192.168.0.4:9339", "192.168.0.5:9339", false, false},
        {"http://sim.example.org", "127.0.0.1:9339", false, false}, // the list says https
        {"null", "127.0.0.1:9339", false, false},
        {"", "127.0.0.1:9339", false, false},
        {"", "", false, false},
        {"file://", "127.0.0.1:9339", false, false},
        {"http://", "", false, false},
        {"http://[::1", "127.0.0.1:9339", false, false},
        {"http://localhost/", "127.0.0.1:9339", false, false},
        {"ws://localhost", "127.0.0.1:9339", false, false},
        // Of the list; a proxy may say its own name or pass on the server's address.
        {"https://sim.example.org", "127.0.0.1:9339", true, true},
        {"https://sim.example.org", "sim.example.org", true, true},
        {"HTTPS://Sim.Example.Org", "sim.example.org", true, true},
        {"http://10.0.0.7:8080", "127.0.0.1:9339", true, true},
        {"http://10.0.0.7", "127.0.0.1:9339", false, false},
        {"https://sim.example.or", "127.0.0.1:9339", false, false},
        {"https://sim.example.org,http", "127.0.0.1:9339", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct origin_case *one = &cases[i];
        if (net_origin_allowed(text(one->origin), text(one->host), true, list) != one->on_loopback ||
            net_origin_allowed(text(one->origin), text(one->host), false, list) != one->elsewhere) {
            fail_msg("%s to %s", one->origin, one->host);
        }
    }
    assert_false(net_origin_allowed(text("https://sim.example.org"), text("127.0.0.1"), true, NULL));
    assert_false(net_origin_allowed(text("https://sim.example.org"), text("127.0.0.1"), true, ""));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(origins_are_allowed_or_not),
        cmocka_unit_test(lists_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
