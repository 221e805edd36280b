/* Reading files whole and writing them whole or not at all. */
#ifndef WARPGRADE_SANDBOX_BASE_FILE_H
#define WARPGRADE_SANDBOX_BASE_FILE_H

#include "sandbox/base/error.h"

#include <stddef.h>

/* Of a submission: what reads one from a repository and what compiles one agree. */
enum { FILE_MAX_SUBMISSION_BYTES = 1 << 20 };

/* Reads a regular file of at most max_bytes into *data (NUL-terminated, caller frees). Errors:
 * missing, a directory, a device, a FIFO, too large, unreadable; each says so by name. */
enum status file_read(const char *path, size_t max_bytes, char **data, size_t *length,
                      struct error *error);
/* The same for a file that a stranger made: a symbolic link is refused, because it may lead to what
 * only its reader may see. */
enum status file_read_foreign(const char *path, size_t max_bytes, char **data, size_t *length,
                              struct error *error);
/* Writes to a temporary name in the same folder and renames; a reader sees the old file or the new
 * one. The mode is 0666 less the umask. Links are followed. /dev/stdout and the like name a
 * descriptor that is open already and is written to; devices and FIFOs are written in place. */
enum status file_write(const char *path, const void *data, size_t length, struct error *error);
/* The descriptor that /dev/stdout, /dev/fd/N and the like name; -1 for any other path. */
int file_descriptor_of(const char *path);
bool file_is_standard_output(const char *path); /* "-" or a name of descriptor 1 */
enum status file_make_directories(const char *path, struct error *error); /* mkdir -p */
bool file_exists(const char *path);
/* "dir" + "/" + "name"; an absolute name is returned as it is. Caller frees. */
char *file_join(const char *directory, const char *name);
const char *file_base_name(const char *path); /* the part after the last '/' */
/* Writes all bytes to a descriptor, going on after EINTR and short writes. */
bool file_write_all(int descriptor, const void *data, size_t length);
/* The same at an offset, and back; the descriptor's position stays. False, with errno, where not
 * all of it can be moved; a file that ends too early is such a case. */
bool file_write_at(int descriptor, const void *data, size_t length, size_t offset);
bool file_read_at(int descriptor, void *data, size_t length, size_t offset);
/* The first program of this name in folders that are listed as in $PATH; relative ones are left
 * out. NULL: there is none. The caller frees it. */
char *file_find_program(const char *folders, const char *name);

#endif
