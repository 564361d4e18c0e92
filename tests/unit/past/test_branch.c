// Branches: what comes of a past in which an edit had not been, or had been another, held against a life in which it was so.
#include "helper_past.h"

#include "protocol/params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { REFUSALS = 8 };

struct line {
    uint32_t ticks; // before it
    const char *method, *notation;
};

static const struct line lines[] = {
    {0, "body.add",
     "{'world': 1, 'kind': 'cloth', 'name': 'rag', 'positions': [0,1,0, 0.1,1,0, 0,1,0.1, 0.1,1,0.1, "
     "0,1,0.2, "
     "0.1,1,0.2], 'triangles': [0,2,1, 1,2,3, 2,4,3, 3,4,5], 'pins': [0], 'thickness': 0.01, "
     "'self_contact': true}"},
    {3, "world.set", "{'world': 1, 'gravity': [0, -3, 0]}"},
    {2, "grab.begin", "{'world': 1, 'body': 1, 'particle': 4, 'target': [0,1.2,0.3]}"},
    {1, "grab.move", "{'world': 1, 'grab': 1, 'target': [0,1.3,0.3]}"},
    {1, "body.add",
     "{'world': 1, 'kind': 'rope', 'name': 'cord', 'positions': [1,1,0, 1.1,1,0, 1.2,1,0], 'pins': [0]}"},
    {0, "collider.add", "{'world': 1, 'kind': 'sphere', 'radius': 0.2, 'position': [0,0.6,0]}"},
    {2, "body.add", "{'world': 1, 'kind': 'points', 'name': 'dust', 'positions': [0,2,0], 'masses': 1}"},
    {1, "motion.add",
     "{'world': 1, 'collider': 1, 'times': [0, 0.1, 0.3], 'loop': true, 'offsets': [0,0,0, 0,0.1,0, 0,0,0]}"},
    {1, "constraint.add",
     "{'world': 1, 'type': 'distance', 'bodies': [2, 3], 'particles': [1, 0], 'compliance': 0.01}"},
    {1, "constraint.remove", "{'world': 1, 'constraints': [2]}"},
    {1, "particle.set", "{'world': 1, 'body': 'dust', 'particles': [0], 'velocities': [1,2,0]}"},
    {1, "body.set", "{'world': 1, 'body': 'dust', 'name': 'dirt'}"},
    {1, "grab.end", "{'world': 1, 'grab': 1}"},
    {1, "body.remove", "{'world': 1, 'body': 2}"},
    {1, "world.set", "{'world': 1, 'wind': {'velocity': [3, 0, 1]}}"},
};
enum { LINES = sizeof lines / sizeof *lines, TICKS = 40 };

// The life, but for one line, which is another (instead of it, one or two that are told) or is not.
static void live(struct story *story, uint32_t but, const struct line *instead, uint32_t count)
{
    story_begin(story, NULL);
    for (uint32_t l = 0; l < LINES; l++) {
        story_ticks(story, lines[l].ticks);
        for (uint32_t i = 0; i < count && l == but; i++) {
            story_tell(story, instead[i].method, instead[i].notation);
        }
        if (l != but) {
            helper_post(story->helper, HELPER_ANN, lines[l].method, lines[l].notation);
            helper_turn(story->helper); // it may be refused where another one is missing
            helper_forget(story->helper);
            story_drain(story);
        }
        if (l % 4 == 3) {
            story_mark(story, PAST_MARK_TICKS);
            story_image(story);
        }
    }
    while (story_document(story)->tick < TICKS) {
        story_tick(story);
    }
    story_mark(story, PAST_MARK_TICKS);
}

static uint64_t revision_of(uint32_t line)
{
    uint64_t revision = 0;
    for (uint32_t l = 0; l <= line; l++) {
        revision += strncmp(lines[l].method, "grab.", 5) != 0;
    }
    return revision;
}

struct branch {
    struct document *document;
    struct past_refusal *refusals;
    uint32_t count;
};

static struct branch branch_of(struct past *past, uint64_t tick, const struct past_change *changes,
                               uint32_t count)
{
    struct branch branch;
    struct protocol_error error = {0};
    if (!past_branch(past, tick, changes, count, NULL, &branch.document, &branch.refusals, REFUSALS,
                     &branch.count, &error)) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(branch.document->tick, tick);
    return branch;
}

static void let_go(struct branch *branch)
{
    document_destroy(branch->document);
    free(branch->refusals);
}

static void a_branch_without_changes_is_what_was(void **state)
{
    (void)state;
    struct story story;
    live(&story, UINT32_MAX, NULL, 0);
    struct past *past = story_open(&story);
    for (uint64_t tick = 0; tick <= TICKS; tick += 3) {
        struct branch branch = branch_of(past, tick, NULL, 0);
        assert_int_equal(document_hash(branch.document), story.hashes[tick]);
        assert_int_equal(branch.document->revision, story.revisions[tick]);
        assert_int_equal(branch.count, 0);
        let_go(&branch);
    }
    past_close(past);
    story_end(&story);
}

// Left out of the branch, never told in the other life: the same.
static void without_an_edit_it_is_as_if_it_had_not_been(void **state)
{
    (void)state;
    static const uint32_t without[] = {1, 7, 9, 10, 11, 13, 14};
    struct story story;
    live(&story, UINT32_MAX, NULL, 0);
    struct past *past = story_open(&story);
    for (size_t w = 0; w < sizeof without / sizeof *without; w++) {
        struct story other;
        const struct past_change change = {.revision = revision_of(without[w])};
        live(&other, without[w], NULL, 0);
        for (uint64_t tick = 20; tick <= TICKS; tick += 4) {
            struct branch branch = branch_of(past, tick, &change, 1);
            if (document_hash(branch.document) != other.hashes[tick]) {
                fail_msg("without %s, tick %llu: another world", lines[without[w]].method,
                         (unsigned long long)tick);
            }
            assert_int_equal(branch.count, 0);
            if (tick == TICKS) {
                assert_string_equal(branch.document->bodies.items[branch.document->bodies.count - 1].name,
                                    without[w] == 11 ? "dust" : "dirt");
            }
            let_go(&branch);
        }
        // The original past is still there.
        struct document *document = NULL;
        story_check(&story, past, TICKS, &document);
        document_destroy(document);
        story_end(&other);
    }
    past_close(past);
    story_end(&story);
}

// A body that is not there leaves its ids empty: what came after it has those that it had, and what spoke of it is refused.
static void without_a_body_others_keep_their_ids(void **state)
{
    (void)state;
    enum { CORD = 4 };
    static const struct line added_and_gone[] = {
        {0, "body.add",
         "{'world': 1, 'kind': 'rope', 'name': 'cord', 'positions': [1,1,0, 1.1,1,0, 1.2,1,0], 'pins': [0]}"},
        {0, "body.remove", "{'world': 1, 'body': 2}"},
    };
    struct story story, other;
    live(&story, UINT32_MAX, NULL, 0);
    live(&other, CORD, added_and_gone,
         2); // the constraint between cord and dust is refused there, and its removal too
    struct past *past = story_open(&story);
    const struct past_change change = {.revision = revision_of(CORD)};
    struct branch branch = branch_of(past, TICKS, &change, 1);
    assert_int_equal(branch.document->bodies.count, 2);
    assert_int_equal(branch.document->bodies.items[0].id, 1);
    assert_int_equal(branch.document->bodies.items[1].id, 3);
    assert_string_equal(branch.document->bodies.items[1].name, "dirt");
    assert_int_equal(branch.count, 2);
    assert_int_equal(branch.refusals[0].method, PROTOCOL_METHOD_CONSTRAINT_ADD);
    assert_int_equal(branch.refusals[0].revision, revision_of(8));
    assert_string_equal(branch.refusals[0].error.text,
                        "body 2 is not there: what brought it is left out, or came to something else");
    assert_int_equal(branch.refusals[1].method, PROTOCOL_METHOD_BODY_REMOVE);
    assert_int_equal(branch.refusals[1].revision, revision_of(13));
    // The same world, but that ids which were given and never used are new ones again.
    struct document *was = NULL;
    struct past *others = story_open(&other);
    struct sim_next_ids next[2];
    struct fault fault;
    story_check(&other, others, TICKS, &was);
    sim_next_ids(branch.document->sim, &next[0]);
    sim_next_ids(was->sim, &next[1]);
    assert_int_equal(next[0].body, next[1].body);
    assert_int_equal(next[0].constraint + 2, next[1].constraint);
    assert_int_equal(sim_next_ids_set(was->sim, &next[0], &fault), FAULT_NONE);
    assert_int_equal(document_hash(branch.document), document_hash(was));
    document_destroy(was);
    past_close(others);
    let_go(&branch);
    past_close(past);
    story_end(&other);
    story_end(&story);
}

static void without_a_grabbed_body_grabs_are_refused_and_counted(void **state)
{
    (void)state;
    struct story story;
    struct protocol_error error = {0};
    live(&story, UINT32_MAX, NULL, 0);
    struct past *past = story_open(&story);
    const struct past_change change = {.revision = revision_of(0)};
    struct branch branch;
    assert_true(past_branch(past, TICKS, &change, 1, NULL, &branch.document, &branch.refusals, 2,
                            &branch.count, &error));
    // grab.begin, grab.move, constraint.remove, grab.end
    assert_int_equal(branch.count, 4);
    assert_int_equal(branch.refusals[0].method, PROTOCOL_METHOD_GRAB_BEGIN);
    assert_int_equal(branch.refusals[1].method, PROTOCOL_METHOD_GRAB_MOVE);
    assert_string_equal(branch.refusals[1].error.text,
                        "grab 1 is not there: what brought it is left out, or came to something else");
    assert_int_equal(branch.document->bodies.count, 1);
    let_go(&branch);
    past_close(past);
    story_end(&story);
}

static void instead_of_an_edit_another_one(void **state)
{
    (void)state;
    struct story story, other;
    static const struct line moon = {0, "world.set", "{'world': 1, 'gravity': [0, -1.5, 0]}"};
    const struct protocol_world_set_params params = {.has = PROTOCOL_HAS_WORLD_SET_PARAMS_GRAVITY,
                                                     .gravity = {0, -1.5, 0}};
    live(&story, UINT32_MAX, NULL, 0);
    live(&other, 1, &moon, 1);
    struct past *past = story_open(&story);
    const struct past_change change = {.revision = revision_of(1), .params = &params};
    for (uint64_t tick = 3; tick <= TICKS; tick++) {
        struct branch branch = branch_of(past, tick, &change, 1);
        assert_int_equal(document_hash(branch.document), other.hashes[tick]);
        assert_int_equal(branch.count, 0);
        let_go(&branch);
    }
    // Two at once: neither the moon nor the wind.
    const struct past_change both[2] = {{.revision = revision_of(14)}, change};
    struct branch branch = branch_of(past, TICKS, both, 2);
    assert_int_not_equal(document_hash(branch.document), other.hashes[TICKS]);
    assert_int_equal(branch.count, 0);
    let_go(&branch);
    past_close(past);
    story_end(&other);
    story_end(&story);
}

// More constraints than there were: those that came later have other ids, and records that speak of them by ids are refused.
static void ids_that_moved_are_refused(void **state)
{
    (void)state;
    static const double positions[] = {1, 1, 0, 1.1, 1, 0, 1.2, 1, 0, 1.3, 1, 0, 1.4, 1, 0};
    static const char first[] =
        "{'world': 1, 'kind': 'rope', 'name': 'cord', 'positions': [1,1,0, 1.1,1,0, 1.2,1,0]}";
    struct story story;
    story_begin(&story, NULL);
    story_tell(&story, "body.add", first); // constraints 1, 2
    story_tell(&story, "body.add",
               "{'world': 1, 'kind': 'rope', 'positions': [0,1,0, 0,1,0.1, 0,1,0.2]}"); // 3, 4
    story_ticks(&story, 2);
    story_tell(&story, "constraint.remove", "{'world': 1, 'constraints': [4]}");
    story_tell(&story, "body.remove", "{'world': 1, 'body': 2}");
    story_mark(&story, PAST_MARK_TICKS);
    struct past *past = story_open(&story);
    struct protocol_body_add_params params;
    protocol_defaults(&protocol_body_add_params_type, &params);
    params.kind = PROTOCOL_BODY_ADD_PARAMS_KIND_ROPE;
    params.positions = (struct protocol_array){PROTOCOL_ARRAY_F64, 15, positions};
    const struct past_change change = {.revision = 1, .params = &params}; // constraints 1 to 4
    struct branch branch = branch_of(past, 2, &change, 1);
    assert_int_equal(branch.count, 1);
    assert_int_equal(branch.refusals[0].method, PROTOCOL_METHOD_CONSTRAINT_REMOVE);
    assert_string_equal(branch.refusals[0].error.text,
                        "constraint 4 is not there: what brought it is left out, or came to something else");
    assert_int_equal(branch.document->bodies.count, 1);
    assert_int_equal(branch.document->bodies.items[0].particle_count, 5);
    let_go(&branch);
    past_close(past);
    story_end(&story);
}

// It fails in the branch where it did not: time passes it by, and what is told it after that is.
static void a_branch_that_fails(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    story_tell(&story, "body.add",
               "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'velocities': [20,0,0], 'masses': 1}");
    story_tell(&story, "world.set", "{'world': 1, 'extent': 3}");
    story_tell(&story, "particle.set", "{'world': 1, 'body': 1, 'particles': [0], 'velocities': [0,0,0]}");
    story_tell(&story, "world.set", "{'world': 1, 'gravity': [0,0,0]}");
    story_ticks(&story, 20);
    story_tell(&story, "body.set", "{'world': 1, 'body': 1, 'name': 'stone'}");
    story_ticks(&story, 5);
    story_tell(&story, "world.set", "{'world': 1, 'extent': 1000}");
    story_tell(&story, "world.reset", "{'world': 1}");
    story_ticks(&story, 5);
    story_mark(&story, PAST_MARK_TICKS);
    struct past *past = story_open(&story);
    const struct past_change change = {.revision = 3};
    struct branch branch = branch_of(past, 24, &change, 1);
    assert_true(branch.document->failed);
    assert_string_equal(branch.document->bodies.items[0].name, "stone");
    let_go(&branch);
    branch = branch_of(past, 30, &change, 1);
    assert_false(branch.document->failed);
    assert_int_equal(branch.count, 0);
    let_go(&branch);
    past_close(past);
    story_end(&story);
}

static void is_refused(struct past *past, uint64_t tick, const struct past_change *changes, uint32_t count,
                       enum protocol_code code, const char *text)
{
    struct branch branch;
    struct protocol_error error = {0};
    assert_false(past_branch(past, tick, changes, count, NULL, &branch.document, &branch.refusals, REFUSALS,
                             &branch.count, &error));
    assert_null(branch.document);
    assert_null(branch.refusals);
    assert_int_equal(error.code, code);
    assert_string_equal(error.text, text);
}

static void changes_of_what_is_no_edit_are_refused(void **state)
{
    (void)state;
    struct story story;
    live(&story, UINT32_MAX, NULL, 0);
    struct past *past = story_open(&story);
    const struct past_change none[] = {{.revision = 0}, {.revision = 99}, {.revision = 3}, {.revision = 3}};
    is_refused(past, 10, &none[0], 1, PROTOCOL_CODE_NOT_FOUND,
               "revision: 0; no edit of world 1 that is kept has it");
    is_refused(past, 10, &none[1], 1, PROTOCOL_CODE_NOT_FOUND,
               "revision: 99; no edit of world 1 that is kept has it");
    is_refused(past, 10, &none[2], 2, PROTOCOL_CODE_INVALID, "revision: 3 is named twice");
    is_refused(past, 1, &none[2], 1, PROTOCOL_CODE_NOT_FOUND,
               "revision: 3 is of tick 7, after tick 1 where the branch ends");
    is_refused(past, 99, NULL, 0, PROTOCOL_CODE_NOT_FOUND,
               "tick: 99; what is kept of world 1 goes from 0 to 40");
    past_close(past);
    story_end(&story);
}

// Whatever is left out of random lives: it comes to an end, with all else told or refused.
static void random_branches(void **state)
{
    (void)state;
    uint32_t refused = 0, branches = 0;
    for (uint32_t life = 0; life < 12; life++) {
        struct story story;
        story_begin(&story, NULL);
        story_random(&story, life);
        struct past *past = story_open(&story);
        const uint64_t last = story_document(&story)->tick;
        for (uint64_t revision = 1; revision <= story_document(&story)->revision; revision += 3) {
            const struct past_change change = {.revision = revision};
            struct branch one = branch_of(past, last, &change, 1), other = branch_of(past, last, &change, 1);
            assert_int_equal(document_hash(one.document), document_hash(other.document));
            refused += one.count;
            branches++;
            if (!one.document->failed) { // it is a world like any other
                struct protocol_bytes bytes = {0};
                assert_true(document_image_pack(one.document, &bytes));
                struct protocol_error error = {0};
                struct document *again = document_image_read(bytes.data, bytes.size, &error);
                assert_non_null(again);
                assert_int_equal(document_hash(again), document_hash(one.document));
                document_destroy(again);
                protocol_bytes_deinit(&bytes);
            }
            let_go(&one);
            let_go(&other);
        }
        past_close(past);
        story_end(&story);
    }
    assert_true(branches > 50 && refused > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_branch_without_changes_is_what_was),
        cmocka_unit_test(without_an_edit_it_is_as_if_it_had_not_been),
        cmocka_unit_test(without_a_body_others_keep_their_ids),
        cmocka_unit_test(without_a_grabbed_body_grabs_are_refused_and_counted),
        cmocka_unit_test(instead_of_an_edit_another_one),
        cmocka_unit_test(ids_that_moved_are_refused),
        cmocka_unit_test(a_branch_that_fails),
        cmocka_unit_test(changes_of_what_is_no_edit_are_refused),
        cmocka_unit_test(random_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
