// Scenes in the tests: read from text, and folders of files beside them.
#ifndef WEFT_TESTS_UNIT_SCENE_HELPER_H
#define WEFT_TESTS_UNIT_SCENE_HELPER_H

#include "protocol/generated/api.h"
#include "protocol/scene/scene.h"

#include <stddef.h>

// A document decoded; fails the test where it does not.
struct helper_document {
    msgpack_zone zone;
    struct scene scene;
    const struct protocol_document *document;
};

void helper_document_init(struct helper_document *document, const char *folder, const char *text);
void helper_document_deinit(struct helper_document *document);
const struct protocol_document_body *helper_body(const struct helper_document *document, uint32_t index);
double helper_at(const struct protocol_array *array, uint32_t index);

// The scene must be refused with all of these words (NULL at the end).
void helper_refused(const char *folder, const char *text, const char *const *words);
#define REFUSED(folder, text, ...) helper_refused(folder, text, (const char *const[]){__VA_ARGS__, NULL})

// A new folder for a test's files, gone after helper_folder_destroy with all that is in it.
char *helper_folder_create(void);
void helper_folder_destroy(char *folder);
void helper_file_write(const char *folder, const char *name, const void *bytes, size_t size);

#endif
