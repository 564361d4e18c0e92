// Labels: which world each belongs to, by a key of its own, compared and set.
//
//     nobody's, or left behind ──▶ this world's          it binds as long as the run that wrote it lives, and as long as
//     another's, and it binds  ──▶ taken                 the world that it names is called so
//
// A world's key is written after its label's. A server that dies between the two leaves a label whose world has another name, or is
// not there: the next server that wants it takes it.
#include "cluster/cluster_internal.h"

#include "base/clock.h"

#include <string.h>

enum { TRIES = 8 }; // while others write the same key

// It waits for the leader of the brokers that have the world's key.
static natsStatus binds(struct cluster *c, const struct cluster_nats_holder *holder, const char *label,
                        bool *out)
{
    const natsStatus status = cluster_nats_world_get(c, holder->world);
    if (status != NATS_OK && status != NATS_NOT_FOUND) {
        return status;
    }
    base_mutex_lock(&c->mutex);
    const struct cluster_nats_world *world = cluster_nats_world_find(c, holder->world);
    const bool is_one = world && (world->run[0] != 0 || world->trouble);
    // The names of this run's worlds are known: the host looked before it asked, and one that it has named so is about to end.
    *out = is_one && !cluster_nats_world_ours(c, world) && strcmp(world->label, label) == 0;
    if (!*out && strcmp(holder->run, c->run) != 0) {
        const struct cluster_nats_server *server = cluster_nats_server_know(c, holder->run, base_now_ns());
        if (server && !cluster_nats_server_lives(c, server, base_now_ns())) {
            cluster_nats_ask_for_beat(c, holder->run);
        }
        server = cluster_nats_server_find(c, holder->run);
        *out = server && cluster_nats_server_lives(c, server, base_now_ns());
    }
    base_mutex_unlock(&c->mutex);
    return NATS_OK;
}

// The present key decides: OK if it may be written over at *holder's revision.
static natsStatus look(struct cluster *c, uint32_t world, const char *label,
                       struct cluster_nats_holder *holder, bool *taken)
{
    natsStatus status = cluster_nats_name_get(c, label, holder);
    if (status == NATS_OK && holder->world != 0 && holder->world != world) {
        status = binds(c, holder, label, taken);
    }
    return status;
}

enum cluster_naming cluster_nats_name_take(struct cluster *c, uint32_t world, const char *label)
{
    struct cluster_nats_holder holder = {0};
    bool taken = false, known = true;
    natsStatus status = cluster_nats_name_put(c, label, world, 0); // which it mostly is
    for (int i = 0; i < TRIES && status != NATS_OK && known && !taken; i++) {
        known = look(c, world, label, &holder, &taken) == NATS_OK;
        if (known &&
            !taken) { // also where it is this world's already: who is about to give that back finds it changed
            status = cluster_nats_name_put(c, label, world, holder.revision);
        }
    }
    return taken ? CLUSTER_TAKEN : status == NATS_OK ? CLUSTER_NAMED : CLUSTER_AWAY;
}

natsStatus cluster_nats_name_give_back(struct cluster *c, uint32_t world, const char *label, bool own)
{
    struct cluster_nats_holder holder;
    natsStatus status = cluster_nats_name_get(c, label, &holder);
    if (status == NATS_OK && holder.world == world && (!own || strcmp(holder.run, c->run) == 0)) {
        status = cluster_nats_name_remove(c, label, holder.revision);
    }
    return status;
}
