// A still: a sim whose arrays that ticks write are copies, and whose others are those of the sim it was taken of.
//
//     rows     | copied in slices | copied by the chunks' own tasks, before they write |
//              0        velocity_rows, position_rows                                 row_end
//
// A tick reads all velocities when it begins (seed) and writes all positions when it ends (commit): there a chunk's are
// on their way through the caches, and each thread copies its own. Nothing but bodies' particles is copied: rows that
// stand idle are read by nobody.
//
// A caller that wants to see what would come steps the sim itself, and gives it back its old state: all that a tick leaves behind
// is in those copies, or is found again by the next tick.

#include "sim/tell/still.h"
#include "base/assert.h"
#include "base/hash.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"
#include "sim/state/state.h"

#include <stdlib.h>

struct sim_still {
    struct sim sim;
    struct sim *of;                        // that is being copied; NULL: none
    uint32_t velocity_rows, position_rows; // all before them are copied
    struct sim_body *bodies;               // with pins of their own
    struct sim_pin *pins;
    uint32_t pin_count;
    struct sim_load *loads; // of all bodies, one after the other
    uint32_t load_count;
    struct sim_shelf
        *shelves[SIM_KIND_COUNT]; // of kinds whose values ticks change, with batches of their own
    struct sim_chunk *chunks;     // what the last tick left in them, for going back
    void *memory;
};

// ------------------------------------------------------------------------------------------------- memory

enum { ALIGNMENT = 64 };

static size_t part(size_t *end, size_t count, size_t item_size)
{
    size_t start = *end;
    *end += (count * item_size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return start;
}

static uint32_t pins_of(const struct sim *sim)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        count += sim->bodies[b]->pin_count;
    }
    return count;
}

static uint32_t loads_of(const struct sim *sim)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        count += sim->bodies[b]->load_count;
    }
    return count;
}

// Whether ticks change values of constraints of the kind.
static bool changes(const struct sim *sim, int kind)
{
    bool flows = false;
    for (uint32_t b = 0; sim_kind_rows[kind]->flow_count > 0 && b < sim->body_count && !flows; b++) {
        flows = sim->bodies[b]->constraint_count[kind] > 0 && sim_is_plastic(sim->bodies[b]);
    }
    return flows || sim_kind_rows[kind]->written_count > 0;
}

// Lays out the arrays in the memory, if there is one; returns what they take.
static size_t lay_out(struct sim_still *still, const struct sim *sim, uint8_t *memory)
{
    size_t end = 0;
    size_t positions = part(&end, sim->row_end, sizeof *sim->positions);
    size_t velocities = part(&end, sim->row_end, sizeof *sim->velocities);
    size_t anchors = part(&end, sim->anchors ? sim->row_end : 0, sizeof *sim->anchors);
    size_t turns = part(&end, sim->spins ? sim->row_end : 0, sizeof *sim->turns);
    size_t spins = part(&end, sim->spins ? sim->row_end : 0, sizeof *sim->spins);
    size_t joints = part(&end, sim->spins ? sim->row_end : 0, sizeof *sim->joints);
    size_t weights = part(&end, sim->row_end, sizeof *sim->weights);
    size_t pointers = part(&end, sim->body_count, sizeof(struct sim_body *));
    size_t bodies = part(&end, sim->body_count, sizeof *still->bodies);
    size_t pins = part(&end, pins_of(sim), sizeof *still->pins);
    size_t loads = part(&end, loads_of(sim), sizeof *still->loads);
    size_t shapes = part(&end, sim->shape_count, sizeof *sim->shapes);
    size_t drives = part(&end, sim->drive_count, sizeof *sim->drives);
    size_t grabs = part(&end, sim->limits.grabs, sizeof *sim->grabs); // some may begin until it does
    size_t chunks = part(&end, sim->chunk_count, sizeof *sim->chunks);
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        const struct sim_store *store = &sim->stores[kind];
        const bool has = changes(sim, kind);
        size_t shelves = part(&end, has ? store->shelf_count : 0, sizeof *store->shelves);
        for (uint32_t s = 0; has && s < store->shelf_count; s++) {
            size_t words = part(&end, (size_t)store->shelves[s].used * store->words, sizeof(uint32_t));
            if (memory) {
                still->shelves[kind] = (struct sim_shelf *)(void *)(memory + shelves);
                still->shelves[kind][s].batches = (uint32_t *)(void *)(memory + words);
            }
        }
    }
    if (memory) {
        still->sim.positions = (int64_t(*)[3])(void *)(memory + positions);
        still->sim.velocities = (struct sim_velocity *)(void *)(memory + velocities);
        still->sim.anchors = sim->anchors ? (int32_t(*)[3])(void *)(memory + anchors) : NULL;
        still->sim.turns = sim->spins ? (struct sim_turn *)(void *)(memory + turns) : NULL;
        still->sim.spins = sim->spins ? (struct sim_spin *)(void *)(memory + spins) : NULL;
        still->sim.joints = sim->spins ? (struct sim_joint *)(void *)(memory + joints) : NULL;
        still->sim.weights = (float *)(void *)(memory + weights);
        still->sim.bodies = (struct sim_body **)(void *)(memory + pointers);
        still->bodies = (struct sim_body *)(void *)(memory + bodies);
        still->pins = (struct sim_pin *)(void *)(memory + pins);
        still->loads = (struct sim_load *)(void *)(memory + loads);
        still->sim.shapes = (struct sim_shape *)(void *)(memory + shapes);
        still->sim.drives = (struct sim_drive *)(void *)(memory + drives);
        still->sim.grabs = (struct sim_held *)(void *)(memory + grabs);
        still->chunks = (struct sim_chunk *)(void *)(memory + chunks);
    }
    return end;
}

size_t sim_still_bytes(const struct sim *sim)
{
    return lay_out(NULL, sim, NULL) + sizeof(struct sim_still);
}

struct sim_still *sim_still_create(const struct sim *sim)
{
    struct sim_still *still = calloc(1, sizeof *still);
    size_t size = lay_out(NULL, sim, NULL);
    if (!still) {
        return NULL;
    }
    still->memory = aligned_alloc(ALIGNMENT, size > 0 ? size : ALIGNMENT);
    still->sim.hash = base_hash_create();
    if (!still->memory || !still->sim.hash) {
        sim_still_destroy(still);
        return NULL;
    }
    memset(still->memory, 0, size);
    lay_out(still, sim, still->memory);
    still->pin_count = pins_of(sim);
    still->load_count = loads_of(sim);
    return still;
}

void sim_still_destroy(struct sim_still *still)
{
    if (still) {
        sim_still_end(still);
        base_hash_destroy(still->sim.hash);
        free(still->memory);
        free(still);
    }
}

struct sim *sim_still_sim(struct sim_still *still)
{
    return &still->sim;
}

// ------------------------------------------------------------------------------------------------ copying

static void copy_shelves(struct sim_still *still, const struct sim *sim)
{
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        const struct sim_store *store = &sim->stores[kind];
        const bool has = changes(sim, kind);
        for (uint32_t s = 0; has && s < store->shelf_count; s++) {
            uint32_t *words = still->shelves[kind][s].batches;
            const size_t size = store->shelves[s].used * (store->words * sizeof *words);
            still->shelves[kind][s] = store->shelves[s];
            still->shelves[kind][s].batches = words;
            if (size > 0) {
                memcpy(words, store->shelves[s].batches, size);
            }
        }
        if (has) {
            still->sim.stores[kind].shelves = still->shelves[kind];
        }
    }
}

static void give_back_shelves(const struct sim_still *still, struct sim *sim)
{
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        const struct sim_store *store = &sim->stores[kind];
        const bool has = changes(sim, kind);
        for (uint32_t s = 0; has && s < store->shelf_count; s++) {
            const size_t size = store->shelves[s].used * (store->words * sizeof(uint32_t));
            if (size > 0) {
                memcpy(store->shelves[s].batches, still->shelves[kind][s].batches, size);
            }
        }
    }
}

void sim_still_begin(struct sim_still *still, struct sim *sim)
{
    BASE_ASSERT(!sim->under_way && !sim->dropped && !sim->still && !still->of);
    struct sim own = still->sim;
    still->sim = *sim;
    still->sim.hash = own.hash;
    still->sim.positions = own.positions;
    still->sim.velocities = own.velocities;
    still->sim.weights = own.weights;
    still->sim.anchors = own.anchors;
    still->sim.turns = own.turns;
    still->sim.spins = own.spins;
    still->sim.joints = own.joints;
    still->sim.rows = NULL;
    still->sim.bodies = own.bodies;
    still->sim.shapes = own.shapes;
    still->sim.drives = own.drives;
    still->sim.grabs = own.grabs;
    copy_shelves(still, sim);
    struct sim_pin *pins = still->pins;
    struct sim_load *loads = still->loads;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = &still->bodies[b];
        *body = *sim->bodies[b];
        if (body->pin_count > 0) {
            memcpy(pins, body->pins, body->pin_count * sizeof *pins);
        }
        body->pins = pins;
        pins += body->pin_count;
        if (body->load_count > 0) {
            memcpy(loads, body->loads, body->load_count * sizeof *loads);
        }
        body->loads = loads;
        loads += body->load_count;
        own.bodies[b] = body;
    }
    BASE_ASSERT(pins == still->pins + still->pin_count && loads <= still->loads + still->load_count);
    if (sim->shape_count > 0) {
        memcpy(own.shapes, sim->shapes, sim->shape_count * sizeof *own.shapes);
    }
    if (sim->drive_count > 0) {
        memcpy(own.drives, sim->drives, sim->drive_count * sizeof *own.drives);
    }
    if (sim->grab_count > 0) {
        memcpy(own.grabs, sim->grabs, sim->grab_count * sizeof *own.grabs);
    }
    if (sim->chunk_count > 0) {
        memcpy(still->chunks, sim->chunks, sim->chunk_count * sizeof *still->chunks);
    }
    still->velocity_rows = still->position_rows = 0;
    still->of = sim;
    sim->still = still;
}

static void copy_velocities(const struct sim_still *still, uint32_t first, uint32_t end)
{
    memcpy(still->sim.velocities + first, still->of->velocities + first,
           (end - first) * sizeof *still->sim.velocities);
    if (still->sim.spins) {
        memcpy(still->sim.turns + first, still->of->turns + first, (end - first) * sizeof *still->sim.turns);
        memcpy(still->sim.spins + first, still->of->spins + first, (end - first) * sizeof *still->sim.spins);
        memcpy(still->sim.joints + first, still->of->joints + first,
               (end - first) * sizeof *still->sim.joints);
    }
}

static void copy_positions(const struct sim_still *still, uint32_t first, uint32_t end)
{
    memcpy(still->sim.positions + first, still->of->positions + first,
           (end - first) * sizeof *still->sim.positions);
    if (still->sim.anchors) {
        memcpy(still->sim.anchors + first, still->of->anchors + first,
               (end - first) * sizeof *still->sim.anchors);
    }
    for (uint32_t row = first; row < end; row++) {
        still->sim.weights[row] = still->of->rows[row].w;
    }
}

void sim_still_velocities(const struct sim *sim, uint32_t first_row, uint32_t count)
{
    const struct sim_still *still = sim->still;
    uint32_t first = first_row > still->velocity_rows ? first_row : still->velocity_rows;
    if (first < first_row + count) {
        copy_velocities(still, first, first_row + count);
    }
}

void sim_still_positions(const struct sim *sim, uint32_t first_row, uint32_t count)
{
    const struct sim_still *still = sim->still;
    uint32_t first = first_row > still->position_rows ? first_row : still->position_rows;
    if (first < first_row + count) {
        copy_positions(still, first, first_row + count);
    }
}

void sim_still_velocities_done(const struct sim *sim)
{
    sim->still->velocity_rows = sim->row_end;
}

void sim_still_positions_done(const struct sim *sim)
{
    sim->still->position_rows = sim->row_end;
}

static uint32_t slice_end(uint32_t first, uint32_t row_end, uint32_t rows)
{
    return rows < row_end - first ? first + rows : row_end;
}

bool sim_still_go_on(struct sim_still *still, uint32_t rows)
{
    const struct sim *sim = still->of;
    BASE_ASSERT(sim && sim->row_end == still->sim.row_end);
    if (still->velocity_rows < sim->row_end) {
        BASE_ASSERT(!sim->moving);
        uint32_t end = slice_end(still->velocity_rows, sim->row_end, rows);
        copy_velocities(still, still->velocity_rows, end);
        still->velocity_rows = end;
    } else if (still->position_rows < sim->row_end) {
        uint32_t end = slice_end(still->position_rows, sim->row_end, rows);
        copy_positions(still, still->position_rows, end);
        still->position_rows = end;
    }
    return still->velocity_rows == sim->row_end && still->position_rows == sim->row_end;
}

void sim_still_end(struct sim_still *still)
{
    if (still->of) {
        still->of->still = NULL;
        still->of = NULL;
    }
}

// ------------------------------------------------------------------------------------------------ going back

// Low words are those of the whole coordinates, as between all ticks.
static void give_back_rows(const struct sim_still *still, struct sim *sim)
{
    memcpy(sim->velocities, still->sim.velocities, sim->row_end * sizeof *sim->velocities);
    memcpy(sim->positions, still->sim.positions, sim->row_end * sizeof *sim->positions);
    if (still->sim.spins) {
        memcpy(sim->turns, still->sim.turns, sim->row_end * sizeof *sim->turns);
        memcpy(sim->spins, still->sim.spins, sim->row_end * sizeof *sim->spins);
        memcpy(sim->joints, still->sim.joints, sim->row_end * sizeof *sim->joints);
    }
    if (sim->anchors) {
        memcpy(sim->anchors, still->sim.anchors, sim->row_end * sizeof *sim->anchors);
    }
    for (uint32_t row = 0; row < sim->row_end; row++) {
        for (int axis = 0; axis < 3; axis++) {
            sim->rows[row].x[axis] = (int32_t)(uint32_t)(uint64_t)sim->positions[row][axis];
        }
    }
}

static void give_back_things(const struct sim_still *still, struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *kept = &still->bodies[b];
        if (kept->pin_count > 0) {
            memcpy(sim->bodies[b]->pins, kept->pins, kept->pin_count * sizeof *kept->pins);
        }
        if (kept->load_count > 0) {
            memcpy(sim->bodies[b]->loads, kept->loads, kept->load_count * sizeof *kept->loads);
        }
        sim->bodies[b]->load_count = kept->load_count;
        sim->bodies[b]->force = kept->force;
        sim_sleep_copy(sim->bodies[b], kept);
        sim->bodies[b]->pressure = kept->pressure;
        sim->bodies[b]->pressure_left = kept->pressure_left;
        sim->bodies[b]->bend_due = kept->bend_due;
    }
    if (sim->shape_count > 0) {
        memcpy(sim->shapes, still->sim.shapes, sim->shape_count * sizeof *sim->shapes);
    }
    if (sim->drive_count > 0) {
        memcpy(sim->drives, still->sim.drives, sim->drive_count * sizeof *sim->drives);
    }
    if (sim->chunk_count > 0) {
        memcpy(sim->chunks, still->chunks, sim->chunk_count * sizeof *sim->chunks);
    }
    for (uint32_t t = 0; t < sim->tile_count; t++) {
        sim->tiles[t]->longest = 0; // as a tick begins with; those of one that failed would be believed
    }
    BASE_ASSERT(still->sim.grab_count <= sim->grab_capacity); // room is never given back
    sim->grab_count = still->sim.grab_count;
    if (sim->grab_count > 0) {
        memcpy(sim->grabs, still->sim.grabs, sim->grab_count * sizeof *sim->grabs);
    }
}

void sim_still_give_back(const struct sim_still *still, struct sim *sim)
{
    const struct sim *kept = &still->sim;
    BASE_ASSERT(!still->of && !sim->under_way && !sim->dropped && !sim->still);
    BASE_ASSERT(still->velocity_rows == sim->row_end && still->position_rows == sim->row_end);
    BASE_ASSERT(kept->row_end == sim->row_end && kept->body_count == sim->body_count &&
                kept->shape_count == sim->shape_count && kept->drive_count == sim->drive_count &&
                kept->chunk_count == sim->chunk_count);
    give_back_rows(still, sim);
    give_back_things(still, sim);
    give_back_shelves(still, sim);
    sim->next_grab = kept->next_grab;
    sim->times = kept->times;
    memcpy(sim->settings.wind.gust_way, kept->settings.wind.gust_way, sizeof sim->settings.wind.gust_way);
    sim->meetings = kept->meetings;
    sim->placed = kept->placed;
    sim->solved = false; // what the last substep left of multipliers is of another one
}
