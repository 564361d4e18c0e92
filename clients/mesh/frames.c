// Frames of a mesh that moves: as the file stores its vertices, they go the way of the mesh through placing and welding.
#include "internal.h"

#include <math.h>
#include <stdlib.h>

static void mapped(const double map[3][4], const float *from, double to[3])
{
    for (int row = 0; row < 3; row++) {
        to[row] = map[row][0] * (double)from[0] + map[row][1] * (double)from[1] +
                  map[row][2] * (double)from[2] + map[row][3];
    }
}

static const float *place_in(const struct mesh_file *file, uint32_t frame, uint32_t vertex)
{
    return file->frames + 3 * ((size_t)frame * file->mesh.file_vertex_count + vertex);
}

void mesh_frame(const struct mesh_file *file, const double map[3][4], const uint32_t *source, uint32_t frame,
                double *positions)
{
    for (uint32_t v = 0; v < file->mesh.vertex_count; v++) {
        mapped(map, place_in(file, frame, source[v]), positions + 3 * (size_t)v);
    }
}

// How far apart two vertices of the file are in a frame, squared.
static double apart(const struct mesh_file *file, const double map[3][4], uint32_t frame, uint32_t one,
                    uint32_t other)
{
    double a[3], b[3], sum = 0;
    mapped(map, place_in(file, frame, one), a);
    mapped(map, place_in(file, frame, other), b);
    for (int axis = 0; axis < 3; axis++) {
        sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    }
    return sum;
}

bool mesh_frame_sources(const struct mesh_file *file, const double map[3][4], double tolerance,
                        uint32_t *source, struct fault *fault)
{
    const struct mesh *mesh = &file->mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        source[v] = MESH_NONE;
    }
    for (uint32_t i = 0; i < mesh->file_vertex_count; i++) {
        const uint32_t v = mesh->vertex_of[i];
        if (v == MESH_NONE) {
            continue;
        }
        if (source[v] == MESH_NONE) {
            source[v] = i;
        }
        for (uint32_t k = 0; source[v] != i && k < file->frame_count; k++) {
            if (!(apart(file, map, k, source[v], i) <= tolerance * tolerance)) {
                return fault_set(
                    fault, FAULT_INVALID, NULL,
                    "vertices %u and %u lie in one place at first and were welded, but part by frame %u: "
                    "begin the animation where nothing is folded together",
                    source[v], i, k);
            }
        }
    }
    return true;
}

double *mesh_frame_times(double seconds, double fps, uint32_t vertices, uint32_t *count)
{
    const double frames = ceil(seconds * fps - 1e-6) + 1;
    if (!(frames >= 2 && frames <= MESH_FRAMES_MAX && frames * 3 * vertices <= MESH_FRAME_NUMBERS_MAX)) {
        return NULL;
    }
    *count = (uint32_t)frames;
    double *times = malloc(*count * sizeof *times);
    for (uint32_t k = 0; times && k < *count; k++) {
        times[k] = k + 1 < *count ? k / fps : seconds;
    }
    return times;
}
