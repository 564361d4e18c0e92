// The parameters of edit.restore may contradict themselves: things that are removed and present, or named twice. Then
// it is refused as a whole. Otherwise it does what it says, its inverse undoes it, and its record says the same again.
#include "helper_program.h"
#include "helper_world.h"

#include "protocol/params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POOL = 12, MIXES = 3 };

static const struct protocol_struct *const restore_type = &protocol_edit_restore_params_type;

// ---------------------------------------------------------------------------------------------------------
// By hand, as it is asked for over the wire

#define POINT "'state': {'positions': [0,0,0], 'velocities': [0,0,0]}"
#define OWN "'rest': [1], 'compliance': [0], 'damping': [0], 'stiffness': [-1], 'colors': [0]"
#define ROPE "'kind': 'rope', 'edges': [0, 1], 'positions': [0,0,0, 1,0,0], 'first_constraint': 40"
#define MOTION "'times': [0, 1], 'offsets': [0,0,0, 0,1,0]"
#define LOOSE                                                                                               \
    "'bodies': [1, 2], 'particles': [0, 1], 'constraints': [5], 'rest': [1], 'colors': [0], 'compliance': " \
    "[0], 'damping': [0], 'stiffness': [-1]"

static const struct {
    const char *parts, *text;
} contradictions[] = {
    {"'removed': {'bodies': [1]}, 'parts': [{'body': 1, 'name': 'x'}]",
     "INVALID: parts[0].body: body 1 is in removed.bodies too; must be in one of them"},
    {"'removed': {'bodies': [2, 1]}, 'particles': [{'body': 1, 'particles': [0], " POINT "}]",
     "INVALID: particles[0].body: body 1 is in removed.bodies too; must be in one of them"},
    {"'removed': {'bodies': [1]}, 'own': [{'body': 1, 'constraints': [1], " OWN "}]",
     "INVALID: own[0].body: body 1 is in removed.bodies too; must be in one of them"},
    {"'removed': {'bodies': [2]}, 'constraints': [{" LOOSE "}]",
     "INVALID: constraints[0].bodies: body 2 is in removed.bodies too; must be in one of them"},
    {"'removed': {'bodies': [1]}, 'motions': [{'motion': 1, 'body': 1, 'particles': [0], " MOTION "}]",
     "INVALID: motions[0].body: body 1 is in removed.bodies too; must be in one of them"},
    {"'removed': {'bodies': [9]}, 'bodies': [{'body': 9, " ROPE "}]",
     "INVALID: bodies[0].body: body 9 is in removed.bodies too; must be in one of them"},
    {"'bodies': [{'body': 9, " ROPE "}, {'body': 9, " ROPE "}]",
     "INVALID: bodies[1].body: body 9 is in bodies[0] too; must be in one of them"},
    {"'bodies': [{'body': 9, " ROPE "}], 'parts': [{'body': 9, 'name': 'x'}]",
     "INVALID: parts[0].body: body 9 is in bodies[0] too; must be in one of them"},
    {"'bodies': [{'body': 9, " ROPE "}], 'particles': [{'body': 9, 'particles': [0], " POINT "}]",
     "INVALID: particles[0].body: body 9 is in bodies[0] too; must be in one of them"},
    {"'parts': [{'body': 2, 'name': 'x'}, {'body': 1, 'thickness': 0.1}, {'body': 2, 'name': 'y'}]",
     "INVALID: parts[2].body: body 2 is in parts[0] too; must be in one of them"},
    {"'particles': [{'body': 1, 'particles': [0], " POINT "}, {'body': 1, 'particles': [1, 0], 'pinned': "
     "false}]",
     "INVALID: particles[1].particles: particle 0 of body 1 is named twice; must be named once"},
    {"'particles': [{'body': 1, 'pinned': false}, {'body': 2, 'pinned': false}, {'body': 1, 'particles': "
     "[1], "
     "'pinned': false}]",
     "INVALID: particles[2].particles: particle 1 of body 1 is named twice; must be named once"},
    {"'own': [{'body': 1, 'constraints': [1], " OWN "}, {'body': 1, 'constraints': [2], " OWN "}]",
     "INVALID: own[1].type: this kind of constraints of body 1 is in own[0] too; must be in one of them"},
    {"'removed': {'constraints': [1]}, 'own': [{'body': 1, 'constraints': [1], " OWN "}]",
     "INVALID: own[0].constraints: constraint 1 is in removed.constraints too; must be in one of them"},
    {"'removed': {'constraints': [5]}, 'constraints': [{" LOOSE "}]",
     "INVALID: constraints[0].constraints: constraint 5 is in removed.constraints too; must be in one of "
     "them"},
    {"'constraints': [{" LOOSE "}, {" LOOSE "}]",
     "INVALID: constraints[1].constraints: constraint 5 is in constraints[0] too; must be in one of them"},
    {"'removed': {'colliders': [1]}, 'colliders': [{'parts': ['name'], 'collider': {'collider': 1, 'kind': "
     "'sphere', 'name': 'x'}}]",
     "INVALID: colliders[0].collider.collider: collider 1 is in removed.colliders too; must be in one of "
     "them"},
    {"'colliders': [{'parts': ['friction'], 'collider': {'collider': 1, 'kind': 'sphere'}}, {'parts': "
     "['name'], 'collider': {'collider': 1, 'kind': 'sphere', 'name': 'x'}}]",
     "INVALID: colliders[1].collider.collider: collider 1 is in colliders[0] too; must be in one of them"},
    {"'removed': {'colliders': [1]}, 'motions': [{'motion': 2, 'collider': 1, " MOTION "}]",
     "INVALID: motions[0].collider: collider 1 is in removed.colliders too; must be in one of them"},
    {"'motions': [{'motion': 2, 'collider': 1, " MOTION
     "}, {'motion': 2, 'body': 1, 'particles': [0], " MOTION "}]",
     "INVALID: motions[1].motion: motion 2 is in motions[0] too; must be in one of them"},
};

static struct helper *scene(void)
{
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'rope', 'positions': [0,1,0, 1,1,0, 2,1,0], 'pins': [0]}");
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'rope', 'positions': [0,2,0, 1,2,0, 2,2,0], 'pins': [0]}");
    helper_call(helper, HELPER_ANN, "constraint.add",
                "{'world': 1, 'type': 'distance', 'bodies': [1, 2], 'particles': [0, 1]}"); // id 5
    helper_call(helper, HELPER_ANN, "collider.add", "{'world': 1, 'kind': 'sphere'}");
    helper_call(helper, HELPER_ANN, "motion.add", "{'world': 1, 'body': 1, 'particles': [0], " MOTION "}");
    return helper;
}

static void what_contradicts_itself_is_refused(void **state)
{
    (void)state;
    struct helper *helper = scene();
    const uint64_t hash = helper_hash(helper);
    for (size_t i = 0; i < sizeof contradictions / sizeof *contradictions; i++) {
        char notation[1024];
        snprintf(notation, sizeof notation, "{'world': 1, %s}", contradictions[i].parts);
        assert_string_equal(helper_error(helper, HELPER_BOB, "edit.restore", notation),
                            contradictions[i].text);
        snprintf(notation, sizeof notation, "{'world': 1, 'edits': [['edit.restore', {%s}]]}",
                 contradictions[i].parts);
        const char *text = helper_error(helper, HELPER_BOB, "edit.batch", notation);
        if (!strstr(text, "must be in one of them") && !strstr(text, "must be named once")) {
            fail_msg("in a batch: %s", text);
        }
        assert_true(helper_hash(helper) == hash);
    }
    helper_destroy(helper);
}

// A thing may make room for another with its id, and may be named twice for removal.
static void what_only_looks_like_it_is_not(void **state)
{
    (void)state;
    static const char *const fine[] = {
        ("'removed': {'colliders': [1, 1], 'motions': [1]}, 'colliders': [{'collider': {'collider': 1, "
         "'kind': 'plane'}}], 'motions': [{'motion': 1, 'collider': 1, " MOTION "}]"),
        ("'removed': {'motions': [1, 1]}, 'motions': [{'motion': 1, 'collider': 1, " MOTION "}]"),
        "'removed': {'bodies': [1, 1], 'constraints': [1, 5, 5]}",
        ("'particles': [{'body': 1, 'particles': [1], 'pinned': false}, {'body': 1, 'particles': [0, 2], "
         "'pinned': false}]"),
    };
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        char notation[1024];
        struct helper *helper = scene();
        snprintf(notation, sizeof notation, "{'world': 1, %s}", fine[i]);
        helper_call(helper, HELPER_BOB, "edit.restore", notation);
        helper_destroy(helper);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Other edits that name something twice, or what another edit of their batch makes or takes away

static const struct {
    const char *method, *params;
    bool refused; // else it is done, and undone
} doubled[] = {
    {"body.add", "'kind': 'rope', 'positions': [0,0,0, 1,0,0], 'pins': [0, 0]", false},
    {"body.add", "'kind': 'rope', 'positions': [0,0,0, 1,0,0, 2,0,0], 'edges': [0,1, 1,0, 1,2]", false},
    {"body.add", "'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,0,1], 'triangles': [0,1,2, 0,1,2]", false},
    {"body.add", "'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,0,1], 'triangles': [0,1,1]", true},
    {"body.add", "'kind': 'points', 'positions': [0,0,0, 0,0,0], 'masses': 1, 'pins': [0, 1], 'weld': 0.1",
     false},
    {"particle.set", "'body': 1, 'particles': [1, 1], 'velocities': [0,1,0, 0,2,0]", true},
    {"particle.pin", "'body': 1, 'particles': [1, 1]", true},
    {"particle.unpin", "'body': 1, 'particles': [0, 0]", true},
    {"body.force", "'body': 1, 'particles': [1, 1], 'force': [1,0,0]", true},
    {"constraint.add", "'type': 'distance', 'bodies': [1, 1], 'particles': [1, 1]", true},
    {"constraint.add", "'type': 'distance', 'body': 1, 'particles': [0,1, 0,1]", false},
    {"constraint.set", "'constraints': [5, 5], 'compliance': [0, 1]", false},
    {"constraint.remove", "'constraints': [5, 5]", false},
    {"motion.add", "'body': 2, 'particles': [0, 0], 'times': [0, 1], 'offsets': [0,0,0, 0,1,0]", true},
    {"motion.add", "'body': 1, 'particles': [0], 'times': [0, 1], 'offsets': [0,0,0, 0,1,0]", false},
    {"edit.batch", "'edits': [['body.remove', {'body': 1}], ['body.set', {'body': 1, 'thickness': 0.1}]]",
     true},
    {"edit.batch", "'edits': [['body.remove', {'body': 1}], ['motion.remove', {'motion': 1}]]", true},
    {"edit.batch", "'edits': [['body.remove', {'body': 2}], ['constraint.remove', {'constraints': [5]}]]",
     true},
    {"edit.batch",
     "'edits': [['body.remove', {'body': 1}], ['edit.restore', {'parts': [{'body': 1, 'name': 'x'}]}]]",
     true},
    {"edit.batch",
     "'edits': [['collider.remove', {'collider': 1}], ['edit.restore', {'removed': {'colliders': "
     "[1], 'bodies': [1]}}], ['body.remove', {'body': 2}]]",
     false},
    {"edit.batch",
     "'edits': [['edit.restore', {'removed': {'bodies': [1]}}], ['edit.restore', {'removed': "
     "{'bodies': [1], 'constraints': [1, 5], 'motions': [1]}}], ['world.reset', {}]]",
     false},
};

static void what_is_named_twice(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof doubled / sizeof *doubled; i++) {
        struct helper *helper = scene();
        const uint64_t hash = helper_hash(helper);
        char notation[1024];
        bool error = false;
        snprintf(notation, sizeof notation, "{'world': 1, %s}", doubled[i].params);
        const uint32_t id = helper_post(helper, HELPER_ANN, doubled[i].method, notation);
        helper_turn(helper);
        const msgpack_object *answer = id != 0 ? helper_answer(helper, id, &error) : NULL;
        const bool refused = id == 0 || (answer && error);
        if (refused != doubled[i].refused) {
            fail_msg("%s %s was %s", doubled[i].method, notation, refused ? "refused" : "done");
        }
        assert_true(!refused || helper_hash(helper) == hash);
        if (!refused) {
            helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        }
        helper_destroy(helper);
    }
}

// ---------------------------------------------------------------------------------------------------------
// By chance: what took edits back, mixed

static struct document *copy_of(const struct document *document)
{
    struct protocol_bytes bytes = {0};
    struct protocol_error error = {0};
    assert_true(document_pack(document, &bytes));
    struct document *copy = document_from(bytes.data, bytes.size, &error);
    protocol_bytes_deinit(&bytes);
    if (!copy) {
        fail_msg("%s", error.text);
    }
    memcpy(copy->name, document->name, sizeof copy->name);
    copy->revision = document->revision;
    return copy;
}

static bool apply(struct document *document, enum protocol_method method, const void *params, bool live,
                  msgpack_zone *zone, struct document_edit *edit)
{
    const struct document_constants constants = {.resolution = sim_settings_of(document->sim)->resolution,
                                                 .extent_at_start = 1e9};
    const bool prepared = document_prepares(method);
    *edit = (struct document_edit){.method = method,
                                   .params = params,
                                   .session = 7,
                                   .person = "ann",
                                   .zone = zone,
                                   .wants_inverse = true,
                                   .live = live};
    edit->plans = prepared ? document_prepare(method, params, &constants, &edit->error) : NULL;
    const uint64_t hash = document_hash(document);
    const bool done = (!prepared || edit->plans) && document_apply(document, edit);
    document_plans_destroy(edit->plans);
    edit->plans = NULL;
    if (!done && (document_hash(document) != hash || document->failed)) {
        fail_msg("%s%s was refused (%s) and left something: %s", protocol_methods[method].name,
                 live ? "" : " of a record", edit->error.text, document->reason);
    }
    return done;
}

static bool decode(const struct protocol_bytes *bytes, msgpack_zone *zone,
                   struct protocol_edit_restore_params *params)
{
    struct protocol_error error = {0};
    msgpack_object map;
    size_t offset = 0;
    return msgpack_unpack((const char *)bytes->data, bytes->size, &offset, zone, &map) >= 0 &&
           protocol_decode_without(restore_type, "world", &map, zone, params, &error);
}

static struct protocol_bytes packed(const struct protocol_edit_restore_params *params)
{
    struct protocol_bytes bytes = {0};
    msgpack_packer packer;
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    protocol_encode_without(restore_type, "world", params, PROTOCOL_ARRAYS_EXT, &packer);
    assert_false(bytes.failed);
    return bytes;
}

static void join_lists(struct protocol_list *list, const struct protocol_list *more, size_t size,
                       msgpack_zone *zone)
{
    char *items = msgpack_zone_malloc(zone, (list->count + more->count) * size + 1);
    assert_non_null(items);
    if (list->count > 0) {
        memcpy(items, list->items, list->count * size);
    }
    if (more->count > 0) {
        memcpy(items + list->count * size, more->items, more->count * size);
    }
    *list = (struct protocol_list){.items = items, .count = list->count + more->count};
}

// Every second list of one of them comes to those of the other.
static void mix(struct protocol_edit_restore_params *one, const struct protocol_edit_restore_params *other,
                msgpack_zone *zone)
{
#define JOIN(list, FIELD, type)                                \
    if (program_below(2) == 0 && other->list.count > 0) {      \
        join_lists(&one->list, &other->list, type.size, zone); \
        one->has |= PROTOCOL_HAS_EDIT_RESTORE_PARAMS_##FIELD;  \
    }
#define TAKE(ids, FIELD)                                          \
    if (program_below(2) == 0 && other->removed.ids.count > 0) {  \
        one->removed.ids = other->removed.ids;                    \
        one->removed.has |= PROTOCOL_HAS_RESTORE_REMOVED_##FIELD; \
        one->has |= PROTOCOL_HAS_EDIT_RESTORE_PARAMS_REMOVED;     \
    }
    JOIN(bodies, BODIES, protocol_document_body_type)
    JOIN(parts, PARTS, protocol_restore_body_type)
    JOIN(particles, PARTICLES, protocol_restore_particles_type)
    JOIN(own, OWN, protocol_restore_own_type)
    JOIN(constraints, CONSTRAINTS, protocol_document_constraints_type)
    JOIN(colliders, COLLIDERS, protocol_restore_collider_type)
    JOIN(motions, MOTIONS, protocol_document_motion_type)
    TAKE(bodies, BODIES)
    TAKE(constraints, CONSTRAINTS)
    TAKE(colliders, COLLIDERS)
    TAKE(motions, MOTIONS)
#undef JOIN
#undef TAKE
}

// Ids of what is there, or was, in the places of others.
static void mislead(struct protocol_edit_restore_params *params, const uint32_t *ids)
{
    struct protocol_restore_body *parts = (struct protocol_restore_body *)params->parts.items;
    struct protocol_restore_particles *particles =
        (struct protocol_restore_particles *)params->particles.items;
    if (params->parts.count > 0) {
        parts[program_below(params->parts.count)].body = 1 + program_below(8);
    }
    if (params->particles.count > 0) {
        particles[program_below(params->particles.count)].body = 1 + program_below(8);
    }
    if (program_below(2) == 0) {
        params->removed.bodies = (struct protocol_array){PROTOCOL_ARRAY_U32, 1 + program_below(3), ids};
        params->removed.has |= PROTOCOL_HAS_RESTORE_REMOVED_BODIES;
        params->has |= PROTOCOL_HAS_EDIT_RESTORE_PARAMS_REMOVED;
    }
}

static void assert_whole(const struct document *document)
{
    assert_int_equal(document->bodies.count, sim_body_count(document->sim));
    assert_int_equal(document->colliders.count, sim_collider_count(document->sim));
    for (uint32_t i = 0; i < document->bodies.count; i++) {
        assert_int_equal(document->bodies.items[i].id, sim_body_id_at(document->sim, i));
    }
}

static uint32_t applied, refused, contradicted;

static void ask(const struct document *document, const struct protocol_edit_restore_params *params,
                msgpack_zone *zone)
{
    struct document *copy = copy_of(document), *other = copy_of(document);
    struct document_edit edit, again, back;
    const uint64_t hash = document_hash(copy);
    const bool done = apply(copy, PROTOCOL_METHOD_EDIT_RESTORE, params, true, zone, &edit);
    assert_whole(copy);
    contradicted += !done && (strstr(edit.error.text, "must be in one of them") ||
                              strstr(edit.error.text, "must be named once"));
    applied += done;
    refused += !done;
    // As a record, it may say more: what servers did before they refused contradictions.
    const bool replayed =
        apply(other, PROTOCOL_METHOD_EDIT_RESTORE, done ? edit.resolved : params, false, zone, &again);
    assert_whole(other);
    if (done) {
        assert_true(replayed);
        assert_true(document_hash(other) == document_hash(copy));
        assert_non_null(edit.inverse);
        if (!apply(copy, PROTOCOL_METHOD_EDIT_RESTORE, edit.inverse, false, zone, &back)) {
            fail_msg("the inverse: %s", back.error.text);
        }
        assert_true(document_hash(copy) == hash);
    }
    document_destroy(copy);
    document_destroy(other);
}

static void ask_of_pool(const struct document *document, const struct protocol_bytes *pool, uint32_t count)
{
    static const uint32_t ids[] = {2, 1, 3, 5};
    for (uint32_t m = 0; m < MIXES; m++) {
        struct protocol_edit_restore_params one, other;
        msgpack_zone zone;
        msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
        assert_true(decode(&pool[program_below(count)], &zone, &one));
        assert_true(decode(&pool[program_below(count)], &zone, &other));
        mix(&one, &other, &zone);
        if (m > 0) {
            mislead(&one, ids);
        }
        ask(document, &one, &zone);
        msgpack_zone_destroy(&zone);
    }
}

static bool edit_once(struct document *document, struct protocol_bytes *kept)
{
    struct program_input given;
    struct document_edit edit;
    struct protocol_error error = {0};
    enum protocol_method method;
    msgpack_sbuffer buffer;
    msgpack_object map;
    msgpack_zone zone;
    size_t offset = 0;
    helper_choose(document->sim, &given);
    msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
    msgpack_sbuffer_init(&buffer);
    helper_pack(&buffer, given.notation);
    assert_true(protocol_method_find(protocol_text(given.method), &method));
    void *params = msgpack_zone_malloc(&zone, protocol_methods[method].params->size);
    assert_true(msgpack_unpack(buffer.data, buffer.size, &offset, &zone, &map) >= 0);
    const bool done = protocol_decode(protocol_methods[method].params, &map, &zone, params, &error) &&
                      apply(document, method, params, true, &zone, &edit) && edit.inverse;
    if (done) {
        protocol_bytes_deinit(kept);
        *kept = packed(edit.inverse);
    }
    msgpack_sbuffer_destroy(&buffer);
    msgpack_zone_destroy(&zone);
    return done;
}

static void mixed_by_chance(void **state)
{
    (void)state;
    const uint32_t programs = program_count() / 4;
    struct helper *helper = helper_create(NULL);
    struct protocol_world_create_params settings;
    document_settings(helper->world->document, &settings);
    helper_destroy(helper);
    for (uint32_t program = 0; program < programs; program++) {
        struct protocol_bytes pool[POOL] = {{0}};
        uint32_t kept = 0;
        struct document *document = document_create(&settings);
        memcpy(document->name, "flag", sizeof "flag");
        program_begin(5000 + program);
        for (uint32_t i = 0; i < PROGRAM_EDITS && !document->failed; i++) {
            kept += edit_once(document, &pool[kept % POOL]);
            if (program_below(3) == 0) {
                document_step(document, NULL, NULL);
            }
            if (kept > 0 && !document->failed) {
                ask_of_pool(document, pool, kept < POOL ? kept : POOL);
            }
        }
        for (uint32_t i = 0; i < POOL; i++) {
            protocol_bytes_deinit(&pool[i]);
        }
        document_destroy(document);
    }
    print_message("%u applied, %u refused, %u of them for contradictions\n", applied, refused, contradicted);
    assert_true(applied > programs && contradicted > programs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_contradicts_itself_is_refused),
        cmocka_unit_test(what_only_looks_like_it_is_not),
        cmocka_unit_test(what_is_named_twice),
        cmocka_unit_test(mixed_by_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
