// Materials by name: a fabric fills in what body.add leaves open. Parameters have the numbers then, and no name, so that a record makes the
// same body whatever a later table says. The name is told of bodies whose numbers are those of the table.
#include "document/parts.h"
#include "protocol/error.h"
#include "protocol/fabrics.h"
#include "protocol/params.h"

// Members by which a map says itself how stiff something is.
#define STRETCHES                                                                     \
    (PROTOCOL_HAS_STRETCH_MATERIAL_MODEL | PROTOCOL_HAS_STRETCH_MATERIAL_COMPLIANCE | \
     PROTOCOL_HAS_STRETCH_MATERIAL_STIFFNESS | PROTOCOL_HAS_STRETCH_MATERIAL_WARP |   \
     PROTOCOL_HAS_STRETCH_MATERIAL_WEFT)
#define BENDS                                                                     \
    (PROTOCOL_HAS_BEND_MATERIAL_MODEL | PROTOCOL_HAS_BEND_MATERIAL_COMPLIANCE |   \
     PROTOCOL_HAS_BEND_MATERIAL_STIFFNESS | PROTOCOL_HAS_BEND_MATERIAL_RIGIDITY | \
     PROTOCOL_HAS_BEND_MATERIAL_WARP | PROTOCOL_HAS_BEND_MATERIAL_WEFT)

static void stretch_take(const struct protocol_fabric *fabric, struct protocol_stretch_material *stretch)
{
    stretch->model = PROTOCOL_STRETCH_MATERIAL_MODEL_ORTHOTROPIC;
    stretch->warp = fabric->stretch_warp;
    stretch->weft = fabric->stretch_weft;
    if (!(stretch->has & PROTOCOL_HAS_STRETCH_MATERIAL_SHEAR)) {
        stretch->shear = fabric->stretch_shear;
    }
    if (!(stretch->has & PROTOCOL_HAS_STRETCH_MATERIAL_POISSON)) {
        stretch->poisson = fabric->poisson;
    }
    stretch->has |= PROTOCOL_HAS_STRETCH_MATERIAL_MODEL | PROTOCOL_HAS_STRETCH_MATERIAL_WARP |
                    PROTOCOL_HAS_STRETCH_MATERIAL_WEFT | PROTOCOL_HAS_STRETCH_MATERIAL_SHEAR |
                    PROTOCOL_HAS_STRETCH_MATERIAL_POISSON;
}

static void bend_take(const struct protocol_fabric *fabric, struct protocol_bend_material *bend)
{
    bend->warp = fabric->bend_warp;
    bend->weft = fabric->bend_weft;
    if (!(bend->has & PROTOCOL_HAS_BEND_MATERIAL_BIAS)) {
        bend->bias = fabric->bend_bias;
    }
    bend->has |=
        PROTOCOL_HAS_BEND_MATERIAL_WARP | PROTOCOL_HAS_BEND_MATERIAL_WEFT | PROTOCOL_HAS_BEND_MATERIAL_BIAS;
}

bool document_named_take(struct protocol_body_add_params *params, struct protocol_error *error)
{
    const uint64_t weighs = PROTOCOL_HAS_BODY_ADD_PARAMS_DENSITY | PROTOCOL_HAS_BODY_ADD_PARAMS_MASSES;
    if (!(params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_MATERIAL)) {
        return true;
    }
    if (params->kind != PROTOCOL_BODY_ADD_PARAMS_KIND_CLOTH) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "material",
                           "material: must be absent; the table has fabrics, for kind cloth");
        return false;
    }
    const struct protocol_fabric *fabric = &protocol_fabrics[params->material];
    const bool stretches = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_STRETCH;
    const bool bends = params->has & PROTOCOL_HAS_BODY_ADD_PARAMS_BEND;
    if (!(params->has & weighs)) {
        params->density = fabric->density;
        params->has |= PROTOCOL_HAS_BODY_ADD_PARAMS_DENSITY;
    }
    if (!stretches) {
        protocol_defaults(&protocol_stretch_material_type, &params->stretch);
    }
    if (!stretches || !(params->stretch.has & STRETCHES)) {
        stretch_take(fabric, &params->stretch);
        params->has |= PROTOCOL_HAS_BODY_ADD_PARAMS_STRETCH;
    }
    if (!bends) {
        protocol_defaults(&protocol_bend_material_type, &params->bend);
    }
    if (!bends || !(params->bend.has & BENDS)) {
        bend_take(fabric, &params->bend);
        params->has |= PROTOCOL_HAS_BODY_ADD_PARAMS_BEND;
    }
    params->has &= ~(uint64_t)PROTOCOL_HAS_BODY_ADD_PARAMS_MATERIAL;
    params->material = 0;
    return true;
}

bool document_named_find(const struct protocol_stretch_material *stretch,
                         const struct protocol_bend_material *bend, int *name)
{
    const uint64_t yarns = PROTOCOL_HAS_STRETCH_MATERIAL_WARP | PROTOCOL_HAS_STRETCH_MATERIAL_WEFT;
    bool found = false;
    *name = 0;
    for (int f = 0; f < PROTOCOL_FABRICS && !found && (stretch->has & yarns) == yarns; f++) {
        const struct protocol_fabric *fabric = &protocol_fabrics[f];
        found = stretch->model == PROTOCOL_STRETCH_MATERIAL_MODEL_ORTHOTROPIC &&
                stretch->warp == fabric->stretch_warp && stretch->weft == fabric->stretch_weft &&
                stretch->shear == fabric->stretch_shear && stretch->poisson == fabric->poisson &&
                bend->warp == fabric->bend_warp && bend->weft == fabric->bend_weft &&
                bend->bias == fabric->bend_bias;
        *name = found ? f : 0;
    }
    return found;
}
