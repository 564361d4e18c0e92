// Random inputs: most make sense, some are refused, which must leave no trace.
#include "helper_program.h"

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
static bool pressing;  // some bodies have pressure inside
static bool all_kinds; // rings on rails, bodies of several features at once, and what worlds set
static bool bouncing;  // bodies and colliders get a restitution

uint32_t program_count(void)
{
    const char *asked = getenv("WEFT_PROGRAMS");
    return asked ? (uint32_t)strtoul(asked, NULL, 10) : PROGRAMS;
}

void program_begin(uint32_t program)
{
    seed = 88172645463325252u + program;
    // None of these is in those whose hashes are golden.
    pressing = program >= 100 && program % 2 == 1;
    all_kinds = program >= 100 && program % 4 >= 2;
    bouncing = program >= 100;
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

static uint32_t below_at(uint32_t i, uint32_t count)
{
    return drawn[i] % count;
}

static double number_at(uint32_t i, double from, double to)
{
    return from + (to - from) * drawn[i] / (1 << 20);
}

static void say(struct program_input *input, const char *method, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(struct program_input *input, const char *method, const char *format, ...)
{
    va_list arguments;
    input->method = method;
    va_start(arguments, format);
    vsnprintf(input->notation, sizeof input->notation, format, arguments);
    va_end(arguments);
}

static const char *pressure(void)
{
    static const char *const pressures[] = {
        "'overpressure': 500", "'model': 'gas', 'overpressure': 3000, 'seconds': 0.3",
        "'model': 'volume'",   "'model': 'volume', 'ratio': 1.2, 'compliance': 1e-6, 'seconds': 0.2",
        "'model': 'none'",     "'seconds': 0.1",
        "'volume': 0.002",     "'ambient': 0"};
    return pressures[below_at(7, 8)];
}

static const char *shape(void)
{
    static const char *const shapes[] = {
        "'compliance': 0.001", "'radius': 0.15", "'radius': 0.3, 'spacing': 0.1, 'compliance': 1e-5",
        "'model': 'none'",     "'radius': 0",    "'spacing': 0.05",
        "'compliance': 0",     "'positions': []"};
    return shapes[below_at(5, 8)];
}

static void add_balloon(struct program_input *input, double y, const char *material)
{
    say(input, "body.add",
        "{'world': 1, 'kind': 'cloth', 'positions': [0.1,%g,0, 0,%g,0, 0,%g,0.1, -0.1,%g,0, 0,%g,0, "
        "0,%g,-0.1],"
        " 'triangles': [0,1,2, 1,3,2, 3,4,2, 4,0,2, 1,0,5, 3,1,5, 4,3,5, 0,4,5], 'pressure': {%s}%s}",
        y, y + 0.1, y, y, y - 0.1, y, pressure(), material);
}

// n x n particles, with so many constraints that removing some makes the body coloured again.
static const char *sheet(void)
{
    enum { N = 7 };
    static char text[8192]; // it is always the same, and printed once
    char *at = text, *const end = at + sizeof text;
    if (text[0] != '\0') {
        return text;
    }
    at += snprintf(at, (size_t)(end - at), "'positions': [");
    for (uint32_t i = 0; i < N * N; i++) {
        at += snprintf(at, (size_t)(end - at), "%s%g,1,%g", i > 0 ? "," : "", 0.1 * (i % N), 0.1 * (i / N));
    }
    at += snprintf(at, (size_t)(end - at), "], 'triangles': [");
    for (uint32_t i = 0; i + N + 1 < N * N; i++) {
        if (i % N + 1 < N) {
            at += snprintf(at, (size_t)(end - at), "%s%u,%u,%u,%u,%u,%u", i > 0 ? "," : "", i, i + N, i + 1,
                           i + 1, i + N, i + N + 1);
        }
    }
    snprintf(at, (size_t)(end - at), "]");
    return text;
}

// Uvs of the triangles of a sheet: every other one belongs to a piece that lies across. Refused where there is no fabric.
static const char *pieces(void)
{
    enum { TRIANGLES = 72 };
    static char text[2048];
    char *at = text, *const end = at + sizeof text;
    at += snprintf(at, (size_t)(end - at), ", 'yarn_uvs': [");
    for (uint32_t t = 0; t < TRIANGLES; t++) {
        at += snprintf(at, (size_t)(end - at), "%s%s", t > 0 ? "," : "",
                       t % 2 ? "0,0,0,1,1,0" : "0,0,1,0.5,0,1");
    }
    snprintf(at, (size_t)(end - at), "]");
    return text;
}

// Pieces of a rigid body; some names of lengths are those of another shape.
static void add_rigid(struct program_input *input, double y, const char *held)
{
    static const char *const shapes[] = {
        "'form': 'sphere', 'radius': 0.1", "'form': 'capsule', 'radius': 0.05, 'half_height': 0.1",
        "'form': 'box', 'half_extents': [0.1, 0.05, 0.2]", "'form': 'box', 'radius': 0.1"};
    static const char *const turns[] = {
        "", ", 'angular_velocities': [1,2,3, 0,0,0, -9,5,0, 0,0,400]",
        ", 'density': 200, 'rotations': [0.1,0.2,0.3,1, 0,0,0,-1, 3,0,0,0, -1,-1,-1,-1]",
        (", 'masses': [1, 0, 2, 0.5], 'rotations': [0.1,0.2,0.3,1, 0,0,0,1, 1,0,0,1, 0,1,0,1], "
         "'angular_velocities': [1,2,3, 0,0,1, -9,5,0, 0,0,40]")};
    say(input, "body.add",
        "{'world': 1, 'kind': 'rigid', 'positions': [0,%g,0, 0.3,%g,0, 0.6,%g,0.1, 0.9,%g,0], 'rigid': "
        "{%s}%s%s}",
        y, y, y, y, shapes[below_at(1, 4)], turns[below_at(4, 4)], held);
}

// A body of several features at once.
static void add_mixed(struct program_input *input)
{
    static const char *const fabrics[] = {
        ", 'stretch': {'model': 'orthotropic', 'warp': 400, 'weft': 200, 'shear': 9, 'limit': 0.1}, "
        "'bend': {'warp': 3e-5, 'weft': 1e-5}",
        ", 'stretch': {'model': 'orthotropic', 'warp': 900, 'weft': 90, 'shear': 30, 'poisson': 0.3,"
        " 'damping': 2, 'direction': [0, 1, 0.2]}, 'bend': {'rigidity': 1e-5}",
        ", 'stretch': {'compliance': 1e-5, 'limit': 0.05}, 'bend': {'plastic': {'yield_angle': 0.01, 'rate': "
        "20}}",
        ", 'stretch': {'model': 'orthotropic', 'warp': 300, 'weft': 300, 'shear': 20}, 'bend': {'model': "
        "'dihedral', 'compliance': 0.1, 'plastic': {'yield_angle': 0.02, 'rate': 60, 'greatest': 0.5}}"};
    static const char *const holds[] = {"", ", 'pins': [1]", ", 'pins': [0, 3]",
                                        ", 'pins': [2], 'self_contact': true, 'thickness': 0.01"};
    static const char *const clamps[] = {"", ", 'pins': [1], 'clamps': [1]",
                                         ", 'pins': [0, 3], 'clamps': [3, 0]",
                                         ", 'pins': [2], 'self_contact': true, 'thickness': 0.01"};
    static const char *const flows[] = {"", ", 'plastic': {}", ", 'plastic': {'yield_strain': 0, 'rate': 5}",
                                        ", 'plastic': {'yield_strain': 0.01, 'rate': 100, 'greatest': 0.2}"};
    static const char *const tears[] = {"", ", 'tear': {'strain': 0.002, 'most': 12}",
                                        ", 'tear': {'strain': 0.02, 'most': 60}"};
    static char material[700];
    const double y = number_at(3, 0, 2);
    int length = snprintf(material, sizeof material, "%s%s", fabrics[below_at(1, 4)], holds[below_at(2, 4)]);
    if (below_at(0, 2) == 0) {
        snprintf(material + length, sizeof material - (size_t)length, ", 'shape': {%s}", shape());
    }
    switch (program_below(6)) {
    case 5:
        add_rigid(input, y, holds[below_at(2, 3)]);
        return;
    case 4:
        say(input, "body.add",
            "{'world': 1, 'kind': 'points', 'positions': [0,%g,0, 0.2,%g,0, 0,%g,0, 0,%g,0.2, 0.1,%g,0.3], "
            "'masses': [1, 2, 1, 0.5, 1], 'shape': {%s}}",
            y, y, y + 0.2, y, y + 0.1, shape());
        return;
    case 0:
        add_balloon(input, y, material);
        return;
    case 3:
        say(input, "body.add",
            "{'world': 1, 'kind': 'rope', 'positions': [0,%g,0, 0.1,%g,0, 0.2,%g,0.05, 0.3,%g,0], 'rod': "
            "{'radius': "
            "0.01, 'young': %g, 'damping': 0.01%s}%s}",
            y, y, y, y, number_at(4, 1e5, 1e7),
            below_at(5, 2) == 0 ? ", 'rest': [1, 0, 0.5], 'twist': 3"
                                : ", 'plastic': {'yield_angle': 0.01, 'rate': 90}",
            clamps[below_at(2, 4)]);
        return;
    case 1:
        say(input, "body.add", "{'world': 1, 'kind': 'cloth', %s%s%s}", sheet(), material,
            below_at(4, 2) ? tears[below_at(5, 3)] : pieces());
        return;
    default:
        say(input, "body.add",
            "{'world': 1, 'kind': 'soft', 'positions': [0,%g,0, 0.2,%g,0, 0,%g,0, 0,%g,0.2, 0.2,%g,0.2], "
            "'tets': [0,1,2,3, 1,2,3,4], 'solid': {'young': %g, 'poisson': 0.3, 'damping': 2%s}%s}",
            y, y, y + 0.2, y, y + 0.2, number_at(4, 1e3, 1e5), flows[below_at(1, 4)], holds[below_at(2, 4)]);
    }
}

static void add_body(struct program_input *input)
{
    static const char *const materials[] = {"", ", 'stretch': {'compliance': 1e-5}",
                                            ", 'stretch': {'stiffness': 0.5}",
                                            ", 'stretch': {'compliance': 1e-4, 'damping': 2}"};
    static const char creases[] =
        ", 'bend': {'model': 'dihedral', 'compliance': 0.1, 'plastic': {'yield_angle': "
        "0.02, 'rate': 30}}";
    static const char *const bends[] = {"", creases, ", 'bend': {'model': 'isometric'}",
                                        ", 'bend': {'model': 'quadratic'}"};
    static const char fabric[] = ", 'stretch': {'model': 'orthotropic', 'warp': 400, 'weft': 200, 'shear': 9,"
                                 " 'poisson': 0.3, 'angle': 0.4, 'direction': [0, 0, 1], 'limit': 0.1}";
    if (all_kinds && below_at(6, 3) == 0) {
        add_mixed(input);
        return;
    }
    const char *material = materials[program_below(4)];
    double y = number_at(3, 0, 2);
    switch (program_below(4)) {
    case 0:
        say(input, "body.add",
            "{'world': 1, 'kind': 'cloth', 'positions': [0,%g,0, 0.1,%g,0, 0,%g,0.1, 0.1,%g,0.1, 0,%g,0.2, "
            "0.1,%g,0.2],"
            " 'triangles': [0,2,1, 1,2,3, 2,4,3, 3,4,5], 'pins': [%u]%s%s}",
            y, y, y, y, y, y, below_at(0, 6), program_below(3) == 0 ? fabric : material,
            bends[below_at(1, 4)]);
        return;
    case 1:
        if (below_at(5, 4) == 0) {
            say(input, "body.add",
                "{'world': 1, 'kind': 'soft', 'positions': [0,%g,0, 0.2,%g,0, 0,%g,0, 0,%g,0.2, 0.2,%g,0.2], "
                "'tets': [0,1,2,3, 1,2,3,4], %s'solid': {'young': %g, 'poisson': 0.4%s}}",
                y, y, y + 0.2, y, y + 0.2, below_at(2, 3) == 0 ? "'name': 'gel', " : "",
                number_at(4, 1e3, 1e5), all_kinds ? ", 'plastic': {'yield_strain': 0.01}" : "");
            return;
        }
        say(input, "body.add",
            "{'world': 1, 'kind': 'soft', 'positions': [0,%g,0, 0.2,%g,0, 0,%g,0, 0,%g,0.2], 'tets': "
            "[0,1,2,3],"
            " 'volume': {'compliance': 0.001}%s}",
            y, y, y + 0.2, y, material);
        return;
    case 2:
        say(input, "body.add",
            "{'world': 1, 'kind': 'rope', 'positions': [0,%g,0, 0.1,%g,0, 0.2,%g,0], 'pins': [0]%s}", y, y, y,
            material);
        return;
    default:
        if (pressing) {
            add_balloon(input, y, material);
            return;
        }
        say(input, "body.add",
            "{'world': 1, 'kind': 'points', 'positions': [%g,%g,0, 0,%g,1], 'masses': 1%s}",
            number_at(0, -1, 1), y, y, below_at(1, 4) == 0 ? ", 'name': 'dust'" : "");
    }
}

static void add_sheet(struct program_input *input)
{
    static const char *const bends[] = {"", "'bend': {'model': 'isometric'}, ",
                                        "'bend': {'plastic': {'yield_angle': 0.05, 'greatest': 1}}, "};
    say(input, "body.add", "{'world': 1, 'kind': 'cloth', %s'pins': [%u, 3], %s%s}", bends[below_at(6, 3)],
        4 + below_at(7, 7), sheet(),
        program_below(2) ? ", 'skin': {'particles': [0,1,2,3, 1,2,3,4, 9,8,7,6], 'weights': [0.25,0.25,0.25,"
                           "0.25, 1,0,0,0, 0.5,0.5,0,0], 'triangles': [0,1,2]}, 'look': {'uvs': "
                           "[0,0,1,0,0,1], 'materials': [{'name': 'felt', 'color': [1,0,0,1]}]}"
                         : ", 'name': 'sheet'");
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
    say(input, "collider.add", "{'world': 1, 'kind': %s, 'position': [%g, %g, 0]%s%s%s}",
        kinds[below_at(0, 7)], number_at(1, -0.5, 0.5), number_at(2, -1, 0.5),
        below_at(3, 3) == 0 ? ", 'name': 'thing'" : "",
        below_at(4, 3) == 0 ? ", 'surface_velocity': [0.5, 0, 0.1], 'surface_spin': [0, 2, 0]" : "",
        below_at(5, 3) != 0 ? ""
        : bouncing          ? ", 'friction_kinetic': 0.2, 'restitution': 0.5"
                            : ", 'friction_kinetic': 0.2");
}

static void edit_world(struct program_input *input)
{
    if (all_kinds && below_at(6, 3) == 0) {
        static const char *const settings[] = {
            "'long_edges': true", "'long_edges': false", "'bending': 'solved'", "'bending': 'swept'",
            "'sleep': true",      "'sleep': false",      "'untangle': true",    "'substeps': 20"};
        say(input, "world.set", "{'world': 1, %s}", settings[below_at(0, 8)]);
        return;
    }
    switch (program_below(5)) {
    case 0:
        say(input, "world.set", "{'world': 1, 'gravity': [%g, -9, 0], 'name': 'n%u'}", number_at(0, -1, 1),
            below_at(1, 9));
        return;
    case 1:
        say(input, "world.set", "{'world': 'flag', 'substeps': %u, 'iterations': %u}", 1 + below_at(0, 6),
            1 + below_at(1, 3));
        return;
    case 2:
        say(input, "world.set", "{'world': 1, 'damping': %g, 'wind': {'velocity': [%g, 0, 1], 'gusts': %u}}",
            number_at(0, 0, 2), number_at(1, 0, 5), below_at(1, 3));
        return;
    case 3:
        say(input, "world.set", "{'world': 1, 'extent': %g}", number_at(0, 50, 100));
        return;
    default:
        say(input, "world.reset", "{'world': 1}");
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
    if (all_kinds && below_at(6, 6) == 0) {
        const char *const more[] = {"", ", 'rest_shape': {}", ", 'rest_shape': {'angles': false}",
                                    ", 'thickness': 0.01"};
        say(input, "body.set", "{'world': 1, 'body': %u, 'shape': {%s}%s}", body, shape(),
            more[below_at(7, 4)]);
        return;
    }
    switch (program_below(8)) {
    case 7:
        say(input, "body.set",
            "{'world': 1, 'body': %u, 'stretch': {'warp': %g, 'shear': 20, 'poisson': %g}}", body,
            number_at(0, 100, 900), number_at(1, 0, 0.9));
        return;
    case 0:
        say(input, "body.remove", "{'world': 1, 'body': %u}", body);
        return;
    case 1:
        say(input, "body.set", "{'world': 1, 'body': %u, 'stretch': {'compliance': %g}, 'thickness': 0.01%s}",
            body, number_at(0, 0, 1e-3), program_below(3) ? "" : ", 'rest_shape': {'lengths': true}");
        return;
    case 2:
        if (below_at(2, 4) == 0) {
            static const char *const flows[] = {", 'plastic': {'rate': 0}", ", 'plastic': {'rate': 40}",
                                                ", 'plastic': {'yield_strain': 0.02}"};
            say(input, "body.set", "{'world': 1, 'body': 'gel', 'solid': {'young': %g, 'damping': %u%s}}",
                number_at(0, 1e3, 1e5), 5 * below_at(1, 3), all_kinds ? flows[below_at(4, 3)] : "");
            return;
        }
        if (all_kinds && below_at(3, 2) == 0) {
            say(input, "body.set", "{'world': 1, 'body': %u, 'tear': {'strain': %g}}", body,
                number_at(0, 1e-3, 0.05));
            return;
        }
        if (pressing) {
            say(input, "body.set", "{'world': 1, 'body': %u, 'pressure': {%s}}", body, pressure());
            return;
        }
        if (all_kinds && below_at(3, 3) == 0) {
            say(input, "body.set", "{'world': 1, 'body': %u, 'gravity': [%s]}", body,
                below_at(1, 2) == 0 ? "" : "0.5, -3, 0");
            return;
        }
        if (all_kinds && below_at(4, 2) == 0) {
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
            const uint32_t which = below_at(5, sizeof fields / sizeof *fields);
            say(input, fields[which][0], "%s", fields[which][1]);
            return;
        }
        if (below_at(3, 3) != 0) {
            if (bouncing && below_at(5, 2) == 0) {
                say(input, "body.set", "{'world': 1, 'body': %u, 'restitution': %g}", body,
                    number_at(0, 0, 1));
                return;
            }
            say(input, "body.set", "{'world': 1, 'body': %u, 'friction_kinetic': %g}", body,
                below_at(4, 3) == 0 ? 1000 : number_at(0, 0, 0.4));
            return;
        }
        say(input, "body.set", "{'world': 1, 'body': 'dust', 'name': 'dirt'}");
        return;
    case 3:
        say(input, "particle.set", "{'world': 1, 'body': %u, 'particles': [1], 'positions': [%g, %g, 0]}",
            body, number_at(0, -1, 1), number_at(1, 0, 2));
        return;
    case 4:
        say(input, "particle.set",
            "{'world': 1, 'body': %u, 'particles': [0, 1], 'velocities': [0,1,0, %g,0,0],"
            " 'inverse_masses': [%g, 2]}",
            body, number_at(0, -2, 2), number_at(1, 0, 3));
        return;
    case 5:
        say(input, "particle.pin", "{'world': 1, 'body': %u, 'particles': [1]%s%s%s}", body,
            places[below_at(0, 4)], softness[below_at(1, 6)], all_kinds ? clamping[below_at(2, 4)] : "");
        return;
    default:
        if (all_kinds && below_at(2, 2) == 0) {
            say(input, "body.force", "{'world': 1, 'body': %u%s, 'force': [%g, 0.01, 0]%s}", body,
                forced[below_at(0, 4)], number_at(1, -0.02, 0.02), lasting[below_at(3, 4)]);
            return;
        }
        say(input, "particle.unpin", "{'world': 1, 'body': %u, 'particles': [%u]}", body, below_at(0, 2));
    }
}

static void edit_constraints(struct program_input *input, uint32_t body, uint32_t constraint)
{
    switch (program_below(5)) {
    case 0:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'distance', 'bodies': [%u, %u], 'particles': [0, 1],"
            " 'compliance': %g}",
            body, 1 + below_at(0, 6), number_at(1, 0, 1e-2));
        return;
    case 1:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'dihedral', 'body': %u, 'particles': [0, 1, 2, 3]}", body);
        return;
    case 2:
        say(input, "constraint.set", "{'world': 1, 'constraints': [%u], 'compliance': %g, 'rest': 0.12}",
            constraint, number_at(0, 0, 1e-2));
        return;
    case 3:
        say(input, "constraint.set", "{'world': 1, 'constraints': [%u, %u], 'stiffness': [0.3, 0.9]}",
            constraint, constraint + 1);
        return;
    default:
        say(input, "constraint.remove", "{'world': 1, 'constraints': [%u]}", constraint);
    }
}

static void add_join(struct program_input *input, uint32_t body)
{
    const uint32_t other = 1 + below_at(0, 6), particle = below_at(1, 3);
    switch (program_below(4)) {
    case 0:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'join', 'bodies': [%u, %u], 'particles': [0, %u], 'compliance': %g,"
            " 'damping': 0.5, 'force_limit': %g}",
            body, other, particle, number_at(2, 0, 1e-2), number_at(3, 0, 9));
        return;
    case 1:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'join', 'sides': [1, 3], 'bodies': [%u, %u, %u, %u],"
            " 'particles': [%u, 0, 1, 2], 'weights': [1, 0.5, 0.25, 0.25], 'rest_end': %g, 'seconds': 0.2}",
            other, body, body, body, particle, number_at(2, 0, 1));
        return;
    case 2:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'join', 'sides': [2, 2], 'bodies': [%u, %u, %u, %u],"
            " 'particles': [0, 1, 1, 0], 'rest': [%g], 'stiffness': 0.5, 'force_limit': 2}",
            body, body, other, other, number_at(2, 0, 0.3));
        return;
    default:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'join', 'bodies': [%u, %u, %u, %u], 'particles': [0, 1, %u, 1],"
            " 'rest_end': 0, 'seconds': [0.05, 0.4], 'force_limit': [0, %g]}",
            body, other, body, other, particle, number_at(2, 0, 4));
    }
}

static void add_slide(struct program_input *input, uint32_t body)
{
    const uint32_t ring = 1 + below_at(0, 6), particle = below_at(1, 3);
    switch (program_below(3)) {
    case 0:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'slide', 'bodies': [%u, %u, %u], 'particles': [0, %u, 1], 'friction': %g}",
            body, ring, body, particle, number_at(2, 0, 2));
        return;
    case 1:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'slide', 'bodies': [%u, %u, %u], 'particles': [0, %u, 1], 'ratio': 2,"
            " 'compliance': %g, 'damping': 0.1}",
            body, ring, body, particle, number_at(2, 0, 1e-2));
        return;
    default:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'slide', 'body': %u, 'particles': [0, 1, 2, 1, 2, 0], 'rest': 0.15,"
            " 'stiffness': 0.8, 'friction': [0.2, %g]}",
            body, number_at(2, 0, 1));
    }
}

// Ids are those that the program knows, if it knows any.
static void edit_ties(struct program_input *input, uint32_t constraint)
{
    const uint32_t join = known.join > 0 ? known.join : constraint;
    const uint32_t slide = known.slide > 0 ? known.slide : constraint;
    switch (program_below(6)) {
    case 0:
        say(input, "constraint.set",
            "{'world': 1, 'constraints': [%u], 'rest_end': [%g], 'seconds': %g, 'mend': true}", join,
            number_at(0, 0, 0.5), number_at(1, 0.01, 0.3));
        return;
    case 1:
        say(input, "constraint.set",
            "{'world': 1, 'constraints': [%u], 'rest': 0.1, 'force_limit': %g, 'damping': 1}", join,
            number_at(0, 0, 9));
        return;
    case 2:
        say(input, "constraint.set", "{'world': 1, 'constraints': [%u], 'friction': [%g], 'ratio': 1}", slide,
            below_at(0, 3) * 0.3);
        return;
    case 3:
        say(input, "constraint.set",
            "{'world': 1, 'constraints': [%u], 'friction': 0, 'ratio': %g, 'compliance': 1e-3}", slide,
            number_at(0, 1, 3));
        return;
    case 4:
        say(input, "constraint.set", "{'world': 1, 'constraints': [%u, %u], 'rest': [0.2, %g]}", join, slide,
            number_at(0, 0, 0.5));
        return;
    default:
        say(input, "constraint.remove", "{'world': 1, 'constraints': [%u]}",
            below_at(0, 2) == 0 ? join : slide);
    }
}

// Rings on rails of any body, some of them their own.
static void edit_rails(struct program_input *input, uint32_t body)
{
    const uint32_t ring = 1 + below_at(0, 6), particle = below_at(1, 3);
    switch (program_below(known.rail > 0 ? 5 : 2)) {
    case 0:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'slide_rail', 'bodies': [%u, %u, %u], 'particles': [%u, 0, %u],"
            " 'friction': %g}",
            ring, body, body, particle, 1 + below_at(2, 3), number_at(3, 0, 1));
        return;
    case 1:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'slide_rail', 'bodies': [%u, %u, %u, %u, %u, %u],"
            " 'particles': [%u, 0, 2, 0, 0, 1], 'friction': [0, %g], 'compliance': [1e-4, 0]}",
            ring, body, body, ring, body, body, 1 + below_at(2, 2), number_at(3, 0, 0.5));
        return;
    case 2:
        say(input, "constraint.set", "{'world': 1, 'constraints': [%u], 'friction': %g}", known.rail,
            below_at(0, 3) * 0.3);
        return;
    case 3:
        say(input, "constraint.set", "{'world': 1, 'constraints': [%u], 'compliance': %g, 'damping': 0.1}",
            known.rail, number_at(0, 0, 1e-3));
        return;
    default:
        say(input, "constraint.remove", "{'world': 1, 'constraints': [%u]}", known.rail);
    }
}

// Joints of any body, most of which is not rigid, to others and to the world.
static void edit_joints(struct program_input *input, uint32_t body)
{
    static const char *const models[] = {"ball", "hinge", "fixed", "slider", "distance"};
    const uint32_t other = 1 + below_at(0, 6), particle = below_at(1, 3);
    switch (program_below(known.joint > 0 ? 6 : 3)) {
    case 0:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'joint', 'joint': '%s', 'body': %u, 'particles': [%u], 'sides': [1, 0],"
            " 'axes': [0, 0, 1], 'force_limit': %g}",
            models[below_at(2, 5)], body, particle, number_at(3, 0, 40));
        return;
    case 1:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'joint', 'joint': '%s', 'bodies': [%u, %u], 'particles': [%u, 0],"
            " 'compliance': %g, 'damping': 0.1}",
            models[below_at(2, 5)], body, below_at(4, 2) == 0 ? body : other, 1 + particle,
            number_at(3, 0, 1e-3));
        return;
    case 2:
        say(input, "constraint.add",
            "{'world': 1, 'type': 'joint', 'bodies': [%u, %u, %u, %u], 'particles': [%u, 0, 1, 2], 'sides': "
            "[1, 3]}",
            body, other, other, other, particle);
        return;
    case 3:
        say(input, "constraint.set",
            "{'world': 1, 'constraints': [%u], 'motor': '%s', 'motor_target': %g, 'motor_most': 3}",
            known.joint, below_at(0, 2) == 0 ? "speed" : "target", number_at(1, -3, 3));
        return;
    case 4:
        say(input, "constraint.set",
            "{'world': 1, 'constraints': [%u], 'limits': [%g, 0.5], 'turn_compliance': 0.01, 'mend': true}",
            known.joint, number_at(0, -0.5, 1));
        return;
    default:
        say(input, "constraint.remove", "{'world': 1, 'constraints': [%u]}", known.joint);
    }
}

// Joins, slides, rings on rails and joints, which ticks change as well.
static void tie(struct program_input *input, uint32_t body, uint32_t constraint)
{
    if (all_kinds && below_at(7, 3) == 0) {
        edit_joints(input, body);
        return;
    }
    if (all_kinds && below_at(6, 3) == 0) {
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
        say(input, "grab.begin", "{'world': 1, 'body': %u, 'particle': %u, 'target': [%g, 1, 0]}", body,
            below_at(0, 3), number_at(1, -1, 1));
        return;
    case 1:
        say(input, "grab.move", "{'world': 1, 'grab': %u, 'target': [0, %g, 1]}", grab, number_at(0, 0, 3));
        return;
    default:
        say(input, "grab.end", "{'world': 1, 'grab': %u}", grab);
    }
}

static void lead(struct program_input *input, uint32_t body, uint32_t collider)
{
    switch (program_below(6)) {
    case 0:
        say(input, "motion.add",
            "{'world': 1, 'collider': %u, 'times': [0, 0.1, 0.3], 'loop': true,"
            " 'offsets': [0,0,0, 0,%g,0, 0,0,0]}",
            collider, number_at(0, 0, 0.5));
        return;
    case 1:
        say(input, "motion.add",
            "{'world': 1, 'collider': %u, 'times': [0, 0.4], 'interpolation': 'cubic',"
            " 'offsets': [0,0,0, 0,0.1,0], 'rotations': [0,0,0,1, 0,%g,0,1]}",
            collider, number_at(0, -1, 1));
        return;
    case 2:
        say(input, "motion.add",
            "{'world': 1, 'body': %u, 'particles': [0], 'times': [0, 0.2],"
            " 'offsets': [0,0,0, %g,0,0]}",
            body, number_at(0, -0.5, 0.5));
        return;
    case 3:
        say(input, "motion.add",
            "{'world': 1, 'body': %u, 'particles': [0, 1], 'times': [0, 0.2], 'loop': true,"
            " 'offsets': [0,0,0, 0,0,0], 'rotations': [0,0,0,1, 0.1,0,%g,1]}",
            body, number_at(0, -0.5, 0.5));
        return;
    case 4:
        say(input, "motion.add",
            "{'world': 1, 'body': %u, 'particles': [1, 0], 'times': [0, 0.3], 'loop': true,"
            " 'offsets': [0,0,0, 0,0,0], 'poses': [0,0,0, 0,0,0, 0.1,0,0, 0,%g,0]}",
            body, number_at(0, -0.5, 0.5));
        return;
    default:
        say(input, "motion.remove", "{'world': 1, 'motion': %u}", 1 + below_at(0, 6));
    }
}

static void edit_collider(struct program_input *input, uint32_t collider)
{
    switch (program_below(4)) {
    case 0:
        say(input, "collider.remove", "{'world': 1, 'collider': %u}", collider);
        return;
    case 1:
        say(input, "collider.set",
            "{'world': 1, 'collider': %u, 'radius': %g, 'name': 'stone', 'points': [0,%g,0, 0.3,0,0, "
            "0,0,0.3, 0,0,0], 'columns': 2, 'spacing': %g, 'heights': [0,%g,0.1, 0.3]}",
            collider, number_at(0, 0.1, 0.4), number_at(1, 0.1, 0.4), number_at(2, 0.2, 0.9),
            number_at(3, -0.2, 0.2));
        return;
    case 2:
        say(input, "collider.set", "{'world': 1, 'collider': %u, 'rotation': [0, 0, %g, 1], 'teleport': %s}",
            collider, number_at(0, -0.3, 0.3), program_below(2) == 0 ? "true" : "false");
        return;
    default:
        say(input, "collider.set",
            "{'world': 1, 'collider': %u, 'position': [0, %g, 0], 'friction': 0.4, "
            "'surface_velocity': [%g, 0, 0.2]%s%s}",
            collider, number_at(0, -1, 0), number_at(1, -2, 2),
            below_at(2, 2) == 0 ? ", 'friction_kinetic': 1000" : ", 'friction_kinetic': 0.1",
            !bouncing             ? ""
            : below_at(2, 2) == 0 ? ", 'restitution': 0"
                                  : ", 'restitution': 0.75");
    }
}

// Few of what edits take back: the rest comes of inverses themselves (test_inverses.c).
static void restore(struct program_input *input, uint32_t one)
{
    switch (program_below(4)) {
    case 0:
        say(input, "edit.restore",
            "{'world': 1, 'removed': {'bodies': [%u], 'constraints': [%u], 'motions': [1]}}", one, one * 3);
        return;
    case 1:
        say(input, "edit.restore", "{'world': 1, 'settings': {'damping': %g, 'wind': {'density': 0}}}",
            number_at(0, 0, 1));
        return;
    case 2:
        say(input, "edit.restore",
            "{'world': 1, 'parts': [{'body': %u, 'thickness': 0.02, 'stretch': {'compliance': %g}}]}", one,
            number_at(0, 0, 1e-3));
        return;
    default:
        say(input, "edit.restore",
            "{'world': 1, 'particles': [{'body': %u, 'particles': [0, 1], 'pinned': true, 'state': "
            "{'positions':"
            " [0,%g,0, 0.1,1,0], 'velocities': [0,0,0, 0,0,0]}}]}",
            one, number_at(0, 0, 2));
    }
}

void program_choose(struct program_input *input)
{
    draw();
    switch (program_below(16)) {
    case 0:
    case 1:
        add_body(input);
        return;
    case 2:
        add_collider(input);
        return;
    case 3:
        edit_world(input);
        return;
    case 4:
    case 5:
        edit_body(input, 1 + below_at(4, 8));
        return;
    case 6:
        edit_constraints(input, 1 + below_at(4, 8), 1 + below_at(5, 60));
        return;
    case 7:
        hold(input, 1 + below_at(4, 8), 1 + below_at(5, 6));
        return;
    case 8:
        edit_collider(input, 1 + below_at(4, 4));
        return;
    case 9:
        restore(input, 1 + below_at(4, 8));
        return;
    case 10:
        add_sheet(input);
        return;
    case 11:
        edit_many(input, 1 + below_at(4, 1200));
        return;
    case 12:
    case 13:
        tie(input, 1 + below_at(4, 6), 1 + below_at(5, 60));
        return;
    default:
        lead(input, 1 + below_at(4, 8), 1 + below_at(5, 4));
    }
}
