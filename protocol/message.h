// The MessagePack-RPC envelope: request [0, msgid, method, params], response [1, msgid, error, result],
// notification [2, method, params].
#ifndef WEFT_PROTOCOL_MESSAGE_H
#define WEFT_PROTOCOL_MESSAGE_H

#include "protocol/error.h"
#include "protocol/params.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>

enum protocol_message_kind { PROTOCOL_REQUEST = 0, PROTOCOL_RESPONSE = 1, PROTOCOL_NOTIFICATION = 2 };

struct protocol_message {
    enum protocol_message_kind kind;
    uint32_t msgid;                // request, response
    struct protocol_string method; // request, notification
    const msgpack_object *params;  // request, notification: the whole params value
    const msgpack_object *error;   // response: nil if none
    const msgpack_object *result;  // response
};

// False, with error PROTOCOL, if root is no such envelope.
bool protocol_message_parse(const msgpack_object *root, struct protocol_message *message,
                            struct protocol_error *error);

// Kind, msgid and method of a message that is not unpacked, as far as they can be told. False: it is no envelope.
bool protocol_message_peek(const uint8_t *bytes, size_t size, struct protocol_message *message);

// The one map of named fields in params: [{...}]; *map is NULL for []. False, INVALID, for anything else.
bool protocol_message_fields(const msgpack_object *params, const msgpack_object **map,
                             struct protocol_error *error);

// Heads of messages; the caller packs one value after them: the map of fields, or the result.
void protocol_pack_request(msgpack_packer *packer, uint32_t msgid,
                           const char *method);                              // [0, msgid, method, [
void protocol_pack_notification(msgpack_packer *packer, const char *method); // [2, method, [
void protocol_pack_result(msgpack_packer *packer, uint32_t msgid);           // [1, msgid, nil,
void protocol_pack_failure(msgpack_packer *packer, uint32_t msgid, const struct protocol_error *error,
                           enum protocol_errors_mode mode, const char *user); // whole response
// Takes the last entries, of `cut` bytes together, off the map that a response's result is. Gives the size that is left; a
// message that is no response with so many entries stays as it is.
size_t protocol_result_cut(uint8_t *bytes, size_t size, uint32_t entries, size_t cut);

#endif
