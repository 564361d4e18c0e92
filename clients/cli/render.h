// Draws a picture of a scene: rasterised with several samples per pixel, lit by one lamp with shadows and by the sky.
#ifndef WEFT_CLI_RENDER_H
#define WEFT_CLI_RENDER_H

#include "raster.h"
#include "scene.h"

struct cli_image {
    int width, height;
    uint8_t *rgb; // three bytes per pixel, sRGB, rows from the top
};

struct cli_view {
    float azimuth, elevation; // rad
    float zoom;               // 1 frames everything
};

struct cli_renderer {
    struct cli_raster raster; // samples of the picture
    struct cli_raster shadow; // nearness seen from the lamp
    struct cli_camera camera, lamp;
    int samples_a_side; // samples along a side of a pixel
    bool framed;
    struct cli_bounds bounds; // the region that the camera frames; it follows the scene slowly
    float radius;             // radius of a ball around the bounds
    float square;             // side of the ground's squares, m
    struct cli_image image;
};

bool cli_renderer_init(struct cli_renderer *renderer, int width, int height); // call it again to resize
void cli_renderer_deinit(struct cli_renderer *renderer);

// dt: seconds since the last picture, for the camera that follows. Normals must be up to date. Draws into
// renderer->image.
void cli_render(struct cli_renderer *renderer, const struct cli_scene *scene, const struct cli_view *view,
                float dt);

#endif
