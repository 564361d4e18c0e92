// How small compressed positions are, and how fast they are made and read: bench_codec [N]; with N the N-th
// case alone.
//
// Cloths and a cube of the solver's benchmark, at 60 frames a second and at every substep, 0.1 mm. Beside the codec
// stand, on the same residuals in the same order, meshoptimizer's vertex codec (where Debian's libmeshoptimizer-dev is
// installed) and zstd. Both take residuals of 16 bits: meshoptimizer four of them a vertex, summed up, for it
// takes differences by itself; zstd their lower bytes and their upper bytes, axis by axis.

#include "protocol/codec/predict.h"
#include "protocol/codec/tiles.h"
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>
#ifdef WEFT_BENCH_MESHOPTIMIZER
#include <meshoptimizer.h>
#endif

enum { RUNS = 9, SUBSTEP_FRAMES = 100, TICK_FRAMES = 60, ZSTD_LEVEL = 1 };

static const float TOLERANCE = 1e-4F;

// Processor time: other load on the machine affects it less than the wall clock.
static uint64_t processor_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

struct subject {
    const char *name;
    enum bench_kind kind;
    uint32_t width, warm_ticks;
    double damping; // N s/m, of the edges
    bool still;     // the same frame again and again
};

static const struct subject subjects[] = {
    {"cloth 100x100, bending", BENCH_QUADRATIC, 100, 30, 0.01, false},
    {"the same, after 10 s", BENCH_QUADRATIC, 100, 600, 0.01, false},
    {"cloth 100x100, no bending, edges not damped", BENCH_EDGES, 100, 30, 0, false},
    {"the same, after 10 s", BENCH_EDGES, 100, 600, 0, false},
    {"cloth 200x200, bending", BENCH_QUADRATIC, 200, 30, 0.01, false},
    {"soft body, 16^3 particles", BENCH_TETS, 15, 30, 0, false},
    {"cloth 20x20, bending", BENCH_QUADRATIC, 20, 30, 0.01, false},
    {"cloth 100x100, not moving", BENCH_QUADRATIC, 100, 1, 0.01, true},
};

// Frames of one body, one after another.
struct film {
    struct sim *sim;
    uint32_t count, frame_count;
    float *frames;
    bool takes_substeps;
};

static float *frame_at(const struct film *film, uint32_t frame)
{
    return film->frames + 3 * (size_t)film->count * frame;
}

static void take(struct film *film)
{
    sim_body_positions(film->sim, 1, 0, film->count, frame_at(film, film->frame_count++));
}

static void on_substep(void *context, uint32_t substep)
{
    struct film *film = context;
    (void)substep;
    if (film->takes_substeps && film->frame_count < SUBSTEP_FRAMES) {
        take(film);
    }
}

static bool film_take(struct film *film, bool of_substeps, bool still)
{
    const struct sim_hooks hooks = {.context = film, .on_substep = on_substep};
    uint32_t wanted = of_substeps ? SUBSTEP_FRAMES : TICK_FRAMES;
    film->takes_substeps = of_substeps && !still;
    film->frame_count = 0;
    while (film->frame_count < wanted) {
        if (!still && !bench_tick(film->sim, NULL, &hooks)) {
            return false;
        }
        if (!of_substeps || still) {
            take(film);
        }
    }
    return true;
}

static double film_speed(const struct film *film, double rate)
{
    double sum = 0;
    for (uint32_t frame = 1; frame < film->frame_count; frame++) {
        for (size_t i = 0; i < 3 * (size_t)film->count; i++) {
            sum += pow((double)frame_at(film, frame)[i] - (double)frame_at(film, frame - 1)[i], 2);
        }
    }
    return sqrt(sum / (film->frame_count - 1) / film->count) * rate;
}

// ------------------------------------------------------------------------------------------------------ ours

struct room {
    const struct codec_plan *plan;
    uint8_t *bytes; // of all chunks
    size_t *sizes;  // of each
    float *out;
    uint8_t *packed;              // what the others make
    uint16_t *residuals, *planes; // of one frame: 4 and 3 a vertex
};

struct figures {
    double key, next;      // bytes a vertex
    double encode, decode; // GB/s of 12 bytes a vertex, the median of the runs
    double encode_best, decode_best;
    double worst; // error, of the tolerance
};

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle(double *values)
{
    qsort(values, RUNS, sizeof *values, compare);
    return values[RUNS / 2];
}

static double worst_of(const struct film *film, uint32_t frame, const float *out)
{
    double worst = 0;
    for (size_t i = 0; i < 3 * (size_t)film->count; i++) {
        worst = fmax(worst, fabs((double)out[i] - (double)frame_at(film, frame)[i]));
    }
    return worst / (double)TOLERANCE;
}

static struct figures measure(const struct film *film, struct room *room)
{
    struct figures figures = {0};
    double encode[RUNS], decode[RUNS], bytes = 12.0 * film->count * (film->frame_count - 1);
    size_t bound = codec_delta_bound(film->count), total = 0;
    for (int run = 0; run < RUNS; run++) {
        struct codec_encoder *encoder = codec_encoder_create(room->plan);
        struct codec_decoder *decoder = codec_decoder_create(room->plan);
        if (encoder == NULL || decoder == NULL) {
            abort();
        }
        uint64_t begin = 0;
        for (uint32_t frame = 0; frame < film->frame_count; frame++) {
            begin = frame == 1 ? processor_ns() : begin;
            room->sizes[frame] = codec_delta_encode(encoder, frame_at(film, frame), frame + 1, TOLERANCE,
                                                    room->bytes + bound * frame);
        }
        encode[run] = bytes / (double)(processor_ns() - begin);
        for (uint32_t frame = 0; frame < film->frame_count; frame++) {
            begin = frame == 1 ? processor_ns() : begin;
            if (codec_delta_decode(decoder, room->bytes + bound * frame, room->sizes[frame], room->out) !=
                CODEC_OK) {
                abort();
            }
        }
        decode[run] = bytes / (double)(processor_ns() - begin);
        codec_encoder_destroy(encoder);
        codec_decoder_destroy(decoder);
    }
    struct codec_decoder *decoder = codec_decoder_create(room->plan);
    for (uint32_t frame = 0; frame < film->frame_count; frame++) {
        if (codec_delta_decode(decoder, room->bytes + bound * frame, room->sizes[frame], room->out) !=
            CODEC_OK) {
            abort();
        }
        figures.worst = fmax(figures.worst, worst_of(film, frame, room->out));
        total += frame > 0 ? room->sizes[frame] : 0;
    }
    codec_decoder_destroy(decoder);
    figures.key = (double)room->sizes[0] / film->count;
    figures.next = (double)total / (film->frame_count - 1) / film->count;
    figures.encode = middle(encode);
    figures.decode = middle(decode);
    figures.encode_best = encode[RUNS - 1]; // they are sorted now
    figures.decode_best = decode[RUNS - 1];
    return figures;
}

// Bytes a vertex of a key and of what follows it, with so many vertices in a tile at most.
static void tell_tiles(const struct film *film, const struct bench_mesh *mesh, uint32_t most,
                       const struct room *room)
{
    struct codec_tiles *tiles;
    uint64_t begin = processor_ns();
    if (codec_tiles_cut(most, mesh->particle_count, mesh->corners, mesh->elements, mesh->element_count, true,
                        &tiles) != CODEC_OK) {
        abort();
    }
    double cut_ms = 1e-6 * (double)(processor_ns() - begin);
    size_t key = 0, next = 0;
    for (uint32_t tile = 0; tile < tiles->count; tile++) {
        struct codec_encoder *encoder = codec_encoder_create(codec_tile_plan(tiles, tile));
        uint32_t count;
        const uint32_t *vertices = codec_tile_vertices(tiles, tile, &count);
        for (uint32_t frame = 0; frame < film->frame_count; frame++) {
            for (uint32_t i = 0; i < count; i++) {
                memcpy(room->out + 3 * (size_t)i, frame_at(film, frame) + 3 * (size_t)vertices[i], 12);
            }
            size_t size = codec_delta_encode(encoder, room->out, frame + 1, TOLERANCE, room->bytes);
            key += frame == 0 ? size : 0;
            next += frame > 0 ? size : 0;
        }
        codec_encoder_destroy(encoder);
    }
    printf("      %3u tiles of %5u: key %.3f, next %.4f bytes a vertex; cut and planned in %.2f ms\n",
           tiles->count, most, (double)key / film->count,
           (double)next / (film->frame_count - 1) / film->count, cut_ms);
    codec_tiles_destroy(tiles);
}

// ---------------------------------------------------------------------------------------------------- others

struct rival {
    double size, encode, decode; // bytes a vertex, GB/s
};

// Residuals of a frame against the one before, as the codec makes them but for the past, in the order of the plan.
static void find_residuals(const struct film *film, uint32_t frame, const struct room *room,
                           uint32_t (*rows)[4])
{
    const struct codec_plan *plan = room->plan;
    const double step = 2 * (double)TOLERANCE * (1 - 1.0 / 256);
    const float *now = frame_at(film, frame), *before = frame_at(film, frame - 1);
    uint16_t sums[4] = {0};
    for (uint32_t place = 0; place < plan->count; place++) {
        for (size_t axis = 0; axis < 3; axis++) {
            size_t at = 3 * (size_t)plan->vertex[place] + axis;
            rows[place][axis] = (uint32_t)(lrint((double)now[at] / step) - lrint((double)before[at] / step));
        }
    }
    struct weights weights = fit_weights(plan, (const uint32_t(*)[4])rows, NULL);
    for (uint32_t place = 0; place < plan->count; place++) {
        struct prediction prediction =
            predict((const uint32_t(*)[4])rows, plan->from[place], row_of(0, 0, 0), weights);
        row own = row_load(rows[place]), residual = row_sub(own, prediction.at);
        for (int axis = 0; axis < 3; axis++) {
            uint32_t folded = row_at(residual_fold(residual, row_of(0, 0, 0)), axis);
            sums[axis] = (uint16_t)(sums[axis] + row_at(residual, axis));
            room->planes[(size_t)plan->count * (size_t)axis + place] = (uint16_t)folded;
        }
        memcpy(room->residuals + 4 * (size_t)place, sums, sizeof sums);
    }
}

static struct rival measure_zstd(const struct film *film, const struct room *room, uint32_t (*rows)[4])
{
    struct rival rival = {0};
    size_t number_count = 3 * (size_t)film->count, bound = ZSTD_compressBound(2 * number_count);
    uint8_t *split = malloc(2 * number_count), *back = malloc(2 * number_count);
    uint64_t encode_ns = 0, decode_ns = 0;
    size_t total = 0;
    if (split == NULL || back == NULL) {
        abort();
    }
    for (uint32_t frame = 1; frame < film->frame_count; frame++) {
        find_residuals(film, frame, room, rows);
        for (size_t i = 0; i < number_count; i++) {
            split[i] = (uint8_t)room->planes[i];
            split[number_count + i] = (uint8_t)(room->planes[i] >> 8);
        }
        uint64_t begin = processor_ns();
        size_t size = ZSTD_compress(room->packed, bound, split, 2 * number_count, ZSTD_LEVEL);
        uint64_t packed = processor_ns();
        if (ZSTD_decompress(back, 2 * number_count, room->packed, size) != 2 * number_count) {
            abort();
        }
        decode_ns += processor_ns() - packed;
        encode_ns += packed - begin;
        total += size;
    }
    free(split);
    free(back);
    double bytes = 12.0 * film->count * (film->frame_count - 1);
    rival.size = 12 * (double)total / bytes;
    rival.encode = bytes / (double)encode_ns;
    rival.decode = bytes / (double)decode_ns;
    return rival;
}

#ifdef WEFT_BENCH_MESHOPTIMIZER
static struct rival measure_meshoptimizer(const struct film *film, const struct room *room,
                                          uint32_t (*rows)[4])
{
    struct rival rival = {0};
    size_t bound = meshopt_encodeVertexBufferBound(film->count, 8), total = 0;
    uint16_t *back = malloc(8 * (size_t)film->count);
    uint64_t encode_ns = 0, decode_ns = 0;
    if (back == NULL) {
        abort();
    }
    for (uint32_t frame = 1; frame < film->frame_count; frame++) {
        find_residuals(film, frame, room, rows);
        uint64_t begin = processor_ns();
        size_t size = meshopt_encodeVertexBuffer(room->packed, bound, room->residuals, film->count, 8);
        uint64_t packed = processor_ns();
        if (meshopt_decodeVertexBuffer(back, film->count, 8, room->packed, size) != 0) {
            abort();
        }
        decode_ns += processor_ns() - packed;
        encode_ns += packed - begin;
        total += size;
    }
    free(back);
    double bytes = 12.0 * film->count * (film->frame_count - 1);
    rival.size = 12 * (double)total / bytes;
    rival.encode = bytes / (double)encode_ns;
    rival.decode = bytes / (double)decode_ns;
    return rival;
}
#endif

// ------------------------------------------------------------------------------------------------------ main

static void tell_rival(const char *name, struct rival rival)
{
    printf("      %-14s %6.3f bytes a vertex; packing alone %.2f GB/s, unpacking alone %.2f GB/s\n", name,
           rival.size, rival.encode, rival.decode);
}

static bool room_init(struct room *room, const struct film *film, const struct bench_mesh *mesh)
{
    struct codec_plan *plan;
    uint64_t begin = processor_ns();
    if (codec_plan_create(mesh->particle_count, mesh->corners, mesh->elements, mesh->element_count, &plan) !=
        CODEC_OK) {
        return false;
    }
    printf("   a plan in %.2f ms\n", 1e-6 * (double)(processor_ns() - begin));
    size_t count = film->count;
    room->plan = plan;
    room->bytes = malloc(codec_delta_bound(film->count) * SUBSTEP_FRAMES);
    room->sizes = malloc(SUBSTEP_FRAMES * sizeof *room->sizes);
    room->out = malloc(3 * count * sizeof *room->out);
    room->packed = malloc(16 * count + 4096);
    room->residuals = malloc(4 * count * sizeof *room->residuals);
    room->planes = malloc(3 * count * sizeof *room->planes);
    return room->bytes && room->sizes && room->out && room->packed && room->residuals && room->planes;
}

static bool run(const struct subject *subject)
{
    struct bench_mesh mesh;
    struct bench_world world = bench_world_usual;
    struct film film = {0};
    struct room room = {0};
    world.damping = subject->damping;
    if (!bench_mesh_init(&mesh, subject->kind, subject->width)) {
        return false;
    }
    printf("%s\n", subject->name);
    film.count = mesh.particle_count;
    film.frames = malloc(12 * (size_t)film.count * SUBSTEP_FRAMES);
    film.sim = bench_world_create(&world, bench_isa_best());
    uint32_t(*rows)[4] = calloc((size_t)film.count + 1, sizeof *rows);
    if (!film.frames || !film.sim || !rows || !room_init(&room, &film, &mesh) ||
        !bench_body_add(film.sim, &mesh, subject->kind, &world, NULL, NULL)) {
        return false;
    }
    for (uint32_t tick = 0; tick < subject->warm_ticks; tick++) {
        if (!bench_tick(film.sim, NULL, NULL)) {
            return false;
        }
    }
    for (int of_substeps = 1; of_substeps >= 0; of_substeps--) {
        double rate = of_substeps ? BENCH_TICK_RATE * BENCH_SUBSTEPS : BENCH_TICK_RATE;
        if (!film_take(&film, of_substeps, subject->still)) {
            return false;
        }
        struct figures figures = measure(&film, &room);
        printf("   %4.0f a second, %.2f m/s (rms): next %.4f, key %.3f bytes a vertex; error at most %.4f of "
               "the tolerance;"
               " encodes %.2f GB/s (best %.2f), decodes %.2f GB/s (best %.2f)\n",
               rate, film_speed(&film, rate), figures.next, figures.key, figures.worst, figures.encode,
               figures.encode_best, figures.decode, figures.decode_best);
        tell_rival("zstd -1", measure_zstd(&film, &room, rows));
#ifdef WEFT_BENCH_MESHOPTIMIZER
        tell_rival("meshoptimizer", measure_meshoptimizer(&film, &room, rows));
#endif
        for (uint32_t most = CODEC_TILE_MAX / 4; most <= CODEC_TILE_MAX; most *= 2) {
            if (film.count > most) {
                tell_tiles(&film, &mesh, most, &room);
            }
        }
        fflush(stdout);
    }
    free(rows);
    free(film.frames);
    sim_destroy(film.sim);
    codec_plan_destroy((struct codec_plan *)room.plan);
    free(room.bytes);
    free(room.sizes);
    free(room.out);
    free(room.packed);
    free(room.residuals);
    free(room.planes);
    bench_mesh_deinit(&mesh);
    return true;
}

int main(int argc, char **argv)
{
    size_t only = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
#ifndef WEFT_BENCH_MESHOPTIMIZER
    printf("meshoptimizer is left out: it was not installed when this was built\n");
#endif
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
        if ((only == 0 || only == i + 1) && !run(&subjects[i])) {
            fprintf(stderr, "bench_codec: %s could not be measured\n", subjects[i].name);
            return 1;
        }
    }
    return 0;
}
