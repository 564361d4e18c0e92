// The ropes of `weft-bench chains`, and the random states that they start from.
//
//     hung, heavy     20 links of 5 cm and 1 g with 10 and 100 kg at the end hang straight down; kicked at 0.1 m/s
//     kick, blow      as hung, kicked at 1 and 5 m/s
//     swing, tower    the same loads from about level
//     loose           the same rope without a load, from about level
//     snatch, jerk    the same loads fall 0.5 m until the rope, which is folded, is taut
//     whip            40 links of 2.5 cm, thinner from hand to tip; the hand moves forward and stops
//     lasso           20 links and a loop of 24, whirled by the hand, which then stops
//     long            200 links of 1 cm and 1 g with 10 kg, from about level
//
// A kick is a random velocity of every free particle but the load: so much an axis, as a root of the mean square. All
// links have their length at the start. Particle 0 is held, and is the hand where there is one.
#ifndef WEFT_BENCH_CHAINS_SCENE_H
#define WEFT_BENCH_CHAINS_SCENE_H

#include <stdbool.h>
#include <stdint.h>

enum chain_kind {
    CHAIN_HUNG,
    CHAIN_HEAVY,
    CHAIN_KICK,
    CHAIN_BLOW,
    CHAIN_SWING,
    CHAIN_TOWER,
    CHAIN_LOOSE,
    CHAIN_SNATCH,
    CHAIN_JERK,
    CHAIN_WHIP,
    CHAIN_LASSO,
    CHAIN_LONG,
    CHAIN_KINDS
};

enum { CHAIN_PARTICLES_MAX = 201, CHAIN_TICK_RATE = 60 };
#define CHAIN_GRAVITY 9.81 // m/s^2, downwards

extern const char *const chain_names[CHAIN_KINDS];

struct chain {
    uint32_t count;                     // particles; link j joins j and j + 1
    uint32_t link_count;                // count - 1, and 1 more if the last particle is joined to `knot`
    uint32_t knot;                      // 0: there is no loop
    uint32_t told;                      // the particle whose way is compared: the load, the tip or the knot
    uint32_t driven;                    // ticks in which the hand moves
    double pace;                        // of the hand: a factor near 1
    double length;                      // m, of all links but those of the loop
    double rest[CHAIN_PARTICLES_MAX];   // m, of link_count links
    double masses[CHAIN_PARTICLES_MAX]; // kg; particle 0 is held whatever it weighs
    double positions[3 * CHAIN_PARTICLES_MAX];
    double velocities[3 * CHAIN_PARTICLES_MAX];
};

void chain_init(struct chain *chain, enum chain_kind kind, uint64_t seed);
// Both particles of a link.
void chain_link(const struct chain *chain, uint32_t link, uint32_t ends[2]);
// The place of the hand when the tick ends.
void chain_hand(const struct chain *chain, uint32_t tick, double place[3]);

#endif
