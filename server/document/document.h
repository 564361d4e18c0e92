// A world as a deterministic machine: what is in it (things and names, skins, settings, physics), and what its inputs do
// to it.
//
//     input ─▶ document_check ─▶ record ─▶ document_change ─▶ next document        document_step ─▶ the next tick
//
// Every input that can change what a world will be is an edit of its own, and once it is applied a *record*: a plain value
// whose bytes have one canonical form (docs/reference/records.md). The document that a past began with and the records
// after it give the world at any tick, bit for bit, wherever they are replayed.
//
// No thread, ring, clock, socket, session or log, and no allocation while stepping. One thread at a time may use a
// document; document_body_prepare and document_make use none.
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

extern const struct sim_limits document_limits; // those of api.json

// ---------------------------------------------------------------------------------------------------------
// Things: names and sizes of what is in a world, by ascending id, in step with the sim's

struct document_earlier;
struct document_skin;
struct document_look;

// The last edit that concerned something.
struct document_touch {
    uint64_t revision; // of the document after it; 0: none since the document was made
    uint32_t session;  // whose that was
    int method;        // enum protocol_method; -1: not known
    char person[65];
};

struct document_thing {
    uint32_t id;
    uint32_t particle_count;    // bodies
    struct document_skin *skin; // bodies: owned; NULL where there is none
    struct document_look *look; // the same
    struct document_touch touched;
    uint32_t name_size;
    char name[DOCUMENT_NAME_SIZE];
};

struct document_things {
    const char *noun; // "body", "collider"
    struct document_thing *items;
    uint32_t count, capacity;
};

struct document_thing *document_things_by_id(const struct document_things *things, uint32_t id);
struct document_thing *document_things_by_name(const struct document_things *things,
                                               const struct protocol_string *name);
struct protocol_string document_thing_name(const struct document_thing *thing);

// ---------------------------------------------------------------------------------------------------------
// Documents

// Whoever hosts one reads it; only the functions below write.
struct document {
    struct sim *sim;
    uint64_t tick, revision;
    struct document_things bodies, colliders;
    struct document_touch last;             // the edit that gave it its revision, where that is known
    struct document_touch settings_touched; // of its name and settings
    char name[DOCUMENT_NAME_SIZE];          // the world's; empty until somebody gives it one
    bool failed; // a tick broke a limit, and has not been: edit.undo or world.reset mends it
    bool broken; // a tick or an edit was given up half done: nothing mends it
    // It failed because contact asks too much of a tick, which has changed nothing: any edit lets it try again.
    bool given_up;
    char reason[SIM_TEXT_MAX];
    struct protocol_warning
        *warnings; // of the document that it was made of, at most one a collider; NULL: none
    struct document_kept_warning *kept;
    uint32_t warning_count;
};

// Never changes while the document lives.
struct document_constants {
    double resolution;
    double extent_at_start;
    uint32_t tick_rate;
};

struct document *
document_create(const struct protocol_world_create_params *settings); // empty; NULL without memory
// Makes a document of a generated struct, whose arrays live in a message or a zone. The struct may hold anything, and all of it is
// checked. Any thread; the zone holds temporary memory. NULL with *error, whose field and text begin with prefix ("document." or
// "").
struct document *document_make(const struct protocol_document *given, const char *prefix, msgpack_zone *zone,
                               struct protocol_error *error);
// The same from bytes: one MessagePack map. They may go afterwards.
struct document *document_from(const void *bytes, size_t size, struct protocol_error *error);
void document_destroy(struct document *document); // NULL is allowed
// A document of all that another one holds, which keeps no more than its warnings. NULL without memory: it keeps all.
struct document *document_take(struct document *from);
// For a document that failed: the code of its refusals, and words that tell people how it can go on.
enum protocol_code document_failed_code(const struct document *document);
const char *document_mended_by(const struct document *document);

// The other way: what it is now, with views into the document and memory of the zone. The image is what they refer to: to be
// deinited by the caller where this is true. False without memory, and if the document does not stand (document_stands), as
// the functions below.
bool document_save(const struct document *document, msgpack_zone *zone, struct sim_image *image,
                   struct protocol_document *out);
// The same as bytes.
bool document_pack(const struct document *document, struct protocol_bytes *out);
// An image: with the grabs, so that what is made of it has the document's own hash.
bool document_pack_image(const struct document *document, struct protocol_bytes *out);

// The whole document as bytes: everything in a document for people, and also the grabs, the name of the world, its revision,
// touches, and the warnings (docs/reference/records.md, Images). The document that is read from them has the same hash and
// future, and tells the same about itself. False if memory runs out, and for a document that failed, which holds no numbers to go
// on with.
bool document_image_pack(const struct document *document, struct protocol_bytes *out);
// Reads an image from bytes that may come from anywhere, and are not needed afterwards. NULL with *error.
struct document *document_image_read(const void *bytes, size_t size, struct protocol_error *error);

// A document whose sim is another one (a still of it): a view, of which nothing may be asked but to save and to pack it and
// what is hashed of its sim.
struct document document_view(const struct document *document, struct sim *sim);
// Nobody holds anything: what an image says of that is of people who are elsewhere.
void document_let_go(struct document *document);

// As of world.create, without a name.
// Whether a world may be made with them, whose resolution is valid.
bool document_settings_check(const struct protocol_world_create_params *settings,
                             struct protocol_error *error);
void document_settings(const struct document *document, struct protocol_world_create_params *out);
// The warnings about the parts that it was made of (struct protocol_warning): views into the document.
struct protocol_list document_warnings(const struct document *document);
// Name of a body or collider, empty if it has none; not terminated.
struct protocol_string document_body_name(const struct document *document, uint32_t body);
struct protocol_string document_collider_name(const struct document *document, uint32_t collider);

// Finds one of document->bodies or colliders. NULL with *error (NOT_FOUND).
const struct document_thing *document_find(const struct document *document,
                                           const struct document_things *things,
                                           const struct protocol_ref *ref, struct protocol_error *error);

// A surface that a body carries: three indices of its vertices each.
struct document_surface {
    uint32_t vertex_count, triangle_count;
    const uint32_t *triangles;
};

// False if the body has no skin.
bool document_surface(const struct document *document, uint32_t body, struct document_surface *surface);
// x, y, z of each of its vertices; scratch: three doubles for each particle of the body.
void document_surface_positions(const struct document *document, uint32_t body, double *scratch, float *out);
// The same as body.get tells it: views into the document.
bool document_skin(const struct document *document, uint32_t body, struct protocol_skin *skin);
// The look of a body's surface: views into the document. False if none was given.
bool document_look(const struct document *document, uint32_t body, struct protocol_look *look);
// x, y, z of vertices first ... first + count - 1 of a skin, from those of all particles of its body.
void document_skin_positions(const struct document_skin *skin, const double *positions, uint32_t first,
                             uint32_t count, float *out);
uint32_t document_skin_count(const struct document_skin *skin); // vertices; NULL: 0

// ---------------------------------------------------------------------------------------------------------
// Parts as generated structs, and back

void document_touch_fill(const struct document_thing *thing,
                         struct protocol_touch *out); // views into the thing
void document_material_fill(const struct sim_material *material, struct protocol_material *out);
void document_bend_fill(const struct sim_body_info *info, struct protocol_bend_material *out);
void document_wind_fill(const struct sim_settings *settings, struct protocol_wind *out);
void document_ranges_fill(const uint32_t *first, const uint32_t *count,
                          struct protocol_constraint_ranges *out);
// The measures of a moment (moment.c). Grabs have no holder here, and times are 0, because a document knows neither.
void document_measures_fill(const struct sim *sim, struct protocol_measures *out);
void document_contact_fill(const struct sim *sim, struct protocol_contact *out);
// The list is in *owned, which the caller frees. False without memory.
bool document_contacts_fill(const struct document *document, struct protocol_contacts *out,
                            struct protocol_contact_places **owned);
void document_grab_fill(const struct sim_grab *grab, struct protocol_grab_summary *out);
// By position, so many substeps into a tick. False where no motion moves it.
bool document_pose_fill(const struct sim *sim, uint32_t position, uint32_t substep,
                        struct protocol_collider_pose *out);
void document_error_fault(struct protocol_error *error, const struct sim_fault *fault);
void document_error_memory(struct protocol_error *error, enum protocol_method method);

// ---------------------------------------------------------------------------------------------------------
// Inputs

// Bodies that an edit brings, the part that needs no document: edges, rest shape, order, colours; the skin and the look
// where it has them. body.add has one, edit.restore those that come back, edit.batch those of its edits.
struct document_plans {
    uint32_t part_count;
    struct document_plans *
        *parts; // edit.batch: those of each of its edits, NULL where it needs none; else NULL
    uint32_t count;
    struct document_body_plan {
        struct sim_body_plan *plan; // NULL: taken
        struct document_skin *skin;
        struct document_look *look;
    } items[];
};

bool document_prepares(enum protocol_method method); // whether it is one of those
// Prepares the parameters of one of those methods. Any thread. NULL with *error if they are refused.
struct document_plans *document_prepare(enum protocol_method method, const void *params,
                                        const struct document_constants *constants,
                                        struct protocol_error *error);
void document_plans_destroy(struct document_plans *plans);       // NULL is allowed
size_t document_plans_bytes(const struct document_plans *plans); // of memory, about; NULL: 0

// The parts that an edit concerned, so that two edits can be asked whether they meet (touches.c). Sorted; a plain value.
enum document_touched_kind {
    DOCUMENT_TOUCHED_NAME,     // of the world
    DOCUMENT_TOUCHED_SETTINGS, // parts: PROTOCOL_HAS_RESTORE_SETTINGS_...
    DOCUMENT_TOUCHED_BODY,     // all of it: it came, or went
    DOCUMENT_TOUCHED_BODY_PART,
    DOCUMENT_TOUCHED_BODY_OWN,  // some of the constraints of those parts that it came with
    DOCUMENT_TOUCHED_BODY_HELD, // by a loose constraint or a motion: it cannot go without those
    DOCUMENT_TOUCHED_PARTICLES, // first to last of it; parts: SIM_RESTORE_...
    DOCUMENT_TOUCHED_CONSTRAINTS,
    DOCUMENT_TOUCHED_COLLIDER,
    DOCUMENT_TOUCHED_COLLIDER_PART,
    DOCUMENT_TOUCHED_COLLIDER_HELD,
    DOCUMENT_TOUCHED_MOTION,
    DOCUMENT_TOUCHED_KINDS,
};

struct document_touched {
    uint32_t kind;
    uint32_t id; // of the thing; 0: the world, constraints
    uint64_t parts;
    uint32_t first, last;
};

struct document_touches {
    struct document_touched *items;
    uint32_t count;
    bool lost; // there was no memory for them: nothing is known
};

// Whether both concerned the same: *where is what of one.
bool document_touches_meet(const struct document_touches *one, const struct document_touches *other,
                           const struct document_touched **where);
// In words, for people: `stretch of body 3 "flag"`.
void document_touched_text(const struct document *document, const struct document_touched *touched, char *out,
                           size_t size);

// Steps (struct protocol_restore_step, one after another) without what needs things that are gone, or names that others have by
// now; of each that is left out an entry (struct protocol_undo_left_out). All in the zone. False without memory.
bool document_prune(const struct document *document, msgpack_zone *zone, struct protocol_list *steps,
                    struct protocol_list *left_out);
// The things that steps bring back have ids that were given before. Next ids may be below those by now, because later additions
// were taken back as well. Then the steps say that next ids are to be above.
void document_back_ids(const struct document *document, struct protocol_list *steps);
void document_restore_params(const struct protocol_restore_step *step,
                             struct protocol_edit_restore_params *out);
void document_restore_step(const struct protocol_edit_restore_params *params,
                           struct protocol_restore_step *out);

// One input on its way. The method is one that makes a record (api.json).
struct document_edit {
    enum protocol_method method;
    const void *params;             // generated struct, as decoded; only read
    struct document_plans *plans;   // made ready for it (document_prepare); emptied when it is applied
    uint32_t session;               // who asks
    const char *person;             // their name; NULL: none
    msgpack_zone *zone;             // where all that comes out lives
    struct protocol_string edit_id; // that the caller gave it; empty: none
    uint64_t asked;                 // what was asked under that id, as a number; for its record
    bool wants_inverse;
    // Asked before each edit of a batch and each step of edit.undo and edit.redo but the first, which together may take long.
    // False: nobody will see what comes of it. It is given up half done and refused, which breaks the document. NULL: never.
    bool (*go_on)(void *context);
    void *context;
    // True: a client asks for the edit. Next ids do not go back, nothing comes back under an id that is in use, and the
    // resolved parameters say so. An edit.restore that contradicts itself is refused. False: a record is applied again,
    // and does what it says.
    bool live;
    // An edit.restore that the document made itself, for edit.undo and edit.redo: it may speak twice of one thing, in the order in
    // which that was changed.
    bool is_own;
    // Whether what the document is after the edit is allowed. If not (*error is set), the edit is taken back and refused. NULL: it is.
    bool (*allows)(void *context, const struct document *document, struct protocol_error *error);
    void *allows_context;
    bool (*apply)(struct document *document,
                  struct document_edit *edit); // for edit.batch; document_check sets it
    const struct document_earlier *before;     // one of a batch: what was before that; NULL for all others
    // The outcome.
    // From document_change, if it is wanted: the parameters of the edit.restore that takes it back. NULL: nothing could
    // (world.reset of a world that failed), or there is nothing to take back (grabs).
    const struct protocol_edit_restore_params *inverse;
    // The same as a list, of struct protocol_restore_step, in the order in which they take it back; edit.batch, edit.undo and
    // edit.redo have this alone. Empty where nothing takes it back.
    struct protocol_list back;
    struct document_touches
        touches;    // where it is wanted: what it concerned, also where nothing takes it back
    void *resolved; // of document_check: the parameters with names of things as ids
    void *result;   // of document_change: generated struct
    struct protocol_error error;
    void *ready; // the method's own, between the two
    const bool *
        concerned; // of document_check: bodies by position, besides those that the parameters name; NULL: none
};

// The terms of an edit (terms of api.json), which every one has. None is part of the resolved parameters, nor of a record.
// The id that its caller gave it; empty: none.
struct protocol_string document_edit_id(enum protocol_method method, const void *params);
// The epoch that its caller asked for it under; NULL: any.
const uint64_t *document_if_epoch(enum protocol_method method, const void *params);
void document_terms_drop(enum protocol_method method, void *params); // as if none had been given
// Marks the answer as that of an edit that was applied before.
void document_result_repeated(enum protocol_method method, void *result);

// Whether it can be applied to the document as it is, as far as that can be said without the physics; resolves it. False
// with edit->error.
bool document_check(const struct document *document, struct document_edit *edit);
// Applies what was checked, with nothing in between. False with edit->error: then nothing changed.
bool document_change(struct document *document, struct document_edit *edit);
// Both.
bool document_apply(struct document *document, struct document_edit *edit);

// One tick, or a part of it, as sim_step. Counts it when it ends; where it failed, so has the document.
bool document_step(struct document *document, struct base_parallel *parallel, const struct sim_hooks *hooks);
// Gives up the tick that rests, and breaks the document, since its state is that of no moment from then on. It still tells
// names, counts and the last tick that was completed. It has no hash, no image and no bytes, takes no edit and makes no tick.
void document_step_drop(struct document *document);
// The hash of a document that stands between two ticks.
uint64_t document_hash(const struct document *document);
// Whether it does: no tick is under way, and it is not broken.
bool document_stands(const struct document *document);
// The hash of any document: false, and *hash is 0, if it does not stand.
bool document_hash_now(const struct document *document, uint64_t *hash);
// Ticks pass by a document that failed, and it stands as it is; tick is not before its own.
void document_idle(struct document *document, uint64_t tick);

// ---------------------------------------------------------------------------------------------------------
// Records (record.c; docs/reference/records.md)

struct document_record {
    uint64_t sequence; // from 1, without gaps
    uint64_t tick;     // boundary at which it applied
    uint64_t revision; // of the document after it
    struct protocol_string person;
    uint32_t session;
    struct protocol_string edit_id; // that a client gave it; empty: none
    uint64_t asked;                 // with an id: what was asked under it, as a number; else 0
    uint64_t at_us;                 // wall clock, since 1970; for people, never read by the machine
    enum protocol_method method;
    const void *params; // generated structs
    const void *result;
};

// Its canonical bytes.
void document_record_pack(const struct document_record *record, msgpack_packer *packer);
// From bytes that may come from anywhere; what they say lives in the zone. False with *error.
bool document_record_read(const void *bytes, size_t size, msgpack_zone *zone, struct document_record *record,
                          struct protocol_error *error);
// Applies it to a document that stands at the record's tick, and looks whether that came to the recorded result. False
// with *error; where the machine came to another result, the document is of no use any more.
bool document_replay(struct document *document, const struct document_record *record, msgpack_zone *zone,
                     struct protocol_error *error);
// The same where the document is not the one that it was an input of: an edit before it is left out, or another solver came
// here. Whatever it comes to is taken; *result is a generated struct in the zone. False with *error: then nothing changed.
bool document_redo(struct document *document, const struct document_record *record, msgpack_zone *zone,
                   const void **result, struct protocol_error *error);

#endif
