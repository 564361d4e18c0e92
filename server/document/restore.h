// The parameters of edit.restore in the form that the sim takes (restore.c), for edit_restore.c.
#ifndef WEFT_DOCUMENT_RESTORE_H
#define WEFT_DOCUMENT_RESTORE_H

#include "document/maker.h"
#include "document/scope.h"

struct document_restore {
    const struct protocol_edit_restore_params *given;
    struct document_maker maker;
    struct document_ids removed_bodies, removed_constraints, removed_colliders, removed_motions;
    struct sim_settings settings;
    uint64_t gusts_lost; // fields of the wind that are given and mean nothing, because there are no gusts
    struct sim_image_collider *colliders; // these and the next are one for each that is given
    struct sim_image_constraints *batches;
    struct sim_own *own;
    struct sim_motion *motions;
    struct sim_restore_particles *particles;
    struct document_ids touched_bodies, touched_colliders;
};

// Reads decoded parameters, which may say anything: lengths and names are checked here, and the sim checks the physics. Its
// pointers lead into the zone or the parameters. False with *error, whose field begins with its place.
bool document_restore_read(const struct document *document, const struct protocol_edit_restore_params *given,
                           msgpack_zone *zone, struct protocol_error *error,
                           struct document_restore *restore);
// Whether no thing is to go and to be there, and each is spoken of once (restore_agree.c).
bool document_restore_agrees(const struct document *document, const struct document_restore *restore);
bool document_ids_have(const struct document_ids *ids, uint32_t id);
// Whether each name that is given is free once all is done.
bool document_restore_names_free(const struct document *document, const struct document_restore *restore);
// restore_parts.c: restores an entry of `parts`, which was read. False with the maker's error, and nothing changed.
bool document_restore_body_part(struct document *document, const struct document_maker *maker,
                                const struct protocol_restore_body *part, uint32_t index);
// A collider that is there with those parts (PROTOCOL_RESTORE_COLLIDER_PARTS_...) of another state of it.
void document_restore_merge(const struct sim_image_collider *given, uint32_t parts,
                            struct sim_image_collider *collider);

#endif
