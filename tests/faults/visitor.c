// A client that asks libweft for all that it has, once blocking and once on a loop, and a twin of libweft-twin for its state:
// visitor ADDRESS.
//
// Whatever fails, a call says so with a code and the visitor goes on, then gives back what it holds: the blocks that
// live at its end are the same however far it came. Exit status 0, or 1 with a line where a library broke its word.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>
#include <weft_twin.h>

enum { SIDE = 12, PATIENCE_MS = 20000, FRAMES = 3 };

static int broken;

static void check(bool ok, const struct weft_error *error, const char *what)
{
    if (!ok && (error->code[0] == '\0' || error->text[0] == '\0')) {
        fprintf(stderr, "%s failed without saying why\n", what);
        broken = 1;
    }
}

struct seen {
    uint32_t frames, notices, answers;
};

static void on_frame(void *context, struct weft_client *client, struct weft_frame *frame)
{
    (void)client;
    struct seen *seen = context;
    struct weft_frame_body body;
    struct weft_error error;
    int status;
    while ((status = weft_frame_next(frame, &body, &error)) == 1) {
    }
    check(status == 0, &error, "weft_frame_next");
    seen->frames++;
}

static void on_notification(void *context, struct weft_client *client, const char *method,
                            const msgpack_object *params)
{
    (void)client;
    (void)method;
    (void)params;
    struct seen *seen = context;
    seen->notices++;
}

static void on_answer(void *context, struct weft_client *client, const struct weft_error *error,
                      struct weft_reply *reply)
{
    (void)client;
    struct seen *seen = context;
    check(error == NULL, error, "an answer");
    if ((error == NULL) == (reply == NULL)) {
        fprintf(stderr, "an answer is both or neither of error and reply\n");
        broken = 1;
    }
    seen->answers++;
}

// Level cloth, with everything that parameters can be built of.
static void cloth_params(struct weft_params *params, const char *world)
{
    static float positions[3 * SIDE * SIDE];
    static uint32_t triangles[6 * (SIDE - 1) * (SIDE - 1)];
    uint32_t *out = triangles;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        positions[3 * i] = (float)(i % SIDE) * 0.1F;
        positions[3 * i + 2] = (float)(i / SIDE) * 0.1F;
    }
    for (uint32_t i = 0; i + SIDE < SIDE * SIDE; i++) {
        if (i % SIDE != SIDE - 1) {
            const uint32_t corners[6] = {i, i + SIDE, i + 1, i + 1, i + SIDE, i + SIDE + 1};
            memcpy(out, corners, sizeof corners);
            out += 6;
        }
    }
    weft_params_ref(params, "world", world);
    weft_params_string(params, "kind", "cloth");
    weft_params_f32_array(params, "positions", positions, 3 * (size_t)SIDE * SIDE);
    weft_params_u32_array(params, "triangles", triangles, (size_t)(out - triangles));
    weft_params_map_begin(params, "stretch");
    weft_params_f64(params, "compliance", 1e-6);
    weft_params_map_end(params);
    weft_params_list_begin(params, "pins");
    weft_params_u64(params, NULL, 0);
    weft_params_list_end(params);
}

static bool call(struct weft_client *client, const char *method, const char *world, const char *name,
                 struct weft_reply *reply)
{
    struct weft_params params;
    struct weft_error error;
    weft_params_init(&params);
    if (world != NULL) {
        weft_params_ref(&params, "world", world);
    }
    if (name != NULL) {
        weft_params_string(&params, "name", name);
    }
    bool ok = weft_call(client, method, &params, reply, &error);
    check(ok, &error, method);
    weft_params_deinit(&params);
    return ok;
}

static void look_at_state(struct weft_client *client, const char *world)
{
    struct weft_params params;
    struct weft_reply reply = {0};
    struct weft_error error;
    weft_params_init(&params);
    weft_params_ref(&params, "world", world);
    weft_params_u64(&params, "body", 1);
    bool ok = weft_call(client, "body.state", &params, &reply, &error);
    check(ok, &error, "body.state");
    struct weft_view view;
    weft_view_f64(weft_get(&reply.result, "positions"), &view);
    weft_view_deinit(&view);
    weft_view_f32(weft_get(&reply.result, "positions"), &view);
    weft_view_deinit(&view);
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
}

static void on_anew(void *context, struct weft_twin *twin, const char *why)
{
    bool *lost = context;
    (void)twin;
    if (why[0] == '\0') {
        fprintf(stderr, "a twin starts again without saying why\n");
        broken = 1;
    }
    *lost = true;
}

// Until its state is found to be the server's, or it is lost.
static void follow(struct weft_client *client, const char *world)
{
    struct weft_twin_state state = {0};
    struct weft_error error;
    bool lost = false, ok = true;
    const struct weft_twin_options options = {.on_anew = on_anew, .context = &lost};
    struct weft_twin *twin = weft_twin_follow(client, world, &options, &error);
    check(twin != NULL, &error, "weft_twin_follow");
    if (twin == NULL) {
        return;
    }
    weft_on_notification(client, weft_twin_on_notification, twin);
    while (ok && !lost && state.hashes == 0) {
        ok = weft_poll(client, weft_twin_wait_ms(twin), &error) >= 0 && weft_twin_run(twin, 20, &error);
        check(ok, &error, "a twin");
        weft_twin_state(twin, &state);
    }
    struct weft_twin_body body;
    float *positions = NULL;
    if (weft_twin_body(twin, 1, &body) &&
        (positions = malloc(3 * sizeof *positions * body.particle_count)) != NULL) {
        weft_twin_positions(twin, 1, 0, body.particle_count, positions);
    }
    free(positions);
    weft_twin_destroy(twin);
    weft_on_notification(client, NULL, NULL);
}

static void visit_blocking(const char *address)
{
    const char *world = "visitor";
    struct seen seen = {0};
    struct weft_error error;
    struct weft_client *client = weft_connect(address, PATIENCE_MS, &error);
    check(client != NULL, &error, "weft_connect");
    if (client == NULL) {
        return;
    }
    weft_on_frame(client, on_frame, &seen);
    weft_on_notification(client, on_notification, &seen);
    struct weft_reply reply = {0};
    call(client, "server.info", NULL, NULL, &reply);
    weft_reply_destroy(&reply);
    call(client, "world.create", NULL, world, NULL);
    call(client, "world.join", world, NULL, NULL);
    struct weft_params params;
    weft_params_init(&params);
    cloth_params(&params, world);
    bool ok = weft_call(client, "body.add", &params, NULL, &error);
    check(ok, &error, "body.add");
    weft_params_deinit(&params);
    call(client, "stream.subscribe", world, NULL, NULL);
    look_at_state(client, world);
    weft_params_init(&params);
    ok = weft_call_async(client, "server.ping", &params, on_answer, &seen, &error) &&
         weft_notify(client, "server.ping", &params, &error);
    check(ok, &error, "weft_call_async");
    weft_params_deinit(&params);
    call(client, "world.step", world, NULL, NULL);
    follow(client, world);
    call(client, "world.delete", world, NULL, NULL);
    while (weft_poll(client, 0, &error) > 0) {
    }
    weft_close(client);
}

struct event_visit {
    struct seen seen;
    uint32_t awaited;
    struct weft_client *client;
};

static void on_event_answer(void *context, struct weft_client *client, const struct weft_error *error,
                            struct weft_reply *reply)
{
    struct event_visit *visit = context;
    on_answer(&visit->seen, client, error, reply);
    if (visit->seen.answers == visit->awaited) {
        weft_close(client);
    }
}

static void on_event_closed(void *context, struct weft_client *client, const struct weft_error *error)
{
    (void)client;
    struct event_visit *visit = context;
    check(error == NULL, error, "the connection");
    visit->client = NULL;
}

static void visit_on_loop(const char *address)
{
    static const char *const methods[] = {"server.info", "world.create", "server.stats", "world.delete"};
    uv_loop_t loop;
    if (uv_loop_init(&loop) != 0) {
        return;
    }
    struct event_visit visit = {0};
    struct weft_error error;
    visit.client = weft_attach(
        &loop,
        &(struct weft_attach_options){
            .address = address, .timeout_ms = PATIENCE_MS, .context = &visit, .on_closed = on_event_closed},
        &error);
    check(visit.client != NULL, &error, "weft_attach");
    for (uint32_t i = 0; visit.client != NULL && i < sizeof methods / sizeof *methods; i++) {
        struct weft_params params;
        weft_params_init(&params);
        if (i % 2 != 0) {
            weft_params_string(&params, i == 1 ? "name" : "world", "event");
        }
        bool ok = weft_call_async(visit.client, methods[i], &params, on_event_answer, &visit, &error);
        check(ok, &error, methods[i]);
        visit.awaited += ok;
        weft_params_deinit(&params);
    }
    if (visit.client != NULL && visit.awaited == 0) {
        weft_close(visit.client);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    if (uv_loop_close(&loop) != 0) {
        fprintf(stderr, "libweft left handles on the loop\n");
        broken = 1;
    }
}

static void read_mesh(void)
{
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
    struct weft_mesh mesh = {0};
    struct weft_error error;
    bool ok = weft_obj_parse("square", text, sizeof text - 1, &mesh, &error);
    check(ok, &error, "weft_obj_parse");
    weft_mesh_deinit(&mesh);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s ADDRESS\n", argv[0]);
        return 2;
    }
    visit_blocking(argv[1]);
    visit_on_loop(argv[1]);
    read_mesh();
    return broken;
}
