/* Several PTX texts as one: what finds what, what is renamed, what is refused. */
#include "tests/support/launch.h"

#include "sandbox/simgpu/ptx/link_texts.h"

#define HEAD(target) ".version 9.0\n.target " target "\n.address_size 64\n"

static enum status link_two(const char *first, const char *second, struct text *linked,
                            struct error *error) {
    const struct ptx_span texts[] = {{first, (uint32_t)strlen(first)},
                                     {second, (uint32_t)strlen(second)}};
    return ptx_link_texts(texts, 2, linked, error);
}

static void check_has(const struct text *linked, const char *part) {
    if (!strstr(text_string(linked), part))
        fail_msg("no \"%s\" in:\n%s", part, text_string(linked));
}

static void check_lacks(const struct text *linked, const char *part) {
    if (strstr(text_string(linked), part))
        fail_msg("\"%s\" in:\n%s", part, text_string(linked));
}

static void check_parses(const struct text *linked) {
    struct ptx_module *module = NULL;
    struct error error = {0};
    if (ptx_parse(text_string(linked), linked->length, &module, &error) != STATUS_OK)
        fail_msg("line %u: %s in:\n%s", error.line, error.message, text_string(linked));
    ptx_module_free(module);
}

static const char user[] =
    HEAD("sm_80") ".extern .func (.param .b32 r) twice(.param .b32 x);\n"
                  ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                  ".extern .shared .align 16 .b8 room[];\n"
                  ".extern .global .align 4 .u32 counter;\n"
                  ".global .align 1 .b8 $str[3] = {104, 105, 0};\n"
                  ".weak .func shared_template() { ret; }\n"
                  ".visible .entry k()\n{\n.reg .b64 %rd<9>;\n.loc 1 3 1\nmov.u64 %rd1, counter;\n"
                  "mov.u64 %rd2, $str;\nmov.u64 %rd3, room;\nret;\n}\n"
                  ".file 1 \"a.cu\"\n.section .debug_str\n{\n$L__info_string0:\n.b8 95,0\n}\n";
static const char definer[] =
    HEAD("sm_90") ".visible .global .align 4 .u32 counter = 5;\n"
                  ".visible .global .align 8 .u64 table[1] = {twice};\n"
                  ".extern .shared .align 16 .b8 room[];\n"
                  ".global .align 1 .b8 $str[3] = {98, 121, 0};\n"
                  ".weak .func shared_template() { ret; }\n"
                  ".visible .func (.param .b32 r) twice(.param .b32 x) .pragma \"nounroll\";\n"
                  "{\n.reg .b64 %rd<9>;\n"
                  ".loc 1 7 1, function_name $L__info_string0, inlined_at 2 9 1\n"
                  "mov.u64 %rd2, $str;\nmov.u64 %rd3, room;\nret;\n}\n"
                  ".file 1 \"b.cu\"\n.file 2 \"b.h\"\n";

static void test_links(void **state) {
    (void)state;
    cleanup_text struct text linked = {0};
    struct error error = {0};
    assert_int_equal(link_two(user, definer, &linked, &error), STATUS_OK);
    check_parses(&linked);
    check_has(&linked, ".target sm_90\n");
    check_has(&linked, "vprintf(");          /* is defined nowhere, and stays */
    check_lacks(&linked, ".extern .global"); /* has found its definition */
    check_lacks(&linked, ".extern .func (.param .b32 r) twice");
    check_has(&linked, "$str$unit1[3] = {98, 121, 0}"); /* another string of the same name */
    check_has(&linked, "mov.u64 %rd2, $str$unit1;");
    check_has(&linked, "mov.u64 %rd2, $str;");
    check_lacks(&linked, "room$unit1");
    check_has(&linked, ".file 1 \"a.cu\"");
    check_has(&linked, ".file 2 \"b.cu\"");
    check_has(&linked, ".file 3 \"b.h\"");
    check_has(&linked, ".loc 2 7 1, function_name $L__info_string0, inlined_at 3 9 1");
    check_lacks(&linked, ".section");
    const char *body = strstr(text_string(&linked), "shared_template() {");
    assert_non_null(body);
    assert_null(strstr(body + 1, "shared_template"));
    const char *table = strstr(text_string(&linked), "table[1]");
    const char *prototype =
        strstr(text_string(&linked), ".visible .func (.param .b32 r) twice(.param .b32 x) ;\n");
    if (!prototype || prototype > table)
        fail_msg(
            "no prototype before the table of functions, which comes before all calls, in:\n%s",
            text_string(&linked));
    assert_null(strstr(strstr(text_string(&linked), " room[") + 1, " room["));
}

static void test_refuses(void **state) {
    (void)state;
    static const struct {
        const char *first, *second, *says;
    } cases[] = {
        {HEAD("sm_80") ".visible .global .u32 g;", HEAD("sm_80") ".visible .global .u32 g;",
         "g is defined in two"},
        {HEAD("sm_80") ".visible .func f() { ret; }", HEAD("sm_80") ".visible .func f() { ret; }",
         "f is defined in two"},
        {HEAD("sm_80") ".extern .global .u32 g;", HEAD("sm_80"), "defined in none"},
        {"", "", "are not PTX"},
        {"{{{{", ".func (((", "are not PTX"},
        {".target sm_", ".version", "are not PTX"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        cleanup_text struct text linked = {0};
        struct error error = {0};
        assert_int_equal(link_two(cases[i].first, cases[i].second, &linked, &error),
                         STATUS_INVALID);
        if (!strstr(error.message, cases[i].says))
            fail_msg("\"%s\", not \"%s\"", error.message, cases[i].says);
    }
}

/* Whatever is cut off: an end, and no read beyond the text. */
static void test_cut(void **state) {
    (void)state;
    for (size_t length = 0; length < sizeof definer; length++) {
        cleanup_free char *cut = mem_dup(definer, length + 1);
        cut = mem_realloc(cut, length ? length : 1, 1);
        cleanup_text struct text linked = {0};
        const struct ptx_span texts[] = {{user, sizeof user - 1}, {cut, (uint32_t)length}};
        ptx_link_texts(texts, 2, &linked, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_links), cmocka_unit_test(test_refuses),
                                       cmocka_unit_test(test_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
