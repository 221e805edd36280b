/* A host sets variables with cudaMemcpyToSymbol; a launch by itself has no host. Names and sizes
 * come from the PTX's declarations:
 *
 *     .const .align 4 .b8 coef[36];
 *     .global .align 4 .u32 total;
 *
 * the type of an array's elements from the word before the name in the source. */
#include "grader/cli/kernel_symbol.h"

#include "grader/cli/sim_argument.h"
#include "sandbox/base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYMBOL_ALIGNMENT = 256, MAX_NAME = 63 };

struct variable {
    char name[MAX_NAME + 1]; /* plain */
    const char *symbol;      /* in the PTX */
    size_t symbol_length;
    char type[8]; /* as PTX has it: "b8", "f32" */
    uint64_t bytes;
    bool has_value;
};

/* ---- declarations ---------------------------------------------------------------------------- */

/* "coef" of coef and _ZL4coef. */
static void take_name(const char *start, size_t length, char *name) {
    if (length > 4 && strncmp(start, "_ZL", 3) == 0) {
        char *end;
        size_t plain = strtoul(start + 3, &end, 10);
        if (plain && plain <= length && end + plain == start + length) {
            start = end;
            length = plain;
        }
    }
    snprintf(name, MAX_NAME + 1, "%.*s", (int)(length > MAX_NAME ? MAX_NAME : length), start);
}

/* Reads the declaration in a line of PTX; false where it has none of a module's variable. */
static bool read_declaration(const char *line, size_t length, struct variable *variable) {
    const char *end = line + length;
    const char *space = memmem(line, length, ".global ", 8);
    space = space ? space : memmem(line, length, ".const ", 7);
    const char *name_end = line + strcspn(line, "[=;\n");
    if (!space || *line != '.' || name_end >= end || space > name_end)
        return false;
    const char *value = memchr(line, '=', length);
    *variable = (struct variable){.has_value = value != NULL};
    const char *stop = name_end;
    while (stop > space && stop[-1] == ' ')
        stop--;
    const char *start = stop;
    while (start > space && text_is_symbol_character(start[-1]))
        start--;
    const char *type = start;
    while (type > space && type[-1] != '.')
        type--;
    if (start == stop || sscanf(type, "%7[a-z0-9]", variable->type) != 1)
        return false;
    uint64_t count = *name_end == '[' ? strtoull(name_end + 1, NULL, 10) : 1;
    uint64_t width = strtoull(variable->type + 1, NULL, 10) / 8;
    variable->symbol = start;
    variable->symbol_length = (size_t)(stop - start);
    take_name(start, variable->symbol_length, variable->name);
    return !__builtin_mul_overflow(count, width, &variable->bytes);
}

/* The next declaration of the text at *at, or false. */
static bool next_variable(const char **at, struct variable *variable) {
    while (**at) {
        const char *line = *at;
        size_t length = strcspn(line, "\n");
        *at += length + (line[length] == '\n');
        if (read_declaration(line, length, variable))
            return true;
    }
    return false;
}

static bool find_variable(const struct kernel_launch *launch, const char *name,
                          struct variable *variable) {
    const char *at = launch->engine.ptx;
    while (next_variable(&at, variable))
        if (strcmp(variable->name, name) == 0)
            return true;
    return false;
}

/* ---- the source ------------------------------------------------------------------------------ */

/* The next use of the name as a word, or NULL. */
static const char *next_word(const char *at, const char *name) {
    size_t length = strlen(name);
    for (const char *first = at; (at = strstr(at, name)); at += length)
        if ((at == first || !text_is_symbol_character(at[-1])) &&
            !text_is_symbol_character(at[length]))
            return at;
    return NULL;
}

static const char *skip_blank(const char *at) {
    return at + strspn(at, " \t\r\n");
}

/* After the name and its subscripts. */
static const char *after_subscripts(const char *at) {
    at = skip_blank(at);
    while (*at == '[') {
        unsigned depth = 0;
        do {
            depth += *at == '[';
            depth -= *at == ']';
            at++;
        } while (*at && depth);
        at = skip_blank(at);
    }
    return at;
}

static const char *element_type(const struct kernel_launch *launch,
                                const struct variable *variable) {
    static const struct {
        const char *word, *type;
    } words[] = {{"float", "f32"},   {"double", "f64"},   {"int", "i32"},     {"unsigned", "u32"},
                 {"short", "i16"},   {"char", "i8"},      {"half", "f16"},    {"__half", "f16"},
                 {"int8_t", "i8"},   {"uint8_t", "u8"},   {"int32_t", "i32"}, {"uint32_t", "u32"},
                 {"int64_t", "i64"}, {"uint64_t", "u64"}, {"size_t", "u64"},  {"long", "i64"},
                 {"f32", "f32"},     {"f64", "f64"},      {"u32", "u32"},     {"s32", "i32"},
                 {"u64", "u64"},     {"s64", "i64"},      {"u16", "u16"},     {"s16", "i16"},
                 {"u8", "u8"},       {"s8", "i8"},        {"b32", "u32"},     {"b64", "u64"}};
    char word[16] = "";
    const char *name = next_word(launch->source, variable->name);
    if (name) {
        const char *end = name;
        while (end > launch->source && isspace((unsigned char)end[-1]))
            end--;
        const char *start = end;
        while (start > launch->source && text_is_symbol_character(start[-1]))
            start--;
        snprintf(word, sizeof word, "%.*s", (int)(end - start < 15 ? end - start : 15), start);
    }
    for (unsigned by_ptx = 0; by_ptx < 2; by_ptx++)
        for (size_t i = 0; i < ARRAY_LENGTH(words); i++)
            if (strcmp(by_ptx ? variable->type : word, words[i].word) == 0)
                return words[i].type;
    return NULL;
}

/* Is this use none that writes: no assignment to it, no address of it, no array handed on? */
static bool only_reads(const char *source, const char *use, const struct variable *variable) {
    const char *name_end = use + strlen(variable->name), *after = after_subscripts(name_end);
    const char *before = use;
    while (before > source && isspace((unsigned char)before[-1]))
        before--;
    char last = before > source ? before[-1] : ';';
    bool address = last == '&' && !(before > source + 1 && before[-2] == '&');
    bool steps = before > source + 1 && (last == '+' || last == '-') && before[-2] == last;
    bool is_array = variable->bytes > 8;
    if (address || steps || (is_array && *skip_blank(name_end) != '[') || *after == '.')
        return false;
    if (*after == '=')
        return after[1] == '=';
    bool compound = *after && strchr("+-*/%&|^", *after) && after[1] == '=';
    bool shifts = (strncmp(after, "<<=", 3) == 0 || strncmp(after, ">>=", 3) == 0);
    bool step = strncmp(after, "++", 2) == 0 || strncmp(after, "--", 2) == 0;
    return !compound && !shifts && !step;
}

static bool mentions(const char *from, const char *end, const struct variable *variable) {
    size_t length = variable->symbol_length;
    for (const char *at = from; (at = memmem(at, (size_t)(end - at), variable->symbol, length));
         at += length)
        if (!text_is_symbol_character(at[-1]) && !text_is_symbol_character(at[length]))
            return true;
    return false;
}

/* Is it in the PTX of the kernel, or of a function, which the kernel may call? */
static bool is_used(const struct kernel_launch *launch, const struct variable *variable) {
    cleanup_free char *entry = mem_printf(".entry %s(", launch->engine.kernel);
    const char *ptx = launch->engine.ptx;
    for (const char *at = ptx; (at = strstr(at, "\n{"));) {
        const char *head = at, *end = strstr(at, "\n}");
        while (head > ptx && !(head[-1] == '\n' && *head == '.'))
            head--;
        size_t length = (size_t)(at - head);
        bool runs = memmem(head, length, entry, strlen(entry)) || memmem(head, length, ".func", 5);
        if (!end)
            return true;
        if (runs && mentions(at, end, variable))
            return true;
        at = end + 1;
    }
    return false;
}

/* Read somewhere, written nowhere, and declared without a value. */
static bool is_unset(const struct kernel_launch *launch, const struct variable *variable) {
    const char *declared = next_word(launch->source, variable->name);
    if (variable->has_value || !declared)
        return false;
    const char *after = after_subscripts(declared + strlen(variable->name));
    const char *use = declared + 1;
    size_t uses = 0;
    if (*after == '=' || *after == '{')
        return false;
    for (; (use = next_word(use, variable->name)); use++, uses++)
        if (!only_reads(launch->source, use, variable))
            return false;
    return uses > 0;
}

/* ---- the door -------------------------------------------------------------------------------- */

static enum status append_symbol(struct kernel_launch *launch, const char *name, const char *spec,
                                 struct error *error) {
    struct sim_argument parsed;
    size_t count = launch->engine.argument_count;
    if (count == ENGINE_MAX_ARGUMENTS)
        return error_set(error, STATUS_INVALID, "arguments and symbols: at most %d together",
                         ENGINE_MAX_ARGUMENTS);
    enum status status = sim_argument_parse(spec, (unsigned)count, launch->seed, &parsed, error);
    if (status != STATUS_OK)
        return status;
    struct engine_argument *argument = &launch->arguments[count];
    *argument = parsed.engine;
    if (!argument->is_buffer) { /* TYPE=VALUE */
        argument->count = argument->rank = 1;
        argument->shape[0] = 1;
        parsed.byte_count = element_infos[argument->type].bytes;
        parsed.bytes = mem_dup(&argument->scalar, parsed.byte_count);
    }
    argument->is_buffer = argument->constant = argument->symbol = argument->read_only = true;
    snprintf(argument->name, sizeof argument->name, "%s", name);
    size_t offset =
        (launch->engine.data_length + SYMBOL_ALIGNMENT - 1) / SYMBOL_ALIGNMENT * SYMBOL_ALIGNMENT;
    void *data = mem_zalloc(offset + parsed.byte_count + 1);
    if (launch->engine.data_length)
        memcpy(data, launch->data, launch->engine.data_length);
    memcpy((char *)data + offset, parsed.bytes, parsed.byte_count);
    free(launch->data);
    free(parsed.bytes);
    launch->data = launch->engine.data = data;
    launch->engine.data_length = offset + parsed.byte_count;
    argument->data_offset = offset;
    launch->engine.argument_count++;
    return STATUS_OK;
}

static bool has_type(const char *text) {
    enum element_type type;
    char name[8] = "";
    return sscanf(text, "%7[a-z0-9]", name) == 1 && element_from_name(name, &type) &&
           strchr("=[*", text[strlen(name)]) && text[strlen(name)];
}

static enum status no_variable(const char *option, const char *name, struct error *error) {
    error_set(error, STATUS_INVALID, "%s %s: the compiled file has no variable of that name",
              option, name);
    error_hint(error, "A __device__ or __constant__ variable outside of functions is meant, one "
                      "that some kernel uses.");
    return STATUS_INVALID;
}

static enum status add_set_symbol(struct kernel_launch *launch, const char *text,
                                  struct error *error) {
    char name[MAX_NAME + 1];
    size_t length = strcspn(text, "=");
    struct variable variable;
    if (!length || length > MAX_NAME || !text[length] || !text[length + 1])
        return error_set(error, STATUS_INVALID, "--symbol takes NAME=FILL, not \"%s\"", text);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (!find_variable(launch, name, &variable))
        return no_variable("--symbol", name, error);
    text += length + 1;
    if (has_type(text))
        return append_symbol(launch, name, text, error);
    const char *type = element_type(launch, &variable);
    enum element_type known = ELEMENT_u8;
    bool bytes_do = strcmp(text, "zero") == 0 || strncmp(text, "file:", 5) == 0;
    if (!type && !bytes_do) {
        error_set(error, STATUS_INVALID, "--symbol %s: the type of its elements is not known",
                  name);
        error_hint(error, "Say it: --symbol '%s=f32[9]=%s'", name, text);
        return STATUS_INVALID;
    }
    element_from_name(type ? type : "u8", &known);
    cleanup_free char *spec =
        mem_printf("%s[%llu]=%s", type ? type : "u8",
                   (unsigned long long)(variable.bytes / element_infos[known].bytes), text);
    return append_symbol(launch, name, spec, error);
}

const struct engine_argument *kernel_symbol_find(const struct kernel_launch *launch,
                                                 const char *name) {
    for (size_t i = launch->spec_count; i < launch->engine.argument_count; i++)
        if (strcmp(launch->arguments[i].name, name) == 0)
            return &launch->arguments[i];
    return NULL;
}

enum status kernel_symbols_add(struct kernel_launch *launch, struct error *error) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < launch->symbol_count && status == STATUS_OK; i++)
        status = add_set_symbol(launch, launch->symbols[i], error);
    for (size_t i = 0; i < launch->dumped_symbol_count && status == STATUS_OK; i++) {
        const char *name = launch->dumped_symbols[i];
        struct variable variable;
        if (kernel_symbol_find(launch, name))
            continue;
        if (!find_variable(launch, name, &variable))
            return no_variable("--dump-symbol", name, error);
        cleanup_free char *spec = mem_printf("u8[%llu]=uninit", (unsigned long long)variable.bytes);
        status = append_symbol(launch, name, spec, error);
    }
    return status;
}

void kernel_symbols_warn(const struct kernel_launch *launch, struct engine_result *result) {
    const char *at = launch->engine.ptx;
    struct variable variable;
    if (launch->engine.ptx == launch->source) /* a PTX file says nothing of who reads */
        return;
    while (next_variable(&at, &variable)) {
        const struct engine_argument *symbol = kernel_symbol_find(launch, variable.name);
        if ((symbol && !symbol->uninitialized) || !is_unset(launch, &variable) ||
            !is_used(launch, &variable))
            continue;
        struct hazard hazard = {
            .kind = HAZARD_UNINITIALIZED_READ, .severity = SEVERITY_WARNING, .count = 1};
        snprintf(
            hazard.message, sizeof hazard.message,
            "the kernel reads the variable %s, and nobody has set it: all of it is 0. `--symbol "
            "%s=FILL` gives it the values that a host would copy there",
            variable.name, variable.name);
        snprintf(hazard.variable, sizeof hazard.variable, "%s", variable.name);
        result->hazards =
            mem_realloc(result->hazards, result->hazard_count + 1, sizeof *result->hazards);
        result->hazards[result->hazard_count++] = hazard;
    }
}
