// The book of tokens and roles: what a world that was made adds to it, how it gets to the disk, and what time takes from it.
#include "dispatch/permit/permit.h"

#include "access/access.h"
#include "base/clock.h"
#include "base/log.h"
#include "dispatch/call.h"
#include "dispatch/later.h"
#include "dispatch/permit/parts.h"
#include "host/badge.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "net/net.h"
#include "protocol/error.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    WATCH_MS = 250,
    GONE_MAX = 64, // deleted worlds of a person whose roles are kept, for world.restore
};

static const uint64_t expire_ns = UINT64_C(60000000000); // between looks at what has expired

void dispatch_permit_not_kept(const struct dispatch_server *server, bool taken, struct protocol_error *error)
{
    if (taken) {
        protocol_error_set(error, PROTOCOL_CODE_CONFLICT, "name",
                           "the name is taken by a world that another server has made in the same moment");
    } else if (server->stopping) {
        protocol_error_set(error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
    } else {
        protocol_error_set(error, PROTOCOL_CODE_READ_ONLY, NULL,
                           "the store does not take another world; the server's log says why");
    }
}

static void write_work(void *context)
{
    char error[ACCESS_ERROR_SIZE];
    if (!access_image_write(context, error)) {
        base_log(BASE_LOG_ERROR, "--access: %s", error);
    }
}

static void write_done(void *context)
{
    (void)context;
}

static void write_book(const struct dispatch_server *server)
{
    struct access_image *image = access_image(server->book);
    if (!image) {
        base_log(BASE_LOG_ERROR, "--access: no memory to write it");
    } else if (!net_work(server->loop, write_work, write_done, image)) {
        write_work(image);
    }
}

// Deleted, in the trash or for good.
static bool is_gone(void *context, uint32_t world)
{
    return !host_registry_find_any(context, world);
}

void dispatch_permit_made(struct dispatch_later *later, struct host_world *world)
{
    struct access *book = later->server->book;
    later->world = host_world_id(world);
    if (!book) {
        return;
    }
    access_forget(book, host_world_id(world)); // of one that never was durable, under the same id
    access_forget_gone(book, later->asker.user, GONE_MAX, is_gone, later->server->registry);
    if (access_made(book, host_world_id(world), later->asker.user) != ACCESS_DONE) {
        base_log(BASE_LOG_WARN, "world %" PRIu32 " has no owner but admins: the book has no room for one",
                 host_world_id(world));
    }
    dispatch_permit_charge(later->server, world);
    write_book(later->server);
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
    if (!worked) { // nobody waits for it, but it has changed
        save_work(saving);
    }
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

bool dispatch_permit_save(struct dispatch_call *call, const void *result)
{
    struct access *book = call->server->book;
    struct saving *saving = calloc(1, sizeof *saving);
    struct access_image *image = saving ? access_image(book) : NULL;
    struct dispatch_later *later = image ? dispatch_later_begin(call, true) : NULL;
    if (!later) {
        char error[ACCESS_ERROR_SIZE];
        if (image) {
            (void)access_image_write(image, error);
        }
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
    if (person && person->expires_s != 0 && person->expires_s <= *now_s) {
        host_session_expel(session, "this token has expired");
    }
}

static void on_time(void *context)
{
    struct dispatch_permits *permits = context;
    struct access *book = permits->server->book;
    uint64_t now_s = base_wall_us() / 1000000;
    host_sessions_enter(permits->sessions);
    if (book) {
        dispatch_permit_charge_all(permits->server);
        host_sessions_each(permits->sessions, expel_expired, &now_s);
        const uint64_t now_ns = base_now_ns();
        if (now_ns >= permits->expired_ns + expire_ns) {
            access_expire(book, now_s, now_ns);
            permits->expired_ns = now_ns;
        }
    }
    dispatch_permit_control_tell(permits->server, permits->sessions);
    host_sessions_leave(permits->sessions);
}

bool dispatch_permit_start(struct dispatch_server *server, struct host_sessions *sessions,
                           struct access *book, const struct dispatch_quotas *quotas)
{
    struct dispatch_permits *permits = calloc(1, sizeof *permits);
    if (permits) {
        permits->timer = net_timer_start(server->loop, WATCH_MS, WATCH_MS, on_time, permits);
    }
    if (!permits || !permits->timer) {
        base_log(BASE_LOG_ERROR, "no memory for access");
        free(permits);
        return false;
    }
    permits->server = server;
    permits->sessions = sessions;
    permits->quotas = *quotas;
    server->book = book;
    server->permits = permits;
    return true;
}

void dispatch_permit_stop(struct dispatch_server *server)
{
    struct dispatch_permits *permits = server->permits;
    if (!permits) {
        return;
    }
    dispatch_permit_makers_destroy(permits);
    net_timer_stop(permits->timer);
    free(permits);
    server->permits = NULL;
    server->book = NULL;
}
