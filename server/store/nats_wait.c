// Waits for brokers while a store is opened. They may not be up yet, or have no leader yet: after a power
// cut, servers and brokers start together.
#include "store/nats.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"

#include <inttypes.h>

static const uint64_t between_ns = 250000000; // time before the same is asked again
static const uint64_t told_ns = 10000000000;  // time between two lines of the log

void store_nats_patience_begin(struct store_nats_patience *patience, uint32_t ms)
{
    const uint64_t now = base_now_ns();
    *patience = (struct store_nats_patience){.began_ns = now, .until_ns = now + UINT64_C(1000000) * ms};
}

bool store_nats_wait(struct store_nats_patience *patience, const struct store_error *error)
{
    const uint64_t now = base_now_ns();
    if (error->fault.code != FAULT_IO || !error->passing || now >= patience->until_ns) {
        return false;
    }
    if (patience->told_ns == 0 || now >= patience->told_ns + told_ns) {
        base_log(BASE_LOG_WARN, "the brokers are waited for, for %" PRIu64 " s yet: %s",
                 (patience->until_ns - now + 999999999) / 1000000000, error->fault.text);
        patience->told_ns = now;
    }
    base_thread_sleep(between_ns);
    return true;
}

void store_nats_patience_end(const struct store_nats_patience *patience)
{
    if (patience->told_ns != 0) {
        base_log(BASE_LOG_INFO, "the brokers are there, after %.1f s",
                 (double)(base_now_ns() - patience->began_ns) * 1e-9);
    }
}
