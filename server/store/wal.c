// Reads a log as in https://www.sqlite.org/fileformat2.html#the_write_ahead_log: a header of 32 bytes, then
// frames of 24 bytes and a page. Each frame has the running checksum over all before it.
#include "store/wal.h"

#include "store/backend.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 32, FRAME_HEADER_SIZE = 24, FRAME_SIZE = FRAME_HEADER_SIZE + STORE_PAGE };
static const uint32_t magic = 0x377f0682; // the last bit means checksums of big-endian words

struct running {
    uint32_t s1, s2;
};

struct wal {
    struct store_file file;
    int64_t size;
    bool big_endian;
    uint8_t salts[8];
    uint8_t frame[FRAME_SIZE];
};

static uint32_t big(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t little(const uint8_t *bytes)
{
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

// Computes s1 += x0 + s2; s2 += x1 + s1 for each pair of words.
static struct running sum(const struct wal *wal, struct running from, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 8 <= size; i += 8) {
        from.s1 += (wal->big_endian ? big(bytes + i) : little(bytes + i)) + from.s2;
        from.s2 += (wal->big_endian ? big(bytes + i + 4) : little(bytes + i + 4)) + from.s1;
    }
    return from;
}

static bool same(struct running a, struct running b)
{
    return a.s1 == b.s1 && a.s2 == b.s2;
}

static struct running frame_sum(const struct wal *wal, struct running from)
{
    return sum(wal, sum(wal, from, wal->frame, 8), wal->frame + FRAME_HEADER_SIZE, STORE_PAGE);
}

static struct running frame_stored(const struct wal *wal)
{
    return (struct running){big(wal->frame + 16), big(wal->frame + 20)};
}

static bool all_zero(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

struct fit {
    int64_t wrong; // first frame that does not fit; 0: none yet
    bool begun;    // a transaction was begun after that frame
    int64_t last;  // last frame that ends a transaction and is whole
};

// Finds the first frame that does not fit, and whether another transaction was begun after it. Each frame's
// checksum continues the value stored in the frame before it. So frames after a damaged one can still be told
// from garbage.
static enum fault_code look_at_frames(struct wal *wal, struct running before, const char *path,
                                      struct fit *fit, struct store_error *error)
{
    const int64_t count = (wal->size - HEADER_SIZE) / FRAME_SIZE;
    struct running instead = {0}; // checksum of the wrong frame, computed from its content
    bool commits = false;         // the frame before ends a transaction
    for (int64_t i = 1; i <= count; i++) {
        if (store_file_read(&wal->file, HEADER_SIZE + (i - 1) * FRAME_SIZE, wal->frame, FRAME_SIZE) !=
            SQLITE_OK) {
            return store_fail(error, FAULT_IO, 0, 0, "%s cannot be read", path);
        }
        const bool current = memcmp(wal->frame + 8, wal->salts, sizeof wal->salts) == 0;
        const struct running own = frame_sum(wal, before), stored = frame_stored(wal);
        bool fits = current && same(own, stored);
        if (fit->wrong == 0 && !fits) {
            fit->wrong = i;
            instead = own;
        } else if (fit->wrong != 0) {
            fits = fits || (current && i == fit->wrong + 1 && same(frame_sum(wal, instead), stored));
            fit->begun = fit->begun || (commits && fits);
        }
        commits = big(wal->frame + 4) != 0;
        fit->last = fits && commits ? i : fit->last;
        before = stored;
    }
    return FAULT_NONE;
}

static enum fault_code check_frames(struct wal *wal, struct running before, const char *path,
                                    uint64_t *frames, struct store_error *error)
{
    struct fit fit = {0};
    const enum fault_code status = look_at_frames(wal, before, path, &fit, error);
    if (status != FAULT_NONE || !fit.begun) {
        return status;
    }
    *frames = (uint64_t)fit.last;
    return store_fail(error, FAULT_DAMAGED, 0, 0,
                      "%s is damaged: frame %lld of %lld does not fit, although what comes after it "
                      "was written when it was safely on the disk",
                      path, (long long)fit.wrong, (long long)((wal->size - HEADER_SIZE) / FRAME_SIZE));
}

static enum fault_code check_open(struct wal *wal, const char *path, uint64_t *frames,
                                  struct store_error *error)
{
    uint8_t header[HEADER_SIZE];
    if (store_file_size(&wal->file, &wal->size) != SQLITE_OK ||
        store_file_read(&wal->file, 0, header, sizeof header) != SQLITE_OK) {
        return store_fail(error, FAULT_IO, 0, 0, "%s cannot be read", path);
    }
    if (wal->size <= HEADER_SIZE) {
        return FAULT_NONE;
    }
    wal->big_endian = (big(header) & 1) != 0;
    const struct running own = sum(wal, (struct running){0}, header, 24);
    const struct running stored = {big(header + 24), big(header + 28)};
    if ((big(header) & ~UINT32_C(1)) != magic || !same(own, stored) || big(header + 8) != STORE_PAGE) {
        // The header is synced before the first frame is written, and lies in one sector.
        const bool begun = all_zero(header, sizeof header) && wal->size < HEADER_SIZE + FRAME_SIZE;
        return begun ? FAULT_NONE
                     : store_fail(error, FAULT_DAMAGED, 0, 0,
                                  "%s is damaged: its header is not what was written", path);
    }
    memcpy(wal->salts, header + 16, sizeof wal->salts);
    return check_frames(wal, stored, path, frames, error);
}

enum fault_code store_wal_check(const char *vfs, const char *path, uint64_t *frames,
                                struct store_error *error)
{
    *frames = 0;
    if (!store_file_is(vfs, path)) {
        return FAULT_NONE;
    }
    struct wal *wal = calloc(1, sizeof *wal);
    if (!wal) {
        return store_fail(error, FAULT_MEMORY, 0, 0, "no memory to look at %s", path);
    }
    enum fault_code status;
    if (store_file_open(vfs, path, STORE_FILE_READ, &wal->file) != SQLITE_OK) {
        status = store_fail(error, FAULT_IO, 0, 0, "%s cannot be read", path);
    } else {
        status = check_open(wal, path, frames, error);
        store_file_close(&wal->file);
    }
    free(wal);
    return status;
}
