// A weftd of the next solver version, for tests of servers that share worlds during an upgrade. Its solver is the same: only what it
// says of itself differs, so a test sees which version the server believes a state to be of.
#include "sim/sim.h"

uint32_t sim_solver_version(void)
{
    return SIM_SOLVER_VERSION + 1;
}
