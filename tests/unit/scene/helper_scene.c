#include "helper_scene.h"

#include "protocol/error.h"
#include "protocol/params.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

void helper_document_init(struct helper_document *document, const char *folder, const char *text)
{
    struct fault fault;
    struct protocol_error wrong;
    msgpack_object map;
    size_t offset = 0;
    if (!scene_parse("test.json", folder, text, strlen(text), &document->scene, &fault)) {
        fail_msg("%s", fault.text);
    }
    assert_true(msgpack_zone_init(&document->zone, 8192));
    assert_int_equal(
        msgpack_unpack(document->scene.document, document->scene.size, &offset, &document->zone, &map),
        MSGPACK_UNPACK_SUCCESS);
    struct protocol_document *decoded = msgpack_zone_malloc(&document->zone, sizeof *decoded);
    assert_non_null(decoded);
    assert_true(protocol_decode(&protocol_document_type, &map, &document->zone, decoded, &wrong));
    document->document = decoded;
}

void helper_document_deinit(struct helper_document *document)
{
    msgpack_zone_destroy(&document->zone);
    scene_deinit(&document->scene);
}

const struct protocol_document_body *helper_body(const struct helper_document *document, uint32_t index)
{
    assert_true(index < document->document->bodies.count);
    return (const struct protocol_document_body *)document->document->bodies.items + index;
}

double helper_at(const struct protocol_array *array, uint32_t index)
{
    assert_true(index < array->count);
    return protocol_array_f64_at(array, index);
}

void helper_refused(const char *folder, const char *text, const char *const *words)
{
    struct scene scene;
    struct fault fault = {0};
    if (scene_parse("test.json", folder, text, strlen(text), &scene, &fault)) {
        scene_deinit(&scene);
        fail_msg("taken: %s", text);
    }
    assert_null(scene.document);
    assert_true(strncmp(fault.text, "test.json", 9) == 0);
    for (; *words != NULL; words++) {
        if (strstr(fault.text, *words) == NULL) {
            fail_msg("\"%s\" is not in: %s", *words, fault.text);
        }
    }
}

char *helper_folder_create(void)
{
    char *folder = strdup("/tmp/weft-scene.XXXXXX");
    assert_non_null(folder);
    assert_non_null(mkdtemp(folder));
    return folder;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)about;
    (void)type;
    (void)where;
    return remove(path);
}

void helper_folder_destroy(char *folder)
{
    assert_int_equal(nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
    free(folder);
}

void helper_file_write(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}
