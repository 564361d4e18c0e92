// libweft-twin: computes a world of a weftd server inside your program. Uses libweft (weft.h).
//
// A twin starts from an image of the world and applies the records after it, which stream.records brings. At each tick
// its state equals the server's, bit for bit; hashes from the server confirm that. Reading it (any field, any measure,
// at any tick) costs the server nothing. docs/concepts/twins.md explains it.
//
//     struct weft_error error;
//     struct weft_client *client = weft_connect(NULL, 5000, &error);
//     struct weft_twin *twin = weft_twin_follow(client, "flag", NULL, &error);
//     weft_on_notification(client, weft_twin_on_notification, twin);
//     while (weft_poll(client, weft_twin_wait_ms(twin), &error) >= 0 && weft_twin_run(twin, 20, &error))
//        draw(twin); // weft_twin_body, weft_twin_positions
//     weft_twin_destroy(twin);
//     weft_close(client);
//
// A twin is fed by hand (weft_twin_take, weft_twin_step), or it follows a world of a client (weft_twin_follow, weft_twin_run).
//
// Threads: a twin belongs to one thread, which is that of its client if it follows one; different twins are
// independent. Trust: data from the server is checked before use, and memory stays within the options' bounds.
// Functions that can fail return false (or NULL) and fill *error, which may be NULL everywhere.
#ifndef WEFT_TWIN_H
#define WEFT_TWIN_H

#include <weft.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_twin;

struct weft_twin_options {
    size_t image_bytes;   // bound of an image; 0: 1 GiB
    size_t waiting_bytes; // bound of messages that wait to be applied; 0: 64 MiB
    // Only for twins that follow: called each time that the twin has to start again from an image, with the reason. It
    // may read the twin but not destroy it. May be NULL.
    void (*on_anew)(void *context, struct weft_twin *twin, const char *why);
    void *context;
};

// ---------------------------------------------------------------------------------------------------------
// By hand, for a program that gets a stream of records (stream.subscribe {encoding: "records"}) in its own way

WEFT_API struct weft_twin *weft_twin_create(const struct weft_twin_options *options, // NULL: all defaults
                                            struct weft_error *error);
// NULL is allowed. A twin that follows ends its stream, so destroy it before its client is closed, in event mode in
// on_closed at the latest. If the client is used further, its callbacks must not use the twin any more.
WEFT_API void weft_twin_destroy(struct weft_twin *twin);

// Takes the map of a stream.records. now_us is the time at which it came, in µs of a monotonic clock of the caller. False if
// the message is malformed or an earlier one is missing (PROTOCOL), too much waits (LIMIT) or memory runs out (MEMORY). The twin
// is then lost: it does nothing until an image comes, which a new subscription brings.
WEFT_API bool weft_twin_take(struct weft_twin *twin, const msgpack_object *params, uint64_t now_us,
                             struct weft_error *error);
// Applies the records at the present tick, and then runs one tick if all records for it are known (tick < told_tick) and
// tick < until. True if it ran a tick.
WEFT_API bool weft_twin_step(struct weft_twin *twin, uint64_t until);
// The tick to show at now_us so that the motion is even. It lags behind the server by as long as messages take, and is never
// above told_tick.
WEFT_API uint64_t weft_twin_wanted(const struct weft_twin *twin, uint64_t now_us);
WEFT_API uint64_t weft_twin_now_us(void); // µs of the monotonic clock that twins which follow use

// ---------------------------------------------------------------------------------------------------------
// Following a world: the twin subscribes by itself and keeps pace with the server's clock. It starts again from an
// image if its stream ends, the session is a new one, or its state differs from the server's, which it reports
// (stream.differs). It makes no call before weft_twin_run, so session.hello can come first. Until then, and between
// calls of weft_twin_run, the caller runs weft_poll or the loop. For a client that reconnects, use weft_resume with
// weft_twin_on_line.

// world: as in weft_params_ref; it is copied, and so is *options (NULL: all defaults). The client must outlive the twin. NULL with
// USAGE or MEMORY.
WEFT_API struct weft_twin *weft_twin_follow(struct weft_client *client, const char *world,
                                            const struct weft_twin_options *options,
                                            struct weft_error *error);
// Pass this to weft_on_notification with the twin as context, or call it in your own callback: it ignores messages of
// other streams.
WEFT_API void weft_twin_on_notification(void *twin, struct weft_client *client, const char *method,
                                        const msgpack_object *params);
// The same for on_line of weft_resume_options.
WEFT_API void weft_twin_on_line(void *twin, struct weft_client *client, enum weft_line line,
                                const msgpack_object *hello, const struct weft_error *error);
// Subscribes if necessary, and runs the ticks that are due, for about most_ms at most. False, from then on for ever, if
// the server or the client refuses a stream: the world was deleted, access was denied, or the client is lost.
WEFT_API bool weft_twin_run(struct weft_twin *twin, uint32_t most_ms, struct weft_error *error);
// The time in ms after which weft_twin_run has work to do even if no message comes; 0: now. It is meant for weft_poll.
WEFT_API int weft_twin_wait_ms(const struct weft_twin *twin);

// ---------------------------------------------------------------------------------------------------------
// State of a twin. Before the first image there are no bodies.

struct weft_twin_state {
    bool begun; // an image has come
    // Nothing runs until an image has come: text says why. differs: its state was not the server's; a program that
    // feeds a twin by hand reports that with stream.differs.
    bool lost, differs;
    bool playing;              // the world plays, by the last message
    bool failed;               // the world failed at the present tick
    uint64_t tick;             // present tick of the twin
    uint64_t told_tick;        // tick of the server by the last message; the twin never passes it
    uint64_t same_tick;        // the last tick at which the twin's hash equalled the server's
    uint64_t sequence;         // sequence number of the last record taken
    uint64_t hashes;           // hashes compared
    uint64_t differences;      // hashes and results of records that were not equal
    uint64_t losses;           // times that it was lost
    uint64_t images;           // images that it started from
    uint64_t joins;            // subscriptions so far, if it follows
    uint64_t records;          // records applied
    double rate;               // speed at which the world plays: 1 is real time
    double delay_s;            // delay of the tick to show behind the server, s
    uint32_t tick_rate;        // Hz; 0 before the first image
    char text[WEFT_TEXT_SIZE]; // the reason if it is lost; empty: it is not, or an image is arriving
};

WEFT_API void weft_twin_state(const struct weft_twin *twin, struct weft_twin_state *state);

// Hash of all state that decides the future, as world.hash returns it for the same tick. False before the first image.
// Reads the whole state.
WEFT_API bool weft_twin_hash(const struct weft_twin *twin, uint64_t *hash);

enum { WEFT_TWIN_NAME_SIZE = 65 };

struct weft_twin_body {
    uint32_t body;                  // its id
    char name[WEFT_TWIN_NAME_SIZE]; // terminated UTF-8; empty: the body has no name
    uint32_t particle_count;
    uint32_t triangle_count;
    const uint32_t *triangles; // three particles each; valid until the twin takes a message, steps or runs
};

WEFT_API uint32_t weft_twin_body_count(const struct weft_twin *twin);
WEFT_API uint32_t weft_twin_body_id(const struct weft_twin *twin,
                                    uint32_t index); // ascending; 0: no more
// False if there is no body with this id.
WEFT_API bool weft_twin_body(const struct weft_twin *twin, uint32_t body, struct weft_twin_body *out);

// These write positions (m) or velocities (m/s) of particles first ... first + count - 1 to out, x, y, z each. False if there is
// no such body or it has fewer particles.
WEFT_API bool weft_twin_positions(const struct weft_twin *twin, uint32_t body, uint32_t first, uint32_t count,
                                  float *out);
WEFT_API bool weft_twin_positions64(const struct weft_twin *twin, uint32_t body, uint32_t first,
                                    uint32_t count, double *out);
WEFT_API bool weft_twin_velocities(const struct weft_twin *twin, uint32_t body, uint32_t first,
                                   uint32_t count, float *out);
// The same for orientations: unit quaternions x, y, z, w, or four zeros for a particle that has none. False also if the body has
// none. 64: exact, whole multiples of 2^-30.
WEFT_API bool weft_twin_rotations(const struct weft_twin *twin, uint32_t body, uint32_t first, uint32_t count,
                                  float *out);
WEFT_API bool weft_twin_rotations64(const struct weft_twin *twin, uint32_t body, uint32_t first,
                                    uint32_t count, double *out);

// Measures of the whole world (docs/concepts/measures.md).
struct weft_twin_measures {
    double kinetic, potential, elastic;        // energies, J
    double strain_max, strain_rms;             // relative errors of distance constraints
    double volume_error_max, volume_error_rms; // relative errors of volume constraints
    uint32_t contacts;                         // contacts in the last substep
};

// False before the first image. Reads the whole state.
WEFT_API bool weft_twin_measures(const struct weft_twin *twin, struct weft_twin_measures *measures);

#ifdef __cplusplus
}
#endif

#endif
