/* See grade_report.h. */
#include "grader/grade/grade_report.h"

#include "grader/judge/judge.h"
#include "reports/translate.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <string.h>
#include <sys/utsname.h>

static const char *const languages[LANGUAGE_COUNT] = {"en", "zh"};

static char *title_of(const struct exercise *exercise, enum language language) {
    return mem_strdup(exercise->title[language] ? exercise->title[language]
                                                : exercise->title[LANGUAGE_EN]);
}

static char *describe_environment(unsigned cpus) {
    struct utsname system;
    if (uname(&system) != 0)
        return mem_strdup("unknown");
    return mem_printf("%s %s %s, %u CPU%s", system.sysname, system.release, system.machine, cpus,
                      text_plural(cpus));
}

struct report *grade_report_begin(const struct exercise *exercise, enum language language,
                                  const struct grade_source *source, uint64_t seed, unsigned cpus) {
    struct report *report = mem_zalloc(sizeof *report);
    report->exercise = mem_strdup(exercise->id);
    report->title = title_of(exercise, language);
    report->language = mem_strdup(languages[language]);
    report->file = mem_strdup(source->file);
    if (source->length <= GRADE_MAX_SOURCE_BYTES) {
        report->source = mem_zalloc(source->length + 1);
        memcpy(report->source, source->text, source->length);
        report->source_length = source->length;
    }
    struct sha256 hash = hash_bytes(source->text, source->length);
    hash_hex(&hash, report->sha256);
    report->seed = seed;
    report->environment = describe_environment(cpus);
    return report;
}

struct report *grade_not_graded(const char *file, const struct exercise *exercise,
                                enum language language, enum verdict verdict, const char *message,
                                const char *hint) {
    struct report *report = mem_zalloc(sizeof *report);
    report->file = mem_strdup(file);
    report->language = mem_strdup(languages[language]);
    if (exercise) {
        report->exercise = mem_strdup(exercise->id);
        report->title = title_of(exercise, language);
        report->max_score = exercise->max_score;
    }
    report->verdict = verdict;
    report->message = mem_strdup(message);
    report->case_count = 1;
    report->cases = mem_calloc(1, sizeof *report->cases);
    report->cases[0] = (struct report_case){.name = mem_strdup("submission"),
                                            .group = mem_strdup("submission"),
                                            .verdict = verdict,
                                            .message = mem_strdup(message),
                                            .hint = hint && *hint ? mem_strdup(hint) : NULL};
    return report;
}

struct report_size *grade_report_sizes(const struct exercise_size *sizes, size_t count) {
    struct report_size *copies = mem_calloc(count + 1, sizeof *copies);
    for (size_t i = 0; i < count; i++)
        copies[i] = (struct report_size){mem_strdup(sizes[i].name), sizes[i].value};
    return copies;
}

void grade_report_plan(const struct plan *plan, struct report *report) {
    report->case_count = plan->case_count;
    report->cases = mem_calloc(plan->case_count, sizeof *report->cases);
    for (size_t i = 0; i < plan->case_count; i++) {
        const struct plan_case *planned = &plan->cases[i];
        struct report_case *the_case = &report->cases[i];
        the_case->name = mem_strdup(planned->name);
        the_case->group = mem_strdup(case_group_names[planned->group]);
        the_case->essential = planned->essential;
        the_case->size_count = planned->size_count;
        the_case->sizes = grade_report_sizes(planned->sizes, planned->size_count);
    }
}

void grade_report_refuse(const struct exercise *exercise, enum language language,
                         const char *message, const char *hint, struct report *report) {
    report->build_message = translate_string(language, message);
    report->build_hint = hint ? translate_string(language, hint) : NULL;
    for (size_t i = 0; i < report->case_count; i++) {
        judge_reset(&report->cases[i]);
        judge_unlaunched(exercise, language, VERDICT_COMPILE_ERROR, report->build_message, false,
                         &report->cases[i]);
    }
}

void grade_report_build(const struct exercise *exercise, enum language language,
                        const struct grade_kernel *kernel, struct report *report) {
    const struct build_result *build = &kernel->build;
    report->compiler = mem_strdup(build->compiler);
    report->diagnostic_count = build->diagnostic_count;
    report->diagnostics = mem_calloc(build->diagnostic_count + 1, sizeof *report->diagnostics);
    for (size_t i = 0; i < build->diagnostic_count; i++) {
        struct build_diagnostic *diagnostic = &report->diagnostics[i];
        *diagnostic = build->diagnostics[i];
        translate_in_place(language, diagnostic->text, sizeof diagnostic->text);
    }
    report->constants = mem_calloc(kernel->constant_count + 1, sizeof *report->constants);
    for (size_t i = 0; i < kernel->constant_count; i++)
        report->constants[report->constant_count++] =
            (struct report_size){mem_strdup(kernel->constants[i].name), kernel->constants[i].value};
    if (kernel->message)
        grade_report_refuse(exercise, language, kernel->message, kernel->hint, report);
}

void grade_report_engine(bool simulates, bool confirmed, struct report *report) {
    bool both = confirmed;
    for (size_t i = 0; i < report->case_count; i++)
        both |= report->cases[i].speed.measured.present || report->cases[i].found_on_card;
    report->engine = mem_strdup(!simulates ? "cuda" : both ? "sim+cuda" : "sim");
}
