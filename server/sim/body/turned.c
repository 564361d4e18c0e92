// Orientations that a body is made with.

#include "sim/body/body.h"
#include "sim/ground/ground.h"

#include <stdlib.h>

void sim_turn_from(const double quaternion[4], int32_t q[4])
{
    double most = 0, length2 = 0;
    for (int i = 0; i < 4; i++) {
        const double size = quaternion[i] < 0 ? -quaternion[i] : quaternion[i];
        most = size > most ? size : most;
    }
    for (int i = 0; i < 4; i++) {
        length2 += quaternion[i] / most * (quaternion[i] / most);
    }
    for (int i = 0; i < 4; i++) {
        q[i] = (int32_t)sim_quantize(quaternion[i] / most / __builtin_sqrt(length2), (double)SIM_TURN_ONE);
    }
    sim_turn_sign(q);
}

enum fault_code sim_turned_check(const char *field, const struct sim_turned *turned, uint32_t count,
                                 struct fault *fault)
{
    const int64_t one = INT64_C(1) << 60, apart = one >> 12;
    for (uint32_t i = 0; turned && i < count; i++) {
        const struct sim_turned *given = &turned[i];
        int64_t length2 = 0;
        bool fits = true, stands = given->w == 0;
        for (int k = 0; k < 4; k++) {
            fits = fits && given->q[k] <= 1 << 30 && given->q[k] >= -(1 << 30);
        }
        for (int k = 0; fits && k < 4; k++) {
            length2 += (int64_t)given->q[k] * given->q[k] / 4;
        }
        fits = fits && length2 * 4 - one <= apart && one - length2 * 4 <= apart;
        for (int axis = 0; axis < 3; axis++) {
            if (!(sim_abs(given->spin[axis]) <= SIM_SPIN_MAX)) {
                return fault_code_set(fault, FAULT_INVALID, field,
                                      "particle %u turns at %g rad/s; at most %g rad/s", i,
                                      (double)given->spin[axis], (double)SIM_SPIN_MAX);
            }
            stands = stands && given->spin[axis] == 0;
        }
        if (!(fits || (stands && !sim_turn_is(given->q)))) {
            return fault_code_set(fault, FAULT_INVALID, field,
                                  "the orientation of particle %u must be of length 1, or all 0", i);
        }
        double rest2 = 0;
        for (int k = 0; k < 4; k++) {
            rest2 += (double)given->rest[k] * (double)given->rest[k];
        }
        if (!(rest2 == 0 || (rest2 > 0.999 && rest2 < 1.001))) {
            return fault_code_set(fault, FAULT_INVALID, field,
                                  "the rest of the joint at particle %u must be of length 1, or all 0", i);
        }
        if (!(given->w == 0 ||
              ((double)given->w >= SIM_INVERSE_INERTIA_MIN && (double)given->w <= SIM_INVERSE_INERTIA_MAX))) {
            return fault_code_set(fault, FAULT_INVALID, field,
                                  "the inverse inertia of particle %u is %g; must be 0 or in [%g, %g]", i,
                                  (double)given->w, SIM_INVERSE_INERTIA_MIN, SIM_INVERSE_INERTIA_MAX);
        }
    }
    return FAULT_NONE;
}

bool sim_body_turned_take(struct sim_body *body, const struct sim_turned *turned)
{
    if (!turned) {
        return true;
    }
    body->turned = malloc(((size_t)body->count + 1) * sizeof *body->turned);
    for (uint32_t i = 0; body->turned && i < body->count; i++) {
        body->turned[i] = turned[i];
        sim_turn_sign(body->turned[i].q);
    }
    return body->turned != NULL;
}
