// A peer that follows a script: a thread that accepts one connection and does what the test says, over TCP on
// the loopback.
#ifndef WEFT_TEST_HELPER_PEER_H
#define WEFT_TEST_HELPER_PEER_H

#include <msgpack.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct peer {
    int listening, fd;
    char address[32];
    pthread_t thread;
    void (*script)(struct peer *peer);
    msgpack_unpacker unpacker;
    msgpack_unpacked message; // last one read
    bool failed;              // a step of the script did not go as written
};

void peer_start(struct peer *peer, void (*script)(struct peer *peer));
void peer_join(struct peer *peer); // fails the test if the script did

// For scripts. A message is read whole; returns false at the end of the stream.
bool peer_read(struct peer *peer);
void peer_write(struct peer *peer, const void *bytes, size_t size);
void peer_write_split(struct peer *peer, const void *bytes, size_t size); // a byte at a time
void peer_expect(struct peer *peer, bool condition);
uint32_t peer_msgid(const struct peer *peer); // of the request read last
bool peer_method_is(const struct peer *peer, const char *method);

// Whole messages. result and error are packed by the callers.
void peer_pack_result_u64(msgpack_sbuffer *out, uint32_t msgid, const char *field, uint64_t value);
void peer_pack_notification_u64(msgpack_sbuffer *out, const char *method, const char *field, uint64_t value);
// A frame of one body with count particles at 0, 1, 2 ..., laid out by hand.
void peer_pack_frame(msgpack_sbuffer *out, uint32_t seq, uint32_t count);

#endif
