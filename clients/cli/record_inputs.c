// weft record into a take of records, live: writes the records that decide the world (stream.records) as they come. The
// solver computes frames from them later.
//
//     now   image · message · message · message · message ·  ╎ left
//     next                      image ─────────── message ·  ╎ goes on
//                              of tick T                    ╰ the messages of `now` reach up to T: from here the take has
//                                                             the image of `next`, and the messages after it
//
// So the take has an image at regular intervals, from which any tick is soon computed, and no tick is lost between two
// streams.
#include "record/inputs.h"
#include "recording.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGES_BYTES = 256 << 10 };           // approximate bytes in a piece
static const size_t image_bytes_max = 1 << 30; // limit of the programs that read takes

// One stream of records.
struct source {
    uint32_t stream; // 0: no stream
    bool asked;      // a stream was asked for
    bool whole;      // its image has arrived completely
    uint64_t image_tick, told;
    msgpack_sbuffer image, messages;
};

struct story {
    struct recording *recording;
    struct record_inputs *file;
    struct source now, next;
    uint64_t first_tick, image_tick; // tick of the first image, and of the last one in the take
    uint64_t told;                   // last tick that the records cover
    uint64_t images, records, missed;
    bool begun, failed; // begun: there is an image; failed: the world failed
};

static void stop_for(struct story *story, const struct fault *fault)
{
    recording_stop(story->recording, recording_fail("FILE", fault->text));
}

// ---------------------------------------------------------------------------------------------------------
// Streams

static void on_joined(struct story *story, struct source *source, const struct weft_error *error,
                      struct weft_reply *reply)
{
    source->asked = false;
    if (!error) {
        source->stream = (uint32_t)weft_u64(weft_get(&reply->result, "stream"), 0);
    } else if (source == &story->now && !story->recording->over) {
        recording_stop(story->recording, cli_report(error));
    }
    // Without a next stream the take goes on with the present one, and asks for an image again later.
}

static void on_now(void *context, struct weft_client *client, const struct weft_error *error,
                   struct weft_reply *reply)
{
    struct story *story = context;
    (void)client;
    on_joined(story, &story->now, error, reply);
}

static void on_next(void *context, struct weft_client *client, const struct weft_error *error,
                    struct weft_reply *reply)
{
    struct story *story = context;
    (void)client;
    on_joined(story, &story->next, error, reply);
}

static void join(struct story *story, struct source *source, weft_reply_fn *then)
{
    struct weft_params params;
    struct weft_error error;
    weft_params_init(&params);
    weft_params_u64(&params, "world", story->recording->scene.world);
    weft_params_string(&params, "encoding", "records");
    source->asked = true;
    if (!weft_call_async(story->recording->cli->client, "stream.subscribe", &params, then, story, &error)) {
        recording_stop(story->recording, cli_report(&error));
    }
    weft_params_deinit(&params);
}

static void leave(struct story *story, uint32_t stream)
{
    struct weft_params params;
    weft_params_init(&params);
    weft_params_u64(&params, "stream", stream);
    weft_call_async(story->recording->cli->client, "stream.unsubscribe", &params, NULL, NULL, NULL);
    weft_params_deinit(&params);
}

static void source_deinit(struct source *source)
{
    msgpack_sbuffer_destroy(&source->image);
    msgpack_sbuffer_destroy(&source->messages);
    *source = (struct source){0};
}

// ---------------------------------------------------------------------------------------------------------
// Writing the take

static void flush(struct story *story)
{
    struct fault fault;
    msgpack_sbuffer *messages = &story->now.messages;
    if (messages->size > 0 && !record_inputs_append(story->file, RECORD_MESSAGES, story->told, messages->data,
                                                    messages->size, &fault)) {
        stop_for(story, &fault);
    }
    msgpack_sbuffer_clear(messages);
}

// Writes the image of `now`, after all earlier records.
static void write_image(struct story *story)
{
    struct source *now = &story->now;
    struct fault fault;
    if (story->begun && now->image_tick < story->told) {
        fprintf(stderr, "weft: the recording ends here: the world went back to an earlier tick\n");
        recording_stop(story->recording, CLI_REFUSED);
        return;
    }
    if (!record_inputs_append(story->file, RECORD_IMAGE, now->image_tick, now->image.data, now->image.size,
                              &fault)) {
        stop_for(story, &fault);
    }
    msgpack_sbuffer_destroy(&now->image);
    msgpack_sbuffer_init(&now->image);
    // The image's own tick is not missed.
    story->missed += story->begun && now->image_tick > story->told ? now->image_tick - story->told - 1 : 0;
    story->first_tick = story->begun ? story->first_tick : now->image_tick;
    story->image_tick = story->told = now->image_tick;
    story->begun = true;
    story->images++;
}

static bool is_over(const struct story *story)
{
    const struct recording *recording = story->recording;
    const uint64_t ticks = recording_ticks(recording);
    return story->begun && ticks > 0 && story->told - story->first_tick >= ticks;
}

// All records up to the stream's present tick are in the take.
static void came_to(struct story *story, uint64_t tick)
{
    struct record_meter *meter = &story->recording->meter;
    story->told = story->now.told = tick;
    record_meter_show(meter, story->told - story->first_tick);
    if (is_over(story)) {
        recording_stop(story->recording, CLI_OK);
    }
}

static void change_over(struct story *story)
{
    const uint64_t told = story->next.told;
    flush(story);
    // Records of `now` after the image come again with the stream of `next`.
    story->told = story->told < story->next.image_tick ? story->told : story->next.image_tick;
    if (story->now.stream) {
        leave(story, story->now.stream);
    }
    source_deinit(&story->now);
    story->now = story->next;
    story->next = (struct source){0};
    write_image(story);
    if (!story->recording->over) {
        came_to(story, told);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Messages

static bool keep(struct story *story, msgpack_sbuffer *buffer, const msgpack_object *params)
{
    msgpack_packer packer;
    msgpack_packer_init(&packer, buffer, msgpack_sbuffer_write);
    const bool done = buffer->size < image_bytes_max && msgpack_pack_object(&packer, *params) == 0;
    if (!done) {
        recording_stop(story->recording, recording_fail("MEMORY", "the world is too large for this program"));
    }
    return done;
}

static void take_image(struct story *story, struct source *source, const msgpack_object *params)
{
    const uint64_t part = weft_u64(weft_get(params, "part"), 0),
                   parts = weft_u64(weft_get(params, "parts"), 0);
    if (part == 0) {
        // A new image on the same stream: earlier records belong to the old one.
        if (source == &story->now) {
            flush(story);
        }
        msgpack_sbuffer_clear(&source->image);
        msgpack_sbuffer_clear(&source->messages);
        source->image_tick = source->told = cli_field_u64(params, "tick");
        source->whole = false;
    }
    if (!keep(story, &source->image, params) || part + 1 != parts) {
        return;
    }
    source->whole = true;
    if (source == &story->now) {
        write_image(story);
    }
}

static void take_message(struct story *story, struct source *source, const msgpack_object *params)
{
    const uint64_t tick = cli_field_u64(params, "tick");
    if (!source->whole || tick < source->told || !keep(story, &source->messages, params)) {
        return;
    }
    source->told = tick;
    if (source != &story->now) {
        return;
    }
    story->records += weft_count(weft_get(params, "records"));
    came_to(story, tick);
    // A piece mostly ends with a hash, so that a complete piece is known to be right.
    if (weft_get(params, "hash") || source->messages.size >= MESSAGES_BYTES) {
        flush(story);
    }
}

static void on_records(struct story *story, const msgpack_object *params)
{
    const uint64_t stream = weft_u64(weft_get(params, "stream"), 0);
    struct source *source = stream == 0                    ? NULL
                            : stream == story->now.stream  ? &story->now
                            : stream == story->next.stream ? &story->next
                                                           : NULL;
    if (!source) {
        return;
    }
    if (weft_get(params, "part")) {
        take_image(story, source, params);
    } else {
        take_message(story, source, params);
    }
    if (weft_string_is(weft_get(params, "state"), "failed") && source == &story->now) {
        story->failed = true;
    }
    if (!story->recording->over && story->next.whole && story->now.told >= story->next.image_tick) {
        change_over(story);
    }
}

static void on_closed(struct story *story, const msgpack_object *params)
{
    const uint64_t stream = weft_u64(weft_get(params, "stream"), 0);
    if (stream != 0 && stream == story->next.stream) {
        source_deinit(&story->next);
    } else if (stream != 0 && stream == story->now.stream) {
        flush(story);
        source_deinit(&story->now); // the next stream begins with an image; ticks in between are missed
    }
}

static void on_notification(void *context, struct weft_client *client, const char *method,
                            const msgpack_object *params)
{
    struct story *story = context;
    (void)client;
    if (story->recording->over) {
        return;
    }
    if (strcmp(method, "stream.records") == 0) {
        on_records(story, params);
    } else if (strcmp(method, "stream.closed") == 0) {
        on_closed(story, params);
    } else if (strcmp(method, "world.changed") == 0 && weft_string_is(weft_get(params, "state"), "deleted")) {
        fprintf(stderr, "weft: the recording ends here: the world was deleted\n");
        recording_stop(story->recording, CLI_OK);
    }
}

static void on_line(void *context, enum weft_line line, const msgpack_object *hello)
{
    struct story *story = context;
    (void)hello;
    // In a session that goes on, streams are asked for again and begin with an image. In a new session ids may refer to
    // other worlds.
    if (story->recording->over || line != WEFT_ANEW) {
        return;
    }
    fprintf(stderr, "weft: the recording ends here: too much was missed\n");
    recording_stop(story->recording, CLI_UNREACHABLE);
}

// ---------------------------------------------------------------------------------------------------------

// Finds out which program made the world. If that is not known the take says so: its hashes show differences as well.
static int learn_maker(struct recording *recording, struct record_inputs_head *head)
{
    struct weft_reply reply;
    int status = recording_call(recording, "world.history", 0, NULL, &reply);
    if (status == CLI_OK) {
        const msgpack_object *spans = weft_get(&reply.result, "spans");
        const uint32_t count = weft_count(spans);
        if (count > 0) {
            head->solver = (uint32_t)cli_field_u64(weft_at(spans, count - 1), "solver");
        }
    }
    weft_reply_destroy(&reply);
    if (status == CLI_OK) {
        status = cli_call(recording->cli, "server.info", NULL, &reply);
    }
    if (status == CLI_OK) {
        weft_string_copy(weft_get(&reply.result, "version"), head->maker, sizeof head->maker);
    }
    weft_reply_destroy(&reply);
    return status;
}

static void run(struct story *story)
{
    struct recording *recording = story->recording;
    struct weft_error error;
    const uint64_t every = (uint64_t)(recording->images_s * recording->tick_rate) + 1;
    record_meter_begin(&recording->meter, "recording", "ticks", 0, recording_ticks(recording));
    while (!recording->over && !cli_signals_stop()) {
        if (!story->now.stream && !story->now.asked) {
            join(story, &story->now, on_now);
        } else if (story->begun && story->told - story->image_tick >= every && !story->next.stream &&
                   !story->next.asked) {
            join(story, &story->next, on_next);
        }
        if (!recording->over && weft_poll(recording->cli->client, 250, &error) < 0) {
            recording_stop(recording, cli_report(&error));
        }
        if (story->failed && !recording->over) {
            fprintf(stderr, "weft: the recording ends here: the world failed\n");
            recording_stop(recording, CLI_REFUSED);
        }
    }
    record_meter_clear(&recording->meter);
}

static void tell(const struct story *story, uint64_t ticks)
{
    const struct recording *recording = story->recording;
    const unsigned long long bytes = record_inputs_bytes(story->file);
    char shown[1024];
    if (recording->cli->json) {
        printf("{\"ticks\":%llu,\"missed\":%llu,\"images\":%llu,\"records\":%llu,\"bytes\":%llu}\n",
               (unsigned long long)ticks, (unsigned long long)story->missed,
               (unsigned long long)story->images, (unsigned long long)story->records, bytes);
    } else {
        printf("%llu %s, %llu %s in %llu bytes in %s\n", (unsigned long long)ticks,
               ticks == 1 ? "tick" : "ticks", (unsigned long long)story->records,
               story->records == 1 ? "record" : "records", bytes,
               cli_shown(recording->path, shown, sizeof shown));
    }
    if (story->missed) {
        fprintf(stderr, "weft: %llu %s missed while there was no stream\n", (unsigned long long)story->missed,
                story->missed == 1 ? "tick was" : "ticks were");
    }
}

static int finish(struct story *story)
{
    struct recording *recording = story->recording;
    struct fault fault;
    int status = CLI_OK;
    if (!story->begun) {
        unlink(recording->take_path);
        return recording->status != CLI_OK ? recording->status
                                           : recording_fail("EMPTY", "nothing was recorded");
    }
    const uint64_t ticks = recording_ticks(recording), told = story->told - story->first_tick;
    const uint64_t end = ticks > 0 && ticks < told ? ticks : told;
    flush(story);
    if (!record_inputs_append(story->file, RECORD_END, story->first_tick + end, "", 0, &fault) ||
        !record_inputs_sync(story->file, &fault)) {
        status = recording_fail("FILE", fault.text);
    }
    if (status == CLI_OK) {
        status = recording_move_take(recording);
    }
    if (status == CLI_OK) {
        tell(story, end);
    } else {
        fprintf(stderr, "weft: what was recorded is in %s; weft convert %s FILE writes it\n",
                recording->take_path, recording->take_path);
    }
    return recording->status != CLI_OK ? recording->status : status;
}

int recording_inputs(struct recording *recording)
{
    struct story story = {.recording = recording};
    struct record_inputs_head head = {.tick_rate = recording->tick_rate};
    struct fault fault;
    int status = learn_maker(recording, &head);
    if (status == CLI_OK && !record_can_replace(recording->path, &fault)) {
        status = recording_fail("FILE", fault.text);
    }
    if (status == CLI_OK) {
        story.file = record_inputs_create(recording->take_path, &head, &fault);
        if (!story.file) {
            status = recording_fail("FILE", fault.text);
        }
    }
    if (status == CLI_OK) {
        recording->cli->stay = (struct cli_stay){.on = true, .then = on_line, .context = &story};
        weft_on_notification(recording->cli->client, on_notification, &story);
        if (strcmp(recording->scene.state, "paused") == 0) {
            fprintf(stderr, "weft: the world is paused: recording begins when it plays\n");
        }
        run(&story);
        status = finish(&story);
        recording->cli->stay = (struct cli_stay){0};
        weft_on_notification(recording->cli->client, NULL, NULL);
    }
    source_deinit(&story.now);
    source_deinit(&story.next);
    record_inputs_close(story.file);
    return status;
}
