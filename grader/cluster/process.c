/* Output goes to memory files, not to pipes: a program that writes much never waits for us, and we
 * never for it. Tokens of the environment stay here: sbatch hands its environment to the job, and
 * Slurm keeps that on the disks of the controller and of the nodes. */
#include "grader/cluster/process.h"

#include "grader/repo/repo.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_OUTPUT_BYTES = 16 << 20, PAUSE_US = 2000 };

struct process {
    pid_t pid;
    int output, messages;
    double deadline_ms;
    bool ended, late;
    int status; /* of waitpid() */
};

static int spawn(struct process *process, const char *const *argv) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t defaults, none;
    cleanup_free char **environment = repo_environment_without_tokens();
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGTERM);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, process->output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, process->messages, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &none);
    int code = posix_spawnp(&process->pid, argv[0], &files, &attributes,
                            (char *const *)(uintptr_t)argv, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return code;
}

static void release(struct process *process) {
    if (process->output >= 0)
        close(process->output);
    if (process->messages >= 0)
        close(process->messages);
    free(process);
}

enum status process_start(const char *const *argv, double limit_seconds, struct process **out,
                          struct error *error) {
    struct process *process = mem_zalloc(sizeof *process);
    *out = NULL;
    process->output = memfd_create("warpgrade-output", MFD_CLOEXEC);
    process->messages = memfd_create("warpgrade-messages", MFD_CLOEXEC);
    process->deadline_ms = clock_ms() + limit_seconds * 1e3;
    int code = process->output < 0 || process->messages < 0 ? errno : spawn(process, argv);
    if (code == 0) {
        *out = process;
        return STATUS_OK;
    }
    release(process);
    return error_set(error, STATUS_ENVIRONMENT, "%s cannot be started: %s", argv[0],
                     strerror(code));
}

bool process_is_done(struct process *process) {
    if (process->ended)
        return true;
    if (!process->late && clock_ms() > process->deadline_ms) {
        kill(process->pid, SIGKILL);
        process->late = true;
    }
    pid_t got = waitpid(process->pid, &process->status, WNOHANG);
    process->ended = got == process->pid || (got < 0 && errno == ECHILD);
    return process->ended;
}

static char *read_all(int file, size_t *length) {
    struct stat info;
    *length = 0;
    if (fstat(file, &info) == 0 && info.st_size > 0)
        *length = info.st_size < MAX_OUTPUT_BYTES ? (size_t)info.st_size : MAX_OUTPUT_BYTES;
    char *text = mem_zalloc(*length + 1);
    if (!file_read_at(file, text, *length, 0))
        *length = 0;
    text[*length] = '\0';
    return text;
}

static void keep_last_line(char *text) {
    size_t end = strlen(text), start;
    while (end > 0 && strchr(" \t\r\n", text[end - 1]))
        end--;
    for (start = end; start > 0 && text[start - 1] != '\n';)
        start--;
    memmove(text, text + start, end - start);
    text[end - start] = '\0';
}

void process_finish(struct process *process, struct process_result *result) {
    while (!process_is_done(process))
        usleep(PAUSE_US);
    size_t length;
    *result = (struct process_result){
        .in_time = !process->late,
        .code = WIFEXITED(process->status) ? WEXITSTATUS(process->status) : -1};
    result->output = read_all(process->output, &result->length);
    result->complaint = read_all(process->messages, &length);
    keep_last_line(result->complaint);
    release(process);
}

void process_result_free(struct process_result *result) {
    free(result->output);
    free(result->complaint);
    *result = (struct process_result){0};
}
