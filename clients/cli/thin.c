// Reduces a mesh to every nth vertex: each other vertex is merged with the kept one that is the fewest edges away. So
// triangles get larger, and those smaller than that disappear.
#include "scene.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 64 };
static const uint32_t nowhere = UINT32_MAX;

// Gives vertices without a place the place of a neighbour that has one.
static bool spread(uint32_t *places, const uint32_t *elements, uint32_t count, uint32_t corners)
{
    bool any = false;
    for (size_t at = 0; at < (size_t)count * corners; at += corners) {
        uint32_t place = nowhere;
        for (uint32_t c = 0; c < corners && place == nowhere; c++) {
            place = places[elements[at + c]];
        }
        for (uint32_t c = 0; c < corners && place != nowhere; c++) {
            any |= places[elements[at + c]] == nowhere;
            places[elements[at + c]] = places[elements[at + c]] == nowhere ? place : places[elements[at + c]];
        }
    }
    return any;
}

// Keeps the elements whose corners are all different after merging.
static uint32_t keep(const uint32_t *places, uint32_t *elements, uint32_t count, uint32_t corners)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *from = elements + (size_t)i * corners;
        uint32_t *to = elements + (size_t)kept * corners;
        bool whole = true;
        for (uint32_t c = 0; c < corners; c++) {
            for (uint32_t d = 0; d < c; d++) {
                whole &= places[from[c]] != places[from[d]];
            }
        }
        for (uint32_t c = 0; whole && c < corners; c++) {
            to[c] = places[from[c]];
        }
        kept += whole;
    }
    return kept;
}

bool cli_body_thin(struct cli_body *body, uint32_t nth)
{
    uint32_t *places = malloc(((size_t)body->particle_count + 1) * sizeof *places);
    bool any = true;
    if (!places) {
        return false;
    }
    for (uint32_t i = 0; i < body->particle_count; i++) {
        places[i] = i % nth == 0 ? i : nowhere;
    }
    for (int round = 0; any && round < ROUNDS_MAX; round++) {
        any = spread(places, body->triangles, body->triangle_count, 3);
        any |= spread(places, body->edges, body->edge_count, 2);
    }
    for (uint32_t i = 0; i < body->particle_count; i++) {
        places[i] = places[i] == nowhere ? i - i % nth : places[i];
    }
    body->triangle_count = keep(places, body->triangles, body->triangle_count, 3);
    body->edge_count = keep(places, body->edges, body->edge_count, 2);
    free(places);
    return true;
}
