/* What a student reads when a submission does not become a kernel: one sentence that names the
 * file, the place and what was found, and one that says what to do. */
#include "sandbox/build/request.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_KERNELS = 6 };

static const struct slip {
    const char *sign, *advice;
} slips[] = {
#define SLIP(code, sign, advice)         {sign, advice},
#define SLIP_OUTSIDE(code, sign, advice) {sign, advice},
#define SLIP_NVCC(error, sign, advice)   {sign, advice},
#include "sandbox/build/slips.def"
#undef SLIP
#undef SLIP_OUTSIDE
#undef SLIP_NVCC
};

const char *build_slip_advice(const char *error) {
    for (size_t i = 0; i < ARRAY_LENGTH(slips); i++)
        if (strstr(error, slips[i].sign))
            return slips[i].advice;
    return NULL;
}

static bool line_has_foreign_characters(const struct build_request *request, unsigned number) {
    const char *at = request->source, *end = at + request->source_length;
    for (unsigned line = 1; line < number && at < end; at++)
        line += *at == '\n';
    for (; at < end && *at != '\n'; at++)
        if ((unsigned char)*at >= 0x80)
            return true;
    return false;
}

static void hint_at_header(const struct build_request *request, struct build_result *result) {
    cleanup_text struct text names = {0};
    for (size_t i = 0; i < request->header_count; i++)
        text_printf(&names, "%s%.60s", i ? ", " : "", request->headers[i].name);
    snprintf(
        result->hint, sizeof result->hint,
        "A submission is one file%s%.200s: put what the kernel needs of the included file into "
        "%s, or remove the #include. (sim and profile also take headers beside the file and "
        "in folders of -I.)",
        names.length ? ", which may include " : "", text_string(&names), request->file_name);
}

/* Mistakes that the compiler's words do not explain to a beginner. */
static void hint_at_error(const struct build_request *request, const struct build_diagnostic *error,
                          struct build_result *result) {
    static const char *const missing[] = {"could not open source file", "cannot open source file",
                                          "No such file or directory"};
    for (size_t i = 0; i < ARRAY_LENGTH(missing); i++)
        if (strstr(error->text, missing[i]))
            hint_at_header(request, result);
    if (strstr(error->text, "unrecognized token") &&
        line_has_foreign_characters(request, error->line))
        snprintf(result->hint, sizeof result->hint,
                 "Outside of comments and strings, code is written in ASCII: look in line %u for a "
                 "name in other letters and for punctuation of another keyboard, such as \uff1b "
                 "\uff0c \uff08 \uff09 \u201c \u201d.",
                 error->line);
}

/* Advice for the first error that has some. */
static void hint_at_slip(const struct build_answer *answer, const struct build_diagnostic *first,
                         struct build_result *result) {
    for (size_t i = 0; i < answer->diagnostic_count && !result->hint[0]; i++) {
        const struct build_diagnostic *error = &answer->diagnostics[i];
        const char *advice = error->severity == BUILD_ERROR ? build_slip_advice(error->text) : NULL;
        if (advice && error->line == first->line)
            snprintf(result->hint, sizeof result->hint, "%s", advice);
        else if (advice)
            snprintf(result->hint, sizeof result->hint, "Line %u: %s", error->line, advice);
    }
}

static void explain_errors(const struct build_request *request, const struct build_answer *answer,
                           struct build_result *result) {
    size_t errors = 0;
    const struct build_diagnostic *first = NULL;
    for (size_t i = 0; i < answer->diagnostic_count; i++)
        if (answer->diagnostics[i].severity == BUILD_ERROR && errors++ == 0)
            first = &answer->diagnostics[i];
    if (!first)
        snprintf(result->message, sizeof result->message,
                 "%s does not compile, and the compiler does not say why", request->file_name);
    else if (first->line && strcmp(first->file, request->file_name) == 0)
        snprintf(result->message, sizeof result->message, "%s does not compile: %s line %u: %.700s",
                 request->file_name, errors > 1 ? "the first error is in" : "an error in",
                 first->line, first->text);
    else if (first->line)
        snprintf(result->message, sizeof result->message,
                 "%.200s does not compile: an error in %.200s line %u: %.500s", request->file_name,
                 first->file, first->line, first->text);
    else
        snprintf(result->message, sizeof result->message, "%s does not compile: %.700s",
                 request->file_name, first->text);
    if (first)
        hint_at_error(request, first, result);
    if (first && !result->hint[0])
        hint_at_slip(answer, first, result);
}

static void explain_host_code(const struct build_request *request,
                              const struct build_answer *answer, struct build_result *result) {
    if (!answer->host_line) {
        explain_errors(request, answer, result);
        size_t used = strlen(result->hint);
        snprintf(result->hint + used, sizeof result->hint - used,
                 "%sHeaders of host libraries are not there when a kernel is compiled by itself: "
                 "remove the include, or install a CUDA toolkit with nvcc.",
                 used ? " " : "");
        return;
    }
    snprintf(result->message, sizeof result->message,
             "%s carries host code (%s, line %u), and this machine has no nvcc to compile it",
             request->file_name, answer->host_name[0] ? answer->host_name : "a function",
             answer->host_line);
    snprintf(result->hint, sizeof result->hint,
             "Hand in the kernel and its __device__ functions only: remove %s and every "
             "launch (<<<...>>>). Or install a CUDA toolkit with nvcc.",
             answer->host_name[0] ? answer->host_name : "the host functions");
}

static void list_kernels(const struct build_answer *answer, struct text *out) {
    for (size_t i = 0; i < answer->kernel_count && i < LISTED_KERNELS; i++) {
        text_append(out, i ? "; " : "");
        build_kernel_describe(&answer->kernels[i], out);
    }
    if (answer->kernel_count > LISTED_KERNELS)
        text_printf(out, "; and %zu more", answer->kernel_count - LISTED_KERNELS);
}

static void explain_missing(const struct build_request *request, const struct build_answer *answer,
                            struct build_result *result) {
    cleanup_text struct text found = {0};
    list_kernels(answer, &found);
    if (answer->kernel_count == 0) {
        snprintf(result->message, sizeof result->message,
                 "%s has no kernel: no __global__ function is in it", request->file_name);
        snprintf(result->hint, sizeof result->hint, "Write `__global__ void %s(...)`.",
                 request->kernel);
        return;
    }
    snprintf(result->message, sizeof result->message, "%s has no kernel named %s: found %.800s",
             request->file_name, request->kernel, text_string(&found));
    const char *names[LISTED_KERNELS];
    size_t count = 0;
    for (size_t i = 0; i < answer->kernel_count && i < LISTED_KERNELS; i++)
        names[count++] = answer->kernels[i].name;
    const char *closest = count == 1 ? names[0] : text_closest(request->kernel, names, count);
    if (request->kernel_chosen)
        snprintf(result->hint, sizeof result->hint, "Say --kernel %s.",
                 closest ? closest : names[0]);
    else if (closest)
        snprintf(result->hint, sizeof result->hint, "Rename %s to %s.", closest, request->kernel);
    else
        snprintf(result->hint, sizeof result->hint, "Name your kernel %s.", request->kernel);
}

static void explain_kernel(const struct build_request *request, const struct build_answer *answer,
                           struct build_result *result) {
    switch (answer->kernel_state) {
    case KERNEL_TEMPLATE:
        snprintf(result->message, sizeof result->message,
                 "%s is a template in %s, and nothing says for which types it is used",
                 request->kernel, request->file_name);
        snprintf(result->hint, sizeof result->hint,
                 "Write it as a plain function with the types of the exercise.");
        break;
    case KERNEL_OVERLOADED:
        snprintf(result->message, sizeof result->message, "%s has several functions named %s",
                 request->file_name, request->kernel);
        snprintf(result->hint, sizeof result->hint, "Keep one, or rename the others.");
        break;
    case KERNEL_NOT_GLOBAL:
        snprintf(result->message, sizeof result->message,
                 "%s in %s is not a kernel: it is not declared __global__", request->kernel,
                 request->file_name);
        snprintf(result->hint, sizeof result->hint, "Write `__global__ void %s(...)`.",
                 request->kernel);
        break;
    default:
        explain_missing(request, answer, result);
    }
}

void build_explain(const struct build_request *request, const struct build_answer *answer,
                   const struct worker_limits *limits, struct build_result *result) {
    switch (result->end) {
    case BUILD_TIME_LIMIT:
        snprintf(result->message, sizeof result->message, "%s does not compile within %s s",
                 request->file_name, decimal(limits->cpu_seconds, 6).text);
        snprintf(result->hint, sizeof result->hint,
                 "Look for templates or constexpr functions that never end.");
        return;
    case BUILD_MEMORY_LIMIT:
        if (strncmp(answer->trouble, "output", 6) == 0)
            snprintf(result->message, sizeof result->message,
                     "the compiler's answer on %s is too long (%s)", request->file_name,
                     answer->trouble);
        else
            snprintf(result->message, sizeof result->message,
                     "compiling %s takes more than %llu MiB of memory", request->file_name,
                     (unsigned long long)(limits->memory_bytes >> 20));
        snprintf(result->hint, sizeof result->hint,
                 "Look for templates, macros or unrolled loops that grow without end.");
        return;
    case BUILD_OUTPUT_LIMIT:
        snprintf(result->message, sizeof result->message,
                 "%s becomes more than %llu MiB of PTX or errors", request->file_name,
                 (unsigned long long)(build_output_bytes(limits) >> 20));
        snprintf(result->hint, sizeof result->hint,
                 "Look for templates, macros or unrolled loops that grow without end.");
        return;
    case BUILD_CRASHED:
        snprintf(result->message, sizeof result->message, "the compiler crashed on %s (%s)",
                 request->file_name, answer->trouble);
        snprintf(
            result->hint, sizeof result->hint,
            "Very deep nesting does that. Simplify the code, or compile it with nvcc to see more.");
        return;
    case BUILD_DONE:
        break;
    }
    if (answer->outcome == OUTCOME_ERRORS)
        explain_errors(request, answer, result);
    else if (answer->outcome == OUTCOME_HOST_CODE)
        explain_host_code(request, answer, result);
    else if (!result->compiled)
        explain_kernel(request, answer, result);
}
