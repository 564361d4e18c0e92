#include "world/time/clock.h"

#include "base/clock.h"
#include "world/time/part.h"

#include <stdatomic.h>

enum { GRACE_NS = 250 * 1000 * 1000 };

// ---------------------------------------------------------------------------------------------------------
// The turn under way

uint64_t world_now_ns(const struct world_time *time)
{
    return time->now_ns;
}

uint64_t world_turn_number(const struct world_time *time)
{
    return time->turn;
}

void world_turn_count(struct world_time *time)
{
    time->turn++;
}

// ---------------------------------------------------------------------------------------------------------
// Whether it runs

int world_state(const struct world_time *time)
{
    return time->state;
}

void world_state_set(struct world_time *time, int state)
{
    time->state = state;
}

bool world_runs(const struct world_time *time)
{
    return time->state == WORLD_PLAYING || time->step.request;
}

struct world_pace *world_pace_of(struct world_time *time)
{
    return &time->pace;
}

double world_rate(const struct world_time *time)
{
    return time->pace.rate;
}

struct world_request *world_step_request(const struct world_time *time)
{
    return time->step.request;
}

bool world_steps_for(const struct world_time *time, uint32_t session)
{
    const struct world_request *request = time->step.request;
    return request && request->asker.session == session;
}

bool world_is_slowed(const struct world_time *time)
{
    return time->allowance.slowed;
}

struct world_holding *world_holding_of(struct world_time *time)
{
    return &time->holding;
}

const struct world_times *world_times_of(const struct world_time *time)
{
    return &time->times;
}

// ---------------------------------------------------------------------------------------------------------
// Whether it ends

bool world_is_deleted(const struct world_time *time)
{
    return time->deleted;
}

void world_delete(struct world_time *time)
{
    time->state = WORLD_PAUSED;
    time->deleted = true;
}

bool world_is_shut(const struct world_time *time)
{
    return time->shut;
}

void world_shut(struct world_time *time)
{
    time->shut = true;
}

bool world_is_leaving(const struct world_time *time)
{
    return atomic_load(&time->leaving);
}

const struct protocol_home *world_home_of(const struct world_time *time)
{
    return &time->home;
}

void world_time_limit(struct world_time *time, uint32_t session)
{
    atomic_store(&time->tick_end_session, session);
    atomic_store(&time->tick_end_ns, base_now_ns() + GRACE_NS);
}

bool world_time_is_over(const struct world_time *time)
{
    return base_now_ns() >= atomic_load(&time->tick_end_ns);
}

bool world_time_is_up(const struct world_time *time, uint32_t session)
{
    if (!world_time_is_over(time)) {
        return false;
    }
    const uint32_t ends = world_time_limited_by(time);
    return ends == 0 || ends != session;
}

uint32_t world_time_limited_by(const struct world_time *time)
{
    return atomic_load(&time->tick_end_session);
}

// ---------------------------------------------------------------------------------------------------------
// Whether it shows the past of another

uint32_t world_view_of(const struct world_time *time)
{
    return time->view.of;
}

uint32_t world_view_session(const struct world_time *time)
{
    return time->view.session;
}

bool world_view_moves(const struct world_time *time)
{
    return time->view.moving;
}

const char *world_view_read_only(const struct world_time *time)
{
    return time->view.read_only;
}
