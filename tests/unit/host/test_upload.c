// Documents that come in pieces: in order, bounded, charged, and forgotten where nobody goes on.
#include "base/buffer.h"
#include "host/upload.h"
#include "net/net.h"
#include "protocol/error.h"
#include "protocol/generated/api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct protocol_error error;

static struct host_upload_place place_of(size_t budget, uint64_t idle_ms)
{
    return (struct host_upload_place){
        .loop = net_loop_create(), .budget = base_budget_create(budget), .idle_ms = idle_ms};
}

static void place_deinit(struct host_upload_place *place)
{
    assert_int_equal(base_budget_used(place->budget), 0);
    base_budget_release(place->budget);
    net_loop_stop(place->loop);
    net_loop_run(place->loop);
    net_loop_destroy(place->loop);
}

static void pieces_follow_each_other(void **state)
{
    (void)state;
    struct host_upload_place place = place_of(1000, 60000);
    struct host_upload *upload = host_upload_create();
    struct host_upload_bytes bytes;
    assert_false(host_upload_take(upload, &bytes));
    assert_false(host_upload_add(upload, &place, 1, "x", 1, &error));
    assert_int_equal(error.code, PROTOCOL_CODE_CONFLICT);
    assert_true(host_upload_add(upload, &place, 0, "abc", 3, &error));
    assert_true(host_upload_add(upload, &place, 3, "de", 2, &error));
    assert_int_equal(host_upload_size(upload), 5);
    assert_false(host_upload_add(upload, &place, 3, "de", 2, &error)); // again
    assert_true(host_upload_add(upload, &place, 5, "", 0, &error));
    assert_true(host_upload_take(upload, &bytes));
    assert_int_equal(bytes.size, 5);
    assert_memory_equal(bytes.data, "abcde", 5);
    assert_false(host_upload_take(upload, &(struct host_upload_bytes){0}));
    assert_true(base_budget_used(place.budget) > 0);
    host_upload_bytes_deinit(&bytes);
    assert_true(host_upload_add(upload, &place, 0, "abc", 3, &error));
    assert_true(host_upload_add(upload, &place, 0, "Z", 1, &error)); // starts a new upload
    assert_int_equal(host_upload_size(upload), 1);
    host_upload_destroy(upload);
    place_deinit(&place);
}

static void what_they_take_is_charged_and_bounded(void **state)
{
    (void)state;
    static const char piece[600];
    struct host_upload_place place = place_of(1000, 60000);
    struct host_upload *upload = host_upload_create(), *other = host_upload_create();
    assert_true(host_upload_add(upload, &place, 0, piece, 600, &error));
    assert_int_equal(base_budget_used(place.budget), 600);
    assert_false(host_upload_add(other, &place, 0, piece, 600, &error));
    assert_int_equal(error.code, PROTOCOL_CODE_BUSY);
    assert_false(host_upload_add(upload, &place, 600, piece, 600, &error));
    assert_int_equal(host_upload_size(upload), 600); // nothing changed
    assert_false(host_upload_add(upload, &place, 600, piece, PROTOCOL_LIMIT_DOCUMENT_BYTES, &error));
    assert_int_equal(error.code, PROTOCOL_CODE_LIMIT);
    host_upload_destroy(upload);
    assert_true(host_upload_add(other, &place, 0, piece, 600, &error));
    host_upload_destroy(other);
    place_deinit(&place);
}

static void stop(void *context)
{
    net_loop_stop(context);
}

static void what_nobody_goes_on_with_is_forgotten(void **state)
{
    (void)state;
    struct host_upload_place place = place_of(1000, 20);
    struct host_upload *upload = host_upload_create();
    assert_true(host_upload_add(upload, &place, 0, "abc", 3, &error));
    struct net_timer *timer = net_timer_start(place.loop, 200, 0, stop, place.loop);
    net_loop_run(place.loop);
    assert_int_equal(host_upload_size(upload), 0);
    assert_int_equal(base_budget_used(place.budget), 0);
    net_timer_stop(timer);
    host_upload_destroy(upload);
    base_budget_release(place.budget);
    net_loop_destroy(place.loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_follow_each_other),
        cmocka_unit_test(what_they_take_is_charged_and_bounded),
        cmocka_unit_test(what_nobody_goes_on_with_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
