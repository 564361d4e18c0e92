// Reads numbers from the sim for chunks.
//
// The sim gives ranges, because a body's order in memory is not the caller's. If vertices are left out,
// ranges are read into a block of fixed size and the wanted vertices are copied from it. If those lie far
// apart, they are read one by one.
#include "world/frames/gather.h"

#include "document/document.h"
#include "protocol/array/reserve.h"
#include "world/frames/effort.h"

#include <string.h>

enum { BLOCK = 512, WIDEST = 4 * sizeof(double) };

// Reads the positions of all particles of the body, for its skin.
static bool bases_make(struct world_snapshot *snapshot, const struct document_thing *body)
{
    if (snapshot->bases_body == body->id) {
        return true;
    }
    if (!array_reserve(&snapshot->bases, &snapshot->bases_capacity, 3 * (uint64_t)body->particle_count)) {
        return false;
    }
    snapshot->work += (uint64_t)body->particle_count * WORLD_PRICE_READ;
    sim_body_positions64(snapshot->document->sim, body->id, 0, body->particle_count, snapshot->bases);
    snapshot->bases_body = body->id;
    return true;
}

static void read_range(const struct world_snapshot *snapshot, const struct document_thing *body,
                       enum world_array array, uint32_t first, uint32_t count, void *out)
{
    const struct sim *sim = snapshot->document->sim;
    switch (array) {
    case WORLD_ARRAY_POSITIONS:
        sim_body_positions(sim, body->id, first, count, out);
        break;
    case WORLD_ARRAY_POSITIONS64:
        sim_body_positions64(sim, body->id, first, count, out);
        break;
    case WORLD_ARRAY_VELOCITIES:
        sim_body_velocities(sim, body->id, first, count, out);
        break;
    case WORLD_ARRAY_ROTATIONS:
        sim_body_rotations(sim, body->id, first, count, out);
        break;
    case WORLD_ARRAY_ROTATIONS64:
        sim_body_rotations64(sim, body->id, first, count, out);
        break;
    case WORLD_ARRAY_SKIN:
        document_skin_positions(body->skin, snapshot->bases, first, count, out);
        break;
    }
}

// Bytes of one vertex.
static size_t size_of(enum world_array array)
{
    switch (array) {
    case WORLD_ARRAY_POSITIONS64:
        return 3 * sizeof(double);
    case WORLD_ARRAY_ROTATIONS:
        return 4 * sizeof(float);
    case WORLD_ARRAY_ROTATIONS64:
        return 4 * sizeof(double);
    case WORLD_ARRAY_POSITIONS:
    case WORLD_ARRAY_VELOCITIES:
    case WORLD_ARRAY_SKIN:
        break;
    }
    return 3 * sizeof(float);
}

bool world_gather(struct world_snapshot *snapshot, const struct document_thing *body, enum world_array array,
                  uint32_t first, uint32_t count, uint32_t nth, void *out)
{
    const size_t size = size_of(array);
    _Alignas(16) uint8_t block[BLOCK * WIDEST];
    if (array == WORLD_ARRAY_SKIN && !bases_make(snapshot, body)) {
        return false;
    }
    snapshot->work += (uint64_t)count * (array == WORLD_ARRAY_SKIN ? WORLD_PRICE_SKIN : WORLD_PRICE_READ) *
                      (nth < BLOCK ? nth : BLOCK);
    if (nth == 1) {
        read_range(snapshot, body, array, first, count, out);
        return true;
    }
    const uint32_t most = nth < BLOCK ? (BLOCK - 1) / nth + 1 : 1;
    uint8_t *at = out;
    for (uint32_t done = 0; done < count;) {
        const uint32_t taken = count - done < most ? count - done : most;
        read_range(snapshot, body, array, (first + done) * nth, (taken - 1) * nth + 1, block);
        for (uint32_t i = 0; i < taken; i++, at += size) {
            memcpy(at, block + (size_t)i * nth * size, size);
        }
        done += taken;
    }
    return true;
}

bool world_box_has(const double box[6], const double at[3])
{
    return at[0] >= box[0] && at[0] <= box[3] && at[1] >= box[1] && at[1] <= box[4] && at[2] >= box[2] &&
           at[2] <= box[5];
}

static bool meets(const struct world_snapshot *snapshot, const struct document_thing *body,
                  const double box[6])
{
    double block[3 * BLOCK];
    for (uint32_t first = 0; first < body->particle_count; first += BLOCK) {
        const uint32_t left = body->particle_count - first, count = left < BLOCK ? left : BLOCK;
        sim_body_positions64(snapshot->document->sim, body->id, first, count, block);
        for (const double *at = block; at < block + 3 * (size_t)count; at += 3) {
            if (world_box_has(box, at)) {
                return true;
            }
        }
    }
    return false;
}

uint32_t world_gather_body_count(const struct world_snapshot *snapshot,
                                 const struct world_selection *selection)
{
    return selection->options.all ? snapshot->document->bodies.count : selection->options.body_count;
}

const struct document_thing *world_gather_body(const struct world_snapshot *snapshot,
                                               const struct world_selection *selection, uint32_t index)
{
    const struct world_stream_options *options = &selection->options;
    const struct document_things *bodies = &snapshot->document->bodies;
    const struct document_thing *body =
        options->all ? &bodies->items[index] : document_things_by_id(bodies, options->bodies[index]);
    return body && options->boxed && !meets(snapshot, body, options->box) ? NULL : body;
}
