/* The parent's side of reading a repository: the forked child, its limits, and what it says.
 *
 * The child writes one record into a memfd and exits; nothing is read from it before it has ended,
 * so it can never block on us nor we on it, and a repository is read while another submission is
 * graded. The record is length-prefixed fields, decoded with every length checked: a bug in libgit2
 * that a hostile pack file triggers must end in the child. A clone goes to a scratch folder that
 * the parent removes, however the child ends. */
#include "grader/repo/repo.h"

#include "grader/repo/repo_private.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_TIME_LIMIT_SECONDS 60.0
/* The child's alarm comes first; this is for a child that no signal can reach (a dead NFS server).
 */
#define GRACE_SECONDS              2.0
enum {
    MAX_MEMORY_BYTES = 1 << 30, /* of the child's heap; mapped packs do not count */
    MAX_RECORD_BYTES = REPO_MAX_TOTAL_BYTES + (4 << 20),
};

struct repo_fetch {
    pid_t pid;
    int record; /* memfd */
    char *scratch;
    size_t want_count;
    double deadline;
    double time_limit;
    char *secret; /* the password of the URL, or NULL */
};

/* ---- locations ---------------------------------------------------------------------------- */

static bool has_scheme(const char *location) {
    return strstr(location, "://") != NULL;
}

char *repo_resolve_location(const char *directory, const char *location) {
    return has_scheme(location) ? mem_strdup(location) : file_join(directory, location);
}

/* The password between "user:" and "@" in the authority, or the whole user part without a colon
 * where it can only be a token (https); NULL: none. */
static char *find_secret(const char *location) {
    const char *scheme = strstr(location, "://");
    if (!scheme)
        return NULL;
    const char *authority = scheme + 3;
    size_t length = strcspn(authority, "/?#");
    const char *at = memrchr(authority, '@', length);
    if (!at)
        return NULL;
    const char *colon = memchr(authority, ':', (size_t)(at - authority));
    if (!colon && strncmp(location, "https", 5) != 0)
        return NULL;
    const char *start = colon ? colon + 1 : authority;
    return at > start ? mem_strndup(start, (size_t)(at - start)) : NULL;
}

/* Replaces each occurrence of the secret; it can only get shorter when the secret is longer. */
static char *without_secret(const char *string, const char *secret) {
    struct text out = {0};
    const char *hit;
    while (secret && (hit = strstr(string, secret))) {
        text_append_bytes(&out, string, (size_t)(hit - string));
        text_append(&out, "***");
        string = hit + strlen(secret);
    }
    text_append(&out, string);
    return text_steal(&out);
}

char *repo_display_location(const char *location) {
    cleanup_free char *secret = find_secret(location);
    return without_secret(location, secret);
}

static int hex_digit(char character) {
    if (character >= '0' && character <= '9')
        return character - '0';
    character = (char)(character | 0x20);
    return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

/* RFC 8089: file:///path or file://localhost/path, percent-encoded. */
static enum status file_url_path(const char *url, char **path, struct error *error) {
    const char *rest = url + strlen("file://");
    if (strncmp(rest, "localhost/", 10) == 0)
        rest += 9;
    if (*rest != '/')
        return error_set(error, STATUS_INVALID, "%s names a host: file:///folder is expected", url);
    struct text out = {0};
    for (; *rest; rest++) {
        int high = *rest == '%' ? hex_digit(rest[1]) : -1;
        int low = high >= 0 ? hex_digit(rest[2]) : -1;
        if (*rest == '%' && (low < 0 || (high == 0 && low == 0))) {
            text_free(&out);
            return error_set(error, STATUS_INVALID, "%s has a wrong %%-escape", url);
        }
        text_append_char(&out, low < 0 ? *rest : (char)(high * 16 + low));
        rest += low < 0 ? 0 : 2;
    }
    *path = text_steal(&out);
    return STATUS_OK;
}

enum status repo_location_parse(const char *location, enum repo_scheme *scheme, char **path,
                                struct error *error) {
    *path = NULL;
    if (!has_scheme(location)) {
        *scheme = REPO_SCHEME_PATH;
        *path = mem_strdup(location);
        return STATUS_OK;
    }
    if (strncmp(location, "file://", 7) == 0) {
        *scheme = REPO_SCHEME_FILE;
        return file_url_path(location, path, error);
    }
    *scheme = REPO_SCHEME_NETWORK;
    if (strncmp(location, "https://", 8) == 0 || strncmp(location, "ssh://", 6) == 0)
        return STATUS_OK;
    cleanup_free char *shown = repo_display_location(location);
    enum status status =
        error_set(error, STATUS_INVALID, "%s: this kind of URL is not read", shown);
    error_hint(error, "https://, ssh:// and file:// are, and paths; http:// and git:// do not "
                      "prove whose repository it is");
    return status;
}

const char *repo_path_problem(const char *path) {
    if (*path == '\0')
        return "it is empty";
    if (strlen(path) >= REPO_MAX_PATH)
        return "it is too long";
    if (*path == '/')
        return "it must be relative to the repository's root";
    if (!repo_name_is_clean(path))
        return "it holds control characters or is not UTF-8";
    for (const char *part = path;; part++) {
        size_t length = strcspn(part, "/");
        if (length == 0)
            return "it has an empty part";
        if ((length == 1 && part[0] == '.') || (length == 2 && strncmp(part, "..", 2) == 0))
            return "\".\" and \"..\" mean nothing inside a repository";
        if (length == 4 && strncasecmp(part, ".git", 4) == 0)
            return ".git is not part of a repository's content";
        part += length;
        if (*part == '\0')
            return NULL;
    }
}

/* ---- the record --------------------------------------------------------------------------- */

static void put_word(struct text *out, uint64_t value) {
    text_append_bytes(out, &value, sizeof value);
}

static void put_bytes(struct text *out, const char *data, size_t length) {
    put_word(out, length);
    text_append_bytes(out, data, length);
}

static void put_string(struct text *out, const char *string) {
    put_bytes(out, string ? string : "", string ? strlen(string) : 0);
}

static void encode(enum status status, const struct error *error,
                   const struct repo_snapshot *snapshot, struct text *out) {
    put_word(out, (uint64_t)status);
    if (status != STATUS_OK) {
        put_string(out, error->message);
        put_string(out, error->hint);
        return;
    }
    put_string(out, snapshot->commit);
    put_word(out, (uint64_t)snapshot->committed_at);
    put_string(out, snapshot->branch);
    put_word(out, snapshot->file_count);
    for (size_t i = 0; i < snapshot->file_count; i++) {
        const struct repo_file *file = &snapshot->files[i];
        put_word(out, (uint64_t)file->state);
        put_string(out, file->path);
        put_bytes(out, file->data, file->length);
        put_string(out, file->message);
        put_string(out, file->hint);
    }
}

struct repo_cursor {
    const char *next;
    size_t left;
    bool bad;
};

static uint64_t get_word(struct repo_cursor *cursor) {
    uint64_t value = 0;
    if (cursor->bad || cursor->left < sizeof value) {
        cursor->bad = true;
        return 0;
    }
    memcpy(&value, cursor->next, sizeof value);
    cursor->next += sizeof value;
    cursor->left -= sizeof value;
    return value;
}

/* NUL-terminated after its length; "" when the record is bad. */
static char *get_bytes(struct repo_cursor *cursor, size_t max_length, size_t *length) {
    uint64_t announced = get_word(cursor);
    if (cursor->bad || announced > max_length || announced > cursor->left) {
        cursor->bad = true;
        announced = 0;
    }
    char *data = mem_alloc((size_t)announced + 1);
    memcpy(data, cursor->next, (size_t)announced);
    data[announced] = '\0';
    cursor->next += announced;
    cursor->left -= (size_t)announced;
    *length = (size_t)announced;
    return data;
}

static char *get_string(struct repo_cursor *cursor, size_t max_length) {
    size_t length;
    char *string = get_bytes(cursor, max_length, &length);
    if (strlen(string) != length)
        cursor->bad = true;
    return string;
}

static void get_file(struct repo_cursor *cursor, struct repo_file *file) {
    uint64_t state = get_word(cursor);
    cursor->bad |= state > REPO_FILE_REFUSED;
    file->state = cursor->bad ? REPO_FILE_REFUSED : (enum repo_file_state)state;
    file->path = get_string(cursor, REPO_MAX_PATH);
    file->data = get_bytes(cursor, REPO_MAX_FILE_BYTES, &file->length);
    file->message = get_string(cursor, 64 << 10);
    file->hint = get_string(cursor, 64 << 10);
}

static bool decode(struct repo_cursor *cursor, size_t want_count, enum status *status,
                   struct repo_snapshot *snapshot, struct error *error) {
    uint64_t code = get_word(cursor);
    if (code != STATUS_OK) {
        cleanup_free char *message = get_string(cursor, sizeof error->message);
        cleanup_free char *hint = get_string(cursor, sizeof error->hint);
        *status = code == STATUS_ENVIRONMENT ? STATUS_ENVIRONMENT : STATUS_INVALID;
        error_set(error, *status, "%s", message);
        error_hint(error, "%s", hint);
        return !cursor->bad;
    }
    cleanup_free char *commit = get_string(cursor, sizeof snapshot->commit - 1);
    cursor->bad |= strspn(commit, "0123456789abcdef") != strlen(commit);
    memcpy(snapshot->commit, commit, strlen(commit) + 1);
    snapshot->committed_at = (int64_t)get_word(cursor);
    snapshot->branch = get_string(cursor, 4096);
    if (get_word(cursor) != want_count || cursor->bad)
        return false;
    snapshot->files = mem_calloc(want_count, sizeof *snapshot->files);
    snapshot->file_count = want_count;
    for (size_t i = 0; i < want_count; i++)
        get_file(cursor, &snapshot->files[i]);
    *status = STATUS_OK;
    return !cursor->bad && cursor->left == 0;
}

/* ---- the child ---------------------------------------------------------------------------- */

static void limit(int resource, rlim_t value) {
    struct rlimit current;
    if (getrlimit((__rlimit_resource_t)resource, &current) != 0)
        return;
    if (current.rlim_max != RLIM_INFINITY && value > current.rlim_max)
        value = current.rlim_max;
    struct rlimit wanted = {value, value};
    setrlimit((__rlimit_resource_t)resource, &wanted);
}

static void limit_child(double time_limit) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGALRM, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    unsigned seconds = (unsigned)ceil(time_limit);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, (rlim_t)seconds + 1);
    limit(RLIMIT_FSIZE, (rlim_t)REPO_MAX_FETCH_BYTES);
#ifndef __SANITIZE_ADDRESS__ /* its shadow memory counts as data */
    limit(RLIMIT_DATA, (rlim_t)MAX_MEMORY_BYTES);
#endif
    alarm(seconds);
}

static _Noreturn void run_child(const struct repo_request *request, const char *scratch, int record,
                                double time_limit) {
    limit_child(time_limit);
    struct repo_snapshot snapshot = {0};
    struct error error = {0};
    enum status status = repo_read_here(request, scratch, &snapshot, &error);
    struct text out = {0};
    encode(status, &error, &snapshot, &out);
    _exit(file_write_all(record, text_string(&out), out.length) ? 0 : 1);
}

/* ---- the parent --------------------------------------------------------------------------- */

static void fetch_free(struct repo_fetch *fetch) {
    if (fetch->record >= 0)
        close(fetch->record);
    if (fetch->scratch)
        repo_scratch_remove(fetch->scratch);
    free(fetch->scratch);
    free(fetch->secret);
    free(fetch);
}

enum status repo_fetch_start(const struct repo_request *request, struct repo_fetch **out,
                             struct error *error) {
    *out = NULL;
    struct repo_fetch *fetch = mem_zalloc(sizeof *fetch);
    fetch->want_count = request->want_count;
    fetch->secret = find_secret(request->location);
    fetch->time_limit =
        request->time_limit_seconds > 0 ? request->time_limit_seconds : DEFAULT_TIME_LIMIT_SECONDS;
    fetch->deadline = clock_ms() / 1e3 + ceil(fetch->time_limit) + GRACE_SECONDS;
    fetch->record = memfd_create("warpgrade-repository", MFD_CLOEXEC);
    enum status status = STATUS_OK;
    if (fetch->record < 0)
        status =
            error_set(error, STATUS_ENVIRONMENT, "no memory file can be made: %s", strerror(errno));
    if (status == STATUS_OK && has_scheme(request->location))
        status = repo_scratch_make(&fetch->scratch, error);
    if (status == STATUS_OK) {
        fetch->pid = fork();
        if (fetch->pid == 0)
            run_child(request, fetch->scratch, fetch->record, fetch->time_limit);
        if (fetch->pid < 0)
            status = error_set(error, STATUS_ENVIRONMENT, "no process can be started: %s",
                               strerror(errno));
    }
    if (status != STATUS_OK) {
        fetch_free(fetch);
        return status;
    }
    *out = fetch;
    return STATUS_OK;
}

/* Waits for the child; false: it has not ended and cannot be ended. */
static bool wait_for(const struct repo_fetch *fetch, double deadline, int *wait_status) {
    struct timespec pause = {0, 200000};
    for (bool killed = false;;) {
        pid_t got = waitpid(fetch->pid, wait_status, WNOHANG);
        if (got == fetch->pid)
            return true;
        if (got < 0 && errno == ECHILD) { /* SIGCHLD is ignored: it ended, not known how */
            *wait_status = 0;
            return true;
        }
        if (clock_ms() / 1e3 > deadline) {
            if (killed)
                return false;
            kill(fetch->pid, SIGKILL);
            killed = true;
            deadline += GRACE_SECONDS;
        }
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 5000000)
            pause.tv_nsec *= 2;
    }
}

static enum status describe_end(const struct repo_fetch *fetch, bool ended, int wait_status,
                                struct error *error) {
    int number = ended && WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    if (!ended || number == SIGALRM || number == SIGXCPU)
        return error_set(error, STATUS_INVALID,
                         "reading the repository took longer than %s seconds",
                         decimal(fetch->time_limit, 6).text);
    if (number == SIGKILL) /* by us, by the CPU limit, or by the kernel for lack of memory */
        return error_set(error, STATUS_INVALID,
                         "reading the repository took longer than %s seconds, or too much memory",
                         decimal(fetch->time_limit, 6).text);
    if (number == SIGXFSZ)
        return error_set(error, STATUS_INVALID,
                         "the repository is too large to fetch: more than %d MiB",
                         REPO_MAX_FETCH_BYTES >> 20);
    if (number)
        return error_set(error, STATUS_INVALID, "reading the repository crashed: %s",
                         strsignal(number));
    enum status status = error_set(error, STATUS_INVALID, "the repository cannot be read");
    error_hint(error, "reading it took more than %d MiB of memory, or its files are too large",
               MAX_MEMORY_BYTES >> 20);
    return status;
}

static enum status read_record(const struct repo_fetch *fetch, struct repo_snapshot *snapshot,
                               struct error *error) {
    struct stat info;
    if (fstat(fetch->record, &info) != 0 || info.st_size > MAX_RECORD_BYTES || info.st_size <= 0)
        return error_set(error, STATUS_INVALID, "the repository cannot be read: no result");
    size_t length = (size_t)info.st_size;
    void *data = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fetch->record, 0);
    if (data == MAP_FAILED)
        return error_set(error, STATUS_ENVIRONMENT, "no memory for a repository's files: %s",
                         strerror(errno));
    struct repo_cursor cursor = {.next = data, .left = length};
    enum status status = STATUS_INVALID;
    bool good = decode(&cursor, fetch->want_count, &status, snapshot, error);
    munmap(data, length);
    if (good)
        return status;
    repo_snapshot_free(snapshot);
    return error_set(error, STATUS_INVALID, "the repository cannot be read: a malformed result");
}

enum status repo_fetch_finish(struct repo_fetch *fetch, struct repo_snapshot *snapshot,
                              struct error *error) {
    *snapshot = (struct repo_snapshot){0};
    struct error cause = {0};
    int wait_status = 0;
    bool ended = wait_for(fetch, fetch->deadline, &wait_status);
    enum status status = ended && WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0
                             ? read_record(fetch, snapshot, &cause)
                             : describe_end(fetch, ended, wait_status, &cause);
    if (status != STATUS_OK) {
        cleanup_free char *message = without_secret(cause.message, fetch->secret);
        cleanup_free char *hint = without_secret(cause.hint, fetch->secret);
        error_set(error, status, "%s", message);
        error_hint(error, "%s", hint);
    }
    fetch_free(fetch);
    return status;
}

void repo_fetch_cancel(struct repo_fetch *fetch) {
    if (!fetch)
        return;
    int wait_status;
    kill(fetch->pid, SIGKILL);
    wait_for(fetch, clock_ms() / 1e3 + GRACE_SECONDS, &wait_status);
    fetch_free(fetch);
}

enum status repo_read(const struct repo_request *request, struct repo_snapshot *snapshot,
                      struct error *error) {
    struct repo_fetch *fetch;
    *snapshot = (struct repo_snapshot){0};
    enum status status = repo_fetch_start(request, &fetch, error);
    return status == STATUS_OK ? repo_fetch_finish(fetch, snapshot, error) : status;
}

void repo_snapshot_free(struct repo_snapshot *snapshot) {
    for (size_t i = 0; i < snapshot->file_count; i++) {
        free(snapshot->files[i].path);
        free(snapshot->files[i].data);
        free(snapshot->files[i].message);
        free(snapshot->files[i].hint);
    }
    free(snapshot->files);
    free(snapshot->branch);
    *snapshot = (struct repo_snapshot){0};
}
