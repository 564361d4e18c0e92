// Signs in to brokers with a file of credentials.
//
// nats.c can do that by itself (natsOptions_SetUserCredentialsFromFiles). Before 3.8 it takes a signature
// whose first byte is 0 for an empty one and sends none, so that a broker refuses one connection of 256
// ("Authorization Violation"). Two such refusals in a row end a connection that reconnects for good. The
// signature follows from the broker's nonce, and each connection has another nonce. So the nonce is signed
// here, and a connection whose signature would be left out ends before it says anything. The next one has
// another nonce: the library makes it when it reconnects, and store_nats_connect_heard() when it connects for the
// first time.
#include "store/nats_credentials.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CREDENTIALS_MAX = 64 * 1024 }; // bytes of a file

struct credentials_text {
    char bytes[CREDENTIALS_MAX + 1];
    const char *jwt, *seed; // point into `bytes`
};

// Sets the error text, which the library logs and frees.
static natsStatus fail(char **error, const char *file, const char *why)
{
    char text[STORE_NATS_FILE_SIZE + 128];
    (void)snprintf(text, sizeof text, "%s: %s", file, why);
    *error = strdup(text);
    return NATS_ERR;
}

static void forget(struct credentials_text *text)
{
    explicit_bzero(text, sizeof *text);
    free(text);
}

// Whether a line is a border like "-----BEGIN NATS USER JWT-----": three dashes at its end, and three
// somewhere before.
static bool is_border(const char *line)
{
    const size_t size = strlen(line);
    const char *dashes = strstr(line, "---");
    return size >= 6 && strcmp(line + size - 3, "---") == 0 && dashes <= line + size - 6;
}

// Finds the sections. A section is one line between two borders. The first is the JWT, the second the seed.
static bool find_sections(struct credentials_text *text)
{
    const char **sections[] = {&text->jwt, &text->seed};
    size_t found = 0;
    char *rest = NULL;
    char *line = strtok_r(text->bytes, "\r\n", &rest);
    while (line && found < 2) {
        if (!is_border(line)) {
            line = strtok_r(NULL, "\r\n", &rest);
            continue;
        }
        const char *content = strtok_r(NULL, "\r\n", &rest);
        line = content ? strtok_r(NULL, "\r\n", &rest) : NULL;
        if (line && is_border(line)) {
            *sections[found++] = content;
            line = strtok_r(NULL, "\r\n", &rest);
        }
    }
    return found == 2;
}

static natsStatus read_text(struct credentials_text **out, char **error, const char *path)
{
    struct credentials_text *text = calloc(1, sizeof *text);
    if (!text) {
        return NATS_NO_MEMORY;
    }
    FILE *file = fopen(path, "rb");
    if (!file) {
        free(text);
        return fail(error, path, strerror(errno));
    }
    (void)setvbuf(file, NULL, _IONBF, 0); // leaves no copy of the seed behind
    const size_t size = fread(text->bytes, 1, sizeof text->bytes, file);
    const bool whole = !ferror(file) && size <= CREDENTIALS_MAX;
    (void)fclose(file);
    if (!whole || memchr(text->bytes, 0, size) || !find_sections(text)) {
        forget(text);
        return fail(error, path, "it has no JWT and seed of a user, as nsc writes them");
    }
    *out = text;
    return NATS_OK;
}

static natsStatus tell_jwt(char **jwt, char **error, void *context)
{
    const struct store_nats_credentials *credentials = context;
    struct credentials_text *text;
    natsStatus status = read_text(&text, error, credentials->file);
    if (status == NATS_OK) {
        *jwt = strdup(text->jwt);
        status = *jwt ? NATS_OK : NATS_NO_MEMORY;
        forget(text);
    }
    return status;
}

static natsStatus sign(char **error, unsigned char **signature, int *size, const char *nonce, void *context)
{
    struct store_nats_credentials *credentials = context;
    struct credentials_text *text;
    if (!nonce || !nonce[0]) {
        return NATS_OK; // the broker admits everybody
    }
    natsStatus status = read_text(&text, error, credentials->file);
    if (status != NATS_OK) {
        return status;
    }
    status = nats_Sign(text->seed, nonce, signature, size);
    forget(text);
    if (status != NATS_OK) {
        return fail(error, credentials->file, "its seed signs nothing");
    }
    if ((*signature)[0] == 0) {
        free(*signature);
        *signature = NULL;
        credentials->signature_lost = true;
        return fail(error, credentials->file, "the library cannot send the signature of this nonce");
    }
    return NATS_OK;
}

struct store_nats_credentials *store_nats_credentials_of(struct store_nats_credentials *out, const char *file)
{
    if (!file) {
        return NULL;
    }
    (void)snprintf(out->file, sizeof out->file, "%s", file);
    out->signature_lost = false;
    return out;
}

natsStatus store_nats_credentials_use(struct store_nats_credentials *credentials, natsOptions *options)
{
    return natsOptions_SetUserCredentialsCallbacks(options, tell_jwt, credentials, sign, credentials);
}
