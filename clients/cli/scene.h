// What watch knows of a world: the document (bodies, colliders, grabs, state) and where the particles are
// now.
//
// The document comes by world.join and body.get, the places by frames. All of it comes from a server that is
// not trusted: indices are checked when they arrive, and what does not fit is left out.
#ifndef WEFT_CLI_SCENE_H
#define WEFT_CLI_SCENE_H

#include "vector.h"

#include <stdbool.h>
#include <stdint.h>
#include <weft.h>

enum { CLI_NAME_SIZE = 72 };

struct cli_body {
    uint32_t id;
    char name[CLI_NAME_SIZE];
    bool complete;   // topology has come
    bool asked;      // for its topology
    bool listed;     // in the document that is being taken
    bool came, here; // in the frame under way, and in the last: of a stream with a box it may not be
    bool has_skin;   // then what follows is the skin's, not the particles'
    uint32_t particle_count;
    struct vec3 *positions;
    struct vec3 *normals; // of unit length where triangles meet
    float *pattern;       // u, v of each particle: place in the rest shape, 0 ... 1 over its greatest extent
    uint32_t *triangles;  // of a soft body the surface
    uint32_t triangle_count;
    uint32_t *edges;
    uint32_t edge_count;
};

enum cli_collider_kind {
    CLI_PLANE,
    CLI_SPHERE,
    CLI_CAPSULE,
    CLI_BOX,
    CLI_CYLINDER,
    CLI_CONVEX,
    CLI_HEIGHT_FIELD
};

struct cli_collider {
    uint32_t id;
    char name[CLI_NAME_SIZE];
    enum cli_collider_kind kind;
    struct vec3 position;
    float rotation[4];   // quaternion x, y, z, w, of any length
    struct vec3 axes[3]; // where its own x, y, z point; a plane's normal is y
    float radius;
    float length;             // of a capsule, between the centres of its ends; of a cylinder
    struct vec3 half_extents; // of a box
    float *vertices;          // of a hull or a height field, 3 each, in its own place; its own
    uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
};

struct cli_grab {
    uint32_t body, particle;
    struct vec3 target;
};

struct cli_scene {
    uint32_t world;
    char name[CLI_NAME_SIZE];
    char state[CLI_NAME_SIZE]; // playing, paused, failed, deleted
    char reason[CLI_NAME_SIZE * 2];
    double rate;
    uint64_t tick, revision;
    uint32_t substep;
    double time;
    struct vec3 wind_velocity; // m/s
    double wind_density;       // 0 where there is no wind
    struct cli_body *bodies;   // by id
    uint32_t body_count;
    struct cli_collider *colliders;
    uint32_t collider_count;
    struct cli_grab *grabs;
    uint32_t grab_count;
    bool grabs_from_frames;
    bool without_skins; // particles are shown of every body
    uint32_t nth;       // frames have each so many vertices; 0, 1: all
    bool boxed;         // bodies that are in no frame are not seen
    bool lacks_key;     // a frame builds on one that is not here
};

void cli_scene_deinit(struct cli_scene *scene);

// The answer of world.join: bodies that are no longer listed go, new ones are added incomplete. False without
// memory or if it is no such document.
bool cli_scene_take_document(struct cli_scene *scene, const msgpack_object *document);
// The answer of body.get. False without memory; a body that is not in the document is passed over.
bool cli_scene_take_body(struct cli_scene *scene, const msgpack_object *body);
// A part of a frame. False if it is malformed.
bool cli_scene_take_frame(struct cli_scene *scene, struct weft_frame *frame, struct weft_error *error);
// The params of world.changed, and of world.edited for colliders that move.
void cli_scene_take_change(struct cli_scene *scene, const msgpack_object *params);
void cli_scene_move_collider(struct cli_scene *scene, const msgpack_object *params);

struct cli_body *cli_scene_body(struct cli_scene *scene, uint32_t id);
bool cli_scene_has_skins(const struct cli_scene *scene);
void cli_scene_update_normals(struct cli_scene *scene);
// thin.c: its triangles and edges become those of vertices 0, nth, 2 nth, ... False without memory.
bool cli_body_thin(struct cli_body *body, uint32_t nth);

// The faces that belong to one tetrahedron alone, wound so that their normals point outwards: 3 indices each.
// *out is NULL where there are none. False without memory.
bool cli_surface(const uint32_t *tets, uint32_t tet_count, const struct vec3 *positions, uint32_t **out,
                 uint32_t *out_count);

// An upright cylinder around everything that has an end; it looks the same from all sides.
struct cli_bounds {
    struct vec3 center;
    float across; // radius
    float height; // half
};

bool cli_scene_bounds(const struct cli_scene *scene, struct cli_bounds *bounds); // false if there is nothing

#endif
