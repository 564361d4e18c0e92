// A world's past is the list of its records: random programs, live with several sessions, and again from records alone.
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

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { PROGRAMS = 20 };
#else
enum { PROGRAMS = 200 };
#endif
enum { EDITS = 60, TICKS_MAX = 512, HASHES_MAX = 1024 };

// ---------------------------------------------------------------------------------------------------------
// Random inputs: most make sense, some are refused, which must leave no trace

static uint64_t seed;

static uint32_t below(uint32_t count)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 33) % count;
}

static double number(double from, double to)
{
    return from + (to - from) * below(1 << 20) / (1 << 20);
}

struct input {
    const char *method;
    char notation[1024];
};

static void say(struct input *input, const char *method, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(struct input *input, const char *method, const char *format, ...)
{
    va_list arguments;
    input->method = method;
    va_start(arguments, format);
    vsnprintf(input->notation, sizeof input->notation, format, arguments);
    va_end(arguments);
}

static void add_body(struct input *input)
{
    static const char *const materials[] = {"", ", 'stretch': {'compliance': 1e-5}",
                                            ", 'stretch': {'stiffness': 0.5}",
                                            ", 'stretch': {'compliance': 1e-4, 'damping': 2}"};
    static const char *const bends[] = {"", ", 'bend': {'model': 'dihedral', 'compliance': 0.1}",
                                        ", 'bend': {'model': 'isometric'}",
                                        ", 'bend': {'model': 'quadratic'}"};
    const char *material = materials[below(4)];
    double y = number(0, 2);
    switch (below(4)) {
    case 0:
        say(input, "body.add",
            "{'world': 1, 'kind': 'cloth', 'positions': [0,%g,0, 0.1,%g,0, 0,%g,0.1, 0.1,%g,0.1, 0,%g,0.2, "
            "0.1,%g,0.2],"
            " 'triangles': [0,2,1, 1,2,3, 2,4,3, 3,4,5], 'pins': [%u]%s%s}",
            y, y, y, y, y, y, below(6), material, bends[below(4)]);
        return;
    case 1:
        say(input, "body.add",
            "{'world': 1, 'kind': 'soft', 'positions': [0,%g,0, 0.2,%g,0, 0,%g,0, 0,%g,0.2], 'tets': "
            "[0,1,2,3],"
            " 'volume': {'compliance': 0.001}%s}",
            y, y, y + 0.2, y, material);
        return;
    case 2:
        say(input, "body.add",
            "{'world': 1, 'kind': 'rope', 'positions': [0,%g,0, 0.1,%g,0, 0.2,%g,0], 'pins': [0]%s}", y, y, y,
            material);
        return;
    default:
        say(input, "body.add",
            "{'world': 1, 'kind': 'points', 'positions': [%g,%g,0, 0,%g,1], 'masses': 1%s}", number(-1, 1), y,
            y, below(4) == 0 ? ", 'name': 'dust'" : "");
    }
}

static void add_collider(struct input *input)
{
    static const char *const kinds[] = {"'plane'", "'sphere', 'radius': 0.3",
                                        "'capsule', 'radius': 0.1, 'length': 0.5",
                                        "'box', 'half_extents': [0.2, 0.1, 0.3]"};
    say(input, "collider.add", "{'world': 1, 'kind': %s, 'position': [%g, %g, 0]}", kinds[below(4)],
        number(-0.5, 0.5), number(-1, 0.5));
}

static void edit_world(struct input *input)
{
    switch (below(5)) {
    case 0:
        say(input, "world.set", "{'world': 1, 'gravity': [%g, -9, 0], 'name': 'n%u'}", number(-1, 1),
            below(9));
        return;
    case 1:
        say(input, "world.set", "{'world': 'flag', 'substeps': %u, 'iterations': %u}", 1 + below(6),
            1 + below(3));
        return;
    case 2:
        say(input, "world.set", "{'world': 1, 'damping': %g, 'wind': {'velocity': [%g, 0, 1]}}", number(0, 2),
            number(0, 5));
        return;
    case 3:
        say(input, "world.set", "{'world': 1, 'extent': %g}", number(50, 100));
        return;
    default:
        say(input, "world.reset", "{'world': 1}");
    }
}

static void edit_body(struct input *input, uint32_t body)
{
    switch (below(7)) {
    case 0:
        say(input, "body.remove", "{'world': 1, 'body': %u}", body);
        return;
    case 1:
        say(input, "body.set", "{'world': 1, 'body': %u, 'stretch': {'compliance': %g}, 'thickness': 0.01}",
            body, number(0, 1e-3));
        return;
    case 2:
        say(input, "body.set", "{'world': 1, 'body': 'dust', 'name': 'dirt'}");
        return;
    case 3:
        say(input, "particle.set", "{'world': 1, 'body': %u, 'particles': [1], 'positions': [%g, %g, 0]}",
            body, number(-1, 1), number(0, 2));
        return;
    case 4:
        say(input, "particle.set",
            "{'world': 1, 'body': %u, 'particles': [0, 1], 'velocities': [0,1,0, %g,0,0],"
            " 'inverse_masses': [%g, 2]}",
            body, number(-2, 2), number(0, 3));
        return;
    case 5:
        say(input, "particle.pin", "{'world': 1, 'body': %u, 'particles': [1]%s}", body,
            below(2) ? ", 'positions': [0.1, 1, 0.1]" : "");
        return;
    default:
        say(input, "particle.unpin", "{'world': 1, 'body': %u, 'particles': [%u]}", body, below(2));
    }
}

static void edit_constraints(struct input *input, uint32_t body, uint32_t constraint)
{
    switch (below(5)) {
    case 0:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'distance', 'bodies': [%u, %u], 'particles': [0, 1],"
            " 'compliance': %g}",
            body, 1 + below(6), number(0, 1e-2));
        return;
    case 1:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'dihedral', 'body': %u, 'particles': [0, 1, 2, 3]}", body);
        return;
    case 2:
        say(input, "constraint.set", "{'world': 1, 'constraints': [%u], 'compliance': %g, 'rest': 0.12}",
            constraint, number(0, 1e-2));
        return;
    case 3:
        say(input, "constraint.set", "{'world': 1, 'constraints': [%u, %u], 'stiffness': [0.3, 0.9]}",
            constraint, constraint + 1);
        return;
    default:
        say(input, "constraint.remove", "{'world': 1, 'constraints': [%u]}", constraint);
    }
}

static void hold(struct input *input, uint32_t body, uint32_t grab)
{
    switch (below(3)) {
    case 0:
        say(input, "grab.begin", "{'world': 1, 'body': %u, 'particle': %u, 'target': [%g, 1, 0]}", body,
            below(3), number(-1, 1));
        return;
    case 1:
        say(input, "grab.move", "{'world': 1, 'grab': %u, 'target': [0, %g, 1]}", grab, number(0, 3));
        return;
    default:
        say(input, "grab.end", "{'world': 1, 'grab': %u}", grab);
    }
}

static void move(struct input *input, uint32_t body, uint32_t collider)
{
    switch (below(5)) {
    case 0:
        say(input, "motion.add",
            "{'world': 1, 'collider': %u, 'times': [0, 0.1, 0.3], 'loop': true,"
            " 'offsets': [0,0,0, 0,%g,0, 0,0,0]}",
            collider, number(0, 0.5));
        return;
    case 1:
        say(input, "motion.add",
            "{'world': 1, 'body': %u, 'particles': [0], 'times': [0, 0.2],"
            " 'offsets': [0,0,0, %g,0,0]}",
            body, number(-0.5, 0.5));
        return;
    case 2:
        say(input, "motion.remove", "{'world': 1, 'motion': %u}", 1 + below(4));
        return;
    case 3:
        say(input, "collider.remove", "{'world': 1, 'collider': %u}", collider);
        return;
    default:
        say(input, "collider.set", "{'world': 1, 'collider': %u, 'position': [0, %g, 0], 'friction': 0.4}",
            collider, number(-1, 0));
    }
}

static void choose(struct input *input)
{
    switch (below(9)) {
    case 0:
    case 1:
        add_body(input);
        return;
    case 2:
        add_collider(input);
        return;
    case 3:
        edit_world(input);
        return;
    case 4:
    case 5:
        edit_body(input, 1 + below(8));
        return;
    case 6:
        edit_constraints(input, 1 + below(8), 1 + below(60));
        return;
    case 7:
        hold(input, 1 + below(8), 1 + below(6));
        return;
    default:
        move(input, 1 + below(8), 1 + below(4));
    }
}

// ---------------------------------------------------------------------------------------------------------
// Live

struct past {
    uint64_t hashes[TICKS_MAX]; // at the boundary of each tick, after what applied there
    uint64_t last;
    struct document *middle; // as it was saved somewhere, while nobody held anything
    uint64_t middle_sequence;
};

static struct document *copy_of(const struct document *document)
{
    struct protocol_bytes bytes = {0};
    struct protocol_error error = {0};
    assert_true(document_pack(document, &bytes));
    struct document *copy = document_from(bytes.data, bytes.size, &error);
    protocol_bytes_deinit(&bytes);
    assert_non_null(copy);
    return copy;
}

static void step(struct helper *helper, struct past *past)
{
    const struct document *document = helper->world->document;
    past->hashes[document->tick] = document_hash(document);
    if (helper->world->state != WORLD_FAILED && document->tick + 1 < TICKS_MAX) {
        helper_post(helper, HELPER_EVE, "world.step", "{'world': 1, 'ticks': 1}");
        helper_turns(helper, 2);
    }
}

static void live(struct helper *helper, struct past *past, bool streams)
{
    const uint32_t middle = below(EDITS);
    if (streams) {
        helper->stream = 1;
        helper_call(helper, HELPER_EVE, "stream.subscribe",
                    "{'world': 1, 'fields': ['positions', 'grabs'], 'every': 1}");
        helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    }
    for (uint32_t i = 0; i < EDITS; i++) {
        struct input input;
        choose(&input);
        helper_post(helper, below(2) ? HELPER_ANN : HELPER_BOB, input.method, input.notation);
        helper_turn(helper);
        if (below(16) == 0) {
            world_post_gone(helper->world, HELPER_BOB);
            helper_turn(helper);
        }
        for (uint32_t ticks = below(4); ticks > 0; ticks--) {
            step(helper, past);
        }
        const struct document *document = helper->world->document;
        if (i >= middle && !past->middle && sim_grab_count(document->sim) == 0 && !document->failed) {
            past->middle = copy_of(document);
            past->middle->revision = document->revision; // which no document says
            past->middle_sequence = helper->world->records.next;
        }
        helper_forget(helper);
    }
    past->last = document_hash(helper->world->document);
}

// ---------------------------------------------------------------------------------------------------------
// Again

static void tick_on(struct document *document, const struct past *past, uint64_t tick)
{
    while (document->tick < tick) {
        assert_true(document_hash(document) == past->hashes[document->tick]);
        document_step(document, NULL, NULL);
    }
}

static void replay(struct document *document, const struct helper *helper, const struct past *past,
                   uint64_t after)
{
    const struct world_records *records = &helper->world->records;
    assert_int_equal(records->first, 0);
    for (uint64_t i = after; i < records->next; i++) {
        const struct world_record *bytes = &records->items[i % records->capacity];
        struct document_record record;
        struct protocol_error error = {0};
        msgpack_zone zone;
        msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
        if (!document_record_read(bytes->bytes, bytes->size, &zone, &record, &error)) {
            fail_msg("record %llu: %s", (unsigned long long)i + 1, error.text);
        }
        assert_int_equal(record.sequence, i + 1);
        tick_on(document, past, record.tick);
        if (!document_replay(document, &record, &zone, &error)) {
            fail_msg("record %llu (%s): %s", (unsigned long long)i + 1, protocol_methods[record.method].name,
                     error.text);
        }
        assert_int_equal(protocol_methods[record.method].class_ == PROTOCOL_CLASS_EDIT ? document->revision
                                                                                       : 0,
                         protocol_methods[record.method].class_ == PROTOCOL_CLASS_EDIT ? record.revision : 0);
        msgpack_zone_destroy(&zone);
    }
    tick_on(document, past, helper->world->document->tick);
    assert_true(document_hash(document) == past->last);
}

static void a_world_is_the_list_of_its_records(void **state)
{
    (void)state;
    const char *asked = getenv("WEFT_PROGRAMS");
    const uint32_t programs = asked ? (uint32_t)strtoul(asked, NULL, 10) : PROGRAMS;
    uint64_t records = 0;
    uint32_t middles = 0;
    for (uint32_t program = 0; program < programs; program++) {
        struct past past = {0};
        seed = 88172645463325252u + program;
        struct helper *helper = helper_create(NULL);
        struct protocol_world_create_params settings;
        document_settings(helper->world->document, &settings);
        live(helper, &past, program % 2 == 1);
        struct document *document = document_create(&settings);
        replay(document, helper, &past, 0);
        document_destroy(document);
        if (past.middle) {
            replay(past.middle, helper, &past, past.middle_sequence);
            document_destroy(past.middle);
            middles++;
        }
        records += helper->world->records.next;
        helper_destroy(helper);
    }
    // Most of what was asked for was done, or this says little.
    assert_true(records > (uint64_t)programs * EDITS / 3);
    assert_true(middles > programs / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_is_the_list_of_its_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
