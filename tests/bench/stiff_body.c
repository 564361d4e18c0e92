#include "stiff_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double GRAVITY = 9.81, PI = 3.14159265358979323846;
static const double HUNG_DENSITY = 0.2, STRIP_DENSITY = 0.2, DRAPE_DENSITY = 0.15; // kg/m^2
static const double STRIP_LENGTH = 0.4, STRIP_LOAD = 8;                            // m; rho g L^3 / B
static const double DISC_RADIUS = 0.15, STAND_RADIUS = 0.09;                       // m
static const double DRAPE_RIGIDITY = 5e-5;                                         // N m
static const double SQUARE_SIDE = 0.3, TABLE_OVERHANG = 0.075;                     // m
static const double CAPSULE_RADIUS = 0.02, CAPSULE_NEAR = 0.04, CAPSULE_FAR = 0.1; // m
static const double LINK_MASS = 1e-3, LINK_LENGTH = 0.05;                          // kg, m
enum { LINKS = 20, STRIP_CELLS_ACROSS = 2 };

static bool reserve(struct stiff_body *body, uint32_t particles, uint32_t triangles, uint32_t edges)
{
    body->positions = calloc((size_t)particles * 3, sizeof *body->positions);
    body->masses = calloc(particles, sizeof *body->masses);
    body->pins = calloc(particles, sizeof *body->pins);
    body->rim = calloc(particles, sizeof *body->rim);
    body->triangles = calloc((size_t)triangles * 3 + 1, sizeof *body->triangles);
    body->edges = calloc(edges, sizeof *body->edges);
    body->rests = calloc(edges, sizeof *body->rests);
    return body->positions && body->masses && body->pins && body->rim && body->triangles && body->edges &&
           body->rests;
}

void stiff_body_deinit(struct stiff_body *body)
{
    free(body->positions);
    free(body->masses);
    free(body->pins);
    free(body->rim);
    free(body->triangles);
    free(body->edges);
    free(body->rests);
    *body = (struct stiff_body){0};
}

static double distance(const double *x, uint32_t a, uint32_t b)
{
    const double *from = x + 3 * (size_t)a, *to = x + 3 * (size_t)b;
    const double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

// ---------------------------------------------------------------------------------------------------- meshes

static void triangle_add(struct stiff_body *body, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *corners = body->triangles + 3 * (size_t)body->triangle_count++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

// The two triangles of a cell, whose corners lie as a b over c d. UINT32_MAX: there is no such corner.
static void cell_add(struct stiff_body *body, const uint32_t corners[4], bool turned)
{
    const uint32_t a = corners[0], b = corners[1], c = corners[2], d = corners[3];
    const uint32_t two[2][3] = {{a, c, turned ? d : b}, {turned ? a : b, turned ? d : c, turned ? b : d}};
    for (int t = 0; t < 2; t++) {
        if (two[t][0] != UINT32_MAX && two[t][1] != UINT32_MAX && two[t][2] != UINT32_MAX) {
            triangle_add(body, two[t][0], two[t][1], two[t][2]);
        }
    }
}

static int by_ends(const void *a, const void *b)
{
    const uint32_t *one = a, *other = b;
    int order = (one[0] > other[0]) - (one[0] < other[0]);
    return order != 0 ? order : (one[1] > other[1]) - (one[1] < other[1]);
}

// The edges of the triangles, each once.
static void edges_of_triangles(struct stiff_body *body)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t a = body->triangles[3 * (size_t)t + k], b = body->triangles[3 * (size_t)t + (k + 1) % 3];
            body->edges[count][0] = a < b ? a : b;
            body->edges[count++][1] = a < b ? b : a;
        }
    }
    qsort(body->edges, count, sizeof *body->edges, by_ends);
    for (uint32_t e = 0; e < count; e++) {
        if (e == 0 || by_ends(body->edges[e], body->edges[e - 1]) != 0) {
            memmove(body->edges[body->edge_count++], body->edges[e], sizeof *body->edges);
        }
    }
}

// Rest lengths; and a third of each triangle's mass at each of its corners.
static void weigh(struct stiff_body *body)
{
    for (uint32_t e = 0; e < body->edge_count; e++) {
        body->rests[e] = distance(body->positions, body->edges[e][0], body->edges[e][1]);
    }
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        const uint32_t *corner = body->triangles + 3 * (size_t)t;
        double a = distance(body->positions, corner[0], corner[1]),
               b = distance(body->positions, corner[1], corner[2]),
               c = distance(body->positions, corner[2], corner[0]), half = (a + b + c) / 2;
        double area = sqrt(half * (half - a) * (half - b) * (half - c));
        for (int k = 0; k < 3; k++) {
            body->masses[corner[k]] += body->density * area / 3;
        }
    }
}

// Rows of columns x particles, `apart` from each other, from the corner (x, z).
static bool grid_init(struct stiff_body *body, uint32_t columns, uint32_t rows, const double corner[2],
                      double apart)
{
    const uint32_t triangles = 2 * (columns - 1) * (rows - 1);
    body->particle_count = columns * rows;
    body->columns = columns;
    if (!reserve(body, columns * rows, triangles, 3 * triangles)) {
        return false;
    }
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t column = 0; column < columns; column++) {
            const uint32_t i = row * columns + column;
            body->positions[3 * (size_t)i] = apart * column + corner[0];
            body->positions[3 * (size_t)i + 2] = apart * row + corner[1];
            if (column + 1 < columns && row + 1 < rows) {
                const uint32_t corners[4] = {i, i + 1, i + columns, i + columns + 1};
                cell_add(body, corners, (column + row) % 2 != 0);
            }
        }
    }
    return true;
}

static bool hung_init(struct stiff_body *body, uint32_t side)
{
    const double corner[2] = {-0.5, -0.5};
    body->density = HUNG_DENSITY;
    body->length = 1;
    if (!grid_init(body, side, side, corner, 0)) {
        return false;
    }
    // The same arithmetic as a scene's grid, so that both worlds come to the same bits.
    for (uint32_t row = 0; row < side; row++) {
        for (uint32_t column = 0; column < side; column++) {
            double *at = body->positions + 3 * ((size_t)row * side + column);
            at[0] = 1.0 * column / (side - 1) - 0.5;
            at[2] = 1.0 * row / (side - 1) - 0.5;
        }
    }
    body->pins[body->pin_count++] = 0;
    body->pins[body->pin_count++] = side - 1;
    return true;
}

// The hinges at the second column turn a whole cell, half of which is held. So the clamp lies half a cell before the
// second column, and the origin is there.
static bool strip_init(struct stiff_body *body, uint32_t cells, double stiffness)
{
    const double cell = STRIP_LENGTH / (cells + 0.5), corner[2] = {-cell / 2, -cell};
    body->density = STRIP_DENSITY;
    body->length = STRIP_LENGTH;
    body->load = STRIP_LOAD / stiffness;
    body->rigidity = STRIP_DENSITY * GRAVITY * pow(STRIP_LENGTH, 3) / body->load;
    if (!grid_init(body, cells + 2, STRIP_CELLS_ACROSS + 1, corner, cell)) {
        return false;
    }
    for (uint32_t row = 0; row <= STRIP_CELLS_ACROSS; row++) {
        body->pins[body->pin_count++] = row * body->columns;
        body->pins[body->pin_count++] = row * body->columns + 1;
    }
    return true;
}

// Numbers the particles that some triangle has, in the order of the grid, and renames the corners.
static void number_used(struct stiff_body *body, uint32_t *ids, uint32_t grid_count)
{
    const size_t corners = 3 * (size_t)body->triangle_count;
    memset(ids, 0xff, grid_count * sizeof *ids);
    for (size_t c = 0; c < corners; c++) {
        ids[body->triangles[c]] = 0;
    }
    for (uint32_t i = 0; i < grid_count; i++) {
        ids[i] = ids[i] == 0 ? body->particle_count++ : UINT32_MAX;
    }
    for (size_t c = 0; c < corners; c++) {
        body->triangles[c] = ids[body->triangles[c]];
    }
}

// The triangles of a grid of squares that lie within the disc. The sheet is uneven by 10 um beyond the stand, without which
// it would stay round. What is on the stand is held there, unless it is only to touch it.
static bool disc_init(struct stiff_body *body, double apart, double stiffness, bool touches)
{
    const uint32_t half = (uint32_t)(DISC_RADIUS / apart) + 1, across = 2 * half + 1, count = across * across;
    uint32_t *ids = malloc(count * sizeof *ids);
    body->density = DRAPE_DENSITY;
    body->length = DISC_RADIUS;
    body->rigidity = DRAPE_RIGIDITY * stiffness;
    if (!ids || !reserve(body, count, 2 * count, 6 * count)) {
        free(ids);
        return false;
    }
    for (uint32_t row = 0; row < across; row++) {
        for (uint32_t column = 0; column < across; column++) {
            const double x = apart * ((double)column - half), z = apart * ((double)row - half);
            ids[row * across + column] =
                x * x + z * z <= pow(DISC_RADIUS + 1e-9, 2) ? row * across + column : UINT32_MAX;
        }
    }
    for (uint32_t row = 0; row + 1 < across; row++) {
        for (uint32_t column = 0; column + 1 < across; column++) {
            const uint32_t *at = ids + row * across + column,
                           corners[4] = {at[0], at[1], at[across], at[across + 1]};
            cell_add(body, corners, (column + row) % 2 != 0);
        }
    }
    number_used(body, ids, count);
    for (uint32_t row = 0; row < across; row++) {
        for (uint32_t column = 0; column < across; column++) {
            const double x = apart * ((double)column - half), z = apart * ((double)row - half);
            const uint32_t id = ids[row * across + column];
            const bool held = x * x + z * z <= pow(STAND_RADIUS + 1e-9, 2);
            if (id == UINT32_MAX) {
                continue;
            }
            body->positions[3 * (size_t)id] = x;
            body->positions[3 * (size_t)id + 1] = held ? 0 : 1e-5 * sin(370 * x + 910 * z);
            body->positions[3 * (size_t)id + 2] = z;
            if (held && !touches) {
                body->pins[body->pin_count++] = id;
            }
            if (sqrt(x * x + z * z) > DISC_RADIUS - apart) {
                body->rim[body->rim_count++] = id;
            }
        }
    }
    free(ids);
    return true;
}

static bool drape_init(struct stiff_body *body, double apart, double stiffness)
{
    return disc_init(body, apart, stiffness, false);
}

static bool stand_init(struct stiff_body *body, double apart, double stiffness)
{
    static const double LENGTH = 0.1;
    body->supports[body->support_count++] = (struct stiff_support){
        .kind = STIFF_CYLINDER,
        .position = {0, -LENGTH / 2 - STIFF_THICKNESS, 0},
        .rotation = {0, 0, 0, 1},
        .radius = STAND_RADIUS,
        .length = LENGTH,
    };
    return disc_init(body, apart, stiffness, true);
}

// A level square about the origin. Its sides are its rim; or only the one at +x.
static bool square_init(struct stiff_body *body, double apart, double stiffness, bool one_side)
{
    const uint32_t side = (uint32_t)round(SQUARE_SIDE / apart) + 1;
    const double corner[2] = {-apart * (side - 1) / 2, -apart * (side - 1) / 2};
    body->density = DRAPE_DENSITY;
    body->length = SQUARE_SIDE;
    body->rigidity = DRAPE_RIGIDITY * stiffness;
    if (!grid_init(body, side, side, corner, apart)) {
        return false;
    }
    for (uint32_t i = 0; i < side * side; i++) {
        const uint32_t column = i % side, row = i / side;
        if (column + 1 == side || (!one_side && (column == 0 || row == 0 || row + 1 == side))) {
            body->rim[body->rim_count++] = i;
        }
    }
    return true;
}

// Three capsules lie like the spokes of a wheel.
static bool capsules_init(struct stiff_body *body, double apart, double stiffness)
{
    for (int k = 0; k < 3; k++) {
        // The rotation turns +y to the direction of the spoke, which is level: half a turn about the middle of the two.
        const double angle = 2 * PI * k / 3 + 0.2, middle = (CAPSULE_NEAR + CAPSULE_FAR) / 2;
        const double x = cos(angle), z = sin(angle), half = sqrt(0.5);
        body->supports[body->support_count++] = (struct stiff_support){
            .kind = STIFF_CAPSULE,
            .position = {middle * x, -CAPSULE_RADIUS - STIFF_THICKNESS, middle * z},
            .rotation = {half * x, half, half * z, 0},
            .radius = CAPSULE_RADIUS,
            .length = CAPSULE_FAR - CAPSULE_NEAR,
        };
    }
    return square_init(body, apart, stiffness, false);
}

static bool table_init(struct stiff_body *body, double apart, double stiffness)
{
    static const double HALF = 0.2;
    body->supports[body->support_count++] = (struct stiff_support){
        .kind = STIFF_BOX,
        .position = {SQUARE_SIDE / 2 - TABLE_OVERHANG - HALF, -HALF - STIFF_THICKNESS, 0},
        .rotation = {0, 0, 0, 1},
        .half_extents = {HALF, HALF, HALF},
    };
    return square_init(body, apart, stiffness, true);
}

static bool rope_init(struct stiff_body *body, double load)
{
    body->particle_count = LINKS + 1;
    body->density = LINK_MASS / LINK_LENGTH;
    body->length = LINKS * LINK_LENGTH;
    if (!reserve(body, LINKS + 1, 0, LINKS)) {
        return false;
    }
    for (uint32_t i = 0; i <= LINKS; i++) {
        body->positions[3 * (size_t)i] = LINK_LENGTH * i;
        body->masses[i] = i < LINKS ? LINK_MASS : load * LINK_MASS;
        if (i > 0) {
            body->edges[body->edge_count][0] = i - 1;
            body->edges[body->edge_count++][1] = i;
        }
    }
    body->pins[body->pin_count++] = 0;
    return true;
}

bool stiff_body_init(struct stiff_body *body, enum stiff_kind kind, double size, double stiffness)
{
    *body = (struct stiff_body){.kind = kind};
    bool good = kind == STIFF_HUNG       ? hung_init(body, (uint32_t)size)
                : kind == STIFF_ROPE     ? rope_init(body, size)
                : kind == STIFF_STRIP    ? strip_init(body, (uint32_t)size, stiffness)
                : kind == STIFF_STAND    ? stand_init(body, 1e-3 * size, stiffness)
                : kind == STIFF_CAPSULES ? capsules_init(body, 1e-3 * size, stiffness)
                : kind == STIFF_TABLE    ? table_init(body, 1e-3 * size, stiffness)
                                         : drape_init(body, 1e-3 * size, stiffness);
    if (!good) {
        stiff_body_deinit(body);
        return false;
    }
    if (kind != STIFF_ROPE) {
        edges_of_triangles(body);
    }
    weigh(body);
    return true;
}

// -------------------------------------------------------------------------------------------------- measures

void stiff_strains(const struct stiff_body *body, const double *positions, double *worst, double *rms)
{
    double squares = 0;
    *worst = 0;
    for (uint32_t e = 0; e < body->edge_count; e++) {
        double strain = distance(positions, body->edges[e][0], body->edges[e][1]) / body->rests[e] - 1;
        *worst = strain > *worst ? strain : *worst;
        squares += strain * strain;
    }
    *rms = sqrt(squares / body->edge_count);
}

double stiff_side(const struct stiff_body *body, const double *positions)
{
    double longest = 0;
    for (uint32_t side = 0; side < 2; side++) {
        double length = 0;
        for (uint32_t at = side * (body->columns - 1); at + body->columns < body->particle_count;
             at += body->columns) {
            length += distance(positions, at, at + body->columns);
        }
        longest = fmax(longest, length);
    }
    return longest / body->length - 1;
}

double stiff_lowest(const struct stiff_body *body, const double *positions)
{
    double lowest = positions[1];
    for (uint32_t i = 1; i < body->particle_count; i++) {
        lowest = fmin(lowest, positions[3 * (size_t)i + 1]);
    }
    return lowest;
}

double stiff_kinetic(const struct stiff_body *body, const float *velocities)
{
    double sum = 0;
    for (uint32_t i = 0; i < body->particle_count; i++) {
        const float *v = velocities + 3 * (size_t)i;
        double squared = (double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2];
        sum += body->masses[i] * squared / 2;
    }
    return sum;
}

double stiff_sag(const struct stiff_body *body, const double *positions)
{
    double sum = 0;
    uint32_t rows = body->particle_count / body->columns;
    for (uint32_t row = 1; row <= rows; row++) {
        sum -= positions[3 * ((size_t)row * body->columns - 1) + 1];
    }
    return sum / rows / body->length;
}

// The signed areas of all triangles, seen from above.
static double shadow(const struct stiff_body *body, const double *positions)
{
    double sum = 0;
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        const uint32_t *corner = body->triangles + 3 * (size_t)t;
        const double *a = positions + 3 * (size_t)corner[0], *b = positions + 3 * (size_t)corner[1],
                     *c = positions + 3 * (size_t)corner[2];
        sum += ((b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])) / 2;
    }
    return fabs(sum);
}

double stiff_drape(const struct stiff_body *body, const double *positions)
{
    const double stand = PI * STAND_RADIUS * STAND_RADIUS;
    return (shadow(body, positions) - stand) / (shadow(body, body->positions) - stand);
}

double stiff_droop(const struct stiff_body *body, const double *positions)
{
    double sum = 0;
    for (uint32_t r = 0; r < body->rim_count; r++) {
        sum -= positions[3 * (size_t)body->rim[r] + 1];
    }
    return sum / body->rim_count;
}

// Integrates from a curvature at the clamp: the curvature at the tip, and the sag.
static double shoot(double p, double curvature, double *sag)
{
    enum { STEPS = 2000 };
    const double h = 1.0 / STEPS;
    double theta = 0, turn = curvature, down = 0;
    for (int i = 0; i < STEPS; i++) {
        // Runge and Kutta's fourth order, for (theta, theta', sag).
        double slope[4][3], s = h * i;
        for (int k = 0; k < 4; k++) {
            double along = k == 0 ? 0 : k == 3 ? h : h / 2;
            double at = theta + (k == 0 ? 0 : along * slope[k - 1][0]);
            slope[k][0] = turn + (k == 0 ? 0 : along * slope[k - 1][1]);
            slope[k][1] = -p * (1 - s - along) * cos(at);
            slope[k][2] = sin(at);
        }
        theta += h / 6 * (slope[0][0] + 2 * slope[1][0] + 2 * slope[2][0] + slope[3][0]);
        turn += h / 6 * (slope[0][1] + 2 * slope[1][1] + 2 * slope[2][1] + slope[3][1]);
        down += h / 6 * (slope[0][2] + 2 * slope[1][2] + 2 * slope[2][2] + slope[3][2]);
    }
    *sag = down;
    return turn;
}

double stiff_elastica(double p)
{
    double low = 0, high = p / 2, sag; // p / 2 is the moment at the clamp of a strip that stays level
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (shoot(p, middle, &sag) > 0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return sag;
}
