// Random inputs: most make sense, some are refused, which must leave no trace.
#include "program_parts.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__SANITIZE_THREAD__)
enum { PROGRAMS = 8 }; // before the first with a body that threads share: those have tests of their own
#elif defined(__SANITIZE_ADDRESS__)
enum { PROGRAMS = 20 };
#else
enum { PROGRAMS = 200 };
#endif

static uint64_t seed;
static struct program_ties known;
struct program_has program_has;

uint32_t program_count(void)
{
    const char *asked = getenv("WEFT_PROGRAMS");
    return asked ? (uint32_t)strtoul(asked, NULL, 10) : PROGRAMS;
}

void program_begin(uint32_t program)
{
    seed = 88172645463325252u + program;
    // None of these is in those whose hashes are golden.
    program_has.pressing = program >= 100 && program % 2 == 1;
    program_has.all_kinds = program >= 100 && program % 4 >= 2;
    program_has.bouncing = program >= 100;
    known = (struct program_ties){0};
}

void program_know(const struct program_ties *ties)
{
    known = *ties;
}

uint32_t program_below(uint32_t count)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 33) % count;
}

// Drawn before each input: in which order arguments of a call are worked out is the compiler's choice.
static uint32_t drawn[8];

static void draw(void)
{
    for (uint32_t i = 0; i < 8; i++) {
        drawn[i] = program_below(1 << 20);
    }
}

uint32_t program_below_at(uint32_t i, uint32_t count)
{
    return drawn[i] % count;
}

double program_number_at(uint32_t i, double from, double to)
{
    return from + (to - from) * drawn[i] / (1 << 20);
}

void program_say(struct program_input *input, const char *method, const char *format, ...)
{
    va_list arguments;
    input->method = method;
    va_start(arguments, format);
    vsnprintf(input->notation, sizeof input->notation, format, arguments);
    va_end(arguments);
}

static void add_collider(struct program_input *input)
{
    static const char *const kinds[] = {
        "'plane'",
        "'sphere', 'radius': 0.3",
        "'capsule', 'radius': 0.1, 'length': 0.5",
        "'box', 'half_extents': [0.2, 0.1, 0.3]",
        "'cylinder', 'radius': 0.1, 'length': 0.5",
        "'convex', 'points': [0,0.2,0, 0.2,-0.1,0.1, -0.2,-0.1,0.1, 0,-0.1,-0.3, 0,0,0, 0.1,0.1,0.1]",
        "'height_field', 'columns': 3, 'spacing': 0.3, 'heights': [0,0.1,0.3, 0.2,-0.1,0.1, -0.2,0.15,0.05]"};
    program_say(input, "collider.add", "{'world': 1, 'kind': %s, 'position': [%g, %g, 0]%s%s%s}",
                kinds[program_below_at(0, 7)], program_number_at(1, -0.5, 0.5), program_number_at(2, -1, 0.5),
                program_below_at(3, 3) == 0 ? ", 'name': 'thing'" : "",
                program_below_at(4, 3) == 0 ? ", 'surface_velocity': [0.5, 0, 0.1], 'surface_spin': [0, 2, 0]"
                                            : "",
                program_below_at(5, 3) != 0 ? ""
                : program_has.bouncing      ? ", 'friction_kinetic': 0.2, 'restitution': 0.5"
                                            : ", 'friction_kinetic': 0.2");
}

static void edit_world(struct program_input *input)
{
    if (program_has.all_kinds && program_below_at(6, 3) == 0) {
        static const char *const settings[] = {
            "'long_edges': true", "'long_edges': false", "'bending': 'solved'", "'bending': 'swept'",
            "'sleep': true",      "'sleep': false",      "'untangle': true",    "'substeps': 20",
            "'loads': 'solved'",  "'loads': 'swept'"};
        program_say(input, "world.set", "{'world': 1, %s}", settings[program_below_at(0, 10)]);
        return;
    }
    switch (program_below(5)) {
    case 0:
        program_say(input, "world.set", "{'world': 1, 'gravity': [%g, -9, 0], 'name': 'n%u'}",
                    program_number_at(0, -1, 1), program_below_at(1, 9));
        return;
    case 1:
        program_say(input, "world.set", "{'world': 'flag', 'substeps': %u, 'iterations': %u}",
                    1 + program_below_at(0, 6), 1 + program_below_at(1, 3));
        return;
    case 2:
        program_say(input, "world.set",
                    "{'world': 1, 'damping': %g, 'wind': {'velocity': [%g, 0, 1], 'gusts': %u}}",
                    program_number_at(0, 0, 2), program_number_at(1, 0, 5), program_below_at(1, 3));
        return;
    case 3:
        program_say(input, "world.set", "{'world': 1, 'extent': %g}", program_number_at(0, 50, 100));
        return;
    default:
        program_say(input, "world.reset", "{'world': 1}");
    }
}

static void edit_body(struct program_input *input, uint32_t body)
{
    static const char *const places[] = {"", ", 'positions': [0.1, 1, 0.1]",
                                         ", 'positions': [0.2, 0.9, 0], 'seconds': 0.15",
                                         ", 'positions': [0, 1.1, 0.1], 'at_tick': 25"};
    static const char *const forced[] = {"", ", 'particles': [1]", ", 'particles': [0, 1]", ""};
    static const char *const lasting[] = {"", ", 'seconds': 0.1", ", 'at_tick': 20", ", 'seconds': 2"};
    static const char *const clamping[] = {"", "", ", 'clamp': true, 'rotations': [1, 2, 0, 2]",
                                           ", 'clamp': false"};
    static const char *const softness[] = {"",
                                           "",
                                           ", 'compliance': 0.01",
                                           ", 'distance': 0.1",
                                           ", 'compliance': [0.5], 'distance': [0.05]",
                                           ", 'compliance': 0, 'distance': 0.2"};
    if (program_has.all_kinds && program_below_at(6, 6) == 0) {
        const char *const more[] = {"", ", 'rest_shape': {}", ", 'rest_shape': {'angles': false}",
                                    ", 'thickness': 0.01"};
        program_say(input, "body.set", "{'world': 1, 'body': %u, 'shape': {%s}%s}", body, program_shape(),
                    more[program_below_at(7, 4)]);
        return;
    }
    switch (program_below(8)) {
    case 7:
        program_say(input, "body.set",
                    "{'world': 1, 'body': %u, 'stretch': {'warp': %g, 'shear': 20, 'poisson': %g}}", body,
                    program_number_at(0, 100, 900), program_number_at(1, 0, 0.9));
        return;
    case 0:
        program_say(input, "body.remove", "{'world': 1, 'body': %u}", body);
        return;
    case 1:
        program_say(
            input, "body.set", "{'world': 1, 'body': %u, 'stretch': {'compliance': %g}, 'thickness': 0.01%s}",
            body, program_number_at(0, 0, 1e-3), program_below(3) ? "" : ", 'rest_shape': {'lengths': true}");
        return;
    case 2:
        if (program_below_at(2, 4) == 0) {
            static const char *const flows[] = {", 'plastic': {'rate': 0}", ", 'plastic': {'rate': 40}",
                                                ", 'plastic': {'yield_strain': 0.02}"};
            program_say(input, "body.set",
                        "{'world': 1, 'body': 'gel', 'solid': {'young': %g, 'damping': %u%s}}",
                        program_number_at(0, 1e3, 1e5), 5 * program_below_at(1, 3),
                        program_has.all_kinds ? flows[program_below_at(4, 3)] : "");
            return;
        }
        if (program_has.all_kinds && program_below_at(3, 2) == 0) {
            program_say(input, "body.set", "{'world': 1, 'body': %u, 'tear': {'strain': %g}}", body,
                        program_number_at(0, 1e-3, 0.05));
            return;
        }
        if (program_has.pressing) {
            program_say(input, "body.set", "{'world': 1, 'body': %u, 'pressure': {%s}}", body,
                        program_pressure());
            return;
        }
        if (program_has.all_kinds && program_below_at(3, 3) == 0) {
            program_say(input, "body.set", "{'world': 1, 'body': %u, 'gravity': [%s]}", body,
                        program_below_at(1, 2) == 0 ? "" : "0.5, -3, 0");
            return;
        }
        if (program_has.all_kinds && program_below_at(4, 2) == 0) {
            static const char *const fields[][2] = {
                {"force.add", "{'world': 1, 'field': {'kind': 'point', 'strength': 0.5, 'falloff': "
                              "'inverse', 'radius': 2}}"},
                {"force.add", "{'world': 1, 'field': {'kind': 'drag', 'strength': 0.3, 'bodies': [1, 2]}}"},
                {"force.set", "{'world': 1, 'force': 1, 'field': {'strength': 0.2, 'margin': 0.5}}"},
                {"force.remove", "{'world': 1, 'force': 1}"},
                {"force.add",
                 "{'world': 1, 'field': {'kind': 'fan', 'strength': 4, 'width': 0.3, 'axis': [1, 0, 0], "
                 "'position': [-1, 1, 0]}}"},
                {"force.add", "{'world': 1, 'field': {'kind': 'wind', 'velocity': [0, 2, 1], 'half_extents': "
                              "[0.5, 1, 2], 'margin': 0.2}}"},
                {"body.set", "{'world': 1, 'body': 1, 'wind': {'drag': 1.5, 'lift': 0.4}}"},
                {"body.set", "{'world': 1, 'body': 1, 'wind': {}}"}};
            const uint32_t which = program_below_at(5, sizeof fields / sizeof *fields);
            program_say(input, fields[which][0], "%s", fields[which][1]);
            return;
        }
        if (program_below_at(3, 3) != 0) {
            if (program_has.bouncing && program_below_at(5, 2) == 0) {
                program_say(input, "body.set", "{'world': 1, 'body': %u, 'restitution': %g}", body,
                            program_number_at(0, 0, 1));
                return;
            }
            program_say(input, "body.set", "{'world': 1, 'body': %u, 'friction_kinetic': %g}", body,
                        program_below_at(4, 3) == 0 ? 1000 : program_number_at(0, 0, 0.4));
            return;
        }
        program_say(input, "body.set", "{'world': 1, 'body': 'dust', 'name': 'dirt'}");
        return;
    case 3:
        program_say(input, "particle.set",
                    "{'world': 1, 'body': %u, 'particles': [1], 'positions': [%g, %g, 0]}", body,
                    program_number_at(0, -1, 1), program_number_at(1, 0, 2));
        return;
    case 4:
        program_say(input, "particle.set",
                    "{'world': 1, 'body': %u, 'particles': [0, 1], 'velocities': [0,1,0, %g,0,0],"
                    " 'inverse_masses': [%g, 2]}",
                    body, program_number_at(0, -2, 2), program_number_at(1, 0, 3));
        return;
    case 5:
        program_say(input, "particle.pin", "{'world': 1, 'body': %u, 'particles': [1]%s%s%s}", body,
                    places[program_below_at(0, 4)], softness[program_below_at(1, 6)],
                    program_has.all_kinds ? clamping[program_below_at(2, 4)] : "");
        return;
    default:
        if (program_has.all_kinds && program_below_at(2, 2) == 0) {
            program_say(input, "body.force", "{'world': 1, 'body': %u%s, 'force': [%g, 0.01, 0]%s}", body,
                        forced[program_below_at(0, 4)], program_number_at(1, -0.02, 0.02),
                        lasting[program_below_at(3, 4)]);
            return;
        }
        program_say(input, "particle.unpin", "{'world': 1, 'body': %u, 'particles': [%u]}", body,
                    program_below_at(0, 2));
    }
}

static void edit_constraints(struct program_input *input, uint32_t body, uint32_t constraint)
{
    switch (program_below(5)) {
    case 0:
        program_say(input, "constraint.add",
                    "{'world': 1, 'type': 'distance', 'bodies': [%u, %u], 'particles': [0, 1],"
                    " 'compliance': %g}",
                    body, 1 + program_below_at(0, 6), program_number_at(1, 0, 1e-2));
        return;
    case 1:
        program_say(input, "constraint.add",
                    "{'world': 1, 'type': 'dihedral', 'body': %u, 'particles': [0, 1, 2, 3]}", body);
        return;
    case 2:
        program_say(input, "constraint.set",
                    "{'world': 1, 'constraints': [%u], 'compliance': %g, 'rest': 0.12}", constraint,
                    program_number_at(0, 0, 1e-2));
        return;
    case 3:
        program_say(input, "constraint.set", "{'world': 1, 'constraints': [%u, %u], 'stiffness': [0.3, 0.9]}",
                    constraint, constraint + 1);
        return;
    default:
        program_say(input, "constraint.remove", "{'world': 1, 'constraints': [%u]}", constraint);
    }
}

static void add_join(struct program_input *input, uint32_t body)
{
    const uint32_t other = 1 + program_below_at(0, 6), particle = program_below_at(1, 3);
    switch (program_below(4)) {
    case 0:
        program_say(input, "constraint.add",
                    "{'world': 1, 'type': 'join', 'bodies': [%u, %u], 'particles': [0, %u], 'compliance': %g,"
                    " 'damping': 0.5, 'force_limit': %g}",
                    body, other, particle, program_number_at(2, 0, 1e-2), program_number_at(3, 0, 9));
        return;
    case 1:
        program_say(
            input, "constraint.add",
            "{'world': 1, 'type': 'join', 'sides': [1, 3], 'bodies': [%u, %u, %u, %u],"
            " 'particles': [%u, 0, 1, 2], 'weights': [1, 0.5, 0.25, 0.25], 'rest_end': %g, 'seconds': 0.2}",
            other, body, body, body, particle, program_number_at(2, 0, 1));
        return;
    case 2:
        program_say(input, "constraint.add",
                    "{'world': 1, 'type': 'join', 'sides': [2, 2], 'bodies': [%u, %u, %u, %u],"
                    " 'particles': [0, 1, 1, 0], 'rest': [%g], 'stiffness': 0.5, 'force_limit': 2}",
                    body, body, other, other, program_number_at(2, 0, 0.3));
        return;
    default:
        program_say(input, "constraint.add",
                    "{'world': 1, 'type': 'join', 'bodies': [%u, %u, %u, %u], 'particles': [0, 1, %u, 1],"
                    " 'rest_end': 0, 'seconds': [0.05, 0.4], 'force_limit': [0, %g]}",
                    body, other, body, other, particle, program_number_at(2, 0, 4));
    }
}

static void add_slide(struct program_input *input, uint32_t body)
{
    const uint32_t ring = 1 + program_below_at(0, 6), particle = program_below_at(1, 3);
    switch (program_below(3)) {
    case 0:
        program_say(
            input, "constraint.add",
            "{'world': 1, 'type': 'slide', 'bodies': [%u, %u, %u], 'particles': [0, %u, 1], 'friction': %g}",
            body, ring, body, particle, program_number_at(2, 0, 2));
        return;
    case 1:
        program_say(
            input, "constraint.add",
            "{'world': 1, 'type': 'slide', 'bodies': [%u, %u, %u], 'particles': [0, %u, 1], 'ratio': 2,"
            " 'compliance': %g, 'damping': 0.1}",
            body, ring, body, particle, program_number_at(2, 0, 1e-2));
        return;
    default:
        program_say(input, "constraint.add",
                    "{'world': 1, 'type': 'slide', 'body': %u, 'particles': [0, 1, 2, 1, 2, 0], 'rest': 0.15,"
                    " 'stiffness': 0.8, 'friction': [0.2, %g]}",
                    body, program_number_at(2, 0, 1));
    }
}

// Ids are those that the program knows, if it knows any.
static void edit_ties(struct program_input *input, uint32_t constraint)
{
    const uint32_t join = known.join > 0 ? known.join : constraint;
    const uint32_t slide = known.slide > 0 ? known.slide : constraint;
    switch (program_below(6)) {
    case 0:
        program_say(input, "constraint.set",
                    "{'world': 1, 'constraints': [%u], 'rest_end': [%g], 'seconds': %g, 'mend': true}", join,
                    program_number_at(0, 0, 0.5), program_number_at(1, 0.01, 0.3));
        return;
    case 1:
        program_say(input, "constraint.set",
                    "{'world': 1, 'constraints': [%u], 'rest': 0.1, 'force_limit': %g, 'damping': 1}", join,
                    program_number_at(0, 0, 9));
        return;
    case 2:
        program_say(input, "constraint.set",
                    "{'world': 1, 'constraints': [%u], 'friction': [%g], 'ratio': 1}", slide,
                    program_below_at(0, 3) * 0.3);
        return;
    case 3:
        program_say(input, "constraint.set",
                    "{'world': 1, 'constraints': [%u], 'friction': 0, 'ratio': %g, 'compliance': 1e-3}",
                    slide, program_number_at(0, 1, 3));
        return;
    case 4:
        program_say(input, "constraint.set", "{'world': 1, 'constraints': [%u, %u], 'rest': [0.2, %g]}", join,
                    slide, program_number_at(0, 0, 0.5));
        return;
    default:
        program_say(input, "constraint.remove", "{'world': 1, 'constraints': [%u]}",
                    program_below_at(0, 2) == 0 ? join : slide);
    }
}

// Rings on rails of any body, some of them their own.
static void edit_rails(struct program_input *input, uint32_t body)
{
    const uint32_t ring = 1 + program_below_at(0, 6), particle = program_below_at(1, 3);
    switch (program_below(known.rail > 0 ? 5 : 2)) {
    case 0:
        program_say(input, "constraint.add",
                    "{'world': 1, 'type': 'slide_rail', 'bodies': [%u, %u, %u], 'particles': [%u, 0, %u],"
                    " 'friction': %g}",
                    ring, body, body, particle, 1 + program_below_at(2, 3), program_number_at(3, 0, 1));
        return;
    case 1:
        program_say(input, "constraint.add",
                    "{'world': 1, 'type': 'slide_rail', 'bodies': [%u, %u, %u, %u, %u, %u],"
                    " 'particles': [%u, 0, 2, 0, 0, 1], 'friction': [0, %g], 'compliance': [1e-4, 0]}",
                    ring, body, body, ring, body, body, 1 + program_below_at(2, 2),
                    program_number_at(3, 0, 0.5));
        return;
    case 2:
        program_say(input, "constraint.set", "{'world': 1, 'constraints': [%u], 'friction': %g}", known.rail,
                    program_below_at(0, 3) * 0.3);
        return;
    case 3:
        program_say(input, "constraint.set",
                    "{'world': 1, 'constraints': [%u], 'compliance': %g, 'damping': 0.1}", known.rail,
                    program_number_at(0, 0, 1e-3));
        return;
    default:
        program_say(input, "constraint.remove", "{'world': 1, 'constraints': [%u]}", known.rail);
    }
}

// Joints of any body, most of which is not rigid, to others and to the world.
static void edit_joints(struct program_input *input, uint32_t body)
{
    static const char *const models[] = {"ball", "hinge", "fixed", "slider", "distance"};
    const uint32_t other = 1 + program_below_at(0, 6), particle = program_below_at(1, 3);
    switch (program_below(known.joint > 0 ? 6 : 3)) {
    case 0:
        program_say(
            input, "constraint.add",
            "{'world': 1, 'type': 'joint', 'joint': '%s', 'body': %u, 'particles': [%u], 'sides': [1, 0],"
            " 'axes': [0, 0, 1], 'force_limit': %g}",
            models[program_below_at(2, 5)], body, particle, program_number_at(3, 0, 40));
        return;
    case 1:
        program_say(input, "constraint.add",
                    "{'world': 1, 'type': 'joint', 'joint': '%s', 'bodies': [%u, %u], 'particles': [%u, 0],"
                    " 'compliance': %g, 'damping': 0.1}",
                    models[program_below_at(2, 5)], body, program_below_at(4, 2) == 0 ? body : other,
                    1 + particle, program_number_at(3, 0, 1e-3));
        return;
    case 2:
        program_say(
            input, "constraint.add",
            "{'world': 1, 'type': 'joint', 'bodies': [%u, %u, %u, %u], 'particles': [%u, 0, 1, 2], 'sides': "
            "[1, 3]}",
            body, other, other, other, particle);
        return;
    case 3:
        program_say(input, "constraint.set",
                    "{'world': 1, 'constraints': [%u], 'motor': '%s', 'motor_target': %g, 'motor_most': 3}",
                    known.joint, program_below_at(0, 2) == 0 ? "speed" : "target",
                    program_number_at(1, -3, 3));
        return;
    case 4:
        program_say(
            input, "constraint.set",
            "{'world': 1, 'constraints': [%u], 'limits': [%g, 0.5], 'turn_compliance': 0.01, 'mend': true}",
            known.joint, program_number_at(0, -0.5, 1));
        return;
    default:
        program_say(input, "constraint.remove", "{'world': 1, 'constraints': [%u]}", known.joint);
    }
}

// Joins, slides, rings on rails and joints, which ticks change as well.
static void tie(struct program_input *input, uint32_t body, uint32_t constraint)
{
    if (program_has.all_kinds && program_below_at(7, 3) == 0) {
        edit_joints(input, body);
        return;
    }
    if (program_has.all_kinds && program_below_at(6, 3) == 0) {
        edit_rails(input, body);
        return;
    }
    const uint32_t what = program_below(known.join > 0 || known.slide > 0 ? 4 : 5);
    if (what < 2) {
        edit_ties(input, constraint);
    } else if (what == 2) {
        add_slide(input, body);
    } else {
        add_join(input, body);
    }
}

// A run of ids, which may be all of one body and kind.
static void edit_many(struct program_input *input, uint32_t first)
{
    char *at = input->notation, *const end = at + sizeof input->notation;
    const bool gone = program_below(2) == 0;
    const uint32_t count = 8 + program_below(56), step = 1 + program_below(3);
    input->method = gone ? "constraint.remove" : "constraint.set";
    at += snprintf(at, (size_t)(end - at), "{'world': 1%s, 'constraints': [",
                   gone ? "" : ", 'compliance': 0.002, 'damping': 0.1");
    for (uint32_t i = 0; i < count; i++) {
        at += snprintf(at, (size_t)(end - at), "%s%u", i > 0 ? ", " : "", first + i * step);
    }
    snprintf(at, (size_t)(end - at), "]}");
}

static void hold(struct program_input *input, uint32_t body, uint32_t grab)
{
    switch (program_below(3)) {
    case 0:
        program_say(input, "grab.begin", "{'world': 1, 'body': %u, 'particle': %u, 'target': [%g, 1, 0]}",
                    body, program_below_at(0, 3), program_number_at(1, -1, 1));
        return;
    case 1:
        program_say(input, "grab.move", "{'world': 1, 'grab': %u, 'target': [0, %g, 1]}", grab,
                    program_number_at(0, 0, 3));
        return;
    default:
        program_say(input, "grab.end", "{'world': 1, 'grab': %u}", grab);
    }
}

static void lead(struct program_input *input, uint32_t body, uint32_t collider)
{
    switch (program_below(6)) {
    case 0:
        program_say(input, "motion.add",
                    "{'world': 1, 'collider': %u, 'times': [0, 0.1, 0.3], 'loop': true,"
                    " 'offsets': [0,0,0, 0,%g,0, 0,0,0]}",
                    collider, program_number_at(0, 0, 0.5));
        return;
    case 1:
        program_say(input, "motion.add",
                    "{'world': 1, 'collider': %u, 'times': [0, 0.4], 'interpolation': 'cubic',"
                    " 'offsets': [0,0,0, 0,0.1,0], 'rotations': [0,0,0,1, 0,%g,0,1]}",
                    collider, program_number_at(0, -1, 1));
        return;
    case 2:
        program_say(input, "motion.add",
                    "{'world': 1, 'body': %u, 'particles': [0], 'times': [0, 0.2],"
                    " 'offsets': [0,0,0, %g,0,0]}",
                    body, program_number_at(0, -0.5, 0.5));
        return;
    case 3:
        program_say(input, "motion.add",
                    "{'world': 1, 'body': %u, 'particles': [0, 1], 'times': [0, 0.2], 'loop': true,"
                    " 'offsets': [0,0,0, 0,0,0], 'rotations': [0,0,0,1, 0.1,0,%g,1]}",
                    body, program_number_at(0, -0.5, 0.5));
        return;
    case 4:
        program_say(input, "motion.add",
                    "{'world': 1, 'body': %u, 'particles': [1, 0], 'times': [0, 0.3], 'loop': true,"
                    " 'offsets': [0,0,0, 0,0,0], 'poses': [0,0,0, 0,0,0, 0.1,0,0, 0,%g,0]}",
                    body, program_number_at(0, -0.5, 0.5));
        return;
    default:
        program_say(input, "motion.remove", "{'world': 1, 'motion': %u}", 1 + program_below_at(0, 6));
    }
}

static void edit_collider(struct program_input *input, uint32_t collider)
{
    switch (program_below(4)) {
    case 0:
        program_say(input, "collider.remove", "{'world': 1, 'collider': %u}", collider);
        return;
    case 1:
        program_say(input, "collider.set",
                    "{'world': 1, 'collider': %u, 'radius': %g, 'name': 'stone', 'points': [0,%g,0, 0.3,0,0, "
                    "0,0,0.3, 0,0,0], 'columns': 2, 'spacing': %g, 'heights': [0,%g,0.1, 0.3]}",
                    collider, program_number_at(0, 0.1, 0.4), program_number_at(1, 0.1, 0.4),
                    program_number_at(2, 0.2, 0.9), program_number_at(3, -0.2, 0.2));
        return;
    case 2:
        program_say(input, "collider.set",
                    "{'world': 1, 'collider': %u, 'rotation': [0, 0, %g, 1], 'teleport': %s}", collider,
                    program_number_at(0, -0.3, 0.3), program_below(2) == 0 ? "true" : "false");
        return;
    default:
        program_say(input, "collider.set",
                    "{'world': 1, 'collider': %u, 'position': [0, %g, 0], 'friction': 0.4, "
                    "'surface_velocity': [%g, 0, 0.2]%s%s}",
                    collider, program_number_at(0, -1, 0), program_number_at(1, -2, 2),
                    program_below_at(2, 2) == 0 ? ", 'friction_kinetic': 1000" : ", 'friction_kinetic': 0.1",
                    !program_has.bouncing         ? ""
                    : program_below_at(2, 2) == 0 ? ", 'restitution': 0"
                                                  : ", 'restitution': 0.75");
    }
}

// Few of what edits take back: the rest comes of inverses themselves (test_inverses.c).
static void restore(struct program_input *input, uint32_t one)
{
    switch (program_below(4)) {
    case 0:
        program_say(input, "edit.restore",
                    "{'world': 1, 'removed': {'bodies': [%u], 'constraints': [%u], 'motions': [1]}}", one,
                    one * 3);
        return;
    case 1:
        program_say(input, "edit.restore",
                    "{'world': 1, 'settings': {'damping': %g, 'wind': {'density': 0}}}",
                    program_number_at(0, 0, 1));
        return;
    case 2:
        program_say(input, "edit.restore",
                    "{'world': 1, 'parts': [{'body': %u, 'thickness': 0.02, 'stretch': {'compliance': %g}}]}",
                    one, program_number_at(0, 0, 1e-3));
        return;
    default:
        program_say(input, "edit.restore",
                    "{'world': 1, 'particles': [{'body': %u, 'particles': [0, 1], 'pinned': true, 'state': "
                    "{'positions':"
                    " [0,%g,0, 0.1,1,0], 'velocities': [0,0,0, 0,0,0]}}]}",
                    one, program_number_at(0, 0, 2));
    }
}

void program_choose(struct program_input *input)
{
    draw();
    switch (program_below(16)) {
    case 0:
    case 1:
        program_add_body(input);
        return;
    case 2:
        add_collider(input);
        return;
    case 3:
        edit_world(input);
        return;
    case 4:
    case 5:
        edit_body(input, 1 + program_below_at(4, 8));
        return;
    case 6:
        edit_constraints(input, 1 + program_below_at(4, 8), 1 + program_below_at(5, 60));
        return;
    case 7:
        hold(input, 1 + program_below_at(4, 8), 1 + program_below_at(5, 6));
        return;
    case 8:
        edit_collider(input, 1 + program_below_at(4, 4));
        return;
    case 9:
        restore(input, 1 + program_below_at(4, 8));
        return;
    case 10:
        program_add_sheet(input);
        return;
    case 11:
        edit_many(input, 1 + program_below_at(4, 1200));
        return;
    case 12:
    case 13:
        tie(input, 1 + program_below_at(4, 6), 1 + program_below_at(5, 60));
        return;
    default:
        lead(input, 1 + program_below_at(4, 8), 1 + program_below_at(5, 4));
    }
}
