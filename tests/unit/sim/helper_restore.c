// Edits of every kind, each with what takes it back.
#include "helper_restore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

static const struct sim_material fabrics[2] = {
    {.warp = 300, .weft = 150, .shear = 9, .poisson = 0.3, .stiffness = -1},
    {.warp = 500, .weft = 90, .shear = 20, .damping = 0.01, .limit = 0.1, .stiffness = -1}};
static const struct sim_material solids[2] = {{.young = 2e4, .poisson = 0.4},
                                              {.young = 5e3, .damping = 2, .plastic = {0.01, 40, 0.5}}};

static uint32_t below(uint64_t *seed, uint32_t count)
{
    return (uint32_t)(scene_random(seed) % count);
}

// ------------------------------------------------------------------------------------------------- bodies

// Cloth, soft body, rope, points or fabric.
static void add_body(struct sim *sim, uint32_t choice, uint64_t seed)
{
    static const uint32_t pins[] = {0, 3, 7}, edges[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7};
    static const enum sim_bend bends[] = {SIM_BEND_DIHEDRAL, SIM_BEND_ISOMETRIC, SIM_BEND_QUADRATIC};
    const double origin[3] = {scene_uniform(&seed), 0.5 * scene_uniform(&seed), scene_uniform(&seed)};
    double line[24];
    for (uint32_t i = 0; i < 8; i++) {
        line[3 * i] = origin[0] + 0.1 * i;
        line[3 * i + 1] = origin[1];
        line[3 * i + 2] = origin[2];
    }
    if (choice == 0 || choice == 4) {
        struct scene_mesh mesh = scene_grid(9, 9, 0.1, origin);
        struct sim_body_desc desc = scene_cloth(&mesh);
        desc.bend_model = bends[below(&seed, 3)];
        if (choice == 4) {
            desc.stretch_model = SIM_STRETCH_ORTHOTROPIC;
            desc.yarns.direction[2] = 1;
            desc.stretch = fabrics[0];
        }
        desc.bend = (struct sim_material){.compliance = 10, .damping = 0.01, .stiffness = -1};
        if (desc.bend_model == SIM_BEND_DIHEDRAL) {
            desc.bend.plastic = (struct sim_plastic){.yield = 0.02, .rate = 30, .greatest = 2};
        }
        desc.pins = pins;
        desc.pin_count = 3;
        scene_add(sim, &desc);
        scene_mesh_deinit(&mesh);
    } else if (choice == 1) {
        struct scene_block block = scene_block((const uint32_t[]){2, 3, 2}, 0.1, origin);
        struct sim_body_desc desc = scene_soft(&block);
        desc.stretch.compliance = 1e-5;
        desc.volume.compliance = 1e-7;
        if (below(&seed, 2) == 0) {
            desc.solid_model = SIM_SOLID_NEO_HOOKEAN;
            desc.solid = (struct sim_material){.young = 1e4, .poisson = 0.3, .damping = 1};
            if (below(&seed, 2) == 0) {
                desc.solid.plastic = (struct sim_plastic){.yield = 0.005, .rate = 60, .greatest = 1};
            }
        }
        scene_add(sim, &desc);
        scene_block_deinit(&block);
    } else {
        struct sim_body_desc desc =
            choice == 2 ? scene_rope(line, 8, edges, 7, NULL) : scene_points(line, 8, NULL);
        desc.pins = pins;
        desc.pin_count = 2;
        scene_add(sim, &desc);
    }
}

static void add_links(struct sim *sim, uint64_t seed)
{
    enum sim_kind kind = (enum sim_kind)below(&seed, SIM_ROD_STRETCH); // no edit adds later ones
    uint32_t stencil = sim_stencil_size(kind), count = 1 + below(&seed, 4), id;
    double compliance[4], damping[4], stiffness[4];
    uint32_t bodies[4 * SIM_STENCIL_MAX], particles[4 * SIM_STENCIL_MAX],
        span = sim_body_count(sim) - 1; // none at the one that is apart
    for (uint32_t i = 0; i < count * stencil; i++) {
        struct sim_body_info info;
        bodies[i] = sim_body_id_at(sim, below(&seed, span > 0 ? span : 1));
        assert_true(sim_body_info(sim, bodies[i], &info));
        particles[i] = below(&seed, 2) * (info.particle_count / 2) + i % stencil;
        if (kind == SIM_SLIDE_RAIL && i % stencil == 2) { // both ends of a rail are of one body
            bodies[i] = bodies[i - 1];
            particles[i] = particles[i - 1] + 1;
        }
    }
    for (uint32_t c = 0; c < count; c++) {
        compliance[c] = 0.1 + scene_uniform(&seed);
        damping[c] = 0.1 * scene_uniform(&seed);
        stiffness[c] = 0.01 * scene_uniform(&seed);
    }
    bool stiff = below(&seed, 3) == 0;
    const struct sim_constraint_values values = {.compliance = stiff ? NULL : compliance,
                                                 .damping = stiff || below(&seed, 2) == 0 ? NULL : damping,
                                                 .stiffness = stiff ? stiffness : NULL};
    // Some are refused: a particle twice, or no area.
    sim_constraints_add(sim, kind, count, bodies, particles, &values, &id, &fault);
}

// ----------------------------------------------------------------------------------- colliders and motions

static struct sim_collider some_collider(uint64_t seed)
{
    struct sim_collider collider = {.kind = (enum sim_collider_kind)(1 + below(&seed, 3)),
                                    .position = {scene_uniform(&seed), -1, scene_uniform(&seed)},
                                    .rotation = {scene_uniform(&seed), 0.5, scene_uniform(&seed), 1},
                                    .radius = 0.1 + 0.2 * scene_uniform(&seed),
                                    .length = 0.5,
                                    .half_extents = {0.5, 0.1, 0.3},
                                    .friction = scene_uniform(&seed),
                                    .kinetic = below(&seed, 2) == 0};
    collider.friction_kinetic = collider.kinetic ? scene_uniform(&seed) : 0;
    collider.restitution = below(&seed, 2) == 0 ? scene_uniform(&seed) : 0;
    return collider;
}

static void add_motion(struct sim *sim, uint64_t seed)
{
    static const double times[] = {0, 0.1, 0.3}, offsets[] = {0, 0, 0, 0.1, 0.05, 0, 0, 0, 0.02};
    static const double rotations[] = {0, 0, 0, 1, 0, 0.3, 0, 1, 0.1, 0, 0, 1};
    static const uint32_t particles[] = {0, 2, 3};
    static const float poses[27] = {[4] = 0.02F, [12] = -0.01F, [26] = 0.05F};
    uint32_t colliders = sim_collider_count(sim), id;
    struct sim_motion motion = {.times = times,
                                .offsets = offsets,
                                .key_count = 3,
                                .cubic = below(&seed, 2) == 0,
                                .loop = below(&seed, 2) == 0,
                                .rotations = below(&seed, 3) > 0 ? rotations : NULL};
    if (colliders > 0 && below(&seed, 2) == 0) {
        struct sim_collider collider;
        sim_collider_at(sim, below(&seed, colliders), &collider);
        motion.collider = collider.id;
    } else {
        motion.body = sim_body_id_at(sim, below(&seed, sim_body_count(sim)));
        motion.particles = particles;
        motion.particle_count = 3;
        motion.poses = below(&seed, 2) == 0 ? poses : NULL;
    }
    assert_int_equal(sim_motion_add(sim, &motion, &id, &fault), FAULT_NONE);
}

// --------------------------------------------------------------------------------------------------- scene

struct sim *restore_scene(uint64_t seed)
{
    struct sim_settings settings = scene_settings();
    const double apart[3] = {50, 0, 0};
    uint32_t id;
    settings.substeps = 4;
    settings.iterations = 1 + seed % 2;
    settings.gravity[1] = -1;
    settings.damping = 0.5;
    if (seed % 3 == 0) {
        settings.wind = (struct sim_wind){.velocity = {1, 0, 0.5}, .drag = 1, .lift = 0.5, .density = 1.2};
    }
    struct sim *sim = scene_create(settings);
    for (uint32_t b = 0; b < 5; b++) {
        add_body(sim, b, scene_random(&seed));
    }
    struct scene_mesh mesh = scene_grid(6, 6, 0.1, apart);
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.bend_model = SIM_BEND_QUADRATIC;
    scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    for (uint32_t c = 0; c < 3; c++) {
        struct sim_collider collider = some_collider(scene_random(&seed));
        assert_int_equal(sim_collider_add(sim, &collider, &id, &fault), FAULT_NONE);
    }
    for (uint32_t i = 0; i < 12; i++) {
        add_links(sim, scene_random(&seed));
    }
    for (uint32_t m = 0; m < 4; m++) {
        add_motion(sim, scene_random(&seed));
    }
    return sim;
}

// ------------------------------------------------------------------------------------------------- choosing

static void choose_links(const struct sim *sim, struct restore_edit *edit, uint64_t *seed)
{
    for (uint32_t kind = 0; kind < SIM_KIND_COUNT; kind++) {
        struct sim_constraint c = {0};
        while (edit->id_count < RESTORE_IDS && sim_constraint_next(sim, (enum sim_kind)kind, c.id, &c)) {
            if (c.tile == 0 && c.tile_color == 0 && below(seed, 12) == 0) {
                edit->ids[edit->id_count++] = c.id;
            }
        }
    }
}

// Loose ones are found by trying: a batch of parts holds them.
static void choose_loose(const struct sim *sim, struct restore_edit *edit, bool loose)
{
    struct sim_image image;
    const struct sim_parts parts = {.constraints = edit->ids, .constraint_count = edit->id_count};
    assert_true(sim_image_take_parts(sim, &parts, &image));
    edit->id_count = 0;
    for (uint32_t b = 0; loose && b < image.batch_count; b++) {
        for (uint32_t c = 0; c < image.batches[b].count; c++) {
            edit->ids[edit->id_count++] = image.batches[b].ids[c];
        }
    }
    for (uint32_t o = 0; !loose && o < image.own_count; o++) {
        for (uint32_t c = 0; c < image.owns[o].count; c++) {
            edit->ids[edit->id_count++] = image.owns[o].ids[c];
        }
    }
    sim_image_deinit(&image);
}

struct restore_edit restore_choose(const struct sim *sim, enum restore_choice choice, uint64_t seed)
{
    struct restore_edit edit = {.choice = choice, .seed = scene_random(&seed)};
    struct sim_collider collider;
    struct sim_motion motion;
    struct sim_body_info info;
    uint32_t bodies = sim_body_count(sim);
    edit.body = sim_body_id_at(sim, below(&seed, bodies));
    assert_true(sim_body_info(sim, edit.body, &info));
    if (sim_collider_count(sim) > 0) {
        sim_collider_at(sim, below(&seed, sim_collider_count(sim)), &collider);
        edit.collider = collider.id;
    }
    if (sim_motion_count(sim) > 0) {
        sim_motion_at(sim, below(&seed, sim_motion_count(sim)), &motion);
        edit.motion = motion.id;
    }
    for (uint32_t p = below(&seed, 3); p < info.particle_count; p += 3) {
        edit.particles[edit.particle_count++] = p;
    }
    if (choice == RESTORE_REMOVE_SOME || choice == RESTORE_LINKS_SET || choice == RESTORE_OWN_SET) {
        choose_links(sim, &edit, &seed);
    }
    if (choice == RESTORE_LINKS_SET || choice == RESTORE_OWN_SET) {
        choose_loose(sim, &edit, choice == RESTORE_LINKS_SET);
    }
    for (uint32_t kind = 0; choice == RESTORE_REMOVE_MANY && kind < SIM_KIND_COUNT; kind++) {
        for (uint32_t c = 0; c < info.constraint_count[kind] && edit.id_count < RESTORE_IDS; c++) {
            struct sim_constraint known;
            if (sim_constraint_get(sim, info.constraint_first[kind] + c, &known) && below(&seed, 3) == 0) {
                edit.ids[edit.id_count++] = known.id;
            }
        }
    }
    struct sim_constraint ring = {0}; // a reset finds rings on their rails again
    while (choice == RESTORE_RESET && edit.id_count < RESTORE_IDS &&
           sim_constraint_next(sim, SIM_SLIDE_RAIL, ring.id, &ring)) {
        edit.ids[edit.id_count++] = ring.id;
    }
    return edit;
}

// --------------------------------------------------------------------------------------------------- taking

static void take_states(const struct sim *sim, uint32_t body, const uint32_t *particles, uint32_t count,
                        uint32_t fields, struct restore_undo *undo)
{
    assert_true(undo->state_count < 2 * RESTORE_BODIES);
    assert_int_equal(sim_restore_particles_take(sim, body, particles, count, fields,
                                                &undo->states[undo->state_count++], &fault),
                     FAULT_NONE);
}

static uint32_t fields_of(uint64_t seed)
{
    static const uint32_t fields[] = {SIM_RESTORE_POSITIONS,
                                      SIM_RESTORE_POSITIONS | SIM_RESTORE_VELOCITIES |
                                          SIM_RESTORE_INVERSE_MASSES | SIM_RESTORE_FORCES,
                                      SIM_RESTORE_PINS, SIM_RESTORE_PINS};
    return fields[seed % 4];
}

// The targets of soft pins, which are not where their particles are.
static void take_soft_pins(const struct sim *sim, const struct sim_body_info *info, struct restore_undo *undo)
{
    uint32_t pins[RESTORE_IDS], soft = 0;
    double compliances[RESTORE_IDS], distances[RESTORE_IDS];
    if (!sim_body_pins_softly(sim, info->body)) {
        return;
    }
    sim_body_pins(sim, info->body, pins);
    sim_body_pins_tell(sim, info->body,
                       &(struct sim_pins_told){.compliances = compliances, .distances = distances});
    for (uint32_t p = 0; p < info->pin_count; p++) {
        pins[soft] = pins[p];
        soft += compliances[p] != 0;
    }
    take_states(sim, info->body, pins, soft, SIM_RESTORE_PINS, undo);
}

static void take_all_states(const struct sim *sim, struct restore_undo *undo)
{
    for (uint32_t b = 0; b < sim_body_count(sim); b++) {
        struct sim_body_info info;
        uint32_t all[RESTORE_IDS];
        assert_true(sim_body_info(sim, sim_body_id_at(sim, b), &info) && info.particle_count <= RESTORE_IDS);
        for (uint32_t i = 0; i < info.particle_count; i++) {
            all[i] = i;
        }
        take_states(sim, info.body, all, info.particle_count, SIM_RESTORE_POSITIONS | SIM_RESTORE_VELOCITIES,
                    undo);
        take_soft_pins(sim, &info, undo);
    }
}

enum { HINGES_MAX = 256 * RESTORE_BODIES };

// The hinges and tetrahedra of plastic bodies, whose rest a reset overwrites.
static uint32_t plastic_constraints(const struct sim *sim, uint32_t ids[HINGES_MAX])
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < sim_body_count(sim); b++) {
        struct sim_body_info info;
        struct sim_constraint known;
        assert_true(sim_body_info(sim, sim_body_id_at(sim, b), &info));
        const enum sim_kind kind = info.solid_model == SIM_SOLID_NONE ? SIM_DIHEDRAL : SIM_NEO_HOOKEAN;
        const bool plastic = info.bend.plastic.rate > 0 || info.solid.plastic.rate > 0;
        for (uint32_t c = 0; plastic && c < info.constraint_count[kind]; c++) {
            if (sim_constraint_get(sim, info.constraint_first[kind] + c, &known)) {
                assert_true(count < HINGES_MAX);
                ids[count++] = known.id;
            }
        }
    }
    return count;
}

void restore_take(const struct sim *sim, const struct restore_edit *edit, struct restore_undo *undo)
{
    struct sim_parts parts = {0};
    uint32_t colliders[64], motions[64], hinges[HINGES_MAX];
    struct sim_collider collider;
    struct sim_motion motion;
    *undo = (struct restore_undo){.settings = *sim_settings_of(sim)};
    sim_next_ids(sim, &undo->next);
    assert_true(sim_body_info(sim, edit->body, &undo->info));
    if (edit->choice == RESTORE_BODY_REMOVE) {
        parts.bodies = &edit->body;
        parts.body_count = 1;
    } else if (edit->choice == RESTORE_BODY_SET) {
        parts.changed = &edit->body;
        parts.changed_count = 1;
    } else if (edit->choice == RESTORE_COLLIDER_SET || edit->choice == RESTORE_COLLIDER_REMOVE) {
        parts.colliders = &edit->collider;
        parts.collider_count = 1;
    } else if (edit->choice == RESTORE_RESET || edit->choice == RESTORE_MOTION_ADD ||
               edit->choice == RESTORE_MOTION_REMOVE) {
        for (uint32_t c = 0; c < sim_collider_count(sim); c++) {
            sim_collider_at(sim, c, &collider);
            colliders[c] = collider.id;
        }
        for (uint32_t m = 0; m < sim_motion_count(sim); m++) {
            sim_motion_at(sim, m, &motion);
            motions[m] = motion.id;
        }
        parts.colliders = colliders;
        parts.collider_count = sim_collider_count(sim);
        parts.motions = motions;
        parts.motion_count = sim_motion_count(sim);
    } else if (edit->choice == RESTORE_PARTICLES) {
        take_states(sim, edit->body, edit->particles, edit->particle_count, fields_of(edit->seed), undo);
    }
    if (edit->choice == RESTORE_RESET) {
        take_all_states(sim, undo);
    }
    parts.constraints = edit->ids;
    parts.constraint_count = edit->id_count;
    if (edit->choice == RESTORE_RESET) {
        uint32_t count = plastic_constraints(sim, hinges);
        for (uint32_t i = 0; i < edit->id_count; i++) { // rings
            assert_true(count < HINGES_MAX);
            hinges[count++] = edit->ids[i];
        }
        parts.constraints = hinges;
        parts.constraint_count = count;
        parts.rests = parts.shapes = true;
    }
    parts.going = edit->choice == RESTORE_REMOVE_SOME || edit->choice == RESTORE_REMOVE_MANY;
    assert_true(sim_image_take_parts(sim, &parts, &undo->image));
}

void restore_undo_deinit(struct restore_undo *undo)
{
    for (uint32_t s = 0; s < undo->state_count; s++) {
        sim_restore_particles_deinit(&undo->states[s]);
    }
    sim_image_deinit(&undo->image);
}

// ----------------------------------------------------------------------------------------------------- doing

static void set_values(struct sim *sim, const struct restore_edit *edit)
{
    uint64_t seed = edit->seed;
    for (uint32_t i = 0; i < edit->id_count; i++) {
        struct sim_constraint known;
        const double compliance = 0.1 * scene_uniform(&seed), damping = 0.01 * scene_uniform(&seed);
        const double stiffness = 0.2 * scene_uniform(&seed);
        bool stiff = below(&seed, 3) == 0, damped = below(&seed, 2) == 0;
        assert_true(sim_constraint_get(sim, edit->ids[i], &known));
        stiff = stiff && known.kind != SIM_NEO_HOOKEAN; // which has none
        const double rest = known.rest * 1.01;
        const struct sim_constraint_values values = {
            .rest = known.kind == SIM_DISTANCE || known.kind == SIM_VOLUME ? &rest : NULL,
            .compliance = stiff ? NULL : &compliance,
            .damping = stiff || !damped ? NULL : &damping,
            .stiffness = stiff ? &stiffness : NULL};
        assert_int_equal(sim_constraints_set(sim, &edit->ids[i], 1, &values, &fault), FAULT_NONE);
    }
}

static enum fault_code hold_softly(struct sim *sim, const struct restore_edit *edit, const double *x)
{
    double compliance[RESTORE_IDS], distance[RESTORE_IDS];
    for (uint32_t i = 0; i < edit->particle_count; i++) {
        compliance[i] = 0.01 * (1 + i % 3);
        distance[i] = 0.2;
    }
    const struct sim_hold softly = {.positions = edit->seed % 4 == 2 ? x : NULL,
                                    .ticks = edit->seed % 4 == 2 ? 5 : 0,
                                    .compliance = compliance,
                                    .distance = edit->seed % 32 < 16 ? distance : NULL};
    return sim_particles_hold(sim, edit->body, edit->particles, edit->particle_count, &softly, &fault);
}

static void edit_particles(struct sim *sim, const struct restore_edit *edit)
{
    uint64_t seed = edit->seed;
    double x[3 * RESTORE_IDS];
    float v[3 * RESTORE_IDS], w[RESTORE_IDS];
    for (uint32_t i = 0; i < edit->particle_count; i++) {
        scene_position(sim, edit->body, edit->particles[i], x + 3 * (size_t)i);
        w[i] = (float)(10 + scene_uniform(&seed));
        for (uint32_t axis = 0; axis < 3; axis++) {
            x[3 * i + axis] += 0.01 * scene_uniform(&seed);
            v[3 * i + axis] = (float)scene_uniform(&seed);
        }
    }
    uint32_t fields = fields_of(edit->seed), count = edit->particle_count;
    enum fault_code status =
        fields != SIM_RESTORE_PINS ? sim_particles_set(sim, edit->body, edit->particles, count, x,
                                                       fields & SIM_RESTORE_VELOCITIES ? v : NULL,
                                                       fields & SIM_RESTORE_INVERSE_MASSES ? w : NULL, &fault)
        : edit->seed % 16 < 4      ? hold_softly(sim, edit, x)
        : edit->seed % 8 < 4       ? sim_particles_pin(sim, edit->body, edit->particles, count,
                                                 edit->seed % 4 == 2 ? x : NULL, &fault)
                                   : sim_particles_unpin(sim, edit->body, edit->particles, count, &fault);
    assert_int_equal(status, FAULT_NONE);
    if (fields & SIM_RESTORE_FORCES) {
        status = sim_particles_force(sim, edit->body, edit->particles, count, x, (uint32_t)(edit->seed % 7),
                                     &fault);
        assert_int_equal(status, FAULT_NONE);
    }
}

static void set_body(struct sim *sim, const struct restore_edit *edit)
{
    uint64_t seed = edit->seed;
    const struct sim_material materials[3] = {{.compliance = 1e-4, .damping = 0.01, .stiffness = -1},
                                              {.stiffness = 0.1},
                                              {.compliance = 1e-3, .stiffness = -1}};
    const double thickness = 0.01;
    const struct sim_meeting meeting = {.group = (uint32_t)(seed % 4),
                                        .mask = 2,
                                        .friction = 0.5,
                                        .friction_kinetic = seed % 3 == 0 ? 0.25 : 0,
                                        .kinetic = seed % 3 == 0,
                                        .restitution = seed % 5 == 0 ? 0.75 : 0};
    struct sim_body_change change = {.stretch = &materials[below(&seed, 3)],
                                     .bend = below(&seed, 2) == 0 ? &materials[0] : NULL,
                                     .volume = below(&seed, 2) == 0 ? &materials[1] : NULL,
                                     .thickness = &thickness,
                                     .meeting = seed % 8 < 4 ? &meeting : NULL};
    const struct sim_own_gravity gravity = {.own = seed % 3 == 0, .value = {0.1, -2, 0}};
    const struct sim_body_force force = {.value = {0.01 * (double)(seed % 3), 0, 0}, .ticks = seed % 4};
    change.gravity = seed % 5 < 2 ? &gravity : NULL;
    change.force = seed % 5 < 3 ? &force : NULL;
    struct sim_body_info info;
    assert_true(sim_body_info(sim, edit->body, &info));
    if (info.stretch_model == SIM_STRETCH_ORTHOTROPIC) {
        change.stretch = &fabrics[below(&seed, 2)];
    }
    if (info.solid_model != SIM_SOLID_NONE) {
        change.solid = &solids[below(&seed, 2)];
        change.stretch = change.volume = NULL;
    }
    assert_int_equal(sim_body_set(sim, edit->body, &change, &fault), FAULT_NONE);
}

static void set_settings(struct sim *sim, uint64_t seed)
{
    struct sim_settings settings = *sim_settings_of(sim);
    settings.substeps = 2 + below(&seed, 4);
    settings.iterations = 1 + below(&seed, 3);
    settings.extent = 1e5 + scene_uniform(&seed);
    settings.wind.density = below(&seed, 2) == 0 ? 0 : 1;
    settings.wind.gusts = below(&seed, 3) == 0 ? 0.1 : 0;
    settings.wind.gust_length = settings.wind.gusts > 0 ? 1 : 0;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
}

void restore_do(struct sim *sim, const struct restore_edit *edit)
{
    struct sim_collider collider = some_collider(edit->seed);
    uint32_t id, *removed = NULL, count;
    switch (edit->choice) {
    case RESTORE_BODY_ADD:
        add_body(sim, (uint32_t)(edit->seed % 5), edit->seed);
        break;
    case RESTORE_BODY_REMOVE:
        assert_int_equal(sim_body_remove(sim, edit->body, &removed, &count, &fault), FAULT_NONE);
        free(removed);
        break;
    case RESTORE_BODY_SET:
        set_body(sim, edit);
        break;
    case RESTORE_LINKS_ADD:
        add_links(sim, edit->seed);
        break;
    case RESTORE_LINKS_SET:
    case RESTORE_OWN_SET:
        set_values(sim, edit);
        break;
    case RESTORE_REMOVE_SOME:
    case RESTORE_REMOVE_MANY:
        assert_int_equal(sim_constraints_remove(sim, edit->ids, edit->id_count, &fault), FAULT_NONE);
        break;
    case RESTORE_PARTICLES:
        edit_particles(sim, edit);
        break;
    case RESTORE_COLLIDER_ADD:
        assert_int_equal(sim_collider_add(sim, &collider, &id, &fault), FAULT_NONE);
        break;
    case RESTORE_COLLIDER_SET:
        collider.id = edit->collider;
        if (edit->collider != 0) {
            assert_int_equal(sim_collider_set(sim, &collider, &fault), FAULT_NONE);
        }
        break;
    case RESTORE_COLLIDER_REMOVE:
        if (edit->collider != 0) {
            assert_int_equal(sim_collider_remove(sim, edit->collider, &fault), FAULT_NONE);
        }
        break;
    case RESTORE_MOTION_ADD:
        add_motion(sim, edit->seed);
        break;
    case RESTORE_MOTION_REMOVE:
        if (edit->motion != 0) {
            assert_int_equal(sim_motion_remove(sim, edit->motion, &fault), FAULT_NONE);
        }
        break;
    case RESTORE_RESET:
        sim_reset(sim);
        break;
    case RESTORE_SETTINGS:
        set_settings(sim, edit->seed);
        break;
    case RESTORE_CHOICES:
        break;
    }
}

// ------------------------------------------------------------------------------------------------------ back

// The result of an edit that adds: ids from the next ones on.
static enum fault_code take_out(struct sim *sim, const struct restore_edit *edit,
                                const struct restore_undo *undo, struct fault *out)
{
    struct sim_next_ids now;
    enum fault_code status = FAULT_NONE;
    uint32_t *removed = NULL, count;
    sim_next_ids(sim, &now);
    if (edit->choice == RESTORE_BODY_ADD) {
        status = sim_body_remove(sim, undo->next.body, &removed, &count, out);
        free(removed);
    }
    for (uint32_t id = undo->next.constraint;
         edit->choice == RESTORE_LINKS_ADD && status == FAULT_NONE && id < now.constraint; id++) {
        status = sim_constraints_remove(sim, &id, 1, out);
    }
    if (edit->choice == RESTORE_COLLIDER_ADD) {
        status = sim_collider_remove(sim, undo->next.collider, out);
    }
    if (edit->choice == RESTORE_MOTION_ADD && now.motion > undo->next.motion) {
        status = sim_motion_remove(sim, undo->next.motion, out);
    }
    return status;
}

static enum fault_code body_back(struct sim *sim, const struct sim_image_body *body, struct fault *out)
{
    struct sim_image_place place;
    const struct sim_settings *settings = sim_settings_of(sim);
    struct sim_body_plan *plan =
        sim_body_prepare_again(body, settings->resolution, &scene_limits, &place, out);
    if (plan == NULL) {
        return out->code;
    }
    enum fault_code status = sim_body_restore(sim, plan, out);
    if (status != FAULT_NONE) {
        sim_body_plan_destroy(plan);
    }
    return status;
}

static enum fault_code materials_back(struct sim *sim, const struct restore_edit *edit,
                                      const struct restore_undo *undo, struct fault *out)
{
    const struct sim_body_change change = {
        .stretch = &undo->info.stretch,
        .bend = &undo->info.bend,
        .volume = &undo->info.volume,
        .solid = undo->info.solid_model != SIM_SOLID_NONE ? &undo->info.solid : NULL,
        .thickness = &undo->info.thickness,
        .meeting = &undo->info.meeting,
        .gravity = &undo->info.gravity,
        .force = &undo->info.force};
    return edit->choice == RESTORE_BODY_SET ? sim_body_set(sim, edit->body, &change, out) : FAULT_NONE;
}

enum fault_code restore_back(struct sim *sim, const struct restore_edit *edit,
                             const struct restore_undo *undo, struct fault *out)
{
    const struct sim_image *image = &undo->image;
    enum fault_code status = take_out(sim, edit, undo, out);
    status = status != FAULT_NONE ? status : materials_back(sim, edit, undo, out);
    if (status == FAULT_NONE && (edit->choice == RESTORE_SETTINGS || edit->choice == RESTORE_RESET)) {
        status = sim_settings_set(sim, &undo->settings, out);
    }
    for (uint32_t b = 0; status == FAULT_NONE && b < image->body_count; b++) {
        status = body_back(sim, &image->bodies[b], out);
    }
    for (uint32_t b = 0; status == FAULT_NONE && b < image->batch_count; b++) {
        struct sim_image_constraints batch = image->batches[b];
        batch.sides_return = edit->choice == RESTORE_RESET;
        status = sim_loose_restore(sim, &batch, out);
    }
    for (uint32_t o = 0; status == FAULT_NONE && o < image->own_count; o++) {
        status = sim_own_restore(sim, &image->owns[o], out);
    }
    for (uint32_t s = 0; status == FAULT_NONE && s < undo->state_count; s++) {
        status = sim_restore_particles_apply(sim, &undo->states[s], out);
    }
    for (uint32_t m = 0; status == FAULT_NONE && m < image->motion_count; m++) {
        // A motion of a collider needs it there.
        for (uint32_t c = 0; status == FAULT_NONE && c < image->collider_count; c++) {
            if (image->colliders[c].collider.id == image->motions[m].collider) {
                status = sim_collider_restore(sim, &image->colliders[c], out);
            }
        }
        status = status != FAULT_NONE ? status : sim_motion_restore(sim, &image->motions[m], out);
    }
    for (uint32_t c = 0; status == FAULT_NONE && c < image->collider_count; c++) {
        status = sim_collider_restore(sim, &image->colliders[c], out);
    }
    struct sim_next_ids now;
    sim_next_ids(sim, &now);
    now.body = edit->choice == RESTORE_BODY_ADD ? undo->next.body : now.body;
    if (edit->choice == RESTORE_BODY_ADD || edit->choice == RESTORE_LINKS_ADD) {
        now.constraint = undo->next.constraint;
    }
    now.collider = edit->choice == RESTORE_COLLIDER_ADD ? undo->next.collider : now.collider;
    now.motion = edit->choice == RESTORE_MOTION_ADD ? undo->next.motion : now.motion;
    return status != FAULT_NONE ? status : sim_next_ids_set(sim, &now, out);
}
