// A cloth or a rope in Jolt's soft body, with its long range attachments, for stiff_solver.c.
#ifndef WEFT_BENCH_JOLT_CLOTH_H
#define WEFT_BENCH_JOLT_CLOTH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bench_jolt;

struct bench_jolt_desc {
    uint32_t particle_count, triangle_count, edge_count;
    const double *positions;     // m, 3 particle_count
    const float *inverse_masses; // 1/kg, particle_count; 0: held
    const uint32_t *triangles;   // 3 triangle_count
    const uint32_t (*edges)[2];  // without compliance
    double bend_compliance;      // rad/(N m), of the dihedral angles; negative: it does not resist bending
    double damping;              // 1/s
    uint32_t substeps;           // of a step; Jolt calls them iterations
};

struct bench_jolt *bench_jolt_create(const struct bench_jolt_desc *desc); // NULL if Jolt refuses it
void bench_jolt_destroy(struct bench_jolt *jolt);                         // NULL is allowed
// One step of h seconds on this thread. False if Jolt reports an error.
bool bench_jolt_step(struct bench_jolt *jolt, double h);
void bench_jolt_positions(const struct bench_jolt *jolt, double *out);
void bench_jolt_velocities(const struct bench_jolt *jolt, float *out);
const char *bench_jolt_version(void); // "5.6.0"

#ifdef __cplusplus
}
#endif

#endif
