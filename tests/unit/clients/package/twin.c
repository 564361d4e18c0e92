// A stranger's program: everything it knows of twins is <weft_twin.h>.
#include <string.h>
#include <weft_twin.h>

int main(void)
{
    struct weft_error error;
    struct weft_twin_state state;
    const msgpack_object nothing = {.type = MSGPACK_OBJECT_NIL};
    struct weft_twin *twin = weft_twin_create(NULL, &error);
    if (!twin) {
        return 1;
    }
    const bool taken = weft_twin_take(twin, &nothing, weft_twin_now_us(), &error);
    weft_twin_state(twin, &state);
    const bool refused = !taken && strcmp(error.code, "PROTOCOL") == 0 && state.lost && !state.begun;
    weft_twin_destroy(twin);
    return refused ? 0 : 2;
}
