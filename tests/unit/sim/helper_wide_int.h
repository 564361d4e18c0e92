// Whole numbers of 256 bits, two's complement: for tests that must not round, nor trust 128 bits.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_WIDE_INT_H
#define WEFT_TESTS_UNIT_SIM_HELPER_WIDE_INT_H

#include <stdint.h>

struct wide_int {
    uint32_t words[8]; // least first
};

struct wide_int wide_int_of(int64_t value);
struct wide_int wide_int_add(struct wide_int a, struct wide_int b);
struct wide_int wide_int_sub(struct wide_int a, struct wide_int b);
struct wide_int wide_int_mul(struct wide_int a, struct wide_int b);
int wide_int_sign(struct wide_int a); // -1, 0, 1

// Sixfold volume of four points: the determinant of their coordinates beside a column of ones, by Leibniz' formula. Its
// sign, +1 where ((b - a) x (c - a)).(d - a) is greater than 0.
int wide_int_orientation(const int64_t points[4][3]);

// Does the edge pass or touch the triangle? By the point where its line comes through the triangle's plane. In the plane
// it does not; nor does a triangle without an area stop anything.
int wide_int_edge_crosses(const int64_t edge[2][3], const int64_t triangle[3][3]);

#endif
