// Takes of records: they store not the frames of a world but its inputs, from which the solver computes the same frames again, bit
// for bit, whichever are wanted (docs/concepts/twins.md).
//
//     head │ image · messages · messages · … │ image · messages · … │ end
//
// A piece is opaque here: one or more maps of stream.records, as a stream brought them. Each piece has a tick: an image is the
// world's state at it, and messages hold all inputs up to it. An image needs nothing before it. So a tick is computed from
// the last image before it, and damage reaches no further than the next image.
//
// Functions that can fail return false or NULL and fill *why; none prints. One thread at a time uses a take.
#ifndef WEFT_RECORD_INPUTS_H
#define WEFT_RECORD_INPUTS_H

#include "record/record.h"

enum { RECORD_MAKER_SIZE = 64 };

struct record_inputs_head {
    uint32_t tick_rate;            // Hz
    uint32_t solver;               // version of the solver; 0: not known
    char maker[RECORD_MAKER_SIZE]; // version of the server, for people
};

enum record_piece_kind { RECORD_IMAGE = 1, RECORD_MESSAGES, RECORD_END };

struct record_piece {
    enum record_piece_kind kind;
    uint64_t tick;
    uint64_t number;  // counts the pieces from 0 as they were written; a number that is missing was damaged
    uint64_t at, sum; // private: offset of the bytes in the file, and their checksum
    uint32_t size;    // bytes
};

struct record_inputs;

// Whether the file is a take of records; false also if it cannot be read.
bool record_inputs_are(const char *path);
// Creates a file to append to, or empties an existing one. It fails if another program has opened it this way.
struct record_inputs *record_inputs_create(const char *path, const struct record_inputs_head *head,
                                           struct fault *fault);
bool record_inputs_append(struct record_inputs *inputs, enum record_piece_kind kind, uint64_t tick,
                          const void *bytes, size_t size, struct fault *fault);
bool record_inputs_sync(struct record_inputs *inputs, struct fault *fault); // on disk when it returns

// Opens a take to read. Another program may be appending to it; an incomplete last piece is ignored. The file is not trusted.
struct record_inputs *record_inputs_open(const char *path, struct fault *fault);
void record_inputs_close(struct record_inputs *inputs); // NULL is allowed

const struct record_inputs_head *record_inputs_head(const struct record_inputs *inputs);
uint64_t record_inputs_bytes(const struct record_inputs *inputs); // size of the file up to the last piece
uint64_t record_inputs_count(const struct record_inputs *inputs); // pieces that can be read
struct record_piece record_inputs_at(const struct record_inputs *inputs, uint64_t index);
// Reads the bytes of a piece, which are valid until the next call. *damaged is set if their checksum is wrong.
bool record_inputs_read(struct record_inputs *inputs, uint64_t index, const void **bytes, bool *damaged,
                        struct fault *fault);

#endif
