// A software rasteriser: triangles, spheres, boxes, tubes and planes into a buffer of what is seen at each sample.
//
// Coordinates are samples: x to the right, y down, the centre of sample (i, j) at (i + 0.5, j + 0.5).
// Nearness decides what is seen: greater is nearer, 0 is nothing. For a perspective view it is 1/depth, which
// varies linearly over the screen; for a parallel one anything linear in depth does.
#ifndef WEFT_CLI_RASTER_H
#define WEFT_CLI_RASTER_H

#include "vector.h"

#include <stdbool.h>
#include <stdint.h>

struct cli_surface {
    struct vec3 normal; // not of unit length
    float u, v;         // place on the surface
    uint16_t material;
};

// Rows from the top. surfaces says what is seen where nearness is above 0, and is NULL in a raster that only
// knows how near things are.
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

// False without memory or where a side is below 1 or above 16384. May be used again to resize.
bool cli_raster_init(struct cli_raster *raster, int width, int height, bool with_surfaces);
void cli_raster_deinit(struct cli_raster *raster);
void cli_raster_clear(struct cli_raster *raster);

// Both sides are drawn. A sample on an edge that two triangles share belongs to exactly one of them. Corners
// that are not finite draw nothing. Attributes are interpolated in proportion to nearness, as perspective
// wants.
void cli_raster_triangle(struct cli_raster *raster, const struct cli_corner corners[3], uint16_t material);

// ---------------------------------------------------------------------------------------------------------
// The camera that looks from eye along forward. Samples are square.

struct cli_camera {
    struct vec3 eye, right, up, forward; // orthonormal
    float focal;                         // samples: half the height / tan(half the field of view)
    float center_x, center_y;            // samples
    float near;                          // m; nothing nearer is drawn
    bool parallel;                       // forward is the only direction; focal is samples per metre
    float far;                           // parallel: nearness is far - depth
};

struct cli_camera cli_camera_orbit(struct vec3 target, float distance, float azimuth, float elevation,
                                   float field_of_view, int width, int height);
// Screen place and nearness. False behind the near plane.
bool cli_camera_project(const struct cli_camera *camera, struct vec3 point, struct cli_corner *corner);
struct vec3 cli_camera_ray(const struct cli_camera *camera, float x, float y); // depth 1 along forward
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
// center ± sides[0] ± sides[1] ± sides[2], which are perpendicular and of right-handed order.
void cli_raster_box(struct cli_raster *raster, const struct cli_camera *camera, struct vec3 center,
                    const struct vec3 sides[3], uint16_t material);
// The round wall of a cylinder from a to b; across are two radii at right angles.
void cli_raster_tube(struct cli_raster *raster, const struct cli_camera *camera, struct vec3 a, struct vec3 b,
                     const struct vec3 across[2], uint16_t material);
// A band that faces the camera, shaded like a round rod.
void cli_raster_rod(struct cli_raster *raster, const struct cli_camera *camera, struct vec3 a, struct vec3 b,
                    float radius, uint16_t material);

#endif
