// The look of bodies' surfaces, as a server sends it, for a take.
//
// The server is not trusted: an array is used only if its length and values fit the number of triangles.
#ifndef WEFT_CLI_RECORD_LOOK_H
#define WEFT_CLI_RECORD_LOOK_H

#include "record/record.h"

#include <weft.h>

// Reads the look of body.get: uvs, normals and materials of a body with triangle_count triangles. Fields that do not
// fit are left out. The caller deinits *body. False if memory runs out.
bool cli_look_take(const msgpack_object *look, uint32_t triangle_count, struct record_body *body);
void cli_look_deinit(struct record_body *body);

#endif
