// A software rasteriser. See raster.h.
//
// Triangles: three edge functions, evaluated at the centres of samples, on corners snapped to 1/256 of a
// sample so that they are whole numbers and neighbours agree exactly about a shared edge (top-left rule).
#include "raster.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 16384, SUBSAMPLES = 256 };
#define COORDINATE_MAX 1e6f // samples; corners beyond it would overflow the edge functions

bool cli_raster_init(struct cli_raster *raster, int width, int height, bool with_surfaces)
{
    if (width < 1 || height < 1 || width > SIDE_MAX || height > SIDE_MAX) {
        return false;
    }
    const size_t count = (size_t)width * (size_t)height;
    float *nearness = malloc(count * sizeof *nearness);
    struct cli_surface *surfaces = with_surfaces ? malloc(count * sizeof *surfaces) : NULL;
    if (!nearness || (with_surfaces && !surfaces)) {
        free(nearness);
        free(surfaces);
        return false;
    }
    cli_raster_deinit(raster);
    *raster =
        (struct cli_raster){.width = width, .height = height, .nearness = nearness, .surfaces = surfaces};
    cli_raster_clear(raster);
    return true;
}

void cli_raster_deinit(struct cli_raster *raster)
{
    free(raster->nearness);
    free(raster->surfaces);
    memset(raster, 0, sizeof *raster);
}

void cli_raster_clear(struct cli_raster *raster)
{
    memset(raster->nearness, 0, (size_t)raster->width * (size_t)raster->height * sizeof *raster->nearness);
}

// Writes the sample if it is nearer than the present one. (x, y) is inside the raster.
static void put(struct cli_raster *raster, int x, int y, float nearness, const struct cli_surface *surface)
{
    const size_t at = (size_t)y * (size_t)raster->width + (size_t)x;
    if (!(nearness > raster->nearness[at])) {
        return;
    }
    raster->nearness[at] = nearness;
    if (raster->surfaces) {
        raster->surfaces[at] = *surface;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Triangles

struct edge {
    int64_t value; // at the first sample of the row
    int64_t step_x, step_y;
};

// The edge function of the line from (ax, ay) to (bx, by): positive inside, at sample (x, y).
static struct edge edge_from(int64_t ax, int64_t ay, int64_t bx, int64_t by, int x, int y)
{
    const int64_t dx = bx - ax, dy = by - ay;
    const int64_t px = (int64_t)x * SUBSAMPLES + SUBSAMPLES / 2,
                  py = (int64_t)y * SUBSAMPLES + SUBSAMPLES / 2;
    // Samples on a top or left edge are inside; those on other edges are not.
    const bool top_left = (dy == 0 && dx > 0) || dy < 0;
    return (struct edge){.value = dx * (py - ay) - dy * (px - ax) - (top_left ? 0 : 1),
                         .step_x = -dy * SUBSAMPLES,
                         .step_y = dx * SUBSAMPLES};
}

static int bound(float value, int high)
{
    return value < 0 ? 0 : value > (float)high ? high : (int)value;
}

static bool usable(const struct cli_corner *corner)
{
    return isfinite(corner->x) && isfinite(corner->y) && isfinite(corner->nearness) &&
           fabsf(corner->x) < COORDINATE_MAX && fabsf(corner->y) < COORDINATE_MAX && corner->nearness > 0;
}

static struct cli_surface blend(const struct cli_corner *c[3], const float weight[3], float nearness,
                                uint16_t material)
{
    struct cli_surface surface = {.material = material};
    const float unit = 1 / nearness;
    for (int i = 0; i < 3; i++) {
        const float w = weight[i] * c[i]->nearness * unit;
        surface.normal = vec3_mad(surface.normal, c[i]->normal, w);
        surface.u += c[i]->u * w;
        surface.v += c[i]->v * w;
    }
    return surface;
}

void cli_raster_triangle(struct cli_raster *raster, const struct cli_corner corners[3], uint16_t material)
{
    const struct cli_corner *c[3] = {&corners[0], &corners[1], &corners[2]};
    if (!usable(c[0]) || !usable(c[1]) || !usable(c[2])) {
        return;
    }
    int64_t x[3], y[3];
    for (int i = 0; i < 3; i++) {
        x[i] = llrintf(c[i]->x * SUBSAMPLES);
        y[i] = llrintf(c[i]->y * SUBSAMPLES);
    }
    const int64_t area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]);
    if (area == 0) {
        return;
    }
    // Orders the corners the same way for both sides.
    const int second = area > 0 ? 1 : 2, third = area > 0 ? 2 : 1;
    const struct cli_corner *turned[3] = {c[0], c[second], c[third]};

    const float left = fminf(fminf(c[0]->x, c[1]->x), c[2]->x),
                right = fmaxf(fmaxf(c[0]->x, c[1]->x), c[2]->x);
    const float top = fminf(fminf(c[0]->y, c[1]->y), c[2]->y),
                bottom = fmaxf(fmaxf(c[0]->y, c[1]->y), c[2]->y);
    const int x_first = bound(left - 1, raster->width), x_end = bound(right + 2, raster->width);
    const int y_first = bound(top - 1, raster->height), y_end = bound(bottom + 2, raster->height);

    struct edge e[3] = {
        edge_from(x[second], y[second], x[third], y[third], x_first, y_first),
        edge_from(x[third], y[third], x[0], y[0], x_first, y_first),
        edge_from(x[0], y[0], x[second], y[second], x_first, y_first),
    };
    const float unit = 1 / (float)llabs(area);
    for (int row = y_first; row < y_end; row++) {
        int64_t v0 = e[0].value, v1 = e[1].value, v2 = e[2].value;
        for (int column = x_first; column < x_end; column++) {
            if ((v0 | v1 | v2) >= 0) {
                const float weight[3] = {(float)v0 * unit, (float)v1 * unit, (float)v2 * unit};
                const float nearness = weight[0] * turned[0]->nearness + weight[1] * turned[1]->nearness +
                                       weight[2] * turned[2]->nearness;
                const size_t at = (size_t)row * (size_t)raster->width + (size_t)column;
                if (nearness > raster->nearness[at]) {
                    raster->nearness[at] = nearness;
                    if (raster->surfaces) {
                        raster->surfaces[at] = blend(turned, weight, nearness, material);
                    }
                }
            }
            v0 += e[0].step_x;
            v1 += e[1].step_x;
            v2 += e[2].step_x;
        }
        for (int i = 0; i < 3; i++) {
            e[i].value += e[i].step_y;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Camera

struct cli_camera cli_camera_orbit(struct vec3 target, float distance, float azimuth, float elevation,
                                   float field_of_view, int width, int height)
{
    struct cli_camera camera = {.center_x = (float)width / 2, .center_y = (float)height / 2};
    const struct vec3 back = {cosf(elevation) * sinf(azimuth), sinf(elevation),
                              cosf(elevation) * cosf(azimuth)};
    camera.eye = vec3_mad(target, back, distance);
    camera.forward = vec3_scale(back, -1);
    camera.right = (struct vec3){cosf(azimuth), 0, -sinf(azimuth)};
    camera.up = vec3_cross(camera.right, camera.forward);
    // The narrower side of the window holds the field of view.
    const float side = (float)(height < width ? height : width);
    camera.focal = side / 2 / tanf(field_of_view / 2);
    camera.near = distance * 0.02f;
    return camera;
}

bool cli_camera_project(const struct cli_camera *camera, struct vec3 point, struct cli_corner *corner)
{
    const struct vec3 to = vec3_sub(point, camera->eye);
    const float depth = vec3_dot(to, camera->forward);
    if (!(depth >= camera->near)) {
        return false;
    }
    const float scale = camera->parallel ? camera->focal : camera->focal / depth;
    corner->x = camera->center_x + vec3_dot(to, camera->right) * scale;
    corner->y = camera->center_y - vec3_dot(to, camera->up) * scale;
    corner->nearness = camera->parallel ? camera->far - depth : 1 / depth;
    return true;
}

struct vec3 cli_camera_ray(const struct cli_camera *camera, float x, float y)
{
    const struct vec3 across =
        vec3_mad(camera->forward, camera->right, (x - camera->center_x) / camera->focal);
    return vec3_mad(across, camera->up, (camera->center_y - y) / camera->focal);
}

struct vec3 cli_camera_point(const struct cli_camera *camera, float x, float y, float nearness)
{
    return vec3_mad(camera->eye, cli_camera_ray(camera, x, y), 1 / nearness);
}

// ---------------------------------------------------------------------------------------------------------
// Shapes

static struct cli_vertex between(const struct cli_vertex *a, const struct cli_vertex *b, float t)
{
    return (struct cli_vertex){
        .position = vec3_mix(a->position, b->position, t),
        .normal = vec3_mix(a->normal, b->normal, t),
        .u = a->u + (b->u - a->u) * t,
        .v = a->v + (b->v - a->v) * t,
    };
}

void cli_raster_draw(struct cli_raster *raster, const struct cli_camera *camera,
                     const struct cli_vertex vertices[3], uint16_t material)
{
    // Cut at the near plane: three corners, none, or four.
    struct cli_vertex cut[4];
    int count = 0;
    for (int i = 0; i < 3; i++) {
        const struct cli_vertex *a = &vertices[i], *b = &vertices[(i + 1) % 3];
        const float depth_a = vec3_dot(vec3_sub(a->position, camera->eye), camera->forward) - camera->near;
        const float depth_b = vec3_dot(vec3_sub(b->position, camera->eye), camera->forward) - camera->near;
        if (!isfinite(depth_a) || !isfinite(depth_b)) {
            return;
        }
        if (depth_a >= 0) {
            cut[count++] = *a;
        }
        if ((depth_a >= 0) != (depth_b >= 0)) {
            cut[count++] = between(a, b, depth_a / (depth_a - depth_b));
        }
    }
    struct cli_corner corners[4];
    for (int i = 0; i < count; i++) {
        // A corner made by the cut may lie a rounding error in front of the plane.
        const float depth = vec3_dot(vec3_sub(cut[i].position, camera->eye), camera->forward);
        if (depth < camera->near) {
            cut[i].position =
                vec3_mad(cut[i].position, camera->forward, (camera->near - depth) * 1.001f + 1e-6f);
        }
        if (!cli_camera_project(camera, cut[i].position, &corners[i])) {
            return;
        }
        corners[i].normal = cut[i].normal;
        corners[i].u = cut[i].u;
        corners[i].v = cut[i].v;
    }
    for (int i = 2; i < count; i++) {
        const struct cli_corner triangle[3] = {corners[0], corners[i - 1], corners[i]};
        cli_raster_triangle(raster, triangle, material);
    }
}

void cli_raster_sphere(struct cli_raster *raster, const struct cli_camera *camera, struct vec3 center,
                       float radius, uint16_t material)
{
    const struct vec3 to = vec3_sub(center, camera->eye);
    const float depth = vec3_dot(to, camera->forward);
    struct cli_corner middle = {0};
    int x_first = 0, y_first = 0, x_end = raster->width, y_end = raster->height;
    if (!(radius > 0) || !isfinite(depth) || depth + radius < camera->near) {
        return;
    }
    // Rays are cast within the shape's outline on the screen; everywhere if the eye is close.
    if (depth - radius > camera->near && cli_camera_project(camera, center, &middle)) {
        const float size = camera->parallel ? radius * camera->focal
                                            : camera->focal * radius / (depth - radius) *
                                                  (1 + fabsf(middle.x - camera->center_x) / camera->focal +
                                                   fabsf(middle.y - camera->center_y) / camera->focal);
        x_first = bound(middle.x - size - 1, raster->width);
        x_end = bound(middle.x + size + 2, raster->width);
        y_first = bound(middle.y - size - 1, raster->height);
        y_end = bound(middle.y + size + 2, raster->height);
    }
    for (int y = y_first; y < y_end; y++) {
        for (int x = x_first; x < x_end; x++) {
            struct vec3 ray = cli_camera_ray(camera, (float)x + 0.5f, (float)y + 0.5f);
            struct vec3 from = camera->eye;
            if (camera->parallel) {
                from = vec3_add(from, vec3_sub(ray, camera->forward));
                ray = camera->forward;
            }
            // |from + t ray - center|^2 = radius^2
            const struct vec3 offset = vec3_sub(center, from);
            const float a = vec3_dot(ray, ray), b = vec3_dot(ray, offset);
            const struct vec3 miss = vec3_mad(offset, ray, -b / a);
            const float inside = radius * radius - vec3_dot(miss, miss);
            if (inside < 0) {
                continue;
            }
            const float t = b / a - sqrtf(inside / a);
            if (!(t >= camera->near)) {
                continue;
            }
            const struct vec3 hit = vec3_mad(from, ray, t);
            const struct cli_surface surface = {.normal = vec3_sub(hit, center), .material = material};
            put(raster, x, y, camera->parallel ? camera->far - t : 1 / t, &surface);
        }
    }
}

void cli_raster_plane(struct cli_raster *raster, const struct cli_camera *camera, struct vec3 point,
                      struct vec3 normal, uint16_t material)
{
    const float height = vec3_dot(vec3_sub(point, camera->eye), normal);
    // Two axes in the plane, for patterns.
    const struct vec3 least = fabsf(normal.x) < 0.7f ? (struct vec3){1, 0, 0} : (struct vec3){0, 0, 1};
    const struct vec3 side =
        vec3_unit(vec3_mad(least, normal, -vec3_dot(least, normal)), (struct vec3){0, 0, 1});
    const struct vec3 other = vec3_cross(normal, side);
    for (int y = 0; y < raster->height; y++) {
        for (int x = 0; x < raster->width; x++) {
            const struct vec3 ray = cli_camera_ray(camera, (float)x + 0.5f, (float)y + 0.5f);
            const float t = height / vec3_dot(ray, normal);
            if (!(t >= camera->near) || !isfinite(t)) {
                continue;
            }
            const struct vec3 from_point = vec3_sub(vec3_mad(camera->eye, ray, t), point);
            const struct cli_surface surface = {.normal = normal,
                                                .u = vec3_dot(from_point, side),
                                                .v = vec3_dot(from_point, other),
                                                .material = material};
            put(raster, x, y, 1 / t, &surface);
        }
    }
}

static void draw_quad(struct cli_raster *raster, const struct cli_camera *camera,
                      const struct cli_vertex quad[4], uint16_t material)
{
    const struct cli_vertex first[3] = {quad[0], quad[1], quad[2]}, second[3] = {quad[0], quad[2], quad[3]};
    cli_raster_draw(raster, camera, first, material);
    cli_raster_draw(raster, camera, second, material);
}

void cli_raster_box(struct cli_raster *raster, const struct cli_camera *camera, struct vec3 center,
                    const struct vec3 sides[3], uint16_t material)
{
    for (int face = 0; face < 6; face++) {
        const float sign = face < 3 ? 1 : -1;
        const struct vec3 out = vec3_scale(sides[face % 3], sign);
        const struct vec3 right = sides[(face + 1) % 3], up = sides[(face + 2) % 3];
        struct cli_vertex quad[4];
        for (int i = 0; i < 4; i++) {
            const float u = i == 1 || i == 2 ? 1 : -1, v = i >= 2 ? 1 : -1;
            quad[i] = (struct cli_vertex){
                .position = vec3_add(vec3_add(center, out), vec3_mad(vec3_scale(right, u), up, v)),
                .normal = out,
            };
        }
        draw_quad(raster, camera, quad, material);
    }
}

void cli_raster_tube(struct cli_raster *raster, const struct cli_camera *camera, struct vec3 a, struct vec3 b,
                     const struct vec3 across[2], uint16_t material)
{
    enum { SIDES = 32 };
    struct vec3 last = across[0];
    for (int i = 1; i <= SIDES; i++) {
        const float angle = 6.2831853f * (float)i / SIDES;
        const struct vec3 next = vec3_mad(vec3_scale(across[0], cosf(angle)), across[1], sinf(angle));
        const struct cli_vertex quad[4] = {{.position = vec3_add(a, last), .normal = last},
                                           {.position = vec3_add(a, next), .normal = next},
                                           {.position = vec3_add(b, next), .normal = next},
                                           {.position = vec3_add(b, last), .normal = last}};
        draw_quad(raster, camera, quad, material);
        last = next;
    }
}

void cli_raster_rod(struct cli_raster *raster, const struct cli_camera *camera, struct vec3 a, struct vec3 b,
                    float radius, uint16_t material)
{
    const struct vec3 view = camera->parallel ? camera->forward : vec3_sub(vec3_mix(a, b, 0.5f), camera->eye);
    const struct vec3 toward = vec3_unit(vec3_scale(view, -1), (struct vec3){0, 0, 1});
    const struct vec3 side = vec3_unit(vec3_cross(vec3_sub(b, a), toward), camera->right);
    const struct vec3 across = vec3_scale(side, radius);
    const struct vec3 plus = vec3_mad(vec3_scale(toward, 0.6f), side, 0.8f);
    const struct vec3 minus = vec3_mad(vec3_scale(toward, 0.6f), side, -0.8f);
    const struct cli_vertex quad[4] = {{.position = vec3_add(a, across), .normal = plus},
                                       {.position = vec3_sub(a, across), .normal = minus},
                                       {.position = vec3_sub(b, across), .normal = minus},
                                       {.position = vec3_add(b, across), .normal = plus}};
    draw_quad(raster, camera, quad, material);
}
