#include "helper_replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void replay_step(struct helper *helper, struct replay *replay)
{
    const struct document *document = helper->world->document;
    replay->hashes[document->tick] = document_hash(document);
    if (helper->world->time->state != WORLD_FAILED && document->tick + 1 < REPLAY_TICKS_MAX) {
        helper_post(helper, HELPER_EVE, "world.step", "{'world': 1, 'ticks': 1}");
        helper_turns(helper, 2);
    }
}

static void tick_on(const struct replay *replay, struct document *document, uint64_t tick,
                    struct base_parallel *parallel)
{
    while (document->tick < tick) {
        const uint64_t hash = replay->hashes[document->tick];
        assert_true(hash == 0 || document_hash(document) == hash);
        document_step(document, parallel, NULL);
    }
}

void replay_check(const struct replay *replay, const struct helper *helper, struct document *document,
                  uint64_t after, struct base_parallel *parallel)
{
    const struct world_records *records = &helper->world->keep->records;
    assert_int_equal(records->first, 0);
    for (uint64_t i = after; i < records->next; i++) {
        const struct world_record *bytes = &records->items[i % records->capacity];
        struct document_record record;
        struct protocol_error error = {0};
        msgpack_zone zone;
        msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
        if (!document_record_read(bytes->bytes, bytes->size, &zone, &record, &error)) {
            fail_msg("record %llu: %s", (unsigned long long)i + 1, error.text);
        }
        assert_int_equal(record.sequence, i + 1);
        tick_on(replay, document, record.tick, parallel);
        if (!document_replay(document, &record, &zone, &error)) {
            fail_msg("record %llu (%s): %s", (unsigned long long)i + 1, protocol_methods[record.method].name,
                     error.text);
        }
        if (protocol_methods[record.method].class_ == PROTOCOL_CLASS_EDIT) {
            assert_int_equal(document->revision, record.revision);
        }
        msgpack_zone_destroy(&zone);
    }
    tick_on(replay, document, helper->world->document->tick, parallel);
    assert_true(document_hash(document) == replay->last);
}
