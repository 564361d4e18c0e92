// libweft-twin: a world of a weftd server, run by the program that looks at it. Stands on libweft (weft.h).
//
// A twin is made of an image of the world and of the records after it, which stream.records brings; at each tick it stands where
// the server's world stood, bit for bit, and hashes that the server tells say so. Whatever it is asked (any field, measures, at any
// tick) costs the server nothing. docs/concepts/twins.md has the whole of it.
//
//     struct weft_error error;
//     struct weft_client *client = weft_connect(NULL, 5000, &error);
//     struct weft_twin *twin = weft_twin_follow(client, "flag", NULL, &error);
//     weft_on_notification(client, weft_twin_on_notification, twin);
//     while (weft_poll(client, weft_twin_wait_ms(twin), &error) >= 0 && weft_twin_run(twin, 20, &error))
//         draw(twin); // weft_twin_body, weft_twin_positions
//     weft_twin_destroy(twin);
//     weft_close(client);
//
// Threads: a twin belongs to one thread, that of its client where it follows one; different twins are independent. Trust: what
// comes from a server is checked before use, and takes no more memory than the options say. Functions that can fail return
// false (or NULL) and fill *error, which may be NULL everywhere.
#ifndef WEFT_TWIN_H
#define WEFT_TWIN_H

#include <weft.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_twin;

struct weft_twin_options {
    size_t image_bytes;   // the most of an image; 0: 1 GiB
    size_t waiting_bytes; // of records and marks that are taken and not come to; 0: 64 MiB
    // Of twins that follow: each time that one has to begin with another image, and why. It may look at the twin, and not destroy
    // it. May be NULL.
    void (*on_anew)(void *context, struct weft_twin *twin, const char *why);
    void *context;
};

// ---------------------------------------------------------------------------------------------------------
// By hand: who has a stream of records (stream.subscribe {encoding: "records"}) by a way of their own

WEFT_API struct weft_twin *weft_twin_create(const struct weft_twin_options *options, // NULL: as they are
                                            struct weft_error *error);
// NULL is allowed. A twin that follows ends its stream: it is destroyed before its client is closed, in event mode in on_closed at
// the latest. Where the client is used on, its callbacks must not name the twin any more.
WEFT_API void weft_twin_destroy(struct weft_twin *twin);

// The map of a stream.records; now_us: when it came, by a clock of the caller's that does not go back. False where the server
// broke its word (PROTOCOL), too much waits (LIMIT) or memory is short (MEMORY): then the twin is lost until an image comes.
WEFT_API bool weft_twin_take(struct weft_twin *twin, const msgpack_object *params, uint64_t now_us,
                             struct weft_error *error);
// Does what is to be done at the boundary where it stands, and one tick where that is certain and `until` is not reached. True if
// a tick was done.
WEFT_API bool weft_twin_step(struct weft_twin *twin, uint64_t until);
// The tick at which it should stand now, so that what is shown goes on evenly: behind the server by as much as messages need
// to come, never later than state's told_tick.
WEFT_API uint64_t weft_twin_wanted(const struct weft_twin *twin, uint64_t now_us);
WEFT_API uint64_t weft_twin_now_us(void); // the clock of twins that follow; does not go back

// ---------------------------------------------------------------------------------------------------------
// Following a world: the twin subscribes by itself, runs as the server's clock goes, and begins anew where its stream ends, the
// session is another one, or its state is not the server's, which it tells (stream.differs). Calls nothing before
// weft_twin_run, so session.hello may come first. Until then, and between calls of weft_twin_run, weft_poll (or the loop) is
// the caller's. For a client that goes on when its connection is lost: weft_resume, with weft_twin_on_line.

// world: as in weft_params_ref.
WEFT_API struct weft_twin *weft_twin_follow(struct weft_client *client, const char *world,
                                            const struct weft_twin_options *options,
                                            struct weft_error *error);
// To be given to weft_on_notification with the twin as context, or called by the caller's own function: what is not of this
// twin's stream is passed over.
WEFT_API void weft_twin_on_notification(void *twin, struct weft_client *client, const char *method,
                                        const msgpack_object *params);
// The same for on_line of weft_resume_options.
WEFT_API void weft_twin_on_line(void *twin, struct weft_client *client, enum weft_line line,
                                const msgpack_object *hello, const struct weft_error *error);
// Subscribes where that is due, and does the ticks that are due, for most_ms or little more. False, and from then on, where
// the server or the client will have no stream: the world is no more, nobody may look at it, the client is lost.
WEFT_API bool weft_twin_run(struct weft_twin *twin, uint32_t most_ms, struct weft_error *error);
// Until weft_twin_run has something to do, whatever may come: for weft_poll.
WEFT_API int weft_twin_wait_ms(const struct weft_twin *twin);

// ---------------------------------------------------------------------------------------------------------
// What a twin is. Before the first image there are no bodies.

struct weft_twin_state {
    bool begun; // there was an image
    // Nothing goes on until an image has come: text says why. differs: it came to something else than the server, which
    // who drives a twin by hand tells with stream.differs.
    bool lost, differs;
    bool playing;              // as told last
    bool failed;               // the world did, where the twin stands
    uint64_t tick;             // where it stands
    uint64_t told_tick;        // how far it may go
    uint64_t same_tick;        // the last whose hash was the server's
    uint64_t sequence;         // of the last record taken
    uint64_t hashes;           // compared
    uint64_t differences;      // of these, and of records' results, that were not the same
    uint64_t losses;           // times that it was lost
    uint64_t images;           // that it began with
    uint64_t joins;            // streams that it had, where it follows
    uint64_t records;          // applied
    double rate;               // of the world's time to the clock's, while it plays
    double delay_s;            // by which it follows
    uint32_t tick_rate;        // Hz; 0 before the first image
    char text[WEFT_TEXT_SIZE]; // where it is lost, why; empty: it is not, or an image is coming in
};

WEFT_API void weft_twin_state(const struct weft_twin *twin, struct weft_twin_state *state);

// Of everything that decides the future, where it stands: what world.hash gives there. False before the first image. Reads all
// of the state.
WEFT_API bool weft_twin_hash(const struct weft_twin *twin, uint64_t *hash);

enum { WEFT_TWIN_NAME_SIZE = 65 };

struct weft_twin_body {
    uint32_t body;                  // its id
    char name[WEFT_TWIN_NAME_SIZE]; // empty: it has none
    uint32_t particle_count;
    uint32_t triangle_count;
    const uint32_t *triangles; // three particles each; valid until the twin takes a message, steps or runs
};

WEFT_API uint32_t weft_twin_body_count(const struct weft_twin *twin);
WEFT_API uint32_t weft_twin_body_id(const struct weft_twin *twin,
                                    uint32_t index); // ascending; 0: there is none
WEFT_API bool weft_twin_body(const struct weft_twin *twin, uint32_t body, struct weft_twin_body *out);

// Of particles first ... first + count - 1, three numbers each: m, m/s. False where the body is not there or has not as many.
WEFT_API bool weft_twin_positions(const struct weft_twin *twin, uint32_t body, uint32_t first, uint32_t count,
                                  float *out);
WEFT_API bool weft_twin_positions64(const struct weft_twin *twin, uint32_t body, uint32_t first,
                                    uint32_t count, double *out);
WEFT_API bool weft_twin_velocities(const struct weft_twin *twin, uint32_t body, uint32_t first,
                                   uint32_t count, float *out);

struct weft_twin_measures {
    double kinetic, potential, elastic; // J
    double strain_max, strain_rms;      // of distances
    double volume_error_max, volume_error_rms;
    uint32_t contacts; // in the last substep
};

WEFT_API bool weft_twin_measures(const struct weft_twin *twin, struct weft_twin_measures *measures);

#ifdef __cplusplus
}
#endif

#endif
