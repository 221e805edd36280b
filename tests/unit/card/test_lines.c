/* Lines of the host: what is taken of a strange program's debug information, and what of it a
 * finding names. */
#include "sandbox/card/card_lines.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FRAMES = WIRE_SITE_FRAMES };

/* Each address: of which function inlined into which, as addr2line(1) writes it. */
static const char in_main[] = "0x1\nmain\n/scratch/a.cu:41 (discriminator 2)\n";
static const char in_helper[] = "0x1\nmake(unsigned long)\n/scratch/a.cu:5\n"
                                "0x2\nmain\n/scratch/a.cu:41\n";
static const char in_template[] =
    "0x1\ncudaError cudaMalloc<float>(float**, unsigned long)\n"
    "/usr/local/cuda/include/cuda_runtime.h:713\nmain\n/scratch/a.cu:12\n";
static const char in_own_header[] =
    "0x1\nupload\n/scratch/help.cuh:7\n0x2\nmain\n/scratch/a.cu:3\n";
static const char in_stub[] = "0x1\nlaunch\n/tmp/a.cudafe1.stub.c:2\n0x2\nrun\n/scratch/b.cpp:9\n";
static const char in_header_only[] = "0x1\nf\n/scratch/all.hpp:30\n0x2\nmain\n??:0\n";
static const char unknown[] = "0x1\n??\n??:0\n0x2\n??\n??:?\n";

static void fill(const char *said, struct hazard *hazard) {
    struct line_frame frames[FRAMES] = {{0}};
    const struct named_site site = {.number = 3, .count = FRAMES};
    lines_parse(said, strlen(said), frames, FRAMES);
    lines_fill(&site, frames, 1, hazard, 1);
    for (size_t i = 0; i < FRAMES; i++)
        free(frames[i].places);
}

static void expect(const char *said, const char *file, unsigned line, const char *message) {
    struct hazard hazard = {.site = 3};
    snprintf(hazard.message, sizeof hazard.message, "freed at " SITE_MARK ", twice", 3u);
    fill(said, &hazard);
    assert_string_equal(hazard.file, file);
    assert_int_equal(hazard.line, line);
    assert_string_equal(hazard.message, message);
}

static void names_the_line_of_the_programs_own_call(void **state) {
    (void)state;
    expect(in_main, "a.cu", 41, "freed at line 41, twice");
    expect(in_helper, "a.cu", 5, "freed at line 5, twice; called from line 41");
    expect(in_template, "a.cu", 12, "freed at line 12, twice");
    expect(in_own_header, "a.cu", 3, "freed at line 3, twice");
    expect(in_stub, "b.cpp", 9, "freed at line 9, twice");
    expect(in_header_only, "all.hpp", 30, "freed at line 30, twice");
    expect(unknown, "", 0, "freed at an unknown line, twice");
    expect("", "", 0, "freed at an unknown line, twice");
}

/* Of a program without our library there is no site at all. */
static void leaves_no_mark_where_no_site_is_known(void **state) {
    (void)state;
    struct hazard hazard = {.site = 0};
    snprintf(hazard.message, sizeof hazard.message, "freed at " SITE_MARK ", twice", 0u);
    lines_resolve("/nowhere", NULL, 0, &hazard, 1);
    assert_string_equal(hazard.message, "freed at an unknown line, twice");
}

static void names_the_other_file_in_a_message(void **state) {
    (void)state;
    struct hazard hazard = {.file = "kernel.cu", .line = 8};
    snprintf(hazard.message, sizeof hazard.message,
             "launched from " SITE_MARK ", " SITE_MARK ", \001 and \001x", 3u, 77u);
    fill(in_main, &hazard);
    assert_string_equal(hazard.message, "launched from a.cu:41, an unknown line,  and x");
    assert_string_equal(hazard.file, "kernel.cu");
    struct hazard pair = {.site = 77, .other_site = 3, .message = ""};
    fill(in_main, &pair);
    assert_int_equal(pair.line, 0);
    assert_string_equal(pair.other_file, "a.cu");
    assert_int_equal(pair.other_line, 41);
}

/* Whatever the program has put into its debug information. */
static void survives_any_text(void **state) {
    (void)state;
    char *wide = mem_alloc(100000);
    memset(wide, 'n', 99999);
    memcpy(wide, "0x1\n", 4);
    wide[50000] = '\n';
    wide[99999] = '\0';
    const char *const texts[] = {"0x1",
                                 "0x1\n",
                                 "0x1\nf",
                                 "0x1\nf\n",
                                 "0x1\nf\n:",
                                 "0x1\nf\na.cu:",
                                 "0x1\nf\na.cu:99999999999999999999999\n",
                                 "\n\n\n",
                                 wide,
                                 "a\nb.cu:1\n",
                                 "0x1\n0x2\n0x3\n0x4\n0x5\n0x6\n0x7\n0x8\n0x9\nf\na.cu:1"};
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
        struct hazard hazard = {.site = 3};
        fill(texts[i], &hazard);
        assert_int_equal(hazard.line, 0);
    }
    free(wide);
}

static void finds_the_marks_of_a_message(void **state) {
    (void)state;
    const char *at = "a \0015\001 b \001 \0017\001";
    assert_int_equal(site_mark_next(&at), 5);
    assert_int_equal(site_mark_next(&at), 7);
    assert_int_equal(site_mark_next(&at), 0);
    at = "\00199999999999\001";
    assert_int_equal(site_mark_next(&at), 0);
}

static enum result_use use_in(const char *text) {
    return result_use_in(text, strlen(text));
}

/* What the instructions after a call do with %eax, as objdump(1) writes them. */
static void knows_what_becomes_of_a_result(void **state) {
    (void)state;
    static const char *const read[] = {" 1:\tmov    %eax,-0x4(%rbp)\n",
                                       " 1:\ttest   %eax,%eax\n",
                                       " 1:\tmov    %eax,%edi\n",
                                       " 1:\tmov    0x8(%rax),%eax\n",
                                       " 1:\tcltq\n",
                                       " 1:\tjne    1234 <main+0x8>\n",
                                       " 1:\tlea    0x8(%rsp),%rdi\n 2:\tcmp    $0x0,%eax\n",
                                       " 1:\tpush   %rax\n",
                                       " 1:\trep stos %al,%es:(%rdi)\n",
                                       " 1:\tcmpxchg %ecx,(%rdi)\n",
                                       " 1:\t(bad)\n",
                                       "",
                                       "no instruction at all\n",
                                       " 1:\tcall   *%rax\n",
                                       " 1:\tmov    $0x1,%al\n"};
    static const char *const lost[] = {" 1:\tmov    -0x8(%rbp),%rax\n",
                                       " 1:\tmov    $0x0,%eax\n",
                                       " 1:\txor    %eax,%eax\n",
                                       " 1:\tlea    -0x40(%rbp),%rax\n",
                                       " 1:\tcall   1030 <cudaFree@plt>\n",
                                       " 1:\tmov    %rbx,%rdi\n 2:\tcall   1030 <cudaFree@plt>\n",
                                       " 1:\tmov    0x2ee9(%rip),%rax        # 4010 <a>\n"};
    for (size_t i = 0; i < ARRAY_LENGTH(read); i++)
        assert_int_equal(use_in(read[i]), RESULT_READ);
    for (size_t i = 0; i < ARRAY_LENGTH(lost); i++)
        assert_int_equal(use_in(lost[i]), RESULT_LOST);
    assert_int_equal(use_in(" 1:\tleave\n 2:\tret\n"), RESULT_RETURNED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_line_of_the_programs_own_call),
        cmocka_unit_test(leaves_no_mark_where_no_site_is_known),
        cmocka_unit_test(names_the_other_file_in_a_message),
        cmocka_unit_test(survives_any_text),
        cmocka_unit_test(finds_the_marks_of_a_message),
        cmocka_unit_test(knows_what_becomes_of_a_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
