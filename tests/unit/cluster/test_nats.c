// Servers that share a broker, each a cluster of its own in this process, or in one that is killed. WEFT_BROKERS: three of them. WEFT_TIMES: how
// time until a dead server is followed is compared with the promised one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../store/helper_brokers.h"
#include "base/clock.h"
#include "cluster/cluster_internal.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct brokers brokers;

static void on_event(void *context)
{
    (void)context;
}

static bool prepare(void *context, uint32_t world, char text[CLUSTER_TEXT_SIZE])
{
    (void)context;
    (void)snprintf(text, CLUSTER_TEXT_SIZE, world == 13 ? "no luck" : "");
    return world != 13;
}

static struct cluster *begin_version(const char *name, const char *folder, struct cluster_version version)
{
    char tcp[64], web[64], text[CLUSTER_TEXT_SIZE];
    (void)snprintf(tcp, sizeof tcp, "%s.example:9338", name);
    (void)snprintf(web, sizeof web, "%s.example:9339", name);
    const struct cluster_options options = {.brokers = brokers.url,
                                            .folder = folder,
                                            .name = name,
                                            .tcp = tcp,
                                            .web = web,
                                            .version = version,
                                            .on_event = on_event,
                                            .prepare = prepare};
    struct cluster *cluster = NULL;
    for (int i = 0; !cluster && i < 300; i++) { // brokers begin
        cluster = cluster_open(&options, text);
        if (!cluster) {
            (void)usleep(100000);
        }
    }
    if (!cluster) {
        fail_msg("no cluster: %s", text);
    }
    return cluster;
}

static struct cluster *begin(const char *name, const char *folder)
{
    return begin_version(name, folder, (struct cluster_version){.solver = 3, .api = 6});
}

static bool place_comes(struct cluster *cluster, uint32_t world, enum cluster_place place,
                        struct cluster_server *server)
{
    const uint64_t end_ns = base_now_ns() + UINT64_C(60000000000);
    while (cluster_where(cluster, world, server) != place) {
        if (base_now_ns() > end_ns) {
            return false;
        }
        (void)usleep(2000);
    }
    return true;
}

static struct cluster_event event_of(struct cluster *cluster)
{
    struct cluster_event event = {.kind = (enum cluster_event_kind)99};
    const uint64_t end_ns = base_now_ns() + UINT64_C(60000000000);
    while (!cluster_next(cluster, &event) && base_now_ns() < end_ns) {
        (void)usleep(1000);
    }
    return event;
}

// It is this server's, and others can know of it.
static void claim(struct cluster *cluster, uint32_t world, const char *label)
{
    cluster_claim(cluster, world, label);
    const struct cluster_event event = event_of(cluster);
    assert_int_equal(event.kind, CLUSTER_CLAIMED);
    assert_int_equal(event.world, world);
    assert_true(event.done);
}

static void claim_in_vain(struct cluster *cluster, uint32_t world, const char *label)
{
    cluster_claim(cluster, world, label);
    const struct cluster_event event = event_of(cluster);
    assert_int_equal(event.kind, CLUSTER_CLAIMED);
    assert_false(event.done);
    assert_true(event.taken);
    assert_int_equal(cluster_where(cluster, world, NULL), CLUSTER_NOWHERE);
}

// ---------------------------------------------------------------------------------------------------------

static void test_each_knows_what_the_other_has(void **state)
{
    (void)state;
    brokers_anew(&brokers);
    struct cluster_server told;
    struct cluster_event event;
    uint32_t count;
    struct cluster *a = begin("a", "fa"), *b = begin("b", "fb");
    assert_int_equal(cluster_where(b, 7, NULL), CLUSTER_NOWHERE);
    claim(a, 7, "flag");
    assert_int_equal(cluster_where(a, 7, NULL), CLUSTER_HERE);
    assert_true(place_comes(b, 7, CLUSTER_ELSEWHERE, &told));
    assert_string_equal(told.name, "a");
    assert_string_equal(told.tcp, "a.example:9338");
    assert_string_equal(told.web, "a.example:9339");
    assert_int_equal(cluster_find(b, "flag"), 7);
    claim(a, 7, "other");
    while (cluster_find(b, "other") == 0) {
        (void)usleep(1000);
    }
    assert_int_equal(cluster_find(b, "flag"), 0);
    struct cluster_server *servers = cluster_servers(b, &count);
    assert_int_equal(count, 2);
    free(servers);
    struct cluster_world *worlds = cluster_worlds(b, &count);
    assert_int_equal(count, 1);
    assert_string_equal(worlds[0].label, "other");
    free(worlds);
    cluster_release(a, 7);
    assert_true(place_comes(b, 7, CLUSTER_NOWHERE, NULL));
    assert_false(cluster_next(a, &event));
    assert_false(cluster_next(b, &event));
    cluster_close(a);
    cluster_close(b);
}

static void test_a_world_is_given(void **state)
{
    (void)state;
    brokers_anew(&brokers);
    struct cluster *a = begin("a", "fa"), *b = begin("b", "fb");
    struct cluster_server to, self;
    assert_true(cluster_self(a, &self));
    while (!cluster_server_named(a, "b", &to)) {
        (void)usleep(1000);
    }
    assert_false(cluster_server_named(a, "c", &to));
    assert_true(cluster_server_named(a, "b", &to));
    claim(a, 13, "w");
    claim(a, 9, "v");
    assert_true(place_comes(b, 9, CLUSTER_ELSEWHERE, NULL));
    assert_true(place_comes(b, 13, CLUSTER_ELSEWHERE, NULL));
    cluster_prepare(a, 13, to.run);
    struct cluster_event event = event_of(a);
    assert_int_equal(event.kind, CLUSTER_PREPARED);
    assert_false(event.done);
    assert_string_equal(event.text, "no luck");
    cluster_prepare(a, 9, to.run);
    event = event_of(a);
    assert_int_equal(event.kind, CLUSTER_PREPARED);
    assert_true(event.done);
    cluster_give(a, 9, to.run);
    event = event_of(a);
    assert_int_equal(event.kind, CLUSTER_GIVEN);
    assert_true(event.done);
    event = event_of(b);
    assert_int_equal(event.kind, CLUSTER_OURS);
    assert_int_equal(event.world, 9);
    assert_true(event.moved);
    assert_int_equal(cluster_where(a, 9, NULL), CLUSTER_ELSEWHERE);
    assert_int_equal(cluster_where(b, 9, NULL), CLUSTER_HERE);
    assert_int_equal(cluster_where(b, 13, NULL), CLUSTER_ELSEWHERE);
    // To one that is not there.
    cluster_prepare(a, 13, "0123456789abcdef");
    event = event_of(a);
    assert_int_equal(event.kind, CLUSTER_PREPARED);
    assert_false(event.done);
    cluster_close(a);
    // It said that it is over, so nobody waits for a lapse.
    event = event_of(b);
    assert_int_equal(event.kind, CLUSTER_OURS);
    assert_int_equal(event.world, 13);
    assert_false(event.moved);
    assert_string_equal(event.text, "a");
    base_mutex_lock(&b->mutex);
    const struct cluster_nats_server *gone = cluster_nats_server_find(b, self.run);
    const bool over = gone && gone->over;
    base_mutex_unlock(&b->mutex);
    assert_true(over);
    cluster_close(b);
}

enum { RACERS = 3, WORLDS = 8 };

struct racer {
    struct base_thread thread;
    struct cluster *cluster;
    uint32_t had;
};

static void race(void *context)
{
    struct racer *racer = context;
    char text[CLUSTER_TEXT_SIZE];
    for (uint32_t world = 1; world <= WORLDS; world++) {
        racer->had |= cluster_take(racer->cluster, world, "w", text) == CLUSTER_HERE ? 1u << world : 0;
    }
}

static void test_one_of_those_that_race_has_it(void **state)
{
    (void)state;
    brokers_anew(&brokers);
    struct racer racers[RACERS];
    char text[CLUSTER_TEXT_SIZE];
    for (int i = 0; i < RACERS; i++) {
        const char name[] = {(char)('a' + i), 0};
        racers[i] = (struct racer){.cluster = begin(name, name)};
    }
    for (int i = 0; i < RACERS; i++) {
        assert_true(base_thread_start(&racers[i].thread, "racer", race, &racers[i]));
    }
    uint32_t all = 0;
    for (int i = 0; i < RACERS; i++) {
        base_thread_join(&racers[i].thread);
        assert_int_equal(all & racers[i].had, 0);
        all |= racers[i].had;
    }
    assert_int_equal(all, (1u << (WORLDS + 1)) - 2);
    // A server that is started again in the same folder has at once the worlds that it had.
    cluster_close(racers[0].cluster);
    racers[0].cluster = begin("a", "a");
    for (uint32_t world = 1; world <= WORLDS; world++) {
        const bool had = racers[0].had & 1u << world;
        const enum cluster_place place = cluster_take(racers[0].cluster, world, "w", text);
        if (!had) {
            assert_int_equal(place, CLUSTER_ELSEWHERE);
        }
    }
    for (int i = 0; i < RACERS; i++) {
        cluster_close(racers[i].cluster);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Labels

static void test_a_label_is_one_worlds(void **state)
{
    (void)state;
    // Nothing of them may be in a key as it is; the last is as long as one may be.
    static const char *const labels[] = {
        "flag",   "$KV.>",
        "a b.c*", "\xc3\xa9t\xc3\xa9\x7f\n",
        ".",      "0123456789012345678901234567890123456789012345678901234567890123"};
    brokers_anew(&brokers);
    struct cluster *a = begin("a", "fa"), *b = begin("b", "fb");
    const uint32_t count = sizeof labels / sizeof *labels;
    for (uint32_t i = 0; i < count; i++) { // at once
        cluster_claim(a, 100 + i, labels[i]);
        cluster_claim(b, 200 + i, labels[i]);
    }
    uint32_t done[2] = {0}, taken[2] = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct cluster_event at_a = event_of(a), at_b = event_of(b);
        assert_int_equal(at_a.kind, CLUSTER_CLAIMED);
        assert_int_equal(at_b.kind, CLUSTER_CLAIMED);
        done[0] |= (uint32_t)at_a.done << (at_a.world - 100);
        done[1] |= (uint32_t)at_b.done << (at_b.world - 200);
        taken[0] |= (uint32_t)at_a.taken << (at_a.world - 100);
        taken[1] |= (uint32_t)at_b.taken << (at_b.world - 200);
    }
    assert_int_equal(done[0] ^ done[1], (1u << count) - 1);
    assert_int_equal(done[0], taken[1]);
    assert_int_equal(done[1], taken[0]);
    // A world that is given away is free, also for a server that was just refused.
    claim(a, 7, "seven");
    claim_in_vain(b, 8, "seven");
    claim(a, 7, "eight");
    while (cluster_name(b, 8, "seven") != CLUSTER_NAMED) {
        (void)usleep(1000);
    }
    assert_int_equal(cluster_name(a, 9, "seven"), CLUSTER_TAKEN); // that run lives
    cluster_unname(b, 8, "seven");
    while (cluster_name(a, 9, "seven") != CLUSTER_NAMED) {
        (void)usleep(1000);
    }
    // Whoever is gone between a label and its world leaves one that is nobody's.
    assert_int_equal(cluster_name(b, 8, "left"), CLUSTER_NAMED);
    assert_int_equal(cluster_name(a, 10, "left"), CLUSTER_TAKEN);
    cluster_close(b);
    struct cluster *c = begin("c", "fc");
    claim(c, 11, "left");
    // It goes with its world.
    cluster_release(c, 11);
    while (cluster_name(a, 10, "left") != CLUSTER_NAMED) {
        (void)usleep(1000);
    }
    cluster_close(a);
    cluster_close(c);
}

// ---------------------------------------------------------------------------------------------------------
// Worlds that cannot be run

static void ours(struct cluster *cluster, uint32_t world)
{
    const struct cluster_event event = event_of(cluster);
    assert_int_equal(event.kind, CLUSTER_OURS);
    assert_int_equal(event.world, world);
}

static void test_who_cannot_run_a_world_gives_it_back(void **state)
{
    (void)state;
    brokers_anew(&brokers);
    struct cluster *a = begin("a", "fa"), *b = begin("b", "fb");
    struct cluster_server self;
    struct cluster_event event;
    char text[CLUSTER_TEXT_SIZE];
    uint32_t count;
    assert_true(cluster_self(a, &self));
    claim(a, 7, "w");
    assert_true(place_comes(b, 7, CLUSTER_ELSEWHERE, NULL));
    cluster_fail(a, 7, true, "two\nlines \xff");
    ours(b, 7); // it has not tried
    assert_true(cluster_why(b, 7, text));
    assert_string_equal(text, "two lines ?");
    assert_true(place_comes(a, 7, CLUSTER_ELSEWHERE, NULL));
    cluster_fail(b, 7, true, "neither here");
    assert_true(place_comes(a, 7, CLUSTER_FAILED, NULL));
    assert_true(place_comes(b, 7, CLUSTER_FAILED, NULL));
    assert_true(cluster_why(a, 7, text));
    assert_string_equal(text, "neither here");
    struct cluster_world *worlds = cluster_worlds(a, &count);
    assert_int_equal(count, 1);
    assert_string_equal(worlds[0].run, "");
    assert_string_equal(worlds[0].label, "w");
    free(worlds);
    assert_int_equal(cluster_name(a, 8, "w"), CLUSTER_TAKEN); // it is a world nevertheless
    // Nobody tries again by itself, for it was damage: until somebody says so.
    (void)usleep(1500000);
    assert_false(cluster_next(a, &event));
    assert_false(cluster_next(b, &event));
    assert_true(cluster_send(b, 7, self.run, text));
    ours(a, 7);
    assert_false(cluster_send(b, 7, self.run, text));
    cluster_fail(a, 7, true, "still not");
    assert_true(place_comes(b, 7, CLUSTER_FAILED, NULL));
    // A server that is new tries, and it runs there.
    struct cluster *c = begin("c", "fc");
    ours(c, 7);
    claim(c, 7, "w");
    assert_true(place_comes(a, 7, CLUSTER_ELSEWHERE, &self));
    assert_string_equal(self.name, "c");
    while (cluster_why(b, 7, text)) {
        (void)usleep(1000);
    }
    cluster_close(c); // and in order, to one of those that could not, once
    const uint64_t end_ns = base_now_ns() + UINT64_C(60000000000);
    bool had = false;
    while (!had && base_now_ns() < end_ns) {
        had = cluster_next(a, &event) || cluster_next(b, &event);
        (void)usleep(1000);
    }
    assert_int_equal(event.kind, CLUSTER_OURS);
    cluster_close(a);
    cluster_close(b);
}

// A peer that may write to the brokers may write anything.
static void test_keys_that_nobody_here_wrote(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "{",
                                        "[]",
                                        "{\"server\":3}",
                                        "{\"server\":\"\",\"tried\":[]}",
                                        "{\"server\":\"\",\"tried\":{\"a\":1}}",
                                        "{\"server\":\"\",\"tried\":[1,null,\"0123\",\"0123456789abcdeX\"]}",
                                        "{\"server\":\"0123456789abcdef0\",\"label\":\"x\"}"};
    struct cluster_nats_key key;
    struct cluster_nats_holder holder = {0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_false(cluster_nats_world_text_read(texts[i], strlen(texts[i]), &key));
        assert_string_equal(key.run, "");
        assert_int_equal(key.trouble.count, 0);
        assert_false(cluster_nats_holder_read(texts[i], strlen(texts[i]), &holder));
        assert_int_equal(holder.world, 0);
    }
    char many[1024] = "{\"server\":\"\",\"label\":\"l\",\"why\":\"y\",\"tried\":[\"0123456789abcdef\"";
    for (int i = 0; i < 20; i++) {
        (void)snprintf(many + strlen(many), sizeof many - strlen(many), ",\"0123456789abcdef\"");
    }
    (void)snprintf(many + strlen(many), sizeof many - strlen(many), "]}");
    assert_true(cluster_nats_world_text_read(many, strlen(many), &key));
    assert_int_equal(key.trouble.count, CLUSTER_TRIES);
    assert_string_equal(key.label, "l");
    for (size_t size = 0; size < strlen(many); size++) { // cut off anywhere
        assert_false(cluster_nats_world_text_read(many, size, &key));
    }
    char *text =
        cluster_nats_world_write(&(struct cluster_nats_key){.run = "0123456789abcdef", .label = "\xff"});
    assert_true(cluster_nats_world_text_read(text, strlen(text), &key));
    assert_string_equal(key.label, "");
    free(text);
}

static void test_the_first_version_did_not_say_it(void **state)
{
    (void)state;
    static const char world[] = "{\"server\":\"0123456789abcdef\",\"label\":\"w\"}";
    static const char heartbeat[] =
        "{\"beat\":1,\"name\":\"a\",\"folder\":\"f\",\"tcp\":\"h:1\",\"web\":\"\"}";
    struct cluster_nats_key key;
    struct cluster_nats_beat beat;
    assert_true(cluster_nats_world_text_read(world, strlen(world), &key));
    assert_int_equal(key.version.solver, 1);
    assert_int_equal(key.version.api, 0);
    assert_true(cluster_nats_beat_read(heartbeat, strlen(heartbeat), &beat));
    assert_int_equal(beat.told.version.solver, 1);
    assert_int_equal(beat.told.version.api, 0);
    key.version = (struct cluster_version){.solver = 2, .api = 7};
    char *text = cluster_nats_world_write(&key);
    assert_true(cluster_nats_world_text_read(text, strlen(text), &key));
    assert_int_equal(key.version.solver, 2);
    assert_int_equal(key.version.api, 7);
    free(text);
}

// Waits until the cluster knows a server by that name.
static struct cluster_server known(struct cluster *cluster, const char *name)
{
    struct cluster_server server = {0};
    const uint64_t end_ns = base_now_ns() + UINT64_C(60000000000);
    while (!cluster_server_named(cluster, name, &server) && base_now_ns() < end_ns) {
        (void)usleep(1000);
    }
    assert_string_equal(server.name, name);
    return server;
}

static void test_a_world_stays_with_servers_that_suit_it(void **state)
{
    (void)state;
    brokers_anew(&brokers);
    // One has another solver, one knows less, and one knows more.
    struct cluster *a = begin("a", "fa"),
                   *other = begin_version("other", "fo", (struct cluster_version){.solver = 4, .api = 9}),
                   *less = begin_version("less", "fl", (struct cluster_version){.solver = 3, .api = 5}),
                   *more = begin_version("more", "fm", (struct cluster_version){.solver = 3, .api = 7}),
                   *again;
    struct cluster_server heir;
    for (uint32_t world = 1; world <= WORLDS; world++) {
        char label[CLUSTER_NAME_SIZE];
        (void)snprintf(label, sizeof label, "w%u", world);
        claim(a, world, label);
        assert_true(place_comes(other, world, CLUSTER_ELSEWHERE, NULL));
        assert_true(place_comes(less, world, CLUSTER_ELSEWHERE, NULL));
        assert_true(place_comes(more, world, CLUSTER_ELSEWHERE, NULL));
    }
    const struct cluster_server to_other = known(a, "other"), to_less = known(a, "less"),
                                to_more = known(a, "more");
    assert_int_equal(to_other.version.solver, 4);
    assert_int_equal(to_other.version.api, 9);
    assert_false(cluster_may_go(a, 1, &to_other));
    assert_false(cluster_may_go(a, 1, &to_less));
    assert_true(cluster_may_go(a, 1, &to_more));
    assert_true(cluster_heir(a, 1, &heir));
    assert_string_equal(heir.name, "more");
    // The same folder comes back with another version before its worlds have gone: it takes none of them.
    char text[CLUSTER_TEXT_SIZE];
    again = begin_version("again", "fa", (struct cluster_version){.solver = 4, .api = 9});
    assert_int_equal(cluster_take(again, 1, "w1", text), CLUSTER_ELSEWHERE);
    cluster_close(again);
    // All of them go to the one that suits them.
    cluster_close(a);
    for (uint32_t i = 0; i < WORLDS; i++) {
        const struct cluster_event event = event_of(more);
        assert_int_equal(event.kind, CLUSTER_OURS);
    }
    for (uint32_t world = 1; world <= WORLDS; world++) {
        char label[CLUSTER_NAME_SIZE];
        assert_int_equal(cluster_where(more, world, NULL), CLUSTER_HERE);
        assert_true(cluster_label(more, world, label));
        claim(more, world, label); // it runs there
    }
    // From then on a world is of that server's version.
    assert_false(cluster_may_go(more, 1, &to_less));
    cluster_tell(more, &(struct cluster_load){0}, true);
    assert_true(cluster_may_go(more, 1, &to_less)); // nobody suits it any more
    assert_true(cluster_heir(more, 1, &heir));
    // Nobody is left that suits them: the others share them.
    cluster_close(more);
    uint32_t at_other = 0, at_less = 0;
    struct cluster_event event;
    const uint64_t end_ns = base_now_ns() + UINT64_C(60000000000);
    while (at_other + at_less < WORLDS && base_now_ns() < end_ns) {
        at_other += cluster_next(other, &event);
        at_less += cluster_next(less, &event);
        (void)usleep(1000);
    }
    assert_int_equal(at_other + at_less, WORLDS);
    cluster_close(other);
    cluster_close(less);
}

// ---------------------------------------------------------------------------------------------------------

// Runs this program in another process, which never ends properly.
static pid_t begin_apart(void)
{
    const pid_t process = fork();
    if (process == 0) {
        (void)execl("/proc/self/exe", "apart", brokers.url, (char *)NULL);
        _exit(127);
    }
    return process;
}

static void run_apart(const char *url)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); // a test that fails leaves none behind
    (void)snprintf(brokers.url, sizeof brokers.url, "%s", url);
    struct cluster *cluster = begin("a", "a");
    for (uint32_t world = 1; world <= WORLDS; world++) {
        char label[CLUSTER_NAME_SIZE];
        (void)snprintf(label, sizeof label, "w%u", world);
        cluster_claim(cluster, world, label);
    }
    for (;;) {
        (void)pause();
    }
}

static void test_who_dies_is_followed(void **state)
{
    (void)state;
    brokers_anew(&brokers);
    const pid_t apart = begin_apart();
    struct cluster *b = begin("b", "fb"), *c = begin("c", "fc");
    for (uint32_t world = 1; world <= WORLDS; world++) {
        assert_true(place_comes(b, world, CLUSTER_ELSEWHERE, NULL));
        assert_true(place_comes(c, world, CLUSTER_ELSEWHERE, NULL));
    }
    // A value that is not a heartbeat, and cannot be read as one.
    struct cluster_server told;
    struct cluster_nats_world *world;
    cluster_nats_beat_hear(b, "0123456789abcdef", "{\"beat\":1e300,\"name\":3", 20);
    assert_false(cluster_server_named(b, "0123456789abcdef", &told));
    (void)kill(apart, SIGKILL);
    (void)waitpid(apart, NULL, 0);
    const uint64_t died_ns = base_now_ns();
    uint32_t at_b = 0, at_c = 0;
    while (at_b + at_c < WORLDS && base_now_ns() - died_ns < UINT64_C(60000000000)) {
        struct cluster_event event;
        at_b += cluster_next(b, &event);
        at_c += cluster_next(c, &event);
        (void)usleep(1000);
    }
    const double s = (double)(base_now_ns() - died_ns) * 1e-9;
    print_message("of %d worlds %u went to one and %u to the other, after %.2f s\n", WORLDS, at_b, at_c, s);
    assert_int_equal(at_b + at_c, WORLDS);
    assert_true(!getenv("WEFT_TIMES") || s < 5); // on a machine that does nothing else
    for (uint32_t i = 1; i <= WORLDS; i++) {
        const bool is_b = cluster_where(b, i, NULL) == CLUSTER_HERE;
        assert_true(place_comes(is_b ? c : b, i, CLUSTER_ELSEWHERE, NULL));
    }
    // While asleep, it shows nothing until it has read which server has which world.
    base_mutex_lock(&b->mutex);
    atomic_store(&b->awake_ns, base_now_ns() - UINT64_C(4000000000));
    world = cluster_nats_world_find(b, 1);
    assert_non_null(world);
    base_mutex_unlock(&b->mutex);
    assert_false(cluster_fresh(b));
    while (!cluster_fresh(b)) {
        (void)usleep(1000);
    }
    struct cluster_counts counts;
    cluster_counts(b, &counts);
    assert_int_equal(counts.asleep, 1);
    assert_int_equal(counts.taken, at_b);
    assert_int_equal(counts.lost, 0);
    cluster_close(b);
    cluster_close(c);
}

int main(int argc, char **argv)
{
    if (argc == 2) {
        run_apart(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_knows_what_the_other_has),
        cmocka_unit_test(test_a_world_is_given),
        cmocka_unit_test(test_one_of_those_that_race_has_it),
        cmocka_unit_test(test_a_label_is_one_worlds),
        cmocka_unit_test(test_who_cannot_run_a_world_gives_it_back),
        cmocka_unit_test(test_keys_that_nobody_here_wrote),
        cmocka_unit_test(test_the_first_version_did_not_say_it),
        cmocka_unit_test(test_a_world_stays_with_servers_that_suit_it),
        cmocka_unit_test(test_who_dies_is_followed),
    };
    if (!brokers_there()) {
        (void)printf("no nats-server: skipped\n");
        return 77;
    }
    brokers_start(&brokers, getenv("WEFT_BROKERS") ? BROKERS_MAX : 1, true);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    brokers_stop(&brokers);
    return failed;
}
