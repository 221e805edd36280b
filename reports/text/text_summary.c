/* Several submissions: a line each after their reports. */
#include "reports/text/text_parts.h"

#include "reports/message.h"
#include "sandbox/base/number.h"

enum { SUMMARY_COLUMNS = 40, EXERCISE_COLUMNS = 30 };

void text_summary(const struct terminal *t, const struct report *const *reports, size_t count) {
    size_t file_columns = 0, exercise_columns = 0, passed = 0;
    size_t score_columns = 0, max_columns = 0;
    for (size_t i = 0; i < count; i++) {
        file_columns = number_max(file_columns, terminal_columns(reports[i]->file ?: ""));
        exercise_columns =
            number_max(exercise_columns, terminal_columns(reports[i]->exercise ?: ""));
        score_columns = number_max(score_columns, text_points_width(reports[i]->score));
        max_columns = number_max(max_columns, text_points_width(reports[i]->max_score));
        passed += reports[i]->passed;
    }
    unsigned files = (unsigned)(file_columns < SUMMARY_COLUMNS ? file_columns : SUMMARY_COLUMNS);
    unsigned exercises =
        (unsigned)(exercise_columns < EXERCISE_COLUMNS ? exercise_columns : EXERCISE_COLUMNS);
    terminal_printf(t, PEN_BOLD, WORDS(t->language, submissions), count, passed, count - passed);
    for (size_t i = 0; i < count; i++) {
        const struct report *report = reports[i];
        enum verdict mark = text_overall_mark(report);
        terminal_printf(t, text_case_verdict_pen(mark), "  %s ", text_case_verdict_symbol(mark));
        terminal_path_cell(t, PEN_PLAIN, report->file ?: "", files);
        terminal_indent(t, 2);
        terminal_cell(t, PEN_DIM, report->exercise ?: "", exercises);
        terminal_indent(t, 2);
        text_points(t, report->score, score_columns);
        terminal_print(t, PEN_PLAIN, WORDS(t->language, points_of));
        text_points(t, report->max_score, max_columns);
        terminal_printf(t, report->passed ? PEN_GREEN : PEN_RED, "  %s\n",
                        report_verdict(t->language, report));
    }
}
