// The header in C++.
#include <weft_twin.h>

int main()
{
    weft_error error;
    struct weft_twin *twin = weft_twin_create(nullptr, &error);
    struct weft_twin_state state;
    weft_twin_state(twin, &state);
    const uint32_t bodies = weft_twin_body_count(twin);
    weft_twin_destroy(twin);
    return bodies == 0 && !state.begun ? 0 : 1;
}
