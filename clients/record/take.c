// A take on disk: a head (take_head.c), then frames of one size.
//
//     a frame: u64 tick | u32 substep | u32 0 | f32 x y z, quaternion of each collider | f32 x y z of each particle
//
// The number of frames follows from the file's size, and a recording that was cut short loses at most the frame that
// was being written. An open take is locked: two programs never append to one. Compressed frames are another matter
// (take_packed.c).
#include "record/take_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "frames are written as they lie in memory");

const struct record_scene *record_take_scene(const struct record_take *take)
{
    return &take->scene;
}

uint64_t record_take_count(const struct record_take *take)
{
    return take->count;
}

uint64_t record_take_particles(const struct record_take *take)
{
    return take->particles;
}

void record_take_close(struct record_take *take)
{
    if (!take) {
        return;
    }
    take_packed_close(take);
    if (take->file >= 0) {
        close(take->file);
    }
    record_scene_deinit(&take->scene);
    free(take->buffer);
    free(take->path);
    free(take);
}

static struct record_take *open_file(const char *path, int flags, struct fault *fault)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct record_take *take = calloc(1, sizeof *take);
    if (!take) {
        record_fail_memory(fault);
        return NULL;
    }
    take->path = strdup(path);
    take->file = open(path, flags | O_CLOEXEC, 0666);
    if (!take->path) {
        record_fail_memory(fault);
    } else if (take->file < 0) {
        fault_set(fault, FAULT_IO, NULL, "%s cannot be opened: %s", path, strerror(errno));
    } else if (fcntl(take->file, F_OFD_SETLK, &whole) != 0) {
        fault_set(fault, FAULT_BUSY, NULL, "%s is in use by another program", path);
    } else {
        return take;
    }
    record_take_close(take);
    return NULL;
}

// The part of a frame before the positions.
static uint64_t frame_head_bytes(const struct record_take *take)
{
    return TAKE_FRAME_HEAD + 4 * RECORD_POSE * (uint64_t)take->scene.collider_count;
}

// Computes the sizes from the scene, and allocates a frame.
static bool size_up(struct record_take *take, struct fault *fault)
{
    take->particles = 0;
    for (uint32_t b = 0; b < take->scene.body_count; b++) {
        take->particles += take->scene.bodies[b].particle_count;
    }
    if (take->scene.body_count == 0 || take->particles == 0) {
        return fault_set(fault, FAULT_INVALID, NULL, "there is nothing to record: no body has particles");
    }
    if (take->particles > RECORD_PARTICLES_MAX) {
        return fault_set(fault, FAULT_LIMIT, NULL, "%llu particles are more than a take can hold (%d)",
                         (unsigned long long)take->particles, RECORD_PARTICLES_MAX);
    }
    take->frame_bytes = frame_head_bytes(take) + 12 * take->particles;
    take->buffer = malloc(take->frame_bytes);
    return take->buffer || record_fail_memory(fault);
}

struct record_take *record_take_create(const char *path, const struct record_scene *scene, float tolerance,
                                       struct fault *fault)
{
    struct record_take *take = open_file(path, O_RDWR | O_CREAT, fault);
    if (!take) {
        return NULL;
    }
    take->tolerance = tolerance;
    bool done = record_scene_copy(&take->scene, scene) || record_fail_memory(fault);
    done = done && size_up(take, fault);
    if (done && ftruncate(take->file, 0) != 0) {
        done = fault_set(fault, FAULT_IO, NULL, "%s cannot be emptied: %s", path, strerror(errno));
    }
    done = done && record_head_write(take, fault) && (tolerance == 0 || take_packed_create(take, fault));
    if (!done) {
        record_take_close(take);
        return NULL;
    }
    return take;
}

static bool read_head(struct record_take *take, struct fault *fault)
{
    struct stat stat;
    if (fstat(take->file, &stat) != 0) {
        return fault_set(fault, FAULT_IO, NULL, "%s cannot be read: %s", take->path, strerror(errno));
    }
    if (!S_ISREG(stat.st_mode)) {
        return fault_set(fault, FAULT_INVALID, NULL, "%s is no take", take->path);
    }
    const uint64_t size = (uint64_t)stat.st_size;
    if (!record_head_read(take, size, fault) || !size_up(take, fault)) {
        return false;
    }
    if (take->tolerance > 0) {
        return take_packed_create(take, fault) && take_packed_find(take, size, fault);
    }
    take->count = (size - take->head_bytes) / take->frame_bytes;
    return true;
}

struct record_take *record_take_open(const char *path, struct fault *fault)
{
    struct record_take *take = open_file(path, O_RDWR, fault);
    if (take && !read_head(take, fault)) {
        record_take_close(take);
        return NULL;
    }
    return take;
}

bool record_take_append(struct record_take *take, uint64_t tick, uint32_t substep, const float *poses,
                        const float *positions, struct fault *fault)
{
    if (take->packed) {
        return take_packed_append(take, tick, substep, poses, positions, fault);
    }
    const uint64_t head = frame_head_bytes(take);
    uint32_t rest[2] = {substep, 0};
    memcpy(take->buffer, &tick, sizeof tick);
    memcpy(take->buffer + 8, rest, sizeof rest);
    if (head > TAKE_FRAME_HEAD) {
        memcpy(take->buffer + TAKE_FRAME_HEAD, poses, head - TAKE_FRAME_HEAD);
    }
    memcpy(take->buffer + head, positions, 12 * take->particles);
    if (!record_take_put(take, take->buffer, take->frame_bytes,
                         take->head_bytes + take->count * take->frame_bytes, fault)) {
        return false;
    }
    take->count++;
    return true;
}

bool record_take_sync(struct record_take *take, struct fault *fault)
{
    return fdatasync(take->file) == 0 ||
           fault_set(fault, FAULT_IO, NULL, "%s cannot be written: %s", take->path, strerror(errno));
}

bool record_take_truncate(struct record_take *take, uint64_t count, struct fault *fault)
{
    if (count > take->count) {
        return fault_set(fault, FAULT_INVALID, NULL, "%s has %llu frames, not %llu", take->path,
                         (unsigned long long)take->count, (unsigned long long)count);
    }
    if (take->packed) {
        return take_packed_truncate(take, count, fault);
    }
    if (ftruncate(take->file, (off_t)(take->head_bytes + count * take->frame_bytes)) != 0) {
        return fault_set(fault, FAULT_IO, NULL, "%s cannot be cut: %s", take->path, strerror(errno));
    }
    take->count = count;
    return true;
}

// Reads a frame, or only its head, into the buffer.
static bool fill(struct record_take *take, uint64_t index, bool wants_positions, struct fault *fault)
{
    if (index >= take->count) {
        return fault_set(fault, FAULT_INVALID, NULL, "%s has %llu frames", take->path,
                         (unsigned long long)take->count);
    }
    if (take->packed) {
        return take_packed_read(take, index, wants_positions, fault);
    }
    const uint64_t size = wants_positions ? take->frame_bytes : frame_head_bytes(take);
    return record_take_get(take, take->buffer, size, take->head_bytes + index * take->frame_bytes, fault);
}

static bool read_frame(struct record_take *take, uint64_t index, bool wants_positions,
                       struct record_frame *frame, struct fault *fault)
{
    if (!fill(take, index, wants_positions, fault)) {
        return false;
    }
    memcpy(&frame->tick, take->buffer, sizeof frame->tick);
    memcpy(&frame->substep, take->buffer + 8, sizeof frame->substep);
    frame->time =
        ((double)frame->tick + (double)frame->substep / take->scene.substeps) / take->scene.tick_rate;
    frame->poses = (const float *)(void *)(take->buffer + TAKE_FRAME_HEAD);
    frame->positions = wants_positions ? (float *)(void *)(take->buffer + frame_head_bytes(take)) : NULL;
    return true;
}

bool record_take_read(struct record_take *take, uint64_t index, struct record_frame *frame,
                      struct fault *fault)
{
    return read_frame(take, index, true, frame, fault);
}

bool record_take_peek(struct record_take *take, uint64_t index, struct record_frame *frame,
                      struct fault *fault)
{
    return read_frame(take, index, false, frame, fault);
}
