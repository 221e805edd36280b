/* The folder that a program starts in: a copy of the user's, and what the program wrote there. */
#ifndef WARPGRADE_SANDBOX_CARD_CARD_FILES_H
#define WARPGRADE_SANDBOX_CARD_CARD_FILES_H

#include "sandbox/isolation/jail.h"

/* Of one copy. */
enum { CARD_FILES_MOST = 1000, CARD_FILES_BYTES = 256 << 20 };
/* Of what is told of the files that were written. */
enum { CARD_WRITTEN_MOST = 100 };

struct card_written {
    char *path; /* relative to the folder; hostile */
    uint64_t bytes;
    char kept[96]; /* why it was not kept; "" where it was, or where nothing is to be */
};

struct card_file; /* one that was copied */

struct card_files {
    const char *from;         /* the folder; NULL: nothing of it is there */
    const char *const *named; /* files in it that the user has named, relative to it: copied first,
                                 hidden ones too; ended by NULL; NULL: none */
    const char *keep;         /* a folder for what was written; NULL: nothing is kept */
    /* What came of it. */
    struct card_file *copied; /* sorted by path */
    size_t copied_count, copied_capacity;
    uint64_t copied_bytes;
    size_t left_out; /* files for which there was no room, or whose links lead out of the folder */
    bool cut;        /* ... and others that were not even looked at */
    struct card_written *written;
    size_t written_count, written_capacity;
    size_t more_written; /* beyond CARD_WRITTEN_MOST: neither named nor kept */
    size_t others;       /* links, FIFOs and the like that it made: never kept */
};

/* Copies are of regular files; a link counts as what it leads to, where that is in the folder. What
 * begins with a dot is left out, and a folder with an exercise in it: its answers stand there. */
struct jail_folder card_files_folder(struct card_files *files);
void card_files_free(struct card_files *files);

#endif
