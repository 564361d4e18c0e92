// The parts of libweft-twin: library.c implements weft_twin.h; follow.c uses it to follow a world of a client.
#ifndef WEFT_TWIN_LIBRARY_H
#define WEFT_TWIN_LIBRARY_H

#include "twin/twin.h"
#include "weft_twin.h"

struct follow; // follow.c

struct weft_twin {
    struct twin *twin;
    struct follow *follow;             // NULL: the program feeds it by itself
    void (*unfollow)(struct follow *); // ends the stream and frees the follow; set with it
    uint64_t joins;                    // number of streams so far
};

// Returns false. error may be NULL.
bool twin_library_fail(struct weft_error *error, enum weft_kind kind, const char *code, const char *text);

#endif
