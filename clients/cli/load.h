// Declarations that the files of `weft load` share: the state of one run.
//
//     load.c: arguments ──▶ load_mesh.c: file ─▶ mesh ─▶ body ──▶ load_material.c, load_sizes.c or load_rigid.c ──▶ load_send.c: server
//                                    └── load_play.c ────── frames ──────────┤
//                                                                      └──▶ load_tell.c: words, or JSON
#ifndef WEFT_CLI_LOAD_H
#define WEFT_CLI_LOAD_H

#include "cli.h"
#include "mesh.h"
#include "progress.h"

enum { LOAD_PINS_MAX = 64 };

// Contact of the body with itself and others.
struct load_contact {
    bool said, said_self; // an option of contact was given; one of contact with itself
    bool none, self;
    uint32_t group, mask;
    double friction, friction_kinetic, restitution; // NaN: the server's default
};

// Values for body.add. NaN: the server's default.
struct load_values {
    double density, thickness;
    double stretch, bend, volume; // compliances
    double damping;               // damping of the edges
    double limit;                 // strain limit of the edges
    double rigidity;              // N m, of bending; instead of its compliance
    double young, poisson;        // Pa and a ratio, of a solid; NaN: edges and volumes
    const char *bend_model;       // NULL: the server's default
};

// Warp and weft of a cloth (docs/concepts/orthotropic.md), in place of its stretch compliance.
struct load_fabric {
    bool said, has_warp, by_uvs, bends;
    double warp, weft, shear, poisson; // N/m; the last has no unit
    double bend[3];      // N m, if bends: along warp and weft, and at 45 degrees; 0: the server's default
    double direction[3]; // of the warp, if has_warp
};

// The thickness beside the lengths of the edges (protocol/sizing). Zeros if it meets nothing.
struct load_sizing {
    double mean, median, least, small; // m, of edges; small: 5 % are shorter
    double share;                      // of the edges, below twice the thickness
    double pairs;                      // near at rest; 0: nobody asked
    double right, even; // m: the thickness that suits, edges of a remeshed surface of as many vertices
    bool more;          // there are more pairs than that
    bool lowered;       // no thickness was given, and it is less than 0.15 of the mean edge
    bool thick;         // more than 5 % of the edges are below twice the thickness
};

struct load {
    struct cli *cli;
    // From the arguments:
    const char *path, *world, *name, *part, *material;
    const char *materials; // a file of materials by name; NULL: none
    const char *kind;      // "cloth", "soft"; NULL: decided by the file's elements
    bool create, dry_run, no_look;
    bool sized;     // --units, --scale or --fit was given
    bool is_static; // it has no mass and does not move
    bool plays;     // it has no mass and moves as the file says
    bool loops;
    bool is_rigid;       // --rigid
    uint32_t hulls_most; // --parts; 0: as many as a rigid body may have
    struct mesh_play play;
    struct load_contact contact;
    uint32_t cells; // cells of the lattice; 0: no lattice
    struct mesh_placement placement;
    double weld;   // m; NaN: in proportion to the mesh's size
    double remesh; // m, of edges; NaN: the mesh stays as it is
    struct load_values given;
    struct load_fabric fabric;
    const char *pins[LOAD_PINS_MAX];
    uint32_t pin_texts;
    // From the file:
    char own_name[65];
    struct mesh_file file;
    struct mesh_welding exact, welding; // first of equal vertices, then of those within the tolerance
    double tolerance;
    struct mesh_shape shape;
    struct mesh_lattice lattice; // filled if cells > 0
    bool is_soft;
    struct mesh_solid solid; // both if is_rigid
    struct mesh_hulls hulls;
    struct mesh *body; // the mesh or the lattice
    uint32_t *pinned;
    uint32_t pinned_count;
    struct load_values values;
    struct load_sizing sizes;
    struct mesh_remeshed remeshed; // if remesh was given
    struct mesh_bounds bounds;
    bool has_edges; // the normals have sharp edges
    double map[3][4];
    uint32_t *source; // if it plays: for each particle, its vertex in the file
    uint32_t motions; // motions added so far
    uint64_t begins;  // tick at which the first one begins
    // From the server:
    bool created, added;
    double room;             // ratio of the greatest length in the world to that at the default resolution
    struct weft_reply reply; // answer of body.add
    struct cli_progress progress;
};

// Each returns CLI_OK, or the exit status after printing the reason.
int load_mesh(struct load *load);     // reads the file and makes the body
int load_material(struct load *load); // computes the values
// Takes the values of a material that is given as fields of body.add. *found: whether there is one of that name.
int load_named(struct load *load, const char *name, bool *found);
bool load_sizes(struct load *load); // chooses the thickness if none was given; false if memory runs out
int load_send(struct load *load);   // sends body.add and the motions; leaves nothing half-made
int load_play_prepare(struct load *load);
int load_play(struct load *load); // sends motion.add, once the body has been added
// A call that shows its progress and can be stopped.
bool load_call(struct load *load, const char *method, struct weft_params *params, struct weft_reply *reply,
               struct weft_error *error);
int load_fail(struct load *load, const struct fault *fault);

// load_rigid.c: --rigid

struct json_t;
const char *load_kind(const struct load *load); // as body.add names it
int load_rigid_check(const struct load *load);  // the options that go with it
bool load_rigid_make(struct load *load, const struct mesh_watch *watch, struct fault *fault);
void load_rigid_add(const struct load *load, struct weft_params *params);
void load_rigid_tell(const struct load *load);
void load_rigid_json(const struct load *load, struct json_t *object);

void load_tell_sizes(const struct load *load); // before it is sent, in words
void load_tell(const struct load *load);
// Writes what may be wrong with the body's size, and what helps. Empty if the size is usual for the world and was not
// refused.
enum { LOAD_HINT_SIZE = 160 };
void load_size_hint(const struct load *load, bool refused, char out[LOAD_HINT_SIZE]);
// Prints an error of the server, with the hint behind it if a length was refused. Returns the exit status.
int load_report(const struct load *load, struct weft_error *error);

#endif
