// The scope of an edit: what it is going to touch. The edit says it once it is checked (document_scope_METHOD in edit_*.c), and
// capture.c reads the present state of it, which makes the record that takes the edit back.
#ifndef WEFT_DOCUMENT_SCOPE_H
#define WEFT_DOCUMENT_SCOPE_H

#include "document/fields.h"
#include "document/parts.h"

struct document_ids {
    uint32_t *items, count, capacity;
};

struct document_scope_part {
    uint32_t id;
    uint64_t
        parts; // of a collider PROTOCOL_RESTORE_COLLIDER_PARTS_..., of a field of force PROTOCOL_HAS_FORCE_FIELD_...
};

struct document_scope_body {
    uint32_t id;
    struct document_fields fields; // of struct protocol_restore_body
};

struct document_scope_particles {
    uint32_t body, count;
    const uint32_t *particles; // NULL: all
    uint32_t fields;           // SIM_RESTORE_...
};

// Ids may be of what is not there yet, stand there twice, or be of nothing at all.
struct document_scope {
    msgpack_zone *zone;
    bool failed;                     // no memory: it is not whole
    bool name, next;                 // of the world; ids
    bool going;                      // the constraints are about to be removed
    bool rests;                      // rest angles that flow are about to be overwritten
    bool shapes;                     // the same of shapes of tetrahedra
    uint32_t constraint_fields;      // SIM_FIELD_..., of all constraints of the scope; 0: all values
    bool constraints_whole;          // some are not concerned for values alone
    struct document_fields settings; // of struct protocol_restore_settings
    // Whole: with a body the loose constraints and motions that hold it, with a collider the motions that move it.
    struct document_ids bodies, constraints, colliders, motions;
    struct document_scope_body *body_parts;
    struct document_scope_part *collider_parts, *forces;
    uint32_t body_part_count, body_part_capacity, collider_part_count, collider_part_capacity, force_count,
        force_capacity;
    struct document_scope_particles *particles;
    uint32_t particles_count, particles_capacity;
};

// Without memory each marks the scope as failed.
void document_scope_body(struct document_scope *scope, uint32_t body);
void document_scope_constraints(struct document_scope *scope, const uint32_t *ids, uint32_t count);
// Only these values of them (SIM_FIELD_...). If the scope has constraints whole as well, all count as whole.
void document_scope_constraint_values(struct document_scope *scope, const uint32_t *ids, uint32_t count,
                                      uint32_t fields);
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
void document_scope_body_part(struct document_scope *scope, uint32_t body, uint64_t parts); // whole
void document_scope_body_fields(struct document_scope *scope, uint32_t body,
                                const struct document_fields *fields);
// A field of force: those of its fields (PROTOCOL_HAS_FORCE_FIELD_...), or all of it (UINT64_MAX).
void document_scope_force(struct document_scope *scope, uint32_t force, uint64_t fields);
// Parts of a collider (PROTOCOL_RESTORE_COLLIDER_PARTS_...) with those that pose, size and surface stand for in place of these.
uint64_t document_collider_parts(uint64_t parts);
void document_scope_collider_part(struct document_scope *scope, uint32_t collider, uint64_t parts);
void document_scope_of_particles(struct document_scope *scope, uint32_t body, const uint32_t *particles,
                                 uint32_t count, uint32_t fields);

// The parameters of edit.restore that make what the scope holds what it is now, as a plain value in the zone. *out NULL:
// nothing could come back from it (numbers of a world that failed). False without memory.
bool document_capture(const struct document *document, const struct document_scope *scope, msgpack_zone *zone,
                      struct protocol_edit_restore_params **out);
// parts.c: the settings and the values of bodies that a scope names, for document_capture. False if memory runs out.
struct document_filler;
bool document_capture_settings(const struct document *document, const struct document_scope *scope,
                               const struct document_filler *filler,
                               struct protocol_edit_restore_params *out);
bool document_capture_bodies(const struct document *document, const struct document_scope *scope,
                             const struct document_filler *filler, struct protocol_edit_restore_params *out);
// The maps of a body: all fields but `has`, body and what is no map. Views into info.
void document_body_maps(const struct sim_body_info *info, struct protocol_restore_body *out);
#define DOCUMENT_BODY_MAPS                                                                                   \
    (PROTOCOL_HAS_RESTORE_BODY_STRETCH | PROTOCOL_HAS_RESTORE_BODY_BEND | PROTOCOL_HAS_RESTORE_BODY_VOLUME | \
     PROTOCOL_HAS_RESTORE_BODY_SOLID | PROTOCOL_HAS_RESTORE_BODY_PRESSURE | PROTOCOL_HAS_RESTORE_BODY_WIND | \
     PROTOCOL_HAS_RESTORE_BODY_SHAPE | PROTOCOL_HAS_RESTORE_BODY_TEAR)
// The fields that an entry restores. False if its `fields` name what is none.
bool document_settings_fields(const struct protocol_restore_settings *given, struct document_fields *fields);
bool document_body_fields(const struct protocol_restore_body *given, struct document_fields *fields);
void document_next_fill(const struct document *document, struct protocol_restore_next *out);

#define DOCUMENT_DECLARE_SCOPE(ident, IDENT)                                                       \
    void document_scope_##ident(const struct document *document, const struct document_edit *edit, \
                                struct document_scope *scope);
PROTOCOL_RECORDS(DOCUMENT_DECLARE_SCOPE)

#endif
