/* Everything that a report shows of a launch, member by member: structs have bytes between members.
 */
#include "tests/support/same_results.h"

#include <string.h>

static const char *hazard_difference(const struct hazard *a, const struct hazard *b) {
    if (a->kind != b->kind || a->severity != b->severity)
        return "the kind of a hazard";
    if (strcmp(a->file, b->file) != 0 || a->line != b->line || a->column != b->column ||
        strcmp(a->other_file, b->other_file) != 0 || a->other_line != b->other_line)
        return "the place of a hazard";
    if (a->count != b->count)
        return "the count of a hazard";
    if (strcmp(a->message, b->message) != 0)
        return "the message of a hazard";
    if (a->thread_count != b->thread_count ||
        memcmp(a->threads, b->threads, a->thread_count * sizeof *a->threads) != 0)
        return "the threads of a hazard";
    if (strcmp(a->variable, b->variable) != 0)
        return "the variable of a hazard";
    const struct hazard_scene *x = &a->scene, *y = &b->scene;
    if (x->access != y->access || x->other_access != y->other_access ||
        x->block_threads != y->block_threads || x->element != y->element ||
        x->elements != y->elements || memcmp(x->waiting, y->waiting, sizeof x->waiting) != 0 ||
        memcmp(x->elsewhere, y->elsewhere, sizeof x->elsewhere) != 0)
        return "the scene of a hazard";
    return a->fix != b->fix || a->plain_load != b->plain_load ? "the fix of a hazard" : NULL;
}

const char *results_difference(const struct engine_result *a, const struct engine_result *b) {
    if (a->end != b->end || strcmp(a->message, b->message) != 0)
        return "the end";
    if (a->hazard_count != b->hazard_count)
        return "the number of hazards";
    for (size_t i = 0; i < a->hazard_count; i++) {
        const char *difference = hazard_difference(&a->hazards[i], &b->hazards[i]);
        if (difference)
            return difference;
    }
    if (memcmp(&a->counters, &b->counters, sizeof a->counters) != 0)
        return "a counter";
    if (a->line_count != b->line_count)
        return "the number of lines";
    for (size_t i = 0; i < a->line_count; i++)
        if (a->lines[i].line != b->lines[i].line ||
            memcmp(&a->lines[i].counters, &b->lines[i].counters, sizeof a->counters) != 0)
            return "a line's counter";
    return strcmp(text_string(&a->printed), text_string(&b->printed)) != 0 ? "what is printed"
                                                                           : NULL;
}
