/* The sentences of a verdict: how exact an output must be, what is wrong with it, and where. */
#include "grader/judge/judge_text.h"

#include "grader/judge/judge.h"
#include "reports/message.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <inttypes.h>

char *judge_index_text(const struct engine_argument *argument, uint64_t flat_index) {
    if (argument->count == 1 && argument->rank <= 1)
        return mem_strdup("");
    uint64_t index[3] = {0};
    unsigned rank = argument->rank ? argument->rank : 1;
    for (unsigned i = rank; i-- > 1;) {
        uint64_t extent = argument->shape[i] ? argument->shape[i] : 1;
        index[i] = flat_index % extent;
        flat_index /= extent;
    }
    index[0] = flat_index;
    struct text out = {0};
    for (unsigned i = 0; i < rank; i++)
        text_printf(&out, "%s%" PRIu64, i ? ", " : "[", index[i]);
    text_append_char(&out, ']');
    return text_steal(&out);
}

static char *near_text(const struct exercise_param *param, enum language language) {
    const struct exercise_tolerance *tolerance = &param->tolerance;
    const struct decimal relative = decimal(tolerance->relative, 6);
    const struct decimal absolute = decimal(tolerance->absolute, 6);
    if (tolerance->absolute == 0)
        return mem_printf(WORDS(language, within_relative), param->name, relative.text);
    if (tolerance->relative == 0)
        return mem_printf(WORDS(language, within_absolute), param->name, absolute.text);
    return mem_printf(WORDS(language, within_both), param->name, absolute.text, relative.text);
}

char *judge_tolerance_text(const struct exercise_param *param, int64_t length,
                           enum language language) {
    static const char *const roundoff[ELEMENT_COUNT] = {
        [ELEMENT_f16] = "2^-11", [ELEMENT_f32] = "2^-24", [ELEMENT_f64] = "2^-53"};
    const struct exercise_tolerance *tolerance = &param->tolerance;
    if (!element_infos[param->type].is_float)
        return mem_printf(WORDS(language, exact), param->name);
    switch (tolerance->kind) {
    case TOLERANCE_EXACT:
    case TOLERANCE_NONE:
        return mem_printf(WORDS(language, exact_rounded), param->name,
                          element_infos[param->type].name);
    case TOLERANCE_ULP:
        return mem_printf(WORDS(language, within_ulp), param->name, decimal(tolerance->ulp, 6).text,
                          tolerance->ulp == 1 ? "" : "s", element_infos[param->type].name);
    case TOLERANCE_NEAR:
        return near_text(param, language);
    case TOLERANCE_DOT:
        break;
    }
    cleanup_text struct text factor = {0};
    if (tolerance->factor != 1)
        text_printf(&factor, "%s * ", decimal(tolerance->factor, 6).text);
    return mem_printf(WORDS(language, within_sum), param->name, length,
                      text_plural((uint64_t)length), text_string(&factor), length,
                      roundoff[param->type]);
}

char *judge_difference_text(const struct report_difference *difference,
                            const struct compare_result *compared, enum language language) {
    cleanup_text struct text out = {0};
    if (compared->unwritten == difference->total)
        return mem_printf(WORDS(language, writes_no_element), difference->output);
    if (difference->total == 1)
        text_printf(&out, WORDS(language, is_wrong), difference->output);
    else if (difference->differing == difference->total)
        text_printf(&out, WORDS(language, all_elements_wrong), difference->total,
                    difference->output);
    else
        text_printf(&out,
                    difference->differing == 1 ? WORDS(language, element_is_wrong)
                                               : WORDS(language, elements_are_wrong),
                    difference->differing, difference->total, difference->output);
    if (compared->unwritten == compared->differing)
        text_append(&out, WORDS(language, all_never_written));
    else if (compared->unwritten)
        text_printf(&out, WORDS(language, some_never_written), compared->unwritten);
    if (difference->total > 1)
        text_printf(&out, WORDS(language, the_first_is), difference->output, difference->index);
    return text_steal(&out);
}
