/* The folder is watched, not the file: most editors write a new file and rename it. Every wake-up
 * looks at the file itself, and twice a second something wakes up, so that a file system whose
 * changes inotify does not see (a network's, another system's) is followed, too. Such a change
 * counts once the file has stayed as it is for STAY_MS: it may be half written. What counts is the
 * content: a file saved as it was is not graded again.
 *
 * One process stays, with its session: the reference's results and what was compiled are there.
 *
 * Ctrl-C ends it between two rounds by itself; within a round, as it ends any other grading, after
 * the terminal is as it was. The handler knows that from two variables, the only ones of their kind
 * here: a handler takes no argument. */
#include "grader/cli/learn/watch.h"

#include "grader/cli/command.h"
#include "grader/cli/learn/screen.h"
#include "reports/escape.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 500, STAY_MS = 1000, SETTLE_MS = 15, MAX_FILE_BYTES = 64 << 20 };

/* Of the file: never seen yet, read, or removed since. */
enum presence { PRESENCE_NEVER, PRESENCE_THERE, PRESENCE_GONE };

struct watch {
    const char *path;
    const struct watch_work *work;
    int changes;      /* inotify's descriptor, or -1 */
    bool terminal;    /* standard output */
    bool keys;        /* standard input is a terminal, too */
    bool is_cleared;  /* in this round */
    bool is_saved;    /* inotify has said that the file was written and closed, or moved here */
    struct stat seen; /* of the file when it was read last */
    struct stat last; /* of the file when it was looked at last and had changed, ... */
    double last_ms;   /* ... for the first time at this moment */
    enum presence presence;
    double missing_ms; /* the moment when it was first not found; 0: it is there */
    struct sha256 content;
    bool has_content; /* of a file that is there */
    double round_ms;
};

static volatile sig_atomic_t is_grading, signals_seen; /* a bit each: STOP, REDRAW */
static struct termios usual;                           /* the terminal as it was */
static volatile sig_atomic_t is_changed;               /* ... which it is not any more */

enum { STOP = 1, REDRAW = 2 };

static void restore_terminal(void) {
    if (is_changed)
        tcsetattr(STDIN_FILENO, TCSANOW, &usual);
    is_changed = 0;
}

/* Keys come one by one and are not shown; Ctrl-C stays a signal. */
static void take_keys(const struct watch *watch) {
    struct termios raw;
    if (!watch->keys || tcgetattr(STDIN_FILENO, &raw) != 0)
        return;
    if (!is_changed)
        usual = raw;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    is_changed = 1;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

static void handle_signal(int number) {
    if (number == SIGWINCH || number == SIGCONT) {
        signals_seen |= REDRAW;
    } else if (is_grading) {
        restore_terminal();
        signal(number, SIG_DFL);
        raise(number);
    } else {
        signals_seen |= STOP;
    }
}

static void set_handlers(void (*handler)(int)) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < ARRAY_LENGTH(numbers); i++)
        sigaction(numbers[i], &action, NULL);
}

/* ---- what is printed ------------------------------------------------------------------------- */

void watch_begin_output(struct watch *watch) {
    if (watch->terminal && !watch->is_cleared)
        fputs("\033[H\033[2J", stdout);
    fflush(stdout);
    watch->is_cleared = true;
}

static void append_presence(const struct watch *watch, struct text *out) {
    bool zh = watch->work->language == LANGUAGE_ZH;
    const char *name = file_base_name(watch->path);
    bool gone = watch->presence == PRESENCE_GONE;
    text_append(out, gone ? "" : zh ? "正在监视 " : "watching ");
    escape_terminal(out, name, strlen(name), true);
    if (gone)
        text_append(out, zh ? " 已被移走，回来后会重新评分"
                            : " is gone; it is graded again when it is back");
    else if (watch->presence == PRESENCE_NEVER)
        text_append(out, zh ? "，文件还不存在" : ", which is not there yet");
}

/* One line, without colours and newlines. */
static void append_status(const struct watch *watch, struct text *out) {
    bool zh = watch->work->language == LANGUAGE_ZH, there = watch->presence == PRESENCE_THERE;
    append_presence(watch, out);
    if (watch->keys && there)
        text_append(out, zh ? "：r 重新评分，q 退出" : ": r grades again, q quits");
    else if (watch->keys)
        text_append(out, zh ? "（q 退出）" : " (q quits)");
    if (watch->terminal && there && watch->round_ms > 0)
        text_printf(out, zh ? "（%.2f 秒）" : " (%.2f s)", watch->round_ms / 1000);
}

static void print_status(const struct watch *watch) {
    cleanup_text struct text out = {0};
    bool color = watch->terminal && watch->work->color;
    text_append(&out, color ? "\n\033[2m" : "\n");
    append_status(watch, &out);
    text_append(&out, color ? "\033[0m" : "");
    if (!watch->terminal)
        text_append_char(&out, '\n');
    fputs(text_string(&out), stdout);
    fflush(stdout);
}

/* What work->print() writes to standard output, for its lines to be counted. Caller frees; NULL
 * where there is no memory for a stream. */
static char *take_output(const struct watch_work *work) {
    char *data = NULL;
    size_t length = 0;
    FILE *plain = stdout, *memory = open_memstream(&data, &length);
    if (!memory)
        return NULL;
    stdout = memory;
    work->print(work->context);
    stdout = plain;
    if (fclose(memory) == 0)
        return data;
    free(data);
    return NULL;
}

/* The report's first lines, so that it begins at the top and the status stays below it. */
static void print_what_fits(const struct watch *watch, unsigned rows, unsigned columns) {
    cleanup_text struct text status = {0}, out = {0};
    cleanup_free char *all = take_output(watch->work);
    append_status(watch, &status);
    size_t below = 1 + screen_rows(text_string(&status), columns);
    unsigned room = rows > below + 2 ? rows - (unsigned)below : 2;
    screen_cut(all ? all : "", room, columns, watch->work->language, &out);
    fputs(text_string(&out), stdout);
}

static void print_grading(const struct watch *watch) {
    if (watch->terminal)
        fputs(watch->work->language == LANGUAGE_ZH ? "\r\033[K正在评分 …" : "\r\033[Kgrading ...",
              stdout);
    fflush(stdout);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static bool is_same_file(const struct stat *a, const struct stat *b) {
    return a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Whether nobody is writing to the file, as far as that can be known. */
static bool is_settled(struct watch *watch, const struct stat *now) {
    if (watch->is_saved)
        return true;
    if (!is_same_file(now, &watch->last)) {
        watch->last = *now;
        watch->last_ms = clock_ms();
    }
    return clock_ms() - watch->last_ms >= STAY_MS;
}

static void draw(struct watch *watch) {
    unsigned rows = command_terminal_rows(), columns = command_terminal_columns();
    watch_begin_output(watch);
    if (watch->terminal && !watch->work->whole && rows && columns)
        print_what_fits(watch, rows, columns);
    else
        watch->work->print(watch->work->context);
    print_status(watch);
}

/* An editor may remove the file for a moment before it writes the next one. A file that comes back
 * is graded whatever it holds. */
static void note_missing(struct watch *watch) {
    watch->is_saved = false;
    if (!watch->has_content)
        return;
    if (watch->missing_ms == 0)
        watch->missing_ms = clock_ms();
    if (clock_ms() - watch->missing_ms < LOOK_MS)
        return;
    watch->presence = PRESENCE_GONE;
    watch->has_content = false;
    watch->is_cleared = false;
    if (watch->terminal)
        draw(watch);
    else
        print_status(watch);
}

/* True where the file holds something else than when it was read last. */
static bool has_changed(struct watch *watch) {
    struct stat now;
    cleanup_free char *data = NULL;
    size_t length;
    if (stat(watch->path, &now) != 0) {
        note_missing(watch);
        return false;
    }
    watch->missing_ms = 0;
    if ((watch->has_content && is_same_file(&now, &watch->seen)) || !is_settled(watch, &now))
        return false;
    watch->is_saved = false;
    if (file_read(watch->path, MAX_FILE_BYTES, &data, &length, NULL) != STATUS_OK)
        return false;
    struct sha256 content = hash_bytes(data, length);
    bool changed = !watch->has_content || memcmp(&content, &watch->content, sizeof content) != 0;
    watch->seen = now;
    watch->content = content;
    watch->has_content = true;
    watch->presence = PRESENCE_THERE;
    return changed;
}

static void run_round(struct watch *watch) {
    double begun = clock_ms();
    print_grading(watch);
    watch->is_cleared = false;
    is_grading = 1;
    watch->work->grade(watch->work->context, watch);
    is_grading = 0;
    watch->round_ms = clock_ms() - begun;
    draw(watch);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static void read_changes(struct watch *watch) {
    char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    const char *name = file_base_name(watch->path);
    ssize_t length;
    while ((length = read(watch->changes, buffer, sizeof buffer)) > 0)
        for (ssize_t at = 0; at < length;) {
            const struct inotify_event *event = (const void *)(buffer + at);
            watch->is_saved |= (event->mask & IN_Q_OVERFLOW) != 0 ||
                               (event->len > 0 && strcmp(event->name, name) == 0);
            at += (ssize_t)(sizeof *event + event->len);
        }
}

/* Waits for a change, a key, a signal or LOOK_MS; signals are seen only here and in a round.
 * Returns the key, 0 for none, -1 at the end of the input. */
static int wait_for_something(struct watch *watch) {
    struct pollfd files[] = {{.fd = watch->changes, .events = POLLIN},
                             {.fd = watch->keys ? STDIN_FILENO : -1, .events = POLLIN}};
    const struct timespec look = {.tv_nsec = LOOK_MS * 1000000L};
    const struct timespec settle = {.tv_nsec = SETTLE_MS * 1000000L};
    sigset_t blocked, before;
    unsigned char key = 0;
    sigfillset(&blocked);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    int ready = signals_seen ? 0 : ppoll(files, ARRAY_LENGTH(files), &look, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (ready <= 0)
        return 0;
    if (files[0].revents) {
        nanosleep(&settle, NULL); /* an editor writes, renames and sets the mode */
        read_changes(watch);
    }
    if (files[1].revents && read(STDIN_FILENO, &key, 1) != 1)
        return -1;
    return key;
}

static void loop(struct watch *watch) {
    watch->is_saved = true; /* what is there is graded at once */
    if (has_changed(watch))
        run_round(watch);
    else
        print_status(watch);
    watch->is_saved = false;
    while (!(signals_seen & STOP) && !ferror(stdout)) {
        int key = wait_for_something(watch);
        if (key == 'q' || key == 4 || key < 0) /* Ctrl-D */
            return;
        if (signals_seen & STOP)
            return;
        if (signals_seen & REDRAW) {
            signals_seen &= ~REDRAW;
            take_keys(watch);
            watch->is_cleared = false;
            if (watch->terminal && watch->round_ms > 0)
                draw(watch);
        }
        if (has_changed(watch) || ((key == 'r' || key == '\n') && watch->has_content))
            run_round(watch);
    }
}

static int open_changes(const char *path, struct error *error) {
    cleanup_free char *folder = mem_strndup(path, (size_t)(file_base_name(path) - path));
    const char *shown = *folder ? folder : ".";
    struct stat info;
    if (stat(shown, &info) != 0 || !S_ISDIR(info.st_mode)) {
        error_set(error, STATUS_INVALID, "cannot watch %s: there is no folder %s", path, shown);
        return -1;
    }
    int changes = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (changes >= 0)
        inotify_add_watch(changes, shown, IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR);
    return changes; /* without inotify LOOK_MS has to do */
}

enum status watch_file(const char *path, const struct watch_work *work, struct error *error) {
    struct error cause = {0};
    struct watch watch = {.path = path,
                          .work = work,
                          .changes = open_changes(path, &cause),
                          .terminal = isatty(STDOUT_FILENO),
                          .keys = isatty(STDOUT_FILENO) && isatty(STDIN_FILENO)};
    if (cause.message[0]) {
        *error = cause;
        return STATUS_INVALID;
    }
    set_handlers(handle_signal);
    take_keys(&watch);
    loop(&watch);
    restore_terminal();
    set_handlers(SIG_DFL);
    fputs(watch.terminal ? "\n" : "", stdout);
    if (watch.changes >= 0)
        close(watch.changes);
    return STATUS_OK;
}
