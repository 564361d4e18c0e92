// Errors as clients see them: a code of api.json, a sentence, and the field, user or limit that it concerns.
#ifndef WEFT_PROTOCOL_ERROR_H
#define WEFT_PROTOCOL_ERROR_H

#include "protocol/fault/fault.h"
#include "protocol/generated/api.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>

// Sizes of buffers, in bytes, with the terminating zero.
enum { PROTOCOL_TEXT_MAX = 256, PROTOCOL_FIELD_MAX = 96 };
enum { PROTOCOL_SERVER_NAME_MAX = 65, PROTOCOL_ADDRESS_MAX = 288 }; // a host's name has 253 bytes at most

// The name of a server and its addresses, for clients that must go there. UTF-8 without control characters.
struct protocol_home {
    char server[PROTOCOL_SERVER_NAME_MAX];
    char address[PROTOCOL_ADDRESS_MAX]; // HOST:PORT, or tls://HOST:PORT
    char web[PROTOCOL_ADDRESS_MAX]; // http://HOST:PORT, or https://HOST:PORT; empty: it serves no browsers
};

struct protocol_error {
    enum protocol_code code;        // PROTOCOL_CODE_OK: no error
    char field[PROTOCOL_FIELD_MAX]; // dotted path of the field at fault; empty if none
    char value[PROTOCOL_FIELD_MAX]; // its value as text; empty if none
    char text[PROTOCOL_TEXT_MAX];   // UTF-8, for people: names the field, the value, what would be right
    uint64_t revision; // of the world, or of the edit that is in conflict with this one; 0 if none
    // True if the error concerns another user than the caller, such as the author of that edit. user is then that user's
    // name, or empty if it is not known.
    bool names_user;
    char user[65];
    double limit; // the limit that would be exceeded, in the unit of the field; NaN if none
    // With CONFLICT of edit.undo and edit.redo: the later changes in the way (struct protocol_undo_overwritten). If field is
    // "revision", force overwrites them; else field does not go together with the one change that there is, also with force.
    // Views that last as long as the request.
    struct protocol_list changes;
    struct protocol_home home; // with MOVED: the server that runs the world
};

// Fills *error, and clears what the arguments do not give. field may be NULL. A text that is too long ends in "…"; control
// characters and broken UTF-8 become '?'.
void protocol_error_set(struct protocol_error *error, enum protocol_code code, const char *field,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

// Fills *error with a fault. The text begins with the field, unless it names the field anyway.
void protocol_error_fault(struct protocol_error *error, const struct fault *fault);
enum protocol_code protocol_code_of(enum fault_code code); // INTERNAL for a fault that no caller can mend

// Fills *error with MOVED. what is the world's id or name, as the caller gave it.
void protocol_error_moved(struct protocol_error *error, const char *what, const struct protocol_home *home);

// Packs [kind, "CODE: text"], or the map {kind, code, text, field, value, revision, user, limit}, to which MOVED adds
// server, address and web, and an undo in conflict adds changes. user is the caller's name, which the map gives unless names_user; NULL or empty: nil.
void protocol_error_pack(const struct protocol_error *error, enum protocol_errors_mode mode, const char *user,
                         msgpack_packer *packer);

#endif
