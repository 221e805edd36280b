/* Runs a target on files and on all files of folders: what fuzzing has found stays fixed, also
 * where there is no libFuzzer. */
#include "fuzz.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_BYTES = 64 << 20 };

static bool replay_file(const char *path) {
    char *data;
    size_t length;
    struct error error = {0};
    if (file_read(path, MAX_BYTES, &data, &length, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    /* a copy of exactly that length, so that a sanitizer sees reading beyond it */
    uint8_t *exact = mem_dup(data, length);
    free(data);
    printf("%s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput(exact, length);
    free(exact);
    return true;
}

static int is_no_dot_file(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static bool replay(const char *path) {
    struct dirent **entries;
    int count = scandir(path, &entries, is_no_dot_file, alphasort);
    if (count < 0)
        return replay_file(path);
    bool right = true;
    for (int i = 0; i < count; i++) {
        cleanup_free char *file = file_join(path, entries[i]->d_name);
        right &= replay_file(file);
        free(entries[i]);
    }
    free(entries);
    return right;
}

int main(int argc, char **argv) {
    bool right = argc > 1;
    for (int i = 1; i < argc; i++)
        right &= replay(argv[i]);
    return right ? 0 : 1;
}
