#include "host/leaving.h"

#include <stdlib.h>
#include <string.h>

static struct host_left *left_create(uint32_t session, uint8_t *bytes, size_t size, size_t charged)
{
    struct host_left *left = bytes ? malloc(sizeof *left) : NULL;
    if (!left) {
        free(bytes);
        return NULL;
    }
    *left = (struct host_left){.session = session, .charged = charged, .bytes = bytes, .size = size};
    return left;
}

static bool append(struct host_left **first, struct host_left **last, struct host_left *left)
{
    if (!left) {
        return false;
    }
    if (*first) {
        (*last)->next = left;
    } else {
        *first = left;
    }
    *last = left;
    return true;
}

bool host_leaving_keep(struct host_leaving *leaving, uint32_t session, uint8_t *bytes, size_t size)
{
    return append(&leaving->then, &leaving->then_last, left_create(session, bytes, size, size));
}

bool host_leaving_refused(struct host_leaving *leaving, uint32_t session, uint8_t *bytes, size_t size,
                          size_t charged)
{
    return append(&leaving->first, &leaving->first_last, left_create(session, bytes, size, charged));
}

void host_leaving_deinit(struct host_leaving *leaving)
{
    struct host_left *lists[] = {leaving->first, leaving->then};
    for (int i = 0; i < 2; i++) {
        while (lists[i]) {
            struct host_left *next = lists[i]->next;
            free(lists[i]->bytes);
            free(lists[i]);
            lists[i] = next;
        }
    }
    *leaving = (struct host_leaving){0};
}
