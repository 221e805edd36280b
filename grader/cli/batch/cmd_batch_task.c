/* `warpgrade batch-task`: what `batch --cluster` has a node run. It is not for people, so that it
 * is not listed; what it prints is the log of a task. */
#include "grader/cli/command.h"

#include "grader/cluster/cluster.h"

#include <argp.h>
#include <limits.h>
#include <stdlib.h>

struct task_command {
    const char *folder;
    unsigned number;
    unsigned given;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct task_command *command = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (command->given == 0)
            command->folder = argument;
        else if (command->given == 1)
            command->number =
                (unsigned)command_number_option(state, "NUMBER", argument, 0, INT_MAX);
        else
            argp_error(state, "one task at a time");
        command->given++;
        return 0;
    case ARGP_KEY_END:
        if (command->given < 2)
            argp_error(state, "which task? FOLDER is a run's, NUMBER its first task");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {COMMAND_JAIL_CHILD, {0}};

static const struct argp parser = {
    NULL,
    parse_option,
    "FOLDER NUMBER",
    "Judges one task of `warpgrade batch --cluster slurm` on this node: NUMBER, and of a job array "
    "as many after it as SLURM_ARRAY_TASK_ID says. What has a result is not judged again.",
    children,
    NULL,
    NULL};

int command_batch_task(int argc, char **argv) {
    struct task_command command = {0};
    struct error error = {0};
    command_parse(&parser, argc, argv, &command);
    const char *index = getenv("SLURM_ARRAY_TASK_ID");
    unsigned number = command.number + (index ? (unsigned)strtoul(index, NULL, 10) : 0);
    enum status status = cluster_run_task(command.folder, number, &error);
    return status == STATUS_OK ? 0 : command_fail(status, &error);
}
