// Contact of rigid pieces with each other and with colliders.

#include "sim/solve/solve.h"

void sim_rigid_meet(struct sim *sim)
{
    (void)sim;
}

void sim_rigid_bounce(struct sim *sim)
{
    (void)sim;
}
