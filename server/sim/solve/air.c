// Gusts: what of the wind changes from place to place and from tick to tick.
//
// Six octaves of noise, each with cells half as wide as those of the one before it. The widest cells are 4 lengths wide, rounded
// to a power of two quanta. The weights were fitted to von Karman's spectrum of turbulence; what they leave out are eddies
// smaller than the last cells.
//
// Each octave is a frozen pattern that the wind carries along (G. I. Taylor, 1938), and a little of its own besides, so that
// the pattern changes also for what moves with the wind. How far it has come is state: `way` adds up U / rate in each tick. It
// is not U t, which would jump when somebody changes U.

#include "sim/solve/air.h"

#include "sim/ground/ground.h"
#include "sim/solve/solve.h"

#include <math.h>

// Velocities of the octaves against the mean wind, in sixteenths of the rms of the gusts. Those of the first four sum to 0.
static const int64_t drifts[SIM_AIR_OCTAVES][3] = {{9, 5, -3},  {-6, 4, 8}, {-8, -7, 4},
                                                   {5, -2, -9}, {7, -4, 6}, {-5, -7, -8}};
// Parts of the rms of the gusts.
static const double weights[SIM_AIR_OCTAVES] = {1.5208, 1.2288, 1.3121, 1.0415, 0.8266, 0.6561};

static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

// Cells of the first octave are 2^shift quanta wide: next to 4 lengths, by ratio.
static uint32_t shift_of(double quanta)
{
    uint32_t shift = SIM_AIR_OCTAVES;
    for (double width = (double)(1u << SIM_AIR_OCTAVES); width * 1.4142135623730951 < quanta && shift < 62;
         width *= 2) {
        shift++;
    }
    return shift;
}

static void coefficients_set(const struct sim_body *body, const struct sim_wind *wind)
{
    for (uint32_t t = 0; t < body->tile_count[SIM_GUSTS]; t++) {
        struct sim_tile *tile = &body->tiles[SIM_GUSTS][t];
        tile->drag = (float)(body->wind.drag_own ? body->wind.drag : wind->drag);
        tile->lift = (float)(body->wind.lift_own ? body->wind.lift : wind->lift);
    }
}

void sim_air_set(struct sim *sim)
{
    const struct sim_wind *wind = &sim->settings.wind;
    for (uint32_t b = 0; sim_air_blows(sim) && b < sim->body_count; b++) {
        coefficients_set(sim->bodies[b], wind);
    }
    if (!sim_wind_gusts(wind)) {
        return;
    }
    const uint32_t shift = shift_of(4 * wind->gust_length * sim->inv_q);
    const int64_t own = (int64_t)(wind->gust_way[3] * sim->inv_q);
    for (int axis = 0; axis < 3; axis++) {
        sim->gale.mean[axis] = (float)wind->velocity[axis];
    }
    for (uint32_t o = 0; o < SIM_AIR_OCTAVES; o++) {
        struct sim_air_octave *octave = &sim->gale.octaves[o];
        octave->shift = shift - o;
        octave->seed = mix(wind->gust_seed + 0x9e3779b9u * (o + 1));
        octave->weight = (float)(wind->gusts * weights[o]);
        for (int axis = 0; axis < 3; axis++) {
            octave->drift[axis] = (int64_t)(wind->gust_way[axis] * sim->inv_q) + own / 16 * drifts[o][axis];
        }
    }
}

static void blow_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (chunk->body->surface_count > 0 && chunk->count > 0) {
        sim->kernels->air(sim, chunk);
    }
}

void sim_air_begin(struct sim *sim, struct base_parallel *parallel)
{
    if (sim_wind_gusts(&sim->settings.wind)) {
        sim_run_tasks(sim, parallel, sim->chunk_count, blow_task);
    }
    if (sim_forces_blow(&sim->settings.forces)) {
        sim_drafts_begin(sim, parallel);
    }
}

// The way after a tick, in whole quanta. A way beyond what the settings may hold starts again.
static double way_on(const struct sim *sim, double way, double speed)
{
    const double most = SIM_GUST_WAY_MAX * sim->q;
    way += floor(speed / sim->settings.tick_rate * sim->inv_q + 0.5) * sim->q;
    return way <= most && way >= -most ? way : 0;
}

void sim_air_end(struct sim *sim)
{
    struct sim_wind *wind = &sim->settings.wind;
    if (!sim_wind_gusts(wind)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        wind->gust_way[axis] = way_on(sim, wind->gust_way[axis], wind->velocity[axis]);
    }
    wind->gust_way[3] = way_on(sim, wind->gust_way[3], wind->gusts);
}

bool sim_air_moves(const struct sim *sim, const struct sim_body *body)
{
    bool moves = false;
    const bool felt = sim_wind_gusts(&sim->settings.wind) && body->surface_count > 0;
    for (uint32_t row = body->first_row; row < body->first_row + body->count && felt && !moves; row++) {
        moves = sim->rows[row].w > 0;
    }
    return moves;
}
