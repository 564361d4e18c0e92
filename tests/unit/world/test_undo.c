// Undo and redo of several people, against a model that knows nothing of how they are done: a table of values, each with the
// number of the write that it comes from. An edit may be taken back where all that it wrote is still its own writing; what
// comes back is the writing from before. What is forced is a writing of its own. Edits of one gesture are one edit, and what others
// wrote between them is in its way.
//
// WEFT_UNDO_SEED=N runs the program of that seed alone.
#include "helper_world.h"

#include "world/keep/history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SETTINGS = 2, BODIES_MAX = 40, PARTS = 2, PARTICLES = 3, KEYS_OF_BODY = 1 + PARTS + PARTICLES };
enum {
    KEYS = SETTINGS + BODIES_MAX * KEYS_OF_BODY,
    EDITS_MAX = 512,
    STEPS = 120,
    KEYS_OF_EDIT = 4 * KEYS_OF_BODY
};

struct cell {
    double value;
    uint32_t write;
};

struct edit {
    uint64_t revision;
    uint32_t person, mover;
    uint64_t at;      // revision when it was last made or taken back
    bool stands, can; // can: it can be redone
    uint32_t gesture; // 0: none
    bool open;        // more edits of the gesture join it
    uint32_t joined;
    uint32_t count;
    struct edit_key {
        uint32_t key;
        struct cell other; // what is there when it is flipped
        struct cell own;   // what is there now, by it
        bool crossed;      // another edit wrote it between two of the gesture
    } keys[KEYS_OF_EDIT];
};

static struct {
    struct cell cells[KEYS];
    struct edit edits[EDITS_MAX];
    uint32_t edit_count, writes, bodies;
} model;

static uint64_t seed;
static uint32_t clean, conflicts, forced, taken_back, joined;
static uint32_t names;   // gestures have this number and the next one
static uint32_t gesture; // of which the next edit is a part; 0: none
static char term[32];    // the same as notation
static bool gentle;      // nothing is forced, so that all can be taken back

static uint32_t below(uint32_t count)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 33) % count;
}

static uint32_t body_key(uint32_t body, uint32_t k)
{
    return SETTINGS + (body - 1) * KEYS_OF_BODY + k;
}

static bool body_lives(uint32_t body)
{
    return body >= 1 && body <= model.bodies && model.cells[body_key(body, 0)].value > 0;
}

// ---------------------------------------------------------------------------------------------------------
// The model

static struct edit *edit_begin(uint32_t person, uint64_t revision)
{
    assert_true(model.edit_count < EDITS_MAX);
    for (uint32_t i = 0; i < model.edit_count; i++) {
        if (!model.edits[i].stands && model.edits[i].mover == person) {
            model.edits[i].can = false;
        }
    }
    for (uint32_t i = 0; i < model.edit_count && gesture != 0; i++) {
        struct edit *open = &model.edits[i];
        if (open->open && open->person == person && open->gesture == gesture) {
            open->at = revision;
            open->joined++;
            model.writes++;
            joined++;
            return open;
        }
    }
    struct edit *edit = &model.edits[model.edit_count++];
    *edit = (struct edit){.revision = revision,
                          .at = revision,
                          .person = person,
                          .mover = person,
                          .stands = true,
                          .can = true,
                          .gesture = gesture,
                          .open = gesture != 0};
    model.writes++;
    return edit;
}

static void edit_write(struct edit *edit, uint32_t key, double value)
{
    for (uint32_t i = 0; i < edit->count; i++) {
        struct edit_key *at = &edit->keys[i];
        if (at->key == key) {
            at->crossed = at->crossed || model.cells[key].write != at->own.write;
            at->own = (struct cell){value, model.writes};
            model.cells[key] = at->own;
            return;
        }
    }
    assert_true(edit->count < KEYS_OF_EDIT);
    if (edit->count + 1 + KEYS_OF_BODY > KEYS_OF_EDIT) {
        names += 2; // it has grown enough
    }
    struct edit_key *at = &edit->keys[edit->count++];
    *at = (struct edit_key){.key = key, .other = model.cells[key], .own = {value, model.writes}};
    model.cells[key] = at->own;
}

static bool meets(const struct edit *edit)
{
    bool met = false;
    for (uint32_t i = 0; i < edit->count; i++) {
        met = met || edit->keys[i].crossed || model.cells[edit->keys[i].key].write != edit->keys[i].own.write;
    }
    return met;
}

static void flip(struct edit *edit, uint32_t person, uint64_t revision)
{
    const bool over = meets(edit);
    model.writes++;
    for (uint32_t i = 0; i < edit->count; i++) {
        struct edit_key *key = &edit->keys[i];
        struct cell now = model.cells[key->key], to = key->other;
        if (over) {
            to.write = model.writes;
        }
        key->other = now;
        key->own = to;
        model.cells[key->key] = to;
        key->crossed = false;
    }
    edit->open = false;
    edit->stands = !edit->stands;
    edit->mover = person;
    edit->at = revision;
    edit->can = true;
}

static struct edit *last_of(uint32_t person, bool stands)
{
    struct edit *last = NULL;
    for (uint32_t i = 0; i < model.edit_count; i++) {
        struct edit *edit = &model.edits[i];
        const uint32_t whose = stands ? edit->person : edit->mover;
        if (edit->stands == stands && whose == person && edit->can && (!last || edit->at > last->at)) {
            last = edit;
        }
    }
    return last;
}

// ---------------------------------------------------------------------------------------------------------
// The world, held against it

static uint64_t revision_of(const msgpack_object *answer)
{
    return (uint64_t)helper_number(answer, "revision");
}

static void compare(struct helper *helper, uint64_t program, uint32_t step)
{
    const struct document *document = helper->world->document;
    const struct sim_settings *settings = sim_settings_of(document->sim);
    const double is[SETTINGS] = {settings->damping, settings->gravity[1]};
    for (uint32_t s = 0; s < SETTINGS; s++) {
        if (is[s] != model.cells[s].value) {
            fail_msg("seed %llu, step %u: setting %u is %g, not %g", (unsigned long long)program, step, s,
                     is[s], model.cells[s].value);
        }
    }
    for (uint32_t body = 1; body <= model.bodies; body++) {
        struct sim_body_info info;
        const bool lives = sim_body_info(document->sim, body, &info);
        if (lives != body_lives(body)) {
            fail_msg("seed %llu, step %u: body %u is %sthere", (unsigned long long)program, step, body,
                     lives ? "" : "not ");
        }
        if (!lives) {
            continue;
        }
        double positions[3 * PARTICLES];
        sim_body_positions64(document->sim, body, 0, PARTICLES, positions);
        const double values[KEYS_OF_BODY] = {
            1, info.meeting.friction, info.thickness, positions[0], positions[3], positions[6]};
        for (uint32_t k = 1; k < KEYS_OF_BODY; k++) {
            const double wanted = model.cells[body_key(body, k)].value;
            if (values[k] != wanted) {
                fail_msg("seed %llu, step %u: body %u, part %u is %g, not %g", (unsigned long long)program,
                         step, body, k, values[k], wanted);
            }
        }
    }
}

static void again(struct helper *helper, uint32_t person, bool undo, uint64_t program, uint32_t step)
{
    struct edit *edit = last_of(person, undo);
    char notation[96] = "{'world': 1}";
    bool force = false;
    if (!gentle && below(4) == 0 && model.edit_count > 0) { // one of anybody's, by its revision
        edit = &model.edits[below(model.edit_count)];
        force = edit->person != person || edit->mover != person || below(2) == 0;
        snprintf(notation, sizeof notation, "{'world': 1, 'revision': %llu%s}",
                 (unsigned long long)edit->revision, force ? ", 'force': true" : "");
        if (edit->stands != undo || !edit->can) {
            const char *error = helper_error(helper, person, undo ? "edit.undo" : "edit.redo", notation);
            assert_true(strncmp(error, "CONFLICT", 8) == 0 || strncmp(error, "NOT_FOUND", 9) == 0);
            return;
        }
    } else if (!edit) {
        const char *error = helper_error(helper, person, undo ? "edit.undo" : "edit.redo", notation);
        assert_true(strncmp(error, "NOT_FOUND", 9) == 0);
        return;
    } else if (!gentle && below(5) == 0) {
        force = true;
        snprintf(notation, sizeof notation, "{'world': 1, 'force': true}");
    }
    const uint64_t hash = helper_hash(helper);
    const bool met = meets(edit);
    if (met && !force) {
        const char *error = helper_error(helper, person, undo ? "edit.undo" : "edit.redo", notation);
        if (strncmp(error, "CONFLICT", 8) != 0) {
            fail_msg("seed %llu, step %u: %s", (unsigned long long)program, step, error);
        }
        assert_true(helper_hash(helper) == hash);
        conflicts++;
        return;
    }
    if (force && edit->joined > 0) {
        return; // what force leaves out of many parts is beyond the model
    }
    // An edit that needs a removed body is left out by force; the model does not cover that.
    for (uint32_t i = 0; force && i < edit->count; i++) {
        const uint32_t key = edit->keys[i].key;
        const bool of_body = key >= SETTINGS && (key - SETTINGS) % KEYS_OF_BODY != 0;
        if (of_body && edit->count < KEYS_OF_BODY && !body_lives((key - SETTINGS) / KEYS_OF_BODY + 1)) {
            return;
        }
        // Nor of one that comes back where it is there, as another's edit has it.
        if (met && edit->count == KEYS_OF_BODY) {
            return;
        }
    }
    bool refused;
    const uint32_t msgid = helper_post(helper, person, undo ? "edit.undo" : "edit.redo", notation);
    helper_turns_until_idle(helper);
    const msgpack_object *answer = helper_answer(helper, msgid, &refused);
    if (!answer || refused) {
        fail_msg("seed %llu, step %u: %s %s of revision %llu is refused: %.*s", (unsigned long long)program,
                 step, undo ? "undo" : "redo", notation, (unsigned long long)edit->revision,
                 answer ? (int)helper_at(answer, "#1")->via.str.size : 0,
                 answer ? helper_at(answer, "#1")->via.str.ptr : "");
    }
    assert_int_equal(helper_number(answer, undo ? "undone.revision" : "redone.revision"), edit->revision);
    flip(edit, person, revision_of(answer));
    clean += !met;
    forced += met;
}

static void edit_settings(struct helper *helper, uint32_t person)
{
    const uint32_t key = below(SETTINGS);
    const double value = 0.5 * (1 + below(8)) * (key == 1 ? -1 : 1);
    char notation[96];
    snprintf(notation, sizeof notation,
             key == 0 ? "{'world': 1, 'damping': %g%s}" : "{'world': 1, 'gravity': [0, %g, 0]%s}", value,
             term);
    struct edit *edit = edit_begin(person, revision_of(helper_call(helper, person, "world.set", notation)));
    edit_write(edit, key, value);
}

static void add_body(struct helper *helper, uint32_t person)
{
    char notation[160];
    snprintf(notation, sizeof notation,
             "{'world': 1, 'kind': 'points', 'positions': [0,1,0, 1,1,0, 2,1,0], 'masses': 1, 'thickness': "
             "0.25%s}",
             term);
    const msgpack_object *answer = helper_call(helper, person, "body.add", notation);
    const uint32_t body = (uint32_t)helper_number(answer, "body");
    assert_true(body <= BODIES_MAX);
    assert_int_equal(body, ++model.bodies); // never one that there was, taken back or not
    struct edit *edit = edit_begin(person, revision_of(answer));
    struct sim_body_info info;
    assert_true(sim_body_info(helper->world->document->sim, body, &info));
    const double values[KEYS_OF_BODY] = {1, info.meeting.friction, info.thickness, 0, 1, 2};
    for (uint32_t k = 0; k < KEYS_OF_BODY; k++) {
        edit_write(edit, body_key(body, k), values[k]);
    }
}

static void edit_body(struct helper *helper, uint32_t person, uint32_t body)
{
    char notation[160];
    const uint32_t what = below(8);
    const double value = 0.0625 * (1 + below(15));
    if (what == 0) {
        snprintf(notation, sizeof notation, "{'world': 1, 'body': %u%s}", body, term);
        struct edit *edit =
            edit_begin(person, revision_of(helper_call(helper, person, "body.remove", notation)));
        for (uint32_t k = 0; k < KEYS_OF_BODY; k++) {
            edit_write(edit, body_key(body, k), 0);
        }
    } else if (what < 4) {
        const uint32_t part = what % 2;
        snprintf(notation, sizeof notation, "{'world': 1, 'body': %u, '%s': %g%s}", body,
                 part == 0 ? "friction" : "thickness", value, term);
        struct edit *edit =
            edit_begin(person, revision_of(helper_call(helper, person, "body.set", notation)));
        edit_write(edit, body_key(body, 1 + part), value);
    } else {
        const uint32_t first = below(PARTICLES), count = first + 1 < PARTICLES ? 1 + below(2) : 1;
        const bool both = count == 2;
        if (both) {
            snprintf(notation, sizeof notation,
                     "{'world': 1, 'body': %u, 'particles': [%u, %u], 'positions': [%g,0,0, %g,0,0]%s}", body,
                     first, first + 1, value, value + 1, term);
        } else {
            snprintf(notation, sizeof notation,
                     "{'world': 1, 'body': %u, 'particles': [%u], 'positions': [%g,0,0]%s}", body, first,
                     value, term);
        }
        struct edit *edit =
            edit_begin(person, revision_of(helper_call(helper, person, "particle.set", notation)));
        for (uint32_t p = 0; p < count; p++) {
            edit_write(edit, body_key(body, 1 + PARTS + first + p), value + p);
        }
    }
}

// Everything is taken back, each of the last edits by whoever made it: the world is what it was, but for next ids.
static void take_all_back(struct helper *helper, uint64_t hash, uint64_t program)
{
    for (bool more = true; more;) {
        more = false;
        struct edit *last = NULL;
        for (uint32_t i = 0; i < model.edit_count; i++) {
            struct edit *edit = &model.edits[i];
            last = edit->stands && !meets(edit) && (!last || edit->at > last->at) ? edit : last;
        }
        if (last) {
            char notation[64];
            snprintf(notation, sizeof notation, "{'world': 1, 'revision': %llu}",
                     (unsigned long long)last->revision);
            flip(last, last->person, revision_of(helper_call(helper, last->person, "edit.undo", notation)));
            more = true;
        }
    }
    bool all = true;
    for (uint32_t i = 0; i < model.edit_count; i++) {
        all = all && !model.edits[i].stands;
    }
    struct sim *sim = helper->world->document->sim;
    struct sim_next_ids next;
    struct fault fault;
    sim_next_ids(sim, &next);
    assert_int_equal(next.body, model.bodies + 1);
    if (all && gentle) {
        taken_back++;
        next.body = 1;
        assert_int_equal(sim_next_ids_set(sim, &next, &fault), FAULT_NONE);
        if (sim_hash_ungrabbed(sim) != hash) {
            fail_msg("seed %llu: with all taken back it is another world", (unsigned long long)program);
        }
    }
}

static void run(uint64_t program)
{
    struct helper *helper = helper_create(NULL);
    memset(&model, 0, sizeof model);
    names = 1;
    seed = 88172645463325252u + program * 7919;
    gentle = program % 3 == 0;
    for (int i = 0; i < 8; i++) {
        below(2);
    }
    const struct sim_settings *settings = sim_settings_of(helper->world->document->sim);
    model.cells[0].value = settings->damping;
    model.cells[1].value = settings->gravity[1];
    const uint64_t hash = sim_hash_ungrabbed(helper->world->document->sim);
    for (uint32_t step = 0; step < STEPS; step++) {
        const uint32_t person = 1 + below(3), what = below(10), body = 1 + below(model.bodies + 1);
        gesture = below(3) == 0 ? names + below(2) : 0;
        term[0] = '\0';
        if (gesture != 0) {
            snprintf(term, sizeof term, ", 'gesture': 'g%u'", gesture);
        }
        if (below(40) == 0) { // the connections are lost, and with them all gestures
            helper->visit++;
            for (uint32_t i = 0; i < model.edit_count; i++) {
                model.edits[i].open = false;
            }
        }
        if (what < 3) {
            again(helper, person, true, program, step);
        } else if (what < 5) {
            again(helper, person, false, program, step);
        } else if (what == 5 && model.bodies < BODIES_MAX) {
            add_body(helper, person);
        } else if (what < 8 && body_lives(body)) {
            edit_body(helper, person, body);
        } else {
            edit_settings(helper, person);
        }
        compare(helper, program, step);
        helper_forget(helper);
    }
    take_all_back(helper, hash, program);
    helper_destroy(helper);
}

static void people_take_back_what_is_theirs(void **state)
{
    (void)state;
    const char *asked = getenv("WEFT_UNDO_SEED");
    const uint64_t first = asked ? strtoull(asked, NULL, 10) : 0, count = asked ? 1 : 60;
    for (uint64_t program = first; program < first + count; program++) {
        run(program);
    }
    print_message("%u clean, %u conflicts, %u forced, %u joined, %u taken back whole\n", clean, conflicts,
                  forced, joined, taken_back);
    assert_true(asked || (clean > 500 && conflicts > 100 && forced > 50 && joined > 200 && taken_back > 5));
}

// ---------------------------------------------------------------------------------------------------------
// A world that failed

// Speeds that particle.set and body.add refuse; edit.restore puts back whatever was.
#define FAST "'particles': [{'body': 1, 'particles': [1], 'state': {'velocities': [0,1e30,0]}}]"

static void undo_brings_a_failed_world_back(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'rope', 'positions': [0,1,0, 0.1,1,0, 0.2,1,0], 'pins': [0]}");
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
    helper_turns(helper, 2);
    const uint64_t good = helper_hash(helper), tick = helper->world->document->tick;
    helper_call(helper, HELPER_BOB, "edit.restore", "{'world': 1, " FAST "}");
    const uint64_t fast = helper_hash(helper);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 5}");
    helper_turns(helper, 6);
    assert_int_equal(helper->world->time->state, WORLD_FAILED);
    assert_int_equal(helper->world->document->tick, tick + 1);
    assert_true(helper_hash(helper) == fast); // the tick has passed, and nothing moved
    const char *error = helper_error(helper, HELPER_ANN, "world.play", "{'world': 1}");
    assert_non_null(strstr(error, "edit.undo or world.reset mends it"));
    // Another edit does not mend it, nor does its undo leave it worse.
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'damping': 1}");
    assert_int_equal(helper->world->time->state, WORLD_FAILED);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_int_equal(helper->world->time->state, WORLD_PAUSED);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 5}");
    helper_turns(helper, 6);
    assert_int_equal(helper->world->time->state, WORLD_FAILED);
    helper_call(helper, HELPER_BOB, "edit.undo", "{'world': 1}");
    assert_int_equal(helper->world->time->state, WORLD_PAUSED);
    assert_false(helper->world->document->failed);
    assert_true(helper_hash(helper) == good);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 5}");
    helper_turns(helper, 6);
    assert_int_equal(helper->world->time->state, WORLD_PAUSED);
    helper_destroy(helper);
}

static void a_reset_of_a_failed_world_is_undone(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'rope', 'positions': [0,1,0, 0.1,1,0, 0.2,1,0]}");
    helper_call(helper, HELPER_ANN, "edit.restore", "{'world': 1, " FAST "}");
    const uint64_t fast = helper_hash(helper);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
    helper_turns(helper, 2);
    assert_int_equal(helper->world->time->state, WORLD_FAILED);
    helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_int_equal(helper->world->time->state, WORLD_PAUSED);
    assert_true(helper_hash(helper) == fast);
    helper_destroy(helper);
}

// Its first step is done, and the second refused.
static void an_undo_that_a_failed_world_refuses_leaves_no_trace(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'rope', 'positions': [0,1,0, 0.1,1,0, 0.2,1,0]}");
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [0,2,0], 'masses': 1, 'name': 'dust'}");
    helper_call(helper, HELPER_ANN, "edit.batch",
                "{'world': 1, 'edits': [['body.remove', {'body': 'dust'}], ['world.set', {'damping': 1}]]}");
    helper_call(helper, HELPER_BOB, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [0,3,0], 'masses': 1, 'name': 'dust'}");
    const uint64_t stood = helper_hash(helper);
    (void)helper_error(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == stood);
    helper_call(helper, HELPER_BOB, "edit.restore", "{'world': 1, " FAST "}");
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
    helper_turns(helper, 2);
    assert_int_equal(helper->world->time->state, WORLD_FAILED);
    const uint64_t failed = helper_hash(helper);
    const char *error = helper_error(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_non_null(strstr(error, "CONFLICT"));
    assert_true(helper_hash(helper) == failed);
    assert_int_equal(helper->world->time->state, WORLD_FAILED);
    helper_destroy(helper);
}

static void lengths_that_nothing_keeps_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *method, *notation, *text;
    } cases[] = {
        {"body.add",
         "{'world': 1, 'kind': 'rope', 'positions': [0,1,0, 0.1,1,0], 'stretch': {'compliance': 1e6}}",
         "INVALID: stretch.compliance: 1e+06 m/N; must be in [0, 1000]; what is softer holds together under "
         "no load"},
        {"body.set", "{'world': 1, 'body': 1, 'stretch': {'compliance': 1001}}",
         "INVALID: stretch.compliance: 1001 m/N; must be in [0, 1000]; what is softer holds together under "
         "no load"},
        {"constraint.set", "{'world': 1, 'constraints': [1], 'compliance': 1e6}",
         "INVALID: compliance: element 0 is 1e+06 m/N; must be in [0, 1000]; what is softer holds together "
         "under no load"},
        {"constraint.add",
         "{'world': 1, 'type': 'distance', 'body': 1, 'particles': [0, 2, 1, 2], 'compliance': [0, 2000]}",
         "INVALID: compliance: element 1 is 2000 m/N; must be in [0, 1000]; what is softer holds together "
         "under no load"},
    };
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'rope', 'positions': [0,1,0, 0.1,1,0, 0.2,1,0]}");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint64_t hash = helper_hash(helper);
        assert_string_equal(helper_error(helper, HELPER_ANN, cases[i].method, cases[i].notation),
                            cases[i].text);
        assert_true(helper_hash(helper) == hash);
    }
    helper_destroy(helper);
}

static void speeds_that_fail_a_world_at_once_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *method, *notation, *text;
    } cases[] = {
        {"particle.set", "{'world': 1, 'body': 1, 'particles': [1], 'velocities': [0, 1e30, 0]}",
         "INVALID: velocities: element 1 is 1e+30 m/s; must be in [-240, 240]; a coarser resolution of the "
         "world allows more"},
        {"particle.set", "{'world': 1, 'body': 1, 'particles': [1], 'velocities': [0, 0, -241]}",
         "INVALID: velocities: element 2 is -241 m/s; must be in [-240, 240]; a coarser resolution of the "
         "world allows more"},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'velocities': [1e9,0,0]}",
         "INVALID: velocities: element 0 is 1e+09 m/s; must be in [-240, 240]; a coarser resolution of the "
         "world allows more"},
        {"motion.add",
         "{'world': 1, 'body': 1, 'particles': [0], 'times': [0, 0.5], 'offsets': [0,0,0, 0,0,130]}",
         "INVALID: offsets: keyframe 1 is 130 m from keyframe 0, which is 30 ticks away; at most 4 m in a "
         "tick; a "
         "coarser resolution of the world allows more"},
        {"motion.add",
         "{'world': 1, 'body': 1, 'particles': [0], 'times': [0, 1], 'loop': true, 'offsets': [0,0,0, "
         "0,5,0]}",
         "INVALID: offsets: keyframe 0 is 5 m from keyframe 1, which is 1 ticks away; at most 4 m in a tick; "
         "a "
         "coarser resolution of the world allows more"},
    };
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'rope', 'positions': [0,1,0, 0.1,1,0, 0.2,1,0], 'pins': [0]}");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(helper_error(helper, HELPER_ANN, cases[i].method, cases[i].notation),
                            cases[i].text);
    }
    helper_call(helper, HELPER_ANN, "particle.set",
                "{'world': 1, 'body': 1, 'particles': [2], 'velocities': [0, 240, 0]}");
    helper_destroy(helper);
}

// The inverse of the undo names this kind of constraints in two places: the whole kind, and those with values of their
// own.
static void what_was_taken_back_over_own_values_is_done_again(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 7, 1, "cloth");
    helper_call(helper, HELPER_ANN, "constraint.set",
                "{'world': 1, 'constraints': [27], 'compliance': 0.007, 'rest': 0.12}");
    helper_call(helper, HELPER_BOB, "body.set",
                "{'world': 1, 'body': 1, 'stretch': {'compliance': 0.0005}, 'thickness': 0.01}");
    const uint64_t after = document_hash(helper->world->document);
    helper_call(helper, HELPER_BOB, "edit.undo", "{'world': 1}");
    helper_call(helper, HELPER_BOB, "edit.redo", "{'world': 1}");
    assert_true(document_hash(helper->world->document) == after);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_take_back_what_is_theirs),
        cmocka_unit_test(what_was_taken_back_over_own_values_is_done_again),
        cmocka_unit_test(undo_brings_a_failed_world_back),
        cmocka_unit_test(a_reset_of_a_failed_world_is_undone),
        cmocka_unit_test(an_undo_that_a_failed_world_refuses_leaves_no_trace),
        cmocka_unit_test(speeds_that_fail_a_world_at_once_are_refused),
        cmocka_unit_test(lengths_that_nothing_keeps_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
