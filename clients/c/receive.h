// Incoming messages. Tells answers, notifications and frames apart, and hands each to its callback.
//
// Both transports call this with the bytes of the connection, which secure.c has decrypted if TLS is used. It runs on
// the client's thread, and callbacks run inside it.
#ifndef WEFT_CLIENT_RECEIVE_H
#define WEFT_CLIENT_RECEIVE_H

#include "internal.h"

// Takes bytes that came, in pieces of any size: a message may be split over several calls, and one call may complete
// several messages. Each complete one is delivered before this returns.
//
// False if the stream is broken; then the client is lost and client->loss says why.
bool weft_receive(struct weft_client *client, const uint8_t *data, size_t size);

#endif
