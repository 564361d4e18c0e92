#include "dispatch/permit/permit.h"

#include "base/clock.h"
#include "base/log.h"
#include "dispatch/call.h"
#include "dispatch/later.h"
#include "dispatch/route/moved.h"
#include "dispatch/route/route.h"
#include "document/document.h"
#include "host/badge.h"
#include "host/registry.h"
#include "host/session.h"
#include "net/net.h"
#include "protocol/error.h"
#include "protocol/params.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    WATCH_MS = 250,
    GONE_MAX = 64, // deleted worlds of a person whose roles are kept, for world.restore
};

static const uint64_t expire_ns = UINT64_C(60000000000); // between looks at what has expired

static const char *const role_names[] = {"anyone", "viewer", "editor", "owner", "admin"};

static bool refuse(struct protocol_error *error, enum protocol_code code, const char *field, const char *text)
{
    protocol_error_set(error, code, field, "%s", text);
    return false;
}

static bool limit(struct protocol_error *error, const char *what, const char *name, uint64_t value)
{
    protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL, "%s (limit %s = %" PRIu64 ")", what, name, value);
    error->limit = (double)value;
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Admit

static bool makes_world(enum protocol_method method)
{
    return method == PROTOCOL_METHOD_WORLD_CREATE || method == PROTOCOL_METHOD_WORLD_OPEN ||
           method == PROTOCOL_METHOD_WORLD_BRANCH;
}

static bool names_world(enum protocol_method method)
{
    return dispatch_names_world(method) || protocol_methods[method].class_ != PROTOCOL_CLASS_SERVER;
}

static bool take(struct dispatch_server *server, const struct host_session *session,
                 enum protocol_method method, size_t size, struct protocol_error *error)
{
    struct access_usage *usage = host_session_usage(session);
    const uint64_t *rates = server->access->quotas.rates.a_second;
    const uint64_t now_ns = base_now_ns();
    if (usage == NULL)
        return true;
    if (!access_usage_take(usage, ACCESS_MESSAGES, rates[ACCESS_MESSAGES], 1, now_ns))
        return limit(error, "this person sends more messages a second than it may", "person_messages",
                     rates[ACCESS_MESSAGES]);
    if (!access_usage_take(usage, ACCESS_BYTES, rates[ACCESS_BYTES], size, now_ns))
        return limit(error, "this person sends more bytes a second than it may", "person_bytes",
                     rates[ACCESS_BYTES]);
    if (method == PROTOCOL_METHOD_COUNT)
        return true;
    const bool edits = protocol_methods[method].class_ == PROTOCOL_CLASS_EDIT ||
                       protocol_methods[method].class_ == PROTOCOL_CLASS_CONTROL ||
                       method == PROTOCOL_METHOD_WORLD_RESTORE || makes_world(method);
    return !edits || access_usage_take(usage, ACCESS_EDITS, rates[ACCESS_EDITS], 1, now_ns) ||
           limit(error, "this person makes more edits a second than it may", "person_edits",
                 rates[ACCESS_EDITS]);
}

bool dispatch_admit(struct dispatch_server *server, struct host_session *session, enum protocol_method method,
                    size_t size, struct protocol_error *error)
{
    if (server->access == NULL || server->access->book == NULL)
        return true;
    const enum protocol_role needed =
        method == PROTOCOL_METHOD_COUNT ? PROTOCOL_ROLE_VIEWER : protocol_methods[method].role;
    if (!host_session_known(session))
        return needed == PROTOCOL_ROLE_ANYONE ||
               refuse(error, PROTOCOL_CODE_DENIED, "token",
                      "this server asks for a token: session.hello {token}, or access.accept {invite}");
    if (!take(server, session, method, size, error))
        return false;
    if (method == PROTOCOL_METHOD_COUNT)
        return true;
    const enum protocol_role has = host_session_role(session);
    const bool here = !names_world(method) || makes_world(method);
    if (here && has < (makes_world(method) ? PROTOCOL_ROLE_EDITOR : needed)) {
        protocol_error_set(error, PROTOCOL_CODE_DENIED, NULL,
                           "%s is for %ss of this server; this token is a %s's",
                           protocol_methods[method].name, role_names[needed], role_names[has]);
        return false;
    }
    return !makes_world(method) || dispatch_room_for_world(server, host_person_key(session), error);
}

// ---------------------------------------------------------------------------------------------------------
// Permit

static bool is_control(enum protocol_method method)
{
    return method == PROTOCOL_METHOD_WORLD_PLAY || method == PROTOCOL_METHOD_WORLD_PAUSE ||
           method == PROTOCOL_METHOD_WORLD_HOLD || method == PROTOCOL_METHOD_WORLD_STEP ||
           method == PROTOCOL_METHOD_WORLD_RESET;
}

// shown is how the world was named.
static bool may(const struct dispatch_server *server, const struct host_session *session,
                enum protocol_method method, uint32_t world, const struct protocol_ref *shown,
                struct protocol_error *error)
{
    const enum protocol_role has = dispatch_role(server, session, world);
    enum protocol_role needed = protocol_methods[method].role;
    if (has == PROTOCOL_ROLE_ADMIN)
        return true;
    if (has == PROTOCOL_ROLE_ANYONE) {
        dispatch_no_world(error, shown);
        return false;
    }
    if (is_control(method)) {
        const enum protocol_role control = access_control(server->access->book, world);
        needed = control > needed ? control : needed;
    }
    if (has >= needed)
        return true;
    protocol_error_set(error, PROTOCOL_CODE_DENIED, "world",
                       "%s is for %ss of world %" PRIu32 "; you are its %s", protocol_methods[method].name,
                       role_names[needed], world, role_names[has]);
    snprintf(error->value, sizeof error->value, "%" PRIu32, world);
    return false;
}

bool dispatch_permit(const struct dispatch_server *server, const struct host_session *session,
                     enum protocol_method method, const struct host_world *world, struct world_packet *packet,
                     struct protocol_error *error)
{
    const uint32_t id = world->view.of != 0 ? world->view.of : world->id;
    struct protocol_ref shown = {.id = world->id};
    // A world that is not to be seen is not told by its id either, where it was asked for by its name.
    if (packet != NULL && dispatch_names_world(method) && !dispatch_peek_world(packet, method, &shown, error))
        return false;
    return may(server, session, method, id, &shown, error) &&
           (!is_control(method) || dispatch_control_permits(session, world, error));
}

// What is in the bin is no world that can be found, but it has its owners. A view is never there.
static bool permit_restore(const struct dispatch_server *server, const struct host_session *session,
                           const struct protocol_ref *ref, struct protocol_error *error)
{
    if (may(server, session, PROTOCOL_METHOD_WORLD_RESTORE, ref->id, ref, error))
        return true;
    if (error->code == PROTOCOL_CODE_NOT_FOUND) {
        protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "world",
                           "no deleted world %" PRIu32 "; world.bin lists those that can be had back",
                           ref->id);
        snprintf(error->value, sizeof error->value, "%" PRIu32, ref->id);
    }
    return false;
}

// Whoever may see a world that is not here is told by the method where it is. Others are told at once that there is none: were the
// other parameters looked at first, what is absent would answer otherwise than what is hidden.
static bool permit_absent(const struct dispatch_server *server, const struct host_session *session,
                          const struct protocol_ref *ref, struct protocol_error *error)
{
    struct cluster *cluster = host_registry_cluster(server->registry);
    const uint32_t id = cluster != NULL ? dispatch_cluster_id(cluster, ref) : ref->id;
    if (dispatch_role(server, session, id) != PROTOCOL_ROLE_ANYONE)
        return true;
    dispatch_no_world(error, ref);
    return false;
}

bool dispatch_permit_named(const struct dispatch_server *server, const struct host_session *session,
                           struct world_packet *packet, enum protocol_method method, uint32_t *id,
                           struct protocol_error *error)
{
    struct protocol_ref ref;
    *id = 0;
    if (!dispatch_names_world(method))
        return true;
    if (!dispatch_peek_world(packet, method, &ref, error))
        return false;
    *id = ref.id;
    if (method == PROTOCOL_METHOD_WORLD_RESTORE)
        return permit_restore(server, session, &ref, error);
    const struct host_world *world = dispatch_find(server->registry, method, &ref);
    if (world == NULL)
        return permit_absent(server, session, &ref, error);
    *id = world->view.of != 0 ? world->view.of : world->id;
    const bool is_asked = host_sessions_ask(host_session_owner(session));
    return (!is_asked || dispatch_may_use(world, session, error)) &&
           may(server, session, method, *id, &ref, error);
}

// ---------------------------------------------------------------------------------------------------------
// Batches

// The batch itself has been permitted, and counted as one.
bool dispatch_permit_edits(const struct dispatch_server *server, const struct host_session *session,
                           const struct host_world *world, const struct world_request *request,
                           struct protocol_error *error)
{
    const struct protocol_edit_batch_params *batch =
        request->method == PROTOCOL_METHOD_EDIT_BATCH ? request->params : NULL;
    if (batch == NULL)
        return true;
    for (uint32_t i = 0; i < batch->edits.count; i++) {
        const struct protocol_call *call = (const struct protocol_call *)batch->edits.items + i;
        if (!dispatch_permit(server, session, (enum protocol_method)call->method, world, NULL, error))
            return false;
    }
    struct access_usage *usage = host_session_usage(session);
    if (server->access == NULL || usage == NULL || batch->edits.count < 2)
        return true;
    const uint64_t rate = server->access->quotas.rates.a_second[ACCESS_EDITS];
    return access_usage_take(usage, ACCESS_EDITS, rate, batch->edits.count - 1, base_now_ns()) ||
           limit(error, "this person makes more edits a second than it may", "person_edits", rate);
}

// ---------------------------------------------------------------------------------------------------------
// The book changes

static void write_work(void *context)
{
    char error[ACCESS_ERROR_SIZE];
    if (!access_image_write(context, error))
        base_log(BASE_LOG_ERROR, "--access: %s", error);
}

static void write_done(void *context)
{
    (void)context;
}

static void write_book(struct dispatch_access *access)
{
    struct access_image *image = access_image(access->book);
    if (image == NULL)
        base_log(BASE_LOG_ERROR, "--access: no memory to write it");
    else if (!net_work(access->server->loop, write_work, write_done, image))
        write_work(image);
}

// Deleted, in the bin or for good.
static bool is_gone(void *context, uint32_t world)
{
    return host_registry_find_any(context, world) == NULL;
}

void dispatch_made(struct dispatch_later *later, struct host_world *world)
{
    struct dispatch_access *access = later->server->access;
    later->world = world->id;
    if (access == NULL || access->book == NULL)
        return;
    access_forget(access->book, world->id); // of one that never was durable, under the same id
    access_forget_gone(access->book, later->asker.user, GONE_MAX, is_gone, later->server->registry);
    if (access_made(access->book, world->id, later->asker.user) != ACCESS_DONE)
        base_log(BASE_LOG_WARN, "world %" PRIu32 " has no owner but admins: the book has no room for one",
                 world->id);
    dispatch_charge(later->server, world);
    write_book(access);
}

struct saving {
    struct dispatch_later *later;
    struct access_image *image;
    const void *result;
    bool written;
    char error[ACCESS_ERROR_SIZE];
};

static void save_work(void *context)
{
    struct saving *saving = context;
    saving->written = access_image_write(saving->image, saving->error);
    saving->image = NULL;
}

static void save_done(void *context, bool worked)
{
    struct saving *saving = context;
    if (!worked) // nobody waits for it, but it has changed
        save_work(saving);
    if (saving->written) {
        dispatch_later_answer(saving->later, saving->result);
    } else {
        struct protocol_error error = {0};
        base_log(BASE_LOG_ERROR, "--access: %s", saving->error);
        protocol_error_set(
            &error, PROTOCOL_CODE_INTERNAL, NULL,
            "it holds, but the server could not keep it: after a restart it is as it was before");
        dispatch_later_refuse(saving->later, &error);
    }
    free(saving);
}

bool dispatch_save(struct dispatch_call *call, const void *result)
{
    struct access *book = call->server->access->book;
    struct saving *saving = calloc(1, sizeof *saving);
    struct access_image *image = saving != NULL ? access_image(book) : NULL;
    struct dispatch_later *later = image != NULL ? dispatch_later_begin(call, true) : NULL;
    if (later == NULL) {
        char error[ACCESS_ERROR_SIZE];
        if (image != NULL)
            (void)access_image_write(image, error);
        free(saving);
        protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for %s",
                           protocol_methods[call->method].name);
        return false;
    }
    *saving = (struct saving){.later = later, .image = image, .result = result};
    dispatch_later_work(later, HOST_LIGHT, save_work, save_done, saving);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Life

static void expel_expired(void *context, struct host_session *session)
{
    const uint64_t *now_s = context;
    const struct access_person *person = host_session_person(session);
    if (person != NULL && person->expires_s != 0 && person->expires_s <= *now_s)
        host_session_expel(session, "this token has expired");
}

static void on_time(void *context)
{
    struct dispatch_access *access = context;
    uint64_t now_s = base_wall_us() / 1000000;
    host_sessions_enter(access->sessions);
    if (access->book != NULL) {
        dispatch_charge_all(access->server);
        host_sessions_each(access->sessions, expel_expired, &now_s);
        const uint64_t now_ns = base_now_ns();
        if (now_ns >= access->expired_ns + expire_ns) {
            access_expire(access->book, now_s, now_ns);
            access->expired_ns = now_ns;
        }
    }
    dispatch_control_tell(access->server, access->sessions);
    host_sessions_leave(access->sessions);
}

bool dispatch_access_start(struct dispatch_server *server, struct host_sessions *sessions,
                           struct access *book, const struct dispatch_quotas *quotas)
{
    struct dispatch_access *access = calloc(1, sizeof *access);
    if (access != NULL)
        access->timer = net_timer_start(server->loop, WATCH_MS, WATCH_MS, on_time, access);
    if (access == NULL || access->timer == NULL) {
        base_log(BASE_LOG_ERROR, "no memory for access");
        free(access);
        return false;
    }
    access->server = server;
    access->sessions = sessions;
    access->book = book;
    access->quotas = *quotas;
    server->access = access;
    return true;
}

void dispatch_access_stop(struct dispatch_server *server)
{
    struct dispatch_access *access = server->access;
    if (access == NULL)
        return;
    dispatch_hello_stop(access);
    dispatch_makers_destroy(access);
    net_timer_stop(access->timer);
    free(access);
    server->access = NULL;
}
