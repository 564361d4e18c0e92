// One seed.
//
//     up ── input, time ── input, time ── … ──▶ cuts are mended, worlds pause ──▶ nothing is left to be answered
//        ──▶ each client asks where each world stands ──▶ one asks for the records, which are replayed ──▶ all leave ──▶ nothing is held
#include "simulator.h"

#include "clock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    STEPS_AT_ONCE = 20000, // without time going on
    REST_S = 120,          // in which all has to come to rest
    GRACE_OVER_S = 40,
};

struct run_counts run_counts;

// ---------------------------------------------------------------------------------------------------------
// Telling

void simulator_fail(struct run *run, const char *format, ...)
{
    if (run->failed) {
        return; // what comes after the first may follow from it
    }
    run->failed = true;
    run->failure_kind = format;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->failure, sizeof run->failure, format, arguments);
    va_end(arguments);
    simulator_say(run, "FAILED: %s", run->failure);
}

bool simulator_logs(const struct run *run)
{
    return run->options.log != NULL || run->options.log_hash;
}

static void say(struct run *run, const char *line)
{
    for (const char *at = line; *at != '\0'; at++) { // FNV-1a
        run->log_hash = (run->log_hash ^ (uint8_t)*at) * UINT64_C(0x100000001b3);
    }
    if (run->options.log != NULL) {
        fprintf(run->options.log, "%s\n", line);
    }
}

void simulator_say(struct run *run, const char *format, ...)
{
    char line[2048];
    if (!simulator_logs(run)) {
        return;
    }
    const int head =
        snprintf(line, sizeof line, "%5u %12.6f ", run->input, (double)simulator_clock.now_ns * 1e-9);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + head, sizeof line - (size_t)head, format, arguments);
    va_end(arguments);
    say(run, line);
}

void simulator_say_object(struct run *run, const char *head, const msgpack_object *object)
{
    char text[1600] = "";
    if (object != NULL) {
        msgpack_object_print_buffer(text, sizeof text, *object);
    }
    simulator_say(run, "%s %.1500s", head, text);
}

// ---------------------------------------------------------------------------------------------------------
// Time

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t next_due(const struct run *run)
{
    uint64_t due_ns = links_due(run);
    for (uint32_t i = 0; i < run->server_count; i++) {
        const struct simulated_server *server = &run->servers[i];
        due_ns = earlier(due_ns, server->local != NULL ? server->due_ns : server->up_ns);
    }
    for (uint32_t i = 0; i < run->client_count; i++) {
        const struct client *client = &run->clients[i];
        if (client->link == NULL && client->server->local != NULL) {
            due_ns = earlier(due_ns, client->back_ns);
        }
    }
    return due_ns;
}

static void do_due(struct run *run)
{
    for (uint32_t i = 0; i < run->server_count; i++) {
        struct simulated_server *server = &run->servers[i];
        if (server->local == NULL && server->up_ns <= simulator_clock.now_ns) {
            server_start(server);
        }
    }
    for (uint32_t i = 0; i < run->client_count; i++) {
        struct client *client = &run->clients[i];
        if (client->link == NULL && client->server->local != NULL &&
            client->back_ns <= simulator_clock.now_ns) {
            client_connect(client);
        }
    }
    links_step(run);
    for (uint32_t i = 0; i < run->server_count; i++) {
        struct simulated_server *server = &run->servers[i];
        if (server->local != NULL && server->due_ns <= simulator_clock.now_ns) {
            server_turn(server);
            simulator_clock.now_ns += 1000 + chance_below(&run->rest, 50000); // that a turn takes
        }
    }
}

// All that happens until then.
static void pass_until(struct run *run, uint64_t until_ns)
{
    uint32_t steps = 0;
    uint64_t last_ns = simulator_clock.now_ns;
    while (!run->failed) {
        const uint64_t due_ns = next_due(run);
        if (due_ns > until_ns) {
            break;
        }
        if (due_ns > simulator_clock.now_ns) {
            simulator_clock.now_ns = due_ns;
        }
        do_due(run);
        steps = simulator_clock.now_ns - last_ns > MS ? 0 : steps + 1;
        if (steps == 0) {
            last_ns = simulator_clock.now_ns;
        }
        if (steps > STEPS_AT_ONCE) {
            simulator_fail(run, "something is due at once again and again, and time does not go on");
        }
    }
    if (simulator_clock.now_ns < until_ns) {
        simulator_clock.now_ns = until_ns;
    }
}

static void pass(struct run *run, uint64_t ns)
{
    pass_until(run, simulator_clock.now_ns + ns);
}

// ---------------------------------------------------------------------------------------------------------
// Coming to rest

static bool is_at_rest(const struct run *run)
{
    for (uint32_t i = 0; i < run->client_count; i++) {
        const struct client *client = &run->clients[i];
        if (!client->ready || client->asked_count > 0 || client->link->lost_ns > 0) {
            return false;
        }
    }
    return links_idle(run);
}

static void tell_unrest(struct run *run)
{
    for (uint32_t i = 0; i < run->client_count; i++) {
        const struct client *client = &run->clients[i];
        if (client->link == NULL || !client->ready) {
            simulator_fail(run, "client %u does not come back: %s", i,
                           client->link == NULL ? "it has no connection"
                                                : "its session.hello is not answered");
        } else if (client->asked_count > 0) {
            simulator_fail(run, "client %u is not answered request %u, %s of input %u", i,
                           client->asked[0].msgid, protocol_methods[client->asked[0].method].name,
                           client->asked[0].input);
        }
    }
    simulator_fail(run, "what is sent does not come to an end");
}

// Whatever is asked is answered. False: it has failed.
static bool settle(struct run *run)
{
    const uint64_t end_ns = simulator_clock.now_ns + REST_S * SECOND;
    do {
        pass(run, 20 * MS);
    } while (!run->failed && !is_at_rest(run) && simulator_clock.now_ns < end_ns);
    if (!run->failed && !is_at_rest(run)) {
        tell_unrest(run);
    }
    return !run->failed;
}

static void mend(struct run *run)
{
    run->quiet = true;
    for (uint32_t i = 0; i < run->client_count; i++) {
        struct client *client = &run->clients[i];
        client->slow_ns = 0;
        if (client->dirty || (client->link != NULL && client->link->ended)) {
            link_cut(client->link, true, true);
        }
        client->back_ns = earlier(client->back_ns, simulator_clock.now_ns + 10 * MS);
    }
}

// Checks each world that a person joined, or may see.
static void ask_of_worlds(struct run *run, enum protocol_method method, enum asked_for what)
{
    for (uint32_t i = 0; i < run->client_count && !run->failed; i++) {
        struct client *client = &run->clients[i];
        for (uint32_t place = 0; place < client->server->world_count; place++) {
            struct known_world *world = &client->server->worlds[place];
            if (!world->here || !client_may_ask(client)) {
                continue;
            }
            if (what == ASKED_RECORDS && (world->records_asked || !world->replays)) {
                continue;
            }
            snprintf(run->text, sizeof run->text, "{'world': %" PRIu32 "%s}", world->id,
                     what == ASKED_RECORDS ? ", 'after': 0, 'limit': 4096" : "");
            world->records_asked = what == ASKED_RECORDS;
            (void)client_ask(client, method, what, place);
        }
    }
}

// Returns how long to wait until everything has been told. If a client held a thing, sessions must have ended whose clients
// gave up.
static uint64_t wait_ns(const struct run *run)
{
    uint64_t ns = SECOND;
    for (uint32_t i = 0; i < run->server_count; i++) {
        const struct simulated_server *server = &run->servers[i];
        for (uint32_t place = 0; place < server->world_count; place++) {
            if (server->worlds[place].here && server->worlds[place].grabbed) {
                ns = ns > server->grace_ns + 2 * SECOND ? ns : server->grace_ns + 2 * SECOND;
            }
        }
    }
    return ns;
}

static void come_to_rest(struct run *run)
{
    mend(run);
    if (!settle(run)) {
        return;
    }
    ask_of_worlds(run, PROTOCOL_METHOD_WORLD_PAUSE, ASKED_PLAIN);
    if (!settle(run)) {
        return;
    }
    pass(run, wait_ns(run));
    ask_of_worlds(run, PROTOCOL_METHOD_WORLD_GET, ASKED_REST);
    if (!settle(run)) {
        return;
    }
    if (run->servers[0].tokens || run->servers[1].tokens) {
        ask_of_worlds(run, PROTOCOL_METHOD_ACCESS_LIST, ASKED_PLAIN);
    }
    if (!settle(run)) {
        return;
    }
    ask_of_worlds(run, PROTOCOL_METHOD_WORLD_CONTROL, ASKED_REST_CONTROL);
    ask_of_worlds(run, PROTOCOL_METHOD_WORLD_HASH, ASKED_REST_HASH);
    if (!settle(run)) {
        return;
    }
    ask_of_worlds(run, PROTOCOL_METHOD_WORLD_RECORDS, ASKED_RECORDS);
    (void)settle(run);
}

// Nobody is there any more, so nothing is held for anybody.
static void leave(struct run *run)
{
    for (uint32_t i = 0; i < run->client_count; i++) {
        struct client *client = &run->clients[i];
        if (client->link != NULL) {
            link_cut(client->link, true, true);
        }
        client->back_ns = UINT64_MAX;
    }
    pass(run, GRACE_OVER_S * SECOND);
    for (uint32_t i = 0; i < run->server_count && !run->failed; i++) {
        struct local_counts counts;
        server_enter(&run->servers[i]);
        if (run->servers[i].local == NULL) {
            continue;
        }
        local_server_counts(run->servers[i].local, &counts);
        if (counts.sessions > 0 || counts.views > 0 || counts.unsent_bytes > 0 || counts.unanswered > 0 ||
            counts.frame_bytes > 0 || counts.message_bytes > 0) {
            simulator_fail(run,
                           "nobody is there, and server %u has %u sessions, %u views, %llu bytes unsent, %u "
                           "requests, %llu bytes "
                           "of frames, %llu of messages",
                           i, counts.sessions, counts.views, (unsigned long long)counts.unsent_bytes,
                           counts.unanswered, (unsigned long long)counts.frame_bytes,
                           (unsigned long long)counts.message_bytes);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// The whole

static void begin(struct run *run, const struct run_options *options)
{
    memset(run, 0, sizeof *run);
    run->options = *options;
    run->log_hash = UINT64_C(0xcbf29ce484222325);
    struct chance chance = chance_of(options->seed, FOR_RUN, 0);
    run->network = chance_of(options->seed, FOR_NETWORK, 0);
    run->rest = chance_of(options->seed, FOR_REST, 0);
    run->broken = chance_of(options->seed, FOR_BROKEN, 0);
    simulator_clock = (struct simulator_clock){
        .now_ns = SECOND + chance_span(&chance, SECOND, 100000 * SECOND),
        .call_ns = chance_below(&chance, 4) > 0 ? 0 : chance_span(&chance, 10, 20000),
        .secrets = chance_of(options->seed, FOR_SECRETS, 0),
    };
    run->server_count = 1 + chance_one_in(&chance, 4);
    run->client_count = 1 + chance_below(&chance, CLIENTS);
    run->user_count = 1 + chance_below(&chance, USERS);
    msgpack_sbuffer_init(&run->message);
    inputs_weigh(run);
    for (uint32_t i = 0; i < run->server_count; i++) {
        struct simulated_server *server = &run->servers[i];
        server->run = run;
        server->index = i;
        server->tokens = chance_one_in(&chance, 4);
        snprintf(server->book_path, sizeof server->book_path, "%.40s/book-%ld-%u", options->scratch,
                 (long)getpid(), i);
        msgpack_sbuffer_init(&server->saved);
        server_start(server);
    }
    for (uint32_t i = 0; i < run->client_count; i++) {
        struct client *client = &run->clients[i];
        client->run = run;
        client->index = i;
        client->user = i % run->user_count;
        client->server = &run->servers[chance_below(&chance, run->server_count)];
    }
}

static bool is_dropped(const struct run_options *options, uint32_t input)
{
    return options->dropped != NULL && (options->dropped[input / 8] >> input % 8 & 1);
}

static void end(struct run *run)
{
    for (uint32_t i = 0; i < run->client_count; i++) {
        client_forget(&run->clients[i]);
    }
    for (uint32_t i = 0; i < run->server_count; i++) {
        server_destroy(&run->servers[i]);
    }
    links_destroy(run);
    msgpack_sbuffer_destroy(&run->message);
}

bool run_seed(const struct run_options *options, struct run *run)
{
    begin(run, options);
    const uint64_t began_ns = simulator_clock.now_ns;
    pass(run, 100 * MS);
    for (uint32_t input = 0; input < options->inputs && !run->failed; input++) {
        // Time passes all the same where an input is dropped, so that the others come when they came.
        struct chance pause = chance_of(options->seed, FOR_INPUT, (UINT64_C(1) << 32) + input);
        run->input = input;
        run->rest_ns = chance_span(&pause, MS / 2, 100 * MS);
        if (!is_dropped(options, input)) {
            input_do(run, input);
            run_counts.inputs++;
        }
        pass(run, run->rest_ns);
    }
    if (!run->failed) {
        run->input = options->inputs;
    }
    if (!run->failed) {
        come_to_rest(run);
    }
    if (!run->failed) {
        leave(run);
    }
    run_counts.seeds++;
    run_counts.messages += run->told;
    run_counts.turns += run->turns;
    run_counts.simulated_ns += simulator_clock.now_ns - began_ns;
    end(run);
    return !run->failed;
}
