// A body made ready aside.
#ifndef WEFT_SIM_BODY_PLAN_H
#define WEFT_SIM_BODY_PLAN_H

#include "sim/state/state.h"

// body_plan.c
struct sim_body_plan {
    struct sim_body *body; // complete but for id, first row and first constraint ids
    double resolution;
    float *inverse_masses;                    // by index
    struct sim_store stores[SIM_STORE_COUNT]; // rows from 0, ids from 1
    uint32_t *slots[SIM_STORE_COUNT];         // of each constraint in them
    struct sim_warning warnings[SIM_WARNING_COUNT];
    const char *warning_formats[SIM_WARNING_COUNT]; // take the count and the first element
    uint32_t warning_count;
    uint32_t spares;  // the last particles, of a body that can tear
    uint32_t *welded; // particle of each vertex that was given; NULL where none were welded
    uint32_t vertex_count;
    struct sim *aside; // of a body that is put back: a sim with nothing else in it, in place of all above
    void (*aside_destroy)(struct sim *sim);
};
// Colours constraints given by rows (from 0) and values and lays them out in batches of a fresh store, ids
// from 1 in order; NULL ids entries: all. Tiles are malloc'd. False without memory, with nothing left behind.
bool sim_body_layout(uint32_t kind, uint32_t body, uint32_t count, const uint32_t *rows,
                     const struct sim_values *values, uint32_t row_count, struct sim_store *store,
                     struct sim_tile **tiles, uint32_t *tile_count, uint32_t *slots);
void sim_tiles_destroy(struct sim_tile *tiles, uint32_t count);
void sim_body_destroy(struct sim_body *body);
// body_check.c
// fields: how compliance, damping and stiffness are called in a fault.
enum fault_code sim_plastic_check(enum sim_bend model, const struct sim_plastic *plastic,
                                  struct fault *fault);
enum fault_code sim_material_check(const char *const fields[3], const struct sim_material *material,
                                   struct fault *fault);
// Checks Young's modulus, Poisson's ratio and damping of a solid.
enum fault_code sim_solid_check(const struct sim_material *solid, struct fault *fault);
// Its material with the compliance that follows.
struct sim_material sim_solid_made(const struct sim_material *solid);
// turned.c
enum fault_code sim_turned_check(const char *field, const struct sim_turned *turned, uint32_t count,
                                 struct fault *fault);
// Both together: what meets others has to be thick enough.
enum fault_code sim_meeting_check(double thickness, const struct sim_meeting *meeting, double resolution,
                                  struct fault *fault);
extern const char *const sim_part_fields[SIM_PART_COUNT][3];

#endif
