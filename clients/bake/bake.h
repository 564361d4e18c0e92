// weft-bake: a scene computed as fast as the machine goes, without a server; what its files share.
//
//     scene file ─▶ values set ─▶ document ─▶ sim ─▶ tick, tick, tick … ─▶ take ─▶ output
//                                              ▲                │
//                                              └── checkpoint ◀─┘   so that it can be gone on with
//
// A world that a server hosts is the same sim made of the same document, so both come to the same bits.
#ifndef WEFT_BAKE_H
#define WEFT_BAKE_H

#include "record/record.h"
#include "sim/sim.h"

#include <stdbool.h>
#include <stdint.h>

enum bake_status {
    BAKE_OK = 0,
    BAKE_FAILED = 1,    // the world, or something here
    BAKE_USAGE = 2,     // arguments, or a scene that is refused
    BAKE_STOPPED = 130, // by a signal; it can be gone on with
};

enum { BAKE_TEXT_SIZE = 600, BAKE_SETS_MAX = 16, BAKE_VARIANTS_MAX = 100000 };

struct bake_error {
    char text[BAKE_TEXT_SIZE];
};

// --set body.flag.stretch.compliance=1e-7,1e-6
struct bake_set {
    char *path;
    char **values;
    uint32_t value_count;
};

enum bake_table { BAKE_TEXT, BAKE_CSV, BAKE_JSON };

struct bake_options {
    const char *scene;    // NULL: from
    const char *from;     // DIR/WORLD[@TICK]: a moment of a world's past
    const char *take;     // a take of records, run again
    uint64_t first, last; // ticks of it that are wanted
    const char *output;   // NULL: nothing is recorded
    const char *series;   // NULL: no measures are written as they go
    enum record_format format;
    bool keeps_take; // the output is a take
    uint64_t ticks;
    double seconds;  // instead of ticks, where > 0
    float tolerance; // of positions in the take, m; 0: as they are
    uint32_t every;
    bool substeps, fresh, quiet;
    bool salvage;   // from a world that lost its end, what is there
    bool particles; // of bodies with skins, these are recorded instead of the skins
    uint32_t threads;
    enum sim_isa isa;
    double checkpoint_s; // between checkpoints; 0: none until a signal
    enum bake_table table;
    struct bake_set sets[BAKE_SETS_MAX];
    uint32_t set_count;
};

// options.c
enum bake_parsed { BAKE_RUN, BAKE_HELP, BAKE_VERSION, BAKE_WRONG };
enum bake_parsed bake_options_parse(int argc, char **argv, struct bake_options *options,
                                    struct bake_error *error);
void bake_options_deinit(struct bake_options *options);
void bake_help(void);

// values.c: the values of one --set added to set->values, whose path is there.
bool bake_values_split(const char *text, struct bake_set *set, struct bake_error *error);

// A scene file as text, with values put in; reading it again for each variant would race with who edits it.
struct bake_scene {
    char path[4096], folder[4096];
    char *text;
    size_t size;
    void *document; // where it is of a world's past, instead of text
    size_t document_size;
};

bool bake_scene_read(const char *path, struct bake_scene *scene, struct bake_error *error);
// from.c: what is held there is let go.
bool bake_scene_from(const struct bake_options *options, bool (*stop)(void), struct bake_scene *scene,
                     struct bake_error *error);
void bake_scene_deinit(struct bake_scene *scene);
// The document with values[i] (JSON, or a bare word for a string) at sets[i].path. Free *document.
bool bake_scene_document(const struct bake_scene *scene, const struct bake_set *sets,
                         const char *const *values, uint32_t count, void **document, size_t *size,
                         struct bake_error *error);

// One bake.
struct bake_job {
    const struct bake_options *options;
    const void *document;
    size_t document_size;
    const char *output, *series; // NULL: none
    struct base_parallel *parallel;
    bool tells;         // what is worth knowing of the document, on stderr
    bool (*stop)(void); // asked after each tick
    void (*progress)(void *context, uint64_t done, uint64_t total); // may be NULL
    void *context;
};

struct bake_result {
    enum bake_status status;
    char text[BAKE_TEXT_SIZE];          // why, unless BAKE_OK
    uint64_t first_tick, ticks, frames; // ticks: all that there are now, those before it was gone on with too
    bool written;                       // the output is in its place
    uint64_t particles;
    struct sim_measures measures;
    double seconds; // that the ticks took, in all runs
    uint64_t hash;
};

void bake_run(const struct bake_job *job, struct bake_result *result);

// checkpoint.c: where a bake stands. Written as a whole or not at all.
struct bake_checkpoint {
    uint64_t key;           // of what is baked, and how
    uint64_t ticks, frames; // done
    uint64_t took_ns;       // by them
    uint64_t hash;          // of the state
    void *document;         // malloc'd
    size_t size;
};

bool bake_checkpoint_write(const char *path, const struct bake_checkpoint *checkpoint,
                           struct bake_error *error);
// *found is false where there is none. Refuses what is no checkpoint.
bool bake_checkpoint_read(const char *path, struct bake_checkpoint *checkpoint, bool *found,
                          struct bake_error *error);

void bake_checkpoint_remove(const char *path); // and what one that was being written has left

// series.c: measures as they go. Ends of functions are those of files: sync makes durable, finish puts in place.
struct bake_series;
// goes_on: the one of a bake that was stopped, up to this tick.
struct bake_series *bake_series_open(const char *path, bool goes_on, uint64_t tick, struct bake_error *error);
bool bake_series_add(struct bake_series *series, uint64_t tick, double time,
                     const struct sim_measures *measures);
bool bake_series_sync(struct bake_series *series, struct bake_error *error);
bool bake_series_finish(struct bake_series *series, struct bake_error *error);
void bake_series_discard(struct bake_series *series); // what is not finished; to be closed still
void bake_series_close(struct bake_series *series);   // NULL is allowed

// sweep.c
enum bake_status bake_sweep(const struct bake_options *options, const struct bake_scene *scene,
                            bool (*stop)(void));

// play.c: a take of records instead of a scene.
enum bake_status bake_play(const struct bake_options *options, bool (*stop)(void));
// A moment of one, UINT64_MAX: the last; NULL after saying why, and where stop says so.
struct document;
struct document *bake_play_to(const struct bake_options *options, const char *take, uint64_t tick,
                              bool (*stop)(void), struct bake_error *error);

// error.c; false
bool bake_fail(struct bake_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
