// People at simulated servers: what they ask, and what they are told.
#include "nodes_internal.h"

#include "fibers.h"
#include "notation.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MS = 1000000, ANSWER_MS = 15000 };

// ---------------------------------------------------------------------------------------------------------
// What messages hold

const msgpack_object *map_at(const msgpack_object *map, const char *key)
{
    const size_t size = strlen(key);
    for (uint32_t i = 0; map && map->type == MSGPACK_OBJECT_MAP && i < map->via.map.size; i++) {
        const msgpack_object_kv *pair = &map->via.map.ptr[i];
        if (pair->key.type == MSGPACK_OBJECT_STR && pair->key.via.str.size == size &&
            memcmp(pair->key.via.str.ptr, key, size) == 0) {
            return &pair->val;
        }
    }
    return NULL;
}

uint64_t map_number(const msgpack_object *map, const char *key)
{
    const msgpack_object *found = map_at(map, key);
    return found && found->type == MSGPACK_OBJECT_POSITIVE_INTEGER ? found->via.u64 : 0;
}

bool map_text(const msgpack_object *map, const char *key, char *out, size_t size)
{
    const msgpack_object *found = map_at(map, key);
    const bool is = found && found->type == MSGPACK_OBJECT_STR;
    (void)snprintf(out, size, "%.*s", is ? (int)found->via.str.size : 0, is ? found->via.str.ptr : "");
    return is;
}

// ---------------------------------------------------------------------------------------------------------
// People

struct node *person_node(const struct person *person)
{
    return person->link && !person->link->gone ? person->link->node : NULL;
}

void person_leave(struct person *person)
{
    struct node_link *link = person->link;
    if (link) {
        person->link = NULL;
        link->left = true;
        fibers_wake(link->node);
        node_link_let_go(link);
    }
}

void person_end(struct person *person)
{
    person_leave(person);
    msgpack_unpacked_destroy(&person->answer);
    free(person->bytes);
}

static bool is_text(const msgpack_object *object, const char *text)
{
    return object->type == MSGPACK_OBJECT_STR && object->via.str.size == strlen(text) &&
           memcmp(object->via.str.ptr, text, object->via.str.size) == 0;
}

static void hear_notice(struct person *person, const msgpack_object *method, const msgpack_object *params)
{
    const msgpack_object *first =
        params->type == MSGPACK_OBJECT_ARRAY && params->via.array.size > 0 ? &params->via.array.ptr[0] : NULL;
    char state[16];
    if (is_text(method, "world.changed") && first && map_text(first, "state", state, sizeof state) &&
        (strcmp(state, "deleted") == 0 || strcmp(state, "moved") == 0) && person->on_left) {
        person->on_left(person->context, (uint32_t)map_number(first, "world"));
    }
}

// Whether it is the answer that is waited for; if so it stays in person->answer.
static bool hear(struct person *person, struct line *line)
{
    size_t used = 0;
    msgpack_unpacked_destroy(&person->answer);
    free(person->bytes);
    person->bytes = line;
    msgpack_unpacked_init(&person->answer);
    const msgpack_unpack_return got =
        msgpack_unpack_next(&person->answer, (const char *)line->bytes, line->size, &used);
    BASE_ASSERT(got == MSGPACK_UNPACK_SUCCESS && person->answer.data.type == MSGPACK_OBJECT_ARRAY);
    const msgpack_object *parts = person->answer.data.via.array.ptr;
    if (parts[0].via.u64 == 2) {
        hear_notice(person, &parts[1], &parts[2]);
        return false;
    }
    return parts[0].via.u64 == 1 && parts[1].via.u64 == person->msgid;
}

static bool listen_once(struct person *person)
{
    struct node_link *link = person->link;
    bool answered = false;
    for (struct line *line; !answered && (line = node_lines_take(&link->out));) {
        answered = hear(person, line);
        link->looked++;
    }
    return answered;
}

void person_listen(struct person *person)
{
    if (person->link) {
        const uint32_t msgid = person->msgid;
        person->msgid = UINT32_MAX; // nothing is waited for
        (void)listen_once(person);
        person->msgid = msgid;
        fibers_wake(person->link->node);
    }
}

// Without a number: a notification.
static void send_message(struct person *person, uint32_t msgid, const char *method, const char *parameters)
{
    msgpack_sbuffer buffer;
    msgpack_packer packer;
    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
    msgpack_pack_array(&packer, msgid != 0 ? 4 : 3);
    msgpack_pack_int(&packer, msgid != 0 ? 0 : 2);
    if (msgid != 0) {
        msgpack_pack_uint32(&packer, msgid);
    }
    msgpack_pack_str(&packer, strlen(method));
    msgpack_pack_str_body(&packer, method, strlen(method));
    msgpack_pack_array(&packer, 1);
    notation_pack(&buffer, parameters, NULL);
    struct line *line = malloc(sizeof *line + buffer.size);
    BASE_ASSERT(line);
    line->size = buffer.size;
    memcpy(line->bytes, buffer.data, buffer.size);
    msgpack_sbuffer_destroy(&buffer);
    node_lines_push(&person->link->in, line);
    fibers_wake(person->link->node);
    base_log(BASE_LOG_DEBUG, "%.3f s: p%" PRIu32 " to s%" PRIu32 ": %s %s",
             (double)base_now_ns() * 1e-9 - 1000, person->number, person->link->node->number, method,
             parameters);
}

static void say_answer(const struct person *person, const msgpack_object *parts)
{
    char text[400] = "";
    if (base_log_on(BASE_LOG_DEBUG)) {
        (void)msgpack_object_print_buffer(text, sizeof text - 1,
                                          parts[2].type == MSGPACK_OBJECT_NIL ? parts[3] : parts[2]);
        base_log(BASE_LOG_DEBUG, "%.3f s: p%" PRIu32 " is told: %.300s", (double)base_now_ns() * 1e-9 - 1000,
                 person->number, text);
    }
}

static enum outcome read_answer(struct person *person)
{
    const msgpack_object *parts = person->answer.data.via.array.ptr;
    char address[64];
    person->moved_to = 0;
    say_answer(person, parts);
    if (parts[2].type == MSGPACK_OBJECT_NIL) {
        person->result = &parts[3];
        return ANSWERED;
    }
    (void)map_text(&parts[2], "code", person->code, sizeof person->code);
    (void)map_text(&parts[2], "text", person->text, sizeof person->text);
    if (map_text(&parts[2], "address", address, sizeof address)) {
        (void)sscanf(address, "server:%" SCNu32, &person->moved_to);
    }
    return REFUSED;
}

enum outcome person_ask(struct person *person, const char *method, const char *parameters, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, parameters);
    const int size = vsnprintf(text, sizeof text, parameters, arguments);
    va_end(arguments);
    BASE_ASSERT(size > 0 && (size_t)size < sizeof text);
    if (!person_node(person)) {
        return NOTHING;
    }
    send_message(person, ++person->msgid, method, text);
    struct node_link *link = person->link;
    const uint64_t deadline_ns = base_now_ns() + ANSWER_MS * UINT64_C(1000000);
    bool in_time = true;
    while (in_time) {
        if (listen_once(person)) {
            return read_answer(person);
        }
        if (link->gone) {
            break;
        }
        in_time = fibers_wait(link, deadline_ns);
    }
    person_leave(person);
    return NOTHING;
}

bool person_connect_as(struct person *person, struct node *node, const char *hello)
{
    person_leave(person);
    if (!node->local) {
        return false;
    }
    struct node_link *link = calloc(1, sizeof *link);
    BASE_ASSERT(link);
    link->node = node;
    link->holders = 2;
    link->next = node->links;
    node->links = link;
    person->link = link;
    return person_ask(person, "session.hello", "%s", hello) == ANSWERED;
}

bool person_connect(struct person *person, struct node *node)
{
    char hello[80];
    (void)snprintf(hello, sizeof hello, "{'follow': true, 'errors': 'map', 'user': 'p%" PRIu32 "'}",
                   person->number);
    return person_connect_as(person, node, hello);
}

// ---------------------------------------------------------------------------------------------------------
// Several things at a time

uint32_t person_send(struct person *person, const char *method, const char *parameters, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, parameters);
    const int size = vsnprintf(text, sizeof text, parameters, arguments);
    va_end(arguments);
    BASE_ASSERT(size > 0 && (size_t)size < sizeof text);
    if (!person_node(person)) {
        return 0;
    }
    send_message(person, ++person->msgid, method, text);
    return person->msgid;
}

void person_notify(struct person *person, const char *method, const char *parameters, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, parameters);
    (void)vsnprintf(text, sizeof text, parameters, arguments);
    va_end(arguments);
    if (person_node(person)) {
        send_message(person, 0, method, text);
    }
}

bool person_hear(struct person *person, struct person_told *told)
{
    struct line *line = person->link ? node_lines_take(&person->link->out) : NULL;
    if (!line) {
        return false;
    }
    (void)hear(person, line);
    const msgpack_object *parts = person->answer.data.via.array.ptr;
    *told = (struct person_told){.parts = parts, .bytes = line->bytes, .size = line->size};
    if (parts[0].via.u64 == 1) {
        told->msgid = (uint32_t)parts[1].via.u64;
        told->outcome = read_answer(person);
    }
    person->link->looked++;
    fibers_wake(person->link->node);
    return true;
}

bool person_wait(struct person *person, uint64_t until_ns)
{
    if (person->link && (person->link->out.first || person->link->gone)) {
        return true;
    }
    return fibers_wait(person->link ? (const void *)person->link : person, until_ns);
}
