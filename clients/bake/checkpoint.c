// A checkpoint on disk:
//
//     "weftbake" | u32 2 | u32 0 | u64 key | u64 ticks | u64 frames | u64 ns | u64 hash | u64 size | document
//
// little-endian. It is written to a temporary file, made durable and renamed, so a checkpoint that can be read is
// complete.
#include "bake/bake.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD_BYTES = 64, VERSION = 2 };
static const uint64_t document_max = (uint64_t)1 << 36;
static const char magic[8] = "weftbake";

static void put_u64(unsigned char *out, uint64_t value)
{
    for (int i = 0; i < 8; i++) {
        out[i] = (unsigned char)(value >> 8 * i);
    }
}

static uint64_t get_u64(const unsigned char *in)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) {
        value |= (uint64_t)in[i] << 8 * i;
    }
    return value;
}

bool bake_checkpoint_write(const char *path, const struct bake_checkpoint *checkpoint, struct fault *fault)
{
    char part[4300];
    unsigned char head[HEAD_BYTES] = {0};
    const uint64_t numbers[] = {
        VERSION,          checkpoint->key, checkpoint->ticks, checkpoint->frames, checkpoint->took_ns,
        checkpoint->hash, checkpoint->size};
    memcpy(head, magic, sizeof magic);
    for (int i = 0; i < 7; i++) {
        put_u64(head + 8 + 8 * i, numbers[i]);
    }
    snprintf(part, sizeof part, "%s.part", path);
    FILE *file = fopen(part, "wbe");
    if (!file) {
        return fault_set(fault, FAULT_IO, NULL, "%s cannot be written: %s", part, strerror(errno));
    }
    bool done = fwrite(head, 1, sizeof head, file) == sizeof head &&
                fwrite(checkpoint->document, 1, checkpoint->size, file) == checkpoint->size &&
                fflush(file) == 0 && fsync(fileno(file)) == 0;
    int code = errno;
    done = fclose(file) == 0 && done;
    if (done && rename(part, path) == 0) {
        return true;
    }
    code = done ? errno : code;
    unlink(part);
    return fault_set(fault, FAULT_IO, NULL, "%s cannot be written: %s", path, strerror(code));
}

bool bake_checkpoint_read(const char *path, struct bake_checkpoint *checkpoint, bool *found,
                          struct fault *fault)
{
    unsigned char head[HEAD_BYTES];
    *checkpoint = (struct bake_checkpoint){0};
    FILE *file = fopen(path, "rbe");
    *found = file != NULL;
    if (!file) {
        return errno == ENOENT ||
               fault_set(fault, FAULT_IO, NULL, "%s cannot be read: %s", path, strerror(errno));
    }
    bool done = fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, magic, sizeof magic) == 0 &&
                get_u64(head + 8) == VERSION && get_u64(head + 56) > 0 &&
                get_u64(head + 56) <= document_max && fseek(file, 0, SEEK_END) == 0 &&
                (uint64_t)ftell(file) == HEAD_BYTES + get_u64(head + 56) &&
                fseek(file, HEAD_BYTES, SEEK_SET) == 0;
    if (!done) {
        fclose(file);
        return fault_set(fault, FAULT_INVALID, NULL,
                         "%s is not a checkpoint; --fresh starts from the beginning", path);
    }
    *checkpoint = (struct bake_checkpoint){.key = get_u64(head + 16),
                                           .ticks = get_u64(head + 24),
                                           .frames = get_u64(head + 32),
                                           .took_ns = get_u64(head + 40),
                                           .hash = get_u64(head + 48),
                                           .size = get_u64(head + 56)};
    checkpoint->document = malloc(checkpoint->size);
    done = checkpoint->document && fread(checkpoint->document, 1, checkpoint->size, file) == checkpoint->size;
    fclose(file);
    if (!done) {
        free(checkpoint->document);
        checkpoint->document = NULL;
        return fault_set(fault, FAULT_IO, NULL, "%s cannot be read whole", path);
    }
    return true;
}

void bake_checkpoint_remove(const char *path)
{
    char part[4300];
    snprintf(part, sizeof part, "%s.part", path);
    unlink(path);
    unlink(part);
}
