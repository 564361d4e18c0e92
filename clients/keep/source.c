#include "keep/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool open_folder(const char *path, struct keep_source *source, enum fault_code *status, char *text)
{
    struct store_error error = {0};
    const struct store_options options = {.folder = path,
                                          .read_only = true,
                                          .keep_seconds = UINT64_MAX,
                                          .keep_bytes = UINT64_MAX,
                                          .bin_seconds = UINT64_MAX};
    source->store = store_open(&options, &error);
    source->reader = source->store ? store_reader_open(source->store, &error) : NULL;
    *status = source->reader ? FAULT_NONE : error.fault.code;
    if (!source->reader) {
        store_close(source->store);
        source->store = NULL;
        snprintf(text, KEEP_TEXT_SIZE, "%s", error.fault.text);
    }
    return source->reader != NULL;
}

void keep_source_close(struct keep_source *source)
{
    store_reader_close(source->reader);
    store_close(source->store);
    *source = (struct keep_source){0};
}

struct losing {
    uint32_t list; // 0: all
    uint64_t count;
    void (*on_lost)(void *context, const char *text);
    void *context;
};

static void on_damage(void *context, const struct store_error *damage)
{
    struct losing *losing = context;
    if (losing->list != 0 && damage->list != 0 && damage->list != losing->list) {
        return;
    }
    losing->count++;
    if (losing->on_lost) {
        losing->on_lost(losing->context, damage->fault.text);
    }
}

uint64_t keep_source_lost(struct keep_source *source, void (*on_lost)(void *context, const char *text),
                          void *context)
{
    struct losing losing = {
        .list = source->all ? 0 : source->list.list, .on_lost = on_lost, .context = context};
    struct store_error error = {0};
    if (!store_verify_end(source->reader, on_damage, &losing, &error)) {
        on_damage(&losing, &error); // there is no way to report it
    }
    return losing.count;
}

static bool number(const char *text, uint64_t most, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *out <= most;
}

// Finds a world by name, or else by id. Deleted worlds come last.
static bool find_world(struct keep_source *source, const char *word, char *text)
{
    struct store_error error = {0};
    struct store_list *lists = NULL;
    uint32_t count = 0;
    uint64_t id;
    const struct store_list *found = NULL;
    if (store_lists(source->reader, &lists, &count, &error) != FAULT_NONE) {
        snprintf(text, KEEP_TEXT_SIZE, "%s", error.fault.text);
        return false;
    }
    for (uint32_t l = 0; l < count; l++) {
        if (strcmp(lists[l].label, word) == 0 && (!found || (found->binned && !lists[l].binned))) {
            found = &lists[l];
        }
    }
    for (uint32_t l = 0; !found && number(word, UINT32_MAX, &id) && l < count; l++) {
        found = lists[l].list == id ? &lists[l] : found;
    }
    if (found) {
        source->list = *found;
    } else {
        snprintf(text, KEEP_TEXT_SIZE, "there is no world \"%.200s\" in it, which has %u", word, count);
    }
    free(lists);
    return found != NULL;
}

// Parses WORLD or WORLD@TICK; a name may contain an @.
static bool take_world(struct keep_source *source, char *word, char *text)
{
    char *at = strrchr(word, '@');
    uint64_t tick;
    if (find_world(source, word, text)) {
        return true;
    }
    if (!at) {
        return false;
    }
    if (!number(at + 1, UINT64_MAX, &tick)) {
        snprintf(text, KEEP_TEXT_SIZE, "\"%.200s\": after @ comes a tick, an integer", word);
        return false;
    }
    *at = '\0';
    source->ticked = true;
    source->tick = tick;
    return find_world(source, word, text);
}

// The folder is the longest leading part of the path, up to a slash, that is a folder.
bool keep_source_open(const char *path, struct keep_source *source, char text[KEEP_TEXT_SIZE])
{
    enum fault_code status, first_status;
    char first_text[KEEP_TEXT_SIZE];
    *source = (struct keep_source){0};
    if (open_folder(path, source, &first_status, first_text)) {
        source->all = true;
        return true;
    }
    char *copy = strdup(path);
    char *slash = copy ? copy + strlen(copy) : NULL;
    bool done = false, opened = false;
    while (slash && !opened) {
        *slash = '\0';
        slash = strrchr(copy, '/');
        if (!slash || slash[1] == '\0') {
            continue; // an empty part
        }
        *slash = '\0';
        opened = open_folder(slash == copy ? "/" : copy, source, &status, text);
        *slash = '/';
        if (opened) {
            char *word = strdup(path + (slash + 1 - copy));
            done = word && take_world(source, word, text);
            free(word);
        }
    }
    free(copy);
    if (!opened) {
        snprintf(text, KEEP_TEXT_SIZE, "%s", first_text);
    }
    if (!done) {
        keep_source_close(source);
    }
    return done;
}
