// The index of a compressed take, and the search without one. See take_index.h.
#include "record/take_index.h"

#include "protocol/array/reserve.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { ENTRY_BYTES = 24, TRAILER_BYTES = 32, PORTION = 1024 };

static const unsigned char mark[TAKE_MARK] = {0x8F, 'w', 'f', 'r', 'a', 'm', 'e', 0xE1};
static const char ends[8] = "weftends";

// ---------------------------------------------------------------------------------------------------------
// Sums

// The sum of a part of the data: each part is seeded with the sum of the parts before it.
static uint64_t sum_on(uint64_t sum, const void *bytes, size_t size)
{
    return XXH3_64bits_withSeed(bytes, size, sum);
}

// ---------------------------------------------------------------------------------------------------------
// Records

void take_record_put(unsigned char out[TAKE_RECORD_HEAD], const struct take_record *record)
{
    const uint32_t numbers[4] = {record->substep, record->back, record->size, record->has_poses};
    memcpy(out, mark, sizeof mark);
    memcpy(out + 8, &record->number, sizeof record->number);
    memcpy(out + 16, &record->tick, sizeof record->tick);
    memcpy(out + 24, numbers, sizeof numbers);
    memcpy(out + 40, &record->sum, sizeof record->sum);
    const uint64_t sum = take_sum(out, 48);
    memcpy(out + 48, &sum, sizeof sum);
}

bool take_record_get(const unsigned char in[TAKE_RECORD_HEAD], struct take_record *record)
{
    uint32_t numbers[4];
    uint64_t sum;
    memcpy(&record->number, in + 8, sizeof record->number);
    memcpy(&record->tick, in + 16, sizeof record->tick);
    memcpy(numbers, in + 24, sizeof numbers);
    memcpy(&record->sum, in + 40, sizeof record->sum);
    memcpy(&sum, in + 48, sizeof sum);
    record->substep = numbers[0];
    record->back = numbers[1];
    record->size = numbers[2];
    record->has_poses = numbers[3] == 1;
    return memcmp(in, mark, sizeof mark) == 0 && sum == take_sum(in, 48) && numbers[3] <= 1 &&
           record->number < UINT64_MAX;
}

bool take_index_follows(const struct take_index *index, const struct take_record *record)
{
    const struct take_place *last = index->count > 0 ? &index->places[index->count - 1] : NULL;
    if (record->back == 0) {
        return record->has_poses && (!last || record->number > last->number);
    }
    return last && record->back < TAKE_GROUP && record->back == last->back + 1 &&
           record->number == last->number + 1;
}

bool take_index_add(struct take_index *index, const struct take_record *record, uint64_t at)
{
    if (!array_reserve(&index->places, &index->capacity, index->count + 1)) {
        return false;
    }
    struct take_place *place = &index->places[index->count];
    *place =
        (struct take_place){.at = at, .number = record->number, .size = record->size, .back = record->back};
    place->poses_back = record->has_poses ? 0 : place[-1].poses_back + 1;
    index->count++;
    index->end = at + TAKE_RECORD_HEAD + record->size;
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// At the end of the file

static void put_entry(unsigned char out[ENTRY_BYTES], const struct take_place *place)
{
    const uint32_t numbers[2] = {place->size, place->back | (place->poses_back == 0 ? 1U << 31 : 0)};
    memcpy(out, &place->at, sizeof place->at);
    memcpy(out + 8, &place->number, sizeof place->number);
    memcpy(out + 16, numbers, sizeof numbers);
}

bool take_index_write(const struct take_index *index, struct record_take *take, struct fault *fault)
{
    unsigned char portion[PORTION * ENTRY_BYTES], trailer[TRAILER_BYTES];
    uint64_t at = index->end, sum = 0;
    for (uint64_t i = 0; i < index->count;) {
        uint32_t filled = 0;
        for (; filled < PORTION && i < index->count; i++) {
            put_entry(portion + (size_t)ENTRY_BYTES * filled++, &index->places[i]);
        }
        sum = sum_on(sum, portion, (size_t)ENTRY_BYTES * filled);
        if (!record_take_put(take, portion, (size_t)ENTRY_BYTES * filled, at, fault)) {
            return false;
        }
        at += (uint64_t)ENTRY_BYTES * filled;
    }
    memcpy(trailer, &index->end, sizeof index->end);
    memcpy(trailer + 8, &index->count, sizeof index->count);
    sum = sum_on(sum, trailer, 16);
    memcpy(trailer + 16, &sum, sizeof sum);
    memcpy(trailer + 24, ends, sizeof ends);
    return record_take_put(take, trailer, sizeof trailer, at, fault);
}

struct bounds {
    uint64_t begin, end; // of the records
    uint64_t body_max;
};

// False if it does not continue the last one, or is at another place. *whole: memory did not run out.
static bool take_entry(struct take_index *index, const unsigned char in[ENTRY_BYTES],
                       const struct bounds *bounds, bool *whole)
{
    uint64_t at;
    uint32_t numbers[2];
    struct take_record record = {0};
    memcpy(&at, in, sizeof at);
    memcpy(&record.number, in + 8, sizeof record.number);
    memcpy(numbers, in + 16, sizeof numbers);
    record.size = numbers[0];
    record.back = numbers[1] & INT32_MAX;
    record.has_poses = numbers[1] >> 31 != 0;
    const uint64_t begin = index->count > 0 ? index->end : bounds->begin;
    if (record.size > bounds->body_max || !take_index_follows(index, &record) || at < begin ||
        at > bounds->end || bounds->end - at < TAKE_RECORD_HEAD + (uint64_t)record.size) {
        return false;
    }
    *whole = take_index_add(index, &record, at);
    return *whole;
}

// *found: false if there is no complete index. Then the caller empties it.
static bool read_end(struct take_index *index, const struct record_take *take, uint64_t file_bytes,
                     uint64_t body_max, bool *found, struct fault *fault)
{
    unsigned char portion[PORTION * ENTRY_BYTES], trailer[TRAILER_BYTES];
    uint64_t at, count, told, sum = 0;
    bool whole = true;
    *found = false;
    if (file_bytes - take->head_bytes < TRAILER_BYTES) {
        return true;
    }
    if (!record_take_get(take, trailer, sizeof trailer, file_bytes - TRAILER_BYTES, fault)) {
        return false;
    }
    memcpy(&at, trailer, sizeof at);
    memcpy(&count, trailer + 8, sizeof count);
    memcpy(&told, trailer + 16, sizeof told);
    const uint64_t end = file_bytes - TRAILER_BYTES;
    if (memcmp(trailer + 24, ends, sizeof ends) != 0 || at < take->head_bytes || at > end ||
        (end - at) % ENTRY_BYTES != 0 || (end - at) / ENTRY_BYTES != count) {
        return true;
    }
    const struct bounds bounds = {.begin = take->head_bytes, .end = at, .body_max = body_max};
    for (uint64_t i = 0; i < count;) {
        const uint64_t left = count - i, taken = left < PORTION ? left : PORTION;
        const size_t size = (size_t)taken * ENTRY_BYTES;
        if (!record_take_get(take, portion, size, at + i * ENTRY_BYTES, fault)) {
            return false;
        }
        sum = sum_on(sum, portion, size);
        for (size_t k = 0; k < taken; k++) {
            if (!take_entry(index, portion + k * ENTRY_BYTES, &bounds, &whole)) {
                return whole || record_fail_memory(fault);
            }
        }
        i += taken;
    }
    *found = sum_on(sum, trailer, 16) == told;
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// From record to record

// Reads the head at a place, if there is a whole record.
static bool get_record(const struct record_take *take, uint64_t at, uint64_t file_bytes, uint64_t body_max,
                       struct take_record *record)
{
    struct fault fault;
    unsigned char head[TAKE_RECORD_HEAD];
    return file_bytes - at >= TAKE_RECORD_HEAD && record_take_get(take, head, sizeof head, at, &fault) &&
           take_record_get(head, record) && record->size <= body_max &&
           record->size <= file_bytes - at - TAKE_RECORD_HEAD;
}

static bool walk(struct take_index *index, const struct record_take *take, uint64_t file_bytes,
                 uint64_t body_max, struct fault *fault)
{
    unsigned char *room = malloc(TAKE_SEARCH);
    bool done = room || record_fail_memory(fault);
    struct take_record record;
    for (uint64_t at = take->head_bytes; done && at < file_bytes;) {
        if (!get_record(take, at, file_bytes, body_max, &record)) {
            done = record_file_find(take->file, take->path, mark, at + 1, file_bytes, room, &at, fault);
            continue;
        }
        if (take_index_follows(index, &record)) {
            done = take_index_add(index, &record, at) || record_fail_memory(fault);
        }
        at += TAKE_RECORD_HEAD + (uint64_t)record.size;
    }
    free(room);
    return done;
}

bool take_index_read(struct take_index *index, const struct record_take *take, uint64_t file_bytes,
                     uint64_t body_max, struct fault *fault)
{
    bool found;
    index->count = 0;
    index->end = take->head_bytes;
    if (!read_end(index, take, file_bytes, body_max, &found, fault)) {
        return false;
    }
    if (found) {
        return true;
    }
    index->count = 0;
    index->end = take->head_bytes;
    return walk(index, take, file_bytes, body_max, fault);
}
