// How far a surface is bent and stretched against its chart, in lanes.

#include "sim/contact/chart.h"
#include "sim/contact/lanes.h"
#include "sim/contact/meet.h"

sim_chart_refit SIM_ISA(sim_chart_refit);

static const struct sim_spread empty = {
    {SIM_PAIR_FAR, SIM_PAIR_FAR, SIM_PAIR_FAR, SIM_PAIR_FAR, SIM_PAIR_FAR, SIM_PAIR_FAR},
    {-SIM_PAIR_FAR, -SIM_PAIR_FAR, -SIM_PAIR_FAR, -SIM_PAIR_FAR, -SIM_PAIR_FAR, -SIM_PAIR_FAR},
    {SIM_PAIR_FAR, SIM_PAIR_FAR, SIM_PAIR_FAR},
    {-SIM_PAIR_FAR, -SIM_PAIR_FAR, -SIM_PAIR_FAR}};

static void boxes_take(const struct sim_features *features, uint32_t leaf, const struct sim_reach *reaches,
                       struct sim_spread *spread)
{
    for (uint32_t b = features->vertex_first[leaf]; b < features->vertex_first[leaf + 1]; b++) {
        for (uint32_t lane = 0; lane < SIM_LANES && features->vertices[b][lane] != SIM_NO_FEATURE; lane++) {
            const struct sim_reach *box = &reaches[features->vertices[b][lane]];
            for (int axis = 0; axis < 3; axis++) {
                float least = box->least[axis], most = box->most[axis];
                spread->from[axis] = least < spread->from[axis] ? least : spread->from[axis];
                spread->to[axis] = most > spread->to[axis] ? most : spread->to[axis];
            }
        }
    }
}

// The derivatives, of a triangle's sides a, b: (a b) times the inverse of what they are on the chart.
static void leaf_spread(const struct sim_features *features, uint32_t leaf, const struct sim_row *detected,
                        struct sim_spread *spread)
{
    const float(*inverse)[SIM_LANES] = (const float(*)[SIM_LANES])features->chart->inverse[leaf];
    const uint32_t here =
        features->count - leaf * SIM_LANES < SIM_LANES ? features->count - leaf * SIM_LANES : SIM_LANES;
    uint32_t places[3][SIM_LANES];
    wf least[6], most[6];
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            places[k][lane] = features->elements[leaf][k][lane < here ? lane : 0] * SIM_ROW_BYTES;
        }
    }
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        const struct w_rows x = w_rows_at(detected, places[0] + lane),
                            y = w_rows_at(detected, places[1] + lane),
                            z = w_rows_at(detected, places[2] + lane);
        const struct w_vec a = w_between(&y, &x), b = w_between(&z, &x);
        for (int i = 0; i < 6; i++) {
            wf by =
                a.x[i / 2] * w_load(inverse[i % 2] + lane) + b.x[i / 2] * w_load(inverse[2 + i % 2] + lane);
            least[i] = lane == 0 ? by : w_min(by, least[i]);
            most[i] = lane == 0 ? by : w_max(by, most[i]);
        }
    }
    for (int i = 0; i < 6; i++) {
        spread->least[i] = -w_greatest(w_set(0) - least[i]);
        spread->most[i] = w_greatest(most[i]);
    }
}

void SIM_ISA(sim_chart_refit)(struct sim_features *features, uint32_t first, uint32_t end,
                              const struct sim_row *detected, const struct sim_reach *reaches, bool all)
{
    struct sim_spread *spreads = features->chart->spreads;
    for (uint32_t l = first; l < end; l++) {
        struct sim_spread *spread = &spreads[features->leaf_count + l];
        if (l * SIM_LANES >= features->count) {
            *spread = empty;
        } else if (all || features->moved[features->leaf_count + l] != 0) {
            *spread = empty;
            leaf_spread(features, l, detected, spread);
            boxes_take(features, l, reaches, spread);
        }
    }
}
