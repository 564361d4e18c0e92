// Rows of joints as plain numbers (sim/kernels/joint.h): worked vectors of nine digits, gradients by differences, and that each
// projection keeps momentum and angular momentum.
#include "sim/kernels/joint.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct piece {
    double x[3], q[4], w, inverse[3], local[3];
    double pushed[3], twisted[3]; // sums of impulses, and of torques about the centre
};

static void near_all(const double *have, const double *want, int count, double within)
{
    for (int i = 0; i < count; i++) {
        if (!(fabs(have[i] - want[i]) <= within)) {
            fail_msg("number %d is %.10g instead of %.10g", i, have[i], want[i]);
        }
    }
}

static void normalise(double q[4])
{
    const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) {
        q[i] /= size;
    }
}

static struct piece first(void)
{
    struct piece a = {
        .x = {.1, .2, -.1}, .q = {.1, -.2, .05, 1}, .w = 1, .inverse = {2, 3, 6}, .local = {.5, .1, -.2}};
    normalise(a.q);
    return a;
}

static struct piece second(void)
{
    struct piece b = {
        .x = {1, -.1, .2}, .q = {-.2, .1, .3, 1}, .w = .5, .inverse = {1, 2, 1.5}, .local = {-.4, .2, .1}};
    normalise(b.q);
    return b;
}

static struct joint_end end_of(const struct piece *piece)
{
    struct joint_end end = {.w = piece->w};
    joint_inertia(piece->q, piece->inverse, end.turns);
    joint_turned(piece->q, piece->local, end.arm);
    return end;
}

// The Cayley map.
static void turn(double q[4], const double theta[3])
{
    const double half[4] = {theta[0] / 2, theta[1] / 2, theta[2] / 2, 0};
    double added[4];
    sim_turn_product(half, q, added);
    for (int i = 0; i < 4; i++) {
        q[i] += added[i];
    }
    normalise(q);
}

static void twist(struct piece *piece, const double torque[3], double sign)
{
    double turns[9], theta[3];
    joint_inertia(piece->q, piece->inverse, turns);
    joint_times(turns, torque, theta);
    for (int i = 0; i < 3; i++) {
        theta[i] *= sign;
        piece->twisted[i] += sign * torque[i];
    }
    turn(piece->q, theta);
}

static void push(struct piece *piece, const double arm[3], const double impulse[3], double sign)
{
    double torque[3];
    sim_cross(arm, impulse, torque);
    for (int i = 0; i < 3; i++) {
        piece->x[i] += sign * piece->w * impulse[i];
        piece->pushed[i] += sign * impulse[i];
    }
    twist(piece, torque, sign);
}

static void apart(const struct piece *a, const struct piece *b, double d[3])
{
    double arm[3], other[3];
    joint_turned(a->q, a->local, arm);
    joint_turned(b->q, b->local, other);
    for (int i = 0; i < 3; i++) {
        d[i] = (a->x[i] + arm[i]) - (b->x[i] + other[i]);
    }
}

static double size(const double v[3])
{
    return sqrt(sim_dot(v, v));
}

// Momentum of both, and torques about the origin.
static void kept(const struct piece *a, const struct piece *a0, const struct piece *b, const struct piece *b0,
                 double within)
{
    double of_a[3], of_b[3];
    sim_cross(a0->x, a->pushed, of_a);
    sim_cross(b0->x, b->pushed, of_b);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(a->pushed[i] + b->pushed[i]) < 1e-15);
        assert_true(fabs((of_a[i] + a->twisted[i]) + (of_b[i] + b->twisted[i])) <= within);
    }
}

// ------------------------------------------------------------------------------------------------- distance

static void distances_come_out(void **state)
{
    (void)state;
    static const struct {
        double at, lam, a_x[3], a_q[4], b_x[3], b_q[4], lam_after, c_after;
    } vectors[] = {
        {0,
         0,
         {0.087000763, 0.090019742, -0.0032980498},
         {0.121348603, -0.267923555, -0.0961138635, 0.950922505},
         {1.00649962, -0.045009871, 0.151649025},
         {-0.198138627, 0.0748331964, 0.240285563, 0.947314058},
         -0.147023483,
         0.00863425536},
        {.5,
         0,
         {0.0889066254, 0.106144322, -0.017475852},
         {0.118090289, -0.257788573, -0.0752540319, 0.956000296},
         {1.00554669, -0.0530721611, 0.158737926},
         {-0.196581129, 0.0776014867, 0.246280102, 0.945875246},
         -0.125467869,
         0.0669809597},
        {.5,
         -.05,
         {0.0895547744, 0.111627997, -0.0222974635},
         {0.11696126, -0.254291148, -0.0681155695, 0.957609704},
         {1.00522261, -0.0558139986, 0.161148732},
         {-0.196049087, 0.0785424548, 0.248316845, 0.945375366},
         -0.168137199,
         0.0873531524},
    };
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
        struct piece a = first(), b = second();
        const struct piece a0 = a, b0 = b;
        const struct joint_end of_a = end_of(&a), of_b = end_of(&b);
        double d[3], n[3], impulse[3];
        apart(&a, &b, d);
        for (int i = 0; i < 3; i++) {
            n[i] = d[i] / size(d);
        }
        const double w = joint_along(&of_a, of_a.arm, n) + joint_along(&of_b, of_b.arm, n);
        const double c = size(d) - .2, step = joint_row(c, vectors[v].at, vectors[v].lam, w);
        near_all(&w, &(double){2.91032935}, 1, 1e-8);
        near_all(&c, &(double){0.427886757}, 1, 1e-9);
        near_all(&(double){vectors[v].lam + step}, &vectors[v].lam_after, 1, 1e-9);
        for (int i = 0; i < 3; i++) {
            impulse[i] = step * n[i];
        }
        push(&a, of_a.arm, impulse, 1);
        push(&b, of_b.arm, impulse, -1);
        near_all(a.x, vectors[v].a_x, 3, 1e-8);
        near_all(a.q, vectors[v].a_q, 4, 1e-8);
        near_all(b.x, vectors[v].b_x, 3, 1e-8);
        near_all(b.q, vectors[v].b_q, 4, 1e-8);
        apart(&a, &b, d);
        near_all(&(double){size(d) - .2}, &vectors[v].c_after, 1, 1e-8);
        // A pull along the line between the anchors keeps angular momentum.
        kept(&a, &a0, &b, &b0, 1e-15);
    }
}

// ------------------------------------------------------------------------------------------------------ ball

struct ball_vector {
    double at, lam[3], a_x[3], a_q[4], b_x[3], b_q[4], lam_after[3], c_after[3];
};

static void balls_come_out(void **state)
{
    (void)state;
    static const struct ball_vector vectors[] = {
        {0,
         {0},
         {0.0199754601, 0.0441024609, 0.0576397772},
         {0.131378678, -0.314924596, -0.124469824, 0.931702423},
         {1.04001227, -0.0220512305, 0.121180111},
         {-0.202497759, 0.0668341819, 0.223247622, 0.951151065},
         {-0.0800245399, -0.155897539, 0.157639777},
         {-0.052647785, -0.0105778679, -0.0144336264}},
        {.25,
         {0},
         {0.0337118755, 0.0570805973, 0.0438227709},
         {0.128910787, -0.304716675, -0.11386381, 0.936784282},
         {1.03314406, -0.0285402986, 0.128088615},
         {-0.201297275, 0.0684694719, 0.227985925, 0.950165121},
         {-0.0662881245, -0.142919403, 0.143822771},
         {-0.0287222632, 0.02608074, -0.0480669067}},
        {.25,
         {.01, -.02, .03},
         {0.0328026005, 0.0584081938, 0.0412694556},
         {0.128470372, -0.302969415, -0.111815959, 0.937657767},
         {1.0335987, -0.0292040969, 0.129365272},
         {-0.201145684, 0.0693405732, 0.228574474, 0.949992636},
         {-0.0571973995, -0.161591806, 0.171269456},
         {-0.0297123351, 0.030929154, -0.0545249049}},
    };
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
        const struct ball_vector *want = &vectors[v];
        struct piece a = first(), b = second();
        const struct joint_end of_a = end_of(&a), of_b = end_of(&b);
        double d[3], k[9] = {0}, step[3], lam[3];
        apart(&a, &b, d);
        near_all(d, (const double[]){0.0555152727, 0.469687878, -0.412980789}, 3, 1e-9);
        joint_matrix(&of_a, k);
        joint_matrix(&of_b, k);
        assert_true(joint_block(k, want->at, d, want->lam, step));
        push(&a, of_a.arm, step, 1);
        push(&b, of_b.arm, step, -1);
        for (int i = 0; i < 3; i++) {
            lam[i] = want->lam[i] + step[i];
        }
        near_all(lam, want->lam_after, 3, 1e-9);
        near_all(a.x, want->a_x, 3, 1e-8);
        near_all(a.q, want->a_q, 4, 1e-8);
        near_all(b.x, want->b_x, 3, 1e-8);
        near_all(b.q, want->b_q, 4, 1e-8);
        apart(&a, &b, d);
        near_all(d, want->c_after, 3, 1e-8);
    }
}

// A ball whose anchors are together keeps angular momentum: each gets the torque of its own arm.
static void a_ball_keeps_angular_momentum(void **state)
{
    (void)state;
    struct piece a = first(), b = second();
    double d[3], k[9] = {0}, step[3];
    apart(&a, &b, d);
    for (int i = 0; i < 3; i++) {
        b.x[i] += d[i];
    }
    const struct piece a0 = a, b0 = b;
    const struct joint_end of_a = end_of(&a), of_b = end_of(&b);
    joint_matrix(&of_a, k);
    joint_matrix(&of_b, k);
    const double moved[3] = {1e-3, -2e-3, .5e-3}, none[3] = {0};
    assert_true(joint_block(k, 0, moved, none, step));
    push(&a, of_a.arm, step, 1);
    push(&b, of_b.arm, step, -1);
    kept(&a, &a0, &b, &b0, 1e-17);
}

// A piece that is held on both sides has no answer.
static void what_is_held_does_not_move(void **state)
{
    (void)state;
    const double k[9] = {0}, c[3] = {1, 2, 3}, none[3] = {0};
    double x[3] = {9, 9, 9};
    assert_false(joint_block(k, 0, c, none, x));
    assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0);
    assert_true(joint_row(1, 0, 0, 0) == 0);
}

// ------------------------------------------------------------------------------- a point of a tetrahedron

static void points_of_others_come_out(void **state)
{
    (void)state;
    static const double weights[4] = {.4, .3, .2, .1}, inverse[4] = {1, .5, 2, .25};
    static const double tet[4][3] = {{.1, -.2, .3}, {1.2, .1, 0}, {.2, 1.1, -.1}, {-.1, .3, 1.4}};
    static const struct {
        double at, lam[3], a_x[3], a_q[4], tet[4][3], lam_after[3], c_after[3];
    } vectors[] = {
        {0,
         {0},
         {-0.0552566572, 0.110963128, 0.0388640493},
         {0.120818319, -0.308487351, 0.00419381818, 0.943515183},
         {{0.162102663, -0.164385251, 0.24445438},
          {1.2232885, 0.113355531, -0.0208296074},
          {0.262102663, 1.13561475, -0.15554562},
          {-0.0961185836, 0.302225922, 1.3965284}},
         {-0.155256657, -0.0890368716, 0.138864049},
         {-0.0170982271, -0.00475683178, -0.00319870667}},
        {.25,
         {0},
         {-0.0295999468, 0.122549661, 0.025068006},
         {0.118590758, -0.2970424, 0.00773028237, 0.94743986},
         {{0.151839979, -0.169019864, 0.249972798},
          {1.21943999, 0.111617551, -0.0187602009},
          {0.251839979, 1.13098014, -0.150027202},
          {-0.0967600013, 0.301936258, 1.3968733}},
         {-0.129599947, -0.0774503394, 0.125068006},
         {0.0185412595, 0.0154170104, -0.0336969325}},
        {.25,
         {.01, -.02, .03},
         {-0.0307641448, 0.124051039, 0.0219274071},
         {0.118005747, -0.294753976, 0.0102001882, 0.94820393},
         {{0.152305658, -0.169620416, 0.251229037},
          {1.21961462, 0.111392344, -0.0182891111},
          {0.252305658, 1.13037958, -0.148770963},
          {-0.0967308964, 0.301898724, 1.39695181}},
         {-0.120764145, -0.0959489607, 0.151927407},
         {0.0170795883, 0.0202590522, -0.040228406}},
    };
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
        struct piece a = first();
        const struct joint_end of_a = end_of(&a);
        double x[4][3], c[3], k[9] = {0}, step[3], lam[3];
        struct joint_end point = {0};
        memcpy(x, tet, sizeof x);
        for (int i = 0; i < 3; i++) {
            c[i] = a.x[i] + of_a.arm[i];
        }
        for (int corner = 0; corner < 4; corner++) {
            point.w += weights[corner] * weights[corner] * inverse[corner];
            for (int i = 0; i < 3; i++) {
                c[i] -= weights[corner] * x[corner][i];
            }
        }
        near_all(c, (const double[]){0.190427553, 0.167933492, -0.30912114}, 3, 1e-9);
        joint_matrix(&of_a, k);
        joint_matrix(&point, k);
        assert_true(joint_block(k, vectors[v].at, c, vectors[v].lam, step));
        push(&a, of_a.arm, step, 1);
        joint_turned(a.q, a.local, c);
        for (int i = 0; i < 3; i++) {
            c[i] += a.x[i];
            lam[i] = vectors[v].lam[i] + step[i];
            for (int corner = 0; corner < 4; corner++) {
                x[corner][i] -= weights[corner] * inverse[corner] * step[i];
                c[i] -= weights[corner] * x[corner][i];
            }
        }
        near_all(lam, vectors[v].lam_after, 3, 1e-9);
        near_all(a.x, vectors[v].a_x, 3, 1e-8);
        near_all(a.q, vectors[v].a_q, 4, 1e-8);
        near_all(&x[0][0], &vectors[v].tet[0][0], 12, 1e-8);
        near_all(c, vectors[v].c_after, 3, 1e-8);
    }
}

// ------------------------------------------------------------------------------------------------- rotation

// A row about n: a turns by it, b against it.
static double about(struct piece *a, struct piece *b, const double n[3], double c, double at, double lam)
{
    const struct joint_end of_a = end_of(a), of_b = end_of(b);
    const double w = joint_about(&of_a, n) + joint_about(&of_b, n), step = joint_row(c, at, lam, w);
    const double torque[3] = {n[0] * step, n[1] * step, n[2] * step};
    twist(a, torque, 1);
    twist(b, torque, -1);
    return lam + step;
}

static void fixed_rows_come_out(void **state)
{
    (void)state;
    static const struct {
        double at, lam, a_q[4], b_q[4], lam_after, c_after;
    } vectors[] = {
        {0,
         0,
         {-0.0427731004, -0.053850198, 0.311795243, 0.947657293},
         {-0.122553527, -0.0171433144, 0.229456517, 0.965420347},
         -0.170590828,
         0.242921289},
        {2,
         0,
         {-0.00618626578, -0.0916995614, 0.245657386, 0.964989828},
         {-0.14034056, 0.0128401062, 0.243866577, 0.959514852},
         -0.124128976,
         0.339113206},
        {2,
         .05,
         {-0.0171190974, -0.0804660203, 0.265603604, 0.960565917},
         {-0.135130334, 0.00402341694, 0.239665246, 0.961396991},
         -0.0877468978,
         0.294077977},
    };
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
        struct piece a = first(), b = second();
        double c[3], n[3];
        joint_apart(a.q, b.q, c);
        near_all(&(double){size(c)}, &(double){0.911511852}, 1, 1e-9);
        for (int i = 0; i < 3; i++) {
            n[i] = c[i] / size(c);
        }
        const double lam = about(&a, &b, n, size(c), vectors[v].at, vectors[v].lam);
        near_all(&lam, &vectors[v].lam_after, 1, 1e-9);
        near_all(a.q, vectors[v].a_q, 4, 1e-8);
        near_all(b.q, vectors[v].b_q, 4, 1e-8);
        joint_apart(a.q, b.q, c);
        near_all(&(double){size(c)}, &vectors[v].c_after, 1, 1e-8);
    }
}

static void hinge_rows_along_the_error_come_out(void **state)
{
    (void)state;
    static const struct {
        double at, lam, a_q[4], b_q[4], lam_after, c_after;
    } vectors[] = {
        {0,
         0,
         {-0.0319872978, -0.0494951745, 0.0385289331, 0.997518201},
         {-0.118291055, -0.042787573, 0.303713483, 0.944422877},
         -0.162542149,
         0.148411795},
        {2,
         0,
         {0.00860615253, -0.0954592801, 0.0419009942, 0.994513834},
         {-0.140389008, 0.000176469307, 0.297323347, 0.944399133},
         -0.110938001,
         0.306105747},
        {2,
         .05,
         {-0.00397173163, -0.0812519676, 0.0408728197, 0.995847255},
         {-0.13359511, -0.0131017855, 0.299373673, 0.944646015},
         -0.0768120829,
         0.249022479},
    };
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
        struct piece a = first(), b = second();
        double axes_a[3][3], axes_b[3][3], e[3], n[3];
        sim_axes_of(a.q, axes_a);
        sim_axes_of(b.q, axes_b);
        sim_cross(axes_b[2], axes_a[2], e);
        near_all(&(double){size(e)}, &(double){0.698862468}, 1, 1e-9);
        for (int i = 0; i < 3; i++) {
            n[i] = e[i] / size(e);
        }
        const double lam = about(&a, &b, n, size(e), vectors[v].at, vectors[v].lam);
        near_all(&lam, &vectors[v].lam_after, 1, 1e-9);
        near_all(a.q, vectors[v].a_q, 4, 1e-8);
        near_all(b.q, vectors[v].b_q, 4, 1e-8);
        sim_axes_of(a.q, axes_a);
        sim_axes_of(b.q, axes_b);
        sim_cross(axes_b[2], axes_a[2], e);
        near_all(&(double){size(e)}, &vectors[v].c_after, 1, 1e-8);
    }
}

// The blocks that the solver uses leave far less of an error than one row along it does, and the same when both pieces, or
// one of them, have the other sign.
static void blocks_turn_back_at_once(void **state)
{
    (void)state;
    double left[2][2]; // fixed, hinge; as they are, with another sign
    for (int sign = 0; sign < 2; sign++) {
        struct piece a = first(), b = second();
        for (int i = 0; sign && i < 4; i++) {
            a.q[i] = -a.q[i];
        }
        struct joint_end of_a = end_of(&a), of_b = end_of(&b);
        double c[3], k[9], step[3], none[3] = {0};
        joint_apart(a.q, b.q, c);
        for (int i = 0; i < 9; i++) {
            k[i] = of_a.turns[i] + of_b.turns[i];
        }
        assert_true(joint_block(k, 0, c, none, step));
        twist(&a, step, 1);
        twist(&b, step, -1);
        kept(&a, &a, &b, &b, 1e-15);
        joint_apart(a.q, b.q, c);
        left[0][sign] = size(c);

        a = first();
        b = second();
        double axes_a[3][3], axes_b[3][3], turns[9], lam[2] = {0}, rows[2], e[3];
        of_a = end_of(&a);
        of_b = end_of(&b);
        for (int i = 0; i < 9; i++) {
            turns[i] = of_a.turns[i] + of_b.turns[i];
        }
        sim_axes_of(a.q, axes_a);
        sim_axes_of(b.q, axes_b);
        joint_hinge(turns, NULL, axes_a[2], (const double(*)[3])axes_b, 0, lam, rows, step);
        twist(&a, step, 1);
        twist(&b, step, -1);
        sim_axes_of(a.q, axes_a);
        sim_axes_of(b.q, axes_b);
        sim_cross(axes_b[2], axes_a[2], e);
        left[1][sign] = size(e);
    }
    assert_true(left[0][0] < .1 * 0.911511852);
    assert_true(left[1][0] < .1 * 0.698862468);
    assert_true(left[0][0] == left[0][1]);
}

// At rest a rotation of a changes the vectors of fixed joints and hinges by itself, and one of b by the opposite.
static void gradients_are_those_of_differences(void **state)
{
    (void)state;
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int side = 0; side < 2; side++) {
        struct piece a = first(), b = a;
        const double theta[3] = {2e-6, -1e-6, 3e-6};
        double c[3], axes_a[3][3], axes_b[3][3], lam[2] = {0}, torque[3];
        turn(side ? b.q : a.q, theta);
        joint_apart(a.q, b.q, c);
        sim_axes_of(a.q, axes_a);
        sim_axes_of(b.q, axes_b);
        for (int i = 0; i < 3; i++) {
            near_all(&c[i], &(double){side ? -theta[i] : theta[i]}, 1, 1e-12);
        }
        joint_hinge(identity, NULL, axes_a[2], (const double(*)[3])axes_b, 0, lam, c, torque);
        for (int i = 0; i < 2; i++) {
            const double turned = sim_dot(theta, axes_b[i]);
            near_all(&c[i], &(double){side ? -turned : turned}, 1, 1e-11);
        }
    }
}

// --------------------------------------------------------------------------------------------------- angles

static void a_limit_comes_out(void **state)
{
    (void)state;
    struct piece a = {.q = {0, 0, 1, 3}, .inverse = {6, 6, 6}}, b = {.q = {0, 0, 0, 1}};
    double axes_a[3][3], axes_b[3][3], angle[2];
    normalise(a.q);
    sim_axes_of(a.q, axes_a);
    sim_axes_of(b.q, axes_b);
    joint_angle(axes_a[2], axes_a[0], axes_b[0], angle);
    near_all(angle, (const double[]){.8, .6}, 2, 1e-15);
    const double limit[2] = {.96, .28}, c = angle[1] * limit[0] - angle[0] * limit[1];
    near_all(&c, &(double){.352}, 1, 1e-15);
    const double lam = about(&a, &b, axes_a[2], c, 0, 0);
    near_all(&lam, &(double){-0.0586666667}, 1, 1e-10);
    near_all(a.q, (const double[]){0, 0, 0.147000131, 0.989136473}, 4, 1e-9);
}

// The measure that the solver uses: by any angle it is twice the tangent of half the difference.
static void angles_past_limits_grow(void **state)
{
    (void)state;
    for (double middle = -3; middle < 3; middle += .37) {
        for (double half = .1; half < 3.1; half += .3) {
            const double m[2] = {cos(middle), sin(middle)}, h[2] = {cos(half), sin(half)};
            for (double off = -3.1; off < 3.1; off += .11) {
                const double angle[2] = {cos(middle + off), sin(middle + off)};
                const double past = joint_beyond(angle, m, h);
                const double want = off > half    ? 2 * tan((off - half) / 2)
                                    : off < -half ? 2 * tan((off + half) / 2)
                                                  : 0;
                near_all(&past, &want, 1, 1e-9 * (1 + fabs(want)));
            }
        }
    }
    const double one[2] = {1, 0}, opposite[2] = {-1, 1e-9};
    assert_true(joint_past(opposite, one) == JOINT_FAR);
    assert_true(joint_cut(2, 5, 4) == 2 && joint_cut(-2, -5, 4) == -2 && joint_cut(1, 1, 4) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_come_out),
        cmocka_unit_test(balls_come_out),
        cmocka_unit_test(a_ball_keeps_angular_momentum),
        cmocka_unit_test(what_is_held_does_not_move),
        cmocka_unit_test(points_of_others_come_out),
        cmocka_unit_test(fixed_rows_come_out),
        cmocka_unit_test(hinge_rows_along_the_error_come_out),
        cmocka_unit_test(blocks_turn_back_at_once),
        cmocka_unit_test(gradients_are_those_of_differences),
        cmocka_unit_test(a_limit_comes_out),
        cmocka_unit_test(angles_past_limits_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
