// Pins that follow colliders.
//
// Such a pin keeps its place z in the frame of its collider, whose position is p and whose axes are a, b and c:
//
//     x = p + Q(z_a a + z_b b + z_c c)
//
// Q rounds to quanta. x is found of the pose that the collider has at the end of each substep, and never of the place before, so
// that it does not drift. Back and forth between x and z an error of 1e-13 of a quantum a metre comes up, which Q takes away: a
// pinned particle stands where its place says, to the quantum.

#include "sim/ground/ground.h"
#include "sim/ground/vector.h"
#include "sim/motion/motion.h"

void sim_pin_take(const struct sim *sim, const struct sim_shape *shape, const int64_t x[3],
                  struct sim_pin *pin)
{
    struct sim_frame frame;
    double way[3];
    sim_shape_frame(sim, shape, &frame);
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = (double)(x[axis] - frame.position[axis]) * sim->q;
    }
    for (int axis = 0; axis < 3; axis++) {
        pin->place[axis] = sim_dot(frame.axes[axis], way);
    }
    pin->collider = shape->id;
}

static void place_of(const struct sim *sim, const struct sim_frame *frame, const struct sim_pin *pin,
                     int64_t x[3])
{
    const double most = 0x1p61 * sim->q; // no farther, so that no sum overflows; the world fails long before
    for (int axis = 0; axis < 3; axis++) {
        double way = pin->place[0] * frame->axes[0][axis] + pin->place[1] * frame->axes[1][axis] +
                     pin->place[2] * frame->axes[2][axis];
        way = way < -most ? -most : way > most ? most : way;
        x[axis] = frame->position[axis] + sim_quantize(way, sim->inv_q);
    }
}

bool sim_pin_place(const struct sim *sim, const struct sim_pin *pin, int64_t x[3])
{
    const struct sim_shape *shape = sim_shape_find(sim, pin->collider);
    if (!shape) {
        return false;
    }
    struct sim_frame frame;
    sim_shape_frame(sim, shape, &frame);
    place_of(sim, &frame, pin, x);
    return true;
}

void sim_pin_leave(struct sim_pin *pin)
{
    pin->collider = 0;
    memset(pin->clamp.held, 0, sizeof pin->clamp.held);
}

bool sim_pins_follow(const struct sim_body *body, uint32_t collider)
{
    bool follow = false;
    for (uint32_t p = 0; p < body->pin_count && !follow; p++) {
        follow = body->pins[p].collider == collider;
    }
    return follow;
}

bool sim_pin_is_within(const struct sim *sim, const int64_t x[3])
{
    const int64_t most = (int64_t)(SIM_EXTENT_MAX * sim->inv_q);
    bool within = true;
    for (int axis = 0; axis < 3; axis++) {
        within = within && x[axis] <= most && x[axis] >= -most;
    }
    return within;
}

// Puts a pinned particle where its pin says, if it is elsewhere. A pin whose collider is gone, or too far away, follows no more.
static void settle(struct sim *sim, struct sim_body *body, struct sim_pin *pin)
{
    const uint32_t row = body->first_row + body->row_of[pin->index];
    int64_t x[3];
    if (!sim_pin_place(sim, pin, x) || !sim_pin_is_within(sim, x)) {
        sim_pin_leave(pin);
        sim_edited(body);
        return;
    }
    if (sim_pin_turns(pin)) {
        sim_clamp_settle(sim, pin);
    }
    if (sim_pin_is_soft(pin)) { // its particle is drawn there
        if (memcmp(x, pin->from, sizeof x) != 0) {
            sim_edited(body);
        }
    } else if (memcmp(x, sim->positions[row], sizeof x) != 0) {
        sim_place(sim, row, x);
        sim->placed = true;
        sim_edited(body);
    }
    memcpy(pin->from, x, sizeof pin->from);
    memcpy(pin->to, x, sizeof pin->to);
}

void sim_pin_go_on(struct sim_pin *pin)
{
    for (int axis = 0; pin->left > 0 && axis < 3; axis++) {
        pin->to[axis] = sim_between(pin->to[axis], pin->end[axis], 1, pin->left);
    }
    pin->left -= pin->left > 0;
}

void sim_pins_settle(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        for (uint32_t p = 0; p < body->pin_count; p++) {
            if (body->pins[p].collider != 0) {
                settle(sim, body, &body->pins[p]);
            }
        }
    }
}

void sim_pins_let_go(struct sim *sim, uint32_t collider)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        for (uint32_t p = 0; p < body->pin_count; p++) {
            if (body->pins[p].collider == collider) {
                sim_pin_leave(&body->pins[p]);
                sim_edited(body);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------- reading

bool sim_body_pins_softly(const struct sim *sim, uint32_t id)
{
    const struct sim_body *body = sim_body_find(sim, id);
    bool soft = false;
    for (uint32_t p = 0; body && p < body->pin_count && !soft; p++) {
        soft = sim_pin_is_soft(&body->pins[p]);
    }
    return soft;
}

void sim_body_pins_tell(const struct sim *sim, uint32_t id, const struct sim_pins_told *out)
{
    const struct sim_body *body = sim_body_find(sim, id);
    const double inv_h = (double)sim->settings.tick_rate * sim->settings.substeps;
    for (uint32_t p = 0; p < body->pin_count; p++) {
        const struct sim_pin *pin = &body->pins[p];
        out->compliances[p] = (double)pin->compliance;
        out->distances[p] = (double)pin->distance;
        for (uint32_t axis = 0; axis < 3; axis++) {
            const size_t at = 3 * (size_t)p + axis;
            if (out->targets) {
                out->targets[at] = (double)pin->from[axis] * sim->q;
            }
            if (out->forces) {
                out->forces[at] = (double)pin->multiplier[axis] * sim->q * inv_h * inv_h;
            }
        }
    }
}

bool sim_body_follows(const struct sim *sim, uint32_t id)
{
    const struct sim_body *body = sim_body_find(sim, id);
    bool follows = false;
    for (uint32_t p = 0; body && p < body->pin_count && !follows; p++) {
        follows = body->pins[p].collider != 0;
    }
    return follows;
}

void sim_body_pin_colliders(const struct sim *sim, uint32_t id, uint32_t *out)
{
    const struct sim_body *body = sim_body_find(sim, id);
    for (uint32_t p = 0; p < body->pin_count; p++) {
        out[p] = body->pins[p].collider;
    }
}

uint32_t sim_collider_pins(const struct sim *sim, uint32_t collider, uint32_t id, uint32_t *particles)
{
    const struct sim_body *body = sim_body_find(sim, id);
    uint32_t count = 0;
    for (uint32_t p = 0; body && p < body->pin_count; p++) {
        if (body->pins[p].collider == collider) {
            particles[count++] = body->pins[p].index;
        }
    }
    return count;
}
