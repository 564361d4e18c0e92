// Pairs of features whose boxes overlap, by the trees of bodies that share an island.
#ifndef WEFT_SIM_CONTACT_SEARCH_H
#define WEFT_SIM_CONTACT_SEARCH_H

#include "sim/contact/chart.h"
#include "sim/contact/meet.h"

enum {
    SIM_VISITS_CHUNK = 32, // pairs of leaves that one thread looks at
    SIM_VISITS = SIM_MEET_CHUNKS * SIM_VISITS_CHUNK,
    SIM_VISITS_LEAST = 4 * SIM_VISITS_CHUNK,
    SIM_VISITS_TESTS =
        1
        << 18, // pairs of a batch of visits, past which the next one is shorter: a tick may rest between them
    SIM_FINDS = 6144,     // of one chunk
    SIM_VISIT_TESTS = 64, // pairs that comparing the boxes of two leaves counts as
};

// A leaf of one member and a leaf of another or of the same.
struct sim_visit {
    uint32_t members[2];
    uint32_t leaves[2];
    uint32_t tested; // pairs, once it was made
};

enum { SIM_FIND_EE = 128 }; // beside what the pair owns: it is of two edges

// What is found between two leaves: a pair that may come too close, or a crossing.
union sim_find {
    struct sim_pair pair;
    uint32_t rows[5]; // of the edge, of the triangle
};

static inline enum sim_pair_kind sim_find_kind(const union sim_find *find)
{
    return (find->pair.owns & SIM_FIND_EE) != 0 ? SIM_PAIR_EE : SIM_PAIR_VT;
}

// Features that may come as close as they must not, before it is known whether they do: pairs of two bodies, or of one.
struct sim_candidates {
    uint32_t at[4][SIM_LANES];
    uint32_t owns[SIM_LANES];
    float reach;
    float start,
        steps; // substeps that are over when this one begins, and those that tubes are for from then on
    bool same; // in one body: kept no farther apart than they are at rest
    uint32_t count;
};

// What is found out about candidates (record.h).
struct sim_narrowed {
    float reach[SIM_LANES], low[SIM_LANES], slope[SIM_LANES];
};

// Bit i: candidate i may.
typedef uint32_t sim_narrow(const struct sim_meet *meet, const struct sim_candidates *candidates,
                            struct sim_narrowed *narrowed);
sim_narrow *sim_narrow_of(enum sim_isa isa, enum sim_pair_kind kind);

// Edges and triangles that share no row and whose boxes overlap: the places of the edge's rows, then of the triangle's.
struct sim_crossing_candidates {
    uint32_t at[5][SIM_LANES]; // those past the last one are of row 0
    uint32_t count;
};

// Bit i: candidate i may cross, and has to be looked at exactly.
typedef uint32_t sim_crossing_sieve(const struct sim_row *rows,
                                    const struct sim_crossing_candidates *candidates);
sim_crossing_sieve *sim_crossing_sieve_of(enum sim_isa isa);

// A search under way, which may be left between any two batches of visits. One at a time: meet->search.
struct sim_search {
    struct sim *sim;
    struct sim_meet *meet;
    bool crossings; // of all islands; else pairs, of those that ask for them
    bool over;      // the tick has tested more pairs than it may, and is given up
    bool walking;
    bool shared;                    // threads look at chunks at the same time
    uint32_t island, first, second; // of by_island of that island: whose trees are walked, or come next
    uint32_t members[2];
    uint32_t visit_count;
    struct sim_walk walk;
    sim_narrow *narrow[SIM_PAIR_KINDS];
    sim_crossing_sieve *may_cross;
};

// Begins to find pairs into the lists of islands: what each one asks to look for. full of an island: they did not fit.
void sim_search_pairs(struct sim *sim);
// Begins to find crossings, count them and say what is exempt, in order.
void sim_search_crossings(struct sim *sim);
// Goes on with that. False if the tick is to rest before it ends.
bool sim_search_go_on(struct sim *sim);

#endif
