/* An honest curtain, no lock: a student who has installed warpgrade has the file as well. */
#include "grader/cli/learn/solution.h"

#include "grader/cli/learn/learn_cli.h"
#include "grader/learn/record.h"
#include "reports/escape.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <string.h>

enum { MAX_SOLUTION_BYTES = 1 << 20 };

static enum status check_marks(const struct exercise *exercise, struct error *error) {
    struct learn_record record;
    cleanup_free char *folder = learn_folder();
    cleanup_text struct text points = {0};
    learn_read(folder, exercise->id, &record);
    bool full = learn_has_full_marks(&record);
    const struct learn_attempt *best = learn_best(&record);
    if (best)
        report_append_score(&points, LANGUAGE_EN, best->score, best->max_score);
    learn_record_free(&record);
    if (full)
        return STATUS_OK;
    enum status status =
        points.length
            ? error_set(error, STATUS_INVALID,
                        "the solution of %s is shown after full marks; your best so far: %s points",
                        exercise->id, text_string(&points))
            : error_set(error, STATUS_INVALID,
                        "the solution of %s is shown after full marks, and no attempt is known",
                        exercise->id);
    error_hint(error, "`warpgrade hint %s` gives a hint; --spoil shows the solution all the same.",
               exercise->id);
    return status;
}

enum status solution_append(const struct exercise *exercise, bool spoil, enum language language,
                            bool color, struct text *out, struct error *error) {
    cleanup_free char *source = NULL;
    size_t length;
    if (exercise->hides_solution)
        return error_set(error, STATUS_INVALID, "the exercise %s shows no solution", exercise->id);
    enum status status = spoil ? STATUS_OK : check_marks(exercise, error);
    if (status == STATUS_OK)
        status = exercise_require_reference(exercise, error);
    if (status == STATUS_OK)
        status = file_read(exercise->tuned.file, MAX_SOLUTION_BYTES, &source, &length, error);
    if (status != STATUS_OK)
        return status;
    text_printf(out, "%s%s%s: ", color ? "\033[1m" : "", exercise->id, color ? "\033[0m" : "");
    text_append(out, language == LANGUAGE_ZH ? "速度所对照的调优核函数\n\n"
                                             : "the tuned kernel that speed is compared with\n\n");
    escape_terminal(out, source, length, false);
    return STATUS_OK;
}
