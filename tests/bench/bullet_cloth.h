// A cloth in Bullet's soft body world (btSoftRigidDynamicsWorld), for bullet.c.
#ifndef WEFT_BENCH_BULLET_CLOTH_H
#define WEFT_BENCH_BULLET_CLOTH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bench_bullet;

struct bench_bullet_desc {
    uint32_t particle_count, link_count;
    const double *positions;     // 3 particle_count
    const float *inverse_masses; // particle_count
    const uint32_t (*links)[2];  // in the order in which they are to be solved
    uint32_t iterations;         // of the position solver, a step
};

struct bench_bullet *bench_bullet_create(const struct bench_bullet_desc *desc); // NULL without memory
void bench_bullet_destroy(struct bench_bullet *bullet);
void bench_bullet_step(struct bench_bullet *bullet, double h); // one step of the world, h seconds
void bench_bullet_links(struct bench_bullet *bullet);       // one iteration over the links and nothing else
bool bench_bullet_sound(const struct bench_bullet *bullet); // every coordinate is finite, and something fell

#ifdef __cplusplus
}
#endif

#endif
