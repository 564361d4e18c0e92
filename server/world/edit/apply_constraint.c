// Handles constraint.list.
#include "world/edit/apply.h"

#include "document/document.h"
#include "world/answer/call.h"
#include "world/edit/costly.h"
#include "world/state.h"

#include <math.h>
#include <string.h>

// Finds the next constraint of the body after *after. body 0: of any body.
static bool constraint_next_of(const struct sim *sim, enum sim_kind kind, uint32_t body, uint32_t after,
                               struct sim_constraint *constraint)
{
    uint32_t stencil = sim_stencil_size(kind);
    while (sim_constraint_next(sim, kind, after, constraint)) {
        if (body == 0) {
            return true;
        }
        for (uint32_t p = 0; p < stencil; p++) {
            if (constraint->bodies[p] == body) {
                return true;
            }
        }
        // Constraints that another body came with touch only that body, so all of them are passed over.
        struct sim_body_info info;
        after = constraint->id;
        if (sim_body_info(sim, constraint->bodies[0], &info)) {
            uint32_t first = info.constraint_first[kind], count = info.constraint_count[kind];
            if (count > 0 && after >= first && after - first < count) {
                after = first + (count - 1);
            }
        }
    }
    return false;
}

static double per_second(const struct sim *sim)
{
    const struct sim_settings *settings = sim_settings_of(sim);
    return (double)settings->tick_rate * settings->substeps;
}

// The greatest tension of a triangle in any direction, from those along its yarns and of its shear.
static double tension_of(const double tension[3])
{
    const double mean = 0.5 * (tension[0] + tension[1]), apart = 0.5 * (tension[0] - tension[1]);
    return mean + sqrt(apart * apart + tension[2] * tension[2]);
}

// Returns lambda / h², or its length for a vector constraint. Of a triangle it is the greatest tension.
static double force_of(const struct sim *sim, const struct sim_constraint *constraint)
{
    double inv_h = per_second(sim);
    const double *lambda = constraint->multiplier;
    if (constraint->kind == SIM_ORTHOTROPIC) {
        return tension_of(constraint->tension) * inv_h * inv_h;
    }
    if (sim_multiplier_size(constraint->kind) == 3) {
        return sqrt(lambda[0] * lambda[0] + lambda[1] * lambda[1] + lambda[2] * lambda[2]) * inv_h * inv_h;
    }
    return lambda[0] * inv_h * inv_h;
}

// Arrays of a page that only joins have.
struct join_page {
    double *weights, *rest_end, *seconds, *force_limit; // weights: SIM_STENCIL_MAX each
    uint32_t *parted, parted_count;
};

static bool join_page_init(struct world_call *call, uint32_t room, struct join_page *page)
{
    *page = (struct join_page){
        .weights = world_call_alloc(call, room, SIM_STENCIL_MAX * sizeof *page->weights),
        .rest_end = world_call_alloc(call, room, sizeof *page->rest_end),
        .seconds = world_call_alloc(call, room, sizeof *page->seconds),
        .force_limit = world_call_alloc(call, room, sizeof *page->force_limit),
        .parted = world_call_alloc(call, room, sizeof *page->parted),
    };
    return page->weights && page->rest_end && page->seconds && page->force_limit && page->parted;
}

static void join_page_put(struct join_page *page, size_t at, const struct sim_constraint *constraint)
{
    memcpy(page->weights + at * SIM_STENCIL_MAX, constraint->weights, sizeof constraint->weights);
    page->rest_end[at] = constraint->rest_end;
    page->seconds[at] = constraint->seconds;
    page->force_limit[at] = constraint->force_limit;
    if (constraint->parted) {
        page->parted[page->parted_count++] = constraint->id;
    }
}

static void join_page_tell(const struct join_page *page, uint32_t count,
                           struct protocol_constraint_list_result *result)
{
    if (!page->weights) {
        result->has &= ~(uint64_t)(PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_WEIGHTS |
                                   PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_REST_END |
                                   PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_SECONDS |
                                   PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FORCE_LIMIT |
                                   PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_PARTED);
        return;
    }
    result->weights = (struct protocol_array){PROTOCOL_ARRAY_F64, count * SIM_STENCIL_MAX, page->weights};
    result->rest_end = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->rest_end};
    result->seconds = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->seconds};
    result->force_limit = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->force_limit};
    result->parted = (struct protocol_array){PROTOCOL_ARRAY_U32, page->parted_count, page->parted};
}

// Arrays of a page that only slides have.
struct slide_page {
    double *ratio, *friction, *side, *end_forces;
};

static bool slide_page_init(struct world_call *call, uint32_t room, struct slide_page *page)
{
    *page = (struct slide_page){
        .ratio = world_call_alloc(call, room, sizeof *page->ratio),
        .friction = world_call_alloc(call, room, sizeof *page->friction),
        .side = world_call_alloc(call, room, sizeof *page->side),
        .end_forces = world_call_alloc(call, room, sizeof *page->end_forces),
    };
    return page->ratio && page->friction && page->side && page->end_forces;
}

static void slide_page_put(struct slide_page *page, size_t at, const struct sim_constraint *constraint)
{
    page->ratio[at] = constraint->ratio;
    page->friction[at] = constraint->friction;
    page->side[at] = constraint->side;
}

static void slide_page_tell(const struct slide_page *page, uint32_t count, bool forces,
                            struct protocol_constraint_list_result *result)
{
    if (!page->ratio) {
        result->has &= ~(uint64_t)(PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_RATIO |
                                   PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FRICTION |
                                   PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_SIDE |
                                   PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_END_FORCES);
        return;
    }
    result->ratio = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->ratio};
    result->friction = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->friction};
    result->side = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->side};
    result->end_forces = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->end_forces};
    if (!forces) {
        result->has &= ~(uint64_t)PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_END_FORCES;
    }
}

// Arrays of a page that only orthotropic constraints have: three, three and four for each.
struct weave_page {
    double *strains, *tensions, *gradients;
};

static bool weave_page_init(struct world_call *call, uint32_t room, struct weave_page *page)
{
    *page = (struct weave_page){
        .strains = world_call_alloc(call, room, 3 * sizeof *page->strains),
        .tensions = world_call_alloc(call, room, 3 * sizeof *page->tensions),
        .gradients = world_call_alloc(call, room, 4 * sizeof *page->gradients),
    };
    return page->strains && page->tensions && page->gradients;
}

static void weave_page_put(struct weave_page *page, size_t at, const struct sim_constraint *constraint)
{
    memcpy(page->strains + 3 * at, constraint->strain, sizeof constraint->strain);
    memcpy(page->gradients + 4 * at, constraint->gradients, sizeof constraint->gradients);
}

static void weave_page_tell(const struct weave_page *page, uint32_t count, bool forces,
                            struct protocol_constraint_list_result *result)
{
    if (!page->strains || !forces) {
        result->has &= ~(uint64_t)PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_TENSIONS;
    }
    if (!page->strains) {
        result->has &= ~(uint64_t)(PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_STRAINS |
                                   PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_GRADIENTS);
        return;
    }
    result->strains = (struct protocol_array){PROTOCOL_ARRAY_F64, 3 * count, page->strains};
    result->tensions = (struct protocol_array){PROTOCOL_ARRAY_F64, 3 * count, page->tensions};
    result->gradients = (struct protocol_array){PROTOCOL_ARRAY_F64, 4 * count, page->gradients};
}

// Arrays of a page that only joints have: six, eight and two for each, one of the others.
struct joint_page {
    double *anchors, *frames, *limits, *weights, *turn_compliance, *target, *most, *compliance, *places,
        *force_limit;
    uint32_t *models, *motors, *parted, parted_count;
};

static bool joint_page_init(struct world_call *call, uint32_t room, struct joint_page *page)
{
    struct {
        double **of;
        uint32_t each;
    } arrays[] = {{&page->anchors, 6},    {&page->frames, 8},          {&page->limits, 2},
                  {&page->weights, 4},    {&page->turn_compliance, 1}, {&page->target, 1},
                  {&page->most, 1},       {&page->compliance, 1},      {&page->places, 1},
                  {&page->force_limit, 1}};
    bool good = true;
    for (size_t i = 0; good && i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i].of = world_call_alloc(call, room, arrays[i].each * sizeof **arrays[i].of);
        good = *arrays[i].of != NULL;
    }
    page->models = good ? world_call_alloc(call, room, sizeof *page->models) : NULL;
    page->motors = good ? world_call_alloc(call, room, sizeof *page->motors) : NULL;
    page->parted = good ? world_call_alloc(call, room, sizeof *page->parted) : NULL;
    page->parted_count = 0;
    return page->models && page->motors && page->parted;
}

static void joint_page_put(struct joint_page *page, size_t at, const struct sim_constraint *constraint)
{
    const struct sim_joint_told *joint = &constraint->joint;
    memcpy(page->anchors + 6 * at, joint->anchors, sizeof joint->anchors);
    memcpy(page->frames + 8 * at, joint->frames, sizeof joint->frames);
    memcpy(page->limits + 2 * at, joint->limits, sizeof joint->limits);
    memcpy(page->weights + 4 * at, constraint->weights, 4 * sizeof *constraint->weights);
    page->turn_compliance[at] = joint->turn_compliance;
    page->target[at] = joint->motor_target;
    page->most[at] = joint->motor_most;
    page->compliance[at] = joint->motor_compliance;
    page->force_limit[at] = constraint->force_limit;
    page->models[at] = (uint32_t)joint->model;
    page->motors[at] = (uint32_t)joint->motor;
    page->places[at] =
        joint->model == SIM_JOINT_HINGE ? atan2(joint->angle[1], joint->angle[0]) : joint->place;
    if (constraint->parted) {
        page->parted[page->parted_count++] = constraint->id;
    }
}

// Nothing is told of other kinds.
static void joint_page_tell(const struct joint_page *page, uint32_t count,
                            struct protocol_constraint_list_result *result)
{
#define TOLD(NAME) PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_##NAME
    static const uint64_t own = TOLD(JOINTS) | TOLD(JOINT_ANCHORS) | TOLD(JOINT_FRAMES) | TOLD(LIMITS) |
                                TOLD(TURN_COMPLIANCE) | TOLD(MOTORS) | TOLD(MOTOR_TARGET) | TOLD(MOTOR_MOST) |
                                TOLD(MOTOR_COMPLIANCE) | TOLD(PLACES);
    if (!page->models) {
        result->has &= ~own;
        return;
    }
    result->has |= own | TOLD(WEIGHTS) | TOLD(FORCE_LIMIT) | TOLD(PARTED);
#undef TOLD
    result->joints = (struct protocol_array){PROTOCOL_ARRAY_U32, count, page->models};
    result->motors = (struct protocol_array){PROTOCOL_ARRAY_U32, count, page->motors};
    result->parted = (struct protocol_array){PROTOCOL_ARRAY_U32, page->parted_count, page->parted};
    result->joint_anchors = (struct protocol_array){PROTOCOL_ARRAY_F64, 6 * count, page->anchors};
    result->joint_frames = (struct protocol_array){PROTOCOL_ARRAY_F64, 8 * count, page->frames};
    result->limits = (struct protocol_array){PROTOCOL_ARRAY_F64, 2 * count, page->limits};
    result->weights = (struct protocol_array){PROTOCOL_ARRAY_F64, 4 * count, page->weights};
    result->turn_compliance = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->turn_compliance};
    result->motor_target = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->target};
    result->motor_most = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->most};
    result->motor_compliance = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->compliance};
    result->places = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->places};
    result->force_limit = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->force_limit};
}

// One page: `room` constraints at most, as arrays that lie side by side.
struct page {
    enum sim_kind kind;
    uint32_t stencil, room, count, next;
    uint32_t *ids, *bodies, *particles, *asked; // asked: bodies of the page, some of them more than once
    double *rest, *compliance, *damping, *stiffness, *forces, *long_forces;
    struct join_page joins;   // of joins
    struct slide_page slides; // of slides
    double *along, *rubbing;  // of rings on rails; rubbing: their friction
    struct weave_page weaves; // of orthotropic ones
    struct joint_page jointed;
};

static bool page_init(struct world_call *call, struct page *page)
{
    const struct protocol_constraint_list_params *params = call->params;
    const uint32_t total = sim_constraint_count(call->world->document->sim);
    *page = (struct page){.kind = (enum sim_kind)params->type,
                          .stencil = sim_stencil_size((enum sim_kind)params->type),
                          .room = params->limit < total ? params->limit : total};
    page->ids = world_call_alloc(call, page->room, sizeof *page->ids);
    page->bodies = world_call_alloc(call, page->room, page->stencil * sizeof *page->bodies);
    page->particles = world_call_alloc(call, page->room, page->stencil * sizeof *page->particles);
    page->asked = world_call_alloc(call, page->room, page->stencil * sizeof *page->asked);
    double **const values[] = {&page->rest,      &page->compliance, &page->damping,
                               &page->stiffness, &page->forces,     &page->long_forces};
    bool good = page->ids && page->bodies && page->particles && page->asked;
    for (size_t i = 0; good && i < sizeof values / sizeof *values; i++) {
        *values[i] = world_call_alloc(call, page->room, sizeof **values[i]);
        good = *values[i] != NULL;
    }
    if (good && page->kind == SIM_SLIDE_RAIL) {
        page->along = world_call_alloc(call, page->room, sizeof *page->along);
        page->rubbing = world_call_alloc(call, page->room, sizeof *page->rubbing);
        good = page->along && page->rubbing;
    }
    return good && (!sim_joins(page->kind) || join_page_init(call, page->room, &page->joins)) &&
           (!sim_slides(page->kind) || slide_page_init(call, page->room, &page->slides)) &&
           (page->kind != SIM_JOINT || joint_page_init(call, page->room, &page->jointed)) &&
           (page->kind != SIM_ORTHOTROPIC || weave_page_init(call, page->room, &page->weaves));
}

static void page_fill(const struct sim *sim, struct page *page, uint32_t body, uint32_t after)
{
    struct sim_constraint constraint;
    bool more = constraint_next_of(sim, page->kind, body, after, &constraint);
    while (more && page->count < page->room) {
        const size_t at = page->count++;
        page->ids[at] = after = constraint.id;
        memcpy(page->bodies + at * page->stencil, constraint.bodies, page->stencil * sizeof *page->bodies);
        memcpy(page->particles + at * page->stencil, constraint.particles,
               page->stencil * sizeof *page->particles);
        page->rest[at] = constraint.rest;
        page->compliance[at] = constraint.material.compliance;
        page->damping[at] = constraint.material.damping;
        page->stiffness[at] = constraint.material.stiffness;
        if (sim_joins(page->kind)) {
            join_page_put(&page->joins, at, &constraint);
        }
        if (sim_slides(page->kind)) {
            slide_page_put(&page->slides, at, &constraint);
        }
        if (page->kind == SIM_JOINT) {
            joint_page_put(&page->jointed, at, &constraint);
        }
        if (page->kind == SIM_SLIDE_RAIL) {
            page->along[at] = constraint.along;
            page->rubbing[at] = constraint.friction;
        }
        if (page->kind == SIM_ORTHOTROPIC) {
            weave_page_put(&page->weaves, at, &constraint);
        }
        more = constraint_next_of(sim, page->kind, body, after, &constraint);
    }
    page->next = more ? after : 0;
}

static void rail_page_tell(const struct page *page, struct protocol_constraint_list_result *result)
{
    if (!page->along) {
        result->has &= ~(uint64_t)PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_ALONG;
        return;
    }
    result->along = (struct protocol_array){PROTOCOL_ARRAY_F64, page->count, page->along};
    result->friction = (struct protocol_array){PROTOCOL_ARRAY_F64, page->count, page->rubbing};
    result->has |= PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FRICTION;
}

// Finds the forces of the last tick in the bodies of the page. They are zero until the next tick if constraints were edited
// since or there was no tick.
static bool forces_fill(struct world_call *call, struct page *page, uint64_t *from, double *wait_ms)
{
    struct world *world = call->world;
    struct sim *sim = world->document->sim;
    const double squared = per_second(sim) * per_second(sim);
    struct sim_forces found;
    struct fault fault;
    uint32_t asked = 0;
    for (size_t i = 0; i < (size_t)page->count * page->stencil; i++) {
        if (asked == 0 || page->asked[asked - 1] != page->bodies[i]) {
            page->asked[asked++] = page->bodies[i];
        }
    }
    if (sim_forces_find(sim, page->asked, asked, page->kind == SIM_DISTANCE, &found, &fault) != FAULT_NONE) {
        return world_refuse_fault(call, &fault);
    }
    *from = world->document->tick + (found.hold ? 0 : 1);
    for (uint32_t i = 0; i < page->count; i++) {
        struct sim_constraint constraint;
        sim_constraint_get(sim, page->ids[i], &constraint);
        page->forces[i] = found.hold ? force_of(sim, &constraint) : 0;
        page->long_forces[i] = constraint.carried * squared;
        if (sim_slides(page->kind)) {
            page->slides.end_forces[i] = found.hold ? constraint.multiplier[1] * squared : 0;
        }
        for (uint32_t t = 0; page->kind == SIM_ORTHOTROPIC && t < 3; t++) {
            page->weaves.tensions[3 * (size_t)i + t] = found.hold ? constraint.tension[t] * squared : 0;
        }
    }
    sim_multipliers_drop(sim);
    *wait_ms = world_costly_charge(call, found.visits * WORLD_PRICE_FORCE);
    return true;
}

void world_apply_constraint_list(struct world_call *call)
{
    const struct world *world = call->world;
    const struct protocol_constraint_list_params *params = call->params;
    struct page page;
    uint32_t body = 0;
    uint64_t forces_from = 0;
    double wait_ms = 0;
    if (((params->has & PROTOCOL_HAS_CONSTRAINT_LIST_PARAMS_BODY) &&
         !world_call_body(call, &params->body, &body)) ||
        !page_init(call, &page)) {
        return;
    }
    page_fill(world->document->sim, &page, body, params->after);
    if (params->forces && !forces_fill(call, &page, &forces_from, &wait_ms)) {
        return;
    }
    const uint32_t corners = page.count * page.stencil;
    struct protocol_constraint_list_result result = {
        .has = PROTOCOL_HAS_ALL,
        .revision = world->document->revision,
        .tick = world->document->tick,
        .constraints = {PROTOCOL_ARRAY_U32, page.count, page.ids},
        .bodies = {PROTOCOL_ARRAY_U32, corners, page.bodies},
        .particles = {PROTOCOL_ARRAY_U32, corners, page.particles},
        .rest = {PROTOCOL_ARRAY_F64, page.count, page.rest},
        .compliance = {PROTOCOL_ARRAY_F64, page.count, page.compliance},
        .damping = {PROTOCOL_ARRAY_F64, page.count, page.damping},
        .stiffness = {PROTOCOL_ARRAY_F64, page.count, page.stiffness},
        .forces = {PROTOCOL_ARRAY_F64, page.count, page.forces},
        .long_forces = {PROTOCOL_ARRAY_F64, page.count, page.long_forces},
        .forces_from = forces_from,
        .wait_ms = wait_ms,
        .next = page.next,
    };
    join_page_tell(&page.joins, page.count, &result);
    joint_page_tell(&page.jointed, page.count, &result);
    slide_page_tell(&page.slides, page.count, params->forces, &result);
    rail_page_tell(&page, &result);
    weave_page_tell(&page.weaves, page.count, params->forces, &result);
    if (!params->forces || page.kind != SIM_DISTANCE || !sim_settings_of(world->document->sim)->long_edges) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_LONG_FORCES;
    }
    if (!params->forces) {
        result.has &= ~(uint64_t)(PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FORCES |
                                  PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FORCES_FROM);
    }
    if (!(wait_ms > 0)) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_WAIT_MS;
    }
    world_answer(call, &result);
}
