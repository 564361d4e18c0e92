// Plastic solids: the shapes at rest of Neo-Hookean tetrahedra flow (neo_hookean.c has their law).
//
// F = F_e F_p with det F_p = 1 (Lee 1969). The law sees G alone, G = P P^T with F_e = [d1 d2 d3] P, so what has flowed is in G and
// has no turn. With S the matrix of the products d_j.d_k, of edges in units of |6V|^(1/3),
//
//   K = G S          has the eigenvalues of F_e^T F_e, the squares of the stretches
//   A = log(K)/2     the logarithmic strain
//   m = sqrt(2/3 dev A : dev A)
//
// m needs only the invariants of K: I1 = tr(G S), I2 = tr(cof G cof S), I3 = det G det S. H = (K - I)(K + I)^-1 has those below,
// and A = atanh(H) = H + H^3/3 + ..., whose powers have the traces p_n:
//
//   N = 1 + I1 + I2 + I3,   N e1 = 3 I3 + I2 - I1 - 3,   N e2 = 3 I3 - I2 - I1 + 3,   N e3 = I3 - I2 + I1 - 1
//   p_n = e1 p_(n-1) - e2 p_(n-2) + e3 p_(n-3)
//
// Past the yield y, K becomes K^(1 - k) without a change of volume, k = share (m - y)/m, and m becomes (1 - k) m. For that K is
// multiplied by K^-k = (I - tanh(k A))(I + tanh(k A))^-1, and tanh(k A) is about t H with t = tanh(k m)/tanh(m). So with symmetric
// inverses alone
//
//   G' = ((1 - t) G + 4 t ((1 - t) G^-1 + (1 + t) S)^-1) c,   c so that det G' = 1
//   tanh x = x (15 + x^2)/(15 + 6 x^2) + ...
//
// G' is positive for each t in [0, 1], and for t = 1 it is S^-1: the tetrahedron rests where it is. A bar that is pulled has m' to
// the last digit that the series have, and any other strain but for an error of third order.
//
// How far G is from the shape at which the body was made is the same m of G M, M the matrix S of that shape. The bound on it takes
// G' back towards M^-1 by the same formula.
//
// A tetrahedron that is inside out or nearly flat does not flow, because it is on its way back and not in a shape to keep. All is
// in double: small strains would cancel in float, and rounding would change the volume.
//
// Sources: E. Lee: Elastic-plastic deformation at finite strains (1969); the rational forms are this file's.

#include "sim/ground/ground.h"
#include "sim/kernels/terms.h"
#include "sim/state/body.h"
#include "sim/state/kind.h"
#include "sim/state/solid.h"

#define FLAT2 0.0025        // of J^2: flatter ones do not flow
#define STRAIN_MOST 4.0     // no positive K comes to it
#define BOUND (1 + 0x1p-10) // the greatest strain is met as nearly as this
#define BOUND_ERROR 0x1p-13 // and so nearly it is looked for
#define BOUND_NOISE 0x1p-22
#define ROOT_ERROR 1e-13
enum { BOUND_PASSES = 4, ROOT_PASSES = 16 };

// A symmetric matrix: 00, 11, 22, 01, 02, 12, in the order of SIM_SOLID_SHAPE.
struct sym {
    wd m[6];
};

SIM_INLINE struct sym cofactors(const struct sym *a)
{
    const wd *m = a->m;
    return (struct sym){{m[1] * m[2] - m[5] * m[5], m[0] * m[2] - m[4] * m[4], m[0] * m[1] - m[3] * m[3],
                         m[4] * m[5] - m[3] * m[2], m[3] * m[5] - m[4] * m[1], m[3] * m[4] - m[0] * m[5]}};
}

SIM_INLINE wd determinant(const struct sym *a, const struct sym *cofactors)
{
    return (a->m[0] * cofactors->m[0] + a->m[3] * cofactors->m[3]) + a->m[4] * cofactors->m[4];
}

// tr(a b)
SIM_INLINE wd product_trace(const struct sym *a, const struct sym *b)
{
    wd off = (a->m[3] * b->m[3] + a->m[4] * b->m[4]) + a->m[5] * b->m[5];
    return ((a->m[0] * b->m[0] + a->m[1] * b->m[1]) + a->m[2] * b->m[2]) + (off + off);
}

SIM_INLINE struct sym scaled(const struct sym *a, wd by)
{
    struct sym b;
    for (int i = 0; i < 6; i++) {
        b.m[i] = a->m[i] * by;
    }
    return b;
}

SIM_INLINE struct sym sum_of(const struct sym *a, wd by, const struct sym *b, wd times)
{
    struct sym sum;
    for (int i = 0; i < 6; i++) {
        sum.m[i] = a->m[i] * by + b->m[i] * times;
    }
    return sum;
}

SIM_INLINE struct sym chosen(wdm first, const struct sym *a, const struct sym *b)
{
    struct sym c;
    for (int i = 0; i < 6; i++) {
        c.m[i] = wd_select(first, a->m[i], b->m[i]);
    }
    return c;
}

SIM_INLINE struct sym products(const struct wd_vec d[3], wd by)
{
    return (struct sym){{wd_dot(d[0], d[0]) * by, wd_dot(d[1], d[1]) * by, wd_dot(d[2], d[2]) * by,
                         wd_dot(d[0], d[1]) * by, wd_dot(d[0], d[2]) * by, wd_dot(d[1], d[2]) * by}};
}

// The strain m of G S, and det(G S). STRAIN_MOST if G S is not positive.
SIM_INLINE wd strain_of(const struct sym *g, const struct sym *s, wd *det)
{
    const wd zero = wd_set(0), one = wd_set(1), three = wd_set(3);
    const struct sym cof_g = cofactors(g), cof_s = cofactors(s);
    const wd i1 = product_trace(g, s), i2 = product_trace(&cof_g, &cof_s);
    const wd i3 = determinant(g, &cof_g) * determinant(s, &cof_s);
    const wdm positive = wd_and(wd_and(wd_below(zero, i1), wd_below(zero, i2)), wd_below(zero, i3));
    const wd n = one / wd_select(positive, ((one + i1) + i2) + i3, one);
    const wd e1 = (((three * i3 + i2) - i1) - three) * n, e2 = (((three * i3 - i2) - i1) + three) * n,
             e3 = (((i3 - i2) + i1) - one) * n;
    wd p[9];
    p[1] = e1;
    p[2] = e1 * p[1] - (e2 + e2);
    p[3] = (e1 * p[2] - e2 * p[1]) + three * e3;
    for (int k = 4; k < 9; k++) {
        p[k] = (e1 * p[k - 1] - e2 * p[k - 2]) + e3 * p[k - 3];
    }
    // tr A and tr A^2: the series of atanh and of its square.
    const wd trace = ((p[1] + p[3] * wd_set(1.0 / 3)) + p[5] * wd_set(1.0 / 5)) + p[7] * wd_set(1.0 / 7);
    const wd square =
        ((p[2] + p[4] * wd_set(2.0 / 3)) + p[6] * wd_set(23.0 / 45)) + p[8] * wd_set(44.0 / 105);
    const wd m2 = (square - trace * trace * wd_set(1.0 / 3)) * wd_set(2.0 / 3);
    *det = i3;
    return wd_select(positive, wd_sqrt(wd_max(m2, zero)), wd_set(STRAIN_MOST));
}

// Scales a matrix to determinant 1. If its determinant is not above 0, or is far from 1, the result has another one. Each lane stops by
// itself, so lanes beside it change no bit of it.
SIM_INLINE struct sym unit_of(const struct sym *a)
{
    const struct sym cof = cofactors(a);
    const wd third = wd_set(1.0 / 3), det = determinant(a, &cof), least = wd_abs(det) * wd_set(ROOT_ERROR);
    wd root = wd_set(1);
    for (int i = 0; i < ROOT_PASSES; i++) {
        const wd square = root * root;
        const wdm off = wd_below(least, wd_abs(square * root - det));
        if (!wd_any(off)) {
            break;
        }
        root = wd_select(off, ((root + root) + det / square) * third, root);
    }
    return scaled(a, wd_set(1) / root);
}

// G' above, of determinant 1. m is the strain of G S.
SIM_INLINE struct sym flowed(const struct sym *g, const struct sym *s, wd k, wd m)
{
    const wd one = wd_set(1), six = wd_set(6), fifteen = wd_set(15), m2 = m * m, km2 = (k * k) * m2;
    const wd t = k * (((fifteen + km2) * (fifteen + six * m2)) / ((fifteen + six * km2) * (fifteen + m2)));
    const wd less = one - t, more = one + t;
    const struct sym cof_g = cofactors(g);
    const struct sym both = sum_of(&cof_g, less / determinant(g, &cof_g), s, more), cof = cofactors(&both);
    const wd by = one / more; // so that the determinant is near 1, as a change of volume leaves it
    const struct sym sum = sum_of(g, less * by, &cof, ((wd_set(4) * t) * by) / determinant(&both, &cof));
    return unit_of(&sum);
}

// ------------------------------------------------------------------------------------------------------------ lanes

struct flow {
    struct sym g, s;
    wd m;       // elastic strain
    wdm yields; // it is past the yield, and the tetrahedron is neither flat nor inside out
};

SIM_INLINE struct flow flow_from(const uint32_t *at, const struct w_offsets *offsets,
                                 const struct sim_crease *crease, int part)
{
    const wd zero = wd_set(0);
    const struct wd_vec d[3] = {w_offset(offsets, 0, part), w_offset(offsets, 1, part),
                                w_offset(offsets, 2, part)};
    struct flow flow;
    for (uint32_t i = 0; i < 6; i++) {
        flow.g.m[i] = w_param(at, 4 + SIM_SOLID_SHAPE + i, part);
    }
    flow.s = products(d, w_param(at, 4 + SIM_SOLID_SIZE, part));
    const struct wd_vec n = {{d[0].x[1] * d[1].x[2] - d[0].x[2] * d[1].x[1],
                              d[0].x[2] * d[1].x[0] - d[0].x[0] * d[1].x[2],
                              d[0].x[0] * d[1].x[1] - d[0].x[1] * d[1].x[0]}};
    const wd side = wd_dot(n, d[2]) * w_param(at, 4 + SIM_SOLID_VOLUME, part);
    wd det;
    flow.m = strain_of(&flow.g, &flow.s, &det);
    const wd least = wd_set((double)crease->yield + SIM_STRAIN_LEAST);
    flow.yields = wd_and(wd_and(wd_below(least, flow.m), wd_below(flow.m, wd_set(STRAIN_MOST))),
                         wd_and(wd_below(zero, side), wd_below(wd_set(FLAT2), det)));
    return flow;
}

// M of the shapes that the body was made with. Lanes without a constraint of it have that of a corner of a cube.
SIM_INLINE void made_of(const struct sim_body *body, double q, const uint32_t *at, struct sym made[PARTS])
{
    double edges[3][3][WIDE];
    for (uint32_t lane = 0; lane < WIDE; lane++) {
        const bool idle = at[lane] / SIM_ROW_BYTES - body->first_row >= body->count;
        int64_t x[4][3];
        for (uint32_t k = 0; k < 4; k++) {
            if (!idle) {
                const uint32_t row = at[k * SIM_LANES + lane] / SIM_ROW_BYTES;
                sim_rest_of(body, body->index_of[row - body->first_row], x[k]);
            }
            for (uint32_t axis = 0; k > 0 && axis < 3; axis++) {
                edges[k - 1][axis][lane] = !idle ? (double)(x[k][axis] - x[0][axis]) * q : axis == k - 1;
            }
        }
    }
    for (int part = 0; part < PARTS; part++) {
        const wd size = w_param(at, 4 + SIM_SOLID_SIZE, part);
        struct wd_vec d[3];
        for (int k = 0; k < 3; k++) {
            for (int axis = 0; axis < 3; axis++) {
                d[k].x[axis] = wd_load(edges[k][axis] + part * DOUBLES);
            }
        }
        // By the present volume, which an edit may have changed: so this is near to what it has to be.
        made[part] = products(d, wd_select(wd_below(wd_set(0), size), size, wd_set(1)));
        made[part] = unit_of(&made[part]);
    }
}

// Takes G' back to the bound. Where that does not bring it there, it stays as g.
SIM_INLINE struct sym bounded(const struct sym *g, struct sym next, const struct sym *made, double greatest)
{
    wd det;
    const wd most = wd_set(greatest), now = strain_of(g, made, &det);
    const wd cap = wd_select(wd_below(now, most * wd_set(BOUND)), most, now);
    wd m = strain_of(&next, made, &det);
    const wdm over = wd_below(cap, m);
    for (int pass = 0; pass < BOUND_PASSES; pass++) { // later ones take back what the first errs, either way
        const wdm off =
            wd_and(over, wd_below(cap * wd_set(BOUND_ERROR) + wd_set(BOUND_NOISE), wd_abs(m - cap)));
        if (!wd_any(off)) {
            break;
        }
        const struct sym back = flowed(&next, made, wd_where(off, (m - cap) / m), m);
        next = chosen(off, &back, &next);
        m = strain_of(&next, made, &det);
    }
    return chosen(wd_below(wd_max(most * wd_set(BOUND), now), m), g, &next);
}

// The lanes of one part. Fills the shapes; returns whether any flowed.
SIM_INLINE wdm flow_part(const struct sim_crease *crease, const struct flow *flow, const struct sym *made,
                         struct sym *out)
{
    const wd one = wd_set(1), share = wd_set((double)crease->share);
    const wd m = wd_select(flow->yields, flow->m, one);
    const wd k = wd_where(flow->yields, (m - wd_set((double)crease->yield)) * share / m);
    struct sym next = flowed(&flow->g, &flow->s, k, m);
    next = bounded(&flow->g, next, made, (double)crease->greatest);
    // At the bound G' slides along it, and comes to rest where it goes nearly nowhere.
    const struct sym inverse = cofactors(&flow->g), cof = cofactors(&next);
    wd det;
    const wd way = strain_of(&next, &inverse, &det), size = determinant(&next, &cof) - one;
    const wdm goes = wd_below(share * wd_set(SIM_STRAIN_LEAST / 4), way);
    const wdm good = wd_and(wd_below(way, wd_set(STRAIN_MOST)), wd_below(wd_abs(size), wd_set(1e-9)));
    const wdm flows = wd_and(flow->yields, wd_and(goes, good));
    *out = chosen(flows, &next, &flow->g);
    return flows;
}

bool SIM_ISA(sim_solid_flow)(const struct sim *sim, struct sim_tile *tile)
{
    const struct sim_store *store = &sim->stores[tile->kind];
    const struct sim_crease *crease = tile->crease;
    bool moved = false;
    for (uint32_t i = 0; i < tile->order_count; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            const uint32_t *at = sim_batch_words(store, tile->order[i]) + lane;
            struct w_offsets offsets;
            struct flow flows[PARTS];
            struct sym made[PARTS], next[PARTS];
            wdm masks[PARTS];
            w_offsets_from(sim, at, 3, false, &offsets);
            for (int part = 0; part < PARTS; part++) {
                flows[part] = flow_from(at, &offsets, crease, part);
                masks[part] = flows[part].yields;
            }
            if (!w_any(wd_mask_to(masks))) {
                continue;
            }
            made_of(crease->body, sim->q, at, made);
            for (int part = 0; part < PARTS; part++) {
                masks[part] = flow_part(crease, &flows[part], &made[part], &next[part]);
            }
            moved = moved || w_any(wd_mask_to(masks));
            for (uint32_t p = 0; p < 6; p++) {
                wd values[PARTS];
                for (int part = 0; part < PARTS; part++) {
                    values[part] = next[part].m[p];
                }
                w_store(sim_batch_params(store, tile->order[i], SIM_SOLID_SHAPE + p) + lane,
                        wd_to_float(values));
            }
        }
    }
    return moved;
}

#if WIDE == 1
// Scales edges to a tetrahedron of a volume of 1/6. Flat ones stay as they are.
static void normalize(double d[3][3])
{
    const double v = (d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) +
                      d[0][1] * (d[1][2] * d[2][0] - d[1][0] * d[2][2])) +
                     d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
    const double size = v < 0 ? 0 - v : v, by = size > 0 ? 1 / sim_cube_root(size) : 1;
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            d[k][axis] *= by;
        }
    }
}

double sim_solid_flowed(const float *params, const double offsets[3][3])
{
    struct sym g, made;
    struct wd_vec d[3];
    double edges[3][3];
    wd det;
    memcpy(edges, offsets, sizeof edges);
    normalize(edges);
    for (int i = 0; i < 6; i++) {
        g.m[i] = (double)params[SIM_SOLID_SHAPE + i];
    }
    for (int k = 0; k < 3; k++) {
        d[k] = wd_vec_of(edges[k]);
    }
    made = products(d, 1);
    return strain_of(&g, &made, &det);
}
#endif
