// Cosine and sine of an angle in degrees, by a series of our own: the library's may differ between machines in the last
// bit, and a scene is to be the same world on all of them. Multiples of 90 are exact.
#ifndef WEFT_PROTOCOL_SCENE_TURN_H
#define WEFT_PROTOCOL_SCENE_TURN_H

void scene_turn(double degrees, double *cosine, double *sine); // |degrees| <= 1e9

#endif
