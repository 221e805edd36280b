/* The comparison of a kernel's parameters with those an exercise passes, in a student's words. */
#include "grader/judge/signature.h"

#include "reports/message.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

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
