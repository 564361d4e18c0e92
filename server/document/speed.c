// Speeds that would fail a world in its next tick: refused where they are asked for. A record that is applied again may have
// them, and edit.restore puts back whatever was.
#include "document/parts.h"

#include <math.h>

static const char *const coarser = "a coarser resolution of the world allows more";

bool document_velocities_fit(const struct document *document, struct document_edit *edit,
                             const struct protocol_array *velocities)
{
    const double most = sim_speed_max(document->sim);
    for (uint32_t i = 0; edit->live && i < velocities->count; i++) {
        const double speed = protocol_array_f64_at(velocities, i);
        if (!(fabs(speed) <= most)) {
            return document_refuse(edit, PROTOCOL_CODE_INVALID, "velocities",
                                   "velocities: element %u is %g m/s; must be in [-%g, %g]; %s", i, speed,
                                   most, most, coarser);
        }
    }
    return true;
}

bool document_motion_fits(const struct document *document, struct document_edit *edit,
                          const struct sim_motion *motion)
{
    const double rate = sim_settings_of(document->sim)->tick_rate;
    const double most = sim_speed_max(document->sim) / rate; // in a tick
    for (uint32_t k = 0; edit->live && motion->body != 0 && k < motion->key_count; k++) {
        const uint32_t before = k > 0 ? k - 1 : motion->key_count - 1; // a loop begins again at once
        const double ticks = k > 0 ? (motion->times[k] - motion->times[before]) * rate : 1;
        for (uint32_t axis = 0; axis < 3 && (k > 0 || motion->loop); axis++) {
            const double way =
                motion->offsets[3 * (size_t)k + axis] - motion->offsets[3 * (size_t)before + axis];
            if (!(fabs(way) <= most * (ticks > 1 ? ticks : 1))) {
                return document_refuse(
                    edit, PROTOCOL_CODE_INVALID, "offsets",
                    "offsets: keyframe %u is %g m from keyframe %u, which is %g ticks away; at most "
                    "%g m in a tick; %s",
                    k, fabs(way), before, ticks, most, coarser);
            }
        }
    }
    return true;
}
