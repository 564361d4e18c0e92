#include "world/edit/strays.h"

#include "past/past.h"
#include "world/edit/apply.h"
#include "world/edit/part.h"
#include "world/frames/frames.h"
#include "world/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t stray_ns = UINT64_C(10000000000);

// ---------------------------------------------------------------------------------------------------------
// Who held them, by the records

struct looking {
    struct world_held *held; // `grab` is known, `user` may still be empty
    uint32_t count, found, looked;
};

static bool take(void *context, const struct document_record *record, size_t size)
{
    enum { RECORDS = 50000 }; // each move of a drag is a record
    struct looking *looking = context;
    (void)size;
    const struct protocol_grab_begin_result *result = record->result;
    for (uint32_t i = 0; record->method == PROTOCOL_METHOD_GRAB_BEGIN && i < looking->count; i++) {
        struct world_held *held = &looking->held[i];
        if (held->grab == result->grab && held->user[0] == '\0') {
            held->session = record->session;
            snprintf(held->user, sizeof held->user, "%.*s", (int)record->person.size, record->person.data);
            looking->found++;
        }
    }
    return looking->found < looking->count && ++looking->looked < RECORDS;
}

struct world_held *world_held_of(struct past *past, const struct document *document, uint32_t *count)
{
    struct protocol_error error = {0};
    struct looking looking = {.count = sim_grab_count(document->sim)};
    *count = 0;
    looking.held = looking.count > 0 ? calloc(looking.count, sizeof *looking.held) : NULL;
    if (!looking.held) {
        return NULL;
    }
    for (uint32_t i = 0; i < looking.count; i++) {
        struct sim_grab grab;
        sim_grab_at(document->sim, i, &grab);
        looking.held[i].grab = grab.id;
    }
    if (!past_recent(past, take, &looking, &error)) {
        free(looking.held);
        return NULL;
    }
    *count = looking.count;
    return looking.held;
}

// ---------------------------------------------------------------------------------------------------------

// Whether this is the name of a session that gave none (host/session.c).
static bool is_unnamed(const char *user, uint32_t session)
{
    char name[32];
    snprintf(name, sizeof name, "session-%u", session);
    return strcmp(user, name) == 0;
}

static const struct world_held *held_of(const struct world_held *held, uint32_t count, uint32_t grab)
{
    for (uint32_t i = 0; i < count; i++) {
        if (held[i].grab == grab && held[i].user[0] != '\0') {
            return &held[i];
        }
    }
    return NULL;
}

void world_strays_take(struct world *world, const struct world_held *held, uint32_t count)
{
    for (uint32_t i = 0; i < sim_grab_count(world->document->sim);) {
        struct sim_grab grab;
        sim_grab_at(world->document->sim, i, &grab);
        const struct world_held *by = held_of(held, count, grab.id);
        if (!by || !world_holders_reserve(world->people)) {
            world_grab_drop(world, &(struct world_holder){.grab = grab.id});
            continue;
        }
        struct world_asker asker = {.session = 0};
        memcpy(asker.user, by->user, sizeof asker.user);
        world_holders_add(world->people, grab.id, &asker);
        world_holders_find(world->people, grab.id)->unnamed = is_unnamed(by->user, by->session);
        i++;
    }
}

static bool is_stray(const struct world_holder *holder)
{
    return holder->session == 0;
}

bool world_stray_is_of(const struct world_holder *holder, const struct world_asker *asker)
{
    return is_stray(holder) && (holder->unnamed ? is_unnamed(asker->user, asker->session)
                                                : strcmp(holder->user, asker->user) == 0);
}

void world_stray_adopt(struct world *world, struct world_holder *holder, const struct world_asker *asker)
{
    world_holders_adopt(world->people, holder, asker);
    world_frames_grabs_changed(world->frames);
}

// Whether the stray's person has joined. Then it stays for as long as that person likes.
static bool is_attended(const struct world *world, const struct world_holder *holder)
{
    uint32_t count;
    const struct world_member *members = world_people_members(world->people, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (!holder->unnamed && strcmp(members[i].user, holder->user) == 0) {
            return true;
        }
    }
    return false;
}

void world_strays_turn(struct world *world, uint64_t now_ns)
{
    uint32_t count;
    const struct world_holder *holders = world_holders_all(world->people, &count);
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        any = any || is_stray(&holders[i]);
    }
    if (any && world->edits->strays_until_ns == 0) {
        world->edits->strays_until_ns = now_ns + stray_ns;
    }
    for (uint32_t i = 0; any && now_ns >= world->edits->strays_until_ns && i < count;) {
        const struct world_holder holder = holders[i];
        if (!is_stray(&holder) || is_attended(world, &holder)) {
            i++;
            continue;
        }
        world_grab_drop(world, &holder);
        world_holders_remove(world->people, holder.grab);
        holders = world_holders_all(world->people, &count);
        world_frames_grabs_changed(world->frames);
    }
}

uint64_t world_strays_next(const struct world *world)
{
    uint32_t count;
    const struct world_holder *holders = world_holders_all(world->people, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (is_stray(&holders[i]) && !is_attended(world, &holders[i])) {
            return world->edits->strays_until_ns;
        }
    }
    return UINT64_MAX;
}
