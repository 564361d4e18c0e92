// The server in a page: weft-world.wasm, what it exports and imports. It is a server in the process (server/local) with one peer, which
// is the page: what crosses are the messages of a WebSocket, byte for byte. clients/web/src/local/server.ts calls it, from a worker.
//
// It lasts as long as its instance, and so do its worlds. It does nothing by itself: page_turn is called as soon as something
// came, and when the time comes that it said.
#ifndef WEFT_WASM_PAGE_H
#define WEFT_WASM_PAGE_H

#include "local/local.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__wasm__)
#define PAGE_EXPORT(name) __attribute__((export_name(#name))) name
#define PAGE_IMPORT(name) __attribute__((import_module("weft"), import_name(#name))) name
#else
#define PAGE_EXPORT(name) name
#define PAGE_IMPORT(name) name
#endif

// Once, first. False without memory; what it wrote to standard error says more.
bool PAGE_EXPORT(page_start)(void);

// A page comes; the one that was there has gone. False: it is refused.
bool PAGE_EXPORT(page_connect)(void);
void PAGE_EXPORT(page_disconnect)(void);

// A message of the page: memory for its bytes (NULL: there is none), and the message, which takes them.
void *PAGE_EXPORT(page_alloc)(size_t size);
void PAGE_EXPORT(page_receive)(uint8_t *bytes, size_t size);
// The page has looked at so many messages more.
void PAGE_EXPORT(page_taken)(uint32_t count);

// Does what is due, and of the worlds one turn. Milliseconds until the next time; 0: at once.
double PAGE_EXPORT(page_turn)(void);

// Imports. One message to the page, in parts, of which it keeps a copy; and the end of the connection, with its code (net_end).
void PAGE_IMPORT(page_send)(const struct local_part *parts, uint32_t count);
void PAGE_IMPORT(page_closed)(uint32_t code, const char *reason, size_t size);

#endif
