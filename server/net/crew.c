#include "net/crew.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "net/far.h"

#include <stdlib.h>
#include <unistd.h>

enum {
    CREW_SOCKETS = 256,          // accepted, and not taken by the lane
    CREW_LIGHT_NS = 2000 * 1000, // of a turn of home's, for those that have had little lately
    CREW_HEAVY_NS = 1000 * 1000, // and for the others
};

struct net_socket {
    struct net_listener *shadow;
    int file;
};

// A far connection lasts until nobody holds it. What is still in its ring nobody will take.

void net_far_ref(struct net_far *far)
{
    atomic_fetch_add_explicit(&far->refs, 1, memory_order_relaxed);
}

void net_far_unref(struct net_far *far)
{
    if (atomic_fetch_sub_explicit(&far->refs, 1, memory_order_acq_rel) > 1) {
        return;
    }
    struct net_far_message message;
    while (base_ring_pop(far->messages, &message)) {
        free(message.bytes);
    }
    base_ring_destroy(far->messages);
    base_buffer_unref(far->orders.words);
    base_mutex_deinit(&far->mutex);
    free(far);
}

// ---------------------------------------------------------------------------------------------------------
// Up

void net_lane_post(struct net_far *far)
{
    struct net_lane *lane = far->lane;
    base_mutex_lock(&lane->mutex);
    bool first = !far->in_up;
    if (first) {
        far->in_up = true;
        net_far_ref(far);
        far->next_up = NULL;
        if (lane->up) {
            lane->up_last->next_up = far;
        } else {
            lane->up = far;
        }
        lane->up_last = far;
    }
    base_mutex_unlock(&lane->mutex);
    if (first) {
        uv_async_send(&lane->crew->async);
    }
}

void net_lane_ask(struct net_lane *lane, struct net_wish *wish)
{
    base_mutex_lock(&lane->mutex);
    wish->next = lane->asked;
    lane->asked = wish;
    base_mutex_unlock(&lane->mutex);
    uv_async_send(&lane->crew->async);
}

static struct net_far *up_take(struct net_lane *lane)
{
    base_mutex_lock(&lane->mutex);
    struct net_far *far = lane->up;
    if (far) {
        lane->up = far->next_up;
        far->in_up = false;
    }
    base_mutex_unlock(&lane->mutex);
    return far;
}

// The reference goes along.
static void line_append(struct net_far **first, struct net_far **last, struct net_far *far)
{
    far->in_line = true;
    far->next_in_line = NULL;
    if (*first) {
        (*last)->next_in_line = far;
    } else {
        *first = far;
    }
    *last = far;
}

static void line_up(struct net_crew *crew, struct net_far *far)
{
    if (crew->is_light(far, uv_now(&crew->home->uv))) {
        line_append(&crew->light, &crew->light_last, far);
    } else {
        line_append(&crew->heavy, &crew->heavy_last, far);
    }
}

void net_crew_line_up(struct net_far *far)
{
    struct net_crew *crew = far->lane->crew;
    if (!far->in_line) {
        net_far_ref(far);
        line_up(crew, far);
        uv_async_send(&crew->async);
    }
}

static void line_take_up(struct net_crew *crew)
{
    struct net_far *far;
    for (uint32_t i = 0; i < crew->count; i++) {
        while ((far = up_take(&crew->lanes[i]))) {
            if (far->in_line) {
                net_far_unref(far);
            } else {
                line_up(crew, far);
            }
        }
    }
}

// Whoever is there when it begins, until the time is up; once each.
static void line_serve(struct net_crew *crew, struct net_far **first, struct net_far **last, uint64_t most_ns)
{
    const uint64_t began_ns = base_now_ns();
    struct net_far *until = *last;
    bool more = *first != NULL;
    while (more) {
        struct net_far *far = *first;
        *first = far->next_in_line;
        far->in_line = false;
        more = far != until && base_now_ns() - began_ns < most_ns;
        if (crew->serve(far) && !far->in_line) {
            line_append(&crew->heavy, &crew->heavy_last, far);
        } else {
            net_far_unref(far);
        }
    }
    crew->home->turns.used_ns += base_now_ns() - began_ns;
}

static void wishes_fulfil(struct net_lane *lane)
{
    base_mutex_lock(&lane->mutex);
    struct net_wish *wish = lane->asked;
    lane->asked = NULL;
    base_mutex_unlock(&lane->mutex);
    while (wish) {
        struct net_wish *next = wish->next;
        wish->bytes = wish->page->make(wish->context, &wish->status);
        base_mutex_lock(&lane->mutex);
        wish->next = lane->made;
        lane->made = wish;
        if (!lane->closed) {
            uv_async_send(&lane->async);
        }
        base_mutex_unlock(&lane->mutex);
        wish = next;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Down

void net_crew_order(struct net_far *far)
{
    struct net_crew *crew = far->lane->crew;
    if (far->in_orders) {
        return;
    }
    far->in_orders = true;
    net_far_ref(far);
    far->next_in_orders = NULL;
    if (crew->orders) {
        crew->orders_last->next_in_orders = far;
    } else {
        crew->orders = far;
    }
    crew->orders_last = far;
}

static void down_append(struct net_lane *lane, struct net_far *far)
{
    base_mutex_lock(&lane->mutex);
    if (far->in_down) {
        base_mutex_unlock(&lane->mutex);
        net_far_unref(far);
        return;
    }
    far->in_down = true;
    far->next_down = NULL;
    const bool first = !lane->down;
    if (first) {
        lane->down = far;
    } else {
        lane->down_last->next_down = far;
    }
    lane->down_last = far;
    if (first && !lane->closed) {
        uv_async_send(&lane->async);
    }
    base_mutex_unlock(&lane->mutex);
}

static void crew_flush(struct net_loop *home)
{
    struct net_crew *crew = home->crew;
    while (crew->orders) {
        struct net_far *far = crew->orders;
        crew->orders = far->next_in_orders;
        far->in_orders = false;
        down_append(far->lane, far);
    }
}

static struct net_far *down_take(struct net_lane *lane)
{
    base_mutex_lock(&lane->mutex);
    struct net_far *far = lane->down;
    if (far) {
        lane->down = far->next_down;
        far->in_down = false;
    }
    base_mutex_unlock(&lane->mutex);
    return far;
}

static void take_made(struct net_lane *lane)
{
    base_mutex_lock(&lane->mutex);
    struct net_wish *wish = lane->made;
    lane->made = NULL;
    base_mutex_unlock(&lane->mutex);
    while (wish) {
        struct net_wish *next = wish->next;
        struct net_conn *conn = wish->conn;
        wish->made(wish);
        base_buffer_unref(wish->bytes);
        free(wish);
        net_conn_release(conn);
        wish = next;
    }
}

static void take_down(struct net_lane *lane)
{
    struct net_far *far;
    while ((far = down_take(lane))) {
        lane->crew->obey(far);
        net_far_unref(far);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Sockets

struct net_lane *net_crew_choose(struct net_crew *crew)
{
    struct net_lane *chosen = NULL;
    unsigned fewest = atomic_load_explicit(&crew->home->connections, memory_order_relaxed);
    for (uint32_t i = 0; i < crew->count; i++) {
        struct net_lane *lane = &crew->lanes[i];
        unsigned connections = atomic_load_explicit(&lane->loop->connections, memory_order_relaxed) +
                               atomic_load_explicit(&lane->coming, memory_order_relaxed);
        // If home has as many, another lane gets it, because home has more to do.
        if (lane->running && (connections < fewest || (!chosen && connections == fewest))) {
            chosen = lane;
            fewest = connections;
        }
    }
    return chosen;
}

bool net_lane_give(struct net_lane *lane, struct net_listener *shadow, int file)
{
    const struct net_socket socket = {shadow, file};
    atomic_fetch_add_explicit(&lane->coming, 1, memory_order_relaxed);
    if (!base_ring_push(lane->sockets, &socket)) {
        atomic_fetch_sub_explicit(&lane->coming, 1, memory_order_relaxed);
        return false;
    }
    base_mutex_lock(&lane->mutex);
    if (!lane->closed) {
        uv_async_send(&lane->async);
    }
    base_mutex_unlock(&lane->mutex);
    return true;
}

static void take_sockets(struct net_lane *lane, bool stopped)
{
    struct net_socket socket;
    while (base_ring_pop(lane->sockets, &socket)) {
        if (stopped) {
            close(socket.file);
        } else {
            net_conn_take(socket.shadow, socket.file);
        }
        atomic_fetch_sub_explicit(&lane->coming, 1, memory_order_relaxed);
    }
}

// ---------------------------------------------------------------------------------------------------------
// A lane's thread

static void lane_close(struct net_lane *lane)
{
    base_mutex_lock(&lane->mutex);
    lane->closed = true;
    base_mutex_unlock(&lane->mutex);
    uv_close((uv_handle_t *)&lane->async, NULL);
    uv_close((uv_handle_t *)&lane->before, NULL);
    net_loop_stop(lane->loop);
}

static void lane_on_async(uv_async_t *async)
{
    struct net_lane *lane = async->data;
    base_mutex_lock(&lane->mutex);
    bool stop = lane->stop;
    base_mutex_unlock(&lane->mutex);
    take_sockets(lane, stop);
    take_made(lane);
    take_down(lane);
    if (stop) {
        lane_close(lane);
    }
}

// Takes a listener's statistics of this loop over: they are as old as its last turn.
static void lane_before(uv_prepare_t *before)
{
    struct net_lane *lane = before->data;
    base_mutex_lock(&lane->mutex);
    for (struct net_listener *shadow = lane->loop->shadows; shadow; shadow = shadow->next_shadow) {
        shadow->told = shadow->stats;
    }
    base_mutex_unlock(&lane->mutex);
}

static void lane_run(void *context)
{
    struct net_lane *lane = context;
    uv_run(&lane->loop->uv, UV_RUN_DEFAULT);
    base_mutex_lock(&lane->mutex);
    for (struct net_listener *shadow = lane->loop->shadows; shadow; shadow = shadow->next_shadow) {
        shadow->told = shadow->stats;
    }
    lane->ended = true;
    uv_async_send(&lane->crew->async); // home closes it when it has seen this of all
    base_mutex_unlock(&lane->mutex);
}

// ---------------------------------------------------------------------------------------------------------
// Home

static bool all_ended(struct net_crew *crew)
{
    bool ended = true;
    for (uint32_t i = 0; i < crew->count; i++) {
        struct net_lane *lane = &crew->lanes[i];
        base_mutex_lock(&lane->mutex);
        ended = ended && (lane->ended || !lane->running);
        base_mutex_unlock(&lane->mutex);
    }
    return ended;
}

// No lane runs any more: what is on its way is told, or let go.
static void crew_end(struct net_crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++) {
        struct net_lane *lane = &crew->lanes[i];
        if (lane->running) {
            base_thread_join(&lane->thread);
            lane->running = false;
        }
    }
    for (line_take_up(crew); crew->light || crew->heavy; line_take_up(crew)) {
        line_serve(crew, &crew->light, &crew->light_last, UINT64_MAX);
        line_serve(crew, &crew->heavy, &crew->heavy_last, UINT64_MAX);
    }
    crew_flush(crew->home);
    for (uint32_t i = 0; i < crew->count; i++) {
        struct net_lane *lane = &crew->lanes[i];
        wishes_fulfil(lane);
        take_made(lane);
        take_down(lane);
        take_sockets(lane, true);
    }
    crew->over = true;
    uv_close((uv_handle_t *)&crew->async, NULL);
    uv_close((uv_handle_t *)&crew->before, NULL);
}

static void crew_on_async(uv_async_t *async)
{
    struct net_crew *crew = async->data;
    for (uint32_t i = 0; i < crew->count; i++) {
        wishes_fulfil(&crew->lanes[i]);
    }
    line_take_up(crew);
    line_serve(crew, &crew->light, &crew->light_last, CREW_LIGHT_NS);
    line_serve(crew, &crew->heavy, &crew->heavy_last, CREW_HEAVY_NS);
    if (crew->light || crew->heavy) {
        uv_async_send(&crew->async);
    }
    if (crew->stopping && !crew->over && all_ended(crew)) {
        crew_end(crew);
    }
}

static void crew_before(uv_prepare_t *before)
{
    crew_flush(((struct net_crew *)before->data)->home);
}

static void crew_stop(struct net_loop *home)
{
    struct net_crew *crew = home->crew;
    crew->stopping = true;
    for (uint32_t i = 0; i < crew->count; i++) {
        struct net_lane *lane = &crew->lanes[i];
        if (!lane->running) {
            lane_close(lane);
            continue;
        }
        base_mutex_lock(&lane->mutex);
        lane->stop = true;
        uv_async_send(&lane->async);
        base_mutex_unlock(&lane->mutex);
    }
    uv_async_send(&crew->async); // to end, where no lane runs
}

static void crew_destroy(struct net_loop *home)
{
    struct net_crew *crew = home->crew;
    for (uint32_t i = 0; i < crew->count; i++) {
        struct net_lane *lane = &crew->lanes[i];
        net_loop_destroy(lane->loop);
        base_ring_destroy(lane->sockets);
        base_mutex_deinit(&lane->mutex);
    }
    free(crew);
    home->crew = NULL;
}

static const struct net_crew_ways ways = {.stop = crew_stop, .destroy = crew_destroy, .flush = crew_flush};

static bool lane_init(struct net_crew *crew, struct net_lane *lane)
{
    lane->crew = crew;
    lane->sockets = base_ring_create(sizeof(struct net_socket), CREW_SOCKETS);
    lane->loop = lane->sockets ? net_loop_create() : NULL;
    if (!lane->loop || uv_async_init(&lane->loop->uv, &lane->async, lane_on_async)) {
        net_loop_destroy(lane->loop);
        base_ring_destroy(lane->sockets);
        return false;
    }
    uv_prepare_init(&lane->loop->uv, &lane->before);
    uv_prepare_start(&lane->before, lane_before);
    lane->async.data = lane->before.data = lane;
    lane->loop->lane = lane;
    base_mutex_init(&lane->mutex);
    return true;
}

struct net_crew *net_crew_create(struct net_loop *home, uint32_t lanes)
{
    BASE_ASSERT(!home->crew && lanes < NET_LOOPS_MAX);
    struct net_crew *crew = calloc(1, sizeof *crew);
    if (!crew || uv_async_init(&home->uv, &crew->async, crew_on_async)) {
        free(crew);
        return NULL;
    }
    uv_prepare_init(&home->uv, &crew->before);
    uv_prepare_start(&crew->before, crew_before);
    crew->async.data = crew->before.data = crew;
    crew->home = home;
    home->crew = crew;
    home->crew_ways = &ways;
    while (crew->count < lanes) {
        if (!lane_init(crew, &crew->lanes[crew->count])) {
            return NULL; // what there is goes with the loop
        }
        crew->lanes[crew->count++].loop->loops = lanes + 1;
    }
    home->loops = lanes + 1;
    return crew;
}

void net_loop_run(struct net_loop *loop)
{
    for (uint32_t i = 0; loop->crew && i < loop->crew->count; i++) {
        struct net_lane *lane = &loop->crew->lanes[i];
        lane->running = !loop->stopping && base_thread_start(&lane->thread, "net", lane_run, lane);
        if (!lane->running && !loop->stopping) {
            base_log(BASE_LOG_WARN, "no thread for a loop: its connections go to the others");
        }
    }
    uv_run(&loop->uv, UV_RUN_DEFAULT);
}
