// Bodies by id and by row, pins and colliders.

#include "base/search.h"
#include "sim/ground/ground.h"

struct sim_body *sim_body_find(const struct sim *sim, uint32_t id)
{
    uint32_t place;
    BASE_SEARCH(place, sim->body_count, sim->bodies[at]->id < id);
    return place < sim->body_count && sim->bodies[place]->id == id ? sim->bodies[place] : NULL;
}

struct sim_body *sim_body_of_row(const struct sim *sim, uint32_t row)
{
    uint32_t place;
    BASE_SEARCH(place, sim->body_count, sim->by_row[at]->first_row <= row);
    if (place == 0) {
        return NULL;
    }
    struct sim_body *body = sim->by_row[place - 1];
    return row - body->first_row < body->count ? body : NULL;
}

static uint32_t pin_place(const struct sim_body *body, uint32_t index)
{
    uint32_t place;
    BASE_SEARCH(place, body->pin_count, body->pins[at].index < index);
    return place;
}

struct sim_pin *sim_pin_find(const struct sim_body *body, uint32_t index)
{
    uint32_t place = pin_place(body, index);
    return place < body->pin_count && body->pins[place].index == index ? &body->pins[place] : NULL;
}

struct sim_shape *sim_shape_find(const struct sim *sim, uint32_t id)
{
    uint32_t place;
    BASE_SEARCH(place, sim->shape_count, sim->shapes[at].id < id);
    return place < sim->shape_count && sim->shapes[place].id == id ? &sim->shapes[place] : NULL;
}
