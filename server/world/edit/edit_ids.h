// Remembers edits by the ids that their callers gave them, so that an edit that is sent again is answered
// again and not made twice.
//
// An id belongs to a person (owner.h) in one world. The last PROTOCOL_LIMIT_EDIT_IDS ids are known, each for
// an hour by the monotonic clock: a wrong wall clock must not cause an edit to be made twice. After a restart
// the ids of the hour before the newest record are found again in the records, and are known for an hour from
// then on. Answers take at most 16 MiB, except that the newest is always kept. An edit whose answer was
// dropped is still known, and is not made again either. A forgotten id is treated as a new one.
#ifndef WEFT_WORLD_EDIT_IDS_H
#define WEFT_WORLD_EDIT_IDS_H

#include "document/document.h"
#include "world/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct world_edit_id;

struct world_edit_ids *world_edit_ids_create(void); // NULL if memory runs out

// Hashes what an edit asks for: its parameters as they were given, without the world and the terms. False if
// memory runs out.
bool world_edit_asked(enum protocol_method method, const void *params, uint64_t *out);

// An edit that is known by its id.
struct world_edit_known {
    enum protocol_method method;
    uint64_t asked, revision;
    const void *answer; // canonical bytes of the result; NULL: dropped
    size_t size;
};
// Finds an edit by its id. False: unknown. *out stays valid until the next call of another function here.
// now_us is monotonic time in µs, here and below.
bool world_edit_ids_find(struct world_edit_ids *ids, const struct protocol_string *person,
                         const struct protocol_string *id, uint64_t now_us, struct world_edit_known *out);

// Reserves memory for an edit before it is applied. NULL if memory runs out.
struct world_edit_id *world_edit_id_create(const struct protocol_string *person,
                                           const struct protocol_string *id, uint64_t asked);
void world_edit_id_destroy(struct world_edit_id *edit_id); // For an edit that was refused. NULL is allowed.
// Adds an edit that was applied. Takes edit_id.
void world_edit_ids_add(struct world_edit_ids *ids, struct world_edit_id *edit_id,
                        const struct document_edit *edit, uint64_t revision, uint64_t now_us);

#endif
