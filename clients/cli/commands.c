// The table of commands, and those that concern no world: info, list, call.
#include "api.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static void print_info(const struct cli *cli, const msgpack_object *info, const msgpack_object *stats)
{
    struct cli_table table;
    char text[CLI_CELL_SIZE], name[64], version[64];
    cli_table_init(&table, 2);
    cli_table_row(&table, (const char *[]){"server", cli->server ? cli->server : WEFT_ADDRESS_DEFAULT});
    snprintf(text, sizeof text, "%s %s", weft_string_copy(weft_get(info, "name"), name, sizeof name),
             weft_string_copy(weft_get(info, "version"), version, sizeof version));
    cli_table_row(&table, (const char *[]){"program", text});
    snprintf(text, sizeof text, "level %llu, compatible with %llu, %u methods",
             cli_field_u64(info, "api_level"), cli_field_u64(info, "api_compatible"),
             weft_count(weft_get(info, "methods")));
    cli_table_row(&table, (const char *[]){"api", text});
    cli_table_fields(&table, stats);
    cli_table_print(&table, 0, false);
    cli_table_deinit(&table);
}

static int run_info(struct cli *cli, int argc, char **argv)
{
    struct weft_reply info = {0}, stats = {0};
    if (!cli_plain(&argc, &argv, 0, 0, "info"))
        return CLI_USAGE;
    int status = cli_call(cli, "server.info", NULL, &info);
    if (status == CLI_OK)
        status = cli_call(cli, "server.stats", NULL, &stats);
    if (status == CLI_OK && cli->json) {
        const msgpack_object *map = &info.result;
        fputc('{', stdout);
        for (uint32_t i = 0; map->type == MSGPACK_OBJECT_MAP && i < map->via.map.size; i++) {
            cli_json_write(stdout, &map->via.map.ptr[i].key, false);
            fputc(':', stdout);
            cli_json_write(stdout, &map->via.map.ptr[i].val, false);
            fputc(',', stdout);
        }
        fputs("\"stats\":", stdout);
        cli_json_write(stdout, &stats.result, false);
        fputs("}\n", stdout);
    } else if (status == CLI_OK) {
        print_info(cli, &info.result, &stats.result);
    }
    weft_reply_destroy(&info);
    weft_reply_destroy(&stats);
    return status;
}

static int run_list(struct cli *cli, int argc, char **argv)
{
    static const char *const head[] = {"ID",       "NAME",   "STATE",     "RATE",   "TICK",
                                       "REVISION", "BODIES", "PARTICLES", "PEOPLE", "SERVER"};
    static const char *const fields[] = {"world",    "name",   "state",     "rate",  "tick",
                                         "revision", "bodies", "particles", "people"};
    enum { COLUMNS = sizeof head / sizeof *head };
    struct weft_reply reply;
    if (!cli_plain(&argc, &argv, 0, 0, "list"))
        return CLI_USAGE;
    const int status = cli_call(cli, "world.list", NULL, &reply);
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        struct cli_table table;
        const msgpack_object *worlds = weft_get(&reply.result, "worlds");
        bool shared = false;
        for (uint32_t i = 0; i < weft_count(worlds); i++)
            shared = shared || cli_is_elsewhere(weft_at(worlds, i));
        cli_table_init(&table, shared ? COLUMNS : COLUMNS - 1);
        cli_table_row(&table, head);
        for (uint32_t i = 0; i < weft_count(worlds); i++) {
            const msgpack_object *world = weft_at(worlds, i);
            char texts[COLUMNS][CLI_CELL_SIZE];
            const char *row[COLUMNS];
            // Of those elsewhere this server knows no more than their names.
            for (int c = 0; c < COLUMNS - 1; c++)
                row[c] = c > 1 && cli_is_elsewhere(world)
                             ? "-"
                             : cli_value_text(weft_get(world, fields[c]), texts[c], sizeof texts[c]);
            row[COLUMNS - 1] = cli_where(world, texts[COLUMNS - 1], sizeof texts[0]);
            cli_table_row(&table, row);
        }
        cli_table_print(&table, 0x1f9, true);
        cli_table_deinit(&table);
    }
    weft_reply_destroy(&reply);
    return status;
}

static char *read_input(size_t *size)
{
    char *text = NULL;
    size_t capacity = 0;
    *size = 0;
    for (;;) {
        if (*size == capacity) {
            capacity = capacity ? capacity * 2 : 65536;
            char *grown = realloc(text, capacity);
            if (!grown) {
                free(text);
                return NULL;
            }
            text = grown;
        }
        const size_t got = fread(text + *size, 1, capacity - *size, stdin);
        *size += got;
        if (got == 0)
            return text;
    }
}

// The server knows its methods better than this program does, so it is asked first.
static int call(struct cli *cli, const char *method, const struct weft_params *params,
                struct weft_reply *reply)
{
    struct weft_error error;
    struct cli_nearest nearest = CLI_NEAREST(method);
    char meant[CLI_MEANT_SIZE];
    const int status = cli_connect(cli);
    if (status != CLI_OK || weft_call(cli->client, method, params, reply, &error))
        return status;
    if (strcmp(error.code, "NOT_FOUND") == 0 && !cli_api_method(method)) {
        cli_nearest_methods(&nearest);
        const size_t used = strlen(error.text);
        snprintf(error.text + used, sizeof error.text - used, "%s", cli_meant(&nearest, meant));
    }
    return cli_report(&error);
}

static int run_call(struct cli *cli, int argc, char **argv)
{
    struct weft_params params;
    struct weft_reply reply = {0};
    char *input = NULL, why[256];
    int status = CLI_USAGE;
    if (!cli_plain(&argc, &argv, 1, 2, "call METHOD [JSON | -]"))
        return CLI_USAGE;
    weft_params_init(&params);
    if (argc == 2) {
        const char *text = argv[1];
        size_t size = strlen(text);
        if (strcmp(text, "-") == 0) {
            input = read_input(&size);
            text = input;
        }
        if (!text) {
            cli_usage("standard input cannot be read");
            goto cleanup;
        }
        if (!cli_json_params(text, size, &params, why, sizeof why)) {
            cli_usage("%s", why);
            goto cleanup;
        }
    }
    if (!cli->timeout_given && strcmp(argv[0], "world.step") == 0)
        cli->timeout_ms = 0;
    status = call(cli, argv[0], &params, &reply);
    if (status == CLI_OK) {
        cli_json_write(stdout, &reply.result, !cli->json);
        fputc('\n', stdout);
    }

cleanup:
    free(input);
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

const struct cli_command cli_command_table[] = {
    {"info", "", "Shows what the server is and how it does.", NULL, run_info},
    {"list", "", "Lists the worlds.", NULL, run_list},
    {"new", "NAME [OPTIONS]", "Makes a world, paused.",
     "  --gravity X,Y,Z   m/s^2, default 0,-9.81,0\n"
     "  --tick-rate N     ticks in a second of the world, default 60\n"
     "  --substeps N      a tick, default 20\n"
     "  --iterations N    sweeps a substep, default 1\n"
     "  --damping C       1/s, default 0\n"
     "  --resolution R    m, a power of two\n"
     "  --extent E        m; a world in which something gets farther fails\n"
     "  --contact-quality Q   guaranteed, which is the default, or fast: bodies that meet may cross\n"
     "  --untangle        push apart what crosses when a tick begins\n",
     cli_new},
    {"play", "WORLD [--rate R]", "Lets a world run.",
     "  --rate R   multiple of real time, default 1; 0 is as fast as possible\n", cli_play},
    {"pause", "WORLD", "Stops a world at the next tick.", NULL, cli_pause},
    {"step", "WORLD [TICKS]", "Runs a paused world for so many ticks.",
     "Waits until they are done, however long that takes, unless --timeout is given.\n", cli_step},
    {"set", "WORLD KEY=VALUE...", "Changes settings of a world.",
     "Keys are the parameters of world.set: name, gravity, substeps, iterations, damping, extent, "
     "contact_quality, untangle, and wind.velocity, wind.drag, wind.lift, wind.density.\n"
     "Vectors are written x,y,z: weft set flag gravity=0,-1.62,0 wind.velocity=4,0,0\n",
     cli_set},
    {"batch", "WORLD FILE", "Makes many edits as one.",
     "FILE is a JSON list of edits, each a method and its parameters without world, or - for standard "
     "input:\n"
     "[[\"collider.add\", {\"name\": \"ball\", \"kind\": \"sphere\"}], [\"body.remove\", {\"body\": "
     "\"old\"}]]\n"
     "All are made at one tick, or none.\n",
     cli_batch},
    {"get", "WORLD", "Shows settings and counts of a world.", NULL, cli_get},
    {"reset", "WORLD", "Puts everything back where it was added.", NULL, cli_reset},
    {"delete", "WORLD", "Deletes a world.", NULL, cli_delete},
    {"move", "WORLD SERVER", "Has another server run a world.",
     "SERVER is its name: weft top --cluster tells those of the deployment. The world plays on.\n", cli_move},
    {"hash", "WORLD", "Prints the hash of the state, for comparing runs.", NULL, cli_hash},
    {"history", "WORLD", "Tells what is kept of a world's past.", NULL, cli_history},
    {"log", "WORLD [OPTIONS]", "Lists who did what at which tick.",
     "  --since N   records after that one, default 0\n"
     "  --limit N   so many at most, default all\n"
     "  --inputs    grabs too\n",
     cli_log},
    {"undo", "WORLD [OPTIONS]", "Takes back an edit of yours: what it changed is what it was.",
     "  --revision REV   this one, default the last that stands; weft log tells revisions\n"
     "  --force          also where somebody has changed the same since, and what was another person's\n"
     "\n"
     "Whose an edit is goes by the name in USER.\n",
     cli_undo},
    {"redo", "WORLD [OPTIONS]", "Makes an edit anew that you took back.",
     "  --revision REV   this one, default the last that was taken back\n"
     "  --force          also where somebody has changed the same since\n",
     cli_redo},
    {"branch", "WORLD [OPTIONS]", "Makes a world of a moment of another's past.",
     "  --at TICK             which; default the last\n"
     "  --name NAME           of the new world; default world-ID\n"
     "  --without REV,...     as if these edits had not been; weft log tells their revisions\n"
     "  --instead REV=JSON    as if this edit had been asked for with these parameters; may be repeated\n"
     "\n"
     "What was done after them is done again; what does not apply any more is left out and told. Waits until "
     "it is done, "
     "however long that takes, unless --timeout is given.\n",
     cli_branch},
    {"bin", "", "Lists deleted worlds that can still be had back.", NULL, cli_bin},
    {"access", "WORLD [CHANGE]", "Lists or changes who may do what in a world.",
     "  --grant NAME [ROLE]   gives somebody a role: viewer, editor or owner; * is everybody\n"
     "  --revoke NAME|ID      takes a role back, or an invitation; name:7 is somebody called 7\n"
     "  --keep-invites        leaves the invitations that this person made\n"
     "  --invite ROLE         makes an invitation and prints it\n"
     "  --uses N              of the invitation; default 1\n"
     "  --days N              how long it is good; default 7\n"
     "  --control ROLE        who may play, pause, step and reset it: editor or owner\n",
     cli_access},
    {"token", "create|list|revoke ...", "Makes, lists and ends tokens, as an admin.",
     "  weft token create NAME   makes one and prints it, this once\n"
     "  weft token list\n"
     "  weft token revoke ID     ends one, its sessions, and the invitations of its person; with a name all "
     "of "
     "theirs\n"
     "  --keep-invites           leaves these invitations\n"
     "  --role ROLE              viewer, editor or admin; default editor\n"
     "  --days N                 how long it is good; default 90; 0: until it is revoked\n",
     cli_token},
    {"save", "WORLD FILE", "Writes a world as a scene.",
     "FILE is JSON; arrays that are too long to read go to a folder beside it: flag.json, flag.data/. "
     "Opened again, the world has the same hash and the same future. What somebody holds is not saved.\n",
     cli_save},
    {"open", "SCENE [--name NAME] [--play]", "Makes a world of a scene, paused.",
     "  --name NAME   name of the world, default the scene's\n"
     "  --play        lets it run\n"
     "\n"
     "SCENE is a file, or the name of a scene of the gallery: weft open flag --play\n",
     cli_open},
    {"gallery", "", "Lists the scenes that come with weft.", NULL, cli_gallery},
    {"load", "FILE --world WORLD [OPTIONS]", "Adds a mesh from a file to a world.",
     "Reads OBJ, PLY, STL, glTF, TetGen (.node, .ele) and Gmsh (.msh). Triangles become a cloth, tetrahedra "
     "a soft body.\n"
     "\n"
     "  --world WORLD     where to\n"
     "  --create          make the world if there is none\n"
     "  --name NAME       of the body; default that of the file\n"
     "  --mesh NAME       only this one of the file's meshes, by name or number from 0; default all as one\n"
     "  --kind KIND       cloth or soft, where a file has both triangles and tetrahedra\n"
     "  --soft N          fill the closed surface with a lattice of about N cells that carries it\n"
     "  --units UNIT      of the file: m, cm, mm, in, ft; default m\n"
     "  --scale S         times so much; or x,y,z\n"
     "  --fit SIZE        scaled until its greatest extent is SIZE metres\n"
     "  --up AXIS         of the file: y or z; default y\n"
     "  --rotate X,Y,Z    degrees about x, then y, then z, about its middle\n"
     "  --at X,Y,Z        m; where the middle of its underside goes; default as the file has it\n"
     "  --weld D          m; vertices no farther apart are one; default a millionth of its size\n"
     "  --material NAME   cotton, silk, denim, rubber (cloth); jelly, rubber (soft); none; default cotton, "
     "jelly\n"
     "  --density D       kg/m^2 (cloth) or kg/m^3 (soft), instead of the material's\n"
     "  --stretch A       m/N; compliance of the edges, instead of the material's\n"
     "  --bend A          compliance of bending (cloth)\n"
     "  --bend-model M    dihedral, isometric, quadratic, none\n"
     "  --volume A        m^5/N; compliance of the tetrahedra (soft)\n"
     "  --damping B       N s/m; of the edges\n"
     "  --thickness T     m; radius for contact; default 0.15 of its mean edge\n"
     "  --static          it stays where it is, and others meet it; it does not meet itself\n"
     "  --play            as --static, but it moves as the file says: by an animation of a glTF, or by "
     "FILE.pc2\n"
     "                    beside it\n"
     "  --animation WHAT  of a glTF, by name or number from 0; default the first; means --play\n"
     "  --cache FILE      point cache (PC2) that it moves by, wherever that is; means --play\n"
     "  --fps N           frames a second: of a point cache; or how often a glTF is looked at, default 60\n"
     "  --loop            it moves over and over\n"
     "  --no-contact      it meets no other body, nor itself; 0 as thickness means this too\n"
     "  --self-contact    it meets itself, also if --static\n"
     "  --no-self-contact it does not\n"
     "  --contact-group G bits of what it is; default 1\n"
     "  --contact-mask M  bits of the groups that it meets, if theirs meet its own; default 1\n"
     "  --friction MU     between bodies, default 0.3\n"
     "  --pin WHAT        hold particles: top-edge, top-corners, edge:+x (-x, +y, -y, +z, -z),\n"
     "                    box:x0,y0,z0,x1,y1,z1, sphere:x,y,z,r, index:0,5-9, all; may be repeated\n"
     "  --no-look         leave its uvs, normals and materials, which recordings would have\n"
     "  --dry-run         tell what would be added, and add nothing\n",
     cli_load},
    {"call", "METHOD [JSON | -]", "Calls any method; - reads the JSON from standard input.",
     "The parameters are a JSON object: weft call body.get '{\"world\": \"flag\", \"body\": 1}'.\n"
     "The answer is printed as JSON, typed arrays as lists.\n",
     run_call},
    {"watch", "WORLD [OPTIONS]", "Shows a world live.",
     "  --fps N      draw at most N pictures a second, default 30\n"
     "  --substeps   take a frame each substep instead of each tick\n"
     "  --frames N   end after N frames\n"
     "  --encoding E positions as f32, or compressed: q16 in half the bytes, delta in a tenth; default f32\n"
     "  --tolerance M  of delta, by how many metres a coordinate may be off; default 1e-4\n"
     "  --nth N      of every Nth vertex alone; the meshes get coarser\n"
     "  --box X0,Y0,Z0,X1,Y1,Z1  of bodies alone that have a particle in this box, in metres\n"
     "  --plain      a line a second instead of a picture; so too where there is no terminal\n"
     "\n"
     "Keys: arrows turn, + and - zoom, o orbits, space plays and pauses, s steps, r resets, q quits.\n",
     cli_watch},
    {"record", "WORLD -o FILE [OPTIONS]", "Writes what a world does for other programs.",
     "The end of the name says as what:\n"
     "  .pc2 .mdd    point caches for Blender, one a body, and an .obj of each body beside\n"
     "  .obj .ply    a mesh a frame, numbered\n"
     "  .gltf .glb   one file, animated by morph targets\n"
     "  .usda        USD as text, with a sample of each mesh for each frame\n"
     "  .pvd         VTK for ParaView: a list of frames, and a .vtp for each\n"
     "  .npz         arrays for NumPy\n"
     "  .take        of a live world what decides it, exact and small, else frames: weft convert makes any\n"
     "               of the others of it, later\n"
     "\n"
     "  --ticks N      end after N ticks\n"
     "  --seconds S    end after S seconds of the world's time\n"
     "  --every N      keep each Nth tick (or substep), default 1\n"
     "  --substeps     keep each substep instead of each tick\n"
     "  --lossless     step a paused world, and miss no tick however large it is\n"
     "  --from TICK    of the past that is kept: from this tick, default the first, whole and lossless\n"
     "  --to TICK      to this one, default the last; the world itself goes on as it does\n"
     "  --particles    write the particles of bodies that carry a skin, not the skin\n"
     "  --tolerance M  compress the take: no coordinate is off by more than M metres, at a tenth of the "
     "size\n"
     "  --frames       a take of frames also of a live world\n"
     "  --images S     in a take of what decides the world, seconds of its time from image to image, "
     "default\n"
     "                 300: a tick is reached from the image before it\n"
     "\n"
     "Without --ticks and --seconds it ends with Ctrl-C. However it ends, what was recorded is written; a\n"
     "recording that failed replaces no file that is there already, its frames stay beside it.\n",
     cli_record},
    {"bake", "SCENE [-o OUT] --ticks N [OPTIONS]", "Computes a scene without a server, as fast as it goes.",
     "To the same bits as a server. SCENE is a file, or the name of one of the gallery (weft gallery).\n"
     "\n"
     "  --from PAST      in place of a scene: DIR/WORLD or DIR/WORLD@TICK, a world in a folder of\n"
     "                   weftd --data, where it stood last or at that tick of its past; or TAKE or\n"
     "                   TAKE@TICK, of a take of records\n"
     "  --output OUT     what to write, also -o: the name ends with .pc2, .mdd, .obj, .ply, .gltf, .glb,\n"
     "                   .usda, .pvd or .npz, or .take, of which weft convert makes the others; absent:\n"
     "                   the results alone\n"
     "  --ticks N        how far\n"
     "  --seconds S      the same in the world's time\n"
     "  --every N        keep each Nth tick (or substep), default 1\n"
     "  --substeps       keep substeps instead of ticks\n"
     "  --particles      write the particles of bodies that carry a skin, not the skin\n"
     "  --tolerance M    compress the take: no coordinate is off by more than M metres\n"
     "  --set PATH=V,..  put a value of the scene; of several, bake each; of several --set, each "
     "combination,\n"
     "                   on as many threads: --set body.flag.stretch.compliance=1e-7,1e-6;\n"
     "                   a range is FROM:TO:STEP, or FROM:TO:logN for N values, each the same\n"
     "                   multiple of the one before: --set world.damping=0:1:0.25\n"
     "  --series FILE    the measures (energies, strain, volume error) of each Nth tick, a table whose\n"
     "                   name ends with .csv; of several combinations one each, numbered\n"
     "  --table FORMAT   the table of those: text, csv or json; default text\n"
     "  --threads N      threads, default one for each core\n"
     "  --isa NAME       instructions: scalar, sse2, avx2, avx512 or neon; default the widest there are\n"
     "  --checkpoint S   seconds between checkpoints, 0 for none but at Ctrl-C; default 30\n"
     "  --fresh          begin again, although an earlier bake can go on\n"
     "  --salvage        with --from: take what is there of a world that lost its end\n"
     "  --quiet          no progress\n"
     "\n"
     "After Ctrl-C, or whatever stopped it, the same command goes on where it was.\n"
     "Exit status: 0 done, 1 the world failed or something here did, 2 wrong usage or scene, 130 stopped.\n",
     cli_bake},
    {"twin", "WORLD [OPTIONS]", "Runs a world here as it runs there.",
     "From an image of it and what decides its future since (docs/concepts/twins.md): a line a second says "
     "how far\n"
     "it has come, at which tick its state was last found equal to the server's, and what that cost in "
     "bytes. Goes\n"
     "on by itself where the connection is lost, and begins anew where a state is not equal.\n"
     "\n"
     "  --every S     a line each so many seconds, default 1\n"
     "  --seconds S   end after so many; default never\n"
     "  --ask         answers what a program asks on standard input, in place of lines\n",
     cli_twin},
    {"verify", "DIR [--quiet]", "Reads all of a folder of worlds, and names what is damaged.",
     "DIR is what weftd --data was given; a server may use it meanwhile. Checksums, and what the bytes mean: "
     "each\n"
     "record, each image as the world that it is. What follows the newest image is replayed, as by a "
     "server.\n"
     "\n"
     "  --quiet   no progress\n"
     "\n"
     "Exit status: 0 whole, 1 damaged, 2 no such folder, 130 stopped.\n",
     cli_verify},
    {"replay", "DIR[/WORLD] [--salvage] [--quiet]", "Steps all that is kept of worlds again, and compares.",
     "From the first image on, on any machine, held against every hash that was told, and every image. What "
     "differs is\n"
     "told by tick and, where an image shows it, by body. Ticks of another solver are passed by, up to the "
     "next image.\n"
     "\n"
     "  --salvage   replay what is there, although something that was safely on the disk is lost\n"
     "  --quiet     no progress\n"
     "\n"
     "Exit status: 0 the same, 1 different or damaged, 2 no such world, 3 the same with --salvage as far as "
     "it is\n"
     "there, 130 stopped.\n",
     cli_replay},
    {"backup", "DIR TO [--salvage] [--quiet]", "Copies a folder of worlds, also while a server uses it.",
     "All that is durable at one moment. TO must be empty, or not there; what stops the copy leaves none. A "
     "folder that\n"
     "lost something that was safely on the disk is not copied, and what is lost is named.\n"
     "\n"
     "  --salvage   copy what is there of such a folder; weftd goes on with the copy\n"
     "  --quiet     no progress\n"
     "\n"
     "Exit status: 0 done, 1 it failed, 2 wrong folders, 3 done with --salvage, and something is lost, 130 "
     "stopped.\n",
     cli_backup},
    {"restore", "WORLD [--name NAME] | BACKUP DIR [--quiet]",
     "Has a deleted world back, or makes a folder of worlds of a backup.",
     "Of WORLD, by the id or the name that it had: the server has it back with its past, paused; weft bin "
     "lists what "
     "there is.\n"
     "\n"
     "  --name NAME   default the one it had\n"
     "\n"
     "Of BACKUP and DIR, without a server: the backup is verified first, and a damaged one refused. DIR must "
     "be empty, or "
     "not there: weftd --data DIR goes on with it.\n"
     "\n"
     "  --quiet   no progress\n"
     "\n"
     "Exit status of the latter: as of backup.\n",
     cli_restore},
    {"convert", "TAKE [FILE] [OPTIONS]", "Writes a take in another format.",
     "As weft help record says. A take of what decided a world is run again, and says how many of the hashes "
     "in it were\n"
     "equal; without FILE that is all. Of such a take:\n"
     "\n"
     "  --from TICK      from this tick, default the first\n"
     "  --to TICK        to this one, default the last\n"
     "  --every N        keep each Nth tick (or substep), default 1\n"
     "  --substeps       keep substeps instead of ticks\n"
     "  --particles      write the particles of bodies that carry a skin, not the skin\n"
     "  --tolerance M    of FILE.take, which has frames: no coordinate is off by more than M metres\n"
     "  --threads N      threads, default one for each core\n"
     "  --quiet          no progress\n"
     "\n"
     "Exit status: 0 done, 1 damaged, or it comes to something else, 2 wrong usage, 130 stopped.\n",
     cli_convert},
    {"top", "[OPTIONS]", "Shows what the server and its worlds do, live.",
     "  --cluster   the servers of the deployment, and what each has to do\n"
     "  --once      print it once, with the rates of a second\n"
     "  --every S   seconds between two pictures, default 1\n"
     "  --plain     one table below the other; so too where there is no terminal\n"
     "\n"
     "With --json a line of JSON each time. LATE counts ticks that began more than a tick after their time, "
     "LAG is how late the last one was. Key: q quits.\n",
     cli_top},
    {"completion", "bash | zsh | fish", "Prints completion for a shell.",
     "bash: source <(weft completion bash)       in ~/.bashrc\n"
     "zsh:  source <(weft completion zsh)        in ~/.zshrc, after compinit\n"
     "fish: weft completion fish | source        in config.fish\n"
     "Where weft is installed as a package the shells find it by themselves.\n",
     cli_completion},
    {"help", "[COMMAND | METHOD | methods]", "Tells more about a command, a method or a type.",
     "weft help methods lists the methods; weft help body.add tells parameters with units, ranges, defaults, "
     "and an example. With --json the same as JSON. It needs no server: it is what this program was built "
     "with.\n",
     cli_help},
    {0},
};
