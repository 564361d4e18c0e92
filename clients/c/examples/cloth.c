// A cloth hung by two corners: made, run for a while, and measured.
//
//     cc cloth.c -o cloth $(pkg-config --cflags --libs weft) -lm && ./cloth [ADDRESS]
//
// Each call waits for its answer. What can fail answers false and fills the error; `ok` carries that along, so that
// all is released in one place.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft.h>

enum { SIDE = 20, PARTICLES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1), TICKS = 240 };

static double positions[3 * PARTICLES];
static uint32_t triangles[3 * TRIANGLES];

// A square metre, level, two metres up.
static void make_sheet(void)
{
    uint32_t *out = triangles;
    for (uint32_t i = 0; i < PARTICLES; i++) {
        positions[3 * i] = (double)(i % SIDE) / (SIDE - 1);
        positions[3 * i + 1] = 2;
        positions[3 * i + 2] = (double)(i / SIDE) / (SIDE - 1);
    }
    for (uint32_t row = 0; row + 1 < SIDE; row++) {
        for (uint32_t column = 0; column + 1 < SIDE; column++) {
            const uint32_t a = row * SIDE + column, b = a + 1, c = a + SIDE, d = c + 1;
            const uint32_t square[6] = {a, c, d, a, d, b};
            for (int k = 0; k < 6; k++) {
                *out++ = square[k];
            }
        }
    }
}

static bool add_cloth(struct weft_client *client, uint64_t world, struct weft_error *error)
{
    const uint32_t pins[2] = {0, SIDE - 1};
    struct weft_params params;
    weft_params_init(&params);
    weft_params_u64(&params, "world", world);
    weft_params_string(&params, "name", "sheet");
    weft_params_string(&params, "kind", "cloth");
    weft_params_f64_array(&params, "positions", positions, 3 * PARTICLES);
    weft_params_u32_array(&params, "triangles", triangles, 3 * TRIANGLES);
    weft_params_f64(&params, "density", 0.15); // kg/m^2
    weft_params_map_begin(&params, "stretch");
    weft_params_f64(&params, "compliance", 1e-6); // m/N
    weft_params_map_end(&params);
    weft_params_u32_array(&params, "pins", pins, 2);
    const bool ok = weft_call(client, "body.add", &params, NULL, error);
    weft_params_deinit(&params);
    return ok;
}

// Calls with the world alone, and gives the answer.
static bool ask(struct weft_client *client, const char *method, uint64_t world, struct weft_reply *reply,
                struct weft_error *error)
{
    struct weft_params params;
    weft_params_init(&params);
    weft_params_u64(&params, "world", world);
    if (!reply) {
        weft_params_u64(&params, "ticks", TICKS);
    }
    const bool ok = weft_call(client, method, &params, reply, error);
    weft_params_deinit(&params);
    return ok;
}

static bool tell_lowest(struct weft_client *client, uint64_t world, struct weft_error *error)
{
    struct weft_params params;
    struct weft_reply reply;
    struct weft_view view;
    weft_params_init(&params);
    weft_params_u64(&params, "world", world);
    weft_params_string(&params, "body", "sheet");
    const bool ok = weft_call(client, "body.state", &params, &reply, error);
    weft_params_deinit(&params);
    if (!ok) {
        return false;
    }
    double lowest = INFINITY;
    if (weft_view_f32(weft_get(&reply.result, "positions"), &view)) {
        for (size_t i = 1; i < view.count; i += 3) {
            lowest = fmin(lowest, (double)view.f32[i]);
        }
        weft_view_deinit(&view);
    }
    printf("after %llu ticks the lowest of %d particles is at %.3f m\n",
           (unsigned long long)weft_u64(weft_get(&reply.result, "tick"), 0), PARTICLES, lowest);
    weft_reply_destroy(&reply);
    return true;
}

int main(int argc, char **argv)
{
    struct weft_error error;
    struct weft_reply reply = {0};
    uint64_t world = 0;
    struct weft_client *client = weft_connect(argc > 1 ? argv[1] : NULL, 10000, &error);
    bool ok = client != NULL;
    make_sheet();
    ok = ok && weft_call(client, "world.create", NULL, &reply, &error);
    if (ok) {
        world = weft_u64(weft_get(&reply.result, "world"), 0);
    }
    weft_reply_destroy(&reply);
    ok = ok && add_cloth(client, world, &error) && ask(client, "world.step", world, NULL, &error) &&
         tell_lowest(client, world, &error);
    if (ok && ask(client, "world.measure", world, &reply, &error)) {
        const msgpack_object *measures = weft_get(&reply.result, "measures");
        printf("kinetic energy %.4f J, greatest strain %.2f %%\n", weft_f64(weft_get(measures, "kinetic"), 0),
               100 * weft_f64(weft_get(measures, "strain_max"), 0));
        weft_reply_destroy(&reply);
    }
    if (!ok) {
        fprintf(stderr, "cloth: %s: %s\n", error.code, error.text);
    }
    // Nobody needs the world any more.
    if (world && ask(client, "world.delete", world, &reply, NULL)) {
        weft_reply_destroy(&reply);
    }
    weft_close(client);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
