// import_files.c: controls which files assimp may read.
#ifndef WEFT_MESH_IMPORT_FILES_H
#define WEFT_MESH_IMPORT_FILES_H

#include "internal.h"

#include <assimp/cfileio.h>

// source must outlive it; its `missing` is told.
struct aiFileIO mesh_import_files(struct mesh_source *source);

#endif
