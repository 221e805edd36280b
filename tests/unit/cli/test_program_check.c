/* What is said of programs before they are started, and of what the linker says of them. */
#include "grader/cli/run/program_check.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ELF      "\177ELF\0"
#define FATBIN   ".nv_fatbin\0"
#define BYTES(s) s, sizeof(s) - 1

static void test_programs(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        const char *says; /* NULL: it can run */
    } cases[] = {
        {BYTES(ELF), NULL},
        {BYTES(ELF "\1\1\0\0\0\0\0\0\0\0\0\2\0libc.so.6\0"), NULL},
        {BYTES(ELF "\1\1\0\0\0\0\0\0\0\0\0\1\0"), "no program"},
        {BYTES("//\n.version 9.0\n"), "no program"},
        {BYTES(ELF FATBIN "libcudart.so.13\0libc.so.6\0"), NULL},
        {BYTES(ELF FATBIN "libc.so.6\0"), "static CUDA runtime"},
        {BYTES(ELF FATBIN "libcudart.so.12\0"), "another CUDA runtime, libcudart.so.12"},
        {BYTES(ELF "libcudart.so.13\0libcublas.so.13\0"), "needs cuBLAS (libcublas.so.13)"},
        {BYTES(ELF "libcudart.so.13\0libnppc.so.13\0"), "needs NPP"},
        {BYTES(ELF "libcuda.so.1\0"), "the CUDA driver API (libcuda.so.1)"},
        {BYTES(ELF "libcudart.so.13\0see libcublas.so\0"), NULL}, /* a sentence */
        {BYTES(ELF "libcudart.so.13\0libcublas"), NULL},          /* no end */
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct error error = {0};
        cleanup_free char *exact = mem_dup(cases[i].bytes, cases[i].length);
        enum status status = program_check("p", exact, cases[i].length, &error);
        assert_int_equal(status, cases[i].says ? STATUS_INVALID : STATUS_OK);
        if (cases[i].says && (!strstr(error.message, cases[i].says) || !*error.hint))
            fail_msg("\"%s\", not \"%s\"", error.message, cases[i].says);
    }
}

static void test_messages(void **state) {
    (void)state;
    static const struct {
        const char *message, *name;
    } cases[] = {
        {"a.cu:2: undefined reference to `cublasCreate_v2'", "cuBLAS"},
        {"/usr/bin/ld: cannot find -lcurand: No such file or directory", "cuRAND"},
        {"cannot open source file \"cudnn.h\"", "cuDNN"},
        {"a.cu:2: undefined reference to `cuInit'", "the CUDA driver API"},
        {"a.cu:2: undefined reference to `cudaFrobnicate'", NULL},
        {"a.cu:2: undefined reference to `my_cuInit'", NULL},
        {"expected a \";\" after cublasCreate(&h)", NULL},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        const char *name = program_check_message(cases[i].message);
        assert_true(cases[i].name ? name && strcmp(name, cases[i].name) == 0 : !name);
    }
}

static void test_advice(void **state) {
    (void)state;
    static const struct {
        const char *message, *says; /* NULL: nothing */
    } cases[] = {
        {"identifier \"cudaThreadSynchronize\" is undefined", "cudaDeviceSynchronize()"},
        {"class \"cudaDeviceProp\" has no member \"clockRate\"", "cudaDevAttrClockRate"},
        {"texture is not a template", "cudaCreateTextureObject()"},
        {"kernel launch from __device__ or __global__ functions requires separate compilation mode",
         "dynamic parallelism"},
        {"helper_cuda.h: No such file or directory", "-I cuda-samples/Common"},
        {"nvToolsExt.h: No such file or directory", "<nvtx3/nvToolsExt.h>"},
        {"GL/glut.h: No such file or directory", "OpenGL"},
        {"undefined reference to `glutInit'", "OpenGL"},
        {"undefined reference to `other(int)'", "warpgrade nvcc"},
        {"undefined reference to `omp_get_wtime'", "-Xcompiler -fopenmp"},
        {"/usr/bin/ld: cannot find -lown: No such file or directory", "-L FOLDER"},
        {"own.h: No such file or directory", "folders of -I"},
        {"expected a \";\"", NULL},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        const char *advice = program_check_advice(cases[i].message);
        if (cases[i].says ? !advice || !strstr(advice, cases[i].says) : advice != NULL)
            fail_msg("%s: %s", cases[i].message, advice ? advice : "nothing");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs),
                                       cmocka_unit_test(test_messages),
                                       cmocka_unit_test(test_advice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
