// Measures of particles and constraints, a batch at a time: energies and errors as measure.c sums them.
//
//     particle    m |v|^2/2 and -m g.x                      distance    C = l - L,      error C/L
//     constraint  C^2/(2 (alpha + h^2 W))                   (those of four particles are where they are solved)

#include "sim/kernels/terms.h"

void SIM_ISA(sim_particles_tell)(const struct sim *sim, const struct sim_matter *matter,
                                 struct sim_terms *terms)
{
    const struct wd_vec gravity = wd_vec_of(sim->settings.gravity);
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        uint32_t places[WIDE];
        for (uint32_t i = 0; i < WIDE; i++) {
            places[i] = (lane + i) * SIM_ROW_BYTES;
        }
        struct w_rows row = w_rows_at(matter->rows, places), v = w_rows_at(matter->velocities, places);
        for (int part = 0; part < PARTS; part++) {
            uint32_t at = lane + (uint32_t)(part * DOUBLES);
            wl whole[3];
            struct wd_vec speed, x;
            wl_whole_rows(matter->positions + lane, row.x, part, whole);
            for (int axis = 0; axis < 3; axis++) {
                speed.x[axis] = wd_of_float(w_of_bits(v.x[axis]), part);
                x.x[axis] = wd_of_long(whole[axis]) * wd_set(sim->q);
            }
            wd w = wd_of_float(row.w, part);
            wdm free = wd_below(wd_set(0), w);
            wd mass = wd_set(1) / w;
            wd_store(terms->kinetic + at, wd_where(free, (wd_set(0.5) * mass) * wd_dot(speed, speed)));
            wd_store(terms->potential + at, wd_where(free, (wd_set(0) - mass) * wd_dot(gravity, x)));
        }
    }
}
