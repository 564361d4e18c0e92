// Says what is wrong with a scene, and where: "flag.json: bodies[2].pins: ...". Also lists the fields that there are.
#include "protocol/scene/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FILE_SHOWN_MAX = 150 };

const char *scene_file_shown(const char *path)
{
    const size_t size = strlen(path);
    const char *shown = size > FILE_SHOWN_MAX ? path + size - FILE_SHOWN_MAX : path;
    while (((unsigned char)*shown & 0xc0) == 0x80) {
        shown++; // not in the middle of a character
    }
    return shown;
}

bool scene_ends_with(const char *name, const char *ending)
{
    size_t size = strlen(name), ending_size = strlen(ending);
    return size > ending_size && strcmp(name + size - ending_size, ending) == 0;
}

bool scene_refuse(struct scene_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fault_set_list(reader->fault, FAULT_INVALID, NULL, format, arguments);
    va_end(arguments);
    return fault_set(reader->fault, FAULT_INVALID, NULL, "%s: %s%s%s", scene_file_shown(reader->file),
                     reader->place, reader->place[0] != '\0' ? ": " : "", reader->fault->text);
}

bool scene_refuse_memory(struct scene_reader *reader)
{
    (void)scene_refuse(reader, "no memory to read it");
    reader->fault->code = FAULT_MEMORY;
    return false;
}

size_t scene_enter(struct scene_reader *reader, const char *format, ...)
{
    size_t before = strlen(reader->place);
    const char *dot = before > 0 ? "." : "";
    char part[SCENE_PLACE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    snprintf(reader->place + before, sizeof reader->place - before, "%s%s", part[0] == '[' ? "" : dot, part);
    return before;
}

void scene_leave(struct scene_reader *reader, size_t before)
{
    reader->place[before] = '\0';
}

const struct protocol_field *scene_field(const struct protocol_struct *type, const char *name)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (strcmp(type->fields[i].name, name) == 0) {
            return &type->fields[i];
        }
    }
    return NULL;
}

bool scene_check_name(struct scene_reader *reader, const json_t *object)
{
    const json_t *name = json_object_get(object, "name");
    size_t before = scene_enter(reader, "name");
    bool done = !name || json_is_string(name) || scene_refuse(reader, "must be a string");
    scene_leave(reader, before);
    return done;
}

static bool is_known(const char *name, const char *const *known, const struct protocol_struct *type)
{
    for (; known && *known; known++) {
        if (strcmp(*known, name) == 0) {
            return true;
        }
    }
    return type && scene_field(type, name);
}

bool scene_check_members(struct scene_reader *reader, const json_t *object, const char *const *known,
                         const struct protocol_struct *type)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)object, name, value)
    {
        if (is_known(name, known, type)) {
            continue;
        }
        char list[SCENE_TEXT_SIZE] = "";
        size_t size = 0;
        for (uint32_t i = 0; known && known[i] && size < sizeof list; i++) {
            size += (size_t)snprintf(list + size, sizeof list - size, "%s%s", size > 0 ? ", " : "", known[i]);
        }
        for (uint32_t i = 0; type && i < type->field_count && size < sizeof list; i++) {
            size += (size_t)snprintf(list + size, sizeof list - size, "%s%s", size > 0 ? ", " : "",
                                     type->fields[i].name);
        }
        return scene_refuse(reader, "there is no field \"%.60s\" here; there are %s", name, list);
    }
    return true;
}
