// server.*, world.list, stream.ack, stream.differs.
#include "dispatch/admin/admin.h"

#include "base/clock.h"
#include "cluster/cluster.h"
#include "dispatch/call.h"
#include "dispatch/dispatch.h"
#include "dispatch/later.h"
#include "dispatch/permit/permit.h"
#include "dispatch/route/route.h"
#include "host/badge.h"
#include "host/outgoing.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "net/net.h"
#include "protocol/error.h"
#include "protocol/utf8/utf8.h"
#include "store/store.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Results are structs without defaults: each field is there.
static const uint64_t all_fields = UINT64_MAX;
static const uint64_t exact_fields =
    PROTOCOL_HAS_WORLD_SUMMARY_EXACT_TICK | PROTOCOL_HAS_WORLD_SUMMARY_EXACT_SOLVER;

static struct protocol_string string_of(const char *text)
{
    return (struct protocol_string){.data = text, .size = (uint32_t)strlen(text)};
}

static bool answer(struct dispatch_call *call, const struct protocol_struct *type, const void *result)
{
    protocol_encode(type, result, host_session_asker(call->session).arrays, call->packer);
    return true;
}

static int storage_kind(const struct store *store)
{
    const char *kind = store ? store_kind(store) : "memory";
    return strcmp(kind, "nats") == 0     ? PROTOCOL_STORAGE_KIND_NATS
           : strcmp(kind, "sqlite") == 0 ? PROTOCOL_STORAGE_KIND_SQLITE
                                         : PROTOCOL_STORAGE_KIND_MEMORY;
}

static struct protocol_storage storage_of(const struct host_registry *registry)
{
    struct store *store = host_registry_store(registry);
    return (struct protocol_storage){
        .has = all_fields,
        .kind = storage_kind(store),
        .lasts = store && store_lasts(store),
        .bytes = store ? store_bytes(store) : 0,
    };
}

bool dispatch_server_info(struct dispatch_call *call)
{
    return answer(call, &protocol_server_info_result_type,
                  &(struct protocol_server_info_result){
                      .has = all_fields,
                      .name = string_of("weft"),
                      .version = string_of(PROTOCOL_VERSION),
                      .api_level = PROTOCOL_API_LEVEL,
                      .api_compatible = PROTOCOL_API_COMPATIBLE,
                      .methods = protocol_api_methods,
                      .notifications = protocol_api_notifications,
                      .errors = protocol_api_errors,
                      .types = protocol_api_types,
                      .limits = call->server->limits,
                      .storage = storage_of(call->server->registry),
                  });
}

bool dispatch_server_ping(struct dispatch_call *call)
{
    return answer(call, &protocol_server_ping_result_type,
                  &(struct protocol_server_ping_result){.has = all_fields, .time_us = base_now_ns() / 1000});
}

bool dispatch_server_stats(struct dispatch_call *call)
{
    const struct host_sessions *sessions = host_session_owner(call->session);
    struct host_sessions_stats stats;
    struct net_stats net[2];
    struct host_totals totals;
    const struct host_registry *registry = call->server->registry;
    host_sessions_stats(sessions, &stats, net);
    host_registry_totals(registry, &totals);
    uint64_t cut = 0;
    for (int cause = 0; cause < HOST_CUT_COUNT; cause++) {
        cut += stats.cut[cause];
    }
    return answer(call, &protocol_server_stats_result_type,
                  &(struct protocol_server_stats_result){
                      .has = all_fields,
                      .uptime = (double)(base_now_ns() - call->server->started_ns) * 1e-9,
                      .threads = call->server->threads,
                      .sessions = host_sessions_count(sessions),
                      .sessions_total = net[0].accepted + net[1].accepted,
                      .sessions_cut = cut,
                      .worlds = host_registry_count(registry) - host_registry_views(registry),
                      .streams = stats.streams,
                      .requests = stats.requests,
                      .notifications_ignored = stats.notifications_ignored,
                      .bytes_in = net[0].bytes_in + net[1].bytes_in,
                      .bytes_out = net[0].bytes_out + net[1].bytes_out,
                      .frames_sent = net[0].frames_sent + net[1].frames_sent,
                      .frames_dropped = net[0].frames_dropped + net[1].frames_dropped + totals.frames_dropped,
                      .ticks = totals.ticks,
                      .ticks_late = totals.ticks_late,
                      .lateness_max_us = totals.lateness_max_us,
                  });
}

bool dispatch_server_list(struct dispatch_call *call)
{
    struct protocol_server_list_result result = {.has = all_fields};
    if (!dispatch_route_servers(call, &result.servers)) {
        protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the list of servers");
        return false;
    }
    return answer(call, &protocol_server_list_result_type, &result);
}

// Why nobody runs it; in the call's zone.
static const char *trouble_of(struct dispatch_call *call, struct cluster *cluster, uint32_t world)
{
    char why[CLUSTER_TEXT_SIZE];
    if (!cluster_why(cluster, world, why)) {
        return "";
    }
    char *text = msgpack_zone_malloc(call->zone, sizeof why);
    if (!text) {
        return "";
    }
    memcpy(text, why, sizeof why);
    protocol_utf8_clean(text, strlen(text));
    return text;
}

// Those that other servers run, as far as this one knows of them: their names, and where they are; and those that none can. Gives
// how many.
static uint32_t list_elsewhere(struct dispatch_call *call, struct cluster *cluster,
                               const struct cluster_world *worlds, uint32_t count,
                               struct protocol_world_summary *items)
{
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct protocol_home home = {0};
        const bool runs = worlds[i].run[0] != '\0';
        if (dispatch_permit_role(call->server, call->session, worlds[i].world) == PROTOCOL_ROLE_ANYONE ||
            (runs && !host_home_find(cluster, worlds[i].world, &home))) {
            continue;
        }
        struct protocol_home *kept = msgpack_zone_malloc(call->zone, sizeof *kept);
        char *name = msgpack_zone_malloc(call->zone, sizeof worlds[i].label);
        if (!kept || !name) {
            continue;
        }
        *kept = home;
        memcpy(name, worlds[i].label, sizeof worlds[i].label);
        items[listed++] = (struct protocol_world_summary){
            .has = all_fields & ~(exact_fields | PROTOCOL_HAS_WORLD_SUMMARY_EXACT |
                                  (runs ? PROTOCOL_HAS_WORLD_SUMMARY_TROUBLE : 0)),
            .trouble = string_of(runs ? "" : trouble_of(call, cluster, worlds[i].world)),
            .world = worlds[i].world,
            .name = string_of(name),
            .state = PROTOCOL_WORLD_SUMMARY_STATE_PAUSED,
            .server = string_of(kept->server),
            .address = string_of(kept->address),
            .web = string_of(kept->web),
        };
    }
    return listed;
}

bool dispatch_world_list(struct dispatch_call *call)
{
    const struct host_registry *registry = call->server->registry;
    struct cluster *cluster = host_registry_cluster(registry);
    uint32_t count = host_registry_count(registry), known = 0;
    struct cluster_world *worlds = cluster ? cluster_worlds(cluster, &known) : NULL;
    struct protocol_world_summary *items =
        msgpack_zone_malloc(call->zone, ((size_t)count + known + 1) * sizeof *items);
    if (!items) {
        free(worlds);
        protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the list of worlds");
        return false;
    }
    uint32_t open = 0;
    for (uint32_t position = 0; position < count; position++) {
        const struct host_world *world = host_registry_at(registry, position);
        if (host_world_is_closing(world) || host_world_is_view(world) ||
            dispatch_permit_role(call->server, call->session, host_world_id(world)) == PROTOCOL_ROLE_ANYONE) {
            continue;
        }
        struct world_face face;
        struct world_durable durable;
        host_world_face(world, &face);
        host_world_durable(world, &durable);
        items[open++] = (struct protocol_world_summary){
            .has = all_fields & ~(PROTOCOL_HAS_WORLD_SUMMARY_SERVER | PROTOCOL_HAS_WORLD_SUMMARY_ADDRESS |
                                  PROTOCOL_HAS_WORLD_SUMMARY_WEB | PROTOCOL_HAS_WORLD_SUMMARY_TROUBLE |
                                  (face.exact_solver == 0 ? exact_fields : 0)),
            .world = host_world_id(world),
            .name = string_of(host_world_name(world)),
            .state = (int)face.state,
            .rate = face.rate,
            .tick = face.tick,
            .revision = durable.revision,
            .bodies = face.bodies,
            .particles = face.particles,
            .people = face.people,
            .exact = face.exact_solver == 0,
            .exact_tick = face.exact_tick,
            .exact_solver = face.exact_solver,
        };
    }
    open += list_elsewhere(call, cluster, worlds, known, items + open);
    free(worlds);
    return answer(
        call, &protocol_world_list_result_type,
        &(struct protocol_world_list_result){.has = all_fields, .worlds = {.items = items, .count = open}});
}

static bool has_stream(struct dispatch_call *call, uint32_t stream)
{
    if (host_session_stream_world(call->session, stream) != 0) {
        return true;
    }
    protocol_error_set(call->error, PROTOCOL_CODE_NOT_FOUND, "stream",
                       "no stream %" PRIu32 " in this session", stream);
    snprintf(call->error->value, sizeof call->error->value, "%" PRIu32, stream);
    return false;
}

bool dispatch_stream_ack(struct dispatch_call *call)
{
    const struct protocol_stream_ack_params *params = call->params;
    if (!has_stream(call, params->stream)) {
        return false;
    }
    if (!host_session_stream_ack(call->session, params->stream, params->seq)) {
        protocol_error_set(call->error, PROTOCOL_CODE_INVALID, "seq",
                           "seq: %" PRIu32 "; no such frame of stream %" PRIu32 " was sent", params->seq,
                           params->stream);
        snprintf(call->error->value, sizeof call->error->value, "%" PRIu32, params->seq);
        return false;
    }
    return answer(call, &protocol_stream_ack_result_type,
                  &(struct protocol_stream_ack_result){.has = all_fields});
}

bool dispatch_stream_differs(struct dispatch_call *call)
{
    const struct protocol_stream_differs_params *params = call->params;
    if (!has_stream(call, params->stream)) {
        return false;
    }
    call->server->twin_differences++;
    return answer(call, &protocol_stream_differs_result_type,
                  &(struct protocol_stream_differs_result){.has = all_fields});
}

static bool is_string(const msgpack_object *value, const char *text)
{
    size_t size = strlen(text);
    return value->type == MSGPACK_OBJECT_STR && value->via.str.size == size &&
           memcmp(value->via.str.ptr, text, size) == 0;
}

// Finds the value of a limit that is an option. False: it is none.
static bool limit_set(const struct dispatch_limits *limits, const msgpack_object *name, uint64_t *value)
{
    const struct {
        const char *name;
        uint64_t value;
    } set[] = {
#define LIMIT(type, name) {#name, limits->name},
        DISPATCH_LIMITS(LIMIT)
#undef LIMIT
    };
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++) {
        *value = set[i].value;
        if (is_string(name, set[i].name)) {
            return true;
        }
    }
    return false;
}

struct base_buffer *dispatch_admin_limits(const struct dispatch_limits *limits)
{
    struct host_outgoing out;
    host_outgoing_init(&out);
    msgpack_unpacked all;
    msgpack_unpacked_init(&all);
    if (msgpack_unpack_next(&all, protocol_api_limits.data, protocol_api_limits.size, NULL) !=
        MSGPACK_UNPACK_SUCCESS) {
        goto cleanup;
    }
    msgpack_pack_map(&out.packer, all.data.via.map.size);
    for (uint32_t i = 0; i < all.data.via.map.size; i++) {
        const msgpack_object_kv *entry = &all.data.via.map.ptr[i];
        msgpack_pack_object(&out.packer, entry->key);
        uint64_t value;
        if (limit_set(limits, &entry->key, &value)) {
            msgpack_pack_uint64(&out.packer, value);
        } else {
            msgpack_pack_object(&out.packer, entry->val);
        }
    }
cleanup:
    msgpack_unpacked_destroy(&all);
    return host_outgoing_finish(&out);
}
