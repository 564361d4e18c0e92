// Encodes what comes before the chunks in each part of a frame, after HEAD (protocol/frame.h):
//
//     world tick substep time revision part parts [encoding] [tolerance] [nth] [measures] [grabs] [colliders] [contact] [contacts] [asleep]
//     [left_out] __ bodies DD n
//
// `__` is padding to a multiple of 8. Measures, grabs, colliders, contact, contacts and asleep are in part 0. The
// other parts have a padding field for each, so that all parts of a frame have the same number of keys.
#include "world/frames/prefix.h"

#include "base/assert.h"
#include "document/document.h"
#include "protocol/bytes.h"
#include "protocol/frame.h"
#include "world/frames/summary.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIELD_MEASURES = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_MEASURES,
    FIELD_GRABS = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_GRABS,
    FIELD_COLLIDERS = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_COLLIDERS,
    FIELD_CONTACT = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_CONTACT,
    FIELD_CONTACTS = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_CONTACTS,
    FIELD_ASLEEP = PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_ASLEEP,
};

static bool measures_make(struct world_snapshot *snapshot)
{
    if (!snapshot->measures_made) {
        struct protocol_measures measures;
        msgpack_packer packer;
        world_measures_fill(snapshot->document->sim, snapshot->times, &measures);
        protocol_bytes_clear(&snapshot->measures);
        msgpack_packer_init(&packer, &snapshot->measures, protocol_bytes_write);
        protocol_encode(&protocol_measures_type, &measures, PROTOCOL_ARRAYS_PLAIN, &packer);
        snapshot->measures_made = true;
    }
    return !snapshot->measures.failed;
}

static bool grabs_make(struct world_snapshot *snapshot, enum protocol_arrays_mode arrays)
{
    struct protocol_bytes *bytes = &snapshot->grabs[arrays];
    if (!snapshot->grabs_made[arrays]) {
        msgpack_packer packer;
        uint32_t count = sim_grab_count(snapshot->document->sim);
        protocol_bytes_clear(bytes);
        msgpack_packer_init(&packer, bytes, protocol_bytes_write);
        msgpack_pack_array(&packer, count);
        for (uint32_t g = 0; g < count; g++) {
            struct sim_grab grab;
            struct protocol_grab_summary summary;
            sim_grab_at(snapshot->document->sim, g, &grab);
            world_grab_fill(snapshot->people, &grab, &summary);
            protocol_encode(&protocol_grab_summary_type, &summary, arrays, &packer);
        }
        snapshot->grabs_made[arrays] = true;
    }
    return !bytes->failed;
}

// Packs the colliders that motions move. They are a few numbers, which all modes share.
static bool colliders_make(struct world_snapshot *snapshot)
{
    struct protocol_bytes *bytes = &snapshot->colliders;
    if (snapshot->colliders_made) {
        return !bytes->failed;
    }
    msgpack_packer packer;
    uint32_t count = sim_collider_count(snapshot->document->sim), driven = 0;
    struct sim_collider collider;
    for (uint32_t c = 0; c < count; c++) {
        sim_collider_at(snapshot->document->sim, c, &collider);
        driven += sim_collider_driven(snapshot->document->sim, collider.id);
    }
    protocol_bytes_clear(bytes);
    msgpack_packer_init(&packer, bytes, protocol_bytes_write);
    msgpack_pack_array(&packer, driven);
    for (uint32_t c = 0; c < count; c++) {
        struct protocol_collider_pose pose;
        if (document_pose_fill(snapshot->document->sim, c, snapshot->moment.substep, &pose)) {
            protocol_encode(&protocol_collider_pose_type, &pose, PROTOCOL_ARRAYS_PLAIN, &packer);
        }
    }
    snapshot->colliders_made = true;
    return !bytes->failed;
}

static bool contact_make(struct world_snapshot *snapshot)
{
    if (!snapshot->contact_made) {
        struct protocol_contact contact;
        msgpack_packer packer;
        document_contact_fill(snapshot->document->sim, &contact);
        protocol_bytes_clear(&snapshot->contact);
        msgpack_packer_init(&packer, &snapshot->contact, protocol_bytes_write);
        protocol_encode(&protocol_contact_type, &contact, PROTOCOL_ARRAYS_PLAIN, &packer);
        snapshot->contact_made = true;
    }
    return !snapshot->contact.failed;
}

static bool contacts_make(struct world_snapshot *snapshot, enum protocol_arrays_mode arrays)
{
    struct protocol_bytes *bytes = &snapshot->contacts[arrays];
    if (!snapshot->contacts_made[arrays]) {
        struct protocol_contacts contacts;
        struct protocol_contact_places *places;
        msgpack_packer packer;
        if (!document_contacts_fill(snapshot->document, &contacts, &places)) {
            return false;
        }
        protocol_bytes_clear(bytes);
        msgpack_packer_init(&packer, bytes, protocol_bytes_write);
        protocol_encode(&protocol_contacts_type, &contacts, arrays, &packer);
        free(places);
        snapshot->contacts_made[arrays] = true;
    }
    return !bytes->failed;
}

static bool is_asleep(const struct sim *sim, uint32_t position)
{
    struct sim_body_info info;
    return sim_body_info(sim, sim_body_id_at(sim, position), &info) && info.asleep;
}

// Packs the bodies that sleep, as a plain list. If there are none, it stays empty: then the frame has no such field.
static bool asleep_make(struct world_snapshot *snapshot)
{
    struct protocol_bytes *bytes = &snapshot->asleep;
    if (snapshot->asleep_made) {
        return !bytes->failed;
    }
    const struct sim *sim = snapshot->document->sim;
    const uint32_t bodies = sim_body_count(sim);
    msgpack_packer packer;
    uint32_t count = 0;
    for (uint32_t b = 0; b < bodies; b++) {
        count += is_asleep(sim, b);
    }
    protocol_bytes_clear(bytes);
    msgpack_packer_init(&packer, bytes, protocol_bytes_write);
    if (count > 0) {
        msgpack_pack_array(&packer, count);
    }
    for (uint32_t b = 0; b < bodies; b++) {
        if (is_asleep(sim, b)) {
            msgpack_pack_uint32(&packer, sim_body_id_at(sim, b));
        }
    }
    snapshot->asleep_made = true;
    return !bytes->failed;
}

static bool has_asleep(const struct world_snapshot *snapshot, const struct world_stream_options *options)
{
    return (options->fields & FIELD_ASLEEP) && snapshot->asleep.size > 0;
}

bool world_prefix_prepare(struct world_snapshot *snapshot, const struct world_selection *selection)
{
    return (!(selection->options.fields & FIELD_MEASURES) || measures_make(snapshot)) &&
           (!(selection->options.fields & FIELD_GRABS) || grabs_make(snapshot, selection->options.arrays)) &&
           (!(selection->options.fields & FIELD_COLLIDERS) || colliders_make(snapshot)) &&
           (!(selection->options.fields & FIELD_CONTACT) || contact_make(snapshot)) &&
           (!(selection->options.fields & FIELD_CONTACTS) ||
            contacts_make(snapshot, selection->options.arrays)) &&
           (!(selection->options.fields & FIELD_ASLEEP) || asleep_make(snapshot));
}

// ---------------------------------------------------------------------------------------------------------
// Bytes

static uint8_t *put_bytes(uint8_t *at, const void *data, size_t size)
{
    memcpy(at, data, size);
    return at + size;
}

static uint8_t *put_key(uint8_t *at, const char *key)
{
    size_t size = strlen(key);
    *at++ = (uint8_t)(0xa0 | size);
    return put_bytes(at, key, size);
}

static uint8_t *put_big(uint8_t *at, uint8_t type, uint64_t value, uint32_t size)
{
    *at++ = type;
    for (uint32_t byte = size; byte-- > 0;) {
        *at++ = (uint8_t)(value >> (8 * byte));
    }
    return at;
}

static uint8_t *put_u32(uint8_t *at, const char *key, uint32_t value)
{
    return put_big(put_key(at, key), 0xce, value, 4);
}

static uint8_t *put_u64(uint8_t *at, const char *key, uint64_t value)
{
    return put_big(put_key(at, key), 0xcf, value, 8);
}

static uint8_t *put_padding(uint8_t *at, const char *key, uint32_t zeros)
{
    at = put_key(at, key);
    *at++ = 0xc4;
    *at++ = (uint8_t)zeros;
    memset(at, 0, zeros);
    return at + zeros;
}

static const char *encoding_name(const struct world_stream_options *options)
{
    return options->encoding == WORLD_DELTA ? "delta" : options->encoding == WORLD_Q16 ? "q16" : NULL;
}

uint32_t world_prefix_keys(const struct world_snapshot *snapshot, const struct world_stream_options *options,
                           uint32_t left_out)
{
    const uint32_t fields = options->fields;
    return (snapshot->epoch > 0 ? 1 : 0) + (options->encoding != WORLD_F32 ? 1 : 0) +
           (options->encoding == WORLD_DELTA ? 1 : 0) + (options->nth > 1 ? 1 : 0) +
           PROTOCOL_FRAME_HEAD_KEYS + 7 + ((fields & FIELD_MEASURES) ? 1 : 0) +
           ((fields & FIELD_GRABS) ? 1 : 0) + ((fields & FIELD_COLLIDERS) ? 1 : 0) +
           ((fields & FIELD_CONTACT) ? 1 : 0) + ((fields & FIELD_CONTACTS) ? 1 : 0) +
           (has_asleep(snapshot, options) ? 1 : 0) + (left_out > 0 ? 1 : 0) + 1 + 1;
}

size_t world_prefix_size(const struct world_snapshot *snapshot, const struct world_selection *selection,
                         uint32_t part, uint32_t left_out, uint32_t *zeros)
{
    size_t size = (6 + 5) + (5 + 9) + (8 + 5) + (5 + 9) + (9 + 9) + (5 + 5) + (6 + 5) + (3 + 2) + (7 + 5);
    const char *encoding = encoding_name(&selection->options);
    size += snapshot->epoch > 0 ? 6 + 9 : 0;
    size += encoding ? 9 + 1 + strlen(encoding) : 0;
    size += selection->options.encoding == WORLD_DELTA ? 10 + 9 : 0;
    size += selection->options.nth > 1 ? 4 + 5 : 0;
    if (selection->options.fields & FIELD_MEASURES) {
        size += part == 0 ? 9 + snapshot->measures.size : 4 + 2;
    }
    if (selection->options.fields & FIELD_GRABS) {
        size += part == 0 ? 6 + snapshot->grabs[selection->options.arrays].size : 5 + 2;
    }
    if (selection->options.fields & FIELD_COLLIDERS) {
        size += part == 0 ? 10 + snapshot->colliders.size : 6 + 2;
    }
    if (selection->options.fields & FIELD_CONTACT) {
        size += part == 0 ? 8 + snapshot->contact.size : 7 + 2;
    }
    if (selection->options.fields & FIELD_CONTACTS) {
        size += part == 0 ? 9 + snapshot->contacts[selection->options.arrays].size : 8 + 2;
    }
    if (has_asleep(snapshot, &selection->options)) {
        size += part == 0 ? 7 + snapshot->asleep.size : 9 + 2;
    }
    size += left_out > 0 ? 9 + 5 : 0;
    *zeros = (uint32_t)((8 - size % 8) % 8);
    return size + *zeros;
}

static uint8_t *put_f64(uint8_t *at, const char *key, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_big(put_key(at, key), 0xcb, bits, 8);
}

static uint8_t *put_options(uint8_t *at, const struct world_stream_options *options)
{
    const char *encoding = encoding_name(options);
    if (encoding) {
        at = put_key(put_key(at, "encoding"), encoding);
    }
    if (options->encoding == WORLD_DELTA) {
        at = put_f64(at, "tolerance", (double)options->tolerance);
    }
    return options->nth > 1 ? put_u32(at, "nth", options->nth) : at;
}

struct base_buffer *world_prefix_encode(const struct world_snapshot *snapshot,
                                        const struct world_selection *selection, uint32_t part,
                                        uint32_t parts, uint32_t chunks, uint32_t left_out)
{
    uint32_t zeros;
    size_t size = world_prefix_size(snapshot, selection, part, left_out, &zeros);
    struct base_buffer *buffer = base_buffer_create(size, snapshot->budget);
    if (!buffer) {
        return NULL;
    }
    const struct world_moment *moment = &snapshot->moment;
    uint8_t *at = buffer->data;
    at = put_u32(at, "world", snapshot->world_id);
    at = put_u64(at, "tick", moment->tick);
    at = put_u32(at, "substep", moment->substep);
    at = put_f64(at, "time", moment->time);
    at = put_u64(at, "revision", moment->revision);
    at = put_u32(at, "part", part);
    at = put_u32(at, "parts", parts);
    at = snapshot->epoch > 0 ? put_u64(at, "epoch", snapshot->epoch) : at;
    at = put_options(at, &selection->options);
    if (selection->options.fields & FIELD_MEASURES) {
        at = part == 0 ? put_bytes(put_key(at, "measures"), snapshot->measures.data, snapshot->measures.size)
                       : put_padding(at, "___", 0);
    }
    if (selection->options.fields & FIELD_GRABS) {
        const struct protocol_bytes *grabs = &snapshot->grabs[selection->options.arrays];
        at = part == 0 ? put_bytes(put_key(at, "grabs"), grabs->data, grabs->size)
                       : put_padding(at, "____", 0);
    }
    if (selection->options.fields & FIELD_COLLIDERS) {
        at = part == 0
                 ? put_bytes(put_key(at, "colliders"), snapshot->colliders.data, snapshot->colliders.size)
                 : put_padding(at, "_____", 0);
    }
    if (selection->options.fields & FIELD_CONTACT) {
        at = part == 0 ? put_bytes(put_key(at, "contact"), snapshot->contact.data, snapshot->contact.size)
                       : put_padding(at, "______", 0);
    }
    if (selection->options.fields & FIELD_CONTACTS) {
        const struct protocol_bytes *contacts = &snapshot->contacts[selection->options.arrays];
        at = part == 0 ? put_bytes(put_key(at, "contacts"), contacts->data, contacts->size)
                       : put_padding(at, "_______", 0);
    }
    if (has_asleep(snapshot, &selection->options)) {
        at = part == 0 ? put_bytes(put_key(at, "asleep"), snapshot->asleep.data, snapshot->asleep.size)
                       : put_padding(at, "________", 0);
    }
    at = left_out > 0 ? put_u32(at, "left_out", left_out) : at;
    at = put_padding(at, "__", zeros);
    at = put_big(put_key(at, "bodies"), 0xdd, chunks, 4);
    BASE_ASSERT((size_t)(at - buffer->data) == size && size % 8 == 0);
    return buffer;
}
