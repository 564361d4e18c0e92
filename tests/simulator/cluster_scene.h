// Shared by the files of the scenarios cluster, alone and move:
//
//     scenario_cluster.c   people, what goes wrong, and the run of cluster and alone
//     scenario_move.c      the run of move
//     cluster_compare.c    what has to hold when all is well again
#ifndef WEFT_SIMULATOR_CLUSTER_SCENE_H
#define WEFT_SIMULATOR_CLUSTER_SCENE_H

#include "nodes.h"
#include "scenario.h"

#include "base/thread.h"

#include <stdbool.h>
#include <stdint.h>

enum { PEOPLE = 3, SHARED = 2, EDITS = 1024, MS = 1000000 };

struct cluster_edit {
    char name[16];
    uint32_t world; // place in shared
    bool by_name;   // nobody was answered yet that there is such a world: it may be in any that is called so
    enum outcome outcome;
    uint64_t revision; // that was answered
    uint32_t seen;     // in the log
};

struct cluster_scene {
    struct node nodes[NODES];
    uint32_t node_count;
    struct cluster_edit edits[EDITS];
    uint32_t edit_count;
    uint32_t ids[SHARED];  // of worlds; 0: nobody was answered
    uint64_t sure[SHARED]; // the last revision that somebody was told is kept
    uint64_t hashes[SHARED], ticks[SHARED];
    uint64_t inputs, answered, refused, moves, grabs_gone_on, told;
    bool over;
    struct scenario_verdict verdict;
};

struct cluster_human {
    struct person person; // first
    struct cluster_scene *scene;
    uint64_t random;
    struct base_thread thread;
    uint32_t at; // number of the server where the worlds were last
    bool joined[SHARED], left[SHARED];
    uint32_t grabs[SHARED];
};

// By its id: of worlds that were made at several servers at once more than one may be called so for a while.
#define ID(human, world) ((human)->scene->ids[world])

void cluster_go_to(struct cluster_human *human, uint32_t server);
bool cluster_follow(struct cluster_human *human,
                    enum outcome outcome); // true: it is to be asked again, elsewhere
void cluster_create(struct cluster_human *human, uint32_t world);

void cluster_compare(struct cluster_scene *scene, struct cluster_human *people);
void cluster_look_at_folder(struct cluster_scene *scene, const struct node *node); // after its server

#endif
