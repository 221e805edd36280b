/* The build cache: hits, keys, damage, sources that must not be cached, its bound. */
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/build/cache.h"
#include "sandbox/program/worker_main.h"

#include <fts.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];
static struct error error;

static struct build_result compile_with(struct build_request request) {
    struct build_result result;
    if (build_compile(&request, NULL, &result, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return result;
}

static struct build_request request_of(const char *source) {
    return (struct build_request){
        .file_name = "dot.cu", .source = source, .source_length = strlen(source), .kernel = "dot"};
}

static bool hits(struct build_request request) {
    struct build_result result = compile_with(request);
    bool cached = result.from_cache;
    build_result_free(&result);
    return cached;
}

static void test_hit_is_equal(void **state) {
    (void)state;
    static const char source[] = "#define N 3\n__global__ void dot(float *a) { int unused; }\n";
    const char *name = "N";
    struct build_request request = request_of(source);
    request.constants = &name;
    request.constant_count = 1;
    struct build_result first = compile_with(request), second = compile_with(request);
    assert_false(first.from_cache);
    assert_true(second.from_cache);
    assert_string_equal(first.ptx, second.ptx);
    assert_string_equal(second.kernels[0].parameters[0], "float *");
    assert_int_equal(second.diagnostic_count, 1);
    assert_string_equal(second.diagnostics[0].text, first.diagnostics[0].text);
    assert_true(second.constants[0].known && second.constants[0].value == 3);
    assert_string_equal(second.compiler, first.compiler);
    assert_true(second.elapsed_ms < first.elapsed_ms);
    build_result_free(&first);
    build_result_free(&second);
}

static void test_errors_are_cached(void **state) {
    (void)state;
    struct build_request request = request_of("__global__ void dot(float *a) { bar; }\n");
    assert_false(hits(request));
    struct build_result result = compile_with(request);
    assert_true(result.from_cache);
    assert_string_equal(
        result.message,
        "dot.cu does not compile: an error in line 1: identifier \"bar\" is undefined");
    build_result_free(&result);
}

static void test_everything_is_in_the_key(void **state) {
    (void)state;
    struct build_request request = request_of("__global__ void dot(float *a) { a[0] = 5; }\n");
    assert_false(hits(request));
    assert_true(hits(request));
    struct build_request other = request;
    const char *word = "X";
    other.file_name = "other.cu";
    assert_false(hits(other));
    other = request;
    other.kernel = NULL;
    assert_false(hits(other));
    other = request;
    other.constants = &word;
    other.constant_count = 1;
    assert_false(hits(other));
    other = request;
    other.defines = &word;
    other.define_count = 1;
    assert_false(hits(other));
    other = request;
    other.architecture = "compute_90";
    assert_false(hits(other));
    other = request;
    other.device_debug = true;
    assert_false(hits(other));
    other = request;
    other.source_length--;
    assert_false(hits(other));
    other = request;
    other.no_cache = true;
    assert_false(hits(other));
    assert_true(hits(request));
}

/* A compilation with headers is kept for their texts; not where one of them reads other files. */
static void test_own_headers_are_in_the_key(void **state) {
    (void)state;
    struct source_header headers[] = {{"a.h", "#include \"b.h\"\n"}, {"b.h", "#define B 1\n"}};
    struct build_request request =
        request_of("#include \"a.h\"\n__global__ void dot(float *a) { a[0] = B; }\n");
    request.headers = headers;
    request.header_count = ARRAY_LENGTH(headers);
    assert_false(hits(request));
    assert_true(hits(request));
    headers[1].text = "#define B 2\n";
    assert_false(hits(request));
    assert_true(hits(request));
    request.header_count = 1; /* b.h is missing */
    assert_false(hits(request));
    assert_false(hits(request));
    request.header_count = 2;
    headers[1].text = "#include \"/etc/hostname.none\"\n";
    assert_false(hits(request));
    assert_false(hits(request));
}

/* Calls `damage` with the path of every entry. */
static size_t each_entry(void (*damage)(const char *path)) {
    char *roots[] = {folder, NULL};
    size_t count = 0;
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; (entry = fts_read(walk));)
        if (entry->fts_info == FTS_F) {
            count++;
            if (damage)
                damage(entry->fts_accpath);
        }
    fts_close(walk);
    return count;
}

static void flip_last_byte(const char *path) {
    char *data;
    size_t length;
    assert_int_equal(file_read(path, 1 << 30, &data, &length, &error), STATUS_OK);
    if (length)
        data[length - 1] ^= 1;
    assert_int_equal(file_write(path, data, length, &error), STATUS_OK);
    free(data);
}

static void truncate_entry(const char *path) {
    assert_int_equal(truncate(path, 40), 0);
}

static void empty_entry(const char *path) {
    assert_int_equal(truncate(path, 0), 0);
}

static void make_folder(const char *path) {
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0777), 0);
}

/* The checksum of the same payload under another key: an entry that was copied or renamed. */
static void replace_by_foreign(const char *path) {
    char *data;
    size_t length;
    assert_int_equal(file_read(path, 1 << 30, &data, &length, &error), STATUS_OK);
    struct sha256 key = hash_bytes("another", 7);
    struct hash_part parts[] = {{&key, sizeof key}, {data + 36, length > 36 ? length - 36 : 0}};
    struct sha256 sum = hash_parts(parts, 2);
    if (length > 36)
        memcpy(data + 4, sum.bytes, sizeof sum.bytes);
    assert_int_equal(file_write(path, data, length, &error), STATUS_OK);
    free(data);
}

static void test_damage_is_replaced(void **state) {
    (void)state;
    static void (*const damages[])(const char *) = {flip_last_byte, truncate_entry, empty_entry,
                                                    replace_by_foreign};
    struct build_request request = request_of("__global__ void dot(float *a) { a[0] = 6; }\n");
    hits(request);
    for (size_t i = 0; i < ARRAY_LENGTH(damages); i++) {
        assert_true(hits(request));
        assert_true(each_entry(damages[i]) > 0);
        assert_false(hits(request));
        assert_true(hits(request));
    }
    each_entry(make_folder); /* cannot be replaced; costs the cache, not the build */
    assert_false(hits(request));
    assert_false(hits(request));
}

static void test_unwritable_cache(void **state) {
    (void)state;
    setenv("WARPGRADE_CACHE_DIR", "/proc/nowhere", 1);
    struct build_request request = request_of("__global__ void dot(float *a) { a[0] = 7; }\n");
    assert_false(hits(request));
    assert_false(hits(request));
    setenv("WARPGRADE_CACHE_DIR", folder, 1);
}

static void test_sound_sources(void **state) {
    (void)state;
    static const char *const names[] = {"own.h"};
    const struct cache_headers own = {names, 1};
    struct build_toolchain toolchain;
    assert_int_equal(build_toolchain_find(&toolchain, &error), STATUS_OK);
    static const struct {
        const char *source;
        enum cache_source kind;
    } cases[] = {
        {"int x;", CACHE_SOURCE_ALONE},
        {"#include <stdio.h>\n # include \"math.h\"\n", CACHE_SOURCE_ALONE},
        {"#include <cuda_fp16.h>\n", CACHE_SOURCE_WITH_TOOLKIT},
        {"#include <cooperative_groups/reduce.h>\n", CACHE_SOURCE_WITH_TOOLKIT},
        {"#include <cub/cub.cuh>\n", CACHE_SOURCE_WITH_TOOLKIT},
        {"#include \"thrust/reduce.h\"\n", CACHE_SOURCE_WITH_TOOLKIT},
        {"#include <cuda/std/array>\n#include <stdio.h>\n", CACHE_SOURCE_WITH_TOOLKIT},
        {"#include <limits>\n", CACHE_SOURCE_WITH_TOOLKIT},
        {"#include <nvtx3/nvToolsExt.h>\n", CACHE_SOURCE_UNSOUND},
        {"#include <cub/missing.cuh>\n", CACHE_SOURCE_UNSOUND},
        {"#include \"/etc/passwd\"\n", CACHE_SOURCE_UNSOUND},
        {"#include \"../secret.h\"\n", CACHE_SOURCE_UNSOUND},
        {"#include <cuda/../../secret.h>\n", CACHE_SOURCE_UNSOUND},
        {"#include \"missing.h\"\n", CACHE_SOURCE_UNSOUND},
        {"#include \"own.h\"\n#include <own.h>\n", CACHE_SOURCE_ALONE},
        {"#include \"lib/own.h\"\n", CACHE_SOURCE_UNSOUND},
        {"#include NAME\n", CACHE_SOURCE_UNSOUND},
        {"#inc\\\nlude \"/etc/passwd\"\n", CACHE_SOURCE_UNSOUND},
        {"#inc\\\r\nlude \"/etc/passwd\"\n", CACHE_SOURCE_UNSOUND},
        {"%:include \"/etc/passwd\"\n", CACHE_SOURCE_UNSOUND},
        {"#/**/include \"/etc/passwd\"\n", CACHE_SOURCE_UNSOUND},
        {"#include/**/\"/etc/passwd\"\n", CACHE_SOURCE_UNSOUND},
        {"#include_next <stdio.h>\n", CACHE_SOURCE_UNSOUND},
        {"#if __has_include(\"/etc/passwd\")\n#endif\n", CACHE_SOURCE_UNSOUND},
        {"#import \"/etc/passwd\"\n", CACHE_SOURCE_UNSOUND},
        {"#embed \"/etc/passwd\"\n", CACHE_SOURCE_UNSOUND},
        {"const char *t = __TIME__;", CACHE_SOURCE_UNSOUND},
        {"#include \"stdio.h\n", CACHE_SOURCE_UNSOUND},
        {"#include", CACHE_SOURCE_UNSOUND},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
        if (build_cache_source(cases[i].source, strlen(cases[i].source), &own,
                               toolchain.include_directory) != cases[i].kind)
            fail_msg("%s", cases[i].source);
    struct build_request request =
        request_of("#include \"/etc/hostname.none\"\n__global__ void dot(float *a) {}\n");
    assert_false(hits(request));
    assert_false(hits(request));
}

static void write_file(const char *folder_of, const char *name, const char *text) {
    cleanup_free char *path = file_join(folder_of, name);
    cleanup_free char *parent = mem_strndup(path, (size_t)(file_base_name(path) - path));
    assert_int_equal(file_make_directories(parent, &error), STATUS_OK);
    assert_int_equal(file_write(path, text, strlen(text), &error), STATUS_OK);
}

/* A toolkit with this compiler and headers of our own. */
static void make_toolkit(const char *root) {
    struct build_toolchain toolchain;
    assert_int_equal(build_toolchain_find(&toolchain, &error), STATUS_OK);
    cleanup_free char *library = mem_printf("%s/lib64", root);
    cleanup_free char *from =
        mem_strndup(toolchain.nvrtc_library, (size_t)(file_base_name(toolchain.nvrtc_library) -
                                                      toolchain.nvrtc_library - 1));
    write_file(root, "include/cuda_fp16.h", "");
    write_file(root, "include/cccl/cub/outer.cuh", "#include \"detail/inner.cuh\"\n");
    write_file(root, "include/cccl/cub/detail/inner.cuh", "#define INNER 11\n");
    write_file(root, "include/samples/unknown.h", "");
    assert_int_equal(symlink(from, library), 0);
}

/* What a header includes decides, too, though no source names it. */
static void test_headers_are_in_the_key(void **state) {
    (void)state;
    static const char source[] = "#include <cub/outer.cuh>\n"
                                 "__global__ void dot(float *a) { a[0] = INNER; }\n";
    cleanup_free char *root = mem_printf("%s/toolkit", folder);
    make_toolkit(root);
    setenv("WARPGRADE_CUDA_HOME", root, 1);
    const char *name = "INNER";
    struct build_request request = request_of(source);
    request.constants = &name;
    request.constant_count = 1;
    assert_false(hits(request));
    assert_true(hits(request));
    build_cache_forget_headers();
    write_file(root, "include/samples/unknown.h", "// is no part of any kernel\n");
    assert_true(hits(request));
    write_file(root, "include/cccl/cub/detail/inner.cuh", "#define INNER 12\n");
    assert_true(hits(request)); /* a process looks once */
    build_cache_forget_headers();
    struct build_result result = compile_with(request);
    assert_false(result.from_cache);
    assert_true(result.constants[0].known && result.constants[0].value == 12);
    build_result_free(&result);
    assert_true(hits(request));
    write_file(root, "include/cub/outer.cuh", "#define INNER 13\n"); /* found before the other */
    build_cache_forget_headers();
    result = compile_with(request);
    assert_false(result.from_cache);
    assert_true(result.constants[0].known && result.constants[0].value == 13);
    build_result_free(&result);
    unsetenv("WARPGRADE_CUDA_HOME");
}

static void test_prune_keeps_the_latest(void **state) {
    (void)state;
    char old_folder[sizeof folder];
    memcpy(old_folder, folder, sizeof folder);
    cleanup_free char *own = mem_printf("%s/prune", folder);
    setenv("WARPGRADE_CACHE_DIR", own, 1);
    cleanup_free char *payload = mem_zalloc(1000);
    struct sha256 keys[8];
    for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
        keys[i] = hash_bytes(&i, sizeof i);
        build_cache_put(&keys[i], payload, 1000);
        usleep(2000);
    }
    struct text read = {0};
    assert_true(build_cache_get(&keys[0], &read)); /* the oldest, but used just now */
    build_cache_prune(4 * 1036);
    for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
        assert_int_equal(build_cache_get(&keys[i], &read), i == 0 || i >= 5);
    text_free(&read);
    build_cache_prune(0);
    assert_false(build_cache_get(&keys[0], &read));
    setenv("WARPGRADE_CACHE_DIR", old_folder, 1);
}

static void test_places(void **state) {
    (void)state;
    unsetenv("WARPGRADE_CACHE_DIR");
    setenv("XDG_CACHE_HOME", folder, 1);
    struct sha256 key = hash_bytes("place", 5);
    char hex[65];
    hash_hex(&key, hex);
    build_cache_put(&key, "x", 1);
    cleanup_free char *xdg = mem_printf("%s/warpgrade/build/%.2s/%s", folder, hex, hex);
    assert_true(file_exists(xdg));
    setenv("XDG_CACHE_HOME", "relative is ignored", 1);
    setenv("HOME", folder, 1);
    build_cache_put(&key, "x", 1);
    cleanup_free char *home = mem_printf("%s/.cache/warpgrade/build/%.2s/%s", folder, hex, hex);
    assert_true(file_exists(home));
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    build_cache_put(&key, "x", 1); /* nowhere to go: no error */
    struct text payload = {0};
    assert_false(build_cache_get(&key, &payload));
    setenv("WARPGRADE_CACHE_DIR", folder, 1);
}

static int remove_all(void) {
    char *roots[] = {folder, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; (entry = fts_read(walk));)
        if (entry->fts_info == FTS_DP)
            rmdir(entry->fts_accpath);
        else if (entry->fts_info == FTS_F || entry->fts_info == FTS_SL)
            unlink(entry->fts_accpath);
    return fts_close(walk);
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    snprintf(folder, sizeof folder, "/tmp/warpgrade-test-XXXXXX");
    if (!mkdtemp(folder) || chmod(folder, 0755) != 0) /* for users that workers run as */
        return 1;
    setenv("WARPGRADE_CACHE_DIR", folder, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hit_is_equal),
        cmocka_unit_test(test_errors_are_cached),
        cmocka_unit_test(test_everything_is_in_the_key),
        cmocka_unit_test(test_own_headers_are_in_the_key),
        cmocka_unit_test(test_damage_is_replaced),
        cmocka_unit_test(test_unwritable_cache),
        cmocka_unit_test(test_sound_sources),
        cmocka_unit_test(test_headers_are_in_the_key),
        cmocka_unit_test(test_prune_keeps_the_latest),
        cmocka_unit_test(test_places),
    };
    code = cmocka_run_group_tests(tests, NULL, NULL);
    return remove_all() == 0 ? code : 1;
}
