// Colours of pairs: no free row is in two pairs of one colour. When a pair first touches, it takes the lowest colour that none
// of its free rows has. It keeps the colour for as long as it lives; then it gives its bits back. Most pairs never touch, and
// cost nothing here.

#include "base/assert.h"
#include "sim/contact/contact.h"

#include <string.h>

static uint64_t *used_by(const struct sim_pair_colors *colors, const struct sim_row *rows, uint32_t row)
{
    return rows[row].w > 0 ? colors->used[row] : NULL;
}

static uint32_t lowest_free(const uint64_t used[2])
{
    uint64_t low = ~used[0], high = ~used[1] & ~((uint64_t)1 << 63); // 127 is not a colour
    if (low != 0) {
        return (uint32_t)__builtin_ctzll(low);
    }
    return high != 0 ? 64 + (uint32_t)__builtin_ctzll(high) : (uint32_t)SIM_PAIR_SERIAL;
}

static uint32_t slip_take(struct sim_slips *slips, struct sim_rubs rubs)
{
    uint32_t taken = slips->count;
    if (slips->free > 0) {
        taken = slips->free - 1;
        slips->free = slips->items[taken].next;
    } else {
        BASE_ASSERT(slips->count < slips->capacity); // there is one for each pair
        slips->count++;
    }
    slips->items[taken] = (struct sim_slip){.friction = rubs.holds, .slides = rubs.slides};
    return taken;
}

uint32_t sim_pair_touches(struct sim_pair_colors *colors, struct sim_pair_list *list,
                          const struct sim_row *rows, uint32_t pair, struct sim_rubs rubs)
{
    list->rest[pair / SIM_LANES].slip[pair % SIM_LANES] = slip_take(&colors->slips, rubs);
    uint64_t *of[4], used[2] = {0, 0};
    for (uint32_t k = 0; k < 4; k++) {
        of[k] = used_by(colors, rows, sim_pair_row(list, pair, k));
        if (of[k]) {
            used[0] |= of[k][0];
            used[1] |= of[k][1];
        }
    }
    uint32_t lowest = lowest_free(used);
    uint16_t *tag = &list->rest[pair / SIM_LANES].tag[pair % SIM_LANES];
    *tag = (uint16_t)((*tag & SIM_PAIR_OWNS) | lowest << SIM_PAIR_COLOR_SHIFT);
    colors->serial += lowest == SIM_PAIR_SERIAL;
    colors->count = lowest < colors->count ? colors->count : lowest + 1;
    for (uint32_t k = 0; k < 4 && lowest != SIM_PAIR_SERIAL; k++) {
        if (of[k]) {
            of[k][lowest / 64] |= (uint64_t)1 << lowest % 64;
        }
    }
    return *tag;
}

static void uncolor(struct sim_pair_colors *colors, const struct sim_pair_list *list,
                    const struct sim_row *rows, uint32_t pair)
{
    const struct sim_pair_rest *rest = &list->rest[pair / SIM_LANES];
    uint32_t taken = sim_pair_color(rest->tag[pair % SIM_LANES]), slip = rest->slip[pair % SIM_LANES];
    if (taken == SIM_PAIR_UNCOLORED) {
        return;
    }
    colors->slips.items[slip].next = colors->slips.free;
    colors->slips.free = slip + 1;
    colors->serial -= taken == SIM_PAIR_SERIAL;
    for (uint32_t k = 0; k < 4 && taken < SIM_PAIR_SERIAL; k++) {
        uint64_t *of = used_by(colors, rows, sim_pair_row(list, pair, k));
        if (of) {
            of[taken / 64] &= ~((uint64_t)1 << taken % 64);
        }
    }
}

void sim_pair_colors_clear(struct sim_pair_colors *colors)
{
    colors->serial = colors->count = 0;
    colors->slips.count = colors->slips.free = 0;
}

// A pair that has not touched has no slip and no colour to forget.
static inline void make_plain_hole(struct sim_pair_lanes *lanes, uint32_t lane)
{
    for (int k = 0; k < 4; k++) {
        lanes->at[k][lane] = 0;
    }
    lanes->reach[lane] = lanes->slope[lane] = 0;
    lanes->low[lane] = SIM_PAIR_FAR;
}

static void make_hole(struct sim_pair_list *list, uint32_t pair)
{
    struct sim_pair_rest *rest = &list->rest[pair / SIM_LANES];
    const uint32_t lane = pair % SIM_LANES;
    make_plain_hole(&list->lanes[pair / SIM_LANES], lane);
    rest->tag[lane] = (uint16_t)SIM_PAIR_UNCOLORED << SIM_PAIR_COLOR_SHIFT;
    rest->slip[lane] = 0;
}

static bool is_uncolored(const struct sim_pair_list *list, uint32_t pair)
{
    return sim_pair_color(list->rest[pair / SIM_LANES].tag[pair % SIM_LANES]) == SIM_PAIR_UNCOLORED;
}

// Holes have row 0, which never is dirty.
struct sim_dropped sim_pairs_drop(const struct sim_contact_kernels *kernels, struct sim_pair_list *list,
                                  uint32_t first, uint32_t end, const uint8_t *dirty, uint32_t *out)
{
    struct sim_dropped dropped = {.first = UINT32_MAX};
    for (uint32_t b = first; b < end; b++) {
        for (uint32_t lanes = kernels->dirty(&list->lanes[b], dirty); lanes != 0; lanes &= lanes - 1) {
            const uint32_t pair = b * SIM_LANES + (uint32_t)__builtin_ctz(lanes);
            if (!is_uncolored(list, pair)) {
                out[dropped.colored++] = pair;
                continue;
            }
            make_plain_hole(&list->lanes[b], pair % SIM_LANES);
            dropped.first = dropped.holes++ == 0 ? pair : dropped.first;
        }
    }
    return dropped;
}

void sim_pairs_dropped(struct sim_pair_list *list, const struct sim_dropped *dropped)
{
    if (dropped->holes > 0) {
        list->first_hole =
            list->holes == 0 || dropped->first < list->first_hole ? dropped->first : list->first_hole;
        list->holes += dropped->holes;
    }
}

void sim_pair_drop(struct sim_pair_colors *colors, struct sim_pair_list *list, const struct sim_row *rows,
                   uint32_t pair)
{
    uncolor(colors, list, rows, pair);
    make_hole(list, pair);
    list->first_hole = list->holes == 0 || pair < list->first_hole ? pair : list->first_hole;
    list->holes++;
}

// A batch that is not full has holes after the last pair.
static void end_holes_make(struct sim_pair_list *list)
{
    for (uint32_t i = list->count; i % SIM_LANES != 0; i++) {
        make_hole(list, i);
    }
}

// Bit i: lane i is a hole. Four lanes at a time.
static uint32_t holes_of(const struct sim_pair_lanes *lanes)
{
    typedef uint32_t four __attribute__((vector_size(16)));
    typedef float four_floats __attribute__((vector_size(16)));
    const four_floats far = {SIM_PAIR_FAR, SIM_PAIR_FAR, SIM_PAIR_FAR, SIM_PAIR_FAR};
    four bits = {1, 2, 4, 8}, holes = {0, 0, 0, 0};
    for (uint32_t lane = 0; lane < SIM_LANES; lane += 4) {
        four_floats low;
        memcpy(&low, lanes->low + lane, sizeof low);
        holes |= (four)(low >= far) & bits;
        bits <<= 4;
    }
    return (holes[0] | holes[1]) | (holes[2] | holes[3]);
}

bool sim_pairs_places(struct sim_pair_list *list, uint32_t count, uint32_t *places)
{
    uint32_t found = 0;
    if (count > list->capacity - list->count + list->holes) {
        return false;
    }
    const uint32_t into_holes = count < list->holes ? count : list->holes;
    for (uint32_t b = list->first_hole / SIM_LANES; found < into_holes; b++) {
        for (uint32_t lanes = holes_of(&list->lanes[b]); lanes != 0 && found < into_holes;
             lanes &= lanes - 1) {
            const uint32_t at = b * SIM_LANES + (uint32_t)__builtin_ctz(lanes);
            places[found] = at;
            found += at >= list->first_hole;
        }
    }
    list->holes -= into_holes;
    list->first_hole = into_holes > 0 ? places[into_holes - 1] + 1 : list->first_hole;
    for (; found < count; found++) {
        places[found] = list->count++;
    }
    end_holes_make(list);
    return true;
}

uint32_t sim_pairs_add(struct sim_pair_list *list, const struct sim_pair *pair)
{
    uint32_t to;
    if (!sim_pairs_places(list, 1, &to)) {
        return UINT32_MAX;
    }
    sim_pairs_put(list, to, pair);
    return to;
}
