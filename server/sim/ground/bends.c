// When a new factor of solved bending is attached (plate/plate.h).
//
// An edit that changes few rows of a factor is done in the next tick. Past SIM_BEND_ROWS rows the work would stall that
// tick. So it is spread over a number of ticks that the number of particles decides, and bending is swept until the last of
// them has ended. An edit decides this once, by what is state already. So all that replay the edit agree, whatever they had
// computed before.

#include "sim/ground/ground.h"

// The factor of a body with fewer particles is made within one tick.
enum { SPREAD_MIN = 4400 };

uint32_t sim_bend_ticks(uint32_t count)
{
    uint32_t tenth = 0;
    if (count < SPREAD_MIN) {
        return 0;
    }
    while ((uint64_t)tenth * tenth * 100 < count) {
        tenth++;
    }
    return tenth;
}

void sim_bend_edited(const struct sim *sim, struct sim_body *body, uint32_t rows)
{
    const uint32_t ticks = sim_bend_ticks(body->count), due = body->bend_due;
    if (!sim->settings.bending_solved || body->live_count[SIM_QUADRATIC] == 0 || ticks == 0 || rows == 0 ||
        due == SIM_BEND_FRESH) {
        return;
    }
    if (due <= SIM_BEND_ROWS && rows <= SIM_BEND_ROWS - due) {
        body->bend_due += rows;
    } else {
        body->bend_due = SIM_BEND_FRESH + ticks;
    }
}

void sim_bend_edited_all(const struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (!sim->settings.bending_solved && sim_bend_waits(body)) {
            body->bend_due = 0;
        }
        sim_bend_edited(sim, body, UINT32_MAX);
    }
}

void sim_bends_end(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        body->bend_due = body->bend_due > SIM_BEND_FRESH + 1 ? body->bend_due - 1 : 0;
    }
}
