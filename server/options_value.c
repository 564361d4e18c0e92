// The value of an option, checked, and kept if its source ranks at least as high as that of the value before. A value that is
// outranked is checked all the same: a wrong one is a mistake that somebody wants to know of.
#include "options_internal.h"

#include "base/assert.h"
#include "net/net.h"
#include "protocol/utf8/utf8.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool options_wrong(struct reader *reader, const char *format, ...)
{
    if (reader->text[0] != '\0') {
        return false;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->text, OPTIONS_TEXT_SIZE, format, arguments);
    va_end(arguments);
    protocol_utf8_clean(reader->text, strlen(reader->text)); // what was given is quoted, and may be any bytes
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Numbers

static bool parse_integer(const char *text, uint64_t *value)
{
    if (text[0] < '0' || text[0] > '9') {
        return false;
    }
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0';
}

static bool parse_within(const struct option_row *row, const char *text, uint64_t *value)
{
    return parse_integer(text, value) && *value >= row->min && *value <= row->max;
}

// A number with one of the units behind it, each of which is so many.
static bool parse_scaled(const char *text, const char *units, const uint64_t *factors, uint64_t *value)
{
    char *end = NULL;
    errno = 0;
    const uint64_t number = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    const char *unit = end && errno == 0 && end[0] != '\0' && end[1] == '\0' ? strchr(units, end[0]) : NULL;
    return unit && !__builtin_mul_overflow(number, factors[unit - units], value);
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

// An age, a size, both with a comma between them, or all; neither is 0, and what is not said has no bound.
static bool parse_keep(const char *text, uint64_t *age, uint64_t *size)
{
    char copy[64] = "";
    bool valid = strlen(text) < sizeof copy && text[0] != '\0';
    if (valid) {
        memcpy(copy, text, strlen(text));
    }
    char *rest = strcmp(copy, "all") == 0 ? NULL : copy;
    uint64_t told = 0;
    *age = *size = UINT64_MAX;
    for (char *part; valid && rest;) {
        part = strsep(&rest, ",");
        uint64_t *limit = parse_age(part, &told) ? age : size;
        valid = (limit == age || parse_size(part, &told)) && told > 0 && *limit == UINT64_MAX;
        *limit = told;
    }
    return valid;
}

// ---------------------------------------------------------------------------------------------------------
// Words

static bool parse_word(const char *text, const char *const *words, size_t count, size_t *word)
{
    for (*word = 0; *word < count; ++*word) {
        if (strcmp(words[*word], text) == 0) {
            return true;
        }
    }
    return false;
}

static bool parse_flag(const char *text, bool *on)
{
    static const char *const words[] = {"false", "no", "off", "0", "true", "yes", "on", "1"};
    enum { COUNT = sizeof words / sizeof words[0] };
    size_t word;
    const bool valid = parse_word(text, words, COUNT, &word);
    *on = word >= COUNT / 2;
    return valid;
}

static bool parse_acks(const char *text, bool *brokers_alone)
{
    *brokers_alone = strcmp(text, "brokers") == 0;
    return *brokers_alone || strcmp(text, "both") == 0;
}

static bool parse_level(const char *text, enum base_log_level *level)
{
    static const char *const words[] = {[BASE_LOG_ERROR] = "error",
                                        [BASE_LOG_WARN] = "warn",
                                        [BASE_LOG_INFO] = "info",
                                        [BASE_LOG_DEBUG] = "debug"};
    size_t word;
    const bool valid = parse_word(text, words, sizeof words / sizeof words[0], &word);
    *level = (enum base_log_level)word;
    return valid;
}

static bool parse_isa(const char *text, enum sim_isa *isa)
{
    for (int i = 0; i < SIM_ISA_COUNT; i++) {
        *isa = (enum sim_isa)i;
        if (sim_isa_available(*isa) && strcmp(sim_isa_name(*isa), text) == 0) {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Text

// A numeric address and a port; [...] around IPv6.
static bool address_valid(const char *value)
{
    char host[OPTIONS_ADDRESS_SIZE];
    const char *colon = strrchr(value, ':');
    uint64_t port;
    if (!colon || strlen(value) >= sizeof host || !parse_integer(colon + 1, &port) || port > 65535) {
        return false;
    }
    size_t size = (size_t)(colon - value);
    bool six = size >= 2 && value[0] == '[' && value[size - 1] == ']';
    if (six) {
        snprintf(host, sizeof host, "%.*s", (int)(size - 2), value + 1);
    } else {
        snprintf(host, sizeof host, "%.*s", (int)size, value);
    }
    uint8_t address[16];
    return inet_pton(six ? AF_INET6 : AF_INET, host, address) == 1;
}

// The rest of an address is looked at where it is used.
static bool brokers_valid(const char *value)
{
    return strncmp(value, "nats://", 7) == 0 || strncmp(value, "tls://", 6) == 0;
}

static bool name_valid(const char *value)
{
    const size_t size = strlen(value);
    return protocol_utf8_valid(value, size) && !protocol_name_flaw(value, size) && !strchr(value, '*');
}

static bool parse_text(const struct option_row *row, const char *text, bool valid, char *value)
{
    if (!valid || text[0] == '\0' || strlen(text) >= row->size) {
        return false;
    }
    snprintf(value, row->size, "%s", text);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// All of them

union value {
    OPTION_TYPE_FLAG flag;
    OPTION_TYPE_COUNT count;
    OPTION_TYPE_AMOUNT amount;
    OPTION_TYPE_AGE age;
    OPTION_TYPE_KEEP keep;
    OPTION_TYPE_ACKS acks;
    OPTION_TYPE_ISA isa;
    OPTION_TYPE_LEVEL level;
    OPTION_TYPE_FOLDER text; // the longest of all text
};

// *bytes is set for OPTION_IS_KEEP.
static bool parse(const struct option_row *row, const char *text, union value *value, uint64_t *bytes)
{
    uint64_t number;
    switch (row->kind) {
    case OPTION_IS_FLAG:
        return parse_flag(text, &value->flag);
    case OPTION_IS_COUNT:
        if (!parse_within(row, text, &number)) {
            return false;
        }
        value->count = (OPTION_TYPE_COUNT)number;
        return true;
    case OPTION_IS_AMOUNT:
        return parse_within(row, text, &value->amount);
    case OPTION_IS_AGE:
        return parse_age(text, &value->age);
    case OPTION_IS_KEEP:
        return parse_keep(text, &value->keep, bytes);
    case OPTION_IS_ACKS:
        return parse_acks(text, &value->acks);
    case OPTION_IS_ISA:
        return parse_isa(text, &value->isa);
    case OPTION_IS_LEVEL:
        return parse_level(text, &value->level);
    case OPTION_IS_ADDRESS_OR_NONE:
        return strcmp(text, "none") == 0 || parse_text(row, text, address_valid(text), value->text);
    case OPTION_IS_ADDRESS:
        return parse_text(row, text, address_valid(text), value->text);
    case OPTION_IS_FOLDER:
    case OPTION_IS_FILE:
    case OPTION_IS_PEM:
    case OPTION_IS_SCENE:
        return parse_text(row, text, true, value->text);
    case OPTION_IS_ORIGINS:
        return parse_text(row, text, net_origin_list_valid(text), value->text);
    case OPTION_IS_HOSTS:
        return parse_text(row, text, net_host_list_valid(text), value->text);
    case OPTION_IS_BROKERS_OR_NONE:
        return parse_text(row, text, strcmp(text, "none") == 0 || brokers_valid(text), value->text);
    case OPTION_IS_BROKERS:
        return parse_text(row, text, brokers_valid(text), value->text);
    case OPTION_IS_NAME:
    case OPTION_IS_HOST:
        return parse_text(row, text, name_valid(text), value->text);
    }
    return false;
}

bool options_set(struct reader *reader, enum option_id option, enum rank rank, const char *source,
                 const char *text)
{
    const struct option_row *row = &options_table[option];
    const bool may_be_secret = row->kind == OPTION_IS_BROKERS || row->kind == OPTION_IS_BROKERS_OR_NONE;
    char takes[OPTIONS_TAKES_SIZE];
    union value value;
    uint64_t bytes = 0;
    memset(&value, 0, sizeof value);
    if (!parse(row, text, &value, &bytes)) {
        return may_be_secret ? options_wrong(reader, "%s: it takes %s", source, options_takes(row, takes))
                             : options_wrong(reader, "%s: \"%.100s\" is wrong: it takes %s", source, text,
                                             options_takes(row, takes));
    }
    if (rank < reader->ranks[option]) {
        return true;
    }
    reader->ranks[option] = rank;
    snprintf(reader->sources[option], OPTIONS_SOURCE_SIZE, "%s", source);
    memcpy((char *)reader->options + row->at, &value, row->size);
    if (row->kind == OPTION_IS_KEEP) {
        reader->options->keep_bytes = bytes;
    }
    return true;
}

static void set_default(struct reader *reader, enum option_id option)
{
    const struct option_row *row = &options_table[option];
    const bool counts = row->kind == OPTION_IS_COUNT || row->kind == OPTION_IS_AMOUNT;
    char number[32];
    snprintf(number, sizeof number, "%" PRIu64, row->count);
    if (!row->otherwise && (counts || row->text)) {
        BASE_ASSERT(options_set(reader, option, BY_DEFAULT, row->name, counts ? number : row->text));
    }
}

void options_set_defaults(struct reader *reader)
{
    memset(reader->options, 0, sizeof *reader->options);
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        set_default(reader, (enum option_id)option);
    }
}
