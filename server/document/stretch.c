// Stretch materials as the structs that go on the wire, and back: how soft edges are, or warp and weft of a cloth.
#include "document/parts.h"

#include <string.h>

enum {
    STRETCH_FIELDS = PROTOCOL_HAS_STRETCH_MATERIAL_COMPLIANCE + 2 * PROTOCOL_HAS_STRETCH_MATERIAL_DAMPING +
                     4 * PROTOCOL_HAS_STRETCH_MATERIAL_STIFFNESS,
    MATERIAL_FIELDS = PROTOCOL_HAS_MATERIAL_COMPLIANCE + 2 * PROTOCOL_HAS_MATERIAL_DAMPING +
                      4 * PROTOCOL_HAS_MATERIAL_STIFFNESS,
};
_Static_assert(STRETCH_FIELDS == MATERIAL_FIELDS, "the fields of a material come first in that of stretch");

// The fields that an orthotropic stretch has and no other.
static const struct {
    uint64_t bit;
    const char *field;
} fabric_fields[] = {
    {PROTOCOL_HAS_STRETCH_MATERIAL_WARP, "stretch.warp"},
    {PROTOCOL_HAS_STRETCH_MATERIAL_WEFT, "stretch.weft"},
    {PROTOCOL_HAS_STRETCH_MATERIAL_SHEAR, "stretch.shear"},
    {PROTOCOL_HAS_STRETCH_MATERIAL_POISSON, "stretch.poisson"},
    {PROTOCOL_HAS_STRETCH_MATERIAL_DIRECTION, "stretch.direction"},
    {PROTOCOL_HAS_STRETCH_MATERIAL_ANGLE, "stretch.angle"},
};
enum { FABRIC_FIELDS = sizeof fabric_fields / sizeof *fabric_fields, FABRIC_NEEDS = 3 };

static void fabric_fill(const struct sim_body_info *info, struct protocol_stretch_material *out)
{
    const struct sim_material *material = &info->stretch;
    out->model = PROTOCOL_STRETCH_MATERIAL_MODEL_ORTHOTROPIC;
    out->compliance = 0; // follows from what is told here, and a client may give all of it again
    out->warp = material->warp;
    out->weft = material->weft;
    out->shear = material->shear;
    out->poisson = material->poisson;
    memcpy(out->direction, info->yarns.direction, sizeof out->direction);
    out->angle = info->yarns.angle;
}

void document_stretch_fill(const struct sim_body_info *info, struct protocol_stretch_material *out)
{
    const struct sim_material none = {.stiffness = -1}; // a rod has another material, which `rod` tells
    const struct sim_material *material = info->rod ? &none : &info->stretch;
    *out = (struct protocol_stretch_material){
        .has = PROTOCOL_HAS_ALL,
        .compliance = material->compliance,
        .damping = material->damping,
        .stiffness = material->stiffness,
        .limit = material->limit,
    };
    if (material->stiffness < 0) {
        out->has &= ~PROTOCOL_HAS_STRETCH_MATERIAL_STIFFNESS;
        out->stiffness = 0;
    }
    if (material->limit == 0) {
        out->has &= ~PROTOCOL_HAS_STRETCH_MATERIAL_LIMIT;
    }
    if (info->stretch_model == SIM_STRETCH_ORTHOTROPIC) {
        fabric_fill(info, out);
        out->has &= info->uvs ? ~(uint64_t)PROTOCOL_HAS_STRETCH_MATERIAL_DIRECTION : PROTOCOL_HAS_ALL;
        return;
    }
    out->has &= ~PROTOCOL_HAS_STRETCH_MATERIAL_MODEL;
    for (int f = 0; f < FABRIC_FIELDS; f++) {
        out->has &= ~fabric_fields[f].bit;
    }
}

struct protocol_material document_stretch_material(const struct protocol_stretch_material *given)
{
    return (struct protocol_material){
        .has = given->has & (PROTOCOL_HAS_MATERIAL_COMPLIANCE | PROTOCOL_HAS_MATERIAL_DAMPING |
                             PROTOCOL_HAS_MATERIAL_STIFFNESS),
        .compliance = given->compliance,
        .damping = given->damping,
        .stiffness = given->stiffness,
    };
}

bool document_is_fabric(const struct protocol_stretch_material *given)
{
    return (given->has & PROTOCOL_HAS_STRETCH_MATERIAL_MODEL) &&
           given->model == PROTOCOL_STRETCH_MATERIAL_MODEL_ORTHOTROPIC;
}

bool document_fabric_alone(const struct protocol_stretch_material *given, bool fabric,
                           const struct document_reader *reader)
{
    for (int f = 0; !fabric && f < FABRIC_FIELDS; f++) {
        if (given->has & fabric_fields[f].bit) {
            return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, fabric_fields[f].field,
                                          "must be absent; it is for model orthotropic");
        }
    }
    const bool compliance = (given->has & PROTOCOL_HAS_STRETCH_MATERIAL_COMPLIANCE) && given->compliance != 0;
    if (fabric && (compliance || (given->has & PROTOCOL_HAS_STRETCH_MATERIAL_STIFFNESS))) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID,
                                      compliance ? "stretch.compliance" : "stretch.stiffness",
                                      "must be absent with model orthotropic; give warp, weft and shear");
    }
    return true;
}

void document_fabric_merge(const struct protocol_stretch_material *given, struct sim_material *stretch)
{
    const struct {
        uint64_t bit;
        double from, *to;
    } values[] = {{PROTOCOL_HAS_STRETCH_MATERIAL_WARP, given->warp, &stretch->warp},
                  {PROTOCOL_HAS_STRETCH_MATERIAL_WEFT, given->weft, &stretch->weft},
                  {PROTOCOL_HAS_STRETCH_MATERIAL_SHEAR, given->shear, &stretch->shear},
                  {PROTOCOL_HAS_STRETCH_MATERIAL_POISSON, given->poisson, &stretch->poisson}};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        if (given->has & values[v].bit) {
            *values[v].to = values[v].from;
        }
    }
}

bool document_fabric_take(const struct protocol_stretch_material *given, struct sim_yarns *yarns,
                          struct sim_material *stretch, const struct document_reader *reader)
{
    const bool fabric = document_is_fabric(given);
    if (!document_fabric_alone(given, fabric, reader)) {
        return false;
    }
    for (int f = 0; fabric && f < FABRIC_NEEDS; f++) {
        if (!(given->has & fabric_fields[f].bit)) {
            return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, fabric_fields[f].field,
                                          "absent; model orthotropic needs warp, weft and shear in N/m");
        }
    }
    *yarns = (struct sim_yarns){.direction = {1, 0, 0}};
    if (given->has & PROTOCOL_HAS_STRETCH_MATERIAL_DIRECTION) {
        memcpy(yarns->direction, given->direction, sizeof yarns->direction);
    }
    if (given->has & PROTOCOL_HAS_STRETCH_MATERIAL_ANGLE) {
        yarns->angle = given->angle;
    }
    if (fabric) {
        document_fabric_merge(given, stretch);
    }
    return true;
}

const char *document_fabric_differs(const struct protocol_stretch_material *given,
                                    const struct sim_body_info *info)
{
    const bool fabric = info->stretch_model == SIM_STRETCH_ORTHOTROPIC;
    if ((given->has & PROTOCOL_HAS_STRETCH_MATERIAL_MODEL) && document_is_fabric(given) != fabric) {
        return "stretch.model";
    }
    for (int axis = 0; fabric && axis < 3; axis++) {
        if ((given->has & PROTOCOL_HAS_STRETCH_MATERIAL_DIRECTION) &&
            given->direction[axis] != info->yarns.direction[axis]) {
            return "stretch.direction";
        }
    }
    return fabric && (given->has & PROTOCOL_HAS_STRETCH_MATERIAL_ANGLE) && given->angle != info->yarns.angle
               ? "stretch.angle"
               : NULL;
}
