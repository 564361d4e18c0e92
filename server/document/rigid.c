// Rigid bodies on the wire: the shape of pieces, and their orientations and angular velocities at the start.
#include "document/document.h"
#include "document/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Refuses a field that the form lacks, and asks for those that it has. prefix: before the names of fields.
static bool fields_check(const struct document_reader *reader, const char *prefix,
                         const struct protocol_rigid *given)
{
    static const struct {
        uint64_t bit;
        const char *field;
        bool of[5]; // sphere, capsule, box, hull, compound
    } fields[] = {
        {PROTOCOL_HAS_RIGID_RADIUS, "radius", {true, true, false, false, false}},
        {PROTOCOL_HAS_RIGID_HALF_HEIGHT, "half_height", {false, true, false, false, false}},
        {PROTOCOL_HAS_RIGID_HALF_EXTENTS, "half_extents", {false, false, true, false, false}},
        {PROTOCOL_HAS_RIGID_POINTS, "points", {false, false, false, true, false}},
        {PROTOCOL_HAS_RIGID_PARTS, "parts", {false, false, false, false, true}},
    };
    static const char *const names[] = {"sphere", "capsule", "box", "hull", "compound"};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const bool wanted = fields[i].of[given->form];
        if (wanted != ((given->has & fields[i].bit) != 0)) {
            char field[64];
            snprintf(field, sizeof field, "%s%s", prefix, fields[i].field);
            return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, field,
                                          wanted ? "missing; a %s needs it" : "must be absent of a %s",
                                          names[given->form]);
        }
    }
    return true;
}

// Takes all of a shape except its parts.
static bool take_lengths(const struct document_reader *reader, const char *prefix,
                         const struct protocol_rigid *given, struct sim_rigid_shape *shape,
                         const double **points)
{
    *shape = (struct sim_rigid_shape){.form = (enum sim_rigid_form)given->form};
    if (!fields_check(reader, prefix, given)) {
        return false;
    }
    if (given->has & PROTOCOL_HAS_RIGID_POINTS) {
        if (!document_reader_f64s(reader, "rigid.points", &given->points, given->points.count, NULL,
                                  points)) {
            return false;
        }
        shape->points = *points;
        shape->point_count = given->points.count / 3;
    }
    if (given->has & PROTOCOL_HAS_RIGID_RADIUS) {
        shape->radius = (float)given->radius;
    }
    if (given->form == PROTOCOL_RIGID_FORM_CAPSULE) {
        shape->half_height = (float)given->half_height;
    }
    for (int axis = 0; given->form == PROTOCOL_RIGID_FORM_BOX && axis < 3; axis++) {
        shape->half_extents[axis] = (float)given->half_extents[axis];
    }
    return true;
}

// Quaternions that were told stay as they are; others get a length of 1. name: of the element.
static bool take_quaternion(const struct document_reader *reader, const char *field, const char *name,
                            const double q[4], int32_t out[4])
{
    const double length2 = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    bool whole = fabs(length2 - 1) < 0x1p-27;
    if (!(length2 > 1e-12 && length2 < 1e12)) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, field,
                                      "the length %sis %g; must be between 1e-06 and 1e+06", name,
                                      sqrt(length2));
    }
    for (int k = 0; k < 4 && whole; k++) {
        out[k] = (int32_t)(q[k] * 0x1p30);
        whole = (double)out[k] == q[k] * 0x1p30;
    }
    if (!whole) {
        sim_turn_from(q, out);
    }
    return true;
}

static bool take_rotation(const struct document_reader *reader, uint32_t element, const double q[4],
                          int32_t out[4])
{
    char name[32];
    snprintf(name, sizeof name, "of element %u ", element);
    return take_quaternion(reader, "rotations", name, q, out);
}

// A part as a piece of its own.
static struct protocol_rigid piece_of(const struct protocol_rigid_part *part)
{
    static const struct {
        uint64_t bit, of_piece;
    } fields[] = {
        {PROTOCOL_HAS_RIGID_PART_RADIUS, PROTOCOL_HAS_RIGID_RADIUS},
        {PROTOCOL_HAS_RIGID_PART_HALF_HEIGHT, PROTOCOL_HAS_RIGID_HALF_HEIGHT},
        {PROTOCOL_HAS_RIGID_PART_HALF_EXTENTS, PROTOCOL_HAS_RIGID_HALF_EXTENTS},
        {PROTOCOL_HAS_RIGID_PART_POINTS, PROTOCOL_HAS_RIGID_POINTS},
    };
    struct protocol_rigid piece = {.has = PROTOCOL_HAS_RIGID_FORM,
                                   .form = part->form,
                                   .radius = part->radius,
                                   .half_height = part->half_height,
                                   .points = part->points};
    memcpy(piece.half_extents, part->half_extents, sizeof piece.half_extents);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        piece.has |= (part->has & fields[i].bit) != 0 ? fields[i].of_piece : 0;
    }
    return piece;
}

static bool take_parts(const struct document_reader *reader, const struct protocol_list *given,
                       struct sim_rigid_shape *shape, struct document_body_arrays *arrays)
{
    const struct protocol_rigid_part *items = given->items;
    arrays->parts = calloc((size_t)given->count + 1, sizeof *arrays->parts);
    if (!arrays->parts) {
        return document_reader_memory(reader);
    }
    shape->parts = arrays->parts;
    shape->part_count = given->count;
    for (uint32_t i = 0; i < given->count; i++) {
        struct sim_rigid_part *part = &arrays->parts[i];
        const struct protocol_rigid piece = piece_of(&items[i]);
        char prefix[32], field[64];
        snprintf(prefix, sizeof prefix, "rigid.parts[%u].", i);
        snprintf(field, sizeof field, "%srotation", prefix);
        arrays->part_count = i + 1;
        if (!take_lengths(reader, prefix, &piece, &part->shape, &part->shape.points) ||
            !take_quaternion(reader, field, "", items[i].rotation, part->turn)) {
            return false;
        }
        memcpy(part->position, items[i].position, sizeof part->position);
    }
    return true;
}

static void take_measures(const struct protocol_rigid_measures *given, struct sim_rigid_shape *shape)
{
    shape->measured = true;
    shape->measures.volume = given->volume;
    memcpy(shape->measures.centre, given->centre, sizeof shape->measures.centre);
    memcpy(shape->measures.inertia, given->inertia, sizeof shape->measures.inertia);
    memcpy(shape->measures.products, given->products, sizeof shape->measures.products);
}

static bool take_shape(const struct document_reader *reader, const struct protocol_rigid *given,
                       struct sim_rigid_shape *shape, struct document_body_arrays *arrays)
{
    const bool compound = given->form == PROTOCOL_RIGID_FORM_COMPOUND;
    if (!take_lengths(reader, "rigid.", given, shape, &arrays->hull)) {
        return false;
    }
    if (given->has & PROTOCOL_HAS_RIGID_MEASURES) {
        if (!compound) {
            return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "rigid.measures",
                                          "must be absent; only a compound has measures of its own");
        }
        take_measures(&given->measures, shape);
    }
    return !compound || take_parts(reader, &given->parts, shape, arrays);
}

static bool take_turned(const struct protocol_body_add_params *params, uint32_t count,
                        struct document_body_arrays *arrays, const struct document_reader *reader)
{
    const bool rotations = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_ROTATIONS;
    const bool spins = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_ANGULAR_VELOCITIES;
    if ((rotations && !document_reader_f64s(reader, "rotations", &params->rotations, 4 * count,
                                            "x, y, z, w of each piece", &arrays->rotations)) ||
        (spins && !document_reader_f32s(reader, "angular_velocities", &params->angular_velocities, 3 * count,
                                        "x, y, z of each piece", &arrays->spins))) {
        return false;
    }
    arrays->turned = rotations || spins ? calloc((size_t)count + 1, sizeof *arrays->turned) : NULL;
    if ((rotations || spins) && !arrays->turned) {
        return document_reader_memory(reader);
    }
    for (uint32_t i = 0; arrays->turned && i < count; i++) {
        arrays->turned[i].q[3] = 1 << 30;
        if (rotations && !take_rotation(reader, i, arrays->rotations + 4 * (size_t)i, arrays->turned[i].q)) {
            return false;
        }
        if (spins) {
            memcpy(arrays->turned[i].spin, arrays->spins + 3 * (size_t)i, sizeof arrays->turned[i].spin);
        }
    }
    return true;
}

bool document_rigid_take(const struct protocol_body_add_params *params, struct sim_body_desc *desc,
                         struct document_body_arrays *arrays, const struct document_reader *reader)
{
    const struct {
        uint64_t bit;
        const char *field;
    } own[] = {
        {PROTOCOL_HAS_BODY_ADD_PARAMS_RIGID, "rigid"},
        {PROTOCOL_HAS_BODY_ADD_PARAMS_ROTATIONS, "rotations"},
        {PROTOCOL_HAS_BODY_ADD_PARAMS_ANGULAR_VELOCITIES, "angular_velocities"},
    };
    const bool is = params->kind == PROTOCOL_BODY_ADD_PARAMS_KIND_RIGID;
    for (size_t i = 0; !is && i < sizeof own / sizeof own[0]; i++) {
        if (params->has & own[i].bit) {
            return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, own[i].field,
                                          "must be absent; it is for kind rigid");
        }
    }
    if (!is) {
        return true;
    }
    if (!(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_RIGID)) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "rigid",
                                      "missing; kind rigid needs the shape of its pieces");
    }
    arrays->rigid = calloc(1, sizeof *arrays->rigid);
    if (!arrays->rigid) {
        return document_reader_memory(reader);
    }
    desc->rigid = arrays->rigid;
    if (!take_shape(reader, &params->rigid, arrays->rigid, arrays) ||
        !take_turned(params, desc->particle_count, arrays, reader)) {
        return false;
    }
    desc->turned = arrays->turned;
    return true;
}

static const uint64_t lengths[] = {
    [SIM_RIGID_SPHERE] = PROTOCOL_HAS_RIGID_RADIUS,
    [SIM_RIGID_CAPSULE] = PROTOCOL_HAS_RIGID_RADIUS | PROTOCOL_HAS_RIGID_HALF_HEIGHT,
    [SIM_RIGID_BOX] = PROTOCOL_HAS_RIGID_HALF_EXTENTS,
    [SIM_RIGID_HULL] = PROTOCOL_HAS_RIGID_POINTS,
    [SIM_RIGID_COMPOUND] = PROTOCOL_HAS_RIGID_PARTS,
};

static const uint64_t part_lengths[] = {
    [SIM_RIGID_SPHERE] = PROTOCOL_HAS_RIGID_PART_RADIUS,
    [SIM_RIGID_CAPSULE] = PROTOCOL_HAS_RIGID_PART_RADIUS | PROTOCOL_HAS_RIGID_PART_HALF_HEIGHT,
    [SIM_RIGID_BOX] = PROTOCOL_HAS_RIGID_PART_HALF_EXTENTS,
    [SIM_RIGID_HULL] = PROTOCOL_HAS_RIGID_PART_POINTS,
};

static void fill_part(const struct sim_rigid_part *part, struct protocol_rigid_part *out)
{
    const struct sim_rigid_shape *shape = &part->shape;
    *out = (struct protocol_rigid_part){
        .has = PROTOCOL_HAS_RIGID_PART_FORM | PROTOCOL_HAS_RIGID_PART_POSITION |
               PROTOCOL_HAS_RIGID_PART_ROTATION | part_lengths[shape->form],
        .form = (int)shape->form,
        .radius = (double)shape->radius,
        .half_height = (double)shape->half_height,
        .points = {PROTOCOL_ARRAY_F64, 3 * shape->point_count, shape->points},
    };
    for (int axis = 0; axis < 3; axis++) {
        out->half_extents[axis] = (double)shape->half_extents[axis];
        out->position[axis] = part->position[axis];
    }
    for (int k = 0; k < 4; k++) {
        out->rotation[k] = part->turn[k] * 0x1p-30;
    }
}

bool document_rigid_fill(const struct sim_rigid_shape *shape, struct protocol_rigid_part *parts,
                         struct protocol_rigid *out)
{
    if (!shape || !parts) {
        return false;
    }
    for (uint32_t i = 0; i < shape->part_count; i++) {
        fill_part(&shape->parts[i], &parts[i]);
    }
    *out = (struct protocol_rigid){
        .has = PROTOCOL_HAS_RIGID_FORM | lengths[shape->form],
        .form = (int)shape->form,
        .radius = (double)shape->radius,
        .half_height = (double)shape->half_height,
        .half_extents = {(double)shape->half_extents[0], (double)shape->half_extents[1],
                         (double)shape->half_extents[2]},
        .points = {PROTOCOL_ARRAY_F64, 3 * shape->point_count, shape->points},
        .parts = {.items = parts, .count = shape->part_count},
    };
    if (shape->measured) {
        out->has |= PROTOCOL_HAS_RIGID_MEASURES;
        out->measures =
            (struct protocol_rigid_measures){.has = PROTOCOL_HAS_ALL, .volume = shape->measures.volume};
        memcpy(out->measures.centre, shape->measures.centre, sizeof out->measures.centre);
        memcpy(out->measures.inertia, shape->measures.inertia, sizeof out->measures.inertia);
        memcpy(out->measures.products, shape->measures.products, sizeof out->measures.products);
    }
    return true;
}
