// The parts of libweft-twin: library.c is a twin with the face of weft_twin.h; follow.c stands on it, and has it follow a client.
#ifndef WEFT_TWIN_LIBRARY_H
#define WEFT_TWIN_LIBRARY_H

#include "twin/twin.h"
#include "weft_twin.h"

struct follow; // follow.c

struct weft_twin {
    struct twin *twin;
    struct follow *follow;             // NULL: driven by hand
    void (*unfollow)(struct follow *); // where it is not: ends its stream, and frees it
    uint64_t joins;                    // streams that it had
};

// Returns false. error may be NULL.
bool twin_library_fail(struct weft_error *error, enum weft_kind kind, const char *code, const char *text);

#endif
