#include "host/presence.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "host/outgoing.h"
#include "host/registry.h"
#include "host/session_internal.h"
#include "protocol/array.h"
#include "protocol/error.h"
#include "protocol/message.h"
#include "protocol/utf8/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PERIOD_MS = 1000 / PROTOCOL_LIMIT_PRESENCE_PER_SECOND + 1,
    UNSENT_MAX = 16384, // bytes of who is passed over
    TOLD_MAX = 4096,    // notices in one period, of all worlds: the rest follows
    COLOR_SIZE = 8,     // #rrggbb
};

static const uint64_t away_ns = 5000000000; // until who is away and holds nothing is no longer seen

struct person {
    uint32_t session;
    uint64_t version; // of what is here; the greatest is the newest
    struct host_person who;
    char name[HOST_PERSON_NAME_SIZE];
    char color[COLOR_SIZE];
    struct protocol_presence_camera camera;
    struct protocol_presence_cursor cursor;
    struct protocol_presence_thing things[PROTOCOL_LIMIT_PRESENCE_SELECTION];
    uint32_t thing_count;
    uint32_t *grabs;
    uint32_t grab_count, grab_capacity;
    uint64_t away_ns;              // since when; 0: it is here
    bool hidden;                   // told as gone
    struct base_buffer *packed[3]; // by arrays mode, of this version
};

struct host_presence {
    struct person **items; // by session
    uint32_t count, capacity;
    uint64_t version; // of the newest
    uint64_t flushed; // all that could be told were told up to here
    bool behind;      // some reader was passed over
    uint64_t holds;   // version of what the world says (world_holds)
    uint64_t lines;   // said
};

static void forget_packed(struct person *person)
{
    for (int mode = 0; mode < 3; mode++) {
        base_buffer_unref(person->packed[mode]);
        person->packed[mode] = NULL;
    }
}

static void person_destroy(struct person *person)
{
    forget_packed(person);
    free(person->grabs);
    free(person);
}

void host_presence_destroy(struct host_presence *presence)
{
    if (presence == NULL)
        return;
    for (uint32_t i = 0; i < presence->count; i++)
        person_destroy(presence->items[i]);
    free(presence->items);
    free(presence);
}

static uint32_t place_of(const struct host_presence *presence, uint32_t session)
{
    uint32_t place = 0;
    while (place < presence->count && presence->items[place]->session < session)
        place++;
    return place;
}

static struct person *find(const struct host_presence *presence, uint32_t session)
{
    if (presence == NULL)
        return NULL;
    uint32_t place = place_of(presence, session);
    return place < presence->count && presence->items[place]->session == session ? presence->items[place]
                                                                                 : NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Telling

static struct base_buffer *pack(const struct host_world *world, const struct person *person,
                                enum protocol_arrays_mode mode, bool gone)
{
    const struct protocol_world_presence_notice notice = {
        .has = PROTOCOL_HAS_ALL,
        .world = world->id,
        .session = person->session,
        .user = protocol_text(person->who.name),
        .client = protocol_text(person->who.program),
        .name = protocol_text(person->name[0] != '\0' ? person->name : person->who.name),
        .color = protocol_text(person->color),
        .camera = person->camera,
        .cursor = person->cursor,
        .selection = {.items = person->things, .count = person->thing_count},
        .holds = {.type = PROTOCOL_ARRAY_U32, .count = person->grab_count, .data = person->grabs},
        .away = person->away_ns != 0,
        .gone = gone,
    };
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_notification(&out.packer, "world.presence");
    protocol_encode(&protocol_world_presence_notice_type, &notice, mode, &out.packer);
    return host_outgoing_finish(&out);
}

// What cannot be packed for want of memory is told with the next version.
static void tell(const struct host_world *world, struct person *person, struct host_session *session,
                 const struct host_membership *membership)
{
    struct base_buffer **packed = &person->packed[membership->arrays];
    if (*packed == NULL)
        *packed = pack(world, person, membership->arrays, false);
    if (*packed != NULL)
        host_session_notify(session, *packed);
}

// Few and small, so that all are told at once.
static void tell_gone(struct host_sessions *sessions, const struct host_world *world,
                      const struct person *person)
{
    struct base_buffer *bytes[3] = {NULL};
    for (uint32_t left = sessions->count; left > 0; left--) {
        struct host_session *session = sessions->items[left - 1];
        const struct host_membership *membership = host_session_member(session, world->id);
        if (membership == NULL || session->connection == NULL || session->id == person->session)
            continue;
        struct base_buffer **packed = &bytes[membership->arrays];
        if (*packed == NULL)
            *packed = pack(world, person, membership->arrays, true);
        if (*packed != NULL)
            host_session_notify(session, *packed);
    }
    for (int mode = 0; mode < 3; mode++)
        base_buffer_unref(bytes[mode]);
}

static void changed(struct host_presence *presence, struct person *person)
{
    person->version = ++presence->version;
    forget_packed(person);
}

// How many more may be told.
static uint32_t tell_session(struct host_world *world, struct host_session *session,
                             struct host_membership *membership, uint32_t left)
{
    struct host_presence *presence = world->presence;
    if (membership->presence == presence->version)
        return left;
    const bool full = net_conn_unsent(session->connection->conn) > UNSENT_MAX;
    if (full || left == 0) {
        presence->behind = true;
        return left;
    }
    const uint64_t seen = membership->presence;
    for (uint32_t i = 0; i < presence->count && session->connection != NULL; i++) {
        struct person *person = presence->items[i];
        if (person->version <= seen || person->hidden || person->session == session->id)
            continue;
        tell(world, person, session, membership);
        left -= left > 0;
    }
    membership->presence = presence->version;
    return left;
}

static bool same_grabs(const struct person *person, const uint32_t *grabs, uint32_t count)
{
    return person->grab_count == count &&
           (count == 0 || memcmp(person->grabs, grabs, count * sizeof *grabs) == 0);
}

static void set_grabs(struct host_presence *presence, struct person *person, const uint32_t *grabs,
                      uint32_t count)
{
    if (same_grabs(person, grabs, count))
        return;
    if (person->grab_capacity < count) {
        uint32_t *grown = realloc(person->grabs, count * sizeof *grown);
        if (grown == NULL)
            return;
        person->grabs = grown;
        person->grab_capacity = count;
    }
    if (count > 0)
        memcpy(person->grabs, grabs, count * sizeof *grabs);
    person->grab_count = count;
    changed(presence, person);
}

static void look_at_holds(struct host_world *world)
{
    struct host_presence *presence = world->presence;
    const struct world_hold *holds;
    uint32_t count, grabs[PROTOCOL_LIMIT_GRABS];
    if (!world_holds(world->world, &presence->holds, &holds, &count))
        return;
    for (uint32_t i = 0; i < presence->count; i++) {
        uint32_t found = 0;
        for (uint32_t n = 0; n < count; n++)
            if (holds[n].session == presence->items[i]->session && found < PROTOCOL_LIMIT_GRABS)
                grabs[found++] = holds[n].grab;
        set_grabs(presence, presence->items[i], grabs, found);
    }
}

// False: nothing is left to be looked after.
static bool look_after(struct host_sessions *sessions, struct host_world *world, uint64_t now_ns,
                       uint32_t *left)
{
    struct host_presence *presence = world->presence;
    look_at_holds(world);
    for (uint32_t i = 0; i < presence->count; i++) {
        struct person *person = presence->items[i];
        if (person->away_ns == 0 || person->hidden || person->grab_count > 0 ||
            now_ns - person->away_ns < away_ns)
            continue;
        tell_gone(sessions, world, person);
        person->hidden = true;
    }
    if (presence->version != presence->flushed || presence->behind) {
        presence->behind = false;
        for (uint32_t at = sessions->count; at > 0; at--) {
            struct host_session *session = sessions->items[at - 1];
            struct host_membership *membership = host_session_member(session, world->id);
            if (membership != NULL && session->connection != NULL)
                *left = tell_session(world, session, membership, *left);
        }
        presence->flushed = presence->version;
    }
    return presence->count > 1;
}

static void on_time(void *context)
{
    struct host_sessions *sessions = context;
    const struct host_registry *registry = sessions->options.registry;
    const uint64_t now_ns = base_now_ns();
    uint32_t left = TOLD_MAX;
    bool more = false;
    host_sessions_enter(sessions);
    for (uint32_t i = 0; i < host_registry_count(registry); i++) {
        struct host_world *world = host_registry_at(registry, i);
        if (world->presence != NULL && look_after(sessions, world, now_ns, &left))
            more = true;
    }
    host_sessions_leave(sessions);
    if (!more) {
        net_timer_stop(sessions->presence);
        sessions->presence = NULL;
    }
}

static void watch(struct host_sessions *sessions, const struct host_presence *presence)
{
    if (presence->count > 1 && sessions->presence == NULL && !sessions->stopping)
        sessions->presence = net_timer_start(sessions->options.loop, PERIOD_MS, PERIOD_MS, on_time, sessions);
}

// ---------------------------------------------------------------------------------------------------------
// Coming and going

static struct person *add(struct host_presence *presence, uint32_t session)
{
    if (presence->count == presence->capacity) {
        uint32_t capacity = presence->capacity == 0 ? 4 : 2 * presence->capacity;
        struct person **items = realloc(presence->items, capacity * sizeof *items);
        if (items == NULL)
            return NULL;
        presence->items = items;
        presence->capacity = capacity;
    }
    struct person *person = calloc(1, sizeof *person);
    if (person == NULL)
        return NULL;
    person->session = session;
    uint32_t place = place_of(presence, session);
    memmove(&presence->items[place + 1], &presence->items[place],
            (presence->count - place) * sizeof *presence->items);
    presence->items[place] = person;
    presence->count++;
    return person;
}

// Without memory nobody sees this one, who may join again.
void host_presence_join(struct host_session *session, uint32_t id)
{
    struct host_world *world = host_registry_find_any(session->sessions->options.registry, id);
    if (world == NULL)
        return;
    if (world->presence == NULL)
        world->presence = calloc(1, sizeof *world->presence);
    if (world->presence == NULL)
        return;
    struct person *person = find(world->presence, session->id);
    if (person == NULL) {
        person = add(world->presence, session->id);
        world->presence->holds = 0; // what it holds already is looked for
    }
    if (person == NULL)
        return;
    person->who = session->person;
    person->away_ns = session->connection != NULL ? 0 : base_now_ns();
    person->hidden = false;
    changed(world->presence, person);
    watch(session->sessions, world->presence);
}

void host_presence_leave(struct host_session *session, uint32_t id)
{
    struct host_world *world = host_registry_find_any(session->sessions->options.registry, id);
    struct person *person = world == NULL ? NULL : find(world->presence, session->id);
    if (person == NULL)
        return;
    struct host_presence *presence = world->presence;
    uint32_t place = place_of(presence, session->id);
    presence->count--;
    memmove(&presence->items[place], &presence->items[place + 1],
            (presence->count - place) * sizeof *presence->items);
    if (!person->hidden && !session->sessions->stopping)
        tell_gone(session->sessions, world, person);
    person_destroy(person);
}

static void set_away(struct host_session *session, uint64_t since_ns)
{
    for (uint32_t i = 0; i < session->membership_count; i++) {
        struct host_world *world =
            host_registry_find_any(session->sessions->options.registry, session->memberships[i].world);
        struct person *person = world == NULL ? NULL : find(world->presence, session->id);
        if (person == NULL)
            continue;
        person->away_ns = since_ns;
        person->hidden = false;
        changed(world->presence, person);
        watch(session->sessions, world->presence);
    }
}

void host_presence_away(struct host_session *session)
{
    set_away(session, base_now_ns());
}

void host_presence_back(struct host_session *session)
{
    set_away(session, 0);
}

// ---------------------------------------------------------------------------------------------------------
// What people do

// The person, if the session joined the world.
static struct person *here(struct host_session *session, const struct host_world *world,
                           struct protocol_error *error)
{
    struct person *person = find(world->presence, session->id);
    if (person != NULL)
        return person;
    protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "world",
                       "this session has not joined world \"%s\"; world.join comes first", world->name);
    snprintf(error->value, sizeof error->value, "%" PRIu32, world->id);
    return NULL;
}

static bool is_color(const struct protocol_string *text)
{
    if (text->size == 0)
        return true;
    if (text->size != COLOR_SIZE - 1 || text->data[0] != '#')
        return false;
    for (uint32_t i = 1; i < text->size; i++) {
        const char c = text->data[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')))
            return false;
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
        if (is_thing(&things[i]))
            continue;
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "selection",
                           "selection[%" PRIu32 "]: must have one of body, collider and constraint", i);
        return false;
    }
    return true;
}

bool host_presence_set(struct host_session *session, struct host_world *world,
                       const struct protocol_presence_set_params *params, struct protocol_error *error)
{
    struct person *person = here(session, world, error);
    if (person == NULL || !check(params, error))
        return false;
    if (params->has & PROTOCOL_HAS_PRESENCE_SET_PARAMS_NAME)
        snprintf(person->name, sizeof person->name, "%.*s", (int)params->name.size,
                 params->name.size > 0 ? params->name.data : "");
    if (params->has & PROTOCOL_HAS_PRESENCE_SET_PARAMS_COLOR)
        snprintf(person->color, sizeof person->color, "%.*s", (int)params->color.size,
                 params->color.size > 0 ? params->color.data : "");
    if (params->has & PROTOCOL_HAS_PRESENCE_SET_PARAMS_CAMERA)
        person->camera = params->camera;
    if (params->has & PROTOCOL_HAS_PRESENCE_SET_PARAMS_CURSOR)
        person->cursor = params->cursor;
    if (params->has & PROTOCOL_HAS_PRESENCE_SET_PARAMS_SELECTION) {
        person->thing_count = params->selection.count;
        if (person->thing_count > 0)
            memcpy(person->things, params->selection.items, person->thing_count * sizeof *person->things);
    }
    changed(world->presence, person);
    return true;
}

static bool check_text(const struct protocol_string *text, struct protocol_error *error)
{
    const uint64_t most = PROTOCOL_LIMIT_SAID_BYTES;
    if (text->size == 0 || text->size > most) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "text",
                           "text has %" PRIu32 " bytes; it must have 1 to %" PRIu64 " (limit said_bytes)",
                           text->size, most);
        error->limit = (double)most;
        return false;
    }
    for (uint32_t i = 0; i < text->size; i++) {
        const uint8_t byte = (uint8_t)text->data[i];
        if (byte >= 0x20 && byte != 0x7f)
            continue;
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "text",
                           "text has the control character 0x%02x; it must be one line", byte);
        return false;
    }
    return true;
}

static bool may_say(struct host_session *session, struct protocol_error *error)
{
    const uint64_t now_ns = base_now_ns();
    uint64_t *oldest_ns = &session->said_ns[session->said_next];
    if (*oldest_ns != 0 && now_ns - *oldest_ns < 1000000000u) {
        protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL,
                           "this session said %d lines within a second (limit said_per_second)",
                           (int)PROTOCOL_LIMIT_SAID_PER_SECOND);
        error->limit = (double)PROTOCOL_LIMIT_SAID_PER_SECOND;
        return false;
    }
    *oldest_ns = now_ns;
    session->said_next = (session->said_next + 1) % PROTOCOL_LIMIT_SAID_PER_SECOND;
    return true;
}

bool host_presence_say(struct host_session *session, struct host_world *world,
                       const struct protocol_string *text, uint64_t *line, struct protocol_error *error)
{
    const struct person *person = here(session, world, error);
    if (person == NULL || !check_text(text, error) || !may_say(session, error))
        return false;
    *line = ++world->presence->lines;
    const struct protocol_world_said_notice notice = {
        .has = PROTOCOL_HAS_ALL,
        .world = world->id,
        .line = *line,
        .session = session->id,
        .user = protocol_text(person->who.name),
        .name = protocol_text(person->name[0] != '\0' ? person->name : person->who.name),
        .text = *text,
    };
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_notification(&out.packer, "world.said");
    protocol_encode(&protocol_world_said_notice_type, &notice, PROTOCOL_ARRAYS_EXT, &out.packer);
    struct base_buffer *bytes[3] = {host_outgoing_finish(&out)}; // no arrays: the same in all modes
    if (bytes[0] == NULL) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for this line");
        return false;
    }
    host_sessions_keep_notice(session->sessions, world, 0, bytes, false);
    host_sessions_notice(session->sessions, world->id, bytes, false);
    base_buffer_unref(bytes[0]);
    return true;
}
