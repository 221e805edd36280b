/* The parser on texts that are wrong: one message, with the PTX line, and never anything worse. */
#include "tests/support/launch.h"

#include "sandbox/simgpu/ptx/ptx.h"

static void check(const char *text, size_t length, unsigned line, const char *says) {
    struct ptx_module *module = NULL;
    struct error error = {0};
    if (ptx_parse(text, length, &module, &error) == STATUS_OK) {
        ptx_module_free(module);
        fail_msg("accepted: %.200s", text);
    }
    if (error.line != line || !strstr(error.message, says))
        fail_msg("line %u, \"%s\" (not line %u, \"%s\") for: %.200s", error.line, error.message,
                 line, says, text);
}

#define IN_KERNEL(lines) PTX_HEAD ".entry k()\n{\n.reg .b32 r;\n.reg .pred p;\n" lines "\n}\n"

static void test_errors(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned line;
        const char *says;
    } cases[] = {
        {"", 1, "no .version"},
        {"hello", 1, "a declaration is expected"},
        {"\n\n.version 8\n", 3, "a version like 9.0"},
        {PTX_HEAD ".frobnicate 3\n", 4, "a declaration is expected"},
        {PTX_HEAD ".entry\n", 5, "a name is expected"},
        {PTX_HEAD ".entry k(\n", 5, "a .param is expected"},
        {PTX_HEAD ".entry k(.reg .b32 r) {}", 4, "parameters in registers"},
        {PTX_HEAD ".entry k()\n{\n", 6, "the text ends inside a function"},
        {PTX_HEAD ".entry k()\n{\n{{{{", 6, "the text ends inside a function"},
        {PTX_HEAD ".global .b32 g[2] = {1, 2;\n", 4, "a closing brace is missing"},
        {PTX_HEAD ".global .b32 g[99999999999999];\n", 4, "a variable of more than 1024 MiB: g"},
        {PTX_HEAD ".global .b64 g[536870912][8];\n", 4, "a variable of more than 1024 MiB: g"},
        {PTX_HEAD ".global .b8 big[3600000000];\n", 4, "a variable of more than 1024 MiB: big"},
        {PTX_HEAD ".global .b32 g[99999999999999999999999];\n", 4, "not a PTX token"},
        {PTX_HEAD ".global .align 3 .b32 g;\n", 4, "a power of two"},
        {PTX_HEAD ".global g;\n", 4, "needs a type"},
        {PTX_HEAD ".global .b32 g[];\n", 4, "needs a size"},
        {PTX_HEAD ".file 1 k.cu\n", 4, "a file name in quotes"},
        {PTX_HEAD ".file 1 \"k.cu\n", 4, "not a PTX token"},
        {PTX_HEAD ".section .debug {\n.b8 1\n", 6, "a closing brace is missing"},
        {IN_KERNEL("mov.u32 r, 5"), 9, "';' is expected"},
        {IN_KERNEL("mov.u32 r, 0xfffffffffffffffff;"), 8, "not a PTX token"},
        {IN_KERNEL("mov.u32 r, 0f123;"), 8, "not a PTX token"},
        {IN_KERNEL("mov.u32 r, 12abc;"), 8, "not a PTX token"},
        {IN_KERNEL("mov.u32 r, ;"), 8, "an operand is expected"},
        {IN_KERNEL("@x mov.u32 r, 5;"), 8, "undeclared predicate"},
        {IN_KERNEL("ld.global.u32 r, [;"), 8, "a name is expected"},
        {IN_KERNEL("ld.global.u32 r, [r+;"), 8, "a whole number is expected"},
        {IN_KERNEL("mov.u32 r, {{{{{{r}}}}}};"), 8, "nest too deep"},
        {IN_KERNEL(".reg .b32 q<300000>;"), 8, "a number between 1 and 262144"},
        {IN_KERNEL(".frob 5;"), 8, "this directive is not known"},
        {IN_KERNEL(".loc 1 2;"), 8, "a whole number is expected"},
        {IN_KERNEL("/* no end"), 10, "the text ends inside a function"},
        {IN_KERNEL("mov.u32 r, \"text\";"), 8, "an operand is expected"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
        check(cases[i].text, strlen(cases[i].text), cases[i].line, cases[i].says);
}

/* Every prefix of a module ends in an error or in a module: never past the text's end, which stands
 * in memory of exactly its size, so that a sanitizer sees a byte too far. */
static void test_truncated(void **state) {
    (void)state;
    static const char text[] =
        PTX_HEAD ".file 1 \"k.cu\"\n.global .align 8 .u64 g[2] = {generic(h)+4, 0x10};\n"
                 ".const .f32 h = 0f3F800000; // a comment\n"
                 ".entry k(.param .align 8 .b8 p[16])\n.maxntid 128, 1, 1\n{\n.reg .b32 %r<5>;\n"
                 ".loc 1 2 3, function_name n, inlined_at 1 4 5\n$L1:\n@!%p1 bra $L1;\n"
                 "call (a), f, (b, c); /* another */\nt: .branchtargets $L1, $L1;\n"
                 "shfl.sync.down.b32 %r1|%p, %r2, 1, 31, -1;\nld.v2.u32 {%r1, _}, [%r2+-4];\n}\n";
    for (size_t length = 0; length <= sizeof text - 1; length++) {
        cleanup_free char *copy = mem_alloc(length ? length : 1);
        memcpy(copy, text, length);
        struct ptx_module *module = NULL;
        struct error error = {0};
        if (ptx_parse(copy, length, &module, &error) == STATUS_OK)
            ptx_module_free(module);
        else
            assert_true(error.message[0] != '\0');
    }
}

static void test_many(void **state) {
    (void)state;
    static const struct {
        const char *head, *repeated, *tail;
        unsigned count;
    } cases[] = {
        {PTX_HEAD ".entry k()\n", "{", "", 200000},
        {PTX_HEAD ".entry k()\n{\n", "{.reg .b32 r;", "}", 50000},
        {PTX_HEAD ".entry k()\n{\n", "a: ", "}", 50000},
        {PTX_HEAD, ".file 1 \"a\"\n", "", 50000},
        {PTX_HEAD ".global .b32 g[] = {", "1,", "2};", 100000},
        {PTX_HEAD ".global .b32 g[2] = ", "{", "", 100000},
        {PTX_HEAD ".global .b32 g", "[1]", ";", 100000},
        {PTX_HEAD ".entry k()\n{\nfoo ", "(", ";}", 100000},
        {PTX_HEAD ".entry k()\n{\n.reg .b32 r", "<9>", ";}", 1000},
        {PTX_HEAD, "/*", "", 100000},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct text text = {0};
        text_append(&text, cases[i].head);
        for (unsigned n = 0; n < cases[i].count; n++)
            text_append(&text, cases[i].repeated);
        text_append(&text, cases[i].tail);
        struct ptx_module *module = NULL;
        if (ptx_parse(text_string(&text), text.length, &module, NULL) == STATUS_OK)
            ptx_module_free(module);
        text_free(&text);
    }
}

/* What the parser accepts and the decoder cannot use is refused or unsupported, with its place. */
static void test_undecodable(void **state) {
    (void)state;
    static const struct {
        const char *body, *says;
    } cases[] = {
        {"add.u32 %r1, %r2;", "an operand is missing"},
        {"add.u32 %r1, %r2, %r3, %r4;", "too many operands"},
        {"add.u32 %w1, %r2, %r3;", "another width"},
        {"add.u32 %r1, %w2, %r3;", "another width"},
        {"mov.u32 %r1, %frob;", "%frob"},
        {"mov.u32 %r1, nowhere;", "not declared"},
        {"bra $nowhere;", "unknown label"},
        {"ld.global.v2.u32 {%r1}, [%a];", "another length"},
        {"ld.global.u64 %r1, [%a];", "narrower"},
        {"st.param.u64 [p], %a;", "kernel parameter"},
        {"ld.param.u64 %x, [p+8];", "past a parameter"},
        {"call nobody, ();", "no body"},
        {"brx.idx %r1, %r2;", "list of targets"},
        {"add.u32.frob %r1, %r2, %r3;", "add.u32.frob (PTX line"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct engine_result result = launch_body(cases[i].body, 1, 32);
        if (result.hazard_count != 1 || result.hazards[0].kind != HAZARD_UNSUPPORTED ||
            !strstr(result.hazards[0].message, cases[i].says))
            fail_msg("%s: %s", cases[i].body,
                     result.hazard_count ? result.hazards[0].message : "no hazard");
        engine_result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_undecodable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
