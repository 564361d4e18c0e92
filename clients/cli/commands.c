// The table of commands, and those that concern no world: info, list, call.
#include "api.h"
#include "cli.h"
#include "protocol/array/reserve.h"

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
    if (!cli_plain(&argc, &argv, 0, 0, "info")) {
        return CLI_USAGE;
    }
    int status = cli_call(cli, "server.info", NULL, &info);
    if (status == CLI_OK) {
        status = cli_call(cli, "server.stats", NULL, &stats);
    }
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
    if (!cli_plain(&argc, &argv, 0, 0, "list")) {
        return CLI_USAGE;
    }
    const int status = cli_call(cli, "world.list", NULL, &reply);
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        struct cli_table table;
        const msgpack_object *worlds = weft_get(&reply.result, "worlds");
        bool shared = false;
        for (uint32_t i = 0; i < weft_count(worlds); i++) {
            shared = shared || cli_is_elsewhere(weft_at(worlds, i));
        }
        cli_table_init(&table, shared ? COLUMNS : COLUMNS - 1);
        cli_table_row(&table, head);
        for (uint32_t i = 0; i < weft_count(worlds); i++) {
            const msgpack_object *world = weft_at(worlds, i);
            char texts[COLUMNS][CLI_CELL_SIZE];
            const char *row[COLUMNS];
            // For worlds on other servers, this server knows only the names.
            for (int c = 0; c < COLUMNS - 1; c++) {
                row[c] = c > 1 && cli_is_elsewhere(world)
                             ? "-"
                             : cli_value_text(weft_get(world, fields[c]), texts[c], sizeof texts[c]);
            }
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
        if (*size == capacity && !array_reserve(&text, &capacity, *size + 65536)) {
            free(text);
            return NULL;
        }
        const size_t got = fread(text + *size, 1, capacity - *size, stdin);
        *size += got;
        if (got == 0) {
            return text;
        }
    }
}

// The server knows its own methods best, so it is asked before a name is corrected.
static int call(struct cli *cli, const char *method, const struct weft_params *params,
                struct weft_reply *reply)
{
    struct weft_error error;
    struct cli_nearest nearest = CLI_NEAREST(method);
    char meant[CLI_MEANT_SIZE];
    const int status = cli_connect(cli);
    if (status != CLI_OK || weft_call(cli->client, method, params, reply, &error)) {
        return status;
    }
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
    if (!cli_plain(&argc, &argv, 1, 2, "call METHOD [JSON | -]")) {
        return CLI_USAGE;
    }
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
    if (!cli->timeout_given && strcmp(argv[0], "world.step") == 0) {
        cli->timeout_ms = 0;
    }
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
    {"info", "", "Shows the server's version, limits and load.", NULL, run_info},
    {"list", "", "Lists the worlds.", NULL, run_list},
    {"new", "NAME [OPTIONS]", "Creates a world, paused.",
     "  --gravity X,Y,Z   m/s^2, default 0,-9.81,0\n"
     "  --tick-rate N     ticks per second of the world's time, default 60\n"
     "  --substeps N      substeps per tick, default 20\n"
     "  --iterations N    sweeps per substep, default 1\n"
     "  --damping C       1/s, default 0\n"
     "  --resolution R    of positions, in m; a power of two\n"
     "  --extent E        m; the world fails if anything gets farther than this from the origin\n"
     "  --contact-quality Q   guaranteed (default), or fast: bodies in contact may then cross\n"
     "  --untangle        at the start of each tick, push apart bodies that cross\n"
     "  --no-long-edges   do not hold cloths and ropes to their length across many\n"
     "                    edges at once; ticks are shorter, and fine meshes stretch\n"
     "  --long-edges      hold them (default)\n"
     "  --no-sleep        never leave bodies that rest as they are; ticks take longer\n"
     "  --sleep           leave them until something wakes them (default)\n"
     "  --no-calm         sweep edges in one direction only; stiff shells may tremble\n"
     "  --calm            sweep edges of bodies that go slowly there and back (default)\n"
     "  --bending B       solved (default): fine cloth bends as stiffly as coarse\n"
     "                    cloth; or swept: hinge by hinge, in less time and memory\n"
     "  --loads L         swept (default): heavy things that only touch light cloth may\n"
     "                    fall through it; or solved: it holds them, in much more time\n",
     cli_new},
    {"play", "WORLD [--rate R]", "Lets a world run.",
     "  --rate R   multiple of real time, default 1; 0 is as fast as possible\n", cli_play},
    {"pause", "WORLD", "Stops a world at the next tick.", NULL, cli_pause},
    {"step", "WORLD [TICKS]", "Runs a paused world for TICKS ticks, default 1.",
     "Waits until they are done; only --timeout bounds the wait.\n", cli_step},
    {"set", "WORLD KEY=VALUE...", "Changes settings of a world.",
     "KEY is a parameter of world.set: name, gravity, substeps, iterations, damping, extent, "
     "contact_quality, untangle, long_edges, bending, loads, sleep, calm, and wind.velocity, wind.drag, "
     "wind.lift, "
     "wind.density.\n"
     "Vectors are written x,y,z: weft set flag gravity=0,-1.62,0 wind.velocity=4,0,0\n",
     cli_set},
    {"batch", "WORLD FILE", "Applies many edits as one.",
     "FILE is a JSON list of edits, each a method and its parameters without world, or - for standard "
     "input:\n"
     "[[\"collider.add\", {\"name\": \"ball\", \"kind\": \"sphere\"}], [\"body.remove\", {\"body\": "
     "\"old\"}]]\n"
     "Either all are applied at one tick, or none.\n",
     cli_batch},
    {"get", "WORLD", "Shows settings and counts of a world.", NULL, cli_get},
    {"reset", "WORLD", "Puts everything back to where it was added.", NULL, cli_reset},
    {"delete", "WORLD", "Deletes a world.", NULL, cli_delete},
    {"move", "WORLD SERVER", "Moves a world to another server.",
     "SERVER is a name; weft top --cluster lists the servers of the deployment. The world keeps playing.\n",
     cli_move},
    {"hash", "WORLD", "Prints the hash of the state, for comparing runs.", NULL, cli_hash},
    {"history", "WORLD", "Shows which part of a world's past is kept.", NULL, cli_history},
    {"log", "WORLD [OPTIONS]", "Lists who did what at which tick.",
     "  --since N   only records after number N, default 0\n"
     "  --limit N   at most N records, default all\n"
     "  --inputs    include grabs\n",
     cli_log},
    {"undo", "WORLD [OPTIONS]", "Undoes one of your edits.",
     "  --revision REV   the edit to undo, default your last one in force; weft log lists revisions\n"
     "  --force          undo it even if somebody changed the same things since, or if it is another "
     "person's edit\n"
     "\n"
     "Your edits are those made under the name in USER.\n",
     cli_undo},
    {"redo", "WORLD [OPTIONS]", "Makes an edit again that you undid.",
     "  --revision REV   the edit to redo, default the one you undid last\n"
     "  --force          redo it even if somebody changed the same things since\n",
     cli_redo},
    {"branch", "WORLD [OPTIONS]", "Creates a world from a moment in another world's past.",
     "  --at TICK             the moment, default the last tick\n"
     "  --name NAME           name of the new world, default world-ID\n"
     "  --without REV,...     leave these edits out; weft log lists revisions\n"
     "  --instead REV=JSON    use these parameters for that edit; may be repeated\n"
     "\n"
     "Later edits are applied again. Those that do not apply any more are left out and listed. Waits until "
     "the world is ready; only --timeout bounds the wait.\n",
     cli_branch},
    {"bin", "", "Lists deleted worlds that can still be restored.", NULL, cli_bin},
    {"access", "WORLD [CHANGE]", "Lists or changes the roles and invitations of a world.",
     "  --grant NAME [ROLE]   give a person a role: viewer, editor or owner; * is everybody\n"
     "  --revoke NAME|ID      revoke a person's role or an invitation; name:7 is the person called 7\n"
     "  --keep-invites        keep the invitations that this person made\n"
     "  --invite ROLE         create an invitation and print it\n"
     "  --uses N              how many people may use it, default 1\n"
     "  --days N              days until it expires, default 7\n"
     "  --control ROLE        who may play, pause, step and reset the world: editor or owner\n",
     cli_access},
    {"token", "create|list|revoke ...", "Creates, lists and revokes tokens; for admins.",
     "  weft token create NAME   create a token for NAME and print it; it is shown only now\n"
     "  weft token list          list all tokens\n"
     "  weft token revoke ID     revoke a token, and end its sessions and its person's invitations; a NAME "
     "in "
     "place of ID revokes all tokens of that person\n"
     "  --keep-invites           keep these invitations\n"
     "  --role ROLE              viewer, editor or admin; default editor\n"
     "  --days N                 days until it expires, default 90; 0: until it is revoked\n",
     cli_token},
    {"save", "WORLD FILE", "Writes a world as a scene.",
     "FILE is JSON. Long arrays go into a folder beside it: flag.json, flag.data/. "
     "Opened again, the world has the same hash and the same future. Grabs are not saved.\n",
     cli_save},
    {"open", "SCENE [--name NAME] [--play]", "Creates a world from a scene, paused.",
     "  --name NAME   name of the world, default the scene's\n"
     "  --play        start it at once\n"
     "\n"
     "SCENE is a file, or the name of a scene in the gallery: weft open flag --play\n",
     cli_open},
    {"gallery", "", "Lists the scenes that come with weft.", NULL, cli_gallery},
    {"load", "FILE --world WORLD [OPTIONS]", "Adds a mesh from a file to a world.",
     "Reads OBJ, PLY, STL, glTF, TetGen (.node, .ele) and Gmsh (.msh). Triangles become a cloth, tetrahedra "
     "a soft body.\n"
     "\n"
     "  --world WORLD     the world to add it to\n"
     "  --create          create the world if it does not exist\n"
     "  --name NAME       name of the body, default the file's\n"
     "  --mesh NAME       load only this mesh of the file, by name or number from 0; default all as one\n"
     "  --kind KIND       cloth or soft, for a file with both triangles and tetrahedra\n"
     "  --soft N          fill the closed surface with a lattice of about N cells that carries it\n"
     "  --rigid           make the closed surface one rigid body, of its exact mass and inertia, that meets "
     "others\n"
     "                    by convex parts\n"
     "  --parts N         at most so many convex parts (rigid), 1 to 32; default 32\n"
     "  --units UNIT      unit of the file: m, cm, mm, in, ft; default m\n"
     "  --scale S         multiply its size by S, or by x,y,z along the axes\n"
     "  --fit SIZE        scale it until its greatest extent is SIZE metres\n"
     "  --up AXIS         the file's upward axis: y or z; default y\n"
     "  --rotate X,Y,Z    rotate it about its middle: degrees about x, then y, then z\n"
     "  --at X,Y,Z        m; put the middle of its underside here; default as in the file\n"
     "  --weld D          m; merge vertices no farther apart than this; default a millionth of its size\n"
     "  --remesh L        m; make an even triangulation with edges of about this length (cloth)\n"
     "  --material NAME   cotton, silk, denim, rubber (cloth); jelly, rubber (soft); none; default cotton, "
     "jelly.\n"
     "                    Fabrics with warp and weft: denim-stretch, trousers, tablecloth, jacket, blanket,\n"
     "                    swimsuit\n"
     "  --materials FILE  more materials by name, as JSON; its names come first\n"
     "  --density D       kg/m^2 (cloth) or kg/m^3 (soft, rigid), instead of the material's; rigid: default "
     "1000\n"
     "  --stretch A       m/N; compliance of the edges, instead of the material's\n"
     "  --fabric Y,Y,G[,P] N/m; stiffness along warp and weft and in shear (cloth), and Poisson's ratio, "
     "instead\n"
     "                    of the compliance of the edges\n"
     "  --warp X,Y,Z      direction of the warp of --fabric; default 1,0,0; uv: the way in which u of the\n"
     "                    mesh grows\n"
     "  --limit E         strain that edges are held to in worlds with long edges, such as 0.05; 0 for none; "
     "default\n"
     "                    that of the material, or none with --stretch\n"
     "  --bend A          compliance of bending (cloth)\n"
     "  --rigidity B      N m; bending rigidity (cloth), instead of a compliance; with --fabric also\n"
     "                    WARP,WEFT and perhaps that at 45 degrees\n"
     "  --bend-model M    dihedral, isometric, quadratic, none\n"
     "  --volume A        m^5/N; compliance of the tetrahedra (soft)\n"
     "  --young E         Pa; make a solid of this Young's modulus, without edges and volumes (soft)\n"
     "  --poisson N       Poisson's ratio of a solid, 0 to 0.495; default 0.3\n"
     "  --damping B       N s/m; damping of the edges\n"
     "  --thickness T     m; radius for contact; default 0.15 of its mean edge, or less if its edges are "
     "uneven\n"
     "  --static          it does not move, and other bodies collide with it; it does not collide with "
     "itself\n"
     "  --play            like --static, but it moves as the file says: by an animation of a glTF, or by "
     "FILE.pc2\n"
     "                    beside it\n"
     "  --animation WHAT  animation of a glTF, by name or number from 0; default the first; implies --play\n"
     "  --cache FILE      point cache (PC2) to move by; implies --play\n"
     "  --fps N           frames per second of a point cache; or samples per second of a glTF, default 60\n"
     "  --loop            repeat its motion for ever\n"
     "  --no-contact      it collides neither with other bodies nor with itself; so too with thickness 0\n"
     "  --self-contact    it collides with itself, even if --static\n"
     "  --no-self-contact it does not collide with itself\n"
     "  --contact-group G bits of its own group, default 1\n"
     "  --contact-mask M  bits of the groups that it collides with, default 1; both bodies must agree\n"
     "  --friction MU     friction between bodies, default 0.3\n"
     "  --friction-kinetic MU  that of what slides, default as --friction\n"
     "  --restitution E        part of its speed with which it leaves what it hits, 0 to 1, default 0\n"
     "  --pin WHAT        hold particles: top-edge, top-corners, edge:+x (-x, +y, -y, +z, -z),\n"
     "                    box:x0,y0,z0,x1,y1,z1, sphere:x,y,z,r, index:0,5-9, all; may be repeated\n"
     "  --no-look         do not send its uvs, normals and materials, which recordings would use\n"
     "  --dry-run         show what would be added, and add nothing\n",
     cli_load},
    {"call", "METHOD [JSON | -]", "Calls any method; - reads the JSON from standard input.",
     "The parameters are a JSON object: weft call body.get '{\"world\": \"flag\", \"body\": 1}'.\n"
     "The answer is printed as JSON, typed arrays as lists.\n",
     run_call},
    {"watch", "WORLD [OPTIONS]", "Shows a world live.",
     "  --fps N      draw at most N pictures per second, default 30\n"
     "  --substeps   take a frame each substep instead of each tick\n"
     "  --frames N   end after N frames\n"
     "  --encoding E how positions are sent: f32, or compressed: q16 (half the bytes), delta (a tenth); "
     "default f32\n"
     "  --tolerance M  m; greatest error of a coordinate with delta, default 1e-4\n"
     "  --nth N      get only every Nth vertex; the meshes become coarser\n"
     "  --box X0,Y0,Z0,X1,Y1,Z1  get only bodies with a particle in this box, in metres\n"
     "  --plain      a line per second instead of a picture; default without a terminal\n"
     "\n"
     "Keys: arrows turn, + and - zoom, o orbits, space plays and pauses, s steps, r resets, q quits.\n",
     cli_watch},
    {"record", "WORLD -o FILE [OPTIONS]", "Records a world's motion for other programs.",
     "The end of FILE's name chooses the format:\n"
     "  .pc2 .mdd    point caches for Blender, one for each body, with an .obj of each body beside them\n"
     "  .obj .ply    a mesh for each frame, numbered\n"
     "  .gltf .glb   one file, animated by morph targets\n"
     "  .usda        USD as text, with a sample of each mesh for each frame\n"
     "  .pvd         VTK for ParaView: a list of frames, and a .vtp for each\n"
     "  .npz         arrays for NumPy\n"
     "  .take        weft's own format: for a live world the records that decide it, exact and small, else\n"
     "               frames; weft convert writes the other formats from it later\n"
     "\n"
     "  --ticks N      end after N ticks\n"
     "  --seconds S    end after S seconds of the world's time\n"
     "  --every N      keep each Nth tick (or substep), default 1\n"
     "  --substeps     keep each substep instead of each tick\n"
     "  --lossless     step a paused world, so that no tick is missed, however large the world is\n"
     "  --from TICK    record the kept past, without gaps, from this tick; default the first\n"
     "  --to TICK      up to this tick, default the last; the world itself is not affected\n"
     "  --particles    write the particles of bodies that carry a skin, not the skin\n"
     "  --tolerance M  compress the take to about a tenth: no coordinate is off by more than M metres\n"
     "  --frames       store frames in the take, even of a live world\n"
     "  --images S     in a take of records, seconds of the world's time between two images, default 300:\n"
     "                 each tick is computed from the image before it\n"
     "\n"
     "Without --ticks and --seconds it ends with Ctrl-C. However it ends, what was recorded is written. A\n"
     "recording that failed replaces no existing file; its frames stay in a file beside it.\n",
     cli_record},
    {"bake", "SCENE [-o OUT] --ticks N [OPTIONS]", "Computes a scene without a server, at full speed.",
     "The results have the same bits as on a server. SCENE is a file, or the name of a scene in the gallery "
     "(weft gallery).\n"
     "\n"
     "  --from PAST      in place of a scene: DIR/WORLD or DIR/WORLD@TICK, a world in a folder of\n"
     "                   weftd --data, at its last tick or at TICK; or TAKE or TAKE@TICK, from a take of\n"
     "                   records\n"
     "  --output OUT     file to write, also -o: the name ends with .pc2, .mdd, .obj, .ply, .gltf, .glb,\n"
     "                   .usda, .pvd or .npz, or with .take, which weft convert turns into the others;\n"
     "                   without it, only the results are printed\n"
     "  --ticks N        ticks to compute\n"
     "  --seconds S      the same in seconds of the world's time\n"
     "  --every N        keep each Nth tick (or substep), default 1\n"
     "  --substeps       keep substeps instead of ticks\n"
     "  --particles      write the particles of bodies that carry a skin, not the skin\n"
     "  --tolerance M    compress the take: no coordinate is off by more than M metres\n"
     "  --set PATH=V,..  set a value of the scene; several values are baked one by one, several --set in "
     "each combination,\n"
     "                   in parallel: --set body.flag.stretch.compliance=1e-7,1e-6;\n"
     "                   a range is FROM:TO:STEP, or FROM:TO:logN for N values with a constant\n"
     "                   ratio: --set world.damping=0:1:0.25\n"
     "  --series FILE    write the measures (energies, strain, volume error) of each Nth tick to a\n"
     "                   .csv table; with several combinations, a numbered file for each\n"
     "  --table FORMAT   format of the table of combinations: text, csv or json; default text\n"
     "  --threads N      number of threads, default one for each core\n"
     "  --isa NAME       instruction set: scalar, sse2, avx2, avx512 or neon; default the widest available\n"
     "  --checkpoint S   seconds between checkpoints, default 30; 0: only at Ctrl-C\n"
     "  --fresh          start from the beginning, even if an earlier bake can be resumed\n"
     "  --salvage        with --from: use the intact part of a world that lost its end\n"
     "  --quiet          show no progress\n"
     "\n"
     "After Ctrl-C or any other interruption, the same command resumes the bake.\n"
     "Exit status: 0 done, 1 the world or this program failed, 2 wrong usage or scene, 130 stopped.\n",
     cli_bake},
    {"twin", "WORLD [OPTIONS]", "Computes a copy of a world that the server runs.",
     "It starts from an image of the world and follows the records of the server "
     "(docs/concepts/twins.md). A line per second\n"
     "shows the tick, the last tick at which the state was equal to the server's, and the bytes received. It "
     "reconnects by\n"
     "itself if the connection is lost, and starts again from an image if a state differs.\n"
     "\n"
     "  --every S     seconds between two lines, default 1\n"
     "  --seconds S   end after S seconds; default never\n"
     "  --ask         answer requests that a program writes to standard input, instead of printing lines\n",
     cli_twin},
    {"verify", "DIR [--quiet]", "Checks a whole folder of worlds, and names all damage.",
     "DIR is the folder of weftd --data; a server may use it meanwhile. Checks the checksums and the "
     "contents: each\n"
     "record, and each image by loading it as a world. Replays the records after the newest image, as a "
     "server would.\n"
     "\n"
     "  --quiet   show no progress\n"
     "\n"
     "Exit status: 0 intact, 1 damaged, 2 no such folder, 130 stopped.\n",
     cli_verify},
    {"replay", "DIR[/WORLD] [--salvage] [--quiet]", "Computes the kept past of worlds again, and compares.",
     "Starts from the first image, on any machine, and compares with every recorded hash and every image. "
     "Names the tick\n"
     "of each difference and, if an image shows it, the body. Skips ticks of another solver version, up to "
     "the next image.\n"
     "\n"
     "  --salvage   replay the intact part of a folder that lost data\n"
     "  --quiet     show no progress\n"
     "\n"
     "Exit status: 0 equal, 1 different or damaged, 2 no such world, 3 equal as far as data is left "
     "(--salvage), 130\n"
     "stopped.\n",
     cli_replay},
    {"backup", "DIR TO [--salvage] [--quiet]", "Copies a folder of worlds, even while a server uses it.",
     "The copy has everything that was durable at one moment. TO must be empty or must not exist; an "
     "interrupted copy\n"
     "leaves nothing behind. A folder that lost data is not copied, and the losses are named.\n"
     "\n"
     "  --salvage   copy the intact part of such a folder; weftd can use the copy\n"
     "  --quiet     show no progress\n"
     "\n"
     "Exit status: 0 done, 1 failed, 2 wrong folders, 3 done, but data is lost (--salvage), 130 stopped.\n",
     cli_backup},
    {"restore", "WORLD [--name NAME] | BACKUP DIR [--quiet]",
     "Restores a deleted world, or a folder of worlds from a backup.",
     "With WORLD, the id or the name of a deleted world: the server restores it with its past, paused. weft "
     "bin lists deleted worlds.\n"
     "\n"
     "  --name NAME   name of the world, default its old one\n"
     "\n"
     "With BACKUP and DIR, without a server: verifies the backup, refuses a damaged one, and copies it to "
     "DIR, which must be empty or must not exist. weftd --data DIR can use it then.\n"
     "\n"
     "  --quiet   show no progress\n"
     "\n"
     "The exit status of the second form is that of backup.\n",
     cli_restore},
    {"convert", "TAKE [FILE] [OPTIONS]", "Writes a take in another format.",
     "weft help record lists the formats. A take of records is computed again, and the command says how many "
     "of its hashes were\n"
     "equal; without FILE it does only that. Options for such a take:\n"
     "\n"
     "  --from TICK      first tick to write, default the first\n"
     "  --to TICK        last tick to write, default the last\n"
     "  --every N        keep each Nth tick (or substep), default 1\n"
     "  --substeps       keep substeps instead of ticks\n"
     "  --particles      write the particles of bodies that carry a skin, not the skin\n"
     "  --tolerance M    compress FILE.take: no coordinate is off by more than M metres\n"
     "  --threads N      number of threads, default one for each core\n"
     "  --quiet          show no progress\n"
     "\n"
     "Exit status: 0 done, 1 damaged or a different result, 2 wrong usage, 130 stopped.\n",
     cli_convert},
    {"top", "[OPTIONS]", "Shows the load of the server and its worlds, live.",
     "  --cluster   show the servers of the deployment and their load\n"
     "  --once      print one table, with rates measured over a second, and exit\n"
     "  --every S   seconds between two tables, default 1\n"
     "  --plain     print one table below the other; default without a terminal\n"
     "\n"
     "--json prints a line of JSON each time. LATE counts ticks that began more than a tick after their "
     "time; LAG is the delay of the last tick. q quits.\n",
     cli_top},
    {"completion", "bash | zsh | fish", "Prints completion for a shell.",
     "bash: source <(weft completion bash)       in ~/.bashrc\n"
     "zsh:  source <(weft completion zsh)        in ~/.zshrc, after compinit\n"
     "fish: weft completion fish | source        in config.fish\n"
     "If weft was installed as a package, the shells find it by themselves.\n",
     cli_completion},
    {"help", "[COMMAND | METHOD | methods]", "Explains a command, a method or a type.",
     "weft help methods lists the methods. weft help body.add shows a method's parameters with units, ranges "
     "and defaults, and an example. --json prints the same as JSON. It needs no server: it describes the "
     "version that this program was built with.\n",
     cli_help},
    {0},
};
