// Contact of cloth and soft bodies: pairs that were found are scanned, measured, coloured and pushed apart, and what
// pushing did not manage is held back. Nothing here asks for memory; whoever calls gives arrays and their sizes.
//
//     detection ─▶ lists ─scan─▶ near ─measure─▶ active ─color, deal─▶ push ─▶ colliders ─▶ sift ─▶ truncate ─▶ remember
//                                                            ▲                                                       │
//                                                            └──────────────────── slips ────────────────────────────┘
//
// R: reach. X0, X: rows at the substep's start and now. frame: the way of an island's frame in this substep. Positions
// of one island lie within 2^31 quanta of each other.
#ifndef WEFT_SIM_CONTACT_CONTACT_H
#define WEFT_SIM_CONTACT_CONTACT_H

#include "sim/contact/record.h"
#include "sim/state/long.h"

// How far rows are off: the greater of |ends - end_from - end_frame| and |starts - start_from - start_frame|, rounded up.
// starts NULL: the former alone.
struct sim_ways {
    const struct sim_row *start_from, *end_from, *starts, *ends;
    int32_t start_frame[3], end_frame[3];
};

// Which pairs a sift picks: low + slope k - ways of both sides < max(R * share, floor), for k = since or k = until.
struct sim_sieve {
    const float *ways; // by row
    float share, floor;
    float since, until; // substeps
};

// Lower bounds of the distances of pairs, by their index, and the ways that rows have gone since pairs were scanned last. A pair
// may touch if the bound less the ways of both sides is below R * share + wrong.
struct sim_bounded {
    float *bounds;
    const float *ways;
    float share, wrong;
};

// Ways of rows in a substep: from starts to rows, of which a row that is held back goes a part, and all of that of the frame.
// max(R * share, floor) is what is kept between two sides.
struct sim_staying {
    const struct sim_row *rows, *starts;
    int32_t frame[3];
    float share, floor;
};

struct sim_push_times {
    float beta;  // part of an old overlap that goes in a substep
    float v_out; // and the greatest such part, quanta
    uint32_t seed, turn;
    bool keeps;                          // what remember needs: in the last push of a substep
    const struct sim_tethered *tethered; // by row; NULL: no row has tethers
    bool slides;                         // what slides has another friction in some pair
};

// The kernels of one instruction set. Those of pairs come for each kind. first and end are batches of a list.
struct sim_contact_kernels {
    // Writes the ways of rows first ... first + count - 1 to out, by row. Returns the greatest.
    float (*ways)(const struct sim_ways *ways, uint32_t first, uint32_t count, float *out);
    // Lanes of a batch that have a row with dirty[row] != 0. Three bytes past the last row's may be read.
    uint32_t (*dirty)(const struct sim_pair_lanes *pairs, const uint8_t *dirty);
    // Appends the pairs that the sieve picks to near, which has room for all of them.
    void (*scan[SIM_PAIR_KINDS])(const struct sim_pair_list *pairs, uint32_t first, uint32_t end,
                                 const struct sim_sieve *sieve, struct sim_near_list *near);
    // Writes to bounds, by pair, the least distances that the sieve compares with what is kept.
    void (*bound[SIM_PAIR_KINDS])(const struct sim_pair_list *pairs, uint32_t first, uint32_t end,
                                  const struct sim_sieve *sieve, float *bounds);
    // Appends those pairs alone that the sieve picks and that may touch. Bounds become those of where rows are now. Returns how many
    // the sieve picks.
    uint32_t (*scan_bounded[SIM_PAIR_KINDS])(const struct sim_pair_list *pairs, uint32_t first, uint32_t end,
                                             const struct sim_sieve *sieve, const struct sim_bounded *bounded,
                                             struct sim_near_list *near);
    // Low becomes a lower bound of the distance now. Writes the indices of near pairs that are closer than 1.02 R and
    // whose features are theirs to push, in their order; returns how many.
    uint32_t (*measure[SIM_PAIR_KINDS])(const struct sim_row *rows, struct sim_near_list *near,
                                        uint32_t first, uint32_t end, uint32_t *active);
    // Indices of the pairs that the sieve picks, of near ones or of all; returns how many.
    uint32_t (*sift_near[SIM_PAIR_KINDS])(const struct sim_near_list *near, uint32_t first, uint32_t end,
                                          const struct sim_sieve *sieve, uint32_t *out);
    uint32_t (*sift_all[SIM_PAIR_KINDS])(const struct sim_pair_list *pairs, uint32_t first, uint32_t end,
                                         const struct sim_sieve *sieve, uint32_t *out);
    // Takes those of so many pairs of the list away that stay apart wherever on their ways their rows stop, and returns how
    // many are left. The others keep their order.
    uint32_t (*stay[SIM_PAIR_KINDS])(const struct sim_staying *staying, const struct sim_pair_list *list,
                                     uint32_t *pairs, uint32_t count);
    // Pushes apart at present rows, batches first ... end - 1 in their order.
    void (*push)(struct sim_row *rows, const struct sim_row *starts, struct sim_push_lanes *batches,
                 uint32_t first, uint32_t end, const struct sim_push_times *times);
    // Writes the slip that is left when the substep ends to where the batches have it from.
    void (*remember)(const struct sim_row *rows, const struct sim_row *starts,
                     const struct sim_push_lanes *batches, uint32_t first, uint32_t end,
                     struct sim_slip *slips);
};

// choose.c
const struct sim_contact_kernels *sim_contact_kernels_of(enum sim_isa isa);

// ------------------------------------------------------------------------------------------------- color.c

// Colours in use by row. A static row (w = 0) has none.
struct sim_pair_colors {
    uint64_t (*used)[2];
    uint32_t serial;        // pairs without a colour of their own
    uint32_t count;         // one more than the highest colour that was taken since they were cleared
    struct sim_slips slips; // of pairs that have a colour: room for all pairs
};

// Takes back all colours and slips; whoever calls clears used.
void sim_pair_colors_clear(struct sim_pair_colors *colors);
// A pair touches for the first time: gives it the lowest colour that is free, and a slip of 0. Returns its tag.
uint32_t sim_pair_touches(struct sim_pair_colors *colors, struct sim_pair_list *list,
                          const struct sim_row *rows, uint32_t pair, struct sim_rubs rubs);
// Makes holes of the pairs in batches first ... end - 1 that have a row with dirty[row] != 0 and have not touched. Indices of the
// others that have such a row go to out: they are to be dropped one by one. Threads may do so with batches of their own.
struct sim_dropped {
    uint32_t colored;      // in out
    uint32_t holes, first; // that were made; UINT32_MAX: none
};
struct sim_dropped sim_pairs_drop(const struct sim_contact_kernels *kernels, struct sim_pair_list *list,
                                  uint32_t first, uint32_t end, const uint8_t *dirty, uint32_t *out);
// Then the list learns of these holes.
void sim_pairs_dropped(struct sim_pair_list *list, const struct sim_dropped *dropped);
// Makes a hole of a pair, and takes its colour and slip back. w of rows is what it was when the pair was coloured.
void sim_pair_drop(struct sim_pair_colors *colors, struct sim_pair_list *list, const struct sim_row *rows,
                   uint32_t pair);
// Adds one pair, which has not touched. Returns its index, or UINT32_MAX if the list is full.
struct sim_pair {
    uint32_t at[4];
    float reach, low, slope;
    uint32_t owns;
};
uint32_t sim_pairs_add(struct sim_pair_list *list, const struct sim_pair *pair);
// Gives so many pairs the places that sim_pairs_add would give them one after the other. They have to be put there before anything
// else is done with the list. False, and nothing changes, if they do not fit.
bool sim_pairs_places(struct sim_pair_list *list, uint32_t count, uint32_t *places);
static inline void sim_pairs_put(struct sim_pair_list *list, uint32_t to, const struct sim_pair *pair)
{
    struct sim_pair_lanes *lanes = &list->lanes[to / SIM_LANES];
    struct sim_pair_rest *rest = &list->rest[to / SIM_LANES];
    const uint32_t lane = to % SIM_LANES;
    for (int k = 0; k < 4; k++) {
        lanes->at[k][lane] = pair->at[k];
    }
    lanes->reach[lane] = pair->reach;
    lanes->low[lane] = pair->low;
    lanes->slope[lane] = pair->slope;
    rest->tag[lane] =
        (uint16_t)((pair->owns & SIM_PAIR_OWNS) | (uint32_t)SIM_PAIR_UNCOLORED << SIM_PAIR_COLOR_SHIFT);
    rest->slip[lane] = 0;
}

// -------------------------------------------------------------------------------------------------- deal.c

// Contacts of one kind to be dealt out: of each part of `near`, those whose indices `active` has.
struct sim_push_hand {
    const struct sim_near_lanes *near;
    const uint32_t *active;
    uint32_t count;
};
// Puts them into batches: by colour, then in their order. Returns how many batches that takes: at most count / SIM_LANES, and
// one more for each colour.
uint32_t sim_push_deal(const struct sim_pair_list *list, const struct sim_slip *slips,
                       enum sim_pair_kind kind, const struct sim_push_hand *hands, uint32_t hand_count,
                       struct sim_push_lanes *batches, uint32_t capacity);

#endif
