// Servers that share worlds by simulated brokers, and people at them. A server is weftd from its dispatcher down (server/local), its
// store, its cluster and their threads, on fibers of its own, with a disk of its own. It can be killed, stopped and started again.
//
// A person has one connection at a time, and asks one thing after another. All that a server does it does in its own fibers: people put
// what they send into a link, and the server takes it from there between its turns.
#ifndef WEFT_SIMULATOR_NODES_H
#define WEFT_SIMULATOR_NODES_H

#include "base/thread.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>

enum { NODES = 3, NODE_TEXT_SIZE = 512 };

struct local_server;
struct node_link;

enum node_kind {
    NODE_SHARES,    // its worlds with others, by brokers
    NODE_PASSES_ON, // and passes on what is asked of worlds that others run, by wires.h
    NODE_ALONE,     // it shares them with no other, and has no brokers
};

struct node {
    uint32_t number; // 1 …: its owner, and its disk
    enum node_kind kind;
    struct local_server *local; // NULL: it is down
    struct base_thread thread;
    struct node_link *links;
    bool stop, killed, over;
    bool vanished;      // nothing says to other servers that it is gone
    bool brokers_alone; // what makes its entries durable
    uint64_t up_ns;     // not started again before
    uint32_t lives;
    char text[NODE_TEXT_SIZE]; // why it did not start
};

void node_start(struct node *node, uint32_t number, enum node_kind kind);
// Ends in order, or at once; and begins again so much later.
void node_stop(struct node *node, bool kills, uint64_t down_ns);
void node_vanish(struct node *node, uint64_t down_ns); // at once, and its machine with it
void node_end(struct node *node);                      // in order, for good; waits for it

enum outcome {
    ANSWERED,
    REFUSED, // code says with what, and nothing was done
    NOTHING, // nobody knows: no answer, or the connection was lost
};

struct person {
    uint32_t number;
    struct node_link *link; // NULL: no connection
    uint32_t msgid;
    msgpack_unpacked answer;
    void *bytes;                  // that the answer is views into
    const msgpack_object *result; // of the last that was answered
    char code[32];                // of the last that was refused
    char text[256];
    uint32_t moved_to; // MOVED: the number of that server; 0: none
    // Told of a world with that id: it has left the server that the person is connected to.
    void (*on_left)(void *context, uint32_t world);
    void *context;
};

bool person_connect(struct person *person, struct node *node); // and says hello; false: nobody answers
bool person_connect_as(struct person *person, struct node *node, const char *hello); // its parameters
void person_end(struct person *person);                // the same, and frees what it has
void person_leave(struct person *person);              // ends the connection, if there is one
struct node *person_node(const struct person *person); // NULL: no connection, or it is lost
// parameters: a map as notation.h has it.
enum outcome person_ask(struct person *person, const char *method, const char *parameters, ...)
    __attribute__((format(printf, 3, 4)));
void person_listen(struct person *person); // takes what was told meanwhile

// For a person who asks several things at a time, in place of person_ask. 0: there is no connection.
uint32_t person_send(struct person *person, const char *method, const char *parameters, ...)
    __attribute__((format(printf, 3, 4)));
void person_notify(struct person *person, const char *method, const char *parameters, ...)
    __attribute__((format(printf, 3, 4)));
struct person_told {
    const msgpack_object *parts; // of the message
    const uint8_t *bytes;
    size_t size;
    uint32_t msgid; // 0: it is no answer; else the person has what it says, as after person_ask
    enum outcome outcome;
};
// The next message; *told lasts until the next call. False: none has come.
bool person_hear(struct person *person, struct person_told *told);
bool person_wait(struct person *person, uint64_t until_ns); // for a message, or the end; false: the time came

const msgpack_object *map_at(const msgpack_object *map, const char *key); // NULL: none
uint64_t map_number(const msgpack_object *map, const char *key);          // 0: none
bool map_text(const msgpack_object *map, const char *key, char *out, size_t size);

#endif
