#include "sim/sim.h"

uint32_t sim_solver_version(void)
{
    return SIM_SOLVER_VERSION;
}
