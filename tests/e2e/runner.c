/* Runs one end-to-end case: a text file of commands for the built program and of what must follow.
 *
 *     # A comment.
 *     file NAME           writes NAME into the case's own temporary folder; the lines that follow,
 *                         indented by four spaces, are its content
 *     sh COMMAND          prepares something with the shell; must succeed. $SOURCE is the tree
 *     run ARGUMENTS       runs warpgrade as a shell would (quotes, $SOURCE, redirections)
 *     under COMMAND       from here on what is run, is run by this command: `under nice`
 *     needs COMMAND       skips the case (exit code 77) where this shell command fails
 *     exit CODE           the last run's exit code; every run needs one
 *     stdout TEXT         its standard output holds TEXT; `stdout! TEXT`: it does not
 *     stderr TEXT         likewise
 *     output TEXT         likewise, either of the two
 *     within SECONDS      its wall time, for a machine that does nothing else (default 20)
 *     exists FILE         and `exists! FILE`
 *     json FILE PATH [OP VALUE]   PATH is `cases.0.verdict`; `*` is any element, for the operators
 *                         != < > every element. OP is = != < > <= >=
 *     xml FILE XPATH      parses FILE and evaluates XPATH, which must be true
 *     clean FILE          FILE (.csv: as a table) holds nothing that a terminal, a spreadsheet or a
 *                         CI runner would obey; shell patterns name several files
 *
 * Whatever a case says, a run that dies by a signal, exceeds its time, prints a sanitizer's report,
 * leaves a process running or writes to its output what `clean` forbids is a failure. The runner
 * knows nothing of warpgrade's insides: it is a user. Usage: runner CASE; $WARPGRADE_BINARY names
 * the program, $WARPGRADE_TIME_SCALE stretches every time limit (sanitizers are slow), $E2E_CACHE
 * is where compilations are kept; without it, in the case's own folder. */
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "tests/source_folder.h"
#include "tests/support/clean.h"
#include "tests/support/scratch.h"

#include <errno.h>
#include <ftw.h>
#include <glob.h>
#include <jansson.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_CASE_BYTES = 1 << 20, MAX_OUTPUT_BYTES = 64 << 20 };

struct runner {
    const char *case_path;
    const char *text; /* the rest of the case file */
    unsigned line;    /* of the directive that is executed now */
    char *folder;     /* the case's own; the working directory of every command */
    char *out_path, *err_path;
    struct text out, err; /* of the last run */
    char *prefix;         /* of `under` */
    bool ran, exit_checked, within_checked, skipped;
    int code;
    double seconds, time_scale;
    unsigned run_count, failure_count;
};

__attribute__((format(printf, 2, 3))) static void fail(struct runner *runner, const char *format,
                                                       ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%u: ", runner->case_path, runner->line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    /* The first failure shows what the program said; the others of the same run follow from it. */
    if (runner->failure_count++ == 0 && runner->ran)
        fprintf(stderr, "--- standard output:\n%.4000s\n--- standard error:\n%.4000s\n---\n",
                text_string(&runner->out), text_string(&runner->err));
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* --- running --------------------------------------------------------------------------------- */

/* Waits for a child, at most until the deadline; SIGCHLD is blocked. */
static bool wait_until(pid_t child, double deadline, int *status) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    for (;;) {
        if (waitpid(child, status, WNOHANG) == child)
            return true;
        double left = deadline - seconds_now();
        if (left <= 0)
            return false;
        struct timespec wait = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
        sigtimedwait(&signals, NULL, &wait);
    }
}

/* Runs a shell command in the case's folder and in a process group of its own. Returns its exit
 * code, 128 + N where signal N ended it, or -1 where it had to be stopped. */
static int run_shell(struct runner *runner, const char *command, double limit_seconds) {
    double start = seconds_now();
    pid_t child = fork();
    if (child == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        setpgid(0, 0);
        if (chdir(runner->folder) != 0 || !freopen("/dev/null", "r", stdin) ||
            !freopen(runner->out_path, "w", stdout) || !freopen(runner->err_path, "w", stderr))
            _exit(126);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    if (child < 0) {
        fail(runner, "fork: %s", strerror(errno));
        return -1;
    }
    setpgid(child, child);
    int status = 0, code;
    if (!wait_until(child, start + limit_seconds, &status)) {
        kill(-child, SIGKILL);
        waitpid(child, &status, 0);
        code = -1;
    } else {
        code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (kill(-child, SIGKILL) == 0)
            fail(runner, "left a process running: %s", command);
    }
    runner->seconds = seconds_now() - start;
    return code;
}

static void read_output(struct runner *runner, const char *path, struct text *text) {
    cleanup_free char *data = NULL;
    size_t length = 0;
    struct error error;
    text_clear(text);
    if (file_read(path, MAX_OUTPUT_BYTES, &data, &length, &error) != STATUS_OK)
        fail(runner, "%s", error.message);
    else
        text_append_bytes(text, data, length);
}

static bool text_holds(const struct text *text, const char *wanted) {
    return text->length && memmem(text->data, text->length, wanted, strlen(wanted));
}

static void finish_run(struct runner *runner) {
    if (runner->ran && !runner->exit_checked)
        fail(runner, "the run before this line has no `exit CODE`");
    if (runner->ran && !runner->within_checked && runner->seconds > 20 * runner->time_scale)
        fail(runner, "took %.1f s", runner->seconds);
}

static void expect_clean(struct runner *runner, const char *where, const struct text *output) {
    char problem[CLEAN_PROBLEM_BYTES];
    if (!clean_output(text_string(output), output->length, problem))
        fail(runner, "%s: %s", where, problem);
}

static void do_run(struct runner *runner, const char *arguments) {
    finish_run(runner);
    cleanup_free char *command = mem_printf("exec %s \"$WARPGRADE_BINARY\" %s",
                                            runner->prefix ? runner->prefix : "", arguments);
    runner->ran = runner->exit_checked = runner->within_checked = false;
    runner->code = run_shell(runner, command, 120 * runner->time_scale);
    read_output(runner, runner->out_path, &runner->out);
    read_output(runner, runner->err_path, &runner->err);
    runner->ran = true;
    runner->run_count++;
    if (runner->code < 0)
        fail(runner, "does not end: warpgrade %s", arguments);
    else if (runner->code >= 128)
        fail(runner, "died by signal %d: warpgrade %s", runner->code - 128, arguments);
    if (text_holds(&runner->err, "Sanitizer") || text_holds(&runner->err, "runtime error:"))
        fail(runner, "a sanitizer reports an error: warpgrade %s", arguments);
    expect_clean(runner, "standard output", &runner->out);
    expect_clean(runner, "standard error", &runner->err);
}

static void do_sh(struct runner *runner, const char *command) {
    struct text out = {0};
    int code = run_shell(runner, command, 60 * runner->time_scale);
    if (code != 0) {
        read_output(runner, runner->err_path, &out);
        fail(runner, "`%s` failed with %d: %s", command, code, text_string(&out));
    }
    text_free(&out);
}

static void do_under(struct runner *runner, const char *command) {
    free(runner->prefix);
    runner->prefix = mem_strdup(command);
}

static void do_needs(struct runner *runner, const char *command) {
    if (run_shell(runner, command, 20 * runner->time_scale) == 0)
        return;
    printf("skipped: `%s` fails here\n", command);
    runner->skipped = true;
}

/* --- what must follow ------------------------------------------------------------------------- */

static void check_text(struct runner *runner, const char *where, bool wanted, const char *text) {
    bool out = text_holds(&runner->out, text), err = text_holds(&runner->err, text);
    bool found = strcmp(where, "stdout") == 0   ? out
                 : strcmp(where, "stderr") == 0 ? err
                                                : out || err;
    if (found != wanted)
        fail(runner, "%s %s: %s", where, wanted ? "does not hold" : "holds", text);
}

static char *case_file(const struct runner *runner, const char *name) {
    return file_join(runner->folder, name);
}

/* Takes the next word off *rest. */
static char *next_word(const char **rest) {
    *rest += strspn(*rest, " ");
    size_t length = strcspn(*rest, " ");
    char *word = mem_strndup(*rest, length);
    *rest += length;
    *rest += strspn(*rest, " ");
    return word;
}

static bool number_compares(double left, const char *relation, double right) {
    if (strcmp(relation, "<") == 0)
        return left < right;
    if (strcmp(relation, ">") == 0)
        return left > right;
    if (strcmp(relation, "<=") == 0)
        return left <= right;
    return left >= right;
}

static bool value_matches(const json_t *value, const char *relation, const char *expected) {
    cleanup_free char *actual = json_is_string(value)
                                    ? mem_strdup(json_string_value(value))
                                    : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    if (strcmp(relation, "=") == 0 || strcmp(relation, "!=") == 0)
        return (strcmp(actual, expected) == 0) == (relation[0] == '=');
    return json_is_number(value) &&
           number_compares(json_number_value(value), relation, strtod(expected, NULL));
}

struct json_check {
    const char *relation, *expected; /* NULL: only presence */
    unsigned found, matched;
};

static void json_walk(const json_t *value, const char *path, struct json_check *check) {
    if (!value)
        return;
    if (*path == '\0') {
        check->found++;
        check->matched +=
            !check->relation || value_matches(value, check->relation, check->expected);
        return;
    }
    size_t length = strcspn(path, ".");
    const char *rest = path + length + (path[length] == '.');
    cleanup_free char *key = mem_strndup(path, length);
    if (json_is_object(value)) {
        json_walk(json_object_get(value, key), rest, check);
    } else if (json_is_array(value) && strcmp(key, "*") == 0) {
        for (size_t i = 0; i < json_array_size(value); i++)
            json_walk(json_array_get(value, i), rest, check);
    } else if (json_is_array(value)) {
        json_walk(json_array_get(value, strtoul(key, NULL, 10)), rest, check);
    }
}

static void check_json(struct runner *runner, const char *rest) {
    cleanup_free char *name = next_word(&rest), *path = next_word(&rest);
    cleanup_free char *relation = next_word(&rest), *file = case_file(runner, name);
    struct json_check check = {*relation ? relation : NULL, rest, 0, 0};
    json_error_t error;
    json_t *root = json_load_file(file, 0, &error);
    if (!root) {
        fail(runner, "%s is no JSON: %s", name, error.text);
        return;
    }
    json_walk(root, path, &check);
    bool any = !*relation || strcmp(relation, "=") == 0;
    if (check.found == 0 || check.matched < (any ? 1 : check.found)) {
        cleanup_free char *dump = json_dumps(root, JSON_INDENT(1));
        fail(runner, "%s: %s %s %s: %u found, %u match\n%.6000s", name, path, relation, rest,
             check.found, check.matched, dump);
    }
    json_decref(root);
}

static void check_xml(struct runner *runner, const char *rest) {
    cleanup_free char *name = next_word(&rest), *file = case_file(runner, name);
    xmlDoc *document = xmlReadFile(file, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR);
    if (!document) {
        fail(runner, "%s is no XML", name);
        return;
    }
    xmlXPathContext *context = xmlXPathNewContext(document);
    xmlXPathObject *result = xmlXPathEvalExpression((const xmlChar *)rest, context);
    if (!result || !xmlXPathCastToBoolean(result))
        fail(runner, "%s: not true: %s", name, rest);
    xmlXPathFreeObject(result);
    xmlXPathFreeContext(context);
    xmlFreeDoc(document);
}

static void check_exit(struct runner *runner, const char *rest) {
    runner->exit_checked = true;
    if (runner->code != atoi(rest))
        fail(runner, "exit code %d, not %s", runner->code, rest);
}

static void check_within(struct runner *runner, const char *rest) {
    runner->within_checked = true;
    if (runner->seconds > strtod(rest, NULL) * runner->time_scale)
        fail(runner, "took %.2f s, more than %s s", runner->seconds, rest);
}

static void check_exists(struct runner *runner, const char *name, bool wanted) {
    cleanup_free char *path = case_file(runner, name);
    if (file_exists(path) != wanted)
        fail(runner, "%s %s", name, wanted ? "is missing" : "is there");
}

static bool ends_with(const char *string, const char *end) {
    size_t length = strlen(string), wanted = strlen(end);
    return length >= wanted && strcmp(string + length - wanted, end) == 0;
}

static void check_clean(struct runner *runner, const char *pattern) {
    cleanup_free char *path = case_file(runner, pattern);
    glob_t found;
    if (glob(path, 0, NULL, &found) != 0) {
        fail(runner, "%s is missing", pattern);
        return;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char problem[CLEAN_PROBLEM_BYTES];
        struct text text = {0};
        read_output(runner, found.gl_pathv[i], &text);
        bool is_clean = ends_with(found.gl_pathv[i], ".csv")
                            ? clean_csv(text_string(&text), text.length, problem)
                            : clean_output(text_string(&text), text.length, problem);
        if (!text.length || !is_clean)
            fail(runner, "%s: %s", found.gl_pathv[i], text.length ? problem : "is empty");
        text_free(&text);
    }
    globfree(&found);
}

/* --- the case file ---------------------------------------------------------------------------- */

/* The next line without its newline, or NULL at the end; caller frees. */
static char *next_line(struct runner *runner) {
    if (*runner->text == '\0')
        return NULL;
    size_t length = strcspn(runner->text, "\n");
    char *line = mem_strndup(runner->text, length);
    runner->text += length + (runner->text[length] == '\n');
    runner->line++;
    return line;
}

static void do_file(struct runner *runner, const char *name) {
    struct text content = {0};
    for (;;) {
        /* An empty line belongs to the content when an indented line follows it. */
        size_t blank = strspn(runner->text, "\n");
        if (strncmp(runner->text + blank, "    ", 4) != 0)
            break;
        text_append_repeated(&content, '\n', blank);
        runner->text += blank;
        runner->line += (unsigned)blank;
        cleanup_free char *line = next_line(runner);
        text_printf(&content, "%s\n", line + 4);
    }
    cleanup_free char *path = case_file(runner, name);
    struct error error;
    if (file_write(path, text_string(&content), content.length, &error) != STATUS_OK)
        fail(runner, "%s", error.message);
    text_free(&content);
}

static void execute(struct runner *runner, const char *verb, const char *rest) {
    static const struct {
        const char *verb;
        void (*execute)(struct runner *runner, const char *rest);
        bool after_run;
    } verbs[] = {
        {"file", do_file, false},     {"sh", do_sh, false},           {"run", do_run, false},
        {"exit", check_exit, true},   {"within", check_within, true}, {"json", check_json, true},
        {"under", do_under, false},   {"needs", do_needs, false},     {"xml", check_xml, true},
        {"clean", check_clean, true},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(verbs); i++) {
        if (strcmp(verbs[i].verb, verb) != 0)
            continue;
        if (verbs[i].after_run && !runner->ran)
            fail(runner, "`%s` before the first run", verb);
        else
            verbs[i].execute(runner, rest);
        return;
    }
    size_t length = strlen(verb);
    bool wanted = length == 0 || verb[length - 1] != '!';
    cleanup_free char *where = mem_strndup(verb, wanted ? length : length - 1);
    if (strcmp(where, "exists") == 0)
        check_exists(runner, rest, wanted);
    else if (strcmp(where, "stdout") == 0 || strcmp(where, "stderr") == 0 ||
             strcmp(where, "output") == 0)
        check_text(runner, where, wanted, rest);
    else
        fail(runner, "unknown directive: %s", verb);
}

static void execute_case(struct runner *runner) {
    char *line;
    while (!runner->skipped && (line = next_line(runner)) != NULL) {
        const char *rest = line;
        if (*line != '\0' && *line != '#') {
            cleanup_free char *verb = next_word(&rest);
            execute(runner, verb, rest);
        }
        free(line);
    }
    finish_run(runner);
    if (runner->run_count == 0 && !runner->skipped)
        fail(runner, "the case runs nothing");
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path);
}

/* The program must not depend on the developer's settings, nor write into the real home. What it
 * compiles it keeps in $E2E_CACHE, so that what many cases compile is compiled once. */
static bool prepare(struct runner *runner, const char *scratch) {
    const char *scale = getenv("WARPGRADE_TIME_SCALE");
    runner->time_scale = scale ? strtod(scale, NULL) : 1;
    runner->folder = mem_printf("%s/work", scratch);
    runner->out_path = mem_printf("%s/stdout", scratch);
    runner->err_path = mem_printf("%s/stderr", scratch);
    struct error error;
    if (file_make_directories(runner->folder, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    cleanup_free char *cache = mem_printf("%s/cache", scratch);
    setenv("HOME", scratch, 1);
    const char *shared = getenv("E2E_CACHE");
    setenv("XDG_CACHE_HOME", shared ? shared : cache, 1);
    unsetenv("XDG_DATA_HOME");
    setenv("WARPGRADE_NO_RECORD", "1",
           1); /* `under env WARPGRADE_NO_RECORD= CI=` keeps one in HOME */
    unsetenv("WARPGRADE_CACHE_DIR");
    setenv("SOURCE", WARPGRADE_SOURCE_DIR, 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("TERM", "dumb", 1);
    unsetenv("WARPGRADE_HOME");
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    return sigprocmask(SIG_BLOCK, &signals, NULL) == 0;
}

int main(int argc, char **argv) {
    struct runner runner = {.case_path = argv[1]};
    cleanup_free char *text = NULL;
    size_t length = 0;
    struct error error;
    if (argc != 2 || !getenv("WARPGRADE_BINARY")) {
        fputs("usage: WARPGRADE_BINARY=PROGRAM runner CASE\n", stderr);
        return 2;
    }
    if (file_read(argv[1], MAX_CASE_BYTES, &text, &length, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    cleanup_free char *scratch = scratch_make("warpgrade-e2e");
    if (!scratch || chmod(scratch, 0755) != 0 || /* workers have users of their own */
        !prepare(&runner, scratch))
        return 2;
    runner.text = text;
    execute_case(&runner);
    nftw(scratch, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    text_free(&runner.out);
    text_free(&runner.err);
    free(runner.folder);
    free(runner.out_path);
    free(runner.err_path);
    free(runner.prefix);
    if (runner.failure_count == 0 && !runner.skipped)
        printf("%u runs as expected\n", runner.run_count);
    return runner.failure_count ? 1 : runner.skipped ? 77 : 0;
}
