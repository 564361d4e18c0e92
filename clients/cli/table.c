// Aligned tables and one-line values, for people.
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_has_color(void)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

void cli_table_init(struct cli_table *table, int columns)
{
    *table = (struct cli_table){.columns = columns};
}

void cli_table_deinit(struct cli_table *table)
{
    free(table->cells);
    memset(table, 0, sizeof *table);
}

void cli_table_row(struct cli_table *table, const char *const *texts)
{
    const size_t row_size = (size_t)table->columns * CLI_CELL_SIZE;
    if (table->rows == table->capacity) {
        const int capacity = table->capacity ? table->capacity * 2 : 16;
        char *cells = realloc(table->cells, (size_t)capacity * row_size);
        if (!cells)
            return;
        table->cells = cells;
        table->capacity = capacity;
    }
    for (int i = 0; i < table->columns; i++)
        snprintf(table->cells + (size_t)table->rows * row_size + (size_t)i * CLI_CELL_SIZE, CLI_CELL_SIZE,
                 "%s", texts[i]);
    table->rows++;
}

// Characters, each taken as one column wide.
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static int widest_of(const struct cli_table *table, int column)
{
    int widest = 0;
    for (int row = 0; row < table->rows; row++) {
        const int width =
            width_of(table->cells + ((size_t)row * (size_t)table->columns + (size_t)column) * CLI_CELL_SIZE);
        widest = width > widest ? width : widest;
    }
    return widest;
}

void cli_table_print(const struct cli_table *table, unsigned right, bool has_head)
{
    const bool color = cli_has_color();
    int widths[CLI_COLUMNS_MAX], columns = 0;
    for (int used = 0; columns < table->columns && columns < CLI_COLUMNS_MAX; columns++) {
        widths[columns] = widest_of(table, columns);
        used += widths[columns] + (columns ? 2 : 0);
        if (table->width && used > table->width && columns)
            break;
    }
    for (int row = 0; row < table->rows; row++) {
        const char *cells = table->cells + (size_t)row * (size_t)table->columns * CLI_CELL_SIZE;
        // Without a head the first column is what names the second.
        const bool dim_row = color && has_head && row == 0;
        for (int column = 0; column < columns; column++) {
            const char *text = cells + (size_t)column * CLI_CELL_SIZE;
            const int pad = widths[column] - width_of(text);
            const bool is_right = right >> column & 1, is_last = column == columns - 1;
            const bool dim = dim_row || (color && !has_head && column == 0);
            printf("%s%*s%s%s%*s", dim ? "\033[2m" : "", is_right ? pad : 0, "", text, dim ? "\033[0m" : "",
                   is_right || is_last ? 0 : pad, "");
            fputs(is_last ? "\n" : "  ", stdout);
        }
    }
}

static void append(char *out, size_t size, size_t *used, const char *text)
{
    const size_t length = strlen(text);
    if (*used + length < size) {
        memcpy(out + *used, text, length + 1);
        *used += length;
    } else if (*used + 4 < size) {
        memcpy(out + *used, "...", 4);
        *used = size;
    }
}

char *cli_value_text(const msgpack_object *value, char *out, size_t size)
{
    struct weft_view view;
    char text[64];
    size_t used = 0;
    out[0] = '\0';
    if (!value)
        return out;
    if (value->type == MSGPACK_OBJECT_STR)
        return weft_string_copy(value, out, size);
    if (value->type == MSGPACK_OBJECT_BOOLEAN) {
        append(out, size, &used, value->via.boolean ? "yes" : "no");
    } else if (weft_view_f64(value, &view)) {
        for (size_t i = 0; i < view.count && used < size; i++) {
            if (i)
                append(out, size, &used, ", ");
            snprintf(text, sizeof text, "%.9g", view.f64[i]);
            append(out, size, &used, text);
        }
        weft_view_deinit(&view);
    } else if (value->type == MSGPACK_OBJECT_POSITIVE_INTEGER) {
        snprintf(out, size, "%llu", (unsigned long long)value->via.u64);
    } else if (value->type == MSGPACK_OBJECT_ARRAY || value->type == MSGPACK_OBJECT_MAP) {
        snprintf(out, size, "(%u)", weft_count(value));
    } else if (value->type != MSGPACK_OBJECT_NIL) {
        snprintf(out, size, "%.9g", weft_f64(value, (double)NAN));
    }
    return out;
}
