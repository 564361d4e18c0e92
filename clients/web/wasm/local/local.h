// The server in a page: weft-world.wasm, what it exports and imports. All of weftd but for sockets, threads, folders and tokens
// (server/dispatch*.c, host, world, past, the store in memory), with one peer, which is the page: what crosses are the messages
// of a WebSocket, byte for byte. lib/localworker.ts calls it, from a worker.
//
// It lasts as long as its instance, and so do its worlds. It does nothing by itself: local_turn is called as soon as something
// came, and when the time comes that it said.
#ifndef WEFT_WASM_LOCAL_H
#define WEFT_WASM_LOCAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__wasm__)
#define LOCAL_EXPORT(name) __attribute__((export_name(#name))) name
#define LOCAL_IMPORT(name) __attribute__((import_module("weft"), import_name(#name))) name
#else
#define LOCAL_EXPORT(name) name
#define LOCAL_IMPORT(name) name
#endif

// Once, first. False without memory; what it wrote to standard error says more.
bool LOCAL_EXPORT(local_start)(void);

// A page comes; the one that was there has gone. False: it is refused.
bool LOCAL_EXPORT(local_connect)(void);
void LOCAL_EXPORT(local_disconnect)(void);

// A message of the page: memory for its bytes (NULL: there is none), and the message, which takes them.
void *LOCAL_EXPORT(local_alloc)(size_t size);
void LOCAL_EXPORT(local_receive)(uint8_t *bytes, size_t size);
// The page has looked at so many messages more.
void LOCAL_EXPORT(local_taken)(uint32_t count);

// Does what is due, and of the worlds one turn. Milliseconds until the next time; 0: at once.
double LOCAL_EXPORT(local_turn)(void);

// Imports. One message to the page, in parts, of which it keeps a copy; and the end of the connection, with its code (net_end).
struct local_part {
    const uint8_t *bytes;
    size_t size;
};
void LOCAL_IMPORT(local_send)(const struct local_part *parts, uint32_t count);
void LOCAL_IMPORT(local_closed)(uint32_t code, const char *reason, size_t size);

#endif
