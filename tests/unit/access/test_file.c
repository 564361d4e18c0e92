// The book on the disk: as it was, or the one before, and never a damaged one taken for good.
#include "helper_access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOW = 1000000 };

static void save(struct access *access)
{
    char error[ACCESS_ERROR_SIZE];
    struct access_image *image = access_image(access);
    assert_non_null(image);
    assert_true(access_image_write(image, error));
}

static struct protocol_string text_of(const char *text)
{
    return (struct protocol_string){text, (uint32_t)strlen(text)};
}

// One of everything; the token and the invitation of it.
static void fill(struct access *access, char secret[ACCESS_SECRET_SIZE], char invite[ACCESS_SECRET_SIZE])
{
    uint32_t id;
    assert_int_equal(
        access_token_create(access, "Ada Lovelace", PROTOCOL_ROLE_ADMIN, NOW, NOW + 100, &id, secret),
        ACCESS_DONE);
    const struct access_invite like = {
        .world = 3, .role = PROTOCOL_ROLE_VIEWER, .uses = 2, .expires_s = NOW + 50, .name = "Ada Lovelace"};
    assert_int_equal(access_invite_create(access, &like, &id, invite), ACCESS_DONE);
    assert_int_equal(access_made(access, 3, "Ada Lovelace"), ACCESS_DONE);
    assert_int_equal(access_grant(access, 3, "*", PROTOCOL_ROLE_VIEWER, "Ada"), ACCESS_DONE);
    assert_int_equal(access_control_set(access, 3, PROTOCOL_ROLE_OWNER), ACCESS_DONE);
    save(access);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    char secret[ACCESS_SECRET_SIZE], invite[ACCESS_SECRET_SIZE];
    struct access_person person;
    struct access *access = open_book("book");
    fill(access, secret, invite);
    access_close(access);
    struct stat told;
    assert_int_equal(stat(path_of("book"), &told), 0);
    assert_int_equal(told.st_mode & 0777, 0600);
    char *text = read_text("book");
    assert_null(strstr(text, secret));
    assert_null(strstr(text, secret + 13)); // nor what it proves it by
    assert_null(strstr(text, invite + 19));
    free(text);

    access = open_book("book");
    const struct protocol_string shown = text_of(secret), invited = text_of(invite);
    assert_true(access_know(access, &shown, NOW, &person));
    assert_string_equal(person.name, "Ada Lovelace");
    assert_int_equal(person.role, PROTOCOL_ROLE_ADMIN);
    assert_int_equal(access_invite_find(access, &invited, NOW)->uses, 2);
    assert_int_equal(access_role(access, 3, "Ada Lovelace"), PROTOCOL_ROLE_OWNER);
    assert_int_equal(access_role(access, 3, "Bob"), PROTOCOL_ROLE_VIEWER);
    assert_string_equal(access_maker(access, 3), "Ada Lovelace");
    assert_int_equal(access_given(access, 3, "Ada", NULL, 0), 1);
    assert_int_equal(access_control(access, 3), PROTOCOL_ROLE_OWNER);
    // Ids go on.
    uint32_t id;
    char more[ACCESS_SECRET_SIZE];
    assert_int_equal(access_token_create(access, "Bob", PROTOCOL_ROLE_VIEWER, NOW, 0, &id, more),
                     ACCESS_DONE);
    assert_int_equal(id, 3);
    access_close(access);

    // An expired invitation is refused but kept, because the clock may be wrong. Nothing is known of worlds that begin
    // again.
    access = open_book("book");
    assert_true(access_know(access, &shown, NOW + 60, &person));
    assert_null(access_invite_find(access, &invited, NOW + 60));
    assert_non_null(access_invite_find(access, &invited, NOW));
    access_close(access);
    char error[ACCESS_ERROR_SIZE];
    access = access_open(path_of("book"), false, error);
    assert_non_null(access);
    assert_true(access_know(access, &shown, NOW, &person));
    assert_int_equal(access_role(access, 3, "Ada Lovelace"), PROTOCOL_ROLE_ANYONE);
    assert_null(access_invite_find(access, &invited, NOW));
    access_close(access);
}

// Cut anywhere it is refused, and so is any line that is none.
static void damage_is_told(void **state)
{
    (void)state;
    char secret[ACCESS_SECRET_SIZE], invite[ACCESS_SECRET_SIZE], error[ACCESS_ERROR_SIZE];
    struct access *access = open_book("book");
    fill(access, secret, invite);
    access_close(access);
    char *text = read_text("book");
    const size_t size = strlen(text);
    for (size_t cut = 0; cut < size; cut++) {
        char *part = strndup(text, cut);
        assert_non_null(part);
        write_text("cut", part);
        assert_null(access_open(path_of("cut"), true, error));
        assert_non_null(strstr(error, "damaged"));
        free(part);
    }
    free(text);
    static const char *const wrong[] = {
        "weft-access 2\nend\n",
        "weft-access 1\nnonsense 1\nend\n",
        "weft-access 1\ntoken 1 admin 0 0 1 00 Ada\nend\n",
        ("weft-access 1\ntoken 1 king 0 0 1 "
         "0000000000000000000000000000000000000000000000000000000000000000 Ada\nend\n"),
        "weft-access 1\ngrant 1 owner 0 \nend\n",
        "weft-access 1\ngrant -1 owner 0 Ada\nend\n",
        "weft-access 1\ngrant 4294967296 owner 0 Ada\nend\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        write_text("wrong", wrong[i]);
        assert_null(access_open(path_of("wrong"), true, error));
    }
    assert_null(access_open("/proc/self/mem/none", true, error));
}

static void the_newest_image_stays(void **state)
{
    (void)state;
    char error[ACCESS_ERROR_SIZE];
    struct access *access = open_book("book");
    assert_int_equal(access_made(access, 1, "Ada"), ACCESS_DONE);
    struct access_image *older = access_image(access);
    assert_int_equal(access_made(access, 2, "Ada"), ACCESS_DONE);
    struct access_image *newer = access_image(access);
    access_close(access); // images outlive it
    assert_true(access_image_write(newer, error));
    assert_true(access_image_write(older, error));
    access = open_book("book");
    assert_string_equal(access_maker(access, 2), "Ada");
    access_close(access);
}

static void where_nothing_can_be_written_it_is_said(void **state)
{
    (void)state;
    char error[ACCESS_ERROR_SIZE] = "", secret[ACCESS_SECRET_SIZE];
    struct access *access = access_open("/proc/weft-no-such-folder/book", true, error);
    assert_non_null(access);
    struct access_image *image = access_image(access);
    assert_non_null(image);
    assert_false(access_image_write(image, error));
    assert_non_null(strstr(error, "cannot be written"));
    access_close(access);
    assert_false(access_token_leave("/proc/weft-no-such-folder/book", "Ada", PROTOCOL_ROLE_ADMIN, NOW, 0,
                                    secret, error));
}

static void a_token_left_beside_it_is_adopted_once(void **state)
{
    (void)state;
    char first[ACCESS_SECRET_SIZE], second[ACCESS_SECRET_SIZE], error[ACCESS_ERROR_SIZE];
    struct access_person person;
    assert_true(access_token_leave(path_of("book"), "Ada", PROTOCOL_ROLE_ADMIN, NOW, 0, first, error));
    struct access *access = open_book("book");
    const struct protocol_string shown = text_of(first);
    assert_true(access_know(access, &shown, NOW, &person));
    assert_true(access_token_leave(path_of("book"), "Bob", PROTOCOL_ROLE_ADMIN, NOW, 0, second, error));
    char *left = read_text("book.new");
    const struct protocol_string other = text_of(second);
    assert_false(access_know(access, &other, NOW, &person));
    assert_int_equal(access_adopt(access), 1);
    assert_true(access_know(access, &other, NOW, &person));
    assert_string_equal(person.name, "Bob");
    assert_int_equal(access_adopt(access), 0);
    // As if the file could not have been emptied.
    write_text("book.new", left);
    free(left);
    assert_int_equal(access_adopt(access), 0);
    write_text("book.new", "token nonsense\nnothing\n");
    assert_int_equal(access_adopt(access), 0);
    // Another token of somebody, but none of a name that looks like theirs.
    assert_false(access_token_leave(path_of("book"), "B\u043Eb", PROTOCOL_ROLE_ADMIN, NOW, 0, second, error));
    assert_non_null(strstr(error, "\"Bob\""));
    assert_true(access_token_leave(path_of("book"), "Bob", PROTOCOL_ROLE_ADMIN, NOW, 0, second, error));
    access_close(access);
    access = open_book("book");
    assert_true(access_know(access, &other, NOW, &person));
    access_close(access);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_written_is_read, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(damage_is_told, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(the_newest_image_stays, folder_make, folder_remove),
        cmocka_unit_test(where_nothing_can_be_written_it_is_said),
        cmocka_unit_test_setup_teardown(a_token_left_beside_it_is_adopted_once, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
