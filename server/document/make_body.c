// The bodies of a document: what they were made from, where they are, and what edits have left of their constraints.
#include "document/maker.h"

#include "document/fill_rod.h"

#include "base/assert.h"
#include "protocol/error.h"

#include <stdio.h>
#include <stdlib.h>

// A document's body has the fields of body.add, under bits of its own.
static void add_params_of(const struct protocol_document_body *given, struct protocol_body_add_params *params)
{
    static const struct {
        uint64_t given, params;
    } bits[] = {
        {PROTOCOL_HAS_DOCUMENT_BODY_VELOCITIES, PROTOCOL_HAS_BODY_ADD_PARAMS_VELOCITIES},
        {PROTOCOL_HAS_DOCUMENT_BODY_TRIANGLES, PROTOCOL_HAS_BODY_ADD_PARAMS_TRIANGLES},
        {PROTOCOL_HAS_DOCUMENT_BODY_EDGES, PROTOCOL_HAS_BODY_ADD_PARAMS_EDGES},
        {PROTOCOL_HAS_DOCUMENT_BODY_TETS, PROTOCOL_HAS_BODY_ADD_PARAMS_TETS},
        {PROTOCOL_HAS_DOCUMENT_BODY_DENSITY, PROTOCOL_HAS_BODY_ADD_PARAMS_DENSITY},
        {PROTOCOL_HAS_DOCUMENT_BODY_MASSES, PROTOCOL_HAS_BODY_ADD_PARAMS_MASSES},
        {PROTOCOL_HAS_DOCUMENT_BODY_STRETCH, PROTOCOL_HAS_BODY_ADD_PARAMS_STRETCH},
        {PROTOCOL_HAS_DOCUMENT_BODY_BEND, PROTOCOL_HAS_BODY_ADD_PARAMS_BEND},
        {PROTOCOL_HAS_DOCUMENT_BODY_VOLUME, PROTOCOL_HAS_BODY_ADD_PARAMS_VOLUME},
        {PROTOCOL_HAS_DOCUMENT_BODY_SOLID, PROTOCOL_HAS_BODY_ADD_PARAMS_SOLID},
        {PROTOCOL_HAS_DOCUMENT_BODY_ROD, PROTOCOL_HAS_BODY_ADD_PARAMS_ROD},
        {PROTOCOL_HAS_DOCUMENT_BODY_WELD, PROTOCOL_HAS_BODY_ADD_PARAMS_WELD},
        {PROTOCOL_HAS_DOCUMENT_BODY_SELF_CONTACT, PROTOCOL_HAS_BODY_ADD_PARAMS_SELF_CONTACT},
        {PROTOCOL_HAS_DOCUMENT_BODY_CONTACT_GROUP, PROTOCOL_HAS_BODY_ADD_PARAMS_CONTACT_GROUP},
        {PROTOCOL_HAS_DOCUMENT_BODY_CONTACT_MASK, PROTOCOL_HAS_BODY_ADD_PARAMS_CONTACT_MASK},
        {PROTOCOL_HAS_DOCUMENT_BODY_FRICTION, PROTOCOL_HAS_BODY_ADD_PARAMS_FRICTION},
        {PROTOCOL_HAS_DOCUMENT_BODY_FRICTION_KINETIC, PROTOCOL_HAS_BODY_ADD_PARAMS_FRICTION_KINETIC},
        {PROTOCOL_HAS_DOCUMENT_BODY_RESTITUTION, PROTOCOL_HAS_BODY_ADD_PARAMS_RESTITUTION},
        {PROTOCOL_HAS_DOCUMENT_BODY_SURFACE, PROTOCOL_HAS_BODY_ADD_PARAMS_SURFACE},
        {PROTOCOL_HAS_DOCUMENT_BODY_SLEEP, PROTOCOL_HAS_BODY_ADD_PARAMS_SLEEP},
        {PROTOCOL_HAS_DOCUMENT_BODY_PRESSURE, PROTOCOL_HAS_BODY_ADD_PARAMS_PRESSURE},
        {PROTOCOL_HAS_DOCUMENT_BODY_GRAVITY, PROTOCOL_HAS_BODY_ADD_PARAMS_GRAVITY},
        {PROTOCOL_HAS_DOCUMENT_BODY_FORCE, PROTOCOL_HAS_BODY_ADD_PARAMS_FORCE},
        {PROTOCOL_HAS_DOCUMENT_BODY_SHAPE, PROTOCOL_HAS_BODY_ADD_PARAMS_SHAPE},
        {PROTOCOL_HAS_DOCUMENT_BODY_WIND, PROTOCOL_HAS_BODY_ADD_PARAMS_WIND},
        {PROTOCOL_HAS_DOCUMENT_BODY_TEAR, PROTOCOL_HAS_BODY_ADD_PARAMS_TEAR},
        {PROTOCOL_HAS_DOCUMENT_BODY_PINS, PROTOCOL_HAS_BODY_ADD_PARAMS_PINS},
        {PROTOCOL_HAS_DOCUMENT_BODY_YARN_UVS, PROTOCOL_HAS_BODY_ADD_PARAMS_YARN_UVS},
        {PROTOCOL_HAS_DOCUMENT_BODY_CLAMPS, PROTOCOL_HAS_BODY_ADD_PARAMS_CLAMPS},
        {PROTOCOL_HAS_DOCUMENT_BODY_RIGID, PROTOCOL_HAS_BODY_ADD_PARAMS_RIGID},
        {PROTOCOL_HAS_DOCUMENT_BODY_ROTATIONS, PROTOCOL_HAS_BODY_ADD_PARAMS_ROTATIONS},
        {PROTOCOL_HAS_DOCUMENT_BODY_ANGULAR_VELOCITIES, PROTOCOL_HAS_BODY_ADD_PARAMS_ANGULAR_VELOCITIES},
    };
    *params = (struct protocol_body_add_params){
        .has = PROTOCOL_HAS_BODY_ADD_PARAMS_THICKNESS, // one that is absent is 0
        .kind = given->kind,
        .positions = given->positions,
        .velocities = given->velocities,
        .triangles = given->triangles,
        .edges = given->edges,
        .tets = given->tets,
        .density = given->density,
        .masses = given->masses,
        .stretch = given->stretch,
        .bend = given->bend,
        .volume = given->volume,
        .solid = given->solid,
        .rod = given->rod,
        .weld = given->weld,
        .thickness = given->thickness,
        .self_contact = given->self_contact,
        .contact_group = given->contact_group,
        .contact_mask = given->contact_mask,
        .friction = given->friction,
        .friction_kinetic = given->friction_kinetic,
        .restitution = given->restitution,
        .surface = given->surface,
        .sleep = given->sleep,
        .pressure = given->pressure,
        .shape = given->shape,
        .wind = given->wind,
        .tear = given->tear,
        .pins = given->pins,
        .yarn_uvs = given->yarn_uvs,
        .clamps = given->clamps,
        .rigid = given->rigid,
        .rotations = given->rotations,
        .angular_velocities = given->angular_velocities,
    };
    memcpy(params->gravity, given->gravity, sizeof params->gravity);
    memcpy(params->force, given->force, sizeof params->force);
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        params->has |= given->has & bits[i].given ? bits[i].params : 0;
    }
}

bool document_maker_sleep(const struct document_reader *place, const struct protocol_document_state *given,
                          uint32_t count, struct sim_sleep *sleep, const int32_t **out)
{
    const double *anchors = NULL;
    *sleep = (struct sim_sleep){
        .asleep = (given->has & PROTOCOL_HAS_DOCUMENT_STATE_ASLEEP) && given->asleep,
        .still = given->has & PROTOCOL_HAS_DOCUMENT_STATE_STILL ? given->still : 0,
        .mark = given->has & PROTOCOL_HAS_DOCUMENT_STATE_MARK ? given->mark : 0,
        .island = given->has & PROTOCOL_HAS_DOCUMENT_STATE_ISLAND ? given->island : 0,
        .companions = given->has & PROTOCOL_HAS_DOCUMENT_STATE_COMPANIONS ? given->companions : 0,
    };
    *out = NULL;
    if (!(given->has & PROTOCOL_HAS_DOCUMENT_STATE_ANCHORS)) {
        return true;
    }
    int32_t *whole = document_reader_alloc(place, count, sizeof *whole);
    if (!whole || !document_reader_f64s(place, "state.anchors", &given->anchors, count, NULL, &anchors)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        whole[i] = (int32_t)anchors[i];
        if ((double)whole[i] != anchors[i]) {
            return document_reader_refuse(place, PROTOCOL_CODE_INVALID, "state.anchors",
                                          "element %u is %g; must be a whole number of quanta", i,
                                          anchors[i]);
        }
    }
    *out = whole;
    return true;
}

static bool make_pins(const struct document_reader *place, const struct protocol_document_state *given,
                      struct sim_image_body *body)
{
    struct document_pins pins;
    if (!document_maker_pins(place, given, body->desc.pin_count, &pins)) {
        return false;
    }
    body->pin_colliders = pins.colliders;
    body->pin_places = pins.places;
    body->pin_compliances = pins.compliances;
    body->pin_distances = pins.distances;
    body->pin_starts = pins.starts;
    body->pin_ends = pins.ends;
    body->pin_ticks = pins.ticks;
    return true;
}

static bool make_forces(const struct document_reader *place, const struct protocol_document_state *given,
                        struct sim_image_body *body)
{
    struct document_forces forces = {0};
    if (!document_forces_read(place, given, NULL, &forces)) {
        return false;
    }
    body->force_count = forces.count;
    body->force_particles = forces.forced;
    body->forces = forces.values;
    body->force_ticks = forces.ticks;
    return true;
}

static bool make_state(const struct document_reader *place, const struct protocol_document_state *given,
                       struct sim_image_body *body)
{
    uint32_t count = body->desc.particle_count, pins = body->desc.pin_count;
    body->bend_due = given->has & PROTOCOL_HAS_DOCUMENT_STATE_BEND_DUE ? given->bend_due : 0;
    return (!(given->has & PROTOCOL_HAS_DOCUMENT_STATE_POSITIONS) ||
            document_maker_quanta(place, "state.positions", &given->positions, &given->remainders, 3 * count,
                                  &body->positions)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_STATE_VELOCITIES) ||
            document_reader_f32s(place, "state.velocities", &given->velocities, 3 * count, NULL,
                                 &body->velocities)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_STATE_INVERSE_MASSES) ||
            document_reader_f32s(place, "state.inverse_masses", &given->inverse_masses, count, NULL,
                                 &body->inverse_masses)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_STATE_TARGETS) ||
            document_maker_quanta(place, "state.targets", &given->targets, &given->target_remainders,
                                  3 * pins, &body->targets)) &&
           make_pins(place, given, body) && make_forces(place, given, body) &&
           document_turned_take(place, given, count, &body->turned) &&
           document_clamps_take(place, given, pins, &body->pin_clamps, &body->pin_held) &&
           document_maker_sleep(place, given, 3 * count, &body->sleep, &body->anchors);
}

static bool make_kind_history(const struct document_reader *place, const char *kind, uint32_t size,
                              const struct protocol_constraint_history *given,
                              struct sim_image_history *history)
{
    uint32_t changed = given->changed.count;
    const struct {
        uint64_t bit;
        const char *name;
        const struct protocol_array *array;
        const double **out;
    } values[] = {
        {PROTOCOL_HAS_CONSTRAINT_HISTORY_REST, "rest", &given->rest, &history->rest},
        {PROTOCOL_HAS_CONSTRAINT_HISTORY_COMPLIANCE, "compliance", &given->compliance, &history->compliance},
        {PROTOCOL_HAS_CONSTRAINT_HISTORY_DAMPING, "damping", &given->damping, &history->damping},
        {PROTOCOL_HAS_CONSTRAINT_HISTORY_STIFFNESS, "stiffness", &given->stiffness, &history->stiffness},
    };
    const struct {
        bool given;
        const char *name;
        const struct protocol_array *array;
        const uint32_t **out;
    } lists[] = {
        {true, "removed", &given->removed, &history->removed},
        {true, "changed", &given->changed, &history->changed},
        {(given->has & PROTOCOL_HAS_CONSTRAINT_HISTORY_TILE_COLORS) != 0, "tile_colors", &given->tile_colors,
         &history->tile_colors},
        {(given->has & PROTOCOL_HAS_CONSTRAINT_HISTORY_COLORS) != 0, "colors", &given->colors,
         &history->colors},
    };
    char field[PROTOCOL_FIELD_MAX];
    *history = (struct sim_image_history){
        .edited = true,
        .built = given->has & PROTOCOL_HAS_CONSTRAINT_HISTORY_BUILT ? given->built : UINT32_MAX,
        .removed_count = given->removed.count,
        .changed_count = changed,
        .tile_count = given->tile_colors.count,
        .color_count = given->colors.count,
    };
    for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
        snprintf(field, sizeof field, "history.%s.%s", kind, values[v].name);
        if ((given->has & values[v].bit) &&
            !(document_reader_count(place, field, values[v].array->count, changed, NULL) &&
              document_reader_f64s(place, field, values[v].array, changed, NULL, values[v].out))) {
            return false;
        }
    }
    snprintf(field, sizeof field, "history.%s.shapes", kind);
    if ((given->has & PROTOCOL_HAS_CONSTRAINT_HISTORY_SHAPES) &&
        !document_reader_f32s(place, field, &given->shapes, size * changed, NULL, &history->shapes)) {
        return false;
    }
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++) {
        snprintf(field, sizeof field, "history.%s.%s", kind, lists[l].name);
        if (lists[l].given && !document_reader_u32s(place, field, lists[l].array, lists[l].out)) {
            return false;
        }
    }
    return true;
}

static bool make_history(const struct document_reader *place, const struct protocol_body_history *given,
                         struct sim_image_body *body)
{
#define GIVEN(NAME, name) {PROTOCOL_HAS_BODY_HISTORY_##NAME, #name, &given->name},
    const struct {
        uint64_t bit;
        const char *name;
        const struct protocol_constraint_history *given;
    } kinds[SIM_KIND_COUNT] = {SIM_KINDS(GIVEN)};
    for (int k = 0; k < SIM_KIND_COUNT; k++) {
        if ((given->has & kinds[k].bit) &&
            !make_kind_history(place, kinds[k].name, sim_flow_size((enum sim_kind)k), kinds[k].given,
                               &body->history[k])) {
            return false;
        }
    }
    return true;
}

bool document_maker_body(const struct document_maker *maker, const struct protocol_document_body *given,
                         uint32_t index, struct document_body_arrays *arrays, struct sim_image_body *body)
{
    const struct document_reader place = document_maker_at(maker, "bodies", index);
    struct protocol_body_add_params params;
    bool state = given->has & PROTOCOL_HAS_DOCUMENT_BODY_STATE;
    add_params_of(given, &params);
    body->body = given->body;
    body->desc.may_be_empty = state;
    body->first_constraint = given->first_constraint;
    if (!document_body_desc(&params, &body->desc, arrays, maker->error)) {
        return document_maker_place(maker, "bodies", index);
    }
    body->desc.force.ticks = given->has & PROTOCOL_HAS_DOCUMENT_BODY_FORCE_TICKS ? given->force_ticks : 0;
    body->desc.weld = body->desc.weld ? &given->weld : NULL; // params go, what was given stays
    if (body->desc.weld && (given->has & PROTOCOL_HAS_DOCUMENT_BODY_SKIN)) {
        body->welded = document_maker_alloc(maker, body->desc.particle_count, sizeof *body->welded);
        if (!body->welded) {
            return false;
        }
    }
    if ((given->has & PROTOCOL_HAS_DOCUMENT_BODY_TORN) &&
        !document_torn_take(&place, &given->torn, &body->desc)) {
        return false;
    }
    return (!state || make_state(&place, &given->state, body)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_BODY_HISTORY) ||
            make_history(&place, &given->history, body));
}

bool document_maker_bodies(struct document_maker *maker)
{
    const struct protocol_list *list = &maker->given->bodies;
    if (!document_maker_length(maker, "bodies", list->count, PROTOCOL_LIMIT_BODIES)) {
        return false;
    }
    struct sim_image_body *bodies = document_maker_alloc(maker, list->count, sizeof *bodies);
    maker->arrays = calloc((size_t)list->count + 1, sizeof *maker->arrays);
    if (!bodies || !maker->arrays) {
        protocol_error_set(maker->error, PROTOCOL_CODE_MEMORY, NULL,
                           "no memory for the document; nothing changed");
        return false;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        const struct protocol_document_body *given = (const struct protocol_document_body *)list->items + i;
        const struct document_reader place = document_maker_at(maker, "bodies", i);
        if (!document_maker_body(maker, given, i, &maker->arrays[i], &bodies[i]) ||
            !document_maker_add(&place, &maker->document->bodies, given->body, &given->name,
                                bodies[i].desc.particle_count, &bodies[i].body)) {
            return false;
        }
    }
    maker->image.bodies = bodies;
    maker->image.body_count = list->count;
    return true;
}

// A look is of the triangles that there are now, after welding.
static bool make_look(struct document_maker *maker, const struct protocol_document_body *given,
                      struct document_thing *thing)
{
    struct sim_body_info info;
    if (!(given->has & PROTOCOL_HAS_DOCUMENT_BODY_LOOK)) {
        return true;
    }
    const bool found = sim_body_info(maker->document->sim, thing->id, &info);
    BASE_ASSERT(found);
    const uint32_t triangles = thing->skin              ? thing->skin->triangle_count
                               : info.kind == SIM_CLOTH ? info.triangle_count
                                                        : 0;
    struct document_look *look = document_look_create(&given->look, triangles, maker->error);
    if (look && !document_look_fits(&maker->document->bodies, look, maker->error)) {
        document_look_destroy(look);
        return false;
    }
    thing->look = look;
    return look != NULL;
}

bool document_maker_skins(struct document_maker *maker)
{
    struct document_things *bodies = &maker->document->bodies;
    for (uint32_t i = 0; i < bodies->count; i++) {
        const struct protocol_document_body *given =
            (const struct protocol_document_body *)maker->given->bodies.items + i;
        const struct sim_image_body *image = &maker->image.bodies[i];
        if (given->has & PROTOCOL_HAS_DOCUMENT_BODY_SKIN) {
            struct document_skin *skin =
                document_skin_create(&given->skin, image->desc.particle_count, image->welded, maker->error);
            if (!skin || !document_skin_fits(bodies, skin, maker->error)) {
                document_skin_destroy(skin);
                return document_maker_place(maker, "bodies", i);
            }
            bodies->items[i].skin = skin;
        }
        if (!make_look(maker, given, &bodies->items[i])) {
            return document_maker_place(maker, "bodies", i);
        }
    }
    return true;
}
