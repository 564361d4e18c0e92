// What was loaded, or would be: in words, or as one object of JSON.
#include "load.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_TOLD = 8 };

// ---------------------------------------------------------------------------------------------------------
// Words

static void tell_file(const struct load *load)
{
    const struct mesh_file *file = &load->file;
    const uint32_t vertices = load->exact.welded + load->exact.unused + load->welding.welded +
                              load->welding.unused + file->mesh.vertex_count;
    printf("%s  %s, %u vertices", load->path, file->format, vertices);
    if (load->cells || !load->is_soft)
        printf(", %u triangles", file->mesh.triangle_count);
    else
        printf(", %u tetrahedra", file->mesh.tet_count);
    fputc('\n', stdout);
    if (file->part_count > 1 && !load->part) {
        printf("  %u meshes taken as one:", file->part_count);
        for (uint32_t i = 0; i < file->part_count && i < PARTS_TOLD; i++)
            printf("%s %s", i ? "," : "", file->parts[i].name);
        printf("%s\n", file->part_count > PARTS_TOLD ? ", ..." : "");
    }
}

static void tell_count(uint32_t count, const char *one, const char *many)
{
    if (count)
        printf("  %u %s\n", count, count == 1 ? one : many);
}

static void tell_cleaning(const struct load *load)
{
    const struct mesh_welding *a = &load->exact, *b = &load->welding;
    const struct mesh_shape *shape = &load->shape;
    tell_count(a->welded, "vertex lay where another did: welded", "vertices lay where others did: welded");
    if (b->welded)
        printf("  %u more within %.3g m: welded\n", b->welded, load->tolerance);
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
    if (load->cells && shape->boundary_edges)
        printf("  %u open edges are passed over: the holes are %.2g %% of the surface\n",
               shape->boundary_edges, 100 * shape->hole_area / shape->area);
}

static void tell_value(const char *name, double value, const char *unit)
{
    if (!isnan(value))
        printf("  %s %.3g %s", name, value, unit);
}

static void tell_body(const struct load *load)
{
    const struct mesh_bounds *bounds = &load->bounds;
    const struct load_values *values = &load->values;
    if (load->cells)
        printf("  filled with %u cells of %.3g m, which carry the surface\n", load->lattice.cell_count,
               load->lattice.cell);
    printf("%s %s: %u particles, %u %s, %u pinned\n", load->is_soft ? "soft body" : "cloth", load->name,
           load->body->vertex_count, load->is_soft ? load->body->tet_count : load->body->triangle_count,
           load->is_soft ? "tetrahedra" : "triangles", load->pinned_count);
    printf("  from %.4g, %.4g, %.4g to %.4g, %.4g, %.4g m\n", bounds->low[0], bounds->low[1], bounds->low[2],
           bounds->high[0], bounds->high[1], bounds->high[2]);
    fputs("  ", stdout);
    tell_value("density", values->density, load->is_soft ? "kg/m^3" : "kg/m^2");
    tell_value("stretch", values->stretch, "m/N");
    if (values->bend_model)
        printf("  bend %s", values->bend_model);
    tell_value(values->bend_model ? "with" : "bend", values->bend,
               values->bend_model && strcmp(values->bend_model, "dihedral") == 0 ? "rad/(N m)" : "1/J");
    tell_value("volume", values->volume, "m^5/N");
    tell_value("thickness", values->thickness, "m");
    fputc('\n', stdout);
}

static void tell_size(const struct load *load)
{
    double size = 0;
    for (int axis = 0; axis < 3; axis++)
        size = fmax(size, load->bounds.high[axis] - load->bounds.low[axis]);
    if (size > 50 || size < 0.01)
        printf("  it is %.3g m large; --units or --fit changes that\n", size);
}

static void tell_answer(const struct load *load)
{
    const msgpack_object *result = &load->reply.result, *warnings = weft_get(result, "warnings");
    for (uint32_t i = 0; i < weft_count(warnings); i++) {
        char code[40], text[300];
        printf("  %s: %s\n", weft_string_copy(weft_get(weft_at(warnings, i), "code"), code, sizeof code),
               weft_string_copy(weft_get(weft_at(warnings, i), "text"), text, sizeof text));
    }
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
    if (!isnan(value))
        json_object_set_new(object, name, json_real(value));
}

// Names of files may be bytes that are no text; those become question marks.
static json_t *text_json(const char *text)
{
    json_t *value = json_string(text);
    char *copy = value ? NULL : strdup(text);
    size_t used = 0;
    for (const char *c = text; copy && *c; c++) {
        copy[used] = (unsigned char)*c > 127 ? '?' : *c;
        used++;
    }
    if (copy)
        value = json_string(copy);
    free(copy);
    return value ? value : json_string("?");
}

static json_t *parts_json(const struct mesh_file *file)
{
    json_t *parts = json_array();
    for (uint32_t i = 0; i < file->part_count; i++) {
        // A name that was cut within a character is no text for JSON.
        json_t *part = json_pack("{s:o,s:I,s:I}", "name", text_json(file->parts[i].name), "triangles",
                                 (json_int_t)file->parts[i].triangle_count, "tets",
                                 (json_int_t)file->parts[i].tet_count);
        json_array_append_new(parts, part);
    }
    return parts;
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
    if (!object)
        return NULL;
    json_object_set_new(object, "kind", json_string(load->is_soft ? "soft" : "cloth"));
    json_object_set_new(object, "name", text_json(load->name));
    json_object_set_new(object, "particles", json_integer(load->body->vertex_count));
    json_object_set_new(object, "triangles", json_integer(load->is_soft ? 0 : load->body->triangle_count));
    json_object_set_new(object, "tets", json_integer(load->is_soft ? load->body->tet_count : 0));
    json_object_set_new(object, "pins", json_integer(load->pinned_count));
    json_object_set_new(object, "low", vector(load->bounds.low));
    json_object_set_new(object, "high", vector(load->bounds.high));
    if (load->cells) {
        json_object_set_new(object, "cells", json_integer(load->lattice.cell_count));
        set_number(object, "cell", load->lattice.cell);
        json_object_set_new(object, "skin", json_integer(load->lattice.skin_vertex_count));
    }
    set_number(object, "density", values->density);
    set_number(object, "stretch", values->stretch);
    set_number(object, "bend", values->bend);
    if (values->bend_model)
        json_object_set_new(object, "bend_model", json_string(values->bend_model));
    set_number(object, "volume", values->volume);
    set_number(object, "thickness", values->thickness);
    return object;
}

// The object without its last brace, then what the server answered.
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
    tell_body(load);
    tell_size(load);
    if (load->added)
        tell_answer(load);
    else
        fputs("nothing was sent\n", stdout);
}
