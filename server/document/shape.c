// Shape matching as clients say it, and as the sim has it.
#include "document/parts.h"

_Static_assert((int)PROTOCOL_SHAPE_MODEL_NONE == (int)SIM_MATCH_NONE &&
                   (int)PROTOCOL_SHAPE_MODEL_RIGID == (int)SIM_MATCH_RIGID,
               "models of shape matching stand in the same order on the wire and in the sim");

bool document_shape_merge(const struct document_reader *reader, const struct protocol_shape *given,
                          uint32_t particles, struct sim_matching *matching)
{
    const uint64_t others = PROTOCOL_HAS_SHAPE_COMPLIANCE | PROTOCOL_HAS_SHAPE_RADIUS |
                            PROTOCOL_HAS_SHAPE_SPACING | PROTOCOL_HAS_SHAPE_POSITIONS;
    const bool ends = (given->has & PROTOCOL_HAS_SHAPE_MODEL) && given->model == PROTOCOL_SHAPE_MODEL_NONE;
    if (ends && (given->has & others)) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "shape.model",
                                      "none; must be rigid or absent if other fields of shape are given");
    }
    if (ends) {
        *matching = (struct sim_matching){0};
        return true;
    }
    matching->model = SIM_MATCH_RIGID;
    matching->compliance =
        given->has & PROTOCOL_HAS_SHAPE_COMPLIANCE ? given->compliance : matching->compliance;
    matching->radius = given->has & PROTOCOL_HAS_SHAPE_RADIUS ? given->radius : matching->radius;
    matching->spacing = given->has & PROTOCOL_HAS_SHAPE_SPACING ? given->spacing : matching->spacing;
    return !(given->has & PROTOCOL_HAS_SHAPE_POSITIONS) ||
           (document_reader_count(reader, "shape.positions", given->positions.count, 3 * particles,
                                  "three a particle") &&
            document_reader_f64s(reader, "shape.positions", &given->positions, 3 * particles, NULL,
                                 &matching->places));
}

void document_shape_fill(const struct sim_matching *matching, uint32_t particles, struct protocol_shape *out)
{
    const bool some = matching->model != SIM_MATCH_NONE;
    *out = (struct protocol_shape){
        .has = PROTOCOL_HAS_SHAPE_MODEL | (some ? PROTOCOL_HAS_SHAPE_COMPLIANCE : 0) |
               (some && matching->radius > 0 ? PROTOCOL_HAS_SHAPE_RADIUS : 0) |
               (some && matching->spacing > 0 ? PROTOCOL_HAS_SHAPE_SPACING : 0) |
               (matching->places ? PROTOCOL_HAS_SHAPE_POSITIONS : 0),
        .model = (int)matching->model,
        .compliance = matching->compliance,
        .radius = matching->radius,
        .spacing = matching->spacing,
        .positions = {.type = PROTOCOL_ARRAY_F64,
                      .count = matching->places ? 3 * particles : 0,
                      .data = matching->places},
    };
}
