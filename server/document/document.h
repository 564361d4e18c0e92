// A world as a deterministic machine: its content (bodies and colliders with their names, skins, settings, physics), and what
// inputs do to it.
//
//     input ─▶ document_check ─▶ record ─▶ document_change ─▶ next document        document_step ─▶ the next tick
//
// Every input that can change the future of a world is an edit here. Once applied it is a *record*: a plain value whose bytes have
// one canonical form (docs/reference/records.md). A document and the records after it give the world at any later tick, bit
// for bit, wherever they are replayed.
//
// A document has no thread, ring, clock, socket, session or log, and allocates nothing while it steps. One thread at a time may use
// a document. document_make, document_from and document_prepare work on no document, and any thread may call them.
#ifndef WEFT_DOCUMENT_DOCUMENT_H
#define WEFT_DOCUMENT_DOCUMENT_H

#include "protocol/bytes.h"
#include "protocol/error.h"
#include "protocol/generated/api.h"
#include "sim/sim.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>

struct base_parallel;

enum { DOCUMENT_NAME_SIZE = PROTOCOL_LIMIT_NAME_BYTES + 1 };

extern const struct sim_limits document_limits; // the limits of api.json

// ---------------------------------------------------------------------------------------------------------
// Things: the bodies and the colliders, each sorted by id, in the same order as in the sim

struct document_earlier;
struct document_skin;
struct document_look;

// The last edit that concerned a thing.
struct document_touch {
    uint64_t revision; // of the document after the edit; 0: none since the document was made
    uint32_t session;  // the session that made it
    int method;        // enum protocol_method; -1: not known
    char person[65];   // the person that made it; empty: not known
};

struct document_thing {
    uint32_t id;
    uint32_t particle_count;    // of a body
    struct document_skin *skin; // of a body: owned; NULL: it has none
    struct document_look *look; // of a body: owned; NULL: it has none
    struct document_touch touched;
    uint32_t name_size; // bytes; 0: no name
    char name[DOCUMENT_NAME_SIZE];
};

struct document_things {
    const char *noun; // "body", "collider"
    struct document_thing *items;
    uint32_t count, capacity;
};

// These return NULL if there is none.
struct document_thing *document_things_by_id(const struct document_things *things, uint32_t id);
struct document_thing *document_things_by_name(const struct document_things *things,
                                               const struct protocol_string *name);
struct protocol_string document_thing_name(const struct document_thing *thing);

// ---------------------------------------------------------------------------------------------------------
// Documents

// Owners of a document read its members; only the functions below write them.
struct document {
    struct sim *sim;
    uint64_t tick, revision;
    uint64_t tears; // ticks in which something tore, since the document was made
    struct document_things bodies, colliders;
    struct document_touch last;             // the edit that led to the present revision, if it is known
    struct document_touch settings_touched; // the last edit of the world's name or settings
    char name[DOCUMENT_NAME_SIZE];          // of the world; empty: none
    bool failed; // a tick broke a limit and was not completed: edit.undo or world.reset repairs it
    bool broken; // a tick or an edit was abandoned half done: nothing repairs it
    // It failed because contact would take too much work in a tick. That tick changed nothing, so any edit lets it try again.
    bool given_up;
    char reason[SIM_TEXT_MAX]; // why it failed, for people
    struct protocol_warning
        *warnings; // about the parts that it was made from, at most one for each collider; NULL: none
    struct document_kept_warning *kept; // memory of the warnings
    uint32_t warning_count;
};

// Properties that never change while a document lives.
struct document_constants {
    double resolution;      // m, of positions
    double extent_at_start; // m
    uint32_t tick_rate;     // Hz
};

// Creates an empty document. settings must have passed document_settings_check. NULL if memory runs out.
struct document *document_create(const struct protocol_world_create_params *settings);
// Makes a document from a generated struct. The struct may hold anything, and all of it is checked. The zone is used for temporary
// memory. NULL with *error, whose field and text begin with prefix ("document." or "").
struct document *document_make(const struct protocol_document *given, const char *prefix, msgpack_zone *zone,
                               struct protocol_error *error);
// The same from bytes: one MessagePack map. The document does not refer to them.
struct document *document_from(const void *bytes, size_t size, struct protocol_error *error);
void document_destroy(struct document *document); // NULL is allowed
// Moves everything except the warnings into a new document; the caller still destroys `from`. NULL, and nothing moves, if memory
// runs out.
struct document *document_take(struct document *from);
// For a document that failed: the code with which it refuses, and a phrase that tells people how it can go on.
enum protocol_code document_failed_code(const struct document *document);
const char *document_mended_by(const struct document *document);

// The functions that save fail if memory runs out, or unless document_stands.
//
// The document for people, as world.save gives it: *out has views into the document, the zone and *image. If it returns true the caller
// deinits the image once *out is not used any more.
bool document_save(const struct document *document, msgpack_zone *zone, struct sim_image *image,
                   struct protocol_document *out);
// The same as bytes, appended to *out.
bool document_pack(const struct document *document, struct protocol_bytes *out);
// The same with grabs, so that the document made from it has the same hash.
bool document_pack_image(const struct document *document, struct protocol_bytes *out);

// The image of a document (docs/reference/records.md, Images): everything that document_save gives, and also grabs, the world's name,
// its revision, touches and warnings. The document that is read from it has the same hash and future, and says the same about
// itself. Also false for a document that failed, because its numbers are of no use.
bool document_image_pack(const struct document *document, struct protocol_bytes *out);
// Reads an image from bytes that are not trusted, and are not needed afterwards. NULL with *error.
struct document *document_image_read(const void *bytes, size_t size, struct protocol_error *error);

// A shallow copy of the document with another sim, a still of its own. It may only be saved, packed and hashed, and must not be
// destroyed.
struct document document_view(const struct document *document, struct sim *sim);
// Releases all grabs, because those in an image belong to sessions that do not exist here.
void document_let_go(struct document *document);

// Settings are the parameters of world.create, without the name.
// Whether a world can be made with them. False with *error. The resolution must be valid.
bool document_settings_check(const struct protocol_world_create_params *settings,
                             struct protocol_error *error);
void document_settings(const struct document *document, struct protocol_world_create_params *out);
// The warnings (struct protocol_warning) about the parts that the document was made from: views into it.
struct protocol_list document_warnings(const struct document *document);
// The name of a body or collider, not terminated: a view. Empty if it has no name, or there is no such thing.
struct protocol_string document_body_name(const struct document *document, uint32_t body);
struct protocol_string document_collider_name(const struct document *document, uint32_t collider);

// Finds one of document->bodies or colliders. NULL with *error (NOT_FOUND).
const struct document_thing *document_find(const struct document *document,
                                           const struct document_things *things,
                                           const struct protocol_ref *ref, struct protocol_error *error);

// The skin of a body: a surface that the body's particles carry.
struct document_surface {
    uint32_t vertex_count, triangle_count;
    const uint32_t *triangles; // three vertex indices each: a view
};

// False if the body has no skin.
bool document_surface(const struct document *document, uint32_t body, struct document_surface *surface);
// Writes x, y, z of each vertex of the skin, m. scratch has room for three doubles for each particle of the body.
void document_surface_positions(const struct document *document, uint32_t body, double *scratch, float *out);
// The skin in the form of body.get: views into the document. False if the body has none.
bool document_skin(const struct document *document, uint32_t body, struct protocol_skin *skin);
// The look of a body's surface (uvs, normals, materials): views into the document. False if it has none.
bool document_look(const struct document *document, uint32_t body, struct protocol_look *look);
// Writes x, y, z of vertices first ... first + count - 1 of a skin, from the positions of all particles of its body.
void document_skin_positions(const struct document_skin *skin, const double *positions, uint32_t first,
                             uint32_t count, float *out);
uint32_t document_skin_count(const struct document_skin *skin); // vertices; NULL: 0

// ---------------------------------------------------------------------------------------------------------
// Parts as generated structs

void document_touch_fill(const struct document_thing *thing,
                         struct protocol_touch *out); // views into the thing
void document_material_fill(const struct sim_material *material, struct protocol_material *out);
void document_stretch_fill(const struct sim_body_info *info, struct protocol_stretch_material *out);
void document_bend_fill(const struct sim_body_info *info, struct protocol_bend_material *out);
// The solid of a body; `out` is left alone, and the answer is false, if it has none.
bool document_solid_fill(enum sim_solid model, const struct sim_material *solid,
                         struct protocol_solid_material *out);
void document_force_fill(const struct sim_force *force,
                         struct protocol_force_field *out); // a view into the force
// Views into the forces; room for SIM_FORCES_MAX items.
void document_forces_fill(const struct sim_force_fields *forces, struct protocol_force_field *items,
                          struct protocol_force_fields *out);
// Rows of surfaces (surfaces.c): views into them; room for SIM_SURFACES_MAX items. And the name of one, of a view as well.
void document_surfaces_fill(const struct sim_surfaces *surfaces, struct protocol_surface_pair *items,
                            struct protocol_list *out);
struct protocol_string document_surface_told(const char name[SIM_SURFACE_SIZE]);
// The rod of a body; `out` is left alone, and the answer is false, if it is NULL.
bool document_rod_fill(const struct sim_rod *rod, struct protocol_rod *out);
// The same of the shape of pieces. parts: room for those of a compound.
bool document_rigid_fill(const struct sim_rigid_shape *shape, struct protocol_rigid_part *parts,
                         struct protocol_rigid *out);
void document_pressure_fill(const struct sim_pressure *pressure, struct protocol_pressure *out);
// Finds the material of the table that has these numbers. False, and *name is 0, if none does.
bool document_named_find(const struct protocol_stretch_material *stretch,
                         const struct protocol_bend_material *bend, int *name);
// Fills the coefficients of a body in the air. Returns whether any is its own.
bool document_own_wind_fill(const struct sim_own_wind *wind, struct protocol_own_wind *out);
// Fills vectors that say what acts on a body, and tells which are there: bit 0 gravity, bit 1 a force, bit 2 its ticks.
unsigned document_pull_fill(const struct sim_own_gravity *gravity, const struct sim_body_force *force,
                            double out_gravity[3], double out_force[3], uint32_t *out_ticks);
// Returns the bits of a message that document_pull_fill says, given those of its fields.
uint64_t document_pull_has(unsigned filled, uint64_t gravity, uint64_t force, uint64_t ticks);
// Positions are those of `matching`, and not copied.
void document_shape_fill(const struct sim_matching *matching, uint32_t particles, struct protocol_shape *out);
bool document_tear_fill(const struct sim_tear *tear, struct protocol_tear *out); // false: it does not tear
void document_wind_fill(const struct sim_settings *settings, struct protocol_wind *out);
void document_ranges_fill(const uint32_t *first, const uint32_t *count,
                          struct protocol_constraint_ranges *out);
// moment.c: the present moment. A document knows neither holders of grabs nor times, so these members are empty or 0.
void document_measures_fill(const struct sim *sim, struct protocol_measures *out);
void document_contact_fill(const struct sim *sim, struct protocol_contact *out);
// *out refers to *owned, which the caller frees. False if memory runs out.
bool document_contacts_fill(const struct document *document, struct protocol_contacts *out,
                            struct protocol_contact_places **owned);
void document_grab_fill(const struct sim_grab *grab, struct protocol_grab_summary *out);
// The pose of a collider, given by its position in the list, `substep` substeps into the tick. False if no motion moves it.
bool document_pose_fill(const struct sim *sim, uint32_t position, uint32_t substep,
                        struct protocol_collider_pose *out);
// Turn a fault of the sim, and a lack of memory, into errors.
void document_error_memory(struct protocol_error *error, enum protocol_method method);

// ---------------------------------------------------------------------------------------------------------
// Inputs

// Plans: the long computations for bodies that an edit adds, which need no document: edges, rest shape, order, colours, skin and look.
// A worker makes them before the edit reaches its world. body.add has one body, edit.restore those that come back.
struct document_plans {
    uint32_t part_count;           // of edit.batch: its number of edits
    struct document_plans **parts; // of edit.batch: the plans of each edit, or NULL; else NULL
    uint32_t count;                // bodies
    struct document_body_plan {
        struct sim_body_plan *plan; // NULL once the edit was applied
        struct document_skin *skin;
        struct document_look *look;
    } items[];
};

bool document_prepares(enum protocol_method method); // whether edits of this method need plans
// Makes the plans for such an edit. Any thread. NULL with *error if the parameters are refused.
struct document_plans *document_prepare(enum protocol_method method, const void *params,
                                        const struct document_constants *constants,
                                        struct protocol_error *error);
void document_plans_destroy(struct document_plans *plans);       // NULL is allowed
size_t document_plans_bytes(const struct document_plans *plans); // memory in use, about; NULL: 0

// Touches: the parts of a world that an edit concerned (touches.c). Two edits conflict if their touches meet. The items are sorted.
enum document_touched_kind {
    DOCUMENT_TOUCHED_NAME,     // the world's
    DOCUMENT_TOUCHED_SETTINGS, // parts: PROTOCOL_HAS_RESTORE_SETTINGS_...; see struct document_touched
    DOCUMENT_TOUCHED_BODY,     // the whole body: it was added or removed
    DOCUMENT_TOUCHED_BODY_PART,
    DOCUMENT_TOUCHED_BODY_OWN, // some of the constraints that the body was added with
    DOCUMENT_TOUCHED_BODY_HELD, // a loose constraint or a motion needs the body, which cannot be removed without it
    DOCUMENT_TOUCHED_PARTICLES, // particles first to last of the body; parts: SIM_RESTORE_...
    DOCUMENT_TOUCHED_CONSTRAINTS,
    DOCUMENT_TOUCHED_COLLIDER, // the same for colliders
    DOCUMENT_TOUCHED_COLLIDER_PART,
    DOCUMENT_TOUCHED_COLLIDER_HELD,
    DOCUMENT_TOUCHED_MOTION,
    DOCUMENT_TOUCHED_KINDS,
};

// An item about values (SETTINGS, BODY_PART, COLLIDER_PART) tells of fields: `parts` alone of fields that are concerned whole. With
// `first`, parts is one map, and first has bits of its fields; with `last`, first is one map of that map, and last has bits of its
// fields. Of forces, first is the id of a field of force, and last has bits of its fields (0: all).
struct document_touched {
    uint32_t kind;        // enum document_touched_kind
    uint32_t id;          // of the thing; 0 for the world and for constraints
    uint64_t parts;       // bits; which ones depends on kind. Of constraints SIM_FIELD_..., 0: all
    uint32_t first, last; // of particles or constraints; else see above
};

enum { DOCUMENT_WHAT_SIZE = 256 }; // room for the text of an item

struct document_touches {
    struct document_touched *items;
    uint32_t count;
    bool lost; // memory ran out, so they are not known
};

// Whether both concern a common part. Calls `tell` (NULL: does not) with each common part until it returns false.
bool document_touches_meet(const struct document_touches *one, const struct document_touches *other,
                           bool (*tell)(void *context, const struct document_touched *common), void *context);
// Whether each part that `part` concerns is one that `whole` concerns. It may say no although that is so.
bool document_touches_cover(const struct document_touches *whole, const struct document_touches *part);
// The same of two items. And whether two items are about values of one thing.
bool document_touched_covers(const struct document_touched *whole, const struct document_touched *part);
bool document_touched_beside(const struct document_touched *one, const struct document_touched *other);
// Describes an item for people: `stretch of body 3 "flag"`.
void document_touched_text(const struct document *document, const struct document_touched *touched, char *out,
                           size_t size);

// The fields of an item: `stretch.damping, friction`. Empty: all of the thing.
void document_touched_fields(const struct document_touched *touched, char *out, size_t size);
// The kind of the item's thing, and its id: "world", "body", "collider", "constraint", "motion" or "force".
const char *document_touched_thing(const struct document_touched *touched, uint32_t *id);

// Removes from steps of undo (struct protocol_restore_step, in order) all that needs things which are gone, or names that other things
// have now. *left_out gets an entry (struct protocol_undo_left_out) for each removed part. Both lists are in the zone. False if
// memory runs out.
bool document_prune(const struct document *document, msgpack_zone *zone, struct protocol_list *steps,
                    struct protocol_list *left_out);
// Makes the steps raise the next ids above the ids that they bring back. Without this, later things could get ids that were given
// before, because undo of additions lowers next ids.
void document_back_ids(const struct document *document, struct protocol_list *steps);
// Copy between a step and the parameters of edit.restore; the copy has views into the original.
void document_restore_params(const struct protocol_restore_step *step,
                             struct protocol_edit_restore_params *out);
void document_restore_step(const struct protocol_edit_restore_params *params,
                           struct protocol_restore_step *out);

// One input, from check to change. The method is one that makes a record (`record` in api.json).
struct document_edit {
    enum protocol_method method;
    const void *params;             // generated struct, as decoded; only read
    struct document_plans *plans;   // of document_prepare; emptied when the edit is applied
    uint32_t session;               // the session that asks
    const char *person;             // its person's name; NULL: none
    msgpack_zone *zone;             // holds all results
    struct protocol_string edit_id; // id that the caller gave the edit; empty: none
    uint64_t asked;                 // hash of what was asked under that id, for the record
    uint64_t gesture;   // as in struct document_record; the world sets it once the edit is applied
    bool wants_inverse; // fill `inverse` and `back`
    // Called before each edit of a batch and each step of edit.undo and edit.redo, except the first, because together they may take
    // long. False: the result is of no use to anybody; the edit is then abandoned half done and refused, which breaks the
    // document. NULL: always true.
    bool (*go_on)(void *context);
    void *context; // for go_on
    // True: a client asks for the edit. Next ids then never decrease, nothing comes back under an id that is in use, and the
    // resolved parameters say so. An edit.restore that contradicts itself is refused. False: a record is applied again, exactly
    // as it says.
    bool live;
    // An edit.restore that the document made itself for edit.undo or edit.redo. It may name one thing twice, in the order in which
    // that was changed.
    bool is_own;
    // Called after the edit: whether the document is allowed to be like this. If not (*error is set), the edit is reverted and
    // refused. NULL: always true.
    bool (*allows)(void *context, const struct document *document, struct protocol_error *error);
    void *allows_context;
    bool (*apply)(struct document *document,
                  struct document_edit *edit); // for edit.batch; document_check sets it
    const struct document_earlier *before; // for an edit of a batch: the state before the batch; else NULL
    // The outcome.
    // document_change, if wants_inverse: the parameters of the edit.restore that reverts this edit. NULL: nothing reverts it
    // (world.reset of a world that failed), or there is nothing to revert (grabs).
    const struct protocol_edit_restore_params *inverse;
    // The same as a list of struct protocol_restore_step, in the order in which they are applied. edit.batch, edit.undo and
    // edit.redo have only this one. Empty if nothing reverts the edit.
    struct protocol_list back;
    struct document_touches
        touches;    // with wants_inverse: what the edit concerned, also if nothing reverts it
    void *resolved; // document_check: the parameters with the names of things replaced by ids
    void *result;   // document_change: generated struct of the result
    struct protocol_error error;
    void *ready; // private: passed from check to change
    const bool *
        concerned; // document_check: by position of bodies: those concerned besides the ones that params name
};

// Terms of an edit: optional fields that every edit has (terms of api.json). They are neither part of the resolved parameters nor of
// a record.
// The id that the caller gave the edit; empty: none.
struct protocol_string document_edit_id(enum protocol_method method, const void *params);
// The gesture of which a caller says that an edit is a part; empty: none.
struct protocol_string document_gesture(enum protocol_method method, const void *params);
// The epoch under which alone the caller wants the edit applied; NULL: any.
const uint64_t *document_if_epoch(enum protocol_method method, const void *params);
void document_terms_drop(enum protocol_method method, void *params); // clears all terms
// Marks a result as that of an edit that had been applied before (a request that was sent twice).
void document_result_repeated(enum protocol_method method, void *result);

// Checks whether the edit can be applied to the document as it is, as far as that is known without the physics, and resolves its
// parameters. Changes nothing. False with edit->error.
bool document_check(const struct document *document, struct document_edit *edit);
// Applies an edit that was checked; the document must not have changed since. False with edit->error, and nothing changed.
bool document_change(struct document *document, struct document_edit *edit);
// Checks and applies.
bool document_apply(struct document *document, struct document_edit *edit);

// Runs one tick, or a part of it, as sim_step does. Returns true and counts the tick when it is complete; if it failed the document
// has failed.
bool document_step(struct document *document, struct base_parallel *parallel, const struct sim_hooks *hooks);
// Abandons the tick that is partly done. This breaks the document, because its state is that of no moment. It still has names, counts
// and the last complete tick, but no hash, image or bytes, and takes neither edits nor ticks.
void document_step_drop(struct document *document);
// The hash of a document that stands.
uint64_t document_hash(const struct document *document);
// Whether the document stands at a boundary: no tick is partly done, and it is not broken.
bool document_stands(const struct document *document);
// The hash of any document. False, and *hash is 0, if it does not stand.
bool document_hash_now(const struct document *document, uint64_t *hash);
// Advances the tick of a document that failed, which otherwise stays as it is. tick is not below the present one.
void document_idle(struct document *document, uint64_t tick);

// ---------------------------------------------------------------------------------------------------------
// Records (record.c; docs/reference/records.md)

struct document_record {
    uint64_t sequence; // from 1, without gaps
    uint64_t tick;     // boundary at which it was applied
    uint64_t revision; // of the document after it
    struct protocol_string person;
    uint32_t session;
    struct protocol_string edit_id; // id that a client gave the edit; empty: none
    uint64_t asked;                 // with an edit_id: hash of what was asked under it; else 0
    uint64_t gesture;               // revision of the first edit of its gesture; 0: it belongs to none
    uint64_t at_us;                 // wall clock, µs since 1970; for people only, it decides nothing
    enum protocol_method method;
    const void *params; // generated struct of the resolved parameters
    const void *result; // generated struct of the result
};

// Packs the canonical bytes of a record.
void document_record_pack(const struct document_record *record, msgpack_packer *packer);
// Reads a record from bytes that are not trusted. *record has views into the bytes and the zone. False with *error.
bool document_record_read(const void *bytes, size_t size, msgpack_zone *zone, struct document_record *record,
                          struct protocol_error *error);
// Applies a record to a document that stands at the record's tick, and compares the result with the recorded one. False with *error.
// If the results differ (INTERNAL), the document is of no use any more.
bool document_replay(struct document *document, const struct document_record *record, msgpack_zone *zone,
                     struct protocol_error *error);
// Applies a record to a document that differs from the original, because an earlier edit is left out or the solver is another one.
// Any result is accepted; *result is a generated struct in the zone. False with *error, and nothing changed.
bool document_redo(struct document *document, const struct document_record *record, msgpack_zone *zone,
                   const void **result, struct protocol_error *error);

#endif
