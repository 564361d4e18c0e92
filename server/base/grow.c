// base_grow: a header of one alignment stands before the items and says how many bytes there are.
//
//     | bytes, pages |  items ...                   from aligned_alloc, or from BASE_PAGES bytes on mapped
#include "base/grow.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if !defined(__wasm__)
#include <sys/mman.h>
#endif

struct header {
    size_t size;   // bytes of the items
    size_t mapped; // bytes of the mapping, 0 where there is none
};

#if defined(__wasm__)
static const size_t pages_from = SIZE_MAX; // a module's memory is in one piece
static const size_t sparse_pages_from = SIZE_MAX;
#else
static const size_t pages_from = (size_t)1 << 18;
static const size_t sparse_pages_from = (size_t)1 << 16;
static const size_t huge_from = (size_t)1 << 24; // a last page of 2 MiB that is hardly used is a small part
static const size_t sparse_huge_from = (size_t)1 << 28; // so it is where a tenth of the array is used
#endif
static atomic_size_t mapped_bytes;

size_t base_grow_mapped(void)
{
    return atomic_load_explicit(&mapped_bytes, memory_order_relaxed);
}

static struct header *header_of(void *items)
{
    return (struct header *)(void *)((char *)items - BASE_GROW_ALIGN);
}

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

#if defined(__wasm__)
static struct header *map(struct header *old, size_t whole, bool sparse)
{
    (void)old, (void)whole, (void)sparse;
    return NULL;
}

static void pages_empty(struct header *header)
{
    (void)header;
}

static void unmap(struct header *header)
{
    (void)header;
}
#else
static void *pages_new(size_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void *pages_grown(void *old, size_t before, size_t mapped)
{
    if (mapped == before) {
        return old;
    }
#if defined(__SANITIZE_THREAD__)
    // ThreadSanitizer does not see mremap: what it remembers of addresses that one thread's pages moved away from
    // would be held against the next thread whose pages move there.
    void *pages = pages_new(mapped);
    if (pages != MAP_FAILED) {
        memcpy(pages, old, before);
        munmap(old, before);
    }
    return pages;
#else
    return mremap(old, before, mapped, MREMAP_MAYMOVE);
#endif
}

// New pages are zero.
static struct header *map(struct header *old, size_t whole, bool sparse)
{
    size_t mapped = round_up(whole, (size_t)1 << 16);
    const bool copied = old && old->mapped == 0;
    const size_t before = old ? old->mapped : 0;
    void *pages = before > 0 ? pages_grown(old, before, mapped) : pages_new(mapped);
    if (pages == MAP_FAILED) {
        return NULL;
    }
    if (mapped >= (sparse ? sparse_huge_from : huge_from)) {
        (void)madvise(pages, mapped, MADV_HUGEPAGE); // where the system has none, small ones do
    }
    struct header *header = pages;
    if (copied) {
        memcpy((char *)pages + BASE_GROW_ALIGN, (char *)old + BASE_GROW_ALIGN, old->size);
        free(old);
    }
    header->mapped = mapped;
    atomic_fetch_add_explicit(&mapped_bytes, mapped - before, memory_order_relaxed);
    return header;
}

// The first page, which has the header, stays.
static void pages_empty(struct header *header)
{
    const size_t first = (size_t)1 << 16;
    if (header->mapped > first) {
        (void)madvise((char *)header + first, header->mapped - first, MADV_DONTNEED);
    }
}

static void unmap(struct header *header)
{
    atomic_fetch_sub_explicit(&mapped_bytes, header->mapped, memory_order_relaxed);
    munmap(header, header->mapped);
}
#endif

static bool grow(void **items, uint64_t wanted, bool sparse)
{
    struct header *old = !*items ? NULL : header_of(*items), *header;
    size_t from = !old ? 0 : old->size;
    if (old && wanted <= from) {
        return true; // grown before, for something that then failed
    }
    if (wanted > SIZE_MAX / 2) {
        return false;
    }
    const size_t to = (size_t)wanted;
    size_t whole = to + BASE_GROW_ALIGN;
    if (whole >= (sparse ? sparse_pages_from : pages_from)) {
        header = map(old, whole, sparse);
        if (!header) {
            return false;
        }
    } else {
        header = aligned_alloc(BASE_GROW_ALIGN, round_up(whole, BASE_GROW_ALIGN));
        if (!header) {
            return false;
        }
        if (old) {
            memcpy((char *)header + BASE_GROW_ALIGN, *items, from);
        }
        memset((char *)header + BASE_GROW_ALIGN + from, 0, to - from);
        header->mapped = 0;
        free(old);
    }
    header->size = to;
    *items = (char *)header + BASE_GROW_ALIGN;
    return true;
}

bool base_grow(void **items, uint64_t wanted)
{
    return grow(items, wanted, false);
}

bool base_grow_sparse(void **items, uint64_t wanted)
{
    return grow(items, wanted, true);
}

void base_grow_empty(void *items)
{
    if (items && header_of(items)->mapped > 0) {
        pages_empty(header_of(items));
    }
}

void base_grow_free(void *items)
{
    if (!items) {
        return;
    }
    struct header *header = header_of(items);
    if (header->mapped > 0) {
        unmap(header);
    } else {
        free(header);
    }
}
