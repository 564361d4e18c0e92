// How far the rows of a leaf have gone, in lanes (clear.h).
#include "sim/contact/clear.h"
#include "sim/kernels/wide.h"

sim_clear_way SIM_ISA(sim_clear_way_of);

void SIM_ISA(sim_clear_way_of)(const struct sim_row *rows, const uint32_t (*places)[SIM_LANES],
                               const int32_t (*then)[3][SIM_LANES], int32_t way[3])
{
    const wi zero = w_bits(w_set(0));
    wi forth[3] = {zero, zero, zero}, back[3] = {zero, zero, zero};
    for (uint32_t at = 0; at < 3 * SIM_LANES; at += WIDE) {
        uint32_t corner = at / SIM_LANES, lane = at % SIM_LANES;
        struct w_rows x = w_rows_at(rows, places[corner] + lane);
        for (int axis = 0; axis < 3; axis++) {
            wi went = x.x[axis] - w_load_int(then[corner][axis] + lane);
            forth[axis] = w_max_int(went, forth[axis]);
            back[axis] = w_min_int(went, back[axis]);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        int32_t lanes[2][WIDE];
        w_store_int(lanes[0], forth[axis]);
        w_store_int(lanes[1], back[axis]);
        way[axis] = 0;
        for (int lane = 0; lane < WIDE; lane++) {
            int32_t most = lanes[0][lane] > -lanes[1][lane] ? lanes[0][lane] : -lanes[1][lane];
            way[axis] = most > way[axis] ? most : way[axis];
        }
    }
}
