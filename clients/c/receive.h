// What comes: answers, notifications and frames, told apart and handed on.
#ifndef WEFT_CLIENT_RECEIVE_H
#define WEFT_CLIENT_RECEIVE_H

#include "internal.h"

// Takes bytes that came. False, the client being lost with its loss filled, if the stream is broken.
bool weft_receive(struct weft_client *client, const uint8_t *data, size_t size);

#endif
