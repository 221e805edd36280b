/* The epilogue after a submission, and the reading of its answers: see probe.h.
 *
 *     #include "dot.cu"
 *     #line 1 "<warpgrade>"
 *     (helper template)
 *     enum : long long { __warpgrade_value_0 = (TILE_WIDTH) };
 *     extern "C" __device__ constexpr long long __warpgrade_answer_0 = __warpgrade_value_0;
 *     extern "C" __device__ constexpr auto __warpgrade_answer_1 = __warpgrade_spell<...>();
 *
 * where ... is decltype(&dot). The compiler thus evaluates macros, constexpr and enums alike, and
 * spells the kernel's type as it understands it; the answers are initialisers of .global variables
 * in the PTX. Every name of the epilogue is reserved, because a submission may define macros of any
 * other. An enumerator refuses what is not a whole number, or needs all 64 bits unsigned. A
 * submission can forge these answers; it only fools itself: the launch checks the parameters'
 * widths, the judge the constants' ranges.
 */
#include "sandbox/build/probe.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_QUESTION_LINE = 2, SIGNATURE_MAX = 64 * 1024 };

static const char helper[] =
    "template <int __warpgrade_n> struct __warpgrade_text { char __warpgrade_c[__warpgrade_n]; }; "
    "template <typename __warpgrade_f> constexpr auto __warpgrade_spell() { "
    "__warpgrade_text<sizeof(__PRETTY_FUNCTION__)> __warpgrade_r{}; "
    "for (unsigned __warpgrade_i = 0; __warpgrade_i < sizeof(__PRETTY_FUNCTION__); "
    "__warpgrade_i++) "
    "__warpgrade_r.__warpgrade_c[__warpgrade_i] = __PRETTY_FUNCTION__[__warpgrade_i]; "
    "return __warpgrade_r; }\n";

void probe_add(struct probe *probe, bool is_kernel, size_t index, const char *name) {
    *mem_push(&probe->questions, &probe->count, &probe->capacity) =
        (struct probe_question){is_kernel, index, name, false};
}

void probe_free(struct probe *probe) {
    free(probe->questions);
    *probe = (struct probe){0};
}

void probe_program(const struct probe *probe, const char *file_name, struct text *program) {
    text_printf(program, "#include \"%s\"\n#line 1 \"" PROBE_FILE "\"\n%s", file_name, helper);
    for (size_t i = 0; i < probe->count; i++) {
        const struct probe_question *question = &probe->questions[i];
        if (question->dropped)
            text_append(program, "\n");
        else if (question->is_kernel)
            text_printf(program,
                        "extern \"C\" __device__ constexpr auto __warpgrade_answer_%zu = "
                        "__warpgrade_spell<decltype(&%s)>();\n",
                        i, question->name);
        else
            text_printf(program,
                        "enum : long long { __warpgrade_value_%zu = (%s) }; "
                        "extern \"C\" __device__ constexpr long long __warpgrade_answer_%zu = "
                        "__warpgrade_value_%zu;\n",
                        i, question->name, i, i);
    }
}

struct probe_question *probe_at_line(struct probe *probe, unsigned line) {
    if (line < FIRST_QUESTION_LINE || line - FIRST_QUESTION_LINE >= probe->count)
        return NULL;
    return &probe->questions[line - FIRST_QUESTION_LINE];
}

/* What follows the name of an answer's variable, or NULL. */
static const char *find_answer(const char *ptx, size_t question) {
    char name[48];
    snprintf(name, sizeof name, " __warpgrade_answer_%zu", question);
    size_t length = strlen(name);
    for (const char *at = ptx; (at = strstr(at, name)); at += length)
        if (!text_is_symbol_character(at[length]))
            return at + length;
    return NULL;
}

bool probe_constant(const char *ptx, size_t question, int64_t *value) {
    const char *at = find_answer(ptx, question);
    if (!at)
        return false;
    *value = 0; /* PTX leaves an initialiser of zero out */
    at += strspn(at, " ");
    if (*at == ';')
        return true;
    if (*at != '=')
        return false;
    at += 1 + strspn(at + 1, " ");
    *value = *at == '-' ? (int64_t)strtoll(at, NULL, 0) : (int64_t)strtoull(at, NULL, 0);
    return true;
}

/* The bytes of "[96] = {97, 117, ...}" as a string. */
static bool read_bytes(const char *at, struct text *bytes) {
    at = strchr(at, '{');
    const char *end = at ? strchr(at, '}') : NULL;
    if (!end)
        return false;
    while (at < end && bytes->length < SIGNATURE_MAX) {
        char *stop;
        unsigned long value = strtoul(at + 1, &stop, 10);
        if (stop == at + 1 || value > 255)
            return false;
        if (value)
            text_append_char(bytes, (char)(unsigned char)value);
        at = strpbrk(stop, ",}");
        if (!at)
            return false;
    }
    return true;
}

static void add_parameter(struct build_kernel *kernel, size_t *capacity, const char *start,
                          const char *end) {
    while (start < end && *start == ' ')
        start++;
    while (end > start && end[-1] == ' ')
        end--;
    if (start == end || kernel->parameter_count == BUILD_MAX_PARAMETERS)
        return;
    char *type = mem_strndup(start, (size_t)(end - start));
    char *internal = strstr(type, "__nv_bool"); /* NVRTC's own name of bool */
    if (internal)
        memmove(internal, internal + 5, strlen(internal + 5) + 1);
    *mem_push(&kernel->parameters, &kernel->parameter_count, capacity) = type;
}

static void clear_parameters(struct build_kernel *kernel) {
    for (size_t i = 0; i < kernel->parameter_count; i++)
        free(kernel->parameters[i]);
    free(kernel->parameters);
    kernel->parameters = NULL;
    kernel->parameter_count = 0;
}

bool probe_signature(const char *ptx, size_t question, struct build_kernel *kernel) {
    static const char start[] = "void (*)(";
    cleanup_text struct text spelled = {0};
    const char *at = find_answer(ptx, question);
    if (!at || !read_bytes(at, &spelled))
        return false;
    at = strstr(text_string(&spelled), start);
    if (!at)
        return false;
    at += sizeof start - 1;
    clear_parameters(kernel);
    size_t capacity = 0;
    int depth = 0;
    const char *from = at;
    for (; *at; at++) {
        if (strchr("(<[{", *at))
            depth++;
        if (depth == 0 && (*at == ',' || *at == ')')) {
            add_parameter(kernel, &capacity, from, at);
            from = at + 1;
            if (*at == ')')
                break;
        }
        if (strchr(")>]}", *at))
            depth--;
    }
    kernel->types_known = true;
    return true;
}

void probe_strip(struct text *ptx) {
    char *out = ptx->data;
    const char *in = ptx->data, *end = ptx->data + ptx->length;
    while (in < end) {
        const char *newline = memchr(in, '\n', (size_t)(end - in));
        size_t length = (size_t)((newline ? newline + 1 : end) - in);
        bool declaration = *in == '.' || (length > 2 && in[0] == '\t' && in[1] == '/');
        if (!declaration || !memmem(in, length, "__warpgrade_", 12)) {
            memmove(out, in, length);
            out += length;
        }
        in += length;
    }
    if (out) {
        ptx->length = (size_t)(out - ptx->data);
        *out = '\0';
    }
}

/* The source's name of a symbol: _ZN2ns3dotEPf is ns::dot. Template arguments and parameter types
 * are left out, and so are namespaces without a name. */
static void plain_name(const char *lowered, char *plain, size_t size) {
    snprintf(plain, size, "%.255s", lowered);
    if (strncmp(lowered, "_Z", 2) != 0)
        return;
    const char *at = lowered + 2 + (lowered[2] == 'L');
    bool nested = *at == 'N';
    at += nested;
    struct text name = {0};
    while (isdigit((unsigned char)*at)) {
        char *component;
        unsigned long length = strtoul(at, &component, 10);
        if (length == 0 || length > strlen(component))
            break;
        bool unnamed =
            strncmp(component, "_GLOBAL__N", 10) == 0 || strncmp(component, "_INTERNAL_", 10) == 0;
        if (!unnamed) {
            text_append(&name, name.length ? "::" : "");
            text_append_bytes(&name, component, length);
        }
        at = component + length;
        if (!nested)
            break;
    }
    if (name.length)
        snprintf(plain, size, "%s", text_string(&name));
    text_free(&name);
}

/* ".param .u64 k_param_0" and ".param .align 4 .b8 k_param_1[12]" as "64-bit", "12 bytes". */
static char *parameter_width(const char *declaration, const char *end) {
    const char *bracket = memchr(declaration, '[', (size_t)(end - declaration));
    if (bracket)
        return mem_printf("%lu bytes", strtoul(bracket + 1, NULL, 10));
    for (const char *at = declaration; at + 2 < end; at++) {
        if (at[0] == '.' && strchr("usfb", at[1]) && isdigit((unsigned char)at[2]))
            return mem_printf("%lu-bit", strtoul(at + 2, NULL, 10));
    }
    return mem_strdup("?");
}

static void entry_parameters(const char *at, struct build_kernel *kernel) {
    const char *close = *at == '(' ? strchr(at, ')') : NULL;
    size_t capacity = 0;
    while (close && (at = strstr(at, ".param")) && at < close) {
        const char *end = at + strcspn(at, ",)");
        *mem_push(&kernel->parameters, &kernel->parameter_count, &capacity) =
            parameter_width(at, end);
        at = end;
        if (kernel->parameter_count == BUILD_MAX_PARAMETERS)
            break;
    }
}

void probe_entries(const char *ptx, struct build_answer *answer) {
    static const char keyword[] = ".entry", blanks[] = " \t\r\n";
    const char *at = ptx, *seen = ptx, *first = NULL; /* first: on its line, but for blanks */
    while ((at = strstr(at, keyword)) && answer->kernel_count < BUILD_MAX_KERNELS) {
        for (; seen <= at; seen++) { /* each character once: a line may have many of the keyword */
            if (*seen == '\n')
                first = NULL;
            else if (!first && !strchr(blanks, *seen))
                first = seen;
        }
        at += sizeof keyword - 1;
        if (*first != '.' || !strspn(at, blanks)) /* in a comment or a string, or a longer word */
            continue;
        at += strspn(at, blanks);
        size_t length = 0;
        while (text_is_symbol_character(at[length]))
            length++;
        struct build_kernel *kernel =
            mem_push(&answer->kernels, &answer->kernel_count, &answer->kernel_capacity);
        if (length >= sizeof kernel->lowered) {
            answer->kernel_count--;
            continue;
        }
        snprintf(kernel->lowered, sizeof kernel->lowered, "%.*s", (int)length, at);
        plain_name(kernel->lowered, kernel->name, sizeof kernel->name);
        at += length;
        at += strspn(at, blanks);
        entry_parameters(at, kernel);
    }
}
