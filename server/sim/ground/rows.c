// The arrays by row, which all bodies share.

#include "base/grow.h"
#include "sim/ground/ground.h"

void sim_place(struct sim *sim, uint32_t row, const int64_t x[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sim->positions[row][axis] = x[axis];
        sim->rows[row].x[axis] = (int32_t)(uint32_t)(uint64_t)x[axis];
    }
}

void sim_place_at_start(struct sim *sim, const struct sim_body *body, uint32_t index)
{
    uint32_t row = body->first_row + body->row_of[index];
    int64_t rest[3];
    sim_rest_of(body, index, rest);
    sim_place(sim, row, rest);
    for (int axis = 0; axis < 3; axis++) {
        sim->velocities[row].v[axis] = !body->velocities ? 0 : body->velocities[3 * (size_t)index + axis];
    }
    if (body->turned) {
        const struct sim_turned *turned = &body->turned[index];
        memcpy(sim->turns[row].q, turned->q, sizeof sim->turns[row].q);
        memcpy(sim->spins[row].v, turned->spin, sizeof sim->spins[row].v);
        memcpy(sim->joints[row].rest, turned->rest, sizeof sim->joints[row].rest);
    }
    if (body->rigid) {
        sim_rigid_start(sim, body, index);
    }
}

void sim_rested(struct sim *sim, uint32_t row)
{
    sim->predicted[row] = sim->rows[row];
    if (sim->previous) {
        sim->previous[row] = sim->rows[row];
    }
    if (sim->spins) {
        sim->turned[row] = sim->turns[row];
    }
}

void sim_turned_put(struct sim *sim, uint32_t row, const struct sim_turned *turned)
{
    memcpy(sim->turns[row].q, turned->q, sizeof sim->turns[row].q);
    memcpy(sim->spins[row].v, turned->spin, sizeof sim->spins[row].v);
    sim->spins[row].w = turned->w;
    memcpy(sim->joints[row].rest, turned->rest, sizeof sim->joints[row].rest);
}

void sim_turned_of(const struct sim *sim, uint32_t row, struct sim_turned *turned)
{
    memcpy(turned->q, sim->turns[row].q, sizeof turned->q);
    sim_turn_sign(turned->q);
    memcpy(turned->spin, sim->spins[row].v, sizeof turned->spin);
    turned->w = sim->spins[row].w;
    memcpy(turned->rest, sim->joints[row].rest, sizeof turned->rest);
}

bool sim_is_far(const struct sim *sim)
{
    bool far = sim->placed;
    for (uint32_t c = 0; !far && c < sim->chunk_count; c++) {
        far = sim->chunks[c].bad_row != UINT32_MAX;
    }
    for (uint32_t t = 0; !far && t < sim->tile_count; t++) {
        far = sim->tiles[t]->longest > SIM_STRETCH_MAX;
    }
    return far;
}

bool sim_rows_reserve(struct sim *sim, uint64_t need)
{
    uint64_t from = sim->row_capacity, to = from + from / 2;
    if (need <= from) {
        return true;
    }
    to = to < need ? need : to;
    if (to > UINT32_MAX / SIM_ROW_BYTES) {
        return false;
    }
    struct {
        void **items;
        size_t item_size;
        bool wanted;
    } arrays[] = {
        {(void **)&sim->rows, sizeof *sim->rows, true},
        {(void **)&sim->predicted, sizeof *sim->predicted, true},
        {(void **)&sim->previous, sizeof *sim->previous, sim->previous != NULL},
        {(void **)&sim->velocities, sizeof *sim->velocities, true},
        {(void **)&sim->began, sizeof *sim->began, true},
        {(void **)&sim->positions, sizeof *sim->positions, true},
        {(void **)&sim->contacts, sizeof *sim->contacts, sim->contacts != NULL},
        {(void **)&sim->pushes, sizeof *sim->pushes, sim->pushes != NULL},
        {(void **)&sim->bases, sizeof *sim->bases, sim->bases != NULL},
        {(void **)&sim->air, sizeof *sim->air, sim->air != NULL},
        {(void **)&sim->anchors, sizeof *sim->anchors, sim->anchors != NULL},
        {(void **)&sim->turns, sizeof *sim->turns, sim->spins != NULL},
        {(void **)&sim->turned, sizeof *sim->turned, sim->spins != NULL},
        {(void **)&sim->turns_began, sizeof *sim->turns_began, sim->spins != NULL},
        {(void **)&sim->spins_began, sizeof *sim->spins_began, sim->spins != NULL},
        {(void **)&sim->joints, sizeof *sim->joints, sim->spins != NULL},
        {(void **)&sim->joints_began, sizeof *sim->joints_began, sim->spins != NULL},
        {(void **)&sim->spins, sizeof *sim->spins, sim->spins != NULL},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (arrays[i].wanted && !base_grow(arrays[i].items, to * arrays[i].item_size)) {
            return false;
        }
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        void **colors = (void **)&sim->loose_colors[kind];
        if (*colors && !base_grow(colors, to * sizeof(uint64_t))) {
            return false;
        }
    }
    sim->row_capacity = (uint32_t)to;
    return true;
}

bool sim_contacts_reserve(struct sim *sim, uint32_t iterations, uint32_t shapes)
{
    bool needed = iterations > 1 && shapes > 0;
    if (!needed) {
        base_grow_free(sim->contacts);
        sim->contacts = NULL;
    }
    return (!needed || base_grow((void **)&sim->contacts, sim->row_capacity * sizeof *sim->contacts)) &&
           (shapes == 0 || base_grow((void **)&sim->previous, sim->row_capacity * sizeof *sim->previous));
}

bool sim_turns_reserve(struct sim *sim)
{
    const uint64_t rows = sim->row_capacity;
    return base_grow((void **)&sim->turns, rows * sizeof *sim->turns) &&
           base_grow((void **)&sim->turned, rows * sizeof *sim->turned) &&
           base_grow((void **)&sim->turns_began, rows * sizeof *sim->turns_began) &&
           base_grow((void **)&sim->spins_began, rows * sizeof *sim->spins_began) &&
           base_grow((void **)&sim->joints, rows * sizeof *sim->joints) &&
           base_grow((void **)&sim->joints_began, rows * sizeof *sim->joints_began) &&
           base_grow((void **)&sim->spins, rows * sizeof *sim->spins);
}

bool sim_air_reserve(struct sim *sim, const struct sim_settings *settings)
{
    if (!sim_wind_gusts(&settings->wind) && !sim_forces_blow(&settings->forces)) {
        return true;
    }
    const uint32_t rows = sim->row_capacity > 0 ? sim->row_capacity : 1;
    return base_grow((void **)&sim->air, rows * sizeof *sim->air);
}

bool sim_pushes_reserve(struct sim *sim, bool wanted)
{
    const uint32_t rows = sim->row_capacity > 0 ? sim->row_capacity : 1;
    return !wanted || base_grow((void **)&sim->pushes, rows * sizeof *sim->pushes);
}

bool sim_bases_reserve(struct sim *sim, bool wanted)
{
    const uint32_t rows = sim->row_capacity > 0 ? sim->row_capacity : 1;
    return !wanted ||
           (sim_pushes_reserve(sim, true) && base_grow((void **)&sim->bases, rows * sizeof *sim->bases));
}
