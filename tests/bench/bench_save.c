// How long world.save stops a world that plays: bench_save [SECONDS [WIDTH…]].
//
// A square cloth falls as fast as it can be computed, on two threads, and its ticks rest after 10 ms, as where another
// world waits for the thread. The longest turn until a save is answered stands beside the longest of as much time in which
// nobody asks for anything: medians of five. The parts of a stop stand by themselves: the copying of
// all velocities and all positions, and what it adds to the ends of a tick where nothing of it was copied before.
#include "base/clock.h"
#include "base/thread.h"
#include "cloth_document.h"
#include "document/document.h"
#include "protocol/params.h"
#include "scene.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool post(struct world *world)
{
    static const char save[] = "\x94\x00\x01\xaaworld.save\x91\x81\xa5world\x01";
    struct world_packet *packet = calloc(1, sizeof *packet);
    const struct document_constants constants = world_constants_of(world);
    const struct world_asker asker = {.session = 1, .arrays = PROTOCOL_ARRAYS_EXT};
    struct protocol_error error = {0};
    size_t offset = 0;
    packet->size = sizeof save - 1;
    packet->bytes = malloc(packet->size);
    memcpy(packet->bytes, save, packet->size);
    msgpack_zone_init(&packet->zone, 8192);
    msgpack_object *root = msgpack_zone_malloc(&packet->zone, sizeof *root);
    if (msgpack_unpack((const char *)packet->bytes, packet->size, &offset, &packet->zone, root) < 0 ||
        !protocol_message_parse(root, &packet->message, &error)) {
        return false;
    }
    struct world_request *request =
        world_request_create(packet, PROTOCOL_METHOD_WORLD_SAVE, &asker, &constants, &error);
    return request && world_post(world, request, &error);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// True if it was answered; *size is then that of the answer.
static bool taken(struct world *world, size_t *size)
{
    bool answered = false;
    for (struct world_event *event; (event = world_take(world)) != NULL; world_event_destroy(event)) {
        if (event->kind == WORLD_REPLY) {
            answered = true;
            *size = event->bytes[0] ? event->bytes[0]->size : 0;
        }
    }
    return answered;
}

static double greatest(double a, double b)
{
    return a > b ? a : b;
}

static double turn_ms(struct world *world)
{
    uint64_t from_ns = base_now_ns();
    world_turn(world, from_ns);
    return (double)(base_now_ns() - from_ns) * 1e-6;
}

#ifndef WEFT_BENCH_NO_STILLS
static double least(double a, double b)
{
    return a > 0 && a < b ? a : b;
}

struct marks {
    uint64_t first_ns, last_ns;
};

static void phase_ends(void *context, enum sim_phase phase)
{
    struct marks *marks = context;
    (void)phase;
    marks->last_ns = base_now_ns();
    marks->first_ns = marks->first_ns == 0 ? marks->last_ns : marks->first_ns;
}

// Time of a tick: until its first phase ends, and from the end of the last one.
static void ends_of_tick(struct sim *sim, struct base_parallel *parallel, double *start, double *end)
{
    struct marks marks = {0};
    const struct sim_hooks hooks = {.context = &marks, .on_phase = phase_ends};
    uint64_t from_ns = base_now_ns();
    (void)bench_tick(sim, parallel, &hooks);
    *end = (double)(base_now_ns() - marks.last_ns) * 1e-6;
    *start = (double)(marks.first_ns - from_ns) * 1e-6;
}

static void parts(uint32_t width, struct base_parallel *parallel)
{
    enum { TICKS = 15 };
    struct sim *sim = bench_scene_create(BENCH_EDGES, width, bench_isa_best());
    double start[2][TICKS], end[2][TICKS], create = 0, begin = 0, velocities = 0, positions = 0;
    for (int tick = 0; sim && tick < TICKS; tick++) {
        uint64_t at[5] = {base_now_ns()};
        struct sim_still *still = sim_still_create(sim);
        at[1] = base_now_ns();
        sim_still_begin(still, sim);
        at[2] = base_now_ns();
        sim_still_go_on(still, UINT32_MAX);
        at[3] = base_now_ns();
        sim_still_go_on(still, UINT32_MAX);
        at[4] = base_now_ns();
        create = least(create, (double)(at[1] - at[0]) * 1e-6);
        begin = least(begin, (double)(at[2] - at[1]) * 1e-6);
        velocities = least(velocities, (double)(at[3] - at[2]) * 1e-6);
        positions = least(positions, (double)(at[4] - at[3]) * 1e-6);
        sim_still_end(still);
        ends_of_tick(sim, parallel, &start[0][tick], &end[0][tick]);
        sim_still_begin(still, sim);
        ends_of_tick(sim, parallel, &start[1][tick], &end[1][tick]);
        sim_still_destroy(still);
    }
    for (int with = 0; sim && with < 2; with++) {
        qsort(start[with], TICKS, sizeof **start, by_value);
        qsort(end[with], TICKS, sizeof **end, by_value);
    }
    if (sim) {
        printf("  copied by one thread, at best: begin %.3f ms, velocities %.2f ms, positions %.2f ms "
               "(memory, aside: "
               "%.1f ms)\n  copied by the tick, two threads: its beginning %.2f ms instead of %.2f, its end "
               "%.2f ms "
               "instead of %.2f\n",
               begin, velocities, positions, create, start[1][TICKS / 2], start[0][TICKS / 2],
               end[1][TICKS / 2], end[0][TICKS / 2]);
    }
    sim_destroy(sim);
}
#endif

static bool measure(uint32_t width, double seconds)
{
    struct document *document = bench_cloth_document(&(struct bench_cloth){.width = width, .bends = true});
    struct base_team *team = base_team_create(2);
    if (!document || !team) {
        return false;
    }
    struct protocol_world_create_params settings;
    document_settings(document, &settings);
    struct world *world = world_create(&(struct world_options){.id = 1,
                                                               .name = "cloth",
                                                               .settings = &settings,
                                                               .document = document,
                                                               .parallel = base_team_parallel(team)});
    world_play(world, 1, false, base_now_ns() - UINT64_C(1000000000));
    enum { ROUNDS = 5 };
    double with[ROUNDS], without[ROUNDS], took[ROUNDS];
    size_t size = 0;
    for (uint64_t end_ns = base_now_ns() + (uint64_t)(seconds * 1e9); base_now_ns() < end_ns;) {
        turn_ms(world);
    }
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t from_ns = base_now_ns();
        with[round] = without[round] = 0;
        if (!post(world)) {
            return false;
        }
        for (bool answered = false; !answered; answered = taken(world, &size)) {
            with[round] = greatest(with[round], turn_ms(world));
        }
        uint64_t took_ns = base_now_ns() - from_ns;
        took[round] = (double)took_ns * 1e-6;
        for (uint64_t end_ns = base_now_ns() + took_ns; base_now_ns() < end_ns;) {
            without[round] = greatest(without[round], turn_ms(world));
        }
    }
    qsort(with, ROUNDS, sizeof *with, by_value);
    qsort(without, ROUNDS, sizeof *without, by_value);
    qsort(took, ROUNDS, sizeof *took, by_value);
    printf("%u particles: longest turn %.2f ms, with a save %.2f ms; answered in %.0f ms, %.1f MB\n",
           width * width, without[ROUNDS / 2], with[ROUNDS / 2], took[ROUNDS / 2], (double)size * 1e-6);
#ifndef WEFT_BENCH_NO_STILLS
    parts(width, base_team_parallel(team));
#endif
    fflush(stdout);
    world_destroy(world);
    document_destroy(document);
    base_team_destroy(team);
    return true;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 2;
    static const uint32_t widths[] = {20, 32, 45, 100, 316, 1000};
    if (argc > 2) {
        for (int i = 2; i < argc; i++) {
            if (!measure((uint32_t)atoi(argv[i]), seconds)) {
                return 1;
            }
        }
        return 0;
    }
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        if (!measure(widths[i], seconds)) {
            return 1;
        }
    }
    return 0;
}
