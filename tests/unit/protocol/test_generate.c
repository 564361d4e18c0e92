// Generated files: committed as api.json gives them, served as they say, and refused if api.json is wrong. Runs
// protocol/generate.py from the root of the sources.
#include "protocol/generated/api.h"
#include "protocol/types.h"

#include "helper_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[64];

static int make_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/weft-generate-XXXXXX");
    return mkdtemp(directory) == NULL ? -1 : 0;
}

static int remove_directory(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return system(command);
}

// Runs it with the arguments; says its exit status and what it printed.
static int generate(const char *arguments, char *output, size_t size)
{
    char command[512];
    snprintf(command, sizeof command, "python3 protocol/generate.py %s 2>&1", arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t used = fread(output, 1, size - 1, pipe);
    output[used] = 0;
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("no file %s", path);
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    text[size] = 0;
    fclose(file);
    return text;
}

// api.json with one passage replaced, in the test's directory.
static void write_changed(const char *old, const char *new)
{
    char path[128];
    snprintf(path, sizeof path, "%s/api.json", directory);
    char *text = read_text("protocol/api.json");
    char *place = strstr(text, old);
    if (place == NULL) {
        fail_msg("api.json has no %s", old);
        return;
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(place - text), text, new, place + strlen(old));
    assert_int_equal(fclose(file), 0);
    free(text);
}

static int generate_changed(const char *arguments, char *output, size_t size)
{
    char all[256];
    snprintf(all, sizeof all, "--api '%s/api.json' %s", directory, arguments);
    return generate(all, output, size);
}

static void what_is_committed_is_what_api_json_gives(void **state)
{
    (void)state;
    char output[4096];
    int status = generate("--check", output, sizeof output);
    if (status != 0) {
        fail_msg("run protocol/generate.py: %s", output);
    }
    assert_string_equal(output, "");
}

static void a_change_of_api_json_is_noticed_and_its_files_are_named(void **state)
{
    (void)state;
    char output[4096];
    write_changed("Largest message a client may send.", "Largest message that a client may send.");
    assert_int_equal(generate_changed("--check", output, sizeof output), 1);
    assert_string_equal(output, "protocol/generated/api.h differs from what api.json gives\n"
                                "docs/reference/limits.md differs from what api.json gives\n"
                                "clients/web/src/lib/api.generated.ts differs from what api.json gives\n");
    write_changed("\"value\": 67108864", "\"value\": 67108865");
    assert_int_equal(generate_changed("--check", output, sizeof output), 1);
    assert_non_null(strstr(output, "protocol/generated/info.c differs"));
}

static void output_elsewhere_is_the_same_and_checks_there(void **state)
{
    (void)state;
    char output[4096], arguments[256], path[256];
    snprintf(arguments, sizeof arguments, "--out '%s/tree'", directory);
    assert_int_equal(generate(arguments, output, sizeof output), 0);
    static const char *const files[] = {"protocol/generated/api.c", "clients/web/src/lib/api.generated.ts",
                                        "docs/reference/methods.md"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/tree/%s", directory, files[i]);
        char *here = read_text(files[i]), *there = read_text(path);
        assert_string_equal(here, there);
        free(here);
        free(there);
    }
    snprintf(arguments, sizeof arguments, "--check --out '%s/tree'", directory);
    assert_int_equal(generate(arguments, output, sizeof output), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(generate(arguments, output, sizeof output), 1);
    assert_string_equal(output, "docs/reference/methods.md differs from what api.json gives\n");
}

static void mistakes_in_api_json_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *said;
    } cases[] = {
        {"\"type\": \"vec3\"", "\"type\": \"vec5\"", "unknown type \"vec5\""},
        {"\"of\": \"id_range\"", "\"of\": \"range\"", "there is no type 'range'"},
        {"\"name\": \"server.ping\"", "\"name\": \"server.info\"", "\"server.info\" appears twice"},
        {"\"name\": \"substeps\"", "\"name\": \"tick_rate\"", "\"tick_rate\" appears twice"},
        {"\"required\": true", "\"requird\": true", "unknown key \"requird\""},
        {"\"class\": \"edit\"", "\"class\": \"write\"", "unknown class \"write\""},
        {"\"record\": true", "\"record\": false", "record must be true for class edit"},
        {"[\"ext\", \"bin\", \"plain\"]", "[\"ext\", \"bin\", \"bin\"]", "\"bin\" appears twice"},
        {"\"default\": \"ext\"", "\"default\": \"exe\"", "'exe' does not fit type enum"},
        {"\"default\": 60", "\"default\": 0", "0 is below min"},
        {"\"api_level\": 7,", "\"api_level\": 4, \"api_level\": 1,", "appears twice in one object"},
        {"\"code\": \"BUSY\"", "\"code\": \"LIMIT\"", "\"LIMIT\" appears twice"},
        {"\"name\": \"sessions\", \"value\": 1024", "\"name\": \"sessions\", \"value\": -1",
         "value must be a positive integer"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char output[4096];
        write_changed(cases[i].old, cases[i].new);
        int status = generate_changed("--check", output, sizeof output);
        if (status != 2 || strstr(output, cases[i].said) == NULL) {
            fail_msg("%s: status %d, %s", cases[i].new, status, output);
        }
    }
}

static bool find(const char *name, enum protocol_method *method)
{
    return protocol_method_find((struct protocol_string){name, (uint32_t)strlen(name)}, method);
}

static void methods_are_found_by_their_names_and_no_others(void **state)
{
    (void)state;
    enum protocol_method method;
    for (int i = 0; i < PROTOCOL_METHOD_COUNT; i++) {
        const char *name = protocol_methods[i].name;
        char near[64];
        assert_true(find(name, &method));
        assert_int_equal(method, i);
        assert_string_equal(protocol_methods[i].params->name, name);
        snprintf(near, sizeof near, "%sx", name);
        assert_false(find(near, &method));
        assert_false(
            protocol_method_find((struct protocol_string){name, (uint32_t)strlen(name) - 1}, &method));
    }
    assert_false(find("", &method));
    assert_false(find("zzz", &method));
    assert_false(find("nvim_error_event", &method));
}

static void server_info_lists_what_the_tables_hold(void **state)
{
    (void)state;
    struct value methods, limits, errors;
    value_init_bytes(&methods, protocol_api_methods.data, protocol_api_methods.size);
    value_init_bytes(&limits, protocol_api_limits.data, protocol_api_limits.size);
    value_init_bytes(&errors, protocol_api_errors.data, protocol_api_errors.size);
    static const char *const classes[] = {"server", "query", "edit", "input", "control"};
    assert_int_equal(methods.object.via.array.size, PROTOCOL_METHOD_COUNT);
    for (int i = 0; i < PROTOCOL_METHOD_COUNT; i++) {
        const msgpack_object *entry = &methods.object.via.array.ptr[i];
        const msgpack_object *name = value_at(entry, "name"), *class = value_at(entry, "class");
        const msgpack_object *params = value_at(entry, "params");
        assert_int_equal(name->via.str.size, strlen(protocol_methods[i].name));
        assert_memory_equal(name->via.str.ptr, protocol_methods[i].name, name->via.str.size);
        assert_memory_equal(class->via.str.ptr, classes[protocol_methods[i].class_], class->via.str.size);
        assert_int_equal(params->via.array.size, protocol_methods[i].params->field_count);
        for (uint32_t j = 0; j < params->via.array.size; j++) {
            const msgpack_object *field = value_at(&params->via.array.ptr[j], "name");
            const char *expected = protocol_methods[i].params->fields[j].name;
            assert_memory_equal(field->via.str.ptr, expected, strlen(expected));
        }
    }
    assert_true(value_at(&limits.object, "message_bytes")->via.u64 == PROTOCOL_LIMIT_MESSAGE_BYTES);
    assert_true(value_at(&limits.object, "name_bytes")->via.u64 == PROTOCOL_LIMIT_NAME_BYTES);
    assert_int_equal(errors.object.via.array.size, PROTOCOL_CODE_COUNT - 1);
    for (int i = 1; i < PROTOCOL_CODE_COUNT; i++) {
        const msgpack_object *entry = &errors.object.via.array.ptr[i - 1];
        assert_memory_equal(value_at(entry, "code")->via.str.ptr, protocol_codes[i].name,
                            strlen(protocol_codes[i].name));
        assert_int_equal(value_at(entry, "kind")->via.u64, protocol_codes[i].kind);
    }
    value_deinit(&methods);
    value_deinit(&limits);
    value_deinit(&errors);
}

static void presence_bits_stand_where_their_fields_stand(void **state)
{
    (void)state;
    const struct protocol_field *fields = protocol_body_add_params_type.fields;
    for (uint32_t i = 0; i < protocol_body_add_params_type.field_count; i++) {
        uint64_t bit = strcmp(fields[i].name, "triangles") == 0 ? PROTOCOL_HAS_BODY_ADD_PARAMS_TRIANGLES
                       : strcmp(fields[i].name, "stretch") == 0 ? PROTOCOL_HAS_BODY_ADD_PARAMS_STRETCH
                                                                : UINT64_C(1) << i;
        assert_true(bit == UINT64_C(1) << i);
    }
    assert_int_equal(PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_GRABS, 1 << 5);
    assert_int_equal(PROTOCOL_BODY_ADD_PARAMS_KIND_POINTS, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_committed_is_what_api_json_gives),
        cmocka_unit_test(a_change_of_api_json_is_noticed_and_its_files_are_named),
        cmocka_unit_test(output_elsewhere_is_the_same_and_checks_there),
        cmocka_unit_test(mistakes_in_api_json_are_refused_by_name),
        cmocka_unit_test(methods_are_found_by_their_names_and_no_others),
        cmocka_unit_test(server_info_lists_what_the_tables_hold),
        cmocka_unit_test(presence_bits_stand_where_their_fields_stand),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
