// weft open: creates a world from a scene, by its file or its name in the gallery. weft gallery lists the scenes there.
#include "cli.h"

#include "protocol/scene/scene.h"

#include <string.h>

enum {
    OPEN_TIMEOUT_MS = 120000,
    SMALL_BYTES = 1 << 16,    // any server accepts messages of that size
    PIECE_BYTES = 1 << 24,    // size of a piece of an upload
    ENVELOPE_BYTES = 1 << 10, // room in a message around its data
};

static int take_arguments(int argc, char **argv, const char **file, const char **name, bool *play)
{
    const char *value;
    for (int i = 0; i < argc; i++) {
        if (cli_option(argc, argv, &i, "--name", &value)) {
            if (!value || !*value) {
                return cli_usage("--name needs a name for the world");
            }
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

// A bare name is a scene of the gallery, if it is there.
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

// Greatest size of a message, in bytes, that this server accepts.
static size_t message_max(struct cli *cli, int *status)
{
    struct weft_params params;
    struct weft_reply reply;
    weft_params_init(&params);
    *status = cli_call(cli, "server.info", &params, &reply);
    const size_t most =
        *status == CLI_OK ? (size_t)weft_u64(weft_get(weft_get(&reply.result, "limits"), "message_bytes"), 0)
                          : 0;
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return most;
}

static int upload_piece(struct cli *cli, const char *bytes, size_t offset, uint32_t size)
{
    struct weft_params params;
    struct weft_reply reply = {0};
    msgpack_sbuffer bin;
    msgpack_packer packer;
    msgpack_sbuffer_init(&bin);
    msgpack_packer_init(&packer, &bin, msgpack_sbuffer_write);
    weft_params_init(&params);
    int status = CLI_REFUSED;
    if (msgpack_pack_bin_with_body(&packer, bytes + offset, size) == 0) {
        weft_params_u64(&params, "offset", offset);
        weft_params_raw(&params, "data", bin.data, bin.size);
        status = cli_call(cli, "world.upload", &params, &reply);
    } else {
        fputs("weft: MEMORY: there is not enough memory\n", stderr);
    }
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    msgpack_sbuffer_destroy(&bin);
    return status;
}

// Adds the document as a parameter, or uploads it first if it is larger than a message.
static int give_document(struct cli *cli, const struct scene *scene, struct weft_params *params)
{
    int status = CLI_OK;
    size_t most = 0;
    if (scene->size > SMALL_BYTES && (status = cli_connect(cli)) == CLI_OK) {
        most = message_max(cli, &status);
    }
    if (scene->size <= SMALL_BYTES || (most > ENVELOPE_BYTES && scene->size <= most - ENVELOPE_BYTES)) {
        weft_params_raw(params, "document", scene->document, scene->size);
        return status;
    }
    most = most > 2 * ENVELOPE_BYTES ? most - ENVELOPE_BYTES : ENVELOPE_BYTES;
    most = most > PIECE_BYTES ? PIECE_BYTES : most;
    for (size_t offset = 0; status == CLI_OK && offset < scene->size; offset += most) {
        status = upload_piece(cli, scene->document, offset,
                              (uint32_t)(scene->size - offset < most ? scene->size - offset : most));
    }
    weft_params_bool(params, "upload", true);
    return status;
}

// The server's error names the document, but its author knows it by the file.
static int open_document(struct cli *cli, const char *file, const struct weft_params *params,
                         struct weft_reply *reply)
{
    static const char place[] = "document.";
    struct weft_error error;
    const int status = cli_connect(cli);
    if (status != CLI_OK || weft_call(cli->client, "world.open", params, reply, &error)) {
        return status;
    }
    if (strncmp(error.text, place, sizeof place - 1) == 0) {
        char text[sizeof error.text];
        snprintf(text, sizeof text, "%s: %.300s", scene_file_shown(file), error.text + sizeof place - 1);
        memcpy(error.text, text, sizeof text);
    }
    return cli_report(&error);
}

int cli_open(struct cli *cli, int argc, char **argv)
{
    const char *file = NULL, *name = NULL;
    bool play = false;
    char path[SCENE_PATH_SIZE], text[CLI_CELL_SIZE];
    struct scene scene;
    struct fault fault;
    struct weft_params params;
    struct weft_reply reply = {0};
    int status = take_arguments(argc, argv, &file, &name, &play);
    if (status != CLI_OK) {
        return status;
    }
    if (!scene_read(find_scene(file, path), &scene, &fault)) {
        fflush(stdout);
        const bool bare = !strchr(file, '/') && !strchr(file, '.');
        fprintf(stderr, "weft: SCENE: %s%s\n", fault.text,
                bare ? "; weft gallery lists the scenes that come with weft" : "");
        return CLI_REFUSED;
    }
    if (!cli->timeout_given) {
        cli->timeout_ms = OPEN_TIMEOUT_MS;
    }
    weft_params_init(&params);
    weft_params_string(&params, "name", name ? name : scene.name);
    status = give_document(cli, &scene, &params);
    if (status == CLI_OK) {
        status = open_document(cli, file, &params, &reply);
    }
    const unsigned long long world = cli_field_u64(&reply.result, "world");
    if (status == CLI_OK && play) {
        status = play_world(cli, world);
    }
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        printf("world %llu  %s\n", world,
               weft_string_copy(weft_get(&reply.result, "name"), text, sizeof text));
        cli_print_warnings(&reply.result);
    }
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
    if (!cli_plain(&argc, &argv, 0, 0, "gallery")) {
        return CLI_USAGE;
    }
    cli_table_init(&listing.table, 2);
    if (cli->json) {
        fputc('[', stdout);
    }
    const bool found = scene_gallery_list(list_scene, &listing);
    if (cli->json) {
        fputs("]\n", stdout);
    } else {
        cli_table_print(&listing.table, 0, false);
    }
    cli_table_deinit(&listing.table);
    if (!found) {
        fflush(stdout);
        fputs("weft: FILE: the gallery was not found; WEFT_SCENES can name its folder\n", stderr);
    }
    return found ? CLI_OK : CLI_REFUSED;
}
