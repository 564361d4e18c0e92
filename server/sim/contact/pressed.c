// Finds pins that move and press what is free. Like colliders they go where they are told, and nothing holds them back.

#include "sim/contact/meet.h"
#include "sim/contact/pierced.h"

#define PRESSED_LOW 0.5f // of the reach of a pair: so near a pin has come

static bool drives(const struct sim *sim, uint32_t row)
{
    const struct sim_row *now = &sim->rows[row], *start = &sim->previous[row];
    return !(now->w > 0) &&
           (now->x[0] != start->x[0] || now->x[1] != start->x[1] || now->x[2] != start->x[2]);
}

static bool pins_move(const struct sim *sim)
{
    for (uint32_t m = 0; m < sim->meet->member_count; m++) {
        const struct sim_body *body = sim->meet->members[m].body;
        for (uint32_t p = 0; p < body->pin_count; p++) {
            if (drives(sim, body->first_row + body->row_of[body->pins[p].index])) {
                return true;
            }
        }
    }
    return false;
}

static bool pair_pressed(const struct sim *sim, const struct sim_pair_lanes *lanes, uint32_t lane)
{
    if (!(lanes->low[lane] < PRESSED_LOW * lanes->reach[lane])) {
        return false;
    }
    bool any = false, gives = false;
    for (int k = 0; k < 4; k++) {
        uint32_t row = lanes->at[k][lane] / SIM_ROW_BYTES;
        any |= drives(sim, row);
        gives |= sim->rows[row].w > 0;
    }
    return any && gives;
}

void sim_pressed_by_pins(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    if (meet->pressed || !pins_move(sim)) {
        return;
    }
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        struct sim_near_list *near = &meet->near[kind];
        uint32_t batches = (near->count + SIM_LANES - 1) / SIM_LANES;
        uint32_t count = meet->kernels->measure[kind](sim->rows, near, 0, batches, meet->active[kind]);
        for (uint32_t i = 0; i < count && !meet->pressed; i++) {
            uint32_t pair = meet->active[kind][i];
            meet->pressed = pair_pressed(sim, &near->lanes[pair / SIM_LANES].pairs, pair % SIM_LANES);
        }
    }
}
