// A collider that comes back, or becomes what it was.

#include "base/array.h"
#include "sim/ground/ground.h"
#include "sim/image/image.h"
#include "sim/motion/motion.h"

#include <stdlib.h>

enum fault_code sim_collider_restore(struct sim *sim, const struct sim_image_collider *given,
                                     struct fault *fault)
{
    struct sim_collider collider = given->collider;
    struct sim_shape shape = {.id = collider.id}, *there = sim_shape_find(sim, collider.id);
    if (!given->exact || (uint32_t)collider.kind > SIM_HEIGHT_FIELD) {
        return fault_code_set(fault, FAULT_INVALID, "collider", "must be exact, and of a kind that there is");
    }
    if (collider.id == 0 || collider.id >= sim->next_collider) {
        return fault_code_set(fault, FAULT_INVALID, "collider",
                              "%u; must be above 0 and below the next id, %u", collider.id,
                              sim->next_collider);
    }
    for (int axis = 0; axis < 3; axis++) {
        collider.position[axis] = 0; // the exact one holds
    }
    enum fault_code status = sim_shape_from(sim, &collider, SIM_EXTENT_MAX, &shape, fault);
    struct sim_hull *hull = shape.hull;
    struct sim_field *field = shape.field;
    status = status != FAULT_NONE ? status : sim_image_poses(sim, given, &shape, fault);
    if (status == FAULT_NONE && !there && sim->shape_count >= sim->limits.colliders) {
        status = fault_code_set(fault, FAULT_LIMIT, NULL, "the world has %u colliders, as many as it may",
                                sim->shape_count);
    }
    status = status != FAULT_NONE ? status : sim_shape_heights_check(sim, there, &shape, fault);
    status = status != FAULT_NONE ? status : sim_shape_work_check(sim, there, &shape, fault);
    if (status == FAULT_NONE && !there &&
        (!array_reserve(&sim->shapes, &sim->shape_capacity, sim->shape_count + 1) ||
         !sim_contacts_reserve(sim, sim->settings.iterations, sim->shape_count + 1))) {
        status = sim_fault_memory(fault);
    }
    if (status != FAULT_NONE) {
        free(hull);
        free(field);
        return status;
    }
    if (there) {
        free(there->hull);
        free(there->field);
    }
    if (!there) {
        there = sim->shapes + sim->shape_count++;
        for (; there > sim->shapes && there[-1].id > shape.id; there--) {
            *there = there[-1];
        }
    }
    *there = shape;
    sim->surroundings_known = false;
    sim_drives_stop(sim); // how it is turned now
    if (!given->unturned) {
        sim_shape_unturn(there);
    }
    return FAULT_NONE;
}
