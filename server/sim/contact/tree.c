#include "sim/contact/features.h"
#include "sim/kernels/wide.h"
#define LO(a,b) ((a)<(b)?(a):(b))
#define HI(a,b) ((a)>(b)?(a):(b))
void SIM_ISA(sim_tree_refit)(struct sim_features *f, const struct sim_box *boxes, const uint8_t *dirty);
void SIM_ISA(sim_tree_walk)(const struct sim_features *one, uint32_t a, const struct sim_features *other, uint32_t b, bool only, sim_tree_meets *meets, void *context);
void SIM_ISA(sim_tree_refit)(struct sim_features *f, const struct sim_box *boxes, const uint8_t *dirty)
{
    for (uint32_t l = 0; l < f->leaf_count; l++) {
        struct sim_box *n = &f->nodes[f->leaf_count + l];
        for (int k = 0; k < 3; k++) n->least[k] = INT32_MAX, n->most[k] = INT32_MIN;
        f->moved_lanes[l] = 0;
        for (uint32_t j = 0; j < 16; j++) {
            uint32_t e = l * 16 + j;
            for (int k = 0; k < 3; k++) {
                int32_t lo = INT32_MAX, hi = INT32_MIN;
                for (int c = 0; c < 3 && e < f->count; c++) { const struct sim_box *b = &boxes[f->corners[e][c]]; lo = LO(lo, b->least[k]); hi = HI(hi, b->most[k]); }
                f->leaves[l].least[k][j] = lo; f->leaves[l].most[k][j] = hi;
                n->least[k] = LO(n->least[k], lo); n->most[k] = HI(n->most[k], hi);
            }
            if (e < f->count && (dirty == NULL || (dirty[f->corners[e][0]] | dirty[f->corners[e][1]] | dirty[f->corners[e][2]]))) f->moved_lanes[l] |= (uint16_t)(1 << j);
        }
        f->moved[f->leaf_count + l] = f->moved_lanes[l] != 0;
    }
    for (uint32_t i = f->leaf_count - 1; i > 0; i--) {
        for (int k = 0; k < 3; k++) { f->nodes[i].least[k] = LO(f->nodes[2*i].least[k], f->nodes[2*i+1].least[k]); f->nodes[i].most[k] = HI(f->nodes[2*i].most[k], f->nodes[2*i+1].most[k]); }
        f->moved[i] = f->moved[2*i] | f->moved[2*i+1];
    }
}
static bool touch(const struct sim_box *a, const struct sim_box *b)
{
    return (a->least[0] <= b->most[0]) & (b->least[0] <= a->most[0]) & (a->least[1] <= b->most[1]) & (b->least[1] <= a->most[1]) & (a->least[2] <= b->most[2]) & (b->least[2] <= a->most[2]);
}
static void leaves(const struct sim_features *one, uint32_t a, const struct sim_features *other, uint32_t b, bool only, bool same, sim_tree_meets *meets, void *context)
{
    for (uint32_t i = 0; i < 16 && a * 16 + i < one->count; i++) {
        struct sim_box x; for (int k = 0; k < 3; k++) x.least[k] = one->leaves[a].least[k][i], x.most[k] = one->leaves[a].most[k][i];
        if (!touch(&x, &other->nodes[other->leaf_count + b])) continue;
        uint32_t m = 0;
        const struct sim_leaf *l = &other->leaves[b];
        for (uint32_t j = 0; j < 16; j++) {
            uint32_t hit = (x.least[0] <= l->most[0][j]) & (l->least[0][j] <= x.most[0]) & (x.least[1] <= l->most[1][j]) & (l->least[1][j] <= x.most[1]) & (x.least[2] <= l->most[2][j]) & (l->least[2][j] <= x.most[2]);
            m |= hit << j;
        }
        if (same) m &= 0xfffeU << i;
        if (only && !(one->moved_lanes[a] >> i & 1)) m &= other->moved_lanes[b];
        if (m) meets(context, a * 16 + i, b, m & 0xffff);
    }
}
void SIM_ISA(sim_tree_walk)(const struct sim_features *one, uint32_t a, const struct sim_features *other, uint32_t b, bool only, sim_tree_meets *meets, void *context)
{
    bool same = one == other && a == b;
    if (only && !(one->moved[a] | other->moved[b])) return;
    if (!same && !touch(&one->nodes[a], &other->nodes[b])) return;
    bool la = a >= one->leaf_count, lb = b >= other->leaf_count;
    if (la && lb) { leaves(one, a - one->leaf_count, other, b - other->leaf_count, only, same, meets, context); return; }
    if (same) {
        SIM_ISA(sim_tree_walk)(one, 2*a, one, 2*a, only, meets, context);
        SIM_ISA(sim_tree_walk)(one, 2*a+1, one, 2*a+1, only, meets, context);
        SIM_ISA(sim_tree_walk)(one, 2*a, one, 2*a+1, only, meets, context);
        return;
    }
    if (la) { SIM_ISA(sim_tree_walk)(one, a, other, 2*b, only, meets, context); SIM_ISA(sim_tree_walk)(one, a, other, 2*b+1, only, meets, context); return; }
    if (lb) { SIM_ISA(sim_tree_walk)(one, 2*a, other, b, only, meets, context); SIM_ISA(sim_tree_walk)(one, 2*a+1, other, b, only, meets, context); return; }
    for (uint32_t i = 0; i < 4; i++) SIM_ISA(sim_tree_walk)(one, 2*a + (i>>1), other, 2*b + (i&1), only, meets, context);
}
extern const struct sim_tree_kernels SIM_ISA(sim_tree_kernels);
const struct sim_tree_kernels SIM_ISA(sim_tree_kernels) = {SIM_ISA(sim_tree_refit), SIM_ISA(sim_tree_walk)};
