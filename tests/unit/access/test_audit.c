// The audit log: whole lines of JSON, and nobody waits for its disk.
#include "helper_access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void lines_are_whole_and_escaped(void **state)
{
    (void)state;
    char error[ACCESS_ERROR_SIZE];
    struct access_audit *audit = access_audit_open(path_of("audit"), error);
    assert_non_null(audit);
    access_audit(audit, &(struct access_event){.what = "call",
                                               .outcome = "ok",
                                               .method = "world.set",
                                               .user = "A\"d\\a\n\x01\xff",
                                               .address = "10.0.0.7",
                                               .session = 7,
                                               .world = 3});
    access_audit_close(audit, 5000);
    char *text = read_text("audit");
    const char *end = strchr(text, '\n');
    assert_non_null(end);
    assert_string_equal(end, "\n");
    assert_non_null(strstr(text, "\"what\":\"call\",\"outcome\":\"ok\",\"method\":\"world.set\",\"world\":3,"
                                 "\"user\":\"A\\u0022d\\u005ca\\u000a\\u0001\xef\xbf\xbd\",\"session\":7,"
                                 "\"address\":\"10.0.0.7\"}\n"));
    assert_memory_equal(text, "{\"time\":\"20", 11);
    free(text);
    access_audit(NULL, &(struct access_event){.what = "call"});
}

static void it_is_appended_and_opened_anew(void **state)
{
    (void)state;
    char error[ACCESS_ERROR_SIZE], moved[512];
    write_text("audit", "before\n");
    struct access_audit *audit = access_audit_open(path_of("audit"), error);
    assert_non_null(audit);
    access_audit(audit, &(struct access_event){.what = "first"});
    access_audit_close(audit, 5000);
    audit = access_audit_open(path_of("audit"), error);
    snprintf(moved, sizeof moved, "%s", path_of("moved"));
    assert_int_equal(rename(path_of("audit"), moved), 0);
    access_audit_reopen(audit);
    while (access(path_of("audit"), F_OK) != 0) {
        usleep(1000);
    }
    access_audit(audit, &(struct access_event){.what = "second"});
    access_audit_close(audit, 5000);
    char *text = read_text("moved");
    assert_memory_equal(text, "before\n", 7);
    assert_non_null(strstr(text, "first"));
    assert_null(strstr(text, "second"));
    free(text);
    text = read_text("audit");
    assert_non_null(strstr(text, "second"));
    free(text);
}

static void a_stalled_disk_drops_and_counts(void **state)
{
    (void)state;
    enum { LINES = 30000 };
    char error[ACCESS_ERROR_SIZE];
    assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
    const int reader = open(path_of("pipe"), O_RDWR); // there, and does not read
    assert_true(reader >= 0);
    struct access_audit *audit = access_audit_open(path_of("pipe"), error);
    assert_non_null(audit);
    for (int i = 0; i < LINES; i++) {
        access_audit(audit, &(struct access_event){.what = "call", .outcome = "ok", .method = "world.set"});
    }
    const uint64_t dropped = access_audit_dropped(audit);
    assert_true(dropped > 0 && dropped < LINES);
    // It reads again: room, and one line says how many are missing.
    static char bytes[1 << 20];
    uint64_t lines = 0, told = 0;
    assert_int_equal(fcntl(reader, F_SETFL, O_NONBLOCK), 0);
    for (int i = 0; told == 0 && i < 60000; i++) {
        const ssize_t size = read(reader, bytes, sizeof bytes - 1);
        if (size <= 0) {
            access_audit(audit, &(struct access_event){.what = "later"});
            usleep(1000);
            continue;
        }
        bytes[size] = '\0';
        for (ssize_t at = 0; at < size; at++) {
            lines += bytes[at] == '\n';
        }
        const char *found = strstr(bytes, "\"what\":\"dropped\",\"dropped\":");
        if (found != NULL) {
            told = strtoull(found + 27, NULL, 10);
        }
    }
    assert_true(lines > 0);
    assert_true(told >= dropped);
    access_audit_close(audit, 5000);
    close(reader);
}

static void where_there_can_be_none_it_is_said(void **state)
{
    (void)state;
    char error[ACCESS_ERROR_SIZE] = "";
    assert_null(access_audit_open("/proc/weft-no-such-folder/audit", error));
    assert_non_null(strstr(error, "No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_are_whole_and_escaped, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(it_is_appended_and_opened_anew, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(a_stalled_disk_drops_and_counts, folder_make, folder_remove),
        cmocka_unit_test(where_there_can_be_none_it_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
