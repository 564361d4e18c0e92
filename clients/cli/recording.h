// Declarations that the files of `weft record` share: the state of one recording.
#ifndef WEFT_CLI_RECORDING_H
#define WEFT_CLI_RECORDING_H

#include "cli.h"
#include "record/meter.h"
#include "record/record.h"
#include "scene.h"

struct recording {
    struct cli *cli;
    struct cli_scene scene;
    const char *world, *path;
    enum record_format format;
    bool keeps_take; // the output is a take
    bool frames;     // --frames: the take is to hold frames
    bool lossless, substeps;
    bool past; // records past ticks
    bool from_given, to_given;
    uint64_t from, to; // first and last past tick
    uint64_t revision; // revision of the tick that is shown
    char view[24];     // id of the view that shows past ticks
    float tolerance;   // greatest error of positions, m; 0: exact
    double images_s;   // seconds of the world's time between two images of a take of records
    double seconds;    // length in seconds of the world's time; 0: until it is stopped
    uint64_t ticks;    // length in ticks; 0: use seconds
    uint32_t every;
    uint32_t tick_rate, substep_count;
    struct record_body *looks; // one for each body
    struct record_take *take;
    float *positions, *poses; // of the current frame
    uint64_t first_tick, last_unit, missed;
    bool begun, over;
    int status;
    struct record_meter meter;
    char take_path[4096];
};

// These return CLI_OK, or the exit status after printing the reason.
int recording_fail(const char *code, const char *text); // prints the error
void recording_stop(struct recording *recording,
                    int status); // ends the recording; the first status other than CLI_OK counts
// Calls a method about the recorded world; body 0 and field NULL are left out.
int recording_call(struct recording *recording, const char *method, uint32_t body, const char *field,
                   struct weft_reply *reply);
uint64_t recording_ticks(const struct recording *recording); // 0: until it is stopped
int recording_join(struct recording *recording);             // reads the document
int recording_learn(struct recording *recording);            // reads the bodies and their looks
int recording_begin_take(struct recording *recording);       // begins the take with what was read
// Moves the take to its final name, unless a file is there already and this recording failed.
int recording_move_take(const struct recording *recording);
int recording_inputs(struct recording *recording); // record_inputs.c: makes a whole take of records
// record_past.c: creates a view of the first tick; from then on the view is recorded in place of the world.
int recording_look_back(struct recording *recording);
int recording_move_on(struct recording *recording,
                      uint64_t tick); // moves the view; the recording ends if a body does not exist there

#endif
