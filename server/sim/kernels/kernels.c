// The kernels of one instruction set: this file and those whose names it gathers are compiled once for each.

#include "sim/kernels/terms.h"
#include "sim/state/kind.h"

// Gathers, transposes and puts back the rows of a tile, unchanged: the cost of its batches in memory alone.
SIM_INLINE void carry_rows(struct sim *sim, struct sim_tile *tile, const uint32_t stencil)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    for (uint32_t i = 0; i < tile->order_count; i++) {
        const uint32_t *batch = sim_batch_words(store, tile->order[i]);
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct w_rows x[SIM_STENCIL_MAX];
            for (uint32_t k = 0; k < stencil; k++) {
                x[k] = w_rows_at(sim->rows, batch + k * SIM_LANES + lane);
            }
            for (uint32_t k = 0; k < stencil; k++) {
                w_rows_put(sim->rows, batch + k * SIM_LANES + lane, &x[k]);
            }
        }
    }
}

static void carry(struct sim *sim, struct sim_tile *tile)
{
    switch (sim->stores[tile->kind].stencil) {
    case 2:
        carry_rows(sim, tile, 2);
        break;
    case 3:
        carry_rows(sim, tile, 3);
        break;
    case SIM_STENCIL_MAX:
        carry_rows(sim, tile, SIM_STENCIL_MAX);
        break;
    default:
        carry_rows(sim, tile, 4);
        break;
    }
}

#define DECLARE(NAME, name) extern const struct sim_runs SIM_ISA(sim_##name##_runs) SIM_IF_LINKED;
SIM_KINDS(DECLARE)
#define RUNS(NAME, name) &SIM_ISA(sim_##name##_runs),

const struct sim_kernels SIM_ISA(sim_kernels) = {
    .runs = {SIM_KINDS(RUNS)},
    .blow = SIM_ISA(sim_wind_blow),
    .blow_gusts = SIM_ISA(sim_wind_blow_gusts),
    .air = SIM_ISA(sim_air_blow),
    .blow_drafts = SIM_ISA(sim_wind_blow_drafts),
    .drafts = SIM_ISA(sim_drafts_add),
    .predict = SIM_ISA(sim_predict),
    .predict_blown = SIM_ISA(sim_predict_blown),
    .fields = SIM_ISA(sim_fields_push),
    .predict_pushed = {SIM_ISA(sim_predict_pushed), SIM_ISA(sim_predict_pushed_blown)},
    .watch = SIM_ISA(sim_distance_watch),
    .limit = SIM_ISA(sim_distance_limit),
    .flow = {[SIM_DIHEDRAL] = SIM_ISA(sim_dihedral_crease), [SIM_NEO_HOOKEAN] = SIM_ISA(sim_solid_flow)},
    .long_edges = SIM_ISA(sim_long_edges),
    .tethers = SIM_ISA(sim_tethers),
    .bend_push = SIM_ISA(sim_quadratic_push),
    .bend_hold = SIM_ISA(sim_quadratic_hold),
    .plate_pass = SIM_ISA(sim_plate_pass),
    .plate_front = SIM_ISA(sim_plate_front),
    .plate_move = SIM_ISA(sim_plate_move),
    .lanes = WIDE,
    .pressure_look = SIM_ISA(sim_pressure_look),
    .pressure_push = SIM_ISA(sim_pressure_push),
    .steady_weigh = SIM_ISA(sim_steady_weigh),
    .steady_take = SIM_ISA(sim_steady_take),
    .match_look = SIM_ISA(sim_match_look),
    .match_push = SIM_ISA(sim_match_push),
    .touch_lanes = SIM_ISA(sim_touch_lanes_solve),
    .grab = SIM_ISA(sim_grabs_solve),
    .soft = SIM_ISA(sim_softs_solve),
    .contact = SIM_ISA(sim_contacts_solve),
    .finish = SIM_ISA(sim_finish),
    .go_on = SIM_ISA(sim_go_on),
    .turn_predict = SIM_ISA(sim_turn_predict),
    .turn_finish = SIM_ISA(sim_turn_finish),
    .carry = carry,
    .tell_particles = SIM_ISA(sim_particles_tell),
    .sum = SIM_ISA(sim_sum_batch),
    .capture = SIM_ISA(sim_capture),
    .capture64 = SIM_ISA(sim_capture64),
    .normals = SIM_ISA(sim_normals),
};
