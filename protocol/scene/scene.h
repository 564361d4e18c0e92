// Scenes: worlds as files that people write, and that `weft save` writes.
//
//     flag.json (+ meshes beside it) ──scene_read──▶ document (MessagePack, api.json's type document) ──▶ world.open
//     world.save ──▶ document ──scene_write──▶ flag.json (+ arrays beside it)
//
// A scene is JSON (docs/reference/scene.md). What makes it pleasant to write (grids, meshes in files, materials by
// name, pins by edge) is worked out here; all else of it is the document's own, and is checked by its table. So what
// scene_read gives has been decoded once: a server refuses of it only what the physics refuses.
//
// Scenes are not trusted: files that one names lie in its folder or below, sizes are bounded before memory is asked
// for, and every refusal says which file and which field. No function here has state; any thread may call them.
#ifndef WEFT_PROTOCOL_SCENE_SCENE_H
#define WEFT_PROTOCOL_SCENE_SCENE_H

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>

enum { SCENE_TEXT_SIZE = 512, SCENE_ERROR_SIZE = 1024, SCENE_NAME_SIZE = 65, SCENE_PATH_SIZE = 4096 };

struct scene {
    char name[SCENE_NAME_SIZE];  // the world's: the scene's, else the file's without its ending
    char about[SCENE_TEXT_SIZE]; // one line for people; empty if it has none
    void *document;              // one MessagePack map, malloc'd
    size_t size;
};

// "file: field: what is wrong", or "file:line:column: ..." where it is no JSON.
struct scene_error {
    char text[SCENE_ERROR_SIZE];
};

bool scene_read(const char *path, struct scene *scene, struct scene_error *error);
// The same of text in memory; name stands for the file in errors. folder NULL: it may name no files.
bool scene_parse(const char *name, const char *folder, const char *text, size_t size, struct scene *scene,
                 struct scene_error *error);
void scene_deinit(struct scene *scene); // an empty one is allowed

// Writes a document, as world.save gives it, and arrays of more than a few hundred numbers as .npy files into a
// folder beside it (flag.json: flag.data/). Files that are there are replaced, each as a whole and the scene last, so
// that one that can be read is whole. about may be NULL.
bool scene_write(const char *path, const char *name, const char *about, const msgpack_object *document,
                 struct scene_error *error);

// The gallery: scenes that come with weft. Finds NAME.json in the folders that WEFT_SCENES lists (separated by
// colons), where a build has them, or where they were installed. False if there is none of that name.
bool scene_gallery_find(const char *name, char path[SCENE_PATH_SIZE]);
// Calls entry for each scene of the gallery, by name; about may be empty. False if no folder can be read.
bool scene_gallery_list(void (*entry)(void *context, const char *name, const char *about, const char *path),
                        void *context);

// The end of a path that is too long to be shown whole: what its file is called stands there.
const char *scene_file_shown(const char *path);

#endif
