#include "nodes.h"

#include "brokers.h"
#include "disk.h"
#include "fibers.h"
#include "helper_disk.h"
#include "notation.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "host/lease.h"
#include "local/local.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MS = 1000000, PATIENCE_MS = 60000, ANSWER_MS = 15000, SESSIONS = 8, WORLDS = 16, GRACE_S = 10 };

struct line {
    struct line *next;
    size_t size;
    uint8_t bytes[];
};

struct lines {
    struct line *first, *last;
};

// The server has it in its list and the person points to it; who lets go of it last frees it.
struct node_link {
    struct node_link *next;
    struct node *node;
    uint32_t holders;
    struct local_peer *peer;
    bool opened; // it was taken to the server
    bool left;   // the person has ended it
    bool gone;   // the server has, or is over
    struct lines in, out;
    uint32_t looked; // messages that the person looked at, and the server does not know of
};

// ---------------------------------------------------------------------------------------------------------
// Links

static void lines_push(struct lines *lines, struct line *line)
{
    line->next = NULL;
    if (lines->last) {
        lines->last->next = line;
    } else {
        lines->first = line;
    }
    lines->last = line;
}

static struct line *lines_take(struct lines *lines)
{
    struct line *line = lines->first;
    if (line) {
        lines->first = line->next;
        lines->last = lines->first ? lines->last : NULL;
    }
    return line;
}

static void link_let_go(struct node_link *link)
{
    if (--link->holders > 0) {
        return;
    }
    for (struct line *line; (line = lines_take(&link->in));) {
        free(line);
    }
    for (struct line *line; (line = lines_take(&link->out));) {
        free(line);
    }
    free(link);
}

static void on_sent(void *context, const struct local_part *parts, uint32_t count)
{
    struct node_link *link = context;
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        size += parts[i].size;
    }
    struct line *line = malloc(sizeof *line + size);
    BASE_ASSERT(line);
    line->size = 0;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(line->bytes + line->size, parts[i].bytes, parts[i].size);
        line->size += parts[i].size;
    }
    lines_push(&link->out, line);
    fibers_wake(link);
}

static void on_closed(void *context, uint32_t end, const char *reason)
{
    struct node_link *link = context;
    (void)end;
    (void)reason;
    link->gone = true;
    fibers_wake(link);
}

static void link_open(struct node_link *link)
{
    link->opened = true;
    link->peer = local_peer_connect(link->node->local, &(struct local_peer_options){
                                                           .address = "simulated",
                                                           .origin = 1,
                                                           .loopback = true,
                                                           .sent = on_sent,
                                                           .closed = on_closed,
                                                           .context = link,
                                                       });
    if (!link->peer) {
        link->gone = true;
        fibers_wake(link);
    }
}

// The inputs of people since the last turn.
static bool links_take(struct node *node)
{
    bool took = false;
    for (struct node_link **at = &node->links; *at;) {
        struct node_link *link = *at;
        if (!link->opened && !link->left) {
            link_open(link);
            took = true;
        }
        for (struct line *line; link->peer && !link->gone && (line = lines_take(&link->in)); took = true) {
            local_peer_feed(link->peer, line->bytes, line->size);
            free(line);
        }
        if (link->peer && link->looked > 0) {
            local_peer_taken(link->peer, link->looked);
            link->looked = 0;
        }
        if (link->left) {
            local_peer_disconnect(link->peer);
            *at = link->next;
            link_let_go(link);
            took = true;
        } else {
            at = &link->next;
        }
    }
    return took;
}

static void links_end(struct node *node)
{
    while (node->links) {
        struct node_link *link = node->links;
        node->links = link->next;
        local_peer_disconnect(link->peer);
        link->peer = NULL;
        link->gone = true;
        fibers_wake(link);
        link_let_go(link);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Servers

static struct store *open_store(void *context, const struct store_options *given, struct store_error *error)
{
    const struct node *node = context;
    struct store_options options = *given;
    if (node->alone) {
        return store_open(&options, error);
    }
    options.brokers = BROKERS_URL;
    options.check = "none";
    options.patience_ms = PATIENCE_MS;
    options.acks = node->brokers_alone ? STORE_ACKS_BROKERS : STORE_ACKS_BOTH;
    return store_open(&options, error);
}

static struct host_lease *join(void *context, struct net_loop *loop, struct store *store,
                               char text[LOCAL_TEXT_SIZE])
{
    const struct node *node = context;
    char folder[DISK_FOLDER_SIZE], name[16], address[24], why[CLUSTER_TEXT_SIZE] = "";
    disks_folder(node->number, folder);
    (void)snprintf(name, sizeof name, "s%" PRIu32, node->number);
    (void)snprintf(address, sizeof address, "server:%" PRIu32, node->number);
    const uint64_t until_ns = base_now_ns() + PATIENCE_MS * UINT64_C(1000000);
    struct host_lease *lease = NULL;
    while (!lease && base_now_ns() < until_ns && !node->stop) {
        lease = host_lease_create(loop,
                                  &(struct host_lease_options){
                                      .brokers = BROKERS_URL,
                                      .data = folder,
                                      .name = name,
                                      .tcp = address,
                                      .web = "",
                                      .store = store,
                                  },
                                  why);
        if (!lease) {
            fibers_sleep_until(base_now_ns() + 250 * MS);
        }
    }
    (void)snprintf(text, LOCAL_TEXT_SIZE, "%s", why);
    return lease;
}

static void on_store_failure(void *context, const char *text)
{
    struct node *node = context;
    (void)snprintf(node->text, sizeof node->text, "%s", text);
    node->stop = node->killed = true;
    fibers_wake(node);
}

static bool start(struct node *node)
{
    char folder[DISK_FOLDER_SIZE];
    disks_folder(node->number, folder);
    node->local = local_server_create(
        &(struct local_options){
            .limits = {.sessions = SESSIONS,
                       .sessions_per_address = SESSIONS,
                       .worlds = WORLDS,
                       .session_grace = GRACE_S},
            .keep_seconds = UINT64_MAX,
            .keep_bytes = UINT64_MAX,
            .bin_seconds = 86400,
            .folder = folder,
            .open_store = open_store,
            .on_store_failure = on_store_failure,
            .join = node->alone ? NULL : join,
            .context = node,
        },
        node->text);
    node->lives += node->local != NULL;
    return node->local != NULL;
}

// As if its process were gone: nothing of it gets out any more, and what it did not sync may be lost.
static void cut_off(struct node *node)
{
    for (uint32_t i = 0; i < BROKERS; i++) {
        brokers_reach(node->number, i, false);
    }
    disk_use(node->number);
    disk_cut_at(1);
}

static void come_back(struct node *node)
{
    disk_use(node->number);
    disk_fail_at(0, false);
    disk_use(node->number);
    disk_power_on(fibers_draw());
    disk_use(node->number);
    disk_room(-1);
    for (uint32_t i = 0; i < BROKERS; i++) {
        brokers_reach(node->number, i, true);
    }
}

static void run_turns(struct node *node)
{
    fibers_attend(node);
    while (!node->stop) {
        const bool took = links_take(node);
        const uint64_t due_ns = local_server_turn(node->local);
        if (took || due_ns <= base_now_ns()) {
            fibers_yield();
        } else {
            (void)fibers_wait(node, due_ns);
        }
    }
    fibers_attend(NULL);
}

static void live(void *context)
{
    struct node *node = context;
    (void)fibers_be(node->number);
    while (!node->over) {
        if (base_now_ns() < node->up_ns) {
            (void)fibers_wait(node, node->up_ns);
            continue;
        }
        const bool started = !node->stop && start(node);
        if (started) {
            run_turns(node);
        } else if (!node->stop) {
            node->up_ns = base_now_ns() + 500 * MS;
        }
        const bool killed = node->killed;
        if (killed) {
            cut_off(node);
        }
        links_end(node);
        local_server_destroy(node->local);
        node->local = NULL;
        if (killed) {
            come_back(node);
        }
        node->stop = node->killed = false;
        links_end(node);
    }
}

void node_start(struct node *node, uint32_t number, bool alone)
{
    *node = (struct node){.number = number, .alone = alone};
    (void)base_thread_start(&node->thread, "server", live, node);
}

void node_stop(struct node *node, bool kills, uint64_t down_ns)
{
    node->killed |= kills;
    node->stop = true;
    node->up_ns = base_now_ns() + down_ns;
    fibers_wake(node);
}

void node_end(struct node *node)
{
    node->over = true;
    node_stop(node, false, 0);
    base_thread_join(&node->thread);
}

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
        link_let_go(link);
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
    for (struct line *line; !answered && (line = lines_take(&link->out));) {
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

static void send_request(struct person *person, const char *method, const char *parameters)
{
    msgpack_sbuffer buffer;
    msgpack_packer packer;
    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
    msgpack_pack_array(&packer, 4);
    msgpack_pack_int(&packer, 0);
    msgpack_pack_uint32(&packer, ++person->msgid);
    msgpack_pack_str(&packer, strlen(method));
    msgpack_pack_str_body(&packer, method, strlen(method));
    msgpack_pack_array(&packer, 1);
    notation_pack(&buffer, parameters, NULL);
    struct line *line = malloc(sizeof *line + buffer.size);
    BASE_ASSERT(line);
    line->size = buffer.size;
    memcpy(line->bytes, buffer.data, buffer.size);
    msgpack_sbuffer_destroy(&buffer);
    lines_push(&person->link->in, line);
    fibers_wake(person->link->node);
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
    send_request(person, method, text);
    base_log(BASE_LOG_DEBUG, "%.3f s: p%" PRIu32 " to s%" PRIu32 ": %s %s",
             (double)base_now_ns() * 1e-9 - 1000, person->number, person->link->node->number, method, text);
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

bool person_connect(struct person *person, struct node *node)
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
    return person_ask(person, "session.hello", "{'follow': true, 'errors': 'map', 'user': 'p%" PRIu32 "'}",
                      person->number) == ANSWERED;
}
