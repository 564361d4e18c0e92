// weftd before it serves: the signals, files and folders of the process, and the token that --token-new makes in place of a server.
#ifndef WEFT_EARLY_H
#define WEFT_EARLY_H

#include <signal.h>

struct options;

enum { EARLY_SIGNALS = 2 };

struct early {
    struct sigaction before[EARLY_SIGNALS];
};

// Between the two, SIGINT and SIGTERM end the process at once, with status 0. Brokers may be waited for before the loop runs, which
// hears signals, and whatever is asked of them waits for its answer. Nothing was promised to anybody yet, and what is on the disk
// bears any end.
void early_begin(struct early *early);
void early_end(const struct early *early);

// Lets the process have as many files as the system allows: each session is one.
void early_raise_files(void);

// Does what --token-new asks for, and returns the exit status. A server may run meanwhile.
int early_make_token(const struct options *options);

// Sets the folder of the studio's files to where a build or an installation puts them, unless the option was given. It stays empty if
// they are in neither place.
void early_find_studio(struct options *options);

#endif
