// The book on the disk: lines of words, the name last. A name has no control characters, so a tab ends it.
//
//     weft-access 1
//     last ID
//     token ID ROLE CREATED EXPIRES KEY HASH NAME
//     invite ID WORLD ROLE USES EXPIRES KEY HASH NAME
//     grant WORLD ROLE MADE NAME[<tab>BY]
//     control WORLD ROLE
//     end
//
// It is written as a whole beside the old one, and takes its place when the disk has it: so it is one or the other,
// and never half of one. FILE.new has lines `token 0 …`, each appended by one write under a lock.
#include "access/book_internal.h"
#include "access/secret.h"

#include "protocol/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 512, NEW_BYTES_MAX = 1 << 20 };

static const char *const roles[] = {"anyone", "viewer", "editor", "owner", "admin"};

static bool wrong(char error[ACCESS_ERROR_SIZE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Always false.
static bool wrong(char error[ACCESS_ERROR_SIZE], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, ACCESS_ERROR_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Life

static void file_unref(struct access_file *file)
{
    if (!file || atomic_fetch_sub(&file->refs, 1) != 1) {
        return;
    }
    base_mutex_deinit(&file->mutex);
    free(file);
}

static void rows_free(struct access *access)
{
    free(access->tokens);
    free(access->invites);
    free(access->grants);
    free(access->controls);
}

struct access *access_open(const char *file, bool worlds_last, char error[ACCESS_ERROR_SIZE])
{
    struct access *access = calloc(1, sizeof *access);
    struct access_file *kept = calloc(1, sizeof *kept);
    error[0] = '\0';
    if (!access || !kept || !access_secret_start() || !access_likeness_start(error)) {
        if (error[0] == '\0') {
            wrong(error, "no memory, or no randomness");
        }
        free(access);
        free(kept);
        return NULL;
    }
    base_mutex_init(&kept->mutex);
    atomic_init(&kept->refs, 1);
    access->file = kept;
    const int size = snprintf(kept->path, sizeof kept->path, "%s", file);
    if (size < 0 || (size_t)size + 8 > sizeof kept->path) {
        wrong(error, "%.100s...: the name is too long", file);
    } else if (access_file_read(access, worlds_last, error)) {
        access_adopt(access);
        return access;
    }
    access_close(access);
    return NULL;
}

void access_close(struct access *access)
{
    if (!access) {
        return;
    }
    access_usages_destroy(access);
    file_unref(access->file);
    rows_free(access);
    free(access);
}

// ---------------------------------------------------------------------------------------------------------
// Reading

// Words of a line, and what is left of it, which is a name.
struct line {
    char *at;
    bool bad;
};

static const char *word(struct line *line)
{
    char *first = line->at, *end = strchr(first, ' ');
    if (end) {
        *end = '\0';
    }
    line->at = end ? end + 1 : first + strlen(first);
    line->bad = line->bad || *first == '\0';
    return first;
}

static uint64_t number(struct line *line, uint64_t most)
{
    const char *text = word(line);
    char *end = NULL;
    errno = 0;
    const uint64_t value = strtoull(text, &end, 10);
    line->bad = line->bad || errno != 0 || *end != '\0' || text[0] < '0' || text[0] > '9' || value > most;
    return value;
}

static enum protocol_role role(struct line *line)
{
    const char *text = word(line);
    for (int i = 0; i <= PROTOCOL_ROLE_ADMIN; i++) {
        if (strcmp(roles[i], text) == 0) {
            return (enum protocol_role)i;
        }
    }
    line->bad = true;
    return PROTOCOL_ROLE_ANYONE;
}

static void hash(struct line *line, uint8_t out[32])
{
    line->bad = !access_hash_parse(word(line), out) || line->bad;
}

static void name(struct line *line, char out[ACCESS_NAME_SIZE])
{
    const size_t size = strcspn(line->at, "\t");
    line->bad = line->bad || size == 0 || size >= ACCESS_NAME_SIZE;
    snprintf(out, ACCESS_NAME_SIZE, "%.*s", (int)size, line->at);
    line->at += size;
}

// A second name, behind a tab. A book that was written before there were such ones has none.
static void by(struct line *line, char out[ACCESS_NAME_SIZE])
{
    out[0] = '\0';
    if (*line->at != '\t') {
        return;
    }
    line->at++;
    name(line, out);
}

static bool token_read(struct line *line, struct access_token *token)
{
    *token = (struct access_token){0};
    token->id = (uint32_t)number(line, UINT32_MAX);
    token->role = role(line);
    token->created_s = number(line, UINT64_MAX);
    token->expires_s = number(line, UINT64_MAX);
    token->key = number(line, UINT64_MAX);
    hash(line, token->hash);
    name(line, token->name);
    return !line->bad;
}

static bool row_read(struct access *access, struct line *line, bool worlds_last)
{
    enum access_outcome outcome = ACCESS_DONE;
    const char *kind = word(line);
    if (strcmp(kind, "last") == 0) {
        access->last_id = (uint32_t)number(line, UINT32_MAX);
    } else if (strcmp(kind, "token") == 0) {
        struct access_token token;
        if (token_read(line, &token)) {
            outcome = access_token_put(access, &token);
        }
    } else if (strcmp(kind, "invite") == 0) {
        struct access_invite invite = {.id = (uint32_t)number(line, UINT32_MAX)};
        invite.world = (uint32_t)number(line, UINT32_MAX);
        invite.role = role(line);
        invite.uses = (uint32_t)number(line, UINT32_MAX);
        invite.expires_s = number(line, UINT64_MAX);
        invite.key = number(line, UINT64_MAX);
        hash(line, invite.hash);
        name(line, invite.name);
        if (!line->bad && worlds_last) {
            outcome = access_invite_put(access, &invite);
        }
    } else if (strcmp(kind, "grant") == 0) {
        char who[ACCESS_NAME_SIZE], giver[ACCESS_NAME_SIZE];
        struct access_grant_put put = {.name = who, .by = giver};
        put.world = (uint32_t)number(line, UINT32_MAX);
        put.role = role(line);
        put.made = number(line, 1) == 1;
        name(line, who);
        by(line, giver);
        if (!line->bad && worlds_last) {
            outcome = access_grant_put(access, &put);
        }
    } else if (strcmp(kind, "control") == 0) {
        const uint32_t world = (uint32_t)number(line, UINT32_MAX);
        const enum protocol_role given = role(line);
        if (!line->bad && worlds_last) {
            outcome = access_control_set(access, world, given);
        }
    } else {
        line->bad = true;
    }
    return !line->bad && *line->at == '\0' && outcome == ACCESS_DONE;
}

bool access_file_read(struct access *access, bool worlds_last, char error[ACCESS_ERROR_SIZE])
{
    const char *path = access->file->path;
    FILE *stream = fopen(path, "re");
    char text[LINE_MAX_BYTES];
    unsigned at = 0;
    bool ended = false, good = true;
    if (!stream) {
        return errno == ENOENT || wrong(error, "%s: it cannot be read: %s", path, strerror(errno));
    }
    while (good && !ended && fgets(text, sizeof text, stream)) {
        at++;
        const size_t size = strlen(text);
        good = size > 0 && text[size - 1] == '\n';
        text[size - good] = '\0';
        struct line line = {.at = text};
        if (good && at == 1) {
            good = strcmp(text, "weft-access 1") == 0;
        } else if (good && strcmp(text, "end") == 0) {
            ended = true;
        } else if (good) {
            good = row_read(access, &line, worlds_last);
        }
    }
    fclose(stream);
    return (good && ended) ||
           wrong(error,
                 "%s:%u: it is damaged, or not of this version: put it back from a copy, or move it away and "
                 "begin again with weftd --token-new",
                 path, at);
}

// ---------------------------------------------------------------------------------------------------------
// Writing

struct access_image {
    struct access_file *file;
    uint64_t number;
    struct protocol_bytes bytes;
};

static void add(struct protocol_bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct protocol_bytes *bytes, const char *format, ...)
{
    char text[LINE_MAX_BYTES];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (size < 0 || (size_t)size >= sizeof text || protocol_bytes_write(bytes, text, (size_t)size) != 0) {
        bytes->failed = true;
    }
}

static void token_add(struct protocol_bytes *bytes, const struct access_token *token)
{
    char hex[65];
    access_hash_print(token->hash, hex);
    add(bytes, "token %" PRIu32 " %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %s\n", token->id,
        roles[token->role], token->created_s, token->expires_s, token->key, hex, token->name);
}

struct access_image *access_image(struct access *access)
{
    struct access_image *image = calloc(1, sizeof *image);
    char hex[65];
    if (!image) {
        return NULL;
    }
    struct protocol_bytes *bytes = &image->bytes;
    add(bytes, "weft-access 1\nlast %" PRIu32 "\n", access->last_id);
    for (uint32_t i = 0; i < access->token_count; i++) {
        token_add(bytes, &access->tokens[i]);
    }
    for (uint32_t i = 0; i < access->invite_count; i++) {
        const struct access_invite *invite = &access->invites[i];
        access_hash_print(invite->hash, hex);
        add(bytes, "invite %" PRIu32 " %" PRIu32 " %s %" PRIu32 " %" PRIu64 " %" PRIu64 " %s %s\n",
            invite->id, invite->world, roles[invite->role], invite->uses, invite->expires_s, invite->key, hex,
            invite->name);
    }
    for (uint32_t i = 0; i < access->grant_count; i++) {
        const struct access_grant *grant = &access->grants[i];
        add(bytes, "grant %" PRIu32 " %s %d %s%s%s\n", grant->world, roles[grant->role], grant->made,
            grant->name, grant->by[0] != '\0' ? "\t" : "", grant->by);
    }
    for (uint32_t i = 0; i < access->control_count; i++) {
        add(bytes, "control %" PRIu32 " %s\n", access->controls[i].world, roles[access->controls[i].role]);
    }
    add(bytes, "end\n");
    if (bytes->failed) {
        protocol_bytes_deinit(bytes);
        free(image);
        return NULL;
    }
    image->number = ++access->images;
    image->file = access->file;
    atomic_fetch_add(&image->file->refs, 1);
    return image;
}

static bool write_all(int fd, const void *data, size_t size)
{
    const uint8_t *at = data;
    while (size > 0) {
        const ssize_t wrote = write(fd, at, size);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            return false;
        }
        at += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

// The name of a file is the folder's to keep.
static bool folder_sync(const char *path)
{
    char folder[ACCESS_PATH_SIZE];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (!slash) {
        snprintf(folder, sizeof folder, ".");
    } else {
        slash[slash == folder] = '\0';
    }
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool done = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0) {
        close(fd);
    }
    return done;
}

static bool replace(const char *path, const struct protocol_bytes *bytes)
{
    char beside[ACCESS_PATH_SIZE + 8];
    snprintf(beside, sizeof beside, "%s.part", path);
    const int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return false;
    }
    bool done = write_all(fd, bytes->data, bytes->size) && fsync(fd) == 0;
    const int error = errno;
    close(fd);
    errno = error;
    return done && rename(beside, path) == 0 && folder_sync(path);
}

bool access_image_write(struct access_image *image, char error[ACCESS_ERROR_SIZE])
{
    struct access_file *file = image->file;
    bool done = true;
    base_mutex_lock(&file->mutex);
    if (image->number > file->written) {
        done = replace(file->path, &image->bytes) ||
               wrong(error, "%.300s: it cannot be written: %s", file->path, strerror(errno));
        if (done) {
            file->written = image->number;
        }
    }
    base_mutex_unlock(&file->mutex);
    protocol_bytes_deinit(&image->bytes);
    file_unref(file);
    free(image);
    return done;
}

// ---------------------------------------------------------------------------------------------------------
// Tokens that come without the server

static int new_open(const char *path, int flags)
{
    char beside[ACCESS_PATH_SIZE + 8];
    snprintf(beside, sizeof beside, "%s.new", path);
    const int fd = open(beside, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0 && flock(fd, LOCK_EX) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

// False if the name is nobody's in the book that the file holds, but looks like one that is somebody's. A book that cannot be read
// says nothing about names; weftd tells about it when it starts.
static bool can_be_told_apart(const char *file, const char *name, char error[ACCESS_ERROR_SIZE])
{
    char ignored[ACCESS_ERROR_SIZE];
    const char *like = NULL;
    struct access book = {.file = calloc(1, sizeof *book.file)};
    enum access_outcome outcome = ACCESS_NONE;
    if (book.file) {
        snprintf(book.file->path, sizeof book.file->path, "%s", file);
        if (access_file_read(&book, true, ignored)) {
            outcome = access_name_check(&book, name, &like);
        }
    }
    if (outcome == ACCESS_ALIKE) {
        wrong(error, "\"%s\" looks like \"%s\", which is another name; choose one that can be told from it",
              name, like);
    }
    rows_free(&book);
    free(book.file);
    return outcome != ACCESS_ALIKE;
}

bool access_token_leave(const char *file, const char *who, enum protocol_role given, uint64_t now_s,
                        uint64_t expires_s, char secret[ACCESS_SECRET_SIZE], char error[ACCESS_ERROR_SIZE])
{
    struct access_token token = {.role = given, .created_s = now_s, .expires_s = expires_s};
    struct protocol_bytes bytes = {0};
    if (!access_secret_start()) {
        return wrong(error, "there is no randomness");
    }
    if (!access_likeness_start(error) || !can_be_told_apart(file, who, error)) {
        return false;
    }
    snprintf(token.name, sizeof token.name, "%s", who);
    access_secret_make(ACCESS_TOKEN, secret, &token.key, token.hash);
    token_add(&bytes, &token);
    const int fd = new_open(file, O_WRONLY | O_CREAT | O_APPEND);
    const bool done = fd >= 0 && !bytes.failed && write_all(fd, bytes.data, bytes.size) && fsync(fd) == 0;
    const int number_of = errno;
    if (fd >= 0) {
        close(fd);
    }
    protocol_bytes_deinit(&bytes);
    return done || wrong(error, "%.300s.new: it cannot be written: %s", file, strerror(number_of));
}

// Emptied, not removed: whoever waits for the lock has this file open.
uint32_t access_adopt(struct access *access)
{
    uint32_t came = 0;
    const int fd = new_open(access->file->path, O_RDWR);
    struct stat told;
    if (fd < 0) {
        return 0;
    }
    FILE *stream =
        fstat(fd, &told) == 0 && S_ISREG(told.st_mode) && told.st_size > 0 && told.st_size < NEW_BYTES_MAX
            ? fdopen(fd, "r+e")
            : NULL;
    if (!stream) {
        close(fd);
        return 0;
    }
    char text[LINE_MAX_BYTES];
    while (fgets(text, sizeof text, stream)) {
        struct access_token token;
        text[strcspn(text, "\n")] = '\0';
        struct line line = {.at = text};
        if (strcmp(word(&line), "token") != 0 || !token_read(&line, &token)) {
            continue;
        }
        if (access_token_same(access, &token)) { // it came already, and this file was not emptied
            continue;
        }
        token.id = access->last_id + 1;
        if (access_token_put(access, &token) == ACCESS_DONE) {
            came++;
        }
    }
    // They are in the book's file before they are gone from this one.
    char error[ACCESS_ERROR_SIZE];
    struct access_image *image = came > 0 ? access_image(access) : NULL;
    if (came == 0 || (image && access_image_write(image, error))) {
        (void)!ftruncate(fd, 0);
    }
    fclose(stream);
    return came;
}
