// The MessagePack-RPC envelope: request [0, msgid, method, params], response [1, msgid, error, result],
// notification [2, method, params]. weft's params are always [] or [{named fields}].
#ifndef WEFT_PROTOCOL_MESSAGE_H
#define WEFT_PROTOCOL_MESSAGE_H

#include "protocol/error.h"
#include "protocol/params.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>

enum protocol_message_kind { PROTOCOL_REQUEST = 0, PROTOCOL_RESPONSE = 1, PROTOCOL_NOTIFICATION = 2 };

// Pointers are views into the message.
struct protocol_message {
    enum protocol_message_kind kind;
    uint32_t msgid;                // request, response
    struct protocol_string method; // request, notification
    const msgpack_object *params;  // request, notification: the whole params value
    const msgpack_object *error;   // response: nil if none
    const msgpack_object *result;  // response
};

// False with PROTOCOL if root is not such an envelope. The connection must end then.
bool protocol_message_parse(const msgpack_object *root, struct protocol_message *message,
                            struct protocol_error *error);

// Reads kind, msgid and method from bytes that are not unpacked. False if they are not such an envelope; *message then
// holds what was read before the fault.
bool protocol_message_peek(const uint8_t *bytes, size_t size, struct protocol_message *message);

// Finds the map of named fields in params; *map is NULL for []. False with INVALID for anything but [] and [{...}].
bool protocol_message_fields(const msgpack_object *params, const msgpack_object **map,
                             struct protocol_error *error);

// Pack the beginning of a message, as the comments show; the caller then packs one value, the map of fields or the result.
// protocol_pack_failure packs a whole response; user is as in protocol_error_pack.
void protocol_pack_request(msgpack_packer *packer, uint32_t msgid,
                           const char *method);                              // [0, msgid, method, [
void protocol_pack_notification(msgpack_packer *packer, const char *method); // [2, method, [
void protocol_pack_result(msgpack_packer *packer, uint32_t msgid);           // [1, msgid, nil,
void protocol_pack_failure(msgpack_packer *packer, uint32_t msgid, const struct protocol_error *error,
                           enum protocol_errors_mode mode, const char *user);
// Removes the last `entries` entries, `cut` bytes together, from the map that is a packed response's result, in place. Returns
// the new size; `size` if it removed nothing because the bytes are not a response with so many entries.
size_t protocol_result_cut(uint8_t *bytes, size_t size, uint32_t entries, size_t cut);

#endif
