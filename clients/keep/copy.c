// weft backup and weft restore: copy one folder of worlds to another.
//
//     DIR ──▶ TO.part ──all is there, and durable──▶ TO
//
// An interrupted copy leaves no TO, and removes TO.part if it can.
#include "keep/keep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct copying {
    char to[4096], part[4096 + 8];
    struct record_meter *meter; // NULL: quiet
};

// Removes the files of a folder that this program made, and the folder.
static void remove_part(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *item;
    while (folder && (item = readdir(folder))) {
        if (strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0) {
            (void)unlinkat(dirfd(folder), item->d_name, 0);
        }
    }
    if (folder) {
        closedir(folder);
    }
    (void)rmdir(path);
}

static bool is_empty_or_missing(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *item;
    bool empty = folder || errno == ENOENT;
    while (folder && empty && (item = readdir(folder))) {
        empty = strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0;
    }
    if (folder) {
        closedir(folder);
    }
    return empty;
}

// The store cannot interrupt the copy, but the program can end: the source is only read.
static void on_progress(void *context, uint64_t done, uint64_t of)
{
    struct copying *copying = context;
    if (copying->meter) {
        copying->meter->total = of;
        record_meter_show(copying->meter, done);
    }
    if (keep_stopped()) {
        if (copying->meter) {
            record_meter_clear(copying->meter);
        }
        remove_part(copying->part);
        keep_say(KEEP_STOPPED, "STOPPED", "nothing was copied");
        _exit(KEEP_STOPPED);
    }
}

static bool sync_folder(const char *path)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool done = folder >= 0 && fsync(folder) == 0;
    if (folder >= 0) {
        close(folder);
    }
    return done;
}

static bool put_in_place(const struct copying *copying)
{
    char above[4096];
    char *slash;
    if (rename(copying->part, copying->to) != 0) {
        return false;
    }
    snprintf(above, sizeof above, "%s", copying->to);
    slash = strrchr(above, '/');
    if (slash) {
        slash[slash == above ? 1 : 0] = '\0';
    }
    return sync_folder(slash ? above : ".");
}

static bool take_names(struct copying *copying, const char *to)
{
    size_t size = strlen(to);
    while (size > 1 && to[size - 1] == '/') {
        size--;
    }
    if (size >= sizeof copying->to) {
        return false;
    }
    memcpy(copying->to, to, size);
    copying->to[size] = '\0';
    snprintf(copying->part, sizeof copying->part, "%s.part", copying->to);
    return true;
}

static enum keep_status copy(const struct keep_options *options, struct keep_source *source,
                             struct copying *copying)
{
    struct store_error error = {0};
    struct record_meter meter;
    if (mkdir(copying->part, 0700) != 0) {
        return errno == EEXIST
                   ? keep_say(KEEP_FAILED, "FILE",
                              "%s is there already: a copy under way, or one that was cut off; "
                              "remove it if nobody copies",
                              copying->part)
                   : keep_say(KEEP_FAILED, "FILE", "cannot make %s: %s", copying->part, strerror(errno));
    }
    if (!options->quiet) {
        record_meter_begin(&meter, "copying", "pages", 0, 0);
        copying->meter = &meter;
    }
    const enum fault_code status = store_backup(source->reader, copying->part, on_progress, copying, &error);
    if (copying->meter) {
        record_meter_clear(&meter);
        copying->meter = NULL;
    }
    if (status != FAULT_NONE) {
        remove_part(copying->part);
        return keep_say(KEEP_FAILED, status == FAULT_DAMAGED ? "DAMAGED" : "FILE", "%s", error.fault.text);
    }
    if (!put_in_place(copying)) {
        const int number = errno;
        remove_part(copying->part);
        return keep_say(KEEP_FAILED, "FILE", "cannot rename the copy to %s: %s", copying->to,
                        strerror(number));
    }
    return KEEP_OK;
}

static enum keep_status begin(const char *from, const char *to, const char *command,
                              struct keep_source *source, struct copying *copying)
{
    char text[KEEP_TEXT_SIZE];
    if (!take_names(copying, to)) {
        return keep_say(KEEP_USAGE, "USAGE", "the name of the folder is too long");
    }
    if (!keep_source_open(from, source, text)) {
        return keep_say(KEEP_USAGE, "FILE", "%s", text);
    }
    enum keep_status status = KEEP_OK;
    if (!source->all) {
        status = keep_say(KEEP_USAGE, "USAGE", "%s is a world; %s takes a whole folder", from, command);
    } else if (!is_empty_or_missing(to)) {
        status = keep_say(KEEP_USAGE, "FILE",
                          "%s is there, and is not an empty folder: what is in it is not written over", to);
    }
    if (status != KEEP_OK) {
        keep_source_close(source);
    }
    return status;
}

static enum keep_status tell(const struct keep_options *options, struct store_reader *reader,
                             const struct copying *copying, uint64_t lost)
{
    struct store_error error = {0};
    struct store_list *lists = NULL;
    uint32_t count = 0;
    if (store_lists(reader, &lists, &count, &error) != FAULT_NONE) {
        return keep_say(KEEP_FAILED, "DAMAGED", "%s", error.fault.text);
    }
    if (options->json && lost > 0) {
        printf("{\"worlds\":%" PRIu32 ",\"lost\":%" PRIu64 "}\n", count, lost);
    } else if (options->json) {
        printf("{\"worlds\":%" PRIu32 "}\n", count);
    } else {
        printf("%" PRIu32 " world%s in %s\n", count, count == 1 ? "" : "s", copying->to);
    }
    free(lists);
    return keep_salvaged(lost);
}

enum keep_status keep_backup(const struct keep_options *options, const char *folder, const char *to)
{
    struct keep_source source;
    struct copying copying = {0};
    enum keep_status status = begin(folder, to, "backup", &source, &copying);
    if (status != KEEP_OK) {
        return status;
    }
    uint64_t lost = 0;
    status = keep_lost(options, &source, "backup", &lost);
    status = status == KEEP_OK ? copy(options, &source, &copying) : status;
    keep_source_close(&source);
    char text[KEEP_TEXT_SIZE];
    if (status == KEEP_OK && !keep_source_open(copying.to, &source, text)) {
        return keep_say(KEEP_FAILED, "FILE", "the copy cannot be read: %s", text);
    }
    if (status == KEEP_OK) { // of the copy, which may have less than the source has by now
        status = tell(options, source.reader, &copying, lost);
        keep_source_close(&source);
    }
    return status;
}

enum keep_status keep_restore(const struct keep_options *options, const char *backup, const char *folder)
{
    struct keep_source source;
    struct copying copying = {0};
    struct keep_damages damages = {0};
    char text[KEEP_TEXT_SIZE];
    enum keep_status status = begin(backup, folder, "restore", &source, &copying);
    if (status != KEEP_OK) {
        return status;
    }
    if (!keep_look(options, &source, &damages, text)) {
        status = keep_stopped() ? keep_say(KEEP_STOPPED, "STOPPED", "nothing was restored")
                                : keep_say(KEEP_FAILED, "DAMAGED", "%s", text);
    } else if (damages.count > 0) {
        status = keep_say(KEEP_FAILED, "DAMAGED",
                          "%" PRIu64 " %s of %s not what was written: nothing was restored", damages.count,
                          damages.count == 1 ? "place" : "places", backup);
    }
    free(damages.items);
    status = status == KEEP_OK ? copy(options, &source, &copying) : status;
    status = status == KEEP_OK ? tell(options, source.reader, &copying, 0) : status;
    keep_source_close(&source);
    return status;
}
