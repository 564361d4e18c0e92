// The inputs: actions of people and faults. Each follows from the seed and its number alone, as far as the simulation
// lets it: the person, the world, and the numbers. Most requests make sense. Each seed weighs the kinds in its own way,
// so some seeds are all edits and some all cuts.
#include "simulator.h"

#include "clock.h"
#include "helper_program.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES_MOST = 5, GARBAGE_BYTES = 64 };

// An input on its way.
struct draw {
    struct run *run;
    struct chance chance;
    struct client *client;
    uint32_t place; // of the world in its server's list; NO_WORLD: there is none
};

static void text(struct draw *draw, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void text(struct draw *draw, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(draw->run->text, sizeof draw->run->text, format, arguments);
    va_end(arguments);
}

static uint32_t below(struct draw *draw, uint32_t count)
{
    return chance_below(&draw->chance, count);
}

static struct known_world *world_of(const struct draw *draw)
{
    return draw->place == NO_WORLD ? NULL : &draw->client->server->worlds[draw->place];
}

static uint32_t id_of(const struct draw *draw)
{
    return draw->place == NO_WORLD ? 1 : world_of(draw)->id;
}

static struct asked *ask(struct draw *draw, enum protocol_method method, enum asked_for what)
{
    return client_ask(draw->client, method, what, draw->place);
}

// ---------------------------------------------------------------------------------------------------------
// Edits

// The programs' inputs are for one world, which stands first in what they say.
static enum protocol_method program_text(struct draw *draw, const char *more)
{
    struct program_input input;
    enum protocol_method method = PROTOCOL_METHOD_WORLD_SET;
    const struct known_world *world = world_of(draw);
    program_begin((uint32_t)chance_next(&draw->chance));
    for (int i = 0; i < 8; i++) {
        (void)program_below(2); // seeds that are near each other begin alike
    }
    if (program_below(2) == 0) { // as if there were some of each: known_aim says which
        program_know(&(struct program_ties){.join = 1, .slide = 1, .rail = 1});
    }
    do {
        program_choose(&input);
        (void)protocol_method_find((struct protocol_string){input.method, (uint32_t)strlen(input.method)},
                                   &method);
    } while ((!world->grabbed && protocol_methods[method].class_ == PROTOCOL_CLASS_INPUT) ||
             (world->bodies >= BODIES_MOST && method == PROTOCOL_METHOD_BODY_ADD && below(draw, 8) > 0));
    const char *rest = strchr(input.notation, ':') + 1;
    rest += strcspn(rest, ",}");
    const size_t size = strlen(rest);
    text(draw, "{'world': %" PRIu32 "%.*s%s}", world->id, (int)size - 1, rest, more);
    known_aim(world, draw->run->text, sizeof draw->run->text, &draw->chance);
    return method;
}

static enum asked_for what_of(enum protocol_method method)
{
    return method == PROTOCOL_METHOD_BODY_ADD ? ASKED_BODY : ASKED_PLAIN;
}

static void do_edit(struct draw *draw)
{
    if (draw->place == NO_WORLD) {
        return;
    }
    const enum protocol_method method = program_text(draw, "");
    ask(draw, method, what_of(method));
}

static void do_terms(struct draw *draw)
{
    if (draw->place == NO_WORLD) {
        return;
    }
    char more[96];
    const uint32_t kind = below(draw, 3), number = below(draw, 40);
    if (kind == 0) {
        snprintf(more, sizeof more, ", 'if_revision': %" PRIu64, draw->client->joined[draw->place].revision);
    } else if (kind == 1) {
        snprintf(more, sizeof more, ", 'if_thing_revision': %u", number);
    } else {
        snprintf(more, sizeof more, ", 'edit_id': 'e%u'", number);
    }
    enum protocol_method method;
    do {
        method = program_text(draw, more);
    } while (protocol_methods[method].class_ != PROTOCOL_CLASS_EDIT);
    ask(draw, method, what_of(method));
}

// How stretch and bending are solved, whether bodies sleep, or a body's limit, rigidity or creases: what the sim derives from them is no state, and has to come out the
// same in each copy, replay and undo.
static void do_stiff(struct draw *draw)
{
    const uint32_t what = below(draw, 6), body = 1 + below(draw, 8), limit = below(draw, 3),
                   off = below(draw, 4);
    if (draw->place == NO_WORLD) {
        return;
    }
    if (what == 0) {
        text(draw, "{'world': %" PRIu32 ", 'long_edges': %s}", id_of(draw), off == 0 ? "false" : "true");
        ask(draw, PROTOCOL_METHOD_WORLD_SET, ASKED_PLAIN);
        return;
    }
    if (what == 5) {
        text(draw, "{'world': %" PRIu32 ", 'sleep': %s}", id_of(draw), off == 0 ? "false" : "true");
        ask(draw, PROTOCOL_METHOD_WORLD_SET, ASKED_PLAIN);
        return;
    }
    if (what == 3) {
        text(draw, "{'world': %" PRIu32 ", 'bending': '%s'}", id_of(draw), off == 0 ? "swept" : "solved");
        ask(draw, PROTOCOL_METHOD_WORLD_SET, ASKED_PLAIN);
        return;
    }
    if (what == 4 && off == 3) {
        text(draw, "{'world': %" PRIu32 ", 'body': %u, 'bend': {'plastic': {'yield_angle': %g, 'rate': %u}}}",
             id_of(draw), body, 0.02 * limit, 50 * limit);
    } else if (what == 4 && off == 2) {
        text(draw, "{'world': %" PRIu32 ", 'body': %u, 'bend': {'warp': %g, 'weft': 1e-4}}", id_of(draw),
             body, 1e-4 * (1 + limit));
    } else if (what == 4) {
        text(draw, "{'world': %" PRIu32 ", 'body': %u, 'bend': {'%s': %g}}", id_of(draw), body,
             off == 0 ? "compliance" : "rigidity", 1e-4 * (1 + limit));
    } else {
        text(draw, "{'world': %" PRIu32 ", 'body': %u, 'stretch': {'compliance': %s, 'limit': %g}}",
             id_of(draw), body, what == 1 ? "0" : "0.01", 0.05 * limit);
    }
    known_aim(world_of(draw), draw->run->text, sizeof draw->run->text, &draw->chance);
    ask(draw, PROTOCOL_METHOD_BODY_SET, ASKED_PLAIN);
}

static void do_many_bodies_less(struct draw *draw)
{
    struct known_world *world = world_of(draw);
    if (world == NULL || world->bodies == 0) {
        return;
    }
    const uint32_t body = 1 + below(draw, 2 * world->bodies + 4);
    text(draw, "{'world': %" PRIu32 ", 'body': %u}", world->id, body);
    known_aim(world, draw->run->text, sizeof draw->run->text, &draw->chance);
    if (ask(draw, PROTOCOL_METHOD_BODY_REMOVE, ASKED_PLAIN) != NULL && world->bodies > 0) {
        world->bodies--;
    }
}

static void do_undo(struct draw *draw)
{
    const bool redo = below(draw, 3) == 0;
    char of[40] = "";
    const uint32_t which = below(draw, 4), revision = 1 + below(draw, 60), edit = below(draw, IDS);
    const struct known_world *world = world_of(draw);
    if (which == 0 && world != NULL && world->edits[edit].revision != 0) {
        snprintf(of, sizeof of, ", 'revision': %" PRIu64, world->edits[edit].revision);
    } else if (which == 1) {
        snprintf(of, sizeof of, ", 'revision': %u", revision);
    }
    text(draw, "{'world': %" PRIu32 "%s%s}", id_of(draw), below(draw, 2) ? ", 'force': true" : "", of);
    ask(draw, redo ? PROTOCOL_METHOD_EDIT_REDO : PROTOCOL_METHOD_EDIT_UNDO, ASKED_PLAIN);
}

static void do_batch(struct draw *draw)
{
    if (draw->place == NO_WORLD) {
        return;
    }
    char edits[8192], *at = edits, *const end = at + sizeof edits;
    const uint32_t count = 1 + below(draw, 4);
    uint32_t bodies = 0;
    bool resets = false;
    for (uint32_t i = 0; i < count; i++) {
        enum protocol_method method;
        do {
            method = program_text(draw, "");
        } while (protocol_methods[method].class_ != PROTOCOL_CLASS_EDIT || strlen(draw->run->text) > 1500 ||
                 strstr(draw->run->text, "'name': 'n") != NULL);
        const char *rest = draw->run->text + 1;
        rest += strcspn(rest, ",}");
        rest += *rest == ',';
        at += snprintf(at, (size_t)(end - at), "['%s', {%s],", protocol_methods[method].name, rest);
        bodies += method == PROTOCOL_METHOD_BODY_ADD;
        resets = resets || method == PROTOCOL_METHOD_WORLD_RESET;
    }
    draw->run->about.resets = resets;
    text(draw, "{'world': %" PRIu32 ", 'edits': [%s]}", id_of(draw), edits);
    if (ask(draw, PROTOCOL_METHOD_EDIT_BATCH, ASKED_PLAIN) != NULL) {
        world_of(draw)->bodies += bodies;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Brackets: a hash, edits, a hash, of one client in a row

static bool bracket_hash(struct draw *draw, enum bracket_part part)
{
    text(draw, "{'world': %" PRIu32 "}", id_of(draw));
    struct asked *asked = ask(draw, PROTOCOL_METHOD_WORLD_HASH, ASKED_HASH);
    if (asked != NULL) {
        asked->part = part;
    }
    return asked != NULL;
}

static bool bracket_begin(struct draw *draw)
{
    struct client *client = draw->client;
    if (draw->place == NO_WORLD || client->bracket.open || client->asked_count + 5 > ASKED ||
        !client_may_ask(client)) {
        return false;
    }
    client->bracket = (struct bracket){.open = true, .world = draw->place};
    return bracket_hash(draw, BRACKET_BEFORE);
}

static void do_bracket(struct draw *draw)
{
    static const struct {
        enum protocol_method method;
        enum bracket_part part;
    } pair[] = {{PROTOCOL_METHOD_EDIT_UNDO, BRACKET_UNDO}, {PROTOCOL_METHOD_EDIT_REDO, BRACKET_REDO}};
    if (!bracket_begin(draw)) {
        return;
    }
    if (below(draw, 3) == 0) {
        for (int i = 0; i < 2; i++) {
            text(draw, "{'world': %" PRIu32 "}", id_of(draw));
            ask(draw, pair[i].method, ASKED_PLAIN)->part = pair[i].part;
        }
    } else {
        enum protocol_method method;
        do {
            method = program_text(draw, "");
        } while (protocol_methods[method].class_ != PROTOCOL_CLASS_EDIT);
        ask(draw, method, what_of(method))->part = BRACKET_EDIT;
    }
    bracket_hash(draw, BRACKET_AFTER);
}

// A body comes and goes, then the edit that brought it is undone, then that it went: it is there as it was.
static void do_back(struct draw *draw)
{
    if (draw->place == NO_WORLD) {
        return;
    }
    text(draw, "{'world': %" PRIu32 ", 'kind': 'rope', 'positions': [0,1,0, 0.1,1,0, 0.2,1,%u], 'pins': [0]}",
         id_of(draw), below(draw, 3));
    ask(draw, PROTOCOL_METHOD_BODY_ADD, ASKED_BACK);
}

static void do_edit_twice(struct draw *draw)
{
    char more[64];
    if (!bracket_begin(draw)) {
        return;
    }
    snprintf(more, sizeof more, ", 'edit_id': 'twice-%u-%u'", draw->run->input, draw->client->index);
    enum protocol_method method;
    do {
        method = program_text(draw, more);
    } while (protocol_methods[method].class_ != PROTOCOL_CLASS_EDIT);
    ask(draw, method, what_of(method))->part = BRACKET_EDIT;
    ask(draw, method, ASKED_PLAIN)->part = BRACKET_AGAIN;
    bracket_hash(draw, BRACKET_AFTER);
}

// ---------------------------------------------------------------------------------------------------------
// Worlds

static uint32_t worlds_here(const struct draw *draw)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < draw->client->server->world_count; i++) {
        count += draw->client->server->worlds[i].here;
    }
    return count;
}

static void do_create(struct draw *draw)
{
    const uint32_t substeps = 1 + below(draw, 3), named = below(draw, 3);
    if (worlds_here(draw) >= WORLDS_AT_ONCE) {
        return;
    }
    char name[32] = "";
    if (named == 0) {
        snprintf(name, sizeof name, ", 'name': 'w%u'", below(draw, 6));
    }
    text(draw, "{'substeps': %u%s}", substeps, name);
    draw->place = NO_WORLD;
    struct asked *asked = ask(draw, PROTOCOL_METHOD_WORLD_CREATE, ASKED_CREATE);
    if (asked != NULL) {
        asked->number = substeps;
    }
}

static void do_world(struct draw *draw)
{
    static const struct {
        enum protocol_method method;
        enum asked_for what;
        const char *more;
        enum control_action action;
    } deeds[] = {
        {PROTOCOL_METHOD_WORLD_PLAY, ASKED_PLAIN, "", CONTROL_LOOK},
        {PROTOCOL_METHOD_WORLD_PLAY, ASKED_PLAIN, ", 'rate': 0.25", CONTROL_LOOK},
        {PROTOCOL_METHOD_WORLD_PAUSE, ASKED_PLAIN, "", CONTROL_LOOK},
        {PROTOCOL_METHOD_WORLD_PAUSE, ASKED_PLAIN, "", CONTROL_LOOK},
        {PROTOCOL_METHOD_WORLD_STEP, ASKED_PLAIN, "", CONTROL_LOOK},
        {PROTOCOL_METHOD_WORLD_STEP, ASKED_PLAIN, ", 'ticks': 3", CONTROL_LOOK},
        {PROTOCOL_METHOD_WORLD_HOLD, ASKED_PLAIN, ", 'allow': true", CONTROL_LOOK},
        {PROTOCOL_METHOD_WORLD_HOLD, ASKED_PLAIN, ", 'allow': false", CONTROL_LOOK},
        {PROTOCOL_METHOD_WORLD_RESET, ASKED_PLAIN, "", CONTROL_LOOK},
        {PROTOCOL_METHOD_WORLD_SAVE, ASKED_SAVE, "", CONTROL_LOOK},
        {PROTOCOL_METHOD_WORLD_CONTROL, ASKED_PLAIN, "", CONTROL_LOOK},
        {PROTOCOL_METHOD_WORLD_CONTROL, ASKED_PLAIN, ", 'action': 'take'", CONTROL_TAKE},
        {PROTOCOL_METHOD_WORLD_CONTROL, ASKED_PLAIN, ", 'action': 'release'", CONTROL_RELEASE},
        {PROTOCOL_METHOD_WORLD_CONTROL, ASKED_PLAIN, "", CONTROL_LOOK},
        {PROTOCOL_METHOD_WORLD_CONTROL, ASKED_PLAIN, ", 'action': 'take'", CONTROL_TAKE},
        {PROTOCOL_METHOD_WORLD_CONTROL, ASKED_PLAIN, ", 'action': 'ask'", CONTROL_ASK},
        {PROTOCOL_METHOD_WORLD_CONTROL, ASKED_PLAIN, ", 'action': 'give'", CONTROL_GIVE},
    };
    const uint32_t deed = below(draw, sizeof deeds / sizeof deeds[0]);
    const struct client *other = &draw->run->clients[below(draw, draw->run->client_count)];
    if (draw->place == NO_WORLD) {
        return;
    }
    const uint32_t session = other->session + (other->session == 0);
    char to[32] = "";
    if (deeds[deed].action == CONTROL_GIVE) {
        snprintf(to, sizeof to, ", 'to': %" PRIu32, session);
    }
    text(draw, "{'world': %" PRIu32 "%s%s}", id_of(draw), deeds[deed].more, to);
    draw->run->about = (struct about){.number = deeds[deed].action, .other = session};
    ask(draw, deeds[deed].method, deeds[deed].what);
}

// A particle that flies out of the world has it fail.
static void do_fail(struct draw *draw)
{
    const struct known_world *world = world_of(draw);
    const uint32_t body = world != NULL ? known_pick(&world->bodies_known, below(draw, IDS)) : 0;
    if (body == 0) {
        return;
    }
    text(draw, "{'world': %" PRIu32 ", 'extent': 50.0}", world->id);
    ask(draw, PROTOCOL_METHOD_WORLD_SET, ASKED_PLAIN);
    text(draw,
         "{'world': %" PRIu32 ", 'body': %" PRIu32
         ", 'particles': [1], 'positions': [0, 49.9, 0], 'velocities': "
         "[0, 200.0, 0]}",
         world->id, body);
    ask(draw, PROTOCOL_METHOD_PARTICLE_SET, ASKED_PLAIN);
    text(draw, "{'world': %" PRIu32 ", 'ticks': 2}", world->id);
    ask(draw, PROTOCOL_METHOD_WORLD_STEP, ASKED_PLAIN);
}

static void do_delete(struct draw *draw)
{
    if (draw->place == NO_WORLD || worlds_here(draw) < 2) {
        return;
    }
    text(draw, "{'world': %" PRIu32 "}", id_of(draw));
    ask(draw, PROTOCOL_METHOD_WORLD_DELETE, ASKED_DELETE);
}

static void do_bin(struct draw *draw)
{
    draw->place = NO_WORLD;
    text(draw, "{}");
    if (below(draw, 2) == 0 || draw->client->server->world_count == 0 ||
        worlds_here(draw) >= WORLDS_AT_ONCE) {
        ask(draw, PROTOCOL_METHOD_WORLD_BIN, ASKED_PLAIN);
        return;
    }
    const uint32_t known = below(draw, draw->client->server->world_count);
    text(draw, "{'world': %" PRIu32 "}", draw->client->server->worlds[known].id);
    ask(draw, PROTOCOL_METHOD_WORLD_RESTORE, ASKED_OPEN);
}

static void do_join(struct draw *draw)
{
    if (draw->place == NO_WORLD) {
        return;
    }
    const bool leave = draw->client->joined[draw->place].in && below(draw, 3) == 0;
    text(draw, "{'world': %" PRIu32 "}", id_of(draw));
    ask(draw, leave ? PROTOCOL_METHOD_WORLD_LEAVE : PROTOCOL_METHOD_WORLD_JOIN,
        leave ? ASKED_LEAVE : ASKED_JOIN);
}

static void do_past(struct draw *draw)
{
    const uint32_t deed = below(draw, 6), luck = below(draw, 8), far = (uint32_t)chance_next(&draw->chance);
    const struct known_world *world = world_of(draw);
    if (world == NULL) {
        return;
    }
    const uint32_t tick = luck == 0 ? far % 60 : far % (uint32_t)(world->tick + 1);
    switch (deed) {
    case 0:
        text(draw, "{'world': %" PRIu32 "}", id_of(draw));
        ask(draw, PROTOCOL_METHOD_WORLD_HISTORY, ASKED_PLAIN);
        return;
    case 1:
    case 2:
        text(draw, "{'world': %" PRIu32 ", 'tick': %u}", id_of(draw), tick);
        draw->run->about.other = tick + 1;
        ask(draw, PROTOCOL_METHOD_WORLD_SEEK, ASKED_SEEK);
        return;
    case 3:
        if (worlds_here(draw) >= WORLDS_AT_ONCE) {
            return;
        }
        if (luck < 3 || (world->failed && luck < 6)) {
            text(draw, "{'world': %" PRIu32 "}", id_of(draw));
        } else if (luck < 6) {
            text(draw, "{'world': %" PRIu32 ", 'tick': %u}", id_of(draw), tick);
        } else {
            text(draw, "{'world': %" PRIu32 ", 'without': [%" PRIu64 "]}", id_of(draw),
                 world->edits[far % IDS].revision + (world->edits[far % IDS].revision == 0));
        }
        draw->run->about.number = luck < 6;
        draw->run->about.other = strstr(draw->run->text, "'tick'") != NULL ? tick + 1 : 0;
        ask(draw, PROTOCOL_METHOD_WORLD_BRANCH, ASKED_BRANCH);
        return;
    case 4:
        text(draw, "{'world': %" PRIu32 ", 'since': %u, 'limit': 8, 'inputs': true}", id_of(draw),
             below(draw, 40));
        ask(draw, PROTOCOL_METHOD_EDIT_LOG, ASKED_PLAIN);
        return;
    default:
        text(draw, "{'world': %" PRIu32 ", 'after': %u, 'limit': 8}", id_of(draw), below(draw, 40));
        ask(draw, PROTOCOL_METHOD_WORLD_RECORDS, ASKED_PLAIN);
    }
}

static void do_open(struct draw *draw)
{
    struct simulated_server *server = draw->client->server;
    if (server->saved.size == 0 || worlds_here(draw) >= WORLDS_AT_ONCE || !client_may_ask(draw->client)) {
        return;
    }
    draw->place = NO_WORLD;
    text(draw, "{'document': @}");
    ask(draw, PROTOCOL_METHOD_WORLD_OPEN, ASKED_OPEN);
}

// ---------------------------------------------------------------------------------------------------------
// Hands, streams, questions

static void do_grab(struct draw *draw)
{
    struct client *client = draw->client;
    const uint32_t deed = below(draw, 4), at = below(draw, GRABS);
    if (draw->place == NO_WORLD || draw->place % 2 == 0) { // in half of the worlds nobody holds anything
        return;
    }
    if (deed == 0 || client->grabs[at] == 0) {
        world_of(draw)->grabbed = true;
        text(draw, "{'world': %" PRIu32 ", 'body': %u, 'particle': %u, 'target': [0.1, %u, 0]}", id_of(draw),
             1 + below(draw, 6), below(draw, 3), 1 + below(draw, 3));
        ask(draw, PROTOCOL_METHOD_GRAB_BEGIN, ASKED_GRAB);
        return;
    }
    draw->place = client->grab_world[at];
    if (deed == 1) {
        text(draw, "{'world': %" PRIu32 ", 'grab': %u}", id_of(draw), client->grabs[at]);
        ask(draw, PROTOCOL_METHOD_GRAB_END, ASKED_PLAIN);
        client->grabs[at] = 0;
        return;
    }
    text(draw, "{'world': %" PRIu32 ", 'grab': %u, 'target': [0.1, 1, 0.%u]}", id_of(draw), client->grabs[at],
         below(draw, 10));
    if (below(draw, 2) == 0) {
        client_notify(client, "grab.move");
    } else {
        ask(draw, PROTOCOL_METHOD_GRAB_MOVE, ASKED_PLAIN);
    }
}

static struct simulated_stream *a_stream(struct draw *draw)
{
    struct simulated_stream *stream = &draw->client->streams[below(draw, STREAMS)];
    return stream->id != 0 ? stream : NULL;
}

static void do_stream(struct draw *draw)
{
    static const char *const wishes[] = {
        "",
        ", 'unit': 'substep'",
        ", 'fields': ['positions', 'velocities', 'normals', 'measures', 'grabs', 'colliders', 'contact']",
        ", 'encoding': 'q16'",
        ", 'encoding': 'delta', 'every': 2",
        ", 'encoding': 'delta', 'nth': 3",
        ", 'mode': 'lossless', 'credit': 4096",
        ", 'mode': 'lossless', 'encoding': 'q16', 'backlog': 65536",
        ", 'adapt': true",
        ", 'box': [-1, -1, -1, 1, 1, 1]",
        ", 'encoding': 'records'",
    };
    enum { WISHES = sizeof wishes / sizeof wishes[0] };
    const uint32_t deed = below(draw, 8), wish = below(draw, WISHES);
    struct simulated_stream *stream = a_stream(draw);
    if (deed < 2 || stream == NULL) {
        if (draw->place == NO_WORLD) {
            return;
        }
        text(draw, "{'world': %" PRIu32 "%s}", id_of(draw), wishes[wish]);
        struct asked *asked = ask(draw, PROTOCOL_METHOD_STREAM_SUBSCRIBE, ASKED_SUBSCRIBE);
        if (asked != NULL) {
            asked->number = wish == WISHES - 1;
        }
        return;
    }
    draw->place = NO_WORLD;
    if (deed == 2) {
        text(draw, "{'stream': %u}", stream->id);
        struct asked *asked = ask(draw, PROTOCOL_METHOD_STREAM_UNSUBSCRIBE, ASKED_UNSUBSCRIBE);
        if (asked != NULL) {
            asked->number = stream->id;
        }
    } else if (deed == 3) {
        text(draw, "{'stream': %u, 'every': %u}", stream->id, 1 + below(draw, 4));
        ask(draw, PROTOCOL_METHOD_STREAM_SET, ASKED_PLAIN);
    } else if (deed == 4) {
        text(draw, "{'stream': %u, 'tick': %u}", stream->id, below(draw, 60));
        ask(draw, PROTOCOL_METHOD_STREAM_DIFFERS, ASKED_PLAIN);
    } else {
        text(draw, "{'stream': %u, 'seq': %u}", stream->id, stream->seq);
        client_notify(draw->client, "stream.ack");
    }
}

static void do_query(struct draw *draw)
{
    static const struct {
        enum protocol_method method;
        const char *more;
    } queries[] = {
        {PROTOCOL_METHOD_WORLD_GET, ""},
        {PROTOCOL_METHOD_WORLD_GET, ""},
        {PROTOCOL_METHOD_BODY_GET, ", 'body': 1"},
        {PROTOCOL_METHOD_BODY_STATE, ", 'body': 2, 'fields': ['positions', 'velocities']"},
        {PROTOCOL_METHOD_WORLD_MEASURE, ", 'crossings': true"},
        {PROTOCOL_METHOD_CONSTRAINT_LIST, ", 'limit': 8"},
        {PROTOCOL_METHOD_CONSTRAINT_LIST, ", 'body': 1, 'forces': true, 'limit': 4"},
        {PROTOCOL_METHOD_MOTION_LIST, ", 'poses': true"},
        {PROTOCOL_METHOD_FORCE_LIST, ""},
    };
    const uint32_t one = below(draw, sizeof queries / sizeof queries[0]);
    if (draw->place == NO_WORLD) {
        return;
    }
    text(draw, "{'world': %" PRIu32 "%s}", id_of(draw), queries[one].more);
    ask(draw, queries[one].method, ASKED_PLAIN);
}

static void do_hash(struct draw *draw)
{
    text(draw, "{'world': %" PRIu32 "}", id_of(draw));
    if (draw->place != NO_WORLD) {
        ask(draw, PROTOCOL_METHOD_WORLD_HASH, ASKED_HASH);
    }
}

static void do_server_query(struct draw *draw)
{
    static const enum protocol_method queries[] = {PROTOCOL_METHOD_SERVER_PING,  PROTOCOL_METHOD_SERVER_INFO,
                                                   PROTOCOL_METHOD_WORLD_LIST,   PROTOCOL_METHOD_WORLD_LIST,
                                                   PROTOCOL_METHOD_SERVER_STATS, PROTOCOL_METHOD_SERVER_LIST,
                                                   PROTOCOL_METHOD_WORLD_BIN};
    const enum protocol_method method = queries[below(draw, sizeof queries / sizeof queries[0])];
    draw->place = NO_WORLD;
    text(draw, "{}");
    ask(draw, method, method == PROTOCOL_METHOD_WORLD_LIST ? ASKED_LIST : ASKED_PLAIN);
}

static void do_presence(struct draw *draw)
{
    if (draw->place == NO_WORLD) {
        return;
    }
    if (below(draw, 2) == 0) {
        text(draw, "{'world': %" PRIu32 ", 'color': '#e8590c', 'cursor': {'point': [0.2, 0.8, 0.%u]}}",
             id_of(draw), below(draw, 10));
        ask(draw, PROTOCOL_METHOD_PRESENCE_SET, ASKED_PLAIN);
    } else {
        text(draw, "{'world': %" PRIu32 ", 'text': 'line %u'}", id_of(draw), below(draw, 1000));
        ask(draw, PROTOCOL_METHOD_PRESENCE_SAY, ASKED_PLAIN);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Who may

static void do_access(struct draw *draw)
{
    static const char *const roles[] = {"viewer", "editor", "owner"};
    struct simulated_server *server = draw->client->server;
    const uint32_t deed = below(draw, 9), user = below(draw, USERS + 1), role = below(draw, 3),
                   luck = below(draw, 8), secret = below(draw, SECRETS);
    struct known_world *world = world_of(draw);
    char name[8] = "*";
    if (world == NULL || (!server->tokens && luck > 0) || !client_may_ask(draw->client)) {
        return;
    }
    struct about *about = &draw->run->about;
    if (user < USERS) {
        snprintf(name, sizeof name, "u%u", user);
    }
    switch (deed) {
    case 0:
        text(draw, "{'world': %" PRIu32 "}", world->id);
        ask(draw, PROTOCOL_METHOD_ACCESS_LIST, ASKED_PLAIN);
        return;
    case 1:
        text(draw, "{'world': %" PRIu32 ", 'user': '%s', 'role': '%s'}", world->id, name, roles[role]);
        *about = (struct about){.number = user, .other = role};
        world_give(world, user, draw->run->input);
        ask(draw, PROTOCOL_METHOD_ACCESS_GRANT, ASKED_PLAIN);
        return;
    case 2:
        text(draw, "{'world': %" PRIu32 ", 'user': '%s'}", world->id, name);
        about->number = user;
        ask(draw, PROTOCOL_METHOD_ACCESS_REVOKE, ASKED_REVOKE);
        return;
    case 3:
        text(draw, "{'world': %" PRIu32 ", 'role': '%s'}", world->id, roles[role]);
        about->other = role;
        ask(draw, PROTOCOL_METHOD_ACCESS_INVITE, ASKED_INVITE);
        return;
    case 4:
        if (server->secrets[secret][0] == '\0' && luck > 1) {
            return;
        }
        text(draw, "{'invite': '%s'}", server->secrets[secret]);
        about->other = server->secret_role[secret];
        for (uint32_t i = 0; i < server->world_count; i++) { // which one it is for nobody looks at
            world_give(&server->worlds[i], draw->client->user, draw->run->input);
        }
        draw->place = server->secrets[secret][0] != '\0' ? server->secret_world[secret] : NO_WORLD;
        ask(draw, PROTOCOL_METHOD_ACCESS_ACCEPT, ASKED_PLAIN);
        return;
    case 5:
    case 6:
    case 7:
        text(draw, "{'world': %" PRIu32 ", 'control': '%s'}", world->id, roles[1 + role % 2]);
        about->other = 1 + role % 2;
        ask(draw, PROTOCOL_METHOD_ACCESS_SET, ASKED_PLAIN);
        return;
    default:
        text(draw, "{}");
        draw->place = NO_WORLD;
        ask(draw, PROTOCOL_METHOD_TOKEN_LIST, ASKED_PLAIN);
    }
}

// Tokens of somebody whom nobody simulates, so that no client loses its own.
static void do_tokens(struct draw *draw)
{
    const uint32_t deed = below(draw, 3), number = below(draw, 3);
    if (!draw->client->server->tokens && below(draw, 8) > 0) {
        return;
    }
    draw->place = NO_WORLD;
    if (deed == 0) {
        text(draw, "{'user': 'guest-%u', 'role': 'viewer', 'seconds': 3600}", number);
    } else if (deed == 1) {
        text(draw, "{'user': 'guest-%u'}", number);
    } else {
        text(draw, "{'id': %u}", USERS + 1 + number);
    }
    ask(draw, deed == 0 ? PROTOCOL_METHOD_TOKEN_CREATE : PROTOCOL_METHOD_TOKEN_REVOKE, ASKED_PLAIN);
}

// ---------------------------------------------------------------------------------------------------------
// What goes wrong

static void do_cut(struct draw *draw)
{
    const uint32_t how = below(draw, 6);
    struct client *client = draw->client;
    if (client->link == NULL || client->link->lost_ns > 0) {
        return;
    }
    simulator_say(draw->run, "the connection of client %u is cut (%u)", client->index, how);
    if (how == 5) {
        link_end(client->link);
    } else {
        link_cut(client->link, how != 1 && how != 2, how != 3);
    }
}

static void do_slow(struct draw *draw)
{
    draw->client->slow_ns = simulator_clock.now_ns + chance_span(&draw->chance, 10 * MS, 10 * SECOND);
    simulator_say(draw->run, "client %u looks at nothing for a while", draw->client->index);
}

static void do_leave(struct draw *draw)
{
    text(draw, "{}");
    draw->place = NO_WORLD;
    if (ask(draw, PROTOCOL_METHOD_SESSION_LEAVE, ASKED_PLAIN) != NULL) {
        draw->client->leaving = true;
    }
}

// Another server, as somebody new.
static void do_move(struct draw *draw)
{
    struct run *run = draw->run;
    struct client *client = draw->client;
    if (client->link != NULL) {
        link_cut(client->link, true, true);
    }
    client_forget(client);
    client->key[0] = '\0';
    client->msgid = 0;
    client->server = &run->servers[below(draw, run->server_count)];
    simulator_say(run, "client %u goes to server %u", client->index, client->server->index);
}

static void do_garbage(struct draw *draw)
{
    uint8_t bytes[GARBAGE_BYTES];
    struct client *client = draw->client;
    const uint32_t size = 1 + below(draw, GARBAGE_BYTES);
    if (!client_may_ask(client)) {
        return;
    }
    for (uint32_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)below(draw, 256);
    }
    if (below(draw, 2) == 0) { // a request that is almost right
        text(draw, "{'world': %" PRIu32 "}", id_of(draw));
        struct asked *asked =
            ask(draw, (enum protocol_method)below(draw, PROTOCOL_METHOD_COUNT), ASKED_PLAIN);
        if (asked->size <= GARBAGE_BYTES) {
            memcpy(bytes, asked->bytes, asked->size);
        }
        bytes[below(draw, size)] ^= (uint8_t)(1 << below(draw, 8));
    }
    simulator_say(draw->run, "client %u sends %u bytes of garbage", client->index, size);
    client_forget(client);
    client->dirty = true;
    client_send_bytes(client, bytes, size);
}

static void do_kill(struct draw *draw)
{
    struct simulated_server *server = draw->client->server;
    if (server->local != NULL) {
        server_kill(server, chance_span(&draw->chance, MS, SECOND));
    }
}

static void do_wall(struct draw *draw)
{
    struct simulated_server *server = draw->client->server;
    const int64_t by_us = (int64_t)chance_span(&draw->chance, 1000, UINT64_C(100) * 24 * 3600 * 1000 * 1000);
    server->jumped_ns = simulator_clock.now_ns;
    server->wall_us += below(draw, 2) ? by_us : -by_us;
    if (server->wall_us < 1000000) {
        server->wall_us = 1000000;
    }
    simulator_say(draw->run, "the wall clock of server %u jumps", server->index);
}

static void do_nothing_for_long(struct draw *draw)
{
    simulator_say(draw->run, "some time passes");
    draw->run->rest_ns = chance_span(&draw->chance, 100 * MS, 20 * SECOND);
}

// ---------------------------------------------------------------------------------------------------------
// Which

static const struct kind {
    void (*work)(struct draw *draw);
    uint32_t weight;
    bool asks; // a client that cannot is of no use for it
    bool rare; // fewer seeds have it
} kinds[] = {
    {do_edit, 300, true, false},
    {do_terms, 30, true, false},
    {do_many_bodies_less, 30, true, false},
    {do_undo, 60, true, false},
    {do_batch, 25, true, false},
    {do_bracket, 40, true, false},
    {do_edit_twice, 15, true, false},
    {do_back, 8, true, false},
    {do_fail, 6, true, true},
    {do_create, 40, true, false},
    {do_world, 70, true, false},
    {do_delete, 8, true, false},
    {do_bin, 10, true, false},
    {do_join, 40, true, false},
    {do_past, 25, true, false},
    {do_open, 6, true, false},
    {do_grab, 60, true, false},
    {do_stream, 30, true, false},
    {do_query, 45, true, false},
    {do_hash, 30, true, false},
    {do_server_query, 15, true, false},
    {do_presence, 20, true, false},
    {do_access, 25, true, false},
    {do_cut, 25, false, false},
    {do_slow, 10, false, false},
    {do_leave, 4, true, false},
    {do_move, 3, false, false},
    {do_garbage, 5, true, false},
    {do_kill, 1, false, true},
    {do_wall, 3, false, true},
    {do_nothing_for_long, 4, false, true},
    {do_tokens, 6, true, false},
    {do_stiff, 30, true, false},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };
_Static_assert((int)KINDS <= (int)KINDS_MOST, "each kind has a weight");

void inputs_weigh(struct run *run)
{
    struct chance chance = chance_of(run->options.seed, FOR_RUN, 1);
    for (uint32_t i = 0; i < KINDS; i++) {
        const uint32_t times = chance_below(&chance, 4); // none of it in a quarter of all seeds
        run->weights[i] = kinds[i].weight * (kinds[i].rare ? times > 1 : times);
    }
    run->weights[0] += 20;
    run->weights[9] += 20;
    run->weights[13] += 10;
}

void input_do(struct run *run, uint32_t index)
{
    struct draw draw = {.run = run, .chance = chance_of(run->options.seed, FOR_INPUT, index)};
    uint32_t all = 0, kind = 0;
    for (uint32_t i = 0; i < KINDS; i++) {
        all += run->weights[i];
    }
    uint32_t at = below(&draw, all);
    while (at >= run->weights[kind]) {
        at -= run->weights[kind++];
    }
    const uint32_t liked = below(&draw, run->client_count);
    draw.client = &run->clients[liked];
    // Somebody else where that one cannot ask, but for what is not asked.
    for (uint32_t i = 1; i < run->client_count && kinds[kind].asks && !client_may_ask(draw.client); i++) {
        draw.client = &run->clients[(liked + i) % run->client_count];
    }
    // The oldest worlds are chosen most often, so that people meet.
    const struct simulated_server *server = draw.client->server;
    const uint32_t first = below(&draw, 1 + below(&draw, WORLDS_AT_ONCE)), wish = below(&draw, 64);
    uint32_t passed = 0;
    draw.place = server->world_count > 0 && wish == 0 ? below(&draw, server->world_count) : NO_WORLD;
    for (uint32_t i = 0; i < server->world_count && draw.place == NO_WORLD; i++) {
        if (server->worlds[i].here && passed++ == (first < worlds_here(&draw) ? first : 0)) {
            draw.place = i;
        }
    }
    kinds[kind].work(&draw);
}
