// weft-keep: what can be done with a folder of weftd's without a server.
//
//     verify   reads all of it            backup    copies it, while a server uses it
//     replay   steps all of it again      restore   makes a folder of such a copy
#ifndef WEFT_KEEP_H
#define WEFT_KEEP_H

#include "keep/source.h"
#include "record/meter.h"

#include <stdbool.h>
#include <stdint.h>

enum keep_status {
    KEEP_OK = 0,
    KEEP_FAILED = 1, // damage, a difference, or something here failed
    KEEP_USAGE = 2,
    KEEP_SALVAGED = 3,  // done with what is there: something that was durable is lost
    KEEP_STOPPED = 130, // by a signal; nothing is left behind
};

struct keep_options {
    bool json, quiet;
    bool salvage; // go on with what is there, although something is lost
};

// The last words, on standard error: weft: CODE: text. Gives the status back.
enum keep_status keep_say(enum keep_status status, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void keep_signals_catch(void); // the second one ends the program as ever
bool keep_stopped(void);       // a signal came

// source.c's keep_source_lost, told on standard output unless json. *lost: how much. Not KEEP_OK: nothing is to be done.
enum keep_status keep_lost(const struct keep_options *options, struct keep_source *source,
                           const char *command, uint64_t *lost);
// The status of something that was done with what is there.
enum keep_status keep_salvaged(uint64_t lost);

enum keep_status keep_verify(const struct keep_options *options, const char *path);
enum keep_status keep_replay(const struct keep_options *options, const char *path);
enum keep_status keep_backup(const struct keep_options *options, const char *folder, const char *to);
enum keep_status keep_restore(const struct keep_options *options, const char *backup, const char *folder);

// verify.c: all of a folder, or the one world; each damage is counted and told on standard output (unless json), and the folder's
// own with world 0. False with text if it cannot be read.
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
