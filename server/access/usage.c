// Token buckets: each fills with what a second allows, up to twice as much, and is taken from.
//
// A person's buckets live as long as a session holds them, and until they would be full again: who leaves and comes back
// finds them as they were.
#include "access/book_internal.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t full_after_ns = 2000000000;

struct bucket {
    double level;
    uint64_t at_ns; // 0: never taken from
};

struct access_usage {
    char name[ACCESS_NAME_SIZE];
    uint32_t refs;
    uint64_t used_ns;
    struct bucket buckets[ACCESS_BUCKETS];
    struct access_usage *next;
};

struct access_usage *access_usage_get(struct access *access, const char *name, uint64_t now_ns)
{
    struct access_usage *found = NULL;
    for (struct access_usage **at = &access->usages; *at;) {
        struct access_usage *usage = *at;
        if (strcmp(usage->name, name) == 0) {
            found = usage;
        }
        if (usage->refs == 0 && usage != found && now_ns - usage->used_ns > full_after_ns) {
            *at = usage->next;
            free(usage);
        } else {
            at = &usage->next;
        }
    }
    if (!found) {
        found = calloc(1, sizeof *found);
        if (!found) {
            return NULL;
        }
        snprintf(found->name, sizeof found->name, "%s", name);
        found->next = access->usages;
        access->usages = found;
    }
    found->refs++;
    return found;
}

void access_usage_unref(struct access_usage *usage)
{
    if (usage) {
        usage->refs--;
    }
}

bool access_usage_take(struct access_usage *usage, enum access_bucket which, uint64_t a_second,
                       uint64_t amount, uint64_t now_ns)
{
    struct bucket *bucket = &usage->buckets[which];
    if (a_second == 0) {
        return true;
    }
    const double most = 2 * (double)a_second;
    const double seconds = (double)(now_ns - bucket->at_ns) * 1e-9;
    if (bucket->at_ns == 0) {
        bucket->level = most;
    } else {
        bucket->level += seconds * (double)a_second;
    }
    if (bucket->level > most) {
        bucket->level = most;
    }
    bucket->at_ns = usage->used_ns = now_ns;
    const double wanted = (double)amount < most ? (double)amount : most;
    if (bucket->level < wanted) {
        return false;
    }
    bucket->level -= wanted;
    return true;
}

void access_usages_destroy(struct access *access)
{
    while (access->usages) {
        struct access_usage *usage = access->usages;
        access->usages = usage->next;
        free(usage);
    }
}
