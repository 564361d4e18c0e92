// Scenes that are refused: the line or field that the words name, and what is not guessed.
#include "helper_scene.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void faults_name_line_or_field(void **state)
{
    (void)state;
    REFUSED(NULL, "", "test.json:1:0: not JSON");
    REFUSED(NULL, "{\n  \"bodies\": [}\n}", "test.json:2:", "not JSON");
    REFUSED(NULL, "{\"a\": 1, \"a\": 2}", "not JSON", "duplicate");
    REFUSED(NULL, "[]", "a scene is a JSON object");
    REFUSED(NULL, "{\"weft\": 2}", "weft: must be 1");
    REFUSED(NULL, "{\"name\": \"\"}", "name: must be");
    REFUSED(NULL, "{\"body\": []}", "there is no field \"body\"", "bodies");
    REFUSED(NULL, "{\"bodies\": {}}", "bodies: must be a list");
    REFUSED(NULL, "{\"bodies\": [1]}", "bodies[0]: must be an object");
    REFUSED(NULL, "{\"bodies\": [{}]}", "bodies[0]: has no mesh");
    REFUSED(NULL, "{\"bodies\": [{\"gird\": {}}]}", "bodies[0]: there is no field \"gird\"", "grid");
    REFUSED(NULL, "{\"bodies\": [{\"grid\": {\"cells\": [1, 1]}, \"rope\": {}}]}", "grid and rope");
    REFUSED(NULL, "{\"bodies\": [{\"grid\": {\"cells\": [1, 1]}, \"triangles\": []}]}", "grid and triangles");
    REFUSED(NULL, "{\"bodies\": [{\"grid\": {}}]}", "bodies[0].grid.cells: must be");
    REFUSED(NULL, "{\"bodies\": [{\"grid\": {\"cells\": [1, 0]}}]}", "bodies[0].grid.cells: must be");
    REFUSED(NULL, "{\"bodies\": [{\"grid\": {\"cells\": [1, 1], \"size\": [1]}}]}",
            "bodies[0].grid.size: must be");
    REFUSED(NULL, "{\"bodies\": [{\"box\": {\"cells\": [128, 128, 1000]}}]}", "bodies[0].box.cells");
    REFUSED(NULL, "{\"bodies\": [{\"grid\": {\"cells\": [2048, 2048]}}]}",
            "bodies[0].grid: would have 4198401");
    REFUSED(NULL, "{\"bodies\": [{\"grid\": {\"cells\": [1, 1]}, \"kind\": \"soft\"}]}",
            "does not make a soft");
    REFUSED(NULL, "{\"bodies\": [{\"positions\": [0, 0, 0]}]}", "kind is missing");
    REFUSED(NULL, "{\"bodies\": [{\"kind\": \"points\", \"positions\": [0, 0]}]}",
            "bodies[0].positions: 2 numbers");
    REFUSED(NULL, "{\"bodies\": [{\"kind\": \"points\", \"positions\": [0, \"x\", 1]}]}",
            "element 1 is no number");
    REFUSED(NULL, "{\"bodies\": [{\"kind\": \"points\", \"positions\": [[[0], 0, 0]]}]}",
            "element 0 is no number");
    REFUSED(NULL, "{\"bodies\": [{\"kind\": \"points\", \"positions\": [], \"pins\": [0]}]}", "no particles");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {\"segments\": 2}, \"pins\": [3]}]}",
            "bodies[0].pins[0]: must be");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"pins\": \"top\"}]}", "bodies[0].pins: \"top\"", "top edge");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"pins\": \"corners\"}]}", "of grids");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"pins\": \"rim\"}]}", "triangles");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"pins\": {\"box\": [1]}}]}",
            "pins.box: must be two corners");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"material\": \"cotton\"}]}", "bodies[0].material");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"scale\": 0}]}", "bodies[0].scale: must be");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"turn\": {\"axis\": [0, 0, 0], \"degrees\": 1}}]}",
            "bodies[0].turn.axis: its length");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"turn\": {}, \"rotation\": []}]}", "both rotation and turn");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"state\": {}, \"position\": [0, 0, 0]}]}",
            "bodies[0]: has a state");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"stretch\": {\"compliance\": -1}}]}",
            "bodies[0].stretch.compliance", "below 0");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"stretch\": {\"kompliance\": 1}}]}",
            "bodies[0].stretch.kompliance");
    REFUSED(NULL, "{\"settings\": {\"substeps\": 0}}", "settings.substeps", "below 1");
    REFUSED(NULL, "{\"colliders\": [{\"kind\": \"cone\"}]}", "colliders[0].kind", "sphere");
    REFUSED(NULL, "{\"colliders\": [{\"kind\": \"convex\", \"points\": [1, 2]}]}", "colliders[0].points");
    REFUSED(NULL, "{\"colliders\": [{\"kind\": \"height_field\", \"columns\": 1}]}", "colliders[0].columns");
    REFUSED(NULL, "{\"colliders\": [{\"kind\": \"box\", \"turn\": 1}]}", "colliders[0].turn");
    REFUSED(NULL, "{\"constraints\": [{\"join\": {\"from\": {\"body\": \"a\"}}}]}",
            "constraints[0].join.from.body: there is no body \"a\"");
    REFUSED(NULL,
            "{\"bodies\": [{\"rope\": {}, \"name\": \"a\"}], \"constraints\": [{\"join\": {\"from\": "
            "{\"body\": \"a\"},"
            " \"to\": {\"body\": \"a\"}}}]}",
            "constraints[0].join: from must name particles");
    REFUSED(NULL, "{\"constraints\": [{\"rail\": {}, \"weld\": {}}]}",
            "constraints[0]: has a rail and a weld");
    REFUSED(NULL, "{\"constraints\": [{\"rail\": {}}]}", "type must be slide_rail");
    REFUSED(NULL, "{\"constraints\": [{\"weld\": {}, \"type\": \"join\"}]}", "type must be distance");
    REFUSED(NULL, "{\"constraints\": [{\"weld\": {}, \"particles\": [0, 1]}]}", "has a weld: body, bodies");
    REFUSED(
        NULL,
        "{\"bodies\": [{\"rope\": {}, \"name\": \"a\"}, {\"rope\": {}, \"name\": \"b\"}], \"constraints\": "
        "[{\"weld\": {\"from\": {\"body\": \"a\", \"particles\": [0]}, \"to\": {\"body\": \"b\"}}}]}",
        "constraints[0].weld: to must have three particles");
    REFUSED(
        NULL,
        "{\"bodies\": [{\"rope\": {}, \"name\": \"a\"}, {\"rope\": {}, \"name\": \"b\"}], \"constraints\": "
        "[{\"type\": \"slide_rail\", \"rail\": {\"from\": {\"body\": \"a\", \"particles\": [0]}, \"to\": "
        "{\"body\": \"b\", \"particles\": [0, 2]}}}]}",
        "constraints[0].rail: from must name particles");
    REFUSED(NULL,
            "{\"bodies\": [{\"rope\": {}, \"name\": \"a\", \"weld\": 0.1}], \"motions\": [{\"body\": \"a\","
            " \"particles\": \"ends\", \"times\": [0], \"offsets\": [0, 0, 0]}]}",
            "motions[0].particles: welding");
    REFUSED(NULL, "{\"motions\": [{\"particles\": [0], \"times\": [0], \"offsets\": [0, 0, 0]}]}",
            "motions[0].body: is missing");
    REFUSED(NULL, "{\"motions\": [{\"times\": [0], \"offsets\": [0, 0]}]}", "motions[0].offsets",
            "multiple of 3");
}

// Inputs that would have been read as something else than was meant.
static void nothing_is_guessed(void **state)
{
    (void)state;
    REFUSED(NULL, "{\"bodies\": [{\"grid\": {\"cells\": [1, 1], \"upright\": 1}}]}",
            "grid.upright: must be true");
    REFUSED(NULL, "{\"bodies\": [{\"grid\": {\"cells\": [1, 1], \"size\": [1, 0]}}]}", "grid.size: must be");
    REFUSED(NULL, "{\"bodies\": [{\"box\": {\"cells\": [1, 1, 1], \"size\": [1, 1, -1]}}]}",
            "box.size: must be");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {\"to\": [0, -1e300, 0]}}]}", "rope.to: must be", "1e+09");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"name\": null}]}", "bodies[0].name: must be a string");
    REFUSED(NULL, "{\"settings\": {\"gravity\": [[0, 0, 0]]}}", "settings.gravity: must be a list of 3");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"velocities\": true}]}",
            "bodies[0].velocities: must be a list of numbers");
    REFUSED(NULL, "{\"constraints\": [{\"type\": \"volume\"}]}", "constraints[0]: has no particles");
    REFUSED(NULL,
            "{\"motions\": [{\"body\": 7, \"particles\": [0], \"times\": [0], \"offsets\": [0, 0, 0]}]}",
            "motions[0].body: there is no body 7");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"pins\": {\"sphere\": {\"centre\": [0, 0, 0]}}}]}",
            "bodies[0].pins.sphere: there is no field \"centre\"");
    REFUSED(NULL, "{\"bodies\": [{\"rope\": {}, \"pins\": {\"zz\": 1}}]}",
            "bodies[0].pins: there is no field");
    // Rows that are too short would move all that follows by one.
    REFUSED(NULL, "{\"bodies\": [{\"kind\": \"points\", \"positions\": [[0, 0], [1, 0], [1, 1]]}]}",
            "bodies[0].positions: row 0 has 2 numbers; must have 3");
    REFUSED(NULL, "{\"bodies\": [{\"kind\": \"points\", \"positions\": [[0, 0, 0], []]}]}",
            "bodies[0].positions: row 1 has 0 numbers");
    REFUSED(NULL, "{\"bodies\": [{\"kind\": \"points\", \"positions\": [[0, 0, 0], 1, 0, 0]}]}",
            "element 1 is no list");
    REFUSED(NULL, "{\"bodies\": [{\"positions\": [0, 0, 0, 1, 0, 0], \"edges\": [[0], [1]]}]}",
            "bodies[0].edges: row 0 has 1 numbers; must have 2");
    // Many bodies are no way around the limit of one.
    REFUSED(NULL,
            "{\"bodies\": [{\"grid\": {\"cells\": [1500, 1500]}}, {\"grid\": {\"cells\": [1500, 1500]}}]}",
            "bodies[1].grid: would have 4506002 particles with those before it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_name_line_or_field),
        cmocka_unit_test(nothing_is_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
