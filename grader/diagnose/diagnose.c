/* See diagnose.h. */
#include "grader/diagnose/diagnose.h"

#include "grader/diagnose/pattern.h"
#include "reports/message.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void diagnosis_begin(const struct exercise *exercise, bool some_pass, struct diagnosis *diagnosis) {
    *diagnosis = (struct diagnosis){.exercise = exercise};
    diagnosis->experiments = experiment_list(exercise, &diagnosis->experiment_count);
    diagnosis->experimental =
        mem_calloc(diagnosis->experiment_count + 1, sizeof *diagnosis->experimental);
    diagnosis->patterns = mem_calloc(pattern_count, sizeof *diagnosis->patterns);
    diagnosis->mistakes = mem_calloc(exercise->mutant_count + 1, sizeof *diagnosis->mistakes);
    for (size_t i = 0; i < pattern_count; i++)
        diagnosis->patterns[i].dropped = some_pass && patterns[i].cause == CAUSE_NOTHING_WRITTEN;
}

void diagnosis_free(struct diagnosis *diagnosis) {
    for (size_t i = 0; i < pattern_count; i++)
        free(diagnosis->patterns[i].evidence);
    for (size_t i = 0; i < diagnosis->experiment_count; i++)
        free(diagnosis->experimental[i].evidence);
    free(diagnosis->patterns);
    free(diagnosis->experimental);
    free(diagnosis->experiments);
    free(diagnosis->mistakes);
    free(diagnosis->output);
    *diagnosis = (struct diagnosis){0};
}

static void note_strong(struct diagnosis_hypothesis *hypothesis, const char *case_name,
                        struct text *evidence) {
    if (hypothesis->strong)
        return;
    hypothesis->strong = true;
    hypothesis->evidence = text_steal(evidence);
    hypothesis->in_case = case_name;
}

bool diagnosis_look(struct diagnosis *diagnosis, const char *case_name,
                    const struct view_evidence *evidence) {
    struct view view;
    bool made = view_make(evidence, &view);
    for (size_t i = 0; i < pattern_count && made; i++) {
        struct diagnosis_hypothesis *hypothesis = &diagnosis->patterns[i];
        cleanup_text struct text words = {0};
        enum pattern_strength strength =
            hypothesis->dropped ? PATTERN_NO : patterns[i].look(&view, &words);
        hypothesis->dropped |= strength == PATTERN_NO;
        if (strength == PATTERN_STRONG)
            note_strong(hypothesis, case_name, &words);
    }
    if (made) {
        diagnosis->case_count++;
        diagnosis->wrong = view.wrong;
        diagnosis->is_untouched = view.untouched == view.count;
        memcpy(diagnosis->pieces, view.pieces, sizeof diagnosis->pieces);
        free(diagnosis->output);
        diagnosis->output = mem_strdup(view.name);
    }
    view_free(&view);
    return made;
}

void diagnosis_try(struct diagnosis *diagnosis, size_t index, const char *case_name,
                   const struct view_evidence *evidence, const void *reference_after) {
    struct diagnosis_hypothesis *hypothesis = &diagnosis->experimental[index];
    hypothesis->dropped |= !reference_after || !view_is_explained(evidence, reference_after);
    if (hypothesis->dropped)
        return;
    const struct experiment *experiment = &diagnosis->experiments[index];
    if (!experiment_is_telling(experiment, diagnosis->pieces,
                               evidence->reference_launch->arguments) ||
        (diagnosis->is_untouched && !experiment_leaves_out(experiment)))
        return;
    cleanup_text struct text words = {0};
    experiment_describe(diagnosis->exercise, experiment, diagnosis->pieces, evidence->language,
                        &words);
    note_strong(hypothesis, case_name, &words);
}

static bool stands(const struct diagnosis_hypothesis *hypothesis) {
    return hypothesis->strong && !hypothesis->dropped;
}

/* The first hypothesis that stands, in the order of causes; experiments before patterns. */
static const struct diagnosis_hypothesis *find_best(const struct diagnosis *diagnosis,
                                                    enum cause *cause, cause_set *all) {
    const struct diagnosis_hypothesis *best = NULL;
    *cause = CAUSE_COUNT;
    *all = 0;
    for (size_t i = 0; i < diagnosis->experiment_count; i++) {
        enum cause its = experiment_cause(diagnosis->exercise, &diagnosis->experiments[i]);
        if (!stands(&diagnosis->experimental[i]))
            continue;
        *all |= cause_bit(its);
        if (its < *cause) {
            *cause = its;
            best = &diagnosis->experimental[i];
        }
    }
    for (size_t i = 0; i < pattern_count; i++) {
        if (!stands(&diagnosis->patterns[i]))
            continue;
        *all |= cause_bit(patterns[i].cause);
        if (patterns[i].cause < *cause) {
            *cause = patterns[i].cause;
            best = &diagnosis->patterns[i];
        }
    }
    return best;
}

/* The one mutant that gives the same, or one of several that say the same; SIZE_MAX: none. Where
 * something else shows a cause (`shown`; CAUSE_COUNT: nothing does), one with another cause gives
 * the same by chance. */
static size_t find_mistake(const struct diagnosis *diagnosis, enum cause shown) {
    const struct exercise *exercise = diagnosis->exercise;
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < exercise->mutant_count; i++) {
        enum cause cause = exercise->mutants[i].cause;
        if (!diagnosis->mistakes[i] ||
            (cause != CAUSE_NONE && shown != CAUSE_COUNT && cause != shown))
            continue;
        if (found != SIZE_MAX && (cause == CAUSE_NONE || cause != exercise->mutants[found].cause))
            return SIZE_MAX;
        found = found == SIZE_MAX ? i : found;
    }
    return found;
}

/* Causes that stand, those of mutants included; and whether one has none. */
bool diagnosis_is_open(const struct diagnosis *diagnosis) {
    enum cause cause;
    cause_set all;
    find_best(diagnosis, &cause, &all);
    for (size_t i = 0; i < diagnosis->exercise->mutant_count; i++)
        if (diagnosis->mistakes[i])
            all |= cause_bit(diagnosis->exercise->mutants[i].cause);
    return __builtin_popcountll(all) != 1;
}

static char *sentence(enum cause cause, enum language language) {
    const struct cause_info *info = &cause_infos[cause];
    return mem_strdup(language == LANGUAGE_ZH ? info->zh : info->en);
}

void diagnosis_name(enum cause cause, enum language language, char *evidence,
                    struct report_cause *out) {
    *out = (struct report_cause){.present = true,
                                 .id = mem_strdup(cause_infos[cause].name),
                                 .text = sentence(cause, language),
                                 .evidence = evidence};
}

/* What its author says of the mistake is English. */
static char *mistake_text(const struct exercise_mutant *mutant, enum language language) {
    return language == LANGUAGE_EN       ? mem_strdup(mutant->description)
           : mutant->cause == CAUSE_NONE ? mem_strdup(WORDS(language, known_mistake))
                                         : sentence(mutant->cause, language);
}

static char *same_in(const struct diagnosis *diagnosis, enum language language) {
    if (diagnosis->case_count > 1)
        return mem_printf(WORDS(language, same_in_cases), diagnosis->output, diagnosis->case_count);
    return mem_printf(WORDS(language, same_with_wrong), diagnosis->output, diagnosis->wrong,
                      text_plural(diagnosis->wrong));
}

bool diagnosis_conclude(const struct diagnosis *diagnosis, enum language language,
                        const char *case_name, struct report_cause *out) {
    enum cause cause;
    cause_set all;
    const struct diagnosis_hypothesis *best = find_best(diagnosis, &cause, &all);
    size_t mistake = diagnosis->case_count ? find_mistake(diagnosis, cause) : SIZE_MAX;
    if (mistake != SIZE_MAX) {
        const struct exercise_mutant *mutant = &diagnosis->exercise->mutants[mistake];
        *out = (struct report_cause){.present = true,
                                     .id = mem_strdup(cause_infos[mutant->cause].name),
                                     .is_mistake = true,
                                     .text = mistake_text(mutant, language),
                                     .evidence = same_in(diagnosis, language)};
        return true;
    }
    if (!best)
        return false;
    cleanup_text struct text evidence = {0};
    if (strcmp(best->in_case, case_name) != 0)
        text_printf(&evidence, WORDS(language, in_case), best->in_case);
    text_append(&evidence, best->evidence);
    diagnosis_name(cause, language, text_steal(&evidence), out);
    return true;
}
