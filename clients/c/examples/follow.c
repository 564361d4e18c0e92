// Follows a world: a line for every so many frames, with where its bodies are.
//
//     cc follow.c -o follow $(pkg-config --cflags --libs weft) -lm && ./follow WORLD [FRAMES [ADDRESS]]
//
// Frames come as callbacks while weft_poll waits. A large frame comes in parts; the last one closes it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft.h>

struct follower {
    unsigned long frames, wanted;
    unsigned long particles; // in the parts of the frame so far
    double low, high;        // of y, m
    bool broken;
};

static void on_frame(void *context, struct weft_client *client, struct weft_frame *frame)
{
    struct follower *follower = context;
    struct weft_frame_body body;
    struct weft_error error;
    int more;
    (void)client;
    if (frame->part == 0) {
        follower->particles = 0;
        follower->low = INFINITY;
        follower->high = -INFINITY;
    }
    while ((more = weft_frame_next(frame, &body, &error)) > 0) {
        for (uint32_t i = 0; body.positions && i < body.count; i++) {
            follower->low = fmin(follower->low, (double)body.positions[3 * (size_t)i + 1]);
            follower->high = fmax(follower->high, (double)body.positions[3 * (size_t)i + 1]);
        }
        follower->particles += body.count;
    }
    if (more < 0) {
        fprintf(stderr, "follow: %s: %s\n", error.code, error.text);
        follower->broken = true;
    }
    if (frame->part + 1 < frame->parts || follower->frames == follower->wanted) {
        return; // more may come at once than were wanted
    }
    follower->frames++;
    printf("tick %llu, %.3f s: %lu particles from %.3f to %.3f m, %u frames dropped\n",
           (unsigned long long)frame->tick, frame->time, follower->particles, follower->low, follower->high,
           frame->dropped);
}

int main(int argc, char **argv)
{
    struct follower follower = {.wanted = argc > 2 ? strtoul(argv[2], NULL, 10) : 10};
    struct weft_params params;
    struct weft_error error;
    if (argc < 2) {
        fprintf(stderr, "usage: follow WORLD [FRAMES [ADDRESS]]\n");
        return EXIT_FAILURE;
    }
    struct weft_client *client = weft_connect(argc > 3 ? argv[3] : NULL, 10000, &error);
    bool ok = client != NULL;
    if (ok) {
        weft_on_frame(client, on_frame, &follower);
        weft_params_init(&params);
        weft_params_ref(&params, "world", argv[1]);
        weft_params_list_begin(&params, "fields");
        weft_params_string(&params, NULL, "positions");
        weft_params_list_end(&params);
        ok = weft_call(client, "stream.subscribe", &params, NULL, &error);
        weft_params_deinit(&params);
    }
    // A paused world sends its present state, and then what edits make of it.
    while (ok && !follower.broken && follower.frames < follower.wanted) {
        ok = weft_poll(client, 1000, &error) >= 0;
    }
    if (!ok) {
        fprintf(stderr, "follow: %s: %s\n", error.code, error.text);
    }
    weft_close(client);
    return ok && !follower.broken ? EXIT_SUCCESS : EXIT_FAILURE;
}
