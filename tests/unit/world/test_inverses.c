// Random programs with the inverse of each edit: at once, ten ticks later, and whenever.
#include "helper_edit.h"
#include "helper_program.h"
#include "helper_world.h"

#include "document/scope.h"
#include "protocol/params.h"
#include "protocol/scan.h"
#include "sim/state/rail.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LATER = 10, OLD = 8, LIES = 6 };

static const struct protocol_struct *const restore_type = &protocol_edit_restore_params_type;
static bool follow; // pins follow colliders
static uint32_t follow_count;
static uint32_t edits[PROTOCOL_METHOD_COUNT], later_count, whenever_applied, whenever_refused;
static uint32_t joined, slid, retied; // joins and slides that were added, and values of them

// ---------------------------------------------------------------------------------------------------------
// At once

static void at_once(struct document *document, const struct document_edit *edit, uint64_t before,
                    struct protocol_bytes *told_before, bool stays)
{
    struct document_edit back, redo, again;
    const char *method = protocol_methods[edit->method].name;
    const uint64_t after = sim_hash_ungrabbed(document->sim);
    struct protocol_bytes told_after = helper_edit_told(document);
    if (!helper_edit_take_back(document, edit->inverse, edit->zone, &back)) {
        fail_msg("inverse of %s: %s", method, back.error.text);
    }
    if (sim_hash_ungrabbed(document->sim) != before) {
        fail_msg("inverse of %s: another hash than before the edit", method);
    }
    helper_edit_assert_told(document, told_before, method);
    assert_non_null(back.inverse);
    if (!helper_edit_take_back(document, back.inverse, edit->zone, &redo)) {
        fail_msg("inverse of the inverse of %s: %s", method, redo.error.text);
    }
    if (sim_hash_ungrabbed(document->sim) != after) {
        fail_msg("inverse of the inverse of %s: another hash than after the edit", method);
    }
    helper_edit_assert_told(document, &told_after, method);
    if (!stays && !helper_edit_take_back(document, redo.inverse, edit->zone, &again)) {
        fail_msg("%s taken back again: %s", method, again.error.text);
    }
    if (!stays && sim_hash_ungrabbed(document->sim) != before) {
        fail_msg("%s taken back again: another hash", method);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Ten ticks later

static void tick(struct document *document, uint32_t ticks)
{
    for (; ticks > 0 && !document->failed; ticks--) {
        document_step(document, NULL, NULL);
    }
}

static bool names(const struct document_scope *scope, const struct document *document, uint32_t body)
{
    bool named = false;
    for (uint32_t i = 0; i < scope->bodies.count; i++) {
        named = named || scope->bodies.items[i] == body;
    }
    for (uint32_t i = 0; i < scope->body_part_count; i++) {
        named = named || scope->body_parts[i].id == body;
    }
    for (uint32_t i = 0; i < scope->particles_count; i++) {
        named = named || scope->particles[i].body == body;
    }
    for (uint32_t i = 0; i < scope->constraints.count; i++) {
        struct sim_constraint constraint;
        bool there = sim_constraint_get(document->sim, scope->constraints.items[i], &constraint);
        for (uint32_t k = 0; there && k < sim_stencil_size(constraint.kind); k++) {
            named = named || constraint.bodies[k] == body;
        }
    }
    return named;
}

static const void *item(const struct protocol_list *list, const struct protocol_struct *type, uint32_t i)
{
    return (const char *)list->items + i * type->size;
}

static void assert_same(const struct protocol_struct *type, const void *a, const void *b, const char *what)
{
    struct protocol_bytes one = helper_edit_packed(type, a), other = helper_edit_packed(type, b);
    if (one.size != other.size || memcmp(one.data, other.data, one.size) != 0) {
        size_t at = 0;
        while (at < one.size && at < other.size && one.data[at] == other.data[at]) {
            at++;
        }
        fail_msg("%s: %s is another one (from byte %zu of %zu and %zu)", what, type->name, at, one.size,
                 other.size);
    }
    protocol_bytes_deinit(&one);
    protocol_bytes_deinit(&other);
}

// Bodies and colliders that the scope does not name are the same in both.
static void assert_rest_same(const struct document *one, const struct document *other,
                             const struct document_scope *scope, const char *method)
{
    struct sim_image images[2];
    struct protocol_document documents[2];
    msgpack_zone zone;
    msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
    assert_true(document_save(one, &zone, &images[0], &documents[0]));
    assert_true(document_save(other, &zone, &images[1], &documents[1]));
    for (uint32_t a = 0; a < documents[0].bodies.count; a++) {
        const struct protocol_document_body *body =
            item(&documents[0].bodies, &protocol_document_body_type, a);
        const bool named = names(scope, one, body->body) || names(scope, other, body->body);
        for (uint32_t b = 0; !named && b < documents[1].bodies.count; b++) {
            const struct protocol_document_body *twin =
                item(&documents[1].bodies, &protocol_document_body_type, b);
            if (twin->body == body->body) {
                assert_same(&protocol_document_body_type, body, twin, method);
            }
        }
    }
    for (uint32_t a = 0; a < documents[0].colliders.count; a++) {
        const struct protocol_document_collider *collider =
            item(&documents[0].colliders, &protocol_document_collider_type, a);
        bool named = false;
        for (uint32_t i = 0; i < scope->colliders.count; i++) {
            named = named || scope->colliders.items[i] == collider->collider;
        }
        for (uint32_t i = 0; i < scope->collider_part_count; i++) {
            named = named || scope->collider_parts[i].id == collider->collider;
        }
        for (uint32_t b = 0; !named && b < documents[1].colliders.count; b++) {
            const struct protocol_document_collider *twin =
                item(&documents[1].colliders, &protocol_document_collider_type, b);
            if (twin->collider == collider->collider) {
                assert_same(&protocol_document_collider_type, collider, twin, method);
            }
        }
    }
    assert_int_equal(documents[0].tick, documents[1].tick);
    sim_image_deinit(&images[0]);
    sim_image_deinit(&images[1]);
    msgpack_zone_destroy(&zone);
}

// Rings have slid on since: only their friction is what it was.
static void assert_rings_same(const struct protocol_document_constraints *a,
                              const struct protocol_document_constraints *b)
{
    const float *one = a->shapes.data, *other = b->shapes.data;
    assert_int_equal(a->shapes.count, b->shapes.count);
    for (uint32_t i = SIM_RAIL_FRICTION; i < a->shapes.count; i += SIM_RAIL_PARAMS) {
        assert_true(one[i] == other[i]);
    }
}

// With the edit and ten ticks more, and then without it: what the inverse speaks of is as it says, and nothing else moved.
static void later(const struct document *document, const struct document_edit *edit)
{
    const char *method = protocol_methods[edit->method].name;
    struct document *with = helper_edit_copy(document), *without;
    struct document_edit back;
    tick(with, LATER);
    if (with->failed) {
        document_destroy(with);
        return;
    }
    without = helper_edit_copy(with);
    if (!helper_edit_take_back(without, edit->inverse, edit->zone, &back)) {
        // Nothing brings back bending across a cut.
        if (back.error.code != PROTOCOL_CODE_CONFLICT || !strstr(back.error.text, "tore there")) {
            fail_msg("inverse of %s, later: %s", method, back.error.text);
        }
        assert_true(document_hash(without) == document_hash(with));
        document_destroy(with);
        document_destroy(without);
        return;
    }
    // The state of all that the inverse names is what the inverse says.
    struct document_edit asked = {
        .method = PROTOCOL_METHOD_EDIT_RESTORE, .params = edit->inverse, .zone = edit->zone};
    const struct document_constants constants = {.resolution = sim_settings_of(without->sim)->resolution,
                                                 .extent_at_start = 1e9};
    struct document_scope scope = {.zone = edit->zone};
    struct protocol_edit_restore_params *now, said = *edit->inverse;
    asked.plans = document_prepare(asked.method, asked.params, &constants, &asked.error);
    assert_true(document_check(without, &asked));
    document_scope_edit_restore(without, &asked, &scope);
    assert_true(document_capture(without, &scope, edit->zone, &now));
    document_plans_destroy(asked.plans);
    assert_non_null(now);
    // Ids are the world's.
    said.has &=
        ~(uint64_t)(PROTOCOL_HAS_EDIT_RESTORE_PARAMS_NEXT | PROTOCOL_HAS_EDIT_RESTORE_PARAMS_EXPECTED_NEXT);
    memset(&said.next, 0, sizeof said.next);
    memset(&said.expected_next, 0, sizeof said.expected_next);
    now->has &= ~(uint64_t)PROTOCOL_HAS_EDIT_RESTORE_PARAMS_NEXT;
    memset(&now->next, 0, sizeof now->next);
    for (uint32_t i = 0; i < said.colliders.count && i < now->colliders.count; i++) {
        struct protocol_restore_collider *told_now =
            (struct protocol_restore_collider *)now->colliders.items + i;
        const struct protocol_restore_collider *told_then =
            (const struct protocol_restore_collider *)said.colliders.items + i;
        if (told_then->collider.has & PROTOCOL_HAS_DOCUMENT_COLLIDER_UNTURNED) { // other motions have gone on
            memcpy(told_now->collider.rotation, told_then->collider.rotation,
                   sizeof told_now->collider.rotation);
        }
    }
    for (uint32_t i = 0; i < said.constraints.count && i < now->constraints.count; i++) {
        // Slides with friction keep their sides.
        struct protocol_document_constraints *batch =
            (struct protocol_document_constraints *)now->constraints.items + i;
        const struct protocol_document_constraints *then =
            (const struct protocol_document_constraints *)said.constraints.items + i;
        batch->side = then->side;
        if (batch->type == PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_SLIDE_RAIL &&
            (edit->method == PROTOCOL_METHOD_CONSTRAINT_SET ||
             edit->method == PROTOCOL_METHOD_EDIT_RESTORE)) {
            assert_rings_same(batch, then);
            batch->shapes = then->shapes;
        }
    }
    for (uint32_t i = 0; i < said.own.count && i < now->own.count; i++) {
        const struct protocol_restore_own *then = (const struct protocol_restore_own *)said.own.items + i;
        if (then->has & PROTOCOL_HAS_RESTORE_OWN_RESTS_STAY) { // rest angles and shapes have flowed on
            struct protocol_restore_own *own = (struct protocol_restore_own *)now->own.items + i;
            own->rest = then->rest;
            own->shapes = then->shapes;
            own->has = (own->has & ~(uint64_t)PROTOCOL_HAS_RESTORE_OWN_SHAPES) |
                       (then->has & PROTOCOL_HAS_RESTORE_OWN_SHAPES);
        }
    }
    // If all things of a kind are listed, there are more than was asked for.
    bool placed = said.parts.count > 0 && said.own.count > 0;
    for (uint32_t i = 0; i < said.own.count; i++) {
        placed = placed || ((const struct protocol_restore_own *)said.own.items)[i].places.count > 0;
    }
    if (!placed) {
        assert_same(restore_type, now, &said, method);
    }
    assert_rest_same(with, without, &scope, method);
    later_count++;
    // And on from there, as well as before.
    tick(without, LATER);
    document_destroy(with);
    document_destroy(without);
}

// ---------------------------------------------------------------------------------------------------------
// Whenever: an old inverse may not fit any more, and then it is refused as a whole; else its own inverse takes it back

struct old {
    struct protocol_bytes bytes[OLD];
    uint32_t count;
};

static void old_keep(struct old *old, const struct document_edit *edit)
{
    struct protocol_bytes *bytes = &old->bytes[old->count++ % OLD];
    protocol_bytes_deinit(bytes);
    *bytes = helper_edit_packed(restore_type, edit->inverse);
}

// Applied to a copy: refused as a whole, or taken back by its own inverse.
static void whenever_apply(const struct document *document, const char *data, size_t size, const char *what)
{
    struct protocol_edit_restore_params params;
    struct protocol_error error = {0};
    struct document_edit done, back;
    msgpack_zone zone;
    msgpack_object map;
    size_t offset = 0;
    const struct protocol_scan_limits limits = {
        .bytes = UINT32_MAX, .depth = PROTOCOL_LIMIT_MESSAGE_DEPTH, .nodes = PROTOCOL_LIMIT_MESSAGE_NODES};
    struct protocol_scan scan;
    size_t consumed = 0;
    protocol_scan_init(&scan, &limits);
    if (protocol_scan_feed(&scan, (const uint8_t *)data, size, &consumed) != PROTOCOL_SCAN_DONE ||
        consumed != size) {
        return; // as of what is no message
    }
    msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
    if (msgpack_unpack(data, size, &offset, &zone, &map) <= 0 || map.type != MSGPACK_OBJECT_MAP ||
        !protocol_decode_without(restore_type, "world", &map, &zone, &params, &error)) {
        msgpack_zone_destroy(&zone);
        return;
    }
    struct document *copy = helper_edit_copy(document);
    const uint64_t before = document_hash(copy);
    struct protocol_bytes told_before = helper_edit_told(copy);
    if (helper_edit_apply(copy, PROTOCOL_METHOD_EDIT_RESTORE, &params, &zone, &done)) {
        whenever_applied++;
        if (!helper_edit_take_back(copy, done.inverse, &zone, &back)) {
            fail_msg("inverse of %s: %s", what, back.error.text);
        }
        if (document_hash(copy) != before) {
            fail_msg("inverse of %s: another hash", what);
        }
    } else {
        whenever_refused++;
        assert_false(copy->failed);
    }
    helper_edit_assert_told(copy, &told_before, what);
    tick(copy, 2);
    document_destroy(copy);
    msgpack_zone_destroy(&zone);
}

static void whenever(const struct document *document, const struct old *old)
{
    const struct protocol_bytes *bytes = &old->bytes[program_below(old->count < OLD ? old->count : OLD)];
    char *changed = malloc(bytes->size);
    whenever_apply(document, (const char *)bytes->data, bytes->size, "an old inverse");
    for (uint32_t lie = 0; lie < LIES; lie++) {
        memcpy(changed, bytes->data, bytes->size);
        for (uint32_t i = 0; i <= lie % 3; i++) {
            changed[program_below((uint32_t)bytes->size)] = (char)program_below(256);
        }
        whenever_apply(document, changed, bytes->size, "an old inverse with bytes of chance");
    }
    free(changed);
}

// ---------------------------------------------------------------------------------------------------------

// Bodies that are given a thickness meet others from then on.
static void with_contact(struct program_input *given)
{
    const char *thickness = "'thickness': 0.01}";
    char *end = strstr(given->notation, thickness);
    if (strcmp(given->method, "body.set") == 0 && end) {
        snprintf(
            end, sizeof given->notation - (size_t)(end - given->notation), "%s",
            "'thickness': 0.01, 'self_contact': true, 'contact_group': 3, 'contact_mask': 1, 'friction': 1, "
            "'friction_kinetic': 0.5, 'restitution': 0.25}");
    }
}

// Pins follow one of the first colliders, if it is there, some of them softly.
static void with_followers(struct program_input *given)
{
    if (program_below(6) == 0) {
        given->method = "particle.pin";
        snprintf(given->notation, sizeof given->notation,
                 "{'world': 1, 'body': %u, 'particles': [%u, 2], 'collider': %u%s}", 1 + program_below(5),
                 program_below(2), 1 + program_below(4),
                 program_below(2) ? ", 'compliance': [0.02, 1e-4], 'distance': 0.1" : "");
    }
}

// Fields of force come, change and go, and forces of a time act.
static void with_forces(struct program_input *given)
{
    static const char *const some[][2] = {
        {"force.add",
         "{'world': 1, 'field': {'kind': 'vortex', 'strength': 0.5, 'margin': 0.1, 'radius': 2}}"},
        {"force.set", "{'world': 1, 'force': 1, 'field': {'strength': 0.2, 'bodies': [1, 3]}}"},
        {"force.remove", "{'world': 1, 'force': 1}"},
        {"body.force", "{'world': 1, 'body': 1, 'particles': [1, 0], 'force': [0.01, 0, 0], 'seconds': 0.2}"},
        {"force.add",
         "{'world': 1, 'field': {'kind': 'fan', 'strength': 5, 'width': 0.5, 'axis': [1, 0, 1]}}"},
        {"body.set", "{'world': 1, 'body': 1, 'wind': {'drag': 1.5}}"},
        {"body.set", "{'world': 1, 'body': 1, 'wind': {'lift': 0.5}}"}};
    static const uint32_t picks[10] = {0, 4, 0, 1, 1, 2, 2, 3, 5, 6};
    const uint32_t which = program_below(48);
    if (which < 10) { // what is added is there half of the time
        const uint32_t pick = picks[which];
        given->method = some[pick][0];
        snprintf(given->notation, sizeof given->notation, "%s", some[pick][1]);
    }
}

static void edit_once(struct document *document, struct old *old)
{
    struct program_input given;
    struct document_edit edit;
    msgpack_zone zone;
    msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
    helper_choose(document->sim, &given);
    with_contact(&given);
    if (follow) {
        with_followers(&given);
    } else {
        with_forces(&given);
    }
    const uint64_t before = sim_hash_ungrabbed(document->sim);
    const bool failed = document->failed;
    struct protocol_bytes told_before = {0};
    if (!failed) {
        told_before = helper_edit_told(document);
    }
    if (!helper_edit_input(document, &given, &zone, &edit) || failed ||
        protocol_methods[edit.method].class_ == PROTOCOL_CLASS_INPUT) {
        protocol_bytes_deinit(&told_before);
        msgpack_zone_destroy(&zone);
        return;
    }
    assert_non_null(edit.inverse);
    follow_count += follow && edit.method == PROTOCOL_METHOD_PARTICLE_PIN;
    edits[edit.method]++;
    joined += strstr(given.notation, "'type': 'join'") != NULL;
    slid += strstr(given.notation, "'type': 'slide'") != NULL;
    retied += edit.method == PROTOCOL_METHOD_CONSTRAINT_SET &&
              (strstr(given.notation, "force_limit") || strstr(given.notation, "mend") ||
               strstr(given.notation, "friction"));
    old_keep(old, &edit);
    switch (program_below(3)) {
    case 0:
        if (!follow) { // pins that follow come back where their collider is by then, which is not where the inverse says
            later(document, &edit);
        }
        protocol_bytes_deinit(&told_before);
        break;
    case 1:
        whenever(document, old);
        protocol_bytes_deinit(&told_before);
        break;
    default:
        at_once(document, &edit, before, &told_before, program_below(3) != 0);
    }
    msgpack_zone_destroy(&zone);
}

static void run_programs(uint32_t first, uint32_t programs)
{
    for (uint32_t program = first; program < first + programs; program++) {
        struct helper *helper = helper_create(NULL);
        struct protocol_world_create_params settings;
        struct old old = {0};
        document_settings(helper->world->document, &settings);
        helper_destroy(helper);
        struct document *document = document_create(&settings);
        memcpy(document->name, "flag", sizeof "flag");
        program_begin(1000 + program);
        for (uint32_t i = 0; i < PROGRAM_EDITS; i++) {
            edit_once(document, &old);
            tick(document, program_below(4));
        }
        for (uint32_t i = 0; i < OLD; i++) {
            protocol_bytes_deinit(&old.bytes[i]);
        }
        document_destroy(document);
    }
}

static void each_edit_of_pins_that_follow_is_taken_back(void **state)
{
    (void)state;
    const uint32_t programs = program_count() / 2;
    follow = true;
    run_programs(5000, programs);
    follow = false;
    print_message("%u pins follow\n", follow_count);
    assert_true(follow_count > programs);
}

static void each_edit_is_taken_back(void **state)
{
    (void)state;
    const uint32_t programs = program_count();
    run_programs(0, programs);
    // Every edit had its turns, or this says little.
    for (int method = 0; method < PROTOCOL_METHOD_COUNT; method++) {
        if (method != PROTOCOL_METHOD_EDIT_BATCH &&                                       // test_batch.c
            method != PROTOCOL_METHOD_EDIT_UNDO && method != PROTOCOL_METHOD_EDIT_REDO && // test_undo.c
            protocol_methods[method].record && protocol_methods[method].class_ == PROTOCOL_CLASS_EDIT &&
            edits[method] < programs / 24) {
            fail_msg("%s was done %u times", protocol_methods[method].name, edits[method]);
        }
    }
    print_message("%u later, %u whenever, %u of them refused\n", later_count,
                  whenever_applied + whenever_refused, whenever_refused);
    print_message("%u joins, %u slides, %u changes of them\n", joined, slid, retied);
    assert_true(joined > programs / 6 && slid > programs / 6 && retied > programs / 20);
    assert_true(later_count > 5 * programs);
    assert_true(whenever_applied > 2 * programs);
    assert_true(whenever_refused >= programs / 20);
}

// ---------------------------------------------------------------------------------------------------------
// What somebody else says

static void say(struct document *document, const char *method, const char *notation)
{
    struct program_input given = {.method = method};
    struct document_edit edit = {0};
    msgpack_zone zone;
    msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
    snprintf(given.notation, sizeof given.notation, "%s", notation);
    if (!helper_edit_input(document, &given, &zone, &edit)) {
        fail_msg("%s %s: %s", method, notation, edit.error.text);
    }
    msgpack_zone_destroy(&zone);
}

static struct document *scene(void)
{
    struct helper *helper = helper_create(NULL);
    struct protocol_world_create_params settings;
    document_settings(helper->world->document, &settings);
    helper_destroy(helper);
    struct document *document = document_create(&settings);
    say(document, "body.add",
        "{'world': 1, 'name': 'cloth', 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,0,1, 1,0,1], "
        "'triangles':"
        " [0,2,1, 1,2,3], 'pins': [0], 'bend': {'model': 'dihedral'}}");
    say(document, "body.add",
        "{'world': 1, 'name': 'rope', 'kind': 'rope', 'positions': [0,1,0, 1,1,0, 2,1,0], 'pins': [0]}");
    say(document, "collider.add", "{'world': 1, 'name': 'ball', 'kind': 'sphere'}");
    say(document, "collider.add", "{'world': 1, 'name': 'floor', 'kind': 'plane'}");
    say(document, "constraint.add",
        "{'world': 1, 'type': 'distance', 'bodies': [1, 2], 'particles': [0, 1]}"); // id 9
    say(document, "motion.add", "{'world': 1, 'collider': 1, 'times': [0, 1], 'offsets': [0,0,0, 0,1,0]}");
    return document;
}

// Each says what could be before it says what cannot: nothing of it may stay.
#define BEFORE                                                                                     \
    "{'world': 1, 'settings': {'damping': 3}, 'removed': {'constraints': [1, 9], 'motions': [1], " \
    "'colliders': [2], 'bodies': [1]}, "
#define ROPE "'kind': 'rope', 'edges': [0, 1], 'positions': [0,0,0, 1,0,0]"

static void what_cannot_be_changes_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *notation, *field;
    } cases[] = {
        {BEFORE "'name': ''}", "name"},
        {BEFORE "'bodies': [{" ROPE ", 'first_constraint': 3}]}", "bodies[0].body"},
        {BEFORE "'bodies': [{'body': 2, 'first_constraint': 3, " ROPE "}]}", "bodies[0].body"},
        {BEFORE "'bodies': [{'body': 77, 'first_constraint': 3, " ROPE "}]}", "bodies[0].body"},
        {BEFORE "'bodies': [{'body': 3, 'weld': 0.1, 'first_constraint': 3, " ROPE "}], 'next': {'body': 4},"
                "'expected_next': {'body': 3}}",
         "bodies[0].weld"},
        {BEFORE "'bodies': [{'body': 3, 'name': 'rope', 'first_constraint': 30, " ROPE "}]}",
         "bodies[0].name"},
        {BEFORE "'bodies': [{'body': 3, 'first_constraint': 7, " ROPE "}], 'next': {'body': 4},"
                "'expected_next': {'body': 3}}",
         "bodies[0].first_constraint"},
        {BEFORE "'bodies': [{'body': 3, 'first_constraint': 30, " ROPE ", 'state': {'positions': [0,0,0]}}]}",
         "bodies[0].state.positions"},
        {BEFORE "'parts': [{'body': 2, 'thickness': 0.5}, {'body': 8, 'thickness': 0.5}]}", "parts[1].body"},
        {BEFORE "'parts': [{'body': 2, 'self_contact': true, 'thickness': 1e-6}]}", "parts[0].thickness"},
        {BEFORE "'parts': [{'body': 2, 'volume': {'compliance': 1}}]}", "parts[0].volume"},
        {BEFORE "'parts': [{'body': 2, 'bend': {'model': 'quadratic'}}]}", "parts[0].bend"},
        {BEFORE "'parts': [{'body': 2, 'name': 'x'}, {'body': 1, 'name': 'x'}]}", "parts[1].name"},
        {BEFORE "'particles': [{'body': 2, 'particles': [3], 'pinned': false}]}", "particles[0].particles"},
        {BEFORE "'particles': [{'body': 2, 'particles': [1, 1], 'state': {'velocities': [0,0,0, 0,0,0]}}]}",
         "particles[0].particles"},
        {BEFORE "'particles': [{'body': 2, 'state': {'velocities': [0,0,0]}}]}",
         "particles[0].state.velocities"},
        {BEFORE "'particles': [{'body': 2, 'particles': [1], 'pinned': true}]}", "particles[0].state"},
        {BEFORE "'particles': [{'body': 9}]}", "particles[0].body"},
        {BEFORE "'particles': [{'body': 2, 'particles': [1], 'pinned': true, 'state': {'positions': [0,0,0],"
                " 'velocities': [0,0,0], 'targets': [0,900,0]}}]}",
         "particles[0].positions"},
        {BEFORE "'particles': [{'body': 2, 'particles': [1], 'state': {'positions': [0,2000000000,0]}}]}",
         "particles[0].state.positions"},
        {BEFORE "'own': [{'body': 2, 'constraints': [7], 'rest': [1], 'compliance': [0], 'damping': [0],"
                " 'stiffness': [-1], 'colors': [0, 1]}]}",
         "own[0].colors"},
        {BEFORE "'own': [{'body': 2, 'constraints': [1], 'rest': [1], 'compliance': [0], 'damping': [0],"
                " 'stiffness': [-1], 'colors': [0]}]}",
         "own[0].constraints"},
        {BEFORE
         "'own': [{'body': 2, 'constraints': [7], 'compliance': [0], 'damping': [0], 'stiffness': [-1],"
         " 'colors': [0]}]}",
         "own[0].constraints"},
        {BEFORE "'constraints': [{'bodies': [2, 2], 'particles': [0, 2]}]}", "constraints[0].constraints"},
        {BEFORE
         "'constraints': [{'bodies': [2, 5], 'particles': [0, 2], 'constraints': [9], 'rest': [1], 'colors':"
         " [0], 'compliance': [0], 'damping': [0], 'stiffness': [-1]}]}",
         "constraints[0].bodies"},
        {BEFORE
         "'constraints': [{'bodies': [2, 2], 'particles': [0, 2], 'constraints': [99], 'rest': [1], 'colors':"
         " [0], 'compliance': [0], 'damping': [0], 'stiffness': [-1]}]}",
         "constraints[0].constraints"},
        {BEFORE "'colliders': [{'collider': {'kind': 'sphere'}}]}", "colliders[0].collider.collider"},
        {BEFORE "'colliders': [{'parts': ['friction'], 'collider': {'collider': 2, 'kind': 'plane'}}]}",
         "colliders[0].collider.collider"},
        {BEFORE "'colliders': [{'collider': {'collider': 9, 'kind': 'sphere'}}]}",
         "colliders[0].collider.collider"},
        {BEFORE
         "'colliders': [{'parts': ['name'], 'collider': {'collider': 1, 'kind': 'sphere', 'name': 'ball'}},"
         " {'parts': ['name'], 'collider': {'collider': 2, 'kind': 'plane', 'name': 'ball'}}]}",
         "colliders[1].name"},
        {BEFORE "'motions': [{'motion': 1, 'collider': 'ball', 'times': [0, 1], 'offsets': [0,0,0, 0,1,0]}]}",
         "motions[0].collider"},
        {BEFORE "'motions': [{'motion': 5, 'collider': 1, 'times': [0, 1], 'offsets': [0,0,0, 0,1,0]}]}",
         "motions[0].motion"},
        {BEFORE "'motions': [{'motion': 1, 'collider': 1, 'times': [1, 0], 'offsets': [0,0,0, 0,1,0]}]}",
         "motions[0].times"},
        {"{'world': 1, 'next': {'body': 1, 'constraint': 1, 'collider': 1, 'motion': 1}, 'expected_next': "
         "{'body': 3,"
         " 'constraint': 10, 'collider': 3, 'motion': 2}}",
         "next.next_body"},
    };
    uint32_t wrong = 0;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct document *document = scene();
        struct program_input given = {.method = "edit.restore"};
        struct document_edit edit = {0};
        msgpack_zone zone;
        msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
        struct protocol_bytes before = helper_edit_told(document);
        snprintf(given.notation, sizeof given.notation, "%s", cases[c].notation);
        if (helper_edit_input(document, &given, &zone, &edit)) {
            print_error("%s: not refused\n", cases[c].notation);
            wrong++;
        }
        if (strcmp(edit.error.field, cases[c].field) != 0) {
            print_error("%s: field %s, not %s (%s)\n", cases[c].notation, edit.error.field, cases[c].field,
                        edit.error.text);
            wrong++;
        }
        assert_false(document->failed);
        if (edit.error.code != PROTOCOL_CODE_OK) {
            helper_edit_assert_told(document, &before, cases[c].notation);
        }
        msgpack_zone_destroy(&zone);
        document_destroy(document);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_changes_nothing),
        cmocka_unit_test(each_edit_is_taken_back),
        cmocka_unit_test(each_edit_of_pins_that_follow_is_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
