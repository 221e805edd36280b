/* The headers that a file includes, for the compiler: it runs in a jail, which does not hold them.
 */
#ifndef WARPGRADE_GRADER_CLI_KERNEL_HEADERS_H
#define WARPGRADE_GRADER_CLI_KERNEL_HEADERS_H

#include "sandbox/build/build.h"

/* What was read; names are those of the directives. Zeroed: none. */
struct kernel_headers {
    struct source_header items[BUILD_MAX_HEADERS];
    size_t count;
    size_t bytes;
};

/* Reads what the source of the file at `path` names by #include, and what that names in turn, from
 * the file's own folder (in quotes only) and from `folders`. What is in neither is left to the
 * compiler. With `climbs`, which is BUILD_HEADER_CLIMBS or 0, the file is a program: its names may
 * lead so many folders up, and a header's are read from where it stands itself first.
 * STATUS_INVALID where there are too many or they are too large. The caller frees *headers in any
 * case. */
enum status kernel_headers_read(const char *path, const char *source, const char *const *folders,
                                size_t folder_count, unsigned climbs,
                                struct kernel_headers *headers, struct error *error);
void kernel_headers_free(struct kernel_headers *headers);

#endif
