// What weftd was asked to be: from flags, the environment and a configuration file, in this precedence.
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
    OPTIONS_SESSIONS_MAX = 65536,
    OPTIONS_WORLDS_MAX = 65536,
    OPTIONS_GRACE_MAX = 24 * 3600,
    OPTIONS_TICK_MS_MAX = 3600 * 1000,
};

struct options {
    char listen[OPTIONS_ADDRESS_SIZE]; // ADDR:PORT
    char http[OPTIONS_ADDRESS_SIZE];   // ADDR:PORT; empty: none
    bool http_asked, sessions_asked;   // not the default
    char studio[OPTIONS_FOLDER_SIZE];  // folder of its files; empty: where they are by default
    char origins[OPTIONS_ORIGINS_SIZE];
    char hosts[OPTIONS_ORIGINS_SIZE];       // names by which it may be called over HTTP
    char data[OPTIONS_FOLDER_SIZE];         // folder that worlds are kept in; empty: they are not
    uint64_t keep_seconds, keep_bytes;      // of the past; UINT64_MAX: all of it
    uint64_t bin_seconds;                   // how long a deleted world can be had back
    char store[OPTIONS_ORIGINS_SIZE];       // brokers that worlds are kept by as well; empty: none
    char store_check[OPTIONS_ORIGINS_SIZE]; // how they are asked whether they sync; "none"
    char server_name[OPTIONS_NAME_SIZE];    // among servers that share the store; empty: the machine's
    char advertise[OPTIONS_ADVERTISE_SIZE]; // where clients find it; empty: where it listens
    bool drain;                             // give worlds away before it ends
    char store_ca[OPTIONS_FOLDER_SIZE];     // files; empty: none
    char store_cert[OPTIONS_FOLDER_SIZE];
    char store_key[OPTIONS_FOLDER_SIZE];
    char store_creds[OPTIONS_FOLDER_SIZE];
    char store_check_creds[OPTIONS_FOLDER_SIZE];
    bool store_brokers_alone;           // make what happens durable, not the folder as well
    char tls_cert[OPTIONS_FOLDER_SIZE]; // files (net_tls_files); empty: plain
    char tls_key[OPTIONS_FOLDER_SIZE];
    char tls_client_ca[OPTIONS_FOLDER_SIZE]; // empty: clients need no certificate
    char relay_ca[OPTIONS_FOLDER_SIZE];      // empty: whom the system trusts
    char scene[OPTIONS_FOLDER_SIZE];         // file that a world is made of at the start; empty: none
    uint32_t threads;
    uint32_t loops;
    enum sim_isa isa;
    enum base_log_level log_level;
    bool log_json;
    bool insecure;
    uint64_t message_bytes_max;
    uint32_t sessions_max;
    uint32_t sessions_per_address_max;
    bool sessions_per_address_asked; // not the default: loopback counts too
    uint32_t worlds_max;
    bool tokens;                                          // are asked for
    char access[OPTIONS_FOLDER_SIZE];                     // file of them; empty: DATA/access
    char audit[OPTIONS_FOLDER_SIZE];                      // file; empty: nothing is written down
    char token_new[OPTIONS_NAME_SIZE];                    // make one for this person and end; empty: do not
    uint64_t person_messages, person_bytes, person_edits; // a second; 0: as many as come, and so below
    uint64_t person_worlds, person_bodies, person_particles, person_constraints, person_poses;
    uint32_t session_grace;      // seconds that a session is kept whose connection is lost; 0: it is not
    uint32_t tick_ms_max;        // before a world is slowed; 0: as much as it takes
    uint64_t server_frame_bytes; // frames of all worlds
    uint64_t lossless_bytes;     // backlogs of all lossless streams of a world
    uint32_t hold_ms;            // that one of these may hold its world and take nothing
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

void options_help(FILE *out);

#endif
