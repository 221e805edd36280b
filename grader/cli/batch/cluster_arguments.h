/* The options of `warpgrade batch` that say which cluster judges. */
#ifndef WARPGRADE_GRADER_CLI_BATCH_CLUSTER_ARGUMENTS_H
#define WARPGRADE_GRADER_CLI_BATCH_CLUSTER_ARGUMENTS_H

#include "grader/cluster/cluster.h"

struct cluster_arguments {
    bool on_cluster;
    struct cluster_options options;
    const char **list; /* options for sbatch */
    size_t count, capacity;
    char *gres;
};
/* A child parser; its input is a struct cluster_arguments. */
extern const struct argp cluster_argp;
/* NULL: this machine judges. */
const struct cluster_options *cluster_arguments_options(struct cluster_arguments *arguments);
void cluster_arguments_free(struct cluster_arguments *arguments);

#endif
