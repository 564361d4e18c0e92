// Lists of pairs, gone through in slices of so many pairs each, by as many threads as there are.
//
// A slice has places of its own in near, active and candidates, which begin where its pairs begin in the list. So slices need
// not wait for each other. What they come to is taken in their order, whoever made them.
#ifndef WEFT_SIM_CONTACT_SLICES_H
#define WEFT_SIM_CONTACT_SLICES_H

#include "base/parallel.h"
#include "sim/contact/meet.h"

// Tasks 0 ... count - 1, on this thread if parallel is NULL.
static inline void sim_share_out(struct base_parallel *parallel, uint32_t count, base_task task,
                                 void *context)
{
    if (parallel && count > 1) {
        parallel->run(parallel, count, task, context);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        task(context, i);
    }
}

// Rows or leaves of one body, in parts that threads share: so many parts at most, each of so many at least. Rows are light if
// little is done with each of them.
enum { SIM_PARTS_MOST = 64, SIM_PART_ROWS = 256, SIM_PART_LIGHT_ROWS = 512, SIM_PART_LEAVES = 32 };
struct sim_split {
    uint32_t size, count; // of each part except the last one; parts
};

static inline struct sim_split sim_split_of(uint32_t count, uint32_t least)
{
    const uint32_t even = (count + SIM_PARTS_MOST - 1) / SIM_PARTS_MOST,
                   size = even < least ? least : (even + least - 1) / least * least;
    return (struct sim_split){size, (count + size - 1) / size};
}

static inline uint32_t sim_split_end(const struct sim_split *parts, uint32_t part, uint32_t count)
{
    return count - part * parts->size < parts->size ? count : (part + 1) * parts->size;
}

static inline uint32_t sim_slices_of(uint32_t pairs)
{
    return (pairs + SIM_SLICE_PAIRS - 1) / SIM_SLICE_PAIRS;
}

// The near pairs of a slice.
static inline struct sim_near_list sim_slice_near(const struct sim_island *island, int kind, uint32_t slice)
{
    return (struct sim_near_list){.lanes = island->near[kind].lanes + (size_t)slice * SIM_SLICE_BATCHES,
                                  .count = island->slices[kind][slice].near,
                                  .capacity = SIM_SLICE_PAIRS};
}

// Those of them that touch, as indices of the slice's near pairs.
static inline uint32_t *sim_slice_active(const struct sim_island *island, int kind, uint32_t slice)
{
    return island->active[kind] + (size_t)slice * SIM_SLICE_PAIRS;
}

// Picks the pairs of an island that may be as close as R, by meet->ways.
struct sim_sieve sim_sieve_near(const struct sim *sim, const struct sim_island *island);
// Which pairs of an island's lists are near, and which of these touch where `rows` has their rows. bounds: also how far apart all pairs
// are at least.
void sim_slices_scan(struct sim *sim, struct sim_island *island, const struct sim_sieve *sieve,
                     const struct sim_row *rows, bool bounds);
// The same where rows are now, since bounds were found: meet->went is how far rows have gone since. It comes to the same pairs that
// touch, and to the same number of near ones. But the near lists get only those of them that may touch, so few are measured.
void sim_slices_scan_bounded(struct sim *sim, struct sim_island *island, const struct sim_sieve *sieve);
// Puts into the near lists of an island what they lack since then, measured where its rows were.
void sim_slices_complete(struct sim *sim, struct sim_island *island);
// Which of the near pairs touch where rows are now.
void sim_slices_measure(struct sim *sim, struct sim_island *island);
// Candidates: pairs that the sieve picks, of near ones or of all, less those that stay apart.
void sim_slices_sift(struct sim *sim, struct sim_island *island, const struct sim_sieve *sieve,
                     const struct sim_staying *staying, bool all);
// Makes holes of pairs that have a dirty row.
void sim_slices_drop(struct sim *sim, struct sim_island *island);

#endif
