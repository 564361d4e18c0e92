// Scene → picture.
//
//     frame the camera ─▶ draw into shadow (from the lamp) and raster (from the eye) ─▶ light each sample
//         ─▶ average to pixels ─▶ tone ─▶ bytes
//
// Light is summed in linear colour. A surface shows the side that faces the eye; cloth has a cooler back, so
// that folds read as folds.
#include "render.h"

#include <stdlib.h>
#include <string.h>

enum { SHADOW_SIDE = 512, SAMPLES_MAX = 150000 };
enum { MATERIAL_GROUND, MATERIAL_SPHERE, MATERIAL_GRAB, MATERIAL_BODY };

#define FIELD_OF_VIEW 0.66f
#define GAMMA (1 / 2.2f)

static const struct vec3 lamp_direction = {0.42f, 0.78f, 0.46f}; // toward the lamp
static const struct vec3 lamp_color = {1.95f, 1.78f, 1.52f};
static const struct vec3 sky_color = {0.30f, 0.37f, 0.50f};
static const struct vec3 earth_color = {0.15f, 0.12f, 0.11f};
static const struct vec3 background_top = {0.0075f, 0.0105f, 0.019f};
static const struct vec3 background_bottom = {0.034f, 0.042f, 0.062f};

static const struct vec3 body_colors[] = {
    {0.66f, 0.040f, 0.032f}, {0.022f, 0.20f, 0.56f}, {0.78f, 0.36f, 0.020f}, {0.035f, 0.33f, 0.12f},
    {0.34f, 0.055f, 0.42f},  {0.58f, 0.52f, 0.42f},  {0.015f, 0.34f, 0.36f}, {0.62f, 0.10f, 0.24f},
};

bool cli_renderer_init(struct cli_renderer *renderer, int width, int height)
{
    int samples = 4;
    while (samples > 1 && (int64_t)width * height * samples * samples > SAMPLES_MAX) {
        samples--;
    }
    if (width < 1 || height < 1 ||
        !cli_raster_init(&renderer->raster, width * samples, height * samples, true)) {
        return false;
    }
    if (!renderer->shadow.nearness && !cli_raster_init(&renderer->shadow, SHADOW_SIDE, SHADOW_SIDE, false)) {
        return false;
    }
    uint8_t *rgb = realloc(renderer->image.rgb, (size_t)width * (size_t)height * 3);
    if (!rgb) {
        return false;
    }
    renderer->image = (struct cli_image){.width = width, .height = height, .rgb = rgb};
    renderer->samples_a_side = samples;
    return true;
}

void cli_renderer_deinit(struct cli_renderer *renderer)
{
    cli_raster_deinit(&renderer->raster);
    cli_raster_deinit(&renderer->shadow);
    free(renderer->image.rgb);
    memset(renderer, 0, sizeof *renderer);
}

// ---------------------------------------------------------------------------------------------------------
// The camera

// The least distance from which the bounds fit into the picture, from any side.
static float framing_distance(const struct cli_renderer *renderer, float elevation)
{
    const struct cli_bounds *b = &renderer->bounds;
    const float tangent = tanf(FIELD_OF_VIEW / 2);
    const float wide = (float)renderer->image.width, high = (float)renderer->image.height;
    const float tangent_x = tangent * fmaxf(1, wide / high), tangent_y = tangent * fmaxf(1, high / wide);
    const float rise = b->height * cosf(elevation) + 0.8f * b->across * fabsf(sinf(elevation));
    const float distance = fmaxf(rise / tangent_y, b->across / tangent_x);
    // The near side looks larger.
    return 0.95f * (distance + 0.40f * b->across * cosf(elevation));
}

static void follow(struct cli_renderer *renderer, const struct cli_bounds *seen, float dt)
{
    struct cli_bounds *b = &renderer->bounds;
    if (!renderer->framed ||
        vec3_length(vec3_sub(seen->center, b->center)) > 3 * (seen->across + seen->height)) {
        *b = *seen;
        renderer->framed = true;
        return;
    }
    // Zooms out quickly, so that nothing leaves the picture, and in slowly, so that it stays calm.
    const float quick = 1 - expf(-dt * 4), slow = 1 - expf(-dt * 0.4f);
    b->center = vec3_mix(b->center, seen->center, 1 - expf(-dt * 1.5f));
    b->across += (seen->across - b->across) * (seen->across > b->across ? quick : slow);
    b->height += (seen->height - b->height) * (seen->height > b->height ? quick : slow);
}

static void aim(struct cli_renderer *renderer, const struct cli_scene *scene, const struct cli_view *view,
                float dt)
{
    struct cli_bounds seen;
    if (cli_scene_bounds(scene, &seen)) {
        follow(renderer, &seen, dt);
    } else if (!renderer->framed) {
        renderer->bounds = (struct cli_bounds){.across = 1, .height = 1};
    }
    const struct vec3 center = renderer->bounds.center;
    renderer->radius = hypotf(renderer->bounds.across, renderer->bounds.height);
    // A round number of metres, so that the squares show the scale.
    renderer->square = powf(10, floorf(log10f(renderer->radius * 0.8f)));
    const float distance = framing_distance(renderer, view->elevation) / view->zoom;
    renderer->camera = cli_camera_orbit(center, distance, view->azimuth, view->elevation, FIELD_OF_VIEW,
                                        renderer->raster.width, renderer->raster.height);

    const struct vec3 toward = vec3_unit(lamp_direction, (struct vec3){0, 1, 0});
    struct cli_camera *lamp = &renderer->lamp;
    const float reach = renderer->radius * 1.5f;
    memset(lamp, 0, sizeof *lamp);
    lamp->forward = vec3_scale(toward, -1);
    lamp->right = vec3_unit(vec3_cross((struct vec3){0, 1, 0}, toward), (struct vec3){1, 0, 0});
    lamp->up = vec3_cross(lamp->right, lamp->forward);
    lamp->eye = vec3_mad(center, toward, reach * 2);
    lamp->parallel = true;
    lamp->near = 0;
    lamp->far = reach * 6;
    lamp->focal = SHADOW_SIDE / 2 / reach;
    lamp->center_x = lamp->center_y = SHADOW_SIDE / 2;
}

// ---------------------------------------------------------------------------------------------------------
// Drawing

static uint16_t body_material(uint32_t index)
{
    return (uint16_t)(MATERIAL_BODY + index % (sizeof body_colors / sizeof *body_colors));
}

static struct cli_vertex vertex_of(const struct cli_body *body, uint32_t particle)
{
    return (struct cli_vertex){.position = body->positions[particle],
                               .normal = body->normals[particle],
                               .u = body->pattern[2 * (size_t)particle],
                               .v = body->pattern[2 * (size_t)particle + 1]};
}

static void draw_body(struct cli_raster *raster, const struct cli_camera *camera, const struct cli_body *body,
                      uint16_t material, float thin)
{
    for (uint32_t i = 0; i < body->triangle_count; i++) {
        const uint32_t *t = body->triangles + 3 * (size_t)i;
        const struct cli_vertex vertices[3] = {vertex_of(body, t[0]), vertex_of(body, t[1]),
                                               vertex_of(body, t[2])};
        cli_raster_draw(raster, camera, vertices, material);
    }
    for (uint32_t i = 0; i < body->edge_count; i++) {
        const uint32_t *e = body->edges + 2 * (size_t)i;
        cli_raster_rod(raster, camera, body->positions[e[0]], body->positions[e[1]], thin, material);
    }
    if (body->triangle_count || body->edge_count) {
        return;
    }
    for (uint32_t i = 0; i < body->particle_count; i++) {
        cli_raster_sphere(raster, camera, body->positions[i], thin, material);
    }
}

// Draws the flat end of a cylinder, on the side where its axis points outwards.
static void draw_end(struct cli_raster *raster, const struct cli_camera *camera, struct vec3 middle,
                     struct vec3 axis, const struct vec3 across[2])
{
    enum { SIDES = 40 };
    struct cli_vertex corners[3] = {{.position = middle, .normal = axis}, {.normal = axis}, {.normal = axis}};
    for (int side = 0; side < SIDES; side++) {
        for (int k = 0; k < 2; k++) {
            const float around = 6.2831853f * (float)(side + k) / SIDES;
            const struct vec3 out =
                vec3_add(vec3_scale(across[0], cosf(around)), vec3_scale(across[1], sinf(around)));
            corners[1 + k].position = vec3_add(middle, out);
        }
        cli_raster_draw(raster, camera, corners, MATERIAL_SPHERE);
    }
}

static struct vec3 hull_vertex(const struct cli_collider *collider, uint32_t vertex, float hair)
{
    const float *v = collider->vertices + 3 * (size_t)vertex;
    struct vec3 at = collider->position;
    for (int i = 0; i < 3; i++) {
        at = vec3_mad(at, collider->axes[i], v[i] * hair);
    }
    return at;
}

static void draw_hull(struct cli_raster *raster, const struct cli_camera *camera,
                      const struct cli_collider *collider, float hair)
{
    for (uint32_t t = 0; t < collider->triangle_count; t++) {
        const uint32_t *of = collider->triangles + 3 * (size_t)t;
        struct cli_vertex corners[3] = {0};
        for (int k = 0; k < 3; k++) {
            corners[k].position = hull_vertex(collider, of[k], hair);
        }
        const struct vec3 normal = vec3_cross(vec3_sub(corners[1].position, corners[0].position),
                                              vec3_sub(corners[2].position, corners[0].position));
        for (int k = 0; k < 3; k++) {
            corners[k].normal = vec3_unit(normal, collider->axes[1]);
        }
        cli_raster_draw(raster, camera, corners, MATERIAL_SPHERE);
    }
}

// Draws the collider slightly smaller than it is, so that cloth that lies on it does not sink in.
static void draw_collider(struct cli_raster *raster, const struct cli_camera *camera,
                          const struct cli_collider *collider)
{
    const float hair = 0.985f;
    const struct vec3 at = collider->position;
    if (collider->kind == CLI_BOX) {
        const struct vec3 h = vec3_scale(collider->half_extents, hair);
        const struct vec3 sides[3] = {vec3_scale(collider->axes[0], h.x), vec3_scale(collider->axes[1], h.y),
                                      vec3_scale(collider->axes[2], h.z)};
        cli_raster_box(raster, camera, at, sides, MATERIAL_SPHERE);
        return;
    }
    if (collider->kind == CLI_CONVEX || collider->kind == CLI_HEIGHT_FIELD) {
        draw_hull(raster, camera, collider, collider->kind == CLI_CONVEX ? hair : 1);
        return;
    }
    const float radius = collider->radius * hair;
    const struct vec3 half = vec3_scale(collider->axes[1], collider->length / 2);
    const struct vec3 across[2] = {vec3_scale(collider->axes[0], radius),
                                   vec3_scale(collider->axes[2], radius)};
    if (collider->kind == CLI_CYLINDER) {
        const struct vec3 end = vec3_scale(half, hair);
        cli_raster_tube(raster, camera, vec3_sub(at, end), vec3_add(at, end), across, MATERIAL_SPHERE);
        draw_end(raster, camera, vec3_add(at, end), collider->axes[1], across);
        draw_end(raster, camera, vec3_sub(at, end), vec3_scale(collider->axes[1], -1), across);
    } else if (collider->kind == CLI_CAPSULE) {
        cli_raster_sphere(raster, camera, vec3_sub(at, half), radius, MATERIAL_SPHERE);
        cli_raster_sphere(raster, camera, vec3_add(at, half), radius, MATERIAL_SPHERE);
        cli_raster_tube(raster, camera, vec3_sub(at, half), vec3_add(at, half), across, MATERIAL_SPHERE);
    } else {
        cli_raster_sphere(raster, camera, at, radius, MATERIAL_SPHERE);
    }
}

static void draw(struct cli_renderer *renderer, const struct cli_scene *scene, struct cli_raster *raster,
                 const struct cli_camera *camera)
{
    // A rod is about a pixel wide from afar, and a fixed share of the scene from near.
    const float pixel = renderer->radius * 2.2f / (float)renderer->image.height;
    const float thin = fmaxf(renderer->radius * 0.006f, pixel * 0.55f);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        if (!scene->boxed || scene->bodies[i].here) {
            draw_body(raster, camera, &scene->bodies[i], body_material(i), thin);
        }
    }
    for (uint32_t i = 0; i < scene->collider_count; i++) {
        const struct cli_collider *collider = &scene->colliders[i];
        if (collider->kind != CLI_PLANE) {
            draw_collider(raster, camera, collider);
        } else if (!camera->parallel) {
            cli_raster_plane(raster, camera, collider->position, collider->axes[1], MATERIAL_GROUND);
        }
    }
    if (camera->parallel) {
        return;
    }
    for (uint32_t i = 0; i < scene->grab_count; i++) {
        const struct cli_grab *grab = &scene->grabs[i];
        cli_raster_sphere(raster, camera, grab->target, thin * 2, MATERIAL_GRAB);
        for (uint32_t b = 0; b < scene->body_count; b++) {
            if (scene->bodies[b].id == grab->body && !scene->bodies[b].has_skin &&
                grab->particle < scene->bodies[b].particle_count) {
                cli_raster_rod(raster, camera, scene->bodies[b].positions[grab->particle], grab->target,
                               thin * 0.6f, MATERIAL_GRAB);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Light

// Whether the lamp sees the point at (x, y) of its picture with this nearness.
static bool lamp_sees(const struct cli_renderer *renderer, float x, float y, float nearness)
{
    const struct cli_raster *shadow = &renderer->shadow;
    if (!(x >= 0 && y >= 0 && x < (float)shadow->width && y < (float)shadow->height)) {
        return true;
    }
    return nearness >= shadow->nearness[(size_t)y * (size_t)shadow->width + (size_t)x];
}

// Share of the lamp's light that reaches point: samples the shadow buffer around it, more densely where the first
// samples disagree.
static float lamp_share(const struct cli_renderer *renderer, struct vec3 point, struct vec3 normal)
{
    const float texel = 1 / renderer->lamp.focal, step = 1.4f;
    struct cli_corner at = {0};
    if (!cli_camera_project(&renderer->lamp, vec3_mad(point, normal, texel * 2.5f), &at)) {
        return 1;
    }
    const float nearness = at.nearness + texel * 2;
    int lit = 0;
    for (int i = 0; i < 4; i++) {
        lit += lamp_sees(renderer, at.x + (i & 1 ? step : -step), at.y + (i & 2 ? step : -step), nearness);
    }
    if (lit == 0 || lit == 4) {
        return (float)(lit / 4);
    }
    for (int i = 0; i < 5; i++) {
        static const float around[5][2] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        lit += lamp_sees(renderer, at.x + around[i][0] * step, at.y + around[i][1] * step, nearness);
    }
    return (float)lit / 9;
}

static struct vec3 background(const struct cli_renderer *renderer, float x, float y)
{
    const float down = y / (float)renderer->raster.height;
    const float aside = (x / (float)renderer->raster.width - 0.5f) * 2;
    const struct vec3 color = vec3_mix(background_top, background_bottom, smoothf(0, 1, down));
    return vec3_scale(color, 1 - 0.25f * aside * aside);
}

// Soft bands across the weave, which show stretching and folding.
static float weave(float u, float v)
{
    const float bands = 7;
    const float a = cosf(u * bands * 6.2831853f), b = cosf(v * bands * 6.2831853f);
    return 0.78f + 0.11f * (smoothf(-0.25f, 0.25f, a) + smoothf(-0.25f, 0.25f, b));
}

static struct vec3 ground_color(const struct cli_renderer *renderer, const struct cli_surface *surface)
{
    const int64_t row = (int64_t)floorf(clampf(surface->u / renderer->square, -1e9f, 1e9f));
    const int64_t column = (int64_t)floorf(clampf(surface->v / renderer->square, -1e9f, 1e9f));
    return ((row + column) & 1) ? (struct vec3){0.044f, 0.050f, 0.064f}
                                : (struct vec3){0.066f, 0.074f, 0.094f};
}

static struct vec3 light(const struct cli_renderer *renderer, const struct cli_surface *surface,
                         float nearness, float x, float y)
{
    if (surface->material == MATERIAL_GRAB) {
        return (struct vec3){1.5f, 0.85f, 0.18f};
    }

    const struct vec3 point = cli_camera_point(&renderer->camera, x, y, nearness);
    const struct vec3 to_eye = vec3_unit(vec3_sub(renderer->camera.eye, point), (struct vec3){0, 0, 1});
    const struct vec3 toward = vec3_unit(lamp_direction, (struct vec3){0, 1, 0});
    struct vec3 normal = vec3_unit(surface->normal, to_eye);
    const bool is_back = vec3_dot(normal, to_eye) < 0;
    if (is_back) {
        normal = vec3_scale(normal, -1);
    }

    struct vec3 albedo;
    float shine = 0.10f;
    if (surface->material == MATERIAL_GROUND) {
        albedo = ground_color(renderer, surface);
        shine = 0;
    } else if (surface->material == MATERIAL_SPHERE) {
        albedo = (struct vec3){0.42f, 0.43f, 0.46f};
        shine = 0.30f;
    } else {
        albedo = vec3_scale(body_colors[surface->material - MATERIAL_BODY], weave(surface->u, surface->v));
        if (is_back) {
            albedo = vec3_mul(albedo, (struct vec3){0.70f, 0.76f, 0.88f});
        }
    }

    const float facing = vec3_dot(normal, toward);
    const float share = facing > 0 ? lamp_share(renderer, point, normal) : 0;
    struct vec3 sum = vec3_mix(earth_color, sky_color, 0.5f + 0.5f * normal.y);
    // A weak lamp at the eye keeps shaded parts readable.
    sum = vec3_add(sum, vec3_scale((struct vec3){0.16f, 0.17f, 0.20f}, fmaxf(0, vec3_dot(normal, to_eye))));
    sum = vec3_mad(sum, lamp_color, fmaxf(0, facing) * share);
    // Light that comes through thin cloth from behind.
    if (surface->material >= MATERIAL_BODY && facing < 0) {
        sum = vec3_mad(sum, lamp_color, -facing * 0.16f);
    }
    struct vec3 color = vec3_mul(albedo, sum);

    const struct vec3 half = vec3_unit(vec3_add(toward, to_eye), normal);
    const float gloss = fmaxf(0, vec3_dot(normal, half));
    color = vec3_mad(color, lamp_color,
                     shine * share * powf(gloss, surface->material == MATERIAL_SPHERE ? 40 : 18));
    const float rim = 1 - fmaxf(0, vec3_dot(normal, to_eye));
    if (surface->material != MATERIAL_GROUND) {
        return vec3_mad(color, sky_color, 0.22f * rim * rim * rim);
    }
    // The ground fades out with distance.
    const float away = vec3_length(vec3_sub(point, renderer->bounds.center)) / renderer->radius;
    return vec3_mix(color, background(renderer, x, y), smoothf(1.3f, 4.5f, away));
}

static uint8_t tone(float value)
{
    // x (1 + x/w²) / (1 + x): nearly linear in the dark, white at w. (Reinhard et al. 2002, eq. 4.)
    const float x = value * 1.2f, white = 1.8f;
    const float y = x * (1 + x / (white * white)) / (1 + x);
    return (uint8_t)(powf(clampf(y, 0, 1), GAMMA) * 255 + 0.5f);
}

static void resolve(struct cli_renderer *renderer)
{
    const int side = renderer->samples_a_side;
    const float unit = 1 / (float)(side * side);
    for (int py = 0; py < renderer->image.height; py++) {
        for (int px = 0; px < renderer->image.width; px++) {
            struct vec3 sum = {0, 0, 0};
            for (int s = 0; s < side * side; s++) {
                const int x = px * side + s % side, y = py * side + s / side;
                const size_t at = (size_t)y * (size_t)renderer->raster.width + (size_t)x;
                const float nearness = renderer->raster.nearness[at], mx = (float)x + 0.5f,
                            my = (float)y + 0.5f;
                sum = vec3_add(sum, nearness > 0
                                        ? light(renderer, &renderer->raster.surfaces[at], nearness, mx, my)
                                        : background(renderer, mx, my));
            }
            sum = vec3_scale(sum, unit);
            uint8_t *out =
                renderer->image.rgb + 3 * ((size_t)py * (size_t)renderer->image.width + (size_t)px);
            out[0] = tone(sum.x);
            out[1] = tone(sum.y);
            out[2] = tone(sum.z);
        }
    }
}

void cli_render(struct cli_renderer *renderer, const struct cli_scene *scene, const struct cli_view *view,
                float dt)
{
    aim(renderer, scene, view, dt);
    cli_raster_clear(&renderer->raster);
    cli_raster_clear(&renderer->shadow);
    draw(renderer, scene, &renderer->shadow, &renderer->lamp);
    draw(renderer, scene, &renderer->raster, &renderer->camera);
    resolve(renderer);
}
