/* Reading the data files, wrapping a test into a kernel, comparing bit for bit. */
#include "ptx_case.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/texture_image.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const mode_names[MODE_COUNT] = {"all lanes", "branched around", "guarded"};

/* What the outputs hold before: a lane that does not participate keeps it. */
static const uint64_t untouched = 0xa5c3a5c3a5c3a5c3u;

struct reader {
    const char *path;
    unsigned line;
    struct ptx_case *current;
    struct case_list *list;
};

static bool complain(const struct reader *reader, const char *what, const char *word) {
    fprintf(stderr, "%s:%u: %s: %s\n", reader->path, reader->line, what, word);
    return false;
}

static bool read_registers(const struct reader *reader, char *rest, struct case_register *registers,
                           unsigned *count) {
    char *state;
    for (char *word = strtok_r(rest, " \t", &state); word; word = strtok_r(NULL, " \t", &state)) {
        char *colon = strchr(word, ':');
        if (!colon || *count == CASE_REGISTERS)
            return complain(reader, "a register like d:u32 is expected", word);
        *colon = '\0';
        struct case_register *added = &registers[(*count)++];
        snprintf(added->name, sizeof added->name, "%s", word);
        snprintf(added->type, sizeof added->type, "%s", colon + 1);
        const char *digits = strpbrk(colon + 1, "0123456789");
        added->bits = digits ? (unsigned)atoi(digits) : 1;
        if (strstr(added->type, "x2"))
            added->bits = 32;
    }
    return true;
}

static bool read_bits(const char *word, uint64_t *bits) {
    char *end;
    *bits = word[0] == '-' ? 0 - strtoull(word + 1, &end, 0) : strtoull(word, &end, 0);
    return end != word && (*end == '\0' || *end == ':');
}

static bool read_output(const char *word, struct case_output *output) {
    *output = (struct case_output){OUTPUT_EXACT, 0, 0};
    if (strcmp(word, "*") == 0) {
        output->kind = OUTPUT_ANY;
        return true;
    }
    if (word[0] != '~')
        return read_bits(word, &output->bits) && !strchr(word, ':');
    output->kind = OUTPUT_NEAR;
    const char *colon = strchr(word, ':');
    output->ulp = colon ? (unsigned)atoi(colon + 1) : 0;
    return colon && read_bits(word + 1, &output->bits);
}

static bool read_row(const struct reader *reader, char *rest) {
    struct ptx_case *test = reader->current;
    char *state;
    unsigned inputs = 0, outputs = 0;
    bool behind = false;
    if (test->row_count == CASE_LANES)
        return complain(reader, "more than 32 rows", test->name);
    for (char *word = strtok_r(rest, " \t", &state); word; word = strtok_r(NULL, " \t", &state)) {
        if (strcmp(word, "->") == 0) {
            behind = true;
            continue;
        }
        if ((behind ? outputs : inputs) == CASE_REGISTERS)
            return complain(reader, "too many values", word);
        bool read = behind ? read_output(word, &test->out[test->row_count][outputs++])
                           : read_bits(word, &test->in[test->row_count][inputs++]);
        if (!read)
            return complain(reader, "not a value", word);
    }
    if (inputs != test->input_count || outputs != test->output_count)
        return complain(reader, "as many values as registers are expected", test->name);
    test->row_count++;
    return true;
}

static bool read_case(struct reader *reader, char *rest) {
    struct ptx_case *test = mem_zalloc(sizeof *test);
    char *state, *name = strtok_r(rest, " \t", &state);
    snprintf(test->file, sizeof test->file, "%s", file_base_name(reader->path));
    snprintf(test->name, sizeof test->name, "%s", name ? name : "");
    test->line = reader->line;
    for (char *word = strtok_r(NULL, " \t", &state); word; word = strtok_r(NULL, " \t", &state)) {
        test->all_lanes_only |= strcmp(word, "all-lanes") == 0;
        test->sim_only |= strcmp(word, "sim-only") == 0;
        if (strcmp(word, "sm_90") == 0)
            test->target = 90;
        test->cuda_unguarded |= strcmp(word, "cuda-unguarded") == 0;
    }
    reader->current = test;
    struct case_list *list = reader->list;
    *mem_push(&list->cases, &list->count, &list->capacity) = test;
    return name != NULL || complain(reader, "a name is expected", "test");
}

static void append_line(struct text *text, const char *line) {
    text_append(text, line);
    text_append_char(text, '\n');
}

static bool read_line(struct reader *reader, char *line) {
    size_t length = strcspn(line, " \t");
    char *rest = line + length + (line[length] != '\0');
    line[length] = '\0';
    if (line[0] == '\0' || line[0] == '#')
        return true;
    if (strcmp(line, "test") == 0)
        return read_case(reader, rest);
    struct ptx_case *test = reader->current;
    if (!test)
        return complain(reader, "a test is expected first", line);
    if (strcmp(line, "in") == 0)
        return read_registers(reader, rest, test->inputs, &test->input_count);
    if (strcmp(line, "out") == 0)
        return read_registers(reader, rest, test->outputs, &test->output_count);
    if (strcmp(line, "row") == 0)
        return read_row(reader, rest);
    if (strcmp(line, "module") == 0)
        append_line(&test->module, rest);
    else if (strcmp(line, "printed") == 0)
        append_line(&test->printed, rest);
    else if (strcmp(line, "code") == 0) {
        append_line(&test->code, rest);
        for (const char *at = rest; *at; at++)
            test->instructions += *at == ';';
    } else {
        return complain(reader, "an unknown word", line);
    }
    return true;
}

bool cases_read(const char *path, struct case_list *list) {
    struct error error = {0};
    cleanup_free char *data = NULL;
    size_t length;
    if (file_read(path, 16 << 20, &data, &length, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    struct reader reader = {.path = path, .list = list};
    char *next = data;
    while (next && *next) {
        char *line = next;
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        reader.line++;
        if (!read_line(&reader, line))
            return false;
    }
    return true;
}

void cases_free(struct case_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        text_free(&list->cases[i]->module);
        text_free(&list->cases[i]->code);
        text_free(&list->cases[i]->printed);
        free(list->cases[i]);
    }
    free(list->cases);
}

bool case_has_mode(const struct ptx_case *test, enum case_mode mode) {
    if (mode == MODE_ALL)
        return true;
    if (test->all_lanes_only)
        return false;
    const char *code = text_string(&test->code);
    return mode == MODE_BRANCH || (test->instructions == 1 && code[0] != '@' && code[0] != '.' &&
                                   code[0] != '{' && !strchr(code, ':'));
}

static void declare(const struct case_register *registers, unsigned count, struct text *ptx) {
    for (unsigned i = 0; i < count; i++)
        text_printf(ptx, "\t.reg .%s %s;\n", registers[i].type, registers[i].name);
}

/* A register of n bits is the low n bits of its word. */
static void load(const struct case_register *reg, unsigned index, const char *buffer,
                 struct text *ptx) {
    if (reg->bits == 1)
        text_printf(ptx, "\tld.global.u32 %%w32, [%s+%u];\n\tsetp.ne.u32 %s, %%w32, 0;\n", buffer,
                    index * CASE_LANES * 8, reg->name);
    else if (reg->bits == 8)
        text_printf(ptx, "\tld.global.b8 %s, [%s+%u];\n", reg->name, buffer,
                    index * CASE_LANES * 8);
    else
        text_printf(ptx, "\tld.global.b%u %s, [%s+%u];\n", reg->bits, reg->name, buffer,
                    index * CASE_LANES * 8);
}

static void store(const struct case_register *reg, unsigned index, struct text *ptx) {
    if (reg->bits == 1)
        text_printf(ptx, "\tselp.u32 %%w32, 1, 0, %s;\n\tst.global.u32 [%%out+%u], %%w32;\n",
                    reg->name, index * CASE_LANES * 8);
    else
        text_printf(ptx, "\tst.global.b%u [%%out+%u], %s;\n", reg->bits, index * CASE_LANES * 8,
                    reg->name);
}

void case_wrap(const struct ptx_case *test, enum case_mode mode, struct text *ptx) {
    text_printf(ptx,
                ".version 8.6\n.target sm_%u\n.address_size 64\n%s"
                ".visible .entry t(.param .u64 t_in, .param .u64 t_out)\n{\n"
                "\t.reg .pred %%run;\n\t.reg .b32 %%w32;\n\t.reg .b64 %%in, %%out, %%at;\n",
                test->target ? test->target : 80u, text_string(&test->module));
    declare(test->inputs, test->input_count, ptx);
    declare(test->outputs, test->output_count, ptx);
    text_append(ptx, "\tld.param.u64 %in, [t_in];\n\tld.param.u64 %out, [t_out];\n"
                     "\tcvta.to.global.u64 %in, %in;\n\tcvta.to.global.u64 %out, %out;\n"
                     "\tmov.u32 %w32, %tid.x;\n\tmul.wide.u32 %at, %w32, 8;\n"
                     "\tadd.s64 %in, %in, %at;\n\tadd.s64 %out, %out, %at;\n");
    for (unsigned i = 0; i < test->input_count; i++)
        load(&test->inputs[i], i, "%in", ptx);
    for (unsigned i = 0; i < test->output_count; i++)
        load(&test->outputs[i], i, "%out", ptx);
    if (mode != MODE_ALL)
        text_printf(ptx,
                    "\tmov.u32 %%w32, %%tid.x;\n\tshr.u32 %%w32, 0x%x, %%w32;\n"
                    "\tand.b32 %%w32, %%w32, 1;\n\tsetp.ne.u32 %%run, %%w32, 0;\n",
                    CASE_MASK);
    if (mode == MODE_BRANCH)
        text_append(ptx, "\t@!%run bra $behind;\n");
    text_append(ptx, mode == MODE_GUARD ? "\t@%run " : "");
    text_append_bytes(ptx, text_string(&test->code), test->code.length);
    if (mode == MODE_BRANCH)
        text_append(ptx, "$behind:\n");
    for (unsigned i = 0; i < test->output_count; i++)
        store(&test->outputs[i], i, ptx);
    text_append(ptx, "\tret;\n}\n");
}

void case_fill(const struct ptx_case *test, uint64_t in[CASE_WORDS], uint64_t out[CASE_WORDS]) {
    for (unsigned i = 0; i < CASE_WORDS; i++) {
        in[i] = 0;
        out[i] = untouched;
    }
    for (unsigned lane = 0; lane < CASE_LANES && test->row_count; lane++)
        for (unsigned i = 0; i < test->input_count; i++)
            in[i * CASE_LANES + lane] = test->in[lane % test->row_count][i];
}

static uint64_t low_bits(uint64_t word, unsigned bits) {
    return bits >= 64 ? word : word & (((uint64_t)1 << bits) - 1);
}

/* Order-preserving map of float bits to integers, so that neighbours differ by one. */
static int64_t float_order(uint64_t bits, unsigned width) {
    uint64_t sign = (uint64_t)1 << (width - 1);
    return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

static bool matches(const struct case_output *wanted, uint64_t got, unsigned bits) {
    if (wanted->kind == OUTPUT_ANY)
        return true;
    if (wanted->kind == OUTPUT_EXACT)
        return low_bits(wanted->bits, bits) == got;
    int64_t distance = float_order(low_bits(wanted->bits, bits), bits) - float_order(got, bits);
    return distance <= (int64_t)wanted->ulp && distance >= -(int64_t)wanted->ulp;
}

unsigned case_compare(const struct ptx_case *test, enum case_mode mode,
                      const uint64_t out[CASE_WORDS]) {
    unsigned wrong = 0;
    for (unsigned lane = 0; lane < CASE_LANES && test->row_count; lane++)
        for (unsigned i = 0; i < test->output_count; i++) {
            const struct case_register *reg = &test->outputs[i];
            unsigned row = lane % test->row_count;
            struct case_output wanted = test->out[row][i];
            if (mode != MODE_ALL && !(CASE_MASK >> lane & 1))
                wanted = (struct case_output){OUTPUT_EXACT, reg->bits == 1 ? 1 : untouched, 0};
            uint64_t word = out[i * CASE_LANES + lane];
            uint64_t got = low_bits(word, reg->bits == 1 ? 32 : reg->bits);
            if (matches(&wanted, got, reg->bits))
                continue;
            if (++wrong > 4)
                continue;
            fprintf(stderr, "%s:%u: %s (%s), lane %u:", test->file, test->line, test->name,
                    mode_names[mode], lane);
            for (unsigned j = 0; j < test->input_count; j++)
                fprintf(stderr, " %s=0x%llx", test->inputs[j].name,
                        (unsigned long long)test->in[row][j]);
            fprintf(stderr, " gives %s=0x%llx, not 0x%llx\n", reg->name, (unsigned long long)got,
                    (unsigned long long)low_bits(wanted.bits, reg->bits));
        }
    return wrong;
}

void case_textures(struct engine_texture *textures) {
    static const struct texel_format words = {1, 32, TEXEL_UNSIGNED}, floats = {1, 32, TEXEL_FLOAT},
                                     bytes = {1, 8, TEXEL_UNSIGNED};
    const uint64_t first = ADDRESS_OF(WINDOW_FIRST_VARIABLE),
                   second = ADDRESS_OF(WINDOW_FIRST_VARIABLE + 1);
    const struct texture_sampler clamp = {.address = {ADDRESS_CLAMP, ADDRESS_CLAMP, ADDRESS_CLAMP}};
    struct texture_sampler linear = clamp, unit = clamp;
    linear.linear = true;
    unit.normalized = true;
    const struct engine_texture all[CASE_TEXTURES] = {
        {true, false, first, {words, {8, 4, 1, 1}, 2, 1, .pitch = 0}, clamp},
        {true, true, first, {words, {8, 8, 1, 1}, 2, 1, .pitch = 0}, {{0}}},
        {true, false, second, {floats, {8, 4, 1, 1}, 2, 1, .pitch = 0}, linear},
        {true, false, first, {words, {2, 4, 4, 1}, 3, 1, .pitch = 0}, clamp},
        {true, false, first, {words, {8, 1, 1, 4}, 1, 1, .layered = true}, clamp},
        {true, false, first, {words, {2, 4, 1, 4}, 2, 1, .layered = true}, clamp},
        {true, false, first, {bytes, {2, 2, 1, 6}, 2, 1, .cube = true}, unit},
        {true, false, second, {floats, {8, 4, 1, 1}, 2, 1, .pitch = 0}, unit},
        {true, false, first, {bytes, {2, 2, 1, 12}, 2, 1, .layered = true, .cube = true}, unit},
    };
    memcpy(textures, all, sizeof all);
}
