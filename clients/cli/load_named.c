// Materials that are given as fields of body.add: the fabrics of the table, and those of a file (--materials).
#include "load.h"

#include "protocol/scene/scene.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

// The number in a map; NaN: there is none.
static double number_in(const json_t *map, const char *key)
{
    const json_t *value = json_object_get(map, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void take(const json_t *map, const char *key, double given, double *value)
{
    const double number = number_in(map, key);
    *value = isnan(given) && !isnan(number) ? number : *value;
}

static void take_stretch(struct load *load, const json_t *map)
{
    struct load_fabric *fabric = &load->fabric;
    const json_t *direction = json_object_get(map, "direction");
    take(map, "limit", load->given.limit, &load->values.limit);
    take(map, "damping", load->given.damping, &load->values.damping);
    if (fabric->said || !isnan(load->given.stretch)) {
        return; // an option says how it stretches
    }
    take(map, "compliance", (double)NAN, &load->values.stretch);
    if (isnan(number_in(map, "warp"))) {
        return;
    }
    fabric->said = true;
    fabric->warp = number_in(map, "warp");
    fabric->weft = number_in(map, "weft");
    fabric->shear = number_in(map, "shear");
    fabric->poisson = isnan(number_in(map, "poisson")) ? 0 : number_in(map, "poisson");
    if (!fabric->has_warp && json_array_size(direction) == 3) {
        fabric->has_warp = true;
        for (size_t axis = 0; axis < 3; axis++) {
            fabric->direction[axis] = json_number_value(json_array_get(direction, axis));
        }
    }
}

static void take_bend(struct load *load, const json_t *map)
{
    struct load_fabric *fabric = &load->fabric;
    const char *model = json_string_value(json_object_get(map, "model"));
    static const char *const models[] = {"dihedral", "isometric", "quadratic", "none"};
    for (size_t m = 0; model && m < sizeof models / sizeof *models; m++) {
        load->values.bend_model = strcmp(model, models[m]) == 0 ? models[m] : load->values.bend_model;
    }
    if (!isnan(load->given.bend) || !isnan(load->given.rigidity) || fabric->bends) {
        return; // an option says how it bends
    }
    take(map, "compliance", (double)NAN, &load->values.bend);
    take(map, "rigidity", (double)NAN, &load->values.rigidity);
    fabric->bends = fabric->said && !isnan(number_in(map, "warp"));
    fabric->bend[0] = number_in(map, "warp");
    fabric->bend[1] = number_in(map, "weft");
    fabric->bend[2] = isnan(number_in(map, "bias")) ? 0 : number_in(map, "bias");
}

int load_named(struct load *load, const char *name, bool *found)
{
    struct fault fault;
    json_t *own = load->materials ? scene_materials_open(load->materials, &fault) : NULL;
    if (load->materials && !own) {
        fprintf(stderr, "weft: INVALID: %s\n", fault.text);
        return CLI_REFUSED;
    }
    // The old names are fitted to the mesh, unless a file has them.
    json_t *material = !*found || json_object_get(own, name) ? scene_material_named(own, name) : NULL;
    json_decref(own);
    if (material) {
        *found = true;
        take(material, "density", load->given.density, &load->values.density);
        take(material, "friction", load->contact.friction, &load->contact.friction);
        take(json_object_get(material, "volume"), "compliance", load->given.volume, &load->values.volume);
        take(json_object_get(material, "solid"), "young", load->given.young, &load->values.young);
        take(json_object_get(material, "solid"), "poisson", load->given.poisson, &load->values.poisson);
        take_stretch(load, json_object_get(material, "stretch"));
        take_bend(load, json_object_get(material, "bend"));
    }
    json_decref(material);
    return CLI_OK;
}
