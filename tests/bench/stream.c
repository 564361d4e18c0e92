// weft-bench stream: what it takes to show worlds to many.
//
// Everything is of processes and sockets as they are in use: a weftd of its own on loopback, and readers in another process.
// Beside it stands a program with libuv alone that writes the same bytes from one shared buffer to as many sockets; both have
// the same readers, and take turns. What weftd writes is of worlds that run meanwhile, on cores that the other leaves idle.

#include "stream.h"

#include "cases.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS_MAX = 21,
    CONNECTIONS_MORE = 64, // than there are readers
    TICK_RATE = 60,
    FREE_RATE = 1000, // ticks a second of the worlds that go as fast as they are read
    KIB = 1024,
    STALLED_KIB = 256,
    CONNECTION_KIB = 16,
};

struct how {
    const char *only, *weftd;
    uint32_t bytes, subscribers, stalled; // 0: those of the case
    uint32_t connections, worlds, rate;
    uint32_t rounds;
    double seconds;
    bool quick;
};

// ------------------------------------------------------------------------------------------------------ throughput

struct shape {
    uint32_t bytes, subscribers;
    double goal; // of what libuv alone does; 0: none
};

static const struct shape shapes[] = {
    {1 * KIB, 1, 0},      {1 * KIB, 64, 0.75},  {1 * KIB, 1000, 0.75},
    {11 * KIB, 64, 0.75}, {120 * KIB, 64, 0.9}, {1024 * KIB, 8, 0.9},
};

struct rate {
    double frames, bytes; // a second
    double loop_us, busy; // of the thread that writes: processor time a frame, share of the time
};

// Starts readers, lets them come, and looks at what they get.
static bool measure(const struct how *how, const struct bench_served *served, uint32_t subscribers,
                    size_t frame, struct rate *rate)
{
    const struct bench_reading reading = {
        .port = served->port,
        .count = subscribers,
        .worlds = served->client != NULL ? served->worlds : NULL,
        .world_count = served->world_count,
        .every = 1,
    };
    struct bench_readers readers;
    bool good = bench_readers_start(&readers, &reading) && bench_readers_wait(&readers);
    if (good) {
        bench_sleep_s(0.15);
        uint64_t bytes = atomic_load(&readers.shared->bytes);
        const double loop = bench_served_loop_s(served);
        const uint64_t began = bench_now_ns();
        bench_sleep_s(how->seconds);
        bytes = atomic_load(&readers.shared->bytes) - bytes;
        const double s = (double)(bench_now_ns() - began) * 1e-9;
        const double used = bench_served_loop_s(served) - loop;
        const double frames = (double)bytes / (double)frame;
        *rate = (struct rate){frames / s, (double)bytes / s, frames > 0 ? 1e6 * used / frames : 0, used / s};
        good = frames > 0 && !atomic_load(&readers.shared->failed);
    }
    bench_readers_stop(&readers);
    return good;
}

static bool measure_bare(const struct how *how, const uint8_t *bytes, size_t size, uint32_t subscribers,
                         struct rate *rate)
{
    struct bench_served bare;
    if (!bench_served_bare(&bare, bytes, size)) {
        return false;
    }
    const bool good = measure(how, &bare, subscribers, size, rate);
    bench_served_stop(&bare);
    return good;
}

static void tell_throughput(struct bench_report *report, const struct shape *shape, size_t frame,
                            const struct how *how, const struct rate *weft, const struct rate *bare)
{
    double values[7][ROUNDS_MAX];
    for (uint32_t i = 0; i < how->rounds; i++) {
        values[0][i] = weft[i].frames;
        values[1][i] = bare[i].frames;
        values[2][i] = weft[i].bytes / bare[i].bytes;
        values[3][i] = weft[i].loop_us;
        values[4][i] = bare[i].loop_us;
        values[5][i] = bare[i].loop_us / weft[i].loop_us;
        values[6][i] = weft[i].busy;
    }
    double middle[7];
    for (int i = 0; i < 7; i++) {
        middle[i] = bench_median(values[i], how->rounds);
    }
    printf("%8zu B to %4u   %9.0f frames/s %6.0f MB/s   libuv alone %9.0f   ratio %5.1f %%   "
           "us a frame %6.2f and %6.2f (%3.0f %%)   busy %3.0f %%\n",
           frame, shape->subscribers, middle[0], middle[0] * (double)frame * 1e-6, middle[1], 100 * middle[2],
           middle[3], middle[4], 100 * middle[5], 100 * middle[6]);
    json_t *row = bench_report_row(report, "throughput", 0, NULL, 0);
    static const char *const names[] = {"frames_per_second", "bare_frames_per_second", "ratio",
                                        "loop_us_per_frame", "bare_loop_us_per_frame", "loop_ratio",
                                        "loop_busy"};
    bench_report_count(report, row, "frame_bytes", frame);
    bench_report_count(report, row, "subscribers", shape->subscribers);
    for (int i = 0; i < 7; i++) {
        bench_report_number(report, row, names[i], middle[i]);
    }
    if (shape->goal > 0) {
        struct bench_goal goal = {
            .value = 100 * middle[2], .limit = 100 * shape->goal, .unit = "%", .at_least = true};
        snprintf(goal.what, sizeof goal.what, "of what libuv alone writes, %zu B to %u", frame,
                 shape->subscribers);
        bench_report_goal(report, row, &goal);
    }
}

// The world goes a little faster than libuv alone can write, so that it is never waited for.
static bool throughput_of(struct bench_report *report, const struct how *how, struct bench_served *served,
                          const struct shape *shape)
{
    struct rate weft[ROUNDS_MAX], bare[ROUNDS_MAX];
    size_t size = 0;
    if (!bench_served_worlds(served, 1, shape->bytes, FREE_RATE, false) || !bench_served_play(served, 1)) {
        return false;
    }
    uint8_t *frame = bench_frame_of(served->port, served->worlds[0], &size);
    bool good = frame != NULL;
    for (uint32_t round = 0; good && round < how->rounds; round++) {
        good = bench_served_play(served, 1e-3) &&
               measure_bare(how, frame, size, shape->subscribers, &bare[round]);
        if (!good) {
            break;
        }
        const double wanted = 1.1 * bare[round].frames / shape->subscribers / FREE_RATE;
        good = bench_served_play(served, wanted < 1000 ? wanted : 1000) &&
               measure(how, served, shape->subscribers, size, &weft[round]);
    }
    if (good) {
        tell_throughput(report, shape, size, how, weft, bare);
    }
    free(frame);
    bench_served_forget(served);
    return good;
}

static bool throughput(struct bench_report *report, const struct how *how, struct bench_served *served)
{
    puts("\nFrames as fast as they are read; points that fall, one substep a tick:");
    if (how->bytes != 0 || how->subscribers != 0) {
        const struct shape shape = {how->bytes != 0 ? how->bytes : 11 * KIB,
                                    how->subscribers != 0 ? how->subscribers : 64, 0};
        return throughput_of(report, how, served, &shape);
    }
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (how->quick && shapes[i].bytes * shapes[i].subscribers > 100 * KIB) {
            continue;
        }
        if (!throughput_of(report, how, served, &shapes[i])) {
            return false;
        }
        fflush(stdout);
    }
    return true;
}

// -------------------------------------------------------------------------------------------------------------- age

struct crowd {
    uint32_t bytes, subscribers, every;
    double seconds;
};

// Readers that are there already; ages over some seconds from now on.
static bool look(const struct bench_readers *readers, struct bench_served *served, double seconds,
                 struct bench_ages *ages)
{
    const double lost = bench_served_lost_ms(served);
    atomic_store(&readers->shared->sample_count, 0);
    atomic_store(&readers->shared->measuring, true);
    const double loop = bench_served_loop_s(served), all = bench_served_all_s(served);
    bench_sleep_s(seconds);
    const double loop_s = bench_served_loop_s(served) - loop, all_s = bench_served_all_s(served) - all;
    atomic_store(&readers->shared->measuring, false);
    bench_sleep_s(0.02);
    bench_ages_of(readers, served->world_count, TICK_RATE, ages);
    ages->loop_ms = 1e3 * loop_s / (seconds * TICK_RATE);
    ages->all_ms = 1e3 * all_s / (seconds * TICK_RATE);
    const double given_up = bench_served_lost_ms(served) - lost;
    if (given_up > 1) {
        printf("  (worlds gave up %.0f ms: other programs had the cores, and ages count that)\n", given_up);
    }
    return ages->count > 0 && !atomic_load(&readers->shared->failed);
}

static void tell_ages(struct bench_report *report, json_t *row, const struct bench_ages *ages)
{
    bench_report_count(report, row, "frames", ages->count);
    bench_report_number(report, row, "age_p50_ms", ages->p50_ms);
    bench_report_number(report, row, "age_p99_ms", ages->p99_ms);
    bench_report_number(report, row, "age_p999_ms", ages->p999_ms);
    bench_report_number(report, row, "age_most_ms", ages->most_ms);
    bench_report_number(report, row, "loop_ms_per_tick", ages->loop_ms);
}

static void print_ages(const struct bench_ages *ages)
{
    printf("age median %6.2f ms   99 %% %6.2f   99.9 %% %6.2f   most %6.2f   of %u   loop %.2f, server %.2f "
           "ms a tick",
           ages->p50_ms, ages->p99_ms, ages->p999_ms, ages->most_ms, ages->count, ages->loop_ms,
           ages->all_ms);
}

static bool age_of(struct bench_report *report, const struct how *how, struct bench_served *served,
                   uint32_t bytes, uint32_t subscribers)
{
    struct bench_readers readers = {0};
    struct bench_ages ages;
    bool good = bench_served_worlds(served, 1, bytes, TICK_RATE, true);
    const struct bench_reading reading = {.port = served->port,
                                          .count = subscribers,
                                          .worlds = served->worlds,
                                          .world_count = 1,
                                          .every = 1,
                                          .ages = true};
    const uint64_t before = bench_served_bytes(served);
    // At rest each gets one frame: what is held after that is the connection.
    good = good && bench_readers_start(&readers, &reading) && bench_readers_wait(&readers);
    bench_sleep_s(0.2);
    const double each = ((double)bench_served_bytes(served) - (double)before) / KIB / subscribers;
    good = good && bench_served_play(served, 1);
    bench_sleep_s(0.3);
    if (good && look(&readers, served, how->quick ? 1 : 3, &ages)) {
        printf("%8u B to %4u   ", bytes, subscribers);
        print_ages(&ages);
        printf("   %.1f KiB a connection\n", each);
        json_t *row = bench_report_row(report, "age", 0, NULL, 0);
        bench_report_count(report, row, "subscribers", subscribers);
        tell_ages(report, row, &ages);
        bench_report_number(report, row, "kib_per_connection", each);
        if (subscribers >= 100) {
            struct bench_goal goal = {
                .what = "beyond frames, a connection", .value = each, .limit = CONNECTION_KIB, .unit = "KiB"};
            bench_report_goal(report, row, &goal);
        }
    } else {
        good = false;
    }
    bench_readers_stop(&readers);
    bench_served_forget(served);
    return good;
}

static bool age(struct bench_report *report, const struct how *how, struct bench_served *served)
{
    static const uint32_t subscribers[] = {1, 64, 1000};
    puts(
        "\nA cloth of 20 substeps a tick, 60 frames a second; age 0 is that of the frame that came soonest:");
    if (how->subscribers != 0) {
        return age_of(report, how, served, how->bytes != 0 ? how->bytes : 11 * KIB, how->subscribers);
    }
    for (size_t i = 0; i < sizeof subscribers / sizeof subscribers[0] - (how->quick ? 1 : 0); i++) {
        if (!age_of(report, how, served, how->bytes != 0 ? how->bytes : 11 * KIB, subscribers[i])) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------- stalled

struct held {
    double kernel_kib, most_kib,
        server_kib; // of a stalled one: to be sent, on average and at most; and of the server's memory
};

static bool with_stalled(const struct how *how, struct bench_served *served,
                         const struct bench_readers *readers, struct bench_ages *ages, struct held *held)
{
    const struct bench_reading reading = {.port = served->port,
                                          .count = how->stalled != 0 ? how->stalled
                                                   : how->quick      ? 100
                                                                     : 1000,
                                          .worlds = served->worlds,
                                          .world_count = 1,
                                          .every = 1,
                                          .stalled = true};
    struct bench_readers stalled = {0};
    const uint64_t before = bench_served_bytes(served);
    bool good = bench_readers_start(&stalled, &reading) && bench_readers_wait(&stalled);
    bench_sleep_s(1.5); // until they are full
    good = good && look(readers, served, how->seconds * 3, ages);
    uint64_t most;
    const double queued = (double)bench_served_queued(served, &most);
    *held = (struct held){queued / KIB / reading.count, (double)most / KIB,
                          ((double)bench_served_bytes(served) - (double)before) / KIB / reading.count};
    bench_readers_stop(&stalled);
    bench_sleep_s(0.5);
    return good;
}

static void tell_stalled(struct bench_report *report, const struct how *how, const struct bench_ages *alone,
                         const struct bench_ages *beside, const struct held *held)
{
    double values[6][ROUNDS_MAX];
    for (uint32_t i = 0; i < how->rounds; i++) {
        values[0][i] = alone[i].p99_ms;
        values[1][i] = beside[i].p99_ms;
        values[2][i] = beside[i].p99_ms / alone[i].p99_ms;
        values[3][i] = held[i].kernel_kib;
        values[4][i] = held[i].most_kib;
        values[5][i] = held[i].server_kib;
    }
    const double most = bench_greatest(values[4], how->rounds),
                 server = bench_greatest(values[5], how->rounds);
    json_t *row = bench_report_row(report, "stalled", 0, NULL, 0);
    printf("99 %% of ages, medians of %u: %.2f ms alone, %.2f ms beside them; held for each: %.0f KiB to be "
           "sent "
           "(at most %.0f), %.1f KiB of the server's own\n",
           how->rounds, bench_median(values[0], how->rounds), bench_median(values[1], how->rounds),
           bench_median(values[3], how->rounds), most, server);
    bench_report_number(report, row, "age_p99_ms", bench_median(values[0], how->rounds));
    bench_report_number(report, row, "age_p99_ms_beside", bench_median(values[1], how->rounds));
    bench_report_number(report, row, "queued_kib_most", most);
    bench_report_number(report, row, "server_kib", server);
    struct bench_goal slower = {.what = "99 % of ages beside those that never read",
                                .value = 100 * bench_median(values[2], how->rounds),
                                .limit = 110,
                                .unit = "%"};
    bench_report_goal(report, row, &slower);
    struct bench_goal size = {
        .what = "held for one that never reads", .value = most + server, .limit = STALLED_KIB, .unit = "KiB"};
    bench_report_goal(report, row, &size);
}

static bool stalled(struct bench_report *report, const struct how *how, struct bench_served *served)
{
    struct bench_ages alone[ROUNDS_MAX], beside[ROUNDS_MAX];
    struct held held[ROUNDS_MAX];
    struct bench_readers readers = {0};
    const uint32_t subscribers = how->subscribers != 0 ? how->subscribers : how->quick ? 10 : 100;
    bool good = bench_served_worlds(served, 1, how->bytes != 0 ? how->bytes : 11 * KIB, TICK_RATE, true) &&
                bench_served_play(served, 1);
    const struct bench_reading reading = {.port = served->port,
                                          .count = subscribers,
                                          .worlds = served->worlds,
                                          .world_count = 1,
                                          .every = 1,
                                          .ages = true};
    printf("\n%u readers of a cloth, 60 frames a second, without and with those that never read:\n",
           subscribers);
    good = good && bench_readers_start(&readers, &reading) && bench_readers_wait(&readers);
    for (uint32_t round = 0; good && round < how->rounds; round++) {
        good = look(&readers, served, how->seconds * 3, &alone[round]) &&
               with_stalled(how, served, &readers, &beside[round], &held[round]);
        if (good) {
            printf("  without: ");
            print_ages(&alone[round]);
            printf("\n  with:    ");
            print_ages(&beside[round]);
            putchar('\n');
            fflush(stdout);
        }
    }
    if (good) {
        tell_stalled(report, how, alone, beside, held);
    }
    bench_readers_stop(&readers);
    bench_served_forget(served);
    return good;
}

// ------------------------------------------------------------------------------------------------------------ crowd

static bool crowd(struct bench_report *report, const struct how *how, struct bench_served *served)
{
    struct bench_readers readers = {0};
    struct bench_ages ages;
    const uint32_t worlds = how->worlds != 0 ? how->worlds : 100;
    const uint32_t connections = how->connections != 0 ? how->connections : 10000;
    const uint32_t rate = how->rate != 0 ? how->rate : 10;
    bool good = bench_served_worlds(served, worlds, how->bytes != 0 ? how->bytes : KIB, TICK_RATE, true);
    const uint64_t before = bench_served_bytes(served);
    const struct bench_reading reading = {.port = served->port,
                                          .count = connections,
                                          .worlds = served->worlds,
                                          .world_count = worlds,
                                          .every = TICK_RATE / rate,
                                          .ages = true};
    printf("\n%u connections, each with one of %u worlds, %u frames a second:\n", connections, worlds, rate);
    const uint64_t began = bench_now_ns();
    good = good && bench_readers_start(&readers, &reading) && bench_readers_wait(&readers);
    const double came_s = (double)(bench_now_ns() - began) * 1e-9;
    if (good) {
        printf("all there after %.1f s\n", came_s);
    }
    fflush(stdout);
    good = good && bench_served_play(served, 1);
    bench_sleep_s(2);
    const double seconds = how->quick ? 1 : 5;
    good = good && look(&readers, served, seconds, &ages);
    if (good) {
        const double each = ((double)bench_served_bytes(served) - (double)before) / KIB / connections;
        const double share = ages.count / (seconds * connections * rate);
        print_ages(&ages);
        printf("\n%.1f %% of the frames came; %.1f KiB a connection; the loop's thread %.0f %% of a core, "
               "the server "
               "%.0f %%\n",
               100 * share, each, 0.1 * ages.loop_ms * TICK_RATE, 0.1 * ages.all_ms * TICK_RATE);
        json_t *row = bench_report_row(report, "crowd", 0, NULL, 0);
        bench_report_count(report, row, "connections", connections);
        bench_report_count(report, row, "worlds", worlds);
        tell_ages(report, row, &ages);
        bench_report_number(report, row, "kib_per_connection", each);
        bench_report_number(report, row, "share_of_frames", share);
        struct bench_goal goal = {
            .what = "a connection", .value = each, .limit = CONNECTION_KIB, .unit = "KiB"};
        bench_report_goal(report, row, &goal);
    }
    bench_readers_stop(&readers);
    bench_served_forget(served);
    return good;
}

// ---------------------------------------------------------------------------------------------------------- options

static const struct {
    const char *name, *what;
    bool only_asked;
    bool (*run)(struct bench_report *report, const struct how *how, struct bench_served *served);
} cases[] = {
    {"throughput", "frames a second beside libuv alone, for some sizes and numbers of subscribers", false,
     throughput},
    {"age", "how old frames are when they come, and memory of a connection", false, age},
    {"stalled", "100 readers beside 1,000 that never read", false, stalled},
    {"crowd", "10,000 connections, each with one of 100 worlds; only if asked for", true, crowd},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static const char help[] =
    "Usage: weft-bench stream [OPTIONS]\n"
    "\n"
    "Shows worlds to many: starts a weftd on a free port of loopback, and readers in a process of their "
    "own.\n"
    "Without options it takes less than a minute.\n"
    "\n"
    "  --case NAME        one case of those below\n"
    "  --bytes N          size of a frame, about, 100 to 4000000\n"
    "  --subscribers N    that read, 1 to 8192\n"
    "  --stalled N        of the case stalled: that never read, 1 to 8192; default 1000\n"
    "  --connections N    of the case crowd, 1 to 60000; default 10000\n"
    "  --worlds N         the same, 1 to 256; default 100\n"
    "  --rate N           the same, frames a second: 1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30 or 60; default 10\n"
    "  --seconds N        of each run of a round, 1 to 60; default a half\n"
    "  --rounds N         of which medians are told, 1 to 21; default 3\n"
    "  --weftd FILE       the server; default the one beside this program\n"
    "  --json FILE        writes the results as a list of objects\n"
    "  --quick            small sizes and short runs\n"
    "  --help             print this\n"
    "\n"
    "Cases:\n";

static void print_help(void)
{
    fputs(help, stdout);
    for (size_t i = 0; i < CASES; i++) {
        printf("  %-10s %s\n", cases[i].name, cases[i].what);
    }
    fputs(
        "\nRatios are of one round, in which both took turns; the processor time is of the thread that "
        "writes, and\n"
        "means something where other programs have the cores as well.\n"
        "\nExit status: 0 done, 1 something failed, 2 wrong usage. A goal that is missed is told, and is no\n"
        "failure.\n",
        stdout);
}

static bool find_case(const char *name)
{
    for (size_t i = 0; i < CASES; i++) {
        if (strcmp(cases[i].name, name) == 0) {
            return true;
        }
    }
    fprintf(stderr, "weft-bench: --case: there is no case '%s'\n", name);
    return false;
}

static bool take_rate(const char *text, uint32_t *rate)
{
    if (!bench_number("rate", text, 1, TICK_RATE, rate)) {
        return false;
    }
    if (TICK_RATE % *rate != 0) {
        fprintf(stderr, "weft-bench: --rate: %u does not divide %d\n", *rate, TICK_RATE);
    }
    return TICK_RATE % *rate == 0;
}

static enum bench_parsed parse(int count, char **arguments, struct how *how, const char **json)
{
    static const struct option known[] = {
        {"case", required_argument, NULL, 'c'},
        {"bytes", required_argument, NULL, 'b'},
        {"subscribers", required_argument, NULL, 's'},
        {"stalled", required_argument, NULL, 'd'},
        {"connections", required_argument, NULL, 'n'},
        {"worlds", required_argument, NULL, 'w'},
        {"rate", required_argument, NULL, 'f'},
        {"seconds", required_argument, NULL, 't'},
        {"rounds", required_argument, NULL, 'r'},
        {"weftd", required_argument, NULL, 'p'},
        {"json", required_argument, NULL, 'j'},
        {"quick", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    bool good = true;
    uint32_t seconds = 0;
    opterr = 0;
    for (int option; good && (option = getopt_long(count, arguments, "+:", known, NULL)) != -1;) {
        switch (option) {
        case 'c':
            how->only = optarg;
            good = find_case(optarg);
            break;
        case 'b':
            good = bench_number("bytes", optarg, 100, 4000000, &how->bytes);
            break;
        case 's':
            good = bench_number("subscribers", optarg, 1, 8192, &how->subscribers);
            break;
        case 'd':
            good = bench_number("stalled", optarg, 1, 8192, &how->stalled);
            break;
        case 'n':
            good = bench_number("connections", optarg, 1, 60000, &how->connections);
            break;
        case 'w':
            good = bench_number("worlds", optarg, 1, 256, &how->worlds);
            break;
        case 'f':
            good = take_rate(optarg, &how->rate);
            break;
        case 't':
            good = bench_number("seconds", optarg, 1, 60, &seconds);
            break;
        case 'r':
            good = bench_number("rounds", optarg, 1, ROUNDS_MAX, &how->rounds);
            break;
        case 'p':
            how->weftd = optarg;
            break;
        case 'j':
            *json = optarg;
            break;
        case 'q':
            how->quick = true;
            break;
        case 'h':
            print_help();
            return BENCH_HELPED;
        default:
            fprintf(stderr, "weft-bench: %s: %s; see weft-bench stream --help\n", arguments[optind - 1],
                    option == ':' ? "needs a value" : "there is no such option");
            good = false;
        }
    }
    if (good && optind < count) {
        fprintf(stderr, "weft-bench: '%s' is not an option; see weft-bench stream --help\n",
                arguments[optind]);
        good = false;
    }
    how->seconds = seconds != 0 ? seconds : how->quick ? 0.1 : 0.5;
    if (how->rounds == 0) {
        how->rounds = how->quick ? 1 : 3;
    }
    return good ? BENCH_PARSED : BENCH_REFUSED;
}

static uint32_t connections_of(const struct how *how)
{
    const uint32_t subscribers = how->subscribers != 0 ? how->subscribers : 1000;
    const uint32_t stalled = how->stalled != 0 ? how->stalled : 1000;
    const uint32_t connections = how->connections != 0 ? how->connections : 10000;
    const bool many = how->only != NULL && strcmp(how->only, "crowd") == 0;
    return CONNECTIONS_MORE + (many ? connections : subscribers + stalled);
}

int bench_stream(int count, char **arguments)
{
    struct how how = {0};
    const char *json = NULL;
    const enum bench_parsed parsed = parse(count, arguments, &how, &json);
    if (parsed != BENCH_PARSED) {
        return parsed == BENCH_HELPED ? 0 : 2;
    }
    struct bench_report report;
    struct bench_served served;
    if (!bench_report_init(&report, json)) {
        return 1;
    }
    if (!bench_served_start(&served, how.weftd, connections_of(&how))) {
        report.failed = true;
    }
    for (size_t i = 0; i < CASES && !report.failed; i++) {
        const bool wanted = how.only != NULL ? strcmp(how.only, cases[i].name) == 0 : !cases[i].only_asked;
        if (wanted && !cases[i].run(&report, &how, &served)) {
            report.failed = true;
        }
        fflush(stdout);
    }
    bench_served_stop(&served);
    return bench_report_finish(&report) ? 0 : 1;
}
