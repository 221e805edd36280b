/* Answers of build workers, kept by the hash of everything they depend on. Private to the room. */
#ifndef WARPGRADE_SANDBOX_BUILD_CACHE_H
#define WARPGRADE_SANDBOX_BUILD_CACHE_H

#include "sandbox/base/hash.h"
#include "sandbox/base/text.h"

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
/* Does the compilation depend on the source and the toolkit alone? Not when it includes a file by
 * an absolute or climbing path, through a macro, or one that is neither a shim nor the toolkit's.
 */
bool build_cache_is_sound(const char *source, size_t length, const char *include_directory);

#endif
