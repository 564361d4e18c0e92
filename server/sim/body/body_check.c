// Checks a body before anything is made of it.

#include "sim/body/balloon.h"
#include "sim/body/body.h"
#include "sim/body/match.h"
#include "sim/body/mesh.h"
#include "sim/body/plan.h"
#include "sim/body/pull.h"
#include "sim/body/rigid.h"
#include "sim/body/rod.h"
#include "sim/body/torn.h"
#include "sim/ground/ground.h"

enum fault_code sim_material_check(const char *const fields[3], const struct sim_material *material,
                                   struct fault *fault)
{
    if (!(material->compliance >= 0 && material->compliance <= SIM_COMPLIANCE_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, fields[0], "%g; must be in [0, %g]", material->compliance,
                              SIM_COMPLIANCE_MAX);
    }
    if (!(material->damping >= 0 && material->damping <= SIM_DAMPING_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, fields[1], "%g; must be in [0, %g]", material->damping,
                              SIM_DAMPING_MAX);
    }
    if (!(material->stiffness <= 1)) {
        return fault_code_set(fault, FAULT_INVALID, fields[2], "%g; must be in [0, 1]", material->stiffness);
    }
    if (!(material->limit >= 0 && material->limit <= SIM_LIMIT_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "stretch.limit", "%g; must be in [0, %g]",
                              material->limit, SIM_LIMIT_MAX);
    }
    if (!(material->rigidity >= 0) || !sim_finite(material->rigidity)) {
        return fault_code_set(fault, FAULT_INVALID, "bend.rigidity", "%g N m; must be at least 0, and finite",
                              material->rigidity);
    }
    if (material->rigidity > 0 && material->stiffness >= 0) {
        return fault_code_set(fault, FAULT_INVALID, "bend.rigidity",
                              "%g N m; must be absent where bend.stiffness is given", material->rigidity);
    }
    return FAULT_NONE;
}

static enum fault_code plastic_check(const char *field, double value, const char *unit, double most,
                                     struct fault *fault)
{
    return value >= 0 && value <= most
               ? FAULT_NONE
               : fault_code_set(fault, FAULT_INVALID, field, "%g %s; must be in [0, %g]", value, unit, most);
}

enum fault_code sim_plastic_check(enum sim_bend model, const struct sim_plastic *plastic, struct fault *fault)
{
    enum fault_code status =
        plastic_check("bend.plastic.rate", plastic->rate, "1/s", SIM_FLOW_RATE_MAX, fault);
    if (status == FAULT_NONE) {
        status = plastic_check("bend.plastic.yield_angle", plastic->yield, "rad", SIM_YIELD_MAX, fault);
    }
    if (status == FAULT_NONE) {
        status = plastic_check("bend.plastic.greatest", plastic->greatest, "rad", SIM_CREASE_MAX, fault);
    }
    if (status == FAULT_NONE && plastic->rate > 0 && model != SIM_BEND_DIHEDRAL &&
        model != SIM_BEND_DEFAULT) {
        status = fault_code_set(fault, FAULT_INVALID, "bend.plastic",
                                "must be absent where bend.model is not dihedral; bending of other models "
                                "has no rest angles that could flow");
    }
    return status;
}

enum fault_code sim_solid_check(const struct sim_material *solid, struct fault *fault)
{
    if (!(solid->young >= SIM_YOUNG_MIN && solid->young <= SIM_YOUNG_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "solid.young", "%g Pa; must be in [%g, %g]", solid->young,
                              SIM_YOUNG_MIN, SIM_YOUNG_MAX);
    }
    if (!(solid->poisson >= 0 && solid->poisson <= SIM_POISSON_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "solid.poisson", "%g; must be in [0, %g]", solid->poisson,
                              SIM_POISSON_MAX);
    }
    if (!(solid->damping >= 0 && solid->damping <= SIM_DAMPING_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "solid.damping", "%g Pa s; must be in [0, %g]",
                              solid->damping, SIM_DAMPING_MAX);
    }
    const struct sim_plastic *plastic = &solid->plastic;
    enum fault_code status =
        plastic_check("solid.plastic.rate", plastic->rate, "1/s", SIM_FLOW_RATE_MAX, fault);
    if (status == FAULT_NONE) {
        status =
            plastic_check("solid.plastic.yield_strain", plastic->yield, "(no unit)", SIM_STRAIN_MAX, fault);
    }
    return status != FAULT_NONE ? status
                                : plastic_check("solid.plastic.greatest", plastic->greatest, "(no unit)",
                                                SIM_STRAIN_MAX, fault);
}

bool sim_meets(const struct sim_meeting *meeting)
{
    return meeting->self || (meeting->group != 0 && meeting->mask != 0);
}

enum fault_code sim_meeting_check(double thickness, const struct sim_meeting *meeting, double resolution,
                                  struct fault *fault)
{
    const double least = SIM_THICKNESS_QUANTA_MIN * resolution;
    if (!(thickness >= 0 && thickness <= sim_scale(resolution))) {
        return fault_code_set(fault, FAULT_INVALID, "thickness", "%g m; must be in [0, %g]; " SIM_COARSER,
                              thickness, sim_scale(resolution));
    }
    if (!(meeting->friction >= 0 && meeting->friction <= SIM_FRICTION_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "friction", "%g; must be in [0, %g]", meeting->friction,
                              SIM_FRICTION_MAX);
    }
    if (meeting->kinetic &&
        !(meeting->friction_kinetic >= 0 && meeting->friction_kinetic <= SIM_FRICTION_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "friction_kinetic", "%g; must be in [0, %g]",
                              meeting->friction_kinetic, SIM_FRICTION_MAX);
    }
    if (!(meeting->restitution >= 0 && meeting->restitution <= 1)) {
        return fault_code_set(fault, FAULT_INVALID, "restitution", "%g; must be in [0, 1]",
                              meeting->restitution);
    }
    if (sim_meets(meeting) && !(thickness >= least)) {
        return fault_code_set(fault, FAULT_INVALID, "thickness",
                              "%g m; a body that meets itself or others must be at least %g m thick",
                              thickness, least);
    }
    return FAULT_NONE;
}

const char *const sim_part_fields[SIM_PART_COUNT][3] = {
    [SIM_PART_STRETCH] = {"stretch.compliance", "stretch.damping", "stretch.stiffness"},
    [SIM_PART_BEND] = {"bend.compliance", "bend.damping", "bend.stiffness"},
    [SIM_PART_VOLUMES] = {"volume.compliance", "volume.damping", "volume.stiffness"},
    [SIM_PART_SOLID] = {"solid.young", "solid.damping", "solid.stiffness"},
};

static enum fault_code check_particles(const struct sim_body_desc *desc, double extent, struct fault *fault)
{
    for (size_t i = 0; i < (size_t)desc->particle_count * 3; i++) {
        if (!(desc->positions[i] >= -extent && desc->positions[i] <= extent)) {
            return fault_code_set(fault, FAULT_INVALID, "positions",
                                  "particle %u lies at %g m; at most %g m (extent)", (unsigned)(i / 3),
                                  desc->positions[i], extent);
        }
        if (desc->velocities && !sim_finite((double)desc->velocities[i])) {
            return fault_code_set(fault, FAULT_INVALID, "velocities", "that of particle %u is not finite",
                                  (unsigned)(i / 3));
        }
    }
    for (uint32_t i = 0; desc->masses && i < desc->particle_count; i++) {
        if (!(desc->masses[i] == 0 || (desc->masses[i] >= SIM_MASS_MIN && desc->masses[i] <= SIM_MASS_MAX))) {
            return fault_code_set(fault, FAULT_INVALID, "masses",
                                  "particle %u weighs %g kg; must be 0 (static) or in [%g, %g]", i,
                                  desc->masses[i], SIM_MASS_MIN, SIM_MASS_MAX);
        }
    }
    for (uint32_t i = 0; i < desc->pin_count; i++) {
        if (desc->pins[i] >= desc->particle_count) {
            return fault_code_set(fault, FAULT_INVALID, "pins",
                                  "element %u names particle %u; the body has %u (0 to %u)", i, desc->pins[i],
                                  desc->particle_count, desc->particle_count - 1);
        }
    }
    return FAULT_NONE;
}

static enum fault_code check_uvs(const struct sim_body_desc *desc, struct fault *fault)
{
    if (desc->uvs && desc->stretch_model != SIM_STRETCH_ORTHOTROPIC) {
        return fault_code_set(fault, FAULT_INVALID, "yarn_uvs",
                              "must be absent; they say where the warp of stretch.model orthotropic runs");
    }
    for (size_t i = 0; desc->uvs && i < 6 * (size_t)desc->triangle_count; i++) {
        const double value = (double)desc->uvs[i];
        if (!(value >= -SIM_UV_MAX && value <= SIM_UV_MAX)) {
            return fault_code_set(fault, FAULT_INVALID, "yarn_uvs",
                                  "triangle %u has %g; must be in [-%g, %g]", (uint32_t)(i / 6), value,
                                  SIM_UV_MAX, SIM_UV_MAX);
        }
    }
    return FAULT_NONE;
}

enum fault_code sim_body_check(const struct sim_body_desc *desc, double resolution, double extent,
                               const struct sim_limits *limits, struct fault *fault)
{
    if (desc->particle_count == 0) {
        return fault_code_set(fault, FAULT_INVALID, "positions", "no particle; at least one is needed");
    }
    if (desc->particle_count > limits->particles) {
        return fault_code_set(fault, FAULT_LIMIT, "positions", "%u particles; a world may hold %u",
                              desc->particle_count, limits->particles);
    }
    if ((uint64_t)desc->particle_count + (desc->torn ? 0 : desc->tear.most) > limits->particles) {
        return fault_code_set(fault, FAULT_LIMIT, "tear.most",
                              "%u spare particles and %u others; a world may hold %u", desc->tear.most,
                              desc->particle_count, limits->particles);
    }
    if (!desc->masses && !(desc->density >= 0 && sim_finite(desc->density))) {
        return fault_code_set(fault, FAULT_INVALID, "density", "%g; must be above 0, and finite",
                              desc->density);
    }
    if (desc->weld && !(*desc->weld >= 0 && *desc->weld <= sim_scale(resolution))) {
        return fault_code_set(fault, FAULT_INVALID, "weld", "%g m; must be in [0, %g]; " SIM_COARSER,
                              *desc->weld, sim_scale(resolution));
    }
    if (desc->kind == SIM_CLOTH && desc->triangle_count == 0 && !desc->may_be_empty) {
        return fault_code_set(fault, FAULT_INVALID, "triangles", "a cloth needs at least one triangle");
    }
    if (desc->kind == SIM_ROPE && desc->edge_count == 0 && !desc->may_be_empty) {
        return fault_code_set(fault, FAULT_INVALID, "edges", "a rope needs at least one edge");
    }
    if (desc->kind == SIM_SOFT && desc->tet_count == 0 && !desc->may_be_empty) {
        return fault_code_set(fault, FAULT_INVALID, "tets", "a soft body needs at least one tetrahedron");
    }
    // A thickness that is left open follows from the mesh, and is checked then. Points have no edges that it could follow from.
    const bool open = desc->thickness != desc->thickness && !desc->again;
    const double thickness = !open                      ? desc->thickness
                             : desc->kind == SIM_POINTS ? 0
                                                        : SIM_THICKNESS_QUANTA_MIN * resolution;
    const bool rigid = desc->kind == SIM_RIGID || desc->rigid;
    enum fault_code status = rigid ? sim_body_rigid_check(desc, resolution, fault) : FAULT_NONE;
    if (status == FAULT_NONE) {
        status = sim_meeting_check(desc->rigid ? sim_rigid_thickness(desc->thickness, resolution) : thickness,
                                   &desc->meeting, resolution, fault);
    }
    if (status == FAULT_NONE) {
        status = check_particles(desc, extent, fault);
    }
    if (status == FAULT_NONE) {
        status = check_uvs(desc, fault);
    }
    uint32_t count = desc->particle_count;
    const struct sim_material *const materials[SIM_PART_COUNT] = {[SIM_PART_STRETCH] = &desc->stretch,
                                                                  [SIM_PART_BEND] = &desc->bend,
                                                                  [SIM_PART_VOLUMES] = &desc->volume};
    for (int part = 0; status == FAULT_NONE && part < SIM_PART_SOLID; part++) {
        status = sim_material_check(sim_part_fields[part], materials[part], fault);
        if (status == FAULT_NONE && part == SIM_PART_BEND) {
            status = sim_plastic_check(desc->bend_model, &desc->bend.plastic, fault);
        }
    }
    if (status == FAULT_NONE && desc->solid_model != SIM_SOLID_NONE) {
        status = desc->kind == SIM_SOFT
                     ? sim_solid_check(&desc->solid, fault)
                     : fault_code_set(fault, FAULT_INVALID, "solid", "must be absent; it is for kind soft");
    }
    if (status == FAULT_NONE && desc->rod) {
        status = desc->kind == SIM_ROPE && !desc->turned
                     ? sim_rod_check(desc->rod, fault)
                     : fault_code_set(fault, FAULT_INVALID, "rod", "must be absent; it is for kind rope");
    }
    if (status == FAULT_NONE && desc->turned && desc->weld) {
        status =
            fault_code_set(fault, FAULT_INVALID, "weld", "must be absent where particles have orientations");
    }
    if (status == FAULT_NONE) {
        status = sim_turned_check("turned", desc->turned, count, fault);
    }
    if (status == FAULT_NONE && desc->pressure.model != SIM_PRESSURE_NONE) {
        status = sim_pressure_check(&desc->pressure, resolution, fault);
    }
    if (status == FAULT_NONE) {
        status = sim_pull_check(resolution, &desc->gravity, &desc->force, fault);
    }
    if (status == FAULT_NONE) {
        status = sim_own_wind_check(&desc->wind, fault);
    }
    if (status == FAULT_NONE && desc->matching.model != SIM_MATCH_NONE) {
        status = sim_matching_check(&desc->matching, resolution, fault);
    }
    if (status == FAULT_NONE && desc->matching.places && desc->weld) {
        status = fault_code_set(fault, FAULT_INVALID, "shape.positions",
                                "must be absent if vertices are welded; body.set can give them then");
    }
    if (status == FAULT_NONE && (desc->tear.most > 0 || desc->torn)) {
        status = sim_tear_check(desc, fault);
    }
    count = desc->torn ? desc->torn->own : count; // no triangle of the mesh as it was made has a spare
    if (status == FAULT_NONE) {
        status = sim_mesh_check("triangles", desc->triangles, 3, desc->triangle_count, count, fault);
    }
    if (status == FAULT_NONE) {
        status = sim_mesh_check("edges", desc->edges, 2, desc->edge_count, count, fault);
    }
    return status != FAULT_NONE ? status
                                : sim_mesh_check("tets", desc->tets, 4, desc->tet_count, count, fault);
}
