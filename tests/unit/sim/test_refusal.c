// Edits that are refused: each says which field is wrong and changes nothing.
#include "helper_scene.h"
#include "sim/body/plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct sim *sim;
    uint32_t cloth, points, link, grab, plane, sphere;
    struct scene_mesh mesh;
    uint64_t hash;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct fault fault;
    const double origin[3] = {0, 0, 0}, up[3] = {0, 1, 0}, row[12] = {0, 3, 0, 1, 3, 0, 2, 3, 0, 40, 3, 0};
    f->sim = scene_create(scene_settings());
    f->mesh = scene_grid(6, 6, 0.1, origin);
    struct sim_body_desc desc = scene_cloth(&f->mesh);
    f->cloth = scene_add(f->sim, &desc);
    desc = scene_points(row, 4, NULL);
    f->points = scene_add(f->sim, &desc);
    f->link = scene_link(f->sim, f->points, 0, 1, 1, 0, 0);
    f->plane = scene_plane(f->sim, (double[3]){0, -5, 0}, up, 0.5);
    f->sphere = scene_sphere(f->sim, (double[3]){0, -3, 0}, 1, 0.5);
    const uint32_t pin = 2;
    assert_int_equal(sim_particles_pin(f->sim, f->points, &pin, 1, NULL, &fault), FAULT_NONE);
    assert_int_equal(sim_grab_begin(f->sim, f->points, 0, NULL, 0, &f->grab, &fault), FAULT_NONE);
    scene_run(f->sim, 3);
    f->hash = sim_hash(f->sim);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    scene_mesh_deinit(&f->mesh);
    sim_destroy(f->sim);
    free(f);
    return 0;
}

// The fault says this, as a sentence without its subject ("field: text"), and the state is what it was.
static void check(const struct fixture *f, enum fault_code status, const struct fault *fault,
                  enum fault_code expected, const char *field, const char *part, int line)
{
    bool same_field =
        field == NULL ? fault->field == NULL : fault->field != NULL && strcmp(fault->field, field) == 0;
    if (status != expected || fault->code != expected || !same_field || strstr(fault->text, part) == NULL) {
        print_error("line %d: status %d, \"%s: %s\"\n", line, status, fault->field, fault->text);
        fail();
    }
    if (f != NULL && sim_hash(f->sim) != f->hash) {
        print_error("line %d: a refused edit changed the state\n", line);
        fail();
    }
}

#define REFUSED(call, expected, field, part)                             \
    do {                                                                 \
        struct fault fault = {0};                                        \
        enum fault_code status = (call);                                 \
        check(f, status, &fault, (expected), (field), (part), __LINE__); \
    } while (0)

static const double bad_numbers[] = {NAN, INFINITY, -INFINITY, -1, -1e-300, 1e300};
enum { BAD_NUMBERS = sizeof bad_numbers / sizeof bad_numbers[0] };

static void settings_out_of_range_are_refused(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < BAD_NUMBERS; i++) {
        struct sim_settings settings = *sim_settings_of(f->sim);
        settings.damping = bad_numbers[i];
        REFUSED(sim_settings_set(f->sim, &settings, &fault), FAULT_INVALID, "damping", "must be in");
        settings = *sim_settings_of(f->sim);
        settings.extent = bad_numbers[i];
        REFUSED(sim_settings_set(f->sim, &settings, &fault), FAULT_INVALID, "extent", "must be in");
        settings = *sim_settings_of(f->sim);
        settings.gravity[2] = bad_numbers[i] * 1001;
        if (fabs(settings.gravity[2]) <= 1000) {
            continue;
        }
        REFUSED(sim_settings_set(f->sim, &settings, &fault), FAULT_INVALID, "gravity", "must be in");
    }
    const uint32_t counts[] = {0, 1001, UINT32_MAX};
    for (int i = 0; i < 3; i++) {
        struct sim_settings settings = *sim_settings_of(f->sim);
        settings.substeps = counts[i];
        REFUSED(sim_settings_set(f->sim, &settings, &fault), FAULT_INVALID, "substeps", "must be in");
        settings = *sim_settings_of(f->sim);
        settings.iterations = counts[i];
        REFUSED(sim_settings_set(f->sim, &settings, &fault), FAULT_INVALID, "iterations", "must be in");
    }
}

static enum fault_code prepare(struct fixture *f, const struct sim_body_desc *desc, struct fault *fault)
{
    (void)f;
    struct sim_body_plan *plan = sim_body_prepare(desc, SCENE_Q, 1e6, &scene_limits, fault);
    if (plan != NULL) {
        sim_body_plan_destroy(plan);
        return FAULT_NONE;
    }
    return fault->code;
}

static void bodies_of_bad_numbers_are_refused(void **state)
{
    struct fixture *f = *state;
    double positions[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1}, masses[3] = {1, 1, 1};
    float velocities[9] = {0};
    const uint32_t triangle[3] = {0, 1, 2};
    struct sim_body_desc good = scene_points(positions, 3, masses);
    good.kind = SIM_CLOTH;
    good.triangles = triangle;
    good.triangle_count = 1;
    struct fault unused;
    assert_int_equal(prepare(f, &good, &unused), FAULT_NONE);
    for (int i = 0; i < BAD_NUMBERS; i++) {
        double bad = bad_numbers[i];
        struct sim_body_desc desc = good;
        if (!(bad >= -1e6 && bad <= 1e6)) {
            positions[5] = bad;
            REFUSED(prepare(f, &desc, &fault), FAULT_INVALID, "positions", "particle 1 lies at");
            positions[5] = 0;
            velocities[4] = (float)bad;
            desc.velocities = velocities;
            REFUSED(prepare(f, &desc, &fault), FAULT_INVALID, "velocities", "particle 1");
            velocities[4] = 0;
        }
        masses[2] = bad;
        REFUSED(prepare(f, &desc, &fault), FAULT_INVALID, "masses", "particle 2 weighs");
        masses[2] = 1;
        desc.masses = NULL;
        desc.density = bad;
        REFUSED(prepare(f, &desc, &fault), FAULT_INVALID, "density", "must be");
        desc = good;
        desc.stretch.compliance = bad;
        REFUSED(prepare(f, &desc, &fault), FAULT_INVALID, "stretch.compliance", "must be in");
        desc = good;
        desc.stretch.damping = bad;
        REFUSED(prepare(f, &desc, &fault), FAULT_INVALID, "stretch.damping", "must be in");
        desc = good;
        desc.thickness = bad;
        if (bad == bad) { // else it is left open (sim.h)
            REFUSED(prepare(f, &desc, &fault), FAULT_INVALID, "thickness", "must be in");
        }
        if (!(bad < 0)) {
            desc = good;
            desc.stretch.stiffness = bad;
            REFUSED(prepare(f, &desc, &fault), FAULT_INVALID, "stretch.stiffness", "must be in");
        }
    }
    masses[0] = 1e-10;
    REFUSED(prepare(f, &good, &fault), FAULT_INVALID, "masses", "particle 0 weighs 1e-10 kg");
    masses[0] = 1;
    good.masses = NULL;
    good.density = 1e-12;
    REFUSED(prepare(f, &good, &fault), FAULT_INVALID, "density", "would weigh");
}

static void bodies_of_bad_meshes_are_refused(void **state)
{
    struct fixture *f = *state;
    double positions[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
    uint32_t corners[6] = {0, 1, 2, 2, 1, 0}, pins[2] = {0, 3};
    struct sim_body_desc cloth = scene_points(positions, 3, NULL);
    cloth.kind = SIM_CLOTH;
    REFUSED(prepare(f, &cloth, &fault), FAULT_INVALID, "triangles", "at least one triangle");
    cloth.triangles = corners;
    cloth.triangle_count = 2;
    corners[4] = 3;
    REFUSED(prepare(f, &cloth, &fault), FAULT_INVALID, "triangles", "element 1 names particle 3");
    corners[4] = UINT32_MAX;
    REFUSED(prepare(f, &cloth, &fault), FAULT_INVALID, "triangles", "element 1 names particle 4294967295");
    corners[4] = 2;
    REFUSED(prepare(f, &cloth, &fault), FAULT_INVALID, "triangles", "element 1 names particle 2 twice");
    corners[4] = 1;
    cloth.pins = pins;
    cloth.pin_count = 2;
    REFUSED(prepare(f, &cloth, &fault), FAULT_INVALID, "pins", "element 1 names particle 3");
    struct sim_body_desc rope = scene_points(positions, 3, NULL);
    rope.kind = SIM_ROPE;
    REFUSED(prepare(f, &rope, &fault), FAULT_INVALID, "edges", "at least one edge");
    const uint32_t loop[4] = {0, 1, 1, 1};
    rope.edges = loop;
    rope.edge_count = 2;
    REFUSED(prepare(f, &rope, &fault), FAULT_INVALID, "edges", "element 1 names particle 1 twice");
    struct sim_body_desc nothing = scene_points(positions, 0, NULL);
    REFUSED(prepare(f, &nothing, &fault), FAULT_INVALID, "positions", "at least one");
    const uint32_t edge[2] = {0, 1};
    rope.edges = edge;
    rope.edge_count = 1;
    positions[3] = 8.0001;
    REFUSED(prepare(f, &rope, &fault), FAULT_INVALID, "positions", "at most 8 m");
    positions[3] = 8;
    struct fault unused;
    assert_int_equal(prepare(f, &rope, &unused), FAULT_NONE);
}

static void bodies_past_the_limits_are_refused(void **state)
{
    struct fixture *f = NULL;
    (void)state;
    struct sim_limits limits = {.bodies = 2, .particles = 10, .constraints = 5, .colliders = 1, .grabs = 1};
    struct sim *sim = scene_create_limited(scene_settings(), limits);
    const double positions[18] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0};
    const uint32_t edges[10] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5};
    struct fault fault;
    struct sim_body_added added;
    struct sim_body_desc many = scene_points(positions, 6, NULL);
    struct sim_limits small = limits;
    small.particles = 5;
    assert_null(sim_body_prepare(&many, SCENE_Q, 1e6, &small, &fault));
    check(f, fault.code, &fault, FAULT_LIMIT, "positions", "6 particles", __LINE__);
    struct sim_body_desc rope = scene_rope(positions, 6, edges, 5, NULL);
    small = limits;
    small.constraints = 4;
    assert_null(sim_body_prepare(&rope, SCENE_Q, 1e6, &small, &fault));
    check(f, fault.code, &fault, FAULT_LIMIT, NULL, "5 distance constraints", __LINE__);

    struct sim_body_plan *plan = sim_body_prepare(&many, SCENE_Q, 1e6, &limits, &fault);
    struct sim_body_plan *second = sim_body_prepare(&many, SCENE_Q, 1e6, &limits, &fault);
    assert_int_equal(sim_body_attach(sim, plan, &added, &fault), FAULT_NONE);
    uint64_t hash = sim_hash(sim);
    check(f, sim_body_attach(sim, second, &added, &fault), &fault, FAULT_LIMIT, "positions", "would pass 10",
          __LINE__);
    assert_true(sim_hash(sim) == hash);
    sim_body_plan_destroy(second); // still the caller's
    const double one[3] = {0, 0, 0};
    struct sim_body_desc single = scene_points(one, 1, NULL);
    uint32_t last = scene_add(sim, &single);
    plan = sim_body_prepare(&single, SCENE_Q, 1e6, &limits, &fault);
    check(f, sim_body_attach(sim, plan, &added, &fault), &fault, FAULT_LIMIT, NULL, "2 bodies", __LINE__);
    uint32_t bodies[12], particles[12], first, grab, *removed, removed_count;
    for (uint32_t i = 0; i < 12; i++) {
        bodies[i] = 1;
        particles[i] = i % 2;
    }
    hash = sim_hash(sim);
    check(f,
          sim_constraints_add(sim, SIM_DISTANCE, 6, bodies, particles, &(struct sim_constraint_values){0},
                              &first, &fault),
          &fault, FAULT_LIMIT, "particles", "would pass 5", __LINE__);
    assert_true(sim_hash(sim) == hash);
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 5, bodies, particles,
                                         &(struct sim_constraint_values){0}, &first, &fault),
                     FAULT_NONE);
    check(f,
          sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, particles, &(struct sim_constraint_values){0},
                              &first, &fault),
          &fault, FAULT_LIMIT, "particles", "would pass 5", __LINE__);
    // With the rope's five edges the body would fit, with the loose ones not.
    struct sim_body_plan *roped = NULL;
    assert_int_equal(sim_body_remove(sim, last, &removed, &removed_count, &fault), FAULT_NONE);
    free(removed);
    const uint32_t one_edge[2] = {0, 1};
    struct sim_body_desc short_rope = scene_rope(positions, 2, one_edge, 1, NULL);
    roped = sim_body_prepare(&short_rope, SCENE_Q, 1e6, &limits, &fault);
    assert_non_null(roped);
    check(f, sim_body_attach(sim, roped, &added, &fault), &fault, FAULT_LIMIT, NULL, "would pass 5",
          __LINE__);
    sim_body_plan_destroy(roped);
    sim_body_plan_destroy(plan);
    assert_int_equal(sim_grab_begin(sim, 1, 0, NULL, 0, &grab, &fault), FAULT_NONE);
    check(f, sim_grab_begin(sim, 1, 1, NULL, 0, &grab, &fault), &fault, FAULT_LIMIT, NULL, "1 grabs",
          __LINE__);
    scene_plane(sim, one, (double[3]){0, 1, 0}, 0);
    struct sim_collider plane = {.kind = SIM_PLANE, .normal = {0, 1, 0}};
    check(f, sim_collider_add(sim, &plane, &first, &fault), &fault, FAULT_LIMIT, NULL, "1 colliders",
          __LINE__);
    sim_destroy(sim);
}

static void particles_that_do_not_exist_or_stand_twice_are_refused(void **state)
{
    struct fixture *f = *state;
    const uint32_t beyond[2] = {0, 4}, twice[3] = {1, 0, 1};
    const double zero[9] = {0, 3, 0, 0, 3, 0, 0, 3, 0};
    struct sim *sim = f->sim;
    REFUSED(sim_particles_set(sim, 99, beyond, 2, NULL, NULL, NULL, &fault), FAULT_NOT_FOUND, "body",
            "body 99");
    REFUSED(sim_particles_set(sim, f->points, beyond, 2, zero, NULL, NULL, &fault), FAULT_INVALID,
            "particles", "element 1");
    REFUSED(sim_particles_set(sim, f->points, twice, 3, zero, NULL, NULL, &fault), FAULT_INVALID, "particles",
            "again");
    REFUSED(sim_particles_pin(sim, 0, beyond, 1, NULL, &fault), FAULT_NOT_FOUND, "body", "body 0");
    REFUSED(sim_particles_pin(sim, f->points, beyond, 2, NULL, &fault), FAULT_INVALID, "particles",
            "element 1");
    REFUSED(sim_particles_pin(sim, f->points, twice, 3, NULL, &fault), FAULT_INVALID, "particles",
            "element 2");
    REFUSED(sim_particles_unpin(sim, f->points, beyond, 2, &fault), FAULT_INVALID, "particles", "element 1");
    REFUSED(sim_particles_unpin(sim, f->points, twice, 3, &fault), FAULT_INVALID, "particles", "element 2");
    REFUSED(sim_particles_unpin(sim, UINT32_MAX, twice, 1, &fault), FAULT_NOT_FOUND, "body",
            "does not exist");
}

static void particle_values_out_of_range_are_refused(void **state)
{
    struct fixture *f = *state;
    const uint32_t particles[2] = {1, 0};
    for (int i = 0; i < BAD_NUMBERS; i++) {
        double positions[6] = {1, 3, 0, 0, 3, 0};
        float velocities[6] = {0}, w[2] = {1, (float)bad_numbers[i]};
        if (w[1] != 0) { // -1e-300 is 0 as a float
            REFUSED(sim_particles_set(f->sim, f->points, particles, 2, NULL, NULL, w, &fault), FAULT_INVALID,
                    "inverse_masses", "for particle 0");
        }
        if (bad_numbers[i] >= -1e6 && bad_numbers[i] <= 1e6) {
            continue;
        }
        velocities[4] = (float)bad_numbers[i];
        REFUSED(sim_particles_set(f->sim, f->points, particles, 2, NULL, velocities, NULL, &fault),
                FAULT_INVALID, "velocities", "particle 0");
        positions[4] = bad_numbers[i];
        REFUSED(sim_particles_set(f->sim, f->points, particles, 2, positions, NULL, NULL, &fault),
                FAULT_INVALID, "positions", "particle 0");
        REFUSED(sim_particles_pin(f->sim, f->points, particles, 2, positions, &fault), FAULT_INVALID,
                "positions", "particle 0");
    }
    const float heavy = 1e-30f, light = 1.1e9f;
    REFUSED(sim_particles_set(f->sim, f->points, particles, 1, NULL, NULL, &heavy, &fault), FAULT_INVALID,
            "inverse_masses", "must be 0");
    REFUSED(sim_particles_set(f->sim, f->points, particles, 1, NULL, NULL, &light, &fault), FAULT_INVALID,
            "inverse_masses", "must be 0");
    double now[3];
    scene_position(f->sim, f->points, 1, now);
    now[1] -= 4.01;
    REFUSED(sim_particles_pin(f->sim, f->points, particles, 1, now, &fault), FAULT_INVALID, "positions",
            "at most 4 m");
}

static void constraints_out_of_range_are_refused(void **state)
{
    struct fixture *f = *state;
    uint32_t bodies[4] = {f->points, f->points, f->cloth, f->cloth}, particles[4] = {0, 1, 0, 35}, first;
    double values[2] = {0.5, 0.5};
#define ADD(l, alpha, beta)                                                                               \
    sim_constraints_add(f->sim, SIM_DISTANCE, 2, bodies, particles,                                       \
                        &(struct sim_constraint_values){.rest = l, .compliance = alpha, .damping = beta}, \
                        &first, &fault)
    for (int i = 0; i < BAD_NUMBERS; i++) {
        values[1] = bad_numbers[i];
        REFUSED(ADD(values, NULL, NULL), FAULT_INVALID, "rest", "element 1");
        REFUSED(ADD(NULL, values, NULL), FAULT_INVALID, "compliance", "element 1");
        REFUSED(ADD(NULL, NULL, values), FAULT_INVALID, "damping", "element 1");
        REFUSED(sim_constraints_set(f->sim, &f->link, 1, &(struct sim_constraint_values){.rest = values + 1},
                                    &fault),
                FAULT_INVALID, "rest", "element 0");
        REFUSED(sim_constraints_set(f->sim, &f->link, 1,
                                    &(struct sim_constraint_values){.compliance = values + 1}, &fault),
                FAULT_INVALID, "compliance", "element 0");
        REFUSED(sim_constraints_set(f->sim, &f->link, 1,
                                    &(struct sim_constraint_values){.damping = values + 1}, &fault),
                FAULT_INVALID, "damping", "element 0");
        assert_int_equal(first, 0);
    }
    values[1] = 8.001;
    REFUSED(ADD(values, NULL, NULL), FAULT_INVALID, "rest", "must be in [0, 8]");
    bodies[2] = 77;
    REFUSED(ADD(NULL, NULL, NULL), FAULT_NOT_FOUND, "bodies", "body 77");
    bodies[2] = f->cloth;
    particles[3] = 36;
    REFUSED(ADD(NULL, NULL, NULL), FAULT_INVALID, "particles", "element 3 names particle 36");
    particles[3] = 0;
    REFUSED(ADD(NULL, NULL, NULL), FAULT_INVALID, "particles", "twice");
    // Too far apart: in low words 40 m would look like 8.
    bodies[2] = f->points;
    particles[3] = 3;
    bodies[3] = f->points;
    values[1] = 1;
    REFUSED(ADD(NULL, NULL, NULL), FAULT_INVALID, "particles", "at most 8 m");
    REFUSED(ADD(values, NULL, NULL), FAULT_INVALID, "particles", "at most 12 m");
#undef ADD
    const uint32_t ids[3] = {f->link, 1, 4242};
    REFUSED(sim_constraints_set(f->sim, ids, 3, &(struct sim_constraint_values){0}, &fault), FAULT_NOT_FOUND,
            "constraints", "constraint 4242");
    REFUSED(sim_constraints_remove(f->sim, ids, 3, &fault), FAULT_NOT_FOUND, "constraints",
            "constraint 4242");
    const uint32_t zero = 0;
    REFUSED(sim_constraints_remove(f->sim, &zero, 1, &fault), FAULT_NOT_FOUND, "constraints", "constraint 0");
}

static void materials_of_bodies_out_of_range_are_refused(void **state)
{
    struct fixture *f = *state;
    const struct sim_material good = {.compliance = 0.5, .stiffness = -1};
    for (int i = 0; i < BAD_NUMBERS; i++) {
        struct sim_material compliance = good, damping = good, stiffness = good;
        compliance.compliance = damping.damping = stiffness.stiffness = bad_numbers[i];
        REFUSED(sim_body_set(f->sim, f->cloth, &(struct sim_body_change){.stretch = &compliance}, &fault),
                FAULT_INVALID, "stretch.compliance", "must be in");
        REFUSED(sim_body_set(f->sim, f->cloth, &(struct sim_body_change){.stretch = &damping}, &fault),
                FAULT_INVALID, "stretch.damping", "must be in");
        if (!(bad_numbers[i] < 0)) {
            REFUSED(sim_body_set(f->sim, f->cloth, &(struct sim_body_change){.stretch = &stiffness}, &fault),
                    FAULT_INVALID, "stretch.stiffness", "must be in");
        }
        // A good material does not slip through with a bad thickness.
        REFUSED(sim_body_set(f->sim, f->cloth,
                             &(struct sim_body_change){.stretch = &good, .thickness = &bad_numbers[i]},
                             &fault),
                FAULT_INVALID, "thickness", "must be in");
    }
    REFUSED(sim_body_set(f->sim, 1234, &(struct sim_body_change){.stretch = &good}, &fault), FAULT_NOT_FOUND,
            "body", "body 1234");
    uint32_t *removed, removed_count;
    REFUSED(sim_body_remove(f->sim, 1234, &removed, &removed_count, &fault), FAULT_NOT_FOUND, "body",
            "body 1234");
    assert_null(removed);
}

static void grabs_out_of_range_are_refused(void **state)
{
    struct fixture *f = *state;
    uint32_t grab;
    const double good[3] = {0, 0, 0};
    REFUSED(sim_grab_begin(f->sim, 9, 0, good, 0, &grab, &fault), FAULT_NOT_FOUND, "body", "body 9");
    REFUSED(sim_grab_begin(f->sim, f->points, 4, good, 0, &grab, &fault), FAULT_INVALID, "particle",
            "0 to 3");
    REFUSED(sim_grab_begin(f->sim, f->points, 0, good, 0, &grab, &fault), FAULT_CONFLICT, "particle",
            "held by grab");
    REFUSED(sim_grab_begin(f->sim, f->points, 2, good, 0, &grab, &fault), FAULT_CONFLICT, "particle",
            "pinned or static");
    REFUSED(sim_grab_move(f->sim, 9, good, &fault), FAULT_NOT_FOUND, "grab", "grab 9");
    REFUSED(sim_grab_end(f->sim, 0, &fault), FAULT_NOT_FOUND, "grab", "grab 0");
    for (int i = 0; i < BAD_NUMBERS; i++) {
        double bad[3] = {0, 0, bad_numbers[i]};
        REFUSED(sim_grab_begin(f->sim, f->points, 1, good, bad[2], &grab, &fault), FAULT_INVALID,
                "compliance", "must be in");
        if (bad[2] >= -1e6 && bad[2] <= 1e6) {
            continue;
        }
        REFUSED(sim_grab_begin(f->sim, f->points, 1, bad, 0, &grab, &fault), FAULT_INVALID, "target",
                "at most 1e+06 m");
        REFUSED(sim_grab_move(f->sim, f->grab, bad, &fault), FAULT_INVALID, "target", "at most 1e+06 m");
    }
}

static void colliders_out_of_range_are_refused(void **state)
{
    struct fixture *f = *state;
    uint32_t id;
    const struct sim_collider plane = {.id = f->plane, .kind = SIM_PLANE, .normal = {0, 1, 0}};
    const struct sim_collider sphere = {.id = f->sphere, .kind = SIM_SPHERE, .radius = 1};
    for (int i = 0; i < BAD_NUMBERS; i++) {
        struct sim_collider bad = plane;
        bad.friction = bad_numbers[i];
        REFUSED(sim_collider_add(f->sim, &bad, &id, &fault), FAULT_INVALID, "friction", "must be");
        REFUSED(sim_collider_set(f->sim, &bad, &fault), FAULT_INVALID, "friction", "must be");
        bad = sphere;
        bad.radius = bad_numbers[i];
        REFUSED(sim_collider_add(f->sim, &bad, &id, &fault), FAULT_INVALID, "radius", "must be above 0");
        REFUSED(sim_collider_set(f->sim, &bad, &fault), FAULT_INVALID, "radius", "must be above 0");
        if (bad_numbers[i] >= -1e6 && bad_numbers[i] <= 1e6) {
            continue;
        }
        bad = plane;
        bad.normal[2] = bad_numbers[i];
        REFUSED(sim_collider_add(f->sim, &bad, &id, &fault), FAULT_INVALID, "normal", "its length is");
        bad = sphere;
        bad.position[0] = bad_numbers[i];
        REFUSED(sim_collider_add(f->sim, &bad, &id, &fault), FAULT_INVALID, "position", "at most 1e+06 m");
        REFUSED(sim_collider_set(f->sim, &bad, &fault), FAULT_INVALID, "position", "at most 1e+06 m");
    }
    struct sim_collider flat = plane;
    flat.normal[1] = 0;
    REFUSED(sim_collider_add(f->sim, &flat, &id, &fault), FAULT_INVALID, "normal", "its length is 0");
    struct sim_collider nobody = plane;
    nobody.id = 55;
    REFUSED(sim_collider_set(f->sim, &nobody, &fault), FAULT_NOT_FOUND, "collider", "collider 55");
    REFUSED(sim_collider_remove(f->sim, 55, &fault), FAULT_NOT_FOUND, "collider", "collider 55");
}

static void the_outermost_values_are_taken_and_blow_nothing_up(void **state)
{
    (void)state;
    struct fault fault;
    for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
        struct sim_settings settings = scene_settings();
        settings.tick_rate = 1000;
        settings.substeps = 1000;
        settings.iterations = iterations;
        settings.damping = 1e6;
        struct sim *sim = scene_create(settings);
        const double positions[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0},
                     masses[4] = {1e-9, 1e20, 1e-9, 1e20};
        const uint32_t edges[6] = {0, 1, 1, 2, 2, 3};
        struct sim_body_desc desc = scene_rope(positions, 4, edges, 3, masses);
        struct sim_body_added added = scene_add_all(sim, &desc);
        uint32_t grab;
        const double rest[3] = {0.5, 1.5, 0}, compliances[3] = {1e10, 0, 1e10}, dampings[3] = {1e10, 1e10, 0};
        const uint32_t ids[3] = {1, 2, 3};
        assert_int_equal(added.constraint_first[0], 1);
        assert_int_equal(
            sim_constraints_set(
                sim, ids, 3,
                &(struct sim_constraint_values){.rest = rest, .compliance = compliances, .damping = dampings},
                &fault),
            FAULT_NONE);
        assert_int_equal(sim_grab_begin(sim, added.body, 3, (double[3]){3, 1, 0}, 1e10, &grab, &fault),
                         FAULT_NONE);
        scene_run(sim, 2);
        double x[12];
        sim_body_positions64(sim, added.body, 0, 4, x);
        for (int k = 0; k < 12; k++) {
            assert_true(fabs(x[k] - positions[k]) < 1);
        }
        sim_destroy(sim);
    }
}

#define REFUSAL(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        REFUSAL(settings_out_of_range_are_refused),
        REFUSAL(bodies_of_bad_numbers_are_refused),
        REFUSAL(bodies_of_bad_meshes_are_refused),
        cmocka_unit_test(bodies_past_the_limits_are_refused),
        REFUSAL(particles_that_do_not_exist_or_stand_twice_are_refused),
        REFUSAL(particle_values_out_of_range_are_refused),
        REFUSAL(constraints_out_of_range_are_refused),
        REFUSAL(materials_of_bodies_out_of_range_are_refused),
        REFUSAL(grabs_out_of_range_are_refused),
        REFUSAL(colliders_out_of_range_are_refused),
        cmocka_unit_test(the_outermost_values_are_taken_and_blow_nothing_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
