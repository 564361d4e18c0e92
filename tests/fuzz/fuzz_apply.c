// Any sequence of requests against a world. Bytes are read as records:
//
//     op u8 · session u8 · size u16 (little-endian) · size bytes: the MessagePack of the params map
//
//     op < FUZZ_METHODS: that method of methods.h; the bits of session choose asker and encodings
//     op >= FUZZ_METHODS_MAX: a turn, a session that goes, shutdown, taking nothing for a while
//
// The host answers methods of the class "server", so they do nothing here, except session.leave: the world is
// told that the session is gone.
//
// What must hold besides not crashing and not leaking: every request gets exactly one reply or fault; a
// refused edit or a query leaves the hash; document and sim agree on what there is.
#include "fuzz.h"
#include "methods.h"

#include "base/log.h"
#include "protocol/scan.h"
#include "world/people/part.h"
#include "world/state.h"
#include "world/time/part.h"
#include "world/turn/part.h"

#include <string.h>

enum { FUZZ_RECORDS_MAX = 64, FUZZ_TURNS_MAX = 64 };
enum { FUZZ_WORK_MAX = 8 }; // substeps and iterations, so that a tick stays short

struct fuzz {
    struct world *world;
    uint64_t now_ns;
    uint32_t msgid, stream;
    uint32_t posted, answered;
    bool marked; // the loop sent more than requests since the last turn
    bool deleted;
};

static struct world_packet *packet_of(const uint8_t *data, size_t size, bool answer, uint32_t msgid)
{
    struct world_packet *packet = calloc(1, sizeof *packet);
    FUZZ_ASSERT(packet);
    packet->bytes = malloc(size > 0 ? size : 1);
    FUZZ_ASSERT(packet->bytes);
    memcpy(packet->bytes, data, size);
    packet->size = size;
    bool ready = msgpack_zone_init(&packet->zone, 4096);
    FUZZ_ASSERT(ready);
    packet->message.kind = answer ? PROTOCOL_REQUEST : PROTOCOL_NOTIFICATION;
    packet->message.msgid = msgid;

    // The scanner says what may be unpacked, as it does for bytes from a socket.
    struct protocol_scan scan;
    struct protocol_scan_limits limits = {.bytes = 65536, .depth = 16, .nodes = 65536};
    size_t consumed = 0;
    protocol_scan_init(&scan, &limits);
    msgpack_object *list = msgpack_zone_malloc(&packet->zone, 2 * sizeof *list);
    FUZZ_ASSERT(list);
    *list = (msgpack_object){.type = MSGPACK_OBJECT_ARRAY};
    if (size > 0) {
        size_t offset = 0;
        if (protocol_scan_feed(&scan, packet->bytes, size, &consumed) != PROTOCOL_SCAN_DONE ||
            msgpack_unpack((const char *)packet->bytes, consumed, &offset, &packet->zone, list + 1) < 0) {
            world_packet_destroy(packet);
            return NULL;
        }
        list->via.array.ptr = list + 1;
        list->via.array.size = 1;
    }
    packet->message.params = list;
    return packet;
}

static void take_all(struct fuzz *fuzz)
{
    struct world_event *event;
    while ((event = world_take(fuzz->world)) != NULL) {
        FUZZ_ASSERT(!fuzz->deleted);
        fuzz->answered += event->kind == WORLD_REPLY || event->kind == WORLD_FAULT ? 1 : 0;
        fuzz->deleted = event->kind == WORLD_DELETED;
        FUZZ_ASSERT(!fuzz->deleted || fuzz->answered == fuzz->posted);
        world_event_destroy(event);
    }
}

static void check_document(const struct world *world)
{
    FUZZ_ASSERT(world->document->bodies.count == sim_body_count(world->document->sim));
    for (uint32_t i = 0; i < world->document->bodies.count; i++) {
        struct sim_body_info info;
        FUZZ_ASSERT(world->document->bodies.items[i].id == sim_body_id_at(world->document->sim, i));
        bool found = sim_body_info(world->document->sim, world->document->bodies.items[i].id, &info);
        FUZZ_ASSERT(found && info.particle_count == world->document->bodies.items[i].particle_count);
    }
    FUZZ_ASSERT(world->document->colliders.count == sim_collider_count(world->document->sim));
    FUZZ_ASSERT(world->people->holder_count == sim_grab_count(world->document->sim));
}

// Whether there is more to do at once.
static bool turn(struct fuzz *fuzz)
{
    uint64_t deadline_ns;
    fuzz->now_ns += 20000000;
    do {
        deadline_ns = world_turn(fuzz->world, fuzz->now_ns);
    } while (fuzz->world->time->ticking);
    fuzz->marked = false;
    check_document(fuzz->world);
    return deadline_ns == 0;
}

// Work that a client may ask for but a fuzzer has no time for.
static void bound_work(enum protocol_method method, void *params_of)
{
    if (method == PROTOCOL_METHOD_WORLD_SET) {
        struct protocol_world_set_params *params = params_of;
        params->substeps = params->substeps > FUZZ_WORK_MAX ? FUZZ_WORK_MAX : params->substeps;
        params->iterations = params->iterations > FUZZ_WORK_MAX ? FUZZ_WORK_MAX : params->iterations;
    } else if (method == PROTOCOL_METHOD_EDIT_RESTORE) {
        struct protocol_restore_settings *settings =
            &((struct protocol_edit_restore_params *)params_of)->settings;
        settings->substeps = settings->substeps > FUZZ_WORK_MAX ? FUZZ_WORK_MAX : settings->substeps;
        settings->iterations = settings->iterations > FUZZ_WORK_MAX ? FUZZ_WORK_MAX : settings->iterations;
    } else if (method == PROTOCOL_METHOD_EDIT_BATCH) {
        const struct protocol_list *edits = &((struct protocol_edit_batch_params *)params_of)->edits;
        const struct protocol_call *calls = edits->items;
        for (uint32_t i = 0; i < edits->count; i++) {
            bound_work((enum protocol_method)calls[i].method, calls[i].value);
        }
    }
}

// Eight sessions: two of Ann's, two of Bob's, and four of people without a name.
static uint32_t session_of(uint8_t choice)
{
    return 1 + (choice & 3u) + (choice >> 7) * 4u;
}

static void leave(struct fuzz *fuzz, uint8_t choice)
{
    world_post_gone(fuzz->world, session_of(choice));
    fuzz->marked = true;
}

static void post(struct fuzz *fuzz, enum protocol_method method, uint8_t choice, const uint8_t *data,
                 size_t size)
{
    static const char *const users[] = {"", "ann", "", "bob"};
    struct world_asker asker = {
        .session = session_of(choice),
        .arrays = (enum protocol_arrays_mode)((choice >> 2 & 3) % 3),
        .errors = (enum protocol_errors_mode)(choice >> 4 & 1),
    };
    snprintf(asker.user, sizeof asker.user, "%s", users[choice & 3]);
    struct document_constants constants = world_constants_of(fuzz->world);
    struct protocol_error error = {0};
    struct world_packet *packet = packet_of(data, size, !(choice >> 5 & 1), ++fuzz->msgid);
    if (!packet) {
        return;
    }
    struct world_request *request = world_request_create(packet, method, &asker, &constants, &error);
    if (!request) {
        FUZZ_ASSERT(error.code != PROTOCOL_CODE_OK && error.text[0] != '\0');
        return;
    }
    if (method == PROTOCOL_METHOD_STREAM_SUBSCRIBE) {
        request->claim = (struct world_claim){.held = true, .id = ++fuzz->stream};
    }
    bound_work(request->method, request->params);
    uint64_t hash = sim_hash(fuzz->world->document->sim), revision = fuzz->world->document->revision,
             tick = fuzz->world->document->tick;
    bool input = protocol_methods[method].class_ == PROTOCOL_CLASS_INPUT;
    if (!world_post(fuzz->world, request, &error)) {
        world_request_destroy(request);
        return;
    }
    fuzz->posted++;
    if (choice >> 6 & 1) {
        return; // applied together with the next one
    }
    bool alone = fuzz->posted == fuzz->answered + 1 && !fuzz->marked;
    turn(fuzz);
    if (alone && !input && fuzz->world->document->revision == revision &&
        fuzz->world->document->tick == tick) {
        FUZZ_ASSERT(sim_hash(fuzz->world->document->sim) == hash);
    }
}

static void other(struct fuzz *fuzz, uint8_t op, uint8_t choice)
{
    switch (op % 8) {
    case 0:
        leave(fuzz, choice);
        break;
    case 1:
        if (choice == 0xff) {
            world_post_shutdown(fuzz->world);
            fuzz->marked = true;
        }
        break;
    case 2:
        take_all(fuzz);
        break;
    default:
        for (uint32_t i = 0; i < (choice & 3) + 1u; i++) {
            turn(fuzz);
        }
        break;
    }
}

static void ask(struct fuzz *fuzz, enum protocol_method method, uint8_t choice, const uint8_t *data,
                size_t size)
{
    if (method == PROTOCOL_METHOD_SESSION_LEAVE) {
        leave(fuzz, choice);
    } else if (protocol_methods[method].class_ != PROTOCOL_CLASS_SERVER) {
        post(fuzz, method, choice, data, size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct protocol_world_create_params settings;
    base_log_set(BASE_LOG_ERROR, false); // worlds that fail are no news here
    protocol_defaults(&protocol_world_create_params_type, &settings);
    settings.substeps = 2;
    settings.extent = 100;
    struct world_options options = {.id = 1, .name = "flag", .settings = &settings};
    struct fuzz fuzz = {.world = world_create(&options), .now_ns = 1000000000};
    FUZZ_ASSERT(fuzz.world);
    // However long the machine does something else in between, a turn takes what was posted.
    fuzz.world->turns->drain_ns = fuzz.world->turns->share_ns = UINT64_C(60000000000);
    for (uint32_t record = 0; record < FUZZ_RECORDS_MAX && size >= 4 && !fuzz.deleted; record++) {
        uint8_t op = data[0], choice = data[1];
        size_t length = (size_t)data[2] | (size_t)data[3] << 8;
        data += 4;
        size -= 4;
        length = length < size ? length : size;
        if (op >= FUZZ_METHODS_MAX) {
            other(&fuzz, op, choice);
        } else if (op < FUZZ_METHODS) {
            ask(&fuzz, fuzz_methods[op], choice, data, length);
        }
        if (record % 8 != 7) {
            take_all(&fuzz);
        }
        data += length;
        size -= length;
    }
    // Work that waited for a step has a bounded time after it, so on a busy machine it may need more turns. Then a step
    // that still runs is the only reason for a request to have no answer.
    for (uint32_t i = 0; turn(&fuzz) && !fuzz.world->time->step.request && i < FUZZ_TURNS_MAX; i++) {
    }
    take_all(&fuzz);
    FUZZ_ASSERT(fuzz.answered == fuzz.posted || fuzz.world->time->step.request);
    world_destroy(fuzz.world);
    return 0;
}
