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

static enum status check_folder(const char *path, struct error *error) {
    struct stat info;
    if (lstat(path, &info) != 0 || S_ISDIR(info.st_mode))
        return STATUS_OK;
    return in_the_way(path, S_ISLNK(info.st_mode) ? "a symbolic link" : "not a folder", error);
}

/* Of a relative path every part may be the repository's, of an absolute one the last. */
static enum status check_parts(const char *folder, struct error *error) {
    enum status status = STATUS_OK;
    for (const char *end = folder; *folder != '/' && status == STATUS_OK && *end; end++) {
        end += strcspn(end, "/");
        cleanup_free char *part = mem_strndup(folder, (size_t)(end - folder));
        status = *part ? check_folder(part, error) : STATUS_OK;
        if (!*end)
            break;
    }
    return status == STATUS_OK ? check_folder(folder, error) : status;
}

static enum status write_format(const struct ci *ci, const char *folder, const char *name,
                                const char *file, struct error *error) {
    static const struct report_options options = {0};
    struct stat info;
    size_t count;
    cleanup_text struct text text = {0};
    cleanup_free char *path = file_join(folder, file);
    cleanup_free const struct report **reports = ci_reports(ci, &count);
    if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return in_the_way(path, S_ISLNK(info.st_mode) ? "a symbolic link" : "not a file", error);
    enum status status = report_format_find(name)->write(reports, count, &options, &text, error);
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
    enum status status = check_parts(folder, error);
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
