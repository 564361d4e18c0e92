// Pressure as clients say it, and as the sim has it.
#include "document/parts.h"

#define GAS_FIELDS (PROTOCOL_HAS_PRESSURE_OVERPRESSURE | PROTOCOL_HAS_PRESSURE_AMBIENT)
#define VOLUME_FIELDS (PROTOCOL_HAS_PRESSURE_RATIO | PROTOCOL_HAS_PRESSURE_COMPLIANCE)

_Static_assert((int)PROTOCOL_PRESSURE_MODEL_NONE == (int)SIM_PRESSURE_NONE &&
                   (int)PROTOCOL_PRESSURE_MODEL_GAS == (int)SIM_PRESSURE_GAS &&
                   (int)PROTOCOL_PRESSURE_MODEL_VOLUME == (int)SIM_PRESSURE_VOLUME,
               "models of pressure stand in the same order on the wire and in the sim");

// Refuses fields that the model does not have.
static bool fields_fit(const struct document_reader *reader, const struct protocol_pressure *given, int model)
{
    static const struct {
        uint64_t bit;
        const char *name;
        int model;
    } fields[] = {
        {PROTOCOL_HAS_PRESSURE_OVERPRESSURE, "pressure.overpressure", SIM_PRESSURE_GAS},
        {PROTOCOL_HAS_PRESSURE_AMBIENT, "pressure.ambient", SIM_PRESSURE_GAS},
        {PROTOCOL_HAS_PRESSURE_RATIO, "pressure.ratio", SIM_PRESSURE_VOLUME},
        {PROTOCOL_HAS_PRESSURE_COMPLIANCE, "pressure.compliance", SIM_PRESSURE_VOLUME},
        {PROTOCOL_HAS_PRESSURE_VOLUME, "pressure.volume", -1},
        {PROTOCOL_HAS_PRESSURE_SECONDS, "pressure.seconds", -1},
        {PROTOCOL_HAS_PRESSURE_NOW, "pressure.now", -1},
    };
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        const bool fits = model != SIM_PRESSURE_NONE && (fields[f].model < 0 || fields[f].model == model);
        if ((given->has & fields[f].bit) && !fits) {
            return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, fields[f].name,
                                          "must be absent; it is for model %s",
                                          fields[f].model < 0                   ? "gas or volume"
                                          : fields[f].model == SIM_PRESSURE_GAS ? "gas"
                                                                                : "volume");
        }
    }
    return true;
}

bool document_pressure_merge(const struct document_reader *reader, const struct protocol_pressure *given,
                             struct sim_pressure *pressure)
{
    const bool began = pressure->model != SIM_PRESSURE_NONE;
    const int model = given->has & PROTOCOL_HAS_PRESSURE_MODEL ? given->model
                      : began                                  ? (int)pressure->model
                                                               : (int)SIM_PRESSURE_GAS;
    const bool ends = given->has & (PROTOCOL_HAS_PRESSURE_OVERPRESSURE | PROTOCOL_HAS_PRESSURE_RATIO);
    if (!fields_fit(reader, given, model)) {
        return false;
    }
    if (model != (int)pressure->model) {
        const double value = model == SIM_PRESSURE_VOLUME ? 1 : 0;
        *pressure =
            (struct sim_pressure){.model = (enum sim_pressure_model)model, .end = value, .now = value};
        pressure->ambient = model == SIM_PRESSURE_GAS ? SIM_PRESSURE_AMBIENT : 0;
    }
    if (ends) {
        pressure->end = given->has & PROTOCOL_HAS_PRESSURE_RATIO ? given->ratio : given->overpressure;
        pressure->seconds = 0;
    }
    pressure->ambient = given->has & PROTOCOL_HAS_PRESSURE_AMBIENT ? given->ambient : pressure->ambient;
    pressure->compliance =
        given->has & PROTOCOL_HAS_PRESSURE_COMPLIANCE ? given->compliance : pressure->compliance;
    pressure->volume = given->has & PROTOCOL_HAS_PRESSURE_VOLUME ? given->volume : pressure->volume;
    pressure->seconds = given->has & PROTOCOL_HAS_PRESSURE_SECONDS ? given->seconds : pressure->seconds;
    if ((given->has & PROTOCOL_HAS_PRESSURE_NOW) && !(pressure->seconds > 0)) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "pressure.now",
                                      "%g; must be absent where seconds are 0 or absent", given->now);
    }
    pressure->now = given->has & PROTOCOL_HAS_PRESSURE_NOW ? given->now : pressure->now;
    return true;
}

void document_pressure_fill(const struct sim_pressure *pressure, struct protocol_pressure *out)
{
    *out = (struct protocol_pressure){
        .has = PROTOCOL_HAS_PRESSURE_MODEL | (pressure->model == SIM_PRESSURE_GAS ? GAS_FIELDS : 0) |
               (pressure->model == SIM_PRESSURE_VOLUME ? VOLUME_FIELDS : 0) |
               (pressure->volume > 0 ? PROTOCOL_HAS_PRESSURE_VOLUME : 0) |
               (pressure->seconds > 0 ? PROTOCOL_HAS_PRESSURE_SECONDS | PROTOCOL_HAS_PRESSURE_NOW : 0),
        .model = (int)pressure->model,
        .overpressure = pressure->end,
        .ratio = pressure->end,
        .ambient = pressure->ambient,
        .compliance = pressure->compliance,
        .volume = pressure->volume,
        .seconds = pressure->seconds,
        .now = pressure->now,
    };
}
