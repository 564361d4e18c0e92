// weft open: a world from a scene, by the name of its file or by its name in the gallery; weft gallery lists those.
#include "cli.h"

#include "protocol/scene/scene.h"

#include <string.h>

enum { OPEN_TIMEOUT_MS = 120000 };

static int take_arguments(int argc, char **argv, const char **file, const char **name, bool *play)
{
    const char *value;
    for (int i = 0; i < argc; i++) {
        if (cli_option(argc, argv, &i, "--name", &value)) {
            if (!value || !*value)
                return cli_usage("--name needs a name for the world");
            *name = value;
        } else if (strcmp(argv[i], "--play") == 0) {
            *play = true;
        } else if (strcmp(argv[i], "--") == 0 && i + 2 == argc && !*file) {
            *file = argv[++i];
        } else if (strncmp(argv[i], "--", 2) == 0 || *file) {
            return cli_no_option("open", argv[i]);
        } else {
            *file = argv[i];
        }
    }
    return *file ? CLI_OK : cli_usage("usage: weft open SCENE [--name NAME] [--play]");
}

// A bare name is one of the gallery, if it has it.
static const char *find_scene(const char *file, char path[SCENE_PATH_SIZE])
{
    const size_t size = strlen(file);
    const bool bare = !strchr(file, '/') && !(size > 5 && strcmp(file + size - 5, ".json") == 0);
    return bare && scene_gallery_find(file, path) ? path : file;
}

static int play_world(struct cli *cli, unsigned long long world)
{
    struct weft_params params;
    struct weft_reply reply;
    weft_params_init(&params);
    weft_params_u64(&params, "world", world);
    const int status = cli_call(cli, "world.play", &params, &reply);
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

int cli_open(struct cli *cli, int argc, char **argv)
{
    const char *file = NULL, *name = NULL;
    bool play = false;
    char path[SCENE_PATH_SIZE], text[CLI_CELL_SIZE];
    struct scene scene;
    struct scene_error error;
    struct weft_params params;
    struct weft_reply reply = {0};
    int status = take_arguments(argc, argv, &file, &name, &play);
    if (status != CLI_OK)
        return status;
    if (!scene_read(find_scene(file, path), &scene, &error)) {
        fflush(stdout);
        fprintf(stderr, "weft: SCENE: %s\n", error.text);
        return CLI_REFUSED;
    }
    if (!cli->timeout_given)
        cli->timeout_ms = OPEN_TIMEOUT_MS;
    weft_params_init(&params);
    weft_params_string(&params, "name", name ? name : scene.name);
    weft_params_raw(&params, "document", scene.document, scene.size);
    status = cli_call(cli, "world.open", &params, &reply);
    const unsigned long long world = cli_field_u64(&reply.result, "world");
    if (status == CLI_OK && play)
        status = play_world(cli, world);
    if (status == CLI_OK && cli->json)
        cli_print_json(&reply.result);
    else if (status == CLI_OK)
        printf("world %llu  %s\n", world,
               weft_string_copy(weft_get(&reply.result, "name"), text, sizeof text));
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    scene_deinit(&scene);
    return status;
}

// ---------------------------------------------------------------------------------------------------------
// The gallery

struct listing {
    struct cli_table table;
    bool json;
    int count;
};

static void list_scene(void *context, const char *name, const char *about, const char *path)
{
    struct listing *listing = context;
    if (listing->json) {
        fputs(listing->count ? ",{\"name\":" : "{\"name\":", stdout);
        cli_json_string(stdout, name, strlen(name));
        fputs(",\"about\":", stdout);
        cli_json_string(stdout, about, strlen(about));
        fputs(",\"file\":", stdout);
        cli_json_string(stdout, path, strlen(path));
        fputc('}', stdout);
    } else {
        cli_table_row(&listing->table, (const char *[]){name, about});
    }
    listing->count++;
}

int cli_gallery(struct cli *cli, int argc, char **argv)
{
    struct listing listing = {.json = cli->json};
    if (!cli_plain(&argc, &argv, 0, 0, "gallery"))
        return CLI_USAGE;
    cli_table_init(&listing.table, 2);
    if (cli->json)
        fputc('[', stdout);
    const bool found = scene_gallery_list(list_scene, &listing);
    if (cli->json)
        fputs("]\n", stdout);
    else
        cli_table_print(&listing.table, 0, false);
    cli_table_deinit(&listing.table);
    if (!found) {
        fflush(stdout);
        fputs("weft: FILE: the gallery is not there; WEFT_SCENES may name its folder\n", stderr);
    }
    return found ? CLI_OK : CLI_REFUSED;
}
