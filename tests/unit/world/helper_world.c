#include "helper_world.h"

#include "base/assert.h"
#include "helper_program.h"
#include "notation.h"
#include "protocol/array/reserve.h"
#include "protocol/frame.h"
#include "sim/state/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One of the kind that joins bodies, by chance; 0: there is none.
static uint32_t any_loose(const struct sim *sim, enum sim_kind kind)
{
    uint32_t count = 0, id = 0;
    for (uint32_t r = 0; r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        for (uint32_t i = 0; range->body == 0 && range->kind == kind && i < range->count; i++) {
            if (range->slots[i] != SIM_GONE && program_below(++count) == 0) {
                id = range->first + i;
            }
        }
    }
    return id;
}

void helper_choose(const struct sim *sim, struct program_input *input)
{
    struct program_ties ties = {.join = any_loose(sim, SIM_JOIN)};
    ties.slide = any_loose(sim, SIM_SLIDE);
    ties.rail = any_loose(sim, SIM_SLIDE_RAIL);
    ties.joint = any_loose(sim, SIM_JOINT);
    program_know(&ties);
    program_choose(input);
}

void helper_pack(msgpack_sbuffer *buffer, const char *notation)
{
    notation_pack(buffer, notation, NULL);
}

// ---------------------------------------------------------------------------------------------------------
// The world

static void on_output(void *context)
{
    ((struct helper *)context)->outputs++;
}

static void on_input(void *context)
{
    ((struct helper *)context)->inputs++;
}

static struct helper *create(struct world_options *options)
{
    struct helper *helper = calloc(1, sizeof *helper);
    options->id = 1;
    options->name = "flag";
    options->on_output = on_output;
    options->on_input = on_input;
    options->context = helper;
    helper->now_ns = UINT64_C(1000000000);
    helper->stream = 100;
    helper->world = world_create(options);
    assert_non_null(helper->world);
    // However long the machine does something else in between, a turn takes what was posted.
    helper->world->turns->drain_ns = helper->world->turns->share_ns = UINT64_C(60000000000);
    return helper;
}

void helper_edge_by_edge(struct protocol_world_create_params *settings)
{
    settings->long_edges = false;
    settings->bending = PROTOCOL_WORLD_CREATE_PARAMS_BENDING_SWEPT;
    settings->sleep = settings->calm = false;
}

struct helper *helper_create(helper_tweak tweak)
{
    return helper_create_kept(tweak, NULL, NULL, NULL);
}

struct helper *helper_create_kept(helper_tweak tweak, struct store *store, struct document *document,
                                  const struct world_kept *kept)
{
    struct protocol_world_create_params settings;
    protocol_defaults(&protocol_world_create_params_type, &settings);
    settings.substeps = 4;
    if (tweak) {
        tweak(&settings);
    }
    return create(&(struct world_options){
        .settings = &settings,
        .store = store,
        .document = document,
        .kept = kept ? *kept : (struct world_kept){0},
    });
}

struct helper *helper_create_view(struct document *document)
{
    struct protocol_world_create_params settings;
    document_settings(document, &settings);
    struct helper *helper = create(&(struct world_options){
        .settings = &settings,
        .document = document,
        .view = {.of = 9, .name = "flag", .session = HELPER_ANN},
    });
    document_destroy(document);
    return helper;
}

void helper_forget(struct helper *helper)
{
    for (uint32_t i = 0; i < helper->event_count; i++) {
        world_event_destroy(helper->events[i]);
    }
    helper->event_count = 0;
}

void helper_forget_unpacked(struct helper *helper)
{
    for (uint32_t i = 0; i < helper->unpacked_count; i++) {
        msgpack_unpacked_destroy(&helper->unpacked[i]);
    }
    free(helper->unpacked);
    helper->unpacked = NULL;
    helper->unpacked_count = helper->unpacked_capacity = 0;
    for (uint32_t i = 0; i < helper->event_count; i++) {
        helper->replies[i] = NULL;
    }
}

void helper_destroy(struct helper *helper)
{
    world_destroy(helper->world);
    helper_forget(helper);
    helper_forget_unpacked(helper);
    free((void *)helper->events);
    free((void *)helper->replies);
    free(helper);
}

static const char *const users[] = {"", "ann", "bob", "eve"};

static struct world_packet *packet_of(struct helper *helper, const char *method, const msgpack_sbuffer *map,
                                      bool answer)
{
    msgpack_sbuffer buffer;
    msgpack_packer packer;
    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
    if (answer) {
        msgpack_pack_array(&packer, 4);
        msgpack_pack_int(&packer, 0);
        msgpack_pack_uint32(&packer, ++helper->msgid);
    } else {
        msgpack_pack_array(&packer, 3);
        msgpack_pack_int(&packer, 2);
    }
    msgpack_pack_str_with_body(&packer, method, strlen(method));
    msgpack_pack_array(&packer, map->size > 0 ? 1 : 0);
    msgpack_sbuffer_write(&buffer, map->data, map->size);

    struct world_packet *packet = calloc(1, sizeof *packet);
    packet->bytes = malloc(buffer.size);
    packet->size = buffer.size;
    memcpy(packet->bytes, buffer.data, buffer.size);
    msgpack_sbuffer_destroy(&buffer);
    assert_true(msgpack_zone_init(&packet->zone, 8192));
    msgpack_object *root = msgpack_zone_malloc(&packet->zone, sizeof *root);
    size_t offset = 0;
    assert_int_equal(msgpack_unpack((const char *)packet->bytes, packet->size, &offset, &packet->zone, root),
                     MSGPACK_UNPACK_SUCCESS);
    struct protocol_error error;
    assert_true(protocol_message_parse(root, &packet->message, &error));
    return packet;
}

static struct world_request *request_of(struct helper *helper, uint32_t session, const char *method,
                                        const msgpack_sbuffer *map, bool answer)
{
    enum protocol_method id;
    struct protocol_string name = {method, (uint32_t)strlen(method)};
    assert_true(protocol_method_find(name, &id));
    struct world_asker asker = {
        .session = session, .visit = helper->visit, .arrays = helper->arrays, .errors = helper->errors};
    snprintf(asker.user, sizeof asker.user, "%s", users[session < 4 ? session : 0]);
    snprintf(asker.client, sizeof asker.client, "test");
    struct document_constants constants = world_constants_of(helper->world);
    struct world_packet *packet = packet_of(helper, method, map, answer);
    helper->refused = (struct protocol_error){0};
    struct world_request *request = world_request_create(packet, id, &asker, &constants, &helper->refused);
    assert_true(request || helper->refused.code != PROTOCOL_CODE_OK);
    return request;
}

struct world_request *helper_request(struct helper *helper, uint32_t session, const char *method,
                                     const char *notation)
{
    msgpack_sbuffer map;
    msgpack_sbuffer_init(&map);
    helper_pack(&map, notation);
    struct world_request *request = request_of(helper, session, method, &map, true);
    msgpack_sbuffer_destroy(&map);
    return request;
}

uint32_t helper_post_packed(struct helper *helper, uint32_t session, const char *method,
                            const msgpack_sbuffer *map, bool answer)
{
    struct world_request *request = request_of(helper, session, method, map, answer);
    if (!request) {
        return 0;
    }
    const enum protocol_method id = request->method;
    if (id == PROTOCOL_METHOD_STREAM_SUBSCRIBE) {
        request->claim = (struct world_claim){.held = true, .id = helper->stream++};
    } else if (id == PROTOCOL_METHOD_WORLD_JOIN || id == PROTOCOL_METHOD_WORLD_SET) {
        request->claim = (struct world_claim){.held = true, .id = HELPER_CLAIM};
    }
    request->account = world_account_ref(helper->account);
    request->bytes = helper->weight > 0 ? helper->weight : request->bytes;
    if (!world_post(helper->world, request, &helper->refused)) {
        world_request_destroy(request);
        return 0;
    }
    return helper->msgid;
}

uint32_t helper_post(struct helper *helper, uint32_t session, const char *method, const char *notation)
{
    msgpack_sbuffer map;
    msgpack_sbuffer_init(&map);
    if (notation) {
        helper_pack(&map, notation);
    }
    uint32_t msgid = helper_post_packed(helper, session, method, &map, true);
    msgpack_sbuffer_destroy(&map);
    return msgid;
}

uint64_t helper_turn_only(struct helper *helper)
{
    uint64_t deadline = world_turn(helper->world, helper->now_ns);
    while (helper->world->time->ticking && !helper->slices) {
        deadline = world_turn(helper->world, helper->now_ns);
    }
    return deadline;
}

void helper_turn(struct helper *helper)
{
    helper->deadline = helper_turn_only(helper);
    struct world_event *event;
    while ((event = world_take(helper->world)) != NULL) {
        assert_true(array_reserve(&helper->events, &helper->event_capacity, helper->event_count + 1));
        assert_true(array_reserve(&helper->replies, &helper->reply_capacity, helper->event_count + 1));
        helper->replies[helper->event_count] = NULL;
        helper->events[helper->event_count++] = event;
    }
}

void helper_turns_until_idle(struct helper *helper)
{
    do {
        helper_turn(helper);
    } while (helper->deadline == 0);
}

void helper_turns(struct helper *helper, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        helper_turn(helper);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Reading

const msgpack_object *helper_unpack(struct helper *helper, const void *data, size_t size)
{
    // Objects point into the unpacked ones, whose zones are on the heap: the array itself may move.
    assert_true(array_reserve(&helper->unpacked, &helper->unpacked_capacity, helper->unpacked_count + 1));
    msgpack_unpacked *unpacked = &helper->unpacked[helper->unpacked_count++];
    msgpack_unpacked_init(unpacked);
    size_t offset = 0;
    assert_int_equal(msgpack_unpack_next(unpacked, data, size, &offset), MSGPACK_UNPACK_SUCCESS);
    assert_int_equal(offset, size);
    msgpack_object *root = msgpack_zone_malloc(unpacked->zone, sizeof *root);
    *root = unpacked->data;
    return root;
}

const msgpack_object *helper_find(const msgpack_object *root, const char *path)
{
    while (*path != '\0' && root) {
        size_t size = strcspn(path, ".");
        if (*path == '#') {
            uint32_t index = (uint32_t)strtoul(path + 1, NULL, 10);
            bool there = root->type == MSGPACK_OBJECT_ARRAY && index < root->via.array.size;
            root = there ? &root->via.array.ptr[index] : NULL;
        } else {
            const msgpack_object *found = NULL;
            for (uint32_t i = 0; root->type == MSGPACK_OBJECT_MAP && i < root->via.map.size; i++) {
                const msgpack_object_kv *pair = &root->via.map.ptr[i];
                if (pair->key.via.str.size == size && memcmp(pair->key.via.str.ptr, path, size) == 0) {
                    assert_null(found);
                    found = &pair->val;
                }
            }
            root = found;
        }
        path += size + (path[size] == '.' ? 1 : 0);
    }
    return root;
}

const msgpack_object *helper_at(const msgpack_object *root, const char *path)
{
    const msgpack_object *found = helper_find(root, path);
    if (!found) {
        fail_msg("no %s", path);
    }
    return found;
}

double helper_number(const msgpack_object *root, const char *path)
{
    const msgpack_object *value = helper_at(root, path);
    switch (value->type) {
    case MSGPACK_OBJECT_POSITIVE_INTEGER:
        return (double)value->via.u64;
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        return (double)value->via.i64;
    case MSGPACK_OBJECT_FLOAT32:
    case MSGPACK_OBJECT_FLOAT64:
        return value->via.f64;
    default:
        fail_msg("%s is no number", path);
        return 0;
    }
}

void helper_assert_text(const msgpack_object *root, const char *path, const char *text)
{
    const msgpack_object *value = helper_at(root, path);
    assert_int_equal(value->type, MSGPACK_OBJECT_STR);
    char copy[512];
    snprintf(copy, sizeof copy, "%.*s", (int)value->via.str.size, value->via.str.ptr);
    assert_string_equal(copy, text);
}

struct protocol_array helper_array(const msgpack_object *root, const char *path,
                                   enum protocol_array_type bin_type)
{
    struct protocol_array array;
    if (!protocol_array_from(helper_at(root, path), bin_type, &array)) {
        fail_msg("%s is no array", path);
    }
    return array;
}

const msgpack_object *helper_answer(struct helper *helper, uint32_t msgid, bool *error)
{
    for (uint32_t i = 0; i < helper->event_count; i++) {
        const struct world_event *event = helper->events[i];
        if (event->kind != WORLD_REPLY || !event->bytes[0]) {
            continue;
        }
        // A test may ask for a thousand answers before it forgets them: each is unpacked once.
        if (!helper->replies[i]) {
            helper->replies[i] = helper_unpack(helper, event->bytes[0]->data, event->bytes[0]->size);
            assert_int_equal(helper_number(helper->replies[i], "#0"), 1);
        }
        const msgpack_object *message = helper->replies[i];
        if ((uint32_t)helper_number(message, "#1") != msgid) {
            continue;
        }
        *error = helper_at(message, "#2")->type != MSGPACK_OBJECT_NIL;
        return helper_at(message, *error ? "#2" : "#3");
    }
    return NULL;
}

const msgpack_object *helper_call(struct helper *helper, uint32_t session, const char *method,
                                  const char *notation)
{
    bool error;
    uint32_t msgid = helper_post(helper, session, method, notation);
    if (msgid == 0) {
        fail_msg("%s refused: %s", method, helper->refused.text);
    }
    helper_turn(helper);
    const msgpack_object *answer = helper_answer(helper, msgid, &error);
    if (!answer) {
        fail_msg("%s: no answer", method);
    } else if (error) {
        msgpack_object_print(stderr, *answer);
        fail_msg("%s: error", method);
    }
    return answer;
}

const char *helper_error(struct helper *helper, uint32_t session, const char *method, const char *notation)
{
    static char text[PROTOCOL_TEXT_MAX + 32];
    bool error = false;
    uint32_t msgid = helper_post(helper, session, method, notation);
    if (msgid == 0) {
        snprintf(text, sizeof text, "%s: %s", protocol_codes[helper->refused.code].name,
                 helper->refused.text);
        return text;
    }
    helper_turn(helper);
    const msgpack_object *answer = helper_answer(helper, msgid, &error);
    if (!answer || !error) {
        fail_msg("%s %s: no error", method, notation);
    }
    const msgpack_object *message = helper_at(answer, "#1");
    snprintf(text, sizeof text, "%.*s", (int)message->via.str.size, message->via.str.ptr);
    return text;
}

uint64_t helper_hash(struct helper *helper)
{
    return sim_hash(helper->world->document->sim);
}

uint32_t helper_count(const struct helper *helper, enum world_event_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < helper->event_count; i++) {
        count += helper->events[i]->kind == kind ? 1 : 0;
    }
    return count;
}

struct world_event *helper_event(const struct helper *helper, enum world_event_kind kind, uint32_t nth)
{
    for (uint32_t i = 0; i < helper->event_count; i++) {
        if (helper->events[i]->kind == kind && nth-- == 0) {
            return helper->events[i];
        }
    }
    fail_msg("no event of kind %d", (int)kind);
    return NULL;
}

const msgpack_object *helper_notice(struct helper *helper, uint32_t nth, const char *method)
{
    const struct world_event *event = helper_event(helper, WORLD_NOTICE, nth);
    const struct base_buffer *bytes = event->bytes[helper->arrays];
    assert_non_null(bytes);
    const msgpack_object *message = helper_unpack(helper, bytes->data, bytes->size);
    assert_int_equal(helper_number(message, "#0"), 2);
    helper_assert_text(message, "#1", method);
    return helper_at(message, "#2.#0");
}

const msgpack_object *helper_frame_part(struct helper *helper, const struct base_frame *frame, uint32_t part,
                                        uint8_t **bytes, size_t *size)
{
    const struct base_frame_part *from = &frame->parts[part];
    size_t whole = PROTOCOL_FRAME_HEAD_SIZE;
    uint8_t *message = malloc(PROTOCOL_FRAME_HEAD_SIZE + from->size);
    protocol_frame_head(message, frame->key_count, 7, 8, 9);
    for (uint32_t b = 0; b < from->buffer_count; b++) {
        memcpy(message + whole, from->buffers[b]->data, from->buffers[b]->size);
        whole += from->buffers[b]->size;
    }
    assert_int_equal(whole, PROTOCOL_FRAME_HEAD_SIZE + from->size);
    const msgpack_object *root = helper_unpack(helper, message, whole);
    if (size) {
        *size = whole;
    }
    if (bytes) {
        *bytes = message;
    } else {
        // Strings and arrays are views: the copy has to live as long as what was unpacked.
        msgpack_zone_push_finalizer(helper->unpacked[helper->unpacked_count - 1].zone, free, message);
    }
    return helper_at(root, "#2.#0");
}

struct base_batch *helper_batch(const struct helper *helper, uint32_t publication, uint32_t stream)
{
    const struct world_event *event = helper_event(helper, WORLD_PUBLICATION, publication);
    for (uint32_t i = 0; i < event->batch_count; i++) {
        if (event->batches[i]->stream == stream) {
            return event->batches[i];
        }
    }
    return NULL;
}

const struct base_frame *helper_frame(const struct helper *helper, uint32_t publication, uint32_t stream)
{
    const struct base_batch *batch = helper_batch(helper, publication, stream);
    assert_non_null(batch);
    return batch->frames[0];
}

uint32_t helper_subscribe(struct helper *helper, const char *notation)
{
    const uint32_t stream = helper->stream;
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "stream.subscribe", notation);
    return stream;
}

// ---------------------------------------------------------------------------------------------------------

uint32_t helper_cloth(struct helper *helper, uint32_t session, uint32_t n, double height, const char *name)
{
    uint32_t count = n * n, triangle_count = 2 * (n - 1) * (n - 1);
    double *positions = malloc(3 * (size_t)count * sizeof *positions);
    uint32_t *triangles = malloc(3 * (size_t)triangle_count * sizeof *triangles);
    uint32_t *corner = triangles;
    for (uint32_t i = 0; i < count; i++) {
        positions[3 * i] = 0.1 * (i % n);
        positions[3 * i + 1] = height;
        positions[3 * i + 2] = 0.1 * (i / n);
    }
    for (uint32_t y = 0; y + 1 < n; y++) {
        for (uint32_t x = 0; x + 1 < n; x++) {
            uint32_t a = y * n + x;
            const uint32_t square[6] = {a, a + 1, a + n, a + 1, a + n + 1, a + n};
            memcpy(corner, square, sizeof square);
            corner += 6;
        }
    }
    msgpack_sbuffer map;
    msgpack_packer packer;
    msgpack_sbuffer_init(&map);
    msgpack_packer_init(&packer, &map, msgpack_sbuffer_write);
    msgpack_pack_map(&packer, 5);
    msgpack_pack_str_with_body(&packer, "world", 5);
    msgpack_pack_int(&packer, 1);
    msgpack_pack_str_with_body(&packer, "name", 4);
    msgpack_pack_str_with_body(&packer, name, strlen(name));
    msgpack_pack_str_with_body(&packer, "kind", 4);
    msgpack_pack_str_with_body(&packer, "cloth", 5);
    msgpack_pack_str_with_body(&packer, "positions", 9);
    protocol_array_pack(&packer, PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_F64, positions, 3 * count);
    msgpack_pack_str_with_body(&packer, "triangles", 9);
    protocol_array_pack(&packer, PROTOCOL_ARRAYS_EXT, PROTOCOL_ARRAY_U32, triangles, 3 * triangle_count);
    uint32_t msgid = helper_post_packed(helper, session, "body.add", &map, true);
    msgpack_sbuffer_destroy(&map);
    free(positions);
    free(triangles);
    assert_int_not_equal(msgid, 0);
    bool error;
    helper_turn(helper);
    const msgpack_object *answer = helper_answer(helper, msgid, &error);
    assert_non_null(answer);
    assert_false(error);
    return (uint32_t)helper_number(answer, "body");
}

void helper_hammock_settings(struct protocol_world_create_params *settings)
{
    settings->sleep = true;
    settings->substeps = 10;
    settings->damping = 6;
}

void helper_hammock(struct helper *helper, uint32_t session)
{
    helper_cloth(helper, session, 7, 1, "sheet");
    helper_call(helper, session, "particle.pin",
                "{'world': 1, 'body': 'sheet', 'particles': [0,1,2,3,4,5,6, 7,13, 14,20, 21,27, 28,34, 35,41,"
                " 42,43,44,45,46,47,48]}");
    helper_call(helper, session, "body.set",
                "{'world': 1, 'body': 'sheet', 'thickness': 0.004, 'contact_group': 1, 'contact_mask': 1,"
                " 'friction': 0.5}");
    helper_call(
        helper, session, "body.add",
        "{'world': 1, 'name': 'ball', 'kind': 'rigid', 'positions': [0.31, 1.066, 0.29], 'masses': 0.2,"
        " 'rigid': {'form': 'sphere', 'radius': 0.06}, 'contact_group': 1, 'contact_mask': 1,"
        " 'friction': 0.5}");
}
