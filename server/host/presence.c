#include "host/presence.h"

#include "base/buffer.h"
#include "host/outgoing.h"
#include "protocol/array.h"
#include "protocol/array/reserve.h"
#include "protocol/error.h"
#include "protocol/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void forget_packed(struct host_present *present)
{
    for (int mode = 0; mode < 3; mode++) {
        base_buffer_unref(present->packed[mode]);
        present->packed[mode] = NULL;
    }
}

static void present_destroy(struct host_present *present)
{
    forget_packed(present);
    free(present->grabs);
    free(present);
}

void host_presence_destroy(struct host_presence *presence)
{
    if (!presence) {
        return;
    }
    for (uint32_t i = 0; i < presence->count; i++) {
        present_destroy(presence->items[i]);
    }
    free(presence->items);
    free(presence);
}

static uint32_t place_of(const struct host_presence *presence, uint32_t session)
{
    uint32_t place = 0;
    while (place < presence->count && presence->items[place]->session < session) {
        place++;
    }
    return place;
}

struct host_present *host_presence_find(const struct host_presence *presence, uint32_t session)
{
    if (!presence) {
        return NULL;
    }
    uint32_t place = place_of(presence, session);
    if (place == presence->count || presence->items[place]->session != session ||
        presence->items[place]->left) {
        return NULL;
    }
    return presence->items[place];
}

struct host_present *host_presence_come(struct host_presence *presence, uint32_t session)
{
    uint32_t place = place_of(presence, session);
    if (place < presence->count && presence->items[place]->session == session) {
        presence->items[place]->left = presence->items[place]->hidden = false;
        return presence->items[place];
    }
    if (!array_reserve(&presence->items, &presence->capacity, presence->count + 1)) {
        return NULL;
    }
    struct host_present *present = calloc(1, sizeof *present);
    if (!present) {
        return NULL;
    }
    present->session = session;
    memmove(&presence->items[place + 1], &presence->items[place],
            (presence->count - place) * sizeof *presence->items);
    presence->items[place] = present;
    presence->count++;
    presence->holds = 0; // makes the timer look for what it already holds
    return present;
}

void host_presence_forget(struct host_presence *presence, uint32_t position)
{
    present_destroy(presence->items[position]);
    presence->count--;
    memmove(&presence->items[position], &presence->items[position + 1],
            (presence->count - position) * sizeof *presence->items);
}

void host_presence_changed(struct host_presence *presence, struct host_present *present)
{
    present->version = ++presence->version;
    forget_packed(present);
}

static bool same_grabs(const struct host_present *present, const uint32_t *grabs, uint32_t count)
{
    return present->grab_count == count &&
           (count == 0 || memcmp(present->grabs, grabs, count * sizeof *grabs) == 0);
}

void host_presence_holds(struct host_presence *presence, struct host_present *present, const uint32_t *grabs,
                         uint32_t count)
{
    if (same_grabs(present, grabs, count) ||
        !array_reserve(&present->grabs, &present->grab_capacity, count)) {
        return;
    }
    if (count > 0) {
        memcpy(present->grabs, grabs, count * sizeof *grabs);
    }
    present->grab_count = count;
    host_presence_changed(presence, present);
}

const char *host_present_name(const struct host_present *present)
{
    return present->name[0] != '\0' ? present->name : present->person.name;
}

struct base_buffer *host_presence_pack(uint32_t world, const struct host_present *present,
                                       enum protocol_arrays_mode arrays, bool gone)
{
    const struct protocol_world_presence_notice notice = {
        .has = PROTOCOL_HAS_ALL,
        .world = world,
        .session = present->session,
        .user = protocol_text(present->person.name),
        .client = protocol_text(present->person.program),
        .name = protocol_text(host_present_name(present)),
        .color = protocol_text(present->color),
        .camera = present->camera,
        .cursor = present->cursor,
        .selection = {.items = present->things, .count = present->thing_count},
        .holds = {.type = PROTOCOL_ARRAY_U32, .count = present->grab_count, .data = present->grabs},
        .away = present->away_ns != 0,
        .gone = gone,
    };
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_notification(&out.packer, "world.presence");
    protocol_encode(&protocol_world_presence_notice_type, &notice, arrays, &out.packer);
    return host_outgoing_finish(&out);
}

static bool is_color(const struct protocol_string *text)
{
    if (text->size == 0) {
        return true;
    }
    if (text->size != HOST_COLOR_SIZE - 1 || text->data[0] != '#') {
        return false;
    }
    for (uint32_t i = 1; i < text->size; i++) {
        const char c = text->data[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))) {
            return false;
        }
    }
    return true;
}

static bool is_thing(const struct protocol_presence_thing *thing)
{
    const uint64_t all = PROTOCOL_HAS_PRESENCE_THING_BODY | PROTOCOL_HAS_PRESENCE_THING_COLLIDER |
                         PROTOCOL_HAS_PRESENCE_THING_CONSTRAINT;
    const uint64_t has = thing->has & all;
    return has != 0 && (has & (has - 1)) == 0;
}

static bool check(const struct protocol_presence_set_params *params, struct protocol_error *error)
{
    const struct protocol_presence_thing *things = params->selection.items;
    if (!is_color(&params->color)) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "color",
                           "color is \"%.*s\"; it must be #rrggbb, such as #e8590c, or empty",
                           (int)(params->color.size < 40 ? params->color.size : 40), params->color.data);
        return false;
    }
    for (uint32_t i = 0; i < params->selection.count; i++) {
        if (is_thing(&things[i])) {
            continue;
        }
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "selection",
                           "selection[%" PRIu32 "]: must have one of body, collider and constraint", i);
        return false;
    }
    return true;
}

static void take_text(char *out, size_t size, const struct protocol_string *text)
{
    snprintf(out, size, "%.*s", (int)text->size, text->size > 0 ? text->data : "");
}

bool host_presence_set(struct host_presence *presence, struct host_present *present,
                       const struct protocol_presence_set_params *params, struct protocol_error *error)
{
    if (!check(params, error)) {
        return false;
    }
    if (params->has & PROTOCOL_HAS_PRESENCE_SET_PARAMS_NAME) {
        take_text(present->name, sizeof present->name, &params->name);
    }
    if (params->has & PROTOCOL_HAS_PRESENCE_SET_PARAMS_COLOR) {
        take_text(present->color, sizeof present->color, &params->color);
    }
    if (params->has & PROTOCOL_HAS_PRESENCE_SET_PARAMS_CAMERA) {
        present->camera = params->camera;
    }
    if (params->has & PROTOCOL_HAS_PRESENCE_SET_PARAMS_CURSOR) {
        present->cursor = params->cursor;
    }
    if (params->has & PROTOCOL_HAS_PRESENCE_SET_PARAMS_SELECTION) {
        present->thing_count = params->selection.count;
        if (present->thing_count > 0) {
            memcpy(present->things, params->selection.items, present->thing_count * sizeof *present->things);
        }
    }
    host_presence_changed(presence, present);
    return true;
}
