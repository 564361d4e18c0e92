// Params of a tetrahedron of a solid (kinds/neo_hookean.c).
#ifndef WEFT_SIM_STATE_SOLID_H
#define WEFT_SIM_STATE_SOLID_H

enum sim_solid_param {
    SIM_SOLID_VOLUME, // at rest, m^3, signed
    SIM_SOLID_SIZE,   // follows from it: |6V|^(-2/3)
    SIM_SOLID_SHAPE,  // six entries of G for a volume of 1/6: 00, 11, 22, 01, 02, 12
    SIM_SOLID_POISSON = SIM_SOLID_SHAPE + 6,
    SIM_SOLID_PARAMS,
};

// A tetrahedron is flat where |6V| is at most this part of the product of the three edges at its first corner.
#define SIM_SOLID_FLAT (1.0 / (1 << 12))

#endif
