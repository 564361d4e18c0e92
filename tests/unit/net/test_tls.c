// TLS in memory: hands are shaken byte by byte as well as at once, what goes in comes out, and what was changed does not.
#include "helper_tls.h"

#include "net/tls.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DAY_S = 24 * 60 * 60, ROOM = 64 * 1024 + 2 * NET_TLS_PAIR_BYTES };

static struct helper_tls files;
static struct net_tls *tls;

static int set_up(void **state)
{
    (void)state;
    char text[200];
    helper_tls_make(&files, -60, DAY_S);
    tls = net_tls_create(&(struct net_tls_files){files.cert, files.key, NULL}, text, sizeof text);
    return tls ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    net_tls_destroy(tls);
    helper_tls_remove(&files);
    return 0;
}

// ---------------------------------------------------------------------------------------------------------
// Both sides

struct pair {
    struct helper_tls_client client;
    struct net_tls_side *side;
    struct net_tls_bytes out; // of the server
};

static void pair_init(struct pair *pair)
{
    memset(pair, 0, sizeof *pair);
    helper_tls_client_init(&pair->client, &files);
    pair->side = net_tls_side_create(tls, "weft");
    assert_non_null(pair->side);
}

static void pair_deinit(struct pair *pair)
{
    net_tls_side_destroy(pair->side);
    free(pair->out.data);
    helper_tls_client_deinit(&pair->client);
}

static void to_client(struct pair *pair)
{
    if (pair->out.size > 0) {
        assert_int_equal(BIO_write(pair->client.in, pair->out.data, (int)pair->out.size),
                         (int)pair->out.size);
    }
    pair->out.size = 0;
}

// The client's bytes, in pieces.
static enum net_tls_outcome shake_in(struct pair *pair, size_t piece, uint8_t *rest, size_t *rest_size)
{
    uint8_t bytes[8192];
    int size = BIO_read(pair->client.out, bytes, sizeof bytes);
    enum net_tls_outcome outcome = NET_TLS_MORE;
    for (size_t at = 0, used = 0; at < (size_t)(size > 0 ? size : 0) && outcome == NET_TLS_MORE; at += used) {
        size_t left = (size_t)size - at;
        size_t step = piece < left ? piece : left;
        outcome = net_tls_shake(pair->side, bytes + at, step, &used, &pair->out);
        assert_true(used <= step);
        if (outcome == NET_TLS_DONE && rest) {
            *rest_size = (size_t)size - at - used;
            memcpy(rest, bytes + at + used, *rest_size);
        }
    }
    return outcome;
}

static void shake(struct pair *pair, size_t piece)
{
    enum net_tls_outcome outcome = NET_TLS_MORE;
    for (int round = 0; round < 10 && outcome == NET_TLS_MORE; round++) {
        SSL_do_handshake(pair->client.ssl);
        outcome = shake_in(pair, piece, NULL, NULL);
        to_client(pair);
    }
    assert_int_equal(outcome, NET_TLS_DONE);
    assert_int_equal(SSL_do_handshake(pair->client.ssl), 1);
}

static void hands_are_shaken_in_pieces_of_any_size(void **state)
{
    (void)state;
    static const size_t pieces[] = {1, 2, 7, 100, 8192};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        struct pair pair;
        pair_init(&pair);
        shake(&pair, pieces[i]);
        assert_int_equal(SSL_get_verify_result(pair.client.ssl), X509_V_OK);
        pair_deinit(&pair);
    }
}

static void what_follows_a_handshake_at_once_is_not_lost(void **state)
{
    (void)state;
    struct pair pair;
    uint8_t rest[8192], plain[ROOM];
    size_t rest_size = 0, plain_size = 0;
    pair_init(&pair);
    SSL_do_handshake(pair.client.ssl);
    assert_int_equal(shake_in(&pair, 8192, NULL, NULL), NET_TLS_MORE);
    to_client(&pair);
    assert_int_equal(SSL_do_handshake(pair.client.ssl), 1);
    assert_int_equal(SSL_write(pair.client.ssl, "first words", 11), 11);
    assert_int_equal(shake_in(&pair, 8192, rest, &rest_size), NET_TLS_DONE);
    assert_int_equal(net_tls_open(pair.side, rest, rest_size, plain, sizeof plain, &plain_size, &pair.out),
                     NET_TLS_MORE);
    assert_int_equal(plain_size, 11);
    assert_memory_equal(plain, "first words", 11);
    pair_deinit(&pair);
}

// ---------------------------------------------------------------------------------------------------------
// What goes in comes out

static void a_megabyte_goes_both_ways(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20, READ = 64 * 1024 };
    struct pair pair;
    uint8_t *bytes = malloc(SIZE), *back = malloc(SIZE), *plain = malloc(ROOM), *in = malloc(READ);
    assert_true(bytes && back && plain && in);
    for (size_t i = 0; i < SIZE; i++) {
        bytes[i] = (uint8_t)(i * 2654435761u >> 13);
    }
    pair_init(&pair);
    shake(&pair, 8192);

    assert_int_equal(SSL_write(pair.client.ssl, bytes, SIZE), SIZE);
    size_t had = 0;
    int got;
    while ((got = BIO_read(pair.client.out, in, READ)) > 0) {
        size_t plain_size = 0;
        assert_int_equal(net_tls_open(pair.side, in, (size_t)got, plain, ROOM, &plain_size, &pair.out),
                         NET_TLS_MORE);
        assert_true(had + plain_size <= SIZE);
        memcpy(back + had, plain, plain_size);
        had += plain_size;
    }
    assert_int_equal(had, SIZE);
    assert_memory_equal(back, bytes, SIZE);

    for (size_t at = 0; at < SIZE; at += NET_TLS_RECORD_BYTES) {
        assert_true(net_tls_seal(pair.side, bytes + at, NET_TLS_RECORD_BYTES, &pair.out));
    }
    assert_true(pair.out.size > SIZE && pair.out.size < SIZE + SIZE / 100);
    to_client(&pair);
    for (had = 0; had < SIZE; had += (size_t)got) {
        got = SSL_read(pair.client.ssl, back + had, (int)(SIZE - had));
        assert_true(got > 0);
    }
    assert_memory_equal(back, bytes, SIZE);
    pair_deinit(&pair);
    free(bytes);
    free(back);
    free(plain);
    free(in);
}

static void keys_are_changed_when_the_peer_asks(void **state)
{
    (void)state;
    struct pair pair;
    uint8_t bytes[8192], plain[ROOM];
    size_t plain_size = 0;
    pair_init(&pair);
    shake(&pair, 8192);
    assert_int_equal(SSL_key_update(pair.client.ssl, SSL_KEY_UPDATE_REQUESTED), 1);
    assert_int_equal(SSL_write(pair.client.ssl, "new", 3), 3);
    int size = BIO_read(pair.client.out, bytes, sizeof bytes);
    assert_int_equal(
        net_tls_open(pair.side, bytes, (size_t)size, plain, sizeof plain, &plain_size, &pair.out),
        NET_TLS_MORE);
    assert_int_equal(plain_size, 3);
    assert_true(net_tls_seal(pair.side, "answer", 6, &pair.out));
    to_client(&pair);
    assert_int_equal(SSL_read(pair.client.ssl, bytes, sizeof bytes), 6);
    pair_deinit(&pair);
}

static void the_end_is_said_by_both(void **state)
{
    (void)state;
    struct pair pair;
    uint8_t bytes[8192], plain[ROOM];
    size_t plain_size = 0;
    pair_init(&pair);
    shake(&pair, 8192);
    SSL_shutdown(pair.client.ssl);
    int size = BIO_read(pair.client.out, bytes, sizeof bytes);
    assert_int_equal(
        net_tls_open(pair.side, bytes, (size_t)size, plain, sizeof plain, &plain_size, &pair.out),
        NET_TLS_ENDED);
    assert_true(net_tls_seal(pair.side, "answer", 6, &pair.out)); // half of it is open still
    net_tls_seal_end(pair.side, &pair.out);
    to_client(&pair);
    assert_int_equal(SSL_read(pair.client.ssl, bytes, sizeof bytes), 6);
    assert_int_equal(SSL_read(pair.client.ssl, bytes, sizeof bytes), 0);
    assert_int_equal(SSL_get_error(pair.client.ssl, 0), SSL_ERROR_ZERO_RETURN);
    pair_deinit(&pair);
}

// ---------------------------------------------------------------------------------------------------------
// What is wrong

static void a_changed_byte_ends_it(void **state)
{
    (void)state;
    for (int place = 0; place < 30; place++) {
        struct pair pair;
        uint8_t bytes[8192], plain[ROOM];
        size_t plain_size = 0;
        pair_init(&pair);
        shake(&pair, 8192);
        SSL_write(pair.client.ssl, "words", 5);
        int size = BIO_read(pair.client.out, bytes, sizeof bytes);
        if (place >= size || place == 1 || place == 2 || place == 3 || place == 4) {
            pair_deinit(&pair); // the version is not looked at, and another length is another record
            continue;
        }
        bytes[place] ^= 4;
        assert_int_equal(
            net_tls_open(pair.side, bytes, (size_t)size, plain, sizeof plain, &plain_size, &pair.out),
            NET_TLS_FAILED);
        assert_int_equal(plain_size, 0);
        assert_true(net_tls_reason(pair.side)[0] != '\0');
        assert_false(net_tls_seal(pair.side, "x", 1, &pair.out));
        pair_deinit(&pair);
    }
}

static void garbage_is_no_handshake(void **state)
{
    (void)state;
    static const char *const wrong[] = {"\x16\x03\x01\x00\x05hello", "\x16\x02\x00\x00\x05hello",
                                        "GET / HTTP/1.1\r\n\r\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct pair pair;
        size_t used;
        pair_init(&pair);
        size_t size = i < 2 ? 10 : strlen(wrong[i]);
        assert_int_equal(net_tls_shake(pair.side, (const uint8_t *)wrong[i], size, &used, &pair.out),
                         NET_TLS_FAILED);
        assert_true(net_tls_reason(pair.side)[0] != '\0');
        pair_deinit(&pair);
    }
    // A record that claims much and never ends.
    struct pair pair;
    size_t used;
    uint8_t bytes[4096] = {0x16, 3, 1, 0x40, 0};
    pair_init(&pair);
    enum net_tls_outcome outcome = NET_TLS_MORE;
    for (int i = 0; i < 64 && outcome == NET_TLS_MORE; i++) {
        outcome = net_tls_shake(pair.side, bytes, sizeof bytes, &used, &pair.out);
    }
    assert_int_equal(outcome, NET_TLS_FAILED);
    pair_deinit(&pair);
}

// ---------------------------------------------------------------------------------------------------------
// The other side

struct dialed {
    struct net_tls *trust;
    struct net_tls_side *ours, *theirs;
    struct net_tls_bytes out, back;
};

static void dial(struct dialed *dialed, const char *ca, const char *name)
{
    char text[200];
    *dialed = (struct dialed){0};
    dialed->trust = net_tls_create_trust(&(struct net_tls_trust){.ca = ca}, text, sizeof text);
    assert_non_null(dialed->trust);
    dialed->ours = net_tls_side_dial(dialed->trust, "weft", name);
    dialed->theirs = net_tls_side_create(tls, "weft");
    assert_non_null(dialed->ours);
    assert_non_null(dialed->theirs);
}

static void hang_up(struct dialed *dialed)
{
    net_tls_side_destroy(dialed->ours);
    net_tls_side_destroy(dialed->theirs);
    net_tls_destroy(dialed->trust);
    free(dialed->out.data);
    free(dialed->back.data);
}

// Feeds the peer's bytes. If change is not 0, every change-th byte is altered.
static enum net_tls_outcome meet(struct dialed *dialed, size_t change)
{
    enum net_tls_outcome ours = NET_TLS_MORE, theirs = NET_TLS_MORE;
    for (int flight = 0; flight < 6 && ours == NET_TLS_MORE; flight++) {
        size_t used;
        for (size_t i = change; change != 0 && i < dialed->back.size; i += change) {
            dialed->back.data[i] ^= 0x5a;
        }
        ours = net_tls_shake(dialed->ours, dialed->back.data, dialed->back.size, &used, &dialed->out);
        dialed->back.size = 0;
        if (theirs == NET_TLS_MORE && dialed->out.size > 0) {
            theirs = net_tls_shake(dialed->theirs, dialed->out.data, dialed->out.size, &used, &dialed->back);
        }
        dialed->out.size = 0;
    }
    return ours;
}

static void who_dials_looks_whom_it_reached(void **state)
{
    (void)state;
    struct helper_tls stranger;
    struct dialed dialed;
    helper_tls_make(&stranger, -60, DAY_S);
    const struct {
        const char *ca, *name, *why;
    } calls[] = {
        {files.cert, "localhost", NULL},
        {files.cert, "127.0.0.1", NULL},
        {files.cert, "localhost.example", "hostname mismatch"},
        {files.cert, "127.0.0.2", "IP address mismatch"},
        {stranger.cert, "localhost", "certificate"},
        {NULL, "localhost", "certificate"}, // the system knows nothing of it
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        dial(&dialed, calls[i].ca, calls[i].name);
        assert_int_equal(meet(&dialed, 0), calls[i].why ? NET_TLS_FAILED : NET_TLS_DONE);
        if (calls[i].why) {
            assert_non_null(strstr(net_tls_reason(dialed.ours), calls[i].why));
        }
        hang_up(&dialed);
    }
    helper_tls_remove(&stranger);
}

static void who_dials_believes_no_changed_byte(void **state)
{
    (void)state;
    for (size_t change = 1; change < 500; change += 1 + change / 8) {
        struct dialed dialed;
        dial(&dialed, files.cert, "localhost");
        assert_int_not_equal(meet(&dialed, change), NET_TLS_DONE);
        hang_up(&dialed);
    }
}

static void certificates_out_of_their_time_are_refused(void **state)
{
    (void)state;
    static const struct {
        long from_s, for_s;
        const char *why;
    } times[] = {{-2L * DAY_S, DAY_S, "expired"}, {DAY_S, DAY_S, "not good yet"}};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        struct helper_tls other;
        char text[300];
        helper_tls_make(&other, times[i].from_s, times[i].for_s);
        assert_null(net_tls_create(&(struct net_tls_files){other.cert, other.key, ""}, text, sizeof text));
        assert_non_null(strstr(text, times[i].why));
        helper_tls_remove(&other);
    }
}

static void what_was_read_stays_when_the_new_is_bad(void **state)
{
    (void)state;
    struct helper_tls other;
    char text[300];
    helper_tls_make(&other, -60, DAY_S);
    struct net_tls *mine =
        net_tls_create(&(struct net_tls_files){other.cert, other.key, NULL}, text, sizeof text);
    assert_non_null(mine);
    const int64_t expires = net_tls_expires(mine);
    struct net_tls_side *side = net_tls_side_create(mine, "weft");
    FILE *file = fopen(other.key, "w");
    fputs("nothing\n", file);
    fclose(file);
    assert_false(net_tls_reload(mine, text, sizeof text));
    assert_non_null(strstr(text, "key.pem"));
    assert_int_equal(net_tls_expires(mine), expires);
    struct net_tls_side *later = net_tls_side_create(mine, "weft");
    assert_non_null(later);
    net_tls_destroy(mine); // those that are there keep what they need
    net_tls_side_destroy(side);
    net_tls_side_destroy(later);
    helper_tls_remove(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_are_shaken_in_pieces_of_any_size),
        cmocka_unit_test(what_follows_a_handshake_at_once_is_not_lost),
        cmocka_unit_test(a_megabyte_goes_both_ways),
        cmocka_unit_test(keys_are_changed_when_the_peer_asks),
        cmocka_unit_test(the_end_is_said_by_both),
        cmocka_unit_test(a_changed_byte_ends_it),
        cmocka_unit_test(garbage_is_no_handshake),
        cmocka_unit_test(who_dials_looks_whom_it_reached),
        cmocka_unit_test(who_dials_believes_no_changed_byte),
        cmocka_unit_test(certificates_out_of_their_time_are_refused),
        cmocka_unit_test(what_was_read_stays_when_the_new_is_bad),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
