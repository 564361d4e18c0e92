// Parts of the document as the structs that go on the wire. Lists live in the request's memory.
#include "world/world_internal.h"

#include "base/assert.h"

#include <string.h>

struct protocol_string world_string(const char *text)
{
    return (struct protocol_string){.data = text, .size = (uint32_t)strlen(text)};
}

void world_material_fill(const struct sim_material *material, struct protocol_material *out)
{
    *out = (struct protocol_material){
        .has = WORLD_HAS_ALL,
        .compliance = material->compliance,
        .damping = material->damping,
        .stiffness = material->stiffness,
    };
    if (material->stiffness < 0) {
        out->has &= ~PROTOCOL_HAS_MATERIAL_STIFFNESS;
        out->stiffness = 0;
    }
}

void world_bend_fill(const struct sim_body_info *info, struct protocol_bend_material *out)
{
    static const int models[] = {
        [SIM_BEND_NONE] = PROTOCOL_BEND_MATERIAL_MODEL_NONE,
        [SIM_BEND_DIHEDRAL] = PROTOCOL_BEND_MATERIAL_MODEL_DIHEDRAL,
        [SIM_BEND_ISOMETRIC] = PROTOCOL_BEND_MATERIAL_MODEL_ISOMETRIC,
        [SIM_BEND_QUADRATIC] = PROTOCOL_BEND_MATERIAL_MODEL_QUADRATIC,
    };
    *out = (struct protocol_bend_material){
        .has = WORLD_HAS_ALL,
        .model = models[info->bend_model],
        .compliance = info->bend.compliance,
        .damping = info->bend.damping,
        .stiffness = info->bend.stiffness,
    };
    if (info->bend.stiffness < 0) {
        out->has &= ~PROTOCOL_HAS_BEND_MATERIAL_STIFFNESS;
        out->stiffness = 0;
    }
}

void world_wind_fill(const struct sim_settings *settings, struct protocol_wind *out)
{
    *out = (struct protocol_wind){
        .has = WORLD_HAS_ALL,
        .drag = settings->wind.drag,
        .lift = settings->wind.lift,
        .density = settings->wind.density,
    };
    memcpy(out->velocity, settings->wind.velocity, sizeof out->velocity);
}

// What api.json gives a field of the wind that is not said.
static double wind_default(const char *name)
{
    for (uint32_t i = 0; i < protocol_wind_type.field_count; i++) {
        if (strcmp(protocol_wind_type.fields[i].name, name) == 0) {
            return protocol_wind_type.fields[i].defaults[0];
        }
    }
    BASE_ASSERT(false);
    return 0;
}

void world_wind_none(struct sim_wind *wind)
{
    *wind = (struct sim_wind){.drag = wind_default("drag"), .lift = wind_default("lift")};
}

void world_settings_of(const struct protocol_world_create_params *given, struct sim_settings *settings)
{
    *settings = (struct sim_settings){
        .tick_rate = given->tick_rate,
        .substeps = given->substeps,
        .iterations = given->iterations,
        .damping = given->damping,
        .resolution = given->resolution,
        .extent = given->extent,
    };
    memcpy(settings->gravity, given->gravity, sizeof settings->gravity);
    world_wind_none(&settings->wind);
    if (given->has & PROTOCOL_HAS_WORLD_CREATE_PARAMS_WIND) {
        settings->wind = (struct sim_wind){
            .drag = given->wind.drag, .lift = given->wind.lift, .density = given->wind.density};
        memcpy(settings->wind.velocity, given->wind.velocity, sizeof settings->wind.velocity);
    }
}

void world_wind_merge(const struct protocol_wind *given, struct sim_wind *wind)
{
    if (given->has & PROTOCOL_HAS_WIND_VELOCITY) {
        memcpy(wind->velocity, given->velocity, sizeof wind->velocity);
    }
    if (given->has & PROTOCOL_HAS_WIND_DRAG) {
        wind->drag = given->drag;
    }
    if (given->has & PROTOCOL_HAS_WIND_LIFT) {
        wind->lift = given->lift;
    }
    // Who speaks of the wind wants some: only a density of 0 that is said turns it off.
    if (given->has & PROTOCOL_HAS_WIND_DENSITY) {
        wind->density = given->density;
    } else if (wind->density == 0) {
        wind->density = wind_default("density");
    }
}

void world_ranges_fill(const uint32_t *first, const uint32_t *count, struct protocol_constraint_ranges *out)
{
    *out = (struct protocol_constraint_ranges){
        .has = WORLD_HAS_ALL,
        .distance = {.has = WORLD_HAS_ALL, .first = first[SIM_DISTANCE], .count = count[SIM_DISTANCE]},
        .dihedral = {.has = WORLD_HAS_ALL, .first = first[SIM_DIHEDRAL], .count = count[SIM_DIHEDRAL]},
        .isometric = {.has = WORLD_HAS_ALL, .first = first[SIM_ISOMETRIC], .count = count[SIM_ISOMETRIC]},
        .quadratic = {.has = WORLD_HAS_ALL, .first = first[SIM_QUADRATIC], .count = count[SIM_QUADRATIC]},
        .volume = {.has = WORLD_HAS_ALL, .first = first[SIM_VOLUME], .count = count[SIM_VOLUME]},
    };
}

bool world_people_list(struct world_call *call, struct protocol_list *out)
{
    const struct world_people *people = &call->world->people;
    struct protocol_person *items = world_call_alloc(call, people->member_count, sizeof *items);
    if (!items) {
        return false;
    }
    for (uint32_t i = 0; i < people->member_count; i++) {
        items[i] = (struct protocol_person){
            .has = WORLD_HAS_ALL,
            .session = people->members[i].session,
            .user = world_string(people->members[i].user),
            .client = world_string(people->members[i].client),
        };
    }
    *out = (struct protocol_list){.items = items, .count = people->member_count};
    return true;
}

bool world_bodies_list(struct world_call *call, struct protocol_list *out)
{
    const struct world *world = call->world;
    struct protocol_body_summary *items = world_call_alloc(call, world->bodies.count, sizeof *items);
    if (!items) {
        return false;
    }
    for (uint32_t i = 0; i < world->bodies.count; i++) {
        const struct world_thing *thing = &world->bodies.items[i];
        struct sim_body_info info;
        sim_body_info(world->sim, thing->id, &info);
        uint32_t *pins = world_call_alloc(call, info.pin_count, sizeof *pins);
        if (!pins) {
            return false;
        }
        sim_body_pins(world->sim, thing->id, pins);
        items[i] = (struct protocol_body_summary){
            .has = WORLD_HAS_ALL,
            .body = thing->id,
            .name = world_thing_name(thing),
            .kind = (int)info.kind,
            .particles = info.particle_count,
            .triangles = info.triangle_count,
            .edges = info.edge_count,
            .tets = info.tet_count,
            .skin = thing->skin ? thing->skin->vertex_count : 0,
            .thickness = info.thickness,
            .pins = {.type = PROTOCOL_ARRAY_U32, .count = info.pin_count, .data = pins},
        };
        world_material_fill(&info.stretch, &items[i].stretch);
        world_bend_fill(&info, &items[i].bend);
        world_material_fill(&info.volume, &items[i].volume);
        world_ranges_fill(info.constraint_first, info.constraint_count, &items[i].constraints);
    }
    *out = (struct protocol_list){.items = items, .count = world->bodies.count};
    return true;
}

bool world_colliders_list(struct world_call *call, struct protocol_list *out)
{
    const struct world *world = call->world;
    struct protocol_collider_summary *items = world_call_alloc(call, world->colliders.count, sizeof *items);
    if (!items) {
        return false;
    }
    for (uint32_t i = 0; i < world->colliders.count; i++) {
        struct sim_collider collider;
        sim_collider_at(world->sim, i, &collider);
        items[i] = (struct protocol_collider_summary){
            .has = WORLD_HAS_ALL,
            .collider = collider.id,
            .name = world_thing_name(&world->colliders.items[i]),
            .kind = (int)collider.kind,
            .radius = collider.radius,
            .length = collider.length,
            .friction = collider.friction,
        };
        memcpy(items[i].position, collider.position, sizeof collider.position);
        memcpy(items[i].normal, collider.normal, sizeof collider.normal);
        memcpy(items[i].rotation, collider.rotation, sizeof collider.rotation);
        memcpy(items[i].half_extents, collider.half_extents, sizeof collider.half_extents);
    }
    *out = (struct protocol_list){.items = items, .count = world->colliders.count};
    return true;
}

void world_grab_fill(const struct world_people *people, const struct sim_grab *grab,
                     struct protocol_grab_summary *out)
{
    const struct world_holder *holder = world_holders_find(people, grab->id);
    *out = (struct protocol_grab_summary){
        .has = WORLD_HAS_ALL,
        .grab = grab->id,
        .body = grab->body,
        .particle = grab->particle,
        .compliance = grab->compliance,
        .session = holder ? holder->session : 0,
        .user = world_string(holder ? holder->user : ""),
    };
    memcpy(out->target, grab->target, sizeof grab->target);
    memcpy(out->force, grab->force, sizeof grab->force);
}

bool world_grabs_list(struct world_call *call, struct protocol_list *out)
{
    const struct world *world = call->world;
    uint32_t count = sim_grab_count(world->sim);
    struct protocol_grab_summary *items = world_call_alloc(call, count, sizeof *items);
    if (!items) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct sim_grab grab;
        sim_grab_at(world->sim, i, &grab);
        world_grab_fill(&world->people, &grab, &items[i]);
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return true;
}

void world_measures_fill(const struct sim *sim, const struct world_times *times,
                         struct protocol_measures *out)
{
    struct sim_measures measures;
    sim_measure(sim, &measures);
    *out = (struct protocol_measures){
        .has = WORLD_HAS_ALL,
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
                .has = WORLD_HAS_ALL,
                .wind = times->phase_us[SIM_WIND],
                .predict = times->phase_us[SIM_PREDICT],
                .solve = times->phase_us[SIM_SOLVE],
                .contacts = times->phase_us[SIM_CONTACTS],
                .finish = times->phase_us[SIM_FINISH],
            },
    };
}
