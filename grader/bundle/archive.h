/* A zip file of texts and folders: the same content gives the same bytes. */
#ifndef WARPGRADE_GRADER_BUNDLE_ARCHIVE_H
#define WARPGRADE_GRADER_BUNDLE_ARCHIVE_H

#include "sandbox/base/error.h"

#include <stdbool.h>

struct archive;

/* What stands at `path` is replaced when the archive is closed, and not before. */
enum status archive_open(const char *path, struct archive **archive, struct error *error);
/* The bytes under a name, "setup.sh"; executable: of mode 0755, else 0644. They are copied. */
enum status archive_add(struct archive *archive, const char *name, const void *data, size_t length,
                        bool executable, struct error *error);
/* The file at `path`, executable where it is so there. */
enum status archive_add_file(struct archive *archive, const char *name, const char *path,
                             struct error *error);
/* The regular files of a folder and of those below it, sorted. What begins with a dot and what is a
 * link is left out. */
enum status archive_add_folder(struct archive *archive, const char *name, const char *path,
                               struct error *error);
/* Writes it; on an error nothing is written. *files, *bytes: how many there are in it, and the
 * size that they have unpacked. Frees the archive. */
enum status archive_close(struct archive *archive, size_t *files, size_t *bytes,
                          struct error *error);
void archive_discard(struct archive *archive); /* writes nothing; NULL is allowed */

#endif
