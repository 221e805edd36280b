/* Files for CI systems.
 *
 * The working folder of a CI job is a checkout: a folder or a file of ours may stand in it already,
 * as a symbolic link to a place that only the job may write to. So nothing is written through a
 * link. No code of the repository runs meanwhile that could put one there. */
#include "grader/ci/ci.h"

#include "reports/escape.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a folder without links ------------------------------------------------------------------ */

static enum status in_the_way(const char *path, const char *what, struct error *error) {
    enum status status = error_set(error, STATUS_INVALID,
                                   "%s is %s: the repository may have put it there", path, what);
    error_hint(error, "give another folder with -o, or remove it");
    return status;
}

static enum status check_part(const char *path, bool is_folder, struct error *error) {
    struct stat info;
    if (lstat(path, &info) != 0 || (info.st_mode & S_IFMT) == (is_folder ? S_IFDIR : S_IFREG))
        return STATUS_OK;
    const char *what = is_folder ? "not a folder" : "not a file";
    return in_the_way(path, S_ISLNK(info.st_mode) ? "a symbolic link" : what, error);
}

/* A part of a relative path may be the repository's, and one that lies in it; others, such as
 * /dev/stdout, are the machine's. */
static bool may_be_theirs(const struct ci *ci, const char *path, const char *part) {
    char root[PATH_MAX], parent[PATH_MAX];
    cleanup_free char *above = mem_strndup(part, (size_t)(file_base_name(part) - part));
    if (*path != '/')
        return true;
    if (!realpath(ci->options.folder, root) || !realpath(above, parent))
        return false;
    size_t length = strlen(root);
    return strncmp(parent, root, length) == 0 && (parent[length] == '/' || !parent[length]);
}

static enum status check_parts(const struct ci *ci, const char *path, bool is_folder,
                               struct error *error) {
    enum status status = STATUS_OK;
    for (const char *end = path; status == STATUS_OK && *end;) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        cleanup_free char *part = mem_strndup(path, (size_t)(end - path));
        bool is_last = end[strspn(end, "/")] == '\0';
        if (may_be_theirs(ci, path, part))
            status = check_part(part, is_folder || !is_last, error);
    }
    return status;
}

enum status ci_check_output(const struct ci *ci, const char *path, struct error *error) {
    return check_parts(ci, path, false, error);
}

static enum status write_format(const struct ci *ci, const char *folder, const char *name,
                                const char *file, struct error *error) {
    static const struct report_options options = {0};
    size_t count;
    cleanup_text struct text text = {0};
    cleanup_free char *path = file_join(folder, file);
    cleanup_free const struct report **reports = ci_reports(ci, &count);
    enum status status = check_part(path, false, error);
    if (status == STATUS_OK)
        status = report_format_find(name)->write(reports, count, &options, &text, error);
    return status == STATUS_OK ? file_write(path, text_string(&text), text.length, error) : status;
}

enum status ci_write(const struct ci *ci, const char *folder, struct error *error) {
    static const struct output {
        const char *format, *file;
    } outputs[] = {
#define OUTPUT(format, file) {format, file},
#include "grader/ci/output.def"
#undef OUTPUT
    };
    enum status status = check_parts(ci, folder, true, error);
    if (status == STATUS_OK) /* the folder itself also where it is not in the repository */
        status = check_part(folder, true, error);
    if (status == STATUS_OK)
        status = file_make_directories(folder, error);
    for (size_t i = 0; i < ARRAY_LENGTH(outputs) && status == STATUS_OK; i++)
        status = write_format(ci, folder, outputs[i].format, outputs[i].file, error);
    return status;
}

/* ---- files of the CI system ------------------------------------------------------------------ */

static void append_heading(const struct ci *ci, struct text *out) {
    size_t count;
    char **remarks = ci_remarks(ci, &count);
    for (size_t i = 0; i < count; i++) {
        text_append(out, "> ");
        escape_markdown(out, remarks[i], strlen(remarks[i]));
        text_append(out, "  \n");
        free(remarks[i]);
    }
    free(remarks);
    text_append_char(out, '\n');
}

enum status ci_append(const struct ci *ci, const char *format, const char *path, bool heading,
                      struct error *error) {
    static const struct report_options options = {0};
    size_t count;
    cleanup_text struct text text = {0};
    cleanup_free const struct report **reports = ci_reports(ci, &count);
    if (heading)
        append_heading(ci, &text);
    if (heading && !count)
        text_append(&text, "No submission has changed.\n");
    enum status status = STATUS_OK;
    if (count)
        status = report_format_find(format)->write(reports, count, &options, &text, error);
    if (status != STATUS_OK)
        return status;
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    bool good = file >= 0 && file_write_all(file, text_string(&text), text.length);
    if (!good)
        status = error_set(error, STATUS_ENVIRONMENT, "cannot write %s: %s", path, strerror(errno));
    if (file >= 0)
        close(file);
    return status;
}
