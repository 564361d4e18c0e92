// The demo's driver: makes a world worth looking at, and keeps it moving until it is told to stop.
//
//        pole                 cloth        ▟▙
//         │▒▒▒▒ flag         ═══════       ▜▛ jelly        creature
//         │▒▒▒▒   wind ≈≈>    ╭───╮                       (a mesh from a file)
//        ─┴──────────────────┴─────┴────────────────────────────── ground
//
// The flag hangs by the pins of its edge, which this program moves: each frame that arrives answers with the
// place of the pole one tick later, so that there is one move a tick however busy the machine is. Every
// SHOW_TICKS the world is reset and the show begins again.
#include <weft.h>

#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    FLAG_COLUMNS = 28,
    FLAG_ROWS = 19,
    CLOTH_SIDE = 32,
    JELLY_CELLS = 4, // along each edge of the cube
    SHOW_TICKS = 900,
    SUBSTEPS = 20,
    TICK_RATE = 60,
    CALL_TIMEOUT_MS = 10000,
};

static const double FLAG_SPACING_M = 0.042;
static const double CLOTH_SPACING_M = 0.062;
static const double POLE_X_M = -2.0, POLE_TOP_M = 2.1;
static const double JELLY_SIDE_M = 0.6;
static const double CREATURE_SCALE = 0.55;

struct demo {
    struct weft_client *client;
    const char *world;
    uint32_t flag;         // body id
    uint64_t show_begin;   // tick of the last reset
    uint64_t tick_handled; // the newest tick that was answered
    bool failed;
};

static volatile sig_atomic_t told_to_stop;

static void on_signal(int signal)
{
    (void)signal;
    told_to_stop = 1;
}

static void complain(const char *what, const struct weft_error *error)
{
    fprintf(stderr, "weft_demo: %s: %s: %s\n", what, error->code, error->text);
}

// Sends one call; *result_id (may be NULL) is the field `id_field` of its result.
static bool call(struct demo *demo, const char *method, const struct weft_params *params,
                 const char *id_field, uint32_t *result_id)
{
    struct weft_error error;
    struct weft_reply reply = {0};
    if (!weft_call(demo->client, method, params, &reply, &error)) {
        complain(method, &error);
        return false;
    }
    if (result_id) {
        *result_id = (uint32_t)weft_u64(weft_get(&reply.result, id_field), 0);
    }
    weft_reply_destroy(&reply);
    return true;
}

// A sheet of columns × rows particles, each cell two triangles whose diagonal alternates.
struct sheet {
    double *positions;
    uint32_t *triangles;
    uint32_t particle_count, triangle_count;
};

static bool sheet_init(struct sheet *sheet, uint32_t columns, uint32_t rows)
{
    sheet->particle_count = columns * rows;
    sheet->triangle_count = 2 * (columns - 1) * (rows - 1);
    sheet->positions = calloc(3 * (size_t)sheet->particle_count, sizeof *sheet->positions);
    sheet->triangles = calloc(3 * (size_t)sheet->triangle_count, sizeof *sheet->triangles);
    if (!sheet->positions || !sheet->triangles) {
        return false;
    }
    uint32_t *out = sheet->triangles;
    for (uint32_t row = 0; row + 1 < rows; ++row) {
        for (uint32_t column = 0; column + 1 < columns; ++column) {
            uint32_t a = row * columns + column, b = a + 1, c = a + columns, d = c + 1;
            const uint32_t even[6] = {a, b, d, a, d, c}, odd[6] = {a, b, c, b, d, c};
            for (int i = 0; i < 6; ++i) {
                *out++ = (row + column) % 2 ? odd[i] : even[i];
            }
        }
    }
    return true;
}

static void sheet_deinit(struct sheet *sheet)
{
    free(sheet->positions);
    free(sheet->triangles);
}

struct body {
    const char *name;
    const double *positions;
    uint32_t particle_count;
    const uint32_t *triangles;
    uint32_t triangle_count;
    const uint32_t *pins;
    uint32_t pin_count;
    double compliance;   // m/N; 0: long edges keep its length
    double bend;         // 1/J; 0: it does not resist
    double density;      // kg/m^2
    double mass_kg;      // of each particle, instead of density; 0: from the area
    double thickness;    // m
    bool crosses_itself; // at rest
};

// It meets all others, and itself if it can.
static void add_contact(struct weft_params *params, double thickness, bool self)
{
    weft_params_f64(params, "thickness", thickness);
    weft_params_bool(params, "self_contact", self);
    weft_params_u64(params, "contact_group", 1);
    weft_params_u64(params, "contact_mask", 1);
}

static bool add_cloth(struct demo *demo, const struct body *body, uint32_t *id)
{
    struct weft_params params;
    weft_params_init(&params);
    weft_params_ref(&params, "world", demo->world);
    weft_params_string(&params, "name", body->name);
    weft_params_string(&params, "kind", "cloth");
    weft_params_f64_array(&params, "positions", body->positions, 3 * (size_t)body->particle_count);
    weft_params_u32_array(&params, "triangles", body->triangles, 3 * (size_t)body->triangle_count);
    if (body->mass_kg > 0) {
        weft_params_f64(&params, "masses", body->mass_kg);
    } else {
        weft_params_f64(&params, "density", body->density);
    }
    add_contact(&params, body->thickness, !body->crosses_itself);
    weft_params_map_begin(&params, "stretch");
    weft_params_f64(&params, "compliance", body->compliance);
    weft_params_map_end(&params);
    if (body->bend > 0) {
        weft_params_map_begin(&params, "bend");
        weft_params_f64(&params, "compliance", body->bend);
        weft_params_map_end(&params);
    }
    if (body->pin_count > 0) {
        weft_params_u32_array(&params, "pins", body->pins, body->pin_count);
    }
    bool ok = call(demo, "body.add", &params, "body", id);
    weft_params_deinit(&params);
    return ok;
}

// The direction in which the flag flies, in the plane of the ground, as the pole turns with time.
static void pole_pose(double seconds, double *offset_z, double *turn)
{
    *offset_z = 0.45 * sin(2.2 * seconds);
    *turn = 0.9 * sin(1.3 * seconds);
}

// Positions of the pins on the pole's edge at a time since the show began; they turn about the pole.
static void pole_pins(double seconds, double out[3 * FLAG_ROWS])
{
    double offset_z, turn;
    pole_pose(seconds, &offset_z, &turn);
    for (uint32_t row = 0; row < FLAG_ROWS; ++row) {
        out[3 * row + 0] = POLE_X_M + 0.05 * cos(turn);
        out[3 * row + 1] = POLE_TOP_M - FLAG_SPACING_M * row;
        out[3 * row + 2] = offset_z + 0.05 * sin(turn);
    }
}

static bool add_flag(struct demo *demo)
{
    struct sheet sheet = {0};
    uint32_t pins[FLAG_ROWS];
    bool ok = sheet_init(&sheet, FLAG_COLUMNS, FLAG_ROWS);
    if (!ok) {
        fprintf(stderr, "weft_demo: out of memory\n");
    } else {
        double edge[3 * FLAG_ROWS];
        pole_pins(0, edge);
        for (uint32_t row = 0; row < FLAG_ROWS; ++row) {
            pins[row] = row * FLAG_COLUMNS;
            for (uint32_t column = 0; column < FLAG_COLUMNS; ++column) {
                double *position = sheet.positions + 3 * (size_t)(row * FLAG_COLUMNS + column);
                position[0] = edge[3 * row + 0] + FLAG_SPACING_M * column;
                position[1] = edge[3 * row + 1];
                position[2] = edge[3 * row + 2];
            }
        }
        const struct body body = {.name = "flag",
                                  .positions = sheet.positions,
                                  .particle_count = sheet.particle_count,
                                  .triangles = sheet.triangles,
                                  .triangle_count = sheet.triangle_count,
                                  .pins = pins,
                                  .pin_count = FLAG_ROWS,
                                  .compliance = 0,
                                  .bend = 2e3,
                                  .density = 0.15,
                                  .thickness = 0.006};
        ok = add_cloth(demo, &body, &demo->flag);
    }
    sheet_deinit(&sheet);
    return ok;
}

static bool add_falling_cloth(struct demo *demo)
{
    struct sheet sheet = {0};
    bool ok = sheet_init(&sheet, CLOTH_SIDE, CLOTH_SIDE);
    if (!ok) {
        fprintf(stderr, "weft_demo: out of memory\n");
    } else {
        const double half = 0.5 * CLOTH_SPACING_M * (CLOTH_SIDE - 1);
        for (uint32_t i = 0; i < sheet.particle_count; ++i) {
            sheet.positions[3 * (size_t)i + 0] = CLOTH_SPACING_M * (i % CLOTH_SIDE) - half - 0.1;
            sheet.positions[3 * (size_t)i + 1] = 1.9;
            sheet.positions[3 * (size_t)i + 2] = CLOTH_SPACING_M * (i / CLOTH_SIDE) - half;
        }
        const struct body body = {.name = "cloth",
                                  .positions = sheet.positions,
                                  .particle_count = sheet.particle_count,
                                  .triangles = sheet.triangles,
                                  .triangle_count = sheet.triangle_count,
                                  .compliance = 0,
                                  .bend = 1e3,
                                  .density = 1.0,
                                  .thickness = 0.009};
        ok = add_cloth(demo, &body, NULL);
    }
    sheet_deinit(&sheet);
    return ok;
}

static bool add_creature(struct demo *demo, const char *path)
{
    struct weft_mesh mesh = {0};
    struct weft_error error;
    if (!weft_obj_read(path, &mesh, &error)) {
        complain(path, &error);
        return false;
    }
    for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
        double *position = mesh.positions + 3 * (size_t)i;
        double x = position[0], y = position[1], z = position[2];
        position[0] = 1.45 + CREATURE_SCALE * x;
        position[1] = 0.6 + CREATURE_SCALE * y;
        position[2] = CREATURE_SCALE * z - 0.35;
    }
    const struct body body = {
        .name = "creature",
        .positions = mesh.positions,
        .particle_count = mesh.vertex_count,
        .triangles = mesh.triangles,
        .triangle_count = mesh.triangle_count,
        .compliance = 1e-5,
        // Its triangles differ in area a thousandfold: equal masses are easier to solve.
        .mass_kg = 0.005,
        .thickness = 0.006,
        .crosses_itself = true};
    bool ok = add_cloth(demo, &body, NULL);
    weft_mesh_deinit(&mesh);
    return ok;
}

// Start position of corner (x, y, z) of the jelly's cells: a cube that stands on a corner.
static void jelly_place(uint32_t x, uint32_t y, uint32_t z, double out[3])
{
    const double unit = JELLY_SIDE_M / JELLY_CELLS, half = 0.5 * JELLY_SIDE_M;
    const double a = unit * x - half, b = unit * y - half, c = unit * z - half;
    // The columns are unit vectors at right angles.
    out[0] = 1.35 + 0.7071068 * a - 0.7071068 * b;
    out[1] = 2.3 + 0.4082483 * (a + b) + 0.8164966 * c;
    out[2] = 1.25 + 0.5773503 * (c - a - b);
}

// Six tetrahedra a cell: from its least corner to its greatest, along the axes in each of their orders.
static uint32_t *jelly_cell(uint32_t *out, uint32_t least)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
    const uint32_t side = JELLY_CELLS + 1, strides[3] = {1, side, side * side};
    for (int i = 0; i < 6; ++i) {
        uint32_t path[4] = {least};
        for (int j = 0; j < 3; ++j) {
            path[j + 1] = path[j] + strides[orders[i][j]];
        }
        // An odd order would turn the tetrahedron inside out.
        *out++ = path[i < 3 ? 0 : 1];
        *out++ = path[i < 3 ? 1 : 0];
        *out++ = path[2];
        *out++ = path[3];
    }
    return out;
}

static bool add_jelly(struct demo *demo)
{
    enum { SIDE = JELLY_CELLS + 1, PARTICLES = SIDE * SIDE * SIDE };
    enum { INDICES = 24 * JELLY_CELLS * JELLY_CELLS * JELLY_CELLS };
    double positions[3 * PARTICLES];
    uint32_t tets[INDICES], *out = tets;
    for (uint32_t i = 0; i < PARTICLES; ++i) {
        const uint32_t x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
        jelly_place(x, y, z, positions + 3 * (size_t)i);
        if (x < JELLY_CELLS && y < JELLY_CELLS && z < JELLY_CELLS) {
            out = jelly_cell(out, i);
        }
    }
    struct weft_params params;
    weft_params_init(&params);
    weft_params_ref(&params, "world", demo->world);
    weft_params_string(&params, "name", "jelly");
    weft_params_string(&params, "kind", "soft");
    weft_params_f64_array(&params, "positions", positions, 3 * PARTICLES);
    weft_params_u32_array(&params, "tets", tets, INDICES);
    weft_params_f64(&params, "density", 200);
    add_contact(&params, 0.01, true);
    weft_params_map_begin(&params, "stretch");
    weft_params_f64(&params, "compliance", 1e-3);
    weft_params_f64(&params, "damping", 1.5);
    weft_params_map_end(&params);
    weft_params_map_begin(&params, "volume");
    weft_params_f64(&params, "compliance", 1e-9);
    weft_params_map_end(&params);
    bool ok = call(demo, "body.add", &params, NULL, NULL);
    weft_params_deinit(&params);
    return ok;
}

static bool add_colliders(struct demo *demo)
{
    struct weft_params params;
    weft_params_init(&params);
    weft_params_ref(&params, "world", demo->world);
    weft_params_string(&params, "name", "ground");
    weft_params_string(&params, "kind", "plane");
    weft_params_f64(&params, "friction", 0.6);
    bool ok = call(demo, "collider.add", &params, NULL, NULL);
    weft_params_clear(&params);
    weft_params_ref(&params, "world", demo->world);
    weft_params_string(&params, "name", "ball");
    weft_params_string(&params, "kind", "sphere");
    weft_params_vec3(&params, "position", 0, 0.7, 0);
    weft_params_f64(&params, "radius", 0.6);
    weft_params_f64(&params, "friction", 0.3);
    ok = ok && call(demo, "collider.add", &params, NULL, NULL);
    weft_params_deinit(&params);
    return ok;
}

// One that the server has kept from before: the show is begun again in it.
static bool find_world(struct demo *demo)
{
    struct weft_params params;
    struct weft_error error;
    struct weft_reply reply = {0};
    weft_params_init(&params);
    weft_params_ref(&params, "world", demo->world);
    weft_params_string(&params, "body", "flag");
    const bool found = weft_call(demo->client, "body.get", &params, &reply, &error);
    if (found) {
        demo->flag = (uint32_t)weft_u64(weft_get(&reply.result, "body"), 0);
    }
    weft_params_clear(&params);
    weft_params_ref(&params, "world", demo->world);
    uint32_t tick = 0;
    const bool begun = found && call(demo, "world.reset", &params, "tick", &tick);
    demo->show_begin = tick;
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return begun;
}

static bool make_world(struct demo *demo, const char *mesh)
{
    struct weft_params params;
    weft_params_init(&params);
    weft_params_string(&params, "name", demo->world);
    weft_params_u64(&params, "tick_rate", TICK_RATE);
    weft_params_u64(&params, "substeps", SUBSTEPS);
    weft_params_bool(&params, "long_edges", true);
    weft_params_string(&params, "bending", "swept");
    weft_params_f64(&params, "damping", 0.15);
    weft_params_map_begin(&params, "wind");
    weft_params_vec3(&params, "velocity", 2.2, 0, 0.5);
    weft_params_map_end(&params);
    bool ok = call(demo, "world.create", &params, NULL, NULL);
    weft_params_deinit(&params);
    return ok && add_colliders(demo) && add_flag(demo) && add_falling_cloth(demo) &&
           add_creature(demo, mesh) && add_jelly(demo);
}

// A frame shows the world at `tick`: by the time this is answered the next tick may have begun, so the pole
// is sent to where it belongs two ticks later.
static void on_frame(void *context, struct weft_client *client, struct weft_frame *frame)
{
    struct demo *demo = context;
    if (demo->failed || frame->part + 1 != frame->parts || frame->tick <= demo->tick_handled) {
        return;
    }
    demo->tick_handled = frame->tick;
    struct weft_params params;
    struct weft_error error;
    weft_params_init(&params);
    weft_params_ref(&params, "world", demo->world);
    bool ok;
    if (frame->tick >= demo->show_begin + SHOW_TICKS) {
        demo->show_begin = frame->tick;
        ok = weft_notify(client, "world.reset", &params, &error);
    } else {
        double places[3 * FLAG_ROWS];
        uint32_t pins[FLAG_ROWS];
        for (uint32_t row = 0; row < FLAG_ROWS; ++row) {
            pins[row] = row * FLAG_COLUMNS;
        }
        pole_pins((double)(frame->tick - demo->show_begin) / TICK_RATE, places);
        weft_params_u64(&params, "body", demo->flag);
        weft_params_u32_array(&params, "particles", pins, FLAG_ROWS);
        weft_params_f64_array(&params, "positions", places, 3 * (size_t)FLAG_ROWS);
        ok = weft_notify(client, "particle.pin", &params, &error);
    }
    weft_params_deinit(&params);
    if (!ok) {
        complain("moving the pole", &error);
        demo->failed = true;
    }
}

static bool begin(struct demo *demo)
{
    struct weft_params params;
    weft_params_init(&params);
    weft_params_ref(&params, "world", demo->world);
    weft_params_list_begin(&params, "bodies");
    weft_params_u64(&params, NULL, demo->flag);
    weft_params_list_end(&params);
    weft_on_frame(demo->client, on_frame, demo);
    bool ok = call(demo, "stream.subscribe", &params, NULL, NULL);
    weft_params_clear(&params);
    weft_params_ref(&params, "world", demo->world);
    ok = ok && call(demo, "world.play", &params, NULL, NULL);
    weft_params_deinit(&params);
    return ok;
}

static int run(struct demo *demo, const char *address, const char *mesh)
{
    struct weft_error error;
    demo->client = weft_connect(address, CALL_TIMEOUT_MS, &error);
    if (!demo->client) {
        complain(address, &error);
        return EXIT_FAILURE;
    }
    // So that people who edit the world with it see who it is.
    struct weft_params params;
    weft_params_init(&params);
    weft_params_string(&params, "client", "weft-demo");
    weft_params_string(&params, "user", "demo");
    const char *token = getenv("WEFT_TOKEN");
    if (token && token[0] != '\0') {
        weft_params_string(&params, "token", token);
    }
    weft_call_async(demo->client, "session.hello", &params, NULL, NULL, NULL);
    weft_params_deinit(&params);
    bool ok = (find_world(demo) || make_world(demo, mesh)) && begin(demo);
    if (ok) {
        printf("ready\n");
        fflush(stdout);
    }
    while (ok && !told_to_stop && !demo->failed) {
        if (weft_poll(demo->client, 1000, &error) < 0) {
            complain(address, &error);
            ok = false;
        }
    }
    weft_close(demo->client);
    return ok && !demo->failed ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"connect", required_argument, NULL, 'c'},
        {"mesh", required_argument, NULL, 'm'},
        {"world", required_argument, NULL, 'w'},
        {NULL, 0, NULL, 0},
    };
    struct demo demo = {.world = "demo"};
    const char *address = WEFT_ADDRESS_DEFAULT, *mesh = "tests/scenes/wuson.obj";
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'c') {
            address = optarg;
        } else if (option == 'm') {
            mesh = optarg;
        } else if (option == 'w') {
            demo.world = optarg;
        } else {
            fprintf(stderr, "usage: weft_demo [--connect ADDR:PORT] [--mesh FILE.obj] [--world NAME]\n");
            return EXIT_FAILURE;
        }
    }
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return run(&demo, address, mesh);
}
