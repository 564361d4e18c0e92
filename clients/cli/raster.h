// A software rasteriser: draws triangles, spheres, boxes, tubes and planes into a buffer that holds the visible surface
// of each sample.
//
// Coordinates are samples: x to the right, y down, the centre of sample (i, j) at (i + 0.5, j + 0.5). Nearness decides
// which surface is visible: greater is nearer, 0 is empty. For a perspective view it is 1/depth, which varies linearly
// over the screen; for a parallel view it may be anything linear in depth.
#ifndef WEFT_CLI_RASTER_H
#define WEFT_CLI_RASTER_H

#include "vector.h"

#include <stdbool.h>
#include <stdint.h>

struct cli_surface {
    struct vec3 normal; // not of unit length
    float u, v;         // place on the surface's pattern
    uint16_t material;
};

// Rows from the top. surfaces holds the visible surface wherever nearness is above 0. It is NULL in a raster that
// records only nearness.
struct cli_raster {
    int width, height;
    float *nearness;
    struct cli_surface *surfaces;
};

struct cli_corner {
    float x, y;
    float nearness;
    struct vec3 normal;
    float u, v;
};

// False if memory runs out, or a side is below 1 or above 16384. May be called again to resize.
bool cli_raster_init(struct cli_raster *raster, int width, int height, bool with_surfaces);
void cli_raster_deinit(struct cli_raster *raster);
void cli_raster_clear(struct cli_raster *raster);

// Draws both sides. A sample on an edge that two triangles share belongs to exactly one of them. Corners that are not
// finite draw nothing. Attributes are interpolated in proportion to nearness, which is correct in perspective.
void cli_raster_triangle(struct cli_raster *raster, const struct cli_corner corners[3], uint16_t material);

// ---------------------------------------------------------------------------------------------------------
// A camera that looks from eye along forward. Samples are square.

struct cli_camera {
    struct vec3 eye, right, up, forward; // orthonormal
    float focal;                         // samples: half the height / tan(half the field of view)
    float center_x, center_y;            // samples
    float near;                          // m; surfaces nearer than this are not drawn
    bool parallel;                       // a parallel view along forward; focal is samples per metre
    float far;                           // parallel view: nearness is far - depth
};

struct cli_camera cli_camera_orbit(struct vec3 target, float distance, float azimuth, float elevation,
                                   float field_of_view, int width, int height);
// Projects a point to its screen position and nearness. False behind the near plane.
bool cli_camera_project(const struct cli_camera *camera, struct vec3 point, struct cli_corner *corner);
struct vec3 cli_camera_ray(const struct cli_camera *camera, float x,
                           float y); // a vector with depth 1 along forward
struct vec3 cli_camera_point(const struct cli_camera *camera, float x, float y, float nearness);

// World-space shapes seen by a camera, cut at its near plane.
struct cli_vertex {
    struct vec3 position, normal;
    float u, v;
};

void cli_raster_draw(struct cli_raster *raster, const struct cli_camera *camera,
                     const struct cli_vertex vertices[3], uint16_t material);
void cli_raster_sphere(struct cli_raster *raster, const struct cli_camera *camera, struct vec3 center,
                       float radius, uint16_t material);
void cli_raster_plane(struct cli_raster *raster, const struct cli_camera *camera, struct vec3 point,
                      struct vec3 normal, uint16_t material);
// The box center ± sides[0] ± sides[1] ± sides[2]; the sides are perpendicular and right-handed.
void cli_raster_box(struct cli_raster *raster, const struct cli_camera *camera, struct vec3 center,
                    const struct vec3 sides[3], uint16_t material);
// The round wall of a cylinder from a to b; across holds two radii at right angles.
void cli_raster_tube(struct cli_raster *raster, const struct cli_camera *camera, struct vec3 a, struct vec3 b,
                     const struct vec3 across[2], uint16_t material);
// A band that faces the camera, shaded like a round rod.
void cli_raster_rod(struct cli_raster *raster, const struct cli_camera *camera, struct vec3 a, struct vec3 b,
                    float radius, uint16_t material);

#endif
