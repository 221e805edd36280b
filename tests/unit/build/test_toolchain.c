/* Finding NVRTC and its companions in folders of every layout. The folders are empty shells:
 * nothing is loaded. */
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"

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
static struct error error;

static void put(const char *name, const char *text) {
    cleanup_free char *path = file_join(root, name);
    cleanup_free char *folder = mem_strdup(path);
    *strrchr(folder, '/') = '\0';
    assert_int_equal(file_make_directories(folder, &error), STATUS_OK);
    assert_int_equal(file_write(path, text, strlen(text), &error), STATUS_OK);
    assert_int_equal(chmod(path, 0755), 0);
}

static void clear(void) {
    char *roots[] = {root, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; (entry = fts_read(walk));)
        if (entry->fts_info == FTS_DP && entry->fts_level > 0)
            rmdir(entry->fts_accpath);
        else if (entry->fts_info == FTS_F || entry->fts_info == FTS_SL)
            unlink(entry->fts_accpath);
    fts_close(walk);
}

static void expect(const char *actual, const char *name) {
    cleanup_free char *path = name[0] ? file_join(root, name) : mem_strdup("");
    assert_string_equal(actual, path);
}

static void test_toolkit(void **state) {
    (void)state;
    struct build_toolchain toolchain;
    put("lib64/libnvrtc.so", "");
    put("lib64/libnvrtc.so.12", "");
    put("lib64/libnvrtc.so.13", "");
    put("lib64/libnvrtc-builtins.so.13.0", "");
    put("lib64/libnvrtc.alt.so.14", "");
    put("include/cuda_fp16.h", "");
    put("include/cuda.h", "x\n#define CUDA_VERSION 13010\n");
    put("bin/nvcc", "");
    put("bin/ptxas", "");
    assert_int_equal(build_toolchain_find(&toolchain, &error), STATUS_OK);
    expect(toolchain.nvrtc_library, "lib64/libnvrtc.so.13");
    expect(toolchain.include_directory, "include");
    expect(toolchain.nvcc, "bin/nvcc");
    expect(toolchain.ptxas, "bin/ptxas");
    assert_int_equal(toolchain.version_major, 13);
    assert_int_equal(toolchain.version_minor, 1);
    clear();
}

static void test_wheels(void **state) {
    (void)state;
    struct build_toolchain toolchain;
    put("nvidia/cu13/lib/libnvrtc.so.13", "");
    put("nvidia/cu13/include/cuda_fp16.h", "");
    put("nvidia/cu13/bin/ptxas", "");
    assert_int_equal(build_toolchain_find(&toolchain, &error), STATUS_OK);
    expect(toolchain.nvrtc_library, "nvidia/cu13/lib/libnvrtc.so.13");
    expect(toolchain.include_directory, "nvidia/cu13/include");
    expect(toolchain.ptxas, "nvidia/cu13/bin/ptxas");
    expect(toolchain.nvcc,
           ""); /* the shell's nvcc is not taken: $WARPGRADE_CUDA_HOME is an order */
    assert_int_equal(toolchain.version_major, 13);
    clear();
}

static void test_nothing(void **state) {
    (void)state;
    struct build_toolchain toolchain;
    put("include/cuda_fp16.h", "");
    put("lib/libnvrtc-builtins.so.13.0", "");
    assert_int_equal(build_toolchain_find(&toolchain, &error), STATUS_ENVIRONMENT);
    assert_non_null(strstr(error.message, "NVRTC"));
    assert_non_null(strstr(error.message, root));
    assert_non_null(strstr(error.hint, "or unset it")); /* fetching would not help */
    unsetenv("WARPGRADE_CUDA_HOME");
    cleanup_free char *advice = build_toolchain_advice();
    assert_non_null(strstr(advice, "./bootstrap build"));
    setenv("WARPGRADE_CUDA_HOME", root, 1);
    clear();
}

/* The first root with NVRTC gives headers of the same version, though others have some too. */
static void test_one_root_gives_all(void **state) {
    (void)state;
    struct build_toolchain toolchain;
    put("lib/libnvrtc.so.12", "");
    put("include/cuda_fp16.h", "");
    unsetenv("WARPGRADE_CUDA_HOME");
    char *before = mem_strdup(getenv("CUDA_HOME"));
    setenv("CUDA_HOME", root, 1);
    assert_int_equal(build_toolchain_find(&toolchain, &error), STATUS_OK);
    expect(toolchain.nvrtc_library, "lib/libnvrtc.so.12");
    expect(toolchain.include_directory, "include");
    setenv("CUDA_HOME", "relative", 1); /* ignored */
    struct build_toolchain other;
    if (build_toolchain_find(&other, &error) == STATUS_OK)
        assert_string_not_equal(other.nvrtc_library, toolchain.nvrtc_library);
    if (before)
        setenv("CUDA_HOME", before, 1);
    else
        unsetenv("CUDA_HOME");
    free(before);
    setenv("WARPGRADE_CUDA_HOME", root, 1);
    clear();
}

int main(void) {
    snprintf(root, sizeof root, "/tmp/warpgrade-test-XXXXXX");
    if (!mkdtemp(root))
        return 1;
    setenv("WARPGRADE_CUDA_HOME", root, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_toolkit),
        cmocka_unit_test(test_wheels),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_one_root_gives_all),
    };
    int code = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(root);
    return code;
}
