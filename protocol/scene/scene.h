// Scenes: worlds as files that people write, and that `weft save` writes.
//
//     flag.json (+ meshes beside it) ──scene_read──▶ document (MessagePack, api.json's type document) ──▶ world.open
//     world.save ──▶ document ──scene_write──▶ flag.json (+ arrays beside it)
//
// A scene is JSON (docs/reference/scene.md). Its conveniences (grids, meshes in files, materials by name, pins by edge) are
// resolved here. Its other fields are those of the document, and are checked by the document's table. So a server refuses a
// document from scene_read only if the physics refuses it.
//
// Scenes are not trusted. The files that a scene names must lie in its folder or below, sizes are bounded before memory is
// allocated, and every error names the file and the field. Functions return false and fill *error if they fail. They keep
// no state; any thread may call them.
#ifndef WEFT_PROTOCOL_SCENE_SCENE_H
#define WEFT_PROTOCOL_SCENE_SCENE_H

#include "protocol/fault/fault.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>

enum { SCENE_TEXT_SIZE = 512, SCENE_NAME_SIZE = 65, SCENE_PATH_SIZE = 4096 };

struct scene {
    char name[SCENE_NAME_SIZE];  // for the world: the scene's "name", else the file's name without its ending
    char about[SCENE_TEXT_SIZE]; // one line for people; empty if the scene has none
    void *document;              // one MessagePack map, malloc'd
    size_t size;                 // of document, bytes
};

// Texts of faults: "file: field: what is wrong", or "file:line:column: ..." if it is not JSON.
bool scene_read(const char *path, struct scene *scene, struct fault *fault);
// The same from text in memory; errors show `name` as the file. folder has the scene's files; NULL: the scene may name none.
bool scene_parse(const char *name, const char *folder, const char *text, size_t size, struct scene *scene,
                 struct fault *fault);
void scene_deinit(struct scene *scene); // an empty one is allowed

// Writes a document of world.save as a scene, with arrays of more than 256 numbers as .npy files in a folder beside it
// (flag.json: flag.data/). Each file is replaced in one step, and the scene last. So at any time the path has the old scene
// or the new one, with its arrays. about may be NULL.
bool scene_write(const char *path, const char *name, const char *about, const msgpack_object *document,
                 struct fault *fault);

// The gallery: scenes that come with weft. Finds NAME.json in the folders of the environment variable WEFT_SCENES (separated
// by colons), in the build's folder, or where scenes were installed. False if there is no such scene.
bool scene_gallery_find(const char *name, char path[SCENE_PATH_SIZE]);
// Calls entry for each scene of the gallery, sorted by name; about may be empty. False if no folder can be read.
bool scene_gallery_list(void (*entry)(void *context, const char *name, const char *about, const char *path),
                        void *context);

// Materials by name: representative values of docs/concepts/materials.md, which has their ranges and sources. Scenes and
// `weft load` take them from here. The studio has a copy, and its tests compare it with material.c.
enum { SCENE_SHEETS = 4, SCENE_SOLIDS = 2 };

struct scene_sheet {
    const char *name;
    double density;  // kg/m^2
    double membrane; // Y, N/m
    double bending;  // B, N m
    double limit;    // strain limit, as stretch.limit of api.json; 0: none, and the page says why
};

// The bulk modulus is taken as SCENE_BULK_OVER_SHEAR times G.
struct scene_solid {
    const char *name;
    double density; // kg/m^3
    double shear;   // G, Pa
};

#define SCENE_BULK_OVER_SHEAR 50

extern const struct scene_sheet scene_sheets[SCENE_SHEETS];
extern const struct scene_solid scene_solids[SCENE_SOLIDS];

// Materials that are given as fields of body.add: fabrics with warp and weft of the table protocol/materials.json, and those of files
// of the same form. The functions return new references of jansson.
struct json_t;
// Reads a file of materials by name. NULL: fault says what is wrong.
struct json_t *scene_materials_open(const char *path, struct fault *fault);
// The material of that name, of own (NULL: none) or else of the table; NULL: there is none, or memory ran out.
struct json_t *scene_material_named(const struct json_t *own, const char *name);
// Writes the names of the table, each followed by ", ".
void scene_material_names(char *out, size_t size);

// The path as error texts show it: the last 150 bytes of a longer one, because they have the file's name. Points into path.
const char *scene_file_shown(const char *path);

#endif
