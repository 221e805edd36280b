/* A draft of the reference: the kernel itself with its arithmetic in double.
 *
 * That is more exact than the kernel, and no more right: where the kernel is wrong, so is it. It
 * says so in its first lines, and the author's list begins with it. What it takes off the author is
 * the signature (floating-point outputs are `double *`) and the loops; where the kernel does not
 * compile like that (casts to float4, wmma), the body is left empty and every case of `validate`
 * says so. */
#include "grader/author/draft.h"

#include "grader/source/code.h"
#include "sandbox/base/memory.h"

#include <string.h>

enum { BUILD_SECONDS = 60 };

static const char *in_double(const struct code *code, size_t index) {
    static const struct {
        const char *single, *wide;
    } words[] = {{"float", "double"}, {"fmaxf", "fmax"},   {"fminf", "fmin"}, {"fmaf", "fma"},
                 {"expf", "exp"},     {"__expf", "exp"},   {"logf", "log"},   {"__logf", "log"},
                 {"sqrtf", "sqrt"},   {"rsqrtf", "rsqrt"}, {"fabsf", "fabs"}, {"powf", "pow"},
                 {"tanhf", "tanh"},   {"sinf", "sin"},     {"cosf", "cos"},   {"erff", "erf"}};
    for (size_t i = 0; i < ARRAY_LENGTH(words); i++)
        if (code_is(code, index, words[i].single))
            return words[i].wide;
    return NULL;
}

static void append_signature(const struct draft *draft, struct text *out) {
    text_append(out, "reference(");
    for (size_t i = 0; i < draft->param_count; i++) {
        const struct draft_param *param = &draft->params[i];
        const struct element_info *type = &element_infos[param->type];
        bool is_output = param->role == ROLE_OUT || param->role == ROLE_INOUT;
        bool is_pointer = is_output || param->role == ROLE_IN;
        text_append(out, i ? ", " : "");
        text_append(out, param->role == ROLE_IN ? "const " : "");
        text_append(out, is_output && type->is_float ? "double" : type->c_name);
        text_printf(out, " %s%s", is_pointer ? "*" : "", param->name);
    }
    text_append(out, ")");
}

/* The index of the kernel's name in its definition: what is before a parenthesis and a body. */
static size_t find_definition(const struct code *code, const char *name) {
    for (size_t i = 0; i + 1 < code->count; i++) {
        size_t close = code_is(code, i, name) && code_is(code, i + 1, "(")
                           ? code->tokens[i + 1].match
                           : CODE_NONE;
        if (close != CODE_NONE && code_is(code, close + 1, "{"))
            return i;
    }
    return CODE_NONE;
}

static void append_in_double(const struct draft *draft, const struct code *code, size_t name,
                             struct text *out) {
    const char *at = draft->source;
    for (size_t i = 0; i < code->count; i++) {
        const struct code_token *token = &code->tokens[i];
        const char *word = token->is_fixed ? NULL : in_double(code, i);
        if (i == name) {
            text_append_bytes(out, at, (size_t)(token->start - at));
            append_signature(draft, out);
            i = code->tokens[name + 1].match;
            at = code->tokens[i].start + 1;
        } else if (word) {
            text_append_bytes(out, at, (size_t)(token->start - at));
            text_append(out, word);
            at = token->start + token->length;
        }
    }
    text_append(out, at);
}

static enum status compiles(const struct text *source, bool *yes, struct error *error) {
    struct worker_limits limits = {.wall_seconds = BUILD_SECONDS};
    struct build_request request = {.file_name = "reference.cu",
                                    .source = source->data,
                                    .source_length = source->length,
                                    .kernel = "reference"};
    struct build_result result;
    enum status status = build_compile(&request, &limits, &result, error);
    *yes = status == STATUS_OK && result.compiled;
    if (status == STATUS_OK)
        build_result_free(&result);
    return status;
}

enum status draft_write_reference(struct draft *draft, struct text *out, struct error *error) {
    struct code code;
    struct text body = {0};
    enum status status = STATUS_OK;
    code_read(draft->source, draft->length, &code);
    size_t name = find_definition(&code, draft->kernel->name);
    if (name != CODE_NONE) {
        append_in_double(draft, &code, name, &body);
        status = compiles(&body, &draft->has_reference, error);
    }
    code_free(&code);
    if (status == STATUS_OK && draft->has_reference) {
        text_printf(
            out,
            "// Draft for the author: this is %s itself in double, and repeats every mistake "
            "of it.\n"
            "// Replace it by the plainest code that can be right.\n",
            draft->kernel->name);
        text_append(out, text_string(&body));
    } else if (status == STATUS_OK) {
        text_append(out, "// For the author to write: the plainest code that can be right.\n"
                         "__global__ void ");
        append_signature(draft, out);
        text_append(out, "\n{\n}\n");
    }
    text_free(&body);
    return status;
}
