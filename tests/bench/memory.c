// The cost of things in memory: the allocator's bytes in use before a world is made and after, divided among them by
// comparing worlds.
//
//     p, a particle      (points - empty) / particles; damped: with one damped edge in the world
//     d, a distance      cloth  = empty + p particles + d edges + t triangles
//     t, a triangle      patches (triangles that share nothing) = the same with other counts: two equations
//     a bending stencil  (cloth with it - cloth) / stencils
//     a volume           (cube - its edges as a rope + 8 edges - t surface triangles) / tetrahedra - 16,
//                        where a rope keeps 8 bytes an edge, and a cube 16 a tetrahedron, to be asked for
//
// So nothing is left out: ids, places, room that is not used yet, and what a body keeps are each with what they
// belong to.

#include "base/grow.h"
#include "cases.h"
#include "scene.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

static double bytes_in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd + (double)base_grow_mapped();
}

struct weighed {
    double bytes, particles, edges, added; // added: constraints beyond the edges
    double triangles;
};

static const struct bench_world damped_world = {.compliance = 1e-7, .damping = 1e-3};

// As many points as the mesh has particles; where `rope`, one damped edge between two more, which come first so that
// room for the points is not made by doubling.
static bool add_points(struct sim *sim, const struct bench_mesh *mesh, bool rope)
{
    static const uint32_t edge[2] = {0, 1};
    const struct sim_limits limits = {4, 16777216, 16, 4, 4, 0, 0};
    const struct sim_settings *settings = sim_settings_of(sim);
    struct fault fault = {0};
    struct sim_body_added added;
    for (int body = rope ? 0 : 1; body < 2; body++) {
        struct sim_body_desc desc = {.kind = body == 0 ? SIM_ROPE : SIM_POINTS,
                                     .particle_count = body == 0 ? 2 : mesh->particle_count,
                                     .positions = mesh->positions,
                                     .edges = edge,
                                     .edge_count = body == 0 ? 1 : 0,
                                     .stretch = {.compliance = 1e-7, .damping = 1e-3, .stiffness = -1},
                                     .bend = {.compliance = 0, .damping = 0, .stiffness = -1},
                                     .volume = {.compliance = 0, .damping = 0, .stiffness = -1}};
        struct sim_body_plan *plan =
            sim_body_prepare(&desc, settings->resolution, settings->extent, &limits, &fault);
        if (plan == NULL || sim_body_attach(sim, plan, &added, &fault) != FAULT_NONE) {
            fprintf(stderr, "weft-bench: the body was refused: %s\n", fault.text);
            sim_body_plan_destroy(plan);
            return false;
        }
    }
    return true;
}

enum content { EMPTY, POINTS, POINTS_DAMPED, BODY, BODY_DAMPED };

static bool weigh(const struct bench_mesh *mesh, enum bench_kind kind, enum content content,
                  struct weighed *weighed)
{
    const struct bench_world *world = content == BODY_DAMPED ? &damped_world : &bench_world_usual;
    double before = bytes_in_use();
    struct sim *sim = bench_world_create(world, bench_isa_best());
    bool good = sim != NULL;
    if (good && (content == POINTS || content == POINTS_DAMPED)) {
        good = add_points(sim, mesh, content == POINTS_DAMPED);
    } else if (good && content != EMPTY) {
        good = bench_body_add(sim, mesh, kind, world, NULL, NULL);
    }
    // A tick, so that what only stepping needs is there as well.
    good = good && bench_tick(sim, NULL, NULL);
    *weighed = (struct weighed){.bytes = bytes_in_use() - before};
    if (good && content >= BODY) {
        struct sim_body_info info;
        good = sim_body_info(sim, sim_body_id_at(sim, 0), &info);
        weighed->edges = info.constraint_count[SIM_DISTANCE];
        weighed->added = (double)sim_constraint_count(sim) - weighed->edges;
        weighed->triangles = info.triangle_count;
    }
    weighed->particles = good ? sim_particle_count(sim) : 0;
    sim_destroy(sim);
    return good;
}

// Triangles that share nothing, as many particles as the square has.
static bool patches_init(struct bench_mesh *mesh, uint32_t width)
{
    uint32_t count = width * width / 3;
    *mesh = (struct bench_mesh){.particle_count = 3 * count, .element_count = count, .corners = 3};
    mesh->positions = malloc(9 * (size_t)count * sizeof *mesh->positions);
    mesh->elements = malloc(3 * (size_t)count * sizeof *mesh->elements);
    if (mesh->positions == NULL || mesh->elements == NULL) {
        bench_mesh_deinit(mesh);
        return false;
    }
    for (uint32_t i = 0; i < mesh->particle_count; i++) {
        uint32_t cell = i / 3, corner = i % 3;
        mesh->positions[3 * (size_t)i + 0] = 0.02 * (cell % width) + (corner == 1 ? 0.01 : 0);
        mesh->positions[3 * (size_t)i + 1] = 0;
        mesh->positions[3 * (size_t)i + 2] = 0.02 * (cell / width) + (corner == 2 ? 0.01 : 0);
        mesh->elements[i] = i;
    }
    return true;
}

struct bytes {
    double particle, particle_damped, distance, distance_damped, triangle, added[BENCH_KIND_COUNT];
};

static void solve(const struct weighed *empty, const struct weighed *cloth, const struct weighed *patches,
                  struct bytes *bytes)
{
    double left_cloth = cloth->bytes - empty->bytes - bytes->particle * cloth->particles;
    double left_patches = patches->bytes - empty->bytes - bytes->particle * patches->particles;
    double det = cloth->edges * patches->triangles - patches->edges * cloth->triangles;
    bytes->distance = (left_cloth * patches->triangles - left_patches * cloth->triangles) / det;
    bytes->triangle = (cloth->edges * left_patches - patches->edges * left_cloth) / det;
}

static bool weigh_all(uint32_t width, uint32_t cells, struct bytes *bytes)
{
    struct bench_mesh cloth, patches = {0}, cube = {0}, lattice = {0};
    struct weighed empty, points, points_damped, edges, edges_damped, apart, bent, tets, rope;
    bool good = bench_mesh_init(&cloth, BENCH_EDGES, width);
    good = good && patches_init(&patches, width) && bench_mesh_init(&cube, BENCH_TETS, cells) &&
           bench_mesh_init(&lattice, BENCH_LATTICE, cells);
    if (!good) {
        fprintf(stderr, "weft-bench: no memory for the meshes\n");
    }
    good = good && weigh(&cloth, BENCH_EDGES, EMPTY, &empty) && weigh(&cloth, BENCH_EDGES, POINTS, &points) &&
           weigh(&cloth, BENCH_EDGES, POINTS_DAMPED, &points_damped) &&
           weigh(&cloth, BENCH_EDGES, BODY, &edges) &&
           weigh(&cloth, BENCH_EDGES, BODY_DAMPED, &edges_damped) &&
           weigh(&patches, BENCH_EDGES, BODY, &apart) && weigh(&cube, BENCH_TETS, BODY, &tets) &&
           weigh(&lattice, BENCH_LATTICE, BODY, &rope);
    if (good && empty.bytes <= 0) {
        fprintf(stderr, "weft-bench: this allocator does not tell what is in use\n");
        good = false;
    }
    if (good) {
        bytes->particle = (points.bytes - empty.bytes) / points.particles;
        bytes->particle_damped = (points_damped.bytes - empty.bytes) / points_damped.particles;
        solve(&empty, &edges, &apart, bytes);
        double for_particles = (bytes->particle_damped - bytes->particle) * edges.particles;
        bytes->distance_damped =
            bytes->distance + (edges_damped.bytes - edges.bytes - for_particles) / edges.edges;
        double surface = 12.0 * cells * cells;
        bytes->added[BENCH_TETS] =
            (tets.bytes - (rope.bytes - 8 * rope.edges) - bytes->triangle * surface) / tets.added - 16;
    }
    for (int kind = BENCH_QUADRATIC; good && kind <= BENCH_DIHEDRAL; kind++) {
        good = weigh(&cloth, (enum bench_kind)kind, BODY, &bent);
        bytes->added[kind] = good ? (bent.bytes - edges.bytes) / bent.added : 0;
    }
    bench_mesh_deinit(&cloth);
    bench_mesh_deinit(&patches);
    bench_mesh_deinit(&cube);
    bench_mesh_deinit(&lattice);
    return good;
}

static void tell(struct bench_report *report, uint32_t width, const char *what, double bytes, double most)
{
    json_t *row = bench_report_row(report, "memory", width, sim_isa_name(bench_isa_best()), 1);
    if (json_object_set_new(row, "of", json_string(what)) != 0) {
        report->failed = true;
    }
    bench_report_number(report, row, "bytes", bytes);
    if (most > 0 && width >= 100) { // in small worlds what is not of a kind weighs too much
        struct bench_goal goal = {.value = bytes, .limit = most, .unit = "bytes"};
        snprintf(goal.what, sizeof goal.what, "memory, %s", what);
        bench_report_goal(report, row, &goal);
    } else {
        printf("  %s: %.1f bytes\n", what, bytes);
    }
}

bool bench_memory(struct bench_report *report, const struct bench_options *options)
{
    uint32_t width = options->width != 0 ? options->width : options->quick ? 100 : 300;
    uint32_t cells = 1;
    while ((cells + 2) * (cells + 2) * (cells + 2) <= width * width) {
        cells++;
    }
    struct bytes bytes = {0};
    printf("\nMemory of worlds of %" PRIu32 " particles: all that the allocator gave; cubes of %" PRIu32
           " cells a side\n\n",
           width * width, cells);
    if (!weigh_all(width, cells, &bytes)) {
        return false;
    }
    tell(report, width, "a particle", bytes.particle, 80);
    tell(report, width, "a particle where something is damped", bytes.particle_damped, 96);
    tell(report, width, "a distance", bytes.distance, 28);
    tell(report, width, "a damped distance", bytes.distance_damped, 0);
    tell(report, width, "a triangle (as it was given, and for wind and normals)", bytes.triangle, 0);
    tell(report, width, "a quadratic constraint", bytes.added[BENCH_QUADRATIC], 56);
    tell(report, width, "an isometric constraint", bytes.added[BENCH_ISOMETRIC], 56);
    tell(report, width, "a dihedral constraint", bytes.added[BENCH_DIHEDRAL], 56);
    tell(report, width, "a volume constraint", bytes.added[BENCH_TETS], 56);
    return true;
}
