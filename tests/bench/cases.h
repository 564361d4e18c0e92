// The cases of `weft-bench solver`, each in a file of its own. They print what they find, add rows to the report, and
// return false when something failed (a world, a thread, memory), which they have told on stderr.
#ifndef WEFT_BENCH_CASES_H
#define WEFT_BENCH_CASES_H

#include "options.h"
#include "report.h"

bool bench_timing(struct bench_report *report, const struct bench_options *options); // cloths and cubes
bool bench_verify(struct bench_report *report, const struct bench_options *options);
bool bench_contacts(struct bench_report *report, const struct bench_options *options);
bool bench_worlds(struct bench_report *report, const struct bench_options *options);
bool bench_memory(struct bench_report *report, const struct bench_options *options);
bool bench_plan(struct bench_report *report, const struct bench_options *options);
bool bench_reads(struct bench_report *report, const struct bench_options *options);
bool bench_convergence(struct bench_report *report, const struct bench_options *options);
bool bench_attach(struct bench_report *report, const struct bench_options *options);
bool bench_gallery(struct bench_report *report, const struct bench_options *options); // whole scenes
bool bench_bullet(struct bench_report *report, const struct bench_options *options);

// Bytes that an hour of a world takes: a part of `weft-bench journal`.
bool bench_journal_hours(struct bench_report *report, const char *folder, bool quick);

// `weft-bench journal`, `contact`, `stream`, `stiff`, `chains` and `gallery`: take their own arguments, return the exit status.
int bench_journal(int count, char **arguments);
int bench_stream(int count, char **arguments);
int bench_contact(int count, char **arguments);
int bench_stiff(int count, char **arguments);
int bench_chains(int count, char **arguments);
int bench_play(int count, char **arguments);

#endif
