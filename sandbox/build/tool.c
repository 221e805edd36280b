/* A child of a worker inherits the worker's limits and process group; the supervisor kills both.
 * What it reads and writes lies in the folder that the worker starts in. */
#include "sandbox/build/tool.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int tool_run(char *const argv[], char *const environment[], const char *directory,
             struct text *output) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        int nothing = open("/dev/null", O_RDONLY);
        if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(ends[1], 1) < 0 || dup2(ends[1], 2) < 0 ||
            chdir(directory) != 0)
            _exit(127);
        execve(argv[0], argv, environment);
        _exit(127);
    }
    close(ends[1]);
    char buffer[65536];
    ssize_t got;
    while (pid > 0 &&
           ((got = read(ends[0], buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))) {
        size_t room = TOOL_OUTPUT_MAX - output->length;
        if (got > 0)
            text_append_bytes(output, buffer, (size_t)got < room ? (size_t)got : room);
    }
    close(ends[0]);
    int status = -1;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 ? status : -1;
}

void tool_arguments_add(struct tool_arguments *arguments, char *string) {
    arguments->strings[arguments->count++] = string;
    arguments->strings[arguments->count] = NULL;
}

void tool_arguments_free(struct tool_arguments *arguments) {
    for (size_t i = 0; i < arguments->count; i++)
        free(arguments->strings[i]);
}

bool tool_is_sound(int status, const char *tool, struct text *output, char *trouble, size_t size) {
    if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) != 127)
        return true;
    if (status >= 0 && WIFSIGNALED(status))
        snprintf(trouble, size, "%s was ended by signal %d", file_base_name(tool),
                 WTERMSIG(status));
    else
        snprintf(trouble, size, "%s cannot be run: %.300s", tool, text_string(output));
    return false;
}

int scratch_run_tool(const struct scratch *scratch, const struct build_job *job,
                     struct tool_arguments *arguments, struct text *log) {
    cleanup_free char *temporary = mem_printf("TMPDIR=%s", scratch->path);
    cleanup_free char *path = mem_printf("PATH=%s", job->path);
    cleanup_free char *home = mem_printf("HOME=%s", scratch->path);
    char *environment[] = {temporary, path, home, "LC_ALL=C.UTF-8", NULL};
    return tool_run(arguments->strings, environment, scratch->path, log);
}

bool scratch_find(struct scratch *scratch, struct build_answer *answer) {
    if (getcwd(scratch->path, sizeof scratch->path))
        return true;
    answer->outcome = OUTCOME_TOOL_FAILED;
    snprintf(answer->trouble, sizeof answer->trouble, "there is no folder to work in");
    return false;
}

static bool write_file(const char *path, const char *text, size_t length,
                       struct build_answer *answer) {
    struct error error;
    cleanup_free char *folder = mem_strndup(path, (size_t)(file_base_name(path) - path));
    if (file_make_directories(folder, &error) == STATUS_OK &&
        file_write(path, text, length, &error) == STATUS_OK)
        return true;
    answer->outcome = OUTCOME_TOOL_FAILED;
    snprintf(answer->trouble, sizeof answer->trouble, "%.500s", error.message);
    return false;
}

bool scratch_write_headers(const struct scratch *scratch, const struct build_job *job,
                           struct build_answer *answer) {
    for (size_t i = 0; i < job->header_count; i++) {
        cleanup_free char *path = file_join(scratch->path, job->header_names[i]);
        if (!write_file(path, job->header_texts[i], strlen(job->header_texts[i]), answer))
            return false;
    }
    return true;
}

bool scratch_write_source(const char *path, const struct build_job *job,
                          struct build_answer *answer) {
    return write_file(path, job->source, job->source_length, answer);
}
