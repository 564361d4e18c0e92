// weft-keep works on folders of weftd without a server.
//
//     verify   checks a folder           backup    copies it, while a server uses it
//     replay   computes it again         restore   makes a folder from such a copy
#ifndef WEFT_KEEP_H
#define WEFT_KEEP_H

#include "keep/source.h"
#include "record/meter.h"

#include <stdbool.h>
#include <stdint.h>

enum keep_status {
    KEEP_OK = 0,
    KEEP_FAILED = 1, // damage, a difference, or this program failed
    KEEP_USAGE = 2,
    KEEP_SALVAGED = 3,  // done with the intact part: durable data is lost
    KEEP_STOPPED = 130, // stopped by a signal; nothing is left behind
};

struct keep_options {
    bool json, quiet;
    bool salvage; // uses the intact part of a folder that lost data
};

// Prints the final message on standard error: weft: CODE: text. Returns the status.
enum keep_status keep_say(enum keep_status status, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void keep_signals_catch(void); // a second signal ends the program as usual
bool keep_stopped(void);       // a signal came

// Runs keep_source_lost of source.c and prints the losses on standard output unless json. *lost: their number. If the
// result is not KEEP_OK, the command must not go on.
enum keep_status keep_lost(const struct keep_options *options, struct keep_source *source,
                           const char *command, uint64_t *lost);
// The status after working with an intact part.
enum keep_status keep_salvaged(uint64_t lost);

enum keep_status keep_verify(const struct keep_options *options, const char *path);
enum keep_status keep_replay(const struct keep_options *options, const char *path);
enum keep_status keep_backup(const struct keep_options *options, const char *folder, const char *to);
enum keep_status keep_restore(const struct keep_options *options, const char *backup, const char *folder);

// verify.c: checks a folder, or one world; counts each damage and prints it on standard output (unless json). Damage of
// the folder itself has world 0. False with text if it cannot be read.
struct keep_damages {
    struct keep_damage {
        uint32_t list;
        uint64_t position;
        char text[320];
    } * items;
    uint64_t count; // of which at most KEEP_DAMAGES_MAX are kept
};
enum { KEEP_DAMAGES_MAX = 1000 };
bool keep_look(const struct keep_options *options, struct keep_source *source, struct keep_damages *damages,
               char text[KEEP_TEXT_SIZE]);

#endif
