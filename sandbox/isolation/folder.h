/* Where this user's graders keep their locks. */
#ifndef WARPGRADE_SANDBOX_ISOLATION_FOLDER_H
#define WARPGRADE_SANDBOX_ISOLATION_FOLDER_H

/* A folder that is this user's alone: in $XDG_RUNTIME_DIR, /run or /tmp. NULL where none can be
 * made. Caller frees. */
char *jail_lock_folder(void);

#endif
