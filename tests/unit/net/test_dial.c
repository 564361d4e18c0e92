// Connections that are made from here, plain and by TLS, to a listener on the same loop that gives back what it gets.
#include "helper_fixture.h"
#include "helper_tls.h"

#include "base/buffer.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DAY_S = 24 * 60 * 60,
    MESSAGE_BYTES = 300000,
    CALLERS = 12,
    WORDS = 100,
    WORD_BYTES = 100, // all words together fit into one record of TLS
    NEWS_BYTES = 4000,
};

static struct helper_tls files;

struct caller {
    struct net_conn *conn;
    bool cut;        // when what it said is back; else it waits for its end
    bool answered;   // it is
    bool distrusted; // of its end
    char reason[128];
};

static struct scene {
    struct net_loop *loop;
    struct net_tls *tls, *trust;
    struct net_listener *listener, *dialer;
    struct net_timer *patience;
    char address[64];
    struct caller callers[CALLERS];
    struct net_conn *accepted[CALLERS];
    uint32_t accepted_count;
    uint32_t words, news; // that came back to whoever said them, and that others were told
    uint32_t open;
    bool late;
} scene;

static int make_files(void **state)
{
    (void)state;
    helper_tls_make(&files, -60, DAY_S);
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    helper_tls_remove(&files);
    return 0;
}

// ---------------------------------------------------------------------------------------------------------
// Who is called

static void *on_accept(void *context, struct net_conn *conn)
{
    scene.accepted[scene.accepted_count++] = conn;
    return context;
}

static void give_back(void *context, struct net_conn *conn, uint8_t *bytes, size_t size)
{
    (void)context;
    struct base_buffer *buffer = base_buffer_create(size, NULL);
    assert_non_null(buffer);
    memcpy(buffer->data, bytes, size);
    free(bytes);
    net_conn_send(conn, buffer);
    base_buffer_unref(buffer);
}

static void on_gone(void *context, struct net_conn *conn, const char *reason)
{
    (void)context;
    (void)conn;
    (void)reason;
}

static void on_bad(void *context, struct net_conn *conn, enum protocol_scan_status status)
{
    (void)context;
    (void)conn;
    (void)status;
}

static void on_drained(void *context, struct net_conn *conn)
{
    (void)context;
    (void)conn;
}

static const struct net_conn_handler called = {
    .on_message = give_back, .on_closed = on_gone, .on_bad_stream = on_bad, .on_drained = on_drained};

// ---------------------------------------------------------------------------------------------------------
// Who calls

static void on_answer(void *context, struct net_conn *conn, uint8_t *bytes, size_t size)
{
    struct caller *caller = context;
    uint8_t *message = client_message(MESSAGE_BYTES, (uint32_t)(caller - scene.callers));
    caller->answered = size == MESSAGE_BYTES && memcmp(bytes, message, size) == 0;
    free(message);
    free(bytes);
    if (caller->cut) {
        net_conn_cut(conn, NET_END_NORMAL, "it has its answer");
    }
}

static void on_closed(void *context, struct net_conn *conn, const char *reason)
{
    struct caller *caller = context;
    assert_ptr_equal(caller->conn, conn);
    caller->conn = NULL;
    caller->distrusted = net_conn_is_distrusted(conn);
    snprintf(caller->reason, sizeof caller->reason, "%s", reason);
    if (--scene.open == 0) {
        net_loop_stop(scene.loop);
    }
}

static const struct net_conn_handler calling = {
    .on_message = on_answer, .on_closed = on_closed, .on_bad_stream = on_bad, .on_drained = on_drained};

static void on_late(void *context)
{
    (void)context;
    scene.late = true;
    net_loop_stop(scene.loop);
}

// Dials, and sends `count` messages of `size` bytes as one buffer before anybody is there.
static void call_with(const char *name, uint32_t count, size_t size)
{
    const char *reason;
    struct caller *caller = &scene.callers[scene.open];
    *caller = (struct caller){.cut = true};
    caller->conn = net_dial(scene.dialer, scene.address, name, caller, &reason);
    assert_non_null(caller->conn);
    struct base_buffer *buffer = base_buffer_create(count * size, NULL);
    assert_non_null(buffer);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *message = client_message(size, scene.open + i);
        memcpy(buffer->data + i * size, message, size);
        free(message);
    }
    scene.open++;
    net_conn_send(caller->conn, buffer);
    base_buffer_unref(buffer);
}

static void call(const char *name)
{
    call_with(name, 1, MESSAGE_BYTES);
}

static void begin_with(bool secure, const struct net_conn_handler *there, const struct net_conn_handler *here)
{
    char text[200];
    const char *reason;
    memset(&scene, 0, sizeof scene);
    scene.loop = net_loop_create();
    scene.tls = net_tls_create(&(struct net_tls_files){files.cert, files.key, NULL}, text, sizeof text);
    scene.trust = net_tls_create_trust(&(struct net_tls_trust){.ca = files.cert}, text, sizeof text);
    assert_non_null(scene.loop);
    assert_non_null(scene.tls);
    assert_non_null(scene.trust);
    struct net_limits limits = {.message = {.bytes = 1 << 20, .depth = 8, .nodes = 1 << 20},
                                .receive_bytes = 64 << 20,
                                .connections = 2 * CALLERS,
                                .handshake_ms = 60000,
                                .tls = secure ? scene.tls : NULL};
    scene.listener = net_listen(scene.loop, "127.0.0.1:0", &limits, on_accept, there, &scene, &reason);
    assert_non_null(scene.listener);
    net_listener_address(scene.listener, scene.address, sizeof scene.address);
    limits.tls = scene.trust;
    scene.dialer = net_dialer_create(scene.loop, &limits, here);
    scene.patience = net_timer_start(scene.loop, 60000, 0, on_late, NULL);
    assert_non_null(scene.dialer);
    assert_non_null(scene.patience);
}

static void begin(bool secure)
{
    begin_with(secure, &called, &calling);
}

static void end(void)
{
    net_loop_run(scene.loop);
    assert_false(scene.late);
    assert_int_equal(scene.open, 0);
    net_timer_stop(scene.patience);
    net_listener_close(scene.listener);
    net_listener_close(scene.dialer);
    net_loop_destroy(scene.loop);
    net_tls_destroy(scene.tls);
    net_tls_destroy(scene.trust);
}

static void what_is_said_before_anybody_is_there_is_heard(void **state)
{
    (void)state;
    static const char *const names[] = {NULL, "localhost", "127.0.0.1"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        begin(names[i] != NULL);
        call(names[i]);
        end();
        assert_true(scene.callers[0].answered);
        assert_false(scene.callers[0].distrusted);
    }
}

static void many_call_at_once(void **state)
{
    (void)state;
    begin(true);
    for (int i = 0; i < CALLERS; i++) {
        call("localhost");
    }
    end();
    for (int i = 0; i < CALLERS; i++) {
        assert_true(scene.callers[i].answered);
    }
}

static void who_is_somebody_else_hears_nothing(void **state)
{
    (void)state;
    static const char *const others[] = {"localhost.example", "::1"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        begin(true);
        call(others[i]);
        end();
        assert_false(scene.callers[0].answered);
        assert_true(scene.callers[0].distrusted);
        assert_non_null(strstr(scene.callers[0].reason, "mismatch"));
    }
}

static void nobody_is_not_somebody_else(void **state)
{
    (void)state;
    begin(true);
    net_listener_close(scene.listener);
    scene.listener = NULL;
    call("localhost");
    end();
    assert_false(scene.callers[0].answered);
    assert_false(scene.callers[0].distrusted);
}

static void cut_them(void *context)
{
    (void)context;
    for (int i = 0; i < CALLERS; i++) {
        if (scene.callers[i].conn != NULL) {
            net_conn_cut(scene.callers[i].conn, NET_END_NORMAL, "it thought better of it");
        }
    }
}

// Wherever their handshakes are, and whatever a worker does for them.
static void who_calls_may_hang_up_at_any_time(void **state)
{
    (void)state;
    for (uint64_t delay_ms = 0; delay_ms < 12; delay_ms += 3) {
        begin(true);
        for (int i = 0; i < CALLERS; i++) {
            call("localhost");
            scene.callers[i].cut = false;
        }
        struct net_timer *timer = net_timer_start(scene.loop, delay_ms, 0, cut_them, NULL);
        assert_non_null(timer);
        end();
        for (int i = 0; i < CALLERS; i++) {
            assert_string_equal(scene.callers[i].reason, "it thought better of it");
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Others are told while one is heard

static void tell_others(void *context, struct net_conn *conn, uint8_t *bytes, size_t size)
{
    struct base_buffer *news = fixture_text(NEWS_BYTES, 'n');
    for (uint32_t i = 0; i < scene.accepted_count; i++) {
        if (scene.accepted[i] != conn) {
            net_conn_send(scene.accepted[i], news);
        }
    }
    base_buffer_unref(news);
    give_back(context, conn, bytes, size);
}

static void hang_up_after_all_words(void)
{
    for (uint32_t i = 0; i < 2 && scene.words == WORDS && scene.news == WORDS; i++) {
        net_conn_cut(scene.callers[i].conn, NET_END_NORMAL, "all was said");
    }
}

static void hear_word(const uint8_t *bytes, size_t size)
{
    uint8_t *word = client_message(WORD_BYTES, 1 + scene.words++);
    assert_int_equal(size, WORD_BYTES);
    assert_memory_equal(bytes, word, WORD_BYTES);
    free(word);
}

// The first caller hears news once it is there, and the second says all its words then.
static void hear(void *context, struct net_conn *conn, uint8_t *bytes, size_t size)
{
    (void)conn;
    if (context != &scene.callers[0]) {
        hear_word(bytes, size);
    } else if (scene.open == 1) {
        call_with("localhost", WORDS, WORD_BYTES);
    } else {
        assert_int_equal(size, NEWS_BYTES);
        scene.news++;
    }
    free(bytes);
    hang_up_after_all_words();
}

static const struct net_conn_handler telling = {
    .on_message = tell_others, .on_closed = on_gone, .on_bad_stream = on_bad, .on_drained = on_drained};

static const struct net_conn_handler hearing = {
    .on_message = hear, .on_closed = on_closed, .on_bad_stream = on_bad, .on_drained = on_drained};

// All words come in one record. The news of the first one are written before the second one is looked at.
static void what_others_are_told_is_not_taken_for_what_came(void **state)
{
    (void)state;
    begin_with(true, &telling, &hearing);
    call_with("localhost", 1, WORD_BYTES);
    end();
    assert_int_equal(scene.words, WORDS);
    assert_int_equal(scene.news, WORDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_said_before_anybody_is_there_is_heard),
        cmocka_unit_test(many_call_at_once),
        cmocka_unit_test(who_is_somebody_else_hears_nothing),
        cmocka_unit_test(nobody_is_not_somebody_else),
        cmocka_unit_test(who_calls_may_hang_up_at_any_time),
        cmocka_unit_test(what_others_are_told_is_not_taken_for_what_came),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
