#include "store/pieces.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

void store_piece_key(struct base_hash *hash, const uint8_t store_key[STORE_KEY_SIZE], const uint8_t *bytes,
                     size_t size, uint8_t out[STORE_KEY_SIZE])
{
    for (unsigned half = 0; half < 2; half++) {
        base_hash_reset(hash);
        base_hash_u32(hash, half);
        base_hash_bytes(hash, store_key, STORE_KEY_SIZE);
        base_hash_bytes(hash, bytes, size);
        const uint64_t digest = base_hash_digest(hash);
        for (unsigned i = 0; i < 8; i++) {
            out[8 * half + i] = (uint8_t)(digest >> (8 * i));
        }
    }
}

// ---------------------------------------------------------------------------------------------------------

void store_pieces_free(struct store_pieces *pieces)
{
    free(pieces->places);
    *pieces = (struct store_pieces){0};
}

static struct store_known *place_of(const struct store_pieces *pieces, const uint8_t key[STORE_KEY_SIZE])
{
    size_t at;
    memcpy(&at, key, sizeof at);
    for (;; at++) {
        struct store_known *place = &pieces->places[at & (pieces->room - 1)];
        if (place->piece == 0 || memcmp(place->key, key, STORE_KEY_SIZE) == 0) {
            return place;
        }
    }
}

const struct store_known *store_pieces_find(const struct store_pieces *pieces,
                                            const uint8_t key[STORE_KEY_SIZE])
{
    if (pieces->count == 0) {
        return NULL;
    }
    const struct store_known *place = place_of(pieces, key);
    return place->piece != 0 ? place : NULL;
}

static bool widen(struct store_pieces *pieces)
{
    struct store_pieces wider = {.room = pieces->room ? 2 * pieces->room : 64, .count = pieces->count};
    wider.places = calloc(wider.room, sizeof *wider.places);
    if (!wider.places) {
        return false;
    }
    for (size_t i = 0; i < pieces->room; i++) {
        if (pieces->places[i].piece != 0) {
            *place_of(&wider, pieces->places[i].key) = pieces->places[i];
        }
    }
    free(pieces->places);
    *pieces = wider;
    return true;
}

bool store_pieces_add(struct store_pieces *pieces, const struct store_known *known)
{
    if (2 * pieces->count >= pieces->room && !widen(pieces)) {
        return false;
    }
    struct store_known *place = place_of(pieces, known->key);
    pieces->count += place->piece == 0;
    *place = *known;
    return true;
}

// ---------------------------------------------------------------------------------------------------------

enum { VARINT_MAX = 10 };

static void put(struct store_runs *runs, uint64_t value)
{
    while (value >= 0x80) {
        runs->bytes[runs->size++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    runs->bytes[runs->size++] = (uint8_t)value;
}

bool store_runs_finish(struct store_runs *runs)
{
    if (runs->length == 0) {
        return true;
    }
    if (!array_reserve(&runs->bytes, &runs->room, runs->size + 2 * VARINT_MAX)) {
        return false;
    }
    const uint64_t difference = runs->begin - runs->end;
    put(runs, difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0));
    put(runs, runs->length);
    runs->end = runs->begin + runs->length;
    runs->length = 0;
    return true;
}

bool store_runs_add(struct store_runs *runs, uint64_t piece)
{
    if (runs->length > 0 && piece == runs->begin + runs->length) {
        runs->length++;
        return true;
    }
    if (!store_runs_finish(runs)) {
        return false;
    }
    runs->begin = piece;
    runs->length = 1;
    return true;
}

static bool take(struct store_run_reader *reader, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && reader->at < reader->end; shift += 7) {
        const uint8_t byte = *reader->at++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

bool store_runs_next(struct store_run_reader *reader, uint64_t *piece)
{
    if (reader->left == 0) {
        uint64_t difference, length;
        if (reader->wrong || reader->at == reader->end) {
            return false;
        }
        if (!take(reader, &difference) || !take(reader, &length) || length == 0) {
            reader->wrong = true;
            return false;
        }
        reader->next = reader->before + (difference >> 1 ^ (difference & 1 ? UINT64_MAX : 0));
        reader->left = length;
        reader->before = reader->next + length;
    }
    *piece = reader->next++;
    reader->left--;
    return true;
}
