// Inverses on a heap that says no: an edit that is refused for want of memory has changed nothing, be it one whose inverse
// is wanted or the inverse itself.
#include "../sim/helper_heap.h"
#include "helper_world.h"

#include "protocol/params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t refused_at = UINT64_MAX; // the piece that is not given, once; counted down

#ifndef OTHERS_OWN_THE_HEAP
static bool heap_gives(void)
{
    if (refused_at == UINT64_MAX || refused_at-- > 1) {
        return true;
    }
    refused_at = UINT64_MAX;
    return false;
}

#include "../sim/helper_heap_take.h"
#endif

struct tried {
    struct document *document;
    msgpack_zone zone;
    struct document_edit edit;
};

// Without the nth piece of memory; 0: with all.
static bool apply(struct tried *tried, enum protocol_method method, const void *params, uint64_t without)
{
    const struct document_constants constants = {
        .resolution = sim_settings_of(tried->document->sim)->resolution, .extent_at_start = 1e9};
    struct document_edit *edit = &tried->edit;
    *edit = (struct document_edit){
        .method = method, .params = params, .session = 7, .zone = &tried->zone, .wants_inverse = true};
    const bool prepared = document_prepares(method);
    refused_at = without > 0 ? without : UINT64_MAX;
    edit->plans = prepared ? document_prepare(method, params, &constants, &edit->error) : NULL;
    const bool done = (!prepared || edit->plans) && document_apply(tried->document, edit);
    document_plans_destroy(edit->plans);
    return done;
}

static const void *decoded(struct tried *tried, const char *name, const char *notation,
                           enum protocol_method *method)
{
    msgpack_sbuffer buffer;
    msgpack_object map;
    struct protocol_error error = {0};
    size_t offset = 0;
    msgpack_sbuffer_init(&buffer);
    assert_true(protocol_method_find(protocol_text(name), method));
    helper_pack(&buffer, notation);
    char *bytes = msgpack_zone_malloc(&tried->zone, buffer.size);
    memcpy(bytes, buffer.data, buffer.size);
    assert_true(msgpack_unpack(bytes, buffer.size, &offset, &tried->zone, &map) >= 0);
    msgpack_sbuffer_destroy(&buffer);
    void *params = msgpack_zone_malloc(&tried->zone, protocol_methods[*method].params->size);
    assert_true(protocol_decode(protocol_methods[*method].params, &map, &tried->zone, params, &error));
    return params;
}

static void do_it(struct tried *tried, const char *name, const char *notation)
{
    enum protocol_method method;
    const void *params = decoded(tried, name, notation, &method);
    if (!apply(tried, method, params, 0)) {
        fail_msg("%s %s: %s", name, notation, tried->edit.error.text);
    }
}

#define WOVEN                                                                                               \
    "'world': 1, 'kind': 'cloth', 'positions': [0,3,0, 1,3,0, 0,3,1, 1,3,1], 'triangles': [0,2,1, 1,2,3], " \
    "'stretch': {'model': 'orthotropic', 'warp': 90, 'weft': 80, 'shear': 7}, 'bend': {'warp': 0.2, "       \
    "'weft': 0.1}, "                                                                                        \
    "'yarn_uvs': [0,0, 0,1, 1,0, 1,0, 0,1, 1,1]"

static void tried_init(struct tried *tried)
{
    struct protocol_world_create_params settings;
    protocol_defaults(&protocol_world_create_params_type, &settings);
    msgpack_zone_init(&tried->zone, MSGPACK_ZONE_CHUNK_SIZE);
    tried->document = document_create(&settings);
    do_it(tried, "body.add",
          "{'world': 1, 'name': 'cloth', 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,0,1, 1,0,1], "
          "'triangles':"
          " [0,2,1, 1,2,3], 'pins': [0], 'bend': {'model': 'dihedral'}, 'skin': {'particles': [0,1,2,3],"
          " 'weights': [1,0,0,0], 'triangles': [0,0,0]}}");
    do_it(tried, "body.add",
          "{'world': 1, 'name': 'rope', 'kind': 'rope', 'positions': [0,1,0, 1,1,0, 2,1,0], 'pins': [0]}");
    do_it(tried, "collider.add", "{'world': 1, 'name': 'ball', 'kind': 'sphere'}");
    do_it(tried, "constraint.add", "{'world': 1, 'type': 'distance', 'bodies': [1, 2], 'particles': [0, 1]}");
    do_it(tried, "motion.add", "{'world': 1, 'collider': 1, 'times': [0, 1], 'offsets': [0,0,0, 0,1,0]}");
    do_it(tried, "motion.add",
          "{'world': 1, 'body': 1, 'particles': [0], 'times': [0, 1], 'offsets': [0,0,0, 0,1,0],"
          " 'poses': [0,0,0, 0.5,0,0]}");
    do_it(tried, "body.add", "{" WOVEN "}");
    document_step(tried->document, NULL, NULL);
}

static void tried_deinit(struct tried *tried)
{
    document_destroy(tried->document);
    msgpack_zone_destroy(&tried->zone);
}

// Without each piece of memory in turn, of the edit (back false) or of its inverse.
static uint32_t refusals(const char *name, const char *notation, bool back)
{
    uint32_t refused = 0;
    bool done = false;
    for (uint64_t without = 1; !done; without++) {
        struct tried tried;
        enum protocol_method method;
        tried_init(&tried);
        const void *params = decoded(&tried, name, notation, &method);
        if (back) {
            assert_true(apply(&tried, method, params, 0));
            params = tried.edit.inverse;
            method = PROTOCOL_METHOD_EDIT_RESTORE;
        }
        const uint64_t hash = document_hash(tried.document);
        const uint64_t revision = tried.document->revision;
        const bool all = apply(&tried, method, params, without);
        done = refused_at != UINT64_MAX; // it needed fewer
        refused_at = UINT64_MAX;
        if (!all) {
            assert_int_equal(tried.edit.error.code, PROTOCOL_CODE_MEMORY);
            assert_true(document_hash(tried.document) == hash);
            assert_int_equal(tried.document->revision, revision);
            assert_false(tried.document->failed);
            refused++;
        } else {
            assert_true(tried.edit.inverse || tried.edit.back.count > 0);
        }
        tried_deinit(&tried);
    }
    return refused;
}

static void what_is_refused_for_memory_changes_nothing(void **state)
{
    (void)state;
#ifdef OTHERS_OWN_THE_HEAP
    skip();
#endif
    static const struct {
        const char *name, *notation;
    } edits[] = {
        {"body.remove", "{'world': 1, 'body': 1}"},
        {"body.set", "{'world': 1, 'body': 1, 'stretch': {'compliance': 0.001}, 'name': 'sheet'}"},
        {"constraint.remove", "{'world': 1, 'constraints': [1, 9]}"},
        {"particle.unpin", "{'world': 1, 'body': 1, 'particles': [0]}"},
        {"body.force", "{'world': 1, 'body': 1, 'particles': [0, 2], 'force': [1,0,0]}"},
        {"body.force", "{'world': 1, 'body': 1, 'force': [1,0,0], 'seconds': 1}"},
        {"force.add", "{'world': 1, 'field': {'kind': 'point', 'strength': 2}}"},
        {"body.set", "{'world': 1, 'body': 1, 'gravity': [1,0,0]}"},
        {"collider.remove", "{'world': 1, 'collider': 1}"},
        {"motion.remove", "{'world': 1, 'motion': 1}"},
        {"world.reset", "{'world': 1}"},
        {"collider.add", "{'world': 1, 'kind': 'plane'}"},
        {"body.add", "{" WOVEN "}"},
        {"body.remove", "{'world': 1, 'body': 3}"},
        {"body.set", "{'world': 1, 'body': 3, 'bend': {'warp': 0.4, 'bias': 0.3}}"},
        {"body.set", "{'world': 1, 'body': 3, 'bend': {'rigidity': 0.4}}"},
    };
    for (size_t e = 0; e < sizeof edits / sizeof *edits; e++) {
        assert_true(refusals(edits[e].name, edits[e].notation, false) > 2);
        assert_true(refusals(edits[e].name, edits[e].notation, true) > 2);
    }
}

// The parts before the edit that found no memory are undone.
static void batches_refused_for_memory_change_nothing(void **state)
{
    (void)state;
#ifdef OTHERS_OWN_THE_HEAP
    skip();
#endif
    assert_true(
        refusals("edit.batch",
                 "{'world': 1, 'edits': [['collider.set', {'collider': 'ball', 'radius': 0.3}],"
                 " ['body.remove', {'body': 1}], ['body.add', {'name': 'new', 'kind': 'rope', 'positions':"
                 " [0,0,0, 1,0,0, 2,0,0]}], ['constraint.add', {'bodies': [3, 2], 'particles': [0, 1]}],"
                 " ['motion.remove', {'motion': 1}], ['world.reset', {}], ['world.set', {'damping': 1}]]}",
                 false) > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_refused_for_memory_change_nothing),
        cmocka_unit_test(what_is_refused_for_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
