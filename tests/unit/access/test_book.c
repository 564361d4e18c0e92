// Tokens, roles, invitations: what is good, what is not any more, and what never was.
#include "helper_access.h"

#include "access/secret.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { NOW = 1000000 };

static struct access *book;

static int start(void **state)
{
    if (folder_make(state) != 0) {
        return -1;
    }
    book = open_book("book");
    return 0;
}

static int stop(void **state)
{
    access_close(book);
    return folder_remove(state);
}

static const uint64_t second_ns = 1000000000;

static bool knows(const char *text, uint64_t now_s, struct access_person *person)
{
    const struct protocol_string string = {text, (uint32_t)strlen(text)};
    return access_know(book, &string, now_s, person);
}

static uint32_t token(const char *name, uint64_t expires_s, char secret[ACCESS_SECRET_SIZE])
{
    uint32_t id = 0;
    assert_int_equal(access_token_create(book, name, PROTOCOL_ROLE_EDITOR, NOW, expires_s, &id, secret),
                     ACCESS_DONE);
    return id;
}

static void a_token_is_known_until_it_expires_or_is_revoked(void **state)
{
    (void)state;
    char secret[ACCESS_SECRET_SIZE], other[ACCESS_SECRET_SIZE];
    struct access_person person;
    const uint32_t id = token("Ada", NOW + 10, secret);
    const uint32_t second = token("Ada", 0, other);
    assert_string_not_equal(secret, other);
    assert_true(knows(secret, NOW, &person));
    assert_string_equal(person.name, "Ada");
    assert_int_equal(person.token, id);
    assert_int_equal(person.role, PROTOCOL_ROLE_EDITOR);
    assert_true(knows(secret, NOW + 9, &person));
    assert_false(knows(secret, NOW + 10, &person));
    assert_int_equal(person.token, 0);
    assert_true(knows(other, UINT64_C(1) << 40, &person));
    assert_int_equal(access_token_revoke(book, id, NULL), 1);
    assert_false(knows(secret, NOW, &person));
    assert_false(access_holds(book, id));
    assert_true(access_holds(book, second));
    assert_int_equal(access_token_revoke(book, id, NULL), 0);
    assert_int_equal(access_token_revoke(book, 0, "Ada"), 1);
    assert_false(knows(other, NOW, &person));
}

static void every_letter_counts(void **state)
{
    (void)state;
    char secret[ACCESS_SECRET_SIZE];
    struct access_person person;
    token("Ada", 0, secret);
    for (size_t i = 0; i < strlen(secret); i++) {
        char wrong[ACCESS_SECRET_SIZE];
        memcpy(wrong, secret, sizeof wrong);
        wrong[i] = wrong[i] == 'A' ? 'B' : 'A';
        assert_false(knows(wrong, NOW, &person));
    }
    static const char *const none[] = {"", "weft_", "weft_!!!!", "weftinvite_AAAA"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_false(knows(none[i], NOW, &person));
    }
    char longer[ACCESS_SECRET_SIZE + 1];
    snprintf(longer, sizeof longer, "%sA", secret);
    assert_false(knows(longer, NOW, &person));
    // A part of the bytes with zeros behind, and text that is no text.
    assert_false(access_know(book, &(struct protocol_string){secret, 20}, NOW, &person));
    char zeros[49] = "weft_";
    assert_false(access_know(book, &(struct protocol_string){zeros, 49}, NOW, &person));
    assert_true(knows(secret, NOW, &person));
}

// The whole secret's hash is compared, wherever the first difference is.
static void hashes_differ_in_any_byte(void **state)
{
    (void)state;
    uint8_t a[32] = {0}, b[32] = {0};
    assert_true(access_secret_same(a, b));
    for (int i = 0; i < 32; i++) {
        b[i] = 1;
        assert_false(access_secret_same(a, b));
        b[i] = 0;
    }
}

static void roles_are_by_world_and_name(void **state)
{
    (void)state;
    assert_int_equal(access_role(book, 1, "Ada"), PROTOCOL_ROLE_ANYONE);
    assert_int_equal(access_made(book, 1, "Ada"), ACCESS_DONE);
    assert_int_equal(access_grant(book, 1, "Bob", PROTOCOL_ROLE_VIEWER, ""), ACCESS_DONE);
    assert_int_equal(access_grant(book, 2, "Bob", PROTOCOL_ROLE_EDITOR, ""), ACCESS_DONE);
    assert_int_equal(access_role(book, 1, "Ada"), PROTOCOL_ROLE_OWNER);
    assert_int_equal(access_role(book, 2, "Ada"), PROTOCOL_ROLE_ANYONE);
    assert_int_equal(access_role(book, 1, "Bob"), PROTOCOL_ROLE_VIEWER);
    assert_int_equal(access_role(book, 2, "Bob"), PROTOCOL_ROLE_EDITOR);
    assert_int_equal(access_role(book, 1, "Bobb"), PROTOCOL_ROLE_ANYONE);
    assert_int_equal(access_role(book, 1, ""), PROTOCOL_ROLE_ANYONE);
    // Everybody: the greater of both
    assert_int_equal(access_grant(book, 1, "*", PROTOCOL_ROLE_EDITOR, ""), ACCESS_DONE);
    assert_int_equal(access_role(book, 1, "Bob"), PROTOCOL_ROLE_EDITOR);
    assert_int_equal(access_role(book, 1, "Ada"), PROTOCOL_ROLE_OWNER);
    assert_int_equal(access_role(book, 1, "Eve"), PROTOCOL_ROLE_EDITOR);
    assert_int_equal(access_grant(book, 1, "*", PROTOCOL_ROLE_ANYONE, ""), ACCESS_DONE);
    assert_int_equal(access_grant(book, 1, "*", PROTOCOL_ROLE_ANYONE, ""), ACCESS_NONE);
    assert_int_equal(access_role(book, 1, "Eve"), PROTOCOL_ROLE_ANYONE);
    uint32_t count;
    const struct access_grant *grants = access_grants(book, 1, &count);
    assert_int_equal(count, 2);
    assert_string_equal(grants[0].name, "Ada");
    assert_string_equal(access_maker(book, 1), "Ada");
    assert_null(access_maker(book, 2));
    // Ann is still the world's creator without a role.
    assert_int_equal(access_grant(book, 1, "Ada", PROTOCOL_ROLE_ANYONE, ""), ACCESS_DONE);
    assert_int_equal(access_role(book, 1, "Ada"), PROTOCOL_ROLE_ANYONE);
    assert_string_equal(access_maker(book, 1), "Ada");
    access_forget(book, 1);
    assert_null(access_maker(book, 1));
    assert_int_equal(access_role(book, 1, "Bob"), PROTOCOL_ROLE_ANYONE);
    assert_int_equal(access_role(book, 2, "Bob"), PROTOCOL_ROLE_EDITOR);
}

static void many_roles_are_found(void **state)
{
    (void)state;
    char name[ACCESS_NAME_SIZE];
    for (uint32_t i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "person %u", i * 7919 % 3000);
        assert_int_equal(access_grant(book, 1 + i % 17, name, PROTOCOL_ROLE_EDITOR, ""), ACCESS_DONE);
    }
    for (uint32_t i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "person %u", i * 7919 % 3000);
        assert_int_equal(access_role(book, 1 + i % 17, name), PROTOCOL_ROLE_EDITOR);
        assert_int_equal(access_role(book, 1 + (i + 1) % 17, name), PROTOCOL_ROLE_ANYONE);
    }
}

static void invitations_are_used_up(void **state)
{
    (void)state;
    char secret[ACCESS_SECRET_SIZE];
    uint32_t id;
    const struct access_invite like = {
        .world = 3, .role = PROTOCOL_ROLE_VIEWER, .uses = 2, .expires_s = NOW + 5, .name = "Ada"};
    assert_int_equal(access_invite_create(book, &like, &id, secret), ACCESS_DONE);
    const struct protocol_string text = {secret, (uint32_t)strlen(secret)};
    struct access_person person;
    assert_false(access_know(book, &text, NOW, &person));
    assert_non_null(access_invite_find(book, &text, NOW));
    assert_null(access_invite_find(book, &text, NOW + 5));
    assert_false(access_invite_revoke(book, 4, id)); // of another world
    access_invite_use(book, id);
    assert_int_equal(access_invite_find(book, &text, NOW)->uses, 1);
    access_invite_use(book, id);
    assert_null(access_invite_find(book, &text, NOW));
    access_invite_use(book, id);
    assert_int_equal(access_invite_create(book, &like, &id, secret), ACCESS_DONE);
    assert_true(access_invite_revoke(book, 3, id));
    uint32_t count;
    access_invites(book, &count);
    assert_int_equal(count, 0);
}

// Ways to look like somebody, as guests have tried them.
static void names_that_look_alike_are_found(void **state)
{
    (void)state;
    static const char *const alike[] = {
        "Owner\u200B",
        "O\u200Dwner",
        "\u2060Owner",
        "Ow\u00ADner",
        "Owner\u00A0",
        " Owner",
        "Owner ",
        "Owner\uFE0F",
        "\u041Ewner",
        "Own\u0435r",
        "owner",
        "OWNER",
        "Ow\u200Aner",
        "Owner\U000E0041",
        "\uFF2Fwner",
        "0wner",
        "\U0001D40E\U0001D430ner",
        "Ow ner",
        "Own\u0435r\u034F",
        "\u2800Owner",
        "\u039Fwner",
    };
    static const char *const others[] = {"Ownar", "Owners", "Owner2", "\u00D6wner", "Ownеr\u0301", "renwO"};
    static const char *const pairs[][2] = {
        {"Bill", "BiII"},         {"Mark", "Rnark"}, {"stra\u00DFe", "STRASSE"},
        {"\u212Bke", "\u00C5ke"}, {"bob", "B0B"},    {"ﬁn", "FIN"},
    };
    char secret[ACCESS_SECRET_SIZE];
    const char *like;
    token("Owner", 0, secret);
    assert_int_equal(access_name_check(book, "Owner", &like), ACCESS_TAKEN);
    for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++) {
        if (access_name_check(book, alike[i], &like) != ACCESS_ALIKE) {
            fail_msg("\"%s\" (%zu) can be told apart", alike[i], i);
        }
        assert_string_equal(like, "Owner");
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (access_name_check(book, others[i], &like) != ACCESS_NONE) {
            fail_msg("\"%s\" cannot be told apart", others[i]);
        }
    }
    for (uint32_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_int_equal(access_grant(book, 1 + i, pairs[i][0], PROTOCOL_ROLE_VIEWER, ""), ACCESS_DONE);
        if (access_name_check(book, pairs[i][1], &like) != ACCESS_ALIKE) {
            fail_msg("\"%s\" can be told apart", pairs[i][1]);
        }
    }
    assert_int_equal(access_name_check(book, "*", &like), ACCESS_TAKEN);
    assert_int_equal(access_name_check(book, "\uFF0A", &like), ACCESS_ALIKE);
    assert_string_equal(like, "*");
    // As long as a name may be, and as much longer as its form can get.
    char name[ACCESS_NAME_SIZE] = "";
    for (int i = 0; i < 21; i++) {
        strcat(name, "\uFDFA");
    }
    assert_int_equal(access_name_check(book, name, &like), ACCESS_NONE);
    token(name, 0, secret);
    strcat(name, " ");
    assert_int_equal(access_name_check(book, name, &like), ACCESS_ALIKE);
}

static uint32_t invite(uint32_t world, enum protocol_role role, const char *name)
{
    char secret[ACCESS_SECRET_SIZE];
    uint32_t id;
    struct access_invite like = {.world = world, .role = role, .uses = 1, .expires_s = NOW + 5};
    snprintf(like.name, sizeof like.name, "%s", name);
    assert_int_equal(access_invite_create(book, &like, &id, secret), ACCESS_DONE);
    return id;
}

static void own_invitations_end_by_world_and_role(void **state)
{
    (void)state;
    const uint32_t viewer = invite(1, PROTOCOL_ROLE_VIEWER, "Ada");
    const uint32_t owner = invite(1, PROTOCOL_ROLE_OWNER, "Ada");
    const uint32_t other = invite(2, PROTOCOL_ROLE_VIEWER, "Ada"),
                   bobs = invite(1, PROTOCOL_ROLE_OWNER, "Bob");
    struct access_invite found[4];
    struct access_own own = {.world = 1, .above = PROTOCOL_ROLE_VIEWER, .name = "Ada"};
    assert_int_equal(access_invites_own(book, &own, found, 4), 1);
    assert_int_equal(found[0].id, owner);
    own.above = PROTOCOL_ROLE_ANYONE;
    assert_int_equal(access_invites_own(book, &own, found, 1), 2);
    assert_int_equal(found[0].id, viewer);
    own.world = 0;
    assert_int_equal(access_invites_own(book, &own, NULL, 0), 3);
    own.world = 1;
    access_invites_end(book, &own);
    uint32_t count;
    const struct access_invite *left = access_invites(book, &count);
    assert_int_equal(count, 2);
    assert_int_equal(left[0].id, other);
    assert_int_equal(left[1].id, bobs);
}

static void who_gave_a_role_is_known(void **state)
{
    (void)state;
    struct access_grant given[2];
    assert_int_equal(access_made(book, 1, "Ada"), ACCESS_DONE);
    assert_int_equal(access_grant(book, 1, "Bob", PROTOCOL_ROLE_VIEWER, "Ada"), ACCESS_DONE);
    assert_int_equal(access_grant(book, 1, "Ada", PROTOCOL_ROLE_EDITOR, "Ada"), ACCESS_DONE);
    assert_int_equal(access_grant(book, 2, "Eve", PROTOCOL_ROLE_OWNER, "Ada"), ACCESS_DONE);
    assert_int_equal(access_given(book, 1, "Ada", given, 2), 1);
    assert_string_equal(given[0].name, "Bob");
    assert_int_equal(access_given(book, 0, "Ada", given, 1), 2);
    // The last person who gave the role counts, and a revoked role does not.
    assert_int_equal(access_grant(book, 1, "Bob", PROTOCOL_ROLE_EDITOR, "Eve"), ACCESS_DONE);
    assert_int_equal(access_grant(book, 2, "Eve", PROTOCOL_ROLE_ANYONE, "Bob"), ACCESS_DONE);
    assert_int_equal(access_given(book, 0, "Ada", NULL, 0), 0);
    assert_int_equal(access_given(book, 0, "Eve", NULL, 0), 1);
}

static void there_is_room_for_so_many(void **state)
{
    (void)state;
    char secret[ACCESS_SECRET_SIZE];
    uint32_t id, made = 0;
    enum access_outcome outcome = ACCESS_DONE;
    while (made < 20000 && (outcome = access_token_create(book, "Ada", PROTOCOL_ROLE_VIEWER, NOW, NOW + 1,
                                                          &id, secret)) == ACCESS_DONE) {
        made++;
    }
    assert_int_equal(outcome, ACCESS_FULL);
    assert_int_equal(made, 16384);
    uint32_t count;
    access_expire(book, NOW + 1, 7 * second_ns);
    access_tokens(book, &count);
    assert_int_equal(count, made);
    access_expire(book, NOW + 1, (7 + ACCESS_EXPIRED_S) * second_ns);
    access_tokens(book, &count);
    assert_int_equal(count, 0);
}

// The clock is set forward by 60 days for a moment: what it made expire is refused then, and good afterwards.
static void a_wrong_clock_removes_nothing(void **state)
{
    (void)state;
    enum { DAYS_60 = 60 * 86400 };
    char secret[ACCESS_SECRET_SIZE], invite[ACCESS_SECRET_SIZE];
    struct access_person person;
    uint32_t id, count;
    token("Ada", NOW + 86400, secret);
    const struct access_invite like = {
        .world = 3, .role = PROTOCOL_ROLE_VIEWER, .uses = 2, .expires_s = NOW + 86400, .name = "Ada"};
    assert_int_equal(access_invite_create(book, &like, &id, invite), ACCESS_DONE);
    const struct protocol_string invited = {invite, (uint32_t)strlen(invite)};
    for (uint64_t s = 1; s <= 4; s++) {
        access_expire(book, NOW + DAYS_60 + s, s * second_ns);
        assert_false(knows(secret, NOW + DAYS_60 + s, &person));
        assert_null(access_invite_find(book, &invited, NOW + DAYS_60 + s));
    }
    access_expire(book, NOW + 5, 5 * second_ns);
    assert_true(knows(secret, NOW + 5, &person));
    assert_non_null(access_invite_find(book, &invited, NOW + 5));
    // The hour begins again with the next time.
    access_expire(book, NOW + 86400, ACCESS_EXPIRED_S * second_ns);
    access_expire(book, NOW + 86400 + ACCESS_EXPIRED_S, (2 * ACCESS_EXPIRED_S - 1) * second_ns);
    access_tokens(book, &count);
    assert_int_equal(count, 1);
    access_expire(book, NOW + 86400 + ACCESS_EXPIRED_S, 2 * ACCESS_EXPIRED_S * second_ns);
    access_tokens(book, &count);
    assert_int_equal(count, 0);
    access_invites(book, &count);
    assert_int_equal(count, 0);
}

static bool above_ten(void *context, uint32_t world)
{
    (void)context;
    return world > 10;
}

static void nobody_fills_the_book(void **state)
{
    (void)state;
    char name[ACCESS_NAME_SIZE], secret[ACCESS_SECRET_SIZE];
    uint32_t id, made = 0;
    // Roles and invitations of one world.
    for (int i = 0; i < ACCESS_WORLD_GRANTS; i++) {
        snprintf(name, sizeof name, "person %d", i);
        assert_int_equal(access_grant(book, 1, name, PROTOCOL_ROLE_VIEWER, ""), ACCESS_DONE);
    }
    assert_int_equal(access_grant(book, 1, "one more", PROTOCOL_ROLE_VIEWER, ""), ACCESS_FULL);
    assert_int_equal(access_grant(book, 1, "person 3", PROTOCOL_ROLE_OWNER, ""), ACCESS_DONE);
    assert_int_equal(access_grant(book, 2, "one more", PROTOCOL_ROLE_VIEWER, ""), ACCESS_DONE);
    const struct access_invite like = {
        .world = 1, .role = PROTOCOL_ROLE_VIEWER, .uses = 1, .expires_s = NOW + 1, .name = "Ada"};
    for (int i = 0; i < ACCESS_WORLD_INVITES; i++) {
        assert_int_equal(access_invite_create(book, &like, &id, secret), ACCESS_DONE);
    }
    assert_int_equal(access_invite_create(book, &like, &id, secret), ACCESS_FULL);
    // Worlds that were made and deleted: the latest are kept.
    for (uint32_t world = 5; world <= 40; world++) {
        assert_int_equal(access_made(book, world, "Zoe"), ACCESS_DONE);
        // Before and behind the row of who made it.
        assert_int_equal(access_grant(book, world, "Bob", PROTOCOL_ROLE_VIEWER, ""), ACCESS_DONE);
        assert_int_equal(access_grant(book, world, "zed", PROTOCOL_ROLE_VIEWER, ""), ACCESS_DONE);
    }
    access_forget_gone(book, "Zoe", 20, above_ten, NULL);
    for (uint32_t world = 5; world <= 40; world++) {
        const bool kept = world <= 10 || world > 20;
        assert_int_equal(access_role(book, world, "Zoe"), kept ? PROTOCOL_ROLE_OWNER : PROTOCOL_ROLE_ANYONE);
        assert_int_equal(access_role(book, world, "Bob"), kept ? PROTOCOL_ROLE_VIEWER : PROTOCOL_ROLE_ANYONE);
    }
    // Tokens: guests leave room for those that admins make.
    while (access_takes_guests(book)) {
        assert_int_equal(access_token_create(book, "guest", PROTOCOL_ROLE_VIEWER, NOW, 0, &id, secret),
                         ACCESS_DONE);
        made++;
    }
    assert_true(made > 10000);
    assert_int_equal(access_token_create(book, "Ada", PROTOCOL_ROLE_ADMIN, NOW, 0, &id, secret), ACCESS_DONE);
}

static void control_is_the_editors_unless_it_is_said(void **state)
{
    (void)state;
    assert_int_equal(access_control(book, 5), PROTOCOL_ROLE_EDITOR);
    assert_int_equal(access_control_set(book, 5, PROTOCOL_ROLE_OWNER), ACCESS_DONE);
    assert_int_equal(access_control(book, 5), PROTOCOL_ROLE_OWNER);
    assert_int_equal(access_control(book, 4), PROTOCOL_ROLE_EDITOR);
    assert_int_equal(access_control_set(book, 5, PROTOCOL_ROLE_EDITOR), ACCESS_DONE);
    assert_int_equal(access_control(book, 5), PROTOCOL_ROLE_EDITOR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_token_is_known_until_it_expires_or_is_revoked, start, stop),
        cmocka_unit_test_setup_teardown(a_wrong_clock_removes_nothing, start, stop),
        cmocka_unit_test_setup_teardown(every_letter_counts, start, stop),
        cmocka_unit_test(hashes_differ_in_any_byte),
        cmocka_unit_test_setup_teardown(roles_are_by_world_and_name, start, stop),
        cmocka_unit_test_setup_teardown(many_roles_are_found, start, stop),
        cmocka_unit_test_setup_teardown(invitations_are_used_up, start, stop),
        cmocka_unit_test_setup_teardown(names_that_look_alike_are_found, start, stop),
        cmocka_unit_test_setup_teardown(own_invitations_end_by_world_and_role, start, stop),
        cmocka_unit_test_setup_teardown(who_gave_a_role_is_known, start, stop),
        cmocka_unit_test_setup_teardown(there_is_room_for_so_many, start, stop),
        cmocka_unit_test_setup_teardown(nobody_fills_the_book, start, stop),
        cmocka_unit_test_setup_teardown(control_is_the_editors_unless_it_is_said, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
