// The results of contacts and grabs are pinned: hashes of worlds with every kind of collider, in every instruction set.
#include "helper_scene.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { LATTICE = 6 * 6 * 6, CLOUD = 70, SIDE = 13, ROPE = 5, GRABS = 19, TICKS = 12 };
enum variant { STILL, SHIFTED, TURNED, VARIANTS };

static struct fault fault;

static double uniform(uint64_t *seed)
{
    return 2 * scene_uniform(seed) - 1;
}

// Points at the centre, on the axes, faces, edges and corners of the collider, and on its skin; two are static.
static uint32_t add_lattice(struct sim *sim, const double place[3])
{
    double x[3 * LATTICE], masses[LATTICE];
    const uint32_t pins[2] = {43, 100};
    for (uint32_t i = 0; i < LATTICE; i++) {
        const uint32_t at[3] = {i % 6, i / 6 % 6, i / 36};
        for (int axis = 0; axis < 3; axis++) {
            x[3 * i + (uint32_t)axis] = place[axis] + 0.125 * at[axis] - 0.25;
        }
        masses[i] = 0.01 * (1 + i % 7);
    }
    struct sim_body_desc desc = scene_points(x, LATTICE, masses);
    desc.pins = pins;
    desc.pin_count = 2;
    return scene_add(sim, &desc);
}

static uint32_t add_cloud(struct sim *sim, const double place[3], uint64_t *seed)
{
    double x[3 * CLOUD], masses[CLOUD];
    float velocities[3 * CLOUD];
    for (uint32_t i = 0; i < 3 * CLOUD; i++) {
        x[i] = place[i % 3] + 0.5 * uniform(seed);
        velocities[i] = (float)(3 * uniform(seed));
        masses[i / 3] = 0.1;
    }
    struct sim_body_desc desc = scene_points(x, CLOUD, masses);
    desc.velocities = velocities;
    desc.thickness = 0.015;
    return scene_add(sim, &desc);
}

static uint32_t add_cloth(struct sim *sim, const double place[3])
{
    const double corner[3] = {place[0] - 0.3, place[1] + 0.27, place[2] - 0.31};
    const uint32_t pins[2] = {0, 77};
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.05, corner);
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.stretch.compliance = 1e-6;
    desc.pins = pins;
    desc.pin_count = 2;
    uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return body;
}

static uint32_t add_rope(struct sim *sim, const double place[3])
{
    double x[3 * ROPE];
    uint32_t edges[2 * (ROPE - 1)];
    for (uint32_t i = 0; i < ROPE; i++) {
        x[3 * i] = place[0] - 0.1 + 0.05 * i;
        x[3 * i + 1] = place[1] + 0.26;
        x[3 * i + 2] = place[2] + 0.02;
        if (i + 1 < ROPE) {
            edges[2 * i] = i;
            edges[2 * i + 1] = i + 1;
        }
    }
    struct sim_body_desc desc = scene_rope(x, ROPE, edges, ROPE - 1, NULL);
    desc.thickness = 0.01;
    return scene_add(sim, &desc);
}

// Near and stiff, far and soft: one in five is pulled from farther than a grab reaches at a time.
static void grab(struct sim *sim, uint32_t body, uint32_t particle, uint32_t which, const double place[3])
{
    static const double compliances[] = {0, 1e-3, 1e-1, 0, 1}, reaches[] = {0, 0.2, 0.5, 0.01, 12};
    double reach = reaches[which % 5], x[3], target[3];
    uint32_t id;
    scene_position(sim, body, particle, x);
    for (int axis = 0; axis < 3; axis++) {
        target[axis] = reach < 1 ? x[axis] + reach * (axis - 1.5) : place[axis] + reach;
    }
    if (sim_grab_begin(sim, body, particle, target, compliances[which % 5], &id, &fault) != FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
}

static void turn(struct sim_collider *collider, const double place[3], enum variant variant, int tick)
{
    const double rotation[4] = {0.1 * tick, 0.3, -0.05 * tick, 1};
    if (variant == STILL) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        collider->position[axis] = place[axis] + 0.004 * tick * (axis + 1);
    }
    if (variant == TURNED) {
        memcpy(collider->rotation, rotation, sizeof rotation);
    }
}

// A collider at a place, another one above the floor, and what falls on them; `far` moves the floor's middle.
static uint64_t run(enum sim_collider_kind kind, enum variant variant, uint32_t iterations, double far)
{
    const double place[3] = {far, far == 0 ? 0.5 : far / 2, -far}, tilted[3] = {0.1, 1, -0.2};
    const double floor[3] = {0, place[1] - 0.4, 0};
    const double bottom[3] = {place[0], place[1] - 0.45, place[2]};
    struct sim_settings settings = scene_settings();
    uint64_t seed = 11;
    settings.iterations = iterations;
    settings.extent = 1e9;
    settings.damping = 0.1;
    struct sim *sim = scene_create(settings);
    struct sim_collider collider = {.kind = kind,
                                    .rotation = {0, 0, 0, 1},
                                    .radius = 0.25,
                                    .length = 0.25,
                                    .half_extents = {0.25, 0.125, 0.25},
                                    .friction = 0.4};
    static const double points[] = {0.25,   0.125, 0.25,   -0.25, 0.125, 0.25,  0.25,
                                    0.125,  -0.25, -0.25,  0.125, -0.25, 0.125, -0.25,
                                    0.0625, -0.25, -0.125, 0,     0.1,   0.3,   0};
    static const double heights[] = {0.1,  0.02, 0.13, -0.2, 0.05, 0.125, 0, 0.1, 0.1, 0.06,
                                     -0.1, 0.15, 0.04, 0.04, 0.01, 0.2,   0, 0,   0.1, -0.05};
    collider.heights = kind == SIM_HEIGHT_FIELD ? heights : NULL;
    collider.height_count = kind == SIM_HEIGHT_FIELD ? 20 : 0;
    collider.columns = 5;
    collider.spacing = 0.125;
    collider.points = kind == SIM_CONVEX ? points : NULL;
    collider.point_count = kind == SIM_CONVEX ? 7 : 0;
    memcpy(collider.position, place, sizeof place);
    assert_int_equal(sim_collider_add(sim, &collider, &collider.id, &fault), FAULT_NONE);
    scene_plane(sim, far == 0 ? bottom : floor, far == 0 ? tilted : (const double[3]){0, 1, 0}, 0.3);
    scene_sphere(sim, bottom, 0.2, 0);
    const uint32_t bodies[4] = {add_lattice(sim, place), add_cloud(sim, place, &seed), add_cloth(sim, place),
                                add_rope(sim, place)};
    for (uint32_t g = 0; g < GRABS; g++) {
        grab(sim, bodies[g % 3], 3 * g + 1, g, place);
    }
    uint32_t contacts = 0;
    for (int tick = 1; tick <= TICKS; tick++) {
        struct sim_measures measures;
        turn(&collider, place, variant, tick);
        assert_int_equal(sim_collider_set(sim, &collider, &fault), FAULT_NONE);
        scene_run(sim, 1);
        sim_measure(sim, &measures);
        contacts += measures.contacts;
    }
    assert_true(contacts > 100);
    uint64_t hash = sim_hash(sim) * UINT64_C(0x9e3779b97f4a7c15) + contacts;
    sim_destroy(sim);
    return hash;
}

static void the_bits_of_contacts_and_grabs_stay(void **state)
{
    (void)state;
    static const double places[] = {0, 1000,
                                    3e8}; // from 2^53 quanta on, doubles have fewer places than coordinates
    static const struct {
        enum sim_collider_kind kind;
        uint32_t iterations;
        uint64_t hash;
    } pinned[] = {
        {SIM_PLANE, 1, 0xe4602bf3df8d5bee},        {SIM_PLANE, 3, 0xc17fec4b43980cef},
        {SIM_SPHERE, 1, 0x523fac00a0617f44},       {SIM_SPHERE, 3, 0x2ab28d2d9bdda2a9},
        {SIM_CAPSULE, 1, 0x43c1a8b42baa7e91},      {SIM_CAPSULE, 3, 0xc5d57f5799605da5},
        {SIM_BOX, 1, 0x3c64d4c991e2f4f6},          {SIM_BOX, 3, 0xf013ed473abe7ab9},
        {SIM_CONVEX, 1, 0xbcb21cc5cf462683},       {SIM_CONVEX, 3, 0x6105603b40ec823d},
        {SIM_HEIGHT_FIELD, 1, 0xcc054b0ca55176f9}, {SIM_HEIGHT_FIELD, 3, 0xfe3a9dad9b30d5d2},
        {SIM_CYLINDER, 1, 0x6ddf4e00e25cdab6},     {SIM_CYLINDER, 3, 0x8b73bc86d725c958},
    };
    enum sim_isa chosen = sim_isa_chosen();
    bool same = true;
    for (size_t i = 0; i < sizeof pinned / sizeof pinned[0]; i++) {
        for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
            uint64_t hash = 0;
            if (!sim_isa_available((enum sim_isa)isa)) {
                continue;
            }
            sim_isa_choose((enum sim_isa)isa);
            for (int variant = 0; variant < VARIANTS; variant++) {
                for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
                    hash = hash * UINT64_C(0xd1342543de82ef95) +
                           run(pinned[i].kind, (enum variant)variant, pinned[i].iterations, places[p]);
                }
            }
            if (hash != pinned[i].hash) {
                print_error("kind %d, %u iterations, %s: 0x%016" PRIx64 ", pinned 0x%016" PRIx64 "\n",
                            (int)pinned[i].kind, pinned[i].iterations, sim_isa_name((enum sim_isa)isa), hash,
                            pinned[i].hash);
                same = false;
            }
        }
    }
    sim_isa_choose(chosen);
    assert_true(same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bits_of_contacts_and_grabs_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
