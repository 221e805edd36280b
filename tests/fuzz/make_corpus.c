/* make_corpus OUTPUT_FOLDER FILE.cu...: real PTX as seeds, without comments.
 *
 * Each source is compiled as the program does; lines of debug information stay in, because the
 * parser reads them. */
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/program/worker_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_SEED = 24 << 10 };

/* Line comments, blank lines and what follows the kernels (DWARF sections) go. */
static void strip(const char *ptx, struct text *out) {
    while (*ptx) {
        size_t length = strcspn(ptx, "\n");
        const char *comment = memmem(ptx, length, "//", 2);
        size_t kept = comment ? (size_t)(comment - ptx) : length;
        while (kept && (ptx[kept - 1] == ' ' || ptx[kept - 1] == '\t' || ptx[kept - 1] == '\r'))
            kept--;
        if (kept > 8 && strncmp(ptx, "\t.section", 9) == 0)
            return;
        if (kept) {
            text_append_bytes(out, ptx, kept);
            text_append_char(out, '\n');
        }
        ptx += length + (ptx[length] != '\0');
    }
}

static bool compile(const char *path, const char *folder) {
    cleanup_free char *source = NULL;
    size_t length;
    struct error error = {0};
    struct build_result result;
    if (file_read(path, BUILD_SOURCE_MAX, &source, &length, &error) != STATUS_OK)
        return false;
    struct build_request request = {
        .file_name = file_base_name(path), .source = source, .source_length = length};
    if (build_compile(&request, NULL, &result, &error) != STATUS_OK || !result.compiled) {
        fprintf(stderr, "%s: %s\n", path, result.compiled ? error.message : result.message);
        return false;
    }
    struct text seed = {0};
    strip(result.ptx, &seed);
    cleanup_free char *name = mem_printf(
        "%s/%.*s.ptx", folder, (int)(strlen(file_base_name(path)) - 3), file_base_name(path));
    bool written =
        seed.length > LARGEST_SEED || file_write(name, seed.data, seed.length, &error) == STATUS_OK;
    text_free(&seed);
    build_result_free(&result);
    return written;
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    bool right = argc > 2;
    for (int i = 2; i < argc; i++)
        right &= compile(argv[i], argv[1]);
    return right ? 0 : 1;
}
