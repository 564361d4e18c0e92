// make_folder DIR lies | other | older: a folder with a past that no server would leave, for tests of whole programs. In one a
// mark at tick 10 tells a hash that is not so; the other was another solver's from tick 3 to 8, the older one from tick 3 to its
// end at tick 20, with its last image at tick 8 and an edit at tick 12.
#include "helper_past.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *folder, *kind;

static void make(void **state)
{
    (void)state;
    struct story story;
    story_begin_in(&story, folder, NULL);
    story_tell(&story, "body.add",
               "{'world': 1, 'kind': 'rope', 'positions': [0,1,0, 0.1,1,0, 0.2,1,0], 'pins': [0]}");
    story_ticks(&story, 3);
    if (strcmp(kind, "other") == 0) {
        story.maker = 77;
        story_begin_again(&story);
        story_ticks(&story, 5);
        story_image(&story);
        story.maker = sim_solver_version();
        story_begin_again(&story);
        story_ticks(&story, 2);
    } else if (strcmp(kind, "older") == 0) {
        story.maker = 77;
        story_begin_again(&story);
        story_ticks(&story, 5);
        story_image(&story);
        story_ticks(&story, 4);
        story_tell(&story, "body.set", "{'world': 1, 'body': 1, 'name': 'cord'}");
        story_ticks(&story, 3);
        story.lies = true;
        story_mark(&story, PAST_MARK_PLAYING);
        story.lies = true;
    } else {
        story_mark(&story, PAST_MARK_TICKS);
        story_ticks(&story, 7);
        story.lies = true;
    }
    story_mark(&story, PAST_MARK_TICKS);
    story_ticks(&story, 5);
    story.lies = strcmp(kind, "older") == 0;
    story_mark(&story, PAST_MARK_TICKS);
    story_settle(&story);
    story_end(&story);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(make)};
    if (argc != 3) {
        return 2;
    }
    folder = argv[1];
    kind = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
