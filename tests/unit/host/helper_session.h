// Sessions on a loop that runs on a thread of its own, with real worlds, and blocking sockets to talk to them.
//
// What runs inside session_call runs on the loop's thread, one after another.
#ifndef WEFT_TESTS_UNIT_HOST_HELPER_SESSION_H
#define WEFT_TESTS_UNIT_HOST_HELPER_SESSION_H

#include "base/thread.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "net/net.h"

#include <msgpack.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fixture {
    struct net_loop *loop;
    struct host_runner *runner;
    struct host_registry *registry;
    struct host_sessions *sessions;
    // Handles a message in the test's way; NULL frees the message and counts it.
    void (*on_message)(void *context, struct host_session *session, uint8_t *bytes, size_t size);
    void *context;
    uint32_t messages;
    uint16_t port;
    struct net_wake *wake;
    struct base_thread thread;
    struct base_mutex mutex;
    struct base_cond cond;
    void (*call)(struct fixture *fixture, void *argument); // NULL where none waits
    void *argument;
    atomic_bool emptied;
    atomic_uint wakes;
    uint64_t ended_ms; // that passed until all had ended, on a clock that is held
};

struct fixture_options {
    uint32_t sessions;         // at a time; 0: 16
    uint32_t per_address;      // 0: as the server has it
    uint32_t first_message_ms; // 0: the same
    uint32_t message_ms;       // 0: the same
    uint32_t grace_ms;         // 0: sessions end with their connections
    struct store *store;       // keeps the worlds; NULL: nothing does
};

void session_fixture_create(struct fixture *fixture, const struct fixture_options *options); // no thread yet
void session_fixture_run(struct fixture *fixture);
// Stops in good order, and asserts that nothing is left.
void session_fixture_destroy(struct fixture *fixture);
void session_call(struct fixture *fixture, void (*call)(struct fixture *fixture, void *argument),
                  void *argument);
// Until the condition holds on the loop's thread; fails the test after a minute.
void session_wait(struct fixture *fixture, bool (*holds)(struct fixture *fixture, void *argument),
                  void *argument);

// The loop has gone round so often that whatever it was about to do is done.
void session_turns(struct fixture *fixture);
// Lets so many milliseconds pass on a clock that clock_hold stopped; timers that are due then have been called.
void session_pass(struct fixture *fixture, uint64_t ms);

int client_connect(const struct fixture *fixture,
                   int receive_buffer); // 0: as the system has it; blocks, with time-outs
void client_send(int fd, const void *data, size_t size);
// A request, or a notification for msgid 0, without parameters or with one map {field: number}.
void client_ask(int fd, uint32_t msgid, const char *method, const char *field, uint64_t number);
// The next message; false at the end of the stream. Messages are small here.
bool client_message(int fd, msgpack_unpacker *from, msgpack_unpacked *message);
// All that comes until the end is read. Text of the last `error`, empty if there was none.
void client_last_words(int fd, char *text, size_t size);

#endif
