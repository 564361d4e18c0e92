// Shape matching: sums over the members of regions, and the way of particles to their goals (solve/match.c).
//
// Differences of places are exact integers, and sums are doubles. Each lane of a batch adds to sums of its own, and lanes are added
// in order at the end. A way is rounded to whole quanta with a nudge that changes, as corrections of constraints are.

#include "sim/ground/ground.h"
#include "sim/kernels/wide_double.h"

struct lanes {
    double sums[SIM_MATCH_SUMS][SIM_LANES];
};

struct members {
    struct wd_vec x, q;
};

SIM_INLINE void add_to(double *sum, wd term)
{
    wd_store(sum, wd_load(sum) + term);
}

// m: of the members that count, 0 of the others.
SIM_INLINE void add_members(const struct members *members, wd m, uint32_t at, struct lanes *lanes)
{
    add_to(lanes->sums[SIM_MATCH_MASS] + at, m);
    for (int i = 0; i < 3; i++) {
        const wd weighted = m * members->x.x[i];
        add_to(lanes->sums[SIM_MATCH_NOW + i] + at, weighted);
        add_to(lanes->sums[SIM_MATCH_REST + i] + at, m * members->q.x[i]);
        for (int j = 0; j < 3; j++) {
            add_to(lanes->sums[SIM_MATCH_PRODUCT + 3 * i + j] + at, weighted * members->q.x[j]);
        }
    }
}

// Low words of the places of a region's origin, in each lane.
struct origin {
    uint32_t now[3][WIDE], rest[3][WIDE];
};

SIM_INLINE void origin_of(const struct sim_row *now, const struct sim_row *rest, struct origin *out)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int lane = 0; lane < WIDE; lane++) {
            out->now[axis][lane] = (uint32_t)now->x[axis];
            out->rest[axis][lane] = (uint32_t)rest->x[axis];
        }
    }
}

// Members `lane` ... lane + WIDE - 1 of a batch.
SIM_INLINE void look_lanes(const struct sim_row *rows, const struct sim_match *match, const uint32_t *slots,
                           const struct origin *origin, uint32_t lane, struct lanes *free, struct lanes *held)
{
    const struct w_rows now = w_rows_at(rows, slots + lane), rest = w_rows_at(match->rest, slots + lane);
    for (int part = 0; part < PARTS; part++) {
        const uint32_t at = lane + (uint32_t)part * DOUBLES;
        const wd zero = wd_set(0), w = wd_of_float(now.w, part), share = wd_of_float(rest.w, part);
        const wdm moves = wd_below(zero, w), fixed = wd_and(wd_equal(w, zero), wd_below(zero, share));
        struct members members;
        for (int axis = 0; axis < 3; axis++) {
            members.x.x[axis] = wd_of_int(now.x[axis] - w_load_int(origin->now[axis]), part);
            members.q.x[axis] = wd_of_int(rest.x[axis] - w_load_int(origin->rest[axis]), part);
        }
        add_members(&members, wd_where(moves, share / wd_select(moves, w, wd_set(1))), at, free);
        if (wd_any(fixed)) {
            add_members(&members, wd_where(fixed, share), at, held);
        }
    }
}

SIM_INLINE void sum_up(const struct lanes *lanes, double sums[SIM_MATCH_SUMS])
{
    for (int i = 0; i < SIM_MATCH_SUMS; i++) {
        sums[i] = 0;
        for (int lane = 0; lane < SIM_LANES; lane++) {
            sums[i] += lanes->sums[i][lane];
        }
    }
}

void SIM_ISA(sim_match_look)(struct sim *sim, const struct sim_chunk *chunk)
{
    const struct sim_body *body = chunk->body;
    const struct sim_match *match = body->match;
    const struct sim_row *rows = sim->rows + body->first_row;
    const struct sim_portion portion = sim_match_portion(chunk, match->part_count);
    for (uint32_t p = portion.first; p < portion.end; p++) {
        const struct sim_match_part *part = &match->parts[p];
        const uint32_t row = match->origins[part->region];
        struct lanes free = {0}, held = {0};
        struct origin origin;
        origin_of(&rows[row], &match->rest[row], &origin);
        for (uint32_t b = 0; b < part->batch_count; b++) {
            const uint32_t *slots = match->slots + (size_t)(part->first_batch + b) * SIM_LANES;
            for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
                look_lanes(rows, match, slots, &origin, lane, &free, &held);
            }
        }
        sum_up(&free, match->sums[p].free);
        sum_up(&held, match->sums[p].held);
    }
}

// ------------------------------------------------------------------------------------------------- to the goals

// Ways of SIM_LANES rows from where they are to the mean of their goals, quanta.
struct ways {
    double x[3][SIM_LANES];
};

SIM_INLINE void add_goal(const struct sim_match_frame *frame, const struct sim_row *row,
                         const struct sim_row *rest, double way[3])
{
    double q[3];
    for (int axis = 0; axis < 3; axis++) {
        q[axis] = (double)sim_wrap_sub(rest->x[axis], frame->rest[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double *r = frame->turn[axis];
        const double goal = ((r[0] * q[0] + r[1] * q[1]) + r[2] * q[2]) + frame->shift[axis];
        way[axis] += goal - (double)sim_wrap_sub(row->x[axis], frame->now[axis]);
    }
}

// The same as add_goal for rows of a body that is one region, WIDE of them at a time. Lanes past `count` repeat the last row.
SIM_INLINE void ways_of_all(const struct sim_match *match, const struct sim_row *rows, uint32_t first,
                            uint32_t count, struct ways *ways)
{
    const struct sim_match_frame *frame = match->frames;
    struct sim_row now = {0}, rest = {0};
    struct origin origin;
    memcpy(now.x, frame->now, sizeof now.x);
    memcpy(rest.x, frame->rest, sizeof rest.x);
    origin_of(&now, &rest, &origin);
    for (uint32_t lane = 0; lane < count; lane += WIDE) {
        uint32_t places[WIDE];
        for (uint32_t i = 0; i < WIDE; i++) {
            places[i] = (first + (lane + i < count ? lane + i : count - 1)) * SIM_ROW_BYTES;
        }
        const struct w_rows x = w_rows_at(rows, places), q = w_rows_at(match->rest, places);
        for (int part = 0; part < PARTS; part++) {
            struct wd_vec from;
            for (int axis = 0; axis < 3; axis++) {
                from.x[axis] = wd_of_int(q.x[axis] - w_load_int(origin.rest[axis]), part);
            }
            for (int axis = 0; axis < 3; axis++) {
                const wd goal = wd_dot(wd_vec_of(frame->turn[axis]), from) + wd_set(frame->shift[axis]);
                const wd at = wd_of_int(x.x[axis] - w_load_int(origin.now[axis]), part);
                wd_store(ways->x[axis] + lane + (uint32_t)part * DOUBLES, goal - at);
            }
        }
    }
}

SIM_INLINE void ways_of(const struct sim_match *match, const struct sim_row *rows, uint32_t first,
                        uint32_t count, struct ways *ways)
{
    if (!match->starts) {
        ways_of_all(match, rows, first, count, ways);
        return;
    }
    for (uint32_t lane = 0; lane < count; lane++) {
        const uint32_t row = first + lane;
        double way[3] = {0, 0, 0};
        for (uint32_t r = match->starts[row]; r < match->starts[row + 1]; r++) {
            add_goal(&match->frames[match->regions[r]], &rows[row], &match->rest[row], way);
        }
        for (int axis = 0; axis < 3; axis++) {
            ways->x[axis][lane] = way[axis] * (double)match->rest[row].w;
        }
    }
}

// dx = (way - soften sum) / (1 + soften), where sum is what the substep has moved the row by so far. What is less than a quantum off
// is so by rounding. Fills lanes past `count`, too, with what nobody reads.
SIM_INLINE void moves_of(const double way[SIM_LANES], const double sum[SIM_LANES], double soften,
                         double reach, double out[SIM_LANES])
{
    const double give = 1 / (1 + soften);
    for (int lane = 0; lane < SIM_LANES; lane++) {
        const double off = way[lane] - soften * sum[lane], move = off < 1 && off > -1 ? 0 : off * give;
        const double least = move > -reach ? move : -reach;
        out[lane] = least < reach ? least : reach;
    }
}

void SIM_ISA(sim_match_push)(struct sim *sim, const struct sim_chunk *chunk)
{
    const struct sim_body *body = chunk->body;
    const struct sim_match *match = body->match;
    const struct w_nudges nudges = w_nudges_from(sim->times.turn, chunk->seed, 0, W_MATCH);
    const uint32_t offset = chunk->first_row - body->first_row;
    const bool again = sim->iteration > 0;
    struct sim_row *rows = sim->rows + body->first_row;
    struct ways ways = {0}, sums = {0}, moves;
    for (uint32_t first = 0; first < chunk->count; first += SIM_LANES) {
        const uint32_t left = chunk->count - first, count = left < SIM_LANES ? left : SIM_LANES;
        float(*drawn)[4] = match->drawn + offset + first;
        ways_of(match, rows, offset + first, count, &ways);
        for (uint32_t lane = 0; again && lane < count; lane++) {
            for (int axis = 0; axis < 3; axis++) {
                sums.x[axis][lane] = (double)drawn[lane][axis];
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            moves_of(ways.x[axis], sums.x[axis], match->soften, (double)sim->times.reach, moves.x[axis]);
        }
        for (uint32_t lane = 0; lane < count; lane++) {
            struct sim_row *row = &rows[offset + first + lane];
            const bool moves_it = row->w > 0;
            for (int axis = 0; axis < 3; axis++) {
                const double move = moves_it ? moves.x[axis][lane] : 0;
                drawn[lane][axis] = (float)(sums.x[axis][lane] + move);
                row->x[axis] =
                    sim_wrap_add(row->x[axis], moves_it ? sim_round((float)move + nudges.x[axis]) : 0);
            }
        }
    }
}
