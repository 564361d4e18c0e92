// Poses of colliders, and keyframes that move them and pins.
#ifndef WEFT_SIM_MOTION_MOTION_H
#define WEFT_SIM_MOTION_MOTION_H

#include "sim/state/state.h"

// shape.c
// Where colliders are in this substep, from 1 on.
void sim_shapes_begin(struct sim *sim); // of a tick
void sim_shapes_move(struct sim *sim, uint32_t substep, uint32_t substeps);
// Fills the frame in which a shape stands: at a boundary, or in a tick at the end of the present substep.
void sim_shape_frame(const struct sim *sim, const struct sim_shape *shape, struct sim_frame *frame);
// Fills the rotation of that frame, x, y, z, w.
void sim_shape_rotation(const struct sim *sim, const struct sim_shape *shape, double rotation[4]);
// Whether it goes or turns in the next tick, if no motion moves it.
bool sim_shape_is_led(const struct sim_shape *shape);
// The rotation that motions make of one that the shape stands at.
void sim_shape_turn(const struct sim_shape *shape, const double rotation[4], double out[4]);
// One that the shape stands at, of such a rotation.
void sim_shape_undo(const struct sim_shape *shape, double rotation[4]);
// from and to are such rotations: back to what the shape stands at.
void sim_shape_unturn(struct sim_shape *shape);

// keyframes.c
#define SIM_AGE_MAX ((UINT64_C(1) << 53) - 1) // ticks: what a double holds
void sim_drives_run(struct sim *sim);         // moves targets: a tick begins
void sim_drives_move(struct sim *sim);        // how far they have come in this substep
void sim_drives_stop(
    struct sim *sim); // a tick is over, or a motion came or went: how colliders are turned now
void sim_drives_reset(struct sim *sim);     // they begin again
void sim_drives_give_back(struct sim *sim); // the tick that sim_drives_run began has not been
// drives.c
void sim_drives_forget(struct sim *sim, uint32_t collider,
                       uint32_t body); // of a thing that goes; the other is 0
void sim_drives_destroy(struct sim *sim);

// follow.c
// Makes a pin follow the shape, at a boundary, with the place that x has in its frame.
void sim_pin_take(const struct sim *sim, const struct sim_shape *shape, const int64_t x[3],
                  struct sim_pin *pin);
// Fills in where a pin that follows is: at a boundary, or in a tick at the end of the present substep. False if its collider is
// gone.
bool sim_pin_place(const struct sim *sim, const struct sim_pin *pin, int64_t x[3]);
// Whether a particle may be there at all, whatever the extent of the world.
bool sim_pin_is_within(const struct sim *sim, const int64_t x[3]);
// Sets the next part of the way of a pin that is where `to` says, if it has ticks left until its end.
void sim_pin_go_on(struct sim_pin *pin);
bool sim_pins_follow(const struct sim_body *body, uint32_t collider); // whether some pin of the body does
void sim_pins_let_go(struct sim *sim, uint32_t collider); // pins that follow it hold where they are
void sim_pin_leave(struct sim_pin *pin);                  // it follows no collider any more

// clamp.c, of pins whose clamps turn with the collider that they follow
void sim_clamp_take(const struct sim *sim,
                    struct sim_pin *pin); // with the orientation that it has at the boundary
// Fills the orientation that the clamp has: at a boundary, or in a tick at the end of the present substep. False if its collider is
// gone.
bool sim_clamp_place(const struct sim *sim, const struct sim_pin *pin, double q[4]);
void sim_clamp_settle(const struct sim *sim, struct sim_pin *pin); // turns it there

// edit/pin.c
// Checks what came from outside: m/N and m, or SIM_PIN_NONE.
enum fault_code sim_pin_check(const struct sim *sim, double compliance, double distance, uint32_t left,
                              uint32_t particle, struct fault *fault);

// collider.c
// Fills all of *shape but its id and where it comes from. A hull or a height field is made, unless the points or heights are
// those of the one that the shape has; whoever gets a new one frees it where he gives the shape up, and the old one where he
// keeps it.
enum fault_code sim_shape_from(const struct sim *sim, const struct sim_collider *collider, double extent,
                               struct sim_shape *shape, struct fault *fault);
// Whether the heights of all fields together are within the limit where a shape comes, or one becomes another; from: NULL or
// what it was.
enum fault_code sim_shape_heights_check(const struct sim *sim, const struct sim_shape *from,
                                        const struct sim_shape *to, struct fault *fault);

#endif
