/* One case's verdict; judge.h states the order of decisions.
 *
 * Everything that comes from the engine is treated as what an untrusted worker says: counts are
 * those of the plan, never the worker's, and all text is data for the reports to escape. */
#include "grader/judge/judge.h"

#include "grader/cases/schedule.h"
#include "grader/judge/judge_text.h"
#include "grader/judge/output_grid.h"
#include "reports/hazards.h"
#include "reports/message.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- hazards ------------------------------------------------------------------------------- */

/* What ends a kernel has a verdict of its own. */
static bool is_fatal(enum hazard_kind kind) {
    return verdict_of_hazard(kind) != VERDICT_HAZARD;
}

/* What ended the kernel comes first, since it decides the verdict: a message that says "does not
 * end" must name the line of the loop and not that of an uninitialized read before it. */
static int compare_severity(const void *left, const void *right) {
    const struct hazard *a = left, *b = right;
    if (a->severity != b->severity)
        return a->severity == SEVERITY_ERROR ? -1 : 1;
    if (is_fatal(a->kind) != is_fatal(b->kind))
        return is_fatal(a->kind) ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->kind != b->kind)
        return (int)a->kind - (int)b->kind;
    return (a->other_line > b->other_line) - (a->other_line < b->other_line);
}

/* Errors before warnings also where the exercise's checks have just changed which is which. */
static void sort_hazards(struct report_case *the_case) {
    if (the_case->hazard_count)
        qsort(the_case->hazards, the_case->hazard_count, sizeof *the_case->hazards,
              compare_severity);
}

static bool is_race(const struct hazard *hazard) {
    return hazard_infos[hazard->kind].counted == COUNTED_RACES;
}

/* The engine only warns of a race where both write the same value, which harms no result. */
static enum check_level level_of(const struct exercise *exercise, const struct hazard *hazard) {
    enum check_level level = exercise->checks[hazard->kind];
    bool same_value = is_race(hazard) && hazard->severity == SEVERITY_WARNING;
    return same_value && exercise->same_value_race > level ? exercise->same_value_race : level;
}

static bool is_refuted(const struct judge_evidence *evidence, const struct hazard *hazard) {
    for (size_t i = 0; hazard->plain_load && i < evidence->refuted_count; i++)
        if (schedule_same_hazard(&evidence->refuted[i], hazard))
            return true;
    return false;
}

/* What the hazard counts as, whatever the engine says of it. */
static enum check_level decide_level(const struct judge_evidence *evidence,
                                     const struct hazard *hazard) {
    if (is_refuted(evidence, hazard))
        return CHECK_IGNORE;
    return is_fatal(hazard->kind) ? CHECK_ERROR : level_of(evidence->exercise, hazard);
}

static void take_hazards(const struct judge_evidence *evidence, struct report_case *the_case) {
    const struct engine_result *result = evidence->result;
    the_case->hazards = mem_calloc(result->hazard_count + 1, sizeof *the_case->hazards);
    for (size_t i = 0; i < result->hazard_count; i++) {
        struct hazard hazard = result->hazards[i];
        enum check_level level = decide_level(evidence, &hazard);
        if (level == CHECK_IGNORE)
            continue;
        hazard.severity = level == CHECK_WARNING ? SEVERITY_WARNING : SEVERITY_ERROR;
        the_case->hazards[the_case->hazard_count++] = hazard;
    }
    sort_hazards(the_case);
}

static const struct hazard *find_error(const struct report_case *the_case, enum hazard_kind kind) {
    for (size_t i = 0; i < the_case->hazard_count; i++)
        if (the_case->hazards[i].severity == SEVERITY_ERROR && the_case->hazards[i].kind == kind)
            return &the_case->hazards[i];
    return NULL;
}

static void conclude(struct report_case *the_case, enum verdict verdict, char *message) {
    the_case->verdict = verdict;
    the_case->message = message;
}

static char *hazard_message(const struct hazard *hazard, const char *lead, enum language language) {
    struct text out = {0};
    text_printf(&out, "%s%s", lead, hazard_infos[hazard->kind].name);
    if (hazard->line)
        text_printf(&out, WORDS(language, at_line), hazard->line);
    text_append(&out, WORDS(language, colon));
    hazards_append_message(&out, language, hazard);
    return text_steal(&out);
}

/* The lowest row of hazard.def decides where there are several. */
static bool conclude_fatal(struct report_case *the_case, enum language language) {
    for (unsigned i = HAZARD_COUNT; i-- > 0;) {
        enum hazard_kind kind = (enum hazard_kind)i;
        const struct hazard *hazard = is_fatal(kind) ? find_error(the_case, kind) : NULL;
        if (!hazard)
            continue;
        conclude(the_case, verdict_of_hazard(kind),
                 hazard_message(hazard, message_lead(language, kind), language));
        return true;
    }
    return false;
}

static bool conclude_hazard(struct report_case *the_case, enum language language) {
    if (the_case->hazard_count == 0 || the_case->hazards[0].severity != SEVERITY_ERROR)
        return false;
    conclude(the_case, VERDICT_HAZARD, hazard_message(&the_case->hazards[0], "", language));
    return true;
}

/* ---- the worker's end ------------------------------------------------------------------------ */

/* A refusal comes without hazards where the module itself could not be read. */
static void conclude_refused(const struct engine_result *result, enum language language,
                             struct report_case *the_case) {
    if (conclude_fatal(the_case, language) || conclude_hazard(the_case, language))
        return;
    struct hazard *hazard = &the_case->hazards[the_case->hazard_count++];
    *hazard = (struct hazard){
        .kind = HAZARD_UNSUPPORTED, .severity = SEVERITY_ERROR, .line = result->line, .count = 1};
    snprintf(hazard->message, sizeof hazard->message, "%.500s", result->message);
    conclude_fatal(the_case, language);
}

static bool conclude_end(const struct engine_result *result, enum language language,
                         struct report_case *the_case) {
    switch (result->end) {
    case ENGINE_COMPLETED:
        return false;
    case ENGINE_REFUSED:
        conclude_refused(result, language, the_case);
        return true;
    case ENGINE_CRASHED:
        conclude(the_case, VERDICT_INTERNAL_ERROR, mem_strdup(result->message));
        return true;
    case ENGINE_TIME_LIMIT:
        conclude(the_case, VERDICT_TIME_LIMIT,
                 mem_strdup(language == LANGUAGE_ZH ? message_zh_time_limit : result->message));
        return true;
    case ENGINE_MEMORY_LIMIT:
        conclude(the_case, VERDICT_MEMORY_LIMIT,
                 mem_strdup(language == LANGUAGE_ZH ? message_zh_memory_limit : result->message));
        return true;
    case ENGINE_OUTPUT_LIMIT:
        conclude(the_case, VERDICT_OUTPUT_LIMIT,
                 mem_strdup(language == LANGUAGE_ZH ? message_zh_output_limit : result->message));
        return true;
    case ENGINE_HOST_CRASHED:
    case ENGINE_HOST_WRONG: /* what a kernel did wrong comes before what came of it */
        if (!conclude_fatal(the_case, language) && !conclude_hazard(the_case, language))
            conclude(the_case,
                     result->end == ENGINE_HOST_CRASHED ? VERDICT_CRASH : VERDICT_WRONG_ANSWER,
                     mem_strdup(result->message));
        return true;
    }
    return false;
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* Both launches were bound to the same shapes; comparing anything else would read past an end. */
static bool extents_agree(const struct judge_evidence *evidence) {
    for (size_t i = 0; i < evidence->exercise->param_count; i++)
        if (evidence->launch->arguments[i].count != evidence->reference_launch->arguments[i].count)
            return false;
    return true;
}

static struct compare_request output_request(const struct judge_evidence *evidence, size_t index) {
    const struct exercise_param *param = &evidence->exercise->params[index];
    const struct engine_argument *argument = &evidence->launch->arguments[index];
    const struct plan_launch *reference = evidence->reference_launch;
    const char *expected = evidence->expected;
    size_t magnitude = reference->magnitudes[index];
    struct compare_request request = {
        .type = param->type,
        .actual = (const char *)evidence->after + argument->data_offset,
        .expected = expected + reference->arguments[index].data_offset,
        .count = argument->count,
        .tolerance = &param->tolerance,
        .length = evidence->launch->lengths[index],
        .poison = plan_poison(param->type),
        .has_poison = param->role == ROLE_OUT,
        .other_poison = plan_other_poison(param->type)};
    if (evidence->again)
        request.again = (const char *)evidence->again + argument->data_offset;
    if (magnitude != SIZE_MAX)
        request.magnitude =
            (const double *)(const void *)(expected + reference->arguments[magnitude].data_offset);
    return request;
}

static struct compare_result compare_output(const struct judge_evidence *evidence, size_t index) {
    struct compare_request request = output_request(evidence, index);
    return compare_elements(&request);
}

bool judge_asks_again(const struct judge_evidence *evidence) {
    const struct engine_result *result = evidence->result;
    if (result->end != ENGINE_COMPLETED || !extents_agree(evidence))
        return false;
    for (size_t i = 0; i < result->hazard_count; i++)
        if (decide_level(evidence, &result->hazards[i]) == CHECK_ERROR)
            return false; /* the verdict names no output */
    for (size_t i = 0; i < evidence->exercise->param_count; i++) {
        const struct exercise_param *param = &evidence->exercise->params[i];
        if (!exercise_param_is_output(param) || param->tolerance.kind == TOLERANCE_NONE)
            continue;
        struct compare_result compared = compare_output(evidence, i);
        if (compared.differing)
            return compared.unwritten != 0;
    }
    return false;
}

static bool conclude_outputs(const struct judge_evidence *evidence, struct report_case *the_case) {
    const struct exercise *exercise = evidence->exercise;
    if (!extents_agree(evidence)) {
        conclude(the_case, VERDICT_INTERNAL_ERROR,
                 mem_strdup(WORDS(evidence->language, other_extents)));
        return true;
    }
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        if ((param->role != ROLE_OUT && param->role != ROLE_INOUT) ||
            param->tolerance.kind == TOLERANCE_NONE)
            continue;
        const struct engine_argument *argument = &evidence->launch->arguments[i];
        struct compare_request request = output_request(evidence, i);
        struct compare_result compared = compare_elements(&request);
        if (!the_case->tolerance)
            the_case->tolerance =
                judge_tolerance_text(param, evidence->launch->lengths[i], evidence->language);
        if (compared.differing == 0)
            continue;
        free(the_case->tolerance);
        the_case->tolerance =
            judge_tolerance_text(param, evidence->launch->lengths[i], evidence->language);
        the_case->difference =
            (struct report_difference){.present = true,
                                       .output = mem_strdup(param->name),
                                       .index = judge_index_text(argument, compared.first),
                                       .flat_index = compared.first,
                                       .expected = compared.expected,
                                       .actual = compared.actual,
                                       .allowed = compared.allowed,
                                       .is_integer = !element_infos[param->type].is_float,
                                       .never_written = compared.first_unwritten,
                                       .differing = compared.differing,
                                       .total = argument->count};
        output_grids(&request, argument, compared.first, &the_case->difference);
        conclude(the_case, VERDICT_WRONG_ANSWER,
                 judge_difference_text(&the_case->difference, &compared, evidence->language));
        return true;
    }
    return false;
}

/* The engine reports writes to inputs as hazards; this holds whatever the engine saw. */
static bool conclude_inputs(const struct judge_evidence *evidence, struct report_case *the_case) {
    for (size_t i = 0; i < evidence->exercise->param_count; i++) {
        const struct engine_argument *argument = &evidence->launch->arguments[i];
        unsigned bytes = element_infos[argument->type].bytes;
        const char *before = (const char *)evidence->before + argument->data_offset;
        const char *after = (const char *)evidence->after + argument->data_offset;
        if (!argument->is_buffer || !argument->read_only ||
            memcmp(before, after, argument->count * bytes) == 0)
            continue;
        uint64_t first = 0;
        while (memcmp(before + first * bytes, after + first * bytes, bytes) == 0)
            first++;
        cleanup_free char *index = judge_index_text(argument, first);
        conclude(the_case, VERDICT_WRONG_ANSWER,
                 mem_printf(WORDS(evidence->language, changed_input), argument->name,
                            argument->name, index));
        return true;
    }
    return false;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static const struct exercise_hint *find_hint(const struct exercise *exercise, enum verdict verdict,
                                             const struct hazard *hazard) {
    for (size_t i = 0; i < exercise->hint_count; i++) {
        const struct exercise_hint *hint = &exercise->hints[i];
        bool fits = hazard ? hint->has_hazard && hint->hazard == hazard->kind : !hint->has_hazard;
        if (hint->verdict == verdict && fits)
            return hint;
    }
    return NULL;
}

/* The hint for this verdict with the first of the hazards that has one, as it is the one that is
 * shown; else the one for the verdict alone. */
static void add_hint(const struct exercise *exercise, enum language language,
                     struct report_case *the_case) {
    if (the_case->verdict == VERDICT_PASS)
        return;
    const struct exercise_hint *found = NULL;
    for (size_t i = 0; i < the_case->hazard_count && !found; i++)
        if (the_case->hazards[i].severity == SEVERITY_ERROR)
            found = find_hint(exercise, the_case->verdict, &the_case->hazards[i]);
    if (!found)
        found = find_hint(exercise, the_case->verdict, NULL);
    if (found)
        the_case->hint =
            mem_strdup(found->text[language] ? found->text[language] : found->text[LANGUAGE_EN]);
}

static void take_printed(const struct engine_result *result, struct report_case *the_case) {
    if (result->printed.length == 0)
        return;
    the_case->printed =
        mem_printf("%s%s", text_string(&result->printed), result->printed_cut ? "\n[...]" : "");
}

static void take_counters(const struct engine_result *result, struct report_case *the_case) {
    if (result->end != ENGINE_COMPLETED)
        return;
    the_case->has_counters = true;
    the_case->counters = result->counters;
}

/* Host code launches what it likes. */
static void take_launch(const struct judge_evidence *evidence, struct report_case *the_case) {
    if (exercise_has_host_code(evidence->exercise))
        return;
    the_case->grid = evidence->launch->grid;
    the_case->block = evidence->launch->block;
}

void judge_case(const struct judge_evidence *evidence, struct report_case *the_case) {
    take_launch(evidence, the_case);
    take_hazards(evidence, the_case);
    take_printed(evidence->result, the_case);
    take_counters(evidence->result, the_case);
    if (!conclude_end(evidence->result, evidence->language, the_case) &&
        !conclude_fatal(the_case, evidence->language) &&
        !conclude_hazard(the_case, evidence->language) && !conclude_inputs(evidence, the_case) &&
        !conclude_outputs(evidence, the_case))
        conclude(the_case, VERDICT_PASS, NULL);
    add_hint(evidence->exercise, evidence->language, the_case);
}

bool judge_profiled(const struct judge_evidence *evidence, struct report_case *the_case) {
    take_launch(evidence, the_case);
    take_hazards(evidence, the_case);
    take_counters(evidence->result, the_case);
    if (!conclude_end(evidence->result, evidence->language, the_case) &&
        !conclude_fatal(the_case, evidence->language) &&
        !conclude_hazard(the_case, evidence->language))
        return true;
    add_hint(evidence->exercise, evidence->language, the_case);
    return false;
}

void judge_speed(const struct exercise *exercise, enum language language, enum verdict verdict,
                 char *message, struct report_case *the_case) {
    conclude(the_case, verdict, message);
    add_hint(exercise, language, the_case);
}

/* ---- the same launch once more --------------------------------------------------------------- */

void judge_reset(struct report_case *the_case) {
    free(the_case->message);
    free(the_case->hint);
    report_difference_free(&the_case->difference);
    free(the_case->cause.id);
    free(the_case->cause.text);
    free(the_case->cause.evidence);
    free(the_case->tolerance);
    free(the_case->hazards);
    free(the_case->printed);
    report_speed_free(&the_case->speed);
    *the_case = (struct report_case){.name = the_case->name,
                                     .group = the_case->group,
                                     .essential = the_case->essential,
                                     .sizes = the_case->sizes,
                                     .size_count = the_case->size_count,
                                     .grid = the_case->grid,
                                     .block = the_case->block};
}

/* The case ends otherwise than it was judged first. */
static void conclude_anew(const struct judge_evidence *evidence, struct report_case *the_case,
                          enum verdict verdict, char *message) {
    free(the_case->message);
    free(the_case->hint);
    the_case->hint = NULL;
    conclude(the_case, verdict, message);
    add_hint(evidence->exercise, evidence->language, the_case);
}

/* The wrong result's difference is the case's; what the case had goes with `other`. */
static void swap_differences(struct report_case *the_case, struct report_case *other) {
    struct report_difference difference = the_case->difference;
    the_case->difference = other->difference;
    other->difference = difference;
    char *tolerance = the_case->tolerance;
    the_case->tolerance = other->tolerance;
    other->tolerance = tolerance;
}

/* One result is right, the other is not: the message tells both, the difference is the wrong one's.
 */
static void conclude_order(const struct judge_evidence *evidence, struct report_case *the_case,
                           struct report_case *other) {
    bool natural_is_right = the_case->verdict == VERDICT_PASS;
    const char *wrong = natural_is_right ? other->message : the_case->message;
    char *message = mem_printf(natural_is_right ? WORDS(evidence->language, right_in_natural_order)
                                                : WORDS(evidence->language, wrong_in_natural_order),
                               wrong);
    if (natural_is_right)
        swap_differences(the_case, other);
    conclude_anew(evidence, the_case, VERDICT_NONDETERMINISTIC, message);
}

static bool is_result(enum verdict verdict) {
    return verdict == VERDICT_PASS || verdict == VERDICT_WRONG_ANSWER;
}

void judge_other_schedule(const struct judge_evidence *evidence, struct report_case *the_case) {
    struct report_case other = {0};
    judge_case(evidence, &other);
    if (schedule_join_hazards(&the_case->hazards, &the_case->hazard_count, other.hazards,
                              other.hazard_count, WORDS(evidence->language, seen_in_other_order)))
        sort_hazards(the_case);
    if (!is_result(other.verdict) && the_case->verdict != other.verdict)
        conclude_anew(
            evidence, the_case, other.verdict,
            mem_printf("%s %s", other.message, WORDS(evidence->language, seen_in_other_order)));
    else if (is_result(the_case->verdict) && other.verdict != the_case->verdict)
        conclude_order(evidence, the_case, &other);
    judge_reset(&other);
}

void judge_second_launch(const struct judge_evidence *evidence, struct report_case *the_case) {
    struct report_case other = {0};
    judge_case(evidence, &other);
    if (schedule_join_hazards(&the_case->hazards, &the_case->hazard_count, other.hazards,
                              other.hazard_count, WORDS(evidence->language, seen_in_second_launch)))
        sort_hazards(the_case);
    bool counts = other.verdict == VERDICT_WRONG_ANSWER || other.verdict == VERDICT_HAZARD ||
                  other.verdict == VERDICT_CRASH; /* limits are those of two launches in one */
    if (the_case->verdict == VERDICT_PASS && counts) {
        swap_differences(the_case, &other);
        conclude_anew(evidence, the_case, other.verdict,
                      mem_printf(WORDS(evidence->language, wrong_in_second_launch), other.message));
    }
    judge_reset(&other);
}

/* Not barriers and warp-level operations, which no optimiser touches. Reads of what is unset count,
 * though unoptimised code copies structs whole and fills bit-fields by changing what was there: the
 * simulated GPU reports them where the value is used. */
static bool counts_unoptimised(const struct hazard *hazard) {
    bool in_source = hazard->line != 0; /* library functions of that build have no lines */
    return in_source && hazard_counts_accesses(hazard->kind);
}

/* That the build was not checked to its end, which costs nothing: grade_debug.c. */
static bool is_note(struct hazard *hazard) {
    if (hazard->kind == HAZARD_UNSUPPORTED)
        hazard->severity = SEVERITY_WARNING;
    return hazard->kind == HAZARD_UNSUPPORTED;
}

void judge_unoptimised(const struct judge_evidence *evidence, struct report_case *the_case) {
    struct report_case other = {0};
    size_t kept = 0;
    take_hazards(evidence, &other);
    for (size_t i = 0; i < other.hazard_count; i++)
        if (counts_unoptimised(&other.hazards[i]) || is_note(&other.hazards[i]))
            other.hazards[kept++] = other.hazards[i];
    if (schedule_join_hazards(&the_case->hazards, &the_case->hazard_count, other.hazards, kept,
                              WORDS(evidence->language, seen_unoptimised)))
        sort_hazards(the_case);
    if (the_case->hazard_count && the_case->hazards[0].severity == SEVERITY_ERROR)
        conclude_anew(evidence, the_case, VERDICT_HAZARD,
                      hazard_message(&the_case->hazards[0], "", evidence->language));
    judge_reset(&other);
}

bool judge_is_perhaps_speculated(const struct report_case *the_case) {
    for (size_t i = 0; i < the_case->hazard_count; i++) {
        const struct hazard *hazard = &the_case->hazards[i];
        if (hazard->severity == SEVERITY_ERROR && !(is_race(hazard) && hazard->plain_load))
            return false;
    }
    return the_case->verdict == VERDICT_HAZARD && the_case->hazard_count != 0;
}

bool judge_refutes(const struct engine_result *result) {
    for (size_t i = 0; i < result->hazard_count; i++) {
        const struct hazard *hazard = &result->hazards[i];
        if (is_fatal(hazard->kind) || (is_race(hazard) && hazard->severity == SEVERITY_ERROR))
            return false;
    }
    return result->end == ENGINE_COMPLETED;
}

void judge_on_card(const char *card, enum language language, struct report_case *found,
                   struct report_case *the_case) {
    double wall_ms = the_case->wall_ms + found->wall_ms;
    if (found->verdict == VERDICT_PASS) {
        judge_reset(found);
    } else {
        cleanup_free char *message = found->message;
        found->message = mem_printf(WORDS(language, on_card), card, message);
        found->found_on_card = true;
        found->has_counters = the_case->has_counters; /* a card has none */
        found->counters = the_case->counters;
        judge_reset(the_case);
        *the_case = *found;
    }
    the_case->wall_ms = wall_ms;
}

bool judge_is_clean(const struct report_case *the_case) {
    return is_result(the_case->verdict) || the_case->verdict == VERDICT_NONDETERMINISTIC;
}

void judge_unlaunched(const struct exercise *exercise, enum language language, enum verdict verdict,
                      const char *message, bool invalid_launch, struct report_case *the_case) {
    conclude(the_case, verdict, mem_strdup(message));
    if (invalid_launch) {
        the_case->hazards = mem_calloc(1, sizeof *the_case->hazards);
        the_case->hazard_count = 1;
        the_case->hazards[0] =
            (struct hazard){.kind = HAZARD_INVALID_LAUNCH, .severity = SEVERITY_ERROR, .count = 1};
        snprintf(the_case->hazards[0].message, sizeof the_case->hazards[0].message, "%.500s",
                 message);
    }
    add_hint(exercise, language, the_case);
}

bool judge_is_undecided(const struct report_case *the_case) {
    return the_case->verdict == VERDICT_SKIPPED && find_error(the_case, HAZARD_UNSUPPORTED);
}
