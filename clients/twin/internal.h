// The parts of a twin: take.c takes messages apart, run.c does what they say, twin.c is what both stand on.
#ifndef WEFT_TWIN_INTERNAL_H
#define WEFT_TWIN_INTERNAL_H

#include "protocol/bytes.h"
#include "twin/twin.h"

// One after the other, as they came.
struct twin_input {
    bool is_record;
    uint64_t tick;  // of the record, or up to which the world had come
    uint8_t *bytes; // RECORD: canonical, owned
    size_t size;    // of bytes
    bool hashed;    // else: hash is told
    bool failed;    // the world had
    uint64_t hash;
};

struct twin {
    struct twin_bounds bounds;
    struct document *document;
    struct twin_state state;
    char text[PROTOCOL_TEXT_MAX];
    struct twin_clock clock;
    // Inputs that are not come to: a ring.
    struct twin_input *inputs;
    size_t first, count, capacity;
    size_t waiting_bytes;
    struct protocol_bytes before; // the last record as it came; empty: none
    uint32_t seq;                 // of the last message
    bool told_failed;             // the world had, by what was told last
    // An image that comes in.
    struct protocol_bytes image;
    uint64_t image_size, image_tick, image_sequence, image_hash;
    bool image_hashed;
    uint32_t image_part, image_parts; // the next; 0 parts: none comes in
};

// False with *error: the twin is lost.
bool twin_lose(struct twin *twin, enum protocol_code code, struct protocol_error *error, const char *format,
               ...) __attribute__((format(printf, 4, 5)));
void twin_differs(struct twin *twin, const char *format, ...) __attribute__((format(printf, 2, 3)));
void twin_forget(struct twin *twin); // inputs that wait, and an image that comes in
// Takes the bytes in every case. False: too much waits, or no memory.
bool twin_wait(struct twin *twin, const struct twin_input *input, struct protocol_error *error);
// The image is whole: the twin begins with it.
bool twin_begin(struct twin *twin, struct protocol_error *error);

#endif
