// Entropy coder: range asymmetric numeral systems (Duda 2014) with interleaved states (Giesen, "Interleaved entropy coders",
// 2014). Each state codes three symbols (x, y, z of a vertex), and then moves at most one word of 32 bits.
//
//     to encode symbols a, b, c with frequencies Fa, Fb, Fc of M = 1024, where C is the sum of those before each:
//         if x >= Fa Fb Fc 2^33: push the low 32 bits, x /= 2^32
//         x = (x / F) M + C + x mod F    for c, then b, then a
//     to decode:
//         the symbol by x mod M;  x = F (x / M) + x mod M - C    for a, then b, then c
//         if x < 2^31: x = x 2^32 + the next 32 bits
//
// A state x is in 2^31 ... 2^63 - 1, and begins and ends at 2^31. One word is enough, because three symbols take at most 30 bits.
#ifndef WEFT_PROTOCOL_CODEC_RANS_H
#define WEFT_PROTOCOL_CODEC_RANS_H

#include "protocol/codec/bits.h"

enum {
    RANS_BITS = 10,
    RANS_TOTAL = 1 << RANS_BITS,
    RANS_STATES = 4, // the vertex at place i uses state i mod 4
    // Values below 16 are symbols themselves. The symbol of a larger one gives its length and the bit below its highest.
    RANS_DIRECT = 16,
    RANS_SYMBOLS = RANS_DIRECT + 2 * 28,
};

static const uint64_t RANS_LOW = 1ULL << 31;

// Constants that make x / F a multiplication, exact for x < 2^63 (Alverson 1991; as in Giesen's ryg_rans).
struct rans_symbol {
    uint64_t reciprocal;
    uint32_t frequency, bias;
    uint32_t complement; // M - F
    uint32_t shift;
};

// Scales counts to frequencies with the sum RANS_TOTAL. A symbol with a count gets at least 1. All are 0 if all counts are.
void rans_normalise(const uint32_t counts[RANS_SYMBOLS], uint16_t frequencies[RANS_SYMBOLS]);
void rans_table_put(struct bit_writer *writer, const uint16_t frequencies[RANS_SYMBOLS]);
void rans_symbols_make(const uint16_t frequencies[RANS_SYMBOLS], struct rans_symbol symbols[RANS_SYMBOLS]);

// Decoding tables: the entry of x mod M, for each class (predict.h), the second class behind the first.
enum { RANS_CLASSES = 2 };
struct rans_slots {
    uint32_t part[RANS_CLASSES * RANS_TOTAL]; // F in the lower half, x mod M - C in the upper half
    uint8_t symbol[RANS_CLASSES * RANS_TOTAL];
};

// Reads the table of one class. False if it is malformed. In a table without symbols every slot is RANS_SYMBOLS.
bool rans_table_take(struct bit_reader *reader, struct rans_slots *slots, uint32_t class);

static inline uint64_t rans_high(uint64_t a, uint64_t b) // a b / 2^64
{
#ifdef __SIZEOF_INT128__
    return (uint64_t)((unsigned __int128)a * b >> 64);
#else
    uint64_t a1 = a >> 32, a0 = a & UINT32_MAX, b1 = b >> 32, b0 = b & UINT32_MAX;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & UINT32_MAX);
    return a1 * b1 + (middle >> 32) + (other >> 32);
#endif
}

// (x / F) M + C + x mod F
static inline uint64_t rans_step(uint64_t x, const struct rans_symbol *symbol)
{
    uint64_t quotient = rans_high(x, symbol->reciprocal) >> symbol->shift;
    return x + symbol->bias + quotient * symbol->complement;
}

// Encodes three symbols, and returns the new state. A pushed word goes before *words, which moves down. The word before *words
// must be writable in any case: whether one is pushed is unpredictable, so the code has no branch for it.
static inline uint64_t rans_put(uint64_t x, const struct rans_symbol *a, const struct rans_symbol *b,
                                const struct rans_symbol *c, uint32_t **words)
{
    uint64_t limit = (uint64_t)a->frequency * b->frequency * c->frequency << 33;
    bool is_high = x >= limit;
    uint64_t emptied = x >> 32;
    (*words)[-1] = (uint32_t)x;
    *words -= is_high;
    x = __builtin_expect_with_probability(is_high, 1, 0.5) ? emptied : x;
    return rans_step(rans_step(rans_step(x, c), b), a);
}

#endif
