// A world in a folder of weftd's, by how people write it: DIR/WORLD@TICK.
#ifndef WEFT_KEEP_SOURCE_H
#define WEFT_KEEP_SOURCE_H

#include "store/store.h"

#include <stdbool.h>
#include <stdint.h>

enum { KEEP_TEXT_SIZE = 600 };

struct keep_source {
    struct store *store;
    struct store_reader *reader;
    bool all;               // the folder was named, no world in it
    struct store_list list; // the world, unless all
    bool ticked;            // a tick was named
    uint64_t tick;
};

// The folder is only read, and may be in use. WORLD is a name or an id. False with text: then nothing is open.
bool keep_source_open(const char *path, struct keep_source *source, char text[KEEP_TEXT_SIZE]);
void keep_source_close(struct keep_source *source);
// Counts what was durable of the folder, or of the world that is named, and is not there. Each is told (may be NULL). Damage of the
// log concerns every world.
uint64_t keep_source_lost(struct keep_source *source, void (*on_lost)(void *context, const char *text),
                          void *context);

#endif
