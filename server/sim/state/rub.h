// Friction and restitution of two sides that meet: how those of both are combined, and rows of settings.surfaces, which come before
// that. Every kind of contact asks here.
//
//     bodies     mu = sqrt(mu_a mu_b), of what slides too;  e = max(e_a, e_b)
//     collider   mu and mu of what slides are those of the collider;  e is the greater one
//
// Names are compared once a tick: then each body and collider gets the number of its surface, in the order of the names. Number 0
// is that of a surface of which no row speaks, or of none.
#ifndef WEFT_SIM_STATE_RUB_H
#define WEFT_SIM_STATE_RUB_H

#include "sim/state/body.h"
#include "sim/state/state.h"

// mu of what holds and of what slides, which is no greater; e.
struct sim_rub {
    double holds, slides, restitution;
};

static inline double sim_rub_slides(const struct sim_meeting *meeting)
{
    return meeting->kinetic && meeting->friction_kinetic < meeting->friction ? meeting->friction_kinetic
                                                                             : meeting->friction;
}

// Takes the values of the row of two numbers, if there is one (ground/rub.c).
void sim_rub_by_row(const struct sim *sim, uint32_t one, uint32_t other, struct sim_rub *rub);

static inline void sim_rub_look(const struct sim *sim, uint32_t one, uint32_t other, struct sim_rub *rub)
{
    if (sim->settings.surfaces.count > 0) {
        sim_rub_by_row(sim, one, other, rub);
    }
}

// Two bodies, or a body and itself.
static inline struct sim_rub sim_rub_of_bodies(const struct sim *sim, const struct sim_body *one,
                                               const struct sim_body *other)
{
    const struct sim_meeting *a = &one->meeting, *b = &other->meeting;
    struct sim_rub rub = {
        .holds = __builtin_sqrt(a->friction * b->friction),
        .slides = __builtin_sqrt(sim_rub_slides(a) * sim_rub_slides(b)),
        .restitution = a->restitution > b->restitution ? a->restitution : b->restitution,
    };
    sim_rub_look(sim, one->rub, other->rub, &rub);
    return rub;
}

// The same in single precision, as pairs of features and pieces are pushed.
static inline struct sim_rub sim_rub_of_features(const struct sim *sim, const struct sim_body *one,
                                                 const struct sim_body *other)
{
    const struct sim_meeting *a = &one->meeting, *b = &other->meeting;
    struct sim_rub rub = {
        .holds = (double)__builtin_sqrtf((float)(a->friction * b->friction)),
        .slides = (double)__builtin_sqrtf((float)(sim_rub_slides(a) * sim_rub_slides(b))),
        .restitution = a->restitution > b->restitution ? a->restitution : b->restitution,
    };
    sim_rub_look(sim, one->rub, other->rub, &rub);
    return rub;
}

static inline struct sim_rub sim_rub_of_shape(const struct sim *sim, const struct sim_body *body,
                                              const struct sim_shape *shape)
{
    struct sim_rub rub = {.holds = (double)shape->friction,
                          .slides = (double)shape->slides,
                          .restitution = (double)shape->restitution};
    rub.restitution =
        body->meeting.restitution > rub.restitution ? body->meeting.restitution : rub.restitution;
    sim_rub_look(sim, body->rub, shape->rub, &rub);
    return rub;
}

// Whether a row makes something bounce that may not do so otherwise.
static inline bool sim_rub_bounces(const struct sim *sim)
{
    bool bounces = false;
    for (uint32_t r = 0; r < sim->settings.surfaces.count && !bounces; r++) {
        bounces = sim->settings.surfaces.items[r].bounces && sim->settings.surfaces.items[r].restitution > 0;
    }
    return bounces;
}

// Finds the names of which the rows of the settings speak.
void sim_rub_names_find(struct sim *sim);
// A tick begins: numbers of all bodies and colliders.
void sim_rub_begin(struct sim *sim);

#endif
