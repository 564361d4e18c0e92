// The edits themselves. Every draw is a statement of its own: the order in which C evaluates operands is open.

#include "random_edits.h"

#include "base/hash.h"

#include <stdlib.h>

enum { SIDE = 66, BATCH_MAX = 8 }; // SIDE^2 particles alone are worth threads (step.c)

const struct sim_limits random_edits_limits = {
    .bodies = 9, .particles = 9000, .constraints = 60000, .colliders = 6, .grabs = 6};

const char *const random_edit_names[EDIT_KINDS] = {
    [ADD_CONSTRAINTS] = "constraints added",
    [SET_CONSTRAINTS] = "constraints set",
    [REMOVE_CONSTRAINTS] = "constraints removed",
    [SET_BODY] = "bodies set",
    [SET_PARTICLES] = "particles set",
    [PIN] = "pinned",
    [UNPIN] = "unpinned",
    [GRAB_BEGIN] = "grabs begun",
    [GRAB_MOVE] = "grabs moved",
    [GRAB_END] = "grabs ended",
    [ADD_COLLIDER] = "colliders added",
    [SET_COLLIDER] = "colliders set",
    [REMOVE_COLLIDER] = "colliders removed",
    [SETTINGS] = "settings set",
    [ADD_BODY] = "bodies added",
    [REMOVE_BODY] = "bodies removed",
};
static const uint32_t weights[EDIT_KINDS] = {
    [ADD_CONSTRAINTS] = 26,
    [SET_CONSTRAINTS] = 20,
    [REMOVE_CONSTRAINTS] = 16,
    [SET_BODY] = 3,
    [SET_PARTICLES] = 8,
    [PIN] = 8,
    [UNPIN] = 7,
    [GRAB_BEGIN] = 4,
    [GRAB_MOVE] = 8,
    [GRAB_END] = 2,
    [ADD_COLLIDER] = 2,
    [SET_COLLIDER] = 5,
    [REMOVE_COLLIDER] = 1,
    [SETTINGS] = 3,
    [ADD_BODY] = 1,
    [REMOVE_BODY] = 1,
};

// ------------------------------------------------------------------------------------------------- drawing

// xorshift64*
static uint64_t draw(struct random_edits *run)
{
    run->seed ^= run->seed >> 12;
    run->seed ^= run->seed << 25;
    run->seed ^= run->seed >> 27;
    return run->seed * UINT64_C(2685821657736338717);
}

static uint32_t below(struct random_edits *run, uint32_t count) // 0 where there is nothing to choose from
{
    return count == 0 ? 0 : (uint32_t)((draw(run) >> 32) * count >> 32);
}

static double between(struct random_edits *run, double least, double most)
{
    return least + (most - least) * ((double)(draw(run) >> 11) / 9007199254740992.0);
}

// A power of two times a number in [1, 2), or 0 now and then.
static double any_size(struct random_edits *run, int least_exponent, int most_exponent)
{
    uint32_t exponent = below(run, (uint32_t)(most_exponent - least_exponent + 1));
    double size = between(run, 1, 2);
    for (int e = least_exponent + (int)exponent; e != 0; e += e < 0 ? 1 : -1) {
        size = e < 0 ? size / 2 : size * 2;
    }
    return below(run, 8) == 0 ? 0 : size;
}

static void place(struct random_edits *run, double x[3])
{
    x[0] = between(run, -2, 2);
    x[1] = between(run, -1, 2);
    x[2] = between(run, -2, 2);
}

// A living body, now and then one that is not there (of one particle, then).
static uint32_t any_body(struct random_edits *run, uint32_t *particle_count)
{
    struct sim_body_info info;
    uint32_t body = sim_body_id_at(run->sim, below(run, sim_body_count(run->sim)));
    body += below(run, 50) == 0;
    *particle_count = sim_body_info(run->sim, body, &info) ? info.particle_count : 1;
    return body;
}

static uint32_t any_constraint(struct random_edits *run, enum sim_kind kind)
{
    struct sim_constraint found;
    uint32_t after = below(run, run->last_constraint);
    if (below(run, 40) == 0 || !sim_constraint_next(run->sim, kind, after, &found)) {
        return after + 1;
    }
    return found.id;
}

// ------------------------------------------------------------------------------------------------- editing

struct values {
    double rest[BATCH_MAX], compliance[BATCH_MAX], damping[BATCH_MAX], stiffness[BATCH_MAX];
    struct sim_constraint_values given;
};

// The parameters of constraints; a rest value is near `rest`, so that most worlds hold together.
static const struct sim_constraint_values *any_values(struct random_edits *run, enum sim_kind kind,
                                                      double rest, struct values *values)
{
    for (uint32_t i = 0; i < BATCH_MAX; i++) {
        values->rest[i] = rest * between(run, 0.9, 1.1);
        values->compliance[i] = (kind == SIM_DIHEDRAL ? 0.01 : 0) + any_size(run, -20, 6);
        values->damping[i] = any_size(run, -6, 6);
        values->stiffness[i] = between(run, 0, 1);
    }
    uint32_t which = below(run, 32);
    values->given = (struct sim_constraint_values){
        .rest = which / 8 == 3 && rest != 0 ? values->rest : NULL,
        .compliance = which % 8 < 4 ? values->compliance : NULL,
        .damping = which % 8 == 2 || which % 8 == 3 || which % 8 == 4 ? values->damping : NULL,
        .stiffness = which % 8 == 5 || which % 8 == 6 ? values->stiffness : NULL,
    };
    return &values->given;
}

// Most stencils are close together; some reach to another body.
static enum fault_code add_constraints(struct random_edits *run)
{
    uint32_t bodies[BATCH_MAX * SIM_STENCIL_MAX], particles[BATCH_MAX * SIM_STENCIL_MAX], first;
    enum sim_kind kind = (enum sim_kind)below(run, run->kind_count);
    uint32_t count = 1 + below(run, BATCH_MAX), stencil = sim_stencil_size(kind);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t particle_count, body = any_body(run, &particle_count), at = below(run, particle_count);
        for (uint32_t k = 0; k < stencil; k++) {
            if (below(run, 25) == 0) {
                body = any_body(run, &particle_count);
                at = below(run, particle_count);
            }
            bodies[i * stencil + k] = body;
            particles[i * stencil + k] = at;
            at += 1 + below(run, 2);
            at = (at + (SIDE - 1) * below(run, 2)) % particle_count;
        }
    }
    struct values values;
    enum fault_code status =
        sim_constraints_add(run->sim, kind, count, bodies, particles,
                            any_values(run, kind, sim_part_of(kind) == SIM_PART_STRETCH ? 0.04 : 0, &values),
                            &first, &scene_fault);
    if (status == FAULT_NONE) {
        run->last_constraint = first + count - 1;
    }
    return status;
}

static enum fault_code change_constraints(struct random_edits *run, bool remove)
{
    uint32_t ids[BATCH_MAX], count = 1 + below(run, BATCH_MAX / 2);
    enum sim_kind kind = (enum sim_kind)below(run, run->kind_count);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = any_constraint(run, kind);
    }
    if (remove) {
        return sim_constraints_remove(run->sim, ids, count, &scene_fault);
    }
    struct values values;
    struct sim_constraint known = {.rest = 0.1};
    sim_constraint_get(run->sim, ids[0], &known);
    return sim_constraints_set(run->sim, ids, count, any_values(run, kind, known.rest, &values),
                               &scene_fault);
}

// A cloth whose bending is rigid and whose edges are not tears itself apart: bending is soft, the rest stiff.
static struct sim_material any_material(struct random_edits *run, bool bend)
{
    struct sim_material material = {.stiffness = -1};
    material.compliance = bend ? 0.1 + any_size(run, -3, 6) : any_size(run, -34, -10);
    uint32_t which = below(run, 4);
    if (which == 0) {
        material.damping = any_size(run, -4, bend ? 0 : 10);
    } else if (which == 1) {
        material.compliance = 0;
        material.stiffness = between(run, 0, bend ? 0.3 : 1);
    }
    return material;
}

static enum fault_code set_body(struct random_edits *run)
{
    uint32_t count, body = any_body(run, &count), which = below(run, 8);
    const struct sim_material material = any_material(run, false), bend = any_material(run, true);
    const double thickness = between(run, 0, 0.02);
    return sim_body_set(run->sim, body,
                        &(struct sim_body_change){
                            .stretch = which < 3 ? &material : NULL,
                            .bend = which == 3 || which == 4 || which == 6 ? &bend : NULL,
                            .volume = which == 5 || which == 6 ? &material : NULL,
                            .thickness = which == 7 ? &thickness : NULL,
                        },
                        &scene_fault);
}

static enum fault_code set_particles(struct random_edits *run)
{
    uint32_t count, body = any_body(run, &count), at[4], n = 1 + below(run, 4);
    uint32_t which = 1 + below(run, 7), start = below(run, count);
    double x[12] = {0};
    float v[12], w[4];
    for (uint32_t i = 0; i < n; i++) {
        at[i] = (start + 7 * i) % count;
        if (count > 30 && sim_body_info(run->sim, body, &(struct sim_body_info){0})) {
            sim_body_positions64(run->sim, body, at[i], 1, x + (size_t)3 * i);
        }
        w[i] = (float)any_size(run, 12, 14);
        for (uint32_t k = 3 * i; k < 3 * i + 3; k++) {
            x[k] += between(run, -0.01, 0.01);
            v[k] = (float)between(run, -2, 2);
        }
    }
    return sim_particles_set(run->sim, body, at, n, which & 1 ? x : NULL, which & 2 ? v : NULL,
                             which & 4 ? w : NULL, &scene_fault);
}

// Pinned ones among them move on.
static enum fault_code pin(struct random_edits *run)
{
    uint32_t count, body = any_body(run, &count), which = below(run, 2), at = below(run, count);
    struct sim_body_info info;
    if (!sim_body_info(run->sim, body, &info)) {
        return sim_particles_pin(run->sim, body, &at, 1, NULL, &scene_fault);
    }
    if (info.pin_count > 0 && below(run, 2) == 0) {
        uint32_t *pins = scene_array(info.pin_count, sizeof *pins);
        sim_body_pins(run->sim, body, pins);
        at = pins[below(run, info.pin_count)];
        free(pins);
    }
    double x[3];
    sim_body_positions64(run->sim, body, at, 1, x);
    for (int axis = 0; axis < 3; axis++) {
        x[axis] += between(run, -0.02, 0.02);
    }
    return sim_particles_pin(run->sim, body, &at, 1, which == 0 ? x : NULL, &scene_fault);
}

static enum fault_code unpin(struct random_edits *run)
{
    uint32_t count, body = any_body(run, &count), at = below(run, count);
    struct sim_body_info info;
    if (sim_body_info(run->sim, body, &info) && info.pin_count > 0) {
        uint32_t *pins = scene_array(info.pin_count, sizeof *pins);
        sim_body_pins(run->sim, body, pins);
        at = pins[below(run, info.pin_count)];
        free(pins);
    }
    return sim_particles_unpin(run->sim, body, &at, 1, &scene_fault);
}

static enum fault_code grab(struct random_edits *run, enum edit_kind kind)
{
    uint32_t count, body = any_body(run, &count), particle = below(run, count), id = 1;
    uint32_t chosen = below(run, sim_grab_count(run->sim));
    double target[3], compliance = any_size(run, -10, 2);
    place(run, target);
    if (kind == GRAB_BEGIN) {
        return sim_grab_begin(run->sim, body, particle, below(run, 2) == 0 ? NULL : target, compliance, &id,
                              &scene_fault);
    }
    if (sim_grab_count(run->sim) > 0) {
        struct sim_grab held;
        sim_grab_at(run->sim, chosen, &held);
        id = held.id;
    }
    return kind == GRAB_MOVE ? sim_grab_move(run->sim, id, target, &scene_fault)
                             : sim_grab_end(run->sim, id, &scene_fault);
}

static enum fault_code change_collider(struct random_edits *run, enum edit_kind kind)
{
    uint32_t count = sim_collider_count(run->sim), chosen = below(run, count), id;
    struct sim_collider made = {.kind = (enum sim_collider_kind)below(run, 4)};
    if (kind != ADD_COLLIDER && count > 0) {
        sim_collider_at(run->sim, chosen, &made);
    }
    if (kind == REMOVE_COLLIDER) { // never the floor: there would be nothing to fall on
        return sim_collider_remove(run->sim, made.id == run->floor ? 0 : made.id, &scene_fault);
    }
    if (made.id != run->floor || run->floor == 0) {
        place(run, made.position);
        made.position[1] -= made.kind == SIM_PLANE ? 4 : 1;
    }
    for (int k = 0; k < 4; k++) {
        made.rotation[k] = made.kind == SIM_PLANE ? 0 : between(run, -1, 1);
    }
    for (int axis = 0; axis < 3; axis++) {
        made.normal[axis] = (axis == 1 ? 1 : 0) + between(run, -0.1, 0.1);
        made.half_extents[axis] = between(run, 0.05, 0.4);
    }
    made.radius = between(run, -0.01, 0.4);
    made.length = between(run, 0, 0.5);
    made.friction = between(run, 0, 1);
    return kind == ADD_COLLIDER ? sim_collider_add(run->sim, &made, &id, &scene_fault)
                                : sim_collider_set(run->sim, &made, &scene_fault);
}

static enum fault_code settings(struct random_edits *run)
{
    struct sim_settings now = *sim_settings_of(run->sim);
    now.iterations = 1 + below(run, 3);
    now.substeps = 1 + below(run, 6);
    now.damping = below(run, 2) == 0 ? 0 : between(run, 0, 2);
    now.gravity[0] = between(run, -1, 1);
    now.gravity[1] = between(run, -10, -5);
    for (int axis = 0; axis < 3; axis++) {
        now.wind.velocity[axis] = between(run, -4, 4);
    }
    now.wind.drag = between(run, 0, 2);
    now.wind.lift = between(run, 0, 1);
    now.wind.density = below(run, 4) == 0 ? 0 : between(run, -0.05, 1.5);
    return sim_settings_set(run->sim, &now, &scene_fault);
}

static enum fault_code add_body(struct random_edits *run, uint32_t which, struct sim_body_added *added)
{
    static const enum sim_body_kind kinds[MESH_COUNT] = {SIM_CLOTH,  SIM_CLOTH, SIM_ROPE,
                                                         SIM_POINTS, SIM_SOFT,  SIM_CLOTH};
    static const enum sim_bend models[4] = {SIM_BEND_DEFAULT, SIM_BEND_DIHEDRAL, SIM_BEND_ISOMETRIC,
                                            SIM_BEND_QUADRATIC};
    struct sim_body_desc desc = scene_desc(kinds[which], &run->meshes[which]);
    uint32_t model = below(run, 4), pins[2] = {0, below(run, desc.particle_count)};
    const double weld = 0.001;
    desc.stretch = any_material(run, false);
    desc.bend = any_material(run, true);
    desc.volume = any_material(run, false);
    desc.thickness = between(run, 0, 0.01);
    desc.weld = which == FLAG ? &weld : NULL;
    desc.bend_model = kinds[which] == SIM_CLOTH ? models[model] : SIM_BEND_NONE;
    desc.pins = pins;
    desc.pin_count = which == SHEET || which == FLAG ? 1 : below(run, 3); // 2: perhaps the same one twice
    struct sim_body_plan *plan =
        sim_body_prepare(&desc, sim_settings_of(run->sim)->resolution, sim_settings_of(run->sim)->extent,
                         &random_edits_limits, &scene_fault);
    if (plan == NULL) {
        return scene_fault.code;
    }
    enum fault_code status = sim_body_attach(run->sim, plan, added, &scene_fault);
    if (status != FAULT_NONE) {
        sim_body_plan_destroy(plan);
        return status;
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        if (added->constraint_count[kind] > 0) {
            uint32_t last = added->constraint_first[kind] + added->constraint_count[kind] - 1;
            run->last_constraint = last > run->last_constraint ? last : run->last_constraint;
        }
    }
    if (which == SHEET) {
        run->sheet = added->body;
    }
    return FAULT_NONE;
}

// Never the large sheet.
static enum fault_code remove_body(struct random_edits *run)
{
    uint32_t count, *gone = NULL, gone_count = 0, body = any_body(run, &count);
    enum fault_code status =
        sim_body_remove(run->sim, body == run->sheet ? 0 : body, &gone, &gone_count, &scene_fault);
    free(gone);
    return status;
}

static enum edit_kind any_edit(struct random_edits *run)
{
    uint32_t sum = 0;
    for (int kind = 0; kind < EDIT_KINDS; kind++) {
        sum += weights[kind];
    }
    uint32_t drawn = below(run, sum), kind = 0;
    while (drawn >= weights[kind]) {
        drawn -= weights[kind++];
    }
    return (enum edit_kind)kind;
}

void random_edits_next(struct random_edits *run)
{
    struct sim_body_added added;
    enum fault_code status = FAULT_NONE;
    enum edit_kind kind = any_edit(run);
    switch (kind) {
    case ADD_CONSTRAINTS:
        status = add_constraints(run);
        break;
    case SET_CONSTRAINTS:
    case REMOVE_CONSTRAINTS:
        status = change_constraints(run, kind == REMOVE_CONSTRAINTS);
        break;
    case SET_BODY:
        status = set_body(run);
        break;
    case SET_PARTICLES:
        status = set_particles(run);
        break;
    case PIN:
        status = pin(run);
        break;
    case UNPIN:
        status = unpin(run);
        break;
    case GRAB_BEGIN:
    case GRAB_MOVE:
    case GRAB_END:
        status = grab(run, kind);
        break;
    case ADD_COLLIDER:
    case SET_COLLIDER:
    case REMOVE_COLLIDER:
        status = change_collider(run, kind);
        break;
    case SETTINGS:
        status = settings(run);
        break;
    case ADD_BODY:
        status = add_body(run, HANDKERCHIEF + below(run, MESH_COUNT - HANDKERCHIEF), &added);
        break;
    default:
        status = remove_body(run);
        break;
    }
    (status == FAULT_NONE ? run->done : run->refused)[kind]++;
    base_hash_u32(run->digest, (uint32_t)status);
}

void random_edits_begin(struct random_edits *run)
{
    struct scene_mesh meshes[MESH_COUNT] = {
        [SHEET] = scene_sheet(SIDE, 0.02), [HANDKERCHIEF] = scene_sheet(20, 0.04),
        [ROPE] = scene_rope(150),          [POINTS] = scene_points(200),
        [BLOCK] = scene_block(5),          [FLAG] = scene_flag(10)};
    scene_mesh_shift(&meshes[HANDKERCHIEF], 0.3, 0.6, 0.2);
    for (uint32_t which = 0; which < MESH_COUNT; which++) {
        struct sim_body_added added;
        run->meshes[which] = meshes[which];
        MUST(add_body(run, which, &added));
    }
    const struct sim_collider ground = {
        .kind = SIM_PLANE, .position = {0, -1.5, 0}, .normal = {0, 1, 0}, .friction = 0.5};
    MUST(sim_collider_add(run->sim, &ground, &run->floor, &scene_fault));
}

void random_edits_end(struct random_edits *run)
{
    for (uint32_t which = 0; which < MESH_COUNT; which++) {
        scene_mesh_deinit(&run->meshes[which]);
    }
}
