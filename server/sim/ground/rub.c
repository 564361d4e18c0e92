// The numbers of surfaces, and the rows of their pairs (state/rub.h).

#include "sim/state/rub.h"

#include <string.h>

// Names stand in order, so that one is found by halving, and rows know both of their numbers.
//
//     rows     (ice, rubber)  (ice, ice)          names   ice  rubber
//     pairs        (1, 2)        (1, 1)           number   1     2

static const char *name_at(const struct sim *sim, uint32_t place)
{
    const struct sim_surface_pair *row = &sim->settings.surfaces.items[place / 2];
    return place % 2 == 0 ? row->one : row->other;
}

// The first name that is not before this one; found: they are the same.
static uint32_t place_of(const struct sim *sim, const char *name, bool *found)
{
    const struct sim_rub_names *names = &sim->rub_names;
    uint32_t low = 0, high = names->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (strcmp(name_at(sim, names->places[middle]), name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *found = low < names->count && strcmp(name_at(sim, names->places[low]), name) == 0;
    return low;
}

static uint32_t number_of(const struct sim *sim, const char *name)
{
    bool found = false;
    const uint32_t place = name[0] != '\0' ? place_of(sim, name, &found) : 0;
    return found ? place + 1 : 0;
}

void sim_rub_names_find(struct sim *sim)
{
    struct sim_rub_names *names = &sim->rub_names;
    names->count = 0;
    for (uint32_t p = 0; p < 2 * sim->settings.surfaces.count; p++) {
        bool found;
        const uint32_t at = place_of(sim, name_at(sim, p), &found);
        if (!found) {
            memmove(names->places + at + 1, names->places + at, (names->count - at) * sizeof *names->places);
            names->places[at] = (uint8_t)p;
            names->count++;
        }
    }
    for (uint32_t r = 0; r < sim->settings.surfaces.count; r++) {
        names->pairs[r][0] = (uint8_t)number_of(sim, name_at(sim, 2 * r));
        names->pairs[r][1] = (uint8_t)number_of(sim, name_at(sim, 2 * r + 1));
    }
}

void sim_rub_begin(struct sim *sim)
{
    if (sim->settings.surfaces.count == 0) {
        return;
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        sim->bodies[b]->rub = number_of(sim, sim->bodies[b]->meeting.surface);
    }
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        sim->shapes[s].rub = number_of(sim, sim->shapes[s].surface);
    }
}

void sim_rub_by_row(const struct sim *sim, uint32_t one, uint32_t other, struct sim_rub *rub)
{
    const struct sim_surfaces *surfaces = &sim->settings.surfaces;
    const struct sim_surface_pair *row = NULL;
    for (uint32_t r = 0; r < surfaces->count && one != 0 && other != 0 && !row; r++) {
        const uint8_t *pair = sim->rub_names.pairs[r];
        if ((pair[0] == one && pair[1] == other) || (pair[0] == other && pair[1] == one)) {
            row = &surfaces->items[r];
        }
    }
    if (!row) {
        return;
    }
    rub->holds = row->holds ? row->friction : rub->holds;
    rub->slides = row->slides ? row->friction_kinetic : row->holds ? row->friction : rub->slides;
    rub->slides = rub->slides < rub->holds ? rub->slides : rub->holds;
    rub->restitution = row->bounces ? row->restitution : rub->restitution;
}
