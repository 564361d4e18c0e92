// weft-twin --ask: another program, which has no solver, asks a twin in this one through standard input and output.
//
//     asked    {ask, bodies: [id …] or nil, fields: ["positions" …], hash: bool, measures: bool}
//     answer   {ask, tick, told, same, … , bodies: [{id, name, particles, positions: bin …}]}, all of one boundary
//
// Each side writes one MessagePack map after the other; ask is any number, which the answer repeats. Arrays are
// little-endian and without gaps. A wrong request is answered with {ask, error}. The program ends this one by closing
// its input.
#ifndef WEFT_TWIN_SERVE_H
#define WEFT_TWIN_SERVE_H

#include "weft_twin.h"

struct serve;

struct serve *serve_create(void); // NULL if memory runs out
void serve_destroy(struct serve *serve);
// Reads input and answers complete requests. False: the input was closed, or is not MessagePack.
bool serve_poll(struct serve *serve, const struct weft_twin *twin);

#endif
