// Surfaces: the name that a body or a collider has, and the rows of the world that speak of two of them.
#include "document/parts.h"

#include "base/assert.h"

#include <string.h>

_Static_assert(SIM_SURFACE_SIZE == PROTOCOL_LIMIT_NAME_BYTES + 1, "names on the wire fit");

void document_surface_take(const struct protocol_string *given, char name[SIM_SURFACE_SIZE])
{
    BASE_ASSERT(given->size < SIM_SURFACE_SIZE); // as the decoder has checked
    memset(name, 0, SIM_SURFACE_SIZE);
    if (given->size > 0) {
        memcpy(name, given->data, given->size);
    }
}

struct protocol_string document_surface_told(const char name[SIM_SURFACE_SIZE])
{
    return (struct protocol_string){.data = name, .size = (uint32_t)strlen(name)};
}

void document_surfaces_take(const struct protocol_list *given, struct sim_surfaces *surfaces)
{
    const struct protocol_surface_pair *rows = given->items;
    BASE_ASSERT(given->count <= SIM_SURFACES_MAX);
    *surfaces = (struct sim_surfaces){.count = given->count};
    for (uint32_t r = 0; r < given->count; r++) {
        struct sim_surface_pair *row = &surfaces->items[r];
        document_surface_take(&rows[r].one, row->one);
        document_surface_take(&rows[r].other, row->other);
        row->holds = rows[r].has & PROTOCOL_HAS_SURFACE_PAIR_FRICTION;
        row->slides = rows[r].has & PROTOCOL_HAS_SURFACE_PAIR_FRICTION_KINETIC;
        row->bounces = rows[r].has & PROTOCOL_HAS_SURFACE_PAIR_RESTITUTION;
        row->friction = row->holds ? rows[r].friction : 0;
        row->friction_kinetic = row->slides ? rows[r].friction_kinetic : 0;
        row->restitution = row->bounces ? rows[r].restitution : 0;
    }
}

void document_surfaces_fill(const struct sim_surfaces *surfaces, struct protocol_surface_pair *items,
                            struct protocol_list *out)
{
    for (uint32_t r = 0; r < surfaces->count; r++) {
        const struct sim_surface_pair *row = &surfaces->items[r];
        items[r] = (struct protocol_surface_pair){
            .has = PROTOCOL_HAS_SURFACE_PAIR_ONE | PROTOCOL_HAS_SURFACE_PAIR_OTHER |
                   (row->holds ? PROTOCOL_HAS_SURFACE_PAIR_FRICTION : 0) |
                   (row->slides ? PROTOCOL_HAS_SURFACE_PAIR_FRICTION_KINETIC : 0) |
                   (row->bounces ? PROTOCOL_HAS_SURFACE_PAIR_RESTITUTION : 0),
            .one = document_surface_told(row->one),
            .other = document_surface_told(row->other),
            .friction = row->friction,
            .friction_kinetic = row->friction_kinetic,
            .restitution = row->restitution,
        };
    }
    *out = (struct protocol_list){.items = items, .count = surfaces->count};
}
