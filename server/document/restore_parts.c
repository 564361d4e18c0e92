// Values of bodies become what they were: the fields that an entry of edit.restore names, among those that stay.
#include "document/restore.h"

#include <string.h>

// The entry with all fields of its maps: those that it does not name are what they are now.
static struct protocol_restore_body part_whole(const struct document *document,
                                               const struct protocol_restore_body *given)
{
    struct protocol_restore_body whole = *given;
    struct document_fields fields;
    struct sim_body_info info;
    if (sim_body_info(document->sim, given->body, &info)) {
        document_body_fields(given, &fields); // it was read before
        document_body_maps(&info, &whole);
        document_fields_merge(&protocol_restore_body_type, &fields, given, &whole);
    }
    return whole;
}

static void material_of(const struct protocol_material *given, struct sim_material *material)
{
    *material = (struct sim_material){
        .compliance = given->compliance,
        .damping = given->damping,
        .stiffness = given->has & PROTOCOL_HAS_MATERIAL_STIFFNESS ? given->stiffness : -1,
    };
}

bool document_restore_body_part(struct document *document, const struct document_maker *maker,
                                const struct protocol_restore_body *part, uint32_t index)
{
    const struct document_reader place = document_maker_at(maker, "parts", index);
    const struct protocol_restore_body whole = part_whole(document, part), *given = &whole;
    const struct protocol_material bend = {
        .has = given->bend.has & PROTOCOL_HAS_BEND_MATERIAL_STIFFNESS ? PROTOCOL_HAS_MATERIAL_STIFFNESS : 0,
        .compliance = given->bend.compliance,
        .damping = given->bend.damping,
        .stiffness = given->bend.stiffness,
    };
    const struct protocol_material stretch = document_stretch_material(&given->stretch);
    struct sim_material materials[4];
    struct sim_body_info info;
    struct protocol_bend_material present;
    struct fault fault;
    if (!sim_body_info(document->sim, given->body, &info)) {
        return document_reader_refuse(&place, PROTOCOL_CODE_NOT_FOUND, "body", "%u does not exist",
                                      given->body);
    }
    document_bend_fill(&info, &present);
    if ((given->has & PROTOCOL_HAS_RESTORE_BODY_BEND) &&
        (info.kind != SIM_CLOTH || given->bend.model != present.model)) {
        return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, "bend",
                                      "must be of the model that the body has");
    }
    if ((given->has & PROTOCOL_HAS_RESTORE_BODY_VOLUME) && info.kind != SIM_SOFT) {
        return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, "volume",
                                      "must be absent; it is for kind soft");
    }
    if ((given->has & PROTOCOL_HAS_RESTORE_BODY_SOLID) && info.solid_model == SIM_SOLID_NONE) {
        return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, "solid",
                                      "must be absent; the body has none");
    }
    if ((given->has & PROTOCOL_HAS_RESTORE_BODY_SOLID) &&
        !document_solid_take(&given->solid, &materials[3], &place)) {
        return false;
    }
    const char *differs = given->has & PROTOCOL_HAS_RESTORE_BODY_STRETCH
                              ? document_fabric_differs(&given->stretch, &info)
                              : NULL;
    if (differs) {
        return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, differs, "must be that of the body");
    }
    struct sim_yarns yarns;
    material_of(&stretch, &materials[0]);
    if ((given->has & PROTOCOL_HAS_RESTORE_BODY_STRETCH) &&
        !document_fabric_take(&given->stretch, &yarns, &materials[0], &place)) {
        return false;
    }
    materials[0].limit = given->stretch.has & PROTOCOL_HAS_STRETCH_MATERIAL_LIMIT ? given->stretch.limit : 0;
    material_of(&bend, &materials[1]);
    document_plastic_take(&given->bend, &materials[1].plastic);
    if (!document_rigidity_take(&given->bend, &materials[1], &place)) {
        return false;
    }
    material_of(&given->volume, &materials[2]);
    document_meeting_merge(
        given->has & PROTOCOL_HAS_RESTORE_BODY_SELF_CONTACT ? &given->self_contact : NULL,
        given->has & PROTOCOL_HAS_RESTORE_BODY_CONTACT_GROUP ? &given->contact_group : NULL,
        given->has & PROTOCOL_HAS_RESTORE_BODY_CONTACT_MASK ? &given->contact_mask : NULL,
        given->has & PROTOCOL_HAS_RESTORE_BODY_FRICTION ? &given->friction : NULL,
        given->has & PROTOCOL_HAS_RESTORE_BODY_FRICTION_KINETIC ? &given->friction_kinetic : NULL,
        given->has & PROTOCOL_HAS_RESTORE_BODY_RESTITUTION ? &given->restitution : NULL,
        given->has & PROTOCOL_HAS_RESTORE_BODY_SURFACE ? &given->surface : NULL, &info.meeting);
    struct sim_pressure pressure = {0};
    if ((given->has & PROTOCOL_HAS_RESTORE_BODY_PRESSURE) &&
        !document_pressure_merge(&place, &given->pressure, &pressure)) {
        return false;
    }
    struct sim_own_gravity gravity = {0};
    if ((given->has & PROTOCOL_HAS_RESTORE_BODY_GRAVITY) &&
        !document_gravity_take(&place, &given->gravity, &gravity)) {
        return false;
    }
    const struct sim_own_wind wind = document_own_wind(&given->wind);
    struct sim_body_force force = {
        .ticks = given->has & PROTOCOL_HAS_RESTORE_BODY_FORCE_TICKS ? given->force_ticks : 0};
    memcpy(force.value, given->force, sizeof force.value);
    struct sim_matching matching = {0};
    if ((given->has & PROTOCOL_HAS_RESTORE_BODY_SHAPE) &&
        !document_shape_merge(&place, &given->shape, info.particle_count, &matching)) {
        return false;
    }
    struct sim_tear tear = {0};
    if ((given->has & PROTOCOL_HAS_RESTORE_BODY_TEAR) &&
        !document_tear_merge(&place, &given->tear, false, &tear)) {
        return false;
    }
    const bool restless = !given->sleep;
    const struct sim_body_change change = {
        .restless = given->has & PROTOCOL_HAS_RESTORE_BODY_SLEEP ? &restless : NULL,
        .stretch = given->has & PROTOCOL_HAS_RESTORE_BODY_STRETCH ? &materials[0] : NULL,
        .bend = given->has & PROTOCOL_HAS_RESTORE_BODY_BEND ? &materials[1] : NULL,
        .volume = given->has & PROTOCOL_HAS_RESTORE_BODY_VOLUME ? &materials[2] : NULL,
        .solid = given->has & PROTOCOL_HAS_RESTORE_BODY_SOLID ? &materials[3] : NULL,
        .thickness = given->has & PROTOCOL_HAS_RESTORE_BODY_THICKNESS ? &given->thickness : NULL,
        .meeting = &info.meeting,
        .pressure = given->has & PROTOCOL_HAS_RESTORE_BODY_PRESSURE ? &pressure : NULL,
        .gravity = given->has & PROTOCOL_HAS_RESTORE_BODY_GRAVITY ? &gravity : NULL,
        .wind = given->has & PROTOCOL_HAS_RESTORE_BODY_WIND ? &wind : NULL,
        .force = given->has & PROTOCOL_HAS_RESTORE_BODY_FORCE ? &force : NULL,
        .matching = given->has & PROTOCOL_HAS_RESTORE_BODY_SHAPE ? &matching : NULL,
        .tear = given->has & PROTOCOL_HAS_RESTORE_BODY_TEAR ? &tear : NULL,
    };
    return sim_body_set(document->sim, given->body, &change, &fault) == FAULT_NONE ||
           document_maker_refuse(maker, &(struct sim_image_place){"parts", index, NULL}, &fault);
}
