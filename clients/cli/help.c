// weft help: lists the commands, or explains a command, a method or a type of the API with units, ranges and an
// example.
#include "api.h"
#include "cli.h"
#include "terminal.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH_MAX = 80, WIDTH_MIN = 40, TYPES_SHOWN_MAX = 16 };

void cli_print_help(FILE *out)
{
    fputs("Usage: weft [--server ADDR] [--tls] [--json] [--timeout S] COMMAND ...\n"
          "\n"
          "Talks to a weft server. A world is given by name or id; a number is an id, and\n"
          "name:42 is the world called 42.\n"
          "\n"
          "Commands:\n",
          out);
    for (const struct cli_command *command = cli_commands(); command->name; command++) {
        fprintf(out, "  %-10s  %s\n", command->name, command->summary);
    }
    fputs("\n"
          "weft help COMMAND explains a command. weft help methods lists the methods of a\n"
          "server; weft help METHOD shows a method's parameters with units, ranges and an\n"
          "example. weft call METHOD calls any of them.\n"
          "\n"
          "Options:\n"
          "  --server ADDR   host:port of the server; default $WEFT_SERVER, then\n"
          "                  " WEFT_ADDRESS_DEFAULT "\n"
          "  --tls           use TLS ($WEFT_TLS), as tls://host:port does, and connect only\n"
          "                  if the server's certificate is valid\n"
          "  --ca FILE       trusted authorities, in PEM; default $WEFT_CA, then those\n"
          "                  of the system\n"
          "  --cert FILE, --key FILE\n"
          "                  your certificate and its key, for servers that ask for one;\n"
          "                  default $WEFT_CERT, $WEFT_KEY\n"
          "  --tls-no-verify accept any certificate ($WEFT_TLS_NO_VERIFY): an attacker on\n"
          "                  the path can then read and change everything\n"
          "  --token TOKEN   your token, or @FILE, a file that only you can read;\n"
          "                  default $WEFT_TOKEN, then the file $WEFT_TOKEN_FILE\n"
          "  --json          print JSON, one value for each command\n"
          "  --timeout S     give up after S seconds without an answer (default 10; 0:\n"
          "                  never)\n"
          "  --version       print the version\n"
          "  --help          print this\n"
          "\n"
          "Exit status: 0 done, 1 the server refused, 2 wrong usage, 3 no connection.\n",
          out);
}

// ---------------------------------------------------------------------------------------------------------
// Methods and types, in words

struct page {
    int width;
    const char *dim, *plain, *bold;
};

static struct page page_begin(void)
{
    struct page page = {.dim = "", .plain = "", .bold = ""};
    int rows;
    cli_terminal_size(&page.width, &rows);
    page.width = page.width > WIDTH_MAX ? WIDTH_MAX : page.width < WIDTH_MIN ? WIDTH_MIN : page.width;
    if (cli_has_color()) {
        page.dim = "\033[2m";
        page.bold = "\033[1m";
        page.plain = "\033[0m";
    }
    return page;
}

// Prints words in lines, each with the indent; the first goes on at `column` of a line if that is not 0.
static void print_words(const struct page *page, const char *text, int indent, int column)
{
    bool begun = column > 0;
    while (*text) {
        const int word = (int)strcspn(text, " ");
        int shown = 0;
        for (int i = 0; i < word; i++) {
            shown += ((unsigned char)text[i] & 0xc0) != 0x80;
        }
        if (column > 0 && !begun && column + 1 + shown > page->width) {
            putchar('\n');
            column = 0;
        }
        column += begun ? 0 : column ? printf(" ") : printf("%*s", indent, "");
        begun = false;
        printf("%.*s", word, text);
        column += shown;
        text += word + strspn(text + word, " ");
    }
}

static void print_wrapped(const struct page *page, const char *text, int indent)
{
    print_words(page, text, indent, 0);
    putchar('\n');
}

// Column in which the second column of a line begins: after two blanks that follow some text. 0 if there is none.
static int second_column(const char *line, int size)
{
    int at = (int)strspn(line, " ");
    for (; at + 2 < size; at++) {
        if (line[at] == ' ' && line[at + 1] == ' ') {
            const int column = at + (int)strspn(line + at, " ");
            return column < size ? column : 0;
        }
    }
    return 0;
}

// Whether the next line continues the text in a second column, or a paragraph at the margin.
static bool goes_on(const char *next, int column, int indent)
{
    const int size = (int)strcspn(next, "\n"), blanks = (int)strspn(next, " ");
    return size > blanks && blanks == column && (column > 0 || indent == 0) && second_column(next, size) == 0;
}

// Prints details at the terminal's width; text that does not fit goes on below the column in which it begins.
static void print_details(const struct page *page, const char *text)
{
    while (*text) {
        int size = (int)strcspn(text, "\n");
        const int column = second_column(text, size), begin = (int)strspn(text, " ");
        const int from = column ? column : begin;
        const char *line = text;
        const int line_size = size;
        char words[2048] = "";
        size_t used = (size_t)snprintf(words, sizeof words, "%.*s", size - from, text + from);
        bool is_one = true;
        text += size + (text[size] == '\n');
        while (size > 0 && used < sizeof words && goes_on(text, column, begin)) {
            size = (int)strcspn(text, "\n");
            used +=
                (size_t)snprintf(words + used, sizeof words - used, " %.*s", size - column, text + column);
            text += size + (text[size] == '\n');
            is_one = false;
        }
        if (is_one && line_size <= page->width) { // keeps its own blanks
            printf("%.*s\n", line_size, line);
            continue;
        }
        printf("%.*s", from, line);
        print_words(page, words, from > page->width / 2 ? 4 : from, from);
        putchar('\n');
    }
}

static int print_command(const struct cli_command *command)
{
    const struct page page = page_begin();
    printf("Usage: weft [OPTIONS] %s %s\n\n%s\n", command->name, command->usage, command->summary);
    if (command->details) {
        putchar('\n');
        print_details(&page, command->details);
    }
    return CLI_OK;
}

static void print_field(const struct page *page, const struct cli_api_field *field, bool is_param)
{
    char about[512];
    int used = snprintf(about, sizeof about, "%s%s%s%s%s%s", field->type, *field->unit ? " [" : "",
                        field->unit, *field->unit ? "]" : "", *field->range ? ", " : "", field->range);
    if (used < (int)sizeof about && field->required) {
        snprintf(about + used, sizeof about - (size_t)used, ", required");
    } else if (used < (int)sizeof about && *field->fallback) {
        snprintf(about + used, sizeof about - (size_t)used, ", default %s", field->fallback);
    } else if (used < (int)sizeof about && is_param) {
        snprintf(about + used, sizeof about - (size_t)used, ", may be absent");
    }
    printf("  %s%s%s  ", page->bold, field->name, page->plain);
    print_words(page, about, 6, 4 + (int)strlen(field->name));
    putchar('\n');
    if (*field->values) {
        printf("      %sone of:%s ", page->dim, page->plain);
        print_words(page, field->values, 14, 14);
        putchar('\n');
    }
    print_wrapped(page, field->doc, 6);
}

static void print_fields(const struct page *page, const char *title, const struct cli_api_field *fields,
                         unsigned count, bool is_param)
{
    printf("\n%s%s%s\n", page->dim, title, page->plain);
    for (unsigned i = 0; i < count; i++) {
        print_field(page, &fields[i], is_param);
    }
    if (count == 0) {
        printf("  none\n");
    }
}

// Collects the types of the parameters, and the types that these contain, each once.
static unsigned collect_types(const struct cli_api_field *fields, unsigned count,
                              const struct cli_api_type *types[TYPES_SHOWN_MAX], unsigned used)
{
    for (unsigned i = 0; i < count; i++) {
        const struct cli_api_type *type = *fields[i].of ? cli_api_type(fields[i].of) : NULL;
        bool known = !type || used == TYPES_SHOWN_MAX;
        for (unsigned t = 0; t < used && !known; t++) {
            known = types[t] == type;
        }
        if (!known) {
            types[used++] = type;
            used = collect_types(type->fields, type->field_count, types, used);
        }
    }
    return used;
}

static const char *class_words(const char *class)
{
    static const char *const words[][2] = {{"server", "answered at once"},
                                           {"query", "looks at a world"},
                                           {"edit", "changes a world's document"},
                                           {"input", "acts on a world, without a revision"},
                                           {"control", "runs or stops a world"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i][0], class) == 0) {
            return words[i][1];
        }
    }
    return class;
}

static void print_method(const struct cli_api_method *method)
{
    const struct cli_api_type *types[TYPES_SHOWN_MAX];
    const struct page page = page_begin();
    printf("%s%s%s  %s%s; role %s%s\n\n", page.bold, method->name, page.plain, page.dim,
           class_words(method->class), method->role, page.plain);
    print_wrapped(&page, method->doc, 0);
    print_fields(&page, "Parameters", method->params, method->param_count, true);
    const unsigned count = collect_types(method->params, method->param_count, types, 0);
    for (unsigned i = 0; i < count; i++) {
        char title[80];
        snprintf(title, sizeof title, "Fields of %s", types[i]->name);
        print_fields(&page, title, types[i]->fields, types[i]->field_count, true);
    }
    print_fields(&page, "Result", method->result, method->result_count, false);
    printf("\n%sExample%s\n  weft call %s", page.dim, page.plain, method->name);
    printf(strcmp(method->example, "{}") == 0 ? "\n" : " '%s'\n", method->example);
}

static void print_type(const struct cli_api_type *type)
{
    const struct page page = page_begin();
    printf("%s%s%s\n\n", page.bold, type->name, page.plain);
    print_wrapped(&page, type->doc, 0);
    print_fields(&page, "Fields", type->fields, type->field_count, false);
}

// ---------------------------------------------------------------------------------------------------------
// The same as JSON

static json_t *fields_json(const struct cli_api_field *fields, unsigned count)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++) {
        const struct cli_api_field *field = &fields[i];
        json_t *one = json_pack("{s:s,s:s,s:s,s:b}", "name", field->name, "type", field->type, "doc",
                                field->doc, "required", field->required);
        if (*field->unit) {
            json_object_set_new(one, "unit", json_string(field->unit));
        }
        if (*field->range) {
            json_object_set_new(one, "range", json_string(field->range));
        }
        if (*field->fallback) {
            json_object_set_new(one, "default", json_loads(field->fallback, JSON_DECODE_ANY, NULL));
        }
        if (*field->values) {
            json_object_set_new(one, "values", json_string(field->values));
        }
        json_array_append_new(list, one);
    }
    return list;
}

static int print_json(json_t *object)
{
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    if (text) {
        puts(text);
    } else {
        fprintf(stderr, "weft: MEMORY: not enough memory to print the help\n");
    }
    const int status = text ? CLI_OK : CLI_REFUSED;
    free(text);
    json_decref(object);
    return status;
}

static json_t *method_json(const struct cli_api_method *method)
{
    return json_pack(
        "{s:s,s:s,s:s,s:s,s:o,s:o,s:o}", "name", method->name, "class", method->class, "role", method->role,
        "doc", method->doc, "params", fields_json(method->params, method->param_count), "result",
        fields_json(method->result, method->result_count), "example", json_loads(method->example, 0, NULL));
}

static int print_methods(const struct cli *cli)
{
    if (cli->json) {
        json_t *list = json_array();
        for (size_t i = 0; i < cli_api_method_count; i++) {
            json_array_append_new(list, method_json(&cli_api_methods[i]));
        }
        return print_json(json_pack("{s:o}", "methods", list));
    }
    const struct page page = page_begin();
    int widest = 0;
    for (size_t i = 0; i < cli_api_method_count; i++) {
        const int width = (int)strlen(cli_api_methods[i].name);
        widest = width > widest ? width : widest;
    }
    for (size_t i = 0; i < cli_api_method_count; i++) {
        char summary[512];
        const char *doc = cli_api_methods[i].doc, *dot = strstr(doc, ". ");
        snprintf(summary, sizeof summary, "%.*s", dot ? (int)(dot + 1 - doc) : (int)strlen(doc), doc);
        printf("%s%-*s%s  ", page.dim, widest, cli_api_methods[i].name, page.plain);
        print_words(&page, summary, widest + 2, widest + 2);
        putchar('\n');
    }
    return CLI_OK;
}

static json_t *command_json(const struct cli_command *command)
{
    return json_pack("{s:s,s:s,s:s,s:s}", "name", command->name, "usage", command->usage, "summary",
                     command->summary, "details", command->details ? command->details : "");
}

static int print_commands_json(void)
{
    json_t *list = json_array();
    for (const struct cli_command *command = cli_commands(); command->name; command++) {
        json_array_append_new(list, command_json(command));
    }
    return print_json(json_pack("{s:o}", "commands", list));
}

static int unknown_word(const char *word)
{
    struct cli_nearest nearest = CLI_NEAREST(word);
    char meant[CLI_MEANT_SIZE];
    cli_nearest_commands(&nearest);
    cli_nearest_methods(&nearest);
    cli_nearest_types(&nearest);
    return cli_usage("there is no command or method '%s'%s; see weft help, weft help methods", word,
                     cli_meant(&nearest, meant));
}

int cli_help(struct cli *cli, int argc, char **argv)
{
    if (!cli_plain(&argc, &argv, 0, 1, "help [COMMAND | METHOD | TYPE | methods]")) {
        return CLI_USAGE;
    }
    if (argc == 0 && cli->json) {
        return print_commands_json();
    }
    if (argc == 0) {
        cli_print_help(stdout);
        return CLI_OK;
    }
    const struct cli_command *command = cli_find_command(argv[0]);
    const struct cli_api_method *method = cli_api_method(argv[0]);
    const struct cli_api_type *type = cli_api_type(argv[0]);
    if (command) {
        return cli->json ? print_json(command_json(command)) : print_command(command);
    }
    if (strcmp(argv[0], "methods") == 0) {
        return print_methods(cli);
    }
    if (method && cli->json) {
        return print_json(method_json(method));
    }
    if (type && cli->json) {
        return print_json(json_pack("{s:s,s:s,s:o}", "name", type->name, "doc", type->doc, "fields",
                                    fields_json(type->fields, type->field_count)));
    }
    if (method) {
        print_method(method);
    } else if (type) {
        print_type(type);
    } else {
        return unknown_word(argv[0]);
    }
    return CLI_OK;
}
