// What the files of `weft load` share: one run of it.
//
//     load.c: arguments ──▶ load_mesh.c: file ─▶ mesh ─▶ body ──▶ load_material.c ──▶ load_send.c: server
//                                    └── load_play.c ────── frames ──────────┤
//                                                                      └──▶ load_tell.c: words, or JSON
#ifndef WEFT_CLI_LOAD_H
#define WEFT_CLI_LOAD_H

#include "cli.h"
#include "mesh.h"
#include "progress.h"

enum { LOAD_PINS_MAX = 64 };

// How it meets itself and others.
struct load_contact {
    bool said, said_self; // of contact at all; of itself
    bool none, self;
    uint32_t group, mask;
    double friction; // NaN: left to the server
};

// What body.add is given. NaN: left to the server.
struct load_values {
    double density, thickness;
    double stretch, bend, volume; // compliances
    double damping;               // of the edges
    const char *bend_model;       // NULL: left to the server
};

struct load {
    struct cli *cli;
    // Arguments.
    const char *path, *world, *name, *part, *material;
    const char *kind; // "cloth", "soft"; NULL: by what the file has
    bool create, dry_run, no_look;
    bool sized;     // --units, --scale or --fit was given
    bool is_static; // it weighs nothing and stays
    bool plays;     // or moves as the file says
    bool loops;
    struct mesh_play play;
    struct load_contact contact;
    uint32_t cells; // of the lattice; 0: none
    struct mesh_placement placement;
    double weld; // m; NaN: by the mesh's size
    struct load_values given;
    const char *pins[LOAD_PINS_MAX];
    uint32_t pin_texts;
    // What came of the file.
    char own_name[65];
    struct mesh_file file;
    struct mesh_welding exact, welding; // of equal vertices, then within the tolerance
    double tolerance;
    struct mesh_shape shape;
    struct mesh_lattice lattice; // if cells
    bool is_soft;
    struct mesh *body; // the mesh or the lattice
    uint32_t *pinned;
    uint32_t pinned_count;
    struct load_values values;
    struct mesh_bounds bounds;
    bool has_edges; // normals that say where
    double map[3][4];
    uint32_t *source; // if it plays: of each particle a vertex of the file
    uint32_t motions; // that were added
    uint64_t begins;  // the tick of the first
    // The server.
    bool created, added;
    double room; // how many times as long as at the default resolution lengths may be in the world
    struct weft_reply reply; // of body.add
    struct cli_progress progress;
};

// Each returns CLI_OK, or the exit status after telling why.
int load_mesh(struct load *load);     // file to body
int load_material(struct load *load); // values
int load_send(struct load *load);     // body.add, and motions; nothing half-made is left
int load_play_prepare(struct load *load);
int load_play(struct load *load); // motion.add, once the body is there
// A call that tells how far it is and can be stopped.
bool load_call(struct load *load, const char *method, struct weft_params *params, struct weft_reply *reply,
               struct weft_error *error);
int load_fail(struct load *load, const struct mesh_error *error);

void load_tell(const struct load *load);
// Says what may be wrong with its size, and what helps. Empty if its size is usual for the world and was not refused.
enum { LOAD_HINT_SIZE = 160 };
void load_size_hint(const struct load *load, bool refused, char out[LOAD_HINT_SIZE]);
// Tells of an error of the server, with the hint behind it if a length was refused. Returns the exit status.
int load_report(const struct load *load, struct weft_error *error);

#endif
