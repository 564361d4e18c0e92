// Makes the answer of world.save for a world that is too large to be saved within a turn, and images for the
// store, for the loop and for streams of records. All are made beside the running world.
//
//     simulation thread                                    thread of the image
//     start ─────────────────────────────────────────────▶ RESERVING: memory for a still
//     edits wait in their lines from here on
//     boundary: the still begins           ◀────────────── RESERVED
//     COPYING: slices between turns and where a tick rests; what is left the next tick copies as it goes (sim/still.c)
//     all is there ──────────────────────────────────────▶ COPIED: hash, document, packed answer
//     boundary: the answer leaves, edits go on ◀────────── DONE
//
// Ticks, grabs, queries, play and pause go on all the while. The thread writes nothing but the image and
// calls nobody; the world looks at it every two milliseconds. The session that saves has its later requests
// wait, to keep the order of its answers. Images for the store and for streams have no request, and no
// session waits for them. Edits wait for the thread, so it yields to no other. A save that nobody waits for
// any more is cut: it is refused at once, and the thread ends after the part of the work that it has begun.
#include "world/keep/image.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "world/answer/account.h"
#include "world/answer/call.h"
#include "world/answer/event.h"
#include "world/frames/frames.h"
#include "world/frames/twins_frame.h"
#include "world/keep/part.h"
#include "world/state.h"
#include "world/time/clock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE_ROWS = 4096,
    SLICE_NS = 1000 * 1000, // time of a turn, or of a tick's rest, for copying
};

enum stage { RESERVING, RESERVED, COPYING, COPIED, DONE };

struct world_image {
    bool alone; // there are no threads: the world's turns do its work
    struct base_thread thread;
    struct base_mutex mutex;
    struct base_cond cond;
    enum stage stage; // under the mutex
    atomic_bool cut;  // the image is not wanted any more
    // Lives until the image ends, even if it was answered before; NULL: the image has no request.
    struct world_request *request;
    bool answered;                                                        // answered or given up
    struct store_image head;                                              // for the store
    const struct world_image_streamed *streamed;                          // for streams of records; else NULL
    void (*present_made)(struct world *world, struct base_buffer *bytes); // for the loop; else NULL
    struct base_budget *budget;                                           // budget of frames
    struct world_twins_moment moment;
    struct base_frame *frame; // for streams of records; NULL: it could not be made
    size_t size;
    uint64_t core_ns; // processor time of its thread
    size_t charged;
    const struct sim *sim; // nothing is read from it that ticks or grabs write
    struct sim_still *still;
    struct document view; // the document with the still in place of its sim
    struct protocol_world_save_result result;
    char name[DOCUMENT_NAME_SIZE], digits[17];
    struct base_buffer *reply; // NULL: refused, and the error is set
    struct protocol_error error;
};

// ---------------------------------------------------------------------------------------------------------
// The image's thread

static void no_memory(struct world_image *image)
{
    protocol_error_set(&image->error, PROTOCOL_CODE_MEMORY, NULL,
                       "no memory for world.save; nothing changed");
}

static void pack(struct world_image *image, msgpack_zone *zone, struct protocol_bytes *bytes)
{
    const struct world_request *request = image->request;
    struct sim_image taken;
    if (!document_save(&image->view, zone, &taken, &image->result.document)) {
        no_memory(image);
        return;
    }
    msgpack_packer packer;
    msgpack_packer_init(&packer, bytes, protocol_bytes_write);
    protocol_pack_result(&packer, request->msgid);
    if (!atomic_load(&image->cut)) {
        protocol_encode(protocol_methods[request->method].result, &image->result, request->asker.arrays,
                        &packer);
    }
    sim_image_deinit(&taken);
    if (!world_reply_allowed(request, bytes->size, &image->error)) {
        return;
    }
    image->reply = world_share_bytes(bytes, world_account_budget(request->account));
    if (!image->reply) {
        no_memory(image);
    }
}

static void make_kept(struct world_image *image)
{
    struct protocol_bytes bytes = {0};
    image->head.hash = document_hash(&image->view);
    if (!atomic_load(&image->cut) && document_image_pack(&image->view, &bytes)) {
        image->reply = world_share_bytes(&bytes, NULL);
    }
    protocol_bytes_deinit(&bytes);
}

static void make_streamed(struct world_image *image)
{
    struct protocol_bytes bytes = {0};
    const uint64_t hash = document_hash(&image->view);
    if (!atomic_load(&image->cut) && document_image_pack(&image->view, &bytes)) {
        image->size = bytes.size;
        image->frame = world_twins_image(&image->moment, &bytes, hash, image->budget);
    }
    protocol_bytes_deinit(&bytes);
}

static void make(struct world_image *image)
{
    struct protocol_bytes bytes = {0};
    msgpack_zone zone;
    snprintf(image->digits, sizeof image->digits, "%016llx",
             (unsigned long long)sim_hash_ungrabbed(image->view.sim));
    image->result.hash = protocol_text(image->digits);
    if (atomic_load(&image->cut)) {
        return;
    }
    if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        no_memory(image);
        return;
    }
    pack(image, &zone, &bytes);
    protocol_bytes_deinit(&bytes);
    msgpack_zone_destroy(&zone);
}

static void stage_set(struct world_image *image, enum stage stage)
{
    base_mutex_lock(&image->mutex);
    image->stage = stage;
    base_cond_signal(&image->cond);
    base_mutex_unlock(&image->mutex);
}

static enum stage stage_of(struct world_image *image)
{
    base_mutex_lock(&image->mutex);
    enum stage stage = image->stage;
    base_mutex_unlock(&image->mutex);
    return stage;
}

// Makes the still. False if memory runs out: the image is done then.
static bool reserve(struct world_image *image)
{
    const uint64_t began_ns = base_core_ns();
    image->still = sim_still_create(image->sim);
    image->core_ns += base_core_ns() - began_ns;
    if (!image->still) {
        no_memory(image);
    }
    stage_set(image, image->still ? RESERVED : DONE);
    return image->still != NULL;
}

// Makes the image after all was copied, or gives up if it was cut.
static void conclude(struct world_image *image)
{
    const uint64_t began_ns = base_core_ns();
    if (!atomic_load(&image->cut) && image->request) {
        make(image);
    } else if (!atomic_load(&image->cut) && image->streamed) {
        make_streamed(image);
    } else if (!atomic_load(&image->cut)) {
        make_kept(image);
    }
    // Freed on this thread, because giving back so much memory takes a while. The sim no longer knows the
    // still: all is copied, or it was cut.
    sim_still_destroy(image->still);
    image->still = NULL;
    image->core_ns += base_core_ns() - began_ns;
    stage_set(image, DONE);
}

static void run(void *context)
{
    struct world_image *image = context;
    if (!reserve(image)) {
        return;
    }
    base_mutex_lock(&image->mutex);
    while (image->stage != COPIED && !atomic_load(&image->cut)) {
        base_cond_wait(&image->cond, &image->mutex);
    }
    base_mutex_unlock(&image->mutex);
    conclude(image);
}

// ---------------------------------------------------------------------------------------------------------
// Simulation thread: life

bool world_saves_beside(const struct world *world)
{
    enum { SMALL = 2048 };
    const struct sim *sim = world->document->sim;
    return sim_particle_count(sim) + sim_constraint_count(sim) > SMALL && !sim_can_tear(sim);
}

static void image_destroy(struct world_image *image)
{
    if (image->charged > 0) {
        base_budget_uncharge(world_account_budget(image->request->account), image->charged);
    }
    base_buffer_unref(image->reply);
    base_frame_unref(image->frame);
    world_request_destroy(image->request);
    base_cond_deinit(&image->cond);
    base_mutex_deinit(&image->mutex);
    free(image);
}

// Charges the session's account with four times the still: the still, and about three times as much for the
// document's arrays and its bytes.
static bool charge(struct world_call *call, size_t *charged)
{
    struct world_account *account = call->request->account;
    size_t size = 4 * sim_still_bytes(call->world->document->sim);
    *charged = 0;
    if (!world_reply_allowed(call->request, size, &call->error)) {
        return false;
    }
    if (account && base_budget_charge(world_account_budget(account), size)) {
        *charged = size;
    }
    return true;
}

// Starts the thread of an image. Without a request and without streams it is for the store or the loop.
static bool start(struct world *world, struct world_request *request, size_t charged,
                  const struct world_image_streamed *streamed)
{
    struct world_image *image = calloc(1, sizeof *image);
    BASE_ASSERT(!world->keep->image);
    if (!image) {
        return false;
    }
    image->request = request;
    image->charged = charged;
    image->streamed = streamed;
    image->budget = world_frames_budget(world->frames);
    image->sim = world->document->sim;
    atomic_init(&image->cut, false);
    base_mutex_init(&image->mutex);
    base_cond_init(&image->cond);
    image->alone = !base_threads();
    if (image->alone || base_thread_start(&image->thread, "image", run, image)) {
        world->keep->image = image;
        return true;
    }
    base_cond_deinit(&image->cond);
    base_mutex_deinit(&image->mutex);
    free(image);
    return false;
}

void world_image_start(struct world_call *call)
{
    size_t charged;
    if (!charge(call, &charged)) {
        return;
    }
    if (start(call->world, call->request, charged, NULL)) {
        call->deferred = true;
        return;
    }
    if (charged > 0) {
        base_budget_uncharge(world_account_budget(call->request->account), charged);
    }
    world_refuse_memory(call);
}

void world_image_start_kept(struct world *world)
{
    if (!start(world, NULL, 0, NULL)) {
        base_log(BASE_LOG_WARN, "world %u: no memory for an image; the next is tried later", world->id);
    }
}

bool world_image_start_present(struct world *world,
                               void (*made)(struct world *world, struct base_buffer *bytes))
{
    const bool started = start(world, NULL, 0, NULL);
    if (started) {
        world->keep->image->present_made = made; // the thread makes the same as for the store
    }
    return started;
}

bool world_image_start_streamed(struct world *world, const struct world_image_streamed *streamed)
{
    return start(world, NULL, 0, streamed);
}

// Lets the thread end soon. When it has been cut, the still belongs to the thread.
static void give_up(struct world_image *image)
{
    base_mutex_lock(&image->mutex);
    if (image->stage == COPYING && !atomic_load(&image->cut)) {
        sim_still_end(image->still);
    }
    atomic_store(&image->cut, true);
    base_cond_signal(&image->cond);
    base_mutex_unlock(&image->mutex);
}

void world_image_cut(struct world *world, enum protocol_code code, const char *format, ...)
{
    struct world_image *image = world->keep->image;
    if (!image || image->answered) {
        return;
    }
    if (!image->request) {
        image->answered = true;
        give_up(image);
        return;
    }
    char text[PROTOCOL_TEXT_MAX];
    struct protocol_error error = {0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    protocol_error_set(&error, code, NULL, "%s", text);
    error.revision = world->document->revision;
    world_answer_error(world, image->request, &error);
    image->answered = true;
    give_up(image);
}

// Does the next piece of the thread's work, if there are no threads.
static void work_alone(struct world_image *image)
{
    const enum stage stage = stage_of(image);
    if (stage == RESERVING && !atomic_load(&image->cut)) {
        (void)reserve(image);
    } else if (stage == COPIED || (stage != DONE && atomic_load(&image->cut))) {
        conclude(image);
    }
}

// Waits for the end of an image that was cut or is done.
static void join(struct world_image *image)
{
    if (image->alone) {
        work_alone(image);
    } else {
        base_thread_join(&image->thread);
    }
}

void world_image_destroy(struct world *world)
{
    base_buffer_unref(world->keep->image_kept.bytes);
    world->keep->image_kept.bytes = NULL;
    struct world_image *image = world->keep->image;
    if (image) {
        give_up(image);
        join(image);
        image_destroy(image);
        world->keep->image = NULL;
    }
}

uint32_t world_image_session(const struct world_keep *keep)
{
    return keep->image && keep->image->request && !keep->image->answered ? keep->image->request->asker.session
                                                                         : 0;
}

// ---------------------------------------------------------------------------------------------------------
// Simulation thread: on its way

static void begin(struct world *world, struct world_image *image)
{
    const struct document *document = world->document;
    if (document->failed) {
        world_image_cut(world, document_failed_code(document), "world \"%s\" failed: %.144s; %s",
                        document->name, document->reason, document_mended_by(document));
        return;
    }
    sim_still_begin(image->still, document->sim);
    image->view = document_view(document, sim_still_sim(image->still));
    memcpy(image->name, document->name, sizeof image->name);
    image->head = world_image_head(world);
    if (image->streamed) {
        image->moment = image->streamed->begins(world);
    }
    image->result = (struct protocol_world_save_result){
        .has = PROTOCOL_HAS_ALL,
        .world = world->id,
        .name = protocol_text(image->name),
        .revision = document->revision,
        .tick = document->tick,
        .sequence = world->keep->records.next,
    };
    world_durable_mark(world, PROTOCOL_METHOD_WORLD_SAVE, &image->result);
    stage_set(image, COPYING);
}

// Copies a slice. True: all is copied.
static bool copy(struct world_image *image)
{
    const uint64_t end_ns = base_now_ns() + SLICE_NS;
    bool whole;
    do {
        whole = sim_still_go_on(image->still, SLICE_ROWS);
    } while (!whole && base_now_ns() < end_ns);
    if (whole) {
        sim_still_end(image->still);
        stage_set(image, COPIED);
    }
    return whole;
}

static void finish(struct world *world, struct world_image *image)
{
    join(image);
    if (image->streamed) {
        struct base_frame *frame = image->answered ? NULL : image->frame;
        image->frame = frame ? NULL : image->frame;
        image->streamed->made(world, frame, frame ? 0 : image->size);
    } else if (image->present_made) {
        image->present_made(world, image->answered ? NULL : image->reply);
        image->reply = image->answered ? image->reply : NULL;
    } else if (!image->request && !image->answered) {
        base_buffer_unref(world->keep->image_kept.bytes);
        world->keep->image_kept = (struct world_image_kept){
            .head = image->head, .bytes = image->reply, .spent_s = (double)image->core_ns * 1e-9};
        world->keep->image_is_kept = true;
        image->reply = NULL;
    } else if (!image->answered && image->reply) {
        struct base_buffer *reply = image->reply;
        image->reply = NULL;
        world_answer_made(world, image->request, reply, &image->result);
    } else if (!image->answered) {
        image->error.revision = world->document->revision;
        world_answer_error(world, image->request, &image->error);
    }
    image_destroy(image);
    world->keep->image = NULL;
    world->keep->image_turn = world_turn_number(world->time) + 1; // the number of the next turn
}

struct store_image world_image_head(const struct world *world)
{
    return (struct store_image){
        .position = world->keep->journal.position,
        .tick = world->document->tick,
        .maker = sim_solver_version(),
        .at = base_wall_us() / 1000000,
    };
}

bool world_image_take_kept(struct world_keep *keep, struct world_image_kept *out)
{
    const bool taken = keep->image_is_kept;
    *out = keep->image_kept;
    keep->image_kept.bytes = NULL;
    keep->image_is_kept = false;
    return taken;
}

bool world_image_turn(struct world *world)
{
    struct world_image *image = world->keep->image;
    if (!image) {
        return false;
    }
    if (image->alone) {
        work_alone(image);
    }
    enum stage stage = stage_of(image);
    if (stage == DONE) {
        finish(world, image);
        return false;
    }
    if (atomic_load(&image->cut)) {
        return false;
    }
    if (stage == RESERVED) {
        begin(world, image);
        return !atomic_load(&image->cut);
    }
    return stage == COPYING && !copy(image);
}

void world_image_rest(struct world *world)
{
    struct world_image *image = world->keep->image;
    if (image && !atomic_load(&image->cut) && stage_of(image) == COPYING) {
        copy(image);
    }
}

bool world_image_under_way(const struct world_keep *keep)
{
    return keep->image != NULL;
}

bool world_image_ended(const struct world *world)
{
    return world->keep->image_turn == world_turn_number(world->time);
}

void world_image_want(struct world_keep *keep)
{
    atomic_store(&keep->image_wanted, true);
}
