#include "sim/contact/tube.h"

#include <math.h>

static float length(const float v[3])
{
    return sqrtf((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
}

void sim_way_in_frame(const struct sim *sim, const struct sim_island *island, uint32_t row, int32_t way[3])
{
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = sim_wrap_sub(sim_wrap_sub(sim->rows[row].x[axis], sim->previous[row].x[axis]),
                                 island->frame[axis]);
    }
}

int32_t sim_outwards(float v, float slack, int side)
{
    const float most = SIM_MOVE_MAX;
    float at = side == 0 ? v - slack : v + slack;
    if (!(at > -most)) {
        return -SIM_MOVE_MAX;
    }
    if (!(at < most)) {
        return SIM_MOVE_MAX;
    }
    int32_t whole = (int32_t)at;
    return side == 0 ? whole - 1 : whole + 1;
}

// The box that holds the tube for so many substeps.
static void box_put(struct sim_meet *meet, uint32_t row, float steps)
{
    const struct sim_path *path = &meet->paths[row];
    for (int axis = 0; axis < 3; axis++) {
        float end = (float)path->way[axis] * steps;
        meet->boxes[row][0][axis] = sim_outwards(end < 0 ? end : 0, path->slack, 0);
        meet->boxes[row][1][axis] = sim_outwards(end > 0 ? end : 0, path->slack, 1);
        meet->reaches[row].least[axis] = (float)meet->boxes[row][0][axis];
        meet->reaches[row].most[axis] = (float)meet->boxes[row][1][axis];
    }
}

// Comparing tubes also allows for rounding to floats.
static void slack_put(struct sim_meet *meet, uint32_t row, float within)
{
    meet->within[row] = within;
    meet->paths[row].slack = within * (1 + 0x1p-18f) + 2;
}

void sim_tube_make(struct sim *sim, const struct sim_member *member, uint32_t row)
{
    struct sim_meet *meet = sim->meet;
    const struct sim_island *island = &meet->islands[member->island];
    const uint32_t last = sim->settings.substeps;
    const uint32_t left = (island->expires <= last ? island->expires - 1 : last) - sim->substep;
    const float steps = (float)(left + 1), thickness = member->thickness * meet->slack;
    const bool free = sim->rows[row].w > 0, stands = free && island->standing;
    int32_t way[3];
    sim_way_in_frame(sim, island, row, way);
    float path[3], by[3];
    int32_t ways[3], middle[3];
    for (int axis = 0; axis < 3; axis++) {
        const float now = (float)way[axis];
        const float by_velocity = sim->velocities[row].v[axis] * sim->times.h_over_q - island->drift[axis];
        ways[axis] = stands ? 0 : free ? sim_round(0.5f * (by_velocity + now)) : way[axis];
        path[axis] = (float)ways[axis];
        middle[axis] = stands && island->halvings == 0 ? way[axis] / 2 : 0;
        by[axis] = now - path[axis] - (float)middle[axis];
    }
    const float strays = length(by), off = 1.1f * strays, goes = length(path) * steps + off;
    float grown = off + strays * (0.05f * steps * steps);
    grown = grown < goes ? grown : goes;
    grown = grown < 1.2f * thickness ? grown : 1.2f * thickness;
    grown = grown > off ? grown : off;
    const float halved = free ? 1 / (float)(1U << island->halvings) : 1;
    for (int axis = 0; axis < 3; axis++) {
        int32_t from =
            sim_wrap_add(sim_wrap_sub(sim->previous[row].x[axis], island->since[axis]), middle[axis]);
        meet->paths[row].way[axis] = ways[axis];
        meet->detected[row].x[axis] = meet->expected[0][row].x[axis] = from;
        meet->expected[1][row].x[axis] = sim_wrap_add(from, ways[axis]);
    }
    slack_put(meet, row, (0.5f * thickness + grown) * halved);
    box_put(meet, row, steps);
}

// to = from + by, word by word. The fourth word of each row means nothing.
static void words_add(void *to, const void *from, const void *by, size_t count)
{
    uint32_t *restrict sums = to;
    const uint32_t *restrict a = from, *restrict b = by;
    for (size_t i = 0; i < count; i++) {
        sums[i] = a[i] + b[i];
    }
}

void sim_tubes_move(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    struct sim_row *before = meet->expected[0];
    meet->expected[0] = meet->expected[1];
    meet->expected[1] = before;
    for (uint32_t m = 0; m < meet->member_count; m++) {
        const struct sim_body *body = meet->members[m].body;
        words_add(meet->expected[1] + body->first_row, meet->expected[0] + body->first_row,
                  meet->paths + body->first_row, 4 * (size_t)body->count);
    }
}

bool sim_tube_is_left(const struct sim_meet *meet, uint32_t row, const int32_t x[3], const int32_t way[3])
{
    float off[3];
    for (int axis = 0; axis < 3; axis++) {
        off[axis] = (float)sim_wrap_sub(sim_wrap_sub(x[axis], meet->expected[1][row].x[axis]), way[axis]);
    }
    return !(length(off) <= meet->within[row]);
}
