// A factor that is made in pieces: as far each time as it is told, to the bits of one that is made at once.
//
// Its nodes are computed in the order of elimination, and each node step by step. So a piece ends within a step of where it
// should. Its work is counted in multiplications, and a number that is moved counts as MOVE of them.

#include "sim/plate/factor.h"

#include <stdlib.h>

enum {
    BLOCK = SIM_PLATE_BLOCK,
    PRODUCT = BLOCK * BLOCK * BLOCK,
    DIVISION = BLOCK * BLOCK * (BLOCK + 1) / 2,
    MOVE = 4
};

struct sim_plate_making {
    struct sim_plate_works works;
    uint32_t node; // under way
    size_t step;   // next one of its front; 0: it is not begun
    uint64_t done, total;
};

static struct sim_plate_front front_of(const struct sim_plate_node *node)
{
    return (struct sim_plate_front){.own = (node->count + BLOCK - 1) / BLOCK,
                                    .below = (node->below_count + BLOCK - 1) / BLOCK};
}

// Multiplications of step `step` of a front (kernels/plate_front.c).
static uint64_t work_of(const struct sim_plate_front *front, uint64_t step)
{
    const uint64_t own = front->own, all = own + front->below;
    if (step < own) {
        return (all - step) * (PRODUCT * step + DIVISION);
    }
    if (step < all) {
        return (step - own + 1) * PRODUCT * own;
    }
    if (step < all + own) {
        const uint64_t n = all + own - step;
        return PRODUCT / 2 * n * (n - 1) + DIVISION * n;
    }
    if (step < all + 2 * own) {
        const uint64_t i = step - all - own;
        return (i + 1) * PRODUCT * (own - i);
    }
    return PRODUCT / 2 * own * (own + 1);
}

// That of gathering a front, and of laying out what became of it.
static uint64_t moves_of(const struct sim_plate_front *front)
{
    return MOVE * (uint64_t)sim_plate_row((size_t)front->own + front->below);
}

static uint64_t work_of_node(const struct sim_plate_front *front)
{
    uint64_t work = 2 * moves_of(front);
    for (size_t step = 0; step < sim_plate_steps(front); step++) {
        work += work_of(front, step);
    }
    return work;
}

void sim_plate_making_end(struct sim_plate *plate)
{
    if (plate->making) {
        sim_plate_works_deinit(&plate->making->works);
        free(plate->making);
        plate->making = NULL;
    }
}

uint64_t sim_plate_making_done(const struct sim_plate *plate, uint64_t *total)
{
    *total = plate->making ? plate->making->total : 0;
    return plate->making ? plate->making->done : 0;
}

bool sim_plate_making_begin(struct sim_plate *plate, const struct sim_kernels *kernels)
{
    const struct sim_plate_range all = {0, plate->node_count};
    sim_plate_making_end(plate);
    plate->made = false;
    plate->making = calloc(1, sizeof *plate->making);
    if (!plate->making || !sim_plate_works_init(&plate->making->works, plate, kernels, NULL, all)) {
        sim_plate_making_end(plate);
        return false;
    }
    for (uint32_t k = 0; k < plate->node_count; k++) {
        const struct sim_plate_front front = front_of(&plate->nodes[k]);
        plate->making->total += work_of_node(&front);
    }
    return true;
}

// The next piece of a node that cannot be cut.
static void go_on(struct sim_plate_making *making)
{
    struct sim_plate_works *works = &making->works;
    const struct sim_plate_front *front = &works->front;
    if (making->step == 0) {
        sim_plate_node_begins(works, making->node);
        making->done += moves_of(front);
        making->step = 1;
    } else if (making->step <= sim_plate_steps(front)) {
        works->definite = works->kernels->plate_front(front, making->step - 1);
        making->done += work_of(front, making->step - 1);
        making->step++;
    } else {
        sim_plate_node_ends(works, making->node);
        making->done += moves_of(front);
        making->step = 0;
        making->node++;
    }
}

bool sim_plate_making_go_on(struct sim_plate *plate, uint32_t part, uint32_t parts)
{
    struct sim_plate_making *making = plate->making;
    struct sim_plate_works *works = &making->works;
    const uint64_t goal = part < parts ? making->total / parts * part : UINT64_MAX;
    while (works->good && works->definite && making->node < plate->node_count && making->done < goal) {
        go_on(making);
    }
    const bool good = works->good, definite = works->definite;
    if (!good || !definite || making->node == plate->node_count) {
        plate->made = good && definite;
        sim_plate_making_end(plate);
    }
    return good;
}
