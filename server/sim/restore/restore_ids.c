// Ids that come back: of constraints, in the ranges that remember where each stands; and the next ones.
//
// A range of loose constraints may hold ids that are gone between those that live. It ends below the next id always,
// so that a new one never falls into it.

#include "base/array.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/restore/restore.h"

#include <stdlib.h>

static uint32_t end_of(const struct sim_id_range *range)
{
    return range->first + range->count;
}

static uint32_t living(const uint32_t *slots, uint32_t count)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < count; i++) {
        live += slots[i] != SIM_GONE;
    }
    return live;
}

bool sim_ids_free(const struct sim *sim, uint32_t first, uint32_t end)
{
    for (uint32_t r = 0; r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        uint32_t from = first > range->first ? first : range->first;
        uint32_t to = end < end_of(range) ? end : end_of(range);
        if (from < to && (range->body != 0 || living(range->slots + (from - range->first), to - from) > 0)) {
            return false;
        }
    }
    return true;
}

// Makes one range of the ids before, and one of the ids after.
static bool split(struct sim *sim, uint32_t position, uint32_t first, uint32_t end)
{
    struct sim_id_range *range = &sim->ranges[position], after = *range;
    after.first = end;
    after.count = after.capacity = end_of(range) - end;
    after.slots = malloc(after.count * sizeof *after.slots);
    if (!after.slots) {
        return false;
    }
    memcpy(after.slots, range->slots + (end - range->first), after.count * sizeof *after.slots);
    after.live = living(after.slots, after.count);
    range->count = first - range->first;
    range->live -= after.live;
    memmove(range + 2, range + 1, (sim->range_count - position - 1) * sizeof *range);
    range[1] = after;
    sim->range_count++;
    return true;
}

bool sim_ids_cut(struct sim *sim, uint32_t first, uint32_t end)
{
    if (!array_reserve(&sim->ranges, &sim->range_capacity, sim->range_count + 1)) {
        return false;
    }
    for (uint32_t r = sim->range_count; r > 0; r--) {
        struct sim_id_range *range = &sim->ranges[r - 1];
        if (end_of(range) <= first || range->first >= end) {
            continue;
        }
        if (range->first < first && end_of(range) > end) {
            return split(sim, r - 1, first, end);
        }
        if (range->first < first) {
            range->count = first - range->first;
        } else if (end_of(range) > end) {
            uint32_t cut = end - range->first;
            range->count -= cut;
            range->first = end;
            memmove(range->slots, range->slots + cut, range->count * sizeof *range->slots);
        } else {
            free(range->slots);
            memmove(range, range + 1, (sim->range_count - r) * sizeof *range);
            sim->range_count--;
        }
    }
    return true;
}

// Room for ids first ... end - 1, behind the ranges there are.
static bool append(struct sim *sim, enum sim_kind kind, uint32_t first, uint32_t end)
{
    uint32_t count = end - first, *slots = malloc(count * sizeof *slots);
    if (!slots || !array_reserve(&sim->ranges, &sim->range_capacity, sim->range_count + 1)) {
        free(slots);
        return false;
    }
    memset(slots, 0xff, count * sizeof *slots); // SIM_GONE
    sim->ranges[sim->range_count++] = (struct sim_id_range){
        .first = first, .count = count, .capacity = count, .kind = kind, .slots = slots};
    return true;
}

enum fault_code sim_ids_open(struct sim *sim, enum sim_kind kind, const uint32_t *ids, uint32_t count,
                             struct fault *fault)
{
    uint32_t *missing = malloc(((size_t)count + 1) * sizeof *missing), lack = 0;
    enum fault_code status = !missing ? sim_fault_memory(fault) : FAULT_NONE;
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        const struct sim_id_range *range = sim_range_of(sim, ids[i]);
        if (!range) {
            missing[lack++] = ids[i];
        } else if (range->body != 0 || range->kind != kind) {
            status = fault_code_set(fault, FAULT_CONFLICT, "constraints",
                                    "element %u is %u, the id of another constraint", i, ids[i]);
        }
    }
    for (uint32_t i = 0, end; status == FAULT_NONE && i < lack; i = end) {
        for (end = i + 1; end < lack && missing[end] == missing[end - 1] + 1;) {
            end++;
        }
        status = append(sim, kind, missing[i], missing[end - 1] + 1) ? FAULT_NONE : sim_fault_memory(fault);
    }
    if (lack > 0) {
        sim_ranges_sort(sim);
    }
    free(missing);
    return status;
}

// ------------------------------------------------------------------------------------------------ next ids

void sim_next_ids(const struct sim *sim, struct sim_next_ids *ids)
{
    *ids = (struct sim_next_ids){.body = sim->next_body,
                                 .constraint = sim->next_constraint,
                                 .grab = sim->next_grab,
                                 .collider = sim->next_collider,
                                 .motion = sim->next_motion};
}

// One past the last id of a range that lives, or is a body's.
static uint32_t kept_end(const struct sim_id_range *range)
{
    uint32_t count = range->count;
    while (range->body == 0 && count > 0 && range->slots[count - 1] == SIM_GONE) {
        count--;
    }
    return range->first + count;
}

enum fault_code sim_next_ids_set(struct sim *sim, const struct sim_next_ids *ids, struct fault *fault)
{
    struct sim_next_ids least = {1, 1, 1, 1, 1};
    if (sim->body_count > 0) {
        least.body = sim->bodies[sim->body_count - 1]->id + 1;
    }
    if (sim->range_count > 0) {
        least.constraint = kept_end(&sim->ranges[sim->range_count - 1]);
    }
    if (sim->grab_count > 0) {
        least.grab = sim->grabs[sim->grab_count - 1].id + 1;
    }
    if (sim->shape_count > 0) {
        least.collider = sim->shapes[sim->shape_count - 1].id + 1;
    }
    if (sim->drive_count > 0) {
        least.motion = sim->drives[sim->drive_count - 1].motion.id + 1;
    }
    const struct {
        const char *field;
        uint32_t given, least;
    } all[] = {
        {"next_body", ids->body, least.body},       {"next_constraint", ids->constraint, least.constraint},
        {"next_grab", ids->grab, least.grab},       {"next_collider", ids->collider, least.collider},
        {"next_motion", ids->motion, least.motion},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].given < all[i].least) {
            return fault_code_set(fault, FAULT_INVALID, all[i].field,
                                  "%u; must be at least %u, above all ids that are in use", all[i].given,
                                  all[i].least);
        }
    }
    if (sim->range_count > 0) {
        struct sim_id_range *last = &sim->ranges[sim->range_count - 1];
        last->count = kept_end(last) - last->first; // ids behind it are new ones again
    }
    sim->next_body = ids->body;
    sim->next_constraint = ids->constraint;
    sim->next_grab = ids->grab;
    sim->next_collider = ids->collider;
    sim->next_motion = ids->motion;
    return FAULT_NONE;
}
