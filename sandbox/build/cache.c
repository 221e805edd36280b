/* The build cache: one file an entry, <cache>/build/ab/abcdef....
 *
 * <cache> is $WARPGRADE_CACHE_DIR, else $XDG_CACHE_HOME/warpgrade, else ~/.cache/warpgrade. Only
 * the trusted process writes it. An entry is "WGC1", the SHA-256 of key and payload, the payload: a
 * damaged file, or one that was copied from another key, does not verify and is replaced. What is
 * read is then decoded as strictly as a worker's own answer. An entry's time of change is that of
 * its last use; the oldest go first when the cache has grown beyond its bound.
 *
 * A header includes others, those of CUB some hundreds, and NVRTC does not say which it has read.
 * So the key has a hash of names, sizes and times of every file that a known name can lead to: the
 * toolkit's own folders and what lies beside them, some two thousand files and some milliseconds.
 * Only sources that name a header of the toolkit pay for it, once in a process. Where the toolkit
 * is a part of the system, its folder is /usr/include: the other folders there are neither stamped
 * nor known. */
#include "sandbox/build/cache.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/shims.h"

#include <ctype.h>
#include <fcntl.h>
#include <fts.h>
#include <pthread.h>
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

/* Where NVRTC looks, in this order: see compile_nvrtc.c. */
static const char *const include_paths[] = {"", "/cccl"};

static bool is_toolkit_folder(const char *name, size_t length) {
    static const char *const folders[] = {
        "cccl", "cooperative_groups", "crt", "cub", "cuda", "nv", "thrust",
    };
    for (size_t i = 0; i < ARRAY_LENGTH(folders); i++)
        if (strlen(folders[i]) == length && memcmp(folders[i], name, length) == 0)
            return true;
    return false;
}

/* Is the name between quotes or angle brackets that of a file which is stamped? */
static bool is_toolkit_header(const char *name, size_t length, const char *include_directory) {
    if (!length || length > 255 || name[0] == '/' || memmem(name, length, "..", 2) ||
        !include_directory[0])
        return false;
    const char *slash = memchr(name, '/', length);
    if (slash && !is_toolkit_folder(name, (size_t)(slash - name)))
        return false;
    for (size_t i = 0; i < ARRAY_LENGTH(include_paths); i++) {
        cleanup_free char *path =
            mem_printf("%s%s/%.*s", include_directory, include_paths[i], (int)length, name);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

/* Some stand-ins hand on to the toolkit: <limits> to <cuda/std/limits>. */
static enum cache_source shim_source(const char *name, size_t length) {
    for (size_t i = 0; i < build_shim_count; i++)
        if (strlen(build_shim_names[i]) == length && memcmp(build_shim_names[i], name, length) == 0)
            return strstr(build_shim_texts[i], "#include <cuda/") ? CACHE_SOURCE_WITH_TOOLKIT
                                                                  : CACHE_SOURCE_ALONE;
    return CACHE_SOURCE_UNSOUND;
}

static enum cache_source header_source(const char *name, size_t length,
                                       const struct cache_headers *own,
                                       const char *include_directory) {
    for (size_t i = 0; i < own->count; i++)
        if (strlen(own->names[i]) == length && memcmp(own->names[i], name, length) == 0)
            return CACHE_SOURCE_ALONE;
    enum cache_source kind = shim_source(name, length);
    if (kind == CACHE_SOURCE_UNSOUND && is_toolkit_header(name, length, include_directory))
        kind = CACHE_SOURCE_WITH_TOOLKIT;
    return kind;
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
enum cache_source build_cache_source(const char *source, size_t length,
                                     const struct cache_headers *own,
                                     const char *include_directory) {
    static const char word[] = "include";
    enum cache_source kind = CACHE_SOURCE_ALONE;
    cleanup_text struct text joined = {0};
    join_lines(source, length, &joined);
    const char *text = text_string(&joined);
    if (strstr(text, "#import") || strstr(text, "embed") || strstr(text, "__TIME__") ||
        strstr(text, "__DATE__") || strstr(text, "__TIMESTAMP__"))
        return CACHE_SOURCE_UNSOUND;
    for (const char *at = text; (at = strstr(at, word));) {
        const char *before = at;
        while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        at += sizeof word - 1;
        at += strspn(at, " \t");
        const char *close = *at == '"' ? "\"\n" : *at == '<' ? ">\n" : NULL;
        if (before == text || before[-1] != '#' || !close)
            return CACHE_SOURCE_UNSOUND;
        const char *name = at + 1;
        size_t name_length = strcspn(name, close);
        if (name[name_length] != close[0])
            return CACHE_SOURCE_UNSOUND;
        enum cache_source header = header_source(name, name_length, own, include_directory);
        if (header == CACHE_SOURCE_UNSOUND)
            return header;
        kind = header == CACHE_SOURCE_WITH_TOOLKIT ? header : kind;
    }
    return kind;
}

static int compare_names(const FTSENT **left, const FTSENT **right) {
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

static void stamp_folder(struct text *out, char *folder) {
    char *roots[] = {folder, NULL};
    /* Links are followed: a toolkit's folders may be links to those of a package. */
    FTS *walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, compare_names);
    for (FTSENT *found; walk && (found = fts_read(walk));) {
        if (found->fts_info == FTS_D && found->fts_level == 1 &&
            !is_toolkit_folder(found->fts_name, found->fts_namelen))
            fts_set(walk, found, FTS_SKIP);
        else if (found->fts_info == FTS_F)
            text_printf(
                out, "%s %lld %lld.%09ld\n", found->fts_path, (long long)found->fts_statp->st_size,
                (long long)found->fts_statp->st_mtim.tv_sec, found->fts_statp->st_mtim.tv_nsec);
    }
    if (walk)
        fts_close(walk);
}

/* Read once in a process, because a class with a header in each submission would have it read some
 * thousand times. */
static struct {
    pthread_mutex_t mutex;
    char *folders; /* those that were read; NULL: none yet */
    struct sha256 files;
} kept = {.mutex = PTHREAD_MUTEX_INITIALIZER};

void build_cache_forget_headers(void) {
    pthread_mutex_lock(&kept.mutex);
    free(kept.folders);
    kept.folders = NULL;
    pthread_mutex_unlock(&kept.mutex);
}

static struct sha256 headers_hash(char *own, char *nvcc) {
    cleanup_free char *folders = mem_printf("%s\n%s\n", own ? own : "", nvcc ? nvcc : "");
    pthread_mutex_lock(&kept.mutex);
    if (!kept.folders || strcmp(kept.folders, folders) != 0) {
        cleanup_text struct text files = {0};
        if (own)
            stamp_folder(&files, own);
        if (nvcc && (!own || strcmp(own, nvcc) != 0))
            stamp_folder(&files, nvcc);
        free(kept.folders);
        kept.folders = steal_pointer(&folders);
        kept.files = hash_bytes(files.data, files.length);
    }
    struct sha256 hash = kept.files;
    pthread_mutex_unlock(&kept.mutex);
    return hash;
}

void build_cache_stamp_headers(struct text *out, const struct build_toolchain *toolchain) {
    cleanup_free char *own = realpath(toolchain->include_directory, NULL);
    cleanup_free char *program = realpath(toolchain->nvcc, NULL); /* <root>/bin/nvcc */
    cleanup_free char *folder =
        mem_printf("%.*s../include", program ? (int)(file_base_name(program) - program) : 0,
                   program ? program : "");
    cleanup_free char *nvcc = program ? realpath(folder, NULL) : NULL;
    struct sha256 hash = headers_hash(own, nvcc);
    char hex[65];
    hash_hex(&hash, hex);
    text_printf(out, "headers %s\n", hex);
}
