// The face that the files of options show each other.
//
//     options_rows.h     which options there are
//     options_value.c    the value of each, checked
//     options.c          where values come from, and whether they fit each other
//     options_help.c     --help
//     options_pages.c    the same for weftd(8) and docs/guides/server.md
#ifndef WEFT_OPTIONS_INTERNAL_H
#define WEFT_OPTIONS_INTERNAL_H

#include "options.h"

#include <stddef.h>

enum option_kind {
    OPTION_IS_FLAG,
    OPTION_IS_COUNT,
    OPTION_IS_AMOUNT,
    OPTION_IS_AGE,
    OPTION_IS_KEEP,
    OPTION_IS_ADDRESS,
    OPTION_IS_ADDRESS_OR_NONE,
    OPTION_IS_FOLDER,
    OPTION_IS_FILE,
    OPTION_IS_PEM,
    OPTION_IS_SCENE,
    OPTION_IS_ORIGINS,
    OPTION_IS_HOSTS,
    OPTION_IS_BROKERS,
    OPTION_IS_BROKERS_OR_NONE,
    OPTION_IS_NAME,
    OPTION_IS_HOST,
    OPTION_IS_ACKS,
    OPTION_IS_ISA,
    OPTION_IS_LEVEL,
};

// OPTION_ and the name of the member.
enum option_id {
#define OPTION(member, kind, ...) OPTION_##member,
#include "options_rows.h"
    OPTIONS_COUNT
};

enum {
    OPTIONS_SESSIONS_MAX = 65536,
    OPTIONS_WORLDS_MAX = 65536,
    OPTIONS_THREADS_MAX = 256,
    OPTIONS_GRACE_MAX = 24 * 3600,
    OPTIONS_TICK_MS_MAX = 3600 * 1000,
    OPTIONS_TAKES_SIZE = 160,
    OPTIONS_VARIABLE_SIZE = 64,
    OPTIONS_SOURCE_SIZE = 200,
};

struct option_row {
    enum option_kind kind;
    size_t at, size; // the place of the member in struct options, bytes
    const char *name;
    const char *argument;     // the name of its value in --help; NULL: a flag, whose value can be left out
    uint64_t min, max, count; // range and default of a COUNT or AMOUNT; 0 for other kinds
    const char *unit;         // the unit of these; NULL: none
    const char *text;         // default of another kind, as a user would give it; NULL: none
    const char *otherwise;    // in words, a default that the machine or another option decides; NULL: none
    const char *limit;        // its name among the limits of server.info; NULL: it is none of them
    const char *heading;      // of the group of options that begins with this one; NULL: none begins
    const char *help;         // a phrase that says what it does
    const char *more;         // sentences for weftd(8) alone; NULL: none
    const char *see;          // a link in docs/guides/server.md; NULL: none
};
extern const struct option_row options_table[OPTIONS_COUNT];

enum rank { BY_DEFAULT, BY_FILE, BY_ENVIRONMENT, BY_FLAG };

struct reader {
    struct options *options;
    enum rank ranks[OPTIONS_COUNT];
    char sources[OPTIONS_COUNT][OPTIONS_SOURCE_SIZE];
    char *text; // first error; empty if none
};

// Keeps the text if there is none yet. Always false.
bool options_wrong(struct reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Checks the value, and keeps it if the rank is at least that of the value before. `source` is what people need to find it again:
// "--threads", "WEFT_THREADS", "weftd.conf:3: threads". False with an error.
bool options_set(struct reader *reader, enum option_id option, enum rank rank, const char *source,
                 const char *value);
void options_set_defaults(struct reader *reader);

// Says what is right for the option, as "an integer from 1 to 256". The text may be in `out`.
const char *options_takes(const struct option_row *row, char out[OPTIONS_TAKES_SIZE]);
// Makes the name of the variable in the environment, as WEFT_MAX_SESSIONS. Returns out.
const char *options_variable(const struct option_row *row, char out[OPTIONS_VARIABLE_SIZE]);
// Make the default and the range as people read them, empty if there is none. They return out.
const char *options_default(const struct option_row *row, char out[OPTIONS_TAKES_SIZE]);
const char *options_range(const struct option_row *row, char out[OPTIONS_TAKES_SIZE]);

#endif
