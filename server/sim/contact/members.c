// The bodies that meet others in a tick: members, and sleepers, which become members if they wake.

#include "base/grow.h"
#include "sim/contact/copies.h"
#include "sim/contact/rims.h"
#include "sim/contact/search.h"
#include "sim/contact/truncate.h"
#include "sim/ground/ground.h"

static void weights_look(const struct sim *sim, struct sim_member *member)
{
    const struct sim_body *body = member->body;
    for (uint32_t row = body->first_row; row < body->first_row + sim_nameable(body); row++) {
        bool is_free = sim->rows[row].w > 0;
        member->fixed |= !is_free;
        member->free |= is_free;
    }
}

// Finds where the rows are in the rest shape, and the seed.
static void rest_find(struct sim *sim, struct sim_member *member)
{
    struct sim_meet *meet = sim->meet;
    const struct sim_body *body = member->body;
    for (uint32_t i = 0; i < body->count; i++) {
        uint32_t row = body->first_row + body->row_of[i], bits[3];
        int64_t x[3];
        sim_rest_of(body, i, x);
        for (int axis = 0; axis < 3; axis++) {
            meet->rest[row].x[axis] = (int32_t)(uint32_t)(uint64_t)x[axis];
        }
        meet->rest[row].w = body->features->spans[row - body->first_row];
        memcpy(bits, sim->velocities[row].v, sizeof bits);
        member->seed += bits[0] + bits[1] + bits[2];
    }
}

static void member_init(struct sim *sim, struct sim_member *member, struct sim_body *body)
{
    *member = (struct sim_member){.body = body,
                                  .thickness = (float)(body->thickness * sim->inv_q),
                                  .was = SIM_NO_ISLAND,
                                  .island = SIM_NO_ISLAND};
    sim->meet->torn |= sim_rims_any(body);
    weights_look(sim, member);
    rest_find(sim, member);
}

void sim_meet_begin(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    uint64_t particles = 0;
    sim->meetings = (struct sim_meetings){0};
    if (!meet) {
        return;
    }
    if (BASE_GROW_EMPTIES) {
        sim_meet_spare(meet);
    }
    meet->member_count = meet->sleeper_count = 0;
    meet->torn = false;
    meet->island_count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (!body->features) {
            continue;
        }
        particles += body->features->vertex_count;
        if (body->asleep) {
            meet->sleepers[meet->sleeper_count++] = body;
        } else {
            member_init(sim, &meet->members[meet->member_count++], body);
        }
    }
    memset(meet->stopped, SIM_STOPPED_NOT, meet->row_capacity);
    meet->found = meet->woken = false;
    meet->detecting = SIM_DETECT_NOTHING;
    meet->left_at = SIM_MEET_GOES;
    particles = particles > SIM_MEET_PARTICLES ? particles : SIM_MEET_PARTICLES;
    meet->tests_max = particles * sim->limits.tests;
    meet->tested = 0;
    sim_joined_find(sim, &meet->joined);
    sim_copies_find(sim);
    sim_show_begin(sim);
}

void sim_meet_wake(struct sim *sim, struct sim_body *body)
{
    struct sim_meet *meet = sim->meet;
    sim_wake_within(sim, body);
    if (!meet || (!body->features && body->tie == 0)) {
        return;
    }
    meet->woken = meet->found;
    if (!meet->found) {
        sim_meet_take_woken(sim);
    }
}

void sim_meet_take_woken(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    uint32_t kept = 0;
    for (uint32_t s = 0; s < meet->sleeper_count; s++) {
        struct sim_body *body = meet->sleepers[s];
        if (body->asleep) {
            meet->sleepers[kept++] = body;
            continue;
        }
        uint32_t place = meet->member_count++;
        for (; place > 0 && meet->members[place - 1].body->id > body->id; place--) {
            meet->members[place] = meet->members[place - 1];
        }
        member_init(sim, &meet->members[place], body);
    }
    meet->sleeper_count = kept;
}

struct sim_body *sim_meet_island(const struct sim *sim, uint32_t island, uint32_t index)
{
    const struct sim_meet *meet = sim->meet;
    if (!sim_meet_any(sim) || !meet->found || island >= meet->island_count ||
        index >= meet->islands[island].count) {
        return NULL;
    }
    return meet->members[meet->by_island[meet->islands[island].first + index]].body;
}

bool sim_meet_crosses(const struct sim *sim, const struct sim_body *body)
{
    return sim_meet_any(sim) && body->features &&
           memchr(sim->meet->crossing + body->first_row, 1, body->count);
}
