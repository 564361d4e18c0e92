// Random programs, as their parts see them. Numbers 0 ... 7 were drawn before the input: the compiler chooses the order in which the
// arguments of a call are worked out.
#ifndef WEFT_TESTS_PROGRAM_PARTS_H
#define WEFT_TESTS_PROGRAM_PARTS_H

#include "helper_program.h"

#include <stdbool.h>

extern struct program_has {
    bool pressing;  // some bodies have pressure inside
    bool all_kinds; // rings on rails, bodies of several features at once, and fields of force
    bool bouncing;  // bodies and colliders get a restitution
} program_has;

uint32_t program_below_at(uint32_t i, uint32_t count);        // below count, by number i
double program_number_at(uint32_t i, double from, double to); // between both, by number i
void program_say(struct program_input *input, const char *method, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// program_bodies.c
void program_add_body(struct program_input *input);
void program_add_sheet(struct program_input *input);
const char *program_pressure(void);
const char *program_shape(void);

#endif
