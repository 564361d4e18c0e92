// Finds commands, methods and types by name. commands.c, which has the table of commands, passes it down to this file.
#include "api.h"
#include "cli.h"

#include <string.h>

static const struct cli_command none;
static const struct cli_command *commands = &none;

void cli_commands_are(const struct cli_command *table)
{
    commands = table;
}

const struct cli_command *cli_commands(void)
{
    return commands;
}

const struct cli_command *cli_find_command(const char *name)
{
    for (const struct cli_command *command = commands; command->name; command++) {
        if (strcmp(command->name, name) == 0) {
            return command;
        }
    }
    return NULL;
}

const struct cli_api_method *cli_api_method(const char *name)
{
    for (size_t i = 0; i < cli_api_method_count; i++) {
        if (strcmp(cli_api_methods[i].name, name) == 0) {
            return &cli_api_methods[i];
        }
    }
    return NULL;
}

const struct cli_api_type *cli_api_type(const char *name)
{
    for (size_t i = 0; i < cli_api_type_count; i++) {
        if (strcmp(cli_api_types[i].name, name) == 0) {
            return &cli_api_types[i];
        }
    }
    return NULL;
}
