// What is particular about a method on its way through dispatch. One that has nothing particular needs no row.
#ifndef WEFT_DISPATCH_METHODS_H
#define WEFT_DISPATCH_METHODS_H

#include "host/upload.h"
#include "protocol/generated/api.h"
#include "protocol/params.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>

struct document;
struct protocol_error;
struct host_world;

// What a method of class server is made ready from, on any thread, and what became of it.
struct dispatch_ready {
    const void *params;              // generated struct of the method
    struct host_upload_bytes upload; // what was uploaded, where the message is about that
    struct document *document;       // the result
};

struct dispatch_method {
    // Class server: its heavy part, which needs no session. False with *error: refused.
    bool (*prepare)(struct dispatch_ready *ready, msgpack_zone *zone, struct protocol_error *error);
    bool takes_upload; // its parameter `upload` says whether it is about what was uploaded
    bool only_answers; // a notification of it brings nothing about but an error in its parameters
    // Packs what the world published as the answer. Loop thread. False: the world has to be asked.
    bool (*published)(const struct host_world *world, uint32_t msgid, enum protocol_arrays_mode arrays,
                      msgpack_packer *packer);
    bool finds_closing; // worlds that are being deleted are there for it
    bool closes;        // once it is posted its world is being deleted
};
extern const struct dispatch_method dispatch_methods[PROTOCOL_METHOD_COUNT];

#endif
