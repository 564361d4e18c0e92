// Prints what was loaded, or would be: in words, or as one JSON object.
#include "load.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_TOLD = 8 };
// m; a mesh larger than LARGE or smaller than its inverse was probably drawn in another unit
#define LARGE 20
#define SMALL 0.01

// ---------------------------------------------------------------------------------------------------------
// Words

static void print_count(uint32_t count, const char *one, const char *many)
{
    printf("%u %s", count, count == 1 ? one : many);
}

static void tell_file(const struct load *load)
{
    const struct mesh_file *file = &load->file;
    const bool remeshed = !isnan(load->remesh);
    const uint32_t vertices = load->exact.welded + load->exact.unused + load->welding.welded +
                              load->welding.unused +
                              (remeshed ? load->remeshed.vertices_before : file->mesh.vertex_count);
    char path[1024];
    printf("%s  %s, ", cli_shown(load->path, path, sizeof path), file->format);
    print_count(vertices, "vertex", "vertices");
    fputs(", ", stdout);
    if (load->cells || !load->is_soft) {
        print_count(remeshed ? load->remeshed.triangles_before : file->mesh.triangle_count, "triangle",
                    "triangles");
    } else {
        print_count(file->mesh.tet_count, "tetrahedron", "tetrahedra");
    }
    fputc('\n', stdout);
    if (file->part_count > 1 && !load->part) {
        char name[sizeof file->parts->name];
        printf("  %u meshes taken as one:", file->part_count);
        for (uint32_t i = 0; i < file->part_count && i < PARTS_TOLD; i++) {
            printf("%s %s", i ? "," : "", cli_shown(file->parts[i].name, name, sizeof name));
        }
        printf("%s\n", file->part_count > PARTS_TOLD ? ", ..." : "");
    }
}

static void tell_count(uint32_t count, const char *one, const char *many)
{
    if (count) {
        printf("  %u %s\n", count, count == 1 ? one : many);
    }
}

static void tell_cleaning(const struct load *load)
{
    const struct mesh_welding *a = &load->exact, *b = &load->welding;
    const struct mesh_shape *shape = &load->shape;
    tell_count(a->welded, "vertex lay where another did: welded", "vertices lay where others did: welded");
    if (b->welded) {
        printf("  %u more within %.3g m: welded\n", b->welded, load->tolerance);
    }
    tell_count(load->file.uncut_count, "polygon crosses itself: its triangles may overlap",
               "polygons cross themselves: their triangles may overlap");
    tell_count(a->collapsed + b->collapsed, "element collapsed by that: left out",
               "elements collapsed by that: left out");
    tell_count(a->repeated + b->repeated, "element stood there twice: left out once",
               "elements stood there twice: left out once");
    tell_count(a->unused + b->unused, "vertex belongs to nothing: left out",
               "vertices belong to nothing: left out");
    tell_count(shape->flipped, "element turned round to agree with the others",
               "elements turned round to agree with the others");
    tell_count(load->is_soft ? 0 : shape->nonmanifold_edges, "edge has more than two triangles",
               "edges have more than two triangles");
    tell_count(load->is_soft ? 0 : shape->one_sided, "component has only one side, as a Moebius strip",
               "components have only one side, as a Moebius strip");
    if (load->cells && shape->boundary_edges) {
        printf("  %u open %s ignored: the holes are %.2g %% of the surface\n", shape->boundary_edges,
               shape->boundary_edges == 1 ? "edge is" : "edges are", 100 * shape->hole_area / shape->area);
    }
}

static void tell_remeshed(const struct load *load)
{
    const struct mesh_remeshed *told = &load->remeshed;
    if (isnan(load->remesh)) {
        return;
    }
    printf("  remeshed from %u vertices, %u triangles: %.3g %% of the edges are within 4/5 to 4/3 of %.3g m "
           "(%.3g to %.3g)\n",
           told->vertices_before, told->triangles_before, 100 * told->even, load->remesh, told->least,
           told->most);
    printf("  it is at most %.2g m away from the surface as it was\n", told->farthest);
    tell_count(told->sharp, "sharp edge, of more than 40 degrees, was kept",
               "sharp edges, of more than 40 degrees, were kept");
}

static void tell_look(const struct load *load)
{
    const struct mesh_file *file = &load->file;
    if (load->no_look || load->is_rigid || (load->is_soft && !load->cells)) {
        return;
    }
    if (file->mesh.uvs) {
        printf("  it has uvs%s\n", load->has_edges ? " and sharp edges" : "");
    } else if (load->has_edges) {
        puts("  it has sharp edges");
    }
    tell_count(file->material_count, "material", "materials");
    if (*file->missing) {
        char name[2 * sizeof file->missing];
        printf("  %s cannot be opened: the materials have no colours\n",
               cli_shown(file->missing, name, sizeof name));
    }
}

static void tell_value(const char *name, double value, const char *unit)
{
    if (!isnan(value)) {
        printf("  %s %.3g %s", name, value, unit);
    }
}

static void tell_contact(const struct load *load)
{
    const struct load_contact *contact = &load->contact;
    const bool others = contact->group != 0 && contact->mask != 0;
    if (contact->none || (!contact->self && !others)) {
        fputs("  it meets nothing but colliders\n", stdout);
        return;
    }
    printf("  it meets %s%s%s\n", contact->self ? "itself" : "", contact->self && others ? " and " : "",
           others ? "others" : "");
}

static void tell_body(const struct load *load)
{
    const struct mesh_bounds *bounds = &load->bounds;
    const struct load_values *values = &load->values;
    if (load->cells) {
        printf("  filled with %u %s of %.3g m, which carry the surface\n", load->lattice.cell_count,
               load->lattice.cell_count == 1 ? "cell" : "cells", load->lattice.cell);
    }
    char name[2 * sizeof load->file.parts->name];
    printf("%s %s: ", load->is_soft ? "soft body" : "cloth", cli_shown(load->name, name, sizeof name));
    print_count(load->body->vertex_count, "particle", "particles");
    fputs(", ", stdout);
    if (load->is_soft) {
        print_count(load->body->tet_count, "tetrahedron", "tetrahedra");
    } else {
        print_count(load->body->triangle_count, "triangle", "triangles");
    }
    printf(", %u pinned\n", load->pinned_count);
    printf("  from %.4g, %.4g, %.4g to %.4g, %.4g, %.4g m\n", bounds->low[0], bounds->low[1], bounds->low[2],
           bounds->high[0], bounds->high[1], bounds->high[2]);
    fputs("  ", stdout);
    tell_value("density", values->density, load->is_soft ? "kg/m^3" : "kg/m^2");
    tell_value("stretch", values->stretch, "m/N");
    if (load->fabric.said) {
        tell_value("warp", load->fabric.warp, "N/m");
        tell_value("weft", load->fabric.weft, "N/m");
        tell_value("shear", load->fabric.shear, "N/m");
    }
    tell_value("limit", values->limit, "strain");
    if (values->bend_model) {
        printf("  bend %s", values->bend_model);
    }
    tell_value(values->bend_model ? "with" : "bend", values->bend,
               values->bend_model && strcmp(values->bend_model, "dihedral") == 0 ? "rad/(N m)" : "1/J");
    tell_value("rigidity", values->rigidity, "N m");
    if (load->fabric.bends) {
        tell_value("rigidity along the warp", load->fabric.bend[0], "N m");
        tell_value("along the weft", load->fabric.bend[1], "N m");
    }
    tell_value("volume", values->volume, "m^5/N");
    tell_value("young", values->young, "Pa");
    tell_value("with Poisson's ratio", values->poisson, "");
    tell_value("thickness", values->thickness, "m");
    fputc('\n', stdout);
    tell_contact(load);
    if (load->plays) {
        printf("  moves in %u frames of %.4g s%s\n", load->file.frame_count,
               load->file.times[load->file.frame_count - 1], load->loops ? ", over and over" : "");
    }
}

void load_size_hint(const struct load *load, bool refused, char out[LOAD_HINT_SIZE])
{
    double greatest = 0;
    for (int axis = 0; axis < 3; axis++) {
        greatest = fmax(greatest, load->bounds.high[axis] - load->bounds.low[axis]);
    }
    const bool small = greatest < SMALL && load->placement.fit == 0;
    out[0] = '\0';
    if (!load->sized && (refused || greatest > LARGE * load->room)) {
        snprintf(
            out, LOAD_HINT_SIZE,
            "it is %.3g m large; if the file is in millimetres, give --units mm; --fit changes it as well",
            greatest);
    } else if (refused || small) {
        snprintf(out, LOAD_HINT_SIZE, "it is %.3g m large; --units, --scale or --fit changes that", greatest);
    }
}

static void tell_size(const struct load *load)
{
    char hint[LOAD_HINT_SIZE];
    load_size_hint(load, false, hint);
    if (hint[0]) {
        printf("  %s\n", hint);
    }
}

static void tell_answer(const struct load *load)
{
    const msgpack_object *result = &load->reply.result;
    cli_print_warnings(result);
    printf("%sbody %llu in %s, revision %llu\n", load->created ? "new world; " : "",
           cli_field_u64(result, "body"), load->world, cli_field_u64(result, "revision"));
}

// ---------------------------------------------------------------------------------------------------------
// JSON

static json_t *vector(const double values[3])
{
    return json_pack("[f,f,f]", values[0], values[1], values[2]);
}

static void set_number(json_t *object, const char *name, double value)
{
    if (!isnan(value)) {
        json_object_set_new(object, name, json_real(value));
    }
}

// Names of files may not be UTF-8; bad bytes become question marks.
static json_t *text_json(const char *text)
{
    json_t *value = json_string(text);
    char *copy = value ? NULL : strdup(text);
    size_t used = 0;
    for (const char *c = text; copy && *c; c++) {
        copy[used] = (unsigned char)*c > 127 ? '?' : *c;
        used++;
    }
    if (copy) {
        value = json_string(copy);
    }
    free(copy);
    return value ? value : json_string("?");
}

static json_t *parts_json(const struct mesh_file *file)
{
    json_t *parts = json_array();
    for (uint32_t i = 0; i < file->part_count; i++) {
        // A name that was cut inside a character is not valid text for JSON.
        json_t *part = json_pack("{s:o,s:I,s:I}", "name", text_json(file->parts[i].name), "triangles",
                                 (json_int_t)file->parts[i].triangle_count, "tets",
                                 (json_int_t)file->parts[i].tet_count);
        json_array_append_new(parts, part);
    }
    return parts;
}

static void add_sizes(json_t *object, const struct load *load)
{
    const struct load_sizing *sizes = &load->sizes;
    const struct mesh_remeshed *told = &load->remeshed;
    if (sizes->mean > 0) {
        json_object_set_new(object, "sizes",
                            json_pack("{s:f,s:f,s:f,s:f,s:f,s:f,s:b}", "mean", sizes->mean, "median",
                                      sizes->median, "least", sizes->least, "short_share", sizes->share,
                                      "pairs", sizes->pairs, "thickness", sizes->right, "uneven",
                                      sizes->lowered || sizes->thick));
    }
    if (!isnan(load->remesh)) {
        json_object_set_new(object, "remeshed",
                            json_pack("{s:I,s:I,s:I,s:f,s:f,s:f,s:f}", "vertices",
                                      (json_int_t)told->vertices_before, "triangles",
                                      (json_int_t)told->triangles_before, "sharp", (json_int_t)told->sharp,
                                      "even", told->even, "least", told->least, "most", told->most,
                                      "farthest", told->farthest));
    }
}

static json_t *load_json(const struct load *load)
{
    const struct mesh_welding *a = &load->exact, *b = &load->welding;
    const struct load_values *values = &load->values;
    json_t *object = json_pack(
        "{s:o,s:s,s:o,s:I,s:I,s:I,s:I,s:I}", "file", text_json(load->path), "format", load->file.format,
        "meshes", parts_json(&load->file), "welded", (json_int_t)a->welded + b->welded, "collapsed",
        (json_int_t)a->collapsed + b->collapsed, "repeated", (json_int_t)a->repeated + b->repeated, "unused",
        (json_int_t)a->unused + b->unused, "turned", (json_int_t)load->shape.flipped);
    if (!object) {
        return NULL;
    }
    json_object_set_new(object, "uncut", json_integer(load->file.uncut_count));
    json_object_set_new(object, "kind", json_string(load_kind(load)));
    json_object_set_new(object, "name", text_json(load->name));
    json_object_set_new(object, "particles", json_integer(load->is_rigid ? 1 : load->body->vertex_count));
    json_object_set_new(object, "triangles",
                        json_integer(load->is_soft || load->is_rigid ? 0 : load->body->triangle_count));
    json_object_set_new(object, "tets", json_integer(load->is_soft ? load->body->tet_count : 0));
    json_object_set_new(object, "pins", json_integer(load->pinned_count));
    json_object_set_new(object, "low", vector(load->bounds.low));
    json_object_set_new(object, "high", vector(load->bounds.high));
    char hint[LOAD_HINT_SIZE];
    load_size_hint(load, false, hint);
    if (hint[0]) {
        json_object_set_new(object, "hint", json_string(hint));
    }
    if (load->cells) {
        json_object_set_new(object, "cells", json_integer(load->lattice.cell_count));
        set_number(object, "cell", load->lattice.cell);
        json_object_set_new(object, "skin", json_integer(load->lattice.skin_vertex_count));
    }
    json_object_set_new(object, "uvs", json_boolean(load->file.mesh.uvs != NULL));
    json_object_set_new(object, "edges", json_boolean(load->has_edges));
    json_object_set_new(object, "materials", json_integer(load->file.material_count));
    if (*load->file.missing) {
        json_object_set_new(object, "missing", text_json(load->file.missing));
    }
    set_number(object, "density", values->density);
    set_number(object, "stretch", values->stretch);
    if (load->fabric.said) {
        set_number(object, "warp", load->fabric.warp);
        set_number(object, "weft", load->fabric.weft);
        set_number(object, "shear", load->fabric.shear);
        set_number(object, "poisson", load->fabric.poisson);
    }
    set_number(object, "limit", values->limit);
    set_number(object, "bend", values->bend);
    set_number(object, "rigidity", values->rigidity);
    if (load->fabric.bends) {
        set_number(object, "bend_warp", load->fabric.bend[0]);
        set_number(object, "bend_weft", load->fabric.bend[1]);
    }
    if (values->bend_model) {
        json_object_set_new(object, "bend_model", json_string(values->bend_model));
    }
    set_number(object, "volume", values->volume);
    set_number(object, "young", values->young);
    set_number(object, "poisson", values->poisson);
    set_number(object, "thickness", values->thickness);
    if (load->is_rigid) {
        load_rigid_json(load, object);
    }
    add_sizes(object, load);
    set_number(object, "friction", load->contact.friction);
    set_number(object, "friction_kinetic", load->contact.friction_kinetic);
    set_number(object, "restitution", load->contact.restitution);
    const struct load_contact *contact = &load->contact;
    json_object_set_new(object, "static", json_boolean(load->is_static));
    json_object_set_new(object, "self_contact", json_boolean(!contact->none && contact->self));
    json_object_set_new(object, "contact_group", json_integer(contact->none ? 0 : contact->group));
    json_object_set_new(object, "contact_mask", json_integer(contact->none ? 0 : contact->mask));
    if (load->plays) {
        json_object_set_new(object, "frames", json_integer(load->file.frame_count));
        set_number(object, "seconds", load->file.times[load->file.frame_count - 1]);
        json_object_set_new(object, "loop", json_boolean(load->loops));
        json_object_set_new(object, "motions", json_integer(load->motions));
    }
    return object;
}

// Prints the object without its last brace, and then the server's answer.
static void print_json(const struct load *load)
{
    json_t *object = load_json(load);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    if (!text) {
        fputs("{}\n", stdout);
    } else if (!load->added) {
        puts(text);
    } else {
        printf("%.*s,\"created\":%s,\"answer\":", (int)strlen(text) - 1, text,
               load->created ? "true" : "false");
        cli_json_write(stdout, &load->reply.result, false);
        fputs("}\n", stdout);
    }
    free(text);
    json_decref(object);
}

void load_tell(const struct load *load)
{
    if (load->cli->json) {
        print_json(load);
        return;
    }
    tell_file(load);
    tell_cleaning(load);
    tell_remeshed(load);
    (load->is_rigid ? load_rigid_tell : tell_body)(load);
    tell_look(load);
    tell_size(load);
    if (load->added) {
        tell_answer(load);
    } else {
        fputs("nothing was sent\n", stdout);
    }
}
