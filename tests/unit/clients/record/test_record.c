// Takes that grow, are cut short and gone on with; exports that leave all or nothing. That other programs can open
// what is written is tested with those programs (tests/e2e/test_recordings.py).
#include "record/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka.h needs those before it.
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PARTICLES = 7 };

static char folder[64];

static const char *in_folder(const char *name)
{
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static int setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/weft-record-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static uint32_t files(bool remove_them)
{
    uint32_t count = 0;
    DIR *listing = opendir(folder);
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        count++;
        if (remove_them) {
            unlink(in_folder(entry->d_name));
        }
    }
    closedir(listing);
    return count;
}

static int teardown(void **state)
{
    (void)state;
    files(true);
    return rmdir(folder);
}

static uint32_t triangles[] = {0, 1, 2, 1, 3, 2};
static uint32_t edges[] = {0, 1, 1, 2};
static char cloth[] = "flag", rope[] = "a rope/1";
static struct record_body bodies[] = {
    {.name = cloth, .particle_count = 4, .triangles = triangles, .triangle_count = 2},
    {.name = rope, .particle_count = 3, .edges = edges, .edge_count = 2},
};
static const struct record_scene scene = {.bodies = bodies, .body_count = 2, .tick_rate = 60, .substeps = 20};

// The same seven particles as one body whose surface leaves out two of them, with a seam of uvs, an edge between its
// triangles and two materials; a ball that moves, and a plane of the same name as the body.
static uint32_t outer[] = {0, 2, 3, 2, 5, 3}, painted[] = {1, 0};
static float uvs[] = {0, 0, 1, 0, 1, 1, 0.5F, 0, 1, 0, 1, 1};
static float normals[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0};
static char red[] = "red", green[] = "green", ball[] = "ball";
static struct record_material materials[] = {{red, {1, 0, 0, 1}, 0, 0.5F},
                                             {green, {0, 0.5F, 0, 0.25F}, 1, 0.25F}};
static struct record_body looking[] = {{.name = cloth,
                                        .particle_count = 7,
                                        .triangles = outer,
                                        .triangle_count = 2,
                                        .uvs = uvs,
                                        .normals = normals,
                                        .triangle_materials = painted,
                                        .materials = materials,
                                        .material_count = 2}};
static float spike[] = {0, 1, 0, -1, 0, -1, 1, 0, -1, 0, 0, 1};
static uint32_t spike_sides[] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
static struct record_collider colliders[] = {{.name = ball, .shape = RECORD_SPHERE, .radius = 0.5F},
                                             {.name = cloth,
                                              .shape = RECORD_CONVEX,
                                              .vertices = spike,
                                              .vertex_count = 4,
                                              .triangles = spike_sides,
                                              .triangle_count = 4}};
static const double ground[] = {0, 0.1, 0.2, 0.5, 0.25, -1};
static const struct record_scene rich = {.bodies = looking,
                                         .body_count = 1,
                                         .colliders = colliders,
                                         .collider_count = 2,
                                         .tick_rate = 60,
                                         .substeps = 20};

static void positions_of(uint64_t frame, float x[3 * PARTICLES])
{
    for (int i = 0; i < 3 * PARTICLES; i++) {
        x[i] = (float)i + 0.25F * (float)frame;
    }
}

// The ball rises by a metre a frame.
static void poses_of(uint64_t frame, float poses[2 * RECORD_POSE])
{
    const float pose[2 * RECORD_POSE] = {1, (float)frame, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    memcpy(poses, pose, sizeof pose);
}

static void append(struct record_take *take, uint64_t from, uint64_t to)
{
    struct fault fault;
    for (uint64_t frame = from; frame < to; frame++) {
        float x[3 * PARTICLES], poses[2 * RECORD_POSE];
        positions_of(frame, x);
        poses_of(frame, poses);
        assert_true(record_take_append(take, frame, 0, poses, x, &fault));
    }
}

static struct record_take *make_of(const char *name, const struct record_scene *of, uint64_t frames)
{
    struct fault fault;
    struct record_take *take = record_take_create(in_folder(name), of, 0, &fault);
    assert_non_null(take);
    append(take, 0, frames);
    return take;
}

static struct record_take *make(const char *name, uint64_t frames)
{
    return make_of(name, &scene, frames);
}

static void assert_frame(struct record_take *take, uint64_t index)
{
    struct record_frame frame;
    struct fault fault;
    float x[3 * PARTICLES];
    positions_of(index, x);
    assert_true(record_take_read(take, index, &frame, &fault));
    assert_int_equal(frame.tick, index);
    assert_true(frame.time == (double)index / 60);
    assert_memory_equal(frame.positions, x, sizeof x);
}

static void test_a_take_can_be_gone_on_with(void **state)
{
    (void)state;
    struct fault fault;
    struct record_take *take = make("t", 5);
    assert_null(record_take_open(in_folder("t"), &fault)); // in use
    assert_non_null(strstr(fault.text, "in use"));
    record_take_close(take);

    // Cut off in the middle of the last frame.
    struct stat stat_of;
    assert_int_equal(stat(in_folder("t"), &stat_of), 0);
    assert_int_equal(truncate(in_folder("t"), stat_of.st_size - 10), 0);
    take = record_take_open(in_folder("t"), &fault);
    assert_non_null(take);
    assert_int_equal(record_take_count(take), 4);
    assert_string_equal(record_take_scene(take)->bodies[1].name, rope);
    assert_int_equal(record_take_scene(take)->bodies[0].triangles[4], 3);
    append(take, 4, 8);
    for (uint64_t i = 0; i < 8; i++) {
        assert_frame(take, i);
    }
    assert_true(record_take_truncate(take, 2, &fault));
    assert_false(record_take_truncate(take, 3, &fault));
    assert_int_equal(record_take_count(take), 2);
    assert_frame(take, 1);
    struct record_frame frame;
    assert_false(record_take_read(take, 2, &frame, &fault));
    assert_true(record_take_sync(take, &fault));
    record_take_close(take);
}

static void test_a_take_keeps_what_things_look_like(void **state)
{
    (void)state;
    struct fault fault;
    record_take_close(make_of("t", &rich, 2));
    struct record_take *take = record_take_open(in_folder("t"), &fault);
    assert_non_null(take);
    const struct record_scene *read = record_take_scene(take);
    assert_memory_equal(read->bodies[0].uvs, uvs, sizeof uvs);
    assert_memory_equal(read->bodies[0].normals, normals, sizeof normals);
    assert_memory_equal(read->bodies[0].triangle_materials, painted, sizeof painted);
    assert_int_equal(read->bodies[0].material_count, 2);
    assert_string_equal(read->bodies[0].materials[1].name, green);
    assert_memory_equal(read->bodies[0].materials[1].color, materials[1].color, sizeof materials[1].color);
    assert_true(read->bodies[0].materials[1].roughness == 0.25F);
    assert_int_equal(read->collider_count, 2);
    assert_int_equal(read->colliders[0].shape, RECORD_SPHERE);
    assert_string_equal(read->colliders[1].name, cloth);
    assert_int_equal(read->colliders[1].vertex_count, 4);
    assert_int_equal(read->colliders[1].triangle_count, 4);
    assert_memory_equal(read->colliders[1].vertices, spike, sizeof spike);
    assert_memory_equal(read->colliders[1].triangles, spike_sides, sizeof spike_sides);
    struct record_frame frame;
    float poses[2 * RECORD_POSE];
    poses_of(1, poses);
    assert_true(record_take_read(take, 1, &frame, &fault));
    assert_memory_equal(frame.poses, poses, sizeof poses);
    assert_frame(take, 1);
    record_take_close(take);
}

// Two by one cells, seen from above counterclockwise.
static void test_a_height_field_is_its_surface(void **state)
{
    (void)state;
    static const float places[] = {-0.5F, 0,    -0.25F, 0, 0.1F,  -0.25F, 0.5F, 0.2F, -0.25F,
                                   -0.5F, 0.5F, 0.25F,  0, 0.25F, 0.25F,  0.5F, -1,   0.25F};
    static const uint32_t sides[] = {0, 3, 4, 0, 4, 1, 1, 4, 5, 1, 5, 2};
    struct record_collider hills[] = {colliders[0], {.name = ball, .shape = RECORD_HEIGHT_FIELD}};
    struct record_scene hilly = rich;
    struct fault fault;
    hilly.colliders = hills;
    assert_true(record_field_mesh(ground, 6, 3, 0.5, &hills[1]));
    record_take_close(make_of("t", &hilly, 2));
    struct record_take *take = record_take_open(in_folder("t"), &fault);
    assert_non_null(take);
    const struct record_collider *read = &record_take_scene(take)->colliders[1];
    assert_int_equal(read->shape, RECORD_HEIGHT_FIELD);
    assert_int_equal(read->vertex_count, 6);
    assert_int_equal(read->triangle_count, 4);
    assert_memory_equal(read->vertices, places, sizeof places);
    assert_memory_equal(read->triangles, sides, sizeof sides);
    record_take_close(take);
    free(hills[1].vertices);
    free(hills[1].triangles);
    struct record_collider none = {0}; // what no server sends
    assert_true(record_field_mesh(ground, 6, 1, 0.5, &none) && record_field_mesh(ground, 6, 6, 0.5, &none));
    assert_true(none.vertices == NULL && none.vertex_count == 0);
}

// Whatever byte of the head is wrong, opening says so or gives a take that holds together and can be written.
static void test_no_head_is_trusted(void **state)
{
    (void)state;
    struct fault fault;
    record_take_close(make_of("t", &rich, 2));
    FILE *file = fopen(in_folder("t"), "rb");
    unsigned char good[2048], bad[2048];
    size_t size = fread(good, 1, sizeof good, file), head = size - 2 * (16 + 56 + 12 * PARTICLES);
    fclose(file);
    for (size_t at = 0; at < head; at++) {
        for (int value = 0; value < 256; value += 51) {
            memcpy(bad, good, size);
            bad[at] = (unsigned char)value;
            file = fopen(in_folder("bad"), "wb");
            assert_int_equal(fwrite(bad, 1, size, file), size);
            fclose(file);
            struct record_take *take = record_take_open(in_folder("bad"), &fault);
            struct record_frame frame;
            for (uint64_t i = 0; take != NULL && i < record_take_count(take) && i < 100; i++) {
                assert_true(record_take_read(take, i, &frame, &fault));
            }
            struct record_export export = {.path = in_folder("x.obj"), .format = RECORD_OBJ};
            if (take != NULL && value == 51) {
                record_export(take, &export, &fault);
            }
            record_take_close(take);
        }
    }
    for (size_t cut = 0; cut < head; cut++) {
        file = fopen(in_folder("bad"), "wb");
        assert_int_equal(fwrite(good, 1, cut, file), cut);
        fclose(file);
        assert_null(record_take_open(in_folder("bad"), &fault));
    }
    assert_null(record_take_open(folder, &fault));
    assert_null(record_take_open("/dev/zero", &fault));
}

static void test_formats_by_name(void **state)
{
    (void)state;
    enum record_format format;
    assert_true(record_format_of("a/b.PC2", &format));
    assert_int_equal(format, RECORD_PC2);
    assert_true(record_format_of("x.glb", &format));
    assert_int_equal(format, RECORD_GLB);
    assert_false(record_format_of("x.fbx", &format));
    assert_false(record_format_of("pc2", &format));
    assert_false(record_format_of("folder/.npz", &format));
}

static bool export_to(struct record_take *take, const char *name, record_progress *progress, void *context,
                      struct fault *fault)
{
    struct record_export export = {.path = in_folder(name), .progress = progress, .context = context};
    assert_true(record_format_of(export.path, &export.format));
    return record_export(take, &export, fault);
}

static bool stop_later(void *context, uint64_t done, uint64_t total)
{
    assert_true(done < total);
    return (*(int *)context)-- > 0;
}

static const char *const names[] = {"o.pc2", "o.mdd",  "o.obj", "o.ply", "o.gltf",
                                    "o.glb", "o.usda", "o.pvd", "o.npz"};
enum { NAMES = sizeof names / sizeof names[0] };

static void test_an_export_leaves_all_or_nothing(void **state)
{
    (void)state;
    static const uint32_t made[NAMES] = {4, 4, 3, 3, 2, 1, 1, 4, 1};
    static const uint32_t made_of_rich[NAMES] = {6, 6, 4, 3, 2, 1, 1, 4, 1}; // colliders, .mtl
    struct fault fault;
    for (int n = 0; n < NAMES; n++) {
        struct record_take *take = make("t", 3);
        for (int reads = 0; reads < 3; reads++) {
            int left = reads;
            assert_false(export_to(take, names[n], stop_later, &left, &fault));
            assert_non_null(strstr(fault.text, "interrupted"));
            assert_int_equal(files(false), 1); // the take
        }
        assert_true(export_to(take, names[n], NULL, NULL, &fault));
        assert_int_equal(files(false), 1 + made[n]);
        record_take_close(take);
        files(true);
        take = make_of("t", &rich, 3);
        assert_true(export_to(take, names[n], NULL, NULL, &fault));
        assert_int_equal(files(false), 1 + made_of_rich[n]);
        record_take_close(take);
        files(true);
    }
}

// A script that looks for a body by its name finds it: a number is behind a name only if that name is taken.
static void test_usd_prims_have_the_names_of_what_they_show(void **state)
{
    (void)state;
    struct fault fault;
    static char text[1 << 18];
    static char taken[] = "materials";
    struct record_collider named[] = {colliders[0], colliders[1], colliders[1]};
    struct record_scene many = rich;
    named[2].name = taken;
    many.colliders = named;
    many.collider_count = 3;
    struct record_take *take = record_take_create(in_folder("t"), &many, 0, &fault);
    const float x[3 * PARTICLES] = {0}, poses[3 * RECORD_POSE] = {0};
    assert_non_null(take);
    assert_true(record_take_append(take, 0, 0, poses, x, &fault));
    assert_true(export_to(take, "o.usda", NULL, NULL, &fault));
    record_take_close(take);
    FILE *file = fopen(in_folder("o.usda"), "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    static const char *const prims[] = {"flag", "ball", "flag_collider_2", "materials_2"};
    const char *at = text;
    for (size_t i = 0; i < sizeof prims / sizeof prims[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "def Mesh \"%s\"", prims[i]);
        at = strstr(at, line);
        assert_non_null(at);
    }
    assert_non_null(strstr(at, "def Scope \"materials\""));
    assert_non_null(strstr(at, "def Material \"red\""));
    assert_non_null(strstr(text, "</world/materials/red>"));
    files(true);
}

static void test_what_cannot_be_exported(void **state)
{
    (void)state;
    struct fault fault;
    struct record_take *take = make("t", 0);
    assert_false(export_to(take, "o.npz", NULL, NULL, &fault));
    float x[3 * PARTICLES];
    positions_of(0, x);
    x[4] = NAN;
    assert_true(record_take_append(take, 0, 0, NULL, x, &fault));
    for (int n = 0; n < NAMES; n++) {
        assert_false(export_to(take, names[n], NULL, NULL, &fault));
        assert_non_null(strstr(fault.text, "no number"));
    }
    record_take_close(take);
    files(true);
    take = make("t", 2);
    struct record_export export = {.path = "/nowhere/at/all.pc2", .format = RECORD_PC2};
    assert_false(record_export(take, &export, &fault));
    assert_non_null(strstr(fault.text, "/nowhere/at/all"));
    export.format = RECORD_NPZ;
    assert_false(record_export(take, &export, &fault)); // the name says otherwise
    record_take_close(take);
    const struct record_scene empty = {.bodies = bodies, .tick_rate = 60, .substeps = 20};
    assert_null(record_take_create(in_folder("e"), &empty, 0, &fault));
}

// The caches are simple enough to say every byte of.
static void test_point_caches_byte_by_byte(void **state)
{
    (void)state;
    struct fault fault;
    struct record_take *take = make("t", 2);
    assert_true(export_to(take, "o.pc2", NULL, NULL, &fault) && export_to(take, "o.mdd", NULL, NULL, &fault));
    record_take_close(take);
    unsigned char bytes[512];
    FILE *file = fopen(in_folder("o-a_rope_1-2.pc2"), "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), 32 + 2 * 3 * 12);
    fclose(file);
    assert_memory_equal(bytes, "POINTCACHE2\0\1\0\0\0\3\0\0\0\0\0\0\0\0\0\200\77\2\0\0\0", 32);
    float x;
    memcpy(&x, bytes + 32 + 3 * 12, sizeof x); // x of the rope's first particle in the second frame
    assert_true(x == 12.25F);
    file = fopen(in_folder("o-flag.mdd"), "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), 8 + 2 * 4 + 2 * 4 * 12);
    fclose(file);
    assert_memory_equal(bytes, "\0\0\0\2\0\0\0\4\0\0\0\0", 12);
    assert_memory_equal(bytes + 16 + 48, "\76\200\0\0", 4); // 0.25
}

// The leftovers of a killed export are removed. A file that is being written stays, and so do other files.
static void test_what_was_left_is_cleared_away(void **state)
{
    (void)state;
    struct fault fault;
    struct record_take *take = make("t", 2);
    assert_int_equal(mkdir(in_folder("o.obj.part"), 0777), 0);
    FILE *stale = fopen(in_folder("o.obj.part/o_000009.obj"), "wb");
    assert_non_null(stale);
    fclose(stale);
    int held = open(in_folder("o.obj.part"), O_RDONLY);
    assert_int_equal(flock(held, LOCK_EX), 0);
    assert_false(export_to(take, "o.obj", NULL, NULL, &fault));
    assert_non_null(strstr(fault.text, "another program"));
    assert_int_equal(access(in_folder("o.obj.part/o_000009.obj"), F_OK), 0);
    close(held);
    assert_true(export_to(take, "o.obj", NULL, NULL, &fault));
    assert_int_equal(files(false), 1 + 2);
    record_take_close(take);
}

static void test_a_file_that_is_to_stay_stays(void **state)
{
    (void)state;
    struct fault fault;
    struct record_take *take = make("t", 2);
    FILE *old = fopen(in_folder("o_000002.ply"), "wb");
    fputs("old", old);
    fclose(old);
    struct record_export export = {.path = in_folder("o.ply"), .format = RECORD_PLY, .keeps_old = true};
    assert_false(record_export(take, &export, &fault));
    assert_non_null(strstr(fault.text, "o_000002.ply"));
    assert_int_equal(files(false), 2);
    export.keeps_old = false;
    assert_true(record_export(take, &export, &fault));
    assert_int_equal(files(false), 3);
    record_take_close(take);
}

static char *text_of(const char *name)
{
    static char text[1 << 16];
    FILE *file = fopen(in_folder(name), "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static uint32_t lines_with(const char *text, const char *word)
{
    uint32_t count = 0;
    for (const char *line = text; line != NULL; line = strchr(line + 1, '\n')) {
        count += strncmp(line + 1, word, strlen(word)) == 0;
    }
    return count;
}

// A cache has as many points as the mesh beside it, which are those of the surface; what looks like something is told.
static void test_what_is_seen_is_what_is_written(void **state)
{
    (void)state;
    struct fault fault;
    struct record_take *take = make_of("t", &rich, 2);
    assert_true(export_to(take, "o.pc2", NULL, NULL, &fault));
    record_take_close(take);
    const char *text = text_of("o-flag.obj");
    assert_int_equal(lines_with(text, "v "), 4);
    assert_int_equal(lines_with(text, "vt "), 6);
    assert_int_equal(lines_with(text, "vn "), 6); // an edge between the triangles
    assert_non_null(strstr(text, "usemtl flag/green\nf"));
    assert_non_null(strstr(text, "mtllib o.mtl\n"));
    unsigned char head[32 + 2 * 4 * 12 + 1];
    FILE *file = fopen(in_folder("o-flag.pc2"), "rb");
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head - 1);
    fclose(file);
    float x;
    memcpy(&x, head + 32 + 2 * 12, sizeof x); // of particle 3
    assert_true(x == 9);
    memcpy(&x, head + 32 + 3 * 12, sizeof x); // of particle 5
    assert_true(x == 15);
    assert_int_equal(access(in_folder("o-ball.pc2"), F_OK), 0);
    assert_int_not_equal(access(in_folder("o-flag_collider_2-3.pc2"), F_OK), 0); // it never moves
    text = text_of("o.mtl");
    assert_non_null(strstr(text, "newmtl flag/red\nKd 1 0 0\nd 1\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_take_can_be_gone_on_with, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_head_is_trusted, setup, teardown),
        cmocka_unit_test_setup_teardown(test_formats_by_name, setup, teardown),
        cmocka_unit_test_setup_teardown(test_an_export_leaves_all_or_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_usd_prims_have_the_names_of_what_they_show, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_cannot_be_exported, setup, teardown),
        cmocka_unit_test_setup_teardown(test_point_caches_byte_by_byte, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_take_keeps_what_things_look_like, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_height_field_is_its_surface, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_was_left_is_cleared_away, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_file_that_is_to_stay_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_seen_is_what_is_written, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
