// Runs one scene, so that what it prints can be compared between builds: it must depend on nothing but the scene,
// the seed and where it was stopped.
//
//     scene SCENE THREADS [INSTRUCTION SET [TICKS [SEED]]]      SCENE is one of SCENES (scene.h); 0 ticks: all
//     scene --list                                              the instruction sets of this machine
//
// Status 2 where something failed that must not, 64 where the arguments are wrong.

#include "scene.h"

#include "base/thread.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void list_isas(void)
{
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            puts(sim_isa_name((enum sim_isa)isa));
        }
    }
}

static bool choose_isa(const char *name)
{
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (strcmp(name, sim_isa_name((enum sim_isa)isa)) == 0 && sim_isa_available((enum sim_isa)isa)) {
            sim_isa_choose((enum sim_isa)isa);
            return true;
        }
    }
    return false;
}

static bool number(const char *text, uint64_t least, uint64_t most, uint64_t *out)
{
    char *end;
    *out = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && *out >= least && *out <= most;
}

#define SCENE_ROW(name) {#name, scene_##name, &scene_##name##_ticks},
#define SCENE_NAME(name) #name "|"

int main(int argc, char **argv)
{
    base_float_assert();
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list_isas();
        return 0;
    }
    static const struct {
        const char *name;
        int (*run)(const struct scene_options *options);
        const uint32_t *ticks;
    } scenes[] = {SCENES(SCENE_ROW)};
    enum { SCENE_COUNT = sizeof scenes / sizeof scenes[0] };
    size_t chosen = 0;
    while (argc > 1 && chosen < SCENE_COUNT && strcmp(argv[1], scenes[chosen].name) != 0) {
        chosen++;
    }
    uint64_t threads = 1, ticks = 0, seed = 1;
    if (argc < 3 || argc > 6 || chosen == SCENE_COUNT || !number(argv[2], 1, 64, &threads) ||
        (argc > 3 && !choose_isa(argv[3])) || (argc > 4 && !number(argv[4], 0, UINT32_MAX, &ticks)) ||
        (argc > 5 && !number(argv[5], 1, UINT64_MAX, &seed))) {
        fputs("usage: scene " SCENES(SCENE_NAME) "THREADS [INSTRUCTION SET [TICKS [SEED]]]\n"
                                                 "       scene --list\n",
              stderr);
        return 64;
    }
    uint32_t own = *scenes[chosen].ticks;
    struct base_team *team = base_team_create((uint32_t)threads);
    if (team == NULL) {
        return 2;
    }
    struct scene_options options = {.parallel = base_team_parallel(team),
                                    .ticks = ticks == 0 || ticks > own ? own : (uint32_t)ticks,
                                    .seed = seed};
    int status = scenes[chosen].run(&options);
    base_team_destroy(team);
    return status;
}
