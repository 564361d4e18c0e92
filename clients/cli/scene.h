// The state of a world that watch keeps: the document (bodies, colliders, grabs, state) and the present positions of
// particles.
//
// The document comes from world.join and body.get, the positions from frames. The server is not trusted: indices are
// checked when they arrive, and values that do not fit are left out.
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
    bool complete;   // its topology has arrived
    bool asked;      // its topology was asked for
    bool listed;     // it is in the document being read
    bool came, here; // in the current frame, and in the last one: a stream with a box may leave a body out
    bool has_skin;   // then the arrays below are the skin's, not the particles'
    uint32_t particle_count;
    struct vec3 *positions;
    struct vec3 *normals; // of unit length wherever triangles meet
    float *pattern; // u, v of each particle: its place in the rest shape, 0 ... 1 over the greatest extent
    uint32_t *triangles; // for a soft body, its surface
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
    struct vec3 axes[3]; // directions of its own x, y, z axes; a plane's normal is y
    float radius;
    float length;             // of a capsule, between the centres of its ends; of a cylinder, its height
    struct vec3 half_extents; // of a box
    float *vertices;          // of a hull or a height field, 3 each, in its own frame; owned
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
    double wind_density;       // 0 if there is no wind
    struct cli_body *bodies;   // by id
    uint32_t body_count, body_capacity;
    struct cli_collider *colliders;
    uint32_t collider_count;
    struct cli_grab *grabs;
    uint32_t grab_count, grab_capacity;
    bool grabs_from_frames;
    bool tells_sleep;   // the server knows which bodies sleep
    uint32_t asleep;    // bodies that sleep
    bool without_skins; // shows the particles of bodies that have a skin
    uint32_t nth;       // frames hold only each nth vertex; 0, 1: all
    bool boxed;         // bodies that are in no frame are not shown
    bool lacks_key;     // a frame builds on one that did not arrive
};

void cli_scene_deinit(struct cli_scene *scene);

// Takes the answer of world.join: removes bodies that are no longer listed and adds new ones, incomplete. False if
// memory runs out or it is not such a document.
bool cli_scene_take_document(struct cli_scene *scene, const msgpack_object *document);
// Takes the answer of body.get. False if memory runs out; a body that is not in the document is ignored.
bool cli_scene_take_body(struct cli_scene *scene, const msgpack_object *body);
// Takes a part of a frame. False if it is malformed.
bool cli_scene_take_frame(struct cli_scene *scene, struct weft_frame *frame, struct weft_error *error);
// Takes the params of world.changed, and of world.edited for colliders that move.
void cli_scene_take_change(struct cli_scene *scene, const msgpack_object *params);
void cli_scene_move_collider(struct cli_scene *scene, const msgpack_object *params);

struct cli_body *cli_scene_body(struct cli_scene *scene, uint32_t id);
bool cli_scene_has_skins(const struct cli_scene *scene);
void cli_scene_update_normals(struct cli_scene *scene);
// thin.c: reduces the triangles and edges to vertices 0, nth, 2 nth, ... False if memory runs out.
bool cli_body_thin(struct cli_body *body, uint32_t nth);

// Finds the faces that belong to only one tetrahedron, wound so that their normals point outwards: 3 indices each. *out
// is NULL if there are none. False if memory runs out.
bool cli_surface(const uint32_t *tets, uint32_t tet_count, const struct vec3 *positions, uint32_t **out,
                 uint32_t *out_count);

// An upright cylinder around everything of finite size; it looks the same from all sides.
struct cli_bounds {
    struct vec3 center;
    float across; // radius
    float height; // half the height
};

bool cli_scene_bounds(const struct cli_scene *scene, struct cli_bounds *bounds); // false if there is nothing

#endif
