#include "relay_scene.h"

#include "base/assert.h"
#include "protocol/frame.h"
#include "protocol/generated/api.h"

#include <inttypes.h>
#include <string.h>

enum { FRAME_ID_AT = 27, RECORDS_ID_AT = 29 };

static uint64_t hash_of(const uint8_t *bytes, size_t size, uint64_t salt)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ salt;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

// Gives the place of the stream's id in a frame, or in records. 0: it is another message.
static size_t id_of(const uint8_t *bytes, size_t size)
{
    static const uint8_t frame[] = "\x93\x02\xac"
                                   "stream.frame",
                         records[] = "\x93\x02\xae"
                                     "stream.records";
    if (size > PROTOCOL_FRAME_HEAD_SIZE && memcmp(bytes, frame, sizeof frame - 1) == 0) {
        return FRAME_ID_AT;
    }
    return size > PROTOCOL_RECORDS_HEAD_SIZE && memcmp(bytes, records, sizeof records - 1) == 0
               ? RECORDS_ID_AT
               : 0;
}

static uint64_t hash_of_frame(const uint8_t *bytes, size_t size, bool shared)
{
    const size_t from = shared ? PROTOCOL_FRAME_HEAD_SIZE : id_of(bytes, size) + 4;
    return hash_of(bytes + from, size - from, shared);
}

static uint64_t *place_of(struct relay_scene *scene, uint64_t hash)
{
    uint64_t at = hash % RELAY_SEEN;
    while (scene->seen[at] != 0 && scene->seen[at] != hash) {
        at = (at + 1) % RELAY_SEEN;
    }
    return &scene->seen[at];
}

static void remember(struct relay_scene *scene, uint64_t hash)
{
    uint64_t *place = place_of(scene, hash);
    BASE_ASSERT(*place == hash || scene->seen_count < RELAY_SEEN / 2);
    scene->seen_count += *place != hash;
    *place = hash;
}

bool relay_wire_saw(struct relay_scene *scene, const uint8_t *bytes, size_t size, bool shared)
{
    return *place_of(scene, hash_of_frame(bytes, size, shared)) != 0;
}

// A stream that sessions share is changed by beginning another, and both have connections of their own.
static bool begins_stream(const uint8_t *bytes, size_t size)
{
    static const char method[] = "stream.subscribe";
    return memmem(bytes, size < 32 ? size : 32, method, sizeof method - 1) != NULL;
}

// The value behind a key, of one byte at least. NULL: there is none.
static const uint8_t *value_of(const uint8_t *bytes, size_t size, const char *key)
{
    const size_t length = strlen(key);
    for (size_t at = 0; at + length + 1 < size; at++) {
        if (bytes[at] == (0xa0 | length) && memcmp(bytes + at + 1, key, length) == 0) {
            return bytes + at + 1 + length;
        }
    }
    return NULL;
}

static void look_at_hello(struct relay_scene *scene, uint32_t from, uint32_t to, const uint8_t *hops)
{
    scene->hops = *hops > scene->hops ? *hops : scene->hops;
    if (*hops > PROTOCOL_LIMIT_PASSED_HOPS) {
        scenario_fail(&scene->verdict,
                      "server %" PRIu32 " passes on to server %" PRIu32 " what came over %u servers", from,
                      to, (unsigned)*hops);
    }
}

// Edits are called e and their number.
static void look_at_edit(struct relay_scene *scene, const uint8_t *name)
{
    const uint32_t size = name[0] & 0x1f;
    uint32_t number = 0;
    for (uint32_t i = 2; i <= size; i++) {
        number = 10 * number + (uint32_t)(name[i] - '0');
    }
    if (name[1] != 'e' || number >= scene->edit_count) {
        return;
    }
    struct relay_edit *edit = &scene->edits[number];
    if (++edit->crossings > edit->attempts * PROTOCOL_LIMIT_PASSED_HOPS) {
        scenario_fail(&scene->verdict,
                      "edit e%" PRIu32 " was asked for %" PRIu32 " times, and passed on %" PRIu32 " times",
                      number, edit->attempts, edit->crossings);
    }
}

bool relay_wire_look(void *context, uint32_t from, uint32_t to, bool asks, const uint8_t *bytes, size_t size)
{
    struct relay_scene *scene = context;
    scene->crossed++;
    if (!asks) {
        if (id_of(bytes, size) != 0) {
            remember(scene, hash_of_frame(bytes, size, false));
        }
        if (id_of(bytes, size) == FRAME_ID_AT) {
            remember(scene, hash_of_frame(bytes, size, true));
        }
        return false;
    }
    const uint8_t *hops = value_of(bytes, size, "hops");
    const uint8_t *name = value_of(bytes, size, "name");
    if (hops) {
        look_at_hello(scene, from, to, hops);
    }
    if (name) {
        look_at_edit(scene, name);
    }
    return scene->breaks && scenario_draw(&scene->random, begins_stream(bytes, size) ? 2 : 32) == 0;
}
