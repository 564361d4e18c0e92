// A stranger's program: everything it knows of weft is <weft.h>.
#include <stdio.h>
#include <string.h>
#include <weft.h>

int main(void)
{
    struct weft_params params;
    struct weft_mesh mesh;
    struct weft_error error;
    weft_params_init(&params);
    weft_params_string(&params, "name", "flag");
    weft_params_deinit(&params);
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    if (!weft_obj_parse("triangle", text, strlen(text), &mesh, &error) || mesh.triangle_count != 1) {
        return 1;
    }
    weft_mesh_deinit(&mesh);
    // Nothing listens on port 1.
    struct weft_client *client = weft_connect("127.0.0.1:1", 1000, &error);
    if (client || strcmp(error.code, "CONNECT") != 0) {
        return 2;
    }
    printf("weft %s\n", weft_version());
    return 0;
}
