// A world in a folder of weftd, written as DIR/WORLD@TICK.
#ifndef WEFT_KEEP_SOURCE_H
#define WEFT_KEEP_SOURCE_H

#include "store/store.h"

#include <stdbool.h>
#include <stdint.h>

enum { KEEP_TEXT_SIZE = 600 };

struct keep_source {
    struct store *store;
    struct store_reader *reader;
    bool all;               // the path is a folder, without a world
    struct store_list list; // the world, unless all
    bool ticked;            // the path has a tick
    uint64_t tick;
};

// The folder is only read, and may be in use. WORLD is a name or an id. False with text; then nothing is open.
bool keep_source_open(const char *path, struct keep_source *source, char text[KEEP_TEXT_SIZE]);
void keep_source_close(struct keep_source *source);
// Counts data of the folder, or of the named world, that was durable and is missing. Calls on_lost for each (may be
// NULL). Damage of the log affects every world.
uint64_t keep_source_lost(struct keep_source *source, void (*on_lost)(void *context, const char *text),
                          void *context);

#endif
