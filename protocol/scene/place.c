// Places a mesh: scales it, then turns it, then moves it.
//
//     scale 2 or [2, 1, 1] · rotation [x, y, z, w] or turn {axis, degrees} · position [x, y, z]
#include "protocol/scene/internal.h"

#include <math.h>
#include <string.h>

const char *const scene_placements[] = {"position", "rotation", "turn", "scale", NULL};

#define PI_OVER_180 0.017453292519943295

void scene_turn(double degrees, double *cosine, double *sine)
{
    double quarters = floor(degrees / 90 + 0.5), angle = (degrees - 90 * quarters) * PI_OVER_180;
    double square = angle * angle, c = 1, s = angle, term_c = 1, term_s = angle;
    for (int n = 1; n <= 10; n++) { // |angle| <= pi/4: what is left out is below 1e-19
        term_c *= -square / ((2 * n - 1) * (2 * n));
        term_s *= -square / ((2 * n) * (2 * n + 1));
        c += term_c;
        s += term_s;
    }
    double turned = quarters - 4 * floor(quarters / 4);
    *cosine = turned == 0 ? c : turned == 1 ? -s : turned == 2 ? -c : s;
    *sine = turned == 0 ? s : turned == 1 ? c : turned == 2 ? -s : -c;
}

static bool normalize(struct scene_reader *reader, double *v, int count)
{
    double length = 0;
    for (int i = 0; i < count; i++) {
        length += v[i] * v[i];
    }
    length = sqrt(length);
    if (!(length > 1e-12 && length < 1e12)) {
        return scene_refuse(reader, "its length is %g; must be between 1e-12 and 1e12", length);
    }
    for (int i = 0; i < count; i++) {
        v[i] /= length;
    }
    return true;
}

static bool turn(struct scene_reader *reader, const json_t *spec, double out[4])
{
    static const char *const members[] = {"axis", "degrees", NULL};
    double axis[3] = {0, 1, 0}, degrees = 0, cosine, sine;
    if (!json_is_object(spec) || !json_object_get(spec, "degrees")) {
        return scene_refuse(reader, "must be an object, such as {\"axis\": [0, 1, 0], \"degrees\": 90}");
    }
    if (!scene_check_members(reader, spec, members, NULL) ||
        !scene_member_vector(reader, spec, "axis", 3, axis) ||
        !scene_member_number(reader, spec, "degrees", -36000, 36000, &degrees)) {
        return false;
    }
    size_t before = scene_enter(reader, "axis");
    if (!normalize(reader, axis, 3)) {
        return false;
    }
    scene_leave(reader, before);
    scene_turn(degrees / 2, &cosine, &sine);
    for (int i = 0; i < 3; i++) {
        out[i] = axis[i] * sine;
    }
    out[3] = cosine;
    return true;
}

bool scene_rotation(struct scene_reader *reader, const json_t *object, double out[4], bool *given)
{
    const json_t *rotation = json_object_get(object, "rotation"), *turned = json_object_get(object, "turn");
    *given = rotation || turned;
    if (rotation && turned) {
        return scene_refuse(reader, "has both rotation and turn; one of them is enough");
    }
    if (!*given) {
        return true;
    }
    size_t before = scene_enter(reader, rotation ? "rotation" : "turn");
    bool done = rotation ? scene_vector(reader, rotation, 4, out) && normalize(reader, out, 4)
                         : turn(reader, turned, out);
    scene_leave(reader, before);
    return done;
}

static bool scale_of(struct scene_reader *reader, const json_t *object, double scale[3])
{
    const json_t *value = json_object_get(object, "scale");
    size_t before = scene_enter(reader, "scale");
    bool done = true;
    if (json_is_number(value)) {
        done = scene_number(reader, value, 1e-9, 1e9, &scale[0]);
        scale[1] = scale[2] = scale[0];
    } else if (value) {
        done = scene_vector(reader, value, 3, scale);
        for (int axis = 0; done && axis < 3; axis++) {
            done = scene_number(reader, json_array_get(value, (size_t)axis), 1e-9, 1e9, &scale[axis]);
        }
    }
    scene_leave(reader, before);
    return done;
}

bool scene_place_body(struct scene_reader *reader, const json_t *object, struct scene_body *body)
{
    double scale[3] = {1, 1, 1}, move[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1};
    bool turned;
    if (!scale_of(reader, object, scale) || !scene_rotation(reader, object, q, &turned) ||
        !scene_member_vector(reader, object, "position", 3, move)) {
        return false;
    }
    for (uint32_t i = 0; i < body->count; i++) {
        double *x = body->positions + 3 * (size_t)i, v[3];
        for (int axis = 0; axis < 3; axis++) {
            v[axis] = x[axis] * scale[axis];
        }
        if (turned) { // v + 2 w (u x v) + 2 u x (u x v), u = (x, y, z)
            double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                           2 * (q[0] * v[1] - q[1] * v[0])};
            double w[3] = {v[0] + q[3] * t[0] + (q[1] * t[2] - q[2] * t[1]),
                           v[1] + q[3] * t[1] + (q[2] * t[0] - q[0] * t[2]),
                           v[2] + q[3] * t[2] + (q[0] * t[1] - q[1] * t[0])};
            memcpy(v, w, sizeof v);
        }
        for (int axis = 0; axis < 3; axis++) {
            x[axis] = v[axis] + move[axis];
        }
    }
    return true;
}
