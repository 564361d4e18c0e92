// Materials by name: the table of docs/concepts/materials.md, with its formulas for meshes of any size.
//
//   sheets   stretch alpha = 1.15 / Y for all edges; quadratic bending alpha = 3 / B for all hinges
//   solids   edges  alpha = sum L^2 / (15 G V), V the body's volume;  tetrahedra alpha = V / (n K), n of them, K = 50 G
//
// A material fills in the values that a body leaves open. The other values stay as the body has them. A strain limit is filled in
// only if the scene has long_edges: without them it holds nothing, and scenes from before that setting have to give the same worlds.
#include "protocol/scene/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct scene_sheet scene_sheets[SCENE_SHEETS] = {
    {"cotton", 0.12, 5000, 6e-6, 0.061},
    {"silk", 0.06, 3000, 1e-6, 0},
    {"denim", 0.324, 8000, 20e-6, 0.052},
    {"rubber", 0.95, 1500, 167e-6, 0},
};

const struct scene_solid scene_solids[SCENE_SOLIDS] = {
    {"jelly", 1050, 2000},
    {"rubber", 950, 500000},
};

// limit: 0 gives none.
static void fill_compliance(struct scene_map *map, const json_t *object, const char *part, const char *model,
                            double compliance, double limit)
{
    if (json_object_get(object, part)) {
        return;
    }
    scene_map_key(map, part);
    msgpack_pack_map(&map->packer, 1 + (model ? 1 : 0) + (limit > 0 ? 1 : 0));
    if (model) {
        scene_pack_string(&map->packer, "model");
        scene_pack_string(&map->packer, model);
    }
    scene_pack_string(&map->packer, "compliance");
    msgpack_pack_double(&map->packer, compliance);
    if (limit > 0) {
        scene_pack_string(&map->packer, "limit");
        msgpack_pack_double(&map->packer, limit);
    }
}

static void fill_density(struct scene_map *map, const json_t *object, double density)
{
    if (!json_object_get(object, "density") && !json_object_get(object, "masses")) {
        scene_map_key(map, "density");
        msgpack_pack_double(&map->packer, density);
    }
}

static int compare_edges(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(uint32_t));
}

// Sum of L^2 over the unique edges; negative without memory.
static double square_lengths(const struct scene_body *body)
{
    static const int pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    size_t count = (size_t)body->element_count * 6;
    uint32_t(*edges)[2] = malloc((count + 1) * sizeof *edges);
    double sum = 0;
    for (size_t e = 0; edges && e < count; e++) {
        const uint32_t *corner = body->elements + e / 6 * 4;
        uint32_t a = corner[pairs[e % 6][0]], b = corner[pairs[e % 6][1]];
        edges[e][0] = a < b ? a : b;
        edges[e][1] = a < b ? b : a;
    }
    if (!edges) {
        return -1;
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t e = 0; e < count; e++) {
        if (e > 0 && compare_edges(edges[e], edges[e - 1]) == 0) {
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            double d = body->positions[3 * (size_t)edges[e][0] + axis] -
                       body->positions[3 * (size_t)edges[e][1] + axis];
            sum += d * d;
        }
    }
    free(edges);
    return sum;
}

static double volume_of(const struct scene_body *body)
{
    double sum = 0;
    for (uint32_t t = 0; t < body->element_count; t++) {
        const double *x[4];
        double d[3][3];
        for (int k = 0; k < 4; k++) {
            x[k] = body->positions + 3 * (size_t)body->elements[4 * (size_t)t + k];
        }
        for (int k = 0; k < 3; k++) {
            for (int axis = 0; axis < 3; axis++) {
                d[k][axis] = x[k + 1][axis] - x[0][axis];
            }
        }
        double n[3] = {d[0][1] * d[1][2] - d[0][2] * d[1][1], d[0][2] * d[1][0] - d[0][0] * d[1][2],
                       d[0][0] * d[1][1] - d[0][1] * d[1][0]};
        sum += fabs(n[0] * d[2][0] + n[1] * d[2][1] + n[2] * d[2][2]) / 6;
    }
    return sum;
}

static bool fill_solid(struct scene_reader *reader, const struct scene_solid *solid,
                       const struct scene_body *body, const json_t *object, struct scene_map *map)
{
    for (size_t i = 0; i < (size_t)body->element_count * 4; i++) {
        if (body->elements[i] >= body->count) {
            return true; // whoever checks the indices says so
        }
    }
    double squares = square_lengths(body), volume = volume_of(body);
    if (squares < 0) {
        return scene_refuse_memory(reader);
    }
    if (!(volume > 0) || !isfinite(squares)) {
        return scene_refuse(reader, "the body has no volume that a material could fill");
    }
    fill_density(map, object, solid->density);
    fill_compliance(map, object, "stretch", NULL, squares / (15 * solid->shear * volume), 0);
    fill_compliance(map, object, "volume", NULL,
                    volume / body->element_count / (SCENE_BULK_OVER_SHEAR * solid->shear), 0);
    return true;
}

bool scene_material(struct scene_reader *reader, const char *name, const struct scene_body *body,
                    const json_t *object, struct scene_map *map)
{
    for (size_t s = 0; body->corners == 3 && s < SCENE_SHEETS; s++) {
        const struct scene_sheet *sheet = &scene_sheets[s];
        if (strcmp(sheet->name, name) == 0) {
            fill_density(map, object, sheet->density);
            fill_compliance(map, object, "stretch", NULL, 1.15 / sheet->membrane,
                            reader->long_edges ? sheet->limit : 0);
            fill_compliance(map, object, "bend", "quadratic", 3 / sheet->bending, 0);
            return true;
        }
    }
    for (size_t s = 0; body->corners == 4 && s < SCENE_SOLIDS; s++) {
        if (strcmp(scene_solids[s].name, name) == 0) {
            return fill_solid(reader, &scene_solids[s], body, object, map);
        }
    }
    char names[200];
    scene_names_of(reader->table, names, sizeof names);
    return scene_refuse(
        reader,
        "\"%.60s\" is wrong: cloths may be of %scotton, silk, denim or rubber, soft bodies of "
        "jelly or rubber, and bodies of the scene's own materials",
        name, names);
}
