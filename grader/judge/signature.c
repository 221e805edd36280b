/* The comparison of a kernel's parameters with those an exercise passes, in a student's words. */
#include "grader/judge/signature.h"

#include "grader/source/source_lexer.h"
#include "reports/message.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

void signature_param_text(const struct exercise_param *param, struct text *out) {
    const char *type = element_infos[param->type].c_name;
    if (exercise_param_is_buffer(param))
        text_printf(out, "%s%s *%s", param->role == ROLE_IN ? "const " : "", type, param->name);
    else
        text_printf(out, "%s %s", type, param->name);
}

void signature_text(const char *name, const struct exercise_param *params, size_t count,
                    struct text *out) {
    text_printf(out, "%s(", name);
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        if (params[i].constant_memory)
            continue;
        text_append(out, first ? "" : ", ");
        signature_param_text(&params[i], out);
        first = false;
    }
    text_append_char(out, ')');
}

static const char *ordinal(size_t number) {
    static const char *const names[] = {"first", "second",  "third",  "fourth", "fifth",
                                        "sixth", "seventh", "eighth", "ninth"};
    return number < ARRAY_LENGTH(names) ? names[number] : NULL;
}

static void describe_mismatch(const struct exercise_param *param, size_t index, const char *spelled,
                              enum language language, struct text *out) {
    cleanup_text struct text expected = {0};
    signature_param_text(param, &expected);
    if (ordinal(index) && language == LANGUAGE_EN)
        text_printf(out, "takes `%s` as its %s parameter", spelled, ordinal(index));
    else
        text_printf(out, WORDS(language, takes_as_parameter), spelled, index + 1);
    text_printf(out, WORDS(language, exercise_passes), text_string(&expected));
}

bool signature_matches(const struct exercise_param *params, size_t count,
                       const struct build_kernel *kernel, enum language language,
                       struct text *problem) {
    size_t passed = 0;
    for (size_t i = 0; i < count; i++)
        passed += !params[i].constant_memory;
    if (kernel->parameter_count == passed) {
        for (size_t i = 0, at = 0; i < count; i++) {
            if (params[i].constant_memory)
                continue;
            const char *spelled = kernel->parameters[at++];
            if (!build_parameter_matches(spelled, params[i].type,
                                         exercise_param_is_buffer(&params[i]),
                                         params[i].role == ROLE_IN)) {
                describe_mismatch(&params[i], at - 1, spelled, language, problem);
                return false;
            }
        }
        return true;
    }
    text_printf(problem, WORDS(language, has_parameters), kernel->parameter_count,
                text_plural(kernel->parameter_count), passed);
    build_kernel_describe(kernel, problem);
    return false;
}

/* ---- the reference ------------------------------------------------------------ */

/* Where the source has the kernel's name and a parenthesis after it, else at the file. */
static void place_at_kernel(const struct exercise *exercise, const char *source, size_t length,
                            struct error *error) {
    struct source_lexer lexer = {source, source + length, 1};
    struct source_token token, before = {0};
    size_t name = strlen(exercise->reference.kernel);
    while ((token = source_lexer_next(&lexer)).kind != SOURCE_END) {
        bool is_call = before.kind == SOURCE_NAME && before.length == name && *token.start == '(' &&
                       memcmp(before.start, exercise->reference.kernel, name) == 0;
        if (is_call)
            break;
        before = token;
    }
    const char *line = before.start;
    while (token.kind != SOURCE_END && line > source && line[-1] != '\n')
        line--;
    bool found = token.kind != SOURCE_END;
    error_place(error, exercise->reference.file, found ? before.line : 0,
                found ? (unsigned)(before.start - line) + 1 : 0, source, length);
}

/* The reference's signature as exercise.h says: doubles for floating-point outputs, followed by
 * magnitudes. */
enum status signature_check_reference(const struct exercise *exercise,
                                      const struct build_kernel *kernel, const char *source,
                                      size_t length, struct error *error) {
    struct exercise_param *params =
        mem_calloc(2 * exercise->param_count + 1, sizeof *params); /* borrowed names and shapes */
    cleanup_free void *owned = params;
    size_t count = 0;
    for (size_t i = 0; i < exercise->param_count; i++)
        params[count++] = exercise->params[i];
    for (size_t i = 0; i < exercise->param_count; i++)
        params[i].constant_memory = false;
    for (size_t i = 0; i < exercise->param_count; i++) {
        struct exercise_param *param = &params[i];
        if (param->role != ROLE_OUT && param->role != ROLE_INOUT)
            continue;
        if (element_infos[param->type].is_float)
            param->type = ELEMENT_f64;
        if (param->tolerance.kind == TOLERANCE_DOT) {
            params[count] = *param;
            params[count++].type = ELEMENT_f64;
        }
    }
    cleanup_text struct text problem = {0};
    if (signature_matches(params, count, kernel, LANGUAGE_EN, &problem))
        return STATUS_OK;
    enum status status =
        error_set(error, STATUS_INVALID, "the reference kernel of %s has the wrong signature: %s",
                  exercise->id, text_string(&problem));
    cleanup_text struct text right = {0};
    for (size_t i = 0; i < count; i++)
        if (i >= exercise->param_count)
            params[i].name = mem_printf("%s_magnitude", params[i].name);
    signature_text(exercise->reference.kernel, params, count, &right);
    error_hint(error, "write __global__ void %.480s", text_string(&right));
    for (size_t i = exercise->param_count; i < count; i++)
        free(params[i].name);
    place_at_kernel(exercise, source, length, error);
    return status;
}
