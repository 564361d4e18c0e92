// Meshes that assimp reads, in a process of their own.
//
//     parent ── fork ──▶ child: limits, check, assimp, write to memory that both hold ──▶ exit
//        └── waits, tells the watch, ends it on request ── checks all of it ──▶ mesh
//
// assimp is large and takes files from anywhere: what crashes it, makes it run for ever or ask for all memory costs the
// child alone. What the child wrote is as little trusted as the file. It also takes much for a mesh that is none, so
// each format is checked before (check_*.c).
//
// An OBJ is read by libweft's strict reader first, which names the line of a mistake; its vertices are those of the
// result, in the file's order and precision. assimp says how polygons are cut, and which groups there are.
#include "internal.h"
#include "places.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <weft.h>

enum { LOOK_MS = 20 };

// Waits for the child. False if the watch wants no more; it is gone then as well.
static bool await_child(pid_t child, const struct mesh_watch *watch, int *status, struct mesh_error *error)
{
    for (struct timespec pause = {.tv_nsec = 1000000};; pause.tv_nsec += pause.tv_nsec / 4) {
        const pid_t got = waitpid(child, status, WNOHANG);
        if (got == child)
            return true;
        if (got < 0 && errno != EINTR)
            return mesh_fail(error, "FILE", "the process that reads the file is lost: %s", strerror(errno));
        if (!mesh_report(watch, "reading", -1, error)) {
            kill(child, SIGKILL);
            while (waitpid(child, status, 0) < 0 && errno == EINTR)
                continue;
            return false;
        }
        if (pause.tv_nsec > LOOK_MS * 1000000)
            pause.tv_nsec = LOOK_MS * 1000000;
        nanosleep(&pause, NULL);
    }
}

static bool read_at(int fd, void *out, size_t size, size_t *at)
{
    uint8_t *bytes = out;
    while (size > 0) {
        const ssize_t got = pread(fd, bytes, size < (1 << 30) ? size : 1 << 30, (off_t)*at);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return false;
        if (got > 0) {
            bytes += got;
            size -= (size_t)got;
            *at += (size_t)got;
        }
    }
    return true;
}

static bool is_sound(const struct mesh_file *file)
{
    const struct mesh *mesh = &file->mesh;
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
        if (!isfinite(mesh->positions[i]))
            return false;
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        if (mesh->triangles[i] >= mesh->vertex_count)
            return false;
    }
    for (uint32_t i = 0; i < file->part_count; i++) {
        const struct mesh_part *part = &file->parts[i];
        if (memchr(part->name, 0, sizeof part->name) == NULL || part->tet_count != 0 ||
            part->triangle_first > mesh->triangle_count ||
            part->triangle_count > mesh->triangle_count - part->triangle_first ||
            part->vertex_first > mesh->vertex_count ||
            part->vertex_count > mesh->vertex_count - part->vertex_first)
            return false;
    }
    return true;
}

static bool take_result(const char *path, int fd, struct mesh_file *file, struct mesh_error *error)
{
    struct mesh_import_head head;
    size_t at = 0;
    struct mesh *mesh = &file->mesh;
    if (!read_at(fd, &head, sizeof head, &at) || head.magic != MESH_IMPORT_MAGIC)
        return mesh_fail(error, "INVALID", "%.180s: it cannot be read", path);
    head.code[sizeof head.code - 1] = head.text[sizeof head.text - 1] = '\0';
    if (head.failed)
        return head.whole ? mesh_fail(error, head.code, "%s", head.text)
                          : mesh_fail(error, head.code, "%.180s: %s", path, head.text);
    if (head.part_count > MESH_PARTS_MAX || head.vertex_count > MESH_CORNERS_MAX ||
        head.triangle_count > MESH_TRIANGLES_MAX)
        return mesh_fail(error, "LIMIT", "%.180s: more than can be taken", path);
    file->parts = malloc(((size_t)head.part_count + 1) * sizeof *file->parts);
    mesh->positions = malloc((3 * (size_t)head.vertex_count + 1) * sizeof *mesh->positions);
    mesh->triangles = malloc((3 * (size_t)head.triangle_count + 1) * sizeof *mesh->triangles);
    if (!file->parts || !mesh->positions || !mesh->triangles)
        return mesh_fail_memory(error);
    file->part_count = head.part_count;
    mesh->vertex_count = head.vertex_count;
    mesh->triangle_count = head.triangle_count;
    if (!read_at(fd, file->parts, head.part_count * sizeof *file->parts, &at) ||
        !read_at(fd, mesh->positions, 3 * (size_t)head.vertex_count * sizeof *mesh->positions, &at) ||
        !read_at(fd, mesh->triangles, 3 * (size_t)head.triangle_count * sizeof *mesh->triangles, &at) ||
        !is_sound(file))
        return mesh_fail(error, "INVALID", "%.180s: it cannot be read", path);
    if (mesh->triangle_count == 0)
        return mesh_fail(error, "INVALID", "%.180s: there are no triangles in it", path);
    return true;
}

static bool run_child(const struct mesh_source *source, const struct mesh_watch *watch,
                      struct mesh_file *file, struct mesh_error *error)
{
    const char *path = source->path;
    int status = 0;
    const int fd = memfd_create("mesh", MFD_CLOEXEC);
    if (fd < 0)
        return mesh_fail(error, "MEMORY", "there is no memory for the mesh: %s", strerror(errno));
    const pid_t child = fork();
    if (child == 0)
        _exit(mesh_import_child(source, fd));
    bool ok =
        child > 0 || mesh_fail(error, "MEMORY", "there is no process to read the file: %s", strerror(errno));
    ok = ok && await_child(child, watch, &status, error);
    if (ok && WIFSIGNALED(status) && WTERMSIG(status) == SIGINT)
        ok = mesh_fail(error, "CANCELLED", "stopped while reading");
    else if (ok && WIFSIGNALED(status))
        ok = mesh_fail(error, "INVALID", "%.180s: it cannot be read: assimp %s with it", path,
                       WTERMSIG(status) == SIGXCPU ? "does not come to an end" : "crashes");
    ok = ok && take_result(path, fd, file, error);
    close(fd);
    return ok;
}

// ---------------------------------------------------------------------------------------------------------
// OBJ

// For each vertex that assimp has the one of the file: the nearest, within what float leaves of it. False if one has
// none.
static bool match(const struct mesh *mesh, const struct weft_mesh *exact, uint32_t *target)
{
    struct mesh_places places;
    double greatest = 0;
    bool ok = true;
    for (size_t i = 0; i < 3 * (size_t)exact->vertex_count; i++)
        greatest = fmax(greatest, fabs(exact->positions[i]));
    if (!(greatest > 0) || !mesh_places_init(&places, exact->positions, exact->vertex_count, 2e-6 * greatest))
        return false;
    for (uint32_t i = 0; i < exact->vertex_count; i++)
        mesh_places_add(&places, i);
    for (uint32_t i = 0; i < mesh->vertex_count && ok; i++) {
        target[i] = mesh_places_find(&places, mesh->positions + 3 * (size_t)i, false);
        ok = target[i] != MESH_NONE;
    }
    mesh_places_deinit(&places);
    return ok;
}

// The file's own vertices take the place of assimp's. Where they do not fit together (a mesh so fine that float cannot
// tell its vertices apart), the strict reader's triangles, which cut polygons into fans, stand in.
static bool take_exact(struct mesh_file *file, struct weft_mesh *exact, struct mesh_error *error)
{
    struct mesh *mesh = &file->mesh;
    uint32_t *target = malloc(((size_t)mesh->vertex_count + 1) * sizeof *target);
    if (!target)
        return mesh_fail_memory(error);
    if (match(mesh, exact, target)) {
        for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
            mesh->triangles[i] = target[mesh->triangles[i]];
    } else {
        free(mesh->triangles);
        mesh->triangles = exact->triangles;
        mesh->triangle_count = exact->triangle_count;
        exact->triangles = NULL;
        file->part_count = 1;
        file->parts[0] = (struct mesh_part){.name = "mesh", .triangle_count = mesh->triangle_count};
    }
    free(target);
    free(mesh->positions);
    mesh->positions = exact->positions;
    mesh->vertex_count = exact->vertex_count;
    exact->positions = NULL;
    for (uint32_t i = 0; i < file->part_count; i++) {
        file->parts[i].vertex_first = 0;
        file->parts[i].vertex_count = mesh->vertex_count;
    }
    return true;
}

// The strict reading of an OBJ; *source becomes the plain text of it.
static bool read_strictly(struct mesh_source *source, struct weft_mesh *exact, char **plain,
                          struct mesh_error *error)
{
    struct weft_error weft_error;
    if (!weft_obj_parse(source->path, source->bytes, source->size, exact, &weft_error))
        return mesh_fail(error, weft_error.code, "%.500s", weft_error.text);
    if (exact->triangle_count == 0)
        return mesh_fail(error, "INVALID", "%.180s: there are no faces in it", source->path);
    if (!mesh_plain_obj(source->bytes, source->size, plain, &source->size, error))
        return false;
    source->bytes = *plain;
    return true;
}

bool mesh_import(const char *path, const char *format, const struct mesh_watch *watch, struct mesh_file *file,
                 struct mesh_error *error)
{
    struct weft_mesh exact = {0};
    struct mesh_source source = {.path = path, .format = format};
    char *plain = NULL, *bytes = mesh_load(path, &source.size, error);
    source.bytes = bytes;
    bool ok = bytes && (strcmp(format, "obj") != 0 || read_strictly(&source, &exact, &plain, error)) &&
              run_child(&source, watch, file, error);
    if (ok && exact.vertex_count > 0)
        ok = take_exact(file, &exact, error);
    if (ok && !mesh_number(&file->mesh))
        ok = mesh_fail_memory(error);
    weft_mesh_deinit(&exact);
    free(plain);
    free(bytes);
    return ok;
}
