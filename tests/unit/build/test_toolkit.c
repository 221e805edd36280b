/* What the tools profile sees of a toolkit. The toolkit is a home with a ptxas in ~/bin that tells
 * what it can list, in the words of an error. */
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/worker/worker.h"
#include "tests/support/namespaces.h"

#include <fts.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[64];

static void put(const char *name, const char *text) {
    struct error error = {0};
    cleanup_free char *path = file_join(root, name);
    cleanup_free char *folder = mem_strdup(path);
    *strrchr(folder, '/') = '\0';
    assert_int_equal(file_make_directories(folder, &error), STATUS_OK);
    assert_int_equal(chmod(folder, 0755), 0);
    assert_int_equal(file_write(path, text, strlen(text), &error), STATUS_OK);
    assert_int_equal(chmod(path, 0755), 0);
}

static void remove_root(void) {
    char *roots[] = {root, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; (entry = fts_read(walk));)
        if (entry->fts_info == FTS_DP)
            rmdir(entry->fts_accpath);
        else if (entry->fts_info == FTS_F)
            unlink(entry->fts_accpath);
    fts_close(walk);
}

static void expect_seen(const char *list) {
    if (!has_namespaces()) { /* the second jail opens single files and lists no folder */
        remove_root();
        skip();
    }
    struct error error = {0};
    struct build_resources resources;
    cleanup_free char *expected = mem_printf("ptxas refuses the kernel: %s", list);
    assert_int_equal(build_resources("ptx", 3, "dot", "sm_80", NULL, &resources, &error),
                     STATUS_INVALID);
    assert_string_equal(error.message, expected);
}

static void put_home(void) {
    put("bin/ptxas", "#!/bin/sh\ncd \"${0%/*}/..\"\necho $(find . -type f | sort)\nexit 1\n");
    put("bin/nvcc.profile", "");
    put("bin/private", "");
    put("include/cuda.h", "");
    put("lib/libcuda.so", "");
    put("Documents/letter", "");
    put(".netrc", "");
}

static void test_no_home_is_seen(void **state) {
    (void)state;
    put_home();
    expect_seen("./bin/nvcc.profile ./bin/ptxas");
    remove_root();
}

static void test_parts_of_a_toolkit_are_seen(void **state) {
    (void)state;
    put_home();
    put("nvvm/bin/cicc", "");
    put("targets/x86_64-linux/include/cuda.h", "");
    expect_seen("./bin/nvcc.profile ./bin/ptxas ./include/cuda.h ./lib/libcuda.so ./nvvm/bin/cicc "
                "./targets/x86_64-linux/include/cuda.h");
    remove_root();
}

/* As in NVIDIA's wheels: the folder above nvidia/ is no toolkit. */
static void test_a_toolkit_below_a_home(void **state) {
    (void)state;
    put_home();
    put("nvvm/bin/cicc", "");
    cleanup_free char *bin = file_join(root, "bin"), *tools = file_join(root, "nvidia");
    assert_int_equal(mkdir(tools, 0755), 0);
    cleanup_free char *inner = file_join(tools, "cu13");
    assert_int_equal(mkdir(inner, 0755), 0);
    cleanup_free char *moved = file_join(inner, "bin");
    assert_int_equal(rename(bin, moved), 0);
    expect_seen("./bin/nvcc.profile ./bin/ptxas");
    remove_root();
}

static int make_root(void **state) {
    (void)state;
    snprintf(root, sizeof root, "/tmp/warpgrade-test-XXXXXX");
    return mkdtemp(root) && chmod(root, 0755) == 0 && /* for users that workers run as */
                   setenv("WARPGRADE_CUDA_HOME", root, 1) == 0
               ? 0
               : -1;
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    setenv("WARPGRADE_CACHE_DIR", "/proc/nowhere", 1); /* nothing from an earlier run */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_no_home_is_seen, make_root),
        cmocka_unit_test_setup(test_parts_of_a_toolkit_are_seen, make_root),
        cmocka_unit_test_setup(test_a_toolkit_below_a_home, make_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
