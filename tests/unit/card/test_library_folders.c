/* Where a program's libraries may stand, by its ELF file, which may be anything. */
#include "sandbox/card/library_folders.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct program {
    Elf64_Ehdr head;
    Elf64_Phdr segments[2];
    Elf64_Dyn tags[4];
    char strings[96];
};

static struct program make(int64_t tag, const char *list) {
    enum { ADDRESS = 0x400000 };
    struct program program = {
        .head = {.e_phoff = offsetof(struct program, segments),
                 .e_phentsize = sizeof(Elf64_Phdr),
                 .e_phnum = 2},
        .segments = {{.p_type = PT_LOAD, .p_vaddr = ADDRESS, .p_filesz = sizeof program},
                     {.p_type = PT_DYNAMIC, .p_offset = offsetof(struct program, tags)}},
        .tags = {{.d_tag = tag, .d_un.d_val = 1},
                 {.d_tag = DT_STRTAB, .d_un.d_ptr = ADDRESS + offsetof(struct program, strings)},
                 {.d_tag = DT_NULL}}};
    memcpy(program.head.e_ident, ELFMAG "\2", SELFMAG + 1);
    snprintf(program.strings + 1, sizeof program.strings - 1, "%s", list);
    return program;
}

/* Those that a file names are there: below "/". */
static char *folders_of(const void *bytes, size_t length) {
    struct library_folders folders = {.below = {"", NULL}};
    cleanup_text struct text said = {0};
    cleanup_free char *exact = mem_dup(bytes, length); /* what is read behind it is found */
    library_folders_add(&folders, exact, length, ".");
    for (size_t i = 0; i < folders.count; i++)
        text_printf(&said, "%s|", folders.paths[i]);
    library_folders_free(&folders);
    return mem_strdup(text_string(&said));
}

static void test_lists(void **state) {
    (void)state;
    static const struct {
        int64_t tag;
        const char *list, *folders;
    } cases[] = {
        {DT_RUNPATH, "$ORIGIN/.:/tmp/../tmp", ".|./.|/tmp/../tmp|"},
        {DT_RPATH, "${ORIGIN}/..:$ORIGIN/not-there", ".|./..|"},
        {DT_RUNPATH, "$ORIGIN:$ORIGINAL/x::/usr/lib:/lib64:relative", ".|"},
        {DT_RUNPATH, "", ".|"},
        {DT_NEEDED, "/tmp", ".|"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        const struct program program = make(cases[i].tag, cases[i].list);
        cleanup_free char *folders = folders_of(&program, sizeof program);
        assert_string_equal(folders, cases[i].folders);
    }
}

/* Where the file must not choose: elsewhere, also by way of a folder that it may. */
static void test_elsewhere(void **state) {
    (void)state;
    struct library_folders folders = {.below = {"/usr/share", "/tmp"}};
    const struct program program = make(DT_RUNPATH, "/tmp:/:/tmp/..:/tmpfile:/etc:$ORIGIN/../..");
    library_folders_add(&folders, (const char *)&program, sizeof program, "/usr/share");
    assert_int_equal(folders.count, 2);
    assert_string_equal(folders.paths[0], "/usr/share");
    assert_string_equal(folders.paths[1], "/tmp");
    library_folders_free(&folders);
}

static void test_list_of_the_environment(void **state) {
    (void)state;
    struct library_folders folders = {0};
    library_folders_add_list(&folders, "/a/b:$ORIGIN/c:/a/b", ".");
    assert_int_equal(folders.count, 2);
    assert_string_equal(folders.paths[0], "/a/b");
    assert_string_equal(folders.paths[1], "./c");
    library_folders_free(&folders);
}

/* Each is compared with all others, and opened. */
static void test_many(void **state) {
    (void)state;
    struct library_folders folders = {0};
    cleanup_text struct text list = {0};
    for (unsigned i = 0; i < 100000; i++)
        text_printf(&list, "/%u:", i);
    library_folders_add_list(&folders, text_string(&list), ".");
    assert_int_equal(folders.count, 256);
    library_folders_free(&folders);
}

/* Cut anywhere, and with any of its bytes another one. */
static void test_hostile(void **state) {
    (void)state;
    const struct program program = make(DT_RUNPATH, "/tmp");
    for (size_t length = 0; length < sizeof program; length++) {
        cleanup_free char *folders = folders_of(&program, length);
        assert_int_equal(strncmp(folders, ".|", 2), 0);
    }
    for (size_t at = 0; at < sizeof program; at++)
        for (unsigned value = 0; value < 256; value += 51) {
            struct program other = program;
            ((unsigned char *)&other)[at] = (unsigned char)value;
            cleanup_free char *folders = folders_of(&other, sizeof other);
            assert_int_equal(strncmp(folders, ".|", 2), 0);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists),
                                       cmocka_unit_test(test_elsewhere),
                                       cmocka_unit_test(test_list_of_the_environment),
                                       cmocka_unit_test(test_many), cmocka_unit_test(test_hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
