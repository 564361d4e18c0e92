// Meshes that assimp reads, in a process of their own.
//
//     parent ── fork ──▶ child: limits, check, assimp, write to memory that both hold ──▶ exit
//        └── waits, tells the watch, ends it on request ── checks all of it ──▶ mesh
//
// assimp is large and takes files from anywhere: what crashes it, makes it run for ever or ask for all memory costs the
// child alone. What the child wrote is as little trusted as the file. It also takes much for a mesh that is none, so
// each format is checked before (check_*.c).
//
// An OBJ is read by the strict reader of scenes first, which names the line of a mistake; its vertices are those of the
// result, in the file's order and precision. assimp says which groups there are.
#include "internal.h"
#include "places.h"

#include "protocol/scene/obj.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 20 };

// Waits for the child. False if the watch wants no more; it is gone then as well.
static bool await_child(pid_t child, const struct mesh_watch *watch, int *status, struct fault *fault)
{
    for (struct timespec pause = {.tv_nsec = 1000000};; pause.tv_nsec += pause.tv_nsec / 4) {
        const pid_t got = waitpid(child, status, WNOHANG);
        if (got == child) {
            return true;
        }
        if (got < 0 && errno != EINTR) {
            return fault_set(fault, FAULT_IO, NULL, "the process that reads the file is lost: %s",
                             strerror(errno));
        }
        if (!mesh_report(watch, "reading", -1, fault)) {
            kill(child, SIGKILL);
            pid_t ended;
            do {
                ended = waitpid(child, status, 0);
            } while (ended < 0 && errno == EINTR);
            return false;
        }
        if (pause.tv_nsec > LOOK_MS * 1000000) {
            pause.tv_nsec = LOOK_MS * 1000000;
        }
        nanosleep(&pause, NULL);
    }
}

static bool read_at(int fd, void *out, size_t size, size_t *at)
{
    uint8_t *bytes = out;
    while (size > 0) {
        const ssize_t got = pread(fd, bytes, size < (1 << 30) ? size : 1 << 30, (off_t)*at);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            return false;
        }
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
        if (!isfinite(mesh->positions[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        if (mesh->triangles[i] >= mesh->vertex_count) {
            return false;
        }
    }
    for (uint32_t i = 0; i < file->part_count; i++) {
        const struct mesh_part *part = &file->parts[i];
        if (!memchr(part->name, 0, sizeof part->name) || part->tet_count != 0 ||
            part->triangle_first > mesh->triangle_count ||
            part->triangle_count > mesh->triangle_count - part->triangle_first ||
            part->vertex_first > mesh->vertex_count ||
            part->vertex_count > mesh->vertex_count - part->vertex_first) {
            return false;
        }
    }
    return true;
}

// Part of what is not trusted: values within their bounds, names that end.
static bool is_look_sound(const struct mesh_file *file)
{
    const struct mesh *mesh = &file->mesh;
    bool sound = true;
    for (size_t i = 0; mesh->uvs && i < 6 * (size_t)mesh->triangle_count; i++) {
        sound = sound && isfinite(mesh->uvs[i]);
    }
    for (size_t i = 0; mesh->normals && i < 9 * (size_t)mesh->triangle_count; i++) {
        sound = sound && isfinite(mesh->normals[i]);
    }
    for (size_t t = 0; mesh->materials && t < mesh->triangle_count; t++) {
        sound = sound && mesh->materials[t] < file->material_count;
    }
    for (uint32_t m = 0; m < file->material_count; m++) {
        const struct mesh_material *material = &file->materials[m];
        const float values[6] = {material->color[0], material->color[1], material->color[2],
                                 material->color[3], material->metallic, material->roughness};
        sound = sound && *material->name && memchr(material->name, 0, sizeof material->name);
        for (int k = 0; k < 6; k++) {
            sound = sound && values[k] >= 0 && values[k] <= 1;
        }
    }
    return sound;
}

// An array of so many bytes, or NULL where there is none of it.
static bool read_array(int fd, void *array, uint32_t has, size_t size, size_t *at, struct fault *fault)
{
    void *bytes = has ? malloc(size + 1) : NULL;
    memcpy(array, &bytes, sizeof bytes);
    if (has && !bytes) {
        return mesh_fail_memory(fault);
    }
    return !has || read_at(fd, bytes, size, at) ||
           fault_set(fault, FAULT_INVALID, NULL, "what was read ends too early");
}

static bool take_look(const struct mesh_import_head *head, int fd, size_t *at, struct mesh_file *file,
                      struct fault *fault)
{
    const size_t triangles = head->triangle_count;
    struct mesh *mesh = &file->mesh;
    file->material_count = head->material_count;
    file->uncut_count = head->uncut_count;
    snprintf(file->missing, sizeof file->missing, "%.63s", head->missing);
    return read_array(fd, &mesh->uvs, head->has_uvs, 6 * triangles * sizeof *mesh->uvs, at, fault) &&
           read_array(fd, &mesh->normals, head->has_normals, 9 * triangles * sizeof *mesh->normals, at,
                      fault) &&
           read_array(fd, &file->materials, head->material_count > 0,
                      head->material_count * sizeof *file->materials, at, fault) &&
           read_array(fd, &mesh->materials, head->material_count > 0, triangles * sizeof *mesh->materials, at,
                      fault);
}

static bool take_frames(const struct mesh_import_head *head, int fd, size_t *at, struct mesh_file *file,
                        struct fault *fault)
{
    const size_t numbers = 3 * (size_t)head->vertex_count * head->frame_count;
    file->frame_count = head->frame_count;
    if (!read_array(fd, &file->times, head->frame_count, head->frame_count * sizeof *file->times, at,
                    fault) ||
        !read_array(fd, &file->frames, head->frame_count, numbers * sizeof *file->frames, at, fault)) {
        return false;
    }
    bool sound = head->frame_count != 1;
    for (uint32_t k = 0; k < head->frame_count; k++) {
        sound = sound && isfinite(file->times[k]) &&
                (k == 0 ? file->times[k] == 0 : file->times[k] > file->times[k - 1]);
    }
    for (size_t i = 0; head->frame_count && i < numbers; i++) {
        sound = sound && isfinite(file->frames[i]);
    }
    return sound || fault_set(fault, FAULT_INVALID, NULL, "its animation cannot be read");
}

static bool take_result(const char *path, int fd, struct mesh_file *file, struct fault *fault)
{
    struct mesh_import_head head;
    size_t at = 0;
    struct mesh *mesh = &file->mesh;
    if (!read_at(fd, &head, sizeof head, &at) || head.magic != MESH_IMPORT_MAGIC ||
        head.code >= FAULT_CODE_COUNT) {
        return fault_set(fault, FAULT_INVALID, NULL, "%.180s: it cannot be read", path);
    }
    head.text[sizeof head.text - 1] = head.missing[sizeof head.missing - 1] = '\0';
    if (head.code != FAULT_NONE) {
        return head.whole ? fault_set(fault, (enum fault_code)head.code, NULL, "%s", head.text)
                          : fault_set(fault, (enum fault_code)head.code, NULL, "%.180s: %s", path, head.text);
    }
    if (head.part_count > MESH_PARTS_MAX || head.vertex_count > MESH_CORNERS_MAX ||
        head.triangle_count > MESH_TRIANGLES_MAX || head.material_count > MESH_MATERIALS_MAX ||
        head.frame_count > MESH_FRAMES_MAX ||
        3 * (uint64_t)head.vertex_count * head.frame_count > MESH_FRAME_NUMBERS_MAX) {
        return fault_set(fault, FAULT_LIMIT, NULL, "%.180s: more than can be taken", path);
    }
    file->parts = malloc(((size_t)head.part_count + 1) * sizeof *file->parts);
    mesh->positions = malloc((3 * (size_t)head.vertex_count + 1) * sizeof *mesh->positions);
    mesh->triangles = malloc((3 * (size_t)head.triangle_count + 1) * sizeof *mesh->triangles);
    if (!file->parts || !mesh->positions || !mesh->triangles) {
        return mesh_fail_memory(fault);
    }
    file->part_count = head.part_count;
    mesh->vertex_count = head.vertex_count;
    mesh->triangle_count = head.triangle_count;
    if (!read_at(fd, file->parts, head.part_count * sizeof *file->parts, &at) ||
        !read_at(fd, mesh->positions, 3 * (size_t)head.vertex_count * sizeof *mesh->positions, &at) ||
        !read_at(fd, mesh->triangles, 3 * (size_t)head.triangle_count * sizeof *mesh->triangles, &at) ||
        !is_sound(file)) {
        return fault_set(fault, FAULT_INVALID, NULL, "%.180s: it cannot be read", path);
    }
    if (!take_look(&head, fd, &at, file, fault) || !take_frames(&head, fd, &at, file, fault)) {
        return false;
    }
    if (!is_look_sound(file)) {
        return fault_set(fault, FAULT_INVALID, NULL, "%.180s: it cannot be read", path);
    }
    if (mesh->triangle_count == 0) {
        return fault_set(fault, FAULT_INVALID, NULL, "%.180s: there are no triangles in it", path);
    }
    return true;
}

// A file without a name that parent and child both hold: memory, where there is such a thing.
static int create_unnamed(void)
{
#ifdef MFD_CLOEXEC
    return memfd_create("mesh", MFD_CLOEXEC);
#else
    FILE *file = tmpfile();
    const int fd = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1;
    if (file) {
        fclose(file);
    }
    return fd;
#endif
}

static bool run_child(const struct mesh_source *source, const struct mesh_watch *watch,
                      struct mesh_file *file, struct fault *fault)
{
    const char *path = source->path;
    int status = 0;
    const int fd = create_unnamed();
    if (fd < 0) {
        return fault_set(fault, FAULT_MEMORY, NULL, "there is no memory for the mesh: %s", strerror(errno));
    }
    const pid_t child = fork();
    if (child == 0) {
        _exit(mesh_import_child(source, fd));
    }
    bool ok = child > 0 || fault_set(fault, FAULT_MEMORY, NULL, "there is no process to read the file: %s",
                                     strerror(errno));
    ok = ok && await_child(child, watch, &status, fault);
    if (ok && WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) {
        ok = fault_set(fault, FAULT_CANCELLED, NULL, "stopped while reading");
    } else if (ok && WIFSIGNALED(status)) {
        ok = fault_set(fault, FAULT_INVALID, NULL, "%.180s: it cannot be read: assimp %s with it", path,
                       WTERMSIG(status) == SIGXCPU ? "does not come to an end" : "crashes");
    }
    ok = ok && take_result(path, fd, file, fault);
    close(fd);
    return ok;
}

// ---------------------------------------------------------------------------------------------------------
// OBJ

// For each vertex that assimp has the one of the file: the nearest, within what float leaves of it. False if one has
// none.
static bool match(const struct mesh *mesh, const struct scene_obj *exact, uint32_t *target)
{
    struct mesh_places places;
    double greatest = 0;
    bool ok = true;
    for (size_t i = 0; i < 3 * (size_t)exact->vertex_count; i++) {
        greatest = fmax(greatest, fabs(exact->positions[i]));
    }
    if (!(greatest > 0) ||
        !mesh_places_init(&places, exact->positions, exact->vertex_count, 2e-6 * greatest)) {
        return false;
    }
    for (uint32_t i = 0; i < exact->vertex_count; i++) {
        mesh_places_add(&places, i);
    }
    for (uint32_t i = 0; i < mesh->vertex_count && ok; i++) {
        target[i] = mesh_places_find(&places, mesh->positions + 3 * (size_t)i, false);
        ok = target[i] != MESH_NONE;
    }
    mesh_places_deinit(&places);
    return ok;
}

// The file's own vertices take the place of assimp's. Where they do not fit together (a mesh so fine that float cannot
// tell its vertices apart), the strict reader's triangles stand in.
static bool take_exact(struct mesh_file *file, struct scene_obj *exact, struct fault *fault)
{
    struct mesh *mesh = &file->mesh;
    uint32_t *target = malloc(((size_t)mesh->vertex_count + 1) * sizeof *target);
    if (!target) {
        return mesh_fail_memory(fault);
    }
    if (match(mesh, exact, target)) {
        for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
            mesh->triangles[i] = target[mesh->triangles[i]];
        }
    } else {
        free(mesh->triangles);
        mesh->triangles = exact->triangles;
        mesh->triangle_count = exact->triangle_count;
        exact->triangles = NULL;
        mesh_look_drop(mesh);
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

static bool read_strictly(const struct mesh_source *source, struct scene_obj *exact, struct fault *fault)
{
    if (!scene_obj_parse(source->path, source->bytes, source->size, exact, fault)) {
        return false;
    }
    if (exact->triangle_count == 0) {
        return fault_set(fault, FAULT_INVALID, NULL, "%.180s: there are no faces in it", source->path);
    }
    return true;
}

// An OBJ with what it looks like; where assimp has its troubles with that (and with materials in other files), without.
static bool run_obj(const struct mesh_source *source, const struct mesh_watch *watch, struct mesh_file *file,
                    struct fault *fault)
{
    bool ok = false;
    for (int looks = 1; looks >= 0 && !ok; looks--) {
        struct mesh_source plain = *source;
        if (!mesh_plain_obj(source->bytes, source->size, looks == 1, &plain.bytes, &plain.size, fault)) {
            return false;
        }
        ok = run_child(&plain, watch, file, fault);
        free(plain.bytes);
        if (!ok && (fault->code == FAULT_CANCELLED || fault->code == FAULT_MEMORY)) {
            return false;
        }
        if (!ok && looks == 1) {
            const char *format = file->format;
            mesh_file_deinit(file);
            file->format = format;
        }
    }
    return ok;
}

bool mesh_import(const char *path, const char *format, const struct mesh_play *play,
                 const struct mesh_watch *watch, struct mesh_file *file, struct fault *fault)
{
    struct scene_obj exact = {0};
    struct mesh_source source = {.path = path, .format = format, .play = play};
    const bool is_obj = strcmp(format, "obj") == 0;
    source.bytes = mesh_load(path, &source.size, fault);
    bool ok = source.bytes &&
              (is_obj ? read_strictly(&source, &exact, fault) && run_obj(&source, watch, file, fault)
                      : run_child(&source, watch, file, fault));
    if (ok && exact.vertex_count > 0) {
        ok = take_exact(file, &exact, fault);
    }
    if (ok && !mesh_number(&file->mesh)) {
        ok = mesh_fail_memory(fault);
    }
    free(exact.positions);
    free(exact.triangles);
    free(source.bytes);
    return ok;
}
