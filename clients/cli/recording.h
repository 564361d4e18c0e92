// What the files of `weft record` share: one recording under way.
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
    bool frames;     // a take of frames is wanted
    bool lossless, substeps;
    bool past; // of ticks that have been
    bool from_given, to_given;
    uint64_t from, to; // of them
    uint64_t revision; // of the tick that is shown
    char view[24];     // id of what shows them
    float tolerance;   // of positions, m; 0: as they are
    double images_s;   // of the world's time, from image to image of a take of records
    double seconds;    // of the world's time; 0: until it is told to stop
    uint64_t ticks;    // 0: as seconds says
    uint32_t every;
    uint32_t tick_rate, substep_count;
    struct record_body *looks; // of each body
    struct record_take *take;
    float *positions, *poses; // of one frame
    uint64_t first_tick, last_unit, missed;
    bool begun, over;
    int status;
    struct record_meter meter;
    char take_path[4096];
};

// Each returns CLI_OK, or the exit status after telling why.
int recording_fail(const char *code, const char *text); // tells
void recording_stop(struct recording *recording,
                    int status); // it is over; the first status that is none counts
// A call about the recorded world; body 0 and field NULL are left out.
int recording_call(struct recording *recording, const char *method, uint32_t body, const char *field,
                   struct weft_reply *reply);
uint64_t recording_ticks(const struct recording *recording); // 0: until it is told to stop
int recording_join(struct recording *recording);             // the document
int recording_learn(struct recording *recording);            // its bodies and their looks
int recording_begin_take(struct recording *recording);       // of what was learnt
// The take that was asked for comes into its place, unless there is one already and this recording failed.
int recording_move_take(const struct recording *recording);
int recording_inputs(struct recording *recording); // record_inputs.c: all of a take of records
// record_past.c: a view of the first tick is made, and is the world that is recorded from then on.
int recording_look_back(struct recording *recording);
int recording_move_on(struct recording *recording,
                      uint64_t tick); // the view; bodies that are gone end the recording

#endif
