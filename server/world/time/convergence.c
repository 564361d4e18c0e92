#include "world/time/convergence.h"

#include "base/log.h"
#include "protocol/array/reserve.h"
#include "world/answer/event.h"
#include "world/state.h"
#include "world/time/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRAIN_WEIGHT = 5, LOOK_SWEEPS = 1024, LOOK_TICKS_MIN = 16, LOOK_TICKS_MAX = 1024 };

enum world_warning_kind { WORLD_STRETCHED, WORLD_STIFF, WORLD_WARNING_KINDS };
enum { WORLD_WARNING_TEXT = 512 }; // a name, and a few numbers

// The verdicts of the looks so far on one body (convergence.h).
struct world_doubt {
    uint32_t body;
    struct world_verdict verdicts[WORLD_WARNING_KINDS];
};

// The memory that a warning points to.
struct world_warned {
    uint32_t body;
    char text[WORLD_WARNING_TEXT];
};

struct world_convergence {
    struct sim_convergence *found;       // in the last look, by body id
    struct world_doubt *doubts, *before; // of the same bodies; `before` is room for the next look
    uint32_t count, found_capacity, capacity, before_capacity;
    struct protocol_warning *warnings; // what was told last
    struct world_warned *warned;       // one for each
    uint32_t warning_count, warning_capacity, warned_capacity;
};

static const char *const codes[WORLD_WARNING_KINDS] = {
    [WORLD_STRETCHED] = "STRETCHED", [WORLD_STIFF] = "STIFF"};

bool world_verdict_look(struct world_verdict *verdict, double error)
{
    const bool against = verdict->holds ? error < WORLD_WARNING_GOES : error > WORLD_WARNING_COMES;
    verdict->looks = against ? verdict->looks + 1 : 0;
    if (verdict->looks < WORLD_WARNING_LOOKS) {
        return false;
    }
    *verdict = (struct world_verdict){.holds = !verdict->holds};
    return true;
}

uint32_t world_look_ticks(const struct sim_settings *settings)
{
    uint32_t ticks = LOOK_TICKS_MIN;
    while (ticks < LOOK_TICKS_MAX &&
           (uint64_t)ticks * settings->substeps * settings->iterations < LOOK_SWEEPS) {
        ticks *= 2;
    }
    return ticks;
}

// A share of stretch or volume is an error only if somebody can see it: if the strain that it leaves open is above a
// fifth of the bound. Bends have no such bound, because small ones add up along a body.
static double stiff_error(const struct sim_convergence *found)
{
    double most = 0;
    for (int part = 0; part < SIM_PART_COUNT; part++) {
        const double share = found->unresolved[part], open = STRAIN_WEIGHT * share * found->apart[part];
        const double error = part == SIM_PART_BEND || share < open ? share : open;
        most = error > most ? error : most;
    }
    return most;
}

// ---------------------------------------------------------------------------------------------------------
// Words

// "3" or "3 (sail)".
static void body_words(const struct document_thing *thing, char *out, size_t size)
{
    const struct protocol_string name = document_thing_name(thing);
    snprintf(out, size, name.size > 0 ? "%u (%.*s)" : "%u", thing->id, (int)name.size, name.data);
}

static void stretched_words(const struct world *world, const struct sim_convergence *found, const char *body,
                            char text[WORLD_WARNING_TEXT])
{
    struct sim_body_info info;
    sim_body_info(world->document->sim, found->body, &info);
    const bool may_long = (info.kind == SIM_CLOTH || info.kind == SIM_ROPE) &&
                          !sim_settings_of(world->document->sim)->long_edges;
    char why[128] = "";
    if (found->loads == SIM_LOADS_LARGE) {
        snprintf(why, sizeof why, ". Its loads are swept, because it has %u particles; at most %d are solved",
                 info.particle_count, SIM_LOADS_PARTICLES_MAX);
    } else if (found->loads == SIM_LOADS_CROWDED) {
        snprintf(why, sizeof why,
                 ". Its loads are swept, because it touches more than %d heavy particles at once",
                 SIM_LOADS_MAX);
    }
    snprintf(text, WORLD_WARNING_TEXT,
             "body %s is stretched: its worst edge is %.3g %% too long (root mean square: %.3g %%); "
             "%s%smore substeps, a coarser mesh or more compliance would help%s",
             body, 100 * found->strain_max, 100 * found->strain_rms, may_long ? "long_edges, " : "",
             found->loads == SIM_LOADS_SWEPT
                 ? "loads: solved (something at least 100 times as heavy bears on it), "
                 : "",
             why);
}

// From this share of bending on one sweep a substep may feed energy into it (docs/internals/sim.md).
#define GAINS 0.3

// Whether bending that is not resolved may never come to rest.
static bool may_gain(const struct world *world, const struct sim_convergence *found)
{
    return found->bending != SIM_BENDING_SOLVED && found->unresolved[SIM_PART_BEND] >= GAINS &&
           sim_settings_of(world->document->sim)->iterations == 1;
}

static void stiff_words(const struct world *world, const struct sim_convergence *found, const char *body,
                        char text[WORLD_WARNING_TEXT])
{
    static const char *const helps[] = {
        [SIM_BENDING_SWEPT_WORLD] = "bending: solved, ",
        [SIM_BENDING_SWEPT_RIGID] =
            "a compliance above 0 for each of its bends (one has 0, so all are swept), ",
        [SIM_BENDING_SWEPT_STIFFNESS] = "bends without a stiffness (one has it, so all are swept), ",
        [SIM_BENDING_SWEPT_WAITS] = NULL,
    };
    const bool bends = found->unresolved[SIM_PART_BEND] >= WORLD_WARNING_GOES;
    const char *help = bends ? helps[found->bending] : NULL;
    static const char *const parts[SIM_PART_COUNT] = {[SIM_PART_STRETCH] = "stretch",
                                                      [SIM_PART_BEND] = "bend",
                                                      [SIM_PART_VOLUMES] = "volume",
                                                      [SIM_PART_SOLID] = "solid"};
    char shares[128] = "";
    int used = 0;
    for (int part = 0; part < SIM_PART_COUNT; part++) {
        if (found->unresolved[part] >= WORLD_WARNING_GOES) {
            used += snprintf(shares + used, sizeof shares - (size_t)used, "%s%.3g %% of %s",
                             used > 0 ? ", " : "", 100 * found->unresolved[part], parts[part]);
        }
    }
    snprintf(text, WORLD_WARNING_TEXT,
             "body %s acts softer than its material: the forces that are not resolved are %s; "
             "%smore substeps, a coarser mesh or more compliance would help%s",
             body, shares, help ? help : "",
             may_gain(world, found)
                 ? ". One iteration may keep it moving for ever: 2 iterations bring it to rest"
                 : "");
}

// Adds a warning to the list, which has room for it. Nothing if the body has been removed since.
static void list_add(struct world *world, const struct sim_convergence *found, enum world_warning_kind kind)
{
    struct world_convergence *convergence = world->time->convergence;
    const struct document_thing *thing = document_things_by_id(&world->document->bodies, found->body);
    struct world_warned *warned = &convergence->warned[convergence->warning_count];
    char body[DOCUMENT_NAME_SIZE + 16];
    if (!thing) {
        return;
    }
    warned->body = found->body;
    body_words(thing, body, sizeof body);
    if (kind == WORLD_STRETCHED) {
        stretched_words(world, found, body, warned->text);
    } else {
        stiff_words(world, found, body, warned->text);
    }
    convergence->warnings[convergence->warning_count++] = (struct protocol_warning){
        .has = PROTOCOL_HAS_ALL,
        .code = protocol_text(codes[kind]),
        .text = protocol_text(warned->text),
        .count = 1,
        .elements = {.type = PROTOCOL_ARRAY_U32, .count = 1, .data = &warned->body},
    };
}

static bool holds_any(const struct world_doubt *doubt)
{
    return doubt->verdicts[WORLD_STRETCHED].holds || doubt->verdicts[WORLD_STIFF].holds;
}

// Room for all warnings that hold.
static bool list_reserve(struct world_convergence *convergence)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < convergence->count; i++) {
        most += holds_any(&convergence->doubts[i]) ? WORLD_WARNING_KINDS : 0;
    }
    return array_reserve(&convergence->warnings, &convergence->warning_capacity, most) &&
           array_reserve(&convergence->warned, &convergence->warned_capacity, most);
}

bool world_warnings(struct world *world, struct protocol_list *out)
{
    struct world_convergence *convergence = world->time->convergence;
    *out = (struct protocol_list){0};
    if (!convergence || !list_reserve(convergence)) {
        return !convergence;
    }
    convergence->warning_count = 0;
    for (uint32_t i = 0; i < convergence->count; i++) {
        for (int kind = 0; kind < WORLD_WARNING_KINDS; kind++) {
            if (convergence->doubts[i].verdicts[kind].holds) {
                list_add(world, &convergence->found[i], (enum world_warning_kind)kind);
            }
        }
    }
    *out = (struct protocol_list){.items = convergence->warnings, .count = convergence->warning_count};
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// A look

static bool look_reserve(struct world_time *time, uint32_t bodies)
{
    if (!time->convergence) {
        time->convergence = calloc(1, sizeof *time->convergence);
    }
    struct world_convergence *convergence = time->convergence;
    return convergence && array_reserve(&convergence->found, &convergence->found_capacity, bodies) &&
           array_reserve(&convergence->doubts, &convergence->capacity, bodies) &&
           array_reserve(&convergence->before, &convergence->before_capacity, bodies);
}

static void exchange(struct world_convergence *convergence)
{
    struct world_doubt *doubts = convergence->before;
    const uint32_t capacity = convergence->before_capacity;
    convergence->before = convergence->doubts;
    convergence->before_capacity = convergence->capacity;
    convergence->doubts = doubts;
    convergence->capacity = capacity;
}

// Makes a doubt for each body of the new look, with the verdicts of those that were there before. Both are in the order
// of ids. Returns whether a warning went with its body.
static bool doubts_keep(struct world_convergence *convergence, uint32_t bodies)
{
    const uint32_t before_count = convergence->count;
    uint32_t at = 0;
    bool gone = false;
    exchange(convergence);
    const struct world_doubt *before = convergence->before;
    for (uint32_t b = 0; b < bodies; b++) {
        const uint32_t id = convergence->found[b].body;
        for (; at < before_count && before[at].body < id; at++) {
            gone = gone || holds_any(&before[at]);
        }
        const bool known = at < before_count && before[at].body == id;
        convergence->doubts[b] = known ? before[at++] : (struct world_doubt){.body = id};
    }
    for (; at < before_count; at++) {
        gone = gone || holds_any(&before[at]);
    }
    convergence->count = bodies;
    return gone;
}

// Returns whether a warning came or went. Without memory the warnings stay as they are.
static bool look(struct world *world)
{
    const uint32_t bodies = sim_body_count(world->document->sim);
    if (!look_reserve(world->time, bodies) ||
        !sim_converged(world->document->sim, world->time->convergence->found)) {
        return false;
    }
    struct world_convergence *convergence = world->time->convergence;
    bool changed = doubts_keep(convergence, bodies);
    for (uint32_t b = 0; b < bodies; b++) {
        const struct sim_convergence *found = &convergence->found[b];
        struct world_verdict *verdicts = convergence->doubts[b].verdicts;
        changed |= world_verdict_look(&verdicts[WORLD_STRETCHED], found->strain_max);
        changed |= world_verdict_look(&verdicts[WORLD_STIFF], stiff_error(found));
    }
    return changed;
}

void world_convergence_tick(struct world *world)
{
    const struct document *document = world->document;
    if (document->failed || document->tick % world_look_ticks(sim_settings_of(document->sim)) != 0 ||
        !look(world)) {
        return;
    }
    struct protocol_list warnings;
    if (!world_warnings(world, &warnings)) {
        return;
    }
    const struct protocol_warning *items = warnings.items;
    for (uint32_t w = 0; w < warnings.count; w++) {
        base_log(BASE_LOG_INFO, "world %u \"%s\" at tick %llu: %.*s", world->id, document->name,
                 (unsigned long long)document->tick, (int)items[w].text.size, items[w].text.data);
    }
    world_notice_warned(world, warnings);
}

void world_convergence_deinit(struct world_time *time)
{
    struct world_convergence *convergence = time->convergence;
    if (convergence) {
        free(convergence->found);
        free(convergence->doubts);
        free(convergence->before);
        free(convergence->warnings);
        free(convergence->warned);
        free(convergence);
    }
}
