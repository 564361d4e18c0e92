// The motion of a loaded mesh: motion.add, with poses for each frame.
//
// All particles move with their centre (offsets, in float64), and each by its difference from that (poses, in float32).
// So the poses are as precise as the mesh is small, however far it moves. A motion that is too long for one message
// becomes several motions, whose displacements add up: each stands still before and after its own frames. In a loop,
// each lasts as long as the whole.
#include "load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 12582912 }; // numbers in the poses of one message: 48 of 64 MiB

static int no_memory(void)
{
    fprintf(stderr, "weft: MEMORY: not enough memory for the frames\n");
    return CLI_REFUSED;
}

int load_play_prepare(struct load *load)
{
    struct fault fault = {0};
    const struct mesh *mesh = &load->file.mesh;
    double size = 0;
    mesh_bounds(mesh, &load->bounds);
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, load->bounds.high[axis] - load->bounds.low[axis]);
    }
    load->source = malloc(((size_t)mesh->vertex_count + 1) * sizeof *load->source);
    if (!load->source) {
        return no_memory();
    }
    // Welded vertices move together, up to rounding and the weld distance.
    return mesh_frame_sources(&load->file, load->map, 10 * load->tolerance + 1e-5 * size, load->source,
                              &fault)
               ? CLI_OK
               : load_fail(load, &fault);
}

// ---------------------------------------------------------------------------------------------------------

// One message: frames first ... last. In a loop, the last frame is repeated at the end of the loop.
struct stretch {
    uint32_t first, last, keys;
    double *times, *offsets;
    float *poses;
};

static void stretch_deinit(struct stretch *stretch)
{
    free(stretch->times);
    free(stretch->offsets);
    free(stretch->poses);
}

static bool stretch_init(struct stretch *stretch, const struct load *load, uint32_t first, uint32_t last)
{
    const bool holds = load->loops && last + 1 < load->file.frame_count;
    const size_t keys = last - first + 1 + holds, numbers = 3 * keys * load->body->vertex_count;
    *stretch = (struct stretch){.first = first,
                                .last = last,
                                .keys = (uint32_t)keys,
                                .times = malloc(keys * sizeof *stretch->times),
                                .offsets = malloc(3 * keys * sizeof *stretch->offsets),
                                .poses = malloc((numbers + 1) * sizeof *stretch->poses)};
    if (stretch->times && stretch->offsets && stretch->poses) {
        return true;
    }
    stretch_deinit(stretch);
    return false;
}

// Writes a key: displacements from the particles' places in the very first frame.
static void fill_key(const struct load *load, const struct stretch *stretch, uint32_t key,
                     const double *start, double *now)
{
    const size_t count = load->body->vertex_count;
    const uint32_t frame = stretch->first + key <= stretch->last ? stretch->first + key : stretch->last;
    double *offset = stretch->offsets + 3 * (size_t)key;
    float *poses = stretch->poses + 3 * count * key;
    mesh_frame(&load->file, load->map, load->source, frame, now);
    stretch->times[key] =
        load->file.times[stretch->first + key <= stretch->last ? frame : load->file.frame_count - 1];
    memset(offset, 0, 3 * sizeof *offset);
    for (size_t i = 0; i < 3 * count; i++) {
        offset[i % 3] += (now[i] - start[i]) / (double)count;
    }
    for (size_t i = 0; i < 3 * count; i++) {
        poses[i] = (float)(now[i] - start[i] - offset[i % 3]);
    }
}

static int send_stretch(struct load *load, const struct stretch *stretch)
{
    const uint32_t count = load->body->vertex_count;
    struct weft_params params;
    struct weft_error error = {0};
    struct weft_reply reply = {0};
    weft_params_init(&params);
    weft_params_ref(&params, "world", load->world);
    weft_params_u64(&params, "body", weft_u64(weft_get(&load->reply.result, "body"), 0));
    weft_params_u32_array(&params, "particles", load->pinned, count);
    weft_params_f64_array(&params, "times", stretch->times, stretch->keys);
    weft_params_f64_array(&params, "offsets", stretch->offsets, 3 * (size_t)stretch->keys);
    weft_params_bool(&params, "loop", load->loops);
    weft_params_f32_array(&params, "poses", stretch->poses, 3 * (size_t)stretch->keys * count);
    const bool ok = load_call(load, "motion.add", &params, &reply, &error);
    const uint64_t tick = weft_u64(weft_get(&reply.result, "tick"), 0);
    weft_params_deinit(&params);
    weft_reply_destroy(&reply);
    if (!ok) {
        return cli_progress_stopped() ? CLI_REFUSED : load_report(load, &error);
    }
    load->begins = load->motions++ == 0 ? tick : load->begins;
    if (tick == load->begins) {
        return CLI_OK;
    }
    cli_progress_clear(&load->progress);
    fprintf(stderr, "weft: CONFLICT: the motion takes several messages, and the world ran on between them; "
                    "pause the world first\n");
    return CLI_REFUSED;
}

int load_play(struct load *load)
{
    const size_t count = load->body->vertex_count;
    const uint32_t last = load->file.frame_count - 1;
    const uint32_t step = (uint32_t)fmin(NUMBERS_MAX / (3.0 * (double)count) - 2, last);
    double *start = malloc((6 * count + 1) * sizeof *start);
    int status = start ? CLI_OK : no_memory();
    if (start && 9 * count > NUMBERS_MAX) {
        fprintf(stderr, "weft: LIMIT: %zu vertices are too many for a body that moves; at most %d\n", count,
                NUMBERS_MAX / 9);
        status = CLI_REFUSED;
    }
    if (status == CLI_OK) {
        mesh_frame(&load->file, load->map, load->source, 0, start);
    }
    for (uint32_t first = 0; status == CLI_OK && first < last; first += step) {
        struct stretch stretch;
        if (!stretch_init(&stretch, load, first, last - first < step ? last : first + step)) {
            status = no_memory();
            break;
        }
        for (uint32_t k = 0; k < stretch.keys; k++) {
            fill_key(load, &stretch, k, start, start + 3 * count);
        }
        status = send_stretch(load, &stretch);
        stretch_deinit(&stretch);
    }
    free(start);
    return status;
}
