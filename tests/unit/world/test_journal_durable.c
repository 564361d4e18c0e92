// Answers of a world whose store has not made all durable.
#include "helper_journal.h"
#include "helper_world.h"
#include "store/backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct store_backend *real;

// A store of which no more than this becomes durable.
static uint64_t durable_most;
static bool takes_nothing;

static void pending_stopped(struct store *store, uint32_t list, struct store_pending *out)
{
    real->pending(store, list, out);
    out->durable = out->durable > durable_most ? durable_most : out->durable;
    out->full = out->away = takes_nothing;
}

static const char *const queries[][2] = {
    {"world.get", "{'world': 1}"},
    {"world.hash", "{'world': 1}"},
    {"world.save", "{'world': 1}"},
    {"world.records", "{'world': 1, 'after': 0}"},
    {"world.measure", "{'world': 1}"},
    {"body.get", "{'world': 1, 'body': 1}"},
    {"body.state", "{'world': 1, 'body': 1}"},
    {"constraint.list", "{'world': 1, 'body': 1}"},
    {"motion.list", "{'world': 1}"},
    {"force.list", "{'world': 1}"},
    {"world.join", "{'world': 1}"},
    {"stream.subscribe", "{'world': 1}"},
    {"world.leave", "{'world': 1}"},
};

static bool has_key(const msgpack_object *map, const char *key)
{
    bool has = false;
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        const msgpack_object_str *at = &map->via.map.ptr[i].key.via.str;
        has = has || (at->size == strlen(key) && memcmp(at->ptr, key, at->size) == 0);
    }
    return has;
}

// durable 0: all of it is, and no answer speaks of that; else the revision that is.
static void ask_all(struct helper *helper, uint64_t durable)
{
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        helper_forget(helper);
        const msgpack_object *answer = helper_call(helper, HELPER_ANN, queries[i][0], queries[i][1]);
        const struct world_event *reply = helper_event(helper, WORLD_REPLY, 0);
        const bool says = has_key(answer, "durable");
        assert_true(reply->unbound);
        assert_true(says == (durable > 0));
        assert_true((reply->label_size > 0) == (durable > 0));
        if (durable > 0) {
            assert_int_equal(helper_at(answer, "durable")->type, MSGPACK_OBJECT_BOOLEAN);
            assert_false(helper_at(answer, "durable")->via.boolean);
            assert_true(helper_number(answer, "durable_revision") == (double)durable);
        }
    }
}

static void assert_refused(struct helper *helper, const char *code, uint64_t revision, bool passes)
{
    bool error = false;
    helper_forget(helper);
    const uint32_t msgid = helper_post(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 9}");
    helper_turn(helper);
    const msgpack_object *answer = helper_answer(helper, msgid, &error);
    assert_true(error);
    helper_assert_text(answer, "code", code);
    assert_true(helper_number(answer, "revision") == (double)revision);
    assert_true(helper_event(helper, WORLD_REPLY, 0)->unbound == passes);
}

static void what_is_not_durable_is_told_as_such(void **state)
{
    (void)state;
    struct store *store = store_in_memory();
    struct store_backend lasting = *store->backend;
    real = store->backend;
    lasting.lasts = true;
    lasting.pending = pending_stopped;
    store->backend = &lasting;
    durable_most = UINT64_MAX;
    takes_nothing = false;
    begin_list(store);
    struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
    helper->errors = PROTOCOL_ERRORS_MAP;
    helper_cloth(helper, HELPER_ANN, 4, 1, "cloth");
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'damping': 1}"); // revision 2
    ask_all(helper, 0);
    const uint64_t position = durable_most = helper->world->keep->journal.position;
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'damping': 2}"); // 3
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'damping': 3}"); // 4
    ask_all(helper, 2);
    assert_durable(helper, position, 2, 2);
    assert_durable(helper, UINT64_MAX, 4, 4);
    assert_refused(helper, "NOT_FOUND", 4, false); // it waits until that is durable
    takes_nothing = true;
    helper_turns(helper, 2);
    ask_all(helper, 2);
    assert_refused(helper, "READ_ONLY", 2, true);
    durable_most = position + 2; // an edit and its step
    helper_turns(helper, 2);
    ask_all(helper, 3);
    assert_durable(helper, durable_most, 3, 3);
    durable_most = UINT64_MAX;
    takes_nothing = false;
    helper_turns(helper, 2);
    ask_all(helper, 0);
    assert_durable(helper, UINT64_MAX, 4, 4);
    // A mark that says nothing new leaves what is there as durable as it is.
    durable_most = helper->world->keep->journal.position;
    takes_nothing = true;
    helper_turns(helper, 2);
    assert_true(helper->world->keep->journal.position > durable_most);
    ask_all(helper, 0);
    helper_destroy(helper);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_durable_is_told_as_such),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
