// A folder as it is served: what is found in it, what is not, and what is kept of each file.
#include "net/http_files.h"

#include "base/buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static char folder[64];

static void path_of(char out[256], const char *name)
{
    snprintf(out, 256, "%s/%s", folder, name);
}

static void write_file(const char *name, const void *data, size_t size)
{
    char path[256];
    path_of(path, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void make_folder(const char *name)
{
    char path[256];
    path_of(path, name);
    assert_int_equal(mkdir(path, 0755), 0);
}

static int setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/weft-files-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command); // NOLINT: the name is ours
}

static struct net_files *load(void)
{
    const char *reason = "unset";
    struct net_files *files = net_files_load(folder, &reason);
    assert_null(reason);
    assert_non_null(files);
    return files;
}

static const struct net_file *find(const struct net_files *files, const char *path)
{
    return net_files_find(files, (struct net_http_text){path, strlen(path)});
}

static void files_are_found_by_the_path_they_were_listed_with(void **state)
{
    (void)state;
    make_folder("assets");
    make_folder("assets/deep");
    write_file("index.html", "<!doctype html>", 15);
    write_file("assets/index-DiwrgTda.js", "1", 1);
    write_file("assets/deep/x.png", "2", 1);
    write_file("assets/index.html", "3", 1);
    write_file("empty", "", 0);
    struct net_files *files = load();
    assert_int_equal(net_files_count(files), 5);
    static const struct {
        const char *path, *type;
        size_t size;
        bool immutable;
    } cases[] = {
        {"/", "text/html; charset=utf-8", 15, false},
        {"/index.html", "text/html; charset=utf-8", 15, false},
        {"/assets/index-DiwrgTda.js", "text/javascript; charset=utf-8", 1, true},
        {"/assets/deep/x.png", "image/png", 1, false},
        {"/assets/", "text/html; charset=utf-8", 1, false},
        {"/empty", "application/octet-stream", 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct net_file *file = find(files, cases[i].path);
        assert_non_null(file);
        assert_string_equal(file->type, cases[i].type);
        assert_int_equal(file->plain.bytes->size, cases[i].size);
        assert_int_equal(file->immutable, cases[i].immutable);
    }
    static const char *const none[] = {"",
                                       "/assets",
                                       "/assets/deep/",
                                       "//",
                                       "/./",
                                       "/assets/../",
                                       "/../",
                                       "index.html",
                                       "/index.htm",
                                       "/index.html/",
                                       "/INDEX.HTML",
                                       "/assets//index.html",
                                       "/%69ndex.html"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_null(find(files, none[i]));
    }
    char long_path[2000];
    memset(long_path, '/', sizeof long_path);
    assert_null(net_files_find(files, (struct net_http_text){long_path, sizeof long_path}));
    assert_null(net_files_find(files, (struct net_http_text){NULL, 0}));
    net_files_destroy(files);
}

static void hidden_linked_and_special_files_are_left_out(void **state)
{
    (void)state;
    char path[256];
    make_folder(".git");
    write_file(".git/config", "secret", 6);
    write_file(".env", "secret", 6);
    write_file("a.txt", "open", 4);
    path_of(path, "passwd");
    assert_int_equal(symlink("/etc/passwd", path), 0);
    path_of(path, "etc");
    assert_int_equal(symlink("/etc", path), 0);
    path_of(path, "pipe");
    assert_int_equal(mkfifo(path, 0644), 0);
    make_folder("1");
    char deep[64] = "1";
    for (int depth = 2; depth <= NET_FILES_DEPTH_MAX + 1; depth++) {
        strcat(deep, "/1");
        make_folder(deep);
    }
    strcat(deep, "/too_deep");
    write_file(deep, "x", 1);
    struct net_files *files = load();
    assert_int_equal(net_files_count(files), 1);
    assert_non_null(find(files, "/a.txt"));
    net_files_destroy(files);
}

static void what_shrinks_is_kept_as_gzip_too(void **state)
{
    (void)state;
    static char text[200000];
    static uint8_t noise[5000];
    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = "weft and warp "[i % 14];
    }
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof noise; i++) {
        seed = seed * 1664525 + 1013904223;
        noise[i] = (uint8_t)(seed >> 24);
    }
    write_file("text.js", text, sizeof text);
    write_file("noise.bin", noise, sizeof noise);
    write_file("short.css", "a{}", 3);
    struct net_files *files = load();
    const struct net_file *file = find(files, "/text.js");
    assert_non_null(file->gzip.bytes);
    assert_true(file->gzip.bytes->size < sizeof text / 50);
    assert_string_not_equal(file->gzip.tag, file->plain.tag);
    static uint8_t back[sizeof text + 1];
    z_stream stream = {.next_in = file->gzip.bytes->data,
                       .avail_in = (uInt)file->gzip.bytes->size,
                       .next_out = back,
                       .avail_out = sizeof back};
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.total_out, sizeof text);
    inflateEnd(&stream);
    assert_memory_equal(back, text, sizeof text);
    assert_null(find(files, "/noise.bin")->gzip.bytes);
    assert_null(find(files, "/short.css")->gzip.bytes);
    net_files_destroy(files);
}

static void tags_follow_the_content(void **state)
{
    (void)state;
    write_file("a.txt", "one", 3);
    write_file("b.txt", "one", 3);
    write_file("c.txt", "two", 3);
    struct net_files *files = load();
    const char *tag = find(files, "/a.txt")->plain.tag;
    assert_int_equal(strlen(tag), 18);
    assert_true(tag[0] == '"' && tag[17] == '"');
    assert_string_equal(tag, find(files, "/b.txt")->plain.tag);
    assert_string_not_equal(tag, find(files, "/c.txt")->plain.tag);
    net_files_destroy(files);
}

static void names_with_a_hash_below_assets_are_immutable(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool immutable;
    } cases[] = {
        {"assets/a-DiwrgTda.js", true}, {"assets/three-module-B-_x09aZ.js", true},
        {"assets/a.js", false},         {"assets/a-short.js", false},
        {"a-DiwrgTda.js", false},       {"assets/a-DiwrgTda", false},
        {"assets/DiwrgTda.js", false},
    };
    make_folder("assets");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file(cases[i].name, "x", 1);
    }
    struct net_files *files = load();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "/%s", cases[i].name);
        assert_int_equal(find(files, path)->immutable, cases[i].immutable);
    }
    net_files_destroy(files);
}

static void a_folder_that_is_not_there_has_no_files(void **state)
{
    (void)state;
    const char *reason = NULL;
    struct net_files *files = net_files_load("/nonexistent/studio", &reason);
    assert_non_null(files);
    assert_int_equal(net_files_count(files), 0);
    assert_null(find(files, "/"));
    net_files_destroy(files);
    files = net_files_load(NULL, &reason);
    assert_non_null(files);
    net_files_destroy(files);
    net_files_destroy(NULL);
}

static void a_folder_with_too_much_in_it_is_refused(void **state)
{
    (void)state;
    char path[256];
    path_of(path, "huge.bin");
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)65 << 20), 0); // a hole: it takes no room
    close(fd);
    const char *reason = NULL;
    assert_null(net_files_load(folder, &reason));
    assert_non_null(reason);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(files_are_found_by_the_path_they_were_listed_with),
        TEST(hidden_linked_and_special_files_are_left_out),
        TEST(what_shrinks_is_kept_as_gzip_too),
        TEST(tags_follow_the_content),
        TEST(names_with_a_hash_below_assets_are_immutable),
        TEST(a_folder_that_is_not_there_has_no_files),
        TEST(a_folder_with_too_much_in_it_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
