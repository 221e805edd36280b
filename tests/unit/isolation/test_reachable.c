/* Files of closed folders, where other users can read them. */
#include "sandbox/isolation/reachable.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char *closed_folder(void) {
    char *folder = mem_strdup("/tmp/warpgrade-test-XXXXXX"); /* mkdtemp: mode 0700 */
    struct error error = {0};
    assert_non_null(mkdtemp(folder));
    cleanup_free char *file = file_join(folder, "library");
    assert_int_equal(file_write(file, "seven", 5, &error), STATUS_OK);
    return folder;
}

static void remove_folder(const char *folder) {
    cleanup_free char *file = file_join(folder, "library");
    unlink(file);
    assert_int_equal(rmdir(folder), 0);
}

static void a_copy_is_open_to_all(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip(); /* workers have no user of their own */
    cleanup_free char *folder = closed_folder();
    char *copy;
    struct error error = {0};
    assert_int_equal(reachable_copy(folder, "library", &copy, &error), STATUS_OK);
    cleanup_free char *file = file_join(copy, "library"), *bytes = NULL;
    cleanup_free char *place = mem_strdup(copy);
    size_t length;
    struct stat of_folder, of_file;
    assert_int_equal(stat(copy, &of_folder), 0);
    assert_int_equal(stat(file, &of_file), 0);
    assert_int_equal(of_folder.st_mode & 07777, 0755);
    assert_int_equal(of_file.st_mode & 07777, 0644);
    assert_int_equal(file_read(file, 100, &bytes, &length, &error), STATUS_OK);
    assert_int_equal(length, 5);
    assert_memory_equal(bytes, "seven", 5);
    reachable_remove(copy, "library");
    assert_int_equal(access(place, F_OK), -1);
    remove_folder(folder);
}

static void what_is_not_there_leaves_nothing(void **state) {
    (void)state;
    cleanup_free char *folder = closed_folder();
    char *copy;
    struct error error = {0};
    enum status status = reachable_copy(folder, "no-library", &copy, &error);
    assert_true((status == STATUS_OK) == (geteuid() != 0));
    assert_null(copy);
    remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_is_open_to_all),
        cmocka_unit_test(what_is_not_there_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
