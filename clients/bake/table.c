// The results of bakes: rows as JSON, and tables as text, CSV and JSON.
#include "bake/sweep.h"

#include "protocol/generated/api.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static double elastic(const struct bake_result *result)
{
    double sum = 0;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        sum += result->measures.elastic[kind];
    }
    return sum;
}

double bake_tick_ms(const struct bake_result *result)
{
    return result->ticks > 0 ? 1e3 * result->seconds / (double)result->ticks : 0;
}

// A row as JSON; its members have the names of the table's columns.
json_t *bake_row(const struct bake_sweep *sweep, uint32_t v)
{
    const struct bake_variant *variant = &sweep->variants[v];
    const struct bake_result *result = &variant->result;
    char hash[17];
    json_t *row = json_object(), *set = json_object();
    snprintf(hash, sizeof hash, "%016" PRIx64, result->hash);
    for (uint32_t s = 0; s < sweep->options->set_count; s++) {
        json_object_set_new(set, sweep->options->sets[s].path, json_string(variant->values[s]));
    }
    json_object_set_new(row, "variant", json_integer(v + 1));
    json_object_set_new(row, "set", set);
    json_object_set_new(row, "status",
                        json_string(result->status == BAKE_OK        ? "done"
                                    : result->status == BAKE_STOPPED ? "stopped"
                                                                     : "failed"));
    json_object_set_new(row, "ticks", json_integer((json_int_t)result->ticks));
    json_object_set_new(row, "particles", json_integer((json_int_t)result->particles));
    json_object_set_new(row, "ms_per_tick", json_real(bake_tick_ms(result)));
    json_object_set_new(row, "seconds", json_real(result->seconds));
    json_object_set_new(row, "kinetic", json_real(result->measures.kinetic));
    json_object_set_new(row, "potential", json_real(result->measures.potential));
    json_object_set_new(row, "elastic", json_real(elastic(result)));
#define ERROR(NAME, name, max, rms)                                                            \
    json_object_set_new(row, #name "_rms", json_real(result->measures.error_rms[SIM_##NAME])); \
    json_object_set_new(row, #name "_max", json_real(result->measures.error_max[SIM_##NAME]));
    PROTOCOL_ERRORS(ERROR)
#undef ERROR
    json_object_set_new(row, "hash", json_string(hash));
    json_object_set_new(row, "output", variant->output ? json_string(variant->output) : json_null());
    json_object_set_new(row, "series", variant->series ? json_string(variant->series) : json_null());
    json_object_set_new(row, "note", json_string(result->text));
    return row;
}

// Columns of the table, in order.
#define ERROR(NAME, name, max, rms) #name "_rms", #name "_max",
static const char *const columns[] = {
    "status", "ticks", "ms_per_tick", "kinetic", "potential", "elastic", PROTOCOL_ERRORS(ERROR) "hash"};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void cell_text(const json_t *value, char *out, size_t size)
{
    if (json_is_real(value)) {
        snprintf(out, size, "%.4g", json_real_value(value));
    } else if (json_is_integer(value)) {
        snprintf(out, size, "%lld", (long long)json_integer_value(value));
    } else {
        snprintf(out, size, "%s", json_is_string(value) ? json_string_value(value) : "");
    }
}

static void print_csv_cell(const char *text, bool last)
{
    bool quote = strpbrk(text, ",\"\r\n") != NULL;
    if (quote) {
        putchar('"');
    }
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"') {
            putchar('"');
        }
        putchar(*c);
    }
    if (quote) {
        putchar('"');
    }
    putchar(last ? '\n' : ',');
}

static void print_csv(const struct bake_sweep *sweep, json_t *const *rows)
{
    for (uint32_t s = 0; s < sweep->options->set_count; s++) {
        print_csv_cell(sweep->options->sets[s].path, false);
    }
    for (int c = 0; c < COLUMNS; c++) {
        print_csv_cell(columns[c], false);
    }
    print_csv_cell("output", false);
    print_csv_cell("note", true);
    for (uint32_t v = 0; v < sweep->count; v++) {
        char text[FAULT_TEXT_SIZE];
        for (uint32_t s = 0; s < sweep->options->set_count; s++) {
            print_csv_cell(sweep->variants[v].values[s], false);
        }
        for (int c = 0; c < COLUMNS; c++) {
            const json_t *value = json_object_get(rows[v], columns[c]);
            cell_text(value, text, sizeof text);
            if (json_is_real(value)) {
                snprintf(text, sizeof text, "%.17g", json_real_value(value));
            }
            print_csv_cell(text, false);
        }
        cell_text(json_object_get(rows[v], "output"), text, sizeof text);
        print_csv_cell(text, false);
        cell_text(json_object_get(rows[v], "note"), text, sizeof text);
        print_csv_cell(text, true);
    }
}

// Name of a column. The columns of values that were set come first, named by the last word of their path if that is
// unique.
static const char *column_name(const struct bake_options *options, uint32_t column)
{
    if (column >= options->set_count) {
        return columns[column - options->set_count];
    }
    const char *path = options->sets[column].path, *dot = strrchr(path, '.');
    for (uint32_t s = 0; dot && s < options->set_count; s++) {
        const char *other = strrchr(options->sets[s].path, '.');
        if (s != column && other && strcmp(other, dot) == 0) {
            return path;
        }
    }
    return dot ? dot + 1 : path;
}

// Writes a cell. Row -1 is the head.
static void table_cell(const struct bake_sweep *sweep, json_t *const *rows, int64_t row, uint32_t column,
                       char text[FAULT_TEXT_SIZE])
{
    const uint32_t sets = sweep->options->set_count;
    if (row < 0) {
        snprintf(text, FAULT_TEXT_SIZE, "%s", column_name(sweep->options, column));
    } else if (column < sets) {
        snprintf(text, FAULT_TEXT_SIZE, "%s", sweep->variants[row].values[column]);
    } else {
        cell_text(json_object_get(rows[row], columns[column - sets]), text, FAULT_TEXT_SIZE);
    }
}

// Width of the terminal; 0 if the output is not a terminal, and lines may have any length.
static int terminal_columns(void)
{
    struct winsize size;
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// Prints columns first ... end - 1, after those of the values that were set.
static void print_block(const struct bake_sweep *sweep, json_t *const *rows, const int *widths,
                        uint32_t first, uint32_t end)
{
    const uint32_t sets = sweep->options->set_count;
    char text[FAULT_TEXT_SIZE];
    for (int64_t v = -1; v < (int64_t)sweep->count; v++) {
        for (uint32_t c = 0; c < end; c = c + 1 == sets && first > sets ? first : c + 1) {
            table_cell(sweep, rows, v, c, text);
            printf("%s%*s", c > 0 ? "  " : "", widths[c], text);
        }
        cell_text(v < 0 || end < sets + COLUMNS ? NULL : json_object_get(rows[v], "note"), text, sizeof text);
        printf("%s%s\n", text[0] != '\0' ? "  " : "", text);
    }
}

// A table wider than the terminal continues below, with the values that were set before each part.
static void print_text(const struct bake_sweep *sweep, json_t *const *rows)
{
    int widths[BAKE_SETS_MAX + COLUMNS] = {0}, head = 0;
    const uint32_t sets = sweep->options->set_count, count = sets + COLUMNS;
    const int room = terminal_columns();
    char text[FAULT_TEXT_SIZE];
    for (uint32_t c = 0; c < count; c++) {
        for (int64_t v = -1; v < (int64_t)sweep->count; v++) {
            table_cell(sweep, rows, v, c, text);
            widths[c] = (int)strlen(text) > widths[c] ? (int)strlen(text) : widths[c];
        }
        head += c < sets ? widths[c] + 2 : 0;
    }
    for (uint32_t first = sets, end; first < count; first = end) {
        int used = head + widths[first];
        for (end = first + 1; end < count && (room == 0 || used + 2 + widths[end] <= room); end++) {
            used += 2 + widths[end];
        }
        if (first > sets) {
            putchar('\n');
        }
        print_block(sweep, rows, widths, first, end);
    }
}

bool bake_table_print(const struct bake_sweep *sweep)
{
    json_t **rows = calloc(sweep->count, sizeof *rows), *list = json_array();
    bool done = rows && list;
    for (uint32_t v = 0; done && v < sweep->count; v++) {
        rows[v] = bake_row(sweep, v);
        done = json_array_append_new(list, rows[v]) == 0;
    }
    if (done && sweep->options->table == BAKE_JSON) {
        done = json_dumpf(list, stdout, JSON_COMPACT | JSON_REAL_PRECISION(17)) == 0;
        putchar('\n');
    } else if (done && sweep->options->table == BAKE_CSV) {
        print_csv(sweep, rows);
    } else if (done) {
        print_text(sweep, rows);
    }
    json_decref(list);
    free(rows);
    return done && fflush(stdout) == 0;
}
