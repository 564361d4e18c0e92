// Shared by nodes.c and people.c: what a person and a server have between them.
#ifndef WEFT_SIMULATOR_NODES_INTERNAL_H
#define WEFT_SIMULATOR_NODES_INTERNAL_H

#include "nodes.h"

#include <stddef.h>

struct local_peer;

struct line {
    struct line *next;
    size_t size;
    uint8_t bytes[];
};

struct lines {
    struct line *first, *last;
};

// The server has it in its list and the person points to it; who lets go of it last frees it.
struct node_link {
    struct node_link *next;
    struct node *node;
    uint32_t holders;
    struct local_peer *peer;
    bool opened; // it was taken to the server
    bool left;   // the person has ended it
    bool gone;   // the server has, or is over
    struct lines in, out;
    uint32_t looked; // messages that the person looked at, and the server does not know of
};

void node_lines_push(struct lines *lines, struct line *line);
struct line *node_lines_take(struct lines *lines); // NULL: there is none
void node_link_let_go(struct node_link *link);

#endif
