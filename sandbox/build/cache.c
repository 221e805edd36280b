/* The build cache: one file an entry, <cache>/build/ab/abcdef....
 *
 * <cache> is $WARPGRADE_CACHE_DIR, else $XDG_CACHE_HOME/warpgrade, else ~/.cache/warpgrade. Only
 * the trusted process writes it. An entry is "WGC1", the SHA-256 of key and payload, the payload: a
 * damaged file, or one that was copied from another key, does not verify and is replaced. What is
 * read is then decoded as strictly as a worker's own answer. An entry's time of change is that of
 * its last use; the oldest go first when the cache has grown beyond its bound. */
#include "sandbox/build/cache.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/shims.h"

#include <ctype.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC_BYTES = 4, HEADER_BYTES = MAGIC_BYTES + 32, ENTRY_MAX = 128 << 20 };
static const uint64_t cache_max_bytes = 256ULL << 20;

/* NULL where this user has no place for a cache. */
static char *cache_folder(void) {
    const char *own = getenv("WARPGRADE_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (own && own[0] == '/')
        return mem_printf("%s/build", own);
    if (xdg && xdg[0] == '/')
        return mem_printf("%s/warpgrade/build", xdg);
    if (home && home[0] == '/')
        return mem_printf("%s/.cache/warpgrade/build", home);
    return NULL;
}

static char *entry_path(const struct sha256 *key, bool make_folder) {
    cleanup_free char *folder = cache_folder();
    if (!folder)
        return NULL;
    char hex[65];
    hash_hex(key, hex);
    cleanup_free char *subfolder = mem_printf("%s/%.2s", folder, hex);
    if (make_folder && file_make_directories(subfolder, NULL) != STATUS_OK)
        return NULL;
    return mem_printf("%s/%s", subfolder, hex);
}

static struct sha256 checksum(const struct sha256 *key, const void *payload, size_t length) {
    struct hash_part parts[] = {{key, sizeof *key}, {payload, length}};
    return hash_parts(parts, ARRAY_LENGTH(parts));
}

bool build_cache_get(const struct sha256 *key, struct text *payload) {
    cleanup_free char *path = entry_path(key, false);
    cleanup_free char *data = NULL;
    size_t length;
    if (!path || file_read(path, ENTRY_MAX, &data, &length, NULL) != STATUS_OK)
        return false;
    if (length < HEADER_BYTES || memcmp(data, "WGC1", MAGIC_BYTES) != 0)
        return false;
    struct sha256 sum = checksum(key, data + HEADER_BYTES, length - HEADER_BYTES);
    if (memcmp(data + MAGIC_BYTES, sum.bytes, sizeof sum.bytes) != 0)
        return false;
    text_append_bytes(payload, data + HEADER_BYTES, length - HEADER_BYTES);
    utimensat(AT_FDCWD, path, NULL, 0); /* last used now; a read-only cache stays as it is */
    return true;
}

void build_cache_put(const struct sha256 *key, const void *payload, size_t length) {
    cleanup_free char *path = entry_path(key, true);
    if (!path || length > ENTRY_MAX - HEADER_BYTES)
        return;
    cleanup_text struct text entry = {0};
    struct sha256 sum = checksum(key, payload, length);
    text_append(&entry, "WGC1");
    text_append_bytes(&entry, sum.bytes, sizeof sum.bytes);
    text_append_bytes(&entry, payload, length);
    file_write(path, entry.data, entry.length, NULL);
    if (key->bytes[0] % 16 == 0) /* looking at every entry is not worth it each time */
        build_cache_prune(cache_max_bytes);
}

struct cache_entry {
    char *path;
    struct timespec used;
    uint64_t bytes;
};

static int compare_age(const void *left, const void *right) {
    const struct cache_entry *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    return (a->used.tv_nsec > b->used.tv_nsec) - (a->used.tv_nsec < b->used.tv_nsec);
}

void build_cache_prune(uint64_t max_bytes) {
    cleanup_free char *folder = cache_folder();
    char *roots[] = {folder, NULL};
    FTS *walk = folder ? fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL) : NULL;
    if (!walk)
        return;
    struct cache_entry *entries = NULL;
    size_t count = 0, capacity = 0;
    uint64_t total = 0;
    for (FTSENT *found; (found = fts_read(walk));) {
        if (found->fts_info != FTS_F)
            continue;
        struct cache_entry *entry = mem_push(&entries, &count, &capacity);
        *entry = (struct cache_entry){mem_strdup(found->fts_path), found->fts_statp->st_mtim,
                                      (uint64_t)found->fts_statp->st_size};
        total += entry->bytes;
    }
    fts_close(walk);
    if (total > max_bytes)
        qsort(entries, count, sizeof *entries, compare_age);
    for (size_t i = 0; i < count; i++) {
        if (total > max_bytes && unlink(entries[i].path) == 0)
            total -= entries[i].bytes;
        free(entries[i].path);
    }
    free(entries);
}

void build_cache_stamp(struct text *out, const char *path) {
    struct stat info;
    if (!path[0] || stat(path, &info) != 0)
        text_append(out, "-\n");
    else
        text_printf(out, "%s %lld %lld.%09ld\n", path, (long long)info.st_size,
                    (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

/* Is the name between quotes or angle brackets one that always means the same bytes? */
static bool known_include(const char *name, size_t length, const char *include_directory) {
    if (build_shim_exists(name, length))
        return true;
    if (!length || length > 255 || name[0] == '/' || memmem(name, length, "..", 2) ||
        !include_directory[0])
        return false;
    cleanup_free char *path = mem_printf("%s/%.*s", include_directory, (int)length, name);
    return access(path, R_OK) == 0;
}

/* The source without line splices, in which "include" could hide. */
static void join_lines(const char *source, size_t length, struct text *joined) {
    for (size_t i = 0; i < length; i++) {
        size_t skip = source[i] != '\\' || i + 1 == length                               ? 0
                      : source[i + 1] == '\n'                                            ? 1
                      : source[i + 1] == '\r' && i + 2 < length && source[i + 2] == '\n' ? 2
                                                                                         : 0;
        if (skip)
            i += skip;
        else
            text_append_char(joined, source[i]);
    }
}

/* Counts plain directives with known names; any other use of the words makes it unsound. That the
 * word in a comment counts too costs a compilation, never a wrong result. */
bool build_cache_is_sound(const char *source, size_t length, const char *include_directory) {
    static const char word[] = "include";
    cleanup_text struct text joined = {0};
    join_lines(source, length, &joined);
    const char *text = text_string(&joined);
    if (strstr(text, "#import") || strstr(text, "embed") || strstr(text, "__TIME__") ||
        strstr(text, "__DATE__") || strstr(text, "__TIMESTAMP__"))
        return false;
    for (const char *at = text; (at = strstr(at, word));) {
        const char *before = at;
        while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        at += sizeof word - 1;
        at += strspn(at, " \t");
        const char *close = *at == '"' ? "\"\n" : *at == '<' ? ">\n" : NULL;
        if (before == text || before[-1] != '#' || !close)
            return false;
        size_t name_length = strcspn(at + 1, close);
        if (at[1 + name_length] != close[0] ||
            !known_include(at + 1, name_length, include_directory))
            return false;
    }
    return true;
}
