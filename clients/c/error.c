// Errors of the library and of servers, and addresses.
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *weft_version(void)
{
    return "0.1.0";
}

bool weft_fail(struct weft_error *error, enum weft_kind kind, const char *code, const char *format, ...)
{
    if (!error) {
        return false;
    }
    char text[WEFT_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memset(error, 0, sizeof *error);
    error->kind = kind;
    weft_text_copy(error->code, sizeof error->code, code, strlen(code));
    weft_text_copy(error->text, sizeof error->text, text, strlen(text));
    return false;
}

bool weft_fail_memory(struct weft_error *error)
{
    return weft_fail(error, WEFT_KIND_LOCAL, "MEMORY", "out of memory");
}

static enum weft_kind kind_from(const msgpack_object *value)
{
    return weft_u64(value, WEFT_KIND_CALLER) == 0 ? WEFT_KIND_SERVER : WEFT_KIND_CALLER;
}

// Splits "CODE: text" into its two parts. Without such a word all of it is the text.
static void split_text(struct weft_error *error, const msgpack_object *value)
{
    size_t size;
    const char *text = weft_string(value, &size);
    size_t word = 0;
    while (word < size && ((text[word] >= 'A' && text[word] <= 'Z') || text[word] == '_' ||
                           (word && text[word] >= '0' && text[word] <= '9'))) {
        word++;
    }
    if (word && word < WEFT_CODE_SIZE && word < size && text[word] == ':') {
        weft_text_copy(error->code, sizeof error->code, text, word);
        word++;
        if (word < size && text[word] == ' ') {
            word++;
        }
        text += word;
        size -= word;
    }
    if (text) {
        weft_text_copy(error->text, sizeof error->text, text, size);
    }
}

void weft_error_from(struct weft_error *error, const msgpack_object *value)
{
    memset(error, 0, sizeof *error);
    error->kind = WEFT_KIND_CALLER;
    if (value->type == MSGPACK_OBJECT_ARRAY) {
        error->kind = kind_from(weft_at(value, 0));
        split_text(error, weft_at(value, 1));
    } else if (value->type == MSGPACK_OBJECT_MAP) {
        error->kind = kind_from(weft_get(value, "kind"));
        weft_string_copy(weft_get(value, "code"), error->code, sizeof error->code);
        weft_string_copy(weft_get(value, "text"), error->text, sizeof error->text);
        weft_string_copy(weft_get(value, "field"), error->field, sizeof error->field);
        weft_string_copy(weft_get(value, "address"), error->address, sizeof error->address);
    } else {
        split_text(error, value);
    }
    if (!error->code[0]) {
        strcpy(error->code, "UNKNOWN");
    }
    if (!error->text[0]) {
        strcpy(error->text, "the server refused without saying why");
    }
}

// The address to connect to when the program names none.
static const char *address_of_environment(void)
{
    const char *address = getenv("WEFT_SERVER");
    return address && *address ? address : WEFT_ADDRESS_DEFAULT;
}

bool weft_address_parse(const char *text, struct weft_address *address, struct weft_error *error)
{
    static const char *const secure[] = {"tls://", "wefts://"};
    const char *given = text && *text ? text : address_of_environment();
    const char *whole = given;
    address->secure = false;
    for (size_t i = 0; i < sizeof secure / sizeof secure[0] && !address->secure; i++) {
        address->secure = strncmp(given, secure[i], strlen(secure[i])) == 0;
        given += address->secure ? strlen(secure[i]) : 0;
    }
    const char *host = given, *host_end, *port = NULL;
    if (*given == '[') {
        host = given + 1;
        host_end = strchr(host, ']');
        if (!host_end || (host_end[1] != '\0' && host_end[1] != ':')) {
            goto bad;
        }
        if (host_end[1] == ':') {
            port = host_end + 2;
        }
    } else {
        const char *colon = strchr(given, ':');
        // More than one colon: a bare IPv6 address.
        const bool bare_v6 = colon && strchr(colon + 1, ':');
        host_end = colon && !bare_v6 ? colon : given + strlen(given);
        if (colon && !bare_v6) {
            port = colon + 1;
        }
    }
    const size_t host_size = (size_t)(host_end - host);
    if (host_size >= sizeof address->host) {
        goto bad;
    }
    memcpy(address->host, host, host_size);
    address->host[host_size] = '\0';
    if (host_size == 0) {
        strcpy(address->host, "127.0.0.1");
    }
    if (!port) {
        port = "9338";
    }
    unsigned value = 0;
    size_t digits = 0;
    for (; digits < 5 && port[digits] >= '0' && port[digits] <= '9'; digits++) {
        value = value * 10 + (unsigned)(port[digits] - '0');
    }
    if (digits == 0 || port[digits] != '\0' || value == 0 || value > 65535) {
        goto bad;
    }
    snprintf(address->port, sizeof address->port, "%u", value);
    return true;

bad:
    return weft_fail(
        error, WEFT_KIND_LOCAL, "USAGE",
        "the address '%s' is not host:port, [v6]:port or host, with a port from 1 to 65535, nor one of "
        "them behind tls://",
        whole);
}
