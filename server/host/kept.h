// Keeps a session's requests, so that each is answered exactly once although connections are lost: which ones
// came, and the last answers as they were sent. Loop thread only.
//
//     ids of a session ascend    … 17 18 19 20 21 22 │ 23 24 …
//                                   ▲  ▲     ▲     ▲   never came: LOST
//                        FORGOTTEN ─┘  │     │     └─ the last that came
//                              ANSWERED┘     └ under way: WAITS
//
// Number and bytes are bounded. An id below the last one that came is known to have come, even if it is
// forgotten, since ids ascend. So no request that came is taken for lost.
#ifndef WEFT_HOST_KEPT_H
#define WEFT_HOST_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host_kept_request {
    uint32_t msgid;
    bool answered;
    bool repeatable; // it changes nothing, so it may be asked again
    uint32_t size;
    uint8_t *bytes; // the answer; NULL: not kept
};

struct host_kept {
    struct host_kept_request *items; // in the order in which they came
    uint32_t count, capacity;
    size_t bytes;  // bytes of answers
    uint32_t last; // id that came last
};

enum host_kept_state {
    HOST_KEPT_LOST,      // it never came
    HOST_KEPT_WAITS,     // it is not answered yet
    HOST_KEPT_ANSWERED,  // *request has the answer
    HOST_KEPT_FORGOTTEN, // it was answered, and the answer is not kept
    HOST_KEPT_AGAIN,     // the same, and it may be asked again
};

// Begins with the id that came last; nothing before it is kept.
void host_kept_init(struct host_kept *kept, uint32_t msgid);
void host_kept_deinit(struct host_kept *kept);
// Notes a request that came. False if memory runs out.
bool host_kept_asked(struct host_kept *kept, uint32_t msgid, bool repeatable);
// Notes that the answer was made, and copies it if it may be kept.
void host_kept_answered(struct host_kept *kept, uint32_t msgid, const uint8_t *bytes, size_t size);
// Returns what became of a request. *request is only set for ANSWERED, and valid until the next change.
enum host_kept_state host_kept_look(const struct host_kept *kept, uint32_t msgid,
                                    const struct host_kept_request **request);

#endif
