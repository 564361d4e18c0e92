#include "store/cut.h"

// Returns a number for each value of a byte: its splitmix64 (Steele, Lea, Flood 2014). It is the same in all
// versions, because otherwise no piece would be found again.
static uint64_t gear(uint8_t byte)
{
    uint64_t x = (byte + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

size_t store_cut(const uint8_t *bytes, size_t size)
{
    if (size <= STORE_PIECE_MIN) {
        return size;
    }
    // These are upper bits, which depend on the last 64 bytes. One place in 2^18 fits before the wanted size,
    // one in 2^14 after it.
    const uint64_t rare = UINT64_MAX << 46, often = UINT64_MAX << 50;
    const size_t wanted = size < STORE_PIECE ? size : STORE_PIECE;
    const size_t most = size < STORE_PIECE_MAX ? size : STORE_PIECE_MAX;
    uint64_t hash = 0;
    size_t at = STORE_PIECE_MIN;
    for (; at < wanted; at++) {
        hash = (hash << 1) + gear(bytes[at]);
        if ((hash & rare) == 0) {
            return at + 1;
        }
    }
    for (; at < most; at++) {
        hash = (hash << 1) + gear(bytes[at]);
        if ((hash & often) == 0) {
            return at + 1;
        }
    }
    return most;
}
