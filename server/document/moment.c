// A moment of a document as generated structs: what frames and world.measure tell of it besides arrays, for whoever runs it.
#include "document/document.h"

#include <stdlib.h>
#include <string.h>

#define ENERGY(NAME, name) .elastic_##name = measures.elastic[SIM_##NAME],
#define ERROR(NAME, name, max, rms) \
    .max = measures.error_max[SIM_##NAME], .rms = measures.error_rms[SIM_##NAME],

void document_measures_fill(const struct sim *sim, struct protocol_measures *out)
{
    struct sim_measures measures;
    sim_measure(sim, &measures);
    *out = (struct protocol_measures){
        .has = PROTOCOL_HAS_ALL,
        .kinetic = measures.kinetic,
        .potential = measures.potential,
        .contacts = measures.contacts,
        SIM_KINDS(ENERGY) PROTOCOL_ERRORS(ERROR).phases = {.has = PROTOCOL_HAS_ALL},
    };
}

void document_contact_fill(const struct sim *sim, struct protocol_contact *out)
{
    struct sim_meetings meetings;
    sim_meetings_of(sim, &meetings);
    *out = (struct protocol_contact){
        .has = PROTOCOL_HAS_ALL,
        .pairs = meetings.pairs,
        .pushing = meetings.pushing,
        .crossed = meetings.crossed,
        .held = meetings.held,
        .shrunk = meetings.shrunk,
        .dropped = meetings.dropped,
        .penetration = meetings.deepest,
        .pierced = meetings.pierced,
    };
}

enum { CONTACT_BODIES_MAX = 1024 };

// The least id of what is left of all kinds from `at` on; UINT32_MAX: nothing is.
static uint32_t shown_least(const struct sim_shown *shown, const uint32_t at[SIM_SHOWN_KINDS])
{
    uint32_t least = UINT32_MAX;
    for (int kind = 0; kind < SIM_SHOWN_KINDS; kind++) {
        uint32_t body = at[kind] < shown->count[kind] ? shown->bodies[kind][at[kind]] : UINT32_MAX;
        least = body < least ? body : least;
    }
    return least;
}

// Takes the items of a kind that belong to the body, from *at on, and moves *at behind them.
static struct protocol_array shown_take(const struct sim_shown *shown, enum sim_shown_kind kind,
                                        uint32_t body, uint32_t *at)
{
    const uint32_t width = kind == SIM_SHOWN_CROSSED ? 2 : 1, first = *at;
    while (*at < shown->count[kind] && shown->bodies[kind][*at] == body) {
        (*at)++;
    }
    return (struct protocol_array){PROTOCOL_ARRAY_U32, width * (*at - first),
                                   shown->particles[kind] + (size_t)width * first};
}

bool document_contacts_fill(const struct document *document, struct protocol_contacts *out,
                            struct protocol_contact_places **owned)
{
    struct sim_shown shown;
    uint32_t at[SIM_SHOWN_KINDS] = {0}, count = 0;
    sim_shown_of(document->sim, &shown);
    *out = (struct protocol_contacts){.has = PROTOCOL_HAS_ALL, .known = shown.known};
    for (int kind = 0; kind < SIM_SHOWN_KINDS; kind++) {
        out->more += shown.more[kind];
        count += shown.count[kind];
    }
    count = count < CONTACT_BODIES_MAX ? count : CONTACT_BODIES_MAX;
    struct protocol_contact_places *items = *owned = count > 0 ? malloc(count * sizeof *items) : NULL;
    if (count > 0 && !items) {
        return false;
    }
    out->bodies.items = items;
    for (uint32_t body; (body = shown_least(&shown, at)) != UINT32_MAX;) {
        struct protocol_contact_places places = {.has = PROTOCOL_HAS_ALL, .body = body};
        places.touching = shown_take(&shown, SIM_SHOWN_TOUCHING, body, &at[SIM_SHOWN_TOUCHING]);
        places.held = shown_take(&shown, SIM_SHOWN_HELD, body, &at[SIM_SHOWN_HELD]);
        places.crossed = shown_take(&shown, SIM_SHOWN_CROSSED, body, &at[SIM_SHOWN_CROSSED]);
        if (!document_things_by_id(&document->bodies, body)) {
            continue; // it has been removed since
        }
        if (out->bodies.count < CONTACT_BODIES_MAX) {
            items[out->bodies.count++] = places;
        } else {
            out->more += places.touching.count + places.held.count + places.crossed.count / 2;
        }
    }
    return true;
}

bool document_pose_fill(const struct sim *sim, uint32_t position, uint32_t substep,
                        struct protocol_collider_pose *out)
{
    struct sim_collider collider;
    sim_collider_during(sim, position, substep, &collider);
    *out = (struct protocol_collider_pose){.has = PROTOCOL_HAS_ALL, .collider = collider.id};
    memcpy(out->position, collider.position, sizeof out->position);
    memcpy(out->rotation, collider.rotation, sizeof out->rotation);
    return sim_collider_driven(sim, collider.id);
}

void document_grab_fill(const struct sim_grab *grab, struct protocol_grab_summary *out)
{
    *out = (struct protocol_grab_summary){
        .has = PROTOCOL_HAS_ALL,
        .grab = grab->id,
        .body = grab->body,
        .particle = grab->particle,
        .compliance = grab->compliance,
        .user = protocol_text(""),
    };
    memcpy(out->target, grab->target, sizeof grab->target);
    memcpy(out->force, grab->force, sizeof grab->force);
}
