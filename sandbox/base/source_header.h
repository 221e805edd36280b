/* A file that a source may include beside the toolkit's. */
#ifndef WARPGRADE_SANDBOX_BASE_SOURCE_HEADER_H
#define WARPGRADE_SANDBOX_BASE_SOURCE_HEADER_H

struct source_header {
    const char *name; /* as in the directive: "tile.h", "common/check.h" */
    const char *text;
};

#endif
