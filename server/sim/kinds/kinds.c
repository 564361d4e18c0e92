// The rows of all kinds, in their order.

#include "sim/state/kind.h"

#define DECLARE(NAME, name) extern const struct sim_kind_row sim_##name##_row;
SIM_KINDS(DECLARE)

static const struct sim_kind_row gusts = {.name = "wind", .stencil = 3, .multiplier_count = 1};

#define ROW(NAME, name) &sim_##name##_row,
const struct sim_kind_row *const sim_kind_rows[SIM_STORE_COUNT] = {SIM_KINDS(ROW) & gusts};
