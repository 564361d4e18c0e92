// A picture of a scene: rasterised with several samples a pixel, lit by one lamp with shadows and by the sky.
#ifndef WEFT_CLI_RENDER_H
#define WEFT_CLI_RENDER_H

#include "raster.h"
#include "scene.h"

struct cli_image {
    int width, height;
    uint8_t *rgb; // three bytes a pixel, sRGB, rows from the top
};

struct cli_view {
    float azimuth, elevation; // rad
    float zoom;               // 1 frames everything
};

struct cli_renderer {
    struct cli_raster raster; // samples of the picture
    struct cli_raster shadow; // seen from the lamp
    struct cli_camera camera, lamp;
    int samples_a_side; // of a pixel
    bool framed;
    struct cli_bounds bounds; // what the camera frames, following slowly
    float radius;             // of a ball around them
    float square;             // side of the ground's squares
    struct cli_image image;
};

bool cli_renderer_init(struct cli_renderer *renderer, int width, int height); // also to resize
void cli_renderer_deinit(struct cli_renderer *renderer);

// dt: seconds since the last picture, for the camera that follows. Normals must be up to date. The picture is
// renderer->image.
void cli_render(struct cli_renderer *renderer, const struct cli_scene *scene, const struct cli_view *view,
                float dt);

#endif
