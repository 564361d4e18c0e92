// Joins the triangles of a hull to faces.
//
//     largest triangle left ──▶ its neighbours whose corners lie in its plane, and theirs ──▶ the ring of edges around them
//
// Points come as floats, and so the corners of one face of a solid that is turned lie a little off a plane. Triangles that share a
// plane within FLAT of the hull's size are one face. Otherwise a box on its face would stand on one of two triangles, and rock. The plane
// of a face is that of its largest triangle, moved out to its farthest corner, so no vertex is beyond it.

#include "sim/rigid/manifold.h"

#include "sim/ground/vector.h"
#include "sim/state/motion.h"

#include <string.h>

#define FLAT 1e-5 // of the radius
enum { NONE = 255, EVERY = SIM_HULL_TRIANGLES_MAX };

struct joining {
    const struct sim_hull *hull;
    struct sim_polyhedron *whole;
    double twice[EVERY];          // areas
    uint8_t neighbours[EVERY][3]; // across the edge from corner k to the next one
    uint8_t face_of[EVERY];       // NONE: not joined yet
    uint8_t members[EVERY];       // of the face that is made
    uint32_t member_count;
};

static void areas_find(struct joining *joining)
{
    const struct sim_hull *hull = joining->hull;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const uint32_t *c = hull->faces[f].corners;
        double sides[2][3], normal[3];
        for (int axis = 0; axis < 3; axis++) {
            sides[0][axis] = hull->vertices[c[1]][axis] - hull->vertices[c[0]][axis];
            sides[1][axis] = hull->vertices[c[2]][axis] - hull->vertices[c[0]][axis];
        }
        sim_cross(sides[0], sides[1], normal);
        joining->twice[f] = __builtin_sqrt(sim_dot(normal, normal));
        joining->face_of[f] = NONE;
    }
}

static void neighbours_find(struct joining *joining)
{
    const struct sim_hull *hull = joining->hull;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t from = hull->faces[f].corners[k], to = hull->faces[f].corners[(k + 1) % 3];
            for (uint32_t g = 0; g < hull->face_count; g++) {
                const uint32_t *c = hull->faces[g].corners;
                for (uint32_t i = 0; i < 3; i++) {
                    if (c[i] == to && c[(i + 1) % 3] == from) {
                        joining->neighbours[f][k] = (uint8_t)g;
                    }
                }
            }
        }
    }
}

static bool is_in_plane(const struct joining *joining, const struct sim_hull_face *plane, uint32_t triangle)
{
    const struct sim_hull_face *other = &joining->hull->faces[triangle];
    bool flat = sim_dot(plane->normal, other->normal) > 0;
    for (uint32_t k = 0; k < 3; k++) {
        const double *vertex = joining->hull->vertices[other->corners[k]];
        const double height = sim_dot(plane->normal, vertex) - plane->offset;
        flat = flat && __builtin_fabs(height) <= FLAT * joining->hull->radius;
    }
    return flat;
}

static void members_find(struct joining *joining, uint32_t seed, uint8_t face)
{
    joining->member_count = 1;
    joining->members[0] = (uint8_t)seed;
    joining->face_of[seed] = face;
    for (uint32_t m = 0; m < joining->member_count; m++) {
        for (uint32_t k = 0; k < 3; k++) {
            const uint8_t next = joining->neighbours[joining->members[m]][k];
            if (joining->face_of[next] == NONE && is_in_plane(joining, &joining->hull->faces[seed], next)) {
                joining->face_of[next] = face;
                joining->members[joining->member_count++] = next;
            }
        }
    }
}

// Goes around the members. False if they have more than one ring around them, or one that touches itself.
static bool ring_find(struct joining *joining, struct sim_polyhedron_face *face)
{
    struct sim_polyhedron *whole = joining->whole;
    uint8_t next[SIM_HULL_MAX];
    uint32_t first = NONE, edges = 0;
    memset(next, NONE, sizeof next);
    for (uint32_t m = 0; m < joining->member_count; m++) {
        const uint32_t triangle = joining->members[m], *c = joining->hull->faces[triangle].corners;
        for (uint32_t k = 0; k < 3; k++) {
            if (joining->face_of[joining->neighbours[triangle][k]] == joining->face_of[triangle]) {
                continue;
            }
            if (next[c[k]] != NONE) {
                return false;
            }
            next[c[k]] = (uint8_t)c[(k + 1) % 3];
            first = c[k] < first ? c[k] : first;
            edges++;
        }
    }
    face->count = 0;
    for (uint32_t at = first; face->count < edges && (at != first || face->count == 0); at = next[at]) {
        whole->corners[face->first + face->count++] = (uint8_t)at;
    }
    return face->count == edges;
}

static void face_make(struct joining *joining, uint32_t seed)
{
    struct sim_polyhedron *whole = joining->whole;
    const uint8_t number = (uint8_t)whole->face_count;
    struct sim_polyhedron_face *face = &whole->faces[whole->face_count];
    const struct sim_polyhedron_face *before = face - 1;
    face->first = number > 0 ? (uint16_t)(before->first + before->count) : 0;
    members_find(joining, seed, number);
    if (!ring_find(joining, face)) {
        for (uint32_t m = 1; m < joining->member_count; m++) {
            joining->face_of[joining->members[m]] = NONE;
        }
        joining->member_count = 1;
        ring_find(joining, face);
    }
    const struct sim_hull_face *plane = &joining->hull->faces[seed];
    memcpy(face->normal, plane->normal, sizeof face->normal);
    face->offset = plane->offset;
    for (uint32_t i = 0; i < joining->hull->vertex_count; i++) {
        const double height = sim_dot(plane->normal, joining->hull->vertices[i]);
        face->offset = height > face->offset ? height : face->offset;
    }
    whole->face_count++;
}

static uint32_t largest_left(const struct joining *joining)
{
    uint32_t best = EVERY;
    for (uint32_t f = 0; f < joining->hull->face_count; f++) {
        if (joining->face_of[f] == NONE && (best == EVERY || joining->twice[f] > joining->twice[best])) {
            best = f;
        }
    }
    return best;
}

static void edges_make(struct joining *joining)
{
    struct sim_polyhedron *whole = joining->whole;
    for (uint32_t f = 0; f < joining->hull->face_count; f++) {
        const uint32_t *c = joining->hull->faces[f].corners;
        for (uint32_t k = 0; k < 3; k++) {
            const uint8_t left = joining->face_of[f], right = joining->face_of[joining->neighbours[f][k]];
            if (left != right && c[k] < c[(k + 1) % 3]) {
                whole->edges[whole->edge_count++] = (struct sim_polyhedron_edge){
                    .from = (uint8_t)c[k], .to = (uint8_t)c[(k + 1) % 3], .left = left, .right = right};
            }
        }
    }
}

void sim_polyhedron_make(struct sim_hull *hull)
{
    struct joining joining = {.hull = hull, .whole = &hull->whole};
    if (hull->whole.face_count > 0) {
        return;
    }
    hull->whole.vertex_count = hull->vertex_count;
    areas_find(&joining);
    neighbours_find(&joining);
    for (uint32_t seed; (seed = largest_left(&joining)) != EVERY;) {
        face_make(&joining, seed);
    }
    edges_make(&joining);
    for (int axis = 0; axis < 3; axis++) {
        double least = hull->vertices[0][axis], most = least;
        for (uint32_t i = 1; i < hull->vertex_count; i++) {
            least = hull->vertices[i][axis] < least ? hull->vertices[i][axis] : least;
            most = hull->vertices[i][axis] > most ? hull->vertices[i][axis] : most;
        }
        hull->whole.size += 0.5 * (most - least);
    }
}
