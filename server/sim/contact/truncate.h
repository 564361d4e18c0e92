// Holds rows back so that nothing crosses in a substep.
#ifndef WEFT_SIM_CONTACT_TRUNCATE_H
#define WEFT_SIM_CONTACT_TRUNCATE_H

#include "sim/contact/record.h"

#define SIM_GAP_LEAST 24.0f       // quanta
#define SIM_GAP_SHARE 0x1p-10f    // of R
#define SIM_GAP_OF_LENGTH 0x1p-20 // of the longest edge

// A pair that might cross, along the normal of its closest points when the substep began.
struct sim_plane {
    uint32_t rows[4];
    uint32_t kind;
    bool bound, tight, jammed;
    double normal[3];
    double height[4]; // of the rows then, quanta
    double way[4];    // of the rows in all of the substep
    double room;      // between both sides then
    double keep;      // least of it that must be left
};

struct sim_span {
    uint32_t first, count;
};

struct sim;

// Rows of one island. A row that is not static goes the part t of its way against the frame.
struct sim_truncation {
    struct sim_row *rows;         // where rows would be, until they are stopped
    const struct sim_row *starts; // where they were when the substep began
    int32_t frame[3];             // way of the frame in this substep
    const struct sim_span *spans; // rows of the island
    uint32_t span_count;

    // Tubes by row, which hold where rows are when the substep begins: how wide they are, and where paths have rows when it
    // ends, without the way of the frame since the detection, up to this substep's start. NULL: none hold rows.
    const float *within;
    const struct sim_row *expected;
    int32_t since[3];

    const struct sim_pair_list *lists;          // by kind
    const uint32_t *candidates[SIM_PAIR_KINDS]; // pairs that a sift picked
    uint32_t candidate_count[SIM_PAIR_KINDS];
    float floor; // least gap: SIM_GAP_LEAST, and SIM_GAP_OF_LENGTH of the longest edge

    struct sim_plane *planes; // further ones are made again in each pass
    uint32_t plane_capacity;
    float *t, *t_next; // by row

    // Lowers t_next of further rows, if it has to; all: wherever it may have to. NULL: there are none. It gets the sim of the rows.
    void (*bind)(const struct sim_truncation *truncation, bool all);
    struct sim *sim;
};

struct sim_truncated {
    uint32_t boxed;   // rows that their tube holds
    uint32_t bound;   // pairs that a plane holds apart
    uint32_t without; // candidates without a plane: they touched when the substep began
    uint32_t jammed;  // pairs that static rows press into each other
    uint32_t passes;  // over the candidates
    bool fell_back;   // all of them were bound in the end
};

struct sim_stopped {
    uint32_t held;  // rows that went less than their way
    double lost[3]; // sum of mass times way that rows were held back from, kg quanta
    double turn[3]; // and of its moments about the first row of the first span, kg quanta^2
};

// Finds t of the rows of the island. Nothing moves.
struct sim_truncated sim_truncate(const struct sim_truncation *truncation);
// Finds where a row stops. False if it goes all its way.
bool sim_truncate_stop(const struct sim_truncation *truncation, uint32_t row, int32_t x[3]);
// Stops rows there.
struct sim_stopped sim_truncate_rows(const struct sim_truncation *truncation);

#endif
