// Takes a document that a session brings in pieces, because it is larger than a message. Loop thread only.
//
// Its bytes are charged to the budget of messages. An upload that is not continued is forgotten after a
// while.
#ifndef WEFT_HOST_UPLOAD_H
#define WEFT_HOST_UPLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_budget;
struct net_loop;
struct protocol_error;

struct host_upload_bytes {
    uint8_t *data; // malloc'd
    size_t size, charged;
    struct base_budget *budget; // holds a reference; NULL: there are no bytes
};

void host_upload_bytes_deinit(struct host_upload_bytes *bytes); // any thread

struct host_upload; // all zeros at first

struct host_upload *host_upload_create(void);         // NULL if memory runs out
void host_upload_destroy(struct host_upload *upload); // NULL is allowed
// The loop and the budget of uploads.
struct host_upload_place {
    struct net_loop *loop;
    struct base_budget *budget;
    uint64_t idle_ms; // time after its last piece when it is forgotten
};

// Adds a piece that begins at `offset` of the whole; 0 begins again. False with *error: nothing is changed.
bool host_upload_add(struct host_upload *upload, const struct host_upload_place *place, uint64_t offset,
                     const void *data, size_t size, struct protocol_error *error);
uint64_t host_upload_size(const struct host_upload *upload);
// Moves out the bytes that have come; the caller deinits them. False if there are none.
bool host_upload_take(struct host_upload *upload, struct host_upload_bytes *bytes);

#endif
