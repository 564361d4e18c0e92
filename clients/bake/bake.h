// weft-bake computes a scene without a server, at full speed. This header has the declarations that its files share.
//
//     scene file ─▶ values set ─▶ document ─▶ sim ─▶ tick, tick, tick … ─▶ take ─▶ output
//                                             ▲                │
//                                             └── checkpoint ◀─┘   so that the bake can be resumed
//
// A server's world is the same sim, made from the same document, so both get the same bits. A sweep is a bake for each
// combination of values of --set; the combinations are called variants.
//
// Functions return false and fill *error if they fail. Only functions that return a status print; `stop` is asked often, and
// says whether a signal came. One thread uses an object at a time; a sweep runs its variants on several threads.
#ifndef WEFT_BAKE_H
#define WEFT_BAKE_H

#include "protocol/fault/fault.h"
#include "record/record.h"
#include "sim/sim.h"

#include <stdbool.h>
#include <stdint.h>

enum bake_status {
    BAKE_OK = 0,
    BAKE_FAILED = 1,    // the world or this program failed
    BAKE_USAGE = 2,     // wrong arguments, or a scene that is refused
    BAKE_STOPPED = 130, // stopped by a signal; running it again resumes it
};

enum { BAKE_SETS_MAX = 16, BAKE_VARIANTS_MAX = 100000 };

// One --set, such as body.flag.stretch.compliance=1e-7,1e-6. The options own path and values.
struct bake_set {
    char *path;
    char **values; // as text
    uint32_t value_count, value_capacity;
};

enum bake_table { BAKE_TEXT, BAKE_CSV, BAKE_JSON }; // how a sweep prints its results

// Strings are those of argv, except in sets.
struct bake_options {
    const char *scene;         // path, or name in the gallery; NULL: use from or take
    const char *from;          // DIR/WORLD[@TICK]: a moment of a world's past
    const char *take;          // path of a take of records, which is computed again
    uint64_t first, last;      // ticks of that take to write
    const char *output;        // path; NULL: nothing is recorded
    const char *series;        // path of a table of measures; NULL: none
    enum record_format format; // of the output, unless keeps_take
    bool keeps_take;           // the output is a take
    uint64_t ticks;            // number of ticks to run
    double seconds;            // of the simulation: instead of ticks, if > 0
    float tolerance;           // greatest error of positions in the take, m; 0: exact
    uint32_t every;            // records every n-th tick, or substep if `substeps`
    // substeps: records substeps, not only ticks. fresh: ignores a checkpoint. quiet: prints no progress.
    bool substeps, fresh, quiet;
    bool salvage;     // uses the intact part of a world that lost its end
    bool particles;   // records the particles of bodies with skins, not the skins
    uint32_t threads; // 1 to 64
    enum sim_isa isa;
    double checkpoint_s; // seconds of time between checkpoints; 0: only at a signal
    enum bake_table table;
    struct bake_set sets[BAKE_SETS_MAX];
    uint32_t set_count;
};

// options.c. BAKE_WRONG: *error says why. The caller deinits the options in every case.
enum bake_parsed { BAKE_RUN, BAKE_HELP, BAKE_VERSION, BAKE_WRONG };
enum bake_parsed bake_options_parse(int argc, char **argv, struct bake_options *options, struct fault *fault);
void bake_options_deinit(struct bake_options *options);
void bake_help(void);

// values.c. Splits the text after "=" of a --set into set->values, with ranges expanded. set->path is set already.
bool bake_values_split(const char *text, struct bake_set *set, struct fault *fault);

// The text of a scene file, from which each variant is made. It is kept in memory, because somebody may edit the file while
// the sweep runs.
struct bake_scene {
    char path[4096], folder[4096]; // folder: with the scene's other files
    char *text;
    size_t size;    // of text, bytes
    void *document; // packed document of a world's past; then text is NULL
    size_t document_size;
};

// scene.c. path is that of a file, or the name of a scene in the gallery.
bool bake_scene_read(const char *path, struct bake_scene *scene, struct fault *fault);
// from.c. Reads the moment of a world's past that options->from names. Grabs are released.
bool bake_scene_from(const struct bake_options *options, bool (*stop)(void), struct bake_scene *scene,
                     struct fault *fault);
void bake_scene_deinit(struct bake_scene *scene);
// Makes the packed document in which sets[i].path has values[i] (JSON, or a bare word for a string), for i < count. The caller
// frees *document.
bool bake_scene_document(const struct bake_scene *scene, const struct bake_set *sets,
                         const char *const *values, uint32_t count, void **document, size_t *size,
                         struct fault *fault);

// The input of one bake. The caller owns everything.
struct bake_job {
    const struct bake_options *options;
    const void *document; // packed
    size_t document_size;
    const char *output, *series; // paths, in place of those of the options; NULL: none
    struct base_parallel *parallel;
    bool tells;         // prints the warnings of the document on stderr
    bool (*stop)(void); // asked after each tick
    void (*progress)(void *context, uint64_t done, uint64_t total); // in ticks; may be NULL
    void *context;                                                  // for progress
};

struct bake_result {
    enum bake_status status;
    char text[FAULT_TEXT_SIZE]; // the reason, unless BAKE_OK
    // The document's tick at the start; ticks done and frames recorded, with those of the bake that this one resumed.
    uint64_t first_tick, ticks, frames;
    bool written; // the output is complete and has its final name
    uint64_t particles;
    struct sim_measures measures; // at the end
    double seconds;               // time spent in ticks, in all runs
    uint64_t hash;                // of the state at the end
};

// job.c. Runs the bake, or resumes it from its checkpoint.
void bake_run(const struct bake_job *job, struct bake_result *result);

// checkpoint.c: the state of a bake on disk. It is replaced as a whole or not at all.
struct bake_checkpoint {
    uint64_t key;           // hash of the scene and the options; a checkpoint of another bake is not used
    uint64_t ticks, frames; // number done
    uint64_t took_ns;       // time spent in these ticks
    uint64_t hash;          // of the state
    void *document;         // packed; bake_checkpoint_read mallocs it for the caller
    size_t size;
};

bool bake_checkpoint_write(const char *path, const struct bake_checkpoint *checkpoint, struct fault *fault);
// *found is false if there is no file. False with *error if the file is not a checkpoint.
bool bake_checkpoint_read(const char *path, struct bake_checkpoint *checkpoint, bool *found,
                          struct fault *fault);

void bake_checkpoint_remove(const char *path); // also removes one that was only partly written

// series.c: a table of measures over time. It is written to PATH.part; finish makes it durable and renames it to PATH.
struct bake_series;
// goes_on: continues the table of a bake that was stopped, and removes lines after `tick`. NULL with *error.
struct bake_series *bake_series_open(const char *path, bool goes_on, uint64_t tick, struct fault *fault);
// Writes one line; time is in s. False if it cannot be written.
bool bake_series_add(struct bake_series *series, uint64_t tick, double time,
                     const struct sim_measures *measures);
bool bake_series_sync(struct bake_series *series, struct fault *fault); // makes all lines durable
bool bake_series_finish(struct bake_series *series, struct fault *fault);
void bake_series_discard(struct bake_series *series); // removes an unfinished series; close it afterwards
void bake_series_close(struct bake_series *series);   // NULL is allowed

// sweep.c. Bakes every variant, prints the table of results, and returns the worst status.
enum bake_status bake_sweep(const struct bake_options *options, const struct bake_scene *scene,
                            bool (*stop)(void));

// play.c. Computes a take of records instead of a scene, and prints what it finds.
enum bake_status bake_play(const struct bake_options *options, bool (*stop)(void));
// Computes a take up to a tick (UINT64_MAX: the last) and returns its document, which the caller destroys. NULL with *error, or
// if stop says so.
struct document;
struct document *bake_play_to(const struct bake_options *options, const char *take, uint64_t tick,
                              bool (*stop)(void), struct fault *fault);

#endif
