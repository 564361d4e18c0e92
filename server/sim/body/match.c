// Makes the regions of a body that is drawn to its shape at rest.
//
// Centres are found in the order of particles: each that is not within `spacing` of a centre becomes one. Members of a region are all
// particles within `radius` of its centre. Both are distances in the shape at rest. So every particle is a member of at least one
// region, and regions overlap. They follow from the shape and the two lengths alone.
//
// Particles are sorted into cells of `radius` by 63-bit keys. Three cells in a row along z have keys that follow each other, so nine
// runs of the sorted list hold all neighbours.

#include "sim/body/match.h"
#include "base/array.h"
#include "sim/ground/ground.h"

#include <stdlib.h>

enum {
    CELL_BITS = 21,
    LOOKED_AT = 1024, // particles that the search may look at, for each one
};

enum fault_code sim_matching_check(const struct sim_matching *matching, double resolution,
                                   struct fault *fault)
{
    const double least = SIM_MATCH_RADIUS_MIN(resolution), most = SIM_MATCH_RADIUS_MAX(resolution);
    if (matching->model == SIM_MATCH_NONE) {
        return FAULT_NONE;
    }
    if (!(matching->compliance >= 0 && matching->compliance <= SIM_COMPLIANCE_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "shape.compliance", "%g m/N; must be in [0, %g]",
                              matching->compliance, SIM_COMPLIANCE_MAX);
    }
    if (matching->radius != 0 && !(matching->radius >= least && matching->radius <= most)) {
        return fault_code_set(fault, FAULT_INVALID, "shape.radius",
                              "%g m; must be in [%g, %g], or 0 for one region; " SIM_COARSER,
                              matching->radius, least, most);
    }
    if (matching->spacing != 0 && !(matching->spacing >= least && matching->spacing <= matching->radius)) {
        return fault_code_set(fault, FAULT_INVALID, "shape.spacing",
                              "%g m; must be in [%g, %g], the radius, or 0 for the radius", matching->spacing,
                              least, matching->radius);
    }
    return FAULT_NONE;
}

void sim_match_destroy(struct sim_match *match)
{
    if (match) {
        free(match->rest);
        free(match->slots);
        free(match->parts);
        free(match->sums);
        free(match->first_parts);
        free(match->origins);
        free(match->spreads);
        free(match->frames);
        free(match->starts);
        free(match->regions);
        free(match->drawn);
        free(match->kept);
        free(match->places);
        free(match);
    }
}

uint64_t sim_match_bytes(const struct sim_match *match)
{
    enum { REGION_BYTES = 512, PLACE_BYTES = 8, PARTICLE_BYTES = 96 };
    return match ? match->region_count * (uint64_t)REGION_BYTES +
                       match->place_count * (uint64_t)(PLACE_BYTES + PARTICLE_BYTES)
                 : 0;
}

// -------------------------------------------------------------------------------------------------------- cells

struct cells {
    int64_t (*places)[3]; // by index
    int64_t least[3], side;
    uint64_t *keys; // sorted
    uint32_t *indices;
    uint32_t count;
    uint64_t looked_at, most; // particles
};

static void cells_deinit(struct cells *cells)
{
    free(cells->places);
    free(cells->keys);
    free(cells->indices);
}

static uint64_t key_of(const int64_t cell[3])
{
    return ((uint64_t)cell[0] << 2 * CELL_BITS) | ((uint64_t)cell[1] << CELL_BITS) | (uint64_t)cell[2];
}

static void cell_of(const struct cells *cells, uint32_t index, int64_t cell[3])
{
    for (int axis = 0; axis < 3; axis++) {
        cell[axis] = (cells->places[index][axis] - cells->least[axis]) / cells->side + 1;
    }
}

static enum fault_code places_find(struct cells *cells, const struct sim_body *body, const double *given,
                                   double resolution, struct fault *fault)
{
    cells->count = body->count;
    cells->places = malloc(((size_t)body->count + 1) * sizeof *cells->places);
    if (!cells->places) {
        return sim_fault_memory(fault);
    }
    for (uint32_t i = 0; i < body->count; i++) {
        sim_rest_of(body, i, cells->places[i]);
        for (size_t axis = 0; given && axis < 3; axis++) {
            const double x = given[3 * (size_t)i + axis];
            if (!(x >= -SIM_EXTENT_MAX && x <= SIM_EXTENT_MAX)) {
                return fault_code_set(fault, FAULT_INVALID, "shape.positions",
                                      "particle %u lies at %g m; must be in [%g, %g]", i, x, -SIM_EXTENT_MAX,
                                      SIM_EXTENT_MAX);
            }
            cells->places[i][axis] = sim_quantize(x, 1 / resolution);
        }
    }
    return FAULT_NONE;
}

static enum fault_code cells_fill(struct cells *cells, double radius, double resolution, struct fault *fault)
{
    cells->side = (int64_t)(radius / resolution);
    cells->most = LOOKED_AT * (uint64_t)cells->count;
    for (int axis = 0; axis < 3; axis++) {
        int64_t least = cells->places[0][axis], most = least;
        for (uint32_t i = 1; i < cells->count; i++) {
            least = cells->places[i][axis] < least ? cells->places[i][axis] : least;
            most = cells->places[i][axis] > most ? cells->places[i][axis] : most;
        }
        cells->least[axis] = least;
        if ((most - least) / cells->side >= (1 << CELL_BITS) - 4) {
            return fault_code_set(fault, FAULT_INVALID, "shape.radius",
                                  "%g m; must be at least %g for a body that is %g m wide", radius,
                                  (double)(most - least) * resolution / (1 << 20),
                                  (double)(most - least) * resolution);
        }
    }
    cells->keys = malloc(((size_t)cells->count + 1) * sizeof *cells->keys);
    cells->indices = malloc(((size_t)cells->count + 1) * sizeof *cells->indices);
    if (!cells->keys || !cells->indices) {
        return sim_fault_memory(fault);
    }
    for (uint32_t i = 0; i < cells->count; i++) {
        int64_t cell[3];
        cell_of(cells, i, cell);
        cells->keys[i] = key_of(cell);
        cells->indices[i] = i;
    }
    return sim_sort(cells->keys, cells->indices, cells->count) ? FAULT_NONE : sim_fault_memory(fault);
}

static uint32_t first_from(const struct cells *cells, uint64_t key)
{
    uint32_t low = 0, high = cells->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (cells->keys[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_within(const struct cells *cells, uint32_t a, uint32_t b, double bound)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double way = (double)(cells->places[a][axis] - cells->places[b][axis]);
        square += way * way;
    }
    return square <= bound * bound;
}

// Lists the particles within a distance of one, which is at most the side of a cell. Returns how many, by cells and then by index.
static uint32_t list_within(struct cells *cells, uint32_t of, double bound, uint32_t *out)
{
    int64_t cell[3], at[3];
    uint32_t count = 0;
    cell_of(cells, of, cell);
    for (int run = 0; run < 9; run++) {
        at[0] = cell[0] + run / 3 - 1;
        at[1] = cell[1] + run % 3 - 1;
        at[2] = cell[2] - 1;
        const uint64_t last = key_of(at) + 2;
        uint32_t i = first_from(cells, key_of(at));
        for (; i < cells->count && cells->keys[i] <= last && cells->looked_at <= cells->most; i++) {
            cells->looked_at++;
            if (is_within(cells, of, cells->indices[i], bound)) {
                out[count++] = cells->indices[i];
            }
        }
    }
    return count;
}

// ------------------------------------------------------------------------------------------------------ regions

// Regions as they are found: members by row, from 0 on.
struct found {
    uint32_t *members, *starts;
    bool *near;
    uint32_t region_count, start_capacity;
    uint64_t member_count, member_capacity;
};

static void found_deinit(struct found *found)
{
    free(found->members);
    free(found->starts);
    free(found->near);
}

static int by_row(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool found_reserve(struct found *found, uint32_t more)
{
    return array_reserve(&found->members, &found->member_capacity, found->member_count + more) &&
           array_reserve(&found->starts, &found->start_capacity, (uint64_t)found->region_count + 2);
}

// The region around a particle. Its first member is the centre, and the others stand by their rows.
static bool region_find(struct cells *cells, const struct sim_body *body, uint32_t centre, double radius,
                        double spacing, struct found *found)
{
    uint32_t *list = found->members + found->member_count;
    uint32_t count = list_within(cells, centre, spacing, list);
    for (uint32_t k = 0; k < count; k++) {
        found->near[list[k]] = true;
    }
    count = list_within(cells, centre, radius, list);
    found->member_count += count;
    if (cells->looked_at > cells->most || found->member_count > SIM_MATCH_PLACES * (uint64_t)cells->count) {
        return false;
    }
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (list[k] != centre) {
            list[kept++] = body->row_of[list[k]];
        }
    }
    qsort(list, kept, sizeof *list, by_row);
    memmove(list + 1, list, kept * sizeof *list);
    list[0] = body->row_of[centre];
    found->region_count++;
    found->starts[found->region_count] = (uint32_t)found->member_count;
    return true;
}

static enum fault_code regions_find(struct cells *cells, const struct sim_body *body,
                                    const struct sim_matching *matching, double resolution,
                                    struct found *found, struct fault *fault)
{
    const double radius = matching->radius / resolution;
    const double spacing = matching->spacing > 0 ? matching->spacing / resolution : radius;
    found->near = calloc((size_t)cells->count + 1, sizeof *found->near);
    if (!found->near || !found_reserve(found, cells->count)) {
        return sim_fault_memory(fault);
    }
    found->starts[0] = 0;
    for (uint32_t i = 0; i < cells->count; i++) {
        if (found->near[i]) {
            continue;
        }
        if (!found_reserve(found, cells->count)) {
            return sim_fault_memory(fault);
        }
        if (!region_find(cells, body, i, radius, spacing, found)) {
            return fault_code_set(
                fault, FAULT_LIMIT, "shape.radius",
                "%g m with a spacing of %g m: regions overlap too much; a particle may be in "
                "%u of them on average, so the radius must be smaller or the spacing larger",
                matching->radius, spacing * resolution, SIM_MATCH_PLACES);
        }
    }
    return FAULT_NONE;
}

// All particles are one region, if none is too far from the first.
static enum fault_code region_of_all(const struct cells *cells, const struct sim_body *body,
                                     double resolution, struct found *found, struct fault *fault)
{
    const double most = SIM_MATCH_RADIUS_MAX(resolution);
    if (!found_reserve(found, cells->count)) {
        return sim_fault_memory(fault);
    }
    for (uint32_t i = 0; i < cells->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const double way = (double)(cells->places[i][axis] - cells->places[body->index_of[0]][axis]);
            if (!(way * resolution <= most && way * resolution >= -most)) {
                return fault_code_set(fault, FAULT_INVALID, "shape.radius",
                                      "0: particle %u is %g m from the first along an axis, and a region may "
                                      "reach %g m; must be above 0, so that there are several regions",
                                      i, way * resolution, most);
            }
        }
        found->members[i] = i; // rows
    }
    found->starts[0] = 0;
    found->starts[1] = cells->count;
    found->member_count = cells->count;
    found->region_count = cells->count > 0;
    return FAULT_NONE;
}

// ------------------------------------------------------------------------------------------------------- layout

// Batches of the next part of a region that has `left` members from `start` on. The whole body has those of a chunk in each.
static uint32_t part_members(const struct sim_body *body, uint32_t region_count, uint32_t left)
{
    const uint32_t most =
        region_count == 1 ? sim_tile_rows(body->count) : SIM_MATCH_PART_BATCHES * (uint32_t)SIM_LANES;
    return left < most ? left : most;
}

// Counts parts and batches; fills them in if there is room.
static void parts_lay(const struct sim_body *body, const struct found *found, struct sim_match *match,
                      uint32_t *part_count, uint32_t *batch_count)
{
    *part_count = *batch_count = 0;
    for (uint32_t region = 0; region < found->region_count; region++) {
        const uint32_t end = found->starts[region + 1];
        if (match->first_parts) {
            match->first_parts[region] = *part_count;
            match->first_parts[region + 1] = *part_count;
        }
        for (uint32_t at = found->starts[region], size; at < end; at += size) {
            size = part_members(body, found->region_count, end - at);
            const uint32_t batches = (size + SIM_LANES - 1) / SIM_LANES;
            if (match->parts) {
                match->parts[*part_count] = (struct sim_match_part){region, *batch_count, batches};
                match->first_parts[region + 1] = *part_count + 1;
                for (uint32_t s = 0; s < batches * SIM_LANES; s++) {
                    match->slots[(size_t)*batch_count * SIM_LANES + s] =
                        (s < size ? found->members[at + s] : body->count) * SIM_ROW_BYTES;
                }
            }
            *batch_count += batches;
            ++*part_count;
        }
    }
}

static bool match_reserve(struct sim_match *match, const struct sim_body *body, const struct found *found)
{
    const size_t rows = sim_body_rows(body->count), regions = found->region_count;
    uint32_t batch_count;
    parts_lay(body, found, match, &match->part_count, &batch_count);
    match->region_count = found->region_count;
    match->place_count = found->member_count;
    match->rest = calloc(rows + 1, sizeof *match->rest);
    match->drawn = calloc(rows + 1, sizeof *match->drawn);
    match->kept = calloc(rows + 1, sizeof *match->kept);
    match->slots = calloc((size_t)batch_count + 1, SIM_LANES * sizeof *match->slots);
    match->parts = calloc((size_t)match->part_count + 1, sizeof *match->parts);
    match->sums = calloc((size_t)match->part_count + 1, sizeof *match->sums);
    match->first_parts = calloc(regions + 2, sizeof *match->first_parts);
    match->origins = calloc(regions + 1, sizeof *match->origins);
    match->spreads = calloc(regions + 1, sizeof *match->spreads);
    match->frames = calloc(regions + 1, sizeof *match->frames);
    if (regions > 1) {
        match->starts = calloc((size_t)body->count + 2, sizeof *match->starts);
        match->regions = malloc(((size_t)found->member_count + 1) * sizeof *match->regions);
    }
    return match->rest && match->drawn && match->kept && match->slots && match->parts && match->sums &&
           match->first_parts && match->origins && match->spreads && match->frames &&
           (regions <= 1 || (match->starts && match->regions));
}

// By row: its regions, ascending, and what part of its mass each of them has.
static void rows_lay(struct sim_match *match, const struct sim_body *body, const struct found *found)
{
    for (uint32_t row = 0; !match->starts && row < body->count; row++) {
        match->rest[row].w = 1;
    }
    if (!match->starts) {
        return;
    }
    for (uint32_t m = 0; m < found->member_count; m++) {
        match->starts[found->members[m] + 2]++;
    }
    for (uint32_t row = 0; row < body->count; row++) {
        match->rest[row].w = 1 / (float)match->starts[row + 2];
        match->starts[row + 2] += match->starts[row + 1];
    }
    // starts[row + 1] is where the next region of the row goes, and ends as the start of the next row.
    for (uint32_t region = 0; region < found->region_count; region++) {
        for (uint32_t m = found->starts[region]; m < found->starts[region + 1]; m++) {
            match->regions[match->starts[found->members[m] + 1]++] = region;
        }
    }
}

// The mean square of the distances of members from their centre, quanta^2.
static double spread_of(const struct cells *cells, const struct sim_body *body, const struct found *found,
                        uint32_t region)
{
    const uint32_t first = found->starts[region], end = found->starts[region + 1];
    const int64_t *origin = cells->places[body->index_of[found->members[first]]];
    double sum[3] = {0}, square = 0;
    for (uint32_t m = first; m < end; m++) {
        for (int axis = 0; axis < 3; axis++) {
            const double way =
                (double)(cells->places[body->index_of[found->members[m]]][axis] - origin[axis]);
            sum[axis] += way;
            square += way * way;
        }
    }
    const double count = end - first;
    square -= ((sum[0] * sum[0] + sum[1] * sum[1]) + sum[2] * sum[2]) / count;
    return square > 0 ? square / count : 0;
}

static bool match_lay(struct sim_match *match, const struct sim_body *body, const struct cells *cells,
                      const struct found *found)
{
    uint32_t parts, batches;
    if (!match_reserve(match, body, found)) {
        return false;
    }
    parts_lay(body, found, match, &parts, &batches);
    rows_lay(match, body, found);
    for (uint32_t row = 0; row < body->count; row++) {
        for (int axis = 0; axis < 3; axis++) {
            match->rest[row].x[axis] = (int32_t)(uint32_t)(uint64_t)cells->places[body->index_of[row]][axis];
        }
    }
    for (uint32_t region = 0; region < found->region_count; region++) {
        match->origins[region] = found->members[found->starts[region]];
        match->spreads[region] = spread_of(cells, body, found, region);
    }
    return true;
}

// Keeps the places as they are told: metres from the first particle on, which are whole quanta.
static bool places_keep(struct sim_match *match, const struct cells *cells, double resolution)
{
    match->places = malloc((3 * (size_t)cells->count + 1) * sizeof *match->places);
    for (size_t i = 0; match->places && i < 3 * (size_t)cells->count; i++) {
        match->places[i] = (double)(cells->places[i / 3][i % 3] - cells->places[0][i % 3]) * resolution;
    }
    return match->places != NULL;
}

enum fault_code sim_match_make(const struct sim_body *body, const struct sim_matching *matching,
                               double resolution, struct sim_match **out, struct fault *fault)
{
    struct sim_match *match = calloc(1, sizeof *match);
    struct cells cells = {0};
    struct found found = {0};
    enum fault_code status =
        !match ? sim_fault_memory(fault) : places_find(&cells, body, matching->places, resolution, fault);
    if (status == FAULT_NONE && matching->radius > 0 && body->count > 0) {
        status = cells_fill(&cells, matching->radius, resolution, fault);
        status =
            status != FAULT_NONE ? status : regions_find(&cells, body, matching, resolution, &found, fault);
    } else if (status == FAULT_NONE) {
        status = region_of_all(&cells, body, resolution, &found, fault);
    }
    if (status == FAULT_NONE && (!match_lay(match, body, &cells, &found) ||
                                 (matching->places && !places_keep(match, &cells, resolution)))) {
        status = sim_fault_memory(fault);
    }
    cells_deinit(&cells);
    found_deinit(&found);
    if (status != FAULT_NONE) {
        sim_match_destroy(match);
        return status;
    }
    *out = match;
    return FAULT_NONE;
}
