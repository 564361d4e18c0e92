// Hands a world's history to its store.
//
//     position   1        2        3        4       …
//                BEGUN    record   TICKS    record       entries, in the order in which things happened
//                                    ▲
//                                  image: all up to here, so that nobody needs to begin at 1
//
// An answer carries the position of the last entry that it depends on, and passes the world's gate when that
// entry is durable. Marks of time are so frequent, and a world waits so soon for a slow store, that a world
// never shows more than 250 ms beyond what would be left of it. With brokers it is a second more while the
// world has no members and no streams.
//
// Images are made by the work that they save, and not by the clock: when coming here again from the last one
// would take a while. They are also made by the world's time: another solver does not repeat the ticks after
// an image exactly, so there must never be many of them.
#include "world/keep/journal.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/log.h"
#include "world/answer/event.h"
#include "world/keep/durable.h"
#include "world/keep/image.h"
#include "world/keep/part.h"
#include "world/state.h"
#include "world/time/clock.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    MARK_NS = 100 * 1000 * 1000, // time between marks while time goes on
    MARK_UNSEEN_NS =
        1000 * 1000 * 1000, // the same with brokers while nobody watches, since each mark is costly there
    LATE_NS = 150 * 1000 * 1000, // time that an entry may wait for its commit before the world waits too
    AHEAD_BYTES = 4 * 1024 * 1024,
};
// Seconds that coming here again must take before an image is worth it.
static const double image_cost_s = 0.4;
static const double image_cost_redone_s = 1e9; // cost of ticks that this solver cannot repeat
// World time in seconds from one image to the next. An image is made beside the world and packed behind
// others. That may take as long again before the promised minute is exceeded.
static const double image_age_s = 30;
static const double image_share = 1.0 / 50; // share of a world's time for images
static const double hash_share = 1.0 / 200; // share of a world's time for hashes
static const double record_cost_s =
    1.0 / 20e6; // seconds for each byte of a record that was prepared beside the world

static void lose(struct world *world)
{
    world->keep->journal.lost = true;
    base_log(BASE_LOG_ERROR,
             "world %u \"%s\": no memory to keep record %llu: it takes no more edits; a restart goes back to "
             "before it",
             world->id, world->document->name, (unsigned long long)world->keep->records.next);
}

static struct store_entry entry_of(enum past_entry kind, const struct protocol_bytes *bytes)
{
    return (struct store_entry){.kind = (uint8_t)kind, .bytes = bytes->data, .size = bytes->size};
}

// Appends all entries or none, and sets their world and time.
static bool append(struct world *world, struct store_entry *entries, uint32_t count)
{
    struct world_journal *journal = &world->keep->journal;
    size_t size = 0;
    if (!journal->store) {
        journal->position += entries[0].kind == PAST_RECORD;
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        entries[i].position = journal->position + 1 + i;
        entries[i].tick = world->document->tick;
        entries[i].at = base_wall_us() / 1000000;
        size += entries[i].size;
    }
    if (journal->lost || !store_append(journal->store, world->id, journal->epoch, entries, count)) {
        return false;
    }
    journal->position += count;
    journal->pending.bytes += size;
    journal->tick = world->document->tick;
    journal->image_bytes += size + (uint64_t)count * STORE_ENTRY_EXTRA;
    return true;
}

static bool pack_step(const struct past_step *step, struct protocol_bytes *bytes)
{
    msgpack_packer packer;
    protocol_bytes_clear(bytes);
    msgpack_packer_init(&packer, bytes, protocol_bytes_write);
    past_step_pack(step, &packer);
    return !bytes->failed;
}

bool world_journal_record(struct world *world, const struct protocol_bytes *bytes,
                          const struct past_step *step)
{
    // The edit is done and cannot be undone, so this tries again for memory. The last try is for the record
    // alone.
    enum { TRIES = 3 };
    struct world_journal *journal = &world->keep->journal;
    struct protocol_bytes *behind = &world->scratch[2];
    struct store_entry entries[2] = {entry_of(PAST_RECORD, bytes)};
    uint32_t count = 1, kept = 0;
    journal->cost_s += (double)bytes->size * record_cost_s;
    if (step && journal->store && store_lasts(journal->store) && pack_step(step, behind)) {
        entries[count++] = entry_of(PAST_STEP, behind);
    }
    for (int i = 1; i <= TRIES && kept == 0 && !bytes->failed; i++) {
        const uint32_t tried = i < TRIES ? count : 1;
        kept = append(world, entries, tried) ? tried : 0;
    }
    if (kept == 0 && !journal->lost) {
        lose(world);
    }
    if (kept > 1) {
        world->keep->history.position = world->keep->history.pointed = journal->position;
    }
    if (kept > 0) {
        journal->content = journal->position;
        world_durable_note(world);
    }
    protocol_bytes_clear(behind);
    return kept > 0;
}

// Steps are found by going back from the last one. If none was made for long, this adds a pointer to the
// last.
static void point_to_step(struct world *world)
{
    enum { FAR = 4096 };
    struct world_history *history = &world->keep->history;
    struct protocol_bytes *bytes = &world->scratch[0];
    const struct past_step pointer = {.kind = PAST_STEP_POINTER, .previous = history->position};
    if (history->position == 0 || world->keep->journal.position < history->pointed + FAR) {
        return;
    }
    if (pack_step(&pointer, bytes)) {
        struct store_entry entry = entry_of(PAST_STEP, bytes);
        history->pointed = append(world, &entry, 1) ? world->keep->journal.position : history->pointed;
    }
}

void world_journal_mark(struct world *world, enum past_mark_kind kind, const struct world_asker *asker)
{
    struct world_journal *journal = &world->keep->journal;
    if (!journal->store || journal->lost) {
        return;
    }
    struct past_mark mark = {
        .kind = kind,
        .rate = world_rate(world->time),
        .playing = world_state(world->time) == WORLD_PLAYING,
        .sequence = world->keep->records.next,
        .solver = sim_solver_version(),
        .at_us = base_wall_us(),
        .session = asker ? asker->session : 0,
        .person = protocol_text(asker ? asker->user : ""),
    };
    if (journal->unhashed_s > 0 && journal->unhashed_s * hash_share >= journal->hash_s &&
        !world->document->failed) {
        const uint64_t began_ns = base_now_ns();
        mark.hashed = document_hash_now(world->document, &mark.hash);
        journal->hash_s = (double)(base_now_ns() - began_ns) * 1e-9;
        journal->unhashed_s = 0;
    }
    struct protocol_bytes *bytes = &world->scratch[0];
    msgpack_packer packer;
    protocol_bytes_clear(bytes);
    msgpack_packer_init(&packer, bytes, protocol_bytes_write);
    past_mark_pack(&mark, &packer);
    // If memory runs out the mark is left out: the next one tells the same.
    struct store_entry entry = entry_of(PAST_MARK, bytes);
    const bool news = kind != PAST_MARK_TICKS || world->document->tick != journal->tick;
    if (!bytes->failed && append(world, &entry, 1)) {
        journal->content = news ? journal->position : journal->content;
        journal->marked_ns = base_now_ns();
        point_to_step(world);
    }
}

void world_journal_tick(struct world *world, bool watched)
{
    struct world_journal *journal = &world->keep->journal;
    const double spent_s = world_times_of(world->time)->tick_us * 1e-6;
    journal->cost_s += spent_s;
    journal->unhashed_s += spent_s;
    journal->image_age_s += 1.0 / sim_settings_of(world->document->sim)->tick_rate;
    const uint64_t mark_ns = journal->remote && !watched ? MARK_UNSEEN_NS : MARK_NS;
    if (base_now_ns() - journal->marked_ns >= mark_ns && !world->document->failed) {
        world_journal_mark(world, PAST_MARK_TICKS, NULL);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Images

// Gives the store an image. Takes the bytes; NULL: they could not be made.
static void image_give(struct world *world, const struct store_image *image, struct base_buffer *bytes,
                       double spent_s)
{
    struct world_journal *journal = &world->keep->journal;
    if (!bytes || !store_image_add(journal->store, world->id, image, bytes)) {
        base_log(BASE_LOG_WARN, "world %u \"%s\": no memory for an image; the next is tried later", world->id,
                 world->document->name);
    }
    journal->image_s = spent_s;
    journal->image_size = bytes ? bytes->size : journal->image_size;
    base_buffer_unref(bytes);
}

static void image_now(struct world *world)
{
    const uint64_t began_ns = base_core_ns();
    struct protocol_bytes *bytes = &world->scratch[0];
    struct store_image head = world_image_head(world);
    protocol_bytes_clear(bytes);
    const bool stands = document_hash_now(world->document, &head.hash);
    struct base_buffer *shared =
        stands && document_image_pack(world->document, bytes) ? world_share_bytes(bytes, NULL) : NULL;
    protocol_bytes_clear(bytes); // a long buffer is not kept for the next image
    image_give(world, &head, shared, (double)(base_core_ns() - began_ns) * 1e-9);
}

static void image_if_due(struct world *world)
{
    struct world_journal *journal = &world->keep->journal;
    if (world->keep->image || world->document->failed || world->document->broken ||
        world_is_deleted(world->time)) {
        return;
    }
    // Without particles, ticks change nothing that depends on the solver.
    const bool old = journal->image_age_s >= image_age_s && sim_particle_count(world->document->sim) > 0;
    const bool far = journal->cost_s >= image_cost_s && journal->cost_s * image_share >= journal->image_s;
    // No entry before an image can be deleted until the image exists. An image that is larger than what it
    // allows to delete is of no use.
    const bool long_past =
        journal->image_bytes >= journal->pending.image_bytes && journal->image_bytes >= journal->image_size;
    if (!atomic_exchange(&world->keep->image_wanted, false) && !old && !far && !long_past) {
        return;
    }
    if (old) {
        // A position has one image at most; this makes a new position.
        world_journal_mark(world, PAST_MARK_TICKS, NULL);
    }
    journal->cost_s = 0;
    journal->image_age_s = 0;
    journal->image_bytes = 0;
    if (world_saves_beside(world)) {
        world_image_start_kept(world);
    } else {
        image_now(world);
    }
}

// Whether a world gets an image when the server ends. Worlds get one as long as there is time.
static bool image_at_end(const struct world *world)
{
    enum { PARTICLES = 500 * 1000 };
    const struct world_journal *journal = &world->keep->journal;
    return journal->store && store_lasts(journal->store) && !journal->lost && !world->document->failed &&
           !world->document->broken && !world_is_deleted(world->time) && journal->cost_s > 0 &&
           sim_particle_count(world->document->sim) <= PARTICLES && !world_time_is_over(world->time);
}

// This is no pause: the world plays on when it is back. With an image it is back at once, even with another
// solver.
void world_journal_end(struct world *world)
{
    world_journal_mark(world, PAST_MARK_TICKS, NULL);
    if (image_at_end(world)) {
        image_now(world);
    }
}

// ---------------------------------------------------------------------------------------------------------
// How far the store has come

static const char *why_read_only(const struct world_journal *journal)
{
    if (journal->pending.lost) {
        return "another server has this world now";
    }
    if (journal->lost) {
        return "what happens here cannot be kept any more; restart the server";
    }
    if (journal->pending.away) {
        return "the store cannot be reached; it goes on when it can";
    }
    return journal->pending.full ? "the store has no room; it goes on when there is some" : NULL;
}

void world_journal_turn(struct world *world)
{
    struct world_journal *journal = &world->keep->journal;
    if (!journal->store) {
        return;
    }
    store_pending(journal->store, world->id, &journal->pending);
    journal->lost = journal->lost || journal->pending.lost;
    world_durable_pass(world, journal->pending.durable);
    const char *read_only = why_read_only(journal);
    if (read_only != journal->read_only) {
        journal->read_only = read_only;
        // A store that is full has kept a little room for this mark, so that what is shown now is what is
        // kept.
        if (journal->pending.full) {
            world_journal_mark(world, PAST_MARK_TICKS, NULL);
        }
        world_notice_changed(world, world_state(world->time), NULL);
    }
    struct world_image_kept made;
    if (world_image_take_kept(world->keep, &made)) {
        image_give(world, &made.head, made.bytes, made.spent_s);
    }
    if (!read_only) {
        image_if_due(world);
    }
}

bool world_journal_holds(const struct world_keep *keep)
{
    const struct world_journal *journal = &keep->journal;
    const struct store_pending *pending = &journal->pending;
    if (!journal->store || journal->lost) {
        return journal->lost;
    }
    return pending->full || pending->bytes > AHEAD_BYTES ||
           (pending->since_ns > 0 && base_now_ns() > pending->since_ns + LATE_NS);
}

// ---------------------------------------------------------------------------------------------------------

bool world_journal_begin(struct world *world, const struct world_options *options)
{
    const struct world_kept *kept = &options->kept;
    struct store_brokers brokers;
    world->keep->journal.store = options->store;
    world->keep->journal.remote = options->store && store_brokers(options->store, &brokers);
    world->keep->journal.epoch = kept->position > 0 ? kept->epoch : 1;
    world->keep->journal.position = world->keep->journal.content = kept->position;
    world_durable_begin(world, kept->sequence);
    world->keep->records.first = world->keep->records.next = kept->sequence;
    world->keep->journal.cost_s = kept->exact_solver != 0 ? image_cost_redone_s : kept->cost_s;
    world->keep->journal.image_age_s = kept->image_age_s;
    world->keep->journal.exact_solver = kept->exact_solver;
    world->keep->journal.exact_tick = kept->exact_tick;
    world_journal_mark(world, PAST_MARK_BEGUN, NULL);
    return !options->store || world->keep->journal.position > kept->position;
}

void world_journal_face(const struct world_keep *keep, struct world_face *face)
{
    const struct world_journal *journal = &keep->journal;
    face->position = journal->position;
    face->exact_solver = journal->exact_solver;
    face->exact_tick = journal->exact_tick;
    face->kept = !journal->lost;
    face->records = keep->records.next;
    face->records_first = keep->records.first;
}

uint64_t world_journal_epoch(const struct world_keep *keep)
{
    return keep->journal.epoch;
}

uint64_t world_journal_shared_epoch(const struct world_keep *keep)
{
    return keep->journal.remote ? keep->journal.epoch : 0;
}

struct world_exact world_journal_exact(const struct world_keep *keep)
{
    return (struct world_exact){keep->journal.exact_tick, keep->journal.exact_solver};
}

void world_keep_deinit(struct world_keep *keep)
{
    free(keep->points.items);
    world_records_deinit(&keep->records);
    world_history_deinit(&keep->history);
}

struct world_records *world_records_of(struct world_keep *keep)
{
    return &keep->records;
}

struct world_history *world_history_of(struct world_keep *keep)
{
    return &keep->history;
}
