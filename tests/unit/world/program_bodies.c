// Random bodies: cloths, ropes, points, soft and rigid ones, with what they may have.
#include "program_parts.h"

#include <stdio.h>

const char *program_pressure(void)
{
    static const char *const pressures[] = {
        "'overpressure': 500", "'model': 'gas', 'overpressure': 3000, 'seconds': 0.3",
        "'model': 'volume'",   "'model': 'volume', 'ratio': 1.2, 'compliance': 1e-6, 'seconds': 0.2",
        "'model': 'none'",     "'seconds': 0.1",
        "'volume': 0.002",     "'ambient': 0"};
    return pressures[program_below_at(7, 8)];
}

const char *program_shape(void)
{
    static const char *const shapes[] = {
        "'compliance': 0.001", "'radius': 0.15", "'radius': 0.3, 'spacing': 0.1, 'compliance': 1e-5",
        "'model': 'none'",     "'radius': 0",    "'spacing': 0.05",
        "'compliance': 0",     "'positions': []"};
    return shapes[program_below_at(5, 8)];
}

static void add_balloon(struct program_input *input, double y, const char *material)
{
    program_say(input, "body.add",
                "{'world': 1, 'kind': 'cloth', 'positions': [0.1,%g,0, 0,%g,0, 0,%g,0.1, -0.1,%g,0, 0,%g,0, "
                "0,%g,-0.1],"
                " 'triangles': [0,1,2, 1,3,2, 3,4,2, 4,0,2, 1,0,5, 3,1,5, 4,3,5, 0,4,5], 'pressure': {%s}%s}",
                y, y + 0.1, y, y, y - 0.1, y, program_pressure(), material);
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
        "'form': 'sphere', 'radius': 0.1",
        "'form': 'capsule', 'radius': 0.05, 'half_height': 0.1",
        "'form': 'box', 'half_extents': [0.1, 0.05, 0.2]",
        "'form': 'box', 'radius': 0.1",
        "'form': 'hull', 'points': [0,0,0, 0.2,0,0, 0,0.1,0, 0,0,0.2, 0.1,0.2,0.1]",
        ("'form': 'compound', 'parts': [{'form': 'sphere', 'radius': 0.1}, {'form': 'hull', 'points': "
         "[0,0,0, 0.2,0,0, 0,0.1,0, 0,0,0.2], 'position': [0.2,0,0.1], 'rotation': [0,1,0.5,1]}]")};
    static const char *const turns[] = {
        "", ", 'angular_velocities': [1,2,3, 0,0,0, -9,5,0, 0,0,400]",
        ", 'density': 200, 'rotations': [0.1,0.2,0.3,1, 0,0,0,-1, 3,0,0,0, -1,-1,-1,-1]",
        (", 'masses': [1, 0, 2, 0.5], 'rotations': [0.1,0.2,0.3,1, 0,0,0,1, 1,0,0,1, 0,1,0,1], "
         "'angular_velocities': [1,2,3, 0,0,1, -9,5,0, 0,0,40]")};
    program_say(
        input, "body.add",
        "{'world': 1, 'kind': 'rigid', 'positions': [0,%g,0, 0.3,%g,0, 0.6,%g,0.1, 0.9,%g,0], 'rigid': "
        "{%s}%s%s}",
        y, y, y, y, shapes[program_below_at(1, 6)], turns[program_below_at(4, 4)], held);
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
    const double y = program_number_at(3, 0, 2);
    int length = snprintf(material, sizeof material, "%s%s", fabrics[program_below_at(1, 4)],
                          holds[program_below_at(2, 4)]);
    if (program_below_at(0, 2) == 0) {
        snprintf(material + length, sizeof material - (size_t)length, ", 'shape': {%s}", program_shape());
    }
    switch (program_below(6)) {
    case 5:
        add_rigid(input, y, holds[program_below_at(2, 3)]);
        return;
    case 4:
        program_say(
            input, "body.add",
            "{'world': 1, 'kind': 'points', 'positions': [0,%g,0, 0.2,%g,0, 0,%g,0, 0,%g,0.2, 0.1,%g,0.3], "
            "'masses': [1, 2, 1, 0.5, 1], 'shape': {%s}}",
            y, y, y + 0.2, y, y + 0.1, program_shape());
        return;
    case 0:
        add_balloon(input, y, material);
        return;
    case 3:
        program_say(
            input, "body.add",
            "{'world': 1, 'kind': 'rope', 'positions': [0,%g,0, 0.1,%g,0, 0.2,%g,0.05, 0.3,%g,0], 'rod': "
            "{'radius': "
            "0.01, 'young': %g, 'damping': 0.01%s}%s}",
            y, y, y, y, program_number_at(4, 1e5, 1e7),
            program_below_at(5, 2) == 0 ? ", 'rest': [1, 0, 0.5], 'twist': 3"
                                        : ", 'plastic': {'yield_angle': 0.01, 'rate': 90}",
            clamps[program_below_at(2, 4)]);
        return;
    case 1:
        program_say(input, "body.add", "{'world': 1, 'kind': 'cloth', %s%s%s}", sheet(), material,
                    program_below_at(4, 2) ? tears[program_below_at(5, 3)] : pieces());
        return;
    default:
        program_say(
            input, "body.add",
            "{'world': 1, 'kind': 'soft', 'positions': [0,%g,0, 0.2,%g,0, 0,%g,0, 0,%g,0.2, 0.2,%g,0.2], "
            "'tets': [0,1,2,3, 1,2,3,4], 'solid': {'young': %g, 'poisson': 0.3, 'damping': 2%s}%s}",
            y, y, y + 0.2, y, y + 0.2, program_number_at(4, 1e3, 1e5), flows[program_below_at(1, 4)],
            holds[program_below_at(2, 4)]);
    }
}

void program_add_body(struct program_input *input)
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
    if (program_has.all_kinds && program_below_at(6, 3) == 0) {
        add_mixed(input);
        return;
    }
    const char *material = materials[program_below(4)];
    double y = program_number_at(3, 0, 2);
    switch (program_below(4)) {
    case 0:
        program_say(
            input, "body.add",
            "{'world': 1, 'kind': 'cloth', 'positions': [0,%g,0, 0.1,%g,0, 0,%g,0.1, 0.1,%g,0.1, 0,%g,0.2, "
            "0.1,%g,0.2],"
            " 'triangles': [0,2,1, 1,2,3, 2,4,3, 3,4,5], 'pins': [%u]%s%s}",
            y, y, y, y, y, y, program_below_at(0, 6), program_below(3) == 0 ? fabric : material,
            bends[program_below_at(1, 4)]);
        return;
    case 1:
        if (program_below_at(5, 4) == 0) {
            program_say(
                input, "body.add",
                "{'world': 1, 'kind': 'soft', 'positions': [0,%g,0, 0.2,%g,0, 0,%g,0, 0,%g,0.2, 0.2,%g,0.2], "
                "'tets': [0,1,2,3, 1,2,3,4], %s'solid': {'young': %g, 'poisson': 0.4%s}}",
                y, y, y + 0.2, y, y + 0.2, program_below_at(2, 3) == 0 ? "'name': 'gel', " : "",
                program_number_at(4, 1e3, 1e5),
                program_has.all_kinds ? ", 'plastic': {'yield_strain': 0.01}" : "");
            return;
        }
        program_say(input, "body.add",
                    "{'world': 1, 'kind': 'soft', 'positions': [0,%g,0, 0.2,%g,0, 0,%g,0, 0,%g,0.2], 'tets': "
                    "[0,1,2,3],"
                    " 'volume': {'compliance': 0.001}%s}",
                    y, y, y + 0.2, y, material);
        return;
    case 2:
        program_say(input, "body.add",
                    "{'world': 1, 'kind': 'rope', 'positions': [0,%g,0, 0.1,%g,0, 0.2,%g,0], 'pins': [0]%s}",
                    y, y, y, material);
        return;
    default:
        if (program_has.pressing) {
            add_balloon(input, y, material);
            return;
        }
        program_say(input, "body.add",
                    "{'world': 1, 'kind': 'points', 'positions': [%g,%g,0, 0,%g,1], 'masses': 1%s}",
                    program_number_at(0, -1, 1), y, y, program_below_at(1, 4) == 0 ? ", 'name': 'dust'" : "");
    }
}

void program_add_sheet(struct program_input *input)
{
    static const char *const bends[] = {"", "'bend': {'model': 'isometric'}, ",
                                        "'bend': {'plastic': {'yield_angle': 0.05, 'greatest': 1}}, "};
    program_say(input, "body.add", "{'world': 1, 'kind': 'cloth', %s'pins': [%u, 3], %s%s}",
                bends[program_below_at(6, 3)], 4 + program_below_at(7, 7), sheet(),
                program_below(2)
                    ? ", 'skin': {'particles': [0,1,2,3, 1,2,3,4, 9,8,7,6], 'weights': [0.25,0.25,0.25,"
                      "0.25, 1,0,0,0, 0.5,0.5,0,0], 'triangles': [0,1,2]}, 'look': {'uvs': "
                      "[0,0,1,0,0,1], 'materials': [{'name': 'felt', 'color': [1,0,0,1]}]}"
                    : ", 'name': 'sheet'");
}
