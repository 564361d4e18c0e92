// Leaves that overlap are listed, then looked at in chunks, by as many threads as there are. What these find is taken in the
// order of the list, so it is the same whoever looked: chunks end where the list says, not where a thread does.

#include "sim/contact/search.h"

#include "base/parallel.h"
#include "sim/contact/chart.h"
#include "sim/contact/copies.h"
#include "sim/contact/exact.h"
#include "sim/contact/exempt.h"
#include "sim/contact/rims.h"
#include "sim/contact/untangle.h"

// Candidates that have not been looked at. What one hit adds always fits: once there are GATHERED, these are taken.
enum { GATHERED = 4 * SIM_LANES };
struct gathered {
    uint32_t at[4][GATHERED + SIM_LANES], owns[GATHERED + SIM_LANES];
    uint32_t count;
};

// One thread at a chunk.
struct look {
    const struct sim_search *search;
    const struct sim_features *features[2];
    uint32_t members[2], first[2]; // first rows
    bool only_dirty;               // pairs that have a dirty row
    bool fixed; // there are static rows on both sides, so that some pairs may have no other ones
    struct gathered gathered[SIM_PAIR_KINDS];
    struct sim_candidates candidates[SIM_PAIR_KINDS];
    struct sim_crossing_candidates crossings;
    union sim_find *finds;
    uint32_t count, kinds[SIM_PAIR_KINDS]; // of finds, and of pairs among them
    uint32_t tested;                       // in the visit under way
};

// A visit finds no more than this: particles with elements of the other leaf, edges with its edges.
enum {
    FEATURES = SIM_LEAF_BLOCKS * SIM_LANES,
    FINDS_OF_VISIT = 2 * FEATURES * SIM_LANES + FEATURES * FEATURES,
};

// -------------------------------------------------------------------------------------------------- candidates

// Is the pair to be listed? Beside a crossing it pushes nothing; it is held back, unless the world untangles: there it would
// hold what has to come back out.
static bool is_kept(const struct sim_search *search, enum sim_pair_kind kind, struct sim_pair *pair)
{
    const struct sim_meet *meet = search->meet;
    if (meet->exempt_count == 0) {
        return true;
    }
    const bool beside = sim_exempt_beside(meet, kind, pair->at);
    pair->reach = beside ? 0 : pair->reach;
    return !(beside && search->sim->settings.untangle) && !sim_exempt_is(meet, kind, pair->at);
}

static void candidates_sift(struct look *look, enum sim_pair_kind kind)
{
    const struct sim_meet *meet = look->search->meet;
    const struct sim_candidates *candidates = &look->candidates[kind];
    const bool all = meet->exempt_count == 0;
    const uint32_t mark = kind == SIM_PAIR_EE ? SIM_FIND_EE : 0;
    struct sim_narrowed narrowed;
    union sim_find *find = look->finds + look->count;
    for (uint32_t lanes = look->search->narrow[kind](meet, candidates, &narrowed); lanes != 0;
         lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        for (int k = 0; k < 4; k++) {
            find->pair.at[k] = candidates->at[k][lane];
        }
        find->pair.reach = narrowed.reach[lane];
        find->pair.low = narrowed.low[lane];
        find->pair.slope = narrowed.slope[lane];
        find->pair.owns = (candidates->owns[lane] & SIM_PAIR_OWNS) | mark;
        find += all || is_kept(look->search, kind, &find->pair);
    }
    const uint32_t count = (uint32_t)(find - look->finds);
    look->kinds[kind] += count - look->count;
    look->count = count;
}

// Takes all that are gathered, or, of GATHERED at least, as many as make whole candidates.
static void gathered_take(struct look *look, enum sim_pair_kind kind, bool all)
{
    struct gathered *gathered = &look->gathered[kind];
    struct sim_candidates *candidates = &look->candidates[kind];
    uint32_t done = 0;
    while (done + (all ? 1 : SIM_LANES) <= gathered->count) {
        const uint32_t left = gathered->count - done;
        for (int k = 0; k < 4; k++) {
            memcpy(candidates->at[k], gathered->at[k] + done, sizeof candidates->at[k]);
        }
        memcpy(candidates->owns, gathered->owns + done, sizeof candidates->owns);
        candidates->count = left < SIM_LANES ? left : SIM_LANES;
        candidates_sift(look, kind);
        done += candidates->count;
    }
    for (int k = 0; k < 4 && !all; k++) {
        memcpy(gathered->at[k], gathered->at[k] + done, sizeof candidates->at[k]);
    }
    if (!all) {
        memcpy(gathered->owns, gathered->owns + done, sizeof candidates->owns);
    }
    gathered->count -= done;
}

// Have the two features a joined particle in common?
static bool are_joined(const struct look *look, enum sim_pair_kind kind, const uint32_t rows[4])
{
    const uint32_t first = kind == SIM_PAIR_VT ? 1 : 2;
    return sim_joined_features(&look->search->meet->joined, rows, first, rows + first, 4 - first);
}

static bool is_static(const struct look *look, const uint32_t rows[4])
{
    const struct sim_row *x = look->search->sim->rows;
    return !(x[rows[0]].w > 0 || x[rows[1]].w > 0 || x[rows[2]].w > 0 || x[rows[3]].w > 0);
}

// Leaves out those of the last `count` that do not meet.
static void gathered_part(const struct look *look, enum sim_pair_kind kind, struct gathered *gathered,
                          uint32_t count)
{
    uint32_t to = gathered->count - count;
    for (uint32_t i = to; i < gathered->count; i++) {
        uint32_t rows[4];
        for (int k = 0; k < 4; k++) {
            gathered->at[k][to] = gathered->at[k][i];
            rows[k] = gathered->at[k][i] / SIM_ROW_BYTES;
        }
        gathered->owns[to] = gathered->owns[i];
        to += !(look->fixed && is_static(look, rows)) &&
              !(look->search->meet->joined.any && are_joined(look, kind, rows));
    }
    gathered->count = to;
}

// Bits of `own` say which rows a hit's candidates have in common. Are all of them static?
static bool own_static(const struct look *look, const struct gathered *gathered, uint32_t own)
{
    for (; own != 0; own &= own - 1) {
        const uint32_t place = gathered->at[__builtin_ctz(own)][gathered->count - 1];
        if (look->search->sim->rows[place / SIM_ROW_BYTES].w > 0) {
            return false;
        }
    }
    return true;
}

// So many have just been put behind the others: at least one, and all of one feature. Bit k of `own`: row k is that feature's.
static inline void gathered_grow(struct look *look, enum sim_pair_kind kind, uint32_t count, uint32_t own)
{
    struct gathered *gathered = &look->gathered[kind];
    gathered->count += count;
    look->tested += count;
    if (look->search->meet->joined.any || (look->fixed && own_static(look, gathered, own))) {
        gathered_part(look, kind, gathered, count);
    }
    if (gathered->count >= GATHERED) {
        gathered_take(look, kind, false);
    }
}

// Rows of a candidate that all of a hit have: those of its vertex, of its element, of its edge.
enum { OWN_VERTEX = 1, OWN_ELEMENT = 2 | 4 | 8, OWN_EDGE = 1 | 2 };

static void corners_of(const struct look *look, int side, uint32_t element, uint32_t rows[3])
{
    for (int k = 0; k < 3; k++) {
        rows[k] = look->first[side] + look->features[side]->corners[element][k];
    }
}

static void edge_of(const struct look *look, int side, uint32_t block, uint32_t lane, uint32_t rows[2])
{
    for (int k = 0; k < 2; k++) {
        rows[k] = look->first[side] + look->features[side]->edges[block][k][lane];
    }
}

static inline uint32_t place_of(uint32_t first, uint32_t row)
{
    return (first + row) * SIM_ROW_BYTES;
}

// A vertex of a side with elements of a leaf of the other.
static void vertex_hit(struct look *look, const struct sim_hit *hit, int side)
{
    struct gathered *gathered = &look->gathered[SIM_PAIR_VT];
    const struct sim_features *elements = look->features[1 - side];
    const uint32_t first = look->first[1 - side],
                   vertex =
                       place_of(look->first[side], look->features[side]->vertices[hit->block][hit->lane]);
    uint32_t to = gathered->count;
    for (uint32_t lanes = hit->lanes; lanes != 0; lanes &= lanes - 1, to++) {
        const uint32_t element = hit->other * SIM_LANES + (uint32_t)__builtin_ctz(lanes);
        gathered->at[0][to] = vertex;
        for (int k = 0; k < 3; k++) {
            gathered->at[1 + k][to] = place_of(first, elements->corners[element][k]);
        }
        gathered->owns[to] = elements->owns[element];
    }
    gathered_grow(look, SIM_PAIR_VT, to - gathered->count, OWN_VERTEX);
}

// An element of the other side with vertices of a side.
static void element_hit(struct look *look, const struct sim_hit *hit, int side)
{
    struct gathered *gathered = &look->gathered[SIM_PAIR_VT];
    const struct sim_features *elements = look->features[1 - side];
    const uint32_t element = hit->block * SIM_LANES + hit->lane, first = look->first[side],
                   *vertices = look->features[side]->vertices[hit->other];
    uint32_t corners[3], to = gathered->count;
    for (int k = 0; k < 3; k++) {
        corners[k] = place_of(look->first[1 - side], elements->corners[element][k]);
    }
    for (uint32_t lanes = hit->lanes; lanes != 0; lanes &= lanes - 1, to++) {
        gathered->at[0][to] = place_of(first, vertices[__builtin_ctz(lanes)]);
        for (int k = 0; k < 3; k++) {
            gathered->at[1 + k][to] = corners[k];
        }
        gathered->owns[to] = elements->owns[element];
    }
    gathered_grow(look, SIM_PAIR_VT, to - gathered->count, OWN_ELEMENT);
}

// An edge of a side with edges of the other.
static void edge_hit(struct look *look, const struct sim_hit *hit, int side)
{
    struct gathered *gathered = &look->gathered[SIM_PAIR_EE];
    const uint32_t(*edge)[SIM_LANES] = look->features[side]->edges[hit->block],
          (*edges)[SIM_LANES] = look->features[1 - side]->edges[hit->other];
    const uint32_t one = place_of(look->first[side], edge[0][hit->lane]),
                   other = place_of(look->first[side], edge[1][hit->lane]), first = look->first[1 - side];
    uint32_t to = gathered->count;
    for (uint32_t lanes = hit->lanes; lanes != 0; lanes &= lanes - 1, to++) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        gathered->at[0][to] = one;
        gathered->at[1][to] = other;
        gathered->at[2][to] = place_of(first, edges[0][lane]);
        gathered->at[3][to] = place_of(first, edges[1][lane]);
    }
    gathered_grow(look, SIM_PAIR_EE, to - gathered->count, OWN_EDGE);
}

static void pairs_look(struct look *look, const struct sim_visit *visit)
{
    const struct sim_search *search = look->search;
    struct sim_hit hits[SIM_HITS_MAX];
    uint32_t count = search->meet->trees->meet(look->features[0], visit->leaves[0], look->features[1],
                                               visit->leaves[1], look->only_dirty, hits);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t kind = hits[i].kind;
        if (kind == SIM_HIT_EDGE || kind == SIM_HIT_EDGE_BACK) {
            edge_hit(look, &hits[i], kind == SIM_HIT_EDGE_BACK);
        } else if (kind == SIM_HIT_VERTEX || kind == SIM_HIT_VERTEX_BACK) {
            vertex_hit(look, &hits[i], kind == SIM_HIT_VERTEX_BACK);
        } else {
            element_hit(look, &hits[i], kind == SIM_HIT_ELEMENT_BACK);
        }
    }
}

// --------------------------------------------------------------------------------------------------- crossings

// An edge of one element and the triangle of another, by their rows, where the substep begins.
static bool crosses(const struct look *look, const uint32_t rows[5])
{
    const struct sim_row *x = look->search->sim->previous;
    const struct sim_joined *joined = &look->search->meet->joined;
    int32_t ends[2][3], corners[3][3];
    const struct sim_body *body =
        look->members[0] == look->members[1] ? look->search->meet->members[look->members[0]].body : NULL;
    bool free = false;
    if ((joined->any && sim_joined_features(joined, rows, 2, rows + 2, 3)) ||
        (look->search->meet->copied && sim_copies_touch(look->search->sim, rows)) ||
        (body && sim_rims_any(body) && sim_rims_touch(look->search->sim, x, rows))) {
        return false;
    }
    for (int k = 0; k < 5; k++) {
        memcpy(k < 2 ? ends[k] : corners[k - 2], x[rows[k]].x, sizeof ends[0]);
        free |= x[rows[k]].w > 0;
    }
    return free && sim_edge_crosses((const int32_t(*)[3])ends, (const int32_t(*)[3])corners);
}

static void crossings_sift(struct look *look)
{
    struct sim_crossing_candidates *candidates = &look->crossings;
    uint32_t lanes =
        candidates->count > 0 ? look->search->may_cross(look->search->sim->previous, candidates) : 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        union sim_find *find = &look->finds[look->count];
        for (int k = 0; k < 5; k++) {
            find->rows[k] = candidates->at[k][__builtin_ctz(lanes)] / SIM_ROW_BYTES;
        }
        look->count += crosses(look, find->rows);
    }
    candidates->count = 0;
}

static void crossings_look(struct look *look, const struct sim_visit *visit)
{
    struct sim_crossing_candidates *candidates = &look->crossings;
    struct sim_hit hits[SIM_HITS_MAX];
    uint32_t count = look->search->meet->trees->cross(look->features[0], visit->leaves[0], look->features[1],
                                                      visit->leaves[1], hits),
             rows[5];
    for (uint32_t i = 0; i < count; i++) {
        int side = hits[i].kind == SIM_HIT_CROSS_BACK;
        edge_of(look, side, hits[i].block, hits[i].lane, rows);
        for (uint32_t lanes = hits[i].lanes; lanes != 0; lanes &= lanes - 1) {
            corners_of(look, 1 - side, hits[i].other * SIM_LANES + (uint32_t)__builtin_ctz(lanes), rows + 2);
            look->tested++;
            for (int k = 0; k < 5; k++) {
                candidates->at[k][candidates->count] = rows[k] * SIM_ROW_BYTES;
            }
            if (++candidates->count == SIM_LANES) {
                crossings_sift(look);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------ chunks

static void candidates_end(struct look *look)
{
    gathered_take(look, SIM_PAIR_VT, true);
    gathered_take(look, SIM_PAIR_EE, true);
    crossings_sift(look);
}

static void members_take(struct look *look, const uint32_t members[2])
{
    const struct sim_meet *meet = look->search->meet;
    float reach = 0;
    candidates_end(look);
    look->fixed = true;
    for (int side = 0; side < 2; side++) {
        const struct sim_member *member = &meet->members[members[side]];
        look->members[side] = members[side];
        look->features[side] = member->body->features;
        look->first[side] = member->body->first_row;
        look->fixed &= member->fixed;
        reach += member->thickness;
    }
    const struct sim_island *island = &meet->islands[meet->members[members[0]].island];
    look->only_dirty = island->look == SIM_LOOK_SOME;
    const uint32_t over = look->search->sim->substep - 1, last = look->search->sim->settings.substeps;
    const uint32_t until = island->expires <= last ? island->expires - 1 : last;
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        look->candidates[kind].reach = reach;
        look->candidates[kind].start = (float)over;
        look->candidates[kind].steps = (float)(until - over);
        look->candidates[kind].same = members[0] == members[1];
    }
}

// Returns the room for the finds of a chunk. Chunks that one thread searches in turn share one room, to touch less memory.
static union sim_find *finds_of(const struct sim_search *search, uint32_t chunk)
{
    return search->meet->finds + (search->shared ? (size_t)chunk * SIM_FINDS : 0);
}

// A chunk, from where it was left to its end or until there is no more room.
static void chunk_look(void *context, uint32_t chunk)
{
    const struct sim_search *search = context;
    struct sim_meet *meet = search->meet;
    struct look look = {
        .search = search, .members = {UINT32_MAX, UINT32_MAX}, .finds = finds_of(search, chunk)};
    uint32_t end = (chunk + 1) * SIM_VISITS_CHUNK, at = meet->visited[chunk];
    end = end < search->visit_count ? end : search->visit_count;
    for (; at < end && look.count + SIM_PAIR_KINDS * GATHERED + FINDS_OF_VISIT <= SIM_FINDS; at++) {
        struct sim_visit *visit = &meet->visits[at];
        if (visit->members[0] != look.members[0] || visit->members[1] != look.members[1]) {
            members_take(&look, visit->members);
        }
        if (search->crossings) {
            crossings_look(&look, visit);
        } else {
            pairs_look(&look, visit);
        }
        visit->tested = SIM_VISIT_TESTS + look.tested;
        look.tested = 0;
    }
    candidates_end(&look);
    meet->visited[chunk] = at;
    meet->find_counts[chunk] = look.count;
    memcpy(meet->find_kinds[chunk], look.kinds, sizeof look.kinds);
}

static void chunk_put(void *context, uint32_t chunk)
{
    const struct sim_search *search = context;
    struct sim_meet *meet = search->meet;
    struct sim_pair_list *lists = meet->islands[search->island].lists;
    const union sim_find *finds = finds_of(search, chunk);
    const uint32_t *places[SIM_PAIR_KINDS];
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        places[kind] = meet->places + meet->find_kinds[chunk][kind];
    }
    for (uint32_t i = 0; i < meet->find_counts[chunk]; i++) {
        const enum sim_pair_kind kind = sim_find_kind(&finds[i]);
        sim_pairs_put(&lists[kind], *places[kind]++, &finds[i].pair);
    }
}

static void pairs_take(const struct sim_search *search, uint32_t chunk)
{
    struct sim_meet *meet = search->meet;
    struct sim_island *island = &meet->islands[search->island];
    const union sim_find *finds = finds_of(search, chunk);
    for (uint32_t i = 0; i < meet->find_counts[chunk]; i++) {
        struct sim_pair_list *list = &island->lists[sim_find_kind(&finds[i])];
        island->full |= sim_pairs_add(list, &finds[i].pair) == UINT32_MAX;
    }
}

// Gives the pairs of some chunks their places. False if they have to be taken one after the other, because they do not fit.
static bool chunks_place(const struct sim_search *search, uint32_t first, uint32_t end)
{
    struct sim_meet *meet = search->meet;
    struct sim_pair_list *lists = meet->islands[search->island].lists;
    uint32_t sums[SIM_PAIR_KINDS] = {0, 0}, next[SIM_PAIR_KINDS];
    for (uint32_t chunk = first; chunk < end; chunk++) {
        for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
            sums[kind] += meet->find_kinds[chunk][kind];
        }
    }
    const struct sim_pair_list *ee = &lists[SIM_PAIR_EE];
    if (sums[SIM_PAIR_EE] > ee->capacity - ee->count + ee->holes ||
        !sim_pairs_places(&lists[SIM_PAIR_VT], sums[SIM_PAIR_VT], meet->places)) {
        return false;
    }
    sim_pairs_places(&lists[SIM_PAIR_EE], sums[SIM_PAIR_EE], meet->places + sums[SIM_PAIR_VT]);
    next[SIM_PAIR_VT] = 0;
    next[SIM_PAIR_EE] = sums[SIM_PAIR_VT];
    for (uint32_t chunk = first; chunk < end; chunk++) {
        for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
            const uint32_t count = meet->find_kinds[chunk][kind];
            meet->find_kinds[chunk][kind] = next[kind];
            next[kind] += count;
        }
    }
    return true;
}

// Have all chunks been looked at to their end?
static bool all_visited(const struct sim_search *search, uint32_t chunks)
{
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        const uint32_t end = (chunk + 1) * SIM_VISITS_CHUNK;
        if (search->meet->visited[chunk] < (end < search->visit_count ? end : search->visit_count)) {
            return false;
        }
    }
    return true;
}

static void chunk_take(const struct sim_search *search, uint32_t chunk)
{
    const union sim_find *finds = finds_of(search, chunk);
    if (!search->crossings && chunks_place(search, chunk, chunk + 1)) {
        chunk_put((void *)search, chunk);
        return;
    }
    if (!search->crossings) {
        pairs_take(search, chunk);
        return;
    }
    for (uint32_t i = 0; i < search->meet->find_counts[chunk]; i++) {
        sim_exempt_crossing(search->sim, finds[i].rows);
        if (search->sim->settings.untangle) {
            sim_untangle_take(search->sim, finds[i].rows);
        }
    }
}

// No batch is of two islands: where chunks end, and with that the order of what they find, depends on one island alone. Visits are
// summed up in their order once all of them were made, so that a tick is given up at the same one whoever made them. How
// long the next batch may be follows from that count as well.
static void visits_count(struct sim_search *search)
{
    struct sim_meet *meet = search->meet;
    const uint64_t before = meet->tested;
    for (uint32_t v = 0; v < search->visit_count; v++) {
        const struct sim_visit *visit = &meet->visits[v];
        meet->tested += visit->tested;
        meet->members[visit->members[0]].tested += visit->tested;
        meet->members[visit->members[1]].tested += visit->tested;
    }
    uint32_t *most = &meet->islands[search->island].visits_most;
    if (meet->tested - before > SIM_VISITS_TESTS && *most > SIM_VISITS_LEAST) {
        *most /= 2;
    } else if (meet->tested - before < SIM_VISITS_TESTS / 4 && *most < SIM_VISITS) {
        *most *= 2;
    }
    search->over = sim_meet_over(search->sim);
}

static void visits_end(struct sim_search *search)
{
    struct sim_meet *meet = search->meet;
    const uint32_t chunks = (search->visit_count + SIM_VISITS_CHUNK - 1) / SIM_VISITS_CHUNK;
    const bool shared = search->shared = meet->parallel && meet->parallel->width > 1 && chunks > 1;
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        meet->visited[chunk] = chunk * SIM_VISITS_CHUNK;
    }
    if (shared) {
        meet->parallel->run(meet->parallel, chunks, chunk_look, search);
    }
    const bool placed =
        shared && !search->crossings && all_visited(search, chunks) && chunks_place(search, 0, chunks);
    if (placed) {
        meet->parallel->run(meet->parallel, chunks, chunk_put, search);
    }
    for (uint32_t chunk = 0; !placed && chunk < chunks; chunk++) {
        uint32_t end = (chunk + 1) * SIM_VISITS_CHUNK;
        end = end < search->visit_count ? end : search->visit_count;
        if (shared) {
            chunk_take(search, chunk);
        }
        while (meet->visited[chunk] < end) {
            chunk_look(search, chunk);
            chunk_take(search, chunk);
        }
    }
    visits_count(search);
    search->visit_count = 0;
}

// ------------------------------------------------------------------------------------------------------ visits

// Walks the trees of two members, from where it was. False if the tick is to rest.
static bool walk_on(struct sim_search *search)
{
    uint32_t leaves[2];
    while (!search->over && sim_walk_next(&search->walk, leaves)) {
        search->meet->visits[search->visit_count++] = (struct sim_visit){
            .members = {search->members[0], search->members[1]}, .leaves = {leaves[0], leaves[1]}};
        if (search->visit_count == search->meet->islands[search->island].visits_most) {
            visits_end(search);
            if (sim_meet_rests(search->sim)) {
                return false;
            }
        }
    }
    search->walking = false;
    return true;
}

static void walk_begin(struct sim_search *search, const struct sim_member *a, const struct sim_member *b)
{
    const struct sim_meet *meet = search->meet;
    const struct sim_chart_limit limit = {search->crossings ? 0 : 2 * a->thickness, !search->crossings};
    search->members[0] = (uint32_t)(a - meet->members);
    search->members[1] = (uint32_t)(b - meet->members);
    search->walking = true;
    sim_walk_begin(&search->walk, a->body->features, 1, b->body->features, 1,
                   meet->islands[a->island].look == SIM_LOOK_SOME, &limit);
}

// The members of an island, each with itself and those after it.
static bool island_go_on(struct sim_search *search, const struct sim_island *island)
{
    const struct sim_meet *meet = search->meet;
    const bool all = island->look != SIM_LOOK_SOME;
    for (; search->first < island->count && !search->over; search->first++) {
        const struct sim_member *a = &meet->members[meet->by_island[island->first + search->first]];
        for (; search->second < island->count; search->second++) {
            const struct sim_member *b = &meet->members[meet->by_island[island->first + search->second]];
            if (!search->walking && (all || a->dirty || b->dirty) && sim_bodies_meet(a->body, b->body)) {
                walk_begin(search, a, b);
            }
            if (search->walking && !walk_on(search)) {
                return false;
            }
        }
        search->second = search->first + 1;
    }
    return true;
}

bool sim_search_go_on(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    struct sim_search *search = meet->search;
    for (; search->island < meet->island_count && !search->over; search->island++) {
        const struct sim_island *island = &meet->islands[search->island];
        if (island->idle || island->look == SIM_LOOK_NOT) {
            continue;
        }
        if (!island_go_on(search, island)) {
            return false;
        }
        visits_end(search);
        search->first = search->second = 0;
    }
    if (search->crossings) {
        sim_exempt_sort(meet->exempt, meet->exempt_count);
        if (meet->tangle_count > 0) {
            sim_untangle_plan(sim);
        }
    }
    return true;
}

void sim_search_pairs(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    *meet->search = (struct sim_search){.sim = sim, .meet = meet, .over = sim_meet_over(sim)};
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        meet->search->narrow[kind] = sim_narrow_of(meet->isa, (enum sim_pair_kind)kind);
    }
}

void sim_search_crossings(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    *meet->search = (struct sim_search){.sim = sim,
                                        .meet = meet,
                                        .crossings = true,
                                        .over = sim_meet_over(sim),
                                        .may_cross = sim_crossing_sieve_of(meet->isa)};
    meet->exempt_count = meet->tangle_count = meet->tangle_seen = 0;
    meet->tangle_stride = 1;
}
