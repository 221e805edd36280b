/* `warpgrade doctor` as a user runs it: the whole chain works, or it says what is missing. */
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "tests/support/namespaces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

static int run(const char *before, const char *arguments, struct text *out) {
    const char *binary = getenv("WARPGRADE_BINARY");
    cleanup_free char *command = mem_printf("%s '%s' doctor %s 2>&1", before,
                                            binary ? binary : "build/warpgrade", arguments);
    FILE *pipe = popen(command, "re");
    assert_non_null(pipe);
    char buffer[4096];
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        text_append_bytes(out, buffer, got);
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_this_machine(void **state) {
    (void)state;
    cleanup_text struct text out = {0};
    assert_int_equal(run("", "", &out), 0);
    static const char *const rows[] = {
        "namespaces     works", "network        works", "file system    works",
        "privileges     works", "system calls   works", "wall clock     works",
        "CPU time       works", "memory         works", "processes      works",
        "output         works", "file size      works", "NVRTC          works",
        "compile        works", "simulated GPU  works", "\nThis machine can grade.\n"};
    for (size_t i = has_namespaces() ? 0 : 1; i < ARRAY_LENGTH(rows); i++)
        if (!strstr(out.data, rows[i]))
            fail_msg("no row %s in\n%s", rows[i], out.data);
    assert_null(strstr(out.data, "failed"));
    assert_null(strchr(out.data, '\033'));
}

static void test_without_compiler(void **state) {
    (void)state;
    cleanup_text struct text out = {0};
    assert_int_equal(run("WARPGRADE_CUDA_HOME=/nowhere", "", &out), 3);
    assert_non_null(strstr(out.data, "NVRTC          failed"));
    assert_non_null(strstr(out.data, "./bootstrap build"));
    assert_non_null(strstr(out.data, "\nThis machine cannot grade yet.\n"));
}

static void test_usage(void **state) {
    (void)state;
    cleanup_text struct text out = {0};
    assert_int_equal(run("", "nonsense", &out), 2);
    assert_int_equal(run("", "--color=sometimes", &out), 2);
    assert_int_equal(run("WARPGRADE_CUDA_HOME=/nowhere", "--color=always", &out), 3);
    assert_non_null(strstr(out.data, "\033[31mfailed"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_this_machine),
        cmocka_unit_test(test_without_compiler),
        cmocka_unit_test(test_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
