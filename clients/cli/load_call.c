// A call of `weft load` that may take long, and its errors.
#include "load.h"

#include <string.h>

struct sending {
    struct load *load;
    uint64_t from, size; // bytes
};

// Once the whole request was sent, it waits for the answer: only the answer says what there is to remove.
static bool on_wait(void *context, struct weft_client *client)
{
    struct sending *sending = context;
    struct weft_stats stats;
    weft_stats(client, &stats);
    const uint64_t sent = stats.bytes_out - sending->from;
    const bool whole = sent >= sending->size;
    const bool go_on = cli_progress_report(&sending->load->progress, whole ? "adding" : "sending",
                                           whole ? -1.0 : (double)sent / (double)sending->size);
    return go_on || whole;
}

bool load_call(struct load *load, const char *method, struct weft_params *params, struct weft_reply *reply,
               struct weft_error *error)
{
    struct weft_stats stats;
    weft_stats(load->cli->client, &stats);
    struct sending sending = {.load = load, .from = stats.bytes_out, .size = params->buffer.size};
    // There is no timeout: it shows progress, and Ctrl-C ends it.
    if (!load->cli->timeout_given) {
        weft_set_timeout(load->cli->client, 0);
    }
    weft_on_wait(load->cli->client, on_wait, &sending);
    const bool done = weft_call(load->cli->client, method, params, reply, error);
    weft_on_wait(load->cli->client, NULL, NULL);
    return done;
}

int load_report(const struct load *load, struct weft_error *error)
{
    char hint[LOAD_HINT_SIZE];
    const size_t size = strlen(error->text);
    // A motion may be refused because it is too fast; then the hint depends on the size alone.
    load_size_hint(load, !load->added, hint);
    if (hint[0] && strstr(error->text, "a coarser resolution")) {
        snprintf(error->text + size, sizeof error->text - size, "; %s", hint);
    }
    return cli_report(error);
}
