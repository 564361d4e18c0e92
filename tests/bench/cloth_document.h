// A square cloth on four pins, as a document.
#ifndef WEFT_BENCH_CLOTH_DOCUMENT_H
#define WEFT_BENCH_CLOTH_DOCUMENT_H

#include "document/document.h"

struct bench_cloth {
    uint32_t width;
    bool bends;       // quadratic
    bool rests;       // nothing pulls at it
    double thickness; // m; 0: it meets nothing
};

struct document *
bench_cloth_document(const struct bench_cloth *cloth); // NULL, with a line on stderr, without memory

#endif
