// A square cloth on four pins, as a document.
#ifndef WEFT_BENCH_CLOTH_DOCUMENT_H
#define WEFT_BENCH_CLOTH_DOCUMENT_H

#include "document/document.h"

struct document *bench_cloth_document(uint32_t width); // NULL, with a line on stderr, without memory

#endif
