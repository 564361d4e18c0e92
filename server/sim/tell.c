// Measures of particles and constraints, a batch at a time: energies and errors as measure.c sums them.
//
//     particle    m |v|^2/2 and -m g.x                      distance    C = l - L,      error C/L
//     constraint  C^2/(2 alpha)                             volume      C = V - V0,     error C/V0
//     isometric   C = f |Kx|^2/2,  quadratic |c|^2 = |sqrt(f) Kx|^2      (dihedral.c and volume.c have their own)

#include "sim/terms.h"

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

void SIM_ISA(sim_distance_tell)(const struct sim *sim, const uint32_t *batch, bool far,
                                struct sim_terms *terms)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        const uint32_t *at = batch + lane;
        struct w_offsets offsets;
        w_offsets_from(sim, at, 1, far, &offsets);
        for (int part = 0; part < PARTS; part++) {
            struct wd_vec e = w_offset(&offsets, 0, part);
            wd rest = w_param(at, 2, part) * wd_set(sim->q), c = wd_sqrt(wd_dot(e, e)) - rest;
            uint32_t first = lane + (uint32_t)(part * DOUBLES);
            w_tell_energy(terms, first, c * c, w_param(at, 3, part));
            w_tell_error(terms, first, c, rest);
        }
    }
}

// |Kx|^2 of a bending stencil.
SIM_INLINE wd kx2_of(const struct w_offsets *offsets, const uint32_t *at, int part)
{
    wd kx[3];
    for (int axis = 0; axis < 3; axis++) {
        kx[axis] = (w_param(at, 4, part) * offsets->x[0][axis][part] +
                    w_param(at, 5, part) * offsets->x[1][axis][part]) +
                   w_param(at, 6, part) * offsets->x[2][axis][part];
    }
    return (kx[0] * kx[0] + kx[1] * kx[1]) + kx[2] * kx[2];
}

void SIM_ISA(sim_isometric_tell)(const struct sim *sim, const uint32_t *batch, bool far,
                                 struct sim_terms *terms)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        struct w_offsets offsets;
        w_offsets_from(sim, batch + lane, 3, far, &offsets);
        for (int part = 0; part < PARTS; part++) {
            wd c = (wd_set(0.5) * kx2_of(&offsets, batch + lane, part)) * w_param(batch + lane, 7, part);
            w_tell_energy(terms, lane + (uint32_t)(part * DOUBLES), c * c, w_param(batch + lane, 8, part));
        }
    }
}

void SIM_ISA(sim_quadratic_tell)(const struct sim *sim, const uint32_t *batch, bool far,
                                 struct sim_terms *terms)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        struct w_offsets offsets;
        w_offsets_from(sim, batch + lane, 3, far, &offsets);
        for (int part = 0; part < PARTS; part++) {
            w_tell_energy(terms, lane + (uint32_t)(part * DOUBLES), kx2_of(&offsets, batch + lane, part),
                          w_param(batch + lane, 7, part));
        }
    }
}
