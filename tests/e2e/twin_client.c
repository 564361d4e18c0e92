// A program on libweft-twin that follows a world, and says in a line of JSON where its twin stands, whenever that is another place.
//
//     test_e2e_twin_client ADDRESS blocking|event WORLD
//
// It ends when its input does. Then it gives every message that came to a twin that is driven by hand: as they were, to come
// to the same hash; and with other bytes in them, of which none may do more than be refused. A last line says what came of that.
#include "protocol/array/reserve.h"
#include "protocol/unpack.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>
#include <weft_twin.h>

enum { TURN_MS = 5, ROUNDS = 150 };

static struct program {
    struct weft_twin *twin;
    struct weft_client *client;
    msgpack_sbuffer *messages; // of the stream that is
    size_t count, room;
    uint64_t anew, told;
    bool over, lost;
    uv_timer_t timer;
} program;

static void fail(const char *what, const struct weft_error *error)
{
    fprintf(stderr, "%s: %s: %s\n", what, error ? error->code : "", error ? error->text : "");
    exit(1);
}

static void must(bool ok, const char *what)
{
    if (!ok) {
        fail(what, NULL);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Following

static void keep(const msgpack_object *params)
{
    msgpack_packer packer;
    must(array_reserve(&program.messages, &program.room, program.count + 1), "memory");
    msgpack_sbuffer *message = &program.messages[program.count++];
    msgpack_sbuffer_init(message);
    msgpack_packer_init(&packer, message, msgpack_sbuffer_write);
    must(msgpack_pack_object(&packer, *params) == 0, "memory");
}

static void forget(void)
{
    while (program.count > 0) {
        msgpack_sbuffer_destroy(&program.messages[--program.count]);
    }
}

static void on_notification(void *context, struct weft_client *client, const char *method,
                            const msgpack_object *params)
{
    (void)context;
    if (strcmp(method, "stream.records") == 0) {
        if (weft_u64(weft_get(params, "part"), 1) == 0) {
            forget();
        }
        keep(params);
    }
    weft_twin_on_notification(program.twin, client, method, params);
}

static void on_line(void *context, struct weft_client *client, enum weft_line line,
                    const msgpack_object *hello, const struct weft_error *error)
{
    (void)context;
    weft_twin_on_line(program.twin, client, line, hello, error);
}

static void on_anew(void *context, struct weft_twin *twin, const char *why)
{
    (void)context, (void)twin;
    must(why[0] != '\0', "why it starts again");
    program.anew++;
}

static void tell_body(uint32_t index)
{
    struct weft_twin_body body;
    must(weft_twin_body(program.twin, weft_twin_body_id(program.twin, index), &body), "a body");
    const uint32_t last = body.particle_count - 1;
    double exact[3];
    float near[3], velocity[3];
    must(weft_twin_positions64(program.twin, body.body, last, 1, exact) &&
             weft_twin_positions(program.twin, body.body, last, 1, near) &&
             weft_twin_velocities(program.twin, body.body, last, 1, velocity),
         "its last particle");
    must(near[1] == (float)exact[1], "positions");
    must(!weft_twin_positions(program.twin, body.body, last, 2, near) &&
             !weft_twin_positions64(program.twin, body.body, UINT32_MAX, 2, exact) &&
             !weft_twin_velocities(program.twin, body.body + 1000, 0, 1, velocity),
         "that there are no more");
    for (uint32_t i = 0; i < 3 * body.triangle_count; i++) {
        must(body.triangles[i] < body.particle_count, "triangles");
    }
    printf("%s{\"body\":%u,\"name\":\"%s\",\"particles\":%u,\"triangles\":%u,\"last\":[%.17g,%.17g,%.17g]}",
           index ? "," : "", body.body, body.name, body.particle_count, body.triangle_count, exact[0],
           exact[1], exact[2]);
}

static void tell(void)
{
    struct weft_twin_state state;
    struct weft_twin_measures measures;
    uint64_t hash;
    weft_twin_state(program.twin, &state);
    must(weft_twin_hash(program.twin, &hash) == state.begun, "a hash");
    must(weft_twin_measures(program.twin, &measures) == state.begun, "measures");
    if (program.told == hash + state.tick + state.same_tick + state.images + state.lost) {
        return;
    }
    program.told = hash + state.tick + state.same_tick + state.images + state.lost;
    printf("{\"tick\":%llu,\"same\":%llu,\"lost\":%s,\"images\":%llu,\"joins\":%llu,\"differences\":%llu,"
           "\"anew\":%llu,"
           "\"records\":%llu,\"kinetic\":%.17g,\"hash\":\"%016llx\",\"bodies\":[",
           (unsigned long long)state.tick, (unsigned long long)state.same_tick,
           state.lost || !state.begun ? "true" : "false", (unsigned long long)state.images,
           (unsigned long long)state.joins, (unsigned long long)state.differences,
           (unsigned long long)program.anew, (unsigned long long)state.records, measures.kinetic,
           (unsigned long long)hash);
    for (uint32_t i = 0; i < weft_twin_body_count(program.twin); i++) {
        tell_body(i);
    }
    printf("]}\n");
    fflush(stdout);
}

static bool is_asked_to_end(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, 0) > 0;
}

static void turn(void)
{
    struct weft_error error;
    if (!weft_twin_run(program.twin, 20, &error)) {
        must(!weft_twin_run(program.twin, 20, NULL) && weft_twin_wait_ms(program.twin) == 0,
             "an end that stays");
        printf("{\"refused\":\"%s\"}\n", error.code);
        program.over = program.lost = true;
    } else {
        tell();
        program.over = is_asked_to_end();
    }
}

static void follow(const char *world)
{
    const struct weft_twin_options options = {.on_anew = on_anew};
    const struct weft_resume_options resume = {.on_line = on_line};
    struct weft_error error;
    program.twin = weft_twin_follow(program.client, world, &options, &error);
    if (!program.twin) {
        fail("weft_twin_follow", &error);
    }
    weft_on_notification(program.client, on_notification, NULL);
    weft_resume(program.client, &resume);
    if (!weft_call_async(program.client, "session.hello", NULL, NULL, NULL, &error)) {
        fail("session.hello", &error);
    }
}

static void run_blocking(const char *address, const char *world)
{
    struct weft_error error;
    program.client = weft_connect(address, 20000, &error);
    if (!program.client) {
        fail("weft_connect", &error);
    }
    follow(world);
    while (!program.over) {
        const int wait_ms = weft_twin_wait_ms(program.twin);
        if (weft_poll(program.client, wait_ms < TURN_MS ? wait_ms : TURN_MS, &error) < 0) {
            fail("weft_poll", &error);
        }
        turn();
    }
}

static void on_timer(uv_timer_t *timer)
{
    turn();
    if (program.over) {
        uv_timer_stop(timer);
    }
}

static void run_on_loop(const char *address, const char *world)
{
    const struct weft_attach_options options = {.address = address, .timeout_ms = 20000};
    struct weft_error error;
    program.client = weft_attach(uv_default_loop(), &options, &error);
    if (!program.client) {
        fail("weft_attach", &error);
    }
    follow(world);
    uv_timer_init(uv_default_loop(), &program.timer);
    uv_timer_start(&program.timer, on_timer, 0, TURN_MS);
    while (!program.over) {
        uv_run(uv_default_loop(), UV_RUN_ONCE);
    }
    uv_close((uv_handle_t *)&program.timer, NULL);
}

// ---------------------------------------------------------------------------------------------------------
// By hand

static uint32_t below(uint32_t count)
{
    static uint64_t state = 18;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % count;
}

// Bytes that are not MessagePack do not reach a twin, and no more memory is asked for than they could fill: libweft scans a message
// before it unpacks it as well.
static bool give(struct weft_twin *twin, const char *bytes, size_t size)
{
    msgpack_zone zone;
    msgpack_object message;
    struct weft_error error = {0};
    bool taken = true;
    must(msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE), "memory");
    if (protocol_unpack(bytes, size, &zone, &message)) {
        taken = weft_twin_take(twin, &message, weft_twin_now_us(), &error);
        must(taken || (error.code[0] != '\0' && error.text[0] != '\0'), "why it is refused");
    }
    msgpack_zone_destroy(&zone);
    return taken;
}

static void step_some(struct weft_twin *twin)
{
    for (int ticks = 0; ticks < 20 && weft_twin_step(twin, UINT64_MAX); ticks++) {
    }
}

// The message is larger than allowed.
static void bound(void)
{
    const struct weft_twin_options bounds = {.image_bytes = 100};
    struct weft_error error;
    struct weft_twin_state state;
    struct weft_twin *twin = weft_twin_create(&bounds, &error);
    msgpack_unpacked unpacked;
    size_t at = 0;
    must(twin != NULL, "memory");
    msgpack_unpacked_init(&unpacked);
    must(msgpack_unpack_next(&unpacked, program.messages[0].data, program.messages[0].size, &at) ==
             MSGPACK_UNPACK_SUCCESS,
         "a message");
    must(!weft_twin_take(twin, &unpacked.data, 0, &error) && strcmp(error.code, "LIMIT") == 0, "a bound");
    weft_twin_state(twin, &state);
    must(state.lost && strcmp(state.text, error.text) == 0 && !weft_twin_step(twin, UINT64_MAX), "its end");
    must(!weft_twin_follow(NULL, "flag", NULL, &error) && strcmp(error.code, "USAGE") == 0, "a client");
    msgpack_unpacked_destroy(&unpacked);
    weft_twin_destroy(twin);
}

static void drive_by_hand(uint64_t hash)
{
    const struct weft_twin_options bounds = {.image_bytes = 16 << 20, .waiting_bytes = 1 << 20};
    struct weft_error error;
    struct weft_twin *twin = weft_twin_create(&bounds, &error);
    struct weft_twin_state state;
    uint64_t found;
    size_t refused = 0;
    must(twin != NULL && !weft_twin_take(twin, NULL, 0, NULL) && !weft_twin_run(twin, 0, NULL), "by hand");
    for (int round = 0; round < ROUNDS; round++) {
        const size_t changed = below((uint32_t)program.count);
        for (size_t i = 0; i <= changed; i++) {
            const msgpack_sbuffer *message = &program.messages[i];
            char *bytes = malloc(message->size);
            must(bytes != NULL, "memory");
            memcpy(bytes, message->data, message->size);
            for (uint32_t changes = i == changed ? 1 + below(3) : 0; changes > 0; changes--) {
                bytes[below((uint32_t)message->size)] = (char)below(256);
            }
            refused += !give(twin, bytes, message->size);
            free(bytes);
        }
        step_some(twin);
    }
    for (size_t i = 0; i < program.count; i++) {
        must(give(twin, program.messages[i].data, program.messages[i].size), "messages as they were");
    }
    while (weft_twin_step(twin, UINT64_MAX)) {
    }
    weft_twin_state(twin, &state);
    must(weft_twin_hash(twin, &found) && !state.lost && state.joins == 0, "a twin again");
    printf("{\"messages\":%zu,\"refused\":%zu,\"equal\":%s}\n", program.count, refused,
           found == hash ? "true" : "false");
    weft_twin_destroy(twin);
}

int main(int argc, char **argv)
{
    uint64_t hash;
    if (argc != 4) {
        return 2;
    }
    const bool on_loop = strcmp(argv[2], "event") == 0;
    (on_loop ? run_on_loop : run_blocking)(argv[1], argv[3]);
    const bool begun = weft_twin_hash(program.twin, &hash);
    weft_twin_destroy(program.twin);
    weft_close(program.client);
    if (on_loop) {
        uv_run(uv_default_loop(), UV_RUN_DEFAULT);
        must(uv_loop_close(uv_default_loop()) == 0, "a loop without handles");
    }
    if (begun && !program.lost) {
        bound();
        drive_by_hand(hash);
    }
    forget();
    free(program.messages);
    return 0;
}
