// Runs a fuzz target on every file of the directories named: what libFuzzer does with -runs=0, for builds
// without it. Fails if there is no file at all.
#include "fuzz.h"

#include <dirent.h>
#include <string.h>

static int replay_file(const char *path)
{
    int status = -1;
    uint8_t *data = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        goto cleanup;
    }
    long size = ftell(file);
    if (size < 0 || fseek(file, 0, SEEK_SET) != 0) {
        goto cleanup;
    }
    // Exactly as large as the input, so that a sanitizer sees who reads past its end.
    data = malloc(size > 0 ? (size_t)size : 1);
    if (data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size) {
        goto cleanup;
    }
    LLVMFuzzerTestOneInput(data, (size_t)size);
    status = 0;
cleanup:
    free(data);
    if (file != NULL) {
        fclose(file);
    }
    return status;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++) {
        DIR *directory = opendir(argv[i]);
        if (directory == NULL) {
            fprintf(stderr, "cannot read %s\n", argv[i]);
            return 1;
        }
        for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
            char path[4096];
            if (entry->d_name[0] == '.') {
                continue;
            }
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            if (replay_file(path) != 0) {
                fprintf(stderr, "cannot read %s\n", path);
                closedir(directory);
                return 1;
            }
            count++;
        }
        closedir(directory);
    }
    printf("%d inputs\n", count);
    return count > 0 ? 0 : 1;
}
