// The model of a store: entries and images whose bytes follow from their list and position, so that each one that is
// read can be checked; and how far each list was durable.
#ifndef WEFT_TESTS_HELPER_MODEL_H
#define WEFT_TESTS_HELPER_MODEL_H

#include "helper_store.h"

enum { MODEL_LISTS = 4 }; // ids 1 … 3

struct model_list {
    bool made;
    uint64_t appended; // entries that were given to the store
    uint64_t durable;  // of these, told to be
    uint64_t epoch;    // that was given out
    uint64_t imaged;   // position of the last image that was given
};

struct model {
    struct model_list lists[MODEL_LISTS];
};

enum verdict { RIGHT, REFUSED, WRONG };

uint64_t model_random(uint64_t *state);
bool model_create(struct model *model, struct store *store, uint32_t list);
// The next, or a few that belong together.
bool model_append(struct model *model, struct store *store, uint32_t list);
bool model_image(struct model *model, struct store *store, uint32_t list);
void model_prepare(const struct model *model, struct heard *heard); // as if all that is durable had been told
void model_hear(struct model *model, struct heard *heard);          // what was told to be durable

// The result of reading a store: all that was durable, nothing that was not appended, and only complete groups.
// REFUSED: it reports damage. text says what is wrong.
enum verdict model_check(const struct model *model, struct store *store, char text[FAULT_TEXT_SIZE]);
// The store goes on where what it holds ends: it may hold more than was told.
void model_go_on(struct model *model, struct store *store);

#endif
