// What is particular about a method on its way through dispatch. One that has nothing particular needs no row.
#ifndef WEFT_DISPATCH_ROUTE_METHODS_H
#define WEFT_DISPATCH_ROUTE_METHODS_H

#include "protocol/generated/api.h"
#include "protocol/params.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>

struct dispatch_call;
struct dispatch_server;
struct host_world;

struct dispatch_method {
    bool only_answers; // a notification of it brings nothing about but an error in its parameters
    // Packs what the world published as the answer. Loop thread. False: the world has to be asked.
    bool (*published)(const struct host_world *world, uint32_t msgid, enum protocol_arrays_mode arrays,
                      msgpack_packer *packer);
    // Whether the world cannot answer, and read does: as a method of class server. NULL: it always can.
    bool (*forgotten)(const struct dispatch_server *server, const struct host_world *world,
                      const void *params);
    bool (*read)(struct dispatch_call *call);
    bool finds_closing; // worlds that are being deleted are there for it
    bool closes;        // once it is posted its world is being deleted
    bool closes_view;   // the same, of a view
};
extern const struct dispatch_method dispatch_methods[PROTOCOL_METHOD_COUNT];

#endif
