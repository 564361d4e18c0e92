// Scenes with one value of another kind than it should be, each in turn: every one is refused with words that name the
// place and the field, and nothing breaks. The scenes are the gallery's, and one that uses all there is.
#include "helper_scene.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PATH_MAX_BYTES = 256 };

struct walk {
    json_t *root;
    const char *file;
    uint32_t tried;
};

// The place of a value, which errors must name.
struct place {
    char thing[PATH_MAX_BYTES]; // bodies[2]; empty outside of the lists
    const char *field;          // the last member on the way
};

static void refused(struct walk *walk, const struct place *place, const char *what)
{
    struct scene scene;
    struct fault fault = {0};
    char *text = json_dumps(walk->root, 0), folder[PATH_MAX_BYTES];
    assert_non_null(text);
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(walk->file, '/') - walk->file), walk->file);
    walk->tried++;
    if (scene_parse(walk->file, folder, text, strlen(text), &scene, &fault)) {
        scene_deinit(&scene);
        fail_msg("%s: %s %s: %s was taken", walk->file, place->thing, place->field, what);
    }
    if (!strstr(fault.text, place->thing) || !strstr(fault.text, place->field)) {
        fail_msg("%s: %s %s: %s: not named in: %s", walk->file, place->thing, place->field, what, fault.text);
    }
    free(text);
}

static bool is_free_text(const char *field)
{
    return strcmp(field, "name") == 0 || strcmp(field, "about") == 0;
}

// One value after another that no field takes, instead of what `old` is.
static void try_all(struct walk *walk, const struct place *place, json_t *container, const char *key,
                    size_t index, json_t *old)
{
    json_t *wrong[] = {json_pack("{s:i}", "zz", 1), json_pack("[[[i]]]", 1),
                       json_is_boolean(old) ? NULL : json_true(),
                       is_free_text(place->field) ? NULL : json_string("no such thing"),
                       json_is_number(old) ? json_string("\xc3\xa9") : NULL};
    json_incref(old);
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
        if (!wrong[w]) {
            continue;
        }
        char what[64];
        snprintf(what, sizeof what, "wrong value %zu", w);
        assert_int_equal(key ? json_object_set_new(container, key, wrong[w])
                             : json_array_set_new(container, index, wrong[w]),
                         0);
        refused(walk, place, what);
    }
    assert_int_equal(
        key ? json_object_set_new(container, key, old) : json_array_set_new(container, index, old), 0);
}

static void walk_value(struct walk *walk, const struct place *place, json_t *value, int depth);

static void walk_object(struct walk *walk, const struct place *place, json_t *object, int depth)
{
    // Members are set on the way, so that their names are taken first.
    const char *names[64];
    size_t count = 0;
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        assert_true(count < sizeof names / sizeof names[0]);
        names[count++] = name;
    }
    for (size_t i = 0; i < count; i++) {
        struct place inner = *place;
        inner.field = names[i];
        if (strcmp(names[i], "$schema") == 0) {
            continue;
        }
        try_all(walk, &inner, object, names[i], 0, json_object_get(object, names[i]));
        walk_value(walk, &inner, json_object_get(object, names[i]), depth + 1);
    }
    json_object_set_new(object, "zz", json_integer(1));
    struct place unknown = *place;
    unknown.field = "zz";
    refused(walk, &unknown, "unknown field");
    json_object_del(object, "zz");
}

static void walk_list(struct walk *walk, const struct place *place, json_t *list, int depth)
{
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count; i++) {
        struct place inner = *place;
        json_t *item = json_array_get(list, i);
        if (json_is_number(item) && i > 0 && i + 1 < count) {
            continue; // the first and the last stand for the rest
        }
        if (depth == 1) {
            snprintf(inner.thing, sizeof inner.thing, "%s[%zu]", place->field, i);
        }
        try_all(walk, &inner, list, NULL, i, item);
        walk_value(walk, &inner, json_array_get(list, i), depth + 1);
    }
}

static void walk_value(struct walk *walk, const struct place *place, json_t *value, int depth)
{
    if (json_is_object(value)) {
        walk_object(walk, place, value, depth);
    } else if (json_is_array(value)) {
        walk_list(walk, place, value, depth);
    }
}

static void walk_file(const char *file, uint32_t least)
{
    json_error_t where;
    struct walk walk = {.root = json_load_file(file, JSON_REJECT_DUPLICATES, &where), .file = file};
    struct place place = {.field = ""};
    struct scene scene;
    struct fault fault;
    if (!walk.root) {
        fail_msg("%s:%d: %s", file, where.line, where.text);
    }
    if (!scene_read(file, &scene, &fault)) {
        fail_msg("%s", fault.text);
    }
    scene_deinit(&scene);
    walk_value(&walk, &place, walk.root, 0);
    assert_true(walk.tried > least);
    json_decref(walk.root);
}

static void in_the_gallery(void **state)
{
    (void)state;
    static const char *const names[] = {"banner", "bridge", "cloths",     "curtain", "flag",      "hammock",
                                        "jelly",  "statue", "tablecloth", "towel",   "trampoline"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char file[PATH_MAX_BYTES];
        snprintf(file, sizeof file, "clients/scenes/%s.json", names[i]);
        walk_file(file, 80);
    }
}

static void in_a_scene_of_everything(void **state)
{
    (void)state;
    walk_file("tests/scenes/everything.json", 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_gallery),
        cmocka_unit_test(in_a_scene_of_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
