// weft-bake computes a scene without a server, at full speed. This header has the declarations that its files share.
//
//     scene file ─▶ values set ─▶ document ─▶ sim ─▶ tick, tick, tick … ─▶ take ─▶ output
//                                             ▲                │
//                                             └── checkpoint ◀─┘   so that the bake can be resumed
//
// A server's world is the same sim, made from the same document, so both get the same bits.
#ifndef WEFT_BAKE_H
#define WEFT_BAKE_H

#include "record/record.h"
#include "sim/sim.h"

#include <stdbool.h>
#include <stdint.h>

enum bake_status {
    BAKE_OK = 0,
    BAKE_FAILED = 1,    // the world or this program failed
    BAKE_USAGE = 2,     // wrong arguments, or a scene that is refused
    BAKE_STOPPED = 130, // stopped by a signal; it can be resumed
};

enum { BAKE_TEXT_SIZE = 600, BAKE_SETS_MAX = 16, BAKE_VARIANTS_MAX = 100000 };

struct bake_error {
    char text[BAKE_TEXT_SIZE];
};

// --set body.flag.stretch.compliance=1e-7,1e-6
struct bake_set {
    char *path;
    char **values;
    uint32_t value_count, value_capacity;
};

enum bake_table { BAKE_TEXT, BAKE_CSV, BAKE_JSON };

struct bake_options {
    const char *scene;    // NULL: use from
    const char *from;     // DIR/WORLD[@TICK]: a moment of a world's past
    const char *take;     // a take of records, computed again
    uint64_t first, last; // ticks of the take to write
    const char *output;   // NULL: nothing is recorded
    const char *series;   // NULL: no measures are written
    enum record_format format;
    bool keeps_take; // the output is a take
    uint64_t ticks;
    double seconds;  // instead of ticks, if > 0
    float tolerance; // greatest error of positions in the take, m; 0: exact
    uint32_t every;
    bool substeps, fresh, quiet;
    bool salvage;   // uses the intact part of a world that lost its end
    bool particles; // records the particles of bodies with skins, not the skins
    uint32_t threads;
    enum sim_isa isa;
    double checkpoint_s; // seconds between checkpoints; 0: only at a signal
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

// values.c: adds the values of one --set to set->values; set->path is filled already.
bool bake_values_split(const char *text, struct bake_set *set, struct bake_error *error);

// The text of a scene file, into which values are put. It is kept in memory, because reading the file again for each
// variant would race with a person who edits it.
struct bake_scene {
    char path[4096], folder[4096];
    char *text;
    size_t size;
    void *document; // the document of a world's past, instead of text
    size_t document_size;
};

bool bake_scene_read(const char *path, struct bake_scene *scene, struct bake_error *error);
// from.c: reads a moment of a world's past. Grabs are released.
bool bake_scene_from(const struct bake_options *options, bool (*stop)(void), struct bake_scene *scene,
                     struct bake_error *error);
void bake_scene_deinit(struct bake_scene *scene);
// Makes the document with values[i] (JSON, or a bare word for a string) at sets[i].path. The caller frees *document.
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
    bool tells;         // prints the warnings of the document on stderr
    bool (*stop)(void); // asked after each tick
    void (*progress)(void *context, uint64_t done, uint64_t total); // may be NULL
    void *context;
};

struct bake_result {
    enum bake_status status;
    char text[BAKE_TEXT_SIZE]; // the reason, unless BAKE_OK
    uint64_t first_tick, ticks,
        frames;   // ticks: all ticks so far, including those of the bake that was resumed
    bool written; // the output has its final name
    uint64_t particles;
    struct sim_measures measures;
    double seconds; // time spent in ticks, in all runs
    uint64_t hash;
};

void bake_run(const struct bake_job *job, struct bake_result *result);

// checkpoint.c: the state of a bake. Written as a whole or not at all.
struct bake_checkpoint {
    uint64_t key;           // hash of the scene and the options
    uint64_t ticks, frames; // number done
    uint64_t took_ns;       // nanoseconds spent in these ticks
    uint64_t hash;          // hash of the state
    void *document;         // malloc'd
    size_t size;
};

bool bake_checkpoint_write(const char *path, const struct bake_checkpoint *checkpoint,
                           struct bake_error *error);
// *found is false if there is no checkpoint. Refuses a file that is not one.
bool bake_checkpoint_read(const char *path, struct bake_checkpoint *checkpoint, bool *found,
                          struct bake_error *error);

void bake_checkpoint_remove(const char *path); // also removes one that was only partly written

// series.c: the measures over time. The functions end like those of files: sync makes durable, finish moves to the
// final name.
struct bake_series;
// goes_on: continues the series of a bake that was stopped, up to this tick.
struct bake_series *bake_series_open(const char *path, bool goes_on, uint64_t tick, struct bake_error *error);
bool bake_series_add(struct bake_series *series, uint64_t tick, double time,
                     const struct sim_measures *measures);
bool bake_series_sync(struct bake_series *series, struct bake_error *error);
bool bake_series_finish(struct bake_series *series, struct bake_error *error);
void bake_series_discard(struct bake_series *series); // removes an unfinished series; close it afterwards
void bake_series_close(struct bake_series *series);   // NULL is allowed

// sweep.c
enum bake_status bake_sweep(const struct bake_options *options, const struct bake_scene *scene,
                            bool (*stop)(void));

// play.c: computes a take of records instead of a scene.
enum bake_status bake_play(const struct bake_options *options, bool (*stop)(void));
// The document at a tick of a take; UINT64_MAX: the last. NULL after printing the reason, or if stop says so.
struct document;
struct document *bake_play_to(const struct bake_options *options, const char *take, uint64_t tick,
                              bool (*stop)(void), struct bake_error *error);

// error.c; returns false
bool bake_fail(struct bake_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
