// weft, the command line: declarations that its files share. Uses only the public header of libweft and that of scenes
// (protocol/scene/scene.h).
#ifndef WEFT_CLI_H
#define WEFT_CLI_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <weft.h>

enum cli_status {
    CLI_OK = 0,
    CLI_REFUSED = 1, // the server refused, or something failed locally
    CLI_USAGE = 2,
    CLI_UNREACHABLE = 3, // no connection, or it was lost
};

// For commands that stay connected: what they do when the connection is lost and comes back, besides going on.
struct cli_stay {
    bool on;
    bool silent; // prints nothing to standard error: the command itself shows it
    void (*then)(void *context, enum weft_line line, const msgpack_object *hello); // may be NULL
    void *context;
};

struct cli {
    const char *server; // NULL: the default
    struct weft_tls tls;
    const char *token; // --token; NULL: use the environment
    bool json;
    int timeout_ms;     // 0: no timeout
    bool timeout_given; // --timeout was given
    struct weft_client *client;
    struct cli_stay stay; // set it before cli_connect
};

struct cli_command {
    const char *name;
    const char *usage;                                  // arguments
    const char *summary;                                // one line
    const char *details;                                // more lines; NULL if none
    int (*run)(struct cli *cli, int argc, char **argv); // argv without the command's name
};

extern const struct cli_command cli_command_table[]; // commands.c; ends with a command without a name

// globals.c: removes the options that all commands share from argv, anywhere before `--`, and reads those of the
// environment. Returns the remaining count, or -1 after printing what is wrong.
int cli_globals(struct cli *cli, int argc, char **argv);

// ---------------------------------------------------------------------------------------------------------
// cli.c

// Makes a text from a file or another party fit for a terminal: its control characters become '?'. Returns out.
char *cli_shown(const char *text, char *out, size_t out_size);

// Opens a second connection to the server. NULL with *error, which may be NULL.
struct weft_client *cli_connect_anew(const struct cli *cli, int timeout_ms, struct weft_error *error);
// Connects and sends session.hello. CLI_OK, or the exit status after printing the reason.
int cli_connect(struct cli *cli);
// Whether a call was lost with the connection, and is to be made again in another session.
bool cli_is_lost(const struct weft_error *error);
bool cli_has_rejoin(const msgpack_object *hello); // too many messages of a world were missed
// Calls a method and prints any failure. Returns CLI_OK, or the exit status.
int cli_call(struct cli *cli, const char *method, const struct weft_params *params, struct weft_reply *reply);
// Prints `weft: CODE: text`. Returns the matching exit status.
int cli_report(const struct weft_error *error);
int cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2))); // returns CLI_USAGE

// If argv[*index] is the option `name`, as `--name value` or `--name=value`: moves past it and gives the value. False
// if it is another argument. *value is NULL if the value is missing.
bool cli_option(int argc, char **argv, int *index, const char *name, const char **value);
// Parses the whole text as a number within low ... high.
bool cli_number(const char *text, double low, double high, double *number);
// Parses exactly `count` finite numbers, separated by commas.
bool cli_numbers(const char *text, int count, double *numbers);

// Checks the number of arguments that are not options: at least `least`, at most `most`. Skips a leading `--`. False
// after printing the usage.
bool cli_plain(int *argc, char ***argv, int least, int most, const char *usage);
void cli_print_json(const msgpack_object *value);
void cli_print_warnings(const msgpack_object *result); // prints a line for each warning in the result
void cli_print_fields(const msgpack_object *map);      // prints name and value of each field, aligned
unsigned long long cli_field_u64(const msgpack_object *map, const char *field);

// ---------------------------------------------------------------------------------------------------------
// nearest.c: suggestions for a mistyped word

struct cli_nearest {
    const char *word;
    unsigned distance;
    char name[48]; // empty: nothing is similar
};
#define CLI_NEAREST(text)                    \
    {                                        \
        .word = (text), .distance = UINT_MAX \
    }
enum { CLI_MEANT_SIZE = 80 };

void cli_nearest_commands(struct cli_nearest *nearest);
void cli_nearest_methods(struct cli_nearest *nearest);
void cli_nearest_types(struct cli_nearest *nearest);
// Writes "; did you mean 'NAME'?", or an empty text. Returns out.
const char *cli_meant(const struct cli_nearest *nearest, char out[CLI_MEANT_SIZE]);
// Reports an unknown option or an unexpected argument of a command. Returns CLI_USAGE.
int cli_no_option(const char *command, const char *given);

// ---------------------------------------------------------------------------------------------------------
// token.c: reads the token to show to the server from --token, WEFT_TOKEN, or the file that WEFT_TOKEN_FILE names,
// which only its owner may be able to read. Empty: no token. CLI_OK, or the exit status after printing the reason.
enum { CLI_TOKEN_SIZE = 256 };
int cli_token_find(const struct cli *cli, char token[CLI_TOKEN_SIZE]);

// ---------------------------------------------------------------------------------------------------------
// Commands: access.c, batch.c, worlds.c, history.c, settings.c, save.c, open.c, watch.c, record.c, bake.c, keep.c, twin.c,
// load.c, top.c, help.c, completion.c

int cli_token(struct cli *cli, int argc, char **argv);
int cli_access(struct cli *cli, int argc, char **argv);
int cli_new(struct cli *cli, int argc, char **argv);
int cli_play(struct cli *cli, int argc, char **argv);
int cli_pause(struct cli *cli, int argc, char **argv);
int cli_step(struct cli *cli, int argc, char **argv);
int cli_get(struct cli *cli, int argc, char **argv);
int cli_reset(struct cli *cli, int argc, char **argv);
int cli_delete(struct cli *cli, int argc, char **argv);
int cli_move(struct cli *cli, int argc, char **argv);
int cli_hash(struct cli *cli, int argc, char **argv);
int cli_history(struct cli *cli, int argc, char **argv);
int cli_log(struct cli *cli, int argc, char **argv);
int cli_undo(struct cli *cli, int argc, char **argv);
int cli_redo(struct cli *cli, int argc, char **argv);
int cli_branch(struct cli *cli, int argc, char **argv);
int cli_bin(struct cli *cli, int argc, char **argv);
int cli_restore_world(struct cli *cli, int argc, char **argv); // restores a deleted world
int cli_batch(struct cli *cli, int argc, char **argv);
int cli_set(struct cli *cli, int argc, char **argv);
int cli_save(struct cli *cli, int argc, char **argv);
int cli_open(struct cli *cli, int argc, char **argv);
int cli_gallery(struct cli *cli, int argc, char **argv);
int cli_watch(struct cli *cli, int argc, char **argv);
int cli_record(struct cli *cli, int argc, char **argv);
int cli_bake(struct cli *cli, int argc, char **argv);
int cli_twin(struct cli *cli, int argc, char **argv);
int cli_verify(struct cli *cli, int argc, char **argv);
int cli_replay(struct cli *cli, int argc, char **argv);
int cli_backup(struct cli *cli, int argc, char **argv);
int cli_restore(struct cli *cli, int argc, char **argv);
int cli_convert(struct cli *cli, int argc, char **argv);
int cli_load(struct cli *cli, int argc, char **argv);
int cli_top(struct cli *cli, int argc, char **argv);
// servers.c: whether a world of world.list runs on another server or on none, and where.
bool cli_is_elsewhere(const msgpack_object *world);
const char *cli_where(const msgpack_object *world, char *text, size_t text_size);
void cli_print_servers(const msgpack_object *servers,
                       int width); // a table; width 0: lines may be of any length
int cli_help(struct cli *cli, int argc, char **argv);
int cli_completion(struct cli *cli, int argc, char **argv);

// beside.c: replaces this process by a program in the same folder, with the `given` arguments of `more` before those of
// argv. Returns CLI_REFUSED if that fails.
int cli_run_beside(const char *program, int given, const char *const *more, int argc, char **argv);

// find.c
void cli_commands_are(const struct cli_command *table);
const struct cli_command *cli_commands(void);                 // the first; the last one has no name
const struct cli_command *cli_find_command(const char *name); // NULL if there is none

void cli_print_help(FILE *out);

// ---------------------------------------------------------------------------------------------------------
// json.c

// Adds the members of a JSON object to params. False with a sentence in why.
bool cli_json_params(const char *text, size_t size, struct weft_params *params, char *why, size_t why_size);
// Writes a value as JSON: on one line, or over several for people. Typed arrays become lists, numbers that are not
// finite become null, and other bytes become hexadecimal text.
void cli_json_write(FILE *out, const msgpack_object *value, bool pretty);
void cli_json_string(FILE *out, const char *text, size_t size);
// Writes the shortest text that reads back as the same number.
void cli_number_text(double value, bool is_f32, char *out, size_t size);

// ---------------------------------------------------------------------------------------------------------
// table.c

struct cli_table {
    char *cells; // CLI_CELL_SIZE each, row by row
    int columns, rows;
    size_t capacity; // bytes of cells
    int width;       // columns beyond it, on the right, are left out; 0: no limit
};

enum { CLI_CELL_SIZE = 160, CLI_COLUMNS_MAX = 16 };

void cli_table_init(struct cli_table *table, int columns);
void cli_table_deinit(struct cli_table *table);
void cli_table_fields(struct cli_table *table,
                      const msgpack_object *map); // adds a row of two cells for each entry
// Adds a row: one text for each column. If memory runs out, the row is left out.
void cli_table_row(struct cli_table *table, const char *const *texts);
// Prints aligned columns; those whose bit is set in `right` are aligned to the right. With has_head the first row is
// the head, which is dim on terminals.
void cli_table_print(const struct cli_table *table, unsigned right, bool has_head);
// Writes a value on one line, for people. Returns out.
char *cli_value_text(const msgpack_object *value, char *out, size_t size);
bool cli_has_color(void); // standard output is a terminal, and NO_COLOR is not set

#endif
