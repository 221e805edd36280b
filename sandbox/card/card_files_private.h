/* What the two sides of a program's folder share. Private to the room. */
#ifndef WARPGRADE_SANDBOX_CARD_CARD_FILES_PRIVATE_H
#define WARPGRADE_SANDBOX_CARD_CARD_FILES_PRIVATE_H

#include "sandbox/card/card_files.h"

#include <sys/stat.h>

struct card_file {
    char *path;
    ino_t node;
    uint64_t bytes;
    struct timespec changed;
};
int card_file_compare(const void *left, const void *right); /* by path */

/* What stands in the folder that was not copied there as it is now. */
void card_written_collect(struct card_files *files, int folder);

#endif
