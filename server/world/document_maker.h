// What the files that make a world of a document share (document_maker.c, document_body.c, document_make.c).
#ifndef WEFT_WORLD_DOCUMENT_MAKER_H
#define WEFT_WORLD_DOCUMENT_MAKER_H

#include "world/world_internal.h"

struct world_maker {
    const struct protocol_document *given;
    const char *prefix;
    msgpack_zone *zone;
    struct protocol_error *error;
    struct world_document *document;
    double resolution;
    struct world_body_arrays *arrays; // one a body
    struct sim_image image;
};

// A thing of one of the document's lists: what is wrong with it is said with its place, list[index].field.
struct world_maker_at {
    const struct world_maker *maker;
    const char *list;
    uint32_t index;
};

// Functions that answer a bool return false with the error set; NULL means no memory, and the error set.

// Puts the place before what the error says of a field there. list NULL: the document itself.
bool world_maker_place(const struct world_maker *maker, const char *list, uint32_t index);
bool world_maker_refuse(const struct world_maker *maker, const char *list, uint32_t index,
                        enum protocol_code code, const char *field, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void *world_maker_alloc(const struct world_maker *maker, size_t count,
                        size_t item_size); // zeros, in the zone
bool world_maker_length(const struct world_maker *maker, const char *list, uint32_t count, uint64_t most);

bool world_maker_count(const struct world_maker_at *place, const char *field, uint32_t count, uint32_t want);
bool world_maker_u32s(const struct world_maker_at *place, const char *field,
                      const struct protocol_array *array, const uint32_t **out);
bool world_maker_f32s(const struct world_maker_at *place, const char *field,
                      const struct protocol_array *array, uint32_t count, const float **out);
// One number stands for all where the field allows it.
bool world_maker_f64s(const struct world_maker_at *place, const char *field,
                      const struct protocol_array *array, uint32_t count, const double **out);
// Metres, and what their doubles have lost in quanta, as quanta.
bool world_maker_quantum(const struct world_maker_at *place, const char *field, double metres,
                         double remainder, int64_t *out);
bool world_maker_quanta(const struct world_maker_at *place, const char *field,
                        const struct protocol_array *metres, const struct protocol_array *remainders,
                        uint32_t count, const int64_t **out);

// The next thing of a list, under the id that it asks for (0: the next one), which *own then holds.
bool world_maker_add(struct world_maker *maker, struct world_things *things, const char *list, uint32_t index,
                     uint32_t id, const struct protocol_string *name, uint32_t particle_count, uint32_t *own);
bool world_maker_find(const struct world_maker_at *place, const struct world_things *things,
                      const struct protocol_ref *ref, uint32_t *id);

// document_body.c
bool world_maker_bodies(struct world_maker *maker);
bool world_maker_skins(struct world_maker *maker); // and looks, when the sim is made and welding done

#endif
