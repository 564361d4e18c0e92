// Options by name: their members, sources and errors, and whether they fit each other. test_options_table.c goes through all of them.
#include "options_internal.h"

#include "protocol/generated/api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct options options;
static char text[OPTIONS_TEXT_SIZE];
static char path[64];

static int setup(void **state)
{
    (void)state;
    char variable[OPTIONS_VARIABLE_SIZE];
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        unsetenv(options_variable(&options_table[option], variable));
    }
    strcpy(path, "/tmp/weft-options-XXXXXX");
    int file = mkstemp(path);
    if (file < 0) {
        return -1;
    }
    close(file);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    return unlink(path);
}

static void write_config(const char *content)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// Arguments after the program's name, up to NULL.
static enum options_outcome read_args(const char *first, ...)
{
    enum { ARGUMENTS = 64 };
    char *argv[ARGUMENTS] = {(char *)"weftd"};
    int argc = 1;
    va_list arguments;
    va_start(arguments, first);
    for (const char *argument = first; argument != NULL; argument = va_arg(arguments, const char *)) {
        assert_true(argc < ARGUMENTS);
        argv[argc++] = (char *)argument;
    }
    va_end(arguments);
    return options_read(argc, argv, &options, text);
}

static void assert_wrong(enum options_outcome outcome, const char *expected)
{
    assert_int_equal(outcome, OPTIONS_WRONG);
    if (strstr(text, expected) == NULL) {
        fail_msg("\"%s\" is not in \"%s\"", expected, text);
    }
}

static void defaults_hold_without_any_source(void **state)
{
    (void)state;
    assert_int_equal(read_args(NULL), OPTIONS_RUN);
    assert_string_equal(options.listen, "127.0.0.1:9338");
    assert_string_equal(options.http, "127.0.0.1:9339");
    assert_false(options.http_asked);
    assert_string_equal(options.studio, "");
    assert_string_equal(options.origins, "");
    assert_string_equal(options.scene, "");
    assert_true(options.threads >= 1);
    assert_int_equal(options.loops, 1);
    assert_int_equal(options.log_level, BASE_LOG_INFO);
    assert_false(options.log_json);
    assert_false(options.insecure);
    assert_int_equal(options.message_bytes_max, PROTOCOL_LIMIT_MESSAGE_BYTES);
    assert_int_equal(options.sessions_max, PROTOCOL_LIMIT_SESSIONS);
    assert_int_equal(options.sessions_per_address_max, PROTOCOL_LIMIT_SESSIONS_PER_ADDRESS);
    assert_false(options.sessions_per_address_asked);
    assert_int_equal(options.worlds_max, PROTOCOL_LIMIT_WORLDS);
    assert_int_equal(options.tick_ms_max, PROTOCOL_LIMIT_TICK_MS);
    assert_int_equal(options.lossless_bytes, PROTOCOL_LIMIT_LOSSLESS_BYTES);
    assert_int_equal(options.server_frame_bytes, PROTOCOL_LIMIT_SERVER_FRAME_BYTES);
    assert_int_equal(options.hold_ms, PROTOCOL_LIMIT_HOLD_MS);
    assert_int_equal(options.session_grace, PROTOCOL_LIMIT_SESSION_GRACE);
    assert_string_equal(options.hosts, "");
}

static void flags_set_what_they_are_called_after(void **state)
{
    (void)state;
    assert_int_equal(
        read_args("--listen", "0.0.0.0:0", "--threads=3", "--log-level", "debug", "--log-json", "--insecure",
                  "--max-message-bytes", "4096", "--max-sessions", "7", "--http", "0.0.0.0:1", "--studio",
                  "/srv/studio", "--origin", "https://a.example,http://b:8080", "--scene", "flag.json",
                  "--host", "a.example,b", "--data", "/srv/worlds", "--keep", "2h,3M", "--bin", "0s",
                  "--max-sessions-per-address", "5", "--max-worlds", "3000", "--tick-ms", "0",
                  "--lossless-bytes", "70000", "--server-frame-bytes", "2000000", "--hold-ms", "5", "--store",
                  "nats://u:p@a,b:4223,c/two", "--store-check", "tls://s:p@a", "--store-acks", "brokers",
                  "--store-ca", "ca.pem", "--store-creds", "u.creds", "--store-cert", "c.pem", "--store-key",
                  "c.key", "--store-check-creds", "s.creds", "--server-name", "one", "--advertise",
                  "a.example:1,b.example:2", "--relay-ca", "r.pem", "--drain", NULL),
        OPTIONS_RUN);
    assert_string_equal(options.store, "nats://u:p@a,b:4223,c/two");
    assert_string_equal(options.store_check, "tls://s:p@a");
    assert_string_equal(options.store_ca, "ca.pem");
    assert_string_equal(options.store_cert, "c.pem");
    assert_string_equal(options.store_key, "c.key");
    assert_string_equal(options.relay_ca, "r.pem");
    assert_string_equal(options.store_creds, "u.creds");
    assert_string_equal(options.store_check_creds, "s.creds");
    assert_true(options.store_brokers_alone);
    assert_string_equal(options.server_name, "one");
    assert_string_equal(options.advertise, "a.example:1,b.example:2");
    assert_true(options.drain);
    assert_string_equal(options.listen, "0.0.0.0:0");
    assert_string_equal(options.http, "0.0.0.0:1");
    assert_true(options.http_asked);
    assert_string_equal(options.studio, "/srv/studio");
    assert_string_equal(options.origins, "https://a.example,http://b:8080");
    assert_string_equal(options.scene, "flag.json");
    assert_string_equal(options.data, "/srv/worlds");
    assert_int_equal(options.bin_seconds, 0);
    assert_true(options.keep_seconds == 7200 && options.keep_bytes == 3 << 20);
    assert_int_equal(options.threads, 3);
    assert_int_equal(options.log_level, BASE_LOG_DEBUG);
    assert_true(options.log_json);
    assert_true(options.insecure);
    assert_int_equal(options.message_bytes_max, 4096);
    assert_int_equal(options.sessions_max, 7);
    assert_int_equal(options.sessions_per_address_max, 5);
    assert_true(options.sessions_per_address_asked);
    assert_int_equal(options.worlds_max, 3000);
    assert_int_equal(options.tick_ms_max, 0);
    assert_int_equal(options.lossless_bytes, 70000);
    assert_int_equal(options.server_frame_bytes, 2000000);
    assert_int_equal(options.hold_ms, 5);
    assert_string_equal(options.hosts, "a.example,b");
}

static void flags_of_people_and_tls_do_too(void **state)
{
    (void)state;
    assert_int_equal(read_args("--tokens", "--access", "a", "--token-new", "ann", "--audit", "b",
                               "--tls-cert", "c", "--tls-key", "k", "--tls-client-ca", "ca", "--loops", "2",
                               "--isa", "scalar", "--session-grace", "3", "--person-messages", "4",
                               "--person-bytes", "5", "--person-edits", "6", "--person-worlds", "7",
                               "--person-bodies", "8", "--person-particles", "9", "--person-constraints",
                               "10", "--person-poses", "11", NULL),
                     OPTIONS_RUN);
    assert_true(options.tokens);
    assert_string_equal(options.access, "a");
    assert_string_equal(options.token_new, "ann");
    assert_string_equal(options.audit, "b");
    assert_string_equal(options.tls_cert, "c");
    assert_string_equal(options.tls_key, "k");
    assert_string_equal(options.tls_client_ca, "ca");
    assert_int_equal(options.loops, 2);
    assert_int_equal(options.isa, SIM_ISA_SCALAR);
    assert_int_equal(options.session_grace, 3);
    assert_int_equal(options.person_messages, 4);
    assert_int_equal(options.person_bytes, 5);
    assert_int_equal(options.person_edits, 6);
    assert_int_equal(options.person_worlds, 7);
    assert_int_equal(options.person_bodies, 8);
    assert_int_equal(options.person_particles, 9);
    assert_int_equal(options.person_constraints, 10);
    assert_int_equal(options.person_poses, 11);
}

static void help_and_version_are_outcomes(void **state)
{
    (void)state;
    assert_int_equal(read_args("--help", NULL), OPTIONS_HELP);
    assert_int_equal(read_args("--version", "--threads", "no", NULL), OPTIONS_VERSION);
}

static void wrong_flags_name_the_flag_the_value_and_what_is_right(void **state)
{
    (void)state;
    assert_wrong(read_args("--threads", "0", NULL),
                 "--threads: \"0\" is wrong: it takes an integer from 1 to 256");
    assert_wrong(read_args("--threads", "257", NULL), "\"257\"");
    assert_int_equal(read_args("--loops", "16", NULL), OPTIONS_RUN);
    assert_int_equal(options.loops, 16);
    assert_wrong(read_args("--loops", "17", NULL),
                 "--loops: \"17\" is wrong: it takes an integer from 1 to 16");
    assert_wrong(read_args("--threads", "-1", NULL), "\"-1\"");
    assert_wrong(read_args("--threads", "2x", NULL), "\"2x\"");
    assert_wrong(read_args("--threads", "99999999999999999999", NULL), "integer from 1 to 256");
    assert_wrong(read_args("--threads=", NULL), "--threads: \"\"");
    assert_wrong(read_args("--log-level", "loud", NULL), "error, warn, info or debug");
    assert_wrong(read_args("--log-json=maybe", NULL), "true or false");
    assert_wrong(read_args("--max-message-bytes", "67108865", NULL), "1024 to 67108864");
    assert_wrong(read_args("--max-sessions", "65537", NULL), "1 to 65536");
    assert_wrong(read_args("--max-worlds", "0", NULL), "1 to 65536");
    assert_wrong(read_args("--tick-ms", "3600001", NULL), "0 to 3600000");
    assert_wrong(read_args("--lossless-bytes", "134217729", NULL), "1 to 134217728");
    assert_wrong(read_args("--hold-ms", "0", NULL), "1 to 3600000");
    static const char *const keeps[] = {"",
                                        "30",
                                        "d",
                                        "-3d",
                                        "0d",
                                        "3dd",
                                        "3d,",
                                        ",3d",
                                        "3d,4h",
                                        "3G,4G",
                                        "3x",
                                        "all,3d",
                                        "99999999999999999999d",
                                        "18446744073709551615G",
                                        "3d,4G,5d"};
    for (size_t i = 0; i < sizeof keeps / sizeof keeps[0]; i++) {
        assert_wrong(read_args("--keep", keeps[i], NULL), "a size (64K, 500M, 16G, 2T)");
    }
    assert_wrong(read_args("--bin", "1w", NULL), "an age (45s, 90m, 12h, 30d), or 0s");
    assert_wrong(read_args("--data", "", NULL), "--data: \"\" is wrong: it takes the name of a folder");
    assert_wrong(read_args("--max-sessions-per-address", "0", NULL), "1 to 65536");
    assert_wrong(read_args("--store", "http://a", NULL), "--store: it takes nats://HOST:PORT");
    assert_wrong(read_args("--store", "none", NULL), "--store: it takes nats://HOST:PORT");
    assert_wrong(read_args("--store-check", "all", NULL), "--store-check: it takes none, or nats://");
    assert_wrong(read_args("--http", "abc", NULL),
                 "--http: \"abc\" is wrong: it takes ADDR:PORT with a numeric address, as 127.0.0.1:9339 or "
                 "[::1]:9339, or the word none");
    assert_wrong(read_args("--store-acks", "folder", NULL),
                 "--store-acks: \"folder\" is wrong: it takes both or brokers");
    assert_wrong(
        read_args("--data", "d", "--store", "nats://a", "--store-check", "none", "--store-ca", "f", NULL),
        "--store-ca: it vouches for brokers at tls://");
    assert_wrong(
        read_args("--data", "d", "--store", "tls://a", "--store-check", "none", "--store-cert", "f", NULL),
        "--store-cert: it needs --store-key as well");
    assert_wrong(
        read_args("--data", "d", "--store", "tls://a", "--store-check", "none", "--store-key", "f", NULL),
        "--store-key: it needs --store-cert as well");
    assert_wrong(read_args("--data", "d", "--store", "nats://a", "--store-check", "none", "--store-cert", "f",
                           "--store-key", "f", NULL),
                 "--store-cert: it is for brokers at tls://");
    assert_wrong(read_args("--store", "nats://a", "--store-check", "none", NULL),
                 "--store: it needs --data DIR");
    assert_wrong(read_args("--store", "nats://a", "--data", "/d", NULL), "--store: it needs --store-check");
    assert_wrong(read_args("--drain", NULL), "--drain: it is for servers that share brokers");
    assert_wrong(read_args("--relay-ca", "f", NULL), "--relay-ca: it is for servers that share brokers");
    assert_wrong(read_args("--advertise", "a*", NULL), "--advertise: \"a*\" is wrong: it takes an address");
    assert_wrong(read_args("--host", "sim.example.org:80", NULL), "without ports");
    assert_wrong(read_args("--host", "", NULL), "names");
    assert_wrong(read_args("--studio=", NULL), "--studio: \"\" is wrong: it takes the name of a folder");
    static const char *const origins[] = {
        "",           "sim.example.org",    "https://",   "https://a,", "ftp://a",    "null",
        "http://a/b", "http://a,,http://b", "http://u@a", "*",          "https://a b"};
    for (size_t i = 0; i < sizeof origins / sizeof origins[0]; i++) {
        assert_wrong(read_args("--origin", origins[i], NULL), "https://sim.example.org");
    }
}

static void names_are_text_that_can_be_seen(void **state)
{
    (void)state;
    static const char *const bad[] = {"\xff\x01", "a\x1b[1m", "a\nb", "a*", "\xe2\x80\xae", "\xed\xa0\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_wrong(read_args("--tokens", "--access", "a", "--token-new", bad[i], NULL),
                     "is wrong: it takes a name of 1 to 64 bytes that can be seen, without *");
    }
    assert_int_equal(read_args("--tokens", "--access", "a", "--token-new", "J\xc3\xb6rg", NULL), OPTIONS_RUN);
}

// An error repeats what somebody gave, on a terminal or in a log. So no byte of it may act there.
static void errors_quote_what_was_given_without_its_control_characters(void **state)
{
    (void)state;
    assert_wrong(read_args("--listen", "\x1b[2J\xff", NULL), "--listen: \"?[2J?\" is wrong");
    assert_wrong(read_args("\x1b[2J", NULL), "?[2J: weftd takes options only");
}

static void wrong_addresses_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"9338",         "127.0.0.1",       "127.0.0.1:", "127.0.0.1:65536",
                                        "127.0.0.1:x",  "::1:9338:x",      "[::1]9338",  "",
                                        "nowhere:9338", "127.0.0.1:9338 ", ":9338"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_wrong(read_args("--listen", wrong[i], NULL), "ADDR:PORT");
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_wrong(read_args("--http", wrong[i], NULL), "ADDR:PORT with a numeric address");
    }
    assert_wrong(read_args("--listen", "none", NULL), "it takes ADDR:PORT");
}

static void only_loopback_is_accepted_unless_insecure(void **state)
{
    (void)state;
    assert_int_equal(read_args("--listen", "127.0.0.2:1", NULL), OPTIONS_RUN);
    assert_int_equal(read_args("--listen", "[::1]:1", NULL), OPTIONS_RUN);
    assert_wrong(read_args("--listen", "0.0.0.0:1", NULL), "--listen: 0.0.0.0:1 is no loopback address");
    assert_wrong(read_args("--http", "0.0.0.0:1", NULL), "--http: 0.0.0.0:1 is no loopback address");
    setenv("WEFT_LISTEN", "10.0.0.1:1", 1);
    assert_wrong(read_args(NULL), "WEFT_LISTEN: 10.0.0.1:1");
    assert_wrong(read_args("--insecure=no", NULL), "--insecure allows it");
    assert_int_equal(read_args("--insecure", NULL), OPTIONS_RUN);
}

static void unknown_flags_and_arguments_are_refused(void **state)
{
    (void)state;
    assert_wrong(read_args("--htttp", "x", NULL), "--htttp: there is no such option");
    assert_wrong(read_args("-x", NULL), "-x: there is no such option");
    assert_wrong(read_args("--threads", NULL), "--threads: it needs a value");
    assert_wrong(read_args("--help=yes", NULL), "--help");
    assert_wrong(read_args("127.0.0.1:9338", NULL), "127.0.0.1:9338: weftd takes options only");
}

static void assert_config_wrong(const char *content, const char *line_and_text)
{
    char expected[256];
    write_config(content);
    snprintf(expected, sizeof expected, "%s:%s", path, line_and_text);
    assert_wrong(read_args("--config", path, NULL), expected);
}

static void errors_of_a_file_name_the_line(void **state)
{
    (void)state;
    assert_config_wrong("[server]\n\nthreads = none\n", "3: threads: \"none\" is wrong");
    assert_config_wrong("[server]\nhttps = 127.0.0.1:9339\n", "2: https: there is no such option");
    assert_config_wrong("[server]\nconfig = x\n", "2: config: there is no such option");
    assert_config_wrong("threads = 2\n", "1: threads: it is in section []");
    assert_config_wrong("[server]\n[client]\nthreads = 2\n", "3: threads: it is in section [client]");
    assert_config_wrong("[server]\nthreads = 2\n\nthreads = 3\n",
                        "4: threads: it was given in line 2 already");
    assert_config_wrong("[server]\nthreads\n", "2: it takes [server], name = value");
    assert_config_wrong("[server\n", "1: it takes [server], name = value");
    char line[600];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    char content[700];
    snprintf(content, sizeof content, "[server]\nlisten = %s\n", line);
    assert_config_wrong(content, "2: the line is too long");
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
    (void)state;
    assert_wrong(read_args("--config", "/nonexistent/weftd.conf", NULL),
                 "--config: \"/nonexistent/weftd.conf\" cannot be read: No such file");
    setenv("WEFT_CONFIG", "/nonexistent/2", 1);
    assert_wrong(read_args(NULL), "WEFT_CONFIG: \"/nonexistent/2\"");
    assert_wrong(read_args("--config", "/tmp", NULL), "/tmp: it cannot be read");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static void a_hangup_ends_a_server_without_files_to_read_again(void **state)
{
    (void)state;
    assert_int_equal(read_args("--data", "d", NULL), OPTIONS_RUN);
    assert_false(options_can_read_again(&options));
    assert_int_equal(read_args("--audit", "a.log", NULL), OPTIONS_RUN);
    assert_true(options_can_read_again(&options));
    assert_int_equal(read_args("--tls-cert", "c.pem", "--tls-key", "k.pem", NULL), OPTIONS_RUN);
    assert_true(options_can_read_again(&options));
    assert_int_equal(
        read_args("--data", "d", "--store", "nats://a", "--store-check", "none", "--relay-ca", "r.pem", NULL),
        OPTIONS_RUN);
    assert_true(options_can_read_again(&options));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(defaults_hold_without_any_source),
        TEST(flags_set_what_they_are_called_after),
        TEST(flags_of_people_and_tls_do_too),
        TEST(help_and_version_are_outcomes),
        TEST(wrong_flags_name_the_flag_the_value_and_what_is_right),
        TEST(names_are_text_that_can_be_seen),
        TEST(errors_quote_what_was_given_without_its_control_characters),
        TEST(wrong_addresses_are_refused),
        TEST(only_loopback_is_accepted_unless_insecure),
        TEST(unknown_flags_and_arguments_are_refused),
        TEST(errors_of_a_file_name_the_line),
        TEST(a_file_that_cannot_be_read_is_named),
        TEST(a_hangup_ends_a_server_without_files_to_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
