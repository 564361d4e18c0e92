// Features about a crossing, which contact leaves alone for as long as it lasts, since no pair says which way it should go:
// that is for untangle.c, where the world does so.

#include "sim/contact/exempt.h"

#include <stdlib.h>

int sim_exempt_compare(const void *a, const void *b)
{
    const struct sim_exempt *x = a, *y = b;
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    return x->second < y->second ? -1 : x->second > y->second;
}

static void sink(struct sim_exempt *heap, uint32_t at, uint32_t count)
{
    struct sim_exempt item = heap[at];
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && sim_exempt_compare(&heap[child], &heap[child + 1]) < 0;
        if (sim_exempt_compare(&item, &heap[child]) >= 0) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
}

// Sorts in place, because qsort may ask for memory.
void sim_exempt_sort(struct sim_exempt *items, uint32_t count)
{
    for (uint32_t at = count / 2; at > 0; at--) {
        sink(items, at - 1, count);
    }
    for (uint32_t left = count; left > 1; left--) {
        struct sim_exempt greatest = items[0];
        items[0] = items[left - 1];
        items[left - 1] = greatest;
        sink(items, 0, left - 1);
    }
}

static uint64_t both(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

// Rows of a pair: a triangle's in its own order, those of edges and the edges themselves by their rows. Rows are below
// 2^28, so a bit says of which kind it is.
static struct sim_exempt exempt_of(enum sim_pair_kind kind, const uint32_t rows[4])
{
    if (kind == SIM_PAIR_VT) {
        return (struct sim_exempt){both(rows[0] | 1U << 31, rows[1]), both(rows[2], rows[3])};
    }
    uint64_t e = rows[0] < rows[1] ? both(rows[0], rows[1]) : both(rows[1], rows[0]);
    uint64_t f = rows[2] < rows[3] ? both(rows[2], rows[3]) : both(rows[3], rows[2]);
    return e < f ? (struct sim_exempt){e, f} : (struct sim_exempt){f, e};
}

bool sim_exempt_is(const struct sim_meet *meet, enum sim_pair_kind kind, const uint32_t at[4])
{
    const uint32_t rows[4] = {at[0] / SIM_ROW_BYTES, at[1] / SIM_ROW_BYTES, at[2] / SIM_ROW_BYTES,
                              at[3] / SIM_ROW_BYTES};
    const struct sim_exempt key = exempt_of(kind, rows);
    return bsearch(&key, meet->exempt, meet->exempt_count, sizeof key, sim_exempt_compare) != NULL;
}

static void add(struct sim *sim, enum sim_pair_kind kind, const uint32_t rows[4])
{
    struct sim_meet *meet = sim->meet;
    if (meet->exempt_count == meet->exempt_capacity) {
        sim->meetings.dropped++;
        return;
    }
    meet->exempt[meet->exempt_count++] = exempt_of(kind, rows);
}

void sim_exempt_crossing(struct sim *sim, const uint32_t rows[5])
{
    const uint32_t *edge = rows, *t = rows + 2;
    sim->meetings.crossed++;
    sim_show_crossed(sim, edge);
    for (int k = 0; k < 5; k++) {
        sim->meet->crossing[rows[k]] = 1;
    }
    for (int k = 0; k < 2; k++) {
        add(sim, SIM_PAIR_VT, (const uint32_t[4]){edge[k], t[0], t[1], t[2]});
    }
    for (int corner = 0; corner < 3; corner++) {
        add(sim, SIM_PAIR_EE, (const uint32_t[4]){edge[0], edge[1], t[corner], t[(corner + 1) % 3]});
    }
}

bool sim_exempt_beside(const struct sim_meet *meet, enum sim_pair_kind kind, const uint32_t at[4])
{
    uint8_t sides[2] = {0, 0};
    for (uint32_t k = 0; k < 4; k++) {
        sides[sim_pair_first_side(kind, k)] |= meet->crossing[at[k] / SIM_ROW_BYTES];
    }
    return sides[0] != 0 && sides[1] != 0;
}
