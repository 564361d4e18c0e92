// The loops beside one: their threads, and what passes between them and home.
//
//     home: accepts ── sockets ──▶ lane 1: takes them as connections of its own
//                  ── sockets ──▶ lane 2
//
// A listener accepts at home, where files and places are counted, and gives the socket to the loop with the fewest
// connections, home's included: so they are even whatever the kernel's hash of an address would be, and one limit holds.
//
// Lists have each connection at most once and hold no memory of their own, so they cannot be full: whoever has news stands in
// `up`, whoever is to do something in `down`. Sockets come in a bounded ring; while that is full home keeps what it accepts.
#ifndef WEFT_NET_CREW_H
#define WEFT_NET_CREW_H

#include "net/net_internal.h"

#include "base/ring.h"
#include "base/thread.h"

struct net_far;

// A page that home makes for a lane's connection, which is held meanwhile and keeps its memory.
struct net_wish {
    struct net_wish *next;
    struct net_conn *conn;
    const struct net_http_page *page;
    void *context;
    struct base_buffer *bytes; // NULL: none could be made
    int status;
    void (*made)(struct net_wish *wish); // on the lane's thread; before that the memory of conn is good
};

struct net_lane {
    struct net_crew *crew;
    struct net_loop *loop;
    struct base_thread thread;
    bool running;     // home's: it has a thread
    uv_async_t async; // on loop
    uv_prepare_t before;
    struct base_ring *sockets; // of struct net_socket
    atomic_uint coming;        // of them
    struct base_mutex mutex;   // of what follows, and of `told` of the loop's shadows
    bool stop;                 // it is to end
    bool closed;               // async is
    bool ended;
    struct net_far *up, *up_last, *down, *down_last;
    struct net_wish *asked, *made;
};

struct net_crew {
    struct net_loop *home;
    uv_async_t async; // on home
    uv_prepare_t before;
    bool stopping, over;
    bool (*serve)(struct net_far *far); // true: it has more
    bool (*is_light)(const struct net_far *far, uint64_t now_ms);
    void (*obey)(struct net_far *far);
    struct net_far *orders, *orders_last; // home's own, until they are sent
    struct net_far *light, *light_last;   // to be served, in order
    struct net_far *heavy, *heavy_last;   // those that have had much lately
    uint32_t count;
    struct net_lane lanes[NET_LOOPS_MAX - 1];
};

struct net_crew *net_crew_create(struct net_loop *home, uint32_t lanes); // NULL without memory

// Any of home's.
struct net_lane *
net_crew_choose(struct net_crew *crew); // whose turn it is to take a connection; NULL: home's
bool net_lane_give(struct net_lane *lane, struct net_listener *shadow, int file); // false: it takes none now
void net_crew_order(struct net_far *far);   // it has orders, which are sent before home waits
void net_crew_line_up(struct net_far *far); // it has something to hand up

// Any of the lane's thread.
void net_lane_post(struct net_far *far); // it has news
void net_lane_ask(struct net_lane *lane, struct net_wish *wish);

#endif
