// How much a tick does, before it is begun: nobody can use a world while one runs.
//
//     work = substeps (particles + iterations (constraints + grabs + particles colliders))
//
// Every term is a visit: of a particle by a pass, of a constraint by the solver, of a particle by a collider. They cost
// between one and some tens of nanoseconds, so a bound on their number bounds the time of a tick.
#include "sim/ground/ground.h"

#include <inttypes.h>

enum sim_status sim_work_check(const struct sim *sim, const char *field, const struct sim_settings *settings,
                               const struct sim_more *more, struct sim_fault *fault)
{
    uint64_t particles = (uint64_t)sim->particle_count + more->particles;
    uint64_t sweep = sim->constraint_count + more->constraints + sim->grab_count + more->grabs +
                     particles * ((uint64_t)sim->shape_count + more->colliders);
    uint64_t work = settings->substeps * (particles + settings->iterations * sweep);
    if (sim->limits.work == 0 || work <= sim->limits.work) {
        return SIM_OK;
    }
    return sim_fault_set(fault, SIM_LIMIT, field,
                         "a tick of %u substeps of %u iterations would visit particles, constraints and "
                         "colliders %" PRIu64 " times; at most %" PRIu64 " (limit tick_work)",
                         settings->substeps, settings->iterations, work, sim->limits.work);
}
