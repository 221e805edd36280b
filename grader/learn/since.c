/* Generated cases have the same names in every grading, and other sizes: what is said of them is
 * said of the name. A case that only one of the attempts has is not compared. */
#include "grader/learn/since.h"

#include "reports/escape.h"

#include <math.h>
#include <string.h>

enum { MOST_NAMES = 3 };

static const struct learn_case *find_case(const struct learn_attempt *attempt, const char *name) {
    for (size_t i = 0; i < attempt->case_count; i++)
        if (strcmp(attempt->cases[i].name, name) == 0)
            return &attempt->cases[i];
    return NULL;
}

/* True where the case is part of the list: it passes now and did not, or the other way round. */
static bool is_turned(const struct learn_attempt *before, const struct learn_case *item,
                      bool passes) {
    const struct learn_case *earlier = find_case(before, item->name);
    return earlier && (item->verdict == VERDICT_PASS) == passes &&
           (earlier->verdict == VERDICT_PASS) != passes && item->verdict != VERDICT_SKIPPED;
}

static bool passes_all(const struct learn_attempt *attempt) {
    for (size_t i = 0; i < attempt->case_count; i++)
        if (attempt->cases[i].verdict != VERDICT_PASS)
            return false;
    return true;
}

static void begin_piece(struct text *out, enum language language) {
    if (out->length)
        text_append(out, language == LANGUAGE_ZH ? "；" : "; ");
}

static void append_names(const struct learn_attempt *before, const struct learn_attempt *after,
                         bool passes, enum language language, struct text *out) {
    bool zh = language == LANGUAGE_ZH;
    size_t count = 0, shown = 0;
    for (size_t i = 0; i < after->case_count; i++)
        count += is_turned(before, &after->cases[i], passes);
    if (!count)
        return;
    begin_piece(out, language);
    if (passes && count > MOST_NAMES && passes_all(after)) {
        text_append(out, zh ? "现在所有用例都通过了" : "every case passes now");
        return;
    }
    for (size_t i = 0; i < after->case_count && shown < MOST_NAMES; i++) {
        const char *name = after->cases[i].name;
        if (!is_turned(before, &after->cases[i], passes))
            continue;
        if (shown)
            text_append(out, zh ? "、" : shown + 1 == count ? " and " : ", ");
        escape_terminal(out, name, strlen(name), true);
        shown++;
    }
    if (count > shown && zh)
        text_printf(out, " 等 %zu 个用例", count);
    else if (count > shown)
        text_printf(out, " and %zu more", count - shown);
    if (zh)
        text_append(out, passes ? " 现在通过了" : " 现在不通过了");
    else
        text_append(out, passes      ? count > 1 ? " pass now" : " passes now"
                         : count > 1 ? " fail now"
                                     : " fails now");
}

static void append_points(double difference, enum language language, struct text *out) {
    if (fabs(difference) < 0.005)
        return;
    bool zh = language == LANGUAGE_ZH;
    cleanup_text struct text points = {0};
    report_append_points(&points, fabs(difference));
    begin_piece(out, language);
    text_printf(out, "%s%s%s", difference > 0 ? "+" : "-", text_string(&points),
                zh                                       ? " 分"
                : strcmp(text_string(&points), "1") == 0 ? " point"
                                                         : " points");
}

void learn_append_since(const struct learn_attempt *before, const struct learn_attempt *after,
                        enum language language, struct text *out) {
    bool zh = language == LANGUAGE_ZH, same = strcmp(before->sha256, after->sha256) == 0;
    cleanup_text struct text said = {0};
    append_points(after->score - before->score, language, &said);
    append_names(before, after, true, language, &said);
    append_names(before, after, false, language, &said);
    if (!said.length)
        text_append(&said, same ? zh ? "没有变化，文件也相同" : "nothing, and the file is the same"
                           : zh ? "分数和用例都没有变化"
                                : "the same points, and the same cases pass");
    else if (same)
        text_append(&said, zh ? "（文件相同）" : " (the file is the same)");
    text_append(out, text_string(&said));
}
