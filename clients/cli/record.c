// weft record: what a world does, written for other programs. weft convert: the same take in another format.
//
//     live       frames come as the world makes them; what the connection cannot carry is missed, and counted
//     lossless   a paused world is stepped by this program, tick by tick, and asked where everything is
//
// Either way frames go into a take beside the output, and the take becomes what was asked for when the recording
// ends: by itself, by a signal, or because the connection is lost. Nothing that was seen is thrown away.
#include "record/record.h"
#include "cli.h"
#include "record/meter.h"
#include "scene.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct recording {
    struct cli *cli;
    struct cli_scene scene;
    const char *world, *path;
    enum record_format format;
    bool keeps_take; // the output is a take
    bool lossless, substeps;
    double seconds; // of the world's time; 0: until it is told to stop
    uint64_t ticks; // 0: as seconds says
    uint32_t every;
    uint32_t tick_rate, substep_count;
    struct record_take *take;
    float *positions;
    uint64_t first_tick, last_unit, missed;
    bool begun, over;
    int status;
    struct record_meter meter;
    char take_path[4096];
};

static int fail(const char *code, const char *text)
{
    fflush(stdout);
    fprintf(stderr, "weft: %s: %s\n", code, text);
    return CLI_REFUSED;
}

// ---------------------------------------------------------------------------------------------------------
// Arguments

static int take_output(struct recording *recording, const char *path)
{
    const size_t size = path ? strlen(path) : 0;
    if (size == 0 || size + 8 > sizeof recording->take_path)
        return cli_usage("-o needs the name of a file that ends with %s or .take", record_format_names());
    recording->path = path;
    recording->keeps_take = size > 5 && strcmp(path + size - 5, ".take") == 0;
    if (!recording->keeps_take && !record_format_of(path, &recording->format))
        return cli_usage("%s: the name of the output ends with %s, or .take to go on with later", path,
                         record_format_names());
    snprintf(recording->take_path, sizeof recording->take_path, "%s%s", path,
             recording->keeps_take ? "" : ".take");
    return CLI_OK;
}

static int take_arguments(struct recording *recording, int argc, char **argv)
{
    const char *value;
    double number;
    for (int i = 0; i < argc; i++) {
        if (cli_option(argc, argv, &i, "--output", &value) || cli_option(argc, argv, &i, "-o", &value)) {
            const int status = take_output(recording, value);
            if (status != CLI_OK)
                return status;
        } else if (cli_option(argc, argv, &i, "--ticks", &value)) {
            if (!cli_number(value, 1, 1e12, &number) || floor(number) != number)
                return cli_usage("--ticks needs a whole number from 1");
            recording->ticks = (uint64_t)number;
        } else if (cli_option(argc, argv, &i, "--seconds", &value)) {
            if (!cli_number(value, 1e-6, 1e9, &recording->seconds))
                return cli_usage("--seconds needs a number above 0, of the world's time");
        } else if (cli_option(argc, argv, &i, "--every", &value)) {
            if (!cli_number(value, 1, 1000000, &number) || floor(number) != number)
                return cli_usage("--every needs a whole number from 1 to 1000000");
            recording->every = (uint32_t)number;
        } else if (strcmp(argv[i], "--lossless") == 0) {
            recording->lossless = true;
        } else if (strcmp(argv[i], "--substeps") == 0) {
            recording->substeps = true;
        } else if (strcmp(argv[i], "--particles") == 0) {
            recording->scene.without_skins = true;
        } else if (recording->world || strncmp(argv[i], "-", 1) == 0) {
            return cli_no_option("record", argv[i]);
        } else {
            recording->world = argv[i];
        }
    }
    if (!recording->world || !recording->path)
        return cli_usage("usage: weft record WORLD -o FILE [OPTIONS]; see weft help record");
    if (recording->lossless && recording->substeps)
        return cli_usage("--lossless records ticks: it does not go with --substeps");
    if (recording->lossless && recording->ticks == 0 && recording->seconds <= 0)
        return cli_usage("--lossless steps the world: it needs --ticks or --seconds");
    return CLI_OK;
}

// ---------------------------------------------------------------------------------------------------------
// The world as it is when the recording begins

static int call_for_world(struct recording *recording, const char *method, uint32_t body, const char *field,
                          struct weft_reply *reply)
{
    struct weft_params params;
    weft_params_init(&params);
    if (recording->scene.world)
        weft_params_u64(&params, "world", recording->scene.world);
    else
        weft_params_ref(&params, "world", recording->world);
    if (body)
        weft_params_u64(&params, "body", body);
    if (field) {
        weft_params_list_begin(&params, "fields");
        weft_params_string(&params, NULL, field);
        weft_params_list_end(&params);
    }
    const int status = cli_call(recording->cli, method, &params, reply);
    weft_params_deinit(&params);
    return status;
}

static int learn(struct recording *recording)
{
    struct weft_reply reply;
    int status = call_for_world(recording, "world.join", 0, NULL, &reply);
    if (status == CLI_OK && !cli_scene_take_document(&recording->scene, &reply.result))
        status = fail("MEMORY", "the world is too large for this program, or broken");
    if (status == CLI_OK) {
        recording->tick_rate = (uint32_t)cli_field_u64(&reply.result, "tick_rate");
        recording->substep_count = (uint32_t)cli_field_u64(&reply.result, "substeps");
        if (recording->tick_rate == 0 || recording->substep_count == 0)
            status = fail("PROTOCOL", "world.join was answered without tick_rate or substeps");
    }
    weft_reply_destroy(&reply);
    for (uint32_t b = 0; status == CLI_OK && b < recording->scene.body_count; b++) {
        status = call_for_world(recording, "body.get", recording->scene.bodies[b].id, NULL, &reply);
        if (status == CLI_OK && !cli_scene_take_body(&recording->scene, &reply.result))
            status = fail("MEMORY", "a body is too large for this program, or broken");
        weft_reply_destroy(&reply);
    }
    return status;
}

static int begin_take(struct recording *recording)
{
    const struct cli_scene *from = &recording->scene;
    struct record_why why;
    struct record_scene scene = {.body_count = from->body_count,
                                 .tick_rate = recording->tick_rate,
                                 .substeps = recording->substep_count};
    char(*names)[CLI_NAME_SIZE + 16] = malloc((from->body_count + 1) * sizeof *names);
    size_t particles = 0;
    scene.bodies = calloc((size_t)from->body_count + 1, sizeof *scene.bodies);
    for (uint32_t b = 0; names && scene.bodies && b < from->body_count; b++) {
        const struct cli_body *body = &from->bodies[b];
        snprintf(names[b], sizeof *names, "%s", body->name);
        if (!*body->name)
            snprintf(names[b], sizeof *names, "body%u", body->id);
        scene.bodies[b] = (struct record_body){.name = names[b],
                                               .particle_count = body->particle_count,
                                               .triangles = body->triangles,
                                               .triangle_count = body->triangle_count,
                                               .edges = body->edges,
                                               .edge_count = body->triangle_count ? 0 : body->edge_count};
        particles += body->particle_count;
    }
    recording->positions = malloc((3 * particles + 1) * sizeof(float));
    int status = CLI_OK;
    if (!names || !scene.bodies || !recording->positions)
        status = fail("MEMORY", "the world is too large for this program");
    if (status == CLI_OK)
        recording->take = record_take_create(recording->take_path, &scene, &why);
    if (status == CLI_OK && !recording->take)
        status = fail("FILE", why.text);
    free(names);
    free(scene.bodies);
    return status;
}

// ---------------------------------------------------------------------------------------------------------
// Frames

static void stop(struct recording *recording, int status)
{
    recording->over = true;
    recording->status = recording->status == CLI_OK ? status : recording->status;
}

static uint64_t last_tick(const struct recording *recording)
{
    if (recording->ticks)
        return recording->first_tick + recording->ticks;
    if (recording->seconds > 0)
        return recording->first_tick + (uint64_t)ceil(recording->seconds * recording->tick_rate);
    return UINT64_MAX;
}

// Frames that were not made, or not sent, show as a step that is too long. A first one may lie between the rest.
static void count_missed(struct recording *recording, uint64_t tick, uint32_t substep)
{
    const uint64_t unit = recording->substeps ? tick * recording->substep_count + substep : tick;
    if (recording->begun && unit / recording->every > recording->last_unit / recording->every)
        recording->missed += unit / recording->every - recording->last_unit / recording->every - 1;
    recording->last_unit = unit;
}

// The scene as it stands becomes a frame.
static void keep(struct recording *recording, uint64_t tick, uint32_t substep)
{
    struct record_why why;
    count_missed(recording, tick, substep);
    if (!recording->begun) {
        recording->begun = true;
        recording->first_tick = tick;
        const uint64_t last = last_tick(recording);
        record_meter_begin(&recording->meter, "recording", "ticks", 0, last == UINT64_MAX ? 0 : last - tick);
    }
    size_t at = 0;
    for (uint32_t b = 0; b < recording->scene.body_count; b++) {
        const struct cli_body *body = &recording->scene.bodies[b];
        memcpy(recording->positions + at, body->positions, body->particle_count * sizeof *body->positions);
        at += 3 * (size_t)body->particle_count;
    }
    if (!record_take_append(recording->take, tick, substep, recording->positions, &why))
        stop(recording, fail("FILE", why.text));
    record_meter_show(&recording->meter, tick - recording->first_tick);
    if (tick >= last_tick(recording))
        stop(recording, CLI_OK);
}

static void on_frame(void *context, struct weft_client *client, struct weft_frame *frame)
{
    (void)client;
    struct recording *recording = context;
    struct weft_error error;
    if (recording->over)
        return;
    const uint64_t tick = frame->tick;
    const uint32_t substep = frame->substep;
    const bool whole = frame->part + 1 == frame->parts;
    if (!cli_scene_take_frame(&recording->scene, frame, &error))
        stop(recording, cli_report(&error));
    else if (whole)
        keep(recording, tick, substep);
}

// What ends a recording before its time: a body goes, so does the world, or it fails.
static void on_notification(void *context, struct weft_client *client, const char *method,
                            const msgpack_object *params)
{
    (void)client;
    struct recording *recording = context;
    if (recording->over)
        return;
    if (strcmp(method, "world.edited") == 0 && weft_string_is(weft_get(params, "method"), "body.remove")) {
        fprintf(stderr, "weft: the recording ends here: a body was removed\n");
        stop(recording, CLI_OK);
    } else if (strcmp(method, "world.changed") == 0 && weft_string_is(weft_get(params, "state"), "failed")) {
        char reason[200];
        fprintf(stderr, "weft: the recording ends here: the world failed: %s\n",
                weft_string_copy(weft_get(params, "reason"), reason, sizeof reason));
        stop(recording, CLI_REFUSED);
    } else if (strcmp(method, "world.changed") == 0 && weft_string_is(weft_get(params, "state"), "deleted")) {
        fprintf(stderr, "weft: the recording ends here: the world was deleted\n");
        stop(recording, CLI_OK);
    } else if (strcmp(method, "stream.closed") == 0) {
        char reason[200];
        fprintf(stderr, "weft: the recording ends here: %s\n",
                weft_string_copy(weft_get(params, "reason"), reason, sizeof reason));
        stop(recording, CLI_REFUSED);
    }
}

// Positions where there are bodies without skins, and skins where there are some.
static void add_fields(const struct recording *recording, struct weft_params *params)
{
    bool bare = recording->scene.body_count == 0;
    for (uint32_t b = 0; b < recording->scene.body_count; b++)
        bare = bare || !recording->scene.bodies[b].has_skin;
    weft_params_list_begin(params, "fields");
    if (bare)
        weft_params_string(params, NULL, "positions");
    if (cli_scene_has_skins(&recording->scene))
        weft_params_string(params, NULL, "skin");
    weft_params_list_end(params);
}

static int record_live(struct recording *recording)
{
    struct weft_params params;
    struct weft_reply reply;
    struct weft_error error;
    struct weft_client *client = recording->cli->client;
    weft_on_frame(client, on_frame, recording);
    weft_params_init(&params);
    weft_params_u64(&params, "world", recording->scene.world);
    weft_params_list_begin(&params, "bodies");
    for (uint32_t b = 0; b < recording->scene.body_count; b++)
        weft_params_u64(&params, NULL, recording->scene.bodies[b].id);
    weft_params_list_end(&params);
    add_fields(recording, &params);
    weft_params_string(&params, "unit", recording->substeps ? "substep" : "tick");
    weft_params_u64(&params, "every", recording->every);
    const int status = cli_call(recording->cli, "stream.subscribe", &params, &reply);
    weft_params_deinit(&params);
    weft_reply_destroy(&reply);
    if (status != CLI_OK)
        return status;
    if (strcmp(recording->scene.state, "playing") != 0)
        fprintf(stderr,
                "weft: the world is %s: what it does is recorded when somebody lets it play, or with "
                "--lossless\n",
                recording->scene.state);
    while (!recording->over && !cli_signals_stop()) {
        if (weft_poll(client, 250, &error) < 0)
            stop(recording, cli_report(&error));
    }
    return recording->status;
}

static int ask_positions(struct recording *recording, uint64_t *tick)
{
    int status = CLI_OK;
    for (uint32_t b = 0; status == CLI_OK && b < recording->scene.body_count; b++) {
        struct cli_body *body = &recording->scene.bodies[b];
        struct weft_reply reply;
        struct weft_view view = {0};
        const char *field = body->has_skin ? "skin" : "positions";
        status = call_for_world(recording, "body.state", body->id, field, &reply);
        if (status == CLI_OK) {
            if (weft_view_f32(weft_get(&reply.result, field), &view) &&
                view.count == 3 * (size_t)body->particle_count)
                memcpy(body->positions, view.f32, view.count * sizeof(float));
            else
                status = fail("PROTOCOL", "body.state was answered without the positions");
            const uint64_t now = cli_field_u64(&reply.result, "tick");
            if (status == CLI_OK && b > 0 && now != *tick)
                status = fail("CONFLICT",
                              "the world goes on by itself: --lossless needs one that nobody else runs");
            *tick = now;
        }
        weft_view_deinit(&view);
        weft_reply_destroy(&reply);
    }
    return status;
}

static int record_lossless(struct recording *recording)
{
    struct weft_client *client = recording->cli->client;
    uint64_t tick = 0;
    if (!recording->cli->timeout_given)
        weft_set_timeout(client, 0); // a tick takes as long as it does
    while (!recording->over && !cli_signals_stop()) {
        int status = ask_positions(recording, &tick);
        if (status == CLI_OK)
            keep(recording, tick, 0);
        if (status == CLI_OK && !recording->over) {
            struct weft_params params;
            struct weft_reply reply;
            weft_params_init(&params);
            weft_params_u64(&params, "world", recording->scene.world);
            weft_params_u64(&params, "ticks", recording->every);
            status = cli_call(recording->cli, "world.step", &params, &reply);
            weft_params_deinit(&params);
            weft_reply_destroy(&reply);
        }
        if (status != CLI_OK)
            stop(recording, status);
    }
    return recording->status;
}

// ---------------------------------------------------------------------------------------------------------
// Output

static bool on_progress(void *context, uint64_t done, uint64_t total)
{
    struct record_meter *meter = context;
    meter->total = total;
    record_meter_show(meter, done);
    return !cli_signals_stop();
}

// A signal ends it, and leaves nothing but the take.
static int write_out(struct record_take *take, const char *path, enum record_format format)
{
    struct record_meter meter;
    struct record_why why;
    cli_signals_heard();
    record_meter_begin(&meter, "writing", "frames", 0, 0);
    const struct record_export export = {
        .path = path, .format = format, .progress = on_progress, .context = &meter};
    const bool done = record_export(take, &export, &why);
    record_meter_clear(&meter);
    return done ? CLI_OK : fail("FILE", why.text);
}

static int finish(struct recording *recording)
{
    int status = CLI_OK;
    const uint64_t frames = record_take_count(recording->take);
    record_meter_clear(&recording->meter);
    if (frames == 0) {
        unlink(recording->take_path);
        return recording->status != CLI_OK ? recording->status : fail("EMPTY", "nothing was recorded");
    }
    if (!recording->keeps_take)
        status = write_out(recording->take, recording->path, recording->format);
    if (status != CLI_OK)
        fprintf(stderr, "weft: what was recorded is in %s; weft convert %s FILE writes it\n",
                recording->take_path, recording->take_path);
    else if (!recording->keeps_take)
        unlink(recording->take_path);
    if (status == CLI_OK && recording->cli->json)
        printf("{\"frames\":%llu,\"missed\":%llu,\"particles\":%llu}\n", (unsigned long long)frames,
               (unsigned long long)recording->missed,
               (unsigned long long)record_take_particles(recording->take));
    else if (status == CLI_OK)
        printf("%llu frames of %llu particles in %s\n", (unsigned long long)frames,
               (unsigned long long)record_take_particles(recording->take), recording->path);
    if (recording->missed)
        fprintf(stderr, "weft: %llu frames were missed; --lossless misses none\n",
                (unsigned long long)recording->missed);
    return recording->status != CLI_OK ? recording->status : status;
}

int cli_record(struct cli *cli, int argc, char **argv)
{
    struct recording recording = {.cli = cli, .every = 1};
    int status = take_arguments(&recording, argc, argv);
    if (status == CLI_OK)
        status = cli_connect(cli);
    if (status == CLI_OK && !cli_signals_watch())
        status = fail("SYSTEM", "cannot watch for signals");
    if (status == CLI_OK)
        status = learn(&recording);
    if (status == CLI_OK)
        status = begin_take(&recording);
    if (status == CLI_OK) {
        weft_on_notification(cli->client, on_notification, &recording);
        recording.status = recording.lossless ? record_lossless(&recording) : record_live(&recording);
        status = finish(&recording);
    }
    record_take_close(recording.take);
    free(recording.positions);
    cli_scene_deinit(&recording.scene);
    return status;
}

int cli_convert(struct cli *cli, int argc, char **argv)
{
    struct record_why why;
    enum record_format format;
    (void)cli;
    if (!cli_plain(&argc, &argv, 2, 2, "convert TAKE FILE"))
        return CLI_USAGE;
    if (!record_format_of(argv[1], &format))
        return cli_usage("%s: the name of the output ends with %s", argv[1], record_format_names());
    if (!cli_signals_watch())
        return fail("SYSTEM", "cannot watch for signals");
    struct record_take *take = record_take_open(argv[0], &why);
    if (!take)
        return fail("FILE", why.text);
    const int status = write_out(take, argv[1], format);
    if (status == CLI_OK)
        printf("%llu frames of %llu particles in %s\n", (unsigned long long)record_take_count(take),
               (unsigned long long)record_take_particles(take), argv[1]);
    record_take_close(take);
    return status;
}
