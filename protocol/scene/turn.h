// Cosine and sine of an angle in degrees. libm's may differ between machines in the last bit, but a scene must be the same
// world on all of them. So they are computed by a series here. Multiples of 90 degrees are exact.
#ifndef WEFT_PROTOCOL_SCENE_TURN_H
#define WEFT_PROTOCOL_SCENE_TURN_H

void scene_turn(double degrees, double *cosine, double *sine); // |degrees| <= 1e9

#endif
