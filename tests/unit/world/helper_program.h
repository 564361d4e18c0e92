// Random programs of inputs over all methods that make records, for world 1, "flag".
#ifndef WEFT_TESTS_HELPER_PROGRAM_H
#define WEFT_TESTS_HELPER_PROGRAM_H

#include <stdint.h>

enum { PROGRAM_EDITS = 60 };

struct program_input {
    const char *method;
    char notation[8192]; // of helper_pack
};

uint32_t program_count(void); // how many to run: 200, fewer under sanitizers, or WEFT_PROGRAMS
void program_begin(uint32_t program);
uint32_t program_below(uint32_t count);
// Ids to edit; 0: there is none.
struct program_ties {
    uint32_t join, slide, rail, joint;
};
void program_know(const struct program_ties *ties); // until the next program begins
void program_choose(struct program_input *input);

#endif
