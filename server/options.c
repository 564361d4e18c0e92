// One table says what options there are; every source looks an option up in it and gives it a value.
//
//     flags (3) > environment (2) > file (1) > default (0)
//
// A value is kept if its source ranks at least as high as that of the value before. Values that are
// outranked are checked all the same: a wrong one is a mistake somebody wants to know of.
#include "options.h"

#include "base/log.h"
#include "base/thread.h"
#include "net/net.h"
#include "protocol/generated/api.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <ini.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum which {
    LISTEN,
    HTTP,
    STUDIO,
    ORIGIN,
    HOST,
    TLS_CERT,
    TLS_KEY,
    TLS_CLIENT_CA,
    SCENE,
    DATA,
    KEEP,
    BIN,
    THREADS,
    ISA,
    CONFIG,
    LOG_LEVEL,
    LOG_JSON,
    INSECURE,
    TOKENS,
    ACCESS,
    TOKEN_NEW,
    AUDIT,
    PERSON_MESSAGES,
    PERSON_BYTES,
    PERSON_EDITS,
    PERSON_WORLDS,
    PERSON_BODIES,
    PERSON_PARTICLES,
    PERSON_CONSTRAINTS,
    MAX_MESSAGE_BYTES,
    MAX_SESSIONS,
    MAX_SESSIONS_PER_ADDRESS,
    MAX_WORLDS,
    SESSION_GRACE,
    TICK_MS,
    OPTION_COUNT
};
enum kind {
    ADDRESS,
    AGE,
    COUNT,
    FILE_NAME,
    FOLDER,
    HOSTS,
    INSTRUCTIONS,
    KEPT,
    LEVEL,
    NAME,
    ORIGINS,
    PEM_FILE,
    SCENE_FILE,
    SWITCH
};
enum rank { BY_DEFAULT, BY_FILE, BY_ENVIRONMENT, BY_FLAG };

#define PERSON_MAX (UINT64_C(1) << 40)

enum { SOURCE_SIZE = 200, THREADS_MAX = 256, HELP_WIDTH = 34 };

static const struct {
    const char *name, *variable;
    enum kind kind;
    uint64_t min, max;
    const char *argument, *help;
} table[OPTION_COUNT] = {
    [LISTEN] = {"listen", "WEFT_LISTEN", ADDRESS, 0, 0, "ADDR:PORT",
                "where to listen for MessagePack-RPC; port 0 takes a free one (127.0.0.1:9338)"},
    [HTTP] = {"http", "WEFT_HTTP", ADDRESS, 0, 0, "ADDR:PORT",
              "the same for the studio and WebSockets, or none (127.0.0.1:9339)"},
    [STUDIO] = {"studio", "WEFT_STUDIO", FOLDER, 0, 0, "DIR",
                "the studio's files (where they were built or installed)"},
    [ORIGIN] = {"origin", "WEFT_ORIGIN", ORIGINS, 0, 0, "URL,...",
                "more pages that may connect, as https://sim.example.org"},
    [HOST] = {"host", "WEFT_HOST", HOSTS, 0, 0, "NAME,...",
              "names by which browsers may call this server, besides addresses and localhost"},
    [TLS_CERT] = {"tls-cert", "WEFT_TLS_CERT", PEM_FILE, 0, 0, "FILE",
                  "speak TLS at both addresses, with this certificate and those behind it (PEM); SIGHUP "
                  "reads it anew"},
    [TLS_KEY] = {"tls-key", "WEFT_TLS_KEY", PEM_FILE, 0, 0, "FILE", "the key of that certificate (PEM)"},
    [TLS_CLIENT_CA] = {"tls-client-ca", "WEFT_TLS_CLIENT_CA", PEM_FILE, 0, 0, "FILE",
                       "let in only who has a certificate of one of these authorities (PEM)"},
    [SCENE] = {"scene", "WEFT_SCENE", SCENE_FILE, 0, 0, "FILE",
               "begin with this scene as a world that runs; a file, or a name of the gallery"},
    [DATA] = {"data", "WEFT_DATA", FOLDER, 0, 0, "DIR",
              "keep worlds and their past in this folder (they live in memory, and end with the server)"},
    [KEEP] = {"keep", "WEFT_KEEP", KEPT, 0, 0, "AGE,SIZE",
              "how much of the past is kept: an age as 30d or 12h, a size as 16G, or all (30d,16G)"},
    [BIN] = {"bin", "WEFT_BIN", AGE, 0, 0, "AGE",
             "how long a deleted world can be had back, as 7d, or 0s (1d)"},
    [THREADS] = {"threads", "WEFT_THREADS", COUNT, 1, THREADS_MAX, "N",
                 "simulation threads (one for each core)"},
    [ISA] = {"isa", "WEFT_ISA", INSTRUCTIONS, 0, 0, "NAME",
             "instructions of the solver: scalar, sse2, avx2, avx512, neon (the widest there are)"},
    [CONFIG] = {"config", "WEFT_CONFIG", FILE_NAME, 0, 0, "FILE", "read options from a file"},
    [LOG_LEVEL] = {"log-level", "WEFT_LOG_LEVEL", LEVEL, 0, 0, "LEVEL", "error, warn, info or debug (info)"},
    [LOG_JSON] = {"log-json", "WEFT_LOG_JSON", SWITCH, 0, 0, NULL, "log one JSON object a line"},
    [INSECURE] = {"insecure", "WEFT_INSECURE", SWITCH, 0, 0, NULL,
                  "allow addresses other than loopback: whoever reaches them may do everything"},
    [TOKENS] = {"tokens", "WEFT_TOKENS", SWITCH, 0, 0, NULL,
                "ask each who connects for a token; needs --data or --access"},
    [ACCESS] = {"access", "WEFT_ACCESS", FILE_NAME, 0, 0, "FILE",
                "who may do what: tokens, by their hashes, and roles in worlds (DIR/access of --data)"},
    [TOKEN_NEW] = {"token-new", "WEFT_TOKEN_NEW", NAME, 0, 0, "NAME",
                   "make a token of an admin, print it and end; while a server runs it is good at once"},
    [AUDIT] = {"audit", "WEFT_AUDIT", FILE_NAME, 0, 0, "FILE",
               "append who did what as JSON lines; opened anew on SIGHUP"},
    [PERSON_MESSAGES] = {"person-messages", "WEFT_PERSON_MESSAGES", COUNT, 0, UINT32_MAX, "N",
                         "with --tokens: messages a second of a person; 0 for this and the next: any (2000)"},
    [PERSON_BYTES] = {"person-bytes", "WEFT_PERSON_BYTES", COUNT, 0, PERSON_MAX, "N",
                      "bytes a second of a person (67108864)"},
    [PERSON_EDITS] = {"person-edits", "WEFT_PERSON_EDITS", COUNT, 0, UINT32_MAX, "N",
                      "edits a second of a person (1000)"},
    [PERSON_WORLDS] = {"person-worlds", "WEFT_PERSON_WORLDS", COUNT, 0, UINT32_MAX, "N",
                       "worlds that a person made (64)"},
    [PERSON_BODIES] = {"person-bodies", "WEFT_PERSON_BODIES", COUNT, 0, UINT32_MAX, "N",
                       "bodies in all worlds that a person made (65536)"},
    [PERSON_PARTICLES] = {"person-particles", "WEFT_PERSON_PARTICLES", COUNT, 0, PERSON_MAX, "N",
                          "particles in these (16777216)"},
    [PERSON_CONSTRAINTS] = {"person-constraints", "WEFT_PERSON_CONSTRAINTS", COUNT, 0, PERSON_MAX, "N",
                            "constraints in these (134217728)"},
    [MAX_MESSAGE_BYTES] = {"max-message-bytes", "WEFT_MAX_MESSAGE_BYTES", COUNT, 1024,
                           PROTOCOL_LIMIT_MESSAGE_BYTES, "N", "largest message a client may send (67108864)"},
    [MAX_SESSIONS] = {"max-sessions", "WEFT_MAX_SESSIONS", COUNT, 1, OPTIONS_SESSIONS_MAX, "N",
                      "sessions at a time (1024)"},
    [MAX_SESSIONS_PER_ADDRESS] = {"max-sessions-per-address", "WEFT_MAX_SESSIONS_PER_ADDRESS", COUNT, 1,
                                  OPTIONS_SESSIONS_MAX, "N",
                                  "sessions of one address; if given, of a loopback address too (256)"},
    [MAX_WORLDS] = {"max-worlds", "WEFT_MAX_WORLDS", COUNT, 1, OPTIONS_WORLDS_MAX, "N",
                    "worlds at a time (256)"},
    [SESSION_GRACE] = {"session-grace", "WEFT_SESSION_GRACE", COUNT, 0, OPTIONS_GRACE_MAX, "SECONDS",
                       "how long a session is kept whose connection is lost; 0: not at all (60)"},
    [TICK_MS] = {"tick-ms", "WEFT_TICK_MS", COUNT, 0, OPTIONS_TICK_MS_MAX, "N",
                 "ms that a tick may take before its world is slowed; 0: as much as it takes (2000)"},
};

struct reader {
    struct options *options;
    enum rank ranks[OPTION_COUNT];
    char sources[OPTION_COUNT][SOURCE_SIZE]; // of addresses
    const char *config;                      // file name
    char *text;                              // first error; empty if none
};

static bool wrong(struct reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Always false.
static bool wrong(struct reader *reader, const char *format, ...)
{
    if (reader->text[0] != '\0')
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->text, OPTIONS_TEXT_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Values. `source` is what people need to find it again: "--threads", "WEFT_THREADS", "weftd.conf:3:
// threads".

static bool parse_integer(const char *text, uint64_t *value)
{
    if (text[0] < '0' || text[0] > '9')
        return false;
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0';
}

static bool set_count(struct reader *reader, enum which option, const char *source, const char *value,
                      bool keep)
{
    uint64_t number;
    if (!parse_integer(value, &number) || number < table[option].min || number > table[option].max)
        return wrong(reader, "%s: \"%s\" is wrong: it takes an integer from %" PRIu64 " to %" PRIu64, source,
                     value, table[option].min, table[option].max);
    if (!keep)
        return true;
    if (option == THREADS)
        reader->options->threads = (uint32_t)number;
    else if (option == MAX_MESSAGE_BYTES)
        reader->options->message_bytes_max = number;
    else if (option == MAX_WORLDS)
        reader->options->worlds_max = (uint32_t)number;
    else if (option >= PERSON_MESSAGES && option <= PERSON_CONSTRAINTS)
        *(uint64_t *const[]){
            &reader->options->person_messages,    &reader->options->person_bytes,
            &reader->options->person_edits,       &reader->options->person_worlds,
            &reader->options->person_bodies,      &reader->options->person_particles,
            &reader->options->person_constraints,
        }[option - PERSON_MESSAGES] = number;
    else if (option == SESSION_GRACE)
        reader->options->session_grace = (uint32_t)number;
    else if (option == TICK_MS)
        reader->options->tick_ms_max = (uint32_t)number;
    else if (option == MAX_SESSIONS_PER_ADDRESS)
        reader->options->sessions_per_address_max = (uint32_t)number;
    else
        reader->options->sessions_max = (uint32_t)number;
    return true;
}

// A numeric address and a port; [...] around IPv6.
static bool address_valid(const char *value)
{
    char host[OPTIONS_ADDRESS_SIZE];
    const char *colon = strrchr(value, ':');
    uint64_t port;
    if (colon == NULL || strlen(value) >= sizeof host || !parse_integer(colon + 1, &port) || port > 65535)
        return false;
    size_t size = (size_t)(colon - value);
    bool six = size >= 2 && value[0] == '[' && value[size - 1] == ']';
    if (six)
        snprintf(host, sizeof host, "%.*s", (int)(size - 2), value + 1);
    else
        snprintf(host, sizeof host, "%.*s", (int)size, value);
    uint8_t address[16];
    return inet_pton(six ? AF_INET6 : AF_INET, host, address) == 1;
}

static bool set_address(struct reader *reader, enum which option, const char *source, const char *value,
                        bool keep)
{
    bool none = option == HTTP && strcmp(value, "none") == 0;
    if (!none && !address_valid(value))
        return wrong(reader,
                     "%s: \"%s\" is wrong: it takes %sADDR:PORT with a numeric address, as 127.0.0.1:%s or "
                     "[::1]:%s",
                     source, value, option == HTTP ? "none, or " : "", option == HTTP ? "9339" : "9338",
                     option == HTTP ? "9339" : "9338");
    if (keep) {
        char *address = option == HTTP ? reader->options->http : reader->options->listen;
        snprintf(address, OPTIONS_ADDRESS_SIZE, "%s", none ? "" : value);
        snprintf(reader->sources[option], SOURCE_SIZE, "%s", source);
    }
    return true;
}

// A number with one of the units behind it, each of which is so many.
static bool parse_scaled(const char *text, const char *units, const uint64_t *factors, uint64_t *value)
{
    char *end = NULL;
    errno = 0;
    const uint64_t number = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    const char *unit =
        end != NULL && errno == 0 && end[0] != '\0' && end[1] == '\0' ? strchr(units, end[0]) : NULL;
    return unit != NULL && !__builtin_mul_overflow(number, factors[unit - units], value);
}

// 30d, 12h, 90m, 45s
static bool parse_age(const char *text, uint64_t *seconds)
{
    static const uint64_t factors[] = {1, 60, 3600, 86400};
    return parse_scaled(text, "smhd", factors, seconds);
}

// 16G, 500M, 64K
static bool parse_size(const char *text, uint64_t *bytes)
{
    static const uint64_t factors[] = {1 << 10, 1 << 20, 1 << 30, UINT64_C(1) << 40};
    return parse_scaled(text, "KMGT", factors, bytes);
}

static bool set_age(struct reader *reader, const char *source, const char *value, bool keep)
{
    uint64_t age;
    if (!parse_age(value, &age))
        return wrong(reader, "%s: \"%.60s\" is wrong: it takes an age (45s, 90m, 12h, 30d), or 0s", source,
                     value);
    if (keep)
        reader->options->bin_seconds = age;
    return true;
}

static bool set_keep(struct reader *reader, const char *source, const char *value, bool keep)
{
    uint64_t age = UINT64_MAX, size = UINT64_MAX;
    char copy[64] = "";
    bool valid = strlen(value) < sizeof copy && value[0] != '\0';
    if (valid)
        memcpy(copy, value, strlen(value));
    char *rest = strcmp(copy, "all") == 0 ? NULL : copy;
    uint64_t told = 0;
    for (char *part; valid && rest != NULL;) {
        part = strsep(&rest, ",");
        uint64_t *limit = parse_age(part, &told) ? &age : &size;
        valid = (limit == &age || parse_size(part, &told)) && told > 0 && *limit == UINT64_MAX;
        *limit = told;
    }
    if (!valid)
        return wrong(
            reader,
            "%s: \"%.60s\" is wrong: it takes an age (45s, 90m, 12h, 30d), a size (64K, 500M, 16G, 2T), "
            "both with a comma between them, or all",
            source, value);
    if (keep) {
        reader->options->keep_seconds = age;
        reader->options->keep_bytes = size;
    }
    return true;
}

static bool set_folder(struct reader *reader, enum which option, const char *source, const char *value,
                       bool keep)
{
    char *folder = option == DATA ? reader->options->data : reader->options->studio;
    if (value[0] == '\0' || strlen(value) >= OPTIONS_FOLDER_SIZE)
        return wrong(reader, "%s: \"%.100s\" is wrong: it takes the name of a folder", source, value);
    if (keep)
        snprintf(folder, OPTIONS_FOLDER_SIZE, "%s", value);
    return true;
}

static bool set_scene(struct reader *reader, const char *source, const char *value, bool keep)
{
    if (value[0] == '\0' || strlen(value) >= OPTIONS_FOLDER_SIZE)
        return wrong(reader, "%s: \"%.100s\" is wrong: it takes the name of a scene", source, value);
    if (keep)
        snprintf(reader->options->scene, sizeof reader->options->scene, "%s", value);
    return true;
}

static bool set_pem(struct reader *reader, enum which option, const char *source, const char *value,
                    bool keep)
{
    struct options *options = reader->options;
    char *path = option == TLS_CERT  ? options->tls_cert
                 : option == TLS_KEY ? options->tls_key
                                     : options->tls_client_ca;
    if (value[0] == '\0' || strlen(value) >= OPTIONS_FOLDER_SIZE)
        return wrong(reader, "%s: \"%.100s\" is wrong: it takes the name of a file in PEM", source, value);
    if (keep)
        snprintf(path, OPTIONS_FOLDER_SIZE, "%s", value);
    return true;
}

static bool set_file(struct reader *reader, enum which option, const char *source, const char *value,
                     bool keep)
{
    if (value[0] == '\0' || strlen(value) >= OPTIONS_FOLDER_SIZE)
        return wrong(reader, "%s: \"%.100s\" is wrong: it takes the name of a file", source, value);
    if (keep && option == CONFIG)
        reader->config = value;
    else if (keep)
        snprintf(option == ACCESS ? reader->options->access : reader->options->audit, OPTIONS_FOLDER_SIZE,
                 "%s", value);
    return true;
}

static bool set_origins(struct reader *reader, const char *source, const char *value, bool keep)
{
    if (value[0] == '\0' || strlen(value) >= OPTIONS_ORIGINS_SIZE || !net_origin_list_valid(value))
        return wrong(reader,
                     "%s: \"%.100s\" is wrong: it takes origins separated by commas, as "
                     "https://sim.example.org,http://10.0.0.7:8080",
                     source, value);
    if (keep)
        snprintf(reader->options->origins, sizeof reader->options->origins, "%s", value);
    return true;
}

static bool set_hosts(struct reader *reader, const char *source, const char *value, bool keep)
{
    if (value[0] == '\0' || strlen(value) >= OPTIONS_ORIGINS_SIZE || !net_host_list_valid(value))
        return wrong(reader,
                     "%s: \"%.100s\" is wrong: it takes names separated by commas, without ports, as "
                     "sim.example.org,sim.local",
                     source, value);
    if (keep)
        snprintf(reader->options->hosts, sizeof reader->options->hosts, "%s", value);
    return true;
}

static bool set_isa(struct reader *reader, const char *source, const char *value, bool keep)
{
    char names[64] = "";
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        const char *name = sim_isa_name((enum sim_isa)isa);
        if (!sim_isa_available((enum sim_isa)isa))
            continue;
        if (strcmp(name, value) == 0) {
            if (keep)
                reader->options->isa = (enum sim_isa)isa;
            return true;
        }
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", name);
    }
    return wrong(reader, "%s: \"%.100s\" is wrong: this machine has %s", source, value, names);
}

static bool set_level(struct reader *reader, const char *source, const char *value, bool keep)
{
    static const char *const names[] = {[BASE_LOG_ERROR] = "error",
                                        [BASE_LOG_WARN] = "warn",
                                        [BASE_LOG_INFO] = "info",
                                        [BASE_LOG_DEBUG] = "debug"};
    for (size_t level = 0; level < sizeof names / sizeof names[0]; level++) {
        if (strcmp(names[level], value) != 0)
            continue;
        if (keep)
            reader->options->log_level = (enum base_log_level)level;
        return true;
    }
    return wrong(reader, "%s: \"%s\" is wrong: it takes error, warn, info or debug", source, value);
}

static bool set_switch(struct reader *reader, enum which option, const char *source, const char *value,
                       bool keep)
{
    static const char *const words[2][4] = {{"false", "no", "off", "0"}, {"true", "yes", "on", "1"}};
    for (int on = 0; on < 2; on++) {
        for (int word = 0; word < 4; word++) {
            if (strcmp(words[on][word], value) != 0)
                continue;
            if (keep && option == LOG_JSON)
                reader->options->log_json = on == 1;
            else if (keep && option == TOKENS)
                reader->options->tokens = on == 1;
            else if (keep)
                reader->options->insecure = on == 1;
            return true;
        }
    }
    return wrong(reader, "%s: \"%s\" is wrong: it takes true or false", source, value);
}

static bool set(struct reader *reader, enum which option, enum rank rank, const char *source,
                const char *value)
{
    bool keep = rank >= reader->ranks[option];
    if (keep)
        reader->ranks[option] = rank;
    switch (table[option].kind) {
    case ADDRESS:
        return set_address(reader, option, source, value, keep);
    case COUNT:
        return set_count(reader, option, source, value, keep);
    case FOLDER:
        return set_folder(reader, option, source, value, keep);
    case AGE:
        return set_age(reader, source, value, keep);
    case KEPT:
        return set_keep(reader, source, value, keep);
    case PEM_FILE:
        return set_pem(reader, option, source, value, keep);
    case SCENE_FILE:
        return set_scene(reader, source, value, keep);
    case ORIGINS:
        return set_origins(reader, source, value, keep);
    case HOSTS:
        return set_hosts(reader, source, value, keep);
    case INSTRUCTIONS:
        return set_isa(reader, source, value, keep);
    case LEVEL:
        return set_level(reader, source, value, keep);
    case SWITCH:
        return set_switch(reader, option, source, value, keep);
    case NAME:
        if (value[0] == '\0' || strlen(value) >= OPTIONS_NAME_SIZE || strpbrk(value, "\n\r\t*") != NULL)
            return wrong(reader, "%s: \"%.100s\" is wrong: it takes a name of 1 to 64 bytes", source, value);
        if (keep)
            snprintf(reader->options->token_new, OPTIONS_NAME_SIZE, "%s", value);
        return true;
    case FILE_NAME:
        return set_file(reader, option, source, value, keep);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Flags

enum { FLAG_HELP = 'h', FLAG_VERSION = 'V', FLAG_FIRST = 256 };

static bool bad_flag(struct reader *reader, int code, char **argv)
{
    const char *last = argv[optind - 1];
    if (code == ':')
        return wrong(reader, "%s: it needs a value; weftd --help says which", last);
    if (optopt >= FLAG_FIRST)
        return wrong(reader, "%s: it takes no value; weftd --help lists the options", last);
    if (optopt != 0)
        return wrong(reader, "-%c: there is no such option; weftd --help lists them", optopt);
    return wrong(reader, "%s: there is no such option; weftd --help lists them", last);
}

static enum options_outcome read_flags(struct reader *reader, int argc, char **argv)
{
    struct option entries[OPTION_COUNT + 3] = {
        [OPTION_COUNT] = {"help", no_argument, NULL, FLAG_HELP},
        [OPTION_COUNT + 1] = {"version", no_argument, NULL, FLAG_VERSION},
    };
    for (int option = 0; option < OPTION_COUNT; option++)
        entries[option] = (struct option){
            table[option].name, table[option].kind == SWITCH ? optional_argument : required_argument, NULL,
            FLAG_FIRST + option};
    optind = 0; // also forgets where an earlier scan stood
    opterr = 0;
    int code;
    while ((code = getopt_long(argc, argv, ":hV", entries, NULL)) != -1) {
        if (code == FLAG_HELP)
            return OPTIONS_HELP;
        if (code == FLAG_VERSION)
            return OPTIONS_VERSION;
        if (code < FLAG_FIRST) {
            bad_flag(reader, code, argv);
            return OPTIONS_WRONG;
        }
        enum which option = (enum which)(code - FLAG_FIRST);
        char source[SOURCE_SIZE];
        snprintf(source, sizeof source, "--%s", table[option].name);
        if (!set(reader, option, BY_FLAG, source, optarg != NULL ? optarg : "true"))
            return OPTIONS_WRONG;
    }
    if (optind < argc) {
        wrong(reader, "%s: weftd takes options only; weftd --help lists them", argv[optind]);
        return OPTIONS_WRONG;
    }
    return OPTIONS_RUN;
}

// ---------------------------------------------------------------------------------------------------------
// Environment; an empty variable counts as none

static bool read_environment(struct reader *reader)
{
    for (int option = 0; option < OPTION_COUNT; option++) {
        const char *value = getenv(table[option].variable);
        if (value != NULL && value[0] != '\0' &&
            !set(reader, (enum which)option, BY_ENVIRONMENT, table[option].variable, value))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// File: [server] and name = value, names as the flags', with _ or -

struct file {
    struct reader *reader;
    FILE *stream;
    unsigned line;
    unsigned seen[OPTION_COUNT]; // line where it was given
};

// inih hands the line it read last to the handler, so counting here gives the handler's line.
static char *read_line(char *line, int size, void *context)
{
    struct file *file = context;
    char *got = fgets(line, size, file->stream);
    if (got == NULL)
        return NULL;
    file->line++;
    if (strchr(line, '\n') == NULL && !feof(file->stream)) {
        wrong(file->reader, "%s:%u: the line is too long: at most %d bytes", file->reader->config, file->line,
              size - 2);
        return NULL;
    }
    return got;
}

static bool same_name(const char *name, const char *flag)
{
    for (; *name != '\0' && *flag != '\0'; name++, flag++)
        if (*name != *flag && !(*name == '_' && *flag == '-'))
            return false;
    return *name == *flag;
}

static int on_value(void *context, const char *section, const char *name, const char *value)
{
    struct file *file = context;
    struct reader *reader = file->reader;
    char source[SOURCE_SIZE];
    if (strcmp(section, "server") != 0)
        return wrong(reader, "%s:%u: %s: it is in section [%s]; options of weftd belong in [server]",
                     reader->config, file->line, name, section);
    for (int option = 0; option < OPTION_COUNT; option++) {
        if (option == CONFIG || !same_name(name, table[option].name))
            continue;
        if (file->seen[option] != 0)
            return wrong(reader, "%s:%u: %s: it was given in line %u already", reader->config, file->line,
                         name, file->seen[option]);
        file->seen[option] = file->line;
        snprintf(source, sizeof source, "%s:%u: %s", reader->config, file->line, name);
        return set(reader, (enum which)option, BY_FILE, source, value);
    }
    return wrong(reader, "%s:%u: %s: there is no such option; weftd(8) lists them", reader->config,
                 file->line, name);
}

static bool read_config(struct reader *reader)
{
    if (reader->config == NULL)
        return true;
    struct file file = {.reader = reader, .stream = fopen(reader->config, "r")};
    if (file.stream == NULL)
        return wrong(reader, "%s: \"%s\" cannot be read: %s",
                     reader->ranks[CONFIG] == BY_FLAG ? "--config" : table[CONFIG].variable, reader->config,
                     strerror(errno));
    ini_allow_multiline = false;
    int bad_line = ini_parse_stream(read_line, &file, on_value, &file);
    bool failed = ferror(file.stream) != 0;
    fclose(file.stream);
    if (reader->text[0] != '\0')
        return false;
    if (failed)
        return wrong(reader, "%s: it cannot be read", reader->config);
    if (bad_line != 0)
        return wrong(reader, "%s:%d: it takes [server], name = value, or a comment", reader->config,
                     bad_line);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// All of them

bool options_has_tls(const struct options *options)
{
    return options->tls_cert[0] != '\0';
}

static bool safe(struct reader *reader, enum which option, const char *address)
{
    const struct options *options = reader->options;
    if (options->insecure || address[0] == '\0' || net_address_is_loopback(address) ||
        (options->tokens && options_has_tls(options)))
        return true;
    return wrong(reader,
                 options->tokens
                     ? "%s: %s is no loopback address, and without TLS tokens can be read on the way; "
                       "--insecure allows it"
                     : "%s: %s is no loopback address: whoever reaches it may do everything; --tokens and "
                       "TLS keep others out, --insecure allows it",
                 reader->sources[option], address);
}

static bool tls_whole(struct reader *reader)
{
    const struct options *options = reader->options;
    const bool cert = options->tls_cert[0] != '\0', key = options->tls_key[0] != '\0';
    if (cert != key)
        return wrong(reader, "--%s: it needs --%s as well: a certificate and its key belong together",
                     table[cert ? TLS_CERT : TLS_KEY].name, table[cert ? TLS_KEY : TLS_CERT].name);
    if (options->tls_client_ca[0] != '\0' && !cert)
        return wrong(reader, "--tls-client-ca: it needs --tls-cert and --tls-key as well");
    return true;
}

// Tokens have a file.
static bool place_of_tokens(struct reader *reader)
{
    struct options *options = reader->options;
    if (options->access[0] == '\0' && options->data[0] != '\0' &&
        (size_t)snprintf(options->access, sizeof options->access, "%.*s/access", OPTIONS_FOLDER_SIZE - 16,
                         options->data) >= sizeof options->access)
        return wrong(reader, "--data: the name is too long");
    if (options->access[0] != '\0' || (!options->tokens && options->token_new[0] == '\0'))
        return true;
    return wrong(reader, "--%s: it needs a place for tokens: --data DIR, or --access FILE",
                 options->tokens ? "tokens" : "token-new");
}

enum options_outcome options_read(int argc, char **argv, struct options *options,
                                  char text[OPTIONS_TEXT_SIZE])
{
    const uint32_t cores = base_thread_cores();
    text[0] = '\0';
    *options = (struct options){
        .listen = "127.0.0.1:9338",
        .http = "127.0.0.1:9339",
        .keep_seconds = UINT64_C(30) * 86400,
        .keep_bytes = UINT64_C(16) << 30,
        .bin_seconds = 24 * 60 * 60,
        .threads = cores < THREADS_MAX ? cores : THREADS_MAX,
        .isa = sim_isa_chosen(),
        .log_level = BASE_LOG_INFO,
        .message_bytes_max = PROTOCOL_LIMIT_MESSAGE_BYTES,
        .sessions_max = PROTOCOL_LIMIT_SESSIONS,
        .sessions_per_address_max = PROTOCOL_LIMIT_SESSIONS_PER_ADDRESS,
        .worlds_max = PROTOCOL_LIMIT_WORLDS,
        .session_grace = PROTOCOL_LIMIT_SESSION_GRACE,
        .tick_ms_max = PROTOCOL_LIMIT_TICK_MS,
        .person_messages = PROTOCOL_LIMIT_PERSON_MESSAGES,
        .person_bytes = PROTOCOL_LIMIT_PERSON_BYTES,
        .person_edits = PROTOCOL_LIMIT_PERSON_EDITS,
        .person_worlds = PROTOCOL_LIMIT_PERSON_WORLDS,
        .person_bodies = PROTOCOL_LIMIT_PERSON_BODIES,
        .person_particles = PROTOCOL_LIMIT_PERSON_PARTICLES,
        .person_constraints = PROTOCOL_LIMIT_PERSON_CONSTRAINTS,
    };
    struct reader reader = {.options = options, .text = text};
    enum options_outcome outcome = read_flags(&reader, argc, argv);
    if (outcome != OPTIONS_RUN)
        return outcome;
    if (!read_environment(&reader) || !read_config(&reader))
        return OPTIONS_WRONG;
    options->http_asked = reader.ranks[HTTP] > BY_DEFAULT;
    options->sessions_asked = reader.ranks[MAX_SESSIONS] > BY_DEFAULT;
    options->sessions_per_address_asked = reader.ranks[MAX_SESSIONS_PER_ADDRESS] > BY_DEFAULT;
    if (!tls_whole(&reader) || !place_of_tokens(&reader))
        return OPTIONS_WRONG;
    return safe(&reader, LISTEN, options->listen) && safe(&reader, HTTP, options->http) ? OPTIONS_RUN
                                                                                        : OPTIONS_WRONG;
}

void options_help(FILE *out)
{
    fprintf(out, "usage: weftd [OPTION]...\n"
                 "Hosts worlds of cloth and ropes for many clients at once (MessagePack-RPC on TCP and\n"
                 "WebSockets), and the studio, to see them in a browser.\n\n");
    for (int option = 0; option < OPTION_COUNT; option++) {
        char flag[64];
        snprintf(flag, sizeof flag, "--%s%s%s", table[option].name, table[option].argument != NULL ? " " : "",
                 table[option].argument != NULL ? table[option].argument : "");
        fprintf(out, "  %-*s%s\n", HELP_WIDTH, flag, table[option].help);
    }
    fprintf(out, "  %-*s%s\n", HELP_WIDTH, "--version", "print the version");
    fprintf(out, "  %-*s%s\n\n", HELP_WIDTH, "--help", "print this");
    fprintf(out, "Each can be given as WEFT_NAME in the environment (WEFT_LISTEN, WEFT_LOG_LEVEL) and as\n"
                 "name = value under [server] in the file; flags come before the environment, that before\n"
                 "the file. weftd(8) says more.\n");
}
