#include "relay_scene.h"

#include "fibers.h"

#include "base/clock.h"
#include "base/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    WAIT_MS = 30000,    // for an answer, whatever happens
    CALM_MS = 3000,     // where nothing goes wrong but that worlds move
    OTHERS_MS = 1500,   // where nothing that it takes part in is silent
    SILENCE_MS = 10600, // by a server that says nothing: ten seconds (docs/guides/cluster.md), and a watch
    CUT_MS = 12500,     // the same, from the last frame that still came
    TAKEN_MS = 2600,    // once another has its world: a second, and a half (the same)
};

static const char *const encodings[] = {
    "'encoding': 'f32'",     "'encoding': 'q16'",
    "'encoding': 'delta'",   "'encoding': 'f32', 'mode': 'lossless'",
    "'encoding': 'records'",
};
enum { SHARED_KINDS = 2, LOSSLESS = 3, RECORDS = 4, KINDS = 5 };

static uint64_t draw(struct relay_caller *caller, uint64_t below)
{
    return scenario_draw(&caller->random, below);
}

// ---------------------------------------------------------------------------------------------------------
// In time

// Gives the time that a call may take, and whether it has to be done. Both follow from the weather in which it was asked.
static uint64_t limit_of(const struct relay_caller *caller, const struct relay_call *call, bool *done)
{
    const struct relay_weather *weather = &caller->scene->weathers[call->weather];
    const uint32_t owner = weather->owners[call->world];
    *done = false;
    if (weather->kind == RELAY_CALM) {
        *done = true;
        return CALM_MS;
    }
    if (weather->kind == RELAY_STORM ||
        (caller->door == weather->silent && (weather->hangs || owner != weather->silent))) {
        return UINT64_MAX / RELAY_MS;
    }
    if (caller->door == weather->silent || owner != weather->silent) {
        *done = true;
        return OTHERS_MS;
    }
    const uint64_t taken_ns = weather->taken_ns[call->world];
    if (!weather->hangs) {
        return CUT_MS;
    }
    if (taken_ns == UINT64_MAX) {
        return SILENCE_MS;
    }
    const uint64_t since_ms = taken_ns > call->asked_ns ? (taken_ns - call->asked_ns) / RELAY_MS : 0;
    return since_ms + TAKEN_MS < SILENCE_MS ? since_ms + TAKEN_MS : SILENCE_MS;
}

// A world that plays is not stepped; streams end with what they come from.
static bool may_be_refused(const struct relay_call *call, const char *code)
{
    return call->what == RELAY_SUBSCRIBE || call->what == RELAY_OF_STREAM ||
           (call->what == RELAY_STEP && strcmp(code, "CONFLICT") == 0);
}

void relay_call_judge(struct relay_caller *caller, const struct relay_call *call, enum outcome outcome)
{
    static const char *const names[] = {"an edit", "a query", "a step", "a subscription",
                                        "a change of a stream"};
    struct relay_scene *scene = caller->scene;
    const struct relay_weather *weather = &scene->weathers[call->weather];
    const uint64_t now_ns = base_now_ns();
    const bool same = weather->end_ns == UINT64_MAX;
    const uint64_t took_ms = ((same ? now_ns : weather->end_ns) - call->asked_ns) / RELAY_MS;
    bool done;
    const uint64_t limit_ms = limit_of(caller, call, &done);
    const char *says = outcome == REFUSED   ? caller->person.text
                       : outcome == NOTHING ? "the end"
                                            : "an answer";
    if (took_ms > limit_ms) {
        scenario_fail(&scene->verdict,
                      "p%" PRIu32 " asks server %" PRIu32 " for %s of w%" PRIu32
                      ", and is told after %" PRIu64 " ms, not in %" PRIu64 ": %s %.200s",
                      caller->person.number, caller->door, names[call->what], call->world, took_ms, limit_ms,
                      outcome == REFUSED ? caller->person.code : "", says);
    }
    // A connection that had streams ends when one of their worlds moves, and with it what else was under way on it.
    const bool broken =
        caller->watches && (outcome == NOTHING || (outcome == REFUSED && weather->kind == RELAY_CALM &&
                                                   strcmp(caller->person.code, "INTERNAL") == 0));
    if (same && done && outcome != ANSWERED && !broken &&
        !(outcome == REFUSED && may_be_refused(call, caller->person.code)) &&
        !(caller->follows && outcome == REFUSED &&
          (strcmp(caller->person.code, "MOVED") == 0 || strcmp(caller->person.code, "BUSY") == 0))) {
        scenario_fail(&scene->verdict,
                      "p%" PRIu32 " asks server %" PRIu32 " for %s of w%" PRIu32
                      ", and nothing is in the way of it, but it is told %s %.200s",
                      caller->person.number, caller->door, names[call->what], call->world,
                      outcome == REFUSED ? caller->person.code : "", says);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Asking

static void note_call(struct relay_caller *caller, uint32_t msgid, struct relay_call call)
{
    struct relay_scene *scene = caller->scene;
    if (msgid == 0) {
        return;
    }
    scene->inputs++;
    call.msgid = msgid;
    call.weather = scene->weather;
    call.asked_ns = base_now_ns();
    call.number = ++caller->asked;
    caller->calls[caller->call_count++] = call;
}

static void ask_edit(struct relay_caller *caller, uint32_t world)
{
    struct relay_scene *scene = caller->scene;
    struct relay_edit *edit = caller->edit;
    if (edit && (edit->attempts > 20 || draw(caller, 3) == 0)) {
        caller->edit = edit = NULL;
    }
    if (!edit && scene->edit_count == RELAY_EDITS) {
        return;
    }
    if (!edit) {
        edit = &scene->edits[scene->edit_count++];
        *edit = (struct relay_edit){.world = world};
    }
    caller->edit = NULL;
    edit->attempts++;
    const uint32_t number = (uint32_t)(edit - scene->edits);
    const uint32_t msgid =
        person_send(&caller->person, "collider.add",
                    "{'world': %" PRIu32 ", 'kind': 'sphere', 'name': 'e%" PRIu32 "', 'edit_id': 'id%" PRIu32
                    "', 'radius': 0.01, 'position': [0.0, -50.0, %" PRIu32 ".5]}",
                    scene->ids[edit->world], number, number, number);
    note_call(caller, msgid,
              (struct relay_call){
                  .what = RELAY_EDIT, .world = edit->world, .edit = edit, .again = edit->attempts > 1});
}

static void ask_query(struct relay_caller *caller, uint32_t world)
{
    const uint32_t id = caller->scene->ids[world];
    const uint32_t msgid =
        draw(caller, 2) == 0
            ? person_send(&caller->person, "world.get", "{'world': %" PRIu32 "}", id)
            : person_send(&caller->person, "body.state", "{'world': %" PRIu32 ", 'body': 'rope'}", id);
    note_call(caller, msgid, (struct relay_call){.what = RELAY_QUERY, .world = world});
}

static void ask_step(struct relay_caller *caller, uint32_t world)
{
    const uint32_t msgid = person_send(&caller->person, "world.step", "{'world': %" PRIu32 ", 'ticks': 2}",
                                       caller->scene->ids[world]);
    note_call(caller, msgid, (struct relay_call){.what = RELAY_STEP, .world = world});
}

static struct relay_stream *find_stream(struct relay_caller *caller, uint32_t id)
{
    for (int i = 0; i < RELAY_STREAMS; i++) {
        if (caller->streams[i].id == id) {
            return &caller->streams[i];
        }
    }
    return NULL;
}

static void ask_stream(struct relay_caller *caller, uint32_t world)
{
    struct relay_stream *stream = &caller->streams[draw(caller, RELAY_STREAMS)];
    const uint64_t what = draw(caller, 3);
    uint32_t msgid;
    if (stream->id == 0) {
        const uint32_t kind = (uint32_t)draw(caller, KINDS);
        msgid = person_send(&caller->person, "stream.subscribe", "{'world': %" PRIu32 ", %s}",
                            caller->scene->ids[world], encodings[kind]);
        caller->watches = true;
        note_call(caller, msgid, (struct relay_call){.what = RELAY_SUBSCRIBE, .world = world, .kind = kind});
    } else if (what > 0 && stream->kind != RECORDS) {
        msgid = person_send(&caller->person, "stream.set", "{'stream': %" PRIu32 ", 'every': %" PRIu64 "}",
                            stream->id, 1 + draw(caller, 2));
        stream->shared = false;
        stream->passed = false; // it may have been told of by another server meanwhile
        note_call(caller, msgid, (struct relay_call){.what = RELAY_OF_STREAM, .world = stream->world});
    } else {
        msgid = person_send(&caller->person, "stream.unsubscribe", "{'stream': %" PRIu32 "}", stream->id);
        note_call(caller, msgid, (struct relay_call){.what = RELAY_OF_STREAM, .world = stream->world});
        *stream = (struct relay_stream){0};
    }
}

// ---------------------------------------------------------------------------------------------------------
// Hearing

static void hear_edit(struct relay_caller *caller, const struct relay_call *call, enum outcome outcome)
{
    struct relay_scene *scene = caller->scene;
    struct relay_edit *edit = call->edit;
    const struct person *person = &caller->person;
    const uint64_t revision = outcome == ANSWERED ? map_number(person->result, "revision") : 0;
    if (outcome == ANSWERED && edit->answered && edit->revision != revision) {
        scenario_fail(&scene->verdict, "edit e%td was made at revision %" PRIu64 ", and at %" PRIu64,
                      edit - scene->edits, edit->revision, revision);
    }
    // Only of what was not sent, or was refused, somebody knows that it was not done.
    edit->unknown |=
        outcome == NOTHING ||
        (outcome == REFUSED && (strcmp(person->code, "INTERNAL") == 0 ||
                                strstr(person->text, "whether this was kept is to be seen there")));
    if (outcome == ANSWERED) {
        edit->answered = true;
        edit->revision = revision;
    } else if (!edit->answered) {
        caller->edit = edit;
    }
    if (outcome == ANSWERED && !call->again && revision <= caller->revisions[call->world]) {
        scenario_fail(&scene->verdict,
                      "p%" PRIu32 " made edit e%td of w%" PRIu32 " at revision %" PRIu64 ", after %" PRIu64,
                      person->number, edit - scene->edits, call->world, revision,
                      caller->revisions[call->world]);
    }
    if (outcome == ANSWERED && !call->again) {
        caller->revisions[call->world] = revision;
    }
}

static void hear_subscribed(struct relay_caller *caller, const struct relay_call *call)
{
    const struct relay_weather *weather = &caller->scene->weathers[call->weather];
    const bool sure = weather->kind == RELAY_SILENT && weather->end_ns == UINT64_MAX &&
                      weather->owners[call->world] != weather->silent && caller->door != weather->silent;
    struct relay_stream *stream = find_stream(caller, 0);
    const uint32_t id = (uint32_t)map_number(caller->person.result, "stream");
    if (!stream) { // several were asked for at a time
        person_notify(&caller->person, "stream.unsubscribe", "{'stream': %" PRIu32 "}", id);
        return;
    }
    *stream = (struct relay_stream){
        .id = id,
        .kind = call->kind,
        .world = call->world,
        .passed = sure && weather->owners[call->world] != caller->door,
        .shared = call->kind < SHARED_KINDS,
    };
}

static void settle_call(struct relay_caller *caller, uint32_t place, enum outcome outcome)
{
    struct relay_scene *scene = caller->scene;
    const struct relay_call call = caller->calls[place];
    caller->call_count--;
    memmove(&caller->calls[place], &caller->calls[place + 1],
            (caller->call_count - place) * sizeof caller->calls[0]);
    scene->answered += outcome == ANSWERED;
    scene->refused += outcome == REFUSED;
    scene->lost += outcome == NOTHING;
    relay_call_judge(caller, &call, outcome);
    if (call.what == RELAY_EDIT) {
        hear_edit(caller, &call, outcome);
    }
    if (outcome == ANSWERED && call.what == RELAY_SUBSCRIBE) {
        hear_subscribed(caller, &call);
    }
    if (outcome != ANSWERED || call.what == RELAY_OF_STREAM || call.what == RELAY_SUBSCRIBE) {
        return; // one that many share is answered when it is there
    }
    // A world that cannot keep what it is told answers queries before edits.
    if (call.number < caller->last_call[call.world] && scene->weathers[call.weather].kind != RELAY_STORM) {
        scenario_fail(&scene->verdict,
                      "p%" PRIu32 " is told of w%" PRIu32 " what it asked first after what it asked later",
                      caller->person.number, call.world);
    }
    caller->last_call[call.world] = call.number;
}

static void hear_answer(struct relay_caller *caller, const struct person_told *told)
{
    uint32_t place = 0;
    while (place < caller->call_count && caller->calls[place].msgid != told->msgid) {
        place++;
    }
    if (place == caller->call_count) {
        scenario_fail(&caller->scene->verdict,
                      "p%" PRIu32 " is answered %" PRIu32 " once more, or did not ask it",
                      caller->person.number, told->msgid);
        return;
    }
    settle_call(caller, place, told->outcome);
}

static void hear_frame(struct relay_caller *caller, const struct person_told *told, const msgpack_object *map)
{
    struct relay_scene *scene = caller->scene;
    const uint32_t id = (uint32_t)map_number(map, "stream");
    struct relay_stream *stream = id != 0 ? find_stream(caller, id) : NULL;
    const uint32_t seq = (uint32_t)map_number(map, "seq");
    const uint64_t tick = map_number(map, "tick");
    if (!stream) {
        return;
    }
    scene->frames++;
    if (seq != stream->seq + 1 && (seq != stream->seq || map_number(map, "parts") < 2)) {
        scenario_fail(&scene->verdict,
                      "p%" PRIu32 " at server %" PRIu32 " is sent frame %" PRIu32
                      " of a stream (%s) of w%" PRIu32 " after %" PRIu32,
                      caller->person.number, caller->door, seq, encodings[stream->kind], stream->world,
                      stream->seq);
    }
    if (tick < stream->tick) {
        scenario_fail(&scene->verdict, "p%" PRIu32 " is sent tick %" PRIu64 " of w%" PRIu32 " after %" PRIu64,
                      caller->person.number, tick, stream->world, stream->tick);
    }
    if (stream->passed && !relay_wire_saw(scene, told->bytes, told->size, stream->shared)) {
        scenario_fail(&scene->verdict,
                      "p%" PRIu32 " is sent frame %" PRIu32 " of a stream (%s) of w%" PRIu32
                      " as its server did not send it",
                      caller->person.number, seq, encodings[stream->kind], stream->world);
    }
    scene->passed_frames += stream->passed;
    stream->seq = seq;
    stream->tick = tick;
    if (stream->kind == LOSSLESS || stream->kind == RECORDS) {
        person_notify(&caller->person, "stream.ack", "{'stream': %" PRIu32 ", 'seq': %" PRIu32 "}", id, seq);
    }
}

static void hear_notice(struct relay_caller *caller, const struct person_told *told)
{
    const msgpack_object *method = &told->parts[1], *list = &told->parts[2];
    const msgpack_object *map = list->via.array.size > 0 ? &list->via.array.ptr[0] : NULL;
    char name[32];
    (void)snprintf(name, sizeof name, "%.*s", (int)method->via.str.size, method->via.str.ptr);
    if (strcmp(name, "stream.frame") == 0 || strcmp(name, "stream.records") == 0) {
        hear_frame(caller, told, map);
    } else if (strcmp(name, "stream.closed") == 0) {
        struct relay_stream *stream = find_stream(caller, (uint32_t)map_number(map, "stream"));
        if (stream) {
            *stream = (struct relay_stream){0};
        }
    }
}

static void hear_all(struct relay_caller *caller)
{
    struct person_told told;
    while (person_hear(&caller->person, &told)) {
        if (told.msgid != 0) {
            hear_answer(caller, &told);
        } else {
            hear_notice(caller, &told);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Life

static void let_go(struct relay_caller *caller)
{
    while (caller->call_count > 0) {
        settle_call(caller, 0, NOTHING);
    }
    person_leave(&caller->person);
}

static void go_to(struct relay_caller *caller, uint32_t server)
{
    char hello[80];
    (void)snprintf(hello, sizeof hello, "{'follow': %s, 'errors': 'map', 'user': 'p%" PRIu32 "'}",
                   caller->follows ? "true" : "false", caller->person.number);
    let_go(caller);
    caller->door = server;
    caller->watches = false;
    memset(caller->streams, 0, sizeof caller->streams);
    memset(caller->last_call, 0, sizeof caller->last_call);
    memset(caller->revisions, 0, sizeof caller->revisions);
    if (!person_connect_as(&caller->person, &caller->scene->nodes[server - 1], hello)) {
        person_leave(&caller->person);
    }
}

// A lost connection loses what is under way on it; a server that is up answers before that.
static void wait_for_answers(struct relay_caller *caller)
{
    const uint64_t until_ns = base_now_ns() + WAIT_MS * (uint64_t)RELAY_MS;
    bool in_time = true;
    hear_all(caller);
    while (caller->call_count > 0 && person_node(&caller->person) && in_time) {
        in_time = person_wait(&caller->person, until_ns);
        hear_all(caller);
    }
    if (caller->call_count > 0 && !in_time) {
        scenario_fail(&caller->scene->verdict,
                      "p%" PRIu32 " at server %" PRIu32 " is told nothing of w%" PRIu32 " for %d s",
                      caller->person.number, caller->door, caller->calls[0].world, WAIT_MS / 1000);
    }
    if (caller->call_count > 0) {
        let_go(caller);
    }
}

static void ask_some(struct relay_caller *caller)
{
    const uint32_t world = (uint32_t)draw(caller, RELAY_WORLDS);
    const uint64_t count = 1 + draw(caller, 3);
    for (uint64_t i = 0; i < count && caller->call_count < RELAY_CALLS; i++) {
        const uint64_t what = draw(caller, 16);
        const uint32_t of = draw(caller, 4) == 0 ? (uint32_t)draw(caller, RELAY_WORLDS) : world;
        if (what < 6) {
            ask_edit(caller, of);
        } else if (what < 11) {
            ask_query(caller, of);
        } else if (what < 13) {
            ask_step(caller, of);
        } else {
            ask_stream(caller, of);
        }
    }
}

void relay_caller_act(void *context)
{
    struct relay_caller *caller = context;
    struct relay_scene *scene = caller->scene;
    (void)fibers_be(0);
    while (!scene->over && !scene->verdict.wrong) {
        hear_all(caller);
        if (!person_node(&caller->person)) {
            go_to(caller, 1 + (uint32_t)draw(caller, NODES));
        } else {
            ask_some(caller);
            if (draw(caller, 3) == 0) { // more, before that is answered
                fibers_sleep_until(base_now_ns() + draw(caller, 300) * RELAY_MS);
                hear_all(caller);
                ask_some(caller);
            }
            wait_for_answers(caller);
        }
        if (caller->follows && caller->person.moved_to > 0) {
            go_to(caller, caller->person.moved_to);
            caller->person.moved_to = 0;
        }
        fibers_sleep_until(base_now_ns() + draw(caller, 800) * RELAY_MS);
    }
    let_go(caller);
}
