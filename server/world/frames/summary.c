// Fills the structs that go on the wire with what is in a world. Lists live in the request's memory.
#include "world/frames/summary.h"

#include "document/document.h"
#include "world/answer/call.h"
#include "world/people/people.h"
#include "world/state.h"
#include "world/time/clock.h"

#include <stdlib.h>
#include <string.h>

bool world_people_list(struct world_call *call, struct protocol_list *out)
{
    uint32_t count;
    const struct world_member *members = world_people_members(call->world->people, &count);
    struct protocol_person *items = world_call_alloc(call, count, sizeof *items);
    if (!items) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (struct protocol_person){
            .has = PROTOCOL_HAS_ALL,
            .session = members[i].session,
            .user = protocol_text(members[i].user),
            .client = protocol_text(members[i].client),
        };
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return true;
}

bool world_pin_colliders(struct world_call *call, uint32_t body, uint32_t pins, struct protocol_array *out)
{
    const struct sim *sim = call->world->document->sim;
    uint32_t *colliders = NULL;
    if (sim_body_follows(sim, body)) {
        colliders = world_call_alloc(call, pins, sizeof *colliders);
        if (!colliders) {
            return false;
        }
        sim_body_pin_colliders(sim, body, colliders);
    }
    *out =
        (struct protocol_array){.type = PROTOCOL_ARRAY_U32, .count = colliders ? pins : 0, .data = colliders};
    return true;
}

bool world_pin_softness(struct world_call *call, uint32_t body, uint32_t pins,
                        struct protocol_array *compliances, struct protocol_array *distances)
{
    const struct sim *sim = call->world->document->sim;
    struct sim_pins_told told = {0};
    const bool soft = sim_body_pins_softly(sim, body);
    if (soft) {
        told.compliances = world_call_alloc(call, pins, sizeof *told.compliances);
        told.distances = world_call_alloc(call, pins, sizeof *told.distances);
        if (!told.compliances || !told.distances) {
            return false;
        }
        sim_body_pins_tell(sim, body, &told);
    }
    *compliances = (struct protocol_array){PROTOCOL_ARRAY_F64, soft ? pins : 0, told.compliances};
    *distances = (struct protocol_array){PROTOCOL_ARRAY_F64, soft ? pins : 0, told.distances};
    return true;
}

bool world_rigid_fill(struct world_call *call, const struct sim_rigid_shape *shape,
                      struct protocol_rigid *out)
{
    struct protocol_rigid_part *parts = world_call_alloc(call, shape->part_count, sizeof *parts);
    return parts && document_rigid_fill(shape, parts, out);
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
            .friction_kinetic = info.meeting.friction_kinetic,
            .restitution = info.meeting.restitution,
            .surface = document_surface_told(sim_body_surface_name(world->document->sim, thing->id)),
            .pins = {.type = PROTOCOL_ARRAY_U32, .count = info.pin_count, .data = pins},
        };
        if (!world_pin_colliders(call, thing->id, info.pin_count, &items[i].pin_colliders) ||
            !world_pin_softness(call, thing->id, info.pin_count, &items[i].pin_compliances,
                                &items[i].pin_distances)) {
            return false;
        }
        if (!items[i].pin_compliances.data) {
            items[i].has &= ~(uint64_t)(PROTOCOL_HAS_BODY_SUMMARY_PIN_COMPLIANCES |
                                        PROTOCOL_HAS_BODY_SUMMARY_PIN_DISTANCES);
        }
        items[i].has &= items[i].pin_colliders.data ? PROTOCOL_HAS_ALL
                                                    : ~(uint64_t)PROTOCOL_HAS_BODY_SUMMARY_PIN_COLLIDERS;
        items[i].has &= info.meeting.restitution > 0 ? PROTOCOL_HAS_ALL
                                                     : ~(uint64_t)PROTOCOL_HAS_BODY_SUMMARY_RESTITUTION;
        items[i].has &=
            items[i].surface.size > 0 ? PROTOCOL_HAS_ALL : ~(uint64_t)PROTOCOL_HAS_BODY_SUMMARY_SURFACE;
        items[i].has &=
            info.meeting.kinetic ? PROTOCOL_HAS_ALL : ~(uint64_t)PROTOCOL_HAS_BODY_SUMMARY_FRICTION_KINETIC;
        document_pressure_fill(&info.pressure, &items[i].pressure);
        items[i].has &= info.pressure.model != SIM_PRESSURE_NONE
                            ? PROTOCOL_HAS_ALL
                            : ~(uint64_t)PROTOCOL_HAS_BODY_SUMMARY_PRESSURE;
        items[i].has &= ~document_pull_has(~document_pull_fill(&info.gravity, &info.force, items[i].gravity,
                                                               items[i].force, &items[i].force_ticks),
                                           PROTOCOL_HAS_BODY_SUMMARY_GRAVITY, PROTOCOL_HAS_BODY_SUMMARY_FORCE,
                                           PROTOCOL_HAS_BODY_SUMMARY_FORCE_TICKS);
        if (!document_own_wind_fill(&info.wind, &items[i].wind)) {
            items[i].has &= ~(uint64_t)PROTOCOL_HAS_BODY_SUMMARY_WIND;
        }
        if (!document_tear_fill(&info.tear, &items[i].tear)) {
            items[i].has &= ~(uint64_t)PROTOCOL_HAS_BODY_SUMMARY_TEAR;
        }
        document_shape_fill(&info.matching, info.particle_count, &items[i].shape);
        items[i].shape.has &= ~(uint64_t)PROTOCOL_HAS_SHAPE_POSITIONS;
        items[i].has &= info.matching.model != SIM_MATCH_NONE ? PROTOCOL_HAS_ALL
                                                              : ~(uint64_t)PROTOCOL_HAS_BODY_SUMMARY_SHAPE;
        document_touch_fill(thing, &items[i].touched);
        document_stretch_fill(&info, &items[i].stretch);
        document_bend_fill(&info, &items[i].bend);
        if (!document_named_find(&items[i].stretch, &items[i].bend, &items[i].material)) {
            items[i].has &= ~(uint64_t)PROTOCOL_HAS_BODY_SUMMARY_MATERIAL;
        }
        document_material_fill(&info.volume, &items[i].volume);
        if (!document_solid_fill(info.solid_model, &info.solid, &items[i].solid)) {
            items[i].has &= ~(uint64_t)PROTOCOL_HAS_BODY_SUMMARY_SOLID;
        }
        if (!document_rod_fill(info.rod, &items[i].rod)) {
            items[i].has &= ~(uint64_t)PROTOCOL_HAS_BODY_SUMMARY_ROD;
        }
        if (!info.rigid) {
            items[i].has &= ~(uint64_t)PROTOCOL_HAS_BODY_SUMMARY_RIGID;
        } else if (!world_rigid_fill(call, info.rigid, &items[i].rigid)) {
            return false;
        }
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

// Returns the optional fields that this kind of collider has.
static uint64_t has_of(const struct sim_collider *collider)
{
    const uint64_t hull = PROTOCOL_HAS_COLLIDER_SUMMARY_POINTS | PROTOCOL_HAS_COLLIDER_SUMMARY_TRIANGLES;
    const uint64_t field = PROTOCOL_HAS_COLLIDER_SUMMARY_HEIGHTS | PROTOCOL_HAS_COLLIDER_SUMMARY_COLUMNS |
                           PROTOCOL_HAS_COLLIDER_SUMMARY_SPACING;
    const uint64_t surface =
        PROTOCOL_HAS_COLLIDER_SUMMARY_SURFACE_VELOCITY | PROTOCOL_HAS_COLLIDER_SUMMARY_SURFACE_SPIN;
    return PROTOCOL_HAS_ALL & ~(collider->points ? 0 : hull) & ~(collider->heights ? 0 : field) &
           ~(collider->kinetic ? 0 : (uint64_t)PROTOCOL_HAS_COLLIDER_SUMMARY_FRICTION_KINETIC) &
           ~(collider->restitution > 0 ? 0 : (uint64_t)PROTOCOL_HAS_COLLIDER_SUMMARY_RESTITUTION) &
           ~(collider->surface[0] != '\0' ? 0 : (uint64_t)PROTOCOL_HAS_COLLIDER_SUMMARY_SURFACE) &
           ~(sim_collider_runs(collider) ? 0 : surface);
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
            .friction_kinetic = collider.friction_kinetic,
            .restitution = collider.restitution,
            .surface = document_surface_told(sim_collider_surface_name(world->document->sim, i)),
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
        memcpy(items[i].surface_velocity, collider.surface_velocity, sizeof collider.surface_velocity);
        memcpy(items[i].surface_spin, collider.surface_spin, sizeof collider.surface_spin);
    }
    *out = (struct protocol_list){.items = items, .count = world->document->colliders.count};
    return true;
}

static void bending_fill(enum sim_bending bending, struct protocol_convergence *out)
{
    static const int reasons[] = {
        [SIM_BENDING_NONE] = PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_NOTHING,
        [SIM_BENDING_SOLVED] = PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_NOTHING,
        [SIM_BENDING_SWEPT_WORLD] = PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_WORLD,
        [SIM_BENDING_SWEPT_MODEL] = PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_MODEL,
        [SIM_BENDING_SWEPT_RIGID] = PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_RIGID,
        [SIM_BENDING_SWEPT_STIFFNESS] = PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_STIFFNESS,
        [SIM_BENDING_SWEPT_STIFF] = PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_STIFF,
        [SIM_BENDING_SWEPT_LARGE] = PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_LARGE,
        [SIM_BENDING_SWEPT_WAITS] = PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_WAITS,
    };
    out->bending = bending == SIM_BENDING_NONE     ? PROTOCOL_CONVERGENCE_BENDING_NONE
                   : bending == SIM_BENDING_SOLVED ? PROTOCOL_CONVERGENCE_BENDING_SOLVED
                                                   : PROTOCOL_CONVERGENCE_BENDING_SWEPT;
    out->swept_because = reasons[bending];
}

bool world_convergence_list(struct world_call *call, struct protocol_list *out)
{
    struct document *document = call->world->document;
    const uint32_t count = sim_body_count(document->sim);
    struct sim_convergence *found = world_call_alloc(call, count, sizeof *found);
    struct protocol_convergence *items = world_call_alloc(call, count, sizeof *items);
    if (!found || !items) {
        return false;
    }
    if (!sim_converged(document->sim, found)) {
        return world_refuse_memory(call);
    }
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (struct protocol_convergence){
            .has = PROTOCOL_HAS_ALL,
            .body = found[i].body,
            .name = document_thing_name(document_things_by_id(&document->bodies, found[i].body)),
            .strain_max = found[i].strain_max,
            .strain_rms = found[i].strain_rms,
            .unresolved_stretch = found[i].unresolved[SIM_PART_STRETCH],
            .unresolved_bend = found[i].unresolved[SIM_PART_BEND],
            .unresolved_volume = found[i].unresolved[SIM_PART_VOLUMES],
            .unresolved_solid = found[i].unresolved[SIM_PART_SOLID],
        };
        bending_fill(found[i].bending, &items[i]);
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return true;
}

bool world_pressures_list(struct world_call *call, struct protocol_list *out)
{
    const struct sim *sim = call->world->document->sim;
    const uint32_t bodies = sim_body_count(sim);
    struct protocol_pressure_measure *items = world_call_alloc(call, bodies, sizeof *items);
    uint32_t count = 0;
    for (uint32_t b = 0; items && b < bodies; b++) {
        const uint32_t id = sim_body_id_at(sim, b);
        struct sim_pressure_told told;
        if (sim_body_pressure(sim, id, &told)) {
            items[count++] = (struct protocol_pressure_measure){
                .has = PROTOCOL_HAS_ALL,
                .body = id,
                .volume = told.volume,
                .reference = told.reference,
                .pressure = told.pressure,
            };
        }
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return items != NULL;
}

void world_grab_fill(const struct world_people *people, const struct sim_grab *grab,
                     struct protocol_grab_summary *out)
{
    const struct world_holder *holder = world_holders_find(people, grab->id);
    document_grab_fill(grab, out);
    if (holder) {
        out->session = holder->session;
        out->user = protocol_text(holder->user);
    }
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
        world_grab_fill(world->people, &grab, &items[i]);
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return true;
}

void world_measures_fill(const struct sim *sim, const struct world_times *times,
                         struct protocol_measures *out)
{
    document_measures_fill(sim, out);
    out->tick_us = times->tick_us;
    out->phases = (struct protocol_phase_times){
        .has = PROTOCOL_HAS_ALL,
        .wind = times->phase_us[SIM_WIND],
        .predict = times->phase_us[SIM_PREDICT],
        .solve = times->phase_us[SIM_SOLVE],
        .contacts = times->phase_us[SIM_CONTACTS],
        .finish = times->phase_us[SIM_FINISH],
    };
}

bool world_shapes_list(struct world_call *call, struct protocol_list *out)
{
    const struct sim *sim = call->world->document->sim;
    const uint32_t bodies = sim_body_count(sim);
    struct protocol_shape_measure *items = world_call_alloc(call, bodies, sizeof *items);
    uint32_t count = 0;
    for (uint32_t b = 0; items && b < bodies; b++) {
        const uint32_t id = sim_body_id_at(sim, b);
        struct sim_match_told told;
        if (sim_body_match(sim, id, &told)) {
            struct protocol_shape_measure *item = &items[count++];
            *item = (struct protocol_shape_measure){
                .has = PROTOCOL_HAS_ALL,
                .body = id,
                .regions = told.regions,
                .distance = told.distance,
                .energy = told.energy,
                .force = told.force,
            };
            memcpy(item->position, told.position, sizeof item->position);
            memcpy(item->rotation, told.rotation, sizeof item->rotation);
        }
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return items != NULL;
}
