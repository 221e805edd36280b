/* NVRTC's automatic precompiled headers, for precompiled.h: the program that includes the kernel's
 * file first includes what the file does, and says that the headers end there. To write them down
 * costs more than to compile once, so that begins with the second kernel of the same headers and
 * options. NVRTC itself checks that a file of them fits. */
#include "tests/support/precompiled.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/build/nvrtc.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SETS_MAX = 64, OPTIONS_MAX = 64 };

static char *folder; /* NULL: nothing is precompiled */
static struct nvrtc real;
static char *headers_of_program; /* NULL: none that are worth it */
static char *seen[SETS_MAX];
static size_t seen_count;

bool __real_nvrtc_load(struct nvrtc *nvrtc, const char *path, char *trouble, size_t trouble_size);
bool __wrap_nvrtc_load(struct nvrtc *nvrtc, const char *path, char *trouble, size_t trouble_size);

/* The directives with which a file begins, after comments of one line; NULL where none is
 * libcu++'s. */
static char *first_headers(const char *source) {
    static const char directive[] = "#include <", libcuxx[] = "#include <cuda/";
    cleanup_text struct text headers = {0};
    for (const char *line = source; *line; line++) {
        size_t length = strcspn(line, "\n");
        if (strncmp(line, directive, sizeof directive - 1) == 0) {
            text_append_bytes(&headers, line, length);
            text_append_char(&headers, '\n');
        } else if (length && strncmp(line, "//", 2) != 0) {
            break;
        }
        line += length;
        if (!*line)
            break;
    }
    return strstr(text_string(&headers), libcuxx) ? text_steal(&headers) : NULL;
}

/* The last of the texts is the kernel's file; a program that is that file includes nothing. */
static int create(nvrtc_handle *program, const char *source, const char *name, int count,
                  const char *const *texts, const char *const *names) {
    free(headers_of_program);
    headers_of_program =
        count && strcmp(name, names[count - 1]) != 0 ? first_headers(texts[count - 1]) : NULL;
    if (!headers_of_program)
        return real.create(program, source, name, count, texts, names);
    cleanup_free char *longer = mem_printf("%s#pragma nv_hdrstop\n%s", headers_of_program, source);
    return real.create(program, longer, name, count, texts, names);
}

/* Which set of headers and options it is; *again: that another kernel had it before. */
static size_t find_set(const char *headers, int count, const char *const *options, bool *again) {
    cleanup_text struct text set = {0};
    text_append(&set, headers);
    for (int i = 0; i < count; i++)
        text_printf(&set, "%s\n", options[i]);
    size_t at = 0;
    while (at < seen_count && strcmp(seen[at], text_string(&set)) != 0)
        at++;
    *again = at < seen_count;
    if (at == seen_count && seen_count < SETS_MAX)
        seen[seen_count++] = text_steal(&set);
    return at;
}

/* A folder a set: NVRTC says of each file there that does not fit why it does not. */
static int compile(nvrtc_handle program, int count, const char *const *options) {
    bool again = false;
    size_t set = headers_of_program ? find_set(headers_of_program, count, options, &again) : 0;
    if (!again || count + 3 > OPTIONS_MAX)
        return real.compile(program, count, options);
    cleanup_free char *place = mem_printf("%s/%zu", folder, set);
    cleanup_free char *option = mem_printf("--pch-dir=%s", place);
    const char *more[OPTIONS_MAX];
    memcpy(more, options, (size_t)count * sizeof *more);
    more[count++] = "--pch";
    more[count++] = "--pch-messages=false";
    more[count++] = option;
    mkdir(place, 0700);
    return real.compile(program, count, more);
}

bool __wrap_nvrtc_load(struct nvrtc *nvrtc, const char *path, char *trouble, size_t trouble_size) {
    int major = 0, minor = 0;
    if (!__real_nvrtc_load(nvrtc, path, trouble, trouble_size))
        return false;
    nvrtc->version(&major, &minor);
    if (folder && major >= 13) { /* older ones have no such options, or not all */
        real = *nvrtc;
        nvrtc->create = create;
        nvrtc->compile = compile;
    }
    return true;
}

void precompiled_open(void) {
    const char *cache = getenv("XDG_CACHE_HOME");
    folder = cache && *cache == '/' ? mem_printf("%s/headers-XXXXXX", cache) : NULL;
    if (folder && (file_make_directories(cache, NULL) != STATUS_OK || !mkdtemp(folder))) {
        free(folder);
        folder = NULL;
    }
}

void precompiled_close(void) {
    if (!folder)
        return;
    cleanup_free char *files = mem_printf("%s/*/*", folder), *sets = mem_printf("%s/*", folder);
    glob_t found = {0};
    if (glob(files, 0, NULL, &found) == 0 && glob(sets, GLOB_APPEND, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            remove(found.gl_pathv[i]);
    globfree(&found);
    rmdir(folder);
    free(folder);
    folder = NULL;
}
