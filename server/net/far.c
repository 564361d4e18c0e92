// How long it lasts: until nobody holds it. What is still in its ring nobody will take.
#include "net/far.h"

#include <stdlib.h>

void net_far_ref(struct net_far *far)
{
    atomic_fetch_add_explicit(&far->refs, 1, memory_order_relaxed);
}

void net_far_unref(struct net_far *far)
{
    if (atomic_fetch_sub_explicit(&far->refs, 1, memory_order_acq_rel) > 1) {
        return;
    }
    struct net_far_message message;
    while (base_ring_pop(far->messages, &message)) {
        free(message.bytes);
    }
    base_ring_destroy(far->messages);
    base_buffer_unref(far->orders.words);
    base_mutex_deinit(&far->mutex);
    free(far);
}
