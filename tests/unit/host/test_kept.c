// Which requests came, which answers are kept, and that nothing that came is ever taken for lost.
#include "host/kept.h"
#include "protocol/generated/api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(const struct host_kept *kept, uint32_t msgid, enum host_kept_state state)
{
    const struct host_kept_request *request;
    assert_int_equal(host_kept_look(kept, msgid, &request), state);
    assert_int_equal(request != NULL, state == HOST_KEPT_ANSWERED);
}

static void answer(struct host_kept *kept, uint32_t msgid, size_t size)
{
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    memset(bytes, (int)(msgid & 0xff), size);
    host_kept_answered(kept, msgid, bytes, size);
    free(bytes);
}

static void a_request_is_lost_waits_or_is_answered(void **state)
{
    (void)state;
    struct host_kept kept;
    host_kept_init(&kept, 6);
    assert_true(host_kept_asked(&kept, 7, false));
    expect(&kept, 7, HOST_KEPT_WAITS);
    expect(&kept, 8, HOST_KEPT_LOST);
    expect(&kept, 6, HOST_KEPT_FORGOTTEN);
    answer(&kept, 7, 20);
    const struct host_kept_request *request;
    assert_int_equal(host_kept_look(&kept, 7, &request), HOST_KEPT_ANSWERED);
    assert_int_equal(request->size, 20);
    assert_int_equal(request->bytes[19], 7);
    answer(&kept, 9, 20); // nobody asked
    expect(&kept, 9, HOST_KEPT_LOST);
    host_kept_deinit(&kept);
}

static void ids_go_round(void **state)
{
    (void)state;
    struct host_kept kept;
    host_kept_init(&kept, UINT32_MAX - 1);
    assert_true(host_kept_asked(&kept, UINT32_MAX, false));
    assert_true(host_kept_asked(&kept, 0, false));
    assert_true(host_kept_asked(&kept, 1, false));
    expect(&kept, 2, HOST_KEPT_LOST);
    expect(&kept, 0, HOST_KEPT_WAITS);
    expect(&kept, UINT32_MAX - 1, HOST_KEPT_FORGOTTEN);
    host_kept_deinit(&kept);
}

static void an_answer_that_is_too_long_is_asked_for_again_or_not(void **state)
{
    (void)state;
    struct host_kept kept;
    host_kept_init(&kept, 0);
    assert_true(host_kept_asked(&kept, 1, true));
    assert_true(host_kept_asked(&kept, 2, false));
    answer(&kept, 1, PROTOCOL_LIMIT_KEPT_ANSWER_BYTES + 1);
    answer(&kept, 2, PROTOCOL_LIMIT_KEPT_ANSWER_BYTES + 1);
    expect(&kept, 1, HOST_KEPT_AGAIN);
    expect(&kept, 2, HOST_KEPT_FORGOTTEN);
    assert_int_equal(kept.bytes, 0);
    // One that was sent again under its id is another one.
    assert_true(host_kept_asked(&kept, 1, true));
    expect(&kept, 1, HOST_KEPT_WAITS);
    answer(&kept, 1, 10);
    expect(&kept, 1, HOST_KEPT_ANSWERED);
    host_kept_deinit(&kept);
}

static void what_waits_stays_and_the_oldest_answers_go(void **state)
{
    (void)state;
    const uint32_t most = PROTOCOL_LIMIT_KEPT_ANSWERS;
    struct host_kept kept;
    host_kept_init(&kept, 0);
    assert_true(host_kept_asked(&kept, 1, false)); // never answered
    for (uint32_t msgid = 2; msgid <= 3 * most; msgid++) {
        assert_true(host_kept_asked(&kept, msgid, false));
        answer(&kept, msgid, 30);
        assert_true(kept.count <= most);
        expect(&kept, msgid, HOST_KEPT_ANSWERED);
        expect(&kept, msgid + 1, HOST_KEPT_LOST);
    }
    expect(&kept, 1, HOST_KEPT_WAITS);
    expect(&kept, 2, HOST_KEPT_FORGOTTEN);
    expect(&kept, 3 * most - most / 2, HOST_KEPT_ANSWERED);
    host_kept_deinit(&kept);
}

static void bytes_are_bounded(void **state)
{
    (void)state;
    struct host_kept kept;
    host_kept_init(&kept, 0);
    for (uint32_t msgid = 1; msgid <= 200; msgid++) {
        assert_true(host_kept_asked(&kept, msgid, false));
        answer(&kept, msgid, msgid % 10 == 0 ? PROTOCOL_LIMIT_KEPT_ANSWER_BYTES : 1000);
        assert_true(kept.bytes <= PROTOCOL_LIMIT_KEPT_ANSWER_BYTES);
        expect(&kept, msgid, HOST_KEPT_ANSWERED);
    }
    host_kept_deinit(&kept);
    assert_int_equal(kept.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_lost_waits_or_is_answered),
        cmocka_unit_test(ids_go_round),
        cmocka_unit_test(an_answer_that_is_too_long_is_asked_for_again_or_not),
        cmocka_unit_test(what_waits_stays_and_the_oldest_answers_go),
        cmocka_unit_test(bytes_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
