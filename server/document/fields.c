// Sets of fields, by the tables of api.json.
#include "document/fields.h"

#include "protocol/array.h"
#include "protocol/generated/api.h"
#include "protocol/params.h"

#include "base/assert.h"

#include <stdio.h>
#include <string.h>

enum { PATH = 96 };

#define NO_FIELD UINT32_MAX

static uint64_t has_of(const void *in)
{
    uint64_t has;
    memcpy(&has, in, sizeof has);
    return has;
}

static void has_set(void *out, uint64_t bit, bool there)
{
    const uint64_t has = there ? has_of(out) | bit : has_of(out) & ~bit;
    memcpy(out, &has, sizeof has);
}

static uint64_t bit(uint32_t field)
{
    return UINT64_C(1) << field;
}

static const void *at(const struct protocol_struct *type, uint32_t field, const void *in)
{
    return (const char *)in + type->fields[field].offset;
}

static bool is_map(const struct protocol_field *field)
{
    return field->type == PROTOCOL_TYPE_MAP;
}

// The map that a map of the struct has in it. NO_FIELD: none.
static uint32_t inner_of(const struct protocol_struct *map)
{
    uint32_t inner = NO_FIELD;
    for (uint32_t f = 0; f < map->field_count && inner == NO_FIELD; f++) {
        inner = is_map(&map->fields[f]) ? f : NO_FIELD;
    }
    return inner;
}

uint32_t document_fields_inner(const struct protocol_struct *type, uint32_t field)
{
    const uint32_t inner = inner_of(type->fields[field].of);
    return inner == NO_FIELD ? 0 : 1u << inner;
}

static uint32_t all_of(const struct protocol_struct *map)
{
    BASE_ASSERT(map->field_count < 32);
    return (1u << map->field_count) - 1;
}

static uint32_t find(const struct protocol_struct *type, const char *name, size_t size)
{
    uint32_t found = NO_FIELD;
    for (uint32_t f = 0; f < type->field_count && found == NO_FIELD; f++) {
        found = strlen(type->fields[f].name) == size && memcmp(type->fields[f].name, name, size) == 0
                    ? f
                    : NO_FIELD;
    }
    return found;
}

// ---------------------------------------------------------------------------------------------------------
// Adding

void document_fields_add(const struct protocol_struct *type, struct document_fields *fields, uint64_t own,
                         uint32_t of, uint32_t under)
{
    BASE_ASSERT(own != 0 && own < UINT64_C(1) << DOCUMENT_FIELDS_MAX);
    const uint32_t field = (uint32_t)__builtin_ctzll(own);
    const bool had = fields->own & own;
    uint32_t *to = &fields->of[field], *to_under = &fields->under[field];
    if (!had || of == 0 || *to == 0) {
        const bool all = of == 0 || (had && *to == 0);
        *to = all ? 0 : of;
        *to_under = all ? 0 : under;
        fields->own |= own;
        return;
    }
    const uint32_t inner_bit = document_fields_inner(type, field);
    if (of & inner_bit) {
        const bool all = under == 0 || ((*to & inner_bit) && *to_under == 0);
        *to_under = all ? 0 : *to_under | under;
    }
    *to |= of;
}

void document_fields_given(const struct protocol_struct *from, const void *in,
                           const struct protocol_struct *type, struct document_fields *fields)
{
    for (uint32_t f = 0; f < from->field_count; f++) {
        const uint32_t to = find(type, from->fields[f].name, strlen(from->fields[f].name));
        if (to == NO_FIELD || !(has_of(in) & bit(f))) {
            continue;
        }
        if (!is_map(&type->fields[to])) {
            document_fields_add(type, fields, bit(to), 0, 0);
            continue;
        }
        const struct protocol_struct *map = type->fields[to].of;
        BASE_ASSERT(from->fields[f].of == map);
        const void *given = at(from, f, in);
        const uint32_t of = (uint32_t)has_of(given) & all_of(map), inner = inner_of(map);
        const bool within = inner != NO_FIELD && (of & 1u << inner);
        if (of != 0) {
            document_fields_add(
                type, fields, bit(to), of,
                within ? (uint32_t)has_of(at(map, inner, given)) & all_of(map->fields[inner].of) : 0);
        }
    }
}

static bool same_array(const struct protocol_array *a, const struct protocol_array *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; i < a->count && same; i++) {
        same = protocol_array_f64_at(a, i) == protocol_array_f64_at(b, i);
    }
    return same;
}

static size_t size_of(const struct protocol_field *field)
{
    switch (field->type) {
    case PROTOCOL_TYPE_BOOL:
        return sizeof(bool);
    case PROTOCOL_TYPE_U32:
    case PROTOCOL_TYPE_FLAGS:
        return sizeof(uint32_t);
    case PROTOCOL_TYPE_ENUM:
        return sizeof(int);
    case PROTOCOL_TYPE_U64:
        return sizeof(uint64_t);
    case PROTOCOL_TYPE_FLOAT:
        return sizeof(double);
    case PROTOCOL_TYPE_VEC3:
        return 3 * sizeof(double);
    case PROTOCOL_TYPE_VEC4:
        return 4 * sizeof(double);
    case PROTOCOL_TYPE_NUMBERS:
    case PROTOCOL_TYPE_U32S:
    case PROTOCOL_TYPE_F32S:
    case PROTOCOL_TYPE_F64S:
        return sizeof(struct protocol_array);
    case PROTOCOL_TYPE_MAP:
        return field->of->size;
    default:
        BASE_ASSERT(false); // no map of values has others
        return 0;
    }
}

static bool is_array(const struct protocol_field *field)
{
    return field->type == PROTOCOL_TYPE_NUMBERS || field->type == PROTOCOL_TYPE_U32S ||
           field->type == PROTOCOL_TYPE_F32S || field->type == PROTOCOL_TYPE_F64S;
}

// The bits of the fields that differ; those of the map in it are in *under.
static uint32_t differ(const struct protocol_struct *map, const void *before, const void *after,
                       uint32_t *under)
{
    uint32_t bits = 0;
    *under = 0;
    for (uint32_t f = 0; f < map->field_count; f++) {
        const bool was = has_of(before) & bit(f), is = has_of(after) & bit(f);
        const void *one = at(map, f, before), *other = at(map, f, after);
        bool differs = was != is;
        if (was && is && is_map(&map->fields[f])) {
            uint32_t deeper;
            *under = differ(map->fields[f].of, one, other, &deeper);
            differs = *under != 0;
        } else if (was && is) {
            differs = is_array(&map->fields[f]) ? !same_array(one, other)
                                                : memcmp(one, other, size_of(&map->fields[f])) != 0;
        }
        bits |= differs ? 1u << f : 0;
    }
    return bits;
}

void document_fields_changed(const struct protocol_struct *type, uint64_t maps, const void *before,
                             const void *after, struct document_fields *fields)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        uint32_t under;
        if (!(maps & bit(f))) {
            continue;
        }
        const uint32_t of = differ(type->fields[f].of, at(type, f, before), at(type, f, after), &under);
        if (of != 0) {
            document_fields_add(type, fields, bit(f), of, under);
        }
    }
}

#define PRESSURE_COURSE                                                                               \
    (PROTOCOL_HAS_PRESSURE_MODEL | PROTOCOL_HAS_PRESSURE_OVERPRESSURE | PROTOCOL_HAS_PRESSURE_RATIO | \
     PROTOCOL_HAS_PRESSURE_SECONDS | PROTOCOL_HAS_PRESSURE_NOW)

// The value that a pressure comes to, and how far it is on its way there, are one. Another model has other fields.
static const struct {
    const struct protocol_struct *map;
    uint32_t one, all; // a field of `one` needs all of `all`; UINT32_MAX: every field
} links[] = {
    {&protocol_pressure_type, PRESSURE_COURSE, PRESSURE_COURSE},
    {&protocol_pressure_type, PROTOCOL_HAS_PRESSURE_MODEL, UINT32_MAX},
    {&protocol_shape_type, PROTOCOL_HAS_SHAPE_MODEL, UINT32_MAX},
};

void document_fields_link(const struct protocol_struct *type, const struct document_fields *changed,
                          struct document_fields *fields)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        for (size_t l = 0; l < sizeof links / sizeof *links; l++) {
            if (type->fields[f].of == links[l].map && (changed->of[f] & links[l].one)) {
                document_fields_add(type, fields, bit(f), links[l].all & all_of(links[l].map), 0);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// As text

// One path: "wind.drag". False: there is no such field.
static bool read_path(const struct protocol_struct *type, const char *path, size_t size,
                      struct document_fields *fields)
{
    const char *dot = memchr(path, '.', size);
    const uint32_t field = dot ? find(type, path, (size_t)(dot - path)) : NO_FIELD;
    if (field == NO_FIELD || !is_map(&type->fields[field]) || !(fields->own & bit(field))) {
        return false;
    }
    const struct protocol_struct *map = type->fields[field].of;
    const char *rest = dot + 1, *end = path + size, *second = memchr(rest, '.', (size_t)(end - rest));
    const uint32_t of = find(map, rest, (size_t)((second ? second : end) - rest));
    if (of == NO_FIELD || (second && !is_map(&map->fields[of]))) {
        return false;
    }
    const uint32_t under =
        second ? find(map->fields[of].of, second + 1, (size_t)(end - second - 1)) : NO_FIELD;
    if (second && under == NO_FIELD) {
        return false;
    }
    if (fields->of[field] == 0) { // the first that is named of it
        fields->own &= ~bit(field);
    }
    document_fields_add(type, fields, bit(field), 1u << of, second ? 1u << under : 0);
    return true;
}

bool document_fields_read(const struct protocol_struct *type, uint64_t has,
                          const struct protocol_string *text, struct document_fields *fields)
{
    const char *end = text ? text->data + text->size : NULL;
    bool good = true;
    *fields = (struct document_fields){.own = has};
    for (const char *from = text ? text->data : NULL; from && from < end && good;) {
        const char *space = memchr(from, ' ', (size_t)(end - from));
        const char *to = space ? space : end;
        good = read_path(type, from, (size_t)(to - from), fields);
        from = to + 1;
    }
    return good;
}

// Calls `tell` with each path of a field. maps: only those of maps that are not meant whole.
static void each(const struct protocol_struct *type, const struct document_fields *fields, bool maps,
                 void (*tell)(void *context, const char *path), void *context)
{
    char path[PATH];
    for (uint32_t f = 0; f < type->field_count; f++) {
        const struct protocol_field *field = &type->fields[f];
        if (!(fields->own & bit(f))) {
            continue;
        }
        if (fields->of[f] == 0) {
            if (!maps) {
                tell(context, field->name);
            }
            continue;
        }
        for (uint32_t m = 0; m < field->of->field_count; m++) {
            const struct protocol_field *inner = &field->of->fields[m];
            if (!(fields->of[f] & 1u << m)) {
                continue;
            }
            if (!is_map(inner) || fields->under[f] == 0) {
                snprintf(path, sizeof path, "%s.%s", field->name, inner->name);
                tell(context, path);
                continue;
            }
            for (uint32_t u = 0; u < inner->of->field_count; u++) {
                if (fields->under[f] & 1u << u) {
                    snprintf(path, sizeof path, "%s.%s.%s", field->name, inner->name,
                             inner->of->fields[u].name);
                    tell(context, path);
                }
            }
        }
    }
}

struct text {
    char *out;
    size_t size, used;
    const char *between;
};

static void count(void *context, const char *path)
{
    struct text *text = context;
    text->used += strlen(path) + 1;
}

static void write(void *context, const char *path)
{
    struct text *text = context;
    const int written = text->used < text->size ? snprintf(text->out + text->used, text->size - text->used,
                                                           "%s%s", text->used > 0 ? text->between : "", path)
                                                : 0;
    text->used += written > 0 ? (size_t)written : 0;
}

struct protocol_string document_fields_text(const struct protocol_struct *type,
                                            const struct document_fields *fields, msgpack_zone *zone)
{
    struct text text = {.used = 0};
    each(type, fields, true, count, &text);
    text = (struct text){.size = text.used + 1, .between = " "};
    text.out = msgpack_zone_malloc(zone, text.size);
    if (!text.out) {
        return (struct protocol_string){0};
    }
    text.out[0] = '\0';
    each(type, fields, true, write, &text);
    return (struct protocol_string){.data = text.out, .size = (uint32_t)text.used};
}

void document_fields_names(const struct protocol_struct *type, const struct document_fields *fields,
                           char *out, size_t size)
{
    struct text text = {.out = out, .size = size, .between = ", "};
    out[0] = '\0';
    each(type, fields, false, write, &text);
}

// ------------------------------------------------------------------------------------------------- structs

static void cut(const struct protocol_struct *map, uint32_t bits, void *out)
{
    for (uint32_t f = 0; f < map->field_count; f++) {
        if (!(bits & 1u << f)) {
            has_set(out, bit(f), false);
            memset((char *)out + map->fields[f].offset, 0, size_of(&map->fields[f]));
        }
    }
}

void document_fields_cut(const struct protocol_struct *type, const struct document_fields *fields, void *out)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        if (!is_map(&type->fields[f]) || !(fields->own & bit(f)) || fields->of[f] == 0) {
            continue;
        }
        const struct protocol_struct *map = type->fields[f].of;
        const uint32_t inner = inner_of(map);
        void *to = (char *)out + type->fields[f].offset;
        cut(map, fields->of[f], to);
        if (inner != NO_FIELD && fields->under[f] != 0 && (has_of(to) & bit(inner))) {
            cut(map->fields[inner].of, fields->under[f], (char *)to + map->fields[inner].offset);
        }
    }
}

static void copy(const struct protocol_struct *map, uint32_t bits, const void *in, void *out)
{
    for (uint32_t f = 0; f < map->field_count; f++) {
        if (bits & 1u << f) {
            has_set(out, bit(f), has_of(in) & bit(f));
            memcpy((char *)out + map->fields[f].offset, at(map, f, in), size_of(&map->fields[f]));
        }
    }
}

static void merge_map(const struct protocol_struct *map, uint32_t of, uint32_t under, const void *in,
                      void *out)
{
    const uint32_t inner = inner_of(map);
    // A map within is merged if it is there before and after; else it comes or goes whole.
    const bool within = inner != NO_FIELD && under != 0 && (of & 1u << inner) && (has_of(in) & bit(inner)) &&
                        (has_of(out) & bit(inner));
    copy(map, within ? of & ~(1u << inner) : of, in, out);
    if (within) {
        copy(map->fields[inner].of, under, at(map, inner, in), (char *)out + map->fields[inner].offset);
    }
}

void document_fields_merge(const struct protocol_struct *type, const struct document_fields *fields,
                           const void *in, void *out)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        if (!is_map(&type->fields[f]) || !(fields->own & bit(f))) {
            continue;
        }
        const struct protocol_struct *map = type->fields[f].of;
        const void *given = at(type, f, in);
        void *to = (char *)out + type->fields[f].offset;
        if (fields->of[f] == 0) {
            protocol_defaults(map, to);
            copy(map, (uint32_t)has_of(given) & all_of(map), given, to);
        } else {
            merge_map(map, fields->of[f], fields->under[f], given, to);
        }
    }
}
