// Which bodies fall asleep, and which wake in a tick: sleep.h says when.

#include "sim/solve/sleep.h"

#include "sim/contact/meet.h"
#include "sim/ground/ground.h"

// ---------------------------------------------------------------------------------------------------- waking

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
}

void sim_ties_find(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        sim->bodies[b]->tied = false;
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        const struct sim_store *store = &sim->stores[kind];
        const struct sim_tile *tile = &sim->loose[kind];
        for (uint32_t i = 0; i < tile->order_count; i++) {
            const uint32_t *places = sim_batch_places(store, tile->order[i], 0);
            for (uint32_t p = 0; p < store->stencil * SIM_LANES; p++) {
                struct sim_body *body = sim_body_of_row(sim, places[p] / SIM_ROW_BYTES);
                if (body) {
                    body->tied = true;
                }
            }
        }
    }
}

// Whether something holds or moves one of its particles from outside.
static bool is_handled(const struct sim *sim, const struct sim_body *body)
{
    bool handled = body->tied;
    for (uint32_t g = 0; g < sim->grab_count; g++) {
        handled = handled || sim->grabs[g].body == body->id;
    }
    for (uint32_t d = 0; d < sim->drive_count; d++) {
        handled = handled || sim->drives[d].motion.body == body->id;
    }
    for (uint32_t p = 0; p < body->pin_count && !handled; p++) {
        handled = memcmp(body->pins[p].from, body->pins[p].to, sizeof body->pins[p].from) != 0;
    }
    return handled;
}

void sim_sleep_begin(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        body->was_asleep = body->asleep;
        if (body->asleep && is_handled(sim, body)) {
            sim_wake(body);
        }
    }
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
                sim_shape_reaches(sim, shape, shape->start.position, shape->end.position, body)) {
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

static void still_count(struct sim *sim, struct sim_body *body)
{
    if (is_handled(sim, body) || sim_meet_crosses(sim, body)) {
        body->still = 0;
        return;
    }
    if (body->still == 0 || !is_still(sim, body)) {
        anchors_set(sim, body);
        body->still = 1;
    } else if (body->still <= sim->settings.tick_rate) {
        body->still++;
    }
}

static bool is_ready(const struct sim *sim, const struct sim_body *body)
{
    return body->still > sim->settings.tick_rate;
}

static void fall_asleep(struct sim *sim, struct sim_body *body)
{
    memset(sim->velocities + body->first_row, 0, body->count * sizeof *sim->velocities);
    body->asleep = true;
    sim_box_of(sim, body);
}

// A body that meets others sleeps only with all of its island.
static void island_end(struct sim *sim, uint32_t island)
{
    struct sim_body *body;
    bool ready = true;
    for (uint32_t m = 0; ready && (body = sim_meet_island(sim, island, m)) != NULL; m++) {
        ready = is_ready(sim, body);
    }
    for (uint32_t m = 0; ready && (body = sim_meet_island(sim, island, m)) != NULL; m++) {
        fall_asleep(sim, body);
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
    for (uint32_t island = 0; sim_meet_island(sim, island, 0); island++) {
        island_end(sim, island);
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (!body->asleep && !body->features && is_ready(sim, body)) {
            fall_asleep(sim, body);
        }
    }
}

void sim_sleep_give_back(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        sim->bodies[b]->asleep = sim->bodies[b]->was_asleep;
    }
}
