/* The engine copies the bytes of an argument into the place of a parameter and cannot know what
 * they mean: the 4.0f of `f32=4` is 1082130432 for an `int n`. Here both types are known, and an
 * error says both, as it says what would do.
 *
 * What cannot be known is let through: structures of the right size, pointers to types that are
 * not ours, and pointers to bytes, which lead to anything. */
#include "grader/cli/argument_check.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <string.h>

/* ---- words ----------------------------------------------------------------------------------- */

/* "a 32-bit float", "an 8-bit integer" */
static void append_number(struct text *out, bool is_float, uint64_t bytes) {
    text_printf(out, "%s %" PRIu64 "-bit %s", bytes == 1 ? "an" : "a", 8 * bytes,
                is_float ? "float" : "integer");
}

static void append_elements(struct text *out, enum element_type type) {
    text_printf(out, "%u-bit %ss", 8 * element_infos[type].bytes,
                element_infos[type].is_float ? "float" : "integer");
}

static void append_argument(struct text *out, const struct engine_argument *argument) {
    if (argument->by_value) {
        text_printf(out, "a structure of %" PRIu64 " byte%s", argument->count,
                    text_plural(argument->count));
    } else if (argument->alias) {
        text_append(out, "a buffer");
    } else if (argument->is_buffer) {
        text_append(out, "a buffer of ");
        append_elements(out, argument->type);
    } else {
        append_number(out, element_infos[argument->type].is_float,
                      element_infos[argument->type].bytes);
    }
}

static void append_parameter(struct text *out, const struct kernel_parameter *parameter) {
    text_printf(out, "`%s`, ", parameter->words);
    switch (parameter->kind) {
    case PARAMETER_BITS:
        text_printf(out, "of %" PRIu64 " bits", 8 * parameter->bytes);
        break;
    case PARAMETER_BOOL:
        text_append(out, "0 or 1");
        break;
    case PARAMETER_INTEGER:
        if (parameter->is_exact && !element_infos[parameter->element].is_signed) {
            text_printf(out, "an unsigned %" PRIu64 "-bit integer", 8 * parameter->bytes);
            break;
        }
        append_number(out, false, parameter->bytes);
        break;
    case PARAMETER_FLOAT:
        append_number(out, true, parameter->bytes);
        break;
    case PARAMETER_POINTER:
        text_append(out, "a pointer");
        if (parameter->has_element) {
            text_append(out, " to ");
            append_elements(out, parameter->element);
        }
        break;
    case PARAMETER_STRUCTURE:
        text_printf(out, "a structure of %" PRIu64 " byte%s", parameter->bytes,
                    text_plural(parameter->bytes));
        break;
    }
}

/* How an argument for it is written. */
static void append_example(struct text *out, const struct kernel_parameter *parameter) {
    if (parameter->kind == PARAMETER_STRUCTURE)
        text_append(out, "bytes=@FILE");
    else if (parameter->kind == PARAMETER_POINTER ||
             (parameter->kind == PARAMETER_BITS && parameter->bytes == 8))
        text_printf(out, "'%s[N]=FILL'",
                    element_infos[parameter->has_element ? parameter->element : ELEMENT_f32].name);
    else if (parameter->has_element)
        text_printf(out, "%s=VALUE", element_infos[parameter->element].name);
    else
        text_printf(out, "u%" PRIu64 "=VALUE", 8 * parameter->bytes);
}

/* "scale(float *x, int n)" */
static void append_kernel(struct text *out, const struct argument_check *check) {
    text_printf(out, "%s(", check->kernel);
    for (size_t i = 0; i < check->parameters.count; i++)
        text_printf(out, "%s%s", i ? ", " : "", check->parameters.items[i].words);
    text_append(out, ")");
}

/* ---- how many -------------------------------------------------------------------------------- */

static enum status refuse_count(const struct argument_check *check, struct error *error) {
    cleanup_text struct text missing = {0}, kernel = {0}, examples = {0};
    size_t count = check->parameters.count;
    if (check->count < count) {
        text_printf(&missing, "; parameter %zu is ", check->count + 1);
        append_parameter(&missing, &check->parameters.items[check->count]);
    }
    append_kernel(&kernel, check);
    for (size_t i = 0; i < count && examples.length < 200; i++) {
        text_append(&examples, " --arg ");
        append_example(&examples, &check->parameters.items[i]);
    }
    error_set(error, STATUS_INVALID, "the kernel %s takes %zu argument%s, %zu %s given%s",
              check->kernel, count, text_plural(count), check->count,
              check->count == 1 ? "was" : "were", text_string(&missing));
    error_hint(error, "%.250s: %s%s", text_string(&kernel),
               count ? "one --arg for each parameter, in their order:" : "no --arg",
               text_string(&examples));
    return STATUS_INVALID;
}

/* ---- one argument ---------------------------------------------------------------------------- */

static bool is_scalar(const struct engine_argument *argument) {
    return !argument->is_buffer && !argument->alias && !argument->by_value;
}

/* Written as one: u64=0, or u64=0x7f0012345678. */
static bool is_address(const struct engine_argument *argument, const char *spec) {
    return is_scalar(argument) && element_infos[argument->type].bytes == 8 &&
           !element_infos[argument->type].is_float &&
           (argument->scalar == 0 || strstr(spec, "=0x") != NULL);
}

/* Elements of another kind or size; of either sign, and any where the pointer leads to bytes. */
static bool leads_to(const struct kernel_parameter *parameter, enum element_type type) {
    const struct element_info *to = &element_infos[parameter->element], *of = &element_infos[type];
    return !parameter->has_element || to->bytes == 1 ||
           (to->bytes == of->bytes && to->is_float == of->is_float);
}

static bool fits_pointer(const struct kernel_parameter *parameter,
                         const struct engine_argument *argument, const char *spec) {
    return argument->alias || is_address(argument, spec) ||
           (argument->is_buffer && leads_to(parameter, argument->type));
}

static bool fits(const struct kernel_parameter *parameter, const struct engine_argument *argument,
                 const char *spec) {
    const struct element_info *info = &element_infos[argument->type];
    if (argument->by_value)
        return argument->count == parameter->bytes;
    if (parameter->kind == PARAMETER_POINTER)
        return fits_pointer(parameter, argument, spec);
    bool is_opaque = parameter->kind == PARAMETER_BITS || parameter->kind == PARAMETER_STRUCTURE;
    if (!is_scalar(argument))
        return is_opaque && parameter->bytes == 8;
    return info->bytes == parameter->bytes &&
           (is_opaque || info->is_float == (parameter->kind == PARAMETER_FLOAT));
}

/* The value of a number that fits otherwise: the same bits may be another one. */
static bool is_in_range(const struct kernel_parameter *parameter,
                        const struct engine_argument *argument) {
    const struct element_info *info = &element_infos[argument->type];
    if (!is_scalar(argument))
        return true;
    if (parameter->kind == PARAMETER_BOOL)
        return argument->scalar <= 1;
    return parameter->kind != PARAMETER_INTEGER || !parameter->is_exact ||
           info->is_signed == element_infos[parameter->element].is_signed ||
           argument->scalar >> (8 * info->bytes - 1) == 0;
}

static enum status refuse(const struct argument_check *check, size_t index, bool in_range,
                          struct error *error) {
    const struct kernel_parameter *parameter = &check->parameters.items[index];
    const char *spec = check->specs[index];
    cleanup_text struct text given = {0}, expected = {0}, kernel = {0}, example = {0};
    append_argument(&given, &check->arguments[index]);
    append_parameter(&expected, parameter);
    append_kernel(&kernel, check);
    append_example(&example, parameter);
    if (in_range)
        error_set(error, STATUS_INVALID, "%s is given, and parameter %zu of %s is %s",
                  text_string(&given), index + 1, check->kernel, text_string(&expected));
    else
        error_set(error, STATUS_INVALID, "the value does not fit: parameter %zu of %s is %s",
                  index + 1, check->kernel, text_string(&expected));
    error_place(error, "--arg", 1, in_range ? 1 : (unsigned)strcspn(spec, "=") + 2, spec,
                strlen(spec));
    error_hint(error, "%.250s: it takes %s%s", text_string(&kernel), text_string(&example),
               parameter->kind == PARAMETER_POINTER ? ", alias:INDEX, or u64=0 for a null pointer"
                                                    : "");
    return STATUS_INVALID;
}

enum status argument_check(const struct argument_check *check, struct error *error) {
    if (check->count != check->parameters.count)
        return refuse_count(check, error);
    for (size_t i = 0; i < check->count; i++) {
        const struct kernel_parameter *parameter = &check->parameters.items[i];
        const struct engine_argument *argument = &check->arguments[i];
        bool is_right = fits(parameter, argument, check->specs[i]);
        if (!is_right || !is_in_range(parameter, argument))
            return refuse(check, i, !is_right, error);
    }
    return STATUS_OK;
}
