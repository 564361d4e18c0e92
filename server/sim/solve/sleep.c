// Which bodies fall asleep, and which wake in a tick: sleep.h says when.

#include "sim/solve/sleep.h"

#include "sim/contact/features.h"
#include "sim/contact/meet.h"
#include "sim/contact/pieces.h"
#include "sim/ground/ground.h"
#include "sim/motion/motion.h"
#include "sim/rigid/touching.h"
#include "sim/solve/air.h"
#include "sim/solve/push.h"
#include "sim/store/store.h"
#include "sim/tell/hash.h"

// ---------------------------------------------------------------------------------------------------------- ties

static struct sim_body *tie_root(const struct sim *sim, struct sim_body *body)
{
    while (body->tie != body->id) {
        body = sim_body_find(sim, body->tie);
    }
    return body;
}

// A body that was or is held by loose constraints has to be compared again with what it was: they may be others now.
static void tie_begin(struct sim_body *body)
{
    if (body->tie == 0) {
        sim_edited(body);
        body->tie = body->id;
    }
}

static void tie_join(const struct sim *sim, struct sim_body *a, struct sim_body *b)
{
    a = tie_root(sim, a);
    b = tie_root(sim, b);
    const uint32_t least = a->id < b->id ? a->id : b->id;
    a->tie = b->tie = least;
}

static void ties_of_batch(const struct sim *sim, const struct sim_store *store, uint32_t batch)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        struct sim_body *first = NULL;
        for (uint32_t corner = 0; corner < store->stencil; corner++) {
            struct sim_body *body =
                sim_body_of_row(sim, sim_batch_places(store, batch, corner)[lane] / SIM_ROW_BYTES);
            if (body) {
                tie_begin(body);
                first = first ? first : body;
                tie_join(sim, first, body);
            }
        }
    }
}

bool sim_ties_find(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        if (sim->bodies[b]->tie != 0) {
            sim_edited(sim->bodies[b]);
            sim->bodies[b]->tie = 0;
        }
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        const struct sim_tile *tile = &sim->loose[kind];
        for (uint32_t i = 0; i < tile->order_count; i++) {
            ties_of_batch(sim, &sim->stores[kind], tile->order[i]);
        }
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        body->tie = body->tie != 0 ? tie_root(sim, body)->id : 0;
    }
    return sim_sleepers_reserve(sim);
}

// -------------------------------------------------------------------------------------------------------- waking

// Whether something holds or moves one of its particles from outside.
static bool is_handled(const struct sim *sim, const struct sim_body *body)
{
    bool handled = body->restless || (body->turned && !body->rigid) || body->sewn || body->flows ||
                   body->pressure_left > 0 || sim_bend_waits(body) || sim_air_moves(sim, body) ||
                   sim_push_passes(body);
    for (uint32_t g = 0; g < sim->grab_count; g++) {
        handled = handled || sim->grabs[g].body == body->id;
    }
    for (uint32_t d = 0; d < sim->drive_count; d++) {
        handled = handled || sim->drives[d].motion.body == body->id;
    }
    for (uint32_t p = 0; p < body->pin_count && !handled; p++) {
        const struct sim_pin *pin = &body->pins[p];
        const struct sim_shape *shape = pin->collider != 0 ? sim_shape_find(sim, pin->collider) : NULL;
        handled = shape ? sim_shape_is_led(shape)
                        : pin->left > 0 || memcmp(pin->from, pin->to, sizeof pin->from) != 0;
    }
    return handled;
}

// Whether its particles are at rest where they were when it fell asleep.
static bool is_in_place(const struct sim *sim, const struct sim_body *body)
{
    bool in_place = true;
    for (uint32_t row = body->first_row; row < body->first_row + sim_nameable(body) && in_place; row++) {
        for (int axis = 0; axis < 3; axis++) {
            in_place = in_place && sim->anchors[row][axis] == sim->rows[row].x[axis] &&
                       sim->velocities[row].v[axis] == 0 && (!body->rigid || sim->spins[row].v[axis] == 0);
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

// Bodies that loose constraints join wake if one of them is awake. Returns whether any did.
static bool ties_wake(struct sim *sim)
{
    bool any = false;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        sim->bodies[b]->tie_mark = false;
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        if (body->tie != 0 && !body->asleep) {
            sim_body_find(sim, body->tie)->tie_mark = true;
        }
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (body->tie != 0 && body->asleep && sim_body_find(sim, body->tie)->tie_mark) {
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
    while (ties_wake(sim)) {
        companions_wake(sim);
    }
    sim->surroundings_known = true;
    sim_rest_mark(sim);
}

void sim_multipliers_clear(struct sim *sim)
{
    if (sim->awake_count < sim->body_count) {
        sim_awake_multipliers_clear(sim);
        return;
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        sim_store_multipliers_clear(&sim->stores[kind]);
    }
}

// Whether a piece that is awake and can move is at the box of a body that it meets.
static bool pieces_reach(const struct sim *sim, const struct sim_body *body)
{
    bool reach = false;
    for (uint32_t i = 0; body->features && i < sim->rigids.count && !reach; i++) {
        const struct sim_rigid *piece = &sim->rigids.items[i];
        reach = !sim_body_of_row(sim, piece->row)->asleep && sim_piece_reaches(sim, piece, body, 0);
    }
    return reach;
}

void sim_sleep_substep(struct sim *sim)
{
    if (sim->awake_count == sim->body_count) {
        return;
    }
    for (uint32_t b = 0; sim->rigids.count > 0 && b < sim->body_count; b++) {
        if (sim->bodies[b]->asleep && pieces_reach(sim, sim->bodies[b])) {
            sim_meet_wake(sim, sim->bodies[b]);
        }
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
    for (uint32_t row = body->first_row; row < body->first_row + sim_nameable(body) && still; row++) {
        for (int axis = 0; axis < 3; axis++) {
            int32_t way = sim_wrap_sub(sim->rows[row].x[axis], sim->anchors[row][axis]);
            still = still && way <= most && way >= -most;
        }
    }
    return still;
}

#define BESIDE 1e-3 // m: more than what is still goes, so that what lies together falls asleep together

// Whether a piece is at a surface that it meets.
static bool lies(const struct sim *sim, const struct sim_body *body, const struct sim_rigid *piece)
{
    bool any = false;
    for (uint32_t b = 0; b < sim->body_count && !any; b++) {
        struct sim_body *other = sim->bodies[b];
        if (other->features && sim_pieces_meet(other, body)) {
            sim_box_of(sim, other);
            any = sim_piece_reaches(sim, piece, other, BESIDE);
        }
    }
    return any;
}

// Whether a piece turns so slowly that the energy of it would not lift the piece as far as a body may go that is still.
static bool turns_weakly(const struct sim *sim, const struct sim_body *body, uint32_t index)
{
    const double *g = sim->settings.gravity;
    const double w = (double)sim->rows[body->first_row + body->row_of[index]].w;
    const double height = sim_rigid_energy(sim, body, index) * w; // times |g|
    return height < SIM_STILL_LENGTH * __builtin_sqrt((g[0] * g[0] + g[1] * g[1]) + g[2] * g[2]);
}

// Whether a piece turns so fast that its surface goes farther in a second than a body may that is still. A surface that is stretched over
// a ball keeps it turning, because its edges are solved in an order. So what lies on one may turn weakly.
static bool spins(const struct sim *sim, const struct sim_body *body)
{
    bool any = false;
    for (uint32_t i = 0; body->rigid && i < body->count && !any; i++) {
        float spin[3];
        sim_rigid_spin(sim, body, i, spin);
        const double reach = sim_rigid_reach(&body->rigid->shape);
        const double spin2 = ((double)spin[0] * (double)spin[0] + (double)spin[1] * (double)spin[1]) +
                             (double)spin[2] * (double)spin[2];
        any = spin2 * (reach * reach) > SIM_STILL_LENGTH * SIM_STILL_LENGTH &&
              !(turns_weakly(sim, body, i) && lies(sim, body, &sim->rigids.items[body->rigid->first + i]));
    }
    return any;
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
    if (is_handled(sim, body) || is_carried(sim, body) || spins(sim, body) || sim_meet_crosses(sim, body)) {
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

// Whether a surface that runs is where a body is that has been still, which slips there.
static bool is_driven(const struct sim *sim, struct sim_body *body)
{
    bool driven = false, boxed = false;
    for (uint32_t s = 0; s < sim->shape_count && !driven; s++) {
        if (sim->shapes[s].runs) {
            if (!boxed) {
                sim_box_of(sim, body);
                boxed = true;
            }
            driven = sim_shape_drives(sim, &sim->shapes[s], body);
        }
    }
    return driven;
}

static bool is_ready(const struct sim *sim, struct sim_body *body)
{
    return body->still > sim->settings.tick_rate && !is_driven(sim, body);
}

static void fall_asleep(struct sim *sim, struct sim_body *body, uint32_t island, uint32_t companions)
{
    memset(sim->velocities + body->first_row, 0, body->count * sizeof *sim->velocities);
    for (uint32_t row = body->first_row; body->rigid && row < body->first_row + body->count; row++) {
        memset(sim->spins[row].v, 0, sizeof sim->spins[row].v);
    }
    anchors_set(sim, body);
    body->asleep = true;
    body->still = 0;
    body->island = island;
    body->companions = companions;
    sim_box_of(sim, body);
    body->mark = sim_surroundings_hash(sim, body);
}

// --------------------------------------------------------------------------------------------------------- groups

// The body with the least id of the group, which holds what is known of it.
static struct sim_body *group_root(const struct sim *sim, struct sim_body *body)
{
    while (sim->bodies[body->group] != body) {
        body = sim->bodies[body->group];
    }
    return body;
}

static void group_join(const struct sim *sim, struct sim_body *a, struct sim_body *b)
{
    a = group_root(sim, a);
    b = group_root(sim, b);
    const uint32_t least = a->group < b->group ? a->group : b->group;
    a->group = b->group = least;
}

// Joins the bodies of an island, which sleep only together. A body that meets others and is in no island stays awake.
static void islands_join(struct sim *sim)
{
    for (uint32_t island = 0; sim_meet_island(sim, island, 0); island++) {
        struct sim_body *first = sim_meet_island(sim, island, 0), *body;
        for (uint32_t m = 0; (body = sim_meet_island(sim, island, m)); m++) {
            body->group_ready = is_ready(sim, body);
            group_join(sim, first, body);
        }
    }
}

// Joins bodies of which a piece pushes another one.
static void pieces_join(const struct sim *sim)
{
    const struct sim_touching *touching = sim->rigids.touching;
    for (uint32_t p = 0; sim->rigids.count > 0 && touching && p < touching->pair_count; p++) {
        const struct sim_touch_pair *pair = &touching->pairs[p];
        if (pair->b < sim->rigids.count && sim_touch_pushes(pair)) {
            struct sim_body *a = sim_body_of_row(sim, sim->rigids.items[pair->a].row);
            struct sim_body *b = sim_body_of_row(sim, sim->rigids.items[pair->b].row);
            if (!a->asleep && !b->asleep) {
                group_join(sim, a, b);
            }
        }
    }
}

// Joins surfaces and the bodies of pieces that are at them. Those are all that a piece of a sleeper would be woken by (contact/pieces.c).
static void surfaces_join(struct sim *sim)
{
    for (uint32_t b = 0; sim->rigids.count > 0 && b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (body->asleep || !body->features) {
            continue;
        }
        sim_box_of(sim, body);
        for (uint32_t i = 0; i < sim->rigids.count; i++) {
            const struct sim_rigid *piece = &sim->rigids.items[i];
            struct sim_body *pieces = sim_body_of_row(sim, piece->row);
            const double more = sim_pieces_reach(body, pieces) + BESIDE;
            if (!pieces->asleep && group_root(sim, body) != group_root(sim, pieces) &&
                sim_piece_reaches(sim, piece, body, more)) {
                group_join(sim, body, pieces);
            }
        }
    }
}

// Finds the groups: bodies that contact or loose constraints join, directly or through others.
static void groups_find(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        body->group = b;
        body->group_count = 0;
        body->group_ready = !body->asleep && !body->features && is_ready(sim, body);
    }
    islands_join(sim);
    pieces_join(sim);
    surfaces_join(sim);
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (!body->asleep && body->tie != 0) {
            group_join(sim, body, sim_body_find(sim, body->tie));
        }
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b], *root = group_root(sim, body);
        root->group_count++;
        root->group_ready = root->group_ready && body->group_ready;
    }
}

void sim_sleep_end(struct sim *sim)
{
    bool any = false;
    for (uint32_t b = 0; sim->settings.sleep && b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (!body->asleep) {
            still_count(sim, body);
            any = any || is_ready(sim, body);
        }
    }
    if (!any) {
        return;
    }
    groups_find(sim);
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        const struct sim_body *root = group_root(sim, body);
        if (root->group_ready) {
            fall_asleep(sim, body, root->id, root->group_count);
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
