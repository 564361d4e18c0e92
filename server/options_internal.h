// What the files of options share.
//
//     options_table.c    which options there are
//     options_value.c    the value of each, checked
//     options.c          where values come from, and whether they fit each other
#ifndef WEFT_OPTIONS_INTERNAL_H
#define WEFT_OPTIONS_INTERNAL_H

#include "options.h"

enum which {
    LISTEN,
    HTTP,
    STUDIO,
    ORIGIN,
    HOST,
    TLS_CERT,
    TLS_KEY,
    TLS_CLIENT_CA,
    RELAY_CA,
    SCENE,
    DATA,
    KEEP,
    BIN,
    STORE,
    STORE_CHECK,
    STORE_CA,
    STORE_CERT,
    STORE_KEY,
    STORE_CREDS,
    STORE_CHECK_CREDS,
    STORE_ACKS,
    SERVER_NAME,
    ADVERTISE,
    DRAIN,
    THREADS,
    LOOPS,
    ISA,
    CONFIG,
    LOG_LEVEL,
    LOG_JSON,
    INSECURE,
    TOKENS,
    ACCESS,
    TOKEN_NEW,
    AUDIT,
    PERSON_MESSAGES,
    PERSON_BYTES,
    PERSON_EDITS,
    PERSON_WORLDS,
    PERSON_BODIES,
    PERSON_PARTICLES,
    PERSON_CONSTRAINTS,
    PERSON_POSES,
    MAX_MESSAGE_BYTES,
    MAX_SESSIONS,
    MAX_SESSIONS_PER_ADDRESS,
    MAX_WORLDS,
    SESSION_GRACE,
    TICK_MS,
    SERVER_FRAME_BYTES,
    LOSSLESS_BYTES,
    HOLD_MS,
    OPTION_COUNT
};
enum kind {
    ADDRESS,
    AGE,
    COUNT,
    FILE_NAME,
    FOLDER,
    HOSTS,
    INSTRUCTIONS,
    KEPT,
    LEVEL,
    NAME,
    ORIGINS,
    PEM_FILE,
    SCENE_FILE,
    OF_STORE,
    SWITCH
};
enum rank { BY_DEFAULT, BY_FILE, BY_ENVIRONMENT, BY_FLAG };

enum { SOURCE_SIZE = 200, THREADS_MAX = 256, HELP_WIDTH = 34 };

struct option_row {
    const char *name, *variable;
    enum kind kind;
    uint64_t min, max;
    const char *argument, *help;
};
extern const struct option_row options_table[OPTION_COUNT];

struct reader {
    struct options *options;
    enum rank ranks[OPTION_COUNT];
    char sources[OPTION_COUNT][SOURCE_SIZE]; // of addresses
    const char *config;                      // file name
    char *text;                              // first error; empty if none
};

// Keeps the text where there is none yet. Always false.
bool options_wrong(struct reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
// `source` is what people need to find it again: "--threads", "WEFT_THREADS", "weftd.conf:3: threads".
bool options_set(struct reader *reader, enum which option, enum rank rank, const char *source,
                 const char *value);

#endif
