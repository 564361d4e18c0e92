// Inputs, as their parts see them.
#ifndef WEFT_TESTS_SIMULATOR_INPUTS_PARTS_H
#define WEFT_TESTS_SIMULATOR_INPUTS_PARTS_H

#include "simulator.h"

// An input on its way.
struct draw {
    struct run *run;
    struct chance chance;
    struct client *client;
    uint32_t place; // of the world in its server's list; NO_WORLD: there is none
};

// Says what the input is.
void input_text(struct draw *draw, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint32_t input_below(struct draw *draw, uint32_t count);
struct known_world *input_world(const struct draw *draw); // NULL: there is none
uint32_t input_world_id(const struct draw *draw);         // 1: there is none
struct asked *input_ask(struct draw *draw, enum protocol_method method, enum asked_for what);

// inputs_faults.c
void input_do_access(struct draw *draw);
void input_do_tokens(struct draw *draw);
void input_do_cut(struct draw *draw);
void input_do_slow(struct draw *draw);
void input_do_leave(struct draw *draw);
void input_do_move(struct draw *draw);
void input_do_garbage(struct draw *draw);
void input_do_kill(struct draw *draw);
void input_do_wall(struct draw *draw);
void input_do_nothing_for_long(struct draw *draw);

#endif
