// A touch between a point p = sum c x of a surface and a rigid piece. Both give way, by their inverse masses.
//
//   depth                           how far p has to go along n, away from the piece; above 0
//   W = S + n . K n                 S = sum w c^2 of the surface, K the matrix of the piece at p
//   lambda = depth / W
//   s' = s + lambda (S n + K n)     way of p in this substep against the piece's material, after that
//   t = s' - (s' . n) n,  u = t / |t|
//   f = min(|t| / (S + u . K u), mu lambda)
//   impulse = lambda n - f u        for the surface: x_i += w_i c_i impulse; the piece gets as much at p, the other way
//
// So the sum of all momenta stays as it is, and so does that of all angular momenta. Without friction p has gone by the depth
// against the piece. mu is that of what slides if |t| > 4 mu lambda (S + u . K u) + 1 quantum, as of what meets colliders.
#ifndef WEFT_SIM_CONTACT_PART_H
#define WEFT_SIM_CONTACT_PART_H

#include <stdbool.h>

struct sim_parting {
    double normal[3];        // of length 1
    double depth;            // m
    double way[3];           // s, m
    double surface;          // S, 1/kg
    double matrix[3][3];     // K, 1/kg; it is symmetric
    double friction, slides; // mu of what holds, and of what slides
    double quantum;          // m
};

// Fills the impulse, kg m. False if neither can give way.
bool sim_part(const struct sim_parting *parting, double impulse[3]);

#endif
