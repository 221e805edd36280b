/* nvcc refuses `helper(x);` where helper is a kernel; NVRTC makes a plain call of it and inlines
 * it, so that nothing is left to see in the PTX. So the text is asked.
 *
 * A kernel's name in front of '(' is its declaration where __global__ stands in the same
 * declaration, and a call anywhere else. Where the name may also stand for something else, as after
 * a type, nothing is concluded. */
#include "sandbox/build/session.h"

#include "sandbox/base/memory.h"
#include "sandbox/build/source_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_KERNELS = 64 }; /* that are looked for: each takes a walk over the text */

struct kernel_name {
    const char *text;
    size_t length;
};

/* Without namespaces and the arguments of a template. */
static struct kernel_name plain_name(const char *text) {
    size_t length = strcspn(text, "<"), start = 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] == ':')
            start = i + 1;
    return (struct kernel_name){text + start, length - start};
}

static bool is_word_character(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_word(const char *word, size_t length, const char *wanted) {
    return strlen(wanted) == length && memcmp(word, wanted, length) == 0;
}

/* What may stand in front of a call, where a word does. */
static bool precedes_call(const char *word, size_t length) {
    return !length || is_word(word, length, "return") || is_word(word, length, "else") ||
           is_word(word, length, "do");
}

static const char *skip_space(const char *at) {
    for (;;) {
        const char *end = *at == '/' ? source_skip_no_code(at) : at;
        if (end == at && !isspace((unsigned char)*at))
            return at;
        at = end == at ? at + 1 : end;
    }
}

static const char *skip_line(const char *at) {
    for (; *at && *at != '\n'; at++)
        if (*at == '\\' && at[1])
            at++;
    return at;
}

/* What stood in front of the present token. */
struct context {
    const char *word; /* where it was a word, else of length 0 */
    size_t word_length;
    char mark;        /* where it was none */
    bool is_declared; /* __global__ since the declaration or statement began */
};

enum use { USE_OTHER, USE_CALL, USE_UNKNOWN };

static enum use classify(const struct context *context, const char *after) {
    bool member = context->mark == '.' || context->mark == ':' || context->mark == '>';
    if (context->is_declared || (member && !context->word_length))
        return USE_OTHER;
    if (!precedes_call(context->word, context->word_length))
        return USE_UNKNOWN;
    return *skip_space(after) == '(' ? USE_CALL : USE_OTHER;
}

static void step(struct context *context, const char *at, const char *end, bool is_name) {
    bool is_code = source_skip_no_code(at) == at && !isspace((unsigned char)*at) && *at != '#';
    if (!is_code)
        return;
    context->word = at;
    context->word_length = is_name ? (size_t)(end - at) : 0;
    context->mark = is_name ? '\0' : *at;
    if (*at == ';' || *at == '{' || *at == '}')
        context->is_declared = false;
    context->is_declared |= is_name && is_word(at, (size_t)(end - at), "__global__");
}

/* The first call of the kernel, or NULL. */
static const char *find_call(const char *source, struct kernel_name kernel) {
    struct context context = {0};
    const char *call = NULL, *end;
    for (const char *at = source; *at; at = end) {
        bool is_name = isalpha((unsigned char)*at) || *at == '_';
        end = *at == '#' ? skip_line(at) : source_skip_no_code(at);
        while (end == at || (is_name && is_word_character(*end)))
            end = end + 1;
        if (is_name && (size_t)(end - at) == kernel.length &&
            memcmp(at, kernel.text, kernel.length) == 0) {
            enum use use = classify(&context, end);
            if (use == USE_UNKNOWN)
                return NULL;
            call = use == USE_CALL && !call ? at : call;
        }
        step(&context, at, end, is_name);
    }
    return call;
}

static void refuse(struct session *session, const char *call) {
    struct build_answer *answer = session->answer;
    struct build_diagnostic *error =
        mem_push(&answer->diagnostics, &answer->diagnostic_count, &answer->diagnostic_capacity);
    *error = (struct build_diagnostic){.severity = BUILD_ERROR, .line = 1};
    for (const char *at = session->whole_source; at < call; at++)
        error->line += *at == '\n';
    snprintf(error->text, sizeof error->text, "a __global__ function call must be configured");
    snprintf(error->file, sizeof error->file, "%s", session->job->file_name);
    answer->outcome = OUTCOME_ERRORS;
}

void kernel_call_check(struct session *session) {
    struct build_answer *answer = session->answer;
    for (size_t i = 0; i < answer->kernel_count && i < MOST_KERNELS; i++) {
        struct kernel_name kernel = plain_name(answer->kernels[i].name);
        const char *call = kernel.length ? find_call(session->whole_source, kernel) : NULL;
        if (call)
            refuse(session, call);
    }
    if (answer->outcome == OUTCOME_ERRORS)
        text_clear(&answer->output);
}
