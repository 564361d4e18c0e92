// Going to the server that runs a world, if several servers share worlds. Nothing here waits: the owner of the socket
// calls weft_outbox_flush after it took messages, and at follow.wake_ms.
#ifndef WEFT_CLIENT_FOLLOW_H
#define WEFT_CLIENT_FOLLOW_H

#include "internal.h"

extern const struct weft_steps weft_follow_steps; // for weft_client_create

// The connection to follow.address is up, or error says why there is none.
void weft_follow_dialed(struct weft_client *client, const struct weft_error *error);
// Another connection is due. True if it goes to another server, false if to the same one.
bool weft_follow_elsewhere(struct weft_client *client);

#endif
