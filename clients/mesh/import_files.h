// import_files.c: the files that assimp may read.
#ifndef WEFT_MESH_IMPORT_FILES_H
#define WEFT_MESH_IMPORT_FILES_H

#include "internal.h"

#include <assimp/cfileio.h>

struct aiFileIO mesh_import_files(const struct mesh_source *source); // source must outlive it

#endif
