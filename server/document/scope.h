// The scope of an edit: what it is going to touch. The edit says it once it is checked (document_scope_METHOD in edit_*.c), and
// capture.c reads the present state of it, which makes the record that takes the edit back.
#ifndef WEFT_DOCUMENT_SCOPE_H
#define WEFT_DOCUMENT_SCOPE_H

#include "document/parts.h"

struct document_ids {
    uint32_t *items, count, capacity;
};

struct document_scope_part {
    uint32_t id;
    uint64_t parts; // PROTOCOL_HAS_RESTORE_BODY_..., PROTOCOL_RESTORE_COLLIDER_PARTS_...
};

struct document_scope_particles {
    uint32_t body, count;
    const uint32_t *particles; // NULL: all
    uint32_t fields;           // SIM_RESTORE_...
};

// Ids may be of what is not there yet, stand there twice, or be of nothing at all.
struct document_scope {
    msgpack_zone *zone;
    bool failed;       // no memory: it is not whole
    bool name, next;   // of the world; ids
    bool going;        // the constraints are about to be removed
    bool rests;        // rest angles that flow are about to be overwritten
    bool shapes;       // the same of shapes of tetrahedra
    uint64_t settings; // PROTOCOL_HAS_RESTORE_SETTINGS_...
    // Whole: with a body the loose constraints and motions that hold it, with a collider the motions that move it.
    struct document_ids bodies, constraints, colliders, motions;
    struct document_scope_part *body_parts, *collider_parts;
    uint32_t body_part_count, body_part_capacity, collider_part_count, collider_part_capacity;
    struct document_scope_particles *particles;
    uint32_t particles_count, particles_capacity;
};

// Without memory each marks the scope as failed.
void document_scope_body(struct document_scope *scope, uint32_t body);
void document_scope_constraints(struct document_scope *scope, const uint32_t *ids, uint32_t count);
// The constraints that the body came with whose rest values are about to be overwritten: of hinges, or of edges and tetrahedra.
void document_scope_rests(struct document_scope *scope, const struct document *document, uint32_t body,
                          bool angles, bool lengths);
// Adds the constraints of a plastic solid, with the shapes to which they have flowed.
void document_scope_shapes(struct document_scope *scope, const struct document *document, uint32_t body);
void document_scope_collider(struct document_scope *scope, uint32_t collider);
// A collider that is going to be removed, with the pins that follow it. Called when the particles that the edit names are in the
// scope, and bodies that go with it.
void document_scope_collider_goes(struct document_scope *scope, const struct document *document,
                                  uint32_t collider);
// With the pose of the collider that it moves, which its end leaves elsewhere.
void document_scope_motion(struct document_scope *scope, const struct document *document, uint32_t motion);
// The part of body.set's parameters and of restore_body that constraints of a kind belong to.
uint64_t document_part_of(enum sim_kind kind);
void document_scope_body_part(struct document_scope *scope, uint32_t body, uint64_t parts);
void document_scope_collider_part(struct document_scope *scope, uint32_t collider, uint64_t parts);
void document_scope_of_particles(struct document_scope *scope, uint32_t body, const uint32_t *particles,
                                 uint32_t count, uint32_t fields);

// The parameters of edit.restore that make what the scope holds what it is now, as a plain value in the zone. *out NULL:
// nothing could come back from it (numbers of a world that failed). False without memory.
bool document_capture(const struct document *document, const struct document_scope *scope, msgpack_zone *zone,
                      struct protocol_edit_restore_params **out);
void document_next_fill(const struct document *document, struct protocol_restore_next *out);

#define DOCUMENT_DECLARE_SCOPE(ident, IDENT)                                                       \
    void document_scope_##ident(const struct document *document, const struct document_edit *edit, \
                                struct document_scope *scope);
PROTOCOL_RECORDS(DOCUMENT_DECLARE_SCOPE)

#endif
