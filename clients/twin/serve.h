// weft-twin --ask: a program that has no solver of its own asks a twin in this one, on standard input and output.
//
//     asked    {ask, bodies: [id …] or nil, fields: ["positions" …], hash: bool, measures: bool}
//     answer   {ask, tick, told, same, … , bodies: [{id, name, particles, positions: bin …}]}, all of one boundary
//
// One MessagePack map after the other either way; ask is any number, which comes back. Arrays are little-endian and without a
// gap. What is asked for wrongly is answered with {ask, error}. Who asks ends the program by closing its input.
#ifndef WEFT_TWIN_SERVE_H
#define WEFT_TWIN_SERVE_H

#include "weft_twin.h"

struct serve;

struct serve *serve_create(void); // NULL without memory
void serve_destroy(struct serve *serve);
// Reads what is there and answers what is whole. False: nobody asks any more, or what comes is no MessagePack.
bool serve_poll(struct serve *serve, const struct weft_twin *twin);

#endif
