// Worlds that change their servers on purpose.
//
//     who has it       ── NAME.to.RUN: its id ──▶   who gets it      prepare: fetches what there is, while it runs on
//                      ◀──────── done ─────────
//     [stopped, all of it durable]
//                      ── its key, compare and set ──▶               hears of it, takes it over and opens it
#include "cluster/cluster_internal.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGAIN_MS = 50 };

// ---------------------------------------------------------------------------------------------------------
// Errands: what another asks for

static void answer(struct cluster *c, natsMsg *asked, bool done, const char *text)
{
    char *told = cluster_nats_answer_write(done, text);
    const char *reply = natsMsg_GetReply(asked);
    if (told && reply) {
        (void)natsConnection_PublishString(c->connection, reply, told);
    }
    free(told);
    natsMsg_Destroy(asked);
}

static bool read_errand(natsMsg *asked, uint32_t *world)
{
    char key[16] = "";
    const int size = natsMsg_GetDataLength(asked);
    if (size > 0 && (size_t)size < sizeof key) {
        memcpy(key, natsMsg_GetData(asked), (size_t)size);
    }
    return cluster_nats_world_key_read(key, world);
}

void cluster_nats_errand_take(struct cluster *c, natsMsg *asked)
{
    uint32_t world = 0;
    const bool read = read_errand(asked, &world);
    base_mutex_lock(&c->mutex);
    const bool taken = read && !c->closing && c->errand_count < CLUSTER_NATS_ERRANDS_MAX;
    if (taken) {
        c->errands[c->errand_count++] = (struct cluster_nats_errand){world, asked};
        base_cond_signal(&c->errand_due);
    }
    base_mutex_unlock(&c->mutex);
    if (!taken) {
        answer(c, asked, false, "the other server has too much to do");
    }
}

static void run_errand(struct cluster *c, const struct cluster_nats_errand *errand)
{
    char text[CLUSTER_TEXT_SIZE] = "";
    const struct cluster_nats_server *own = cluster_nats_server_find(c, c->run);
    const bool draining = own->told.draining || c->closing;
    base_mutex_unlock(&c->mutex);
    if (draining) {
        answer(c, errand->asked, false, "the other server is about to end");
    } else {
        answer(c, errand->asked, c->options.prepare(c->options.context, errand->world, text), text);
    }
    base_mutex_lock(&c->mutex);
}

void cluster_nats_errand_run(void *cluster)
{
    struct cluster *c = cluster;
    base_mutex_lock(&c->mutex);
    while (!c->closing || c->errand_count > 0) {
        if (c->errand_count > 0) {
            const struct cluster_nats_errand errand = c->errands[0];
            c->errand_count--;
            memmove(c->errands, c->errands + 1, c->errand_count * sizeof *c->errands);
            run_errand(c, &errand);
        } else {
            base_cond_wait(&c->errand_due, &c->mutex);
        }
    }
    base_mutex_unlock(&c->mutex);
}

// ---------------------------------------------------------------------------------------------------------
// This server asks

void cluster_nats_ask(struct cluster *c, uint32_t id)
{
    char subject[CLUSTER_NATS_KEY_SIZE], reply[160], key[16];
    struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    (void)snprintf(subject, sizeof subject, "%s.to.%s", c->name, world->to);
    (void)snprintf(reply, sizeof reply, "%s.%" PRIu32, c->told_inbox, id);
    (void)snprintf(key, sizeof key, "%" PRIu32, id);
    world->ask = false;
    world->asked_ns = base_now_ns();
    base_mutex_unlock(&c->mutex);
    const natsStatus status = natsConnection_PublishRequestString(c->connection, subject, reply, key);
    base_mutex_lock(&c->mutex);
    if (status != NATS_OK) {
        cluster_nats_errand_told(c, id, false, natsStatus_GetText(status));
    }
}

void cluster_nats_give(struct cluster *c, uint32_t id)
{
    struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    struct cluster_nats_key key = cluster_nats_world_key(world);
    uint64_t revision = world->revision;
    const uint64_t known = revision;
    memcpy(key.run, world->to, sizeof key.run);
    base_mutex_unlock(&c->mutex);
    natsStatus status = cluster_nats_world_put(c, id, &key, &revision);
    if (status != NATS_OK) {
        (void)cluster_nats_world_get(c, id); // it may be written all the same
    }
    base_mutex_lock(&c->mutex);
    world = cluster_nats_world_find(c, id);
    if (world->wish != CLUSTER_NATS_GIVE) {
        return;
    }
    if (status == NATS_OK && world->revision == known) {
        world->revision = revision;
        memcpy(world->run, key.run, sizeof world->run);
        cluster_nats_give_end(c, world, true, "");
    } else if (base_now_ns() > world->give_end_ns) {
        cluster_nats_give_end(c, world, false, "brokers do not take it");
    } else {
        world->wish_ns = base_now_ns() + UINT64_C(1000000) * AGAIN_MS;
    }
}
