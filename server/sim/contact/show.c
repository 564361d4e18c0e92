// Lists of where contact is, made of marks when the last substep ends: the memory is there, and the order is that of bodies by
// id and of particles by index, whatever the rows are. By then rows have nothing to say any more, since edits may move them.

#include "sim/contact/show.h"

#include "sim/contact/meet.h"
#include "sim/contact/slices.h"
#include "sim/contact/truncate.h"

enum { MARK_TOUCHING = 1, MARK_HELD = 2 };

void sim_shown_want(struct sim *sim, bool wanted)
{
    if (sim->meet) {
        sim->meet->show.wanted = wanted;
    }
}

void sim_shown_forget(struct sim *sim)
{
    if (sim->meet) {
        sim->meet->show.known = false;
    }
}

void sim_shown_of(const struct sim *sim, struct sim_shown *shown)
{
    *shown = (struct sim_shown){.known = sim->meet && sim->meet->show.known};
    for (int kind = 0; shown->known && kind < SIM_SHOWN_KINDS; kind++) {
        const struct sim_shown_list *list = &sim->meet->show.lists[kind];
        shown->count[kind] = list->count;
        shown->more[kind] = list->more;
        shown->bodies[kind] = list->bodies;
        shown->particles[kind] = list->particles;
    }
}

void sim_show_begin(struct sim *sim)
{
    struct sim_show *show = &sim->meet->show;
    show->known = false;
    show->under_way = show->wanted && sim->meet->member_count > 0;
    for (int kind = 0; show->under_way && kind < SIM_SHOWN_KINDS; kind++) {
        show->lists[kind].count = show->lists[kind].more = 0;
    }
    if (show->under_way) {
        memset(show->marks, 0, sim->meet->row_capacity);
    }
}

// ----------------------------------------------------------------------------------------------------- a tick

void sim_show_held(struct sim *sim, const struct sim_span *span)
{
    const struct sim_meet *meet = sim->meet;
    for (uint32_t row = span->first; meet->show.under_way && row < span->first + span->count; row++) {
        if (meet->t[row] < 1 && sim->rows[row].w > 0) {
            meet->show.marks[row] |= MARK_HELD;
        }
    }
}

static void slice_mark(const struct sim_meet *meet, const struct sim_island *island, int kind, uint32_t slice)
{
    const struct sim_near_list near = sim_slice_near(island, kind, slice);
    const uint32_t *active = sim_slice_active(island, kind, slice);
    for (uint32_t i = 0; i < island->slices[kind][slice].active; i++) {
        const struct sim_pair_lanes *lanes = &near.lanes[active[i] / SIM_LANES].pairs;
        for (uint32_t k = 0; k < 4; k++) {
            meet->show.marks[lanes->at[k][active[i] % SIM_LANES] / SIM_ROW_BYTES] |= MARK_TOUCHING;
        }
    }
}

static void touching_mark(const struct sim_meet *meet, const struct sim_island *island)
{
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        for (uint32_t s = 0; s < island->near_slices[kind]; s++) {
            slice_mark(meet, island, kind, s);
        }
    }
}

void sim_show_touching(struct sim *sim)
{
    const struct sim_meet *meet = sim->meet;
    for (uint32_t i = 0; meet->show.under_way && i < meet->island_count; i++) {
        touching_mark(meet, &meet->islands[i]);
    }
}

static const struct sim_body *body_of(const struct sim *sim, uint32_t row)
{
    uint32_t least = 0, count = sim->body_count; // the last body that begins at or before the row
    while (count > 1) {
        uint32_t half = count / 2;
        least += sim->by_row[least + half]->first_row <= row ? half : 0;
        count -= half;
    }
    return sim->by_row[least];
}

void sim_show_crossed(struct sim *sim, const uint32_t edge[2])
{
    struct sim_show *show = &sim->meet->show;
    struct sim_shown_list *list = &show->lists[SIM_SHOWN_CROSSED];
    if (!show->under_way) {
        return;
    }
    if (list->count == SIM_SHOWN_MAX) {
        list->more++;
        return;
    }
    const struct sim_body *body = body_of(sim, edge[0]);
    uint32_t a = body->index_of[edge[0] - body->first_row], b = body->index_of[edge[1] - body->first_row];
    list->bodies[list->count] = body->id;
    list->particles[2 * list->count] = a < b ? a : b;
    list->particles[2 * list->count + 1] = a < b ? b : a;
    list->count++;
}

// ------------------------------------------------------------------------------------------------------- lists

struct place {
    uint32_t body, a, b;
};

static struct place place_at(const struct sim_shown_list *list, uint32_t i)
{
    return (struct place){list->bodies[i], list->particles[2 * i], list->particles[2 * i + 1]};
}

static void place_put(struct sim_shown_list *list, uint32_t i, struct place place)
{
    list->bodies[i] = place.body;
    list->particles[2 * i] = place.a;
    list->particles[2 * i + 1] = place.b;
}

static bool is_before(struct place x, struct place y)
{
    if (x.body != y.body) {
        return x.body < y.body;
    }
    return x.a != y.a ? x.a < y.a : x.b < y.b;
}

// Sorts by body and particles, and leaves each edge once, however many triangles it passes. It is Shell's sort with Ciura's gaps,
// because qsort may ask for memory.
static void edges_sort(struct sim_shown_list *list)
{
    static const uint32_t gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (uint32_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++) {
        for (uint32_t i = gaps[g]; i < list->count; i++) {
            struct place place = place_at(list, i);
            uint32_t at = i;
            for (; at >= gaps[g] && is_before(place, place_at(list, at - gaps[g])); at -= gaps[g]) {
                place_put(list, at, place_at(list, at - gaps[g]));
            }
            place_put(list, at, place);
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (kept == 0 || is_before(place_at(list, kept - 1), place_at(list, i))) {
            place_put(list, kept++, place_at(list, i));
        }
    }
    list->count = kept;
}

static void list_add(struct sim_shown_list *list, uint32_t body, uint32_t particle)
{
    if (list->count == SIM_SHOWN_MAX) {
        list->more++;
        return;
    }
    list->bodies[list->count] = body;
    list->particles[list->count++] = particle;
}

void sim_show_end(struct sim *sim)
{
    const struct sim_meet *meet = sim->meet;
    struct sim_show *show = &sim->meet->show;
    if (!show->under_way) {
        return;
    }
    for (uint32_t m = 0; m < meet->member_count; m++) {
        const struct sim_body *body = meet->members[m].body;
        for (uint32_t i = 0; i < body->count; i++) {
            uint8_t mark = show->marks[body->first_row + body->row_of[i]];
            if ((mark & MARK_TOUCHING) != 0) {
                list_add(&show->lists[SIM_SHOWN_TOUCHING], body->id, i);
            }
            if ((mark & MARK_HELD) != 0) {
                list_add(&show->lists[SIM_SHOWN_HELD], body->id, i);
            }
        }
    }
    edges_sort(&show->lists[SIM_SHOWN_CROSSED]);
    show->known = true;
}
