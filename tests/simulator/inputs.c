// The inputs: actions of people and faults. Each follows from the seed and its number alone, as far as the simulation
// lets it: the person, the world, and the numbers. Most requests make sense. Each seed weighs the kinds in its own way,
// so some seeds are all edits and some all cuts.
#include "inputs_parts.h"

#include "clock.h"
#include "helper_program.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES_MOST = 5 };

void input_text(struct draw *draw, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(draw->run->text, sizeof draw->run->text, format, arguments);
    va_end(arguments);
}

uint32_t input_below(struct draw *draw, uint32_t count)
{
    return chance_below(&draw->chance, count);
}

struct known_world *input_world(const struct draw *draw)
{
    return draw->place == NO_WORLD ? NULL : &draw->client->server->worlds[draw->place];
}

uint32_t input_world_id(const struct draw *draw)
{
    return draw->place == NO_WORLD ? 1 : input_world(draw)->id;
}

struct asked *input_ask(struct draw *draw, enum protocol_method method, enum asked_for what)
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
    const struct known_world *world = input_world(draw);
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
    } while (
        (!world->grabbed && protocol_methods[method].class_ == PROTOCOL_CLASS_INPUT) ||
        (world->bodies >= BODIES_MOST && method == PROTOCOL_METHOD_BODY_ADD && input_below(draw, 8) > 0));
    const char *rest = strchr(input.notation, ':') + 1;
    rest += strcspn(rest, ",}");
    const size_t size = strlen(rest);
    input_text(draw, "{'world': %" PRIu32 "%.*s%s}", world->id, (int)size - 1, rest, more);
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
    input_ask(draw, method, what_of(method));
}

static void do_terms(struct draw *draw)
{
    if (draw->place == NO_WORLD) {
        return;
    }
    char more[96];
    const uint32_t kind = input_below(draw, 3), number = input_below(draw, 40);
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
    input_ask(draw, method, what_of(method));
}

// How stretch and bending are solved, whether bodies sleep, or a body's limit, rigidity or creases: what the sim derives from them is no state, and has to come out the
// same in each copy, replay and undo.
static void do_stiff(struct draw *draw)
{
    const uint32_t what = input_below(draw, 6), body = 1 + input_below(draw, 8), limit = input_below(draw, 3),
                   off = input_below(draw, 4);
    if (draw->place == NO_WORLD) {
        return;
    }
    if (what == 0) {
        input_text(draw, "{'world': %" PRIu32 ", 'long_edges': %s}", input_world_id(draw),
                   off == 0 ? "false" : "true");
        input_ask(draw, PROTOCOL_METHOD_WORLD_SET, ASKED_PLAIN);
        return;
    }
    if (what == 5) {
        input_text(draw, "{'world': %" PRIu32 ", 'sleep': %s}", input_world_id(draw),
                   off == 0 ? "false" : "true");
        input_ask(draw, PROTOCOL_METHOD_WORLD_SET, ASKED_PLAIN);
        return;
    }
    if (what == 3) {
        input_text(draw, "{'world': %" PRIu32 ", 'bending': '%s'}", input_world_id(draw),
                   off == 0 ? "swept" : "solved");
        input_ask(draw, PROTOCOL_METHOD_WORLD_SET, ASKED_PLAIN);
        return;
    }
    if (what == 4 && off == 3) {
        input_text(draw,
                   "{'world': %" PRIu32 ", 'body': %u, 'bend': {'plastic': {'yield_angle': %g, 'rate': %u}}}",
                   input_world_id(draw), body, 0.02 * limit, 50 * limit);
    } else if (what == 4 && off == 2) {
        input_text(draw, "{'world': %" PRIu32 ", 'body': %u, 'bend': {'warp': %g, 'weft': 1e-4}}",
                   input_world_id(draw), body, 1e-4 * (1 + limit));
    } else if (what == 4) {
        input_text(draw, "{'world': %" PRIu32 ", 'body': %u, 'bend': {'%s': %g}}", input_world_id(draw), body,
                   off == 0 ? "compliance" : "rigidity", 1e-4 * (1 + limit));
    } else {
        input_text(draw, "{'world': %" PRIu32 ", 'body': %u, 'stretch': {'compliance': %s, 'limit': %g}}",
                   input_world_id(draw), body, what == 1 ? "0" : "0.01", 0.05 * limit);
    }
    known_aim(input_world(draw), draw->run->text, sizeof draw->run->text, &draw->chance);
    input_ask(draw, PROTOCOL_METHOD_BODY_SET, ASKED_PLAIN);
}

static void do_many_bodies_less(struct draw *draw)
{
    struct known_world *world = input_world(draw);
    if (world == NULL || world->bodies == 0) {
        return;
    }
    const uint32_t body = 1 + input_below(draw, 2 * world->bodies + 4);
    input_text(draw, "{'world': %" PRIu32 ", 'body': %u}", world->id, body);
    known_aim(world, draw->run->text, sizeof draw->run->text, &draw->chance);
    if (input_ask(draw, PROTOCOL_METHOD_BODY_REMOVE, ASKED_PLAIN) != NULL && world->bodies > 0) {
        world->bodies--;
    }
}

static void do_undo(struct draw *draw)
{
    const bool redo = input_below(draw, 3) == 0;
    char of[40] = "";
    const uint32_t which = input_below(draw, 4), revision = 1 + input_below(draw, 60),
                   edit = input_below(draw, IDS);
    const struct known_world *world = input_world(draw);
    if (which == 0 && world != NULL && world->edits[edit].revision != 0) {
        snprintf(of, sizeof of, ", 'revision': %" PRIu64, world->edits[edit].revision);
    } else if (which == 1) {
        snprintf(of, sizeof of, ", 'revision': %u", revision);
    }
    input_text(draw, "{'world': %" PRIu32 "%s%s}", input_world_id(draw),
               input_below(draw, 2) ? ", 'force': true" : "", of);
    input_ask(draw, redo ? PROTOCOL_METHOD_EDIT_REDO : PROTOCOL_METHOD_EDIT_UNDO, ASKED_PLAIN);
}

static void do_batch(struct draw *draw)
{
    if (draw->place == NO_WORLD) {
        return;
    }
    char edits[8192], *at = edits, *const end = at + sizeof edits;
    const uint32_t count = 1 + input_below(draw, 4);
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
    input_text(draw, "{'world': %" PRIu32 ", 'edits': [%s]}", input_world_id(draw), edits);
    if (input_ask(draw, PROTOCOL_METHOD_EDIT_BATCH, ASKED_PLAIN) != NULL) {
        input_world(draw)->bodies += bodies;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Brackets: a hash, edits, a hash, of one client in a row

static bool bracket_hash(struct draw *draw, enum bracket_part part)
{
    input_text(draw, "{'world': %" PRIu32 "}", input_world_id(draw));
    struct asked *asked = input_ask(draw, PROTOCOL_METHOD_WORLD_HASH, ASKED_HASH);
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
    if (input_below(draw, 3) == 0) {
        for (int i = 0; i < 2; i++) {
            input_text(draw, "{'world': %" PRIu32 "}", input_world_id(draw));
            input_ask(draw, pair[i].method, ASKED_PLAIN)->part = pair[i].part;
        }
    } else {
        enum protocol_method method;
        do {
            method = program_text(draw, "");
        } while (protocol_methods[method].class_ != PROTOCOL_CLASS_EDIT);
        input_ask(draw, method, what_of(method))->part = BRACKET_EDIT;
    }
    bracket_hash(draw, BRACKET_AFTER);
}

// A body comes and goes, then the edit that brought it is undone, then that it went: it is there as it was.
static void do_back(struct draw *draw)
{
    if (draw->place == NO_WORLD) {
        return;
    }
    input_text(draw,
               "{'world': %" PRIu32 ", 'kind': 'rope', 'positions': [0,1,0, 0.1,1,0, 0.2,1,%u], 'pins': [0]}",
               input_world_id(draw), input_below(draw, 3));
    input_ask(draw, PROTOCOL_METHOD_BODY_ADD, ASKED_BACK);
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
    input_ask(draw, method, what_of(method))->part = BRACKET_EDIT;
    input_ask(draw, method, ASKED_PLAIN)->part = BRACKET_AGAIN;
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
    const uint32_t substeps = 1 + input_below(draw, 3), named = input_below(draw, 3);
    if (worlds_here(draw) >= WORLDS_AT_ONCE) {
        return;
    }
    char name[32] = "";
    if (named == 0) {
        snprintf(name, sizeof name, ", 'name': 'w%u'", input_below(draw, 6));
    }
    input_text(draw, "{'substeps': %u%s}", substeps, name);
    draw->place = NO_WORLD;
    struct asked *asked = input_ask(draw, PROTOCOL_METHOD_WORLD_CREATE, ASKED_CREATE);
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
    const uint32_t deed = input_below(draw, sizeof deeds / sizeof deeds[0]);
    const struct client *other = &draw->run->clients[input_below(draw, draw->run->client_count)];
    if (draw->place == NO_WORLD) {
        return;
    }
    const uint32_t session = other->session + (other->session == 0);
    char to[32] = "";
    if (deeds[deed].action == CONTROL_GIVE) {
        snprintf(to, sizeof to, ", 'to': %" PRIu32, session);
    }
    input_text(draw, "{'world': %" PRIu32 "%s%s}", input_world_id(draw), deeds[deed].more, to);
    draw->run->about = (struct about){.number = deeds[deed].action, .other = session};
    input_ask(draw, deeds[deed].method, deeds[deed].what);
}

// A particle that flies out of the world has it fail.
static void do_fail(struct draw *draw)
{
    const struct known_world *world = input_world(draw);
    const uint32_t body = world != NULL ? known_pick(&world->bodies_known, input_below(draw, IDS)) : 0;
    if (body == 0) {
        return;
    }
    input_text(draw, "{'world': %" PRIu32 ", 'extent': 50.0}", world->id);
    input_ask(draw, PROTOCOL_METHOD_WORLD_SET, ASKED_PLAIN);
    input_text(draw,
               "{'world': %" PRIu32 ", 'body': %" PRIu32
               ", 'particles': [1], 'positions': [0, 49.9, 0], 'velocities': "
               "[0, 200.0, 0]}",
               world->id, body);
    input_ask(draw, PROTOCOL_METHOD_PARTICLE_SET, ASKED_PLAIN);
    input_text(draw, "{'world': %" PRIu32 ", 'ticks': 2}", world->id);
    input_ask(draw, PROTOCOL_METHOD_WORLD_STEP, ASKED_PLAIN);
}

static void do_delete(struct draw *draw)
{
    if (draw->place == NO_WORLD || worlds_here(draw) < 2) {
        return;
    }
    input_text(draw, "{'world': %" PRIu32 "}", input_world_id(draw));
    input_ask(draw, PROTOCOL_METHOD_WORLD_DELETE, ASKED_DELETE);
}

static void do_bin(struct draw *draw)
{
    draw->place = NO_WORLD;
    input_text(draw, "{}");
    if (input_below(draw, 2) == 0 || draw->client->server->world_count == 0 ||
        worlds_here(draw) >= WORLDS_AT_ONCE) {
        input_ask(draw, PROTOCOL_METHOD_WORLD_BIN, ASKED_PLAIN);
        return;
    }
    const uint32_t known = input_below(draw, draw->client->server->world_count);
    input_text(draw, "{'world': %" PRIu32 "}", draw->client->server->worlds[known].id);
    input_ask(draw, PROTOCOL_METHOD_WORLD_RESTORE, ASKED_OPEN);
}

static void do_join(struct draw *draw)
{
    if (draw->place == NO_WORLD) {
        return;
    }
    const bool leave = draw->client->joined[draw->place].in && input_below(draw, 3) == 0;
    input_text(draw, "{'world': %" PRIu32 "}", input_world_id(draw));
    input_ask(draw, leave ? PROTOCOL_METHOD_WORLD_LEAVE : PROTOCOL_METHOD_WORLD_JOIN,
              leave ? ASKED_LEAVE : ASKED_JOIN);
}

static void do_past(struct draw *draw)
{
    const uint32_t deed = input_below(draw, 6), luck = input_below(draw, 8),
                   far = (uint32_t)chance_next(&draw->chance);
    const struct known_world *world = input_world(draw);
    if (world == NULL) {
        return;
    }
    const uint32_t tick = luck == 0 ? far % 60 : far % (uint32_t)(world->tick + 1);
    switch (deed) {
    case 0:
        input_text(draw, "{'world': %" PRIu32 "}", input_world_id(draw));
        input_ask(draw, PROTOCOL_METHOD_WORLD_HISTORY, ASKED_PLAIN);
        return;
    case 1:
    case 2:
        input_text(draw, "{'world': %" PRIu32 ", 'tick': %u}", input_world_id(draw), tick);
        draw->run->about.other = tick + 1;
        input_ask(draw, PROTOCOL_METHOD_WORLD_SEEK, ASKED_SEEK);
        return;
    case 3:
        if (worlds_here(draw) >= WORLDS_AT_ONCE) {
            return;
        }
        if (luck < 3 || (world->failed && luck < 6)) {
            input_text(draw, "{'world': %" PRIu32 "}", input_world_id(draw));
        } else if (luck < 6) {
            input_text(draw, "{'world': %" PRIu32 ", 'tick': %u}", input_world_id(draw), tick);
        } else {
            input_text(draw, "{'world': %" PRIu32 ", 'without': [%" PRIu64 "]}", input_world_id(draw),
                       world->edits[far % IDS].revision + (world->edits[far % IDS].revision == 0));
        }
        draw->run->about.number = luck < 6;
        draw->run->about.other = strstr(draw->run->text, "'tick'") != NULL ? tick + 1 : 0;
        input_ask(draw, PROTOCOL_METHOD_WORLD_BRANCH, ASKED_BRANCH);
        return;
    case 4:
        input_text(draw, "{'world': %" PRIu32 ", 'since': %u, 'limit': 8, 'inputs': true}",
                   input_world_id(draw), input_below(draw, 40));
        input_ask(draw, PROTOCOL_METHOD_EDIT_LOG, ASKED_PLAIN);
        return;
    default:
        input_text(draw, "{'world': %" PRIu32 ", 'after': %u, 'limit': 8}", input_world_id(draw),
                   input_below(draw, 40));
        input_ask(draw, PROTOCOL_METHOD_WORLD_RECORDS, ASKED_PLAIN);
    }
}

static void do_open(struct draw *draw)
{
    struct simulated_server *server = draw->client->server;
    if (server->saved.size == 0 || worlds_here(draw) >= WORLDS_AT_ONCE || !client_may_ask(draw->client)) {
        return;
    }
    draw->place = NO_WORLD;
    input_text(draw, "{'document': @}");
    input_ask(draw, PROTOCOL_METHOD_WORLD_OPEN, ASKED_OPEN);
}

// ---------------------------------------------------------------------------------------------------------
// Hands, streams, questions

static void do_grab(struct draw *draw)
{
    struct client *client = draw->client;
    const uint32_t deed = input_below(draw, 4), at = input_below(draw, GRABS);
    if (draw->place == NO_WORLD || draw->place % 2 == 0) { // in half of the worlds nobody holds anything
        return;
    }
    if (deed == 0 || client->grabs[at] == 0) {
        input_world(draw)->grabbed = true;
        input_text(draw, "{'world': %" PRIu32 ", 'body': %u, 'particle': %u, 'target': [0.1, %u, 0]}",
                   input_world_id(draw), 1 + input_below(draw, 6), input_below(draw, 3),
                   1 + input_below(draw, 3));
        input_ask(draw, PROTOCOL_METHOD_GRAB_BEGIN, ASKED_GRAB);
        return;
    }
    draw->place = client->grab_world[at];
    if (deed == 1) {
        input_text(draw, "{'world': %" PRIu32 ", 'grab': %u}", input_world_id(draw), client->grabs[at]);
        input_ask(draw, PROTOCOL_METHOD_GRAB_END, ASKED_PLAIN);
        client->grabs[at] = 0;
        return;
    }
    input_text(draw, "{'world': %" PRIu32 ", 'grab': %u, 'target': [0.1, 1, 0.%u]}", input_world_id(draw),
               client->grabs[at], input_below(draw, 10));
    if (input_below(draw, 2) == 0) {
        client_notify(client, "grab.move");
    } else {
        input_ask(draw, PROTOCOL_METHOD_GRAB_MOVE, ASKED_PLAIN);
    }
}

static struct simulated_stream *a_stream(struct draw *draw)
{
    struct simulated_stream *stream = &draw->client->streams[input_below(draw, STREAMS)];
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
    const uint32_t deed = input_below(draw, 8), wish = input_below(draw, WISHES);
    struct simulated_stream *stream = a_stream(draw);
    if (deed < 2 || stream == NULL) {
        if (draw->place == NO_WORLD) {
            return;
        }
        input_text(draw, "{'world': %" PRIu32 "%s}", input_world_id(draw), wishes[wish]);
        struct asked *asked = input_ask(draw, PROTOCOL_METHOD_STREAM_SUBSCRIBE, ASKED_SUBSCRIBE);
        if (asked != NULL) {
            asked->number = wish == WISHES - 1;
        }
        return;
    }
    draw->place = NO_WORLD;
    if (deed == 2) {
        input_text(draw, "{'stream': %u}", stream->id);
        struct asked *asked = input_ask(draw, PROTOCOL_METHOD_STREAM_UNSUBSCRIBE, ASKED_UNSUBSCRIBE);
        if (asked != NULL) {
            asked->number = stream->id;
        }
    } else if (deed == 3) {
        input_text(draw, "{'stream': %u, 'every': %u}", stream->id, 1 + input_below(draw, 4));
        input_ask(draw, PROTOCOL_METHOD_STREAM_SET, ASKED_PLAIN);
    } else if (deed == 4) {
        input_text(draw, "{'stream': %u, 'tick': %u}", stream->id, input_below(draw, 60));
        input_ask(draw, PROTOCOL_METHOD_STREAM_DIFFERS, ASKED_PLAIN);
    } else {
        input_text(draw, "{'stream': %u, 'seq': %u}", stream->id, stream->seq);
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
    const uint32_t one = input_below(draw, sizeof queries / sizeof queries[0]);
    if (draw->place == NO_WORLD) {
        return;
    }
    input_text(draw, "{'world': %" PRIu32 "%s}", input_world_id(draw), queries[one].more);
    input_ask(draw, queries[one].method, ASKED_PLAIN);
}

static void do_hash(struct draw *draw)
{
    input_text(draw, "{'world': %" PRIu32 "}", input_world_id(draw));
    if (draw->place != NO_WORLD) {
        input_ask(draw, PROTOCOL_METHOD_WORLD_HASH, ASKED_HASH);
    }
}

static void do_server_query(struct draw *draw)
{
    static const enum protocol_method queries[] = {PROTOCOL_METHOD_SERVER_PING,  PROTOCOL_METHOD_SERVER_INFO,
                                                   PROTOCOL_METHOD_WORLD_LIST,   PROTOCOL_METHOD_WORLD_LIST,
                                                   PROTOCOL_METHOD_SERVER_STATS, PROTOCOL_METHOD_SERVER_LIST,
                                                   PROTOCOL_METHOD_WORLD_BIN};
    const enum protocol_method method = queries[input_below(draw, sizeof queries / sizeof queries[0])];
    draw->place = NO_WORLD;
    input_text(draw, "{}");
    input_ask(draw, method, method == PROTOCOL_METHOD_WORLD_LIST ? ASKED_LIST : ASKED_PLAIN);
}

static void do_presence(struct draw *draw)
{
    if (draw->place == NO_WORLD) {
        return;
    }
    if (input_below(draw, 2) == 0) {
        input_text(draw, "{'world': %" PRIu32 ", 'color': '#e8590c', 'cursor': {'point': [0.2, 0.8, 0.%u]}}",
                   input_world_id(draw), input_below(draw, 10));
        input_ask(draw, PROTOCOL_METHOD_PRESENCE_SET, ASKED_PLAIN);
    } else {
        input_text(draw, "{'world': %" PRIu32 ", 'text': 'line %u'}", input_world_id(draw),
                   input_below(draw, 1000));
        input_ask(draw, PROTOCOL_METHOD_PRESENCE_SAY, ASKED_PLAIN);
    }
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
    {input_do_access, 25, true, false},
    {input_do_cut, 25, false, false},
    {input_do_slow, 10, false, false},
    {input_do_leave, 4, true, false},
    {input_do_move, 3, false, false},
    {input_do_garbage, 5, true, false},
    {input_do_kill, 1, false, true},
    {input_do_wall, 3, false, true},
    {input_do_nothing_for_long, 4, false, true},
    {input_do_tokens, 6, true, false},
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
    uint32_t at = input_below(&draw, all);
    while (at >= run->weights[kind]) {
        at -= run->weights[kind++];
    }
    const uint32_t liked = input_below(&draw, run->client_count);
    draw.client = &run->clients[liked];
    // Somebody else where that one cannot ask, but for what is not asked.
    for (uint32_t i = 1; i < run->client_count && kinds[kind].asks && !client_may_ask(draw.client); i++) {
        draw.client = &run->clients[(liked + i) % run->client_count];
    }
    // The oldest worlds are chosen most often, so that people meet.
    const struct simulated_server *server = draw.client->server;
    const uint32_t first = input_below(&draw, 1 + input_below(&draw, WORLDS_AT_ONCE)),
                   wish = input_below(&draw, 64);
    uint32_t passed = 0;
    draw.place = server->world_count > 0 && wish == 0 ? input_below(&draw, server->world_count) : NO_WORLD;
    for (uint32_t i = 0; i < server->world_count && draw.place == NO_WORLD; i++) {
        if (server->worlds[i].here && passed++ == (first < worlds_here(&draw) ? first : 0)) {
            draw.place = i;
        }
    }
    kinds[kind].work(&draw);
}
