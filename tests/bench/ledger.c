#include "ledger.h"

#include "base/clock.h"

static void nothing(struct base_parallel *self)
{
    (void)self;
}

static void run(struct base_parallel *self, uint32_t count, base_task task, void *context)
{
    struct ledger *ledger = (struct ledger *)(void *)self;
    double ends[2] = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t began = base_core_ns();
        task(context, i);
        double took = (double)(base_core_ns() - began) - ledger->clock_ns;
        took = took > 0 ? took : 0;
        ends[ends[1] < ends[0]] += took;
        ledger->now.shared += took;
    }
    ledger->now.two += ends[ends[1] > ends[0]];
    ledger->looks += 2 * (uint64_t)count;
}

void ledger_mark(struct ledger *ledger)
{
    ledger->now = (struct ledger_sums){0};
    ledger->looks = 0;
    ledger->marked_ns = base_core_ns();
}

void ledger_add(struct ledger *ledger, struct ledger_sums *sums)
{
    const double looking = ledger->clock_ns * (double)(ledger->looks + 1);
    sums->all += (double)(base_core_ns() - ledger->marked_ns) - looking;
    sums->shared += ledger->now.shared;
    sums->two += ledger->now.two;
    ledger_mark(ledger);
}

double ledger_gain(const struct ledger_sums *sums)
{
    return sums->all / (sums->all - sums->shared + sums->two);
}

void ledger_init(struct ledger *ledger)
{
    enum { LOOKS = 1000 };
    *ledger = (struct ledger){.parallel = {.begin = nothing, .run = run, .end = nothing, .width = 2}};
    const uint64_t began = base_core_ns();
    for (int look = 1; look < LOOKS; look++) {
        base_core_ns();
    }
    ledger->clock_ns = (double)(base_core_ns() - began) / LOOKS;
    ledger_mark(ledger);
}
