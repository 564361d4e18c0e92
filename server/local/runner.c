// Implements host/runner.h on one thread. The world that is due first has the next turn. A long turn rests
// when it can, because peers have to be heard in between.
#include "host/runner.h"
#include "base/clock.h"
#include "host/deadlines.h"
#include "local/parts.h"

#include <stdlib.h>

static const uint64_t never = UINT64_MAX;

struct host_runner_entry {
    struct host_deadline deadline; // must be first: the deadlines' item is the entry
    struct host_runner *runner;
    struct host_runner_entry *next, **at; // links in the list of all entries, and the pointer to this one
    struct host_runner_client client;
    bool queued;
    bool woken; // it was woken while it ran
};

struct host_runner {
    struct host_deadlines deadlines;
    struct host_runner_entry *entries;
    uint32_t entry_count;
    const struct host_runner_entry *running;
};

struct host_runner *host_runner_create(uint32_t threads)
{
    (void)threads;
    return calloc(1, sizeof(struct host_runner));
}

void host_runner_destroy(struct host_runner *runner)
{
    for (struct host_runner_entry *entry = runner->entries, *next; entry; entry = next) {
        next = entry->next;
        free(entry);
    }
    host_deadlines_deinit(&runner->deadlines);
    free(runner);
}

struct base_parallel *host_runner_parallel(struct host_runner *runner)
{
    (void)runner;
    return NULL;
}

struct host_runner_entry *host_runner_add(struct host_runner *runner, const struct host_runner_client *client)
{
    struct host_runner_entry *entry = calloc(1, sizeof *entry);
    // Every entry has a place, so that queueing one cannot fail.
    if (!entry || !host_deadlines_reserve(&runner->deadlines, runner->entry_count + 1)) {
        free(entry);
        return NULL;
    }
    entry->runner = runner;
    entry->client = *client;
    entry->next = runner->entries;
    entry->at = &runner->entries;
    if (entry->next) {
        entry->next->at = &entry->next;
    }
    runner->entries = entry;
    runner->entry_count++;
    return entry;
}

bool host_runner_late(const struct host_runner *runner)
{
    (void)runner;
    return true;
}

static void enqueue(struct host_runner_entry *entry, uint64_t ns)
{
    entry->queued = true;
    host_deadlines_put(&entry->runner->deadlines, &entry->deadline, ns);
}

static void dequeue(struct host_runner_entry *entry)
{
    entry->queued = false;
    host_deadlines_remove(&entry->runner->deadlines, &entry->deadline);
}

void host_runner_wake(struct host_runner_entry *entry)
{
    const uint64_t now_ns = base_now_ns();
    if (entry->runner->running == entry) {
        entry->woken = true;
        return;
    }
    if (entry->queued && entry->deadline.ns <= now_ns) {
        return;
    }
    if (entry->queued) {
        dequeue(entry);
    }
    enqueue(entry, now_ns);
}

// This is never called while a turn is under way.
bool host_runner_remove(struct host_runner_entry *entry)
{
    if (entry->queued) {
        dequeue(entry);
    }
    entry->runner->entry_count--;
    *entry->at = entry->next;
    if (entry->next) {
        entry->next->at = entry->at;
    }
    free(entry);
    return true;
}

uint64_t local_runner_turn(struct host_runner *runner)
{
    const uint64_t now_ns = base_now_ns();
    if (host_deadlines_first_ns(&runner->deadlines) <= now_ns && runner->deadlines.count > 0) {
        struct host_runner_entry *entry =
            (struct host_runner_entry *)host_deadlines_first(&runner->deadlines);
        dequeue(entry);
        entry->woken = false;
        runner->running = entry;
        uint64_t next_ns = entry->client.turn(entry->client.context, now_ns);
        runner->running = NULL;
        if (entry->woken || next_ns == 0) {
            next_ns = base_now_ns();
        }
        if (next_ns != never) {
            enqueue(entry, next_ns);
        }
    }
    return host_deadlines_first_ns(&runner->deadlines);
}
