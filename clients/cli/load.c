// weft load: makes a cloth or a soft body from a mesh file. This file reads the arguments and runs the steps.
#include "load.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    double metres;
} units[] = {{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};

static bool take_units(const char *value, double *metres)
{
    for (size_t i = 0; value && i < sizeof units / sizeof *units; i++) {
        if (strcmp(value, units[i].name) == 0) {
            *metres = units[i].metres;
            return true;
        }
    }
    cli_usage("--units needs m, cm, mm, in or ft");
    return false;
}

// Parses one number or three, none of them 0.
static bool take_scale(const char *value, double scale[3])
{
    double number;
    if (cli_number(value, -1e12, 1e12, &number) && number != 0) {
        scale[0] = scale[1] = scale[2] = number;
        return true;
    }
    if (cli_numbers(value, 3, scale) && scale[0] != 0 && scale[1] != 0 && scale[2] != 0) {
        return true;
    }
    cli_usage("--scale needs a number or x,y,z, none of them 0");
    return false;
}

enum taken { NOT_MINE, TAKEN, WRONG };

static const double GLTF_FPS = 60; // samples per second of an animation

// Options that hold a text.
static enum taken take_text(struct load *load, int argc, char **argv, int *index)
{
    const struct {
        const char *option;
        const char **text;
        const char *choices; // separated by blanks; NULL: any text
    } texts[] = {{"--world", &load->world, NULL},
                 {"--name", &load->name, NULL},
                 {"--mesh", &load->part, NULL},
                 {"--material", &load->material, NULL},
                 {"--materials", &load->materials, NULL},
                 {"--cache", &load->play.cache, NULL},
                 {"--animation", &load->play.animation, NULL},
                 {"--kind", &load->kind, " cloth soft "},
                 {"--bend-model", &load->given.bend_model, " dihedral isometric quadratic none "}};
    const char *value;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!cli_option(argc, argv, index, texts[i].option, &value)) {
            continue;
        }
        char word[64];
        snprintf(word, sizeof word, " %s ", value ? value : "");
        if (!value || !*value || (texts[i].choices && !strstr(texts[i].choices, word))) {
            cli_usage("%s needs %s", texts[i].option, texts[i].choices ? texts[i].choices + 1 : "a value");
            return WRONG;
        }
        *texts[i].text = value;
        return TAKEN;
    }
    return NOT_MINE;
}

// Options that hold a number.
static enum taken take_number(struct load *load, int argc, char **argv, int *index)
{
    const struct {
        const char *option;
        double *number;
        double low, high;
    } numbers[] = {{"--fit", &load->placement.fit, 1e-12, 1e12},
                   {"--weld", &load->weld, 0, 1e6},
                   {"--remesh", &load->remesh, 1e-9, 1e6},
                   {"--density", &load->given.density, 1e-12, 1e12},
                   {"--thickness", &load->given.thickness, 0, 1},
                   {"--stretch", &load->given.stretch, 0, INFINITY},
                   {"--bend", &load->given.bend, 0, INFINITY},
                   {"--volume", &load->given.volume, 0, INFINITY},
                   {"--damping", &load->given.damping, 0, INFINITY},
                   {"--friction", &load->contact.friction, 0, 1000},
                   {"--friction-kinetic", &load->contact.friction_kinetic, 0, 1000},
                   {"--restitution", &load->contact.restitution, 0, 1},
                   {"--fps", &load->play.fps, 1e-3, 1e4},
                   {"--limit", &load->given.limit, 0, INFINITY},
                   {"--young", &load->given.young, 1e-3, INFINITY},
                   {"--poisson", &load->given.poisson, 0, INFINITY}};
    const char *value;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!cli_option(argc, argv, index, numbers[i].option, &value)) {
            continue;
        }
        if (!cli_number(value, numbers[i].low, numbers[i].high, numbers[i].number) ||
            isinf(*numbers[i].number)) {
            cli_usage("%s needs a number of at least %g", numbers[i].option, numbers[i].low);
            return WRONG;
        }
        return TAKEN;
    }
    return NOT_MINE;
}

// One bending rigidity, or those along warp and weft and perhaps at 45 degrees.
static enum taken take_rigidity(struct load *load, const char *value)
{
    struct load_fabric *fabric = &load->fabric;
    double one = (double)NAN;
    fabric->bend[2] = 0;
    if (cli_number(value, 0, 1e12, &one)) {
        load->given.rigidity = one;
        return TAKEN;
    }
    fabric->bends = cli_numbers(value, 3, fabric->bend) || cli_numbers(value, 2, fabric->bend);
    if (!fabric->bends) {
        cli_usage(
            "--rigidity needs a number of at least 0 in N m, or warp,weft and perhaps that at 45 degrees, "
            "such as 2e-5,1e-5");
    }
    return fabric->bends ? TAKEN : WRONG;
}

// Stiffnesses along warp and weft, and where the warp runs.
static enum taken take_fabric(struct load *load, int argc, char **argv, int *index)
{
    struct load_fabric *fabric = &load->fabric;
    const char *value;
    double numbers[4] = {0};
    if (cli_option(argc, argv, index, "--fabric", &value)) {
        fabric->said = cli_numbers(value, 4, numbers) || cli_numbers(value, 3, numbers);
        if (!fabric->said) {
            cli_usage(
                "--fabric needs warp,weft,shear in N/m and perhaps Poisson's ratio, such as 500,300,30,0.2");
            return WRONG;
        }
        fabric->warp = numbers[0];
        fabric->weft = numbers[1];
        fabric->shear = numbers[2];
        fabric->poisson = numbers[3];
        return TAKEN;
    }
    if (cli_option(argc, argv, index, "--rigidity", &value)) {
        return take_rigidity(load, value);
    }
    if (cli_option(argc, argv, index, "--warp", &value)) {
        fabric->by_uvs = value && strcmp(value, "uv") == 0;
        fabric->has_warp = fabric->by_uvs || cli_numbers(value, 3, fabric->direction);
        if (!fabric->has_warp) {
            cli_usage("--warp needs the direction x,y,z of the warp, such as 0,1,0, or uv: the way in which "
                      "u of the "
                      "mesh grows");
            return WRONG;
        }
        return TAKEN;
    }
    return NOT_MINE;
}

static enum taken take_placement(struct load *load, int argc, char **argv, int *index, double *metres)
{
    const char *value;
    if (cli_option(argc, argv, index, "--units", &value)) {
        return (load->sized = take_units(value, metres)) ? TAKEN : WRONG;
    }
    if (cli_option(argc, argv, index, "--scale", &value)) {
        return (load->sized = take_scale(value, load->placement.scale)) ? TAKEN : WRONG;
    }
    if (cli_option(argc, argv, index, "--rotate", &value)) {
        if (cli_numbers(value, 3, load->placement.rotate)) {
            return TAKEN;
        }
        cli_usage("--rotate needs x,y,z in degrees, such as 0,90,0");
        return WRONG;
    }
    if (cli_option(argc, argv, index, "--at", &value)) {
        load->placement.has_at = true;
        if (cli_numbers(value, 3, load->placement.at)) {
            return TAKEN;
        }
        cli_usage("--at needs x,y,z in metres, such as 0,1,0");
        return WRONG;
    }
    if (cli_option(argc, argv, index, "--up", &value)) {
        load->placement.z_up = value && strcmp(value, "z") == 0;
        if (value && (strcmp(value, "y") == 0 || load->placement.z_up)) {
            return TAKEN;
        }
        cli_usage("--up needs y or z");
        return WRONG;
    }
    return NOT_MINE;
}

static enum taken take_other(struct load *load, int argc, char **argv, int *index)
{
    const char *value;
    double number;
    if (strcmp(argv[*index], "--play") == 0) {
        load->plays = true;
        return TAKEN;
    }
    if (strcmp(argv[*index], "--loop") == 0) {
        load->loops = true;
        return TAKEN;
    }
    if (strcmp(argv[*index], "--rigid") == 0) {
        load->is_rigid = true;
        return TAKEN;
    }
    if (cli_option(argc, argv, index, "--parts", &value)) {
        if (!cli_number(value, 1, MESH_HULLS_MAX, &number) || floor(number) != number) {
            cli_usage("--parts needs a number of convex parts from 1 to %d", MESH_HULLS_MAX);
            return WRONG;
        }
        load->hulls_most = (uint32_t)number;
        return TAKEN;
    }
    if (strcmp(argv[*index], "--create") == 0) {
        load->create = true;
        return TAKEN;
    }
    if (strcmp(argv[*index], "--no-look") == 0) {
        load->no_look = true;
        return TAKEN;
    }
    if (strcmp(argv[*index], "--dry-run") == 0) {
        load->dry_run = true;
        return TAKEN;
    }
    if (cli_option(argc, argv, index, "--soft", &value)) {
        if (!cli_number(value, 1, 1e6, &number) || floor(number) != number) {
            cli_usage("--soft needs a number of cells from 1 to 1000000");
            return WRONG;
        }
        load->cells = (uint32_t)number;
        return TAKEN;
    }
    if (cli_option(argc, argv, index, "--pin", &value)) {
        if (!value || load->pin_texts == LOAD_PINS_MAX) {
            cli_usage(value ? "there are too many --pin" : "--pin needs what to pin, such as top-edge");
            return WRONG;
        }
        load->pins[load->pin_texts++] = value;
        return TAKEN;
    }
    return NOT_MINE;
}

static bool take_bits(const char *option, const char *value, struct load_contact *contact, uint32_t *bits)
{
    double number;
    if (!cli_number(value, 0, UINT32_MAX, &number) || floor(number) != number) {
        cli_usage("%s needs a whole number from 0 to 4294967295; each bit is a group", option);
        return false;
    }
    *bits = (uint32_t)number;
    contact->said = true;
    return true;
}

static enum taken take_contact(struct load *load, int argc, char **argv, int *index)
{
    struct load_contact *contact = &load->contact;
    const bool self = strcmp(argv[*index], "--self-contact") == 0;
    const char *value;
    if (self || strcmp(argv[*index], "--no-self-contact") == 0) {
        contact->self = self;
        contact->said = contact->said_self = true;
        return TAKEN;
    }
    if (strcmp(argv[*index], "--no-contact") == 0) {
        contact->none = true;
        return TAKEN;
    }
    if (strcmp(argv[*index], "--static") == 0) {
        load->is_static = true;
        return TAKEN;
    }
    if (cli_option(argc, argv, index, "--contact-group", &value)) {
        return take_bits("--contact-group", value, contact, &contact->group) ? TAKEN : WRONG;
    }
    if (cli_option(argc, argv, index, "--contact-mask", &value)) {
        return take_bits("--contact-mask", value, contact, &contact->mask) ? TAKEN : WRONG;
    }
    return NOT_MINE;
}

// A body that moves as its file says is an obstacle: it has no mass, and all its particles are driven.
static int check_play(struct load *load)
{
    load->plays = load->plays || load->play.cache || load->play.animation;
    if (!load->plays) {
        if (load->loops || !isnan(load->play.fps)) {
            return cli_usage("%s is for a body that moves: add --play", load->loops ? "--loop" : "--fps");
        }
        return CLI_OK;
    }
    const char *dot = strrchr(load->path, '.');
    const bool is_gltf = dot && (strcasecmp(dot, ".gltf") == 0 || strcasecmp(dot, ".glb") == 0);
    if (load->play.animation && (load->play.cache || !is_gltf)) {
        return cli_usage("--animation is for the animations of a glTF; a point cache has one");
    }
    if (isnan(load->play.fps) && (load->play.cache || !is_gltf)) {
        return cli_usage(
            "a point cache does not store its frame rate: give it with --fps, in frames per second");
    }
    if (load->cells || (load->kind && strcmp(load->kind, "soft") == 0)) {
        return cli_usage("--play is for surfaces, not for soft bodies");
    }
    if (load->pin_texts) {
        return cli_usage("--play moves all particles; leave out --pin");
    }
    load->pins[load->pin_texts++] = "all";
    load->is_static = true;
    load->play.fps = isnan(load->play.fps) ? GLTF_FPS : load->play.fps;
    return CLI_OK;
}

static int check_contact(struct load *load)
{
    struct load_contact *contact = &load->contact;
    if (contact->none && contact->said) {
        return cli_usage("--no-contact cannot be combined with the other options of contact");
    }
    if (load->is_static && !isnan(load->given.density)) {
        return cli_usage("--static and --play give the body no mass; --density is for one that moves freely");
    }
    // A body that does not move need not collide with itself.
    contact->self = contact->said_self ? contact->self : !load->is_static;
    // Thickness 0 means no contact.
    contact->none = contact->none || (!contact->said && load->given.thickness == 0);
    return CLI_OK;
}

// Names the body after the file, without folder and ending, cut to the longest allowed name.
static void name_after_file(struct load *load)
{
    const char *slash = strrchr(load->path, '/'), *base = slash ? slash + 1 : load->path;
    const char *dot = strrchr(base, '.');
    size_t size = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    while (size >= sizeof load->own_name || (size > 0 && ((unsigned char)base[size] & 0xc0) == 0x80)) {
        size--;
    }
    memcpy(load->own_name, base, size);
    load->own_name[size] = '\0';
    // File names are bytes, but names of bodies are UTF-8.
    json_t *text = json_string(load->own_name);
    for (char *c = load->own_name; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 127 || (!text && (unsigned char)*c > 127)) {
            *c = '?';
        }
    }
    json_decref(text);
    load->name = load->own_name;
}

static int take_arguments(struct load *load, int argc, char **argv)
{
    double metres = 1;
    for (int i = 0; i < argc; i++) {
        enum taken taken = take_text(load, argc, argv, &i);
        taken = taken == NOT_MINE ? take_number(load, argc, argv, &i) : taken;
        taken = taken == NOT_MINE ? take_fabric(load, argc, argv, &i) : taken;
        taken = taken == NOT_MINE ? take_placement(load, argc, argv, &i, &metres) : taken;
        taken = taken == NOT_MINE ? take_contact(load, argc, argv, &i) : taken;
        taken = taken == NOT_MINE ? take_other(load, argc, argv, &i) : taken;
        if (taken == WRONG) {
            return CLI_USAGE;
        }
        if (taken == TAKEN) {
            continue;
        }
        if (strcmp(argv[i], "--") == 0 && i + 2 == argc && !load->path) {
            load->path = argv[++i];
        } else if (strncmp(argv[i], "--", 2) == 0 || load->path) {
            return cli_no_option("load", argv[i]);
        } else {
            load->path = argv[i];
        }
    }
    if (!load->path || (!load->world && !load->dry_run)) {
        return cli_usage("usage: weft load FILE --world WORLD [OPTIONS]; see weft help load");
    }
    if (load->cells && load->kind && strcmp(load->kind, "cloth") == 0) {
        return cli_usage("--soft makes a soft body, not a cloth");
    }
    for (int axis = 0; axis < 3; axis++) {
        load->placement.scale[axis] *= metres;
    }
    load->sized = load->sized || load->placement.fit > 0;
    if (!load->name) {
        name_after_file(load);
    }
    if (!isnan(load->remesh) && (load->cells || load->plays || load->play.cache || load->play.animation ||
                                 (load->kind && strcmp(load->kind, "soft") == 0))) {
        return cli_usage("--remesh makes new vertices of a cloth; it cannot be combined with --soft, --kind "
                         "soft or --play");
    }
    int status = load_rigid_check(load);
    status = status == CLI_OK ? check_play(load) : status;
    return status == CLI_OK ? check_contact(load) : status;
}

int cli_load(struct cli *cli, int argc, char **argv)
{
    const double unset = (double)NAN;
    struct load load = {.cli = cli,
                        .placement = {.scale = {1, 1, 1}},
                        .weld = unset,
                        .remesh = unset,
                        .room = 1,
                        .play = {.fps = unset},
                        .contact = {.group = 1,
                                    .mask = 1,
                                    .friction = unset,
                                    .friction_kinetic = unset,
                                    .restitution = unset},
                        .given = {.density = unset,
                                  .thickness = unset,
                                  .stretch = unset,
                                  .bend = unset,
                                  .volume = unset,
                                  .damping = unset,
                                  .limit = unset,
                                  .rigidity = unset,
                                  .young = unset,
                                  .poisson = unset}};
    int status = take_arguments(&load, argc, argv);
    if (status != CLI_OK) {
        return status;
    }
    cli_progress_begin(&load.progress);
    status = load_mesh(&load);
    if (status == CLI_OK && load.plays) {
        status = load_play_prepare(&load);
    }
    if (status == CLI_OK && !load.is_rigid) {
        status = load_material(&load);
    }
    if (status == CLI_OK && !cli->json) {
        cli_progress_clear(&load.progress);
        load_tell_sizes(&load);
    }
    if (status == CLI_OK && !load.dry_run) {
        cli_progress_hold(&load.progress);
        cli_progress_report(&load.progress, "sending", 0);
        status = load_send(&load);
    }
    cli_progress_clear(&load.progress);
    if (status == CLI_OK) {
        load_tell(&load);
    }
    weft_reply_destroy(&load.reply);
    mesh_lattice_deinit(&load.lattice);
    mesh_hulls_deinit(&load.hulls);
    mesh_file_deinit(&load.file);
    free(load.pinned);
    free(load.source);
    fflush(stdout);
    cli_progress_end(&load.progress);
    return status;
}
