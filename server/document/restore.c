// The parameters of edit.restore as the sim has them, with the checks that need none of the physics.
#include "document/restore.h"

#include "document/fill_rod.h"

#include <string.h>

static bool ids_read(const struct document_restore *restore, const char *field,
                     const struct protocol_array *given, uint64_t most, struct document_ids *out)
{
    const struct document_reader place = document_maker_at(&restore->maker, NULL, 0);
    const uint32_t *items;
    if (!document_maker_length(&restore->maker, field, given->count, most) ||
        !document_reader_u32s(&place, field, given, &items)) {
        return false;
    }
    *out = (struct document_ids){(uint32_t *)items, given->count, given->count};
    return true;
}

static void touch(struct document_ids *ids, uint32_t id)
{
    if (id != 0 && (ids->count == 0 || ids->items[ids->count - 1] != id)) {
        ids->items[ids->count++] = id;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Settings

static const char *const not_fields =
    "must name fields of the maps that are given, as \"wind.drag\", with a space between them";

#define GUST_VALUES (PROTOCOL_HAS_WIND_GUST_LENGTH | PROTOCOL_HAS_WIND_GUST_SEED)

static bool settings_read(const struct document *document, struct document_restore *restore)
{
    const struct protocol_restore_settings *given = &restore->given->settings;
    struct sim_settings *settings = &restore->settings;
    *settings = *sim_settings_of(document->sim);
    if (!(restore->given->has & PROTOCOL_HAS_EDIT_RESTORE_PARAMS_SETTINGS)) {
        return true;
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_GRAVITY) {
        memcpy(settings->gravity, given->gravity, sizeof settings->gravity);
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_SUBSTEPS) {
        settings->substeps = given->substeps;
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_ITERATIONS) {
        settings->iterations = given->iterations;
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_DAMPING) {
        settings->damping = given->damping;
    }
    struct document_fields fields;
    const struct document_reader place = document_maker_at(&restore->maker, NULL, 0);
    if (!document_settings_fields(given, &fields)) {
        return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, "settings.fields", not_fields);
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_WIND) {
        struct protocol_restore_settings whole = *given;
        document_wind_fill(settings, &whole.wind);
        document_fields_merge(&protocol_restore_settings_type, &fields, given, &whole);
        document_wind_take(&whole.wind, &settings->wind);
        restore->gusts_lost = settings->wind.gusts == 0 ? given->wind.has & whole.wind.has & GUST_VALUES : 0;
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_FORCES) {
        document_forces_take(&given->forces, &settings->forces);
    }
    if (!document_forces_restore(&place, given, &settings->forces)) {
        return false;
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_EXTENT) {
        settings->extent = given->extent;
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_CONTACT_QUALITY) {
        settings->contact_quality = (enum sim_contact_quality)given->contact_quality;
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_UNTANGLE) {
        settings->untangle = given->untangle;
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_LONG_EDGES) {
        settings->long_edges = given->long_edges;
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_BENDING) {
        settings->bending_solved = given->bending == PROTOCOL_RESTORE_SETTINGS_BENDING_SOLVED;
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_LOADS) {
        settings->loads_solved = given->loads == PROTOCOL_RESTORE_SETTINGS_LOADS_SOLVED;
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_SLEEP) {
        settings->sleep = given->sleep;
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_CALM) {
        settings->calm = given->calm;
    }
    if (given->has & PROTOCOL_HAS_RESTORE_SETTINGS_SURFACES) {
        document_surfaces_take(&given->surfaces, &settings->surfaces);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Constraints

static bool own_read(const struct document_reader *place, const struct protocol_restore_own *given,
                     struct sim_own *own)
{
    const uint32_t count = given->constraints.count;
    const bool rest = given->has & PROTOCOL_HAS_RESTORE_OWN_REST;
    *own = (struct sim_own){
        .body = given->body,
        .kind = (enum sim_kind)given->type,
        .count = count,
        .place_count = given->places.count,
        .tile_count = given->tile_colors.count,
        .built = given->built,
        .rests_stay = (given->has & PROTOCOL_HAS_RESTORE_OWN_RESTS_STAY) && given->rests_stay,
        .fields = given->has & PROTOCOL_HAS_RESTORE_OWN_FIELDS ? given->fields : 0,
    };
    const uint64_t has = given->has;
    const bool all = own->fields == 0, compliance = all || (own->fields & SIM_FIELD_COMPLIANCE),
               damping = all || (own->fields & SIM_FIELD_DAMPING),
               stiffness = all || (own->fields & SIM_FIELD_STIFFNESS);
    if ((all && !(has & PROTOCOL_HAS_RESTORE_OWN_COLORS)) ||
        (compliance && !(has & PROTOCOL_HAS_RESTORE_OWN_COMPLIANCE)) ||
        (damping && !(has & PROTOCOL_HAS_RESTORE_OWN_DAMPING)) ||
        (stiffness && !(has & PROTOCOL_HAS_RESTORE_OWN_STIFFNESS))) {
        return document_reader_refuse(
            place, PROTOCOL_CODE_INVALID, "constraints",
            "needs colors, compliance, damping and stiffness, or those that fields names");
    }
    return document_reader_u32s(place, "constraints", &given->constraints, &own->ids) &&
           (!rest || (document_reader_count(place, "rest", given->rest.count, count, "one a constraint") &&
                      document_reader_f64s(place, "rest", &given->rest, count, NULL, &own->values.rest))) &&
           (!compliance ||
            (document_reader_count(place, "compliance", given->compliance.count, count, "one a constraint") &&
             document_reader_f64s(place, "compliance", &given->compliance, count, NULL,
                                  &own->values.compliance))) &&
           (!damping ||
            (document_reader_count(place, "damping", given->damping.count, count, "one a constraint") &&
             document_reader_f64s(place, "damping", &given->damping, count, NULL, &own->values.damping))) &&
           (!stiffness ||
            (document_reader_count(place, "stiffness", given->stiffness.count, count, "one a constraint") &&
             document_reader_f64s(place, "stiffness", &given->stiffness, count, NULL,
                                  &own->values.stiffness))) &&
           (!all || (document_reader_count(place, "colors", given->colors.count, count, "one a constraint") &&
                     document_reader_u32s(place, "colors", &given->colors, &own->colors))) &&
           (!(given->has & PROTOCOL_HAS_RESTORE_OWN_SHAPES) ||
            document_reader_f32s(place, "shapes", &given->shapes, sim_flow_size(own->kind) * count, NULL,
                                 &own->shapes)) &&
           document_reader_u32s(place, "places", &given->places, &own->place_ids) &&
           document_reader_count(place, "place_colors", given->place_colors.count, own->place_count,
                                 "one a place") &&
           document_reader_u32s(place, "place_colors", &given->place_colors, &own->place_colors) &&
           document_reader_u32s(place, "tile_colors", &given->tile_colors, &own->tile_colors);
}

static bool constraints_read(struct document_restore *restore)
{
    const struct protocol_list *own = &restore->given->own, *loose = &restore->given->constraints;
    restore->own = document_maker_alloc(&restore->maker, own->count, sizeof *restore->own);
    restore->batches = document_maker_alloc(&restore->maker, loose->count, sizeof *restore->batches);
    if (!restore->own || !restore->batches) {
        return false;
    }
    for (uint32_t i = 0; i < own->count; i++) {
        const struct document_reader place = document_maker_at(&restore->maker, "own", i);
        const struct protocol_restore_own *given = (const struct protocol_restore_own *)own->items + i;
        if (!own_read(&place, given, &restore->own[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < loose->count; i++) {
        const struct document_reader place = document_maker_at(&restore->maker, "constraints", i);
        const struct protocol_document_constraints *given =
            (const struct protocol_document_constraints *)loose->items + i;
        const uint64_t wanted =
            PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_CONSTRAINTS | PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_COLORS |
            PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_COMPLIANCE | PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_DAMPING |
            PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_STIFFNESS;
        const bool some = (given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_FIELDS) && given->fields != 0;
        const uint64_t ids = PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_CONSTRAINTS;
        if ((given->has & (some ? ids : wanted)) != (some ? ids : wanted)) {
            return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, "constraints",
                                          "needs constraints, colors, compliance, damping and stiffness");
        }
        if (!document_maker_batch(&place, given, &restore->batches[i])) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Particles

// Whether a state has all arrays of its pins, with values that make sense as quanta.
static bool pins_fit(const struct document_reader *place, const struct document_pins *pins,
                     const int64_t *targets, uint32_t count)
{
    if (pins->colliders && !pins->places) {
        return document_reader_refuse(place, PROTOCOL_CODE_INVALID, "state.pin_places",
                                      "missing; pins that follow colliders have places in their frames");
    }
    if (!pins->compliances != !pins->distances || !pins->ends != !pins->ticks) {
        return document_reader_refuse(
            place, PROTOCOL_CODE_INVALID, "state.pin_distances",
            "pin_compliances and pin_distances come together, as pin_ends and pin_ticks do");
    }
    if (pins->compliances && !targets) {
        return document_reader_refuse(place, PROTOCOL_CODE_INVALID, "state.targets",
                                      "missing; soft pins have targets beside their particles");
    }
    const double *ways[] = {pins->starts, pins->ends};
    const char *const names[] = {"state.pin_starts", "state.pin_ends"};
    for (int w = 0; w < 2; w++) {
        for (uint32_t i = 0; ways[w] && i < 3 * count; i++) {
            if (!(ways[w][i] >= -0x1p52 && ways[w][i] <= 0x1p52) ||
                ways[w][i] != (double)(int64_t)ways[w][i]) {
                return document_reader_refuse(place, PROTOCOL_CODE_INVALID, names[w],
                                              "element %u is %g; must be a whole number of quanta", i,
                                              ways[w][i]);
            }
        }
    }
    return true;
}

static void pin_fill(const struct document_pins *pins, uint32_t i, struct sim_restore_particle *particle)
{
    particle->collider = pins->colliders ? pins->colliders[i] : 0;
    if (particle->collider != 0) {
        memcpy(particle->place, pins->places + 3 * (size_t)i, sizeof particle->place);
    }
    const bool hard = !pins->compliances || pins->compliances[i] == 0 || pins->distances[i] == 0;
    particle->compliance = hard ? 0 : (float)pins->compliances[i];
    particle->distance = hard ? 0 : (float)pins->distances[i];
    particle->left = pins->ticks ? pins->ticks[i] : 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const size_t at = 3 * (size_t)i + axis;
        particle->end[axis] = particle->to[axis] + (pins->ends ? (int64_t)pins->ends[at] : 0);
        if (!hard) {
            particle->from[axis] = particle->to[axis] + (pins->starts ? (int64_t)pins->starts[at] : 0);
        }
    }
}

// Whether some pin is hard, so that it comes back where its particle is.
static bool has_hard(const struct protocol_document_state *state)
{
    bool hard = !(state->has & PROTOCOL_HAS_DOCUMENT_STATE_PIN_COMPLIANCES);
    for (uint32_t i = 0; !hard && i < state->pin_compliances.count; i++) {
        hard = protocol_array_f64_at(&state->pin_compliances, i) == 0;
    }
    return hard;
}

static bool particles_fill(const struct document_reader *place,
                           const struct protocol_restore_particles *given, struct sim_restore_particles *out)
{
    const struct protocol_document_state *state = &given->state;
    const uint32_t count = out->count;
    const int64_t *positions = NULL, *targets = NULL;
    const float *velocities = NULL, *inverse_masses = NULL;
    const uint32_t *indices = NULL;
    const int32_t *anchors = NULL, *clamps = NULL, *held = NULL;
    const struct sim_turned *turned = NULL;
    struct document_pins pins;
    struct document_forces forces = {.count = count};
    if (((given->has & PROTOCOL_HAS_RESTORE_PARTICLES_PARTICLES) &&
         !document_reader_u32s(place, "particles", &given->particles, &indices)) ||
        ((out->fields & SIM_RESTORE_POSITIONS) &&
         !document_maker_quanta(place, "state.positions", &state->positions, &state->remainders, 3 * count,
                                &positions)) ||
        ((state->has & PROTOCOL_HAS_DOCUMENT_STATE_TARGETS) &&
         !document_maker_quanta(place, "state.targets", &state->targets, &state->target_remainders, 3 * count,
                                &targets)) ||
        ((out->fields & SIM_RESTORE_VELOCITIES) &&
         (!document_reader_count(place, "state.velocities", state->velocities.count, 3 * count, NULL) ||
          !document_reader_f32s(place, "state.velocities", &state->velocities, 3 * count, NULL,
                                &velocities))) ||
        ((out->fields & SIM_RESTORE_INVERSE_MASSES) &&
         (!document_reader_count(place, "state.inverse_masses", state->inverse_masses.count, count, NULL) ||
          !document_reader_f32s(place, "state.inverse_masses", &state->inverse_masses, count, NULL,
                                &inverse_masses))) ||
        ((out->fields & SIM_RESTORE_SLEEP) &&
         !document_maker_sleep(place, state, 3 * count, &out->sleep, &anchors))) {
        return false;
    }
    if (!document_forces_read(place, state, (const uint32_t[]){0}, &forces) ||
        !document_turned_take(place, state, count, &turned) ||
        !document_clamps_take(place, state, count, &clamps, &held) ||
        !document_maker_pins(place, state, count, &pins) || !pins_fit(place, &pins, targets, count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct sim_restore_particle *particle = &out->particles[i];
        particle->particle = indices ? indices[i] : i;
        particle->pinned = given->pinned;
        for (int axis = 0; axis < 3; axis++) {
            const size_t at = 3 * (size_t)i + (size_t)axis;
            particle->position[axis] = particle->from[axis] = positions ? positions[at] : 0;
            particle->to[axis] = targets ? targets[at] : particle->position[axis];
        }
        pin_fill(&pins, i, particle);
        if (velocities) {
            memcpy(particle->velocity, velocities + 3 * (size_t)i, sizeof particle->velocity);
        }
        if (anchors) {
            memcpy(particle->anchor, anchors + 3 * (size_t)i, sizeof particle->anchor);
        }
        particle->inverse_mass = inverse_masses ? inverse_masses[i] : 0;
        if (forces.values) {
            memcpy(particle->force, forces.values + 3 * (size_t)i, sizeof particle->force);
            particle->force_ticks = forces.ticks ? forces.ticks[i] : 0;
        }
        if (turned) {
            particle->turned = turned[i];
        }
        if (clamps) {
            memcpy(particle->clamp, clamps + 8 * (size_t)i, sizeof particle->clamp);
        }
        if (held) {
            memcpy(particle->held, held + 4 * (size_t)i, sizeof particle->held);
        }
    }
    return true;
}

// The particle count of a body that is there, or that comes back. False if it does neither.
static bool particle_count(const struct document *document, const struct protocol_edit_restore_params *given,
                           uint32_t body, uint32_t *count)
{
    const struct document_thing *thing = document_things_by_id(&document->bodies, body);
    const struct protocol_document_body *bodies = given->bodies.items;
    *count = thing ? document_nameable(document, thing) : 0;
    bool found = thing != NULL;
    for (uint32_t i = 0; i < given->bodies.count && !found; i++) {
        found = bodies[i].body == body;
        const bool torn = bodies[i].has & PROTOCOL_HAS_DOCUMENT_BODY_TORN;
        *count = !found ? 0
                 : torn ? bodies[i].torn.own + bodies[i].torn.origins.count
                        : bodies[i].positions.count / 3;
    }
    return found;
}

static bool particles_read(const struct document *document, struct document_restore *restore, uint32_t index)
{
    const struct document_reader place = document_maker_at(&restore->maker, "particles", index);
    const struct protocol_restore_particles *given =
        (const struct protocol_restore_particles *)restore->given->particles.items + index;
    const bool some = given->has & PROTOCOL_HAS_RESTORE_PARTICLES_PARTICLES;
    uint32_t count = given->particles.count;
    const uint64_t state = given->state.has;
    const bool pins = given->has & PROTOCOL_HAS_RESTORE_PARTICLES_PINNED;
    struct sim_restore_particles *out = &restore->particles[index];
    uint64_t all = 0;
    if (!some && !particle_count(document, restore->given, given->body, &count)) {
        return document_reader_refuse(&place, PROTOCOL_CODE_NOT_FOUND, "body", "%u does not exist",
                                      given->body);
    }
    *out = (struct sim_restore_particles){
        .body = given->body,
        .count = count,
        .fields = (state & PROTOCOL_HAS_DOCUMENT_STATE_POSITIONS ? SIM_RESTORE_POSITIONS : 0) |
                  (state & PROTOCOL_HAS_DOCUMENT_STATE_VELOCITIES ? SIM_RESTORE_VELOCITIES : 0) |
                  (state & PROTOCOL_HAS_DOCUMENT_STATE_INVERSE_MASSES ? SIM_RESTORE_INVERSE_MASSES : 0) |
                  (state & PROTOCOL_HAS_DOCUMENT_STATE_STILL ? SIM_RESTORE_SLEEP : 0) |
                  (state & PROTOCOL_HAS_DOCUMENT_STATE_FORCES ? SIM_RESTORE_FORCES : 0) |
                  (state & PROTOCOL_HAS_DOCUMENT_STATE_TURNED ? SIM_RESTORE_TURNS : 0) |
                  (pins ? SIM_RESTORE_PINS : 0),
    };
    const uint32_t placed = SIM_RESTORE_POSITIONS | SIM_RESTORE_VELOCITIES;
    if (pins && given->pinned && has_hard(&given->state) && (out->fields & placed) != placed) {
        return document_reader_refuse(
            &place, PROTOCOL_CODE_INVALID, "state",
            "needs positions and velocities where pinned is true, except of pins that are all soft");
    }
    for (uint32_t i = 0; i <= index; i++) {
        all += restore->particles[i].count;
    }
    if (all > PROTOCOL_LIMIT_PARTICLES) { // they cost far more here than they did to send
        document_reader_refuse(&place, PROTOCOL_CODE_LIMIT, "particles",
                               "%llu with those before; at most %u (limit particles)",
                               (unsigned long long)all, (uint32_t)PROTOCOL_LIMIT_PARTICLES);
        place.error->limit = (double)PROTOCOL_LIMIT_PARTICLES;
        return false;
    }
    out->particles = document_maker_alloc(&restore->maker, out->count, sizeof *out->particles);
    return out->particles && particles_fill(&place, given, out);
}

// ---------------------------------------------------------------------------------------------------------
// Colliders, motions

static bool colliders_read(struct document_restore *restore)
{
    const struct protocol_list *list = &restore->given->colliders;
    restore->colliders = document_maker_alloc(&restore->maker, list->count, sizeof *restore->colliders);
    for (uint32_t i = 0; restore->colliders && i < list->count; i++) {
        const struct document_reader place = document_maker_at(&restore->maker, "colliders", i);
        const struct protocol_restore_collider *given =
            (const struct protocol_restore_collider *)list->items + i;
        if (!(given->collider.has & PROTOCOL_HAS_DOCUMENT_COLLIDER_COLLIDER)) {
            return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, "collider.collider",
                                          "missing; what comes back has its id");
        }
        if (!document_maker_collider(&place, &given->collider, &restore->colliders[i])) {
            return false;
        }
    }
    return restore->colliders != NULL;
}

static bool motions_read(struct document_restore *restore)
{
    const struct protocol_list *list = &restore->given->motions;
    restore->motions = document_maker_alloc(&restore->maker, list->count, sizeof *restore->motions);
    for (uint32_t i = 0; restore->motions && i < list->count; i++) {
        const struct document_reader place = document_maker_at(&restore->maker, "motions", i);
        const struct protocol_document_motion *given =
            (const struct protocol_document_motion *)list->items + i;
        if (!(given->has & PROTOCOL_HAS_DOCUMENT_MOTION_MOTION)) {
            return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, "motion",
                                          "missing; what comes back has its id");
        }
        if (!document_maker_motion(&place, given, &restore->motions[i])) {
            return false;
        }
    }
    return restore->motions != NULL;
}

void document_restore_merge(const struct sim_image_collider *given, uint32_t parts,
                            struct sim_image_collider *collider)
{
    struct sim_collider *shape = &collider->collider;
    parts = (uint32_t)document_collider_parts(parts);
    collider->exact = true;
    if (parts & PROTOCOL_RESTORE_COLLIDER_PARTS_POSITION) {
        memcpy(shape->position, given->collider.position, sizeof shape->position);
        memcpy(collider->position, given->position, sizeof collider->position);
        memcpy(collider->from_position, given->from_position, sizeof collider->from_position);
    }
    if (parts & PROTOCOL_RESTORE_COLLIDER_PARTS_ROTATION) {
        memcpy(shape->rotation, given->collider.rotation, sizeof shape->rotation);
        memcpy(shape->normal, given->collider.normal, sizeof shape->normal);
        memcpy(collider->from_rotation, given->from_rotation, sizeof collider->from_rotation);
        memcpy(collider->stands, given->stands, sizeof collider->stands);
        collider->unturned = given->unturned;
    }
    if (parts & PROTOCOL_RESTORE_COLLIDER_PARTS_RADIUS) {
        shape->radius = given->collider.radius;
    }
    if (parts & PROTOCOL_RESTORE_COLLIDER_PARTS_LENGTH) {
        shape->length = given->collider.length;
    }
    if (parts & PROTOCOL_RESTORE_COLLIDER_PARTS_HALF_EXTENTS) {
        memcpy(shape->half_extents, given->collider.half_extents, sizeof shape->half_extents);
    }
    if (parts & PROTOCOL_RESTORE_COLLIDER_PARTS_POINTS) {
        shape->points = given->collider.points;
        shape->point_count = given->collider.point_count;
    }
    if (parts & PROTOCOL_RESTORE_COLLIDER_PARTS_HEIGHTS) {
        shape->heights = given->collider.heights;
        shape->height_count = given->collider.height_count;
        shape->columns = given->collider.columns;
        shape->spacing = given->collider.spacing;
    }
    if (parts & PROTOCOL_RESTORE_COLLIDER_PARTS_FRICTION) {
        shape->friction = given->collider.friction;
    }
    if (parts & PROTOCOL_RESTORE_COLLIDER_PARTS_FRICTION_KINETIC) {
        shape->kinetic = given->collider.kinetic;
        shape->friction_kinetic = given->collider.friction_kinetic;
    }
    if (parts & PROTOCOL_RESTORE_COLLIDER_PARTS_RESTITUTION) {
        shape->restitution = given->collider.restitution;
    }
    if (parts & PROTOCOL_RESTORE_COLLIDER_PARTS_SURFACE_NAME) {
        memcpy(shape->surface, given->collider.surface, sizeof shape->surface);
    }
    if (parts & PROTOCOL_RESTORE_COLLIDER_PARTS_SURFACE_VELOCITY) {
        memcpy(shape->surface_velocity, given->collider.surface_velocity, sizeof shape->surface_velocity);
    }
    if (parts & PROTOCOL_RESTORE_COLLIDER_PARTS_SURFACE_SPIN) {
        memcpy(shape->surface_spin, given->collider.surface_spin, sizeof shape->surface_spin);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Names

struct named {
    const char *list;
    uint32_t index, id;
    struct protocol_string name;
};

bool document_ids_have(const struct document_ids *ids, uint32_t id)
{
    bool has = false;
    for (uint32_t i = 0; i < ids->count && !has; i++) {
        has = ids->items[i] == id;
    }
    return has;
}

static const struct named *named_find(const struct named *all, uint32_t count, uint32_t id)
{
    const struct named *found = NULL;
    for (uint32_t i = 0; i < count && !found; i++) {
        found = all[i].id == id ? &all[i] : NULL;
    }
    return found;
}

static bool refuse_name(const struct document_restore *restore, const struct named *named, uint32_t other,
                        const char *noun)
{
    const struct document_reader place = document_maker_at(&restore->maker, named->list, named->index);
    return document_reader_refuse(&place, PROTOCOL_CODE_CONFLICT, "name", "\"%.*s\" is taken by %s %u",
                                  (int)named->name.size, named->name.data, noun, other);
}

static bool same_name(const struct protocol_string *a, const struct protocol_string *b)
{
    return a->size == b->size && a->size > 0 && memcmp(a->data, b->data, a->size) == 0;
}

static bool all_free(const struct document_restore *restore, const struct document_things *things,
                     const struct document_ids *removed, const struct named *all, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct document_thing *other = document_things_by_name(things, &all[i].name);
        if (other && other->id != all[i].id && !document_ids_have(removed, other->id) &&
            !named_find(all, count, other->id)) {
            return refuse_name(restore, &all[i], other->id, things->noun);
        }
        for (uint32_t k = 0; k < i; k++) {
            if (all[k].id != all[i].id && same_name(&all[k].name, &all[i].name)) {
                return refuse_name(restore, &all[i], all[k].id, things->noun);
            }
        }
    }
    return true;
}

bool document_restore_names_free(const struct document *document, const struct document_restore *restore)
{
    const struct protocol_edit_restore_params *given = restore->given;
    const struct protocol_document_body *bodies = given->bodies.items;
    const struct protocol_restore_body *parts = given->parts.items;
    const struct protocol_restore_collider *colliders = given->colliders.items;
    const uint32_t most = given->bodies.count + given->parts.count + given->colliders.count;
    struct named *all = document_maker_alloc(&restore->maker, most, sizeof *all);
    uint32_t count = 0;
    if (!all) {
        return false;
    }
    for (uint32_t i = 0; i < given->bodies.count; i++) {
        all[count++] = (struct named){"bodies", i, bodies[i].body, bodies[i].name};
    }
    for (uint32_t i = 0; i < given->parts.count; i++) {
        if (parts[i].has & PROTOCOL_HAS_RESTORE_BODY_NAME) {
            all[count++] = (struct named){"parts", i, parts[i].body, parts[i].name};
        }
    }
    if (!all_free(restore, &document->bodies, &restore->removed_bodies, all, count)) {
        return false;
    }
    count = 0;
    for (uint32_t i = 0; i < given->colliders.count; i++) {
        if (!(colliders[i].has & PROTOCOL_HAS_RESTORE_COLLIDER_PARTS) ||
            (colliders[i].parts & PROTOCOL_RESTORE_COLLIDER_PARTS_NAME)) {
            all[count++] =
                (struct named){"colliders", i, colliders[i].collider.collider, colliders[i].collider.name};
        }
    }
    return all_free(restore, &document->colliders, &restore->removed_colliders, all, count);
}

// ---------------------------------------------------------------------------------------------------------
// What it concerns

static bool touched_reserve(struct document_restore *restore)
{
    const struct protocol_edit_restore_params *given = restore->given;
    uint64_t bodies = (uint64_t)given->bodies.count + given->parts.count + given->particles.count +
                      given->own.count + given->motions.count +
                      (uint64_t)SIM_STENCIL_MAX * restore->removed_constraints.count +
                      restore->removed_motions.count;
    for (uint32_t i = 0; i < given->constraints.count; i++) {
        bodies += (uint64_t)restore->batches[i].count * sim_stencil_size(restore->batches[i].kind);
    }
    const uint64_t colliders =
        (uint64_t)given->colliders.count + given->motions.count + restore->removed_motions.count;
    restore->touched_bodies.items = document_maker_alloc(&restore->maker, bodies, sizeof(uint32_t));
    restore->touched_colliders.items = document_maker_alloc(&restore->maker, colliders, sizeof(uint32_t));
    return restore->touched_bodies.items && restore->touched_colliders.items;
}

static void touch_removed(const struct document *document, struct document_restore *restore)
{
    for (uint32_t i = 0; i < restore->removed_constraints.count; i++) {
        struct sim_constraint constraint;
        if (sim_constraint_get(document->sim, restore->removed_constraints.items[i], &constraint)) {
            for (uint32_t k = 0; k < sim_stencil_size(constraint.kind); k++) {
                touch(&restore->touched_bodies, constraint.bodies[k]);
            }
        }
    }
    for (uint32_t m = 0; restore->removed_motions.count > 0 && m < sim_motion_count(document->sim); m++) {
        struct sim_motion motion;
        sim_motion_at(document->sim, m, &motion);
        if (document_ids_have(&restore->removed_motions, motion.id)) {
            touch(&restore->touched_bodies, motion.body);
            touch(&restore->touched_colliders, motion.collider);
        }
    }
}

static bool touched_find(const struct document *document, struct document_restore *restore)
{
    const struct protocol_edit_restore_params *given = restore->given;
    struct document_ids *bodies = &restore->touched_bodies;
    if (!touched_reserve(restore)) {
        return false;
    }
    for (uint32_t i = 0; i < given->bodies.count; i++) {
        touch(bodies, ((const struct protocol_document_body *)given->bodies.items)[i].body);
    }
    for (uint32_t i = 0; i < given->parts.count; i++) {
        touch(bodies, ((const struct protocol_restore_body *)given->parts.items)[i].body);
    }
    for (uint32_t i = 0; i < given->particles.count; i++) {
        touch(bodies, restore->particles[i].body);
    }
    for (uint32_t i = 0; i < given->own.count; i++) {
        touch(bodies, restore->own[i].body);
    }
    for (uint32_t i = 0; i < given->constraints.count; i++) {
        const struct sim_image_constraints *batch = &restore->batches[i];
        for (uint32_t k = 0; k < batch->count * sim_stencil_size(batch->kind); k++) {
            touch(bodies, batch->bodies[k]);
        }
    }
    for (uint32_t i = 0; i < given->colliders.count; i++) {
        touch(&restore->touched_colliders, restore->colliders[i].collider.id);
    }
    for (uint32_t i = 0; i < given->motions.count; i++) {
        touch(bodies, restore->motions[i].body);
        touch(&restore->touched_colliders, restore->motions[i].collider);
    }
    touch_removed(document, restore);
    return true;
}

// ---------------------------------------------------------------------------------------------------------

static bool parts_read(const struct document_restore *restore)
{
    const struct protocol_restore_body *parts = restore->given->parts.items;
    struct document_fields fields;
    bool good = true;
    for (uint32_t i = 0; i < restore->given->parts.count && good; i++) {
        const struct document_reader place = document_maker_at(&restore->maker, "parts", i);
        good = document_body_fields(&parts[i], &fields) ||
               document_reader_refuse(&place, PROTOCOL_CODE_INVALID, "fields", not_fields);
    }
    return good;
}

bool document_restore_read(const struct document *document, const struct protocol_edit_restore_params *given,
                           msgpack_zone *zone, struct protocol_error *error, struct document_restore *restore)
{
    const struct protocol_restore_removed *removed = &given->removed;
    *restore = (struct document_restore){
        .given = given,
        .maker = {.prefix = "",
                  .zone = zone,
                  .error = error,
                  .document = (struct document *)document, // where things are looked for; only read
                  .again = true,
                  .resolution = sim_settings_of(document->sim)->resolution},
    };
    if (!ids_read(restore, "removed.bodies", &removed->bodies, PROTOCOL_LIMIT_BODIES,
                  &restore->removed_bodies) ||
        !ids_read(restore, "removed.constraints", &removed->constraints, PROTOCOL_LIMIT_CONSTRAINTS,
                  &restore->removed_constraints) ||
        !ids_read(restore, "removed.colliders", &removed->colliders, PROTOCOL_LIMIT_COLLIDERS,
                  &restore->removed_colliders) ||
        !ids_read(restore, "removed.motions", &removed->motions, PROTOCOL_LIMIT_MOTIONS,
                  &restore->removed_motions) ||
        !settings_read(document, restore) || !parts_read(restore) || !constraints_read(restore)) {
        return false;
    }
    restore->particles =
        document_maker_alloc(&restore->maker, given->particles.count, sizeof *restore->particles);
    for (uint32_t i = 0; restore->particles && i < given->particles.count; i++) {
        if (!particles_read(document, restore, i)) {
            return false;
        }
    }
    return restore->particles && colliders_read(restore) && motions_read(restore) &&
           touched_find(document, restore);
}
