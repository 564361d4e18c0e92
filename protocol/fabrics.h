// The fabrics of protocol/materials.json as numbers, in the order of the values of body.add's `material`. docs/concepts/materials.md says
// where they are from.
#ifndef WEFT_PROTOCOL_FABRICS_H
#define WEFT_PROTOCOL_FABRICS_H

#include "protocol/generated/api.h"

enum { PROTOCOL_FABRICS = PROTOCOL_BODY_ADD_PARAMS_MATERIAL_SWIMSUIT + 1 };

struct protocol_fabric {
    const char *name;
    double density;                                            // kg/m^2
    double stretch_warp, stretch_weft, stretch_shear, poisson; // N/m
    double bend_warp, bend_weft, bend_bias;                    // N m
};

extern const struct protocol_fabric protocol_fabrics[PROTOCOL_FABRICS];

#endif
