// Bodies that meet themselves and each other, in the course of a tick.
//
//     substep ─▶ constraints ─▶ frame ─▶ which rows left their tubes? ─▶ detect ─▶ push ─▶ colliders ─▶ which left? ─▶ detect
//                                                                                          ─▶ hold back ─▶ which stop outside? ─▶ …
//
// All of it is a function of positions, velocities and settings when the tick begins: nothing outlives a tick but
// memory. Bodies are gone through by id and elements in the order of their mesh, so it depends neither on the order of rows
// nor on threads.
//
// An *island* is what bodies come near each other in. Its *frame* goes as its free particles go in the mean, so what falls as
// a whole does not move at all; where it holds static particles, it stays. A row's *tube* (tube.h) says where the row, seen
// from the frame, may be in each substep until it is looked at again: as long as all stay in theirs, pairs that are not in the
// lists cannot meet. A row that leaves its tube gets another one, and its pairs are found again.
#ifndef WEFT_SIM_CONTACT_MEET_H
#define WEFT_SIM_CONTACT_MEET_H

#include "sim/contact/collide.h"
#include "sim/contact/contact.h"
#include "sim/contact/features.h"
#include "sim/contact/joined.h"
#include "sim/contact/show.h"

struct base_parallel;

// A body that meets something.
struct sim_member {
    struct sim_body *body;
    const struct sim_body
        *copy_of; // an earlier one, of which it is a copy where the tick begins (copies.h); or NULL
    uint32_t island;
    uint32_t was;         // its island before islands were found again; SIM_NO_ISLAND: it had none
    uint32_t root;        // while islands are found: the least member of its own
    bool afresh;          // while islands are found: its island is
    bool fixed;           // it has static particles
    bool free;            // and others
    float thickness;      // r, quanta
    uint32_t seed;        // of its velocities, when the tick began or it woke
    float pace;           // mean way of its rows against the frame in this substep, quanta
    uint64_t tested;      // pairs, in searches of this tick
    bool swept;           // `stood` and `unsettled` of its rows are those of this substep
    bool dirty;           // some of its rows are
    bool moved;           // its tree says that some elements are
    bool unfitted;        // boxes of its tree are of some time before
    int64_t bounds[2][3]; // boxes of its rows all along the sweep of its island, with its thickness, quanta
};

enum { SIM_NO_ISLAND = UINT32_MAX };

// Says what a detection has to find of an island.
enum sim_look {
    SIM_LOOK_NOT,
    SIM_LOOK_SOME,   // pairs that have a dirty row
    SIM_LOOK_ALL,    // all pairs
    SIM_LOOK_TREES,  // its bodies have just been found to be one: boxes of its trees, then all pairs
    SIM_LOOK_ISLANDS // whether its bodies are one
};

// So much of the memory for pairs.
struct sim_room {
    uint64_t lanes[SIM_PAIR_KINDS]; // batches of lists and of near ones
    uint64_t slices[SIM_PAIR_KINDS];
    uint64_t slips, batches, tiles;
};

// The bodies of an island alone decide what is found, pushed and held back in it, and when. So what is far away changes nothing
// of how they move.
struct sim_island {
    uint32_t first, count; // of by_island
    bool fixed;
    bool idle;           // one body that does not meet itself: there is nothing to find
    uint32_t expires;    // the substep in which all its rows are looked at again
    bool left;           // its frame has left the sweep that others keep clear of
    bool calm;           // its rows go slowly against their thickness
    bool truncated;      // in this round of holding back: t says how far its rows go
    int32_t since[3];    // way of the frame since the detection, up to this substep's start, quanta
    int32_t frame[3];    // and in this substep
    float drift[3];      // mean velocity of its rows when this substep was predicted, quanta a substep
    int32_t sweep[2][3]; // least and most of that way that it was detected for
    int64_t middle[3];   // of boxes, quanta

    // Of its members.
    uint32_t seed; // of the nudges of this tick
    float thinnest, thickest, longest;
    float floor;   // least distance that is kept, whatever R is
    bool pressed;  // in this tick a collider or a pin that moves was deep in something when a substep ended
    uint32_t held; // rows in this substep

    enum sim_look look;
    bool standing;        // tubes that are made in this detection stand
    uint32_t halvings;    // of tubes, in a detection
    bool stale;           // lists have changed since near pairs were measured
    bool bounded;         // bounds of its pairs are those of this substep
    bool partial;         // its near lists lack pairs that cannot touch
    bool full;            // pairs did not fit
    uint32_t visits_most; // of a batch of a search: more where they find little
    bool brief;           // nor did they in this tick: tubes are made for a substep
    bool halved;          // tubes do not hold what rows set out to do: rows are held in them
    bool rounds_go_on;    // of holding back in this substep
    uint32_t rounds;
    float way; // how far a row has gone since it was measured, while holding back, quanta

    // Its room: a part of the memory for pairs (rooms.h). A pair is named by its index in the list of its island, and so are batches
    // and tiles.
    struct sim_room place; // where it begins
    struct sim_pair_colors colors;
    struct sim_pair_list lists[SIM_PAIR_KINDS];
    struct sim_slice *slices[SIM_PAIR_KINDS];
    struct sim_near_list near[SIM_PAIR_KINDS]; // by slice (slices.h); count: of all
    uint32_t near_slices[SIM_PAIR_KINDS];      // when the lists were scanned last
    uint32_t *active[SIM_PAIR_KINDS];          // by slice
    float *bounds[SIM_PAIR_KINDS]; // by pair: how far apart it was at least when it was scanned last
    uint32_t active_count[SIM_PAIR_KINDS];
    uint32_t *candidates[SIM_PAIR_KINDS]; // that might cross
    uint32_t candidate_count[SIM_PAIR_KINDS];
    struct sim_push_hand *hands[SIM_PAIR_KINDS]; // by slice
    struct sim_push_lanes *batches;
    uint32_t batch_capacity;
    struct sim_push_tile *tiles; // that were pushed last
    uint32_t tile_count, tile_capacity;
    uint32_t (*tile_blocks)[SIM_TILE_BLOCKS]; // of each tile
    uint32_t *tile_order;                     // tiles, by colour
    uint32_t tile_first[SIM_TILE_COLORS + 1]; // of that order, by colour
    uint32_t block_count;                     // of rows
};

// A path in the layout of a row: its way in a substep, and how far from it tubes are compared (tube.h), quanta.
struct sim_path {
    int32_t way[3];
    float slack;
};

// Four rows, as at[] of a pair, that are left alone since they are about a crossing.
struct sim_exempt {
    uint64_t first, second;
};

// A crossing that is untangled (untangle.h): an edge and a triangle.
struct sim_tangle {
    uint32_t rows[5];
    float c[3];      // of the edge's second end, of the triangle's second and third corners: where it passes
    float normal[3]; // the edge's way against the triangle
    float way;       // in a substep, quanta; 0: nothing says which way
};

// An edge and a body that it crosses.
struct sim_cut {
    struct sim_exempt edge; // bodies of the edge and of what it crosses; both rows
    uint32_t crossings;
    uint32_t wings[2], wing_count; // third corners of the triangles at it; of more than two no wing is right
    bool known;
    enum { SIM_CUT_NEITHER, SIM_CUT_FIRST, SIM_CUT_SECOND } goes; // the end whose piece goes back
};

// By row: the piece that it belongs to, if its surface is cut along a contour.
struct sim_piece {
    uint32_t of;   // another row of it, or this one
    uint32_t size; // particles
};

// If fewer particles may meet, as many pairs may be tested as if there were so many.
enum { SIM_MEET_PARTICLES = 2048 };

enum { SIM_MEET_CHUNKS = 32 };

// A detection, of the islands that ask for one: islands, crossings where the tick begins, trees, then pairs; and from islands on
// with smaller tubes for those whose pairs did not fit.
enum sim_detecting {
    SIM_DETECT_NOTHING,
    SIM_DETECT_ISLANDS,
    SIM_DETECT_CROSSINGS,
    SIM_DETECT_TREES,
    SIM_DETECT_PAIRS
};

// BEFORE: not in this substep, but in the one before it in the same tick.
enum sim_was_stopped { SIM_STOPPED_NOT, SIM_STOPPED, SIM_STOPPED_BEFORE };

// These bits tell what happened to a row before and since its body last began to meet colliders, while something is pressed.
enum sim_unsettled {
    SIM_ROW_MOVED = 1,  // it was elsewhere in the sweep before, or there was none in this substep
    SIM_ROW_PUSHED = 2, // a collider has pushed it at an edge or a triangle since then
};

// A tick may rest while pairs are found: before pushing, or before rows are held back.
enum sim_meet_rest { SIM_MEET_GOES, SIM_MEET_FINDS, SIM_MEET_HOLDS };

// How much of the memory for pairs has been used, in bytes (spare.c).
struct sim_spare {
    uint64_t touched; // by a tick since some was given back last
    uint64_t lately;  // by one of the last ticks
    uint32_t ticks;   // that these are
};

struct sim_meet {
    const struct sim_contact_kernels *kernels;
    const struct sim_tree_kernels *trees;
    const struct sim_collide_kernels *colliders;
    enum sim_isa isa;

    struct sim_member *members; // by id
    uint32_t member_count, member_capacity;
    uint32_t *by_island;        // members, by island and id
    struct sim_island *islands; // as many as members at most
    uint32_t island_count;
    struct sim_island *kept; // as they were before islands were found again
    uint32_t kept_count;
    struct sim_body **sleepers; // bodies that sleep, and would be members, by id
    uint32_t sleeper_count;

    // By row.
    uint32_t row_capacity;
    // detected: the place of the row when its tube was made, or the middle of a standing tube. expected: the place on its path when
    // this substep begins, and when it ends. All are less the way of the island's frame since the detection.
    struct sim_row *detected, *expected[2];
    struct sim_path *paths;
    struct sim_row *measured; // where it was when near pairs were measured
    struct sim_row *rest;   // in the rest shape, low words; w: the longest side of its elements there, quanta
    int32_t (*boxes)[2][3]; // box of its tube until its island expires, against `detected` and the frame
    struct sim_reach *reaches; // the same as floats
    float *within;             // how far from its path it may be
    struct sim_reach *bounds;  // the same with its thickness, from the middle of its island
    uint8_t *dirty;
    uint8_t *crossing;              // of a feature that crosses another one
    uint32_t *island_of, *block_of; // within its island
    float *ways;                    // off its path, when rows were last pushed, or looked at before that
    float *went;                    // when the substep ends: since they were pushed, or off their paths
    struct sim_row *stood; // where it was when its body began to meet colliders last, if something is pressed
    uint8_t *unsettled;    // what has happened to it by then and since: bits of enum sim_unsettled
    uint8_t *stopped;      // whether it was held back, in a round of this substep: enum sim_was_stopped
    float *t, *t_next;
    struct sim_pair_colors colors;

    // Memory for pairs, of which each island has a part (rooms.h).
    struct sim_room room; // all of it
    struct sim_pair_list lists[SIM_PAIR_KINDS];
    struct sim_slice *slices[SIM_PAIR_KINDS];
    struct sim_near_list near[SIM_PAIR_KINDS];
    uint32_t *active[SIM_PAIR_KINDS];
    float *pair_bounds[SIM_PAIR_KINDS];
    uint32_t *candidates[SIM_PAIR_KINDS];
    struct sim_push_hand *hands[SIM_PAIR_KINDS];
    struct sim_push_lanes *batches;
    struct sim_push_tile *tiles;
    uint32_t (*tile_blocks)[SIM_TILE_BLOCKS];
    uint32_t *tile_order;
    uint64_t *block_colors;                // by block of an island: a bit for each colour of its tiles
    uint32_t pairs_most[SIM_PAIR_KINDS];   // of an island: more than it has room for, except in tests
    uint32_t batches_most;                 // likewise
    uint32_t tile_least, tile_blocks_most; // SIM_TILE_ACTIVE and SIM_TILE_BLOCKS, except in tests

    struct sim_spare spare;

    struct sim_joined joined;       // particles that count as one, in this tick
    struct sim_span *spans;         // rows of the members of one island
    struct base_parallel *parallel; // of this tick, or NULL

    // The search for pairs.
    struct sim_search *search;
    struct sim_visit *visits;
    union sim_find *finds;                 // SIM_FINDS of each chunk of visits
    uint32_t *places;                      // in lists, of finds
    uint32_t visited[SIM_MEET_CHUNKS];     // first visit of a chunk that has not been made
    uint32_t find_counts[SIM_MEET_CHUNKS]; // of finds that have not been taken
    uint32_t find_kinds[SIM_MEET_CHUNKS]
                       [SIM_PAIR_KINDS]; // pairs of each kind among them; then where the next one is put

    struct sim_plane *planes;
    uint32_t plane_capacity;
    struct sim_exempt *exempt; // sorted
    uint32_t exempt_count, exempt_capacity;
    struct sim_tangle *tangles;
    uint32_t tangle_count, tangle_capacity;
    uint32_t tangle_seen, tangle_stride; // each so many-th of those that were found
    struct sim_exempt *tangle_keys;
    struct sim_cut *cuts; // sorted
    uint32_t cut_count;
    struct sim_piece *pieces;
    uint32_t vertex_count; // that there is memory for
    struct sim_show show;  // where contact is, for callers that ask

    uint64_t tested;               // pairs, in this tick: one counts each time that it is looked at
    uint64_t tests_max;            // so many may be; a tick of more is given up. 0: any number
    enum sim_detecting detecting;  // what comes next of a detection under way
    enum sim_meet_rest left_at;    // where this substep has been left
    bool (*on_pause)(void *pause); // asked whether to leave it; NULL: nobody is
    void *pause;
    float slack;   // of tubes, as a part of what tube.h says: 1, except in tests
    bool thorough; // sweeps that push again leave nothing out: only in tests
    bool copied;   // some members are copies of others
    bool torn;     // some members have torn
    bool found;    // all pairs have been, in this tick
    bool woken;    // bodies have since, that are no members yet
};

// meet.c
// Memory for what meets once a body with the features `coming` (or NULL) is one of the sim's. False without; nothing has changed then.
bool sim_meet_reserve(struct sim *sim, const struct sim_features *coming);
void sim_meet_destroy(struct sim *sim);

// Whether any body meets something in this tick.
static inline bool sim_meet_any(const struct sim *sim)
{
    return sim->meet && sim->meet->member_count > 0;
}

// Has this tick tested more pairs than it may? Then it is given up, and what contact goes on to find is of no use.
static inline bool sim_meet_over(const struct sim *sim)
{
    return sim_meet_any(sim) && sim->meet->tests_max > 0 && sim->meet->tested > sim->meet->tests_max;
}

// Is a search to be left for a while?
static inline bool sim_meet_rests(const struct sim *sim)
{
    return sim->meet->on_pause && sim->meet->on_pause(sim->meet->pause);
}

// spare.c
// When a tick begins, before anything of the one before it is forgotten.
void sim_meet_spare(struct sim_meet *meet);

// members.c
void sim_meet_begin(struct sim *sim); // a tick
// Wakes a body within a tick. If it meets others, all pairs are looked for again in this substep.
void sim_meet_wake(struct sim *sim, struct sim_body *body);
// Makes members of the sleepers that have woken. Islands and pairs have to be found after it.
void sim_meet_take_woken(struct sim *sim);
// Body number `index` of an island, as islands were found last in this tick; NULL if there is none.
struct sim_body *sim_meet_island(const struct sim *sim, uint32_t island, uint32_t index);
// Whether a feature of the body crossed another one when the tick began.
bool sim_meet_crosses(const struct sim *sim, const struct sim_body *body);

// meet_step.c, hold.c
// Finds the pairs that an iteration pushes. False if the tick is to rest; then it is called again.
bool sim_meet_find(struct sim *sim, struct base_parallel *parallel);
// Finds which pairs of an island are near where its rows have been put since.
void sim_meet_scan(struct sim *sim, struct sim_island *island);
void sim_meet_moved(struct sim *sim); // rows have been put elsewhere, and pairs are pushed next
void sim_meet_push(struct sim *sim);  // then, before colliders
// Once more in the same iteration, because colliders have pushed since: islands in which something is pressed.
void sim_meet_push_again(struct sim *sim);
// Is anything pressed: of a body, or of any (NULL)?
bool sim_meet_pressed(const struct sim *sim, const struct sim_body *body);
// After the last iteration. False as above.
bool sim_meet_hold_back(struct sim *sim, struct base_parallel *parallel);

#endif
