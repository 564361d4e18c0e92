// Aligned tables and one-line values, for people.
#include "cli.h"
#include "protocol/array/reserve.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

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
    if (!array_reserve(&table->cells, &table->capacity, ((size_t)table->rows + 1) * row_size)) {
        return;
    }
    for (int i = 0; i < table->columns; i++) {
        snprintf(table->cells + (size_t)table->rows * row_size + (size_t)i * CLI_CELL_SIZE, CLI_CELL_SIZE,
                 "%s", texts[i]);
    }
    table->rows++;
}

// Size in bytes of the next character, and its width on a terminal.
static int next_char(const char *text, int *width)
{
    wchar_t wide;
    mbstate_t state = {0};
    const size_t got = mbrtowc(&wide, text, strlen(text), &state);
    int size = 1;
    if (got > 0 && got < (size_t)-2) {
        const int shown = wcwidth(wide);
        *width = shown >= 0 ? shown : 1;
        return (int)got;
    }
    while (((unsigned char)text[size] & 0xc0) == 0x80) { // the locale is not UTF-8
        size++;
    }
    *width = 1;
    return size;
}

static int width_of(const char *text)
{
    int width = 0, one;
    for (; *text; width += one) {
        text += next_char(text, &one);
    }
    return width;
}

// Prints the text in `room` columns, cut if it is wider.
static void print_cut(const char *text, int room)
{
    const bool whole = width_of(text) <= room;
    int used = 0, one;
    while (*text) {
        const int size = next_char(text, &one);
        if (!whole && used + one > room - 3) {
            break;
        }
        used += one;
        printf("%.*s", size, text);
        text += size;
    }
    if (!whole) {
        printf("%.*s", room < 3 ? room : 3, "...");
    }
}

// Prints words in the columns from `indent` on, line by line.
static void print_words(const char *text, int indent, int room)
{
    int used = 0;
    while (*text) {
        char word[CLI_CELL_SIZE];
        const int size = (int)strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", size, text);
        const int width = width_of(word);
        if (used > 0 && used + 1 + width > room - indent) {
            printf("\n%*s", indent, "");
            used = 0;
        }
        used += printf("%s", used > 0 ? " " : "") + width;
        fputs(word, stdout);
        text += size + (int)strspn(text + size, " ");
    }
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

// Width of the terminal; 0 if the output is not a terminal, and lines may have any length.
static int terminal_room(void)
{
    int columns, rows;
    if (!isatty(STDOUT_FILENO)) {
        return 0;
    }
    cli_terminal_size(&columns, &rows);
    return columns;
}

// Finds the widths of the columns. If they do not fit, the widest one that holds texts shrinks.
static void fit(const struct cli_table *table, unsigned right, int room, int *widths)
{
    enum { LEAST = 12 };
    int total = 0, widest = -1;
    for (int c = 0; c < table->columns && c < CLI_COLUMNS_MAX; c++) {
        widths[c] = widest_of(table, c);
        total += widths[c] + (c ? 2 : 0);
        if (!(right >> c & 1) && (widest < 0 || widths[c] > widths[widest])) {
            widest = c;
        }
    }
    if (room && total > room && widest >= 0 && widths[widest] > LEAST) {
        const int left = widths[widest] - (total - room);
        widths[widest] = left > LEAST ? left : LEAST;
    }
}

void cli_table_print(const struct cli_table *table, unsigned right, bool has_head)
{
    const bool color = cli_has_color();
    const int room = table->width ? table->width : terminal_room();
    int widths[CLI_COLUMNS_MAX], columns = 0;
    fit(table, right, has_head ? room : 0, widths);
    for (int used = 0; columns < table->columns && columns < CLI_COLUMNS_MAX; columns++) {
        used += widths[columns] + (columns ? 2 : 0);
        if (table->width && used > table->width && columns) {
            break;
        }
    }
    for (int row = 0; row < table->rows; row++) {
        const char *cells = table->cells + (size_t)row * (size_t)table->columns * CLI_CELL_SIZE;
        // Without a head, the first column has the names of the values.
        const bool dim_row = color && has_head && row == 0;
        for (int column = 0; column < columns; column++) {
            const char *text = cells + (size_t)column * CLI_CELL_SIZE;
            const int width = width_of(text), pad = width < widths[column] ? widths[column] - width : 0;
            const bool is_right = right >> column & 1, is_last = column == columns - 1;
            const bool dim = dim_row || (color && !has_head && column == 0);
            printf("%s%*s", dim ? "\033[2m" : "", is_right ? pad : 0, "");
            if (!has_head && is_last && columns == 2 && room > widths[0] + 22) {
                print_words(text, widths[0] + 2, room);
            } else {
                print_cut(text, widths[column]);
            }
            printf("%s%*s%s", dim ? "\033[0m" : "", is_right || is_last ? 0 : pad, "", is_last ? "\n" : "  ");
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
    if (!value) {
        return out;
    }
    if (value->type == MSGPACK_OBJECT_STR) {
        return weft_string_copy(value, out, size);
    }
    if (value->type == MSGPACK_OBJECT_BOOLEAN) {
        append(out, size, &used, value->via.boolean ? "yes" : "no");
    } else if (weft_view_f64(value, &view)) {
        for (size_t i = 0; i < view.count && used < size; i++) {
            if (i) {
                append(out, size, &used, ", ");
            }
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
