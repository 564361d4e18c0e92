// Fields of force: force.add, force.set, force.remove, and how the wire tells of them. They are settings of the world, and an edit of
// one gives the sim the whole list.
#include "document/scope.h"

#include <string.h>

_Static_assert((int)PROTOCOL_FORCE_FIELD_KIND_VORTEX == (int)SIM_FORCE_VORTEX &&
                   (int)PROTOCOL_FORCE_FIELD_KIND_DRAG == (int)SIM_FORCE_DRAG &&
                   (int)PROTOCOL_FORCE_FIELD_KIND_WIND == (int)SIM_FORCE_WIND &&
                   (int)PROTOCOL_FORCE_FIELD_KIND_FAN == (int)SIM_FORCE_FAN &&
                   (int)PROTOCOL_FORCE_FIELD_FALLOFF_INVERSE_SQUARE == (int)SIM_FALLOFF_INVERSE_SQUARE,
               "kinds of fields and of their fall-off stand in the same order on the wire and in the sim");

// A field of which nothing was ever said.
static const struct sim_force unsaid = {
    .axis = {0, 1, 0}, .strength = 1, .distance = 1, .core = 0.01, .width = 1};

// The sim refuses more bodies than there is room for, by their number.
static void merge(const struct protocol_force_field *given, struct sim_force *force)
{
    const struct {
        uint64_t bit;
        const double *from;
        double *to;
        size_t size;
    } numbers[] = {
        {PROTOCOL_HAS_FORCE_FIELD_POSITION, given->position, force->position, sizeof force->position},
        {PROTOCOL_HAS_FORCE_FIELD_AXIS, given->axis, force->axis, sizeof force->axis},
        {PROTOCOL_HAS_FORCE_FIELD_STRENGTH, &given->strength, &force->strength, sizeof force->strength},
        {PROTOCOL_HAS_FORCE_FIELD_DISTANCE, &given->distance, &force->distance, sizeof force->distance},
        {PROTOCOL_HAS_FORCE_FIELD_CORE, &given->core, &force->core, sizeof force->core},
        {PROTOCOL_HAS_FORCE_FIELD_VELOCITY, given->velocity, force->velocity, sizeof force->velocity},
        {PROTOCOL_HAS_FORCE_FIELD_WIDTH, &given->width, &force->width, sizeof force->width},
        {PROTOCOL_HAS_FORCE_FIELD_RADIUS, &given->radius, &force->radius, sizeof force->radius},
        {PROTOCOL_HAS_FORCE_FIELD_HALF_EXTENTS, given->half_extents, force->half_extents,
         sizeof force->half_extents},
        {PROTOCOL_HAS_FORCE_FIELD_MARGIN, &given->margin, &force->margin, sizeof force->margin},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (given->has & numbers[i].bit) {
            memcpy(numbers[i].to, numbers[i].from, numbers[i].size);
        }
    }
    if (given->has & PROTOCOL_HAS_FORCE_FIELD_FALLOFF) {
        force->falloff = (enum sim_falloff)given->falloff;
    }
    if (given->has & PROTOCOL_HAS_FORCE_FIELD_BODIES) {
        memset(force->bodies, 0, sizeof force->bodies);
        force->body_count = given->bodies.count;
        for (uint32_t b = 0; b < given->bodies.count && b < SIM_FORCE_BODIES_MAX; b++) {
            force->bodies[b] = (uint32_t)protocol_array_f64_at(&given->bodies, b);
        }
    }
}

void document_forces_take(const struct protocol_force_fields *given, struct sim_force_fields *forces)
{
    const struct protocol_force_field *fields = given->fields.items;
    *forces = (struct sim_force_fields){.next = given->next};
    for (uint32_t f = 0; f < given->fields.count && f < SIM_FORCES_MAX; f++) {
        struct sim_force *force = &forces->items[forces->count++];
        *force = unsaid;
        force->id = fields[f].has & PROTOCOL_HAS_FORCE_FIELD_FORCE ? fields[f].force : 0;
        force->kind = fields[f].has & PROTOCOL_HAS_FORCE_FIELD_KIND ? (enum sim_force_kind)fields[f].kind
                                                                    : SIM_FORCE_POINT;
        merge(&fields[f], force);
    }
}

void document_force_fill(const struct sim_force *force, struct protocol_force_field *out)
{
    *out = (struct protocol_force_field){
        .has = force->kind == SIM_FORCE_FAN ? PROTOCOL_HAS_ALL : ~(uint64_t)PROTOCOL_HAS_FORCE_FIELD_WIDTH,
        .force = force->id,
        .kind = (int)force->kind,
        .strength = force->strength,
        .distance = force->distance,
        .falloff = (int)force->falloff,
        .core = force->core,
        .width = force->width,
        .radius = force->radius,
        .margin = force->margin,
        .bodies = {PROTOCOL_ARRAY_U32, force->body_count, force->bodies},
    };
    memcpy(out->position, force->position, sizeof force->position);
    memcpy(out->axis, force->axis, sizeof force->axis);
    memcpy(out->velocity, force->velocity, sizeof force->velocity);
    memcpy(out->half_extents, force->half_extents, sizeof force->half_extents);
}

void document_forces_fill(const struct sim_force_fields *forces, struct protocol_force_field *items,
                          struct protocol_force_fields *out)
{
    for (uint32_t f = 0; f < forces->count; f++) {
        document_force_fill(&forces->items[f], &items[f]);
    }
    *out = (struct protocol_force_fields){
        .has = PROTOCOL_HAS_ALL,
        .next = forces->next > 0 ? forces->next : 1,
        .fields = {.items = items, .count = forces->count},
    };
}

static struct sim_force *force_of(struct sim_force_fields *forces, uint32_t id)
{
    struct sim_force *found = NULL;
    for (uint32_t f = 0; f < forces->count && !found; f++) {
        found = forces->items[f].id == id ? &forces->items[f] : NULL;
    }
    return found;
}

static void remove_force(struct sim_force_fields *forces, struct sim_force *force)
{
    struct sim_force *end = &forces->items[--forces->count];
    memmove(force, force + 1, (size_t)(end - force) * sizeof *force);
    *end = (struct sim_force){0};
}

// Makes room for a field between those with lower and with greater ids.
static struct sim_force *insert_force(struct sim_force_fields *forces, uint32_t id)
{
    uint32_t at = forces->count++;
    for (; at > 0 && forces->items[at - 1].id > id; at--) {
        forces->items[at] = forces->items[at - 1];
    }
    forces->items[at] = unsaid;
    forces->items[at].id = id;
    return &forces->items[at];
}

bool document_forces_restore(const struct document_reader *place,
                             const struct protocol_restore_settings *given, struct sim_force_fields *forces)
{
    const struct protocol_force_field *set = given->forces_set.items;
    for (uint32_t i = 0; i < given->forces_removed.count; i++) {
        struct sim_force *force =
            force_of(forces, (uint32_t)protocol_array_f64_at(&given->forces_removed, i));
        if (force) {
            remove_force(forces, force);
        }
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_FORCES_NEXT) {
        forces->next = given->forces_next;
    }
    for (uint32_t i = 0; i < given->forces_set.count; i++) {
        const bool whole = set[i].has & PROTOCOL_HAS_FORCE_FIELD_KIND;
        if (!(set[i].has & PROTOCOL_HAS_FORCE_FIELD_FORCE)) {
            return document_reader_refuse(place, PROTOCOL_CODE_INVALID, "settings.forces_set",
                                          "element %u has no id in force", i);
        }
        struct sim_force *force = force_of(forces, set[i].force);
        if (!force && !whole) {
            return document_reader_refuse(place, PROTOCOL_CODE_NOT_FOUND, "settings.forces_set",
                                          "force %u does not exist, and comes back only with its kind",
                                          set[i].force);
        }
        if (!force && forces->count == SIM_FORCES_MAX) {
            return document_reader_refuse(place, PROTOCOL_CODE_LIMIT, "settings.forces_set",
                                          "the world has %u fields of force, as many as it may",
                                          forces->count);
        }
        force = force ? force : insert_force(forces, set[i].force);
        force->kind = whole ? (enum sim_force_kind)set[i].kind : force->kind;
        merge(&set[i], force);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------

static struct sim_force_fields *ready_of(const struct document *document, struct document_edit *edit)
{
    struct sim_force_fields *forces = edit->ready = document_edit_alloc(edit, 1, sizeof *forces);
    if (forces) {
        *forces = sim_settings_of(document->sim)->forces;
        forces->next = forces->next > 0 ? forces->next : 1;
    }
    return forces;
}

static struct sim_force *find(struct document_edit *edit, struct sim_force_fields *forces, uint32_t id)
{
    struct sim_force *force = force_of(forces, id);
    if (!force) {
        document_refuse(edit, PROTOCOL_CODE_NOT_FOUND, "force", "force %u does not exist", id);
    }
    return force;
}

static bool change(struct document *document, struct document_edit *edit)
{
    const struct sim_force_fields *forces = edit->ready;
    struct sim_settings settings = *sim_settings_of(document->sim);
    struct fault fault;
    settings.forces = *forces;
    if (sim_settings_set(document->sim, &settings, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    return true;
}

bool document_check_force_add(const struct document *document, struct document_edit *edit)
{
    const struct protocol_force_add_params *params = edit->resolved;
    struct sim_force_fields *forces = ready_of(document, edit);
    if (!forces) {
        return false;
    }
    if (!(params->field.has & PROTOCOL_HAS_FORCE_FIELD_KIND)) {
        return document_refuse(
            edit, PROTOCOL_CODE_INVALID, "field.kind",
            "field.kind: missing; must be \"point\", \"vortex\", \"drag\", \"wind\" or \"fan\"");
    }
    if (params->field.has & PROTOCOL_HAS_FORCE_FIELD_FORCE) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "field.force",
                               "field.force: must be absent; the world gives ids");
    }
    if (forces->count == SIM_FORCES_MAX || forces->next == UINT32_MAX) {
        return document_refuse(edit, PROTOCOL_CODE_LIMIT, "field",
                               "the world has %u fields of force, as many as it may", forces->count);
    }
    struct sim_force *force = &forces->items[forces->count++];
    *force = unsaid;
    force->id = forces->next++;
    force->kind = (enum sim_force_kind)params->field.kind;
    merge(&params->field, force);
    return true;
}

bool document_check_force_set(const struct document *document, struct document_edit *edit)
{
    const struct protocol_force_set_params *params = edit->resolved;
    struct sim_force_fields *forces = ready_of(document, edit);
    struct sim_force *force = forces ? find(edit, forces, params->force) : NULL;
    if (!force) {
        return false;
    }
    if ((params->field.has & PROTOCOL_HAS_FORCE_FIELD_FORCE) ||
        ((params->field.has & PROTOCOL_HAS_FORCE_FIELD_KIND) && params->field.kind != (int)force->kind)) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "field.kind",
                               "field: id and kind of a field cannot change; add another one");
    }
    merge(&params->field, force);
    return true;
}

bool document_check_force_remove(const struct document *document, struct document_edit *edit)
{
    const struct protocol_force_remove_params *params = edit->resolved;
    struct sim_force_fields *forces = ready_of(document, edit);
    struct sim_force *force = forces ? find(edit, forces, params->force) : NULL;
    if (!force) {
        return false;
    }
    remove_force(forces, force);
    return true;
}

void document_scope_force_add(const struct document *document, const struct document_edit *edit,
                              struct document_scope *scope)
{
    (void)document;
    const struct sim_force_fields *forces = edit->ready;
    document_scope_force(scope, forces->items[forces->count - 1].id, UINT64_MAX);
}

void document_scope_force_set(const struct document *document, const struct document_edit *edit,
                              struct document_scope *scope)
{
    (void)document;
    const struct protocol_force_set_params *params = edit->resolved;
    const uint64_t named = PROTOCOL_HAS_FORCE_FIELD_FORCE | PROTOCOL_HAS_FORCE_FIELD_KIND;
    document_scope_force(scope, params->force, params->field.has & ~named);
}

void document_scope_force_remove(const struct document *document, const struct document_edit *edit,
                                 struct document_scope *scope)
{
    (void)document;
    const struct protocol_force_remove_params *params = edit->resolved;
    document_scope_force(scope, params->force, UINT64_MAX);
}

bool document_change_force_add(struct document *document, struct document_edit *edit)
{
    const struct sim_force_fields *forces = edit->ready;
    struct protocol_force_add_result *result = edit->result;
    if (!change(document, edit)) {
        return false;
    }
    *result = (struct protocol_force_add_result){.has = PROTOCOL_HAS_ALL,
                                                 .force = forces->items[forces->count - 1].id,
                                                 .revision = document_commit(document),
                                                 .tick = document->tick};
    document_touch_set(document, edit, &document->settings_touched);
    return true;
}

bool document_change_force_set(struct document *document, struct document_edit *edit)
{
    struct protocol_force_set_result *result = edit->result;
    if (!change(document, edit)) {
        return false;
    }
    *result = (struct protocol_force_set_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    document_touch_set(document, edit, &document->settings_touched);
    return true;
}

bool document_change_force_remove(struct document *document, struct document_edit *edit)
{
    struct protocol_force_remove_result *result = edit->result;
    if (!change(document, edit)) {
        return false;
    }
    *result = (struct protocol_force_remove_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    document_touch_set(document, edit, &document->settings_touched);
    return true;
}
