/* Which submissions make a task: as many as keep a node busy for a while, because starting a task
 * costs Slurm about a second; not so many that a lost node costs much or a node has nothing. */
#ifndef WARPGRADE_GRADER_CLUSTER_GROUPING_H
#define WARPGRADE_GRADER_CLUSTER_GROUPING_H

#include <stdbool.h>
#include <stddef.h>

#define GROUPING_LEAST_SECONDS 5.0
#define GROUPING_MOST_SECONDS  40.0
enum { GROUPING_MOST_UNITS = 500, GROUPING_TASKS = 16 /* at the same time, where none is said */ };

struct grouping_unit {
    double seconds; /* expected */
    bool alone;     /* its task was lost with it before: it may be the cause */
    size_t task;    /* out: 0, 1, ... in the order of the units */
};

/* Returns the number of tasks. together: tasks that run at the same time; 0: not known. */
size_t grouping_make(struct grouping_unit *units, size_t count, size_t together);

#endif
