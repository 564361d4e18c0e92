// Queues requests that wait in the world. Each session has one line, because the order of its requests is
// kept while other sessions pass.
//
//     first ─▶ [session 4] ──line_next──▶ [session 9] ──▶ …        a line's first request stands for it
//                  │ next                     │ next
//              [session 4]                [session 9]
//
// A request waits behind another of its session, and while its session's step runs or its image is made.
// Edits also wait while any image is made. A request waits while its session holds too many unsent answers,
// while readers have been told as much as they can take, and when its session has had its share of the turn. A costly query
// waits while its person owes work (edit/costly.h).
// Lines are served in turns, one request each, until all are stuck or the time is up.
#include "world/turn/lines.h"

#include "base/clock.h"
#include "world/answer/account.h"
#include "world/answer/call.h"
#include "world/answer/event.h"
#include "world/edit/apply.h"
#include "world/edit/costly.h"
#include "world/frames/frames.h"
#include "world/frames/stream.h"
#include "world/keep/image.h"
#include "world/keep/journal.h"
#include "world/people/people.h"
#include "world/state.h"
#include "world/time/clock.h"
#include "world/time/step.h"
#include "world/time/view.h"
#include "world/turn/part.h"
#include "world/twins/twins.h"

// ---------------------------------------------------------------------------------------------------------
// Shares of a turn

struct world_share *world_share_of(struct world *world, uint32_t session)
{
    struct world_share *share = &world->turns->shares[session % WORLD_SHARES];
    if (share->session != session || share->turn != world_turn_number(world->time)) {
        *share = (struct world_share){.session = session, .turn = world_turn_number(world->time)};
    }
    return share;
}

// ---------------------------------------------------------------------------------------------------------
// Lines

static void line_append(struct world_lines *lines, struct world_request *line)
{
    line->line_next = NULL;
    if (lines->last) {
        lines->last->line_next = line;
    } else {
        lines->first = line;
    }
    lines->last = line;
    lines->count++;
}

static struct world_request *line_take(struct world_lines *lines)
{
    struct world_request *line = lines->first;
    lines->first = line->line_next;
    if (!lines->first) {
        lines->last = NULL;
    }
    lines->count--;
    line->line_next = NULL;
    return line;
}

struct world_request *world_line_of(const struct world_lines *lines, uint32_t session)
{
    struct world_request *line = lines->first;
    while (line && line->asker.session != session) {
        line = line->line_next;
    }
    return line;
}

void world_line_add(struct world_lines *lines, struct world_request *request)
{
    struct world_request *line = world_line_of(lines, request->asker.session);
    request->next = NULL;
    request->line_last = request;
    if (!line) {
        line_append(lines, request);
        return;
    }
    line->line_last->next = request;
    line->line_last = request;
}

void world_line_hurry(struct world_request *line)
{
    for (; line; line = line->next) {
        line->hurried = true;
    }
}

static bool own_step(const struct world *world, const struct world_request *request)
{
    return world_steps_for(world->time, request->asker.session);
}

static bool tells_readers(const struct world_request *request)
{
    enum protocol_class class = protocol_methods[request->method].class_;
    return class == PROTOCOL_CLASS_EDIT ||
           (class == PROTOCOL_CLASS_CONTROL && !world_methods[request->method].ends_world);
}

// While an image is being made, it is read from memory that edits write. A second image waits. It does not
// begin in a turn in which one has ended, so that what waited for that one comes first.
static bool image_holds(const struct world *world, const struct world_request *request)
{
    if (request->method == PROTOCOL_METHOD_WORLD_SAVE) {
        return world_image_under_way(world->keep) || world_image_ended(world);
    }
    return world_image_under_way(world->keep) &&
           protocol_methods[request->method].class_ == PROTOCOL_CLASS_EDIT;
}

bool world_must_wait(const struct world *world, const struct world_request *request)
{
    if (own_step(world, request)) {
        return !world_methods[request->method].ends_step;
    }
    if (world_is_deleted(world->time) || world_is_shut(world->time) || world->document->broken ||
        world_is_leaving(world->time)) {
        return false; // it will be refused, which costs nothing
    }
    if (world_view_moves(world->time)) {
        return true;
    }
    const enum protocol_class class = protocol_methods[request->method].class_;
    if (class != PROTOCOL_CLASS_QUERY && !world_methods[request->method].ends_world &&
        world_journal_holds(world->keep) && !world_read_only(world)) {
        return true;
    }
    if (world_image_session(world->keep) == request->asker.session || image_holds(world, request)) {
        return true;
    }
    if (world_account_full(request->account) && !world_account_gone(request->account)) {
        return true;
    }
    if (world_costly_waits(world, request) && !world_account_gone(request->account)) {
        return true;
    }
    return tells_readers(request) && world_readers_full(world);
}

uint64_t world_apply_timed(struct world *world, struct world_request *request, uint64_t now_ns)
{
    uint32_t session = request->asker.session;
    bool hurried = request->hurried;
    world_apply(world, request);
    if (hurried && world_steps_for(world->time, session)) {
        world_step_cut(world);
    }
    uint64_t then_ns = base_now_ns();
    world_share_of(world, session)->spent_ns += then_ns - now_ns;
    return then_ns;
}

bool world_lines_serve(struct world *world, uint64_t end_ns)
{
    struct world_lines *lines = &world->turns->lines;
    uint64_t now_ns = lines->count > 0 ? base_now_ns() : 0;
    for (uint32_t stuck = 0; stuck < lines->count;) {
        struct world_request *line = line_take(lines);
        if (world_must_wait(world, line)) {
            line_append(lines, line);
            stuck++;
            continue;
        }
        struct world_request *rest = line->next;
        uint32_t session = line->asker.session;
        bool gone = line->line_gone;
        if (rest) {
            rest->line_last = line->line_last;
            rest->line_gone = gone;
            line_append(lines, rest);
        }
        now_ns = world_apply_timed(world, line, now_ns);
        if (gone && !rest) {
            world_session_gone(world, session);
        }
        stuck = 0;
        if (now_ns >= end_ns) {
            return lines->count > 0;
        }
    }
    return false;
}

bool world_lines_wait(const struct world *world)
{
    return world->turns->lines.count > 0;
}

void world_lines_destroy(struct world_lines *lines)
{
    while (lines->first) {
        for (struct world_request *request = line_take(lines), *next; request; request = next) {
            next = request->next;
            world_request_destroy(request);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Sessions that are gone

void world_session_gone(struct world *world, uint32_t session)
{
    world_people_leave(world->people, session);
    world_streams_remove_session(world_streams_of(world->frames), session);
    world_twins_remove_session(world->twins, session);
    uint32_t count;
    const struct world_holder *holders = world_holders_all(world->people, &count);
    for (uint32_t i = 0; i < count;) {
        const struct world_holder *holder = &holders[i];
        if (holder->session != session) {
            i++;
            continue;
        }
        const uint32_t grab = holder->grab;
        world_grab_drop(world, holder);
        world_holders_remove(world->people, grab);
        holders = world_holders_all(world->people, &count);
        world_frames_grabs_changed(world->frames);
    }
    if (world_view_of(world->time) != 0 && world_view_session(world->time) == session) {
        world_view_end(world, NULL);
    }
}
