// A world without sockets, threads or clocks: requests are posted from notation, turns are given explicit
// times, events are collected.
#ifndef WEFT_TESTS_HELPER_WORLD_H
#define WEFT_TESTS_HELPER_WORLD_H

#include "world/answer/account.h"
#include "world/answer/event.h"
#include "world/answer/part.h"
#include "world/edit/part.h"
#include "world/frames/part.h"
#include "world/frames/publish.h"
#include "world/keep/part.h"
#include "world/people/part.h"
#include "world/state.h"
#include "world/time/part.h"
#include "world/turn/part.h"
#include "world/twins/part.h"

#include <msgpack.h>

enum { HELPER_ANN = 1, HELPER_BOB = 2, HELPER_EVE = 3 }; // sessions
enum { HELPER_CLAIM = 4711 }; // id of what the host claims for each world.join and world.set

struct helper {
    struct world *world;
    uint64_t now_ns;
    uint64_t deadline; // of the last turn
    uint32_t msgid;
    uint32_t outputs, inputs; // calls of on_output and on_input
    enum protocol_arrays_mode arrays;
    enum protocol_errors_mode errors;
    uint32_t stream;               // given to the next stream.subscribe
    struct world_account *account; // of requests from now on; NULL: none
    uint32_t visit;                // connection of the sessions (world_asker)
    bool slices;                   // a turn may leave its tick unfinished
    size_t weight;                 // bytes that they count for; 0: what they do
    struct world_event **events;   // taken, in order
    const msgpack_object *
        *replies; // beside each event: what its reply was unpacked to, NULL until it was asked for
    uint32_t event_count, event_capacity, reply_capacity;
    msgpack_unpacked *unpacked; // of all that was read
    uint32_t unpacked_count, unpacked_capacity;
    struct protocol_error refused; // by world_request_create; code OK if none was
};

typedef void (*helper_tweak)(struct protocol_world_create_params *settings);
struct helper *helper_create(helper_tweak tweak); // world 1, "flag"; tweak may be NULL
// A tweak: no long edges, swept bending, and no sleep.
void helper_edge_by_edge(struct protocol_world_create_params *settings);
// World 1 shows the past of world 9, "flag", to Ann. Takes the document.
struct helper *helper_create_view(struct document *document);
// The same, kept by a store, made of a document, where the store has it already. Each may be NULL.
struct helper *helper_create_kept(helper_tweak tweak, struct store *store, struct document *document,
                                  const struct world_kept *kept);
void helper_destroy(struct helper *helper);

struct sim;
struct program_input;
void helper_choose(const struct sim *sim,
                   struct program_input *input); // program_choose, which knows a join and a slide

// MessagePack from JSON with single quotes: {'kind': 'rope', 'positions': [0, 0.5, 0]}.
void helper_pack(msgpack_sbuffer *buffer, const char *notation);

// Posts a request (notation of its one map; NULL: no parameters). Returns its msgid; 0 if it was refused when
// it was made (helper->refused) or there is no room (BUSY there).
uint32_t helper_post(struct helper *helper, uint32_t session, const char *method, const char *notation);
uint32_t helper_post_packed(struct helper *helper, uint32_t session, const char *method,
                            const msgpack_sbuffer *map, bool answer);
// The same, not posted: the caller's. NULL with helper->refused.
struct world_request *helper_request(struct helper *helper, uint32_t session, const char *method,
                                     const char *notation);
uint64_t
helper_turn_only(struct helper *helper); // at now_ns, and on to the end of its tick; the next deadline
void helper_turn(struct helper *helper); // the same, then takes all events
void helper_turns(struct helper *helper, uint32_t count);
void helper_turns_until_idle(struct helper *helper); // while there is more to do at once

// The answer to a request: NULL while there is none. *error is set if it is an error.
const msgpack_object *helper_answer(struct helper *helper, uint32_t msgid, bool *error);
// Post, turn, and the result, which must not be an error.
const msgpack_object *helper_call(struct helper *helper, uint32_t session, const char *method,
                                  const char *notation);
// Post, turn, and the error as "CODE: text".
const char *helper_error(struct helper *helper, uint32_t session, const char *method, const char *notation);
uint64_t helper_hash(struct helper *helper);

// path: keys and #positions, "bodies.#0.name". Fails the test if it is not there; helper_find gives NULL.
const msgpack_object *helper_find(const msgpack_object *root, const char *path);
const msgpack_object *helper_at(const msgpack_object *root, const char *path);
double helper_number(const msgpack_object *root, const char *path);
void helper_assert_text(const msgpack_object *root, const char *path, const char *text);
struct protocol_array helper_array(const msgpack_object *root, const char *path,
                                   enum protocol_array_type bin_type);
const msgpack_object *helper_unpack(struct helper *helper, const void *data, size_t size);

// Events since the last call of helper_forget.
uint32_t helper_count(const struct helper *helper, enum world_event_kind kind);
struct world_event *helper_event(const struct helper *helper, enum world_event_kind kind, uint32_t nth);
const msgpack_object *helper_notice(struct helper *helper, uint32_t nth,
                                    const char *method); // its params map
void helper_forget(struct helper *helper);
void helper_forget_unpacked(struct helper *helper); // nothing points to what was read any more

// One part of a frame as the message that a client gets; unpacked, its map. *bytes (if not NULL) is malloc'd.
const msgpack_object *helper_frame_part(struct helper *helper, const struct base_frame *frame, uint32_t part,
                                        uint8_t **bytes, size_t *size);
// The batches of the nth publication for a stream, NULL if it has none.
struct base_batch *helper_batch(const struct helper *helper, uint32_t publication, uint32_t stream);
// The first frame of that batch, which must be there.
const struct base_frame *helper_frame(const struct helper *helper, uint32_t publication, uint32_t stream);
// Ann's, after what was there is forgotten: the events are those of its beginning. Returns the stream.
uint32_t helper_subscribe(struct helper *helper, const char *notation);

// Adds a cloth of n x n particles with spacing 0.1 m in the plane y = height. Returns its id.
uint32_t helper_cloth(struct helper *helper, uint32_t session, uint32_t n, double height, const char *name);
// A cloth 'sheet' that is pinned at its rim, and a ball 'ball' on it, which both fall asleep within 400 ticks.
void helper_hammock(struct helper *helper, uint32_t session);
void helper_hammock_settings(struct protocol_world_create_params *settings); // a tweak

#endif
