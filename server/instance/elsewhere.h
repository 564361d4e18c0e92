// Which server runs a world that this one has not, as the cluster knows it: for what is passed on (relay/relay.h).
#ifndef WEFT_INSTANCE_ELSEWHERE_H
#define WEFT_INSTANCE_ELSEWHERE_H

#include "relay/relay.h"

#include <stdbool.h>

// As relay_options.where wants it; context is the registry.
bool instance_where(void *context, const struct protocol_ref *world, struct relay_place *place);

#endif
