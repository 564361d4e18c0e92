#include "helper_access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64], path[512];

int folder_make(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/weft-access-XXXXXX");
    return mkdtemp(folder) == NULL;
}

const char *path_of(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

int folder_remove(void **state)
{
    (void)state;
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (entry->d_name[0] != '.') {
            unlink(path_of(entry->d_name));
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return rmdir(folder);
}

struct access *open_book(const char *name)
{
    char error[ACCESS_ERROR_SIZE];
    struct access *access = access_open(path_of(name), true, error);
    if (access == NULL) {
        print_message("%s\n", error);
    }
    assert_non_null(access);
    return access;
}

char *read_text(const char *name)
{
    FILE *file = fopen(path_of(name), "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0 || feof(file));
    fclose(file);
    return text;
}

void write_text(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}
