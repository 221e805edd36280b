/* Prepares, runs and collects: see run.h.
 *
 *     scratch/work      the working directory: the attack's submission, a right one
 *     scratch/other     another student's submission, with a secret in it
 *     scratch/tmp, home, cache    what the environment names
 *     scratch/reports   every report format there is
 *
 * The environment of the program holds the secret, too. The folders belong to the user who runs the
 * attack: its isolation must come from the jail. */
#include "tests/attacks/harness/run.h"
#include "tests/source_folder.h"
#include "tests/support/scratch.h"

#include "reports/escape.h"
#include "reports/report.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SAID_BYTES = 64 << 20 };

void run_fail(struct run *run, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s%s: ", run->attack->path,
            run->bare     ? " (without the jail)"
            : run->second ? " (without namespaces)"
                          : "");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    run->failures++;
}

/* --- texts */

static void replace_all(struct text *text, const char *from, const char *to) {
    struct text out = {0};
    const char *at = text_string(text);
    for (const char *found; (found = strstr(at, from)); at = found + strlen(from)) {
        text_append_bytes(&out, at, (size_t)(found - at));
        text_append(&out, to);
    }
    text_append(&out, at);
    text_free(text);
    *text = out;
}

static void put_in(const struct run *run, const char *before, const char *after,
                   struct text *text) {
    char harness[24], port[24];
    snprintf(harness, sizeof harness, "%d", (int)getpid());
    snprintf(port, sizeof port, "%d", run->port);
    const char *values[][2] = {
        {"SOURCE", WARPGRADE_SOURCE_DIR},
        {"WORK", run->work},
        {"OTHER", run->other},
        {"TOKEN", run->token},
        {"HARNESS", harness},
        {"PORT", port},
        {"NAME", run->attack->name},
        {"EXERCISE", run->attack->exercise},
        {"ROLE", run->attack->role ? run->attack->role : ""},
        {"STAGE", run->attack->stage},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++) {
        cleanup_free char *from = mem_printf("%s%s%s", before, values[i][0], after);
        replace_all(text, from, values[i][1]);
    }
}

char *run_expand(const struct run *run, const char *text) {
    struct text out = {0};
    text_append(&out, text);
    put_in(run, "$", "", &out);
    return text_steal(&out);
}

static unsigned hex_digit(char digit) {
    return digit <= '9' ? (unsigned)(digit - '0') : (unsigned)((digit | 32) - 'a') + 10;
}

/* \n and \xHH in a file's name. */
static char *unescape(const char *text) {
    struct text out = {0};
    for (; *text; text++) {
        if (text[0] == '\\' && text[1] == 'n') {
            text_append_char(&out, '\n');
            text += 1;
        } else if (text[0] == '\\' && text[1] == 'x' && text[2] && text[3]) {
            text_append_char(&out, (char)(hex_digit(text[2]) * 16 + hex_digit(text[3])));
            text += 3;
        } else {
            text_append_char(&out, *text);
        }
    }
    return text_steal(&out);
}

/* --- preparing */

static bool write_text(struct run *run, const char *folder, const char *name,
                       const struct text *text) {
    struct error error;
    cleanup_free char *path = file_join(folder, name);
    if (file_write(path, text_string(text), text->length, &error) == STATUS_OK)
        return true;
    run_fail(run, "%s", error.message);
    return false;
}

static bool read_source(struct run *run, const char *path, struct text *text) {
    struct error error;
    cleanup_free char *data = NULL, *whole = file_join(WARPGRADE_SOURCE_DIR, path);
    size_t length;
    if (file_read(whole, 1 << 20, &data, &length, &error) != STATUS_OK) {
        run_fail(run, "%s", error.message);
        return false;
    }
    text_append_bytes(text, data, length);
    return true;
}

/* A file's text with its @PLACES@ put in; .c attacks come with a submission that names them. */
static bool write_submissions(struct run *run) {
    const struct attack_file *attack = run->attack;
    cleanup_text struct text evil = {0}, good = {0}, secret = {0};
    cleanup_free char *sample = mem_printf("tests/samples/%s/good.cu", attack->exercise);
    cleanup_free char *native = mem_printf("tests/attacks/attacker/%s.cu.in", attack->submission);
    if (attack->kind == ATTACK_NATIVE && !read_source(run, native, &evil))
        return false;
    if (attack->kind != ATTACK_NATIVE)
        text_append_bytes(&evil, attack->text, attack->length);
    if (!memchr(text_string(&evil), '\0', evil.length))
        put_in(run, "@", "@", &evil);
    if (attack->kind == ATTACK_CASE)
        return true;
    text_append_bytes(&run->source, text_string(&evil), evil.length);
    text_printf(&secret, "// warpgrade: saxpy\n// %s\n", run->secret);
    return read_source(run, sample, &good) && write_text(run, run->work, "good.cu", &good) &&
           write_text(run, run->work, run->submission, &evil) &&
           write_text(run, run->other, "saxpy.cu", &secret);
}

static char *make_folder(struct run *run, const char *name, mode_t mode) {
    char *path = file_join(run->scratch, name);
    if (mkdir(path, 0777) != 0 || chmod(path, mode) != 0)
        run_fail(run, "cannot make %s: %s", path, strerror(errno));
    return path;
}

static void set_environment(const struct run *run) {
    static const char *const folders[][2] = {
        {"HOME", "home"}, {"TMPDIR", "tmp"}, {"XDG_CACHE_HOME", "cache"}};
    for (size_t i = 0; i < ARRAY_LENGTH(folders); i++) {
        cleanup_free char *path = file_join(run->scratch, folders[i][1]);
        setenv(folders[i][0], path, 1);
    }
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("TERM", "xterm", 1);
    setenv("SOURCE", WARPGRADE_SOURCE_DIR, 1);
    setenv("FILE", run->submission, 1);
    setenv("OTHER", run->other, 1);
    setenv("TOKEN", run->token, 1);
    setenv("WARPGRADE_ATTACK_SECRET", run->secret, 1);
    unsetenv("WARPGRADE_CACHE_DIR");
    unsetenv("XDG_RUNTIME_DIR"); /* who shares cgroups must share the locks of their names */
}

static void make_word(char *word, size_t size) {
    uint64_t bits = 0;
    ssize_t got = getrandom(&bits, sizeof bits, 0);
    snprintf(word, size, "%016llx",
             (unsigned long long)(bits ^ (uint64_t)(got < 0 ? getpid() : 0)));
}

bool run_prepare(struct run *run) {
    make_word(run->token, sizeof run->token);
    make_word(run->secret, sizeof run->secret);
    run->scratch = scratch_make("warpgrade-attacks");
    if (!run->scratch) {
        run_fail(run, "cannot make a folder for it");
        return false;
    }
    chmod(run->scratch, 0755); /* what protects it must be the jail */
    run->work = make_folder(run, "work", 0755);
    run->reports = make_folder(run, "reports", 0755);
    run->other = make_folder(run, "other", 0755);
    static const char *const more[] = {"home", "tmp", "cache"};
    for (size_t i = 0; i < ARRAY_LENGTH(more); i++)
        free(make_folder(run, more[i], 0755));
    run_seed(run);
    const char *suffix = run->attack->kind == ATTACK_PTX ? "ptx" : "cu";
    run->submission = run->attack->file_name ? unescape(run->attack->file_name)
                                             : mem_printf("%s.%s", run->attack->name, suffix);
    set_environment(run);
    return run->failures == 0 && write_submissions(run);
}

/* --- running */

static bool wait_until(pid_t child, double deadline_ms, int *status) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    for (;;) {
        if (waitpid(child, status, WNOHANG) == child)
            return true;
        double left = deadline_ms - clock_ms();
        if (left <= 0)
            return false;
        struct timespec wait = {(time_t)(left / 1e3),
                                (long)((left - (double)(long)(left / 1e3) * 1e3) * 1e6)};
        sigtimedwait(&signals, NULL, &wait);
    }
}

static _Noreturn void become(const struct run *run, char *const *argv, const char *out,
                             const char *err) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    if (chdir(run->work) != 0 || !freopen("/dev/null", "r", stdin) || !freopen(out, "w", stdout) ||
        !freopen(err, "w", stderr))
        _exit(126);
    execvp(argv[0], argv);
    _exit(127);
}

static int run_command(struct run *run, char *const *argv, const char *out, const char *err,
                       double limit_seconds) {
    double started = clock_ms();
    pid_t child = fork();
    if (child == 0)
        become(run, argv, out, err);
    int status = 0, code = -1;
    if (child > 0 && wait_until(child, started + limit_seconds * 1e3, &status))
        code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    else if (child > 0 && kill(-child, SIGKILL) == 0)
        waitpid(child, &status, 0);
    run->seconds = (clock_ms() - started) / 1e3;
    return code;
}

static void collect(struct run *run, const char *name, const char *path) {
    struct error error;
    cleanup_free char *data = NULL;
    size_t length;
    if (!file_exists(path) || run->said_count == RUN_MAX_SAID)
        return;
    if (file_read(path, MAX_SAID_BYTES, &data, &length, &error) != STATUS_OK) {
        run_fail(run, "%s", error.message);
        return;
    }
    struct said *said = &run->said[run->said_count++];
    said->name = mem_strdup(name);
    text_append_bytes(&said->text, data, length);
}

struct command {
    char *words[128];
    size_t count;
};

static void add_word(struct command *command, char *word) {
    if (command->count + 1 < ARRAY_LENGTH(command->words))
        command->words[command->count++] = word;
}

/* Words of a directive, separated by blanks; quotes ' hold one together. */
static void add_words(struct command *command, const char *text) {
    while (*text) {
        text += strspn(text, " ");
        struct text word = {0};
        bool quoted = false;
        for (; *text && (quoted || *text != ' '); text++) {
            if (*text == '\'')
                quoted = !quoted;
            else
                text_append_char(&word, *text);
        }
        if (word.length)
            add_word(command, text_steal(&word));
    }
}

static char *report_path(const struct run *run, const char *format) {
    return mem_printf("%s/report.%s", run->reports, format);
}

/* An attack on the worker of one launch is compiled once: with more jobs its build with -G, which
 * is not asked for in the end, is made meanwhile. Attacks on the compiler meet that one, too. */
static bool needs_one_job(const struct attack_file *attack) {
    return attack->kind == ATTACK_NATIVE && attack->role && strcmp(attack->role, "sim") == 0;
}

static void add_grade(struct run *run, struct command *command) {
    add_word(command, mem_strdup("grade"));
    if (needs_one_job(run->attack))
        add_word(command, mem_strdup("--jobs=1"));
    if (run->attack->cases) {
        add_word(command, mem_strdup("--cases"));
        add_word(command, mem_strdup(run->attack->cases));
    } else {
        add_word(command, mem_strdup("--cases=one-element"));
    }
    for (size_t i = 0; i < report_format_count; i++) {
        cleanup_free char *path = report_path(run, report_formats[i].name);
        add_word(command, mem_strdup("--report"));
        add_word(command, mem_printf("%s=%s", report_formats[i].name, path));
    }
    if (run->bare)
        add_word(command, mem_strdup("--unsafe-no-jail"));
    if (run->second)
        add_word(command, mem_strdup("--jail=landlock"));
    cleanup_free char *options = run_expand(run, run->attack->options);
    add_words(command, options);
    add_word(command, mem_strdup("--report=text=-"));
    add_word(command, mem_strdup("--verbose"));
    add_word(command, mem_strdup("--"));
    add_word(command, mem_strdup(run->submission));
    if (!run->bare)
        add_word(command, mem_strdup("good.cu"));
}

static void make_command(struct run *run, struct command *command) {
    const struct attack_file *attack = run->attack;
    const char *variable = attack->kind == ATTACK_CASE     ? "E2E_RUNNER"
                           : attack->kind == ATTACK_NATIVE ? "WARPGRADE_ATTACKED"
                                                           : "WARPGRADE_BINARY";
    const char *program = getenv(variable);
    add_word(command, mem_strdup(program ? program : "false"));
    if (attack->kind == ATTACK_CASE) {
        /* batch has no option that leaves cases out: an exercise with one does */
        setenv("WARPGRADE_REAL", getenv("WARPGRADE_BINARY") ? getenv("WARPGRADE_BINARY") : "", 1);
        setenv("WARPGRADE_BINARY", WARPGRADE_SOURCE_DIR "/tests/attacks/attacker/with-one-case.sh",
               1);
        add_word(command, mem_strdup(attack->path));
    } else if (attack->kind == ATTACK_PTX) {
        cleanup_free char *arguments = run_expand(run, attack->sim);
        add_word(command, mem_strdup("sim"));
        add_words(command, arguments);
        add_word(command, mem_strdup("--json"));
        add_word(command, report_path(run, "json"));
        add_word(command, mem_strdup(run->submission));
    } else {
        add_grade(run, command);
    }
}

double run_load(void) {
    double load = 1;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (getloadavg(&load, 1) != 1 || processors < 1 || load < (double)processors)
        return 1;
    return load / (double)processors;
}

void run_attack(struct run *run) {
    struct command command = {0};
    cleanup_free char *out = file_join(run->scratch, "stdout");
    cleanup_free char *err = file_join(run->scratch, "stderr");
    make_command(run, &command);
    run->exit_code = run_command(run, command.words, out, err,
                                 (6 * run->attack->within_seconds + 20) * run->time_scale);
    for (size_t i = 0; i < command.count; i++)
        free(command.words[i]);
    collect(run, "standard output", out);
    collect(run, "standard error", err);
    for (size_t i = 0; i < report_format_count; i++) {
        cleanup_free char *path = report_path(run, report_formats[i].name);
        cleanup_free char *name = mem_printf("report.%s", report_formats[i].name);
        collect(run, name, path);
    }
}

/* Reports quote the submission, whose first comment says what is looked for: that does not count.
 */
static bool says_itself(const struct text *said, const char *text) {
    static const char comment[] = "says: ";
    const char *end = said->data + said->length, *at = said->data;
    while ((at = memmem(at, (size_t)(end - at), text, strlen(text)))) {
        size_t before = (size_t)(at - said->data);
        if (before < strlen(comment) || memcmp(at - strlen(comment), comment, strlen(comment)) != 0)
            return true;
        at++;
    }
    return false;
}

bool run_says(const struct run *run, const char *text) {
    for (size_t i = 0; i < run->said_count; i++)
        if (run->said[i].text.length && says_itself(&run->said[i].text, text))
            return true;
    return false;
}

/* Takes each occurrence of a line out. */
static void take_out(struct text *said, const struct text *line) {
    char *at = said->data, *end = said->data + said->length;
    while (line->length && (at = memmem(at, (size_t)(end - at), line->data, line->length))) {
        memset(at, ' ', line->length);
        at += line->length;
    }
}

static void append_json(struct text *out, const char *line, size_t length) {
    json_t *string = json_stringn(line, length);
    char *dumped = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    if (dumped)
        text_append_bytes(out, dumped + 1, strlen(dumped) - 2);
    free(dumped);
    json_decref(string);
}

/* Takes out what quotes the submission, as it is, in JSON and in HTML: it knew that before. */
static void take_quotes_out(const struct run *run, struct text *said) {
    const char *at = run->source.data, *end = at + run->source.length;
    for (const char *next; at && at < end; at = next) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        next = stop ? stop + 1 : end;
        for (stop = stop ? stop : end; at < stop && (*at == ' ' || *at == '\t'); at++)
            ;
        cleanup_text struct text line = {0}, json = {0}, html = {0};
        text_append_bytes(&line, at, (size_t)(stop - at));
        append_json(&json, at, (size_t)(stop - at));
        escape_html(&html, at, (size_t)(stop - at));
        take_out(said, &html);
        take_out(said, &json);
        take_out(said, &line);
    }
}

bool run_leaks(const struct run *run, const char *text) {
    for (size_t i = 0; i < run->said_count; i++) {
        cleanup_text struct text said = {0};
        if (!run->said[i].text.length)
            continue;
        text_append_bytes(&said, run->said[i].text.data, run->said[i].text.length);
        take_quotes_out(run, &said);
        if (memmem(said.data, said.length, text, strlen(text)))
            return true;
    }
    return false;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path);
}

void run_finish(struct run *run) {
    if (run->scratch)
        nftw(run->scratch, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    for (size_t i = 0; i < run->said_count; i++) {
        free(run->said[i].name);
        text_free(&run->said[i].text);
    }
    text_free(&run->source);
    free(run->scratch);
    free(run->work);
    free(run->reports);
    free(run->other);
    free(run->submission);
}
