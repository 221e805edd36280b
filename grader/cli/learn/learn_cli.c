/* The record as commands use it; see learn_cli.h. */
#include "grader/cli/learn/learn_cli.h"

#include "grader/learn/since.h"
#include "reports/escape.h"
#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum status learn_overview_load(struct learn_overview *overview, struct error *error) {
    *overview = (struct learn_overview){0};
    enum status status = exercise_ids(&overview->ids, &overview->id_count, error);
    if (status == STATUS_OK)
        status = tracks_find(&overview->tracks, error);
    if (status != STATUS_OK)
        return status;
    cleanup_free char *folder = learn_folder();
    learn_standings_read(folder, overview->ids, overview->id_count, &overview->standings);
    return STATUS_OK;
}

void learn_overview_free(struct learn_overview *overview) {
    for (size_t i = 0; i < overview->id_count; i++)
        free(overview->ids[i]);
    free(overview->ids);
    tracks_free(&overview->tracks);
    learn_standings_free(&overview->standings);
}

void learn_append_mark(const struct learn_standing *standing, bool color, struct text *out) {
    bool passed = standing && standing->passed, begun = standing && standing->attempts;
    if (color && begun)
        text_append(out, passed ? "\033[32m" : "\033[33m");
    text_append(out, passed ? "✓" : begun ? "•" : " ");
    if (color && begun)
        text_append(out, "\033[0m");
}

void learn_append_word(struct text *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./+,:@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        text_append(out, word);
        return;
    }
    text_append_char(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            text_append(out, "'\\'");
        text_append_char(out, *word);
    }
    text_append_char(out, '\'');
}

void learn_print(const struct text *out) {
    fputs(text_string(out), stdout);
}

void learn_note_report(const struct report *report, bool color, struct text *out) {
    cleanup_free char *folder = learn_may_write() ? learn_folder() : NULL;
    if (!folder || !learn_is_attempt(report))
        return;
    struct learn_record record;
    struct learn_attempt attempt = learn_attempt_of(report, time(NULL));
    enum language language = language_from_name(report->language);
    learn_read(folder, report->exercise, &record);
    const struct learn_attempt *last = learn_last(&record);
    if (last) {
        text_printf(out, "  %s%s%s      %s", color ? "\033[2m" : "",
                    language == LANGUAGE_ZH ? "比较 " : "since", color ? "\033[0m" : "",
                    language == LANGUAGE_ZH ? "与上次相比：" : "the last attempt: ");
        learn_append_since(last, &attempt, language, out);
        text_append_char(out, '\n');
    }
    learn_append(folder, report->exercise, &attempt);
    learn_attempt_free(&attempt);
    learn_record_free(&record);
}
