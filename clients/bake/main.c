// weft-bake, which `weft bake` runs.
#include "bake/bake.h"

#include "base/room.h"
#include "base/thread.h"
#include "protocol/generated/api.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t stop_asked;

static bool stop(void)
{
    return stop_asked != 0;
}

// A second signal ends the program at once; the last checkpoint stays.
static void on_signal(int number)
{
    stop_asked = 1;
    signal(number, SIG_DFL);
}

int main(int argc, char **argv)
{
    base_room_start();
    setlocale(LC_CTYPE, ""); // for the bar, which uses block characters if the locale has them
    struct bake_options options;
    struct fault fault;
    struct bake_scene scene = {0};
    enum bake_parsed parsed = bake_options_parse(argc, argv, &options, &fault);
    enum bake_status status = BAKE_OK;
    if (parsed == BAKE_HELP) {
        bake_help();
    } else if (parsed == BAKE_VERSION) {
        printf("weft-bake " PROTOCOL_VERSION "\n");
    } else if (parsed == BAKE_WRONG) {
        fprintf(stderr, "weft: USAGE: %s\n", fault.text);
        status = BAKE_USAGE;
    } else {
        base_float_assert();
        sim_isa_choose(options.isa);
        signal(SIGINT, on_signal);
        signal(SIGTERM, on_signal);
        if (signal(SIGHUP, on_signal) == SIG_IGN) {
            signal(SIGHUP, SIG_IGN); // nohup
        }
        if (options.take) {
            status = bake_play(&options, stop);
        } else if (options.from ? bake_scene_from(&options, stop, &scene, &fault)
                                : bake_scene_read(options.scene, &scene, &fault)) {
            status = bake_sweep(&options, &scene, stop);
        } else if (stop()) {
            status = BAKE_STOPPED;
        } else {
            fprintf(stderr, "weft: FILE: %s\n", fault.text);
            status = BAKE_USAGE;
        }
    }
    bake_scene_deinit(&scene);
    bake_options_deinit(&options);
    return status;
}
