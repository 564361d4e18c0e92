// weft set: KEY=VALUE into the parameters of world.set, by the types that the server gives for them.
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The type of a parameter of world.set, NULL if there is none of that name.
static const msgpack_object *setting_type(const msgpack_object *info, const char *field, size_t length)
{
    const msgpack_object *methods = weft_get(info, "methods");
    for (uint32_t m = 0; m < weft_count(methods); m++) {
        const msgpack_object *method = weft_at(methods, m);
        if (!weft_string_is(weft_get(method, "name"), "world.set"))
            continue;
        const msgpack_object *params = weft_get(method, "params");
        for (uint32_t p = 0; p < weft_count(params); p++) {
            size_t size;
            const char *name = weft_string(weft_get(weft_at(params, p), "name"), &size);
            if (name && size == length && memcmp(name, field, size) == 0)
                return weft_get(weft_at(params, p), "type");
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

// Numbers between commas.
static bool add_list(struct weft_params *params, const char *field, const char *text)
{
    weft_params_list_begin(params, field);
    while (*text) {
        char *end;
        const double number = strtod(text, &end);
        if (end == text || (*end != ',' && *end != '\0'))
            return false;
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
    if (weft_string_is(type, "vec3") || ends_with(type, "[]"))
        return add_list(params, field, text);
    if (weft_string_is(type, "bool")) {
        const bool yes = !strcmp(text, "true") || !strcmp(text, "yes") || !strcmp(text, "1");
        const bool no = !strcmp(text, "false") || !strcmp(text, "no") || !strcmp(text, "0");
        weft_params_bool(params, field, yes);
        return yes || no;
    }
    const bool is_whole = weft_string_is(type, "u32") || weft_string_is(type, "u64");
    if (is_whole || weft_string_is(type, "float")) {
        if (!cli_number(text, -INFINITY, INFINITY, &number))
            return false;
        if (is_whole && floor(number) == number && fabs(number) < 9e15)
            weft_params_i64(params, field, (int64_t)number);
        else
            weft_params_f64(params, field, number);
        return true;
    }
    if (weft_string_is(type, "ref"))
        weft_params_ref(params, field, text);
    else
        // Strings and enums; and fields that the server does not know, which it refuses by name.
        weft_params_string(params, field, text);
    return true;
}

int cli_set(struct cli *cli, int argc, char **argv)
{
    struct weft_params params;
    struct weft_reply info = {0}, reply = {0};
    if (!cli_plain(&argc, &argv, 2, 1000, "set WORLD KEY=VALUE..."))
        return CLI_USAGE;
    weft_params_init(&params);
    weft_params_ref(&params, "world", argv[0]);
    int status = cli_call(cli, "server.info", NULL, &info);
    for (int i = 1; i < argc && status == CLI_OK; i++) {
        char field[96];
        const char *equals = strchr(argv[i], '=');
        const size_t length = equals ? (size_t)(equals - argv[i]) : 0;
        if (length == 0 || length >= sizeof field) {
            status = cli_usage("'%s' is not KEY=VALUE", argv[i]);
            break;
        }
        memcpy(field, argv[i], length);
        field[length] = '\0';
        // --tick-rate and tick_rate are the same name to people.
        for (char *c = field; *c; c++)
            *c = *c == '-' ? '_' : *c;
        const msgpack_object *type = setting_type(&info.result, field, length);
        if (!add_setting(&params, type, field, equals + 1)) {
            char name[32];
            status = cli_usage("%s is a %s; '%s' is none", field, weft_string_copy(type, name, sizeof name),
                               equals + 1);
        }
    }
    if (status == CLI_OK)
        status = cli_call(cli, "world.set", &params, &reply);
    if (status == CLI_OK && cli->json)
        cli_print_json(&reply.result);
    else if (status == CLI_OK)
        printf("set at tick %llu, revision %llu\n", cli_field_u64(&reply.result, "tick"),
               cli_field_u64(&reply.result, "revision"));
    weft_reply_destroy(&info);
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}
