// Sheets of cloth that meet themselves and each other.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_SHEET_H
#define WEFT_TESTS_UNIT_SIM_HELPER_SHEET_H

#include "helper_scene.h"

#define SHEET_EDGE 0.02
#define SHEET_THICK (0.15 * SHEET_EDGE)

extern const struct sim_meeting sheet_meets; // itself and all others, friction 0.3

// Side x side particles; `across` and `along` are axes.
struct sheet {
    uint32_t side;
    double corner[3];
    int across, along;
    double wavy; // how far it is from flat, edges
    double speed[3];
    double thickness;
    struct sim_meeting meeting;
    const uint32_t *pins;
    uint32_t pin_count;
    bool is_static;
};

struct sheet sheet_of(uint32_t side, int across, int along, double x, double y, double z);
struct sim_settings sheet_settings(uint32_t substeps); // damped a little
uint32_t sheet_add(struct sim *sim, const struct sheet *sheet);
void sheet_floor(struct sim *sim);
// A sheet that stands on its edge above a floor, `far` from the middle of the world, and falls.
struct sim *sheet_pile(uint32_t side, double speed, const struct sim_meeting *meeting, double far);

// Mean over the particles of a body, along an axis, m.
double sheet_mean(const struct sim *sim, uint32_t body, int axis);
// Runs, and fails where more cross after any tick than are allowed. What is told of all ticks, added up.
struct sim_meetings sheet_run(struct sim *sim, uint32_t ticks, uint64_t allowed);

#endif
