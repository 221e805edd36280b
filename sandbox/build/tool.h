/* Running one of the toolkit's programs from inside a worker. Private to the room. */
#ifndef WARPGRADE_SANDBOX_BUILD_TOOL_H
#define WARPGRADE_SANDBOX_BUILD_TOOL_H

#include "sandbox/build/answer.h"

#include <stdbool.h>

enum { TOOL_OUTPUT_MAX = 8 << 20 };

/* Runs argv[0] with the environment given, in `directory`, and appends what it writes to its
 * standard output and error to `output`. Returns its wait status; -1 where it could not be started.
 */
int tool_run(char *const argv[], char *const environment[], const char *directory,
             struct text *output);

/* The folder that the worker starts in, with the submission and its headers. */
struct scratch {
    char path[4096];
};
/* Each: false with the answer filled. */
bool scratch_find(struct scratch *scratch, struct build_answer *answer);
bool scratch_write_headers(const struct scratch *scratch, const struct build_job *job,
                           struct build_answer *answer);
bool scratch_write_source(const char *path, const struct build_job *job,
                          struct build_answer *answer);

enum { TOOL_FIXED_ARGUMENTS = 24 };
struct tool_arguments {
    char *strings[TOOL_FIXED_ARGUMENTS + BUILD_MAX_DEFINES + BUILD_MAX_OPTIONS];
    size_t count;
};
void tool_arguments_add(struct tool_arguments *arguments, char *string); /* takes it over */
void tool_arguments_free(struct tool_arguments *arguments);

/* Runs nvcc or the host compiler in the folder, with the environment that they need. Returns its
 * wait status. */
int scratch_run_tool(const struct scratch *scratch, const struct build_job *job,
                     struct tool_arguments *arguments, struct text *log);
/* A tool that crashed or was killed is out of memory or broken; one that refuses says why. */
bool tool_is_sound(int status, const char *tool, struct text *output, char *trouble, size_t size);

#endif
