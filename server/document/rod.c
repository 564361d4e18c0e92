// Rods on the wire: what a rope is made of, and the orientations and clamps of documents and restores.
#include "document/document.h"
#include "document/fill_rod.h"
#include "document/parts.h"

#include <stdlib.h>
#include <string.h>

bool document_rod_take(const struct protocol_body_add_params *params, struct sim_rod **out,
                       const struct document_reader *reader)
{
    const struct protocol_rod *given = &params->rod;
    const struct protocol_stretch_material *stretch = &params->stretch;
    *out = NULL;
    if (params->kind != PROTOCOL_BODY_ADD_PARAMS_KIND_ROPE) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "rod",
                                      "must be absent; it is for kind rope");
    }
    if (stretch->compliance > 0 || stretch->damping > 0 ||
        (stretch->has & (PROTOCOL_HAS_STRETCH_MATERIAL_STIFFNESS | PROTOCOL_HAS_STRETCH_MATERIAL_LIMIT))) {
        return document_reader_refuse(
            reader, PROTOCOL_CODE_INVALID, "stretch",
            "must be absent where rod is given; a rod stretches by young and radius");
    }
    struct sim_rod *rod = calloc(1, sizeof *rod);
    if (!rod) {
        return document_reader_refuse(reader, PROTOCOL_CODE_MEMORY, NULL, "no memory for the rod");
    }
    *rod = (struct sim_rod){
        .radius = given->radius,
        .young = given->young,
        .poisson = given->poisson,
        .bend_stiffness = given->has & PROTOCOL_HAS_ROD_BEND_STIFFNESS ? given->bend_stiffness : 0,
        .twist_stiffness = given->has & PROTOCOL_HAS_ROD_TWIST_STIFFNESS ? given->twist_stiffness : 0,
        .damping = given->damping,
        .curved = given->has & PROTOCOL_HAS_ROD_REST,
        .direct = (given->has & PROTOCOL_HAS_ROD_SOLVE) && given->solve == PROTOCOL_ROD_SOLVE_DIRECT,
    };
    if (rod->curved) {
        memcpy(rod->curvature, given->rest, sizeof rod->curvature);
        rod->rest_twist = given->rest[2];
    }
    if (given->has & PROTOCOL_HAS_ROD_PLASTIC) {
        rod->plastic = (struct sim_plastic){.yield = given->plastic.yield_angle,
                                            .rate = given->plastic.rate,
                                            .greatest = given->plastic.greatest};
    }
    rod->twist = given->has & PROTOCOL_HAS_ROD_TWIST ? given->twist : rod->rest_twist;
    *out = rod;
    return true;
}

bool document_rod_fill(const struct sim_rod *rod, struct protocol_rod *out)
{
    if (!rod) {
        return false;
    }
    *out = (struct protocol_rod){
        .has = PROTOCOL_HAS_ROD_RADIUS | PROTOCOL_HAS_ROD_YOUNG | PROTOCOL_HAS_ROD_POISSON |
               PROTOCOL_HAS_ROD_DAMPING | PROTOCOL_HAS_ROD_TWIST |
               (rod->bend_stiffness > 0 ? PROTOCOL_HAS_ROD_BEND_STIFFNESS : 0) |
               (rod->twist_stiffness > 0 ? PROTOCOL_HAS_ROD_TWIST_STIFFNESS : 0) |
               (rod->curved ? PROTOCOL_HAS_ROD_REST : 0) | (rod->direct ? PROTOCOL_HAS_ROD_SOLVE : 0) |
               (rod->plastic.rate > 0 ? PROTOCOL_HAS_ROD_PLASTIC : 0),
        .radius = rod->radius,
        .young = rod->young,
        .poisson = rod->poisson,
        .bend_stiffness = rod->bend_stiffness,
        .twist_stiffness = rod->twist_stiffness,
        .damping = rod->damping,
        .rest = {rod->curvature[0], rod->curvature[1], rod->rest_twist},
        .twist = rod->twist,
        .solve = rod->direct ? PROTOCOL_ROD_SOLVE_DIRECT : PROTOCOL_ROD_SOLVE_SWEPT,
        .plastic = {.has = PROTOCOL_HAS_ALL,
                    .yield_angle = rod->plastic.yield,
                    .rate = rod->plastic.rate,
                    .greatest = rod->plastic.greatest},
    };
    return true;
}

// ------------------------------------------------------------------------------------------- orientations

void document_fill_turned(const struct sim_turned *turned, double *out)
{
    for (int k = 0; k < 4; k++) {
        out[k] = turned->q[k];
    }
    for (int axis = 0; axis < 3; axis++) {
        out[4 + axis] = (double)turned->spin[axis];
    }
    out[7] = (double)turned->w;
    for (int k = 0; k < 4; k++) {
        out[8 + k] = (double)turned->rest[k];
    }
}

static bool whole_take(const struct document_reader *reader, const char *field, uint32_t element,
                       double value, int32_t *out)
{
    const double most = 1073741824;
    if (!(value >= -most && value <= most) || (double)(int32_t)value != value) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, field,
                                      "element %u is %g; must be a whole number in [-%g, %g]", element, value,
                                      most, most);
    }
    *out = (int32_t)value;
    return true;
}

bool document_turned_take(const struct document_reader *reader, const struct protocol_document_state *state,
                          uint32_t count, const struct sim_turned **out)
{
    static const char field[] = "state.turned";
    const double *given;
    *out = NULL;
    if (!(state->has & PROTOCOL_HAS_DOCUMENT_STATE_TURNED)) {
        return true;
    }
    struct sim_turned *turned = document_reader_alloc(reader, count, sizeof *turned);
    if (!turned ||
        !document_reader_count(reader, field, state->turned.count, 12 * count, "twelve a particle") ||
        !document_reader_f64s(reader, field, &state->turned, 12 * count, NULL, &given)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double *of = given + 12 * (size_t)i;
        for (uint32_t k = 0; k < 4; k++) {
            if (!whole_take(reader, field, 12 * i + k, of[k], &turned[i].q[k])) {
                return false;
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            turned[i].spin[axis] =
                (float)of[4 + axis]; // what no float can hold is refused as one that is too fast
        }
        turned[i].w = (float)of[7];
        for (int k = 0; k < 4; k++) {
            turned[i].rest[k] = (float)of[8 + k];
        }
    }
    *out = turned;
    return true;
}

// Reads so many whole numbers; *out NULL: they are absent.
static bool wholes_take(const struct document_reader *reader, const char *field, bool has,
                        const struct protocol_array *array, uint32_t count, const char *each,
                        const int32_t **out)
{
    const double *given;
    *out = NULL;
    if (!has) {
        return true;
    }
    int32_t *wholes = document_reader_alloc(reader, count, sizeof *wholes);
    if (!wholes || !document_reader_count(reader, field, array->count, count, each) ||
        !document_reader_f64s(reader, field, array, count, NULL, &given)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!whole_take(reader, field, i, given[i], &wholes[i])) {
            return false;
        }
    }
    *out = wholes;
    return true;
}

bool document_clamps_take(const struct document_reader *reader, const struct protocol_document_state *state,
                          uint32_t count, const int32_t **clamps, const int32_t **held)
{
    return wholes_take(reader, "state.pin_clamps", state->has & PROTOCOL_HAS_DOCUMENT_STATE_PIN_CLAMPS,
                       &state->pin_clamps, 8 * count, "eight a pin", clamps) &&
           wholes_take(reader, "state.pin_clamp_places",
                       state->has & PROTOCOL_HAS_DOCUMENT_STATE_PIN_CLAMP_PLACES, &state->pin_clamp_places,
                       4 * count, "four a pin", held);
}
