// Connections between simulated servers, and the network that carries them: each direction between two servers has its delay, and can be
// cut. What a cut direction holds back comes when it is healed, as TCP sends it again. A server that was killed refuses what comes; a
// machine that is gone says nothing, and refuses what had been sent to it when it is there again.
//
//     relay ── net_dial ─▶ wires_dial ── delay ─▶ local_peer_connect at the other server, whose answers come back the same way
//
// One network at a time.
#ifndef WEFT_SIMULATOR_WIRES_H
#define WEFT_SIMULATOR_WIRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct local_peer;
struct local_peer_options;
struct node;

// Shown each message that a server sends to another; asks: by the connection's maker, of the other. Returns whether the connection
// breaks and loses the message.
typedef bool wires_look(void *context, uint32_t from, uint32_t to, bool asks, const uint8_t *bytes,
                        size_t size);

void wires_start(struct node *nodes, uint32_t count, wires_look *look, void *context); // nodes: by number - 1
void wires_end(void);                                                                  // after the servers
uint32_t wires_count(void); // connections that one side at least has

void wires_cut(uint32_t from, uint32_t to, bool cut);
void wires_slow(uint32_t from, uint32_t to, uint64_t ns);

// As local_options.dial; context is the node. Addresses are "server:NUMBER".
bool wires_dial(void *context, const char *address, struct local_peer *peer,
                struct local_peer_options *other);
bool wires_take(struct node *node); // between the turns of its server: what has come; false: nothing
// Its server is over. Silently: as its machine is, until the server is there again.
void wires_leave(struct node *node, bool silently);

#endif
