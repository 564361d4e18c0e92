// A take on disk.
//
//     "wefttake" | u32 1 | u32 bodies | u32 tick rate | u32 substeps | u64 bytes before the first frame
//     a body:  u32 name bytes | u32 particles | u32 triangles | u32 edges | name | pad to 4 | indices
//     a frame: u64 tick | u32 substep | u32 0 | f32 x y z of each particle of each body
//
// Frames have one size, so their number follows from the file's, and a recording that was cut short loses at most
// the frame that was being written. An open take is locked: two programs never append to one.
#include "record/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 32, BODY_BYTES = 16, FRAME_HEAD_BYTES = 16, NAME_MAX_BYTES = 1024 };

static const char magic[8] = "wefttake";

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "frames are written as they lie in memory");

struct record_take {
    int file;
    char *path;
    struct record_scene scene;
    uint64_t particles, head_bytes, frame_bytes, count;
    unsigned char *buffer; // one frame
};

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

static void scene_deinit(struct record_scene *scene)
{
    for (uint32_t b = 0; scene->bodies != NULL && b < scene->body_count; b++) {
        free(scene->bodies[b].name);
        free(scene->bodies[b].triangles);
        free(scene->bodies[b].edges);
    }
    free(scene->bodies);
    *scene = (struct record_scene){0};
}

void record_take_close(struct record_take *take)
{
    if (take == NULL)
        return;
    if (take->file >= 0)
        close(take->file);
    scene_deinit(&take->scene);
    free(take->buffer);
    free(take->path);
    free(take);
}

static bool put(struct record_take *take, const void *bytes, size_t size, uint64_t at, struct record_why *why)
{
    const char *from = bytes;
    while (size > 0) {
        ssize_t wrote = pwrite(take->file, from, size, (off_t)at);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return record_fail(why, "%s cannot be written: %s", take->path,
                               strerror(wrote < 0 ? errno : EIO));
        from += wrote;
        at += (uint64_t)wrote;
        size -= (size_t)wrote;
    }
    return true;
}

static bool get(const struct record_take *take, void *bytes, size_t size, uint64_t at, struct record_why *why)
{
    char *to = bytes;
    while (size > 0) {
        ssize_t got = pread(take->file, to, size, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return record_fail(why, "%s cannot be read: %s", take->path, strerror(errno));
        if (got == 0)
            return record_fail(why, "%s ends too early: it is no whole take", take->path);
        to += got;
        at += (uint64_t)got;
        size -= (size_t)got;
    }
    return true;
}

static struct record_take *open_file(const char *path, int flags, struct record_why *why)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct record_take *take = calloc(1, sizeof *take);
    if (take == NULL) {
        record_fail_memory(why);
        return NULL;
    }
    take->path = strdup(path);
    take->file = open(path, flags | O_CLOEXEC, 0666);
    if (take->path == NULL) {
        record_fail_memory(why);
    } else if (take->file < 0) {
        record_fail(why, "%s cannot be opened: %s", path, strerror(errno));
    } else if (fcntl(take->file, F_OFD_SETLK, &whole) != 0) {
        record_fail(why, "%s is in use by another program", path);
    } else {
        return take;
    }
    record_take_close(take);
    return NULL;
}

// Sizes that follow from the scene, and room for a frame.
static bool size_up(struct record_take *take, struct record_why *why)
{
    take->particles = 0;
    for (uint32_t b = 0; b < take->scene.body_count; b++)
        take->particles += take->scene.bodies[b].particle_count;
    if (take->scene.body_count == 0 || take->particles == 0)
        return record_fail(why, "there is nothing to record: no body has particles");
    if (take->particles > RECORD_PARTICLES_MAX)
        return record_fail(why, "%llu particles are more than a take can hold (%d)",
                           (unsigned long long)take->particles, RECORD_PARTICLES_MAX);
    take->frame_bytes = FRAME_HEAD_BYTES + 12 * take->particles;
    take->buffer = malloc(take->frame_bytes);
    return take->buffer != NULL || record_fail_memory(why);
}

static uint32_t *copy_indices(const uint32_t *indices, size_t count)
{
    uint32_t *copy = malloc((count + 1) * sizeof *copy);
    if (copy != NULL && count > 0)
        memcpy(copy, indices, count * sizeof *copy);
    return copy;
}

static bool copy_scene(struct record_scene *to, const struct record_scene *from)
{
    *to = *from;
    to->bodies = calloc((size_t)from->body_count + 1, sizeof *to->bodies);
    if (to->bodies == NULL)
        return false;
    for (uint32_t b = 0; b < from->body_count; b++) {
        const struct record_body *body = &from->bodies[b];
        struct record_body *copy = &to->bodies[b];
        *copy = *body;
        copy->name = strdup(body->name);
        copy->triangles = copy_indices(body->triangles, 3 * (size_t)body->triangle_count);
        copy->edges = copy_indices(body->edges, 2 * (size_t)body->edge_count);
        if (copy->name == NULL || copy->triangles == NULL || copy->edges == NULL)
            return false;
    }
    return true;
}

static size_t padded(size_t size)
{
    return (size + 3) / 4 * 4;
}

static bool write_body(struct record_take *take, const struct record_body *body, uint64_t *at,
                       struct record_why *why)
{
    static const char zeros[4];
    size_t name_bytes = strlen(body->name);
    uint32_t head[4] = {(uint32_t)name_bytes, body->particle_count, body->triangle_count, body->edge_count};
    if (name_bytes > NAME_MAX_BYTES)
        return record_fail(why, "the name of a body is longer than %d bytes", NAME_MAX_BYTES);
    bool done = put(take, head, sizeof head, *at, why) &&
                put(take, body->name, name_bytes, *at + BODY_BYTES, why) &&
                put(take, zeros, padded(name_bytes) - name_bytes, *at + BODY_BYTES + name_bytes, why);
    *at += BODY_BYTES + padded(name_bytes);
    done = done && put(take, body->triangles, 12 * (size_t)body->triangle_count, *at, why);
    *at += 12 * (uint64_t)body->triangle_count;
    done = done && put(take, body->edges, 8 * (size_t)body->edge_count, *at, why);
    *at += 8 * (uint64_t)body->edge_count;
    return done;
}

struct record_take *record_take_create(const char *path, const struct record_scene *scene,
                                       struct record_why *why)
{
    struct record_take *take = open_file(path, O_RDWR | O_CREAT, why);
    if (take == NULL)
        return NULL;
    bool done = copy_scene(&take->scene, scene) || record_fail_memory(why);
    done = done && size_up(take, why);
    if (done && ftruncate(take->file, 0) != 0)
        done = record_fail(why, "%s cannot be emptied: %s", path, strerror(errno));
    uint64_t at = HEAD_BYTES;
    for (uint32_t b = 0; done && b < scene->body_count; b++)
        done = write_body(take, &take->scene.bodies[b], &at, why);
    take->head_bytes = at;
    unsigned char head[HEAD_BYTES];
    uint32_t numbers[4] = {1, scene->body_count, scene->tick_rate, scene->substeps};
    memcpy(head, magic, sizeof magic);
    memcpy(head + 8, numbers, sizeof numbers);
    memcpy(head + 24, &take->head_bytes, sizeof take->head_bytes);
    // The head comes last: a file without one is no take.
    done = done && put(take, head, sizeof head, 0, why);
    if (!done) {
        record_take_close(take);
        return NULL;
    }
    return take;
}

static bool read_indices(const struct record_take *take, uint32_t **indices, size_t count, uint32_t below,
                         uint64_t *at, struct record_why *why)
{
    *indices = malloc((count + 1) * sizeof **indices);
    if (*indices == NULL)
        return record_fail_memory(why);
    if (!get(take, *indices, count * sizeof **indices, *at, why))
        return false;
    *at += count * sizeof **indices;
    for (size_t i = 0; i < count; i++) {
        if ((*indices)[i] >= below)
            return record_fail(why, "%s is no whole take: an index is past the particles", take->path);
    }
    return true;
}

static bool read_body(struct record_take *take, struct record_body *body, uint64_t *at, uint64_t size,
                      struct record_why *why)
{
    uint32_t head[4];
    if (!get(take, head, sizeof head, *at, why))
        return false;
    *at += BODY_BYTES;
    uint64_t indices = 12 * (uint64_t)head[2] + 8 * (uint64_t)head[3];
    if (head[0] == 0 || head[0] > NAME_MAX_BYTES || head[1] > RECORD_PARTICLES_MAX ||
        *at + padded(head[0]) + indices > size)
        return record_fail(why, "%s is no whole take: the sizes of a body are wrong", take->path);
    *body = (struct record_body){.particle_count = head[1], .triangle_count = head[2], .edge_count = head[3]};
    body->name = calloc(1, head[0] + 1);
    if (body->name == NULL)
        return record_fail_memory(why);
    if (!get(take, body->name, head[0], *at, why))
        return false;
    *at += padded(head[0]);
    return read_indices(take, &body->triangles, 3 * (size_t)head[2], head[1], at, why) &&
           read_indices(take, &body->edges, 2 * (size_t)head[3], head[1], at, why);
}

static bool read_head(struct record_take *take, struct record_why *why)
{
    unsigned char head[HEAD_BYTES];
    struct stat stat;
    uint32_t numbers[4];
    if (fstat(take->file, &stat) != 0)
        return record_fail(why, "%s cannot be read: %s", take->path, strerror(errno));
    uint64_t size = (uint64_t)stat.st_size;
    if (!S_ISREG(stat.st_mode) || size < HEAD_BYTES)
        return record_fail(why, "%s is no take", take->path);
    if (!get(take, head, sizeof head, 0, why))
        return false;
    memcpy(numbers, head + 8, sizeof numbers);
    memcpy(&take->head_bytes, head + 24, sizeof take->head_bytes);
    if (memcmp(head, magic, sizeof magic) != 0 || numbers[0] != 1)
        return record_fail(why, "%s is no take, or one of a later version", take->path);
    if (numbers[1] == 0 || numbers[1] > RECORD_BODIES_MAX || numbers[2] == 0 || numbers[3] == 0)
        return record_fail(why, "%s is no whole take: its head is wrong", take->path);
    take->scene.tick_rate = numbers[2];
    take->scene.substeps = numbers[3];
    take->scene.bodies = calloc(numbers[1], sizeof *take->scene.bodies);
    if (take->scene.bodies == NULL)
        return record_fail_memory(why);
    take->scene.body_count = numbers[1];
    uint64_t at = HEAD_BYTES;
    for (uint32_t b = 0; b < numbers[1]; b++) {
        if (!read_body(take, &take->scene.bodies[b], &at, size, why))
            return false;
    }
    if (at != take->head_bytes)
        return record_fail(why, "%s is no whole take: its head is wrong", take->path);
    if (!size_up(take, why))
        return false;
    take->count = (size - take->head_bytes) / take->frame_bytes;
    return true;
}

struct record_take *record_take_open(const char *path, struct record_why *why)
{
    struct record_take *take = open_file(path, O_RDWR, why);
    if (take != NULL && !read_head(take, why)) {
        record_take_close(take);
        return NULL;
    }
    return take;
}

bool record_take_append(struct record_take *take, uint64_t tick, uint32_t substep, const float *positions,
                        struct record_why *why)
{
    uint32_t rest[2] = {substep, 0};
    memcpy(take->buffer, &tick, sizeof tick);
    memcpy(take->buffer + 8, rest, sizeof rest);
    memcpy(take->buffer + FRAME_HEAD_BYTES, positions, 12 * take->particles);
    if (!put(take, take->buffer, take->frame_bytes, take->head_bytes + take->count * take->frame_bytes, why))
        return false;
    take->count++;
    return true;
}

bool record_take_sync(struct record_take *take, struct record_why *why)
{
    return fdatasync(take->file) == 0 ||
           record_fail(why, "%s cannot be written: %s", take->path, strerror(errno));
}

bool record_take_truncate(struct record_take *take, uint64_t count, struct record_why *why)
{
    if (count > take->count)
        return record_fail(why, "%s has %llu frames, not %llu", take->path, (unsigned long long)take->count,
                           (unsigned long long)count);
    if (ftruncate(take->file, (off_t)(take->head_bytes + count * take->frame_bytes)) != 0)
        return record_fail(why, "%s cannot be cut: %s", take->path, strerror(errno));
    take->count = count;
    return true;
}

bool record_take_read(struct record_take *take, uint64_t index, struct record_frame *frame,
                      struct record_why *why)
{
    if (index >= take->count)
        return record_fail(why, "%s has %llu frames", take->path, (unsigned long long)take->count);
    if (!get(take, take->buffer, take->frame_bytes, take->head_bytes + index * take->frame_bytes, why))
        return false;
    memcpy(&frame->tick, take->buffer, sizeof frame->tick);
    memcpy(&frame->substep, take->buffer + 8, sizeof frame->substep);
    frame->time =
        ((double)frame->tick + (double)frame->substep / take->scene.substeps) / take->scene.tick_rate;
    frame->positions = (float *)(void *)(take->buffer + FRAME_HEAD_BYTES);
    return true;
}
