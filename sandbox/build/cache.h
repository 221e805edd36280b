/* Answers of build workers, kept by the hash of everything they depend on. Private to the room. */
#ifndef WARPGRADE_SANDBOX_BUILD_CACHE_H
#define WARPGRADE_SANDBOX_BUILD_CACHE_H

#include "sandbox/base/hash.h"
#include "sandbox/base/text.h"
#include "sandbox/build/build.h"

#include <stdbool.h>

/* The payload that was stored under the key, appended to payload; false where there is none that
 * can be trusted: missing, damaged, or stored under another key. */
bool build_cache_get(const struct sha256 *key, struct text *payload);
/* Stores it, whole or not at all. A cache that cannot be written is no error. */
void build_cache_put(const struct sha256 *key, const void *payload, size_t length);
/* Removes the least recently used entries until the rest is at most max_bytes. */
void build_cache_prune(uint64_t max_bytes);
/* A file's path, size and time of change, as a part of a key; "-" where it is not there. */
void build_cache_stamp(struct text *out, const char *path);

/* What a compilation reads besides its source. */
enum cache_source {
    CACHE_SOURCE_UNSOUND,      /* it may read files that no key can name */
    CACHE_SOURCE_ALONE,        /* nothing but the source and what the worker carries */
    CACHE_SOURCE_WITH_TOOLKIT, /* headers of the toolkit as well: build_cache_stamp_headers() */
};

/* The headers that come with a source: their texts are a part of the key. */
struct cache_headers {
    const char *const *names;
    size_t count;
};

/* Unsound is a source that includes a file by an absolute or climbing path, through a macro, or one
 * that is neither a shim nor the toolkit's nor among `own`. */
enum cache_source build_cache_source(const char *source, size_t length,
                                     const struct cache_headers *own,
                                     const char *include_directory);
/* Every header of NVRTC's toolkit, and of nvcc's where that is another, with its size and time of
 * change, as a part of a key. A toolkit is looked at once: what changes in it while a class is
 * graded counts from the next process on, or after build_cache_forget_headers(). */
void build_cache_stamp_headers(struct text *out, const struct build_toolchain *toolchain);
void build_cache_forget_headers(void);

#endif
