// The plan of a body: its constraints coloured and laid out in tiles, its warnings, and how all of it is freed.

#include "sim/bear/bear.h"
#include "sim/body/balloon.h"
#include "sim/body/body.h"
#include "sim/body/match.h"
#include "sim/body/plan.h"
#include "sim/body/steady.h"
#include "sim/body/torn.h"
#include "sim/contact/features.h"
#include "sim/long/long.h"
#include "sim/plate/plate.h"
#include "sim/state/kind.h"
#include "sim/state/rod.h"
#include "sim/store/store.h"

#include <stdio.h>
#include <stdlib.h>

void sim_tiles_destroy(struct sim_tile *tiles, uint32_t count)
{
    for (uint32_t t = 0; t < count; t++) {
        free(tiles[t].order);
        free(tiles[t].spare);
        free(tiles[t].open);
    }
    free(tiles);
}

void sim_body_destroy(struct sim_body *body)
{
    if (!body) {
        return;
    }
    for (int kind = 0; kind < SIM_STORE_COUNT; kind++) {
        sim_tiles_destroy(body->tiles[kind], body->tile_count[kind]);
    }
    free(body->row_of);
    free(body->index_of);
    free(body->rest);
    free(body->offsets);
    free(body->velocities);
    free(body->turned);
    if (body->surface != body->triangles) {
        free(body->surface);
    }
    free(body->triangles);
    free(body->edges);
    free(body->tets);
    free(body->pins);
    free(body->loads);
    free(body->bend_own);
    free(body->uvs);
    sim_features_destroy(body->features);
    sim_long_destroy(body->longs);
    sim_plate_destroy(body->plate);
    if (body->bearing) {
        sim_bearing_destroy(body->bearing);
    }
    if (body->balloon) {
        sim_balloon_destroy(body->balloon);
    }
    if (body->match) {
        sim_match_destroy(body->match);
    }
    sim_steady_destroy(body->steady);
    if (body->torn) {
        sim_torn_destroy(body->torn);
    }
    if (body->rod) {
        free(body->rod->ends);
        free(body->rod->direct);
        free(body->rod);
    }
    if (body->rigid) {
        free(body->rigid->hull);
        sim_rigid_compound_destroy(body->rigid->compound);
        free(body->rigid);
    }
    free(body);
}

void sim_body_plan_destroy(struct sim_body_plan *plan)
{
    if (!plan) {
        return;
    }
    if (plan->aside) {
        plan->aside_destroy(plan->aside);
    }
    sim_body_destroy(plan->body);
    for (int kind = 0; kind < SIM_STORE_COUNT; kind++) {
        sim_store_deinit(&plan->stores[kind]);
        free(plan->slots[kind]);
    }
    free(plan->inverse_masses);
    free(plan->welded);
    free(plan);
}

uint64_t sim_body_plan_bytes(const struct sim_body_plan *plan)
{
    enum { PARTICLE_BYTES = 64, CONSTRAINT_BYTES = 64 }; // with slots, tiles and what is left free in batches
    enum { ELEMENT_BYTES = 128 };                        // of a body that meets something, with its tree
    enum { INSIDE_BYTES = 160 };                         // more for a particle of a body with pressure
    enum { TORN_BYTES = 160 };                           // more for a triangle of a body that can tear
    enum { TURNED_BYTES = 176 };                         // and of one with orientations
    uint64_t constraints = 0;
    const struct sim_body *body = plan->aside ? plan->aside->bodies[0] : plan->body;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        constraints += body->constraint_count[kind];
    }
    const uint64_t elements = body->features ? body->features->count : 0;
    const uint64_t particle =
        PARTICLE_BYTES + (body->balloon ? INSIDE_BYTES : 0) + (body->turned ? TURNED_BYTES : 0);
    const uint64_t uvs = body->uvs ? 6 * sizeof *body->uvs * (uint64_t)body->triangle_count : 0;
    const uint64_t matched = body->match ? sim_match_bytes(body->match) : 0;
    return (uint64_t)body->count * particle + uvs + constraints * CONSTRAINT_BYTES +
           elements * ELEMENT_BYTES + matched +
           (body->torn ? (uint64_t)body->triangle_count * TORN_BYTES : 0) +
           (uint64_t)plan->vertex_count * sizeof *plan->welded;
}

double sim_body_plan_thickness(const struct sim_body_plan *plan)
{
    return (plan->aside ? plan->aside->bodies[0] : plan->body)->thickness;
}

uint32_t sim_body_plan_warnings(const struct sim_body_plan *plan, const struct sim_warning **warnings)
{
    *warnings = plan->warnings;
    return plan->warning_count;
}

const uint32_t *sim_body_plan_welded(const struct sim_body_plan *plan, uint32_t *count)
{
    *count = plan->vertex_count;
    return plan->welded;
}

// The place of a constraint in its tile. Constraints of the serial colour may share particles, so they stand in the order of ids.
static uint32_t place_of(uint32_t color, const struct sim_values *values)
{
    return color * SIM_FLAVOR_COUNT + (color == SIM_SERIAL ? 0 : sim_flavor_of(values));
}

// Constraints by tile, by colour and flavour within each, and then by id.
static void list_by_place(const struct sim_coloring *coloring, const struct sim_values *values,
                          uint32_t *order)
{
    for (uint32_t t = 0; t < coloring->tile_count; t++) {
        uint32_t next[(SIM_SERIAL + 1) * SIM_FLAVOR_COUNT] = {0}, end = coloring->starts[t];
        for (uint32_t i = coloring->starts[t]; i < coloring->starts[t + 1]; i++) {
            uint32_t c = coloring->list[i];
            next[place_of(coloring->colors[c], &values[c])]++;
        }
        for (uint32_t place = 0; place < sizeof next / sizeof next[0]; place++) {
            uint32_t count = next[place];
            next[place] = end;
            end += count;
        }
        for (uint32_t i = coloring->starts[t]; i < coloring->starts[t + 1]; i++) {
            uint32_t c = coloring->list[i];
            order[next[place_of(coloring->colors[c], &values[c])]++] = c;
        }
    }
}

bool sim_body_layout(uint32_t kind, uint32_t body, uint32_t count, const uint32_t *rows,
                     const struct sim_values *values, uint32_t row_count, struct sim_store *store,
                     struct sim_tile **tiles, uint32_t *tile_count, uint32_t *slots)
{
    struct sim_coloring coloring;
    *tiles = NULL;
    *tile_count = 0;
    sim_store_init(store, kind);
    if (!sim_color(sim_kind_rows[kind]->stencil, count, rows, row_count, &coloring)) {
        return false;
    }
    uint32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    *tiles = calloc((size_t)coloring.tile_count + 1, sizeof **tiles);
    bool done = order && *tiles;
    if (done) {
        list_by_place(&coloring, values, order);
    }
    for (uint32_t t = 0; done && t < coloring.tile_count; t++) {
        (*tiles)[t] = (struct sim_tile){.kind = kind,
                                        .body = body,
                                        .tile = t,
                                        .color = coloring.tile_colors[t],
                                        .idle_row = row_count + t};
    }
    *tile_count = done ? coloring.tile_count : 0;
    done = done && sim_store_lay_out(store, *tiles, &coloring, count, order, rows, values, slots);
    sim_store_fit(store);
    if (!done) {
        sim_tiles_destroy(*tiles, *tile_count);
        sim_store_deinit(store);
        *tiles = NULL;
        *tile_count = 0;
    }
    free(order);
    sim_coloring_deinit(&coloring);
    return done;
}

void sim_body_warn(struct sim_body_plan *plan, enum sim_warning_code code, uint32_t element, const char *one,
                   const char *many)
{
    struct sim_warning *warning = plan->warnings;
    while (warning < plan->warnings + plan->warning_count && warning->code != code) {
        warning++;
    }
    if (warning == plan->warnings + plan->warning_count) {
        plan->warning_count++;
        *warning = (struct sim_warning){.code = code};
    }
    if (warning->count < SIM_WARNING_ELEMENTS) {
        warning->elements[warning->count] = element;
    }
    warning->count++;
    plan->warning_formats[warning - plan->warnings] = warning->count == 1 ? one : many;
}

void sim_body_warnings_write(struct sim_body_plan *plan)
{
    for (uint32_t w = 0; w < plan->warning_count; w++) {
        struct sim_warning *warning = &plan->warnings[w];
        snprintf(warning->text, sizeof warning->text, plan->warning_formats[w], warning->count,
                 warning->elements[0]);
    }
}
