// The same cloths in Bullet's soft body and in a sim, in turns, on one thread.
//
// Both visit every edge 20 times a tick of 1/60 s. Bullet does that in one step of 20 iterations, as it is meant to be
// used; a sim in 20 substeps of one iteration, so that it also predicts and finishes 20 times. "Links alone" is one
// iteration of Bullet over its links, without the rest of a step.

#include "base/clock.h"
#include "bullet_cloth.h"
#include "cases.h"
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
    struct sim *sim;
    struct bench_bullet *bullet;
    uint32_t constraints, ticks;
    double sim_ns[BENCH_RUNS_MAX], bullet_ns[BENCH_RUNS_MAX], links_ns[BENCH_RUNS_MAX]; // a constraint
};

static bool bullet_init(struct pair *pair)
{
    uint32_t count = sim_particle_count(pair->sim), body = sim_body_id_at(pair->sim, 0);
    double *positions = malloc(3 * (size_t)count * sizeof *positions);
    float *inverse_masses = malloc(count * sizeof *inverse_masses);
    uint32_t(*links)[2] = malloc(pair->constraints * sizeof *links);
    if (positions != NULL && inverse_masses != NULL && links != NULL) {
        struct sim_constraint edge = {.id = 0};
        uint32_t link_count = 0;
        while (link_count < pair->constraints &&
               sim_constraint_next(pair->sim, SIM_DISTANCE, edge.id, &edge)) {
            links[link_count][0] = edge.particles[0];
            links[link_count][1] = edge.particles[1];
            link_count++;
        }
        sim_body_positions64(pair->sim, body, 0, count, positions);
        sim_body_inverse_masses(pair->sim, body, 0, count, inverse_masses);
        pair->bullet = bench_bullet_create(&(struct bench_bullet_desc){
            .particle_count = count,
            .link_count = link_count,
            .positions = positions,
            .inverse_masses = inverse_masses,
            .links = (const uint32_t(*)[2])links,
            .iterations = BENCH_SUBSTEPS,
        });
    }
    free(positions);
    free(inverse_masses);
    free(links);
    if (pair->bullet == NULL) {
        fprintf(stderr, "weft-bench: no memory for Bullet's cloth\n");
    }
    return pair->bullet != NULL;
}

static bool pair_init(struct pair *pair, uint32_t width, enum sim_isa isa, bool quick)
{
    *pair = (struct pair){.sim = bench_scene_create(BENCH_EDGES, width, isa)};
    if (pair->sim == NULL) {
        return false;
    }
    pair->constraints = sim_constraint_count(pair->sim);
    double ticks = (quick ? 5e6 : 2e7) / (1.5 * BENCH_SUBSTEPS * pair->constraints);
    pair->ticks = ticks < 2 ? 2 : (uint32_t)ticks;
    return bullet_init(pair);
}

static void pair_deinit(struct pair *pair)
{
    sim_destroy(pair->sim);
    bench_bullet_destroy(pair->bullet);
}

static bool pair_run(struct pair *pair, uint32_t round)
{
    double visits = (double)pair->ticks * BENCH_SUBSTEPS * pair->constraints;
    if (!bench_tick(pair->sim, NULL, NULL)) {
        return false;
    }
    uint64_t begin = base_now_ns();
    for (uint32_t tick = 0; tick < pair->ticks; tick++) {
        if (!bench_tick(pair->sim, NULL, NULL)) {
            return false;
        }
    }
    pair->sim_ns[round] = (double)(base_now_ns() - begin) / visits;
    bench_bullet_step(pair->bullet, 1.0 / BENCH_TICK_RATE);
    begin = base_now_ns();
    for (uint32_t tick = 0; tick < pair->ticks; tick++) {
        bench_bullet_step(pair->bullet, 1.0 / BENCH_TICK_RATE);
    }
    pair->bullet_ns[round] = (double)(base_now_ns() - begin) / visits;
    begin = base_now_ns();
    for (uint32_t iteration = 0; iteration < pair->ticks * BENCH_SUBSTEPS; iteration++) {
        bench_bullet_links(pair->bullet);
    }
    pair->links_ns[round] = (double)(base_now_ns() - begin) / visits;
    if (!bench_bullet_sound(pair->bullet)) {
        fprintf(stderr, "weft-bench: Bullet's cloth did not fall, or is no more finite\n");
        return false;
    }
    return true;
}

static void tell(struct bench_report *report, const struct pair *pair, uint32_t width, const char *isa,
                 uint32_t runs)
{
    double ratios[BENCH_RUNS_MAX], link_ratios[BENCH_RUNS_MAX];
    for (uint32_t r = 0; r < runs; r++) {
        ratios[r] = pair->bullet_ns[r] / pair->sim_ns[r];
        link_ratios[r] = pair->links_ns[r] / pair->sim_ns[r];
    }
    double ns = bench_median(pair->sim_ns, runs), bullet_ns = bench_median(pair->bullet_ns, runs);
    double links_ns = bench_median(pair->links_ns, runs), ratio = bench_median(ratios, runs);
    printf("  %4" PRIu32 " x %-4" PRIu32 " %8" PRIu32
           " %8.2f %8.2f %8.2f    %6.1f times (links alone %.1f)\n",
           width, width, pair->constraints, ns, bullet_ns, links_ns, ratio, bench_median(link_ratios, runs));
    fflush(stdout);
    json_t *row = bench_report_row(report, "bullet", width, isa, 1);
    bench_report_count(report, row, "constraints", pair->constraints);
    bench_report_count(report, row, "substeps", BENCH_SUBSTEPS);
    bench_report_number(report, row, "ns_per_constraint", ns);
    bench_report_number(report, row, "ns_per_constraint_best", bench_least(pair->sim_ns, runs));
    bench_report_number(report, row, "ms_per_tick", 1e-6 * ns * pair->constraints * BENCH_SUBSTEPS);
    bench_report_number(report, row, "bullet_ns_per_constraint", bullet_ns);
    bench_report_number(report, row, "bullet_ns_per_constraint_best", bench_least(pair->bullet_ns, runs));
    bench_report_number(report, row, "bullet_links_ns_per_constraint", links_ns);
    bench_report_number(report, row, "ratio", ratio);
    bench_report_number(report, row, "ratio_links", bench_median(link_ratios, runs));
    bench_report_hash(report, row, sim_hash(pair->sim));
}

bool bench_bullet(struct bench_report *report, const struct bench_options *options)
{
    static const uint32_t widths[] = {32, 100, 300};
    uint32_t count = options->width != 0 ? 1 : options->quick ? 2 : 3;
    enum sim_isa isa = options->isa >= 0 ? (enum sim_isa)options->isa : bench_isa_best();
    printf("\nBullet's soft body on the same cloths, one thread, nanoseconds an edge and iteration\n\n"
           "    cloth        edges     weft   Bullet    links    Bullet over weft, whole ticks\n");
    bool good = true;
    for (uint32_t i = 0; good && i < count; i++) {
        struct pair pair;
        uint32_t width = options->width != 0 ? options->width : widths[i];
        good = pair_init(&pair, width, isa, options->quick);
        for (uint32_t round = 0; good && round < options->runs; round++) {
            good = pair_run(&pair, round);
        }
        if (good) {
            tell(report, &pair, width, sim_isa_name(isa), options->runs);
        }
        pair_deinit(&pair);
    }
    return good;
}
