// Completion: `weft completion SHELL` prints a script for bash, zsh or fish. The script calls `weft completion
// --candidates WORD...`, which prints candidates for the last word.
//
// Commands, options and methods come from the tables that the help is printed from, so nothing is listed twice: options
// of a command are the lines of its details that begin with two blanks and `--`. Names of worlds and bodies come from
// the server, if it answers at once.
#include "api.h"
#include "cli.h"

#include "protocol/scene/scene.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE_MS = 400, OPTION_SIZE = 40 };

static const char bash_script[] =
    "# Completion of weft for bash.\n"
    "_weft() {\n"
    "    local line last= words=() i word=\n"
    "    COMPREPLY=()\n"
    "    # bash takes host:port and key=value apart; what is at hand is the part behind.\n"
    "    for ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if ((${#words[@]})) && { [[ $word == [:=]* ]] || [[ ${words[-1]} == *[:=] ]]; }; then\n"
    "            last=${words[-1]}\n"
    "            words[-1]+=$word\n"
    "            [[ $word == [:=] ]] && last=${words[-1]}\n"
    "        else\n"
    "            words+=(\"$word\")\n"
    "            last=\n"
    "        fi\n"
    "    done\n"
    "    word=${words[-1]}\n"
    "    while IFS= read -r line; do\n"
    "        if [ \"$line\" = :files ]; then\n"
    "            compopt -o filenames 2>/dev/null\n"
    "            while IFS= read -r line; do COMPREPLY+=(\"$line\"); done < <(compgen -f -- \"$word\")\n"
    "        elif [[ $line == \"$word\"* ]]; then\n"
    "            line=${line%%$'\\t'*}\n"
    "            COMPREPLY+=(\"$(printf %q \"${line#\"$last\"}\")\")\n"
    "        fi\n"
    "    done < <(weft completion --candidates \"${words[@]}\" 2>/dev/null)\n"
    "    # What needs a value is not done yet.\n"
    "    [[ ${#COMPREPLY[@]} = 1 && ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace 2>/dev/null\n"
    "    return 0\n"
    "}\n"
    "complete -F _weft weft\n";

static const char zsh_script[] =
    "#compdef weft\n"
    "# Completion of weft for zsh.\n"
    "_weft() {\n"
    "    local line files=0\n"
    "    local -a values descriptions\n"
    "    while IFS= read -r line; do\n"
    "        if [[ $line == :files ]]; then\n"
    "            files=1\n"
    "        else\n"
    "            values+=(\"${line%%$'\\t'*}\")\n"
    "            descriptions+=(\"${line/$'\\t'/  -- }\")\n"
    "        fi\n"
    "    done < <(weft completion --candidates \"${(@)words[2,CURRENT]}\" 2>/dev/null)\n"
    "    (( ${#values} )) && compadd -l -d descriptions -a values\n"
    "    (( files )) && _files\n"
    "    return 0\n"
    "}\n"
    "if [ \"$funcstack[1]\" = _weft ]; then _weft \"$@\"; else compdef _weft weft; fi\n";

static const char fish_script[] = "# Completion of weft for fish.\n"
                                  "function __weft_candidates\n"
                                  "    set -l words (commandline -opc) (commandline -ct)\n"
                                  "    for line in (weft completion --candidates $words[2..-1] 2>/dev/null)\n"
                                  "        if test \"$line\" = :files\n"
                                  "            __fish_complete_path (commandline -ct)\n"
                                  "        else\n"
                                  "            printf '%s\\n' $line\n"
                                  "        end\n"
                                  "    end\n"
                                  "end\n"
                                  "complete -c weft -f -a '(__weft_candidates)'\n";

// Prints a candidate and its description.
static void offer(const char *word, const char *what)
{
    printf("%s\t%s\n", word, what ? what : "");
}

// ---------------------------------------------------------------------------------------------------------
// From the tables

static void offer_commands(void)
{
    for (const struct cli_command *command = cli_commands(); command->name; command++) {
        offer(command->name, command->summary);
    }
}

static void offer_methods(void)
{
    for (size_t i = 0; i < cli_api_method_count; i++) {
        char summary[100];
        const char *doc = cli_api_methods[i].doc;
        snprintf(summary, sizeof summary, "%.*s", (int)strcspn(doc, "."), doc);
        offer(cli_api_methods[i].name, summary);
    }
}

// Reads the name of the option that a line of details describes, and whether it takes a value.
static bool option_of(const char *line, char name[OPTION_SIZE], bool *takes_value)
{
    if (strncmp(line, "  --", 4) != 0) {
        return false;
    }
    const size_t size = strcspn(line + 2, " \n");
    if (size >= OPTION_SIZE) {
        return false;
    }
    memcpy(name, line + 2, size);
    name[size] = '\0';
    *takes_value = line[2 + size] == ' ' && line[3 + size] >= 'A' && line[3 + size] <= 'Z';
    return true;
}

static const char *next_line(const char *line)
{
    const char *end = line ? strchr(line, '\n') : NULL;
    return end && end[1] ? end + 1 : NULL;
}

static void offer_options(const struct cli_command *command)
{
    char name[OPTION_SIZE], what[100];
    bool takes_value;
    for (const char *line = command->details; line; line = next_line(line)) {
        if (!option_of(line, name, &takes_value)) {
            continue;
        }
        const char *text = line + 2 + strlen(name);
        text += strspn(text, " ");
        // Skips the name of the value.
        if (takes_value) {
            text += strcspn(text, " \n");
            text += strspn(text, " ");
        }
        snprintf(what, sizeof what, "%.*s", (int)strcspn(text, "\n"), text);
        offer(name, what);
    }
}

// Options of TLS whose value is a file.
static bool is_file(const char *option)
{
    return strcmp(option, "--ca") == 0 || strcmp(option, "--cert") == 0 || strcmp(option, "--key") == 0;
}

static bool takes_value(const struct cli_command *command, const char *option)
{
    char name[OPTION_SIZE];
    bool takes = false;
    for (const char *line = command ? command->details : NULL; line; line = next_line(line)) {
        if (option_of(line, name, &takes) && strcmp(name, option) == 0) {
            return takes;
        }
    }
    return is_file(option) || strcmp(option, "--server") == 0 || strcmp(option, "--token") == 0 ||
           strcmp(option, "--timeout") == 0 || strcmp(option, "-o") == 0;
}

// Offers the values of options that have only a few.
static bool offer_values(struct cli *cli, const char *option)
{
    static const char *const values[][2] = {
        {"--material",
         "cotton silk denim rubber denim-stretch trousers tablecloth jacket blanket swimsuit jelly none"},
        {"--units", "m cm mm in ft"},
        {"--up", "y z"},
        {"--kind", "cloth soft"},
        {"--bend-model", "dihedral isometric quadratic none"},
        {"--isa", "scalar sse2 avx2 avx512 neon"},
        {"--table", "text csv json"},
        {"--encoding", "f32 q16 delta"},
        {"--pin",
         "top-edge top-corners edge:+x edge:-x edge:+y edge:-y edge:+z edge:-z box: sphere: index: all"}};
    (void)cli;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (strcmp(values[i][0], option) != 0) {
            continue;
        }
        for (const char *at = values[i][1]; *at;) {
            const size_t size = strcspn(at, " ");
            printf("%.*s\t\n", (int)size, at);
            at += size + strspn(at + size, " ");
        }
        return true;
    }
    return false;
}

static void offer_settings(void)
{
    const struct cli_api_method *method = cli_api_method("world.set");
    for (unsigned i = 0; method && i < method->param_count; i++) {
        char word[OPTION_SIZE];
        if (strcmp(method->params[i].name, "world") == 0 || *method->params[i].of) {
            continue;
        }
        snprintf(word, sizeof word, "%.30s=", method->params[i].name);
        offer(word, method->params[i].doc);
    }
}

// ---------------------------------------------------------------------------------------------------------
// From the server

static void offer_worlds(struct cli *cli)
{
    struct weft_reply reply = {0};
    struct weft_client *client = cli_connect_anew(cli, PATIENCE_MS, NULL);
    if (client && weft_call(client, "world.list", NULL, &reply, NULL)) {
        const msgpack_object *worlds = weft_get(&reply.result, "worlds");
        for (uint32_t i = 0; i < weft_count(worlds); i++) {
            char name[100], state[40];
            offer(weft_string_copy(weft_get(weft_at(worlds, i), "name"), name, sizeof name),
                  weft_string_copy(weft_get(weft_at(worlds, i), "state"), state, sizeof state));
        }
    }
    weft_reply_destroy(&reply);
    weft_close(client);
}

// ---------------------------------------------------------------------------------------------------------

static void offer_scene(void *context, const char *name, const char *about, const char *path)
{
    (void)context, (void)path;
    offer(name, about);
}

// Whether this word stands in that place of the usage, counted from 0. Options come after the arguments.
static bool usage_has(const char *usage, int place, const char *word)
{
    for (; place > 0 && *usage; place--) {
        usage += strcspn(usage, " ");
        usage += strspn(usage, " ");
    }
    return strncmp(usage + (*usage == '['), word, strlen(word)) == 0;
}

// Offers candidates for the argument in that place, not counting options.
static void offer_argument(struct cli *cli, const struct cli_command *command, int place)
{
    const char *name = command->name;
    if (strcmp(name, "help") == 0) {
        offer_commands();
        offer("methods", "all methods");
        offer_methods();
    } else if (strcmp(name, "call") == 0 && place == 0) {
        offer_methods();
    } else if (strcmp(name, "completion") == 0) {
        offer("bash", ""), offer("zsh", ""), offer("fish", "");
    } else if (strcmp(name, "set") == 0 && place > 0) {
        offer_settings();
    } else if (usage_has(command->usage, place, "FILE") || usage_has(command->usage, place, "TAKE") ||
               usage_has(command->usage, place, "DIR") || usage_has(command->usage, place, "BACKUP") ||
               usage_has(command->usage, place, "TO")) {
        puts(":files");
    } else if (usage_has(command->usage, place, "SCENE")) {
        scene_gallery_list(offer_scene, NULL);
        puts(":files");
    } else if (usage_has(command->usage, place, "WORLD")) {
        offer_worlds(cli);
    }
}

static void offer_candidates(struct cli *cli, int count, char **words)
{
    static const char *const globals[][2] = {{"--server", "host:port of the server"},
                                             {"--token", "a token, or @FILE"},
                                             {"--tls", "speak TLS"},
                                             {"--ca", "file of authorities"},
                                             {"--cert", "file of one's own certificate"},
                                             {"--key", "file of its key"},
                                             {"--tls-no-verify", "take any certificate"},
                                             {"--json", "print JSON"},
                                             {"--timeout", "seconds"},
                                             {"--version", "print the version"},
                                             {"--help", "print a summary"}};
    const struct cli_command *command = NULL;
    const char *last = count ? words[count - 1] : "", *awaits = NULL;
    int place = 0;
    for (int i = 0; i + 1 < count; i++) {
        const char *word = words[i];
        if (awaits) {
            if (strcmp(awaits, "--server") == 0) {
                cli->server = word;
            }
            awaits = NULL;
        } else if (word[0] == '-' && word[1]) {
            awaits = !strchr(word, '=') && takes_value(command, word) ? word : NULL;
        } else if (!command) {
            command = cli_find_command(word);
            if (!command) {
                return;
            }
        } else {
            place++;
        }
    }
    if (awaits) {
        if (strcmp(awaits, "--world") == 0) {
            offer_worlds(cli);
        } else if (strcmp(awaits, "-o") == 0 || strcmp(awaits, "--output") == 0 || is_file(awaits)) {
            puts(":files");
        } else {
            offer_values(cli, awaits);
        }
    } else if (strncmp(last, "-", 1) == 0) {
        if (command) {
            offer_options(command);
        }
        for (size_t i = 0; i < sizeof globals / sizeof *globals; i++) {
            offer(globals[i][0], globals[i][1]);
        }
    } else if (!command) {
        offer_commands();
    } else {
        offer_argument(cli, command, place);
    }
}

static int print_script(const struct cli *cli, const char *shell, const char *script)
{
    json_t *object = cli->json ? json_pack("{s:s, s:s}", "shell", shell, "script", script) : NULL;
    if (object) {
        json_dumpf(object, stdout, JSON_COMPACT);
    }
    fputs(object ? "\n" : script, stdout);
    json_decref(object);
    return CLI_OK;
}

int cli_completion(struct cli *cli, int argc, char **argv)
{
    static const char *const scripts[][2] = {
        {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
    if (argc && strcmp(argv[0], "--candidates") == 0) {
        offer_candidates(cli, argc - 1, argv + 1);
        return CLI_OK;
    }
    if (!cli_plain(&argc, &argv, 1, 1, "completion bash | zsh | fish")) {
        return CLI_USAGE;
    }
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        if (strcmp(argv[0], scripts[i][0]) == 0) {
            return print_script(cli, scripts[i][0], scripts[i][1]);
        }
    }
    return cli_usage("there is completion for bash, zsh and fish, not for '%s'", argv[0]);
}
