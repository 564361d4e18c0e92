// relay/relay.h in a page, which shares its worlds with no server.
#include "relay/relay.h"

#include "base/assert.h"

#include <stddef.h>

struct relay *relay_create(const struct relay_options *options)
{
    (void)options;
    return NULL;
}

void relay_stop(struct relay *relay)
{
    BASE_ASSERT(!relay);
}

void relay_destroy(struct relay *relay)
{
    BASE_ASSERT(!relay);
}

const struct dispatch_elsewhere *relay_elsewhere(const struct relay *relay)
{
    BASE_ASSERT(!relay);
    return NULL;
}

void relay_session_drained(struct relay *relay, struct host_session *session)
{
    (void)session;
    BASE_ASSERT(!relay);
}

void relay_session_away(struct relay *relay, uint32_t session, bool away)
{
    (void)session;
    (void)away;
    BASE_ASSERT(!relay);
}

void relay_session_ended(struct relay *relay, uint32_t session)
{
    (void)session;
    BASE_ASSERT(!relay);
}
