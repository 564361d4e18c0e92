// What the files of the server in a page share.
//
//     local.c     puts it together, and is what the page calls
//     net.c       net/net.h for one peer, the page
//     runner.c    host/runner.h on the one thread
//     thread.c, access.c, store.c    the faces of base/thread.h, access/access.h and the store's folders where there is none of it
#ifndef WEFT_WASM_PARTS_H
#define WEFT_WASM_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host_runner;
struct net_loop;

// One message of the page, in its order. Takes the bytes.
void local_net_receive(struct net_loop *loop, uint8_t *bytes, size_t size);
// The page is there, or is gone. False: it is refused, and was told so.
bool local_net_connect(struct net_loop *loop);
void local_net_disconnect(struct net_loop *loop);
// The page has looked at so many messages, the oldest first.
void local_net_taken(struct net_loop *loop, uint32_t count);
// All that is due on the loop. Returns the monotonic time in ns of what comes next: 0 at once, UINT64_MAX: nothing.
uint64_t local_net_turn(struct net_loop *loop);

// One turn of the world that is due first, if one is. Returns as above.
uint64_t local_runner_turn(struct host_runner *runner);

#endif
