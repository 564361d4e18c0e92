// Rotations in frames and in body.state: only bodies with orientations have them, and both tell what the sim has.
#include "helper_world.h"

#include "document/document.h"
#include "sim/sim.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Five particles; the last has no orientation, because no segment begins there.
static const char *const wire =
    "{'world': 1, 'kind': 'rope', 'positions': [0,1,0, 0.1,1,0, 0.2,1.02,0, 0.3,1,0.02, 0.4,1,0],"
    " 'rod': {'radius': 0.002, 'young': 1e8, 'twist': 3}}";
enum { PARTICLES = 5, CLOTH = 1, WIRE = 2 };

static struct helper *make(void)
{
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 3, 2, "sail");
    assert_int_equal(helper_number(helper_call(helper, HELPER_ANN, "body.add", wire), "body"), WIRE);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 9}");
    helper_turns_until_idle(helper);
    return helper;
}

// The rotations of a body's particles 0, nth, 2 nth, … are those of the sim, from `first` sent ones on.
static void check_rotations(const struct helper *helper, uint32_t body, const struct protocol_array *array,
                            bool exact, uint32_t first, uint32_t nth)
{
    const uint32_t count = array->count / 4;
    for (uint32_t i = 0; i < count; i++) {
        struct sim_turned turned;
        sim_body_turned(helper->world->document->sim, body, (first + i) * nth, 1, &turned);
        for (uint32_t k = 0; k < 4; k++) {
            const double told = protocol_array_f64_at(array, 4 * i + k), is = ldexp(turned.q[k], -30);
            assert_true(exact ? told == is : fabs(told - is) <= ldexp(1, -25) && told == (double)(float)told);
        }
    }
}

static const struct base_frame *frame_of(struct helper *helper, const char *fields, const char *more)
{
    char text[256];
    snprintf(text, sizeof text, "{'world': 1, 'fields': [%s]%s}", fields, more);
    const uint32_t stream = helper_subscribe(helper, text);
    return helper_frame(helper, 0, stream);
}

static void frames_have_rotations_of_bodies_with_orientations_in_every_mode(void **state)
{
    (void)state;
    static const char *const names[] = {"positions", "positions64", "velocities",
                                        "normals",   "rotations",   "rotations64"};
    struct helper *helper = make();
    for (uint32_t mode = 0; mode < WORLD_ARRAYS_MODES; mode++) {
        helper->arrays = (enum protocol_arrays_mode)mode;
        for (uint32_t fields = 1; fields < 64; fields++) {
            char text[128] = "";
            for (uint32_t f = 0; f < 6; f++) {
                const size_t at = strlen(text);
                if (fields & 1u << f) {
                    snprintf(text + at, sizeof text - at, "%s'%s'", at > 0 ? ", " : "", names[f]);
                }
            }
            uint8_t *message;
            size_t size;
            const msgpack_object *map =
                helper_frame_part(helper, frame_of(helper, text, ""), 0, &message, &size);
            const bool only = (fields & 15) == 0; // then the cloth is not there
            assert_int_equal(helper_at(map, "bodies")->via.array.size, only ? 1 : 2);
            assert_int_equal(helper_number(map, "bodies.#0.body"), only ? WIRE : CLOTH);
            const msgpack_object *chunk = helper_at(map, only ? "bodies.#0" : "bodies.#1");
            for (uint32_t f = 0; f < 6; f++) {
                assert_int_equal(helper_find(chunk, names[f]) != NULL, (fields & 1u << f) != 0);
                assert_int_equal(!only && helper_find(map, "bodies.#0") &&
                                     helper_find(helper_at(map, "bodies.#0"), names[f]) != NULL,
                                 f < 4 && (fields & 1u << f) != 0);
                if (f < 4 || !(fields & 1u << f)) {
                    continue;
                }
                const struct protocol_array array =
                    helper_array(chunk, names[f], f == 5 ? PROTOCOL_ARRAY_F64 : PROTOCOL_ARRAY_F32);
                assert_int_equal(array.count, 4 * PARTICLES);
                assert_true(array.type == PROTOCOL_ARRAY_PLAIN || (uintptr_t)array.data % 8 == 0);
                check_rotations(helper, WIRE, &array, f == 5, 0, 1);
                double length = 0;
                for (uint32_t k = 0; k < 4; k++) {
                    length += pow(protocol_array_f64_at(&array, k), 2);
                    assert_true(protocol_array_f64_at(&array, 4 * (PARTICLES - 1) + k) == 0);
                }
                assert_true(fabs(length - 1) < 1e-6);
            }
            free(message);
            helper_forget_unpacked(helper);
        }
    }
    helper_destroy(helper);
}

static void what_has_no_orientations_costs_no_byte(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 120, 1,
                 "sail"); // 14400 particles: with quaternions it would have two chunks
    uint8_t *without, *with;
    size_t size_without, size_with;
    helper_frame_part(helper, frame_of(helper, "'positions'", ""), 0, &without, &size_without);
    const struct base_frame *frame = frame_of(helper, "'positions', 'rotations', 'rotations64'", "");
    assert_int_equal(frame->part_count, 1);
    helper_frame_part(helper, frame, 0, &with, &size_with);
    assert_int_equal(size_with, size_without);
    assert_memory_equal(with, without, size_with);
    free(with);
    free(without);
    helper_destroy(helper);
}

static void every_nth_particle_has_its_own_rotation(void **state)
{
    (void)state;
    struct helper *helper = make();
    const msgpack_object *map = helper_frame_part(
        helper, frame_of(helper, "'rotations', 'rotations64'", ", 'nth': 3"), 0, NULL, NULL);
    assert_int_equal(helper_at(map, "bodies")->via.array.size, 1);
    assert_int_equal(helper_number(map, "bodies.#0.count"), 2);
    const struct protocol_array rotations = helper_array(map, "bodies.#0.rotations", PROTOCOL_ARRAY_F32),
                                exact = helper_array(map, "bodies.#0.rotations64", PROTOCOL_ARRAY_F64);
    assert_int_equal(rotations.count, 8);
    assert_int_equal(exact.count, 8);
    check_rotations(helper, WIRE, &rotations, false, 0, 3);
    check_rotations(helper, WIRE, &exact, true, 0, 3);
    helper_destroy(helper);
}

static void a_long_rod_is_cut_into_parts_with_all_its_rotations(void **state)
{
    (void)state;
    enum { N = 14000, ROOM = 64 * N };
    struct helper *helper = helper_create(NULL);
    char *text = malloc(ROOM);
    assert_non_null(text);
    size_t at = (size_t)snprintf(text, ROOM, "{'world': 1, 'kind': 'rope', 'positions': [");
    for (int i = 0; i < N; i++) { // a helix
        at += (size_t)snprintf(text + at, ROOM - at, "%s%.5f,%.5f,%.5f", i > 0 ? "," : "", cos(0.05 * i),
                               0.0002 * i, sin(0.05 * i));
    }
    snprintf(text + at, ROOM - at, "], 'rod': {'radius': 0.002, 'young': 1e8}}");
    const uint32_t body = (uint32_t)helper_number(helper_call(helper, HELPER_ANN, "body.add", text), "body");
    free(text);
    const struct base_frame *frame = frame_of(helper, "'positions', 'rotations'", "");
    assert_true(frame->part_count >= 2);
    uint32_t next = 0;
    for (uint32_t part = 0; part < frame->part_count; part++) {
        const msgpack_object *map = helper_frame_part(helper, frame, part, NULL, NULL);
        const uint32_t chunks = helper_at(map, "bodies")->via.array.size;
        for (uint32_t c = 0; c < chunks; c++) {
            const msgpack_object *chunk = &helper_at(map, "bodies")->via.array.ptr[c];
            const struct protocol_array array = helper_array(chunk, "rotations", PROTOCOL_ARRAY_F32);
            assert_int_equal(helper_number(chunk, "first"), next);
            assert_int_equal(array.count, 4 * (uint32_t)helper_number(chunk, "count"));
            check_rotations(helper, body, &array, false, next, 1);
            next += array.count / 4;
        }
    }
    assert_int_equal(next, N);
    helper_destroy(helper);
}

static void body_state_tells_rotations_once(void **state)
{
    (void)state;
    struct helper *helper = make();
    const msgpack_object *told = helper_call(
        helper, HELPER_ANN, "body.state", "{'world': 1, 'body': 2, 'fields': ['rotations', 'rotations64']}");
    const struct protocol_array rotations = helper_array(told, "rotations", PROTOCOL_ARRAY_F32),
                                exact = helper_array(told, "rotations64", PROTOCOL_ARRAY_F64);
    assert_int_equal(rotations.count, 4 * PARTICLES);
    assert_int_equal(exact.count, 4 * PARTICLES);
    check_rotations(helper, WIRE, &rotations, false, 0, 1);
    check_rotations(helper, WIRE, &exact, true, 0, 1);
    told = helper_call(helper, HELPER_ANN, "body.state",
                       "{'world': 1, 'body': 1, 'fields': ['rotations', 'rotations64']}");
    assert_int_equal(helper_array(told, "rotations", PROTOCOL_ARRAY_F32).count, 0);
    assert_int_equal(helper_array(told, "rotations64", PROTOCOL_ARRAY_F64).count, 0);
    told = helper_call(helper, HELPER_ANN, "body.state", "{'world': 1, 'body': 2}");
    assert_null(helper_find(told, "rotations"));
    assert_null(helper_find(told, "rotations64"));
    helper_destroy(helper);
}

static void a_sparse_stream_leaves_out_a_rod_that_does_not_turn(void **state)
{
    (void)state;
    struct helper *helper = make();
    helper_call(
        helper, HELPER_ANN, "body.add",
        "{'world': 1, 'kind': 'rope', 'positions': [0,3,0, 0.5,3,0, 1,3,0], 'pins': [0, 1, 2], 'rod': "
        "{'radius': 0.002, 'young': 1e8}}");
    const uint32_t stream = helper_subscribe(helper, "{'world': 1, 'fields': ['rotations'], 'sparse': true}");
    const msgpack_object *map = helper_frame_part(helper, helper_frame(helper, 0, stream), 0, NULL, NULL);
    assert_int_equal(helper_at(map, "bodies")->via.array.size, 2);
    assert_null(helper_find(map, "left_out"));
    helper_forget(helper);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
    helper_turns_until_idle(helper);
    map = helper_frame_part(helper, helper_frame(helper, 0, stream), 0, NULL, NULL);
    assert_int_equal(helper_at(map, "bodies")->via.array.size, 1);
    assert_int_equal(helper_number(map, "bodies.#0.body"), WIRE);
    assert_int_equal(helper_number(map, "left_out"), 1);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_have_rotations_of_bodies_with_orientations_in_every_mode),
        cmocka_unit_test(what_has_no_orientations_costs_no_byte),
        cmocka_unit_test(every_nth_particle_has_its_own_rotation),
        cmocka_unit_test(a_long_rod_is_cut_into_parts_with_all_its_rotations),
        cmocka_unit_test(body_state_tells_rotations_once),
        cmocka_unit_test(a_sparse_stream_leaves_out_a_rod_that_does_not_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
