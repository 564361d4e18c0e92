// Applies messages: the image becomes a document, records apply at their boundaries, and ticks run up to the next
// input.
#include "twin/internal.h"

#include "document/document.h"

#include <stdio.h>
#include <stdlib.h>

bool twin_begin(struct twin *twin, struct protocol_error *error)
{
    struct protocol_error why = {0};
    struct document *document = document_image_read(twin->image.data, twin->image.size, &why);
    const uint64_t tick = twin->image_tick;
    if (!document) {
        return twin_lose(twin, why.code, error, "the image cannot be read: %s", why.text);
    }
    if (document->tick != tick) {
        const uint64_t other = document->tick;
        document_destroy(document);
        return twin_lose(twin, PROTOCOL_CODE_INVALID, error,
                         "the image is of tick %llu, but was announced as of tick %llu",
                         (unsigned long long)other, (unsigned long long)tick);
    }
    const uint64_t sequence = twin->image_sequence, told = twin->image_hash;
    const bool hashed = twin->image_hashed;
    twin_forget(twin);
    document_destroy(twin->document);
    twin->document = document;
    struct twin_state *state = &twin->state;
    state->begun = true;
    state->lost = state->differs = state->failed = false;
    state->tick = state->told_tick = tick;
    state->sequence = sequence;
    state->images++;
    if (!hashed) {
        return true;
    }
    const uint64_t hash = document_hash(document);
    state->hashes++;
    if (hash == told) {
        state->same_tick = tick;
    } else {
        twin_differs(twin, "the image's hash is %016llx here and %016llx there, at tick %llu",
                     (unsigned long long)hash, (unsigned long long)told, (unsigned long long)tick);
    }
    return true;
}

static void drop_first(struct twin *twin)
{
    struct twin_input *input = &twin->inputs[twin->first];
    twin->waiting_bytes -= sizeof *input + input->size;
    free(input->bytes);
    twin->first = (twin->first + 1) % twin->capacity;
    twin->count--;
}

// False: the twin is lost.
static bool apply(struct twin *twin, const struct twin_input *input)
{
    struct document_record record;
    struct protocol_error why = {0};
    msgpack_zone zone;
    if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        return twin_lose(twin, PROTOCOL_CODE_MEMORY, &why, "no memory to apply a record");
    }
    const bool done = document_record_read(input->bytes, input->size, &zone, &record, &why) &&
                      document_replay(twin->document, &record, &zone, &why);
    msgpack_zone_destroy(&zone);
    if (!done && why.code == PROTOCOL_CODE_MEMORY) {
        return twin_lose(twin, why.code, &why, "no memory to apply a record");
    }
    if (!done) {
        twin_differs(twin, "a record at tick %llu: %s", (unsigned long long)input->tick, why.text);
        return false;
    }
    twin->state.applied++;
    return true;
}

static bool compare(struct twin *twin, const struct twin_input *mark)
{
    struct twin_state *state = &twin->state;
    state->failed = twin->document->failed;
    if (mark->failed != twin->document->failed) {
        twin_differs(twin, "at tick %llu the world %s there and %s here", (unsigned long long)mark->tick,
                     mark->failed ? "had failed" : "had not failed",
                     twin->document->failed ? "did" : "did not");
        return false;
    }
    if (!mark->hashed) {
        return true;
    }
    const uint64_t hash = document_hash(twin->document);
    state->hashes++;
    if (hash != mark->hash) {
        twin_differs(twin, "the state's hash is %016llx here and %016llx there, at tick %llu",
                     (unsigned long long)hash, (unsigned long long)mark->hash,
                     (unsigned long long)mark->tick);
        return false;
    }
    state->same_tick = mark->tick;
    return true;
}

// Applies the inputs at the present boundary. False: nothing can be done after them.
static bool settle(struct twin *twin)
{
    while (twin->count > 0) {
        const struct twin_input *input = &twin->inputs[twin->first];
        if (input->tick > twin->document->tick) {
            return true;
        }
        if (input->is_record ? !apply(twin, input) : !compare(twin, input)) {
            return false;
        }
        drop_first(twin);
    }
    return true;
}

bool twin_step(struct twin *twin, uint64_t until, struct base_parallel *parallel,
               const struct sim_hooks *hooks)
{
    struct document *document = twin->document;
    if (!document || twin->state.lost || !settle(twin)) {
        return false;
    }
    // The first input that waits is at a later boundary, and up to there ticks are certain.
    if (twin->count == 0 || document->tick >= until) {
        return false;
    }
    if (document->failed) {
        twin_differs(twin, "the copy failed at tick %llu, and the server's world did not",
                     (unsigned long long)document->tick);
        return false;
    }
    document_step(document, parallel, hooks);
    twin->state.tick = document->tick;
    settle(twin);
    return true;
}
