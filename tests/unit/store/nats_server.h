// A server as far as its store goes, which is on brokers, and short ways of asking what became of a list.
#ifndef WEFT_TESTS_NATS_SERVER_H
#define WEFT_TESTS_NATS_SERVER_H

#include "helper_brokers.h"

#include <stdbool.h>
#include <stdint.h>

// A server: its store, folder and what it heard.
struct server {
    struct heard heard;
    struct place place;
    struct store *store;
};

void server_start(struct server *server, const struct brokers *brokers);
void server_stop(struct server *server);
void server_again(struct server *server, const struct brokers *brokers); // another one on the same folder

uint32_t list_new(struct server *server);
void append_from(struct server *server, uint32_t list, uint64_t epoch, uint64_t from, uint64_t to);
bool durable(const struct server *server, uint32_t list, uint64_t position); // waits for it, a minute at most
void entries_are(struct server *server, uint32_t list,
                 uint64_t last); // 1 … last are there as append_from wrote them, and nothing more
enum { LARGE = 150000 };         // bytes of an entry
void append_large(struct server *server, uint32_t list, uint64_t epoch, uint64_t from, uint64_t to);
// All as they were written, one after the other, and the chain holds.
void large_are(struct server *server, uint32_t list, uint64_t first, uint64_t last);
bool row_comes(struct server *server, uint32_t list, const char *label, bool binned);

bool lost(const struct server *server, uint32_t list); // waits for it
uint32_t told_lost(struct server *server);             // how often that was told
bool told_soon(struct server *server,
               const char *words); // what was told last of a list that is lost has these words in it

#endif
