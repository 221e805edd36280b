/* Writing files: whole or not at all, through links, and never over what is no file. */
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static int enter_folder(void **state) {
    char *folder = mem_strdup("/tmp/warpgrade-test-file-XXXXXX");
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state) {
    static const char *const names[] = {"plain", "link", "dangling", "target", "open"};
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
        unlink(names[i]);
    int left = chdir("/") || rmdir(*state);
    free(*state);
    return left;
}

static void assert_content(const char *path, const char *expected) {
    cleanup_free char *text = NULL;
    size_t length;
    assert_int_equal(file_read(path, 1000, &text, &length, NULL), STATUS_OK);
    assert_string_equal(text, expected);
}

static bool is_link(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

static void write_text(const char *path, const char *text) {
    assert_int_equal(file_write(path, text, strlen(text), NULL), STATUS_OK);
}

static void replaces_a_file_with_the_umasks_mode(void **state) {
    (void)state;
    mode_t mask = umask(027);
    write_text("plain", "old and longer");
    write_text("plain", "new");
    umask(mask);
    assert_content("plain", "new");
    struct stat info;
    assert_int_equal(stat("plain", &info), 0);
    assert_int_equal(info.st_mode & 07777, 0640);
}

/* Root's rename once turned /dev/stdout into a file, when standard output was one. */
static void never_replaces_a_link(void **state) {
    (void)state;
    write_text("target", "old");
    assert_int_equal(symlink("target", "link"), 0);
    write_text("link", "new");
    assert_true(is_link("link"));
    assert_content("target", "new");
    unlink("target");
    write_text("link", "again"); /* a link to what is not there yet */
    assert_true(is_link("link"));
    assert_content("target", "again");
}

static void writes_to_named_descriptors_in_place(void **state) {
    (void)state;
    int descriptor = open("open", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, "one ", 4), 4);
    cleanup_free char *path = mem_printf("/dev/fd/%d", descriptor);
    write_text(path, "two");
    close(descriptor);
    assert_content("open", "one two");
}

static void knows_the_names_of_descriptors(void **state) {
    (void)state;
    assert_int_equal(file_descriptor_of("/dev/stdout"), 1);
    assert_int_equal(file_descriptor_of("/dev/stderr"), 2);
    assert_int_equal(file_descriptor_of("/proc/self/fd/12"), 12);
    static const char *const others[] = {
        "", "/dev", "/dev/fd/", "/dev/fd/x", "/dev/fd/1x", "/dev/fd/9999999999999", "stdout"};
    for (size_t i = 0; i < ARRAY_LENGTH(others); i++)
        assert_int_equal(file_descriptor_of(others[i]), -1);
    assert_true(file_is_standard_output("-"));
    assert_true(file_is_standard_output("/dev/fd/1"));
    assert_false(file_is_standard_output("/dev/stderr"));
}

static void says_what_it_cannot_write(void **state) {
    (void)state;
    struct error error = {0};
    assert_int_equal(file_write("no/such/folder", "x", 1, &error), STATUS_ENVIRONMENT);
    assert_string_equal(error.message, "cannot write no/such/folder: No such file or directory");
    assert_int_equal(file_write("/dev/full", "x", 1, &error), STATUS_ENVIRONMENT);
    assert_int_equal(file_write(".", "x", 1, &error), STATUS_ENVIRONMENT);
}

/* A stranger's link would make the reader show, or hand in, what only the reader may see. */
static void foreign_links_are_refused(void **state) {
    (void)state;
    struct error error = {0};
    char *text;
    size_t length;
    write_text("target", "secret");
    unlink("link");
    assert_int_equal(symlink("target", "link"), 0);
    assert_int_equal(file_read_foreign("link", 100, &text, &length, &error), STATUS_INVALID);
    assert_string_equal(error.message, "link is a symbolic link, not a file");
    assert_string_equal(error.hint, "Name the file that it leads to.");
    assert_int_equal(file_read_foreign("target", 100, &text, &length, &error), STATUS_OK);
    free(text);
    /* /dev/fd/N is a link, too, and names what this process has opened itself */
    int descriptor = open("target", O_RDONLY);
    cleanup_free char *own = mem_printf("/dev/fd/%d", descriptor);
    assert_int_equal(file_read_foreign(own, 100, &text, &length, &error), STATUS_OK);
    assert_string_equal(text, "secret");
    free(text);
    close(descriptor);
}

static void moves_bytes_at_an_offset_or_says_why_not(void **state) {
    (void)state;
    char bytes[4] = "...";
    cleanup_fd int descriptor = open("plain", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(file_write_at(descriptor, "abcdef", 6, 2));
    assert_true(file_read_at(descriptor, bytes, 3, 4));
    assert_string_equal(bytes, "cde");
    assert_int_equal(lseek(descriptor, 0, SEEK_CUR), 0);
    errno = 0;
    assert_false(file_read_at(descriptor, bytes, 3, 6)); /* two are left */
    assert_int_equal(errno, ENODATA);
    assert_false(file_write_at(-1, "a", 1, 0));
    assert_int_equal(errno, EBADF);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaces_a_file_with_the_umasks_mode),
        cmocka_unit_test(never_replaces_a_link),
        cmocka_unit_test(writes_to_named_descriptors_in_place),
        cmocka_unit_test(knows_the_names_of_descriptors),
        cmocka_unit_test(says_what_it_cannot_write),
        cmocka_unit_test(foreign_links_are_refused),
        cmocka_unit_test(moves_bytes_at_an_offset_or_says_why_not),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
