// weft, the command line: what its files share. Built on the public header of libweft, and on the scenes' one
// (protocol/scene/scene.h), alone.
#ifndef WEFT_CLI_H
#define WEFT_CLI_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <weft.h>

enum cli_status {
    CLI_OK = 0,
    CLI_REFUSED = 1, // by the server, or something here failed
    CLI_USAGE = 2,
    CLI_UNREACHABLE = 3, // cannot connect, or the connection is lost
};

// Of commands that stay connected: what they do when the line is lost and comes back, besides going on.
struct cli_stay {
    bool on;
    bool silent; // no word on standard error: the command shows it
    void (*then)(void *context, enum weft_line line, const msgpack_object *hello); // may be NULL
    void *context;
};

struct cli {
    const char *server; // NULL: the default
    struct weft_tls tls;
    const char *token; // --token; NULL: what the environment says
    bool json;
    int timeout_ms;     // 0: none
    bool timeout_given; // by --timeout
    struct weft_client *client;
    struct cli_stay stay; // before cli_connect
};

struct cli_command {
    const char *name;
    const char *usage;                                  // arguments
    const char *summary;                                // one line
    const char *details;                                // more lines; NULL if none
    int (*run)(struct cli *cli, int argc, char **argv); // argv without the command's name
};

extern const struct cli_command cli_command_table[]; // commands.c; ends with a command without a name

// globals.c: takes the options that all commands have out of argv, wherever they stand before `--`, and what the environment
// says of them. The count of what is left, -1 after telling what is wrong.
int cli_globals(struct cli *cli, int argc, char **argv);

// ---------------------------------------------------------------------------------------------------------
// cli.c

// What a file or a name of somebody else's says, fit for a terminal: its control characters become '?'. Returns out.
char *cli_shown(const char *text, char *out, size_t out_size);

// To the server, anew. NULL with *error, which may be NULL.
struct weft_client *cli_connect_anew(const struct cli *cli, int timeout_ms, struct weft_error *error);
// Connects once and introduces the program. CLI_OK, or the exit status after telling why.
int cli_connect(struct cli *cli);
// A call that a lost line has taken with it, and that is asked anew when there is another session.
bool cli_is_lost(const struct weft_error *error);
bool cli_has_rejoin(const msgpack_object *hello); // too much was missed of a world
// Calls and tells of failures. Returns CLI_OK, or the exit status.
int cli_call(struct cli *cli, const char *method, const struct weft_params *params, struct weft_reply *reply);
// Prints `weft: CODE: text`. Returns the exit status that fits.
int cli_report(const struct weft_error *error);
int cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2))); // returns CLI_USAGE

// At argv[*index] stands the option name, as `--name value` or `--name=value`: moves past it and gives the
// value. False if it is another argument. *value is NULL if the value is missing.
bool cli_option(int argc, char **argv, int *index, const char *name, const char **value);
// A whole text as a number within low ... high.
bool cli_number(const char *text, double low, double high, double *number);
// Exactly so many finite numbers, between commas.
bool cli_numbers(const char *text, int count, double *numbers);

// Arguments that are no options: at least `least`, at most `most`. A leading `--` is passed over. False after
// telling the usage.
bool cli_plain(int *argc, char ***argv, int least, int most, const char *usage);
void cli_print_json(const msgpack_object *value);
void cli_print_warnings(const msgpack_object *result); // a line for each, if it has any
void cli_print_fields(const msgpack_object *map);      // name and value of each, aligned
unsigned long long cli_field_u64(const msgpack_object *map, const char *field);

// ---------------------------------------------------------------------------------------------------------
// nearest.c: what was meant by a word that is not there

struct cli_nearest {
    const char *word;
    unsigned distance;
    char name[48]; // empty: nothing is near
};
#define CLI_NEAREST(text)                    \
    {                                        \
        .word = (text), .distance = UINT_MAX \
    }
enum { CLI_MEANT_SIZE = 80 };

void cli_nearest_commands(struct cli_nearest *nearest);
void cli_nearest_methods(struct cli_nearest *nearest);
void cli_nearest_types(struct cli_nearest *nearest);
// "; did you mean 'NAME'?", or nothing. Returns out.
const char *cli_meant(const struct cli_nearest *nearest, char out[CLI_MEANT_SIZE]);
// Tells that a command has no such option, or no place for such an argument. Returns CLI_USAGE.
int cli_no_option(const char *command, const char *given);

// ---------------------------------------------------------------------------------------------------------
// token.c: the token to show to the server, of --token, WEFT_TOKEN or the file that WEFT_TOKEN_FILE names, which nobody else
// may read; empty: none. CLI_OK, or the exit status after telling why not.
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
int cli_restore_world(struct cli *cli, int argc, char **argv); // one of the bin
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
// Of a world in world.list: does another server run it, or none, and where; servers.c.
bool cli_is_elsewhere(const msgpack_object *world);
const char *cli_where(const msgpack_object *world, char *text, size_t text_size);
void cli_print_servers(const msgpack_object *servers,
                       int width); // a table; width 0: lines may be of any length
int cli_help(struct cli *cli, int argc, char **argv);
int cli_completion(struct cli *cli, int argc, char **argv);

// beside.c: runs a program that lies beside this one, with `given` of the arguments before those of argv, and does not come
// back; CLI_REFUSED where it cannot.
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
// Writes a value as JSON: on one line, or over several for people. Typed arrays become lists, what is not a
// finite number becomes null, other bytes become hexadecimal text.
void cli_json_write(FILE *out, const msgpack_object *value, bool pretty);
void cli_json_string(FILE *out, const char *text, size_t size);
// The shortest text that reads back as the same number.
void cli_number_text(double value, bool is_f32, char *out, size_t size);

// ---------------------------------------------------------------------------------------------------------
// table.c

struct cli_table {
    char *cells; // CLI_CELL_SIZE each, row by row
    int columns, rows, capacity;
    int width; // columns on the right that go beyond it are left out; 0: there is room
};

enum { CLI_CELL_SIZE = 160, CLI_COLUMNS_MAX = 16 };

void cli_table_init(struct cli_table *table, int columns);
void cli_table_deinit(struct cli_table *table);
void cli_table_fields(struct cli_table *table, const msgpack_object *map); // a row of two for each entry
// One row: as many texts as there are columns. Rows that memory is short for are left out.
void cli_table_row(struct cli_table *table, const char *const *texts);
// Aligned columns; those whose bit is set in `right` are aligned to the right. The first row is the head,
// where has_head says so, and dim on terminals.
void cli_table_print(const struct cli_table *table, unsigned right, bool has_head);
// A value on one line, for people. Returns out.
char *cli_value_text(const msgpack_object *value, char *out, size_t size);
bool cli_has_color(void); // standard output is a terminal, and NO_COLOR is not set

#endif
