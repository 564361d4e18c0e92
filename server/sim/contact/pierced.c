// Counts what colliders pierce. Leaves of a body's features that are near a core are found first, then their elements.

#include "sim/contact/pierced.h"

#include "sim/contact/core.h"
#include "sim/contact/meet.h"
#include "sim/contact/pieces.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"

#include <string.h>

enum {
    MOMENTS_MAX = 16, // of a substep
    LOOKS_EACH = 4,   // substeps, while nothing is pressed or held back
};

#define PRESSED_SHARE 0.1 // of the inner radius: an element so deep in a collider may be pierced soon

struct looking {
    const struct sim *sim;
    const struct sim_body *body;
    const struct sim_core *core;
    const struct sim_frame *start, *end; // of the collider; the same if moments are 1
    uint32_t moments;                    // of the substep, evenly spaced, the last one at its end
    const struct sim_core *outer;        // begins nearer to the surface; NULL if it is not asked for
    const struct sim_toucher
        *sieve; // the outer one or more, at the end or, if `begins`, at the start; NULL: there is none
    double sieve_reach; // m, so near to that
    bool begins;        // look at the substep's start, and at the outer core only
    bool gives;         // the collider is a piece that can give way: what cannot move counts as well
    bool pressed;       // something reaches into the outer one
    uint64_t count;
    sim_pierced_found *found; // told of each that counts; NULL: nobody asks
    void *context;
};

// Finds the place of a row in the frame of the collider, m. middle: whole coordinates near the row, quanta.
static void place_of(const struct sim *sim, const struct sim_row *row, const int64_t middle[3],
                     const struct sim_frame *frame, double out[3])
{
    double seen[3];
    for (int axis = 0; axis < 3; axis++) {
        int32_t low = (int32_t)(uint32_t)(uint64_t)middle[axis];
        seen[axis] =
            ((double)sim_wrap_sub(row->x[axis], low) + (double)(middle[axis] - frame->position[axis])) *
            sim->q;
    }
    for (int i = 0; i < 3; i++) {
        out[i] = sim_dot(seen, frame->axes[i]);
    }
}

static bool element_pierced(struct looking *looking, uint32_t element, const int64_t middle[3])
{
    const struct sim *sim = looking->sim;
    double starts[3][3], ends[3][3], now[3][3];
    bool moves = looking->gives;
    for (int k = 0; k < 3; k++) {
        uint32_t row = looking->body->first_row + looking->body->features->corners[element][k];
        moves |= sim_inverse_mass_of(sim, row) > 0;
        place_of(sim, &sim->rows[row], middle, looking->end, ends[k]);
        if (looking->moments > 1 || looking->begins) {
            place_of(sim, &sim->previous[row], middle, looking->start, starts[k]);
        }
    }
    if (!moves) {
        return false;
    }
    if (looking->begins) {
        looking->pressed |= sim_core_pierces(looking->outer, (const double(*)[3])starts);
        return false;
    }
    bool pressed = !looking->outer || sim_core_pierces(looking->outer, (const double(*)[3])ends);
    looking->pressed |= looking->outer && pressed;
    if (pressed && sim_core_pierces(looking->core, (const double(*)[3])ends)) {
        return true;
    }
    for (uint32_t moment = 1; moment < looking->moments; moment++) {
        double part = (double)moment / looking->moments;
        for (int i = 0; i < 9; i++) {
            now[i / 3][i % 3] = starts[i / 3][i % 3] + part * (ends[i / 3][i % 3] - starts[i / 3][i % 3]);
        }
        if (sim_core_pierces(looking->core, (const double(*)[3])now)) {
            return true;
        }
    }
    return false;
}

// Bit i: element i of the leaf may reach into a core. Some bits too many may be set.
static uint32_t leaf_sift(const struct looking *looking, uint32_t leaf, const int64_t middle[3])
{
    const struct sim *sim = looking->sim;
    const struct sim_features *features = looking->body->features;
    const struct sim_toucher *sieve = looking->sieve;
    const uint32_t left = features->count - leaf * SIM_LANES;
    const uint32_t are = (uint32_t)((1ULL << (left < SIM_LANES ? left : SIM_LANES)) - 1);
    sim_reaching *reaching = sieve ? sim->meet->colliders->reaching[sieve->shape.kind] : NULL;
    if (!reaching) {
        return are;
    }
    const struct sim_row *starts = sim->previous + looking->body->first_row;
    const struct sim_row *rows = looking->begins ? starts : sim->rows + looking->body->first_row;
    struct sim_touch_origin origin;
    uint32_t places[3][SIM_LANES];
    for (int axis = 0; axis < 3; axis++) {
        origin.low[axis] = (int32_t)(uint32_t)(uint64_t)middle[axis];
        origin.end[axis] = (double)(middle[axis] - sieve->shape.end.position[axis]);
        origin.start[axis] = (double)(middle[axis] - sieve->shape.start.position[axis]);
    }
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            const uint32_t row = features->elements[leaf][k][lane];
            places[k][lane] = (are >> lane & 1) != 0 ? row * SIM_ROW_BYTES : 0;
        }
    }
    return are & reaching(sieve, &origin, rows, looking->moments > 1 && !looking->begins ? starts : NULL,
                          (const uint32_t(*)[SIM_LANES])places, looking->sieve_reach);
}

static void leaf_look(struct looking *looking, uint32_t leaf, const int64_t middle[3], double reach)
{
    double seen[3], local[3];
    for (int axis = 0; axis < 3; axis++) {
        seen[axis] = (double)(middle[axis] - looking->end->position[axis]) * looking->sim->q;
    }
    for (int i = 0; i < 3; i++) {
        local[i] = sim_dot(seen, looking->end->axes[i]);
    }
    if (leaf * SIM_LANES >= looking->body->features->count ||
        !sim_core_near(looking->outer ? looking->outer : looking->core, local, reach)) {
        return;
    }
    for (uint32_t may = leaf_sift(looking, leaf, middle); may != 0; may &= may - 1) {
        const uint32_t element = leaf * SIM_LANES + (uint32_t)__builtin_ctz(may);
        if (element_pierced(looking, element, middle)) {
            looking->count++;
            if (looking->found) {
                looking->found(looking->context, element);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------ at a boundary

// Looks at all leaves of the body. The tree may be out of date at a boundary, so boxes are made of the rows.
static void leaves_look(struct looking *looking)
{
    const struct sim *sim = looking->sim;
    const struct sim_features *features = looking->body->features;
    for (uint32_t leaf = 0; leaf * SIM_LANES < features->count; leaf++) {
        int64_t least[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, most[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
        int64_t middle[3];
        double reach2 = 0;
        for (uint32_t i = 0; i < 3 * SIM_LANES && leaf * SIM_LANES + i / 3 < features->count; i++) {
            uint32_t row = looking->body->first_row + features->corners[leaf * SIM_LANES + i / 3][i % 3];
            for (uint32_t axis = 0; axis < 3; axis++) {
                int64_t x = sim_whole(sim, row, axis, sim->rows[row].x[axis]);
                least[axis] = x < least[axis] ? x : least[axis];
                most[axis] = x > most[axis] ? x : most[axis];
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            int64_t half = (most[axis] - least[axis]) / 2 + 1;
            middle[axis] = least[axis] + half;
            reach2 += (double)half * (double)half;
        }
        leaf_look(looking, leaf, middle, __builtin_sqrt(reach2) * sim->q);
    }
}

static uint64_t count_at(const struct sim *sim, const struct sim_body *body, const struct sim_shape *shape,
                         const struct sim_frame *frame, bool gives)
{
    struct sim_core core;
    struct looking looking = {
        .sim = sim, .body = body, .core = &core, .start = frame, .end = frame, .moments = 1, .gives = gives};
    sim_core_from(shape, body->thickness, SIM_CORE_SHARE, &core);
    leaves_look(&looking);
    return looking.count;
}

uint64_t sim_pierced_at(const struct sim *sim, const struct sim_body *body, const struct sim_shape *shape,
                        const struct sim_frame *frame)
{
    return count_at(sim, body, shape, frame, false);
}

uint64_t sim_pierced_by_pieces(const struct sim *sim, const struct sim_body *body)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < sim->rigids.count; i++) {
        const struct sim_rigid *piece = &sim->rigids.items[i];
        if (sim_pieces_meet(body, sim_body_of_row(sim, piece->row))) {
            for (uint32_t part = 0; part < sim_rigid_part_count(piece); part++) {
                struct sim_shape shape;
                sim_piece_at(sim, piece, part, &shape);
                count += count_at(sim, body, &shape, &shape.end, sim->rows[piece->row].w > 0);
            }
        }
    }
    return count;
}

// ------------------------------------------------------------------------------------------------- in a substep

// The outer core as a shape, so that the kernels of contact find the leaves that are near it.
static void toucher_shrink(struct sim_toucher *toucher)
{
    const double in = PRESSED_SHARE * toucher->inner;
    struct sim_shape *shape = &toucher->shape;
    shape->radius -= in;
    shape->length -= shape->kind == SIM_CYLINDER ? 2 * in : 0;
    for (int axis = 0; axis < 3; axis++) {
        shape->half_extents[axis] -= in;
    }
}

static double reach_of(const struct looking *looking, const struct sim_balls *balls, uint32_t lane)
{
    return balls->radius[lane] + 2 * looking->body->thickness; // rows are pushed after the balls are made
}

struct found {
    uint64_t pierced;
    bool pressed;
};

// Looks at what is near a convex collider, when the substep ends or as it began. asks: what to look for; its bodies and cores are filled in.
static struct found look_near(const struct sim *sim, const struct sim_body *body,
                              const struct sim_shape *shape, struct looking asks)
{
    struct sim_toucher toucher;
    struct sim_core core, outer;
    struct looking looking = asks;
    looking.sim = sim;
    looking.body = body;
    looking.core = &core;
    looking.outer = &outer;
    looking.start = &shape->start;
    looking.end = &shape->end;
    sim_core_from(shape, body->thickness, SIM_CORE_SHARE, &core);
    sim_core_from(shape, body->thickness, PRESSED_SHARE, &outer);
    sim_toucher_from(sim, shape, body->thickness, &toucher);
    toucher_shrink(&toucher);
    struct sim_toucher sieve = toucher;
    if (looking.begins) {
        sieve.shape.end = shape->start;
    }
    looking.sieve = &sieve;
    looking.sieve_reach = 1e-6 + 1e-13 * sim->settings.extent; // far more than what rounding in double can do
    looking.sieve_reach -= shape->kind == SIM_CONVEX ? PRESSED_SHARE * toucher.inner : 0; // it is not shrunk
    for (uint32_t from = 0; from < body->features->leaf_count; from += SIM_LANES) {
        const struct sim_balls *balls = &body->features->balls[from / SIM_LANES];
        uint32_t fast, near = sim->meet->colliders->near(&toucher, balls, &fast);
        for (; near != 0; near &= near - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(near);
            int64_t middle[3];
            double away2 = 0;
            for (int axis = 0; axis < 3; axis++) {
                middle[axis] = balls->middle[axis][lane];
                double away = (double)(middle[axis] - shape->end.position[axis]) * sim->q;
                away2 += away * away;
            }
            // A point that goes no farther than half the inner radius is in the core when the substep ends, or does not pass it.
            double moves = toucher.way + toucher.spin * (__builtin_sqrt(away2) + balls->radius[lane]);
            double parts = (moves + balls->way[lane]) / (0.5 * toucher.inner);
            looking.moments = parts < MOMENTS_MAX - 1 ? 1 + (uint32_t)parts : MOMENTS_MAX;
            leaf_look(&looking, from + lane, middle, reach_of(&looking, balls, lane) + moves);
        }
    }
    return (struct found){looking.count, looking.pressed};
}

uint64_t sim_pierced_find(const struct sim *sim, const struct sim_body *body, const struct sim_shape *shape,
                          sim_pierced_found *found, void *context)
{
    const struct looking asks = {.gives = true, .found = found, .context = context};
    return look_near(sim, body, shape, asks).pierced;
}

static uint64_t count_field(const struct sim *sim, const struct sim_body *body, const struct sim_shape *shape)
{
    struct sim_core core;
    struct looking looking = {
        .sim = sim, .body = body, .core = &core, .start = &shape->start, .end = &shape->end, .moments = 1};
    sim_core_from(shape, body->thickness, SIM_CORE_SHARE, &core);
    for (uint32_t leaf = 0; leaf * SIM_LANES < body->features->count; leaf++) {
        const struct sim_balls *balls = &body->features->balls[leaf / SIM_LANES];
        const uint32_t lane = leaf % SIM_LANES;
        const int64_t middle[3] = {balls->middle[0][lane], balls->middle[1][lane], balls->middle[2][lane]};
        leaf_look(&looking, leaf, middle, reach_of(&looking, balls, lane));
    }
    return looking.count;
}

static bool is_below(const struct sim *sim, const struct sim_body *body, const struct sim_shape *shape)
{
    const int64_t *first = sim->positions[body->first_row];
    const double *normal = shape->end.axes[1];
    double from = 0, least = 0;
    int32_t low[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = (int32_t)(uint32_t)(uint64_t)first[axis];
        from += (double)(first[axis] - shape->end.position[axis]) * normal[axis];
    }
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        const int32_t *x = sim->rows[row].x;
        double height = (double)sim_wrap_sub(x[0], low[0]) * normal[0] +
                        (double)sim_wrap_sub(x[1], low[1]) * normal[1] +
                        (double)sim_wrap_sub(x[2], low[2]) * normal[2];
        least = height < least ? height : least;
    }
    return (from + least) * sim->q < -body->thickness;
}

// gives: as of look_near.
static uint64_t count_of(struct sim *sim, const struct sim_member *member, const struct sim_shape *shape,
                         bool gives)
{
    const struct sim_body *body = member->body;
    struct sim_island *island = &sim->meet->islands[member->island];
    const bool last = sim->substep == sim->settings.substeps;
    if (shape->kind == SIM_PLANE) {
        return last && is_below(sim, body, shape) ? sim_pierced_at(sim, body, shape, &shape->end) : 0;
    }
    if (shape->kind == SIM_HEIGHT_FIELD) {
        return last ? count_field(sim, body, shape) : 0;
    }
    // While nothing is pressed or held back, a look in some substeps is enough.
    const bool held = sim->settings.contact_quality == SIM_CONTACT_GUARANTEED && island->held > 0;
    if (!last && !held && !island->pressed && sim->substep % LOOKS_EACH != 0) {
        return 0;
    }
    const struct found found = look_near(sim, body, shape, (struct looking){.gives = gives});
    island->pressed |= found.pressed;
    return found.pierced;
}

void sim_pressed_look(struct sim *sim)
{
    const bool first = sim->substep == 1;
    for (uint32_t m = 0; first && m < sim->meet->member_count; m++) {
        const struct sim_member *member = &sim->meet->members[m];
        for (uint32_t s = 0; member->free && s < sim->shape_count; s++) {
            const struct sim_shape *shape = &sim->shapes[s];
            if (shape->kind != SIM_PLANE && shape->kind != SIM_HEIGHT_FIELD) {
                sim->meet->islands[member->island].pressed |=
                    look_near(sim, member->body, shape, (struct looking){.begins = true}).pressed;
            }
        }
    }
}

static uint64_t count_pieces(struct sim *sim, const struct sim_member *member)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < sim->rigids.count; i++) {
        const struct sim_rigid *piece = &sim->rigids.items[i];
        const bool gives = sim->rows[piece->row].w > 0;
        if ((member->free || gives) && sim_pieces_meet(member->body, sim_body_of_row(sim, piece->row))) {
            for (uint32_t part = 0; part < sim_rigid_part_count(piece); part++) {
                struct sim_shape shape;
                sim_piece_shape(sim, piece, part, &shape);
                count += count_of(sim, member, &shape, gives);
            }
        }
    }
    return count;
}

void sim_pierced_look(struct sim *sim)
{
    uint64_t count = 0;
    for (uint32_t m = 0; m < sim->meet->member_count; m++) {
        const struct sim_member *member = &sim->meet->members[m];
        for (uint32_t s = 0; member->free && s < sim->shape_count; s++) {
            count += count_of(sim, member, &sim->shapes[s], false);
        }
        count += sim->rigids.count > 0 ? count_pieces(sim, member) : 0;
    }
    uint32_t told = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    sim->meetings.pierced = told > sim->meetings.pierced ? told : sim->meetings.pierced;
}
