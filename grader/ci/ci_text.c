/* What `ci` says for people: what was compared, by which rules, and a line for each submission.
 * Names are a stranger's: they go through escape_terminal(). */
#include "grader/ci/ci.h"

#include "reports/escape.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { ID_DIGITS = 10, MOST_COLUMN = 32 };

/* ---- remarks --------------------------------------------------------------------------------- */

struct remarks {
    char **rows;
    size_t count, capacity;
};

static void add(struct remarks *remarks, char *remark) {
    *mem_push(&remarks->rows, &remarks->count, &remarks->capacity) = remark;
}

static bool has_base(const struct ci *ci) {
    return ci->changes.base_index < ci->base.count;
}

static void remark_base(const struct ci *ci, struct remarks *remarks) {
    const struct repo_changes *changes = &ci->changes;
    size_t used = changes->base_index;
    for (size_t i = 0; i < used; i++)
        if (ci->base.bases[i].kind == REPO_BASE_ID)
            add(remarks, mem_printf("%.10s (%s) is not in this clone: a forced push replaces it",
                                    ci->base.bases[i].name, ci->base.said_by[i]));
    if (!has_base(ci))
        add(remarks, mem_strdup("there is nothing to compare with: every file counts as new, and "
                                "the rules are this commit's own"));
    else if (changes->is_unrelated)
        add(remarks, mem_strdup("base and head share no commit that this clone knows: compared "
                                "with the base itself"));
    else if (strcmp(changes->fork.id, changes->base.id) != 0)
        add(remarks, mem_printf("the base has moved on: compared with %.10s, the last commit that "
                                "both share",
                                changes->fork.id));
}

static void remark_rules(const struct ci *ci, struct remarks *remarks) {
    if (!ci->has_rules)
        add(remarks, mem_strdup("there is no " CI_RULES_PATH ": no exercise is required"));
    if (ci->changes.rules_changed && has_base(ci))
        add(remarks, ci->options.rules_file
                         ? mem_strdup(CI_RULES_PATH " changes here, and counts for nothing: the "
                                                    "rules come from another file")
                         : mem_strdup(CI_RULES_PATH " changes here: what it says counts from the "
                                                    "next change on"));
}

char **ci_remarks(const struct ci *ci, size_t *count) {
    struct remarks remarks = {0};
    remark_base(ci, &remarks);
    remark_rules(ci, &remarks);
    if (ci->changes.left_out)
        add(&remarks, mem_printf("not looked into: %zu submodule%s or folder%s too deep",
                                 ci->changes.left_out, text_plural(ci->changes.left_out),
                                 ci->changes.left_out == 1 ? "" : "s"));
    *count = remarks.count;
    return remarks.rows;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void append_foreign(struct text *out, const char *string) {
    escape_terminal(out, string, strlen(string), true);
}

/* As it is printed, with what escaping adds; bytes stand for columns. */
static size_t width_of(const char *string) {
    cleanup_text struct text shown = {0};
    append_foreign(&shown, string);
    return shown.length;
}

/* Padded to a column. */
static void append_column(struct text *out, const char *string, size_t width) {
    size_t before = out->length;
    append_foreign(out, string);
    size_t used = out->length - before;
    text_append_repeated(out, ' ', used < width ? width - used : 0);
    text_append(out, "  ");
}

static const char *change_word(const struct ci_item *item) {
    static const char *const words[REPO_CHANGE_KIND_COUNT] = {[REPO_CHANGE_NONE] = "not changed",
                                                              [REPO_CHANGE_ADDED] = "new",
                                                              [REPO_CHANGE_MODIFIED] = "changed",
                                                              [REPO_CHANGE_RENAMED] =
                                                                  "renamed from ",
                                                              [REPO_CHANGE_DELETED] = "deleted"};
    return words[item->change->kind];
}

static void append_outcome(const struct ci *ci, const struct ci_item *item, struct text *out) {
    if (item->state == CI_GRADED && item->report) {
        report_append_score(out, ci->options.grade.language, item->report->score,
                            item->report->max_score);
        text_append(out, ", ");
    }
    if (item->state == CI_MISSING)
        text_append(out, "missing");
    else if (item->state == CI_REFUSED || item->state == CI_UNKNOWN)
        text_append(out, "not graded");
    else
        text_append(out, change_word(item));
    if (item->state == CI_GRADED && item->change->kind == REPO_CHANGE_RENAMED)
        append_foreign(out, item->change->was);
    if (item->note) {
        text_append(out, item->state == CI_GRADED || item->state == CI_UNCHANGED ? "; " : ": ");
        append_foreign(out, item->note);
    }
    if (item->hint && *item->hint) {
        text_append(out, " (");
        append_foreign(out, item->hint);
        text_append_char(out, ')');
    }
    text_append_char(out, '\n');
}

static const char *mark(const struct ci_item *item) {
    if (item->state == CI_UNCHANGED)
        return "\u00b7";
    return item->status == STATUS_OK ? "\u2713" : "\u2717";
}

static const char *id_of(const struct ci_item *item) {
    return item->exercise ? item->exercise->id : "?";
}

/* Of what has not changed only the required ones have a line: a course's solutions are many. */
static bool has_line(const struct ci_item *item) {
    return item->state != CI_UNCHANGED || item->required;
}

static void append_items(const struct ci *ci, struct text *out) {
    size_t ids = 0, paths = 0, unchanged = 0;
    for (size_t i = 0; i < ci->item_count; i++) {
        if (!has_line(&ci->items[i])) {
            unchanged++;
            continue;
        }
        size_t id = width_of(id_of(&ci->items[i])), path = width_of(ci->items[i].path);
        ids = id > ids ? id : ids;
        paths = path > paths ? path : paths;
    }
    paths = paths > MOST_COLUMN ? MOST_COLUMN : paths;
    for (size_t i = 0; i < ci->item_count; i++) {
        const struct ci_item *item = &ci->items[i];
        if (!has_line(item))
            continue;
        text_printf(out, "  %s ", mark(item));
        append_column(out, id_of(item), ids);
        append_column(out, item->path, paths);
        append_outcome(ci, item, out);
    }
    if (unchanged)
        text_printf(out, "  \u00b7 %zu other submission%s not changed\n", unchanged,
                    unchanged == 1 ? " has" : "s have");
}

static void append_rules(const struct ci *ci, struct text *out) {
    size_t required = 0;
    for (size_t i = 0; i < ci->rules.exercise_count; i++)
        required += ci->rules.exercises[i].required;
    if (!ci->has_rules)
        return;
    text_append(out, "  rules     ");
    append_foreign(out, ci->options.rules_file ? ci->options.rules_file : CI_RULES_PATH);
    if (!ci->options.rules_file)
        text_printf(out, " of %.*s", ID_DIGITS,
                    has_base(ci) ? ci->changes.base.id : ci->changes.head.id);
    text_printf(out, ": %zu exercise%s, %zu required\n", ci->rules.exercise_count,
                text_plural(ci->rules.exercise_count), required);
}

static void append_total(const struct ci *ci, struct text *out) {
    size_t graded = 0, passed = 0, missing = 0;
    for (size_t i = 0; i < ci->item_count; i++) {
        const struct ci_item *item = &ci->items[i];
        bool counts = item->state != CI_UNCHANGED && item->state != CI_MISSING;
        graded += counts;
        passed += counts && item->status == STATUS_OK;
        missing += item->state == CI_MISSING;
    }
    if (graded)
        text_printf(out, "%zu of %zu submission%s passed", passed, graded, text_plural(graded));
    else
        text_append(out, missing ? "nothing was graded" : "no submission has changed");
    if (missing)
        text_printf(out, ", %zu required %s missing", missing, missing == 1 ? "is" : "are");
    text_append_char(out, '\n');
}

void ci_text(const struct ci *ci, struct text *out) {
    size_t count;
    char **remarks = ci_remarks(ci, &count);
    text_printf(out, "  commit    %.*s", ID_DIGITS, ci->changes.head.id);
    if (has_base(ci)) {
        text_printf(out, ", compared with %.*s (%s ", ID_DIGITS, ci->changes.base.id,
                    ci->base.said_by[ci->changes.base_index]);
        append_foreign(out, ci->base.bases[ci->changes.base_index].name);
        text_append_char(out, ')');
    }
    text_append_char(out, '\n');
    append_rules(ci, out);
    for (size_t i = 0; i < count; i++) {
        text_append(out, "  note      ");
        append_foreign(out, remarks[i]);
        text_append_char(out, '\n');
        free(remarks[i]);
    }
    free(remarks);
    append_items(ci, out);
    append_total(ci, out);
}
