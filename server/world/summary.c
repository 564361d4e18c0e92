// What is in a world as the structs that go on the wire. Lists live in the request's memory.
#include "world/summary.h"

#include "document/document.h"
#include "world/call.h"
#include "world/people.h"
#include "world/state.h"

#include <stdlib.h>
#include <string.h>

bool world_people_list(struct world_call *call, struct protocol_list *out)
{
    const struct world_people *people = &call->world->people;
    struct protocol_person *items = world_call_alloc(call, people->member_count, sizeof *items);
    if (!items) {
        return false;
    }
    for (uint32_t i = 0; i < people->member_count; i++) {
        items[i] = (struct protocol_person){
            .has = PROTOCOL_HAS_ALL,
            .session = people->members[i].session,
            .user = protocol_text(people->members[i].user),
            .client = protocol_text(people->members[i].client),
        };
    }
    *out = (struct protocol_list){.items = items, .count = people->member_count};
    return true;
}

bool world_bodies_list(struct world_call *call, struct protocol_list *out)
{
    const struct world *world = call->world;
    struct protocol_body_summary *items =
        world_call_alloc(call, world->document->bodies.count, sizeof *items);
    if (!items) {
        return false;
    }
    for (uint32_t i = 0; i < world->document->bodies.count; i++) {
        const struct document_thing *thing = &world->document->bodies.items[i];
        struct sim_body_info info;
        sim_body_info(world->document->sim, thing->id, &info);
        uint32_t *pins = world_call_alloc(call, info.pin_count, sizeof *pins);
        if (!pins) {
            return false;
        }
        sim_body_pins(world->document->sim, thing->id, pins);
        items[i] = (struct protocol_body_summary){
            .has = PROTOCOL_HAS_ALL,
            .body = thing->id,
            .name = document_thing_name(thing),
            .kind = (int)info.kind,
            .particles = info.particle_count,
            .triangles = info.triangle_count,
            .edges = info.edge_count,
            .tets = info.tet_count,
            .skin = document_skin_count(thing->skin),
            .thickness = info.thickness,
            .self_contact = info.meeting.self,
            .contact_group = info.meeting.group,
            .contact_mask = info.meeting.mask,
            .friction = info.meeting.friction,
            .pins = {.type = PROTOCOL_ARRAY_U32, .count = info.pin_count, .data = pins},
        };
        document_touch_fill(thing, &items[i].touched);
        document_material_fill(&info.stretch, &items[i].stretch);
        document_bend_fill(&info, &items[i].bend);
        document_material_fill(&info.volume, &items[i].volume);
        document_ranges_fill(info.constraint_first, info.constraint_count, &items[i].constraints);
    }
    *out = (struct protocol_list){.items = items, .count = world->document->bodies.count};
    return true;
}

static bool hull_fill(struct world_call *call, uint32_t position, const struct sim_collider *collider,
                      struct protocol_collider_summary *out)
{
    uint32_t *triangles = world_call_alloc(call, 3 * (size_t)SIM_HULL_TRIANGLES_MAX, sizeof *triangles);
    if (!triangles) {
        return false;
    }
    const uint32_t count = sim_collider_triangles(call->world->document->sim, position, triangles);
    out->points = (struct protocol_array){PROTOCOL_ARRAY_F64, 3 * collider->point_count, collider->points};
    out->triangles = (struct protocol_array){PROTOCOL_ARRAY_U32, 3 * count, triangles};
    return true;
}

// What only some kinds have.
static uint64_t has_of(const struct sim_collider *collider)
{
    const uint64_t hull = PROTOCOL_HAS_COLLIDER_SUMMARY_POINTS | PROTOCOL_HAS_COLLIDER_SUMMARY_TRIANGLES;
    const uint64_t field = PROTOCOL_HAS_COLLIDER_SUMMARY_HEIGHTS | PROTOCOL_HAS_COLLIDER_SUMMARY_COLUMNS |
                           PROTOCOL_HAS_COLLIDER_SUMMARY_SPACING;
    return PROTOCOL_HAS_ALL & ~(collider->points ? 0 : hull) & ~(collider->heights ? 0 : field);
}

bool world_colliders_list(struct world_call *call, struct protocol_list *out)
{
    const struct world *world = call->world;
    struct protocol_collider_summary *items =
        world_call_alloc(call, world->document->colliders.count, sizeof *items);
    if (!items) {
        return false;
    }
    for (uint32_t i = 0; i < world->document->colliders.count; i++) {
        struct sim_collider collider;
        sim_collider_at(world->document->sim, i, &collider);
        items[i] = (struct protocol_collider_summary){
            .has = has_of(&collider),
            .collider = collider.id,
            .name = document_thing_name(&world->document->colliders.items[i]),
            .kind = (int)collider.kind,
            .radius = collider.radius,
            .length = collider.length,
            .friction = collider.friction,
            .heights = {PROTOCOL_ARRAY_F64, collider.height_count, collider.heights},
            .columns = collider.columns,
            .spacing = collider.spacing,
        };
        if (collider.points && !hull_fill(call, i, &collider, &items[i])) {
            return false;
        }
        document_touch_fill(&world->document->colliders.items[i], &items[i].touched);
        memcpy(items[i].position, collider.position, sizeof collider.position);
        memcpy(items[i].normal, collider.normal, sizeof collider.normal);
        memcpy(items[i].rotation, collider.rotation, sizeof collider.rotation);
        memcpy(items[i].half_extents, collider.half_extents, sizeof collider.half_extents);
    }
    *out = (struct protocol_list){.items = items, .count = world->document->colliders.count};
    return true;
}

void world_grab_fill(const struct world_people *people, const struct sim_grab *grab,
                     struct protocol_grab_summary *out)
{
    const struct world_holder *holder = world_holders_find(people, grab->id);
    *out = (struct protocol_grab_summary){
        .has = PROTOCOL_HAS_ALL,
        .grab = grab->id,
        .body = grab->body,
        .particle = grab->particle,
        .compliance = grab->compliance,
        .session = holder ? holder->session : 0,
        .user = protocol_text(holder ? holder->user : ""),
    };
    memcpy(out->target, grab->target, sizeof grab->target);
    memcpy(out->force, grab->force, sizeof grab->force);
}

bool world_grabs_list(struct world_call *call, struct protocol_list *out)
{
    const struct world *world = call->world;
    uint32_t count = sim_grab_count(world->document->sim);
    struct protocol_grab_summary *items = world_call_alloc(call, count, sizeof *items);
    if (!items) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct sim_grab grab;
        sim_grab_at(world->document->sim, i, &grab);
        world_grab_fill(&world->people, &grab, &items[i]);
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return true;
}

void world_contact_fill(const struct sim *sim, struct protocol_contact *out)
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

// What of a kind is of the body, from *at on, which goes to its end.
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

bool world_contacts_fill(const struct document *document, struct protocol_contacts *out,
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

void world_measures_fill(const struct sim *sim, const struct world_times *times,
                         struct protocol_measures *out)
{
    struct sim_measures measures;
    sim_measure(sim, &measures);
    *out = (struct protocol_measures){
        .has = PROTOCOL_HAS_ALL,
        .kinetic = measures.kinetic,
        .potential = measures.potential,
        .elastic_distance = measures.elastic[SIM_DISTANCE],
        .strain_max = measures.strain_max,
        .strain_rms = measures.strain_rms,
        .elastic_dihedral = measures.elastic[SIM_DIHEDRAL],
        .elastic_isometric = measures.elastic[SIM_ISOMETRIC],
        .elastic_quadratic = measures.elastic[SIM_QUADRATIC],
        .elastic_volume = measures.elastic[SIM_VOLUME],
        .volume_error = measures.volume_error_max,
        .volume_error_rms = measures.volume_error_rms,
        .contacts = measures.contacts,
        .tick_us = times->tick_us,
        .phases =
            {
                .has = PROTOCOL_HAS_ALL,
                .wind = times->phase_us[SIM_WIND],
                .predict = times->phase_us[SIM_PREDICT],
                .solve = times->phase_us[SIM_SOLVE],
                .contacts = times->phase_us[SIM_CONTACTS],
                .finish = times->phase_us[SIM_FINISH],
            },
    };
}
