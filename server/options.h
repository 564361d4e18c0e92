// The options of weftd, as flags, the environment and a configuration file give them, in this precedence. options_rows.h is the
// table of them.
#ifndef WEFT_OPTIONS_H
#define WEFT_OPTIONS_H

#include "base/log.h"
#include "sim/sim.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    OPTIONS_ADDRESS_SIZE = 64,
    OPTIONS_TEXT_SIZE = 512,
    OPTIONS_FOLDER_SIZE = 4096,
    OPTIONS_ORIGINS_SIZE = 1024,
    OPTIONS_NAME_SIZE = 65,
    OPTIONS_ADVERTISE_SIZE = 255,
};

// The type of the member of each kind. Text that was not given is empty, and so is an ADDRESS_OR_NONE that is none. An empty value
// is an error for every kind. An empty variable of the environment counts as not given.
//
// A line of the configuration file has less room than the longest values: INI_MAX_LINE of inih, 200 bytes as Debian builds it.
// Flags and the environment have room for all values.
#define OPTION_TYPE_FLAG bool
#define OPTION_TYPE_COUNT uint32_t
#define OPTION_TYPE_AMOUNT uint64_t
#define OPTION_TYPE_AGE uint64_t                                   // seconds
#define OPTION_TYPE_KEEP uint64_t                                  // seconds; keep_bytes has the rest
#define OPTION_TYPE_ADDRESS __typeof__(char[OPTIONS_ADDRESS_SIZE]) // ADDR:PORT
#define OPTION_TYPE_ADDRESS_OR_NONE OPTION_TYPE_ADDRESS
#define OPTION_TYPE_FOLDER __typeof__(char[OPTIONS_FOLDER_SIZE])
#define OPTION_TYPE_FILE OPTION_TYPE_FOLDER
#define OPTION_TYPE_PEM OPTION_TYPE_FOLDER
#define OPTION_TYPE_SCENE OPTION_TYPE_FOLDER
#define OPTION_TYPE_ORIGINS __typeof__(char[OPTIONS_ORIGINS_SIZE])
#define OPTION_TYPE_HOSTS OPTION_TYPE_ORIGINS
#define OPTION_TYPE_BROKERS OPTION_TYPE_ORIGINS // it may hold a password
#define OPTION_TYPE_BROKERS_OR_NONE OPTION_TYPE_BROKERS
#define OPTION_TYPE_NAME __typeof__(char[OPTIONS_NAME_SIZE])
#define OPTION_TYPE_HOST __typeof__(char[OPTIONS_ADVERTISE_SIZE])
#define OPTION_TYPE_ACKS bool // whether the brokers alone count
#define OPTION_TYPE_ISA enum sim_isa
#define OPTION_TYPE_LEVEL enum base_log_level

struct options {
#define OPTION(member, kind, ...) OPTION_TYPE_##kind member;
#include "options_rows.h"
    uint64_t keep_bytes; // of --keep; UINT64_MAX, as its seconds: no bound
    bool http_asked, sessions_asked, sessions_per_address_asked; // given, even if as the default
};

enum options_outcome {
    OPTIONS_RUN,
    OPTIONS_HELP,    // asked for
    OPTIONS_VERSION, // asked for
    OPTIONS_WRONG,   // text names the source, the option, its value and what would be right
};

// argv as main has it. Reads WEFT_* of the environment, and the file that --config or WEFT_CONFIG names.
enum options_outcome options_read(int argc, char **argv, struct options *options,
                                  char text[OPTIONS_TEXT_SIZE]);

bool options_has_tls(const struct options *options); // both addresses speak it, and nothing else
// Whether there are files that SIGHUP has the server read again. If there are none, the signal ends the server.
bool options_can_read_again(const struct options *options);

void options_help(FILE *out);

#endif
