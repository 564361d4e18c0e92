// import_files.c: controls which files assimp may read.
//
//     the file itself    from memory, as source->bytes has it
//     beside it          only in its folder or below, and only the buffers of a glTF and the materials of an OBJ
//     any other file     refused
#ifndef WEFT_MESH_IMPORT_FILES_H
#define WEFT_MESH_IMPORT_FILES_H

#include "internal.h"

#include <assimp/cfileio.h>

// source must outlive the result. source->missing gets the name of a file that could not be opened.
struct aiFileIO mesh_import_files(struct mesh_source *source);

#endif
