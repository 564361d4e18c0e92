// The bodies of `weft-bench stiff`, what theory says of them, and measures of where a solver put them, in double.
//
//     hung     a square cloth of 1 m and 0.2 kg/m^2 without compliance, level, held at two corners
//     rope     20 links of 5 cm and 1 g, level, held at one end, with a load at the other
//     strip    a cantilever of 0.4 m and 0.2 kg/m^2, two cells across, whose first two columns are held
//     drape    Cusick's test: a disc of 30 cm and 0.15 kg/m^2 on a stand of 18 cm, to which it is held
//     held     the same disc; how far its rim is below the stand
//     stand    the disc of held, which lies on the stand and is not held
//     capsules a square of 30 cm of the same cloth, which lies on three capsules
//     table    the square, which lies on a table and hangs over its edge by 7.5 cm
//
// Meshes of squares have their diagonals crosswise in turn, as a scene's grid has.
#ifndef WEFT_BENCH_STIFF_BODY_H
#define WEFT_BENCH_STIFF_BODY_H

#include <stdbool.h>
#include <stdint.h>

enum stiff_kind {
    STIFF_HUNG,
    STIFF_ROPE,
    STIFF_STRIP,
    STIFF_DRAPE,
    STIFF_HELD,
    STIFF_STAND,
    STIFF_CAPSULES,
    STIFF_TABLE,
    STIFF_KINDS
};

enum stiff_support_kind { STIFF_CYLINDER, STIFF_CAPSULE, STIFF_BOX };
enum { STIFF_SUPPORTS_MAX = 3 };
// The distance that supports keep from particles, m. The top of each support is this far below the height 0.
#define STIFF_THICKNESS 1e-3

// A collider that the body lies on.
struct stiff_support {
    enum stiff_support_kind kind;
    double position[3];     // m: its centre
    double rotation[4];     // x, y, z, w
    double radius, length;  // m: cylinder and capsule, along its y
    double half_extents[3]; // m: box
};

struct stiff_body {
    enum stiff_kind kind;
    uint32_t particle_count, triangle_count, edge_count, pin_count;
    uint32_t columns;     // hung and strip: particles of a row
    double *positions;    // m, 3 each
    uint32_t *triangles;  // 3 each; none of a rope
    uint32_t (*edges)[2]; // each once
    double *rests;        // m, of the edges
    double *masses;       // kg; also of pinned particles
    uint32_t *pins;       // ascending
    uint32_t *rim;        // the particles whose droop is told
    uint32_t rim_count;
    struct stiff_support supports[STIFF_SUPPORTS_MAX]; // with a friction of 0.5
    uint32_t support_count;
    double density;  // kg/m^2 of a cloth, kg/m of a rope
    double rigidity; // N m, the flexural rigidity B; 0: it does not resist bending
    double load;     // of a strip: rho g L^3 / B, on which alone the shape of the elastica depends
    double length;   // m: side, rope, strip beyond its clamp, or radius of the disc
};

// The size is: particles a side (hung), the load in masses of a link (rope), cells along the free part (strip), and
// millimetres between neighbours (drape and those after it). stiffness multiplies the rigidity, which is rho g L^3 / 8 of
// strips and 5e-5 N m of discs and squares.
// False, with nothing left behind, if memory runs out.
bool stiff_body_init(struct stiff_body *body, enum stiff_kind kind, double size, double stiffness);
void stiff_body_deinit(struct stiff_body *body);

// The greatest positive strain of the edges, and the root of the mean square of all.
void stiff_strains(const struct stiff_body *body, const double *positions, double *worst, double *rms);
// How much longer than at rest a hung cloth's side below a held corner is, over its length: the longer side of the two.
double stiff_side(const struct stiff_body *body, const double *positions);
double stiff_lowest(const struct stiff_body *body, const double *positions); // m, the least height
double stiff_kinetic(const struct stiff_body *body, const float *velocities);
// How far the mean of a strip's last column is below the clamp, over its length.
double stiff_sag(const struct stiff_body *body, const double *positions);
// The share of the ring beyond the stand that the disc's shadow still covers, 0 ... 1.
double stiff_drape(const struct stiff_body *body, const double *positions);
// How far the mean of the rim is below the height 0, at which the body lies, in m.
double stiff_droop(const struct stiff_body *body, const double *positions);

// The sag over the length of the elastica: theta'' = -p (1 - s) cos theta, theta(0) = 0, theta'(1) = 0, by shooting.
// p = rho g L^3 / B.
double stiff_elastica(double p);

#endif
