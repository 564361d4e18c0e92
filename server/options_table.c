// The rows of options_rows.h as an array, and what people read of a row.
#include "options_internal.h"

#include "net/net.h"
#include "protocol/generated/api.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define OPTIONS_PERSON_MAX (UINT64_C(1) << 40)
#define OPTIONS_FRAMES_MAX (UINT64_C(1) << 40)

const struct option_row options_table[OPTIONS_COUNT] = {
#define OPTION(member, is, ...)                                          \
    [OPTION_##member] = {.kind = OPTION_IS_##is,                         \
                         .at = offsetof(struct options, member),         \
                         .size = sizeof((struct options *)NULL)->member, \
                         __VA_ARGS__},
#include "options_rows.h"
};

const char *options_variable(const struct option_row *row, char out[OPTIONS_VARIABLE_SIZE])
{
    snprintf(out, OPTIONS_VARIABLE_SIZE, "WEFT_%s", row->name);
    for (char *c = out; *c != '\0'; c++) {
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    }
    return out;
}

const char *options_default(const struct option_row *row, char out[OPTIONS_TAKES_SIZE])
{
    const bool number = row->kind == OPTION_IS_COUNT || row->kind == OPTION_IS_AMOUNT;
    const char *text = row->otherwise ? row->otherwise : row->text;
    if (number && !row->otherwise) {
        snprintf(out, OPTIONS_TAKES_SIZE, "%" PRIu64, row->count);
    } else {
        snprintf(out, OPTIONS_TAKES_SIZE, "%s", text ? text : "");
    }
    return out;
}

const char *options_range(const struct option_row *row, char out[OPTIONS_TAKES_SIZE])
{
    out[0] = '\0';
    if (row->kind == OPTION_IS_COUNT || row->kind == OPTION_IS_AMOUNT) {
        snprintf(out, OPTIONS_TAKES_SIZE, "%" PRIu64 " to %" PRIu64 "%s%s", row->min, row->max,
                 row->unit ? " " : "", row->unit ? row->unit : "");
    }
    return out;
}

#define ADDRESS_TAKES "%sADDR:PORT with a numeric address, as 127.0.0.1:%s or [::1]:%s"

static const char *port_of(const struct option_row *address)
{
    return strrchr(address->text, ':') + 1; // of the default
}

static void list_isas(char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "what this machine has: ");
    const char *between = "";
    for (int isa = 0; isa < SIM_ISA_COUNT && used < size; isa++) {
        if (!sim_isa_available((enum sim_isa)isa)) {
            continue;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", between, sim_isa_name((enum sim_isa)isa));
        between = ", ";
    }
}

const char *options_takes(const struct option_row *row, char out[OPTIONS_TAKES_SIZE])
{
    char range[OPTIONS_TAKES_SIZE];
    switch (row->kind) {
    case OPTION_IS_FLAG:
        return "true or false";
    case OPTION_IS_COUNT:
    case OPTION_IS_AMOUNT:
        snprintf(out, OPTIONS_TAKES_SIZE, "an integer from %.100s", options_range(row, range));
        return out;
    case OPTION_IS_AGE:
        return "an age (45s, 90m, 12h, 30d), or 0s";
    case OPTION_IS_KEEP:
        return "an age (45s, 90m, 12h, 30d), a size (64K, 500M, 16G, 2T), both with a comma between them, or "
               "all";
    case OPTION_IS_ADDRESS:
        snprintf(out, OPTIONS_TAKES_SIZE, ADDRESS_TAKES, "", port_of(row), port_of(row));
        return out;
    case OPTION_IS_ADDRESS_OR_NONE:
        snprintf(out, OPTIONS_TAKES_SIZE, ADDRESS_TAKES ", or the word none", "", port_of(row), port_of(row));
        return out;
    case OPTION_IS_FOLDER:
        return "the name of a folder";
    case OPTION_IS_FILE:
        return "the name of a file";
    case OPTION_IS_PEM:
        return "the name of a file in PEM";
    case OPTION_IS_SCENE:
        return "the name of a scene";
    case OPTION_IS_ORIGINS:
        return "origins separated by commas, as https://sim.example.org,http://10.0.0.7:8080";
    case OPTION_IS_HOSTS:
        return "names separated by commas, without ports, as sim.example.org,sim.local";
    case OPTION_IS_BROKERS:
        return "nats://HOST:PORT,... or tls://...";
    case OPTION_IS_BROKERS_OR_NONE:
        return "none, or nats://USER:PASSWORD@HOST:PORT,...";
    case OPTION_IS_NAME:
        snprintf(out, OPTIONS_TAKES_SIZE, "a name of 1 to %zu bytes that can be seen, without *",
                 row->size - 1);
        return out;
    case OPTION_IS_HOST:
        snprintf(out, OPTIONS_TAKES_SIZE, "an address of 1 to %zu bytes", row->size - 1);
        return out;
    case OPTION_IS_ACKS:
        return "both or brokers";
    case OPTION_IS_ISA:
        list_isas(out, OPTIONS_TAKES_SIZE);
        return out;
    case OPTION_IS_LEVEL:
        return "error, warn, info or debug";
    }
    return "";
}
