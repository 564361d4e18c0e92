// Bodies: body.add, body.set, body.remove.
#include "document/scope.h"

#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)PROTOCOL_BODY_SUMMARY_KIND_CLOTH == (int)SIM_CLOTH &&
                   (int)PROTOCOL_BODY_SUMMARY_KIND_ROPE == (int)SIM_ROPE &&
                   (int)PROTOCOL_BODY_SUMMARY_KIND_POINTS == (int)SIM_POINTS &&
                   (int)PROTOCOL_BODY_SUMMARY_KIND_SOFT == (int)SIM_SOFT &&
                   (int)PROTOCOL_BODY_SUMMARY_KIND_RIGID == (int)SIM_RIGID &&
                   (int)PROTOCOL_RIGID_FORM_COMPOUND == (int)SIM_RIGID_COMPOUND,
               "kinds of bodies stand in the same order on the wire and in the sim");

static bool warnings_list(struct document_edit *edit, const struct sim_body_plan *plan,
                          struct protocol_warning **out)
{
    static const char *const codes[] = {
        [SIM_COINCIDENT] = "COINCIDENT", [SIM_ISOLATED] = "ISOLATED",       [SIM_ZERO_LENGTH] = "ZERO_LENGTH",
        [SIM_ZERO_AREA] = "ZERO_AREA",   [SIM_ZERO_VOLUME] = "ZERO_VOLUME", [SIM_INVERTED] = "INVERTED",
        [SIM_DUPLICATE] = "DUPLICATE",   [SIM_NONMANIFOLD] = "NONMANIFOLD", [SIM_COLLAPSED] = "COLLAPSED",
        [SIM_LIGHT] = "LIGHT",           [SIM_LOCKING] = "LOCKING",         [SIM_THICK] = "THICK",
    };
    const struct sim_warning *warnings = NULL;
    uint32_t count = sim_body_plan_warnings(plan, &warnings);
    // The plan is gone by the time the answer is packed, so the warnings are copied with what they hold.
    struct sim_warning *copies = document_edit_alloc(edit, count, sizeof *copies);
    struct protocol_warning *items =
        document_edit_alloc(edit, (size_t)count + 2, sizeof *items); // two may come
    if (!copies || !items) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        copies[i] = warnings[i];
        uint32_t elements =
            copies[i].count < SIM_WARNING_ELEMENTS ? copies[i].count : (uint32_t)SIM_WARNING_ELEMENTS;
        items[i] = (struct protocol_warning){
            .has = PROTOCOL_HAS_ALL,
            .code = protocol_text(codes[copies[i].code]),
            .text = protocol_text(copies[i].text),
            .count = copies[i].count,
            .elements = {.type = PROTOCOL_ARRAY_U32, .count = elements, .data = copies[i].elements},
        };
    }
    *out = items;
    return true;
}

// Like the warnings, the mapping of welded vertices has to outlive the plan.
static bool welded_list(struct document_edit *edit, const struct sim_body_plan *plan,
                        struct protocol_body_add_result *result)
{
    uint32_t count = 0;
    const uint32_t *welded = sim_body_plan_welded(plan, &count);
    if (!welded) {
        result->has &= ~(uint64_t)PROTOCOL_HAS_BODY_ADD_RESULT_WELDED;
        return true;
    }
    uint32_t *copy = document_edit_alloc(edit, count, sizeof *copy);
    if (copy) {
        memcpy(copy, welded, count * sizeof *copy);
        result->welded = (struct protocol_array){PROTOCOL_ARRAY_U32, count, copy};
    }
    return copy != NULL;
}

// ---------------------------------------------------------------------------------------------------------
// body.add

struct adding {
    struct protocol_warning *warnings;
    struct document_coarse coarse;
    struct sim_warning copied;
};

// Warns if the body is where another one is that it meets. Returns how many warnings that makes.
static uint32_t copied_find(const struct document *document, uint32_t body, struct sim_warning *copied,
                            struct protocol_warning *warning)
{
    const uint32_t other = sim_body_copied(document->sim, body, &copied->count, copied->elements);
    const uint32_t listed =
        copied->count < SIM_WARNING_ELEMENTS ? copied->count : (uint32_t)SIM_WARNING_ELEMENTS;
    if (other == 0) {
        return 0;
    }
    snprintf(
        copied->text, sizeof copied->text,
        "%u particles are exactly where those of body %u are, which it meets; contact parts the two along "
        "their normals, body %u to the side that these point to",
        copied->count, other, other);
    *warning = (struct protocol_warning){
        .has = PROTOCOL_HAS_ALL,
        .code = protocol_text("COPY"),
        .text = protocol_text(copied->text),
        .count = copied->count,
        .elements = {.type = PROTOCOL_ARRAY_U32, .count = listed, .data = copied->elements},
    };
    return 1;
}

// The record says how thick the body is, so that a later weft, which may choose otherwise, makes the same body of it.
bool document_check_body_add(const struct document *document, struct document_edit *edit)
{
    struct protocol_body_add_params *params = edit->resolved;
    struct adding *adding = edit->ready = document_edit_alloc(edit, 1, sizeof *adding);
    const struct document_reader reader = document_edit_reader(edit);
    BASE_ASSERT(edit->plans && edit->plans->count == 1 && edit->plans->items[0].plan);
    params->has |= PROTOCOL_HAS_BODY_ADD_PARAMS_THICKNESS;
    params->thickness = sim_body_plan_thickness(edit->plans->items[0].plan);
    return adding &&
           (!(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_MATERIAL) ||
            document_named_take(params, &edit->error)) &&
           document_velocities_fit(document, edit, &params->velocities) &&
           document_stretch_fits(edit, params->stretch.compliance) &&
           document_name_free(edit, &document->bodies, 0, &params->name) &&
           warnings_list(edit, edit->plans->items[0].plan, &adding->warnings) &&
           document_coarse_reserve(&reader, &adding->coarse) &&
           document_skin_fits(&document->bodies, edit->plans->items[0].skin, &edit->error) &&
           document_look_fits(&document->bodies, edit->plans->items[0].look, &edit->error);
}

void document_scope_body_add(const struct document *document, const struct document_edit *edit,
                             struct document_scope *scope)
{
    (void)edit;
    struct sim_next_ids next;
    sim_next_ids(document->sim, &next);
    document_scope_body(scope, next.body);
    scope->next = true;
}

bool document_change_body_add(struct document *document, struct document_edit *edit)
{
    const struct protocol_body_add_params *params = edit->resolved;
    struct protocol_body_add_result *result = edit->result;
    struct adding *adding = edit->ready;
    struct document_body_plan *body = &edit->plans->items[0];
    struct sim_body_added added;
    struct fault fault;
    const struct sim_warning *of_mesh;
    uint32_t warned = sim_body_plan_warnings(body->plan, &of_mesh);
    result->has = PROTOCOL_HAS_ALL;
    if (!welded_list(edit, body->plan, result)) {
        return false;
    }
    if (!document_things_reserve(&document->bodies, 1)) {
        return document_refuse_memory(edit);
    }
    if (sim_body_attach(document->sim, body->plan, &added, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    struct sim_body_info info;
    bool found = sim_body_info(document->sim, added.body, &info);
    BASE_ASSERT(found);
    document_things_add(&document->bodies, added.body, &params->name, info.particle_count);
    struct document_thing *thing = document_things_by_id(&document->bodies, added.body);
    thing->skin = body->skin;
    thing->look = body->look;
    *body = (struct document_body_plan){0};
    document_ranges_fill(added.constraint_first, added.constraint_count, &result->constraints);
    warned += document_coarse_body(document, added.body, &adding->coarse, &adding->warnings[warned]);
    warned += copied_find(document, added.body, &adding->copied, &adding->warnings[warned]);
    result->particles = info.particle_count;
    result->warnings = (struct protocol_list){.items = adding->warnings, .count = warned};
    result->body = added.body;
    result->revision = document_commit(document);
    result->tick = document->tick;
    document_touch(document, edit, &document->bodies, added.body);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// body.set

struct setting {
    struct sim_body_info info; // with what is to be changed
    struct sim_rest_shape rest;
};

// The material that a partial map makes of the present one.
static bool material_merge(struct document_edit *edit, const struct protocol_material *given,
                           const char *stiffness_field, struct sim_material *material)
{
    bool compliance = given->has & PROTOCOL_HAS_MATERIAL_COMPLIANCE;
    bool stiffness = given->has & PROTOCOL_HAS_MATERIAL_STIFFNESS;
    if (compliance && stiffness) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, stiffness_field,
                               "%s: must be absent where compliance is given", stiffness_field);
    }
    if (compliance) {
        material->compliance = given->compliance;
        material->stiffness = -1;
    }
    if (stiffness) {
        material->compliance = 0;
        material->stiffness = given->stiffness;
    }
    if (given->has & PROTOCOL_HAS_MATERIAL_DAMPING) {
        material->damping = given->damping;
    }
    return true;
}

static bool stretch_merge(struct document_edit *edit, const struct protocol_stretch_material *given,
                          struct sim_body_info *info)
{
    const struct document_reader reader = document_edit_reader(edit);
    const bool fabric = info->stretch_model == SIM_STRETCH_ORTHOTROPIC;
    const char *differs = document_fabric_differs(given, info);
    struct protocol_material material = document_stretch_material(given);
    if (differs) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, differs,
                               "%s: cannot change once the body is added; remove the body and add it again",
                               differs);
    }
    if (!document_fabric_alone(given, fabric, &reader)) {
        return false;
    }
    if (given->has & PROTOCOL_HAS_STRETCH_MATERIAL_LIMIT) {
        info->stretch.limit = given->limit;
    }
    if (fabric) { // a compliance of 0 is told of it, and may come back
        material.has &= ~PROTOCOL_HAS_MATERIAL_COMPLIANCE;
        document_fabric_merge(given, &info->stretch);
    }
    return material_merge(edit, &material, "stretch.stiffness", &info->stretch);
}

// Rigidities end a compliance or stiffness set before. others: those that are given along with them.
static bool rigidity_merge(struct document_edit *edit, const struct protocol_bend_material *given,
                           uint64_t others, struct sim_material *bend)
{
    const char *field = document_rigidity_field(given);
    const uint64_t yarns =
        PROTOCOL_HAS_BEND_MATERIAL_WARP | PROTOCOL_HAS_BEND_MATERIAL_WEFT | PROTOCOL_HAS_BEND_MATERIAL_BIAS;
    const bool both = (given->has & PROTOCOL_HAS_BEND_MATERIAL_RIGIDITY) && (given->has & yarns);
    if (others || both) {
        const char *other = others & PROTOCOL_HAS_MATERIAL_COMPLIANCE ? "bend.compliance"
                            : others                                  ? "bend.stiffness"
                                                                      : "bend.warp";
        return document_refuse(edit, PROTOCOL_CODE_INVALID, field,
                               "%s: must be absent where %s is given; either says how stiff bending is",
                               field, other);
    }
    document_rigidity_merge(given, bend);
    bend->stiffness = -1;
    return true;
}

static bool bend_merge(struct document_edit *edit, const struct protocol_bend_material *given,
                       struct sim_body_info *info)
{
    struct protocol_bend_material present;
    document_bend_fill(info, &present);
    if ((given->has & PROTOCOL_HAS_BEND_MATERIAL_MODEL) && given->model != present.model) {
        return document_refuse(
            edit, PROTOCOL_CODE_INVALID, "bend.model",
            "bend.model: cannot change once the body is added; remove the body and add it again");
    }
    const struct protocol_material material = {
        .has = (given->has & PROTOCOL_HAS_BEND_MATERIAL_COMPLIANCE ? PROTOCOL_HAS_MATERIAL_COMPLIANCE : 0) |
               (given->has & PROTOCOL_HAS_BEND_MATERIAL_DAMPING ? PROTOCOL_HAS_MATERIAL_DAMPING : 0) |
               (given->has & PROTOCOL_HAS_BEND_MATERIAL_STIFFNESS ? PROTOCOL_HAS_MATERIAL_STIFFNESS : 0),
        .compliance = given->compliance,
        .damping = given->damping,
        .stiffness = given->stiffness,
    };
    const uint64_t others = PROTOCOL_HAS_MATERIAL_COMPLIANCE | PROTOCOL_HAS_MATERIAL_STIFFNESS;
    document_plastic_take(given, &info->bend.plastic);
    if (!material_merge(edit, &material, "bend.stiffness", &info->bend)) {
        return false;
    }
    if (document_rigidity_field(given)) {
        return rigidity_merge(edit, given, material.has & others, &info->bend);
    }
    if (material.has & others) {
        info->bend.rigidity = info->bend.warp = info->bend.weft = info->bend.bias = 0;
    }
    return true;
}

static bool rest_shape_read(struct document_edit *edit, const struct protocol_rest_shape *given,
                            uint32_t particles, struct sim_rest_shape *rest)
{
    const struct document_reader reader = document_edit_reader(edit);
    const char *const field = "rest_shape.positions";
    *rest =
        (struct sim_rest_shape){.angles = given->angles, .lengths = given->lengths, .places = given->places};
    return !(given->has & PROTOCOL_HAS_REST_SHAPE_POSITIONS) ||
           (document_reader_count(&reader, field, given->positions.count, 3 * particles,
                                  "three a particle") &&
            document_reader_f64s(&reader, field, &given->positions, 3 * particles, NULL, &rest->positions));
}

// A solid has no edges and volumes, and no other body has a solid.
static bool solid_merge(struct document_edit *edit, const struct protocol_body_set_params *params,
                        struct sim_body_info *info)
{
    const bool is_solid = info->solid_model != SIM_SOLID_NONE,
               given = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_SOLID;
    const char *said = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_STRETCH  ? "stretch"
                       : params->has & PROTOCOL_HAS_BODY_SET_PARAMS_VOLUME ? "volume"
                                                                           : NULL;
    if (given && !is_solid) {
        return document_refuse(
            edit, PROTOCOL_CODE_INVALID, "solid",
            "solid: must be absent; the body was added without one, and cannot become a solid");
    }
    if (is_solid && said) {
        return document_refuse(
            edit, PROTOCOL_CODE_INVALID, said,
            "%s: must be absent; the body is a solid, and has neither edges nor volumes as "
            "constraints",
            said);
    }
    const struct protocol_solid_material *solid = &params->solid;
    if (given && (solid->has & PROTOCOL_HAS_SOLID_MATERIAL_YOUNG)) {
        info->solid.young = solid->young;
    }
    if (given && (solid->has & PROTOCOL_HAS_SOLID_MATERIAL_POISSON)) {
        info->solid.poisson = solid->poisson;
    }
    if (given && (solid->has & PROTOCOL_HAS_SOLID_MATERIAL_DAMPING)) {
        info->solid.damping = solid->damping;
    }
    if (given) {
        document_solid_plastic_take(solid, &info->solid.plastic);
    }
    return true;
}

static bool tear_merge(struct document_edit *edit, const struct document_reader *reader,
                       const struct protocol_tear *given, struct sim_body_info *info)
{
    if (given->has & PROTOCOL_HAS_TEAR_MOST) {
        return document_refuse(
            edit, PROTOCOL_CODE_INVALID, "tear.most",
            "tear.most: must be absent; a body keeps the room for tears that it was made with");
    }
    return document_tear_merge(reader, given, false, &info->tear);
}

// Coefficients that the map lacks are those of the world.
static bool own_wind_merge(const struct protocol_body_set_params *params, struct sim_body_info *info)
{
    if (params->has & PROTOCOL_HAS_BODY_SET_PARAMS_WIND) {
        info->wind = document_own_wind(&params->wind);
    }
    return true;
}

bool document_check_body_set(const struct document *document, struct document_edit *edit)
{
    struct protocol_body_set_params *params = edit->resolved;
    const uint64_t has = params->has;
    struct setting *setting = edit->ready = document_edit_alloc(edit, 1, sizeof *setting);
    const struct document_reader reader = document_edit_reader(edit);
    uint32_t body;
    if (!setting || !document_find_body(document, edit, &params->body, &body)) {
        return false;
    }
    struct sim_body_info *info = &setting->info;
    bool found = sim_body_info(document->sim, body, info);
    BASE_ASSERT(found);
    document_meeting_merge(
        params->has & PROTOCOL_HAS_BODY_SET_PARAMS_SELF_CONTACT ? &params->self_contact : NULL,
        params->has & PROTOCOL_HAS_BODY_SET_PARAMS_CONTACT_GROUP ? &params->contact_group : NULL,
        params->has & PROTOCOL_HAS_BODY_SET_PARAMS_CONTACT_MASK ? &params->contact_mask : NULL,
        params->has & PROTOCOL_HAS_BODY_SET_PARAMS_FRICTION ? &params->friction : NULL,
        params->has & PROTOCOL_HAS_BODY_SET_PARAMS_FRICTION_KINETIC ? &params->friction_kinetic : NULL,
        params->has & PROTOCOL_HAS_BODY_SET_PARAMS_RESTITUTION ? &params->restitution : NULL,
        params->has & PROTOCOL_HAS_BODY_SET_PARAMS_SURFACE ? &params->surface : NULL, &info->meeting);
    if ((has & PROTOCOL_HAS_BODY_SET_PARAMS_BEND) && info->kind != SIM_CLOTH) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "bend",
                               "bend: must be absent; it is for kind cloth");
    }
    if ((has & PROTOCOL_HAS_BODY_SET_PARAMS_STRETCH) && info->rod) {
        return document_refuse(
            edit, PROTOCOL_CODE_INVALID, "stretch",
            "stretch: must be absent; the body is a rod, which has no edges as constraints");
    }
    if ((has & PROTOCOL_HAS_BODY_SET_PARAMS_VOLUME) && info->kind != SIM_SOFT) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "volume",
                               "volume: must be absent; it is for kind soft");
    }
    return (!(has & PROTOCOL_HAS_BODY_SET_PARAMS_NAME) ||
            document_name_free(edit, &document->bodies, body, &params->name)) &&
           (!(has & PROTOCOL_HAS_BODY_SET_PARAMS_STRETCH) ||
            (document_stretch_fits(edit, params->stretch.compliance) &&
             stretch_merge(edit, &params->stretch, info))) &&
           (!(has & PROTOCOL_HAS_BODY_SET_PARAMS_BEND) || bend_merge(edit, &params->bend, info)) &&
           (!(has & PROTOCOL_HAS_BODY_SET_PARAMS_REST_SHAPE) ||
            rest_shape_read(edit, &params->rest_shape, info->particle_count, &setting->rest)) &&
           (!(has & PROTOCOL_HAS_BODY_SET_PARAMS_PRESSURE) ||
            document_pressure_merge(&reader, &params->pressure, &info->pressure)) &&
           (!(has & PROTOCOL_HAS_BODY_SET_PARAMS_GRAVITY) ||
            document_gravity_take(&reader, &params->gravity, &info->gravity)) &&
           (!(has & PROTOCOL_HAS_BODY_SET_PARAMS_SHAPE) ||
            document_shape_merge(&reader, &params->shape, info->particle_count, &info->matching)) &&
           (!(has & PROTOCOL_HAS_BODY_SET_PARAMS_TEAR) || tear_merge(edit, &reader, &params->tear, info)) &&
           (!(has & PROTOCOL_HAS_BODY_SET_PARAMS_VOLUME) ||
            material_merge(edit, &params->volume, "volume.stiffness", &info->volume)) &&
           solid_merge(edit, params, info) && own_wind_merge(params, info);
}

void document_scope_body_set(const struct document *document, const struct document_edit *edit,
                             struct document_scope *scope)
{
    const struct protocol_body_set_params *params = edit->resolved;
    const struct protocol_struct *type = &protocol_restore_body_type;
    const struct setting *setting = edit->ready;
    struct protocol_restore_body before = {0}, after = {0};
    struct document_fields fields = {0}, changed = {0};
    struct sim_body_info info;
    const bool found = sim_body_info(document->sim, params->body.id, &info);
    BASE_ASSERT(found);
    document_body_maps(&info, &before);
    document_body_maps(&setting->info, &after);
    document_fields_given(&protocol_body_set_params_type, params, type, &fields);
    document_fields_changed(type, DOCUMENT_BODY_MAPS, &before, &after, &changed);
    document_fields_changed(type, DOCUMENT_BODY_MAPS, &before, &after, &fields);
    document_fields_link(type, &changed, &fields);
    fields.own &= ~(uint64_t)PROTOCOL_HAS_RESTORE_BODY_BODY;
    if ((params->has & PROTOCOL_HAS_BODY_SET_PARAMS_REST_SHAPE) && params->rest_shape.places &&
        info.matching.model != SIM_MATCH_NONE) {
        document_fields_add(type, &fields, PROTOCOL_HAS_RESTORE_BODY_SHAPE, PROTOCOL_HAS_SHAPE_POSITIONS, 0);
    }
    document_scope_body_fields(scope, params->body.id, &fields);
    if (params->has & PROTOCOL_HAS_BODY_SET_PARAMS_REST_SHAPE) {
        document_scope_rests(scope, document, params->body.id, params->rest_shape.angles,
                             params->rest_shape.lengths);
    }
}

bool document_change_body_set(struct document *document, struct document_edit *edit)
{
    const struct protocol_body_set_params *params = edit->resolved;
    const struct setting *setting = edit->ready;
    const struct sim_body_info *info = &setting->info;
    struct protocol_body_set_result *result = edit->result;
    struct fault fault;
    const bool restless = !params->sleep;
    const struct sim_body_change change = {
        .restless = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_SLEEP ? &restless : NULL,
        .stretch = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_STRETCH ? &info->stretch : NULL,
        .bend = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_BEND ? &info->bend : NULL,
        .volume = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_VOLUME ? &info->volume : NULL,
        .solid = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_SOLID ? &info->solid : NULL,
        .thickness = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_THICKNESS ? &params->thickness : NULL,
        .meeting = &info->meeting,
        .rest = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_REST_SHAPE ? &setting->rest : NULL,
        .pressure = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_PRESSURE ? &info->pressure : NULL,
        .gravity = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_GRAVITY ? &info->gravity : NULL,
        .wind = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_WIND ? &info->wind : NULL,
        .matching = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_SHAPE ? &info->matching : NULL,
        .tear = params->has & PROTOCOL_HAS_BODY_SET_PARAMS_TEAR ? &info->tear : NULL,
    };
    if (sim_body_set(document->sim, info->body, &change, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    if (params->has & PROTOCOL_HAS_BODY_SET_PARAMS_NAME) {
        document_things_rename(&document->bodies, info->body, &params->name);
    }
    *result = (struct protocol_body_set_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    document_touch(document, edit, &document->bodies, info->body);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// body.remove

bool document_check_body_remove(const struct document *document, struct document_edit *edit)
{
    struct protocol_body_remove_params *params = edit->resolved;
    uint32_t body;
    return document_find_body(document, edit, &params->body, &body);
}

void document_scope_body_remove(const struct document *document, const struct document_edit *edit,
                                struct document_scope *scope)
{
    (void)document;
    const struct protocol_body_remove_params *params = edit->resolved;
    document_scope_body(scope, params->body.id);
    scope->next = true; // its constraints have their ids again, whatever next ids come to until then
}

bool document_change_body_remove(struct document *document, struct document_edit *edit)
{
    const struct protocol_body_remove_params *params = edit->resolved;
    struct protocol_body_remove_result *result = edit->result;
    uint32_t *removed = NULL, removed_count = 0;
    struct fault fault;
    if (sim_body_remove(document->sim, params->body.id, &removed, &removed_count, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    document_things_remove(&document->bodies, params->body.id);
    // If memory for the list runs out, only the list is lost.
    uint32_t *told = msgpack_zone_malloc(edit->zone, ((size_t)removed_count + 1) * sizeof *told);
    if (told && removed_count > 0) {
        memcpy(told, removed, removed_count * sizeof *told);
    }
    free(removed);
    *result = (struct protocol_body_remove_result){
        .has = PROTOCOL_HAS_ALL,
        .revision = document_commit(document),
        .tick = document->tick,
        .constraints = {PROTOCOL_ARRAY_U32, told ? removed_count : 0, told},
    };
    return true;
}
