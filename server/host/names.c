// A name is taken while an open world has it, or any open world has it reserved. Closing worlds hold no
// names, so that a new world can have the name of one that was just deleted.
#include "host/names.h"

#include "base/assert.h"
#include "base/thread.h"
#include "cluster/cluster.h"
#include "host/world_internal.h"
#include "protocol/error.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A name that a rename under way may take.
struct host_reservation {
    struct host_reservation *next;
    uint32_t id;
    char name[HOST_NAME_SIZE];
    struct access_likeness likeness;
};

bool host_name_is(const char *name, const struct protocol_string *string)
{
    return strlen(name) == string->size &&
           (string->size == 0 || memcmp(name, string->data, string->size) == 0);
}

static bool taken(const struct host_worlds *worlds, const struct protocol_string *name,
                  const struct host_world *except)
{
    for (uint32_t position = 0; position < worlds->count; position++) {
        const struct host_world *world = worlds->items[position];
        if (world->closing || world == except) {
            continue;
        }
        if (host_name_is(world->name, name)) {
            return true;
        }
        for (const struct host_reservation *at = world->reservations; at; at = at->next) {
            if (host_name_is(at->name, name)) {
                return true;
            }
        }
    }
    return false;
}

bool host_name_taken(const struct host_worlds *worlds, const struct protocol_string *name,
                     const struct host_world *except)
{
    base_mutex_lock(worlds->mutex);
    const bool is_taken = taken(worlds, name, except);
    base_mutex_unlock(worlds->mutex);
    return is_taken;
}

static bool looks_like(const struct access_likeness *a, const struct access_likeness *b)
{
    static const struct access_likeness none;
    return memcmp(a, &none, sizeof none) != 0 && access_likeness_same(a, b);
}

static bool looks_taken(const struct host_worlds *worlds, const struct access_likeness *likeness,
                        const struct host_world *except)
{
    for (uint32_t position = 0; position < worlds->count; position++) {
        const struct host_world *world = worlds->items[position];
        if (world->closing || world == except) {
            continue;
        }
        if (looks_like(&world->likeness, likeness)) {
            return true;
        }
        for (const struct host_reservation *at = world->reservations; at; at = at->next) {
            if (looks_like(&at->likeness, likeness)) {
                return true;
            }
        }
    }
    return false;
}

// Returns the likeness of a name. It is all zeros if names may look alike, and if memory runs out.
static struct access_likeness likeness_of(const struct host_worlds *worlds,
                                          const struct protocol_string *name)
{
    char text[HOST_NAME_SIZE];
    struct access_likeness likeness = {0};
    if (!worlds->apart || name->size >= sizeof text) {
        return likeness;
    }
    host_name_copy(text, name);
    return access_likeness_of(text, &likeness) ? likeness : (struct access_likeness){0};
}

void host_name_look(struct host_world *world)
{
    const struct protocol_string name = protocol_text(world->name);
    world->likeness = likeness_of(world->worlds, &name);
}

static bool refuse_alike(const struct protocol_string *name, struct protocol_error *error)
{
    if (!error) {
        return false;
    }
    protocol_error_set(error, PROTOCOL_CODE_CONFLICT, "name",
                       "name \"%.*s\" looks like that of another world; choose one that can be told from it",
                       (int)name->size, name->data);
    snprintf(error->value, sizeof error->value, "%.*s", (int)name->size, name->data);
    return false;
}

bool host_name_apart(const struct host_worlds *worlds, const struct protocol_string *name,
                     const struct host_world *except, struct protocol_error *error)
{
    const struct access_likeness likeness = likeness_of(worlds, name);
    base_mutex_lock(worlds->mutex);
    const bool is_apart = !looks_taken(worlds, &likeness, except);
    base_mutex_unlock(worlds->mutex);
    return is_apart || refuse_alike(name, error);
}

static void refuse_taken(const struct protocol_string *name, struct protocol_error *error)
{
    protocol_error_set(error, PROTOCOL_CODE_CONFLICT, "name", "name \"%.*s\" is taken by another world",
                       (int)name->size, name->data);
    snprintf(error->value, sizeof error->value, "%.*s", (int)name->size, name->data);
}

static bool check(const struct host_worlds *worlds, const struct protocol_string *name,
                  const struct host_world *except, struct protocol_error *error)
{
    if (name->size == 0) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "name",
                           "name is empty; a world's name has 1 to %d bytes", (int)PROTOCOL_LIMIT_NAME_BYTES);
        return false;
    }
    BASE_ASSERT(name->size < HOST_NAME_SIZE);
    if (taken(worlds, name, except)) {
        refuse_taken(name, error);
        return false;
    }
    return true;
}

bool host_name_check_elsewhere(const struct host_worlds *worlds, const struct protocol_string *name,
                               uint32_t id, struct protocol_error *error)
{
    char label[HOST_NAME_SIZE];
    if (!worlds->cluster) {
        return true;
    }
    host_name_copy(label, name);
    const uint32_t found = cluster_find(worlds->cluster, label);
    const bool is_free =
        found == 0 || found == id || cluster_where(worlds->cluster, found, NULL) == CLUSTER_HERE;
    if (!is_free && error) {
        refuse_taken(name, error);
    }
    return is_free;
}

bool host_name_check(const struct host_worlds *worlds, const struct protocol_string *name,
                     const struct host_world *except, struct protocol_error *error)
{
    base_mutex_lock(worlds->mutex);
    const bool is_free = check(worlds, name, except, error);
    base_mutex_unlock(worlds->mutex);
    return is_free;
}

void host_name_copy(char out[HOST_NAME_SIZE], const struct protocol_string *name)
{
    memcpy(out, name->data, name->size);
    out[name->size] = '\0';
}

bool host_name_reserve(struct host_world *world, const struct protocol_string *name, uint32_t *id,
                       struct protocol_error *error)
{
    struct host_reservation *reservation = calloc(1, sizeof *reservation);
    if (!reservation) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the new name");
        return false;
    }
    reservation->likeness = likeness_of(world->worlds, name);
    base_mutex_lock(world->worlds->mutex);
    const bool is_free =
        check(world->worlds, name, world, error) &&
        (!looks_taken(world->worlds, &reservation->likeness, world) || refuse_alike(name, error)) &&
        host_name_check_elsewhere(world->worlds, name, world->id, error);
    if (is_free) {
        reservation->id = *id = ++world->last_reservation;
        host_name_copy(reservation->name, name);
        reservation->next = world->reservations;
        world->reservations = reservation;
    }
    base_mutex_unlock(world->worlds->mutex);
    if (!is_free) {
        free(reservation);
    }
    return is_free;
}

static struct host_reservation *reservation_take(struct host_world *world, uint32_t id)
{
    base_mutex_lock(world->worlds->mutex);
    struct host_reservation **at = &world->reservations;
    while (*at && (*at)->id != id) {
        at = &(*at)->next;
    }
    BASE_ASSERT(*at);
    struct host_reservation *found = *at;
    *at = found->next;
    base_mutex_unlock(world->worlds->mutex);
    return found;
}

void host_name_adopt(struct host_world *world, uint32_t id)
{
    struct host_reservation *reservation = reservation_take(world, id);
    base_mutex_lock(world->worlds->mutex);
    memcpy(world->name, reservation->name, sizeof world->name);
    world->likeness = reservation->likeness;
    base_mutex_unlock(world->worlds->mutex);
    if (world->store) {
        (void)store_label(world->store, world->id, world->name); // only for people; the record is what counts
    }
    if (world->worlds->cluster && !world->elsewhere) {
        cluster_claim(world->worlds->cluster, world->id, world->name);
    }
    free(reservation);
}

void host_name_release(struct host_world *world, uint32_t id)
{
    struct host_reservation *reservation = reservation_take(world, id);
    if (world->worlds->cluster && strcmp(reservation->name, world->name) != 0) {
        cluster_unname(world->worlds->cluster, world->id, reservation->name);
    }
    free(reservation);
}

void host_name_release_all(struct host_world *world)
{
    while (world->reservations) {
        host_name_release(world, world->reservations->id);
    }
}
