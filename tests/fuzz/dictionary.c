/* Prints a libFuzzer dictionary of PTX: every key of isa.def, its words, the special registers and
 * the directives. Made again for each run, so that a new row is fuzzed from its first day. */
#include "sandbox/simgpu/program/program.h"

#include <stdio.h>
#include <string.h>

static const char *const others[] = {
#define SPECIAL(id, name, bytes) name,
#include "sandbox/simgpu/program/special.def"
#undef SPECIAL
    ".version 8.0 ",
    ".target sm_80 ",
    ".address_size 64 ",
    ".entry ",
    ".func ",
    ".visible ",
    ".extern ",
    ".weak ",
    ".reg ",
    ".param ",
    ".local ",
    ".shared ",
    ".global ",
    ".const ",
    ".align 16 ",
    ".v2",
    ".v4",
    ".loc ",
    ".file ",
    ".maxntid ",
    ".reqntid ",
    ".branchtargets ",
    ".callprototype ",
    ".calltargets ",
    ".pragma ",
    ".section ",
    ".noreturn",
    ".param .align 8 .b8 ",
    ".sync",
    ".aligned",
    ".sat",
    ".ftz",
    ".rn",
    ".rz",
    ".approx",
    ".full",
    ".uni",
    ".cc",
    ".wide",
    ".global",
    ".shared",
    ".local",
    ".const",
    ".param",
    ".generic",
    ".volatile",
    ".relaxed",
    ".acquire",
    ".release",
    ".acq_rel",
    ".gpu",
    ".cta",
    ".sys",
    "vprintf",
    "__assertfail",
    "malloc",
    "free",
    "%r1",
    "%rd1",
    "%f1",
    "%fd1",
    "%p1",
    "%rs1",
    "@%p1 ",
    "@!%p1 ",
    "0x7fffffff",
    "0xffffffffffffffff",
    "0f7fc00000",
    "0d7ff8000000000000",
    "<1000>",
    "[%rd1+4]",
    "{%r1,%r2}",
    "%r1|%p1",
    "1073741824",
    "generic("};

static void print_word(const char *word, size_t length) {
    printf("\"");
    for (size_t i = 0; i < length; i++)
        if (word[i] == '"' || word[i] == '\\')
            printf("\\%c", word[i]);
        else
            putchar(word[i]);
    printf("\"\n");
}

int main(void) {
    for (size_t i = FORM_NONE + 1; i < isa_form_count; i++)
        print_word(isa_forms[i].key, strlen(isa_forms[i].key));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        print_word(others[i], strlen(others[i]));
    return 0;
}
