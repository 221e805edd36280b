/* Which arguments of a program name files, and what becomes of them. */
#include "grader/cli/run/program_files.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void test_names(void **state) {
    (void)state;
    char folder[] = "/tmp/program-files-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    FILE *file = fopen("in put.txt", "w");
    assert_non_null(file);
    fclose(file);
    char *given[] = {"in put.txt", "--in=in put.txt", "in=in put.txt", "-n", "5", "",
                     ".",          "no.txt",          "--in=",         NULL};
    struct program_files files;
    program_files_find(given, NULL, &files);
    cleanup_free char *path = mem_printf("%s/in put.txt", folder);
    cleanup_free char *option = mem_printf("--in=%s", path);
    assert_string_equal(files.arguments[0], path);
    assert_string_equal(files.arguments[1], option);
    for (size_t i = 2; given[i]; i++)
        assert_string_equal(files.arguments[i], given[i]);
    assert_null(files.arguments[9]);
    assert_string_equal(files.paths[0], path);
    assert_string_equal(files.paths[1], path);
    assert_null(files.paths[2]);
    assert_null(files.named[0]);
    program_files_free(&files);
    program_files_find(given, folder, &files);
    assert_string_equal(files.arguments[0], "in put.txt");
    assert_string_equal(files.arguments[1], "--in=in put.txt");
    assert_string_equal(files.named[0], "in put.txt");
    assert_null(files.paths[0]);
    program_files_free(&files);
    program_files_find(given, "/tmp/program-files", &files); /* another folder's beginning */
    assert_string_equal(files.arguments[0], path);
    assert_null(files.named[0]);
    program_files_free(&files);
    unlink("in put.txt");
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
