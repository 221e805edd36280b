/* PTX declares the parameters of a kernel with their sizes and with types of its own:
 *
 *     .visible .entry scale(
 *         .param .u64 .ptr .align 1 scale_param_0,
 *         .param .align 4 .b8 scale_param_1[12],
 *         .param .u32 scale_param_2
 *
 * An int is .u32 there, as an unsigned is, and a pointer may be .u64 without .ptr: the C type,
 * where the compiler or the source tells it, decides what PTX leaves open. The declaration is
 * searched, not parsed; one with a comment or anything else that compilers do not write there is
 * left to the engine, which parses the whole text. */
#include "grader/cli/kernel_parameters.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_BYTES = 64 << 10,     /* of one parameter; no kernel takes as many */
    MOST_PARAMETERS = 1 << 10, /* 4 KiB of bytes would be more */
};

/* ---- PTX ------------------------------------------------------------------------------------- */

static const char *skip_blank(const char *at) {
    return at + strspn(at, " \t\r\n");
}

/* After the kernel's name in its declaration, or NULL. */
static const char *find_entry(const char *ptx, const char *lowered) {
    static const char keyword[] = ".entry";
    size_t length = strlen(lowered);
    for (const char *at = ptx; length && (at = strstr(at, keyword)) != NULL;) {
        at = skip_blank(at + sizeof keyword - 1);
        if (strncmp(at, lowered, length) == 0 && !text_is_symbol_character(at[length]) &&
            at[length] != '$')
            return skip_blank(at + length);
    }
    return NULL;
}

/* "u32", "f64", "b8": the kind and the bytes of one; false for every other word. */
static bool take_type(const char *word, size_t length, struct kernel_parameter *parameter) {
    static const struct {
        char letter;
        enum parameter_kind kind;
    } kinds[] = {{'u', PARAMETER_INTEGER},
                 {'s', PARAMETER_INTEGER},
                 {'b', PARAMETER_BITS},
                 {'f', PARAMETER_FLOAT}};
    char *end;
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
        if (*word != kinds[i].letter || !isdigit((unsigned char)word[1]))
            continue;
        unsigned long bits = strtoul(word + 1, &end, 10);
        if (end != word + length || bits < 8 || bits > 128 || bits % 8)
            return false;
        parameter->kind = kinds[i].kind;
        parameter->bytes = bits / 8;
        snprintf(parameter->words, sizeof parameter->words, ".%.*s", (int)length, word);
        return true;
    }
    return false;
}

/* An array is a structure of C. */
static bool take_extent(const char *bracket, const char *end, struct kernel_parameter *parameter) {
    char *after;
    unsigned long long count = strtoull(bracket + 1, &after, 10);
    if (after >= end || *after != ']' || count > MOST_BYTES / parameter->bytes)
        return false;
    parameter->kind = PARAMETER_STRUCTURE;
    parameter->bytes *= count;
    snprintf(parameter->words, sizeof parameter->words, "%llu bytes",
             (unsigned long long)parameter->bytes);
    return true;
}

static bool read_declaration(const char *at, const char *end, struct kernel_parameter *parameter) {
    bool is_parameter = false, is_pointer = false;
    if (memchr(at, '/', (size_t)(end - at)) || memchr(at, '"', (size_t)(end - at)))
        return false;
    const char *bracket = memchr(at, '[', (size_t)(end - at));
    for (; at < end; at++) {
        if (*at != '.')
            continue;
        size_t length = 1;
        while (at + length < end && isalnum((unsigned char)at[length]))
            length++;
        is_parameter |= length == 6 && memcmp(at, ".param", 6) == 0;
        is_pointer |= length == 4 && memcmp(at, ".ptr", 4) == 0;
        if (length == 3 && at[1] == 'v') /* no compiler's */
            return false;
        if (!parameter->bytes)
            take_type(at + 1, length - 1, parameter);
    }
    if (!is_parameter || !parameter->bytes || (bracket && !take_extent(bracket, end, parameter)))
        return false;
    if (is_pointer)
        parameter->kind = PARAMETER_POINTER;
    return true;
}

static bool read_entry(const char *at, struct kernel_parameters *parameters) {
    size_t capacity = 0;
    if (*at != '(' || *(at = skip_blank(at + 1)) == ')')
        return true;
    for (;; at++) {
        const char *end = at + strcspn(at, ",)");
        struct kernel_parameter parameter = {0};
        if (!*end || parameters->count == MOST_PARAMETERS || !read_declaration(at, end, &parameter))
            return false;
        *mem_push(&parameters->items, &parameters->count, &capacity) = parameter;
        at = end;
        if (*end == ')')
            return true;
    }
}

/* ---- C --------------------------------------------------------------------------------------- */

/* "const float *" of "const float *x". */
static char *type_of(const struct parameter_source *source) {
    size_t length = strlen(source->name);
    const char *name = NULL;
    for (const char *at = source->declared; (at = strstr(at, source->name)) != NULL; at += length)
        if (!text_is_symbol_character(at[length]) &&
            (at == source->declared || !text_is_symbol_character(at[-1])))
            name = at;
    return name ? mem_printf("%.*s%s", (int)(name - source->declared), source->declared,
                             name + length)
                : NULL;
}

static bool find_element(const char *type, bool is_pointer, enum element_type *element) {
    for (unsigned i = 0; i < ELEMENT_COUNT; i++)
        if (build_parameter_matches(type, (enum element_type)i, is_pointer, true)) {
            *element = (enum element_type)i;
            return true;
        }
    return false;
}

/* A float4 is four floats: "const float4 *" as "const float *". */
static char *without_vector(const char *type) {
    char *plain = mem_strdup(type);
    size_t end = strcspn(plain, "*");
    while (end && plain[end - 1] == ' ')
        end--;
    if (end > 1 && strchr("1234", plain[end - 1]) && isalpha((unsigned char)plain[end - 2]))
        plain[end - 1] = ' ';
    return plain;
}

/* What C says of a parameter whose size PTX gives. */
static void take_c_type(const char *type, struct kernel_parameter *parameter) {
    cleanup_free char *plain = without_vector(type);
    enum element_type element;
    if (strchr(type, '*') || strchr(type, '[')) {
        if (parameter->bytes == 8 && parameter->kind != PARAMETER_STRUCTURE)
            parameter->kind = PARAMETER_POINTER;
        parameter->has_element = find_element(plain, true, &parameter->element);
    } else if (find_element(type, false, &element) &&
               element_infos[element].bytes == parameter->bytes) {
        parameter->kind = element_infos[element].is_float ? PARAMETER_FLOAT : PARAMETER_INTEGER;
        parameter->has_element = parameter->is_exact = true;
        parameter->element = element;
    } else if (parameter->bytes == 1 && strcmp(type, "bool") == 0) {
        parameter->kind = PARAMETER_BOOL;
        parameter->has_element = true;
        parameter->element = ELEMENT_u8;
    }
}

/* Numbers are as PTX says where C does not, but for 64 bits, which may be a pointer. */
static void take_ptx_type(struct kernel_parameter *parameter, bool may_be_pointer) {
    if (parameter->kind == PARAMETER_INTEGER && parameter->bytes == 8 && may_be_pointer)
        parameter->kind = PARAMETER_BITS;
    for (unsigned i = 0; i < ELEMENT_COUNT && !parameter->has_element; i++) {
        parameter->element = (enum element_type)i;
        parameter->has_element =
            (parameter->kind == PARAMETER_INTEGER || parameter->kind == PARAMETER_FLOAT) &&
            element_infos[i].bytes == parameter->bytes &&
            element_infos[i].is_float == (parameter->kind == PARAMETER_FLOAT);
    }
}

static void describe(const char *type, struct kernel_parameter *parameter) {
    const char *declared = parameter->source.declared;
    if (*declared || type)
        snprintf(parameter->words, sizeof parameter->words, "%s", *declared ? declared : type);
}

/* ---- the door -------------------------------------------------------------------------------- */

bool kernel_parameters_find(const char *ptx, const struct build_kernel *kernel, const char *source,
                            struct kernel_parameters *parameters) {
    *parameters = (struct kernel_parameters){0};
    const char *entry = find_entry(ptx, kernel->lowered);
    if (!entry || !read_entry(entry, parameters)) {
        kernel_parameters_free(parameters);
        return false;
    }
    size_t count = parameters->count;
    bool has_types = kernel->types_known && kernel->parameter_count == count;
    cleanup_free struct parameter_source *sources = mem_zalloc((count + 1) * sizeof *sources);
    bool has_sources = source && parameter_names_find(source, kernel->name, count, sources);
    for (size_t i = 0; i < count; i++) {
        struct kernel_parameter *parameter = &parameters->items[i];
        if (has_sources)
            parameter->source = sources[i];
        cleanup_free char *type = has_types     ? mem_strdup(kernel->parameters[i])
                                  : has_sources ? type_of(&sources[i])
                                                : NULL;
        if (type)
            take_c_type(type, parameter);
        if (!parameter->has_element)
            take_ptx_type(parameter, !has_types);
        describe(type, parameter);
    }
    return true;
}

void kernel_parameters_free(struct kernel_parameters *parameters) {
    free(parameters->items);
    *parameters = (struct kernel_parameters){0};
}
