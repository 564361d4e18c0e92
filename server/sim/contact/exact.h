#ifndef X_H
#define X_H
#include <stdbool.h>
#include <stdint.h>
bool sim_edge_crosses(const int32_t edge[2][3], const int32_t triangle[3][3]);
#endif
