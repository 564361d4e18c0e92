// Takes of records: not what was seen of a world, but what decided it, from which the solver makes the same frames again, bit
// for bit, whichever are wanted (docs/concepts/twins.md).
//
//     head │ image · messages · messages · … │ image · messages · … │ end
//
// A piece is opaque here: maps of stream.records, one behind the other, as a stream brought them. It is of a tick: an image is
// of that boundary, messages tell all up to it. With each image all begins again, so a tick is reached from the last image
// before it, and what is damaged costs what lies up to the next one. Functions that can fail say why; none prints.
#ifndef WEFT_RECORD_INPUTS_H
#define WEFT_RECORD_INPUTS_H

#include "record/record.h"

enum { RECORD_MAKER_SIZE = 64 };

struct record_inputs_head {
    uint32_t tick_rate;
    uint32_t solver;               // its version; 0: not known
    char maker[RECORD_MAKER_SIZE]; // the version of the server, for people
};

enum record_piece_kind { RECORD_IMAGE = 1, RECORD_MESSAGES, RECORD_END };

struct record_piece {
    enum record_piece_kind kind;
    uint64_t tick;
    uint64_t number; // from 0 as they were written: one that is missing is damaged
    uint64_t at, sum;
    uint32_t size;
};

struct record_inputs;

// Whether that file is a take of records; false also where it cannot be read.
bool record_inputs_are(const char *path);
// A new file; one that is there is replaced. No other program has it open so.
struct record_inputs *record_inputs_create(const char *path, const struct record_inputs_head *head,
                                           struct record_why *why);
bool record_inputs_append(struct record_inputs *inputs, enum record_piece_kind kind, uint64_t tick,
                          const void *bytes, size_t size, struct record_why *why);
bool record_inputs_sync(struct record_inputs *inputs, struct record_why *why); // on disk when it returns

// One to read, which may be growing: a last piece that is not whole yet is none. The file is hostile.
struct record_inputs *record_inputs_open(const char *path, struct record_why *why);
void record_inputs_close(struct record_inputs *inputs); // NULL is allowed

const struct record_inputs_head *record_inputs_head(const struct record_inputs *inputs);
uint64_t record_inputs_bytes(const struct record_inputs *inputs);
uint64_t record_inputs_count(const struct record_inputs *inputs); // pieces
struct record_piece record_inputs_at(const struct record_inputs *inputs, uint64_t index);
// Its bytes, the reader's until the next call. *damaged: they are not what was written.
bool record_inputs_read(struct record_inputs *inputs, uint64_t index, const void **bytes, bool *damaged,
                        struct record_why *why);

#endif
