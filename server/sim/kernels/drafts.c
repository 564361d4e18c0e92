// Winds and fans: fields of force that move the air, which triangles then feel as they feel the wind of the world (wind.c). Once
// a tick the air at each particle is
//
//     u   = U + gusts + sum b u_f               over the fields in the order of their ids; b is the share of the region there
//     wind   u_f = V
//     fan    u_f = n S min(1, 6 D / s) / (1 + 0.414 (q / l)^2)^2        l = max(D/2, 0.094 s)
//     rho = that of the world's air, or, where the world has none, 1.2 kg/m^3 times the greatest b
//
// s is how far a place is before the fan, and q how far from its axis. A fan is a round jet that has its speed S as far as six
// diameters, and slows down and widens beyond (H. Tennekes, J. L. Lumley: A First Course in Turbulence, 1972, and S. B. Pope:
// Turbulent Flows, 2000, have such profiles). At q = l the speed is half of that on the axis. Behind the fan it fades within D/2.
//
// A place is the difference of whole coordinates, rounded once, so a field is as fine far from the origin as at it.

#include "sim/kernels/region.h"
#include "sim/kernels/wind.h"

#define HALF_DENSITY 0.6f // kg/m^3, of the air that a field brings along
#define CORE 6.0f         // diameters in which a jet keeps its speed
#define SPREAD 0.094f     // how fast its half width grows
#define HALF_WIDTH 0.414f // (sqrt 2) - 1

// The air at some particles.
struct breath {
    struct w_vec u; // m/s
    wf half;        // half of its density
};

SIM_INLINE struct w_vec way_from(const struct sim *sim, const struct sim_chunk *chunk, uint32_t first,
                                 const int64_t middle[3])
{
    float parts[3][WIDE];
    struct w_vec r;
    for (uint32_t lane = 0; lane < WIDE; lane++) {
        const uint32_t last = chunk->count - 1, at = first + lane;
        const int64_t *x = sim->positions[chunk->first_row + (at < last ? at : last)];
        for (int axis = 0; axis < 3; axis++) {
            parts[axis][lane] = (float)(x[axis] - middle[axis]);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        r.x[axis] = w_load(parts[axis]) * w_set(sim->times.q);
    }
    return r;
}

SIM_INLINE wf jet_of(const struct sim_force_now *fan, const struct w_vec *r, const struct w_vec *n)
{
    const struct w_vec around = w_cross(*n, *r);
    const wf s = w_dot(*n, *r), d = w_set(fan->width), half = w_set(0.5f) * d;
    const wf l = w_max(half, w_set(SPREAD) * s);
    const wf profile = w_set(1) + w_set(HALF_WIDTH) * (w_dot(around, around) / (l * l));
    const wf along = w_set(fan->strength) * w_min(w_set(1), (w_set(CORE) * d) / w_max(s, d));
    return fade_out(w_negative(s) / half) * (along / (profile * profile));
}

SIM_INLINE void field_blow(const struct sim_force_now *field, const struct w_vec *r, struct breath *breath)
{
    const wf share = region_of(field, r);
    struct w_vec u = {{w_set(field->velocity[0]), w_set(field->velocity[1]), w_set(field->velocity[2])}};
    if (field->kind == SIM_FORCE_FAN) {
        const struct w_vec n = {{w_set(field->axis[0]), w_set(field->axis[1]), w_set(field->axis[2])}};
        const wf speed = jet_of(field, r, &n);
        for (int axis = 0; axis < 3; axis++) {
            u.x[axis] = speed * n.x[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        breath->u.x[axis] = breath->u.x[axis] + share * u.x[axis];
    }
    breath->half = w_max(breath->half, share * w_set(HALF_DENSITY));
}

void SIM_ISA(sim_drafts_add)(struct sim *sim, const struct sim_chunk *chunk)
{
    const bool gusty = sim_wind_gusts(&sim->settings.wind), airless = !(sim->settings.wind.density > 0);
    for (uint32_t first = 0; first < chunk->count; first += WIDE) {
        const uint32_t count = chunk->count - first < WIDE ? chunk->count - first : WIDE;
        struct sim_velocity *air = &sim->air[chunk->first_row + first];
        float parts[3][WIDE] = {{0}}, halves[WIDE];
        for (uint32_t lane = 0; lane < count; lane++) {
            for (int axis = 0; axis < 3; axis++) {
                parts[axis][lane] = gusty ? air[lane].v[axis] : sim->times.wind[axis];
            }
        }
        struct breath breath = {{{w_load(parts[0]), w_load(parts[1]), w_load(parts[2])}}, w_set(0)};
        for (uint32_t f = 0; f < sim->settings.forces.count; f++) {
            if (chunk->body->drafts & 1u << f) {
                const struct w_vec r = way_from(sim, chunk, first, sim->fields[f].middle);
                field_blow(&sim->fields[f], &r, &breath);
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            w_store(parts[axis], breath.u.x[axis]);
        }
        w_store(halves, airless ? breath.half : w_set(sim->times.half_density));
        for (uint32_t lane = 0; lane < count; lane++) {
            air[lane] = (struct sim_velocity){{parts[0][lane], parts[1][lane], parts[2][lane]}, halves[lane]};
        }
    }
}

void SIM_ISA(sim_wind_blow_drafts)(struct sim *sim, struct sim_tile *tile)
{
    blow(sim, tile, AIR_DRAFTS);
}
