// Brokers of NATS as the simulator has them: brokers.c keeps streams and passes messages on; brokers_library.c and brokers_jetstream.c are
// as much of nats.c's API on top of it as weft uses. So all that is weft's runs as it is: the store of brokers, the cluster, what both
// write and read.
//
//     server ── a message, delayed, in its order ──▶ broker: to subscribers; into a stream ── an answer, delayed ──▶ server
//
// There are three brokers, which hold the same. Two of them have to be up, else no stream takes or tells anything. A server is connected
// to one of those that it reaches. If it does not reach that one any more, what is on its way waits; after two to three seconds the
// connection is lost, with all that, and the server tries the others. What a broker has done of that stays done, though no answer comes.
//
// What is believed of brokers, and not simulated: that what they acknowledged is never lost, that a stream has one order, and that
// expected sequences are compared in that order. A direct reading may be answered by a broker that is behind.
#ifndef WEFT_SIMULATOR_BROKERS_H
#define WEFT_SIMULATOR_BROKERS_H

#include <stdbool.h>
#include <stdint.h>

enum { BROKERS = 3 };
#define BROKERS_URL "nats://one:4222,two:4222,three:4222/weft"

void brokers_start(void); // in a fiber; all are up, reached, and have nothing
void brokers_end(void);   // every connection was destroyed

void brokers_up(uint32_t broker, bool up);                     // its process ends, or begins with what it had
void brokers_reach(uint32_t owner, uint32_t broker, bool can); // both ways
void brokers_slow(uint32_t owner, uint64_t most_ns);           // of each message, either way

// For oracles: messages of the stream of a world, in all; and the sequence of the first and the last.
bool brokers_stream(const char *name, uint64_t *first, uint64_t *last);

#endif
