// The two passes of a plate in one kind of number. Included twice by plate.c, which defines
//
//     REAL       float or double;  LANE  the vector of them;  LANES  how many it has
//     PASS()     names what is defined here;  LANE_SET, LANE_LOAD  fill a vector
//     rows_load, rows_store   LANES places of a vector, axis by axis
//
// The sum of each row runs over its columns in their order, so it does not depend on LANES.

// Adds one column of a block, times a place of a vector, to its rows.
SIM_INLINE void PASS(add)(LANE rows[3], const REAL *column, const REAL *place)
{
    const LANE factors = LANE_LOAD(column);
    for (int axis = 0; axis < 3; axis++) {
        rows[axis] = rows[axis] + factors * LANE_SET(place[axis]);
    }
}

// Subtracts what the unknowns of a node give those below.
SIM_INLINE void PASS(forward)(const struct sim_plate *plate, const struct sim_plate_node *node)
{
    const REAL *b = (const REAL *)plate->pushes + 4 * (size_t)node->first;
    for (uint32_t i = 0; i < node->below_count; i += LANES) {
        const uint32_t block = i - i % plate->lanes, *places = plate->places + node->below + i;
        const uint32_t width = sim_plate_width(node->below_count, block, plate->lanes);
        const REAL *column = (const REAL *)plate->entries + node->forward;
        column += (size_t)block * node->count + i % plate->lanes;
        LANE sums[3] = {LANE_SET(0), LANE_SET(0), LANE_SET(0)}, a[3];
        for (uint32_t k = 0; k < node->count; k++, column += width) {
            PASS(add)(sums, column, b + 4 * (size_t)k);
        }
        PASS(rows_load)(plate->pushes, places, a);
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = a[axis] - sums[axis];
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
        const uint32_t block = j - j % plate->lanes;
        const uint32_t width = sim_plate_width(node->count, block, plate->lanes);
        const REAL *column = (const REAL *)plate->entries + node->backward;
        column += (size_t)block * size + j % plate->lanes;
        LANE x[3] = {LANE_SET(0), LANE_SET(0), LANE_SET(0)};
        for (uint32_t k = 0; k < node->count; k++, column += width) {
            PASS(add)(x, column, b + 4 * (size_t)k);
        }
        for (uint32_t i = 0; i < node->below_count; i++, column += width) {
            PASS(add)(x, column, (const REAL *)(const void *)((const char *)plate->ways + below[i]));
        }
        PASS(rows_store)(plate->ways, plate->places + node->own + j, x);
    }
}

static void PASS(pass)(const struct sim_plate *plate, struct sim_plate_range nodes, bool back)
{
    for (uint32_t k = nodes.first; !back && k < nodes.end; k++) {
        PASS(forward)(plate, &plate->nodes[k]);
    }
    for (uint32_t k = nodes.end; back && k-- > nodes.first;) {
        PASS(backward)(plate, &plate->nodes[k]);
    }
}
