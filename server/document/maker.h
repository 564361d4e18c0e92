// Shared by the files that make a world of a document, and that put back what was in one (maker.c, make_*.c).
#ifndef WEFT_DOCUMENT_MAKER_H
#define WEFT_DOCUMENT_MAKER_H

#include "document/parts.h"

struct document_maker {
    const struct protocol_document *given;
    const char *prefix;
    msgpack_zone *zone;
    struct protocol_error *error;
    struct document *document;
    bool
        again; // for what comes back to a document that lives: things are named by ids, and the sim knows them
    double resolution;
    struct document_body_arrays *arrays; // one a body
    struct sim_image image;
};

// Functions that answer a bool return false with the error set; NULL means no memory, and the error set.

// A reader for one thing of a list of the document. Its errors name the place: list[index].field. list NULL: the document itself.
struct document_reader document_maker_at(const struct document_maker *maker, const char *list,
                                         uint32_t index);
// Puts the place before what the error says of a field there.
bool document_maker_place(const struct document_maker *maker, const char *list, uint32_t index);
// Refuses with the fault that the sim found, and its place.
bool document_maker_refuse(const struct document_maker *maker, const struct sim_image_place *place,
                           const struct fault *fault);
void *document_maker_alloc(const struct document_maker *maker, size_t count,
                           size_t item_size); // zeros, in the zone
bool document_maker_length(const struct document_maker *maker, const char *list, uint32_t count,
                           uint64_t most);

// Metres, and what their doubles have lost in quanta, as quanta.
bool document_maker_quantum(const struct document_reader *place, const char *field, double metres,
                            double remainder, int64_t *out);
bool document_maker_quanta(const struct document_reader *place, const char *field,
                           const struct protocol_array *metres, const struct protocol_array *remainders,
                           uint32_t count, const int64_t **out);

// How far a body is on its way to sleep, and anchors of particles, `count` numbers; *out NULL: they are where the particles are.
bool document_maker_sleep(const struct document_reader *place, const struct protocol_document_state *given,
                          uint32_t count, struct sim_sleep *sleep, const int32_t **out);
// The arrays of a state that tell of pins, as in struct sim_image_body. NULL: not given.
struct document_pins {
    const uint32_t *colliders, *ticks;
    const double *places, *compliances, *distances, *starts, *ends;
};
bool document_maker_pins(const struct document_reader *place, const struct protocol_document_state *given,
                         uint32_t count, struct document_pins *pins);

// The next thing of a list, under the id that it asks for (0: the next one), which *own then holds.
bool document_maker_add(const struct document_reader *place, struct document_things *things, uint32_t id,
                        const struct protocol_string *name, uint32_t particle_count, uint32_t *own);
bool document_maker_find(const struct document_reader *place, const struct document_things *things,
                         const struct protocol_ref *ref, uint32_t *id);

bool document_maker_grabs(struct document_maker *maker); // grabs.c

// make_parts.c. Of place->of is used what finds things and says where faults are. Arrays live in the zone.
bool document_maker_collider(const struct document_reader *place,
                             const struct protocol_document_collider *given,
                             struct sim_image_collider *collider);
bool document_maker_batch(const struct document_reader *place,
                          const struct protocol_document_constraints *given,
                          struct sim_image_constraints *batch);
bool document_maker_motion(const struct document_reader *place, const struct protocol_document_motion *given,
                           struct sim_motion *motion);

// make_body.c. One body needs no document; index says where it stands. The arrays are the caller's to deinit, in any case.
bool document_maker_body(const struct document_maker *maker, const struct protocol_document_body *given,
                         uint32_t index, struct document_body_arrays *arrays, struct sim_image_body *body);
bool document_maker_bodies(struct document_maker *maker);
bool document_maker_skins(struct document_maker *maker); // and looks, when the sim is made and welding done

#endif
