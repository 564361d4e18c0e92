// Tells which names look alike: two names that a reader cannot tell apart must not stand for two people.
//
//     folded   name ─▶ NFKC, case folded, default-ignorables removed ─▶ skeleton ─▶ folded again, without what is invisible
//     shown    name ─▶ NFKC                                          ─▶ skeleton ─▶ folded again, without what is invisible
//
// The skeleton is that of UTS 39, section 4: it has one letter for all that look like it (Latin a and Cyrillic а, 0 and O, rn
// and m). `folded` also finds names that differ in case; `shown` finds letters that look alike in one case only (I and l).
// Names are shown as they were given: only these forms are compared.
#ifndef WEFT_ACCESS_LIKENESS_H
#define WEFT_ACCESS_LIKENESS_H

#include <stdbool.h>
#include <stdint.h>

// Hashes of both forms, which may be 60 times as long as the name.
struct access_likeness {
    uint8_t folded[16], shown[16];
};

// Loads Unicode's data. Called before the other functions; once is enough. False with *error if the data cannot be loaded.
bool access_likeness_start(char error[512]);
// Computes the forms of a name: valid UTF-8 of at most 64 bytes. False if memory runs out. Any thread.
bool access_likeness_of(const char *name, struct access_likeness *out);
// Whether the names look alike, because either form is the same.
bool access_likeness_same(const struct access_likeness *a, const struct access_likeness *b);

#endif
