/* The checks of checks.h. The verdict is read from the JSON report, which scripts rely on; the
 * text that a person reads must hold what the attack's file says, the limit's name for instance. */
#include "tests/attacks/harness/checks.h"

#include "reports/utf8.h"
#include "sandbox/base/memory.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* --- the verdict */

static const struct text *said(const struct run *run, const char *name) {
    for (size_t i = 0; i < run->said_count; i++)
        if (strcmp(run->said[i].name, name) == 0)
            return &run->said[i].text;
    return NULL;
}

/* The report of one file of several; a report of one alone is no list. */
static const json_t *report_of(const json_t *root, const char *file) {
    const json_t *list = json_object_get(root, "submissions");
    size_t count = list ? json_array_size(list) : 1;
    for (size_t i = 0; i < count; i++) {
        const json_t *report = list ? json_array_get(list, i) : root;
        const char *name =
            json_string_value(json_object_get(json_object_get(report, "submission"), "file"));
        if (name && strcmp(name, file) == 0)
            return report;
    }
    return NULL;
}

static void check_cases(struct run *run, const json_t *report) {
    const json_t *cases = json_object_get(report, "cases");
    const char *wanted = run->attack->verdict;
    size_t judged = 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const char *verdict =
            json_string_value(json_object_get(json_array_get(cases, i), "verdict"));
        if (!verdict || (strcmp(verdict, "skipped") == 0 && strcmp(wanted, "skipped") != 0))
            continue;
        judged++;
        if (strcmp(verdict, wanted) != 0)
            run_fail(run, "a case's verdict is %s and not %s", verdict, wanted);
    }
    if (judged == 0)
        run_fail(run, "no case has a verdict");
    bool passed = json_is_true(json_object_get(report, "passed"));
    if (passed != (strcmp(wanted, "pass") == 0))
        run_fail(run, "the attack %s", passed ? "passes" : "does not pass");
}

/* File names come back as they can be shown; the attack's is then the one that is not good.cu. */
static const json_t *attack_report(const struct run *run, const json_t *root) {
    const json_t *list = json_object_get(root, "submissions");
    const json_t *named = report_of(root, run->submission);
    if (named || !list)
        return named;
    return json_array_get(list, 0) == report_of(root, "good.cu") ? NULL : json_array_get(list, 0);
}

static void check_reports(struct run *run) {
    const struct text *json = said(run, "report.json");
    json_error_t error;
    json_t *root = json ? json_loadb(text_string(json), json->length, 0, &error) : NULL;
    if (!root) {
        run_fail(run, "%s", json ? error.text : "there is no JSON report");
        return;
    }
    const json_t *attack = attack_report(run, root), *good = report_of(root, "good.cu");
    /* what could not be graded is there as an error, of no points at all */
    bool graded = json_number_value(json_object_get(attack, "max_score")) > 0;
    if (strcmp(run->attack->verdict, "none") == 0 && graded)
        run_fail(run, "it was graded");
    else if (strcmp(run->attack->verdict, "none") == 0 &&
             json_number_value(json_object_get(attack, "score")) > 0)
        run_fail(run, "it was not graded, and has points");
    else if (strcmp(run->attack->verdict, "none") != 0 && !graded)
        run_fail(run, "it was not graded");
    else if (graded)
        check_cases(run, attack);
    if (!good || !json_is_true(json_object_get(good, "passed")))
        run_fail(run, "the right submission of the same run does not pass");
    json_decref(root);
}

static int wanted_exit(const struct attack_file *attack) {
    if (attack->exit_code >= 0)
        return attack->exit_code;
    if (attack->kind == ATTACK_CASE || strcmp(attack->verdict, "pass") == 0)
        return 0;
    return strcmp(attack->verdict, "none") == 0 ? 2 : 1;
}

/* One of several texts, separated by |. */
static bool says_one_of(const struct run *run, char *texts) {
    char *rest = NULL;
    for (char *text = strtok_r(texts, "|", &rest); text; text = strtok_r(NULL, "|", &rest))
        if (run_says(run, text))
            return true;
    return false;
}

void checks_verdict(struct run *run) {
    const struct attack_file *attack = run->attack;
    if (run->exit_code < 0)
        run_fail(run, "does not end");
    else if (run->exit_code != wanted_exit(attack))
        run_fail(run, "exit code %d and not %d", run->exit_code, wanted_exit(attack));
    if (run->seconds > attack->within_seconds * run->time_scale * run_load())
        run_fail(run, "took %.1f s", run->seconds);
    if (attack->kind == ATTACK_CUDA || attack->kind == ATTACK_NATIVE)
        check_reports(run);
    for (size_t i = 0; i < attack->says_count; i++) {
        cleanup_free char *text = run_expand(run, attack->says[i]);
        if (!says_one_of(run, text))
            run_fail(run, "nothing says: %s", attack->says[i]);
    }
}

/* --- everything that leaves the program */

/* GitHub's runner takes a line for a command that begins with :: after blanks, and ##[ anywhere.
 */
static const char *find_command(const struct text *text) {
    const char *old = strstr(text_string(text), "##[");
    if (old)
        return old;
    for (const char *line = text_string(text); line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *start = line + strspn(line, " \t\r\v\f");
        if (strncmp(start, "::", 2) == 0)
            return start;
    }
    return NULL;
}

static const char *find_control(const struct text *text, bool crlf) {
    for (size_t i = 0; i < text->length;) {
        struct utf8_char c = utf8_decode(text->data + i, text->length - i);
        bool line_end = crlf && c.code == '\r' && text_string(text)[i + 1] == '\n';
        bool plain = c.code == '\n' || c.code == '\t' || line_end;
        if ((c.code < 0x20 && !plain) || (c.code >= 0x7f && c.code < 0xa0) ||
            (c.code >= 0x202a && c.code <= 0x202e) || (c.code >= 0x2066 && c.code <= 0x2069) ||
            (c.code == 0xfffd &&
             memcmp(text->data + i, "\xef\xbf\xbd", c.length < 3 ? c.length : 3) != 0))
            return text->data + i;
        i += c.length;
    }
    return NULL;
}

static const char *find_formula(const struct text *text) {
    static const char *const starts[] = {"\"=", ",=", "\"@", ",@", "\"+", ",+", "\"\t", "\"\r"};
    for (size_t i = 0; i < ARRAY_LENGTH(starts); i++) {
        const char *found = strstr(text_string(text), starts[i]);
        if (found)
            return found;
    }
    return NULL;
}

static void check_format(struct run *run, const struct said *one) {
    bool stream = strncmp(one->name, "standard", 8) == 0;
    bool csv = strcmp(one->name, "report.csv") == 0;
    const char *found = find_control(&one->text, csv);
    if (found)
        run_fail(run, "%s holds a character that steers: \\x%02x in %.40s", one->name,
                 (unsigned char)*found, found);
    if (stream && (found = find_command(&one->text)) != NULL)
        run_fail(run, "%s holds a workflow command: %.40s", one->name, found);
    if (csv && (found = find_formula(&one->text)) != NULL)
        run_fail(run, "%s holds a formula: %.40s", one->name, found);
}

static void check_never(struct run *run, const char *text, const char *what) {
    if (run_leaks(run, text))
        run_fail(run, "%s was leaked: %s", what, text);
}

void checks_output(struct run *run) {
    for (size_t i = 0; i < run->said_count; i++)
        check_format(run, &run->said[i]);
    check_never(run, run->secret, "a secret");
    check_never(run, "root:x:0:0", "/etc/passwd");
    check_never(run, "root:$", "/etc/shadow");
    if (run->attack->kind == ATTACK_NATIVE)
        check_never(run, ATTACK_SUCCEEDED_SIGN, "the attack's success");
    for (size_t i = 0; i < run->attack->never_count; i++) {
        cleanup_free char *text = run_expand(run, run->attack->never[i]);
        check_never(run, text, "what must not be leaked");
    }
}

void checks_bare(struct run *run, const struct text *left) {
    bool wants_left = strcmp(run->attack->bare, "leaves") == 0;
    if (run->exit_code < 0)
        run_fail(run, "does not end");
    if (wants_left && left->length == 0)
        run_fail(run, "leaves nothing behind: this attack is none");
    if (!wants_left && !run_says(run, ATTACK_SUCCEEDED_SIGN))
        run_fail(run, "does not succeed: this attack is none");
}
