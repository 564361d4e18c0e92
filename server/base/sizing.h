// Sizes of edges, as protocol/sizing/sizing.h says, for rooms that stand on base alone.
//
// The shell measures a mesh before it sends it, and the solver measures it again when the body is made. Both have to find the same
// thickness and name the same numbers, so there is one code for them. The solver includes nothing of the protocol by itself:
//
//     struct sizing sizes;
//     bool good = sizing_init(&sizes, &mesh);
//     double thickness = good ? sizing_thickness(&sizes, floor) : 0;
//     sizing_deinit(&sizes);
#ifndef WEFT_BASE_SIZING_H
#define WEFT_BASE_SIZING_H

#include "protocol/sizing/sizing.h"

#endif
