// The beat: that this run lives, each second; and whether it slept for longer than others wait for it.
#include "cluster/cluster_internal.h"

#include "base/clock.h"
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_MS = 200, FLUSH_MS = 500 };

void cluster_nats_beat_hear(struct cluster *c, const char *run, const char *bytes, size_t size)
{
    struct cluster_nats_beat beat;
    if (!cluster_nats_beat_read(bytes, size, &beat)) {
        return;
    }
    const uint64_t now_ns = base_now_ns();
    base_mutex_lock(&c->mutex);
    struct cluster_nats_server *server =
        strcmp(run, c->run) == 0 ? NULL : cluster_nats_server_know(c, run, now_ns);
    if (server && beat.beat > server->beat) {
        const bool changed = server->beat == 0 || server->dead || server->over != beat.over ||
                             server->told.draining != beat.told.draining;
        memcpy(beat.told.run, server->told.run, sizeof beat.told.run);
        server->told = beat.told;
        memcpy(server->folder, beat.folder, sizeof server->folder);
        server->proven |= server->beat > 0;
        server->beat = beat.beat;
        server->heard_ns = now_ns;
        server->over = server->dead = beat.over;
        server->dead_ns = now_ns;
        if (changed) {
            c->options.on_event(c->options.context);
            cluster_nats_look(c);
        }
    }
    base_mutex_unlock(&c->mutex);
}

static void send_beat(struct cluster *c, bool over)
{
    char subject[2 * CLUSTER_NATS_KEY_SIZE];
    struct cluster_nats_server *own = cluster_nats_server_find(c, c->run);
    struct cluster_nats_beat beat = {.beat = ++c->beat, .over = over, .told = own->told};
    own->beat = c->beat;
    own->heard_ns = base_now_ns();
    memcpy(beat.folder, c->folder, sizeof beat.folder);
    base_mutex_unlock(&c->mutex);
    char *text = cluster_nats_beat_write(&beat);
    (void)snprintf(subject, sizeof subject, "$KV.%s-servers.%s", c->name, c->run);
    if (text) {
        // Nobody waits for its answer: the next one comes anyway, and whoever misses three looks into the key.
        (void)natsConnection_PublishString(c->connection, subject, text);
    }
    if (over) {
        (void)natsConnection_FlushTimeout(c->connection, FLUSH_MS);
    }
    free(text);
    base_mutex_lock(&c->mutex);
}

// Before it says that it is awake: so nobody can see the one without the other (cluster_fresh).
static void look_at_clock(struct cluster *c, uint64_t now_ns)
{
    const uint64_t gap_ns = now_ns - atomic_load(&c->awake_ns);
    if (gap_ns > UINT64_C(1000000) * CLUSTER_ASLEEP_MS) {
        atomic_store(&c->asleep, true);
        c->counts.asleep++;
        c->reread = true;
        c->waking = false;
        cluster_nats_look(c);
        base_log(BASE_LOG_WARN,
                 "this process was asleep for %.1f s: its worlds wait until it knows who has them",
                 (double)gap_ns * 1e-9);
    }
    atomic_store(&c->awake_ns, now_ns);
}

void cluster_nats_beat_run(void *cluster)
{
    struct cluster *c = cluster;
    uint64_t sent_ns = 0;
    base_mutex_lock(&c->mutex);
    while (!c->closing) {
        const uint64_t now_ns = base_now_ns();
        look_at_clock(c, now_ns);
        if (now_ns - sent_ns >= UINT64_C(1000000) * CLUSTER_BEAT_MS) {
            sent_ns = now_ns;
            send_beat(c, false);
        } else {
            (void)base_cond_wait_until(&c->beat_due, &c->mutex, now_ns + UINT64_C(1000000) * LOOK_MS);
        }
    }
    send_beat(c, true);
    base_mutex_unlock(&c->mutex);
}
