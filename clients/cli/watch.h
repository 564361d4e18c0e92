// What the files of watch share: one run of `weft watch`.
#ifndef WEFT_CLI_WATCH_H
#define WEFT_CLI_WATCH_H

#include "cli.h"
#include "render.h"
#include "scene.h"
#include "screen.h"

// Rates over the last second, and what was measured in it. NaN where nothing is known yet.
struct watch_rates {
    double frames, ticks, kib; // a second
    double latency_ms;
    double strain_max;
    uint64_t dropped; // since the start
};

struct watch_counts {
    uint64_t frames, ticks, bytes;
    int64_t at_us;
};

struct watch {
    struct cli *cli;
    struct weft_client *client;
    // Arguments.
    const char *world;
    double fps;
    uint64_t frames_wanted; // 0: no end
    bool substeps, plain;
    const char *encoding; // NULL: as it is
    double tolerance;     // m; 0: the server's own
    double box[6];        // m; boxed: it holds
    bool boxed;
    uint32_t nth; // 0: all vertices
    // What came.
    struct cli_scene scene;
    uint32_t stream;              // 0 until the server gave one
    struct weft_decoder *decoder; // of the stream
    bool key_asked;
    uint32_t bodies_asked; // topology under way
    bool document_asked;
    bool document_stale; // changed while it was under way
    uint64_t frames;     // whole frames
    uint64_t dropped;
    bool new_frame;
    struct watch_rates rates;
    struct watch_counts window; // at the beginning of this second
    bool measure_asked, ping_asked;
    int64_t ping_at_us;
    char message[160]; // of the last thing that went wrong, shown for a while
    int64_t message_until_us;
    // The picture.
    struct cli_renderer renderer;
    struct cli_screen screen;
    struct cli_view view;
    bool orbits;
    bool dirty;
    int64_t drawn_at_us;
    // The end.
    bool over;
    int status;
    struct weft_error error; // where code is not empty: told after the screen is given back
};

int64_t watch_now_us(void);

// stream.c: what goes to and comes from the server.
bool watch_join(struct watch *watch); // asks for everything; false with watch->error
void watch_listen(struct watch *watch);
void watch_on_line(void *context, enum weft_line line, const msgpack_object *hello); // cli_stay.then
void watch_ask_figures(struct watch *watch);                                         // latency and strain
void watch_control(struct watch *watch, const char *method);
void watch_fail(struct watch *watch, const struct weft_error *error);

// status.c: rates and how they are written.
void watch_count(struct watch *watch); // ends one second and begins the next
void watch_print_line(const struct watch *watch);
void watch_draw_status(struct watch *watch);

#endif
