// Large bodies in streams of q16 and delta: they come in tiles, each of which is the world's present within its error.
#include "helper_world.h"

#include "base/thread.h"
#include "protocol/codec/codec.h"
#include "world/frames/tier.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGE = 140, LARGE_TILES = 3 };

// A reader of a stream of one large cloth.
struct tiled {
    struct helper *helper;
    uint32_t stream, nth;
    struct codec_tiles *tiles;
    struct codec_decoder *decoders[LARGE_TILES];
    int kinds[LARGE_TILES]; // of the chunks of the last frame; -1: none
};

static void tiled_deinit(struct tiled *tiled)
{
    for (uint32_t t = 0; t < LARGE_TILES; t++) {
        codec_decoder_destroy(tiled->decoders[t]);
    }
    codec_tiles_destroy(tiled->tiles);
}

// A chunk is of the world's present, within its error.
static void tiled_chunk(struct tiled *tiled, const msgpack_object *chunk, bool delta)
{
    const uint32_t t = (uint32_t)helper_number(chunk, "tile");
    const msgpack_object *bin = helper_at(chunk, "positions");
    const uint8_t *bytes = (const uint8_t *)bin->via.bin.ptr;
    uint32_t count;
    float error[3] = {1e-4F, 1e-4F, 1e-4F};
    assert_int_equal(helper_number(chunk, "tiles"), codec_tiles_count(tiled->tiles));
    const uint32_t *vertices = codec_tile_vertices(tiled->tiles, t, &count);
    assert_int_equal(helper_number(chunk, "count"), count);
    float *out = malloc(3 * sizeof *out * count);
    if (delta) {
        assert_int_equal(codec_delta_decode(tiled->decoders[t], bytes, bin->via.bin.size, out), CODEC_OK);
    } else {
        assert_int_equal(codec_q16_decode(bytes, bin->via.bin.size, count, out), CODEC_OK);
        codec_q16_error(bytes, error);
        assert_true(error[0] < 0.1F * LARGE / 65535); // the box is the tile's
    }
    tiled->kinds[t] = bytes[0];
    for (uint32_t i = 0; i < count; i++) {
        float at[3];
        sim_body_positions(tiled->helper->world->document->sim, 1, vertices[i] * tiled->nth, 1, at);
        for (uint32_t axis = 0; axis < 3; axis++) {
            assert_true(fabs((double)out[3 * i + axis] - (double)at[axis]) <= (double)error[axis]);
        }
    }
    free(out);
}

static void tiled_take(struct tiled *tiled)
{
    const struct base_frame *frame = helper_frame(tiled->helper, 0, tiled->stream);
    for (uint32_t t = 0; t < LARGE_TILES; t++) {
        tiled->kinds[t] = -1;
    }
    for (uint32_t part = 0; part < frame->part_count; part++) {
        const msgpack_object *map = helper_frame_part(tiled->helper, frame, part, NULL, NULL);
        const msgpack_object *list = helper_at(map, "bodies");
        assert_true(frame->parts[part].size + 64 <= PROTOCOL_LIMIT_FRAME_PART_BYTES);
        for (uint32_t b = 0; b < list->via.array.size; b++) {
            tiled_chunk(tiled, &list->via.array.ptr[b], helper_find(map, "tolerance") != NULL);
        }
    }
}

static void tiled_init(struct tiled *tiled, struct helper *helper, const char *notation, uint32_t nth)
{
    struct world_mesh mesh;
    *tiled = (struct tiled){.helper = helper, .stream = helper_subscribe(helper, notation), .nth = nth};
    world_tier_mesh(helper->world->document, 1, false, nth, &mesh);
    assert_int_equal(
        codec_tiles_create(mesh.count, mesh.corners, mesh.indices, mesh.element_count, true, &tiled->tiles),
        CODEC_OK);
    for (uint32_t t = 0; t < codec_tiles_count(tiled->tiles); t++) {
        tiled->decoders[t] = codec_decoder_create(codec_tile_plan(tiled->tiles, t));
    }
    tiled_take(tiled);
}

static void step(struct helper *helper)
{
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
}

static void large_bodies_come_in_tiles(void **unused)
{
    (void)unused;
    struct base_team *team = base_team_create(2);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        struct helper *helper = helper_create(NULL);
        helper_cloth(helper, HELPER_ANN, LARGE, 1, "sail");
        helper->world->frames->snapshot.parallel = threads > 1 ? base_team_parallel(team) : NULL;
        struct tiled all[3];
        tiled_init(&all[0], helper, "{'world': 1, 'encoding': 'delta'}", 1);
        tiled_init(&all[1], helper, "{'world': 1, 'encoding': 'q16'}", 1);
        tiled_init(&all[2], helper, "{'world': 1, 'encoding': 'delta', 'nth': 2}", 2);
        assert_int_equal(codec_tiles_count(all[1].tiles), LARGE_TILES);
        assert_int_equal(codec_tiles_count(all[2].tiles), 2);
        for (uint32_t ticks = 0; ticks < 2; ticks++) {
            step(helper);
            for (uint32_t s = 0; s < 3; s++) {
                tiled_take(&all[s]);
                assert_int_equal(all[s].kinds[1], s == 1 ? 1 : 2);
            }
        }
        // Both of q16 and delta know the same cut, and one more the points of every second vertex.
        assert_int_equal(helper->world->frames->streams.cuts.count, 2);
        for (uint32_t s = 0; s < 3; s++) {
            tiled_deinit(&all[s]);
        }
        helper_destroy(helper);
    }
    base_team_destroy(team);
}

// A vertex of a tile is put to a height.
static void put_vertex(struct tiled *tiled, uint32_t tile, double height)
{
    char text[128];
    uint32_t count;
    snprintf(text, sizeof text, "{'world': 1, 'body': 1, 'particles': [%u], 'positions': [0, %.3f, 0]}",
             codec_tile_vertices(tiled->tiles, tile, &count)[count / 2], height);
    helper_forget(tiled->helper);
    helper_call(tiled->helper, HELPER_ANN, "particle.set", text);
    tiled_take(tiled);
}

static void a_box_has_the_tiles_that_are_in_it(void **unused)
{
    (void)unused;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, LARGE, 1, "sail");
    struct tiled tiled;
    tiled_init(&tiled, helper, "{'world': 1, 'encoding': 'delta', 'box': [-9, 5, -9, 9, 6, 9]}", 1);
    assert_int_equal(tiled.kinds[0], -1);
    static const struct {
        uint32_t tile;
        double height;
        int kinds[LARGE_TILES]; // -1: not there, 1: key, 2: next, 3: still
    } steps[] = {
        {0, 5.5, {1, -1, -1}}, {0, 5.6, {2, -1, -1}}, {2, 5.5, {3, -1, 1}}, {0, 1, {-1, -1, 3}},
        {0, 5.1, {1, -1, 3}},  {1, 6, {3, 1, 3}},     {1, 6.1, {3, -1, 3}},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        put_vertex(&tiled, steps[i].tile, steps[i].height);
        for (uint32_t t = 0; t < LARGE_TILES; t++) {
            assert_int_equal(tiled.kinds[t], steps[i].kinds[t]);
        }
    }
    tiled_deinit(&tiled);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_bodies_come_in_tiles),
        cmocka_unit_test(a_box_has_the_tiles_that_are_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
