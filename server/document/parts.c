// The settings of a world and the values of bodies, as edit.restore has them: all of them, or some fields.
#include "document/filler.h"
#include "document/scope.h"

#include <string.h>

static void *alloc(const struct document_filler *filler, size_t count, size_t item_size)
{
    void *memory = document_fill_alloc(filler, count, item_size);
    return memory ? memset(memory, 0, count * item_size) : NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Settings

#define FORCES_BITS                                                                            \
    (PROTOCOL_HAS_RESTORE_SETTINGS_FORCES_SET | PROTOCOL_HAS_RESTORE_SETTINGS_FORCES_REMOVED | \
     PROTOCOL_HAS_RESTORE_SETTINGS_FORCES_NEXT)

bool document_settings_fields(const struct protocol_restore_settings *given, struct document_fields *fields)
{
    const uint64_t meta = PROTOCOL_HAS_RESTORE_SETTINGS_FIELDS | FORCES_BITS;
    return document_fields_read(&protocol_restore_settings_type, given->has & ~meta,
                                given->has & PROTOCOL_HAS_RESTORE_SETTINGS_FIELDS ? &given->fields : NULL,
                                fields);
}

static const struct sim_force *force_find(const struct sim_force_fields *forces, uint32_t id)
{
    const struct sim_force *found = NULL;
    for (uint32_t f = 0; f < forces->count && !found; f++) {
        found = forces->items[f].id == id ? &forces->items[f] : NULL;
    }
    return found;
}

// Fields of force that are there are told as far as the scope names them, others are to be removed.
static bool capture_forces(const struct document_scope *scope, const struct document_filler *filler,
                           const struct sim_force_fields *forces, struct protocol_restore_settings *out)
{
    struct protocol_force_field *set = alloc(filler, scope->force_count, sizeof *set);
    uint32_t *removed = alloc(filler, scope->force_count, sizeof *removed), set_count = 0, removed_count = 0;
    if (!set || !removed) {
        return false;
    }
    for (uint32_t f = 0; f < scope->force_count; f++) {
        const struct sim_force *force = force_find(forces, scope->forces[f].id);
        if (!force) {
            removed[removed_count++] = scope->forces[f].id;
            continue;
        }
        document_force_fill(force, &set[set_count]);
        set[set_count++].has &= scope->forces[f].parts | PROTOCOL_HAS_FORCE_FIELD_FORCE;
    }
    out->forces_set = (struct protocol_list){.items = set, .count = set_count};
    out->forces_removed = (struct protocol_array){PROTOCOL_ARRAY_U32, removed_count, removed};
    out->forces_next = forces->next > 0 ? forces->next : 1;
    out->has |= (set_count > 0 ? PROTOCOL_HAS_RESTORE_SETTINGS_FORCES_SET : 0) |
                (removed_count > 0 ? PROTOCOL_HAS_RESTORE_SETTINGS_FORCES_REMOVED : 0) |
                PROTOCOL_HAS_RESTORE_SETTINGS_FORCES_NEXT;
    return true;
}

bool document_capture_settings(const struct document *document, const struct document_scope *scope,
                               const struct document_filler *filler, struct protocol_edit_restore_params *out)
{
    const struct sim_settings *settings = sim_settings_of(document->sim);
    struct protocol_restore_settings *to = &out->settings;
    struct protocol_force_field *fields = alloc(filler, SIM_FORCES_MAX, sizeof *fields);
    struct protocol_surface_pair *rows = alloc(filler, SIM_SURFACES_MAX, sizeof *rows);
    if (!fields || !rows) {
        return false;
    }
    if (scope->settings.own == 0 && scope->force_count == 0) {
        return true;
    }
    *to = (struct protocol_restore_settings){
        .has = scope->settings.own,
        .substeps = settings->substeps,
        .iterations = settings->iterations,
        .damping = settings->damping,
        .extent = settings->extent,
        .contact_quality = (int)settings->contact_quality,
        .untangle = settings->untangle,
        .long_edges = settings->long_edges,
        .bending = settings->bending_solved ? PROTOCOL_RESTORE_SETTINGS_BENDING_SOLVED
                                            : PROTOCOL_RESTORE_SETTINGS_BENDING_SWEPT,
        .loads = settings->loads_solved ? PROTOCOL_RESTORE_SETTINGS_LOADS_SOLVED
                                        : PROTOCOL_RESTORE_SETTINGS_LOADS_SWEPT,
        .sleep = settings->sleep,
        .calm = settings->calm,
    };
    memcpy(to->gravity, settings->gravity, sizeof settings->gravity);
    document_wind_fill(settings, &to->wind);
    document_forces_fill(&settings->forces, fields, &to->forces);
    document_surfaces_fill(&settings->surfaces, rows, &to->surfaces);
    to->fields = document_fields_text(&protocol_restore_settings_type, &scope->settings, filler->zone);
    to->has |= to->fields.size > 0 ? PROTOCOL_HAS_RESTORE_SETTINGS_FIELDS : 0;
    document_fields_cut(&protocol_restore_settings_type, &scope->settings, to);
    out->has |= PROTOCOL_HAS_EDIT_RESTORE_PARAMS_SETTINGS;
    return to->fields.data &&
           (scope->force_count == 0 || capture_forces(scope, filler, &settings->forces, to));
}

// ---------------------------------------------------------------------------------------------------------
// Bodies

bool document_body_fields(const struct protocol_restore_body *given, struct document_fields *fields)
{
    const uint64_t meta = PROTOCOL_HAS_RESTORE_BODY_FIELDS | PROTOCOL_HAS_RESTORE_BODY_BODY;
    return document_fields_read(&protocol_restore_body_type, given->has & ~meta,
                                given->has & PROTOCOL_HAS_RESTORE_BODY_FIELDS ? &given->fields : NULL,
                                fields);
}

void document_body_maps(const struct sim_body_info *info, struct protocol_restore_body *out)
{
    document_own_wind_fill(&info->wind, &out->wind);
    document_pressure_fill(&info->pressure, &out->pressure);
    document_shape_fill(&info->matching, info->particle_count, &out->shape);
    document_tear_fill(&info->tear, &out->tear);
    out->tear.has =
        PROTOCOL_HAS_TEAR_FORCE | PROTOCOL_HAS_TEAR_STRAIN; // an absent threshold stays, and 0 ends it
    document_stretch_fill(info, &out->stretch);
    document_bend_fill(info, &out->bend);
    document_material_fill(&info->volume, &out->volume);
    document_solid_fill(info->solid_model, &info->solid, &out->solid);
}

static bool fill_pull(const struct document_filler *filler, const struct sim_body_info *info,
                      struct protocol_restore_body *out)
{
    double *gravity = alloc(filler, 3, sizeof *gravity);
    if (!gravity) {
        return false;
    }
    const unsigned filled =
        document_pull_fill(&info->gravity, &info->force, gravity, out->force, &out->force_ticks);
    out->gravity = (struct protocol_array){PROTOCOL_ARRAY_F64, filled & 1 ? 3 : 0, gravity};
    if (filled & 4 && out->has & PROTOCOL_HAS_RESTORE_BODY_FORCE) {
        out->has |= PROTOCOL_HAS_RESTORE_BODY_FORCE_TICKS;
    }
    return true;
}

// The parts that a body of this kind does not have.
static uint64_t lacking(const struct sim_body_info *info)
{
    return (info->kind == SIM_CLOTH ? 0 : PROTOCOL_HAS_RESTORE_BODY_BEND) |
           (info->kind == SIM_SOFT ? 0 : PROTOCOL_HAS_RESTORE_BODY_VOLUME) |
           (info->solid_model == SIM_SOLID_NONE ? PROTOCOL_HAS_RESTORE_BODY_SOLID : 0) |
           (info->rod ? PROTOCOL_HAS_RESTORE_BODY_STRETCH : 0) |
           (info->tear.most > 0 ? 0 : PROTOCOL_HAS_RESTORE_BODY_TEAR);
}

static bool capture_body(const struct document_filler *filler, const struct document_thing *thing,
                         struct sim_body_info *info, const struct document_scope_body *part,
                         struct protocol_restore_body *out)
{
    struct document_fields fields = part->fields;
    fields.own &= ~(lacking(info) | PROTOCOL_HAS_RESTORE_BODY_FIELDS);
    *out = (struct protocol_restore_body){
        .has = fields.own | PROTOCOL_HAS_RESTORE_BODY_BODY,
        .body = part->id,
        .name = document_thing_name(thing),
        .thickness = info->thickness,
        .self_contact = info->meeting.self,
        .contact_group = info->meeting.group,
        .contact_mask = info->meeting.mask,
        .friction = info->meeting.friction,
        .friction_kinetic = document_kinetic_told(info->meeting.kinetic, info->meeting.friction_kinetic),
        .restitution = info->meeting.restitution,
        .sleep = !info->restless,
        .gravity = {PROTOCOL_ARRAY_F64, 0, NULL}};
    out->has &= ~(uint64_t)PROTOCOL_HAS_RESTORE_BODY_FORCE_TICKS;
    if (!fill_pull(filler, info, out)) {
        return false;
    }
    // With a copy of the places, which the edit to come may replace.
    if ((out->has & PROTOCOL_HAS_RESTORE_BODY_SHAPE) && info->matching.places) {
        double *places = alloc(filler, 3 * (size_t)info->particle_count, sizeof *places);
        if (!places) {
            return false;
        }
        memcpy(places, info->matching.places, 3 * (size_t)info->particle_count * sizeof *places);
        info->matching.places = places;
    }
    document_body_maps(info, out);
    out->fields = document_fields_text(&protocol_restore_body_type, &fields, filler->zone);
    out->has |= out->fields.size > 0 ? PROTOCOL_HAS_RESTORE_BODY_FIELDS : 0;
    document_fields_cut(&protocol_restore_body_type, &fields, out);
    return out->fields.data != NULL;
}

bool document_capture_bodies(const struct document *document, const struct document_scope *scope,
                             const struct document_filler *filler, struct protocol_edit_restore_params *out)
{
    struct protocol_restore_body *items = alloc(filler, scope->body_part_count, sizeof *items);
    uint32_t count = 0;
    for (uint32_t p = 0; items && p < scope->body_part_count; p++) {
        const struct document_scope_body *part = &scope->body_parts[p];
        const struct document_thing *thing = document_things_by_id(&document->bodies, part->id);
        struct sim_body_info info;
        if (!thing || !sim_body_info(document->sim, part->id, &info)) {
            continue;
        }
        if (!capture_body(filler, thing, &info, part, &items[count])) {
            return false;
        }
        items[count++].surface = document_surface_told(sim_body_surface_name(document->sim, part->id));
    }
    out->parts = (struct protocol_list){.items = items, .count = count};
    out->has |= count > 0 ? PROTOCOL_HAS_EDIT_RESTORE_PARAMS_PARTS : 0;
    return items != NULL;
}
