// weft record --from --to: records past ticks, without gaps. A view shows one tick after another and is asked for the
// positions; the world itself is not affected.
#include "recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Finds the ends of the kept past, if the arguments do not give them.
static int find_ends(struct recording *recording)
{
    struct weft_reply reply;
    if (recording->from_given && recording->to_given) {
        return CLI_OK;
    }
    const int status = recording_call(recording, "world.history", 0, NULL, &reply);
    if (status == CLI_OK && !recording->from_given) {
        recording->from = cli_field_u64(&reply.result, "first_tick");
    }
    if (status == CLI_OK && !recording->to_given) {
        recording->to = cli_field_u64(&reply.result, "tick");
    }
    weft_reply_destroy(&reply);
    if (status == CLI_OK && recording->from > recording->to) {
        return cli_usage("the past that is kept ends at tick %" PRIu64 ", before --from", recording->to);
    }
    return status;
}

static int seek(struct recording *recording, uint64_t tick, uint64_t *revision)
{
    struct weft_params params;
    struct weft_reply reply;
    char text[160];
    weft_params_init(&params);
    weft_params_ref(&params, "world", recording->world);
    weft_params_u64(&params, "tick", tick);
    int status = cli_call(recording->cli, "world.seek", &params, &reply);
    if (status == CLI_OK && !weft_bool(weft_get(&reply.result, "exact"), false)) {
        snprintf(text, sizeof text, "tick %" PRIu64 " lies where another solver ran: it cannot be shown",
                 tick);
        status = recording_fail("NOT_FOUND", text);
    }
    if (status == CLI_OK) {
        *revision = cli_field_u64(&reply.result, "revision");
        snprintf(recording->view, sizeof recording->view, "%llu", cli_field_u64(&reply.result, "view"));
    }
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

int recording_look_back(struct recording *recording)
{
    int status = find_ends(recording);
    // A tick far from an image takes a while.
    if (!recording->cli->timeout_given) {
        weft_set_timeout(recording->cli->client, 0);
    }
    if (status == CLI_OK) {
        status = seek(recording, recording->from, &recording->revision);
    }
    recording->world = recording->view;
    return status;
}

static bool is_there(const msgpack_object *bodies, uint32_t id)
{
    for (uint32_t i = 0; i < weft_count(bodies); i++) {
        if (cli_field_u64(weft_at(bodies, i), "body") == id) {
            return true;
        }
    }
    return false;
}

// After edits: checks that everything recorded still exists.
static int look_again(struct recording *recording)
{
    struct weft_reply reply;
    const int status = recording_call(recording, "world.join", 0, NULL, &reply);
    const msgpack_object *bodies = status == CLI_OK ? weft_get(&reply.result, "bodies") : NULL;
    for (uint32_t b = 0; status == CLI_OK && !recording->over && b < recording->scene.body_count; b++) {
        if (!is_there(bodies, recording->scene.bodies[b].id)) {
            fprintf(stderr, "weft: the recording ends here: a body was removed\n");
            recording_stop(recording, CLI_OK);
        }
    }
    weft_reply_destroy(&reply);
    return status;
}

int recording_move_on(struct recording *recording, uint64_t tick)
{
    const uint64_t before = recording->revision;
    if (tick > recording->to) {
        recording_stop(recording, CLI_OK);
        return CLI_OK;
    }
    const int status = seek(recording, tick, &recording->revision);
    return status == CLI_OK && recording->revision != before ? look_again(recording) : status;
}
