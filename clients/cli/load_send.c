// Sends the body to the server. If anything fails, or at Ctrl-C at any moment, the world is left as it was: the server
// drops a request that was sent in part, a body that was added all the same is removed, and a world created for it is
// deleted.
#include "load.h"

#include <math.h>
#include <string.h>

enum { PATIENCE_MS = 10000 };

static void add_fabric(struct weft_params *params, const struct load_fabric *fabric)
{
    weft_params_string(params, "model", "orthotropic");
    weft_params_f64(params, "warp", fabric->warp);
    weft_params_f64(params, "weft", fabric->weft);
    weft_params_f64(params, "shear", fabric->shear);
    weft_params_f64(params, "poisson", fabric->poisson);
    if (fabric->has_warp && !fabric->by_uvs) {
        weft_params_vec3(params, "direction", fabric->direction[0], fabric->direction[1],
                         fabric->direction[2]);
    }
}

static void add_stretch(struct weft_params *params, const struct load_values *values,
                        const struct load_fabric *fabric)
{
    const struct {
        const char *field;
        double value;
    } numbers[] = {{"compliance", values->stretch}, {"damping", values->damping}, {"limit", values->limit}};
    if (!fabric->said && isnan(values->stretch) && isnan(values->damping) && isnan(values->limit)) {
        return;
    }
    weft_params_map_begin(params, "stretch");
    if (fabric->said) {
        add_fabric(params, fabric);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!isnan(numbers[i].value)) {
            weft_params_f64(params, numbers[i].field, numbers[i].value);
        }
    }
    weft_params_map_end(params);
}

static void add_bend(struct weft_params *params, const struct load_values *values,
                     const struct load_fabric *fabric)
{
    static const char *const along[3] = {"warp", "weft", "bias"};
    if (isnan(values->bend) && isnan(values->rigidity) && !values->bend_model && !fabric->bends) {
        return;
    }
    weft_params_map_begin(params, "bend");
    if (values->bend_model) {
        weft_params_string(params, "model", values->bend_model);
    }
    if (!isnan(values->bend)) {
        weft_params_f64(params, "compliance", values->bend);
    }
    if (!isnan(values->rigidity)) {
        weft_params_f64(params, "rigidity", values->rigidity);
    }
    for (int r = 0; fabric->bends && r < 3; r++) {
        if (r < 2 || fabric->bend[r] > 0) {
            weft_params_f64(params, along[r], fabric->bend[r]);
        }
    }
    weft_params_map_end(params);
}

static void add_volume(struct weft_params *params, double compliance)
{
    if (isnan(compliance)) {
        return;
    }
    weft_params_map_begin(params, "volume");
    weft_params_f64(params, "compliance", compliance);
    weft_params_map_end(params);
}

static void add_solid(struct weft_params *params, const struct load_values *values)
{
    if (isnan(values->young)) {
        return;
    }
    weft_params_map_begin(params, "solid");
    weft_params_f64(params, "young", values->young);
    if (!isnan(values->poisson)) {
        weft_params_f64(params, "poisson", values->poisson);
    }
    weft_params_map_end(params);
}

static void add_contact(struct weft_params *params, const struct load_contact *contact)
{
    if (!contact->none) {
        weft_params_bool(params, "self_contact", contact->self);
        weft_params_u64(params, "contact_group", contact->group);
        weft_params_u64(params, "contact_mask", contact->mask);
    }
    if (!isnan(contact->friction)) {
        weft_params_f64(params, "friction", contact->friction);
    }
    if (!isnan(contact->friction_kinetic)) {
        weft_params_f64(params, "friction_kinetic", contact->friction_kinetic);
    }
    if (!isnan(contact->restitution)) {
        weft_params_f64(params, "restitution", contact->restitution);
    }
}

static void add_skin(struct weft_params *params, const struct load *load)
{
    const struct mesh_lattice *lattice = &load->lattice;
    weft_params_map_begin(params, "skin");
    weft_params_u32_array(params, "particles", lattice->skin_particles,
                          4 * (size_t)lattice->skin_vertex_count);
    weft_params_f32_array(params, "weights", lattice->skin_weights, 4 * (size_t)lattice->skin_vertex_count);
    weft_params_u32_array(params, "triangles", load->file.mesh.triangles,
                          3 * (size_t)load->file.mesh.triangle_count);
    weft_params_map_end(params);
}

// Adds the look of a cloth's triangles, or of the surface that a lattice carries.
static void add_look(struct weft_params *params, const struct load *load)
{
    const struct mesh *mesh = &load->file.mesh;
    const size_t triangles = mesh->triangle_count;
    const bool materials = mesh->materials && load->file.material_count > 0;
    if (load->no_look || (load->is_soft && !load->cells) || (!mesh->uvs && !load->has_edges && !materials)) {
        return;
    }
    weft_params_map_begin(params, "look");
    if (mesh->uvs) {
        weft_params_f32_array(params, "uvs", mesh->uvs, 6 * triangles);
    }
    if (load->has_edges) {
        weft_params_f32_array(params, "normals", mesh->normals, 9 * triangles);
    }
    if (materials) {
        weft_params_list_begin(params, "materials");
        for (uint32_t m = 0; m < load->file.material_count; m++) {
            const struct mesh_material *material = &load->file.materials[m];
            const double color[4] = {(double)material->color[0], (double)material->color[1],
                                     (double)material->color[2], (double)material->color[3]};
            weft_params_map_begin(params, NULL);
            weft_params_string(params, "name", material->name);
            weft_params_f64_array(params, "color", color, 4);
            weft_params_f64(params, "metallic", (double)material->metallic);
            weft_params_f64(params, "roughness", (double)material->roughness);
            weft_params_map_end(params);
        }
        weft_params_list_end(params);
        weft_params_u32_array(params, "triangle_materials", mesh->materials, triangles);
    }
    weft_params_map_end(params);
}

static void add_mesh(struct weft_params *params, const struct load *load)
{
    const struct mesh *body = load->body;
    const struct load_values *values = &load->values;
    weft_params_f64_array(params, "positions", body->positions, 3 * (size_t)body->vertex_count);
    if (load->is_soft) {
        weft_params_u32_array(params, "tets", body->tets, 4 * (size_t)body->tet_count);
    } else {
        weft_params_u32_array(params, "triangles", body->triangles, 3 * (size_t)body->triangle_count);
    }
    add_stretch(params, values, &load->fabric);
    if (!load->is_soft) {
        add_bend(params, values, &load->fabric);
    } else {
        add_volume(params, values->volume);
        add_solid(params, values);
    }
    if (load->pinned_count) {
        weft_params_u32_array(params, "pins", load->pinned, load->pinned_count);
    }
    if (load->cells) {
        add_skin(params, load);
    }
    if (load->fabric.by_uvs) {
        weft_params_f32_array(params, "yarn_uvs", load->body->uvs, 6 * (size_t)load->body->triangle_count);
    }
    add_look(params, load);
}

static void make_params(const struct load *load, struct weft_params *params)
{
    const struct load_values *values = &load->values;
    weft_params_init(params);
    weft_params_ref(params, "world", load->world);
    weft_params_string(params, "name", load->name);
    weft_params_string(params, "kind", load_kind(load));
    if (!isnan(values->density)) {
        weft_params_f64(params, "density", values->density);
    }
    if (load->is_static) {
        weft_params_f64(params, "masses", 0);
    }
    if (!isnan(values->thickness)) {
        weft_params_f64(params, "thickness", values->thickness);
    }
    add_contact(params, &load->contact);
    if (load->is_rigid) {
        load_rigid_add(load, params);
    } else {
        add_mesh(params, load);
    }
}

// ---------------------------------------------------------------------------------------------------------

// Undoes an earlier call; prints only failures. If the connection is lost, it makes another.
static void put_back(struct load *load, const char *method, uint64_t body)
{
    struct weft_params params;
    struct weft_error error;
    weft_params_init(&params);
    weft_params_ref(&params, "world", load->world);
    if (body) {
        weft_params_u64(&params, "body", body);
    }
    weft_on_wait(load->cli->client, NULL, NULL);
    weft_set_timeout(load->cli->client, PATIENCE_MS);
    bool done = weft_call(load->cli->client, method, &params, NULL, &error);
    if (!done && error.kind == WEFT_KIND_TRANSPORT) {
        struct weft_client *second = cli_connect_anew(load->cli, PATIENCE_MS, &error);
        done = second && weft_call(second, method, &params, NULL, &error);
        weft_close(second);
    }
    weft_params_deinit(&params);
    if (!done) {
        fprintf(stderr, "weft: %s failed, so what was added is still there:\n", method);
        cli_report(&error);
    }
}

static void undo(struct load *load)
{
    if (load->created) {
        put_back(load, "world.delete", 0);
    } else if (load->added) {
        put_back(load, "body.remove", weft_u64(weft_get(&load->reply.result, "body"), 0));
    }
    load->created = load->added = false;
}

// It is fine if a world of this name exists already.
static int create_world(struct load *load)
{
    struct weft_params params;
    struct weft_error error;
    int status = CLI_OK;
    weft_params_init(&params);
    weft_params_string(&params, "name", load->world);
    load->created = weft_call(load->cli->client, "world.create", &params, NULL, &error);
    if (!load->created && strcmp(error.code, "CONFLICT") != 0) {
        status = cli_report(&error);
    }
    weft_params_deinit(&params);
    return status;
}

// A world with a unit of millimetres has a coarse resolution, and bodies of large numbers are usual there. If the world
// does not answer, the hint assumes the default resolution. It is asked before the body is sent: a signal that came
// after that would find it added.
static void ask_room(struct load *load)
{
    const double usual = 0x1p-27; // m: the default resolution
    char hint[LOAD_HINT_SIZE];
    struct weft_params params;
    struct weft_reply reply = {0};
    load_size_hint(load, false, hint);
    if (!hint[0]) {
        return;
    }
    weft_params_init(&params);
    weft_params_ref(&params, "world", load->world);
    if (!load->cli->timeout_given) {
        weft_set_timeout(load->cli->client, PATIENCE_MS);
    }
    if (weft_call(load->cli->client, "world.get", &params, &reply, NULL)) {
        load->room = fmax(1, weft_f64(weft_get(&reply.result, "resolution"), usual) / usual);
    }
    weft_params_deinit(&params);
    weft_reply_destroy(&reply);
}

int load_send(struct load *load)
{
    struct weft_params params;
    struct weft_error error = {0};
    int status = cli_connect(load->cli);
    if (status == CLI_OK && load->create) {
        status = create_world(load);
    }
    if (status != CLI_OK) {
        return status;
    }
    ask_room(load);
    make_params(load, &params);
    load->added = load_call(load, "body.add", &params, &load->reply, &error);
    weft_params_deinit(&params);
    if (load->added && !cli_progress_stopped()) {
        status = load->plays ? load_play(load) : CLI_OK;
    }
    cli_progress_clear(&load->progress);
    if (load->added && status == CLI_OK && cli_progress_commit(&load->progress)) {
        return CLI_OK;
    }
    if (!load->added && !cli_progress_stopped()) {
        status = load_report(load, &error);
    }
    status = status == CLI_OK ? CLI_REFUSED : status;
    undo(load);
    return status;
}
