// Writes what the table says of each option into docs/man/weftd.8 and docs/guides/server.md, between the lines that mark the place.
//
//     options_pages ROOT            writes
//     options_pages --check ROOT    writes nothing; names the pages that differ from the table, exit status 1
#include "options_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// weftd(8), in mdoc: macros begin lines, and a sentence does too

struct man {
    FILE *out;
    bool begins; // a line
};

static void man_break(struct man *man)
{
    if (!man->begins) {
        fprintf(man->out, "\n");
    }
    man->begins = true;
}

// A literal becomes the argument of a macro, with the bracket and the punctuation that touch it. Returns what follows it.
static const char *man_literal(struct man *man, const char *text)
{
    const bool bracket = text[0] == '(';
    text += bracket ? 2 : 1;
    const bool flag = strncmp(text, "--", 2) == 0;
    const size_t size = strcspn(text, "`");
    man_break(man);
    fprintf(man->out, "%s %s\"%.*s\"", flag ? ".Fl" : ".Li", bracket ? "( " : "", (int)size - flag,
            text + flag);
    text += size + 1;
    while (*text != '\0' && strchr(".,:;)", *text)) {
        fprintf(man->out, " %c", *text++);
    }
    fprintf(man->out, "\n");
    man->begins = true;
    return text + strspn(text, " ");
}

static bool is_literal(const char *text)
{
    return text[0] == '`' || (text[0] == '(' && text[1] == '`');
}

static void man_text(FILE *out, const char *text)
{
    struct man man = {.out = out, .begins = true};
    while (*text != '\0') {
        if (is_literal(text)) {
            text = man_literal(&man, text);
        } else if (strncmp(text, ". ", 2) == 0) {
            fprintf(out, ".\n");
            man.begins = true;
            text += 2;
        } else if (*text == ' ' && is_literal(text + 1)) {
            text++; // which begins a line
        } else {
            fprintf(out, "%s%c", man.begins && strchr(".'", *text) ? "\\&" : "", *text);
            man.begins = false;
            text++;
        }
    }
    man_break(&man);
}

// A phrase as a sentence.
static void man_phrase(FILE *out, const char *before, const char *phrase)
{
    char sentence[600];
    snprintf(sentence, sizeof sentence, "%s%s.", before, phrase);
    sentence[0] = (char)toupper((unsigned char)sentence[0]);
    man_text(out, sentence);
}

static void man_item(FILE *out, const struct option_row *row)
{
    fprintf(out, ".It Fl -%s", row->name);
    if (!row->argument) {
        fprintf(out, " Ns Op = Ns Ar bool\n");
        return;
    }
    fprintf(out, " Ar ");
    for (const char *c = row->argument; *c != '\0'; c++) {
        fputc(tolower((unsigned char)*c), out);
    }
    fprintf(out, "\n");
}

static void man_page(FILE *out)
{
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        const struct option_row *row = &options_table[option];
        char text[OPTIONS_TAKES_SIZE];
        if (row->heading) {
            fprintf(out, "%s.Ss ", option > 0 ? ".El\n" : "");
            for (const char *c = row->heading; *c != '\0'; c++) {
                if (*c != '`') {
                    fputc(*c, out);
                }
            }
            fprintf(out, "\n.Bl -tag -width Ds\n");
        }
        man_item(out, row);
        man_phrase(out, "", row->help);
        if (row->more) {
            man_text(out, row->more);
        }
        if (options_range(row, text)[0] != '\0') {
            man_phrase(out, "Range: ", text);
        }
        if (options_default(row, text)[0] != '\0') {
            man_phrase(out, "Default: ", text);
        }
    }
    fprintf(out, ".El\n");
}

// ---------------------------------------------------------------------------------------------------------
// The guide: a table for each group

static void guide_page(FILE *out)
{
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        const struct option_row *row = &options_table[option];
        char range[OPTIONS_TAKES_SIZE], standard[OPTIONS_TAKES_SIZE];
        options_range(row, range);
        options_default(row, standard);
        if (row->heading) {
            fprintf(out,
                    "\n### %s\n\n| option | what it does | range | default |\n"
                    "| --- | --- | --- | --- |\n",
                    row->heading);
        }
        fprintf(out, "| `--%s%s%s` | %s", row->name, row->argument ? " " : "",
                row->argument ? row->argument : "", row->help);
        if (row->limit) {
            fprintf(out, " (limit `%s`)", row->limit);
        }
        if (row->see) {
            fprintf(out, " (%s)", row->see);
        }
        fprintf(out, " | %s | %s |\n", range, standard);
    }
    fprintf(out, "\n");
}

// ---------------------------------------------------------------------------------------------------------
// Pages

static const struct page {
    const char *path, *begin, *end; // lines that stay
    void (*write)(FILE *out);
} pages[] = {
    {"docs/man/weftd.8",
     ".\\\" Options: made by options_pages from server/options_rows.h. Change that, not this.\n",
     ".\\\" End of options.\n", man_page},
    {"docs/guides/server.md",
     "<!-- Options: made by options_pages from server/options_rows.h. Change that, not this. -->\n",
     "<!-- End of options. -->\n", guide_page},
};

// All of a file, with a zero behind it; NULL if it cannot be read. malloc'd.
static char *read_all(const char *path)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "r");
    char *text = file ? calloc(1, MOST + 1) : NULL;
    const size_t size = text ? fread(text, 1, MOST, file) : 0;
    if (file) {
        fclose(file);
    }
    if (size > 0 && size < MOST) {
        return text;
    }
    free(text);
    return NULL;
}

// The page as the table gives it; NULL if the marks are missing. malloc'd.
static char *make(const struct page *page, const char *old)
{
    char *text = NULL;
    size_t size = 0;
    const char *begin = strstr(old, page->begin);
    const char *end = begin ? strstr(begin, page->end) : NULL;
    if (!end) {
        return NULL;
    }
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return NULL;
    }
    fprintf(out, "%.*s%s", (int)(begin - old), old, page->begin);
    page->write(out);
    fprintf(out, "%s", end);
    fclose(out);
    return text;
}

static bool write_all(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    const bool written = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && written;
}

static bool update(const struct page *page, const char *root, bool check)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", root, page->path);
    char *old = read_all(path);
    char *new = old ? make(page, old) : NULL;
    const bool same = new &&strcmp(old, new) == 0;
    bool good = new != NULL;
    if (!good) {
        fprintf(stderr, "%s: it cannot be read, or has no lines that mark the options\n", path);
    } else if (!same && check) {
        good = printf("%s differs from what server/options_rows.h gives; options_pages writes it\n",
                      page->path) < 0;
    } else if (!same) {
        good = write_all(path, new);
    }
    free(old);
    free(new);
    return good;
}

int main(int argc, char **argv)
{
    const bool check = argc == 3 && strcmp(argv[1], "--check") == 0;
    bool good = true;
    if (argc != 2 && !check) {
        fprintf(stderr, "usage: options_pages [--check] ROOT\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        good = update(&pages[i], argv[argc - 1], check) && good;
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
