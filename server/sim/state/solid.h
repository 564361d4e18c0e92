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

// How far the shape that the params hold has flowed from the one of these offsets of corners 1, 2 and 3 from corner 0, of any scale: an
// equivalent logarithmic strain (kinds/solid_flow.c). 4 if either is no shape of a tetrahedron.
double sim_solid_flowed(const float *params, const double offsets[3][3]);

// The cube root of a finite number above 0, by sums, products and quotients alone.
static inline double sim_cube_root(double a)
{
    double scale = 1, root = 1;
    for (; a < 0.125; scale *= 0.5) {
        a *= 8;
    }
    for (; a > 1; scale *= 2) {
        a *= 0.125;
    }
    for (int i = 0; i < 8; i++) {
        root = (2 * root + a / (root * root)) / 3;
    }
    return root * scale;
}

#endif
