// Time: ticks, and what is measured of them.
#ifndef WEFT_SIM_SIM_TIME_H
#define WEFT_SIM_SIM_TIME_H

#include "sim/sim_body.h"
#include "sim/sim_world.h"

#include <stdbool.h>
#include <stdint.h>

struct sim;
struct base_parallel;

enum sim_phase { SIM_PREDICT, SIM_WIND, SIM_SOLVE, SIM_CONTACTS, SIM_FINISH, SIM_PHASE_COUNT };

// Parts of SIM_CONTACTS where bodies meet: pairs are found, pushed, colliders push, and who would cross is held back.
enum sim_meeting_part { SIM_MEET_FIND, SIM_MEET_PUSH, SIM_MEET_COLLIDE, SIM_MEET_HOLD, SIM_MEET_PARTS };

// Called on the thread that steps; NULL where nothing is wanted.
struct sim_hooks {
    void *context;
    // After each substep s = 1 ... substeps (the last one is the tick boundary). The sim_body_... getters and
    // sim_measure may be used inside.
    void (*on_substep)(void *context, uint32_t substep);
    // When a phase of a substep ends: for a caller that has a clock.
    void (*on_phase)(void *context, enum sim_phase phase);
    // When a part of contact ends, likewise.
    void (*on_meeting)(void *context, enum sim_meeting_part part);
    // Asked after each iteration: true lets the tick rest there.
    bool (*on_pause)(void *context);
};

struct sim_failure {
    bool failed;
    bool given_up;           // it would have tested too many pairs: the state is the one that it began with
    uint32_t body, particle; // where, 0 and 0 if unknown
    char text[SIM_TEXT_MAX];
};

// One tick. parallel and hooks may be NULL (this thread alone; nothing to call). When *failure says failed
// the state is that at the tick's start, and no substep of it counts. Where it says given_up as well, contact asked too much
// of it.
//
// False when on_pause let the tick rest: the next call goes on where it was, and comes to the same bits. Meanwhile the
// state is that of no moment, and nothing but sim_step and sim_destroy may be called, or sim_step_drop, which leaves it
// so for good.
bool sim_step(struct sim *sim, struct base_parallel *parallel, const struct sim_hooks *hooks,
              struct sim_failure *failure);
// Gives up the tick that rests. After that only counts, ids and settings may be read, and the sim destroyed: a function that
// tells the state (hash, image, still, arrays, measures) or steps it is a broken invariant.
void sim_step_drop(struct sim *sim);
// False while a tick is under way, and for good once one was dropped.
bool sim_at_boundary(const struct sim *sim);

// m/s: what is faster along an axis goes farther in one tick than a coordinate may, and the world fails.
double sim_speed_max(const struct sim *sim);
// Positions and velocities as the bodies were added with; grabs end; motions begin again, colliders where they
// found them; all else stays.
void sim_reset(struct sim *sim);

// The hash of everything that decides the future, in a fixed order: same state, same hash, on every machine.
uint64_t sim_hash(const struct sim *sim);
uint64_t sim_hash_ungrabbed(const struct sim *sim); // as if nobody held anything: that of an image

struct sim_measures {
    double kinetic, potential;      // J
    double elastic[SIM_KIND_COUNT]; // J
    // By kind: |C| / rest of those whose rest value is not 0, or |C| of a kind whose error is absolute. 0 if the kind has none.
    double error_max[SIM_KIND_COUNT], error_rms[SIM_KIND_COUNT];
    uint32_t contacts; // in the last substep
};

void sim_measure(const struct sim *sim, struct sim_measures *measures);

// How the bending of a body is solved. SWEPT_...: what it is swept for.
enum sim_bending {
    SIM_BENDING_NONE, // it has no constraints of bending
    SIM_BENDING_SOLVED,
    SIM_BENDING_SWEPT_WORLD,     // settings.bending_solved is not set
    SIM_BENDING_SWEPT_MODEL,     // its model is not quadratic
    SIM_BENDING_SWEPT_RIGID,     // one of the constraints has compliance 0
    SIM_BENDING_SWEPT_STIFFNESS, // one of them has a plain stiffness
    SIM_BENDING_SWEPT_STIFF,     // doubles cannot tell it from rigid
    SIM_BENDING_SWEPT_LARGE,     // a factor would be too large
    SIM_BENDING_SWEPT_WAITS,     // an edit has changed it, and its new factor is made over some ticks
};

// A cloth or rope of more particles has its loads swept, whatever settings.loads_solved says.
enum { SIM_LOADS_PARTICLES_MAX = 4096 };

// Tells what becomes of heavy particles that bear on a light cloth or rope (bear/bear.h).
enum sim_loads {
    SIM_LOADS_FINE,    // there are none, or they are solved, or nothing can be said of them
    SIM_LOADS_SWEPT,   // there are some, and settings.loads_solved is not set
    SIM_LOADS_LARGE,   // it is set, but the body has more than SIM_LOADS_PARTICLES_MAX particles
    SIM_LOADS_CROWDED, // it is set, but the body touched more than SIM_LOADS_MAX of them in the last tick
};
enum { SIM_LOADS_MAX = 16 }; // heavy particles that a body may touch at once

// How well the solver converged for one body: errors that its material does not ask for. Constraints of sim_constraints_add
// belong to no body and are left out.
struct sim_convergence {
    uint32_t body;
    enum sim_bending bending;
    enum sim_loads loads;
    // Errors of the edges that have a limit (compliance 0, or a stretch.limit): l/L - 1 - limit where that is above 0. All of
    // them count in the root of the mean square.
    double strain_max, strain_rms;
    // By part, 0 ... 1: the share of the force that compliances ask for at this shape, weighted by C, and that the last
    // substep did not give. 0 if nothing has compliance, or if no tick has run since the last edit of constraints.
    double unresolved[SIM_PART_COUNT];
    // The root of the mean square of C of these constraints, in parts of their rest value (of bends in rad, of isometric
    // ones in 1000 times C), weighted by their stiffness.
    double apart[SIM_PART_COUNT];
};

// Fills one for each body, in the order of their ids, at a boundary. It solves the last substep once more, on memory of
// its own, and changes nothing of the sim. False without memory.
bool sim_converged(struct sim *sim, struct sim_convergence *bodies);

// Figures of contact between bodies in the last tick: the greatest over its substeps, if nothing else is said.
struct sim_meetings {
    uint32_t pairs;   // that might have met
    uint32_t pushing; // that touched in the last substep
    uint32_t
        crossed; // edges through triangles when it began, where these may meet; left alone unless settings say otherwise
    uint32_t pierced; // triangles, loose edges and loose particles that reached into the core of a collider
    uint32_t held;    // particles that were held back, so that nothing crosses
    uint32_t shrunk;  // times that pairs did not fit and reaches were halved
    uint32_t dropped; // pairs that still did not fit: the guarantee does not hold for them
    double deepest;   // greatest 1 - d / R where the tick ends, 0 ... 1
    uint64_t tested;  // pairs, in all substeps; one counts each time that it is looked at
};

void sim_meetings_of(const struct sim *sim, struct sim_meetings *meetings);

// The kinds of places of contact that the last tick can show.
enum sim_shown_kind {
    SIM_SHOWN_TOUCHING, // particles of the pairs that touched in the last substep
    SIM_SHOWN_HELD,     // particles that were held back in any substep
    SIM_SHOWN_CROSSED,  // edges that went through triangles when it began, two particles each
    SIM_SHOWN_KINDS,
};
enum { SIM_SHOWN_MAX = 4096 }; // of each kind

// By body, then by particle; bodies may have been removed since. Valid until the next tick begins.
struct sim_shown {
    bool known; // the last tick was asked; false also before the first one and where no body meets any
    uint32_t count[SIM_SHOWN_KINDS];
    uint32_t more[SIM_SHOWN_KINDS]; // places for which there was no room
    const uint32_t *bodies[SIM_SHOWN_KINDS];
    const uint32_t *particles[SIM_SHOWN_KINDS];
};

// Ticks that begin from now on note where contact is, or stop noting it. It costs a look at each particle and changes no
// result.
void sim_shown_want(struct sim *sim, bool wanted);
void sim_shown_forget(struct sim *sim);
void sim_shown_of(const struct sim *sim, struct sim_shown *shown);
// Edges that pass or touch a triangle of a body that theirs meets, counted exactly. UINT64_MAX without memory.
uint64_t sim_crossings(const struct sim *sim);
// The nearest body before this one that it meets, has as many particles as, and shares exact places with. Returns its id, or 0, and
// fills how many particles those are and the indices of the first ones (SIM_WARNING_ELEMENTS at most).
uint32_t sim_body_copied(const struct sim *sim, uint32_t body, uint32_t *count,
                         uint32_t elements[SIM_WARNING_ELEMENTS]);
// Triangles, loose edges and loose particles of bodies that meet something, and that reach into the core of a collider
// (contact/core.h), each once for each collider.
uint64_t sim_pierced(const struct sim *sim);
uint32_t sim_particle_count(const struct sim *sim);
uint64_t
sim_motion_numbers(const struct sim *sim); // of the poses of all motions, and eight for each keyframe

#endif
