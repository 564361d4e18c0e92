// Counts what a person has in all worlds that they made, and what they may have. When an edit has been made,
// its world counts what its document has at that moment, under one lock for all worlds of the person. So
// nothing depends on how many edits are on their way, and where.

#include "base/thread.h"
#include "protocol/error.h"
#include "world/edit/part.h"
#include "world/state.h"
#include "world/time/clock.h"

#include <stdatomic.h>
#include <stdlib.h>

struct world_quota {
    struct base_mutex mutex; // guards used, and `charged` of its worlds
    struct world_amount used;
    struct world_amount most; // 0: no bound
    atomic_uint refs;
};

struct world_quota *world_quota_create(const struct world_amount *most)
{
    struct world_quota *quota = calloc(1, sizeof *quota);
    if (!quota) {
        return NULL;
    }
    quota->most = *most;
    base_mutex_init(&quota->mutex);
    atomic_init(&quota->refs, 1);
    return quota;
}

void world_quota_unref(struct world_quota *quota)
{
    if (quota && atomic_fetch_sub(&quota->refs, 1) == 1) {
        base_mutex_deinit(&quota->mutex);
        free(quota);
    }
}

bool world_quota_is_used(const struct world_quota *quota)
{
    return atomic_load(&quota->refs) > 1;
}

static bool fits(const char *what, const char *limit, uint64_t most, uint64_t would,
                 struct protocol_error *error)
{
    if (most == 0 || would <= most) {
        return true;
    }
    protocol_error_set(
        error, PROTOCOL_CODE_LIMIT, NULL,
        "the person who made this world would have %llu %s in all their worlds; at most %llu are "
        "allowed (limit %s = %llu)",
        (unsigned long long)would, what, (unsigned long long)most, limit, (unsigned long long)most);
    error->limit = (double)most;
    return false;
}

// Checks each kind of which there is more than before.
static bool all_fit(const struct world_quota *quota, const struct world_amount *before,
                    const struct world_amount *after, struct protocol_error *error)
{
    const struct world_amount *used = &quota->used, *most = &quota->most;
    return (after->constraints <= before->constraints ||
            fits("constraints", "person_constraints", most->constraints,
                 used->constraints - before->constraints + after->constraints, error)) &&
           (after->bodies <= before->bodies || fits("bodies", "person_bodies", most->bodies,
                                                    used->bodies - before->bodies + after->bodies, error)) &&
           (after->particles <= before->particles ||
            fits("particles", "person_particles", most->particles,
                 used->particles - before->particles + after->particles, error)) &&
           (after->poses <= before->poses || fits("numbers in motions", "person_poses", most->poses,
                                                  used->poses - before->poses + after->poses, error));
}

static void charge(struct world_quota *quota, struct world_amount *charged, const struct world_amount *now)
{
    quota->used.bodies += now->bodies - charged->bodies;
    quota->used.particles += now->particles - charged->particles;
    quota->used.constraints += now->constraints - charged->constraints;
    quota->used.poses += now->poses - charged->poses;
    *charged = *now;
}

struct world_amount world_amount_of(const struct document *document)
{
    return (struct world_amount){
        .bodies = sim_body_count(document->sim),
        .particles = sim_particle_count(document->sim),
        .constraints = sim_constraint_count(document->sim),
        .poses = sim_motion_numbers(document->sim),
    };
}

bool world_quota_room(struct world_quota *quota, const struct world_amount *more,
                      struct protocol_error *error)
{
    const struct world_amount nothing = {0};
    base_mutex_lock(&quota->mutex);
    const bool fit = all_fit(quota, &nothing, more, error);
    base_mutex_unlock(&quota->mutex);
    return fit;
}

// The simulation thread can only see the quota after what the world already had has been counted.
void world_charge(struct world *world, struct world_quota *quota)
{
    base_mutex_lock(&world->face_mutex);
    if (!world->edits->quota) {
        base_mutex_lock(&quota->mutex);
        charge(quota, &world->edits->charged, &world->outside.face.amount);
        base_mutex_unlock(&quota->mutex);
        atomic_fetch_add(&quota->refs, 1);
        world->edits->quota = quota;
    }
    base_mutex_unlock(&world->face_mutex);
}

static struct world_quota *quota_of(struct world *world)
{
    base_mutex_lock(&world->face_mutex);
    struct world_quota *quota = world->edits->quota;
    base_mutex_unlock(&world->face_mutex);
    return quota;
}

bool world_quota_allows(void *context, const struct document *document, struct protocol_error *error)
{
    struct world *world = context;
    struct world_quota *quota = quota_of(world);
    if (!quota) {
        return true;
    }
    const struct world_amount now = world_amount_of(document);
    base_mutex_lock(&quota->mutex);
    const bool fit = all_fit(quota, &world->edits->charged, &now, error);
    if (fit) {
        charge(quota, &world->edits->charged, &now);
    }
    base_mutex_unlock(&quota->mutex);
    return fit;
}

static void match(struct world *world, const struct world_amount *now)
{
    struct world_quota *quota = quota_of(world);
    if (quota) {
        base_mutex_lock(&quota->mutex);
        charge(quota, &world->edits->charged, now);
        base_mutex_unlock(&quota->mutex);
    }
}

void world_quota_match(struct world *world)
{
    const struct world_amount now = world_amount_of(world->document);
    match(world, world_is_deleted(world->time) ? &(struct world_amount){0} : &now);
}

void world_quota_leave(struct world *world)
{
    match(world, &(struct world_amount){0});
    world_quota_unref(world->edits->quota);
    world->edits->quota = NULL;
}
