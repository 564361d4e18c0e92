// Applies messages to the physics; no other file does. One table has one function for each method
// (apply_*.c).
//
// A handler validates all of its parameters first, so that a refused edit changes nothing. It ends in one of
// three ways: world_answer or world_accept (a reply is pushed), call.error set (a refusal is pushed here), or
// call.deferred (world.step keeps the request and answers after its last tick).
//
// Order in the outbox: the reply, then what the request causes for others (world.edited, world.changed). So a
// session that joins gets the document before it is told of changes.
#include "world/edit/apply.h"

#include "base/assert.h"
#include "world/answer/account.h"
#include "world/answer/call.h"
#include "world/answer/event.h"
#include "world/state.h"
#include "world/time/clock.h"
#include "world/time/view.h"

typedef void (*apply_function)(struct world_call *call);

// A method of these classes that has no function causes a link error.
#define APPLY_SERVER(ident) NULL
#define APPLY_QUERY(ident) world_apply_##ident
#define APPLY_EDIT(ident) world_apply_edit
#define APPLY_INPUT(ident) world_apply_##ident
#define APPLY_CONTROL(ident) world_apply_##ident
#define APPLY(class, ident, name) APPLY_##class(ident),

static const apply_function apply_table[] = {PROTOCOL_METHODS(APPLY)};
_Static_assert(sizeof apply_table / sizeof *apply_table == PROTOCOL_METHOD_COUNT, "one entry a method");

static bool refuse_left(struct world_call *call)
{
    const struct world *world = call->world;
    const struct protocol_home *home = world_home_of(world->time);
    if (home->address[0] == 0) {
        return world_refuse(call, PROTOCOL_CODE_BUSY, "world",
                            "world \"%s\" (%u) moves to another server; try again later",
                            world->document->name, world->id);
    }
    protocol_error_moved(&call->error, world->document->name, home);
    return false;
}

// Gives the message of a request back, because nothing was done: it may be sent to the server that has the
// world.
static void give_back(struct world_request *request)
{
    struct world_packet *packet = request->packet;
    request->reply->again = packet->bytes;
    request->reply->again_size = packet->size;
    packet->bytes = NULL;
}

static bool call_admit(struct world_call *call)
{
    const struct world *world = call->world;
    enum protocol_class class = protocol_methods[call->request->method].class_;
    if (world_is_leaving(world->time)) {
        return refuse_left(call);
    }
    if (world_is_deleted(world->time)) {
        return world_refuse(call, PROTOCOL_CODE_NOT_FOUND, "world", "world \"%s\" (%u) was deleted",
                            world->document->name, world->id);
    }
    // The message that ends the world may be far behind in the inbox. Queries are answered as long as there
    // is a state.
    const bool late =
        class != PROTOCOL_CLASS_QUERY && world_time_is_up(world->time, call->request->asker.session);
    if ((world->document->broken || late) && !world_methods[call->request->method].ends_world) {
        return world_refuse_broken(call);
    }
    const char *read_only = world_read_only(world);
    if (read_only && class != PROTOCOL_CLASS_QUERY && !world_methods[call->request->method].ends_world) {
        return world_refuse(call, PROTOCOL_CODE_READ_ONLY, "world", "world \"%s\" (%u) is read-only: %s",
                            world->document->name, world->id, read_only);
    }
    if (class == PROTOCOL_CLASS_QUERY && world_account_gone(call->request->account)) {
        return world_refuse(call, PROTOCOL_CODE_CONFLICT, NULL, "session %u is gone",
                            call->request->asker.session);
    }
    if (world_is_shut(world->time) && class == PROTOCOL_CLASS_QUERY &&
        world_account_full(call->request->account)) {
        return world_refuse(call, PROTOCOL_CODE_SHUTDOWN, NULL,
                            "the server is going down, and answers before this one have not been read");
    }
    if (world_is_shut(world->time) && class != PROTOCOL_CLASS_QUERY) {
        return world_refuse(call, PROTOCOL_CODE_SHUTDOWN, NULL, "the server is going down; %s is not taken",
                            protocol_methods[call->request->method].name);
    }
    return true;
}

void world_apply(struct world *world, struct world_request *request)
{
    struct world_call call = {.world = world, .request = request, .params = request->params};
    apply_function apply = apply_table[request->method];
    BASE_ASSERT(apply);
    const bool left = world_is_leaving(world->time);
    if (call_admit(&call)) {
        apply(&call);
    }
    if (call.error.code != PROTOCOL_CODE_OK) {
        BASE_ASSERT(!call.answered && !call.deferred);
        if (call.error.revision == 0) {
            call.error.revision = world->document->revision;
        }
        if (left) {
            give_back(request);
        }
        world_answer_error(world, request, &call.error);
    } else {
        BASE_ASSERT(call.answered != call.deferred);
    }
    if (!call.deferred) {
        world_request_destroy(request);
    }
}
