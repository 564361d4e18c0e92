// How the parts of a document are read (document_make.c): refusals with their place, arrays, names.
//
// The decoder has checked types and ranges; what an array must have as many of as another one is checked here.
#include "document/maker.h"

#include "protocol/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Refusals

// Puts where it is before what the error says of a field there; the field's name begins the text, or comes to.
bool document_maker_place(const struct document_maker *maker, const char *list, uint32_t index)
{
    struct protocol_error inner = *maker->error;
    char place[PROTOCOL_FIELD_MAX], path[PROTOCOL_FIELD_MAX];
    size_t size = strlen(inner.field);
    const char *text = inner.text;
    if (list) {
        snprintf(place, sizeof place, "%s%s[%u]%s", maker->prefix, list, index, size > 0 ? "." : "");
    } else {
        snprintf(place, sizeof place, "%s", maker->prefix);
    }
    snprintf(path, sizeof path, "%.40s%.50s", place, inner.field);
    if (size > 0 && strncmp(text, inner.field, size) == 0) {
        text += size + strspn(text + size, ": ");
    }
    protocol_error_set(maker->error, inner.code, path, "%s%s%s", path, path[0] != '\0' ? ": " : "", text);
    maker->error->limit = inner.limit;
    memcpy(maker->error->value, inner.value, sizeof inner.value);
    return false;
}

bool document_maker_refuse(const struct document_maker *maker, const struct sim_image_place *place,
                           const struct fault *fault)
{
    protocol_error_fault(maker->error, fault);
    if (!place->part) {
        return document_maker_place(maker, place->list, place->index);
    }
    char field[PROTOCOL_FIELD_MAX]; // as if it were called so
    const char *text = fault->field && strncmp(maker->error->text, fault->field, strlen(fault->field)) == 0
                           ? maker->error->text + strlen(fault->field)
                           : maker->error->text;
    snprintf(field, sizeof field, "%s%s%s", place->part, fault->field ? "." : "",
             fault->field ? fault->field : "");
    const struct document_reader at = document_maker_at(maker, place->list, place->index);
    return document_reader_refuse(&at, maker->error->code, field, "%s", text + strspn(text, ": "));
}

static void locate(const struct document_reader *reader)
{
    document_maker_place(reader->of, reader->list, reader->index);
}

struct document_reader document_maker_at(const struct document_maker *maker, const char *list, uint32_t index)
{
    return (struct document_reader){.zone = maker->zone,
                                    .error = maker->error,
                                    .subject = "the document",
                                    .locate = locate,
                                    .of = maker,
                                    .list = list,
                                    .index = index};
}

void *document_maker_alloc(const struct document_maker *maker, size_t count, size_t item_size)
{
    const struct document_reader reader = document_maker_at(maker, NULL, 0);
    return document_reader_alloc(&reader, count, item_size);
}

// Metres, and what their doubles have lost, as quanta.
bool document_maker_quantum(const struct document_reader *place, const char *field, double metres,
                            double remainder, int64_t *out)
{
    const struct document_maker *maker = place->of;
    double quanta = nearbyint(metres / maker->resolution);
    if (!(fabs(metres) <= 1e9) || !(fabs(remainder) <= 1024) || nearbyint(remainder) != remainder) {
        return document_reader_refuse(
            place, PROTOCOL_CODE_INVALID, field,
            "%g m and %g quanta; must be at most 1e+09 m, and a whole number of quanta up to 1024", metres,
            remainder);
    }
    *out = (int64_t)quanta + (int64_t)remainder;
    return true;
}

bool document_maker_quanta(const struct document_reader *place, const char *field,
                           const struct protocol_array *metres, const struct protocol_array *remainders,
                           uint32_t count, const int64_t **out)
{
    if (!document_reader_count(place, field, metres->count, count, NULL) ||
        (remainders->count > 0 && !document_reader_count(place, field, remainders->count, count, NULL))) {
        return false;
    }
    int64_t *copy = document_reader_alloc(place, count, sizeof *copy);
    double *doubles = document_reader_alloc(place, count, sizeof *doubles);
    if (!copy || !doubles) {
        return false;
    }
    protocol_array_copy_f64(metres, doubles);
    for (uint32_t i = 0; i < count; i++) {
        double remainder = remainders->count > 0 ? protocol_array_f64_at(remainders, i) : 0;
        if (!document_maker_quantum(place, field, doubles[i], remainder, &copy[i])) {
            return false;
        }
    }
    *out = copy;
    return true;
}

bool document_maker_pins(const struct document_reader *place, const struct protocol_document_state *given,
                         uint32_t count, struct document_pins *pins)
{
    *pins = (struct document_pins){0};
    const struct {
        uint64_t bit;
        const char *name;
        const struct protocol_array *array;
        uint32_t per;
        const double **out;
    } doubles[] = {
        {PROTOCOL_HAS_DOCUMENT_STATE_PIN_PLACES, "state.pin_places", &given->pin_places, 3, &pins->places},
        {PROTOCOL_HAS_DOCUMENT_STATE_PIN_COMPLIANCES, "state.pin_compliances", &given->pin_compliances, 1,
         &pins->compliances},
        {PROTOCOL_HAS_DOCUMENT_STATE_PIN_DISTANCES, "state.pin_distances", &given->pin_distances, 1,
         &pins->distances},
        {PROTOCOL_HAS_DOCUMENT_STATE_PIN_STARTS, "state.pin_starts", &given->pin_starts, 3, &pins->starts},
        {PROTOCOL_HAS_DOCUMENT_STATE_PIN_ENDS, "state.pin_ends", &given->pin_ends, 3, &pins->ends},
    };
    const struct {
        uint64_t bit;
        const char *name;
        const struct protocol_array *array;
        const uint32_t **out;
    } numbers[] = {
        {PROTOCOL_HAS_DOCUMENT_STATE_PIN_COLLIDERS, "state.pin_colliders", &given->pin_colliders,
         &pins->colliders},
        {PROTOCOL_HAS_DOCUMENT_STATE_PIN_TICKS, "state.pin_ticks", &given->pin_ticks, &pins->ticks},
    };
    bool good = true;
    for (size_t i = 0; good && i < sizeof numbers / sizeof *numbers; i++) {
        good = !(given->has & numbers[i].bit) ||
               (document_reader_count(place, numbers[i].name, numbers[i].array->count, count, "one a pin") &&
                document_reader_u32s(place, numbers[i].name, numbers[i].array, numbers[i].out));
    }
    for (size_t i = 0; good && i < sizeof doubles / sizeof *doubles; i++) {
        const uint32_t want = doubles[i].per * count;
        good = !(given->has & doubles[i].bit) ||
               (document_reader_count(place, doubles[i].name, doubles[i].array->count, want,
                                      doubles[i].per == 3 ? "three a pin" : "one a pin") &&
                document_reader_f64s(place, doubles[i].name, doubles[i].array, want, NULL, doubles[i].out));
    }
    return good;
}

// ---------------------------------------------------------------------------------------------------------
// Names. Ids are settled here, so that what refers to a thing by name finds it.

bool document_maker_add(const struct document_reader *place, struct document_things *things, uint32_t id,
                        const struct protocol_string *name, uint32_t particle_count, uint32_t *own)
{
    uint32_t last = things->count > 0 ? things->items[things->count - 1].id : 0;
    if (id == 0 && last < UINT32_MAX - 1) {
        id = last + 1;
    }
    if (id <= last || id == UINT32_MAX) {
        return document_reader_refuse(place, PROTOCOL_CODE_INVALID, things->noun,
                                      "%u; must be above %u, the one before it", id, last);
    }
    const struct document_thing *other = document_things_by_name(things, name);
    if (other) {
        return document_reader_refuse(place, PROTOCOL_CODE_CONFLICT, "name",
                                      "\"%.*s\" is the name of %s[%u] already", (int)name->size, name->data,
                                      place->list, (unsigned)(other - things->items));
    }
    if (!document_things_reserve(things, 1)) {
        return document_reader_memory(place);
    }
    document_things_add(things, id, name, particle_count);
    *own = id;
    return true;
}

bool document_maker_find(const struct document_reader *place, const struct document_things *things,
                         const struct protocol_ref *ref, uint32_t *id)
{
    const struct document_maker *maker = place->of;
    if (maker->again && ref->id == 0) {
        return document_reader_refuse(place, PROTOCOL_CODE_INVALID, things->noun, "must be an id");
    }
    if (maker->again) {
        *id = ref->id;
        return true;
    }
    const struct document_thing *thing =
        ref->id != 0 ? document_things_by_id(things, ref->id) : document_things_by_name(things, &ref->name);
    if (!thing && ref->id != 0) {
        return document_reader_refuse(place, PROTOCOL_CODE_NOT_FOUND, things->noun,
                                      "%u; the document has no %s of this id", ref->id, things->noun);
    }
    if (!thing) {
        return document_reader_refuse(place, PROTOCOL_CODE_NOT_FOUND, things->noun,
                                      "\"%.*s\"; the document has no %s of this name", (int)ref->name.size,
                                      ref->name.data, things->noun);
    }
    *id = thing->id;
    return true;
}

// Names are looked for one after another, so lists are bounded before.
bool document_maker_length(const struct document_maker *maker, const char *list, uint32_t count,
                           uint64_t most)
{
    if (count <= most) {
        return true;
    }
    protocol_error_set(maker->error, PROTOCOL_CODE_LIMIT, list, "%u entries; at most %u", count,
                       (unsigned)most);
    document_maker_place(maker, NULL, 0);
    maker->error->limit = (double)most;
    return false;
}
