/* A folder's files where the users that workers run as can read them. */
#ifndef WARPGRADE_SANDBOX_ISOLATION_REACHABLE_H
#define WARPGRADE_SANDBOX_ISOLATION_REACHABLE_H

#include "sandbox/base/error.h"

/* As root: *copy is a new folder with a copy of the file; workers have users of their own, to whom
 * a home or /root is closed, and the jail without namespaces shows nothing in another place. Else
 * NULL: the folder is as reachable as it is. */
enum status reachable_copy(const char *folder, const char *name, char **copy, struct error *error);
/* Removes and frees it. */
void reachable_remove(char *copy, const char *name);

#endif
