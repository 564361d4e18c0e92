// Every metric is a family of lines: HELP, TYPE, then a value for each label. What only grows ends in _total;
// sizes are in bytes and times in seconds. Worlds have no labels of their own: people name them, and there
// may be many.
#include "dispatch/admin/admin.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/log.h"
#include "dispatch/call.h"
#include "dispatch/dispatch.h"
#include "host/lease.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "net/net.h"
#include "past/past.h"
#include "protocol/array/reserve.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct text {
    char *data;
    size_t size, capacity;
    bool failed;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *text, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (size < 0 || (size_t)size >= sizeof line) {
        text->failed = true;
    }
    if (text->failed || !array_reserve(&text->data, &text->capacity, text->size + (size_t)size)) {
        text->failed = true;
        return;
    }
    memcpy(text->data + text->size, line, (size_t)size);
    text->size += (size_t)size;
}

static void family(struct text *text, const char *name, const char *type, const char *help)
{
    add(text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void single(struct text *text, const char *name, const char *type, const char *help, double value)
{
    family(text, name, type, help);
    add(text, "%s %.15g\n", name, value);
}

static void labelled(struct text *text, const char *name, const char *label, const char *key, double value)
{
    add(text, "%s{%s=\"%s\"} %.15g\n", name, label, key, value);
}

// ---------------------------------------------------------------------------------------------------------
// Worlds

static void add_worlds(struct text *text, const struct host_registry *registry)
{
    static const char *const states[] = {
        [WORLD_PAUSED] = "paused", [WORLD_PLAYING] = "playing", [WORLD_FAILED] = "failed"};
    uint64_t by_state[3] = {0}, bodies = 0, particles = 0, people = 0, requests = 0, frame_bytes = 0,
             slowed = 0, held = 0, twins = 0;
    for (uint32_t i = 0; i < host_registry_count(registry); i++) {
        const struct host_world *world = host_registry_at(registry, i);
        if (host_world_is_view(world)) {
            continue;
        }
        struct world_face face;
        struct world_load load;
        host_world_face(world, &face);
        host_world_load(world, &load);
        by_state[face.state]++;
        slowed += face.slowed;
        held += face.held;
        bodies += face.bodies;
        particles += face.particles;
        people += face.people;
        twins += face.twins;
        requests += load.requests;
        frame_bytes += load.frame_bytes;
    }
    family(text, "weft_worlds", "gauge", "Worlds by state.");
    for (int state = 0; state < 3; state++) {
        labelled(text, "weft_worlds", "state", states[state], (double)by_state[state]);
    }
    single(text, "weft_worlds_slowed", "gauge",
           "Worlds whose ticks take longer than they may: they have half a thread at most.", (double)slowed);
    single(text, "weft_worlds_held", "gauge",
           "Worlds that wait for a lossless stream, or did in the last second.", (double)held);
    single(text, "weft_bodies", "gauge", "Bodies in all worlds.", (double)bodies);
    single(text, "weft_particles", "gauge", "Particles in all worlds.", (double)particles);
    single(text, "weft_people", "gauge", "Sessions that joined a world, once for each.", (double)people);
    single(text, "weft_twins", "gauge", "Streams of records, of those who run a world for themselves.",
           (double)twins);
    single(text, "weft_world_requests_waiting", "gauge", "Requests that worlds have and have not answered.",
           (double)requests);
    single(text, "weft_frame_bytes", "gauge", "Frames in memory, shared by all that get them.",
           (double)frame_bytes);
}

static void add_ticks(struct text *text, const struct host_totals *totals)
{
    static const char *const phases[WORLD_PHASE_COUNT] = {
        [WORLD_PHASE_PREDICT] = "predict", [WORLD_PHASE_WIND] = "wind",
        [WORLD_PHASE_SOLVE] = "solve",     [WORLD_PHASE_CONTACTS] = "contacts",
        [WORLD_PHASE_FINISH] = "finish",   [WORLD_PHASE_CAPTURE] = "capture",
        [WORLD_PHASE_APPLY] = "apply",
    };
    single(text, "weft_ticks_total", "counter", "Ticks of all worlds.", (double)totals->ticks);
    single(text, "weft_past_ticks_total", "counter",
           "Ticks that were run again, to show, branch or open worlds from their pasts.",
           (double)past_ticks());
    single(text, "weft_ticks_late_total", "counter", "Ticks that began more than one tick after their time.",
           (double)totals->ticks_late);
    single(text, "weft_tick_lateness_seconds_total", "counter",
           "How late ticks began, together; by weft_ticks_total it is the mean.",
           (double)totals->lateness_us * 1e-6);
    single(text, "weft_tick_lateness_seconds_max", "gauge",
           "The latest a tick began since the server started.", (double)totals->lateness_max_us * 1e-6);
    single(text, "weft_time_lost_seconds_total", "counter",
           "Time that worlds gave up because they could not keep pace.", (double)totals->time_lost_us * 1e-6);
    single(text, "weft_world_held_seconds_total", "counter", "Time that worlds waited for lossless streams.",
           totals->held_s);
    family(text, "weft_phase_seconds_total", "counter",
           "Wall time of worlds' turns by phase: of the step, of making frames, of applying requests.");
    for (int phase = 0; phase < WORLD_PHASE_COUNT; phase++) {
        labelled(text, "weft_phase_seconds_total", "phase", phases[phase], totals->phase_s[phase]);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Sessions

static void add_by_transport(struct text *text, const char *name, const char *type, const char *help,
                             double tcp, double websocket)
{
    family(text, name, type, help);
    labelled(text, name, "transport", "tcp", tcp);
    labelled(text, name, "transport", "websocket", websocket);
}

static void add_sessions(struct text *text, const struct host_sessions *sessions,
                         const struct host_totals *totals)
{
    struct host_sessions_stats stats;
    struct net_stats net[2];
    host_sessions_stats(sessions, &stats, net);
    add_by_transport(text, "weft_sessions", "gauge", "Open sessions.", net[0].open, net[1].open);
    add_by_transport(text, "weft_sessions_total", "counter", "Sessions that began.", (double)net[0].accepted,
                     (double)net[1].accepted);
    single(text, "weft_sessions_away", "gauge", "Sessions kept whose connection is lost.", stats.away);
    single(text, "weft_sessions_resumed_total", "counter",
           "Times that a session went on with another connection.", (double)stats.resumed);
    single(text, "weft_sessions_away_ended_total", "counter", "Sessions ended since too many were away.",
           (double)stats.away_ended);
    single(text, "weft_kept_bytes", "gauge", "Answers and notifications kept for sessions that come back.",
           (double)stats.kept_bytes);
    family(text, "weft_sessions_cut_total", "counter", "Sessions ended by the server, by cause.");
    for (int cause = 0; cause < HOST_CUT_COUNT; cause++) {
        labelled(text, "weft_sessions_cut_total", "reason", host_cut_name((enum host_cut)cause),
                 (double)stats.cut[cause]);
    }
    family(text, "weft_sessions_refused_total", "counter", "Connections that did not become sessions.");
    for (int why = 0; why < HOST_REFUSAL_COUNT; why++) {
        labelled(text, "weft_sessions_refused_total", "reason", host_refusal_name((enum host_refusal)why),
                 (double)stats.refused[why]);
    }
    add_by_transport(text, "weft_received_bytes_total", "counter",
                     "Bytes received; websocket counts all of HTTP.", (double)net[0].bytes_in,
                     (double)net[1].bytes_in);
    add_by_transport(text, "weft_sent_bytes_total", "counter", "Bytes sent; websocket counts all of HTTP.",
                     (double)net[0].bytes_out, (double)net[1].bytes_out);
    add_by_transport(text, "weft_frames_sent_total", "counter", "Frames sent, once for each stream.",
                     (double)net[0].frames_sent, (double)net[1].frames_sent);
    family(text, "weft_frames_dropped_total", "counter",
           "Frames left out: a client was slow, or a world had no room for frames.");
    labelled(text, "weft_frames_dropped_total", "reason", "slow_client",
             (double)(net[0].frames_dropped + net[1].frames_dropped + totals->frames_slow));
    labelled(text, "weft_frames_dropped_total", "reason", "no_room",
             (double)(totals->frames_dropped - totals->frames_slow));
    single(text, "weft_streams", "gauge", "Open streams.", stats.streams);
    single(text, "weft_requests_total", "counter", "Requests received.", (double)stats.requests);
    single(text, "weft_requests_unanswered", "gauge", "Requests of open sessions that wait for an answer.",
           stats.unanswered);
    single(text, "weft_notifications_ignored_total", "counter",
           "Notifications of unknown methods, and responses nobody awaited.",
           (double)stats.notifications_ignored);
    single(text, "weft_unsent_bytes", "gauge", "Answers and notifications that sessions have not read yet.",
           (double)stats.unsent_bytes);
    single(text, "weft_http_connections", "gauge", "Connections of HTTP that are no WebSockets.",
           net[1].http_open);
    single(text, "weft_http_requests_total", "counter", "HTTP requests answered, handshakes included.",
           (double)net[1].http_requests);
    single(text, "weft_http_refused_total", "counter",
           "HTTP requests answered with a status of 400 or above.", (double)net[1].http_refused);
    add_by_transport(text, "weft_tls_handshakes_total", "counter", "Handshakes of TLS that were done.",
                     (double)net[0].handshakes, (double)net[1].handshakes);
    add_by_transport(text, "weft_tls_handshakes_failed_total", "counter", "Those that came to nothing.",
                     (double)net[0].handshakes_failed, (double)net[1].handshakes_failed);
    single(text, "weft_tls_certificate_expires_seconds", "gauge",
           "When the certificate in use expires, since 1970; 0 without TLS.", (double)net[0].tls_expires);
}

// ---------------------------------------------------------------------------------------------------------
// The process

static void add_loops(struct text *text, const struct net_loop *loop)
{
    family(text, "weft_loop_connections", "gauge", "Open connections of each loop, those of HTTP included.");
    for (uint32_t i = 0; i < net_loop_count(loop); i++) {
        char index[16];
        snprintf(index, sizeof index, "%" PRIu32, i);
        labelled(text, "weft_loop_connections", "loop", index, net_loop_connections(loop, i));
    }
}

static void add_store(struct text *text, struct store *store)
{
    struct store_pending pending;
    struct store_brokers brokers;
    store_pending(store, 0, &pending);
    single(text, "weft_store_bytes", "gauge", "That worlds and their past take, about.",
           (double)store_bytes(store));
    single(text, "weft_store_full", "gauge",
           "Whether there is no room to keep anything: then worlds are read-only.", pending.full);
    if (!store_brokers(store, &brokers)) {
        return;
    }
    single(text, "weft_brokers_connected", "gauge", "Whether one of the brokers of --store is reached.",
           brokers.connected);
    single(text, "weft_brokers_in_flight", "gauge", "Messages that brokers have not acknowledged yet.",
           brokers.in_flight);
    single(text, "weft_brokers_waiting_bytes", "gauge", "Of records that are not durable yet.",
           (double)brokers.waiting_bytes);
    single(text, "weft_brokers_refused_total", "counter", "Messages that brokers did not take.",
           (double)brokers.refused);
    single(text, "weft_worlds_taken_over_total", "counter", "Worlds taken over from a stream.",
           (double)brokers.taken);
    single(text, "weft_worlds_lost_total", "counter",
           "Worlds that another server took, or that are kept no more.", (double)brokers.lost);
    single(text, "weft_durable_total", "counter", "Appends to streams that became durable.",
           (double)brokers.durable);
    single(text, "weft_durable_seconds_total", "counter",
           "How long these waited for that, together; by weft_durable_total it is the mean.",
           (double)brokers.durable_ns * 1e-9);
    single(text, "weft_durable_seconds_max", "gauge", "The longest that one waited since the server started.",
           (double)brokers.durable_ns_max * 1e-9);
}

static void add_process(struct text *text, const struct dispatch_server *server)
{
    family(text, "weft_info", "gauge", "Which server this is.");
    labelled(text, "weft_info", "version", PROTOCOL_VERSION, 1);
    single(text, "weft_uptime_seconds", "gauge", "Since the server started.",
           (double)(base_now_ns() - server->started_ns) * 1e-9);
    single(text, "weft_log_lines_lost_total", "counter",
           "Log lines that were left out: too many of their kind, or nobody read them.",
           (double)base_log_dropped());
    single(text, "weft_twin_differences_total", "counter",
           "Times that a twin told that it came to another state than its world.",
           (double)server->twin_differences);
    single(text, "weft_simulation_threads", "gauge", "Threads that run worlds.", server->threads);
    add_loops(text, server->loop);
    struct store *store = host_registry_store(server->registry);
    if (store) {
        add_store(text, store);
    }

    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
        single(text, "process_cpu_seconds_total", "counter", "Processor time of the process.",
               (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                   (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6);
    }
    FILE *statm = fopen("/proc/self/statm", "r");
    uint64_t pages[2];
    if (statm && fscanf(statm, "%" SCNu64 " %" SCNu64, &pages[0], &pages[1]) == 2) {
        double page = (double)sysconf(_SC_PAGESIZE);
        single(text, "process_virtual_memory_bytes", "gauge", "Memory that is mapped.",
               (double)pages[0] * page);
        single(text, "process_resident_memory_bytes", "gauge", "Memory that is in use.",
               (double)pages[1] * page);
    }
    if (statm) {
        fclose(statm);
    }
}

static void add_cluster(struct text *text, struct host_lease *lease)
{
    struct cluster_counts counts;
    struct host_lease_counts moves;
    if (!lease) {
        return;
    }
    cluster_counts(host_lease_cluster(lease), &counts);
    host_lease_counts(lease, &moves);
    single(text, "weft_cluster_servers", "gauge", "Servers that share worlds and live, this one included.",
           counts.servers);
    single(text, "weft_cluster_worlds_here", "gauge", "Worlds that are this server's.", counts.here);
    single(text, "weft_cluster_worlds_elsewhere", "gauge", "Worlds that other servers have.",
           counts.elsewhere);
    single(text, "weft_cluster_worlds_failed", "gauge", "Worlds that no server could run.", counts.failed);
    single(text, "weft_cluster_given_back_total", "counter", "Worlds that this server had and could not run.",
           (double)counts.given_back);
    single(text, "weft_cluster_taken_total", "counter",
           "Worlds that were taken over from servers that were not heard any more.", (double)counts.taken);
    single(text, "weft_cluster_lost_total", "counter", "Worlds that others took from this server.",
           (double)counts.lost);
    single(text, "weft_cluster_received_total", "counter", "Worlds that others gave.",
           (double)counts.received);
    single(text, "weft_cluster_moves_total", "counter", "Worlds that were given to others.",
           (double)moves.moves);
    single(text, "weft_cluster_moves_failed_total", "counter", "Worlds that could not be given.",
           (double)moves.moves_failed);
    single(text, "weft_cluster_stop_seconds_max", "gauge",
           "Longest that a world stood still here before another had it.", moves.stop_max_s);
    single(text, "weft_cluster_asleep_total", "counter",
           "Times that this process slept for so long that others may have had its worlds.",
           (double)counts.asleep);
}

static void add_passed(struct text *text, const struct dispatch_elsewhere *elsewhere)
{
    struct dispatch_passed_counts counts;
    if (!elsewhere) {
        return;
    }
    elsewhere->count(elsewhere->context, &counts);
    family(text, "weft_passed_lines", "gauge", "Connections to servers that run worlds of sessions here.");
    labelled(text, "weft_passed_lines", "of", "session", counts.lines);
    labelled(text, "weft_passed_lines", "of", "shared_stream", counts.shared_lines);
    family(text, "weft_passed_streams", "gauge", "Streams of worlds that other servers run.");
    labelled(text, "weft_passed_streams", "of", "session", counts.streams);
    labelled(text, "weft_passed_streams", "of", "shared", counts.shared_streams);
    single(text, "weft_passed_viewers", "gauge", "Streams of sessions here that are shown what is shared.",
           counts.viewers);
    single(text, "weft_passed_calls_total", "counter", "Requests passed on to other servers.",
           (double)counts.calls);
    single(text, "weft_passed_notifications_total", "counter",
           "Notifications that came of them, frames aside.", (double)counts.notices);
    single(text, "weft_passed_frames_total", "counter",
           "Parts of frames that came, those of shared streams once.", (double)counts.frames);
    family(text, "weft_passed_bytes_total", "counter", "Bytes of those connections.");
    labelled(text, "weft_passed_bytes_total", "direction", "received", (double)counts.bytes_in);
    labelled(text, "weft_passed_bytes_total", "direction", "sent", (double)counts.bytes_out);
    single(text, "weft_passed_lost_total", "counter",
           "Connections that were lost, or came to nothing in time.", (double)counts.lost);
    family(text, "weft_passed_failed_total", "counter",
           "Requests that no other server answered: refused here, or lost with their connection.");
    labelled(text, "weft_passed_failed_total", "reason", "refused", (double)counts.refused);
    labelled(text, "weft_passed_failed_total", "reason", "lost", (double)counts.unanswered);
    single(text, "weft_passed_distrusted_total", "counter",
           "Times that a server by TLS was not the right one.", (double)counts.distrusted);
}

struct base_buffer *dispatch_admin_metrics(const struct dispatch_server *server,
                                           const struct host_sessions *sessions)
{
    struct text text = {0};
    struct host_totals totals;
    host_registry_totals(server->registry, &totals);
    add_process(&text, server);
    add_cluster(&text, server->lease);
    add_passed(&text, server->elsewhere);
    add_worlds(&text, server->registry);
    add_ticks(&text, &totals);
    add_sessions(&text, sessions, &totals);
    struct base_buffer *bytes = text.failed ? NULL : base_buffer_create(text.size, NULL);
    if (bytes) {
        memcpy(bytes->data, text.data, text.size);
    }
    free(text.data);
    return bytes;
}
