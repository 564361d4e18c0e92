// weft load --rigid: a closed mesh becomes one rigid body. Its mass and inertia are those of the mesh, and its shape for contact is a
// compound of convex hulls.
#include "load.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#define DENSITY 1000 // kg/m^3, as the server has it

const char *load_kind(const struct load *load)
{
    return load->is_rigid ? "rigid" : load->is_soft ? "soft" : "cloth";
}

int load_rigid_check(const struct load *load)
{
    const struct load_values *given = &load->given;
    const struct {
        const char *option;
        bool given;
    } others[] = {{"--soft", load->cells > 0},
                  {"--kind", load->kind != NULL},
                  {"--play", load->plays || load->play.cache || load->play.animation},
                  {"--material", load->material || load->materials},
                  {"--stretch", !isnan(given->stretch)},
                  {"--bend", !isnan(given->bend)},
                  {"--bend-model", given->bend_model != NULL},
                  {"--rigidity", !isnan(given->rigidity) || load->fabric.bends},
                  {"--fabric", load->fabric.said || load->fabric.has_warp},
                  {"--volume", !isnan(given->volume)},
                  {"--young", !isnan(given->young) || !isnan(given->poisson)},
                  {"--damping", !isnan(given->damping)},
                  {"--limit", !isnan(given->limit)},
                  {"--self-contact", load->contact.said_self}};
    if (!load->is_rigid) {
        return load->hulls_most == 0 ? CLI_OK : cli_usage("--parts is for a rigid body: add --rigid");
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].given) {
            return cli_usage("%s cannot be combined with --rigid: a rigid body has no such property",
                             others[i].option);
        }
    }
    for (uint32_t i = 0; i < load->pin_texts; i++) {
        if (strcmp(load->pins[i], "all") != 0) {
            return cli_usage("--pin %.40s: a rigid body has one particle, its centre of mass; only --pin all "
                             "holds it",
                             load->pins[i]);
        }
    }
    return CLI_OK;
}

bool load_rigid_make(struct load *load, const struct mesh_watch *watch, struct fault *fault)
{
    const struct mesh *mesh = &load->file.mesh;
    struct fault inner;
    const uint32_t most = load->hulls_most > 0 ? load->hulls_most : MESH_HULLS_MAX;
    if (mesh->tet_count > 0 && mesh->triangle_count == 0) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "%.180s has tetrahedra and no triangles; --rigid needs a closed surface",
                         load->path);
    }
    if (!mesh_solid(mesh, &load->shape, &load->solid, &inner) ||
        !mesh_hulls(mesh, &load->solid, most, watch, &load->hulls, &inner)) {
        const char *help = load->shape.boundary_edges > 0 ? " (a greater --weld closes seams that gape)"
                           : inner.code == FAULT_LIMIT    ? " (--remesh makes fewer)"
                                                          : "";
        return fault_set(fault, inner.code, NULL, "%s%s", inner.text, help);
    }
    load->values = load->given;
    if (isnan(load->values.density) && !load->is_static) {
        load->values.density = DENSITY;
    }
    load->pinned_count = load->pin_texts > 0;
    return true;
}

void load_rigid_add(const struct load *load, struct weft_params *params)
{
    static const uint32_t first = 0;
    const struct mesh_solid *solid = &load->solid;
    const struct mesh_hulls *hulls = &load->hulls;
    weft_params_f64_array(params, "positions", solid->centre, 3);
    weft_params_map_begin(params, "rigid");
    weft_params_string(params, "form", "compound");
    weft_params_list_begin(params, "parts");
    for (uint32_t i = 0; i < hulls->count; i++) {
        weft_params_map_begin(params, NULL);
        weft_params_string(params, "form", "hull");
        weft_params_f64_array(params, "points", hulls->points + 3 * (size_t)hulls->firsts[i],
                              3 * (size_t)(hulls->firsts[i + 1] - hulls->firsts[i]));
        weft_params_map_end(params);
    }
    weft_params_list_end(params);
    weft_params_map_begin(params, "measures");
    weft_params_f64(params, "volume", solid->volume);
    weft_params_f64_array(params, "inertia", solid->inertia, 3);
    weft_params_f64_array(params, "products", solid->products, 3);
    weft_params_map_end(params);
    weft_params_map_end(params);
    if (load->pinned_count) {
        weft_params_u32_array(params, "pins", &first, 1);
    }
}

static double excess(const struct load *load)
{
    return load->hulls.volume / load->solid.volume - 1;
}

static double mass(const struct load *load)
{
    return load->is_static ? 0 : load->values.density * load->solid.volume;
}

void load_rigid_tell(const struct load *load)
{
    const struct mesh_bounds *bounds = &load->bounds;
    const struct mesh_solid *solid = &load->solid;
    const double share = 100 * excess(load);
    char name[2 * sizeof load->file.parts->name];
    printf("rigid body %s: %u convex %s, %u vertices%s\n", cli_shown(load->name, name, sizeof name),
           load->hulls.count, load->hulls.count == 1 ? "part" : "parts",
           load->hulls.firsts[load->hulls.count], load->pinned_count ? ", pinned" : "");
    printf("  the parts together have %.2g %% %s volume than the mesh\n", fabs(share),
           share < 0 ? "less" : "more");
    printf("  from %.4g, %.4g, %.4g to %.4g, %.4g, %.4g m\n", bounds->low[0], bounds->low[1], bounds->low[2],
           bounds->high[0], bounds->high[1], bounds->high[2]);
    printf("  volume %.4g m^3  mass %.4g kg  centre of mass %.4g, %.4g, %.4g m\n", solid->volume, mass(load),
           solid->centre[0], solid->centre[1], solid->centre[2]);
}

void load_rigid_json(const struct load *load, json_t *object)
{
    const struct mesh_solid *solid = &load->solid;
    const double *c = solid->centre, *i = solid->inertia, *p = solid->products;
    json_object_set_new(object, "rigid",
                        json_pack("{s:I,s:I,s:f,s:f,s:f,s:f,s:[f,f,f],s:[f,f,f],s:[f,f,f]}", "parts",
                                  (json_int_t)load->hulls.count, "vertices",
                                  (json_int_t)load->hulls.firsts[load->hulls.count], "volume", solid->volume,
                                  "parts_volume", load->hulls.volume, "excess", excess(load), "mass",
                                  mass(load), "centre", c[0], c[1], c[2], "inertia", i[0], i[1], i[2],
                                  "products", p[0], p[1], p[2]));
}
