// Which bodies fall asleep, and which wake in a tick: sleep.h says when.

#include "sim/solve/sleep.h"

#include "sim/contact/meet.h"
#include "sim/ground/ground.h"
#include "sim/motion/motion.h"
#include "sim/tell/hash.h"

// ---------------------------------------------------------------------------------------------------- waking

// Whether no body that loose constraints hold is awake. They sleep and wake together.
static bool ties_sleep(const struct sim *sim)
{
    bool all = true;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        all = all && (!sim->bodies[b]->tied || sim->bodies[b]->asleep);
    }
    return all;
}

static void marks_set(struct sim *sim)
{
    sim->awake_count = 0;
    for (uint32_t c = 0; c < sim->chunk_count; c++) {
        sim->chunks[c].asleep = sim->chunks[c].body->asleep;
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        sim->awake_count += !body->asleep;
        for (int kind = 0; kind < SIM_STORE_COUNT; kind++) {
            for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
                body->tiles[kind][t].asleep = body->asleep;
            }
        }
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        sim->loose[kind].asleep = ties_sleep(sim);
    }
}

// A body that was or is held by loose constraints has to be compared again with what it was: they may be others now.
static void tie_set(struct sim_body *body, bool tied)
{
    if (body->tied || tied) {
        sim_edited(body);
    }
    body->tied = tied;
}

void sim_ties_find(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        tie_set(sim->bodies[b], false);
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        const struct sim_store *store = &sim->stores[kind];
        const struct sim_tile *tile = &sim->loose[kind];
        for (uint32_t i = 0; i < tile->order_count; i++) {
            const uint32_t *places = sim_batch_places(store, tile->order[i], 0);
            for (uint32_t p = 0; p < store->stencil * SIM_LANES; p++) {
                struct sim_body *body = sim_body_of_row(sim, places[p] / SIM_ROW_BYTES);
                if (body) {
                    tie_set(body, true);
                }
            }
        }
    }
}

// Whether something holds or moves one of its particles from outside.
static bool is_handled(const struct sim *sim, const struct sim_body *body)
{
    bool handled = body->restless;
    for (uint32_t g = 0; g < sim->grab_count; g++) {
        handled = handled || sim->grabs[g].body == body->id;
    }
    for (uint32_t d = 0; d < sim->drive_count; d++) {
        handled = handled || sim->drives[d].motion.body == body->id;
    }
    for (uint32_t p = 0; p < body->pin_count && !handled; p++) {
        const struct sim_pin *pin = &body->pins[p];
        const struct sim_shape *shape = pin->collider != 0 ? sim_shape_find(sim, pin->collider) : NULL;
        handled = shape ? sim_shape_is_led(shape) : memcmp(pin->from, pin->to, sizeof pin->from) != 0;
    }
    return handled;
}

// Whether its particles are at rest where they were when it fell asleep.
static bool is_in_place(const struct sim *sim, const struct sim_body *body)
{
    bool in_place = true;
    for (uint32_t row = body->first_row; row < body->first_row + body->count && in_place; row++) {
        for (int axis = 0; axis < 3; axis++) {
            in_place = in_place && sim->anchors[row][axis] == sim->rows[row].x[axis] &&
                       sim->velocities[row].v[axis] == 0;
        }
    }
    return in_place;
}

static void inputs_find(const struct sim *sim, struct sim_body *body)
{
    if (!body->inputs_known) {
        body->inputs = sim_inputs_hash(sim, body);
        body->inputs_known = true;
    }
}

// Compares a body with what it was when it began to be still. Between two edits nothing of that changes, so it is enough to look
// after an edit.
static void edits_look(struct sim *sim, struct sim_body *body)
{
    const bool edited = !body->inputs_known;
    bool same = true;
    if (body->asleep || body->still > 1) {
        inputs_find(sim, body);
    }
    if (body->asleep && (edited || !sim->surroundings_known)) {
        sim_box_of(sim, body);
        same = is_in_place(sim, body) && body->mark == sim_surroundings_hash(sim, body);
    } else if (!body->asleep) {
        same = body->still == 1 || body->mark == body->inputs;
    }
    if (!same || (body->asleep && is_handled(sim, body))) {
        sim_wake(body);
    }
}

// A body wakes if not all sleep any more that fell asleep with it.
static void companions_wake(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        uint32_t sleep = 0, island = body->island, companions = body->companions;
        for (uint32_t o = 0; body->asleep && o < sim->body_count; o++) {
            sleep += sim->bodies[o]->asleep && sim->bodies[o]->island == island;
        }
        for (uint32_t o = 0; body->asleep && sleep != companions && o < sim->body_count; o++) {
            struct sim_body *other = sim->bodies[o];
            if (other != body && other->asleep && other->island == island) {
                sim_wake(other);
            }
        }
        if (body->asleep && sleep != companions) {
            sim_wake(sim->bodies[b]);
        }
    }
}

// Bodies that loose constraints hold wake if one of them is awake. Returns whether any did.
static bool ties_wake(struct sim *sim)
{
    const bool wake = !ties_sleep(sim);
    bool any = false;
    for (uint32_t b = 0; wake && b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (body->tied && body->asleep) {
            sim_wake(body);
            any = true;
        }
    }
    return any;
}

void sim_sleep_begin(struct sim *sim)
{
    bool any = !sim->surroundings_known;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        body->was_asleep = body->asleep;
        body->was_still = body->still;
        if (!sim->settings.sleep) {
            sim_wake(body);
        } else if (body->asleep || body->still > 0) {
            edits_look(sim, body);
        }
        any = any || body->asleep != body->was_asleep;
    }
    if (any) {
        companions_wake(sim);
    }
    if (ties_wake(sim)) {
        companions_wake(sim);
    }
    sim->surroundings_known = true;
    marks_set(sim);
}

void sim_sleep_substep(struct sim *sim)
{
    if (sim->awake_count == sim->body_count) {
        return;
    }
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        const struct sim_shape *shape = &sim->shapes[s];
        for (uint32_t b = 0; b < sim->body_count && (shape->moves || shape->turns); b++) {
            struct sim_body *body = sim->bodies[b];
            if (body->asleep &&
                (sim_shape_reaches(sim, shape, shape->start.position, shape->end.position, body) ||
                 sim_pins_follow(body, shape->id))) {
                sim_meet_wake(sim, body);
            }
        }
    }
}

// --------------------------------------------------------------------------------------------------- sleeping

static void anchors_set(struct sim *sim, const struct sim_body *body)
{
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        memcpy(sim->anchors[row], sim->rows[row].x, sizeof sim->anchors[row]);
    }
}

static bool is_still(const struct sim *sim, const struct sim_body *body)
{
    const int32_t most = (int32_t)(SIM_STILL_LENGTH * sim->inv_q);
    bool still = true;
    for (uint32_t row = body->first_row; row < body->first_row + body->count && still; row++) {
        for (int axis = 0; axis < 3; axis++) {
            int32_t way = sim_wrap_sub(sim->rows[row].x[axis], sim->anchors[row][axis]);
            still = still && way <= most && way >= -most;
        }
    }
    return still;
}

// Whether a collider that some pin follows moved in the last substep, however slowly.
static bool is_carried(const struct sim *sim, const struct sim_body *body)
{
    bool carried = false;
    for (uint32_t s = 0; s < sim->shape_count && !carried; s++) {
        const struct sim_shape *shape = &sim->shapes[s];
        carried = (shape->moves || shape->turns) && sim_pins_follow(body, shape->id);
    }
    return carried;
}

static void still_count(struct sim *sim, struct sim_body *body)
{
    if (is_handled(sim, body) || is_carried(sim, body) || sim_meet_crosses(sim, body)) {
        body->still = 0;
        return;
    }
    if (body->still == 0 || !is_still(sim, body)) {
        anchors_set(sim, body);
        body->mark = 0; // it is hardly worth it while the body moves
        body->still = 1;
    } else if (body->still == 1) {
        inputs_find(sim, body);
        body->mark = body->inputs;
        body->still = 2;
    } else if (body->still <= sim->settings.tick_rate) {
        body->still++;
    }
}

static bool is_ready(const struct sim *sim, const struct sim_body *body)
{
    return body->still > sim->settings.tick_rate;
}

static void fall_asleep(struct sim *sim, struct sim_body *body, uint32_t island, uint32_t companions)
{
    memset(sim->velocities + body->first_row, 0, body->count * sizeof *sim->velocities);
    anchors_set(sim, body);
    body->asleep = true;
    body->still = 0;
    body->island = island;
    body->companions = companions;
    sim_box_of(sim, body);
    body->mark = sim_surroundings_hash(sim, body);
}

// Bodies that sleep only together.
struct group {
    uint32_t count, least; // least id
    bool ready;
};

static void group_add(const struct sim *sim, struct group *group, const struct sim_body *body)
{
    group->count++;
    group->least = body->id < group->least ? body->id : group->least;
    group->ready = group->ready && is_ready(sim, body);
}

static bool island_is_tied(const struct sim *sim, uint32_t island)
{
    const struct sim_body *body;
    bool tied = false;
    for (uint32_t m = 0; (body = sim_meet_island(sim, island, m)); m++) {
        tied = tied || body->tied;
    }
    return tied;
}

static void island_add(const struct sim *sim, struct group *group, uint32_t island)
{
    const struct sim_body *body;
    for (uint32_t m = 0; (body = sim_meet_island(sim, island, m)); m++) {
        group_add(sim, group, body);
    }
}

static void island_fall_asleep(struct sim *sim, const struct group *group, uint32_t island)
{
    struct sim_body *body;
    for (uint32_t m = 0; (body = sim_meet_island(sim, island, m)); m++) {
        fall_asleep(sim, body, group->least, group->count);
    }
}

// All bodies that loose constraints hold sleep only together, with the islands that they are in: the loose constraints of a kind
// are solved as one tile.
static void ties_end(struct sim *sim)
{
    struct group group = {.least = UINT32_MAX, .ready = true};
    const bool islands_known = sim_meet_island(sim, 0, 0);
    for (uint32_t island = 0; sim_meet_island(sim, island, 0); island++) {
        if (island_is_tied(sim, island)) {
            island_add(sim, &group, island);
        }
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        if (body->tied && !body->features) {
            group_add(sim, &group, body);
        } else if (body->tied) {
            group.ready = group.ready && islands_known;
        }
    }
    for (uint32_t island = 0; group.ready && sim_meet_island(sim, island, 0); island++) {
        if (island_is_tied(sim, island)) {
            island_fall_asleep(sim, &group, island);
        }
    }
    for (uint32_t b = 0; group.ready && b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (body->tied && !body->features) {
            fall_asleep(sim, body, group.least, group.count);
        }
    }
}

// A body that meets others sleeps only with all of its island.
static void islands_end(struct sim *sim)
{
    for (uint32_t island = 0; sim_meet_island(sim, island, 0); island++) {
        struct group group = {.least = UINT32_MAX, .ready = true};
        if (!island_is_tied(sim, island)) {
            island_add(sim, &group, island);
            if (group.ready) {
                island_fall_asleep(sim, &group, island);
            }
        }
    }
}

void sim_sleep_end(struct sim *sim)
{
    if (!sim->settings.sleep) {
        return;
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (!body->asleep) {
            still_count(sim, body);
        }
    }
    if (!ties_sleep(sim)) {
        ties_end(sim);
    }
    islands_end(sim);
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (!body->asleep && !body->features && !body->tied && is_ready(sim, body)) {
            fall_asleep(sim, body, body->id, 1);
        }
    }
}

void sim_sleep_give_back(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        sim->bodies[b]->asleep = sim->bodies[b]->was_asleep;
        sim->bodies[b]->still = sim->bodies[b]->was_still;
    }
    sim_edited_all(sim); // what made them wake is to be seen again
}
