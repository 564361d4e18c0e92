// How much a tick does, before it is begun: nobody can use a world while one runs.
//
//     work = substeps (particles + iterations (constraints + grabs + soft pins + particles colliders))
//
// where a convex collider counts as one more for each HULL_FACES faces that its hull has, since all are looked at, and a height
// field as one more for each FIELD_CELLS cells, up to as many as a search may look at.
//
// With long edges a distance of a cloth or rope counts LONG_SWEEPS times (there are about half as many long edges, and tiles are
// swept up to four times more), and a particle of one as TETHERS more in each iteration.
//
// In a world with calm bodies edges, long ones included, count twice.
//
// With solved bending a particle of a body with quadratic bending counts SOLVES more in each substep: two passes over about 100
// numbers of a factor.
//
// With solved loads each of the n particles of a cloth or rope that is small enough counts BEARS sqrt(n) more in each substep: a
// substep makes some 20 factors, if the body touches something heavy.
//
// A piece of a rigid body counts TURNS more in each substep, in which it turns, and FACE more for each triangle that its hull has.
// Each part of a compound counts as PART triangles, and its hull as of a piece.
//
// A particle of a body with pressure inside counts RING more in each iteration: its ring of neighbours is gone through.
//
// A particle of a rod whose chains are solved directly counts DIRECT more in each iteration: a node of a chain takes 24 times as long as a
// segment and a joint that are swept.
//
// In each substep a field of force visits each particle once, or once a tick if it moves the air.
//
// Shape matching counts, in each iteration, a particle as LIE more, and its place in each of its regions as GOAL more.
//
// In gusty wind the air at each particle is found once a tick, as AIR visits.
//
// Every term is a visit: of a particle by a pass, of a constraint by the solver, of a particle by a collider. They cost
// between one and some tens of nanoseconds, so a bound on their number bounds the time of a tick.
#include "sim/ground/ground.h"
#include "sim/state/rod.h"

#include <inttypes.h>

enum {
    HULL_FACES = 8,
    FIELD_CELLS = 4,
    FIELD_CELLS_MAX = 256,
    LONG_SWEEPS = 6,
    TETHERS = 3,
    SOLVES = 8,
    BEARS = 100,
    TURNS = 16,
    FACE = 2,
    PART = 8,
    RING = 4,
    DIRECT = 46,
    AIR = 6,
    LIE = 4,
    GOAL = 2
};

static uint64_t faces_of(const struct sim_hull *hull)
{
    return hull ? hull->face_count : 0;
}

uint32_t sim_shape_visits(const struct sim_shape *shape)
{
    uint32_t faces = shape->hull ? shape->hull->face_count : 0, cells = 0;
    if (shape->field) {
        cells = (shape->field->columns - 1) * (shape->field->rows - 1);
        cells = cells < FIELD_CELLS_MAX ? cells : FIELD_CELLS_MAX;
    }
    return 1 + faces / HULL_FACES + cells / FIELD_CELLS;
}

static uint64_t visits_of(const struct sim *sim)
{
    uint64_t visits = 0;
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        visits += sim_shape_visits(&sim->shapes[s]);
    }
    return visits;
}

enum fault_code sim_shape_work_check(const struct sim *sim, const struct sim_shape *from,
                                     const struct sim_shape *to, struct fault *fault)
{
    uint32_t before = from ? sim_shape_visits(from) : 0, after = sim_shape_visits(to);
    const struct sim_more more = {.colliders = after - before};
    return after <= before ? FAULT_NONE : sim_work_check(sim, NULL, &sim->settings, &more, fault);
}

uint64_t sim_match_visits(const struct sim_body *body, const struct sim_match *match)
{
    return match ? LIE * (uint64_t)body->count + GOAL * match->place_count : 0;
}

// The root of a number, rounded up.
static uint64_t root_of(uint32_t number)
{
    uint64_t root = 0;
    while (root * root < number) {
        root++;
    }
    return root;
}

// Adds what a body brings beside its particles and constraints.
static void add_body(const struct sim_settings *settings, const struct sim_body *body, uint64_t *sweep,
                     uint64_t *solves)
{
    const uint64_t ways = settings->calm ? 2 : 1;
    *sweep += (ways - 1) * (uint64_t)body->live_count[SIM_DISTANCE];
    if (settings->long_edges && (body->kind == SIM_CLOTH || body->kind == SIM_ROPE)) {
        *sweep += ways * ((LONG_SWEEPS - 1) * (uint64_t)body->live_count[SIM_DISTANCE] +
                          TETHERS * (uint64_t)body->count);
    }
    if (body->pressure.model != SIM_PRESSURE_NONE) {
        *sweep += RING * (uint64_t)body->count;
    }
    if (body->rod && body->rod->given.direct) {
        *sweep += DIRECT * (uint64_t)body->count;
    }
    *sweep += sim_match_visits(body, body->match);
    for (uint32_t p = 0; p < body->pin_count; p++) {
        *sweep += sim_pin_is_soft(&body->pins[p]);
    }
    if (settings->bending_solved && body->live_count[SIM_QUADRATIC] > 0) {
        *solves += SOLVES * (uint64_t)body->count;
    }
    if (settings->loads_solved && (body->kind == SIM_CLOTH || body->kind == SIM_ROPE) &&
        body->live_count[SIM_DISTANCE] > 0 && body->count <= SIM_LOADS_PARTICLES_MAX) {
        *solves += BEARS * body->count * root_of(body->count);
    }
    if (body->rigid) {
        const struct sim_rigid_compound *compound = body->rigid->compound;
        uint64_t faces = faces_of(body->rigid->hull);
        for (uint32_t i = 0; compound && i < compound->count; i++) {
            faces += PART + faces_of(compound->placed[i].hull);
        }
        *solves += (TURNS + FACE * faces) * (uint64_t)body->count;
    }
}

enum fault_code sim_work_check(const struct sim *sim, const char *field, const struct sim_settings *settings,
                               const struct sim_more *more, struct fault *fault)
{
    uint64_t particles = (uint64_t)sim->particle_count + more->particles;
    uint64_t constraints = (uint64_t)sim->constraint_count + more->constraints;
    uint64_t sweep =
        constraints + sim->grab_count + more->grabs + particles * (visits_of(sim) + more->colliders);
    uint64_t solves = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        add_body(settings, sim->bodies[b], &sweep, &solves);
    }
    if (more->body) {
        add_body(settings, more->body, &sweep, &solves);
    }
    sweep +=
        ((settings->calm ? 2 : 1) * (settings->long_edges ? LONG_SWEEPS : 1) - 1) * (uint64_t)more->edges;
    sweep += RING * more->pressed + more->matched;
    uint64_t work = settings->substeps * (particles + solves + settings->iterations * sweep);
    for (uint32_t f = 0; f < settings->forces.count; f++) {
        work += (sim_force_blows(&settings->forces.items[f]) ? 1 : settings->substeps) * particles;
    }
    work += sim_wind_gusts(&settings->wind) ? AIR * particles : 0;
    if (sim->limits.work == 0 || work <= sim->limits.work) {
        return FAULT_NONE;
    }
    return fault_code_set(fault, FAULT_LIMIT, field,
                          "a tick of %u substeps of %u iterations would visit particles, constraints and "
                          "colliders %" PRIu64 " times; at most %" PRIu64 " (limit tick_work)%s",
                          settings->substeps, settings->iterations, work, sim->limits.work,
                          settings->loads_solved ? "; it would be fewer with swept loads"
                          : settings->long_edges || settings->bending_solved || settings->calm
                              ? "; it would be fewer without long_edges or calm, or with swept bending"
                              : "");
}
