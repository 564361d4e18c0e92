// Finds pins that move and press what is free. Like colliders they go where they are told, and nothing holds them back.

#include "sim/contact/meet.h"
#include "sim/contact/pierced.h"
#include "sim/contact/slices.h"

#define PRESSED_LOW 0.5f // of the reach of a pair: so near a pin has come

static bool drives(const struct sim *sim, uint32_t row)
{
    const struct sim_row *now = &sim->rows[row], *start = &sim->previous[row];
    return !(now->w > 0) &&
           (now->x[0] != start->x[0] || now->x[1] != start->x[1] || now->x[2] != start->x[2]);
}

static bool pins_move(const struct sim *sim, const struct sim_body *body)
{
    for (uint32_t p = 0; p < body->pin_count; p++) {
        if (drives(sim, body->first_row + body->row_of[body->pins[p].index])) {
            return true;
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

static bool slice_pressed(const struct sim *sim, const struct sim_island *island, int kind, uint32_t slice)
{
    const struct sim_near_list near = sim_slice_near(island, kind, slice);
    const uint32_t *active = sim_slice_active(island, kind, slice);
    bool pressed = false;
    for (uint32_t i = 0; i < island->slices[kind][slice].active && !pressed; i++) {
        pressed = pair_pressed(sim, &near.lanes[active[i] / SIM_LANES].pairs, active[i] % SIM_LANES);
    }
    return pressed;
}

static bool island_pressed(struct sim *sim, struct sim_island *island)
{
    const struct sim_meet *meet = sim->meet;
    bool moves = false, pressed = false;
    for (uint32_t m = island->first; m < island->first + island->count && !moves; m++) {
        moves = pins_move(sim, meet->members[meet->by_island[m]].body);
    }
    if (moves) {
        sim_slices_measure(sim, island);
    }
    for (int kind = 0; kind < SIM_PAIR_KINDS && moves; kind++) {
        for (uint32_t s = 0; s < island->near_slices[kind] && !pressed; s++) {
            pressed = slice_pressed(sim, island, kind, s);
        }
    }
    return pressed;
}

void sim_pressed_by_pins(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        struct sim_island *island = &meet->islands[i];
        island->pressed = island->pressed || island_pressed(sim, island);
    }
}

static bool member_pressed(const struct sim_meet *meet, const struct sim_member *member)
{
    return member->island < meet->island_count && meet->islands[member->island].pressed;
}

bool sim_meet_pressed(const struct sim *sim, const struct sim_body *body)
{
    const struct sim_meet *meet = sim->meet;
    uint32_t first = 0, count = meet->member_count; // the last member that is no later than the body
    for (; body && count > 1;) {
        const uint32_t half = count / 2;
        first += meet->members[first + half].body->id <= body->id ? half : 0;
        count -= half;
    }
    for (uint32_t m = first; m < first + count; m++) {
        if ((!body || meet->members[m].body == body) && member_pressed(meet, &meet->members[m])) {
            return true;
        }
    }
    return false;
}
