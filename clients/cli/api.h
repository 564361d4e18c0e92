// The list of methods at the time when this program was built: generated/api.c holds it, from protocol/api.json.
#ifndef WEFT_CLI_API_H
#define WEFT_CLI_API_H

#include <stdbool.h>
#include <stddef.h>

// Texts are empty if there is nothing to say.
struct cli_api_field {
    const char *name, *type, *unit, *range;
    const char *fallback; // default, as JSON
    const char *values;   // enum values, separated by blanks
    const char *of;       // type of a map's entries
    const char *doc;
    bool required;
};

struct cli_api_method {
    const char *name, *class, *role, *doc;
    const char *example; // parameters, as JSON
    const struct cli_api_field *params;
    unsigned param_count;
    const struct cli_api_field *result;
    unsigned result_count;
};

struct cli_api_type {
    const char *name, *doc;
    const struct cli_api_field *fields;
    unsigned field_count;
};

extern const struct cli_api_method cli_api_methods[];
extern const size_t cli_api_method_count;
extern const struct cli_api_type cli_api_types[];
extern const size_t cli_api_type_count;
// The fields of measures that tell the greatest strain of a kind of edge. NULL ends the list.
extern const char *const cli_api_strains[];

const struct cli_api_method *cli_api_method(const char *name); // NULL if there is none
const struct cli_api_type *cli_api_type(const char *name);

#endif
