// The value of an option, checked, and kept if its source ranks at least as high as that of the value before. Values that are
// outranked are checked all the same: a wrong one is a mistake somebody wants to know of.
#include "options_internal.h"

#include "net/net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool options_wrong(struct reader *reader, const char *format, ...)
{
    if (reader->text[0] != '\0')
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->text, OPTIONS_TEXT_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

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
    if (!parse_integer(value, &number) || number < options_table[option].min ||
        number > options_table[option].max)
        return options_wrong(reader, "%s: \"%s\" is wrong: it takes an integer from %" PRIu64 " to %" PRIu64,
                             source, value, options_table[option].min, options_table[option].max);
    if (!keep)
        return true;
    if (option == THREADS)
        reader->options->threads = (uint32_t)number;
    else if (option == LOOPS)
        reader->options->loops = (uint32_t)number;
    else if (option == MAX_MESSAGE_BYTES)
        reader->options->message_bytes_max = number;
    else if (option == MAX_WORLDS)
        reader->options->worlds_max = (uint32_t)number;
    else if (option >= PERSON_MESSAGES && option <= PERSON_POSES)
        *(uint64_t *const[]){
            &reader->options->person_messages,    &reader->options->person_bytes,
            &reader->options->person_edits,       &reader->options->person_worlds,
            &reader->options->person_bodies,      &reader->options->person_particles,
            &reader->options->person_constraints, &reader->options->person_poses,
        }[option - PERSON_MESSAGES] = number;
    else if (option == SESSION_GRACE)
        reader->options->session_grace = (uint32_t)number;
    else if (option == TICK_MS)
        reader->options->tick_ms_max = (uint32_t)number;
    else if (option == SERVER_FRAME_BYTES)
        reader->options->server_frame_bytes = number;
    else if (option == LOSSLESS_BYTES)
        reader->options->lossless_bytes = number;
    else if (option == HOLD_MS)
        reader->options->hold_ms = (uint32_t)number;
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
        return options_wrong(
            reader,
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
        return options_wrong(reader, "%s: \"%.60s\" is wrong: it takes an age (45s, 90m, 12h, 30d), or 0s",
                             source, value);
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
        return options_wrong(
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
        return options_wrong(reader, "%s: \"%.100s\" is wrong: it takes the name of a folder", source, value);
    if (keep)
        snprintf(folder, OPTIONS_FOLDER_SIZE, "%s", value);
    return true;
}

// Addresses are looked at where they are used; they may hold a password, so they are not repeated.
static bool set_store(struct reader *reader, enum which option, const char *source, const char *value,
                      bool keep)
{
    struct options *options = reader->options;
    const bool alone = strcmp(value, "brokers") == 0;
    const bool right = option == STORE_ACKS
                           ? alone || strcmp(value, "both") == 0
                           : strlen(value) < sizeof options->store &&
                                 (strncmp(value, "nats://", 7) == 0 || strncmp(value, "tls://", 6) == 0 ||
                                  (option == STORE_CHECK && strcmp(value, "none") == 0));
    if (!right)
        return options_wrong(reader, "%s: it takes %s", source,
                             option == STORE_ACKS ? "both or brokers"
                             : option == STORE    ? "nats://HOST:PORT,... or tls://..."
                                                  : "none, or nats://USER:PASSWORD@HOST:PORT,...");
    if (keep && option == STORE_ACKS)
        options->store_brokers_alone = alone;
    else if (keep)
        snprintf(option == STORE ? options->store : options->store_check, sizeof options->store, "%s", value);
    return true;
}

static bool set_scene(struct reader *reader, const char *source, const char *value, bool keep)
{
    if (value[0] == '\0' || strlen(value) >= OPTIONS_FOLDER_SIZE)
        return options_wrong(reader, "%s: \"%.100s\" is wrong: it takes the name of a scene", source, value);
    if (keep)
        snprintf(reader->options->scene, sizeof reader->options->scene, "%s", value);
    return true;
}

static bool set_pem(struct reader *reader, enum which option, const char *source, const char *value,
                    bool keep)
{
    struct options *options = reader->options;
    char *path = option == TLS_CERT   ? options->tls_cert
                 : option == TLS_KEY  ? options->tls_key
                 : option == RELAY_CA ? options->relay_ca
                                      : options->tls_client_ca;
    if (value[0] == '\0' || strlen(value) >= OPTIONS_FOLDER_SIZE)
        return options_wrong(reader, "%s: \"%.100s\" is wrong: it takes the name of a file in PEM", source,
                             value);
    if (keep)
        snprintf(path, OPTIONS_FOLDER_SIZE, "%s", value);
    return true;
}

static char *file_of(struct options *options, enum which option)
{
    switch (option) {
    case ACCESS:
        return options->access;
    case STORE_CA:
        return options->store_ca;
    case STORE_CERT:
        return options->store_cert;
    case STORE_KEY:
        return options->store_key;
    case STORE_CREDS:
        return options->store_creds;
    case STORE_CHECK_CREDS:
        return options->store_check_creds;
    default:
        return options->audit;
    }
}

static bool set_file(struct reader *reader, enum which option, const char *source, const char *value,
                     bool keep)
{
    if (value[0] == '\0' || strlen(value) >= OPTIONS_FOLDER_SIZE)
        return options_wrong(reader, "%s: \"%.100s\" is wrong: it takes the name of a file", source, value);
    if (keep && option == CONFIG)
        reader->config = value;
    else if (keep)
        snprintf(file_of(reader->options, option), OPTIONS_FOLDER_SIZE, "%s", value);
    return true;
}

static bool set_origins(struct reader *reader, const char *source, const char *value, bool keep)
{
    if (value[0] == '\0' || strlen(value) >= OPTIONS_ORIGINS_SIZE || !net_origin_list_valid(value))
        return options_wrong(reader,
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
        return options_wrong(reader,
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
    return options_wrong(reader, "%s: \"%.100s\" is wrong: this machine has %s", source, value, names);
}

static bool set_name(struct reader *reader, enum which option, const char *source, const char *value,
                     bool keep)
{
    struct options *options = reader->options;
    char *name = option == ADVERTISE     ? options->advertise
                 : option == SERVER_NAME ? options->server_name
                                         : options->token_new;
    const size_t room = option == ADVERTISE ? OPTIONS_ADVERTISE_SIZE : OPTIONS_NAME_SIZE;
    if (value[0] == '\0' || strlen(value) >= room || strpbrk(value, "\n\r\t*") != NULL)
        return options_wrong(reader, "%s: \"%.100s\" is wrong: it takes %s of 1 to %zu bytes", source, value,
                             option == ADVERTISE ? "an address" : "a name", room - 1);
    if (keep)
        snprintf(name, room, "%s", value);
    return true;
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
    return options_wrong(reader, "%s: \"%s\" is wrong: it takes error, warn, info or debug", source, value);
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
            else if (keep && option == DRAIN)
                reader->options->drain = on == 1;
            else if (keep && option == TOKENS)
                reader->options->tokens = on == 1;
            else if (keep)
                reader->options->insecure = on == 1;
            return true;
        }
    }
    return options_wrong(reader, "%s: \"%s\" is wrong: it takes true or false", source, value);
}

bool options_set(struct reader *reader, enum which option, enum rank rank, const char *source,
                 const char *value)
{
    bool keep = rank >= reader->ranks[option];
    if (keep)
        reader->ranks[option] = rank;
    switch (options_table[option].kind) {
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
    case OF_STORE:
        return set_store(reader, option, source, value, keep);
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
        return set_name(reader, option, source, value, keep);
    case FILE_NAME:
        return set_file(reader, option, source, value, keep);
    }
    return true;
}
