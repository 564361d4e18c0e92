// Stable Neo-Hookean tetrahedron: a solid with a shear modulus mu and a Poisson's ratio nu. Both of its terms are solved together.
//
//   U = V (mu/2 |F|^2 + Lam/2 (J - gamma)^2) + const,  Lam = lambda + mu = mu/r,  gamma = 1 + r,  r = mu/Lam = 1 - 2 nu
//
//   C_D = |F|         alpha_D = 1/(mu V) = alpha/V      alpha: the compliance of the constraint, 1/mu, in 1/Pa
//   C_H = J - gamma   alpha_H = r alpha_D               V: rest volume, m^3, signed; |V| where it divides alpha
//
// The law needs of the rest shape only G = (D0^T D0)^-1 and V, D0 = [X1 - X0, X2 - X0, X3 - X0], d_k = x_k - x0:
//
//   |F|^2 = sum G_jk d_j.d_k      p_k = (sum_j G_jk d_j)/C_D           k = 1, 2, 3;  p_0 = -(p_1 + p_2 + p_3)
//   J = (d1 x d2).d3 / 6V         q_1 = (d2 x d3)/6V, q_2 = (d3 x d1)/6V, q_3 = (d1 x d2)/6V;  q_0 likewise
//
// G is stored for a rest volume of 1/6 (SHAPE), with the factor |6V|^(-2/3) beside it (SIZE). So a change of V alone makes the
// same tetrahedron larger or smaller. V < 0 belongs to corners in the other order, and J is 1 at rest either way.
//
// XPBD (2016, eq. 17), both rows at once, a = alpha/h^2:
//
//   [W_DD + a_D, W_DH; W_DH, W_HH + a_H] (dlam_D, dlam_H) = -(C_D + a_D lam_D, C_H + a_H lam_H) = (b_D, b_H)
//   W_DD = sum w p.p, W_DH = sum w p.q, W_HH = sum w q.q
//
// Near rest p is about q/sqrt(3), and the determinant cancels. If the part of p along q is taken out first,
// it does not:
//
//   t = W_DH/W_HH,  r_k = p_k - t q_k,  c = W_HH + a_H,  e = W_HH/c
//   dlam_D = (b_D - t e b_H) / (f sum w r.r + A),  A = a_D + t^2 e a_H
//   u = dlam_H + t dlam_D = (b_H + t a_H dlam_D)/c;   x_k += w_k (r_k f dlam_D + q_k u)
//
// f is 1 where a tetrahedron is soft. XPBD leaves the curvature of C_D and C_H out, and nothing else resists a shear of a stiff
// tetrahedron: such a step would be as one of explicit integration, and any shear would grow. Along y_k = w_k r_k, beside which J is
// steady at first, the energy at rest has the curvature 2 |F(y)|^2/alpha_D. So the step goes no farther than to its least value:
//
//   f = min(1, A/S),  S = 2 |F(y)|^2 / sum w r.r,  |F(y)|^2 = sum G_jk (y_j - y_0).(y_k - y_0)
//
// At rest neither C is 0, but both rows together move nothing. One row after the other would move a
// tetrahedron of 5 cm and 1 MPa by 26 mm a sweep. So small errors, which rounding may have made, are not
// passed over either. J < 0 needs no care, because q pushes the tetrahedron back to its side. A tetrahedron
// without a compliance would have no rest shape, and holds nothing.
//
// Damping is a viscosity eta (Pa s). Each edge l of the tetrahedron is a dashpot of 5/2 eta |V|/l^2 (wide.h), one after the
// other. In six directions that are spread evenly these resist as a fluid of that viscosity does.
//
// Sources: Macklin, Mueller: A Constraint-based Formulation of Stable Neo-Hookean Materials (2021), sections 3 and 4; Smith,
// de Goes, Kim: Stable Neo-Hookean Flesh Simulation (2018). That Lam is lambda + mu follows from the linear law at rest, which
// is 2 mu eps + (Lam - mu) tr(eps).

#include "sim/kernels/four.h"
#include "sim/kernels/terms.h"
#include "sim/state/kind.h"
#include "sim/state/solid.h"

#define SIXTH (1.0f / 6)
#define RATIO_MOST 1e18f    // greatest |J| that is told from others
#define FINITE_MOST 3.0e38f // what is above is as good as infinite

// A batch as its solve sees it.
struct solid {
    wf c_d, c_h;
    struct w_vec p[4], q[4];
    wf a_d, a_h; // compliances over h^2
    wf r;
};

SIM_INLINE struct w_vec scaled(struct w_vec v, wf by)
{
    return (struct w_vec){{v.x[0] * by, v.x[1] * by, v.x[2] * by}};
}

SIM_INLINE struct w_vec opposite_of_sum(const struct w_vec v[4])
{
    struct w_vec sum;
    for (int axis = 0; axis < 3; axis++) {
        sum.x[axis] = w_negative((v[1].x[axis] + v[2].x[axis]) + v[3].x[axis]);
    }
    return sum;
}

SIM_INLINE wf inverse(wf a)
{
    return w_where(w_below(w_set(0), w_abs(a)), w_set(1) / a);
}

// Fills f with sum_j G_jk d_j for each k, and returns |F|^2.
SIM_INLINE wf shape_of(const struct w_four *four, const struct w_vec d[3], struct w_vec f[3])
{
    wf g[6];
    for (uint32_t i = 0; i < 6; i++) {
        g[i] = w_four_param(four, SIM_SOLID_SHAPE + i);
    }
    for (int axis = 0; axis < 3; axis++) {
        wf x = d[0].x[axis], y = d[1].x[axis], z = d[2].x[axis];
        f[0].x[axis] = (g[0] * x + g[3] * y) + g[4] * z;
        f[1].x[axis] = (g[3] * x + g[1] * y) + g[5] * z;
        f[2].x[axis] = (g[4] * x + g[5] * y) + g[2] * z;
    }
    return w_four_param(four, SIM_SOLID_SIZE) * ((w_dot(f[0], d[0]) + w_dot(f[1], d[1])) + w_dot(f[2], d[2]));
}

// Fills C_D and p.
SIM_INLINE void measure_shape(const struct w_four *four, struct solid *solid)
{
    struct w_vec f[3];
    solid->c_d = w_sqrt(w_max(shape_of(four, four->d, f), w_set(0)));
    wf by = w_four_param(four, SIM_SOLID_SIZE) * inverse(solid->c_d);
    for (int k = 0; k < 3; k++) {
        solid->p[k + 1] = scaled(f[k], by);
    }
    solid->p[0] = opposite_of_sum(solid->p);
}

// Fills C_H, q and the compliances.
SIM_INLINE void measure_volume(const struct sim *sim, const struct w_four *four, struct solid *solid)
{
    const struct w_vec *d = four->d;
    const struct w_vec n[3] = {w_cross(d[1], d[2]), w_cross(d[2], d[0]), w_cross(d[0], d[1])};
    wf inv_6v = inverse(w_four_param(four, SIM_SOLID_VOLUME) * w_set(6)),
       nu = w_four_param(four, SIM_SOLID_POISSON);
    wf j = w_max(w_min(w_dot(n[2], d[2]) * inv_6v, w_set(RATIO_MOST)), w_set(-RATIO_MOST));
    solid->r = w_set(1) - (nu + nu);
    solid->c_h = (j - w_set(1)) - solid->r;
    for (int k = 0; k < 3; k++) {
        solid->q[k + 1] = scaled(n[k], inv_6v);
    }
    solid->q[0] = opposite_of_sum(solid->q);
    solid->a_d = (four->give * w_set(sim->times.inv_h2)) * (w_abs(inv_6v) * w_set(6));
    solid->a_h = solid->a_d * solid->r;
}

// sum w_k a_k.b_k
SIM_INLINE wf weight_of(const struct w_four *four, const struct w_vec a[4], const struct w_vec b[4])
{
    wf sum = four->x[0].w * w_dot(a[0], b[0]);
    for (uint32_t k = 1; k < 4; k++) {
        sum = sum + four->x[k].w * w_dot(a[k], b[k]);
    }
    return sum;
}

// The share of the step along the remainder r that is taken: f above.
SIM_INLINE wf share_of(const struct w_four *four, const struct w_vec r[4], wf w_rr, wf gives)
{
    struct w_vec y[3], f[3];
    for (uint32_t k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            y[k].x[axis] = four->x[k + 1].w * r[k + 1].x[axis] - four->x[0].w * r[0].x[axis];
        }
    }
    wf twice = shape_of(four, y, f) * w_set(2), needs = gives * w_rr;
    return w_select(w_below(needs, twice), needs / twice, w_set(1));
}

SIM_INLINE void solve(struct sim *sim, struct w_four *four, enum sim_flavor flavor, bool kept)
{
    const wf zero = w_set(0), inv_q = w_set(sim->times.inv_q), most = w_set(FINITE_MOST);
    struct solid s;
    if (flavor == SIM_STIFF) {
        return; // no edit gives one a plain stiffness
    }
    measure_shape(four, &s);
    measure_volume(sim, four, &s);
    wf b_d = w_negative(s.c_d), b_h = w_negative(s.c_h);
    if (kept) {
        b_d = b_d - s.a_d * w_load(four->multipliers);
        b_h = b_h - s.a_h * w_load(four->multipliers + SIM_LANES);
    }
    wf w_hh = weight_of(four, s.q, s.q), w_dh = weight_of(four, s.p, s.q);
    wf t = w_where(w_and(w_below(zero, w_hh), w_below(w_hh, most)), w_dh / w_hh);
    for (int k = 0; k < 4; k++) {
        for (int axis = 0; axis < 3; axis++) {
            s.p[k].x[axis] = s.p[k].x[axis] - t * s.q[k].x[axis];
        }
    }
    wf inv_c = inverse(w_hh + s.a_h), te = t * (w_hh * inv_c);
    wf w_rr = weight_of(four, s.p, s.p), on_h = (t * te) * s.a_h;
    wf share = share_of(four, s.p, w_rr, s.a_d + on_h), resists = (share * w_rr + s.a_d) + on_h;
    wm holds = w_and(w_and(four->moves, w_below(zero, s.a_d)), w_below(resists, most));
    wf step_d = w_where(holds, (b_d - te * b_h) / resists);
    wf step_q = w_where(holds, (b_h + (t * s.a_h) * step_d) * inv_c);
    if (kept) {
        w_store(four->multipliers, w_load(four->multipliers) + step_d);
        float *second = four->multipliers + SIM_LANES;
        w_store(second, w_load(second) + (step_q - t * step_d));
    }
    step_d = step_d * share;
    for (uint32_t k = 0; k < 4; k++) {
        wf w = four->x[k].w * inv_q, along_d = w * step_d, along_q = w * step_q;
        for (int axis = 0; axis < 3; axis++) {
            w_four_add(four, k, axis, along_d * s.p[k].x[axis] + along_q * s.q[k].x[axis]);
        }
    }
}

SIM_INLINE void run(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end,
                    enum sim_flavor flavor, bool kept)
{
    w_four_run(sim, tile, first, end, flavor, kept, solve);
}

// ----------------------------------------------------------------------------------------------------- damping

// The dashpot of one edge, which acts on the velocities of its ends.
SIM_INLINE void damp_edge(const struct sim *sim, const struct w_four *four, wf share, struct w_rows v[4],
                          uint32_t a, uint32_t b)
{
    const wf zero = w_set(0);
    struct w_vec edge, apart;
    for (int axis = 0; axis < 3; axis++) {
        edge.x[axis] = a == 0 ? four->d[b - 1].x[axis] : four->d[b - 1].x[axis] - four->d[a - 1].x[axis];
        apart.x[axis] = w_of_bits(v[b].x[axis]) - w_of_bits(v[a].x[axis]);
    }
    wf l2 = w_dot(edge, edge), inv_l2 = w_where(w_below(zero, l2), w_set(1) / l2);
    wf push = w_dashpot(sim, share * inv_l2, w_dot(edge, apart) * inv_l2, four->x[a].w + four->x[b].w);
    wm yields = w_and(four->moves, w_below(zero, four->give));
    wf to_a = w_where(yields, push * four->x[a].w), to_b = w_where(yields, push * four->x[b].w);
    for (int axis = 0; axis < 3; axis++) {
        v[a].x[axis] = w_bits(w_of_bits(v[a].x[axis]) - to_a * edge.x[axis]);
        v[b].x[axis] = w_bits(w_of_bits(v[b].x[axis]) + to_b * edge.x[axis]);
    }
}

SIM_INLINE void damp(struct sim *sim, struct sim_tile *tile, uint32_t first, uint32_t end)
{
    static const uint8_t edges[6][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}};
    const struct sim_store *store = &sim->stores[tile->kind];
    for (uint32_t i = first; i < end; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct w_four four;
            struct w_rows v[4];
            w_four_gather(sim, sim_batch_words(store, tile->order[i]) + lane, &four);
            four.give = w_four_param(&four, store->param_count - 1);
            for (uint32_t k = 0; k < 4; k++) {
                v[k] = w_rows_at(sim->velocities, four.at + k * SIM_LANES);
            }
            wf share = w_load(sim_batch_damping(store, tile->order[i]) + lane) *
                       (w_abs(w_four_param(&four, SIM_SOLID_VOLUME)) * w_set(2.5f));
            for (int e = 0; e < 6; e++) {
                damp_edge(sim, &four, share, v, edges[e][0], edges[e][1]);
            }
            for (uint32_t k = 0; k < 4; k++) {
                w_rows_put(sim->velocities, four.at + k * SIM_LANES, &v[k]);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------- measures

// With C^2 = 2 alpha_D U, U being 0 at rest, one row of XPBD stands for both:
//
//   C^2 = (|F|^2 - 3) - 2 (J - 1) + (J - 1)^2/r,   C grad_k C = f_k = C_D p_k + (C_H/r) q_k
//
// Energies are told by this C (terms.h). G is rounded, so |F|^2 at rest is 3 + delta, delta = det G (6V)^2 -
// 1.
struct told {
    struct wd_vec d_row[4], q[4]; // C_D p and q
    wd size2, j, r;               // |F|^2
    wd c2, weight;                // C^2, and sum w |grad C|^2
};

SIM_INLINE struct wd_vec cross(struct wd_vec a, struct wd_vec b)
{
    return (struct wd_vec){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                            a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

SIM_INLINE struct wd_vec sum_of(wd a, struct wd_vec u, wd b, struct wd_vec v)
{
    return (struct wd_vec){{a * u.x[0] + b * v.x[0], a * u.x[1] + b * v.x[1], a * u.x[2] + b * v.x[2]}};
}

SIM_INLINE struct told told_of(const struct w_offsets *offsets, const uint32_t *at, int part)
{
    const wd zero = wd_set(0), one = wd_set(1);
    const struct wd_vec d[3] = {w_offset(offsets, 0, part), w_offset(offsets, 1, part),
                                w_offset(offsets, 2, part)};
    struct told told;
    wd g[6], v6 = w_param(at, 4 + SIM_SOLID_VOLUME, part) * wd_set(6);
    for (uint32_t i = 0; i < 6; i++) {
        g[i] = w_param(at, 4 + SIM_SOLID_SHAPE + i, part) * w_param(at, 4 + SIM_SOLID_SIZE, part);
    }
    static const int rows[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    told.size2 = zero;
    told.d_row[0] = told.q[0] = (struct wd_vec){{zero, zero, zero}};
    for (int k = 0; k < 3; k++) {
        told.d_row[k + 1] =
            sum_of(one, sum_of(g[rows[k][0]], d[0], g[rows[k][1]], d[1]), g[rows[k][2]], d[2]);
        told.size2 = told.size2 + wd_dot(told.d_row[k + 1], d[k]);
        const struct wd_vec n = cross(d[(k + 1) % 3], d[(k + 2) % 3]);
        told.q[k + 1] = sum_of(wd_where(wd_below(zero, wd_abs(v6)), one / v6), n, zero, n);
    }
    for (int k = 1; k < 4; k++) {
        told.d_row[0] = sum_of(one, told.d_row[0], wd_set(-1), told.d_row[k]);
        told.q[0] = sum_of(one, told.q[0], wd_set(-1), told.q[k]);
    }
    wd nu = w_param(at, 4 + SIM_SOLID_POISSON, part);
    wd det = (g[0] * (g[1] * g[2] - g[5] * g[5]) - g[3] * (g[3] * g[2] - g[5] * g[4])) +
             g[4] * (g[3] * g[5] - g[1] * g[4]);
    told.r = one - (nu + nu);
    told.j = wd_dot(told.q[3], d[2]);
    wd grows = told.j - one;
    told.c2 = ((told.size2 - wd_set(2)) - det * (v6 * v6)) - (grows + grows) + grows * grows / told.r;
    told.c2 = wd_max(told.c2, zero);
    wd along = grows / told.r - one, push = zero;
    for (uint32_t k = 0; k < 4; k++) {
        const struct wd_vec f = sum_of(one, told.d_row[k], along, told.q[k]);
        push = push + wd_of_float(offsets->w[k], part) * wd_dot(f, f);
    }
    told.weight = wd_where(wd_below(zero, told.c2), push / told.c2);
    return told;
}

// Tells the share of the force asked for that the last substep did not give (convergence.c). The force is -f/alpha_D, and
// lambda_D p + lambda_H q over h^2 was given.
SIM_INLINE void tell_share(const struct sim *sim, struct sim_terms *terms, uint32_t lane,
                           const struct told *told, const struct w_offsets *offsets, int part,
                           const wd lambda[2], wd alpha)
{
    const wd zero = wd_set(0), one = wd_set(1);
    const double inv_h = (double)sim->settings.tick_rate * sim->settings.substeps;
    const wd over = alpha * wd_set(inv_h * inv_h), along = (told->j - one) / told->r - one;
    wd x = one + over * wd_where(wd_below(zero, told->size2), lambda[0] / wd_sqrt(told->size2));
    wd y = along + over * lambda[1], missed = zero, asked = zero;
    for (uint32_t k = 0; k < 4; k++) {
        const wd w = wd_of_float(offsets->w[k], part);
        const struct wd_vec f = sum_of(one, told->d_row[k], along, told->q[k]);
        missed = missed + w * wd_dot(sum_of(x, told->d_row[k], y, told->q[k]), f);
        asked = asked + w * wd_dot(f, f);
    }
    const wd energy = told->c2 / alpha;
    const wdm moves = wd_below(zero, asked), yields = wd_below(zero, alpha);
    wd_store(terms->asked + lane, wd_where(yields, wd_where(moves, energy)));
    wd_store(terms->missed + lane, wd_where(yields, wd_where(moves, energy * (missed / asked))));
    wd_store(terms->scale + lane, wd_where(yields, wd_where(moves, (wd_set(3) - told->r) / alpha)));
}

static void tell(const struct sim *sim, const uint32_t *batch, const float *multipliers, bool far,
                 struct sim_terms *terms)
{
    const wd zero = wd_set(0);
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        const uint32_t *at = batch + lane;
        struct w_offsets offsets;
        w_offsets_from(sim, at, 3, far, &offsets);
        for (int part = 0; part < PARTS; part++) {
            const uint32_t first = lane + (uint32_t)(part * DOUBLES);
            const struct told told = told_of(&offsets, at, part);
            wd rest = w_param(at, 4 + SIM_SOLID_VOLUME, part), give = w_param(at, 4 + SIM_SOLID_PARAMS, part);
            wd alpha = wd_where(wd_below(zero, wd_abs(rest)), give / wd_abs(rest));
            w_tell_energy(sim, terms, first, told.c2, alpha, told.weight);
            w_tell_error(terms, first, (told.j - wd_set(1)) * rest, rest);
            if (multipliers) {
                const wd lambda[2] = {w_multiplier(multipliers, lane, part),
                                      w_multiplier(multipliers + SIM_LANES, lane, part)};
                tell_share(sim, terms, first, &told, &offsets, part, lambda, alpha);
            }
        }
    }
}

SIM_RUNS(sim_neo_hookean_runs, run, damp, tell)

#if WIDE == 1
static double magnitude(double a)
{
    return a < 0 ? 0 - a : a;
}

static double size_of(double volume)
{
    const double root = sim_cube_root(magnitude(6 * volume));
    return 1 / (root * root);
}

static void derive(float params[SIM_PARAMS_MAX])
{
    params[SIM_SOLID_SIZE] = (float)size_of((double)params[SIM_SOLID_VOLUME]);
}

// G is the inverse of the matrix of the products d_j.d_k, whose determinant is (6V)^2.
static bool at_rest(const double offsets[][3], double q, float params[SIM_PARAMS_MAX])
{
    double m[3][3];
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++) {
            m[j][k] = ((offsets[j][0] * offsets[k][0] + offsets[j][1] * offsets[k][1]) +
                       offsets[j][2] * offsets[k][2]) *
                      (q * q);
        }
    }
    const double *a = offsets[0], *b = offsets[1], *c = offsets[2];
    const double det = ((a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])) +
                        a[2] * (b[0] * c[1] - b[1] * c[0])) *
                       ((q * q) * q);
    const double flat = SIM_SOLID_FLAT * SIM_SOLID_FLAT, det2 = det * det;
    if (!(det2 > flat * (m[0][0] * m[1][1] * m[2][2]))) {
        return false;
    }
    params[SIM_SOLID_VOLUME] = (float)(det / 6);
    derive(params);
    const double scale = 1 / (size_of(det / 6) * det2);
    const double shape[6] = {
        m[1][1] * m[2][2] - m[1][2] * m[1][2], m[0][0] * m[2][2] - m[0][2] * m[0][2],
        m[0][0] * m[1][1] - m[0][1] * m[0][1], m[0][2] * m[1][2] - m[0][1] * m[2][2],
        m[0][1] * m[1][2] - m[0][2] * m[1][1], m[0][1] * m[0][2] - m[0][0] * m[1][2],
    };
    for (int i = 0; i < 6; i++) {
        params[SIM_SOLID_SHAPE + i] = (float)(shape[i] * scale);
    }
    return true;
}

// A shape from outside has to be that of four particles: G is positive, and its determinant is that of a
// volume of 1/6.
static bool valid(const uint32_t *rows, const float *params, double q)
{
    (void)q;
    double g[6];
    for (int i = 0; i < 6; i++) {
        g[i] = (double)params[SIM_SOLID_SHAPE + i];
    }
    const double second = g[0] * g[1] - g[3] * g[3];
    const double det = (g[0] * (g[1] * g[2] - g[5] * g[5]) - g[3] * (g[3] * g[2] - g[5] * g[4])) +
                       g[4] * (g[3] * g[5] - g[1] * g[4]);
    const double most = g[0] > g[1] ? (g[0] > g[2] ? g[0] : g[2]) : g[1] > g[2] ? g[1] : g[2];
    const double noise =
        1e-6 * most * most * most + 1e-3; // of slivers the determinant is what rounding leaves of it
    bool apart = true;
    for (int k = 1; k < 4; k++) {
        for (int other = 0; other < k; other++) {
            apart = apart && rows[k] != rows[other];
        }
    }
    return apart && g[0] > 0 && g[1] > 0 && g[2] > 0 && second > -1e-6 * g[0] * g[1] && most < 1e24 &&
           det > 1 - noise && det < 1 + noise && params[SIM_SOLID_POISSON] >= 0 &&
           params[SIM_SOLID_POISSON] <= (float)SIM_POISSON_MAX;
}

// The pressure: minus a third of the trace of Cauchy's stress, (lambda_D C_D/3J + lambda_H)/V, times h^2 as
// multipliers are. In a flat tetrahedron J is 0, and only the part of its volume is told.
static double force(const double offsets[][3], const float params[SIM_PARAMS_MAX], const double multipliers[])
{
    static const int of[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    const double volume = (double)params[SIM_SOLID_VOLUME], *a = offsets[0], *b = offsets[1], *c = offsets[2];
    double size2 = 0;
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++) {
            const double product = (offsets[j][0] * offsets[k][0] + offsets[j][1] * offsets[k][1]) +
                                   offsets[j][2] * offsets[k][2];
            size2 += (double)params[SIM_SOLID_SHAPE + of[j][k]] * product;
        }
    }
    size2 *= (double)params[SIM_SOLID_SIZE];
    const double ratio = ((a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])) +
                          a[2] * (b[0] * c[1] - b[1] * c[0])) /
                         (6 * volume);
    const double shape = ratio != 0 && size2 > 0 ? multipliers[0] * __builtin_sqrt(size2) / (3 * ratio) : 0;
    return (shape + multipliers[1]) / magnitude(volume);
}

const struct sim_kind_row sim_neo_hookean_row = {
    .name = "neo_hookean",
    .stencil = 4,
    .param_count = SIM_SOLID_PARAMS,
    .multiplier_count = 2,
    .part = SIM_PART_SOLID,
    .elastic = true,
    .poisson_param = SIM_SOLID_POISSON,
    .has_error = true,
    .shape_first =
        SIM_SOLID_SIZE, // which follows from the rest value, and makes the number of floats a multiple of 4
    .shape_count = SIM_SOLID_PARAMS - SIM_SOLID_SIZE,
    .valid = valid,
    .derive = derive,
    .force = force,
    .at_rest = at_rest,
    .rest_most = sim_volume_max,
    .rest_unit = "m^3",
    .rest_signed = true,
    .flow_first = SIM_SOLID_SHAPE,
    .flow_count = SIM_SOLID_POISSON - SIM_SOLID_SHAPE,
    .flowed = sim_solid_flowed,
};
#endif
