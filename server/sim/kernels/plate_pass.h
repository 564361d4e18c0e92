// The two passes of a plate in one kind of number. Included twice by plate.c, which defines
//
//     REAL       float or double;  LANE  the vector of them;  LANES  how many it has
//     PASS()     names what is defined here;  LANE_SET, LANE_LOAD  fill a vector
//     rows_load, rows_store   LANES places of a vector, axis by axis
//
// The sum of each row runs over its columns in their order, so it does not depend on LANES.

// Subtracts what the unknowns of a node give those below.
SIM_INLINE void PASS(forward)(const struct sim_plate *plate, const struct sim_plate_node *node)
{
    const REAL *b = (const REAL *)plate->pushes + 4 * (size_t)node->first;
    for (uint32_t i = 0; i < node->below_count; i += LANES) {
        const REAL *block = (const REAL *)plate->entries + node->forward;
        block += (size_t)(i / plate->lanes) * plate->lanes * node->count + i % plate->lanes;
        const uint32_t *places = plate->places + node->below + i;
        LANE a[3];
        PASS(rows_load)(plate->pushes, places, a);
        for (uint32_t k = 0; k < node->count; k++) {
            const LANE v = LANE_LOAD(block + (size_t)k * plate->lanes);
            for (int axis = 0; axis < 3; axis++) {
                a[axis] = a[axis] - v * LANE_SET(b[4 * k + axis]);
            }
        }
        PASS(rows_store)(plate->pushes, places, a);
    }
}

// Finds the unknowns of a node from those below.
SIM_INLINE void PASS(backward)(const struct sim_plate *plate, const struct sim_plate_node *node)
{
    const REAL *b = (const REAL *)plate->pushes + 4 * (size_t)node->first;
    const uint32_t *below = plate->places + node->below, size = node->count + node->below_count;
    for (uint32_t j = 0; j < node->count; j += LANES) {
        const REAL *block = (const REAL *)plate->entries + node->backward;
        block += (size_t)(j / plate->lanes) * plate->lanes * size + j % plate->lanes;
        LANE x[3] = {LANE_SET(0), LANE_SET(0), LANE_SET(0)};
        for (uint32_t k = 0; k < node->count; k++, block += plate->lanes) {
            const LANE s = LANE_LOAD(block);
            for (int axis = 0; axis < 3; axis++) {
                x[axis] = x[axis] + s * LANE_SET(b[4 * k + axis]);
            }
        }
        for (uint32_t i = 0; i < node->below_count; i++, block += plate->lanes) {
            const LANE v = LANE_LOAD(block);
            const REAL *y = (const REAL *)(const void *)((const char *)plate->ways + below[i]);
            for (int axis = 0; axis < 3; axis++) {
                x[axis] = x[axis] + v * LANE_SET(y[axis]);
            }
        }
        PASS(rows_store)(plate->ways, plate->places + node->own + j, x);
    }
}

// From `pushes` to `ways`.
static void PASS(solve)(const struct sim_plate *plate)
{
    for (uint32_t k = 0; k < plate->node_count; k++) {
        PASS(forward)(plate, &plate->nodes[k]);
    }
    for (uint32_t k = plate->node_count; k-- > 0;) {
        PASS(backward)(plate, &plate->nodes[k]);
    }
}
