// Going where a world is, where several servers share them. Nothing here waits: whoever owns the socket calls weft_outbox_flush
// after what came was taken, and at follow.wake_ms.
#ifndef WEFT_CLIENT_FOLLOW_H
#define WEFT_CLIENT_FOLLOW_H

#include "internal.h"

extern const struct weft_steps weft_follow_steps; // for the client

// The connection to follow.address stands, or error says why there is none.
void weft_follow_dialed(struct weft_client *client, const struct weft_error *error);
// Another connection is due: is another server tried? Else it is the same one.
bool weft_follow_elsewhere(struct weft_client *client);

#endif
