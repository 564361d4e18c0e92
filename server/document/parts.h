// Shared by the files of this module. Nothing outside server/document includes it, except its tests.
//
//     edit.c ── table ──▶ edit_*.c: check, change ──▶ things.c, skin.c, look.c, sim
//     make.c, make_body.c ◀─ document ─▶ save.c         record.c: edits as bytes         image.c: all of it as bytes
#ifndef WEFT_DOCUMENT_PARTS_H
#define WEFT_DOCUMENT_PARTS_H

#include "document/document.h"
#include "document/reader.h"
#include "protocol/array.h"

enum {
    DOCUMENT_BATCHES_MAX = 4096, // entries of a document's list of constraints
    DOCUMENT_LOOK_MATERIALS_MAX = 4096,
    DOCUMENT_WARNING_TEXT = 288, // two names and two numbers
};

// ---------------------------------------------------------------------------------------------------------
// skin.c: surfaces that go along with bodies

// Four particles and weights a vertex; weights[4 v + 3] is what the others leave of 1.
struct document_skin {
    uint32_t vertex_count, triangle_count;
    uint32_t *particles;
    float *weights;
    uint32_t *triangles;
};

// Makes the skin of a body that was given vertex_count vertices. welded tells the particle that each became (NULL: itself). NULL
// with *error if it is refused.
struct document_skin *document_skin_create(const struct protocol_skin *given, uint32_t vertex_count,
                                           const uint32_t *welded, struct protocol_error *error);
void document_skin_destroy(struct document_skin *skin); // NULL is allowed
size_t document_skin_bytes(const struct document_skin *skin);
void document_skin_fill(const struct document_skin *skin, struct protocol_skin *out); // views into the skin
// Whether the skins of all bodies and one more (NULL: none) are within a world's limits; false with *error.
bool document_skin_fits(const struct document_things *bodies, const struct document_skin *skin,
                        struct protocol_error *error);

// ---------------------------------------------------------------------------------------------------------
// look.c: what surfaces look like

struct document_look {
    uint32_t triangle_count, material_count;
    float *uvs, *normals;         // 6 and 9 a triangle; NULL: none
    uint32_t *triangle_materials; // NULL: all the first
    struct protocol_look_material *materials;
    char (*names)[DOCUMENT_NAME_SIZE];  // of the materials
    struct protocol_look_image *images; // data points to memory of the look's own
    uint32_t image_count;
};

// Makes the look of a surface of so many triangles. NULL with *error if it is refused.
struct document_look *document_look_create(const struct protocol_look *given, uint32_t triangle_count,
                                           struct protocol_error *error);
size_t document_look_bytes(const struct document_look *look);
void document_look_destroy(struct document_look *look);                               // NULL is allowed
void document_look_fill(const struct document_look *look, struct protocol_look *out); // views into the look
// Whether the images of all looks and of one more (NULL: none) are within a world's limit; false with *error.
bool document_look_fits(const struct document_things *bodies, const struct document_look *look,
                        struct protocol_error *error);

// images.c: pictures of looks

// Copies and checks pictures into a look that has none. False with *error if they are refused; what was copied stays in the look.
bool document_images_take(const struct protocol_list *list, struct document_look *look,
                          struct protocol_error *error);
// Whether this is a PNG, JPEG or WebP file, and how large its picture says it is. Reads only heads, never pixels.
bool document_image_size(const uint8_t *bytes, size_t size, uint32_t *width, uint32_t *height);

// ---------------------------------------------------------------------------------------------------------
// things.c

bool document_things_reserve(struct document_things *things, uint32_t more); // room for so many
void document_things_add(struct document_things *things, uint32_t id, const struct protocol_string *name,
                         uint32_t particle_count); // after document_things_reserve; id is no other thing's
void document_things_remove(struct document_things *things, uint32_t id);
void document_things_deinit(struct document_things *things); // and their skins and looks
void document_things_rename(struct document_things *things, uint32_t id, const struct protocol_string *name);

// ---------------------------------------------------------------------------------------------------------
// prepare.c: what a body is made from, as plain arrays of its own

struct document_body_arrays {
    const double *positions, *masses, *shape;
    const float *velocities, *uvs;
    const uint32_t *triangles, *edges, *tets, *pins, *clamps;
    struct sim_rod *rod;
    struct sim_rigid_shape *rigid;
    const double *hull;           // its points
    struct sim_rigid_part *parts; // of a compound, each with points of its own
    uint32_t part_count;
    const double *rotations;
    const float *spins;
    struct sim_turned *turned;
};
void document_body_arrays_deinit(struct document_body_arrays *arrays);
// The desc points into the arrays, which are deinited after a refusal as well. desc->may_be_empty holds.
// tear.c
struct document_reader;
// Merges thresholds. make: the body is made with them, and says how many may split off.
bool document_tear_merge(const struct document_reader *reader, const struct protocol_tear *given, bool make,
                         struct sim_tear *tear);
// The particles of a body that an edit may name: the first ones. Spares that nothing has split off are none of them.
uint32_t document_nameable(const struct document *document, const struct document_thing *body);
bool document_torn_take(const struct document_reader *place, const struct protocol_torn *given,
                        struct sim_body_desc *desc);
// Refuses a step of an undo that names particles which have split since a revision.
bool document_untorn(const struct document *document, struct document_edit *edit,
                     const struct protocol_restore_step *step, uint64_t revision);

// Fills in what the material by name of a body says, and forgets the name.
bool document_named_take(struct protocol_body_add_params *params, struct protocol_error *error);
bool document_body_desc(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                        struct document_body_arrays *arrays, struct protocol_error *error);
// Parts that were made before a refusal stay in *body.
bool document_body_prepare(const struct protocol_body_add_params *params,
                           const struct document_constants *constants, struct document_body_plan *body,
                           struct protocol_error *error);
// Whether the triangles of the plan are those that were given, one for one.
bool document_plan_keeps_triangles(const struct sim_body_plan *plan);

// ---------------------------------------------------------------------------------------------------------
// join.c: joins as clients name them, and as the sim has them

struct document_joins {
    const struct protocol_array *sides, *weights; // NULL: not given
};
// How many joins so many particles are. False if they are not a whole number above 0 of them.
bool document_joins_count(const struct document_reader *reader, const struct document_joins *given,
                          uint32_t length, uint32_t *count);
// Puts arrays of SIM_STENCIL_MAX for each join in place of those that have one for each particle of its sides.
bool document_joins_expand(const struct document_reader *reader, const struct document_joins *given,
                           uint32_t count, const uint32_t **bodies, const uint32_t **particles,
                           const double **weights);

// The values that are said of joints; NULL: not given.
struct document_jointed {
    enum sim_joint_model model;
    enum sim_motor motor;
    bool motor_given;
    const struct protocol_array *sides, *weights, *anchors, *axes, *limits, *turn_compliance, *motor_target,
        *motor_most, *motor_compliance;
};
// How many joints the particles are of. jointed.c
bool document_jointed_count(const struct document_reader *reader, const struct document_jointed *said,
                            uint32_t length, uint32_t *count);
// Anything that only joints have.
static inline bool document_jointed_any(const struct document_jointed *said)
{
    return said->anchors || said->axes || said->limits || said->turn_compliance || said->motor_target ||
           said->motor_most || said->motor_compliance || said->motor != SIM_MOTOR_NONE;
}
bool document_jointed_values(const struct document_reader *reader, const struct document_jointed *said,
                             uint32_t count, struct sim_joint_values *values);
// Makes four particles of each, and fills in the weights.
bool document_jointed_expand(const struct document_reader *reader, const struct document_jointed *said,
                             uint32_t count, const uint32_t **bodies, const uint32_t **particles,
                             struct sim_joint_values *values);
// Reads them from parameters that have these fields.
#define DOCUMENT_JOINTED(PARAMS, given)                                                                      \
    {                                                                                                        \
        .motor = (enum sim_motor)(given)->motor,                                                             \
        .motor_given = ((given)->has & PROTOCOL_HAS_##PARAMS##_MOTOR) != 0,                                  \
        .limits = (given)->has & PROTOCOL_HAS_##PARAMS##_LIMITS ? &(given)->limits : NULL,                   \
        .turn_compliance =                                                                                   \
            (given)->has & PROTOCOL_HAS_##PARAMS##_TURN_COMPLIANCE ? &(given)->turn_compliance : NULL,       \
        .motor_target = (given)->has & PROTOCOL_HAS_##PARAMS##_MOTOR_TARGET ? &(given)->motor_target : NULL, \
        .motor_most = (given)->has & PROTOCOL_HAS_##PARAMS##_MOTOR_MOST ? &(given)->motor_most : NULL,       \
        .motor_compliance =                                                                                  \
            (given)->has & PROTOCOL_HAS_##PARAMS##_MOTOR_COMPLIANCE ? &(given)->motor_compliance : NULL,     \
    }
#define DOCUMENT_JOINTED_NEW(PARAMS, given, said)                                                    \
    do {                                                                                             \
        (said)->model = (enum sim_joint_model)(given)->joint;                                        \
        (said)->sides = (given)->has & PROTOCOL_HAS_##PARAMS##_SIDES ? &(given)->sides : NULL;       \
        (said)->weights = (given)->has & PROTOCOL_HAS_##PARAMS##_WEIGHTS ? &(given)->weights : NULL; \
        (said)->anchors = (given)->has & PROTOCOL_HAS_##PARAMS##_ANCHORS ? &(given)->anchors : NULL; \
        (said)->axes = (given)->has & PROTOCOL_HAS_##PARAMS##_AXES ? &(given)->axes : NULL;          \
    } while (0)

// ---------------------------------------------------------------------------------------------------------
// rod.c
// Takes what is given of a rod. *out is malloc'd, also after a refusal; or NULL.
bool document_rod_take(const struct protocol_body_add_params *params, struct sim_rod **out,
                       const struct document_reader *reader);

// rigid.c
// Takes what is given of a rigid body, and refuses it of others.
bool document_rigid_take(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                         struct document_body_arrays *arrays, const struct document_reader *reader);

// pressure.c

// Changes the pressure of a body by a map. The `has` bits of the map say which fields are given. Checks only
// what the sim does not know.
bool document_pressure_merge(const struct document_reader *reader, const struct protocol_pressure *given,
                             struct sim_pressure *pressure);

// ---------------------------------------------------------------------------------------------------------
// force.c

// The gravity of a body as an array: three numbers, or none for that of the world.
bool document_gravity_take(const struct document_reader *reader, const struct protocol_array *given,
                           struct sim_own_gravity *gravity);
// Coefficients of a body in the air; those that are not given are those of the world.
struct sim_own_wind document_own_wind(const struct protocol_own_wind *given);
// The arrays of a state that tell of forces. `forced` NULL: not given. For `count` particles, or as many as `forced` has.
struct document_forces {
    uint32_t count;
    const uint32_t *forced, *ticks;
    const double *values;
};
bool document_forces_read(const struct document_reader *place, const struct protocol_document_state *given,
                          const uint32_t *particles, struct document_forces *forces);

// shape.c

// Changes the shape matching of a body of so many particles by a map, as document_pressure_merge does.
bool document_shape_merge(const struct document_reader *reader, const struct protocol_shape *given,
                          uint32_t particles, struct sim_matching *matching);

// ---------------------------------------------------------------------------------------------------------
// settings.c

void document_settings_of(const struct protocol_world_create_params *given, struct sim_settings *settings);
// Overwrites the plastic part of a bend material. Fields that are absent stay, or take their defaults if
// bending was elastic.
void document_plastic_take(const struct protocol_bend_material *given, struct sim_plastic *plastic);
// The same of a solid.
void document_solid_plastic_take(const struct protocol_solid_material *given, struct sim_plastic *plastic);
// The first of the rigidities in a bend material; NULL: it has none.
const char *document_rigidity_field(const struct protocol_bend_material *given);
// Puts the given rigidities, of which there is one, in the place of what said how stiff bending is. One rigidity ends those along
// yarns, and the other way round; of the latter those that are not given stay.
void document_rigidity_merge(const struct protocol_bend_material *given, struct sim_material *bend);
// Takes the rigidities of a whole bend material. Refuses it beside a compliance above 0: a compliance of 0 is the default.
bool document_rigidity_take(const struct protocol_bend_material *given, struct sim_material *bend,
                            const struct document_reader *reader);
// Takes a whole solid. Refuses one without Young's modulus.
bool document_solid_take(const struct protocol_solid_material *given, struct sim_material *solid,
                         const struct document_reader *reader);
// Changes how a body meets others by the values that are given; NULL: not given.
void document_meeting_merge(const bool *self, const uint32_t *group, const uint32_t *mask,
                            const double *friction, const double *friction_kinetic, const double *restitution,
                            const struct protocol_string *surface, struct sim_meeting *meeting);
// Names and rows of surfaces, whose lengths the decoder has checked (surfaces.c). The sim checks the rest.
void document_surface_take(const struct protocol_string *given, char name[SIM_SURFACE_SIZE]);
void document_surfaces_take(const struct protocol_list *given, struct sim_surfaces *surfaces);
// The greatest friction there may be says that no friction of what slides is given.
double document_kinetic_told(bool kinetic, double friction_kinetic);
void document_kinetic_take(double given, bool *kinetic, double *friction_kinetic);
// All fields of force (edit_force.c). The sim checks them.
void document_forces_take(const struct protocol_force_fields *given, struct sim_force_fields *forces);
// Removes, brings back and changes some of them, as edit.restore says (edit_force.c).
bool document_forces_restore(const struct document_reader *place,
                             const struct protocol_restore_settings *given, struct sim_force_fields *forces);
// Changes the present wind by a map of wind, whose has bits tell which fields are given. Take keeps nothing of what was before.
void document_wind_take(const struct protocol_wind *given, struct sim_wind *wind);
void document_wind_merge(const struct protocol_wind *given, struct sim_wind *wind);
double document_wind_density(void); // kg/m^3, of wind that is turned on without one

// ---------------------------------------------------------------------------------------------------------
// stretch.c

// The fields that a material of stretch shares with all others.
struct protocol_material document_stretch_material(const struct protocol_stretch_material *given);
bool document_is_fabric(const struct protocol_stretch_material *given); // its model is orthotropic
// Refuses fields of the other model.
bool document_fabric_alone(const struct protocol_stretch_material *given, bool fabric,
                           const struct document_reader *reader);
// Puts the stiffnesses that are given into the material.
void document_fabric_merge(const struct protocol_stretch_material *given, struct sim_material *stretch);
// Takes warp and weft from a whole material of stretch.
bool document_fabric_take(const struct protocol_stretch_material *given, struct sim_yarns *yarns,
                          struct sim_material *stretch, const struct document_reader *reader);
// Returns the field that would change what is fixed once a body is added; NULL: none.
const char *document_fabric_differs(const struct protocol_stretch_material *given,
                                    const struct sim_body_info *info);

// ---------------------------------------------------------------------------------------------------------
// coarse.c: a warning of a body and colliders that may pass between its particles, in memory taken before the edit

// A warning of a document, and the things that it points to.
struct document_kept_warning {
    char text[DOCUMENT_WARNING_TEXT];
    uint32_t elements[SIM_WARNING_ELEMENTS];
};

struct document_coarse {
    char *text;
    uint32_t *elements, count;
};
bool document_coarse_reserve(const struct document_reader *reader, struct document_coarse *coarse);
bool document_coarse_body(const struct document *document, uint32_t body, struct document_coarse *coarse,
                          struct protocol_warning *warning); // false: none
bool document_coarse_collider(const struct document *document, uint32_t collider,
                              struct document_coarse *coarse, struct protocol_warning *warning);
bool document_coarse_document(struct document *document); // of all its colliders; false without memory

// ---------------------------------------------------------------------------------------------------------
// grabs.c: adds what is held to what document_save made. False without memory.
bool document_save_grabs(const struct document *document, msgpack_zone *zone, struct sim_image *image,
                         struct protocol_document *out);

// save.c: the document as one map; true says nothing of whether the packer's bytes hold it
bool document_pack_to(const struct document *document, bool grabs, msgpack_packer *packer);
// make.c: of a map that was unpacked. NULL with *error.
struct document *document_of_map(const msgpack_object *map, msgpack_zone *zone, struct protocol_error *error);

// ---------------------------------------------------------------------------------------------------------
// edit_shared.c: what checks, scopes and changes share

struct document_reader document_edit_reader(struct document_edit *edit);
// Whether an edit of several parts goes on with the next. False: it is given up, refused, and the document is broken.
bool document_goes_on(struct document *document, struct document_edit *edit);
// Always false.
bool document_refuse(struct document_edit *edit, enum protocol_code code, const char *field,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));
bool document_refuse_fault(struct document_edit *edit, const struct fault *fault);
bool document_refuse_memory(struct document_edit *edit);
void *document_edit_alloc(struct document_edit *edit, size_t count, size_t item_size); // zeros; NULL: refused
// The thing's id; the ref is replaced by it. False: refused.
bool document_find_body(const struct document *document, struct document_edit *edit, struct protocol_ref *ref,
                        uint32_t *body);
bool document_find_collider(const struct document *document, struct document_edit *edit,
                            struct protocol_ref *ref, uint32_t *collider);
// Refuses a name that another thing has.
bool document_name_free(struct document_edit *edit, const struct document_things *things, uint32_t id,
                        const struct protocol_string *name);
// Whether no particle would go farther in a tick than one may (speed.c).
bool document_velocities_fit(const struct document *document, struct document_edit *edit,
                             const struct protocol_array *velocities);
bool document_motion_fits(const struct document *document, struct document_edit *edit,
                          const struct sim_motion *motion);
// Whether what keeps a length is stiff enough to hold together (softness.c): the edges of a body, and constraints. These are
// all of one kind where `constraints` is NULL. NULL for compliances: none are given.
bool document_stretch_fits(struct document_edit *edit, double compliance);
bool document_lengths_fit(const struct document *document, struct document_edit *edit, enum sim_kind kind,
                          const uint32_t *constraints, const double *compliances, uint32_t count);
void document_mend(struct document *document);       // it has not failed
uint64_t document_commit(struct document *document); // an edit was made: the next revision
// *touch becomes the edit that gave the last revision.
void document_touch_set(const struct document *document, const struct document_edit *edit,
                        struct document_touch *touch);
const char *document_touch_method(const struct document_touch *touch); // empty: not known
// The thing of that id, if there is one, was concerned by the last revision.
void document_touch(struct document *document, const struct document_edit *edit,
                    struct document_things *things, uint32_t id);

// ---------------------------------------------------------------------------------------------------------
// terms.c: on which terms an edit is asked for. False with edit->error (CONFLICT).

bool document_terms_hold(const struct document *document,
                         struct document_edit *edit); // before it is checked
// Once it is: what it concerns is known.
bool document_things_hold(const struct document *document, struct document_edit *edit);
void document_terms_clear(const struct protocol_struct *type, void *params_or_result);
// The value of one field of the terms; NULL: it was not given.
const void *document_term(enum protocol_method method, const void *params, const char *name);

// ---------------------------------------------------------------------------------------------------------
// earlier.c: what of a document an edit.restore does not bring back

struct document_earlier; // who touched what last, and the grabs
struct document_earlier *document_earlier_of(const struct document *document); // NULL without memory
void document_earlier_give_back(struct document *document, const struct document_earlier *kept);
void document_earlier_destroy(struct document_earlier *kept); // NULL is allowed
// As of then; NULL: it was not there.
const struct document_touch *document_earlier_touch(const struct document_earlier *kept, bool collider,
                                                    uint32_t id);
const struct document_touch *document_earlier_settings(const struct document_earlier *kept);

// edit_restore.c: what was done of an edit that is refused after all. False if it could not be: the document has failed by that.
bool document_take_back(struct document *document, const struct document_edit *edit);

// edit_shared.c: what is wrong with one edit of a batch, with its place: edits[3].radius. False.
bool document_batch_place(struct protocol_error *error, uint32_t index, int method);

#define DOCUMENT_DECLARE(ident, IDENT)                                                        \
    bool document_check_##ident(const struct document *document, struct document_edit *edit); \
    bool document_change_##ident(struct document *document, struct document_edit *edit);
PROTOCOL_RECORDS(DOCUMENT_DECLARE)

#endif
