// What the surfaces of bodies look like, as a server tells it, for a take.
#ifndef WEFT_CLI_RECORD_LOOK_H
#define WEFT_CLI_RECORD_LOOK_H

#include "record/record.h"

#include <weft.h>

// Of body.get's look: uvs, normals and materials of a body of so many triangles. What does not fit them is left out. To
// be deinited. False without memory.
bool cli_look_take(const msgpack_object *look, uint32_t triangle_count, struct record_body *body);
void cli_look_deinit(struct record_body *body);

#endif
