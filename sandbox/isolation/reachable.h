/* Files where the users that workers run as can reach them. */
#ifndef WARPGRADE_SANDBOX_ISOLATION_REACHABLE_H
#define WARPGRADE_SANDBOX_ISOLATION_REACHABLE_H

#include "sandbox/base/error.h"

#include <stdbool.h>

/* May every user enter all folders above it? Always where workers run as this user. */
bool reachable_path(const char *path);

/* $TMPDIR where that is an absolute path that workers can reach, else /tmp. Caller frees. */
char *reachable_temporary(void);

/* As root: *copy is a new folder with a copy of the file; workers have users of their own, to whom
 * a home or /root is closed, and the jail without namespaces shows nothing in another place. Else
 * NULL: the folder is as reachable as it is. */
enum status reachable_copy(const char *folder, const char *name, char **copy, struct error *error);
/* Removes and frees it. */
void reachable_remove(char *copy, const char *name);

#endif
