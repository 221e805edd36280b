/* Decodes every mnemonic that real kernels use (census.txt): all of them are executed.
 * run_census census.txt
 *
 * Each line is a mnemonic and operands that it takes; it becomes a kernel of one instruction. */
#include "sandbox/simgpu/program/program.h"

#include <stdio.h>
#include <string.h>

static const char frame[] =
    ".version 8.6\n.target sm_90\n.address_size 64\n.const .align 16 .b8 c[64];\n"
    ".func f(.param .align 16 .b8 x[64])\n{\n\tret;\n}\n"
    ".visible .entry t(.param .align 16 .b8 in[64])\n{\n\t.reg .pred %%p<9>;\n\t.reg .b16 %%h<9>;\n"
    "\t.reg .b32 %%r<9>;\n\t.reg .b64 %%d<9>;\n\t.param .align 16 .b8 par[64];\n"
    "\t%s %s;\n$L:\n\tret;\n}\n";

/* An empty string: it is executed. */
static void why_not(const char *mnemonic, const char *operands, char *why, size_t size) {
    char text[2048];
    int length = snprintf(text, sizeof text, frame, mnemonic, operands);
    struct ptx_module *module = NULL;
    struct program *program = NULL;
    const struct ptx_function *kernel;
    struct error error = {0};
    why[0] = '\0';
    if (ptx_parse(text, (size_t)length, &module, &error) != STATUS_OK ||
        ptx_find_kernel(module, "t", &kernel, &error) != STATUS_OK ||
        program_decode(module, kernel, "", 0, &program, &error) != STATUS_OK)
        snprintf(why, size, "%s", error.message);
    else if (program->unsupported_count)
        snprintf(why, size, "%s", program->unsupported[0]);
    program_free(program);
    ptx_module_free(module);
}

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "re") : NULL;
    if (!file) {
        fprintf(stderr, "usage: run_census FILE\n");
        return 2;
    }
    char line[512], why[1200];
    unsigned executed = 0, wrong = 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        char *tab = strchr(line, '\t');
        if (tab)
            *tab = '\0';
        why_not(line, tab ? tab + 1 : "", why, sizeof why);
        executed += why[0] == '\0';
        wrong += why[0] != '\0';
        if (why[0])
            fprintf(stderr, "%s: %s\n", line, why);
    }
    fclose(file);
    printf("%u mnemonics are executed, %u are refused\n", executed, wrong);
    return wrong || !executed;
}
