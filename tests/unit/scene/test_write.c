// Documents written and read again: the same numbers, arrays beside the scene, and what becomes of those of before.
#include "helper_scene.h"

#include "protocol/params.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// A document of one body whose positions are numbers that are hard to write, and its bytes as a map.
struct made {
    msgpack_sbuffer buffer;
    msgpack_zone zone;
    msgpack_object map;
    double *positions;
    float *velocities;
    uint32_t count;
};

// A document of this body alone.
static void made_pack(struct made *made, struct protocol_document_body *body)
{
    struct protocol_document document = {.bodies = {.items = body, .count = 1}};
    protocol_defaults(&protocol_document_type, &document);
    document.has = PROTOCOL_HAS_DOCUMENT_BODIES;
    document.bodies = (struct protocol_list){.items = body, .count = 1};
    document.settings.damping = 1.0 / 3;
    msgpack_packer packer;
    msgpack_sbuffer_init(&made->buffer);
    msgpack_packer_init(&packer, &made->buffer, msgpack_sbuffer_write);
    protocol_encode(&protocol_document_type, &document, PROTOCOL_ARRAYS_EXT, &packer);
    size_t offset = 0;
    assert_true(msgpack_zone_init(&made->zone, 8192));
    assert_int_equal(msgpack_unpack(made->buffer.data, made->buffer.size, &offset, &made->zone, &made->map),
                     MSGPACK_UNPACK_SUCCESS);
}

static void made_init(struct made *made, uint32_t count, double seed)
{
    made->count = count;
    made->positions = calloc(3 * count, sizeof *made->positions);
    made->velocities = calloc(3 * count, sizeof *made->velocities);
    assert_non_null(made->positions);
    assert_non_null(made->velocities);
    for (uint32_t i = 0; i < 3 * count; i++) {
        made->positions[i] = (i % 3 == 0 ? -1 : 1) * (seed + i) / 3 * (i % 7 == 0 ? 1e-9 : 1e5);
        made->velocities[i] = i == 1 ? -0.0f : (float)(seed / (i + 1));
    }
    struct protocol_document_body body = {
        .has = PROTOCOL_HAS_DOCUMENT_BODY_STATE | PROTOCOL_HAS_DOCUMENT_BODY_BODY,
        .body = 3,
        .name = {"a \"name\"\xc3\xa9", 10},
        .kind = PROTOCOL_DOCUMENT_BODY_KIND_POINTS,
        .positions = {PROTOCOL_ARRAY_F64, 3 * count, made->positions},
        .state = {.has = PROTOCOL_HAS_DOCUMENT_STATE_VELOCITIES,
                  .velocities = {PROTOCOL_ARRAY_F32, 3 * count, made->velocities}},
    };
    made_pack(made, &body);
}

static void made_deinit(struct made *made)
{
    msgpack_sbuffer_destroy(&made->buffer);
    msgpack_zone_destroy(&made->zone);
    free(made->positions);
    free(made->velocities);
}

static char *read_file(const char *path)
{
    char *text = calloc(1, 1 << 20);
    FILE *file = fopen(path, "rb");
    assert_non_null(text);
    assert_non_null(file);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static void check_same(const char *folder, const struct made *made)
{
    char path[512];
    struct helper_document document;
    snprintf(path, sizeof path, "%s/scene.json", folder);
    char *text = read_file(path);
    helper_document_init(&document, folder, text);
    const struct protocol_document_body *body = helper_body(&document, 0);
    assert_string_equal(document.scene.name, "na\"me");
    assert_string_equal(document.scene.about, "About.");
    assert_true(document.document->settings.damping == 1.0 / 3);
    assert_int_equal(body->body, 3);
    assert_int_equal(body->name.size, 10);
    assert_int_equal(body->positions.count, 3 * made->count);
    assert_int_equal(body->state.velocities.count, 3 * made->count);
    for (uint32_t i = 0; i < 3 * made->count; i++) {
        double v = helper_at(&body->state.velocities, i);
        assert_true(helper_at(&body->positions, i) == made->positions[i]);
        assert_true((float)v == made->velocities[i] && signbit((float)v) == signbit(made->velocities[i]));
    }
    helper_document_deinit(&document);
    free(text);
}

static int files_in(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    DIR *opened = opendir(path);
    int count = 0;
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    if (opened != NULL) {
        closedir(opened);
    }
    return opened == NULL ? -1 : count;
}

static void short_arrays_stand_in_the_scene(void **state)
{
    (void)state;
    char *folder = helper_folder_create(), path[512];
    struct fault fault;
    struct made made;
    made_init(&made, 85, 1); // 255 numbers
    snprintf(path, sizeof path, "%s/scene.json", folder);
    assert_true(scene_write(path, "na\"me", "About.", &made.map, &fault));
    assert_int_equal(files_in(folder, "scene.data"), -1);
    assert_int_equal(files_in(folder, "."), 1);
    check_same(folder, &made);
    made_deinit(&made);
    helper_folder_destroy(folder);
}

static void long_arrays_stand_beside_it_and_go_when_unused(void **state)
{
    (void)state;
    char *folder = helper_folder_create(), path[512], own[512];
    struct fault fault;
    struct made first, second;
    made_init(&first, 400, 1);
    made_init(&second, 400, 2);
    snprintf(path, sizeof path, "%s/scene.json", folder);
    assert_true(scene_write(path, "na\"me", "About.", &first.map, &fault));
    assert_int_equal(files_in(folder, "scene.data"), 2);
    check_same(folder, &first);
    // Somebody's own file stays, even with numpy's ending.
    snprintf(own, sizeof own, "%s/scene.data", folder);
    helper_file_write(own, "mine.npy", "x", 1);
    assert_true(scene_write(path, "na\"me", "About.", &second.map, &fault));
    assert_int_equal(files_in(folder, "scene.data"), 3);
    check_same(folder, &second);
    assert_true(scene_write(path, "na\"me", "About.", &second.map, &fault)); // the same again
    assert_int_equal(files_in(folder, "scene.data"), 3);
    check_same(folder, &second);
    made_deinit(&first);
    made_deinit(&second);
    helper_folder_destroy(folder);
}

// Rows of a corner each, beside the scene and within it; rows of something else are refused.
static void looks_come_back_however_long_they_are(void **state)
{
    (void)state;
    char *folder = helper_folder_create(), path[512];
    struct fault fault;
    enum { TRIANGLES = 200 };
    float uvs[6 * TRIANGLES], normals[9 * TRIANGLES];
    double positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t triangles[3 * TRIANGLES];
    for (uint32_t i = 0; i < 9 * TRIANGLES; i++) {
        triangles[i / 3] = i / 3 % 3;
        uvs[i / 3 * 2] = uvs[i / 3 * 2 + 1] = normals[i] = (float)i;
    }
    for (uint32_t count = 1; count <= TRIANGLES; count += TRIANGLES - 1) {
        struct protocol_document_body body = {
            .has = PROTOCOL_HAS_DOCUMENT_BODY_BODY | PROTOCOL_HAS_DOCUMENT_BODY_TRIANGLES |
                   PROTOCOL_HAS_DOCUMENT_BODY_LOOK,
            .body = 1,
            .kind = PROTOCOL_DOCUMENT_BODY_KIND_CLOTH,
            .positions = {PROTOCOL_ARRAY_F64, 9, positions},
            .triangles = {PROTOCOL_ARRAY_U32, 3 * count, triangles},
            .look = {.has = PROTOCOL_HAS_LOOK_UVS | PROTOCOL_HAS_LOOK_NORMALS,
                     .uvs = {PROTOCOL_ARRAY_F32, 6 * count, uvs},
                     .normals = {PROTOCOL_ARRAY_F32, 9 * count, normals}},
        };
        struct made made = {0};
        made_pack(&made, &body);
        snprintf(path, sizeof path, "%s/scene.json", folder);
        assert_true(scene_write(path, "looks", NULL, &made.map, &fault));
        char *text = read_file(path);
        struct helper_document document;
        helper_document_init(&document, folder, text);
        const struct protocol_look *look = &helper_body(&document, 0)->look;
        assert_int_equal(look->uvs.count, 6 * count);
        assert_int_equal(look->normals.count, 9 * count);
        assert_true(helper_at(&look->uvs, 6 * count - 1) == (double)uvs[6 * count - 1]);
        helper_document_deinit(&document);
        free(text);
        made_deinit(&made);
    }
    REFUSED(folder,
            "{\"weft\": 1, \"bodies\": [{\"kind\": \"cloth\", \"positions\": [[0,0,0],[1,0,0],[0,1,0]],"
            "\"triangles\": [[0,1,2]], \"look\": {\"uvs\": [[0,0,0],[0,0,0]]}}]}",
            "bodies[0].look.uvs: row 0 has 3 numbers; must have 2");
    helper_folder_destroy(folder);
}

static void what_cannot_be_written_is_said(void **state)
{
    (void)state;
    char *folder = helper_folder_create(), path[512];
    struct fault fault;
    struct made made;
    made_init(&made, 2, 1);
    snprintf(path, sizeof path, "%s/none/scene.json", folder);
    assert_false(scene_write(path, "a", NULL, &made.map, &fault));
    assert_non_null(strstr(fault.text, "none/scene.json"));
    assert_false(scene_write(folder, "a", NULL, &made.map, &fault));
    const msgpack_object nothing = {.type = MSGPACK_OBJECT_NIL};
    snprintf(path, sizeof path, "%s/scene.json", folder);
    assert_false(scene_write(path, "a", NULL, &nothing, &fault));
    assert_int_equal(files_in(folder, "."), 0);
    made_deinit(&made);
    helper_folder_destroy(folder);
}

static void a_scene_that_cannot_be_read_is_no_scene(void **state)
{
    (void)state;
    struct scene scene;
    struct fault fault;
    assert_false(scene_read("/nowhere/scene.json", &scene, &fault));
    assert_non_null(strstr(fault.text, "/nowhere/scene.json"));
    assert_null(scene.document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_arrays_stand_in_the_scene),
        cmocka_unit_test(long_arrays_stand_beside_it_and_go_when_unused),
        cmocka_unit_test(looks_come_back_however_long_they_are),
        cmocka_unit_test(what_cannot_be_written_is_said),
        cmocka_unit_test(a_scene_that_cannot_be_read_is_no_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
