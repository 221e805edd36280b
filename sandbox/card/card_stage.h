/* Where a program runs from: a folder that every user can reach, with our CUDA runtime and the
 * libraries of the program's own folder beside it. */
#ifndef WARPGRADE_SANDBOX_CARD_CARD_STAGE_H
#define WARPGRADE_SANDBOX_CARD_CARD_STAGE_H

#include "sandbox/base/error.h"

#include <stddef.h>

struct card_stage {
    char *folder, *program; /* absolute paths; NULL: not made */
};

/* Where our libcudart.so.13 is: to be linked with. The caller frees it. */
enum status card_runtime_folder(char **found, struct error *error);

/* `home` is the folder whose libraries the program may need; NULL: none. Others that it looks in
 * are taken into account where they lie below, or below `shown`, which it is shown anyway; NULL:
 * nothing is. The user's $LD_LIBRARY_PATH is, wherever it leads. */
enum status card_stage_make(const char *program, size_t length, const char *home, const char *shown,
                            struct card_stage *stage, struct error *error);
/* Removes the folder. */
void card_stage_clear(struct card_stage *stage);

#endif
