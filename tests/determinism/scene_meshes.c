// Meshes and bodies of the scenes, and a tick and a copy of their worlds.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct fault scene_fault;

void scene_must(enum fault_code status, const char *file, int line)
{
    if (status != FAULT_NONE) {
        fprintf(stderr, "%s:%d: %s: %s\n", file, line, scene_fault.field == NULL ? "" : scene_fault.field,
                scene_fault.text);
        exit(2);
    }
}

struct sim_body_added scene_add(struct sim *sim, const struct sim_body_desc *desc,
                                const struct sim_limits *limits)
{
    const struct sim_settings *settings = sim_settings_of(sim);
    struct sim_body_added added = {0};
    struct sim_body_plan *plan =
        sim_body_prepare(desc, settings->resolution, settings->extent, limits, &scene_fault);
    if (plan == NULL) {
        scene_must(FAULT_INVALID, __FILE__, __LINE__);
    }
    MUST(sim_body_attach(sim, plan, &added, &scene_fault));
    return added;
}

bool scene_tick(struct sim *sim, const struct scene_options *options, uint32_t tick)
{
    struct sim_failure failure;
    sim_step(sim, options->parallel, NULL, &failure);
    if (failure.failed) {
        fprintf(stderr, "tick %u: %s\n", tick, failure.text);
        return false;
    }
    if (tick % 10 == 9) {
        printf("%u %016" PRIx64 "\n", tick + 1, sim_hash(sim));
    }
    return true;
}

void scene_save(struct sim **sim, const struct sim_limits *limits)
{
    struct sim_image image;
    struct sim_image_place place;
    if (!sim_image_take(*sim, &image)) {
        MUST(FAULT_MEMORY);
    }
    struct sim *made = sim_image_make(&image, limits, &place, &scene_fault);
    MUST(made ? FAULT_NONE : scene_fault.code);
    sim_image_deinit(&image);
    sim_destroy(*sim);
    *sim = made;
}

void *scene_array(uint64_t count, size_t item_size)
{
    void *items = calloc(count, item_size);
    if (items == NULL) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    return items;
}

static struct scene_mesh mesh_of(uint32_t particle_count, uint32_t element_count, uint32_t corners)
{
    return (struct scene_mesh){
        .particle_count = particle_count,
        .element_count = element_count,
        .positions = scene_array(3 * (uint64_t)particle_count, sizeof(double)),
        .elements = scene_array((uint64_t)corners * element_count + 1, sizeof(uint32_t)),
    };
}

void scene_mesh_deinit(struct scene_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->velocities);
    free(mesh->elements);
    *mesh = (struct scene_mesh){0};
}

void scene_mesh_shift(struct scene_mesh *mesh, double x, double y, double z)
{
    const double way[3] = {x, y, z};
    for (uint32_t k = 0; k < 3 * mesh->particle_count; k++) {
        mesh->positions[k] += way[k % 3];
    }
}

static uint32_t *put_elements(uint32_t *place, const uint32_t *corners, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        *place++ = corners[i];
    }
    return place;
}

struct scene_mesh scene_sheet(uint32_t side, double spacing)
{
    struct scene_mesh mesh = mesh_of(side * side, 2 * (side - 1) * (side - 1), 3);
    uint32_t *t = mesh.elements;
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        mesh.positions[3 * i] = spacing * (i % side) - 1;
        mesh.positions[3 * i + 1] = 0.7 + 0.001 * (i % 7);
        mesh.positions[3 * i + 2] = spacing * (double)(i / side) - 1;
        if (i % side + 1 < side && i / side + 1 < side) {
            const uint32_t two[6] = {i, i + side, i + side + 1, i, i + side + 1, i + 1};
            t = put_elements(t, two, 6);
        }
    }
    return mesh;
}

struct scene_mesh scene_rope(uint32_t count)
{
    struct scene_mesh mesh = mesh_of(count, count - 1, 2);
    for (uint32_t i = 0; i < count; i++) {
        mesh.positions[3 * i] = -1 + 0.01 * i;
        mesh.positions[3 * i + 1] = 1;
        mesh.positions[3 * i + 2] = 0.005 * (i % 3);
        if (i + 1 < count) {
            mesh.elements[2 * i] = i;
            mesh.elements[2 * i + 1] = i + 1;
        }
    }
    return mesh;
}

struct scene_mesh scene_points(uint32_t count)
{
    struct scene_mesh mesh = mesh_of(count, 0, 0);
    mesh.velocities = scene_array(3 * (uint64_t)count, sizeof(float));
    for (uint32_t k = 0; k < 3 * count; k++) {
        uint32_t mixed = (k + 1) * UINT32_C(2654435761);
        mesh.positions[k] = (double)(mixed >> 8) / 16777216.0 + (k % 3 == 1 ? 1.2 : -0.5);
        mesh.velocities[k] = (float)(mixed & 255) / 256.0f - 0.5f;
    }
    return mesh;
}

struct scene_mesh scene_block(uint32_t cells)
{
    static const uint8_t five[2][5][4] = {
        {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}, {1, 2, 4, 7}},
        {{1, 0, 5, 3}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 3, 5, 6}, {0, 3, 5, 6}}};
    const uint32_t corners = cells + 1;
    struct scene_mesh mesh = mesh_of(corners * corners * corners, 5 * cells * cells * cells, 4);
    uint32_t *tet = mesh.elements;
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        const uint32_t at[3] = {i % corners, i / corners % corners, i / (corners * corners)};
        for (uint32_t axis = 0; axis < 3; axis++) {
            mesh.positions[3 * i + axis] = 0.05 * at[axis] + (axis == 1 ? 1.4 : 0.3);
        }
        bool cell = at[0] < cells && at[1] < cells && at[2] < cells;
        for (uint32_t t = 0; cell && t < 5; t++) {
            for (uint32_t k = 0; k < 4; k++) {
                uint32_t corner = five[(at[0] + at[1] + at[2]) % 2][t][k];
                *tet++ = i + corner % 2 + corner / 2 % 2 * corners + corner / 4 * corners * corners;
            }
        }
    }
    return mesh;
}

struct scene_mesh scene_flag(uint32_t side)
{
    struct scene_mesh mesh = mesh_of(2 * side * side, 4 * (side - 1) * (side - 1), 3);
    uint32_t *t = mesh.elements;
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        uint32_t sheet = i / (side * side), column = i % side, row = i / side % side;
        mesh.positions[3 * i] = -2 + 0.04 * (column + sheet * (side - 1));
        mesh.positions[3 * i + 1] = 1.5 + 0.04 * row;
        mesh.positions[3 * i + 2] = sheet == 0 ? -1 : -1 + 0.01 * column;
        if (column + 1 < side && row + 1 < side) {
            const uint32_t two[6] = {i, i + 1, i + side, i + 1, i + side + 1, i + side};
            t = put_elements(t, two, 6);
        }
    }
    return mesh;
}

struct sim_body_desc scene_desc(enum sim_body_kind kind, const struct scene_mesh *mesh)
{
    const struct sim_material rigid = {.stiffness = -1};
    struct sim_body_desc desc = {.kind = kind,
                                 .particle_count = mesh->particle_count,
                                 .positions = mesh->positions,
                                 .velocities = mesh->velocities,
                                 .stretch = rigid,
                                 .bend = rigid,
                                 .volume = rigid};
    if (kind == SIM_CLOTH) {
        desc.triangles = mesh->elements;
        desc.triangle_count = mesh->element_count;
        desc.bend_model = SIM_BEND_DEFAULT;
    } else if (kind == SIM_ROPE) {
        desc.edges = mesh->elements;
        desc.edge_count = mesh->element_count;
    } else if (kind == SIM_SOFT) {
        desc.tets = mesh->elements;
        desc.tet_count = mesh->element_count;
    }
    return desc;
}
