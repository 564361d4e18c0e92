// Settings and materials as the structs that go on the wire, and back.
#include "document/parts.h"
#include "protocol/params.h"

#include "base/assert.h"

#include <string.h>

void document_material_fill(const struct sim_material *material, struct protocol_material *out)
{
    *out = (struct protocol_material){
        .has = PROTOCOL_HAS_ALL,
        .compliance = material->compliance,
        .damping = material->damping,
        .stiffness = material->stiffness,
    };
    if (material->stiffness < 0) {
        out->has &= ~PROTOCOL_HAS_MATERIAL_STIFFNESS;
        out->stiffness = 0;
    }
}

void document_bend_fill(const struct sim_body_info *info, struct protocol_bend_material *out)
{
    static const int models[] = {
        [SIM_BEND_NONE] = PROTOCOL_BEND_MATERIAL_MODEL_NONE,
        [SIM_BEND_DIHEDRAL] = PROTOCOL_BEND_MATERIAL_MODEL_DIHEDRAL,
        [SIM_BEND_ISOMETRIC] = PROTOCOL_BEND_MATERIAL_MODEL_ISOMETRIC,
        [SIM_BEND_QUADRATIC] = PROTOCOL_BEND_MATERIAL_MODEL_QUADRATIC,
    };
    *out = (struct protocol_bend_material){
        .has = PROTOCOL_HAS_ALL,
        .model = models[info->bend_model],
        .compliance = info->rod ? 0 : info->bend.compliance, // `rod` tells how a rod bends
        .damping = info->rod ? 0 : info->bend.damping,
        .stiffness = info->bend.stiffness,
        .rigidity = info->bend.rigidity,
        .warp = info->bend.warp,
        .weft = info->bend.weft,
        .bias = info->bend.bias,
    };
    const bool yarns = info->bend.warp > 0;
    if (!yarns) {
        out->has &= ~(uint64_t)(PROTOCOL_HAS_BEND_MATERIAL_WARP | PROTOCOL_HAS_BEND_MATERIAL_WEFT);
    }
    if (!(info->bend.bias > 0)) {
        out->has &= ~PROTOCOL_HAS_BEND_MATERIAL_BIAS;
    }
    if (info->bend.stiffness < 0) {
        out->has &= ~PROTOCOL_HAS_BEND_MATERIAL_STIFFNESS;
        out->stiffness = 0;
    }
    // A client may give again all that is told, and so hears of one of them only.
    if (info->bend.rigidity > 0 || yarns) {
        out->compliance = 0;
    }
    if (!(info->bend.rigidity > 0)) {
        out->has &= ~PROTOCOL_HAS_BEND_MATERIAL_RIGIDITY;
    }
    const struct sim_plastic *plastic = &info->bend.plastic;
    if (!(plastic->rate > 0)) {
        out->has &= ~PROTOCOL_HAS_BEND_MATERIAL_PLASTIC;
    }
    out->plastic = (struct protocol_bend_plastic){.has = PROTOCOL_HAS_ALL,
                                                  .yield_angle = plastic->yield,
                                                  .rate = plastic->rate,
                                                  .greatest = plastic->greatest};
}

void document_plastic_take(const struct protocol_bend_material *given, struct sim_plastic *plastic)
{
    struct protocol_bend_plastic values;
    const uint64_t has = given->plastic.has;
    if (!(given->has & PROTOCOL_HAS_BEND_MATERIAL_PLASTIC)) {
        return;
    }
    protocol_defaults(&protocol_bend_plastic_type, &values);
    if (!(plastic->rate > 0)) {
        *plastic = (struct sim_plastic){values.yield_angle, values.rate, values.greatest};
    }
    plastic->yield =
        has & PROTOCOL_HAS_BEND_PLASTIC_YIELD_ANGLE ? given->plastic.yield_angle : plastic->yield;
    plastic->rate = has & PROTOCOL_HAS_BEND_PLASTIC_RATE ? given->plastic.rate : plastic->rate;
    plastic->greatest =
        has & PROTOCOL_HAS_BEND_PLASTIC_GREATEST ? given->plastic.greatest : plastic->greatest;
    if (plastic->rate == 0) {
        *plastic = (struct sim_plastic){0};
    }
}

const char *document_rigidity_field(const struct protocol_bend_material *given)
{
    return given->has & PROTOCOL_HAS_BEND_MATERIAL_RIGIDITY ? "bend.rigidity"
           : given->has & PROTOCOL_HAS_BEND_MATERIAL_WARP   ? "bend.warp"
           : given->has & PROTOCOL_HAS_BEND_MATERIAL_WEFT   ? "bend.weft"
           : given->has & PROTOCOL_HAS_BEND_MATERIAL_BIAS   ? "bend.bias"
                                                            : NULL;
}

void document_rigidity_merge(const struct protocol_bend_material *given, struct sim_material *bend)
{
    const bool one = given->has & PROTOCOL_HAS_BEND_MATERIAL_RIGIDITY;
    bend->rigidity = one ? given->rigidity : 0;
    bend->warp = one ? 0 : given->has & PROTOCOL_HAS_BEND_MATERIAL_WARP ? given->warp : bend->warp;
    bend->weft = one ? 0 : given->has & PROTOCOL_HAS_BEND_MATERIAL_WEFT ? given->weft : bend->weft;
    bend->bias = one ? 0 : given->has & PROTOCOL_HAS_BEND_MATERIAL_BIAS ? given->bias : bend->bias;
    bend->compliance = 0; // follows from the mesh
}

bool document_rigidity_take(const struct protocol_bend_material *given, struct sim_material *bend,
                            const struct document_reader *reader)
{
    const char *field = document_rigidity_field(given);
    const uint64_t yarns =
        PROTOCOL_HAS_BEND_MATERIAL_WARP | PROTOCOL_HAS_BEND_MATERIAL_WEFT | PROTOCOL_HAS_BEND_MATERIAL_BIAS;
    bend->rigidity = bend->warp = bend->weft = bend->bias = 0;
    if (!field) {
        return true;
    }
    const char *other = bend->compliance > 0   ? "bend.compliance"
                        : bend->stiffness >= 0 ? "bend.stiffness"
                        : (given->has & PROTOCOL_HAS_BEND_MATERIAL_RIGIDITY) && (given->has & yarns)
                            ? "bend.warp"
                            : NULL;
    if (other) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, field,
                                      "must be absent where %s is given; either says how stiff bending is",
                                      other);
    }
    document_rigidity_merge(given, bend);
    return true;
}

bool document_solid_fill(enum sim_solid model, const struct sim_material *solid,
                         struct protocol_solid_material *out)
{
    if (model == SIM_SOLID_NONE) {
        return false;
    }
    *out = (struct protocol_solid_material){
        .has = PROTOCOL_HAS_ALL,
        .model = PROTOCOL_SOLID_MATERIAL_MODEL_NEO_HOOKEAN,
        .young = solid->young,
        .poisson = solid->poisson,
        .damping = solid->damping,
    };
    const struct sim_plastic *plastic = &solid->plastic;
    if (!(plastic->rate > 0)) {
        out->has &= ~PROTOCOL_HAS_SOLID_MATERIAL_PLASTIC;
    }
    out->plastic = (struct protocol_solid_plastic){.has = PROTOCOL_HAS_ALL,
                                                   .yield_strain = plastic->yield,
                                                   .rate = plastic->rate,
                                                   .greatest = plastic->greatest};
    return true;
}

void document_solid_plastic_take(const struct protocol_solid_material *given, struct sim_plastic *plastic)
{
    struct protocol_solid_plastic values;
    const uint64_t has = given->plastic.has;
    if (!(given->has & PROTOCOL_HAS_SOLID_MATERIAL_PLASTIC)) {
        return;
    }
    protocol_defaults(&protocol_solid_plastic_type, &values);
    if (!(plastic->rate > 0)) {
        *plastic = (struct sim_plastic){values.yield_strain, values.rate, values.greatest};
    }
    plastic->yield =
        has & PROTOCOL_HAS_SOLID_PLASTIC_YIELD_STRAIN ? given->plastic.yield_strain : plastic->yield;
    plastic->rate = has & PROTOCOL_HAS_SOLID_PLASTIC_RATE ? given->plastic.rate : plastic->rate;
    plastic->greatest =
        has & PROTOCOL_HAS_SOLID_PLASTIC_GREATEST ? given->plastic.greatest : plastic->greatest;
    if (plastic->rate == 0) {
        *plastic = (struct sim_plastic){0};
    }
}

bool document_solid_take(const struct protocol_solid_material *given, struct sim_material *solid,
                         const struct document_reader *reader)
{
    if (!(given->has & PROTOCOL_HAS_SOLID_MATERIAL_YOUNG)) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "solid.young",
                                      "missing; must be a number in [%g, %g], Young's modulus in Pa",
                                      SIM_YOUNG_MIN, SIM_YOUNG_MAX);
    }
    *solid = (struct sim_material){
        .young = given->young, .poisson = given->poisson, .damping = given->damping, .stiffness = -1};
    document_solid_plastic_take(given, &solid->plastic);
    return true;
}

void document_meeting_merge(const bool *self, const uint32_t *group, const uint32_t *mask,
                            const double *friction, const double *friction_kinetic, const double *restitution,
                            const struct protocol_string *surface, struct sim_meeting *meeting)
{
    meeting->self = self ? *self : meeting->self;
    meeting->group = group ? *group : meeting->group;
    meeting->mask = mask ? *mask : meeting->mask;
    meeting->friction = friction ? *friction : meeting->friction;
    if (friction_kinetic) {
        document_kinetic_take(*friction_kinetic, &meeting->kinetic, &meeting->friction_kinetic);
    }
    if (restitution) {
        meeting->restitution = *restitution;
    }
    if (surface) {
        document_surface_take(surface, meeting->surface);
    }
}

double document_kinetic_told(bool kinetic, double friction_kinetic)
{
    return kinetic ? friction_kinetic : SIM_FRICTION_MAX;
}

void document_kinetic_take(double given, bool *kinetic, double *friction_kinetic)
{
    *kinetic = !(given == SIM_FRICTION_MAX);
    *friction_kinetic = *kinetic ? given : 0;
}

#define GUST_FIELDS (PROTOCOL_HAS_WIND_GUST_LENGTH | PROTOCOL_HAS_WIND_GUST_SEED | PROTOCOL_HAS_WIND_GUST_WAY)
#define GUST_LENGTH 10 // m, where none was ever given

void document_wind_fill(const struct sim_settings *settings, struct protocol_wind *out)
{
    *out = (struct protocol_wind){
        .has = PROTOCOL_HAS_ALL,
        .drag = settings->wind.drag,
        .lift = settings->wind.lift,
        .density = settings->wind.density,
    };
    memcpy(out->velocity, settings->wind.velocity, sizeof out->velocity);
    if (settings->wind.gusts > 0) {
        out->gusts = settings->wind.gusts;
        out->gust_length = settings->wind.gust_length;
        out->gust_seed = settings->wind.gust_seed;
        memcpy(out->gust_way, settings->wind.gust_way, sizeof out->gust_way);
    } else { // it looks as it did before there were any
        out->has &= ~(uint64_t)(PROTOCOL_HAS_WIND_GUSTS | GUST_FIELDS);
    }
}

// The default that api.json gives a field of the wind.
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

double document_wind_density(void)
{
    return wind_default("density");
}

// Density 0, all else as api.json has it.
static void wind_none(struct sim_wind *wind)
{
    *wind = (struct sim_wind){.drag = wind_default("drag"), .lift = wind_default("lift")};
}

static void gusts_merge(const struct protocol_wind *given, struct sim_wind *wind)
{
    if (given->has & PROTOCOL_HAS_WIND_GUSTS) {
        wind->gusts = given->gusts;
    }
    if (wind->gusts == 0) {
        return;
    }
    if (given->has & PROTOCOL_HAS_WIND_GUST_LENGTH) {
        wind->gust_length = given->gust_length;
    } else if (wind->gust_length == 0) {
        wind->gust_length = GUST_LENGTH;
    }
    if (given->has & PROTOCOL_HAS_WIND_GUST_SEED) {
        wind->gust_seed = given->gust_seed;
    }
    if (given->has & PROTOCOL_HAS_WIND_GUST_WAY) {
        memcpy(wind->gust_way, given->gust_way, sizeof wind->gust_way);
    }
}

void document_wind_take(const struct protocol_wind *given, struct sim_wind *wind)
{
    *wind = (struct sim_wind){.drag = given->drag, .lift = given->lift, .density = given->density};
    memcpy(wind->velocity, given->velocity, sizeof wind->velocity);
    gusts_merge(given, wind);
}

void document_settings_of(const struct protocol_world_create_params *given, struct sim_settings *settings)
{
    *settings = (struct sim_settings){
        .tick_rate = given->tick_rate,
        .substeps = given->substeps,
        .iterations = given->iterations,
        .damping = given->damping,
        .resolution = given->resolution,
        .extent = given->extent,
        .contact_quality = (enum sim_contact_quality)given->contact_quality,
        .untangle = given->untangle,
        .long_edges = given->long_edges,
        .bending_solved = given->bending == PROTOCOL_WORLD_CREATE_PARAMS_BENDING_SOLVED,
        .loads_solved = given->loads == PROTOCOL_WORLD_CREATE_PARAMS_LOADS_SOLVED,
        .sleep = given->sleep,
        .calm = given->calm,
    };
    memcpy(settings->gravity, given->gravity, sizeof settings->gravity);
    wind_none(&settings->wind);
    if (given->has & PROTOCOL_HAS_WORLD_CREATE_PARAMS_WIND) {
        document_wind_take(&given->wind, &settings->wind);
    }
    if (given->has & PROTOCOL_HAS_WORLD_CREATE_PARAMS_FORCES) {
        document_forces_take(&given->forces, &settings->forces);
    }
    if (given->has & PROTOCOL_HAS_WORLD_CREATE_PARAMS_SURFACES) {
        document_surfaces_take(&given->surfaces, &settings->surfaces);
    }
}

void document_wind_merge(const struct protocol_wind *given, struct sim_wind *wind)
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
    // A map of wind turns the wind on. Only a density of 0 that is given turns it off.
    if (given->has & PROTOCOL_HAS_WIND_DENSITY) {
        wind->density = given->density;
    } else if (wind->density == 0) {
        wind->density = document_wind_density();
    }
    gusts_merge(given, wind);
    if (wind->gusts == 0) {
        wind->gust_length = 0;
        wind->gust_seed = 0;
        memset(wind->gust_way, 0, sizeof wind->gust_way);
    }
}

#define RANGE(NAME, name) \
    .name = {.has = PROTOCOL_HAS_ALL, .first = first[SIM_##NAME], .count = count[SIM_##NAME]},

void document_ranges_fill(const uint32_t *first, const uint32_t *count,
                          struct protocol_constraint_ranges *out)
{
    *out = (struct protocol_constraint_ranges){.has = PROTOCOL_HAS_ALL, SIM_KINDS(RANGE)};
}
