// Runs a world of a server here: a line a second, with where its bodies are and whether it is the server's state.
//
//     cc twin.c -o twin $(pkg-config --cflags --libs weft-twin) -lm && ./twin WORLD [SECONDS [ADDRESS]]
//
// The server sends what decides the future, and no positions: they are computed here, to the same bits.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft_twin.h>

// The lowest particle of a body, m; NaN without memory.
static double lowest(const struct weft_twin *twin, const struct weft_twin_body *body)
{
    double *positions = malloc(3 * sizeof *positions * body->particle_count);
    double low = NAN;
    if (positions && weft_twin_positions64(twin, body->body, 0, body->particle_count, positions)) {
        for (uint32_t i = 0; i < body->particle_count; i++) {
            low = fmin(low, positions[3 * (size_t)i + 1]);
        }
    }
    free(positions);
    return low;
}

static void tell(const struct weft_twin *twin)
{
    struct weft_twin_state state;
    weft_twin_state(twin, &state);
    if (!state.begun || state.lost) {
        printf("waits for an image\n");
        return;
    }
    printf("tick %llu, equal at tick %llu", (unsigned long long)state.tick,
           (unsigned long long)state.same_tick);
    for (uint32_t i = 0; i < weft_twin_body_count(twin); i++) {
        struct weft_twin_body body;
        weft_twin_body(twin, weft_twin_body_id(twin, i), &body);
        printf("; body %u: %u particles from %.3f m", body.body, body.particle_count, lowest(twin, &body));
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    unsigned long seconds = argc > 2 ? strtoul(argv[2], NULL, 10) : 10;
    struct weft_error error;
    struct weft_twin *twin = NULL;
    if (argc < 2) {
        fprintf(stderr, "usage: twin WORLD [SECONDS [ADDRESS]]\n");
        return EXIT_FAILURE;
    }
    struct weft_client *client = weft_connect(argc > 3 ? argv[3] : NULL, 10000, &error);
    if (client) {
        twin = weft_twin_follow(client, argv[1], NULL, &error);
    }
    bool ok = twin != NULL;
    if (ok) {
        weft_on_notification(client, weft_twin_on_notification, twin);
    }
    uint64_t next_us = weft_twin_now_us() + 1000000;
    while (ok && seconds > 0) {
        ok = weft_poll(client, weft_twin_wait_ms(twin), &error) >= 0 && weft_twin_run(twin, 20, &error);
        if (ok && weft_twin_now_us() >= next_us) {
            next_us += 1000000;
            seconds--;
            tell(twin);
        }
    }
    if (!ok) {
        fprintf(stderr, "twin: %s: %s\n", error.code, error.text);
    }
    weft_twin_destroy(twin);
    weft_close(client);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
