// USD as text (.usda): meshes whose points and normals have a sample for each frame, curves for edges, points for the rest;
// colliders as meshes that are moved as wholes.
//
// A time code is a tick, counted from the first frame. Samples stand attribute by attribute, so that the take is gone through
// twice for each body.
#include "record/internal.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PRIM_NAME_SIZE = 160 };

struct usd {
    struct record_job *job;
    FILE *file;
    double first_time;
    float *boxes; // six for each frame, of one object
    const struct record_material **materials;
    uint32_t material_count;
    char (*object_names)[PRIM_NAME_SIZE],
        (*material_names)[PRIM_NAME_SIZE]; // of prims, in the order of objects and materials
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// A name of a prim has letters, digits and _ alone, and no digit in front.
static void make_plain(const char *name, char plain[PRIM_NAME_SIZE])
{
    size_t size = 0;
    if (!is_letter(name[0])) {
        plain[size++] = '_';
    }
    // A number may follow.
    for (const char *c = name; *c != '\0' && size < PRIM_NAME_SIZE - 12; c++) {
        plain[size++] = is_letter(*c) || (*c >= '0' && *c <= '9') ? *c : '_';
    }
    plain[size] = '\0';
}

// Gives a prim the name of what it shows, with a number behind it only if that name is taken.
static bool make_prim_name(json_t *taken, const char *name, char prim[PRIM_NAME_SIZE])
{
    make_plain(name, prim);
    const size_t size = strlen(prim);
    json_int_t number = 2;
    const json_t *last = json_object_get(taken, prim);
    if (last) {
        number = json_integer_value(last) + 1;
    }
    while (json_object_get(taken, prim)) {
        snprintf(prim + size, PRIM_NAME_SIZE - size, "_%u", (uint32_t)number++);
    }
    if (last) {
        char plain[PRIM_NAME_SIZE];
        snprintf(plain, sizeof plain, "%.*s", (int)size, prim);
        if (json_object_set_new(taken, plain, json_integer(number - 1)) < 0) {
            return false;
        }
    }
    return json_object_set_new(taken, prim, json_integer(1)) == 0;
}

static void write_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            fputc('\\', file);
        }
        fputc((unsigned char)*c < ' ' ? ' ' : *c, file);
    }
    fputc('"', file);
}

static void write_vectors(FILE *file, const float *values, size_t count, const uint32_t *order, int size)
{
    fputc('[', file);
    for (size_t i = 0; i < count; i++) {
        const float *v = values + (size_t)size * (order ? order[i] : i);
        fprintf(file, size == 3 ? "%s(%.9g, %.9g, %.9g)" : "%s(%.9g, %.9g)", i > 0 ? ", " : "", (double)v[0],
                (double)v[1], size == 3 ? (double)v[2] : 0);
    }
    fputc(']', file);
}

static void write_integers(FILE *file, const uint32_t *values, size_t count, uint32_t otherwise)
{
    fputc('[', file);
    for (size_t i = 0; i < count; i++) {
        fprintf(file, "%s%u", i > 0 ? ", " : "", values ? values[i] : otherwise);
    }
    fputc(']', file);
}

static double code_of(const struct usd *usd, const struct record_frame *frame)
{
    return (frame->time - usd->first_time) * usd->job->scene->tick_rate;
}

// ---------------------------------------------------------------------------------------------------------
// Materials

static uint32_t material_index(const struct usd *usd, const struct record_material *material)
{
    for (uint32_t m = 0; m < usd->material_count; m++) {
        if (usd->materials[m] == material) {
            return m;
        }
    }
    return UINT32_MAX;
}

static bool gather_materials(struct usd *usd)
{
    const struct record_objects *objects = &usd->job->objects;
    size_t most = 0;
    for (uint32_t o = 0; o < objects->count; o++) {
        most += objects->items[o].part_count;
    }
    usd->materials = malloc((most + 1) * sizeof *usd->materials);
    if (!usd->materials) {
        return record_fail_memory(usd->job->fault);
    }
    for (uint32_t o = 0; o < objects->count; o++) {
        for (uint32_t p = 0; p < objects->items[o].part_count; p++) {
            const struct record_material *material = record_object_material(&objects->items[o], p);
            if (material_index(usd, material) == UINT32_MAX) {
                usd->materials[usd->material_count++] = material;
            }
        }
    }
    return true;
}

static bool make_names(struct usd *usd)
{
    const struct record_objects *objects = &usd->job->objects;
    // The scope of materials stands among the objects.
    json_t *beside = json_pack("{s:i}", "materials", 1), *below = json_object();
    usd->object_names = calloc((size_t)objects->count + 1, sizeof *usd->object_names);
    usd->material_names = calloc((size_t)usd->material_count + 1, sizeof *usd->material_names);
    bool made = beside && below && usd->object_names && usd->material_names;
    for (uint32_t o = 0; made && o < objects->count; o++) {
        made = make_prim_name(beside, objects->items[o].name, usd->object_names[o]);
    }
    for (uint32_t m = 0; made && m < usd->material_count; m++) {
        made = make_prim_name(below, usd->materials[m]->name, usd->material_names[m]);
    }
    json_decref(beside);
    json_decref(below);
    return made || record_fail_memory(usd->job->fault);
}

static void write_materials(const struct usd *usd)
{
    fputs("    def Scope \"materials\"\n    {\n", usd->file);
    for (uint32_t m = 0; m < usd->material_count; m++) {
        const struct record_material *material = usd->materials[m];
        fprintf(usd->file,
                "        def Material \"%s\"\n        {\n"
                "            token outputs:surface.connect = </world/materials/%s/surface.outputs:surface>\n"
                "            def Shader \"surface\"\n            {\n"
                "                uniform token info:id = \"UsdPreviewSurface\"\n"
                "                color3f inputs:diffuseColor = (%.9g, %.9g, %.9g)\n"
                "                float inputs:opacity = %.9g\n"
                "                float inputs:metallic = %.9g\n"
                "                float inputs:roughness = %.9g\n"
                "                token outputs:surface\n            }\n        }\n",
                usd->material_names[m], usd->material_names[m], (double)material->color[0],
                (double)material->color[1], (double)material->color[2], (double)material->color[3],
                (double)material->metallic, (double)material->roughness);
    }
    fputs("    }\n", usd->file);
}

static void write_binding(const struct usd *usd, const struct record_object *object, uint32_t part,
                          int indent)
{
    const struct record_material *material = record_object_material(object, part);
    fprintf(usd->file, "%*srel material:binding = </world/materials/%s>\n", indent, "",
            usd->material_names[material_index(usd, material)]);
}

// ---------------------------------------------------------------------------------------------------------
// Samples

static void grow_box(float box[6], const float *points, size_t count)
{
    for (int axis = 0; axis < 3; axis++) {
        box[axis] = INFINITY;
        box[3 + axis] = -INFINITY;
    }
    for (size_t i = 0; i < 3 * count; i++) {
        box[i % 3] = fminf(box[i % 3], points[i]);
        box[3 + i % 3] = fmaxf(box[3 + i % 3], points[i]);
    }
}

// Curves list their points, two an edge.
static bool write_points(struct usd *usd, const struct record_object *object)
{
    struct record_job *job = usd->job;
    const bool lines = object->edge_count > 0;
    fputs("        point3f[] points.timeSamples = {\n", usd->file);
    for (uint64_t i = 0; i < job->frame_count; i++) {
        struct record_frame frame;
        if (!record_job_read(job, i, &frame)) {
            return false;
        }
        record_object_points(object, &frame, job->points);
        grow_box(usd->boxes + 6 * i, job->points, object->point_count);
        fprintf(usd->file, "            %.10g: ", code_of(usd, &frame));
        write_vectors(usd->file, job->points, lines ? 2 * (size_t)object->edge_count : object->point_count,
                      lines ? object->edges : NULL, 3);
        fputs(",\n", usd->file);
    }
    fputs("        }\n        float3[] extent.timeSamples = {\n", usd->file);
    for (uint64_t i = 0; i < job->frame_count; i++) {
        struct record_frame frame;
        if (!record_take_peek(job->take, i, &frame, job->fault)) {
            return false;
        }
        fprintf(usd->file, "            %.10g: ", code_of(usd, &frame));
        write_vectors(usd->file, usd->boxes + 6 * i, 2, NULL, 3);
        fputs(",\n", usd->file);
    }
    fputs("        }\n", usd->file);
    return true;
}

// One a point, or one a corner where points have several.
static bool normals_by_corner(const struct record_object *object)
{
    return object->normal_count != object->point_count;
}

static void write_frame_normals(const struct usd *usd, const struct record_object *object,
                                const float *normals, uint32_t *order)
{
    const bool by_corner = normals_by_corner(object);
    const size_t count = by_corner ? 3 * (size_t)object->triangle_count : object->point_count;
    for (size_t k = 0; by_corner && k < count; k++) {
        order[k] = object->vertex_normal[object->corners[k]];
    }
    write_vectors(usd->file, normals, count, by_corner ? order : NULL, 3);
}

static bool write_normals(struct usd *usd, const struct record_object *object)
{
    struct record_job *job = usd->job;
    uint32_t *order = malloc((3 * (size_t)object->triangle_count + 1) * sizeof *order);
    bool done = order || record_fail_memory(job->fault);
    fprintf(usd->file,
            "        normal3f[] normals (\n            interpolation = \"%s\"\n        )\n"
            "        normal3f[] normals.timeSamples = {\n",
            normals_by_corner(object) ? "faceVarying" : "vertex");
    for (uint64_t i = 0; done && i < job->frame_count; i++) {
        struct record_frame frame;
        done = record_job_read(job, i, &frame);
        if (!done) {
            break;
        }
        record_job_place(job, object, &frame);
        fprintf(usd->file, "            %.10g: ", code_of(usd, &frame));
        write_frame_normals(usd, object, job->normals, order);
        fputs(",\n", usd->file);
    }
    free(order);
    fputs("        }\n", usd->file);
    return done;
}

static void write_pose(FILE *file, const float *pose, bool turn)
{
    if (turn) {
        fprintf(file, "(%.9g, %.9g, %.9g, %.9g)", (double)pose[6], (double)pose[3], (double)pose[4],
                (double)pose[5]);
    } else {
        fprintf(file, "(%.9g, %.9g, %.9g)", (double)pose[0], (double)pose[1], (double)pose[2]);
    }
}

static bool write_poses(struct usd *usd, const struct record_object *object)
{
    static const char *const names[] = {"double3 xformOp:translate", "quatf xformOp:orient"};
    struct record_job *job = usd->job;
    for (int turn = 0; turn < 2; turn++) {
        fprintf(usd->file, object->moves ? "        %s.timeSamples = {\n" : "        %s = ", names[turn]);
        for (uint64_t i = 0; i < (object->moves ? job->frame_count : 1); i++) {
            struct record_frame frame;
            if (!record_take_peek(job->take, i, &frame, job->fault)) {
                return false;
            }
            if (object->moves) {
                fprintf(usd->file, "            %.10g: ", code_of(usd, &frame));
            }
            write_pose(usd->file, frame.poses + RECORD_POSE * (size_t)object->index, turn == 1);
            fputs(object->moves ? ",\n" : "\n", usd->file);
        }
        if (object->moves) {
            fputs("        }\n", usd->file);
        }
    }
    fputs("        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n", usd->file);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Objects

static void write_topology(const struct usd *usd, const struct record_object *object)
{
    fputs("        uniform token subdivisionScheme = \"none\"\n        uniform bool doubleSided = 1\n"
          "        int[] faceVertexCounts = ",
          usd->file);
    write_integers(usd->file, NULL, object->triangle_count, 3);
    fputs("\n        int[] faceVertexIndices = ", usd->file);
    write_integers(usd->file, object->triangles, 3 * (size_t)object->triangle_count, 0);
    fputc('\n', usd->file);
    if (object->uvs) {
        fputs("        texCoord2f[] primvars:st = ", usd->file);
        write_vectors(usd->file, object->uvs, object->vertex_count, NULL, 2);
        fputs(" (\n            interpolation = \"faceVarying\"\n        )\n        int[] primvars:st:indices "
              "= ",
              usd->file);
        write_integers(usd->file, object->corners, 3 * (size_t)object->triangle_count, 0);
        fputc('\n', usd->file);
    }
}

static void write_parts(const struct usd *usd, const struct record_object *object)
{
    if (object->part_count == 1) {
        write_binding(usd, object, 0, 8);
        return;
    }
    fputs("        uniform token subsetFamily:materialBind:familyType = \"partition\"\n", usd->file);
    for (uint32_t p = 0; p < object->part_count; p++) {
        const struct record_part *part = &object->parts[p];
        fprintf(usd->file,
                "        def GeomSubset \"part_%u\" (\n            prepend apiSchemas = "
                "[\"MaterialBindingAPI\"]\n"
                "        )\n        {\n            uniform token elementType = \"face\"\n"
                "            uniform token familyName = \"materialBind\"\n            int[] indices = [",
                p + 1);
        for (uint32_t t = 0; t < part->count; t++) {
            fprintf(usd->file, "%s%u", t > 0 ? ", " : "", part->first + t);
        }
        fputs("]\n", usd->file);
        write_binding(usd, object, p, 12);
        fputs("        }\n", usd->file);
    }
}

static bool write_collider(struct usd *usd, const struct record_object *object)
{
    float box[6];
    grow_box(box, object->shape, object->point_count);
    fputs("        point3f[] points = ", usd->file);
    write_vectors(usd->file, object->shape, object->point_count, NULL, 3);
    fputs("\n        normal3f[] normals = ", usd->file);
    write_vectors(usd->file, object->shape_normals, object->point_count, NULL, 3);
    fputs(" (\n            interpolation = \"vertex\"\n        )\n        float3[] extent = ", usd->file);
    write_vectors(usd->file, box, 2, NULL, 3);
    fputc('\n', usd->file);
    return write_poses(usd, object);
}

static bool write_object(struct usd *usd, uint32_t o)
{
    const struct record_object *object = &usd->job->objects.items[o];
    const bool surface = record_object_is_surface(object);
    bool done;
    fprintf(usd->file, "    def %s \"%s\" (\n        displayName = ",
            surface                  ? "Mesh"
            : object->edge_count > 0 ? "BasisCurves"
                                     : "Points",
            usd->object_names[o]);
    write_string(usd->file, object->name);
    fputs(surface ? "\n        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )\n    {\n"
                  : "\n    )\n    {\n",
          usd->file);
    if (surface) {
        write_topology(usd, object);
    }
    if (object->is_collider) {
        done = write_collider(usd, object);
    } else {
        done = write_points(usd, object);
        if (done && surface) {
            done = write_normals(usd, object);
        }
    }
    if (surface) {
        write_parts(usd, object);
    } else if (object->edge_count > 0) {
        fputs("        uniform token type = \"linear\"\n        int[] curveVertexCounts = ", usd->file);
        write_integers(usd->file, NULL, object->edge_count, 2);
        fputs("\n        float[] widths = [0.01] (\n            interpolation = \"constant\"\n        )\n",
              usd->file);
    } else {
        fputs("        float[] widths = [0.01] (\n            interpolation = \"constant\"\n        )\n",
              usd->file);
    }
    fputs("    }\n", usd->file);
    return done;
}

static bool write_all(struct usd *usd)
{
    struct record_job *job = usd->job;
    struct record_frame frame;
    if (!record_take_peek(job->take, job->frame_count - 1, &frame, job->fault)) {
        return false;
    }
    const double last_time = frame.time;
    if (!record_take_peek(job->take, 0, &frame, job->fault)) {
        return false;
    }
    usd->first_time = frame.time;
    fprintf(usd->file,
            "#usda 1.0\n(\n    defaultPrim = \"world\"\n    doc = \"weft\"\n    startTimeCode = 0\n    "
            "endTimeCode = %.10g\n"
            "    timeCodesPerSecond = %u\n    framesPerSecond = %u\n    metersPerUnit = 1\n    upAxis = "
            "\"Y\"\n)\n\n"
            "def Xform \"world\"\n{\n",
            (last_time - usd->first_time) * job->scene->tick_rate, job->scene->tick_rate,
            job->scene->tick_rate);
    bool done = true;
    for (uint32_t o = 0; done && o < job->objects.count; o++) {
        done = write_object(usd, o);
    }
    write_materials(usd);
    fputs("}\n", usd->file);
    return done;
}

bool record_export_usda(struct record_job *job)
{
    struct usd usd = {.job = job, .file = record_files_begin(&job->files, job->export->path, job->fault)};
    if (!usd.file) {
        return false;
    }
    job->total = 0;
    for (uint32_t b = 0; b < job->scene->body_count; b++) {
        job->total += job->frame_count * (record_object_is_surface(&job->objects.items[b]) ? 2 : 1);
    }
    usd.boxes = malloc(6 * sizeof *usd.boxes * job->frame_count);
    bool done = (usd.boxes || record_fail_memory(job->fault)) && gather_materials(&usd) && make_names(&usd) &&
                write_all(&usd);
    free(usd.boxes);
    free(usd.object_names);
    free(usd.material_names);
    free(usd.materials);
    if (done) {
        return record_files_end_one(usd.file, job->export->path, job->fault);
    }
    fclose(usd.file);
    return false;
}
