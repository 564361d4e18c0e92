// Bodies by id and by row, pins and colliders.

#include "sim/ground/ground.h"

struct sim_body *sim_body_find(const struct sim *sim, uint32_t id)
{
    uint32_t low = 0, high = sim->body_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sim->bodies[middle]->id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < sim->body_count && sim->bodies[low]->id == id ? sim->bodies[low] : NULL;
}

struct sim_body *sim_body_of_row(const struct sim *sim, uint32_t row)
{
    uint32_t low = 0, high = sim->body_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sim->by_row[middle]->first_row <= row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return NULL;
    }
    struct sim_body *body = sim->by_row[low - 1];
    return row - body->first_row < body->count ? body : NULL;
}

static uint32_t pin_place(const struct sim_body *body, uint32_t index)
{
    uint32_t low = 0, high = body->pin_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (body->pins[middle].index < index) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct sim_pin *sim_pin_find(const struct sim_body *body, uint32_t index)
{
    uint32_t place = pin_place(body, index);
    return place < body->pin_count && body->pins[place].index == index ? &body->pins[place] : NULL;
}

struct sim_shape *sim_shape_find(struct sim *sim, uint32_t id)
{
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        if (sim->shapes[s].id == id) {
            return &sim->shapes[s];
        }
    }
    return NULL;
}
