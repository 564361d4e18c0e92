// Long edges and tethers: how a cloth or a rope that does not stretch learns so across many edges at once.
//
// One sweep over the edges carries a correction a few edges far, and a fine mesh stretches like rubber. So before the
// edges the solver shortens what is too long between particles that are far apart in the mesh:
//
//   C = max(0, |x1 - x2| - (1 + e) L)       L: the way from 1 to 2 over the rest surface
//
//   long edge   between neighbours of a coarse level; levels from the coarsest to the finest
//   tether      from a particle to one that is held (Kim, Chentanez, Mueller 2012)
//
// A surface whose edges keep within the limit e never violates them, so they add nothing to what is slack or folded.
// They follow only the edges that have a limit: e = 0 for those of compliance 0, and for all edges of a body whose
// stretch has a limit, that one. The sim holds no more of them than what follows from the mesh, the edges and which
// particles are held: they are no state, and in no file.
#ifndef WEFT_SIM_LONG_LONG_H
#define WEFT_SIM_LONG_LONG_H

#include "sim/state/state.h"

// Makes what the edits since the last call have changed. False without memory: then some body has none of its own, and
// the next call tries again. It allocates only where something has changed.
bool sim_long_settle(struct sim *sim);
// Whether an edge of the body has a limit, so that long edges follow it.
bool sim_long_follows(const struct sim_body *body, const struct sim_values *edge);
void sim_long_destroy(struct sim_long *longs); // NULL is allowed

// ------------------------------------------------------------------------------------- what it is made from (metric.c)

// The rest surface as its edges tell it: lengths, and triangles all of whose edges have a limit.
struct sim_way {
    uint32_t to;
    double length; // quanta
};

struct sim_fan {
    uint32_t a, b;               // the other corners
    double to_a, to_b;           // lengths of the sides to them
    double inverse_a, inverse_b; // 1/to_a and 1/to_b
    double dot, cross;           // of the sides; `cross` is twice the area, and positive
};

struct sim_metric {
    uint32_t count;                    // particles
    uint32_t *way_starts, *fan_starts; // count + 1 each
    struct sim_way *ways;
    struct sim_fan *fans;
    double edge;         // mean length
    double (*places)[2]; // in a plane, if the surface unrolls into one convex piece of it; else NULL
};

// Edges are pairs of particles. False without memory; the metric is then empty.
bool sim_metric_make(struct sim_metric *metric, uint32_t count, const uint32_t (*edges)[2],
                     const double *lengths, uint32_t edge_count, const uint32_t *triangles,
                     uint32_t triangle_count);
void sim_metric_deinit(struct sim_metric *metric);
// Finds places in a plane, if there are any (plane.c): ways are then found at once. False without memory.
bool sim_metric_unroll(struct sim_metric *metric);

// --------------------------------------------------------------------------------------------- ways (wave.c)

struct sim_crest {
    double way;
    uint32_t particle;
};

// Particles of a surface that lies in a plane, by cells. Rows of cells follow each other.
struct sim_cells {
    double low[2], inverse; // of a cell's side
    uint32_t columns, rows;
    uint32_t *starts, *particles; // starts: columns * rows + 1
};

// Ways from one particle. `ways` is infinite (SIM_WAY_NONE) where the wave has not been.
struct sim_wave {
    struct sim_cells cells; // empty if the surface has no places
    const struct sim_metric *metric;
    double *ways;
    uint8_t *visits;   // how often a particle has sent the wave on
    uint8_t *settled;  // it has sent the wave on since its way last got shorter
    uint32_t *reached; // particles whose way is known
    uint32_t reached_count;
    struct sim_crest *heap;
    uint32_t heap_count, heap_capacity;
};

#define SIM_WAY_NONE 1e300

bool sim_wave_init(struct sim_wave *wave, const struct sim_metric *metric); // false without memory
void sim_wave_deinit(struct sim_wave *wave);
// Fills `ways` and `reached` from one particle on, to no farther than `farthest` (quanta). False without memory.
bool sim_wave_run(struct sim_wave *wave, uint32_t from, double farthest);

// --------------------------------------------------------------------------------------------- levels.c, tethers.c

// A long edge between two particles; level 1 is the finest.
struct sim_long_edge {
    uint32_t a, b, level;
    float length;
};

// malloc'd, from the coarsest level to the finest. False without memory.
bool sim_long_levels(const struct sim_metric *metric, struct sim_long_edge **edges, uint32_t *count);

// yarns.c: of a cloth with warp and weft.
// Returns the edges of the triangles that live, malloc'd pairs of particles. False if memory runs out.
bool sim_yarn_edges(const struct sim *sim, const struct sim_body *body, uint32_t (**edges)[2],
                    uint32_t *count);
double sim_yarn_length(const struct sim_body *body, const uint32_t edge[2]); // at rest, quanta
// Keeps only those that run along a yarn, in their order.
void sim_yarn_keep(const struct sim_body *body, struct sim_long_edge *edges, uint32_t *count);

struct sim_tether {
    uint32_t anchor; // UINT32_MAX: none
    float length;
};

// SIM_TETHERS_MAX for each particle, nearest first: malloc'd. *most: as many as some particle has.
bool sim_long_tethers(const struct sim_metric *metric, const bool *held, struct sim_tether **tethers,
                      uint32_t *most);

#endif
