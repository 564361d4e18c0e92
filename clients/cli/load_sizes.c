// The thickness beside the edges of the mesh: what contact will be slow about is said before anything is sent.
#include "load.h"
#include "protocol/sizing/sizing.h"

#include <math.h>

static const double FLOOR =
    1024 * 0x1p-27; // m: the least thickness of what meets others, at the default resolution
static const double TRIANGLE = 0.866; // area of an even triangulation a vertex, over the square of its edges

static double area_of(const struct mesh *mesh)
{
    double area = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
        const double *a = mesh->positions + 3 * (size_t)corner[0],
                     *b = mesh->positions + 3 * (size_t)corner[1],
                     *c = mesh->positions + 3 * (size_t)corner[2];
        const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
                     v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
        const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        area += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
    return area;
}

// Rounds an estimate to two digits, to be printed as a whole number.
static double two_digits(double count)
{
    const double step = count < 10 ? 1 : pow(10, floor(log10(count)) - 1);
    return round(count / step) * step;
}

bool load_sizes(struct load *load)
{
    const struct mesh *body = load->body;
    const bool solid = load->is_soft;
    const struct sizing_mesh mesh = {.positions = body->positions,
                                     .elements = solid ? body->tets : body->triangles,
                                     .vertex_count = body->vertex_count,
                                     .element_count = solid ? body->tet_count : body->triangle_count,
                                     .corners = solid ? 4 : 3};
    struct load_sizing *sizes = &load->sizes;
    struct sizing sizing;
    if (!sizing_init(&sizing, &mesh)) {
        return false;
    }
    const double right = sizing_thickness(&sizing, FLOOR);
    double *thickness = &load->values.thickness;
    *sizes = (struct load_sizing){
        .mean = sizing.mean,
        .median = sizing.median,
        .least = sizing.least,
        .small = sizing.small,
        .right = right,
        .lowered = isnan(*thickness) && right < fmin(SIZING_OF_MEAN * sizing.mean, SIZING_THICKNESS_MAX)};
    *thickness = isnan(*thickness) ? right : *thickness;
    sizes->share = sizing_share_below(&sizing, 2 * *thickness);
    sizes->thick = sizes->share > SIZING_SHORT_SHARE;
    if (!solid) {
        sizes->even = sqrt(area_of(body) / (TRIANGLE * body->vertex_count));
    }
    const bool good = solid || !sizes->thick || !load->contact.self ||
                      sizing_pairs(&mesh, 2 * *thickness, &sizes->pairs, &sizes->more);
    sizing_deinit(&sizing);
    return good;
}

void load_tell_sizes(const struct load *load)
{
    const struct load_sizing *sizes = &load->sizes;
    if (sizes->lowered) {
        printf("its edges are uneven: median %.3g m, least %.3g m, 5 %% of them below %.3g m\n"
               "  so its thickness is %.3g m, instead of %.3g m (0.15 of the mean edge)\n",
               sizes->median, sizes->least, sizes->small, load->values.thickness,
               SIZING_OF_MEAN * sizes->mean);
    } else if (sizes->thick) {
        printf("its thickness of %.3g m is large for its edges: %.0f %% of them are shorter than twice that "
               "(median %.3g m, least %.3g m)\n",
               load->values.thickness, 100 * sizes->share, sizes->median, sizes->least);
        if (sizes->pairs > 0) {
            printf("  %s%.0f pairs, %.0f for each particle, are near each other at rest: contact will be "
                   "slow and may jam\n",
                   sizes->more ? "more than " : "about ", two_digits(sizes->pairs),
                   two_digits(sizes->pairs / load->body->vertex_count));
        }
        printf("  --thickness %.2g suits this mesh\n", sizes->right);
    }
    const bool remeshable = !load->is_soft && !load->plays && load->shape.nonmanifold_edges == 0;
    if ((sizes->lowered || sizes->thick) && remeshable && isnan(load->remesh)) {
        printf("  --remesh %.2g makes the edges even, with about as many vertices\n", sizes->even);
    }
    fflush(stdout);
}
