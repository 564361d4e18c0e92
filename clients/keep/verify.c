// weft verify: reads a whole folder and names all damage.
#include "keep/keep.h"

#include "past/past.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct looking {
    const struct keep_options *options;
    struct keep_damages *damages;
    uint32_t list; // the list whose past is being read
    struct record_meter *meter;
};

// A place that the store's checksums named already is not named again for its consequences.
static bool is_known(const struct keep_damages *damages, uint32_t list, uint64_t position)
{
    for (uint64_t d = 0; d < damages->count && d < KEEP_DAMAGES_MAX; d++) {
        if (damages->items[d].list == list && damages->items[d].position == position) {
            return true;
        }
    }
    return false;
}

static void add(struct looking *looking, uint32_t list, uint64_t position, const char *text)
{
    struct keep_damages *damages = looking->damages;
    if (list != 0 && is_known(damages, list, position)) {
        return;
    }
    if (damages->count < KEEP_DAMAGES_MAX) {
        struct keep_damage *damage = &damages->items[damages->count];
        *damage = (struct keep_damage){.list = list, .position = position};
        snprintf(damage->text, sizeof damage->text, "%s", text);
        if (!looking->options->json) {
            if (looking->meter) {
                record_meter_clear(looking->meter);
            }
            if (list == 0) {
                printf("damaged: %s\n", text);
            } else {
                printf("damaged: world %" PRIu32 ", position %" PRIu64 ": %s\n", list, position, text);
            }
        }
    }
    damages->count++;
}

static void on_store_damage(void *context, const struct store_error *damage)
{
    add(context, damage->list, damage->position, damage->fault.text);
}

static void on_past_damage(void *context, uint64_t position, uint64_t tick, const char *text)
{
    struct looking *looking = context;
    char with_tick[320];
    snprintf(with_tick, sizeof with_tick, "tick %" PRIu64 ": %.280s", tick, text);
    add(looking, looking->list, position, with_tick);
}

static bool go_on(void *context, uint64_t position, uint64_t last)
{
    struct looking *looking = context;
    if (looking->meter) {
        looking->meter->total = last;
        record_meter_show(looking->meter, position);
    }
    return !keep_stopped();
}

static bool look_at_past(struct looking *looking, struct store_reader *reader, const struct store_list *list,
                         char *text)
{
    struct protocol_error error = {0};
    const struct past_progress progress = {.go_on = go_on, .context = looking};
    struct past *past = past_open(reader, list->list, &error);
    struct record_meter meter;
    char remark[PAST_REMARK_SIZE] = "";
    looking->list = list->list;
    if (!looking->options->quiet) {
        record_meter_begin(&meter, "reading", "entries", 0, list->last);
        looking->meter = &meter;
    }
    bool done = past && past_verify(past, &progress, on_past_damage, looking, remark, &error);
    if (looking->meter) {
        record_meter_clear(&meter);
        looking->meter = NULL;
    }
    if (remark[0] != '\0' && !looking->options->json) {
        printf("world %" PRIu32 ": %s\n", list->list, remark);
    }
    // The store has already named a list that it cannot read further.
    if (!done && error.code == PROTOCOL_CODE_INTERNAL && !keep_stopped()) {
        add(looking, list->list, list->last, error.text);
        done = true;
    }
    if (!done) {
        snprintf(text, KEEP_TEXT_SIZE, "%s", error.text);
    }
    past_close(past);
    return done;
}

bool keep_look(const struct keep_options *options, struct keep_source *source, struct keep_damages *damages,
               char text[KEEP_TEXT_SIZE])
{
    struct looking looking = {.options = options, .damages = damages};
    struct store_error error = {0};
    struct store_list *lists = NULL;
    uint32_t count = 0;
    *damages = (struct keep_damages){.items = calloc(KEEP_DAMAGES_MAX, sizeof *damages->items)};
    bool done = damages->items != NULL;
    snprintf(text, KEEP_TEXT_SIZE, "there is not enough memory");
    if (done && (!store_verify(source->reader, on_store_damage, &looking, &error) ||
                 store_lists(source->reader, &lists, &count, &error) != FAULT_NONE)) {
        snprintf(text, KEEP_TEXT_SIZE, "%s", error.fault.text);
        done = false;
    }
    for (uint32_t l = 0; done && l < count; l++) {
        done = look_at_past(&looking, source->reader, &lists[l], text);
    }
    free(lists);
    return done;
}

// ---------------------------------------------------------------------------------------------------------

static uint64_t damages_of(const struct keep_damages *damages, uint32_t list)
{
    uint64_t count = 0;
    for (uint64_t d = 0; d < damages->count && d < KEEP_DAMAGES_MAX; d++) {
        count += damages->items[d].list == list;
    }
    return count;
}

static void tell_text(const struct store_list *lists, uint32_t count, const struct keep_damages *damages)
{
    for (uint32_t l = 0; l < count; l++) {
        const struct store_list *list = &lists[l];
        const uint64_t wrong = damages_of(damages, list->list);
        printf("world %" PRIu32 " \"%s\"%s: ticks %" PRIu64 " to %" PRIu64 ", %" PRIu64 " entries, %" PRIu64
               " images, %" PRIu64 " bytes: ",
               list->list, list->label, list->binned ? " (in the bin)" : "", list->first_tick,
               list->last_tick, list->last - list->first, list->images, list->bytes);
        if (wrong > 0) {
            printf("%" PRIu64 " damaged\n", wrong);
        } else {
            printf("whole\n");
        }
    }
}

static json_t *damages_json(const struct keep_damages *damages, uint32_t list)
{
    json_t *array = json_array();
    for (uint64_t d = 0; d < damages->count && d < KEEP_DAMAGES_MAX; d++) {
        const struct keep_damage *damage = &damages->items[d];
        if (damage->list == list) {
            json_array_append_new(array, json_pack("{s:I, s:s%}", "position", (json_int_t)damage->position,
                                                   "text", damage->text, strlen(damage->text)));
        }
    }
    return array;
}

static void tell_json(const struct store_list *lists, uint32_t count, const struct keep_damages *damages)
{
    json_t *worlds = json_array();
    for (uint32_t l = 0; l < count; l++) {
        const struct store_list *list = &lists[l];
        json_array_append_new(worlds, json_pack("{s:I, s:s, s:b, s:I, s:I, s:I, s:I, s:I, s:o}", "world",
                                                (json_int_t)list->list, "name", list->label, "binned",
                                                list->binned, "first_tick", (json_int_t)list->first_tick,
                                                "last_tick", (json_int_t)list->last_tick, "entries",
                                                (json_int_t)(list->last - list->first), "images",
                                                (json_int_t)list->images, "bytes", (json_int_t)list->bytes,
                                                "damaged", damages_json(damages, list->list)));
    }
    json_t *all = json_pack("{s:o, s:o}", "worlds", worlds, "damaged", damages_json(damages, 0));
    json_dumpf(all, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(all);
}

enum keep_status keep_verify(const struct keep_options *options, const char *path)
{
    struct keep_source source;
    struct keep_damages damages = {0};
    struct store_error error = {0};
    struct store_list *lists = NULL;
    uint32_t count = 0;
    char text[KEEP_TEXT_SIZE];
    if (!keep_source_open(path, &source, text)) {
        return keep_say(KEEP_USAGE, "FILE", "%s", text);
    }
    if (!source.all) {
        keep_source_close(&source);
        return keep_say(KEEP_USAGE, "USAGE", "%s is a world; verify takes a whole folder", path);
    }
    enum keep_status status = KEEP_OK;
    if (!keep_look(options, &source, &damages, text) ||
        store_lists(source.reader, &lists, &count, &error) != FAULT_NONE) {
        status = keep_stopped()
                     ? keep_say(KEEP_STOPPED, "STOPPED", "not all was read")
                     : keep_say(KEEP_FAILED, "DAMAGED", "%s", error.fault.text[0] ? error.fault.text : text);
    } else {
        (options->json ? tell_json : tell_text)(lists, count, &damages);
        if (damages.count > 0) {
            status = keep_say(KEEP_FAILED, "DAMAGED", "%" PRIu64 " %s not what was written", damages.count,
                              damages.count == 1 ? "place is" : "places are");
        }
    }
    free(lists);
    free(damages.items);
    keep_source_close(&source);
    return status;
}
