// Hills that a sheet is dropped on.
#include "scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { SIDE = 64 };

bool bench_hills_add(struct sim *sim, const double middle[3])
{
    static double heights[SIDE * SIDE];
    const double spacing = 0.02;
    struct fault fault = {0};
    uint32_t id;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        double x = spacing * (i % SIDE), z = spacing * (i / SIDE);
        heights[i] = 0.03 * sin(25 * x) * cos(20 * z + 1) + 0.02 * sin(9 * x - 4 * z);
    }
    const struct sim_collider hills = {.kind = SIM_HEIGHT_FIELD,
                                       .position = {middle[0], middle[1], middle[2]},
                                       .rotation = {0, 0, 0, 1},
                                       .heights = heights,
                                       .height_count = SIDE * SIDE,
                                       .columns = SIDE,
                                       .spacing = spacing,
                                       .friction = 0.5};
    if (sim_collider_add(sim, &hills, &id, &fault) != FAULT_NONE) {
        fprintf(stderr, "weft-bench: hills were refused: %s\n", fault.text);
        return false;
    }
    return true;
}
