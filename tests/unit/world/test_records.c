// A world's past is the list of its records: random programs, live with several sessions, and again from records alone: from
// the start and from an image in the middle, with every instruction set of this machine and several threads.
#include "helper_program.h"
#include "helper_replay.h"

#include "protocol/params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    EDITS = PROGRAM_EDITS,
    LARGE_EVERY = 20, // programs begin with a cloth that threads share
    LARGE = 65,       // particles across
    GOLDEN_PROGRAMS = 20,
};

// The result of every build: all hashes of the first programs, folded.
static const uint64_t golden = UINT64_C(0x370ebb96d274b794);

// ---------------------------------------------------------------------------------------------------------
// Live

struct past {
    struct replay replay;
    struct document *middle; // made of an image
    uint64_t middle_sequence;
};

static struct document *copy_of(const struct document *document)
{
    struct protocol_bytes bytes = {0};
    struct protocol_error error = {0};
    assert_true(document_image_pack(document, &bytes));
    struct document *copy = document_image_read(bytes.data, bytes.size, &error);
    protocol_bytes_deinit(&bytes);
    assert_non_null(copy);
    return copy;
}

static void live(struct helper *helper, struct past *past, bool streams)
{
    const uint32_t middle = program_below(EDITS);
    if (streams) {
        helper->stream = 1;
        helper_call(helper, HELPER_EVE, "stream.subscribe",
                    "{'world': 1, 'fields': ['positions', 'grabs'], 'every': 1}");
        helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    }
    for (uint32_t i = 0; i < EDITS; i++) {
        struct program_input input;
        helper_choose(helper->world->document->sim, &input);
        helper_post(helper, program_below(2) ? HELPER_ANN : HELPER_BOB, input.method, input.notation);
        helper_turn(helper);
        if (program_below(16) == 0) {
            world_post_gone(helper->world, HELPER_BOB);
            helper_turn(helper);
        }
        for (uint32_t ticks = program_below(4); ticks > 0; ticks--) {
            replay_step(helper, &past->replay);
        }
        const struct document *document = helper->world->document;
        if (i >= middle && !past->middle && !document->failed) {
            past->middle = copy_of(document);
            past->middle_sequence = helper->world->keep->records.next;
        }
        helper_forget(helper);
    }
    past->replay.last = document_hash(helper->world->document);
}

// ---------------------------------------------------------------------------------------------------------
// Again

// The instruction sets that this machine has, one after the other.
static enum sim_isa isa_of(uint32_t program)
{
    enum sim_isa isa = (enum sim_isa)(program % SIM_ISA_COUNT);
    while (!sim_isa_available(isa)) {
        isa = (enum sim_isa)((isa + 1) % SIM_ISA_COUNT);
    }
    return isa;
}

static uint64_t fold(uint64_t sum, const struct past *past, uint64_t ticks)
{
    for (uint64_t tick = 0; tick < ticks; tick++) {
        sum = (sum ^ past->replay.hashes[tick]) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return (sum ^ past->replay.last) * UINT64_C(0x9E3779B97F4A7C15);
}

static void a_world_is_the_list_of_its_records(void **state)
{
    (void)state;
    const uint32_t programs = program_count();
    const enum sim_isa chosen = sim_isa_chosen();
    struct base_team *team = base_team_create(3);
    uint64_t records = 0, sum = 0;
    uint32_t middles = 0;
    assert_non_null(team);
    for (uint32_t program = 0; program < programs; program++) {
        struct past past = {0};
        program_begin(program);
        // The golden ones begin without long edges, sleep and calm bodies, and with swept bending. Half of the others have what a new world has.
        const bool plain = program < GOLDEN_PROGRAMS || program % 4 < 2;
        struct helper *helper = helper_create(plain ? helper_edge_by_edge : NULL);
        struct protocol_world_create_params settings;
        document_settings(helper->world->document, &settings);
        if (program % LARGE_EVERY == LARGE_EVERY - 1) {
            helper_cloth(helper, HELPER_ANN, LARGE, 1, "large");
        }
        live(helper, &past, program % 2 == 1);
        sim_isa_choose(isa_of(program));
        struct document *document = document_create(&settings);
        replay_check(&past.replay, helper, document, 0, base_team_parallel(team));
        document_destroy(document);
        sim_isa_choose(chosen);
        if (past.middle) {
            replay_check(&past.replay, helper, past.middle, past.middle_sequence, NULL);
            document_destroy(past.middle);
            middles++;
        }
        sum = program < GOLDEN_PROGRAMS ? fold(sum, &past, helper->world->document->tick) : sum;
        records += helper->world->keep->records.next;
        helper_destroy(helper);
    }
    base_team_destroy(team);
    // Most of what was asked for was done, or this says little.
    assert_true(records > (uint64_t)programs * EDITS / 3);
    assert_true(middles > programs / 4);
    if (programs >= GOLDEN_PROGRAMS && sum != golden) {
        fail_msg("the hashes come to %#llx", (unsigned long long)sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_is_the_list_of_its_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
