// Rigid bodies on the wire: the shape of pieces, and their orientations and angular velocities at the start.
#include "document/document.h"
#include "document/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool take_shape(const struct document_reader *reader, const struct protocol_rigid *given,
                       struct sim_rigid_shape *shape, struct document_body_arrays *arrays)
{
    static const struct {
        uint64_t bit;
        const char *field;
        bool of[4]; // sphere, capsule, box, hull
    } fields[] = {
        {PROTOCOL_HAS_RIGID_RADIUS, "rigid.radius", {true, true, false, false}},
        {PROTOCOL_HAS_RIGID_HALF_HEIGHT, "rigid.half_height", {false, true, false, false}},
        {PROTOCOL_HAS_RIGID_HALF_EXTENTS, "rigid.half_extents", {false, false, true, false}},
        {PROTOCOL_HAS_RIGID_POINTS, "rigid.points", {false, false, false, true}},
    };
    static const char *const names[] = {"sphere", "capsule", "box", "hull"};
    *shape = (struct sim_rigid_shape){.form = (enum sim_rigid_form)given->form};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const bool wanted = fields[i].of[given->form];
        if (wanted != ((given->has & fields[i].bit) != 0)) {
            return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, fields[i].field,
                                          wanted ? "missing; a %s needs it" : "must be absent of a %s",
                                          names[given->form]);
        }
    }
    if (given->has & PROTOCOL_HAS_RIGID_POINTS) {
        if (!document_reader_f64s(reader, "rigid.points", &given->points, given->points.count, NULL,
                                  &arrays->hull)) {
            return false;
        }
        shape->points = arrays->hull;
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

// Quaternions that were told stay as they are; others get a length of 1.
static bool take_rotation(const struct document_reader *reader, uint32_t element, const double q[4],
                          int32_t out[4])
{
    const double length2 = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    bool whole = fabs(length2 - 1) < 0x1p-27;
    if (!(length2 > 1e-12 && length2 < 1e12)) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "rotations",
                                      "the length of element %u is %g; must be between 1e-06 and 1e+06",
                                      element, sqrt(length2));
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
};

bool document_rigid_fill(const struct sim_rigid_shape *shape, struct protocol_rigid *out)
{
    if (!shape) {
        return false;
    }
    *out = (struct protocol_rigid){
        .has = PROTOCOL_HAS_RIGID_FORM | lengths[shape->form],
        .form = (int)shape->form,
        .radius = (double)shape->radius,
        .half_height = (double)shape->half_height,
        .half_extents = {(double)shape->half_extents[0], (double)shape->half_extents[1],
                         (double)shape->half_extents[2]},
        .points = {PROTOCOL_ARRAY_F64, 3 * shape->point_count, shape->points},
    };
    return true;
}
