/* See words.h; the words themselves stand in messages.def. */
#include "reports/formats/words.h"

#include "reports/message.h"

void words_append_result(struct text *out, const struct report *report) {
    enum language language = language_from_name(report->language);
    if (!report_was_graded(report)) {
        text_append(out, WORDS(language, not_graded));
        return;
    }
    report_append_score(out, language, report->score, report->max_score);
    if (report->passed) {
        text_append(out, WORDS(language, points_passed));
        return;
    }
    cleanup_text struct text needed = {0};
    report_append_points(&needed, report->pass_mark);
    text_append(out, WORDS(language, points_not_passed));
    text_printf(out, WORDS(language, points_needed), text_string(&needed));
}
