/* What a site's Slurm wants to know is passed on as it is: sbatch has a hundred options, and says
 * itself what is wrong with them. */
#include "grader/cli/batch/cluster_arguments.h"

#include "grader/cli/command.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_CLUSTER = 0x5100, OPTION_PASSED, OPTION_GRES, OPTION_TASKS, MAX_TASKS = 10000 };

static const struct argp_option options[] = {
    {"cluster", OPTION_CLUSTER, "slurm", 0,
     "the nodes of a Slurm cluster judge; the gradebook's folder must be shared with them", 0},
    {"cluster-option", OPTION_PASSED, "OPT", 0,
     "an option for sbatch, as --partition=NAME, --account=NAME or --time=60; may be given several "
     "times",
     0},
    {"gres", OPTION_GRES, "LIST", 0,
     "what each task is to be given, as gpu:1: then speed is measured on the nodes' cards", 0},
    {"tasks", OPTION_TASKS, "N", 0,
     "tasks at the same time; default: as many as the cluster has room for", 0},
    {0}};

static void check(const struct cluster_arguments *arguments, struct argp_state *state) {
    if (!arguments->on_cluster && (arguments->count > 0 || arguments->options.together))
        argp_error(state, "--cluster-option, --gres and --tasks go with --cluster slurm");
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct cluster_arguments *arguments = state->input;
    switch (key) {
    case OPTION_CLUSTER:
        if (strcmp(argument, "slurm") != 0)
            argp_error(state, "--cluster takes slurm, not \"%s\"", argument);
        arguments->on_cluster = true;
        return 0;
    case OPTION_PASSED:
        if (argument[0] != '-' || !argument[1])
            argp_error(state, "--cluster-option takes an option of sbatch with its dashes, as in "
                              "--cluster-option=--partition=gpu");
        *mem_push(&arguments->list, &arguments->count, &arguments->capacity) = argument;
        return 0;
    case OPTION_GRES:
        if (arguments->gres)
            argp_error(state, "--gres once, as in --gres=gpu:1,tmpfs:10");
        arguments->gres = mem_printf("--gres=%s", argument);
        *mem_push(&arguments->list, &arguments->count, &arguments->capacity) = arguments->gres;
        return 0;
    case OPTION_TASKS:
        arguments->options.together =
            (size_t)command_number_option(state, "--tasks", argument, 1, MAX_TASKS);
        return 0;
    case ARGP_KEY_END:
        check(arguments, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cluster_argp = {options, parse_option, NULL, NULL, NULL, NULL, NULL};

const struct cluster_options *cluster_arguments_options(struct cluster_arguments *arguments) {
    arguments->options.options = arguments->list;
    arguments->options.option_count = arguments->count;
    return arguments->on_cluster ? &arguments->options : NULL;
}

void cluster_arguments_free(struct cluster_arguments *arguments) {
    free(arguments->list);
    free(arguments->gres);
}
