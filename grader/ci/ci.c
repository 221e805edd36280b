/* See ci.h: from a repository to reports. */
#include "grader/ci/ci.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/isolation/jail.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_RULES_BYTES = 256 << 10 };

/* ---- reading --------------------------------------------------------------------------------- */

static enum status parse_rules(struct ci *ci, const char *file, const char *source, size_t length,
                               struct error *error) {
    enum status status = ci_rules_parse(file, source, length, &ci->rules, error);
    ci->has_rules = true;
    if (status == STATUS_OK && !ci->options.has_language)
        ci->options.grade.language = ci->rules.language;
    return status;
}

static enum status read_rules(struct ci *ci, struct error *error) {
    const struct repo_file *rules = &ci->changes.rules;
    if (ci->options.rules_file) {
        cleanup_free char *source = NULL;
        size_t length;
        enum status status =
            file_read(ci->options.rules_file, MAX_RULES_BYTES, &source, &length, error);
        return status == STATUS_OK ? parse_rules(ci, ci->options.rules_file, source, length, error)
                                   : status;
    }
    if (rules->state == REPO_FILE_MISSING)
        return STATUS_OK;
    if (rules->state == REPO_FILE_FOUND && rules->length <= MAX_RULES_BYTES)
        return parse_rules(ci, CI_RULES_PATH, rules->data, rules->length, error);
    return error_set(error, STATUS_INVALID, "the course's rules cannot be read: %s",
                     rules->state == REPO_FILE_FOUND ? CI_RULES_PATH " is too large"
                                                     : rules->message);
}

/* The repository that a folder lies in; NULL: none. Caller frees. */
static char *find_root(const char *folder) {
    cleanup_free char *path = realpath(folder, NULL);
    for (char *slash; path && (slash = strrchr(path, '/')) && slash != path;) {
        *slash = '\0';
        cleanup_free char *git = file_join(path, ".git");
        if (file_exists(git))
            return mem_strdup(path);
    }
    return NULL;
}

static void hint_at_root(const char *folder, struct error *error) {
    cleanup_free char *git = file_join(folder, ".git");
    cleanup_free char *root = file_exists(git) ? NULL : find_root(folder);
    if (root)
        error_hint(error, "it is a folder of %s: `warpgrade ci` takes the root", root);
}

enum status ci_open(const struct ci_options *options, struct ci *ci, struct error *error) {
    *ci = (struct ci){.options = *options};
    ci_base_choose(options->base, options->environment, &ci->base);
    const struct repo_change_request request = {.location = options->folder,
                                                .head = options->head,
                                                .bases = ci->base.bases,
                                                .base_count = ci->base.count,
                                                .ending = ".cu",
                                                .rules = CI_RULES_PATH};
    enum status status = repo_changes_read(&request, &ci->changes, error);
    if (status == STATUS_INVALID)
        hint_at_root(options->folder, error);
    if (status == STATUS_OK)
        status = read_rules(ci, error);
    if (status == STATUS_OK)
        status = ci_plan(ci, error);
    return status;
}

/* ---- grading --------------------------------------------------------------------------------- */

static enum status grade_item(struct grade_session *session, struct ci_item *item,
                              struct error *error) {
    const struct repo_file *file = &item->change->file;
    const struct grade_source source = {
        .file = item->path, .text = file->data, .length = file->length};
    enum status status = grade_submission(session, item->exercise, &source, &item->report, error);
    if (status == STATUS_OK)
        item->status = grade_exit_status(item->report);
    return status;
}

/* What was not graded has its place in every format. There is nothing to compile: of the verdicts
 * that are the submission's fault this one is nearest, and readers show it in red. */
static void add_reason(struct ci *ci, struct ci_item *item) {
    item->report = grade_not_graded(item->path, item->exercise, ci->options.grade.language,
                                    VERDICT_COMPILE_ERROR, item->note, item->hint);
}

static size_t count_to_grade(const struct ci *ci) {
    size_t count = 0;
    for (size_t i = 0; i < ci->item_count; i++)
        count += ci->items[i].state == CI_GRADED;
    return count;
}

static enum status check_jail(const struct ci *ci, struct error *error) {
    if (!ci->rules.require_namespaces)
        return STATUS_OK;
    jail_set_kind(JAIL_NAMESPACES);
    if (!jail_is_unsafe())
        return STATUS_OK;
    enum status status =
        error_set(error, STATUS_INVALID, "the course requires the full jail (require: namespaces)");
    error_hint(error, "run it without --unsafe-no-jail");
    return status;
}

enum status ci_grade(struct ci *ci, ci_progress *progress, void *context, struct error *error) {
    struct grade_session *session = NULL;
    size_t total = count_to_grade(ci), done = 0;
    enum status status = check_jail(ci, error);
    if (status == STATUS_OK && total)
        status = grade_open(&ci->options.grade, &session, error);
    for (size_t i = 0; i < ci->item_count && status == STATUS_OK; i++) {
        struct ci_item *item = &ci->items[i];
        if (item->state == CI_GRADED) {
            if (progress)
                progress(context, done++, total, item->path);
            status = grade_item(session, item, error);
        } else if (item->state != CI_UNCHANGED) {
            add_reason(ci, item);
        }
    }
    grade_close(session);
    return status;
}

enum status ci_status(const struct ci *ci) {
    enum status worst = STATUS_OK;
    for (size_t i = 0; i < ci->item_count; i++)
        if (ci->items[i].status > worst)
            worst = ci->items[i].status;
    return worst;
}

const struct report **ci_reports(const struct ci *ci, size_t *count) {
    const struct report **reports = mem_calloc(ci->item_count + 1, sizeof *reports);
    *count = 0;
    for (size_t i = 0; i < ci->item_count; i++)
        if (ci->items[i].report)
            reports[(*count)++] = ci->items[i].report;
    return reports;
}

void ci_close(struct ci *ci) {
    for (size_t i = 0; i < ci->item_count; i++) {
        free(ci->items[i].path);
        free(ci->items[i].note);
        free(ci->items[i].hint);
        if (ci->items[i].report)
            report_free(ci->items[i].report);
    }
    free(ci->items);
    for (size_t i = 0; i < ci->loaded_count; i++)
        exercise_free(ci->loaded[i]);
    free(ci->loaded);
    ci_rules_free(&ci->rules);
    repo_changes_free(&ci->changes);
    *ci = (struct ci){0};
}
