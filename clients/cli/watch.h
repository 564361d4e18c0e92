// Declarations that the files of watch share: the state of one run of `weft watch`.
#ifndef WEFT_CLI_WATCH_H
#define WEFT_CLI_WATCH_H

#include "cli.h"
#include "render.h"
#include "scene.h"
#include "screen.h"

// Rates and measurements of the last second. NaN while unknown.
struct watch_rates {
    double frames, ticks, kib; // per second
    double latency_ms;
    double strain_max;
    uint32_t warnings; // about how well the solver converged
    uint64_t dropped;  // since the start
};

struct watch_counts {
    uint64_t frames, ticks, bytes;
    int64_t at_us;
};

struct watch {
    struct cli *cli;
    struct weft_client *client;
    // From the arguments:
    const char *world;
    double fps;
    uint64_t frames_wanted; // 0: no limit
    bool substeps, plain;
    const char *encoding; // NULL: the server's default
    double tolerance;     // m; 0: the server's default
    double box[6];        // m; valid if boxed
    bool boxed;
    uint32_t nth; // 0: all vertices
    // From the server:
    struct cli_scene scene;
    uint32_t stream;              // 0 until the server gave its id
    struct weft_decoder *decoder; // decoder of the stream
    bool key_asked;
    uint32_t bodies_asked; // calls for topology under way
    bool document_asked;
    bool document_stale; // it changed while a call for it was under way
    uint64_t frames;     // number of whole frames
    uint64_t dropped;
    bool new_frame;
    struct watch_rates rates;
    char warning_code[16], warning[400]; // the first of the warnings; empty: there is none
    struct watch_counts window;          // counts at the beginning of this second
    bool measure_asked, ping_asked;
    int64_t ping_at_us;
    char message[160]; // the last failure, shown for a while
    int64_t message_until_us;
    // The picture:
    struct cli_renderer renderer;
    struct cli_screen screen;
    struct cli_view view;
    bool orbits;
    bool dirty;
    int64_t drawn_at_us;
    // The end:
    bool over;
    int status;
    struct weft_error error; // printed after the screen is restored, unless code is empty
};

int64_t watch_now_us(void);

// stream.c: talks to the server.
bool watch_join(struct watch *watch); // asks for everything; false with watch->error
void watch_listen(struct watch *watch);
void watch_on_line(void *context, enum weft_line line, const msgpack_object *hello); // cli_stay.then
void watch_ask_figures(struct watch *watch); // asks for latency and strain
void watch_control(struct watch *watch, const char *method);
void watch_fail(struct watch *watch, const struct weft_error *error);

// status.c: rates, and the ways to print them.
void watch_count(struct watch *watch); // ends one second and begins the next
void watch_print_line(const struct watch *watch);
void watch_draw_status(struct watch *watch);

#endif
