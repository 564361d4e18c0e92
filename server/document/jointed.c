// Joints as clients name them, with a piece and none to three particles of the second side, become joints as the sim has them: four
// particles each (sim_joint.h).
#include "document/parts.h"

static bool sides_of(const struct document_reader *reader, const struct document_jointed *said,
                     uint32_t *other)
{
    const uint32_t *sides = NULL;
    *other = 1;
    if (!said->sides) {
        return true;
    }
    if (!document_reader_count(reader, "sides", said->sides->count, 2, NULL) ||
        !document_reader_u32s(reader, "sides", said->sides, &sides)) {
        return false;
    }
    if (sides[0] != 1) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "sides",
                                      "element 0 is %u; must be 1 for joints, whose first side is a piece",
                                      sides[0]);
    }
    if (sides[1] > 3) {
        return document_reader_refuse(
            reader, PROTOCOL_CODE_INVALID, "sides",
            "element 1 is %u; must be 0 (the world), 1 (a piece or a particle), 2 (a "
            "segment of a rod) or 3 (a triangle) for joints",
            sides[1]);
    }
    *other = sides[1];
    return true;
}

bool document_jointed_count(const struct document_reader *reader, const struct document_jointed *said,
                            uint32_t length, uint32_t *count)
{
    uint32_t other;
    if (!sides_of(reader, said, &other)) {
        return false;
    }
    *count = length / (1 + other);
    return (length > 0 && length % (1 + other) == 0) ||
           document_reader_refuse(
               reader, PROTOCOL_CODE_INVALID, "particles",
               "length %u; must be a positive multiple of %u: 1 and %u for the sides of each joint", length,
               1 + other, other);
}

bool document_jointed_values(const struct document_reader *reader, const struct document_jointed *said,
                             uint32_t count, struct sim_joint_values *values)
{
    static const char *const per = "one a joint";
    const double *anchors = NULL;
    values->model = said->model;
    values->motor = said->motor;
    values->motor_given = said->motor_given;
    const bool both = said->anchors && said->anchors->count == 3 * count && count > 0;
    if ((said->anchors && !document_reader_f64s(reader, "anchors", said->anchors, (both ? 3 : 6) * count,
                                                "3 or 6 a joint", &anchors)) ||
        (said->axes &&
         !document_reader_f64s(reader, "axes", said->axes, 3 * count, "3 a joint", &values->axes)) ||
        (said->limits &&
         !document_reader_f64s(reader, "limits", said->limits, 2 * count, "2 a joint", &values->limits)) ||
        (said->turn_compliance && !document_reader_f64s(reader, "turn_compliance", said->turn_compliance,
                                                        count, per, &values->turn_compliance)) ||
        (said->motor_target && !document_reader_f64s(reader, "motor_target", said->motor_target, count, per,
                                                     &values->motor_target)) ||
        (said->motor_most &&
         !document_reader_f64s(reader, "motor_most", said->motor_most, count, per, &values->motor_most)) ||
        (said->motor_compliance && !document_reader_f64s(reader, "motor_compliance", said->motor_compliance,
                                                         count, per, &values->motor_compliance))) {
        return false;
    }
    values->anchors = anchors;
    if (both) {
        double *twice = document_reader_alloc(reader, (size_t)6 * count, sizeof *twice);
        for (size_t i = 0; twice && i < (size_t)6 * count; i++) {
            twice[i] = anchors[i / 6 * 3 + i % 3];
        }
        values->anchors = twice;
        return twice != NULL;
    }
    return true;
}

bool document_jointed_expand(const struct document_reader *reader, const struct document_jointed *said,
                             uint32_t count, const uint32_t **bodies, const uint32_t **particles,
                             struct sim_joint_values *values)
{
    uint32_t other;
    const double *weights = NULL;
    if (!sides_of(reader, said, &other)) {
        return false;
    }
    const uint32_t each = 1 + other;
    if (said->weights &&
        (!document_reader_count(reader, "weights", said->weights->count, count * each, "one a particle") ||
         !document_reader_f64s(reader, "weights", said->weights, count * each, "one a particle", &weights))) {
        return false;
    }
    const size_t corners = (size_t)count * SIM_JOINT_CORNERS;
    uint32_t *of = document_reader_alloc(reader, corners, sizeof *of);
    uint32_t *at = document_reader_alloc(reader, corners, sizeof *at);
    double *shares = document_reader_alloc(reader, (size_t)3 * count, sizeof *shares);
    if (!of || !at || !shares) {
        return false;
    }
    for (uint32_t c = 0; c < count; c++) {
        for (uint32_t k = 0; k < SIM_JOINT_CORNERS; k++) {
            const size_t used = k <= other ? k : other > 0 ? 1 : 0, from = (size_t)c * each + used;
            of[(size_t)c * SIM_JOINT_CORNERS + k] = (*bodies)[from];
            at[(size_t)c * SIM_JOINT_CORNERS + k] = (*particles)[from];
        }
        for (uint32_t k = 0; k < 3; k++) {
            const double given = weights && k < other ? weights[(size_t)c * each + 1 + k] : 0;
            shares[3 * (size_t)c + k] = weights ? given : 1.0 / 3;
        }
    }
    *bodies = of;
    *particles = at;
    values->weights = other == 3 || (other == 2 && weights) ? shares : NULL;
    return true;
}
