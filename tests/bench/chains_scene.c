#include "chains_scene.h"

#include <math.h>
#include <string.h>

#define TAU 6.283185307179586

const char *const chain_names[CHAIN_KINDS] = {"hung",  "heavy",  "kick", "blow", "swing", "tower",
                                              "loose", "snatch", "jerk", "whip", "lasso", "long"};

// ------------------------------------------------------------------------------------------------- random numbers

// xorshift64*: the same numbers everywhere. [-1, 1)
static double random_between(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * 0x2545f4914f6cdd1dull >> 11) * (2.0 / 9007199254740992.0) - 1;
}

// ------------------------------------------------------------------------------------------------- shapes

// Appends a particle in a direction, which need not be of length 1.
static void go(struct chain *chain, const double way[3], double length, double mass)
{
    const double scale = length / sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    const double *from = chain->positions + 3 * (size_t)(chain->count - 1);
    for (int axis = 0; axis < 3; axis++) {
        chain->positions[3 * (size_t)chain->count + axis] = from[axis] + scale * way[axis];
    }
    chain->rest[chain->count - 1] = length;
    chain->masses[chain->count++] = mass;
}

static void straight(struct chain *chain, const double way[3], uint32_t links, double length, double load)
{
    for (uint32_t i = 0; i < links; i++) {
        go(chain, way, length, i + 1 == links && load > 0 ? load : 0.001);
    }
}

// Two links at a time go out and come back in a random direction, so that the load is `drop` above its lowest place.
static void folded(struct chain *chain, uint64_t *random, uint32_t links, double length, double load,
                   double drop)
{
    const double down = 1 - drop / (links * length), out = sqrt(1 - down * down);
    double angle = 0;
    for (uint32_t i = 0; i < links; i++) {
        angle = i % 2 == 0 ? 0.5 * TAU * random_between(random) : angle + 0.5 * TAU;
        const double way[3] = {out * cos(angle), -down, out * sin(angle)};
        go(chain, way, length, i + 1 == links ? load : 0.001);
    }
}

static void kick(struct chain *chain, uint64_t *random, double speed, bool with_last)
{
    for (uint32_t i = 3; i < 3 * (chain->count - (with_last ? 0 : 1)); i++) {
        chain->velocities[i] =
            sqrt(3) * speed * random_between(random); // evenly spread: the root is 1/sqrt(3)
    }
}

static void about_level(struct chain *chain, uint64_t *random, uint32_t links, double length, double load)
{
    const double angle = 0.5 * TAU * random_between(random);
    const double way[3] = {cos(angle), 0.17 * random_between(random), sin(angle)};
    straight(chain, way, links, length, load);
    kick(chain, random, 0.05, load == 0);
}

static void hanging(struct chain *chain, uint64_t *random, double load, double speed)
{
    straight(chain, (const double[3]){0, -1, 0}, 20, 0.05, load);
    kick(chain, random, speed, false);
}

// It lies behind the hand in a random wave.
static void whip(struct chain *chain, uint64_t *random)
{
    double rise = 0, aside = 0;
    for (uint32_t i = 0; i < 40; i++) {
        rise = 0.8 * rise + 0.1 * random_between(random);
        aside = 0.8 * aside + 0.1 * random_between(random);
        go(chain, (const double[3]){-1, rise, aside}, 0.025, 0.005 * pow(0.1, i / 39.0));
    }
    chain->driven = 15;
    chain->pace = 1 + 0.2 * random_between(random);
}

static void lasso(struct chain *chain, uint64_t *random)
{
    enum { ROPE = 20, LOOP = 24 };
    const double turn = 0.5 * TAU * random_between(random);
    straight(chain, (const double[3]){1, -1, 0.2 * random_between(random)}, ROPE, 0.05, 0.02);
    chain->knot = ROPE;
    for (uint32_t i = 0; i + 1 < LOOP; i++) { // a regular polygon
        const double angle = turn + TAU * i / LOOP;
        go(chain, (const double[3]){cos(angle), 0, sin(angle)}, 0.05, 0.005);
    }
    for (uint32_t i = 1; i < ROPE; i++) {
        chain->masses[i] = 0.005;
    }
    chain->rest[chain->count - 1] = 0.05;
    chain->driven = 180;
    chain->pace = 1 + 0.2 * random_between(random);
}

// ------------------------------------------------------------------------------------------------- scenes

void chain_init(struct chain *chain, enum chain_kind kind, uint64_t seed)
{
    uint64_t random = seed * 0x9e3779b97f4a7c15ull + 1 + (uint64_t)kind;
    memset(chain, 0, sizeof *chain);
    chain->count = 1;
    chain->masses[0] = 0.001;
    for (int i = 0; i < 8; i++) {
        random_between(&random);
    }
    switch (kind) {
    case CHAIN_HUNG:
    case CHAIN_HEAVY:
        hanging(chain, &random, kind == CHAIN_HUNG ? 10 : 100, 0.1);
        break;
    case CHAIN_KICK:
    case CHAIN_BLOW:
        hanging(chain, &random, 10, kind == CHAIN_KICK ? 1 : 5);
        break;
    case CHAIN_SWING:
    case CHAIN_TOWER:
        about_level(chain, &random, 20, 0.05, kind == CHAIN_SWING ? 10 : 100);
        break;
    case CHAIN_LOOSE:
        about_level(chain, &random, 20, 0.05, 0);
        break;
    case CHAIN_SNATCH:
    case CHAIN_JERK:
        folded(chain, &random, 20, 0.05, kind == CHAIN_SNATCH ? 10 : 100, 0.5);
        break;
    case CHAIN_WHIP:
        whip(chain, &random);
        break;
    case CHAIN_LASSO:
        lasso(chain, &random);
        break;
    default:
        about_level(chain, &random, 200, 0.01, 10);
        break;
    }
    chain->link_count = chain->count - (chain->knot > 0 ? 0 : 1);
    chain->told = chain->knot > 0 ? chain->knot : chain->count - 1;
    for (uint32_t j = 0; j < chain->told; j++) {
        chain->length += chain->rest[j];
    }
}

void chain_link(const struct chain *chain, uint32_t link, uint32_t ends[2])
{
    ends[0] = link;
    ends[1] = link + 1 < chain->count ? link + 1 : chain->knot;
}

void chain_hand(const struct chain *chain, uint32_t tick, double place[3])
{
    const uint32_t until = tick + 1 < chain->driven ? tick + 1 : chain->driven;
    const double t = (double)until / CHAIN_TICK_RATE, whole = (double)chain->driven / CHAIN_TICK_RATE;
    memset(place, 0, 3 * sizeof *place);
    if (chain->knot > 0) {
        // Circles of 0.3 m, at 1.5 turns a second from half a second on, which end where they began if the pace is 1.
        const double turns = chain->pace * 1.5 * (t < 0.5 ? t * t : t - 0.25), wide = t < 0.5 ? 0.6 * t : 0.3;
        place[0] = wide * sin(TAU * turns);
        place[2] = wide * (1 - cos(TAU * turns));
    } else if (chain->driven > 0) {
        // Forward by 0.8 m: faster until the last third of the time, in which it stops.
        const double at = 2.0 / 3 * whole, speed = chain->pace * 0.8 / (0.5 * whole);
        const double late = t > at ? (t - at) / (whole - at) : 0;
        place[0] = t <= at ? 0.5 * speed * t * t / at
                           : 0.5 * speed * at + speed * (whole - at) * (late - 0.5 * late * late);
    }
}
