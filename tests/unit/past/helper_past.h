// A world that lives, and a store that is told all of it: what past.h is asked is held against what was.
#ifndef WEFT_TESTS_HELPER_PAST_H
#define WEFT_TESTS_HELPER_PAST_H

#include "helper_program.h"
#include "helper_world.h"

#include "base/buffer.h"
#include "past/past.h"
#include "store/store.h"

enum { STORY_TICKS = 1024, STORY_IMAGES = 64, STORY_LIST = 1 };

struct story {
    struct helper *helper;
    struct store *store;
    struct store_reader *reader;
    uint64_t position; // of the last entry
    uint64_t records;  // that are in the store
    uint32_t maker;    // of images and in marks, from now on
    bool plays;        // marks of ticks say so
    bool lies;         // the next mark tells a hash that is not so
    // At each tick after all that was told the world there.
    uint64_t hashes[STORY_TICKS], revisions[STORY_TICKS];
    struct base_buffer
        *images[STORY_IMAGES]; // the store's own bytes, to be damaged; NULL at positions without
    uint64_t image_ticks[STORY_IMAGES];
    uint32_t image_count;
    uint32_t image_positions; // that have one
    uint64_t image_position;  // of the last
};

void story_begin(struct story *story, helper_tweak tweak); // an empty world with an image of it and a mark
void story_begin_in(struct story *story, const char *folder, helper_tweak tweak);
void story_begin_short(struct story *story, uint64_t keep_bytes); // in memory, of which older ones go
void story_settle(struct story *story);                           // all that was told is durable
void story_begin_again(struct story *story);                      // somebody else hosts it from here on
void story_end(struct story *story);
void story_tell(struct story *story, const char *method, const char *notation); // an input of Ann's
void story_tick(struct story *story);                                           // one, if it has not failed
void story_ticks(struct story *story, uint32_t count);
void story_mark(struct story *story, enum past_mark_kind kind);
void story_image(struct story *story); // none of a world that failed
void story_entry(struct story *story, uint64_t tick, uint8_t kind, const void *bytes, size_t size);
const struct document *story_document(const struct story *story);
// A random life with images and marks now and then.
void story_random(struct story *story, uint32_t program);
// After it all entries are told to the store.
void story_drain(struct story *story);

struct past *story_open(struct story *story);
// Seeks, and looks whether it is what was.
void story_check(struct story *story, struct past *past, uint64_t tick, struct document **document);

#endif
