// Scenes that come with weft, found by name: in the folders of WEFT_SCENES, else where a build has them or where they
// were installed, from the folder of the program.
#include "protocol/scene/internal.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

enum { FOLDERS_MAX = 16, ENTRIES_MAX = 1024 };

static const char *const places[] = {"../scenes", WEFT_SCENES_INSTALLED};

// The path of the running program, or "".
static void find_program(char *path, size_t size)
{
#ifdef __APPLE__
    uint32_t room = (uint32_t)size;
    const bool known = _NSGetExecutablePath(path, &room) == 0;
    path[known ? strlen(path) : 0] = '\0';
#else
    const ssize_t got = readlink("/proc/self/exe", path, size - 1);
    path[got > 0 ? got : 0] = '\0';
#endif
}

// Calls one for each folder until it returns true; whether it did.
static bool each_folder(bool (*one)(void *context, const char *folder), void *context)
{
    char folder[SCENE_PATH_SIZE], program[SCENE_PATH_SIZE / 2];
    const char *listed = getenv("WEFT_SCENES");
    if (listed && listed[0] != '\0') {
        for (int i = 0; i < FOLDERS_MAX && *listed != '\0'; i++) {
            size_t size = strcspn(listed, ":");
            snprintf(folder, sizeof folder, "%.*s", size < sizeof folder ? (int)size : 0, listed);
            if (size > 0 && one(context, folder)) {
                return true;
            }
            listed += size + (listed[size] == ':');
        }
        return false;
    }
    find_program(program, sizeof program);
    char *slash = strrchr(program, '/');
    if (!slash) {
        return false;
    }
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(folder, sizeof folder, "%s/%s", program, places[i]);
        if (one(context, folder)) {
            return true;
        }
    }
    return false;
}

struct search {
    const char *name;
    char *path;
};

static bool look_in(void *context, const char *folder)
{
    struct search *search = context;
    snprintf(search->path, SCENE_PATH_SIZE, "%.3500s/%.500s.json", folder, search->name);
    return access(search->path, R_OK) == 0;
}

bool scene_gallery_find(const char *name, char path[SCENE_PATH_SIZE])
{
    struct search search = {.name = name, .path = path};
    path[0] = '\0';
    return name[0] != '\0' && !strchr(name, '/') && name[0] != '.' && each_folder(look_in, &search);
}

struct listing {
    char *names[ENTRIES_MAX];
    size_t count;
    bool found;
    void (*entry)(void *context, const char *name, const char *about, const char *path);
    void *context;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_one(const struct listing *listing, const char *folder, const char *name)
{
    char path[SCENE_PATH_SIZE], bare[SCENE_PATH_SIZE];
    json_error_t where;
    snprintf(path, sizeof path, "%.3500s/%.500s", folder, name);
    snprintf(bare, sizeof bare, "%.*s", (int)(strlen(name) - strlen(".json")), name);
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
    const char *about = json_string_value(json_object_get(root, "about"));
    listing->entry(listing->context, bare, about ? about : "", path);
    json_decref(root);
}

static bool list_in(void *context, const char *folder)
{
    struct listing *listing = context;
    DIR *opened = opendir(folder);
    const struct dirent *entry;
    if (!opened) {
        return false;
    }
    listing->found = true;
    listing->count = 0;
    while ((entry = readdir(opened)) && listing->count < ENTRIES_MAX) {
        if (scene_ends_with(entry->d_name, ".json") && entry->d_name[0] != '.' &&
            strcmp(entry->d_name, "scene.schema.json") != 0 &&
            (listing->names[listing->count] = strdup(entry->d_name))) {
            listing->count++;
        }
    }
    closedir(opened);
    qsort(listing->names, listing->count, sizeof *listing->names, by_name);
    for (size_t i = 0; i < listing->count; i++) {
        list_one(listing, folder, listing->names[i]);
        free(listing->names[i]);
    }
    // Folders of WEFT_SCENES add up; a build's scenes stand for those that are installed.
    const char *listed = getenv("WEFT_SCENES");
    return !listed || listed[0] == '\0';
}

bool scene_gallery_list(void (*entry)(void *context, const char *name, const char *about, const char *path),
                        void *context)
{
    struct listing listing = {.entry = entry, .context = context};
    each_folder(list_in, &listing);
    return listing.found;
}
