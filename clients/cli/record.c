// weft record: records a world's motion for other programs. weft convert: writes a take in another format.
//
//     live       takes frames as the world makes them; frames that the connection cannot carry are missed, and counted
//     lossless   steps a paused world tick by tick, and asks for the positions
//     past       moves a view of past ticks tick by tick, and asks the same (record_past.c)
//
// In each case frames go into a take beside the output. The take is converted to the output when the recording ends: at
// its length, by a signal, or because the connection is lost. No recorded frame is thrown away.
#include "record/inputs.h"
#include "record_look.h"
#include "recording.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IMAGES_S = 300 };

// ---------------------------------------------------------------------------------------------------------
// Arguments

static int take_output(struct recording *recording, const char *path)
{
    const size_t size = path ? strlen(path) : 0;
    if (size == 0 || size + 8 > sizeof recording->take_path) {
        return cli_usage("-o needs the name of a file that ends with %s or .take", record_format_names());
    }
    recording->path = path;
    recording->keeps_take = size > 5 && strcmp(path + size - 5, ".take") == 0;
    if (!recording->keeps_take && !record_format_of(path, &recording->format)) {
        return cli_usage("%s: the name of the output must end with %s, or with .take", path,
                         record_format_names());
    }
    snprintf(recording->take_path, sizeof recording->take_path, "%s%s", path,
             recording->keeps_take ? ".part" : ".take");
    return CLI_OK;
}

static bool take_tick(const char *value, const char *option, uint64_t *tick)
{
    double number;
    if (!cli_number(value, 0, 9e15, &number) || floor(number) != number) {
        return cli_usage("%s needs a tick, a whole number", option), false;
    }
    *tick = (uint64_t)number;
    return true;
}

static int check_past(const struct recording *recording)
{
    if (recording->substeps || recording->ticks > 0 || recording->seconds > 0) {
        return cli_usage(
            "--from and --to record past ticks; they cannot be combined with --substeps, --ticks or "
            "--seconds");
    }
    if (recording->from_given && recording->to_given && recording->from > recording->to) {
        return cli_usage("--from must not be after --to");
    }
    return CLI_OK;
}

static int take_arguments(struct recording *recording, int argc, char **argv)
{
    const char *value;
    double number;
    for (int i = 0; i < argc; i++) {
        if (cli_option(argc, argv, &i, "--output", &value) || cli_option(argc, argv, &i, "-o", &value)) {
            const int status = take_output(recording, value);
            if (status != CLI_OK) {
                return status;
            }
        } else if (cli_option(argc, argv, &i, "--ticks", &value)) {
            if (!cli_number(value, 1, 1e12, &number) || floor(number) != number) {
                return cli_usage("--ticks needs a whole number from 1");
            }
            recording->ticks = (uint64_t)number;
        } else if (cli_option(argc, argv, &i, "--seconds", &value)) {
            if (!cli_number(value, 1e-6, 1e9, &recording->seconds)) {
                return cli_usage("--seconds needs a number above 0, of the world's time");
            }
        } else if (cli_option(argc, argv, &i, "--every", &value)) {
            if (!cli_number(value, 1, 1000000, &number) || floor(number) != number) {
                return cli_usage("--every needs a whole number from 1 to 1000000");
            }
            recording->every = (uint32_t)number;
        } else if (cli_option(argc, argv, &i, "--from", &value)) {
            if (!take_tick(value, "--from", &recording->from)) {
                return CLI_USAGE;
            }
            recording->past = recording->from_given = true;
        } else if (cli_option(argc, argv, &i, "--to", &value)) {
            if (!take_tick(value, "--to", &recording->to)) {
                return CLI_USAGE;
            }
            recording->past = recording->to_given = true;
        } else if (cli_option(argc, argv, &i, "--tolerance", &value)) {
            if (!cli_number(value, 1e-9, 1, &number) || !record_tolerance_fits((float)number)) {
                return cli_usage("--tolerance needs a number of metres from 1e-9 to 1");
            }
            recording->tolerance = (float)number;
        } else if (cli_option(argc, argv, &i, "--images", &value)) {
            if (!cli_number(value, 1, 1e6, &recording->images_s)) {
                return cli_usage("--images needs a number of seconds of the world's time, at least 1");
            }
        } else if (strcmp(argv[i], "--frames") == 0) {
            recording->frames = true;
        } else if (strcmp(argv[i], "--lossless") == 0) {
            recording->lossless = true;
        } else if (strcmp(argv[i], "--substeps") == 0) {
            recording->substeps = true;
        } else if (strcmp(argv[i], "--particles") == 0) {
            recording->scene.without_skins = true;
        } else if (strcmp(argv[i], "--") == 0 && i + 2 == argc && !recording->world) {
            recording->world = argv[++i];
        } else if (recording->world || strncmp(argv[i], "-", 1) == 0) {
            return cli_no_option("record", argv[i]);
        } else {
            recording->world = argv[i];
        }
    }
    if (!recording->world || !recording->path) {
        return cli_usage("usage: weft record WORLD -o FILE [OPTIONS]; see weft help record");
    }
    if (recording->past) {
        return check_past(recording);
    }
    if (recording->lossless && recording->substeps) {
        return cli_usage("--lossless records whole ticks; it cannot be combined with --substeps");
    }
    if (recording->lossless && recording->ticks == 0 && recording->seconds <= 0) {
        return cli_usage("--lossless steps the world: it needs --ticks or --seconds");
    }
    return CLI_OK;
}

// ---------------------------------------------------------------------------------------------------------
// Frames

static uint64_t last_tick(const struct recording *recording)
{
    if (recording->past) {
        return recording->to;
    }
    const uint64_t ticks = recording_ticks(recording);
    return ticks ? recording->first_tick + ticks : UINT64_MAX;
}

// Frames that were not made, or not sent, show up as a step that is too long. The first step may be shorter, because
// recording may start between two frames that are kept.
static void count_missed(struct recording *recording, uint64_t tick, uint32_t substep)
{
    const uint64_t unit = recording->substeps ? tick * recording->substep_count + substep : tick;
    if (recording->begun && unit / recording->every > recording->last_unit / recording->every) {
        recording->missed += unit / recording->every - recording->last_unit / recording->every - 1;
    }
    recording->last_unit = unit;
}

// Adds the present scene as a frame.
static void keep(struct recording *recording, uint64_t tick, uint32_t substep)
{
    struct fault fault;
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
    for (uint32_t c = 0; c < recording->scene.collider_count; c++) {
        const struct cli_collider *collider = &recording->scene.colliders[c];
        float *pose = recording->poses + RECORD_POSE * (size_t)c;
        pose[0] = collider->position.x;
        pose[1] = collider->position.y;
        pose[2] = collider->position.z;
        memcpy(pose + 3, collider->rotation, sizeof collider->rotation);
    }
    if (!record_take_append(recording->take, tick, substep, recording->poses, recording->positions, &fault)) {
        recording_stop(recording, recording_fail("FILE", fault.text));
    }
    record_meter_show(&recording->meter, tick - recording->first_tick);
    if (tick >= last_tick(recording)) {
        recording_stop(recording, CLI_OK);
    }
}

static void on_frame(void *context, struct weft_client *client, struct weft_frame *frame)
{
    (void)client;
    struct recording *recording = context;
    struct weft_error error;
    if (recording->over) {
        return;
    }
    const uint64_t tick = frame->tick;
    const uint32_t substep = frame->substep;
    const bool whole = frame->part + 1 == frame->parts;
    if (!cli_scene_take_frame(&recording->scene, frame, &error)) {
        recording_stop(recording, cli_report(&error));
    } else if (whole) {
        keep(recording, tick, substep);
    }
}

// Handles one edit, or one of a batch.
static void on_edit(struct recording *recording, const msgpack_object *method, const msgpack_object *params)
{
    if (weft_string_is(method, "body.remove") && !recording->over) {
        fprintf(stderr, "weft: the recording ends here: a body was removed\n");
        recording_stop(recording, CLI_OK);
    } else if (weft_string_is(method, "collider.set")) {
        cli_scene_move_collider(&recording->scene, params);
    }
}

static void on_edited(struct recording *recording, const msgpack_object *notice)
{
    const msgpack_object *method = weft_get(notice, "method"), *params = weft_get(notice, "params");
    const msgpack_object *edits = weft_get(params, "edits");
    if (!weft_string_is(method, "edit.batch")) {
        on_edit(recording, method, params);
        return;
    }
    for (uint32_t i = 0; i < weft_count(edits); i++) {
        on_edit(recording, weft_at(weft_at(edits, i), 0), weft_at(weft_at(edits, i), 1));
    }
}

// Ends the recording early: a body was removed, the world was deleted, or it failed.
static void on_notification(void *context, struct weft_client *client, const char *method,
                            const msgpack_object *params)
{
    (void)client;
    struct recording *recording = context;
    if (recording->over) {
        return;
    }
    if (strcmp(method, "world.edited") == 0) {
        on_edited(recording, params);
    } else if (strcmp(method, "world.changed") == 0 && weft_string_is(weft_get(params, "state"), "failed")) {
        char reason[200];
        fprintf(stderr, "weft: the recording ends here: the world failed: %s\n",
                weft_string_copy(weft_get(params, "reason"), reason, sizeof reason));
        recording_stop(recording, CLI_REFUSED);
    } else if (strcmp(method, "world.changed") == 0 && weft_string_is(weft_get(params, "state"), "deleted")) {
        fprintf(stderr, "weft: the recording ends here: the world was deleted\n");
        recording_stop(recording, CLI_OK);
    } else if (strcmp(method, "stream.closed") == 0) {
        char reason[200];
        fprintf(stderr, "weft: the recording ends here: %s\n",
                weft_string_copy(weft_get(params, "reason"), reason, sizeof reason));
        recording_stop(recording, CLI_REFUSED);
    }
}

// Asks for positions if there are bodies without skins, and for skins if there are some.
static void add_fields(const struct recording *recording, struct weft_params *params)
{
    bool bare = recording->scene.body_count == 0;
    for (uint32_t b = 0; b < recording->scene.body_count; b++) {
        bare = bare || !recording->scene.bodies[b].has_skin;
    }
    weft_params_list_begin(params, "fields");
    if (bare) {
        weft_params_string(params, NULL, "positions");
    }
    if (cli_scene_has_skins(&recording->scene)) {
        weft_params_string(params, NULL, "skin");
    }
    if (recording->scene.collider_count > 0) {
        weft_params_string(params, NULL, "colliders");
    }
    weft_params_list_end(params);
}

static void on_line(void *context, enum weft_line line, const msgpack_object *hello)
{
    struct recording *recording = context;
    if (recording->over || line == WEFT_AWAY || (line != WEFT_ANEW && !cli_has_rejoin(hello))) {
        return;
    }
    // Bodies may have been added or removed in the messages that were missed.
    fprintf(stderr, "weft: the recording ends here: too much was missed\n");
    recording_stop(recording, CLI_UNREACHABLE);
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
    for (uint32_t b = 0; b < recording->scene.body_count; b++) {
        weft_params_u64(&params, NULL, recording->scene.bodies[b].id);
    }
    weft_params_list_end(&params);
    add_fields(recording, &params);
    weft_params_string(&params, "unit", recording->substeps ? "substep" : "tick");
    weft_params_u64(&params, "every", recording->every);
    const int status = cli_call(recording->cli, "stream.subscribe", &params, &reply);
    weft_params_deinit(&params);
    weft_reply_destroy(&reply);
    if (status != CLI_OK) {
        return status;
    }
    if (strcmp(recording->scene.state, "playing") != 0) {
        fprintf(stderr,
                "weft: the world is %s: recording begins when it plays; to step it, add "
                "--lossless\n",
                recording->scene.state);
    }
    while (!recording->over && !cli_signals_stop()) {
        if (weft_poll(client, 250, &error) < 0) {
            recording_stop(recording, cli_report(&error));
        }
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
        status = recording_call(recording, "body.state", body->id, field, &reply);
        if (status == CLI_OK) {
            if (weft_view_f32(weft_get(&reply.result, field), &view) &&
                view.count == 3 * (size_t)body->particle_count) {
                memcpy(body->positions, view.f32, view.count * sizeof(float));
            } else {
                status = recording_fail("PROTOCOL", "the answer of body.state has no positions");
            }
            const uint64_t now = cli_field_u64(&reply.result, "tick");
            if (status == CLI_OK && b > 0 && now != *tick) {
                status = recording_fail(
                    "CONFLICT", "the world runs by itself: --lossless needs a world that nothing else runs");
            }
            *tick = now;
        }
        weft_view_deinit(&view);
        weft_reply_destroy(&reply);
    }
    return status;
}

// Asks where motions have moved the colliders.
static int ask_colliders(struct recording *recording)
{
    struct weft_reply reply;
    if (recording->scene.collider_count == 0) {
        return CLI_OK;
    }
    const int status = recording_call(recording, "world.join", 0, NULL, &reply);
    const msgpack_object *colliders = status == CLI_OK ? weft_get(&reply.result, "colliders") : NULL;
    for (uint32_t i = 0; i < weft_count(colliders); i++) {
        cli_scene_move_collider(&recording->scene, weft_at(colliders, i));
    }
    weft_reply_destroy(&reply);
    return status;
}

static int ask(struct recording *recording, uint64_t *tick)
{
    const int status = ask_positions(recording, tick);
    return status == CLI_OK ? ask_colliders(recording) : status;
}

static int step(struct recording *recording)
{
    struct weft_params params;
    struct weft_reply reply;
    weft_params_init(&params);
    weft_params_u64(&params, "world", recording->scene.world);
    weft_params_u64(&params, "ticks", recording->every);
    const int status = cli_call(recording->cli, "world.step", &params, &reply);
    weft_params_deinit(&params);
    weft_reply_destroy(&reply);
    return status;
}

// Records a paused world by stepping it, or the past by moving a view.
static int record_lossless(struct recording *recording)
{
    struct weft_client *client = recording->cli->client;
    uint64_t tick = 0;
    if (!recording->cli->timeout_given) {
        weft_set_timeout(client, 0); // a tick takes as long as it takes
    }
    while (!recording->over && !cli_signals_stop()) {
        int status = ask(recording, &tick);
        if (status == CLI_OK) {
            keep(recording, tick, 0);
        }
        if (status == CLI_OK && !recording->over) {
            status =
                recording->past ? recording_move_on(recording, tick + recording->every) : step(recording);
        }
        if (status != CLI_OK) {
            recording_stop(recording, status);
        }
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

// Writes the output. A signal ends it, and leaves only the take.
static int write_out(struct record_take *take, const char *path, enum record_format format, bool keeps_old)
{
    struct record_meter meter;
    struct fault fault;
    cli_signals_heard();
    record_meter_begin(&meter, "writing", "frames", 0, 0);
    const struct record_export export = {
        .path = path, .format = format, .keeps_old = keeps_old, .progress = on_progress, .context = &meter};
    const bool done = record_export(take, &export, &fault);
    record_meter_clear(&meter);
    return done ? CLI_OK : recording_fail("FILE", fault.text);
}

static void tell_written(const struct record_take *take, const char *path)
{
    const uint64_t frames = record_take_count(take), particles = record_take_particles(take);
    char shown[1024];
    printf("%llu %s of %llu %s in %s\n", (unsigned long long)frames, frames == 1 ? "frame" : "frames",
           (unsigned long long)particles, particles == 1 ? "particle" : "particles",
           cli_shown(path, shown, sizeof shown));
}

static int finish(struct recording *recording)
{
    int status = CLI_OK;
    const uint64_t frames = record_take_count(recording->take);
    record_meter_clear(&recording->meter);
    // A single frame from before the first step is not a recording.
    if (frames == 0 || (frames == 1 && recording->lossless && recording->status != CLI_OK)) {
        unlink(recording->take_path);
        return recording->status != CLI_OK ? recording->status
                                           : recording_fail("EMPTY", "nothing was recorded");
    }
    struct fault fault;
    if (recording->keeps_take) {
        status = record_take_sync(recording->take, &fault) ? recording_move_take(recording)
                                                           : recording_fail("FILE", fault.text);
    } else {
        status = write_out(recording->take, recording->path, recording->format, recording->status != CLI_OK);
    }
    if (status != CLI_OK) {
        fprintf(stderr, "weft: what was recorded is in %s; weft convert %s FILE writes it\n",
                recording->take_path, recording->take_path);
    } else if (!recording->keeps_take) {
        unlink(recording->take_path);
    }
    if (status == CLI_OK && recording->cli->json) {
        printf("{\"frames\":%llu,\"missed\":%llu,\"particles\":%llu}\n", (unsigned long long)frames,
               (unsigned long long)recording->missed,
               (unsigned long long)record_take_particles(recording->take));
    } else if (status == CLI_OK) {
        tell_written(recording->take, recording->path);
    }
    if (recording->missed) {
        fprintf(stderr, "weft: %llu %s missed; --lossless misses none\n",
                (unsigned long long)recording->missed, recording->missed == 1 ? "frame was" : "frames were");
    }
    return recording->status != CLI_OK ? recording->status : status;
}

// Whether the take holds records: no option that needs frames was given.
static bool is_of_records(const struct recording *recording)
{
    return recording->keeps_take && !recording->frames && !recording->lossless && !recording->past &&
           !recording->substeps && recording->every == 1 && recording->tolerance <= 0 &&
           !recording->scene.without_skins;
}

int cli_record(struct cli *cli, int argc, char **argv)
{
    struct recording recording = {.cli = cli, .every = 1, .images_s = IMAGES_S};
    int status = take_arguments(&recording, argc, argv);
    cli->stay = (struct cli_stay){.on = true, .then = on_line, .context = &recording};
    if (status == CLI_OK) {
        status = cli_connect(cli);
    }
    if (status == CLI_OK && !cli_signals_watch()) {
        status = recording_fail("SYSTEM", "cannot watch for signals");
    }
    if (status == CLI_OK && recording.past) {
        status = recording_look_back(&recording);
    }
    if (status == CLI_OK) {
        status = recording_join(&recording);
    }
    if (status == CLI_OK && is_of_records(&recording)) {
        status = recording_inputs(&recording);
        cli_scene_deinit(&recording.scene);
        return status;
    }
    if (status == CLI_OK) {
        status = recording_learn(&recording);
    }
    if (status == CLI_OK) {
        status = recording_begin_take(&recording);
    }
    if (status == CLI_OK) {
        weft_on_notification(cli->client, on_notification, &recording);
        recording.status =
            recording.lossless || recording.past ? record_lossless(&recording) : record_live(&recording);
        status = finish(&recording);
    }
    cli->stay = (struct cli_stay){0};
    record_take_close(recording.take);
    for (uint32_t b = 0; recording.looks && b < recording.scene.body_count; b++) {
        cli_look_deinit(&recording.looks[b]);
    }
    free(recording.looks);
    free(recording.positions);
    free(recording.poses);
    cli_scene_deinit(&recording.scene);
    return status;
}

static void tell_gap(void *context, const struct record_gap *gap)
{
    bool *any = context;
    *any = true;
    fprintf(stderr, "weft: FILE: frames %llu to %llu, ", (unsigned long long)gap->first + 1,
            (unsigned long long)gap->last + 1);
    if (gap->first > 0) {
        fprintf(stderr, "behind tick %llu%s", (unsigned long long)gap->tick_before,
                gap->tick_after > 0 ? " and " : "");
    }
    if (gap->tick_after > 0 || gap->first == 0) {
        fprintf(stderr, "before tick %llu", (unsigned long long)gap->tick_after);
    }
    fprintf(stderr, ", are damaged or build on damaged ones: they are left out\n");
}

static int convert_inputs(const struct cli *cli, int argc, char **argv)
{
    const char *more[8];
    int count = 0;
    more[count++] = "--take";
    more[count++] = argv[0];
    if (cli->json) {
        more[count++] = "--table";
        more[count++] = "json";
    }
    if (argc > 1 && argv[1][0] != '-') {
        more[count++] = "-o";
        more[count++] = argv[1];
        argc--;
        argv++;
    }
    return cli_run_beside("weft-bake", count, more, argc - 1, argv + 1);
}

int cli_convert(struct cli *cli, int argc, char **argv)
{
    struct fault fault;
    enum record_format format;
    // A take of records has no frames: the solver computes them.
    if (argc > 0 && record_inputs_are(argv[0])) {
        return convert_inputs(cli, argc, argv);
    }
    if (!cli_plain(&argc, &argv, 2, 2, "convert TAKE FILE")) {
        return CLI_USAGE;
    }
    if (!record_format_of(argv[1], &format)) {
        return cli_usage("%s: the name of the output must end with %s", argv[1], record_format_names());
    }
    if (!cli_signals_watch()) {
        return recording_fail("SYSTEM", "cannot watch for signals");
    }
    struct record_take *take = record_take_open(argv[0], &fault);
    if (!take) {
        return recording_fail("FILE", fault.text);
    }
    bool has_gaps = false;
    if (!record_take_check(take, tell_gap, &has_gaps, &fault)) {
        record_take_close(take);
        return recording_fail("FILE", fault.text);
    }
    int status = write_out(take, argv[1], format, false);
    if (status == CLI_OK && cli->json) {
        printf("{\"frames\":%llu,\"particles\":%llu}\n", (unsigned long long)record_take_count(take),
               (unsigned long long)record_take_particles(take));
    } else if (status == CLI_OK) {
        tell_written(take, argv[1]);
    }
    record_take_close(take);
    return status == CLI_OK && has_gaps ? CLI_REFUSED : status;
}
