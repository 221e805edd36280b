/* A line is appended by one write() to a file opened with O_APPEND, so that two programs at the
 * same time leave two whole lines. A line that a full disk or a crash has cut short is skipped by
 * readers; the next one begins with a newline of its own, so that it is not lost with it.
 *
 * The file is read whole, up to a bound: a line has about a kilobyte, so that it holds thousands of
 * attempts. A file that has grown beyond that is not added to any more, nor ever rewritten. */
#include "grader/learn/record.h"

#include "reports/escape.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_RECORD_BYTES = 16 << 20, MAX_THRESHOLDS = 64 };

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value && *value;
}

char *learn_folder(void) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (is_set("WARPGRADE_NO_RECORD"))
        return NULL;
    if (data && *data == '/') /* a relative one is to be ignored, says the XDG specification */
        return file_join(data, "warpgrade/attempts");
    return home && *home == '/' ? file_join(home, ".local/share/warpgrade/attempts") : NULL;
}

bool learn_may_write(void) {
    return !is_set("CI") || strcmp(getenv("CI"), "false") == 0;
}

/* NULL where the id is no file's name. */
static char *record_path(const char *folder, const char *exercise) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    if (!folder || !*exercise || exercise[strspn(exercise, plain)] != '\0')
        return NULL;
    return mem_printf("%s/%s.jsonl", folder, exercise);
}

/* ---- reading --------------------------------------------------------------------------------- */

static char *string_of(const json_t *object, const char *key) {
    const char *string = json_string_value(json_object_get(object, key));
    return string ? mem_strdup(string) : NULL;
}

static bool read_verdict(const json_t *value, enum verdict *verdict) {
    const char *name = json_string_value(value);
    for (unsigned i = 0; name && i < VERDICT_COUNT; i++)
        if (strcmp(verdict_infos[i].name, name) == 0) {
            *verdict = (enum verdict)i;
            return true;
        }
    return false;
}

static void read_cases(json_t *cases, struct learn_attempt *attempt) {
    const char *name;
    json_t *value;
    attempt->cases = mem_calloc(json_object_size(cases) + 1, sizeof *attempt->cases);
    json_object_foreach(cases, name, value) {
        struct learn_case *item = &attempt->cases[attempt->case_count];
        if (read_verdict(value, &item->verdict)) {
            item->name = mem_strdup(name);
            attempt->case_count++;
        }
    }
}

static void read_findings(const json_t *line, struct learn_attempt *attempt) {
    size_t index;
    json_t *value;
    json_array_foreach(json_object_get(line, "hazards"), index, value) {
        enum hazard_kind kind;
        const char *name = json_string_value(value);
        if (name && hazard_from_name(name, &kind))
            attempt->hazards[kind] = true;
    }
    json_array_foreach(json_object_get(line, "missed"), index, value) {
        json_int_t threshold = json_integer_value(value);
        if (threshold >= 0 && threshold < MAX_THRESHOLDS)
            attempt->missed |= UINT64_C(1) << threshold;
    }
}

static bool read_attempt(const json_t *line, struct learn_attempt *attempt) {
    const char *sha256 = json_string_value(json_object_get(line, "sha256"));
    *attempt = (struct learn_attempt){
        .time = json_integer_value(json_object_get(line, "time")),
        .score = json_number_value(json_object_get(line, "score")),
        .max_score = json_number_value(json_object_get(line, "max_score")),
        .passed = json_is_true(json_object_get(line, "passed")),
    };
    bool sound = isfinite(attempt->score) && attempt->score >= 0 && attempt->max_score > 0 &&
                 attempt->score <= attempt->max_score && sha256 && strlen(sha256) == 64 &&
                 read_verdict(json_object_get(line, "verdict"), &attempt->verdict);
    if (!sound)
        return false;
    memcpy(attempt->sha256, sha256, sizeof attempt->sha256);
    attempt->file = string_of(line, "file");
    read_cases(json_object_get(line, "cases"), attempt);
    read_findings(line, attempt);
    return true;
}

static void read_line(const char *data, size_t length, struct learn_record *record) {
    json_t *line = json_loadb(data, length, JSON_REJECT_DUPLICATES, NULL);
    struct learn_attempt attempt;
    char *hint = line ? string_of(line, "hint") : NULL;
    if (hint)
        *mem_push(&record->hints, &record->hint_count, &record->hint_capacity) = hint;
    else if (line && read_attempt(line, &attempt))
        *mem_push(&record->attempts, &record->count, &record->capacity) = attempt;
    json_decref(line);
}

void learn_read(const char *folder, const char *exercise, struct learn_record *record) {
    cleanup_free char *path = record_path(folder, exercise);
    cleanup_free char *data = NULL;
    size_t length;
    *record = (struct learn_record){0};
    if (!path || file_read(path, MAX_RECORD_BYTES, &data, &length, NULL) != STATUS_OK)
        return;
    for (const char *at = data, *end = data + length; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        read_line(at, (size_t)(stop - at), record);
        at = stop + 1;
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The last byte of the file is a newline, or there is none. */
static bool ends_with_line(int descriptor, off_t size) {
    char last = '\n';
    return size <= 0 || (pread(descriptor, &last, 1, size - 1) == 1 && last == '\n');
}

/* `line` stays the caller's. */
static bool append_line(const char *path, const json_t *line) {
    cleanup_fd int descriptor =
        open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    struct stat info;
    if (descriptor < 0 || fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    char *dump = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(15));
    if (!dump)
        return false;
    cleanup_text struct text text = {0};
    if (!ends_with_line(descriptor, info.st_size))
        text_append_char(&text, '\n');
    escape_json(&text, dump, strlen(dump));
    text_append_char(&text, '\n');
    free(dump);
    return (size_t)info.st_size + text.length <= MAX_RECORD_BYTES &&
           file_write_all(descriptor, text_string(&text), text.length);
}

static bool append(const char *folder, const char *exercise, json_t *line) {
    cleanup_free char *path = record_path(folder, exercise);
    bool written =
        path && line && file_make_directories(folder, NULL) == STATUS_OK && append_line(path, line);
    json_decref(line);
    return written;
}

static json_t *foreign_string(const char *string) {
    cleanup_text struct text sound = {0};
    escape_utf8(&sound, string ? string : "", string ? strlen(string) : 0);
    return json_string(text_string(&sound));
}

static json_t *attempt_json(const struct learn_attempt *attempt) {
    json_t *cases = json_object(), *hazards = json_array(), *missed = json_array();
    for (size_t i = 0; i < attempt->case_count; i++)
        json_object_set_new(cases, attempt->cases[i].name,
                            json_string(verdict_infos[attempt->cases[i].verdict].name));
    for (size_t i = 0; i < HAZARD_COUNT; i++)
        if (attempt->hazards[i])
            json_array_append_new(hazards, json_string(hazard_infos[i].name));
    for (unsigned i = 0; i < MAX_THRESHOLDS; i++)
        if (attempt->missed >> i & 1)
            json_array_append_new(missed, json_integer(i));
    return json_pack("{s:I, s:o, s:s, s:f, s:f, s:b, s:s, s:o, s:o, s:o}", "time",
                     (json_int_t)attempt->time, "file", foreign_string(attempt->file), "sha256",
                     attempt->sha256, "score", attempt->score, "max_score", attempt->max_score,
                     "passed", attempt->passed, "verdict", verdict_infos[attempt->verdict].name,
                     "cases", cases, "hazards", hazards, "missed", missed);
}

static bool says_the_same(const struct learn_attempt *a, const struct learn_attempt *b) {
    return strcmp(a->sha256, b->sha256) == 0 && a->score == b->score &&
           a->max_score == b->max_score && a->passed == b->passed && a->verdict == b->verdict;
}

bool learn_append(const char *folder, const char *exercise, const struct learn_attempt *attempt) {
    struct learn_record record;
    learn_read(folder, exercise, &record);
    const struct learn_attempt *last = learn_last(&record);
    bool known = last && says_the_same(last, attempt);
    learn_record_free(&record);
    return known || append(folder, exercise, attempt_json(attempt));
}

bool learn_append_hint(const char *folder, const char *exercise, const char *key) {
    return append(folder, exercise, json_pack("{s:s}", "hint", key));
}

/* ---- attempts -------------------------------------------------------------------------------- */

bool learn_is_attempt(const struct report *report) {
    return report_was_graded(report) && report->exercise &&
           report->verdict != VERDICT_INTERNAL_ERROR && report->max_score > 0;
}

static void add_case(const struct report_case *item, struct learn_attempt *attempt) {
    attempt->cases[attempt->case_count++] =
        (struct learn_case){.name = mem_strdup(item->name), .verdict = item->verdict};
    for (size_t i = 0; i < item->hazard_count; i++)
        if (item->hazards[i].severity == SEVERITY_ERROR)
            attempt->hazards[item->hazards[i].kind] = true;
    for (size_t i = 0; i < item->speed.threshold_count && i < MAX_THRESHOLDS; i++)
        if (item->speed.thresholds[i].state == THRESHOLD_MISSED ||
            item->speed.thresholds[i].state == THRESHOLD_PART)
            attempt->missed |= UINT64_C(1) << i;
}

struct learn_attempt learn_attempt_of(const struct report *report, int64_t now) {
    char *absolute = report->file ? realpath(report->file, NULL) : NULL;
    struct learn_attempt attempt = {
        .time = now,
        .file = absolute ? absolute : mem_strdup(report->file),
        .score = report->score,
        .max_score = report->max_score,
        .passed = report->passed,
        .verdict = report->verdict,
        .cases = mem_calloc(report->case_count + 1, sizeof *attempt.cases),
    };
    memcpy(attempt.sha256, report->sha256, sizeof attempt.sha256);
    for (size_t i = 0; i < report->case_count; i++)
        if (report->cases[i].name)
            add_case(&report->cases[i], &attempt);
    return attempt;
}

void learn_attempt_free(struct learn_attempt *attempt) {
    for (size_t i = 0; i < attempt->case_count; i++)
        free(attempt->cases[i].name);
    free(attempt->cases);
    free(attempt->file);
    *attempt = (struct learn_attempt){0};
}

void learn_record_free(struct learn_record *record) {
    for (size_t i = 0; i < record->count; i++)
        learn_attempt_free(&record->attempts[i]);
    for (size_t i = 0; i < record->hint_count; i++)
        free(record->hints[i]);
    free(record->attempts);
    free(record->hints);
    *record = (struct learn_record){0};
}

const struct learn_attempt *learn_last(const struct learn_record *record) {
    return record->count ? &record->attempts[record->count - 1] : NULL;
}

const struct learn_attempt *learn_best(const struct learn_record *record) {
    const struct learn_attempt *best = NULL;
    for (size_t i = 0; i < record->count; i++) {
        const struct learn_attempt *attempt = &record->attempts[i];
        if (!best || attempt->score / attempt->max_score >= best->score / best->max_score)
            best = attempt;
    }
    return best;
}

bool learn_has_passed(const struct learn_record *record) {
    for (size_t i = 0; i < record->count; i++)
        if (record->attempts[i].passed)
            return true;
    return false;
}

bool learn_has_full_marks(const struct learn_record *record) {
    const struct learn_attempt *best = learn_best(record);
    return best && best->passed && best->score >= best->max_score;
}
