// The memory of a store's batches: shelves of 256, so that room for more is made without moving what there is, and a
// body's batches, laid out aside, are taken over as they stand.
//
//     store.shelves   | 0 | 1 | 2 |   | 4 |         batch b is the one at b % 256 on shelf b / 256
//                       |
//                       batches, ids, meta          one block of memory, for `room` batches
//                       damping   multipliers       one each, in stores that have them
//
// A shelf has room for fewer where no more are needed: small worlds stay small.

#include "base/array.h"
#include "base/assert.h"
#include "base/grow.h"
#include "sim/ground/ground.h"
#include "sim/state/kernels.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <stdlib.h>

enum { ROOM_FIRST = 8, SHELVES_MAX = UINT32_MAX / SIM_LANES / SIM_SHELF };

void sim_store_init(struct sim_store *store, uint32_t kind)
{
    const struct sim_kind_row *row = sim_kind_rows[kind];
    *store = (struct sim_store){
        .kind = kind,
        .stencil = row->stencil,
        .param_count = row->param_count + row->scratch_count + 1,
        .value_count = row->param_count,
        .multiplier_count = row->multiplier_count,
        .words = (row->stencil + row->param_count + row->scratch_count + 1) * SIM_LANES,
        .growing = UINT32_MAX,
    };
}

// Bytes of one batch.
static size_t words_size(const struct sim_store *store)
{
    return store->words * sizeof(uint32_t);
}

static size_t multipliers_size(const struct sim_store *store)
{
    return (size_t)store->multiplier_count * SIM_LANES * sizeof(float);
}

static void shelf_free(struct sim_shelf *shelf)
{
    free(shelf->batches);
    free(shelf->damping);
    free(shelf->multipliers);
    *shelf = (struct sim_shelf){0};
}

void sim_store_deinit(struct sim_store *store)
{
    for (uint32_t s = 0; s < store->shelf_count; s++) {
        shelf_free(&store->shelves[s]);
    }
    free(store->shelves);
    *store = (struct sim_store){0};
}

// ---------------------------------------------------------------------------------------------------- room

static void *lines_alloc(size_t size)
{
    return aligned_alloc(BASE_GROW_ALIGN, (size + BASE_GROW_ALIGN - 1) / BASE_GROW_ALIGN * BASE_GROW_ALIGN);
}

static void *zeros_alloc(size_t size)
{
    void *zeros = lines_alloc(size);
    return !zeros ? NULL : memset(zeros, 0, size);
}

// Adds the arrays that some batches have besides, if they are missing.
static bool shelf_complete(const struct sim_store *store, struct sim_shelf *shelf, bool damped, bool keeps)
{
    if (damped && !shelf->damping) {
        shelf->damping = zeros_alloc(shelf->room * sizeof *shelf->damping);
    }
    if (keeps && !shelf->multipliers) {
        shelf->multipliers = zeros_alloc(shelf->room * multipliers_size(store));
    }
    return (!damped || shelf->damping) && (!keeps || shelf->multipliers);
}

// All batches come to their memory here, so none is ever of a kind that is not linked.
static void require_linked(uint32_t kind)
{
#if defined(SIM_FIRST_MODULE)
    if (kind < SIM_KIND_COUNT && !sim_kernels_of(sim_isa_chosen())->runs[kind]) {
        sim_later(sim_kind_rows[kind]->name);
    }
#else
    (void)kind;
#endif
}

// The same shelf with another room. False without memory, with nothing changed.
static bool shelf_resize(const struct sim_store *store, struct sim_shelf *shelf, uint32_t room)
{
    require_linked(store->kind);
    struct sim_shelf grown = *shelf;
    grown.room = room;
    grown.damping = NULL;
    grown.multipliers = NULL;
    grown.batches = lines_alloc(room * (words_size(store) + sizeof *grown.ids + sizeof *grown.meta));
    if (!grown.batches ||
        !shelf_complete(store, &grown, shelf->damping || store->damped, shelf->multipliers || store->keeps)) {
        shelf_free(&grown);
        return false;
    }
    grown.ids = (void *)((char *)grown.batches + room * words_size(store));
    grown.meta = (void *)(grown.ids + room);
    if (shelf->used > 0) {
        memcpy(grown.batches, shelf->batches, shelf->used * words_size(store));
        memcpy(grown.ids, shelf->ids, shelf->used * sizeof *grown.ids);
        memcpy(grown.meta, shelf->meta, shelf->used * sizeof *grown.meta);
    }
    if (shelf->damping) {
        memcpy(grown.damping, shelf->damping, shelf->used * sizeof *grown.damping);
    }
    if (shelf->multipliers) {
        memcpy(grown.multipliers, shelf->multipliers, shelf->used * multipliers_size(store));
    }
    shelf_free(shelf);
    *shelf = grown;
    return true;
}

// Finds a place where so many shelves can stand in a row.
static uint32_t vacancy(const struct sim_store *store, uint32_t shelves)
{
    uint32_t first = 0;
    for (uint32_t s = 0; s < store->shelf_count && s - first < shelves; s++) {
        first = store->shelves[s].batches ? s + 1 : first;
    }
    return first;
}

static bool table_reserve(struct sim_store *store, uint32_t shelves)
{
    uint64_t need = (uint64_t)store->shelf_count + shelves;
    return need <= SHELVES_MAX && array_reserve(&store->shelves, &store->shelf_capacity, need);
}

// Shelves first ... first + shelves - 1 exist from now on.
static void table_extend(struct sim_store *store, uint32_t first, uint32_t shelves)
{
    while (store->shelf_count < first + shelves) {
        store->shelves[store->shelf_count++] = (struct sim_shelf){0};
    }
    store->open = first < store->open ? first : store->open;
}

static bool shelf_add(struct sim_store *store, uint32_t room)
{
    struct sim_shelf shelf = {.free_first = SIM_NO_BATCH};
    if (!table_reserve(store, 1) || !shelf_resize(store, &shelf, room)) {
        return false;
    }
    uint32_t place = vacancy(store, 1);
    table_extend(store, place, 1);
    store->shelves[place] = shelf;
    store->free_count += room;
    store->growing = place;
    return true;
}

// Room for more batches, `need` of them or as many as one shelf has.
static bool grow(struct sim_store *store, uint32_t need)
{
    struct sim_shelf *shelf = store->growing == UINT32_MAX ? NULL : &store->shelves[store->growing];
    if (shelf && shelf->room == SIM_SHELF) {
        return shelf_add(store, SIM_SHELF);
    }
    uint32_t before = !shelf ? 0 : shelf->room, least = before == 0 ? ROOM_FIRST : 2 * before;
    uint32_t room = before + (need < SIM_SHELF ? need : SIM_SHELF);
    room = room < least ? least : room;
    room = room < SIM_SHELF ? room : SIM_SHELF;
    if (!shelf) {
        return shelf_add(store, room);
    }
    if (!shelf_resize(store, shelf, room)) {
        return false;
    }
    store->free_count += room - before;
    store->open = store->growing < store->open ? store->growing : store->open;
    return true;
}

bool sim_store_reserve(struct sim_store *store, uint32_t batches)
{
    bool done = true;
    while (done && store->free_count < batches) {
        done = grow(store, batches - store->free_count);
    }
    return done;
}

static bool all_complete(struct sim_store *store, bool damped, bool keeps)
{
    bool done = true;
    for (uint32_t s = 0; done && s < store->shelf_count; s++) {
        struct sim_shelf *shelf = &store->shelves[s];
        done = !shelf->batches || shelf_complete(store, shelf, damped, keeps);
    }
    return done;
}

bool sim_store_damping_reserve(struct sim_store *store)
{
    store->damped = store->damped || all_complete(store, true, false);
    return store->damped;
}

bool sim_store_multipliers_reserve(struct sim_store *store)
{
    store->keeps = store->keeps || all_complete(store, false, true);
    return store->keeps;
}

void sim_store_multipliers_release(struct sim_store *store)
{
    for (uint32_t s = 0; s < store->shelf_count; s++) {
        free(store->shelves[s].multipliers);
        store->shelves[s].multipliers = NULL;
    }
    store->keeps = false;
}

void sim_store_multipliers_clear(struct sim_store *store)
{
    for (uint32_t s = 0; store->keeps && s < store->shelf_count; s++) {
        const struct sim_shelf *shelf = &store->shelves[s];
        if (shelf->used > 0) {
            memset(shelf->multipliers, 0, shelf->used * multipliers_size(store));
        }
    }
}

void sim_store_fit(struct sim_store *store)
{
    if (store->growing == UINT32_MAX) {
        return;
    }
    struct sim_shelf *shelf = &store->shelves[store->growing];
    uint32_t before = shelf->room;
    if (shelf->used > 0 && shelf->used < before && shelf_resize(store, shelf, shelf->used)) {
        store->free_count -= before - shelf->room;
    }
}

static void trim(struct sim_store *store)
{
    for (uint32_t s = store->shelf_count; s > 0; s--) {
        struct sim_shelf *shelf = &store->shelves[s - 1];
        if (shelf->live == 0) {
            store->free_count -= shelf->room;
            store->growing = store->growing == s - 1 ? UINT32_MAX : store->growing;
            shelf_free(shelf);
        }
        store->shelf_count -= !shelf->batches && s == store->shelf_count;
    }
    store->open = store->open < store->shelf_count ? store->open : store->shelf_count;
}

void sim_stores_trim(struct sim *sim)
{
    for (int kind = 0; kind < SIM_STORE_COUNT; kind++) {
        trim(&sim->stores[kind]);
    }
}

// ------------------------------------------------------------------------------------------------- batches

uint32_t sim_store_batch_take(struct sim_store *store)
{
    BASE_ASSERT(store->free_count > 0);
    while (store->shelves[store->open].live == store->shelves[store->open].room) {
        store->open++;
    }
    struct sim_shelf *shelf = &store->shelves[store->open];
    uint32_t batch = shelf->free_first;
    if (batch == SIM_NO_BATCH) {
        batch = store->open * SIM_SHELF + shelf->used++;
    } else {
        shelf->free_first = *sim_batch_words(store, batch);
    }
    shelf->live++;
    store->free_count--;
    uint32_t place = batch % SIM_SHELF;
    memset(sim_batch_words(store, batch), 0, words_size(store));
    memset(shelf->ids[place], 0, sizeof shelf->ids[place]);
    if (store->damped) {
        memset(shelf->damping[place], 0, sizeof shelf->damping[place]);
    }
    if (store->keeps) {
        memset((char *)shelf->multipliers + place * multipliers_size(store), 0, multipliers_size(store));
    }
    return batch;
}

void sim_store_batch_free(struct sim_store *store, uint32_t batch)
{
    struct sim_shelf *shelf = &store->shelves[batch / SIM_SHELF];
    *sim_batch_words(store, batch) = shelf->free_first;
    sim_batch_meta(store, batch)->tile = NULL;
    shelf->free_first = batch;
    shelf->live--;
    store->free_count++;
    store->open = batch / SIM_SHELF < store->open ? batch / SIM_SHELF : store->open;
}

// --------------------------------------------------------------------------------------------- taking over

bool sim_store_append_reserve(struct sim_store *store, struct sim_store *from, uint32_t shelves)
{
    BASE_ASSERT(store->damped || !from->damped);
    for (uint32_t s = 0; s < from->shelf_count; s++) {
        if (!shelf_complete(store, &from->shelves[s], store->damped, store->keeps)) {
            return false;
        }
    }
    return table_reserve(store, shelves);
}

// base: of its store's batches here. Those that are free are a list of their numbers.
static void shelf_shift(const struct sim_store *store, struct sim_shelf *shelf, uint32_t base,
                        uint32_t row_offset, uint32_t id_offset)
{
    shelf->free_first += shelf->free_first == SIM_NO_BATCH ? 0 : base;
    for (uint32_t b = 0; b < shelf->used; b++) {
        uint32_t *places = shelf->batches + (size_t)b * store->words;
        if (!shelf->meta[b].tile) {
            *places += *places == SIM_NO_BATCH ? 0 : base;
            continue;
        }
        for (uint32_t i = 0; i < store->stencil * SIM_LANES; i++) {
            places[i] += row_offset * SIM_ROW_BYTES;
        }
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            shelf->ids[b][lane] += shelf->ids[b][lane] == 0 ? 0 : id_offset;
        }
    }
}

uint32_t sim_store_append(struct sim_store *store, struct sim_store *from, uint32_t row_offset,
                          uint32_t id_offset)
{
    uint32_t first = vacancy(store, from->shelf_count);
    BASE_ASSERT(first + from->shelf_count <= store->shelf_capacity || from->shelf_count == 0);
    table_extend(store, first, from->shelf_count);
    for (uint32_t s = 0; s < from->shelf_count; s++) {
        struct sim_shelf *shelf = &store->shelves[first + s];
        *shelf = from->shelves[s];
        shelf_shift(store, shelf, first * SIM_SHELF, row_offset, id_offset);
        store->free_count += shelf->room - shelf->live;
    }
    from->shelf_count = from->free_count = 0;
    return first * SIM_SHELF;
}
