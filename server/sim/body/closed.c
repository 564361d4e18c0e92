// Which parts of a triangle mesh are closed, and which way their triangles look.
//
// Triangles that share an edge belong to one part. It is closed where each edge has two triangles, and has an inside
// where all of them can be turned alike: those of an edge run through it against each other. Turned so that the
// enclosed volume is positive, they look outwards. Parts are sets with a root, each triangle with whether it is turned
// as its root is.

#include "sim/body/mesh.h"

#include <stdlib.h>

struct part {
    uint32_t up; // towards the root, which is its own
    bool turned; // against `up`
    bool open;
    double volume; // six times, of a root
};

// The root; *turned: whether t is turned against it. Halves the way on the way.
static uint32_t root_of(struct part *parts, uint32_t t, bool *turned)
{
    *turned = false;
    while (parts[t].up != t) {
        uint32_t up = parts[t].up;
        if (parts[up].up != up) {
            parts[t].turned = parts[t].turned != parts[up].turned;
            parts[t].up = parts[up].up;
        }
        *turned = *turned != parts[t].turned;
        t = parts[t].up;
    }
    return t;
}

static void join(struct part *parts, const uint32_t *triangles, const struct sim_hinge *hinge)
{
    const uint32_t one = hinge->triangles[0], other = hinge->triangles[1];
    const uint32_t *corner = triangles + 3 * (size_t)other;
    bool alike = false, turned[2];
    uint32_t roots[2] = {root_of(parts, one, &turned[0]), root_of(parts, other, &turned[1])};
    if (hinge->triangle_count != 2) {
        parts[roots[0]].open = parts[roots[1]].open = true;
        return;
    }
    for (uint32_t k = 0; k < 3; k++) { // through the edge the same way
        alike = alike || (corner[k] == hinge->corners[0] && corner[(k + 1) % 3] == hinge->corners[1]);
    }
    bool against = alike != (turned[0] != turned[1]);
    if (roots[0] == roots[1]) {
        parts[roots[0]].open = parts[roots[0]].open || against; // it has one side only
        return;
    }
    parts[roots[1]].up = roots[0];
    parts[roots[1]].turned = against;
    parts[roots[0]].open = parts[roots[0]].open || parts[roots[1]].open;
}

static double volume_under(const int64_t (*positions)[3], const uint32_t *corner)
{
    double x[3][3];
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            x[k][axis] = (double)(positions[corner[k]][axis] - positions[0][axis]);
        }
    }
    return x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) +
           x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2]) +
           x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0]);
}

bool sim_mesh_sides(const uint32_t *triangles, uint32_t count, uint32_t particle_count,
                    const int64_t (*positions)[3], enum sim_side *sides)
{
    struct sim_hinge *hinges = NULL;
    uint32_t hinge_count = 0;
    struct part *parts = malloc(((size_t)count + 1) * sizeof *parts);
    bool done = parts && sim_mesh_hinges(triangles, count, particle_count, &hinges, &hinge_count);
    for (uint32_t t = 0; done && t < count; t++) {
        parts[t] = (struct part){.up = t};
    }
    for (uint32_t h = 0; done && h < hinge_count; h++) {
        join(parts, triangles, &hinges[h]);
    }
    for (uint32_t t = 0; done && t < count; t++) {
        bool turned;
        struct part *root = &parts[root_of(parts, t, &turned)];
        double volume = volume_under(positions, triangles + 3 * (size_t)t);
        root->volume += turned ? -volume : volume;
    }
    for (uint32_t t = 0; done && t < count; t++) {
        bool turned;
        const struct part *root = &parts[root_of(parts, t, &turned)];
        bool has_inside = !root->open && (root->volume < 0 || root->volume > 0);
        sides[t] = !has_inside ? SIM_BOTH_SIDES : turned == (root->volume < 0) ? SIM_FRONT : SIM_BACK;
    }
    free(hinges);
    free(parts);
    return done;
}
