#include "early.h"

#include "access/access.h"
#include "base/clock.h"
#include "options.h"
#include "protocol/generated/api.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------------------
// Signals and files

static const int early_signals[EARLY_SIGNALS] = {SIGINT, SIGTERM};

static void on_early_signal(int number)
{
    (void)number;
    _exit(EXIT_SUCCESS);
}

void early_begin(struct early *early)
{
    const struct sigaction action = {.sa_handler = on_early_signal};
    for (size_t i = 0; i < EARLY_SIGNALS; i++) {
        sigaction(early_signals[i], &action, &early->before[i]);
    }
}

void early_end(const struct early *early)
{
    for (size_t i = 0; i < EARLY_SIGNALS; i++) {
        sigaction(early_signals[i], &early->before[i], NULL);
    }
}

void early_raise_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

// ---------------------------------------------------------------------------------------------------------
// --token-new

int early_make_token(const struct options *options)
{
    char secret[ACCESS_SECRET_SIZE], error[ACCESS_ERROR_SIZE];
    if (options->data[0] != '\0' && mkdir(options->data, 0700) != 0 && errno != EEXIST) {
        fprintf(stderr, "weftd: --data %s: %s\n", options->data, strerror(errno));
        return EXIT_FAILURE;
    }
    if (!access_token_leave(options->access, options->token_new, PROTOCOL_ROLE_ADMIN,
                            base_wall_us() / 1000000, 0, secret, error)) {
        fprintf(stderr, "weftd: --token-new: %s\n", error);
        return EXIT_FAILURE;
    }
    printf("%s\n", secret);
    return EXIT_SUCCESS;
}

// ---------------------------------------------------------------------------------------------------------
// The studio's files

// From the folder of this program: of a build, and of an installation.
static const char *const studio_places[] = {"../studio", WEFT_STUDIO_INSTALLED};

static bool has_index(const char *folder)
{
    char index[OPTIONS_FOLDER_SIZE + 16];
    snprintf(index, sizeof index, "%s/index.html", folder);
    return access(index, R_OK) == 0;
}

void early_find_studio(struct options *options)
{
    char program[OPTIONS_FOLDER_SIZE / 2];
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    char *name = NULL;
    if (size > 0) {
        program[size] = '\0';
        name = strrchr(program, '/');
    }
    if (!name || options->studio[0] != '\0') {
        return;
    }
    *name = '\0';
    for (size_t i = 0; i < sizeof studio_places / sizeof studio_places[0]; i++) {
        snprintf(options->studio, sizeof options->studio, "%s/%s", program, studio_places[i]);
        if (has_index(options->studio)) {
            return;
        }
    }
    options->studio[0] = '\0';
}
