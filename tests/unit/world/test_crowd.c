// Several people at random: they edit, alone and in batches, take back and make again by force what others did, leave in
// the middle of it and come back. A refused request changes nothing. A session that leaves ends its grabs and its steps
// and nothing else. Force is never refused because of what somebody else did. The records alone come to the same hashes.
//
// WEFT_PROGRAMS=N runs N programs. Their hashes are no golden ones.
#include "helper_program.h"
#include "helper_replay.h"

#include "protocol/params.h"
#include "world/keep/history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SESSIONS = 6, STEPS = 2 * PROGRAM_EDITS, FIRST_PROGRAM = 20000 };

// By session.
static const char *const names[] = {"", "ann", "bob", "eve", "", "", ""};

struct crowd {
    struct helper *helper;
    struct replay replay;
    uint32_t program, step;
    uint32_t posted;         // in this step
    bool left[SESSIONS + 1]; // at least once
};

static struct {
    uint32_t done, refused, forced_done, over_others, left_out, after_leaving, leaves, in_flight;
} counts;

// ---------------------------------------------------------------------------------------------------------
// Asking

static uint32_t post(struct crowd *crowd, uint32_t session, const char *method, const char *notation)
{
    const uint32_t id = helper_post(crowd->helper, session, method, notation);
    crowd->posted += id != 0;
    return id;
}

static void say_error(const struct crowd *crowd, const char *method, const char *notation, const char *what)
{
    fail_msg("program %u, step %u: %s %.300s: %s", crowd->program, crowd->step, method, notation, what);
}

// The answer. NULL if the request was refused, by the world or before it came there; then nothing has changed.
static const msgpack_object *ask(struct crowd *crowd, uint32_t session, const char *method,
                                 const char *notation, char error_text[static 256])
{
    struct helper *helper = crowd->helper;
    const uint64_t hash = document_hash(helper->world->document);
    const uint64_t revision = helper->world->document->revision;
    const uint32_t id = post(crowd, session, method, notation);
    bool error = true;
    helper_turns_until_idle(helper);
    const msgpack_object *answer = id != 0 ? helper_answer(helper, id, &error) : NULL;
    if (id != 0 && !answer) {
        say_error(crowd, method, notation, "is not answered");
    }
    if (error &&
        (document_hash(helper->world->document) != hash || helper->world->document->revision != revision)) {
        say_error(crowd, method, notation, "was refused, and changed something");
    }
    const msgpack_object *text = answer && error ? helper_at(answer, "#1") : NULL;
    snprintf(error_text, 256, "%.*s", text ? (int)text->via.str.size : 0, text ? text->via.str.ptr : "");
    counts.done += !error;
    counts.refused += error;
    return error ? NULL : answer;
}

// ---------------------------------------------------------------------------------------------------------
// What they do

static void edit(struct crowd *crowd, uint32_t session)
{
    struct program_input input;
    char error[256];
    helper_choose(crowd->helper->world->document->sim, &input);
    ask(crowd, session, input.method, input.notation, error);
}

// One or two edits in a batch, which alone names the world.
static void edit_batch(struct crowd *crowd, uint32_t session)
{
    static char notation[4 * sizeof(struct program_input)];
    struct program_input input;
    char error[256];
    size_t size = (size_t)snprintf(notation, sizeof notation, "{'world': 1, 'edits': [");
    for (uint32_t i = 0, count = 1 + program_below(2); i < count; i++) {
        helper_choose(crowd->helper->world->document->sim, &input);
        const char *rest = strchr(input.notation, ',');
        size += (size_t)snprintf(notation + size, sizeof notation - size, "%s['%s', {%s]", i > 0 ? ", " : "",
                                 input.method, rest ? rest + 1 : "}");
    }
    snprintf(notation + size, sizeof notation - size, "]}");
    ask(crowd, session, "edit.batch", notation, error);
}

static void check_answer(const struct crowd *crowd, uint32_t session, const msgpack_object *what,
                         const msgpack_object *left_out)
{
    char user[65];
    const msgpack_object *name = helper_at(what, "user");
    snprintf(user, sizeof user, "%.*s", (int)name->via.str.size, name->via.str.ptr);
    counts.over_others += strcmp(user, names[session]) != 0;
    counts.after_leaving += strcmp(user, names[session]) == 0 && user[0] != '\0' && crowd->left[session];
    counts.left_out += left_out->via.array.size;
}

// The revision of a random edit, whoever made it, that stands or is taken back; 0 if chance finds none.
static uint64_t find_edit(const struct crowd *crowd, bool stands)
{
    const struct world_history *history = &crowd->helper->world->keep->history;
    for (uint32_t i = 0; i < 8 && history->count > 0; i++) {
        const struct world_undo_step *step = history->steps[program_below(history->count)];
        if (step->stands == stands) {
            return step->revision;
        }
    }
    return 0;
}

static void take_back(struct crowd *crowd, uint32_t session)
{
    const bool undo = program_below(5)<3, force = program_below(4)> 0;
    const char *method = undo ? "edit.undo" : "edit.redo";
    const uint64_t last = crowd->helper->world->document->revision;
    char notation[96], error[256];
    int size = snprintf(notation, sizeof notation, "{'world': 1, 'force': %s", force ? "true" : "false");
    const uint32_t which = program_below(8);
    const uint64_t revision = which == 0  ? 1 + program_below((uint32_t)last + 1)
                              : which < 6 ? find_edit(crowd, undo)
                                          : 0;
    if (revision > 0) {
        size += snprintf(notation + size, sizeof notation - (size_t)size, ", 'revision': %llu",
                         (unsigned long long)revision);
    }
    snprintf(notation + size, sizeof notation - (size_t)size, "}");
    const msgpack_object *answer = ask(crowd, session, method, notation, error);
    // Conflicting parts are left out, so force does as it is asked as long as the edit is kept. No tear is taken back.
    if (!answer && force && which > 0 && revision > 0 && !strstr(error, "is not kept") &&
        !strstr(error, "no undo takes a tear back") && !strstr(error, "tore there")) {
        say_error(crowd, method, notation, error);
    }
    if (answer) {
        counts.forced_done += force;
        check_answer(crowd, session, helper_at(answer, undo ? "undone" : "redone"),
                     helper_at(answer, "left_out"));
    }
}

static void look(struct crowd *crowd, uint32_t session)
{
    char error[256];
    if (program_below(2)) {
        ask(crowd, session, "world.join", "{'world': 1}", error);
    } else {
        ask(crowd, session, "stream.subscribe", "{'world': 1, 'fields': ['positions', 'grabs'], 'every': 1}",
            error);
    }
}

static void act_in_flight(struct crowd *crowd, uint32_t session)
{
    struct program_input input;
    if (program_below(2) == 0) {
        helper_choose(crowd->helper->world->document->sim, &input);
        post(crowd, session, input.method, input.notation);
        post(crowd, session, "edit.undo", "{'world': 1, 'force': true}");
    } else if (crowd->helper->world->document->tick + 8 < REPLAY_TICKS_MAX) {
        post(crowd, session, "world.step", "{'world': 1, 'ticks': 4}");
        post(crowd, session, "edit.redo", "{'world': 1, 'force': true}");
        helper_turns(crowd->helper, program_below(3)); // so that it waits, has begun, or goes on
    }
    counts.in_flight++;
}

// Half of the time with requests of theirs that are not answered yet.
static void leave(struct crowd *crowd, uint32_t session)
{
    struct helper *helper = crowd->helper;
    const uint64_t hash = sim_hash_ungrabbed(helper->world->document->sim);
    const bool in_flight = program_below(2) == 0;
    if (in_flight) {
        act_in_flight(crowd, session);
    }
    world_post_gone(helper->world, session);
    helper_turns_until_idle(helper);
    if (!in_flight && sim_hash_ungrabbed(helper->world->document->sim) != hash) {
        say_error(crowd, "session.leave", "", "took more with it than grabs");
    }
    for (uint32_t i = 0; i < helper->world->people->holder_count; i++) {
        assert_int_not_equal(helper->world->people->holders[i].session, session);
    }
    assert_null(helper->world->time->step.request);
    crowd->left[session] = true;
    counts.leaves++;
}

// ---------------------------------------------------------------------------------------------------------
// Programs

static void act(struct crowd *crowd)
{
    const uint32_t session = 1 + program_below(SESSIONS);
    switch (program_below(12)) {
    case 0:
        leave(crowd, session);
        return;
    case 1:
        look(crowd, session);
        return;
    case 2:
        edit_batch(crowd, session);
        return;
    case 3:
    case 4:
    case 5:
    case 6:
        take_back(crowd, session);
        return;
    default:
        edit(crowd, session);
    }
}

static void live(struct crowd *crowd)
{
    struct helper *helper = crowd->helper;
    for (crowd->step = 0; crowd->step < STEPS; crowd->step++) {
        crowd->posted = 0;
        act(crowd);
        // Each request has one answer, also if its session left: the host drops that.
        assert_int_equal(helper_count(helper, WORLD_REPLY) + helper_count(helper, WORLD_FAULT),
                         crowd->posted);
        assert_int_equal(helper->world->people->holder_count, sim_grab_count(helper->world->document->sim));
        for (uint32_t ticks = program_below(3); ticks > 0; ticks--) {
            replay_step(helper, &crowd->replay);
        }
        helper_forget(helper);
    }
    crowd->replay.last = document_hash(helper->world->document);
}

static void people_come_and_go_and_force(void **state)
{
    (void)state;
    const uint32_t programs = program_count();
    for (uint32_t program = 0; program < programs; program++) {
        struct crowd crowd = {.helper = helper_create(NULL), .program = program};
        struct protocol_world_create_params settings;
        document_settings(crowd.helper->world->document, &settings);
        program_begin(FIRST_PROGRAM + program);
        live(&crowd);
        struct document *document = document_create(&settings);
        replay_check(&crowd.replay, crowd.helper, document, 0, NULL);
        document_destroy(document);
        helper_destroy(crowd.helper);
    }
    print_message("%u done, %u refused; %u taken back or made again by force, %u of them over others, %u "
                  "after leaving, %u things left out; %u left, %u with requests\n",
                  counts.done, counts.refused, counts.forced_done, counts.over_others, counts.after_leaving,
                  counts.left_out, counts.leaves, counts.in_flight);
    // Much of it happened, or this says little.
    assert_true(counts.done > counts.refused / 2);
    assert_true(counts.over_others > 2 * programs && counts.after_leaving > programs / 4);
    assert_true(counts.left_out > programs / 4 && counts.in_flight > programs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_come_and_go_and_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
