// Errors as clients see them: a code of api.json, a sentence, and what it concerns.
#ifndef WEFT_PROTOCOL_ERROR_H
#define WEFT_PROTOCOL_ERROR_H

#include "protocol/generated/api.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>

enum { PROTOCOL_TEXT_MAX = 256, PROTOCOL_FIELD_MAX = 96 };
enum { PROTOCOL_SERVER_NAME_MAX = 65, PROTOCOL_ADDRESS_MAX = 288 }; // a host's name has 253 bytes at most

// A server of a deployment, and where it is to be found. All is UTF-8 without control characters.
struct protocol_home {
    char server[PROTOCOL_SERVER_NAME_MAX];
    char address[PROTOCOL_ADDRESS_MAX]; // HOST:PORT, or tls://HOST:PORT
    char web[PROTOCOL_ADDRESS_MAX];     // http://HOST:PORT, or https://HOST:PORT; empty: it takes no browsers
};

struct protocol_error {
    enum protocol_code code;        // PROTOCOL_CODE_OK where there is none
    char field[PROTOCOL_FIELD_MAX]; // dotted path of the field at fault; empty if none
    char value[PROTOCOL_FIELD_MAX]; // its value as text; empty if none
    char text[PROTOCOL_TEXT_MAX];   // UTF-8, for people: names the field, the value, what would be right
    uint64_t revision;              // of the world, or of the edit that stands in the way; 0 if none
    bool names_user; // user is whom the error speaks of (empty: nobody is known), not the one that asked
    char user[65];
    double limit;              // the limit passed; NaN if none
    struct protocol_home home; // of MOVED: who has the world
};

// Fills the error. field may be NULL. Control bytes and broken UTF-8 in text are replaced.
void protocol_error_set(struct protocol_error *error, enum protocol_code code, const char *field,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

// MOVED. what: the world, as the caller named it.
void protocol_error_moved(struct protocol_error *error, const char *what, const struct protocol_home *home);

// [kind, "CODE: text"], or the map {kind, code, text, field, value, revision, user, limit}; of MOVED with {server, address,
// web} besides.
void protocol_error_pack(const struct protocol_error *error, enum protocol_errors_mode mode, const char *user,
                         msgpack_packer *packer);

#endif
