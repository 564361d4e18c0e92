// Many people edit one playing world at once: how long until an edit is answered, and until everybody has been told of it.
//
//     bench_people ADDRESS [people [seconds [readers]]]        200, 10, 8
//
// ADDRESS may be tls://…; WEFT_CA names the authorities then.
//
// Each person has a connection of its own, has joined, and changes one constraint of a cloth of 32 x 32 particles five times
// a second, at moments that have nothing to do with those of others; `readers` of them see every tick as well. All people
// live in this one process, so its own work is part of what it measures: how busy it was is printed too.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <uv.h>
#include <weft.h>

enum { SIDE = 32, EDITS_A_SECOND = 5, EDITS_MAX = 400 * 1000, CONSTRAINTS = 1024, AT_ONCE = 32 };

struct bench;

struct person {
    struct bench *bench;
    struct weft_client *client;
    uv_timer_t timer;
    uint32_t edits;
};

// An edit: when it was sent, and when how many had heard of it.
struct edit {
    uint64_t sent_ns;
    uint64_t told_ns; // the last one
    uint32_t told;
};

struct bench {
    uv_loop_t loop;
    const char *address;
    struct weft_tls tls;
    uint32_t people, seconds, readers;
    struct person *persons;
    uint32_t came, joined, closed;
    uint64_t world, first_constraint;
    double tick_us;
    bool measuring;
    uint64_t began_ns, ends_ns;
    struct rusage used;
    uint64_t revision_first; // edits[revision - this]
    struct edit *edits;
    double *answers_ms, *notices_ms;
    uint32_t answer_count, refused;
    uint64_t notice_count, frame_parts;
    uint64_t random;
};

struct asked {
    struct bench *bench;
    uint64_t sent_ns;
};

static void die(const char *what, const struct weft_error *error)
{
    fprintf(stderr, "bench_people: %s: %s: %s\n", what, error ? error->code : "?", error ? error->text : "");
    exit(1);
}

static uint64_t draw(struct bench *b)
{
    b->random = b->random * 6364136223846793005ULL + 1442695040888963407ULL;
    return b->random >> 33;
}

static struct edit *edit_of(struct bench *b, uint64_t revision)
{
    if (revision < b->revision_first || revision - b->revision_first >= EDITS_MAX) {
        return NULL;
    }
    return &b->edits[revision - b->revision_first];
}

static void on_answer(void *context, struct weft_client *client, const struct weft_error *error,
                      struct weft_reply *reply)
{
    (void)client;
    struct asked *asked = context;
    struct bench *b = asked->bench;
    const uint64_t now = uv_hrtime();
    if (error) {
        b->refused++;
    } else if (b->answer_count < EDITS_MAX) {
        b->answers_ms[b->answer_count++] = (double)(now - asked->sent_ns) * 1e-6;
        struct edit *edit = edit_of(b, weft_u64(weft_get(&reply->result, "revision"), 0));
        if (edit) {
            edit->sent_ns = asked->sent_ns;
        }
    }
    free(asked);
}

static void on_notification(void *context, struct weft_client *client, const char *method,
                            const msgpack_object *params)
{
    (void)client;
    struct bench *b = ((struct person *)context)->bench;
    if (strcmp(method, "world.edited") != 0) {
        return;
    }
    struct edit *edit = edit_of(b, weft_u64(weft_get(params, "revision"), 0));
    b->notice_count += b->measuring;
    if (edit) {
        edit->told++;
        edit->told_ns = uv_hrtime();
    }
}

static void on_frame(void *context, struct weft_client *client, struct weft_frame *frame)
{
    (void)client;
    (void)frame;
    ((struct person *)context)->bench->frame_parts++;
}

static void on_timer(uv_timer_t *timer)
{
    struct person *person = timer->data;
    struct bench *b = person->bench;
    if (!b->measuring) {
        return;
    }
    struct asked *asked = malloc(sizeof *asked);
    struct weft_params params;
    struct weft_error error;
    const uint32_t constraint = (uint32_t)(b->first_constraint + draw(b) % CONSTRAINTS);
    if (!asked) {
        return;
    }
    weft_params_init(&params);
    weft_params_u64(&params, "world", b->world);
    weft_params_u32_array(&params, "constraints", &constraint, 1);
    weft_params_f64(&params, "compliance", (double)(draw(b) % 1000) * 1e-9);
    *asked = (struct asked){.bench = b, .sent_ns = uv_hrtime()};
    if (!weft_call_async(person->client, "constraint.set", &params, on_answer, asked, &error)) {
        die("constraint.set", &error);
    }
    weft_params_deinit(&params);
    person->edits++;
}

// ---------------------------------------------------------------------------------------------------------

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void tell(const char *what, double *values, size_t count)
{
    if (count == 0) {
        printf("%-28s none\n", what);
        return;
    }
    qsort(values, count, sizeof *values, compare);
    printf("%-28s median %7.2f ms   99%% %7.2f   99.9%% %7.2f   most %7.2f   of %zu\n", what,
           values[count / 2], values[(size_t)(0.99 * (double)(count - 1))],
           values[(size_t)(0.999 * (double)(count - 1))], values[count - 1], count);
}

static double seconds_of(struct timeval a, struct timeval b)
{
    return (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_usec - a.tv_usec) * 1e-6;
}

static void on_closed(void *context, struct weft_client *client, const struct weft_error *error)
{
    (void)client;
    if (error) {
        die("a person's connection ended", error);
    }
    ((struct person *)context)->bench->closed++;
}

static void report(struct bench *b)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    const double elapsed = b->seconds, until = (double)(uv_hrtime() - b->began_ns) * 1e-9;
    const double busy =
        seconds_of(b->used.ru_utime, used.ru_utime) + seconds_of(b->used.ru_stime, used.ru_stime);
    size_t told = 0, short_of = 0;
    for (uint32_t i = 0; i < EDITS_MAX; i++) {
        const struct edit *edit = &b->edits[i];
        if (edit->sent_ns > 0 && edit->told == b->people) {
            b->notices_ms[told++] = (double)(edit->told_ns - edit->sent_ns) * 1e-6;
        }
        short_of += edit->sent_ns > 0 && edit->told != b->people;
    }
    printf(
        "%u people, %u of them read every tick; a tick takes %.1f ms; %.0f edits and %.0f notices a second; "
        "the people's own process: %.0f %% of a core\n",
        b->people, b->readers, b->tick_us * 1e-3, b->answer_count / elapsed,
        (double)b->notice_count / elapsed, 100 * busy / until);
    tell("from edit to answer", b->answers_ms, b->answer_count);
    tell("from edit to everybody", b->notices_ms, told);
    printf("refused %u, not told to everybody %zu\n", b->refused, short_of);
    fflush(stdout);
    exit(b->refused > 0 || short_of > 0);
}

static void on_end(uv_timer_t *timer)
{
    struct bench *b = timer->data;
    if (b->measuring) { // what is under way comes to its end
        b->measuring = false;
        uv_timer_start(timer, on_end, 2000, 0);
        return;
    }
    report(b);
}

static void all_joined(struct bench *b)
{
    static uv_timer_t end;
    b->measuring = true;
    b->began_ns = uv_hrtime();
    getrusage(RUSAGE_SELF, &b->used);
    for (uint32_t i = 0; i < b->people; i++) {
        uv_timer_init(&b->loop, &b->persons[i].timer);
        b->persons[i].timer.data = &b->persons[i];
        uv_timer_start(&b->persons[i].timer, on_timer, 1 + draw(b) % (1000 / EDITS_A_SECOND),
                       1000 / EDITS_A_SECOND);
    }
    uv_timer_init(&b->loop, &end);
    end.data = b;
    uv_timer_start(&end, on_end, b->seconds * 1000, 0);
}

static void on_joined(void *context, struct weft_client *client, const struct weft_error *error,
                      struct weft_reply *reply)
{
    (void)client;
    struct person *person = context;
    if (error) {
        die("world.join", error);
    }
    struct bench *b = person->bench;
    b->revision_first = weft_u64(weft_get(&reply->result, "revision"), 0) + 1;
    if (++b->joined == b->people) {
        all_joined(b);
    }
}

static void come(struct bench *b);

static void on_connected(void *context, struct weft_client *client)
{
    struct person *person = context;
    struct bench *b = person->bench;
    struct weft_params params;
    struct weft_error error;
    weft_params_init(&params);
    weft_params_u64(&params, "world", b->world);
    if (person < b->persons + b->readers &&
        !weft_call_async(client, "stream.subscribe", &params, NULL, NULL, &error)) {
        die("stream.subscribe", &error);
    }
    if (!weft_call_async(client, "world.join", &params, on_joined, person, &error)) {
        die("world.join", &error);
    }
    weft_params_deinit(&params);
    if (b->came < b->people) {
        come(b);
    }
}

// The next one; a server lets an address shake hands only so often at a time.
static void come(struct bench *b)
{
    struct person *person = &b->persons[b->came++];
    const struct weft_attach_options options = {
        .address = b->address,
        .timeout_ms = 30000,
        .context = person,
        .on_connected = on_connected,
        .on_closed = on_closed,
        .tls = &b->tls,
    };
    struct weft_error error;
    person->bench = b;
    person->client = weft_attach(&b->loop, &options, &error);
    if (!person->client) {
        die("connecting", &error);
    }
    weft_on_notification(person->client, on_notification, person);
    weft_on_frame(person->client, on_frame, person);
}

// A cloth that hangs, playing.
static void make_world(struct bench *b)
{
    struct weft_error error;
    struct weft_reply reply = {0};
    struct weft_params params;
    struct weft_client *client = weft_connect_tls(b->address, &b->tls, 10000, &error);
    static double positions[SIDE * SIDE * 3];
    static uint32_t triangles[(SIDE - 1) * (SIDE - 1) * 6];
    const uint32_t pins[] = {0, SIDE - 1};
    size_t n = 0;
    if (!client) {
        die(b->address, &error);
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        positions[3 * i] = 0.02 * (i % SIDE);
        positions[3 * i + 2] = 0.02 * (i / SIDE);
        if (i % SIDE + 1 < SIDE && i / SIDE + 1 < SIDE) {
            const uint32_t corners[] = {i, i + 1, i + SIDE, i + 1, i + SIDE + 1, i + SIDE};
            memcpy(triangles + n, corners, sizeof corners);
            n += 6;
        }
    }
    weft_params_init(&params);
    weft_params_bool(&params, "long_edges", false); // the time of people is measured, not that of ticks
    weft_params_string(&params, "bending", "swept");
    weft_params_bool(&params, "sleep", false);
    if (!weft_call(client, "world.create", &params, &reply, &error)) {
        die("world.create", &error);
    }
    b->world = weft_u64(weft_get(&reply.result, "world"), 0);
    weft_reply_destroy(&reply);
    weft_params_clear(&params);
    weft_params_u64(&params, "world", b->world);
    weft_params_string(&params, "kind", "cloth");
    weft_params_f64_array(&params, "positions", positions, SIDE * SIDE * 3);
    weft_params_u32_array(&params, "triangles", triangles, n);
    weft_params_u32_array(&params, "pins", pins, 2);
    if (!weft_call(client, "body.add", &params, &reply, &error)) {
        die("body.add", &error);
    }
    b->first_constraint =
        weft_u64(weft_at(weft_get(weft_get(&reply.result, "constraints"), "distance"), 0), 1);
    weft_reply_destroy(&reply);
    weft_params_clear(&params);
    weft_params_u64(&params, "world", b->world);
    if (!weft_call(client, "world.play", &params, NULL, &error)) {
        die("world.play", &error);
    }
    uv_sleep(1000);
    if (!weft_call(client, "world.get", &params, &reply, &error)) {
        die("world.get", &error);
    }
    b->tick_us = weft_f64(weft_get(&reply.result, "tick_us"), 0);
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    weft_close(client);
}

static uint32_t number(int argc, char **argv, int index, uint32_t otherwise)
{
    return argc > index ? (uint32_t)strtoul(argv[index], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    static struct bench b;
    if (argc < 2) {
        fprintf(stderr, "usage: bench_people ADDRESS [people [seconds [readers]]]\n");
        return 2;
    }
    b = (struct bench){
        .address = argv[1],
        .tls = {.ca = getenv("WEFT_CA")},
        .people = number(argc, argv, 2, 200),
        .seconds = number(argc, argv, 3, 10),
        .readers = number(argc, argv, 4, 8),
        .random = 7,
    };
    b.persons = calloc(b.people, sizeof *b.persons);
    b.edits = calloc(EDITS_MAX, sizeof *b.edits);
    b.answers_ms = calloc(EDITS_MAX, sizeof *b.answers_ms);
    b.notices_ms = calloc(EDITS_MAX, sizeof *b.notices_ms);
    if (!b.persons || !b.edits || !b.answers_ms || !b.notices_ms || b.people == 0 || b.readers > b.people) {
        fprintf(stderr, "bench_people: memory, or fewer people than readers\n");
        return 2;
    }
    make_world(&b);
    uv_loop_init(&b.loop);
    for (uint32_t i = 0; i < AT_ONCE && i < b.people; i++) {
        come(&b);
    }
    uv_run(&b.loop, UV_RUN_DEFAULT);
    return 1;
}
