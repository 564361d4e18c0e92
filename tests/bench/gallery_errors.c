#include "gallery_errors.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct place {
    uint32_t body;
    uint32_t first_edge, edges; // ids of its own distances
    uint32_t count;
    double *positions;
};

static void look_at_bodies(struct gallery_errors *errors, const struct sim_convergence *bodies,
                           uint32_t count)
{
    double worst = 0, rms = 0, unresolved[SIM_PART_COUNT] = {0};
    for (uint32_t b = 0; b < count; b++) {
        worst = fmax(worst, bodies[b].strain_max);
        rms = fmax(rms, bodies[b].strain_rms);
        for (int part = 0; part < SIM_PART_COUNT; part++) {
            unresolved[part] = fmax(unresolved[part], bodies[b].unresolved[part]);
        }
    }
    errors->strain_max = fmax(errors->strain_max, worst);
    errors->strain_worst += worst;
    errors->strain_rms += rms;
    for (int part = 0; part < SIM_PART_COUNT; part++) {
        errors->unresolved[part] += unresolved[part];
    }
}

static const struct place *find(const struct place *places, uint32_t count, uint32_t body)
{
    for (uint32_t b = 0; b < count; b++) {
        if (places[b].body == body) {
            return &places[b];
        }
    }
    return NULL;
}

static double length_of(const struct sim_constraint *edge, const struct place *a, const struct place *b)
{
    const double *from = a->positions + 3 * (size_t)edge->particles[0];
    const double *to = b->positions + 3 * (size_t)edge->particles[1];
    double x = from[0] - to[0], y = from[1] - to[1], z = from[2] - to[2];
    return sqrt(x * x + y * y + z * z);
}

static void look_at_edges(struct gallery_errors *errors, const struct sim *sim, const struct place *places,
                          uint32_t count)
{
    struct sim_constraint edge = {.id = 0};
    double worst = 0, squares = 0, gap = 0;
    uint64_t own = 0;
    while (sim_constraint_next(sim, SIM_DISTANCE, edge.id, &edge)) {
        const struct place *a = find(places, count, edge.bodies[0]), *b = find(places, count, edge.bodies[1]);
        const double length = length_of(&edge, a, b);
        if (a == b && edge.rest > 0 && edge.id >= a->first_edge && edge.id - a->first_edge < a->edges) {
            const double strain = fmax(0, length / edge.rest - 1);
            worst = fmax(worst, strain);
            squares += strain * strain;
            own++;
        } else {
            gap = fmax(gap, fabs(length - edge.rest));
        }
    }
    errors->edge_max = fmax(errors->edge_max, worst);
    errors->edge_worst += worst;
    errors->edge_rms += own > 0 ? sqrt(squares / (double)own) : 0;
    errors->gap += gap;
}

static void look_at_heights(struct gallery_errors *errors, const struct place *places, uint32_t count)
{
    double sum = 0;
    uint64_t particles = 0;
    for (uint32_t b = 0; b < count; b++) {
        for (uint32_t i = 0; i < places[b].count; i++, particles++) {
            const double height = places[b].positions[3 * (size_t)i + 1];
            errors->lowest = errors->ticks == 0 && particles == 0 ? height : fmin(errors->lowest, height);
            sum += height;
        }
    }
    errors->height = particles > 0 ? sum / (double)particles : 0;
}

static bool take_places(struct place *places, uint32_t count, const struct sim *sim)
{
    for (uint32_t b = 0; b < count; b++) {
        struct sim_body_info info;
        sim_body_info(sim, sim_body_id_at(sim, b), &info);
        places[b] = (struct place){.body = info.body,
                                   .first_edge = info.constraint_first[SIM_DISTANCE],
                                   .edges = info.constraint_count[SIM_DISTANCE],
                                   .count = info.particle_count,
                                   .positions = malloc(sizeof(double[3]) * info.particle_count)};
        if (!places[b].positions) {
            return false;
        }
        sim_body_positions64(sim, info.body, 0, info.particle_count, places[b].positions);
    }
    return true;
}

static void look_at_contact(struct gallery_errors *errors, const struct sim *sim)
{
    struct sim_measures measures;
    struct sim_meetings met;
    sim_measure(sim, &measures);
    sim_meetings_of(sim, &met);
    errors->kinetic += measures.kinetic;
    errors->deepest = fmax(errors->deepest, met.deepest);
    errors->deepest_mean += met.deepest;
    errors->dropped += met.dropped;
    const uint64_t crossings = sim_crossings(sim);
    errors->crossings = crossings > errors->crossings ? crossings : errors->crossings;
}

bool gallery_errors_look(struct gallery_errors *errors, struct sim *sim)
{
    const uint32_t count = sim_body_count(sim);
    struct sim_convergence *bodies = calloc(count + 1, sizeof *bodies);
    struct place *places = calloc(count + 1, sizeof *places);
    const bool good = bodies && places && sim_converged(sim, bodies) && take_places(places, count, sim);
    if (good) {
        look_at_bodies(errors, bodies, count);
        look_at_edges(errors, sim, places, count);
        look_at_heights(errors, places, count);
        look_at_contact(errors, sim);
        errors->ticks++;
    }
    for (uint32_t b = 0; places && b < count; b++) {
        free(places[b].positions);
    }
    free(places);
    free(bodies);
    return good;
}

void gallery_errors_finish(struct gallery_errors *errors)
{
    double *const sums[] = {&errors->strain_worst, &errors->strain_rms, &errors->edge_worst,
                            &errors->edge_rms,     &errors->gap,        &errors->deepest_mean,
                            &errors->kinetic};
    for (size_t i = 0; errors->ticks > 0 && i < sizeof sums / sizeof *sums; i++) {
        *sums[i] /= errors->ticks;
    }
    for (int part = 0; errors->ticks > 0 && part < SIM_PART_COUNT; part++) {
        errors->unresolved[part] /= errors->ticks;
    }
}

void gallery_errors_tell(struct bench_report *report, json_t *row, const struct gallery_errors *errors)
{
    printf("    above limit %.2f, %.2f, rms %.3f %%; edges %.2f, %.2f, rms %.3f %%; gap %.2f mm; unresolved "
           "%.1f, "
           "%.1f, %.1f %%\n    deepest %.3f, mean %.3f; crossings %" PRIu64 ", dropped %" PRIu64
           "; lowest %.3f, height %.4f m; %.4g J\n",
           100 * errors->strain_max, 100 * errors->strain_worst, 100 * errors->strain_rms,
           100 * errors->edge_max, 100 * errors->edge_worst, 100 * errors->edge_rms, 1e3 * errors->gap,
           100 * errors->unresolved[SIM_PART_STRETCH], 100 * errors->unresolved[SIM_PART_BEND],
           100 * errors->unresolved[SIM_PART_VOLUMES], errors->deepest, errors->deepest_mean,
           errors->crossings, errors->dropped, errors->lowest, errors->height, errors->kinetic);
    const struct {
        const char *field;
        double value;
    } numbers[] = {
        {"strain_max", errors->strain_max},
        {"strain_worst", errors->strain_worst},
        {"strain_rms", errors->strain_rms},
        {"edge_max", errors->edge_max},
        {"edge_worst", errors->edge_worst},
        {"edge_rms", errors->edge_rms},
        {"gap", errors->gap},
        {"unresolved_stretch", errors->unresolved[SIM_PART_STRETCH]},
        {"unresolved_bend", errors->unresolved[SIM_PART_BEND]},
        {"unresolved_volume", errors->unresolved[SIM_PART_VOLUMES]},
        {"deepest", errors->deepest},
        {"deepest_mean", errors->deepest_mean},
        {"lowest", errors->lowest},
        {"height", errors->height},
        {"kinetic", errors->kinetic},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        bench_report_number(report, row, numbers[i].field, numbers[i].value);
    }
    bench_report_count(report, row, "crossings", errors->crossings);
    bench_report_count(report, row, "dropped", errors->dropped);
}
