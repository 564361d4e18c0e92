// Reads everything that is kept. The store's checksums show that it is what was written. This shows that it
// has a meaning, and that a server could open the world with it.
#include "past/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct verifier {
    struct past *past;
    const struct past_progress *progress;
    void (*on_damage)(void *context, uint64_t position, uint64_t tick, const char *text);
    void *context;
    msgpack_zone zone;
    uint64_t last, last_tick;
    uint64_t sequence; // sequence of the record before; 0: unknown
    uint64_t tick;
    bool damaged;
};

static void tell(struct verifier *verifier, uint64_t position, uint64_t tick, const char *text)
{
    verifier->damaged = true;
    verifier->on_damage(verifier->context, position, tick, text);
}

static bool go_on(const struct verifier *verifier, uint64_t position, struct protocol_error *error)
{
    const struct past_progress *progress = verifier->progress;
    if (!progress || !progress->go_on || progress->go_on(progress->context, position, verifier->last)) {
        return true;
    }
    protocol_error_set(error, PROTOCOL_CODE_SHUTDOWN, NULL, "given up at position %" PRIu64, position);
    return false;
}

static void look_at(struct verifier *verifier, const struct store_entry *entry)
{
    struct protocol_error why = {0};
    struct document_record record;
    struct past_mark mark;
    struct past_step step;
    const char *wrong = NULL;
    msgpack_zone_clear(&verifier->zone);
    if (entry->kind == PAST_RECORD &&
        document_record_read(entry->bytes, entry->size, &verifier->zone, &record, &why)) {
        wrong = record.tick != entry->tick ? "a record of another tick"
                : verifier->sequence > 0 && record.sequence != verifier->sequence + 1
                    ? "a record is missing before it"
                    : NULL;
        verifier->sequence = record.sequence;
    } else if (entry->kind == PAST_RECORD) {
        wrong = why.text;
    } else if (entry->kind == PAST_STEP) {
        wrong = past_step_read(entry->bytes, entry->size, &verifier->zone, &step, &why) ? NULL : why.text;
    } else if (entry->kind != PAST_MARK) {
        wrong = "an entry of a kind that is not known";
    } else if (!past_mark_read(entry->bytes, entry->size, &mark, &why)) {
        wrong = why.text;
    }
    wrong = !wrong && entry->tick < verifier->tick ? "it goes back in time" : wrong;
    verifier->tick = entry->tick;
    if (wrong) {
        tell(verifier, entry->position, entry->tick, wrong);
    }
}

static bool look_at_entries(struct verifier *verifier, uint64_t position, struct protocol_error *error)
{
    const struct past *past = verifier->past;
    while (position < verifier->last) {
        struct store_error store = {0};
        const struct store_entry *entries;
        uint32_t count = 0;
        const enum fault_code status =
            store_read(past->reader, past->list, position, 1024, 1 << 20, &entries, &count, &store);
        struct store_list list;
        if (status == FAULT_NOT_FOUND &&
            store_list_find(past->reader, past->list, &list, &store) == FAULT_NONE && list.first > position) {
            position = list.first; // older entries were deleted meanwhile
            verifier->sequence = 0;
            continue;
        }
        if (status == FAULT_DAMAGED || (status == FAULT_NONE && count == 0)) {
            tell(verifier, position + 1, verifier->tick,
                 status == FAULT_NONE ? "an entry is missing" : store.fault.text);
            return true; // entries after it cannot be told apart from it
        }
        if (status != FAULT_NONE) {
            return past_refuse_store(past, &store, error);
        }
        for (uint32_t e = 0; e < count; e++) {
            look_at(verifier, &entries[e]);
        }
        position = entries[count - 1].position;
        if (!go_on(verifier, position, error)) {
            return false;
        }
    }
    return true;
}

static bool look_at_images(struct verifier *verifier, struct protocol_error *error)
{
    struct past *past = verifier->past;
    struct store_error store = {0};
    struct store_image *images = NULL;
    uint32_t count = 0;
    bool done = true;
    if (store_images(past->reader, past->list, &images, &count, &store) != FAULT_NONE) {
        return past_refuse_store(past, &store, error);
    }
    for (uint32_t i = 0; done && i < count; i++) {
        bool damaged = false;
        struct document *document = past_image_take(past, &images[i], &damaged, error);
        if (!document && damaged) {
            char text[PROTOCOL_TEXT_MAX + 32];
            snprintf(text, sizeof text, "the image there: %s", error->text);
            tell(verifier, images[i].position, images[i].tick, text);
        }
        done = (document || damaged) && go_on(verifier, images[i].position, error);
        document_destroy(document);
    }
    free(images);
    return done;
}

static bool goes_on(void *context, uint64_t tick, uint64_t until)
{
    const struct verifier *verifier = context;
    struct protocol_error unused;
    (void)tick;
    (void)until;
    return go_on(verifier, verifier->last, &unused);
}

// Replays what follows the newest image. Checksums cannot find a hash that was wrong when it was written.
// Stepping the ticks that a server would have to step can.
static bool look_at_end(struct verifier *verifier, char remark[PAST_REMARK_SIZE],
                        struct protocol_error *error)
{
    const struct past_progress progress = {.go_on = goes_on, .context = verifier};
    struct past_end end;
    const bool ended = past_end_while(verifier->past, &progress, &end, error);
    if (!ended && error->code != PROTOCOL_CODE_MEMORY && error->code != PROTOCOL_CODE_SHUTDOWN) {
        char text[PROTOCOL_TEXT_MAX + 32];
        snprintf(text, sizeof text, "it does not open: %s", error->text);
        tell(verifier, verifier->last, verifier->last_tick, text);
        return true;
    }
    snprintf(remark, PAST_REMARK_SIZE, "%s", ended ? end.warning : "");
    document_destroy(ended ? end.document : NULL);
    return ended;
}

bool past_verify(struct past *past, const struct past_progress *progress,
                 void (*on_damage)(void *context, uint64_t position, uint64_t tick, const char *text),
                 void *context, char remark[PAST_REMARK_SIZE], struct protocol_error *error)
{
    struct verifier verifier = {
        .past = past, .progress = progress, .on_damage = on_damage, .context = context};
    struct store_error store = {0};
    struct store_list list;
    remark[0] = '\0';
    if (store_list_find(past->reader, past->list, &list, &store) != FAULT_NONE) {
        return past_refuse_store(past, &store, error);
    }
    if (!msgpack_zone_init(&verifier.zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        return past_refuse_memory(error);
    }
    verifier.last = list.last;
    verifier.last_tick = list.last_tick;
    const bool done = look_at_entries(&verifier, list.first, error) && look_at_images(&verifier, error);
    msgpack_zone_destroy(&verifier.zone);
    return done && (verifier.damaged || look_at_end(&verifier, remark, error));
}
