// Tables of frequencies: made of counts, written, read.
#include "protocol/codec/rans.h"

#include <string.h>

void rans_normalise(const uint32_t counts[RANS_SYMBOLS], uint16_t frequencies[RANS_SYMBOLS])
{
    uint64_t total = 0;
    for (int s = 0; s < RANS_SYMBOLS; s++) {
        total += counts[s];
    }
    memset(frequencies, 0, RANS_SYMBOLS * sizeof *frequencies);
    if (total == 0) {
        return;
    }
    int32_t left = RANS_TOTAL;
    int largest = 0;
    for (int s = 0; s < RANS_SYMBOLS; s++) {
        uint64_t share = ((uint64_t)counts[s] * RANS_TOTAL + total / 2) / total;
        frequencies[s] = (uint16_t)(counts[s] > 0 && share == 0 ? 1 : share);
        left -= frequencies[s];
        largest = counts[s] > counts[largest] ? s : largest;
    }
    // The likeliest symbol takes the rest that rounding left, because it can bear it best: it has a 72nd at the least, and
    // rounding takes less than half a slot from or to each.
    while (left < 0 && frequencies[largest] <= -left) {
        for (int s = 0; s < RANS_SYMBOLS && left < 0; s++) {
            if (frequencies[s] > 1) {
                frequencies[s]--;
                left++;
            }
        }
    }
    frequencies[largest] = (uint16_t)(frequencies[largest] + left);
}

void rans_table_put(struct bit_writer *writer, const uint16_t frequencies[RANS_SYMBOLS])
{
    uint32_t count = RANS_SYMBOLS;
    while (count > 0 && frequencies[count - 1] == 0) {
        count--;
    }
    bits_put(writer, count, 7);
    for (uint32_t s = 0; s < count; s++) {
        bits_put_gamma(writer, frequencies[s] + 1U);
    }
}

// ceil(2^(63 + shift) / F) by two divisions of 64 bits.
static uint64_t reciprocal(uint32_t frequency, uint32_t shift)
{
    uint64_t high = 1ULL << (shift + 31), low = frequency - 1 + (high % frequency << 32);
    return (high / frequency << 32) + low / frequency;
}

void rans_symbols_make(const uint16_t frequencies[RANS_SYMBOLS], struct rans_symbol symbols[RANS_SYMBOLS])
{
    uint32_t start = 0;
    for (int s = 0; s < RANS_SYMBOLS; s++) {
        uint32_t frequency = frequencies[s], shift = 0;
        symbols[s] = (struct rans_symbol){.frequency = frequency, .complement = RANS_TOTAL - frequency};
        if (frequency < 2) {
            // x / 1 is x (2^64 - 1) / 2^64 + 1.
            symbols[s].reciprocal = UINT64_MAX;
            symbols[s].bias = start + RANS_TOTAL - 1;
        } else {
            while (frequency > 1U << shift) {
                shift++;
            }
            symbols[s].reciprocal = reciprocal(frequency, shift);
            symbols[s].shift = shift - 1;
            symbols[s].bias = start;
        }
        start += frequency;
    }
}

bool rans_table_take(struct bit_reader *reader, struct rans_slots *slots, uint32_t class)
{
    uint32_t count = bits_take(reader, 7), base = class * RANS_TOTAL, start = 0;
    if (reader->is_past || count > RANS_SYMBOLS) {
        return false;
    }
    for (uint32_t s = 0; s < count; s++) {
        uint32_t told = bits_take_gamma(reader, RANS_BITS);
        if (reader->is_past || told == 0 || told - 1 > RANS_TOTAL - start) {
            return false;
        }
        uint32_t frequency = told - 1;
        for (uint32_t i = 0; i < frequency; i++) {
            slots->part[base + start + i] = frequency | i << 16;
        }
        memset(slots->symbol + base + start, (int)s, frequency);
        start += frequency;
    }
    if (start == 0) {
        memset(slots->symbol + base, RANS_SYMBOLS, RANS_TOTAL);
        memset(slots->part + base, 0, RANS_TOTAL * sizeof *slots->part);
    }
    return start == 0 || start == RANS_TOTAL;
}
