// A loop with a listener on a thread of its own, and blocking sockets to talk to it.
//
// What the handlers note down belongs to the loop thread: tests look at it inside fixture_call and
// fixture_wait, which run a function there, one after another.
#ifndef WEFT_TESTS_UNIT_NET_HELPER_FIXTURE_H
#define WEFT_TESTS_UNIT_NET_HELPER_FIXTURE_H

#include "base/buffer.h"
#include "base/thread.h"
#include "helper_clock.h"
#include "net/net.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FIXTURE_PEERS_MAX = 256,
    FIXTURE_WAIT_S = 60,
    FIXTURE_HANDSHAKE_SIZE = 129, // bytes of the server's answer
};

struct fixture;

// One accepted connection, in order of acceptance.
struct fixture_peer {
    struct fixture *fixture;
    struct net_conn *conn; // NULL once closed
    uint32_t closed;       // times on_closed was called
    uint32_t bad, overfull, ended, drained;
    enum protocol_scan_status bad_status;
    char reason[128];
    uint64_t messages;
    uint64_t lagged; // dropped_total as told last
    bool blocked;    // and this
    uint32_t moving; // times that a stream which lagged was told to move
    uint32_t behind; // times that one asked for what stands alone
};

// Makes fixture_start and client_connect use a WebSocket instead of a bare stream. For the tests that hold for both.
extern bool fixture_over_websocket;

struct fixture_options {
    const struct net_http_options
        *http; // listen with these, for HTTP; NULL with fixture_over_websocket: defaults
    uint64_t message_bytes, receive_bytes; // 0: 64 MiB
    uint32_t connections;                  // 0: FIXTURE_PEERS_MAX
    uint32_t message_ms;                   // 0: as net_limits has it
    uint32_t loops;                        // 0: as WEFT_TEST_LOOPS has it, or 1
    bool handle_end;                       // give an on_end that only counts
    // Handles a message and frees its bytes. NULL sends them back.
    void (*on_message)(struct fixture_peer *peer, uint8_t *bytes, size_t size);
    void (*on_bad)(struct fixture_peer *peer); // also where it is overfull; NULL does nothing
    void *(*on_accept)(struct fixture_peer *peer, void *context); // NULL accepts
    void *context;
};

struct fixture {
    struct fixture_options options;
    struct net_loop *loop;
    struct net_listener *listener;
    struct net_wake *wake;
    struct base_thread thread;
    char address[64];
    uint16_t port;
    struct base_mutex mutex;
    struct base_cond cond;
    void (*call)(struct fixture *fixture, void *argument); // NULL where none waits
    void *argument;
    struct fixture_peer peers[FIXTURE_PEERS_MAX];
    uint32_t peer_count;
};

void fixture_start(struct fixture *fixture, const struct fixture_options *options); // options may be NULL
void fixture_stop(struct fixture *fixture);
void fixture_call(struct fixture *fixture, void (*call)(struct fixture *fixture, void *argument),
                  void *argument);
// Until the condition holds on the loop thread; fails the test after FIXTURE_WAIT_S.
void fixture_wait(struct fixture *fixture, bool (*holds)(struct fixture *fixture, void *argument),
                  void *argument);
// For cmocka: around a test whose clock stands still but for fixture_pass.
int fixture_hold_clock(void **state);
int fixture_release_clock(void **state);
// Lets so many milliseconds pass on a clock that clock_hold stopped; timers that are due then have been called.
void fixture_pass(struct fixture *fixture, uint64_t ms);
// The loop has gone round so often that whatever it was about to do is done.
void fixture_turns(struct fixture *fixture);
void fixture_wait_peers(struct fixture *fixture, uint32_t count);  // accepted, in all
void fixture_wait_closed(struct fixture *fixture, uint32_t count); // of the peers so far
// The same on a clock that stands still, of which as much passes as it takes.
void fixture_pass_closed(struct fixture *fixture, uint32_t count);
struct net_stats fixture_stats(struct fixture *fixture);

// Sends bytes back.
void fixture_echo(struct fixture_peer *peer, uint8_t *bytes, size_t size);
// A control message: a str32 of `size` bytes in all, filled with letter.
struct base_buffer *fixture_text(size_t size, char letter);

int client_connect(const struct fixture *fixture); // blocking, with time-outs
void client_send(int fd, const void *data, size_t size);
bool client_try_send(int fd, const void *data, size_t size);   // false if the server has closed
void client_receive(int fd, void *data, size_t size);          // exactly so much
size_t client_receive_all(int fd, uint8_t *data, size_t size); // until the end of the stream
bool client_at_end(int fd);                                    // ends, or was reset, with nothing before
void client_reset(int fd);                                     // closes abruptly

// A bin message of `size` bytes in all (at least 5), its payload made from seed.
uint8_t *client_message(size_t size, uint32_t seed);

// Upgrades a connection to a WebSocket, and asserts that the server agrees.
void client_upgrade(int fd);
// One masked frame; first is the first byte of its header.
void client_send_frame(int fd, uint8_t first, const void *data, size_t size);
// The next frame's payload into data (at most size bytes), its length to *size; returns its first byte.
uint8_t client_receive_frame(int fd, uint8_t *data, size_t *size);
// The next frame closes the connection with this code (0: without one); then the stream ends.
void client_expect_close(int fd, uint32_t code);

// Splits what arrives into messages; of a WebSocket, each frame must hold one.
struct client_reader {
    int fd;
    uint8_t *bytes;
    size_t used, capacity, at;
};
void client_reader_init(struct client_reader *reader, int fd);
void client_reader_deinit(struct client_reader *reader);
// The next message, valid until the next call; NULL at the end of the stream.
const uint8_t *client_reader_next(struct client_reader *reader, size_t *size);

// Frames as the tests make them: every part is a HEAD and then {"n": number, "d": payload}.
struct client_frame {
    uint32_t stream, seq, dropped, number;
};
// False if the message is no frame.
bool client_frame_parse(const uint8_t *bytes, size_t size, struct client_frame *frame);

// A batch of frames, numbered on from first, each of `parts` parts of part_size bytes, in `chunks` buffers.
struct fixture_batch {
    uint32_t stream, first, frames, parts, chunks;
    size_t part_size;
    uint64_t moment;
    struct base_budget *budget;
};
struct base_batch *fixture_batch_create(const struct fixture_batch *shape); // NULL without budget

#endif
