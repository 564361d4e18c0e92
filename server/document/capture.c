// Captures the present state of everything that an edit is going to touch: the parameters of the edit.restore that takes it back.
//
//   scope ─▶ there?  ──no──▶ removed
//              └────yes────▶ sim_image_take_parts, names, settings ─▶ generated structs ─▶ bytes ─▶ a value of its own
//
// Structs that are filled look into the document, which is about to change: they are packed and read again, so what is
// given is what its record says.
#include "document/fill_rod.h"
#include "document/filler.h"
#include "document/scope.h"

#include "protocol/params.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct capture {
    const struct document *document;
    const struct document_scope *scope;
    struct document_filler filler;
    struct document_ids bodies, constraints, colliders, motions; // of the scope and there
    struct sim_image image;
    struct protocol_edit_restore_params *out;
};

static void *alloc(const struct capture *capture, size_t count, size_t item_size)
{
    void *memory = document_fill_alloc(&capture->filler, count, item_size);
    return memory ? memset(memory, 0, count * item_size) : NULL;
}

// ---------------------------------------------------------------------------------------------------------
// What is there, and what is not

static bool body_is_there(const struct document *document, uint32_t id)
{
    return document_things_by_id(&document->bodies, id) != NULL;
}

static bool collider_is_there(const struct document *document, uint32_t id)
{
    return document_things_by_id(&document->colliders, id) != NULL;
}

static bool constraint_is_there(const struct document *document, uint32_t id)
{
    struct sim_constraint constraint;
    return sim_constraint_get(document->sim, id, &constraint);
}

static bool motion_is_there(const struct document *document, uint32_t id)
{
    struct sim_motion motion = {0};
    for (uint32_t m = 0; m < sim_motion_count(document->sim) && motion.id != id; m++) {
        sim_motion_at(document->sim, m, &motion);
    }
    return motion.id == id && id != 0;
}

static bool has_id(const struct document_ids *ids, uint32_t id)
{
    bool has = false;
    for (uint32_t i = 0; i < ids->count && !has; i++) {
        has = ids->items[i] == id;
    }
    return has;
}

static bool divide(const struct capture *capture, const struct document_ids *ids,
                   bool (*is_there)(const struct document *document, uint32_t id), struct document_ids *there,
                   struct protocol_array *removed)
{
    uint32_t *gone = alloc(capture, ids->count, sizeof *gone), gone_count = 0;
    there->items = alloc(capture, ids->count, sizeof *there->items);
    for (uint32_t i = 0; gone && there->items && i < ids->count; i++) {
        if (is_there(capture->document, ids->items[i])) {
            there->items[there->count++] = ids->items[i];
        } else {
            gone[gone_count++] = ids->items[i];
        }
    }
    *removed = (struct protocol_array){PROTOCOL_ARRAY_U32, gone_count, gone};
    return gone && there->items;
}

static bool divide_all(struct capture *capture)
{
    const struct document_scope *scope = capture->scope;
    struct protocol_restore_removed *removed = &capture->out->removed;
    if (!divide(capture, &scope->bodies, body_is_there, &capture->bodies, &removed->bodies) ||
        !divide(capture, &scope->constraints, constraint_is_there, &capture->constraints,
                &removed->constraints) ||
        !divide(capture, &scope->colliders, collider_is_there, &capture->colliders, &removed->colliders) ||
        !divide(capture, &scope->motions, motion_is_there, &capture->motions, &removed->motions)) {
        return false;
    }
    removed->has = (removed->bodies.count > 0 ? PROTOCOL_HAS_RESTORE_REMOVED_BODIES : 0) |
                   (removed->constraints.count > 0 ? PROTOCOL_HAS_RESTORE_REMOVED_CONSTRAINTS : 0) |
                   (removed->colliders.count > 0 ? PROTOCOL_HAS_RESTORE_REMOVED_COLLIDERS : 0) |
                   (removed->motions.count > 0 ? PROTOCOL_HAS_RESTORE_REMOVED_MOTIONS : 0);
    capture->out->has |= removed->has != 0 ? PROTOCOL_HAS_EDIT_RESTORE_PARAMS_REMOVED : 0;
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// The world itself

static void fill_world(struct capture *capture)
{
    struct protocol_edit_restore_params *out = capture->out;
    const uint32_t name_size = (uint32_t)strlen(capture->document->name);
    if (capture->scope->name && name_size > 0) { // a world that had none keeps what it got
        out->name = (struct protocol_string){.data = capture->document->name, .size = name_size};
        out->has |= PROTOCOL_HAS_EDIT_RESTORE_PARAMS_NAME;
    }
    if (capture->scope->next) {
        document_next_fill(capture->document, &out->next);
        out->has |= PROTOCOL_HAS_EDIT_RESTORE_PARAMS_NEXT;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Parts of colliders

#define GIVEN(name) PROTOCOL_HAS_DOCUMENT_COLLIDER_##name
#define PART(name) PROTOCOL_RESTORE_COLLIDER_PARTS_##name
#define MEMBER(name) \
    offsetof(struct protocol_document_collider, name), sizeof((struct protocol_document_collider *)0)->name

// The fields of each part. Those with bits are there only if their bit is set.
static const struct {
    uint32_t part;
    uint64_t has;
    size_t offset, size;
} members[] = {
    {PART(NAME), 0, MEMBER(name)},
    {PART(POSITION), 0, MEMBER(position)},
    {PART(POSITION), GIVEN(REMAINDER), MEMBER(remainder)},
    {PART(POSITION), GIVEN(FROM_POSITION), MEMBER(from_position)},
    {PART(POSITION), GIVEN(FROM_REMAINDER), MEMBER(from_remainder)},
    {PART(ROTATION), GIVEN(ROTATION), MEMBER(rotation)},
    {PART(ROTATION), GIVEN(FROM_ROTATION), MEMBER(from_rotation)},
    {PART(ROTATION), GIVEN(UNTURNED), MEMBER(unturned)},
    {PART(RADIUS), 0, MEMBER(radius)},
    {PART(LENGTH), 0, MEMBER(length)},
    {PART(HALF_EXTENTS), 0, MEMBER(half_extents)},
    {PART(POINTS), GIVEN(POINTS), MEMBER(points)},
    {PART(HEIGHTS), GIVEN(HEIGHTS), MEMBER(heights)},
    {PART(HEIGHTS), GIVEN(COLUMNS), MEMBER(columns)},
    {PART(HEIGHTS), GIVEN(SPACING), MEMBER(spacing)},
    {PART(FRICTION), 0, MEMBER(friction)},
    {PART(FRICTION_KINETIC), GIVEN(FRICTION_KINETIC), MEMBER(friction_kinetic)},
    {PART(RESTITUTION), GIVEN(RESTITUTION), MEMBER(restitution)},
    {PART(SURFACE_NAME), GIVEN(SURFACE), MEMBER(surface)},
    {PART(SURFACE_VELOCITY), GIVEN(SURFACE_VELOCITY), MEMBER(surface_velocity)},
    {PART(SURFACE_SPIN), GIVEN(SURFACE_SPIN), MEMBER(surface_spin)},
};

// Nothing of it but these parts.
static void cut_collider(const struct protocol_document_collider *whole, uint32_t parts,
                         struct protocol_document_collider *out)
{
    protocol_defaults(&protocol_document_collider_type, out);
    out->has = GIVEN(COLLIDER);
    out->collider = whole->collider;
    out->kind = whole->kind;
    for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
        if (parts & members[m].part) {
            out->has |= whole->has & members[m].has;
            memcpy((char *)out + members[m].offset, (const char *)whole + members[m].offset, members[m].size);
        }
    }
}

static bool fill_colliders(struct capture *capture)
{
    const struct document_scope *scope = capture->scope;
    const struct sim_image *image = &capture->image;
    struct protocol_restore_collider *items = alloc(capture, image->collider_count, sizeof *items);
    for (uint32_t c = 0; items && c < image->collider_count; c++) {
        const uint32_t id = image->colliders[c].collider.id;
        const bool whole = has_id(&capture->colliders, id);
        for (uint32_t p = 0; !whole && p < scope->collider_part_count; p++) {
            items[c].parts |=
                scope->collider_parts[p].id == id ? (uint32_t)scope->collider_parts[p].parts : 0;
        }
        struct protocol_document_collider filled;
        document_fill_collider(&capture->filler, &image->colliders[c], &filled);
        items[c].parts = (uint32_t)document_collider_parts(items[c].parts);
        cut_collider(&filled, whole ? UINT32_MAX : items[c].parts, &items[c].collider);
        items[c].has =
            PROTOCOL_HAS_RESTORE_COLLIDER_COLLIDER | (whole ? 0 : PROTOCOL_HAS_RESTORE_COLLIDER_PARTS);
    }
    capture->out->colliders = (struct protocol_list){.items = items, .count = image->collider_count};
    return items != NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Constraints that bodies came with

// The image has all kinds of a body whose material is in the scope, and what the scope names one by one.
static bool is_wanted(const struct capture *capture, const struct sim_own *own)
{
    const struct document_scope *scope = capture->scope;
    for (uint32_t p = 0; p < scope->body_part_count; p++) {
        if (scope->body_parts[p].id == own->body &&
            (scope->body_parts[p].fields.own & document_part_of(own->kind)) != 0) {
            return true;
        }
    }
    return scope->constraints.count > 0;
}

static void fill_own(const struct sim_own *own, struct protocol_restore_own *out)
{
    *out = (struct protocol_restore_own){
        .has = PROTOCOL_HAS_ALL & ~(own->values.rest ? 0 : PROTOCOL_HAS_RESTORE_OWN_REST) &
               ~(own->shapes ? 0 : PROTOCOL_HAS_RESTORE_OWN_SHAPES) &
               ~(own->rests_stay ? 0 : PROTOCOL_HAS_RESTORE_OWN_RESTS_STAY),
        .body = own->body,
        .type = (int)own->kind,
        .constraints = {PROTOCOL_ARRAY_U32, own->count, own->ids},
        .rest = {PROTOCOL_ARRAY_F64, own->values.rest ? own->count : 0, own->values.rest},
        .compliance = {PROTOCOL_ARRAY_F64, own->count, own->values.compliance},
        .damping = {PROTOCOL_ARRAY_F64, own->count, own->values.damping},
        .stiffness = {PROTOCOL_ARRAY_F64, own->count, own->values.stiffness},
        .colors = {PROTOCOL_ARRAY_U32, own->count, own->colors},
        .shapes = {PROTOCOL_ARRAY_F32, own->shapes ? sim_flow_size(own->kind) * own->count : 0, own->shapes},
        .rests_stay = own->rests_stay,
        .built = own->built,
        .places = {PROTOCOL_ARRAY_U32, own->place_count, own->place_ids},
        .place_colors = {PROTOCOL_ARRAY_U32, own->place_count, own->place_colors},
        .tile_colors = {PROTOCOL_ARRAY_U32, own->tile_count, own->tile_colors},
    };
    if (own->place_count == 0) {
        out->has &= ~(uint64_t)(PROTOCOL_HAS_RESTORE_OWN_BUILT | PROTOCOL_HAS_RESTORE_OWN_PLACES |
                                PROTOCOL_HAS_RESTORE_OWN_PLACE_COLORS | PROTOCOL_HAS_RESTORE_OWN_TILE_COLORS);
    }
}

// The fields of the entry of these constraints; 0: all. Those of a body whose material changes have all of their values overwritten.
static uint32_t own_fields(const struct capture *capture, const struct sim_own *own)
{
    bool material = false;
    for (uint32_t p = 0; p < capture->scope->body_part_count; p++) {
        const struct document_scope_body *part = &capture->scope->body_parts[p];
        material = material || (part->id == own->body && (part->fields.own & document_part_of(own->kind)));
    }
    const uint32_t values = SIM_FIELD_REST | SIM_FIELD_COMPLIANCE | SIM_FIELD_DAMPING | SIM_FIELD_STIFFNESS;
    return material || own->place_count > 0 || own->count == 0 ? 0
                                                               : capture->scope->constraint_fields & values;
}

static void cut_own(uint32_t fields, struct protocol_restore_own *out)
{
    if (fields == 0) {
        out->has &= ~(uint64_t)PROTOCOL_HAS_RESTORE_OWN_FIELDS;
        return;
    }
    out->fields = fields;
    out->has &=
        ~(uint64_t)PROTOCOL_HAS_RESTORE_OWN_COLORS &
        ~(fields & SIM_FIELD_REST ? 0 : PROTOCOL_HAS_RESTORE_OWN_REST | PROTOCOL_HAS_RESTORE_OWN_SHAPES) &
        ~(fields & SIM_FIELD_COMPLIANCE ? 0 : PROTOCOL_HAS_RESTORE_OWN_COMPLIANCE) &
        ~(fields & SIM_FIELD_DAMPING ? 0 : PROTOCOL_HAS_RESTORE_OWN_DAMPING) &
        ~(fields & SIM_FIELD_STIFFNESS ? 0 : PROTOCOL_HAS_RESTORE_OWN_STIFFNESS);
}

// Cuts loose constraints. Shapes stay whole, and only the values in them that fields names are read.
static void cut_loose(uint32_t fields, struct protocol_document_constraints *out)
{
    static const struct {
        uint32_t field;
        uint64_t has;
    } arrays[] = {
        {SIM_FIELD_REST, PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_REST},
        {SIM_FIELD_COMPLIANCE, PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_COMPLIANCE},
        {SIM_FIELD_DAMPING, PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_DAMPING},
        {SIM_FIELD_STIFFNESS, PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_STIFFNESS},
        {SIM_FIELD_RATIO, PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_RATIO},
        {SIM_FIELD_FRICTION, PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_FRICTION},
        {SIM_FIELD_SIDE, PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SIDE},
    };
    if (fields == 0) {
        return;
    }
    out->fields = fields;
    out->has |= PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_FIELDS;
    out->has &= ~(uint64_t)PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_COLORS;
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) {
        out->has &= fields & arrays[a].field ? UINT64_MAX : ~arrays[a].has;
    }
    const uint32_t in_arrays = 2 * SIM_FIELD_SIDE - 1;
    const bool rail = out->type == PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_SLIDE_RAIL;
    out->has &=
        (fields & ~in_arrays) || rail ? UINT64_MAX : ~(uint64_t)PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SHAPES;
}

static bool fill_all_own(struct capture *capture)
{
    const struct sim_image *image = &capture->image;
    struct protocol_restore_own *items = alloc(capture, image->own_count, sizeof *items);
    uint32_t count = 0;
    for (uint32_t o = 0; items && o < image->own_count; o++) {
        if (is_wanted(capture, &image->owns[o])) {
            fill_own(&image->owns[o], &items[count]);
            cut_own(own_fields(capture, &image->owns[o]), &items[count++]);
        }
    }
    capture->out->own = (struct protocol_list){.items = items, .count = count};
    return items != NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Particles. Pinned and free particles have different fields, so each have an entry. Softly pinned ones have
// one as well, because they do not come back to their places with their pins.

struct quanta {
    int64_t *positions, *targets;
    float *velocities, *inverse_masses;
    double *anchors;
    double *turned; // of a body that has orientations; NULL: it has none
    double *clamps; // of pins that clamp; NULL: none does
    double *held;   // of clamps that turn with a collider; NULL: none does
    uint32_t *indices, *colliders, count;
    double *places;                           // with colliders: of pins that follow; NULL: none does
    double *compliances, *distances, *starts; // of soft pins; NULL: none is soft
    double *ends;                             // with ticks: of pins on their way; NULL: none is
    uint32_t *ticks;
    double *forces; // with their ticks
    uint32_t *force_ticks;
};

// Particles that an entry speaks of.
enum group { FREE, HARD, SOFT, GROUPS };

static enum group group_of(const struct sim_restore_particle *particle)
{
    return !particle->pinned ? FREE : particle->compliance != 0 ? SOFT : HARD;
}

static bool quanta_init(const struct capture *capture, struct quanta *quanta, uint32_t count)
{
    *quanta = (struct quanta){
        .positions = alloc(capture, count, 3 * sizeof *quanta->positions),
        .targets = alloc(capture, count, 3 * sizeof *quanta->targets),
        .velocities = alloc(capture, count, 3 * sizeof *quanta->velocities),
        .inverse_masses = alloc(capture, count, sizeof *quanta->inverse_masses),
        .anchors = alloc(capture, count, 3 * sizeof *quanta->anchors),
        .indices = alloc(capture, count, sizeof *quanta->indices),
        .forces = alloc(capture, count, 3 * sizeof *quanta->forces),
        .force_ticks = alloc(capture, count, sizeof *quanta->force_ticks),
    };
    return quanta->forces && quanta->force_ticks && quanta->positions && quanta->targets &&
           quanta->velocities && quanta->inverse_masses && quanta->anchors && quanta->indices;
}

static void fill_pins(const struct quanta *quanta, bool targets, struct protocol_document_state *out)
{
    const uint32_t count = quanta->count;
    out->pin_colliders = (struct protocol_array){PROTOCOL_ARRAY_U32, count, quanta->colliders};
    out->pin_places = (struct protocol_array){PROTOCOL_ARRAY_F64, 3 * count, quanta->places};
    out->pin_compliances = (struct protocol_array){PROTOCOL_ARRAY_F64, count, quanta->compliances};
    out->pin_distances = (struct protocol_array){PROTOCOL_ARRAY_F64, count, quanta->distances};
    out->pin_starts = (struct protocol_array){PROTOCOL_ARRAY_F64, 3 * count, quanta->starts};
    out->pin_ends = (struct protocol_array){PROTOCOL_ARRAY_F64, 3 * count, quanta->ends};
    out->pin_ticks = (struct protocol_array){PROTOCOL_ARRAY_U32, count, quanta->ticks};
    const uint64_t follow =
        PROTOCOL_HAS_DOCUMENT_STATE_PIN_COLLIDERS | PROTOCOL_HAS_DOCUMENT_STATE_PIN_PLACES;
    const uint64_t soft = PROTOCOL_HAS_DOCUMENT_STATE_PIN_COMPLIANCES |
                          PROTOCOL_HAS_DOCUMENT_STATE_PIN_DISTANCES | PROTOCOL_HAS_DOCUMENT_STATE_PIN_STARTS;
    out->pin_clamps = (struct protocol_array){PROTOCOL_ARRAY_F64, 8 * count, quanta->clamps};
    out->pin_clamp_places = (struct protocol_array){PROTOCOL_ARRAY_F64, 4 * count, quanta->held};
    const uint64_t go = PROTOCOL_HAS_DOCUMENT_STATE_PIN_ENDS | PROTOCOL_HAS_DOCUMENT_STATE_PIN_TICKS;
    out->has = !targets ? 0
                        : (quanta->places ? follow : 0) | (quanta->compliances ? soft : 0) |
                              (quanta->ends ? go : 0) |
                              (quanta->clamps ? PROTOCOL_HAS_DOCUMENT_STATE_PIN_CLAMPS : 0) |
                              (quanta->held ? PROTOCOL_HAS_DOCUMENT_STATE_PIN_CLAMP_PLACES : 0);
}

static bool fill_state(const struct capture *capture, const struct quanta *quanta, uint32_t fields,
                       bool targets, struct protocol_document_state *out)
{
    const uint32_t count = quanta->count;
    bool lost = false, target_lost = false;
    if (((fields & SIM_RESTORE_POSITIONS) &&
         !document_fill_metres(&capture->filler, quanta->positions, 3 * count, &out->positions,
                               &out->remainders, &lost)) ||
        (targets && !document_fill_metres(&capture->filler, quanta->targets, 3 * count, &out->targets,
                                          &out->target_remainders, &target_lost))) {
        return false;
    }
    out->velocities = (struct protocol_array){PROTOCOL_ARRAY_F32, 3 * count, quanta->velocities};
    out->inverse_masses = (struct protocol_array){PROTOCOL_ARRAY_F32, count, quanta->inverse_masses};
    fill_pins(quanta, targets, out);
    out->forces = (struct protocol_array){PROTOCOL_ARRAY_F64, 3 * count, quanta->forces};
    out->forces_ticks = (struct protocol_array){PROTOCOL_ARRAY_U32, count, quanta->force_ticks};
    out->has |= fields & SIM_RESTORE_FORCES
                    ? PROTOCOL_HAS_DOCUMENT_STATE_FORCES | PROTOCOL_HAS_DOCUMENT_STATE_FORCES_TICKS
                    : 0;
    out->turned = (struct protocol_array){PROTOCOL_ARRAY_F64, 12 * count, quanta->turned};
    out->has |= quanta->turned ? PROTOCOL_HAS_DOCUMENT_STATE_TURNED : 0;
    out->has |= (fields & SIM_RESTORE_POSITIONS ? PROTOCOL_HAS_DOCUMENT_STATE_POSITIONS : 0) |
                (lost ? PROTOCOL_HAS_DOCUMENT_STATE_REMAINDERS : 0) |
                (fields & SIM_RESTORE_VELOCITIES ? PROTOCOL_HAS_DOCUMENT_STATE_VELOCITIES : 0) |
                (fields & SIM_RESTORE_INVERSE_MASSES ? PROTOCOL_HAS_DOCUMENT_STATE_INVERSE_MASSES : 0) |
                (targets ? PROTOCOL_HAS_DOCUMENT_STATE_TARGETS : 0) |
                (target_lost ? PROTOCOL_HAS_DOCUMENT_STATE_TARGET_REMAINDERS : 0);
    return true;
}

// `still` is told even if it is 0: it says that sleep is to be put back.
static void fill_sleep(const struct quanta *quanta, const struct sim_sleep *sleep,
                       struct protocol_document_state *out)
{
    bool apart = false;
    for (uint32_t i = 0; i < 3 * quanta->count && !apart; i++) {
        apart = quanta->anchors[i] != 0;
    }
    document_fill_sleep(sleep, out);
    out->anchors = (struct protocol_array){PROTOCOL_ARRAY_F64, 3 * quanta->count, quanta->anchors};
    out->has |= PROTOCOL_HAS_DOCUMENT_STATE_STILL | (apart ? PROTOCOL_HAS_DOCUMENT_STATE_ANCHORS : 0);
}

// Room for what the group tells of its pins, if some follow colliders, are soft or on their way.
static bool pins_init(const struct capture *capture, const struct sim_restore_particles *taken,
                      enum group group, struct quanta *quanta)
{
    bool follows = false, goes = false, clamps = false, turns = false, room = true;
    for (uint32_t i = 0; i < taken->count; i++) {
        const struct sim_restore_particle *particle = &taken->particles[i];
        follows = follows || (group_of(particle) == group && particle->collider != 0);
        goes = goes || (group_of(particle) == group && particle->left > 0);
        clamps = clamps || (group_of(particle) == group && (particle->clamp[4] | particle->clamp[5] |
                                                            particle->clamp[6] | particle->clamp[7]) != 0);
        turns = turns || (group_of(particle) == group && (particle->held[0] | particle->held[1] |
                                                          particle->held[2] | particle->held[3]) != 0);
    }
    if (follows) {
        quanta->colliders = alloc(capture, taken->count, sizeof *quanta->colliders);
        quanta->places = alloc(capture, taken->count, 3 * sizeof *quanta->places);
        room = quanta->colliders && quanta->places;
    }
    if (group == SOFT) {
        quanta->compliances = alloc(capture, taken->count, sizeof *quanta->compliances);
        quanta->distances = alloc(capture, taken->count, sizeof *quanta->distances);
        quanta->starts = alloc(capture, taken->count, 3 * sizeof *quanta->starts);
        room = room && quanta->compliances && quanta->distances && quanta->starts;
    }
    if (clamps) {
        quanta->clamps = alloc(capture, taken->count, 8 * sizeof *quanta->clamps);
        room = room && quanta->clamps;
    }
    if (turns) {
        quanta->held = alloc(capture, taken->count, 4 * sizeof *quanta->held);
        room = room && quanta->held;
    }
    if (taken->fields & SIM_RESTORE_TURNS) {
        quanta->turned = alloc(capture, taken->count, 12 * sizeof *quanta->turned);
        room = room && quanta->turned;
    }
    if (goes) {
        quanta->ticks = alloc(capture, taken->count, sizeof *quanta->ticks);
        quanta->ends = alloc(capture, taken->count, 3 * sizeof *quanta->ends);
        room = room && quanta->ticks && quanta->ends;
    }
    return room;
}

static void take_pin(const struct sim_restore_particle *particle, size_t at, const struct quanta *quanta)
{
    if (quanta->places) {
        quanta->colliders[at] = particle->collider;
        memcpy(quanta->places + 3 * at, particle->place, sizeof particle->place);
    }
    if (quanta->compliances) {
        quanta->compliances[at] = (double)particle->compliance;
        quanta->distances[at] = (double)particle->distance;
    }
    if (quanta->ends) {
        quanta->ticks[at] = particle->left;
    }
    for (size_t i = 0; quanta->clamps && i < 8; i++) {
        quanta->clamps[8 * at + i] = particle->clamp[i];
    }
    for (size_t i = 0; quanta->held && i < 4; i++) {
        quanta->held[4 * at + i] = particle->held[i];
    }
    if (quanta->turned) {
        document_fill_turned(&particle->turned, quanta->turned + 12 * at);
    }
    for (size_t axis = 0; axis < 3; axis++) {
        if (quanta->starts) {
            quanta->starts[3 * at + axis] = (double)(particle->from[axis] - particle->to[axis]);
        }
        if (quanta->ends) {
            quanta->ends[3 * at + axis] = (double)(particle->end[axis] - particle->to[axis]);
        }
    }
}

static bool fill_entry(struct capture *capture, const struct sim_restore_particles *taken, enum group group,
                       bool all, struct protocol_restore_particles *out)
{
    struct quanta quanta;
    if (!quanta_init(capture, &quanta, taken->count) || !pins_init(capture, taken, group, &quanta)) {
        return false;
    }
    for (uint32_t i = 0; i < taken->count; i++) {
        const struct sim_restore_particle *particle = &taken->particles[i];
        if (group_of(particle) == group) {
            const size_t at = quanta.count++;
            memcpy(quanta.positions + 3 * at, particle->position, sizeof particle->position);
            memcpy(quanta.targets + 3 * at, particle->to, sizeof particle->to);
            memcpy(quanta.velocities + 3 * at, particle->velocity, sizeof particle->velocity);
            for (int axis = 0; axis < 3; axis++) {
                quanta.anchors[3 * at + (size_t)axis] = (double)particle->anchor[axis];
            }
            quanta.inverse_masses[at] = particle->inverse_mass;
            quanta.indices[at] = particle->particle;
            memcpy(quanta.forces + 3 * at, particle->force, sizeof particle->force);
            quanta.force_ticks[at] = particle->force_ticks;
            take_pin(particle, at, &quanta);
        }
    }
    const bool pins = taken->fields & SIM_RESTORE_PINS;
    uint32_t fields = taken->fields;
    fields |= pins && group == HARD ? SIM_RESTORE_POSITIONS | SIM_RESTORE_VELOCITIES
                                    : 0; // a hard pin returns with its place
    *out = (struct protocol_restore_particles){
        .has = PROTOCOL_HAS_RESTORE_PARTICLES_BODY | PROTOCOL_HAS_RESTORE_PARTICLES_STATE |
               (all && quanta.count == taken->count ? 0 : PROTOCOL_HAS_RESTORE_PARTICLES_PARTICLES) |
               (pins ? PROTOCOL_HAS_RESTORE_PARTICLES_PINNED : 0),
        .body = taken->body,
        .particles = {PROTOCOL_ARRAY_U32, quanta.count, quanta.indices},
        .pinned = group != FREE,
    };
    const bool targets = group == SOFT ? pins : group == HARD && (fields & SIM_RESTORE_POSITIONS);
    if (!fill_state(capture, &quanta, fields, targets, &out->state)) {
        return false;
    }
    if (fields & SIM_RESTORE_SLEEP) {
        fill_sleep(&quanta, &taken->sleep, &out->state);
    }
    return true;
}

static bool has_some(const struct sim_restore_particles *taken, enum group group)
{
    bool some = false;
    for (uint32_t i = 0; i < taken->count && !some; i++) {
        some = group_of(&taken->particles[i]) == group;
    }
    return some;
}

static bool fill_particles_of(struct capture *capture, const struct document_scope_particles *wanted,
                              struct protocol_restore_particles *items, uint32_t *count)
{
    struct sim_restore_particles taken;
    struct fault fault;
    const uint32_t *particles = wanted->particles;
    if (!particles) {
        uint32_t *all = alloc(capture, wanted->count, sizeof *all);
        for (uint32_t i = 0; all && i < wanted->count; i++) {
            all[i] = i;
        }
        particles = all;
    }
    if (!particles) {
        return false;
    }
    const enum fault_code status = sim_restore_particles_take(capture->document->sim, wanted->body, particles,
                                                              wanted->count, wanted->fields, &taken, &fault);
    if (status != FAULT_NONE) {
        return status != FAULT_MEMORY; // what is wrong with them the edit itself is refused for
    }
    bool done = true;
    for (int group = FREE; done && group < GROUPS; group++) {
        if (has_some(&taken, (enum group)group)) {
            done = fill_entry(capture, &taken, (enum group)group, !wanted->particles, &items[(*count)++]);
        }
    }
    sim_restore_particles_deinit(&taken);
    return done;
}

static bool fill_particles(struct capture *capture)
{
    const struct document_scope *scope = capture->scope;
    struct protocol_restore_particles *items =
        alloc(capture, GROUPS * (size_t)scope->particles_count, sizeof *items);
    uint32_t count = 0;
    for (uint32_t p = 0; items && p < scope->particles_count; p++) {
        if (!fill_particles_of(capture, &scope->particles[p], items, &count)) {
            return false;
        }
    }
    capture->out->particles = (struct protocol_list){.items = items, .count = count};
    capture->out->has |= count > 0 ? PROTOCOL_HAS_EDIT_RESTORE_PARAMS_PARTICLES : 0;
    return items != NULL;
}

// ---------------------------------------------------------------------------------------------------------

static bool take_image(struct capture *capture)
{
    const struct document_scope *scope = capture->scope;
    uint32_t *changed = alloc(capture, scope->body_part_count, sizeof *changed), changed_count = 0;
    uint32_t *colliders =
        alloc(capture, (size_t)capture->colliders.count + scope->collider_part_count, sizeof *colliders);
    uint32_t collider_count = capture->colliders.count;
    if (!changed || !colliders) {
        return false;
    }
    const uint64_t materials = PROTOCOL_HAS_RESTORE_BODY_STRETCH | PROTOCOL_HAS_RESTORE_BODY_BEND |
                               PROTOCOL_HAS_RESTORE_BODY_VOLUME | PROTOCOL_HAS_RESTORE_BODY_SOLID;
    for (uint32_t p = 0; p < scope->body_part_count; p++) {
        if (scope->body_parts[p].fields.own & materials) {
            changed[changed_count++] = scope->body_parts[p].id;
        }
    }
    if (collider_count > 0) {
        memcpy(colliders, capture->colliders.items, collider_count * sizeof *colliders);
    }
    for (uint32_t p = 0; p < scope->collider_part_count; p++) {
        if (collider_is_there(capture->document, scope->collider_parts[p].id)) {
            colliders[collider_count++] = scope->collider_parts[p].id;
        }
    }
    const struct sim_parts parts = {
        .bodies = capture->bodies.items,
        .body_count = capture->bodies.count,
        .colliders = colliders,
        .collider_count = collider_count,
        .motions = capture->motions.items,
        .motion_count = capture->motions.count,
        .constraints = capture->constraints.items,
        .constraint_count = capture->constraints.count,
        .going = scope->going,
        .rests = scope->rests,
        .shapes = scope->shapes,
        .changed = changed,
        .changed_count = changed_count,
    };
    return sim_image_take_parts(capture->document->sim, &parts, &capture->image);
}

// The image has those of all its colliders: where only a part of one is wanted, they go on.
static bool fill_motions(struct capture *capture)
{
    const struct sim_image *image = &capture->image;
    struct protocol_document_motion *items = alloc(capture, image->motion_count, sizeof *items);
    uint32_t count = 0;
    for (uint32_t m = 0; items && m < image->motion_count; m++) {
        const struct sim_motion *motion = &image->motions[m];
        if (has_id(&capture->motions, motion->id) || has_id(&capture->colliders, motion->collider) ||
            has_id(&capture->bodies, motion->body)) {
            document_fill_motion(motion, &items[count++]);
        }
    }
    capture->out->motions = (struct protocol_list){.items = items, .count = count};
    return items != NULL;
}

static bool fill_image(struct capture *capture)
{
    struct protocol_edit_restore_params *out = capture->out;
    if (!document_fill_bodies(&capture->filler, &capture->image, &out->bodies) ||
        !document_fill_all_constraints(&capture->filler, &capture->image, &out->constraints) ||
        !fill_motions(capture) || !fill_all_own(capture) || !fill_colliders(capture)) {
        return false;
    }
    for (uint32_t i = 0; i < out->constraints.count; i++) {
        cut_loose(capture->bodies.count > 0 ? 0 : capture->scope->constraint_fields,
                  (struct protocol_document_constraints *)out->constraints.items + i);
    }
    out->has |= (out->bodies.count > 0 ? PROTOCOL_HAS_EDIT_RESTORE_PARAMS_BODIES : 0) |
                (out->constraints.count > 0 ? PROTOCOL_HAS_EDIT_RESTORE_PARAMS_CONSTRAINTS : 0) |
                (out->motions.count > 0 ? PROTOCOL_HAS_EDIT_RESTORE_PARAMS_MOTIONS : 0) |
                (out->own.count > 0 ? PROTOCOL_HAS_EDIT_RESTORE_PARAMS_OWN : 0) |
                (out->colliders.count > 0 ? PROTOCOL_HAS_EDIT_RESTORE_PARAMS_COLLIDERS : 0);
    return true;
}

static const char world_field[] = "world";

// False without memory.
static bool keep(const struct protocol_edit_restore_params *filled, msgpack_zone *zone,
                 struct protocol_edit_restore_params **out)
{
    struct protocol_bytes bytes = {0};
    msgpack_packer packer;
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    protocol_encode_without(&protocol_edit_restore_params_type, world_field, filled, PROTOCOL_ARRAYS_EXT,
                            &packer);
    char *copy = bytes.failed ? NULL : msgpack_zone_malloc(zone, bytes.size);
    struct protocol_edit_restore_params *params = msgpack_zone_malloc(zone, sizeof *params);
    struct protocol_error error = {0};
    msgpack_object map;
    size_t offset = 0;
    bool done = copy && params;
    if (done) {
        memcpy(copy, bytes.data, bytes.size);
        done = msgpack_unpack(copy, bytes.size, &offset, zone, &map) >= 0;
    }
    if (done && protocol_decode_without(&protocol_edit_restore_params_type, world_field, &map, zone, params,
                                        &error)) {
        *out = params;
    } else {
        done = done && error.code != PROTOCOL_CODE_MEMORY;
    }
    protocol_bytes_deinit(&bytes);
    return done;
}

bool document_capture(const struct document *document, const struct document_scope *scope, msgpack_zone *zone,
                      struct protocol_edit_restore_params **out)
{
    struct protocol_edit_restore_params filled;
    msgpack_zone scratch;
    *out = NULL;
    if (scope->failed || !msgpack_zone_init(&scratch, MSGPACK_ZONE_CHUNK_SIZE)) {
        return false;
    }
    protocol_defaults(&protocol_edit_restore_params_type, &filled);
    struct capture capture = {
        .document = document,
        .scope = scope,
        .filler = {.zone = &scratch,
                   .resolution = sim_settings_of(document->sim)->resolution,
                   .bodies = &document->bodies,
                   .colliders = &document->colliders},
        .out = &filled,
    };
    bool done = divide_all(&capture) && take_image(&capture);
    if (done) {
        fill_world(&capture);
        done = document_capture_settings(document, scope, &capture.filler, &filled) && fill_image(&capture) &&
               document_capture_bodies(document, scope, &capture.filler, &filled) &&
               fill_particles(&capture) && keep(&filled, zone, out);
        sim_image_deinit(&capture.image);
    }
    msgpack_zone_destroy(&scratch);
    return done;
}
