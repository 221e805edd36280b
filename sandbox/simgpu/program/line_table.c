/* From instructions to lines of the submission.
 *
 * The compiler says for inlined code where it was inlined to, through any number of headers; code
 * of headers that was not inlined is copied for each call by call_graph.c and stands at its call.
 */
#include "sandbox/simgpu/program/decoder.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/program.h"

#include <stdio.h>
#include <string.h>

/* Which file of the module is the submission: the one of its name, else the first. */
uint32_t line_table_main_file(const struct ptx_module *module, const char *source_file) {
    const char *wanted = source_file ? file_base_name(source_file) : "";
    for (size_t i = 0; i < module->file_count; i++) {
        struct ptx_span path = module->files[i].path;
        size_t length = strlen(wanted);
        if (length && path.length >= length &&
            memcmp(path.start + path.length - length, wanted, length) == 0 &&
            (path.length == length || path.start[path.length - length - 1] == '/'))
            return module->files[i].number;
    }
    return module->file_count ? module->files[0].number : 0;
}

static uint32_t program_file(struct program *program, const struct ptx_module *module,
                             uint32_t number) {
    char name[256] = "";
    for (size_t i = 0; i < module->file_count; i++)
        if (module->files[i].number == number) {
            char path[512];
            snprintf(path, sizeof path, "%.*s", (int)module->files[i].path.length,
                     module->files[i].path.start);
            snprintf(name, sizeof name, "%.255s", file_base_name(path));
        }
    for (size_t i = 0; i < program->file_count; i++)
        if (strcmp(program->files[i], name) == 0)
            return (uint32_t)i;
    memcpy(*mem_push(&program->files, &program->file_count, &program->file_capacity), name,
           sizeof name);
    return (uint32_t)(program->file_count - 1);
}

/* The location of the submission that inlined code of a header stands for, through any number of
 * headers in between: the compiler writes the chain of calls out, outermost first. */
static const struct ptx_location *call_site(const struct ptx_module *module, size_t index,
                                            uint32_t main_number) {
    const struct ptx_location *location = &module->locations[index];
    size_t farthest = index > 64 ? index - 64 : 0;
    for (size_t i = index; i-- > farthest && location->inlined;) {
        const struct ptx_location *outer = &module->locations[i];
        if (location->inlined_file == main_number)
            break;
        if (outer->file == location->inlined_file && outer->line == location->inlined_line &&
            outer->column == location->inlined_column)
            location = outer;
    }
    return location;
}

bool line_table_in_submission(const struct decoder *decoder, int32_t location) {
    if (location < 0 || (size_t)location >= decoder->module->location_count)
        return false;
    const struct ptx_location *outer =
        call_site(decoder->module, (size_t)location, decoder->main_file);
    return outer->line && (outer->file == decoder->main_file ||
                           (outer->inlined && outer->inlined_file == decoder->main_file));
}

/* Code inlined from a header counts for the line of the submission that called it. Line 0 marks
 * instructions of the compiler's own: they belong to the line before them. */
void line_table_resolve(struct decoder *decoder) {
    struct program *program = decoder->program;
    const struct ptx_module *module = decoder->module;
    uint32_t main_number = decoder->main_file;
    struct insn_origin last = {0};
    size_t next = 1; /* the function after the present one */
    for (size_t pc = 0; pc < program->length; pc++) {
        struct insn_origin *origin = &program->origins[pc];
        uint32_t index = origin->line;
        origin->file = last.file;
        origin->line = last.line;
        origin->column = last.column;
        if (index < module->location_count) {
            const struct ptx_location *location = &module->locations[index];
            bool inlined = location->file != main_number && location->inlined;
            if (inlined)
                location = call_site(module, index, main_number);
            uint32_t line = inlined ? location->inlined_line : location->line;
            if (line) {
                origin->file = program_file(program, module,
                                            inlined ? location->inlined_file : location->file);
                origin->line = line;
                origin->column = inlined ? location->inlined_column : location->column;
            }
        }
        last = *origin;
        for (; next < program->function_count && program->functions[next].entry_pc <= pc + 1;
             next++)
            last = (struct insn_origin){0};
    }
}
