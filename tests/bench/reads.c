// The cost of reading a world, in nanoseconds: positions, velocities and normals for each particle, measures for each
// constraint.
//
// A stream reads between ticks, so a tick runs before each round: the arrays lie in the caches as it leaves them.

#include "base/clock.h"
#include "cases.h"
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum reading { POSITIONS, POSITIONS64, VELOCITIES, NORMALS, MEASURES, READING_COUNT };
enum { REPEATS = 4 };

static const char *const fields[READING_COUNT] = {"positions_ns", "positions64_ns", "velocities_ns",
                                                  "normals_ns", "measures_ns"};

static void read_all(const struct sim *sim, uint32_t body, uint32_t count, enum reading reading, double *room)
{
    struct sim_measures measures;
    switch (reading) {
    case POSITIONS:
        sim_body_positions(sim, body, 0, count, (float *)room);
        break;
    case POSITIONS64:
        sim_body_positions64(sim, body, 0, count, room);
        break;
    case VELOCITIES:
        sim_body_velocities(sim, body, 0, count, (float *)room);
        break;
    case NORMALS:
        sim_body_normals(sim, body, (float *)room);
        break;
    default:
        sim_measure(sim, &measures);
        room[0] = measures.kinetic;
        break;
    }
}

// Median nanoseconds of one reading each. False if the world fails.
static bool time_readings(struct sim *sim, uint32_t runs, double *room, double ns[READING_COUNT])
{
    uint32_t body = sim_body_id_at(sim, 0), count = sim_particle_count(sim);
    double rounds[READING_COUNT][BENCH_RUNS_MAX];
    for (uint32_t run = 0; run < runs; run++) {
        if (!bench_tick(sim, NULL, NULL)) {
            return false;
        }
        for (int reading = 0; reading < READING_COUNT; reading++) {
            uint64_t begin = base_now_ns();
            for (int i = 0; i < REPEATS; i++) {
                read_all(sim, body, count, (enum reading)reading, room);
            }
            rounds[reading][run] = (double)(base_now_ns() - begin) / REPEATS;
        }
    }
    for (int reading = 0; reading < READING_COUNT; reading++) {
        ns[reading] = bench_median(rounds[reading], runs);
    }
    return true;
}

static bool run_kind(struct bench_report *report, const struct bench_options *options, enum bench_kind kind,
                     uint32_t width, enum sim_isa isa)
{
    struct sim *sim = bench_scene_create(kind, width, isa);
    double *room = sim != NULL ? malloc(3 * (size_t)sim_particle_count(sim) * sizeof *room) : NULL;
    double ns[READING_COUNT];
    bool good = room != NULL && time_readings(sim, options->runs, room, ns);
    if (good) {
        uint32_t particles = sim_particle_count(sim), constraints = sim_constraint_count(sim);
        json_t *row = bench_report_row(report, "reads", width, sim_isa_name(isa), 1);
        if (json_object_set_new(row, "scene", json_string(bench_kind_names[kind])) != 0) {
            report->failed = true;
        }
        bench_report_count(report, row, "constraints", constraints);
        bench_report_count(report, row, "particles", particles);
        printf("  %-16s %5" PRIu32 " %-7s", bench_kind_names[kind], width, sim_isa_name(isa));
        for (int reading = 0; reading < READING_COUNT; reading++) {
            double each = ns[reading] / (reading == MEASURES ? constraints : particles);
            bench_report_number(report, row, fields[reading], each);
            printf(" %10.2f", each);
        }
        fputc('\n', stdout);
    }
    free(room);
    sim_destroy(sim);
    return good;
}

bool bench_reads(struct bench_report *report, const struct bench_options *options)
{
    uint32_t width = options->width != 0 ? options->width : options->quick ? 60 : 300;
    uint32_t cells = 1;
    while ((cells + 2) * (cells + 2) * (cells + 2) <= width * width) {
        cells++;
    }
    printf("\nReading a world: ns a particle, measures ns a constraint; median of %" PRIu32 " runs\n\n"
           "  %-16s %5s %-7s %10s %10s %10s %10s %10s\n",
           options->runs, "scene", "width", "isa", "positions", "64 bits", "velocities", "normals",
           "measures");
    bool good = true;
    for (int kind = BENCH_EDGES; good && kind <= BENCH_TETS; kind++) {
        for (int isa = SIM_ISA_COUNT - 1; good && isa >= 0; isa--) {
            bool wanted = options->isa < 0 || options->isa == isa;
            if (wanted && sim_isa_available((enum sim_isa)isa)) {
                good = run_kind(report, options, (enum bench_kind)kind, kind == BENCH_TETS ? cells : width,
                                (enum sim_isa)isa);
            }
        }
    }
    return good;
}
