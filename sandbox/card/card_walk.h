/* What stands in a folder, folder by folder from the top, each by name. Private to the room. */
#ifndef WARPGRADE_SANDBOX_CARD_CARD_WALK_H
#define WARPGRADE_SANDBOX_CARD_CARD_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct walk {
    int root;
    bool follows_links; /* those that stay below the root */
    bool sees_hidden;   /* names that begin with a dot */
    /* Of each file, folder and what else there is, in order; `path` is relative to the root.
     * `descriptor` is of O_PATH; -1 where it cannot be reached without leaving the root, and
     * *info is then empty. Of a folder: true where it is entered. */
    bool (*visit)(void *context, const char *path, int descriptor, const struct stat *info);
    void *context;
};

/* At most so many names are looked at; true where these were all. */
bool walk_folder(const struct walk *walk, size_t most_names);

/* An O_PATH descriptor of what stands there, links below the folder followed; -1: nothing does. */
int walk_find(int folder, const char *path);
/* Opens the regular file that an O_PATH descriptor stands for; -1: errno says why. */
int walk_open(int descriptor);
/* Copies `bytes` of a file, holes as holes; false: errno says why. */
bool walk_copy(int from, int to, uint64_t bytes);

#endif
