// OBJ files: found, read whole, and handed to the parser that scenes are read with as well.
#include "internal.h"

#include "protocol/array/reserve.h"
#include "protocol/scene/obj.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX ((size_t)512 << 20)

bool weft_obj_parse(const char *name, const char *text, size_t size, struct weft_mesh *mesh,
                    struct weft_error *error)
{
    struct scene_obj obj;
    struct fault fault;
    memset(mesh, 0, sizeof *mesh);
    if (!scene_obj_parse(name, text, size, &obj, &fault)) {
        return weft_fail(error, WEFT_KIND_LOCAL, fault_word(fault.code), "%s", fault.text);
    }
    *mesh = (struct weft_mesh){.positions = obj.positions,
                               .vertex_count = obj.vertex_count,
                               .triangles = obj.triangles,
                               .triangle_count = obj.triangle_count};
    return true;
}

bool weft_obj_read(const char *path, struct weft_mesh *mesh, struct weft_error *error)
{
    bool ok = false;
    char *text = NULL;
    size_t size = 0, capacity = 0;
    memset(mesh, 0, sizeof *mesh);
    FILE *file = fopen(path, "rbe");
    if (!file) {
        return weft_fail(error, WEFT_KIND_LOCAL, "FILE", "cannot open %s: %s", path, strerror(errno));
    }
    // Read to the end rather than by a size asked for: pipes have none, and files grow.
    for (;;) {
        if (size == capacity && !array_reserve(&text, &capacity, size + 65536)) {
            weft_fail_memory(error);
            goto cleanup;
        }
        const size_t got = fread(text + size, 1, capacity - size, file);
        size += got;
        if (size > FILE_BYTES_MAX) {
            weft_fail(error, WEFT_KIND_LOCAL, "LIMIT", "%s: larger than 512 MiB", path);
            goto cleanup;
        }
        if (got == 0) {
            break;
        }
    }
    if (ferror(file)) {
        weft_fail(error, WEFT_KIND_LOCAL, "FILE", "cannot read %s: %s", path, strerror(errno));
        goto cleanup;
    }
    ok = weft_obj_parse(path, text, size, mesh, error);

cleanup:
    free(text);
    fclose(file);
    return ok;
}

void weft_mesh_deinit(struct weft_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->triangles);
    memset(mesh, 0, sizeof *mesh);
}
