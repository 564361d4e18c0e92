// Has one row for each method that claims something. The meaning of a claim's id is the row's business; the
// world returns it unchanged.
#include "host/claim.h"

#include "host/names.h"
#include "host/session.h"
#include "host/world_internal.h"
#include "protocol/error.h"

struct row {
    bool (*take)(struct host_session *session, struct host_world *world, const void *params,
                 struct world_claim *claim, struct protocol_error *error);
    // NULL: there is nothing to do.
    void (*keep)(struct host_session *session, struct host_world *world, uint32_t id);
    void (*give_back)(struct host_session *session, struct host_world *world, uint32_t id);
};

// ---------------------------------------------------------------------------------------------------------
// Membership. The id of a joining one is its arrays mode.

static bool join_take(struct host_session *session, struct host_world *world, const void *params,
                      struct world_claim *claim, struct protocol_error *error)
{
    (void)world, (void)params, (void)error;
    *claim = (struct world_claim){.held = true, .id = (uint32_t)host_session_asker(session).arrays};
    return true;
}

static void join_keep(struct host_session *session, struct host_world *world, uint32_t id)
{
    if (session) {
        host_session_joined(session, world->id, (enum protocol_arrays_mode)id);
    }
}

static bool leave_take(struct host_session *session, struct host_world *world, const void *params,
                       struct world_claim *claim, struct protocol_error *error)
{
    (void)session, (void)world, (void)params, (void)error;
    claim->held = true;
    return true;
}

static void leave_keep(struct host_session *session, struct host_world *world, uint32_t id)
{
    (void)id;
    if (session) {
        host_session_left(session, world->id);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Streams, by their id

static bool stream_take(struct host_session *session, struct host_world *world, const void *params,
                        struct world_claim *claim, struct protocol_error *error)
{
    const struct protocol_stream_subscribe_params *given = params;
    *claim = (struct world_claim){.held = true, .id = host_session_stream_add(session, world->id)};
    if (claim->id != 0) {
        if (given->mode == PROTOCOL_STREAM_SUBSCRIBE_PARAMS_MODE_LOSSLESS) {
            host_session_stream_lossless(session, claim->id, given->credit);
        }
        return true;
    }
    protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL,
                       "this session has %d streams, the most it may have (limit streams)",
                       (int)PROTOCOL_LIMIT_STREAMS);
    error->limit = (double)PROTOCOL_LIMIT_STREAMS;
    return false;
}

static void stream_keep(struct host_session *session, struct host_world *world, uint32_t id)
{
    (void)world;
    if (session) {
        host_session_stream_opened(session, id);
    }
}

static void stream_end(struct host_session *session, struct host_world *world, uint32_t id)
{
    (void)world;
    if (session) {
        host_session_stream_remove(session, id);
    }
}

static bool unsubscribe_take(struct host_session *session, struct host_world *world, const void *params,
                             struct world_claim *claim, struct protocol_error *error)
{
    (void)session, (void)world, (void)error;
    const struct protocol_stream_unsubscribe_params *given = params;
    *claim = (struct world_claim){.held = true, .id = given->stream};
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Names of worlds, by the id of the reservation; kept or given back whether or not the session is still there

static bool name_take(struct host_session *session, struct host_world *world, const void *params,
                      struct world_claim *claim, struct protocol_error *error)
{
    (void)session;
    const struct protocol_world_set_params *given = params;
    if ((given->has & PROTOCOL_HAS_WORLD_SET_PARAMS_NAME) == 0) {
        return true;
    }
    claim->held = host_name_reserve(world, &given->name, &claim->id, error);
    return claim->held;
}

static bool restore_take(struct host_session *session, struct host_world *world, const void *params,
                         struct world_claim *claim, struct protocol_error *error)
{
    (void)session;
    const struct protocol_edit_restore_params *given = params;
    if ((given->has & PROTOCOL_HAS_EDIT_RESTORE_PARAMS_NAME) == 0) {
        return true;
    }
    claim->held = host_name_reserve(world, &given->name, &claim->id, error);
    return claim->held;
}

static void name_keep(struct host_session *session, struct host_world *world, uint32_t id)
{
    (void)session;
    host_name_adopt(world, id);
}

static void name_give_back(struct host_session *session, struct host_world *world, uint32_t id)
{
    (void)session;
    host_name_release(world, id);
}

// ---------------------------------------------------------------------------------------------------------

static const struct row rows[PROTOCOL_METHOD_COUNT] = {
    [PROTOCOL_METHOD_WORLD_SET] = {name_take, name_keep, name_give_back},
    [PROTOCOL_METHOD_EDIT_RESTORE] = {restore_take, name_keep, name_give_back},
    // A request that takes a rename back claims the name on its way through the world, because only the world
    // knows which name it is.
    [PROTOCOL_METHOD_EDIT_UNDO] = {NULL, name_keep, name_give_back},
    [PROTOCOL_METHOD_EDIT_REDO] = {NULL, name_keep, name_give_back},
    [PROTOCOL_METHOD_WORLD_JOIN] = {join_take, join_keep, NULL},
    [PROTOCOL_METHOD_WORLD_LEAVE] = {leave_take, leave_keep, NULL},
    [PROTOCOL_METHOD_STREAM_SUBSCRIBE] = {stream_take, stream_keep, stream_end},
    [PROTOCOL_METHOD_STREAM_UNSUBSCRIBE] = {unsubscribe_take, stream_end, NULL},
};

bool host_claim_take(enum protocol_method method, struct host_session *session, struct host_world *world,
                     const void *params, struct world_claim *claim, struct protocol_error *error)
{
    const struct row *row = &rows[method];
    *claim = (struct world_claim){0};
    if (!row->take || row->take(session, world, params, claim, error)) {
        return true;
    }
    claim->held = false;
    return false;
}

void host_claim_keep(enum protocol_method method, struct host_session *session, struct host_world *world,
                     const struct world_claim *claim)
{
    if (claim->held && rows[method].keep) {
        rows[method].keep(session, world, claim->id);
    }
}

void host_claim_give_back(enum protocol_method method, struct host_session *session, struct host_world *world,
                          const struct world_claim *claim)
{
    if (claim->held && rows[method].give_back) {
        rows[method].give_back(session, world, claim->id);
    }
}
