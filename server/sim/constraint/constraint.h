// Constraints by their ids.
#ifndef WEFT_SIM_CONSTRAINT_CONSTRAINT_H
#define WEFT_SIM_CONSTRAINT_CONSTRAINT_H

#include "sim/state/state.h"

// constraint_read.c
struct sim_id_range *sim_range_of(const struct sim *sim, uint32_t id); // NULL if it never was
bool sim_slot_of(const struct sim *sim, uint32_t id, struct sim_id_range **range, uint32_t *slot);
enum fault_code sim_constraint_not_found(struct fault *fault, uint32_t id);

void sim_ranges_sort(struct sim *sim); // by first id
void sim_ranges_tidy(struct sim *sim); // forgets ids of loose constraints that are gone

// constraint_remove.c
// Whether the range's body is coloured again when so many more of its constraints are removed.
bool sim_recolors(const struct sim *sim, const struct sim_id_range *range, uint32_t going);
bool sim_recolor(struct sim *sim, struct sim_id_range *range); // now; false without memory
void sim_constraint_forget(struct sim *sim, uint32_t id); // sim_stores_settle and sim_ranges_tidy afterwards

// constraint.c
// As sim_constraints_set, of one kind and with values as images have them: all of each.
enum fault_code sim_constraints_put(struct sim *sim, enum sim_kind kind, const uint32_t *ids, uint32_t count,
                                    const struct sim_constraint_values *given, struct fault *fault);
// Greatest distance of the other particles of a stencil from its first, quanta, never wrapped.
double sim_present_length(const struct sim *sim, uint32_t stencil, const uint32_t *rows);
bool sim_multipliers_reserve(struct sim *sim, const struct sim_settings *settings, bool wanted);
// Rows of the particles of `count` constraints: checks that they are there, and that none stands twice in one.
enum fault_code sim_stencil_rows(struct sim *sim, enum sim_kind kind, uint32_t count, const uint32_t *bodies,
                                 const uint32_t *particles, uint32_t *rows, struct fault *fault);
bool sim_loose_reserve(struct sim *sim, enum sim_kind kind, bool flavored); // but for batches

// constraint_join.c
// Refuses values of joins that are outside their ranges; and any of them for other kinds.
enum fault_code sim_join_values_check(uint32_t count, const struct sim_constraint_values *given,
                                      struct fault *fault);
enum fault_code sim_rest_end_check(const struct sim *sim, uint32_t element, double end, struct fault *fault);
enum fault_code sim_no_join_values(const struct sim_constraint_values *given, struct fault *fault);
// Fills the weights of one join at these rows, and checks both.
enum fault_code sim_join_weights(uint32_t constraint, const uint32_t *rows, const double *weights,
                                 float *params, double q, struct fault *fault);
// Overwrites what is said of join i, but for its weights. params[0] has its rest length already.
void sim_join_values_apply(const struct sim *sim, uint32_t i, const struct sim_constraint_values *given,
                           struct sim_values *values);
void sim_join_get(const struct sim *sim, const struct sim_values *values, struct sim_constraint *constraint);

// constraint_values.c
// Refuses a rest value that is outside the range of its kind, times a slack of 1 or little more.
enum fault_code sim_rest_check(const struct sim *sim, enum sim_kind kind, uint32_t element, double rest,
                               double slack, struct fault *fault);
// Refuses values that an elastic kind cannot have: no compliance, or a plain stiffness.
enum fault_code sim_elastic_check(enum sim_kind kind, uint32_t element, const struct sim_values *values,
                                  struct fault *fault);
// Puts a rest value into the params of its kind.
void sim_rest_put(const struct sim *sim, enum sim_kind kind, double rest, float params[SIM_PARAMS_MAX]);
float sim_rest_stored(const struct sim *sim, enum sim_kind kind, double rest); // as params[0] has it
// Fills the values that an image gives one constraint. The params of its shape (sim_shape_size) are set already. A kind that
// slides needs ratio, friction and side.
enum fault_code sim_values_from(const struct sim *sim, enum sim_kind kind, uint32_t i,
                                const struct sim_constraint_values *given, struct sim_values *values,
                                struct fault *fault);
// Puts the shape that an image gives constraint c into its values, and checks that it can be that of one at these rows. values->more
// may point into shapes.
enum fault_code sim_shape_take(const struct sim *sim, enum sim_kind kind, uint32_t c, const float *shapes,
                               const uint32_t *rows, struct sim_values *values, struct fault *fault);

// constraint_flow.c
// Whether a shape that flows, which an image gives, is no row of zeros.
bool sim_flow_given(enum sim_kind kind, const float *flows);
// Checks that a constraint can have what an image says that flows of it.
enum fault_code sim_flow_check(const struct sim *sim, enum sim_kind kind, uint32_t c, const float *flows,
                               uint32_t slot, struct fault *fault);
// Overwrites what flows of a constraint of the body, flow_count floats of its kind. NULL, or a shape of zeros: as the shape gives it with
// which the body was made.
void sim_flow_put(const struct sim *sim, const struct sim_body *body, enum sim_kind kind, uint32_t slot,
                  const float *flows);
void sim_creases_reset(struct sim *sim); // what flows of plastic bodies is as they were made

// constraint_rest.c
// Fills the params that the shape with which the body was made gives its constraint at these rows: all that at_rest of the kind finds.
void sim_own_params(const struct sim *sim, const struct sim_body *body, enum sim_kind kind,
                    const uint32_t *rows, float params[SIM_PARAMS_MAX]);

// Rest values that a shape gives constraints of a body, malloc'd.
struct sim_rests {
    uint32_t count, *ids;
    double *values;
};
// Finds them; shape NULL: none. Refuses a shape that sets none, unless the body has shape matching (matched) and it is for that, and
// one that makes a constraint too long.
enum fault_code sim_rests_find(const struct sim *sim, const struct sim_body *body,
                               const struct sim_rest_shape *shape, bool matched, struct sim_rests *rests,
                               struct fault *fault);
enum fault_code sim_rests_set(struct sim *sim, const struct sim_rests *rests, struct fault *fault);
void sim_rests_deinit(struct sim_rests *rests);

// constraint_slide.c
// Refuses a ratio or a friction of constraint `element` that is out of range, and these and a side if the kind has none.
enum fault_code sim_slide_check(enum sim_kind kind, uint32_t element,
                                const struct sim_constraint_values *given, struct fault *fault);
// Overwrites the ratio and the friction as constraint i is given them, whose kind slides.
void sim_slide_apply(uint32_t i, const struct sim_constraint_values *given, struct sim_values *values);
// Refuses values with friction and a ratio other than 1.
enum fault_code sim_slide_fits(uint32_t element, const struct sim_values *values, struct fault *fault);
// Takes a side in metres over. The rest length and the friction must be there already.
enum fault_code sim_slide_side_given(const struct sim *sim, uint32_t element, double side,
                                     struct sim_values *values, struct fault *fault);
// Shares the rest length out between both sides in proportion to the present lengths; 0 without friction.
void sim_slide_side(const struct sim *sim, const uint32_t *rows, struct sim_values *values);
// A slide that becomes what it was keeps its side, as far as the rest length allows, if friction lasts.
void sim_slide_goes_on(const struct sim_values *now, struct sim_values *values);
void sim_slides_reset(struct sim *sim); // the same of all slides
// Makes room for what ticks keep of sides (solve/sides.c). False without memory. An edit tries, so that its first tick need not;
// a tick that finds no room fails.
bool sim_slides_reserve(struct sim *sim);
size_t sim_slides_floats(const struct sim *sim); // of each copy

// constraint_jointed.c
// Makes room for what ticks know of joints, with so many more of them. False without memory.
bool sim_jointed_reserve(struct sim *sim, uint32_t more);
enum fault_code sim_no_joint_values(const struct sim_constraint_values *given, struct fault *fault);
// Refuses values of joint `i` that are out of range, and those that only joins have.
enum fault_code sim_joint_values_check(uint32_t i, const struct sim_constraint_values *given,
                                       struct fault *fault);
// Refuses rows that are none of such a joint: no piece first, or nothing that can turn where the joint needs that.
enum fault_code sim_joint_sides(const struct sim *sim, uint32_t element, enum sim_joint_model model,
                                const uint32_t *rows, struct fault *fault);
enum fault_code sim_joint_shape_check(const struct sim *sim, uint32_t element, const uint32_t *rows,
                                      const float *params, struct fault *fault);
// Fills the values of one that is to be added, but for what sim_joint_apply does. more: room for SIM_PARAMS_MOST - SIM_PARAMS_MAX, to which
// values->more points.
enum fault_code sim_joint_fresh(const struct sim *sim, uint32_t i, const uint32_t *rows,
                                const struct sim_constraint_values *given, struct sim_values *values,
                                float *more, struct fault *fault);
// Refuses what a joint of this model cannot have.
enum fault_code sim_joint_fits(uint32_t i, const struct sim_constraint_values *given,
                               const struct sim_values *values, struct fault *fault);
// Reads values->more of a joint that is there.
void sim_joint_more(const struct sim *sim, uint32_t slot, struct sim_values *values, float *more);
// Overwrites what is said of joint i.
void sim_joint_apply(uint32_t i, const struct sim_constraint_values *given, struct sim_values *values,
                     float *more);
void sim_joint_get(const struct sim *sim, uint32_t slot, const uint32_t *rows,
                   struct sim_constraint *constraint);

// constraint_rail.c
// Refuses particles of constraint `element` that are no ring and rail. There are three, and all of them
// exist.
enum fault_code sim_rail_particles(uint32_t element, const uint32_t *bodies, const uint32_t *particles,
                                   struct fault *fault);
// Refuses slide_rail constraints that are about to be added if the rails of all rings would be too long together. slots:
// NULL, or those of constraints that live already, SIM_GONE for the others.
enum fault_code sim_rails_room(const struct sim *sim, uint32_t count, const uint32_t *particles,
                               const uint32_t *slots, struct fault *fault);
// Finds the point of the whole rail that is nearest to the ring, at a boundary, and stores it. Returns its
// distance from the ring in quanta.
double sim_rail_find(const struct sim *sim, const uint32_t *rows, float *params);
// Fills the params of one that is to be added. The values have been checked.
enum fault_code sim_rail_fresh(const struct sim *sim, uint32_t element, const uint32_t *rows,
                               const struct sim_constraint_values *given, struct sim_values *values,
                               struct fault *fault);
void sim_rail_apply(uint32_t i, const struct sim_constraint_values *given, struct sim_values *values);
void sim_rail_goes_on(const struct sim_values *now,
                      struct sim_values *values); // it stays where it is along its rail
void sim_rail_get(const struct sim_values *values, struct sim_constraint *constraint);
void sim_rails_reset(struct sim *sim); // finds all of them again

#endif
