/* Where a program runs from: a folder that every user can reach, with our CUDA runtime and the
 * libraries of the program's own folder beside it. Private to the command. */
#ifndef WARPGRADE_GRADER_CLI_RUN_STAGE_H
#define WARPGRADE_GRADER_CLI_RUN_STAGE_H

#include "sandbox/base/error.h"

#include <stddef.h>

struct run_stage {
    char *folder, *program; /* absolute paths; NULL: not made */
};

/* `home` is the folder whose libraries the program may need; NULL: none. */
enum status stage_make(const char *program, size_t length, const char *runtime, const char *home,
                       struct run_stage *stage, struct error *error);
/* Removes the folder. */
void stage_clear(struct run_stage *stage);

#endif
