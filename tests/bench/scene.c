// Cloths lie flat, 1 cm between neighbours, one diagonal a cell, and hang by two corners; cubes have cells of 5 cm,
// six tetrahedra each (Kuhn's: one for each order of the axes, all along the cell's long diagonal), and hang by the
// four corners of one side.

#include "scene.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_kind_names[BENCH_KIND_COUNT] = {
    [BENCH_EDGES] = "edges",
    [BENCH_QUADRATIC] = "edges+quadratic",
    [BENCH_ISOMETRIC] = "edges+isometric",
    [BENCH_DIHEDRAL] = "edges+dihedral",
    [BENCH_TETS] = "tets",
    [BENCH_LATTICE] = "tets, edges only",
};

const struct bench_world bench_world_usual = {.compliance = 1e-7};

static const struct sim_limits limits = {64, 16777216, 134217728, 4, 4, 0, 0};
static const double resolution = 1.0 / 134217728, extent = 1e6;

enum bench_kind bench_kind_base(enum bench_kind kind)
{
    return kind == BENCH_TETS || kind == BENCH_LATTICE ? BENCH_LATTICE : BENCH_EDGES;
}

enum sim_kind bench_kind_added(enum bench_kind kind)
{
    static const enum sim_kind added[BENCH_KIND_COUNT] = {
        [BENCH_EDGES] = SIM_DISTANCE,    [BENCH_QUADRATIC] = SIM_QUADRATIC, [BENCH_ISOMETRIC] = SIM_ISOMETRIC,
        [BENCH_DIHEDRAL] = SIM_DIHEDRAL, [BENCH_TETS] = SIM_VOLUME,         [BENCH_LATTICE] = SIM_DISTANCE,
    };
    return added[kind];
}

// -------------------------------------------------------------------------------------------------- meshes

static bool reserve(struct bench_mesh *mesh, uint32_t particles, uint32_t elements, uint32_t corners)
{
    *mesh = (struct bench_mesh){.particle_count = particles, .element_count = elements, .corners = corners};
    mesh->positions = malloc(3 * (size_t)particles * sizeof *mesh->positions);
    mesh->elements = malloc((size_t)corners * elements * sizeof *mesh->elements);
    if (mesh->positions == NULL || mesh->elements == NULL) {
        bench_mesh_deinit(mesh);
        return false;
    }
    return true;
}

void bench_mesh_deinit(struct bench_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->elements);
    *mesh = (struct bench_mesh){0};
}

static bool cloth_init(struct bench_mesh *mesh, uint32_t width)
{
    if (!reserve(mesh, width * width, 2 * (width - 1) * (width - 1), 3)) {
        return false;
    }
    for (uint32_t i = 0; i < mesh->particle_count; i++) {
        mesh->positions[3 * (size_t)i + 0] = 0.01 * (i % width);
        mesh->positions[3 * (size_t)i + 1] = 0;
        mesh->positions[3 * (size_t)i + 2] = 0.01 * (i / width);
    }
    uint32_t *out = mesh->elements;
    for (uint32_t row = 0; row + 1 < width; row++) {
        for (uint32_t column = 0; column + 1 < width; column++) {
            uint32_t a = row * width + column, b = a + 1, c = a + width, d = c + 1;
            const uint32_t cell[6] = {a, c, b, b, c, d};
            memcpy(out, cell, sizeof cell);
            out += 6;
        }
    }
    const uint32_t pins[4] = {0, width - 1, 0, width - 1};
    memcpy(mesh->pins, pins, sizeof pins);
    return true;
}

// Tetrahedra 0, a, a + b, a + b + c of each cell for all orders a, b, c of the axes, turned to a volume above 0.
static void cube_tets(struct bench_mesh *mesh, uint32_t width)
{
    static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const uint32_t stride[3] = {1, width + 1, (width + 1) * (width + 1)};
    uint32_t *out = mesh->elements;
    for (uint32_t cell = 0; cell < width * width * width; cell++) {
        uint32_t corner =
            cell % width * stride[0] + cell / width % width * stride[1] + cell / width / width * stride[2];
        for (int order = 0; order < 6; order++) {
            uint32_t at = corner;
            for (int k = 0; k < 4; k++) {
                out[k] = at;
                at += k < 3 ? stride[orders[order][k]] : 0;
            }
            if (order >= 3) {
                uint32_t swapped = out[1];
                out[1] = out[2];
                out[2] = swapped;
            }
            out += 4;
        }
    }
}

// The edges of those: from each particle along every sum of different axes.
static void cube_edges(struct bench_mesh *mesh, uint32_t width)
{
    const uint32_t side = width + 1, stride[3] = {1, side, side * side};
    uint32_t *out = mesh->elements;
    for (uint32_t i = 0; i < mesh->particle_count; i++) {
        const uint32_t place[3] = {i % side, i / side % side, i / side / side};
        for (uint32_t way = 1; way < 8; way++) {
            uint32_t to = i;
            bool inside = true;
            for (uint32_t axis = 0; axis < 3; axis++) {
                if (way >> axis & 1) {
                    inside = inside && place[axis] < width;
                    to += stride[axis];
                }
            }
            if (inside) {
                *out++ = i;
                *out++ = to;
            }
        }
    }
}

static bool cube_init(struct bench_mesh *mesh, uint32_t width, bool edges)
{
    uint32_t w = width, side = w + 1;
    uint32_t edge_count = 3 * w * side * side + 3 * w * w * side + w * w * w;
    if (!reserve(mesh, side * side * side, edges ? edge_count : 6 * w * w * w, edges ? 2 : 4)) {
        return false;
    }
    for (uint32_t i = 0; i < mesh->particle_count; i++) {
        mesh->positions[3 * (size_t)i + 0] = 0.05 * (i % side);
        mesh->positions[3 * (size_t)i + 1] = 0.05 * (i / side % side);
        mesh->positions[3 * (size_t)i + 2] = 0.05 * (i / side / side);
    }
    if (edges) {
        cube_edges(mesh, width);
    } else {
        cube_tets(mesh, width);
    }
    uint32_t top = width * side, back = width * side * side;
    const uint32_t pins[4] = {top, top + width, top + back, top + back + width};
    memcpy(mesh->pins, pins, sizeof pins);
    return true;
}

bool bench_mesh_init(struct bench_mesh *mesh, enum bench_kind kind, uint32_t width)
{
    if (bench_kind_base(kind) == BENCH_EDGES) {
        return cloth_init(mesh, width);
    }
    return cube_init(mesh, width, kind == BENCH_LATTICE);
}

// -------------------------------------------------------------------------------------------------- worlds

struct sim *bench_world_create(const struct bench_world *world, enum sim_isa isa)
{
    const struct sim_settings settings = {
        .gravity = {0, -9.81, 0},
        .tick_rate = BENCH_TICK_RATE,
        .substeps = world->substeps != 0 ? world->substeps : BENCH_SUBSTEPS,
        .iterations = world->iterations != 0 ? world->iterations : 1,
        .damping = 0.1,
        .resolution = resolution,
        .extent = extent,
        .contact_quality = world->quality,
    };
    sim_isa_choose(isa);
    struct sim *sim = sim_create(&settings, &limits);
    if (sim == NULL) {
        fprintf(stderr, "weft-bench: no memory for a world\n");
    }
    return sim;
}

struct sim_body_plan *bench_body_prepare(const struct bench_mesh *mesh, enum bench_kind kind,
                                         const struct bench_world *world)
{
    static const enum sim_bend bends[BENCH_KIND_COUNT] = {
        [BENCH_EDGES] = SIM_BEND_NONE,          [BENCH_QUADRATIC] = SIM_BEND_QUADRATIC,
        [BENCH_ISOMETRIC] = SIM_BEND_ISOMETRIC, [BENCH_DIHEDRAL] = SIM_BEND_DIHEDRAL,
        [BENCH_TETS] = SIM_BEND_NONE,           [BENCH_LATTICE] = SIM_BEND_NONE,
    };
    struct sim_body_desc desc = {
        .kind = kind == BENCH_TETS      ? SIM_SOFT
                : kind == BENCH_LATTICE ? SIM_ROPE
                                        : SIM_CLOTH,
        .particle_count = mesh->particle_count,
        .positions = mesh->positions,
        .stretch = {.compliance = world->compliance, .damping = world->damping, .stiffness = -1},
        .bend_model = bends[kind],
        .bend = {.compliance = 10, .stiffness = -1},
        .volume = {.stiffness = -1},
        .pins = mesh->pins,
        .pin_count = 4,
    };
    if (desc.kind == SIM_SOFT) {
        desc.tets = mesh->elements;
        desc.tet_count = mesh->element_count;
    } else if (desc.kind == SIM_ROPE) {
        desc.edges = mesh->elements;
        desc.edge_count = mesh->element_count;
    } else {
        desc.triangles = mesh->elements;
        desc.triangle_count = mesh->element_count;
    }
    struct fault fault = {0};
    struct sim_body_plan *plan = sim_body_prepare(&desc, resolution, extent, &limits, &fault);
    if (plan == NULL) {
        fprintf(stderr, "weft-bench: the body was refused: %s\n", fault.text);
    }
    return plan;
}

bool bench_body_add(struct sim *sim, const struct bench_mesh *mesh, enum bench_kind kind,
                    const struct bench_world *world, struct bench_times *times, uint32_t *body)
{
    struct fault fault = {0};
    struct sim_body_added added;
    uint64_t begin = base_now_ns();
    struct sim_body_plan *plan = bench_body_prepare(mesh, kind, world);
    uint64_t prepared = base_now_ns();
    if (plan == NULL) {
        return false;
    }
    if (sim_body_attach(sim, plan, &added, &fault) != FAULT_NONE) {
        fprintf(stderr, "weft-bench: the body was refused: %s\n", fault.text);
        sim_body_plan_destroy(plan);
        return false;
    }
    if (times != NULL) {
        *times = (struct bench_times){.prepare_ms = 1e-6 * (double)(prepared - begin),
                                      .attach_ms = 1e-6 * (double)(base_now_ns() - prepared)};
    }
    if (body != NULL) {
        *body = added.body;
    }
    return true;
}

struct sim *bench_scene_create(enum bench_kind kind, uint32_t width, enum sim_isa isa)
{
    struct bench_mesh mesh;
    if (!bench_mesh_init(&mesh, kind, width)) {
        fprintf(stderr, "weft-bench: no memory for a mesh of width %" PRIu32 "\n", width);
        return NULL;
    }
    struct sim *sim = bench_world_create(&bench_world_usual, isa);
    if (sim != NULL && !bench_body_add(sim, &mesh, kind, &bench_world_usual, NULL, NULL)) {
        sim_destroy(sim);
        sim = NULL;
    }
    bench_mesh_deinit(&mesh);
    return sim;
}

bool bench_tick(struct sim *sim, struct base_parallel *parallel, const struct sim_hooks *hooks)
{
    struct sim_failure failure = {0};
    sim_step(sim, parallel, hooks, &failure);
    if (failure.failed) {
        fprintf(stderr, "weft-bench: the world failed: %s\n", failure.text);
    }
    return !failure.failed;
}

enum sim_isa bench_isa_best(void)
{
    enum sim_isa best = SIM_ISA_SCALAR;
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            best = (enum sim_isa)isa;
        }
    }
    return best;
}
