// The header in C++.
#include <weft.h>

int main()
{
    weft_params params;
    weft_params_init(&params);
    weft_params_vec3(&params, "gravity", 0, -9.81, 0);
    weft_params_deinit(&params);
    weft_reply reply = weft_reply();
    weft_reply_destroy(&reply);
    weft_view view;
    return weft_view_f32(weft_get(nullptr, "positions"), &view) ? 1 : 0;
}
