// weft set: turns KEY=VALUE into parameters of world.set, by the types that the server gives for them.
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SETTINGS_MAX = 1000, KEY_SIZE = 96, DEPTH_MAX = 4 };

struct setting {
    char key[KEY_SIZE]; // "wind.velocity"
    const char *value;
    bool done;
};

// Finds the entry with this name in a list of maps; NULL if there is none.
static const msgpack_object *named(const msgpack_object *list, const char *name, size_t length)
{
    for (uint32_t i = 0; i < weft_count(list); i++) {
        size_t size;
        const char *of_entry = weft_string(weft_get(weft_at(list, i), "name"), &size);
        if (of_entry && size == length && memcmp(of_entry, name, size) == 0) {
            return weft_at(list, i);
        }
    }
    return NULL;
}

static bool ends_with(const msgpack_object *text, const char *end)
{
    size_t size;
    const char *data = weft_string(text, &size);
    return data && size >= strlen(end) && memcmp(data + size - strlen(end), end, strlen(end)) == 0;
}

// Adds numbers that are separated by commas.
static bool add_list(struct weft_params *params, const char *field, const char *text)
{
    weft_params_list_begin(params, field);
    while (*text) {
        char *end;
        const double number = strtod(text, &end);
        if (end == text || (*end != ',' && *end != '\0')) {
            return false;
        }
        weft_params_f64(params, NULL, number);
        text = *end ? end + 1 : end;
    }
    weft_params_list_end(params);
    return true;
}

static bool add_setting(struct weft_params *params, const msgpack_object *type, const char *field,
                        const char *text)
{
    double number;
    if (weft_string_is(type, "vec3") || ends_with(type, "[]")) {
        return add_list(params, field, text);
    }
    if (weft_string_is(type, "bool")) {
        const bool yes = !strcmp(text, "true") || !strcmp(text, "yes") || !strcmp(text, "1");
        const bool no = !strcmp(text, "false") || !strcmp(text, "no") || !strcmp(text, "0");
        weft_params_bool(params, field, yes);
        return yes || no;
    }
    const bool is_whole = weft_string_is(type, "u32") || weft_string_is(type, "u64");
    if (is_whole || weft_string_is(type, "float")) {
        if (!cli_number(text, -INFINITY, INFINITY, &number)) {
            return false;
        }
        if (is_whole && floor(number) == number && fabs(number) < 9e15) {
            weft_params_i64(params, field, (int64_t)number);
        } else {
            weft_params_f64(params, field, number);
        }
        return true;
    }
    if (weft_string_is(type, "ref")) {
        weft_params_ref(params, field, text);
    } else {
        // Strings and enums; also fields that the server does not know, which it refuses by name.
        weft_params_string(params, field, text);
    }
    return true;
}

struct settings {
    const msgpack_object *types; // types of the server
    struct weft_params *params;
    struct setting *items;
    int count;
};

// Adds the settings that begin with the first `from` bytes of key (which end with a dot unless `from` is 0) to the open
// map, whose fields these are.
static int add_level(struct settings *settings, const msgpack_object *fields, const char *key, size_t from,
                     int depth)
{
    for (int i = 0; i < settings->count; i++) {
        struct setting *item = &settings->items[i];
        if (item->done || strncmp(item->key, key, from) != 0) {
            continue;
        }
        char name[KEY_SIZE];
        const size_t length = strcspn(item->key + from, ".");
        const msgpack_object *field = named(fields, item->key + from, length);
        memcpy(name, item->key + from, length);
        name[length] = '\0';
        if (item->key[from + length] == '.') {
            size_t size;
            const char *of = weft_string(weft_get(field, "of"), &size);
            if (depth == DEPTH_MAX || (field && !of)) {
                return cli_usage("%s holds no fields, so %s cannot be set", name, item->key);
            }
            char prefix[KEY_SIZE];
            memcpy(prefix, item->key, from + length + 1);
            weft_params_map_begin(settings->params, name);
            const msgpack_object *inner = of ? weft_get(named(settings->types, of, size), "fields") : NULL;
            const int status = add_level(settings, inner, prefix, from + length + 1, depth + 1);
            weft_params_map_end(settings->params);
            if (status != CLI_OK) {
                return status;
            }
            continue;
        }
        item->done = true;
        const msgpack_object *type = weft_get(field, "type");
        if (weft_string_is(type, "map")) {
            return cli_usage("%s has fields, which are set one by one: %s.FIELD=VALUE", item->key, item->key);
        }
        if (!add_setting(settings->params, type, name, item->value)) {
            char text[32];
            return cli_usage("%s is a %s; '%s' is not", item->key, weft_string_copy(type, text, sizeof text),
                             item->value);
        }
    }
    return CLI_OK;
}

static bool read_setting(const char *argument, struct setting *setting)
{
    const char *equals = strchr(argument, '=');
    const size_t length = equals ? (size_t)(equals - argument) : 0;
    if (length == 0 || length >= sizeof setting->key || argument[0] == '.' || equals[-1] == '.') {
        return false;
    }
    memcpy(setting->key, argument, length);
    // People write --tick-rate and tick_rate for the same name.
    for (char *c = setting->key; *c; c++) {
        *c = *c == '-' ? '_' : *c;
    }
    setting->value = equals + 1;
    return true;
}

int cli_set(struct cli *cli, int argc, char **argv)
{
    struct weft_params params;
    struct weft_reply info = {0}, reply = {0};
    if (!cli_plain(&argc, &argv, 2, SETTINGS_MAX, "set WORLD KEY=VALUE...")) {
        return CLI_USAGE;
    }
    weft_params_init(&params);
    weft_params_ref(&params, "world", argv[0]);
    int status = CLI_OK;
    struct settings settings = {.params = &params, .items = calloc((size_t)argc, sizeof *settings.items)};
    if (!settings.items) {
        status =
            cli_report(&(struct weft_error){.kind = WEFT_KIND_LOCAL, .code = "MEMORY", .text = "no memory"});
    }
    for (int i = 1; i < argc && status == CLI_OK; i++) {
        if (!read_setting(argv[i], &settings.items[settings.count++])) {
            status = cli_usage("'%s' is not KEY=VALUE", argv[i]);
        }
    }
    if (status == CLI_OK) {
        status = cli_call(cli, "server.info", NULL, &info);
    }
    if (status == CLI_OK) {
        const msgpack_object *method =
            named(weft_get(&info.result, "methods"), "world.set", strlen("world.set"));
        settings.types = weft_get(&info.result, "types");
        status = add_level(&settings, weft_get(method, "params"), "", 0, 0);
    }
    if (status == CLI_OK) {
        status = cli_call(cli, "world.set", &params, &reply);
    }
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        printf("set at tick %llu, revision %llu\n", cli_field_u64(&reply.result, "tick"),
               cli_field_u64(&reply.result, "revision"));
    }
    free(settings.items);
    weft_reply_destroy(&info);
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}
