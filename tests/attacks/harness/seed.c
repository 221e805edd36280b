/* The compilations that no attack takes part in: of the exercise's reference and of the right
 * submission. seed.sh has made them by the same program, and each run gets a copy of its own, in
 * the cache that the environment names; so the compiler runs for the attack alone.
 *
 * An attack of the compiler, or from inside it, does not get the right submission's: there one that
 * is compiled after the attack is a part of the proof. */
#include "tests/attacks/harness/run.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY_MAX = 16 << 20 };

static bool is_about_compiling(const struct attack_file *attack) {
    if (attack->kind == ATTACK_NATIVE)
        return !attack->role || strcmp(attack->role, "build") == 0 ||
               strcmp(attack->role, "tools") == 0;
    return strcmp(attack->topic, "compile") == 0;
}

static void copy_entry(struct run *run, const char *from, const char *to) {
    struct error error;
    cleanup_free char *data = NULL;
    cleanup_free char *folder = mem_strndup(to, (size_t)(file_base_name(to) - to));
    size_t length;
    if (file_read(from, ENTRY_MAX, &data, &length, &error) != STATUS_OK ||
        file_make_directories(folder, &error) != STATUS_OK ||
        file_write(to, data, length, &error) != STATUS_OK)
        run_fail(run, "%s", error.message);
}

static void copy_entries(struct run *run, const char *seed, const char *which) {
    cleanup_free char *folder = mem_printf("%s/%s", seed, which);
    char *roots[] = {folder, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *found; walk && (found = fts_read(walk));) {
        if (found->fts_info != FTS_F)
            continue;
        cleanup_free char *to =
            mem_printf("%s/cache%s", run->scratch, found->fts_path + strlen(folder));
        copy_entry(run, found->fts_path, to);
    }
    if (walk)
        fts_close(walk);
}

void run_seed(struct run *run) {
    const char *seed = getenv("WARPGRADE_ATTACK_SEED"); /* none: everything is compiled here */
    if (!seed)
        return;
    copy_entries(run, seed, "beside");
    if (!is_about_compiling(run->attack))
        copy_entries(run, seed, "right");
}
