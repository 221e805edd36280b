/* From a submission's bytes to a kernel that fits the exercise, or to the sentence that says why
 * there is none: not text, too large, does not compile, another signature, a constant missing or
 * outside of what the exercise allows. All of these are graded, as compile errors. */
#include "grader/grade/grade_private.h"
#include "grader/grade/program/grade_program.h"

#include "grader/judge/signature.h"
#include "reports/message.h"
#include "reports/translate.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void refuse(struct grade_kernel *kernel,
                                                         const char *format, ...) {
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(&text, format, arguments);
    va_end(arguments);
    free(kernel->message);
    kernel->message = text_steal(&text);
}

/* ---- before the compiler --------------------------------------------------------------------- */

static bool is_blank(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!isspace((unsigned char)text[i]))
            return false;
    return true;
}

/* With its mark, or without: every second byte of the first line of a source is zero. */
static bool is_utf16(const struct grade_source *source) {
    const char *text = source->text;
    if (source->length < 4)
        return false;
    if (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)
        return true;
    return (text[0] && !text[1] && text[2] && !text[3]) ||
           (!text[0] && text[1] && !text[2] && text[3]);
}

static bool begins_with(const struct grade_source *source, const char *bytes, size_t length) {
    return source->length >= length && memcmp(source->text, bytes, length) == 0;
}

static bool holds(const struct grade_source *source, const char *string) {
    return source->length && memmem(source->text, source->length, string, strlen(string));
}

/* What is handed in by mistake in place of a source file, with what to do about it. */
static bool check_format(const struct exercise *exercise, const struct grade_source *source,
                         const char *zero, enum language language, struct grade_kernel *kernel) {
    const char *name = file_base_name(source->file);
    if (begins_with(source, "PK\3\4", 4)) {
        refuse(kernel, WORDS(language, is_archive), name);
        kernel->hint = mem_printf(WORDS(language, unpack_archive), exercise->kernel, exercise->id);
    } else if (zero && is_utf16(source)) {
        refuse(kernel, WORDS(language, is_utf16), name);
        kernel->hint = mem_strdup(WORDS(language, save_as_utf8));
    } else if (begins_with(source, "{", 1) && holds(source, "\"cells\"")) {
        refuse(kernel, WORDS(language, is_notebook), name);
        kernel->hint =
            mem_printf(WORDS(language, copy_from_notebook), exercise->kernel, exercise->id);
    }
    return kernel->message != NULL;
}

static bool check_text(const struct exercise *exercise, const struct grade_source *source,
                       enum language language, struct grade_kernel *kernel) {
    const char *name = file_base_name(source->file);
    const char *zero = source->length ? memchr(source->text, '\0', source->length) : NULL;
    if (source->length > GRADE_MAX_SOURCE_BYTES)
        refuse(kernel, WORDS(language, file_too_large), name, (double)source->length / (1 << 20),
               GRADE_MAX_SOURCE_BYTES >> 20);
    else if (check_format(exercise, source, zero, language, kernel))
        return false;
    else if (zero)
        refuse(kernel, WORDS(language, not_a_text_file), name, (size_t)(zero - source->text) + 1);
    else if (is_blank(source->text, source->length))
        refuse(kernel, WORDS(language, file_is_empty), name);
    if (!kernel->message)
        return true;
    kernel->hint = mem_printf(WORDS(language, hand_in_source), exercise->kernel, exercise->id);
    return false;
}

/* ---- after the compiler ---------------------------------------------------------------------- */

static bool has_errors(const struct build_result *build) {
    for (size_t i = 0; i < build->diagnostic_count; i++)
        if (build->diagnostics[i].severity == BUILD_ERROR)
            return true;
    return false;
}

static bool check_kernel(const struct exercise *exercise, const struct grade_source *source,
                         enum language language, struct grade_kernel *kernel) {
    const struct build_result *build = &kernel->build;
    if (!build->compiled || build->kernel_index >= build->kernel_count) {
        cleanup_free char *message = translate_string(language, build->message);
        refuse(kernel, "%s", *message ? message : WORDS(language, no_kernel_no_reason));
        bool program = !has_errors(build) && (holds(source, "<<<") || holds(source, "main("));
        kernel->hint =
            program ? mem_printf(WORDS(language, hand_in_kernel), exercise->kernel, exercise->id)
            : build->hint[0] ? translate_string(language, build->hint)
                             : NULL;
        return false;
    }
    const struct build_kernel *found = &build->kernels[build->kernel_index];
    kernel->lowered = mem_strdup(found->lowered);
    cleanup_text struct text problem = {0};
    if (signature_matches(exercise->params, exercise->param_count, found, language, &problem))
        return true;
    cleanup_text struct text expected = {0};
    signature_text(exercise->kernel, exercise->params, exercise->param_count, &expected);
    refuse(kernel, WORDS(language, kernel_in_file), exercise->kernel, file_base_name(source->file),
           text_string(&problem));
    kernel->hint = mem_printf(WORDS(language, called_as), text_string(&expected));
    return false;
}

/* "a power of two from 4 to 32", "from 1 to 1024", "16" */
static void append_range(const struct exercise_constant *constant, enum language language,
                         struct text *out) {
    if (constant->minimum == constant->maximum) {
        text_printf(out, "%" PRId64, constant->minimum);
        return;
    }
    text_printf(out,
                constant->power_of_two ? WORDS(language, power_of_two_from_to)
                                       : WORDS(language, from_to),
                constant->minimum, constant->maximum);
}

static bool constant_fits(const struct exercise_constant *constant, int64_t value) {
    return value >= constant->minimum && value <= constant->maximum &&
           (!constant->power_of_two || (value > 0 && (value & (value - 1)) == 0));
}

static bool check_constant(const struct exercise_constant *constant,
                           const struct build_constant *found, const char *file_name,
                           enum language language, struct grade_kernel *kernel) {
    cleanup_text struct text range = {0};
    append_range(constant, language, &range);
    if (!found->known) {
        refuse(kernel, WORDS(language, constant_undefined), file_name, constant->name);
        kernel->hint = mem_printf(WORDS(language, define_constant), constant->name,
                                  constant->fallback, text_string(&range));
        return false;
    }
    if (!constant_fits(constant, found->value)) {
        refuse(kernel, WORDS(language, constant_not_allowed), constant->name, found->value,
               file_name, text_string(&range));
        kernel->hint = mem_printf(WORDS(language, choose_another), constant->fallback);
        return false;
    }
    kernel->constants[kernel->constant_count++] = (struct expr_name){constant->name, found->value};
    return true;
}

static void check_constants(const struct exercise *exercise, const char *file_name,
                            enum language language, struct grade_kernel *kernel) {
    kernel->constants = mem_calloc(exercise->constant_count + 1, sizeof *kernel->constants);
    for (size_t i = 0; i < exercise->constant_count; i++) {
        static const struct build_constant unknown = {.known = false};
        const struct build_constant *found =
            i < kernel->build.constant_count ? &kernel->build.constants[i] : &unknown;
        if (!check_constant(&exercise->constants[i], found, file_name, language, kernel))
            return;
    }
}

/* Does the compiler compile code that is no submission? */
static bool compiler_works(void) {
    static const char source[] = "__global__ void nothing() {}\n";
    struct build_request request = {.file_name = "nothing.cu",
                                    .source = source,
                                    .source_length = sizeof source - 1,
                                    .no_cache = true};
    struct worker_limits limits = {0};
    struct build_result result;
    enum status status = build_compile(&request, &limits, &result, NULL);
    bool works = status == STATUS_OK && result.compiled;
    if (status == STATUS_OK)
        build_result_free(&result);
    return works;
}

/* That the compiler is broken is what its worker says, with a stranger's program in it. Where it
 * compiles other things, the submission is to blame: it must not stop a whole class. */
static enum status blame(const struct grade_source *source, enum status status,
                         enum language language, struct grade_kernel *kernel,
                         const struct error *cause, struct error *error) {
    if (status != STATUS_ENVIRONMENT || !compiler_works()) {
        if (error)
            *error = *cause;
        return status;
    }
    refuse(kernel, WORDS(language, compiler_gave_up), file_base_name(source->file), cause->message);
    return STATUS_OK;
}

enum status grade_build(const struct exercise *exercise, const struct grade_source *source,
                        struct grade_kernel *kernel, struct error *error) {
    return grade_build_for(exercise, source, NULL, LANGUAGE_EN, kernel, error);
}

enum status grade_build_for(const struct exercise *exercise, const struct grade_source *source,
                            const char *architecture, enum language language,
                            struct grade_kernel *kernel, struct error *error) {
    *kernel = (struct grade_kernel){0};
    if (!check_text(exercise, source, language, kernel))
        return STATUS_OK;
    if (exercise_has_host_code(exercise))
        return grade_program_build(exercise, source, language, kernel, error);
    const char **names = mem_calloc(exercise->constant_count + 1, sizeof *names);
    cleanup_free void *owned = names;
    for (size_t i = 0; i < exercise->constant_count; i++)
        names[i] = exercise->constants[i].name;
    struct build_request request = {.file_name = file_base_name(source->file),
                                    .source = source->text,
                                    .source_length = source->length,
                                    .kernel = exercise->kernel,
                                    .architecture = architecture,
                                    .headers = exercise->headers,
                                    .header_count = exercise->header_count,
                                    .constants = names,
                                    .constant_count = exercise->constant_count};
    struct worker_limits limits = {0};
    struct error cause = {0};
    enum status status = build_compile(&request, &limits, &kernel->build, &cause);
    if (status != STATUS_OK)
        return blame(source, status, language, kernel, &cause, error);
    if (check_kernel(exercise, source, language, kernel))
        check_constants(exercise, request.file_name, language, kernel);
    return STATUS_OK;
}

enum status grade_build_unoptimised(const struct exercise *exercise,
                                    const struct grade_source *source, struct build_result *build,
                                    struct error *error) {
    struct build_request request = {.file_name = file_base_name(source->file),
                                    .source = source->text,
                                    .source_length = source->length,
                                    .kernel = exercise->kernel,
                                    .headers = exercise->headers,
                                    .header_count = exercise->header_count,
                                    .device_debug = true,
                                    .no_signature = true};
    struct worker_limits limits = {0};
    return build_compile(&request, &limits, build, error);
}

void grade_kernel_free(struct grade_kernel *kernel) {
    card_stage_clear(&kernel->stage);
    build_result_free(&kernel->build);
    free(kernel->lowered);
    free(kernel->constants);
    free(kernel->message);
    free(kernel->hint);
    *kernel = (struct grade_kernel){0};
}
