// weft batch: applies many edits from a file as one.
#include "cli.h"

#include "protocol/array/reserve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_BYTES_MAX = 64 << 20 }; // size of the largest message

static const char head[] = "{\"edits\":";

// Reads the file as the value of a field, malloc'd; NULL after printing the reason.
static char *read_edits(FILE *file, const char *name, size_t *size)
{
    size_t capacity = 1 << 16, used = sizeof head - 1;
    char *text = malloc(capacity);
    if (text) {
        memcpy(text, head, used);
    }
    while (text) {
        const size_t got = fread(text + used, 1, capacity - used - 1, file);
        used += got;
        if (got == 0) {
            break;
        }
        if (used + 1 == capacity) {
            if (capacity >= BATCH_BYTES_MAX || !array_reserve(&text, &capacity, capacity + 1)) {
                free(text);
                text = NULL;
                break;
            }
        }
    }
    if (!text || ferror(file)) {
        fprintf(stderr, "weft: FILE: %s: %s\n", name, text ? strerror(errno) : "too large for one batch");
        free(text);
        return NULL;
    }
    text[used++] = '}';
    *size = used;
    return text;
}

static int send_batch(struct cli *cli, const char *world, const char *name, const char *text, size_t size)
{
    struct weft_params params;
    struct weft_reply reply = {0};
    char why[256];
    int status = CLI_USAGE;
    weft_params_init(&params);
    weft_params_ref(&params, "world", world);
    if (cli_json_params(text, size, &params, why, sizeof why)) {
        status = cli_call(cli, "edit.batch", &params, &reply);
    } else {
        cli_usage("%s: %s", name, why);
    }
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        printf("%u edits at tick %llu, revision %llu\n",
               (unsigned)weft_count(weft_get(&reply.result, "results")), cli_field_u64(&reply.result, "tick"),
               cli_field_u64(&reply.result, "revision"));
    }
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

int cli_batch(struct cli *cli, int argc, char **argv)
{
    if (!cli_plain(&argc, &argv, 2, 2, "batch WORLD FILE")) {
        return CLI_USAGE;
    }
    const bool is_input = strcmp(argv[1], "-") == 0;
    FILE *file = is_input ? stdin : fopen(argv[1], "rb");
    if (!file) {
        fprintf(stderr, "weft: FILE: %s cannot be read: %s\n", argv[1], strerror(errno));
        return CLI_REFUSED;
    }
    size_t size = 0;
    char *text = read_edits(file, argv[1], &size);
    if (!is_input) {
        fclose(file);
    }
    if (!text) {
        return CLI_REFUSED;
    }
    const int status = send_batch(cli, argv[0], argv[1], text, size);
    free(text);
    return status;
}
