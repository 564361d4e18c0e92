// Servers that speak TLS and are not the ones that they should be: for a while nothing is passed on to them.
#include "relay/relay_internal.h"

#include "base/clock.h"
#include "base/log.h"

#include <stdio.h>
#include <string.h>

uint64_t relay_now_ms(void)
{
    return base_now_ns() / 1000000;
}

static bool is_distrusted(const struct relay *relay, const char *address)
{
    const uint64_t now_ms = relay_now_ms();
    for (int i = 0; i < RELAY_DISTRUSTED; i++) {
        const struct relay_distrusted *one = &relay->distrusted[i];
        if (strcmp(one->address, address) == 0 && now_ms - one->since_ms < relay->options.distrust_ms) {
            return true;
        }
    }
    return false;
}

void relay_distrust(struct relay *relay, const char *address, const char *reason)
{
    struct relay_distrusted *oldest = &relay->distrusted[0];
    if (is_distrusted(relay, address)) {
        return;
    }
    for (int i = 1; i < RELAY_DISTRUSTED; i++) {
        if (relay->distrusted[i].since_ms < oldest->since_ms) {
            oldest = &relay->distrusted[i];
        }
    }
    snprintf(oldest->address, sizeof oldest->address, "%s", address);
    oldest->since_ms = relay_now_ms();
    relay->stats.distrusted++;
    base_log(BASE_LOG_WARN, "nothing is passed on to the server at %s, by TLS: %s", address, reason);
}

bool relay_where(struct relay *relay, const struct protocol_ref *world, struct dispatch_place *place)
{
    if (!relay->options.where(relay->options.context, world, place)) {
        return false;
    }
    return !place->tls || (relay->options.tls && !is_distrusted(relay, place->address));
}
