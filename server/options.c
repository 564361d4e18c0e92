// One table says which options there are (options_rows.h); every source looks an option up in it and gives it a value.
//
//     flags (3) > environment (2) > file (1) > default (0)
#include "options_internal.h"

#include "base/thread.h"
#include "net/net.h"

#include <errno.h>
#include <getopt.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Flags

enum { FLAG_HELP = 'h', FLAG_VERSION = 'V', FLAG_FIRST = 256 };

static bool bad_flag(struct reader *reader, int code, char **argv)
{
    const char *last = argv[optind - 1];
    if (code == ':') {
        return options_wrong(reader, "%s: it needs a value; weftd --help says which", last);
    }
    if (optopt >= FLAG_FIRST) {
        return options_wrong(reader, "%s: it takes no value; weftd --help lists the options", last);
    }
    if (optopt != 0) {
        return options_wrong(reader, "-%c: there is no such option; weftd --help lists them", optopt);
    }
    return options_wrong(reader, "%s: there is no such option; weftd --help lists them", last);
}

static enum options_outcome read_flags(struct reader *reader, int argc, char **argv)
{
    struct option entries[OPTIONS_COUNT + 3] = {
        [OPTIONS_COUNT] = {"help", no_argument, NULL, FLAG_HELP},
        [OPTIONS_COUNT + 1] = {"version", no_argument, NULL, FLAG_VERSION},
    };
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        entries[option] = (struct option){options_table[option].name,
                                          options_table[option].kind == OPTION_IS_FLAG ? optional_argument
                                                                                       : required_argument,
                                          NULL, FLAG_FIRST + option};
    }
    optind = 0; // also forgets where an earlier scan stood
    opterr = 0;
    int code;
    while ((code = getopt_long(argc, argv, ":hV", entries, NULL)) != -1) {
        if (code == FLAG_HELP) {
            return OPTIONS_HELP;
        }
        if (code == FLAG_VERSION) {
            return OPTIONS_VERSION;
        }
        if (code < FLAG_FIRST) {
            bad_flag(reader, code, argv);
            return OPTIONS_WRONG;
        }
        enum option_id option = (enum option_id)(code - FLAG_FIRST);
        char source[OPTIONS_SOURCE_SIZE];
        snprintf(source, sizeof source, "--%s", options_table[option].name);
        if (!options_set(reader, option, BY_FLAG, source, optarg ? optarg : "true")) {
            return OPTIONS_WRONG;
        }
    }
    if (optind < argc) {
        options_wrong(reader, "%s: weftd takes options only; weftd --help lists them", argv[optind]);
        return OPTIONS_WRONG;
    }
    return OPTIONS_RUN;
}

// ---------------------------------------------------------------------------------------------------------
// Environment; an empty variable counts as none

static bool read_environment(struct reader *reader)
{
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        char variable[OPTIONS_VARIABLE_SIZE];
        const char *value = getenv(options_variable(&options_table[option], variable));
        if (value && value[0] != '\0' &&
            !options_set(reader, (enum option_id)option, BY_ENVIRONMENT, variable, value)) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// File: [server] and name = value, names as the flags', with _ or -

struct file {
    struct reader *reader;
    FILE *stream;
    unsigned line;
    unsigned seen[OPTIONS_COUNT]; // line where it was given
};

// inih hands the line it read last to the handler, so counting here gives the handler's line.
static char *read_line(char *line, int size, void *context)
{
    struct file *file = context;
    char *got = fgets(line, size, file->stream);
    if (!got) {
        return NULL;
    }
    file->line++;
    if (!strchr(line, '\n') && !feof(file->stream)) {
        options_wrong(file->reader, "%s:%u: the line is too long: at most %d bytes",
                      file->reader->options->config, file->line, size - 2);
        return NULL;
    }
    return got;
}

static bool same_name(const char *name, const char *flag)
{
    for (; *name != '\0' && *flag != '\0'; name++, flag++) {
        if (*name != *flag && !(*name == '_' && *flag == '-')) {
            return false;
        }
    }
    return *name == *flag;
}

static int on_value(void *context, const char *section, const char *name, const char *value)
{
    struct file *file = context;
    struct reader *reader = file->reader;
    char source[OPTIONS_SOURCE_SIZE];
    if (strcmp(section, "server") != 0) {
        return options_wrong(reader, "%s:%u: %s: it is in section [%s]; options of weftd belong in [server]",
                             reader->options->config, file->line, name, section);
    }
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        if (option == OPTION_config || !same_name(name, options_table[option].name)) {
            continue;
        }
        if (file->seen[option] != 0) {
            return options_wrong(reader, "%s:%u: %s: it was given in line %u already",
                                 reader->options->config, file->line, name, file->seen[option]);
        }
        file->seen[option] = file->line;
        snprintf(source, sizeof source, "%.140s:%u: %.40s", reader->options->config, file->line, name);
        return options_set(reader, (enum option_id)option, BY_FILE, source, value);
    }
    return options_wrong(reader, "%s:%u: %s: there is no such option; weftd(8) lists them",
                         reader->options->config, file->line, name);
}

static bool read_config(struct reader *reader)
{
    const char *config = reader->options->config;
    if (config[0] == '\0') {
        return true;
    }
    struct file file = {.reader = reader, .stream = fopen(config, "r")};
    if (!file.stream) {
        return options_wrong(reader, "%s: \"%s\" cannot be read: %s", reader->sources[OPTION_config], config,
                             strerror(errno));
    }
    ini_allow_multiline = false;
    int bad_line = ini_parse_stream(read_line, &file, on_value, &file);
    bool failed = ferror(file.stream) != 0;
    fclose(file.stream);
    if (reader->text[0] != '\0') {
        return false;
    }
    if (failed) {
        return options_wrong(reader, "%s: it cannot be read", config);
    }
    if (bad_line != 0) {
        return options_wrong(reader, "%s:%d: it takes [server], name = value, or a comment", config,
                             bad_line);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// All of them

bool options_has_tls(const struct options *options)
{
    return options->tls_cert[0] != '\0';
}

bool options_can_read_again(const struct options *options)
{
    return options->audit[0] != '\0' || options_has_tls(options) || options->relay_ca[0] != '\0';
}

#define CERTIFICATE_AND_KEY "--%s: it needs --%s as well: a certificate and its key belong together"

static bool safe(struct reader *reader, enum option_id option, const char *address)
{
    const struct options *options = reader->options;
    if (options->insecure || address[0] == '\0' || net_address_is_loopback(address) ||
        (options->tokens && options_has_tls(options))) {
        return true;
    }
    return options_wrong(
        reader,
        options->tokens ? "%s: %s is no loopback address, and without TLS tokens can be read on the way; "
                          "--insecure allows it"
                        : "%s: %s is no loopback address: whoever reaches it may do everything; --tokens and "
                          "TLS keep others out, --insecure allows it",
        reader->sources[option], address);
}

static bool tls_whole(struct reader *reader)
{
    const struct options *options = reader->options;
    const bool cert = options->tls_cert[0] != '\0', key = options->tls_key[0] != '\0';
    if (cert != key) {
        return options_wrong(reader, CERTIFICATE_AND_KEY, cert ? "tls-cert" : "tls-key",
                             cert ? "tls-key" : "tls-cert");
    }
    if (options->tls_client_ca[0] != '\0' && !cert) {
        return options_wrong(reader, "--tls-client-ca: it needs --tls-cert and --tls-key as well");
    }
    return true;
}

// Tokens have a file.
static bool place_of_tokens(struct reader *reader)
{
    struct options *options = reader->options;
    if (options->access[0] == '\0' && options->data[0] != '\0' &&
        (size_t)snprintf(options->access, sizeof options->access, "%.*s/access", OPTIONS_FOLDER_SIZE - 16,
                         options->data) >= sizeof options->access) {
        return options_wrong(reader, "--data: the name is too long");
    }
    if (options->access[0] != '\0' || (!options->tokens && options->token_new[0] == '\0')) {
        return true;
    }
    return options_wrong(reader, "--%s: it needs a place for tokens: --data DIR, or --access FILE",
                         options->tokens ? "tokens" : "token-new");
}

static bool store_tls_whole(struct reader *reader)
{
    const struct options *options = reader->options;
    const bool tls =
        strncmp(options->store, "tls://", 6) == 0 || strncmp(options->store_check, "tls://", 6) == 0;
    const bool cert = options->store_cert[0] != '\0', key = options->store_key[0] != '\0';
    if (options->store_ca[0] != '\0' && !tls) {
        return options_wrong(reader,
                             "--store-ca: it vouches for brokers at tls://..., and none of --store is");
    }
    if (cert != key) {
        return options_wrong(reader, CERTIFICATE_AND_KEY, cert ? "store-cert" : "store-key",
                             cert ? "store-key" : "store-cert");
    }
    return !cert || tls ||
           options_wrong(reader, "--store-cert: it is for brokers at tls://..., and none of --store is");
}

// Brokers have a folder beside them, and it was said how they are trusted.
static bool store_whole(struct reader *reader)
{
    const struct options *options = reader->options;
    if (options->store[0] == '\0') {
        return true;
    }
    if (options->data[0] == '\0') {
        return options_wrong(reader, "--store: it needs --data DIR as well: a folder beside the brokers");
    }
    return store_tls_whole(reader) &&
           (options->store_check[0] != '\0' ||
            options_wrong(
                reader,
                "--store: it needs --store-check nats://USER:PASSWORD@HOST:PORT, a user of the brokers' "
                "system account, to see that they sync what they acknowledge; none trusts them"));
}

static bool is_given(const struct reader *reader, enum option_id option)
{
    return reader->ranks[option] > BY_DEFAULT;
}

static bool cluster_whole(struct reader *reader)
{
    static const enum option_id options[] = {OPTION_server_name, OPTION_advertise, OPTION_drain,
                                             OPTION_relay_ca};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (reader->options->store[0] == '\0' && is_given(reader, options[i])) {
            return options_wrong(reader, "--%s: it is for servers that share brokers: it needs --store URL",
                                 options_table[options[i]].name);
        }
    }
    return true;
}

static bool fit_each_other(struct reader *reader)
{
    return tls_whole(reader) && place_of_tokens(reader) && store_whole(reader) && cluster_whole(reader) &&
           safe(reader, OPTION_listen, reader->options->listen) &&
           safe(reader, OPTION_http, reader->options->http);
}

enum options_outcome options_read(int argc, char **argv, struct options *options,
                                  char text[OPTIONS_TEXT_SIZE])
{
    const uint32_t cores = base_thread_cores();
    struct reader reader = {.options = options, .text = text};
    text[0] = '\0';
    options_set_defaults(&reader);
    options->threads = cores < OPTIONS_THREADS_MAX ? cores : OPTIONS_THREADS_MAX;
    options->isa = sim_isa_chosen();
    enum options_outcome outcome = read_flags(&reader, argc, argv);
    if (outcome != OPTIONS_RUN) {
        return outcome;
    }
    if (!read_environment(&reader) || !read_config(&reader)) {
        return OPTIONS_WRONG;
    }
    options->http_asked = is_given(&reader, OPTION_http);
    options->sessions_asked = is_given(&reader, OPTION_sessions_max);
    options->sessions_per_address_asked = is_given(&reader, OPTION_sessions_per_address_max);
    return fit_each_other(&reader) ? OPTIONS_RUN : OPTIONS_WRONG;
}
