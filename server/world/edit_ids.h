// Edits that were applied under an id of their caller's, so that one which is sent again is answered again, and not made
// again.
//
// An id is of a person (whose.h) in one world. The last PROTOCOL_LIMIT_EDIT_IDS are known, for an hour by a clock that nobody
// sets: an edit must not be made twice because the wall clock was wrong. After a restart the ids of the hour before the
// newest record are found again in the records, and are known for an hour from then on. Answers take 16 MiB at most, the newest always: an edit whose answer had to go is still known, and
// is not made again either. Beyond that an id is as good as new.
#ifndef WEFT_WORLD_EDIT_IDS_H
#define WEFT_WORLD_EDIT_IDS_H

#include "document/document.h"
#include "world/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct world_edit_id;

struct world_edit_ids *world_edit_ids_create(void); // NULL without memory

// What an edit asks for, as a number: of its parameters as they were given, without the world and the terms. False without
// memory.
bool world_edit_asked(enum protocol_method method, const void *params, uint64_t *out);

// What is known of an id.
struct world_edit_known {
    enum protocol_method method;
    uint64_t asked, revision;
    const void *answer; // the result's canonical bytes; NULL: it had to go
    size_t size;
};
// False: nothing. What *out points to stays until the next call of another function here. now_us here and below is monotonic.
bool world_edit_ids_find(struct world_edit_ids *ids, const struct protocol_string *person,
                         const struct protocol_string *id, uint64_t now_us, struct world_edit_known *out);

// Room for one that is about to be applied, before it is: NULL without memory.
struct world_edit_id *world_edit_id_create(const struct protocol_string *person,
                                           const struct protocol_string *id, uint64_t asked);
void world_edit_id_destroy(struct world_edit_id *edit_id); // it was refused; NULL is allowed
// It was applied. Takes it.
void world_edit_ids_add(struct world_edit_ids *ids, struct world_edit_id *edit_id,
                        const struct document_edit *edit, uint64_t revision, uint64_t now_us);

#endif
