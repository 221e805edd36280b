/* The folders that a program's own libraries may stand in. Private to the room. */
#ifndef WARPGRADE_SANDBOX_CARD_LIBRARY_FOLDERS_H
#define WARPGRADE_SANDBOX_CARD_LIBRARY_FOLDERS_H

#include <stddef.h>

struct library_folders {
    char **paths; /* each once */
    size_t count, capacity;
    const char *below[2]; /* where those that a file names must lie, without links; NULL: unused */
};

/* `home`, where the ELF file stands, and those that it names itself; not the system's. */
void library_folders_add(struct library_folders *folders, const char *program, size_t length,
                         const char *home);
/* Those of a list with colons, as $LD_LIBRARY_PATH has them. */
void library_folders_add_list(struct library_folders *folders, const char *list, const char *home);
void library_folders_free(struct library_folders *folders);

#endif
