/* The subcommands of `warpgrade author`. */
#ifndef WARPGRADE_GRADER_CLI_AUTHOR_AUTHOR_CLI_H
#define WARPGRADE_GRADER_CLI_AUTHOR_AUTHOR_CLI_H

#include "grader/cli/command.h"

int command_author_new(int argc, char **argv);
int command_author_mutate(int argc, char **argv);

#endif
