// The parts of a twin: take.c reads messages, run.c applies them, and twin.c has the functions that both use.
#ifndef WEFT_TWIN_INTERNAL_H
#define WEFT_TWIN_INTERNAL_H

#include "protocol/bytes.h"
#include "twin/twin.h"

// The inputs of a twin, in the order in which they came.
struct twin_input {
    bool is_record;
    uint64_t tick;  // tick of the record, or the tick that the world had reached
    uint8_t *bytes; // RECORD: canonical, owned
    size_t size;    // of bytes
    bool hashed;    // hash is given
    bool failed;    // the world had failed
    uint64_t hash;
};

struct twin {
    struct twin_bounds bounds;
    struct document *document;
    struct twin_state state;
    char text[PROTOCOL_TEXT_MAX];
    struct twin_clock clock;
    // Inputs that wait to be applied: a ring.
    struct twin_input *inputs;
    size_t first, count, capacity;
    size_t waiting_bytes;
    struct protocol_bytes before; // the last record as it came; empty: none
    uint32_t seq;                 // number of the last message
    bool told_failed;             // the last message says that the world had failed
    // An image that is arriving.
    struct protocol_bytes image;
    uint64_t image_size, image_tick, image_sequence, image_hash;
    bool image_hashed;
    uint32_t image_part, image_parts; // next part and number of parts; 0 parts: none is arriving
};

// Marks the twin as lost and fills *error. Returns false.
bool twin_lose(struct twin *twin, enum protocol_code code, struct protocol_error *error, const char *format,
               ...) __attribute__((format(printf, 4, 5)));
void twin_differs(struct twin *twin, const char *format, ...) __attribute__((format(printf, 2, 3)));
void twin_forget(struct twin *twin); // drops inputs that wait, and an image that is arriving
// Takes the bytes in every case. False: too much waits, or memory runs out.
bool twin_wait(struct twin *twin, const struct twin_input *input, struct protocol_error *error);
// The image is complete: begins the twin with it.
bool twin_begin(struct twin *twin, struct protocol_error *error);

#endif
