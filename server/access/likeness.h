// Which names look alike. Two names that a reader cannot tell apart shall not stand for two people.
//
//     folded   name ─▶ NFKC, case folded, default-ignorables removed ─▶ skeleton ─▶ folded again, without what is invisible
//     shown    name ─▶ NFKC                                          ─▶ skeleton ─▶ folded again, without what is invisible
//
// The skeleton is that of UTS 39, section 4: it has one letter for all that look like it (Latin a and Cyrillic а, 0 and O, rn
// and m). `folded` finds names that differ by case besides; `shown` finds letters that look alike in one case only (I and l).
// Names are shown as they were given: only these forms are compared.
#ifndef WEFT_ACCESS_LIKENESS_H
#define WEFT_ACCESS_LIKENESS_H

#include <stdbool.h>
#include <stdint.h>

// Hashes of both forms, which may be 60 times as long as the name.
struct access_likeness {
    uint8_t folded[16], shown[16];
};

// Loads Unicode's data; false with a text if it cannot be had. Before the others, and once is enough.
bool access_likeness_start(char error[512]);
// The likeness of valid UTF-8 with at most 64 bytes. False if memory runs out. Any thread.
bool access_likeness_of(const char *name, struct access_likeness *out);
bool access_likeness_same(const struct access_likeness *a, const struct access_likeness *b);

#endif
