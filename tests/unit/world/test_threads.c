// Two threads, as in the server: one posts and takes, one runs the turns.
#include "helper_world.h"

#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>

struct runner {
    struct world *world;
    atomic_bool stop;
};

static void run(void *context)
{
    struct runner *runner = context;
    while (!atomic_load(&runner->stop)) {
        world_turn(runner->world, base_now_ns());
    }
}

// So that the cloth hangs together however the ticks fall between the edits.
static void weightless(struct protocol_world_create_params *settings)
{
    settings->gravity[1] = 0;
}

enum { EDITS = 400, VISITORS = 40, REQUESTS_OF_A_VISITOR = 3 };

// Somebody comes, takes hold of the cloth, looks on and is gone, while what was asked for is still under way. How many
// requests that were.
static uint32_t visit(struct helper *helper, uint32_t session)
{
    uint32_t posted = 0;
    posted += helper_post(helper, session, "world.join", "{'world': 1}") != 0;
    posted += helper_post(helper, session, "grab.begin", "{'world': 1, 'body': 1, 'particle': 3}") != 0;
    helper->stream = session;
    posted += helper_post(helper, session, "stream.subscribe", "{'world': 1}") != 0;
    world_post_gone(helper->world, session);
    return posted;
}

static void requests_and_frames_cross_between_threads(void **state)
{
    (void)state;
    struct helper *helper = helper_create(weightless);
    // Calls back from the other thread would touch the helper.
    helper->world->hooks.on_output = NULL;
    helper_cloth(helper, HELPER_ANN, 8, 1, "sail");
    helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    helper_call(helper, HELPER_ANN, "stream.subscribe", "{'world': 1, 'unit': 'substep'}");
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1, 'rate': 0}");
    helper_forget(helper);

    struct runner runner = {.world = helper->world};
    struct base_thread thread;
    assert_true(base_thread_start(&thread, "turns", run, &runner));
    uint32_t posted = 0, visitors = 0, answered = 0, edited = 0, frames = 0;
    while (posted < EDITS || answered < EDITS + visitors * REQUESTS_OF_A_VISITOR || edited < EDITS ||
           frames < 100) {
        struct world_event *event;
        struct world_face face;
        if (posted < EDITS &&
            helper_post(helper, HELPER_ANN, "particle.set",
                        "{'world': 1, 'body': 1, 'particles': [0], 'positions': [0, 1, 0]}") != 0) {
            posted++;
        }
        if (visitors < VISITORS && posted >= (visitors + 1) * (EDITS / VISITORS)) {
            assert_int_equal(visit(helper, 1000 + visitors), REQUESTS_OF_A_VISITOR);
            visitors++;
        }
        while ((event = world_take(helper->world)) != NULL) {
            answered += event->kind == WORLD_REPLY ? 1 : 0;
            edited += event->kind == WORLD_NOTICE ? 1 : 0;
            for (uint32_t b = 0; b < event->batch_count; b++) {
                frames += event->batches[b]->frame_count;
                // Read what the other thread wrote.
                assert_int_equal(event->batches[b]->frames[0]->parts[0].buffers[0]->data[0], 0xa5);
            }
            world_event_destroy(event);
        }
        world_face(helper->world, &face);
        assert_true(face.revision <= 1 + posted);
    }
    assert_int_equal(visitors, VISITORS);
    assert_int_equal(edited, EDITS);
    atomic_store(&runner.stop, true);
    base_thread_join(&thread);
    assert_int_equal(helper->world->document->revision, EDITS + 1);
    // Nothing is left of the threads that are gone.
    helper_turn(helper);
    assert_int_equal(helper->world->people->member_count, 1);
    assert_int_equal(helper->world->frames->streams.count, 1);
    assert_int_equal(sim_grab_count(helper->world->document->sim), 0);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_and_frames_cross_between_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
