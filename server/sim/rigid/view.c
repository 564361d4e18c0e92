// Boxes, cylinders and hulls by vertices, faces and edges. view.h says how.
#include "sim/rigid/view.h"

#include <string.h>

enum { SIDES = SIM_VIEW_SIDES };

static double least_of(const double *values, int count)
{
    double least = values[0];
    for (int i = 1; i < count; i++) {
        least = values[i] < least ? values[i] : least;
    }
    return least;
}

// Vertex i of a box is on the side + of x, y and z where bits 0, 1 and 2 of i are set. Faces: +x, -x, +y, -y, +z, -z.
static void box_view(const double half[3], struct sim_view_room *room, struct sim_view *view)
{
    static const uint8_t corners[24] = {7, 5, 1, 3, 2, 0, 4, 6, 7, 3, 2, 6,
                                        4, 0, 1, 5, 7, 6, 4, 5, 1, 0, 2, 3};
    static const struct sim_polyhedron_edge edges[12] = {
        {1, 3, 0, 5}, {3, 7, 0, 2}, {0, 4, 1, 3}, {4, 6, 1, 4}, {2, 6, 2, 1}, {6, 7, 2, 4},
        {0, 1, 3, 5}, {1, 5, 3, 0}, {4, 5, 4, 3}, {5, 7, 4, 0}, {0, 2, 5, 1}, {2, 3, 5, 2}};
    for (int i = 0; i < 8; i++) {
        for (int axis = 0; axis < 3; axis++) {
            room->vertices[i][axis] = (i >> axis & 1) != 0 ? half[axis] : -half[axis];
        }
    }
    for (int f = 0; f < 6; f++) {
        room->faces[f] =
            (struct sim_polyhedron_face){.offset = half[f / 2], .first = (uint16_t)(4 * f), .count = 4};
        room->faces[f].normal[f / 2] = f % 2 == 0 ? 1 : -1;
    }
    *view = (struct sim_view){8,           6,
                              12,          (const double(*)[3])room->vertices,
                              room->faces, corners,
                              edges,       (half[0] + half[1]) + half[2],
                              {0, 0, 0},   least_of(half, 3)};
}

// Fills in the point of a circle of 1 m after so many of 128 parts of a turn, counterclockwise about y, and from z on.
static void circle_at(uint32_t part, double *x, double *z)
{
    static const double sines[33] = {0.0,
                                     0.049067674327418015,
                                     0.0980171403295606,
                                     0.14673047445536175,
                                     0.19509032201612825,
                                     0.24298017990326387,
                                     0.29028467725446233,
                                     0.33688985339222005,
                                     0.3826834323650898,
                                     0.4275550934302821,
                                     0.47139673682599764,
                                     0.5141027441932217,
                                     0.5555702330196022,
                                     0.5956993044924334,
                                     0.6343932841636455,
                                     0.6715589548470183,
                                     0.7071067811865475,
                                     0.7409511253549591,
                                     0.773010453362737,
                                     0.8032075314806448,
                                     0.8314696123025452,
                                     0.8577286100002721,
                                     0.8819212643483549,
                                     0.9039892931234433,
                                     0.9238795325112867,
                                     0.9415440651830208,
                                     0.9569403357322089,
                                     0.970031253194544,
                                     0.9807852804032304,
                                     0.989176509964781,
                                     0.9951847266721968,
                                     0.9987954562051724,
                                     1.0};
    const uint32_t quarter = part / 32 % 4, rest = part % 32;
    const double sine = sines[rest], cosine = sines[32 - rest];
    *x = quarter == 0 ? sine : quarter == 1 ? cosine : quarter == 2 ? -sine : -cosine;
    *z = quarter == 0 ? cosine : quarter == 1 ? -sine : quarter == 2 ? -cosine : sine;
}

// A prism: vertices 2 i and 2 i + 1 are below and above, at side i; the sides, the upper end and the lower end are its faces. Its edges are as
// far out of the cylinder as the middles of its sides are in.
static void cylinder_view(const double half[3], struct sim_view_room *room, struct sim_view *view)
{
    const double edge = half[0] * 1.0006026348474468,
                 side = edge * 0.9987954562051724; // cosine of 1/128 of a turn
    for (uint32_t i = 0; i < SIDES; i++) {
        const uint8_t next = (uint8_t)((i + 1) % SIDES), at = (uint8_t)i,
                      last = (uint8_t)((i + SIDES - 1) % SIDES);
        const uint8_t loop[4] = {(uint8_t)(2 * at), (uint8_t)(2 * next), (uint8_t)(2 * next + 1),
                                 (uint8_t)(2 * at + 1)};
        double x, z;
        circle_at(2 * i, &x, &z);
        for (int top = 0; top < 2; top++) {
            double *vertex = room->vertices[2 * i + (uint32_t)top];
            vertex[0] = edge * x;
            vertex[1] = top ? half[1] : -half[1];
            vertex[2] = edge * z;
        }
        circle_at(2 * i + 1, &x, &z);
        room->faces[i] = (struct sim_polyhedron_face){{x, 0, z}, side, (uint16_t)(4 * i), 4};
        memcpy(room->corners + 4 * i, loop, sizeof loop);
        room->corners[4 * SIDES + i] = loop[3];
        room->corners[5 * SIDES + (SIDES - 1 - i)] = loop[0];
        room->edges[3 * i] = (struct sim_polyhedron_edge){loop[0], loop[1], at, SIDES + 1};
        room->edges[3 * i + 1] = (struct sim_polyhedron_edge){loop[3], loop[2], SIDES, at};
        room->edges[3 * i + 2] = (struct sim_polyhedron_edge){loop[0], loop[3], last, at};
    }
    room->faces[SIDES] = (struct sim_polyhedron_face){{0, 1, 0}, half[1], 4 * SIDES, SIDES};
    room->faces[SIDES + 1] = (struct sim_polyhedron_face){{0, -1, 0}, half[1], 5 * SIDES, SIDES};
    *view = (struct sim_view){2 * SIDES,   SIDES + 2,
                              3 * SIDES,   (const double(*)[3])room->vertices,
                              room->faces, room->corners,
                              room->edges, 2 * half[0] + half[1],
                              {0, 0, 0},   0.999 * least_of(half, 2)};
}

void sim_view_of(const struct sim_proxy *proxy, struct sim_view_room *room, struct sim_view *view)
{
    if (proxy->form == SIM_PROXY_BOX) {
        box_view(proxy->half_extents, room, view);
        return;
    }
    if (proxy->form == SIM_PROXY_CYLINDER) {
        cylinder_view(proxy->half_extents, room, view);
        return;
    }
    const struct sim_polyhedron *whole = &proxy->hull->whole;
    *view = (struct sim_view){whole->vertex_count,
                              whole->face_count,
                              whole->edge_count,
                              proxy->hull->vertices,
                              whole->faces,
                              whole->corners,
                              whole->edges,
                              whole->size,
                              {proxy->hull->middle[0], proxy->hull->middle[1], proxy->hull->middle[2]},
                              proxy->hull->inner};
}
